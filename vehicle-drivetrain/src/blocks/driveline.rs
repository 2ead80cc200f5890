//! A driveline of blocks, ready for steps.

mod workspace;

use std::mem;
use std::sync::Arc;

use vehicle_core::ParamErrors;
use vehicle_core::driveline::{DrivelineError, DrivelinePlan, Element, Mode, Outcome};
use vehicle_core::error::{ParamCheck, Validate};

pub(crate) use self::workspace::SharedRoom;
pub use self::workspace::{BlockWorkspace, SolveReport};
use super::assembly::Assembly;
use super::battery::Batteries;
use super::block::{
    BlockLayout, BlockResult, BlockStep, Channel, DrivelineBlock, NoCustomBlock, WheelLoad,
};
use super::braking::{SharedBraking, weaken_brakes};
use super::command::DriverCommand;
use super::ends::Wheel;
use super::standard::Block;
use super::state::{BlockDrivelineState, Counts, InputId, SensorId, StateId};
use super::tree::{BlockError, BlockTree};
use super::wheel_place::{PlainWheel, WheelPlace};

/// A driveline of blocks with the order in which it is solved: constant, shared by vehicles of a
/// model.
#[derive(Clone, Debug)]
pub struct BlockDriveline<C = NoCustomBlock> {
    pub(super) tree: BlockTree<C>,
    pub(super) plan: DrivelinePlan,
    /// Elements as blocks put them together.
    pub(super) elements: Vec<Element>,
    pub(super) layouts: Vec<BlockLayout>,
    /// The shaft of each wheel: (wheel, shaft).
    wheels: Vec<(usize, usize)>,
    /// Wheels that a shaft leads to.
    driven: Vec<usize>,
    /// Where each wheel is among the elements.
    pub(super) places: Vec<WheelPlace>,
    /// Most blocks are wheels, which need no more than their loads.
    plain_wheels: Vec<PlainWheel>,
    /// Numbers of all other blocks.
    others: Vec<usize>,
    /// Places of wheels that are blocks of the user's own.
    own_wheels: Vec<usize>,
    /// Blocks that brake in the place of the brakes, by the numbers of blocks.
    braking: Vec<SharedBraking>,
    pub(super) bus: Vec<(SensorId, Written, f64)>,
    /// Controls of the driver, each with an input that it reaches and a factor.
    pub(super) commands: Vec<(DriverCommand, InputId, f64)>,
    pub(super) counts: Counts,
    /// What room for its steps is known by; clones share it.
    pub(super) identity: Arc<()>,
}

