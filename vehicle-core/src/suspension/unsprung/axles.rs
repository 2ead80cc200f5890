//! Beam axles of wheels, four side by side.

use super::beam::{RideBeams, join_neighbors, of_neighbors};
use super::params::UnsprungParams;
use super::scalar::Scalar;
use crate::WheelList;
use crate::frame::Frame;
use crate::math::lanes::{Lanes, MAX_LANES, Mask, Number, Real4, Vec3x4, Vector, each_lane};
use crate::math::{Real, Vec3};
use crate::suspension::{
    BeamAxleParams, CompressionLanes, SuspensionCompliance, SuspensionParams, SuspensionState,
};
use crate::turning_wheel::WheelState;
use crate::wheel_list::place;

/// Beam axles of four wheels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FourBeams {
    pub(super) ride: RideBeams<Real4>,
    /// From the other wheel to this one, by the square of the track (1/m, body frame).
    across: Vec3x4,
    /// `across` times the height of the roll center (dimensionless, body frame).
    aside: Vec3x4,
    roll_steer: Real4,
}

/// The axle on which a wheel is, and the number of the wheel at its other end.
fn end_of(axles: &[BeamAxleParams], wheel: usize) -> Option<(&BeamAxleParams, usize)> {
    let axle = axles.iter().find(|axle| axle.wheels.contains(&wheel))?;
    Some((axle, other_wheel(axles, wheel)?))
}

/// The wheel at the other end of the beam axle of `wheel`.
pub(super) fn other_wheel(axles: &[BeamAxleParams], wheel: usize) -> Option<usize> {
    let axle = axles.iter().find(|axle| axle.wheels.contains(&wheel))?;
    axle.wheels.into_iter().find(|&other| other != wheel)
}

/// The mass that the `wheel` shares with the one on its axle (kg).
fn shared_mass(
    (axle, other): (&BeamAxleParams, usize),
    wheel: usize,
    wheels: &[UnsprungParams],
    suspensions: &[SuspensionParams],
) -> Real {
    axle.shared_mass([wheel, other].map(|wheel| wheels[wheel].mass), axle.track(suspensions))
}

/// The least mass with which the `wheel` moves, alone or with the other one (kg).
///
/// ```text
/// least eigenvalue of ((m - b, b), (b, m' - b))
/// ```
pub(super) fn least_mass(
    axles: &[BeamAxleParams],
    wheel: usize,
    wheels: &[UnsprungParams],
    suspensions: &[SuspensionParams],
) -> Real {
    let mass = wheels[wheel].mass;
    let Some((axle, other)) = end_of(axles, wheel) else { return mass };
    let shared = shared_mass((axle, other), wheel, wheels, suspensions);
    let other_mass = wheels[other].mass;
    let (mean, half) = (0.5 * (mass + other_mass) - shared, 0.5 * (mass - other_mass));
    mean - (half * half + shared * shared).sqrt()
}

impl FourBeams {
    /// The axles of the wheels of this `four`.
    pub(super) fn new(
        axles: &[BeamAxleParams],
        four: usize,
        wheels: &[UnsprungParams],
        suspensions: &[SuspensionParams],
    ) -> Self {
        let numbers = each_lane(|lane| four * MAX_LANES + lane);
        let of = |value: &dyn Fn((&BeamAxleParams, usize), usize) -> Real| {
            <Real4 as Scalar>::from_lanes(|lane| {
                let wheel = numbers[lane];
                end_of(axles, wheel).map_or(0.0, |end| value(end, wheel))
            })
        };
        let across = |lane: usize| {
            let wheel = numbers[lane];
            let Some((axle, other)) = end_of(axles, wheel) else { return Vec3::ZERO };
            let track = axle.track(suspensions);
            let [here, there] = [wheel, other].map(|wheel| suspensions[wheel].wheel_mount());
            (here - there) / (track * track)
        };
        let aside = |lane: usize| {
            let height = end_of(axles, numbers[lane]).map_or(0.0, |(it, _)| it.roll_center_height);
            across(lane) * height
        };
        Self {
            ride: RideBeams {
                is_there: Lanes::from_lanes(|lane| end_of(axles, numbers[lane]).is_some()),
                other: numbers.map(|wheel| other_wheel(axles, wheel).unwrap_or(wheel ^ 1)),
                shared_mass: of(&|end, wheel| shared_mass(end, wheel, wheels, suspensions)),
                spring_track: of(&|(axle, _), _| axle.spring_track / axle.track(suspensions)),
                damper_track: of(&|(axle, _), _| axle.damper_track / axle.track(suspensions)),
                roll_center: of(&|(axle, _), _| {
                    let track = axle.track(suspensions);
                    axle.roll_center_height / (track * track)
                }),
            },
            across: Vec3x4::from_lanes(across),
            aside: Vec3x4::from_lanes(aside),
            roll_steer: of(&|(axle, _), _| axle.roll_steer),
        }
    }

