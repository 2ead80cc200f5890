//! A million random inputs: nothing panics, and what is not refused by name ends in finite motion,
//! or with the last good state.
//!
//! Numbers are any bits, NaN, infinities, the ends of all ranges, any magnitude, and such as cars
//! have. They are drawn from a fixed seed.

#[path = "../common/mod.rs"]
mod common;
mod engine;
mod extremes;
mod tree;

use std::sync::LazyLock;

use common::{DT, Drive, all_wheel_drive, seeded};
use proptest::array::{uniform2, uniform3};
use proptest::prelude::*;
use tree::{Tree, changes, floats};
use vehicle_core::actuation::WheelActuation;
use vehicle_core::aerodynamics::DownforceParams;
use vehicle_core::blueprint::CarBlueprint;
use vehicle_core::commands::{Commands, ResponseRow, ResponseTable};
use vehicle_core::error::ParamCheck;
use vehicle_core::frame::Frame;
use vehicle_core::legacy::{LegacySuspensionForceParams, wheel_rotation_speed};
use vehicle_core::lookup_table::LookupTable;
use vehicle_core::math::{Real, Vec3};
use vehicle_core::road_geometry::{FlatRoad, Plane, RoadContact, RoadProbe, RoadSurface};
use vehicle_core::sequence::{Recoverable, UpdateError};
use vehicle_core::suspension::{AntiRollBarParams, ContactShape, JounceParams};
use vehicle_core::tire::StickyHold;
use vehicle_core::wheel::WheelParams;
use vehicle_core::wheel_rotation::{TireTorque, WheelTorques, coupled_wheel};
use vehicle_core::{Context, ParamErrors, SimulationParams, Validate, WheelCoupling};
use vehicle_drivetrain::direct_drive::Gear;
use vehicle_drivetrain::direct_drive_vehicle::DirectDriveState;
use vehicle_drivetrain::{DirectDriveParams, DirectDriveVehicle};

/// Steps that are tried after a change.
const STEPS: usize = 2;

/// A car with every kind of part.
static CAR: LazyLock<DirectDriveParams> = LazyLock::new(|| {
    let row = |command, points: &[(Real, Real)]| {
        let response = LookupTable::new(points).expect("an ordered curve");
        ResponseRow { command, response }
    };
    let rows = [row(0.1, &[(0.0, 0.0)]), row(1.0, &[(-10.0, 0.5), (50.0, 1.0)])];
    let table = Some(ResponseTable::new(rows).expect("an ordered table"));
    let mut params = all_wheel_drive(&CarBlueprint::default());
    let mechanics = &mut params.mechanics;
    for response in mechanics.brakes.iter_mut().chain([&mut mechanics.steering]) {
        response.table.clone_from(&table);
    }
    for compliance in &mut mechanics.compliances {
        compliance.toe = LookupTable::new([(0.0, 0.01), (1.0, -0.01)]).expect("an ordered curve");
        compliance.camber =
            LookupTable::new([(0.0, 0.02), (0.9, -0.02)]).expect("an ordered curve");
        let point = LookupTable::constant(Vec3::Y * 0.01);
        compliance.suspension_force_point = point.clone();
        compliance.tire_force_point = point;
    }
    mechanics.anti_roll_bars = vec![AntiRollBarParams::new([0, 1], 1e4)];
    mechanics.aerodynamics.downforces =
        vec![DownforceParams { area: 0.3, point: Vec3::new(0.0, 0.0, 1.3) }];
    mechanics.jounce = JounceParams { contact: ContactShape::Cylinder, ..mechanics.jounce };
    params.throttle.table = table;
    params
});

/// The car as it drives through a bend, and as it stands, held by its sticky tires.
static CARS: LazyLock<[DirectDriveVehicle; 2]> = LazyLock::new(|| {
    let drive = |speed, commands| {
        let vehicle = DirectDriveVehicle::new(CAR.clone()).expect("a faultless car");
        let mut drive = Drive::of(vehicle, Frame::Y_UP, FlatRoad::new(&Frame::Y_UP));
        drive.vehicle.controls.gear = Gear::Forward;
        drive.place(CarBlueprint::default().center_of_mass_height);
        drive.roll(speed);
        drive.run(2.0, commands);
        drive.vehicle
    };
    let cars = [drive(10.0, DRIVE), drive(0.0, PARK)];
    assert_eq!(cars.each_ref().map(|car| car.state.mechanics.anchor.is_some()), [false, true]);
    cars
});

