//! Components that ride.

use std::ops::ControlFlow::{self, Continue};

use vehicle_core::math::{Real, Vec3, atan, atan2, cos, tan};
use vehicle_core::rigid_body::RigidBodyState;
use vehicle_core::vehicle::{HasOwn, MechanicsWithOwn};
use vehicle_core::{Component, Context, WheelReaction};

use super::{Rider, RiderModel, SingleTrack};
use crate::drivetrain::{Drivetrain, HasDrivetrain};
use crate::engine::engine_torque;
use crate::gearbox::overall_gear_ratio;

/// Rate at which the lean that the rider has in mind goes the rest of its way (1/s).
const LEAN_FREQUENCY: Real = 4.0;
/// Least share of the friction that is spared for how fast the roll rate changes (dimensionless).
const LEAST_SPARE: Real = 0.05;
/// Lean from which on a motorcycle lies (rad): nothing that its rider does lifts it.
const FALLEN: Real = 1.2;
/// Speeds from which on balance decides the steer angle by a share, and in full (m/s). Below, it is that of a car.
const BALANCE_SPEEDS: [Real; 2] = [1.0, 2.0];
/// Rate at which the trim follows an error of the lean (1/s).
const TRIM_RATE: Real = 1.0;
/// The error of the lean that the trim can make up for (rad).
const MOST_TRIM: Real = 0.2;
/// Slip of the rear tire from which on the throttle is closed, and at which it is shut (dimensionless).
const SLIPS: [Real; 2] = [0.15, 0.4];

/// How a body stands and moves, seen along its heading.
struct Attitude {
    /// Unit vector along the heading, level.
    heading: Vec3,
    /// Speed along it (m/s).
    speed: Real,
    /// Speed of the place below the center of mass on which it leans, to the left (m/s).
    contact_speed: Real,
    /// Yaw rate to the left (rad/s).
    yaw_rate: Real,
    /// Lean to the left (rad).
    lean: Real,
    /// Rate of the lean (rad/s).
    lean_rate: Real,
}

impl Attitude {
    /// The attitude of `body` on ground that moves with `ground` (m/s); `None` without gravity, or with the heading up.
    fn of(
        body: &RigidBodyState,
        track: &SingleTrack,
        ground: Vec3,
        context: &Context<'_>,
    ) -> Option<Self> {
        let (frame, gravity) = (context.frame(), context.params.gravity);
        let up = (-gravity).try_normalize()?;
        let [forward, left, top] =
            [frame.longitudinal(), frame.lateral(), frame.vertical()].map(|it| body.direction(it));
        let heading = (forward - up * forward.dot(up)).try_normalize()?;
        let velocity = body.linear_velocity - ground;
        let arm = top * -track.pendulum() - up * track.tread_radius;
        let spin = body.angular_velocity;
        Some(Self {
            heading,
            speed: velocity.dot(heading),
            contact_speed: (velocity + spin.cross(arm)).dot(up.cross(heading)),
            yaw_rate: spin.dot(up),
            lean: atan2(-left.dot(up), top.dot(up)),
            lean_rate: -spin.dot(heading),
        })
    }

    fn is_fallen(&self) -> bool {
        FALLEN < self.lean.abs()
    }
}

/// How far `value` is from the first to the second of `bounds`, in [0, 1].
fn share_between(value: Real, bounds: [Real; 2]) -> Real {
    ((value - bounds[0]) / (bounds[1] - bounds[0])).clamp(0.0, 1.0)
}

/// The part of feet at `speed` (m/s), in [0, 1].
fn share_of_feet(model: &RiderModel, speed: Real) -> Real {
    1.0 - share_between(speed.abs(), model.params.feet_speeds)
}

/// The motorcycle as it is in `context`: with gyroscopes or without.
fn track_in(model: &RiderModel, context: &Context<'_>) -> SingleTrack {
    if context.params.wheel_reaction == WheelReaction::Gyroscopic {
        model.track
    } else {
        SingleTrack { spin_inertia: 0.0, ..model.track }
    }
}

