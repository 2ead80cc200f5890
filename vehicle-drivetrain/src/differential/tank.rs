//! The differential of a vehicle on tracks, which steers by the thrust of each side.

use serde::{Deserialize, Serialize};
use vehicle_core::AxleDescription;
use vehicle_core::convert::Convert;
use vehicle_core::error::{Bound, ParamCheck};
use vehicle_core::frame::CoordinateConversion;
use vehicle_core::implicit_clutch::WheelConstraint;
use vehicle_core::math::Real;
use vehicle_core::wheel::WheelParams;

use super::{MultiWheelDifferentialParams, WheelShare, check_wheels, multi_wheel_share};

/// Number of thrust commands.
const THRUSTS: usize = 2;

/// A track: wheels whose rims have the same speed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TrackParams {
    /// The wheels.
    pub wheels: Vec<usize>,
    /// Which of the two thrust commands drives it, 0 or 1, and which of the two track brakes brakes
    /// it.
    pub thrust: usize,
}

/// A differential with tracks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TankDifferentialParams {
    /// Shares of all wheels.
    pub shares: MultiWheelDifferentialParams,
    /// The tracks, any number.
    pub tracks: Vec<TrackParams>,
    /// Ratio k of the steering gear, by which the engine turns tracks that run against each other
    /// (dimensionless). Its torque on them, and its speed, are as many times as great as in the
    /// same gear straight ahead. 1 is no gear, as in the reference: then an engine that is strong
    /// enough to drive is too weak to turn on the spot.
    #[serde(default = "no_steering_gear")]
    pub steering_ratio: Real,
}

/// The ratio of a differential whose tracks the drive gear turns alone.
fn no_steering_gear() -> Real {
    1.0
}

impl TrackParams {
    /// The command of two that is for this side.
    fn command_of(&self, commands: [Real; THRUSTS]) -> Real {
        commands.get(self.thrust).copied().unwrap_or_default()
    }

    /// The [`track_constraint`] of `wheel` on this track, which has this `number`.
    fn constraint(
        &self,
        number: usize,
        wheels: &[WheelParams],
        wheel: usize,
    ) -> Option<WheelConstraint> {
        let [first, _, ..] = self.wheels[..] else {
            return None;
        };
        let speed_multiplier = wheels[first].radius / wheels[wheel].radius;
        Some(WheelConstraint { group: u8::try_from(number).ok()?, speed_multiplier })
    }
}

/// `share` of a wheel on a track under a `thrust`, through a steering `gear`.
#[inline]
fn geared(share: WheelShare, thrust: Real, gear: Real) -> WheelShare {
    let (torque, speed) = (share.torque * thrust * gear, share.speed * gear);
    WheelShare { torque, speed, is_connected: true }
}

/// `share` of a wheel on a track whose clutch leaves this `part`.
#[inline]
fn clutched_by(part: Real, share: WheelShare) -> WheelShare {
    WheelShare { torque: share.torque * part, speed: share.speed * part, ..share }
}

impl TankDifferentialParams {
    /// The number of the track that carries `wheel`, if there is one.
    pub fn track_of(&self, wheel: usize) -> Option<usize> {
        self.tracks.iter().position(|track| track.wheels.contains(&wheel))
    }

    /// How far the wheels of the track with `wheel` are braked by `track_brakes`, each in [0, 1];
    /// not at all where it is on no track.
    pub fn track_brake(&self, wheel: usize, track_brakes: [Real; THRUSTS]) -> Real {
        self.track_of(wheel).map_or(0.0, |track| self.tracks[track].command_of(track_brakes))
    }

    /// `share` of `wheel` under these `track_brakes`, each in [0, 1]. The more a track is braked
    /// than the other one, the more its clutch slips, and the other one gets its part.
    ///
    /// ```text
    /// torque = share c,   speed = share c,   c = 1 + b_other - b_own
    /// ```
    ///
    /// So a tank with one braked track turns about it by all of its engine, and both brakes are the
    /// foot brake.
    pub fn clutched(
        &self,
        share: WheelShare,
        wheel: usize,
        track_brakes: [Real; THRUSTS],
    ) -> WheelShare {
        let Some(track) = self.track_of(wheel) else { return share };
        clutched_by(self.clutch(&self.tracks[track], track_brakes), share)
    }

    /// How much of its share a `track` gets under these `track_brakes`.
    fn clutch(&self, track: &TrackParams, track_brakes: [Real; THRUSTS]) -> Real {
        let own = track.command_of(track_brakes);
        let other = track_brakes.iter().sum::<Real>() - own;
        1.0 + other - own
    }

    /// Tells `put` the part and the constraint of each wheel on a track under `thrusts` and
    /// `track_brakes`: [`tank_share`], [`clutched`](Self::clutched), and [`track_constraint`].
    pub(super) fn turn_tracks(
        &self,
        thrusts: [Real; THRUSTS],
        track_brakes: [Real; THRUSTS],
        wheels: &[WheelParams],
        mut put: impl FnMut(usize, WheelShare, Option<WheelConstraint>),
    ) {
        let gear = self.steering_gear(thrusts);
        // A wheel is on the first track that names it.
        for (number, track) in self.tracks.iter().enumerate().rev() {
            let (thrust, clutch) = (track.command_of(thrusts), self.clutch(track, track_brakes));
            for &wheel in &track.wheels {
                let share = geared(multi_wheel_share(&self.shares, wheel), thrust, gear);
                let constraint = track.constraint(number, wheels, wheel);
                put(wheel, clutched_by(clutch, share), constraint);
            }
        }
    }

