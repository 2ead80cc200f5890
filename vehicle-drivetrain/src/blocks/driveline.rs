//! A driveline of blocks, ready for steps.

use serde::{Deserialize, Serialize};
use vehicle_core::driveline::{
    DrivelineError, DrivelinePlan, DrivelineSolution, Element, Mode, Outcome,
};

use super::battery::Batteries;
use super::block::{
    BlockLayout, BlockResult, BlockShaft, BlockStep, Channel, DrivelineBlock, NoCustomBlock,
    Sketch, WheelLoad,
};
use super::energy::EnergyAccount;
use super::tree::{BlockError, BlockTree};

/// A driveline of blocks with the order in which it is solved: constant, shared by vehicles of a model.
#[derive(Clone, Debug)]
pub struct BlockDriveline<C = NoCustomBlock> {
    tree: BlockTree<C>,
    plan: DrivelinePlan,
    /// Elements as blocks put them together.
    elements: Vec<Element>,
    layouts: Vec<BlockLayout>,
    /// The shaft of each wheel: (wheel, shaft).
    wheels: Vec<(usize, usize)>,
    bus: Vec<(SensorId, Written, f64)>,
    counts: Counts,
}

/// Lengths of the lists of a state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    inputs: usize,
    states: usize,
    sensors: usize,
    memory: usize,
}

/// The number of a sensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SensorId(usize);

/// The number of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputId(usize);

/// The number of a state that the vehicle tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StateId(usize);

/// Where the data bus writes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Written {
    Input(InputId),
    State(StateId),
}

/// A driveline between two steps: plain, clonable, serializable.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BlockDrivelineState {
    /// Speed of each shaft (rad/s).
    pub speeds: Vec<f64>,
    /// What sticks and what slips: where the next solve starts.
    modes: Vec<Mode>,
    /// What blocks keep.
    memory: Vec<f64>,
    /// What the driver asks for.
    inputs: Vec<f64>,
    /// What the vehicle tells.
    states: Vec<f64>,
    /// What blocks tell.
    sensors: Vec<f64>,
    /// Energy in each battery (J).
    pub battery_energies: Vec<f64>,
}

impl BlockDrivelineState {
    /// What a block tells, as of the end of the last step.
    #[inline]
    pub fn sensor(&self, sensor: SensorId) -> f64 {
        self.sensors[sensor.0]
    }

    /// What the driver asks for.
    #[inline]
    pub fn input(&self, input: InputId) -> f64 {
        self.inputs[input.0]
    }

    /// Asks for something. Numbers that are not finite count as 0.
    #[inline]
    pub fn set_input(&mut self, input: InputId, value: f64) {
        self.inputs[input.0] = if value.is_finite() { value } else { 0.0 };
    }

    /// Tells a block something. Numbers that are not finite count as 0.
    #[inline]
    pub fn set_state(&mut self, state: StateId, value: f64) {
        self.states[state.0] = if value.is_finite() { value } else { 0.0 };
    }
}

/// Room for a step: nothing is allocated in it.
#[derive(Clone, Debug)]
pub struct BlockWorkspace {
    pub(super) elements: Vec<Element>,
    pub(super) solution: DrivelineSolution,
    batteries: Batteries,
}

impl BlockWorkspace {
    /// Adds the energies of the last step to `account`.
    pub fn account<C: DrivelineBlock>(
        &self,
        driveline: &BlockDriveline<C>,
        start: &BlockDrivelineState,
        dt: f64,
        account: &mut EnergyAccount,
    ) {
        account.add(&driveline.plan, &self.elements, &start.speeds, &self.solution, dt);
    }
}

