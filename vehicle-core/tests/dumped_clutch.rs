//! A clutch that is let go at once, with the engine at full speed and the car at rest.

use vehicle_core::implicit_clutch::{
    ClutchEngine, ClutchSolution, ClutchSystem, ClutchWheel, FrictionCouplers, solve,
};
use vehicle_core::math::Real;
use vehicle_core::wheel_rotation::{TireTorque, WheelTorques};

/// Mass of the car (kg), all of it on driven wheels.
const MASS: f64 = 1_500.0;
const WHEELS: usize = 4;
/// Moment of inertia of a wheel (kg·m²), and its radius (m).
const WHEEL_INERTIA: f64 = 1.0;
const RADIUS: f64 = 0.3;
/// Moment of inertia of the engine (kg·m²), and its speed at the start (rad/s).
const ENGINE_INERTIA: f64 = 0.3;
const ENGINE_SPEED: f64 = 600.0;
/// Standard gravity (m/s²).
const GRAVITY: f64 = 9.81;
/// Time in which the worst of the cases settles (s).
const DURATION: f64 = 15.0;

/// What is under the tires, and what they push.
#[derive(Clone, Copy, Debug)]
struct Road {
    friction: f64,
    /// Force of a tire per speed between rim and road (N·s/m).
    stiffness: f64,
    /// Mass that they set in motion (kg).
    mass: f64,
}

const ICE: Road = Road { friction: 0.05, stiffness: 2e4, mass: MASS };
const GLUE: Road = Road { friction: 1e20, stiffness: 1e12, mass: MASS };
/// The car is tied to a wall.
const TIED: Road = Road { mass: 1e12, ..GLUE };

/// One way to dump a clutch.
#[derive(Clone, Copy, Debug)]
struct Dump {
    road: Road,
    /// Strength of the clutch (N·m·s).
    strength: Real,
    gear_ratio: f64,
    /// Steps per time (1/s).
    rate: f64,
    /// Friction of the engine (N·m·s).
    engine_damping: Real,
}

fn every_dump() -> impl Iterator<Item = Dump> {
    let roads = [ICE, GLUE, TIED].into_iter();
    let rates = move |road| [60.0, 180.0].map(|rate| (road, rate));
    let strengths = |(road, rate)| [1.0, 10.0, 100.0, 1e4, 1e6].map(|k| (road, rate, k));
    let gear_ratios = |(road, rate, strength)| {
        let dump = move |gear_ratio| Dump { road, strength, gear_ratio, rate, engine_damping: 0.0 };
        [-14.0, 2.5, 6.0, 14.0, 50.0].map(dump)
    };
    roads.flat_map(rates).flat_map(strengths).flat_map(gear_ratios)
}

/// The car in the middle of it.
struct Car {
    dump: Dump,
    /// Speed over the road (m/s).
    speed: f64,
    wheel_speed: Real,
    engine_speed: Real,
}

impl Car {
    fn new(dump: Dump) -> Self {
        Self { dump, speed: 0.0, wheel_speed: 0.0, engine_speed: ENGINE_SPEED as Real }
    }

    fn system(&self) -> ClutchSystem {
        let wheel = ClutchWheel {
            rotation_speed: self.wheel_speed,
            inertia: WHEEL_INERTIA as Real,
            damping_rate: 0.0,
            torques: WheelTorques::default(),
            tire: self.tire(),
            torque_ratio: 1.0 / WHEELS as Real,
            speed_ratio: 1.0 / WHEELS as Real,
            constraint: None,
        };
        let engine = ClutchEngine {
            rotation_speed: self.engine_speed,
            inertia: ENGINE_INERTIA as Real,
            damping_rate: self.dump.engine_damping,
            torque: 0.0,
            speed_range: [0.0, Real::INFINITY],
        };
        let (strength, gear_ratio) = (self.dump.strength, self.dump.gear_ratio as Real);
        let wheels = [wheel; WHEELS].into_iter().collect();
        let (capacity, couplers) = (Real::INFINITY, FrictionCouplers::new());
        ClutchSystem { strength, capacity, gear_ratio, engine, wheels, couplers }
    }

