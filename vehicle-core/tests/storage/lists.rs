//! Struct of lists: a vehicle that keeps a list per kind of value and lends slices.

use vehicle_core::actuation::WheelActuation;
use vehicle_core::brakes::{BrakesView, HasBrakes};
use vehicle_core::constraint_rows::{ConstraintRowsView, HasConstraintRows, WheelRows};
use vehicle_core::math::Real;
use vehicle_core::rigid_body::{HasRigidBody, RigidBodyView};
use vehicle_core::road_geometry::{HasRoadGeometry, RoadContact, RoadGeometryView};
use vehicle_core::steering::{HasSteering, SteeringView};
use vehicle_core::suspension::{
    HasSuspension, SuspensionCompliance, SuspensionComplianceParams, SuspensionForce,
    SuspensionForceParams, SuspensionParams, SuspensionState, SuspensionView,
};
use vehicle_core::tire::{BrushTire, HasTires, TireState, TireStickyState, TireView};
use vehicle_core::vehicle::MechanicalParams;
use vehicle_core::wheel::{HasWheels, WheelParams, WheelState, WheelView};
use vehicle_core::{PerWheel, PerWheelMut};

use crate::chassis::{Chassis, WheelMotion};
use crate::stages::{DriveView, HasDrive};
use crate::test_drive::TestVehicle;

/// A vehicle that keeps a list per kind of value.
pub struct Lists {
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
    rows: Vec<WheelRows>,
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
            wheels: PerWheel::Slice(&self.wheels),
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

impl HasConstraintRows for Lists {
    fn constraint_rows(&mut self) -> ConstraintRowsView<'_> {
        ConstraintRowsView {
            axles: &self.chassis.axles,
            rigid_body_params: &self.chassis.rigid_body,
            rigid_body: &self.chassis.body,
            limit_params: &self.chassis.suspension_limit,
            wheel_params: PerWheel::Slice(&self.wheel_params),
            brake_torques: PerWheel::Slice(&self.brake_torques),
            suspension_params: PerWheel::Slice(&self.suspension_params),
            suspension_states: PerWheel::Slice(&self.suspensions),
            suspension_forces: PerWheel::Slice(&self.suspension_forces),
            compliances: PerWheel::Slice(&self.compliances),
            roads: PerWheel::Slice(&self.roads),
            tires: PerWheel::Slice(&self.tires),
            sticky_states: PerWheel::Slice(&self.sticky_tires),
            anchor: &mut self.chassis.anchor,
            rows: PerWheelMut::Slice(&mut self.rows),
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
            rows: PerWheelMut::Slice(&mut self.rows),
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
            rows: vec![WheelRows::default(); count],
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
            rows: self.rows[wheel],
            wheel: self.wheels[wheel],
        };
        (0..self.wheels.len()).map(motion).collect()
    }
}
