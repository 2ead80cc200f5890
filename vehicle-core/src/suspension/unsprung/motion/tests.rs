//! Tires that come to their roads, leave them, and meet their rims.

use super::super::contact::RidePlane;
use super::super::laws::{DamperSide, StrutLaws};
use super::*;

const DT: f64 = 0.01;
const STIFFNESS: f64 = 2e5;

const RADIUS: f64 = 0.3;

/// Load on a wheel that nothing slows, at a `deflection` (m) that changes at `speed` (m/s).
fn load(deflection: f64, speed: f64) -> f64 {
    load_with(None, deflection, speed)
}

/// Load on a wheel with a rim that nothing slows, on ground that could `give` way by so much per
/// force (m/N).
fn load_on(give: f64, deflection: f64, speed: f64) -> f64 {
    load_with(Some(give), deflection, speed)
}

/// A wheel of these `laws` on level road, as heavy as a house.
fn wheel(laws: &StrutLaws<f64>, deflection: f64) -> RideWheel<'_, f64> {
    let up = Vector3([0.0, 0.0, 1.0]);
    let down = Vector3([0.0, 0.0, -1.0]);
    RideWheel {
        is_there: true,
        is_wheel: true,
        mass: 1e15,
        least_mass: 1e15,
        laws,
        tire: TireSpring { stiffness: STIFFNESS, damping: 0.0 },
        direction: down,
        vertical: down,
        path: down,
        center_arm: Vector3::zero(),
        jounce: 0.1,
        jounce_speed: 0.0,
        seat: SpringSeat::at_wheel(0.1, 0.0),
        has_road: true,
        plane: RidePlane { normal: up, offset: 0.0, velocity: Vector3::zero() },
        deflection,
        contact_arm: Vector3::zero(),
        tire_force: Vector3::zero(),
    }
}

fn load_with(give: Option<f64>, deflection: f64, speed: f64) -> f64 {
    let laws = StrutLaws::default();
    let wheel = wheel(&laws, deflection);
    let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(Vector3);
    let body = BodyMass::new(1e15, &Vector3([1e15; 3]), &axes);
    let velocity = Spatial { linear: Vector3([0.0, 0.0, -speed]), angular: Vector3::zero() };
    let mut motion = RideMotion::new(&wheel, &body, &velocity, DT);
    motion.touch(&wheel, &velocity, DT);
    if let Some(give) = give {
        motion.reach_rim(&Rim::of(RADIUS, STIFFNESS), &wheel, &velocity, DT, || give);
    }
    let places = motion.places(&wheel, [0.0; 3], 0.0, DT);
    motion.tire_line(&wheel, &places, DT).force
}

#[test]
fn tires_take_and_give_the_same_wherever_steps_find_them() {
    for speed in [0.5_f64, 4.0] {
        let way = speed * DT;
        for phase in 0..16 {
            let start = (f64::from(phase) / 16.0 - 3.0) * way;
            let places: Vec<_> = (0..8).map(|step| start + f64::from(step) * way).collect();
            let deepest = places[7] + 0.5 * way;
            let work = |speed: f64| -> f64 {
                places.iter().map(|&deflection| load(deflection, speed) * way).sum()
            };
            let stored = 0.5 * STIFFNESS * deepest * deepest;
            assert!((work(speed) / stored - 1.0).abs() < 1e-9, "{speed} m/s, {phase}: in");
            assert!((work(-speed) / stored - 1.0).abs() < 1e-9, "{speed} m/s, {phase}: out");
        }
    }
}

#[test]
fn tires_out_of_reach_do_not_push() {
    assert_eq!(load(-0.006, 1.0), 0.0);
    assert_eq!(load(0.0, 0.0), 0.0);
    assert!(0.0 < load(-0.004, 1.0) && 0.0 < load(-0.004, -1.0));
}

#[test]
fn tires_bottom_on_their_rims() {
    for (deflection, expected) in [
        (0.02, STIFFNESS * 0.02),
        (0.28 * RADIUS, STIFFNESS * 0.084),
        (0.1, STIFFNESS * (0.1 + 12.0 * 0.016)),
        (0.12, STIFFNESS * (0.12 + 12.0 * 0.036 + 25.0 * 0.015)),
    ] {
        let found = load_on(0.0, deflection, 0.0);
        assert!((found / expected - 1.0).abs() < 1e-9, "{deflection} m: {found} of {expected} N");
    }
    // What they meet within the step counts from where they meet it.
    assert!(1.5 * STIFFNESS * 0.1 < load_on(0.0, 0.08, 2.0));
}

#[test]
fn rims_are_softer_on_ground_that_gives_way() {
    let part = |give| load_on(give, 0.1, 0.0) - STIFFNESS * 0.1;
    let firm = part(0.0);
    // In series: the ground takes as much of the way as its stiffness says.
    assert!((part(1.0 / (12.0 * STIFFNESS)) / firm - 0.5).abs() < 1e-9);
    assert!(part(1.0) < 1e-5 * firm);
}

#[test]
fn the_slope_of_a_tire_is_that_of_its_law() {
    let rim = Rim::of(RADIUS, STIFFNESS);
    for (deflection, expected) in [(0.05, 1.0), (0.1, 13.0), (0.12, 38.0)] {
        let slope = rim.slope_under(load_on(0.0, deflection, 0.0), STIFFNESS);
        assert_eq!(slope / STIFFNESS, expected, "{deflection} m");
    }
}

#[test]
fn lanes_without_a_wheel_ask_for_no_further_iteration() {
    let bump = DamperSide::linear(1_000.0);
    let damper = DamperLaw { bump, rebound: DamperSide::linear(3_000.0) };
    let laws = StrutLaws { damper, ..StrutLaws::default() };
    let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(Vector3);
    let body = BodyMass::new(1e15, &Vector3([1e15; 3]), &axes);
    for (is_there, is_wheel, expected) in
        [(true, true, false), (false, true, false), (false, false, true)]
    {
        let wheel = RideWheel { is_there, is_wheel, ..wheel(&laws, 0.01) };
        let motion = RideMotion::new(&wheel, &body, &Spatial::zero(), DT);
        // From rest into bump: the other side of the damper.
        let [rest, bump] = [0.0, -0.1].map(|change| motion.places(&wheel, [change; 3], 0.0, DT));
        assert!(rest.are_on_pieces_of(&rest, &motion, &wheel));
        assert_eq!(bump.are_on_pieces_of(&rest, &motion, &wheel), expected, "{is_wheel}");
    }
}
