//! Wheels that come off: each becomes a body of its own that rolls on.
//!
//! ```
//! use rapier3d::prelude::*;
//! use vehicle_rapier::AnyVehicle;
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let mut world = PhysicsWorld::new();
//! # let road = ColliderBuilder::cuboid(500.0, 1.0, 500.0).translation(Vector::Y * -1.0);
//! # world.insert_collider(road.friction(1.0), None);
//! # world.detect_collisions(&(), &());
//! # let model = AnyVehicle::preset("hot_hatch")?;
//! # let place = Pose::from_translation(Vector::Y * model.standing_height(9.81));
//! # let mut car = model.insert(&mut world, place);
//! # car.step(&mut world)?;
//! let heavy = car.mass().rigid_body.mass;
//! let wheel = car.lose_wheel(&mut world, 2)?;
//! let loose = world.bodies[wheel.body].mass();
//! assert!((car.mass().rigid_body.mass + loose - heavy).abs() < 1e-3);
//! for _ in 0..60 {
//!     car.step(&mut world)?;
//! }
//! car.refit_wheel(&mut world, &wheel)?;
//! assert!(!world.bodies.contains(wheel.body));
//! # Ok(())
//! # }
//! ```
//!
//! Linear and angular momentum are kept. The body has the mass `M`, the inertia `I` and the motion
//! `v, ω`. The wheel has the mass `m`, the place `r` from the center of mass, and the speed `u`
//! along the travel if it has a mass of its own. Its inertia is `J`, its rotation speed `Ω` about
//! the axle `a`. Before the loss:
//!
//! ```text
//! P = M v + m u,   L = I ω + J Ω a + r × m u
//! ```
//!
//! The wheel goes on with `v + ω × r + u` and `ω + Ω a`. The rest of `P` and `L` moves the vehicle.
//! The vehicle remembers what it has lost. It gets the mass of the wheel back with the wheel,
//! whether it is refitted, attached, or there again after a [reset](crate::AnyRapierVehicle) or in
//! a [snapshot](crate::snapshot) from before. The bodies of loose wheels stay in the world, but for
//! those of refitted ones. The collider of the wheel on the chassis is disabled in the meantime.
//!
//! The vehicle's principal axes stay, and the products of inertia that it would have without the
//! wheel are left out. So it turns a little otherwise than before.

use rapier3d::prelude::*;
use serde::{Deserialize, Serialize};
use vehicle_core::ParamErrors;
use vehicle_core::error::{Bound, ParamCheck, Validate};
use vehicle_core::mass_distribution::MassDistribution;
use vehicle_core::rigid_body::RigidBodyParams;
use vehicle_core::vehicle::{ChangeMechanics, MechanicalParams};

use crate::changes::{ChangeError, SprungMasses};
use crate::drivable::Drivable;
use crate::lost_parts::{LostPart, LostParts};
use crate::scene::WorldParts;
use crate::vehicle::RapierVehicle;

/// Friction of a loose wheel's collider (dimensionless).
const FRICTION: Real = 0.9;

/// Restitution of a loose wheel's collider (dimensionless): it bounces.
const RESTITUTION: Real = 0.4;

/// Least radius of the shoulders of a loose wheel, as a part of the wheel's smaller size
/// (dimensionless).
const SHOULDER: Real = 0.2;

/// Largest difference of a wheel from another that fits in its place, as a part of mass and inertia
/// (dimensionless).
const LIKENESS: Real = 1e-3;

/// Largest error of a center of mass by rounding, as a part of the radius of gyration
/// (dimensionless).
const ROUNDING: Real = 1e-5;

/// A wheel that has come off its vehicle.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LooseWheel {
    /// Number of the wheel.
    pub wheel: usize,
    /// Body of the wheel in the world, with the pose that the wheel had, and one collider. Its axle
    /// is the lateral axis of the vehicle's frame.
    pub body: RigidBodyHandle,
    /// What the vehicle has lost: mass, moments of inertia about the principal axes of the
    /// vehicle, and the place in its body (m).
    pub part: MassDistribution,
}

/// What a wheel bears before it comes off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WheelLimits {
    /// Load along the normal of its road (N); any if `None`.
    pub load: Option<Real>,
    /// Impulse of a contact of its [collider](crate::Chassis::wheel_colliders) in a step of the
    /// world, as from a high kerb (N·s); any if `None`, and if it has no collider.
    pub impulse: Option<Real>,
}