/// Where the data bus writes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Written {
    Input(InputId),
    State(StateId),
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
        let plan = DrivelinePlan::new(assembly.counts.shafts, &assembly.ports)?;
        plan.check(&assembly.elements)?;
        let counts = Counts {
            elements: assembly.elements.len(),
            wheels: assembly.wheel_blocks.len(),
            batteries: tree.batteries.len(),
            ..assembly.counts
        };
        let places = assembly.wheel_places();
        let shares = |block: &usize| tree.blocks[*block].block.as_block().shares_braking();
        let braking = (0..tree.blocks.len())
            .filter(shares)
            .map(|block| assembly.shared_braking(block, &places))
            .collect();
        let (mut plain_wheels, mut others) = (Vec::new(), Vec::new());
        for (index, (named, layout)) in tree.blocks.iter().zip(&assembly.layouts).enumerate() {
            match named.block {
                Block::Wheel(Wheel { wheel }) => {
                    let of_wheel = |&(_, block): &(usize, usize)| block == index;
                    let place = assembly.wheel_blocks.iter().position(of_wheel);
                    plain_wheels.extend(place.map(|place| PlainWheel::new(wheel, place, layout)));
                }
                _ => others.push(index),
            }
        }
        let is_own = |&place: &usize| others.contains(&assembly.wheel_blocks[place].1);
        let own_wheels = (0..places.len()).filter(is_own).collect();
        let driven = tree.shafts.iter();
        let driven = driven.filter_map(|shaft| tree.blocks[shaft.to.0].block.as_block().wheel());
        let mut driveline = Self {
            driven: driven.collect(),
            plan,
            elements: assembly.elements,
            layouts: assembly.layouts,
            wheels: places.iter().map(|place| (place.wheel, place.shaft)).collect(),
            places,
            plain_wheels,
            others,
            own_wheels,
            braking,
            bus: Vec::new(),
            commands: Vec::new(),
            counts,
            identity: Arc::default(),
            tree,
        };
        driveline.commands = driveline.find_commands()?;
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

    /// Each wheel that a shaft leads to: the outputs, which are held in park.
    pub fn driven_wheels(&self) -> &[usize] {
        &self.driven
    }

    pub(super) fn channel(
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
            drive_torques: vec![0.0; self.counts.wheels],
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

    /// A step of `dt` (s), solved exactly at its end. `loads` has one load per wheel of the
    /// vehicle.
    ///
    /// # Errors
    ///
    /// If `dt` is not positive and finite, or `state` and `workspace` are of another driveline.
    /// Also if a block of your own makes something else of its elements than it has sketched, or
    /// gives them numbers out of their ranges.
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
        self.pass_on_the_bus(state);
        self.write_elements(state, loads, dt, workspace)?;
        let BlockWorkspace { elements, solution, .. } = &mut *workspace;
        let outcome = self.plan.solve(elements, &state.speeds, dt, &mut state.modes, solution)?;
        self.read_solution(state, dt, workspace);
        let BlockWorkspace { elements, solution, batteries, report, .. } = &mut *workspace;
        if let Some(account) = &mut report.energy {
            account.add(&self.plan, elements, &state.speeds, solution, dt);
            account.add_batteries(batteries.out_of(&state.battery_energies), batteries.used);
        }
        state.speeds.copy_from_slice(&solution.speeds);
        state.battery_energies.copy_from_slice(&batteries.energies);
        report.torques.copy_from_slice(solution.all_torques());
        report.outcome = Some(outcome);
        report.most_passes = report.most_passes.max(outcome.passes);
        Ok(outcome)
    }

    /// Writes what sensors say to where links of the data bus lead.
    fn pass_on_the_bus(&self, state: &mut BlockDrivelineState) {
        for &(from, to, factor) in &self.bus {
            let value = state.sensors[from.0] * factor;
            match to {
                Written::Input(input) => state.set_input(input, value),
                Written::State(told) => state.set_state(told, value),
            }
        }
    }

    /// Lets blocks write their elements for a step of `dt` (s).
    fn write_elements(
        &self,
        state: &mut BlockDrivelineState,
        loads: &[WheelLoad],
        dt: f64,
        workspace: &mut BlockWorkspace,
    ) -> Result<(), DrivelineError> {
        let BlockWorkspace { elements, batteries, brakes_left, .. } = workspace;
        brakes_left.fill(1.0);
        batteries.begin(&state.battery_energies);
        for wheel in &self.plain_wheels {
            wheel.take(loads, elements);
        }
        let mut braking = self.braking.iter().peekable();
        let mut give_way = false;
        for &index in &self.others {
            let (named, layout) = (&self.tree.blocks[index], &self.layouts[index]);
            let shared = braking.next_if(|shared| shared.block == index);
            let now = (state.speeds.as_slice(), state.modes.as_slice());
            let brake_power = shared
                .map_or(0.0, |shared| shared.asked_power(&self.places, loads, now, brakes_left));
            let is_own = matches!(named.block, Block::Custom(_));
            let sketched = &self.elements[layout.elements.clone()];
            if is_own {
                let elements = &mut elements[layout.elements.clone()];
                elements.iter_mut().zip(sketched).for_each(|(element, own)| reset(element, own));
            }
            let mut step = BlockStep {
                dt,
                inputs: &state.inputs[layout.input_channels.clone()],
                states: &state.states[layout.state_channels.clone()],
                memory: &mut state.memory[layout.memory.clone()],
                elements: &mut elements[layout.elements.clone()],
                batteries,
                loads,
                speeds: &state.speeds,
                layout,
                brake_power,
                taken_brake_power: 0.0,
            };
            named.block.as_block().pre_step(&mut step);
            if is_own {
                check_own(&named.name, step.elements, sketched)?;
            }
            if let (Some(shared), true) = (shared, 0.0 < step.taken_brake_power) {
                let part = 1.0 - step.taken_brake_power / brake_power;
                shared.leave(part, &state.modes, brakes_left);
                give_way = true;
            }
        }
        if give_way {
            weaken_brakes(&self.places, brakes_left, elements);
        }
        self.hold_lost_hubs(elements, loads);
        Ok(())
    }

    /// Tells blocks and wheels what a step of `dt` (s) has come to.
    fn read_solution(
        &self,
        state: &mut BlockDrivelineState,
        dt: f64,
        workspace: &mut BlockWorkspace,
    ) {
        let BlockWorkspace { elements, solution, batteries, .. } = workspace;
        for wheel in &self.plain_wheels {
            wheel.sense(solution, state);
        }
        for &index in &self.others {
            let (named, layout) = (&self.tree.blocks[index], &self.layouts[index]);
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
        for &place in &self.own_wheels {
            let ports = self.places[place].ports.clone();
            state.drive_torques[place] = solution.all_torques()[ports].iter().sum();
        }
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
            ("state.drive_torques", self.counts.wheels, state.drive_torques.len()),
            ("state.battery_energies", self.tree.batteries.len(), state.battery_energies.len()),
            ("workspace.elements", self.plan.elements(), workspace.elements.len()),
            ("workspace.brakes_left", self.places.len(), workspace.brakes_left.len()),
            ("workspace.batteries", self.tree.batteries.len(), workspace.batteries.energies.len()),
            ("workspace.report", self.plan.ports(), workspace.report.torques.len()),
        ];
        for (list, expected, got) in lists {
            if expected != got {
                return Err(DrivelineError::Length { list, expected, got });
            }
        }
        Ok(())
    }
}

/// Makes `element` what is `sketched`, without a new list of numbers where it has the same.
fn reset(element: &mut Element, sketched: &Element) {
    if element != sketched {
        element.clone_from(sketched);
    }
}

/// Checks what a block of the user's own has made of the elements that it has `sketched`.
fn check_own(block: &str, elements: &[Element], sketched: &[Element]) -> Result<(), ParamErrors> {
    let mut check = ParamCheck::default();
    for (index, (element, own)) in elements.iter().zip(sketched).enumerate() {
        let is_of_kind = mem::discriminant(element) == mem::discriminant(own);
        let name = format_args!("{block:?}.elements[{index}]");
        let requirement = format_args!("of the kind that it was sketched as, {}", own.kind());
        check.require(name, is_of_kind, requirement, element.kind());
        check.field(name, |inner| element.check(inner));
    }
    check.finish()
}
