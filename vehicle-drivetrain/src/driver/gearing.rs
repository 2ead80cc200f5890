//! What a driver knows of an engine with gears.

use serde::{Deserialize, Serialize};
use vehicle_core::math::Real;

use crate::clutch::ClutchParams;
use crate::engine::EngineParams;
use crate::gearbox::GearboxParams;
use crate::shift_law::ShiftLaw;

/// An engine with a gearbox that shifts by itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Gearing {
    pub(super) engine: EngineParams,
    pub(super) clutch: ClutchParams,
    pub(super) gearbox: GearboxParams,
    pub(super) law: ShiftLaw,
    /// Radius of the driven wheels (m).
    pub(super) radius: Real,
    /// Mass of the vehicle itself (kg), by which the gearbox knows how steep the road is.
    pub(super) mass: Real,
}