impl<C: DrivelineBlock> BlockDriveline<C> {
    /// Puts the elements of all blocks together.
    ///
    /// # Errors
    ///
    /// What [`BlockTree::check_connections`] finds; links of the data bus that lead nowhere.
    pub fn new(tree: BlockTree<C>) -> Result<Self, BlockError> {
        tree.check_connections()?;
        let mut assembly = Assembly::default();
        for index in 0..tree.blocks.len() {
            assembly.add(&tree, index);
        }
        let plan = DrivelinePlan::new(assembly.shafts, &assembly.ports)?;
        plan.check(&assembly.elements)?;
        let mut driveline = Self {
            plan,
            elements: assembly.elements,
            layouts: assembly.layouts,
            wheels: assembly.wheels,
            bus: Vec::new(),
            counts: assembly.counts,
            tree,
        };
        driveline.bus = driveline
            .tree
            .bus
            .iter()
            .map(|link| {
                let from = driveline.sensor(&link.from.0, &link.from.1)?;
                let to = driveline.written(&link.to.0, &link.to.1)?;
                Ok((from, to, link.factor))
            })
            .collect::<Result<_, BlockError>>()?;
        Ok(driveline)
    }

    /// The blocks and shafts.
    pub fn tree(&self) -> &BlockTree<C> {
        &self.tree
    }

    /// The order in which it is solved.
    pub fn plan(&self) -> &DrivelinePlan {
        &self.plan
    }

    /// Shafts of the solver that a block has at its inputs and outputs.
    pub fn shafts_of(&self, block: usize) -> (&[usize], &[usize]) {
        let layout = &self.layouts[block];
        (&layout.inputs, &layout.outputs)
    }

    /// Each wheel of the vehicle that is part of it, with its shaft.
    pub fn wheels(&self) -> &[(usize, usize)] {
        &self.wheels
    }

