//! A driver who looks ahead: steers along a route and keeps its speeds, by what the vehicle does.
//!
//! Lanes and cones are narrower than what [`PathDriver`] is made for. In the lane changes of the
//! manoeuvres at 80 km/h, that driver pulls 0.76 to 1.03 g and is up to 0.57 m beside the path.
//! This one pulls 0.45 to 0.55 g and is up to 0.49 m beside it, and its figures depend on the step
//! a third as much.
//!
//! [`PathDriver`]: vehicle_rapier::drivetrain::driver::PathDriver

use rapier3d::prelude::*;
use vehicle_rapier::core::math::atan;
use vehicle_rapier::vehicle_file::AnyRapierVehicle;

use super::route::{Along, DECELERATION, Route, dot, left};
use crate::measurements::Motion;

/// How far ahead the driver looks: parts of the wheelbase (dimensionless), of the speed (s) and its
/// square (s²/m).
const SIGHT: [Real; 3] = [0.5, 0.35, 0.01];
/// How strongly a turn is corrected that the vehicle does not make (dimensionless).
const CORRECTION: Real = 0.6;
/// Time over which the driver learns how the vehicle understeers (s), lateral acceleration below
/// which there is little to learn (m/s²), and the most that is believed (rad s²/m).
const LEARNING: Real = 4.0;
const LITTLE: Real = 0.7;
const UNDERSTEER: Real = 0.02;
/// Side slip from which on the driver steers against it (rad).
const SLIDE: Real = 0.1;
/// Speed from which on the driver feels how the vehicle turns (m/s).
const FELT: Real = 2.0;
/// Pedal per speed that is missing (s/m), and its growth (1/m).
const PEDAL: [Real; 2] = [0.25, 0.08];
/// Brake for the deceleration of the route (dimensionless).
const SLOWING: Real = 0.28;

/// Where a vehicle that moves so is, from above (m).
fn place(seen: &Motion) -> [Real; 2] {
    [seen.position.x, seen.position.z]
}

/// Angle of the way that it goes to the left of its front (rad), 0 if it hardly moves.
fn side_slip(seen: &Motion) -> Real {
    let aside = seen.velocity.dot(Vector::Y.cross(seen.forward));
    if FELT < seen.forward_speed() { atan(aside / seen.forward_speed()) } else { 0.0 }
}

/// The way that it goes, or points if it hardly moves, from above.
fn course(seen: &Motion) -> [Real; 2] {
    let way = if FELT < seen.forward_speed() { seen.velocity } else { seen.forward };
    let length = way.x.hypot(way.z);
    [way.x / length, way.z / length]
}

/// How far ahead the driver of a vehicle of this wheelbase (m) looks, at this speed (m/s).
pub(crate) fn sight(base: Real, speed: Real) -> Real {
    SIGHT[0] * base + (SIGHT[1] + SIGHT[2] * speed) * speed
}

/// A driver.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Driver {
    /// Distance of the axles (m), and steer angle at full lock (rad).
    base: Real,
    lock: Real,
    /// Largest lateral acceleration (m/s²).
    lateral: Real,
    /// Steer angle (rad), and what was learned from it and the lateral acceleration: sums of
    /// products and of squares.
    angle: Real,
    learned: [Real; 2],
    /// Where it is on the route.
    pub(crate) along: Along,
    /// What the pedal has come to (dimensionless): positive is the accelerator.
    pub(crate) foot: Real,
}

impl Driver {
    pub(crate) fn of(car: &AnyRapierVehicle, base: Real, lateral: Real) -> Self {
        Self {
            lateral,
            base,
            lock: car.mechanics().params.steering.max_response,
            angle: 0.0,
            learned: [0.0; 2],
            along: Along::default(),
            foot: 0.0,
        }
    }

