//! Ride: what a blueprint knows of wheels with mass, roll centers and roll stiffness.

use serde::{Deserialize, Serialize};

use super::CarBlueprint;
use super::assembly::spring;
use super::axle::AxleBlueprint;
use super::beam::{self, AxleKind};
use super::plausible::{self, Plausible};
use crate::context::GRAVITY;
use crate::error::{Bound, ParamCheck, ParamErrors, Validate};
use crate::math::Real;
use crate::suspension::unsprung::UnsprungParams;
use crate::suspension::unsprung::laws::{DamperLaw, DamperSide, Stop};
use crate::suspension::{StrutParams, SuspensionForceParams};

/// Stiffness of a bump stop, by that of the spring (dimensionless).
const BUMP_STOP_STIFFNESS: Real = 5.0;
/// Mass of hub, brake and half of the links with that of the wheel, by the wheel's (dimensionless).
const UNSPRUNG_BY_WHEEL: Real = 2.0;
/// Largest part of what a wheel carries that is taken for its own where no mass is given
/// (dimensionless).
const MOST_UNSPRUNG: Real = 0.4;
/// How far a tire gives way under the load that it is made for, by its radius (dimensionless).
const DEFLECTION_BY_RADIUS: Real = 0.055;
/// Jounce from the bump stop to full compression, by the travel (dimensionless).
const BUMP_STOP_BY_TRAVEL: Real = 0.25;
/// How far two numbers for the stiffness of one tire may be apart, as a part of it (dimensionless).
const SAME_STIFFNESS: Real = 1e-3;
/// Height of a roll center by the wheel's radius (dimensionless).
const ROLL_CENTER_BY_RADIUS: Real = 0.15;

/// Wheels with mass, on tires that give way, between an axle's springs and its road.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct AxleRide {
    /// How the wheels are joined: each by itself (`independent`) or by a rigid axle (`beam`).
    pub axle: AxleKind,
    /// Mass of a wheel, or of twins, with hub, brake and half of its links (kg), a part of what the
    /// axle carries; with half of the axle too, if that is a beam. If there is none, twice that of
    /// the wheel, three times on a beam axle, and at most 0.4 of what it carries.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unsprung_mass: Option<Real>,
    /// Vertical stiffness of a tire (N/m), one of two where they are twins. If there is none, that
    /// of the wheel ([`radial_stiffness`](crate::wheel::WheelParams::radial_stiffness)), such as
    /// [`TireCode::radial_stiffness`](crate::tire_code::TireCode::radial_stiffness); if nothing is
    /// known of it, that by which the tire gives way by 5.5 % of its radius under the load for
    /// which the axle is made, as tires do that are inflated for their load.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tire_stiffness: Option<Real>,
    /// Damping in bump by that in rebound (dimensionless). Their mean is what the damping ratio
    /// says.
    pub bump_by_rebound: Real,
    /// Jounce from the bump stop to full compression (m). If there is none, a quarter of the
    /// travel.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bump_stop_length: Option<Real>,
    /// Height of the roll center above the ground (m). If there is none, 0.15 of the wheel's
    /// radius, and all of it for a beam axle.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub roll_center_height: Option<Real>,
    /// Part of the dive, or of the lift of an axle behind the center of mass, that the suspension
    /// takes from a braking vehicle (dimensionless): 0 none, 1 all. It acts on whatever force a
    /// tire has along the vehicle, a driven one's too.
    pub anti_dive: Real,
    /// Of a beam axle, the moment of inertia with its wheels about the axis of roll through its
    /// center (kg·m²). If there is none, that of the wheels and of a rod between them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub roll_inertia: Option<Real>,
    /// Of a beam axle, the distance between its springs, which have the bump stops beside them (m).
    /// If there is none, 0.7 of the track.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spring_track: Option<Real>,
    /// Of a beam axle, the distance between its dampers (m). If there is none, the track: friction
    /// in springs and joints damps roll, too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub damper_track: Option<Real>,
    /// Of a beam axle, its steer angle by the angle at which the body rolls above it
    /// (dimensionless): positive into the bend as the body rolls out of it, which is understeer of
    /// a rear axle.
    pub roll_steer: Real,
}

