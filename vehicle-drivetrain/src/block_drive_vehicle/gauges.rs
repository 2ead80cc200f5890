//! Gauges of a driveline from blocks: which of its sensors tell how it runs.

use vehicle_core::math::{Clamped, Real};

use crate::blocks::{
    Block, BlockDriveline, BlockDrivelineState, DrivelineBlock, DrivelineCommands, ElectricMotor,
    Engine, InputId, Selector, SensorId,
};
use crate::instruments::DisplayedGear;
use crate::readings::{DriveReading, EngineReading};

/// The sensors of a driveline that tell how it runs, found once.
pub(super) struct Gauges {
    engines: Vec<EngineGauge>,
    motors: Vec<MotorGauge>,
    /// The gear of the first gearbox.
    gear: Option<SensorId>,
    /// Whether the driveline drives backward, too.
    can_reverse: bool,
}

struct EngineGauge {
    speed: SensorId,
    load: SensorId,
    is_cut: SensorId,
    is_stalled: SensorId,
    ignition: InputId,
    /// (rad/s)
    most_speed: Real,
    /// Whether the accelerator pedal reaches it.
    answers: bool,
}

struct MotorGauge {
    speed: SensorId,
    torque: SensorId,
    /// (rad/s)
    most_speed: Real,
    /// (N·m)
    most_torque: Real,
    /// Whether the accelerator pedal reaches it.
    answers: bool,
}

impl Gauges {
    pub(super) fn of<C: DrivelineBlock>(driveline: &BlockDriveline<C>) -> Self {
        let blocks = || driveline.tree().blocks.iter();
        let engines = blocks().filter_map(|named| match &named.block {
            Block::Engine(engine) => EngineGauge::of(driveline, &named.name, engine),
            _ => None,
        });
        let motors = blocks().filter_map(|named| match &named.block {
            Block::ElectricMotor(motor) => MotorGauge::of(driveline, &named.name, motor),
            _ => None,
        });
        let gear = blocks().find_map(|named| match &named.block {
            Block::Gearbox(_) => driveline.sensor(&named.name, "target").ok(),
            _ => None,
        });
        let (engines, motors) = (engines.collect(), motors.collect());
        Self { engines, motors, gear, can_reverse: driveline.can_reverse() }
    }

    /// Whether the driveline drives backward with its levers in reverse.
    pub(super) fn can_reverse(&self) -> bool {
        self.can_reverse
    }

    /// What a driveline in `state` does. The gear is that of the first gearbox, or of the selector
    /// where there is none, or where it is in park.
    pub(super) fn read(
        &self,
        controls: &DrivelineCommands,
        state: &BlockDrivelineState,
    ) -> DriveReading {
        let engine = self.engines.first().map(|gauge| gauge.read(state));
        let motor = || self.motors.first().map(|gauge| gauge.read(state));
        let gear = match (controls.selector, self.gear) {
            (Selector::Park, _) => DisplayedGear::Park,
            (_, Some(gear)) => DisplayedGear::of_signed(state.sensor(gear) as i64),
            (Selector::Reverse, None) => DisplayedGear::Reverse(1),
            (Selector::Neutral, None) => DisplayedGear::Neutral,
            (Selector::Drive | Selector::Low, None) => DisplayedGear::Drive,
        };
        DriveReading { gear, load: self.load(state), engine: engine.or_else(motor) }
    }

    /// The largest load of the engines and motors that the accelerator pedal reaches; of all where
    /// it reaches none.
    fn load(&self, state: &BlockDrivelineState) -> Real {
        let (mut reached, mut all) = (None, 0.0);
        let engines = self.engines.iter().map(|gauge| (gauge.answers, gauge.read(state).load));
        let motors = self.motors.iter().map(|gauge| (gauge.answers, gauge.read(state).load));
        for (answers, load) in engines.chain(motors) {
            all = load.max(all);
            if answers {
                reached = Some(load.max(reached.unwrap_or(0.0)));
            }
        }
        reached.unwrap_or(all)
    }
}

/// `value` as a share of `most`, in [0, 1].
fn share(value: Real, most: Real) -> Real {
    if 0.0 < most { (value.abs() / most).clamped(0.0, 1.0) } else { 0.0 }
}

impl EngineGauge {
    fn of<C: DrivelineBlock>(
        driveline: &BlockDriveline<C>,
        name: &str,
        engine: &Engine,
    ) -> Option<Self> {
        let sensor = |sensor| driveline.sensor(name, sensor).ok();
        Some(Self {
            speed: sensor("speed")?,
            load: sensor("load")?,
            is_cut: sensor("fuel cut")?,
            is_stalled: sensor("stalled")?,
            ignition: driveline.input(name, "ignition").ok()?,
            most_speed: engine.most_speed(),
            answers: driveline.answers_to_pedal(name, "throttle"),
        })
    }

