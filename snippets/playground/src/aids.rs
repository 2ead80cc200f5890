//! Driver aids: which there are, which are on, which act.

use serde::{Deserialize, Serialize};
use vehicle_rapier::core::ParamErrors;
use vehicle_rapier::drivetrain::aids::{Aid, AidReport, AidsParams, HillStartParams};
use vehicle_rapier::vehicle_file::AnyRapierVehicle;

/// A driver aid that is switched on and off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum AidSwitch {
    /// Anti-lock brakes.
    AntiLock,
    /// Traction control.
    Traction,
    /// Stability control.
    Stability,
    /// Counter-steer assist.
    CounterSteer,
    /// Hill-start assist, which holds the vehicle wherever it stands.
    HillStart,
    /// A hand brake that opens the clutch.
    HandBrake,
    /// Launch control.
    Launch,
    /// Cruise control.
    Cruise,
    /// Drift assist.
    Drift,
    /// Torque vectoring.
    TorqueVectoring,
    /// Help in the air.
    AirControl,
}

use AidSwitch::*;

impl AidSwitch {
    /// All, in the order of their keys.
    pub const ALL: [Self; 11] = [
        AntiLock,
        Traction,
        Stability,
        CounterSteer,
        HillStart,
        HandBrake,
        Launch,
        Cruise,
        Drift,
        TorqueVectoring,
        AirControl,
    ];

    /// What stands on its lamp.
    pub fn label(self) -> &'static str {
        match self {
            AntiLock => "ABS",
            Traction => "TC",
            Stability => "ESC",
            CounterSteer => "STEER",
            HillStart => "HOLD",
            HandBrake => "HAND",
            Launch => "LAUNCH",
            Cruise => "CRUISE",
            Drift => "DRIFT",
            TorqueVectoring => "VECTOR",
            AirControl => "AIR",
        }
    }

    /// What it does, in a few words.
    pub fn about(self) -> &'static str {
        match self {
            AntiLock => "braked wheels keep turning",
            Traction => "driven wheels do not spin",
            Stability => "brakes single wheels where the car turns otherwise than it is steered",
            CounterSteer => "steers against a slide",
            HillStart => "holds where the car stands, until it pulls away",
            HandBrake => "the hand brake opens the clutch",
            Launch => {
                "holds the engine speed for a start: brake and full throttle, let go of the brake"
            }
            Cruise => "keeps the speed; the brake ends it",
            Drift => "steers relative to a slide, and keeps it",
            TorqueVectoring => "more torque on the outer wheels",
            AirControl => "turns the car in the air: no physics",
        }
    }

    fn aid(self) -> Aid {
        match self {
            AntiLock => Aid::AntiLock,
            Traction => Aid::Traction,
            Stability => Aid::Stability,
            CounterSteer => Aid::SteerAssistance,
            HillStart => Aid::HillStart,
            HandBrake => Aid::HandBrake,
            Launch => Aid::Launch,
            Cruise => Aid::Cruise,
            Drift => Aid::Drift,
            TorqueVectoring => Aid::TorqueVectoring,
            AirControl => Aid::AirControl,
        }
    }
}

/// Some of the driver aids; the default is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AidSet(u16);

impl AidSet {
    /// Aids that a drive begins with: what keeps a car on the road, and nothing that drives by
    /// itself.
    pub fn usual() -> Self {
        Self::of([AntiLock, Traction, Stability, CounterSteer, HillStart, HandBrake])
    }

    /// A set of these aids.
    pub fn of(aids: impl IntoIterator<Item = AidSwitch>) -> Self {
        aids.into_iter().fold(Self::default(), |set, aid| set.with(aid, true))
    }

    /// Aids that act, by what the vehicle reports.
    pub(crate) fn acting(report: &AidReport) -> Self {
        Self::of(AidSwitch::ALL.into_iter().filter(|aid| report.is_active(aid.aid())))
    }

    /// Whether `aid` is among them.
    pub fn has(self, aid: AidSwitch) -> bool {
        self.0 & (1 << aid as u16) != 0
    }

    /// The aids with `aid`, or without it.
    #[must_use]
    pub fn with(self, aid: AidSwitch, is_on: bool) -> Self {
        let bit = 1 << aid as u16;
        Self(if is_on { self.0 | bit } else { self.0 & !bit })
    }

    /// The aids as bits, the first of [`AidSwitch::ALL`] the lowest.
    pub fn bits(self) -> u16 {
        self.0
    }

    /// Parameters of these aids: as the vehicle's file says, or the library's own.
    fn params(self, own: &AidsParams) -> AidsParams {
        fn given<T: Default>(is_on: bool, own: Option<T>) -> Option<T> {
            is_on.then(|| own.unwrap_or_default())
        }
        let hold = HillStartParams { auto_hold: true, ..HillStartParams::default() };
        AidsParams {
            anti_lock: given(self.has(AntiLock), own.anti_lock),
            traction: given(self.has(Traction), own.traction),
            stability: given(self.has(Stability), own.stability),
            counter_steer: given(self.has(CounterSteer), own.counter_steer),
            hill_start: self.has(HillStart).then(|| own.hill_start.unwrap_or(hold)),
            hand_brake: given(self.has(HandBrake), own.hand_brake),
            launch: given(self.has(Launch), own.launch),
            cruise: given(self.has(Cruise), own.cruise),
            drift: given(self.has(Drift), own.drift),
            torque_vectoring: given(self.has(TorqueVectoring), own.torque_vectoring),
            air_control: given(self.has(AirControl), own.air_control),
            ..*own
        }
    }

    /// Gives `car` these aids, and only these of those that are switched. A speed that is kept and
    /// a car that is held stay so.
    pub(crate) fn give(
        self,
        car: &mut AnyRapierVehicle,
        own: &AidsParams,
    ) -> Result<(), ParamErrors> {
        let before = car.vehicle.aided().memory().cloned();
        car.vehicle.set_aids(self.params(own))?;
        if let (Some(mut before), Some(memory)) = (before, car.vehicle.aided_mut().memory_mut()) {
            let (cruise, hill_start) = (before.aids.cruise, before.aids.hill_start);
            before.aids = std::mem::take(&mut memory.aids);
            if self.has(Cruise) {
                before.aids.cruise = cruise;
            }
            if self.has(HillStart) {
                before.aids.hill_start = hill_start;
            }
            *memory = before;
        }
        Ok(())
    }
}
