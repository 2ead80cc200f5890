//! Steering: from the steering wheel to a steer angle of each wheel, and from the road back to the
//! steering wheel.
//!
//! The stage [`Steering`](crate::stages::Steering) turns the wheels as the driver wants, with
//! Ackermann correction. A vehicle with a [steering system](SteeringSystemParams) has a second
//! stage, [`SteeringFeedback`](crate::stages::SteeringFeedback). It finds what the road does to
//! each steered wheel about its [axis](SteeringAxisParams), the [moment](kingpin_moment) `M`, and
//! what of that arrives at the steering wheel:
//!
//! ```text
//! T = Σ M dδ/dθ
//! ```
//!
//! with the rate at which each steer angle `δ` follows the steering wheel `θ`, from steering ratio,
//! table and Ackermann correction. [`SteeringState::wheel_torque`] is what force feedback shows.
//!
//! # Free steering wheels
//!
//! With [`Commands::steering_torque`] the steering wheel is held by nothing but that torque, and
//! turns:
//!
//! ```text
//! I d²θ/dt² = T_hand + T - d dθ/dt - T_f sgn dθ/dt
//! ```
//!
//! between its end stops. The step is implicit, also in how the tires answer to steer angles, so
//! that it is stable however stiff these are, and friction sticks exactly.
//!
//! # Parking
//!
//! Whoever turns a wheel that stands twists its contact, which resists up to what friction bears.
//! The moment is bounded by `2/3 μ N a` with the radius `a` of the contact, and is gone after the
//! wheel has rolled over a few `a`; it turns the body, too.
//!
//! `docs/steering.md` has figures and numbers.

mod ackermann;
mod axis;
mod feedback;
mod linkage;
mod system;
mod tire_answer;
mod turning;

pub use self::ackermann::{AckermannInput, AckermannParams, ackermann_angles, ackermann_rates};
pub use self::axis::{
    CarrierLoad, SteeringAxis, SteeringAxisParams, carrier_torque, kingpin_moment,
};
use self::linkage::SteeringLinkage;
pub use self::linkage::steer_angle;
pub use self::system::{SteeringState, SteeringSystemParams};
use crate::body::RigidBodyState;
use crate::commands::{CommandResponseParams, Commands};
use crate::math::Real;
use crate::{AxleDescription, Context, WheelList};

/// Steering wheel and steer angles of a vehicle.
#[derive(Debug)]
pub struct SteeringView<'a> {
    /// Wheels in order of update.
    pub axles: &'a AxleDescription,
    /// Motion of the body.
    pub rigid_body: &'a RigidBodyState,
    /// The driver's controls.
    pub commands: &'a Commands,
    /// Response of each wheel (rad).
    pub params: &'a CommandResponseParams,
    /// Axles to be corrected.
    pub ackermann: &'a [AckermannParams],
    /// The system that makes the steering wheel heavy, if there is one.
    pub system: Option<&'a SteeringSystemParams>,
    /// Read and written: what the steering wheel does.
    pub state: &'a mut SteeringState,
    /// Read and written: steer angle of each wheel (rad).
    pub angles: &'a mut WheelList<Real>,
}

impl<'a> SteeringView<'a> {
    /// Updates the steer angle of every wheel.
    ///
    /// A corrected axle turns by the mean of its wheels' responses.
    pub fn update(self, context: &Context<'_>) {
        let mut command = self.commands.steer;
        if let Some(system) = self.system {
            let end_stop = system.end_stop(self.params);
            if self.free_torque().is_some() {
                command = self.state.angle / end_stop;
            } else {
                (self.state.angle, self.state.rate) = (command * end_stop, 0.0);
            }
        }
        self.linkage(context).turn(command, self.angles);
    }

    /// Torque on a steering wheel that is free (N·m); `None` for one that is held at an angle.
    fn free_torque(&self) -> Option<Real> {
        self.commands.steering_torque.filter(|_| self.system.is_some())
    }

    fn linkage(&self, context: &Context<'_>) -> SteeringLinkage<'a> {
        SteeringLinkage {
            params: self.params,
            ackermann: self.ackermann,
            longitudinal_speed: self.rigid_body.longitudinal_speed(context.frame()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ackermann::tests::PARAMS;
    use super::*;
    use crate::SimulationParams;
    use crate::commands::{ResponseRow, ResponseTable};
    use crate::lookup_table::LookupTable;
    use crate::math::Vec3;
    use crate::road_geometry::FlatRoad;

    #[test]
    fn table_acts_on_a_corrected_axle() {
        let row = |command, slow, fast| ResponseRow {
            command,
            response: LookupTable::new([(0.0, slow), (20.0, fast)]).unwrap(),
        };
        let params = CommandResponseParams {
            table: Some(ResponseTable::new([row(0.0, 0.0, 0.0), row(1.0, 1.0, 0.1)]).unwrap()),
            ..CommandResponseParams::linear(0.6, [1.0, 1.0])
        };
        let axles = AxleDescription::new([[0, 1]]).unwrap();
        let commands = Commands { steer: 0.5, ..Commands::default() };
        let rigid_body = RigidBodyState { linear_velocity: Vec3::Z * 20.0, ..Default::default() };
        let inner = |input| {
            let ackermann = AckermannParams { input, ..PARAMS };
            let mut angles = WheelList::new(2);
            let view = SteeringView {
                axles: &axles,
                rigid_body: &rigid_body,
                commands: &commands,
                params: &params,
                ackermann: &[ackermann],
                system: None,
                state: &mut SteeringState::at_rest(2),
                angles: &mut angles,
            };
            let simulation = SimulationParams::default();
            let road = FlatRoad::new(&simulation.coordinates.frame);
            view.update(&Context::new(&simulation, &road));
            assert!(angles[0] < angles[1], "{angles:?}");
            angles[1]
        };
        // 0.5 · 0.1 · 0.6
        assert!((inner(AckermannInput::Response) - 0.03).abs() < 1e-6);
        assert!((inner(AckermannInput::LinearResponse) - 0.3).abs() < 1e-6);
    }
}
