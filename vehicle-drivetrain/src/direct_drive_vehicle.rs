//! A ready-made vehicle with direct drive, of any number of wheels and axles.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use vehicle_core::clone_by_field;
use vehicle_core::commands::{CommandResponseParams, Commands};
use vehicle_core::convert::Convert;
use vehicle_core::error::{Bound, ParamCheck};
use vehicle_core::frame::{CoordinateConversion, Frame};
use vehicle_core::math::{PI, Real};
use vehicle_core::memory::MechanicalMemory;
use vehicle_core::sequence::Recoverable;
use vehicle_core::tire::{BrushTire, TireModel};
use vehicle_core::vehicle::{
    ChangeMechanics, HasMechanics, HasOwn, MechanicalParams, MechanicalState, Mechanics,
    MechanicsRef, MechanicsWithOwn, OwnState, check_own_memory,
};
use vehicle_core::{ComponentSequence, ParamErrors, Persistent, Validate, WheelList};

use crate::direct_drive::{DirectDriveView, DirectThrottleView, Gear, HasDirectDrive};
use crate::model::{Model, ModelParams, impl_model};
use crate::sequences::{direct_sequence_with_substeps, direct_substeps, written_torques_sequence};

/// Largest torque per moment of inertia of a wheel (rad/s²).
const MOST_ACCELERATION: Real = 1e9;

/// Parameters of a direct-drive vehicle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
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

impl<Tire: TireModel> ModelParams for DirectDriveParams<Tire> {
    type Tire = Tire;

    fn mechanics(&self) -> &MechanicalParams<Tire> {
        &self.mechanics
    }
}

/// State of a direct-drive vehicle.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct DirectDriveState<Tire: TireModel = BrushTire, Own: OwnState = ()> {
    /// The mechanical base.
    pub mechanics: MechanicalState<Tire>,
    /// Drive torque of each wheel (N·m).
    pub drive_torques: WheelList<Real>,
    /// State that the user has added.
    pub own: Own,
}

clone_by_field! {
    impl[Tire: TireModel, Own: OwnState] DirectDriveState<Tire, Own> { mechanics, drive_torques, own }
}

/// A vehicle whose wheels turn each under its own torque, with tires of type `Tire` and
/// [state of its user's own](OwnState) of type `Own`.
///
/// [`DirectDriveVehicle`] is the one with the default tire.
#[derive(Clone, Debug)]
pub struct DirectDriveVehicleWith<Tire: TireModel, Own: OwnState = ()> {
    model: Model<DirectDriveParams<Tire>, Own>,
    /// Commands of the driver.
    pub commands: Commands,
    /// The gear.
    pub gear: Gear,
    /// State of the vehicle.
    pub state: DirectDriveState<Tire, Own>,
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
        Self::with_own(params, ())
    }
}

impl<Tire: TireModel, Own: OwnState> DirectDriveVehicleWith<Tire, Own> {
    /// A vehicle as [`new`](Self::new) makes it, with state of one's own, made of `own_params`, at
    /// rest.
    ///
    /// # Errors
    ///
    /// All faults of `params` and `own_params`, the latter as those of `own`.
    pub fn with_own(
        params: impl Into<Arc<DirectDriveParams<Tire>>>,
        own_params: Own::Params,
    ) -> Result<Self, ParamErrors> {
        Ok(Self::at_rest(Model::new(params.into(), own_params)?))
    }

    /// Another vehicle of the same model, at rest at the origin, in neutral: it shares with this
    /// one what both are made of. The vehicles of a fleet are made so.
    pub fn another(&self) -> Self {
        Self::at_rest(self.model.share())
    }

    fn at_rest(model: Model<DirectDriveParams<Tire>, Own>) -> Self {
        let wheel_count = model.wheel_count();
        let state = DirectDriveState {
            mechanics: MechanicalState::of_vehicle(&model.params.mechanics),
            drive_torques: WheelList::new(wheel_count),
            own: model.own_at_rest(),
        };
        let (commands, gear) = (Commands::default(), Gear::Neutral);
        Self { model, commands, gear, state }
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
        self.model.set_params(params.into(), |_, _| {})?;
        self.state.mechanics.fit(&self.model.params.mechanics);
        Ok(())
    }