impl Default for AxleRide {
    /// The usual ride for the wheels of the axle, whatever their size: half as much damping in bump
    /// as in rebound, and no anti-dive.
    fn default() -> Self {
        Self {
            axle: AxleKind::Independent,
            unsprung_mass: None,
            tire_stiffness: None,
            bump_by_rebound: 0.5,
            bump_stop_length: None,
            roll_center_height: None,
            anti_dive: 0.0,
            roll_inertia: None,
            spring_track: None,
            damper_track: None,
            roll_steer: 0.0,
        }
    }
}

impl AxleBlueprint {
    /// Its ride, or that which is usual.
    pub(super) fn usual_ride(&self) -> AxleRide {
        self.ride.unwrap_or_default()
    }

    /// The lesser of the loads on each wheel, laden or not (kg).
    fn carried(&self) -> Real {
        self.load.min(self.design_load()) / self.wheel_count() as Real
    }

    /// Mass of a wheel, or of twins, with what moves with it (kg).
    pub(super) fn unsprung_mass(&self) -> Real {
        let by_wheel = if self.is_beam() { beam::UNSPRUNG_BY_WHEEL } else { UNSPRUNG_BY_WHEEL };
        let usual = (by_wheel * self.hub_wheel().mass).min(MOST_UNSPRUNG * self.carried());
        self.usual_ride().unsprung_mass.unwrap_or(usual)
    }

    /// Vertical stiffness of the tire of a wheel, or of those of twins together (N/m).
    pub(super) fn tire_stiffness(&self) -> Real {
        let load = GRAVITY * self.design_load() / self.wheel_count() as Real;
        let usual = load / (DEFLECTION_BY_RADIUS * self.wheel.radius);
        let count = if self.twin_wheels { 2.0 } else { 1.0 };
        self.known_tire_stiffness().map_or(usual, |stiffness| count * stiffness)
    }

    /// Vertical stiffness of one tire, if the sheet says it (N/m).
    fn known_tire_stiffness(&self) -> Option<Real> {
        self.usual_ride().tire_stiffness.or(self.wheel.known_radial_stiffness())
    }

    fn bump_stop_length(&self) -> Real {
        self.usual_ride().bump_stop_length.unwrap_or(BUMP_STOP_BY_TRAVEL * self.travel_distance)
    }

    /// Height of the roll center above the ground (m).
    pub(super) fn roll_center_height(&self) -> Real {
        let by_radius = match self.usual_ride().axle {
            AxleKind::Beam => beam::ROLL_CENTER_BY_RADIUS,
            AxleKind::Independent => ROLL_CENTER_BY_RADIUS,
        };
        let usual = if self.track_width == 0.0 { 0.0 } else { by_radius * self.wheel.radius };
        self.usual_ride().roll_center_height.unwrap_or(usual)
    }

    /// Reports faults of its ride.
    pub(super) fn check_ride(&self, check: &mut ParamCheck) {
        let ride = self.usual_ride();
        let AxleRide { bump_by_rebound, anti_dive, .. } = ride;
        // Usual values for a load or a wheel that has a fault would follow from the fault: they are
        // not checked.
        let given =
            [("unsprung_mass", ride.unsprung_mass), ("tire_stiffness", ride.tire_stiffness)];
        for (name, value) in given {
            check.number(name, value.unwrap_or(1.0), Bound::Positive);
        }
        self.check_tire_stiffness(check);
        self.check_beam(check);
        plausible::BUMP_BY_REBOUND.check(check, "bump_by_rebound", bump_by_rebound);
        let travel = Bound::Within(0.0, self.travel_distance);
        check.number("bump_stop_length", self.bump_stop_length(), travel);
        let half_track = 0.5 * self.track_width;
        let height = Bound::Within(-half_track, half_track);
        check.number("roll_center_height", self.roll_center_height(), height);
        check.number("anti_dive", anti_dive, Bound::Within(0.0, 1.0));
        let carried = self.carried();
        let requirement = format_args!("below half of what the wheel carries, {carried} kg");
        let is_light = ride.unsprung_mass.is_none_or(|mass| mass < 0.5 * carried);
        check.require("unsprung_mass", is_light, requirement, self.unsprung_mass());
    }

