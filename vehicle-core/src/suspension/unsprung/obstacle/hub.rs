//! The hub of a wheel at an obstacle, and its equations.

use super::super::laws::{DampedPiece, DampedStop, Stop};
use super::super::scalar::Vector3;
use super::super::spatial::Spatial;
use super::give::product;
use super::push::{PressedTire, Push, Surroundings};
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
pub(crate) struct Bush {
    /// How far the wheel is forward (m).
    pub(crate) shift: f64,
    /// Rate of change of the shift (m/s).
    pub(crate) speed: f64,
    spring: DampedStop<f64>,
    damping: f64,
    theta: f64,
}

impl Bush {
    /// The bush of a wheel of `mass` (kg) with a tire of `stiffness` (N/m), in steps of `dt` (s).
    /// With its own mass, the wheel carries `carried` (kg) of a body that has this inverse mass at
    /// the hub, along the bush (1/kg).
    pub(crate) fn new(
        [shift, speed]: [f64; 2],
        [mass, carried, inverse_mass]: [f64; 3],
        stiffness: f64,
        dt: f64,
    ) -> Self {
        let stiffness = BUSH_STIFFNESS * stiffness;
        Self {
            shift,
            speed,
            spring: DampedStop::below(carried, Stop { edge: 0.0, stiffness }),
            damping: 2.0 * BUSH_DAMPING * (stiffness * mass).sqrt(),
            theta: spring_implicitness(stiffness, 1.0 / mass + inverse_mass, dt),
        }
    }

    /// Force on the wheel if its speed stays, and how it answers to that.
    fn line(&self, dt: f64) -> [f64; 2] {
        let outward = [self.shift, self.speed].map(|it| self.shift.signum() * it);
        let DampedPiece { spring, damping } = self.spring.piece(outward[0], outward[1], outward);
        let damping = self.damping + damping;
        let force =
            -spring.slope * (self.shift + self.theta * dt * self.speed) - damping * self.speed;
        [force, spring.slope * self.theta * dt + damping]
    }
}

/// What rubs a tire at an obstacle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Rubbing {
    /// Friction coefficient (dimensionless).
    pub(crate) friction: f64,
    /// Unit vector along the axle, to the left.
    pub(crate) axle: Vector3<f64>,
    /// Rotation speed of the wheel (rad/s), and its inertia (kg·m²).
    pub(crate) rotation_speed: f64,
    pub(crate) inertia: f64,
    /// What the wheel's brake can take in a step (N·m·s).
    pub(crate) brake: f64,
}

/// A hub at an obstacle, from the center of mass and in the axes of the world.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct HubAtObstacle {
    /// The wheel's number.
    pub(crate) wheel: usize,
    /// Whether there is a road under it.
    pub(crate) has_road: bool,
    /// Part of the unsprung mass that the bush leaves free along the vehicle (kg).
    pub(crate) mass: f64,
    /// Where it is (m).
    pub(crate) arm: Vector3<f64>,
    /// Path along the travel, and unit vector forward along the vehicle.
    pub(crate) path: Vector3<f64>,
    pub(crate) forward: Vector3<f64>,
    /// Extension speed at the start (m/s).
    pub(crate) extension_speed: f64,
    pub(crate) bush: Bush,
    pub(crate) tire: PressedTire,
    pub(crate) around: Surroundings,
    pub(crate) rubbing: Rubbing,
    /// Weight of that mass (N). The tire's force along the road goes to the body at once: it is
    /// that of the step before, which would shake the bush.
    pub(crate) weight: Vector3<f64>,
    /// Push of road and obstacle, by the last iteration.
    pub(crate) push: Push,
    /// Change of the hub's velocity in the step (m/s), and of the obstacle's.
    pub(crate) change: Vector3<f64>,
    pub(crate) given: Vector3<f64>,
    /// Change of the speed in the bush (m/s).
    pub(crate) bush_change: f64,
    /// Impulse of friction at the obstacle (N·s), along a unit vector.
    pub(crate) rubbed: f64,
    pub(crate) rubbed_along: Vector3<f64>,
    /// Part of its load that the tread rubs with (dimensionless): nothing of it does at a wall
    /// beside the wheel.
    pub(crate) rubbed_part: f64,
    pub(crate) rows: BushRows,
}

/// The equation of the bush, which is eliminated first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BushRows {
    /// By the motion of the body.
    pub(super) by_body: [f64; 6],
    /// By the extension of the suspension.
    pub(super) by_wheel: f64,
    pub(super) diagonal: f64,
    pub(super) side: f64,
}

impl BushRows {
    /// Rows of a bush that does not move.
    pub(crate) const NONE: Self =
        Self { by_body: [0.0; 6], by_wheel: 0.0, diagonal: 1.0, side: 0.0 };
}

