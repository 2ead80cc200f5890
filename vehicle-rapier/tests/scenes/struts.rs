//! Cars without wheel masses on springs, dampers and bump stops that are not linear.

use crate::common::saloon::{drift_on_hill, insert_saloon, massless_mechanics, saloon_rest_height};
use crate::common::{drive, sloping_world};
use rapier3d::prelude::*;
use vehicle_rapier::core::commands::CommandResponseParams;
use vehicle_rapier::core::context::GRAVITY;
use vehicle_rapier::core::suspension::unsprung::SuspensionDynamics;
use vehicle_rapier::core::suspension::unsprung::laws::{DamperLaw, DamperSide, Stop};
use vehicle_rapier::core::suspension::{StrutParams, SuspensionForceParams};
use vehicle_rapier::core::vehicle::MechanicalParams;
use vehicle_rapier::drivetrain::{DirectDriveParams, DirectDriveVehicle};
use vehicle_rapier::{Activity, RapierVehicle, RoadQueryShape};

type Car = RapierVehicle<DirectDriveVehicle>;

/// Rates (Hz) and substeps.
const STEPS: [(Real, u32); 4] = [(30.0, 1), (60.0, 1), (60.0, 3), (240.0, 3)];
const SHAPES: [RoadQueryShape; 2] = [RoadQueryShape::Ray, RoadQueryShape::Cylinder];

/// A spring whose stiffness grows from 0.8 to 1.6 of the linear one, and carries the car where that
/// does.
fn progressive(linear: &SuspensionForceParams) -> StrutParams {
    let carried = linear.sprung_mass * GRAVITY;
    let rest = carried / linear.stiffness;
    let bump = linear.damping * 0.7;
    let rebound = linear.damping * 1.3;
    StrutParams {
        spring: vec![
            (0.0, 0.0),
            (0.8 * rest, 0.64 * carried),
            (rest, carried),
            (1.5 * rest, 1.8 * carried),
        ],
        damper: Some(DamperLaw {
            bump: DamperSide { rate: bump, knee: 0.3, rate_beyond: 0.5 * bump },
            rebound: DamperSide { rate: rebound, knee: 0.3, rate_beyond: 0.5 * rebound },
        }),
        bump_stop: Some(Stop { edge: 1.5 * rest, stiffness: 3.0 * linear.stiffness }),
    }
}

fn on_struts(strut: impl Fn(&SuspensionForceParams) -> StrutParams) -> DirectDriveParams {
    let mut mechanics = massless_mechanics();
    let struts = mechanics.suspension_forces.iter().map(strut).collect();
    mechanics.suspension_dynamics = SuspensionDynamics::Struts(struts);
    driven(mechanics)
}

fn driven(mechanics: MechanicalParams) -> DirectDriveParams {
    let throttle = CommandResponseParams::linear(600.0, [0.0, 0.0, 1.0, 1.0]);
    DirectDriveParams { mechanics, throttle }
}

fn car_at(world: &mut PhysicsWorld, params: DirectDriveParams, height: Real, substeps: u32) -> Car {
    insert_saloon(world, params, Pose::from_translation(Vector::Y * height), substeps)
}

fn height(world: &PhysicsWorld, car: &Car) -> Real {
    world.bodies[car.actor.body].translation().y
}

#[test]
fn struts_that_say_what_is_linear_drive_like_the_linear_ones() {
    let same = |linear: &SuspensionForceParams| StrutParams {
        spring: vec![(0.0, 0.0), (0.1, 0.1 * linear.stiffness)],
        damper: Some(DamperLaw::linear(linear.damping)),
        bump_stop: None,
    };
    for params in [on_struts(same), on_struts(|_| StrutParams::default())] {
        let mut places = Vec::new();
        for params in [params, driven(massless_mechanics())] {
            let mut world = sloping_world(60.0, 0.0);
            let mut car = car_at(&mut world, params, saloon_rest_height() + 0.1, 3);
            car.vehicle.commands.throttle = 0.4;
            car.vehicle.commands.steer = 0.1;
            drive(&mut world, &mut car, 4.0);
            places.push(world.bodies[car.actor.body].translation());
        }
        let [like, linear] = [places[0], places[1]];
        assert!(3.0 < linear.length(), "{linear}");
        assert!(like.distance(linear) < 1e-3, "{like}, {linear}");
    }
}

