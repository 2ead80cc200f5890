//! A driveline as plain data: blocks, shafts between their slots, batteries, the data bus.

use std::fmt;

use serde::{Deserialize, Serialize};
use vehicle_core::driveline::DrivelineError;
use vehicle_core::error::{ParamCheck, ParamErrors, Validate};

use super::battery::BatterySettings;
use super::block::{BlockShaft, DrivelineBlock, NoCustomBlock, Sketch, Slots};
use super::command::{DriverCommand, DriverLink};
use super::standard::Block;

/// A block with its name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct NamedBlock<C = NoCustomBlock> {
    /// A name of its own.
    pub name: String,
    /// The block.
    pub block: Block<C>,
}

/// A shaft from an output slot of one block to an input slot of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Shaft {
    /// Number of the block that is nearer to the engine, and of its output slot.
    pub from: (usize, usize),
    /// Number of the block that is nearer to the wheels, and of its input slot.
    pub to: (usize, usize),
}

/// A sensor that is written to an input or a state of another block before each step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct BusLink {
    /// Names of a block and of its sensor.
    pub from: (String, String),
    /// Names of a block and of its input or state.
    pub to: (String, String),
    /// Factor of the number.
    pub factor: f64,
}

/// A driveline of blocks: plain data, that can be a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[serde(bound(serialize = "C: Serialize", deserialize = "C: Deserialize<'de>"))]
pub struct BlockTree<C = NoCustomBlock> {
    /// The blocks.
    pub blocks: Vec<NamedBlock<C>>,
    /// The shafts between them.
    pub shafts: Vec<Shaft>,
    /// The batteries of its motors.
    #[serde(default)]
    pub batteries: Vec<BatterySettings>,
    /// Links by which blocks tell each other values.
    #[serde(default)]
    pub bus: Vec<BusLink>,
    /// Controls of the driver that reach other inputs than those of
    /// [`Channel::command`](super::Channel).
    #[serde(default)]
    pub driver: Vec<DriverLink>,
}

impl<C> Default for BlockTree<C> {
    fn default() -> Self {
        Self {
            blocks: Vec::new(),
            shafts: Vec::new(),
            batteries: Vec::new(),
            bus: Vec::new(),
            driver: Vec::new(),
        }
    }
}

/// A slot of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlotName {
    /// Name of the block.
    pub block: String,
    /// Whether the slot is an input, else an output.
    pub is_input: bool,
    /// Number of the slot.
    pub slot: usize,
}

impl fmt::Display for SlotName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = if self.is_input { "input" } else { "output" };
        write!(f, "{side} {} of {:?}", self.slot, self.block)
    }
}

/// Why blocks are no driveline.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BlockError {
    /// No block has this number.
    NoBlock(usize),
    /// No block has this name, or no channel of it.
    NoChannel {
        /// Name of the block.
        block: String,
        /// Name of the channel.
        channel: String,
    },
    /// The input is written in each step.
    InputWritten {
        /// Name of the block.
        block: String,
        /// Name of the input.
        input: String,
        /// The control of the driver that writes it; `None` for a link of the data bus.
        by: Option<DriverCommand>,
    },
    /// Two blocks have one name.
    SameName(String),
    /// The block has no such slot.
    NoSlot {
        /// The slot that is asked for.
        slot: SlotName,
        /// How many the block has on that side.
        count: usize,
    },
    /// The slot has a shaft already.
    Occupied(SlotName),
    /// The slot has no shaft, which it needs.
    Missing(SlotName),
    /// Shafts lead back to a block.
    Cycle {
        /// Name of the block.
        block: String,
    },
    /// Two blocks are the same wheel of the vehicle.
    WheelTwice {
        /// Number of the wheel.
        wheel: usize,
        /// Names of the blocks.
        blocks: [String; 2],
    },
    /// The driveline ends with a block that is no end.
    NoEnd {
        /// Name of the block.
        block: String,
        /// Kind of the block.
        kind: &'static str,
    },
    /// A motor names a battery that there is not.
    NoBattery {
        /// Name of the motor.
        block: String,
        /// The battery that it names.
        battery: usize,
    },
    /// A block is not content with its connections.
    Connections {
        /// Name of the block.
        block: String,
        /// What is missing.
        reason: &'static str,
    },
    /// An element of a block is on a shaft that the block does not have.
    NoShaft {
        /// Name of the block.
        block: String,
        /// The shaft that its sketch names.
        shaft: BlockShaft,
        /// How many of this kind the block has.
        count: usize,
    },
    /// No element of the block is on the shaft at this slot: it would turn by itself.
    Loose(SlotName),
    /// There are no blocks.
    Empty,
    /// Settings out of their ranges.
    Params(ParamErrors),
    /// The elements of the blocks cannot be solved.
    Driveline(DrivelineError),
}

