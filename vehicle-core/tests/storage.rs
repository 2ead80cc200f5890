//! How a vehicle stores its wheels is its own choice, and so are its stages and its tires.
//!
//! Three vehicles lend the views of this crate from different storage: a list per kind of value
//! ([`Lists`]), a struct per wheel ([`Corners`]), and one make of wheel for all ([`OneMake`]). They
//! drive with the same bits.

use std::ops::ControlFlow::{self, Continue};

use serde::{Deserialize, Serialize};
use vehicle_core::actuation::WheelActuation;
use vehicle_core::blueprint::CarBlueprint;
use vehicle_core::brakes::{Brakes, BrakesView, HasBrakes};
use vehicle_core::commands::{CommandResponseParams, Commands};
use vehicle_core::context::GRAVITY;
use vehicle_core::error::{Bound, ParamCheck};
use vehicle_core::math::{Pose, Real, Vec3, sign};
use vehicle_core::rigid_body::{
    HasRigidBody, RigidBody, RigidBodyParams, RigidBodyState, RigidBodyView,
};
use vehicle_core::road_geometry::{
    FlatRoad, HasRoadGeometry, RoadContact, RoadGeometry, RoadGeometryView,
};
use vehicle_core::steering::{AckermannParams, HasSteering, Steering, SteeringView};
use vehicle_core::suspension::{
    AntiRollBarParams, HasSuspension, JounceParams, Suspension, SuspensionCompliance,
    SuspensionComplianceParams, SuspensionForce, SuspensionForceParams, SuspensionLoad,
    SuspensionParams, SuspensionState, SuspensionView, WheelDrop, force_arm, suspension_compliance,
    suspension_force, suspension_state, wheel_travel,
};
use vehicle_core::tire::{
    BrushTire, HasTires, Tire, TireInput, TireModel, TireOutput, TireState, TireStickyParams,
    TireStickyState, TireView,
};
use vehicle_core::vehicle::MechanicalParams;
use vehicle_core::wheel::{HasWheels, Wheel, WheelParams, WheelState, WheelView};
use vehicle_core::{
    AxleDescription, Component, ComponentSequence, Context, PerWheel, PerWheelMut,
    SimulationParams, Validate,
};

/// Time step (s).
const DT: Real = 1.0 / 60.0;
const SUBSTEPS: u32 = 3;
/// Drive torque of each wheel at full throttle (N·m).
const MAX_DRIVE_TORQUE: Real = 600.0;

/// What a vehicle has once, however it stores its wheels.
#[derive(Clone, Debug, PartialEq)]
struct Chassis {
    axles: AxleDescription,
    rigid_body: RigidBodyParams,
    brakes: Vec<CommandResponseParams>,
    steering: CommandResponseParams,
    ackermann: Vec<AckermannParams>,
    jounce: JounceParams,
    anti_roll_bars: Vec<AntiRollBarParams>,
    commands: Commands,
    body: RigidBodyState,
    anti_roll_torque: Vec3,
}

impl<M> From<&MechanicalParams<M>> for Chassis {
    fn from(params: &MechanicalParams<M>) -> Self {
        Self {
            axles: params.axles.clone(),
            rigid_body: params.rigid_body,
            brakes: params.brakes.clone(),
            steering: params.steering.clone(),
            ackermann: params.ackermann.clone(),
            jounce: params.jounce,
            anti_roll_bars: params.anti_roll_bars.clone(),
            commands: Commands::default(),
            body: RigidBodyState::default(),
            anti_roll_torque: Vec3::ZERO,
        }
    }
}

/// What changes at one wheel, with a tire that remembers a `Memory`.
#[derive(Clone, Debug, Default, PartialEq)]
struct WheelMotion<Memory = ()> {
    brake_torque: Real,
    steer_angle: Real,
    actuation: WheelActuation,
    road: Option<RoadContact>,
    suspension: SuspensionState,
    compliance: SuspensionCompliance,
    suspension_force: SuspensionForce,
    tire: TireState,
    sticky_tire: TireStickyState,
    tire_memory: Memory,
    wheel: WheelState,
}

/// What a drive needs from a vehicle: a view like those of the library.
struct DriveView<'a> {
    axles: &'a AxleDescription,
    commands: &'a Commands,
    wheel_params: PerWheel<'a, WheelParams>,
    brake_torques: PerWheel<'a, Real>,
    tires: PerWheel<'a, TireState>,
    actuations: PerWheelMut<'a, WheelActuation>,
    wheels: PerWheelMut<'a, WheelState>,
}

trait HasDrive {
    fn drive(&mut self) -> DriveView<'_>;
}

