//! Hill-start assist: holds a vehicle on a grade until its drive does.
//!
//! ```text
//! T_hold = max( 1.3 m g |sin θ| R, T_brake )   from rest with the foot brake, against the grade
//! released where  T_drive ≥ m g sin θ_d R,  or 2 s after the pedal
//! ```
//!
//! with the mass `m` of the whole train, the mean radius `R` of the driven wheels and the torque
//! `T_brake` of the foot brake. The grade `θ_d` is that of the way that the gear drives, negative
//! downhill: there, throttle alone releases the hold. Out of gear the grade is `|θ|`. `T_drive` is
//! the sum of the torques of the wheels. Where no wheel is steered, it is that of their magnitudes:
//! a tank that turns on the spot drives its tracks against each other. The hold lets go within
//! 0.2 s when the drive bears the grade, and within 1 s when its time is over.

use serde::{Deserialize, Serialize};
use vehicle_core::error::{Bound, ParamCheck};
use vehicle_core::math::Real;

use super::commands::AidCommands;
use super::signals::{AidSignals, PRESSED};
use super::vehicle::AidVehicle;
use crate::pacing::lag_share;

/// Speed up to which a vehicle stands (m/s), and time for which it has to (s).
const STANDING_SPEED: Real = 0.1;
const STANDING_TIME: Real = 0.2;
/// Time in which the grade is felt (s).
const GRADE_TIME: Real = 0.2;
/// Time in which the hold fades when the drive bears the grade, and when its time is over (s).
const PULL_AWAY_TIME: Real = 0.2;
const GIVE_UP_TIME: Real = 1.0;

/// Parameters of the hill-start assist.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct HillStartParams {
    /// Sine of the least grade that it holds on, in [0, 0.5] (dimensionless).
    pub min_grade: Real,
    /// Torque of the hold per torque that the grade asks for, in [1, 3] (dimensionless).
    pub reserve: Real,
    /// Time after the foot brake for which it holds, in [0, 60] (s).
    pub hold_time: Real,
    /// Whether the hill start aid holds out of gear, too.
    pub holds_in_neutral: bool,
    /// Whether the hill start aid holds on any grade, downward and on the level as well, until the
    /// driver gives throttle.
    pub auto_hold: bool,
    /// Mass of the vehicle with its trailers (kg), in the place of the `train_mass` of all aids.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub train_mass: Option<Real>,
}

impl Default for HillStartParams {
    fn default() -> Self {
        Self {
            min_grade: 0.02,
            reserve: 1.3,
            hold_time: 2.0,
            holds_in_neutral: false,
            auto_hold: false,
            train_mass: None,
        }
    }
}

impl HillStartParams {
    /// Checks the parameters.
    pub fn check(&self, check: &mut ParamCheck) {
        check.number("min_grade", self.min_grade, Bound::Within(0.0, 0.5));
        check.number("reserve", self.reserve, Bound::Within(1.0, 3.0));
        check.number("hold_time", self.hold_time, Bound::Within(0.0, 60.0));
        if let Some(mass) = self.train_mass {
            check.number("train_mass", mass, Bound::Positive);
        }
    }

    /// The assist of `vehicle`; `None` without brakes.
    pub fn resolved(&self, vehicle: &AidVehicle) -> Option<HillStart> {
        let mass = self.train_mass.unwrap_or_else(|| vehicle.train_mass());
        vehicle.has_brakes().then(|| HillStart {
            params: *self,
            mass,
            radius: vehicle.drive_radius(),
            max_brake_torque: vehicle.wheels.iter().map(|wheel| wheel.max_brake_torque).sum(),
            is_skid_steered: !vehicle.is_steered(),
        })
    }
}

/// The hill-start assist of a vehicle: [`HillStartParams`] with all numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HillStart {
    params: HillStartParams,
    /// With that of the trailers (kg).
    mass: Real,
    /// Mean radius of the driven wheels (m).
    radius: Real,
    /// Sum of the greatest torques of the foot brakes (N·m).
    max_brake_torque: Real,
    /// Whether the wheels of its sides steer it by turning at different speeds.
    is_skid_steered: bool,
}

/// What the brakes are held with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum BrakeHold {
    /// Nothing.
    #[default]
    Off,
    /// A torque, for a time after the foot brake.
    Holding {
        /// Sum of the brake torques (N·m).
        torque: Real,
        /// Time since the foot brake was released (s).
        time: Real,
    },
    /// A torque that fades.
    Releasing {
        /// Sum of the brake torques (N·m).
        torque: Real,
        /// By how much it falls (N·m/s).
        rate: Real,
    },
}

