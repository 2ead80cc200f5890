//! Drivelines as sentences: `chain(engine).then(clutch).then(gearbox).to([wheel(2), wheel(3)])`.

use super::battery::BatterySettings;
use super::block::{DrivelineBlock, NoCustomBlock};
use super::command::{DriverCommand, DriverLink};
use super::ends::Wheel;
use super::standard::{Block, for_each_block};
use super::tree::{BlockError, BlockTree, BusLink, Shaft};

/// Blocks in a row, or a tree of them, from their first block to their last.
///
/// ```
/// use vehicle_drivetrain::blocks::{
///     BlockTree, Differential, Engine, FrictionClutch, Gearbox, chain, wheel,
/// };
///
/// let tree: BlockTree = chain(Engine::default())
///     .then(FrictionClutch::default())
///     .then(Gearbox::default())
///     .then(Differential::open(3.7))
///     .to([wheel(2), wheel(3)])
///     .build()?;
/// assert_eq!(tree.blocks.len(), 6);
/// # Ok::<(), vehicle_drivetrain::blocks::BlockError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Chain<C = NoCustomBlock> {
    tree: BlockTree<C>,
    /// The block that others connect to.
    first: usize,
    /// The block that goes on.
    last: usize,
    /// The first fault.
    fault: Option<BlockError>,
}

/// A chain that begins with `block`.
pub fn chain<C: DrivelineBlock>(block: impl Into<Block<C>>) -> Chain<C> {
    let mut tree = BlockTree::default();
    let first = tree.add(block);
    Chain { tree, first, last: first, fault: None }
}

/// A wheel of the vehicle.
pub fn wheel<C: DrivelineBlock>(wheel: usize) -> Chain<C> {
    chain(Wheel { wheel }).named(&format!("wheel {wheel}"))
}

impl<C: DrivelineBlock> Chain<C> {
    /// Names the last block.
    pub fn named(mut self, name: &str) -> Self {
        name.clone_into(&mut self.tree.blocks[self.last].name);
        self
    }

    /// Goes on with a block, or with a chain, at the next free output of the last block.
    pub fn then(self, next: impl IntoChain<C>) -> Self {
        let mut chain = self;
        chain.last = chain.join(next.into_chain());
        chain
    }

    /// Ends with several chains, one for each of the next free outputs of the last block.
    pub fn to<const COUNT: usize>(self, ends: [Self; COUNT]) -> Self {
        ends.into_iter().fold(self, |mut chain, end| {
            chain.join(end);
            chain
        })
    }

    /// Leads a further chain into the next free input of the last block: a second engine.
    pub fn fed_by(mut self, other: impl IntoChain<C>) -> Self {
        let other = other.into_chain();
        let last = other.last;
        let from = last + self.append(other);
        self.connect(from, self.last);
        self
    }

    /// A part that no shaft leads to: a wheel that is not driven, a motor of its own.
    pub fn beside(mut self, other: impl IntoChain<C>) -> Self {
        self.append(other.into_chain());
        self
    }

    /// A battery for the motors.
    pub fn with_battery(mut self, battery: BatterySettings) -> Self {
        self.tree.batteries.push(battery);
        self
    }

    /// Writes a sensor of one block to an input of another before each step: both as (block,
    /// channel).
    pub fn with_link(mut self, from: (&str, &str), to: (&str, &str), factor: f64) -> Self {
        let names = |(block, channel): (&str, &str)| (block.to_owned(), channel.to_owned());
        self.tree.bus.push(BusLink { from: names(from), to: names(to), factor });
        self
    }

    /// Lets a control of the driver reach an input, as (block, channel), in the place of what it
    /// [answers to](super::Channel::command) otherwise.
    pub fn with_command(mut self, command: DriverCommand, to: (&str, &str), factor: f64) -> Self {
        let to = (to.0.to_owned(), to.1.to_owned());
        self.tree.driver.push(DriverLink { command, to, factor });
        self
    }

    /// The driveline.
    ///
    /// # Errors
    ///
    /// The first fault, which names block and slot; all settings out of their ranges.
    pub fn build(self) -> Result<BlockTree<C>, BlockError> {
        if let Some(fault) = self.fault {
            return Err(fault);
        }
        self.tree.check_connections()?;
        Ok(self.tree)
    }

    /// Connects the next free output of the last block with the first block of `next`; returns the
    /// last block of that.
    fn join(&mut self, next: Self) -> usize {
        let (first, last) = (next.first, next.last);
        let offset = self.append(next);
        self.connect(self.last, first + offset);
        last + offset
    }

    fn connect(&mut self, from: usize, to: usize) {
        let shafts = &self.tree.shafts;
        let free = |taken: &dyn Fn(usize) -> bool| (0..).find(|&slot| !taken(slot)).unwrap_or(0);
        let output = free(&|slot| shafts.iter().any(|shaft| shaft.from == (from, slot)));
        let input = free(&|slot| shafts.iter().any(|shaft| shaft.to == (to, slot)));
        let result = self.tree.connect((from, output), (to, input));
        if self.fault.is_none() {
            self.fault = result.err();
        }
    }

    /// Adds the blocks of `other`; returns how far their numbers move.
    fn append(&mut self, other: Self) -> usize {
        let offset = self.tree.blocks.len();
        for mut named in other.tree.blocks {
            // Names that nobody chose get a number.
            let kind = named.block.as_block().kind();
            if named.name.starts_with(kind) && self.tree.find(&named.name).is_some() {
                named.name = self.tree.free_name(kind);
            }
            self.tree.blocks.push(named);
        }
        self.tree.shafts.extend(other.tree.shafts.into_iter().map(|shaft| Shaft {
            from: (shaft.from.0 + offset, shaft.from.1),
            to: (shaft.to.0 + offset, shaft.to.1),
        }));
        self.tree.batteries.extend(other.tree.batteries);
        self.tree.bus.extend(other.tree.bus);
        self.tree.driver.extend(other.tree.driver);
        if self.fault.is_none() {
            self.fault = other.fault;
        }
        offset
    }
}

/// A part that a chain can go on with: a block or another chain.
pub trait IntoChain<C> {
    /// The blocks as a chain.
    fn into_chain(self) -> Chain<C>;
}

impl<C> IntoChain<C> for Chain<C> {
    fn into_chain(self) -> Self {
        self
    }
}

impl<C: DrivelineBlock> IntoChain<C> for Block<C> {
    fn into_chain(self) -> Chain<C> {
        chain(self)
    }
}

macro_rules! into_chain {
    ($($(#[$doc:meta])* $name:ident($block:ident),)+) => {
        $(impl<C: DrivelineBlock> IntoChain<C> for super::$block {
            fn into_chain(self) -> Chain<C> {
                chain(self)
            }
        })+
    };
}

for_each_block!(into_chain);
