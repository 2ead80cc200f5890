//! From the steer angle of a wheel to the command of the steering wheel.

use rapier3d::prelude::*;
use vehicle_rapier::core::commands::Commands;
use vehicle_rapier::core::road_geometry::FlatRoad;
use vehicle_rapier::core::steering::{SteeringState, SteeringView};
use vehicle_rapier::core::{Context, Frame, SimulationParams, WheelList};

use super::scenario::SteeredWheel;
use crate::measurements::ProvingGround;

/// How near an angle must be to the wanted one (rad): as numbers of single precision are.
const NEAR: Real = 1e-7;
/// How often an interval of commands is halved.
const HALVINGS: u32 = 28;

/// Part of an angle that may be missing at full lock without a remark (rad).
const MISSING: Real = 1e-3;

/// The command for an angle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Turned {
    /// The command, within [-1, 1].
    pub(super) command: Real,
    /// Whether full lock turns the wheel by less than the angle.
    pub(super) is_short: bool,
}

/// The command, within [-1, 1], at which `wheel` of the driven vehicle has the steer angle `angle`
/// (rad), or comes nearest to it.
pub(super) fn command_for(ground: &ProvingGround, wheel: SteeredWheel, angle: Real) -> Turned {
    let lock = ground.full_lock();
    if lock == 0.0 {
        return Turned { command: 0.0, is_short: false };
    }
    let straight = (angle / lock).clamp(-1.0, 1.0);
    let found = |command: Real| angle_at(ground, wheel, command);
    if (found(straight) - angle).abs() <= NEAR {
        return Turned { command: straight, is_short: false };
    }
    // Wheels of a negative lock turn against the steering wheel.
    let (mut low, mut high) = (-lock.signum(), lock.signum());
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        *(if found(middle) < angle { &mut low } else { &mut high }) = middle;
    }
    let command = 0.5 * (low + high);
    Turned { command, is_short: MISSING < (found(command) - angle).abs() }
}

/// Steer angle of `wheel` at this command and the present speed (rad).
fn angle_at(ground: &ProvingGround, wheel: SteeredWheel, command: Real) -> Real {
    let mechanics = ground.front().mechanics();
    let (params, state) = (mechanics.params, mechanics.state);
    let count = params.axles.wheel_count();
    let simulation = SimulationParams::default();
    let road = FlatRoad::new(&Frame::default());
    let mut angles = WheelList::new(count);
    let view = SteeringView {
        axles: &params.axles,
        rigid_body: &state.rigid_body,
        commands: &Commands { steer: command, ..Commands::default() },
        params: &params.steering,
        ackermann: &params.ackermann,
        system: None,
        state: &mut SteeringState::at_rest(count),
        angles: &mut angles,
    };
    view.update(&Context::new(&simulation, &road));
    let [left, right] = ground.steered_sides().map(|wheel| angles.of(wheel));
    wheel.of(left, right) as Real
}
