//! Force of a suspension on the body.

use serde::{Deserialize, Serialize};

use super::params::SuspensionForceParams;
use crate::body::{RigidBodyState, Wrench};
use crate::math::lanes::{Mask, Number, RigidPose, Vector, lanes_by_field};
use crate::math::{Real, Vec3, transform_point};
use crate::mount::SuspensionParams;

/// Force of a suspension on the body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SuspensionForce<V: Vector = Vec3> {
    /// Force (N).
    pub force: V,
    /// Torque on the body about the center of mass (N·m).
    pub torque: V,
    /// Load along the road normal (N); negative where the suspension pulls the body down, which one
    /// with [`ExpansionSpeed::Unlimited`](super::ExpansionSpeed::Unlimited) may.
    pub normal_load: V::Number,
}

impl<V: Vector> SuspensionForce<V> {
    /// The force along the road's `normal` of a load (N) that acts at the end of `arm` (m).
    #[inline]
    pub(crate) fn along(normal: V, normal_load: V::Number, arm: V) -> Self {
        let force = normal * normal_load;
        Self { force, torque: arm.cross(force), normal_load }
    }

    /// This force with that of bars that press the wheel onto the road by `pressing` (N) along the
    /// `travel_direction`. Its own is the load along the road's `normal` at the end of `arm` (m).
    ///
    /// ```text
    /// F + n (-f (n·u))
    /// ```
    #[inline]
    pub(crate) fn with_bars(
        &self,
        pressing: V::Number,
        travel_direction: V,
        normal: V,
        arm: V,
    ) -> Self {
        let added = Self::along(normal, -(pressing * normal.dot(travel_direction)), arm);
        Self {
            force: self.force + added.force,
            torque: self.torque + added.torque,
            normal_load: self.normal_load + added.normal_load,
        }
    }

    /// This force where it pushes, none where it would pull the body down.
    #[inline]
    pub(crate) fn pushing(&self) -> Self {
        // A load that is no number is told, not hidden.
        self.only(!self.normal_load.is_below(V::Number::zero()))
    }

    /// This force where `mask` is true, none elsewhere.
    #[inline]
    pub(crate) fn only(&self, mask: <V::Number as Number>::Mask) -> Self {
        Self {
            force: V::select(mask, self.force, V::zero()),
            torque: V::select(mask, self.torque, V::zero()),
            normal_load: Number::select(mask, self.normal_load, Number::zero()),
        }
    }
}

lanes_by_field!(SuspensionForce<Vector> { force, torque, normal_load });

/// Spring and damper force along the travel direction (N).
///
/// ```text
/// f = -(k j + c dj/dt)
/// ```
///
/// Negative where the suspension pushes the body away from the road. The spring has no preload:
/// it is free at full droop.
#[inline]
pub fn spring_force<N: Number>(params: &SuspensionForceParams<N>, jounce: N, jounce_speed: N) -> N {
    -(jounce * params.stiffness + jounce_speed * params.damping)
}

/// Share of gravity and of external loads that presses the suspension against the road beside its
/// travel direction (N).
///
/// ```text
/// F  = (m_s / M) (M g + F_e + τ_e × r / |r|²)
/// f  = (n·u) (u·F) - n·F                       where F presses on the road (n·F < 0), else 0
/// ```
///
/// The spring carries what acts along `u`; the rest is carried as a rigid strut would. On flat
/// ground with `u` along `n` it is 0.
#[inline]
pub fn strut_load<V: Vector>(
    sprung_mass: V::Number,
    attachment: impl FnOnce() -> V,
    load: &SuspensionLoad<V>,
) -> V::Number {
    let SuspensionLoad { vehicle_mass, gravity, travel_direction, road_normal, .. } = *load;
    let zero = V::Number::zero();
    let turning = turning_load(load.applied_torque, attachment);
    let pull = gravity * vehicle_mass + load.applied_force + turning;
    let load = pull * (sprung_mass / vehicle_mass);
    let (along_travel, along_normal) = (travel_direction.dot(load), road_normal.dot(load));
    let beside = road_normal.dot(travel_direction) * along_travel - along_normal;
    Number::select(zero.is_at_most(along_normal), zero, beside)
}