/// What a hub adds to the equation of its wheel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct WheelRows {
    pub(super) column: [f64; 6],
    pub(super) diagonal: f64,
    pub(super) side: f64,
}

/// How a hub slides along its obstacle (m/s), and how much it is pressed there (N).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sliding {
    pub(super) speed: f64,
    pub(super) load: f64,
}

impl HubAtObstacle {
    /// A force at the hub on the body: with its moment.
    pub(super) fn on_body(&self, force: &Vector3<f64>) -> [f64; 6] {
        Spatial::at(&self.arm, force).to_array()
    }

    /// Velocity of the hub (m/s), of a body that moves at `linear` and `angular`.
    pub(super) fn velocity(&self, linear: &Vector3<f64>, angular: &Vector3<f64>) -> Vector3<f64> {
        let of_body = *linear + angular.cross(&self.arm);
        let of_wheel = self.path * self.extension_speed + self.forward * self.bush.speed;
        of_body + of_wheel
    }

    /// Finds the push at the changes of before, for a hub that moved at `start` (m/s). Returns what
    /// it adds to the equation of the wheel in a step of `dt` (s).
    pub(super) fn linearize(&mut self, start: &Vector3<f64>, dt: f64) -> WheelRows {
        let velocity = *start + self.change;
        self.push = self.tire.push(&self.arm, [start, &velocity, &self.given], &self.around, dt);
        if self.around.gives_way() {
            let Push { force, response, by_obstacle, .. } = &mut self.push;
            by_obstacle.give_way(&self.around.response, (force, response), dt);
        }
        let response = &self.push.response;
        let (path, forward) = (&self.path, &self.forward);
        let [by_path, by_forward] = [path, forward].map(|it| product(response, it));
        let column = self.on_body(&(by_path * dt));
        let momentum = self.on_body(&(*forward * self.mass));
        let pushed = self.on_body(&(by_forward * dt));
        let [force, rate] = self.bush.line(dt);
        let load = self.push.force + self.weight;
        let rows = BushRows {
            by_body: std::array::from_fn(|row| momentum[row] + pushed[row]),
            by_wheel: self.mass * path.dot(forward) + dt * path.dot(&by_forward),
            diagonal: self.mass + dt * (forward.dot(&by_forward) + rate),
            side: dt * (load.dot(forward) + force),
        };
        self.rows = rows;
        let part = rows.by_wheel / rows.diagonal;
        WheelRows {
            column: std::array::from_fn(|row| column[row] - part * rows.by_body[row]),
            diagonal: dt * path.dot(&by_path) - part * rows.by_wheel,
            side: dt * self.push.force.dot(path) - part * rows.side,
        }
    }

    /// Entries that the hub adds to the matrix of the body in a step of `dt` (s): its push by the
    /// body's motion, less what the bush takes of that.
    pub(super) fn entries(&self, dt: f64) -> [[f64; 6]; 6] {
        let BushRows { by_body, diagonal, .. } = &self.rows;
        // By the motion of the body, axis by axis of the hub.
        let forces = self.push.response.map(|row| self.on_body(&row));
        let mut entries = [[0.0; 6]; 6];
        for column in 0..6 {
            let force = Vector3(forces.map(|force| force[column])) * dt;
            let part = by_body[column] / diagonal;
            for (row, pushed) in self.on_body(&force).into_iter().enumerate() {
                entries[row][column] = pushed - by_body[row] * part;
            }
        }
        entries
    }

    /// What the hub adds to the side of the body's equations.
    pub(super) fn side(&self, dt: f64) -> [f64; 6] {
        let impulse = self.push.force * dt + self.rubbed_push() * self.rubbed;
        let (pushed, rows) = (self.on_body(&impulse), &self.rows);
        std::array::from_fn(|row| pushed[row] - rows.by_body[row] * rows.side / rows.diagonal)
    }

    /// Part of an `impulse` of friction (N·s) that pushes along the bush (N·s): it is added to the
    /// side of the bush's equation.
    pub(super) fn along_bush(&self, impulse: f64) -> f64 {
        impulse * self.rubbed_push().dot(&self.forward)
    }

    /// Parts that an impulse of friction of 1 N·s adds to the sides of two equations: the body's
    /// and the wheel's.
    pub(super) fn rubbed_sides(&self) -> ([f64; 6], f64) {
        let BushRows { by_body, by_wheel, diagonal, .. } = &self.rows;
        let push = self.rubbed_push();
        let taken = self.along_bush(1.0) / diagonal;
        let pushed = self.on_body(&push);
        let on_body = std::array::from_fn(|row| pushed[row] - by_body[row] * taken);
        (on_body, push.dot(&self.path) - by_wheel * taken)
    }

