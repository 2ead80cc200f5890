//! Hubs of wheels at obstacles, and their equations.

use super::super::laws::{DampedPiece, DampedStop, Stop};
use super::super::scalar::{Scalar, Vector3};
use super::super::spatial::Spatial;
use super::give::product;
use super::law::BeltScalar;
use super::push::{PressedTire, Push, Surroundings};
use crate::math::lanes::Mask;
use crate::suspension::unsprung::implicitness::spring_implicitness;

/// Most wheels that are at obstacles at once; others ride as if there was none.
pub(crate) const MAX_HUBS: usize = 8;

/// Stiffness of the bush along the vehicle, by that of the tire (dimensionless).
const BUSH_STIFFNESS: f64 = 1.5;
/// Damping ratio of the bush (dimensionless).
const BUSH_DAMPING: f64 = 0.15;

/// Spring and damper of a suspension along the vehicle, and where the wheel is in them.
///
/// Rubber and arms that a wall has bent give little back, so the spring is a
/// [damped stop](DampedStop) to both sides:
///
/// ```text
/// F = -k x (1 - h) - c v,   h = min(0.9, max(0, -T v / x)),   T = 2 √(m / k)
/// ```
///
/// with the mass `m` that the wheel carries. An elastic bush throws a car back from a wall at four
/// fifths of its speed, this one at half of it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Bush<S> {
    /// How far the wheel is forward (m).
    pub(crate) shift: S,
    /// Rate of change of the shift (m/s).
    pub(crate) speed: S,
    spring: DampedStop<S>,
    damping: S,
    theta: S,
}

impl<S: Scalar> Bush<S> {
    /// The bush of a wheel of `mass` (kg) with a tire of `stiffness` (N/m), in steps of `dt` (s).
    /// With its own mass, the wheel carries `carried` (kg) of a body that has this inverse mass at
    /// the hub, along the bush (1/kg).
    pub(crate) fn new(
        [shift, speed]: [S; 2],
        [mass, carried, inverse_mass]: [S; 3],
        stiffness: S,
        dt: S,
    ) -> Self {
        let stiffness = S::of(BUSH_STIFFNESS) * stiffness;
        Self {
            shift,
            speed,
            spring: DampedStop::below(carried, Stop { edge: S::of(0.0), stiffness }),
            damping: S::of(2.0 * BUSH_DAMPING) * (stiffness * mass).square_root(),
            theta: spring_implicitness(stiffness, S::of(1.0) / mass + inverse_mass, dt),
        }
    }

    /// Force on the wheel if its speed stays, and how it answers to that, in a step of `dt` (s).
    #[inline]
    pub(crate) fn line(&self, dt: S) -> [S; 2] {
        let is_behind = self.shift.is_less(S::of(0.0));
        let outward = [self.shift, self.speed].map(|it| S::choose(is_behind, -it, it));
        let DampedPiece { spring, damping } = self.spring.piece(outward[0], outward[1], outward);
        let damping = self.damping + damping;
        let force =
            -(spring.slope * (self.shift + self.theta * dt * self.speed) + damping * self.speed);
        [force, spring.slope * self.theta * dt + damping]
    }
}

/// What rubs a tire at an obstacle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Rubbing<S> {
    /// Friction coefficient (dimensionless).
    pub(crate) friction: S,
    /// Unit vector along the axle, to the left.
    pub(crate) axle: Vector3<S>,
    /// Rotation speed of the wheel (rad/s), and its inertia (kg·m²).
    pub(crate) rotation_speed: S,
    pub(crate) inertia: S,
    /// What the wheel's brake can take in a step (N·m·s).
    pub(crate) brake: S,
}

