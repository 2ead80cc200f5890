//! What all models obey: their force laws, and the tires that are asked as a vehicle asks them.

mod closed_forms;
mod laws;
mod tires;

use super::{TireSize, TireUse};
use crate::math::Real;
use proptest::prelude::*;

const CAR: TireSize =
    TireSize { made_for: TireUse::PassengerCar, load: 4_000.0, radius: 0.31, width: 0.2 };
const TRUCK: TireSize =
    TireSize { made_for: TireUse::Truck, load: 30_000.0, radius: 0.5, width: 0.31 };

/// Any finite number.
fn finite() -> impl Strategy<Value = Real> {
    prop_oneof![
        any::<u32>().prop_map(Real::from_bits).prop_filter("finite", |x| x.is_finite()),
        -2.0..2.0_f32,
        -1e5..1e5_f32,
    ]
}
