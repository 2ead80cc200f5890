//! A ready-made vehicle with direct drive, of any number of wheels and axles.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use vehicle_core::aerodynamics::Aerodynamics;
use vehicle_core::brakes::Brakes;
use vehicle_core::commands::{CommandResponseParams, Commands};
use vehicle_core::constraint_rows::ConstraintRows;
use vehicle_core::convert::Convert;
use vehicle_core::error::{Bound, ParamCheck};
use vehicle_core::four_wheels::{run_frame, run_substeps};
use vehicle_core::frame::{CoordinateConversion, Frame};
use vehicle_core::ground::Ground;
use vehicle_core::math::{PI, Real};
use vehicle_core::memory::MechanicalMemory;
use vehicle_core::rigid_body::{ClearExternalForces, RigidBody};
use vehicle_core::road_geometry::RoadGeometry;
use vehicle_core::sequence::{FrameStep, FusedFrame, FusedSubsteps, Recoverable};
use vehicle_core::steering::Steering;
use vehicle_core::suspension::Suspension;
use vehicle_core::tire::{BrushTire, Tire, TireModel};
use vehicle_core::vehicle::{
    ChangeMechanics, HasMechanics, MechanicalParams, MechanicalState, Mechanics, MechanicsRef,
    ReadMechanics,
};
use vehicle_core::wheel::Wheel;
use vehicle_core::{
    ComponentSequence, Context, ParamErrors, PerWheel, PerWheelMut, Persistent, Validate, WheelVec,
};

use crate::direct_drive::{
    DirectDrive, DirectDriveView, DirectThrottle, DirectThrottleView, FourWheelDirectDrive, Gear,
    HasDirectDrive, WrittenTorques,
};

/// Substeps of the ready-made sequence per step.
const SUBSTEPS: u32 = 3;
/// Largest torque per moment of inertia of a wheel (rad/s²).
const MOST_ACCELERATION: Real = 1e9;

/// What a direct-drive vehicle is made of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DirectDriveParams<Tire = BrushTire> {
    /// The mechanical base.
    pub mechanics: MechanicalParams<Tire>,
    /// Response of each wheel's drive torque (N·m) to the throttle.
    pub throttle: CommandResponseParams,
}

impl<Tire: TireModel> Validate for DirectDriveParams<Tire> {
    fn check(&self, check: &mut ParamCheck) {
        check.field("mechanics", |inner| self.mechanics.check(inner));
        let wheel_count = self.mechanics.axles.wheel_count();
        check.field("throttle", |inner| {
            self.throttle.check(inner, wheel_count, Bound::Finite, Bound::Finite);
            self.check_torques(inner);
        });
    }
}

impl<Tire> DirectDriveParams<Tire> {
    /// Checks that no torque turns its wheel infinitely fast.
    fn check_torques(&self, check: &mut ParamCheck) {
        let multipliers = self.throttle.wheel_multipliers.iter().zip(&self.mechanics.wheels);
        for (wheel, (multiplier, params)) in multipliers.enumerate() {
            let torque = self.throttle.max_response * multiplier;
            let most = MOST_ACCELERATION * params.inertia;
            let is_too_strong = 0.0 < most && most < torque.abs() && torque.is_finite();
            let name = format_args!("max_response · wheel_multipliers[{wheel}]");
            let requirement =
                format_args!("of a size of at most {most}, {MOST_ACCELERATION:e} times inertia");
            check.require(name, !is_too_strong, requirement, torque);
        }
    }
}

impl<Tire: Convert> Convert for DirectDriveParams<Tire> {
    fn converted(&self, conversion: &CoordinateConversion) -> Self {
        Self {
            mechanics: self.mechanics.converted(conversion),
            throttle: self.throttle.converted(conversion, 2),
        }
    }
}

/// What changes as a direct-drive vehicle drives.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct DirectDriveState<Tire: TireModel = BrushTire> {
    /// The mechanical base.
    pub mechanics: MechanicalState<Tire>,
    /// Drive torque of each wheel (N·m).
    pub drive_torques: WheelVec<Real>,
}