impl fmt::Display for BlockError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoBlock(block) => write!(f, "there is no block number {block}"),
            Self::NoChannel { block, channel } => {
                write!(f, "there is no channel {channel:?} of a block {block:?}")
            }
            Self::InputWritten { block, input, by } => {
                write!(f, "input {input:?} of {block:?} is written in each step by ")?;
                match by {
                    Some(control) => write!(
                        f,
                        "{control:?}, a control of the driver; a link of the tree's driver to it \
                         from \"nothing\" leaves it free"
                    ),
                    None => write!(f, "a link of the data bus"),
                }
            }
            Self::SameName(name) => write!(f, "two blocks have the name {name:?}"),
            Self::NoSlot { slot, count } => {
                let side = if slot.is_input { "inputs" } else { "outputs" };
                write!(f, "there is no {slot}: it has {count} {side}")
            }
            Self::Occupied(slot) => write!(f, "{slot} has a shaft already"),
            Self::Missing(slot) => write!(f, "{slot} has no shaft"),
            Self::Cycle { block } => write!(f, "shafts lead from {block:?} back to it"),
            Self::WheelTwice { wheel, blocks: [first, second] } => {
                write!(f, "{first:?} and {second:?} are both wheel {wheel} of the vehicle")
            }
            Self::NoEnd { block, kind } => {
                write!(f, "{block:?} has nothing behind it, and a {kind} is no end of a driveline")
            }
            Self::NoBattery { block, battery } => {
                write!(f, "{block:?} is on battery {battery}, which there is not")
            }
            Self::Connections { block, reason } => write!(f, "{block:?}: {reason}"),
            Self::NoShaft { block, shaft, count } => {
                let kind = match shaft {
                    BlockShaft::Input(_) => "input",
                    BlockShaft::Output(_) => "output",
                    BlockShaft::Inner(_) => "inner shaft",
                };
                write!(
                    f,
                    "an element of {block:?} is on {shaft:?}, of {count} {kind}(s) that it has"
                )
            }
            Self::Loose(slot) => write!(f, "{slot} has no element of its block on its shaft"),
            Self::Empty => write!(f, "a driveline must have at least one block"),
            Self::Params(errors) => write!(f, "{errors}"),
            Self::Driveline(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for BlockError {}

impl From<ParamErrors> for BlockError {
    fn from(errors: ParamErrors) -> Self {
        Self::Params(errors)
    }
}

impl From<DrivelineError> for BlockError {
    fn from(error: DrivelineError) -> Self {
        Self::Driveline(error)
    }
}

impl<C: DrivelineBlock> BlockTree<C> {
    /// Adds a block; returns its number. Its name is that of its kind, with a number where there
    /// are several.
    pub fn add(&mut self, block: impl Into<Block<C>>) -> usize {
        let block = block.into();
        let name = self.free_name(block.as_block().kind());
        self.blocks.push(NamedBlock { name, block });
        self.blocks.len() - 1
    }

    /// A name that no block has yet.
    pub(super) fn free_name(&self, kind: &str) -> String {
        let numbered = |number: usize| match number {
            1 => kind.to_owned(),
            _ => format!("{kind} {number}"),
        };
        let mut number = 1;
        while self.find(&numbered(number)).is_some() {
            number += 1;
        }
        numbered(number)
    }

    /// The number of the block of this name.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.blocks.iter().position(|block| block.name == name)
    }

    fn slot_name(&self, block: usize, is_input: bool, slot: usize) -> SlotName {
        let block = self.blocks[block].name.clone();
        SlotName { block, is_input, slot }
    }

    fn check_slot(&self, block: usize, is_input: bool, slot: usize) -> Result<(), BlockError> {
        let Some(named) = self.blocks.get(block) else { return Err(BlockError::NoBlock(block)) };
        let slots = named.block.as_block().initialize();
        let count = if is_input { slots.inputs } else { slots.outputs };
        if count <= slot {
            return Err(BlockError::NoSlot { slot: self.slot_name(block, is_input, slot), count });
        }
        Ok(())
    }

    /// Connects output slot `from` (block, slot) with input slot `to`.
    ///
    /// # Errors
    ///
    /// If a block or slot does not exist or a slot has a shaft already; nothing changes then.
    pub fn connect(&mut self, from: (usize, usize), to: (usize, usize)) -> Result<(), BlockError> {
        self.check_slot(from.0, false, from.1)?;
        self.check_slot(to.0, true, to.1)?;
        if self.shafts.iter().any(|shaft| shaft.from == from) {
            return Err(BlockError::Occupied(self.slot_name(from.0, false, from.1)));
        }
        if self.shafts.iter().any(|shaft| shaft.to == to) {
            return Err(BlockError::Occupied(self.slot_name(to.0, true, to.1)));
        }
        self.shafts.push(Shaft { from, to });
        Ok(())
    }

    /// Takes away the shaft at an input slot; returns whether there was one.
    pub fn disconnect_input(&mut self, block: usize, slot: usize) -> bool {
        let count = self.shafts.len();
        self.shafts.retain(|shaft| shaft.to != (block, slot));
        self.shafts.len() < count
    }

    /// Takes away the shaft at an output slot; returns whether there was one.
    pub fn disconnect_output(&mut self, block: usize, slot: usize) -> bool {
        let count = self.shafts.len();
        self.shafts.retain(|shaft| shaft.from != (block, slot));
        self.shafts.len() < count
    }

    /// Checks that blocks and shafts are a driveline.
    ///
    /// # Errors
    ///
    /// The first fault, which names block and slot; all settings out of their ranges.
    pub fn check_connections(&self) -> Result<(), BlockError> {
        if self.blocks.is_empty() {
            return Err(BlockError::Empty);
        }
        self.check_names()?;
        self.check_shafts()?;
        self.check_cycles()?;
        self.check_slots()?;
        self.check_wheels()?;
        self.check_batteries()?;
        self.validate()?;
        self.check_sketches()
    }

    fn check_names(&self) -> Result<(), BlockError> {
        for (index, block) in self.blocks.iter().enumerate() {
            if self.find(&block.name) != Some(index) {
                return Err(BlockError::SameName(block.name.clone()));
            }
        }
        Ok(())
    }

    fn check_shafts(&self) -> Result<(), BlockError> {
        for (index, shaft) in self.shafts.iter().enumerate() {
            self.check_slot(shaft.from.0, false, shaft.from.1)?;
            self.check_slot(shaft.to.0, true, shaft.to.1)?;
            for before in &self.shafts[..index] {
                if before.from == shaft.from {
                    let slot = self.slot_name(shaft.from.0, false, shaft.from.1);
                    return Err(BlockError::Occupied(slot));
                }
                if before.to == shaft.to {
                    let slot = self.slot_name(shaft.to.0, true, shaft.to.1);
                    return Err(BlockError::Occupied(slot));
                }
            }
        }
        Ok(())
    }

    /// Blocks that nothing leads to are taken away, again and again: a cycle is left.
    fn check_cycles(&self) -> Result<(), BlockError> {
        let mut is_left = vec![true; self.blocks.len()];
        loop {
            let is_free = |&block: &usize| {
                is_left[block]
                    && !self.shafts.iter().any(|shaft| shaft.to.0 == block && is_left[shaft.from.0])
            };
            let Some(block) = (0..self.blocks.len()).find(is_free) else { break };
            is_left[block] = false;
        }
        match is_left.iter().position(|left| *left) {
            Some(block) => Err(BlockError::Cycle { block: self.blocks[block].name.clone() }),
            None => Ok(()),
        }
    }

    fn check_slots(&self) -> Result<(), BlockError> {
        for (index, named) in self.blocks.iter().enumerate() {
            let block = named.block.as_block();
            let slots = block.initialize();
            let inputs: Vec<_> = (0..slots.inputs)
                .map(|slot| self.shafts.iter().any(|shaft| shaft.to == (index, slot)))
                .collect();
            let outputs: Vec<_> = (0..slots.outputs)
                .map(|slot| self.shafts.iter().any(|shaft| shaft.from == (index, slot)))
                .collect();
            let has_nothing_behind = !outputs.contains(&true);
            if has_nothing_behind && 0 < slots.inputs && !block.is_end() {
                let block = named.name.clone();
                return Err(BlockError::NoEnd { block, kind: named.block.as_block().kind() });
            }
            for (is_input, connected, is_optional) in [
                (true, &inputs, slots.inputs_are_optional),
                (false, &outputs, slots.outputs_are_optional),
            ] {
                if let Some(slot) = connected.iter().position(|connected| !connected)
                    && !is_optional
                {
                    return Err(BlockError::Missing(self.slot_name(index, is_input, slot)));
                }
            }
            block
                .check_connections(&inputs, &outputs)
                .map_err(|reason| BlockError::Connections { block: named.name.clone(), reason })?;
        }
        Ok(())
    }

    /// Checks that elements are on shafts that there are, and that something is at each slot.
    fn check_sketches(&self) -> Result<(), BlockError> {
        for (index, named) in self.blocks.iter().enumerate() {
            let block = named.block.as_block();
            let mut sketch = Sketch::default();
            block.sketch(&mut sketch);
            let Slots { inputs, outputs, .. } = block.initialize();
            let mut is_loose = [vec![true; inputs], vec![true; outputs]];
            for &shaft in sketch.elements.iter().flat_map(|(_, shafts)| shafts) {
                let (place, count) = match shaft {
                    BlockShaft::Input(slot) => (is_loose[0].get_mut(slot), inputs),
                    BlockShaft::Output(slot) => (is_loose[1].get_mut(slot), outputs),
                    BlockShaft::Inner(inner) if inner < sketch.inner => continue,
                    BlockShaft::Inner(_) => (None, sketch.inner),
                };
                let block = || named.name.clone();
                let missing = || BlockError::NoShaft { block: block(), shaft, count };
                *place.ok_or_else(missing)? = false;
            }
            for (is_loose, is_input) in is_loose.iter().zip([true, false]) {
                if let Some(slot) = is_loose.iter().position(|is_loose| *is_loose) {
                    return Err(BlockError::Loose(self.slot_name(index, is_input, slot)));
                }
            }
        }
        Ok(())
    }

    fn check_wheels(&self) -> Result<(), BlockError> {
        for (index, named) in self.blocks.iter().enumerate() {
            let Some(wheel) = named.block.as_block().wheel() else { continue };
            let same =
                self.blocks[..index].iter().find(|b| b.block.as_block().wheel() == Some(wheel));
            if let Some(before) = same {
                let blocks = [before.name.clone(), named.name.clone()];
                return Err(BlockError::WheelTwice { wheel, blocks });
            }
        }
        Ok(())
    }

    fn check_batteries(&self) -> Result<(), BlockError> {
        for named in &self.blocks {
            if let Block::ElectricMotor(motor) = &named.block
                && let Some(battery) = motor.battery
                && self.batteries.len() <= battery
            {
                return Err(BlockError::NoBattery { block: named.name.clone(), battery });
            }
        }
        Ok(())
    }
}

impl<C: DrivelineBlock> Validate for BlockTree<C> {
    fn check(&self, check: &mut ParamCheck) {
        for named in &self.blocks {
            check.field(format_args!("{:?}", named.name), |inner| named.block.check(inner));
        }
        check.each("batteries", &self.batteries, Validate::check);
        for (index, link) in self.bus.iter().enumerate() {
            let name = format_args!("bus[{index}].factor");
            check.require(name, link.factor.is_finite(), "finite", link.factor);
        }
        for (index, link) in self.driver.iter().enumerate() {
            let name = format_args!("driver[{index}].factor");
            check.require(name, link.factor.is_finite(), "finite", link.factor);
        }
    }
}
