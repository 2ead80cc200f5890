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
    engine: Option<EngineGauge>,
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
}

struct MotorGauge {
    speed: SensorId,
    torque: SensorId,
    /// (rad/s)
    most_speed: Real,
    /// (N·m)
    most_torque: Real,
}

impl Gauges {
    pub(super) fn of<C: DrivelineBlock>(driveline: &BlockDriveline<C>) -> Self {
        let blocks = || driveline.tree().blocks.iter();
        let engine = blocks().find_map(|named| match &named.block {
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
        Self { engine, motors: motors.collect(), gear, can_reverse: driveline.can_reverse() }
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
        let engine = self.engine.as_ref().map(|gauge| gauge.read(state));
        let motor = || self.motors.first().map(|gauge| gauge.read(state));
        let motors = self.motors.iter().map(|gauge| gauge.read(state).load);
        let load = engine.map_or_else(|| motors.fold(0.0, Real::max), |engine| engine.load);
        let gear = match (controls.selector, self.gear) {
            (Selector::Park, _) => DisplayedGear::Park,
            (_, Some(gear)) => DisplayedGear::of_signed(state.sensor(gear) as i64),
            (Selector::Reverse, None) => DisplayedGear::Reverse(1),
            (Selector::Neutral, None) => DisplayedGear::Neutral,
            (Selector::Drive | Selector::Low, None) => DisplayedGear::Drive,
        };
        DriveReading { gear, load, engine: engine.or_else(motor) }
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
        })
    }

    fn read(&self, state: &BlockDrivelineState) -> EngineReading {
        let speed = state.sensor(self.speed) as Real;
        let is_running = state.sensor(self.is_stalled) == 0.0 && 0.5 < state.input(self.ignition);
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
    use super::*;
    use crate::blocks::{BlockTree, NamedBlock, ready_made};

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
