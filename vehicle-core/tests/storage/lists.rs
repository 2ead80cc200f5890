//! Struct of lists: a vehicle that keeps a list per kind of value and lends each to the stages that
//! use it.

use vehicle_core::actuation::WheelActuation;
use vehicle_core::brakes::{BrakesView, HasBrakes};
use vehicle_core::commands::Commands;
use vehicle_core::constraint_rows::{
    ConstraintRowsView, HasConstraintRows, StandingWheels, VehicleRows,
};
use vehicle_core::math::Real;
use vehicle_core::rigid_body::{HasRigidBody, RigidBodyState, RigidBodyView, WheelLoads};
use vehicle_core::road_geometry::{HasRoadGeometry, RoadContact, RoadGeometryView};
use vehicle_core::steering::{HasSteering, SteeringState, SteeringView};
use vehicle_core::suspension::{
    HasSuspension, SuspensionComplianceParams, SuspensionForceParams, SuspensionParams,
    SuspensionState, SuspensionView,
};
use vehicle_core::tire::{BrushTire, HasTires, TireState, TireView};
use vehicle_core::vehicle::{MechanicalParams, WheelMotion};
use vehicle_core::wheel::{HasWheels, RoadWheel, WheelParams, WheelState, WheelView};
use vehicle_core::wheel_forces::WheelForces;
use vehicle_core::{ComponentSequence, WheelList};

use crate::chassis::Chassis;
use crate::stages::{DriveView, HasDrive};
use crate::test_drive::{Motion, TestVehicle};

/// A vehicle that keeps a list per kind of value.
pub struct Lists {
    chassis: Chassis,
    wheel_params: Vec<WheelParams>,
    suspension_params: WheelList<SuspensionParams>,
    compliance_params: Vec<SuspensionComplianceParams>,
    springs: WheelList<SuspensionForceParams>,
    road_wheels: WheelList<RoadWheel>,
    tire_params: Vec<BrushTire>,
    brake_torques: WheelList<Real>,
    steer_angles: WheelList<Real>,
    steering: SteeringState,
    actuations: WheelList<WheelActuation>,
    roads: WheelList<Option<RoadContact>>,
    suspensions: WheelList<SuspensionState>,
    tires: WheelList<TireState>,
    tire_memories: Vec<()>,
    lateral_response: Real,
    rows: VehicleRows,
    wheels: WheelList<WheelState>,
}

impl HasBrakes for Lists {
    fn brakes(&mut self) -> BrakesView<'_> {
        BrakesView {
            axles: &self.chassis.axles,
            rigid_body: &self.chassis.body,
            commands: &self.chassis.commands,
            params: &self.chassis.brakes,
            valves: &[],
            suspensions: &self.suspensions,
            torques: &mut self.brake_torques,
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
            system: None,
            state: &mut self.steering,
            angles: &mut self.steer_angles,
        }
    }
}

impl HasRoadGeometry for Lists {
    fn road_geometry(&mut self) -> RoadGeometryView<'_> {
        RoadGeometryView {
            axles: &self.chassis.axles,
            rigid_body: &self.chassis.body,
            wheel_params: &self.wheel_params,
            road_wheels: &self.road_wheels,
            suspension_params: &self.suspension_params,
            steer_angles: &self.steer_angles,
            wheels: &self.wheels,
            roads: &mut self.roads,
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
            road_wheels: &self.road_wheels,
            params: &self.suspension_params,
            compliance_params: &self.compliance_params,
            constant_compliances: None,
            springs: &self.springs,
            anti_roll_bars: &self.chassis.anti_roll_bars,
            steer_angles: &self.steer_angles,
            roads: &self.roads,
            states: &mut self.suspensions,
            anti_roll_torque: &mut self.chassis.anti_roll_torque,
            wheel_inertia: None,
        }
    }
}

impl HasTires for Lists {
    type Model = BrushTire;

    fn tires(&mut self) -> TireView<'_, BrushTire> {
        TireView {
            axles: &self.chassis.axles,
            rigid_body_params: &self.chassis.rigid_body,
            rigid_body: &self.chassis.body,
            road_wheels: &self.road_wheels,
            suspension_params: &self.suspension_params,
            models: &self.tire_params,
            // Each tire is asked by itself.
            model_lanes: None,
            steer_angles: &self.steer_angles,
            actuations: &self.actuations,
            roads: &self.roads,
            suspensions: &self.suspensions,
            rows: &self.rows,
            wheels: &self.wheels,
            states: &mut self.tires,
            model_states: &mut self.tire_memories,
        }
    }
}