    /// The stages of the vehicle, in order, with three substeps of the stiff ones, or one
    /// while its brakes hold it on wheels with mass.
    ///
    /// One sequence serves every vehicle.
    pub fn sequence() -> ComponentSequence<Self> {
        Self::sequence_with_substeps(direct_substeps)
    }

    /// The stages of the vehicle, in order, with `count` substeps of the stiff ones.
    pub fn sequence_with_substeps(
        count: impl Fn(&Self) -> u32 + Send + Sync + 'static,
    ) -> ComponentSequence<Self> {
        direct_sequence_with_substeps(count)
    }

    /// The stages of a vehicle without a driver, whose wheels are turned from outside: by a
    /// drivetrain of one's own, the controller of a robot, a test bench. There are `count` substeps
    /// of the stiff ones.
    ///
    /// Before each step, write for each wheel
    ///
    /// - `state.drive_torques`: drive torque, positive turns it forward (N·m);
    /// - `state.mechanics.brake_torques`: largest torque of its brake, not negative (N·m);
    /// - `state.mechanics.steer_angles`: steer angle, positive to the left (rad).
    ///
    /// What is written stays until it is written again; commands and gear have no meaning. After
    /// the step, `state.mechanics.wheels` tells how fast each wheel turns, and
    /// [`wheel_contact`](vehicle_core::vehicle::MechanicsRef::wheel_contact) how it rolls and
    /// skids.
    pub fn sequence_of_written_torques(
        count: impl Fn(&Self) -> u32 + Send + Sync + 'static,
    ) -> ComponentSequence<Self> {
        written_torques_sequence(count)
    }
}

impl<Tire: TireModel, Own: OwnState> DirectDriveVehicleWith<Tire, Own> {
    /// Reports torques and steer angles that cannot be: they may have been written from outside.
    fn check_wheel_inputs(&self, check: &mut ParamCheck) {
        let DirectDriveState { mechanics, drive_torques, .. } = &self.state;
        let MechanicalState { brake_torques, steer_angles, .. } = mechanics;
        check.wheels("state.drive_torques", drive_torques, Bound::Finite);
        check.wheels("state.mechanics.brake_torques", brake_torques, Bound::NotNegative);
        check.wheels("state.mechanics.steer_angles", steer_angles, Bound::Within(-PI, PI));
    }
}

impl<Tire: TireModel, Own: OwnState> Recoverable for DirectDriveVehicleWith<Tire, Own> {
    type Snapshot = DirectDriveState<Tire, Own>;

    fn check_inputs(&self, check: &mut ParamCheck) {
        let wheel_count = self.model.wheel_count();
        let mechanics = &self.model.params.mechanics;
        check.field("commands", |inner| mechanics.check_commands(&self.commands, inner));
        check.field("state.mechanics", |inner| {
            self.state.mechanics.check_lengths(wheel_count, inner);
        });
        check.count("state.drive_torques", self.state.drive_torques.len(), wheel_count);
        self.check_wheel_inputs(check);
        let own = &self.state.own;
        check.field("state.own", |inner| own.check(&self.model.own_params, wheel_count, inner));
    }

    fn check_axes(&self, frame: &Frame, check: &mut ParamCheck) {
        check.field("params.mechanics", |inner| {
            self.model.params.mechanics.check_axes(frame, inner);
        });
    }

    fn snapshot(&self) -> DirectDriveState<Tire, Own> {
        self.state.clone()
    }

    fn snapshot_into(&self, snapshot: &mut DirectDriveState<Tire, Own>) {
        snapshot.clone_from(&self.state);
    }

    fn restore(&mut self, snapshot: DirectDriveState<Tire, Own>) {
        self.state = snapshot;
    }

    fn is_finite(&self) -> bool {
        let DirectDriveState { mechanics, drive_torques, own } = &self.state;
        mechanics.is_finite() && drive_torques.is_finite() && own.is_finite()
    }

    fn stage_fault(&self) -> Option<&'static str> {
        self.state.mechanics.stage_fault()
    }
}