    /// Reports a tire that its load presses flat, or that hardly feels it, and one that is said to
    /// be as stiff as two numbers.
    fn check_tire_stiffness(&self, check: &mut ParamCheck) {
        let Some(stiffness) = self.known_tire_stiffness().filter(|given| 0.0 < *given) else {
            return;
        };
        if let Some(of_wheel) = self.wheel.known_radial_stiffness() {
            let is_one = (stiffness - of_wheel).abs() <= SAME_STIFFNESS * of_wheel;
            let requirement =
                format_args!("left out, or the {of_wheel} N/m of the wheel's radial_stiffness");
            check.require("tire_stiffness", is_one, requirement, stiffness);
        }
        let tires = self.wheel_count() as Real * if self.twin_wheels { 2.0 } else { 1.0 };
        let usual = GRAVITY * self.design_load() / (tires * self.wheel.radius);
        if 0.0 < usual && usual.is_finite() {
            let (least, most) = (usual / plausible::DEFLECTION.1, usual / plausible::DEFLECTION.0);
            let range = Plausible::new(least, most, "N/m").or_in(&[("N/mm", 1e3)]);
            range.check_size(check, "tire_stiffness", stiffness, " under its load");
        }
    }

    /// A wheel with mass, which hangs in the `spring`, with these slopes of the contact's path.
    pub(super) fn wheel_with_mass(
        &self,
        spring: &SuspensionForceParams,
        path_slope: [Real; 2],
    ) -> UnsprungParams {
        let travel = self.travel_distance;
        let stop = BUMP_STOP_STIFFNESS * spring.stiffness;
        UnsprungParams {
            strut: StrutParams {
                damper: Some(self.usual_ride().damper(spring)),
                bump_stop: Some(Stop { edge: travel - self.bump_stop_length(), stiffness: stop }),
                ..StrutParams::default()
            },
            path_slope,
            ..UnsprungParams::new(self.unsprung_mass(), self.tire_stiffness(), spring, travel)
        }
    }
}

impl AxleRide {
    /// ```text
    /// c_bump = 2 c q / (1 + q),   c_rebound = 2 c / (1 + q)
    /// ```
    fn damper(&self, spring: &SuspensionForceParams) -> DamperLaw<Real> {
        let rebound = 2.0 * spring.damping / (1.0 + self.bump_by_rebound);
        let bump = rebound * self.bump_by_rebound;
        DamperLaw { bump: DamperSide::linear(bump), rebound: DamperSide::linear(rebound) }
    }
}

