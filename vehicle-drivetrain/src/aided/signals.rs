//! What aids are told of a vehicle in a substep.

use vehicle_core::Context;
use vehicle_core::math::lanes::{Lanes, MAX_LANES, Real4};
use vehicle_core::math::{Clamped, Real, Vec3};
use vehicle_core::tire::TireModel;
use vehicle_core::vehicle::{MechanicalParams, MechanicalState};

use super::{AidSystem, AidsMemory};
use crate::aids::air_control::BodyTorque;
use crate::aids::signals::{BodySignals, WheelSignals};
use crate::aids::vehicle::AidVehicle;

/// Greatest acceleration that is believed (m/s²): a vehicle that is put elsewhere seems to have
/// more.
const GREATEST_ACCELERATION: Real = 50.0;

/// What is looked at, when.
pub(super) struct Observation<'a, Tire> {
    pub(super) params: &'a MechanicalParams<Tire>,
    pub(super) system: &'a AidSystem,
    pub(super) dt: Real,
    pub(super) context: &'a Context<'a>,
}

impl<Tire: TireModel> Observation<'_, Tire> {
    /// Writes what the wheels and the body do into `memory`.
    pub(super) fn write(&self, state: &MechanicalState<Tire>, memory: &mut AidsMemory) {
        for (four, wheels) in memory.wheels.chunks_mut(MAX_LANES).enumerate() {
            self.write_four(state, four, wheels);
        }
        memory.body = self.body(state, memory, self.ground_velocity(state));
        memory.pass(state.rigid_body.linear_velocity);
    }

    /// Writes what up to four `wheels` do.
    fn write_four(&self, state: &MechanicalState<Tire>, four: usize, wheels: &mut [WheelSignals]) {
        let scale = Real4::splat(self.system.params.coordinates.length_scale);
        let radii = &self.params.wheels[four * MAX_LANES..];
        let radius = Real4::from_lanes(|lane| radii.get(lane).map_or(0.0, |wheel| wheel.radius));
        let tire = state.tires.four(four);
        let along = tire.speeds.longitudinal / scale;
        let rotation = state.wheels.four(four).rotation_speed;
        let [force, aside] = [tire.force.longitudinal_force, tire.force.lateral_force];
        let [force, aside] = [force / scale, aside / scale];
        let slope = tire.force_by_rim_speed() * radius / scale;
        let load = tire.grip.load / scale;
        let (friction, steer) = (tire.grip.friction, *state.steer_angles.four(four));
        for (lane, signals) in wheels.iter_mut().enumerate() {
            *signals = WheelSignals {
                longitudinal_speed: along.lane(lane),
                rotation_speed: rotation.lane(lane),
                longitudinal_force: force.lane(lane),
                lateral_force: aside.lane(lane),
                force_slope: slope.lane(lane),
                load: load.lane(lane),
                friction: friction.lane(lane),
                steer_angle: steer.lane(lane),
                is_on_ground: 0.0 < tire.grip.load.lane(lane),
            };
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
        let gravity = self.context.params.gravity;
        let down = gravity.normalize_or_zero();
        let change = (body.linear_velocity - memory.velocity) / self.dt - gravity;
        let acceleration = if memory.is_observed { change / scale } else { Vec3::ZERO };
        let along = |axis: Vec3| {
            acceleration.dot(axis).clamped(-GREATEST_ACCELERATION, GREATEST_ACCELERATION)
        };
        let turning = |axis: Vec3, towards: Vec3| body.angular_velocity.cross(axis).dot(towards);
        let velocity = (body.linear_velocity - ground) / scale;
        BodySignals {
            longitudinal_speed: velocity.dot(forward),
            lateral_speed: velocity.dot(left),
            yaw_rate: turning(forward, left),
            longitudinal_acceleration: along(forward),
            lateral_acceleration: along(left),
            resistance: self.drag(velocity.dot(forward) * scale) / scale,
            grade_sine: -down.dot(forward),
            bank_sine: -down.dot(left),
            upright_cosine: -down.dot(up),
            roll_rate: turning(left, up),
            pitch_rate: -turning(forward, up),
        }
    }

    /// Drag of the air at a forward `speed` (N, in units of length of the vehicle).
    fn drag(&self, speed: Real) -> Real {
        let air = &self.params.aerodynamics;
        0.5 * air.air_density * air.drag_area * speed * speed.abs()
    }

    /// Mean velocity of the ground below the wheels that touch it.
    fn ground_velocity(&self, state: &MechanicalState<Tire>) -> Vec3 {
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
