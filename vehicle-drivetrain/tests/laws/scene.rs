//! A car in a motion, and what becomes of it.

use std::ops::ControlFlow::Continue;
use std::sync::Arc;

use vehicle_core::convert::Convert;
use vehicle_core::frame::CoordinateConversion;
use vehicle_core::math::lanes::InLanes;
use vehicle_core::math::{Pose, Quat, Real, Vec3};
use vehicle_core::road_geometry::FlatRoad;
use vehicle_core::suspension::unsprung::{SuspensionDynamics, UnsprungParams};
use vehicle_core::vehicle::{MechanicalParams, MechanicalState};
use vehicle_core::{Context, SimulationParams, WheelList};
use vehicle_drivetrain::{DirectDriveVehicle, EngineDriveVehicle};

use crate::cars::{Car, FRAME};
use crate::engines::Drivetrain;
use crate::motions::Motion;
use crate::vehicles::LawfulVehicle;

/// Position (m), rotation (1), velocity (m/s), angular velocity (rad/s), rotation speed of a wheel
/// (rad/s).
const SCALES: [Real; 5] = [1.0, 1.0, 5.0, 1.0, 30.0];

/// Each wheel's neighbor on its axle.
const NEIGHBORS: [usize; 4] = [1, 0, 3, 2];

/// A vehicle in the world, in any frame.
pub(crate) struct Scene<V = DirectDriveVehicle> {
    pub(crate) vehicle: V,
    pub(crate) simulation: SimulationParams,
    pub(crate) road: FlatRoad,
}

impl Scene {
    /// `car` in `motion`, in the frame [`FRAME`].
    pub(crate) fn new(car: &Car, motion: &Motion) -> Self {
        let mut vehicle = DirectDriveVehicle::new(car.params()).expect("a faultless car");
        vehicle.commands = motion.commands;
        vehicle.controls.gear = motion.gear;
        Self::of(vehicle, car, motion)
    }
}

impl Scene<EngineDriveVehicle> {
    /// `car` with an engine, in `motion`, in the frame [`FRAME`].
    pub(crate) fn with_engine(car: &Car, drivetrain: &Drivetrain, motion: &Motion) -> Self {
        let params = drivetrain.params(car);
        let mut vehicle = EngineDriveVehicle::new(params).expect("a faultless car");
        vehicle.commands = motion.commands;
        vehicle.controls = drivetrain.commands;
        let params = Arc::clone(vehicle.params());
        let state = &mut vehicle.state.drive;
        drivetrain.set_in_motion(state, &params.drivetrain, motion.wheel_speeds);
        Self::of(vehicle, car, motion)
    }
}

impl<V: LawfulVehicle> Scene<V> {
    /// `vehicle`, a `car`, in `motion`.
    fn of(mut vehicle: V, car: &Car, motion: &Motion) -> Self {
        set_in_motion(vehicle.state_mut(), car, motion);
        Self { vehicle, simulation: SimulationParams::new(FRAME), road: FlatRoad::new(&FRAME) }
    }

    /// This scene in the target of `conversion`.
    pub(crate) fn converted(&self, conversion: &CoordinateConversion) -> Self {
        let mut vehicle = self.vehicle.with_params(self.vehicle.params().converted(conversion));
        let state = vehicle.state_mut();
        let body = &mut state.rigid_body;
        body.pose = conversion.pose(&body.pose);
        body.linear_velocity = conversion.length(body.linear_velocity);
        body.angular_velocity = conversion.direction(body.angular_velocity);
        state.suspensions.edit_all(|suspension| {
            suspension.compression.jounce =
                suspension.compression.jounce.map(|jounce| conversion.scalar(jounce, 1));
        });
        let simulation = self.simulation.converted(conversion);
        let road = FlatRoad::new(&conversion.target().frame);
        Self { vehicle, simulation, road }
    }