/// A rider steers: from the driver's steering command to a lean, and from there to the steer angle of the front wheel,
/// see [the module](super). It is in the frame, after [`Steering`](vehicle_core::steering::Steering).
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
        let angle = match attitude.filter(|attitude| !attitude.is_fallen()) {
            Some(attitude) => {
                let steering = RiddenTrack { model, track: &track, attitude: &attitude };
                let gravity = context.params.gravity.length();
                steering.lean_towards(command, rider, gravity, dt);
                let balanced = steering.balanced_angle(rider, gravity, dt);
                let share = share_between(attitude.speed, BALANCE_SPEEDS);
                direct + share * (balanced - direct)
            }
            None => {
                (rider.lean, rider.lean_rate, rider.trim) = (0.0, 0.0, 0.0);
                direct
            }
        };
        let (largest, step) = (track.largest_steer_angle, model.params.max_steer_rate * dt);
        let before = rider.steer_angle;
        let angle = angle.clamp(-largest, largest).clamp(before - step, before + step);
        (rider.steer_angle, rider.steer_rate) = (angle, (angle - before) / dt);
        mechanics.state.steer_angles.set(front, angle);
        Continue(())
    }
}

/// A motorcycle that is ridden.
struct RiddenTrack<'a> {
    model: &'a RiderModel,
    track: &'a SingleTrack,
    attitude: &'a Attitude,
}

impl RiddenTrack<'_> {
    /// Moves the lean that the `rider` has in mind towards that of the driver's `command`, see [the module](super).
    fn lean_towards(&self, command: Real, rider: &mut Rider, gravity: Real, dt: Real) {
        let Self { model: RiderModel { params, .. }, track, attitude } = self;
        let most = tan(params.max_lean)
            .min(params.bend_share * rider.friction)
            .min(track.most_by_steering(attitude.speed, gravity));
        let left = track.lean_in_bend(command * most) - rider.lean;
        let used = track.lateral_acceleration(rider.lean).abs().max(most * command.abs());
        let spare = (params.roll_share * rider.friction - used).max(LEAST_SPARE * rider.friction);
        let change = spare * track.mass * gravity * track.height / track.leaning_inertia();
        let stopping = (2.0 * change * left.abs()).sqrt();
        let rate = (LEAN_FREQUENCY * left.abs()).min(stopping).min(params.max_roll_rate);
        let (rate, step) = (rate.copysign(left), change * dt);
        rider.lean_rate = rate.clamp(rider.lean_rate - step, rider.lean_rate + step);
        rider.lean += rider.lean_rate * dt;
    }

    /// The steer angle that keeps the lean (rad).
    fn balanced_angle(&self, rider: &mut Rider, gravity: Real, dt: Real) -> Real {
        let Self { model, track, attitude } = self;
        let speed = attitude.speed.max(BALANCE_SPEEDS[0]);
        let [front, _] = track.distances;
        let at_ground = if rider.loads[0] <= 0.0 {
            // A front wheel in the air is held where it will roll.
            (attitude.contact_speed + front * attitude.yaw_rate) / speed
        } else {
            let [contact_speed, yaw_rate, angle] =
                track.steady(rider.lean, speed, gravity, rider.friction);
            let errors = [
                attitude.contact_speed - contact_speed,
                attitude.yaw_rate - yaw_rate,
                attitude.lean - rider.lean,
                attitude.lean_rate - rider.lean_rate,
            ];
            let lateral = track.lateral_acceleration(rider.lean).abs();
            let gains = model
                .gains
                .at(speed, lateral / rider.friction.max(lateral).max(Real::MIN_POSITIVE));
            let correction: Real = gains.iter().zip(errors).map(|(gain, error)| gain * error).sum();
            let trim = rider.trim + TRIM_RATE * dt * gains[2] * errors[2];
            let most = MOST_TRIM * gains[2].abs();
            rider.trim = trim.clamp(-most, most);
            angle - correction - rider.trim
        };
        let most = track.largest_steer_angle;
        atan(tan(at_ground.clamp(-most, most)) * cos(attitude.lean))
    }
}

