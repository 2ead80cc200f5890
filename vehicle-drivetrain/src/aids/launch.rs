//! Launch control: the fastest start with an engine and a clutch.
//!
//! ```text
//! armed    clutch open;   θ = k (ω_L - ω_E)/ω_max + θ_f
//! launch   τ_c = min( Σ μ N R / G, θ_0 T_peak ),   clutch = τ_c / min( K max(ω_E - ω_c, 1 rad/s), C )
//! ```
//!
//! with the engine's speed `ω_E`, the launch speed `ω_L`, the ratio `G` of first gear and the
//! strength `K` of the clutch. Its torque is proportional to its slip up to its capacity `C`. A
//! pedal that is held would not hold a torque. The throttle is at most `θ_0`, that of the driver as
//! other aids limit it, and the clutch is at least as open as they and the driver ask for.
//!
//! It is armed at rest in first gear with throttle and foot brake pressed, and starts when foot
//! brake and clutch pedal are released. It ends when the clutch no longer slips, or when the driver
//! takes over: by less throttle, by the foot brake, or by the clutch pedal.

use serde::{Deserialize, Serialize};
use vehicle_core::error::{Bound, ParamCheck};
use vehicle_core::math::{Clamped, Real};
use vehicle_core::wheel_list::WheelVec;

use super::commands::AidCommands;
use super::signals::AidSignals;
use super::vehicle::{AidDrive, AidEngine, AidVehicle};
use crate::pacing::approached;

/// Speed up to which a vehicle stands (m/s).
const STANDING_SPEED: Real = 0.3;
/// Pedals that arm it (dimensionless).
const ARMING_BRAKE: Real = 0.5;
const ARMING_THROTTLE: Real = 0.9;
/// Foot brake below which the start begins (dimensionless).
const BRAKE_RELEASED: Real = 0.05;
/// Throttle below which the driver takes over (dimensionless).
const THROTTLE_RELEASED: Real = 0.7;
/// Clutch pedal from which on it is on the floor (dimensionless).
const CLUTCH_PRESSED: Real = 0.9;
/// Speed and time after which it ends (m/s, s).
const GREATEST_SPEED: Real = 15.0;
const GREATEST_TIME: Real = 6.0;
/// Slip of a clutch that has closed (rad/s), and time for which it has (s).
const CLOSED_SLIP: Real = 5.0;
const CLOSED_TIME: Real = 0.2;
/// Throttle per lack of speed, as a share of the greatest speed (dimensionless).
const SPEED_GAIN: Real = 12.0;
/// Throttle that an engine without load needs (dimensionless).
const FREE_THROTTLE: Real = 0.1;
/// Least slip that the clutch's torque is made of (rad/s).
const LEAST_SLIP: Real = 1.0;
/// Fastest change of the clutch (1/s).
const CLUTCH_RATE: Real = 4.0;
/// Launch speed per idle speed, at least (dimensionless).
const LEAST_LAUNCH_SHARE: Real = 1.3;

/// Parameters of launch control. Numbers that are absent are taken from the vehicle.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct LaunchParams {
    /// Whether pedals alone arm it; else [`LaunchState::is_requested`] has to be set, too.
    pub is_automatic: bool,
    /// Speed of the engine at the start (rad/s). Else the least at which it has 0.9 of its greatest
    /// torque, and at least 1.3 of idle.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub engine_speed: Option<Real>,
}

impl Default for LaunchParams {
    fn default() -> Self {
        Self { is_automatic: true, engine_speed: None }
    }
}

impl LaunchParams {
    /// Checks the parameters.
    pub fn check(&self, check: &mut ParamCheck) {
        if let Some(speed) = self.engine_speed {
            check.number("engine_speed", speed, Bound::Positive);
        }
    }

    /// Launch control of `vehicle`; `None` without an engine: motors have traction control alone.
    pub fn resolved(&self, vehicle: &AidVehicle) -> Option<Launch> {
        let AidDrive::Engine(engine) = vehicle.drive else { return None };
        if engine.max_speed <= 0.0 || engine.clutch_strength <= 0.0 || engine.first_ratio <= 0.0 {
            return None;
        }
        let strong = engine.strong_speed.max(LEAST_LAUNCH_SHARE * engine.idle_speed);
        Some(Launch {
            params: *self,
            engine,
            engine_speed: self.engine_speed.unwrap_or(strong).min(engine.max_speed),
            driven_radii: vehicle.each(|wheel| if wheel.is_driven { wheel.radius } else { 0.0 }),
        })
    }
}

