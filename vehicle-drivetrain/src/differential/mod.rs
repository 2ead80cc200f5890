//! Differentials: which wheels the engine turns, with what share of its torque and at what speed.
//!
//! | differential         | torque of a wheel              | wheels forced to turn together      |
//! |----------------------|--------------------------------|-------------------------------------|
//! | [`multi_wheel`]      | constant share                 | none                                |
//! | [`four_wheel`]       | constant share, [`torque_bias`] | [`limited_slip`]: speeds too unlike |
//! | [`torque_splitting`] | more to the slower wheel       | none                                |
//! | [`tank`]             | share times the track's thrust | those of a track                    |
//!
//! Wheels that turn together form groups, numbers in their
//! [`WheelConstraint`](vehicle_core::implicit_clutch::WheelConstraint)s. [`stage`] runs whichever
//! kind a vehicle has, and [`TrackBrakes`](crate::stages::TrackBrakes) brakes the tracks of a tank
//! one by one.

use serde::{Deserialize, Serialize};
use vehicle_core::MAX_WHEELS;
use vehicle_core::error::{Bound, ParamCheck};
use vehicle_core::math::lanes::{InLanes, Lanes, Number, Real4};
use vehicle_core::math::{Real, sign};

pub mod four_wheel;
pub mod limited_slip;
pub mod multi_wheel;
pub mod stage;
pub mod tank;
pub mod torque_bias;
pub mod torque_splitting;
mod track_brakes;

pub use four_wheel::FourWheelDifferentialParams;
pub use limited_slip::{LimitedSlipParams, LimitedSlips, TestedSpeeds, limited_slip_groups};
pub use multi_wheel::{MultiWheelDifferentialParams, multi_wheel_share};
pub use stage::{DifferentialKind, DifferentialModel, DifferentialParams, DifferentialView};
pub use tank::{TankDifferentialParams, TrackParams, tank_share, track_constraint};
pub use torque_bias::{TorqueBiasParams, TorqueBiases};
pub use torque_splitting::{DrivenWheels, TorqueSplittingParams, torque_splitting_shares};

/// How far the shares of all wheels may be from 1 in sum (dimensionless): room for rounding and for
/// shares with few decimals.
const SHARE_TOLERANCE: Real = 0.01;

/// A wheel's part in the differential. The default is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WheelShare<N: Number = Real> {
    /// Share of the torque (dimensionless); negative if the wheel is geared to turn backward.
    pub torque: N,
    /// Weight of the wheel's speed in the speed of the differential's input (dimensionless).
    pub speed: N,
    /// Whether the wheel is coupled to the engine or to other wheels.
    pub is_connected: N::Mask,
}

impl<N: Number> WheelShare<N> {
    /// Weight of the wheel's speed, with the sign of its torque (dimensionless).
    #[inline]
    pub(crate) fn signed_speed(&self) -> N {
        self.speed * sign(self.torque)
    }
}

impl Lanes for WheelShare<Real4> {
    type Single = WheelShare;

    #[inline]
    fn from_lanes(mut share: impl FnMut(usize) -> WheelShare) -> Self {
        let [a, b, c, d] = [share(0), share(1), share(2), share(3)];
        Self {
            torque: Real4::new([a.torque, b.torque, c.torque, d.torque]),
            speed: Real4::new([a.speed, b.speed, c.speed, d.speed]),
            is_connected: Lanes::from_lanes(|lane| [a, b, c, d][lane].is_connected),
        }
    }

    #[inline]
    fn lane(&self, lane: usize) -> WheelShare {
        WheelShare {
            torque: self.torque.lane(lane),
            speed: self.speed.lane(lane),
            is_connected: self.is_connected.lane(lane),
        }
    }

    #[inline]
    fn set_lane(&mut self, lane: usize, share: WheelShare) {
        self.torque.set_lane(lane, share.torque);
        self.speed.set_lane(lane, share.speed);
        self.is_connected.set_lane(lane, share.is_connected);
    }
}

impl InLanes for WheelShare {
    type Lanes = WheelShare<Real4>;
}

/// Whether `wheel` is one of the `connected`, which have a bit each.
#[inline]
pub(crate) fn is_connected(connected: u64, wheel: usize) -> bool {
    wheel < MAX_WHEELS && connected >> wheel & 1 == 1
}

/// Checks the list of shares in the field `name`: one per wheel, within `bound`, in sum 1 but for
/// their signs.
fn check_shares(
    check: &mut ParamCheck,
    name: &str,
    shares: &[Real],
    wheel_count: usize,
    bound: Bound,
) {
    check.count(name, shares.len(), wheel_count);
    for (wheel, &share) in shares.iter().enumerate() {
        check.number(format_args!("{name}[{wheel}]"), share, bound);
        let is_there = wheel < wheel_count || share == 0.0;
        let requirement = format_args!("0, as driven wheels are below {wheel_count}");
        check.require(format_args!("{name}[{wheel}]"), is_there, requirement, share);
    }
    let sum: Real = shares.iter().map(|share| share.abs()).sum();
    let (low, high) = (1.0 - SHARE_TOLERANCE, 1.0 + SHARE_TOLERANCE);
    let requirement = format_args!("in sum within [{low}, {high}], whatever their signs");
    check.require(name, (low..=high).contains(&sum), requirement, sum);
}

/// Checks that the list in the field `name` holds wheels that exist, each once.
fn check_wheels(check: &mut ParamCheck, name: &str, wheels: &[usize], wheel_count: usize) {
    for (index, &wheel) in wheels.iter().enumerate() {
        let name = format!("{name}[{index}]");
        let requirement = format_args!("a wheel below {wheel_count}");
        check.require(&name, wheel < wheel_count, requirement, wheel);
        let is_new = !wheels[..index].contains(&wheel);
        check.require(&name, is_new, "another wheel than those before it", wheel);
    }
}

/// Checks the wheels of the fields `front` and `rear`: they exist, each once.
fn check_axle_pairs(
    check: &mut ParamCheck,
    front: [usize; 2],
    rear: [usize; 2],
    wheel_count: usize,
) {
    check_wheels(check, "front", &front, wheel_count);
    check_wheels(check, "rear", &rear, wheel_count);
    for (index, wheel) in rear.iter().enumerate() {
        let is_new = !front.contains(wheel);
        check.require(format_args!("rear[{index}]"), is_new, "no front wheel", wheel);
    }
}
