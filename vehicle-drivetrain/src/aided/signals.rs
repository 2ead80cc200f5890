//! What aids are told of a vehicle in a substep.

use vehicle_core::Context;
use vehicle_core::math::lanes::{Lanes, MAX_LANES, Real4};
use vehicle_core::math::{Clamped, Real, Vec3};
use vehicle_core::road_geometry::RoadContacts;
use vehicle_core::tire::TireModel;
use vehicle_core::vehicle::{MechanicalParams, MechanicalState};

use super::{AidSystem, AidsMemory};
use crate::aids::air_control::BodyTorque;
use crate::aids::signals::{BodySignals, WheelSignals};
use crate::aids::vehicle::AidVehicle;

/// Greatest acceleration that is believed (m/s²): a vehicle that is put elsewhere seems to have
/// more.
const GREATEST_ACCELERATION: Real = 50.0;

/// An acceleration as far as it is believed (m/s²).
fn believed(acceleration: Real) -> Real {
    acceleration.clamped(-GREATEST_ACCELERATION, GREATEST_ACCELERATION)
}

/// What is looked at, when.
pub(super) struct Observation<'a, Tire> {
    pub(super) params: &'a MechanicalParams<Tire>,
    pub(super) system: &'a AidSystem,
    pub(super) dt: Real,
    pub(super) context: &'a Context<'a>,
}

impl<Tire: TireModel> Observation<'_, Tire> {
    /// Writes what the wheels do in a substep into `memory`, and of the body what aids ask for in
    /// it, if they are `asking`.
    pub(super) fn write(
        &self,
        state: &MechanicalState<Tire>,
        memory: &mut AidsMemory,
        asking: bool,
    ) {
        for (four, wheels) in memory.wheels.chunks_mut(MAX_LANES).enumerate() {
            self.write_four(state, four, wheels);
        }
        if self.system.looks_around {
            memory.body = self.body(state, memory, self.ground_velocity(state));
        } else if asking {
            self.write_pace(state, memory, self.ground_velocity(state));
        }
        memory.pass(state.rigid_body.linear_velocity);
    }

    /// Writes how the body moves at the end of a frame into `memory`: aids that act on whole frames
    /// would see it a substep late otherwise.
    pub(super) fn write_end(&self, state: &MechanicalState<Tire>, memory: &mut AidsMemory) {
        if !self.system.looks_around {
            memory.body = self.body(state, memory, self.ground_velocity(state));
        }
    }

    /// Writes how fast the body goes ahead and how it leans into `memory`.
    fn write_pace(&self, state: &MechanicalState<Tire>, memory: &mut AidsMemory, ground: Vec3) {
        let (frame, body) = (self.context.frame(), &state.rigid_body);
        let forward = body.pose.rotation * frame.longitudinal();
        let acceleration = self.acceleration(state, memory);
        memory.body.longitudinal_speed = self.velocity(state, ground).dot(forward);
        memory.body.longitudinal_acceleration = believed(acceleration.dot(forward));
        if self.system.aids.helps_in_air() {
            let down = self.context.params.gravity.normalize_or_zero();
            memory.body.bank_sine = -down.dot(body.pose.rotation * frame.lateral());
            memory.body.upright_cosine = -down.dot(body.pose.rotation * frame.vertical());
            if self.system.aids.may_turn_body(&memory.body, &memory.wheels) {
                memory.body = self.body(state, memory, ground);
            }
        }
    }

    /// Acceleration of the body since the last substep, without gravity's part (m/s²).
    fn acceleration(&self, state: &MechanicalState<Tire>, memory: &AidsMemory) -> Vec3 {
        if !memory.is_observed {
            return Vec3::ZERO;
        }
        let change = (state.rigid_body.linear_velocity - memory.velocity) / self.dt;
        (change - self.context.params.gravity) / self.system.params.coordinates.length_scale
    }

    /// Velocity of the body over the `ground`, which moves as fast as that (m/s).
    fn velocity(&self, state: &MechanicalState<Tire>, ground: Vec3) -> Vec3 {
        (state.rigid_body.linear_velocity - ground) / self.system.params.coordinates.length_scale
    }

    /// Writes what up to four `wheels` do.
    fn write_four(&self, state: &MechanicalState<Tire>, four: usize, wheels: &mut [WheelSignals]) {
        let tire = state.tires.four(four);
        let slope = tire.force_by_rim_speed() * self.system.radii[four];
        let [along, force] = [tire.speeds.longitudinal, tire.force.longitudinal_force];
        let lengths = [along, force, tire.force.lateral_force, slope, tire.grip.load];
        let scale = self.system.params.coordinates.length_scale;
        let in_meters = |length: Real4| match scale {
            1.0 => length.lanes(),
            _ => (length / Real4::splat(scale)).lanes(),
        };
        let [along, force, aside, slope, load] = lengths.map(in_meters);
        let rotation = state.wheels.four(four).rotation_speed.lanes();
        let (friction, steer) = (tire.grip.friction.lanes(), state.steer_angles.four(four).lanes());
        let of_lane = |lane: usize| WheelSignals {
            longitudinal_speed: along[lane],
            rotation_speed: rotation[lane],
            longitudinal_force: force[lane],
            lateral_force: aside[lane],
            force_slope: slope[lane],
            load: load[lane],
            friction: friction[lane],
            steer_angle: steer[lane],
            is_on_ground: 0.0 < load[lane],
        };
        if let Some(whole) = wheels.first_chunk_mut::<MAX_LANES>() {
            *whole = [of_lane(0), of_lane(1), of_lane(2), of_lane(3)];
            return;
        }
        for (lane, signals) in wheels.iter_mut().enumerate() {
            *signals = of_lane(lane);
        }
    }

    /// Writes what is known before the first substep into `memory`: of what the vehicle remembers
    /// alone, so that a restored one sees the same.
    pub(super) fn write_first(&self, state: &MechanicalState<Tire>, memory: &mut AidsMemory) {
        memory.body = self.body(state, memory, Vec3::ZERO);
        let vehicle = self.system.aids.vehicle();
        for (wheel, signals) in memory.wheels.iter_mut().enumerate() {
            let of_vehicle = &vehicle.wheels[wheel];
            let body = &memory.body;
            *signals = WheelSignals {
                longitudinal_speed: body.longitudinal_speed - body.yaw_rate * of_vehicle.left,
                rotation_speed: state.wheels.of(wheel).rotation_speed,
                load: of_vehicle.rest_load,
                friction: 1.0,
                steer_angle: state.steer_angles[wheel],
                is_on_ground: true,
                ..WheelSignals::default()
            };
        }
    }

    fn body(
        &self,
        state: &MechanicalState<Tire>,
        memory: &AidsMemory,
        ground: Vec3,
    ) -> BodySignals {
        let (frame, scale) = (self.context.frame(), self.system.params.coordinates.length_scale);
        let body = &state.rigid_body;
        let [forward, left, up] = [frame.longitudinal(), frame.lateral(), frame.vertical()]
            .map(|axis| body.pose.rotation * axis);
        let down = self.context.params.gravity.normalize_or_zero();
        let acceleration = self.acceleration(state, memory);
        let along = |axis: Vec3| believed(acceleration.dot(axis));
        // The axis about which forward turns to the left, up or down by which hand the axes have.
        let normal = forward.cross(left);
        let hand = normal.dot(up);
        let turning = |axis: Vec3| hand * body.angular_velocity.dot(axis);
        let velocity = self.velocity(state, ground);
        BodySignals {
            longitudinal_speed: velocity.dot(forward),
            lateral_speed: velocity.dot(left),
            yaw_rate: body.angular_velocity.dot(normal),
            longitudinal_acceleration: along(forward),
            lateral_acceleration: along(left),
            resistance: self.drag(velocity.dot(forward) * scale) / scale,
            grade_sine: -down.dot(forward),
            bank_sine: -down.dot(left),
            upright_cosine: -down.dot(up),
            roll_rate: turning(forward),
            pitch_rate: turning(left),
        }
    }

    /// Drag of the air at a forward `speed` (N, in units of length of the vehicle).
    fn drag(&self, speed: Real) -> Real {
        let air = &self.params.aerodynamics;
        0.5 * air.air_density * air.drag_area * speed * speed.abs()
    }

    /// Mean velocity of the ground below the wheels that touch it.
    fn ground_velocity(&self, state: &MechanicalState<Tire>) -> Vec3 {
        let rests =
            |roads: &RoadContacts| (0..MAX_LANES).all(|lane| roads.velocity(lane) == Vec3::ZERO);
        if state.roads.fours().iter().all(rests) {
            return Vec3::ZERO;
        }
        let velocity = |wheel: usize| {
            let (roads, lane) = state.roads.at(wheel);
            roads.velocity(lane)
        };
        let sum = self.params.axles.wheels().map(velocity).fold(Vec3::ZERO, |sum, of| sum + of);
        if sum == Vec3::ZERO {
            return sum;
        }
        let touching = self.params.axles.wheels().filter(|&wheel| state.roads.of(wheel).is_some());
        sum / touching.count().max(1) as Real
    }
}

