//! Rotation of a wheel under the torques of drive, brake and tire.

use crate::actuation::WheelActuation;
use crate::math::{Real, sign};
use crate::tire::TireState;
use crate::wheel::WheelParams;

/// Torques about a wheel's axle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WheelTorques {
    /// Drive torque (N·m).
    pub drive: Real,
    /// Brake torque, against the rotation, not negative (N·m).
    pub brake: Real,
    /// Torque of the tire (N·m).
    pub tire: Real,
}

/// Rotation speed (rad/s) of a wheel `dt` (s) after `rotation_speed`, explicit in the tire's torque.
///
/// ```text
/// ω' = (ω + (T_tire + T_drive - T_brake sgn ω) dt/I) / (1 + c dt/I)
/// ```
///
/// A braked wheel that would turn around stands still, and stands until the brake is let go. This
/// is the reference's update; see [`coupled_wheel`] for the default.
#[inline]
pub fn wheel_rotation_speed(
    params: &WheelParams,
    torques: &WheelTorques,
    actuation: WheelActuation,
    rotation_speed: Real,
    dt: Real,
) -> Real {
    let per_torque = dt / params.inertia;
    let brake = -torques.brake * sign(rotation_speed);
    let advanced = (rotation_speed + per_torque * (torques.tire + torques.drive + brake))
        / (1.0 + params.damping_rate * per_torque);
    if actuation.is_braked && rotation_speed * advanced <= 0.0 { 0.0 } else { advanced }
}

/// How a tire's torque on its wheel answers to the wheel's rotation speed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TireTorqueSlope {
    /// Torque per rotation speed by which the tire resists a change, not negative (N·m·s).
    pub resistance: Real,
    /// Largest torque that friction allows, not negative (N·m).
    pub max_torque: Real,
    /// Torque of a tire that stops the vehicle within the step, not negative (N·m): that of a wheel
    /// that stands is never larger.
    pub stopping_torque: Real,
}

/// The slope of a tire's torque on a wheel of `radius` (m) that carries `carried_mass` (kg) of the
/// vehicle, in a step of `dt` (s).
///
/// ```text
/// κ = R² S / d
/// max torque = R sqrt((μ N)² - F_T²)
/// stopping torque = R m |v_L| / dt
/// ```
///
/// with `S` the slope of the longitudinal force against the slip and `d` the slip's denominator.
#[inline]
pub fn tire_torque_slope(
    tire: &TireState,
    radius: Real,
    carried_mass: Real,
    dt: Real,
) -> TireTorqueSlope {
    let limit = tire.grip.friction * tire.grip.load;
    let left = limit * limit - tire.force.lateral_force * tire.force.lateral_force;
    let resistance = if tire.slip_denominator == 0.0 {
        0.0
    } else {
        radius * radius * tire.force.longitudinal_stiffness / tire.slip_denominator
    };
    TireTorqueSlope {
        resistance,
        max_torque: radius * left.max(0.0).sqrt(),
        stopping_torque: radius * carried_mass * tire.speeds.longitudinal.abs() / dt,
    }
}

impl TireTorqueSlope {
    /// Torque (N·m), of `torque` so far, on a wheel that stops from `rotation_speed` (rad/s).
    ///
    /// ```text
    /// T' = T + κ ω,   |T'| ≤ max torque, stopping torque
    /// ```
    #[inline]
    pub fn torque_at_rest(&self, torque: Real, rotation_speed: Real) -> Real {
        let limit = self.max_torque.min(self.stopping_torque);
        (torque + self.resistance * rotation_speed).max(-limit).min(limit)
    }
}

/// Rotation speed of a wheel (rad/s) and torque of its tire (N·m) at the end of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CoupledWheel {
    /// Rotation speed (rad/s).
    pub rotation_speed: Real,
    /// Torque of the tire that led there (N·m).
    pub tire_torque: Real,
}