/// Launch control of a vehicle: [`LaunchParams`] with all numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Launch {
    params: LaunchParams,
    engine: AidEngine,
    engine_speed: Real,
    /// Radius of each wheel, 0 of those that are not driven (m).
    driven_radii: WheelVec<Real>,
}

/// How far a start is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum LaunchPhase {
    /// The driver drives.
    #[default]
    Off,
    /// The engine turns at the launch speed, the brake holds.
    Armed,
    /// The clutch closes.
    Launch {
        /// Time since the start (s).
        time: Real,
        /// Time for which the clutch has not slipped (s).
        closed_time: Real,
        /// How far the clutch is closed, in [0, 1].
        engagement: Real,
    },
}

/// What launch control remembers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LaunchState {
    /// How far the start is.
    pub phase: LaunchPhase,
    /// Whether the driver has asked for it; it forgets that after a start.
    pub is_requested: bool,
}

impl LaunchState {
    /// Whether launch control holds engine or clutch.
    pub fn is_active(&self) -> bool {
        self.phase != LaunchPhase::Off
    }
}

impl Launch {
    /// Speed of the engine at the start (rad/s).
    pub fn engine_speed(&self) -> Real {
        self.engine_speed
    }

    /// Limits the throttle of `commands` and opens their clutch while a start goes on.
    pub fn command(
        &self,
        state: &mut LaunchState,
        signals: &AidSignals<'_>,
        commands: &mut AidCommands,
    ) {
        let before = state.phase;
        state.phase = self.next(state, signals, commands.throttle);
        if before != LaunchPhase::Off && state.phase == LaunchPhase::Off {
            state.is_requested = false;
        }
        match state.phase {
            LaunchPhase::Off => {}
            LaunchPhase::Armed => {
                let throttle = self.throttle(signals, FREE_THROTTLE);
                commands.throttle = commands.throttle.min(throttle);
                commands.clutch = 1.0;
            }
            LaunchPhase::Launch { engagement, .. } => {
                let torque = self.clutch_torque(signals, commands.throttle);
                let load = torque / self.engine.peak_torque.max(1.0);
                let throttle = self.throttle(signals, load + FREE_THROTTLE);
                commands.throttle = commands.throttle.min(throttle);
                commands.clutch = commands.clutch.max(1.0 - engagement);
            }
        }
    }

    /// The phase after this step, under at most this `throttle`.
    fn next(&self, state: &LaunchState, signals: &AidSignals<'_>, throttle: Real) -> LaunchPhase {
        let (driver, drive) = (&signals.driver, &signals.drive);
        let may_arm = signals.body.longitudinal_speed.abs() < STANDING_SPEED
            && ARMING_BRAKE < driver.foot_brake
            && ARMING_THROTTLE < driver.throttle
            && drive.is_first_gear
            && (self.params.is_automatic || state.is_requested);
        let is_pressed = CLUTCH_PRESSED < driver.clutch;
        let is_given_up = driver.throttle < THROTTLE_RELEASED || !drive.is_first_gear;
        match state.phase {
            LaunchPhase::Off if may_arm => LaunchPhase::Armed,
            LaunchPhase::Off => LaunchPhase::Off,
            _ if is_given_up => LaunchPhase::Off,
            LaunchPhase::Armed if driver.foot_brake < BRAKE_RELEASED && !is_pressed => {
                self.closed(signals, throttle, [0.0; 3])
            }
            LaunchPhase::Armed => LaunchPhase::Armed,
            LaunchPhase::Launch { time, closed_time, engagement } => {
                let is_over = BRAKE_RELEASED < driver.foot_brake
                    || is_pressed
                    || GREATEST_SPEED < signals.body.longitudinal_speed
                    || GREATEST_TIME < time
                    || CLOSED_TIME <= closed_time;
                if is_over {
                    LaunchPhase::Off
                } else {
                    self.closed(signals, throttle, [time, closed_time, engagement])
                }
            }
        }
    }

