//! Ground that gives way: what of a wheel's push a body takes, and what bears the rest.
//!
//! A wheel pushes its ground with what its spring, damper and tire say of a whole frame, as if the
//! ground stood still for so long. A crate would be gone by then, with more energy than the vehicle
//! has. So a body takes no more of an impulse `J` than what spring and tire could give it if they
//! saw it go:
//!
//! ```text
//! J' = J u / (u + K J)
//! ```
//!
//! with its response `K` (1/kg) where the wheel stands, and the speed `u` at which the wheel could
//! follow. Out of the road, that is the speed of its approach and its jounce in a frame; along the
//! road, that of its slip. It is what an implicit step of spring, damper and tire gives. Heavy
//! ground takes next to all.
//!
//! What a body does not take is borne by what it rests on. For this, the wheel must stand between
//! its contacts, and what pushes along the road must be within their friction. Fixed ground bears
//! all, another body takes its own part. What nothing bears is no push: the vehicle does not get it
//! either, so that a loose crate does not carry a car, and momentum is kept.
//!
//! The speed `u` has an end where tire, rim and falling wheel have no force left. A rim gives 100
//! kN in a step, and a box of 19 kg would be gone at 40 m/s.

use rapier3d::prelude::*;

/// Most bodies that rest on each other below a wheel.
const MAX_LEVELS: usize = 8;
/// Cosine of the largest angle between a push and the way out of a contact that bears it
/// (dimensionless).
const MIN_SUPPORT: Real = 0.7;
/// Gap between two bodies below which they touch (m).
const TOUCHING: Real = 0.01;
/// Speed towards what bears it, or away from it, beyond which a body does not rest (m/s).
const MAX_RESTING_SPEED: Real = 0.1;
/// Directions in which a contact is looked for around a push.
const DIRECTIONS: usize = 8;

/// Push of a wheel on its ground in a frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WheelPush {
    pub(crate) ground: ColliderHandle,
    pub(crate) wheel: usize,
    /// Where the wheel stands (m).
    pub(crate) point: Vector,
    /// Into the road, along the wheel and across it (N·s).
    pub(crate) impulses: [Vector; 3],
    /// Speeds at which the wheel could follow the ground in these directions (m/s); infinite for a
    /// tire that sticks, whose rows know of the ground's response.
    pub(crate) speeds: [Real; 3],
}

/// Contact that bears a body.
struct Support {
    collider: ColliderHandle,
    /// Unit vector towards it.
    normal: Vector,
    /// Friction coefficient of the contact (dimensionless).
    friction: Real,
}

/// The bodies of a world, below a vehicle.
#[derive(Clone, Copy)]
pub(crate) struct Below<'a> {
    pub(crate) colliders: &'a ColliderSet,
    pub(crate) narrow_phase: &'a NarrowPhase,
    /// The vehicle's own body.
    pub(crate) own_body: RigidBodyHandle,
    /// Units of length per meter.
    pub(crate) length_scale: Real,
}

impl WheelPush {
    /// Gives each body below the wheel what it takes, if `wheel_count` wheels push it alike; what
    /// the vehicle gets back, as an impulse on the ground that was none (N·s).
    pub(crate) fn give(
        &self,
        wheel_count: usize,
        below: &Below<'_>,
        bodies: &mut RigidBodySet,
        take: &mut dyn FnMut(RigidBodyHandle, &mut RigidBody, Vector),
    ) -> Vector {
        let (mut left, mut loose) = (self.impulses, Vector::ZERO);
        let mut ground = self.ground;
        for _ in 0..MAX_LEVELS {
            let parent = below.colliders.get(ground).and_then(Collider::parent);
            let Some((handle, body)) = parent.and_then(|body| Some((body, bodies.get_mut(body)?)))
            else {
                return loose;
            };
            if !body.is_dynamic() {
                return loose;
            }
            let mut taken = Vector::ZERO;
            for (impulse, speed) in left.iter_mut().zip(self.speeds) {
                let size = impulse.length();
                if 0.0 < size {
                    let response =
                        response(body, self.point, *impulse / size) * wheel_count as Real;
                    let part = share(speed, response * size);
                    taken += *impulse * part;
                    *impulse *= 1.0 - part;
                }
            }
            let speed = body.velocity_at_point(self.point);
            take(handle, body, taken);
            let Some(support) = below.support(ground, self.point, self.impulses[0]) else { break };
            let resting_speed = MAX_RESTING_SPEED * below.length_scale;
            if resting_speed < support.normal.dot(speed).abs() {
                break;
            }
            // The part that friction does not bear is loose.
            let pushed = sum(&left);
            let pressing = support.normal * support.normal.dot(pushed);
            let sideways = pushed - pressing;
            let friction = support.friction * pressing.length();
            let sliding = speed - support.normal * support.normal.dot(speed);
            let is_against_friction =
                resting_speed < sliding.length() && sideways.dot(sliding) < 0.0;
            let held = match sideways.length() {
                _ if is_against_friction => 0.0,
                size if size <= friction => 1.0,
                size => friction / size,
            };
            loose += sideways * (1.0 - held);
            left = [pressing, sideways * held, Vector::ZERO];
            ground = support.collider;
        }
        loose + sum(&left)
    }
}

