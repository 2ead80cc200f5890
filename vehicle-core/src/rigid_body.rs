//! Rigid body: from forces to motion.
//!
//! The *body frame* has its origin at the center of mass and its axes along the principal axes of
//! inertia. Every attachment and force point is given in it.
//!
//! A host moves the body by one velocity through a frame. The velocity that it is given is the mean
//! of those of the substeps, so that the body goes where its substeps take it. By that of the last
//! substep, the body would be ahead of its springs. At 60 Hz a stiff car lost 1.3 times the energy
//! on gentle waves, with any number of substeps.
//!
//! There are two exceptions. Vehicles whose wheels have no mass get the velocity of the last
//! substep, as in the reference. Where tires that stick hold a vehicle, it gets that velocity, too,
//! because it stands still at the end of the last substep. But it heaves, rolls and pitches by the
//! mean. A kart that did not was thrown off its wheels in steps of 0.2 s, as it stood.

use crate::body::Velocity;
pub use crate::body::{
    RigidBodyParams, RigidBodyState, WheelInertia, Wrench, accelerate, advance_pose,
    world_inverse_inertia,
};
use crate::math::Real;
use crate::math::Vec3;
use crate::math::lanes::{MAX_LANES, Real4, each_lane};
use crate::rows::{VehicleRows, execute_rows_with, leave_free};
use crate::wheel_forces::WheelForces;
use crate::wheel_list::{Fours, place};
use crate::{AxleDescription, Context};

/// The body of a vehicle, and all that acts on it.
#[derive(Debug)]
pub struct RigidBodyView<'a> {
    /// Wheels in order of update.
    pub axles: &'a AxleDescription,
    /// Mass of the body.
    pub params: &'a RigidBodyParams,
    /// Loads of the wheels on the body.
    pub wheels: WheelForces<'a>,
    /// Torque of the anti-roll bars (N·m).
    pub anti_roll_torque: Vec3,
    /// What the motion of wheels with mass does to the body; `None` where they have none.
    pub wheel_inertia: Option<WheelInertia>,
    /// Read and written: the rows that hold sticky tires and stop suspensions.
    pub rows: &'a mut VehicleRows,
    /// Read and written: motion of the body.
    pub state: &'a mut RigidBodyState,
}

impl RigidBodyView<'_> {
    /// Sums the forces, accelerates the body, executes the rows and moves the body.
    pub fn update(self, dt: Real, context: &Context<'_>) {
        let mut load = self.load(context.params.gravity);
        if let Some(WheelInertia { force, torque, .. }) = self.wheel_inertia {
            load = load + Wrench { force, torque };
        }
        let mut velocity = Velocity::after(self.params, self.state, &load, dt);
        // Most of the time there is nothing: a car drives.
        if self.rows.is_any_local() {
            let mut body = velocity.answering(self.params, self.state.pose.rotation);
            execute_rows_with(self.rows, &mut body, context.notes.map(|notes| &notes.free_rows));
            velocity = Velocity { linear: body.linear, angular: body.angular };
        }
        let Some(inertia) = &self.wheel_inertia else {
            self.state.advance(&velocity, dt);
            return;
        };
        let start = *self.state;
        self.state.advance_in_frame(context.substep.index, &velocity, dt);
        self.state.linear_velocity = inertia.turned(&start, self.state, self.params.mass);
        if context.substep.remaining() == 1 && self.rows.is_any() {
            self.stand_at_end(context);
        }
    }

    /// Lets a vehicle whose tires stick get the velocity of the frame's end where they hold it, and
    /// that of the frame where they do not: see [`RigidBodyState::frame_linear_velocity`].
    #[cold]
    fn stand_at_end(self, context: &Context<'_>) {
        let state = self.state;
        let (linear, angular) = state.lag();
        let mut lag = Velocity { linear, angular }.answering(self.params, state.pose.rotation);
        leave_free(self.rows, &mut lag, context.notes.map(|notes| &notes.free_rows));
        state.frame_linear_velocity = state.linear_velocity + lag.linear;
        state.frame_angular_velocity = state.angular_velocity + lag.angular;
    }

    /// Force and torque of wheels, gravity and anti-roll bars, and all that is applied to the body.
    pub fn load(&self, gravity: Vec3) -> Wrench {
        let sum = if self.axles.is_in_order() { self.sum_in_order() } else { self.sum_by_axles() };
        let vector = |row: Real4| {
            let [x, y, z, _] = row.to_array();
            Vec3::new(x, y, z)
        };
        let wheels = Wrench { force: vector(sum.force), torque: vector(sum.torque) };
        body_load(self.params, self.state, wheels, self.anti_roll_torque, gravity)
    }

    /// The sum of the loads of all wheels, each a row of three numbers, in the order of their
    /// numbers.
    #[inline]
    fn sum_in_order(&self) -> Wrench<Real4> {
        let mut sum = Wrench::default();
        let mut left = self.axles.wheel_count();
        for four in 0..self.four_count() {
            let [first, second, third, fourth] = self.loads(four);
            sum = match left {
                1 => sum + first,
                2 => sum + first + second,
                3 => sum + first + second + third,
                _ => sum + first + second + third + fourth,
            };
            left = left.saturating_sub(MAX_LANES);
        }
        sum
    }

    /// The sum of the loads of all wheels in the order of the axles.
    fn sum_by_axles(&self) -> Wrench<Real4> {
        let loads: Fours<_> = (0..self.four_count()).map(|four| self.loads(four)).collect();
        let wheels = self.axles.wheels().map(place);
        wheels.fold(Wrench::default(), |sum, (four, lane)| sum + loads[four][lane])
    }

    #[inline]
    fn four_count(&self) -> usize {
        self.axles.wheel_count().div_ceil(MAX_LANES)
    }

    /// Loads of four wheels on the body.
    #[inline(always)]
    fn loads(&self, four: usize) -> [Wrench<Real4>; MAX_LANES] {
        let load = self.wheels.wrench(four, self.rows);
        let (forces, torques) = (load.force.rows(), load.torque.rows());
        each_lane(|lane| Wrench { force: forces[lane], torque: torques[lane] })
    }
}

/// Force and torque of `wheels`, gravity, anti-roll bars (N·m), and all that is applied to the
/// body.
#[inline]
fn body_load(
    params: &RigidBodyParams,
    state: &RigidBodyState,
    wheels: Wrench,
    anti_roll_torque: Vec3,
    gravity: Vec3,
) -> Wrench {
    let applied = state.applied_load();
    Wrench {
        force: wheels.force + gravity * params.mass + applied.force,
        torque: wheels.torque + applied.torque + anti_roll_torque,
    }
}