const DRIVE: Commands =
    Commands { throttle: 0.5, brakes: [0.0, 0.0], steer: 0.1, steering_torque: None };
const PARK: Commands =
    Commands { throttle: 0.0, brakes: [0.0, 1.0], steer: 0.1, steering_torque: None };

/// The car on its way, or parked.
fn going_car(is_parked: bool) -> Drive<FlatRoad> {
    let vehicle = CARS[usize::from(is_parked)].clone();
    Drive::of(vehicle, Frame::Y_UP, FlatRoad::new(&Frame::Y_UP))
}

/// Steps of `dt` (s) end in finite motion, or are refused and change nothing.
fn check_steps<Road: RoadSurface>(drive: &mut Drive<Road>, dt: Real) -> Result<(), TestCaseError> {
    for _ in 0..STEPS {
        let before = drive.vehicle.state.clone();
        let context = Context::new(&drive.simulation, &drive.road);
        match drive.sequence.update_checked(&mut drive.vehicle, dt, &context) {
            Ok(_) => prop_assert!(drive.vehicle.is_finite(), "{}", drive.printed()),
            Err(error) => return check_refusal(drive, &before, &error),
        }
    }
    let state = drive.printed();
    prop_assert_eq!(not_finite(&state), None);
    Ok(())
}

/// The state is the one before, and faults of the inputs are named.
fn check_refusal<Road: RoadSurface>(
    drive: &Drive<Road>,
    before: &DirectDriveState,
    error: &UpdateError,
) -> Result<(), TestCaseError> {
    prop_assert_eq!(drive.printed(), format!("{before:?}"), "{}", error);
    if let UpdateError::Inputs(errors) = error { check_names(errors) } else { Ok(()) }
}

/// The first number of a printed state that is not finite and no bound of a row, with its names.
fn not_finite(state: &str) -> Option<&str> {
    let is_bound = |at: usize| {
        let name = state[..at].trim_end_matches('-');
        name.ends_with("_impulse: ") || name.ends_with("softness: ")
    };
    let infinite = state.match_indices("inf").filter(|&(at, _)| !is_bound(at));
    let mut found = state.match_indices("NaN").chain(infinite);
    found.next().map(|(at, _)| &state[at.saturating_sub(300)..at + 3])
}

/// Every fault has a path, what is required, and the value.
fn check_names(errors: &ParamErrors) -> Result<(), TestCaseError> {
    prop_assert!(!errors.errors().is_empty());
    for error in errors.errors() {
        let is_named =
            [&error.path, &error.requirement, &error.value].iter().all(|text| !text.is_empty());
        prop_assert!(is_named, "{error:?}");
    }
    Ok(())
}

/// `Ok` if `params` are faultless or every fault is named; whether they are faultless.
fn is_faultless(params: &impl Validate) -> Result<bool, TestCaseError> {
    params.validate().map_or_else(|errors| check_names(&errors).map(|()| false), |()| Ok(true))
}

prop_compose! {
    fn vectors()(parts in uniform3(floats())) -> Vec3 {
        Vec3::from_array(parts)
    }
}

prop_compose! {
    fn contacts()(
        normal in prop_oneof![vectors(), Just(Vec3::Y)],
        offset in floats(),
        friction in floats(),
        velocity in prop_oneof![vectors(), Just(Vec3::ZERO)],
        material in any::<u128>(),
    ) -> RoadContact {
        let contact = RoadContact::new(Plane { normal, offset }, friction);
        RoadContact { velocity, material: material.into(), ..contact }
    }
}

/// A road that is another under every wheel.
struct RandomRoad([Option<RoadContact>; 2]);

impl RoadSurface for RandomRoad {
    fn probe(&self, probe: &RoadProbe) -> Option<RoadContact> {
        self.0[probe.wheel % 2]
    }
}

