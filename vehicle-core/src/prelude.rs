//! What programs name most: `use vehicle_core::prelude::*;`
//!
//! It has no name that `rapier3d::prelude` has, so that both can be taken together: numbers and
//! vectors are in [`math`](crate::math), the stage that moves the body is
//! [`rigid_body::RigidBody`](crate::rigid_body::RigidBody).

pub use crate::aerodynamics::Aerodynamics;
pub use crate::blueprint::{AxleBlueprint, AxleRide, CarBlueprint, VehicleBlueprint};
pub use crate::brakes::{Brakes, HasBrakes};
pub use crate::commands::{CommandResponseParams, Commands};
pub use crate::constraint_rows::ConstraintRows;
pub use crate::error::{Bound, ParamCheck};
pub use crate::frame::CoordinateSystem;
pub use crate::ground::Ground;
pub use crate::mass_distribution::MassDistribution;
pub use crate::road_geometry::{FlatRoad, RoadGeometry, RoadSurface};
pub use crate::steering::{HasSteering, Steering, SteeringFeedback, SteeringSystemParams};
pub use crate::suspension::unsprung::SuspensionDynamics;
pub use crate::suspension::{HasSuspension, StrutParams, Suspension};
pub use crate::tire::{BrushTire, HasTires, Tire, TireModel};
pub use crate::tire_code::TireCode;
pub use crate::vehicle::{
    HasMechanics, HasOwn, MechanicalParams, MechanicalState, MechanicsWithOwn, OwnState,
    ReadVehicle, WheelContact, Wraps, vehicle_sequence,
};
pub use crate::wheel::{HasWheels, Wheel};
pub use crate::{
    AxleDescription, Component, ComponentSequence, Context, Frame, ParamErrors, Persistent,
    SimulationParams, Validate, WheelReaction, WheelVec,
};
