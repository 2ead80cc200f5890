//! Drivelines from blocks: any engines, any gears, any number of wheels, solved exactly.
//!
//! A driveline is a [`BlockTree`]: *blocks* with input and output slots, and *shafts* that join an
//! output to an input. It reads like the sentence:
//!
//! ```
//! use vehicle_drivetrain::blocks::{
//!     BlockDriveline, BlockTree, Differential, Engine, FrictionClutch, Gearbox, WheelLoad, chain, wheel,
//! };
//!
//! let tree: BlockTree = chain(Engine::default())
//!     .then(FrictionClutch::default())
//!     .then(Gearbox::default())
//!     .then(Differential::open(3.7))
//!     .to([wheel(2), wheel(3)])
//!     .build()?;
//! let driveline = BlockDriveline::new(tree)?;
//!
//! let mut state = driveline.start();
//! let mut workspace = driveline.workspace();
//! state.set_input(driveline.input("engine", "throttle")?, 0.5);
//! state.set_input(driveline.input("gearbox", "gear")?, 1.0);
//! let load = WheelLoad { inertia: 1.0, ..WheelLoad::default() };
//! for _ in 0..60 {
//!     driveline.step(&mut state, &[load; 4], 1.0 / 60.0, &mut workspace)?;
//! }
//! let speed = state.sensor(driveline.sensor("wheel 2", "speed")?);
//! assert!(0.0 < speed);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The four groups
//!
//! *Settings* are the fields of a block, constant and serializable. *Inputs* are what the driver
//! asks for, *states* what the vehicle tells the block, *sensors* what the block tells after a
//! step. They are numbers with a name and a unit ([`Channel`]), found once by name and used by
//! number. Links of a data bus write sensors to inputs and states of other blocks before each step.
//!
//! # A step
//!
//! 1. The bus is written.
//! 2. [`pre_step`](DrivelineBlock::pre_step) of every block: it advances what it keeps, such as the
//!    time of a shift, and sets the numbers of its elements.
//! 3. All elements are solved together at the end of the step ([`vehicle_core::driveline`]).
//! 4. [`set_state`](DrivelineBlock::set_state) of every block: it writes its sensors.
//!
//! # Blocks
//!
//! | block                  | inputs, outputs | elements |
//! |------------------------|-----------------|----------|
//! | [`Engine`]             | 0, 1            | inertia with torque and slope; dry friction |
//! | [`ElectricMotor`]      | 0, 1            | inertia with torque and slope |
//! | [`FrictionClutch`]     | 1, 1            | friction |
//! | [`TorqueConverter`]    | 1, 1            | converter with lock-up |
//! | [`Gearbox`]            | 1, 1            | friction (open in neutral), ratio, inertia, brake (park) |
//! | [`FixedGear`]          | 1, 1            | ratio, inertia |
//! | [`Differential`]       | 1, 2            | ratio, differential |
//! | [`TransferCase`]       | 1, 2            | ratio; differential, or friction between the outputs |
//! | [`Splitter`]           | 1, n            | rigid frictions |
//! | [`Joint`]              | 2, 1            | rigid frictions |
//! | [`PowerSplit`]         | 2, 1            | junction |
//! | [`PowerSplitControl`]  | 0, 0            | none: it is on the data bus |
//! | [`DoubleDifferential`] | 2, 2            | double differential |
//! | [`ShaftBrake`]         | 1, 1            | rigid friction, brake |
//! | [`Retarder`]           | 1, 1            | rigid friction, damper |
//! | [`Freewheel`]          | 1, 1            | friction of one direction |
//! | [`ViscousCoupling`]    | 1, 1            | viscous coupling |
//! | [`Flywheel`]           | 1, 1            | rigid friction, inertia |
//! | [`Dynamometer`]        | 0, 1 or 1, 0    | inertia with torque |
//! | [`Hold`]               | 0, 1            | brake with a target speed |
//! | [`Wheel`]              | 1, 0            | inertia, tire, brake |
//!
//! [`ready_made`] has whole drivelines, one call each. A block of your own implements
//! [`DrivelineBlock`] and goes into [`Block::Custom`].
//!
//! Source: blocks, slots, shafts and the four groups are those of the public description of Vehicle
//! Physics Pro. Differs: all elements are solved at once instead of one after the other.

mod assembly;
mod battery;
mod block;
mod braking;
mod builder;
mod capacity;
mod clutch;
mod command;
mod converter;
mod couplings;
mod differential;
mod driveline;
mod ends;
mod energy;
mod engine;
mod examination;
mod gearbox;
mod hosting;
mod joints;
mod motor;
mod power_split_control;
pub mod protocol;
pub mod ready_made;
mod shift_lines;
mod standard;
mod state;
mod tree;
mod wheel_place;

pub use battery::{Batteries, BatterySettings};
pub use block::{
    BlockResult, BlockShaft, BlockStep, Channel, Channels, DrivelineBlock, NoCustomBlock, Sketch,
    Slots, WheelLoad,
};
pub use builder::{Chain, IntoChain, chain, wheel};
pub use capacity::Capacity;
pub use clutch::{ClutchActuation, FrictionClutch};
pub use command::{DrivelineCommands, DriverCommand, DriverLink, Selector};
pub use converter::{LockUp, TorqueConverter};
pub use couplings::{FixedGear, Flywheel, Freewheel, Retarder, ShaftBrake, ViscousCoupling};
pub use differential::{Differential, DifferentialMode, TransferCase, TransferMode};
pub(crate) use driveline::SharedRoom;
pub use driveline::{BlockDriveline, BlockWorkspace, SolveReport};
pub use ends::{Dynamometer, DynamometerEnd, Hold, Wheel};
pub use energy::EnergyAccount;
pub use engine::{Engine, IdleControl, Limiter, Stall};
pub(crate) use examination::{Drive, NO_IDLE, STARTER};
pub use gearbox::{GearControl, Gearbox};
pub use joints::{DoubleDifferential, Joint, PowerSplit, Splitter};
pub use motor::ElectricMotor;
pub use power_split_control::PowerSplitControl;
pub use shift_lines::ShiftLines;
pub use standard::Block;
pub use state::{BlockDrivelineState, InputId, SensorId, StateId};
pub use tree::{BlockError, BlockTree, BusLink, NamedBlock, Shaft, SlotName};
