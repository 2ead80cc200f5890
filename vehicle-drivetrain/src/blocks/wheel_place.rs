//! Where the wheels of the vehicle are among the elements of its driveline.

use std::ops::Range;

use vehicle_core::driveline::{DrivelineSolution, Element};

use super::assembly::Assembly;
use super::block::{BlockLayout, BlockShaft, WheelLoad};
use super::ends::Wheel;
use super::state::BlockDrivelineState;

/// Where a wheel of the vehicle is among the elements.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct WheelPlace {
    /// Number of the wheel in the vehicle.
    pub(super) wheel: usize,
    pub(super) shaft: usize,
    /// The ports of its block in the list of all torques.
    pub(super) ports: Range<usize>,
    /// Place of its tire's torque in that list.
    pub(super) tire: Option<usize>,
    /// Brake of the wheel among the elements.
    pub(super) brake: Option<usize>,
    /// The differential that it shares torque by with others.
    pub(super) differential: Option<usize>,
}

/// A [`Wheel`](super::Wheel): it needs no more than its load.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PlainWheel {
    /// Number of the wheel in the vehicle.
    wheel: usize,
    /// Its place among the wheels of the driveline.
    place: usize,
    shaft: usize,
    /// Its first element, the first of its ports in the list of all, and its first sensor.
    element: usize,
    port: usize,
    sensor: usize,
}

impl PlainWheel {
    pub(super) fn new(wheel: usize, place: usize, layout: &BlockLayout) -> Self {
        Self {
            wheel,
            place,
            shaft: layout.inputs[0],
            element: layout.elements.start,
            port: layout.first_ports[0],
            sensor: layout.sensor_channels.start,
        }
    }

    /// Puts its elements under its load.
    #[inline]
    pub(super) fn take(&self, loads: &[WheelLoad], elements: &mut [Element]) {
        let load = loads.get(self.wheel).copied().unwrap_or_default();
        Wheel::take(load, &mut elements[self.element..self.element + Wheel::ELEMENTS]);
    }

    /// Writes its sensors and the torque of the driveline on it.
    #[inline]
    pub(super) fn sense(&self, solution: &DrivelineSolution, state: &mut BlockDrivelineState) {
        let torques = &solution.all_torques()[self.port..self.port + Wheel::ELEMENTS];
        let torques = [torques[0], torques[1], torques[2]];
        let sensors = &mut state.sensors[self.sensor..self.sensor + Wheel::SENSORS];
        state.drive_torques[self.place] =
            Wheel::sense(solution.speeds[self.shaft], torques, sensors);
    }
}

impl Assembly {
    pub(super) fn wheel_places(&self) -> Vec<WheelPlace> {
        self.wheel_blocks.iter().map(|&(wheel, block)| self.wheel_place(wheel, block)).collect()
    }

    fn wheel_place(&self, wheel: usize, block: usize) -> WheelPlace {
        let layout = &self.layouts[block];
        let shaft = layout.shaft(BlockShaft::Input(0));
        let first_port = layout.first_ports.first().copied().unwrap_or_default();
        let of_kind = |is_kind: fn(&Element) -> bool| {
            layout.elements.clone().find(|&element| is_kind(&self.elements[element]))
        };
        let tire = of_kind(|element| matches!(element, Element::Tire(_)));
        WheelPlace {
            wheel,
            shaft,
            ports: first_port..first_port + layout.ports.len(),
            tire: tire.map(|tire| layout.first_ports[tire - layout.elements.start]),
            brake: of_kind(|element| matches!(element, Element::Brake(_))),
            differential: self.differential_of(shaft),
        }
    }

    /// The differential at the end of the shafts that lead from `shaft` to it without a branch.
    fn differential_of(&self, mut shaft: usize) -> Option<usize> {
        let mut last = None;
        loop {
            let joins = |&element: &usize| {
                let ports = &self.ports[element];
                1 < ports.len() && ports.contains(&shaft) && last != Some(element)
            };
            let mut next = (0..self.elements.len()).filter(joins);
            let (element, None) = (next.next()?, next.next()) else { return None };
            let &[first, second] = self.ports[element].as_slice() else { return Some(element) };
            shaft = if first == shaft { second } else { first };
            last = Some(element);
        }
    }
}
