//! Force laws that come with the crate.
//!
//! [`BrushTire`] is the default. The others are [laws of the steady state](steady) on which a
//! [`RollingTire`] rolls.

mod any;
mod brush;
mod estimate;
mod fiala;
mod friction_ellipse;
mod lane_params;
mod magic_formula;
mod own;
mod parabolic_brush;
mod relaxation;
mod rolling_resistance;
mod saturation;
pub mod steady;
mod steady_input;
mod tmeasy;

#[cfg(test)]
mod tests;

pub use any::{AnyTire, AnyTireLanes, AnyTireState};
pub use brush::{BrushLanes, BrushTire};
pub use estimate::{TireSize, TireUse};
pub use fiala::{Fiala, FialaTire};
pub use friction_ellipse::{FrictionEllipse, FrictionEllipseTire};
pub use magic_formula::{MagicFormulaLaw, MagicFormulaTire, SidedMagicFormula};
pub use own::{NumberState, OWN_TIRE_NUMBERS, OwnTire};
pub use parabolic_brush::{ParabolicBrush, ParabolicBrushTire};
pub use relaxation::{FollowedShares, RelaxedSlip, followed_share};
pub use rolling_resistance::RollingResistance;
pub use steady::RollingTire;
pub use steady_input::rolling_direction;
pub use tmeasy::{TMeasy, TMeasyCommon, TMeasyCurve, TMeasyTire};
