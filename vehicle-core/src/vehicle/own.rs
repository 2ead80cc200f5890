//! State of a user's own in a ready-made vehicle: a driver aid, or a part of one's own.

use std::fmt::Debug;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{HasMechanics, Mechanics};
use crate::error::{ParamCheck, ParamErrors};
use crate::math::Vec3;
use crate::tire::TireModel;

/// State of a user's own in a vehicle, such as what an anti-lock brake or a part of one's own
/// remembers.
///
/// Ready-made vehicles have a place for it. Snapshots hold it, a step that fails puts it back, and
/// what is not finite in it is found, together with the vehicle's own. A
/// [component](crate::Component) reads and writes it by [`HasOwn`]. `()` is none.
///
/// For the same bits after a snapshot, a component reads only what the step has written by then,
/// and what a vehicle [remembers](crate::memory) between two steps. Of tires and forces, it reads
/// what the stages before it have found in this substep.
///
/// ```
/// use serde::{Deserialize, Serialize};
/// use vehicle_core::error::{Bound, ParamCheck};
/// use vehicle_core::math::Real;
/// use vehicle_core::vehicle::OwnState;
///
/// /// How hot each brake is (K).
/// #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
/// struct BrakeHeat(Vec<Real>);
///
/// impl OwnState for BrakeHeat {
///     /// Temperature of the air (K).
///     type Params = Real;
///
///     fn at_rest(air: &Real, wheel_count: usize) -> Self {
///         Self(vec![*air; wheel_count])
///     }
///
///     fn check_params(air: &Real, _wheel_count: usize, check: &mut ParamCheck) {
///         check.number("air", *air, Bound::Positive);
///     }
///
///     fn check(&self, _: &Real, wheel_count: usize, check: &mut ParamCheck) {
///         check.count("heat", self.0.len(), wheel_count);
///     }
///
///     fn is_finite(&self) -> bool {
///         self.0.iter().all(|heat| heat.is_finite())
///     }
/// }
/// ```
pub trait OwnState: Clone + Debug + PartialEq + Serialize + DeserializeOwned + 'static {
    /// What it is made of, constant in a step; `()` if that is nothing. Vehicles of one model share
    /// what is large in an `Arc`.
    type Params: Clone + Debug;

    /// The state of a vehicle of `wheel_count` wheels at rest.
    fn at_rest(params: &Self::Params, wheel_count: usize) -> Self;

    /// Reports faults of `params` for a vehicle of `wheel_count` wheels. None unless said
    /// otherwise.
    fn check_params(_params: &Self::Params, _wheel_count: usize, _check: &mut ParamCheck) {}

    /// Reports what no step can be made with, such as lists of other lengths than the vehicle has
    /// wheels, and inputs out of their ranges. It does so before each step, and of a snapshot
    /// before it is put back. Nothing unless said otherwise.
    ///
    /// Where there is nothing to report, it is to take no memory.
    fn check(&self, _params: &Self::Params, _wheel_count: usize, _check: &mut ParamCheck) {}

    /// Whether every number is finite.
    fn is_finite(&self) -> bool;

    /// Shifts the places in the world that it remembers by `shift` (m): the new origin is there in
    /// the old coordinates, so that `place - shift` is the new one. None unless said otherwise.
    fn shift(&mut self, _shift: Vec3) {}

    /// Whether the vehicle must stay awake on its account. It need not unless said otherwise.
    fn is_busy(&self) -> bool {
        false
    }
}

/// None.
impl OwnState for () {
    type Params = ();

    fn at_rest((): &(), _wheel_count: usize) -> Self {}

    fn is_finite(&self) -> bool {
        true
    }
}

/// The mechanical base of a vehicle and the state of its user's own, borrowed.
#[derive(Debug)]
pub struct MechanicsWithOwn<'a, Tire: TireModel, State: OwnState> {
    /// The mechanical base.
    pub mechanics: Mechanics<'a, Tire>,
    /// Parameters of the state of one's own.
    pub params: &'a State::Params,
    /// The state of one's own.
    pub state: &'a mut State,
}

/// A vehicle on the ready-made mechanical base with state of its user's own.
pub trait HasOwn: HasMechanics {
    /// The state of one's own.
    type Own: OwnState;

    /// Borrows both.
    fn own(&mut self) -> MechanicsWithOwn<'_, Self::Tire, Self::Own>;
}

/// Checks `params`, and `state` with them, in a vehicle of `wheel_count` wheels.
///
/// # Errors
///
/// All faults, as those of `own`.
pub fn check_own<Own: OwnState>(
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

/// Reports what a vehicle of `params` and of `wheel_count` wheels cannot drive on with in the
/// `memory` of a snapshot, as faults of `own`.
pub fn check_own_memory<Own: OwnState>(
    params: &Own::Params,
    memory: &Own,
    wheel_count: usize,
    check: &mut ParamCheck,
) {
    check.field("own", |inner| memory.check(params, wheel_count, inner));
    check.require("own", memory.is_finite(), "finite", "a number that is not");
}
