//! What a vehicle remembers between two steps.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use vehicle_core::commands::Commands;
use vehicle_core::error::ParamCheck;
use vehicle_core::memory::MechanicalMemory;
use vehicle_core::tire::TireModel;
use vehicle_core::vehicle::{OwnState, check_own_memory};
use vehicle_core::{ParamErrors, Persistent};

use super::{Drive, Vehicle, VehicleState};
use crate::aided::{AidedState, AidsMemory};
use crate::model::Model;

/// State that a vehicle keeps between two steps, and its driver's commands. Its drive remembers
/// `M`, and takes commands of type `C`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "M: Serialize + DeserializeOwned, C: Serialize + DeserializeOwned")]
#[non_exhaustive]
pub struct VehicleMemory<Tire: TireModel, M, C, Own: OwnState = ()> {
    /// The mechanical base.
    pub mechanics: MechanicalMemory<Tire>,
    /// What turns the wheels.
    pub drive: M,
    /// Commands of the driver: pedals and steering wheel.
    pub commands: Commands,
    /// Commands of the driver to what turns the wheels.
    pub controls: C,
    /// What the vehicle's aids keep; `None` without aids.
    pub aids: Option<Box<AidsMemory>>,
    /// State that the user has added.
    pub own: Own,
}

/// What a vehicle with the drive `D` remembers.
pub type MemoryOf<D, Own> =
    VehicleMemory<<D as Drive>::Tire, <D as Drive>::Memory, <D as Drive>::Controls, Own>;

impl<D: Drive, Own: OwnState> Persistent for Vehicle<D, Own> {
    type Memory = MemoryOf<D, Own>;

    fn memory(&self) -> MemoryOf<D, Own> {
        VehicleMemory {
            mechanics: MechanicalMemory::of(&self.state.mechanics),
            drive: D::memory(&self.state.drive),
            commands: self.commands,
            controls: self.controls,
            aids: self.state.aids.memory().map(|memory| Box::new(memory.clone())),
            own: self.state.own.clone(),
        }
    }

    fn recall(&mut self, memory: &MemoryOf<D, Own>) -> Result<(), ParamErrors> {
        let Model { params, prepared, own_params, .. } = &self.model;
        let (mechanics, wheel_count) = (params.mechanics(), self.model.wheel_count());
        let mut check = ParamCheck::default();
        check.field("mechanics", |inner| memory.mechanics.check(wheel_count, inner));
        check.field("drive", |inner| params.check_memory(prepared, &memory.drive, inner));
        check.field("commands", |inner| mechanics.check_commands(&memory.commands, inner));
        check.field("controls", |inner| params.check_controls(&memory.controls, inner));
        if let Some(aids) = &memory.aids {
            check.field("aids", |inner| aids.check(wheel_count, inner));
            check.require("aids", aids.is_finite(), "of finite numbers", "others");
        }
        check_own_memory::<Own>(own_params, &memory.own, wheel_count, &mut check);
        check.finish()?;
        self.state = VehicleState {
            mechanics: memory.mechanics.state(mechanics),
            drive: params.recall(&memory.drive),
            // Which aids it has is a parameter, and stays.
            aids: AidedState::recalled(self.model.aids.as_deref(), memory.aids.as_deref()),
            own: memory.own.clone(),
        };
        (self.commands, self.controls) = (memory.commands, memory.controls);
        Ok(())
    }
}
