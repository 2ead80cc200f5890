//! What the three vehicles share: all that a vehicle has once, and all that changes at one wheel.

use vehicle_core::AxleDescription;
use vehicle_core::actuation::WheelActuation;
use vehicle_core::commands::{CommandResponseParams, Commands};
use vehicle_core::constraint_rows::{StickyAnchor, SuspensionLimitParams, WheelRows};
use vehicle_core::math::{Real, Vec3};
use vehicle_core::rigid_body::{RigidBodyParams, RigidBodyState};
use vehicle_core::road_geometry::RoadContact;
use vehicle_core::steering::AckermannParams;
use vehicle_core::suspension::{
    AntiRollBarParams, JounceParams, SuspensionCompliance, SuspensionForce, SuspensionState,
};
use vehicle_core::tire::{TireState, TireStickyState};
use vehicle_core::vehicle::MechanicalParams;
use vehicle_core::wheel::WheelState;

/// What a vehicle has once, however it stores its wheels.
#[derive(Clone, Debug, PartialEq)]
pub struct Chassis {
    pub axles: AxleDescription,
    pub rigid_body: RigidBodyParams,
    pub brakes: Vec<CommandResponseParams>,
    pub steering: CommandResponseParams,
    pub ackermann: Vec<AckermannParams>,
    pub jounce: JounceParams,
    pub anti_roll_bars: Vec<AntiRollBarParams>,
    pub suspension_limit: SuspensionLimitParams,
    pub commands: Commands,
    pub body: RigidBodyState,
    /// Torque of the anti-roll bars (N·m).
    pub anti_roll_torque: Vec3,
    /// Where the vehicle stands while its tires stick.
    pub anchor: Option<StickyAnchor>,
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
            suspension_limit: params.suspension_limit,
            commands: Commands::default(),
            body: RigidBodyState::default(),
            anti_roll_torque: Vec3::ZERO,
            anchor: None,
        }
    }
}

/// What changes at one wheel, with a tire that remembers a `Memory`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WheelMotion<Memory = ()> {
    /// Brake torque (N·m).
    pub brake_torque: Real,
    /// Steer angle (rad).
    pub steer_angle: Real,
    pub actuation: WheelActuation,
    pub road: Option<RoadContact>,
    pub suspension: SuspensionState,
    pub compliance: SuspensionCompliance,
    pub suspension_force: SuspensionForce,
    pub tire: TireState,
    pub sticky_tire: TireStickyState,
    pub tire_memory: Memory,
    pub rows: WheelRows,
    pub wheel: WheelState,
}
