//! The car by constraints: suspensions and tires as rows of one small solver, for a step of any
//! length.
//!
//! Unknowns are the velocity of the body and the rotation speed of each wheel. A row asks for a
//! velocity along a direction, and has an impulse in bounds. Springs and tires are *soft* rows,
//! which give way to their impulse. Rows are solved one after the other, some times over.

use rapier3d::glamx::{DMat3, DVec3};

use super::block::{BlockImpulse, BrakedWheel, Mobility};
use super::car::{
    BodyMotion, CarData, CarriedWheel, Contact, Orders, RELAXATION, STIFFNESS, WHEELS, WheelData,
};

/// Part of the way out of a stop that is gone in a step (dimensionless), and the speed at most
/// (m/s).
const STOP_RETURN: f64 = 0.2;
const STOP_SPEED: f64 = 1.0;
/// Way over its relaxation length below which a tire's exponential is its series (dimensionless).
const SHORT_WAY: f64 = 1e-3;
/// Normalized slip at which a tire slides with all of its contact (dimensionless).
const FULL_SLIDE: f64 = 3.0;

/// How a tire approaches its bound of friction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LargeSlip {
    /// Along a straight line, up to the bound.
    #[default]
    Linear,
    /// Along the curve of a brush, `f(K)/K` of its stiffness.
    Brush,
}

/// Numbers of the solver.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConstraintParams {
    /// How often all rows are solved.
    pub iterations: usize,
    /// How tires approach their bound.
    pub large_slip: LargeSlip,
    /// At which part of its depth below the center of mass the side force acts (dimensionless): 1
    /// is the road, less lets the body roll less. Velocity and force are those of one point, so
    /// that no energy comes of it.
    pub roll_influence: f64,
}

impl Default for ConstraintParams {
    fn default() -> Self {
        Self { iterations: 4, large_slip: LargeSlip::Linear, roll_influence: 1.0 }
    }
}

/// What a wheel keeps between steps.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ConstraintWheel {
    /// Rotation speed (rad/s).
    pub speed: f64,
    /// Angle about the axle (rad).
    pub angle: f64,
    /// How far the tire is bent, along and across (m).
    pub bent: [f64; 2],
    /// Impulses of spring, stop and friction in the last step (N·s).
    pub impulses: [f64; 4],
}

impl ConstraintWheel {
    /// Load of the tire in the last step of `dt` (s) (N).
    pub fn load(&self, dt: f64) -> f64 {
        (self.impulses[0] + self.impulses[1]) / dt
    }
}

/// A car by constraints.
#[derive(Clone, Debug, PartialEq)]
pub struct ConstraintCar {
    /// Numbers of the solver.
    pub params: ConstraintParams,
    /// Its wheels.
    pub wheels: [ConstraintWheel; WHEELS],
    /// Directions of each wheel in the last step: forward and to the left along the road.
    pub directions: [[DVec3; 2]; WHEELS],
}

impl Default for ConstraintCar {
    fn default() -> Self {
        Self {
            params: ConstraintParams::default(),
            wheels: [ConstraintWheel::default(); WHEELS],
            directions: [[DVec3::ZERO; 2]; WHEELS],
        }
    }
}

/// Unit vectors along the road of a wheel with this `axle`: forward and to the left. `None` where
/// the axle is upright.
pub fn directions(axle: DVec3, normal: DVec3) -> Option<[DVec3; 2]> {
    let forward = axle.cross(normal).try_normalize()?;
    Some([forward, normal.cross(forward)])
}

/// Inverse mass and inertia of a body as it is turned.
struct Inverse {
    mass: f64,
    inertia: DMat3,
}

impl Inverse {
    fn of(data: &CarData, motion: &BodyMotion) -> Self {
        let turn = DMat3::from_quat(motion.turn);
        let inertia = turn * DMat3::from_diagonal(data.inertia.recip()) * turn.transpose();
        Self { mass: 1.0 / data.mass, inertia }
    }

