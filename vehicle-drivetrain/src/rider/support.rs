//! What a rider does within a step: feet or stand, a hand at the brakes, and what a front wheel
//! that is steered as it turns does to the motorcycle.

use std::ops::ControlFlow::{self, Continue};

use vehicle_core::math::lanes::Lanes;
use vehicle_core::math::{Clamped, Real, Vec3};
use vehicle_core::rigid_body::Wrench;
use vehicle_core::tire::TireModel;
use vehicle_core::vehicle::{HasOwn, MechanicalParams, MechanicalState, MechanicsWithOwn};
use vehicle_core::wheel_list::place;
use vehicle_core::{Component, Context, WheelReaction};

use super::attitude::{Attitude, share_of_feet};
use super::limits::{RiderLimits, left_by, lightness, share_of_hand};
use super::{Rider, RiderModel, SingleTrack};

/// In what times a hand squeezes a brake, and lets go of it (s).
const SQUEEZING: Real = 0.15;
const LETTING_GO: Real = 0.05;
/// Least speed that the slip which a rider feels is relative to (m/s). From rest, a rim is ahead of
/// the road by much of the little speed that there is, and the tire grips all the same.
const LEAST_FELT_SPEED: Real = 1.0;

/// A rider supports the motorcycle in each substep: by feet or stand, by a hand that does not lock
/// its wheels or throw it over, see [the module](super). It follows the tires, whose forces it
/// reads, and [`TreadContact`](vehicle_core::vehicle::TreadContact).
///
/// The brake of a wheel is let go of beyond what friction leaves beside the lateral force. That of
/// the front wheel is let go of as the rear one is about to lift:
///
/// ```text
/// T ≤ R (η μ N - max(|F_T|, τ N_0)),   T_front ≤ R (m g (a (1 - τ/(η_r μ)) - ε L)/h - F_rear) s
/// s' = (min(1, 2 N_rear/(ε m g)) - s)/t
/// ```
///
/// with the lateral acceleration `τ` by gravity of the lean, or of that in mind. The hand squeezes
/// the front brake within `t` = 0.15 s, and lets go of it in 0.05 s. A brake that acts at once
/// would throw the load to the front faster than the fork can bear it. The rear wheel would lift,
/// the hand let go, and so on.
///
/// A front wheel that is steered at the rate `δ'` as it turns with the momentum `I ω` rolls the
/// motorcycle to the other side, if wheels are gyroscopes:
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
        let gravity = context.params.gravity.length();
        let front = model.track.wheels[0];
        let ground = mechanics.state.roads.of(front).map_or(Vec3::ZERO, |road| road.velocity);
        let body = &mechanics.state.rigid_body;
        let attitude = Attitude::of(body, &model.track, ground, context);
        let feet = |attitude: &Attitude| feet(model, attitude, rider.lean, gravity, dt);
        let support = attitude.as_ref().map_or(Vec3::ZERO, feet);
        let torque = support - rider.support;
        mechanics.state.push_within_substeps(Wrench { torque, ..Wrench::default() });
        rider.support = support;

        if context.params.wheel_reaction == WheelReaction::Gyroscopic {
            turn_front_gyroscope(mechanics.params, mechanics.state, rider, model, context);
        }
        let lean = attitude.map_or(0.0, |attitude| attitude.lean);
        roll_aside(mechanics.state, &model.track, lean, context);
        if context.substep.index == 0 {
            let torques = &mechanics.state.brake_torques;
            rider.brake_demands = model.track.wheels.map(|wheel| torques[wheel]);
        }
        let scale = context.params.coordinates.length_scale;
        feel_tires(mechanics.state, rider, model, (gravity, scale));
        // On its side, its tires bear no load by which a rider would know how firmly to brake.
        if !rider.is_down {
            brake(mechanics.params, mechanics.state, rider, model, (gravity, dt));
        }
        Continue(())
    }
}

/// The moment of a front wheel that is steered as it turns.
fn turn_front_gyroscope<Tire: TireModel>(
    params: &MechanicalParams<Tire>,
    state: &mut MechanicalState<Tire>,
    rider: &Rider,
    model: &RiderModel,
    context: &Context<'_>,
) {
    let front = model.track.wheels[0];
    let (four, lane) = place(front);
    let speed = state.wheels.four(four).rotation_speed.lane(lane);
    let momentum = params.wheels[front].inertia * speed;
    let axis = state.rigid_body.direction(context.frame().vertical());
    let turning = axis * rider.steer_rate;
    let tires = state.tires.four_mut(four);
    let moment = turning.cross(tires.axle.lane(lane)) * momentum;
    tires.force.moment.set_lane(lane, tires.force.moment.lane(lane) - moment);
}

