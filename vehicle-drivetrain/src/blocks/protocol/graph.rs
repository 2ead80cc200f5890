//! Blocks of the explicit protocol with their shafts, and the integrators.

use super::{Connection, InertialDerivative, InertialState, ProtocolBlock, Shafts};
use crate::blocks::tree::{BlockError, SlotName};

/// How substeps are integrated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Integrator {
    /// `y + h f(y)`: ends a slip in one substep.
    Euler,
    /// `y + h f(y + h/2 f(y))`: leaves half of a slip.
    MidPoint,
    /// The classical one of four stages: leaves 3/8 of a slip.
    RungeKutta4,
}

/// Blocks and the shafts between them.
#[derive(Debug, Default)]
pub struct ProtocolGraph {
    blocks: Vec<Box<dyn ProtocolBlock>>,
    slots: Vec<BlockSlots>,
    connections: Vec<Connection>,
    ready: Option<Ready>,
}

/// The slots of a block, with the numbers of their connections.
#[derive(Debug)]
struct BlockSlots {
    inputs: Vec<Option<usize>>,
    outputs: Vec<Option<usize>>,
}

/// Order, connections and memory for a step, put together once.
#[derive(Debug)]
struct Ready {
    /// Blocks from the engines to the wheels.
    order: Vec<usize>,
    inputs: Vec<Vec<usize>>,
    outputs: Vec<Vec<usize>>,
    start: Vec<InertialState>,
    stage: Vec<InertialState>,
    rates: [Vec<InertialDerivative>; 4],
}

impl ProtocolGraph {
    /// Adds a block; returns its number.
    pub fn add(&mut self, block: impl ProtocolBlock + 'static) -> usize {
        let slots = block.initialize();
        self.blocks.push(Box::new(block));
        self.slots.push(BlockSlots {
            inputs: vec![None; slots.inputs],
            outputs: vec![None; slots.outputs],
        });
        self.ready = None;
        self.blocks.len() - 1
    }

    /// Connects an output slot (block, slot) with an input slot.
    ///
    /// # Errors
    ///
    /// If a block or slot does not exist or a slot has a shaft already.
    pub fn connect(&mut self, from: (usize, usize), to: (usize, usize)) -> Result<(), BlockError> {
        for ((block, slot), is_input) in [(from, false), (to, true)] {
            let Some(BlockSlots { inputs, outputs }) = self.slots.get(block) else {
                return Err(BlockError::NoBlock(block));
            };
            let list = if is_input { inputs } else { outputs };
            let name = slot_name(block, is_input, slot);
            match list.get(slot) {
                None => return Err(BlockError::NoSlot { slot: name, count: list.len() }),
                Some(Some(_)) => return Err(BlockError::Occupied(name)),
                Some(None) => {}
            }
        }
        let connection = self.connections.len();
        self.connections.push(Connection::default());
        self.slots[from.0].outputs[from.1] = Some(connection);
        self.slots[to.0].inputs[to.1] = Some(connection);
        self.ready = None;
        Ok(())
    }

    /// Checks that all slots are connected and no shafts lead back, and finds the order of the
    /// blocks.
    ///
    /// # Errors
    ///
    /// The first slot without a shaft; a block in a cycle.
    pub fn check_connections(&mut self) -> Result<(), BlockError> {
        let connected = |block: usize, is_input: bool, list: &[Option<usize>]| {
            let each = list.iter().enumerate().map(|(slot, connection)| {
                connection.ok_or_else(|| BlockError::Missing(slot_name(block, is_input, slot)))
            });
            each.collect::<Result<Vec<_>, _>>()
        };
        let (mut inputs, mut outputs) = (Vec::new(), Vec::new());
        for (block, slots) in self.slots.iter().enumerate() {
            inputs.push(connected(block, true, &slots.inputs)?);
            outputs.push(connected(block, false, &slots.outputs)?);
        }
        let (mut order, mut is_known) = (Vec::new(), vec![false; self.connections.len()]);
        while order.len() < self.blocks.len() {
            let is_next = |block: &usize| {
                !order.contains(block) && inputs[*block].iter().all(|&input| is_known[input])
            };
            let Some(next) = (0..self.blocks.len()).find(is_next) else {
                let left = (0..self.blocks.len()).find(|block| !order.contains(block));
                let block = left.unwrap_or_default().to_string();
                return Err(BlockError::Cycle { block });
            };
            for output in &outputs[next] {
                is_known[*output] = true;
            }
            order.push(next);
        }
        let count = self.blocks.len();
        self.ready = Some(Ready {
            order,
            inputs,
            outputs,
            start: vec![InertialState::default(); count],
            stage: vec![InertialState::default(); count],
            rates: std::array::from_fn(|_| vec![InertialDerivative::default(); count]),
        });
        Ok(())
    }