    /// Difference of the jounces of the wheels of this `four` to those at the other ends of their
    /// axles (m).
    pub(super) fn tilt(
        &self,
        four: usize,
        states: &WheelList<SuspensionState>,
        wheels: &WheelList<WheelState>,
    ) -> Real4 {
        self.difference(four, states, wheels, |state| state.jounce)
    }

    /// Rate of change of the [tilt](Self::tilt) (m/s).
    pub(super) fn tilt_speed(
        &self,
        four: usize,
        states: &WheelList<SuspensionState>,
        wheels: &WheelList<WheelState>,
    ) -> Real4 {
        self.difference(four, states, wheels, |state| state.jounce_speed)
    }

    /// Toe and camber that a `tilt` (m) of the axles below the body gives to their wheels.
    ///
    /// ```text
    /// γ = (j - j') y / T,   τ = -ε γ          y: 1 on the left, -1 on the right
    /// ```
    pub(super) fn lean(&self, tilt: Real4, frame: &Frame) -> SuspensionCompliance<Vec3x4> {
        let camber = tilt * self.across.dot(Vector::splat(frame.lateral()));
        SuspensionCompliance {
            camber,
            toe: -(self.roll_steer * camber),
            ..SuspensionCompliance::default()
        }
    }

    /// How far aside the contacts of the wheels are at a `tilt` (m, body frame), or how fast they
    /// go there by its rate (m/s). The axle rolls about its roll center below the body.
    ///
    /// ```text
    /// s = h (j - j') (r - r') / T²
    /// ```
    pub(super) fn aside(&self, tilt: Real4) -> Vec3x4 {
        self.aside * tilt
    }

    /// By how much `of` the wheels of this `four` exceeds that of those at the other ends of their
    /// axles. It is 0 without an axle, and on one that has lost a wheel.
    #[inline]
    fn difference(
        &self,
        four: usize,
        states: &WheelList<SuspensionState>,
        wheels: &WheelList<WheelState>,
        of: fn(&CompressionLanes<Real4>) -> Real4,
    ) -> Real4 {
        let is_any_lost = wheels.four(four).is_detached.any();
        if is_any_lost || !join_neighbors::<Real4>(&self.ride.other, four) {
            return self.gathered_difference(four, states, wheels, of);
        }
        let value = of(&states.four(four).compression);
        Number::select(self.ride.is_there, value - of_neighbors(value), Number::zero())
    }

    /// The [difference](Self::difference) of any wheels.
    #[cold]
    #[inline(never)]
    fn gathered_difference(
        &self,
        four: usize,
        states: &WheelList<SuspensionState>,
        wheels: &WheelList<WheelState>,
        of: fn(&CompressionLanes<Real4>) -> Real4,
    ) -> Real4 {
        let value = |wheel: usize| {
            let (index, lane) = place(wheel);
            Lanes::lane(&of(&states.four(index).compression), lane)
        };
        let is_lost = |wheel: usize| {
            let (index, lane) = place(wheel);
            wheels.four(index).is_detached.lane(lane)
        };
        <Real4 as Scalar>::from_lanes(|lane| {
            let (wheel, other) = (four * MAX_LANES + lane, self.ride.other[lane]);
            let is_whole = self.ride.is_there.lane(lane) && !is_lost(wheel) && !is_lost(other);
            if is_whole { value(wheel) - value(other) } else { 0.0 }
        })
    }
}