/// Says which wheels drive and brake.
fn actuate_wheels<V: HasDrive>(vehicle: &mut V, _: Real, _: &Context<'_>) -> ControlFlow<()> {
    let DriveView { axles, commands, brake_torques, mut actuations, .. } = vehicle.drive();
    for wheel in axles.wheels() {
        actuations[wheel] = WheelActuation::from_torques(
            brake_torques[wheel],
            commands.throttle * MAX_DRIVE_TORQUE,
        );
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
fn turn_wheels<V: HasDrive>(vehicle: &mut V, dt: Real, _: &Context<'_>) -> ControlFlow<()> {
    let mut view = vehicle.drive();
    for wheel in view.axles.wheels() {
        let speed = &mut view.wheels[wheel].rotation_speed;
        let torque = view.tires[wheel].force.wheel_torque
            + view.commands.throttle * MAX_DRIVE_TORQUE
            - view.brake_torques[wheel] * sign(*speed);
        let advanced = *speed + torque * (dt / view.wheel_params[wheel].inertia);
        let is_stopped = view.actuations[wheel].is_braked && *speed * advanced <= 0.0;
        *speed = if is_stopped { 0.0 } else { advanced };
    }
    Continue(())
}

/// A vehicle that keeps a list per kind of value.
struct Lists {
    chassis: Chassis,
    wheel_params: Vec<WheelParams>,
    suspension_params: Vec<SuspensionParams>,
    compliance_params: Vec<SuspensionComplianceParams>,
    force_params: Vec<SuspensionForceParams>,
    tire_params: Vec<BrushTire>,
    brake_torques: Vec<Real>,
    steer_angles: Vec<Real>,
    actuations: Vec<WheelActuation>,
    roads: Vec<Option<RoadContact>>,
    suspensions: Vec<SuspensionState>,
    compliances: Vec<SuspensionCompliance>,
    suspension_forces: Vec<SuspensionForce>,
    tires: Vec<TireState>,
    sticky_tires: Vec<TireStickyState>,
    tire_memories: Vec<()>,
    wheels: Vec<WheelState>,
}

impl HasBrakes for Lists {
    fn brakes(&mut self) -> BrakesView<'_> {
        BrakesView {
            axles: &self.chassis.axles,
            rigid_body: &self.chassis.body,
            commands: &self.chassis.commands,
            params: &self.chassis.brakes,
            torques: PerWheelMut::Slice(&mut self.brake_torques),
        }
    }
}

impl HasSteering for Lists {
    fn steering(&mut self) -> SteeringView<'_> {
        SteeringView {
            axles: &self.chassis.axles,
            rigid_body: &self.chassis.body,
            commands: &self.chassis.commands,
            params: &self.chassis.steering,
            ackermann: &self.chassis.ackermann,
            angles: PerWheelMut::Slice(&mut self.steer_angles),
        }
    }
}

impl HasRoadGeometry for Lists {
    fn road_geometry(&mut self) -> RoadGeometryView<'_> {
        RoadGeometryView {
            axles: &self.chassis.axles,
            rigid_body: &self.chassis.body,
            wheel_params: PerWheel::Slice(&self.wheel_params),
            suspension_params: PerWheel::Slice(&self.suspension_params),
            steer_angles: PerWheel::Slice(&self.steer_angles),
            roads: PerWheelMut::Slice(&mut self.roads),
        }
    }
}

impl HasSuspension for Lists {
    fn suspension(&mut self) -> SuspensionView<'_> {
        SuspensionView {
            axles: &self.chassis.axles,
            rigid_body_params: &self.chassis.rigid_body,
            rigid_body: &self.chassis.body,
            jounce_params: &self.chassis.jounce,
            wheel_params: PerWheel::Slice(&self.wheel_params),
            params: PerWheel::Slice(&self.suspension_params),
            compliance_params: PerWheel::Slice(&self.compliance_params),
            force_params: PerWheel::Slice(&self.force_params),
            anti_roll_bars: &self.chassis.anti_roll_bars,
            steer_angles: PerWheel::Slice(&self.steer_angles),
            roads: PerWheel::Slice(&self.roads),
            states: PerWheelMut::Slice(&mut self.suspensions),
            compliances: PerWheelMut::Slice(&mut self.compliances),
            forces: PerWheelMut::Slice(&mut self.suspension_forces),
            anti_roll_torque: &mut self.chassis.anti_roll_torque,
        }
    }
}

impl HasTires for Lists {
    type Model = BrushTire;

    fn tires(&mut self) -> TireView<'_, BrushTire> {
        TireView {
            axles: &self.chassis.axles,
            rigid_body: &self.chassis.body,
            wheel_params: PerWheel::Slice(&self.wheel_params),
            suspension_params: PerWheel::Slice(&self.suspension_params),
            models: PerWheel::Slice(&self.tire_params),
            steer_angles: PerWheel::Slice(&self.steer_angles),
            actuations: PerWheel::Slice(&self.actuations),
            roads: PerWheel::Slice(&self.roads),
            suspension_states: PerWheel::Slice(&self.suspensions),
            compliances: PerWheel::Slice(&self.compliances),
            suspension_forces: PerWheel::Slice(&self.suspension_forces),
            wheels: PerWheel::Slice(&self.wheels),
            states: PerWheelMut::Slice(&mut self.tires),
            sticky_states: PerWheelMut::Slice(&mut self.sticky_tires),
            model_states: PerWheelMut::Slice(&mut self.tire_memories),
        }
    }
}

impl HasDrive for Lists {
    fn drive(&mut self) -> DriveView<'_> {
        DriveView {
            axles: &self.chassis.axles,
            commands: &self.chassis.commands,
            wheel_params: PerWheel::Slice(&self.wheel_params),
            brake_torques: PerWheel::Slice(&self.brake_torques),
            tires: PerWheel::Slice(&self.tires),
            actuations: PerWheelMut::Slice(&mut self.actuations),
            wheels: PerWheelMut::Slice(&mut self.wheels),
        }
    }
}

impl HasRigidBody for Lists {
    fn rigid_body(&mut self) -> RigidBodyView<'_> {
        RigidBodyView {
            axles: &self.chassis.axles,
            params: &self.chassis.rigid_body,
            suspension_forces: PerWheel::Slice(&self.suspension_forces),
            tires: PerWheel::Slice(&self.tires),
            anti_roll_torque: self.chassis.anti_roll_torque,
            state: &mut self.chassis.body,
        }
    }
}

impl HasWheels for Lists {
    fn wheels(&mut self) -> WheelView<'_> {
        WheelView {
            axles: &self.chassis.axles,
            params: PerWheel::Slice(&self.wheel_params),
            suspension_params: PerWheel::Slice(&self.suspension_params),
            suspension_states: PerWheel::Slice(&self.suspensions),
            compliances: PerWheel::Slice(&self.compliances),
            steer_angles: PerWheel::Slice(&self.steer_angles),
            actuations: PerWheel::Slice(&self.actuations),
            tires: PerWheel::Slice(&self.tires),
            states: PerWheelMut::Slice(&mut self.wheels),
        }
    }
}