    /// The clutch one step later, under at most this `throttle`.
    fn closed(
        &self,
        signals: &AidSignals<'_>,
        throttle: Real,
        [time, closed_time, engagement]: [Real; 3],
    ) -> LaunchPhase {
        let slip = signals.drive.clutch_slip.abs();
        let viscous = self.engine.clutch_strength * slip.max(LEAST_SLIP);
        let closed = self.engine.clutch_capacity.map_or(viscous, |most| viscous.min(most));
        let wanted = (self.clutch_torque(signals, throttle) / closed).clamped(0.0, 1.0);
        let is_closed = slip < CLOSED_SLIP && 0.0 < engagement;
        LaunchPhase::Launch {
            time: time + signals.dt,
            closed_time: if is_closed { closed_time + signals.dt } else { 0.0 },
            engagement: approached(engagement, wanted, CLUTCH_RATE * signals.dt),
        }
    }

    /// Torque that the road bears, or all that the engine has at this `throttle` (N·m). An engine
    /// that has none is slowed down to the speed of the clutch.
    fn clutch_torque(&self, signals: &AidSignals<'_>, throttle: Real) -> Real {
        let grip = |(wheel, radius): (&super::signals::WheelSignals, &Real)| {
            wheel.friction * wheel.load * radius
        };
        let road: Real = signals.wheels.iter().zip(&self.driven_radii).map(grip).sum();
        (road / self.engine.first_ratio).min(throttle.max(FREE_THROTTLE) * self.engine.peak_torque)
    }