/// State that a direct-drive vehicle keeps between two steps, and its driver's commands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
#[non_exhaustive]
pub struct DirectDriveMemory<Tire: TireModel = BrushTire, Own: OwnState = ()> {
    /// The mechanical base.
    pub mechanics: MechanicalMemory<Tire>,
    /// Drive torque of each wheel (N·m), for those who write it themselves.
    pub drive_torques: WheelList<Real>,
    /// Commands of the driver.
    pub commands: Commands,
    /// The gear.
    pub gear: Gear,
    /// State that the user has added.
    pub own: Own,
}

impl<Tire: TireModel, Own: OwnState> Persistent for DirectDriveVehicleWith<Tire, Own> {
    type Memory = DirectDriveMemory<Tire, Own>;

    fn memory(&self) -> DirectDriveMemory<Tire, Own> {
        DirectDriveMemory {
            mechanics: MechanicalMemory::of(&self.state.mechanics),
            drive_torques: self.state.drive_torques.clone(),
            commands: self.commands,
            gear: self.gear,
            own: self.state.own.clone(),
        }
    }

    fn recall(&mut self, memory: &DirectDriveMemory<Tire, Own>) -> Result<(), ParamErrors> {
        let params = &self.model.params.mechanics;
        let wheel_count = params.axles.wheel_count();
        let mut check = ParamCheck::default();
        check.field("mechanics", |inner| memory.mechanics.check(wheel_count, inner));
        check.count("drive_torques", memory.drive_torques.len(), wheel_count);
        check.wheels("drive_torques", &memory.drive_torques, Bound::Finite);
        check.field("commands", |inner| params.check_commands(&memory.commands, inner));
        check_own_memory::<Own>(&self.model.own_params, &memory.own, wheel_count, &mut check);
        check.finish()?;
        self.state = DirectDriveState {
            mechanics: memory.mechanics.state(params),
            drive_torques: memory.drive_torques.clone(),
            own: memory.own.clone(),
        };
        (self.commands, self.gear) = (memory.commands, memory.gear);
        Ok(())
    }
}

impl_model! {
    impl[Tire: TireModel, Own: OwnState] DirectDriveVehicleWith<Tire, Own>,
    DirectDriveParams<Tire>
}

impl<Tire: TireModel, Own: OwnState> ChangeMechanics for DirectDriveVehicleWith<Tire, Own> {
    fn set_mechanics(&mut self, mechanics: MechanicalParams<Tire>) -> Result<(), ParamErrors> {
        self.set_params(DirectDriveParams {
            mechanics,
            throttle: self.model.params.throttle.clone(),
        })
    }
}

impl<Tire: TireModel, Own: OwnState> HasDirectDrive for DirectDriveVehicleWith<Tire, Own> {
    fn direct_throttle(&mut self) -> DirectThrottleView<'_> {
        let DirectDriveState { mechanics, drive_torques, .. } = &mut self.state;
        DirectThrottleView {
            axles: &self.model.params.mechanics.axles,
            rigid_body: &mechanics.rigid_body,
            throttle: self.commands.throttle,
            gear: self.gear,
            params: &self.model.params.throttle,
            rigid_body_params: &self.model.params.mechanics.rigid_body,
            road_wheels: self.model.lanes.road_wheels(),
            wheels: &mechanics.wheels,
            brake_torques: &mut mechanics.brake_torques,
            drive_torques,
            actuations: &mut mechanics.actuations,
        }
    }

    fn direct_drive(&mut self) -> DirectDriveView<'_> {
        let DirectDriveState { mechanics, drive_torques, .. } = &mut self.state;
        DirectDriveView {
            axles: &self.model.params.mechanics.axles,
            rigid_body_params: &self.model.params.mechanics.rigid_body,
            road_wheels: self.model.lanes.road_wheels(),
            brake_torques: &mechanics.brake_torques,
            drive_torques,
            actuations: &mechanics.actuations,
            tires: &mut mechanics.tires,
            wheels: &mut mechanics.wheels,
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
        state.wheels.edit_all(|wheel| wheel.rotation_speed = 10.0 / blueprint.wheel.radius);
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
