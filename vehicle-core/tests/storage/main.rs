//! How a vehicle stores its wheels is its own choice, and so are its stages and its tires.
//!
//! Three vehicles are stored differently. [`Lists`] have a list per kind of value, as stages take
//! them; [`Corners`] have a struct per wheel. [`OneMake`] has wheels of one make each behind a
//! reference, which are put into lists for a frame and taken back. They drive with the same bits,
//! and stand with them, held by rows.

// Private to the test binary, and not seen from outside.
#![allow(unreachable_pub)]

mod corners;
mod linear_tire;
mod lists;
mod one_make;
mod stages;
mod test_drive;

use vehicle_core::commands::Commands;
use vehicle_core::context::GRAVITY;
use vehicle_core::math::Real;
use vehicle_core::stages::{Brakes, Steering, Suspension};
use vehicle_core::tire::BrushTire;
use vehicle_core::vehicle::MechanicalParams;
use vehicle_core::{Component, ComponentSequence, Validate};

use crate::corners::Corners;
use crate::linear_tire::LinearTire;
use crate::lists::Lists;
use crate::one_make::OneMake;
use crate::stages::{ProgressiveSuspension, WithBumpStops};
use crate::test_drive::{
    DT, TestDrive, TestVehicle, balanced_car, commands_at, four_wheels, six_wheels, steps,
};

const LINEAR_TIRE: LinearTire = LinearTire {
    longitudinal_stiffness: 30_000.0,
    cornering_stiffness: 50_000.0,
    relaxation_length: 0.5,
};

fn all_storages_drive_alike(params: &MechanicalParams) {
    let mut lists = TestDrive::<Lists>::new(params);
    let mut corners = TestDrive::<Corners<BrushTire>>::new(params);
    let mut one_make = TestDrive::<OneMake>::new(params);
    let mut top_speed: Real = 0.0;
    for step in 0..steps(8.0) {
        let commands = commands_at(step as Real * DT);
        lists.step(commands);
        corners.step(commands);
        one_make.step(commands);
        let expected = lists.printed();
        for (storage, actual) in [("corners", corners.printed()), ("one make", one_make.printed())]
        {
            for (expected, actual) in expected.iter().zip(&actual) {
                assert_eq!(expected, actual, "lists, {storage}, step {step}, {commands:?}");
            }
        }
        top_speed = top_speed.max(lists.speed());
    }
    // Cars that never move are alike too.
    assert!(8.0 < top_speed, "top speed {top_speed} m/s");
    assert_is_held(&mut lists, "lists");
    assert_is_held(&mut corners, "corners");
    assert_is_held(&mut one_make, "one make");
}

/// Asserts that a car stands still, with every wheel on the ground and every tire held by rows.
fn assert_is_held<V: TestVehicle>(drive: &mut TestDrive<V>, storage: &str) {
    for (wheel, motion) in drive.vehicle.motion().wheels.iter().enumerate() {
        let (suspension, rows) = (&motion.suspension, &motion.rows);
        assert!(suspension.is_on_ground(), "{storage}: wheel {wheel} in the air: {suspension:?}");
        // A row that replaces a lateral force belongs to a tire that still slips.
        let is_lateral_held = rows.lateral.is_some() && !rows.replaces_lateral_force;
        assert!(
            rows.longitudinal.is_some() && is_lateral_held,
            "{storage}: wheel {wheel} is not held: {rows:?}"
        );
    }
    let velocity = drive.vehicle.body().linear_velocity;
    assert!(velocity.length() < 1e-3, "{storage}: parked at {velocity} m/s, expected below 0.001");
}

#[test]
fn four_wheels_drive_alike_in_any_storage() {
    all_storages_drive_alike(&four_wheels());
}

#[test]
fn six_wheels_on_three_axles_drive_alike_in_any_storage() {
    all_storages_drive_alike(&six_wheels());
}

