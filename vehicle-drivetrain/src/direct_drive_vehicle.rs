//! A ready-made vehicle with direct drive, of any number of wheels and axles.

use serde::{Deserialize, Serialize};
use vehicle_core::clone_by_field;
use vehicle_core::commands::{CommandResponseParams, ResponseTable, linear_response};
use vehicle_core::convert::Convert;
use vehicle_core::error::{Bound, ParamCheck};
use vehicle_core::frame::CoordinateConversion;
use vehicle_core::math::{PI, Real};
use vehicle_core::tire::{BrushTire, TireModel};
use vehicle_core::vehicle::{MechanicalParams, MechanicalState, OwnState};
use vehicle_core::{ComponentSequence, ParamErrors, Validate, WheelList};

use crate::aided::{counting, counting_controls};
use crate::aids::{AidDrive, AidVehicle, DriveDirection, DriveSignals, GearSignals};
use crate::direct_drive::{
    DirectControls, DirectDriveView, DirectThrottleView, Gear, HasDirectDrive,
};
use crate::instruments::DisplayedGear;
use crate::readings::DriveReading;
use crate::sequences::{direct_sequence_with_substeps, direct_substeps, written_torques_sequence};
use crate::vehicle::{Drive, Vehicle, VehicleMemory, VehicleState};

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

/// Torques of a direct drive.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub struct DirectTorques {
    /// Drive torque of each wheel (N·m).
    pub torques: WheelList<Real>,
}

clone_by_field! {
    impl[] DirectTorques { torques }
}

/// State of a direct-drive vehicle.
pub type DirectDriveState<Tire = BrushTire, Own = ()> = VehicleState<Tire, DirectTorques, Own>;

/// State that a direct-drive vehicle keeps between two steps, and its driver's commands. It
/// remembers torques for those who write them themselves.
pub type DirectDriveMemory<Tire = BrushTire, Own = ()> =
    VehicleMemory<Tire, DirectTorques, DirectControls, Own>;

/// A vehicle whose wheels turn each under its own torque, with tires of type `Tire` and
/// [state of its user's own](OwnState) of type `Own`.
///
/// [`DirectDriveVehicle`] is the one with the default tire.
pub type DirectDriveVehicleWith<Tire, Own = ()> = Vehicle<DirectDriveParams<Tire>, Own>;

/// A vehicle whose wheels turn each under its own torque.
pub type DirectDriveVehicle = DirectDriveVehicleWith<BrushTire>;

impl<Tire: TireModel> Drive for DirectDriveParams<Tire> {
    type Tire = Tire;
    type State = DirectTorques;
    type Memory = DirectTorques;
    type Controls = DirectControls;
    type Prepared = ();
    type Room = ();

    fn mechanics(&self) -> &MechanicalParams<Tire> {
        &self.mechanics
    }

    fn mechanics_mut(&mut self) -> &mut MechanicalParams<Tire> {
        &mut self.mechanics
    }

    fn prepare(&self) -> Result<(), ParamErrors> {
        Ok(())
    }

    fn room(&self, (): &()) {}

    fn at_rest(&self, (): &()) -> DirectTorques {
        DirectTorques { torques: WheelList::new(self.mechanics.axles.wheel_count()) }
    }

    fn controls_at_rest(&self) -> DirectControls {
        DirectControls::default()
    }

    fn check_controls(&self, _: &DirectControls, _: &mut ParamCheck) {}

    fn check_state(&self, (): &(), state: &DirectTorques, check: &mut ParamCheck) {
        check.count("torques", state.torques.len(), self.mechanics.axles.wheel_count());
        check.wheels("torques", &state.torques, Bound::Finite);
    }

    fn check_wheel_inputs(&self, state: &MechanicalState<Tire>, check: &mut ParamCheck) {
        check.wheels("brake_torques", &state.brake_torques, Bound::NotNegative);
        check.wheels("steer_angles", &state.steer_angles, Bound::Within(-PI, PI));
    }

