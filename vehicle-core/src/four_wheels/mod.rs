//! Four wheels kept in lanes through a frame: its road, all of its substeps, and the place of the wheels.
//!
//! The stages of a substep group read every wheel from its vehicle, compute in
//! [lanes](crate::math::lanes), and write every wheel back: three times and more per substep, which
//! costs several times what the arithmetic does. [`run_frame`] reads the wheels once, runs the
//! substeps, and writes once what the stages would have left, bit for bit. The formulas are those of
//! the stages.
//!
//! It is the [`FusedFrame`](crate::sequence::FusedFrame) of ready-made vehicles, for
//! [`RoadGeometry`](crate::road_geometry::RoadGeometry), the group of
//! [`Suspension`](crate::suspension::Suspension), [`Tire`](crate::tire::Tire),
//! [`ConstraintRows`](crate::constraint_rows::ConstraintRows), a drivetrain,
//! [`RigidBody`](crate::rigid_body::RigidBody) and [`Ground`](crate::ground::Ground), and
//! [`Wheel`](crate::wheel::Wheel). [`run_substeps`] is the
//! [`FusedSubsteps`](crate::sequence::FusedSubsteps) of the group alone, where the stages beside it are
//! others. What turns the wheels is a [`WheelDrive`].
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
use self::substep::{Motion, Substep};
use crate::axle::WheelLanes;
use crate::constraint_rows::RowExecution;
use crate::math::Real;
use crate::math::lanes::{MAX_LANES, Real4, Vec3x4};
use crate::road_geometry::HasRoadGeometry;
use crate::sequence::FrameStep;
use crate::suspension::ExpansionSpeed;
use crate::tire::{TireLanes, TireModel, TireState};
use crate::vehicle::{MechanicalParams, MechanicalState, Mechanics};
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
    /// what the stage of the drivetrain does where wheels and tires are coupled implicitly, but for the
    /// [reaction](crate::WheelReaction) of the wheels, which follows from their speeds.
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
    let Some(wheels) = four_wheels(&mechanics, context) else { return false };
    let Some(tires) = tires_in_lanes(&wheels, &mechanics) else { return false };
    let mut parts = Parts::new(&wheels, &mechanics, tires, context);
    parts.keep_geometry(context);
    parts.stand_on_roads(mechanics.state);
    parts.run(&mut mechanics, drive, count, dt, context, |_, _, _| ());
    true
}

/// Finds the roads, runs the substeps of `step`, with wheels that `drive` turns, and places the wheels;
/// whether it has.
pub fn run_frame<Tire: TireModel>(
    mut mechanics: Mechanics<'_, Tire>,
    drive: &mut impl WheelDrive,
    step: &FrameStep,
    context: &Context<'_>,
) -> bool {
    let Some(wheels) = four_wheels(&mechanics, context) else { return false };
    let Some(tires) = tires_in_lanes(&wheels, &mechanics) else { return false };
    let mut parts = Parts::new(&wheels, &mechanics, tires, context);
    parts.keep_geometry(context);
    let travel = parts.travel(&mechanics.state.rigid_body.splat());
    mechanics.road_geometry().find(&wheels, &travel, context);
    parts.stand_on_roads(mechanics.state);
    let FrameStep { dt, substeps, substep } = *step;
    parts.run(&mut mechanics, drive, substeps, substep, context, |motion, last, state| {
        parts.place_wheels(motion, last, state, dt, context);
    });
    true
}

/// The tires of a vehicle, if they are written for lanes.
fn tires_in_lanes<'a, Tire: TireModel>(
    wheels: &WheelLanes,
    mechanics: &Mechanics<'a, Tire>,
) -> Option<impl TireLanes<Real4> + use<'a, Tire>> {
    let params: &'a MechanicalParams<Tire> = mechanics.params;
    Tire::in_lanes(wheels.of_slice(&params.tires))
}

impl<Tire: TireModel, T: TireLanes<Real4>> Parts<'_, Tire, T> {
    /// Runs `count` substeps of `dt` (s), writes what they have led to, and tells the last one to `end`.
    #[inline]
    fn run(
        &self,
        mechanics: &mut Mechanics<'_, Tire>,
        drive: &mut impl WheelDrive,
        count: u32,
        dt: Real,
        context: &Context<'_>,
        end: impl FnOnce(&Motion, &Substep, &mut MechanicalState<Tire>),
    ) {
        let mut motion = Motion::new(self.wheels, mechanics.state);
        for index in 1..count {
            let context = &context.in_substep(index - 1, count);
            let mut substep = self.substep(&motion, dt, context);
            if substep.may_be_held {
                self.held_substep(&mut motion, &mut substep, drive, mechanics, dt, context);
                motion = Motion::new(self.wheels, mechanics.state);
            } else {
                self.free_substep(&mut motion, &mut substep, drive, dt, context);
            }
        }
        let context = &context.in_substep(count - 1, count);
        let mut last = self.substep(&motion, dt, context);
        if last.may_be_held {
            self.held_substep(&mut motion, &mut last, drive, mechanics, dt, context);
        } else {
            self.free_substep(&mut motion, &mut last, drive, dt, context);
            self.write_suspensions(&motion, &last, mechanics.state);
            self.write_wheels(&motion, &last, mechanics.state);
            self.write_ground(&motion, mechanics.state);
            self.release_rows(&motion, mechanics.state, context);
        }
        end(&motion, &last, mechanics.state);
    }
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
        && params.jounce.expansion != ExpansionSpeed::Limited
        && state.wheels.iter().all(|wheel| !wheel.is_detached);
    if is_known { params.axles.in_lanes(MAX_LANES).next() } else { None }
}