    fn channel(
        &self,
        block: &str,
        channel: &str,
        list: impl Fn(usize) -> (&'static [Channel], usize),
    ) -> Result<usize, BlockError> {
        let place = self.tree.find(block).and_then(|index| {
            let (channels, first) = list(index);
            Some(first + channels.iter().position(|each| each.name == channel)?)
        });
        place.ok_or_else(|| BlockError::NoChannel {
            block: block.to_owned(),
            channel: channel.to_owned(),
        })
    }

    /// The number of a sensor, by the names of its block and its own.
    ///
    /// # Errors
    ///
    /// If there is none of these names.
    pub fn sensor(&self, block: &str, sensor: &str) -> Result<SensorId, BlockError> {
        self.channel(block, sensor, |index| {
            let channels = self.tree.blocks[index].block.as_block().channels();
            (channels.sensors, self.layouts[index].sensor_channels.start)
        })
        .map(SensorId)
    }

    /// The number of an input, by the names of its block and its own.
    ///
    /// # Errors
    ///
    /// If there is none of these names.
    pub fn input(&self, block: &str, input: &str) -> Result<InputId, BlockError> {
        self.channel(block, input, |index| {
            let channels = self.tree.blocks[index].block.as_block().channels();
            (channels.inputs, self.layouts[index].input_channels.start)
        })
        .map(InputId)
    }

    /// The number of a state, by the names of its block and its own.
    ///
    /// # Errors
    ///
    /// If there is none of these names.
    pub fn state(&self, block: &str, state: &str) -> Result<StateId, BlockError> {
        self.channel(block, state, |index| {
            let channels = self.tree.blocks[index].block.as_block().channels();
            (channels.states, self.layouts[index].state_channels.start)
        })
        .map(StateId)
    }

    fn written(&self, block: &str, channel: &str) -> Result<Written, BlockError> {
        let input = self.input(block, channel).map(Written::Input);
        input.or_else(|_| self.state(block, channel).map(Written::State))
    }

    /// Every sensor with the name of its block, its own and its unit, in order of their numbers.
    pub fn sensors(&self) -> impl Iterator<Item = (&str, Channel, SensorId)> {
        self.tree.blocks.iter().zip(&self.layouts).flat_map(|(named, layout)| {
            let channels = named.block.as_block().channels().sensors;
            let first = layout.sensor_channels.start;
            channels.iter().enumerate().map(move |(place, channel)| {
                (named.name.as_str(), *channel, SensorId(first + place))
            })
        })
    }

    /// The driveline before its first step: engines idle, all else stands.
    pub fn start(&self) -> BlockDrivelineState {
        let mut state = BlockDrivelineState {
            speeds: vec![0.0; self.plan.shafts()],
            modes: vec![Mode::default(); self.plan.elements()],
            memory: vec![0.0; self.counts.memory],
            inputs: vec![0.0; self.counts.inputs],
            states: vec![0.0; self.counts.states],
            sensors: vec![0.0; self.counts.sensors],
            battery_energies: Batteries::new(&self.tree.batteries).energies,
        };
        for (named, layout) in self.tree.blocks.iter().zip(&self.layouts) {
            let block = named.block.as_block();
            block.start(&mut state.memory[layout.memory.clone()]);
            let speed = block.start_speed();
            if speed != 0.0 {
                for shaft in &layout.outputs {
                    state.speeds[*shaft] = speed;
                }
            }
            let channels = block.channels();
            for (list, channels, range) in [
                (&mut state.inputs, channels.inputs, &layout.input_channels),
                (&mut state.states, channels.states, &layout.state_channels),
                (&mut state.sensors, channels.sensors, &layout.sensor_channels),
            ] {
                for (number, channel) in list[range.clone()].iter_mut().zip(channels) {
                    *number = channel.default;
                }
            }
        }
        state
    }

    /// Room for steps.
    pub fn workspace(&self) -> BlockWorkspace {
        BlockWorkspace {
            elements: self.elements.clone(),
            solution: DrivelineSolution::new(&self.plan),
            batteries: Batteries::new(&self.tree.batteries),
        }
    }

    /// A step of `dt` (s), solved exactly at its end. `loads` has one load per wheel of the vehicle.
    ///
    /// # Errors
    ///
    /// If `dt` is not positive and finite, or `state` and `workspace` are of another driveline.
    pub fn step(
        &self,
        state: &mut BlockDrivelineState,
        loads: &[WheelLoad],
        dt: f64,
        workspace: &mut BlockWorkspace,
    ) -> Result<Outcome, DrivelineError> {
        self.check_lists(state, workspace)?;
        if !(0.0 < dt && dt.is_finite()) {
            return Err(DrivelineError::TimeStep);
        }
        for &(from, to, factor) in &self.bus {
            let value = state.sensors[from.0] * factor;
            match to {
                Written::Input(input) => state.set_input(input, value),
                Written::State(told) => state.set_state(told, value),
            }
        }
        let BlockWorkspace { elements, solution, batteries } = workspace;
        batteries.energies.copy_from_slice(&state.battery_energies);
        batteries.promised.fill(0.0);
        for (named, layout) in self.tree.blocks.iter().zip(&self.layouts) {
            named.block.as_block().pre_step(&mut BlockStep {
                dt,
                inputs: &state.inputs[layout.input_channels.clone()],
                states: &state.states[layout.state_channels.clone()],
                memory: &mut state.memory[layout.memory.clone()],
                elements: &mut elements[layout.elements.clone()],
                batteries,
                loads,
                speeds: &state.speeds,
                layout,
            });
        }
        let outcome = self.plan.solve(elements, &state.speeds, dt, &mut state.modes, solution)?;
        for (named, layout) in self.tree.blocks.iter().zip(&self.layouts) {
            named.block.as_block().set_state(&mut BlockResult {
                dt,
                inputs: &state.inputs[layout.input_channels.clone()],
                memory: &mut state.memory[layout.memory.clone()],
                sensors: &mut state.sensors[layout.sensor_channels.clone()],
                elements: &elements[layout.elements.clone()],
                batteries,
                start: &state.speeds,
                speeds: &solution.speeds,
                torques: solution.all_torques(),
                layout,
            });
        }
        state.speeds.copy_from_slice(&solution.speeds);
        state.battery_energies.copy_from_slice(&batteries.energies);
        Ok(outcome)
    }

    fn check_lists(
        &self,
        state: &BlockDrivelineState,
        workspace: &BlockWorkspace,
    ) -> Result<(), DrivelineError> {
        let lists = [
            ("state.speeds", self.plan.shafts(), state.speeds.len()),
            ("state.memory", self.counts.memory, state.memory.len()),
            ("state.inputs", self.counts.inputs, state.inputs.len()),
            ("state.states", self.counts.states, state.states.len()),
            ("state.sensors", self.counts.sensors, state.sensors.len()),
            ("state.battery_energies", self.tree.batteries.len(), state.battery_energies.len()),
            ("workspace.elements", self.plan.elements(), workspace.elements.len()),
            ("workspace.batteries", self.tree.batteries.len(), workspace.batteries.energies.len()),
        ];
        for (list, expected, got) in lists {
            if expected != got {
                return Err(DrivelineError::Length { list, expected, got });
            }
        }
        Ok(())
    }
}

/// Elements, shafts and channels as they are put together.
#[derive(Default)]
struct Assembly {
    shafts: usize,
    elements: Vec<Element>,
    ports: Vec<Vec<usize>>,
    port_count: usize,
    layouts: Vec<BlockLayout>,
    wheels: Vec<(usize, usize)>,
    counts: Counts,
    /// The shaft of each connection, once one of its blocks has been added.
    connections: Vec<(usize, usize)>,
}

impl Assembly {
    fn new_shaft(&mut self) -> usize {
        self.shafts += 1;
        self.shafts - 1
    }