    fn is_finite(state: &DirectTorques) -> bool {
        state.torques.is_finite()
    }

    fn memory(state: &DirectTorques) -> DirectTorques {
        state.clone()
    }

    fn check_memory(&self, (): &(), memory: &DirectTorques, check: &mut ParamCheck) {
        self.check_state(&(), memory, check);
    }

    fn recall(&self, memory: &DirectTorques) -> DirectTorques {
        memory.clone()
    }

    const IS_SOLVED: bool = false;

    fn describe(&self, (): &(), vehicle: &mut AidVehicle) {
        for (wheel, aid) in vehicle.wheels.iter_mut().enumerate() {
            aid.is_driven = linear_response(&self.throttle, 1.0, wheel) != 0.0;
        }
        vehicle.drive = AidDrive::PerWheel;
    }

    fn drive_signals(
        &self,
        (): &(),
        controls: &DirectControls,
        state: &DirectTorques,
    ) -> DriveSignals {
        let wheels = self.mechanics.axles.wheels();
        let full: Real = wheels.map(|wheel| linear_response(&self.throttle, 1.0, wheel)).sum();
        let gear = self.gear_signals(&(), controls, state);
        let signals = DriveSignals {
            full_throttle_torque: full * gear.direction.sign(),
            torque: state.torques.iter().sum(),
            ..DriveSignals::default()
        };
        signals.in_gear(gear)
    }

    fn throttle_table(&self) -> Option<&ResponseTable> {
        self.throttle.table.as_ref()
    }

    fn gear_signals(&self, (): &(), controls: &DirectControls, _: &DirectTorques) -> GearSignals {
        let direction = match controls.gear {
            Gear::Forward => DriveDirection::Forward,
            Gear::Reverse => DriveDirection::Reverse,
            Gear::Neutral | Gear::Park => DriveDirection::Neutral,
        };
        GearSignals { direction, is_first_gear: true, is_shifting: false }
    }

    /// Written torques of a vehicle without throttle are no part of anything that it can give.
    fn reading(&self, (): &(), controls: &DirectControls, state: &DirectTorques) -> DriveReading {
        let response = |wheel| linear_response(&self.throttle, 1.0, wheel).abs();
        let most: Real = self.mechanics.axles.wheels().map(response).sum();
        let given: Real = state.torques.iter().map(Real::abs).sum();
        DriveReading {
            gear: match controls.gear {
                Gear::Reverse => DisplayedGear::Reverse(1),
                Gear::Neutral => DisplayedGear::Neutral,
                Gear::Park => DisplayedGear::Park,
                Gear::Forward => DisplayedGear::Drive,
            },
            load: if 0.0 < most { (given / most).min(1.0) } else { 0.0 },
            engine: None,
        }
    }

    fn drive_torque(state: &DirectTorques, wheel: usize) -> Real {
        state.torques[wheel]
    }

    fn set_drive_torque(state: &mut DirectTorques, wheel: usize, torque: Real) {
        if state.torques[wheel] != torque {
            state.torques[wheel] = torque;
        }
    }
}

impl<Tire: TireModel, Own: OwnState> DirectDriveVehicleWith<Tire, Own> {
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
    /// - `state.drive.torques`: drive torque, positive turns it forward (N·m);
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

impl<Tire: TireModel, Own: OwnState> HasDirectDrive for DirectDriveVehicleWith<Tire, Own> {
    fn direct_throttle(&mut self) -> DirectThrottleView<'_> {
        let VehicleState { mechanics, drive, .. } = &mut self.state;
        DirectThrottleView {
            axles: &self.model.params.mechanics.axles,
            rigid_body: &mechanics.rigid_body,
            throttle: counting(&self.aid_room, &self.commands).throttle,
            gear: counting_controls(&self.aid_room, &self.controls).gear,
            params: &self.model.params.throttle,
            rigid_body_params: &self.model.params.mechanics.rigid_body,
            road_wheels: self.model.lanes.road_wheels(),
            wheels: &mechanics.wheels,
            brake_torques: &mut mechanics.brake_torques,
            drive_torques: &mut drive.torques,
            actuations: &mut mechanics.actuations,
        }
    }

