//! From what a file says to vehicles: data sheets become parameters, tire files become tires, and
//! all faults are found.

use std::path::Path;

use vehicle_core::blueprint::CarBlueprint;
use vehicle_core::commands::CommandResponseParams;
use vehicle_core::error::{ParamCheck, Validate};
use vehicle_core::frame::CoordinateSystem;
use vehicle_core::tire::models::{AnyTire, MagicFormulaLaw, MagicFormulaTire};
use vehicle_core::vehicle::MechanicalParams;
use vehicle_core::{Frame, ParamErrors};
use vehicle_drivetrain::aids::AidsParams;
use vehicle_drivetrain::rider::{RiderModel, RiderParams};
use vehicle_drivetrain::{
    BlockDriveParams, BlockDriveVehicleWith, DirectDriveParams, DirectDriveVehicleWith,
    EngineDriveParams, EngineDriveVehicleWith,
};

use super::any_drive::{AnyDrive, each};
use super::chassis::{ChassisSource, check_place};
use super::fault::FileFault;
use super::format::ReadText;
use super::model::Model;
use super::own_tires::OwnTires;
use super::tires::TireSource;
use super::{DriveSource, FILE_VERSION, HitchParams, MechanicsSource, VehicleFile};

/// Most substeps of a file.
const MOST_SUBSTEPS: u32 = 64;

/// Chassis and model that a file describes.
pub(super) struct Resolved {
    pub(super) chassis: ChassisSource,
    pub(super) model: Model,
}

/// Where parts that a file names come from.
pub(super) struct PartSources<'a> {
    /// The folder in which paths begin.
    pub(super) folder: &'a Path,
    /// How files are read.
    pub(super) read: &'a ReadText<'a>,
    /// Tire models of the program's own.
    pub(super) tires: &'a OwnTires,
}

/// A fault of the field at `path`.
fn fault(path: impl Into<String>, requirement: &str, value: impl std::fmt::Display) -> FileFault {
    FileFault::new(path, format!("must be {requirement}, got {value}"))
}

/// The faults of parameters, their paths changed by `path`.
fn faults_of(errors: &ParamErrors, path: impl Fn(&str) -> String) -> Vec<FileFault> {
    let fault_of = |error: &vehicle_core::ParamError| {
        fault(path(&error.path), &error.requirement, &error.value)
    };
    errors.errors().iter().map(fault_of).collect()
}

/// The faults that `check` reports.
fn checked(check: impl FnOnce(&mut ParamCheck)) -> Vec<FileFault> {
    let mut reported = ParamCheck::default();
    check(&mut reported);
    let errors = reported.finish().err();
    errors.map_or_else(Vec::new, |errors| faults_of(&errors, str::to_owned))
}

impl VehicleFile {
    /// Chassis and model that the file describes, its parts coming from `parts`.
    ///
    /// # Errors
    ///
    /// All faults.
    pub(super) fn resolve(&self, parts: &PartSources<'_>) -> Result<Resolved, Vec<FileFault>> {
        self.resolve_all(parts).map_err(|mut faults| {
            self.explain_single_wheels(&mut faults);
            // A tire of all wheels has the faults of each.
            let mut told: Vec<FileFault> = Vec::new();
            faults.retain(|fault| {
                let is_new = !told.contains(fault);
                if is_new {
                    told.push(fault.clone());
                }
                is_new
            });
            faults
        })
    }

    /// Adds to faults of lists that are too long for the wheels which axles have but one.
    fn explain_single_wheels(&self, faults: &mut [FileFault]) {
        let MechanicsSource::Blueprint(sheet) = &self.mechanics else { return };
        let is_single = |index: &usize| sheet.axles[*index].track_width == 0.0;
        let Some(axle) = (0..sheet.axles.len()).find(is_single) else { return };
        for fault in faults.iter_mut().filter(|fault| fault.message.contains("one per wheel")) {
            let path = self.mechanics_path(&format!("axles[{axle}].track_width"));
            fault.message.push_str(&format!(": {path} 0 is that of a single wheel"));
        }
    }