/// A rider supports the motorcycle in each substep: by feet or stand, by a hand that does not lock its wheels or throw
/// it over, see [the module](super). It follows the tires, whose forces it reads, and
/// [`TreadContact`](vehicle_core::vehicle::TreadContact).
///
/// The brake of a wheel is let go of beyond what friction leaves beside the lateral force and a reserve, and that of the front wheel
/// as the rear one is about to lift:
///
/// ```text
/// T ≤ R (η μ N - |F_T|),   T_front ≤ R (m g (a - ε L)/h - F_rear) min(1, 2 N_rear / (ε m g))
/// ```
///
/// A front wheel that is steered at the rate `δ'` as it turns with the momentum `I ω` rolls the motorcycle to the other
/// side, if wheels are gyroscopes:
///
/// ```text
/// τ = -I ω δ' e × ℓ
/// ```
///
/// with the steering axis `e` and the axle `ℓ`.
#[derive(Clone, Copy, Debug)]
pub struct RiderSupport;

impl<V: HasOwn<Own = Rider> + ?Sized> Component<V> for RiderSupport {
    fn update(&self, vehicle: &mut V, dt: Real, context: &Context<'_>) -> ControlFlow<()> {
        let MechanicsWithOwn { mechanics, params: model, state: rider } = vehicle.own();
        let (params, state) = (mechanics.params, mechanics.state);
        let track = &model.track;
        let [front, rear] = track.wheels;
        let ground = state.roads.of(front).map_or(Vec3::ZERO, |road| road.velocity);
        let attitude = Attitude::of(&state.rigid_body, track, ground, context);
        let support = attitude.map_or(Vec3::ZERO, |attitude| {
            support(model, &attitude, rider.lean, context.params.gravity.length(), dt)
        });
        state.rigid_body.external_torque += support - rider.support;
        rider.support = support;

        if context.params.wheel_reaction == WheelReaction::Gyroscopic {
            let momentum = params.wheels[front].inertia * state.wheels.of(front).rotation_speed;
            let axis = state.rigid_body.direction(context.frame().vertical());
            let turning = axis * rider.steer_rate;
            state.tires.edit(front, |tire| {
                tire.force.moment -= turning.cross(tire.axle) * momentum;
            });
        }

        let tires = track.wheels.map(|wheel| state.tires.of(wheel));
        rider.loads = tires.map(|tire| tire.grip.load);
        let grips = tires.iter().filter(|tire| 0.0 < tire.grip.load);
        rider.friction =
            grips.map(|tire| tire.grip.friction).reduce(Real::min).unwrap_or(rider.friction);
        (rider.rear_lateral_force, rider.rear_slip) =
            (tires[1].force.lateral_force, tires[1].slip.longitudinal);
        if context.substep.index == 0 {
            rider.brake_demands = track.wheels.map(|wheel| state.brake_torques[wheel]);
        }
        let RiderLimits { lifted, .. } = RiderLimits::of(model, context.params.gravity.length());
        let most = [0, 1].map(|end: usize| {
            let tire = &tires[end];
            let limit = model.params.grip_share * tire.grip.friction * tire.grip.load;
            left_by(limit, tire.force.lateral_force)
        });
        let radii = track.wheels.map(|wheel| params.wheels[wheel].radius);
        let of_rear = most[1].min(rider.brake_demands[1] / radii[1]);
        let of_front = most[0].min((lifted - of_rear).max(0.0) * lightness(model, rider.loads[1]));
        state.brake_torques[front] = rider.brake_demands[0].min(of_front * radii[0]);
        state.brake_torques[rear] = of_rear * radii[1];
        Continue(())
    }
}