impl Validate for WheelLimits {
    fn check(&self, check: &mut ParamCheck) {
        for (name, limit) in [("load", self.load), ("impulse", self.impulse)] {
            if let Some(limit) = limit {
                check.number(name, limit, Bound::Positive);
            }
        }
    }
}

/// A wheel as a body: its mass, its moments of inertia, its axle in the world.
struct Spinning {
    mass: Real,
    /// About the axle (kg·m²).
    axial: Real,
    /// About the axes across it (kg·m²).
    transverse: Real,
    axle: Vector,
}

impl Spinning {
    /// Its angular momentum as it turns with `velocity` (kg·m²/s).
    fn momentum(&self, velocity: Vector) -> Vector {
        let along = self.axle * self.axle.dot(velocity);
        velocity * self.transverse + along * (self.axial - self.transverse)
    }

    /// Its moments of inertia about axes in which the axle is `axle` (kg·m²).
    fn inertia_about(&self, axle: Vector) -> Vector {
        Vector::splat(self.transverse) + axle * axle * (self.axial - self.transverse)
    }
}

impl<V: Drivable + ChangeMechanics> RapierVehicle<V> {
    /// Takes `wheel` off, as [`detach_wheel`](Self::detach_wheel) does, and puts it into the world
    /// as a body of its own, which goes on as the wheel did. The vehicle has so much less mass.
    ///
    /// The sprung masses stay. The wheel's body has gravity and a collider that touches all: where
    /// the hull of the chassis encloses the wheel, give them collision groups.
    ///
    /// # Errors
    ///
    /// If the body is gone or not dynamic, there is no such wheel, it has been lost, or it is as
    /// heavy as the vehicle. Nothing has changed then.
    pub fn lose_wheel<'a>(
        &mut self,
        parts: impl Into<WorldParts<'a>>,
        wheel: usize,
    ) -> Result<LooseWheel, ChangeError> {
        let WorldParts { bodies, colliders, .. } = parts.into();
        self.lose(bodies, colliders, wheel)
    }

    /// Takes `wheel` off in the sets of a world.
    fn lose(
        &mut self,
        bodies: &mut RigidBodySet,
        colliders: &mut ColliderSet,
        wheel: usize,
    ) -> Result<LooseWheel, ChangeError> {
        self.check_wheel(wheel, false)?;
        self.actor.dynamic_body(bodies)?;
        let pose = self.wheel_pose(wheel, bodies)?;
        let spinning = self.spinning(wheel, &pose);
        let part = self.part_of(&spinning, &pose, bodies);
        let rest = self.without(&part);

        let body = &bodies[self.actor.body];
        let (center, velocity, spin) = (body.center_of_mass(), body.linvel(), body.angvel());
        let arm = pose.translation - center;
        let own_motion = self.motion_along_travel(wheel, body.rotation());
        let turning = spinning.axle * self.vehicle.wheel_state(wheel).rotation_speed;
        let momentum = velocity * body.mass() + own_motion * spinning.mass;
        let angular = angular_momentum(body)
            + turning * spinning.axial
            + arm.cross(own_motion * spinning.mass);

        self.set_mass(bodies, colliders, &rest, SprungMasses::Keep)?;
        self.vehicle.mechanics().state.detach_wheel(wheel)?;
        self.set_lost_parts(self.seldom.lost_parts().with(wheel, part), colliders);
        let off = velocity + spin.cross(arm) + own_motion;
        let off_spin = spin + turning;
        let loose = self.insert_loose(wheel, &pose, bodies, colliders);
        let body = &mut bodies[loose];
        body.set_vels(RigidBodyVelocity::new(off, off_spin), true);

        let body = &mut bodies[self.actor.body];
        let linear = (momentum - off * spinning.mass) / body.mass();
        let moved = body.center_of_mass() - center;
        let left = angular
            - spinning.momentum(off_spin)
            - arm.cross(off * spinning.mass)
            - moved.cross(linear * body.mass());
        let angular = body.mass_properties().effective_world_inv_inertia * left;
        body.set_vels(RigidBodyVelocity::new(linear, angular), true);
        self.actor.read(&mut self.vehicle, &bodies[self.actor.body]);
        Ok(LooseWheel { wheel, body: loose, part })
    }

    /// Puts a loose wheel on again, as [`attach_wheel`](Self::attach_wheel) does, and its body
    /// leaves the world. It need not be there any more, but for its mass. In the place of a wheel
    /// that was only [detached](Self::detach_wheel), whose mass has stayed, it brings none.
    ///
    /// # Errors
    ///
    /// If the vehicle's body is gone or not dynamic, there is no such wheel, or it is on. If the
    /// loose wheel or its body is as heavy as no wheel of this place, such as that of another
    /// vehicle, or its body is the vehicle's own. Nothing has changed then.
    pub fn refit_wheel<'a>(
        &mut self,
        parts: impl Into<WorldParts<'a>>,
        loose: &LooseWheel,
    ) -> Result<(), ChangeError> {
        let mut parts = parts.into();
        self.check_wheel(loose.wheel, true)?;
        self.actor.dynamic_body(parts.bodies)?;
        let wheel = loose.wheel;
        self.check_part(loose)?;
        self.check_loose_body(loose, parts.bodies)?;
        if let Some(part) = self.seldom.lost_parts().part(wheel) {
            let whole = self.composed(&self.mass(), &part, MassDistribution::with);
            self.set_mass(parts.bodies, parts.colliders, &whole, SprungMasses::Keep)?;
            self.set_lost_parts(self.seldom.lost_parts().without(wheel), parts.colliders);
        }
        self.attach_wheel(parts.bodies, wheel)?;
        parts.remove_body(loose.body);
        Ok(())
    }

    /// Takes off all wheels that bear more than `limits` allow, as [`lose_wheel`](Self::lose_wheel)
    /// does: to be called after each step of the world.
    ///
    /// A wheel that cannot come off ends it: those before it are returned, and the next call tells
    /// the error.
    ///
    /// # Errors
    ///
    /// If a limit is not positive, or [`lose_wheel`](Self::lose_wheel) fails for the first of them.
    /// Nothing has changed then.
    pub fn lose_overloaded_wheels<'a>(
        &mut self,
        parts: impl Into<WorldParts<'a>>,
        limits: &WheelLimits,
    ) -> Result<Vec<LooseWheel>, ChangeError> {
        let mut check = ParamCheck::default();
        check.field("limits", |inner| limits.check(inner));
        check.finish()?;
        let WorldParts { bodies, colliders, narrow_phase, .. } = parts.into();
        let mut lost = Vec::new();
        let wheels = self.vehicle.mechanics().state.attached_wheels();
        for wheel in wheels {
            let load = self.vehicle.suspension_state(wheel).force.normal_load;
            let is_overloaded = limits.load.is_some_and(|limit| limit < load);
            let is_hit =
                || limits.impulse.is_some_and(|limit| limit < self.hit(narrow_phase, wheel));
            if is_overloaded || is_hit() {
                match self.lose(bodies, colliders, wheel) {
                    Ok(loose) => lost.push(loose),
                    Err(error) if lost.is_empty() => return Err(error),
                    Err(_) => break,
                }
            }
        }
        Ok(lost)
    }

    /// The largest impulse of a contact of the collider of `wheel` in the last step of the world
    /// (N·s).
    fn hit(&self, narrow_phase: &NarrowPhase, wheel: usize) -> Real {
        let Some(&collider) = self.wheel_colliders.handles().get(wheel) else { return 0.0 };
        let pairs = narrow_phase.contact_pairs_with(collider);
        pairs.map(ContactPair::total_impulse_magnitude).fold(0.0, Real::max)
    }

    /// Checks that `wheel` is one that is lost, or not.
    fn check_wheel(&self, wheel: usize, is_lost: bool) -> Result<(), ChangeError> {
        self.check_wheel_lists(wheel)?;
        let mut check = ParamCheck::default();
        let requirement = if is_lost {
            "the number of a lost wheel"
        } else {
            "the number of a wheel that is not lost"
        };
        let is_so = self.vehicle.wheel_state(wheel).is_detached == is_lost;
        check.require("wheel", is_so, requirement, wheel);
        Ok(check.finish()?)
    }

    /// Checks that a loose wheel has the mass and the inertia of the one that the vehicle lacks.
    fn check_part(&self, loose: &LooseWheel) -> Result<(), ChangeError> {
        let own = self.spinning(loose.wheel, &Pose::IDENTITY);
        let part = &loose.part.rigid_body;
        // However a wheel was steered as it came off, the sum of its moments is the same.
        let inertia = own.axial + 2.0 * own.transverse;
        let sum = part.inertia.element_sum();
        let is_near = |value: Real, own: Real| (value - own).abs() <= LIKENESS * own;
        let mut check = ParamCheck::default();
        let requirement = format_args!("{} kg as that of wheel {}", own.mass, loose.wheel);
        check.require("loose.part.mass", is_near(part.mass, own.mass), requirement, part.mass);
        let requirement = format_args!("{inertia} kg m² in all as that of wheel {}", loose.wheel);
        check.require("loose.part.inertia", is_near(sum, inertia), requirement, sum);
        Ok(check.finish()?)
    }

    /// Checks that the body of a loose wheel, if it is there, can be that of a wheel.
    fn check_loose_body(
        &self,
        loose: &LooseWheel,
        bodies: &RigidBodySet,
    ) -> Result<(), ChangeError> {
        let Some(body) = bodies.get(loose.body) else { return Ok(()) };
        let own = self.vehicle.wheel_params(loose.wheel).mass;
        let is_near = loose.body != self.actor.body && (body.mass() - own).abs() <= LIKENESS * own;
        let mut check = ParamCheck::default();
        let requirement = format_args!("of {own} kg as wheel {}", loose.wheel);
        let value = format_args!("{:?} of {} kg", loose.body, body.mass());
        check.require("loose.body", is_near, requirement, value);
        Ok(check.finish()?)
    }

    fn spinning(&self, wheel: usize, pose: &Pose) -> Spinning {
        let wheel = self.vehicle.wheel_params(wheel);
        let width = 2.0 * wheel.half_width;
        Spinning {
            mass: wheel.mass,
            axial: wheel.inertia,
            transverse: 0.5 * wheel.inertia + wheel.mass * width * width / 12.0,
            axle: pose.rotation * self.params.coordinates.frame.lateral(),
        }
    }

    /// A wheel at `pose` as a part of the vehicle.
    fn part_of(&self, spinning: &Spinning, pose: &Pose, bodies: &RigidBodySet) -> MassDistribution {
        let body = bodies[self.actor.body].position();
        let axes = (body.rotation * self.actor.center_of_mass.rotation).inverse();
        let inertia = spinning.inertia_about(axes * spinning.axle);
        MassDistribution {
            rigid_body: RigidBodyParams { mass: spinning.mass, inertia },
            center_of_mass: body.inverse_transform_point(pose.translation),
        }
    }

    fn without(&self, part: &MassDistribution) -> MassDistribution {
        self.composed(&self.mass(), part, MassDistribution::without)
    }

    /// Notes what the vehicle has lost, and leaves the colliders of these wheels out.
    fn set_lost_parts(&mut self, lost: LostParts, colliders: &mut ColliderSet) {
        self.wheel_colliders.leave_out(lost.wheels(), colliders);
        self.seldom.set_lost_parts(lost);
    }

    /// Velocity along its travel of a wheel that has a mass of its own, in a body of this
    /// `rotation` (m/s).
    fn motion_along_travel(&self, wheel: usize, rotation: &Rotation) -> Vector {
        if !self.vehicle.has_unsprung_masses() {
            return Vector::ZERO;
        }
        let travel = self.vehicle.suspension_params(wheel).travel_direction;
        let speed = self.vehicle.suspension_state(wheel).compression.jounce_speed;
        *rotation * (self.actor.center_of_mass.rotation * travel) * -speed
    }

    /// Puts the body of `wheel` into the world, at `pose` and at rest.
    fn insert_loose(
        &self,
        wheel: usize,
        pose: &Pose,
        bodies: &mut RigidBodySet,
        colliders: &mut ColliderSet,
    ) -> RigidBodyHandle {
        let spinning = self.spinning(wheel, pose);
        let wheel = self.vehicle.wheel_params(wheel);
        let to_axle =
            Rotation::from_rotation_arc(Vector::Y, self.params.coordinates.frame.lateral());
        // The collider has the mass: of a sum, Rapier would look for the principal axes, which are
        // not one set for a wheel.
        let inertia = Vector::new(spinning.transverse, spinning.axial, spinning.transverse);
        let mass = MassProperties::new(Vector::ZERO, spinning.mass, inertia);
        let body = bodies.insert(RigidBodyBuilder::dynamic().pose(*pose));
        let round = wheel.shoulder_radius.max(SHOULDER * wheel.radius.min(wheel.half_width));
        let (half_height, radius) = (wheel.half_width - round, wheel.radius - round);
        let collider = ColliderBuilder::round_cylinder(half_height, radius, round)
            .position(Pose::from_parts(Vector::ZERO, to_axle))
            .friction(FRICTION)
            .restitution(RESTITUTION)
            .mass_properties(mass);
        colliders.insert_with_parent(collider, body, bodies);
        bodies[body].recompute_mass_properties_from_colliders(colliders);
        body
    }
}

