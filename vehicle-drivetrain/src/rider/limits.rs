//! How much brake and throttle a motorcycle takes.

use vehicle_core::math::{Clamped, Real};

use super::{Rider, RiderModel};

/// Force that a friction `limit` leaves beside a `lateral` force (N): less than a circle of
/// friction would, so that the tire answers to steering.
pub(super) fn left_by(limit: Real, lateral: Real) -> Real {
    (limit - lateral).max(0.0)
}

/// How far a wheel under `load` (N) is from lifting: 1 from half of the least load on that the
/// rider leaves it.
pub(super) fn lightness(model: &RiderModel, load: Real) -> Real {
    let least = 0.5 * model.params.least_load * model.track.loads().iter().sum::<Real>();
    if 0.0 < least { (load / least).clamped(0.0, 1.0) } else { 1.0 }
}

/// The share in [0, 1] after `dt` (s) of what a hand has had a `share` of and wants this one of. It
/// comes to more and to less in these times (s).
pub(super) fn share_of_hand(share: Real, wanted: Real, [more, less]: [Real; 2], dt: Real) -> Real {
    let time = if share < wanted { more } else { less };
    share + (wanted - share) * dt / (time + dt)
}

/// Forces along the road at which a wheel has the least load that the rider leaves it (N).
pub(super) struct RiderLimits {
    /// Limit of brakes, at which the rear wheel lifts.
    pub(super) lifted: Real,
    /// Limit of throttle, at which the front wheel lifts.
    pub(super) raised: Real,
}

impl RiderLimits {
    /// A force along the road moves load from one wheel to the other, whose lateral force stays the
    /// same: it must be borne by what is left.
    ///
    /// ```text
    /// F_brake = m g (a (1 - τ/(η_r μ)) - ε L)/h,   F_throttle = m g (b (1 - τ/(η_r μ)) - ε L)/h
    /// ```
    ///
    /// Source: V. Cossalter, "Motorcycle Dynamics" (2006), chapter 3, for load transfer, wheeling
    /// and stoppies.
    pub(super) fn of(model: &RiderModel, rider: &Rider, gravity: Real) -> Self {
        let RiderModel { params, track, .. } = model;
        let kept = params.least_load * track.wheel_base();
        let friction = params.roll_share * rider.friction;
        let free = if rider.lateral < friction { 1.0 - rider.lateral / friction } else { 0.0 };
        let force = |distance: Real| {
            (track.mass * gravity * (distance * free - kept) / track.height).max(0.0)
        };
        let [front, rear] = track.distances;
        Self { lifted: force(front), raised: force(rear) }
    }
}
