//! Arbitration: the one place where requests of driver and aids become torques, throttle and
//! steering.
//!
//! ```text
//! brake_i  = hand_i + min( cap_i, bound_i, max(foot_i, hold_i) + stability_i + traction_i )
//! drive_i  = min( driver_i after the throttle's cut + shift_i, cap_i )
//! throttle = max( idle, min( max(driver, cruise) + added, each limit ) )
//! steer    = clamp( driver + assistance, ± lock )
//! ```
//!
//! Caps come last. The bound is that of the wheel's brake, or what the foot asks for where that is
//! more: aids ask no brake for more than it has. Without a request of an aid each of these is what
//! the driver asks for, to the bit.

use vehicle_core::math::{Clamped, Real};

/// What is asked of the torques of one wheel.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WheelRequest {
    /// Torque of the foot brake that the driver asks for (N·m).
    pub foot_brake: Real,
    /// Torque of the hand brake (N·m). No aid lessens it.
    pub hand_brake: Real,
    /// Torque that holds the vehicle on a hill (N·m).
    pub hold: Real,
    /// Torque that stability control or torque vectoring adds for the frame (N·m).
    pub stability: Real,
    /// Torque that traction control adds in the substep (N·m).
    pub traction: Real,
    /// Greatest torque of the foot brake (N·m), if it is known.
    pub brake_bound: Option<Real>,
    /// Greatest brake torque that anti-lock brakes allow, but for the hand brake (N·m).
    pub brake_cap: Option<Real>,
    /// Drive torque that the drive gives (N·m), positive drives forward.
    pub drive: Real,
    /// Largest drive torque that the wheel's own motor has, either way (N·m), if it has one.
    pub drive_bound: Option<Real>,
    /// Drive torque that torque vectoring moves here from other wheels (N·m).
    pub drive_shift: Real,
    /// Greatest magnitude of the drive torque that traction control allows (N·m).
    pub drive_cap: Option<Real>,
}

impl WheelRequest {
    /// Whether anything but the hand brake is asked of the brake.
    pub(crate) fn asks_brake(&self) -> bool {
        let asked = [self.foot_brake, self.hold, self.stability, self.traction];
        asked.iter().any(|&torque| torque != 0.0)
    }

    /// Torque of the brake before anti-lock brakes limit it, without that of the hand brake (N·m).
    pub fn brake_demand(&self) -> Real {
        let asked = self.foot_brake.max(self.hold) + self.stability + self.traction;
        self.brake_bound.map_or(asked, |bound| asked.min(bound.max(self.foot_brake)))
    }

    /// Torque of the brake (N·m).
    pub fn brake_torque(&self) -> Real {
        let demand = self.brake_demand();
        self.hand_brake + self.brake_cap.map_or(demand, |cap| demand.min(cap))
    }

    /// Whether the substep's aids leave it as it is.
    pub(crate) fn is_left(&self) -> bool {
        self.is_brake_left() && self.is_drive_left()
    }

    /// Whether the substep's aids leave the brake as it is.
    pub(crate) fn is_brake_left(&self) -> bool {
        self.brake_cap.is_none() && self.traction == 0.0
    }

    /// Whether aids leave the drive torque as it is.
    pub(crate) fn is_drive_left(&self) -> bool {
        self.drive_cap.is_none() && self.drive_shift == 0.0
    }

    /// Drive torque before traction control limits it (N·m).
    pub fn drive_demand(&self) -> Real {
        self.drive + self.drive_shift
    }

    /// Drive torque (N·m).
    pub fn drive_torque(&self) -> Real {
        let demand = self.drive_demand();
        self.drive_cap.map_or(demand, |cap| demand.clamped(-cap, cap))
    }
}

/// What is asked of the throttle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ThrottleRequest {
    /// Pedal of the driver, in [0, 1].
    pub driver: Real,
    /// What a cruise control asks for, in [0, 1]. The driver may ask for more.
    pub cruise: Option<Real>,
    /// Throttle beside that, in [0, 1]: it makes up for the brakes of torque vectoring.
    pub added: Real,
    /// What the engine needs to keep running, in [0, 1]. No aid goes below it.
    pub idle: Real,
    /// The least of the limits of aids, in [0, 1].
    pub limit: Option<Real>,
}

impl ThrottleRequest {
    /// Adds the limit of an aid, if it has one.
    pub fn limited(mut self, limit: Option<Real>) -> Self {
        self.limit = least(self.limit, limit);
        self
    }

    /// Whether aids leave it to the driver.
    pub(crate) fn is_left(&self) -> bool {
        self.cruise.is_none() && self.added == 0.0 && self.limit.is_none()
    }

    /// The throttle, in [0, 1].
    pub fn throttle(&self) -> Real {
        let asked = self.cruise.map_or(self.driver, |cruise| self.driver.max(cruise));
        let asked = if self.added == 0.0 { asked } else { (asked + self.added).min(1.0) };
        self.limit.map_or(asked, |limit| asked.min(limit).max(self.idle.min(asked)))
    }
}