fn gears() -> impl Strategy<Value = Gear> {
    prop_oneof![Just(Gear::Forward), Just(Gear::Reverse), Just(Gear::Neutral), Just(Gear::Park)]
}

proptest! {
    #![proptest_config(seeded(250_000))]

    #[test]
    fn commands_are_refused_exactly_where_they_are_out_of_range(
        throttle in floats(),
        brakes in uniform2(floats()),
        steer in floats(),
    ) {
        let commands = Commands { throttle, brakes, steer, steering_torque: None };
        let pedals = [throttle, brakes[0], brakes[1]];
        let expected = pedals.iter().all(|pedal| (0.0..=1.0).contains(pedal))
            && (-1.0..=1.0).contains(&steer);
        prop_assert_eq!(is_faultless(&commands)?, expected, "{:?}", commands);
    }

    #[test]
    fn formulas_of_a_wheel_take_any_number(
        [rotation_speed, drive, brake, torque] in [floats(), floats(), floats(), floats()],
        [resistance, max_torque] in [floats(), floats()],
        [inertia, damping_rate, dt] in [floats(), floats(), floats()],
    ) {
        let wheel = CAR.mechanics.wheels[0];
        let wheel = WheelParams { inertia, damping_rate, ..wheel };
        let torques = WheelTorques { drive, brake };
        let tire = TireTorque { torque, resistance, max_torque };
        let coupled = coupled_wheel(&wheel, &torques, &tire, rotation_speed, dt);
        if !max_torque.is_nan() && 0.0 <= max_torque && !coupled.tire_torque.is_nan() {
            prop_assert!(coupled.tire_torque.abs() <= max_torque, "{coupled:?}");
        }
        let actuation = WheelActuation::from_torques(brake, drive);
        let explicit =
            wheel_rotation_speed(&wheel, &torques, torque, actuation, rotation_speed, dt);
        std::hint::black_box(explicit);
    }

    #[test]
    fn curves_and_tables_take_any_number(
        mut points in prop::collection::vec((floats(), 0.0_f32..=1.0), 1..4),
        commands in (0.0_f32..0.5, prop_oneof![0.5_f32..=1.0, floats()]),
        (command, x) in (floats(), floats()),
    ) {
        points.sort_by(|(first, _), (second, _)| first.total_cmp(second));
        let Ok(curve) = LookupTable::new(points) else { return Ok(()) };
        let commands = [commands.0, commands.1];
        let rows = commands.map(|command| ResponseRow { command, response: curve.clone() });
        if let Ok(table) = ResponseTable::new(rows) {
            let response = table.evaluate(command, x);
            // The response of a table lies between those of its points.
            let is_between = (-1e-6..=1.0 + 1e-6).contains(&response);
            let is_number = command.is_finite() && x.is_finite();
            prop_assert!(is_between || !is_number, "{table:?} at {command}, {x}: {response}");
        }
    }
}

