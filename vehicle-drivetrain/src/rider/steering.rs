//! From the driver's steering command to a lean, and from the lean to a steer angle.

use std::ops::ControlFlow::{self, Continue};

use vehicle_core::math::{Clamped, Real, Vec3, atan, cos, tan};
use vehicle_core::vehicle::{HasOwn, MechanicsWithOwn};
use vehicle_core::{Component, Context};

use super::attitude::{Attitude, share_between, share_of_feet, track_in};
use super::single_track::Course;
use super::{Rider, RiderModel, SingleTrack};

/// Rate at which the lean that the rider has in mind goes the rest of its way (1/s).
const LEAN_FREQUENCY: Real = 4.0;
/// Least share of the friction that is spared for how fast the roll rate changes (dimensionless).
const LEAST_SPARE: Real = 0.05;
/// Time in which a rider changes the roll rate (s).
const ROLL_TIME: Real = 0.1;
/// Share of the steering lock that bends need at most where feet do not hold: what is left keeps
/// the balance (dimensionless).
const LOCK_SHARE: Real = 0.65;
/// The part of a bend that is given up for full brakes (dimensionless).
const EASED: Real = 0.6;
/// Shares of what steering lock and feet bear that the lean needs from which on brakes are let go
/// of, and at which they are free (dimensionless). Slower, nothing would lift the motorcycle again.
const LOCKS: [Real; 2] = [0.6, 0.8];
/// Speeds from which on balance decides the steer angle by a share, and in full (m/s). Below, it is
/// that of a car.
const BALANCE_SPEEDS: [Real; 2] = [1.0, 2.0];
/// Leans from which on balance decides it at any speed (rad).
const BALANCE_LEANS: [Real; 2] = [0.08, 0.2];
/// Largest share of the friction that the front tire is steered to (dimensionless).
const MOST_SHARE: Real = 0.9;
/// Rate at which the trim follows an error of the lean (1/s).
const TRIM_RATE: Real = 1.0;
/// Rates of the lean up to which the trim follows in full, and from which on it stays (rad/s).
const TRIM_RATES: [Real; 2] = [0.05, 0.3];
/// Rate at which the trim is forgotten as the lean changes (1/s): what it made up for was of that
/// bend.
const FORGET_RATE: Real = 3.0;
/// The error of the lean that the trim can make up for (rad).
const MOST_TRIM: Real = 0.1;

/// A rider steers: from the driver's steering command to a lean, and from there to the steer angle
/// of the front wheel, see [the module](super). It is in the frame, after
/// [`Steering`](vehicle_core::stages::Steering).
#[derive(Clone, Copy, Debug)]
pub struct RiderSteering;

impl<V: HasOwn<Own = Rider> + ?Sized> Component<V> for RiderSteering {
    fn update(&self, vehicle: &mut V, dt: Real, context: &Context<'_>) -> ControlFlow<()> {
        let MechanicsWithOwn { mechanics, params: model, state: rider } = vehicle.own();
        let track = track_in(model, context);
        let front = track.wheels[0];
        let ground = mechanics.state.roads.of(front).map_or(Vec3::ZERO, |road| road.velocity);
        let attitude = Attitude::of(&mechanics.state.rigid_body, &track, ground, context);
        rider.support = Vec3::ZERO;
        let command = mechanics.commands.steer;
        let direct = mechanics.state.steer_angles[front];
        let upright = attitude.filter(|attitude| !attitude.is_fallen());
        rider.is_down = upright.is_none();
        let angle = match upright {
            Some(attitude) => {
                let steering = RiddenTrack { model, track: &track, attitude: &attitude };
                let gravity = context.params.gravity.length();
                let course = steering.lean_towards(command, rider, gravity, dt);
                let balanced = steering.balanced_angle(&course, rider, gravity, dt);
                let share = share_between(attitude.speed, BALANCE_SPEEDS)
                    .max(share_between(attitude.lean.abs(), BALANCE_LEANS));
                direct + share * (balanced - direct)
            }
            None => {
                rider.let_go();
                direct
            }
        };
        let (largest, step) = (track.largest_steer_angle, model.params.max_steer_rate * dt);
        let before = rider.steer_angle;
        let angle = angle.clamped(-largest, largest).clamped(before - step, before + step);
        (rider.steer_angle, rider.steer_rate) = (angle, (angle - before) / dt);
        mechanics.state.steer_angles.set(front, angle);
        Continue(())
    }
}

impl RiderModel {
    /// The lateral acceleration by gravity that the largest steering command asks for, at `speed`
    /// (m/s) on a road of this `friction`, under `gravity` (m/s²).
    pub fn most_lateral(&self, speed: Real, friction: Real, gravity: Real) -> Real {
        let Self { params, track, .. } = self;
        let lock = LOCK_SHARE + (1.0 - LOCK_SHARE) * share_of_feet(self, speed);
        track
            .lateral_acceleration(params.max_lean)
            .min(params.bend_share * friction)
            .min(lock * track.most_by_steering(speed, gravity))
    }
}