/// A vehicle whose wheels turn each under its own torque, with tires of type `Tire`.
///
/// [`DirectDriveVehicle`] is the one with the default tire.
#[derive(Clone, Debug)]
pub struct DirectDriveVehicleWith<Tire: TireModel> {
    params: Arc<DirectDriveParams<Tire>>,
    /// What the driver wants.
    pub commands: Commands,
    /// The gear.
    pub gear: Gear,
    /// What the vehicle does.
    pub state: DirectDriveState<Tire>,
}

/// A vehicle whose wheels turn each under its own torque.
pub type DirectDriveVehicle = DirectDriveVehicleWith<BrushTire>;

impl<Tire: TireModel> DirectDriveVehicleWith<Tire> {
    /// A vehicle at rest at the origin, in neutral.
    ///
    /// Vehicles of one model may share `params`. Place the vehicle through its state, or on a body
    /// of a physics engine.
    ///
    /// # Errors
    ///
    /// All faults of `params`.
    pub fn new(params: impl Into<Arc<DirectDriveParams<Tire>>>) -> Result<Self, ParamErrors> {
        let params = params.into();
        params.validate()?;
        let wheel_count = params.mechanics.axles.wheel_count();
        let state = DirectDriveState {
            mechanics: MechanicalState::at_rest(wheel_count),
            drive_torques: smallvec::smallvec![0.0; wheel_count],
        };
        Ok(Self { params, commands: Commands::default(), gear: Gear::Neutral, state })
    }

    /// What the vehicle is made of.
    pub fn params(&self) -> &Arc<DirectDriveParams<Tire>> {
        &self.params
    }

    /// Changes what the vehicle is made of, at any time between steps.
    ///
    /// # Errors
    ///
    /// All faults of `params`, also if the number of wheels differs; nothing has changed then.
    pub fn set_params(
        &mut self,
        params: impl Into<Arc<DirectDriveParams<Tire>>>,
    ) -> Result<(), ParamErrors> {
        let params = params.into();
        let present = self.params.mechanics.axles.wheel_count();
        let mut check = ParamCheck::default();
        params.check(&mut check);
        check.field("mechanics", |inner| params.mechanics.check_wheel_count(present, inner));
        check.finish()?;
        self.params = params;
        Ok(())
    }

    /// The stages of the vehicle, in order, with three substeps of the stiff ones.
    ///
    /// One sequence serves every vehicle.
    pub fn sequence() -> ComponentSequence<Self> {
        Self::sequence_with_substeps(|_| SUBSTEPS)
    }

    /// The stages of the vehicle, in order, with `count` substeps of the stiff ones.
    pub fn sequence_with_substeps(
        count: impl Fn(&Self) -> u32 + Send + Sync + 'static,
    ) -> ComponentSequence<Self> {
        Self::stages_after(
            ComponentSequence::new().then(Brakes).then(Steering).then(DirectThrottle),
            count,
        )
    }

    /// The stages of a vehicle without a driver, whose wheels are turned from outside: by a drivetrain of
    /// one's own, the controller of a robot, a test bench. There are `count` substeps of the stiff ones.
    ///
    /// Before each step, write for each wheel
    ///
    /// - `state.drive_torques`: drive torque, positive turns it forward (N·m);
    /// - `state.mechanics.brake_torques`: largest torque of its brake, not negative (N·m);
    /// - `state.mechanics.steer_angles`: steer angle, positive to the left (rad).
    ///
    /// What is written stays until it is written again; commands and gear have no meaning. After the
    /// step, `state.mechanics.wheels` tells how fast each wheel turns, and
    /// [`wheel_contact`](vehicle_core::vehicle::MechanicsRef::wheel_contact) how it rolls and skids.
    pub fn sequence_of_written_torques(
        count: impl Fn(&Self) -> u32 + Send + Sync + 'static,
    ) -> ComponentSequence<Self> {
        Self::stages_after(ComponentSequence::new().then(WrittenTorques), count)
    }

