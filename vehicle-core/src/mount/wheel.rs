//! Parameters of a wheel.

use serde::{Deserialize, Serialize};

use crate::error::{Bound, ParamCheck, Validate};
use crate::math::lanes::{Number, Vector, lanes_by_field};
use crate::math::{Clamped, Real};

/// Shape and inertia of a wheel.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct WheelParams {
    /// Radius, tire included (m).
    pub radius: Real,
    /// Half of the width (m).
    pub half_width: Real,
    /// Radius of the shoulders, the rounded edges between tread and sides (m): 0 for a cylinder,
    /// `half_width` for a tread that is round all across, such as a motorcycle's.
    #[serde(default)]
    pub shoulder_radius: Real,
    /// Mass (kg).
    pub mass: Real,
    /// Moment of inertia about the axle (kg·m²).
    pub inertia: Real,
    /// Torque per rotation speed that slows the wheel (N·m·s): of its bearing, and what of a tire's
    /// resistance grows with the speed. The resistance itself is the tire's.
    pub damping_rate: Real,
    /// Inflation pressure of the tire, for tire models that use it (Pa).
    #[serde(default = "usual_inflation_pressure")]
    pub inflation_pressure: Real,
    /// Vertical stiffness of the tire (N/m), if it is known. In a data sheet, it is that on which
    /// the vehicle drives, unless its ride says another. Tire models that use it take
    /// [220 kN/m](Self::stiffness) for a tire of which nothing is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub radial_stiffness: Option<Real>,
    /// The kind of tire, a number of the user's own: a road may give each kind another friction.
    #[serde(default)]
    pub tire_kind: u32,
}

fn usual_inflation_pressure() -> Real {
    WheelParams::default().inflation_pressure
}

impl Default for WheelParams {
    /// The wheel of a mid-size car.
    fn default() -> Self {
        Self {
            radius: 0.33,
            half_width: 0.11,
            shoulder_radius: 0.0,
            mass: 20.0,
            inertia: 1.2,
            damping_rate: 0.05,
            inflation_pressure: 220e3,
            radial_stiffness: None,
            tire_kind: 0,
        }
    }
}

/// Vertical stiffness of a tire of which nothing is known: that of a car's (N/m).
const USUAL_STIFFNESS: Real = 220e3;

/// Rolling resistance by load times the radius of the wheel (m), and the least and the largest
/// resistance (dimensionless).
const RESISTANCE_BY_RADIUS: Real = 0.0033;
const RESISTANCES: [Real; 2] = [0.006, 0.02];

/// Force that resists the rolling of a tire of this `radius` (m) by its load, on a hard road, where
/// nothing else is known (dimensionless).
///
/// ```text
/// f = 3.3 mm / R, within 0.006 and 0.02
/// ```
///
/// That is 0.010 for the tire of a car, 0.0065 for that of a truck, and 0.02 for those of karts and
/// toys.
///
/// Source: ranges in Gillespie, Fundamentals of Vehicle Dynamics (1992), chapter 4, and Wong,
/// Theory of Ground Vehicles (2008), chapter 1; larger tires bend less as they roll.
pub fn usual_rolling_resistance(radius: Real) -> Real {
    let [least, most] = RESISTANCES;
    (RESISTANCE_BY_RADIUS / radius).clamped(least, most)
}

impl WheelParams {
    /// The vertical stiffness of the tire, or 220 kN/m, that of a car's, where it is not known
    /// (N/m).
    pub fn stiffness(&self) -> Real {
        self.radial_stiffness.unwrap_or(USUAL_STIFFNESS)
    }

    /// The vertical stiffness of the tire (N/m), if it is known and not 0, which is none.
    pub(crate) fn known_radial_stiffness(&self) -> Option<Real> {
        self.radial_stiffness.filter(|stiffness| 0.0 < *stiffness)
    }

    /// Two of these wheels side by side on one hub, as one wheel: they count twice in width, mass,
    /// inertia, damping rate and stiffness.
    pub fn twin(self) -> Self {
        Self {
            half_width: 2.0 * self.half_width,
            mass: 2.0 * self.mass,
            inertia: 2.0 * self.inertia,
            damping_rate: 2.0 * self.damping_rate,
            radial_stiffness: self.radial_stiffness.map(|of_one| 2.0 * of_one),
            ..self
        }
    }
}

