//! Test drives: a vehicle of any storage on a flat road, the cars and the commands.

use std::ops::ControlFlow::Continue;

use vehicle_core::blueprint::CarBlueprint;
use vehicle_core::commands::Commands;
use vehicle_core::constraint_rows::StickyAnchor;
use vehicle_core::math::{Pose, Real, Vec3};
use vehicle_core::rigid_body::RigidBodyState;
use vehicle_core::road_geometry::FlatRoad;
use vehicle_core::stages::{
    Brakes, ConstraintRows, RigidBody, RoadGeometry, Steering, Suspension, Tire, WheelRotation,
};
use vehicle_core::suspension::AntiRollBarParams;
use vehicle_core::tire::TireModel;
use vehicle_core::vehicle::{HasMechanics, MechanicalParams, WheelMotion};
use vehicle_core::{AxleDescription, ComponentSequence, Context, SimulationParams, Validate};

use crate::stages::{HasDrive, actuate_wheels, turn_wheels};

/// Time step (s).
pub const DT: Real = 1.0 / 60.0;
const SUBSTEPS: u32 = 3;

/// What a vehicle does, however it is stored.
pub struct Motion<M: TireModel> {
    pub body: RigidBodyState,
    /// Torque of the anti-roll bars (N·m).
    pub anti_roll_torque: Vec3,
    /// Where the vehicle stands while its tires stick.
    pub anchor: Option<StickyAnchor>,
    pub wheels: Vec<WheelMotion<M>>,
}

/// A vehicle under test: built from parameters, driven by commands, compared by its motion.
pub trait TestVehicle: HasMechanics + HasDrive + Sized + 'static {
    fn build(params: &MechanicalParams<Self::Tire>) -> Self;

    fn sequence() -> ComponentSequence<Self>;

    fn drive(&mut self, commands: Commands);

    fn before_step(&mut self) {}

    fn after_step(&mut self) {}

    fn body(&mut self) -> &mut RigidBodyState;

    /// What the vehicle does.
    fn motion(&self) -> Motion<Self::Tire>;

    /// The stages of all vehicles.
    fn stages() -> ComponentSequence<Self> {
        ComponentSequence::new()
            .then(Brakes)
            .then(Steering)
            .then(actuate_wheels::<Self>)
            .then(RoadGeometry)
            .substeps(
                |_| SUBSTEPS,
                |group| {
                    group
                        .then(Suspension)
                        .then(Tire)
                        .then(ConstraintRows)
                        .then(turn_wheels::<Self>)
                        .then(RigidBody)
                },
            )
            .then(WheelRotation)
    }
}

/// A car on a flat road, at the height of rest.
pub struct TestDrive<V> {
    pub vehicle: V,
    pub sequence: ComponentSequence<V>,
    simulation: SimulationParams,
    road: FlatRoad,
}

impl<V: TestVehicle> TestDrive<V> {
    pub fn new(params: &MechanicalParams<V::Tire>) -> Self {
        let CarBlueprint { frame, center_of_mass_height, .. } = balanced_car();
        let mut vehicle = V::build(params);
        let start = frame.translation(0.0, 0.0, center_of_mass_height);
        *vehicle.body() = RigidBodyState::at_rest(Pose::from_translation(start));
        let (simulation, road) = (SimulationParams::new(frame), FlatRoad::new(&frame));
        Self { vehicle, sequence: V::sequence(), simulation, road }
    }

    pub fn step(&mut self, commands: Commands) {
        TestVehicle::drive(&mut self.vehicle, commands);
        self.vehicle.before_step();
        let context = Context::new(&self.simulation, &self.road);
        let flow = self.sequence.update(&mut self.vehicle, DT, &context);
        assert_eq!(flow, Ok(Continue(())));
        self.vehicle.after_step();
    }

    pub fn run(&mut self, seconds: Real, commands: Commands) {
        for _ in 0..steps(seconds) {
            self.step(commands);
        }
    }

    /// Everything that changes, printed.
    ///
    /// Floats are printed with the digits that identify their bits, and -0 with its sign.
    pub fn printed(&mut self) -> Vec<String> {
        let Motion { body, anti_roll_torque, anchor, wheels } = self.vehicle.motion();
        let mut lines =
            vec![format!("{body:?}"), format!("{anti_roll_torque:?}"), format!("{anchor:?}")];
        lines.extend(wheels.iter().map(|motion| format!("{motion:?}")));
        lines
    }

    /// Forward speed (m/s).
    pub fn speed(&mut self) -> Real {
        let frame = self.simulation.coordinates.frame;
        self.vehicle.body().longitudinal_speed(&frame)
    }
}

pub fn steps(seconds: Real) -> usize {
    (seconds / DT).round() as usize
}

/// A car of four equal corners.
pub fn balanced_car() -> CarBlueprint {
    CarBlueprint { front_share: 0.5, ride: None, ..CarBlueprint::default() }
}

/// The balanced car, with anti-roll bars.
pub fn four_wheels() -> MechanicalParams {
    let bars = [[0, 1], [2, 3]].map(|wheels| AntiRollBarParams::new(wheels, 8_000.0));
    let mut params = balanced_car().mechanics().expect("a faultless car");
    let tire = params.tires[0];
    params.tires.fill(tire);
    MechanicalParams { anti_roll_bars: bars.to_vec(), ..params }
}

/// The corners of a balanced car, and two more of them on an axle amidships that is updated second.
pub fn six_wheels() -> MechanicalParams {
    let mut params = four_wheels();
    let forward = balanced_car().frame.longitudinal();
    params.axles = AxleDescription::new([[0, 1], [4, 5], [2, 3]]).expect("six wheels");
    params.rigid_body.mass *= 1.5;
    params.rigid_body.inertia *= 1.5;
    for wheel in [0, 1] {
        let mut mount = params.suspensions[wheel];
        let position = &mut mount.attachment.translation;
        *position -= forward * position.dot(forward);
        params.suspensions.push(mount);
        params.wheels.push(params.wheels[wheel]);
        params.compliances.push(params.compliances[wheel].clone());
        params.suspension_forces.push(params.suspension_forces[wheel]);
        params.tires.push(params.tires[wheel]);
        params.steering.wheel_multipliers.push(0.0);
        params.steering.wheel_multipliers[wheel + 2] = -0.3;
        for brake in &mut params.brakes {
            brake.wheel_multipliers.push(0.5);
        }
    }
    params.validate().expect("a faultless truck");
    params
}

/// Full throttle, a bend, an emergency stop in the bend, and a hand brake at rest.
pub fn commands_at(time: Real) -> Commands {
    let throttle = if time < 2.0 { 1.0 } else { 0.0 };
    let steer = if time < 1.0 { 0.0 } else { 0.4 * (time * 2.0).sin() };
    let foot = if 2.5 < time { 0.8 } else { 0.0 };
    let hand = if 4.0 < time { 1.0 } else { 0.0 };
    Commands { throttle, brakes: [foot, hand], steer, steering_torque: None }
}
