//! Elements, shafts and channels of all blocks of a tree, put together.

use vehicle_core::driveline::Element;

use super::block::{BlockLayout, DrivelineBlock, Sketch};
use super::state::Counts;
use super::tree::BlockTree;

/// Elements, shafts and channels as they are put together.
#[derive(Default)]
pub(super) struct Assembly {
    pub(super) elements: Vec<Element>,
    pub(super) ports: Vec<Vec<usize>>,
    port_count: usize,
    pub(super) layouts: Vec<BlockLayout>,
    /// Each wheel of the vehicle with its block.
    pub(super) wheel_blocks: Vec<(usize, usize)>,
    pub(super) counts: Counts,
    /// The shaft of each connection, once one of its blocks has been added.
    connections: Vec<(usize, usize)>,
}

impl Assembly {
    fn new_shaft(&mut self) -> usize {
        self.counts.shafts += 1;
        self.counts.shafts - 1
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

    pub(super) fn add<C: DrivelineBlock>(&mut self, tree: &BlockTree<C>, index: usize) {
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
            self.wheel_blocks.push((wheel, index));
        }
        self.layouts.push(layout);
    }
}
