//! The reference's own suspension and tire on ready-made vehicles: they do what their formulas say.

mod common;

use std::ops::ControlFlow::{self, Continue};

use common::engine::{engine_params, limited_slip};
use common::{DT, all_wheel_drive};
use vehicle_core::blueprint::CarBlueprint;
use vehicle_core::commands::Commands;
use vehicle_core::frame::Frame;
use vehicle_core::legacy::{
    LegacySuspensionForceParams, legacy_suspension_force, legacy_tire_slip,
};
use vehicle_core::math::{Pose, Real};
use vehicle_core::road_geometry::FlatRoad;
use vehicle_core::sequence::Recoverable;
use vehicle_core::stages::{LegacySuspension, LegacyTire, Suspension, Tire};
use vehicle_core::suspension::{ExpansionSpeed, SuspensionForceParams, SuspensionLoad};
use vehicle_core::tire::TireModel;
use vehicle_core::vehicle::{HasMechanics, MechanicalParams, MechanicsRef};
use vehicle_core::{ComponentSequence, Context, SimulationParams};
use vehicle_drivetrain::differential::LimitedSlipParams;
use vehicle_drivetrain::direct_drive::Gear;
use vehicle_drivetrain::{DirectDriveParams, DirectDriveVehicle, EngineDriveVehicle};

/// The car of the default data sheet without bars, whose suspensions may pull.
fn mechanics() -> MechanicalParams {
    let sheet = CarBlueprint { ride: None, ..CarBlueprint::default() };
    let mut mechanics = sheet.mechanics().expect("a faultless car");
    mechanics.anti_roll_bars.clear();
    mechanics.jounce.expansion = ExpansionSpeed::Unlimited;
    mechanics
}

/// Springs on which that car rests 6 cm (front) and 5 cm (rear) above its stops.
fn springs() -> Vec<LegacySuspensionForceParams> {
    let spring = |(wheel, force): (usize, &SuspensionForceParams)| LegacySuspensionForceParams {
        stiffness: 1.2 * force.stiffness,
        damping: force.damping,
        rest_distance: if wheel < 2 { 0.06 } else { 0.05 },
        sprung_mass: force.sprung_mass,
    };
    mechanics().suspension_forces.iter().enumerate().map(spring).collect()
}

/// Asserts that each suspension that does not land has the force of the legacy law.
fn check_suspensions(mechanics: &MechanicsRef<'_, impl TireModel>, context: &Context<'_>) {
    let MechanicsRef { params, state, .. } = mechanics;
    for (wheel, spring) in springs().iter().enumerate() {
        let road = state.roads.of(wheel).expect("a flat road");
        let suspension = state.suspensions.of(wheel);
        let load = SuspensionLoad::new(
            &state.rigid_body,
            &params.suspensions[wheel],
            params.rigid_body.mass,
            context.params.gravity,
            road.plane.normal,
            state.suspensions.of(wheel).compliance.suspension_force_point,
        );
        let (jounce, speed) = (
            suspension.compression.jounce.expect("on the road"),
            suspension.compression.jounce_speed,
        );
        let mount = &params.suspensions[wheel];
        let expected =
            legacy_suspension_force(spring, mount, &state.rigid_body, jounce, speed, &load);
        let actual = state.suspensions.of(wheel).force;
        assert_eq!(actual.normal_load, expected.normal_load, "wheel {wheel}: {suspension:?}");
    }
}

/// Asserts that each tire that does not stick has the slip of the legacy law.
fn check_tires(mechanics: &MechanicsRef<'_, impl TireModel>, context: &Context<'_>) {
    let MechanicsRef { params, state, .. } = mechanics;
    for (wheel, shape) in params.wheels.iter().enumerate() {
        let tire = state.tires.of(wheel);
        if tire.sticky.longitudinal.is_active || tire.sticky.lateral.is_active {
            continue;
        }
        let rim_speed = state.wheels.of(wheel).rotation_speed * shape.radius;
        let actuation = state.actuations.of(wheel);
        let expected =
            legacy_tire_slip(&context.params.tire_slip, &tire.speeds, rim_speed, actuation);
        assert_eq!(tire.slip, expected, "wheel {wheel}: {tire:?}");
    }
}

