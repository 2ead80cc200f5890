//! What a vehicle asks of its driveline: the driver's controls, wheels that are lost, speeds that
//! others have written, rest.

use vehicle_core::commands::Commands;
use vehicle_core::driveline::{Brake, DifferentialElement, DrivelineSolution, Element};
use vehicle_core::error::ParamCheck;
use vehicle_core::math::{Clamped, Real};

use super::block::{BlockLayout, BlockShaft, DrivelineBlock, WheelLoad};
use super::command::{DrivelineCommands, DriverCommand};
use super::driveline::{BlockDriveline, BlockWorkspace, SolveReport, Written};
use super::gearbox::Gearbox;
use super::standard::Block;
use super::state::{BlockDrivelineState, InputId, SensorId};
use super::tree::{BlockError, NamedBlock};

/// Torque by which the hub of a lost wheel is held (N·m).
const HUB_TORQUE: f64 = 1e6;

impl<C: DrivelineBlock> BlockDriveline<C> {
    /// Each input that answers to the driver: by a link, or else as its block says.
    pub(super) fn find_commands(&self) -> Result<Vec<(DriverCommand, InputId, f64)>, BlockError> {
        let mut found = Vec::new();
        for link in &self.tree.driver {
            found.push((link.command, self.input(&link.to.0, &link.to.1)?, link.factor));
        }
        for (named, layout) in self.tree.blocks.iter().zip(&self.layouts) {
            let inputs = named.block.as_block().channels().inputs;
            for (channel, place) in inputs.iter().zip(layout.input_channels.clone()) {
                if !found.iter().any(|(_, input, _)| input.0 == place) {
                    found.push((channel.command, InputId(place), 1.0));
                }
            }
        }
        found.retain(|(command, ..)| *command != DriverCommand::Nothing);
        Ok(found)
    }

    /// Whether one of the driver's controls `by` reaches, as it is, the input of a block, by
    /// the names of both.
    pub(crate) fn is_commanded(&self, block: &str, input: &str, by: &[DriverCommand]) -> bool {
        let reaches = |input: InputId| {
            self.commands
                .iter()
                .any(|(command, to, factor)| *to == input && by.contains(command) && *factor == 1.0)
        };
        self.input(block, input).is_ok_and(reaches)
    }

    /// Inputs and states that the accelerator pedal reaches, by itself or through blocks that tell
    /// others of it on the bus.
    fn reached_by_pedal(&self) -> Vec<Written> {
        let is_pedal =
            |command| matches!(command, DriverCommand::Throttle | DriverCommand::Traction);
        let commands =
            self.commands.iter().filter(|(by, _, factor)| is_pedal(*by) && *factor != 0.0);
        let mut reached: Vec<_> = commands.map(|(_, to, _)| Written::Input(*to)).collect();
        loop {
            let is_told = |from: SensorId| {
                self.layouts.iter().any(|layout| {
                    let is_within = |to: &Written| match to {
                        Written::Input(id) => layout.input_channels.contains(&id.0),
                        Written::State(id) => layout.state_channels.contains(&id.0),
                    };
                    layout.sensor_channels.contains(&from.0) && reached.iter().any(is_within)
                })
            };
            let links =
                self.bus.iter().filter(|(from, _, factor)| *factor != 0.0 && is_told(*from));
            let next = links.map(|(_, to, _)| *to).find(|to| !reached.contains(to));
            let Some(next) = next else { return reached };
            reached.push(next);
        }
    }

    /// Whether the accelerator pedal reaches the input of a block, by the names of both.
    pub(crate) fn answers_to_pedal(&self, block: &str, input: &str) -> bool {
        self.input(block, input)
            .is_ok_and(|input| self.reached_by_pedal().contains(&Written::Input(input)))
    }

    /// The first gearbox whose gears its driver chooses.
    pub(crate) fn gearbox_by_hand(&self) -> Option<&Gearbox> {
        self.tree.blocks.iter().find_map(|named| match &named.block {
            Block::Gearbox(gearbox) if gearbox.is_by_hand() => {
                let is_obeyed = self.is_commanded(&named.name, "gear", &[DriverCommand::Gear]);
                is_obeyed.then_some(gearbox)
            }
            _ => None,
        })
    }

    /// Whether the driveline drives backward with its levers in reverse: by a motor, by a reverse
    /// gear, or by what is there instead of a gearbox.
    pub(crate) fn can_reverse(&self) -> bool {
        let blocks = || self.tree.blocks.iter().map(|named| &named.block);
        let mut reverses = blocks().filter_map(|block| match block {
            Block::Gearbox(gearbox) => Some(!gearbox.reverse.is_empty()),
            _ => None,
        });
        blocks().any(|block| matches!(block, Block::ElectricMotor(_)))
            || reverses.next().is_none_or(|first| first || reverses.any(|has_reverse| has_reverse))
    }