/// All of one wheel: what it is made of and what it does.
struct Corner<M: TireModel> {
    wheel: WheelParams,
    suspension: SuspensionParams,
    compliance: SuspensionComplianceParams,
    spring: SuspensionForceParams,
    tire: M,
    motion: WheelMotion<M::State>,
}

/// A vehicle that keeps a struct per wheel.
///
/// A view that reads some fields of a wheel and writes others splits each wheel once into borrows
/// of its fields and collects tuples of references into lists of references.
struct Corners<M: TireModel> {
    chassis: Chassis,
    corners: Vec<Corner<M>>,
}

impl<M: TireModel> HasBrakes for Corners<M> {
    fn brakes(&mut self) -> BrakesView<'_> {
        let torques = self.corners.iter_mut().map(|corner| &mut corner.motion.brake_torque);
        BrakesView {
            axles: &self.chassis.axles,
            rigid_body: &self.chassis.body,
            commands: &self.chassis.commands,
            params: &self.chassis.brakes,
            torques: torques.collect(),
        }
    }
}

impl<M: TireModel> HasSteering for Corners<M> {
    fn steering(&mut self) -> SteeringView<'_> {
        let angles = self.corners.iter_mut().map(|corner| &mut corner.motion.steer_angle);
        SteeringView {
            axles: &self.chassis.axles,
            rigid_body: &self.chassis.body,
            commands: &self.chassis.commands,
            params: &self.chassis.steering,
            ackermann: &self.chassis.ackermann,
            angles: angles.collect(),
        }
    }
}

impl<M: TireModel> HasRoadGeometry for Corners<M> {
    fn road_geometry(&mut self) -> RoadGeometryView<'_> {
        let split = self.corners.iter_mut().map(|Corner { wheel, suspension, motion, .. }| {
            (&*wheel, &*suspension, &motion.steer_angle, &mut motion.road)
        });
        let (wheels, suspensions, steer_angles, roads) = split.collect();
        RoadGeometryView {
            axles: &self.chassis.axles,
            rigid_body: &self.chassis.body,
            wheel_params: PerWheel::Refs(wheels),
            suspension_params: PerWheel::Refs(suspensions),
            steer_angles: PerWheel::Refs(steer_angles),
            roads: PerWheelMut::Refs(roads),
        }
    }
}

impl<M: TireModel> HasSuspension for Corners<M> {
    fn suspension(&mut self) -> SuspensionView<'_> {
        let split = self.corners.iter_mut().map(|corner| {
            let Corner { wheel, suspension, compliance, spring, motion, .. } = corner;
            let made_of = (&*wheel, &*suspension, &*compliance, &*spring);
            let read = (&motion.steer_angle, &motion.road);
            let written =
                (&mut motion.suspension, &mut motion.compliance, &mut motion.suspension_force);
            (made_of, read, written)
        });
        let (made_of, (steer_angles, roads), (states, compliances, forces)) = split.collect();
        let (wheels, suspensions, compliance_params, springs) = made_of;
        SuspensionView {
            axles: &self.chassis.axles,
            rigid_body_params: &self.chassis.rigid_body,
            rigid_body: &self.chassis.body,
            jounce_params: &self.chassis.jounce,
            wheel_params: PerWheel::Refs(wheels),
            params: PerWheel::Refs(suspensions),
            compliance_params: PerWheel::Refs(compliance_params),
            force_params: PerWheel::Refs(springs),
            anti_roll_bars: &self.chassis.anti_roll_bars,
            steer_angles: PerWheel::Refs(steer_angles),
            roads: PerWheel::Refs(roads),
            states: PerWheelMut::Refs(states),
            compliances: PerWheelMut::Refs(compliances),
            forces: PerWheelMut::Refs(forces),
            anti_roll_torque: &mut self.chassis.anti_roll_torque,
        }
    }
}

impl<M: TireModel> HasTires for Corners<M> {
    type Model = M;

    fn tires(&mut self) -> TireView<'_, M> {
        let split = self.corners.iter_mut().map(|corner| {
            let Corner { wheel, suspension, tire, motion, .. } = corner;
            let made_of = (&*wheel, &*suspension, &*tire);
            let controls = (&motion.steer_angle, &motion.actuation, &motion.road, &motion.wheel);
            let suspended = (&motion.suspension, &motion.compliance, &motion.suspension_force);
            let written = (&mut motion.tire, &mut motion.sticky_tire, &mut motion.tire_memory);
            (made_of, controls, suspended, written)
        });
        let (made_of, controls, suspended, written) = split.collect();
        let (wheel_params, suspension_params, models) = made_of;
        let (steer_angles, actuations, roads, wheels) = controls;
        let (suspension_states, compliances, suspension_forces) = suspended;
        let (states, sticky_states, model_states) = written;
        TireView {
            axles: &self.chassis.axles,
            rigid_body: &self.chassis.body,
            wheel_params: PerWheel::Refs(wheel_params),
            suspension_params: PerWheel::Refs(suspension_params),
            models: PerWheel::Refs(models),
            steer_angles: PerWheel::Refs(steer_angles),
            actuations: PerWheel::Refs(actuations),
            roads: PerWheel::Refs(roads),
            suspension_states: PerWheel::Refs(suspension_states),
            compliances: PerWheel::Refs(compliances),
            suspension_forces: PerWheel::Refs(suspension_forces),
            wheels: PerWheel::Refs(wheels),
            states: PerWheelMut::Refs(states),
            sticky_states: PerWheelMut::Refs(sticky_states),
            model_states: PerWheelMut::Refs(model_states),
        }
    }
}

impl<M: TireModel> HasDrive for Corners<M> {
    fn drive(&mut self) -> DriveView<'_> {
        let split = self.corners.iter_mut().map(|Corner { wheel, motion, .. }| {
            let read = (&*wheel, &motion.brake_torque, &motion.tire);
            (read, (&mut motion.actuation, &mut motion.wheel))
        });
        let ((wheel_params, brake_torques, tires), (actuations, wheels)) = split.collect();
        DriveView {
            axles: &self.chassis.axles,
            commands: &self.chassis.commands,
            wheel_params: PerWheel::Refs(wheel_params),
            brake_torques: PerWheel::Refs(brake_torques),
            tires: PerWheel::Refs(tires),
            actuations: PerWheelMut::Refs(actuations),
            wheels: PerWheelMut::Refs(wheels),
        }
    }
}