    /// Throttle that holds the launch speed, where the load takes `load` of it.
    fn throttle(&self, signals: &AidSignals<'_>, load: Real) -> Real {
        let lack = (self.engine_speed - signals.drive.engine_speed) / self.engine.max_speed;
        (SPEED_GAIN * lack + load).clamped(0.0, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::signals::{BodySignals, DriveSignals, DriverSignals, WheelSignals};
    use super::super::vehicle::tests::{ENGINE, car};
    use super::*;

    /// An engine of constant full torque and a car behind its clutch.
    struct Start {
        engine_speed: Real,
        speed: Real,
        state: LaunchState,
        driver: DriverSignals,
        dt: Real,
        commands: AidCommands,
        throttle_limit: Real,
    }

    impl Start {
        fn at_rest(dt: Real) -> Self {
            let driver = DriverSignals { throttle: 1.0, foot_brake: 1.0, ..Default::default() };
            let (state, commands) = Default::default();
            let throttle_limit = 1.0;
            Self { engine_speed: 80.0, speed: 0.0, state, driver, dt, commands, throttle_limit }
        }

        fn step(&mut self, launch: &Launch) {
            let wheel = WheelSignals { load: 3_750.0, friction: 1.0, ..Default::default() };
            let clutch_slip = self.engine_speed - 12.0 * self.speed / 0.3;
            let signals = AidSignals {
                wheels: &[wheel; 4],
                body: BodySignals { longitudinal_speed: self.speed, ..Default::default() },
                driver: self.driver,
                drive: DriveSignals {
                    is_first_gear: true,
                    engine_speed: self.engine_speed,
                    clutch_slip,
                    ..Default::default()
                },
                gravity: 9.81,
                dt: self.dt,
            };
            self.commands = AidCommands::from(&self.driver);
            self.commands.throttle = self.commands.throttle.min(self.throttle_limit);
            launch.command(&mut self.state, &signals, &mut self.commands);
            let substeps = 16;
            for _ in 0..substeps {
                let dt = self.dt / substeps as Real;
                let slip = self.engine_speed - 12.0 * self.speed / 0.3;
                let clutch = (1.0 - self.commands.clutch) * 30.0 * slip;
                let engine = self.commands.throttle * 300.0 - 0.03 * self.engine_speed;
                self.engine_speed += (engine - clutch) / 0.2 * dt;
                if self.commands.foot_brake == 0.0 {
                    self.speed += clutch * 12.0 / 0.3 / 1_500.0 * dt;
                }
            }
        }
    }

    fn launch() -> Launch {
        let vehicle = AidVehicle { drive: AidDrive::Engine(ENGINE), ..car() };
        LaunchParams::default().resolved(&vehicle).unwrap()
    }

    #[test]
    fn the_engine_keeps_its_launch_speed_until_the_clutch_closes() {
        let launch = launch();
        for rate in [30.0, 60.0, 120.0] {
            let mut start = Start::at_rest(1.0 / rate);
            for _ in 0..(2.0 * rate) as usize {
                start.step(&launch);
            }
            assert_eq!(start.state.phase, LaunchPhase::Armed);
            let error = start.engine_speed / 350.0 - 1.0;
            assert!(error.abs() < 0.02, "{error} at {rate} Hz");
            start.driver.foot_brake = 0.0;
            let (mut time, mut most): (Real, Real) = (0.0, 0.0);
            while start.state.is_active() && time < 6.0 {
                start.step(&launch);
                time += start.dt;
                if 20.0 < start.engine_speed - 40.0 * start.speed {
                    most = most.max((start.engine_speed / 350.0 - 1.0).abs());
                }
            }
            assert!(most < 0.15, "{most} at {rate} Hz");
            // 300 N·m 12 / 0.3 m / 1500 kg = 8 m/s² to 350 rad/s / 40, and what it takes to close.
            assert!((1.09..2.2).contains(&time), "{time} s at {rate} Hz");
            assert!(8.0 < start.speed, "{} m/s at {rate} Hz", start.speed);
        }
    }

    #[test]
    fn any_pedal_ends_a_start_and_leaves_the_driver_alone() {
        let launch = launch();
        for (throttle, foot_brake, clutch) in [(0.5, 0.0, 0.0), (1.0, 0.3, 0.0), (1.0, 0.0, 1.0)] {
            let mut start = Start::at_rest(1.0 / 60.0);
            for step in 0..150 {
                start.driver.foot_brake = if step < 120 { 1.0 } else { 0.0 };
                start.step(&launch);
            }
            assert!(matches!(start.state.phase, LaunchPhase::Launch { .. }));
            (start.driver.throttle, start.driver.foot_brake) = (throttle, foot_brake);
            start.driver.clutch = clutch;
            start.step(&launch);
            assert_eq!(start.state, LaunchState::default());
            assert_eq!(start.commands, AidCommands::from(&start.driver));
        }
    }

    #[test]
    fn a_start_has_no_more_throttle_than_other_aids_leave() {
        let launch = launch();
        for limit in [0.1, 0.3, 0.6] {
            let mut start = Start::at_rest(1.0 / 60.0);
            start.throttle_limit = limit;
            for step in 0..480 {
                start.driver.foot_brake = if step < 120 { 1.0 } else { 0.0 };
                start.step(&launch);
                let throttle = start.commands.throttle;
                assert!(throttle <= limit, "{throttle} of {limit} in step {step}");
                assert!(40.0 < start.engine_speed, "{} rad/s at {limit}", start.engine_speed);
            }
            assert!(!start.state.is_active() && 2.0 < start.speed, "{} m/s", start.speed);
        }
    }

    #[test]
    fn the_clutch_is_as_open_as_its_pedal_and_a_start_waits_for_it() {
        let launch = launch();
        let mut start = Start::at_rest(1.0 / 60.0);
        start.driver.clutch = 1.0;
        for step in 0..150 {
            start.driver.foot_brake = if step < 120 { 1.0 } else { 0.0 };
            start.step(&launch);
        }
        assert_eq!(start.state.phase, LaunchPhase::Armed);
        start.driver.clutch = 0.6;
        for _ in 0..60 {
            start.step(&launch);
            assert!(0.6 <= start.commands.clutch, "{}", start.commands.clutch);
        }
        assert!(matches!(start.state.phase, LaunchPhase::Launch { .. }));
    }

    #[test]
    fn motors_need_none_and_a_button_may_be_asked_for() {
        assert_eq!(LaunchParams::default().resolved(&car()), None);
        let vehicle = AidVehicle { drive: AidDrive::Engine(ENGINE), ..car() };
        let params = LaunchParams { is_automatic: false, engine_speed: Some(400.0) };
        let launch = params.resolved(&vehicle).unwrap();
        assert_eq!(launch.engine_speed(), 400.0);
        let mut start = Start::at_rest(0.01);
        start.step(&launch);
        assert!(!start.state.is_active());
        start.state.is_requested = true;
        start.step(&launch);
        assert!(start.state.is_active());
    }
}