    fn read(&self, state: &BlockDrivelineState) -> EngineReading {
        let speed = state.sensor(self.speed) as Real;
        let has_ignition = 0.5 < state.input(self.ignition);
        let is_running = 0.0 < speed && state.sensor(self.is_stalled) == 0.0 && has_ignition;
        EngineReading {
            is_electric: false,
            speed,
            speed_share: share(speed, self.most_speed),
            load: (state.sensor(self.load) as Real).clamped(0.0, 1.0),
            is_running,
            is_limited: state.sensor(self.is_cut) != 0.0,
        }
    }
}

impl MotorGauge {
    fn of<C: DrivelineBlock>(
        driveline: &BlockDriveline<C>,
        name: &str,
        motor: &ElectricMotor,
    ) -> Option<Self> {
        Some(Self {
            speed: driveline.sensor(name, "speed").ok()?,
            torque: driveline.sensor(name, "torque").ok()?,
            most_speed: motor.max_speed,
            most_torque: motor.max_torque,
            answers: driveline.answers_to_pedal(name, "command"),
        })
    }

    fn read(&self, state: &BlockDrivelineState) -> EngineReading {
        let speed = state.sensor(self.speed) as Real;
        EngineReading {
            is_electric: true,
            speed,
            speed_share: share(speed, self.most_speed),
            load: share(state.sensor(self.torque) as Real, self.most_torque),
            is_running: true,
            is_limited: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use vehicle_core::commands::Commands;

    use super::*;
    use crate::blocks::{BlockTree, DriverCommand, DriverLink, NamedBlock, WheelLoad, ready_made};

    /// The reading of a driveline, and the load of its first motor, after four steps in which the
    /// driver steers and gives `throttle`. Its wheels are heavy and in the air.
    fn reading(tree: BlockTree, throttle: Real) -> (DriveReading, Real) {
        let driveline = BlockDriveline::new(tree).expect("no faults");
        let (mut state, mut workspace) = (driveline.start(), driveline.workspace());
        let commands = Commands { throttle, steer: 1.0, ..Commands::default() };
        let levers = DrivelineCommands::forward();
        let gauges = Gauges::of(&driveline);
        for _ in 0..4 {
            driveline.command(&mut state, &commands, &levers);
            let loads = [WheelLoad { inertia: 50.0, ..WheelLoad::default() }; 8];
            driveline.step(&mut state, &loads, 1.0 / 60.0, &mut workspace).expect("a step");
        }
        let first = gauges.motors.first().map_or(0.0, |motor| motor.read(&state).load);
        (gauges.read(&levers, &state), first)
    }

    #[test]
    fn the_load_is_that_of_whatever_pulls() {
        let mut hybrid = ready_made::parallel_hybrid().expect("a ready-made driveline");
        hybrid.driver.push(DriverLink {
            command: DriverCommand::Nothing,
            to: ("engine".to_owned(), "throttle".to_owned()),
            factor: 0.0,
        });
        let (hybrid, motor) = reading(hybrid, 0.7);
        let engine = hybrid.engine.expect("an engine");
        assert!(!engine.is_electric && engine.load < motor, "{engine:?}, motor {motor}");
        assert_eq!(hybrid.load, motor);
        // The motor that steers a tank does not count.
        let (tank, motor) = reading(ready_made::tank().expect("a ready-made driveline"), 0.0);
        let engine = tank.engine.expect("an engine");
        assert!(engine.is_running && engine.load < motor, "{engine:?}, motor {motor}");
        assert_eq!(tank.load, engine.load);
    }

    #[test]
    fn an_engine_that_stands_does_not_run() {
        let tree = ready_made::power_split_hybrid().expect("a ready-made driveline");
        let driveline = BlockDriveline::new(tree).expect("no faults");
        for name in ["engine", "generator", "motor"] {
            let input = if name == "engine" { "throttle" } else { "command" };
            assert!(driveline.answers_to_pedal(name, input), "{name}, by the control");
        }
        let (reading, _) = reading(driveline.tree().clone(), 0.0);
        let engine = reading.engine.expect("an engine");
        assert!(engine.speed.abs() < 1e-3 && !engine.is_running, "{engine:?}");
    }

    #[test]
    fn a_driveline_reverses_by_a_gear_or_a_motor() {
        let can_reverse = |mut tree: BlockTree, reverse: &[Real]| {
            for named in &mut tree.blocks {
                if let Block::Gearbox(gearbox) = &mut named.block {
                    gearbox.reverse = reverse.to_vec();
                }
            }
            let driveline = BlockDriveline::new(tree).expect("no faults");
            Gauges::of(&driveline).can_reverse()
        };
        let front = || ready_made::front_drive().expect("a ready-made driveline");
        assert!(can_reverse(front(), &[-3.4]));
        assert!(!can_reverse(front(), &[]));
        for (name, build) in ready_made::ALL {
            let tree = build().expect("a ready-made driveline");
            let has_motor = |named: &NamedBlock| matches!(named.block, Block::ElectricMotor(_));
            if tree.blocks.iter().any(has_motor) {
                assert!(can_reverse(tree, &[]), "{name}");
            }
        }
    }
}
