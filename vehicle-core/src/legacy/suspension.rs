//! Legacy suspension: a force law whose spring carries the sprung weight by itself.
//!
//! The spring is not free at full droop: at the *rest distance* from full compression it carries
//! the sprung weight, whatever the stiffness. For data that was tuned for this law:
//! [`LegacySuspension`](crate::stages::LegacySuspension) in the place of `Suspension`.

use serde::{Deserialize, Serialize};

use crate::body::RigidBodyState;
use crate::error::{Bound, ParamCheck, Validate};
use crate::math::{Real, Vec3};
use crate::mount::SuspensionParams;
use crate::suspension::{Spring, SuspensionForce, SuspensionLoad, force_arm};

/// Spring and damper of a legacy suspension.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LegacySuspensionForceParams {
    /// Spring stiffness (N/m).
    pub stiffness: Real,
    /// Damping rate (N·s/m).
    pub damping: Real,
    /// Distance from full compression to where the spring carries the sprung weight (m).
    pub rest_distance: Real,
    /// Part of the vehicle's mass that the suspension carries (kg).
    pub sprung_mass: Real,
}

impl Validate for LegacySuspensionForceParams {
    fn check(&self, check: &mut ParamCheck) {
        check.number("stiffness", self.stiffness, Bound::Positive);
        check.number("damping", self.damping, Bound::NotNegative);
        check.number("rest_distance", self.rest_distance, Bound::Positive);
        check.number("sprung_mass", self.sprung_mass, Bound::Positive);
    }
}

/// Force of a legacy suspension on the ground at `jounce` (m) and `jounce_speed` (m/s).
///
/// ```text
/// W = max(0, m a + k (j + r - D)) + c dj/dt          a = max(0, g·u)
/// f = -n·(u W + m (g - u a))                         without the second term where a = 0
/// F = n f,   τ = arm × F
/// ```
///
/// with `m` the sprung mass, `r` the rest distance, `D` the travel distance, `n` the road normal,
/// `u` the travel direction and `g` gravity. The spring only pushes; the damper may pull. What
/// gravity does beside the travel direction is carried as a rigid strut would.
pub fn legacy_suspension_force(
    params: &LegacySuspensionForceParams,
    suspension: &SuspensionParams,
    body: &RigidBodyState,
    jounce: Real,
    jounce_speed: Real,
    load: &SuspensionLoad,
) -> SuspensionForce {
    let travel_direction = body.direction(suspension.travel_direction);
    let along = load.gravity.dot(travel_direction).max(0.0);
    let beside = if along == 0.0 { Vec3::ZERO } else { load.gravity - travel_direction * along };
    let compression = jounce + params.rest_distance - suspension.travel_distance;
    let spring = (params.sprung_mass * along + params.stiffness * compression).max(0.0);
    let carried = spring + jounce_speed * params.damping;

    let normal = load.road_normal;
    let normal_load = -normal.dot(travel_direction * carried + beside * params.sprung_mass);
    let force = normal * normal_load;
    let arm = force_arm(suspension, body, load.force_point);
    SuspensionForce { force, torque: arm.cross(force), normal_load }
}

/// See [`legacy_suspension_force`].
impl Spring for LegacySuspensionForceParams {
    fn stiffness(&self) -> Real {
        self.stiffness
    }

    fn damping(&self) -> Real {
        self.damping
    }

    fn normal_load(
        &self,
        suspension: &SuspensionParams,
        body: &RigidBodyState,
        jounce: Real,
        jounce_speed: Real,
        load: &SuspensionLoad,
    ) -> Real {
        legacy_suspension_force(self, suspension, body, jounce, jounce_speed, load).normal_load
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    use crate::math::{Pose, rotation_about};

    pub(crate) const PARAMS: LegacySuspensionForceParams = LegacySuspensionForceParams {
        stiffness: 30_000.0,
        damping: 2_000.0,
        rest_distance: 0.1,
        sprung_mass: 400.0,
    };

    fn force(body: &RigidBodyState, jounce: Real, jounce_speed: Real) -> SuspensionForce {
        let suspension = SuspensionParams {
            attachment: Pose::from_translation(Vec3::new(1.0, 0.5, 0.0)),
            travel_direction: Vec3::NEG_Z,
            travel_distance: 0.3,
            wheel_attachment: Pose::IDENTITY,
        };
        let (gravity, point) = (Vec3::Z * -10.0, Vec3::ZERO);
        let load = SuspensionLoad::new(body, &suspension, 1_600.0, gravity, Vec3::Z, point);
        legacy_suspension_force(&PARAMS, &suspension, body, jounce, jounce_speed, &load)
    }

    #[test]
    fn spring_carries_the_weight_at_the_rest_distance() {
        // (jounce, jounce speed, load): max(0, 4000 + 30000 (j - 0.2)) + 2000 dj/dt
        let cases = [
            (0.2, 0.0, 4_000.0),
            (0.25, 0.0, 5_500.0),
            (0.2, 0.5, 5_000.0),
            (0.0, 0.0, 0.0),
            (0.0, -0.5, -1_000.0),
        ];
        for (jounce, speed, expected) in cases {
            let force = force(&RigidBodyState::default(), jounce, speed);
            assert!((force.normal_load - expected).abs() < 1e-2, "{force:?} at {jounce} m");
            assert!(force.force.distance(Vec3::Z * expected) < 1e-2, "{force:?} at {jounce} m");
            // (1, 0.5, 0) × (0, 0, f)
            assert!(force.torque.distance(Vec3::new(0.5, -1.0, 0.0) * expected) < 1e-2);
        }
    }

    #[test]
    fn strut_carries_the_weight_beside_the_travel_direction() {
        // The travel direction is 0.8 along the normal: a = 8, W = 400 · 8 + 0.
        let rolled = rotation_about(Vec3::X, (0.8 as Real).acos());
        let body = RigidBodyState::at_rest(Pose::from_rotation(rolled));
        let force = force(&body, 0.2, 0.0);
        // -n·(u W + m (g - u a)) = 0.8 · 3200 + 400 · (10 - 0.8 · 8)
        assert!((force.normal_load - 4_000.0).abs() < 1e-2, "{force:?}");
    }

    #[test]
    fn car_on_its_roof_has_the_spring_alone() {
        let rolled = rotation_about(Vec3::X, crate::math::PI);
        let body = RigidBodyState::at_rest(Pose::from_rotation(rolled));
        // a = 0, W = 30000 (0.3 + 0.1 - 0.3), against the normal now
        assert!((force(&body, 0.3, 0.0).normal_load + 3_000.0).abs() < 1e-2);
    }

    #[test]
    fn bad_parameters_are_named() {
        let params = LegacySuspensionForceParams { rest_distance: 0.0, damping: -1.0, ..PARAMS };
        assert_eq!(
            params.validate().unwrap_err().to_string(),
            "damping must be finite and not negative, got -1; \
             rest_distance must be positive and finite, got 0"
        );
    }
}
