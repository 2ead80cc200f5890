//! One substep, in the order of the stages.

use super::parts::Parts;
use super::{DrivenWheels, WheelDrive};
use crate::constraint_rows::{
    HasConstraintRows, LateralLevers, lateral_response, max_friction_impulse, would_overshoot,
};
use crate::frame::Frame;
use crate::ground::{HasGround, force_impulse};
use crate::math::lanes::{Mask, Number, Real4, Vec3x4, Vector};
use crate::math::{Real, Vec3};
use crate::rigid_body::{HasRigidBody, RigidBodyState, Wrench, accelerate, body_load, wheel_load};
use crate::road_geometry::Plane;
use crate::suspension::{
    AntiRollBarEnd, AntiRollWheel, Compression, ExpansionSpeed, Landing, PreviousJounce,
    SuspensionCompliance, SuspensionForce, SuspensionLoad, WheelTravel, act_on_wheels,
    anti_roll_bars_torque, anti_roll_forces, compression, local_force_arm, suspension_normal_load,
};
use crate::tire::{
    KinematicLaw, OnGround, RollingTires, SlipInput, TireLanes, TireModel, TireState,
    TireStickyState,
};
use crate::vehicle::Mechanics;
use crate::wheel::WheelAxes;
use crate::{Context, WheelReaction};

/// What a substep leaves for the next one.
pub(super) struct Motion {
    pub(super) body: RigidBodyState,
    pub(super) previous: PreviousJounce<Real4>,
    pub(super) sticky: TireStickyState<Real4>,
    pub(super) rotation_speed: Real4,
    pub(super) road_offset: Real4,
    pub(super) road_impulse: Vec3x4,
    pub(super) road_age: Real4,
    /// Largest impulse that friction allows, of a substep without rows since the wheels were read.
    pub(super) friction_impulse: Option<Real4>,
}

/// What suspensions and tires do in a substep.
pub(super) struct Substep {
    pub(super) sticky: TireStickyState<Real4>,
    pub(super) compression: Compression<Real4>,
    pub(super) compliance: SuspensionCompliance<Vec3x4>,
    pub(super) suspension_force: SuspensionForce<Vec3x4>,
    pub(super) anti_roll_torque: Vec3,
    pub(super) tires: TireState<Vec3x4>,
    /// Whether there may be a constraint row for a wheel.
    pub(super) may_be_held: bool,
}

/// How wheels stand in their suspensions.
#[derive(Clone, Copy)]
pub(super) struct LocalGeometry {
    compliance: SuspensionCompliance<Vec3x4>,
    /// Where the suspension force acts (m, body frame).
    suspension_arm: Vec3x4,
    /// Where the tire force acts (m, body frame).
    tire_arm: Vec3x4,
    /// Axes of each wheel in the body, steered and cambered, without its rotation.
    axes: WheelAxes<Vec3x4>,
    /// How fast contacts become sideways under lateral impulses of all tires, see
    /// [`lateral_response`] (1/kg).
    lateral_response: Real,
}

impl LocalGeometry {
    pub(super) fn new<Tire: TireModel, T>(
        parts: &Parts<'_, Tire, T>,
        compliance: SuspensionCompliance<Vec3x4>,
        frame: &Frame,
    ) -> Self {
        let suspension = &parts.suspension;
        let orientation = parts.mount_with(&compliance, frame).unspun_orientation(suspension);
        let tire_arm = local_force_arm(suspension, compliance.tire_force_point);
        let levers = LateralLevers::new(suspension, parts.shape.radius, tire_arm, frame).lanes();
        let levers = levers.into_iter().take(parts.params.axles.wheel_count());
        Self {
            compliance,
            suspension_arm: local_force_arm(suspension, compliance.suspension_force_point),
            tire_arm,
            axes: WheelAxes::oriented(orientation, frame),
            lateral_response: lateral_response(&parts.params.rigid_body, levers, frame),
        }
    }
}