impl<M: TireModel> HasRigidBody for Corners<M> {
    fn rigid_body(&mut self) -> RigidBodyView<'_> {
        let motions = self.corners.iter().map(|corner| &corner.motion);
        RigidBodyView {
            axles: &self.chassis.axles,
            params: &self.chassis.rigid_body,
            suspension_forces: motions.clone().map(|motion| &motion.suspension_force).collect(),
            tires: motions.map(|motion| &motion.tire).collect(),
            anti_roll_torque: self.chassis.anti_roll_torque,
            state: &mut self.chassis.body,
        }
    }
}

impl<M: TireModel> HasWheels for Corners<M> {
    fn wheels(&mut self) -> WheelView<'_> {
        let split = self.corners.iter_mut().map(|Corner { wheel, suspension, motion, .. }| {
            let controls = (&motion.steer_angle, &motion.actuation, &motion.tire);
            let suspended = (&motion.suspension, &motion.compliance);
            ((&*wheel, &*suspension), controls, suspended, &mut motion.wheel)
        });
        let (made_of, controls, (suspension_states, compliances), states) = split.collect();
        let ((params, suspension_params), (steer_angles, actuations, tires)) = (made_of, controls);
        WheelView {
            axles: &self.chassis.axles,
            params: PerWheel::Refs(params),
            suspension_params: PerWheel::Refs(suspension_params),
            suspension_states: PerWheel::Refs(suspension_states),
            compliances: PerWheel::Refs(compliances),
            steer_angles: PerWheel::Refs(steer_angles),
            actuations: PerWheel::Refs(actuations),
            tires: PerWheel::Refs(tires),
            states: PerWheelMut::Refs(states),
        }
    }
}

/// A vehicle whose wheels are all of one make: they differ in where they are mounted.
///
/// What changes is in a struct per wheel.
struct OneMake {
    chassis: Chassis,
    wheel: WheelParams,
    compliance: SuspensionComplianceParams,
    spring: SuspensionForceParams,
    tire: BrushTire,
    mounts: Vec<SuspensionParams>,
    motions: Vec<WheelMotion>,
}

impl HasBrakes for OneMake {
    fn brakes(&mut self) -> BrakesView<'_> {
        BrakesView {
            axles: &self.chassis.axles,
            rigid_body: &self.chassis.body,
            commands: &self.chassis.commands,
            params: &self.chassis.brakes,
            torques: self.motions.iter_mut().map(|motion| &mut motion.brake_torque).collect(),
        }
    }
}

impl HasSteering for OneMake {
    fn steering(&mut self) -> SteeringView<'_> {
        SteeringView {
            axles: &self.chassis.axles,
            rigid_body: &self.chassis.body,
            commands: &self.chassis.commands,
            params: &self.chassis.steering,
            ackermann: &self.chassis.ackermann,
            angles: self.motions.iter_mut().map(|motion| &mut motion.steer_angle).collect(),
        }
    }
}

impl HasRoadGeometry for OneMake {
    fn road_geometry(&mut self) -> RoadGeometryView<'_> {
        let split = self.motions.iter_mut().map(|motion| (&motion.steer_angle, &mut motion.road));
        let (steer_angles, roads) = split.collect();
        RoadGeometryView {
            axles: &self.chassis.axles,
            rigid_body: &self.chassis.body,
            wheel_params: PerWheel::Shared(&self.wheel),
            suspension_params: PerWheel::Slice(&self.mounts),
            steer_angles: PerWheel::Refs(steer_angles),
            roads: PerWheelMut::Refs(roads),
        }
    }
}

impl HasSuspension for OneMake {
    fn suspension(&mut self) -> SuspensionView<'_> {
        let split = self.motions.iter_mut().map(|motion| {
            let read = (&motion.steer_angle, &motion.road);
            let written =
                (&mut motion.suspension, &mut motion.compliance, &mut motion.suspension_force);
            (read, written)
        });
        let ((steer_angles, roads), (states, compliances, forces)) = split.collect();
        SuspensionView {
            axles: &self.chassis.axles,
            rigid_body_params: &self.chassis.rigid_body,
            rigid_body: &self.chassis.body,
            jounce_params: &self.chassis.jounce,
            wheel_params: PerWheel::Shared(&self.wheel),
            params: PerWheel::Slice(&self.mounts),
            compliance_params: PerWheel::Shared(&self.compliance),
            force_params: PerWheel::Shared(&self.spring),
            anti_roll_bars: &self.chassis.anti_roll_bars,
            steer_angles: PerWheel::Refs(steer_angles),
            roads: PerWheel::Refs(roads),
            states: PerWheelMut::Refs(states),
            compliances: PerWheelMut::Refs(compliances),
            forces: PerWheelMut::Refs(forces),
            anti_roll_torque: &mut self.chassis.anti_roll_torque,
        }
    }
}

impl HasTires for OneMake {
    type Model = BrushTire;

