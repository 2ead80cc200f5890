//! How a law of several ports turns the lines of all but one into a line of that one, and its speed
//! and torque into those of the others.

use super::CREEP;
use super::converter::LinearConverter;
use super::law::{Constraint, Law, Line, Ports};
use super::pass::Ends;

/// Share of torque per share of speed below which a torque says too little about those of the other
/// ports (dimensionless).
const LEAST_SHARE: f64 = 1e-3;

impl Law<'_> {
    /// Line for the port `facing`, where `line_at` are those of the shafts at the other ports.
    #[inline]
    pub(super) fn toward(&self, facing: usize, line_at: impl Fn(usize) -> Line) -> Line {
        match *self {
            Self::Pair(constraint) => constraint.toward(facing, line_at),
            Self::Split(constraint) => constraint.toward(facing, line_at),
            Self::Junction(constraint) => constraint.toward(facing, line_at),
            Self::Weighted(constraint) => constraint.toward(facing, line_at),
            Self::Joined(ratio) if facing == 0 => {
                let (first, second) = (line_at(1), line_at(2));
                Line {
                    stiffness: (first.stiffness + second.stiffness) / (ratio * ratio),
                    torque: (first.torque + second.torque) / ratio,
                }
            }
            Self::Joined(ratio) => {
                let (input, other) = (line_at(0), line_at(3 - facing));
                Line {
                    stiffness: ratio * ratio * input.stiffness + other.stiffness,
                    torque: ratio * input.torque + other.torque,
                }
            }
            Self::Held(ratio) if facing == 0 => {
                let Line { stiffness, torque } = line_at(1);
                let stiffness = stiffness / (ratio * ratio) + 1.0 / CREEP;
                Line { stiffness, torque: torque / ratio }
            }
            Self::Held(ratio) => {
                let Line { stiffness, torque } = line_at(0);
                let stiffness = ratio * ratio * (stiffness + 1.0 / CREEP);
                Line { stiffness, torque: ratio * torque }
            }
            Self::Converter(converter) => converter.toward(facing, line_at(1 - facing)),
            Self::Viscous(differential) => differential.toward(facing, line_at),
            Self::Double(double) => double.toward(facing, line_at),
        }
    }

    /// Passes `speed` (rad/s) and `torque` (N·m) of the port `facing` on to the others.
    #[inline]
    pub(super) fn away(&self, facing: usize, speed: f64, torque: f64, mut ends: Ends<'_>) {
        match *self {
            Self::Pair(constraint) => constraint.away(facing, speed, torque, &mut ends),
            Self::Split(constraint) => constraint.away(facing, speed, torque, &mut ends),
            Self::Junction(constraint) => constraint.away(facing, speed, torque, &mut ends),
            Self::Weighted(constraint) => constraint.away(facing, speed, torque, &mut ends),
            Self::Joined(ratio) => away_joined(ratio, facing, speed, torque, &mut ends),
            Self::Held(ratio) if facing == 0 => {
                let turned = speed / ratio;
                let line = ends.line(1);
                let is_weak = line.stiffness / (ratio * ratio) < 1.0 / CREEP;
                let of_hold = ratio * (torque - speed / CREEP);
                ends.set(1, turned, if is_weak { line.torque_at(turned) } else { of_hold });
            }
            Self::Held(ratio) => {
                let turned = ratio * speed;
                let line = ends.line(0);
                let of_hold = torque / ratio - turned / CREEP;
                let is_weak = line.stiffness < 1.0 / CREEP;
                ends.set(0, turned, if is_weak { line.torque_at(turned) } else { of_hold });
            }
            Self::Converter(converter) => {
                let (turned, out) = converter.away(facing, speed, ends.line(1 - facing));
                ends.set(1 - facing, turned, out);
            }
            Self::Viscous(differential) => {
                let (speeds, out) =
                    differential.away(facing, speed, torque, |port| ends.line(port));
                for port in (0..3).filter(|&port| port != facing) {
                    ends.set(port, speeds[port], out[port]);
                }
            }
            Self::Double(double) => {
                let (speeds, out) = double.away(facing, speed, torque, |port| ends.line(port));
                for port in (0..4).filter(|&port| port != facing) {
                    ends.set(port, speeds[port], out[port]);
                }
            }
        }
    }
}

impl<P: Ports> Constraint<P> {
    /// `(B, C)` of `Σ q ω = B + C λ` over all ports but `facing`, and of the compliance.
    #[inline]
    fn others(&self, facing: usize, line_at: impl Fn(usize) -> Line) -> (f64, f64) {
        let (mut free, mut yielding) = (0.0, self.compliance);
        for port in (0..self.ports.count()).filter(|&port| port != facing) {
            let (at, line) = (self.ports.at(port), line_at(port));
            free += at.speed * (line.torque + at.constant) / line.stiffness;
            yielding += at.speed * at.torque / line.stiffness;
        }
        (free, yielding)
    }

