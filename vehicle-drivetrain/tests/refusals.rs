//! What is refused, by what name, and that nothing has changed then.

mod common;

use std::sync::Arc;

use common::engine::{EngineScene, engine_params, limited_slip};
use common::{COAST, DT, Drive, all_wheel_drive};
use vehicle_core::blueprint::CarBlueprint;
use vehicle_core::commands::Commands;
use vehicle_core::constraint_rows::VehicleRows;
use vehicle_core::frame::{Axis, Frame};
use vehicle_core::math::{Real, Vec3};
use vehicle_core::road_geometry::FlatRoad;
use vehicle_core::sequence::UpdateError;
use vehicle_core::steering::SteeringSystemParams;
use vehicle_core::{Context, SimulationParams, WheelList};
use vehicle_drivetrain::autobox::AutoboxParams;
use vehicle_drivetrain::differential::LimitedSlipParams;
use vehicle_drivetrain::direct_drive_vehicle::DirectDriveState;
use vehicle_drivetrain::gearbox::{GearCommand, GearboxState};
use vehicle_drivetrain::shift_law::ShiftLaw;
use vehicle_drivetrain::{
    DirectDriveParams, DirectDriveVehicle, EngineDriveParams, EngineDriveVehicle,
};

/// A car on its way.
fn driving_car() -> Drive<FlatRoad> {
    let blueprint = CarBlueprint::default();
    let road = FlatRoad::new(&blueprint.frame);
    let mut drive = Drive::with_params(&blueprint, all_wheel_drive(&blueprint), road);
    drive.run(0.5, Commands { throttle: 0.5, ..COAST });
    drive
}

