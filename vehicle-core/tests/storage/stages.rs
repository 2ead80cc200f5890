//! Stages of the user's own: a drivetrain with its view, and two suspensions.

use std::ops::ControlFlow::{self, Continue};

use vehicle_core::actuation::WheelActuation;
use vehicle_core::commands::Commands;
use vehicle_core::math::{Real, Vec3, sign};
use vehicle_core::stages::Suspension;
use vehicle_core::suspension::{
    Compression, SuspensionCompliance, SuspensionForce, SuspensionForceParams, SuspensionLoad,
    SuspensionUpdate, SuspensionView, WheelDrop, force_arm, suspension_compliance,
    suspension_compression, suspension_force, wheel_travel,
};
use vehicle_core::tire::{TireModel, TireState};
use vehicle_core::vehicle::HasMechanics;
use vehicle_core::vehicle::Mechanics;
use vehicle_core::wheel::{WheelParams, WheelState};
use vehicle_core::{AxleDescription, Component, Context, WheelList};

/// Drive torque of each wheel at full throttle (N·m).
const MAX_DRIVE_TORQUE: Real = 600.0;

/// What the drivetrain needs from a vehicle: a view like those of the library.
pub struct DriveView<'a> {
    pub axles: &'a AxleDescription,
    pub commands: &'a Commands,
    pub wheel_params: &'a [WheelParams],
    /// Brake torque of each wheel (N·m).
    pub brake_torques: &'a WheelList<Real>,
    pub tires: &'a WheelList<TireState>,
    pub actuations: &'a mut WheelList<WheelActuation>,
    pub wheels: &'a mut WheelList<WheelState>,
}

impl<'a> DriveView<'a> {
    /// The view of a vehicle on the ready-made mechanical base.
    pub fn of<M: TireModel>(mechanics: Mechanics<'a, M>) -> Self {
        let Mechanics { params, commands, state, .. } = mechanics;
        Self {
            axles: &params.axles,
            commands,
            wheel_params: &params.wheels,
            brake_torques: &state.brake_torques,
            tires: &state.tires,
            actuations: &mut state.actuations,
            wheels: &mut state.wheels,
        }
    }
}

pub trait HasDrive {
    fn drive(&mut self) -> DriveView<'_>;
}

/// Says which wheels drive and brake.
pub fn actuate_wheels<V: HasDrive>(vehicle: &mut V, _: Real, _: &Context<'_>) -> ControlFlow<()> {
    let DriveView { axles, commands, brake_torques, actuations, .. } = vehicle.drive();
    for wheel in axles.wheels() {
        let drive = commands.throttle * MAX_DRIVE_TORQUE;
        actuations.set(wheel, WheelActuation::from_torques(brake_torques[wheel], drive));
    }
    Continue(())
}

/// Turns the wheels, explicit in the torque of the tires.
///
/// ```text
/// ω' = ω + (T_tire + T_drive - T_brake sgn ω) dt/I
/// ```
///
/// A brake stops a wheel and does not turn it around.
pub fn turn_wheels<V: HasDrive>(vehicle: &mut V, dt: Real, _: &Context<'_>) -> ControlFlow<()> {
    let view = vehicle.drive();
    for wheel in view.axles.wheels() {
        let speed = view.wheels.of(wheel).rotation_speed;
        let torque = view.tires.of(wheel).force.wheel_torque
            + view.commands.throttle * MAX_DRIVE_TORQUE
            - view.brake_torques[wheel] * sign(speed);
        let advanced = speed + torque * (dt / view.wheel_params[wheel].inertia);
        let is_stopped = view.actuations.of(wheel).is_braked && speed * advanced <= 0.0;
        let turned = if is_stopped { 0.0 } else { advanced };
        view.wheels.edit(wheel, |state| state.rotation_speed = turned);
    }
    Continue(())
}

/// A suspension of the user's own, with the library's formulas inside: a spring that grows stiffer.
///
/// ```text
/// k' = k (1 + j/J)
/// ```
pub struct ProgressiveSuspension {
    /// Jounce J at which the stiffness has doubled (m).
    pub doubling_jounce: Real,
}

