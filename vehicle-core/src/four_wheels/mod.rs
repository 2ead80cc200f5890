//! Four wheels kept in lanes through all substeps of a frame.
//!
//! The stages of a substep group read every wheel from its vehicle, compute in
//! [lanes](crate::math::lanes), and write every wheel back: three times and more per substep, which
//! costs several times what the arithmetic does. [`run_substeps`] reads the wheels once, runs the
//! substeps, and writes once what the stages would have left, bit for bit. The formulas are those of
//! the stages.
//!
//! It is the [`FusedSubsteps`](crate::sequence::FusedSubsteps) of ready-made vehicles, for the group
//! of [`Suspension`](crate::suspension::Suspension), [`Tire`](crate::tire::Tire),
//! [`ConstraintRows`](crate::constraint_rows::ConstraintRows), a drivetrain,
//! [`RigidBody`](crate::rigid_body::RigidBody) and [`Ground`](crate::ground::Ground). What turns the
//! wheels is a [`WheelDrive`].
//!
//! Where a tire sticks, a suspension is at its end, or a lateral force would overshoot, the wheels are
//! written within the substep, and the stages of the constraint rows, the rigid body and the ground
//! take over.
//!
//! Vehicles of more than four wheels, on tires that are not [written for lanes](TireModel::in_lanes),
//! with explicit coupling, with wheels that are lost or whose drop is limited, or whose rows the host
//! executes, are left to the stages.

mod parts;
mod storage;
mod substep;

use self::parts::Parts;
use self::substep::Motion;
use crate::axle::WheelLanes;
use crate::constraint_rows::RowExecution;
use crate::math::Real;
use crate::math::lanes::{MAX_LANES, Real4, Vec3x4};
use crate::suspension::ExpansionSpeed;
use crate::tire::{TireModel, TireState};
use crate::vehicle::Mechanics;
use crate::wheel_rotation::TurningWheel;
use crate::{Context, WheelCoupling};

/// The wheels of a vehicle as its drivetrain turns them.
pub struct DrivenWheels<'a> {
    /// Number of the wheel in each lane; the last one again in lanes that are left over.
    pub numbers: [usize; MAX_LANES],
    /// Number of wheels.
    pub count: usize,
    /// Radius and inertia of each wheel.
    pub params: &'a TurningWheel<Real4>,
    /// Brake torque of each wheel (N·m).
    pub brake_torques: Real4,
    /// The part of the vehicle's mass that a wheel carries (kg).
    pub carried_mass: Real,
    /// Read and written: force of each tire on its wheel and on the body.
    pub tires: &'a mut TireState<Vec3x4>,
    /// Read and written: rotation speed of each wheel (rad/s).
    pub rotation_speeds: &'a mut Real4,
}

/// What turns four wheels in lanes.
pub trait WheelDrive {
    /// Updates the rotation speed of every wheel by a substep of `dt` (s), and the force of its tire:
    /// what the stage of the drivetrain does where wheels and tires are coupled implicitly.
    fn turn(&mut self, wheels: DrivenWheels<'_>, dt: Real);
}

/// Runs `count` substeps of `dt` (s), with wheels that `drive` turns; whether it has.
pub fn run_substeps<Tire: TireModel>(
    mut mechanics: Mechanics<'_, Tire>,
    drive: &mut impl WheelDrive,
    count: u32,
    dt: Real,
    context: &Context<'_>,
) -> bool {
    let params = mechanics.params;
    let Some(wheels) = four_wheels(&mechanics, context) else { return false };
    let Some(tires) = Tire::in_lanes::<Real4>(wheels.of_slice(&params.tires)) else { return false };
    let parts = Parts::<Tire, _>::new(&wheels, params, mechanics.state, tires, context);
    let mut motion = Motion::new(&wheels, mechanics.state);
    for left in (0..count).rev() {
        let mut substep = parts.substep(&motion, dt, context);
        if substep.may_be_held {
            parts.held_substep(&mut motion, &mut substep, drive, &mut mechanics, dt, context);
            if 0 < left {
                motion = Motion::new(&wheels, mechanics.state);
            }
        } else {
            parts.free_substep(&mut motion, &mut substep, drive, dt, context);
            if left == 0 {
                parts.write_suspensions(&motion, &substep, mechanics.state);
                parts.write_wheels(&motion, &substep, mechanics.state);
                parts.write_ground(&motion, mechanics.state);
                parts.release_rows(&motion, mechanics.state, context);
            }
        }
    }
    true
}

/// The wheels of a vehicle, if this module can drive it.
fn four_wheels<Tire: TireModel>(
    mechanics: &Mechanics<'_, Tire>,
    context: &Context<'_>,
) -> Option<WheelLanes> {
    let (params, state) = (mechanics.params, &mechanics.state);
    let is_known = params.axles.wheel_count() <= MAX_LANES
        && context.params.wheel_coupling == WheelCoupling::Implicit
        && context.params.row_execution == RowExecution::Local
        && params.jounce.expansion == ExpansionSpeed::Unlimited
        && state.wheels.iter().all(|wheel| !wheel.is_detached);
    if is_known { params.axles.in_lanes(MAX_LANES).next() } else { None }
}