impl<Tire: TireModel, T: TireLanes<Real4>> Parts<'_, Tire, T> {
    /// Suspensions and tires `dt` (s) after `motion`.
    #[inline]
    pub(super) fn substep(&self, motion: &Motion, dt: Real, context: &Context<'_>) -> Substep {
        let body = motion.body.splat::<Vec3x4>();
        let travel = self.travel(&body);
        let compression = self.compression(motion, &travel, dt, context);
        let present;
        let geometry = match &self.constant_geometry {
            Some(constant) => constant,
            None => {
                present = self.geometry_at(compression.jounce, context);
                &present
            }
        };
        let suspension_force =
            self.suspension_force(motion, &compression, geometry, &body, dt, context);
        let suspension_force = self.with_bars(&suspension_force, &compression, geometry, &body);
        let suspension_force = match self.params.jounce.expansion {
            ExpansionSpeed::WithoutPull => suspension_force.pushing(),
            ExpansionSpeed::Unlimited | ExpansionSpeed::Limited => suspension_force,
        };
        let anti_roll_torque = self.anti_roll_torque(&motion.body, &compression, geometry);

        let normal_load = suspension_force.normal_load;
        let rolling =
            self.rolling_tires(motion, travel, &compression, normal_load, &body, geometry);
        let (tires, sticky) = self.tires(motion, &rolling, geometry, &body, dt, context);

        let is_at_end = compression.has_separation & compression.separation.is_below(Real4::zero());
        let overshoots = would_overshoot(&tires, geometry.lateral_response, dt);
        let may_be_held = self.road.is_there & (sticky.is_active() | overshoots | is_at_end);
        Substep {
            sticky,
            compression,
            compliance: geometry.compliance,
            suspension_force,
            anti_roll_torque,
            tires,
            may_be_held: may_be_held.any(),
        }
    }

    /// Ends a substep of `dt` (s) without constraint rows.
    #[inline]
    pub(super) fn free_substep(
        &self,
        motion: &mut Motion,
        substep: &mut Substep,
        drive: &mut impl WheelDrive,
        dt: Real,
        context: &Context<'_>,
    ) {
        let load = substep.suspension_force.normal_load.at_least(Real4::zero());
        motion.friction_impulse = Some(max_friction_impulse(self.road.friction, load, dt));
        motion.sticky = substep.sticky;
        motion.previous = PreviousJounce::known(substep.compression.jounce, Number::splat(dt));
        self.turn(drive, &mut substep.tires, &mut motion.rotation_speed, dt, context);
        self.move_body(motion, substep, dt, context);
        self.push_ground(motion, substep, dt);
    }

    /// Ends a substep of `dt` (s) whose wheels may have constraint rows, by the stages.
    ///
    /// The wheels turn before the rows are found: rows do not read what wheels do along their rolling
    /// direction.
    #[cold]
    #[inline(never)]
    pub(super) fn held_substep(
        &self,
        motion: &mut Motion,
        substep: &mut Substep,
        drive: &mut impl WheelDrive,
        mechanics: &mut Mechanics<'_, Tire>,
        dt: Real,
        context: &Context<'_>,
    ) {
        self.release_rows(motion, mechanics.state, context);
        self.write_ground(motion, mechanics.state);
        motion.sticky = substep.sticky;
        self.turn(drive, &mut substep.tires, &mut motion.rotation_speed, dt, context);
        self.write_suspensions(motion, substep, mechanics.state);
        self.write_wheels(motion, substep, mechanics.state);
        mechanics.constraint_rows().update(dt, context);
        mechanics.rigid_body().update(dt, context);
        mechanics.ground().update(dt);
    }

    #[inline]
    fn turn(
        &self,
        drive: &mut impl WheelDrive,
        tires: &mut TireState<Vec3x4>,
        rotation_speeds: &mut Real4,
        dt: Real,
        context: &Context<'_>,
    ) {
        let before = *rotation_speeds;
        let rolling_moment = tires.force.rolling_moment(self.wheel.radius);
        let wheels = DrivenWheels {
            numbers: self.wheels.numbers(),
            count: self.params.axles.wheel_count(),
            params: &self.wheel,
            brake_torques: self.brake_torques,
            carried_mass: self.params.rigid_body.carried_mass(&self.params.axles),
            tires,
            rotation_speeds,
        };
        drive.turn(wheels, dt);
        if context.params.wheel_reaction != WheelReaction::None {
            let change = *rotation_speeds - before;
            tires.turn_body(self.wheel.reaction(rolling_moment, change, dt));
        }
    }

    /// The paths of the wheels on `body`.
    #[inline]
    pub(super) fn travel(&self, body: &RigidBodyState<Vec3x4>) -> WheelTravel<Vec3x4> {
        WheelTravel::of_body(&self.suspension, &self.shape, body, &self.compressed_pose)
    }

    #[inline]
    fn compression(
        &self,
        motion: &Motion,
        travel: &WheelTravel<Vec3x4>,
        dt: Real,
        context: &Context<'_>,
    ) -> Compression<Real4> {
        let plane = Plane { normal: self.road.plane.normal, offset: motion.road_offset };
        let contact = self.params.jounce.contact;
        compression(contact, travel, context.frame(), &plane, &motion.previous, dt)
            .over_road(self.road.is_there)
    }

    #[inline]
    fn suspension_force(
        &self,
        motion: &Motion,
        compression: &Compression<Real4>,
        geometry: &LocalGeometry,
        body: &RigidBodyState<Vec3x4>,
        dt: Real,
        context: &Context<'_>,
    ) -> SuspensionForce<Vec3x4> {
        let load = SuspensionLoad {
            vehicle_mass: Number::splat(self.params.rigid_body.mass),
            gravity: Vector::splat(context.params.gravity),
            road_normal: self.road.plane.normal,
            force_point: geometry.compliance.suspension_force_point,
        };
        let jounce_speed = self.damped_speed(motion, compression, geometry, body, dt);
        let (spring, suspension, jounce) = (&self.spring, &self.suspension, compression.jounce);
        let load = suspension_normal_load(spring, suspension, body, jounce, jounce_speed, &load);
        SuspensionForce::along(self.road.plane.normal, load, body.arm(geometry.suspension_arm))
            .only(compression.is_on_ground())
    }

    /// `force` with those of the anti-roll bars.
    #[inline]
    fn with_bars(
        &self,
        force: &SuspensionForce<Vec3x4>,
        compression: &Compression<Real4>,
        geometry: &LocalGeometry,
        body: &RigidBodyState<Vec3x4>,
    ) -> SuspensionForce<Vec3x4> {
        let bars = &self.params.anti_roll_bars;
        if !act_on_wheels(bars) {
            return *force;
        }
        let (jounces, stiffness) = (compression.jounce.lanes(), self.spring.stiffness.lanes());
        let pressing = anti_roll_forces(bars, self.wheels.numbers(), |wheel| {
            let lane = self.wheels.lane_of(wheel);
            AntiRollWheel { jounce: jounces[lane], stiffness: stiffness[lane] }
        });
        let travel_direction = body.direction(self.suspension.travel_direction);
        let arm = body.arm(geometry.suspension_arm);
        force
            .with_bars(pressing, travel_direction, self.road.plane.normal, arm)
            .only(compression.is_on_ground())
    }

    /// Jounce speed that dampers feel (m/s).
    #[inline]
    fn damped_speed(
        &self,
        motion: &Motion,
        compression: &Compression<Real4>,
        geometry: &LocalGeometry,
        body: &RigidBodyState<Vec3x4>,
        dt: Real,
    ) -> Real4 {
        let landing = Landing {
            body,
            suspension: &self.suspension,
            force_point: geometry.compliance.suspension_force_point,
            road: &self.road,
            damping: self.spring.damping,
            carried_mass: self.params.rigid_body.carried_mass(&self.params.axles),
        };
        landing.damped_speed(compression.jounce_speed, &motion.previous, dt)
    }

    #[inline]
    fn rolling_tires(
        &self,
        motion: &Motion,
        travel: WheelTravel<Vec3x4>,
        compression: &Compression<Real4>,
        normal_load: Real4,
        body: &RigidBodyState<Vec3x4>,
        geometry: &LocalGeometry,
    ) -> RollingTires<Vec3x4> {
        let is_on_ground = compression.is_on_ground();
        RollingTires {
            road: self.road,
            jounce: compression.jounce,
            normal_load,
            steer: self.steer,
            axes: geometry.axes.in_world(body),
            travel,
            rotation_speed: motion.rotation_speed,
            inertia: self.wheel.inertia,
            is_active: self.is_active,
            is_on_ground,
            is_seen: is_on_ground,
        }
    }

    #[inline]
    fn tires(
        &self,
        motion: &Motion,
        rolling: &RollingTires<Vec3x4>,
        geometry: &LocalGeometry,
        body: &RigidBodyState<Vec3x4>,
        dt: Real,
        context: &Context<'_>,
    ) -> (TireState<Vec3x4>, TireStickyState<Real4>) {
        let directions = OnGround::directions(&self.suspension, body, rolling, context.frame());
        let grip = |input: &_| self.tires.grips(input);
        let mut states = rolling.motion::<OnGround>(&directions, body, context, grip);
        let sticky = rolling.stick(&mut states, &motion.sticky, self.intent, context, dt);
        let slip = SlipInput { grip: states.grip, slip: states.slip, inclination: states.camber };
        let arm = body.arm(geometry.tire_arm);
        let output = self.tires.outputs(&slip);
        states.force = rolling.force::<Tire>(&output, &states, body, arm, context);
        (states, sticky)
    }

    #[inline]
    fn anti_roll_torque(
        &self,
        body: &RigidBodyState,
        compression: &Compression<Real4>,
        geometry: &LocalGeometry,
    ) -> Vec3 {
        anti_roll_bars_torque(&self.params.anti_roll_bars, body, |wheel| {
            let lane = self.wheels.lane_of(wheel);
            AntiRollBarEnd {
                suspension: &self.params.suspensions[wheel],
                jounce: compression.jounce.lane(lane),
                force_point: geometry.compliance.suspension_force_point.lane(lane),
            }
        })
    }

    #[inline]
    fn move_body(&self, motion: &mut Motion, substep: &Substep, dt: Real, context: &Context<'_>) {
        let load = wheel_load(&substep.suspension_force, &substep.tires.force);
        let (forces, torques) = (load.force.rows(), load.torque.rows());
        // Lanes are in order of update.
        let lanes = self.wheels.iter().map(|(lane, _)| lane);
        let loads = lanes.map(|lane| Wrench { force: forces[lane], torque: torques[lane] });
        let wheels = loads.fold(Wrench::default(), |sum, load| sum + load);
        let vector = |row: Real4| {
            let [x, y, z, _] = row.to_array();
            Vec3::new(x, y, z)
        };
        let wheels = Wrench { force: vector(wheels.force), torque: vector(wheels.torque) };
        let params = &self.params.rigid_body;
        let gravity = context.params.gravity;
        let load = body_load(params, &motion.body, wheels, substep.anti_roll_torque, gravity);
        let velocity = accelerate(params, &motion.body, &load, dt);
        motion.body.advance(&velocity, dt);
    }

    #[inline]
    fn push_ground(&self, motion: &mut Motion, substep: &Substep, dt: Real) {
        let (suspension, force) = (substep.suspension_force.force, &substep.tires.force);
        let impulse = force_impulse(suspension, force.longitudinal, force.lateral, dt);
        let plane = Plane { normal: self.road.plane.normal, offset: motion.road_offset };
        motion.road_offset = plane.advanced_offset(self.road.velocity, dt);
        motion.road_impulse = motion.road_impulse - impulse;
        motion.road_age += Real4::splat(dt);
    }
}
