//! A vehicle with any drive, as files make it.

mod controls;
mod driving;
mod hitch;
mod memory;
mod remake;

use std::sync::Arc;

use vehicle_core::ParamErrors;
use vehicle_core::clone_by_field;
use vehicle_core::diagnosis::{Conditions, Diagnose, Findings};
use vehicle_core::error::ParamCheck;
use vehicle_core::frame::CoordinateSystem;
use vehicle_core::math::{Real, Vec3};
use vehicle_core::sequence::Holds;
use vehicle_core::tire::models::AnyTire;
use vehicle_core::vehicle::{
    ChangeMechanics, HasMechanics, HasOwn, MechanicalParams, Mechanics, MechanicsRef,
    MechanicsWithOwn, OwnState, check_own,
};
use vehicle_drivetrain::AidedState;
use vehicle_drivetrain::aids::{AidReport, AidsParams};
use vehicle_drivetrain::differential::{DifferentialParams, TankDifferentialParams};
use vehicle_drivetrain::drivetrain::DrivetrainParams;
use vehicle_drivetrain::engine::EngineParams;
use vehicle_drivetrain::gearbox::GearboxParams;
use vehicle_drivetrain::instruments::{DisplayedGear, Instruments};
use vehicle_drivetrain::readings::{DriveReading, ReadDrive};
use vehicle_drivetrain::rider::Rider;
use vehicle_drivetrain::{BlockDriveVehicleWith, DirectDriveVehicleWith, EngineDriveVehicleWith};

pub use self::controls::AnyDriveControls;
pub use self::hitch::{CouplingError, HitchError};
pub use self::memory::{
    AnyDriveMemory, AnyDriveState, AnyMemory, AnySaved, AnySnapshot, StartPlace,
};
pub use self::remake::RemakeError;
use super::chassis::ChassisSource;
use super::{DriveSource, VehicleFile};
use crate::drivable::{Drivable, DriverIntent};
use crate::sleep::SleepParams;
use crate::vehicle::RapierVehicle;

pub(super) type DirectCar = DirectDriveVehicleWith<AnyTire>;
pub(super) type EngineCar = EngineDriveVehicleWith<AnyTire, DifferentialParams>;
pub(super) type Motorcycle = EngineDriveVehicleWith<AnyTire, DifferentialParams, Rider>;
pub(super) type TankCar = EngineDriveVehicleWith<AnyTire, TankDifferentialParams>;
pub(super) type BlockCar = BlockDriveVehicleWith<AnyTire>;

/// A vehicle by the kind of its drive.
#[derive(Debug)]
#[non_exhaustive]
pub enum AnyDrive {
    /// Each wheel under its own torque; also a trailer, whose torques are 0.
    Direct(Box<DirectCar>),
    /// An engine and a differential.
    Engine(Box<EngineCar>),
    /// An engine, a differential and a rider.
    Motorcycle(Box<Motorcycle>),
    /// An engine and two tracks.
    Tank(Box<TankCar>),
    /// A driveline of blocks.
    Blocks(Box<BlockCar>),
}

/// Evaluates `$what` for the vehicle of any kind, as `$car`.
macro_rules! each {
    ($drive:expr, $car:ident => $what:expr) => {
        match $drive {
            AnyDrive::Direct($car) => $what,
            AnyDrive::Engine($car) => $what,
            AnyDrive::Motorcycle($car) => $what,
            AnyDrive::Tank($car) => $what,
            AnyDrive::Blocks($car) => $what,
        }
    };
}
pub(super) use each;

impl Clone for AnyDrive {
    fn clone(&self) -> Self {
        match self {
            Self::Direct(car) => Self::Direct(car.clone()),
            Self::Engine(car) => Self::Engine(car.clone()),
            Self::Motorcycle(car) => Self::Motorcycle(car.clone()),
            Self::Tank(car) => Self::Tank(car.clone()),
            Self::Blocks(car) => Self::Blocks(car.clone()),
        }
    }

    /// Copies into the memory that is there, so that vehicles that are put back stay where they
    /// are.
    fn clone_from(&mut self, source: &Self) {
        match (self, source) {
            (Self::Direct(car), Self::Direct(source)) => car.clone_from(source),
            (Self::Engine(car), Self::Engine(source)) => car.clone_from(source),
            (Self::Motorcycle(car), Self::Motorcycle(source)) => car.clone_from(source),
            (Self::Tank(car), Self::Tank(source)) => car.clone_from(source),
            (Self::Blocks(car), Self::Blocks(source)) => car.clone_from(source),
            (other, source) => *other = source.clone(),
        }
    }
}

impl AnyDrive {
    /// The parameters of its mechanics.
    pub(super) fn mechanics(&self) -> &MechanicalParams<AnyTire> {
        each!(self, car => car.mechanical_params())
    }
}

