//! The differential of a vehicle, whichever kind, as a stage.

use serde::{Deserialize, Serialize};
use vehicle_core::convert::Convert;
use vehicle_core::error::ParamCheck;
use vehicle_core::frame::CoordinateConversion;
use vehicle_core::implicit_clutch::WheelConstraint;
use vehicle_core::math::Real;
use vehicle_core::math::lanes::{Lanes, MAX_LANES, Mask};
use vehicle_core::wheel::{WheelParams, WheelState};
use vehicle_core::{AxleDescription, WheelList};

use super::{
    FourWheelDifferentialParams, MultiWheelDifferentialParams, TankDifferentialParams,
    TestedSpeeds, TorqueSplittingParams, WheelShare, limited_slip_groups, multi_wheel_share,
    torque_splitting_shares,
};

/// A differential of one of the kinds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum DifferentialParams {
    /// Constant shares.
    MultiWheel(MultiWheelDifferentialParams),
    /// Constant shares, and limited slip between four wheels.
    FourWheel(FourWheelDifferentialParams),
    /// Shares of four wheels by their speeds.
    TorqueSplitting(TorqueSplittingParams),
    /// Shares by the thrust of tracks.
    Tank(TankDifferentialParams),
}

/// A differential of one kind or another, as the stages see it.
#[derive(Clone, Copy, Debug)]
pub enum DifferentialKind<'a> {
    /// Constant shares.
    MultiWheel(&'a MultiWheelDifferentialParams),
    /// Constant shares, and limited slip between four wheels.
    FourWheel(&'a FourWheelDifferentialParams),
    /// Shares of four wheels by their speeds.
    TorqueSplitting(&'a TorqueSplittingParams),
    /// Shares by the thrust of tracks.
    Tank(&'a TankDifferentialParams),
}

impl DifferentialKind<'_> {
    /// Whether the differential gives torque to `wheel`.
    pub fn drives(&self, wheel: usize) -> bool {
        let has_share = |shares: &MultiWheelDifferentialParams| {
            shares.torque_ratios.get(wheel).is_some_and(|&ratio| ratio != 0.0)
        };
        match self {
            Self::MultiWheel(params) => has_share(params),
            Self::FourWheel(params) => has_share(&params.shares),
            Self::Tank(params) => has_share(&params.shares),
            Self::TorqueSplitting(params) => params.drives(wheel),
        }
    }
}

/// The differential of a vehicle type: one kind, or [`DifferentialParams`] for any.
pub trait DifferentialModel: Convert + Clone + 'static {
    /// The kind, with its parameters.
    fn kind(&self) -> DifferentialKind<'_>;

    /// Checks the parameters of a vehicle with `axles`.
    fn check(&self, check: &mut ParamCheck, axles: &AxleDescription) {
        match self.kind() {
            DifferentialKind::MultiWheel(params) => params.check(check, axles.wheel_count()),
            DifferentialKind::FourWheel(params) => params.check(check, axles),
            DifferentialKind::TorqueSplitting(params) => params.check(check, axles),
            DifferentialKind::Tank(params) => params.check(check, axles),
        }
    }
}

impl DifferentialModel for DifferentialParams {
    fn kind(&self) -> DifferentialKind<'_> {
        match self {
            Self::MultiWheel(params) => params.kind(),
            Self::FourWheel(params) => params.kind(),
            Self::TorqueSplitting(params) => params.kind(),
            Self::Tank(params) => params.kind(),
        }
    }
}

impl DifferentialModel for MultiWheelDifferentialParams {
    fn kind(&self) -> DifferentialKind<'_> {
        DifferentialKind::MultiWheel(self)
    }
}

impl DifferentialModel for FourWheelDifferentialParams {
    fn kind(&self) -> DifferentialKind<'_> {
        DifferentialKind::FourWheel(self)
    }
}

impl DifferentialModel for TorqueSplittingParams {
    fn kind(&self) -> DifferentialKind<'_> {
        DifferentialKind::TorqueSplitting(self)
    }
}

impl DifferentialModel for TankDifferentialParams {
    fn kind(&self) -> DifferentialKind<'_> {
        DifferentialKind::Tank(self)
    }
}

impl Convert for DifferentialParams {
    fn converted(&self, conversion: &CoordinateConversion) -> Self {
        match self {
            Self::MultiWheel(params) => Self::MultiWheel(params.converted(conversion)),
            Self::FourWheel(params) => Self::FourWheel(params.converted(conversion)),
            Self::TorqueSplitting(params) => Self::TorqueSplitting(params.converted(conversion)),
            Self::Tank(params) => Self::Tank(params.converted(conversion)),
        }
    }
}

