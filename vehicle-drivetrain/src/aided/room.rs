//! What aids find in a frame, and the commands that count in it.

use vehicle_core::WheelVec;
use vehicle_core::commands::Commands;
use vehicle_core::math::Real;

use crate::aids::commands::AidCommands;
use crate::aids::{DriverSignals, WheelRequest};

/// What aids find in a frame, of which nothing is left at its end.
#[derive(Clone, Debug)]
pub(crate) struct AidRoom<C> {
    /// Whether `commands` and `controls` count, in place of the driver's.
    pub(super) is_shaping: bool,
    pub(super) commands: Commands,
    pub(super) controls: C,
    /// What the driver asks for.
    pub(super) driver: DriverSignals,
    pub(super) aid_commands: AidCommands,
    pub(super) requests: WheelVec<WheelRequest>,
    /// Brake and drive torque of each wheel without the aids of a substep.
    pub(super) found: WheelVec<[Real; 2]>,
    /// Whether aids ask nothing of any wheel in this frame.
    pub(super) is_unasked: bool,
    /// Whether aids have left all substeps of this frame alone.
    pub(super) is_left: bool,
    /// Whether what is `found` is that of this frame.
    pub(super) is_found: bool,
    /// Whether torques have been limited in the last substep.
    pub(super) is_limited: bool,
    /// Length of the substeps that aids have seen of this frame (s), if any.
    pub(super) substep_dt: Option<Real>,
    /// Throttle that the commands of the frame ask for.
    pub(super) throttle: Real,
}

impl<C: Copy> AidRoom<C> {
    /// Room for the aids of a vehicle of so many wheels.
    pub(crate) fn new(wheel_count: usize, controls: C) -> Self {
        Self {
            is_shaping: false,
            commands: Commands::default(),
            controls,
            driver: DriverSignals::default(),
            aid_commands: AidCommands::default(),
            requests: (0..wheel_count).map(|_| WheelRequest::default()).collect(),
            found: (0..wheel_count).map(|_| [0.0; 2]).collect(),
            is_unasked: false,
            is_left: false,
            is_found: false,
            is_limited: false,
            substep_dt: None,
            throttle: 0.0,
        }
    }
}

/// The commands that count in a frame, where the driver asks for `driver`.
#[inline]
pub(crate) fn counting<'a, C>(
    room: &'a Option<Box<AidRoom<C>>>,
    driver: &'a Commands,
) -> &'a Commands {
    match room {
        Some(room) if room.is_shaping => &room.commands,
        _ => driver,
    }
}

/// The controls that count in a frame, where the driver asks for `driver`.
#[inline]
pub(crate) fn counting_controls<'a, C>(room: &'a Option<Box<AidRoom<C>>>, driver: &'a C) -> &'a C {
    match room {
        Some(room) if room.is_shaping => &room.controls,
        _ => driver,
    }
}