    /// The scene in a mirror that stands along the road: right is left. Every wheel keeps its
    /// number.
    pub(crate) fn mirrored(&self) -> Self {
        let mut params = self.vehicle.params().clone();
        let mechanics = V::mechanics(&mut params);
        for suspension in &mut mechanics.suspensions {
            suspension.attachment = mirrored_pose(&suspension.attachment);
            suspension.travel_direction = mirrored_vector(suspension.travel_direction);
        }
        for wheel in wheels_with_mass(mechanics) {
            wheel.path_slope[1] *= -1.0;
        }
        for axle in &mut mechanics.ackermann {
            axle.wheels.reverse();
        }
        let mut vehicle = self.vehicle.with_params(params);
        let steer = &mut vehicle.commands_mut().steer;
        *steer = -*steer;
        let body = &mut vehicle.state_mut().rigid_body;
        body.pose = mirrored_pose(&body.pose);
        body.linear_velocity = mirrored_vector(body.linear_velocity);
        body.angular_velocity = -mirrored_vector(body.angular_velocity);
        Self { vehicle, simulation: self.simulation, road: self.road }
    }

    pub(crate) fn steps(&mut self, count: usize, substeps: u32, dt: Real) {
        let sequence = V::sequence(substeps);
        let context = Context::new(&self.simulation, &self.road);
        for _ in 0..count {
            let flow = sequence.update(&mut self.vehicle, dt, &context);
            assert_eq!(flow, Ok(Continue(())));
        }
    }

    pub(crate) fn outcome(&self) -> Outcome {
        let state = self.vehicle.state();
        Outcome {
            pose: state.rigid_body.pose,
            velocity: state.rigid_body.linear_velocity,
            rates: state.rigid_body.angular_velocity,
            wheel_speeds: std::array::from_fn(|wheel| state.wheels.of(wheel).rotation_speed),
        }
    }
}

impl Scene {
    /// This scene, in which the wheels of each axle have swapped their numbers.
    pub(crate) fn renumbered(&self) -> Self {
        let mut params = (**self.vehicle.params()).clone();
        let mechanics = &mut params.mechanics;
        swap_pairs(&mut mechanics.wheels);
        swap_pairs(&mut mechanics.suspensions);
        swap_pairs(&mut mechanics.compliances);
        swap_pairs(&mut mechanics.suspension_forces);
        swap_pairs(&mut mechanics.tires);
        swap_pairs(wheels_with_mass(mechanics));
        let responses = mechanics.brakes.iter_mut().chain([&mut mechanics.steering]);
        for response in responses.chain([&mut params.throttle]) {
            swap_pairs(&mut response.wheel_multipliers);
        }
        let axles = mechanics.ackermann.iter_mut().map(|axle| &mut axle.wheels);
        let bars = mechanics.anti_roll_bars.iter_mut().map(|bar| &mut bar.wheels);
        let beams = mechanics.beam_axles.iter_mut().map(|axle| &mut axle.wheels);
        for wheels in axles.chain(bars).chain(beams) {
            *wheels = wheels.map(|wheel| NEIGHBORS[wheel]);
        }
        let mut vehicle = self.vehicle.with_params(params);
        let state = &mut vehicle.state.mechanics;
        state.wheels = renumbered(&state.wheels);
        state.suspensions = renumbered(&state.suspensions);
        state.tires = renumbered(&state.tires);
        Self { vehicle, simulation: self.simulation, road: self.road }
    }
}

fn wheels_with_mass(mechanics: &mut MechanicalParams) -> &mut [UnsprungParams] {
    match &mut mechanics.suspension_dynamics {
        SuspensionDynamics::Unsprung(wheels) => wheels,
        _ => &mut [],
    }
}

/// Swaps the numbers of the wheels of each axle.
fn swap_pairs<T>(values: &mut [T]) {
    values.chunks_exact_mut(2).for_each(|pair| pair.swap(0, 1));
}