    /// A block.
    pub fn block(&self, block: usize) -> &dyn ProtocolBlock {
        &*self.blocks[block]
    }

    /// A step of `dt` (s) from `time` (s) in equal substeps.
    ///
    /// # Errors
    ///
    /// Those of [`Self::check_connections`], where blocks or shafts have changed since the last
    /// step.
    pub fn step(
        &mut self,
        time: f64,
        dt: f64,
        substeps: u32,
        integrator: Integrator,
    ) -> Result<(), BlockError> {
        if self.ready.is_none() {
            self.check_connections()?;
        }
        let Some(mut ready) = self.ready.take() else { return Ok(()) };
        for block in &mut self.blocks {
            block.pre_step(time, dt);
        }
        for (block, state) in self.blocks.iter().zip(&mut ready.start) {
            *state = block.get_state().unwrap_or_default();
        }
        let h = dt / f64::from(substeps.max(1));
        for substep in 0..substeps.max(1) {
            let now = time + h * f64::from(substep);
            self.substep(&mut ready, now, h, integrator);
        }
        for (block, state) in self.blocks.iter_mut().zip(&ready.start) {
            block.set_state(state);
        }
        self.ready = Some(ready);
        Ok(())
    }

    /// A substep: from `ready.start` to the same.
    fn substep(&mut self, ready: &mut Ready, time: f64, h: f64, integrator: Integrator) {
        // Where each stage is, as a part of the substep, and how much its rate counts.
        let stages: &[(f64, f64)] = match integrator {
            Integrator::Euler => &[(0.0, 1.0)],
            Integrator::MidPoint => &[(0.0, 0.0), (0.5, 1.0)],
            Integrator::RungeKutta4 => {
                &[(0.0, 1.0 / 6.0), (0.5, 1.0 / 3.0), (0.5, 1.0 / 3.0), (1.0, 1.0 / 6.0)]
            }
        };
        for (number, &(part, _)) in stages.iter().enumerate() {
            for block in 0..self.blocks.len() {
                let last = number.saturating_sub(1);
                ready.stage[block] =
                    ready.start[block].advanced(&ready.rates[last][block], part * h);
            }
            self.evaluate(ready, number, time + part * h, h);
        }
        for (number, &(_, weight)) in stages.iter().enumerate() {
            for block in 0..self.blocks.len() {
                let rate = ready.rates[number][block];
                ready.start[block] = ready.start[block].advanced(&rate, weight * h);
            }
        }
    }

    /// Rates at the states of a stage.
    fn evaluate(&mut self, ready: &mut Ready, stage: usize, time: f64, dt: f64) {
        for (block, state) in self.blocks.iter_mut().zip(&ready.stage) {
            block.set_substep_state(state);
        }
        let Self { blocks, connections, .. } = self;
        let Ready { order, inputs, outputs, rates, .. } = ready;
        let mut shafts_of = |block: usize, act: &mut dyn FnMut(&mut Shafts<'_>)| {
            act(&mut Shafts {
                connections: connections.as_mut_slice(),
                inputs: &inputs[block],
                outputs: &outputs[block],
                time,
                dt,
            });
        };
        for &block in order.iter().rev() {
            shafts_of(block, &mut |shafts| blocks[block].compute_state_upstream(shafts));
        }
        for &block in order.iter() {
            shafts_of(block, &mut |shafts| blocks[block].evaluate_torque_downstream(shafts));
        }
        for &block in order.iter() {
            shafts_of(block, &mut |shafts| {
                rates[stage][block] = blocks[block].substep_derivative(shafts);
            });
        }
    }
}

fn slot_name(block: usize, is_input: bool, slot: usize) -> SlotName {
    SlotName { block: block.to_string(), is_input, slot }
}