/// Asserts that every wheel of a car with `component` as its suspension comes to rest at `expected`
/// (m).
fn assert_rests_at(
    component: impl Component<Corners<BrushTire>> + 'static,
    expected: Real,
    what: &str,
) {
    let mut drive = TestDrive::<Corners<BrushTire>>::new(&four_wheels());
    drive.sequence = drive.sequence.replace::<Suspension>(component).expect("a suspension");
    drive.run(5.0, Commands::default());
    for (wheel, motion) in drive.vehicle.motion().wheels.iter().enumerate() {
        let jounce = motion.suspension.compression.jounce.expect("a jounce after the first step");
        let load = motion.suspension.force.normal_load;
        assert!(
            (jounce - expected).abs() < 1e-4,
            "{what}: wheel {wheel} rests at {jounce} m under {load} N, expected {expected} m"
        );
    }
}

#[test]
fn a_component_of_the_users_own_replaces_a_stage() {
    let doubling_jounce: Real = 0.1;
    // k j (1 + j/J) = m g and k r = m g, so j² / J + j - r = 0.
    let rest = balanced_car().rest_jounce();
    let expected = 0.5 * doubling_jounce * ((1.0 + 4.0 * rest / doubling_jounce).sqrt() - 1.0);
    assert_rests_at(ProgressiveSuspension { doubling_jounce }, expected, "progressive springs");
}

#[test]
fn a_component_adds_a_force_to_a_stage_of_the_library() {
    let spring = four_wheels().suspension_forces[0];
    let stops = WithBumpStops { jounce: 0.08, stiffness: 2.0 * spring.stiffness };
    // k j + K (j - J) = m g
    let weight = spring.sprung_mass * GRAVITY;
    let expected = (weight + stops.stiffness * stops.jounce) / (spring.stiffness + stops.stiffness);
    assert_rests_at(stops, expected, "bump stops");
}

#[test]
fn a_stage_that_is_not_there_cannot_be_replaced() {
    let sequence = ComponentSequence::<Lists>::new().then(Brakes);
    let error = sequence.replace::<Suspension>(Steering).unwrap_err().to_string();
    assert!(error.ends_with("stages::Suspension"), "{error}");
}

#[test]
fn a_tire_of_the_users_own_drives_and_remembers() {
    let params = four_wheels().with_tires([LINEAR_TIRE; 4]);
    params.validate().unwrap();
    let mut drive = TestDrive::<Corners<LinearTire>>::new(&params);

    drive.run(3.0, Commands { throttle: 0.8, ..Commands::default() });
    let speed = drive.speed();
    assert!(5.0 < speed, "{speed} m/s after 3 s at throttle 0.8");

    let turn = Commands { steer: 0.1, ..Commands::default() };
    drive.step(turn);
    let front = drive.vehicle.motion().wheels[0].clone();
    let (slip, remembered) = (front.tire.slip.angle(), front.tire_model.slip_angle);
    assert!(
        slip < remembered && remembered < 0.0,
        "the first step of a left turn: remembered {remembered} rad, slip angle {slip} rad"
    );

    drive.run(2.0, turn);
    for (wheel, motion) in drive.vehicle.motion().wheels.iter().enumerate() {
        let (slip, remembered) = (motion.tire.slip.angle(), motion.tire_model.slip_angle);
        assert!(
            slip < 0.0 && (remembered / slip - 1.0).abs() < 0.02,
            "wheel {wheel} in a steady turn: remembered {remembered} rad, slip angle {slip} rad"
        );
    }
}

#[test]
fn faults_of_a_tire_of_the_users_own_are_named() {
    let tire = LinearTire { relaxation_length: 0.0, ..LINEAR_TIRE };
    let params = four_wheels().with_tires([tire]);
    assert_eq!(
        params.validate().unwrap_err().to_string(),
        "tires must be of 4 elements, one per wheel, got 1; \
         tires[0].relaxation_length must be positive and finite, got 0"
    );
}
