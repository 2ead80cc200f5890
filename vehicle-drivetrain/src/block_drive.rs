//! Block drive: wheels that a driveline from blocks turns.
//!
//! A driveline is in SI units, whatever the unit of length of the vehicle: loads and torques are
//! converted where both meet.

use std::mem;

use serde::{Deserialize, Serialize};
use vehicle_core::actuation::WheelActuation;
use vehicle_core::commands::Commands;
use vehicle_core::error::{ParamCheck, Validate};
use vehicle_core::math::lanes::{Lanes, Real4};
use vehicle_core::math::{Real, Vec3};
use vehicle_core::rigid_body::{RigidBodyParams, RigidBodyState};
use vehicle_core::tire::TireState;
use vehicle_core::wheel::WheelState;
use vehicle_core::wheel_list::{Fours, place};
use vehicle_core::wheel_rotation::{CoupledWheel, RoadWheel};
use vehicle_core::{AxleDescription, Context, WheelCoupling, WheelList, spare};

use crate::blocks::{
    BlockDriveline, BlockDrivelineState, DrivelineBlock, DrivelineCommands, NoCustomBlock,
    Selector, SharedRoom, SolveReport, WheelLoad,
};
use crate::parking_lock::ParkingLock;
use crate::turning::{MovedParts, UnturnedWheels, turned_freely};

/// Angular acceleration from which on a torque drives a wheel (rad/s²): less is rounding.
const LEAST_DRIVE: Real = 1e-3;

/// The axis that the rotating parts of a block turn about in the vehicle: as they change their
/// speed, they turn the body the other way.
///
/// ```text
/// τ = -a d(Σ I ω)/dt
/// ```
///
/// An engine along the vehicle rolls it as the driver blips the throttle. Wheels need no axis:
/// theirs is known.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SpinAxis {
    /// Name of the block.
    pub block: String,
    /// Axis, of length 1, about which a positive speed turns by the right-hand rule (body frame).
    #[cfg_attr(feature = "schema", schemars(with = "[Real; 3]"))]
    pub axis: Vec3,
}

impl Validate for SpinAxis {
    fn check(&self, check: &mut ParamCheck) {
        check.direction("axis", self.axis);
    }
}

/// What the stages of a block drive need from a vehicle.
#[derive(Debug)]
pub struct BlockDriveView<'a, C = NoCustomBlock> {
    /// Wheels in order of update.
    pub axles: &'a AxleDescription,
    /// Mass of the body.
    pub rigid_body_params: &'a RigidBodyParams,
    /// Radius and inertia of each wheel.
    pub road_wheels: &'a WheelList<RoadWheel>,
    /// The driver's pedals and steering wheel.
    pub commands: &'a Commands,
    /// The driver's other controls.
    pub levers: &'a DrivelineCommands,
    /// The driveline.
    pub driveline: &'a BlockDriveline<C>,
    /// Blocks, by their numbers, that turn the body, each with its axis (body frame).
    pub spin_axes: &'a [(usize, Vec3)],
    /// Read, and written by the command stage in park: brake torque of each wheel, with that of its
    /// lock (N·m).
    pub brake_torques: &'a mut WheelList<Real>,
    /// Written by the command stage: whether each wheel drives or brakes.
    pub actuations: &'a mut WheelList<WheelActuation>,
    /// Read and written: force of each tire on its wheel and on the body.
    pub tires: &'a mut WheelList<TireState>,
    /// Read and written: rotation speed of each wheel.
    pub wheels: &'a mut WheelList<WheelState>,
    /// Read and written: torque on the body.
    pub rigid_body: &'a mut RigidBodyState,
    /// Read and written: what the driveline does.
    pub state: &'a mut BlockDrivelineState,
    /// Written: how the driveline was solved.
    pub report: &'a mut SolveReport,
}

