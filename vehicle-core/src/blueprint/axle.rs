//! The data sheet of an axle.

use serde::{Deserialize, Serialize};

use super::ride::AxleRide;
use super::tire::LATERAL_STIFFNESS_PER_LOAD;
use super::{plausible, usual};
use crate::context::GRAVITY;
use crate::error::{Bound, ParamCheck, Validate};
use crate::math::{Real, TAU};
use crate::mount::{WheelParams, usual_rolling_resistance};

/// The data sheet of an axle: two wheels, or one in the middle where the track width is 0. Each may
/// be a twin.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct AxleBlueprint {
    /// How far it is behind the first axle (m).
    pub position: Real,
    /// Distance between its wheels (m); 0 for a single one.
    pub track_width: Real,
    /// Load of the axle on a scale, wheels included (kg).
    pub load: Real,
    /// The load for which springs, dampers and tires are made, and at which the vehicle has its
    /// height (kg), such as that of a tractor under its trailer. By default `load`, and at
    /// least half of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub laden_load: Option<Real>,
    /// Shape and inertia of each wheel; of one of the two where they are twins.
    #[serde(default)]
    pub wheel: WheelParams,
    /// Whether there are two wheels on each hub, side by side, which carry its load together.
    #[serde(default)]
    pub twin_wheels: bool,
    /// Natural frequency of what it carries, laden, on its springs (Hz).
    #[serde(default = "usual::natural_frequency")]
    pub natural_frequency: Real,
    /// Damping of the suspension, 1 for critical (dimensionless).
    #[serde(default = "usual::damping_ratio")]
    pub damping_ratio: Real,
    /// Distance from full compression to full droop (m).
    #[serde(default = "usual::travel_distance")]
    pub travel_distance: Real,
    /// Stiffness of the anti-roll bar (N/m), 0 for none.
    #[serde(default)]
    pub anti_roll_stiffness: Real,
    /// Steer angle at full lock (rad): 0 for none, negative for wheels that are steered against
    /// those in front.
    #[serde(default)]
    pub max_steer_angle: Real,
    /// Brake torque of each wheel at a full foot brake (N·m).
    pub brake_torque: Real,
    /// Brake torque of each wheel at a full hand brake (N·m).
    #[serde(default)]
    pub hand_brake_torque: Real,
    /// Load-sensing valve of its foot brake; without a valve, the full torque acts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub brake_valve: Option<AxleBrakeValve>,
    /// Downforce coefficient times area (m²) of what presses on this axle; negative for lift.
    #[serde(default)]
    pub downforce_area: Real,
    /// Largest lateral stiffness of a tire by the load that it is made for (1/rad), of which it has
    /// 7/8 at this load. By default, 15.5 for wheels that are steered, whose steering gear gives
    /// way too, and 25 for others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lateral_stiffness_per_load: Option<Real>,
    /// Friction of its rubber, 1 for that of a road tire (dimensionless).
    #[serde(default = "usual_friction")]
    pub tire_friction: Real,
    /// Force that resists the rolling of its tires by their load (dimensionless): 0.03 for tracks.
    /// By default, [the usual one](crate::wheel::usual_rolling_resistance) for their radius.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rolling_resistance: Option<Real>,
    /// Wheels with mass, on tires that give way; by default with the usual numbers. `None`, in a
    /// file `null`, for wheels that follow the road at once: on all axles or on none.
    #[serde(default = "usual_ride")]
    pub ride: Option<AxleRide>,
}

/// The load-sensing valve of an axle's foot brake, by the load that its springs show: what the axle
/// weighs, less what the brakes of the moving vehicle take from it.
///
/// ```text
/// p = p_0 + (1 - p_0) (m - m_0) / (m_1 - m_0) within [p_0, 1]
/// ```
///
/// See [`BrakeValveParams`](crate::brakes::BrakeValveParams).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct AxleBrakeValve {
    /// p_0, the part of the brake torque that it always lets through, in [0, 1] (dimensionless).
    pub least_part: Real,
    /// m_0 and m_1, the loads of the axle up to which it lets the least part through, and from
    /// which on all (kg).
    pub loads: [Real; 2],
}

