//! A driveline as one dense system, solved by Newton's method for laws that are not smooth.
//!
//! Unknowns are the speed of every shaft and the torque at every port. Friction is a projection:
//! the torque is the nearest within its bounds to `T + r v`, for whatever positive `r`. That knows
//! no modes.

use nalgebra::{DMatrix, DVector};
use vehicle_core::driveline::{CREEP, Element, LEAST_INERTIA};

use super::trees::Tree;

/// Most steps of Newton's method.
const MOST_STEPS: usize = 25;

#[derive(Debug, Clone)]
pub(crate) struct Found {
    pub(crate) speeds: Vec<f64>,
    pub(crate) torques: Vec<f64>,
}

/// A linear expression in the unknowns.
#[derive(Clone, Debug, Default)]
struct Sum {
    terms: Vec<(usize, f64)>,
    constant: f64,
}

impl Sum {
    fn plus(mut self, unknown: usize, factor: f64) -> Self {
        self.terms.push((unknown, factor));
        self
    }

    fn constant(mut self, constant: f64) -> Self {
        self.constant += constant;
        self
    }

    fn add(mut self, other: &Self, factor: f64) -> Self {
        self.terms.extend(other.terms.iter().map(|&(unknown, of)| (unknown, factor * of)));
        self.constant(factor * other.constant)
    }

    fn at(&self, x: &DVector<f64>) -> f64 {
        self.terms.iter().fold(self.constant, |sum, &(unknown, factor)| sum + factor * x[unknown])
    }
}

pub(crate) struct Laws<'a> {
    tree: &'a Tree,
    first_port: Vec<usize>,
    /// How much slip counts beside torque in projections (N·m·s): any positive number will do, but
    /// Newton's method goes in circles with some.
    per_slip: f64,
}

/// Numbers that are tried for `per_slip`, for all elements alike.
const PER_SLIP: [f64; 6] = [10.0, 1.0, 100.0, 0.1, 1e3, 1e4];

impl<'a> Laws<'a> {
    pub(crate) fn new(tree: &'a Tree) -> Self {
        let mut first_port = vec![tree.start.len()];
        for ports in &tree.ports {
            first_port.push(first_port[first_port.len() - 1] + ports.len());
        }
        Self { tree, first_port, per_slip: PER_SLIP[0] }
    }

    /// From the start of the step.
    pub(crate) fn newton(&mut self) -> Option<Found> {
        let ports = self.tree.ports.iter().map(Vec::len).sum();
        let start = Found { speeds: self.tree.start.clone(), torques: vec![0.0; ports] };
        PER_SLIP.iter().find_map(|per_slip| {
            self.per_slip = *per_slip;
            self.newton_from(&start, MOST_STEPS)
        })
    }

    pub(crate) fn newton_from(&self, found: &Found, most: usize) -> Option<Found> {
        let unknowns: Vec<_> = found.speeds.iter().chain(&found.torques).copied().collect();
        let mut x = DVector::from_vec(unknowns);
        for _ in 0..most {
            let rows = self.rows(&x);
            let mut matrix = DMatrix::zeros(x.len(), x.len());
            let mut right = DVector::zeros(x.len());
            for (row, sum) in rows.iter().enumerate() {
                let size = sum.terms.iter().fold(0.0, |most: f64, (_, f)| most.max(f.abs()));
                for &(unknown, factor) in &sum.terms {
                    matrix[(row, unknown)] += factor / size;
                }
                right[row] = -sum.constant / size;
            }
            // Shafts that are held turn by their creep, far below the rounding of other speeds:
            // refinement finds that, too.
            let factors = matrix.clone().lu();
            let mut next = factors.solve(&right)?;
            for _ in 0..3 {
                next += factors.solve(&(&right - &matrix * &next))?;
            }
            let shafts = self.tree.start.len();
            let change = (next.rows(0, shafts) - x.rows(0, shafts)).amax();
            let change_of_torques = (&next - &x).amax();
            x = next;
            let size = 1.0 + x.rows(0, shafts).amax();
            if change <= 1e-10 * size && change_of_torques <= 1e-9 * (1.0 + x.amax()) {
                let numbers = x.as_slice();
                return numbers.iter().all(|number| number.is_finite()).then(|| Found {
                    speeds: numbers[..shafts].to_vec(),
                    torques: numbers[shafts..].to_vec(),
                });
            }
        }
        None
    }

