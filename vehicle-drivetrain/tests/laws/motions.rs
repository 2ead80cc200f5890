//! Random motions, and what drivers want in them.

use proptest::array::{uniform3, uniform4};
use proptest::prelude::*;
use vehicle_core::commands::Commands;
use vehicle_core::math::{PI, Real};
use vehicle_drivetrain::direct_drive::Gear;

/// How a car moves and stands, and what its driver wants.
#[derive(Clone, Debug)]
pub(crate) struct Motion {
    /// Position, the height above that at rest (m).
    pub(crate) position: [Real; 3],
    /// Roll, pitch and yaw (rad).
    pub(crate) angles: [Real; 3],
    /// Velocity (m/s).
    pub(crate) velocity: [Real; 3],
    /// Angular velocity (rad/s).
    pub(crate) rates: [Real; 3],
    /// Rotation speed of each wheel (rad/s).
    pub(crate) wheel_speeds: [Real; 4],
    /// Change of each jounce since the step before (m).
    pub(crate) jounce_changes: [Real; 4],
    /// Time for which each tire has been slow (s).
    pub(crate) slow_times: [Real; 4],
    pub(crate) commands: Commands,
    pub(crate) gear: Gear,
}

/// Where motions lie.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    pub(crate) height: Real,
    pub(crate) tilt: Real,
    pub(crate) speed: Real,
    pub(crate) rate: Real,
    pub(crate) wheel_speed: Real,
}

/// Near the ground and upright, such as in a race.
pub(crate) const NEAR_GROUND: Limits =
    Limits { height: 0.1, tilt: 0.08, speed: 10.0, rate: 1.0, wheel_speed: 40.0 };
/// Any way up, deep in the ground or high above it, and fast.
pub(crate) const ANYWHERE: Limits =
    Limits { height: 1.0, tilt: PI, speed: 80.0, rate: 10.0, wheel_speed: 300.0 };

/// At rest, slow, or fast.
fn speed_share() -> impl Strategy<Value = Real> {
    prop_oneof![Just(0.0_f32), Just(0.01), Just(0.1), 0.0_f32..1.0]
}

/// Not at all, half the time.
fn pedal() -> impl Strategy<Value = Real> {
    prop_oneof![Just(0.0_f32), 0.0_f32..1.0]
}

prop_compose! {
    fn all_commands()(
        throttle in pedal(),
        brakes in [pedal(), pedal()],
        steer in -1.0_f32..1.0,
    ) -> Commands {
        Commands { throttle, brakes, steer, steering_torque: None }
    }
}

prop_compose! {
    pub(crate) fn motions(limits: Limits)(
        position in uniform3(-1.0_f32..1.0),
        angles in uniform3(-1.0_f32..1.0),
        velocity in uniform3(-1.0_f32..1.0),
        rates in uniform3(-1.0_f32..1.0),
        wheel_speeds in uniform4(-1.0_f32..1.0),
        wheel_share in speed_share(),
        share in speed_share(),
        jounce_changes in uniform4(-0.02_f32..0.02),
        slow_times in uniform4(prop_oneof![Just(0.0_f32), Just(2.0)]),
        commands in all_commands(),
        gear in prop_oneof![Just(Gear::Forward), Just(Gear::Reverse), Just(Gear::Neutral)],
    ) -> Motion {
        let [roll, pitch, yaw] = angles;
        let [x, y, z] = position;
        Motion {
            position: [x, y, z * limits.height],
            angles: [roll * limits.tilt, pitch * limits.tilt, yaw * PI],
            velocity: velocity.map(|speed| speed * share * limits.speed),
            rates: rates.map(|rate| rate * share * limits.rate),
            wheel_speeds: wheel_speeds.map(|speed| speed * wheel_share * limits.wheel_speed),
            jounce_changes,
            slow_times,
            commands,
            gear,
        }
    }
}

impl Motion {
    /// A car that stands still in neutral, `height` (m) above where it rests.
    pub(crate) fn still(height: Real) -> Self {
        Self {
            position: [0.0, 0.0, height],
            angles: [0.0; 3],
            velocity: [0.0; 3],
            rates: [0.0; 3],
            wheel_speeds: [0.0; 4],
            jounce_changes: [0.0; 4],
            slow_times: [0.0; 4],
            commands: Commands::default(),
            gear: Gear::Neutral,
        }
    }
}