    fn resolve_all(&self, parts: &PartSources<'_>) -> Result<Resolved, Vec<FileFault>> {
        let mut faults = self.faults_beside_the_vehicle();
        let (hull, mechanics) = match &self.mechanics {
            MechanicsSource::DataSheet(sheet) => {
                self.check_sheet_frame(&sheet.frame)?;
                let hub = sheet.wheel.radius - sheet.center_of_mass_height;
                let mechanics = self.of_blueprint(sheet.mechanics(), &mut faults);
                (Some((sheet.frame, sheet.size, hub)), mechanics)
            }
            MechanicsSource::Blueprint(sheet) => {
                self.check_sheet_frame(&sheet.frame)?;
                let radius = sheet.axles.first().map_or(0.0, |axle| axle.wheel.radius);
                let hub = radius - sheet.center_of_mass_height;
                let mechanics = self.of_blueprint(sheet.mechanics(), &mut faults);
                (Some((sheet.frame, sheet.size, hub)), mechanics)
            }
            MechanicsSource::Parameters(base) => {
                let tires = tires_of_parameters(&base.tires, parts, &mut faults);
                (None, Some((**base).clone().with_tires(tires)))
            }
        };
        let of_sheet = hull.zip(mechanics.as_ref()).map(|((frame, size, hub), mechanics)| {
            ChassisSource::of_size(size, hub, &frame, mechanics)
        });
        let chassis = of_sheet.unwrap_or_default();
        let chassis = self.chassis.clone().unwrap_or(chassis);
        let prototype = mechanics.and_then(|mut mechanics| {
            self.put_on_tires(&mut mechanics, parts, &mut faults);
            if self.meets_obstacles == Some(true) && !mechanics.suspension_dynamics.has_mass() {
                let requirement = "false, because wheels without mass only follow the road";
                faults.push(fault("meets_obstacles", requirement, true));
            }
            faults.extend(self.axis_faults(&mechanics));
            self.prototype(mechanics).map_err(|found| faults.extend(found)).ok()
        });
        match prototype {
            Some(mut prototype) if faults.is_empty() => {
                let coordinates = CoordinateSystem { frame: self.frame, length_scale: 1.0 };
                let aids = AidsParams { coordinates, ..self.aids };
                each!(&mut prototype, car => car.set_aids(aids))
                    .map_err(|errors| faults_of(&errors, |path| format!("aids.{path}")))?;
                let model = Model { prototype, substeps: self.substeps };
                Ok(Resolved { chassis, model })
            }
            _ => Err(faults),
        }
    }

    /// Faults of all but mechanics, tires and drive.
    fn faults_beside_the_vehicle(&self) -> Vec<FileFault> {
        checked(|check| {
            let is_known = self.version == FILE_VERSION;
            check.require("version", is_known, FILE_VERSION, self.version);
            if let Some(chassis) = &self.chassis {
                check.field("chassis", |inner| chassis.check(inner));
            }
            if let Some(count) = self.substeps {
                let requirement = format_args!("within [1, {MOST_SUBSTEPS}]");
                let is_met = (1..=MOST_SUBSTEPS).contains(&count);
                check.require("substeps", is_met, requirement, count);
            }
            if let Some(rider) = &self.rider {
                check.field("rider", |inner| rider.check(inner));
                let is_engine = matches!(self.drive, DriveSource::Engine(_));
                let requirement = "that of a vehicle with drive.engine";
                check.require("rider", is_engine, requirement, "one of another vehicle");
            }
            check.field("aids", |inner| self.aids.check(inner));
            check_hitches(&self.hitches, check);
        })
    }

    /// Mechanical base that a blueprint makes.
    fn of_blueprint(
        &self,
        mechanics: Result<MechanicalParams, ParamErrors>,
        faults: &mut Vec<FileFault>,
    ) -> Option<MechanicalParams<AnyTire>> {
        match mechanics {
            Ok(mut base) => {
                let tires: Vec<_> = base.tires.drain(..).map(AnyTire::from).collect();
                Some(base.with_tires(tires))
            }
            Err(errors) => {
                faults.extend(faults_of(&errors, |path| self.mechanics_path(path)));
                None
            }
        }
    }

