//! Parameters of wheels with mass.

use serde::{Deserialize, Serialize};

use super::laws::Stop;
use super::rim::Rim;
use crate::error::{Bound, ParamCheck, Validate};
use crate::math::Real;
use crate::suspension::{StrutParams, SuspensionForceParams};

/// Whether wheels are bodies of their own between springs and tires, and which springs they have.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum SuspensionDynamics {
    /// Wheels follow the road at once: the jounce is found from the road. Springs and dampers are
    /// linear.
    #[default]
    Massless,
    /// Wheels follow the road at once, on springs, dampers and bump stops that are not linear. One
    /// for each wheel.
    Struts(Vec<StrutParams>),
    /// Wheels have a mass, tires are springs, and body and wheels are solved together. One for each
    /// wheel.
    Unsprung(Vec<UnsprungParams>),
}

/// A wheel with mass: what is below the springs, and what holds it. Spring and damper rate are
/// those of [`SuspensionForceParams`], unless its strut has its own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct UnsprungParams {
    /// Mass of wheel, hub, brake and half of the links (kg), a part of the vehicle's mass.
    pub mass: Real,
    /// Vertical stiffness of the tire (N/m).
    pub tire_stiffness: Real,
    /// Vertical damping rate of the tire (N·s/m).
    #[serde(default)]
    pub tire_damping: Real,
    /// Spring, damper and bump stop, where they are not linear.
    #[serde(default)]
    pub strut: StrutParams,
    /// Stiffness of the stop at full compression (N/m), which gives back less than half
    /// of the speed.
    pub end_stop: Real,
    /// Stiffness of the stop at full droop (N/m).
    pub droop_stop: Real,
    /// How far the contact moves forward and to the left as it drops by one (dimensionless). A roll
    /// center of height `h` has `-2 h/track` on the left side, and `2 h/track` on the right.
    #[serde(default)]
    pub path_slope: [Real; 2],
}

impl UnsprungParams {
    /// A wheel of `mass` (kg) in a suspension that travels by `travel` (m) on `spring`. Its tire of
    /// `tire_stiffness` (N/m) damps by 6 % of `√(k m)`. Its stops have 5 times the spring's
    /// stiffness over the last quarter of the travel, and 20 times at its ends.
    pub fn new(
        mass: Real,
        tire_stiffness: Real,
        spring: &SuspensionForceParams,
        travel: Real,
    ) -> Self {
        Self {
            mass,
            tire_stiffness,
            tire_damping: 0.06 * (tire_stiffness * mass).sqrt(),
            strut: StrutParams {
                bump_stop: Some(Stop { edge: 0.75 * travel, stiffness: 5.0 * spring.stiffness }),
                ..StrutParams::default()
            },
            end_stop: 20.0 * spring.stiffness,
            droop_stop: 20.0 * spring.stiffness,
            path_slope: [0.0; 2],
        }
    }
}

impl UnsprungParams {
    /// Speed at which the contact of a wheel of this `radius` (m) could follow ground that leaves
    /// it, while it gives it an `impulse` (N·s) in `dt` (s). It follows as its tire gets free of
    /// its load, and as the wheel falls without it.
    ///
    /// ```text
    /// u = J / (k' dt²) + J / m
    /// ```
    ///
    /// with the slope `k'` of tire and rim under their load `J / dt`.
    pub(crate) fn following_speed(&self, radius: Real, impulse: Real, dt: Real) -> Real {
        let rim = Rim::of(radius, self.tire_stiffness);
        let slope = rim.slope_under(impulse / dt, self.tire_stiffness);
        impulse / (slope * dt * dt) + impulse / self.mass
    }
}

impl Validate for UnsprungParams {
    fn check(&self, check: &mut ParamCheck) {
        check.number("mass", self.mass, Bound::Positive);
        check.number("tire_stiffness", self.tire_stiffness, Bound::Positive);
        for (name, value) in [
            ("tire_damping", self.tire_damping),
            ("end_stop", self.end_stop),
            ("droop_stop", self.droop_stop),
        ] {
            check.number(name, value, Bound::NotNegative);
        }
        for (index, slope) in self.path_slope.into_iter().enumerate() {
            check.number(format_args!("path_slope[{index}]"), slope, Bound::Within(-1.0, 1.0));
        }
        check.field("strut", |inner| self.strut.check(inner));
    }
}

impl SuspensionDynamics {
    /// Whether the wheels have a mass.
    #[inline]
    pub fn has_mass(&self) -> bool {
        matches!(self, Self::Unsprung(_))
    }

    /// Spring, damper and bump stop of `wheel`; `None` if they are linear.
    pub(crate) fn strut(&self, wheel: usize) -> Option<&StrutParams> {
        match self {
            Self::Massless => None,
            Self::Struts(struts) => struts.get(wheel),
            Self::Unsprung(wheels) => wheels.get(wheel).map(|wheel| &wheel.strut),
        }
    }
}
