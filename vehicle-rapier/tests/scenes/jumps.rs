//! Cars that leave a ramp.

use rapier3d::prelude::*;
use snippets::scenes::{level_world, strip};
use vehicle_rapier::core::vehicle::MechanicalParams;
use vehicle_rapier::drivetrain::DirectDriveParams;

use crate::common::roll;
use crate::common::saloon::{
    direct_saloon, insert_saloon, massless_mechanics, saloon_mechanics, saloon_rest_height,
};

/// Speed at the foot of the ramp (m/s).
const SPEED: Real = 30.0;

/// How a jump went.
#[derive(Debug)]
struct Jump {
    /// Pitch rate when the last wheel has left the ramp, positive as the nose goes down (rad/s).
    pitch_rate: Real,
    /// Cosine of the angle to the vertical at the end, and its least (dimensionless).
    uprightness: Real,
    least_uprightness: Real,
}

/// A ramp of 12 m at `angle` (rad) whose foot is an arc of this radius (m), and where it ends (m).
fn ramp(angle: Real, foot: Real) -> (ColliderBuilder, Real) {
    let arc = (0..=60).map(|index| {
        let turned = angle * index as Real / 60.0;
        [30.0 + foot * turned.sin(), foot * (1.0 - turned.cos())]
    });
    let mut profile: Vec<_> = arc.collect();
    let [z, y] = profile[profile.len() - 1];
    let (sine, cosine) = angle.sin_cos();
    profile.push([z + 12.0 * cosine, y + 12.0 * sine]);
    (strip(&profile, 4.0).expect("a mesh"), z + 12.0 * cosine)
}

/// Lets the saloon on `mechanics` roll up a ramp at `angle` (rad), without throttle.
fn jump(mechanics: MechanicalParams, angle: Real, foot: Real, rate: Real) -> Jump {
    let mut world = level_world(rate.recip(), 1.0);
    let (collider, end) = ramp(angle, foot);
    world.insert(RigidBodyBuilder::fixed(), collider);
    let params = DirectDriveParams { mechanics, ..direct_saloon() };
    let pose = Pose::from_translation(Vector::Y * saloon_rest_height());
    let mut car = insert_saloon(&mut world, params, pose, 3);
    world.detect_collisions(&(), &());
    let radius = car.vehicle.params().mechanics.wheels[0].radius;
    roll(&mut world, &mut car, SPEED, SPEED / radius);
    let (mut pitch_rate, mut uprightness, mut least_uprightness) = (None, 1.0, 1.0);
    for _ in 0..(6.0 * rate) as usize {
        car.step(&mut world).expect("the car can be driven");
        let body = &world.bodies[car.actor.body];
        uprightness = (body.rotation() * Vector::Y).y;
        least_uprightness = uprightness.min(least_uprightness);
        let forces = &car.vehicle.state.mechanics.suspensions;
        let flies = forces.iter().all(|force| force.force.normal_load == 0.0);
        if flies && end + 1.0 < body.translation().z && pitch_rate.is_none() {
            pitch_rate = Some(body.angvel().x);
        }
    }
    let pitch_rate = pitch_rate.expect("it has left the ramp");
    Jump { pitch_rate, uprightness, least_uprightness }
}

#[test]
fn cars_leave_a_ramp_as_they_do_on_wheels_without_mass() {
    for degrees in [6.0_f32, 10.0, 20.0] {
        for rate in [60.0, 240.0] {
            let over = |mechanics| jump(mechanics, degrees.to_radians(), 40.0, rate);
            let (heavy, massless) = (over(saloon_mechanics()), over(massless_mechanics()));
            let case = format!("{degrees} degrees, {rate} Hz: {heavy:?}, {massless:?}");
            let ratio = heavy.pitch_rate / massless.pitch_rate;
            assert!((ratio - 1.0).abs() < 0.25, "{case}");
            assert!(0.99 < heavy.uprightness && 0.8 < heavy.least_uprightness, "{case}");
        }
    }
}

/// The ramp begins with an edge: all springs are pressed onto their stops, those in front before
/// those behind. If these gave back what they take, the rear axle would throw the car over.
#[test]
fn cars_that_hit_the_edge_of_a_ramp_land_on_their_wheels() {
    for degrees in [6.0_f32, 10.0, 15.0, 20.0] {
        for rate in [60.0, 240.0] {
            let jump = jump(saloon_mechanics(), degrees.to_radians(), 1e-3, rate);
            let case = format!("{degrees} degrees, {rate} Hz: {jump:?}");
            assert!((0.0..0.55).contains(&jump.pitch_rate), "{case}");
            assert!(0.99 < jump.uprightness && 0.75 < jump.least_uprightness, "{case}");
        }
    }
}
