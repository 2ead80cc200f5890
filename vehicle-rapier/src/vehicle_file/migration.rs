//! Files of older versions.
//!
//! | version | what it was |
//! |---|---|
//! | 0 | the parameters of a ready-made vehicle with default tires, as serde writes them: `mechanics`, and `throttle`, `drivetrain` or `driveline` |
//! | 1 | [`VehicleFile`] |

use serde::Deserialize;
use vehicle_core::Frame;
use vehicle_core::commands::CommandResponseParams;
use vehicle_core::tire::models::AnyTire;
use vehicle_core::vehicle::MechanicalParams;
use vehicle_drivetrain::block_drive::SpinAxis;
use vehicle_drivetrain::blocks::BlockTree;
use vehicle_drivetrain::drivetrain::DrivetrainParams;

use super::fault::FileFault;
use super::format::FileFormat;
use super::locate;
use super::tree::Tree;
use super::{BlockSource, DirectSource, DriveSource, FILE_VERSION, MechanicsSource, VehicleFile};

/// The version alone, whatever else there is.
#[derive(Deserialize)]
struct Versioned {
    version: Option<u32>,
}

/// Reads a file of any version that is known.
pub(super) fn read(format: FileFormat, text: &str) -> Result<VehicleFile, FileFault> {
    let Versioned { version } = format.read(text)?;
    let Some(version) = version else {
        let message = format!("missing field `version`, which is {FILE_VERSION} in files of today");
        return Err(FileFault::new("version", message));
    };
    match version {
        FILE_VERSION => format.read_with(text, give_frame),
        0 => format.read::<VersionZero>(text)?.migrated(),
        _ => {
            let message =
                format!("must be at most {FILE_VERSION}, the newest that is known, got {version}");
            let position = locate::position(format, text, "version");
            Err(FileFault::new("version", message).at(position))
        }
    }
}

/// Gives a data sheet that names no axes those of its file.
fn give_frame(file: &mut Tree) {
    let Some(frame) = file.field_mut("frame").cloned() else { return };
    // Others are told where they are.
    if frame.to::<Frame>().is_err() {
        return;
    }
    let Some(mechanics) = file.field_mut("mechanics") else { return };
    for sheet in ["data_sheet", "blueprint"] {
        if let Some(sheet) = mechanics.field_mut(sheet) {
            sheet.add_field("frame", &frame);
        }
    }
}

/// A file of version 0.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct VersionZero {
    #[serde(rename = "version")]
    _version: u32,
    mechanics: Box<MechanicalParams>,
    throttle: Option<CommandResponseParams>,
    drivetrain: Option<Box<DrivetrainParams>>,
    driveline: Option<BlockTree>,
    #[serde(default)]
    spin_axes: Vec<SpinAxis>,
}

impl VersionZero {
    fn migrated(self) -> Result<VehicleFile, FileFault> {
        let drive = match (self.throttle, self.drivetrain, self.driveline) {
            (Some(throttle), None, None) => DriveSource::Direct(DirectSource { throttle }),
            (None, Some(drivetrain), None) => DriveSource::Engine(drivetrain),
            (None, None, Some(driveline)) => {
                DriveSource::Blocks(BlockSource { driveline, spin_axes: self.spin_axes })
            }
            _ => {
                let message = "must have one of `throttle`, `drivetrain` and `driveline`";
                return Err(FileFault::new("", message));
            }
        };
        let mut mechanics = *self.mechanics;
        let tires: Vec<_> =
            mechanics.tires.drain(..).map(|tire| AnyTire::from(tire).into()).collect();
        let mechanics = MechanicsSource::Parameters(Box::new(mechanics.with_tires(tires)));
        Ok(VehicleFile::new(mechanics, drive))
    }
}
