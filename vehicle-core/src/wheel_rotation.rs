//! Rotation of a wheel under the torques of drive, brake and tire.
//!
//! Wheel and tire are solved together at the end of the substep, and the body is to get the force
//! that the wheel has felt. So a drivetrain runs after the tires and before the rigid body, and
//! corrects the forces of the tires.

use crate::math::Real;
use crate::math::lanes::{Mask, Number, lanes_by_field};
pub use crate::mount::RoadWheel;
use crate::mount::WheelParams;
use crate::tire::TireState;

impl<N: Number> RoadWheel<N> {
    /// Updates the `rotation_speed` (rad/s) of the wheel, without a clutch between it and its
    /// drivetrain, by a step of `dt` (s). Updates also the force of its `tire`, which moves the
    /// `moved` part of the vehicle.
    #[inline]
    pub fn couple(
        &self,
        tire: &mut TireState<N::Vector>,
        rotation_speed: &mut N,
        torques: &WheelTorques<N>,
        moved: &MovedPart<N>,
        dt: Real,
    ) {
        let drive = torques.drive + tire.force.rolling_moment(self.radius);
        let torques = WheelTorques { drive, ..*torques };
        let torque = TireTorque::new(tire, self.radius, moved, dt);
        let coupled = self.coupled(&torques, &torque, *rotation_speed, dt);
        *rotation_speed = coupled.rotation_speed;
        tire.set_wheel_torque(coupled.tire_torque, self.radius);
    }

    /// Torque about the axle with which the wheel turns the body (N·m), beside that of its tire's
    /// forces. Its rotation speed changes by `change` (rad/s) in a step of `dt` (s).
    ///
    /// ```text
    /// τ = M_y - I (ω' - ω)/dt
    /// ```
    ///
    /// That is what the drive and the brake push back with, beyond what the force at the contact
    /// turns the body by: angular momentum is neither lost nor won. `M_y` is the moment about the
    /// axle that the road gives the wheel beside the force, the `rolling_moment` (N·m).
    #[inline]
    pub fn reaction(&self, rolling_moment: N, change: N, dt: Real) -> N {
        rolling_moment - self.inertia * change / N::splat(dt)
    }

    /// See [`coupled_wheel`].
    #[inline]
    pub fn coupled(
        &self,
        torques: &WheelTorques<N>,
        tire: &TireTorque<N>,
        rotation_speed: N,
        dt: Real,
    ) -> CoupledWheel<N> {
        // The change of speed is solved for: the speed itself would lose the digits of small
        // changes.
        let change = |tire_torque: N, resistance: N| {
            let per_torque = N::splat(dt) / self.inertia;
            let torque = tire_torque + torques.drive;
            let unbraked = rotation_speed + per_torque * (torque + resistance * rotation_speed);
            let is_held = unbraked.abs().is_at_most(per_torque * torques.brake);
            let brake = -torques.brake.copysign(unbraked);
            let damping = -self.damping_rate * rotation_speed;
            let resisting = self.damping_rate + resistance;
            let per_change = N::splat(1.0) / (N::splat(1.0) + per_torque * resisting);
            let turned = per_torque * (torque + brake + damping) * per_change;
            N::select(is_held, -rotation_speed, turned)
        };
        let coupled = change(tire.torque, tire.resistance);
        let wanted = tire.torque - tire.resistance * coupled;
        let limit = tire.max_torque.copysign(wanted);
        let is_gripping = wanted.abs().is_at_most(tire.max_torque);
        // Most of the time all tires grip.
        if !(!is_gripping).any() {
            return CoupledWheel { rotation_speed: rotation_speed + coupled, tire_torque: wanted };
        }
        CoupledWheel {
            rotation_speed: rotation_speed
                + N::select(is_gripping, coupled, change(limit, N::zero())),
            tire_torque: N::select(is_gripping, wanted, limit),
        }
    }
}

/// Torques of the driver about a wheel's axle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WheelTorques<N = Real> {
    /// Drive torque (N·m).
    pub drive: N,
    /// Brake torque, against the rotation, not negative (N·m).
    pub brake: N,
}

lanes_by_field!(WheelTorques<Number> { drive, brake });

