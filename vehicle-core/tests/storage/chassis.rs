//! What a vehicle has once, however it stores its wheels.

use vehicle_core::AxleDescription;
use vehicle_core::commands::{CommandResponseParams, Commands};
use vehicle_core::constraint_rows::{StickyAnchor, SuspensionLimitParams};
use vehicle_core::math::Vec3;
use vehicle_core::rigid_body::{RigidBodyParams, RigidBodyState};
use vehicle_core::steering::AckermannParams;
use vehicle_core::suspension::{AntiRollBarParams, JounceParams};
use vehicle_core::vehicle::MechanicalParams;

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
