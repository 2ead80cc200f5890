//! What events remember of the step before.

use serde::{Deserialize, Serialize};
use vehicle_core::error::{Bound, ParamCheck};
use vehicle_core::math::{Real, Vec3};
use vehicle_core::memory::{MAX_SPEED, MAX_TIME};
use vehicle_core::road_geometry::Material;
use vehicle_core::wheel_list::WheelVec;

use super::latch::Latch;
use crate::aids::Aid;
use crate::instruments::DisplayedGear;

/// What events remember of a wheel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WheelEventMemory {
    /// Whether the wheel is in the air.
    pub air: Latch,
    /// Velocity of its hub at the end of the last step in the air (m/s).
    pub fall: Vec3,
    /// Whether the wheel is locked.
    pub lock: Latch,
    /// Whether the wheel spins.
    pub spin: Latch,
    /// Whether its suspension is at the end of its travel.
    pub is_bottomed: bool,
    /// Speed of its suspension at the end of the last step (m/s).
    pub jounce_speed: Real,
    /// Material of its road; `None` before it touches one for the first time.
    pub material: Option<Material>,
    /// Material of the last step.
    pub seen_material: Material,
    /// Time on it (s).
    pub material_time: Real,
}

/// What events remember of blows to the body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct HitMemory {
    /// Change of the velocity beside the wheels, of which the older part fades (m/s).
    pub recent: Vec3,
    /// Sum of the hit that goes on (m/s).
    pub sum: Vec3,
    /// Time for which a hit goes on that has not been told (s).
    pub time: Option<Real>,
    /// Whether the body is still being hit.
    pub is_on: bool,
}

/// What events remember of the step before, to compare the next one with it. It is a part of
/// snapshots: after one is restored, the same events come.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct EventMemory {
    /// Time since the vehicle was listened to first (s).
    pub clock: f64,
    /// Whether a step has been seen: the first one, and that after the vehicle was put elsewhere,
    /// tell nothing but the ends of what had begun.
    pub is_begun: bool,
    /// Whether it has been told that the vehicle sleeps.
    pub is_asleep: bool,
    /// The gear.
    pub gear: DisplayedGear,
    /// Whether the engine has died.
    pub stall: Latch,
    /// Whether the limiter holds the engine.
    pub limiter: Latch,
    /// Whether each of [`Aid::ALL`] acts.
    pub aids: [Latch; Aid::ALL.len()],
    /// Blows to the body.
    pub hit: HitMemory,
    /// The wheels.
    pub wheels: WheelVec<WheelEventMemory>,
}

impl EventMemory {
    pub(super) fn new(wheel_count: usize) -> Self {
        let wheels = (0..wheel_count).map(|_| WheelEventMemory::default()).collect();
        Self { wheels, ..Self::default() }
    }

    /// Reports lists that are not of one element per wheel, and numbers that no vehicle can go on
    /// with.
    pub fn check(&self, wheel_count: usize, check: &mut ParamCheck) {
        check.count("wheels", self.wheels.len(), wheel_count);
        let is_time = 0.0 <= self.clock && self.clock.is_finite();
        check.require("clock", is_time, "finite and not negative", self.clock);
        let mut time = |name, value| check.finite_within(name, value, 0.0, MAX_TIME);
        time("stall.time", self.stall.time);
        time("limiter.time", self.limiter.time);
        time("hit.time", self.hit.time.unwrap_or(0.0));
        for aid in &self.aids {
            time("aids.time", aid.time);
        }
        check.vector_within("hit.recent", self.hit.recent, MAX_SPEED);
        check.vector_within("hit.sum", self.hit.sum, MAX_SPEED);
        check.each("wheels", &self.wheels, |wheel, inner| {
            inner.vector_within("fall", wheel.fall, MAX_SPEED);
            inner.number("jounce_speed", wheel.jounce_speed, Bound::Finite);
            let times = [wheel.air.time, wheel.lock.time, wheel.spin.time, wheel.material_time];
            for value in times {
                inner.finite_within("time", value, 0.0, MAX_TIME);
            }
        });
    }
}
