//! The view of every stage, from the mechanical base of a vehicle.

use super::Mechanics;
use crate::aerodynamics::AerodynamicsView;
use crate::brakes::BrakesView;
use crate::constraint_rows::{ConstraintRowsView, StandingWheels};
use crate::ground::GroundView;
use crate::rigid_body::RigidBodyView;
use crate::road::RoadPathView;
use crate::road_geometry::{RoadAheadView, RoadGeometryView};
use crate::steering::SteeringView;
use crate::suspension::unsprung::UnsprungView;
use crate::suspension::{StrutLanes, SuspensionView};
use crate::tire::{TireModel, TireView};
use crate::wheel::WheelView;
use crate::wheel_forces::WheelForces;

/// The suspensions of a vehicle, by what they are made of.
#[derive(Debug)]
pub enum SuspensionKind<'a> {
    /// Wheels without mass on linear springs and dampers.
    Springs(SuspensionView<'a>),
    /// Wheels without mass on springs, dampers and bump stops that are not linear.
    Struts(SuspensionView<'a>, &'a [StrutLanes]),
    /// Wheels with mass.
    Unsprung(UnsprungView<'a>),
}

/// Data of wheels of any kind that look for their roads.
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

/// Data of suspensions of any kind.
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
            straight_compliances: &$lanes.straight_compliances,
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

/// Each stage's part of the vehicle.
impl<'a, Tire: TireModel> Mechanics<'a, Tire> {
    /// Pedals and brake torques.
    pub fn brakes(self) -> BrakesView<'a> {
        let Mechanics { params, commands, state, .. } = self;
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

    /// Steering wheel and steer angles.
    pub fn steering(self) -> SteeringView<'a> {
        let Mechanics { params, commands, state, .. } = self;
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

    /// The body in the air.
    pub fn aerodynamics(self) -> AerodynamicsView<'a> {
        let Mechanics { params, state, .. } = self;
        AerodynamicsView { params: &params.aerodynamics, rigid_body: &mut state.rigid_body }
    }

    /// Wheels and the roads under them.
    pub fn road_geometry(self) -> RoadGeometryView<'a> {
        let Mechanics { params, lanes, state, .. } = self;
        road_geometry_view!(params, lanes, state)
    }

    /// Wheels with mass and the roads ahead of them; `None` for wheels without mass.
    pub fn road_ahead(self) -> Option<RoadAheadView<'a>> {
        let Mechanics { params, lanes, state, .. } = self;
        Some(RoadAheadView {
            standing: lanes.unsprung.as_ref()?,
            obstacles: &mut state.obstacles,
            contact: params.jounce.contact,
            hubs: &state.suspensions,
            geometry: road_geometry_view!(params, lanes, state),
        })
    }

    /// The ways of wheels with mass over their roads; `None` for wheels without mass.
    #[inline]
    pub(crate) fn road_path(self) -> Option<RoadPathView<'a>> {
        let Mechanics { lanes, state, .. } = self;
        let _unsprung = lanes.unsprung.as_ref()?;
        Some(RoadPathView {
            road_wheels: &lanes.road_wheels,
            suspension_params: &lanes.suspensions,
            steer_angles: &state.steer_angles,
            hubs: &state.suspensions,
            rigid_body: &state.rigid_body,
            obstacles: state.obstacles.acting(),
            roads: &mut state.roads,
        })
    }

    /// Suspensions for a stage of one's own that carries wheels without mass. If the wheels have a
    /// mass and such a stage updates or writes the view, or changes their forces, a checked step
    /// [refuses](crate::sequence::StateFault) it. What pushes a body on such wheels is its
    /// [external force](crate::rigid_body::RigidBodyState::external_force).
    pub fn suspension(self) -> SuspensionView<'a> {
        let Mechanics { params, lanes, state, .. } = self;
        suspension_view!(params, lanes, state, state.wheel_inertia.as_mut())
    }

    /// Suspensions of the kind that the vehicle has.
    #[inline]
    pub fn suspension_of_kind(self) -> SuspensionKind<'a> {
        let Mechanics { params, lanes, state, .. } = self;
        if let Some(unsprung) = &lanes.unsprung {
            return SuspensionKind::Unsprung(UnsprungView {
                lanes: unsprung,
                wheels: &mut state.wheels,
                brake_torques: &state.brake_torques,
                obstacles: state.obstacles.acting_mut(),
                tires: &state.tires,
                rows: &state.rows,
                inertia: &mut state.wheel_inertia,
                suspension: suspension_view!(params, lanes, state, None),
            });
        }
        let view = suspension_view!(params, lanes, state, None);
        match &lanes.struts {
            Some(struts) => SuspensionKind::Struts(view, struts),
            None => SuspensionKind::Springs(view),
        }
    }

    /// The tires.
    pub fn tires(self) -> TireView<'a, Tire> {
        let Mechanics { params, lanes, state, .. } = self;
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

    /// Sticky tires and ends of suspensions, and the rows that hold them.
    pub fn constraint_rows(self) -> ConstraintRowsView<'a> {
        let Mechanics { params, lanes, state, .. } = self;
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
                tires: &mut state.tires,
            },
            has_constant_compliance: lanes.constant_compliances.is_some(),
            is_on_beams: state.wheel_inertia.is_some() && !params.beam_axles.is_empty(),
            lateral_response: &mut state.lateral_response,
            anchor: &mut state.anchor,
            rows: &mut state.rows,
        }
    }

    /// The body, and all that acts on it.
    pub fn rigid_body(self) -> RigidBodyView<'a> {
        let Mechanics { params, state, .. } = self;
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

    /// The ground, and all that acts on it.
    pub fn ground(self) -> GroundView<'a> {
        let Mechanics { state, .. } = self;
        GroundView {
            wheels: WheelForces { suspensions: &state.suspensions, tires: &state.tires },
            rows: &state.rows,
            roads: &mut state.roads,
        }
    }

    /// The wheels as they turn and are seen.
    pub fn wheels(self) -> WheelView<'a> {
        let Mechanics { params, lanes, state, .. } = self;
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
