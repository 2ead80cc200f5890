//! Four wheels that stay in lanes through all substeps leave the bits that the stages leave.

mod common;

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use common::engine::{EngineScene, engine_params, limited_slip, tank};
use common::{COAST, DT, Drive, all_wheel_drive, seeded, steps};
use proptest::array::{uniform2, uniform3, uniform4};
use proptest::prelude::*;
use vehicle_core::axle::AxleDescription;
use vehicle_core::blueprint::CarBlueprint;
use vehicle_core::commands::Commands;
use vehicle_core::constraint_rows::RowExecution;
use vehicle_core::four_wheels::run_substeps;
use vehicle_core::frame::Frame;
use vehicle_core::lookup_table::LookupTable;
use vehicle_core::math::{Pose, Quat, Real, Vec3};
use vehicle_core::road_geometry::{FlatRoad, Plane, RoadContact, RoadProbe, RoadSurface};
use vehicle_core::suspension::{
    AntiRollAction, AntiRollBarParams, ExpansionSpeed, JounceParams, SuspensionComplianceParams,
    WheelContact,
};
use vehicle_core::tire::{StickyHold, Tire};
use vehicle_core::vehicle::{HasMechanics, MechanicalParams, MechanicalState};
use vehicle_core::{
    Component, ComponentSequence, Context, SimulationParams, WheelCoupling, WheelReaction,
};
use vehicle_drivetrain::differential::{
    DifferentialParams, LimitedSlipParams, MultiWheelDifferentialParams, TorqueSplittingParams,
};
use vehicle_drivetrain::direct_drive::{FourWheelDirectDrive, Gear};
use vehicle_drivetrain::gearbox::{GearCommand, GearboxState};
use vehicle_drivetrain::{DirectDriveParams, DirectDriveVehicle, EngineDriveVehicle};

/// A road of its own below every wheel.
#[derive(Clone, Debug)]
struct RoughRoad([Option<RoadContact>; 4]);

impl RoadSurface for RoughRoad {
    fn probe(&self, probe: &RoadProbe) -> Option<RoadContact> {
        self.0[probe.wheel]
    }
}

/// A car that is somewhere on its way.
#[derive(Clone, Debug)]
struct Journey {
    height: Real,
    attitude: Vec3,
    velocity: Vec3,
    spin: Vec3,
    wheel_speeds: [Real; 4],
    commands: Commands,
    gear: Gear,
    substeps: u32,
}

prop_compose! {
    fn roads()(
        is_there in prop::bool::weighted(0.9),
        slope in uniform2(-0.2_f32..0.2),
        offset in -0.1_f32..0.1,
        friction in 0.1_f32..1.2,
        velocity in prop_oneof![Just([0.0; 3]), uniform3(-3.0_f32..3.0)],
    ) -> Option<RoadContact> {
        let normal = Vec3::new(slope[0], 1.0, slope[1]).normalize();
        let contact = RoadContact::new(Plane { normal, offset }, friction);
        is_there.then_some(RoadContact { velocity: velocity.into(), ..contact })
    }
}

fn speeds() -> impl Strategy<Value = Real> {
    prop_oneof![Just(0.0_f32), -0.3_f32..0.3, -3.0_f32..3.0, -40.0_f32..40.0]
}

fn gears() -> impl Strategy<Value = Gear> {
    prop_oneof![Just(Gear::Forward), Just(Gear::Reverse), Just(Gear::Neutral)]
}

prop_compose! {
    fn commands()(
        throttle in prop_oneof![Just(0.0_f32), 0.0_f32..=1.0],
        brakes in uniform2(prop_oneof![Just(0.0_f32), 0.0_f32..=1.0]),
        steer in prop_oneof![Just(0.0_f32), -1.0_f32..=1.0],
    ) -> Commands {
        Commands { throttle, brakes, steer }
    }
}

prop_compose! {
    fn journeys()(
        height in 0.3_f32..0.9,
        attitude in uniform3(-0.15_f32..0.15),
        velocity in uniform3(speeds()),
        spin in uniform3(-1.0_f32..1.0),
        wheel_speeds in uniform4(speeds()),
        commands in commands(),
        gear in gears(),
        substeps in 1_u32..5,
    ) -> Journey {
        let [attitude, velocity, spin] = [attitude, velocity, spin].map(Vec3::from_array);
        Journey { height, attitude, velocity, spin, wheel_speeds, commands, gear, substeps }
    }
}