/// `sequence` with the legacy laws, which are checked in each substep.
fn legacy<V: HasMechanics + 'static>(sequence: ComponentSequence<V>) -> ComponentSequence<V> {
    let springs = LegacySuspension::new(&springs()).expect("faultless springs");
    let check = |vehicle: &mut V, _: Real, context: &Context<'_>| -> ControlFlow<()> {
        check_suspensions(&vehicle.read_mechanics(), context);
        check_tires(&vehicle.read_mechanics(), context);
        Continue(())
    };
    sequence
        .replace::<Suspension>(springs)
        .and_then(|sequence| sequence.replace::<Tire>(LegacyTire))
        .and_then(|sequence| sequence.insert_after::<LegacyTire>(check))
        .expect("stages of the vehicle")
}

/// Drives by `commands` for 3 s, in a bend, from the height at which `vehicle` rests.
fn drive<V: HasMechanics + Recoverable>(
    vehicle: &mut V,
    sequence: &ComponentSequence<V>,
    frame: Frame,
    mut command: impl FnMut(&mut V, Commands),
) {
    let (simulation, road) = (SimulationParams::new(frame), FlatRoad::new(&frame));
    let context = Context::new(&simulation, &road);
    for step in 0..180 {
        let steer = 0.2 * (step as Real * DT).sin();
        command(vehicle, Commands { throttle: 0.7, steer, ..Commands::default() });
        let flow = sequence.update_checked(vehicle, DT, &context);
        assert_eq!(flow, Ok(Continue(())), "step {step}");
    }
    let speed = vehicle.read_mechanics().state.rigid_body.longitudinal_speed(&frame);
    assert!(3.0 < speed, "{speed} m/s");
}

#[test]
fn legacy_laws_drive_a_car_with_direct_drive() {
    let blueprint = CarBlueprint::default();
    let params = DirectDriveParams { mechanics: mechanics(), ..all_wheel_drive(&blueprint) };
    let mut car = DirectDriveVehicle::new(params).expect("faultless params");
    car.controls.gear = Gear::Forward;
    let up = blueprint.frame.vertical();
    car.state.mechanics.rigid_body.pose =
        Pose::from_translation(up * blueprint.center_of_mass_height);
    let sequence = legacy(DirectDriveVehicle::sequence());
    drive(&mut car, &sequence, blueprint.frame, |car, commands| car.commands = commands);
    // It stops, and rests where its springs say.
    let (simulation, road) =
        (SimulationParams::new(blueprint.frame), FlatRoad::new(&blueprint.frame));
    let context = Context::new(&simulation, &road);
    for _ in 0..600 {
        car.commands = Commands { brakes: [0.5, 0.0], ..Commands::default() };
        let _completed = sequence.update_checked(&mut car, DT, &context).expect("a car");
    }
    for (wheel, spring) in springs().iter().enumerate() {
        let travel = car.params().mechanics.suspensions[wheel].travel_distance;
        let jounce =
            car.state.mechanics.suspensions.of(wheel).compression.jounce.expect("on the road");
        let distance = travel - jounce;
        let error = (distance - spring.rest_distance).abs();
        assert!(error < 2e-3, "wheel {wheel}: {distance} m, not {} m", spring.rest_distance);
    }
}

#[test]
fn legacy_laws_drive_a_car_with_an_engine() {
    let blueprint = CarBlueprint::default();
    let mut params = engine_params(limited_slip(LimitedSlipParams { bias: 1.3, target: 1.1 }));
    params.mechanics = mechanics();
    let mut car = EngineDriveVehicle::new(params).expect("faultless params");
    let up = blueprint.frame.vertical();
    car.state.mechanics.rigid_body.pose =
        Pose::from_translation(up * blueprint.center_of_mass_height);
    let sequence = legacy(EngineDriveVehicle::sequence());
    drive(&mut car, &sequence, blueprint.frame, |car, commands| car.commands = commands);
}
