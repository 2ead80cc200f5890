//! Braking by motors in the place of the brakes of the wheels that they turn.
//!
//! A motor that brakes its wheels beside their brakes would lock them at a part of the pedal. So
//! the brakes give way:
//!
//! ```text
//! P = min(T |ω|, Σ B_w |ω_w|)              what the motor takes over
//! B_w' = B_w (1 - P / Σ B_w |ω_w|)         what is left to the brakes
//! ```
//!
//! over the wheels that turn with the motor: it never brakes more than their brakes were told to,
//! and both together brake as the brakes alone would.

use vehicle_core::driveline::{Brake, Element, Mode, Side};

use super::assembly::Assembly;
use super::block::WheelLoad;
use super::wheel_place::WheelPlace;

/// A block that brakes wheels in the place of their brakes.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SharedBraking {
    /// Number of the block.
    pub(super) block: usize,
    ways: Vec<Way>,
}

/// The way from a block to a wheel.
#[derive(Clone, Debug, PartialEq)]
struct Way {
    /// Place of the wheel in the list of those of the driveline.
    place: usize,
    /// Elements that must stick for the wheel to turn with the block.
    frictions: Vec<usize>,
}

impl Assembly {
    /// The wheels that `block` can brake.
    pub(super) fn shared_braking(&self, block: usize, places: &[WheelPlace]) -> SharedBraking {
        let mut ways = Vec::new();
        for &shaft in &self.layouts[block].outputs {
            self.follow(shaft, None, &[], places, &mut ways);
        }
        SharedBraking { block, ways }
    }

    /// Follows the elements on `shaft` but `last` to all wheels that turn with it as long as
    /// `frictions` stick.
    fn follow(
        &self,
        shaft: usize,
        last: Option<usize>,
        frictions: &[usize],
        places: &[WheelPlace],
        ways: &mut Vec<Way>,
    ) {
        let here = places.iter().enumerate().filter(|(_, place)| place.shaft == shaft);
        ways.extend(here.map(|(place, _)| Way { place, frictions: frictions.to_vec() }));
        for (element, ports) in self.ports.iter().enumerate() {
            if Some(element) == last || ports.len() < 2 || !ports.contains(&shaft) {
                continue;
            }
            let mut needed = frictions.to_vec();
            match &self.elements[element] {
                Element::Ratio(_) => {}
                Element::Friction(_) => needed.push(element),
                // From its input alone: one output does not turn with the other.
                Element::Differential(_) | Element::ViscousDifferential(_) if ports[0] == shaft => {
                }
                _ => continue,
            }
            for &next in ports.iter().filter(|&&next| next != shaft) {
                self.follow(next, Some(element), &needed, places, ways);
            }
        }
    }
}

impl Way {
    /// Whether the wheel turned with the block at the end of the last step.
    fn turned(&self, modes: &[Mode]) -> bool {
        self.frictions.iter().all(|&friction| modes[friction].side == Side::Within)
    }
}

impl SharedBraking {
    /// Power that the brakes of the wheels that turn with the block are to take, as `loads` say
    /// (W), where other blocks have `left` them this part.
    pub(super) fn asked_power(
        &self,
        places: &[WheelPlace],
        loads: &[WheelLoad],
        (speeds, modes): (&[f64], &[Mode]),
        left: &[f64],
    ) -> f64 {
        let power = |way: &Way| {
            let place = &places[way.place];
            let speed = speeds[place.shaft].abs();
            match loads.get(place.wheel) {
                // At rest, nothing of a brake without limit is nothing.
                Some(load) if !load.is_lost && 0.0 < speed => {
                    left[way.place] * load.brake_torque.max(0.0) * speed
                }
                _ => 0.0,
            }
        };
        self.ways.iter().filter(|way| way.turned(modes)).map(power).sum()
    }

    /// Leaves `part` of what was left to the brakes of these wheels.
    pub(super) fn leave(&self, part: f64, modes: &[Mode], left: &mut [f64]) {
        for way in self.ways.iter().filter(|way| way.turned(modes)) {
            left[way.place] *= part;
        }
    }
}

/// Weakens the brake of each wheel to the part that is left to it.
pub(super) fn weaken_brakes(places: &[WheelPlace], left: &[f64], elements: &mut [Element]) {
    for (place, left) in places.iter().zip(left) {
        if let Some(Element::Brake(Brake { low, high, .. })) =
            place.brake.map(|brake| &mut elements[brake])
        {
            (*low, *high) = (*low * left, *high * left);
        }
    }
}