    fn tires(&mut self) -> TireView<'_, BrushTire> {
        let split = self.motions.iter_mut().map(|motion| {
            let controls = (&motion.steer_angle, &motion.actuation, &motion.road, &motion.wheel);
            let suspended = (&motion.suspension, &motion.compliance, &motion.suspension_force);
            let written = (&mut motion.tire, &mut motion.sticky_tire, &mut motion.tire_memory);
            (controls, suspended, written)
        });
        let (controls, suspended, (states, sticky_states, model_states)) = split.collect();
        let (steer_angles, actuations, roads, wheels) = controls;
        let (suspension_states, compliances, suspension_forces) = suspended;
        TireView {
            axles: &self.chassis.axles,
            rigid_body: &self.chassis.body,
            wheel_params: PerWheel::Shared(&self.wheel),
            suspension_params: PerWheel::Slice(&self.mounts),
            models: PerWheel::Shared(&self.tire),
            steer_angles: PerWheel::Refs(steer_angles),
            actuations: PerWheel::Refs(actuations),
            roads: PerWheel::Refs(roads),
            suspension_states: PerWheel::Refs(suspension_states),
            compliances: PerWheel::Refs(compliances),
            suspension_forces: PerWheel::Refs(suspension_forces),
            wheels: PerWheel::Refs(wheels),
            states: PerWheelMut::Refs(states),
            sticky_states: PerWheelMut::Refs(sticky_states),
            model_states: PerWheelMut::Refs(model_states),
        }
    }
}

impl HasDrive for OneMake {
    fn drive(&mut self) -> DriveView<'_> {
        let split = self.motions.iter_mut().map(|motion| {
            let read = (&motion.brake_torque, &motion.tire);
            (read, (&mut motion.actuation, &mut motion.wheel))
        });
        let ((brake_torques, tires), (actuations, wheels)) = split.collect();
        DriveView {
            axles: &self.chassis.axles,
            commands: &self.chassis.commands,
            wheel_params: PerWheel::Shared(&self.wheel),
            brake_torques: PerWheel::Refs(brake_torques),
            tires: PerWheel::Refs(tires),
            actuations: PerWheelMut::Refs(actuations),
            wheels: PerWheelMut::Refs(wheels),
        }
    }
}

impl HasRigidBody for OneMake {
    fn rigid_body(&mut self) -> RigidBodyView<'_> {
        let forces = self.motions.iter().map(|motion| &motion.suspension_force);
        RigidBodyView {
            axles: &self.chassis.axles,
            params: &self.chassis.rigid_body,
            suspension_forces: forces.collect(),
            tires: self.motions.iter().map(|motion| &motion.tire).collect(),
            anti_roll_torque: self.chassis.anti_roll_torque,
            state: &mut self.chassis.body,
        }
    }
}

impl HasWheels for OneMake {
    fn wheels(&mut self) -> WheelView<'_> {
        let split = self.motions.iter_mut().map(|motion| {
            let controls = (&motion.steer_angle, &motion.actuation, &motion.tire);
            (controls, (&motion.suspension, &motion.compliance), &mut motion.wheel)
        });
        let (controls, (suspension_states, compliances), states) = split.collect();
        let (steer_angles, actuations, tires) = controls;
        WheelView {
            axles: &self.chassis.axles,
            params: PerWheel::Shared(&self.wheel),
            suspension_params: PerWheel::Slice(&self.mounts),
            suspension_states: PerWheel::Refs(suspension_states),
            compliances: PerWheel::Refs(compliances),
            steer_angles: PerWheel::Refs(steer_angles),
            actuations: PerWheel::Refs(actuations),
            tires: PerWheel::Refs(tires),
            states: PerWheelMut::Refs(states),
        }
    }
}

type TireMemory<V> = <<V as HasTires>::Model as TireModel>::State;

/// A vehicle of this file: built from parameters, driven by commands, compared by its motion.
trait TestVehicle:
    HasBrakes
    + HasSteering
    + HasRoadGeometry
    + HasSuspension
    + HasTires
    + HasDrive
    + HasWheels
    + HasRigidBody
    + Sized
    + 'static
{
    fn build(params: &MechanicalParams<Self::Model>) -> Self;

    fn chassis(&mut self) -> &mut Chassis;

    /// What every wheel does.
    fn motions(&self) -> Vec<WheelMotion<TireMemory<Self>>>;

    fn sequence() -> ComponentSequence<Self> {
        ComponentSequence::new()
            .then(Brakes)
            .then(Steering)
            .then(actuate_wheels::<Self>)
            .then(RoadGeometry)
            .substeps(
                |_| SUBSTEPS,
                |group| group.then(Suspension).then(Tire).then(turn_wheels::<Self>).then(RigidBody),
            )
            .then(Wheel)
    }
}

impl TestVehicle for Lists {
    fn build(params: &MechanicalParams) -> Self {
        let count = params.axles.wheel_count();
        Self {
            chassis: params.into(),
            wheel_params: params.wheels.clone(),
            suspension_params: params.suspensions.clone(),
            compliance_params: params.compliances.clone(),
            force_params: params.suspension_forces.clone(),
            tire_params: params.tires.clone(),
            brake_torques: vec![0.0; count],
            steer_angles: vec![0.0; count],
            actuations: vec![WheelActuation::default(); count],
            roads: vec![None; count],
            suspensions: vec![SuspensionState::default(); count],
            compliances: vec![SuspensionCompliance::default(); count],
            suspension_forces: vec![SuspensionForce::default(); count],
            tires: vec![TireState::default(); count],
            sticky_tires: vec![TireStickyState::default(); count],
            tire_memories: vec![(); count],
            wheels: vec![WheelState::default(); count],
        }
    }

    fn chassis(&mut self) -> &mut Chassis {
        &mut self.chassis
    }

    fn motions(&self) -> Vec<WheelMotion> {
        let motion = |wheel: usize| WheelMotion {
            brake_torque: self.brake_torques[wheel],
            steer_angle: self.steer_angles[wheel],
            actuation: self.actuations[wheel],
            road: self.roads[wheel],
            suspension: self.suspensions[wheel],
            compliance: self.compliances[wheel],
            suspension_force: self.suspension_forces[wheel],
            tire: self.tires[wheel],
            sticky_tire: self.sticky_tires[wheel],
            tire_memory: self.tire_memories[wheel],
            wheel: self.wheels[wheel],
        };
        (0..self.wheels.len()).map(motion).collect()
    }
}

