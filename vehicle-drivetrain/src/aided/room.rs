//! What aids find in a frame, and the commands that count in it.

use std::mem;

use vehicle_core::commands::Commands;
use vehicle_core::math::Real;
use vehicle_core::{WheelVec, spare};

use crate::aids::commands::AidCommands;
use crate::aids::{DriverSignals, WheelRequest};

/// Commands, requests and torques that aids work on within a frame. A vehicle has this room from
/// the first phase of its aids to the last one; then vehicles after it take their turn in it.
#[derive(Clone, Debug)]
pub(crate) struct AidRoom<C> {
    /// The commands that count, in place of the driver's.
    pub(super) commands: Commands,
    /// The controls that count, in place of the driver's.
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

impl<C: Copy + 'static> AidRoom<C> {
    /// Room for the aids of a vehicle of so many wheels, whose driver asks for `commands` and
    /// `controls`. It is made where no vehicle has left one.
    pub(crate) fn take(wheel_count: usize, commands: Commands, controls: C) -> Box<Self> {
        let spare = spare::take::<Self>();
        let mut room = spare.unwrap_or_else(|| Box::new(Self::new(commands, controls)));
        let Self { requests, found, .. } = &mut *room;
        let (mut requests, mut found) = (mem::take(requests), mem::take(found));
        refill(&mut requests, wheel_count);
        refill(&mut found, wheel_count);
        *room = Self { requests, found, ..Self::new(commands, controls) };
        room
    }

    fn new(commands: Commands, controls: C) -> Self {
        Self {
            commands,
            controls,
            driver: DriverSignals::default(),
            aid_commands: AidCommands::default(),
            requests: WheelVec::new(),
            found: WheelVec::new(),
            is_unasked: false,
            is_left: false,
            is_found: false,
            is_limited: false,
            substep_dt: None,
            throttle: 0.0,
        }
    }
}

/// Makes this a list of so many default values.
fn refill<T: Copy + Default>(list: &mut WheelVec<T>, count: usize) {
    if list.len() == count {
        list.fill(T::default());
    } else {
        list.clear();
        list.resize(count, T::default());
    }
}

/// The commands that count in a frame, where the driver asks for `driver`.
#[inline]
pub(crate) fn counting<'a, C>(
    room: &'a Option<Box<AidRoom<C>>>,
    driver: &'a Commands,
) -> &'a Commands {
    room.as_ref().map_or(driver, |room| &room.commands)
}

/// The controls that count in a frame, where the driver asks for `driver`.
#[inline]
pub(crate) fn counting_controls<'a, C>(room: &'a Option<Box<AidRoom<C>>>, driver: &'a C) -> &'a C {
    room.as_ref().map_or(driver, |room| &room.controls)
}