    /// How much faster and stronger `thrusts` that are opposite turn the tracks.
    fn steering_gear(&self, thrusts: [Real; THRUSTS]) -> Real {
        1.0 + (self.steering_ratio - 1.0) * opposition(thrusts)
    }

    /// Whether `track_brakes` brake every track, so that none goes on alone.
    pub fn are_all_tracks_braked(&self, track_brakes: [Real; THRUSTS]) -> bool {
        let mut brakes = self.tracks.iter().map(|track| track.command_of(track_brakes));
        !self.tracks.is_empty() && brakes.all(|brake| brake != 0.0)
    }

    /// Checks the parameters of a vehicle with `axles`.
    pub fn check(&self, check: &mut ParamCheck, axles: &AxleDescription) {
        let count = axles.wheel_count();
        check.field("shares", |inner| self.shares.check(inner, count));
        check.number("steering_ratio", self.steering_ratio, Bound::Within(0.01, 100.0));
        for (index, track) in self.tracks.iter().enumerate() {
            check.field(format_args!("tracks[{index}]"), |inner| {
                inner.require("wheels", !track.wheels.is_empty(), "at least one wheel", "none");
                check_wheels(inner, "wheels", &track.wheels, count);
                let others = &self.tracks[..index];
                for (wheel_index, wheel) in track.wheels.iter().enumerate() {
                    let name = format!("wheels[{wheel_index}]");
                    let is_free = !others.iter().any(|other| other.wheels.contains(wheel));
                    inner.require(&name, is_free, "a wheel of no other track", wheel);
                }
                let requirement = format_args!("a thrust command below {THRUSTS}");
                inner.require("thrust", track.thrust < THRUSTS, requirement, track.thrust);
            });
        }
    }
}

/// Ratios and numbers, which have no unit.
impl Convert for TankDifferentialParams {
    fn converted(&self, _: &CoordinateConversion) -> Self {
        self.clone()
    }
}

/// The part of `wheel` under `thrusts`, each in [-1, 1].
///
/// ```text
/// torque = torque ratio thrust of its track g,   speed = speed ratio g
/// g = 1 + (k - 1) max(0, -t_0 t_1) / max(t_0², t_1²)
/// ```
///
/// with the steering ratio `k` and the thrusts `t`. Where they are opposite, the tracks are turned
/// by the steering gear of a double differential, which is geared to the difference of their
/// speeds. Where only one is backward, and less, they are turned by both.
///
/// A wheel on no track gets its ratio. One on a track without a ratio gets no torque, but turns
/// with its track. The torque that a track leaves is not given to the others, and no thrust brakes:
/// that is for the [brakes of the tracks](crate::stages::TrackBrakes).
pub fn tank_share(
    params: &TankDifferentialParams,
    wheel: usize,
    thrusts: [Real; THRUSTS],
) -> WheelShare {
    let share = multi_wheel_share(&params.shares, wheel);
    let Some(track) = params.track_of(wheel) else {
        return share;
    };
    geared(share, params.tracks[track].command_of(thrusts), params.steering_gear(thrusts))
}

/// How much the thrusts of two tracks are opposite, in [0, 1].
fn opposition([first, second]: [Real; THRUSTS]) -> Real {
    let largest = first.abs().max(second.abs());
    if largest == 0.0 { 0.0 } else { (-(first / largest) * (second / largest)).max(0.0) }
}

