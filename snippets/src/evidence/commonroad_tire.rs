//! The tire of CommonRoad's multi-body cars: a Magic Formula of 35 coefficients.

use serde::{Deserialize, Serialize};
use vehicle_rapier::core::error::{Bound, ParamCheck};
use vehicle_rapier::core::math::Real;
use vehicle_rapier::core::tire::{NoLanes, TireInput, TireModel, TireOutput};

/// The tire of CommonRoad's multi-body cars.
///
/// ```text
/// x  = s + p_hx1,   B = p_kx1/(p_cx1 μ_x),   μ_x = p_dx1 (1 - p_dx3 γ²)
/// F_x0 = -μ_x N sin(p_cx1 atan(B x - p_ex1 (B x - atan(B x))) - p_vx1 N)
///
/// y  = α + sgn(γ) (p_hy1 + p_hy3 |γ|),   B = p_ky1/(p_cy1 μ_y),   μ_y = p_dy1 (1 - p_dy3 γ²)
/// F_y0 = μ_y N sin(p_cy1 atan(B y - p_ey1 (B y - atan(B y)))) + sgn(γ) N (p_vy1 + p_vy3 |γ|)
///
/// F_x = F_x0 G(α; r_bx1 cos(atan(r_bx2 s)), r_cx1, r_ex1, r_hx1)
/// F_y = F_y0 G(s; r_by1 cos(atan(r_by2 (α - r_by3))), r_cy1, r_ey1, r_hy1) + S
/// S   = μ_y N (r_vy1 + r_vy3 γ) cos(atan(r_vy4 α)) sin(r_vy5 atan(r_vy6 s))
///
/// G(u; B, C, E, H) = g(u + H)/g(H),   g(u) = cos(C atan(B u - E (B u - atan(B u))))
/// ```
///
/// with the slip `s` that is positive where the wheel brakes (`x = -s + p_hx1` and the other sign
/// of `F_x0` in the package). Slip angle `α` and lateral force are positive to the right. The
/// inclination `γ` is that of a wheel whose top leans to the right. That `p_vx1 N` is within the
/// sine, and that a wheel without inclination has no plysteer, is so there.
///
/// Source: `CommonRoad` vehicle models 3.0.2 (BSD 3-Clause), found by asking its functions; names
/// of coefficients are those of its parameters, the formula is that of Pacejka.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[expect(missing_docs, reason = "the coefficients of the formula above")]
pub struct CommonRoadTire {
    pub p_cx1: Real,
    pub p_dx1: Real,
    pub p_dx3: Real,
    pub p_ex1: Real,
    pub p_kx1: Real,
    pub p_hx1: Real,
    pub p_vx1: Real,
    pub r_bx1: Real,
    pub r_bx2: Real,
    pub r_cx1: Real,
    pub r_ex1: Real,
    pub r_hx1: Real,
    pub p_cy1: Real,
    pub p_dy1: Real,
    pub p_dy3: Real,
    pub p_ey1: Real,
    pub p_ky1: Real,
    pub p_hy1: Real,
    pub p_hy3: Real,
    pub p_vy1: Real,
    pub p_vy3: Real,
    pub r_by1: Real,
    pub r_by2: Real,
    pub r_by3: Real,
    pub r_cy1: Real,
    pub r_ey1: Real,
    pub r_hy1: Real,
    pub r_vy1: Real,
    pub r_vy3: Real,
    pub r_vy4: Real,
    pub r_vy5: Real,
    pub r_vy6: Real,
    /// Load that the formula takes by that on the wheel (dimensionless): 1, unless loads of another
    /// book-keeping are compared with.
    pub load_share: Real,
}

impl Default for CommonRoadTire {
    /// The coefficients of the package, which all its cars share.
    fn default() -> Self {
        Self {
            p_cx1: 1.6411,
            p_dx1: 1.1739,
            p_dx3: 0.0,
            p_ex1: 0.464_03,
            p_kx1: 22.303,
            p_hx1: 0.001_229_7,
            p_vx1: -8.8098e-6,
            r_bx1: 13.276,
            r_bx2: -13.778,
            r_cx1: 1.2568,
            r_ex1: 0.652_25,
            r_hx1: 0.005_072_2,
            p_cy1: 1.3507,
            p_dy1: 1.0489,
            p_dy3: -2.8821,
            p_ey1: -0.007_472_2,
            p_ky1: -21.92,
            p_hy1: 0.002_674_7,
            p_hy3: 0.031_415,
            p_vy1: 0.037_318,
            p_vy3: -0.329_31,
            r_by1: 7.1433,
            r_by2: 9.1916,
            r_by3: -0.027_856,
            r_cy1: 1.0719,
            r_ey1: -0.275_72,
            r_hy1: 5.7448e-6,
            r_vy1: -0.027_825,
            r_vy3: -0.275_68,
            r_vy4: 12.12,
            r_vy5: 1.9,
            r_vy6: -10.704,
            load_share: 1.0,
        }
    }
}

