//! The hill holder: what keeps a vehicle from rolling back until its clutch pulls enough.

use vehicle_core::Context;
use vehicle_core::math::Real;
use vehicle_core::rigid_body::RigidBodyState;

use crate::clutch::{ClutchParams, ClutchState, automatic_clutch};
use crate::gearbox::{GearboxParams, GearboxState, overall_gear_ratio};

/// Torque of the brake per torque that the slope asks for (dimensionless).
const HOLDING_RESERVE: Real = 1.1;
/// Torque of the drive per torque that the slope asks for, from which on the brake is let go
/// (dimensionless).
const PULLING_RESERVE: Real = 1.02;
/// Speed in the direction of the gear up to which a wheel is held (m/s).
const PULL_AWAY_SPEED: Real = 0.02;
/// Speed against it up to which one is (m/s). A vehicle that rolls back faster is caught by its
/// clutch alone.
const ROLL_BACK_SPEED: Real = 0.5;

/// A vehicle with a clutch that closes by itself, whose driver gives throttle.
///
/// An engine needs some tenths of a second to speed up and to close such a clutch. In this time, a
/// vehicle would roll down a hill as soon as its brake is let go. So the connected wheels are held
/// as long as the clutch gives less than the slope asks for, in either direction, as an automatic
/// hold does:
///
/// ```text
/// T_s = m (-g · f) R        what the slope asks for, f pointing as the gear goes
/// held where  T_clutch G < 1.02 T_s
/// ```
///
/// There is no end to it: under a throttle that never bears the slope, the vehicle stands.
pub(crate) struct HillHolder<'a> {
    pub(crate) rigid_body: &'a RigidBodyState,
    /// (kg)
    pub(crate) mass: Real,
    pub(crate) gearbox: &'a GearboxParams,
    pub(crate) gears: &'a GearboxState,
    pub(crate) clutch_params: &'a ClutchParams,
    /// The clutch as the pedal wants it.
    pub(crate) clutch: ClutchState,
    /// How far it has closed, in [0, 1].
    pub(crate) engagement: Real,
    /// (rad/s)
    pub(crate) engine_speed: Real,
}

/// A slope against the gear that wheels may be held on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HeldSlope {
    /// Force of the slope against the gear (N), positive.
    force: Real,
    /// Direction of the gear, 1 or -1.
    direction: Real,
    /// Torque that the clutch gives to all wheels together (N·m).
    borne: Real,
}

impl HillHolder<'_> {
    /// The slope against the gear, if there is one, and the clutch closes by itself and is not to
    /// let the vehicle roll back.
    pub(crate) fn slope(&self, context: &Context<'_>) -> Option<HeldSlope> {
        if self.clutch_params.automatic?.rolls_back {
            return None;
        }
        let ratio = overall_gear_ratio(self.gearbox, self.gears.target);
        let direction = if ratio < 0.0 { -1.0 } else { 1.0 };
        let forward = self.rigid_body.direction(context.frame().longitudinal());
        let force = -direction * self.mass * context.params.gravity.dot(forward);
        let borne = || self.clutch_torque() * ratio.abs();
        let is_pulled_back = ratio != 0.0 && 0.0 < force;
        is_pulled_back.then(|| HeldSlope { force, direction, borne: borne() })
    }

    /// Torque of the clutch as it slips on a vehicle that stands (N·m); none while the gear is
    /// switched.
    fn clutch_torque(&self) -> Real {
        if self.gears.is_switching() {
            return 0.0;
        }
        let engagement = self.clutch.engagement.min(self.engagement);
        let closing = ClutchState { engagement, ..self.clutch };
        let clutch = automatic_clutch(self.clutch_params, closing, self.engine_speed);
        // A clutch without a limit gives what its slip asks for.
        let of_slip = clutch.strength * self.engine_speed.max(0.0);
        self.clutch_params.capacity(clutch).min(of_slip)
    }
}

impl HeldSlope {
    /// Torque by which a wheel of this `radius` (m) is held that gets the `share` of the drive,
    /// where its rim moves forward at `rim_speed` (m/s) (N·m). There is none where the clutch bears
    /// the slope.
    pub(crate) fn torque(&self, share: Real, radius: Real, rim_speed: Real) -> Real {
        let is_borne = PULLING_RESERVE * self.force * radius <= self.borne;
        let is_slow = (-ROLL_BACK_SPEED..=PULL_AWAY_SPEED).contains(&(self.direction * rim_speed));
        let is_held = !is_borne && is_slow;
        if is_held { HOLDING_RESERVE * self.force * share.max(0.0) * radius } else { 0.0 }
    }
}