    /// Idle and largest speed of the first engine (rad/s).
    pub(crate) fn engine_speeds(&self) -> Option<[Real; 2]> {
        self.tree.blocks.iter().find_map(|named| match &named.block {
            Block::Engine(engine) => Some([engine.start_speed() as Real, engine.most_speed()]),
            _ => None,
        })
    }

    /// Idle and largest speed of the first engine, or else of the first motor (rad/s).
    pub(crate) fn source_speeds(&self) -> Option<[Real; 2]> {
        let motor = || {
            self.tree.blocks.iter().find_map(|named| match &named.block {
                Block::ElectricMotor(motor) => Some([0.0, motor.max_speed]),
                _ => None,
            })
        };
        self.engine_speeds().or_else(motor)
    }

    /// The input of these names, if neither the driver nor a link of the bus writes it.
    pub(crate) fn free_input(&self, block: &str, input: &str) -> Result<InputId, BlockError> {
        let id = self.input(block, input)?;
        let control = self.commands.iter().find(|(_, to, _)| *to == id);
        let is_on_bus = self.bus.iter().any(|(_, to, _)| *to == Written::Input(id));
        if control.is_none() && !is_on_bus {
            return Ok(id);
        }
        let by = control.map(|(command, ..)| *command);
        let (block, input) = (block.to_owned(), input.to_owned());
        Err(BlockError::InputWritten { block, input, by })
    }

    /// Writes the driver's controls to the inputs that answer to them.
    pub fn command(
        &self,
        state: &mut BlockDrivelineState,
        commands: &Commands,
        levers: &DrivelineCommands,
    ) {
        for &(command, input, factor) in &self.commands {
            if let Some(value) = levers.value(command, commands) {
                state.set_input(input, value * factor);
            }
        }
    }

    /// Writes the driver's controls as [`command`](Self::command) does, but to gearboxes.
    pub(crate) fn command_but_gears(
        &self,
        state: &mut BlockDrivelineState,
        commands: &Commands,
        levers: &DrivelineCommands,
    ) {
        let is_of_gearbox = |input: InputId| {
            self.tree.blocks.iter().zip(&self.layouts).any(|(named, layout)| {
                layout.input_channels.contains(&input.0) && matches!(named.block, Block::Gearbox(_))
            })
        };
        for &(command, input, factor) in &self.commands {
            let value = levers.value(command, commands).filter(|_| !is_of_gearbox(input));
            if let Some(value) = value {
                state.set_input(input, value * factor);
            }
        }
    }

    /// Holds the hubs of lost wheels behind differentials that are not locked.
    pub(super) fn hold_lost_hubs(&self, elements: &mut [Element], loads: &[WheelLoad]) {
        for place in &self.places {
            if !loads.get(place.wheel).is_some_and(|load| load.is_lost) {
                continue;
            }
            let is_open = |differential: usize| match &elements[differential] {
                Element::Differential(DifferentialElement { preload, .. }) => preload.is_finite(),
                _ => true,
            };
            let is_held = place.differential.is_some_and(is_open);
            if let Some(brake) = place.brake {
                let torque = if is_held { HUB_TORQUE } else { 0.0 };
                elements[brake] = Element::Brake(Brake::against_housing(torque));
            }
        }
    }