/// Load with which a `torque` that is applied to the body (N·m) presses on a suspension at
/// `attachment` (N).
#[inline]
fn turning_load<V: Vector>(torque: V, attachment: impl FnOnce() -> V) -> V {
    let zero = V::Number::zero();
    if !zero.is_below(torque.length_squared()).any() {
        return V::zero();
    }
    let attachment = attachment();
    let arm_squared = attachment.length_squared();
    let turning = torque.cross(attachment) / arm_squared;
    V::select(zero.is_below(arm_squared), turning, V::zero())
}

/// What acts on a suspension from outside.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct SuspensionLoad<V: Vector = Vec3> {
    /// Mass of the vehicle (kg).
    pub vehicle_mass: V::Number,
    /// Gravitational acceleration (m/s²).
    pub gravity: V,
    /// Force that is [applied](RigidBodyState::applied_load) to the body (N).
    pub applied_force: V,
    /// Torque that is applied to it (N·m).
    pub applied_torque: V,
    /// Unit vector along which the suspension travels, towards droop.
    pub travel_direction: V,
    /// Normal of the road under the wheel.
    pub road_normal: V,
    /// Where the force acts (m, suspension frame).
    pub force_point: V,
}

lanes_by_field!(SuspensionLoad<Vector> {
    vehicle_mass,
    gravity,
    applied_force,
    applied_torque,
    travel_direction,
    road_normal,
    force_point,
});

impl SuspensionLoad {
    /// What acts on a `suspension` of a `body` whose vehicle has a mass of `vehicle_mass` (kg),
    /// under `gravity` (m/s²). The road has the unit normal `road_normal`; the force acts at
    /// `force_point` (m, suspension frame).
    pub fn new(
        body: &RigidBodyState,
        suspension: &SuspensionParams,
        vehicle_mass: Real,
        gravity: Vec3,
        road_normal: Vec3,
        force_point: Vec3,
    ) -> Self {
        let Wrench { force, torque } = body.applied_load();
        Self {
            vehicle_mass,
            gravity,
            applied_force: force,
            applied_torque: torque,
            travel_direction: body.direction(suspension.travel_direction),
            road_normal,
            force_point,
        }
    }
}

/// Force of a suspension on the ground at `jounce` (m) and `jounce_speed` (m/s).
///
/// ```text
/// f = -(k j + c dj/dt) (n·u) + strut load
/// F = n f,   τ = r × F
/// ```
///
/// with `n` the road normal, `u` the travel direction and `r` from the center of mass to the force
/// point. The force lies along the road normal and may be negative in fast rebound; whether it then
/// acts is said by [`ExpansionSpeed`](super::ExpansionSpeed).
#[inline]
pub fn suspension_force<V: Vector>(
    params: &SuspensionForceParams<V::Number>,
    suspension: &SuspensionParams<V>,
    body: &RigidBodyState<V>,
    jounce: V::Number,
    jounce_speed: V::Number,
    load: &SuspensionLoad<V>,
) -> SuspensionForce<V> {
    let normal_load = suspension_normal_load(params, suspension, body, jounce, jounce_speed, load);
    let arm = force_arm(suspension, body, load.force_point);
    SuspensionForce::along(load.road_normal, normal_load, arm)
}

/// Normal load `f` of [`suspension_force`] (N).
#[inline]
pub(crate) fn suspension_normal_load<V: Vector>(
    params: &SuspensionForceParams<V::Number>,
    suspension: &SuspensionParams<V>,
    body: &RigidBodyState<V>,
    jounce: V::Number,
    jounce_speed: V::Number,
    load: &SuspensionLoad<V>,
) -> V::Number {
    let along_travel = spring_force(params, jounce, jounce_speed);
    carried_load(along_travel, params.sprung_mass, suspension, body, load)
}