/// What friction `limit` leaves beside a `lateral` force (N), with some of it to spare: so much less than a circle of
/// friction would.
fn left_by(limit: Real, lateral: Real) -> Real {
    (limit - lateral.abs()).max(0.0)
}

/// How far a wheel under `load` (N) is from lifting: 1 from half of the least load on that the rider leaves it.
fn lightness(model: &RiderModel, load: Real) -> Real {
    let least = 0.5 * model.params.least_load * model.track.loads().iter().sum::<Real>();
    if 0.0 < least { (load / least).clamp(0.0, 1.0) } else { 1.0 }
}

/// Forces along the road at which a wheel has the least load that the rider leaves it (N).
struct RiderLimits {
    /// Of brakes, at which the rear wheel lifts.
    lifted: Real,
    /// Of throttle, at which the front wheel lifts.
    raised: Real,
}

impl RiderLimits {
    /// ```text
    /// F_brake = m g (a - ε L) / h,   F_throttle = m g (b - ε L) / h
    /// ```
    fn of(model: &RiderModel, gravity: Real) -> Self {
        let RiderModel { params, track, .. } = model;
        let kept = params.least_load * track.wheel_base();
        let force =
            |distance: Real| (track.mass * gravity * (distance - kept) / track.height).max(0.0);
        let [front, rear] = track.distances;
        Self { lifted: force(front), raised: force(rear) }
    }
}

/// Torque of feet or stand on the body (N·m).
fn support(model: &RiderModel, attitude: &Attitude, wanted: Real, gravity: Real, dt: Real) -> Vec3 {
    let share = share_of_feet(model, attitude.speed);
    if share == 0.0 || attitude.is_fallen() {
        return Vec3::ZERO;
    }
    let track = &model.track;
    let weight = track.mass * gravity * track.pendulum();
    let (stiffness, inertia) = (3.0 * weight, track.leaning_inertia());
    let damping = 2.0 * ((stiffness - weight) * inertia).sqrt();
    let now =
        stiffness * (attitude.lean - wanted) + (damping + stiffness * dt) * attitude.lean_rate;
    let most = model.params.feet_moment;
    let moment = (now / (1.0 + (damping + stiffness * dt) * dt / inertia)).clamp(-most, most);
    attitude.heading * (share * moment)
}

/// A rider's hand at the throttle: no more than at which the front wheel stays on the road, and the rear tire does not
/// spin. It follows [`Transmission`](crate::transmission::Transmission).
///
/// ```text
/// θ ≤ min(m g (b - ε L)/h, η μ N - |F_T|) R / (T_full i)
/// ```
///
/// with the torque `T_full` of the engine at full throttle and the ratio `i` of the gear; less as the front wheel is
/// about to lift or the rear tire slips, by the last step.
#[derive(Clone, Copy, Debug)]
pub struct RiderThrottle;

impl<V: HasOwn<Own = Rider> + HasDrivetrain + ?Sized> Component<V> for RiderThrottle {
    fn update(&self, vehicle: &mut V, _dt: Real, context: &Context<'_>) -> ControlFlow<()> {
        let MechanicsWithOwn { params: model, state: rider, .. } = vehicle.own();
        let [_, rear] = model.track.wheels;
        let friction = model.params.grip_share * rider.friction * rider.loads[1];
        let RiderLimits { raised, .. } = RiderLimits::of(model, context.params.gravity.length());
        let force = raised.min(left_by(friction, rider.rear_lateral_force));
        let share =
            lightness(model, rider.loads[0]) * (1.0 - share_between(rider.rear_slip, SLIPS));
        let Drivetrain { mechanics, params, state, .. } = vehicle.drivetrain();
        let ratio = overall_gear_ratio(&params.gearbox, state.gearbox.current).abs();
        let full = engine_torque(&params.engine, 1.0, state.engine.rotation_speed) * ratio;
        let torque = force * mechanics.params.wheels[rear].radius;
        let most = if torque < full { torque / full } else { 1.0 };
        state.throttle = state.throttle.min(most * share);
        Continue(())
    }
}