/// Hubs of wheels side by side, from the center of mass and in the axes of the world.
#[derive(Clone, Debug)]
pub(crate) struct HubsAtObstacles<S: Scalar> {
    /// Number of the group of wheels.
    pub(crate) group: usize,
    /// Which of them are at obstacles. The others are as one of these, but have no mass, and
    /// nothing pushes them.
    pub(crate) are_there: S::Mask,
    /// Under which of them there is a road.
    pub(crate) have_road: S::Mask,
    /// Part of the unsprung mass that the bush leaves free along the vehicle (kg).
    pub(crate) mass: S,
    /// Where they are (m).
    pub(crate) arm: Vector3<S>,
    /// Path along the travel, and unit vector forward along the vehicle.
    pub(crate) path: Vector3<S>,
    pub(crate) forward: Vector3<S>,
    /// Velocity at the start (m/s).
    pub(crate) start: Vector3<S>,
    pub(crate) bush: Bush<S>,
    /// Force of the bush if its speed stays (N), and how it answers to that (N·s/m).
    pub(crate) bush_line: [S; 2],
    pub(crate) tire: PressedTire<S>,
    pub(crate) around: Surroundings<S>,
    pub(crate) rubbing: Rubbing<S>,
    /// Weight of that mass (N). The tire's force along the road goes to the body at once: it is
    /// that of the step before, which would shake the bush.
    pub(crate) weight: Vector3<S>,
    /// Push of road and obstacle, by the last iteration.
    pub(crate) push: Push<S>,
    /// Change of the hub's velocity in the step (m/s), and of the obstacle's.
    pub(crate) change: Vector3<S>,
    pub(crate) given: Vector3<S>,
    /// Change of the speed in the bush (m/s).
    pub(crate) bush_change: S,
    /// Impulse of friction at the obstacle (N·s), along a unit vector.
    pub(crate) rubbed: S,
    pub(crate) rubbed_along: Vector3<S>,
    /// Part of its load that the tread rubs with (dimensionless): nothing of it does at a wall
    /// beside the wheel.
    pub(crate) rubbed_part: S,
    pub(crate) rows: BushRows<S>,
}

/// The equation of the bush, which is eliminated first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BushRows<S> {
    /// By the motion of the body.
    pub(super) by_body: Spatial<S>,
    /// By the extension of the suspension.
    pub(super) by_wheel: S,
    /// By its own speed, the inverse.
    pub(super) inverse: S,
    pub(super) side: S,
}

impl<S: Scalar> BushRows<S> {
    /// Rows of a bush that does not move.
    pub(crate) fn none() -> Self {
        let zero = S::of(0.0);
        Self { by_body: Spatial::zero(), by_wheel: zero, inverse: zero, side: zero }
    }
}

/// What hubs add to the equations of their wheels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct WheelRows<S> {
    pub(super) column: Spatial<S>,
    pub(super) diagonal: S,
    pub(super) side: S,
}

/// How hubs slide along their obstacles (m/s), and how much they are pressed there (N).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sliding<S> {
    pub(super) speed: S,
    pub(super) load: S,
}

impl<S: BeltScalar> HubsAtObstacles<S> {
    /// A force at the hub on the body: with its moment.
    #[inline]
    pub(super) fn on_body(&self, force: &Vector3<S>) -> Spatial<S> {
        Spatial::at(&self.arm, force)
    }

    /// Finds the push at the changes of before. Returns what it adds to the equation of the wheel
    /// in a step of `dt` (s).
    #[inline]
    pub(super) fn linearize(&mut self, dt: S) -> WheelRows<S> {
        let start = &self.start;
        let velocity = *start + self.change;
        let velocities = [start, &velocity, &self.given];
        self.push = self.tire.push(&self.arm, velocities, &self.around, (dt, self.are_there));
        let push = &mut self.push;
        push.force = push.force.where_true(self.are_there);
        push.response = push.response.map(|row| row.where_true(self.are_there));
        if let (Some(by_obstacle), Some(response)) = (&mut push.by_obstacle, &self.around.response)
        {
            by_obstacle.give_way(response, (&mut push.force, &mut push.response), dt);
        }
        let (force, response) = (&self.push.force, &self.push.response);
        let (path, forward) = (&self.path, &self.forward);
        let [by_path, by_forward] = [path, forward].map(|it| product(response, it) * dt);
        let column = self.on_body(&by_path);
        let [bush_force, rate] = self.bush_line;
        let load = *force + self.weight;
        let rows = BushRows {
            by_body: self.on_body(&(*forward * self.mass + by_forward)),
            by_wheel: self.mass * path.dot(forward) + path.dot(&by_forward),
            inverse: S::of(1.0) / (self.mass + forward.dot(&by_forward) + dt * rate),
            side: dt * (load.dot(forward) + bush_force),
        };
        self.rows = rows;
        let part = rows.by_wheel * rows.inverse;
        WheelRows {
            column: column + rows.by_body * -part,
            diagonal: path.dot(&by_path) - part * rows.by_wheel,
            side: dt * force.dot(path) - part * rows.side,
        }
    }