fn sum(impulses: &[Vector; 3]) -> Vector {
    impulses[0] + impulses[1] + impulses[2]
}

/// The part of an impulse that a body takes which it would move at `yielding` (m/s), from a wheel
/// that follows at `speed` (m/s).
fn share(speed: Real, yielding: Real) -> Real {
    if speed == Real::INFINITY || yielding == 0.0 { 1.0 } else { speed / (speed + yielding) }
}

/// Change of the velocity of `body` at `point` (m) along the unit vector `direction` per impulse
/// there (1/kg).
///
/// ```text
/// K = d·M⁻¹ d + (r × d)·I⁻¹ (r × d)
/// ```
///
/// 0 for a body that is not dynamic, and in what is locked.
pub(crate) fn response(body: &RigidBody, point: Vector, direction: Vector) -> Real {
    if !body.is_dynamic() {
        return 0.0;
    }
    let properties = body.mass_properties();
    let turn = (point - body.center_of_mass()).cross(direction);
    let along = direction.dot(properties.effective_inv_mass * direction);
    along + turn.dot(properties.effective_world_inv_inertia * turn)
}

impl Below<'_> {
    /// Contact that bears the body of `ground` against a push at `point` (m) along `push`. It is
    /// with something that the body touches on that side, by contacts all around the line of the
    /// push.
    fn support(&self, ground: ColliderHandle, point: Vector, push: Vector) -> Option<Support> {
        let down = push.try_normalize()?;
        let (first, second) = down.any_orthonormal_pair();
        let directions: [Vector; DIRECTIONS] = std::array::from_fn(|index| {
            let (sine, cosine) = AROUND[index];
            first * cosine + second * sine
        });
        let touching = TOUCHING * self.length_scale;
        let mut reach = [Real::NEG_INFINITY; DIRECTIONS];
        let mut nearest: Option<(Real, ColliderHandle, Vector)> = None;
        for pair in self.narrow_phase.contact_pairs_with(ground) {
            let is_first = pair.collider1 == ground;
            let other = if is_first { pair.collider2 } else { pair.collider1 };
            let Some(other_collider) = self.colliders.get(other) else { continue };
            let Some(own) = self.colliders.get(pair.collider1) else { continue };
            if other_collider.parent() == Some(self.own_body) {
                continue;
            }
            for manifold in pair.manifolds() {
                let normal = manifold.data.normal * if is_first { 1.0 } else { -1.0 };
                if normal.dot(down) < MIN_SUPPORT {
                    continue;
                }
                let pose = manifold
                    .subshape_pos1()
                    .map_or(*own.position(), |local| *own.position() * *local);
                for contact in manifold.points.iter().filter(|contact| contact.dist < touching) {
                    let offset = pose.transform_point(contact.local_p1) - point;
                    for (reach, direction) in reach.iter_mut().zip(directions) {
                        *reach = reach.max(offset.dot(direction));
                    }
                    let distance = offset.length_squared();
                    if nearest.is_none_or(|(least, ..)| distance < least) {
                        nearest = Some((distance, other, normal));
                    }
                }
            }
        }
        let (_, collider, normal) = nearest.filter(|_| reach.iter().all(|&reach| 0.0 <= reach))?;
        Some(Support { collider, normal, friction: self.friction_between(ground, collider)? })
    }

    /// Friction coefficient of the contact of two colliders, combined as the world does
    /// (dimensionless).
    fn friction_between(&self, first: ColliderHandle, second: ColliderHandle) -> Option<Real> {
        let [first, second] = [self.colliders.get(first)?, self.colliders.get(second)?];
        Some(CoefficientCombineRule::combine(
            first.friction(),
            second.friction(),
            first.friction_combine_rule(),
            second.friction_combine_rule(),
        ))
    }
}

/// Sine and cosine of the angles of [`DIRECTIONS`] around a push.
const AROUND: [(Real, Real); DIRECTIONS] = {
    const HALF: Real = std::f32::consts::FRAC_1_SQRT_2;
    [
        (0.0, 1.0),
        (HALF, HALF),
        (1.0, 0.0),
        (HALF, -HALF),
        (0.0, -1.0),
        (-HALF, -HALF),
        (-1.0, 0.0),
        (-HALF, HALF),
    ]
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn friction_below_a_body_is_combined_as_the_world_does() {
        let mut world = PhysicsWorld::new();
        let ice = ColliderBuilder::cuboid(5.0, 1.0, 5.0).friction(0.1);
        let own = |rule| ice.clone().friction_combine_rule(rule);
        let stone = world.insert_collider(ColliderBuilder::ball(1.0).friction(0.9), None);
        for (rule, expected) in [
            (CoefficientCombineRule::Average, 0.5),
            (CoefficientCombineRule::Min, 0.1),
            (CoefficientCombineRule::Multiply, 0.09),
            (CoefficientCombineRule::Max, 0.9),
        ] {
            let ice = world.insert_collider(own(rule), None);
            let below = Below {
                colliders: &world.colliders,
                narrow_phase: &world.narrow_phase,
                own_body: RigidBodyHandle::invalid(),
                length_scale: 1.0,
            };
            let found = below.friction_between(stone, ice).expect("both are there");
            assert!((found - expected).abs() < 1e-6, "{rule:?}: {found}");
        }
    }
}