/// What the hill-start assist remembers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct HillStartState {
    /// Sine of the grade, as it is felt.
    pub grade_sine: Real,
    /// Time for which the vehicle has stood (s).
    pub standing_time: Real,
    /// What the brakes are held with.
    pub hold: BrakeHold,
}

impl HillStartState {
    /// Whether the aid holds the vehicle.
    pub fn is_active(&self) -> bool {
        self.hold != BrakeHold::Off
    }
}

impl HillStart {
    /// Adds the torque of the hold to `commands`.
    pub fn command(
        &self,
        state: &mut HillStartState,
        signals: &AidSignals<'_>,
        commands: &mut AidCommands,
    ) {
        let share = lag_share(signals.dt, GRADE_TIME);
        state.grade_sine += (signals.body.grade_sine - state.grade_sine) * share;
        let stands = signals.body.longitudinal_speed.abs() < STANDING_SPEED;
        state.standing_time = if stands { state.standing_time + signals.dt } else { 0.0 };
        state.hold = self.next(state, signals);
        commands.hold_torque = match state.hold {
            BrakeHold::Off => 0.0,
            BrakeHold::Holding { torque, .. } | BrakeHold::Releasing { torque, .. } => torque,
        };
    }

    /// `m g R` (N·m).
    fn weight_moment(&self, gravity: Real) -> Real {
        self.mass * gravity * self.radius
    }

    fn next(&self, state: &HillStartState, signals: &AidSignals<'_>) -> BrakeHold {
        if PRESSED < signals.driver.hand_brake {
            return BrakeHold::Off;
        }
        let slope = self.weight_moment(signals.gravity) * state.grade_sine.abs();
        let braked = signals.driver.foot_brake * self.max_brake_torque;
        let least = (self.params.reserve * slope).max(braked);
        let is_borne = self.is_borne(state, signals);
        match state.hold {
            BrakeHold::Off if self.may_hold(state, signals) => {
                BrakeHold::Holding { torque: least, time: 0.0 }
            }
            BrakeHold::Off => BrakeHold::Off,
            BrakeHold::Holding { torque, time } => {
                let is_braking = PRESSED < signals.driver.foot_brake;
                let time = if is_braking { 0.0 } else { time + signals.dt };
                if is_borne && !is_braking {
                    Self::released(torque.min(self.params.reserve * slope), PULL_AWAY_TIME)
                } else if self.params.hold_time <= time && !self.params.auto_hold {
                    Self::released(torque.min(self.params.reserve * slope), GIVE_UP_TIME)
                } else {
                    BrakeHold::Holding { torque: torque.max(least), time }
                }
            }
            BrakeHold::Releasing { torque, rate } => {
                let torque = torque - rate * signals.dt;
                if 0.0 < torque { BrakeHold::Releasing { torque, rate } } else { BrakeHold::Off }
            }
        }
    }

    /// A hold that fades from `torque` (N·m) within `time` (s).
    fn released(torque: Real, time: Real) -> BrakeHold {
        BrakeHold::Releasing { torque, rate: torque / time }
    }

    fn may_hold(&self, state: &HillStartState, signals: &AidSignals<'_>) -> bool {
        let direction = signals.drive.direction.sign();
        let is_steep = if self.params.auto_hold {
            true
        } else if direction == 0.0 {
            self.params.holds_in_neutral && self.params.min_grade < state.grade_sine.abs()
        } else {
            self.params.min_grade < direction * state.grade_sine
        };
        is_steep && STANDING_TIME <= state.standing_time && PRESSED < signals.driver.foot_brake
    }

    /// Whether the drive bears the grade on the way that the gear drives.
    fn is_borne(&self, state: &HillStartState, signals: &AidSignals<'_>) -> bool {
        let direction = signals.drive.direction.sign();
        let rise = match direction {
            0.0 => state.grade_sine.abs(),
            direction => direction * state.grade_sine,
        };
        let drive = if self.is_skid_steered {
            signals.drive.absolute_torque
        } else {
            signals.drive.torque * direction
        };
        PRESSED < signals.driver.throttle && self.weight_moment(signals.gravity) * rise <= drive
    }
}

#[cfg(test)]
mod tests {
    use super::super::signals::{BodySignals, DriveDirection, DriveSignals, DriverSignals};
    use super::super::vehicle::tests::car;
    use super::*;

    /// 15 degrees.
    const GRADE: Real = 0.258_819;

