//! A rider: who keeps a motorcycle upright, leans it into bends, and does not throw it over.
//!
//! A vehicle with one track falls, unless its rider steers: to the side to which it falls, so that the contacts come
//! under the center of mass again; and, to lean into a bend, to the other side first. [`Rider`] is the state of such a
//! rider, as [state of one's own](OwnState) in a vehicle, and [`RiderParams`] is what it can do. Three components ride:
//!
//! - [`RiderSteering`], once a frame, after [`Steering`](vehicle_core::steering::Steering): from the steering command,
//!   which is how far the driver wants to turn, to a lean, and from the lean to a steer angle;
//! - [`RiderThrottle`], once a frame, after [`Transmission`](crate::transmission::Transmission): no more throttle than
//!   front wheel and rear tire bear;
//! - [`RiderSupport`], in each substep, after [`Tire`](vehicle_core::tire::Tire): feet at low speed and the stand at
//!   rest, no more brake than rear wheel and tires bear, and the moment of a front wheel that is steered as it turns.
//!
//! [`motorcycle_sequence`](crate::sequences::motorcycle_sequence) has them in their places, and
//! [`TreadContact`](vehicle_core::vehicle::TreadContact), without which a vehicle that leans does not stand on its
//! treads.
//!
//! # Lean
//!
//! The steering command `s` asks for the lateral acceleration
//!
//! ```text
//! a_y = s min(g tan φ_max, η_b μ g, v² tan δ_max / L)
//! ```
//!
//! with the largest lean, the share `η_b` of friction that the rider uses in bends, and the largest steer angle `δ_max`: of a slow
//! motorcycle it is the share of the steering lock, as of a car. The lean that goes with it is that of the
//! [balance of moments](SingleTrack::lean_in_bend); a reference `φ_r` goes there at the rate
//!
//! ```text
//! φ_r' → min(φ'_max, sqrt(2 c e), 4/s e),   |φ_r''| ≤ c = (η_r μ - |a_y|/g) m g h / (I_x + m h²)
//! ```
//!
//! with the way `e` that is left: no faster than the largest roll rate, and by no more angular acceleration than the
//! friction allows which the bend leaves of the share `η_r`.
//!
//! # Steering
//!
//! ```text
//! δ = δ_0(φ_r) - K (x - x_0(φ_r)) - i,   x = (v_c, r, φ, φ')
//! ```
//!
//! with the steer angle `δ_0` and the state `x_0` of the steady bend of this lean, and the gains `K` of an optimal
//! regulator of the [single-track model](SingleTrack) at this speed, in a bend of this lean, where tires answer less. The
//! trim `i` takes away what the model is wrong by, as on a road with a crossfall:
//!
//! ```text
//! i' = ω_i K_φ (φ - φ_r),   ω_i = 1/s
//! ```
//!
//! Nothing in it is fitted: the model follows from
//! mass, inertia, wheelbase, tires and wheels. That it steers against the bend first is what the regulator finds: at 20
//! m/s a lean to the left begins with a steer angle to the right.
//!
//! The angle is that at the ground; a wheel whose axis leans by `φ` takes `tan δ cos φ`.
//!
//! # Feet and stand
//!
//! Below the lower of [`feet_speeds`](RiderParams::feet_speeds) feet hold the motorcycle, above the upper they do not,
//! and between they do by a share. They are a torque about its longitudinal axis, against gravity's vertical:
//!
//! ```text
//! M = -sat(k (φ - φ_r) + c φ'),   k = 3 m g (h - ρ),   c = 2 sqrt((k - m g (h - ρ)) (I_x + m h²))
//! ```
//!
//! up to the largest moment of [`feet_moment`](RiderParams::feet_moment): three times what it takes to hold it, with
//! critical damping, in implicit steps. Upright it is zero, so that a motorcycle that stands on its brakes comes to rest
//! and sleeps. The torque is one from outside: the ground feels nothing of it, and the load of the wheels stays.

mod gains;
mod ride;
mod single_track;

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use vehicle_core::context::GRAVITY;
use vehicle_core::error::{Bound, ParamCheck};
use vehicle_core::math::{PI, Real, Vec3};
use vehicle_core::tire::TireModel;
use vehicle_core::vehicle::{MechanicalParams, OwnState};
use vehicle_core::{Frame, ParamError, ParamErrors, Validate};

use self::gains::Gains;
pub use self::ride::{RiderSteering, RiderSupport, RiderThrottle};
pub use self::single_track::SingleTrack;

/// What a rider can do.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct RiderParams {
    /// Lean in a bend that is never asked for more of, to either side (rad).
    pub max_lean: Real,
    /// Largest roll rate that is asked for (rad/s): some 70 degrees per second in a slalom.
    pub max_roll_rate: Real,
    /// Largest rate at which the handlebar is turned (rad/s).
    pub max_steer_rate: Real,
    /// Share of the friction that is used in bends, in [0, 0.9].
    pub bend_share: Real,
    /// Share of the friction that is used as the lean changes in a bend, in [0, 0.9].
    pub roll_share: Real,
    /// Share of the friction that is used under brakes and throttle, in [0, 1].
    pub grip_share: Real,
    /// Load that front and rear wheel keep under throttle and brakes, by the weight (dimensionless), in [0, 0.3].
    pub least_load: Real,
    /// Largest moment of feet or stand (N·m).
    pub feet_moment: Real,
    /// Speed up to which feet hold in full, and from which on they do not (m/s).
    pub feet_speeds: [Real; 2],
}