    /// Checks that a data sheet is of the axes of its file: in others, nothing of it would fit.
    fn check_sheet_frame(&self, frame: &Frame) -> Result<(), Vec<FileFault>> {
        if *frame == self.frame {
            return Ok(());
        }
        let path = self.mechanics_path("frame");
        let requirement = format!("left out, or the `frame` of the file, {}", self.frame);
        Err(vec![fault(path, &requirement, frame)])
    }

    /// Puts on the tires that the file has beside its mechanics.
    fn put_on_tires(
        &self,
        mechanics: &mut MechanicalParams<AnyTire>,
        parts: &PartSources<'_>,
        faults: &mut Vec<FileFault>,
    ) {
        let count = mechanics.axles.wheel_count();
        match &self.tires[..] {
            [] => {}
            [one] => mechanics.tires = vec![tire(one, parts, "tires[0]", faults); count],
            tires if tires.len() == count => {
                let numbered = tires.iter().enumerate();
                mechanics.tires = numbered
                    .map(|(wheel, each)| tire(each, parts, &format!("tires[{wheel}]"), faults))
                    .collect();
            }
            tires => {
                let requirement = format!("one for all wheels, or of {count} elements");
                faults.push(fault("tires", &requirement, tires.len()));
            }
        }
    }

    /// Faults of suspensions that do not lead down in the axes of the file.
    fn axis_faults(&self, mechanics: &MechanicalParams<AnyTire>) -> Vec<FileFault> {
        let mut check = ParamCheck::default();
        mechanics.check_axes(&self.frame, &mut check);
        let errors = check.finish().err();
        let path = |path: &str| self.mechanics_path(path);
        errors.map_or_else(Vec::new, |errors| faults_of(&errors, path))
    }

    /// Where a parameter of the mechanics stands in the file.
    fn mechanics_path(&self, path: &str) -> String {
        if let (Some(tire), false) = (path.strip_prefix("tires["), self.tires.is_empty()) {
            let rest = tire.split_once(']').map_or("", |(_, rest)| rest);
            return if self.tires.len() == 1 { format!("tires[0]{rest}") } else { path.to_owned() };
        }
        match &self.mechanics {
            MechanicsSource::DataSheet(_) => format!("mechanics.data_sheet.{path}"),
            MechanicsSource::Blueprint(_) => format!("mechanics.blueprint.{path}"),
            MechanicsSource::Parameters(_) => format!("mechanics.parameters.{path}"),
        }
    }

    /// Where a parameter of the vehicle stands in the file; those that a drive has are below
    /// `drive`.
    fn path(&self, path: &str, drive: &str) -> String {
        match path.strip_prefix("mechanics.") {
            Some(path) => self.mechanics_path(path),
            None => format!("drive.{drive}.{path}"),
        }
    }

