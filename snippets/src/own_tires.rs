//! The tire models that vehicle files of these programs may name beside those that come with the
//! crates.

use vehicle_rapier::core::tire::models::RollingTire;
use vehicle_rapier::vehicle_file::OwnTires;

use crate::evidence::{CommonRoadTire, LimitedLinearTire};
use crate::tanh_tire::TanhTire;

/// The models by their names: `tanh`, and those of the [evidence](crate::evidence).
pub fn own_tires() -> OwnTires {
    OwnTires::new()
        .with::<RollingTire<TanhTire>>("tanh")
        .with::<LimitedLinearTire>(LimitedLinearTire::NAME)
        .with::<CommonRoadTire>(CommonRoadTire::NAME)
}