/// A car of the axes `axles`, with everything that suspensions can have.
fn car(axles: &[&[usize]], contact: WheelContact, has_curves: bool) -> DirectDriveParams {
    let mut params = all_wheel_drive(&CarBlueprint::default());
    let mechanics = &mut params.mechanics;
    mechanics.axles = AxleDescription::new(axles).expect("four wheels");
    mechanics.jounce = JounceParams { contact, ..mechanics.jounce };
    mechanics.anti_roll_bars = vec![
        AntiRollBarParams::new([0, 1], 1e4),
        AntiRollBarParams::new([3, 2], 5e3),
        AntiRollBarParams { action: AntiRollAction::Body, ..AntiRollBarParams::new([0, 3], 2e3) },
    ];
    if has_curves {
        give_curves(mechanics);
    }
    params
}

fn give_curves(mechanics: &mut MechanicalParams) {
    for (wheel, compliance) in mechanics.compliances.iter_mut().enumerate() {
        let angle = 0.01 * (wheel as Real + 1.0);
        let angles =
            |from, to| LookupTable::new([(0.0, from), (1.0, to)]).expect("an ordered curve");
        let points = [(0.1, Vec3::Y * angle), (0.9, Vec3::X * angle)];
        *compliance = SuspensionComplianceParams {
            toe: angles(angle, -angle),
            camber: angles(-angle, 2.0 * angle),
            suspension_force_point: LookupTable::new(points).expect("an ordered curve"),
            tire_force_point: LookupTable::constant(Vec3::Y * angle),
        };
    }
}

fn started(params: DirectDriveParams, journey: &Journey) -> DirectDriveVehicle {
    let mut vehicle = DirectDriveVehicle::new(params).expect("a faultless car");
    vehicle.commands = journey.commands;
    vehicle.gear = journey.gear;
    start(&mut vehicle.state.mechanics, journey);
    vehicle
}

fn start(state: &mut MechanicalState, journey: &Journey) {
    let attitude = Quat::from_scaled_axis(journey.attitude);
    state.rigid_body.pose = Pose::from_parts(Vec3::Y * journey.height, attitude);
    state.rigid_body.linear_velocity = journey.velocity;
    state.rigid_body.angular_velocity = journey.spin;
    state.rigid_body.external_force = Vec3::X * 100.0;
    state.rigid_body.external_torque = Vec3::Z * 50.0;
    for (wheel, &speed) in state.wheels.iter_mut().zip(&journey.wheel_speeds) {
        wheel.rotation_speed = speed / 0.33;
    }
}

/// A differential of each kind.
fn differentials() -> impl Strategy<Value = DifferentialParams> {
    let slip = LimitedSlipParams { bias: 1.3, target: 1.1 };
    let splitting = TorqueSplittingParams {
        driven: Default::default(),
        front: [0, 1],
        rear: [2, 3],
        front_share: 0.4,
        first_front_share: 0.5,
        first_rear_share: 0.5,
        center_bias: 1.3,
        front_bias: 1.2,
        rear_bias: 1.5,
    };
    let rear = MultiWheelDifferentialParams::equal(4, &[2, 3]);
    prop_oneof![
        Just(DifferentialParams::MultiWheel(rear)),
        Just(limited_slip(slip)),
        Just(limited_slip(LimitedSlipParams::LOCKED)),
        Just(DifferentialParams::TorqueSplitting(splitting)),
        Just(tank()),
    ]
}

/// Two vehicles, step by step: one with its wheels in lanes, one by its stages.
struct Twins<V> {
    sequences: [ComponentSequence<V>; 2],
    vehicles: [V; 2],
}

impl<V: Clone> Twins<V> {
    fn new(sequence: ComponentSequence<V>, vehicle: V) -> Self {
        let sequences = [sequence.clone(), sequence.component_by_component()];
        Self { sequences, vehicles: [vehicle.clone(), vehicle] }
    }

    fn step(&mut self, simulation: &SimulationParams, road: &dyn RoadSurface) {
        let context = Context::new(simulation, road);
        for (sequence, vehicle) in self.sequences.iter().zip(&mut self.vehicles) {
            let _completed = sequence.update(vehicle, DT, &context).expect("a good time step");
        }
    }
}

const CAR: [&[usize]; 2] = [&[0, 1], &[2, 3]];
/// Wheels in another order than that of their numbers, on axles of one and of two.
const CARS: [[&[usize]; 2]; 2] = [CAR, [&[2, 0], &[3, 1]]];