    /// The stages of the vehicle after `inputs`, those that find torques and steer angles.
    fn stages_after(
        inputs: ComponentSequence<Self>,
        count: impl Fn(&Self) -> u32 + Send + Sync + 'static,
    ) -> ComponentSequence<Self> {
        inputs
            .then(Aerodynamics)
            .fused_frame(
                |frame| {
                    frame.then(RoadGeometry).fused_substeps(count, substeps, FourWheels).then(Wheel)
                },
                FourWheels,
            )
            .then(ClearExternalForces)
    }
}

/// The stages of a substep, in order.
fn substeps<Tire: TireModel>(
    group: ComponentSequence<DirectDriveVehicleWith<Tire>>,
) -> ComponentSequence<DirectDriveVehicleWith<Tire>> {
    group
        .then(Suspension)
        .then(Tire)
        .then(ConstraintRows)
        .then(DirectDrive)
        .then(RigidBody)
        .then(Ground)
}

/// The frame of a vehicle of up to four wheels.
struct FourWheels;

impl<Tire: TireModel> FusedSubsteps<DirectDriveVehicleWith<Tire>> for FourWheels {
    fn run(
        &self,
        vehicle: &mut DirectDriveVehicleWith<Tire>,
        count: u32,
        dt: Real,
        context: &Context<'_>,
    ) -> bool {
        let (mechanics, mut drive) = vehicle.split();
        run_substeps(mechanics, &mut drive, count, dt, context)
    }
}

impl<Tire: TireModel> FusedFrame<DirectDriveVehicleWith<Tire>> for FourWheels {
    fn run(
        &self,
        vehicle: &mut DirectDriveVehicleWith<Tire>,
        step: &FrameStep,
        context: &Context<'_>,
    ) -> bool {
        let (mechanics, mut drive) = vehicle.split();
        run_frame(mechanics, &mut drive, step, context)
    }
}

impl<Tire: TireModel> DirectDriveVehicleWith<Tire> {
    /// The mechanical base, and what turns its wheels.
    fn split(&mut self) -> (Mechanics<'_, Tire>, FourWheelDirectDrive<'_>) {
        let DirectDriveState { mechanics, drive_torques } = &mut self.state;
        let (params, commands) = (&self.params.mechanics, &self.commands);
        (Mechanics { params, commands, state: mechanics }, FourWheelDirectDrive(drive_torques))
    }
}

impl<Tire: TireModel> DirectDriveVehicleWith<Tire> {
    /// Reports torques and steer angles that cannot be: they may have been written from outside.
    fn check_wheel_inputs(&self, check: &mut ParamCheck) {
        let mechanics = &self.state.mechanics;
        let inputs = [
            ("state.drive_torques", &self.state.drive_torques, Bound::Finite),
            ("state.mechanics.brake_torques", &mechanics.brake_torques, Bound::NotNegative),
            ("state.mechanics.steer_angles", &mechanics.steer_angles, Bound::Within(-PI, PI)),
        ];
        for (name, values, bound) in inputs {
            for (wheel, &value) in values.iter().enumerate() {
                check.number(format_args!("{name}[{wheel}]"), value, bound);
            }
        }
    }
}

impl<Tire: TireModel> Recoverable for DirectDriveVehicleWith<Tire> {
    type Snapshot = DirectDriveState<Tire>;

    fn check_inputs(&self, check: &mut ParamCheck) {
        let wheel_count = self.params.mechanics.axles.wheel_count();
        check.field("commands", |inner| self.commands.check(inner));
        check.field("state.mechanics", |inner| {
            self.state.mechanics.check_lengths(wheel_count, inner);
        });
        check.count("state.drive_torques", self.state.drive_torques.len(), wheel_count);
        self.check_wheel_inputs(check);
    }

    fn check_axes(&self, frame: &Frame, check: &mut ParamCheck) {
        check.field("params.mechanics", |inner| self.params.mechanics.check_axes(frame, inner));
    }

