//! A car that falls has never more energy than before its fall.
//!
//! Springs are explicit: the law ends where dt times the natural frequency does not stay well below
//! the 2 of an undamped spring. At 60 Hz, the cars' own springs of up to 2.5 Hz are at most at
//! 0.26. Springs of 6 Hz (0.63) still obey it, some of 8 Hz (0.84) do not.

use proptest::array::uniform2;
use proptest::prelude::*;
use vehicle_core::context::GRAVITY;
use vehicle_core::math::{Real, rotate};
use vehicle_core::road_geometry::FlatRoad;
use vehicle_core::suspension::{AntiRollBarParams, SuspensionComplianceParams};
use vehicle_drivetrain::DirectDriveVehicle;

use crate::cars::{Car, FRAME, cars};
use crate::common::{DT, seeded};
use crate::motions::Motion;
use crate::scene::Scene;

/// Part of the initial energy that may be gained (dimensionless).
const GAIN: Real = 0.02;
/// Height above that of wheels that just touch the road, by which a tilted car clears it (m).
const CLEARANCE: Real = 0.25;

/// Energy of a vehicle (J): of its body, its wheels' rotation, its springs and bars, and of its
/// height above `zero_height` (m).
///
/// ```text
/// E = ½ M v² + ½ ω·I ω + M g (z - z0) + Σ ½ I_w ω_w² + Σ ½ k e² + Σ ½ κ (e0 - e1)²
/// ```
///
/// with `e` the jounce, or where the bar holds a wheel that it has lifted. For a spring that is
/// inside of its wheel, on a beam axle, it is the jounce there.
fn energy(vehicle: &DirectDriveVehicle, zero_height: Real) -> Real {
    let (params, state) = (&vehicle.params().mechanics, &vehicle.state.mechanics);
    let (mass, body) = (params.rigid_body, &state.rigid_body);
    let rates = rotate(body.pose.rotation.conjugate(), body.angular_velocity);
    let height = body.pose.translation.dot(FRAME.vertical()) - zero_height;
    let moving = 0.5 * mass.mass * body.linear_velocity.length_squared()
        + 0.5 * rates.dot(mass.inertia * rates);
    let turning = params.wheels.iter().zip(&state.wheels);
    let turning = turning.map(|(wheel, spin)| 0.5 * wheel.inertia * spin.rotation_speed.powi(2));
    let jounce = |wheel: usize| {
        let own = state.suspensions.of(wheel).compression.jounce.unwrap_or(0.0);
        let bar = params.anti_roll_bars.iter().find(|bar| bar.wheels.contains(&wheel));
        let Some(AntiRollBarParams { wheels, stiffness, .. }) = bar else { return own };
        let other = wheels.iter().copied().find(|&other| other != wheel);
        let other =
            other.and_then(|other| state.suspensions.of(other).compression.jounce).unwrap_or(0.0);
        let spring = params.suspension_forces[wheel].stiffness;
        own.max(other * stiffness / (spring + stiffness))
    };
    let springs = params.suspension_forces.iter().enumerate();
    let seat = |wheel: usize| {
        let beam = params.beam_axles.iter().find(|axle| axle.wheels.contains(&wheel));
        let Some(axle) = beam else { return jounce(wheel) };
        let [first, second] = axle.wheels.map(|wheel| params.suspensions[wheel].wheel_mount());
        let ratio = axle.spring_track / first.distance(second);
        let both: Real = axle.wheels.into_iter().map(jounce).sum();
        0.5 * both + ratio * (jounce(wheel) - 0.5 * both)
    };
    let springs = springs.map(|(wheel, spring)| 0.5 * spring.stiffness * seat(wheel).powi(2));
    let bars = params.anti_roll_bars.iter().map(|bar| {
        let [first, second] = bar.wheels.map(jounce);
        0.5 * bar.stiffness * (first - second).powi(2)
    });
    moving + mass.mass * GRAVITY * height + turning.chain(springs).chain(bars).sum::<Real>()
}

/// `car` without air and friction, its springs at the attachments, falling from `drop` (m).
fn falling(car: &Car, drop: Real, tilt: [Real; 2], wheel_speed: Real) -> Scene {
    let height = car.blueprint.rest_jounce() + CLEARANCE + drop;
    let motion = Motion {
        angles: [tilt[0], tilt[1], 0.0],
        wheel_speeds: [wheel_speed; 4],
        ..Motion::still(height)
    };
    let mut scene = Scene::new(car, &motion);
    let suspensions = &mut scene.vehicle.state.mechanics.suspensions;
    suspensions.edit_all(|suspension| suspension.compression.jounce = Some(0.0));
    let mut params = (**scene.vehicle.params()).clone();
    params.mechanics.compliances.fill(SuspensionComplianceParams::default());
    params.mechanics.aerodynamics.drag_area = 0.0;
    scene.vehicle.set_params(params).expect("a faultless car");
    scene.road = FlatRoad::with_friction(&FRAME, 0.0);
    scene
}

/// Steps in which a car falls, swings and comes to rest.
const STEPS: usize = 180;

proptest! {
    #![proptest_config(seeded(2_000))]

    #[test]
    fn a_falling_car_gains_no_energy(
        car in cars(),
        drop in 0.0_f32..0.5,
        tilt in uniform2(-0.08_f32..0.08),
        wheel_speed in prop_oneof![Just(0.0_f32), -40.0_f32..40.0],
        substeps in prop_oneof![Just(1_u32), Just(3)],
    ) {
        let mut scene = falling(&car, drop, tilt, wheel_speed);
        let touching = car.blueprint.center_of_mass_height + car.blueprint.rest_jounce();
        let before = energy(&scene.vehicle, touching);
        for step in 0..STEPS {
            scene.steps(1, substeps, DT);
            let after = energy(&scene.vehicle, touching);
            prop_assert!(
                after <= (1.0 + GAIN) * before,
                "{after} J after step {step}, {before} J before, {substeps} substeps"
            );
        }
    }
}