impl ProgressiveSuspension {
    fn compression(
        view: &SuspensionView<'_>,
        wheel: usize,
        dt: Real,
        context: &Context<'_>,
    ) -> Compression {
        let (params, spring) = (&view.params.of(wheel), view.spring(wheel));
        let (road_wheel, steer_angle) = (view.road_wheels.of(wheel), view.steer_angles[wheel]);
        let frame = context.frame();
        let travel = wheel_travel(params, road_wheel, view.rigid_body, steer_angle, frame);
        let drop = WheelDrop {
            stiffness: spring.stiffness,
            damping: spring.damping,
            wheel_mass: road_wheel.mass,
            gravity: context.params.gravity,
        };
        let plane = view.roads.of(wheel).map(|road| road.plane);
        let (jounce_params, previous) = (view.jounce_params, view.states.of(wheel).compression);
        suspension_compression(jounce_params, &travel, frame, plane.as_ref(), &drop, &previous, dt)
    }

    fn compliance(
        view: &SuspensionView<'_>,
        wheel: usize,
        state: &Compression,
    ) -> SuspensionCompliance {
        let jounce = state.jounce.unwrap_or(0.0);
        let travel_distance = view.params.of(wheel).travel_distance;
        suspension_compliance(&view.compliance_params[wheel], jounce, travel_distance)
    }

    /// The force at a wheel on the ground.
    fn force(
        &self,
        view: &SuspensionView<'_>,
        wheel: usize,
        state: &Compression,
        compliance: &SuspensionCompliance,
        gravity: Vec3,
    ) -> Option<SuspensionForce> {
        let road = view.roads.of(wheel).filter(|_| state.is_on_ground())?;
        let (jounce, spring) = (state.jounce?, view.spring(wheel));
        let stiffness = spring.stiffness * (1.0 + jounce / self.doubling_jounce);
        let spring = SuspensionForceParams { stiffness, ..spring };
        let (params, body) = (&view.params.of(wheel), view.rigid_body);
        let (mass, normal) = (view.rigid_body_params.mass, road.plane.normal);
        let force_point = compliance.suspension_force_point;
        let load = SuspensionLoad::new(body, params, mass, gravity, normal, force_point);
        Some(suspension_force(&spring, params, body, jounce, state.jounce_speed, &load))
    }
}

impl<V: HasMechanics> Component<V> for ProgressiveSuspension {
    fn update(&self, vehicle: &mut V, dt: Real, context: &Context<'_>) -> ControlFlow<()> {
        let mut view = vehicle.mechanics().suspension();
        for wheel in view.axles.wheels() {
            let compression = Self::compression(&view, wheel, dt, context);
            let compliance = Self::compliance(&view, wheel, &compression);
            let force = self.force(&view, wheel, &compression, &compliance, context.params.gravity);
            let force = force.unwrap_or_default();
            let update = SuspensionUpdate { compression, compliance, force };
            view.write(wheel, &update, context.frame());
        }
        Continue(())
    }
}

/// The library's suspension with a bump stop on top: a second spring near full compression.
pub struct WithBumpStops {
    /// Jounce at which the stop is met (m).
    pub jounce: Real,
    /// Stiffness of the stop (N/m).
    pub stiffness: Real,
}

impl<V: HasMechanics> Component<V> for WithBumpStops {
    fn update(&self, vehicle: &mut V, dt: Real, context: &Context<'_>) -> ControlFlow<()> {
        Suspension.update(vehicle, dt, context)?;
        let view = vehicle.mechanics().suspension();
        for wheel in view.axles.wheels() {
            let suspension = view.states.of(wheel);
            let jounce = suspension.compression.jounce.unwrap_or(0.0);
            let Some(road) = view.roads.of(wheel) else { continue };
            let stop = self.stiffness * (jounce - self.jounce).max(0.0);
            let point = suspension.compliance.suspension_force_point;
            let arm = force_arm(&view.params.of(wheel), view.rigid_body, point);
            view.states.edit(wheel, |suspension| {
                let force = &mut suspension.force;
                force.normal_load += stop;
                force.force += road.plane.normal * stop;
                force.torque += arm.cross(road.plane.normal * stop);
            });
        }
        Continue(())
    }
}