    /// Velocity along a direction at an arm by an impulse along another one at another arm (1/kg).
    fn mobility(&self, (arm, of): (DVec3, DVec3), (other, by): (DVec3, DVec3)) -> f64 {
        of.dot(by) * self.mass + arm.cross(of).dot(self.inertia * other.cross(by))
    }

    fn push(&self, motion: &mut BodyMotion, arm: DVec3, impulse: DVec3) {
        motion.velocity += impulse * self.mass;
        motion.angular += self.inertia * arm.cross(impulse);
    }
}

/// The rows of one wheel on the road.
struct WheelRows {
    wheel: usize,
    contact: Contact,
    arm: DVec3,
    /// Where the tire acts along and across (m).
    arms: [DVec3; 2],
    directions: [DVec3; 2],
    /// Mobility along the normal, and along the road (1/kg).
    upward: f64,
    along: Mobility,
    /// Softness of the tire, and what it asks for (1/kg, m/s).
    softness: [f64; 2],
    bias: [f64; 2],
    /// Stiffness of its bristles (N/m).
    bristles: [f64; 2],
    /// Velocity out of the stop that is asked for (m/s).
    out: f64,
    /// Compression that counts along the normal, negative before the wheel has come to it (m).
    compressed: f64,
}

/// Softness `γ` (1/kg) and bias (m/s) of a tire's bristles in one direction.
///
/// ```text
/// δ⁺ = a δ + g u⁺,   λ = -k dt δ⁺,   a = exp(-dt |V|/σ),   g = (1 - a) σ/|V|
/// u⁺ + a δ/g + γ λ = 0,   γ = 1/(k dt g)
/// ```
///
/// The step is exact for a constant slip. At rest the tire is a spring to where it stands; at speed
/// the force is `-C u/|V|`.
fn bristle_row(bent: f64, stiffness: f64, relaxation: f64, way: f64, dt: f64) -> [f64; 2] {
    let part = way / relaxation;
    let left = (-part).exp();
    let gain = if part < SHORT_WAY {
        dt * (1.0 - part * (0.5 - part / 6.0))
    } else {
        dt * (1.0 - left) / part
    };
    [1.0 / (stiffness * dt * gain), left * bent / gain]
}

/// `f(K)/K` of a brush for the normalized slip `K`: 1 at rest.
fn brush_part(slip: f64) -> f64 {
    if slip < FULL_SLIDE { 1.0 - slip / 3.0 + slip * slip / 27.0 } else { 1.0 / slip }
}

impl WheelRows {
    fn new(
        car: &ConstraintCar,
        (data, inverse): (&CarData, &Inverse),
        motion: &BodyMotion,
        (wheel, steer, contact): (usize, f64, Contact),
        dt: f64,
    ) -> Option<Self> {
        let axle = motion.turn * DVec3::new(steer.cos(), 0.0, -steer.sin());
        let [forward, left] = directions(axle, contact.normal)?;
        let (arm, wheel_data) = (contact.point - motion.place, &data.wheels[wheel]);
        let slide = motion.velocity_at(arm) - contact.velocity;
        let way = slide.dot(forward).abs() * dt;
        let state = &car.wheels[wheel];
        let mut bristles = [0, 1].map(|axis| STIFFNESS[axis] / RELAXATION[axis]);
        if car.params.large_slip == LargeSlip::Brush {
            let grip = contact.friction * state.load(dt);
            let slip = (bristles[0] * state.bent[0]).hypot(bristles[1] * state.bent[1]);
            let part = if grip <= 0.0 { 1.0 } else { brush_part(slip / grip) };
            bristles = bristles.map(|stiffness| stiffness * part);
        }
        let rows = [0, 1]
            .map(|axis| bristle_row(state.bent[axis], bristles[axis], RELAXATION[axis], way, dt));
        let beyond = contact.jounce - wheel_data.travel;
        let down = motion.turn * DVec3::NEG_Y;
        let up = -down;
        let raised = arm - up * ((1.0 - car.params.roll_influence) * up.dot(arm));
        let normal = contact.normal;
        let [first, second] = [(arm, forward), (raised, left)];
        Some(Self {
            wheel,
            contact,
            arm,
            arms: [arm, raised],
            directions: [forward, left],
            upward: inverse.mobility((arm, normal), (arm, normal)),
            along: Mobility {
                along: inverse.mobility(first, first),
                across: inverse.mobility(second, second),
                cross: inverse.mobility(first, second),
            },
            softness: [rows[0][0], rows[1][0]],
            bias: [rows[0][1], rows[1][1]],
            bristles,
            out: if beyond < 0.0 {
                beyond / dt
            } else {
                (STOP_RETURN * beyond / dt).min(STOP_SPEED)
            },
            compressed: contact.jounce * normal.dot(down).abs(),
        })
    }