impl<C: DrivelineBlock> BlockDriveView<'_, C> {
    /// Writes the driver's controls to the inputs that answer to them, holds the driven wheels in
    /// park, and updates the actuation of every wheel.
    ///
    /// A wheel without brake is driven as long as the driveline pulls it, or brakes it under
    /// throttle: what an engine holds back without throttle is not driven.
    pub fn command(self, context: &Context<'_>) {
        self.rigid_body.drive_torque = Vec3::ZERO;
        self.driveline.command(self.state, self.commands, self.levers);
        if self.levers.selector == Selector::Park {
            let lock = ParkingLock {
                mass: self.rigid_body_params.mass,
                length_scale: context.params.coordinates.length_scale,
                road_wheels: self.road_wheels,
                wheels: self.wheels,
            };
            for &wheel in self.driveline.driven_wheels() {
                lock.hold(wheel, self.brake_torques);
            }
        }
        for wheel in self.axles.wheels() {
            let braked = WheelActuation::from_torques(self.brake_torques[wheel], 0.0);
            self.actuations.set(wheel, braked);
        }
        let square = square_of_scale(context);
        let wheels = self.driveline.wheels().iter().zip(self.state.drive_torques());
        for (&(wheel, _), torque) in wheels {
            let torque = (torque * square) as Real;
            let least = LEAST_DRIVE * self.road_wheels.of(wheel).inertia;
            let holds_back = torque * self.wheels.of(wheel).rotation_speed < 0.0;
            let drives = least < torque.abs() && !(holds_back && self.commands.throttle == 0.0);
            let is_braked = self.brake_torques[wheel] != 0.0;
            let is_driven = drives && !is_braked;
            self.actuations.set(wheel, WheelActuation { is_braked, is_driven });
        }
    }

    /// Solves the driveline, and updates the rotation speed of every wheel and the forces of tires
    /// that are coupled with their wheels.
    pub fn update(mut self, dt: Real, context: &Context<'_>) {
        let coupling = context.params.wheel_coupling;
        // Lists are filled where they stand, not moved.
        let mut unturned = Fours::<UnturnedWheels>::new();
        let mut turned = Fours::<CoupledWheel<Real4>>::new();
        let moved = MovedParts::new(self.axles, self.rigid_body_params, self.actuations, context);
        for four in 0..self.tires.fours().len() {
            unturned.push(self.unturned(four, &moved, coupling, dt));
            turned.push(CoupledWheel::default());
        }
        let square = square_of_scale(context);
        let mut room = SharedRoom::take(self.driveline, self.wheels.len());
        self.load(&unturned, square, &mut room.loads);
        self.take_speeds();
        room.speeds.copy_from_slice(&self.state.speeds);
        self.turn(&unturned, &mut turned, (coupling, dt), square, &mut room);
        for (four, (before, after)) in unturned.iter().zip(&turned).enumerate() {
            let wheel = self.road_wheels.four(four);
            let tire = self.tires.four_mut(four);
            let state = self.wheels.four_mut(four);
            before.write(after, wheel, tire, state, dt, context);
        }
        self.turn_body(dt, square, &room);
        spare::leave(room);
    }

    fn unturned(
        &self,
        four: usize,
        moved: &MovedParts,
        coupling: WheelCoupling,
        dt: Real,
    ) -> UnturnedWheels {
        let (tire, wheel) = (self.tires.four(four), self.road_wheels.four(four));
        let (actuation, brake) = (self.actuations.four(four), *self.brake_torques.four(four));
        UnturnedWheels::new(moved, actuation, wheel, tire, brake, (coupling, dt))
    }

    /// Writes what each wheel is under, where torques of the vehicle are `square` times those in SI
    /// units.
    fn load(&self, unturned: &[UnturnedWheels], square: f64, loads: &mut [WheelLoad]) {
        let factor = 1.0 / square;
        let per_square = |value: Real| f64::from(value) * factor;
        for &(wheel, _) in self.driveline.wheels() {
            let (four, lane) = place(wheel);
            let params = self.road_wheels.four(four).lane(lane);
            let (torques, tire) =
                (unturned[four].torques.lane(lane), unturned[four].tire.lane(lane));
            // A torque that is given at the start of the step is its own limit.
            let most =
                tire.max_torque.max(if tire.resistance == 0.0 { tire.torque.abs() } else { 0.0 });
            loads[wheel] = WheelLoad {
                inertia: per_square(params.inertia),
                damping: per_square(params.damping_rate),
                torque: per_square(torques.drive),
                tire_torque: per_square(tire.torque),
                tire_stiffness: per_square(tire.resistance),
                max_tire_torque: per_square(most),
                brake_torque: per_square(torques.brake),
                is_lost: self.wheels.four(four).is_detached.lane(lane),
            };
        }
    }

    /// Takes over the speeds of wheels that have been written since the last step. Those that have
    /// not keep their 64 bits.
    fn take_speeds(&mut self) {
        for &(wheel, shaft) in self.driveline.wheels() {
            let (four, lane) = place(wheel);
            let state = self.wheels.four(four);
            let rotation_speed = state.rotation_speed.lane(lane);
            let speed = &mut self.state.speeds[shaft];
            if rotation_speed != *speed as Real && !state.is_detached.lane(lane) {
                *speed = f64::from(rotation_speed);
            }
        }
    }

    /// Steps the driveline, and writes what each wheel does at the end of the step into `turned`.
    fn turn(
        &mut self,
        unturned: &[UnturnedWheels],
        turned: &mut [CoupledWheel<Real4>],
        (coupling, dt): (WheelCoupling, Real),
        square: f64,
        SharedRoom { workspace, loads, .. }: &mut SharedRoom,
    ) {
        mem::swap(&mut workspace.report, self.report);
        let solved = self.driveline.step(self.state, loads, f64::from(dt), workspace);
        mem::swap(&mut workspace.report, self.report);
        // A bit for each wheel that the driveline turns.
        let mut of_driveline = 0_u64;
        self.report.fault = solved.err();
        if self.report.fault.is_some() {
            self.state.speeds.fill(f64::NAN);
        } else {
            for (wheel, speed, tire_torque) in self.driveline.turned_wheels(workspace) {
                let (rotation_speed, tire_torque) = (speed as Real, (tire_torque * square) as Real);
                let (four, lane) = place(wheel);
                of_driveline |= 1 << wheel;
                turned[four].set_lane(lane, CoupledWheel { rotation_speed, tire_torque });
            }
        }
        for wheel in self.axles.wheels() {
            let (four, lane) = place(wheel);
            if self.wheels.four(four).is_detached.lane(lane) {
                turned[four].set_lane(lane, CoupledWheel::default());
            } else if of_driveline >> wheel & 1 == 0 {
                let free = self.turned_freely(wheel, &unturned[four], (coupling, dt));
                turned[four].set_lane(lane, free);
            }
        }
    }

    /// A wheel without the driveline at the end of the step.
    fn turned_freely(
        &self,
        wheel: usize,
        unturned: &UnturnedWheels,
        step: (WheelCoupling, Real),
    ) -> CoupledWheel {
        let (four, lane) = place(wheel);
        let UnturnedWheels { torques, tire, .. } = unturned;
        let speed = self.wheels.four(four).rotation_speed;
        turned_freely(self.road_wheels.four(four), torques, tire, speed, step).lane(lane)
    }

    /// Turns the body by what the rotating parts of blocks lose of their momentum.
    fn turn_body(&mut self, dt: Real, square: f64, room: &SharedRoom) {
        if self.spin_axes.is_empty() {
            return;
        }
        let mut torque = Vec3::ZERO;
        for &(block, axis) in self.spin_axes {
            let momentum = |speeds: &[f64]| self.driveline.momentum(&room.workspace, block, speeds);
            let lost = momentum(&room.speeds) - momentum(&self.state.speeds);
            torque += self.rigid_body.direction(axis) * ((lost * square) as Real / dt);
        }
        self.rigid_body.drive_torque = torque;
    }
}

/// Torques of the vehicle per torque in SI units.
fn square_of_scale(context: &Context<'_>) -> f64 {
    let scale = f64::from(context.params.coordinates.length_scale);
    scale * scale
}

/// A vehicle whose wheels a driveline from blocks turns.
pub trait HasBlockDrive {
    /// Blocks of the user's own.
    type Custom: DrivelineBlock;

    /// Borrows what the stages read and write.
    fn block_drive(&mut self) -> BlockDriveView<'_, Self::Custom>;
}
