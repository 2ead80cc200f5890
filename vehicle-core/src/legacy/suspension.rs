//! Legacy suspension: a force law whose spring carries the sprung weight by itself.
//!
//! The spring is not free at full droop: at the *rest distance* from full compression it carries
//! the sprung weight, whatever the stiffness. For data that was tuned for this law:
//! `sequence.replace::<Suspension>(LegacySuspension)`.

use std::ops::ControlFlow::{self, Continue};

use serde::{Deserialize, Serialize};

use crate::body::RigidBodyState;
use crate::error::{Bound, ParamCheck, ParamErrors, Validate};
use crate::math::lanes::{MAX_LANES, each_lane};
use crate::math::{Real, Vec3};
use crate::mount::SuspensionParams;
use crate::suspension::{HasSuspension, Spring, SuspensionForce, SuspensionLoad, force_arm};
use crate::wheel_list::MAX_WHEELS;
use crate::{Component, Context};

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

/// The suspension stage with the legacy law, as a component: it takes the place of
/// [`Suspension`](crate::suspension::Suspension) in the sequence of any vehicle, and brings its
/// springs along.
///
/// They are those of one model of vehicles. All else that the stage reads is the vehicle's, such as
/// mounts, travel and anti-roll bars.
///
/// ```
/// use vehicle_core::ComponentSequence;
/// use vehicle_core::legacy::{LegacySuspension, LegacySuspensionForceParams};
/// use vehicle_core::suspension::{HasSuspension, Suspension};
///
/// # fn sequence<V: HasSuspension + 'static>() -> Result<(), Box<dyn std::error::Error>> {
/// let spring = LegacySuspensionForceParams {
///     stiffness: 35_000.0,
///     damping: 4_000.0,
///     rest_distance: 0.12,
///     sprung_mass: 400.0,
/// };
/// # let sequence = ComponentSequence::<V>::new().then(Suspension);
/// let sequence = sequence.replace::<Suspension>(LegacySuspension::new(&[spring; 4])?)?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct LegacySuspension {
    springs: Box<[[LegacySuspensionForceParams; MAX_LANES]; MAX_WHEELS / MAX_LANES]>,
}

impl LegacySuspension {
    /// The stage with these `springs`, one per wheel; the last is that of all wheels beyond, too.
    ///
    /// # Errors
    ///
    /// If there is none, or there are more than [`MAX_WHEELS`]; and all faults of the springs.
    pub fn new(springs: &[LegacySuspensionForceParams]) -> Result<Self, ParamErrors> {
        let mut check = ParamCheck::default();
        let requirement = format_args!("1 to {MAX_WHEELS}, one per wheel");
        check.require(
            "springs",
            (1..=MAX_WHEELS).contains(&springs.len()),
            requirement,
            springs.len(),
        );
        check.each("springs", springs, LegacySuspensionForceParams::check);
        check.finish()?;
        let last = springs.len() - 1;
        let spring = |wheel: usize| springs[wheel.min(last)];
        let four = |four| each_lane(|lane| spring(four * MAX_LANES + lane));
        Ok(Self { springs: Box::new(std::array::from_fn(four)) })
    }
}

impl<V: HasSuspension + ?Sized> Component<V> for LegacySuspension {
    fn update(&self, vehicle: &mut V, dt: Real, context: &Context<'_>) -> ControlFlow<()> {
        vehicle.suspension().update_on(self.springs.as_slice(), dt, context);
        Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blueprint::CarBlueprint;
    use crate::math::{Pose, rotation_about};
    use crate::road::FlatRoad;
    use crate::road_geometry::RoadGeometry;
    use crate::suspension::Suspension;
    use crate::vehicle::test_car::TestCar;
    use crate::{ComponentSequence, SimulationParams};

    const PARAMS: LegacySuspensionForceParams = LegacySuspensionForceParams {
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

    #[test]
    fn springs_are_checked_as_they_are_given() {
        let error = |springs: &[_]| LegacySuspension::new(springs).unwrap_err().to_string();
        assert_eq!(error(&[]), "springs must be 1 to 64, one per wheel, got 0");
        let bad = LegacySuspensionForceParams { stiffness: 0.0, ..PARAMS };
        let expected = "springs[1].stiffness must be positive and finite, got 0";
        assert_eq!(error(&[PARAMS, bad]), expected);
    }

    #[test]
    fn legacy_suspension_takes_the_place_of_the_standard_one() {
        let blueprint = CarBlueprint { ride: None, ..CarBlueprint::default() };
        let frame = blueprint.frame;
        let (world, road) = (SimulationParams::new(frame), FlatRoad::new(&frame));
        let context = Context::new(&world, &road);
        let standard = ComponentSequence::new().then(RoadGeometry).then(Suspension);

        // At the height at which the car rests on its own springs.
        let mut car = TestCar::new(blueprint.mechanics().unwrap());
        let center = frame.vertical() * blueprint.center_of_mass_height;
        car.state.rigid_body.pose = Pose::from_translation(center);
        let _completed = standard.update(&mut car, 0.01, &context).unwrap();
        let springs: Vec<_> = std::iter::zip(&car.params.suspensions, &car.state.suspensions)
            .map(|(suspension, state)| LegacySuspensionForceParams {
                rest_distance: suspension.travel_distance - state.compression.jounce.unwrap(),
                ..PARAMS
            })
            .collect();
        let stage = LegacySuspension::new(&springs).unwrap();
        let legacy = standard.replace::<Suspension>(stage).unwrap();
        let _completed = legacy.update(&mut car, 0.01, &context).unwrap();
        for force in &car.state.suspensions {
            let weight = PARAMS.sprung_mass * 9.81;
            assert!((force.force.normal_load - weight).abs() < 1e-1, "{force:?}, {weight} N");
        }
    }
}
