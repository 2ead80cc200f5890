//! A driveline with dynamometers around it.

use vehicle_drivetrain::blocks::{
    BlockDriveline, BlockDrivelineState, BlockWorkspace, Chain, Dynamometer, DynamometerEnd,
    WheelLoad, chain,
};

pub(crate) const DT: f64 = 0.01;

/// A driveline with names of its sensors and inputs.
pub(crate) struct Bench {
    pub(crate) driveline: BlockDriveline,
    pub(crate) state: BlockDrivelineState,
    pub(crate) workspace: BlockWorkspace,
}

impl Bench {
    pub(crate) fn new(chain: Chain) -> Self {
        let driveline =
            BlockDriveline::new(chain.build().expect("a driveline that can be stepped"))
                .expect("a driveline that can be stepped");
        let (state, workspace) = (driveline.start(), driveline.workspace());
        Self { driveline, state, workspace }
    }

    pub(crate) fn set(&mut self, block: &str, input: &str, value: f64) {
        self.state.set_input(
            self.driveline.input(block, input).expect("a driveline that can be stepped"),
            value,
        );
    }

    pub(crate) fn get(&self, block: &str, sensor: &str) -> f64 {
        self.state
            .sensor(self.driveline.sensor(block, sensor).expect("a driveline that can be stepped"))
    }

    /// Sets the speed of the shafts of a block.
    pub(crate) fn spin(&mut self, block: &str, speed: f64) {
        let index = self.driveline.tree().find(block).expect("a driveline that can be stepped");
        let (inputs, outputs) = self.driveline.shafts_of(index);
        for shaft in inputs.iter().chain(outputs) {
            self.state.speeds[*shaft] = speed;
        }
    }

    pub(crate) fn step(&mut self, loads: &[WheelLoad]) {
        let outcome = self
            .driveline
            .step(&mut self.state, loads, DT, &mut self.workspace)
            .expect("a driveline that can be stepped");
        assert!(outcome.is_consistent);
    }
}

pub(crate) fn source(inertia: f32) -> Chain {
    chain(Dynamometer { inertia, damping: 0.0, end: DynamometerEnd::Source }).named("source")
}

pub(crate) fn load(name: &str, inertia: f32) -> Chain {
    chain(Dynamometer { inertia, damping: 0.0, end: DynamometerEnd::Load }).named(name)
}

pub(crate) fn assert_close(found: f64, expected: f64, what: &str) {
    // Settings have 32 bits.
    let allowed = 1e-6 * expected.abs().max(1.0);
    assert!((found - expected).abs() <= allowed, "{what}: {found}, not {expected}");
}