impl Validate for AxleBrakeValve {
    fn check(&self, check: &mut ParamCheck) {
        check.number("least_part", self.least_part, Bound::Within(0.0, 1.0));
        let [least, full] = self.loads;
        check.number("loads[0]", least, Bound::NotNegative);
        check.number("loads[1]", full, Bound::Positive);
        let requirement = format_args!("above {least}, that of the least part");
        check.require("loads[1]", least < full, requirement, full);
    }
}

/// Load for which an axle is made, by that which it has on a scale, at least (dimensionless).
const LEAST_LADEN: Real = 0.5;

fn usual_friction() -> Real {
    1.0
}

fn usual_ride() -> Option<AxleRide> {
    Some(AxleRide::default())
}

/// Jounce at rest on springs of this natural frequency (Hz), whatever the mass (m): g / ω².
pub(super) fn rest_jounce(natural_frequency: Real) -> Real {
    let frequency = TAU * natural_frequency;
    GRAVITY / (frequency * frequency)
}

/// Checks that a suspension of this natural frequency (Hz) has some of its `travel` (m) left at
/// rest.
pub(super) fn check_travel(check: &mut ParamCheck, natural_frequency: Real, travel: Real) {
    // What follows from a frequency that no vehicle has is not checked.
    if plausible::NATURAL_FREQUENCY.holds(natural_frequency) {
        let rest = rest_jounce(natural_frequency);
        let requirement = format_args!("above the jounce at rest, {rest} m");
        check.require("travel_distance", rest < travel, requirement, travel);
    }
}

impl AxleBlueprint {
    /// Reports wheels with mass that weigh as much as their axle, wheels included, on a scale.
    pub(super) fn check_wheel_mass(&self, check: &mut ParamCheck) {
        let Self { load, wheel: WheelParams { mass, .. }, .. } = *self;
        if self.ride.is_some() && plausible::MASS.holds(load) {
            let twins = if self.twin_wheels { 2.0 } else { 1.0 };
            let most = load / (twins * self.wheel_count() as Real);
            let requirement = format_args!("below {most} kg: its axle weighs {load} kg with all");
            let is_heavy = plausible::WHEEL_MASS.holds(mass) && most <= mass;
            check.require("wheel.mass", !is_heavy, requirement, mass);
        }
    }

    /// An axle of two wheels, `position` (m) behind the first axle. The wheels are `track_width`
    /// (m) apart, the axle weighs `load` (kg), and each wheel has the `brake_torque` (N·m). Springs
    /// and tires are those of a mid-size car; the axle does not steer.
    pub fn new(position: Real, track_width: Real, load: Real, brake_torque: Real) -> Self {
        Self {
            position,
            track_width,
            load,
            laden_load: None,
            wheel: WheelParams::default(),
            twin_wheels: false,
            natural_frequency: usual::natural_frequency(),
            damping_ratio: usual::damping_ratio(),
            travel_distance: usual::travel_distance(),
            anti_roll_stiffness: 0.0,
            max_steer_angle: 0.0,
            brake_torque,
            hand_brake_torque: 0.0,
            brake_valve: None,
            downforce_area: 0.0,
            lateral_stiffness_per_load: None,
            tire_friction: usual_friction(),
            rolling_resistance: None,
            ride: usual_ride(),
        }
    }

    /// Number of its wheels, twins counted once.
    pub fn wheel_count(&self) -> usize {
        if self.track_width == 0.0 { 1 } else { 2 }
    }

    /// The wheel that turns on each hub, or two as one.
    pub(super) fn hub_wheel(&self) -> WheelParams {
        let wheel = if self.twin_wheels { self.wheel.twin() } else { self.wheel };
        // On wheels with mass, tire models know the stiffness with which the vehicle drives.
        let driven = self.ride.map(|_| self.tire_stiffness());
        WheelParams { radial_stiffness: driven.or(wheel.radial_stiffness), ..wheel }
    }