/// A change to the parameters and the message that it brings.
type Fault = (fn(&mut DirectDriveParams), &'static str);

const FAULTS: [Fault; 8] = [
    (
        |params| params.mechanics.wheels[2].radius = Real::NAN,
        "mechanics.wheels[2].radius must be positive and finite, got NaN",
    ),
    (
        |params| params.mechanics.rigid_body.mass = -1.0,
        "mechanics.rigid_body.mass must be positive and finite, got -1",
    ),
    (
        |params| params.mechanics.suspension_forces[1].damping = -2.0,
        "mechanics.suspension_forces[1].damping must be finite and not negative, got -2",
    ),
    (
        |params| params.mechanics.suspensions[3].travel_direction = Vec3::ZERO,
        "mechanics.suspensions[3].travel_direction must be a unit vector, got [0, 0, 0]",
    ),
    (
        |params| params.mechanics.tires[0].rest_load = 0.0,
        "mechanics.tires[0].rest_load must be positive and finite, got 0",
    ),
    (
        |params| params.mechanics.tires.truncate(3),
        "mechanics.tires must be of 4 elements, one per wheel, got 3",
    ),
    (
        |params| params.mechanics.brakes[1].max_response = Real::INFINITY,
        "mechanics.brakes[1].max_response must be finite and not negative, got inf",
    ),
    (
        |params| params.throttle.wheel_multipliers.push(1.0),
        "throttle.wheel_multipliers must be of 4 elements, one per wheel, got 5",
    ),
];

/// Changes a steering system that has no fault.
fn steer_by(params: &mut DirectDriveParams, change: impl FnOnce(&mut SteeringSystemParams)) {
    let mut system = SteeringSystemParams::car(0, 1);
    change(&mut system);
    params.mechanics.steering_system = Some(system);
}

/// Steering systems that no vehicle, or not this one, can have.
const STEERING: [Fault; 9] = [
    (
        |params| steer_by(params, |system| system.axes[1].wheel = 4),
        "mechanics.steering_system.axes[1].wheel must be a wheel below 4, got 4",
    ),
    (
        |params| steer_by(params, |system| system.axes[1].wheel = 0),
        "mechanics.steering_system.axes[1].wheel must be a wheel that has no axis yet, got 0",
    ),
    (
        |params| steer_by(params, |system| system.axes[0].caster = 1.5),
        "mechanics.steering_system.axes[0].caster must be within [-1.2, 1.2], got 1.5",
    ),
    (
        |params| steer_by(params, |system| system.axes[0].mechanical_trail = Real::NAN),
        "mechanics.steering_system.axes[0].mechanical_trail must be within [-100000, 100000], got NaN",
    ),
    (
        |params| steer_by(params, |system| system.ratio = 0.0),
        "mechanics.steering_system.ratio must be within [0.01, 1000], got 0",
    ),
    (
        |params| steer_by(params, |system| system.inertia = 1e-9),
        "mechanics.steering_system.inertia must be at least 0.000001, got 0.000000001",
    ),
    (
        |params| steer_by(params, |system| system.friction = -1.0),
        "mechanics.steering_system.friction must be finite and not negative, got -1",
    ),
    (
        |params| steer_by(params, |system| system.contact_twist = 0.0),
        "mechanics.steering_system.contact_twist must be within [0.001, 1], got 0",
    ),
    (
        |params| {
            params.mechanics.steering.max_response = 0.0;
            steer_by(params, |_| {});
        },
        "mechanics.steering_system.ratio must be used with a steering.max_response other than 0, got 16",
    ),
];

/// Numbers that would do by themselves, but not in this vehicle, or not in any.
const UNUSABLE: [Fault; 6] = [
    (
        |params| params.mechanics.rigid_body.inertia = Vec3::new(1e3, 1e6, 1e3),
        "mechanics.rigid_body.inertia.y must be at most 6000, 3 times the sum of the other two moments, \
         got 1000000",
    ),
    (
        |params| params.mechanics.suspension_forces[0].sprung_mass = 15_000.0,
        "mechanics.suspension_forces[..].sprung_mass must be at most 6000 in sum, 4 times \
         rigid_body.mass, got 16087.5",
    ),
    (
        |params| params.mechanics.suspension_forces[2].stiffness = 1e12,
        "mechanics.suspension_forces[2].stiffness must be at most 15000000000, 1e7 times \
         rigid_body.mass, got 1000000000000",
    ),
    (
        |params| params.mechanics.tires[2].rest_load = 1e-6,
        "mechanics.tires[2].rest_load must be at least 0.001, got 0.000001",
    ),
    (
        |params| params.mechanics.tires[3].lateral_stiffness = 1e20,
        "mechanics.tires[3].lateral_stiffness must be within [1e-12, 1e12], got 100000000000000000000",
    ),
    (
        |params| params.throttle.wheel_multipliers[2] = 1e8,
        "throttle.max_response · wheel_multipliers[2] must be of a size of at most 1200000000, 1e9 \
         times inertia, got 40000000000",
    ),
];

#[test]
fn faulty_params_make_no_vehicle_and_are_named() {
    for (spoil, message) in FAULTS.into_iter().chain(UNUSABLE).chain(STEERING) {
        let mut faulty = all_wheel_drive(&CarBlueprint::default());
        spoil(&mut faulty);
        assert_eq!(DirectDriveVehicle::new(faulty).unwrap_err().to_string(), message);
    }
}

#[test]
fn several_faults_are_reported_at_once() {
    let mut faulty = all_wheel_drive(&CarBlueprint::default());
    for (spoil, _) in &FAULTS {
        spoil(&mut faulty);
    }
    let errors = DirectDriveVehicle::new(faulty).unwrap_err();
    let mut reported: Vec<_> = errors.errors().iter().map(ToString::to_string).collect();
    let mut expected = FAULTS.map(|(_, message)| message.to_owned());
    reported.sort();
    expected.sort();
    assert_eq!(reported, expected);
}

#[test]
fn faulty_params_leave_the_old_ones() {
    let mut drive = driving_car();
    let (old, state) = (Arc::clone(drive.vehicle.params()), drive.printed());
    for (spoil, message) in FAULTS.into_iter().chain(UNUSABLE).chain(STEERING) {
        let mut faulty = all_wheel_drive(&CarBlueprint::default());
        spoil(&mut faulty);
        assert_eq!(drive.vehicle.set_params(faulty).unwrap_err().to_string(), message);
        assert!(Arc::ptr_eq(drive.vehicle.params(), &old), "{message}: other params");
    }
    assert_eq!(drive.printed(), state);
}

/// Asserts that a checked step of `drive` is refused with `message`, and changes nothing.
#[track_caller]
fn assert_refused(drive: &mut Drive<FlatRoad>, dt: Real, message: &str) -> UpdateError {
    let before = drive.printed();
    let context = Context::new(&drive.simulation, &drive.road);
    let outcome = drive.sequence.update_checked(&mut drive.vehicle, dt, &context);
    let error = outcome.expect_err(message);
    assert_eq!(error.to_string(), message);
    assert_eq!(drive.printed(), before, "{message}");
    error
}

#[test]
fn a_refused_time_step_changes_nothing() {
    let mut drive = driving_car();
    for dt in [0.0, -DT, Real::NAN, Real::INFINITY] {
        let message = format!("dt must be positive and finite, got {dt}");
        let before = drive.printed();
        let context = Context::new(&drive.simulation, &drive.road);
        let error = drive.sequence.update(&mut drive.vehicle, dt, &context).unwrap_err();
        assert_eq!(error.to_string(), message);
        assert_eq!(drive.printed(), before, "after dt = {dt}");
        assert_refused(&mut drive, dt, &message);
    }
}

#[test]
fn bad_commands_are_named() {
    let cases: [(Commands, &str); 4] = [
        (
            Commands { throttle: Real::NAN, ..COAST },
            "commands.throttle must be within [0, 1], got NaN",
        ),
        (
            Commands { brakes: [0.0, -0.1], ..COAST },
            "commands.brakes[1] must be within [0, 1], got -0.1",
        ),
        (
            Commands { steer: Real::INFINITY, ..COAST },
            "commands.steer must be within [-1, 1], got inf",
        ),
        (
            Commands { throttle: 1.5, brakes: [0.0; 2], steer: -2.0, steering_torque: None },
            "commands.throttle must be within [0, 1], got 1.5; \
             commands.steer must be within [-1, 1], got -2",
        ),
    ];
    for (commands, message) in cases {
        let mut drive = driving_car();
        drive.vehicle.commands = commands;
        assert_refused(&mut drive, DT, message);
    }
}

/// A change to the length of a list, and the list's name.
type Resize = (fn(&mut DirectDriveState), &'static str);

const RESIZES: [Resize; 10] = [
    (|state| state.drive.torques = WheelList::new(3), "drive.torques"),
    (|state| state.mechanics.brake_torques = WheelList::new(3), "mechanics.brake_torques"),
    (|state| state.mechanics.steer_angles = WheelList::new(3), "mechanics.steer_angles"),
    (|state| state.mechanics.actuations = WheelList::new(3), "mechanics.actuations"),
    (|state| state.mechanics.roads = WheelList::new(3), "mechanics.roads"),
    (|state| state.mechanics.suspensions = WheelList::new(3), "mechanics.suspensions"),
    (|state| state.mechanics.tires = WheelList::new(3), "mechanics.tires"),
    (|state| state.mechanics.tire_models.truncate(3), "mechanics.tire_models"),
    (|state| state.mechanics.rows = VehicleRows::none(3), "mechanics.rows"),
    (|state| state.mechanics.wheels = WheelList::new(3), "mechanics.wheels"),
];

#[test]
fn lists_of_the_state_that_miss_a_wheel_are_named() {
    for (resize, name) in RESIZES {
        let mut drive = driving_car();
        resize(&mut drive.vehicle.state);
        let message = format!("state.{name} must be of 4 elements, one per wheel, got 3");
        assert_refused(&mut drive, DT, &message);
    }
}

#[test]
fn lists_of_the_state_that_have_too_many_wheels_are_named() {
    let mut drive = driving_car();
    drive.vehicle.state.mechanics.wheels = WheelList::new(5);
    let message = "state.mechanics.wheels must be of 4 elements, one per wheel, got 5";
    assert_refused(&mut drive, DT, message);
}

/// A change to the simulation, and the message that it brings.
type SimulationFault = (fn(&mut SimulationParams), &'static str);

#[test]
fn faults_of_the_simulation_are_named() {
    let faults: [SimulationFault; 3] = [
        (|params| params.gravity.y = Real::NAN, "gravity must be finite, got [-0, NaN, -0]"),
        (
            |params| params.coordinates.length_scale = 0.0,
            "coordinates.length_scale must be positive and finite, got 0",
        ),
        (
            |params| params.tire_slip.min_lateral_denominator = -1.0,
            "tire_slip.min_lateral_denominator must be positive and finite, got -1",
        ),
    ];
    for (spoil, message) in faults {
        let mut drive = driving_car();
        spoil(&mut drive.simulation);
        assert_refused(&mut drive, DT, &format!("simulation.{message}"));
    }
}

/// A change to the state of a vehicle, and the number that is not finite then.
type Spoiling = (fn(&mut DirectDriveState), &'static str);

#[test]
fn a_state_that_is_not_finite_before_the_step_blames_no_stage() {
    let spoils: [Spoiling; 4] = [
        (
            |state| state.mechanics.rigid_body.linear_velocity.x = Real::NAN,
            "mechanics.rigid_body.linear_velocity[0] is NaN",
        ),
        (
            |state| state.mechanics.wheels.edit(3, |it| it.rotation_speed = Real::INFINITY),
            "mechanics.wheels[3].rotation_speed is inf",
        ),
        (
            |state| {
                state.mechanics.suspensions.edit(0, |it| it.compression.jounce = Some(Real::NAN));
            },
            "mechanics.suspensions[0].compression.jounce is NaN",
        ),
        (
            |state| state.mechanics.rigid_body.external_force.z = Real::NEG_INFINITY,
            "mechanics.rigid_body.external_force[2] is -inf",
        ),
    ];
    for (spoil, place) in spoils {
        let mut drive = driving_car();
        spoil(&mut drive.vehicle.state);
        let message = format!("the vehicle's state is not finite before the step: {place}");
        let expected = UpdateError::NotFinite(Some(place.to_owned()));
        assert_eq!(assert_refused(&mut drive, DT, &message), expected);
    }
}

#[test]
fn a_checked_step_has_the_bits_of_an_unchecked_one() {
    let (mut checked, mut unchecked) = (driving_car(), driving_car());
    for _ in 0..60 {
        unchecked.step(COAST);
        checked.checked_step(COAST);
        assert_eq!(checked.printed(), unchecked.printed());
    }
}

const SLIP: LimitedSlipParams = LimitedSlipParams { bias: 1.3, target: 1.2 };

/// A car with an engine on its way.
fn driving_engine_car() -> EngineScene {
    let mut scene = EngineScene::at_rest(limited_slip(SLIP));
    scene.run(0.5, Commands { throttle: 0.5, ..COAST });
    scene
}

/// A change to a vehicle with an engine, and the message that it brings.
type EngineFault = (fn(&mut EngineDriveVehicle), &'static str);

/// Asserts that each of `faults` is refused by a checked step with its message, and nothing
/// changes.
#[track_caller]
fn assert_engine_faults_refused(faults: &[EngineFault]) {
    for (spoil, message) in faults {
        let mut scene = driving_engine_car();
        spoil(&mut scene.vehicle);
        let before = scene.printed();
        let context = Context::new(&scene.simulation, &scene.road);
        let outcome = scene.sequence.update_checked(&mut scene.vehicle, DT, &context);
        assert_eq!(outcome.expect_err(message).to_string(), *message);
        assert_eq!(scene.printed(), before, "{message}");
    }
}

#[test]
fn bad_commands_of_a_transmission_are_named() {
    assert_engine_faults_refused(&[
        (|car| car.controls.clutch = Real::NAN, "controls.clutch must be within [0, 1], got NaN"),
        (
            |car| car.controls.thrusts[1] = -1.5,
            "controls.thrusts[1] must be within [-1, 1], got -1.5",
        ),
        (
            |car| car.controls.track_brakes = [1.5, Real::NAN],
            "controls.track_brakes[0] must be within [0, 1], got 1.5; \
             controls.track_brakes[1] must be within [0, 1], got NaN",
        ),
        (
            |car| {
                car.commands.throttle = 2.0;
                car.controls.clutch = -1.0;
            },
            "commands.throttle must be within [0, 1], got 2; \
             controls.clutch must be within [0, 1], got -1",
        ),
    ]);
}

#[test]
fn gears_that_no_gearbox_has_or_chooses_are_named() {
    assert_engine_faults_refused(&[
        (
            |car| car.controls.gear = GearCommand::Gear(99),
            "controls.gear must be a gear below 8, got 99",
        ),
        (
            |car| {
                let mut params = EngineDriveParams::clone(car.params());
                params.drivetrain.autobox = None;
                car.set_params(params).expect("a gearbox without an automatic");
            },
            "controls.gear must be a gear below 8, as there is no automatic gearbox, got Automatic",
        ),
    ]);
}

#[test]
fn a_vehicle_without_an_automatic_gearbox_begins_in_neutral() {
    let mut params = engine_params(limited_slip(SLIP));
    params.drivetrain.autobox = None;
    let neutral = params.drivetrain.gearbox.neutral;
    let mut scene = EngineScene::at_rest(limited_slip(SLIP));
    scene.vehicle = EngineDriveVehicle::new(params).expect("faultless params");
    assert_eq!(scene.vehicle.controls.gear, GearCommand::Gear(neutral));
    scene.checked_step();
}

#[test]
fn suspensions_that_lead_up_are_named() {
    let mut drive = driving_car();
    let mut params = DirectDriveParams::clone(drive.vehicle.params());
    params.mechanics.suspensions[1].travel_direction *= -1.0;
    drive.vehicle.set_params(params).expect("the axes are the simulation's");
    let message = "params.mechanics.suspensions[1].travel_direction must be downward, away from \
                   [0, 1, 0], got [0, 1, 0]";
    assert_refused(&mut drive, DT, message);
    // A car for other axes than those of the simulation.
    let mut drive = driving_car();
    drive.simulation = SimulationParams::new(Frame::Z_UP);
    let context = Context::new(&drive.simulation, &drive.road);
    let outcome = drive.sequence.update_checked(&mut drive.vehicle, DT, &context);
    let error = outcome.expect_err("other axes").to_string();
    assert_eq!(error.matches("must be downward, away from [0, 0, 1]").count(), 4, "{error}");
    assert_eq!(error.matches("must have the same `Frame`").count(), 1, "{error}");
    // One of which only up is the same: forward is another.
    let mut drive = driving_car();
    let sideways = Frame::new(Axis::PosX, Axis::NegZ, Axis::PosY).expect("right-handed");
    drive.simulation = SimulationParams::new(sideways);
    let context = Context::new(&drive.simulation, &drive.road);
    let outcome = drive.sequence.update_checked(&mut drive.vehicle, DT, &context);
    let error = outcome.expect_err("other axes").to_string();
    assert!(error.contains("axles[..] must be across the vehicle, along [0, 0, -1]"), "{error}");
    assert!(error.contains("`CarBlueprint::frame`") && error.contains("`params`"), "{error}");
}

#[test]
fn a_gearbox_in_which_gears_have_other_numbers_is_refused() {
    let mut scene = driving_engine_car();
    let mut params = EngineDriveParams::clone(scene.vehicle.params());
    let gearbox = &mut params.drivetrain.gearbox;
    gearbox.neutral += 1;
    gearbox.ratios.insert(0, -2.0);
    if let Some(ShiftLaw::EngineSpeed(autobox)) = &mut params.drivetrain.autobox {
        autobox.up_ratios.push(0.75);
        autobox.down_ratios.push(0.4);
    }
    let state = scene.printed();
    assert_eq!(
        scene.vehicle.set_params(params).unwrap_err().to_string(),
        "drivetrain.gearbox.neutral must be 1, as before: gears are counted from the first, got 2"
    );
    assert_eq!(scene.printed(), state);
}

#[test]
fn gears_that_do_not_exist_are_named() {
    assert_engine_faults_refused(&[
        (
            |car| car.state.drive.gearbox.current = 8,
            "state.drive.gearbox.current must be a gear below 8, got 8",
        ),
        (
            |car| car.state.drive.gearbox.target = 99,
            "state.drive.gearbox.target must be a gear below 8, got 99",
        ),
    ]);
}

#[test]
fn lists_of_a_drivetrain_that_miss_a_wheel_are_named() {
    assert_engine_faults_refused(&[
        (
            |car| car.state.drive.shares = WheelList::new(3),
            "state.drive.shares must be of 4 elements, one per wheel, got 3",
        ),
        (
            |car| car.state.drive.constraints.truncate(2),
            "state.drive.constraints must be of 4 elements, one per wheel, got 2",
        ),
        (
            |car| car.state.drive.drive_torques = WheelList::new(5),
            "state.drive.drive_torques must be of 4 elements, one per wheel, got 5",
        ),
        (
            |car| car.state.mechanics.wheels = WheelList::new(3),
            "state.mechanics.wheels must be of 4 elements, one per wheel, got 3",
        ),
    ]);
}

#[test]
fn a_drivetrain_that_is_not_finite_before_the_step_blames_no_stage() {
    assert_engine_faults_refused(&[
        (
            |car| car.state.drive.engine.rotation_speed = Real::NAN,
            "the vehicle's state is not finite before the step: drive.engine.rotation_speed is NaN",
        ),
        (
            |car| {
                car.state.drive.engine.rotation_speed = Real::NAN;
                car.state.drive.gearbox = GearboxState::in_gear(1);
            },
            "the vehicle's state is not finite before the step: drive.engine.rotation_speed is NaN",
        ),
        (
            |car| car.state.drive.autobox.time_since_shift = Some(Real::INFINITY),
            "the vehicle's state is not finite before the step: drive.autobox.time_since_shift is inf",
        ),
        (
            |car| car.state.mechanics.wheels.edit(1, |it| it.rotation_speed = Real::NAN),
            "the vehicle's state is not finite before the step: mechanics.wheels[1].rotation_speed is NaN",
        ),
    ]);
}

/// A change to the parameters of a vehicle with an engine, and the message that it brings.
type EngineParamFault = (fn(&mut EngineDriveParams), &'static str);

#[test]
fn faulty_drivetrains_make_no_vehicle_and_leave_the_old_one() {
    let faults: [EngineParamFault; 7] = [
        (
            |params| {
                let hasty = AutoboxParams { latency: 0.05, ..AutoboxParams::default() };
                params.drivetrain.autobox = Some(ShiftLaw::EngineSpeed(hasty));
            },
            "drivetrain.autobox.latency must be at least gearbox.switch_time = 0.1, got 0.05",
        ),
        (
            |params| params.drivetrain.gearbox.ratios[4] = 2.5,
            "drivetrain.gearbox.ratios[4] must be below 2.02, the ratio of the gear before, got 2.5",
        ),
        (
            |params| {
                params.drivetrain.gearbox.neutral = 2;
                params.drivetrain.gearbox.ratios = vec![-3.4, -2.0, 0.0, 3.6, 2.0, 1.0, 0.8];
            },
            "drivetrain.gearbox.ratios[0] must be above -2, the ratio of the gear after, got -3.4",
        ),
        (
            |params| params.drivetrain.engine.inertia = 0.0,
            "drivetrain.engine.inertia must be positive and finite, got 0",
        ),
        (
            |params| params.drivetrain.clutch.max_strength = Real::NAN,
            "drivetrain.clutch.max_strength must be finite and not negative, got NaN",
        ),
        (
            |params| params.drivetrain.gearbox.final_ratio = -4.0,
            "drivetrain.gearbox.final_ratio must be positive and finite, got -4",
        ),
        (
            |params| params.mechanics.tires.truncate(3),
            "mechanics.tires must be of 4 elements, one per wheel, got 3",
        ),
    ];
    let mut scene = driving_engine_car();
    let (old, state) = (Arc::clone(scene.vehicle.params()), scene.printed());
    for (spoil, message) in faults {
        let mut faulty = engine_params(limited_slip(SLIP));
        spoil(&mut faulty);
        assert_eq!(EngineDriveVehicle::new(faulty.clone()).unwrap_err().to_string(), message);
        assert_eq!(scene.vehicle.set_params(faulty).unwrap_err().to_string(), message);
        assert!(Arc::ptr_eq(scene.vehicle.params(), &old), "{message}: other params");
    }
    assert_eq!(scene.printed(), state);
}
