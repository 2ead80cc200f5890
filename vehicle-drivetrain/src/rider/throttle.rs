//! How far a rider opens the throttle.

use std::ops::ControlFlow::{self, Continue};

use vehicle_core::math::Real;
use vehicle_core::vehicle::{HasOwn, MechanicsWithOwn};
use vehicle_core::{Component, Context};

use super::Rider;
use super::attitude::share_between;
use super::limits::{RiderLimits, left_by, lightness, share_of_hand};
use crate::drivetrain::{Drivetrain, HasDrivetrain};
use crate::engine::{engine_damping_rate, engine_torque};
use crate::gearbox::overall_gear_ratio;

/// Slip of the rear tire from which on the throttle is closed, and at which it is shut
/// (dimensionless).
const SLIPS: [Real; 2] = [0.15, 0.4];
/// Slip against the way from which on the engine is helped to turn with the rear wheel, and at
/// which it turns by itself (dimensionless).
const DRAGS: [Real; 2] = [0.03, 0.1];
/// In what times a hand opens the throttle again, and closes it (s).
const OPENING: Real = 0.5;
const CLOSING: Real = 0.1;

/// A rider's hand at the throttle. It gives no more than at which the front wheel stays on the road
/// and the rear tire grips. It gives as much as it takes that the engine does not drag a light rear
/// wheel. It follows [`Transmission`](crate::stages::Transmission).
///
/// ```text
/// F = min(m g (b (1 - τ/(η_r μ)) - ε L)/h, η μ N - |F_T|)
/// θ ≤ (F R/i (1 + J i²/(m R²)) + c ω)/(T_full + (c - c_full) ω)
/// ```
///
/// with the torque `T_full` of the engine at full throttle, its friction `c` per speed and inertia
/// `J`, and the ratio `i` of the gear. A share `min(1, 2 N_front/(ε m g)) s` of it is left as the
/// front wheel is about to lift or the rear tire slips by `κ`, by the last step:
///
/// ```text
/// s' = (1 - sat((κ - 0.15)/0.25) - s)/t
/// ```
///
/// The hand closes the throttle within `t` = 0.1 s, and opens it again in 0.5 s. A throttle that
/// were shut and open from frame to frame would let the tire slip and grip in turns. Frames of 1/30
/// s are too long for that: the motorcycle would not climb a slippery hill.
#[derive(Clone, Copy, Debug)]
pub struct RiderThrottle;

impl<V: HasOwn<Own = Rider> + HasDrivetrain + ?Sized> Component<V> for RiderThrottle {
    fn update(&self, vehicle: &mut V, dt: Real, context: &Context<'_>) -> ControlFlow<()> {
        let MechanicsWithOwn { params: model, state: rider, .. } = vehicle.own();
        let track = &model.track;
        let friction = model.params.grip_share * rider.friction * rider.loads[1];
        let RiderLimits { raised, .. } =
            RiderLimits::of(model, rider, context.params.gravity.length());
        let planned = rider.lateral * track.loads()[1];
        let force = raised.min(left_by(friction, rider.rear_lateral_force.abs().max(planned)));
        let wanted = 1.0 - share_between(rider.rear_slip, SLIPS);
        rider.throttle_share = share_of_hand(rider.throttle_share, wanted, [OPENING, CLOSING], dt);
        let share = lightness(model, rider.loads[0]) * rider.throttle_share;
        let is_dragged = share_between(-rider.rear_slip, DRAGS);
        let (rear, mass) = (track.wheels[1], track.mass);
        let Drivetrain { mechanics, params, state, .. } = vehicle.drivetrain();
        let ratio = overall_gear_ratio(&params.gearbox, state.gearbox.current).abs();
        if ratio == 0.0 {
            return Continue(());
        }
        let engine = &params.engine;
        let speed = state.engine.rotation_speed;
        let lever = mechanics.params.wheels[rear].radius / ratio;
        let turning = 1.0 + engine.inertia / (mass * lever * lever);
        let closed = engine_damping_rate(&engine.damping, 0.0, 1.0) * speed;
        let open = engine_damping_rate(&engine.damping, 1.0, 1.0) * speed;
        let full = engine_torque(engine, 1.0, speed) + closed - open;
        let throttle = |torque: Real| if torque < full { torque / full } else { 1.0 };
        let most = throttle(force * lever * turning + closed);
        let least = throttle(closed) * is_dragged;
        state.throttle = state.throttle.min(most * share).max(least);
        Continue(())
    }
}