/// Torque of a tire on its wheel, and how it answers to the wheel's rotation speed.
///
/// ```text
/// T(ω') = T - κ (ω' - ω),   |T| ≤ max torque
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TireTorque<N = Real> {
    /// Torque T at the speed ω of the start of the step (N·m).
    pub torque: N,
    /// Torque per rotation speed κ by which the tire resists a change, not negative (N·m·s).
    pub resistance: N,
    /// Largest torque that friction allows, not negative (N·m).
    pub max_torque: N,
}

/// The part of a vehicle that the force of a tire moves along its rolling direction.
///
/// The tires that drive or brake share the vehicle, whatever its other wheels carry: these roll
/// along.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MovedPart<N = Real> {
    /// Its mass m (kg).
    pub mass: N,
    /// Its acceleration by gravity along the rolling direction (m/s²), negative uphill.
    pub pull: N,
}

lanes_by_field!(MovedPart<Number> { mass, pull });

impl<N: Number> TireTorque<N> {
    /// Torque of `tire`, which moves the `moved` part of the vehicle, on a wheel of `radius` (m)
    /// in a step of `dt` (s).
    ///
    /// ```text
    /// T = -(λ F_L - (1 - λ) m g_L) R,   κ = λ σ R²,   σ = S / d,   λ = min(1, m / (σ dt))
    /// max torque = R sqrt((μ N)² - F_T²)
    /// ```
    ///
    /// with `S` the slope of the longitudinal force against the slip and `d` the slip's
    /// denominator. `σ` is the force per speed between rim and road. A stiffer one than `m / dt`
    /// would bring the vehicle beyond the speed of the rim within the step: a car would swing to a
    /// stop. Such a tire takes the vehicle to the speed of its rim, so that it bears the pull `g_L`
    /// of gravity, too. Else the vehicle would fall behind by `g_L dt` in each step, which at low
    /// speed is a slip beyond the peak of the tire.
    #[inline]
    pub fn new(tire: &TireState<N::Vector>, radius: N, moved: &MovedPart<N>, dt: Real) -> Self {
        let (zero, one) = (N::zero(), N::splat(1.0));
        let (mass, dt) = (moved.mass, N::splat(dt));
        let limit = tire.grip.friction * tire.grip.load;
        let left = limit * limit - tire.force.lateral_force * tire.force.lateral_force;
        // A root of no number is that of friction without a load.
        let left = N::select(zero.is_below(left), left, zero);
        let torque = -tire.force.longitudinal_force * radius;
        let stiffness = tire.force_by_rim_speed();
        let is_stiffer = mass.is_below(stiffness * dt);
        let share = if is_stiffer.any() {
            N::select(is_stiffer, mass / (stiffness * dt), one)
        } else {
            one
        };
        let is_free = tire.slip_denominator.is_equal(zero);
        // A tire that sticks is held by rows, which bear gravity.
        let pull = N::select(tire.sticky.longitudinal.is_active, zero, moved.pull);
        let borne = (one - share) * mass * pull * radius;
        Self {
            torque: N::select(is_free, torque, share * torque + borne),
            resistance: N::select(is_free, zero, share * stiffness * radius * radius),
            max_torque: radius * left.sqrt(),
        }
    }
}

lanes_by_field!(TireTorque<Number> { torque, resistance, max_torque });

/// Rotation speed of a wheel (rad/s) and torque of its tire (N·m) at the end of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CoupledWheel<N = Real> {
    /// Rotation speed (rad/s).
    pub rotation_speed: N,
    /// Torque of the tire that led there (N·m).
    pub tire_torque: N,
}

lanes_by_field!(CoupledWheel<Number> { rotation_speed, tire_torque });