    /// The shaft of the connection that is found, or a new one where there is none.
    fn connected(&mut self, connection: Option<usize>) -> usize {
        let Some(connection) = connection else { return self.new_shaft() };
        let known = self.connections.iter().find(|(each, _)| *each == connection);
        if let Some((_, shaft)) = known {
            return *shaft;
        }
        let shaft = self.new_shaft();
        self.connections.push((connection, shaft));
        shaft
    }

    fn add<C: DrivelineBlock>(&mut self, tree: &BlockTree<C>, index: usize) {
        let block = tree.blocks[index].block.as_block();
        let slots = block.initialize();
        let find = |is_input: bool, slot: usize| {
            tree.shafts.iter().position(|shaft| {
                let end = if is_input { shaft.to } else { shaft.from };
                end == (index, slot)
            })
        };
        let inputs = (0..slots.inputs).map(|slot| self.connected(find(true, slot))).collect();
        let outputs = (0..slots.outputs).map(|slot| self.connected(find(false, slot))).collect();
        let mut sketch = Sketch::default();
        block.sketch(&mut sketch);
        let inner = (0..sketch.inner).map(|_| self.new_shaft()).collect();
        let channels = block.channels();
        let take = |count: &mut usize, more: usize| {
            *count += more;
            *count - more..*count
        };
        let mut layout = BlockLayout {
            inputs,
            outputs,
            inner,
            elements: self.elements.len()..self.elements.len() + sketch.elements.len(),
            first_ports: Vec::new(),
            ports: Vec::new(),
            input_channels: take(&mut self.counts.inputs, channels.inputs.len()),
            state_channels: take(&mut self.counts.states, channels.states.len()),
            sensor_channels: take(&mut self.counts.sensors, channels.sensors.len()),
            memory: take(&mut self.counts.memory, channels.memory),
        };
        for (element, shafts) in sketch.elements {
            self.elements.push(element);
            self.ports.push(shafts.iter().map(|shaft| layout.shaft(*shaft)).collect());
            layout.first_ports.push(self.port_count);
            self.port_count += shafts.len();
            layout.ports.extend(shafts);
        }
        if let Some(wheel) = block.wheel() {
            self.wheels.push((wheel, layout.shaft(BlockShaft::Input(0))));
        }
        self.layouts.push(layout);
    }
}
