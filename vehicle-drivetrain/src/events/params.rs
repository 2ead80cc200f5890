//! Thresholds of events.

use serde::{Deserialize, Serialize};
use vehicle_core::error::{Bound, ParamCheck, Validate};
use vehicle_core::math::Real;

/// Most events that a list is made for: some 60 bytes each.
const MOST_EVENTS: usize = 1 << 16;

/// When something counts as an event. Of two bounds, one begins it and the other, which is easier
/// to keep, ends it. Speeds are in meters, whatever the unit of length of the vehicle.
///
/// Times are longer than a step of 30 Hz where something may come and go within one, so that the
/// events of a drive do not depend on its steps.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EventParams {
    /// Events that wait to be drained; then the oldest are lost. A busy second has some 20.
    pub capacity: usize,
    /// Time for which an engine has died, or runs again, until it is told (s): a starter turns it
    /// by jerks.
    pub engine_time: Real,
    /// Time without the limiter after which it is reached anew (s). It cuts 5 to 20 times a second
    /// as it holds an engine, of which a coarse step sees some.
    pub limiter_time: Real,
    /// Time for which an aid acts, and for which it has not acted any more (s). Whatever it does is
    /// meant, and anti-lock brakes pause for a tenth of a second between two wheels.
    pub aid_times: [Real; 2],
    /// Speed of a vehicle below which its wheels do not lock, and to which that of a spinning rim
    /// is compared at least (m/s). Below a brisk walk, slip is neither heard nor felt.
    pub slip_speed: Real,
    /// Speed of a rim as a part of that of the road below which it is locked, and above which it
    /// rolls again (dimensionless). Tires brake best far above, at 0.9.
    pub locked_share: [Real; 2],
    /// Part of the speed of the road by which a rim that spins is ahead of it, and below which it
    /// rolls again (dimensionless). Tires drive best far below, at 0.1.
    pub spin_share: [Real; 2],
    /// Time for which a wheel locks or spins, and for which it rolls again (s): what anti-lock
    /// brakes and bumps do is shorter.
    pub slip_time: Real,
    /// Time in the air from which on a wheel has left the ground (s): one that hops over cobbles
    /// has not.
    pub air_time: Real,
    /// Compression as a share of the travel at which a suspension bottoms, and below which it may
    /// do so again (dimensionless).
    pub bottom_share: [Real; 2],
    /// Time for which a tire is on another material (s): on the edge of two it changes its mind.
    pub material_time: Real,
    /// Change of the velocity of the body beside its wheels within [`hit_time`](Self::hit_time)
    /// that is a hit, and below which the next one may come (m/s). A hull that lies on the ground
    /// has `g τ` = 0.5 m/s, a trailer far less.
    pub hit_speeds: [Real; 2],
    /// Time for which the impulse of a hit is added up, until it is told (s): corners of a hull
    /// touch one after the other. With 0, each step's is told at once.
    pub hit_time: Real,
}

impl Default for EventParams {
    fn default() -> Self {
        Self {
            capacity: 64,
            engine_time: 0.1,
            limiter_time: 0.5,
            aid_times: [0.0, 0.3],
            slip_speed: 2.0,
            locked_share: [0.1, 0.3],
            spin_share: [0.4, 0.2],
            slip_time: 0.1,
            air_time: 0.1,
            bottom_share: [0.98, 0.9],
            material_time: 0.05,
            hit_speeds: [0.8, 0.6],
            hit_time: 0.05,
        }
    }
}

impl Validate for EventParams {
    fn check(&self, check: &mut ParamCheck) {
        let is_list = (1..=MOST_EVENTS).contains(&self.capacity);
        check.require(
            "capacity",
            is_list,
            format_args!("within [1, {MOST_EVENTS}]"),
            self.capacity,
        );
        let numbers = [
            ("engine_time", self.engine_time),
            ("limiter_time", self.limiter_time),
            ("aid_times[0]", self.aid_times[0]),
            ("aid_times[1]", self.aid_times[1]),
            ("slip_time", self.slip_time),
            ("air_time", self.air_time),
            ("material_time", self.material_time),
            ("hit_time", self.hit_time),
        ];
        for (name, value) in numbers {
            check.number(name, value, Bound::NotNegative);
        }
        check.number("slip_speed", self.slip_speed, Bound::Positive);
        for (name, [low, high]) in [
            ("locked_share", self.locked_share),
            ("spin_share", [self.spin_share[1], self.spin_share[0]]),
            ("bottom_share", [self.bottom_share[1], self.bottom_share[0]]),
            ("hit_speeds", [self.hit_speeds[1], self.hit_speeds[0]]),
        ] {
            let is_ordered = 0.0 <= low && low <= high && high.is_finite();
            let requirement = "two bounds, finite and not negative, that leave a gap the right way";
            check.require(name, is_ordered, requirement, format_args!("{low} to {high}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_thresholds_are_named() {
        EventParams::default().validate().expect("valid defaults");
        let params = EventParams {
            capacity: 0,
            slip_speed: 0.0,
            spin_share: [0.2, 0.4],
            hit_time: Real::NAN,
            ..EventParams::default()
        };
        assert_eq!(
            params.validate().expect_err("four faults").to_string(),
            "capacity must be within [1, 65536], got 0; \
             hit_time must be finite and not negative, got NaN; \
             slip_speed must be positive and finite, got 0; \
             spin_share must be two bounds, finite and not negative, that leave a gap the right \
             way, got 0.4 to 0.2"
        );
    }
}
