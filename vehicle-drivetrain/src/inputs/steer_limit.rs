//! How far a driver may steer at a speed: as far as tires grip, and not beyond.

use serde::{Deserialize, Serialize};
use vehicle_core::context::GRAVITY;
use vehicle_core::error::{Bound, ParamCheck, Validate};
use vehicle_core::math::{Clamped, Real, atan};

use crate::handling::Handling;

/// Lateral acceleration that a limit allows, by that of the tires (dimensionless): just beyond, so
/// that the limit never costs cornering.
const BEYOND: Real = 1.1;
/// Side slips from which on the limit opens to the side that counters it, and at which it has
/// (rad): 5 and 10 degrees.
const SLIDES: [Real; 2] = [0.087, 0.175];
/// Largest angle at full lock (rad).
const MOST_LOCK: Real = 3.2;

/// A limit of the steer angle by speed.
///
/// ```text
/// δ_max = min(δ_lock, atan((L + K v²) a_max/v²))
/// ```
///
/// All angles are those of the wheels ahead of the center of mass against those behind it.
///
/// The command is scaled, and not what the wheels make of it: Ackermann correction and steering
/// tables stay as they are.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SteerLimitParams {
    /// Angle between the wheels ahead and those behind at full lock (rad).
    pub lock: Real,
    /// L (m).
    pub wheel_base: Real,
    /// K, the understeer gradient (rad s²/m).
    pub understeer_gradient: Real,
    /// a_max (m/s²).
    pub lateral_acceleration: Real,
}

impl SteerLimitParams {
    /// The limit just beyond the grip of a vehicle, on a road of this `friction`.
    pub fn of(handling: &Handling, friction: Real) -> Self {
        // From angles of the steering to those between wheels.
        let between = handling.steer_difference().abs();
        Self {
            lock: (between * handling.lock).min(MOST_LOCK),
            wheel_base: handling.wheel_base,
            understeer_gradient: (between * handling.understeer_gradient()).max(0.0),
            lateral_acceleration: BEYOND * GRAVITY * handling.lateral_limit(friction),
        }
    }

    /// The largest steer angle at `speed` (m/s), as a part of full lock, in [0, 1].
    pub fn share(&self, speed: Real) -> Real {
        let square = (speed * speed).max(Real::MIN_POSITIVE);
        let turn = self.wheel_base / square + self.understeer_gradient;
        (atan((turn * self.lateral_acceleration).min(1e6)) / self.lock).min(1.0)
    }

    /// `command` to the steering, in [-1, 1], within the limit at `speed` (m/s). A vehicle that
    /// goes by `side_slip` to the left of its nose (rad) may be steered to the left as far as the
    /// lock, once that is a slide.
    pub fn limited(&self, command: Real, speed: Real, side_slip: Real) -> Real {
        let share = self.share(speed);
        let [begin, end] = SLIDES;
        let slide = ((side_slip.abs() - begin) / (end - begin)).clamped(0.0, 1.0);
        let counters = 0.0 < command * side_slip;
        let open = if counters { slide } else { 0.0 };
        command * (share + open * (1.0 - share))
    }
}

impl Validate for SteerLimitParams {
    fn check(&self, check: &mut ParamCheck) {
        check.number("lock", self.lock, Bound::Within(1e-3, MOST_LOCK));
        check.number("wheel_base", self.wheel_base, Bound::Length);
        check.number("understeer_gradient", self.understeer_gradient, Bound::Within(0.0, 0.1));
        check.number("lateral_acceleration", self.lateral_acceleration, Bound::Positive);
    }
}

#[cfg(test)]
mod tests {
    use vehicle_core::Frame;
    use vehicle_core::blueprint::CarBlueprint;

    use super::*;

    const CAR: SteerLimitParams = SteerLimitParams {
        lock: 0.6,
        wheel_base: 2.6,
        understeer_gradient: 0.0024,
        lateral_acceleration: 1.1 * 9.81,
    };

    #[test]
    fn limit_is_that_of_the_formula() {
        // (speed in m/s, degrees)
        for (speed, expected) in [(10.0, 17.0), (20.0, 5.5), (30.0, 3.3), (40.0, 2.5)] {
            let degrees: Real = (CAR.share(speed) * CAR.lock).to_degrees();
            assert!((degrees - expected).abs() < 0.06, "{speed} m/s: {degrees}, {expected}");
        }
        assert_eq!(CAR.share(0.0), 1.0, "the lock rules at rest");
        assert!(CAR.share(1e6) > 0.0);
    }

    #[test]
    fn full_steering_is_as_far_beyond_the_grip_whichever_wheels_follow_it() {
        let speed = 25.0;
        for (response, multipliers) in [
            (0.6, [1.0, 1.0, 0.0, 0.0]),
            (1.0, [0.6, 0.6, 0.0, 0.0]),
            (0.4, [1.0, 1.0, -0.5, -0.5]),
            (0.6, [0.0, 0.0, -1.0, -1.0]),
        ] {
            let mut mechanics = CarBlueprint::default().mechanics().expect("a car");
            mechanics.steering.max_response = response;
            mechanics.steering.wheel_multipliers = multipliers.to_vec();
            let handling = Handling::of(&mechanics, &Frame::Y_UP).expect("it has wheels");
            let angle = SteerLimitParams::of(&handling, 1.0).share(speed) * handling.lock;
            // Of a slight bend, and the rest in proportion.
            let slight = 1e-4;
            let bend = slight * angle / handling.steady_bend(slight, speed).angle;
            let lateral = bend * speed * speed / (GRAVITY * handling.lateral_limit(1.0));
            assert!((lateral - BEYOND).abs() < 0.05, "{response}, {multipliers:?}: {lateral}");
        }
    }

    #[test]
    fn limit_opens_against_a_slide_and_to_no_other_side() {
        let share = CAR.share(20.0);
        assert_eq!(CAR.limited(1.0, 20.0, 0.0), share);
        assert_eq!(CAR.limited(1.0, 20.0, 0.3), 1.0);
        assert_eq!(CAR.limited(-1.0, 20.0, 0.3), -share);
        assert_eq!(CAR.limited(-1.0, 20.0, -0.3), -1.0);
        let half = CAR.limited(1.0, 20.0, 0.131);
        assert!((half - 0.5 * (1.0 + share)).abs() < 0.01, "{half}");
    }
}