/// A wheel that leans rolls aside where its tire has no lateral force. Constraint rows ask how fast
/// a contact slides, to stop it if its force would overshoot: the speed that they are told is that
/// beside this way.
fn roll_aside<Tire: TireModel>(
    state: &mut MechanicalState<Tire>,
    track: &SingleTrack,
    lean: Real,
    context: &Context<'_>,
) {
    let slowest = context.params.tire_slip.min_lateral_denominator;
    for end in [0, 1] {
        let slope = track.camber_slope(end, lean);
        let (four, lane) = place(track.wheels[end]);
        let speeds = &mut state.tires.four_mut(four).speeds;
        let aside = slope * speeds.longitudinal.lane(lane).abs().max(slowest);
        speeds.lateral.set_lane(lane, speeds.lateral.lane(lane) - aside);
    }
}

/// What the rider feels of the tires.
fn feel_tires<Tire: TireModel>(
    state: &MechanicalState<Tire>,
    rider: &mut Rider,
    model: &RiderModel,
    (gravity, scale): (Real, Real),
) {
    let tires = model.track.wheels.map(|wheel| {
        let (four, lane) = place(wheel);
        (state.tires.four(four), lane)
    });
    let [front_pull, pull] = tires.map(|(tire, lane)| tire.force.longitudinal_force.lane(lane));
    rider.least_load_share = model.track.least_load_share(front_pull + pull, gravity);
    let grips = tires.map(|(tire, lane)| tire.grip.lane(lane));
    rider.loads = grips.map(|grip| grip.load);
    let loaded = grips.iter().filter(|grip| 0.0 < grip.load);
    let friction = loaded.map(|grip| grip.friction).reduce(Real::min);
    rider.friction = friction.unwrap_or(rider.friction);
    let (rear, lane) = tires[1];
    rider.rear_lateral_force = rear.force.lateral_force.lane(lane);
    let denominator = rear.slip_denominator.lane(lane);
    let share = denominator / denominator.max(LEAST_FELT_SPEED * scale);
    rider.rear_slip = rear.slip.longitudinal.lane(lane) * share;
}

/// Lets go of brakes beyond what the motorcycle takes.
fn brake<Tire: TireModel>(
    params: &MechanicalParams<Tire>,
    state: &mut MechanicalState<Tire>,
    rider: &mut Rider,
    model: &RiderModel,
    (gravity, dt): (Real, Real),
) {
    let track = &model.track;
    let firmly = if 0.0 < rider.brake_demands[0] { lightness(model, rider.loads[1]) } else { 0.0 };
    let times = [SQUEEZING, LETTING_GO];
    rider.front_brake_share = share_of_hand(rider.front_brake_share, firmly, times, dt);
    let most = [0, 1].map(|end: usize| {
        let (four, lane) = place(track.wheels[end]);
        let tires = state.tires.four(four);
        let grip = tires.grip.lane(lane);
        let limit = model.params.grip_share * grip.friction * grip.load;
        let force = tires.force.lateral_force.lane(lane);
        let lateral = force.abs().max(rider.lateral * track.loads()[end]);
        left_by(limit, lateral) * rider.upright_share
    });
    let [front, rear] = track.wheels;
    let radii = track.wheels.map(|wheel| params.wheels[wheel].radius);
    let RiderLimits { lifted, .. } = RiderLimits::of(model, rider, gravity);
    let of_rear = most[1].min(rider.brake_demands[1] / radii[1]);
    let of_front = most[0].min((lifted - of_rear).max(0.0) * rider.front_brake_share);
    state.brake_torques[front] = rider.brake_demands[0].min(of_front * radii[0]);
    state.brake_torques[rear] = of_rear * radii[1];
}

/// Torque of feet or stand on the body (N·m).
fn feet(model: &RiderModel, attitude: &Attitude, wanted: Real, gravity: Real, dt: Real) -> Vec3 {
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
    let moment = (now / (1.0 + (damping + stiffness * dt) * dt / inertia)).clamped(-most, most);
    attitude.heading * (share * moment)
}