/// A vehicle with any drive, as an [`AnyVehicle`](super::AnyVehicle) makes it, with
/// [state of its user's own](OwnState) of type `Own`.
///
/// It can do all that a vehicle of one drive can. Stages for any vehicle on the ready-made
/// mechanical base can replace its own, a [`Fleet`](crate::Fleet) accepts it, and snapshots hold
/// it. The differences between drives are in [`drive`](Self::drive).
#[derive(Debug)]
pub struct AnyDriveVehicle<Own: OwnState = ()> {
    /// The vehicle, by its drive.
    pub drive: AnyDrive,
    own: Own,
    own_params: Own::Params,
    origin: Arc<Origin>,
    /// Where it was inserted.
    start: Option<Box<StartPlace>>,
    /// Whether a stage of the last step was that of another drive.
    is_refused: bool,
}

clone_by_field! {
    impl[Own: OwnState] AnyDriveVehicle<Own> { drive, own, own_params, origin, start, is_refused }
}

/// A vehicle of any kind in a world, as an [`AnyVehicle`](super::AnyVehicle) puts it there.
pub type AnyRapierVehicle<Own = ()> = RapierVehicle<AnyDriveVehicle<Own>>;

/// The file of a vehicle and its chassis.
#[derive(Debug)]
pub(super) struct Origin {
    /// The file.
    pub(super) file: VehicleFile,
    /// Chassis of the vehicle, of known parts.
    pub(super) chassis: ChassisSource,
}

impl<Own: OwnState> AnyDriveVehicle<Own> {
    /// The vehicle at rest, of checked `own_params`.
    pub(super) fn new(drive: AnyDrive, own_params: Own::Params, origin: Arc<Origin>) -> Self {
        let wheel_count = drive.mechanics().axles.wheel_count();
        let own = Own::at_rest(&own_params, wheel_count);
        Self { drive, own, own_params, origin, start: None, is_refused: false }
    }

    /// The file and the chassis that it was made of.
    pub(super) fn origin(&self) -> &Origin {
        &self.origin
    }

    /// Content of the file that it was made of.
    pub fn file(&self) -> &VehicleFile {
        &self.origin.file
    }

    /// The state of its user's own.
    pub fn own_state(&self) -> &Own {
        &self.own
    }

    /// Parameters of the state of its user's own.
    pub fn own_params(&self) -> &Own::Params {
        &self.own_params
    }

    /// Changes what the state of its user's own is made of, at any time between steps.
    ///
    /// # Errors
    ///
    /// All faults of `own_params`, and of the state with them; nothing has changed then.
    pub fn set_own_params(&mut self, own_params: Own::Params) -> Result<(), ParamErrors> {
        check_own(&own_params, &self.own, self.wheel_count())?;
        self.own_params = own_params;
        Ok(())
    }

    /// Parameters of its [aids](vehicle_drivetrain::aids); `None` without aids.
    pub fn aids(&self) -> Option<&AidsParams> {
        each!(&self.drive, car => car.aids())
    }

    /// Gives it other aids, see [`Vehicle::set_aids`](vehicle_drivetrain::Vehicle::set_aids).
    ///
    /// # Errors
    ///
    /// All faults of `aids`; nothing has changed then.
    pub fn set_aids(&mut self, aids: AidsParams) -> Result<(), ParamErrors> {
        let coordinates = CoordinateSystem { frame: self.origin.file.frame, length_scale: 1.0 };
        each!(&mut self.drive, car => car.set_aids(AidsParams { coordinates, ..aids }))
    }

    /// What the vehicle's aids do, and what they keep between two steps.
    pub fn aided(&self) -> &AidedState {
        each!(&self.drive, car => &car.state.aids)
    }

    /// What the vehicle's aids keep between two steps, mutably: to set a cruise control, for
    /// example.
    pub fn aided_mut(&mut self) -> &mut AidedState {
        each!(&mut self.drive, car => &mut car.state.aids)
    }

    /// Parameters of its engine; `None` without one, and in a driveline of blocks.
    pub fn engine(&self) -> Option<&EngineParams> {
        self.engine_and_gearbox().map(|(engine, _)| engine)
    }

    /// Parameters of the gearbox of its engine; `None` without one, and in a driveline of blocks.
    pub fn gearbox(&self) -> Option<&GearboxParams> {
        self.engine_and_gearbox().map(|(_, gearbox)| gearbox)
    }

    fn engine_and_gearbox(&self) -> Option<(&EngineParams, &GearboxParams)> {
        fn of<D>(drivetrain: &DrivetrainParams<D>) -> Option<(&EngineParams, &GearboxParams)> {
            Some((&drivetrain.engine, &drivetrain.gearbox))
        }
        match &self.drive {
            AnyDrive::Engine(car) => of(&car.params().drivetrain),
            AnyDrive::Motorcycle(car) => of(&car.params().drivetrain),
            AnyDrive::Tank(car) => of(&car.params().drivetrain),
            AnyDrive::Direct(_) | AnyDrive::Blocks(_) => None,
        }
    }