    fn snapshot(&self) -> DirectDriveState<Tire> {
        let drive_torques = WheelVec::from_slice(&self.state.drive_torques);
        DirectDriveState { mechanics: self.state.mechanics.clone(), drive_torques }
    }

    fn restore(&mut self, snapshot: DirectDriveState<Tire>) {
        self.state = snapshot;
    }

    fn is_finite(&self) -> bool {
        let drive_torques = &self.state.drive_torques;
        self.state.mechanics.is_finite() && drive_torques.iter().all(|torque| torque.is_finite())
    }
}

/// What a direct-drive vehicle remembers between two steps, and what its driver wants.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct DirectDriveMemory<Tire: TireModel = BrushTire> {
    /// The mechanical base.
    pub mechanics: MechanicalMemory<Tire>,
    /// Drive torque of each wheel (N·m), for those who write it themselves.
    pub drive_torques: WheelVec<Real>,
    /// What the driver wants.
    pub commands: Commands,
    /// The gear.
    pub gear: Gear,
}

impl<Tire: TireModel> Persistent for DirectDriveVehicleWith<Tire> {
    type Memory = DirectDriveMemory<Tire>;

    fn memory(&self) -> DirectDriveMemory<Tire> {
        let mechanics = MechanicalMemory::of(&self.state.mechanics);
        let drive_torques = self.state.drive_torques.clone();
        DirectDriveMemory { mechanics, drive_torques, commands: self.commands, gear: self.gear }
    }

    fn recall(&mut self, memory: &DirectDriveMemory<Tire>) -> Result<(), ParamErrors> {
        let params = &self.params.mechanics;
        let wheel_count = params.axles.wheel_count();
        let mut check = ParamCheck::default();
        check.field("mechanics", |inner| memory.mechanics.check(wheel_count, inner));
        check.count("drive_torques", memory.drive_torques.len(), wheel_count);
        for (wheel, &torque) in memory.drive_torques.iter().enumerate() {
            check.number(format_args!("drive_torques[{wheel}]"), torque, Bound::Finite);
        }
        check.field("commands", |inner| memory.commands.check(inner));
        check.finish()?;
        self.state = DirectDriveState {
            mechanics: memory.mechanics.state(params),
            drive_torques: memory.drive_torques.clone(),
        };
        (self.commands, self.gear) = (memory.commands, memory.gear);
        Ok(())
    }
}

impl<Tire: TireModel> HasMechanics for DirectDriveVehicleWith<Tire> {
    type Tire = Tire;

    fn mechanics(&mut self) -> Mechanics<'_, Tire> {
        Mechanics {
            params: &self.params.mechanics,
            commands: &self.commands,
            state: &mut self.state.mechanics,
        }
    }
}

impl<Tire: TireModel> ReadMechanics for DirectDriveVehicleWith<Tire> {
    fn read_mechanics(&self) -> MechanicsRef<'_, Tire> {
        MechanicsRef {
            params: &self.params.mechanics,
            commands: &self.commands,
            state: &self.state.mechanics,
        }
    }
}

impl<Tire: TireModel> ChangeMechanics for DirectDriveVehicleWith<Tire> {
    fn set_mechanics(&mut self, mechanics: MechanicalParams<Tire>) -> Result<(), ParamErrors> {
        self.set_params(DirectDriveParams { mechanics, throttle: self.params.throttle.clone() })
    }
}

