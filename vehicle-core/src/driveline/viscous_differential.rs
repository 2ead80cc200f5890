//! The differential with a viscous coupling in a pass: three ports, and no small differences.

use super::element::ViscousDifferential;
use super::law::Line;

impl ViscousDifferential {
    /// Share of the input's torque that an output gets.
    fn share_of(&self, output: usize) -> f64 {
        if output == 1 { self.share } else { 1.0 - self.share }
    }

    /// Line toward `facing`, where `line_at` are those of the shafts at the other ports.
    pub(super) fn toward(&self, facing: usize, line_at: impl Fn(usize) -> Line) -> Line {
        let coupling = self.strength;
        if facing == 0 {
            // Speeds of the outputs solve [[k₁ + k, -k], [-k, k₂ + k]] ω = g + (s, 1 - s) T'.
            let (first, second) = (line_at(1), line_at(2));
            let (k1, k2) = (first.stiffness, second.stiffness);
            let determinant = k1 * k2 + coupling * (k1 + k2);
            let (s, r) = (self.share, 1.0 - self.share);
            // s² (k₂ + k) + r² (k₁ + k) + 2 s r k, and the same for what turns without torque.
            let mobility = (s * s * k2 + r * r * k1 + coupling) / determinant;
            let of_first = s * k2 + coupling;
            let of_second = r * k1 + coupling;
            let free = (of_first * first.torque + of_second * second.torque) / determinant;
            let ratio = self.ratio;
            Line { stiffness: 1.0 / (ratio * ratio * mobility), torque: free / (ratio * mobility) }
        } else {
            let Reflected { input, other, yielding } = self.reflected(facing, &line_at);
            let (s, r) = (self.share_of(facing), self.share_of(3 - facing));
            let (ki, k2) = (input.stiffness, other.stiffness);
            let stiffness = (s * s * ki * k2 + coupling * k2 + coupling * ki) / yielding;
            let torque = (s * k2 + coupling) * input.torque / yielding
                + (coupling - r * s * ki) * other.torque / yielding;
            Line { stiffness, torque }
        }
    }

    /// The lines seen from the outputs, where one of them is `facing`.
    fn reflected(&self, facing: usize, line_at: &impl Fn(usize) -> Line) -> Reflected {
        let (input, other) = (line_at(0), line_at(3 - facing));
        let input = Line {
            stiffness: self.ratio * self.ratio * input.stiffness,
            torque: self.ratio * input.torque,
        };
        let rest = self.share_of(3 - facing);
        let yielding = other.stiffness + self.strength + rest * rest * input.stiffness;
        Reflected { input, other, yielding }
    }

    /// Speeds of all ports and torques out of the element, where `speed` and the torque into it,
    /// `torque`, are those of `facing`.
    pub(super) fn away(
        &self,
        facing: usize,
        speed: f64,
        torque: f64,
        line_at: impl Fn(usize) -> Line,
    ) -> ([f64; 3], [f64; 3]) {
        let coupling = self.strength;
        if facing == 0 {
            let (first, second) = (line_at(1), line_at(2));
            let (s, r) = (self.share, 1.0 - self.share);
            let passed = self.ratio * torque;
            let mean = speed / self.ratio;
            // The difference of the outputs follows from both lines; the softer one then has its
            // speed from the kinematics.
            let (k1, k2) = (first.stiffness, second.stiffness);
            let determinant = k1 * k2 + coupling * (k1 + k2);
            let (x1, x2) = (first.torque + s * passed, second.torque + r * passed);
            let slip = (x1 * k2 - x2 * k1) / determinant;
            let exchanged = coupling * slip;
            let out = [0.0, s * passed - exchanged, r * passed + exchanged];
            let speeds = if k1 < k2 {
                let turned = second.speed_under(out[2]);
                [speed, (mean - r * turned) / s, turned]
            } else {
                let turned = first.speed_under(out[1]);
                [speed, turned, (mean - s * turned) / r]
            };
            (speeds, out)
        } else {
            let Reflected { input, other, yielding } = self.reflected(facing, &line_at);
            let (s, r) = (self.share_of(facing), self.share_of(3 - facing));
            let across = coupling - r * s * input.stiffness;
            let turned = (other.torque + r * input.torque + across * speed) / yielding;
            let exchanged = coupling * (speed - turned);
            // T' from the torque that is known: T = -s T' + T_l.
            let passed = (exchanged - torque) / s;
            let input_speed = self.ratio * (s * speed + r * turned);
            let (mut speeds, mut out) = ([0.0; 3], [0.0; 3]);
            speeds[0] = input_speed;
            out[0] = -passed / self.ratio;
            speeds[3 - facing] = turned;
            out[3 - facing] = r * passed + exchanged;
            (speeds, out)
        }
    }
}

/// Lines of input and other output, seen from the outputs.
struct Reflected {
    input: Line,
    other: Line,
    /// Stiffness of the other output together with what holds it.
    yielding: f64,
}