    /// Whether the push that was found before the last changes is that of now, in a step of `dt`
    /// (s). Another iteration would then move no hub by more than `settled` (m/s).
    ///
    /// A hub is so heavy as its own mass at least: a force `δ` moves it by no more than `dt δ / m`.
    #[inline]
    pub(super) fn is_straight(&self, settled: S, dt: S) -> bool {
        if self.around.response.is_some() {
            return false;
        }
        let velocity = self.start + self.change;
        let velocities = [&self.start, &velocity, &self.given];
        let found = self.tire.push(&self.arm, velocities, &self.around, (dt, self.are_there));
        let force = |push: &Push<S>| push.force - product(&push.response, &self.change);
        let load = |push: &Push<S>| push.loads[1] - push.responses[1].dot(&self.change);
        let error = (force(&found) - force(&self.push)).length();
        let load_error = load(&found) - load(&self.push);
        let error = error.larger(load_error).larger(-load_error);
        let is_bent = (settled * self.mass).is_less(dt * error);
        !(is_bent & self.are_there).any()
    }

    /// Entries on and below the diagonal that the hubs add to the matrix of the body in a step of
    /// `dt` (s). They are those of their push by the body's motion, less what the bush takes of it.
    #[inline]
    pub(super) fn entries(&self, dt: S) -> [[S; 6]; 6] {
        // By the motion of the body, axis by axis of the hub.
        let [x, y, z] = self.push.response.map(|row| self.on_body(&(row * dt)).to_array());
        let by_body = self.rows.by_body.to_array();
        let parts = (self.rows.by_body * self.rows.inverse).to_array();
        let [a, b, c] = self.arm.0;
        let mut entries = [[S::of(0.0); 6]; 6];
        for column in 0..6 {
            let (x, y, z) = (x[column], y[column], z[column]);
            let pushed = [x, y, z, b * z - c * y, c * x - a * z, a * y - b * x];
            for row in column..6 {
                entries[row][column] = pushed[row] - by_body[row] * parts[column];
            }
        }
        entries
    }

    /// What the hubs add to the side of the body's equations.
    #[inline]
    pub(super) fn side(&self, dt: S) -> Spatial<S> {
        self.on_body(&(self.push.force * dt))
            + self.rows.by_body * -(self.rows.side * self.rows.inverse)
    }

    /// Part of an `impulse` of friction (N·s) that pushes along the bush (N·s): it is added to the
    /// side of the bush's equation.
    #[inline]
    pub(super) fn along_bush(&self, impulse: S) -> S {
        impulse * self.rubbed_push().dot(&self.forward)
    }

    /// Parts that an impulse of friction of 1 N·s adds to the sides of two equations: the body's
    /// and the wheel's.
    #[inline]
    pub(super) fn rubbed_sides(&self) -> (Spatial<S>, S) {
        let BushRows { by_body, by_wheel, inverse, .. } = &self.rows;
        let push = self.rubbed_push();
        let taken = self.along_bush(S::of(1.0)) * *inverse;
        let on_body = self.on_body(&push) + *by_body * -taken;
        (on_body, push.dot(&self.path) - *by_wheel * taken)
    }

    /// How sliding and load answer to changes in a step of `dt` (s). They are those of the `body`'s
    /// motion, of the extension speed (m/s), and of their own impulses of friction, `rubbed` (N·s).
    #[inline]
    pub(super) fn answer(&self, body: &Spatial<S>, extension: S, rubbed: S, dt: S) -> Sliding<S> {
        let (_, change) = self.moved(body, extension, self.along_bush(rubbed));
        let load = -self.push.responses[1].dot(&change);
        let Some(by_obstacle) = &self.push.by_obstacle else {
            return Sliding { speed: self.rubbed_along.dot(&change), load };
        };
        let given = by_obstacle.answer(&change, &(self.rubbed_along * rubbed), dt);
        let [_, of_obstacle] = by_obstacle.loads(&given);
        Sliding { speed: self.rubbed_along.dot(&(change - given)), load: of_obstacle + load }
    }

