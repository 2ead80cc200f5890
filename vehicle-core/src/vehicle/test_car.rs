//! A car without a drivetrain, for tests.

use super::{
    HasMechanics, MechanicalLanes, MechanicalParams, MechanicalState, Mechanics, MechanicsRef,
};
use crate::commands::Commands;
use crate::tire::{BrushTire, TireModel};

/// A mechanical base and nothing else.
#[derive(Clone, Debug)]
pub(crate) struct TestCar<Tire: TireModel = BrushTire> {
    pub(crate) params: MechanicalParams<Tire>,
    pub(crate) commands: Commands,
    pub(crate) state: MechanicalState<Tire>,
    lanes: MechanicalLanes<Tire>,
}

impl<Tire: TireModel> TestCar<Tire> {
    /// A car of `params` at rest.
    pub(crate) fn new(params: MechanicalParams<Tire>) -> Self {
        let (lanes, state) =
            (MechanicalLanes::new(&params), MechanicalState::at_rest(params.axles.wheel_count()));
        Self { params, commands: Commands::default(), state, lanes }
    }
}

impl<Tire: TireModel> HasMechanics for TestCar<Tire> {
    type Tire = Tire;

    fn mechanics(&mut self) -> Mechanics<'_, Tire> {
        let Self { params, commands, state, lanes } = self;
        Mechanics { params, lanes, commands, state }
    }

    fn read_mechanics(&self) -> MechanicsRef<'_, Tire> {
        let Self { params, commands, state, .. } = self;
        MechanicsRef { params, commands, state }
    }
}
