//! Tests of the default tire.

use super::lanes::alignment;
use super::*;
use crate::math::{Pose, Vec3};
use crate::plane::Plane;
use crate::road::RoadContact;
use crate::tire::{TireSlip, TireSpeeds, TireWheel};

const TIRE: BrushTire = BrushTire {
    longitudinal_stiffness: 30_000.0,
    lateral_stiffness: 60_000.0,
    lateral_stiffness_load: 0.0,
    camber_stiffness: 2_000.0,
    rest_load: 4_000.0,
    friction_vs_slip: [(0.0, 1.0), (0.1, 1.2), (1.0, 0.7)],
    lateral_slip_weight: 0.0,
    rolling_resistance: 0.0,
    pneumatic_trail: 0.0,
    load_filter: [(0.0, 0.2), (3.0, 3.0)],
};

fn forces(longitudinal: Real, lateral: Real, inclination: Real) -> TireOutput {
    forces_of(&TIRE, (longitudinal, lateral), inclination, 10.0)
}

fn forces_of(
    tire: &BrushTire,
    (longitudinal, lateral): (Real, Real),
    inclination: Real,
    forward_speed: Real,
) -> TireOutput {
    let plane = Plane { normal: Vec3::Z, offset: 0.0 };
    let ground = RoadContact::new(plane, 1.0);
    let input = TireInput {
        wheel: TireWheel {
            linear_velocity: Vec3::ZERO,
            angular_velocity: Vec3::ZERO,
            pose: Pose::IDENTITY,
            contact_speeds: TireSpeeds { longitudinal: forward_speed, lateral: 0.0 },
            rotation_speed: 0.0,
            radius: 0.3,
            half_width: 0.1,
            inclination,
            inflation_pressure: 0.0,
            radial_stiffness: 0.0,
        },
        ground: &ground,
        soil: None,
        normal_load: 4_000.0,
        grip: TireGrip { load: 4_000.0, friction: 0.9 },
        slip: TireSlip { longitudinal, tangent: lateral.tan() },
        stopping_force: Real::INFINITY,
        dt: 0.01,
    };
    tire.forces(&input, &mut ())
}

#[test]
fn small_slips_give_the_stiffness() {
    assert!((forces(1e-3, 0.0, 0.0).longitudinal_force / 30.0 - 1.0).abs() < 1e-2);
    assert!((forces(0.0, 1e-3, 0.0).lateral_force / -60.0 - 1.0).abs() < 1e-2);
    assert!((forces(0.0, 0.0, 1e-3).lateral_force / -2.0 - 1.0).abs() < 1e-2);
}

#[test]
fn lateral_force_acts_behind_the_contact_and_at_its_center_when_the_tread_slides() {
    let tire = BrushTire { pneumatic_trail: 0.03, ..TIRE };
    let at = |lateral: Real, speed: Real| forces_of(&tire, (0.0, lateral.atan()), 0.0, speed);
    let small = at(1e-4, 10.0);
    let trail = -small.aligning_moment / small.lateral_force;
    assert!((trail - 0.03).abs() < 1e-4, "{trail} m");
    assert_eq!(at(1e-4, -10.0).aligning_moment, -small.aligning_moment);
    assert_eq!(at(1e-4, 0.0).aligning_moment, 0.0);
    // K = 3 at tan α = 0.18: m(1.5)/f(1.5) = (1/2)³ / (1 - 1/2 + 1/12).
    let half = at(0.09, 10.0);
    let trail = -half.aligning_moment / half.lateral_force;
    assert!((trail / 0.03 - 0.125 / (7.0 / 12.0)).abs() < 1e-3, "{trail} m");
    assert!(at(0.18, 10.0).aligning_moment.abs() < 0.01 * half.aligning_moment);
    assert_eq!(at(0.5, 10.0).aligning_moment, 0.0);
    assert_eq!(half.reported_moment, 0.0);
    // Slip that the reference takes for none.
    assert!(at(1e-7, 10.0).lateral_force < 0.0);
}

#[test]
fn without_a_trail_the_moment_is_that_of_the_reference_and_acts_on_nothing() {
    let output = forces(0.0, 0.05, 0.0);
    assert_eq!(output.aligning_moment, 0.0);
    let k = 60_000.0 * (0.05 as Real).tan() / 3_600.0;
    let expected = 3_600.0 * alignment(k);
    assert!((output.reported_moment / expected - 1.0).abs() < 1e-4, "{output:?}");
    assert_eq!(forces(0.0, 1e-6, 0.0).lateral_force, 0.0);
}