/// Load along the road's normal (N) of a spring and a damper that push by `along_travel` (N) along
/// the travel direction, with that of the strut.
#[inline]
pub(crate) fn carried_load<V: Vector>(
    along_travel: V::Number,
    sprung_mass: V::Number,
    suspension: &SuspensionParams<V>,
    body: &RigidBodyState<V>,
    load: &SuspensionLoad<V>,
) -> V::Number {
    let pushing = load.travel_direction * along_travel;
    let attachment = || body.arm(suspension.attachment.translation());
    load.road_normal.dot(pushing) + strut_load(sprung_mass, attachment, load)
}

/// From the center of mass to `force_point` (m, suspension frame), in the world (m).
#[inline]
pub fn force_arm<V: Vector>(
    suspension: &SuspensionParams<V>,
    body: &RigidBodyState<V>,
    force_point: V,
) -> V {
    body.arm(local_force_arm(suspension, force_point))
}

/// From the center of mass to `force_point` (m, suspension frame), in the body (m).
#[inline]
pub(crate) fn local_force_arm<V: Vector>(suspension: &SuspensionParams<V>, force_point: V) -> V {
    transform_point(&suspension.attachment, force_point)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Pose, Quat};

    const PARAMS: SuspensionForceParams =
        SuspensionForceParams { stiffness: 30_000.0, damping: 2_000.0, sprung_mass: 400.0 };

    fn suspension() -> SuspensionParams {
        SuspensionParams {
            attachment: Pose::from_translation(Vec3::new(1.0, 0.5, 0.0)),
            travel_direction: Vec3::NEG_Z,
            travel_distance: 0.2,
            wheel_attachment: Pose::IDENTITY,
        }
    }

    fn load(body: &RigidBodyState) -> SuspensionLoad {
        let gravity = Vec3::Z * -9.81;
        SuspensionLoad::new(body, &suspension(), 1_600.0, gravity, Vec3::Z, Vec3::ZERO)
    }

    #[test]
    fn spring_and_damper_push_along_the_normal() {
        let body = RigidBodyState::default();
        // (jounce, jounce speed, load): 30000 j + 2000 dj/dt
        for (jounce, speed, expected) in
            [(0.1, 0.0, 3_000.0), (0.1, 0.5, 4_000.0), (0.0, -1.0, -2_000.0)]
        {
            let force =
                suspension_force(&PARAMS, &suspension(), &body, jounce, speed, &load(&body));
            assert!((force.normal_load - expected).abs() < 1e-3, "{force:?}");
            assert!(force.force.distance(Vec3::Z * expected) < 1e-3);
            // r × F = (1, 0.5, 0) × (0, 0, f)
            assert!(force.torque.distance(Vec3::new(0.5, -1.0, 0.0) * expected) < 1e-3);
        }
    }

    #[test]
    fn strut_carries_the_weight_beside_the_travel_direction() {
        // A wheel whose travel is level: the spring carries nothing, the strut the sprung weight.
        let body = RigidBodyState::at_rest(Pose::from_rotation(Quat::from_rotation_y(
            std::f32::consts::FRAC_PI_2,
        )));
        let force = suspension_force(&PARAMS, &suspension(), &body, 0.1, 0.0, &load(&body));
        assert!((force.normal_load - 400.0 * 9.81).abs() < 1e-2, "{force:?}");
    }

    #[test]
    fn external_force_reaches_the_strut() {
        let carried = |external_force| {
            let body = RigidBodyState { external_force, ..RigidBodyState::default() };
            let suspension = SuspensionParams { travel_direction: Vec3::NEG_Y, ..suspension() };
            let (tilted, zero) = (Vec3::new(0.0, 0.6, 0.8), Vec3::ZERO);
            let load = SuspensionLoad::new(&body, &suspension, 1_600.0, zero, tilted, zero);
            strut_load(400.0, || Vec3::X, &load)
        };
        assert_eq!(carried(Vec3::ZERO), 0.0);
        let pressed = carried(Vec3::Z * -1_600.0);
        assert!((pressed - 400.0 * 0.8).abs() < 1e-3, "{pressed}");
    }
}