impl CarBlueprint {
    /// This car with anti-roll bars by which it rolls by `degrees_per_g` in a steady bend, the
    /// front axle having `front_share` of the roll stiffness: 4 to 5 degrees per g for a saloon, 2
    /// to 3 for a sports car, with 0.55 to 0.65 in front for a car that understeers.
    ///
    /// ```text
    /// K = Σ ½ t² k',   φ = M g h / (K - M g h) + M g h_rc / Σ ½ t² k_t,   1 / k' = 1 / (s² k + 2 κ) + 1 / k_t
    /// ```
    ///
    /// with the track `t`, the distance of the springs by it `s`, 1 if the axle is no beam, the
    /// height `h` of the center of mass above the roll axis and `h_rc` of the axis below it, the
    /// stiffness `κ` of a bar and `k_t` of a tire, which does not give way where wheels have no
    /// mass.
    ///
    /// # Errors
    ///
    /// If the data sheet has a fault, or an axle without a bar is stiffer already; the message
    /// tells the gradient that it can have.
    pub fn with_roll_gradient(
        self,
        degrees_per_g: Real,
        front_share: Real,
    ) -> Result<Self, ParamErrors> {
        self.validate()?;
        let mut check = ParamCheck::default();
        check.number("degrees_per_g", degrees_per_g, Bound::Positive);
        check.number("front_share", front_share, Bound::Within(0.0, 1.0));
        check.finish()?;
        let moment = self.mass * GRAVITY * self.height_above_roll_axis();
        let needed = moment * (1.0 / (degrees_per_g.to_radians() - self.roll_on_tires()) + 1.0);
        let half_square = 0.5 * self.track_width * self.track_width;
        let mut check = ParamCheck::default();
        let mut anti_roll_stiffness = [0.0; 2];
        for (axle, share) in [front_share, 1.0 - front_share].into_iter().enumerate() {
            let (tire, spring) = (self.tire_compliance(axle), self.spring_rate(axle));
            let of_both = share * needed / half_square;
            let of_suspension = 1.0 / (1.0 / of_both - tire);
            let stiffness = 0.5 * (of_suspension - spring);
            let bare = half_square / (1.0 / spring + tire);
            // The gradient at which this axle needs no bar.
            let on_springs = moment / (bare / share - moment);
            let softest = (on_springs + self.roll_on_tires()).to_degrees();
            let is_reached = 0.0 < of_suspension && moment < needed;
            let possible = is_reached && 0.0 <= stiffness && stiffness.is_finite();
            let requirement = if is_reached && stiffness < 0.0 {
                format!("at most {softest}, by the springs of axle {axle} alone")
            } else {
                format!("so large that the tires of axle {axle} let it be reached")
            };
            check.require("degrees_per_g", possible, requirement, degrees_per_g);
            anti_roll_stiffness[axle] = stiffness;
        }
        check.finish()?;
        Ok(Self { anti_roll_stiffness, ..self })
    }

    /// Roll in a steady bend (degrees per g), see [`with_roll_gradient`](Self::with_roll_gradient);
    /// infinite for a car that falls over its own springs.
    pub fn roll_gradient(&self) -> Real {
        let moment = self.mass * GRAVITY * self.height_above_roll_axis();
        let stiffness: Real = [0, 1].map(|axle| self.roll_stiffness(axle)).into_iter().sum();
        if stiffness <= moment {
            return Real::INFINITY;
        }
        (moment / (stiffness - moment) + self.roll_on_tires()).to_degrees()
    }

    /// Roll on the tires by the forces at the roll centers, which reach them past the springs (rad
    /// per g).
    fn roll_on_tires(&self) -> Real {
        if self.ride.is_none() {
            return 0.0;
        }
        let height = self.center_of_mass_height - self.height_above_roll_axis();
        let stiffness: Real = self.axles().iter().map(AxleBlueprint::tire_stiffness).sum();
        self.mass * GRAVITY * height / (0.5 * self.track_width * self.track_width * stiffness)
    }

    /// Roll stiffness of an axle: springs, bar and tires (N·m/rad).
    fn roll_stiffness(&self, axle: usize) -> Real {
        let suspension = self.spring_rate(axle) + 2.0 * self.anti_roll_stiffness[axle];
        0.5 * self.track_width * self.track_width / (1.0 / suspension + self.tire_compliance(axle))
    }

    /// Stiffness of one spring of an axle as the body rolls, at the wheel (N/m).
    fn spring_rate(&self, axle: usize) -> Real {
        let sheet = &self.axles()[axle];
        let unsprung = if self.ride.is_none() { 0.0 } else { sheet.unsprung_mass() };
        let inward = sheet.spring_track_ratio();
        spring(sheet).carrying_less(unsprung).stiffness * (inward * inward)
    }

    /// How far a tire gives way (m/N).
    fn tire_compliance(&self, axle: usize) -> Real {
        if self.ride.is_none() { 0.0 } else { self.axles()[axle].tire_stiffness().recip() }
    }

    /// Height of the center of mass above the line between the roll centers (m). Those of wheels
    /// without mass are on the ground.
    fn height_above_roll_axis(&self) -> Real {
        let height = |axle: &AxleBlueprint| {
            if self.ride.is_none() { 0.0 } else { axle.roll_center_height() }
        };
        let [front, rear] = self.axles().map(|axle| height(&axle));
        self.center_of_mass_height - front * self.front_share - rear * (1.0 - self.front_share)
    }
}

#[cfg(test)]
mod tests;