/// The argument of the formula's sine or cosine.
fn bent(b: Real, c: Real, e: Real, x: Real) -> Real {
    let bx = b * x;
    c * (bx - e * (bx - bx.atan())).atan()
}

/// Cosine of the angle whose tangent is `x`.
fn cos_atan(x: Real) -> Real {
    1.0 / x.hypot(1.0)
}

/// Part of a force that the slip `u` in the other direction leaves.
fn weight(b: Real, [c, e, h]: [Real; 3], u: Real) -> Real {
    bent(b, c, e, u + h).cos() / bent(b, c, e, h).cos()
}

impl CommonRoadTire {
    /// The name by which vehicle files call it.
    pub const NAME: &'static str = "commonroad";

    /// Longitudinal force, positive where it drives, and lateral force, positive to the right (N),
    /// under the load (N). They follow from the slip `s` of braking, the slip angle `alpha` to the
    /// right (rad) and the inclination `gamma` to the right (rad).
    pub fn force(&self, s: Real, alpha: Real, gamma: Real, load: Real) -> [Real; 2] {
        let side = if gamma == 0.0 { 0.0 } else { gamma.signum() };
        let along = {
            let friction = self.p_dx1 * (1.0 - self.p_dx3 * gamma * gamma);
            let b = self.p_kx1 / (self.p_cx1 * friction);
            let angle = bent(b, self.p_cx1, self.p_ex1, self.p_hx1 - s);
            friction * load * (angle + self.p_vx1 * load).sin()
        };
        let friction = self.p_dy1 * (1.0 - self.p_dy3 * gamma * gamma);
        let across = {
            let b = self.p_ky1 / (self.p_cy1 * friction);
            let shift = side * (self.p_hy1 + self.p_hy3 * gamma.abs());
            let angle = bent(b, self.p_cy1, self.p_ey1, alpha + shift);
            let offset = side * (self.p_vy1 + self.p_vy3 * gamma.abs());
            load * (friction * angle.sin() + offset)
        };
        let b = self.r_bx1 * cos_atan(self.r_bx2 * s);
        let along = along * weight(b, [self.r_cx1, self.r_ex1, self.r_hx1], alpha);
        let b = self.r_by1 * cos_atan(self.r_by2 * (alpha - self.r_by3));
        let induced = friction * load * (self.r_vy1 + self.r_vy3 * gamma);
        let induced = induced * cos_atan(self.r_vy4 * alpha);
        let induced = induced * (self.r_vy5 * (self.r_vy6 * s).atan()).sin();
        let across = across * weight(b, [self.r_cy1, self.r_ey1, self.r_hy1], s) + induced;
        [along, across]
    }
}

/// Slip between which the stiffness is found (dimensionless).
const SMALL: Real = 1e-3;

impl TireModel for CommonRoadTire {
    type State = ();
    type Lanes = NoLanes;

    fn forces(&self, input: &TireInput<'_>, (): &mut ()) -> TireOutput {
        let load = self.load_share * input.grip.load;
        let (slip, alpha) = (-input.slip.longitudinal, -input.slip.angle());
        let of = |slip| self.force(slip, alpha, input.wheel.inclination, load);
        let [along, across] = of(slip);
        let slope = (of(slip - SMALL)[0] - of(slip + SMALL)[0]) / (2.0 * SMALL);
        TireOutput {
            longitudinal_force: along,
            lateral_force: -across,
            longitudinal_stiffness: slope.max(0.0),
            ..TireOutput::default()
        }
    }

    fn check(&self, check: &mut ParamCheck) {
        let positive = [
            ("p_cx1", self.p_cx1),
            ("p_dx1", self.p_dx1),
            ("p_kx1", self.p_kx1),
            ("p_cy1", self.p_cy1),
            ("p_dy1", self.p_dy1),
        ];
        for (name, value) in positive {
            check.number(name, value, Bound::Positive);
        }
        check.number("p_ky1", self.p_ky1, Bound::Within(-1e3, -1e-3));
        check.number("load_share", self.load_share, Bound::Within(0.5, 2.0));
        let Ok(serde_json::Value::Object(all)) = serde_json::to_value(self) else {
            return;
        };
        for (name, value) in &all {
            let value = value.as_f64().map_or(Real::NAN, |value| value as Real);
            check.number(name, value, Bound::Finite);
        }
    }
}
