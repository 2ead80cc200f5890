//! By how much driven wheels are faster than they are to be.

use vehicle_core::math::lanes::{Number, Real4};
use vehicle_core::math::{Real, sign};

use super::super::lists::four_of;
use super::super::requests::WheelRequest;
use super::super::signals::WheelSignals;
use super::params::TractionParams;

/// Time for which nothing is limited, after which the aid lets go (s).
pub(super) const LEAVE_TIME: Real = 0.2;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TractionWheel {
    pub(super) slip_target: Real,
    pub(super) radius: Real,
    pub(super) inertia: Real,
    pub(super) max_brake_torque: Real,
    pub(super) is_driven: bool,
}

/// Up to four wheels side by side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TractionFour {
    pub(super) slip_target: Real4,
    pub(super) radius: Real4,
    /// 1 for a wheel that is driven, and 0 for others.
    pub(super) driven: Real4,
}

impl TractionFour {
    pub(super) fn of(wheels: &[TractionWheel]) -> Self {
        Self {
            slip_target: four_of(wheels, 0.0, |wheel| wheel.slip_target),
            radius: four_of(wheels, 1.0, |wheel| wheel.radius),
            driven: four_of(wheels, 0.0, |wheel| if wheel.is_driven { 1.0 } else { 0.0 }),
        }
    }
}

/// The way that a wheel is driven, 1 or -1; that of the `gear` without torque.
pub(super) fn driven_direction(request: &WheelRequest, gear: Real) -> Real {
    match sign(request.drive_demand()) {
        0.0 => gear,
        direction => direction,
    }
}

/// Rotation speed beyond the target, along `direction` (rad/s). The wheel has these speeds of its
/// contact (m/s) and of its rotation (rad/s), and this radius (m) and least speed of slip (m/s).
pub(super) fn excess<N: Number>(
    (speed, rotation_speed): (N, N),
    direction: N,
    slip_target: N,
    (radius, min_slip_speed): (N, Real),
) -> N {
    // A wheel that still rolls the other way is to turn as its drive does.
    let speed = (speed * direction).at_least(N::zero());
    let slipping = speed * (N::splat(1.0) + slip_target);
    let target = slipping.at_least(speed + N::splat(min_slip_speed)) / radius;
    rotation_speed * direction - target
}

/// Motion of a wheel along the way that the drive turns.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Driven {
    pub(super) rotation_speed: Real,
    /// Rotation speed beyond the target (rad/s).
    pub(super) excess: Real,
    force: Real,
    force_slope: Real,
}

impl TractionWheel {
    /// Rotation speed beyond the target, along `direction` (rad/s).
    pub(super) fn excess(
        &self,
        wheel: &WheelSignals,
        direction: Real,
        least_slip_target: Real,
        params: &TractionParams,
    ) -> Real {
        let slip_target = self.slip_target.max(least_slip_target);
        let speeds = (wheel.longitudinal_speed, wheel.rotation_speed);
        excess(speeds, direction, slip_target, (self.radius, params.min_slip_speed))
    }

    pub(super) fn driven(
        &self,
        wheel: &WheelSignals,
        direction: Real,
        least_slip_target: Real,
        params: &TractionParams,
    ) -> Driven {
        Driven {
            rotation_speed: wheel.rotation_speed * direction,
            excess: self.excess(wheel, direction, least_slip_target, params),
            force: wheel.longitudinal_force * direction,
            force_slope: wheel.force_slope.max(0.0),
        }
    }
}

impl Driven {
    /// Torque that brings the wheel to its target in the response time (N·m).
    pub(super) fn held_torque(
        &self,
        params: &TractionWheel,
        response_time: Real,
        dt: Real,
    ) -> Real {
        let force = self.force - self.force_slope * self.excess;
        params.radius * force - params.inertia * self.excess / response_time.max(dt)
    }
}

/// Keeps time for which a wheel is watched: from where it `spins` until it has not `needed` help
/// for a while. Returns whether it is.
pub(super) fn watch(time: &mut Real, spins: bool, is_needed: bool, dt: Real) -> bool {
    let is_watched = 0.0 < *time;
    if spins || (is_watched && is_needed) {
        *time = LEAVE_TIME;
    } else {
        *time = (*time - dt).max(0.0);
    }
    0.0 < *time
}