/// With which speed `wheel` turns in its track, if it is on one with others.
///
/// ```text
/// m = r0 / r
/// ```
///
/// with `r` the radius of the wheel and `r0` that of the track's first wheel, because the rims
/// share the speed of the track. Groups have the numbers of their tracks.
pub fn track_constraint(
    params: &TankDifferentialParams,
    wheels: &[WheelParams],
    wheel: usize,
) -> Option<WheelConstraint> {
    let track = params.track_of(wheel)?;
    params.tracks[track].constraint(track, wheels, wheel)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tank() -> TankDifferentialParams {
        TankDifferentialParams {
            shares: MultiWheelDifferentialParams::equal(6, &[0, 1, 2, 3]),
            tracks: vec![
                TrackParams { wheels: vec![0, 2, 4], thrust: 0 },
                TrackParams { wheels: vec![1], thrust: 1 },
            ],
            steering_ratio: 1.0,
        }
    }

    #[test]
    fn steering_gear_turns_tracks_that_run_against_each_other() {
        let geared = TankDifferentialParams { steering_ratio: 5.0, ..tank() };
        // (thrusts, part of the torque of either track, weight of the speed)
        let cases = [
            ([1.0, 1.0], [1.0, 1.0], 1.0),
            ([1.0, 0.0], [1.0, 0.0], 1.0),
            ([0.0, 0.0], [0.0, 0.0], 1.0),
            ([1.0, -1.0], [5.0, -5.0], 5.0),
            ([-0.5, 0.5], [-2.5, 2.5], 5.0),
            ([1.0, -0.5], [3.0, -1.5], 3.0),
        ];
        for (thrusts, torques, speed) in cases {
            for (wheel, torque) in torques.into_iter().enumerate() {
                let share = tank_share(&geared, wheel, thrusts);
                assert_eq!(
                    (share.torque, share.speed),
                    (0.25 * torque, 0.25 * speed),
                    "{thrusts:?}"
                );
            }
        }
    }

    #[test]
    fn a_braked_track_leaves_its_part_to_the_other() {
        // (brakes of the tracks, parts of either track)
        let cases = [
            ([0.0, 0.0], [1.0, 1.0]),
            ([1.0, 0.0], [0.0, 2.0]),
            ([0.0, 0.25], [1.25, 0.75]),
            ([1.0, 0.5], [0.5, 1.5]),
            ([1.0, 1.0], [1.0, 1.0]),
        ];
        let share = WheelShare { torque: 0.25, speed: 0.25, is_connected: true };
        for (brakes, parts) in cases {
            for (wheel, part) in parts.into_iter().enumerate() {
                let expected = WheelShare { torque: 0.25 * part, speed: 0.25 * part, ..share };
                assert_eq!(tank().clutched(share, wheel, brakes), expected, "{brakes:?}, {wheel}");
            }
            assert_eq!(tank().clutched(share, 5, brakes), share, "a wheel on no track");
        }
    }

    #[test]
    fn thrust_scales_the_torque_of_its_track() {
        let share = |torque, speed| WheelShare { torque, speed, is_connected: true };
        let expected = [
            share(-0.125, 0.25),
            share(0.25, 0.25),
            share(-0.125, 0.25),
            share(0.25, 0.25),
            share(0.0, 0.0),
            WheelShare::default(),
        ];
        for (wheel, expected) in expected.into_iter().enumerate() {
            assert_eq!(tank_share(&tank(), wheel, [-0.5, 1.0]), expected, "wheel {wheel}");
        }
    }

    #[test]
    fn a_lever_brakes_the_tracks_of_its_number() {
        let brakes = |levers| [0, 1, 2, 3, 4, 5].map(|wheel| tank().track_brake(wheel, levers));
        assert_eq!(brakes([0.25, 1.0]), [0.25, 1.0, 0.25, 0.0, 0.25, 0.0]);
        // (levers, whether all tracks are braked)
        let cases = [([0.0; 2], false), ([1.0, 0.0], false), ([0.0, 1.0], false), ([0.1; 2], true)];
        for (levers, expected) in cases {
            assert_eq!(tank().are_all_tracks_braked(levers), expected, "{levers:?}");
        }
        let trackless = TankDifferentialParams { tracks: Vec::new(), ..tank() };
        assert!(!trackless.are_all_tracks_braked([1.0; 2]));
    }

    #[test]
    fn rims_of_a_track_have_one_speed() {
        let radii = [0.4, 0.4, 0.5, 0.4, 0.2, 0.4];
        let wheels = radii.map(|radius| WheelParams { radius, ..WheelParams::default() });
        let constraint = |wheel| track_constraint(&tank(), &wheels, wheel);
        let member = |speed_multiplier| Some(WheelConstraint { group: 0, speed_multiplier });
        let expected = [member(1.0), None, member(0.8), None, member(2.0), None];
        assert_eq!([0, 1, 2, 3, 4, 5].map(constraint), expected);
    }

    #[test]
    fn bad_tracks_are_refused() {
        let message = |tracks: &[(&[usize], usize)]| {
            let tracks = tracks.iter();
            let track = |&(wheels, thrust): &(&[usize], usize)| TrackParams {
                wheels: wheels.to_vec(),
                thrust,
            };
            let params = TankDifferentialParams { tracks: tracks.map(track).collect(), ..tank() };
            let mut check = ParamCheck::default();
            params.check(&mut check, &AxleDescription::new([[0, 1], [2, 3], [4, 5]]).unwrap());
            check.finish().map_or_else(|error| error.to_string(), |()| "good".to_owned())
        };
        assert_eq!(message(&[(&[0, 2, 4], 0), (&[1, 3, 5], 1)]), "good");
        assert_eq!(message(&[]), "good");
        assert_eq!(message(&[(&[], 0)]), "tracks[0].wheels must be at least one wheel, got none");
        assert_eq!(
            message(&[(&[0, 9], 2)]),
            "tracks[0].wheels[1] must be a wheel below 6, got 9; \
             tracks[0].thrust must be a thrust command below 2, got 2"
        );
        assert_eq!(
            message(&[(&[0, 2, 0], 0), (&[1, 2], 1)]),
            "tracks[0].wheels[2] must be another wheel than those before it, got 0; \
             tracks[1].wheels[1] must be a wheel of no other track, got 2"
        );
    }
}
