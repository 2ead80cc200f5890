//! What aids keep between two steps.

use serde::{Deserialize, Serialize};
use vehicle_core::WheelVec;
use vehicle_core::clone_by_field;
use vehicle_core::error::ParamCheck;
use vehicle_core::math::{Real, Vec3};

use super::AidSystem;
use crate::aids::copy_list;
use crate::aids::signals::{BodySignals, WheelSignals};
use crate::aids::{AidReport, AidsState, DriveSignals};

/// What the aids of a vehicle keep between two steps: what they remember, and what they have been
/// told last. Aids that act on whole frames alone are told of the end of each.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AidsMemory {
    /// What the aids remember.
    pub aids: AidsState,
    /// The wheels as of the last substep.
    pub wheels: WheelVec<WheelSignals>,
    /// The body as of the end of the last frame; as of its last substep to
    /// [sensors](crate::aids::AidsParams::use_sensors).
    pub body: BodySignals,
    /// The drive as of the last substep.
    pub drive: DriveSignals,
    /// Torque of the drive on each wheel as of the last substep (N·m).
    pub(crate) drive_torques: WheelVec<Real>,
    /// Velocity of the body in the last substep (world frame).
    pub(crate) velocity: Vec3,
    /// Whether the last substep has been observed. Until then, a frame sees the vehicle as it
    /// rolls at its beginning.
    pub(crate) is_observed: bool,
}

clone_by_field! {
    impl[] AidsMemory { aids, body, drive, velocity, is_observed }
    copy_list { wheels, drive_torques }
}

impl AidsMemory {
    fn at_rest(system: &AidSystem) -> Self {
        let wheels = system.aids.vehicle().wheels.iter().map(|_| WheelSignals::default()).collect();
        let drive_torques = system.aids.vehicle().wheels.iter().map(|_| 0.0).collect();
        Self { aids: system.aids.at_rest(), wheels, drive_torques, ..Self::default() }
    }

    /// The memory of aids that are at rest, of a vehicle on which other aids have looked `before`.
    fn replaced(system: &AidSystem, before: &Self) -> Self {
        let Self { wheels, body, drive, drive_torques, velocity, is_observed, .. } = before.clone();
        let aids = system.aids.at_rest();
        Self { aids, wheels, body, drive, drive_torques, velocity, is_observed }
    }

    /// Passes a substep in which no aid looks at more than how fast the body is.
    pub(super) fn pass(&mut self, velocity: Vec3) {
        self.velocity = velocity;
        self.is_observed = true;
    }

    /// Whether every number is finite, and not so large that their sum is not.
    pub(crate) fn is_finite(&self) -> bool {
        let of_aids = self.aids.steer_assistance + self.aids.stability.moment;
        let of_wheels: Real = self.wheels.iter().map(WheelSignals::sum).sum();
        let of_drive: Real = self.drive_torques.iter().sum();
        let sum = of_aids + self.aids.cruise.sum() + of_wheels + of_drive + self.body.sum();
        sum.is_finite() && self.velocity.is_finite()
    }

    /// Reports lists that are not of one element per wheel.
    pub(crate) fn check(&self, wheel_count: usize, check: &mut ParamCheck) {
        check.count("wheels", self.wheels.len(), wheel_count);
        check.count("drive_torques", self.drive_torques.len(), wheel_count);
    }
}

/// The aids' part of a vehicle's state. Memory for it is taken when aids are given to a vehicle,
/// and copied over.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct AidedState {
    /// Whether the vehicle has aids: a copy keeps room for those of another vehicle.
    is_aided: bool,
    memory: Option<Box<AidsMemory>>,
}

impl Clone for AidedState {
    fn clone(&self) -> Self {
        Self { is_aided: self.is_aided, memory: self.memory().cloned().map(Box::new) }
    }

    fn clone_from(&mut self, source: &Self) {
        self.is_aided = source.is_aided;
        match (&mut self.memory, source.memory()) {
            (Some(memory), Some(source)) => (**memory).clone_from(source),
            (memory @ None, Some(source)) => *memory = Some(Box::new(source.clone())),
            (_, None) => {}
        }
    }
}

impl PartialEq for AidedState {
    /// Room that is kept for another vehicle is no part of the state.
    fn eq(&self, other: &Self) -> bool {
        self.memory() == other.memory()
    }
}

impl AidedState {
    pub(crate) fn at_rest(system: Option<&AidSystem>) -> Self {
        let memory = system.map(|system| Box::new(AidsMemory::at_rest(system)));
        Self { is_aided: memory.is_some(), memory }
    }

    /// State of aids in the place of those before, whose view of the vehicle they have.
    pub(crate) fn replaced(system: Option<&AidSystem>, before: &Self) -> Self {
        let (Some(system), Some(before)) = (system, before.memory()) else {
            return Self::at_rest(system);
        };
        Self { is_aided: true, memory: Some(Box::new(AidsMemory::replaced(system, before))) }
    }

    /// State of aids that remember `memory`; at rest without it.
    pub(crate) fn recalled(system: Option<&AidSystem>, memory: Option<&AidsMemory>) -> Self {
        match memory.filter(|_| system.is_some()) {
            Some(memory) => Self { is_aided: true, memory: Some(Box::new(memory.clone())) },
            None => Self::at_rest(system),
        }
    }

    /// Reports lists that are not of one element per wheel.
    pub(crate) fn check(&self, wheel_count: usize, check: &mut ParamCheck) {
        if let Some(memory) = self.memory() {
            check.field("memory", |inner| memory.check(wheel_count, inner));
        }
    }

    /// What the aids keep between two steps; `None` if there are none.
    pub fn memory(&self) -> Option<&AidsMemory> {
        self.memory.as_deref().filter(|_| self.is_aided)
    }

    /// What the aids keep between two steps, mutably: to set the speed of a cruise control.
    pub fn memory_mut(&mut self) -> Option<&mut AidsMemory> {
        self.memory.as_deref_mut().filter(|_| self.is_aided)
    }

    /// What the aids do; nothing if there are none.
    pub fn report(&self) -> AidReport {
        self.memory().map_or_else(AidReport::default, |memory| memory.aids.report())
    }
}
