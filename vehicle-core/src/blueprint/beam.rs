//! Beam axles: what a blueprint knows of rigid axles.

use super::axle::AxleBlueprint;
use super::plausible::Plausible;
use super::ride::{AxleKind, AxleRide};
use crate::error::{Bound, ParamCheck};
use crate::math::Real;
use crate::suspension::BeamAxleParams;

/// Mass of a wheel with half of its axle, by that of the wheel (dimensionless).
pub(super) const UNSPRUNG_BY_WHEEL: Real = 3.0;
/// Distance of the springs by that of the wheels (dimensionless).
const SPRING_TRACK_BY_TRACK: Real = 0.7;
/// Height of the roll center, at which leaf springs and Panhard rods hold an axle, by the wheel's
/// radius (dimensionless).
pub(super) const ROLL_CENTER_BY_RADIUS: Real = 1.0;

impl AxleBlueprint {
    /// Whether a rigid axle joins its wheels.
    pub(super) fn is_beam(&self) -> bool {
        self.ride.is_some_and(|ride| ride.axle == AxleKind::Beam)
    }

    /// Distance between its springs by that of its wheels (dimensionless).
    pub(super) fn spring_track_ratio(&self) -> Real {
        if self.is_beam() { self.spring_track() / self.track_width } else { 1.0 }
    }

    fn spring_track(&self) -> Real {
        self.usual_ride().spring_track.unwrap_or(SPRING_TRACK_BY_TRACK * self.track_width)
    }

    fn damper_track(&self) -> Real {
        self.usual_ride().damper_track.unwrap_or(self.track_width)
    }

    /// Roll inertia of wheels and axle about their center (kg·m²).
    ///
    /// ```text
    /// J = 2 w (T/2)² + I + 2 (m - w) T²/12
    /// ```
    ///
    /// for wheels of the mass `w` at the track `T`, with the inertia `I` about their spindles, of
    /// which a disk has half about its diameter. A rod between them has the rest of the mass `m`
    /// with each.
    fn roll_inertia(&self) -> Real {
        let (wheel, mass) = (self.hub_wheel(), self.unsprung_mass());
        let square = self.track_width * self.track_width;
        let of_wheel = wheel.mass.min(mass);
        let usual = of_wheel * square / 2.0 + wheel.inertia + (mass - of_wheel) * square / 6.0;
        self.usual_ride().roll_inertia.unwrap_or(usual)
    }

    /// The rigid axle between its `wheels`, right before left, if it has one.
    pub(super) fn beam_axle(&self, wheels: &[usize]) -> Option<BeamAxleParams> {
        let &[right, left] = wheels else { return None };
        self.is_beam().then(|| BeamAxleParams {
            wheels: [right, left],
            roll_inertia: self.roll_inertia(),
            spring_track: self.spring_track(),
            damper_track: self.damper_track(),
            roll_center_height: self.roll_center_height(),
            roll_steer: self.usual_ride().roll_steer,
        })
    }

    /// Reports faults of what its ride says of a rigid axle.
    pub(super) fn check_beam(&self, check: &mut ParamCheck) {
        let ride = self.usual_ride();
        let AxleRide { axle, roll_inertia, roll_steer, .. } = ride;
        if axle == AxleKind::Beam {
            let requirement = "independent for a single wheel";
            check.require("axle", 0.0 < self.track_width, requirement, "beam");
            check.number("roll_inertia", self.roll_inertia(), Bound::Positive);
            let tracks =
                [("spring_track", self.spring_track()), ("damper_track", self.damper_track())];
            for (name, track) in tracks {
                let plausible = Plausible::length(0.0, 2.0 * self.track_width);
                plausible.check_size(check, name, track, " for this track");
                check.number(name, track, Bound::Positive);
            }
            check.number("roll_steer", roll_steer, Bound::Within(-1.0, 1.0));
            return;
        }
        let requirement = "left out where `axle` is not \"beam\"";
        for (name, value) in [
            ("roll_inertia", roll_inertia),
            ("spring_track", ride.spring_track),
            ("damper_track", ride.damper_track),
            ("roll_steer", (roll_steer != 0.0).then_some(roll_steer)),
        ] {
            check.require(name, value.is_none(), requirement, value.unwrap_or_default());
        }
    }
}

#[cfg(test)]
mod tests;
