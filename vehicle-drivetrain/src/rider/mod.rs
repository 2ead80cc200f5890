//! A rider: who keeps a motorcycle upright, leans it into bends, and does not throw it over.
//!
//! A vehicle with one track falls, unless its rider steers to the side to which it falls, so that
//! the contacts come under the center of mass again. To lean into a bend, he steers to the other
//! side first. [`Rider`] is the state of such a rider, as [state of one's own](OwnState) in a
//! vehicle, and [`RiderParams`] is what it can do. Three components ride:
//!
//! - [`RiderSteering`], once a frame, after [`Steering`](vehicle_core::stages::Steering): from
//!   the steering command, which is how far the driver wants to turn, to a lean, and from the lean
//!   to a steer angle;
//! - [`RiderThrottle`], once a frame, after [`Transmission`](crate::stages::Transmission): no
//!   more throttle than front wheel and rear tire bear;
//! - [`RiderSupport`], in each substep, after [`Tire`](vehicle_core::stages::Tire): feet at low
//!   speed and the stand at rest, and no more brake than rear wheel and tires bear. It also adds
//!   the moment of a front wheel that is steered as it turns.
//!
//! [`motorcycle_sequence`](crate::sequences::motorcycle_sequence) has them in their places, and
//! [`TreadContact`](vehicle_core::vehicle::TreadContact), without which a vehicle that leans does
//! not stand on its treads. A rider thinks in meters, as do drivers.
//!
//! # Lean
//!
//! The steering command `s` asks for the lateral acceleration
//!
//! ```text
//! τ g = s min(τ(φ_max), η_b μ, η_l v² tan δ_max / (L g)) g
//! ```
//!
//! with the largest lean, the share `η_b` of friction that the rider uses in bends, and the share
//! `η_l` of the largest steer angle `δ_max` that leaves some for balance. Where feet hold, it is
//! all of the lock, as of a car. Whoever asks for brakes as well is given less of the bend, down to
//! four tenths at full brakes, so that the motorcycle comes up and brakes. Brakes and throttle take
//! load from a wheel that must bear its part of the lateral force all the same: as they act, `τ` is
//! at most `η_r μ min(N/N_0)`. The lean that goes with it is that of the [balance of
//! moments](SingleTrack::lean_in_bend); a reference `φ_r` goes there as
//!
//! ```text
//! φ_r' → min(φ'_max, sqrt(c² T² + 2 c e) - c T, 4/s e),   T = 0.1 s
//! |φ_r''| ≤ c = max(η_r μ - τ, 0.05 μ) m g h / (I_x + m h²)
//! ```
//!
//! with the way `e` that is left. It is no faster than the largest roll rate, and has no more
//! angular acceleration than is left of the share `η_r`. So it does not go beyond what tires bear
//! however the command jumps.
//!
//! # Steering
//!
//! ```text
//! δ = δ_0 - K (x - x_0) - i,   x = (v_c, r, φ, φ')
//! ```
//!
//! with the steer angle `δ_0` and the state `x_0` with which the motorcycle follows `φ_r`, `φ_r'`
//! and `φ_r''`. `K` are the gains of an optimal regulator of the [single-track model](SingleTrack)
//! at this speed, in a bend of this lean, where tires answer less. Of the angle `δ` the front tire
//! makes a slip angle by the way of its contact. No more of that is steered than what uses nine
//! tenths of the friction: beyond it, more steering is less force. The trim `i` takes away what the
//! model is wrong by, as on a road with a crossfall, and is forgotten as the lean changes:
//!
//! ```text
//! i' = ω_i K_φ (φ - φ_r),   ω_i = 1/s
//! ```
//!
//! Nothing in it is fitted to a motorcycle: the model follows from mass, inertia, wheelbase, tires
//! and wheels. That it steers against the bend first is what the model says: at 20 m/s a lean to
//! the left begins with a steer angle to the right.
//!
//! The angle is that at the ground; a wheel whose axis leans by `φ` takes `tan δ cos φ`.
//!
//! # Brakes and throttle
//!
//! The hand gives way before a wheel lifts or slides, see [`RiderSupport`] and [`RiderThrottle`]. A
//! slow motorcycle turns too little to stand up by itself. In a lean that takes more than six
//! tenths of what steering lock and feet bear, brakes are let go of, until it has come up.
//!
//! Beyond 1.2 rad nothing lifts it: the rider lets go, which [`Rider::is_down`] tells, and no part
//! of it acts until somebody puts it upright.
//!
//! # Feet and stand
//!
//! Below the lower of [`feet_speeds`](RiderParams::feet_speeds) feet hold the motorcycle, above the
//! upper they do not, and between they do by a share. They are a torque about its longitudinal
//! axis, against gravity's vertical:
//!
//! ```text
//! M = -sat(k (φ - φ_r) + c φ'),   k = 3 m g (h - ρ),   c = 2 sqrt((k - m g (h - ρ)) (I_x + m h²))
//! ```
//!
//! up to the largest moment of [`feet_moment`](RiderParams::feet_moment): three times what it takes
//! to hold it, with critical damping, in implicit steps. Upright it is zero, so that a motorcycle
//! that stands on its brakes comes to rest and sleeps. The torque is one from outside: the ground
//! feels nothing of it, and the load of the wheels stays.