    #[inline]
    fn toward(&self, facing: usize, line_at: impl Fn(usize) -> Line) -> Line {
        let at = self.ports.at(facing);
        if self.compliance == f64::INFINITY {
            return Line { stiffness: 0.0, torque: at.constant };
        }
        let (free, yielding) = self.others(facing, line_at);
        Line {
            stiffness: at.torque * at.speed / yielding,
            torque: at.constant - at.torque * free / yielding,
        }
    }

    #[inline]
    fn away(&self, facing: usize, speed: f64, torque: f64, ends: &mut Ends<'_>) {
        let at = self.ports.at(facing);
        let passed = if self.compliance == f64::INFINITY {
            0.0
        } else if LEAST_SHARE * at.speed.abs() < at.torque.abs() {
            -(torque + at.constant) / at.torque
        } else {
            let (free, yielding) = self.others(facing, |port| ends.line(port));
            -(at.speed * speed + free) / yielding
        };
        // The softest port has its speed from the kinematics: its own line would be a small
        // difference. Where the coupling itself is softer, all have it from their lines.
        let (mut softest, mut most) = (usize::MAX, self.compliance);
        let mut rest = at.speed * speed;
        if self.compliance < f64::INFINITY {
            rest += self.compliance * passed;
            for port in (0..self.ports.count()).filter(|&port| port != facing) {
                let at = self.ports.at(port);
                let softness = at.speed * at.torque / ends.line(port).stiffness;
                if most < softness {
                    (softest, most) = (port, softness);
                }
            }
        }
        let others = |port: &usize| *port != facing && *port != softest;
        for port in (0..self.ports.count()).filter(others) {
            let at = self.ports.at(port);
            let out = at.torque * passed + at.constant;
            let turned = ends.line(port).speed_under(out);
            rest += at.speed * turned;
            ends.set(port, turned, out);
        }
        if softest != usize::MAX {
            let at = self.ports.at(softest);
            ends.set(softest, -rest / at.speed, at.torque * passed + at.constant);
        }
    }
}

/// Outputs that turn as one, with a gear to the input.
fn away_joined(ratio: f64, facing: usize, speed: f64, torque: f64, ends: &mut Ends<'_>) {
    let joined = if facing == 0 { speed / ratio } else { speed };
    // Torque into both other shafts, seen from the outputs.
    let passed = if facing == 0 { ratio * torque } else { torque };
    let (first, second) = if facing == 0 { (1, 2) } else { (0, 3 - facing) };
    let factor = |port: usize| if port == 0 { ratio } else { 1.0 };
    let stiffness = |port: usize| factor(port) * factor(port) * ends.line(port).stiffness;
    let is_first_weak = stiffness(first) < stiffness(second);
    let (weak, strong) = if is_first_weak { (first, second) } else { (second, first) };
    let weak_speed = factor(weak) * joined;
    let weak_out = ends.line(weak).torque_at(weak_speed);
    let strong_out = (passed - factor(weak) * weak_out) / factor(strong);
    ends.set(weak, weak_speed, weak_out);
    ends.set(strong, factor(strong) * joined, strong_out);
}

impl LinearConverter {
    fn toward(&self, facing: usize, other: Line) -> Line {
        let ([p0, p1, p2], [t0, t1, t2]) = (self.pump, self.turbine);
        if facing == 0 {
            let yielding = other.stiffness - t2;
            Line {
                stiffness: (p1 + p2 * t1 / yielding).max(0.0),
                torque: -(p0 + p2 * (t0 + other.torque) / yielding),
            }
        } else {
            let yielding = other.stiffness + p1;
            Line {
                stiffness: (t1 * p2 / yielding - t2).max(0.0),
                torque: t0 + t1 * (other.torque - p0) / yielding,
            }
        }
    }

    /// Speed of the other port (rad/s) and torque out of it (N·m).
    fn away(&self, facing: usize, speed: f64, other: Line) -> (f64, f64) {
        let ([p0, p1, p2], [t0, t1, t2]) = (self.pump, self.turbine);
        if facing == 0 {
            let turbine = (t0 + other.torque + t1 * speed) / (other.stiffness - t2);
            (turbine, self.torques(speed, turbine).1)
        } else {
            let pump = (other.torque - p0 - p2 * speed) / (other.stiffness + p1);
            (pump, -self.torques(pump, speed).0)
        }
    }
}