/// Speeds of the contacts over the road (m/s) and of the rotation (rad/s) of the four wheels of
/// this `number`, where a meter has the length `scale`.
#[inline]
pub(super) fn speeds<Tire: TireModel>(
    mechanics: &MechanicalState<Tire>,
    number: usize,
    scale: Real,
) -> (Real4, Real4) {
    let along = mechanics.tires.four(number).speeds.longitudinal;
    let along = if scale == 1.0 { along } else { along / Real4::splat(scale) };
    (along, mechanics.wheels.four(number).rotation_speed)
}

/// Turns the body by a torque that no wheel gives.
pub(super) fn turn<Tire: TireModel>(
    state: &mut MechanicalState<Tire>,
    torque: &BodyTorque,
    vehicle: &AidVehicle,
    dt: Real,
    context: &Context<'_>,
) {
    let frame = context.frame();
    let body = &mut state.rigid_body;
    let [forward, left, up] = [frame.longitudinal(), frame.lateral(), frame.vertical()]
        .map(|axis| body.pose.rotation * axis);
    // The turn from one axis towards another, whichever hand the axes have.
    let about = |from: Vec3, to: Vec3, rate: Real| from.cross(to) * rate;
    let change = about(left, up, torque.roll / vehicle.roll_inertia)
        + about(up, forward, torque.pitch / vehicle.pitch_inertia)
        + about(forward, left, torque.yaw / vehicle.yaw_inertia);
    body.angular_velocity += change * dt;
}