proptest! {
    #![proptest_config(seeded(4_000))]

    #[test]
    fn any_journey_goes_on_with_the_same_bits(
        journey in journeys(),
        roads in uniform4(roads()),
        [is_reordered, is_cylinder, has_curves, is_damped, is_round, is_gyroscopic]
            in any::<[bool; 6]>(),
        lost_wheel in prop_oneof![9 => Just(None), 1 => (0_usize..4).prop_map(Some)],
    ) {
        let contact = if is_cylinder { WheelContact::Cylinder } else { WheelContact::Ray };
        let mut params = car(&CARS[usize::from(is_reordered)], contact, has_curves);
        for wheel in params.mechanics.wheels.iter_mut().filter(|_| is_round) {
            wheel.shoulder_radius = 0.5 * wheel.half_width;
        }
        let mut simulation = SimulationParams::new(Frame::Y_UP);
        if let Some(sticky) = simulation.tire_sticky.as_mut().filter(|_| is_damped) {
            sticky.hold = StickyHold::Damper;
        }
        if is_gyroscopic {
            simulation.wheel_reaction = WheelReaction::Gyroscopic;
        }
        let substeps = journey.substeps;
        let sequence = DirectDriveVehicle::sequence_with_substeps(move |_| substeps);
        let mut vehicle = started(params, &journey);
        if let Some(wheel) = lost_wheel {
            vehicle.state.mechanics.detach_wheel(wheel).expect("there is such a wheel");
        }
        let mut twins = Twins::new(sequence, vehicle);
        for step in 0..5 {
            twins.step(&simulation, &RoughRoad(roads));
            let [lanes, stages] = &twins.vehicles;
            prop_assert_eq!(&lanes.state, &stages.state, "step {}", step);
        }
    }
}

proptest! {
    #![proptest_config(seeded(2_000))]

    #[test]
    fn engines_drive_any_journey_with_the_same_bits(
        journey in journeys(),
        roads in uniform4(roads()),
        differential in differentials(),
        gear in 0_usize..7,
        engine_speed in 0_u8..10,
        clutch in prop_oneof![Just(0.0_f32), 0.0_f32..=1.0],
        thrusts in uniform2(-1.0_f32..=1.0),
    ) {
        let mut vehicle = EngineDriveVehicle::new(engine_params(differential)).expect("a car");
        vehicle.commands = journey.commands;
        vehicle.transmission.gear = GearCommand::Gear(gear);
        (vehicle.transmission.clutch, vehicle.transmission.thrusts) = (clutch, thrusts);
        let drivetrain = &mut vehicle.state.drivetrain;
        drivetrain.gearbox = GearboxState::in_gear(gear.min(3));
        drivetrain.engine.rotation_speed = 60.0 * Real::from(engine_speed);
        start(&mut vehicle.state.mechanics, &journey);
        let substeps = journey.substeps;
        let sequence = EngineDriveVehicle::sequence_with_substeps(move |_| substeps);
        let mut twins = Twins::new(sequence, vehicle);
        let simulation = SimulationParams::new(Frame::Y_UP);
        for step in 0..5 {
            twins.step(&simulation, &RoughRoad(roads));
            let [lanes, stages] = &twins.vehicles;
            prop_assert_eq!(&lanes.state, &stages.state, "step {}", step);
        }
    }
}

/// What the driver does `time` (s) after the start: everything, one after the other.
fn commands_at(time: Real) -> Commands {
    let throttle = if time < 6.0 { 0.8 } else { 0.0 };
    let brake = if 8.0 < time { 0.7 } else { 0.0 };
    Commands { throttle, brakes: [brake, 0.0], steer: 0.1 * (2.0 * time).sin() }
}

#[test]
fn a_drive_from_standstill_to_standstill_has_the_same_bits() {
    let road = FlatRoad::new(&Frame::Y_UP);
    let params = car(&CAR, WheelContact::Ray, true);
    let drive = Drive::with_params(&CarBlueprint::default(), params, road);
    let mut twins = Twins::new(DirectDriveVehicle::sequence(), drive.vehicle);
    let mut top_speed: Real = 0.0;
    for step in 0..steps(16.0) {
        for vehicle in &mut twins.vehicles {
            vehicle.commands = commands_at(step as Real * DT);
        }
        twins.step(&drive.simulation, &road);
        let [lanes, stages] = &twins.vehicles;
        assert_eq!(lanes.state, stages.state, "step {step}");
        let velocity = lanes.state.mechanics.rigid_body.linear_velocity;
        top_speed = top_speed.max(velocity.length());
    }
    assert!(10.0 < top_speed, "{top_speed} m/s");
    let is_held = twins.vehicles[0].state.mechanics.anchor.is_some();
    assert!(is_held, "parked at the end: {:?}", twins.vehicles[0].state);
}