proptest! {
    #![proptest_config(seeded(40_000))]

    #[test]
    fn vehicles_are_refused_by_name_or_can_be_stepped(changes in changes(), is_parked in any::<bool>()) {
        static TREE: LazyLock<Tree> = LazyLock::new(|| Tree::of(&*CAR));
        let Ok(params) = TREE.changed(&changes).read::<DirectDriveParams>() else { return Ok(()) };
        if is_faultless(&params)? {
            let mut drive = going_car(is_parked);
            if drive.vehicle.set_params(params).is_ok() {
                check_steps(&mut drive, DT)?;
            }
        }
    }

    #[test]
    fn data_sheets_are_refused_by_name_or_make_a_faultless_car(changes in changes()) {
        static TREE: LazyLock<Tree> = LazyLock::new(|| Tree::of(&CarBlueprint::default()));
        let Ok(blueprint) = TREE.changed(&changes).read::<CarBlueprint>() else { return Ok(()) };
        if is_faultless(&blueprint)? {
            match blueprint.mechanics() {
                Ok(mechanics) => prop_assert!(is_faultless(&mechanics)?, "{blueprint:?}"),
                Err(errors) => check_names(&errors)?,
            }
        }
    }

    #[test]
    fn simulations_are_refused_by_name_or_can_be_stepped(
        changes in changes(),
        [is_parked, is_explicit, is_damped] in any::<[bool; 3]>(),
    ) {
        let mut simulation = SimulationParams::default();
        if is_explicit {
            simulation.wheel_coupling = WheelCoupling::Explicit;
        }
        if let Some(sticky) = simulation.tire_sticky.as_mut().filter(|_| is_damped) {
            sticky.hold = StickyHold::Damper;
        }
        let tree = Tree::of(&simulation).changed(&changes);
        let Ok(simulation) = tree.read::<SimulationParams>() else { return Ok(()) };
        let mut drive = going_car(is_parked);
        let mut axes = ParamCheck::default();
        drive.vehicle.check_axes(&simulation.coordinates, &mut axes);
        let expected = is_faultless(&simulation)? && axes.finish().is_ok();
        drive.simulation = simulation;
        let inputs = UpdateError::check(&drive.vehicle, DT, &simulation);
        prop_assert_eq!(inputs.is_ok(), expected, "{:?}", simulation);
        check_steps(&mut drive, DT)?;
    }

    #[test]
    fn older_springs_are_refused_by_name(changes in changes()) {
        static TREE: LazyLock<Tree> = LazyLock::new(|| Tree::of(&OLDER_SPRING));
        if let Ok(spring) = TREE.changed(&changes).read::<LegacySuspensionForceParams>() {
            let numbers = [spring.stiffness, spring.damping, spring.rest_distance, spring.sprung_mass];
            let is_faultless = is_faultless(&spring)?;
            prop_assert!(!is_faultless || numbers.iter().all(|number| number.is_finite()), "{spring:?}");
        }
    }

    #[test]
    fn any_state_is_stepped_or_kept(changes in changes(), is_parked in any::<bool>()) {
        static TREES: LazyLock<[Tree; 2]> = LazyLock::new(|| CARS.each_ref().map(|car| Tree::of(&car.state)));
        let tree = TREES[usize::from(is_parked)].changed(&changes);
        let Ok(state) = tree.read::<DirectDriveState>() else { return Ok(()) };
        let mut drive = going_car(is_parked);
        drive.vehicle.state = state;
        check_steps(&mut drive, DT)?;
    }

    #[test]
    fn any_road_is_driven_or_the_state_kept(
        roads in uniform2(prop::option::of(contacts())),
        is_parked in any::<bool>(),
    ) {
        let mut drive = going_car(is_parked).on(RandomRoad(roads));
        check_steps(&mut drive, DT)?;
    }
}

proptest! {
    #![proptest_config(seeded(25_000))]

    #[test]
    fn any_time_step_and_driver_are_obeyed_or_refused(
        dt in floats(),
        gear in gears(),
        commands in (0.0_f32..=1.0, uniform2(0.0_f32..=1.0), -1.0_f32..=1.0),
        is_parked in any::<bool>(),
    ) {
        let mut drive = going_car(is_parked);
        let (throttle, brakes, steer) = commands;
        drive.vehicle.commands = Commands { throttle, brakes, steer, steering_torque: None };
        drive.vehicle.controls.gear = gear;
        check_steps(&mut drive, dt)?;
    }

    #[test]
    fn spoiled_text_is_refused_or_read(
        at in any::<prop::sample::Index>(),
        length in 0_usize..9,
        text in "[-0-9eE.,\\[\\]{}\":a-z]{0,8}",
    ) {
        static TEXT: LazyLock<String> =
            LazyLock::new(|| serde_json::to_string(&*CAR).expect("a car can be written"));
        let start = at.index(TEXT.len());
        let end = (start + length).min(TEXT.len());
        let spoiled = [&TEXT[..start], &text, &TEXT[end..]].concat();
        if let Ok(params) = serde_json::from_str::<DirectDriveParams>(&spoiled) {
            is_faultless(&params)?;
        }
    }
}

const OLDER_SPRING: LegacySuspensionForceParams = LegacySuspensionForceParams {
    stiffness: 30e3,
    damping: 3e3,
    rest_distance: 0.2,
    sprung_mass: 400.0,
};
