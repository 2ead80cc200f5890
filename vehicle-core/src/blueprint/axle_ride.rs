//! Wheels with mass on an axle, as its sheet describes them.

use super::axle::AxleBlueprint;
use super::beam;
use super::plausible::{self, Plausible};
use super::ride::{AxleKind, AxleRide};
use crate::context::GRAVITY;
use crate::error::{Bound, ParamCheck};
use crate::math::Real;
use crate::suspension::unsprung::UnsprungParams;
use crate::suspension::unsprung::laws::Stop;
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

impl AxleBlueprint {
    /// Ride of the axle, or the usual one.
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

    /// Whether its track width is that of an axle of two wheels, or of one.
    fn has_track(&self) -> bool {
        self.track_width == 0.0 || plausible::TRACK_WIDTH.holds(self.track_width)
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
        if plausible::TRAVEL.holds(self.travel_distance) {
            check.number("bump_stop_length", self.bump_stop_length(), travel);
        }
        let half_track = 0.5 * self.track_width;
        let height = Bound::Within(-half_track, half_track);
        let follows = plausible::RADIUS.holds(self.wheel.radius) && self.has_track();
        if ride.roll_center_height.is_some() || follows {
            check.number("roll_center_height", self.roll_center_height(), height);
        }
        check.number("anti_dive", anti_dive, Bound::Within(0.0, 1.0));
        let carried = self.carried();
        if carried.is_nan() || carried <= 0.0 {
            return;
        }
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
