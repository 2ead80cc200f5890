//! Shared values: a vehicle whose wheels have most parameters in common and that lends those once.

use vehicle_core::brakes::{BrakesView, HasBrakes};
use vehicle_core::constraint_rows::{ConstraintRowsView, HasConstraintRows};
use vehicle_core::rigid_body::{HasRigidBody, RigidBodyView};
use vehicle_core::road_geometry::{HasRoadGeometry, RoadGeometryView};
use vehicle_core::steering::{HasSteering, SteeringView};
use vehicle_core::suspension::{
    HasSuspension, SuspensionComplianceParams, SuspensionForceParams, SuspensionParams,
    SuspensionView,
};
use vehicle_core::tire::{BrushTire, HasTires, TireView};
use vehicle_core::vehicle::MechanicalParams;
use vehicle_core::wheel::{HasWheels, WheelParams, WheelView};
use vehicle_core::{PerWheel, PerWheelMut};

use crate::chassis::{Chassis, WheelMotion};
use crate::stages::{DriveView, HasDrive};
use crate::test_drive::TestVehicle;

/// A vehicle whose wheels are all of one make: they differ in where they are mounted.
///
/// What changes is in a struct per wheel.
pub struct OneMake {
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
        let split = self
            .motions
            .iter_mut()
            .map(|motion| (&motion.steer_angle, &motion.wheel, &mut motion.road));
        let (steer_angles, wheels, roads) = split.collect();
        RoadGeometryView {
            axles: &self.chassis.axles,
            rigid_body: &self.chassis.body,
            wheel_params: PerWheel::Shared(&self.wheel),
            suspension_params: PerWheel::Slice(&self.mounts),
            steer_angles: PerWheel::Refs(steer_angles),
            wheels: PerWheel::Refs(wheels),
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

impl HasConstraintRows for OneMake {
    fn constraint_rows(&mut self) -> ConstraintRowsView<'_> {
        let split = self.motions.iter_mut().map(|motion| {
            let suspended = (&motion.suspension, &motion.suspension_force, &motion.compliance);
            let standing = (&motion.road, &motion.tire, &motion.sticky_tire);
            (suspended, &motion.brake_torque, standing, &mut motion.rows)
        });
        let (suspended, brake_torques, (roads, tires, sticky_states), rows) = split.collect();
        let (suspension_states, suspension_forces, compliances) = suspended;
        ConstraintRowsView {
            axles: &self.chassis.axles,
            rigid_body_params: &self.chassis.rigid_body,
            rigid_body: &self.chassis.body,
            limit_params: &self.chassis.suspension_limit,
            wheel_params: PerWheel::Shared(&self.wheel),
            brake_torques: PerWheel::Refs(brake_torques),
            suspension_params: PerWheel::Slice(&self.mounts),
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
        let split = self
            .motions
            .iter_mut()
            .map(|motion| (&motion.suspension_force, &motion.tire, &mut motion.rows));
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