/// What is asked of the steering.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SteerRequest {
    /// Steering wheel of the driver, in [-1, 1].
    pub driver: Real,
    /// Steer angle that aids add (rad).
    pub assistance: Real,
    /// Steer angle at steering wheel 1 (rad).
    pub max_angle: Real,
}

impl SteerRequest {
    /// The steering command, in [-1, 1].
    pub fn steer(&self) -> Real {
        if self.assistance == 0.0 || self.max_angle <= 0.0 {
            return self.driver;
        }
        (self.driver + self.assistance / self.max_angle).clamped(-1.0, 1.0)
    }
}

/// The smaller of two limits, where either may be missing.
pub(crate) fn least(first: Option<Real>, second: Option<Real>) -> Option<Real> {
    match (first, second) {
        (Some(first), Some(second)) => Some(first.min(second)),
        (first, second) => first.or(second),
    }
}

/// A demand that an aid of `strength`, in [0, 1], limits to `cap` (N·m).
pub(crate) fn weakened(cap: Real, demand: Real, strength: Real) -> Real {
    if strength == 1.0 { cap } else { demand - strength * (demand - cap).max(0.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_aids_the_driver_has_what_he_asks_for() {
        for torque in [0.0, 0.1, 1_234.567] {
            let wheel = WheelRequest { foot_brake: torque, drive: -torque, ..Default::default() };
            assert_eq!(wheel.brake_torque().to_bits(), torque.to_bits());
            assert_eq!(wheel.drive_torque(), -torque);
            let throttle = ThrottleRequest { driver: torque, idle: 0.05, ..Default::default() };
            assert_eq!(throttle.throttle().to_bits(), torque.to_bits());
            let steer = SteerRequest { driver: torque, assistance: 0.0, max_angle: 0.6 };
            assert_eq!(steer.steer().to_bits(), torque.to_bits());
        }
    }

    #[test]
    fn brakes_add_and_the_cap_comes_last() {
        let wheel = WheelRequest {
            foot_brake: 100.0,
            hold: 300.0,
            stability: 50.0,
            traction: 25.0,
            ..Default::default()
        };
        assert_eq!(wheel.brake_torque(), 375.0);
        assert_eq!(WheelRequest { brake_cap: Some(80.0), ..wheel }.brake_torque(), 80.0);
        assert_eq!(WheelRequest { brake_cap: Some(900.0), ..wheel }.brake_torque(), 375.0);
        let pulled = WheelRequest { brake_cap: Some(80.0), hand_brake: 500.0, ..wheel };
        assert_eq!(pulled.brake_torque(), 580.0, "no aid lessens the hand brake");
    }

    #[test]
    fn no_brake_is_asked_for_more_than_it_has() {
        let wheel = WheelRequest {
            foot_brake: 200.0,
            hold: 300.0,
            stability: 150.0,
            brake_bound: Some(400.0),
            ..Default::default()
        };
        assert_eq!(wheel.brake_torque(), 400.0);
        let pulled = WheelRequest { hand_brake: 500.0, ..wheel };
        assert_eq!(pulled.brake_torque(), 900.0, "the hand brake has its own");
        let pressed = WheelRequest { foot_brake: 600.0, ..wheel };
        assert_eq!(pressed.brake_torque(), 600.0, "what the foot asks for is there");
        let held = WheelRequest { hold: 900.0, stability: 0.0, ..wheel };
        assert_eq!(held.brake_torque(), 400.0);
    }

    #[test]
    fn shifted_drive_torques_are_capped_in_either_direction() {
        let wheel = WheelRequest { drive: 300.0, drive_shift: 100.0, ..Default::default() };
        assert_eq!(wheel.drive_torque(), 400.0);
        assert_eq!(WheelRequest { drive_cap: Some(250.0), ..wheel }.drive_torque(), 250.0);
        let reverse = WheelRequest { drive: -700.0, drive_cap: Some(250.0), ..wheel };
        assert_eq!(reverse.drive_torque(), -250.0);
    }

    #[test]
    fn the_least_limit_of_the_throttle_counts_but_for_idle() {
        let request = ThrottleRequest { driver: 0.8, idle: 0.1, ..Default::default() };
        let limited = request.limited(Some(0.5)).limited(None).limited(Some(0.3));
        assert_eq!(limited.throttle(), 0.3);
        assert_eq!(limited.limited(Some(0.0)).throttle(), 0.1);
        let cruising = ThrottleRequest { cruise: Some(0.9), ..limited };
        assert_eq!(cruising.throttle(), 0.3);
        assert_eq!(ThrottleRequest { cruise: Some(0.9), limit: None, ..limited }.throttle(), 0.9);
        assert_eq!(ThrottleRequest { cruise: Some(0.2), limit: None, ..limited }.throttle(), 0.8);
    }

    #[test]
    fn assistance_turns_by_its_angle_up_to_the_lock() {
        let steer = SteerRequest { driver: 0.5, assistance: -0.6, max_angle: 0.6 };
        assert_eq!(steer.steer(), -0.5);
        assert_eq!(SteerRequest { assistance: 2.0, ..steer }.steer(), 1.0);
    }
}