    fn speed(&self, motion: &BodyMotion, arm: DVec3, direction: DVec3) -> f64 {
        direction.dot(motion.velocity_at(arm) - self.contact.velocity)
    }

    /// Spring, damper and stop, each by itself.
    ///
    /// ```text
    /// λ = max(0, dt (k j - (k dt + c) w₀)) / (1 + K dt (k dt + c))
    /// ```
    ///
    /// with the velocity `w₀` away from the road without the row's impulse, and `c` the damping in
    /// bump if `w₀ + K dt k j < 0`, else that in rebound. The force is monotone in the velocity, so
    /// one of both fits.
    fn carry(
        &self,
        data: &CarData,
        inverse: &Inverse,
        motion: &mut BodyMotion,
        impulses: &mut [f64; 4],
        dt: f64,
    ) {
        let wheel = &data.wheels[self.wheel];
        let (normal, own) = (self.contact.normal, self.upward);
        let free = self.speed(motion, self.arm, normal) - own * impulses[0];
        let spring = wheel.stiffness * self.compressed;
        let is_rebound = 0.0 <= free + own * dt * spring;
        // A wheel that comes to the road within the step has no damper to compress before.
        let damping = if spring < 0.0 { 0.0 } else { wheel.damping[usize::from(is_rebound)] };
        let rate = wheel.stiffness * dt + damping;
        let carried = (dt * (spring - rate * free) / (1.0 + own * dt * rate)).max(0.0);
        inverse.push(motion, self.arm, normal * (carried - impulses[0]));
        impulses[0] = carried;

        let missing = self.out - self.speed(motion, self.arm, normal);
        let stopped = (impulses[1] + missing / own).max(0.0);
        inverse.push(motion, self.arm, normal * (stopped - impulses[1]));
        impulses[1] = stopped;
    }

    /// The wheel without the block's impulses is at `speed` (rad/s).
    fn rub(
        &self,
        (data, inverse): (&CarData, &Inverse),
        motion: &mut BodyMotion,
        wheel: &mut ConstraintWheel,
        (free_speed, brake): (f64, f64),
    ) {
        let before = [wheel.impulses[2], wheel.impulses[3]];
        let gained = self.along.times(before);
        let speeds = [0, 1].map(|axis| {
            self.speed(motion, self.arms[axis], self.directions[axis]) - gained[axis]
                + self.bias[axis]
        });
        let loaded = (wheel.impulses[0] + wheel.impulses[1]) * self.contact.friction;
        let WheelData { radius, inertia, .. } = data.wheels[self.wheel];
        let braked = BrakedWheel { radius, inertia, speed: free_speed, brake };
        let BlockImpulse { friction, speed, .. } =
            braked.solve(self.along, self.softness, speeds, loaded);
        for axis in 0..2 {
            let change = self.directions[axis] * (friction[axis] - before[axis]);
            inverse.push(motion, self.arms[axis], change);
        }
        wheel.speed = speed;
        [wheel.impulses[2], wheel.impulses[3]] = friction;
    }
}

impl ConstraintCar {
    /// Goes on from what another model of the car has `carried`, in steps of `dt` (s): tires are
    /// bent as far as their forces take.
    pub fn carry_on(&mut self, carried: &[CarriedWheel; WHEELS], dt: f64) {
        for (wheel, carried) in self.wheels.iter_mut().zip(carried) {
            let CarriedWheel { speed, angle, force, load, .. } = *carried;
            let bent = [0, 1].map(|axis| -force[axis] * RELAXATION[axis] / STIFFNESS[axis]);
            let impulses = [load * dt, 0.0, force[0] * dt, force[1] * dt];
            *wheel = ConstraintWheel { speed, angle, bent, impulses };
        }
    }