mod attitude;
mod gains;
mod learning;
mod limits;
mod single_track;
mod steering;
mod support;
mod throttle;

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use vehicle_core::context::GRAVITY;
use vehicle_core::error::{Bound, ParamCheck};
use vehicle_core::math::{PI, Real, Vec3};
use vehicle_core::tire::TireModel;
use vehicle_core::vehicle::{MechanicalParams, OwnState};
use vehicle_core::{Frame, ParamError, ParamErrors, Validate};

use self::gains::Gains;
pub use self::single_track::SingleTrack;
pub use self::steering::RiderSteering;
pub use self::support::RiderSupport;
pub use self::throttle::RiderThrottle;

/// Parameters of a rider.
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
    /// Share of the friction that is used in bends, in [0, 0.9] (dimensionless).
    pub bend_share: Real,
    /// Share of the friction that is used as the lean changes in a bend, in [0, 0.9]
    /// (dimensionless).
    pub roll_share: Real,
    /// Share of the friction that is used under brakes and throttle, in [0, 1] (dimensionless).
    pub grip_share: Real,
    /// Load that front and rear wheel keep under throttle and brakes, by the weight
    /// (dimensionless), in [0, 0.3].
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
            bend_share: 0.62,
            roll_share: 0.78,
            grip_share: 0.85,
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
    /// A rider of a motorcycle of these `mechanics`, of the axes of `frame`, who learns its mass,
    /// geometry and tires.
    ///
    /// # Errors
    ///
    /// All faults of `params`; if the vehicle has not a steered front wheel and a rear wheel, and
    /// no others.
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

    /// Parameters of the rider.
    pub fn params(&self) -> &RiderParams {
        &self.params
    }

    /// The motorcycle as the rider knows it.
    pub fn track(&self) -> &SingleTrack {
        &self.track
    }
}

/// State of a rider between steps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Rider {
    /// The lean to the left that the rider has in mind (rad).
    pub lean: Real,
    /// How fast it changes (rad/s).
    pub lean_rate: Real,
    /// The lateral acceleration by gravity for which friction is kept (dimensionless): that of the
    /// lean, or of the one in mind.
    pub lateral: Real,
    /// The lesser of what front and rear wheel bear of their loads at rest under brakes or
    /// throttle, in [0, 1].
    pub least_load_share: Real,
    /// The part of the brakes that the lean allows at this speed, in [0, 1].
    pub upright_share: Real,
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
    /// Longitudinal slip of the rear tire (dimensionless), relative to 1 m/s at least.
    pub rear_slip: Real,
    /// Torques that the driver asks of each brake in this frame (N·m).
    pub brake_demands: [Real; 2],
    /// How firmly the hand pulls the front brake, by what the motorcycle takes, in [0, 1].
    pub front_brake_share: Real,
    /// The part of the throttle that the hand leaves to a rear tire that slips, in [0, 1].
    pub throttle_share: Real,
    /// Whether the motorcycle lies, and the rider has let go.
    pub is_down: bool,
    /// The part of feet and stand in the external torque of this frame (N·m).
    pub support: Vec3,
}