/// The values of wheels that have swapped their numbers with their neighbors.
fn renumbered<T: InLanes>(values: &WheelList<T>) -> WheelList<T> {
    NEIGHBORS.iter().map(|&wheel| values.of(wheel)).collect()
}

/// Moves `car` as `motion` says.
fn set_in_motion(state: &mut MechanicalState, car: &Car, motion: &Motion) {
    let [roll, pitch, yaw] = motion.angles;
    let [x, y, z] = motion.position;
    let position = Vec3::new(x, y, z + car.blueprint.center_of_mass_height);
    let body = &mut state.rigid_body;
    body.pose = Pose::from_parts(position, FRAME.rotation(roll, pitch, yaw));
    body.linear_velocity = Vec3::from_array(motion.velocity);
    body.angular_velocity = Vec3::from_array(motion.rates);
    let rest = car.blueprint.rest_jounce();
    for wheel in 0..4 {
        state.wheels.edit(wheel, |it| it.rotation_speed = motion.wheel_speeds[wheel]);
        let jounce = rest + motion.position[2] + motion.jounce_changes[wheel];
        let jounce = jounce.clamp(0.0, car.blueprint.travel_distance);
        state.suspensions.edit(wheel, |it| it.compression.jounce = Some(jounce));
        state.tires.edit(wheel, |it| {
            it.sticky.longitudinal.low_speed_time = motion.slow_times[wheel];
            it.sticky.lateral.low_speed_time = motion.slow_times[wheel];
        });
    }
}

fn mirrored_vector(vector: Vec3) -> Vec3 {
    let left = FRAME.lateral();
    vector - left * (2.0 * left.dot(vector))
}

/// The axis of a rotation is that of a turn: in a mirror it is reversed, beside being mirrored.
fn mirrored_pose(pose: &Pose) -> Pose {
    let axis = -mirrored_vector(pose.rotation.xyz());
    let rotation = Quat::from_xyzw(axis.x, axis.y, axis.z, pose.rotation.w);
    Pose::from_parts(mirrored_vector(pose.translation), rotation)
}

/// What has become of a motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Outcome {
    pub(crate) pose: Pose,
    pub(crate) velocity: Vec3,
    pub(crate) rates: Vec3,
    pub(crate) wheel_speeds: [Real; 4],
}

impl Outcome {
    pub(crate) fn mirrored(&self) -> Self {
        Self {
            pose: mirrored_pose(&self.pose),
            velocity: mirrored_vector(self.velocity),
            rates: -mirrored_vector(self.rates),
            wheel_speeds: self.wheel_speeds,
        }
    }

    /// This outcome with the numbers of [`Scene::renumbered`].
    pub(crate) fn renumbered(&self) -> Self {
        Self { wheel_speeds: NEIGHBORS.map(|wheel| self.wheel_speeds[wheel]), ..*self }
    }

    pub(crate) fn converted(&self, conversion: &CoordinateConversion) -> Self {
        Self {
            pose: conversion.pose(&self.pose),
            velocity: conversion.length(self.velocity),
            rates: conversion.direction(self.rates),
            wheel_speeds: self.wheel_speeds,
        }
    }

    /// The largest difference from `other`, as a part of the [`SCALES`].
    pub(crate) fn difference(&self, other: &Self) -> Real {
        let (this, that) = (self.pose.rotation, other.pose.rotation);
        let wheels = self.wheel_speeds.iter().zip(other.wheel_speeds);
        let differences = [
            self.pose.translation.distance(other.pose.translation),
            (this - that).length().min((this + that).length()),
            self.velocity.distance(other.velocity),
            self.rates.distance(other.rates),
            wheels.fold(0.0, |largest: Real, (this, that)| largest.max((this - that).abs())),
        ];
        let parts = differences.iter().zip(SCALES).map(|(difference, scale)| difference / scale);
        parts.fold(0.0, Real::max)
    }
}