    /// How they slide along their obstacles at the end of the step.
    #[inline]
    pub(super) fn sliding(&self) -> Sliding<S> {
        let relative = self.start - self.around.velocity - self.given + self.change;
        Sliding { speed: self.rubbed_along.dot(&relative), load: self.loads()[1] }
    }

    /// What an impulse of friction is for the hub, per unit: an obstacle that gives way also
    /// presses it otherwise.
    #[inline]
    fn rubbed_push(&self) -> Vector3<S> {
        let along = &self.rubbed_along;
        self.push.by_obstacle.as_ref().map_or(*along, |by_obstacle| by_obstacle.of_rubbing(along))
    }

    /// Changes of the speed in the bush and of the hub's velocity (m/s), by those of the body's
    /// motion and of the extension speed.
    #[inline]
    fn moved(&self, body: &Spatial<S>, extension: S, side: S) -> (S, Vector3<S>) {
        let BushRows { by_body, by_wheel, inverse, .. } = &self.rows;
        let bush = (side - by_body.dot(body) - *by_wheel * extension) * *inverse;
        let wheel = self.path * extension + self.forward * bush;
        (bush, body.linear + body.angular.cross(&self.arm) + wheel)
    }

    /// Takes the change of the body's motion and of the extension speed in a step of `dt` (s).
    #[inline]
    pub(super) fn take(&mut self, change: &Spatial<S>, extension: S, dt: S) {
        (self.bush_change, self.change) = self.moved(change, extension, self.rows.side);
        if let Some(by_obstacle) = &self.push.by_obstacle {
            let rubbed = self.rubbed_along * self.rubbed;
            self.given = by_obstacle.change(&self.change, &rubbed, dt);
        }
    }

    /// Loads of road and obstacle at the end of the step (N).
    #[inline]
    fn loads(&self) -> [S; 2] {
        let push = &self.push;
        let load = |row: usize| push.loads[row] - push.responses[row].dot(&self.change);
        let [road, obstacle] = [load(0), load(1)];
        push.by_obstacle.as_ref().map_or([road, obstacle], |by_obstacle| {
            let [by_road, of_obstacle] = by_obstacle.loads(&self.given);
            [road + by_road, obstacle + of_obstacle]
        })
    }

    /// Impulses on obstacles that give way in a step of `dt` (s) (N·s), if one of them does.
    pub(crate) fn impulse_on_obstacles(&self, dt: S) -> Option<Vector3<S>> {
        let by_obstacle = self.push.by_obstacle.as_ref()?;
        let pressed = by_obstacle.impulse(&self.change, &self.given, dt);
        let pulled = self.push.obstacle_normal * (-(-self.loads()[1]).larger(S::of(0.0)) * dt);
        Some(pulled - pressed - self.rubbed_along * self.rubbed)
    }

    /// Loads of the roads along their normals at the end of a step (N), and the force of all that
    /// is not the road's, in a step of `dt` (s).
    #[inline]
    pub(crate) fn forces(&self, normal: &Vector3<S>, dt: S) -> (S, Vector3<S>) {
        let (push, zero) = (&self.push, S::of(0.0));
        let [road, at_obstacle] = self.loads();
        let all = push.force - product(&push.response, &self.change);
        let obstacle = all - *normal * road;
        let pulled = -((-at_obstacle).larger(zero));
        let obstacle = obstacle - push.obstacle_normal * pulled;
        (road.larger(zero), obstacle + self.rubbed_push() * (self.rubbed / dt))
    }

    /// Distance from the hub to where it rubs (m).
    #[inline]
    pub(crate) fn rolling_radius(&self) -> S {
        let (radius, depth) = (self.tire.radius, self.push.depth);
        radius - S::choose(radius.is_less(depth), radius, depth)
    }
}