#[test]
fn progressive_springs_carry_the_car_where_they_say_and_let_it_sleep() {
    for (rate, substeps) in STEPS {
        for shape in SHAPES {
            let mut world = sloping_world(rate, 0.0);
            let mut car =
                car_at(&mut world, on_struts(progressive), saloon_rest_height() + 0.1, substeps);
            car.road.shape = shape;
            car.vehicle.commands.brakes[0] = 1.0;
            drive(&mut world, &mut car, 3.0);
            let case = format!("{rate} Hz, {substeps} substeps, {shape:?}");
            let found = height(&world, &car);
            assert!((found - saloon_rest_height()).abs() < 2e-3, "{case}: {found} m");
            let state = &car.vehicle.state.mechanics;
            let loads: Real = state.suspensions.iter().map(|force| force.force.normal_load).sum();
            let weight = car.vehicle.params().mechanics.rigid_body.mass * GRAVITY;
            assert!((loads / weight - 1.0).abs() < 5e-3, "{case}: {loads} N of {weight}");
            assert_eq!(drive(&mut world, &mut car, 3.0), Activity::Asleep, "{case}");
        }
    }
}

#[test]
fn a_parked_car_on_progressive_springs_holds_its_place_on_a_hill() {
    for (rate, substeps) in STEPS {
        let drift = drift_on_hill(on_struts(progressive), (rate, substeps), 30.0);
        assert!(drift < 1e-4, "{rate} Hz, {substeps} substeps: {drift} m");
    }
}

/// The lowest point of a body that falls from `drop` (m) above its rest, and the highest one after
/// it, within two seconds (m).
fn bounce(params: DirectDriveParams, drop: Real, (rate, substeps): (Real, u32)) -> [Real; 2] {
    let mut world = sloping_world(rate, 0.0);
    let mut car = car_at(&mut world, params, saloon_rest_height() + drop, substeps);
    let (mut lowest, mut rebound) = (Real::INFINITY, 0.0_f32);
    for _ in 0..(2.0 * rate) as u32 {
        car.step(&mut world).expect("the car can be driven");
        let height = height(&world, &car);
        if height < lowest {
            (lowest, rebound) = (height, height);
        }
        rebound = rebound.max(height);
    }
    [lowest, rebound]
}

#[test]
fn a_bump_stop_stops_a_fall_earlier_and_gives_nothing_back() {
    let drop = 0.25;
    let without =
        |linear: &SuspensionForceParams| StrutParams { bump_stop: None, ..progressive(linear) };
    let exact = bounce(on_struts(progressive), drop, (1_920.0, 3));
    for step in STEPS {
        let [lowest, rebound] = bounce(on_struts(progressive), drop, step);
        let [lower, _] = bounce(on_struts(without), drop, step);
        assert!(lower + 0.005 < lowest, "{step:?}: {lowest} m, without the stop {lower} m");
        assert!(rebound < saloon_rest_height() + 0.3 * drop, "{step:?}: {rebound} m");
        // A step of a thirtieth of a second meets the ground up to 7 cm late.
        let bound = if step.0 < 60.0 { 0.03 } else { 0.012 };
        assert!((lowest - exact[0]).abs() < bound, "{step:?}: {lowest} m, exact {}", exact[0]);
    }
}

#[test]
fn a_damper_of_two_sides_lets_the_wheel_up_faster_than_down() {
    // Pushed down and let go, a car rises more slowly the harder its rebound is.
    let damped = |rebound: Real| {
        on_struts(move |linear| StrutParams {
            damper: Some(DamperLaw {
                bump: DamperSide::linear(linear.damping),
                rebound: DamperSide::linear(rebound * linear.damping),
            }),
            ..StrutParams::default()
        })
    };
    let risen = |params: DirectDriveParams, (rate, substeps): (Real, u32)| {
        let mut world = sloping_world(rate, 0.0);
        let mut car = car_at(&mut world, params, saloon_rest_height() - 0.06, substeps);
        drive(&mut world, &mut car, 0.2);
        height(&world, &car) - saloon_rest_height() + 0.06
    };
    for step in STEPS {
        let [soft, hard] = [0.5, 3.0].map(|rebound| risen(damped(rebound), step));
        assert!(0.01 < hard && 1.3 * hard < soft, "{step:?}: {hard} m, {soft} m");
    }
}