    fn direct_drive(&mut self) -> DirectDriveView<'_> {
        let VehicleState { mechanics, drive, .. } = &mut self.state;
        DirectDriveView {
            axles: &self.model.params.mechanics.axles,
            rigid_body_params: &self.model.params.mechanics.rigid_body,
            road_wheels: self.model.lanes.road_wheels(),
            brake_torques: &mechanics.brake_torques,
            drive_torques: &drive.torques,
            actuations: &mechanics.actuations,
            tires: &mut mechanics.tires,
            wheels: &mut mechanics.wheels,
        }
    }
}

#[cfg(test)]
mod tests {
    use vehicle_core::blueprint::CarBlueprint;
    use vehicle_core::commands::{Commands, ResponseRow};
    use vehicle_core::frame::{CoordinateSystem, Frame};
    use vehicle_core::lookup_table::LookupTable;
    use vehicle_core::math::{Pose, Vec3};
    use vehicle_core::road_geometry::FlatRoad;
    use vehicle_core::{Context, SimulationParams};

    use super::*;
    use crate::aids::{AidsParams, CruiseParams};

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
        vehicle.controls.gear = Gear::Forward;
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
    fn cruise_control_asks_for_what_the_table_of_the_throttle_takes() {
        let blueprint = CarBlueprint { frame: METERS.frame, ..CarBlueprint::default() };
        let radius = blueprint.wheel.radius;
        let mut throttle = CommandResponseParams::linear(1_200.0, [0.0, 0.0, 1.0, 1.0]);
        // A dead zone of a fifth, and less torque at speed.
        let rows = [(0.2, &[(0.0, 0.0)][..]), (1.0, &[(0.0, 1.0), (30.0, 0.3)])];
        let rows = rows.map(|(command, points)| ResponseRow {
            command,
            response: LookupTable::new(points).unwrap(),
        });
        throttle.table = Some(ResponseTable::new(rows).unwrap());
        let params = DirectDriveParams { mechanics: blueprint.mechanics().unwrap(), throttle };
        let mut vehicle = DirectDriveVehicle::new(params).unwrap();
        let cruise = Some(CruiseParams::default());
        vehicle.set_aids(AidsParams { cruise, ..AidsParams::default() }).unwrap();
        vehicle.controls.gear = Gear::Forward;
        let height = METERS.frame.vertical() * blueprint.center_of_mass_height;
        let state = &mut vehicle.state.mechanics;
        state.rigid_body.pose = Pose::from_translation(height);
        state.rigid_body.linear_velocity = METERS.frame.longitudinal() * 30.0;
        state.wheels.edit_all(|wheel| wheel.rotation_speed = 30.0 / radius);
        vehicle.state.aids.memory_mut().unwrap().aids.cruise.set(30.0);
        let (simulation, road) =
            (SimulationParams::new(METERS.frame), FlatRoad::new(&METERS.frame));
        let sequence = DirectDriveVehicle::sequence();
        let context = Context::new(&simulation, &road);
        let _completed = sequence.update(&mut vehicle, 1.0 / 60.0, &context).unwrap();
        let asked = vehicle.state.aids.memory().unwrap().body.resistance * radius;
        let given: Real = vehicle.state.drive.torques.iter().sum();
        assert!(50.0 < asked && (given / asked - 1.0).abs() < 0.05, "{given} of {asked} N·m");
        let known = vehicle.state.aids.memory().unwrap().drive.full_throttle_torque;
        assert!((known - 720.0).abs() < 5.0, "{known} N·m at 30 m/s");
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