    /// The vehicle of which others are made.
    fn prototype(&self, mechanics: MechanicalParams<AnyTire>) -> Result<AnyDrive, Vec<FileFault>> {
        let faults = |errors: ParamErrors, drive: &str, own: &str| {
            let own = format!("{own}.");
            let short = |path: &str| path.strip_prefix(&own).unwrap_or(path).to_owned();
            faults_of(&errors, |path| self.path(&short(path), drive))
        };
        let engine = |params, drive: &str| {
            let vehicle = EngineDriveVehicleWith::new(params);
            let vehicle = vehicle.map_err(|errors| faults(errors, drive, "drivetrain"))?;
            Ok::<_, Vec<FileFault>>(AnyDrive::Engine(Box::new(vehicle)))
        };
        Ok(match &self.drive {
            DriveSource::Towed => {
                let throttle = towed(&mechanics);
                let vehicle =
                    DirectDriveVehicleWith::new(DirectDriveParams { mechanics, throttle });
                AnyDrive::Direct(Box::new(vehicle.map_err(|errors| faults(errors, "towed", ""))?))
            }
            DriveSource::Direct(direct) => {
                let throttle = direct.throttle.clone();
                let vehicle =
                    DirectDriveVehicleWith::new(DirectDriveParams { mechanics, throttle });
                AnyDrive::Direct(Box::new(vehicle.map_err(|errors| faults(errors, "direct", ""))?))
            }
            DriveSource::DataSheet(sheet) => {
                let params = sheet.vehicle(mechanics);
                engine(params.map_err(|errors| faults(errors, "data_sheet", ""))?, "data_sheet")?
            }
            DriveSource::Engine(drivetrain) => {
                let drivetrain = (**drivetrain).clone();
                if let Some(rider) = self.rider {
                    // Its own faults are reported beside the vehicle.
                    let rider =
                        if rider.validate().is_ok() { rider } else { RiderParams::default() };
                    let rider = RiderModel::new(rider, &mechanics, &self.frame);
                    let rider = rider.map_err(|errors| faults_of(&errors, str::to_owned))?;
                    let params = EngineDriveParams { mechanics, drivetrain };
                    let vehicle = EngineDriveVehicleWith::with_own(params, rider);
                    let vehicle =
                        vehicle.map_err(|errors| faults(errors, "engine", "drivetrain"))?;
                    return Ok(AnyDrive::Motorcycle(Box::new(vehicle)));
                }
                engine(EngineDriveParams { mechanics, drivetrain }, "engine")?
            }
            DriveSource::Tank(drivetrain) => {
                let drivetrain = (**drivetrain).clone();
                let vehicle =
                    EngineDriveVehicleWith::new(EngineDriveParams { mechanics, drivetrain });
                let vehicle = vehicle.map_err(|errors| faults(errors, "tank", "drivetrain"))?;
                AnyDrive::Tank(Box::new(vehicle))
            }
            DriveSource::Blocks(blocks) => {
                let mut params = BlockDriveParams::new(mechanics, blocks.driveline.clone());
                params.spin_axes.clone_from(&blocks.spin_axes);
                let vehicle = BlockDriveVehicleWith::new(params);
                AnyDrive::Blocks(Box::new(vehicle.map_err(|errors| faults(errors, "blocks", ""))?))
            }
        })
    }
}

/// The throttle of a vehicle without a drive.
fn towed(mechanics: &MechanicalParams<AnyTire>) -> CommandResponseParams {
    CommandResponseParams::linear(0.0, vec![0.0; mechanics.axles.wheel_count()])
}

fn check_hitches(hitches: &[HitchParams], check: &mut ParamCheck) {
    for (index, hitch) in hitches.iter().enumerate() {
        check.field(format_args!("hitches[{index}]"), |inner| {
            let is_free = hitches[..index].iter().all(|other| other.name != hitch.name);
            let name = format_args!("{:?}", hitch.name);
            inner.require("name", is_free, "a name of its own", name);
            inner.vector("position", hitch.position);
            check_place(inner, "position", hitch.position);
        });
    }
}

/// The tires of full parameters.
fn tires_of_parameters(
    tires: &[TireSource],
    parts: &PartSources<'_>,
    faults: &mut Vec<FileFault>,
) -> Vec<AnyTire> {
    let path = |wheel: usize| format!("mechanics.parameters.tires[{wheel}]");
    tires.iter().enumerate().map(|(wheel, each)| tire(each, parts, &path(wheel), faults)).collect()
}

/// A tire; some other one beside a fault, so that the rest of the vehicle can be checked.
fn tire(
    source: &TireSource,
    parts: &PartSources<'_>,
    path: &str,
    faults: &mut Vec<FileFault>,
) -> AnyTire {
    let found = match source {
        TireSource::Model(tire) => Ok(tire.clone()),
        TireSource::File(file) => file
            .load(parts.folder, parts.read)
            .map_err(|message| FileFault::new(format!("{path}.file.path"), message)),
        TireSource::Own(own) => parts.tires.tire(own).map_err(|fault| {
            let path = format!("{path}.own.{}", fault.path);
            FileFault { path, ..fault }
        }),
    };
    found.unwrap_or_else(|fault| {
        faults.push(fault);
        stand_in()
    })
}

/// A tire without faults.
fn stand_in() -> AnyTire {
    let usual = CarBlueprint::default().mechanics();
    let tire = usual.ok().and_then(|mechanics| mechanics.tires.into_iter().next());
    tire.map_or_else(|| MagicFormulaTire::new(MagicFormulaLaw::default()).into(), AnyTire::from)
}