/// A car with one wheel in front and two behind.
fn three_wheeler() -> DirectDriveParams {
    let mut params = all_wheel_drive(&CarBlueprint::default());
    let mechanics = &mut params.mechanics;
    mechanics.axles = AxleDescription::new([vec![2], vec![0, 1]]).expect("three wheels");
    mechanics.ackermann.clear();
    mechanics.anti_roll_bars.clear();
    mechanics.wheels.truncate(3);
    mechanics.suspensions.truncate(3);
    mechanics.compliances.truncate(3);
    mechanics.suspension_forces.truncate(3);
    mechanics.tires.truncate(3);
    let responses = mechanics.brakes.iter_mut().chain([&mut mechanics.steering]);
    for response in responses.chain([&mut params.throttle]) {
        response.wheel_multipliers.truncate(3);
    }
    params
}

#[test]
fn three_wheels_leave_a_lane_empty() {
    let road = FlatRoad::new(&Frame::Y_UP);
    let drive = Drive::with_params(&CarBlueprint::default(), three_wheeler(), road);
    let mut twins = Twins::new(DirectDriveVehicle::sequence(), drive.vehicle);
    for step in 0..steps(4.0) {
        for vehicle in &mut twins.vehicles {
            vehicle.commands = commands_at(step as Real * DT);
        }
        twins.step(&drive.simulation, &road);
        let [lanes, stages] = &twins.vehicles;
        assert_eq!(lanes.state, stages.state, "step {step}");
    }
    assert!(is_driven_in_lanes(three_wheeler(), &drive.simulation));
}

#[test]
fn a_drive_with_an_engine_has_the_same_bits() {
    let scene = EngineScene::at_rest(limited_slip(LimitedSlipParams { bias: 1.3, target: 1.1 }));
    let mut twins = Twins::new(EngineDriveVehicle::sequence(), scene.vehicle);
    for step in 0..steps(16.0) {
        for vehicle in &mut twins.vehicles {
            vehicle.commands = commands_at(step as Real * DT);
        }
        twins.step(&scene.simulation, &scene.road);
        let [lanes, stages] = &twins.vehicles;
        assert_eq!(lanes.state, stages.state, "step {step}");
    }
    let is_held = twins.vehicles[0].state.mechanics.anchor.is_some();
    assert!(is_held, "parked at the end: {:?}", twins.vehicles[0].state);
}

/// Whether the wheels of a car are driven in lanes.
fn is_driven_in_lanes(params: DirectDriveParams, simulation: &SimulationParams) -> bool {
    let wheel_count = params.mechanics.axles.wheel_count();
    let mut vehicle = DirectDriveVehicle::new(params).expect("a faultless car");
    let road = FlatRoad::new(&Frame::Y_UP);
    let mut drive = FourWheelDirectDrive(&[0.0; 6][..wheel_count]);
    let context = Context::new(simulation, &road);
    run_substeps(vehicle.mechanics(), &mut drive, 1, DT, &context)
}

#[test]
fn usual_cars_are_driven_in_lanes() {
    let implicit = SimulationParams::new(Frame::Y_UP);
    let explicit = SimulationParams { wheel_coupling: WheelCoupling::Explicit, ..implicit };
    let usual = || car(&CAR, WheelContact::Cylinder, true);
    assert!(is_driven_in_lanes(usual(), &implicit));
    assert!(!is_driven_in_lanes(usual(), &explicit));
    let hosted = SimulationParams { row_execution: RowExecution::Host, ..implicit };
    assert!(!is_driven_in_lanes(usual(), &hosted));
    let mut slow = usual();
    slow.mechanics.jounce.expansion = ExpansionSpeed::Limited;
    assert!(!is_driven_in_lanes(slow, &implicit));
}

#[test]
fn a_stage_of_the_users_own_runs_in_every_substep() {
    let road = FlatRoad::new(&Frame::Y_UP);
    let blueprint = CarBlueprint::default();
    let mut drive = Drive::with_params(&blueprint, all_wheel_drive(&blueprint), road);
    let count = Arc::new(AtomicU32::new(0));
    let counter = Arc::clone(&count);
    let counting = move |vehicle: &mut DirectDriveVehicle, dt: Real, context: &Context<'_>| {
        counter.fetch_add(1, Ordering::Relaxed);
        Tire.update(vehicle, dt, context)
    };
    drive.sequence = drive.sequence.replace::<Tire>(counting).expect("a tire stage");
    drive.run(1.0, COAST);
    assert_eq!(count.load(Ordering::Relaxed), 3 * steps(1.0) as u32);
}
