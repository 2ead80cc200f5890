//! What programs name most: `use vehicle_core::prelude::*;`
//!
//! It has no name that `rapier3d::prelude` has, so that both can be taken together: numbers and
//! vectors are in [`math`](crate::math), the stage that moves the body is
//! [`stages::RigidBody`](crate::stages::RigidBody).

pub use crate::blueprint::{AxleBlueprint, AxleRide, CarBlueprint, VehicleBlueprint};
pub use crate::commands::{CommandResponseParams, Commands};
pub use crate::error::{Bound, ParamCheck};
pub use crate::frame::CoordinateSystem;
pub use crate::mass_distribution::MassDistribution;
pub use crate::road_geometry::{FlatRoad, RoadSurface};
pub use crate::stages::{
    Aerodynamics, Brakes, ConstraintRows, Ground, RoadGeometry, Steering, SteeringFeedback,
    Suspension, Tire, WheelRotation, vehicle_sequence,
};
pub use crate::steering::SteeringSystemParams;
pub use crate::suspension::StrutParams;
pub use crate::suspension::unsprung::SuspensionDynamics;
pub use crate::tire::{BrushTire, TireModel};
pub use crate::tire_code::TireCode;
pub use crate::vehicle::{
    HasMechanics, HasOwn, MechanicalParams, MechanicalState, MechanicsWithOwn, OwnState,
    ReadVehicle, WheelContact,
};
pub use crate::{
    AxleDescription, Component, ComponentSequence, Context, Frame, ParamErrors, Persistent,
    SimulationParams, Validate, WheelReaction, WheelVec,
};
