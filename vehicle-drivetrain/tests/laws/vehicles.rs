//! What the laws need of a kind of vehicle.

use vehicle_core::ComponentSequence;
use vehicle_core::commands::Commands;
use vehicle_core::convert::Convert;
use vehicle_core::vehicle::{MechanicalParams, MechanicalState};
use vehicle_drivetrain::{
    DirectDriveParams, DirectDriveVehicle, EngineDriveParams, EngineDriveVehicle,
};

/// A vehicle that laws hold for.
pub(crate) trait LawfulVehicle: Sized + 'static {
    /// What it is made of.
    type Params: Clone + Convert;

    fn params(&self) -> &Self::Params;

    /// The mechanical base of `params`.
    fn mechanics(params: &mut Self::Params) -> &mut MechanicalParams;

    /// A vehicle of `params` that does what this one does, and whose driver wants the same.
    fn with_params(&self, params: Self::Params) -> Self;

    fn state(&self) -> &MechanicalState;

    fn state_mut(&mut self) -> &mut MechanicalState;

    fn commands_mut(&mut self) -> &mut Commands;

    fn sequence(substeps: u32) -> ComponentSequence<Self>;
}

/// The trait for a ready-made vehicle of `$params`.
macro_rules! lawful {
    ($vehicle:ty, $params:ty) => {
        impl LawfulVehicle for $vehicle {
            type Params = $params;

            fn params(&self) -> &$params {
                Self::params(self)
            }

            fn mechanics(params: &mut $params) -> &mut MechanicalParams {
                &mut params.mechanics
            }

            fn with_params(&self, params: $params) -> Self {
                let mut vehicle = Self::new(params).expect("faultless params");
                vehicle.commands = self.commands;
                vehicle.controls = self.controls;
                vehicle.state = self.state.clone();
                vehicle
            }

            fn state(&self) -> &MechanicalState {
                &self.state.mechanics
            }

            fn state_mut(&mut self) -> &mut MechanicalState {
                &mut self.state.mechanics
            }

            fn commands_mut(&mut self) -> &mut Commands {
                &mut self.commands
            }

            fn sequence(substeps: u32) -> ComponentSequence<Self> {
                Self::sequence_with_substeps(move |_| substeps)
            }
        }
    };
}

lawful!(DirectDriveVehicle, DirectDriveParams);
lawful!(EngineDriveVehicle, EngineDriveParams);
