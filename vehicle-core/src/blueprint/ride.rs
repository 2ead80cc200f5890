//! Ride: what a blueprint knows of wheels with mass, roll centers and roll stiffness.

use serde::{Deserialize, Serialize};

use crate::math::Real;
use crate::suspension::SuspensionForceParams;
use crate::suspension::unsprung::laws::{DamperLaw, DamperSide};

/// Wheels with mass, on tires that give way, between an axle's springs and its road.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct AxleRide {
    /// How the wheels are joined: each by itself (`independent`) or by a rigid axle (`beam`).
    pub axle: AxleKind,
    /// Mass of a wheel, or of twins, with hub, brake and half of its links (kg). It is a part of
    /// what the axle carries; with half of the axle too, if that is a beam. By default, twice that
    /// of the wheel, three times on a beam axle, and at most 0.4 of what it carries.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unsprung_mass: Option<Real>,
    /// Vertical stiffness of a tire (N/m), one of two where they are twins. By default, that
    /// of the wheel ([`radial_stiffness`](crate::wheel::WheelParams::radial_stiffness)), such as
    /// [`TireCode::radial_stiffness`](crate::tire_code::TireCode::radial_stiffness). If nothing is
    /// known of it, the tire gives way by 5.5 % of its radius under the load for which the axle is
    /// made. Tires that are inflated for their load do so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tire_stiffness: Option<Real>,
    /// Damping in bump by that in rebound (dimensionless). Their mean follows from the damping
    /// ratio.
    pub bump_by_rebound: Real,
    /// Jounce from the bump stop to full compression (m). By default, a quarter of the travel.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bump_stop_length: Option<Real>,
    /// Height of the roll center above the ground (m). By default, 0.15 of the wheel's radius, and
    /// all of it for a beam axle.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub roll_center_height: Option<Real>,
    /// Part of the dive, or of the lift of an axle behind the center of mass, that the suspension
    /// takes from a braking vehicle (dimensionless): 0 none, 1 all. It acts on whatever force a
    /// tire has along the vehicle, a driven one's too.
    pub anti_dive: Real,
    /// Of a beam axle, the moment of inertia with its wheels about the axis of roll through its
    /// center (kg·m²). By default, that of the wheels and of a rod between them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub roll_inertia: Option<Real>,
    /// Of a beam axle, the distance between its springs, which have the bump stops beside them (m).
    /// By default, 0.7 of the track.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spring_track: Option<Real>,
    /// Of a beam axle, the distance between its dampers (m). By default, the track: friction in
    /// springs and joints damps roll, too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub damper_track: Option<Real>,
    /// Of a beam axle, its steer angle by the angle at which the body rolls above it
    /// (dimensionless). It is positive into the bend as the body rolls out of it, which is
    /// understeer of a rear axle.
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

impl AxleRide {
    /// ```text
    /// c_bump = 2 c q / (1 + q),   c_rebound = 2 c / (1 + q)
    /// ```
    pub(super) fn damper(&self, spring: &SuspensionForceParams) -> DamperLaw<Real> {
        let rebound = 2.0 * spring.damping / (1.0 + self.bump_by_rebound);
        let bump = rebound * self.bump_by_rebound;
        DamperLaw { bump: DamperSide::linear(bump), rebound: DamperSide::linear(rebound) }
    }
}

/// How the wheels of an axle are joined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum AxleKind {
    /// By nothing but an anti-roll bar: each has a suspension of its own.
    #[default]
    Independent,
    /// By a rigid axle, which rolls below the body.
    Beam,
}

#[cfg(test)]
mod tests;
