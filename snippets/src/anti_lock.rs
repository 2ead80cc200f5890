//! An anti-lock brake, as an example of a driver aid of your own: a component in the substep that
//! changes the brake torques which the stages after it read.
//!
//! It follows the tires, so that it reads what they do in this substep, and the stages after it,
//! rows and drivetrain, read its torques. Put [`AntiLockBrake`] in place with
//! `sequence.insert_after::<Tire>(AntiLockBrake)`. Whether a wheel is braked at all stays as the
//! stage before the substeps has found it. A component may brake wheels which the driver does not,
//! as a traction control does. It is followed by
//! [`WrittenTorques`](vehicle_rapier::drivetrain::stages::WrittenTorques) or
//! [`EngineActuation`](vehicle_rapier::drivetrain::stages::EngineActuation).

use std::ops::ControlFlow::{self, Continue};

use serde::{Deserialize, Serialize};
use vehicle_rapier::core::math::Real;
use vehicle_rapier::prelude::*;

/// When an anti-lock brake lets go.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct AntiLockParams {
    /// Slip from which on it lets go (dimensionless): 1 is a wheel that is locked. Below half of
    /// it, it brakes more.
    pub slip: Real,
    /// How fast it lets go (1/s).
    pub release_rate: Real,
    /// How fast it comes back (1/s).
    pub build_rate: Real,
    /// Speed of the car below which it does nothing (m/s).
    pub lowest_speed: Real,
}

impl Default for AntiLockParams {
    fn default() -> Self {
        Self { slip: 0.15, release_rate: 20.0, build_rate: 10.0, lowest_speed: 1.0 }
    }
}

impl AntiLockParams {
    /// The share `dt` (s) after `share`, of a wheel whose rim is at `rim_speed` and its hub at
    /// `speed` (m/s), in [0, 1].
    fn advanced(&self, share: Real, rim_speed: Real, speed: Real, dt: Real) -> Real {
        let slip = speed - rim_speed;
        let change = if speed <= self.lowest_speed || slip < 0.5 * self.slip * speed {
            self.build_rate * (share + LEAST_SHARE)
        } else if slip < self.slip * speed {
            0.0
        } else {
            -self.release_rate * share
        };
        (share + change * dt).clamp(0.0, 1.0)
    }
}

/// The share from which a brake comes back that has let go of its wheel (dimensionless).
const LEAST_SHARE: Real = 0.02;

/// What an anti-lock brake remembers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AntiLock {
    /// What the driver asks of each brake in this frame (N·m).
    pub demands: WheelVec<Real>,
    /// The share of it that each brake gets, in [0, 1].
    pub shares: WheelVec<Real>,
}

impl OwnState for AntiLock {
    type Params = AntiLockParams;

    fn at_rest(_: &AntiLockParams, wheel_count: usize) -> Self {
        let each = |value| (0..wheel_count).map(|_| value).collect();
        Self { demands: each(0.0), shares: each(1.0) }
    }

    fn check_params(params: &AntiLockParams, _wheel_count: usize, check: &mut ParamCheck) {
        check.number("slip", params.slip, Bound::Within(0.0, 1.0));
        check.number("release_rate", params.release_rate, Bound::NotNegative);
        check.number("build_rate", params.build_rate, Bound::NotNegative);
        check.number("lowest_speed", params.lowest_speed, Bound::NotNegative);
    }

    fn check(&self, _: &AntiLockParams, wheel_count: usize, check: &mut ParamCheck) {
        check.count("demands", self.demands.len(), wheel_count);
        check.count("shares", self.shares.len(), wheel_count);
    }

    fn is_finite(&self) -> bool {
        self.demands.iter().chain(&self.shares).all(|number| number.is_finite())
    }
}

/// Lets go of the brakes of wheels that are about to lock.
///
/// ```text
/// T = s T_driver,   ds/dt = -r s  where  v - ω R ≥ σ v,   b s  where  v - ω R < σ v / 2
/// ```
///
/// with the slip `σ`, the rates `r` and `b` and the speed `v` of the wheel over the road.
#[derive(Clone, Copy, Debug)]
pub struct AntiLockBrake;

impl<V: HasOwn<Own = AntiLock>> Component<V> for AntiLockBrake {
    fn update(&self, vehicle: &mut V, dt: Real, context: &Context<'_>) -> ControlFlow<()> {
        let MechanicsWithOwn { mechanics, params, state } = vehicle.own();
        for wheel in 0..state.shares.len() {
            let speed = mechanics.tire_state(wheel).speeds.longitudinal;
            let rim_speed =
                mechanics.wheel_state(wheel).rotation_speed * mechanics.wheel_params(wheel).radius;
            let torque = &mut mechanics.state.brake_torques[wheel];
            if context.substep.index == 0 {
                state.demands[wheel] = *torque;
            }
            let share = &mut state.shares[wheel];
            *share = params.advanced(*share, rim_speed, speed, dt);
            *torque = *share * state.demands[wheel];
        }
        Continue(())
    }
}