#[test]
fn force_stays_within_the_friction_circle() {
    for longitudinal in [-2.0, -0.1, 0.0, 0.05, 10.0] {
        for lateral in [-1.5, -0.05, 0.0, 0.02, 1.2] {
            let output = forces(longitudinal, lateral, 0.1);
            let size = output.longitudinal_force.hypot(output.lateral_force);
            assert!(size <= 3_600.0 * 1.000_01, "{size} N at {longitudinal}, {lateral}");
        }
    }
}

#[test]
fn slip_and_inclination_beyond_a_right_angle_hold_what_slides() {
    // An inclination of 45 rad is as a slip angle of 1.5 rad: 45 times 2 of 60 kN/rad.
    let leaning = |lateral: Real| forces(0.0, lateral, 45.0).lateral_force;
    for lateral in [0.02, 0.06, 0.08, 0.2, 0.8, 1.5] {
        let force = leaning(lateral);
        assert!((force + 3_600.0).abs() < 0.5, "{force} N at {lateral} rad");
    }
}

#[test]
fn sliding_wheel_uses_all_friction() {
    assert!((forces(1.0, 0.0, 0.0).longitudinal_force - 3_600.0).abs() < 0.5);
    assert!((forces(0.0, 1.0, 0.0).lateral_force + 3_600.0).abs() < 0.5);
}

#[test]
fn lateral_stiffness_grows_with_load_up_to_its_limit() {
    let tire = BrushTire { lateral_stiffness_load: 2.0, ..TIRE };
    assert!((tire.single().cornering_stiffness(8_000.0) - 60_000.0).abs() < 2.0);
    assert_eq!(tire.single().cornering_stiffness(40_000.0), 60_000.0);
    // f(1.5) = 1.5 - 0.75 + 0.125
    assert!((tire.single().cornering_stiffness(4_000.0) - 60_000.0 * 0.875).abs() < 2.0);
}

#[test]
fn grip_filters_load_and_follows_slip() {
    let grip = |normal_load, longitudinal| {
        let slip = TireSlip { longitudinal, tangent: 0.7 };
        TIRE.grip(&GripInput { normal_load, road_friction: 0.5, slip })
    };
    // (suspension load, slip, tire load, friction)
    let cases = [
        (-500.0, 0.0, 800.0, 0.5),
        (0.0, 0.05, 800.0, 0.55),
        (6_000.0, -0.1, 6_400.0, 0.6),
        (20_000.0, 3.0, 12_000.0, 0.35),
    ];
    for (normal_load, slip, load, friction) in cases {
        let actual = grip(normal_load, slip);
        assert!((actual.load - load).abs() < 1e-2, "{actual:?} at {normal_load} N");
        assert!((actual.friction - friction).abs() < 1e-6, "{actual:?} at slip {slip}");
    }
}

#[test]
fn a_tire_that_slides_sideways_loses_friction_as_one_that_spins() {
    let tire = BrushTire { lateral_slip_weight: 1.0, ..TIRE };
    let friction = |longitudinal, lateral| {
        let slip = TireSlip { longitudinal, tangent: lateral };
        tire.grip(&GripInput { normal_load: 4_000.0, road_friction: 1.0, slip }).friction
    };
    // 1.2 at a combined slip of 0.1, 0.7 at 1 and beyond
    for (longitudinal, lateral, expected) in
        [(0.06, 0.08, 1.2), (0.6, 0.8, 0.7), (0.0, 0.1, 1.2), (-1.0, 0.0, 0.7), (0.0, 9.0, 0.7)]
    {
        let actual = friction(longitudinal, lateral);
        assert!((actual - expected).abs() < 1e-5, "{longitudinal}, {lateral}: {actual}");
    }
}

#[test]
fn bad_tires_are_named() {
    let tire = BrushTire {
        friction_vs_slip: [(0.0, 1.0), (0.2, 1.0), (0.2, 1.0)],
        rest_load: Real::NAN,
        ..TIRE
    };
    let mut check = ParamCheck::default();
    tire.check(&mut check);
    assert_eq!(
        check.finish().unwrap_err().to_string(),
        "rest_load must be positive and finite, got NaN; \
         friction_vs_slip must be of increasing slips, got 0, 0.2, 0.2"
    );
}
