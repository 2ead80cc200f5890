//! Grip brings a car that slides or turns to rest, and not beyond, however long the step.

use proptest::prelude::*;
use vehicle_core::blueprint::CarBlueprint;
use vehicle_core::math::{Real, Vec3};
use vehicle_core::wheel::WheelParams;
use vehicle_drivetrain::DirectDriveParams;

use crate::cars::{Car, FRAME, cars};
use crate::common::seeded;
use crate::motions::Motion;
use crate::scene::Scene;
use crate::vehicles::LawfulVehicle;

/// Time in which a car is seen to calm down (s).
const SECONDS: Real = 8.0;
/// Part of a turn that the aligning moments may add beside the forces: the pneumatic trail as a
/// part of the lever (dimensionless).
const TRAIL: Real = 0.03;

/// A car with a mass, inertia and tires of its own that rolls straight on. Its springs are soft for
/// the longest steps, and its wheels light: their spin would turn it, too.
#[derive(Clone, Debug)]
struct Rolling {
    car: Car,
    /// Factor of the car's mass, its springs and its inertia.
    mass: Real,
    /// Factor of its moments of inertia beside that: roll and yaw.
    inertia: [Real; 2],
    /// Factor of the lateral stiffness of all tires, and of those at the rear.
    grip: [Real; 2],
    /// Forward speed (m/s).
    speed: Real,
    /// Steps per second (Hz).
    rate: Real,
    substeps: u32,
}

prop_compose! {
    fn rolling_cars()(
        car in cars(),
        mass in prop_oneof![0.2_f32..1.0, 1.0_f32..10.0],
        inertia in (0.7_f32..3.0, 0.25_f32..3.0),
        grip in (0.3_f32..3.0, 1.0_f32..1.5),
        speed in prop_oneof![0.5_f32..10.0, 10.0_f32..60.0],
        rate in 30.0_f32..240.0,
        substeps in 1_u32..4,
    ) -> Rolling {
        let blueprint = CarBlueprint {
            natural_frequency: 1.4,
            damping_ratio: 0.4,
            travel_distance: 0.25,
            wheel: WheelParams { inertia: 0.01 * mass, damping_rate: 0.0, ..car.blueprint.wheel },
            ride: None,
            ..car.blueprint
        };
        let car = Car { blueprint, springs: [1.0; 4], tires: [1.0; 4], bars: [0.0; 2], ..car };
        Rolling { car, mass, inertia: inertia.into(), grip: grip.into(), speed, rate, substeps }
    }
}

impl Rolling {
    fn params(&self) -> DirectDriveParams {
        let mut params = self.car.params();
        let mechanics = &mut params.mechanics;
        let [roll, yaw] = self.inertia;
        mechanics.rigid_body.mass *= self.mass;
        mechanics.rigid_body.inertia *= Vec3::new(roll, 1.0, yaw) * self.mass;
        for spring in &mut mechanics.suspension_forces {
            spring.stiffness *= self.mass;
            spring.damping *= self.mass;
            spring.sprung_mass *= self.mass;
        }
        let [grip, rear] = self.grip;
        for (wheel, tire) in mechanics.tires.iter_mut().enumerate() {
            tire.rest_load *= self.mass;
            tire.longitudinal_stiffness *= self.mass;
            tire.lateral_stiffness *= self.mass * grip * if wheel < 2 { 1.0 } else { rear };
        }
        params
    }

    /// Its scene, as it slides to the left (m/s) and turns (rad/s).
    fn scene(&self, slide: Real, turn: Real) -> Scene {
        let motion = Motion {
            velocity: [self.speed, slide, 0.0],
            rates: [0.0, 0.0, turn],
            wheel_speeds: [self.speed / self.car.blueprint.wheel.radius; 4],
            ..Motion::still(0.0)
        };
        let mut scene = Scene::new(&self.car, &motion);
        scene.vehicle = scene.vehicle.with_params(self.params());
        scene
    }

    /// How fast it moves sideways and turns, as a speed (m/s), at most in each quarter of the
    /// time.
    ///
    /// ```text
    /// sqrt(v_T² + k² ω²)
    /// ```
    fn unrest(&self, slide: Real, turn: Real) -> [Real; 4] {
        let mut scene = self.scene(slide, turn);
        let body = scene.vehicle.params().mechanics.rigid_body;
        let steps = (SECONDS * self.rate) as usize;
        let mut most: [Real; 4] = [0.0; 4];
        for step in 0..steps {
            scene.steps(1, self.substeps, 1.0 / self.rate);
            let state = &scene.vehicle.state.mechanics.rigid_body;
            let turning = body.inertia.z / body.mass * state.angular_velocity.z.powi(2);
            let unrest = (state.lateral_speed(&FRAME).powi(2) + turning).sqrt();
            let quarter = &mut most[4 * step / steps];
            *quarter = quarter.max(unrest);
        }
        most
    }
}

proptest! {
    #![proptest_config(seeded(4_000))]

    #[test]
    fn grip_turns_no_slide_around_within_a_step(
        rolling in rolling_cars(),
        slide in prop_oneof![0.01_f32..0.3, 0.3_f32..3.0],
    ) {
        let mut scene = rolling.scene(slide, 0.0);
        scene.steps(1, 1, 1.0 / rolling.rate);
        let left = scene.outcome().velocity.dot(FRAME.lateral());
        prop_assert!(0.0 <= left, "{left} m/s after {slide} m/s");
    }

    #[test]
    fn grip_turns_no_turn_around_within_a_step(
        rolling in rolling_cars(),
        turn in prop_oneof![0.01_f32..0.1, 0.1_f32..1.0],
    ) {
        let mut scene = rolling.scene(0.0, turn);
        scene.steps(1, 1, 1.0 / rolling.rate);
        let left = scene.outcome().rates.dot(FRAME.vertical());
        prop_assert!(-TRAIL * turn <= left, "{left} rad/s after {turn} rad/s");
    }
}

proptest! {
    #![proptest_config(seeded(500))]

    #[test]
    fn a_car_that_rolls_straight_calms_down(
        rolling in rolling_cars(),
        slide in -0.3_f32..0.3,
        turn in -0.1_f32..0.1,
    ) {
        let [first, .., last] = rolling.unrest(slide, turn);
        prop_assert!(last <= 0.9 * first, "{first} m/s, then {last} m/s");
    }
}