impl<M: TireModel> TestVehicle for Corners<M> {
    fn build(params: &MechanicalParams<M>) -> Self {
        let corner = |wheel: usize| Corner {
            wheel: params.wheels[wheel],
            suspension: params.suspensions[wheel],
            compliance: params.compliances[wheel].clone(),
            spring: params.suspension_forces[wheel],
            tire: params.tires[wheel].clone(),
            motion: WheelMotion::default(),
        };
        let corners = (0..params.axles.wheel_count()).map(corner).collect();
        Self { chassis: params.into(), corners }
    }

    fn chassis(&mut self) -> &mut Chassis {
        &mut self.chassis
    }

    fn motions(&self) -> Vec<WheelMotion<M::State>> {
        self.corners.iter().map(|corner| corner.motion.clone()).collect()
    }
}

impl TestVehicle for OneMake {
    fn build(params: &MechanicalParams) -> Self {
        Self {
            chassis: params.into(),
            wheel: only(&params.wheels),
            compliance: only(&params.compliances),
            spring: only(&params.suspension_forces),
            tire: only(&params.tires),
            mounts: params.suspensions.clone(),
            motions: vec![WheelMotion::default(); params.axles.wheel_count()],
        }
    }

    fn chassis(&mut self) -> &mut Chassis {
        &mut self.chassis
    }

    fn motions(&self) -> Vec<WheelMotion> {
        self.motions.clone()
    }
}

/// The value that all wheels share.
fn only<T: Clone + PartialEq + std::fmt::Debug>(values: &[T]) -> T {
    assert!(values.iter().all(|value| *value == values[0]), "not of one make: {values:?}");
    values[0].clone()
}

/// A car on a flat road, at the height of rest.
struct Drive<V> {
    vehicle: V,
    sequence: ComponentSequence<V>,
    simulation: SimulationParams,
    road: FlatRoad,
}

impl<V: TestVehicle> Drive<V> {
    fn new(blueprint: &CarBlueprint, params: &MechanicalParams<V::Model>) -> Self {
        let frame = &blueprint.frame;
        let mut vehicle = V::build(params);
        let start = frame.translation(0.0, 0.0, blueprint.center_of_mass_height);
        vehicle.chassis().body = RigidBodyState::at_rest(Pose::from_translation(start));
        let tire_sticky = Some(TireStickyParams::default());
        let simulation = SimulationParams { tire_sticky, ..SimulationParams::new(*frame) };
        Self { vehicle, sequence: V::sequence(), simulation, road: FlatRoad::new(frame) }
    }

    fn step(&mut self, commands: Commands) {
        self.vehicle.chassis().commands = commands;
        let context = Context::new(&self.simulation, &self.road);
        let flow = self.sequence.update(&mut self.vehicle, DT, &context);
        assert_eq!(flow, Ok(Continue(())));
    }

    fn run(&mut self, seconds: Real, commands: Commands) {
        for _ in 0..steps(seconds) {
            self.step(commands);
        }
    }

    /// Everything that changes, printed.
    ///
    /// Floats are printed with the digits that identify their bits, and -0 with its sign.
    fn printed(&mut self) -> Vec<String> {
        let wheels = self.vehicle.motions();
        let Chassis { body, anti_roll_torque, .. } = self.vehicle.chassis();
        let mut lines = vec![format!("{body:?}"), format!("{anti_roll_torque:?}")];
        lines.extend(wheels.iter().map(|motion| format!("{motion:?}")));
        lines
    }

    fn speed(&mut self) -> Real {
        let frame = self.simulation.coordinates.frame;
        self.vehicle.chassis().body.longitudinal_speed(&frame)
    }
}

fn steps(seconds: Real) -> usize {
    (seconds / DT).round() as usize
}

/// A car of four equal corners.
fn balanced_car() -> CarBlueprint {
    CarBlueprint { front_share: 0.5, ..CarBlueprint::default() }
}

fn four_wheels(blueprint: &CarBlueprint) -> MechanicalParams {
    let bars = [[0, 1], [2, 3]].map(|wheels| AntiRollBarParams { wheels, stiffness: 8_000.0 });
    MechanicalParams {
        anti_roll_bars: bars.to_vec(),
        ..blueprint.mechanics().expect("a faultless car")
    }
}

/// The corners of a balanced car, and two more of them on an axle amidships that is updated second.
fn six_wheels(blueprint: &CarBlueprint) -> MechanicalParams {
    let mut params = four_wheels(blueprint);
    params.axles = AxleDescription::new([[0, 1], [4, 5], [2, 3]]).expect("six wheels");
    params.rigid_body.mass *= 1.5;
    params.rigid_body.inertia *= 1.5;
    for (wheel, steer) in [(0, -0.3), (1, -0.3)] {
        let mut mount = params.suspensions[wheel];
        let forward = blueprint.frame.longitudinal();
        let position = &mut mount.attachment.translation;
        *position -= forward * position.dot(forward);
        params.suspensions.push(mount);
        params.wheels.push(params.wheels[wheel]);
        params.compliances.push(params.compliances[wheel].clone());
        params.suspension_forces.push(params.suspension_forces[wheel]);
        params.tires.push(params.tires[wheel]);
        params.steering.wheel_multipliers.push(0.0);
        params.steering.wheel_multipliers[wheel + 2] = steer;
        for brake in &mut params.brakes {
            brake.wheel_multipliers.push(0.5);
        }
    }
    params.validate().expect("a faultless truck");
    params
}

/// Full throttle, a bend, an emergency stop in the bend, and a hand brake at rest.
fn commands_at(time: Real) -> Commands {
    let throttle = if time < 2.0 { 1.0 } else { 0.0 };
    let steer = if time < 1.0 { 0.0 } else { 0.4 * (time * 2.0).sin() };
    let foot = if 2.5 < time { 0.8 } else { 0.0 };
    let hand = if 4.0 < time { 1.0 } else { 0.0 };
    Commands { throttle, brakes: [foot, hand], steer }
}

