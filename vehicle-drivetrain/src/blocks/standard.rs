//! All blocks in one type, so that a driveline is plain data.

use serde::{Deserialize, Serialize};
use vehicle_core::error::{ParamCheck, Validate};

use super::block::{DrivelineBlock, NoCustomBlock};
use super::clutch::FrictionClutch;
use super::converter::TorqueConverter;
use super::couplings::{FixedGear, Flywheel, Freewheel, Retarder, ShaftBrake, ViscousCoupling};
use super::differential::{Differential, TransferCase};
use super::ends::{Dynamometer, Hold, Wheel};
use super::engine::Engine;
use super::gearbox::Gearbox;
use super::joints::{DoubleDifferential, Joint, PowerSplit, Splitter};
use super::motor::ElectricMotor;
use super::power_split_control::PowerSplitControl;

macro_rules! blocks {
    ($($(#[$doc:meta])* $name:ident($block:ident),)+) => {
        /// A block of a driveline.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(rename_all = "snake_case")]
        #[non_exhaustive]
        pub enum Block<C = NoCustomBlock> {
            $($(#[$doc])* $name($block),)+
            /// A block of your own.
            Custom(C),
        }

        $(impl<C> From<$block> for Block<C> {
            fn from(block: $block) -> Self {
                Self::$name(block)
            }
        })+

        impl<C: DrivelineBlock> Block<C> {
            /// The block by the interface of all blocks.
            pub fn as_block(&self) -> &dyn DrivelineBlock {
                match self {
                    $(Self::$name(block) => block,)+
                    Self::Custom(block) => block,
                }
            }
        }
    };
}

/// Calls a macro with all blocks that come with the crate.
macro_rules! for_each_block {
    ($call:ident) => {
        $call! {
            /// A combustion engine.
            Engine(Engine),
            /// An electric motor.
            ElectricMotor(ElectricMotor),
            /// A friction clutch.
            FrictionClutch(FrictionClutch),
            /// A torque converter.
            TorqueConverter(TorqueConverter),
            /// A gearbox.
            Gearbox(Gearbox),
            /// A gear without a lever.
            Gear(FixedGear),
            /// A differential.
            Differential(Differential),
            /// A transfer case.
            TransferCase(TransferCase),
            /// Shafts that turn as one.
            Splitter(Splitter),
            /// Two shafts that turn a third.
            Joint(Joint),
            /// A planetary gear of two sources.
            PowerSplit(PowerSplit),
            /// Control of the engine and the motors of a power-split hybrid.
            PowerSplitControl(PowerSplitControl),
            /// Two differentials that drive and steer.
            DoubleDifferential(DoubleDifferential),
            /// A brake on a shaft.
            ShaftBrake(ShaftBrake),
            /// A retarder on a shaft.
            Retarder(Retarder),
            /// A freewheel.
            Freewheel(Freewheel),
            /// A viscous coupling.
            ViscousCoupling(ViscousCoupling),
            /// A flywheel.
            Flywheel(Flywheel),
            /// A dynamometer.
            Dynamometer(Dynamometer),
            /// A shaft that is held at a speed.
            Hold(Hold),
            /// A wheel.
            Wheel(Wheel),
        }
    };
}
pub(super) use for_each_block;

for_each_block!(blocks);

impl<C: DrivelineBlock> Validate for Block<C> {
    fn check(&self, check: &mut ParamCheck) {
        self.as_block().check(check);
    }
}
