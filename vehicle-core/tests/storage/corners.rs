//! Struct per wheel: a vehicle that keeps all of a wheel together and lends lists of references.

use vehicle_core::brakes::{BrakesView, HasBrakes};
use vehicle_core::constraint_rows::{ConstraintRowsView, HasConstraintRows};
use vehicle_core::rigid_body::{HasRigidBody, RigidBodyView};
use vehicle_core::road_geometry::{HasRoadGeometry, RoadGeometryView};
use vehicle_core::steering::{HasSteering, SteeringView};
use vehicle_core::suspension::{
    HasSuspension, SuspensionComplianceParams, SuspensionForceParams, SuspensionParams,
    SuspensionView,
};
use vehicle_core::tire::{HasTires, TireModel, TireView};
use vehicle_core::vehicle::MechanicalParams;
use vehicle_core::wheel::{HasWheels, WheelParams, WheelView};
use vehicle_core::{PerWheel, PerWheelMut};

use crate::chassis::{Chassis, WheelMotion};
use crate::stages::{DriveView, HasDrive};
use crate::test_drive::TestVehicle;

/// A vehicle that keeps a struct per wheel.
///
/// A view that reads some fields of a wheel and writes others splits each wheel once into borrows
/// of its fields and collects tuples of references into lists of references.
pub struct Corners<M: TireModel> {
    chassis: Chassis,
    corners: Vec<Corner<M>>,
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
            (&*wheel, &*suspension, &motion.steer_angle, &motion.wheel, &mut motion.road)
        });
        let (wheel_params, suspensions, steer_angles, wheels, roads) = split.collect();
        RoadGeometryView {
            axles: &self.chassis.axles,
            rigid_body: &self.chassis.body,
            wheel_params: PerWheel::Refs(wheel_params),
            suspension_params: PerWheel::Refs(suspensions),
            steer_angles: PerWheel::Refs(steer_angles),
            wheels: PerWheel::Refs(wheels),
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

impl<M: TireModel> HasConstraintRows for Corners<M> {
    fn constraint_rows(&mut self) -> ConstraintRowsView<'_> {
        let split = self.corners.iter_mut().map(|Corner { wheel, suspension, motion, .. }| {
            let suspended = (&motion.suspension, &motion.suspension_force, &motion.compliance);
            let standing = (&motion.road, &motion.tire, &motion.sticky_tire);
            let braked = (&*wheel, &motion.brake_torque);
            ((&*suspension, suspended), braked, standing, &mut motion.rows)
        });
        let ((suspension_params, suspended), braked, standing, rows) = split.collect();
        let (wheel_params, brake_torques) = braked;
        let (suspension_states, suspension_forces, compliances) = suspended;
        let (roads, tires, sticky_states) = standing;
        ConstraintRowsView {
            axles: &self.chassis.axles,
            rigid_body_params: &self.chassis.rigid_body,
            rigid_body: &self.chassis.body,
            limit_params: &self.chassis.suspension_limit,
            wheel_params: PerWheel::Refs(wheel_params),
            brake_torques: PerWheel::Refs(brake_torques),
            suspension_params: PerWheel::Refs(suspension_params),
            suspension_states: PerWheel::Refs(suspension_states),
            suspension_forces: PerWheel::Refs(suspension_forces),
            compliances: PerWheel::Refs(compliances),
            roads: PerWheel::Refs(roads),
            tires: PerWheel::Refs(tires),
            sticky_states: PerWheel::Refs(sticky_states),
            anchor: &mut self.chassis.anchor,
            rows: PerWheelMut::Refs(rows),
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
        let split = self.corners.iter_mut().map(|Corner { motion, .. }| {
            (&motion.suspension_force, &motion.tire, &mut motion.rows)
        });
        let (suspension_forces, tires, rows) = split.collect();
        RigidBodyView {
            axles: &self.chassis.axles,
            params: &self.chassis.rigid_body,
            suspension_forces: PerWheel::Refs(suspension_forces),
            tires: PerWheel::Refs(tires),
            anti_roll_torque: self.chassis.anti_roll_torque,
            rows: PerWheelMut::Refs(rows),
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