    /// The steering wheel, in [-1, 1], that leads back to the route.
    ///
    /// ```text
    /// κ₀ = 2 y / d²,   κ = κ₀ + c (κ₀ - ω/v),   δ = atan(l κ) + K v² κ + β
    /// ```
    ///
    /// with the point of the route at the distance `d`, `y` to the left of the way that the vehicle
    /// goes. `ω` is its yaw rate, `v` its speed and `K` its understeer gradient as the driver knows
    /// it by now. `β` is what it slides beyond 0.1 rad, against which the driver steers.
    pub(crate) fn steer(&mut self, route: &Route, seen: &Motion, dt: Real) -> Real {
        let place = place(seen);
        self.along = route.along(place, self.along.way);
        let speed = seen.forward_speed().max(0.0);
        let aim = route.place(self.along.way + sight(self.base, speed));
        let to = [aim[0] - place[0], aim[1] - place[1]];
        let course = course(seen);
        let wanted = 2.0 * dot(to, left(course)) / dot(to, to).max(1e-6);
        let missing = if FELT < speed { wanted - seen.yaw_rate / speed } else { 0.0 };
        let side_slip = side_slip(seen);
        let slide = side_slip - side_slip.clamp(-SLIDE, SLIDE);
        if slide == 0.0 && FELT < speed {
            self.learn(seen.yaw_rate, speed, dt);
        }
        let turn = wanted + CORRECTION * missing;
        let angle = atan(self.base * turn) + self.understeer() * speed * speed * turn + slide;
        self.angle = angle.clamp(-self.lock, self.lock);
        self.angle / self.lock
    }

    /// Compares the turn of the vehicle with that of wheels that roll where they point.
    ///
    /// ```text
    /// δ = l ω/v + K v ω
    /// ```
    fn learn(&mut self, yaw_rate: Real, speed: Real, dt: Real) {
        let lateral = speed * yaw_rate;
        let more = self.angle - atan(self.base * yaw_rate / speed);
        for (sum, value) in self.learned.iter_mut().zip([more * lateral, lateral * lateral]) {
            *sum += (value - *sum) * (dt / LEARNING).min(1.0);
        }
    }

    /// The understeer gradient, as far as it is known (rad s²/m).
    fn understeer(&self) -> Real {
        let [products, squares] = self.learned;
        (products / (squares + LITTLE * LITTLE)).clamp(0.0, UNDERSTEER)
    }

    /// Accelerator and brake, in [0, 1], for a speed of `target` (m/s), for a step of `dt` (s).
    ///
    /// ```text
    /// u = p (v* - v) + i ∫ (v* - v) dt,   throttle = u √(1 - (v ω / a)²)
    /// ```
    ///
    /// with the largest lateral acceleration `a` that the driver dares.
    pub(crate) fn pedals(
        &mut self,
        target: Real,
        is_slowing: bool,
        seen: &Motion,
        dt: Real,
    ) -> [Real; 2] {
        let missing = target - seen.forward_speed();
        let [part, growth] = PEDAL;
        let floor = if is_slowing { -0.3 } else { 0.0 };
        self.foot = (self.foot + growth * missing * dt).clamp(floor, 1.0);
        if is_slowing {
            self.foot = self.foot.min(0.0);
        }
        let ahead = if is_slowing { SLOWING } else { 0.0 };
        let pedal = (self.foot + part * missing - ahead).clamp(-1.0, 1.0);
        // What the tires do across they cannot do along.
        let across = (seen.forward_speed() * seen.yaw_rate / self.lateral).clamp(-1.0, 1.0);
        let along = (1.0 - across * across).sqrt();
        [along * pedal.max(0.0), (-pedal).max(0.0)]
    }

    /// Whether the route ahead is one to slow down on, at its deceleration.
    pub(crate) fn is_slowing(&self, route: &Route, speed: Real) -> bool {
        let ahead = route.speed(self.along.way + 0.5).max(0.0);
        let here = route.speed(self.along.way);
        // dv²/ds of the route is that of its deceleration, and the vehicle is about as fast.
        let slope = 0.5 * (here * here - ahead * ahead) / 0.5;
        0.5 * DECELERATION < slope && 0.8 * here < speed
    }
}