impl Rider {
    /// Has nothing in mind anymore, and no hand at brakes and throttle.
    fn let_go(&mut self) {
        (self.lean, self.lean_rate, self.trim) = (0.0, 0.0, 0.0);
        (self.lateral, self.least_load_share, self.upright_share) = (0.0, 1.0, 1.0);
        (self.front_brake_share, self.throttle_share) = (0.0, 1.0);
    }
}

impl OwnState for Rider {
    type Params = RiderModel;

    fn at_rest(model: &RiderModel, _wheel_count: usize) -> Self {
        Self {
            lean: 0.0,
            lean_rate: 0.0,
            lateral: 0.0,
            least_load_share: 1.0,
            upright_share: 1.0,
            trim: 0.0,
            steer_angle: 0.0,
            steer_rate: 0.0,
            friction: 1.0,
            loads: model.track.loads(),
            rear_lateral_force: 0.0,
            rear_slip: 0.0,
            brake_demands: [0.0; 2],
            front_brake_share: 0.0,
            throttle_share: 1.0,
            is_down: false,
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
            self.lateral,
            self.least_load_share,
            self.upright_share,
            self.trim,
            self.steer_angle,
            self.steer_rate,
            self.friction,
            self.rear_lateral_force,
            self.rear_slip,
            self.front_brake_share,
            self.throttle_share,
        ];
        let lists = self.loads.iter().chain(&self.brake_demands);
        numbers.iter().chain(lists).all(|number| number.is_finite()) && self.support.is_finite()
    }
}

#[cfg(test)]
mod tests {
    use vehicle_core::blueprint::CarBlueprint;

    use super::*;

    #[test]
    fn faults_of_a_rider_are_named() {
        let usual = RiderParams::default();
        assert!(usual.validate().is_ok());
        let cases = [
            ("max_lean", RiderParams { max_lean: 1.3, ..usual }, "1.3"),
            ("max_roll_rate", RiderParams { max_roll_rate: 0.0, ..usual }, "0"),
            ("max_steer_rate", RiderParams { max_steer_rate: -1.0, ..usual }, "-1"),
            ("bend_share", RiderParams { bend_share: 0.95, ..usual }, "0.95"),
            ("roll_share", RiderParams { roll_share: Real::NAN, ..usual }, "NaN"),
            ("grip_share", RiderParams { grip_share: 1.5, ..usual }, "1.5"),
            ("least_load", RiderParams { least_load: 0.5, ..usual }, "0.5"),
            ("feet_moment", RiderParams { feet_moment: -3.0, ..usual }, "-3"),
            ("feet_speeds[0]", RiderParams { feet_speeds: [-1.0, 2.0], ..usual }, "-1"),
            ("feet_speeds[1]", RiderParams { feet_speeds: [2.0, 2.0], ..usual }, "2"),
        ];
        for (path, params, value) in cases {
            let errors = params.validate().expect_err(path);
            let found: Vec<_> =
                errors.errors().iter().map(|error| (&error.path[..], &error.value[..])).collect();
            assert_eq!(found, [(path, value)]);
        }
    }

    #[test]
    fn a_car_has_no_rider() {
        let sheet = CarBlueprint::default();
        let car = sheet.mechanics().expect("a car");
        let errors =
            RiderModel::new(RiderParams::default(), &car, &sheet.frame).expect_err("a car");
        let error = errors.errors().first().expect("never empty");
        assert_eq!(error.path, "rider");
        assert!(error.value.contains("4 wheels"), "{error:?}");
    }
}
