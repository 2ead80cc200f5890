//! The views of every component, for each vehicle that has the ready-made mechanical base.

use super::{HasMechanics, Mechanics};

use crate::aerodynamics::{AerodynamicsView, HasAerodynamics};
use crate::brakes::{BrakesView, HasBrakes};
use crate::constraint_rows::{ConstraintRowsView, HasConstraintRows, StandingWheels};
use crate::ground::{GroundView, HasGround};
use crate::rigid_body::{HasRigidBody, RigidBodyView, WheelLoads};
use crate::road::RoadPathView;
use crate::road_geometry::{HasRoadGeometry, RoadAheadView, RoadGeometryView};
use crate::steering::{HasSteering, SteeringView};
use crate::suspension::unsprung::UnsprungView;
use crate::suspension::{HasSuspension, StrutLanes, SuspensionView};
use crate::tire::{HasTires, TireView};
use crate::wheel::{HasWheels, WheelView};
use crate::wheel_forces::WheelForces;

impl<V: HasMechanics + ?Sized> HasBrakes for V {
    fn brakes(&mut self) -> BrakesView<'_> {
        let Mechanics { params, commands, state, .. } = self.mechanics();
        BrakesView {
            axles: &params.axles,
            rigid_body: &state.rigid_body,
            commands,
            params: &params.brakes,
            valves: &params.brake_valves,
            suspensions: &state.suspensions,
            torques: &mut state.brake_torques,
        }
    }
}

impl<V: HasMechanics + ?Sized> HasSteering for V {
    fn steering(&mut self) -> SteeringView<'_> {
        let Mechanics { params, commands, state, .. } = self.mechanics();
        SteeringView {
            axles: &params.axles,
            rigid_body: &state.rigid_body,
            commands,
            params: &params.steering,
            ackermann: &params.ackermann,
            system: params.steering_system.as_ref(),
            state: &mut state.steering,
            angles: &mut state.steer_angles,
        }
    }
}

/// What wheels of any kind read and write as they look for their roads.
macro_rules! road_geometry_view {
    ($params:ident, $lanes:ident, $state:ident) => {
        RoadGeometryView {
            axles: &$params.axles,
            rigid_body: &$state.rigid_body,
            wheel_params: &$params.wheels,
            road_wheels: &$lanes.road_wheels,
            suspension_params: &$lanes.suspensions,
            steer_angles: &$state.steer_angles,
            wheels: &$state.wheels,
            roads: &mut $state.roads,
        }
    };
}

impl<V: HasMechanics + ?Sized> HasRoadGeometry for V {
    fn road_geometry(&mut self) -> RoadGeometryView<'_> {
        let Mechanics { params, lanes, state, .. } = self.mechanics();
        road_geometry_view!(params, lanes, state)
    }

    fn road_ahead(&mut self) -> Option<RoadAheadView<'_>> {
        let Mechanics { params, lanes, state, .. } = self.mechanics();
        Some(RoadAheadView {
            standing: lanes.unsprung.as_ref()?,
            contact: params.jounce.contact,
            hubs: &state.suspensions,
            geometry: road_geometry_view!(params, lanes, state),
        })
    }
}

/// What suspensions of any kind read and write.
macro_rules! suspension_view {
    ($params:ident, $lanes:ident, $state:ident, $wheel_inertia:expr) => {
        SuspensionView {
            axles: &$params.axles,
            rigid_body_params: &$params.rigid_body,
            rigid_body: &$state.rigid_body,
            jounce_params: &$params.jounce,
            road_wheels: &$lanes.road_wheels,
            params: &$lanes.suspensions,
            compliance_params: &$params.compliances,
            constant_compliances: $lanes.constant_compliances.as_ref(),
            springs: &$lanes.springs,
            anti_roll_bars: &$params.anti_roll_bars,
            steer_angles: &$state.steer_angles,
            roads: &$state.roads,
            states: &mut $state.suspensions,
            anti_roll_torque: &mut $state.anti_roll_torque,
            wheel_inertia: $wheel_inertia,
        }
    };
}