    /// Speeds of the wheels after a step of `dt` (s) without road and brake (rad/s).
    fn free_speeds(&self, data: &CarData, orders: &Orders, dt: f64) -> [f64; WHEELS] {
        std::array::from_fn(|wheel| {
            self.wheels[wheel].speed + dt * orders[wheel].drive / data.wheels[wheel].inertia
        })
    }

    /// Changes the velocity of `motion` and of the wheels by a step of `dt` (s) under `gravity`
    /// (m/s²), on the road at the `contacts`; the caller moves the body.
    pub fn step(
        &mut self,
        data: &CarData,
        motion: &mut BodyMotion,
        (orders, contacts): (&Orders, &[Option<Contact>; WHEELS]),
        gravity: DVec3,
        dt: f64,
    ) {
        self.solve(data, motion, (orders, contacts), (gravity, None), dt);
    }

    /// As [`step`](Self::step), on wheels that carry these loads (N): their suspensions are not
    /// this solver's.
    pub fn step_under(
        &mut self,
        data: &CarData,
        motion: &mut BodyMotion,
        (orders, contacts): (&Orders, &[Option<Contact>; WHEELS]),
        (gravity, loads): (DVec3, &[f64; WHEELS]),
        dt: f64,
    ) {
        self.solve(data, motion, (orders, contacts), (gravity, Some(loads)), dt);
    }

    fn solve(
        &mut self,
        data: &CarData,
        motion: &mut BodyMotion,
        (orders, contacts): (&Orders, &[Option<Contact>; WHEELS]),
        (gravity, loads): (DVec3, Option<&[f64; WHEELS]>),
        dt: f64,
    ) {
        let inverse = Inverse::of(data, motion);
        let rows: [Option<WheelRows>; WHEELS] = std::array::from_fn(|wheel| {
            let told = (wheel, orders[wheel].steer, contacts[wheel]?);
            WheelRows::new(self, (data, &inverse), motion, told, dt)
        });
        let free = self.free_speeds(data, orders, dt);
        for (wheel, state) in self.wheels.iter_mut().enumerate() {
            let held = orders[wheel].brake.max(0.0) * dt / data.wheels[wheel].inertia;
            // In the air, the brake acts on the wheel alone.
            state.speed = free[wheel] - free[wheel].clamp(-held, held);
            if rows[wheel].is_none() {
                (state.bent, state.impulses) = ([0.0; 2], [0.0; 4]);
            }
            if let Some(loads) = loads {
                [state.impulses[0], state.impulses[1]] = [loads[wheel] * dt, 0.0];
            }
        }
        motion.velocity += gravity * dt;
        for row in rows.iter().flatten() {
            let impulses = &self.wheels[row.wheel].impulses;
            inverse.push(motion, row.arm, row.contact.normal * (impulses[0] + impulses[1]));
            for axis in 0..2 {
                let push = row.directions[axis] * impulses[2 + axis];
                inverse.push(motion, row.arms[axis], push);
            }
        }
        for _ in 0..self.params.iterations {
            for row in rows.iter().flatten().filter(|_| loads.is_none()) {
                let impulses = &mut self.wheels[row.wheel].impulses;
                row.carry(data, &inverse, motion, impulses, dt);
            }
            for row in rows.iter().flatten() {
                let speed = free[row.wheel];
                let told = (speed, orders[row.wheel].brake * dt);
                row.rub((data, &inverse), motion, &mut self.wheels[row.wheel], told);
            }
        }
        for row in rows.iter().flatten() {
            let state = &mut self.wheels[row.wheel];
            for axis in 0..2 {
                state.bent[axis] = -state.impulses[2 + axis] / (row.bristles[axis] * dt);
            }
            self.directions[row.wheel] = row.directions;
        }
        for state in &mut self.wheels {
            state.angle += state.speed * dt;
        }
    }
}
