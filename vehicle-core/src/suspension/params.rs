//! Parameters of a suspension.

use serde::{Deserialize, Serialize};

use crate::error::{Bound, LARGEST_VEHICLE, ParamCheck, Validate};
use crate::lookup_table::LookupTable;
use crate::math::lanes::lanes_by_field;
use crate::math::{PI, Real, Vec3};
pub use crate::mount::ContactShape;

/// How the jounce follows from the road.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct JounceParams {
    /// The shape of the wheel that meets the road.
    pub contact: ContactShape,
    /// Limit of the speed at which a wheel drops.
    pub expansion: ExpansionSpeed,
}

/// Limit of the speed at which a wheel drops.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ExpansionSpeed {
    /// Nothing: the wheel follows the road at once. It does not hold on to it: where a fast rebound
    /// would make spring and damper pull the body down, the wheel has no load.
    #[default]
    WithoutPull,
    /// Nothing, and in fast rebound the wheel pulls the body down. For the reference's data.
    Unlimited,
    /// The spring, the damper and gravity move the wheel's mass; the wheel may leave the road.
    Limited,
}

/// Largest stiffness of a spring per mass of the vehicle (1/s²): some 500 Hz.
pub(crate) const MOST_STIFFNESS: Real = 1e7;

/// Largest damping rate of a suspension per mass of the vehicle (1/s).
pub(crate) const MOST_DAMPING: Real = 1e6;

/// Spring and damper of a suspension.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SuspensionForceParams<N = Real> {
    /// Spring stiffness (N/m).
    pub stiffness: N,
    /// Damping rate (N·s/m).
    pub damping: N,
    /// Part of the vehicle's mass that the suspension carries (kg). Those of all suspensions are at
    /// most four times the mass of the vehicle together.
    pub sprung_mass: N,
}

lanes_by_field!(SuspensionForceParams<Number> { stiffness, damping, sprung_mass });

impl SuspensionForceParams {
    /// The part of what it carries that is above a wheel of `mass` (kg) (dimensionless).
    pub(crate) fn share_above(&self, mass: Real) -> Real {
        1.0 - mass / self.sprung_mass
    }

    /// Spring and damper under a body that is lighter by the `mass` of a wheel (kg): as weak as its
    /// load is less.
    pub(crate) fn carrying_less(&self, mass: Real) -> Self {
        let sprung = self.share_above(mass);
        Self { stiffness: self.stiffness * sprung, damping: self.damping * sprung, ..*self }
    }

    /// The reverse of [`carrying_less`](Self::carrying_less), for a wheel of at most 0.9 of what it
    /// carries.
    pub(crate) fn carrying_more(&self, mass: Real) -> Self {
        let sprung = self.share_above(mass).max(0.1);
        Self { stiffness: self.stiffness / sprung, damping: self.damping / sprung, ..*self }
    }
}

impl Validate for SuspensionForceParams {
    fn check(&self, check: &mut ParamCheck) {
        check.number("stiffness", self.stiffness, Bound::Positive);
        check.number("damping", self.damping, Bound::NotNegative);
        check.number("sprung_mass", self.sprung_mass, Bound::Positive);
    }
}

/// How a suspension changes over its travel. The abscissa of every curve is the jounce divided by
/// the travel distance, in [0, 1].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct SuspensionComplianceParams {
    /// Toe angle (rad), positive to the left.
    pub toe: LookupTable<Real>,
    /// Camber angle (rad), about the longitudinal axis.
    pub camber: LookupTable<Real>,
    /// Where the suspension force acts (m, suspension frame).
    #[cfg_attr(feature = "schema", schemars(with = "Vec<(Real, [Real; 3])>"))]
    pub suspension_force_point: LookupTable<Vec3>,
    /// Where the tire force acts (m, suspension frame).
    #[cfg_attr(feature = "schema", schemars(with = "Vec<(Real, [Real; 3])>"))]
    pub tire_force_point: LookupTable<Vec3>,
}

impl SuspensionComplianceParams {
    /// No toe and no camber, on a suspension that drops its wheel by `travel_distance` (m) along
    /// the unit vector `travel_direction`. Load and tire force act where a wheel of `radius` (m)
    /// touches level ground.
    pub fn at_contact(travel_direction: Vec3, travel_distance: Real, radius: Real) -> Self {
        let ground = |extension: Real| travel_direction * (radius + extension);
        let points = [(0.0, ground(travel_distance)), (1.0, ground(0.0))];
        let contact = LookupTable::new(points).unwrap_or_default();
        Self {
            suspension_force_point: contact.clone(),
            tire_force_point: contact,
            ..Self::default()
        }
    }

    /// Whether the compliance is the same at any jounce.
    pub(crate) fn is_constant(&self) -> bool {
        self.toe.is_constant()
            && self.camber.is_constant()
            && self.suspension_force_point.is_constant()
            && self.tire_force_point.is_constant()
    }
}

impl Validate for SuspensionComplianceParams {
    fn check(&self, check: &mut ParamCheck) {
        check_angles(check, "toe", &self.toe);
        check_angles(check, "camber", &self.camber);
        check_force_points(check, "suspension_force_point", &self.suspension_force_point);
        check_force_points(check, "tire_force_point", &self.tire_force_point);
    }
}

const NORMALIZED: Bound = Bound::Within(0.0, 1.0);

fn check_angles(check: &mut ParamCheck, name: &str, curve: &LookupTable<Real>) {
    check.each(name, curve.points(), |&(jounce, angle), inner| {
        inner.number("jounce", jounce, NORMALIZED);
        inner.number("angle", angle, Bound::Within(-PI, PI));
    });
}

fn check_force_points(check: &mut ParamCheck, name: &str, curve: &LookupTable<Vec3>) {
    check.each(name, curve.points(), |&(jounce, point), inner| {
        inner.number("jounce", jounce, NORMALIZED);
        inner.vector_within("point", point, LARGEST_VEHICLE);
    });
}