    /// The load for which it is made (kg).
    pub(super) fn design_load(&self) -> Real {
        self.laden_load.unwrap_or(self.load)
    }

    /// Jounce of its wheels at rest under the load that they are made for (m): g / ω².
    pub(super) fn rest_jounce(&self) -> Real {
        rest_jounce(self.natural_frequency)
    }

    /// Jounce of its wheels at rest under `load` (kg), on springs without stops (m).
    pub(super) fn jounce_under(&self, load: Real) -> Real {
        let has_mass = if self.ride.is_some() { 1.0 } else { 0.0 };
        let unsprung = has_mass * self.unsprung_mass() * self.wheel_count() as Real;
        self.rest_jounce() * (load - unsprung) / (self.design_load() - unsprung)
    }

    pub(super) fn lateral_stiffness_per_load(&self) -> Real {
        let [front, rear] = LATERAL_STIFFNESS_PER_LOAD;
        let usual = if self.max_steer_angle == 0.0 { rear } else { front };
        self.lateral_stiffness_per_load.unwrap_or(usual)
    }

    pub(super) fn rolling_resistance(&self) -> Real {
        self.rolling_resistance.unwrap_or_else(|| usual_rolling_resistance(self.wheel.radius))
    }
}

impl Validate for AxleBlueprint {
    fn check(&self, check: &mut ParamCheck) {
        plausible::AXLE_POSITION.check(check, "position", self.position);
        check.number("track_width", self.track_width, Bound::NotNegative);
        if 0.0 < self.track_width {
            plausible::TRACK_WIDTH.check_size(check, "track_width", self.track_width, "");
        }
        plausible::MASS.check(check, "load", self.load);
        if let Some(laden) = self.laden_load {
            plausible::MASS.check(check, "laden_load", laden);
            // A coupling behind the last axle takes a little from the first one.
            let least = LEAST_LADEN * self.load;
            let requirement = format_args!("at least {least} kg, half of its load");
            let is_light = plausible::MASS.holds(laden) && laden < least;
            check.require("laden_load", !is_light, requirement, laden);
        }
        check.field("wheel", |inner| {
            self.wheel.check(inner);
            plausible::check_wheel(inner, &self.wheel);
        });
        plausible::check_half_width(check, self.wheel.half_width, self.track_width);
        self.check_wheel_mass(check);
        let stiffness = self.lateral_stiffness_per_load();
        for (name, value, range) in [
            ("natural_frequency", self.natural_frequency, plausible::NATURAL_FREQUENCY),
            ("damping_ratio", self.damping_ratio, plausible::DAMPING_RATIO),
            ("travel_distance", self.travel_distance, plausible::TRAVEL),
            ("anti_roll_stiffness", self.anti_roll_stiffness, plausible::ANTI_ROLL_STIFFNESS),
            ("max_steer_angle", self.max_steer_angle, plausible::STEER_ANGLE),
            ("brake_torque", self.brake_torque, plausible::BRAKE_TORQUE),
            ("hand_brake_torque", self.hand_brake_torque, plausible::BRAKE_TORQUE),
            ("lateral_stiffness_per_load", stiffness, plausible::LATERAL_STIFFNESS),
            ("tire_friction", self.tire_friction, plausible::FRICTION),
        ] {
            range.check(check, name, value);
        }
        if let Some(valve) = &self.brake_valve {
            check.field("brake_valve", |inner| valve.check(inner));
        }
        check.number("downforce_area", self.downforce_area, Bound::Finite);
        if let Some(resistance) = self.rolling_resistance {
            check.number("rolling_resistance", resistance, Bound::Within(0.0, 1.0));
        }
        if self.ride.is_some() {
            check.field("ride", |inner| self.check_ride(inner));
        }
        check_travel(check, self.natural_frequency, self.travel_distance);
    }
}