/// A motorcycle that is ridden.
struct RiddenTrack<'a> {
    model: &'a RiderModel,
    track: &'a SingleTrack,
    attitude: &'a Attitude,
}

impl RiddenTrack<'_> {
    /// Moves the lean that the `rider` has in mind towards that of the driver's `command`, see [the
    /// module](super), and returns how it leans at the start of this.
    fn lean_towards(&self, command: Real, rider: &mut Rider, gravity: Real, dt: Real) -> Course {
        let Self { model, track, attitude } = self;
        let params = &model.params;
        let asked = command
            * model.most_lateral(attitude.speed, rider.friction, gravity)
            * self.left_by_brakes(rider, gravity);
        let usable = params.roll_share * rider.friction;
        let borne = asked.abs().min(usable * rider.least_load_share);
        let left = track.lean_in_bend(borne.copysign(asked)) - rider.lean;
        let used = track.lateral_acceleration(rider.lean).abs().max(borne);
        let spare = (usable - used).max(LEAST_SPARE * rider.friction);
        let most = spare * track.mass * gravity * track.height / track.leaning_inertia();
        let late = most * ROLL_TIME;
        let stopping = (late * late + 2.0 * most * left.abs()).sqrt() - late;
        let rate = (LEAN_FREQUENCY * left.abs()).min(stopping).min(params.max_roll_rate);
        let wanted = (rate.copysign(left) - rider.lean_rate) / dt.max(ROLL_TIME);
        let course = Course {
            lean: rider.lean,
            lean_rate: rider.lean_rate,
            lean_acceleration: wanted.clamped(-most, most),
        };
        rider.lean_rate += course.lean_acceleration * dt;
        rider.lean += rider.lean_rate * dt;
        let [in_mind, now] =
            [rider.lean, attitude.lean].map(|lean| track.lateral_acceleration(lean).abs());
        rider.lateral = in_mind.max(now).max(asked.abs());
        rider.upright_share = 1.0 - share_between(now, self.borne_slowly(gravity));
        course
    }

    /// The part of a bend that whoever asks for so much brake asks for: less, so that the
    /// motorcycle comes up and brakes.
    fn left_by_brakes(&self, rider: &Rider, gravity: Real) -> Real {
        let Self { model, track, .. } = self;
        let force: Real = rider
            .brake_demands
            .iter()
            .zip(track.radii)
            .map(|(torque, radius)| torque / radius)
            .sum();
        let most = model.params.grip_share * rider.friction * track.mass * gravity;
        1.0 - EASED * (force / most.max(Real::MIN_POSITIVE)).clamped(0.0, 1.0)
    }

    /// Lateral accelerations by gravity, in a lean, from which on brakes are let go of, and at
    /// which they are free.
    fn borne_slowly(&self, gravity: Real) -> [Real; 2] {
        let Self { model, track, attitude } = self;
        let feet = 0.5 * model.params.feet_moment * share_of_feet(model, attitude.speed);
        let held = feet / (track.mass * gravity * track.pendulum()).max(Real::MIN_POSITIVE);
        let borne = track.most_by_steering(attitude.speed, gravity) + held;
        LOCKS.map(|share| share * borne)
    }

    /// The steer angle that lets it lean on this `course` (rad).
    fn balanced_angle(&self, course: &Course, rider: &mut Rider, gravity: Real, dt: Real) -> Real {
        let Self { model, track, attitude } = self;
        let speed = attitude.speed.max(BALANCE_SPEEDS[0]);
        let [front, _] = track.distances;
        // Where the front wheel goes.
        let path = (attitude.contact_speed + front * attitude.yaw_rate) / speed;
        let at_ground = if rider.loads[0] <= 0.0 {
            // A front wheel in the air is held where it will roll.
            path
        } else {
            let [contact_speed, yaw_rate, angle] =
                track.steady(course, speed, gravity, rider.friction);
            let errors = [
                attitude.contact_speed - contact_speed,
                attitude.yaw_rate - yaw_rate,
                attitude.lean - course.lean,
                attitude.lean_rate - course.lean_rate,
            ];
            let lateral = track.lateral_acceleration(course.lean).abs();
            let gains = model
                .gains
                .at(speed, lateral / rider.friction.max(lateral).max(Real::MIN_POSITIVE));
            let correction: Real = gains.iter().zip(errors).map(|(gain, error)| gain * error).sum();
            let wanted = angle - correction - rider.trim;
            let borne =
                track.borne_by_front(wanted - path, attitude.lean, rider.friction, MOST_SHARE);
            let still = 1.0 - share_between(course.lean_rate.abs(), TRIM_RATES);
            let kept = rider.trim / (1.0 + (1.0 - still) * FORGET_RATE * dt);
            let trim = kept + still * TRIM_RATE * dt * gains[2] * errors[2];
            let most = MOST_TRIM * gains[2].abs();
            rider.trim = trim.clamped(-most, most);
            path + borne
        };
        let most = track.largest_steer_angle;
        atan(tan(at_ground.clamped(-most, most)) * cos(attitude.lean))
    }
}
