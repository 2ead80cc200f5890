//! Checks of what users have added to ready-made vehicles.

use vehicle_core::ParamErrors;
use vehicle_core::error::ParamCheck;
use vehicle_core::vehicle::OwnState;

/// All faults of `params`, and of `state` with them, in a vehicle of `wheel_count` wheels.
pub(crate) fn check_own<Own: OwnState>(
    params: &Own::Params,
    state: &Own,
    wheel_count: usize,
) -> Result<(), ParamErrors> {
    let mut check = ParamCheck::default();
    check.field("own", |inner| {
        Own::check_params(params, wheel_count, inner);
        state.check(params, wheel_count, inner);
    });
    check.finish()
}

/// Reports what a vehicle cannot drive on with.
pub(crate) fn check_own_memory<Own: OwnState>(
    params: &Own::Params,
    memory: &Own,
    wheel_count: usize,
    check: &mut ParamCheck,
) {
    check.field("own", |inner| memory.check(params, wheel_count, inner));
    check.require("own", memory.is_finite(), "finite", "a number that is not");
}