    /// Speed (rad/s) and tire torque (N·m) of each wheel that is part of the driveline, at the end
    /// of the last step, with its number.
    pub fn turned_wheels<'a>(
        &'a self,
        workspace: &'a BlockWorkspace,
    ) -> impl Iterator<Item = (usize, f64, f64)> + 'a {
        let DrivelineSolution { speeds, .. } = &workspace.solution;
        let torques = workspace.solution.all_torques();
        self.places.iter().map(move |place| {
            let tire_torque = place.tire.map_or(0.0, |port| -torques[port]);
            (place.wheel, speeds[place.shaft], tire_torque)
        })
    }

    /// Speed (rad/s) and torque (N·m) of a shaft of the tree, by its number there, at the end of
    /// the last step, which has left this `state` and `report`. A torque of the sign of its speed
    /// carries power towards the wheels. `None` where there is no such shaft, or where `state` and
    /// `report` are of another driveline.
    pub fn shaft_flow(
        &self,
        state: &BlockDrivelineState,
        report: &SolveReport,
        shaft: usize,
    ) -> Option<(f64, f64)> {
        let (block, slot) = self.tree.shafts.get(shaft)?.to;
        let layout = &self.layouts[block];
        let are_its =
            state.speeds.len() == self.plan.shafts() && report.torques.len() == self.plan.ports();
        let torque = are_its.then(|| layout.torque(&report.torques, BlockShaft::Input(slot)))?;
        Some((state.speeds[layout.inputs[slot]], torque))
    }

    /// Angular momentum of the rotating parts of a block at `speeds` of all shafts, with the
    /// numbers of the last step (kg·m²/s).
    pub fn momentum(&self, workspace: &BlockWorkspace, block: usize, speeds: &[f64]) -> f64 {
        let elements = self.layouts[block].elements.clone();
        let momentum = |element: usize| match &workspace.elements[element] {
            Element::Inertia(parts) => parts.inertia * speeds[self.plan.ports_of(element)[0]],
            _ => 0.0,
        };
        elements.map(momentum).sum()
    }

    /// Stops all that turns, but engines, which go on idling or stay stalled.
    pub fn stop(&self, state: &mut BlockDrivelineState) {
        for shaft in 0..state.speeds.len() {
            let idle = self.idle_speed(shaft);
            state.speeds[shaft] = state.speeds[shaft].clamped(0.0, idle);
        }
    }

    /// Speed at which the engine on a shaft idles (rad/s); 0 where there is none.
    fn idle_speed(&self, shaft: usize) -> f64 {
        let blocks = self.tree.blocks.iter().zip(&self.layouts);
        let idle = |(named, layout): (&NamedBlock<C>, &BlockLayout)| {
            let idle = named.block.as_block().start_speed();
            (layout.outputs.contains(&shaft) && 0.0 < idle).then_some(idle)
        };
        blocks.filter_map(idle).next().unwrap_or_default()
    }

    /// Whether a vehicle at rest must stay awake on account of a block. An example is an engine
    /// that slows down to idle from more than the part `overspeed` of its largest speed above it.
    pub fn is_busy(&self, state: &BlockDrivelineState, overspeed: f64) -> bool {
        self.tree.blocks.iter().zip(&self.layouts).any(|(named, layout)| {
            let sensors = &state.sensors[layout.sensor_channels.clone()];
            named.block.as_block().is_busy(sensors, overspeed)
        })
    }

    /// Whether the blocks of `other` have the same names and kinds, so that a state of one goes on
    /// in the other.
    pub fn is_alike(&self, other: &Self) -> bool {
        let names = |named: &NamedBlock<C>| (named.name.clone(), named.block.as_block().kind());
        let blocks = |driveline: &Self| driveline.tree.blocks.iter().map(names).collect::<Vec<_>>();
        self.counts == other.counts && blocks(self) == blocks(other)
    }

    /// Reports the lists of `state` that are not as long as this driveline asks for.
    pub fn check_lengths(&self, state: &BlockDrivelineState, check: &mut ParamCheck) {
        state.check_lengths(&self.counts, check);
    }

    /// Reports gearboxes without a gear that is in or chosen in `state`, by their names.
    pub(crate) fn check_gears(&self, state: &BlockDrivelineState, check: &mut ParamCheck) {
        for (named, layout) in self.tree.blocks.iter().zip(&self.layouts) {
            if let Block::Gearbox(gearbox) = &named.block
                && let Some(memory) = state.memory.get(layout.memory.clone())
            {
                let name = format_args!("{:?}", named.name);
                check.field(name, |inner| gearbox.check_memory(memory, inner));
            }
        }
    }

    /// Reports all that this driveline cannot go on with from `state`.
    pub fn check_state(&self, state: &BlockDrivelineState, check: &mut ParamCheck) {
        state.check_lengths(&self.counts, check);
        state.check_numbers(&self.tree.batteries, check);
        self.check_gears(state, check);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blocks::{NoCustomBlock, ready_made};

    #[test]
    fn a_gearbox_shifts_by_the_pedal_and_not_by_what_aids_add_to_it() {
        let tree = ready_made::rear_drive().expect("no faults");
        let driveline = BlockDriveline::<NoCustomBlock>::new(tree).expect("can be solved");
        let (mut state, levers) = (driveline.start(), DrivelineCommands::forward());
        let pressed = |throttle| Commands { throttle, ..Commands::default() };
        driveline.command(&mut state, &pressed(0.25), &levers);
        driveline.command_but_gears(&mut state, &pressed(0.5), &levers);
        let throttle = |block| state.input(driveline.input(block, "throttle").expect("has one"));
        assert_eq!([throttle("engine"), throttle("gearbox")], [0.5, 0.25]);
    }
}