impl HasConstraintRows for Lists {
    fn constraint_rows(&mut self) -> ConstraintRowsView<'_> {
        ConstraintRowsView {
            wheels: StandingWheels {
                axles: &self.chassis.axles,
                rigid_body_params: &self.chassis.rigid_body,
                rigid_body: &self.chassis.body,
                limit_params: &self.chassis.suspension_limit,
                road_wheels: &self.road_wheels,
                brake_torques: &self.brake_torques,
                suspension_params: &self.suspension_params,
                suspensions: &self.suspensions,
                roads: &self.roads,
                tires: &self.tires,
            },
            has_constant_compliance: false,
            lateral_response: &mut self.lateral_response,
            anchor: &mut self.chassis.anchor,
            rows: &mut self.rows,
        }
    }
}

impl HasDrive for Lists {
    fn drive(&mut self) -> DriveView<'_> {
        DriveView {
            axles: &self.chassis.axles,
            commands: &self.chassis.commands,
            wheel_params: &self.wheel_params,
            brake_torques: &self.brake_torques,
            tires: &self.tires,
            actuations: &mut self.actuations,
            wheels: &mut self.wheels,
        }
    }
}

impl HasRigidBody for Lists {
    fn rigid_body(&mut self) -> RigidBodyView<'_, impl WheelLoads> {
        RigidBodyView {
            axles: &self.chassis.axles,
            params: &self.chassis.rigid_body,
            wheels: WheelForces { suspensions: &self.suspensions, tires: &self.tires },
            anti_roll_torque: self.chassis.anti_roll_torque,
            wheel_inertia: None,
            rows: &mut self.rows,
            state: &mut self.chassis.body,
        }
    }
}

impl HasWheels for Lists {
    fn wheels(&mut self) -> WheelView<'_> {
        WheelView {
            axles: &self.chassis.axles,
            params: &self.road_wheels,
            suspensions: &self.suspensions,
            actuations: &self.actuations,
            tires: &self.tires,
            states: &mut self.wheels,
        }
    }
}

impl TestVehicle for Lists {
    fn build(params: &MechanicalParams) -> Self {
        let count = params.axles.wheel_count();
        Self {
            chassis: params.into(),
            wheel_params: params.wheels.clone(),
            suspension_params: params.suspensions.iter().copied().collect(),
            compliance_params: params.compliances.clone(),
            springs: params.suspension_forces.iter().copied().collect(),
            road_wheels: params.wheels.iter().map(RoadWheel::from).collect(),
            tire_params: params.tires.clone(),
            brake_torques: WheelList::new(count),
            steer_angles: WheelList::new(count),
            steering: SteeringState::at_rest(count),
            actuations: WheelList::new(count),
            roads: WheelList::new(count),
            suspensions: WheelList::new(count),
            tires: WheelList::new(count),
            tire_memories: vec![(); count],
            lateral_response: 0.0,
            rows: VehicleRows::none(count),
            wheels: WheelList::new(count),
        }
    }

    fn sequence() -> ComponentSequence<Self> {
        Self::stages()
    }

    fn drive(&mut self, commands: Commands) {
        self.chassis.commands = commands;
    }

    fn body(&mut self) -> &mut RigidBodyState {
        &mut self.chassis.body
    }

    fn motion(&self) -> Motion<BrushTire> {
        let wheel = |wheel: usize| WheelMotion {
            brake_torque: self.brake_torques[wheel],
            steer_angle: self.steer_angles[wheel],
            kingpin_moment: self.steering.kingpin_moments[wheel],
            contact_angle: self.steering.contact_angles[wheel],
            actuation: self.actuations.of(wheel),
            road: self.roads.of(wheel),
            suspension: self.suspensions.of(wheel),
            tire: self.tires.of(wheel),
            tire_model: self.tire_memories[wheel],
            rows: self.rows.of(wheel),
            wheel: self.wheels.of(wheel),
        };
        let Chassis { body, anti_roll_torque, anchor, .. } = self.chassis;
        let wheels = (0..self.wheels.len()).map(wheel).collect();
        Motion { body, anti_roll_torque, anchor, wheels }
    }
}