/// A wheel and its tire `dt` (s) after `rotation_speed` (rad/s), coupled at the end of the step.
///
/// ```text
/// I (ω' - ω)/dt = T_tire(ω') + T_drive + T_brake - c ω'
/// |T_brake| ≤ brake torque, and ω' = 0 where that suffices
/// ```
///
/// The brake acts as dry friction does: it holds a wheel as long as no more than its torque is
/// needed, and never turns one around. Where the tire's torque would exceed what friction allows,
/// it has that size. A wheel that turns loses exactly the momentum that the tire's torque takes.
pub fn coupled_wheel(
    params: &WheelParams,
    torques: &WheelTorques,
    tire: &TireTorque,
    rotation_speed: Real,
    dt: Real,
) -> CoupledWheel {
    RoadWheel::from(params).coupled(torques, tire, rotation_speed, dt)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tire::TireGrip;

    fn wheel() -> WheelParams {
        WheelParams { inertia: 2.0, damping_rate: 1.0, ..WheelParams::default() }
    }

    fn stiff(max_torque: Real) -> TireTorque {
        TireTorque { torque: -300.0, resistance: 1e4, max_torque }
    }

    #[test]
    fn coupled_wheel_loses_what_its_tire_takes() {
        let torques = WheelTorques { drive: 120.0, brake: 20.0 };
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
        let torques = WheelTorques::default();
        let coupled = coupled_wheel(&wheel(), &torques, &stiff(1e6), 8.0, 0.1);
        assert!((coupled.rotation_speed - 7.97).abs() < 2e-3, "{coupled:?}");
    }

    #[test]
    fn brake_holds_up_to_its_torque() {
        // (drive, brake, rotation speed after a step from rest)
        for (drive, brake, expected) in [(50.0, 60.0, 0.0), (-50.0, 60.0, 0.0), (80.0, 60.0, 0.8)] {
            let torques = WheelTorques { drive, brake };
            let coupled = coupled_wheel(&wheel(), &torques, &TireTorque::default(), 0.0, 0.1);
            // 0.05 · 20 / (1 + 0.05)
            let expected = expected / 0.8 * (1.0 / 1.05);
            assert!((coupled.rotation_speed - expected).abs() < 1e-5, "{drive}: {coupled:?}");
        }
    }

    #[test]
    fn tire_does_not_bring_the_vehicle_beyond_the_speed_of_its_rim() {
        // A locked wheel of a vehicle that creeps forward: 0.5 m/s · 200 kg / 0.1 s stop it.
        let (radius, mass, dt) = (0.5, 200.0, 0.1);
        let (force, stiffness, denominator) = (-4_000.0, 8_000.0, 1.0);
        let mut tire = TireState { slip_denominator: denominator, ..TireState::default() };
        tire.speeds.longitudinal = 0.5;
        tire.force.longitudinal_force = force;
        tire.force.longitudinal_stiffness = stiffness;
        tire.grip.friction = 1.0;
        tire.grip.load = 5_000.0;
        let part = |mass| MovedPart { mass, pull: 0.0 };
        let held = TireTorque::new(&tire, radius, &part(mass), dt);
        assert!((held.torque - 1_000.0 * radius).abs() < 1e-3, "{held:?}");
        // Without a bound by the mass: the force as it is.
        let carried = TireTorque::new(&tire, radius, &part(1e6), dt);
        assert_eq!(carried.torque, 4_000.0 * radius);
        assert_eq!(carried.resistance, 8_000.0 * radius * radius);
        assert_eq!(carried.max_torque, 5_000.0 * radius);
    }

    #[test]
    fn stiff_tire_bears_the_pull_of_a_slope() {
        // A slope pulls a vehicle of 200 kg back by 3 m/s². The wheel drives it at constant speed:
        // its tire gives 600 N without a rim that is ahead of the vehicle.
        let (radius, mass, dt) = (0.5, 200.0, 0.1);
        let mut tire = TireState { slip_denominator: 0.1, ..TireState::default() };
        tire.force.longitudinal_stiffness = 1e6;
        tire.grip = TireGrip { load: 2_000.0, friction: 1.0 };
        let moved = MovedPart { mass, pull: -3.0 };
        let torque = TireTorque::new(&tire, radius, &moved, dt);
        assert!((torque.torque + 600.0 * radius).abs() < 0.3, "{torque:?}");
        // Rows hold a tire that sticks. One that is not stiff falls behind in the step as it does
        // on the flat: its slip is small.
        tire.sticky.longitudinal.is_active = true;
        assert_eq!(TireTorque::new(&tire, radius, &moved, dt).torque, 0.0);
        tire.sticky.longitudinal.is_active = false;
        tire.slip_denominator = 1e4;
        assert_eq!(TireTorque::new(&tire, radius, &moved, dt).torque, 0.0);
    }
}