impl<V: Drivable> RapierVehicle<V> {
    /// Checks that there is such a wheel, and that all lists of wheels are as long as there are.
    pub(crate) fn check_wheel_lists(&self, wheel: usize) -> Result<(), ParamErrors> {
        let count = self.wheel_count();
        let mut check = ParamCheck::default();
        check.require("wheel", wheel < count, format_args!("a wheel below {count}"), wheel);
        self.vehicle.read_mechanics().state.check_lengths(count, &mut check);
        check.finish()
    }

    /// Lets the vehicle be without the mass of what is `lost`, and with that of all else. How far
    /// its center of mass has moved (m, body frame), if it is another mass; the body is to follow.
    pub(crate) fn change_lost_parts(
        &mut self,
        lost: &LostParts,
    ) -> Result<Option<Vector>, ParamErrors> {
        if self.seldom.lost_parts() == lost {
            return Ok(None);
        }
        let present = self.seldom.lost_parts();
        let with = |mass, part| self.composed(&mass, part, MassDistribution::with);
        let without = |mass, part| self.composed(&mass, part, MassDistribution::without);
        let whole = present.but_not(lost).fold(self.mass(), with);
        let mass = lost.but_not(present).fold(whole, without);
        let shift = self.change_mass(&mass)?;
        self.seldom.set_lost_parts(lost.clone());
        Ok(Some(shift))
    }