fn all_storages_drive_alike(blueprint: &CarBlueprint, params: &MechanicalParams) {
    let mut lists = Drive::<Lists>::new(blueprint, params);
    let mut corners = Drive::<Corners<BrushTire>>::new(blueprint, params);
    let mut one_make = Drive::<OneMake>::new(blueprint, params);
    let mut top_speed: Real = 0.0;
    for step in 0..steps(5.0) {
        let commands = commands_at(step as Real * DT);
        lists.step(commands);
        corners.step(commands);
        one_make.step(commands);
        let expected = lists.printed();
        for (storage, actual) in [("corners", corners.printed()), ("one make", one_make.printed())]
        {
            for (expected, actual) in expected.iter().zip(&actual) {
                assert_eq!(expected, actual, "lists, {storage}, step {step}, {commands:?}");
            }
        }
        top_speed = top_speed.max(lists.speed());
    }
    // Cars that never move are alike too.
    let speed = lists.speed();
    assert!(8.0 < top_speed && speed.abs() < 0.5, "top speed {top_speed} m/s, then {speed} m/s");
}

#[test]
fn four_wheels_drive_alike_in_any_storage() {
    let blueprint = balanced_car();
    all_storages_drive_alike(&blueprint, &four_wheels(&blueprint));
}

#[test]
fn six_wheels_on_three_axles_drive_alike_in_any_storage() {
    let blueprint = balanced_car();
    all_storages_drive_alike(&blueprint, &six_wheels(&blueprint));
}

/// A suspension of the user's own, with the library's formulas inside: a spring that grows stiffer.
///
/// ```text
/// k' = k (1 + j/J)
/// ```
struct ProgressiveSuspension {
    /// Jounce J at which the stiffness has doubled (m).
    doubling_jounce: Real,
}

impl ProgressiveSuspension {
    fn update_wheel(
        &self,
        view: &mut SuspensionView<'_>,
        wheel: usize,
        dt: Real,
        context: &Context<'_>,
    ) {
        let (params, spring) = (&view.params[wheel], &view.force_params[wheel]);
        let (body, gravity) = (view.rigid_body, context.params.gravity);
        let (wheel_params, steer_angle) = (&view.wheel_params[wheel], view.steer_angles[wheel]);
        let travel = wheel_travel(params, wheel_params, body, steer_angle, context.frame());
        let drop = WheelDrop {
            stiffness: spring.stiffness,
            damping: spring.damping,
            wheel_mass: wheel_params.mass,
            gravity,
        };
        let plane = view.roads[wheel].as_ref().map(|road| &road.plane);
        let (jounce_params, previous) = (view.jounce_params, &view.states[wheel]);
        let state =
            suspension_state(jounce_params, &travel, context.frame(), plane, &drop, previous, dt);
        let jounce = state.jounce.unwrap_or(0.0);
        let compliance =
            suspension_compliance(&view.compliance_params[wheel], jounce, params.travel_distance);
        let force = plane.filter(|_| state.is_on_ground()).map(|plane| {
            let stiffness = spring.stiffness * (1.0 + jounce / self.doubling_jounce);
            let spring = SuspensionForceParams { stiffness, ..*spring };
            let load = SuspensionLoad {
                vehicle_mass: view.rigid_body_params.mass,
                gravity,
                road_normal: plane.normal,
                force_point: compliance.suspension_force_point,
            };
            suspension_force(&spring, params, body, jounce, state.jounce_speed, &load)
        });
        view.states[wheel] = state;
        view.compliances[wheel] = compliance;
        view.forces[wheel] = force.unwrap_or_default();
    }
}

impl<V: HasSuspension> Component<V> for ProgressiveSuspension {
    fn update(&self, vehicle: &mut V, dt: Real, context: &Context<'_>) -> ControlFlow<()> {
        let mut view = vehicle.suspension();
        for wheel in view.axles.wheels() {
            self.update_wheel(&mut view, wheel, dt, context);
        }
        Continue(())
    }
}

/// The library's suspension with a bump stop on top: a second spring near full compression.
struct WithBumpStops {
    /// Jounce at which the stop is met (m).
    jounce: Real,
    /// Stiffness of the stop (N/m).
    stiffness: Real,
}

impl<V: HasSuspension> Component<V> for WithBumpStops {
    fn update(&self, vehicle: &mut V, dt: Real, context: &Context<'_>) -> ControlFlow<()> {
        Suspension.update(vehicle, dt, context)?;
        let mut view = vehicle.suspension();
        for wheel in view.axles.wheels() {
            let jounce = view.states[wheel].jounce.unwrap_or(0.0);
            let Some(road) = view.roads[wheel] else { continue };
            let stop = self.stiffness * (jounce - self.jounce).max(0.0);
            let point = view.compliances[wheel].suspension_force_point;
            let arm = force_arm(&view.params[wheel], view.rigid_body, point);
            let force = &mut view.forces[wheel];
            force.normal_load += stop;
            force.force += road.plane.normal * stop;
            force.torque += arm.cross(road.plane.normal * stop);
        }
        Continue(())
    }
}

/// Asserts that every wheel of a car with `component` as its suspension comes to rest at `expected`
/// (m).
fn assert_rests_at(
    component: impl Component<Corners<BrushTire>> + 'static,
    expected: Real,
    what: &str,
) {
    let blueprint = balanced_car();
    let mut drive = Drive::<Corners<BrushTire>>::new(&blueprint, &four_wheels(&blueprint));
    drive.sequence = drive.sequence.replace::<Suspension>(component).expect("a suspension");
    drive.run(5.0, Commands::default());
    for (wheel, motion) in drive.vehicle.motions().iter().enumerate() {
        let jounce = motion.suspension.jounce.expect("a jounce after the first step");
        let load = motion.suspension_force.normal_load;
        assert!(
            (jounce - expected).abs() < 1e-4,
            "{what}: wheel {wheel} rests at {jounce} m under {load} N, expected {expected} m"
        );
    }
}