    /// How sliding and load answer to changes in a step of `dt` (s). They are those of the `body`'s
    /// motion, of the extension speed (m/s), and of its own impulse of friction, `rubbed` (N·s).
    pub(super) fn answer(&self, body: &[f64; 6], extension: f64, rubbed: f64, dt: f64) -> Sliding {
        let (_, change) = self.moved(body, extension, self.along_bush(rubbed));
        let given = if self.around.gives_way() {
            self.push.by_obstacle.answer(&change, &(self.rubbed_along * rubbed), dt)
        } else {
            Vector3::zero()
        };
        let [_, by_obstacle] = self.push.by_obstacle.loads(&given);
        Sliding {
            speed: self.rubbed_along.dot(&(change - given)),
            load: by_obstacle - self.push.obstacle_response.dot(&change),
        }
    }

    /// How it slides along its obstacle at the end of the step, on a body that moved at `linear`
    /// and `angular`.
    pub(super) fn sliding(&self, linear: &Vector3<f64>, angular: &Vector3<f64>) -> Sliding {
        let start = self.velocity(linear, angular);
        let relative = start - self.around.velocity - self.given + self.change;
        Sliding { speed: self.rubbed_along.dot(&relative), load: self.loads()[1] }
    }

    /// What an impulse of friction is for the hub, per unit: an obstacle that gives way also
    /// presses it otherwise.
    fn rubbed_push(&self) -> Vector3<f64> {
        if self.around.gives_way() {
            self.push.by_obstacle.of_rubbing(&self.rubbed_along)
        } else {
            self.rubbed_along
        }
    }

    /// Changes of the speed in the bush and of the hub's velocity (m/s), by those of the body's
    /// motion and of the extension speed.
    fn moved(&self, body: &[f64; 6], extension: f64, side: f64) -> (f64, Vector3<f64>) {
        let BushRows { by_body, by_wheel, diagonal, .. } = &self.rows;
        let of_body: f64 = by_body.iter().zip(body).map(|(row, change)| row * change).sum();
        let bush = (side - of_body - by_wheel * extension) / diagonal;
        let Spatial { linear, angular } = Spatial::from_array(*body);
        let wheel = self.path * extension + self.forward * bush;
        (bush, linear + angular.cross(&self.arm) + wheel)
    }

    /// Takes the change of the body's motion and of the extension speed in a step of `dt` (s).
    pub(super) fn take(&mut self, change: &[f64; 6], extension: f64, dt: f64) {
        (self.bush_change, self.change) = self.moved(change, extension, self.rows.side);
        if self.around.gives_way() {
            let rubbed = self.rubbed_along * self.rubbed;
            self.given = self.push.by_obstacle.change(&self.change, &rubbed, dt);
        }
    }

    /// Loads of road and obstacle at the end of the step (N).
    fn loads(&self) -> [f64; 2] {
        let push = &self.push;
        let road = push.road_load - push.road_response.dot(&self.change);
        let obstacle = push.obstacle_load - push.obstacle_response.dot(&self.change);
        let [by_road, by_obstacle] = push.by_obstacle.loads(&self.given);
        [road + by_road, obstacle + by_obstacle]
    }

    /// Impulse on an obstacle that gives way in a step of `dt` (s) (N·s); `None` for others.
    pub(crate) fn impulse_on_obstacle(&self, dt: f64) -> Option<Vector3<f64>> {
        if !self.around.gives_way() {
            return None;
        }
        let push = &self.push;
        let pressed = push.by_obstacle.impulse(&self.change, &self.given, dt);
        let pulled = push.obstacle_normal * (self.loads()[1].min(0.0) * dt);
        Some(pulled - pressed - self.rubbed_along * self.rubbed)
    }

    /// Load of the road along its normal at the end of a step (N), and the force of all that is not
    /// the road's, in a step of `dt` (s).
    pub(crate) fn forces(&self, normal: &Vector3<f64>, dt: f64) -> (f64, Vector3<f64>) {
        let push = &self.push;
        let [road, at_obstacle] = self.loads();
        let all = push.force - product(&push.response, &self.change);
        let obstacle = all - *normal * road;
        let obstacle = obstacle - push.obstacle_normal * at_obstacle.min(0.0);
        (road.max(0.0), obstacle + self.rubbed_push() * (self.rubbed / dt))
    }

    /// Distance from the hub to where it rubs (m).
    pub(crate) fn rolling_radius(&self) -> f64 {
        self.tire.radius - self.push.depth.min(self.tire.radius)
    }
}