/// A wheel and its tire `dt` (s) after `rotation_speed` (rad/s), coupled at the end of the step.
///
/// ```text
/// I (ω' - ω)/dt = T_tire - κ (ω' - ω) + T_drive + T_brake - c ω'
/// |T_brake| ≤ brake torque, and ω' = 0 where that suffices
/// ```
///
/// The brake acts as dry friction does: it holds a wheel as long as no more than its torque is
/// needed, and never turns one around. The tire of a wheel that is held stops the vehicle, and does
/// not throw it back. Where the tire's torque would exceed what friction allows, it has that size.
/// A wheel that turns loses exactly the momentum that the tire's torque takes.
pub fn coupled_wheel(
    params: &WheelParams,
    torques: &WheelTorques,
    slope: &TireTorqueSlope,
    rotation_speed: Real,
    dt: Real,
) -> CoupledWheel {
    let per_torque = dt / params.inertia;
    let at_rest = slope.torque_at_rest(torques.tire, rotation_speed);
    let unbraked = rotation_speed + per_torque * (at_rest + torques.drive);
    if unbraked.abs() <= per_torque * torques.brake {
        return CoupledWheel { rotation_speed: 0.0, tire_torque: at_rest };
    }
    // The change of speed is solved for: the speed itself would lose the digits of small changes.
    let brake = -torques.brake.copysign(unbraked);
    let change = |tire_torque: Real, resistance: Real| {
        let damping = -params.damping_rate * rotation_speed;
        let resisting = params.damping_rate + resistance;
        per_torque * (tire_torque + torques.drive + brake + damping)
            / (1.0 + per_torque * resisting)
    };
    let coupled = change(torques.tire, slope.resistance);
    let tire_torque = torques.tire - slope.resistance * coupled;
    if tire_torque.abs() <= slope.max_torque {
        return CoupledWheel { rotation_speed: rotation_speed + coupled, tire_torque };
    }
    let tire_torque = slope.max_torque.copysign(tire_torque);
    CoupledWheel { rotation_speed: rotation_speed + change(tire_torque, 0.0), tire_torque }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wheel() -> WheelParams {
        WheelParams { inertia: 2.0, damping_rate: 1.0, ..WheelParams::default() }
    }

    #[test]
    fn torques_accelerate_and_damping_slows() {
        let torques = WheelTorques { drive: 30.0, brake: 0.0, tire: -10.0 };
        let speed = wheel_rotation_speed(&wheel(), &torques, WheelActuation::default(), 4.0, 0.5);
        // (4 + 0.25 · 20) / (1 + 0.25)
        assert!((speed - 7.2).abs() < 1e-6, "{speed}");
    }

    fn stiff(torque: Real) -> TireTorqueSlope {
        TireTorqueSlope { resistance: 1e4, max_torque: torque, stopping_torque: 1e6 }
    }

    #[test]
    fn coupled_wheel_loses_what_its_tire_takes() {
        let torques = WheelTorques { drive: 120.0, brake: 20.0, tire: -300.0 };
        for max_torque in [1e6, 250.0, 0.0] {
            let (speed, dt) = (8.0, 0.1);
            let coupled = coupled_wheel(&wheel(), &torques, &stiff(max_torque), speed, dt);
            let after = coupled.rotation_speed;
            assert!(coupled.tire_torque.abs() <= max_torque, "{coupled:?}");
            // I (ω' - ω) = (T_tire + T_drive - T_brake - c ω') dt
            let gained = 2.0 * (after - speed);
            let impulse = (coupled.tire_torque + 120.0 - 20.0 - after) * dt;
            assert!((gained - impulse).abs() < 1e-5 * speed, "{gained}, {impulse}");
        }
    }

    #[test]
    fn stiff_tire_does_not_overshoot() {
        // A tire that pulls the wheel back by 300 N·m at a slip of 0.03 rad/s: explicitly the wheel
        // would lose 15 rad/s.
        let torques = WheelTorques { tire: -300.0, ..WheelTorques::default() };
        let coupled = coupled_wheel(&wheel(), &torques, &stiff(1e6), 8.0, 0.1);
        assert!((coupled.rotation_speed - 7.97).abs() < 2e-3, "{coupled:?}");
    }

    #[test]
    fn brake_holds_up_to_its_torque() {
        // (drive, brake, rotation speed after a step from rest)
        for (drive, brake, expected) in [(50.0, 60.0, 0.0), (-50.0, 60.0, 0.0), (80.0, 60.0, 0.8)] {
            let torques = WheelTorques { drive, brake, tire: 0.0 };
            let coupled = coupled_wheel(&wheel(), &torques, &TireTorqueSlope::default(), 0.0, 0.1);
            // 0.05 · 20 / (1 + 0.05)
            let expected = expected / 0.8 * (1.0 / 1.05);
            assert!((coupled.rotation_speed - expected).abs() < 1e-5, "{drive}: {coupled:?}");
        }
    }

    #[test]
    fn brake_stops_a_wheel_but_never_turns_it_around() {
        let torques = WheelTorques { drive: 0.0, brake: 100.0, tire: 0.0 };
        let braked = WheelActuation::from_torques(100.0, 0.0);
        for speed in [10.0, -10.0, 0.0] {
            assert_eq!(wheel_rotation_speed(&wheel(), &torques, braked, speed, 0.5), 0.0);
        }
        let slowed = wheel_rotation_speed(&wheel(), &torques, braked, 100.0, 0.5);
        assert!((slowed - 60.0).abs() < 1e-4, "{slowed}");
    }

    #[test]
    fn held_wheel_stops_the_vehicle_and_does_not_throw_it_back() {
        // A locked wheel that slides forward: its tire would turn it with 1e4 · 0.1 = 1000 N·m.
        let torques = WheelTorques { drive: 0.0, brake: 900.0, tire: 1_000.0 };
        for (stopping_torque, expected) in [(600.0, 600.0), (0.0, 0.0)] {
            let slope = TireTorqueSlope { stopping_torque, ..stiff(1e6) };
            let coupled = coupled_wheel(&wheel(), &torques, &slope, 0.0, 0.1);
            let held = CoupledWheel { rotation_speed: 0.0, tire_torque: expected };
            assert_eq!(coupled, held, "{stopping_torque} N·m stop the vehicle");
        }
    }
}