impl Validate for WheelParams {
    fn check(&self, check: &mut ParamCheck) {
        check.number("radius", self.radius, Bound::Length);
        check.number("half_width", self.half_width, Bound::Length);
        let roundest = self.radius.min(self.half_width).max(0.0);
        check.number("shoulder_radius", self.shoulder_radius, Bound::Within(0.0, roundest));
        check.number("mass", self.mass, Bound::Positive);
        check.number("inertia", self.inertia, Bound::Positive);
        check.number("damping_rate", self.damping_rate, Bound::NotNegative);
        check.number("inflation_pressure", self.inflation_pressure, Bound::NotNegative);
        if let Some(stiffness) = self.radial_stiffness {
            check.number("radial_stiffness", stiffness, Bound::NotNegative);
        }
    }
}

/// A wheel with its tire, as stages compute with it: its [parameters](WheelParams) in lanes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RoadWheel<N = Real> {
    /// Radius (m).
    pub radius: N,
    /// Half of the width (m).
    pub half_width: N,
    /// Radius of the shoulders (m).
    pub shoulder_radius: N,
    /// Mass (kg).
    pub mass: N,
    /// Moment of inertia about the axle (kg·m²).
    pub inertia: N,
    /// Torque per rotation speed that slows it (N·m·s).
    pub damping_rate: N,
    /// Inflation pressure of the tire (Pa).
    pub inflation_pressure: N,
    /// Vertical stiffness of the tire (N/m).
    pub radial_stiffness: N,
}

lanes_by_field!(RoadWheel<Number> {
    radius,
    half_width,
    shoulder_radius,
    mass,
    inertia,
    damping_rate,
    inflation_pressure,
    radial_stiffness,
});

/// Distance from the center of a wheel of these sizes, `[R, H, ρ]` (m), to the plane of unit vector
/// `normal` that it touches (m); `axle` is the direction of its axle.
///
/// ```text
/// (R - ρ) |n - ℓ (n·ℓ)| + (H - ρ) |n·ℓ| + ρ
/// ```
///
/// with `ℓ` the direction of the axle, `H` half of the width and `ρ` the radius of the shoulders.
#[inline]
pub(crate) fn wheel_reach<V: Vector>(
    [radius, half_width, round]: [V::Number; 3],
    axle: V,
    normal: V,
) -> V::Number {
    let across = normal.dot(axle);
    let in_disk = (normal - axle * across).length();
    (radius - round) * in_disk + (half_width - round) * across.abs() + round
}

impl<N: Number> RoadWheel<N> {
    /// See [`wheel_reach`].
    #[inline]
    pub(crate) fn reach(&self, axle: N::Vector, normal: N::Vector) -> N {
        wheel_reach([self.radius, self.half_width, self.shoulder_radius], axle, normal)
    }
}

/// The shape of a wheel that meets the road.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ContactShape {
    /// The radius along the travel direction.
    #[default]
    Ray,
    /// The whole wheel: a cylinder, with the
    /// [shoulders](crate::wheel::WheelParams::shoulder_radius) of the wheel.
    Cylinder,
}

impl From<&WheelParams> for RoadWheel {
    fn from(params: &WheelParams) -> Self {
        Self {
            radius: params.radius,
            half_width: params.half_width,
            shoulder_radius: params.shoulder_radius,
            mass: params.mass,
            inertia: params.inertia,
            damping_rate: params.damping_rate,
            inflation_pressure: params.inflation_pressure,
            radial_stiffness: params.stiffness(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shoulders_fit_into_the_wheel_and_may_be_left_out_of_a_file() {
        let wheel = WheelParams { radius: 0.3, half_width: 0.1, ..WheelParams::default() };
        for (shoulder_radius, is_valid) in
            [(0.0, true), (0.1, true), (-0.01, false), (0.11, false), (Real::NAN, false)]
        {
            let wheel = WheelParams { shoulder_radius, ..wheel };
            assert_eq!(wheel.validate().is_ok(), is_valid, "{shoulder_radius}");
        }
        let flat = WheelParams { radius: 0.05, shoulder_radius: 0.08, ..wheel };
        let expected = "shoulder_radius must be within [0, 0.05], got 0.08";
        assert_eq!(flat.validate().unwrap_err().to_string(), expected);

        let mut saved = serde_json::to_value(wheel).unwrap();
        saved.as_object_mut().unwrap().remove("shoulder_radius");
        assert_eq!(serde_json::from_value::<WheelParams>(saved).unwrap(), wheel);
    }
}