    fn wheel_count(&self) -> usize {
        self.drive.mechanics().axles.wheel_count()
    }
}

impl<Own: OwnState> HasMechanics for AnyDriveVehicle<Own> {
    type Tire = AnyTire;

    #[inline]
    fn mechanics(&mut self) -> Mechanics<'_, AnyTire> {
        each!(&mut self.drive, car => car.mechanics())
    }

    #[inline]
    fn read_mechanics(&self) -> MechanicsRef<'_, AnyTire> {
        each!(&self.drive, car => car.read_mechanics())
    }

    fn mechanical_params(&self) -> &MechanicalParams<AnyTire> {
        self.drive.mechanics()
    }

    fn params_revision(&self) -> u32 {
        each!(&self.drive, car => car.params_revision())
    }

    fn set_wheel_mass(&mut self, has_mass: bool, world: &vehicle_core::SimulationParams) {
        each!(&mut self.drive, car => car.set_wheel_mass(has_mass, world));
    }
}

impl<Own: OwnState> ChangeMechanics for AnyDriveVehicle<Own> {
    fn set_mechanics(&mut self, mechanics: MechanicalParams<AnyTire>) -> Result<(), ParamErrors> {
        each!(&mut self.drive, car => car.set_mechanics(mechanics))
    }
}

impl<Own: OwnState> HasOwn for AnyDriveVehicle<Own> {
    type Own = Own;

    fn own(&mut self) -> MechanicsWithOwn<'_, AnyTire, Own> {
        MechanicsWithOwn {
            mechanics: each!(&mut self.drive, car => car.mechanics()),
            params: &self.own_params,
            state: &mut self.own,
        }
    }
}

impl<Own: OwnState> Diagnose for AnyDriveVehicle<Own> {
    fn examine(&self, conditions: &Conditions<'_>, findings: &mut Findings) {
        let is_coupled = conditions.is_coupled || self.file().is_made_for_coupling();
        let is_towed = self.file().drive == DriveSource::Towed;
        let conditions = Conditions { is_coupled, is_towed, ..*conditions };
        each!(&self.drive, car => car.examine(&conditions, findings));
    }
}

impl<Own: OwnState> Instruments for AnyDriveVehicle<Own> {
    fn engine_speed(&self) -> Option<Real> {
        each!(&self.drive, car => car.engine_speed())
    }

    fn displayed_gear(&self) -> DisplayedGear {
        each!(&self.drive, car => car.displayed_gear())
    }
}

impl<Own: OwnState> ReadDrive for AnyDriveVehicle<Own> {
    fn drive_reading(&self) -> DriveReading {
        each!(&self.drive, car => car.drive_reading())
    }

    fn aid_report(&self) -> AidReport {
        each!(&self.drive, car => car.aid_report())
    }
}

impl<Own: OwnState> Drivable for AnyDriveVehicle<Own> {
    fn intent(&self) -> DriverIntent {
        each!(&self.drive, car => car.intent())
    }

    fn check_commands(&self, check: &mut ParamCheck) {
        each!(&self.drive, car => car.check_commands(check));
    }

    fn change_mechanics(
        &mut self,
        mechanics: MechanicalParams<AnyTire>,
    ) -> Result<(), ParamErrors> {
        self.set_mechanics(mechanics)
    }

    fn rest(&mut self) {
        each!(&mut self.drive, car => car.rest());
    }

    fn stop(&mut self) {
        each!(&mut self.drive, car => car.stop());
    }

    fn shift_own(&mut self, shift: Vec3) {
        each!(&mut self.drive, car => car.shift_own(shift));
        self.own.shift(shift);
    }

    fn correct_start(&mut self, moved: Vec3) {
        if let Some(start) = &mut self.start {
            let origin = start.origin.unwrap_or_default() + moved;
            start.origin = (origin != Vec3::ZERO).then_some(origin);
        }
    }

    fn is_busy(&self, params: &SleepParams, length_scale: Real) -> bool {
        self.own.is_busy() || each!(&self.drive, car => car.is_busy(params, length_scale))
    }
}

/// Lends the vehicle of each kind to the stages of its own sequence.
macro_rules! holds {
    ($($kind:ident: $car:ty),*) => {
        $(impl<Own: OwnState> Holds<$car> for AnyDriveVehicle<Own> {
            fn held_mut(&mut self) -> Option<&mut $car> {
                match &mut self.drive {
                    AnyDrive::$kind(car) => Some(car),
                    _ => None,
                }
            }

            fn refuse_stage(&mut self) {
                self.is_refused = true;
            }
        })*
    };
}

holds! {
    Direct: DirectCar,
    Engine: EngineCar,
    Motorcycle: Motorcycle,
    Tank: TankCar,
    Blocks: BlockCar
}
