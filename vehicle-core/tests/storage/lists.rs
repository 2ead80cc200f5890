//! Struct of lists: a vehicle that keeps a list per kind of value, as the stages take them.

use vehicle_core::ComponentSequence;
use vehicle_core::commands::Commands;
use vehicle_core::rigid_body::RigidBodyState;
use vehicle_core::tire::BrushTire;
use vehicle_core::vehicle::{
    HasMechanics, MechanicalLanes, MechanicalParams, MechanicalState, Mechanics, MechanicsRef,
};

use crate::stages::{DriveView, HasDrive};
use crate::test_drive::{Motion, TestVehicle};

/// A vehicle that keeps a list per kind of value.
pub struct Lists {
    params: MechanicalParams,
    lanes: MechanicalLanes<BrushTire>,
    commands: Commands,
    state: MechanicalState,
}

impl HasMechanics for Lists {
    type Tire = BrushTire;

    fn mechanics(&mut self) -> Mechanics<'_, BrushTire> {
        let Self { params, lanes, commands, state } = self;
        Mechanics { params, lanes, commands, state }
    }

    fn read_mechanics(&self) -> MechanicsRef<'_, BrushTire> {
        let Self { params, commands, state, .. } = self;
        MechanicsRef { params, commands, state }
    }
}

impl HasDrive for Lists {
    fn drive(&mut self) -> DriveView<'_> {
        DriveView::of(self.mechanics())
    }
}

impl TestVehicle for Lists {
    fn build(params: &MechanicalParams) -> Self {
        Self {
            params: params.clone(),
            lanes: MechanicalLanes::new(params),
            commands: Commands::default(),
            state: MechanicalState::of_vehicle(params),
        }
    }

    fn sequence() -> ComponentSequence<Self> {
        Self::stages()
    }

    fn drive(&mut self, commands: Commands) {
        self.commands = commands;
    }

    fn body(&mut self) -> &mut RigidBodyState {
        &mut self.state.rigid_body
    }

    fn motion(&self) -> Motion<BrushTire> {
        let MechanicalState { rigid_body, anti_roll_torque, anchor, .. } = self.state;
        let wheel_count = self.params.axles.wheel_count();
        let wheels = (0..wheel_count).map(|wheel| self.state.wheel(wheel)).collect();
        Motion { body: rigid_body, anti_roll_torque, anchor, wheels }
    }
}
