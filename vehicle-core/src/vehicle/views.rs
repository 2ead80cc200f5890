//! The views of every component, for each vehicle that has the ready-made mechanical base.

use super::{HasMechanics, Mechanics};

use crate::aerodynamics::{AerodynamicsView, HasAerodynamics};
use crate::brakes::{BrakesView, HasBrakes};
use crate::constraint_rows::{ConstraintRowsView, HasConstraintRows};
use crate::ground::{GroundView, HasGround};
use crate::rigid_body::{HasRigidBody, RigidBodyView};
use crate::road_geometry::{HasRoadGeometry, RoadGeometryView};
use crate::steering::{HasSteering, SteeringView};
use crate::suspension::{HasSuspension, SuspensionView};
use crate::tire::{HasTires, TireView};
use crate::wheel::{HasWheels, WheelView};
use crate::{PerWheel, PerWheelMut};

fn each<T>(values: &[T]) -> PerWheel<'_, T> {
    PerWheel::Slice(values)
}

fn each_mut<T>(values: &mut [T]) -> PerWheelMut<'_, T> {
    PerWheelMut::Slice(values)
}

impl<V: HasMechanics + ?Sized> HasBrakes for V {
    fn brakes(&mut self) -> BrakesView<'_> {
        let Mechanics { params, commands, state } = self.mechanics();
        BrakesView {
            axles: &params.axles,
            rigid_body: &state.rigid_body,
            commands,
            params: &params.brakes,
            torques: each_mut(&mut state.brake_torques),
        }
    }
}

impl<V: HasMechanics + ?Sized> HasSteering for V {
    fn steering(&mut self) -> SteeringView<'_> {
        let Mechanics { params, commands, state } = self.mechanics();
        SteeringView {
            axles: &params.axles,
            rigid_body: &state.rigid_body,
            commands,
            params: &params.steering,
            ackermann: &params.ackermann,
            angles: each_mut(&mut state.steer_angles),
        }
    }
}

impl<V: HasMechanics + ?Sized> HasRoadGeometry for V {
    fn road_geometry(&mut self) -> RoadGeometryView<'_> {
        let Mechanics { params, state, .. } = self.mechanics();
        RoadGeometryView {
            axles: &params.axles,
            rigid_body: &state.rigid_body,
            wheel_params: each(&params.wheels),
            suspension_params: each(&params.suspensions),
            steer_angles: each(&state.steer_angles),
            wheels: each(&state.wheels),
            roads: each_mut(&mut state.roads),
        }
    }
}

impl<V: HasMechanics + ?Sized> HasSuspension for V {
    fn suspension(&mut self) -> SuspensionView<'_> {
        let Mechanics { params, state, .. } = self.mechanics();
        SuspensionView {
            axles: &params.axles,
            rigid_body_params: &params.rigid_body,
            rigid_body: &state.rigid_body,
            jounce_params: &params.jounce,
            wheel_params: each(&params.wheels),
            params: each(&params.suspensions),
            compliance_params: each(&params.compliances),
            force_params: each(&params.suspension_forces),
            anti_roll_bars: &params.anti_roll_bars,
            steer_angles: each(&state.steer_angles),
            roads: each(&state.roads),
            states: each_mut(&mut state.suspensions),
            compliances: each_mut(&mut state.compliances),
            forces: each_mut(&mut state.suspension_forces),
            anti_roll_torque: &mut state.anti_roll_torque,
        }
    }
}

impl<V: HasMechanics + ?Sized> HasTires for V {
    type Model = V::Tire;

    fn tires(&mut self) -> TireView<'_, V::Tire> {
        let Mechanics { params, state, .. } = self.mechanics();
        TireView {
            axles: &params.axles,
            rigid_body: &state.rigid_body,
            wheel_params: each(&params.wheels),
            suspension_params: each(&params.suspensions),
            models: each(&params.tires),
            steer_angles: each(&state.steer_angles),
            actuations: each(&state.actuations),
            roads: each(&state.roads),
            suspension_states: each(&state.suspensions),
            compliances: each(&state.compliances),
            suspension_forces: each(&state.suspension_forces),
            wheels: each(&state.wheels),
            states: each_mut(&mut state.tires),
            sticky_states: each_mut(&mut state.sticky_tires),
            model_states: each_mut(&mut state.tire_models),
        }
    }
}

impl<V: HasMechanics + ?Sized> HasAerodynamics for V {
    fn aerodynamics(&mut self) -> AerodynamicsView<'_> {
        let Mechanics { params, state, .. } = self.mechanics();
        AerodynamicsView { params: &params.aerodynamics, rigid_body: &mut state.rigid_body }
    }
}

impl<V: HasMechanics + ?Sized> HasConstraintRows for V {
    fn constraint_rows(&mut self) -> ConstraintRowsView<'_> {
        let Mechanics { params, state, .. } = self.mechanics();
        ConstraintRowsView {
            axles: &params.axles,
            rigid_body_params: &params.rigid_body,
            rigid_body: &state.rigid_body,
            limit_params: &params.suspension_limit,
            wheel_params: each(&params.wheels),
            brake_torques: each(&state.brake_torques),
            suspension_params: each(&params.suspensions),
            suspension_states: each(&state.suspensions),
            suspension_forces: each(&state.suspension_forces),
            compliances: each(&state.compliances),
            roads: each(&state.roads),
            tires: each(&state.tires),
            sticky_states: each(&state.sticky_tires),
            anchor: &mut state.anchor,
            rows: each_mut(&mut state.rows),
        }
    }
}

impl<V: HasMechanics + ?Sized> HasRigidBody for V {
    fn rigid_body(&mut self) -> RigidBodyView<'_> {
        let Mechanics { params, state, .. } = self.mechanics();
        RigidBodyView {
            axles: &params.axles,
            params: &params.rigid_body,
            suspension_forces: each(&state.suspension_forces),
            tires: each(&state.tires),
            anti_roll_torque: state.anti_roll_torque,
            rows: each_mut(&mut state.rows),
            state: &mut state.rigid_body,
        }
    }
}

impl<V: HasMechanics + ?Sized> HasGround for V {
    fn ground(&mut self) -> GroundView<'_> {
        let Mechanics { params, state, .. } = self.mechanics();
        GroundView {
            axles: &params.axles,
            suspension_forces: each(&state.suspension_forces),
            tires: each(&state.tires),
            rows: each(&state.rows),
            roads: each_mut(&mut state.roads),
        }
    }
}

impl<V: HasMechanics + ?Sized> HasWheels for V {
    fn wheels(&mut self) -> WheelView<'_> {
        let Mechanics { params, state, .. } = self.mechanics();
        WheelView {
            axles: &params.axles,
            params: each(&params.wheels),
            suspension_params: each(&params.suspensions),
            suspension_states: each(&state.suspensions),
            compliances: each(&state.compliances),
            steer_angles: each(&state.steer_angles),
            actuations: each(&state.actuations),
            tires: each(&state.tires),
            states: each_mut(&mut state.wheels),
        }
    }
}