impl<Tire: TireModel> HasDirectDrive for DirectDriveVehicleWith<Tire> {
    fn direct_throttle(&mut self) -> DirectThrottleView<'_> {
        let DirectDriveState { mechanics, drive_torques } = &mut self.state;
        DirectThrottleView {
            axles: &self.params.mechanics.axles,
            rigid_body: &mechanics.rigid_body,
            throttle: self.commands.throttle,
            gear: self.gear,
            params: &self.params.throttle,
            brake_torques: PerWheel::Slice(&mechanics.brake_torques),
            drive_torques: PerWheelMut::Slice(drive_torques),
            actuations: PerWheelMut::Slice(&mut mechanics.actuations),
        }
    }

    fn direct_drive(&mut self) -> DirectDriveView<'_> {
        let DirectDriveState { mechanics, drive_torques } = &mut self.state;
        DirectDriveView {
            axles: &self.params.mechanics.axles,
            rigid_body_params: &self.params.mechanics.rigid_body,
            wheel_params: PerWheel::Slice(&self.params.mechanics.wheels),
            brake_torques: PerWheel::Slice(&mechanics.brake_torques),
            drive_torques: PerWheel::Slice(drive_torques),
            actuations: PerWheel::Slice(&mechanics.actuations),
            tires: PerWheelMut::Slice(&mut mechanics.tires),
            wheels: PerWheelMut::Slice(&mut mechanics.wheels),
        }
    }
}

#[cfg(test)]
mod tests {
    use vehicle_core::blueprint::CarBlueprint;
    use vehicle_core::frame::CoordinateSystem;
    use vehicle_core::math::{Pose, Vec3};
    use vehicle_core::road_geometry::FlatRoad;
    use vehicle_core::{Context, SimulationParams};

    use super::*;

    const METERS: CoordinateSystem = CoordinateSystem { frame: Frame::Y_UP, length_scale: 1.0 };

    /// Where a car of default data, converted to `target`, gets within half a second of full
    /// throttle from 10 m/s and a drop of 5 cm, and how fast.
    fn drive(target: CoordinateSystem) -> (Vec3, Vec3) {
        let conversion = CoordinateConversion::new(&METERS, &target);
        let blueprint = CarBlueprint { frame: METERS.frame, ..CarBlueprint::default() };
        let mechanics = blueprint.mechanics().unwrap();
        let throttle = CommandResponseParams::linear(600.0, [0.0, 0.0, 1.0, 1.0]);
        let params = DirectDriveParams { mechanics, throttle }.converted(&conversion);
        let simulation = SimulationParams::new(METERS.frame).converted(&conversion);
        let road = FlatRoad::new(&target.frame);

        let mut vehicle = DirectDriveVehicle::new(params).unwrap();
        vehicle.commands = Commands { throttle: 1.0, steer: 0.3, ..Commands::default() };
        vehicle.gear = Gear::Forward;
        let height = METERS.frame.vertical() * (blueprint.center_of_mass_height + 0.05);
        let state = &mut vehicle.state.mechanics;
        state.rigid_body.pose = Pose::from_translation(conversion.length(height));
        state.rigid_body.linear_velocity = conversion.length(METERS.frame.longitudinal() * 10.0);
        for wheel in &mut state.wheels {
            wheel.rotation_speed = 10.0 / blueprint.wheel.radius;
        }
        let sequence = DirectDriveVehicle::sequence();
        for _ in 0..30 {
            let context = Context::new(&simulation, &road);
            let _completed = sequence.update(&mut vehicle, 1.0 / 60.0, &context).unwrap();
        }
        let body = &vehicle.state.mechanics.rigid_body;
        (body.pose.translation, body.linear_velocity)
    }

    #[test]
    fn converted_car_drives_the_converted_path() {
        let (position, velocity) = drive(METERS);
        assert!(10.5 < velocity.dot(METERS.frame.longitudinal()), "{velocity} m/s");
        for frame in Frame::all() {
            let target = CoordinateSystem { frame, length_scale: 100.0 };
            let back = CoordinateConversion::new(&target, &METERS);
            let (moved, speed) = drive(target);
            let (moved, speed) = (back.length(moved), back.length(speed));
            // The rounding of 90 substeps; dampers and slips amplify it.
            assert!(moved.distance(position) < 1e-5, "{frame:?}: {moved} m, {position} m");
            assert!(speed.distance(velocity) < 1e-4, "{frame:?}: {speed} m/s, {velocity} m/s");
        }
    }
}
