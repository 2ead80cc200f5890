//! A car of one mass on wheels, that a driveline drives along a straight road.

use vehicle_drivetrain::blocks::{
    BlockDriveline, BlockDrivelineState, BlockTree, BlockWorkspace, EnergyAccount, WheelLoad,
};

/// What the driver does.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Driver {
    pub(crate) throttle: f64,
    pub(crate) brake: f64,
    pub(crate) clutch: f64,
    pub(crate) gear: f64,
}

pub(crate) struct Car {
    pub(crate) driveline: BlockDriveline,
    pub(crate) state: BlockDrivelineState,
    pub(crate) workspace: BlockWorkspace,
    pub(crate) account: EnergyAccount,
    pub(crate) speed: f64,
    pub(crate) mass: f64,
    pub(crate) radius: f64,
    pub(crate) friction: f64,
    /// Slope of the road: what it takes from the speed (m/s²).
    pub(crate) downhill: f64,
    pub(crate) wheels: usize,
    pub(crate) most_passes: u32,
    pub(crate) passes: u64,
    pub(crate) steps: u64,
}

impl Car {
    pub(crate) fn new(tree: BlockTree) -> Self {
        let driveline = BlockDriveline::new(tree).expect("a driveline that can be stepped");
        let wheels = driveline.wheels().iter().map(|(wheel, _)| wheel + 1).max().unwrap_or(0);
        let is_heavy = 4 < wheels;
        Self {
            state: driveline.start(),
            workspace: driveline.workspace(),
            account: EnergyAccount::default(),
            speed: 0.0,
            mass: if is_heavy { 12_000.0 } else { 1_500.0 },
            radius: if is_heavy { 0.5 } else { 0.32 },
            friction: 0.9,
            downhill: 0.0,
            wheels,
            driveline,
            most_passes: 0,
            passes: 0,
            steps: 0,
        }
    }

    /// Sets inputs of this name of all blocks that have one.
    pub(crate) fn set(&mut self, input: &str, value: f64) {
        for named in &self.driveline.tree().blocks {
            if let Ok(input) = self.driveline.input(&named.name, input) {
                self.state.set_input(input, value);
            }
        }
    }

    pub(crate) fn sensor(&self, block: &str, sensor: &str) -> f64 {
        self.state
            .sensor(self.driveline.sensor(block, sensor).expect("a driveline that can be stepped"))
    }

    pub(crate) fn load(&self, wheel: usize, brake: f64) -> WheelLoad {
        let (_, shaft) = *self
            .driveline
            .wheels()
            .iter()
            .find(|(each, _)| *each == wheel)
            .expect("a driveline that can be stepped");
        let spin = self.state.speeds[shaft];
        let normal = self.mass * 9.81 / self.wheels as f64;
        // Slip stiffness of 15 per load; at little speed as stiff as what stops the car in a step.
        let stiffness = 15.0 * normal / self.speed.abs().max(3.0);
        let force = stiffness * (self.radius * spin - self.speed);
        WheelLoad {
            inertia: 0.5 * 0.1 * self.mass / self.wheels as f64 * self.radius * self.radius,
            damping: 0.0,
            torque: 0.0,
            tire_torque: -self.radius * force,
            tire_stiffness: stiffness * self.radius * self.radius,
            max_tire_torque: self.friction * normal * self.radius,
            brake_torque: brake * 1.2 * normal * self.radius,
            is_lost: false,
        }
    }

    pub(crate) fn step(&mut self, driver: Driver, dt: f64) {
        self.set("throttle", driver.throttle);
        self.set("command", driver.throttle);
        self.set("traction", if driver.gear < 0.0 { -driver.throttle } else { driver.throttle });
        self.set("pedal", driver.clutch);
        self.set("gear", driver.gear);
        self.set("selector", if driver.gear < 0.0 { 1.0 } else { 3.0 });
        if driver.gear == 0.0 {
            self.set("selector", 2.0);
        }
        let loads: Vec<_> = (0..self.wheels).map(|wheel| self.load(wheel, driver.brake)).collect();
        let before = self.state.clone();
        let outcome = self
            .driveline
            .step(&mut self.state, &loads, dt, &mut self.workspace)
            .expect("a driveline that can be stepped");
        assert!(outcome.is_consistent, "{outcome:?}");
        self.most_passes = self.most_passes.max(outcome.passes);
        self.passes += u64::from(outcome.passes);
        self.steps += 1;
        self.workspace.account(&self.driveline, &before, dt, &mut self.account);
        let names: Vec<_> = self
            .driveline
            .tree()
            .blocks
            .iter()
            .filter(|named| named.block.as_block().wheel().is_some())
            .map(|named| named.name.clone())
            .collect();
        let tires: f64 = names.iter().map(|name| self.sensor(name, "tire torque")).sum();
        let drag = 0.4 * self.speed * self.speed.abs() + 0.01 * 9.81 * self.mass;
        let force = -tires / self.radius + self.downhill * self.mass;
        let speed = self.speed + dt * force / self.mass;
        let slowed = dt * drag / self.mass;
        self.speed = if speed.abs() < slowed { 0.0 } else { speed - slowed * speed.signum() };
    }
}