impl<V: HasMechanics + ?Sized> HasSuspension for V {
    fn suspension(&mut self) -> SuspensionView<'_> {
        let Mechanics { params, lanes, state, .. } = self.mechanics();
        suspension_view!(params, lanes, state, state.wheel_inertia.as_mut())
    }

    #[inline]
    fn struts(&mut self) -> Option<(SuspensionView<'_>, &[StrutLanes])> {
        let Mechanics { params, lanes, state, .. } = self.mechanics();
        let struts = lanes.struts.as_ref()?;
        Some((suspension_view!(params, lanes, state, None), struts))
    }

    #[inline]
    fn road_path(&mut self) -> Option<RoadPathView<'_>> {
        let Mechanics { lanes, state, .. } = self.mechanics();
        let _unsprung = lanes.unsprung.as_ref()?;
        Some(RoadPathView {
            road_wheels: &lanes.road_wheels,
            hubs: &state.suspensions,
            roads: &mut state.roads,
        })
    }

    #[inline]
    fn unsprung(&mut self) -> Option<UnsprungView<'_>> {
        let Mechanics { params, lanes, state, .. } = self.mechanics();
        Some(UnsprungView {
            lanes: lanes.unsprung.as_ref()?,
            wheels: &state.wheels,
            tires: &state.tires,
            rows: &state.rows,
            inertia: &mut state.wheel_inertia,
            suspension: suspension_view!(params, lanes, state, None),
        })
    }
}

impl<V: HasMechanics + ?Sized> HasTires for V {
    type Model = V::Tire;

    fn tires(&mut self) -> TireView<'_, V::Tire> {
        let Mechanics { params, lanes, state, .. } = self.mechanics();
        TireView {
            axles: &params.axles,
            rigid_body_params: &params.rigid_body,
            rigid_body: &state.rigid_body,
            road_wheels: &lanes.road_wheels,
            suspension_params: &lanes.suspensions,
            models: &params.tires,
            model_lanes: lanes.tires.as_deref(),
            steer_angles: &state.steer_angles,
            actuations: &state.actuations,
            roads: &state.roads,
            suspensions: &state.suspensions,
            rows: &state.rows,
            wheels: &state.wheels,
            states: &mut state.tires,
            model_states: &mut state.tire_models,
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
        let Mechanics { params, lanes, state, .. } = self.mechanics();
        ConstraintRowsView {
            wheels: StandingWheels {
                axles: &params.axles,
                rigid_body_params: &params.rigid_body,
                rigid_body: &state.rigid_body,
                limit_params: &params.suspension_limit,
                road_wheels: &lanes.road_wheels,
                brake_torques: &state.brake_torques,
                suspension_params: &lanes.suspensions,
                suspensions: &state.suspensions,
                roads: &state.roads,
                tires: &state.tires,
            },
            has_constant_compliance: lanes.constant_compliances.is_some(),
            lateral_response: &mut state.lateral_response,
            anchor: &mut state.anchor,
            rows: &mut state.rows,
        }
    }
}

impl<V: HasMechanics + ?Sized> HasRigidBody for V {
    fn rigid_body(&mut self) -> RigidBodyView<'_, impl WheelLoads> {
        let Mechanics { params, state, .. } = self.mechanics();
        RigidBodyView {
            axles: &params.axles,
            params: &params.rigid_body,
            wheels: WheelForces { suspensions: &state.suspensions, tires: &state.tires },
            anti_roll_torque: state.anti_roll_torque,
            wheel_inertia: state.wheel_inertia,
            rows: &mut state.rows,
            state: &mut state.rigid_body,
        }
    }
}

impl<V: HasMechanics + ?Sized> HasGround for V {
    fn ground(&mut self) -> GroundView<'_, impl WheelLoads> {
        let Mechanics { state, .. } = self.mechanics();
        GroundView {
            wheels: WheelForces { suspensions: &state.suspensions, tires: &state.tires },
            rows: &state.rows,
            roads: &mut state.roads,
        }
    }
}

impl<V: HasMechanics + ?Sized> HasWheels for V {
    fn wheels(&mut self) -> WheelView<'_> {
        let Mechanics { params, lanes, state, .. } = self.mechanics();
        WheelView {
            axles: &params.axles,
            params: &lanes.road_wheels,
            suspensions: &state.suspensions,
            actuations: &state.actuations,
            tires: &state.tires,
            states: &mut state.wheels,
        }
    }
}
