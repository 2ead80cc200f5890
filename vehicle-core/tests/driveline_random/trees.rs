//! Random trees of all elements.

use vehicle_core::driveline::{
    Brake, CapacityConverter, DifferentialElement, DoubleDifferentialElement, Element, Friction,
    Inertia, Junction, LinearConverter, Ratio, SpeedRange, TireElement, ViscousDifferential,
    Weighted,
};

/// Numbers that look random and are the same on every machine (SplitMix64).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    pub(crate) fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub(crate) fn below(&mut self, count: usize) -> usize {
        (self.bits() % count as u64) as usize
    }

    pub(crate) fn within(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// Between two positive numbers, evenly in their logarithm.
    fn sized(&mut self, low: f64, high: f64) -> f64 {
        low * (high / low).powf(self.unit())
    }

    fn chance(&mut self, part: f64) -> bool {
        self.unit() < part
    }

    pub(crate) fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    fn ratio(&mut self) -> f64 {
        let sign = if self.chance(0.2) { -1.0 } else { 1.0 };
        sign * self.sized(0.2, 12.0)
    }

    fn inertia(&mut self) -> Inertia {
        Inertia {
            inertia: self.sized(1e-2, 20.0),
            torque: self.within(-400.0, 400.0),
            damping: if self.chance(0.5) { 0.0 } else { self.within(0.0, 1.0) },
            slope: if self.chance(0.8) { 0.0 } else { self.within(-5.0, 1.0) },
        }
    }
}

/// A driveline at the start of a step.
#[derive(Debug)]
pub(crate) struct Tree {
    pub(crate) elements: Vec<Element>,
    pub(crate) ports: Vec<Vec<usize>>,
    pub(crate) start: Vec<f64>,
    pub(crate) dt: f64,
}

impl Tree {
    /// A tree of 3 to 40 elements.
    pub(crate) fn random(random: &mut Random) -> Self {
        let count = 3 + random.below(38);
        let dt = random.pick(&[1.0 / 60.0, 1.0 / 120.0, 1e-3]);
        let mut tree = Self { elements: Vec::new(), ports: Vec::new(), start: Vec::new(), dt };
        tree.add_shaft(random, 1.0);
        while tree.elements.len() < count {
            if random.chance(0.4) {
                let shaft = random.below(tree.start.len());
                let element = tree.on_one_shaft(random, shaft);
                tree.add(element, vec![shaft]);
            } else {
                let element = on_several_shafts(random);
                tree.grow(random, element);
            }
        }
        tree
    }

    fn add(&mut self, element: Element, ports: Vec<usize>) {
        self.elements.push(element);
        self.ports.push(ports);
    }

    /// A shaft that has inertia, in this part of all cases.
    fn add_shaft(&mut self, random: &mut Random, with_inertia: f64) -> usize {
        self.start.push(if random.chance(0.1) { 0.0 } else { random.within(-100.0, 100.0) });
        let shaft = self.start.len() - 1;
        if random.chance(with_inertia) {
            let inertia = random.inertia();
            self.add(Element::Inertia(inertia), vec![shaft]);
        }
        shaft
    }

    /// Puts `element` on one shaft that there is and on new ones.
    fn grow(&mut self, random: &mut Random, element: Element) {
        let old = random.below(self.start.len());
        let facing = random.below(element.ports());
        // A shaft without inertia must get its speed from somewhere: from one that has inertia,
        // through something that is not open.
        let has_inertia = |(ports, element): (&Vec<usize>, &Element)| {
            ports[0] == old && matches!(element, Element::Inertia(_))
        };
        let is_firm = match &element {
            Element::Ratio(_) | Element::Viscous(_) => true,
            Element::Friction(friction) => friction.low < 0.0,
            _ => false,
        };
        let is_determined = is_firm && self.ports.iter().zip(&self.elements).any(has_inertia);
        let with_inertia = if is_determined { 0.7 } else { 1.0 };
        let mut ports = Vec::new();
        for port in 0..element.ports() {
            ports.push(if port == facing {
                old
            } else if matches!(element, Element::CapacityConverter(_) | Element::LinearConverter(_))
            {
                // Converters have shafts with inertia, and a pump that turns forward.
                self.start.push(random.within(0.0, 300.0));
                let shaft = self.start.len() - 1;
                let inertia = random.inertia();
                self.add(Element::Inertia(inertia), vec![shaft]);
                shaft
            } else {
                self.add_shaft(random, with_inertia)
            });
        }
        self.add(element, ports);
    }