    /// The vehicle with the mass of all that it has lost, and where its center of mass is in its
    /// body then (m); `None` if it has lost nothing.
    pub(crate) fn whole(&self) -> Option<(MechanicalParams<V::Tire>, Vector)> {
        let lost = self.seldom.lost_parts();
        let first = lost.iter().next()?;
        let with = |mass, part: &LostPart| self.composed(&mass, &part.part, MassDistribution::with);
        let mass = lost.iter().fold(self.mass(), with);
        // But for rounding, it is what it was made with, unless it is loaded.
        let made = self.seldom.made_mass().map(|made| made.made.mass);
        let least = LIKENESS * first.part.rigid_body.mass;
        let is_near = |made: &MassDistribution| {
            let size_squared = made.rigid_body.inertia.max_element() / made.rigid_body.mass;
            let apart = made.center_of_mass.distance_squared(mass.center_of_mass);
            (made.rigid_body.mass - mass.rigid_body.mass).abs() < least
                && apart < ROUNDING * ROUNDING * size_squared
        };
        let mass = made.filter(is_near).unwrap_or(mass);
        Some((self.with_mass(&mass), mass.center_of_mass))
    }

    /// The mass `own`, composed with that of `part` along the principal axes of the vehicle.
    fn composed(
        &self,
        own: &MassDistribution,
        part: &MassDistribution,
        compose: impl Fn(&MassDistribution, &MassDistribution) -> MassDistribution,
    ) -> MassDistribution {
        let axes = self.actor.center_of_mass.rotation;
        let along = |mass: &MassDistribution, turn: Rotation| MassDistribution {
            center_of_mass: turn * mass.center_of_mass,
            ..*mass
        };
        let [own, part] = [own, part].map(|mass| along(mass, axes.inverse()));
        along(&compose(&own, &part), axes)
    }
}

/// Angular momentum of `body` about its center of mass (kg·m²/s).
fn angular_momentum(body: &RigidBody) -> Vector {
    let local = &body.mass_properties().local_mprops;
    let axes = body.rotation() * local.principal_inertia_local_frame;
    axes * (local.principal_inertia() * (axes.inverse() * body.angvel()))
}