    /// Force in proportion to the speed of the rim over the road, up to friction. No tire is
    /// stiffer than what brings its part of the car to the speed of the rim.
    fn tire(&self) -> TireTorque {
        let Road { friction, stiffness, mass } = self.dump.road;
        let (wheels, rate) = (WHEELS as f64, self.dump.rate);
        let stiffness = stiffness.min(mass / wheels * rate);
        let max_force = friction * MASS / wheels * GRAVITY;
        let slip_speed = f64::from(self.wheel_speed) * RADIUS - self.speed;
        TireTorque {
            torque: (-stiffness * slip_speed * RADIUS) as Real,
            resistance: (stiffness * RADIUS * RADIUS) as Real,
            max_torque: (max_force * RADIUS) as Real,
        }
    }

    fn advance(&mut self, solution: &ClutchSolution) {
        let tires = solution.wheels.iter().map(|wheel| f64::from(wheel.tire_torque));
        self.speed -= tires.sum::<f64>() / RADIUS / self.dump.road.mass / self.dump.rate;
        self.wheel_speed = solution.wheels[0].rotation_speed;
        self.engine_speed = solution.engine_speed;
    }
}

/// Slip of the clutch (rad/s), 0 where it is below what speeds of 32 bits tell apart.
fn resolved_slip(system: &ClutchSystem, solution: &ClutchSolution) -> Real {
    let plate_speed = solution.wheels[0].rotation_speed * system.gear_ratio;
    let resolution = 4.0 * Real::EPSILON * solution.engine_speed.max(plate_speed.abs());
    let slip = solution.slip(system);
    if slip.abs() <= resolution { 0.0 } else { slip }
}

/// Speed of the engine when nothing slips any more (rad/s): whatever slips on the way there, it
/// takes from one what it gives to the other.
///
/// ```text
/// G I_E (ω_0 - ω_E) = (N I + m R²) ω_E / G
/// ```
fn settled_engine_speed(dump: &Dump) -> f64 {
    let engine = dump.gear_ratio * dump.gear_ratio * ENGINE_INERTIA;
    let car = WHEELS as f64 * WHEEL_INERTIA + dump.road.mass * RADIUS * RADIUS;
    ENGINE_SPEED * engine / (engine + car)
}

/// Follows `dump`, in which the clutch turns from driving the car to being driven at most
/// `allowed_sign_changes` times; the speed of the engine at the end (rad/s).
fn settle(dump: Dump, allowed_sign_changes: u32) -> Real {
    let mut car = Car::new(dump);
    let (mut sign_changes, mut last_slip) = (0, -1.0);
    for step in 0..(DURATION * dump.rate) as usize {
        let system = car.system();
        let solution = solve(&system, (1.0 / dump.rate) as Real);
        let told = || format!("{dump:?}, step {step}: {system:?}, {solution:?}");
        let is_finite = solution.wheels.iter().all(|wheel| wheel.rotation_speed.is_finite());
        assert!(is_finite, "{}", told());
        let highest = car.engine_speed * (1.0 + Real::EPSILON);
        assert!((0.0..=highest).contains(&solution.engine_speed), "{}", told());
        let slip = resolved_slip(&system, &solution);
        sign_changes += u32::from(slip * last_slip < 0.0);
        assert!(sign_changes <= allowed_sign_changes, "{slip} rad/s of slip: {}", told());
        last_slip = if slip == 0.0 { last_slip } else { slip };
        car.advance(&solution);
    }
    car.engine_speed
}

#[test]
fn dumped_clutch_slows_the_engine_until_nothing_slips() {
    for dump in every_dump() {
        let (expected, actual) = (settled_engine_speed(&dump), settle(dump, 0));
        let error = (f64::from(actual) - expected).abs();
        assert!(error < 1e-3 * expected + 1e-2, "{dump:?}: {actual} rad/s, not {expected}");
    }
}

#[test]
fn car_comes_to_drive_an_engine_with_friction_at_most_once() {
    for dump in every_dump() {
        let engine_damping = 0.1;
        let speed = settle(Dump { engine_damping, ..dump }, 1);
        assert!(speed < settle(dump, 0), "{dump:?}: {speed} rad/s");
    }
}