    fn on_one_shaft(&self, random: &mut Random, shaft: usize) -> Element {
        // Two ranges on shafts that turn as one may contradict each other: then there is no
        // solution.
        let has_range = self.elements.iter().any(|e| matches!(e, Element::SpeedRange(_)));
        // Two brakes that hold one shaft share the torque in no certain way.
        let is_braked = self
            .ports
            .iter()
            .zip(&self.elements)
            .any(|(ports, element)| ports[0] == shaft && matches!(element, Element::Brake(_)));
        match random.below(5) {
            0 => Element::Inertia(random.inertia()),
            1 => Element::Tire(TireElement {
                stiffness: random.sized(1.0, 2e4),
                torque: random.within(-1000.0, 1000.0),
                max_torque: random.sized(10.0, 3000.0),
            }),
            2 if !is_braked => {
                let torque = random.sized(1.0, 3000.0);
                let target = if random.chance(0.8) { 0.0 } else { random.within(-50.0, 50.0) };
                Element::Brake(Brake { low: -torque, high: torque, target })
            }
            3 if !has_range => {
                let low = self.start[shaft] - random.sized(0.1, 50.0);
                let high = self.start[shaft] + random.sized(0.1, 50.0);
                let high = if random.chance(0.2) { f64::INFINITY } else { high };
                Element::SpeedRange(SpeedRange { low, high })
            }
            _ => Element::Damper(random.sized(0.01, 50.0)),
        }
    }

    /// Sum of the torques at each shaft (N·m).
    pub(crate) fn torque_sums(&self, torques: &[f64]) -> Vec<f64> {
        let mut sums = vec![0.0; self.start.len()];
        for (shaft, torque) in self.ports.iter().flatten().zip(torques) {
            sums[*shaft] += torque;
        }
        sums
    }

    /// Torques that drive inertias (N·m).
    pub(crate) fn torques(&self) -> Vec<f64> {
        let torque = |element: &Element| match element {
            Element::Inertia(inertia) => inertia.torque,
            _ => 0.0,
        };
        self.elements.iter().map(torque).collect()
    }
}

fn on_several_shafts(random: &mut Random) -> Element {
    match random.below(12) {
        0 => Element::Viscous(random.sized(0.1, 1e3)),
        1 | 2 => {
            let capacity = random.sized(1.0, 3000.0);
            let strength = if random.chance(0.8) { 0.0 } else { random.sized(0.1, 100.0) };
            Element::Friction(match random.below(5) {
                0 => Friction { strength, ..Friction::freewheel(capacity) },
                1 => Friction::RIGID,
                2 => Friction::OPEN,
                _ => Friction { strength, ..Friction::clutch(capacity) },
            })
        }
        3 | 4 => {
            let efficiency = if random.chance(0.4) { 1.0 } else { random.within(0.7, 1.0) };
            Element::Ratio(Ratio { ratio: random.ratio(), efficiency })
        }
        5 => {
            let mut coefficients = vec![1.0];
            for _ in 0..1 + random.below(3) {
                coefficients.push(-random.ratio());
            }
            Element::Junction(Junction { coefficients })
        }
        6 => {
            let outputs = 2 + random.below(4);
            let mut shares = || (0..outputs).map(|_| random.within(0.05, 0.5)).collect();
            let (speed_shares, torque_shares) = (shares(), shares());
            Element::Weighted(Weighted { speed_shares, torque_shares })
        }
        7..=9 => {
            let share = random.pick(&[0.5, 0.5, 0.4, 0.65]);
            let ratio = random.ratio();
            if random.chance(0.15) {
                let strength = random.sized(0.1, 1e3);
                return Element::ViscousDifferential(ViscousDifferential {
                    ratio,
                    share,
                    strength,
                });
            }
            let most = f64::min(share, 1.0 - share);
            let bias = random.pick(&[0.0, 0.5, 0.9]) * most;
            let reverse_bias = if random.chance(0.3) { 0.3 * most } else { bias };
            let preload = random.pick(&[0.0, 30.0, 200.0, f64::INFINITY]);
            Element::Differential(DifferentialElement { ratio, share, preload, bias, reverse_bias })
        }
        10 => Element::DoubleDifferential(DoubleDifferentialElement {
            drive_ratio: random.sized(0.5, 8.0),
            steer_ratio: random.sized(0.5, 8.0),
        }),
        _ if random.chance(0.5) => linear_converter(random),
        _ => Element::CapacityConverter(CapacityConverter {
            capacity: random.sized(5e-4, 2e-2),
            stall_torque_ratio: random.within(1.2, 2.5),
            coupling_point: random.within(0.8, 0.9),
            reverse_capacity: random.within(0.2, 0.8),
            lock_up: random.pick(&[0.0, 0.0, 50.0, 1000.0]),
        }),
    }
}

/// Lines of a converter somewhere below its coupling point.
fn linear_converter(random: &mut Random) -> Element {
    let capacity = random.within(0.1, 0.6);
    let gain = random.within(1.0, 1.8);
    let by_turbine = -random.within(0.1, 0.9) * capacity;
    Element::LinearConverter(LinearConverter {
        pump: [random.within(-20.0, 20.0), capacity, by_turbine],
        turbine: [random.within(-20.0, 20.0), gain * capacity, gain * by_turbine - 0.05],
    })
}
