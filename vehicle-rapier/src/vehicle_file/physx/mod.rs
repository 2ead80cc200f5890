//! Vehicles from the files of the PhysX Vehicle SDK.
//!
//! Its samples keep a vehicle in three JSON files: *Base* for the mechanics, *DirectDrive* and
//! *EngineDrive* for what turns the wheels. [`import`] makes a [`VehicleFile`] of *Base* and one of
//! the others, in axes of choice and in meters, and says what it has not used.
//!
//! ```no_run
//! use vehicle_rapier::core::Frame;
//! use vehicle_rapier::vehicle_file::physx::{PhysxDifferential, PhysxDrive, import};
//! use vehicle_rapier::vehicle_file::{AnyVehicle, FileFormat};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let base = std::fs::read_to_string("Base.json")?;
//! let engine = std::fs::read_to_string("EngineDrive.json")?;
//! let drive = PhysxDrive::Engine(&engine, PhysxDifferential::FourWheel);
//! let imported = import(&base, drive, Frame::Y_UP)?;
//! for what in &imported.not_used {
//!     println!("not used: {what}");
//! }
//! std::fs::write("car.json", imported.vehicle.to_text(FileFormat::Json)?)?;
//! let car = AnyVehicle::new(imported.vehicle, "")?;
//! # Ok(())
//! # }
//! ```
//!
//! | in the file | here |
//! |---|---|
//! | `Frame`, `Scale` | the axes of choice, meters |
//! | `BrakeCommandResponseParams`, `HandbrakeCommandResponseParams` | brakes 0 and 1 |
//! | `JounceCalculationType` 0, 1 | a [ray](vehicle_core::suspension::ContactShape::Ray), a [cylinder](vehicle_core::suspension::ContactShape::Cylinder) |
//! | `LimitSuspensionExpansionVelocity` false, true | [unlimited](vehicle_core::suspension::ExpansionSpeed::Unlimited), [limited](vehicle_core::suspension::ExpansionSpeed::Limited) |
//! | `LateralStiffnessX`, `LateralStiffnessY` | the load at which the lateral stiffness is largest, and the stiffness |
//! | `ClutchCommandResponseParams.MaxResponse` | the strength of a clutch without a capacity |
//! | a bias of 0 in a differential | slip that is not limited |
//!
//! Not used: `SuspensionForceLegacyParams`, which the SDK's vehicles do not use beside
//! `SuspensionForceParams`; `ClutchParams`, because engine and wheels are solved exactly; the
//! differentials beside the chosen one. The files have neither colliders nor the place of the
//! center of mass in the body: fill in [`chassis`](VehicleFile::chassis).

mod drive;
mod mechanics;
mod reader;

use vehicle_core::Frame;
use vehicle_core::aerodynamics::AerodynamicsParams;
use vehicle_core::convert::Convert;
use vehicle_core::frame::{CoordinateConversion, CoordinateSystem};
use vehicle_core::wheel::WheelParams;

use self::reader::{Notes, Value};
use super::fault::{FileFault, VehicleFileError};
use super::format::FileFormat;
use super::tires::TireSource;
use super::tree::Tree;
use super::{AnyVehicle, DirectSource, DriveSource, MechanicsSource, VehicleFile};

/// The file of what turns the wheels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PhysxDrive<'a> {
    /// The text of a DirectDrive file.
    Direct(&'a str),
    /// The text of an EngineDrive file, and which of its differentials is meant.
    Engine(&'a str, PhysxDifferential),
}

/// A differential of an EngineDrive file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PhysxDifferential {
    /// `MultiWheelDifferentialParams`.
    MultiWheel,
    /// `FourWheelDifferentialParams`.
    FourWheel,
    /// `TankDifferentialParams`.
    Tank,
}

/// A vehicle that has been imported.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PhysxImport {
    /// The vehicle.
    pub vehicle: VehicleFile,
    /// Fields of the files that were not used, each with its path and why.
    pub not_used: Vec<String>,
}

/// The vehicle of the files `base` and `drive`, in the axes of `frame` and in meters.
///
/// # Errors
///
/// The first fault of syntax, or all faults of meaning, with path, bound and value: of fields that
/// are not there or there twice, and of the vehicle. Paths begin with `Base`, `DirectDrive` or
/// `EngineDrive`; those of faults of the vehicle as a whole are of the vehicle's file.
pub fn import(
    base: &str,
    drive: PhysxDrive<'_>,
    frame: Frame,
) -> Result<PhysxImport, VehicleFileError> {
    let notes = Notes::default();
    let base = parse(base, "Base")?;
    let base = mechanics::read(&Value::root(&base, "Base", &notes));
    let count = base.params.wheels.len();
    let (drive, driven) = match drive {
        PhysxDrive::Direct(text) => {
            let node = parse(text, "DirectDrive")?;
            let throttle = drive::read_direct(&Value::root(&node, "DirectDrive", &notes));
            (DriveSource::Direct(DirectSource { throttle }), "DirectDrive")
        }
        PhysxDrive::Engine(text, differential) => {
            let node = parse(text, "EngineDrive")?;
            let root = Value::root(&node, "EngineDrive", &notes);
            (drive::read_engine(&root, differential, count), "EngineDrive")
        }
    };
    let source = CoordinateSystem { frame: base.frame, length_scale: base.scale };
    let target = CoordinateSystem { frame, length_scale: 1.0 };
    let faults = notes.faults.into_inner();
    if !faults.is_empty() {
        return Err(VehicleFileError::of_faults(faults));
    }
    let conversion = CoordinateConversion::new(&source, &target);
    let mut mechanics = base.params.converted(&conversion);
    // Values that the files do not give are the usual ones, whatever their unit of length.
    let usual = WheelParams::default();
    for wheel in &mut mechanics.wheels {
        wheel.inflation_pressure = usual.inflation_pressure;
        wheel.radial_stiffness = usual.radial_stiffness;
    }
    mechanics.aerodynamics = AerodynamicsParams::default();
    let tires = mechanics.tires.clone();
    let tires: Vec<_> = tires.into_iter().map(|tire| TireSource::Model(tire.into())).collect();
    let drive = match drive {
        DriveSource::Direct(DirectSource { throttle }) => {
            DriveSource::Direct(DirectSource { throttle: throttle.converted(&conversion, 2) })
        }
        DriveSource::Engine(drivetrain) => {
            DriveSource::Engine(Box::new(drivetrain.converted(&conversion)))
        }
        DriveSource::Tank(drivetrain) => {
            DriveSource::Tank(Box::new(drivetrain.converted(&conversion)))
        }
        other => other,
    };
    let mechanics = MechanicsSource::Parameters(Box::new(mechanics.with_tires(tires)));
    let mut vehicle = VehicleFile::new(mechanics, drive);
    vehicle.frame = frame;
    vehicle.source = format!("Base and {driven} of the PhysX Vehicle SDK");
    AnyVehicle::new(vehicle.clone(), "")?;
    Ok(PhysxImport { vehicle, not_used: notes.unused.into_inner() })
}

fn parse(text: &str, name: &str) -> Result<Tree, VehicleFileError> {
    FileFormat::Json.tree(text).map_err(|fault: FileFault| {
        let path =
            if fault.path.is_empty() { name.to_owned() } else { format!("{name}.{}", fault.path) };
        VehicleFileError::of_fault(FileFault { path, ..fault })
    })
}