impl Default for RiderParams {
    /// A skilled rider on a road motorcycle.
    fn default() -> Self {
        Self {
            max_lean: 0.8,
            max_roll_rate: 1.2,
            max_steer_rate: 6.0,
            bend_share: 0.6,
            roll_share: 0.75,
            grip_share: 0.9,
            least_load: 0.05,
            feet_moment: 600.0,
            feet_speeds: [1.5, 3.5],
        }
    }
}

impl Validate for RiderParams {
    fn check(&self, check: &mut ParamCheck) {
        check.number("max_lean", self.max_lean, Bound::Within(0.0, MOST_LEAN));
        check.number("max_roll_rate", self.max_roll_rate, Bound::Positive);
        check.number("max_steer_rate", self.max_steer_rate, Bound::Positive);
        check.number("bend_share", self.bend_share, Bound::Within(0.0, 0.9));
        check.number("roll_share", self.roll_share, Bound::Within(0.0, 0.9));
        check.number("grip_share", self.grip_share, Bound::Within(0.0, 1.0));
        check.number("least_load", self.least_load, Bound::Within(0.0, 0.3));
        check.number("feet_moment", self.feet_moment, Bound::NotNegative);
        let [low, high] = self.feet_speeds;
        check.number("feet_speeds[0]", low, Bound::NotNegative);
        let requirement = format_args!("above {low}, up to which they hold in full");
        check.require("feet_speeds[1]", low < high && high.is_finite(), requirement, high);
    }
}

/// Largest lean that may be asked for (rad).
const MOST_LEAN: Real = 1.2;

/// A rider and what it knows of its motorcycle.
#[derive(Clone, Debug, PartialEq)]
pub struct RiderModel {
    params: RiderParams,
    track: SingleTrack,
    gains: Arc<Gains>,
}

impl RiderModel {
    /// A rider of a motorcycle of these `mechanics`, of the axes of `frame`, who learns its mass, geometry and tires.
    ///
    /// # Errors
    ///
    /// All faults of `params`; if the vehicle has not a steered front wheel and a rear wheel, and no others.
    pub fn new<Tire: TireModel>(
        params: RiderParams,
        mechanics: &MechanicalParams<Tire>,
        frame: &Frame,
    ) -> Result<Self, ParamErrors> {
        params.validate()?;
        let is_above_its_tread = |track: &SingleTrack| track.tread_radius < track.height;
        let track = SingleTrack::of(mechanics, frame).filter(is_above_its_tread);
        let Some(track) = track else {
            let requirement = "of a motorcycle: a steered front wheel and a rear wheel, and the center of mass \
                               between and above them";
            let got = format_args!("a vehicle of {} wheels", mechanics.axles.wheel_count());
            return Err(ParamError::new("rider", requirement, got).into());
        };
        Ok(Self { params, track, gains: Arc::new(Gains::of(&track)) })
    }

    /// What the rider can do.
    pub fn params(&self) -> &RiderParams {
        &self.params
    }

    /// The motorcycle as the rider knows it.
    pub fn track(&self) -> &SingleTrack {
        &self.track
    }
}

/// What a rider remembers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Rider {
    /// The lean to the left that the rider has in mind (rad).
    pub lean: Real,
    /// How fast it changes (rad/s).
    pub lean_rate: Real,
    /// The trim of the steer angle at the ground (rad).
    pub trim: Real,
    /// Steer angle of the front wheel (rad).
    pub steer_angle: Real,
    /// How fast it changes in this frame (rad/s).
    pub steer_rate: Real,
    /// Friction of the tires (dimensionless), the lesser one.
    pub friction: Real,
    /// Load of front and rear tire (N).
    pub loads: [Real; 2],
    /// Lateral force of the rear tire (N).
    pub rear_lateral_force: Real,
    /// Longitudinal slip of the rear tire (dimensionless).
    pub rear_slip: Real,
    /// What the driver asks of each brake in this frame (N·m).
    pub brake_demands: [Real; 2],
    /// The part of feet and stand in the external torque of this frame (N·m).
    pub support: Vec3,
}

impl OwnState for Rider {
    type Params = RiderModel;

    fn at_rest(model: &RiderModel, _wheel_count: usize) -> Self {
        Self {
            lean: 0.0,
            lean_rate: 0.0,
            trim: 0.0,
            steer_angle: 0.0,
            steer_rate: 0.0,
            friction: 1.0,
            loads: model.track.loads(),
            rear_lateral_force: 0.0,
            rear_slip: 0.0,
            brake_demands: [0.0; 2],
            support: Vec3::ZERO,
        }
    }

    fn check_params(model: &RiderModel, wheel_count: usize, check: &mut ParamCheck) {
        model.params.check(check);
        let requirement = "of 2 wheels";
        check.require("rider", wheel_count == 2, requirement, wheel_count);
    }

    fn check(&self, _: &RiderModel, _: usize, check: &mut ParamCheck) {
        check.finite_within("lean", self.lean, -PI, PI);
        check.finite_within("steer_angle", self.steer_angle, -PI, PI);
        check.number("friction", self.friction, Bound::NotNegative);
    }

    fn is_finite(&self) -> bool {
        let numbers = [
            self.lean,
            self.lean_rate,
            self.trim,
            self.steer_angle,
            self.steer_rate,
            self.friction,
            self.rear_lateral_force,
            self.rear_slip,
        ];
        let lists = self.loads.iter().chain(&self.brake_demands);
        numbers.iter().chain(lists).all(|number| number.is_finite()) && self.support.is_finite()
    }
}