/// Wheel speeds of a vehicle, and how its differential shares them.
#[derive(Debug)]
pub struct DifferentialView<'a> {
    /// Wheels in order of update.
    pub axles: &'a AxleDescription,
    /// The differential.
    pub params: DifferentialKind<'a>,
    /// Whether the center of four wheels is free.
    pub is_center_free: bool,
    /// Thrust of the tracks, each in [-1, 1].
    pub thrusts: [Real; 2],
    /// Brakes of the tracks, each in [0, 1].
    pub track_brakes: [Real; 2],
    /// Radius of each wheel.
    pub wheel_params: &'a [WheelParams],
    /// Rotation speed of each wheel.
    pub wheels: &'a WheelList<WheelState>,
    /// Written: the part of each wheel.
    pub shares: &'a mut WheelList<WheelShare>,
    /// Written: whether each wheel is forced to turn with others.
    pub constraints: &'a mut [Option<WheelConstraint>],
}

impl DifferentialView<'_> {
    /// Updates the part and the group of every wheel, where `tested` speeds limit slip.
    ///
    /// With [`TestedSpeeds::Solved`] that is left to the drivetrain, and wheels stay free here.
    pub fn update(mut self, tested: TestedSpeeds, dt: Real) {
        let (params, wheel_count) = (self.params, self.shares.len());
        for (four, shares) in self.shares.fours_mut().iter_mut().enumerate() {
            *shares = Lanes::from_lanes(|lane| {
                let wheel = four * MAX_LANES + lane;
                if wheel < wheel_count {
                    constant_share(params, wheel)
                } else {
                    WheelShare::default()
                }
            });
        }
        self.constraints.fill(None);
        match self.params {
            DifferentialKind::FourWheel(params) if tested == TestedSpeeds::StartOfFrame => {
                self.limit_slip(params, dt);
            }
            DifferentialKind::TorqueSplitting(params) => self.split_torque(params),
            DifferentialKind::Tank(params) => self.turn_tracks(params),
            _ => {}
        }
        // Most of the time there are none.
        if self.wheels.fours().iter().any(|wheels| wheels.is_detached.any()) {
            self.disconnect_lost_wheels();
        }
    }

    #[cold]
    fn disconnect_lost_wheels(&mut self) {
        for (wheel, constraint) in self.constraints.iter_mut().enumerate() {
            if self.wheels.of(wheel).is_detached {
                self.shares.set(wheel, WheelShare::default());
                *constraint = None;
            }
        }
    }

    fn limit_slip(&mut self, params: &FourWheelDifferentialParams, dt: Real) {
        let wheels = params.wheels();
        let speeds = wheels.map(|wheel| self.wheels.of(wheel).rotation_speed);
        let slips = params.limited_slip.with_center(!self.is_center_free);
        let groups = limited_slip_groups(&slips, speeds, TestedSpeeds::StartOfFrame, dt);
        for (wheel, group) in wheels.into_iter().zip(groups) {
            self.constraints[wheel] = group;
        }
    }

    fn turn_tracks(&mut self, params: &TankDifferentialParams) {
        let Self { thrusts, track_brakes, wheel_params, shares, constraints, .. } = self;
        params.turn_tracks(*thrusts, *track_brakes, wheel_params, |wheel, share, constraint| {
            shares.set(wheel, share);
            constraints[wheel] = constraint;
        });
    }

    fn split_torque(&mut self, params: &TorqueSplittingParams) {
        let wheels = params.wheels();
        let speeds = wheels.map(|wheel| self.wheels.of(wheel).rotation_speed);
        for (wheel, share) in wheels.into_iter().zip(torque_splitting_shares(params, speeds)) {
            self.shares.set(wheel, share);
        }
    }
}

