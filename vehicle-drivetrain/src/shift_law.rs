//! The laws by which automatic gearboxes shift.

use serde::{Deserialize, Serialize};
use vehicle_core::convert::Convert;
use vehicle_core::error::ParamCheck;
use vehicle_core::frame::CoordinateConversion;

use crate::autobox::AutoboxParams;
use crate::engine::EngineParams;
use crate::gearbox::GearboxParams;
use crate::shift_map::ShiftMapParams;

/// How an automatic gearbox chooses its gear.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ShiftLaw {
    /// By the speed of the engine alone, as the reference.
    EngineSpeed(AutoboxParams),
    /// By the speed of the car and the accelerator pedal.
    Map(ShiftMapParams),
}

impl Default for ShiftLaw {
    fn default() -> Self {
        Self::Map(ShiftMapParams::default())
    }
}

impl ShiftLaw {
    /// Checks the parameters beside `gearbox` and `engine`.
    pub fn check(&self, check: &mut ParamCheck, gearbox: &GearboxParams, engine: &EngineParams) {
        match self {
            Self::EngineSpeed(params) => params.check(check, gearbox),
            Self::Map(params) => params.check(check, engine),
        }
    }
}

impl Convert for ShiftLaw {
    fn converted(&self, conversion: &CoordinateConversion) -> Self {
        match self {
            Self::EngineSpeed(params) => Self::EngineSpeed(params.converted(conversion)),
            Self::Map(params) => Self::Map(params.converted(conversion)),
        }
    }
}