    fn assist(params: HillStartParams) -> HillStart {
        let mut car = car();
        for wheel in &mut car.wheels {
            wheel.radius = 0.35;
        }
        params.resolved(&car).expect("it has brakes")
    }

    fn signals(grade_sine: Real, foot_brake: Real, dt: Real) -> AidSignals<'static> {
        AidSignals {
            wheels: &[],
            body: BodySignals { grade_sine, ..Default::default() },
            driver: DriverSignals { foot_brake, ..Default::default() },
            drive: DriveSignals::default(),
            gravity: 9.81,
            dt,
        }
    }

    fn run(
        assist: &HillStart,
        state: &mut HillStartState,
        signals: &AidSignals<'_>,
        time: Real,
    ) -> Real {
        let mut commands = AidCommands::default();
        for _ in 0..(time / signals.dt).round() as usize {
            assist.command(state, signals, &mut commands);
        }
        commands.hold_torque
    }

    #[test]
    fn the_hold_bears_the_grade_for_its_time_at_any_rate() {
        let assist = assist(HillStartParams::default());
        for dt in [1.0 / 30.0, 1.0 / 60.0, 1.0 / 120.0] {
            let mut state = HillStartState::default();
            let torque = run(&assist, &mut state, &signals(GRADE, 0.1, dt), 2.0);
            // 1500 9.81 sin 15° 0.35 = 1333 N·m, and 1.3 of it.
            assert!((torque - 1.3 * 1_333.0).abs() < 1.0, "{torque} N·m at {dt} s");
            let torque = run(&assist, &mut state, &signals(GRADE, 0.0, dt), 1.9);
            assert!((torque - 1.3 * 1_333.0).abs() < 1.0, "{torque} N·m at {dt} s");
            let torque = run(&assist, &mut state, &signals(GRADE, 0.0, dt), 0.6);
            assert!((torque - 0.65 * 1_333.0).abs() < 0.05 * 1_333.0, "{torque} N·m at {dt} s");
            assert_eq!(run(&assist, &mut state, &signals(GRADE, 0.0, dt), 0.6), 0.0);
            assert!(!state.is_active());
        }
    }

    #[test]
    fn the_hold_is_as_strong_as_the_gravity_of_the_world() {
        let assist = assist(HillStartParams::default());
        for gravity in [1.62, 20.0] {
            let mut state = HillStartState::default();
            let braked = AidSignals { gravity, ..signals(GRADE, 0.05, 0.01) };
            let torque = run(&assist, &mut state, &braked, 2.0);
            // 0.05 of the brakes are 500 N·m.
            let slope = 1_500.0 * gravity * GRADE * 0.35;
            let expected = (1.3 * slope).max(500.0);
            assert!((torque - expected).abs() < 1.0, "{torque} N·m at {gravity} m/s²");
            let mut pulling = AidSignals { gravity, ..signals(GRADE, 0.0, 0.01) };
            pulling.driver.throttle = 0.5;
            pulling.drive.torque = 0.98 * slope;
            let held = run(&assist, &mut state, &pulling, 0.5);
            assert!((held - torque).abs() < 1.0, "{held} N·m at {gravity} m/s²");
            pulling.drive.torque = 1.02 * slope;
            assert_eq!(run(&assist, &mut state, &pulling, 0.5), 0.0, "{gravity} m/s²");
        }
    }

    #[test]
    fn the_drive_that_bears_the_grade_releases_it() {
        let assist = assist(HillStartParams::default());
        let mut state = HillStartState::default();
        let held = run(&assist, &mut state, &signals(GRADE, 0.1, 0.01), 1.0);
        let mut pulling = signals(GRADE, 0.0, 0.01);
        pulling.driver.throttle = 0.5;
        pulling.drive.torque = 1_300.0;
        let torque = run(&assist, &mut state, &pulling, 0.5);
        assert!(held <= torque, "{torque}");
        pulling.drive.torque = 1_400.0;
        let torque = run(&assist, &mut state, &pulling, 0.11);
        assert!((torque / held - 0.5).abs() < 0.02, "{torque} {held}");
        assert_eq!(run(&assist, &mut state, &pulling, 0.12), 0.0);
    }

    #[test]
    fn it_holds_as_much_as_the_driver_has_and_the_whole_train_asks_for() {
        let held = |params: HillStartParams, pedal| {
            let signals = signals(GRADE, pedal, 0.01);
            run(&assist(params), &mut HillStartState::default(), &signals, 1.0)
        };
        let alone = HillStartParams::default();
        assert!((held(alone, 0.5) - 5_000.0).abs() < 1.0);
        let train = HillStartParams { train_mass: Some(4_500.0), ..alone };
        // The grade is felt to 1 % by then.
        assert!((held(train, 0.1) / (3.0 * 1.3 * 1_333.0) - 1.0).abs() < 0.01);
        let mut tractor = AidVehicle { trailer_mass: 3_000.0, ..car() };
        tractor.wheels.iter_mut().for_each(|wheel| wheel.radius = 0.35);
        let mass = |params: HillStartParams| params.resolved(&tractor).expect("it has brakes").mass;
        assert_eq!(mass(alone), 4_500.0);
        let own = HillStartParams { train_mass: Some(2_000.0), ..alone };
        assert_eq!(mass(own), 2_000.0, "its own number counts");
    }

    #[test]
    fn it_holds_against_the_gear_alone() {
        let assist = assist(HillStartParams::default());
        let hold = |grade, direction| {
            let mut signals = signals(grade, 0.5, 0.01);
            signals.drive.direction = direction;
            run(&assist, &mut HillStartState::default(), &signals, 1.0)
        };
        assert!(0.0 < hold(GRADE, DriveDirection::Forward));
        assert!(0.0 < hold(-GRADE, DriveDirection::Reverse));
        assert_eq!(hold(-GRADE, DriveDirection::Forward), 0.0);
        assert_eq!(hold(GRADE, DriveDirection::Reverse), 0.0);
        assert_eq!(hold(GRADE, DriveDirection::Neutral), 0.0);
        assert_eq!(hold(0.01, DriveDirection::Forward), 0.0);
    }

    #[test]
    fn auto_hold_waits_for_throttle_and_the_hand_brake_takes_over() {
        let assist = assist(HillStartParams { auto_hold: true, ..Default::default() });
        let mut state = HillStartState::default();
        run(&assist, &mut state, &signals(-GRADE, 0.5, 0.01), 1.0);
        assert!(0.0 < run(&assist, &mut state, &signals(-GRADE, 0.0, 0.01), 60.0));
        let mut parked = signals(-GRADE, 0.0, 0.01);
        parked.driver.hand_brake = 1.0;
        assert_eq!(run(&assist, &mut state, &parked, 0.01), 0.0);
    }

    #[test]
    fn throttle_downhill_releases_the_hold_and_none_in_neutral_does() {
        let assist = assist(HillStartParams { auto_hold: true, ..Default::default() });
        let held = |grade, direction, torque| {
            let mut state = HillStartState::default();
            let mut signals = signals(grade, 0.5, 0.01);
            signals.drive.direction = direction;
            run(&assist, &mut state, &signals, 1.0);
            signals.driver = DriverSignals { throttle: 0.1, ..Default::default() };
            signals.drive.torque = torque;
            run(&assist, &mut state, &signals, 0.5)
        };
        // An engine that drags a little, and gravity that pulls by 1,333 N·m.
        assert_eq!(held(-GRADE, DriveDirection::Forward, -20.0), 0.0);
        assert_eq!(held(GRADE, DriveDirection::Reverse, 20.0), 0.0);
        assert!(0.0 < held(GRADE, DriveDirection::Forward, 1_300.0));
        assert!(0.0 < held(-GRADE, DriveDirection::Reverse, -1_300.0));
        assert!(0.0 < held(-GRADE, DriveDirection::Neutral, 0.0));
    }

    #[test]
    fn tracks_that_drive_against_each_other_release_the_hold() {
        let mut tank = car();
        for wheel in &mut tank.wheels {
            wheel.steer_share = 0.0;
        }
        let assist = HillStartParams::default().resolved(&tank).expect("it has brakes");
        let mut state = HillStartState::default();
        run(&assist, &mut state, &signals(GRADE, 0.5, 0.01), 1.0);
        let mut turning = signals(GRADE, 0.0, 0.01);
        turning.driver.throttle = 1.0;
        turning.drive.absolute_torque = 1_000.0;
        assert!(0.0 < run(&assist, &mut state, &turning, 0.3));
        turning.drive.absolute_torque = 2_000.0;
        assert_eq!(run(&assist, &mut state, &turning, 0.3), 0.0);
    }

    #[test]
    fn moving_vehicles_are_not_held() {
        let mut rolling = signals(GRADE, 0.5, 0.01);
        rolling.body.longitudinal_speed = 0.5;
        let assist = assist(HillStartParams::default());
        assert_eq!(run(&assist, &mut HillStartState::default(), &rolling, 1.0), 0.0);
    }
}