    /// All laws, linearized at `x`: as many as unknowns.
    fn rows(&self, x: &DVector<f64>) -> Vec<Sum> {
        let mut shafts = vec![Sum::default(); self.tree.start.len()];
        let mut rows = Vec::with_capacity(x.len());
        for (index, element) in self.tree.elements.iter().enumerate() {
            let ports = &self.tree.ports[index];
            for (port, &shaft) in ports.iter().enumerate() {
                let sum = std::mem::take(&mut shafts[shaft]);
                shafts[shaft] = sum.plus(self.first_port[index] + port, 1.0);
            }
            self.element_rows(index, element, ports, x, &mut rows);
        }
        // The least inertia decides about speeds that nothing else decides about.
        for (shaft, sum) in shafts.into_iter().enumerate() {
            let has_inertia =
                self.tree.ports.iter().zip(&self.tree.elements).any(|(ports, element)| {
                    ports[0] == shaft && matches!(element, Element::Inertia(_))
                });
            let trace = if has_inertia { 0.0 } else { LEAST_INERTIA / self.tree.dt };
            rows.push(sum.plus(shaft, trace).constant(-trace * self.tree.start[shaft]));
        }
        rows
    }

    fn element_rows(
        &self,
        index: usize,
        element: &Element,
        shafts: &[usize],
        x: &DVector<f64>,
        rows: &mut Vec<Sum>,
    ) {
        let speed = |port: usize| Sum::default().plus(shafts[port], 1.0);
        let torque = |port: usize| Sum::default().plus(self.first_port[index] + port, 1.0);
        let start = self.tree.start[shafts[0]];
        let per_dt = 1.0 / self.tree.dt;
        match element {
            Element::Inertia(inertia) => {
                let slope = inertia.slope.min(0.0);
                let rate = inertia.inertia * per_dt - slope;
                let law = torque(0).add(&speed(0), -rate - inertia.damping);
                rows.push(law.constant(rate * start + inertia.torque));
            }
            Element::Tire(tire) => {
                let gripping = speed(0).constant(-start);
                let gripping = Sum::default().add(&gripping, -tire.stiffness).constant(tire.torque);
                rows.push(
                    torque(0).add(&clamped(&gripping, -tire.max_torque, tire.max_torque, x), 1.0),
                );
            }
            Element::Brake(brake) => {
                let slip = speed(0).constant(-brake.target).add(&torque(0), -CREEP);
                rows.push(self.friction(&torque(0), &slip, brake.low, brake.high, x));
            }
            Element::SpeedRange(range) => {
                // The speed is the nearest in its range to ω + r T.
                let held = speed(0).add(&torque(0), -CREEP);
                let free = held.clone().add(&torque(0), 1.0 / self.per_slip);
                rows.push(held.add(&clamped(&free, range.low, range.high, x), -1.0));
            }
            Element::Damper(rate) => rows.push(torque(0).add(&speed(0), -rate)),
            Element::Viscous(strength) => {
                let slip = speed(0).add(&speed(1), -1.0);
                rows.push(torque(0).add(&slip, -strength));
                rows.push(torque(0).add(&torque(1), 1.0));
            }
            Element::Friction(law) => {
                let slip = speed(0).add(&speed(1), -1.0);
                let dry = torque(0).add(&slip, -law.strength);
                rows.push(self.friction(&dry, &slip, law.low, law.high, x));
                rows.push(torque(0).add(&torque(1), 1.0));
            }
            Element::Ratio(ratio) => {
                rows.push(speed(0).add(&speed(1), -ratio.ratio));
                // What is lost is friction at the input, in proportion to what passes.
                let passed = Sum::default().add(&torque(1), -1.0 / ratio.ratio);
                let (more, less) = if 0.0 <= passed.at(x) {
                    (1.0 / ratio.efficiency, ratio.efficiency)
                } else {
                    (ratio.efficiency, 1.0 / ratio.efficiency)
                };
                let high = Sum::default().add(&passed, more);
                let low = Sum::default().add(&passed, less);
                let held = speed(0).add(&torque(0), -CREEP).add(&passed, CREEP);
                let trial = torque(0).add(&held, self.per_slip);
                rows.push(torque(0).add(&nearest(&trial, &low, &high, x), -1.0));
            }
            Element::Junction(junction) => {
                let n = &junction.coefficients;
                let kinematics = Sum::default();
                rows.push(
                    (0..n.len()).fold(kinematics, |sum, port| sum.add(&speed(port), n[port])),
                );
                for port in 1..n.len() {
                    rows.push(torque(port).add(&torque(0), -n[port] / n[0]));
                }
            }
            Element::Weighted(weighted) => {
                let mut kinematics = speed(0);
                for (output, share) in weighted.speed_shares.iter().enumerate() {
                    kinematics = kinematics.add(&speed(output + 1), -share);
                }
                rows.push(kinematics);
                for (output, share) in weighted.torque_shares.iter().enumerate() {
                    rows.push(torque(output + 1).add(&torque(0), *share));
                }
            }
            Element::Differential(law) => {
                let (ratio, share) = (law.ratio, law.share);
                let mean = Sum::default().add(&speed(1), share).add(&speed(2), 1.0 - share);
                rows.push(speed(0).add(&mean, -ratio));
                let all = torque(0).add(&torque(1), 1.0 / ratio).add(&torque(2), 1.0 / ratio);
                rows.push(all);
                let passed = Sum::default().add(&torque(0), ratio);
                let exchanged = Sum::default().add(&torque(1), 1.0 - share).add(&torque(2), -share);
                let slip = speed(1).add(&speed(2), -1.0);
                if law.preload == f64::INFINITY {
                    rows.push(slip);
                    return;
                }
                let bias = if 0.0 <= passed.at(x) { law.bias } else { -law.reverse_bias };
                let capacity = Sum::default().add(&passed, bias).constant(law.preload);
                let low = Sum::default().add(&capacity, -1.0);
                let trial = Sum::default().add(&exchanged, 1.0).add(&slip, self.per_slip);
                rows.push(exchanged.add(&nearest(&trial, &low, &capacity, x), -1.0));
            }
            Element::ViscousDifferential(law) => {
                let (ratio, share) = (law.ratio, law.share);
                let mean = Sum::default().add(&speed(1), share).add(&speed(2), 1.0 - share);
                rows.push(speed(0).add(&mean, -ratio));
                let exchanged = speed(1).add(&speed(2), -1.0);
                let passed = Sum::default().add(&torque(0), ratio);
                let first = torque(1).add(&passed, share);
                rows.push(first.add(&exchanged, -law.strength));
                let second = torque(2).add(&passed, 1.0 - share);
                rows.push(second.add(&exchanged, law.strength));
            }
            Element::DoubleDifferential(law) => {
                let (drive, steer) = (law.drive_ratio, law.steer_ratio);
                let sum = speed(2).add(&speed(3), 1.0);
                let difference = speed(3).add(&speed(2), -1.0);
                rows.push(speed(0).add(&sum, -drive / 2.0));
                rows.push(speed(1).add(&difference, -steer / 2.0));
                let half = Sum::default().add(&torque(0), drive / 2.0);
                rows.push(torque(2).add(&half, 1.0).add(&torque(1), -steer / 2.0));
                rows.push(torque(3).add(&half, 1.0).add(&torque(1), steer / 2.0));
            }
            Element::LinearConverter(law) => {
                let line = |c: &[f64; 3]| {
                    speed(0)
                        .constant(0.0)
                        .add(&speed(0), c[1] - 1.0)
                        .add(&speed(1), c[2])
                        .constant(c[0])
                };
                rows.push(torque(0).add(&line(&law.pump), -1.0));
                rows.push(torque(1).add(&line(&law.turbine), 1.0));
            }
            Element::CapacityConverter(law) => {
                // Slopes by differences: of the law, not of its derivative.
                let (pump, turbine) = (x[shafts[0]], x[shafts[1]]);
                let step = 1e-5 * (1.0 + pump.abs() + turbine.abs());
                let at = |dp: f64, dt: f64| law.torques(pump + dp * step, turbine + dt * step);
                let (value, out) = at(0.0, 0.0);
                let slope = |more: (f64, f64), less: (f64, f64)| {
                    ((more.0 - less.0) / (2.0 * step), (more.1 - less.1) / (2.0 * step))
                };
                let (pump_in, pump_out) = slope(at(1.0, 0.0), at(-1.0, 0.0));
                let (turbine_in, turbine_out) = slope(at(0.0, 1.0), at(0.0, -1.0));
                let line = |value: f64, by_pump: f64, by_turbine: f64| {
                    Sum::default()
                        .add(&speed(0).constant(-pump), by_pump)
                        .add(&speed(1).constant(-turbine), by_turbine)
                        .constant(value)
                };
                // Without a lock-up clutch, what it passes is 0.
                let passed = torque(0).add(&line(value, pump_in, turbine_in), -1.0);
                rows.push(torque(1).add(&line(out, pump_out, turbine_out), 1.0).add(&passed, 1.0));
                let slip = speed(0).add(&speed(1), -1.0);
                rows.push(self.friction(&passed, &slip, -law.lock_up, law.lock_up, x));
            }
            other => panic!("{other:?} has no dense law"),
        }
    }

    /// Dry friction: the torque is the nearest within its bounds to what it is plus some slip.
    fn friction(&self, torque: &Sum, slip: &Sum, low: f64, high: f64, x: &DVector<f64>) -> Sum {
        if low == high {
            return torque.clone().constant(-low);
        }
        let trial = torque.clone().add(slip, self.per_slip);
        torque.clone().add(&clamped(&trial, low, high, x), -1.0)
    }
}

/// `expression` within two bounds, linearized at `x`.
fn clamped(expression: &Sum, low: f64, high: f64, x: &DVector<f64>) -> Sum {
    let value = expression.at(x);
    if high < value {
        Sum::default().constant(high)
    } else if value < low {
        Sum::default().constant(low)
    } else {
        expression.clone()
    }
}

/// `expression` within two bounds that depend on the unknowns, linearized at `x`.
fn nearest(expression: &Sum, low: &Sum, high: &Sum, x: &DVector<f64>) -> Sum {
    let value = expression.at(x);
    if high.at(x) < value {
        high.clone()
    } else if value < low.at(x) {
        low.clone()
    } else {
        expression.clone()
    }
}