#[test]
fn a_component_of_the_users_own_replaces_a_stage() {
    let doubling_jounce: Real = 0.1;
    // k j (1 + j/J) = m g and k r = m g, so j² / J + j - r = 0.
    let rest = balanced_car().rest_jounce();
    let expected = 0.5 * doubling_jounce * ((1.0 + 4.0 * rest / doubling_jounce).sqrt() - 1.0);
    assert_rests_at(ProgressiveSuspension { doubling_jounce }, expected, "progressive springs");
}

#[test]
fn a_component_adds_a_force_to_a_stage_of_the_library() {
    let blueprint = balanced_car();
    let spring = four_wheels(&blueprint).suspension_forces[0];
    let stops = WithBumpStops { jounce: 0.08, stiffness: 2.0 * spring.stiffness };
    // k j + K (j - J) = m g
    let weight = spring.sprung_mass * GRAVITY;
    let expected = (weight + stops.stiffness * stops.jounce) / (spring.stiffness + stops.stiffness);
    assert_rests_at(stops, expected, "bump stops");
}

#[test]
fn a_stage_that_is_not_there_cannot_be_replaced() {
    let sequence = ComponentSequence::<Lists>::new().then(Brakes);
    let error = sequence.replace::<Suspension>(Steering).unwrap_err().to_string();
    assert!(error.ends_with("suspension::Suspension"), "{error}");
}

/// A linear tire within the friction circle, whose lateral force builds up as the tire rolls.
///
/// ```text
/// dα'/dt = |v| (α - α') / σ
/// F = (C_s s, -C_α α') min(1, μ N / |(C_s s, C_α α')|)
/// ```
///
/// with `σ` the relaxation length; α' advances implicitly.
#[derive(Clone, Copy, Debug, PartialEq)]
struct LinearTire {
    /// C_s (N).
    longitudinal_stiffness: Real,
    /// C_α (N/rad).
    cornering_stiffness: Real,
    /// σ (m).
    relaxation_length: Real,
}

/// What a [`LinearTire`] remembers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct LinearTireState {
    /// Slip angle α' that the tire's carcass has followed (rad).
    slip_angle: Real,
}

impl TireModel for LinearTire {
    type State = LinearTireState;

    fn forces(&self, input: &TireInput<'_>, state: &mut LinearTireState) -> TireOutput {
        let speed = input.wheel.contact_speeds.longitudinal.abs();
        let share = speed * input.dt / self.relaxation_length;
        state.slip_angle = (state.slip_angle + share * input.slip.lateral) / (1.0 + share);

        let along = self.longitudinal_stiffness * input.slip.longitudinal;
        let across = -self.cornering_stiffness * state.slip_angle;
        let limit = input.grip.friction * input.grip.load;
        let scale = if limit < along.hypot(across) { limit / along.hypot(across) } else { 1.0 };
        TireOutput {
            longitudinal_force: along * scale,
            lateral_force: across * scale,
            longitudinal_stiffness: self.longitudinal_stiffness * scale,
            ..TireOutput::default()
        }
    }

    fn check(&self, check: &mut ParamCheck) {
        check.number("longitudinal_stiffness", self.longitudinal_stiffness, Bound::Positive);
        check.number("cornering_stiffness", self.cornering_stiffness, Bound::Positive);
        check.number("relaxation_length", self.relaxation_length, Bound::Positive);
    }
}

fn on_linear_tires(params: MechanicalParams, tire: LinearTire) -> MechanicalParams<LinearTire> {
    let tires = vec![tire; params.axles.wheel_count()];
    MechanicalParams {
        axles: params.axles,
        rigid_body: params.rigid_body,
        brakes: params.brakes,
        steering: params.steering,
        ackermann: params.ackermann,
        jounce: params.jounce,
        wheels: params.wheels,
        suspensions: params.suspensions,
        compliances: params.compliances,
        suspension_forces: params.suspension_forces,
        anti_roll_bars: params.anti_roll_bars,
        tires,
    }
}

#[test]
fn a_tire_of_the_users_own_drives_and_remembers() {
    let blueprint = balanced_car();
    let tire = LinearTire {
        longitudinal_stiffness: 30_000.0,
        cornering_stiffness: 50_000.0,
        relaxation_length: 0.5,
    };
    let params = on_linear_tires(four_wheels(&blueprint), tire);
    params.validate().unwrap();
    let mut drive = Drive::<Corners<LinearTire>>::new(&blueprint, &params);

    drive.run(3.0, Commands { throttle: 0.8, ..Commands::default() });
    let speed = drive.speed();
    assert!(5.0 < speed, "{speed} m/s after 3 s at throttle 0.8");

    let turn = Commands { steer: 0.1, ..Commands::default() };
    drive.step(turn);
    let front = drive.vehicle.motions()[0].clone();
    let (slip, remembered) = (front.tire.slip.lateral, front.tire_memory.slip_angle);
    assert!(
        slip < remembered && remembered < 0.0,
        "the first step of a left turn: remembered {remembered} rad, slip angle {slip} rad"
    );

    drive.run(2.0, turn);
    for (wheel, motion) in drive.vehicle.motions().iter().enumerate() {
        let (slip, remembered) = (motion.tire.slip.lateral, motion.tire_memory.slip_angle);
        assert!(
            slip < 0.0 && (remembered / slip - 1.0).abs() < 0.02,
            "wheel {wheel} in a steady turn: remembered {remembered} rad, slip angle {slip} rad"
        );
    }
}

#[test]
fn faults_of_a_tire_of_the_users_own_are_named() {
    let tire = LinearTire {
        longitudinal_stiffness: 30_000.0,
        cornering_stiffness: 50_000.0,
        relaxation_length: 0.0,
    };
    let mut params = on_linear_tires(four_wheels(&balanced_car()), tire);
    params.tires.truncate(1);
    assert_eq!(
        params.validate().unwrap_err().to_string(),
        "tires must be of 4 elements, one per wheel, got 1; \
         tires[0].relaxation_length must be positive and finite, got 0"
    );
}