/// The part of `wheel` where neither its speed nor a thrust of its track matters.
#[inline]
fn constant_share(params: DifferentialKind<'_>, wheel: usize) -> WheelShare {
    match params {
        DifferentialKind::MultiWheel(params) => multi_wheel_share(params, wheel),
        DifferentialKind::FourWheel(params) => multi_wheel_share(&params.shares, wheel),
        DifferentialKind::TorqueSplitting(_) => WheelShare::default(),
        DifferentialKind::Tank(params) => multi_wheel_share(&params.shares, wheel),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::differential::{
        DrivenWheels, LimitedSlipParams, LimitedSlips, TorqueBiases, TrackParams,
    };

    const SPEEDS: [Real; 6] = [5.0, 8.0, 1.0, 1.0, 12.0, 9.0];

    fn axles() -> AxleDescription {
        AxleDescription::new([[0, 1], [2, 3], [4, 5]]).unwrap()
    }

    /// Shares and groups of six wheels of which the third axle is the rear one.
    fn update(
        params: &DifferentialParams,
        tested: TestedSpeeds,
    ) -> ([WheelShare; 6], [Option<WheelConstraint>; 6]) {
        let mut check = ParamCheck::default();
        params.check(&mut check, &axles());
        check.finish().unwrap();
        // The shares that were there before are forgotten.
        let mut shares =
            WheelList::filled(6, WheelShare { torque: 9.0, speed: 9.0, is_connected: true });
        let mut constraints = [Some(WheelConstraint { group: 9, speed_multiplier: 9.0 }); 6];
        let wheels =
            SPEEDS.map(|rotation_speed| WheelState { rotation_speed, ..WheelState::default() });
        let view = DifferentialView {
            axles: &axles(),
            params: params.kind(),
            is_center_free: false,
            thrusts: [0.5, -1.0],
            track_brakes: [0.0; 2],
            wheel_params: &[WheelParams::default(); 6],
            wheels: &wheels.into_iter().collect(),
            shares: &mut shares,
            constraints: &mut constraints,
        };
        view.update(tested, 1.0 / 60.0);
        (std::array::from_fn(|wheel| shares.of(wheel)), constraints)
    }

    fn share(torque: Real, speed: Real) -> WheelShare {
        WheelShare { torque, speed, is_connected: true }
    }

    #[test]
    fn constant_shares_force_nothing() {
        let params = MultiWheelDifferentialParams::equal(6, &[4, 5]);
        let params = DifferentialParams::MultiWheel(params);
        let (shares, constraints) = update(&params, TestedSpeeds::StartOfFrame);
        let none = WheelShare::default();
        assert_eq!(shares, [none, none, none, none, share(0.5, 0.5), share(0.5, 0.5)]);
        assert_eq!(constraints, [None; 6]);
    }

    #[test]
    fn limited_slip_is_tested_at_the_start_or_left_to_the_drivetrain() {
        let shares = MultiWheelDifferentialParams::equal(6, &[0, 1, 4, 5]);
        let slip = LimitedSlipParams { bias: 1.3, target: 1.25 };
        let params = DifferentialParams::FourWheel(FourWheelDifferentialParams {
            shares,
            front: [0, 1],
            rear: [4, 5],
            limited_slip: LimitedSlips { rear: Some(slip), ..LimitedSlips::default() },
            torque_bias: TorqueBiases::default(),
        });
        let (shares, constraints) = update(&params, TestedSpeeds::StartOfFrame);
        assert_eq!(shares[0], share(0.25, 0.25));
        assert_eq!(shares[2], WheelShare::default());
        let member = |speed_multiplier| Some(WheelConstraint { group: 1, speed_multiplier });
        assert_eq!(constraints, [None, None, None, None, member(1.0), member(0.8)]);
        assert_eq!(update(&params, TestedSpeeds::Solved).1, [None; 6]);
    }

    #[test]
    fn split_torque_goes_to_its_four_wheels() {
        let params = DifferentialParams::TorqueSplitting(TorqueSplittingParams {
            driven: DrivenWheels::Front,
            front: [0, 1],
            rear: [4, 5],
            front_share: 0.5,
            first_front_share: 0.5,
            first_rear_share: 0.5,
            center_bias: 1.3,
            front_bias: 1.3,
            rear_bias: 1.3,
        });
        let (shares, constraints) = update(&params, TestedSpeeds::StartOfFrame);
        let (none, idle) = (WheelShare::default(), share(0.0, 0.0));
        assert_eq!(shares[2..], [none, none, idle, idle]);
        assert!((shares[0].torque - 0.593_75).abs() < 1e-6, "{shares:?}");
        assert_eq!(constraints, [None; 6]);
    }

    #[test]
    fn tracks_turn_as_one_under_their_thrust() {
        let tracks = [([0, 2, 4], 0), ([1, 3, 5], 1)]
            .map(|(wheels, thrust)| TrackParams { wheels: wheels.to_vec(), thrust });
        let params = DifferentialParams::Tank(TankDifferentialParams {
            steering_ratio: 1.0,
            shares: MultiWheelDifferentialParams::equal(6, &[0, 1]),
            tracks: tracks.to_vec(),
        });
        let (shares, constraints) = update(&params, TestedSpeeds::StartOfFrame);
        assert_eq!(shares[..3], [share(0.25, 0.5), share(-0.5, 0.5), share(0.0, 0.0)]);
        let member = |group| Some(WheelConstraint { group, speed_multiplier: 1.0 });
        assert_eq!(constraints, [0, 1, 0, 1, 0, 1].map(member));
    }

    #[test]
    fn kind_is_written_in_words() {
        let params = DifferentialParams::MultiWheel(MultiWheelDifferentialParams::equal(1, &[0]));
        let text = r#"{"multi_wheel":{"torque_ratios":[1.0],"speed_ratios":[1.0]}}"#;
        assert_eq!(serde_json::to_string(&params).unwrap(), text);
        assert_eq!(serde_json::from_str::<DifferentialParams>(text).unwrap(), params);
    }
}
