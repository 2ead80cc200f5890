//! The double differential in a pass: two relations of four ports.
//!
//! With `x = ω_d/ρ_d` and `y = ω_s/ρ_s` the outputs turn with `x - y` and `x + y`. Every port is
//! missing in one linear relation of the other three; the torques are those that do no work.

use super::element::DoubleDifferentialElement;
use super::law::Line;

/// One relation `Σ q ω = 0`: coefficients of drive, steer, left, right.
type Row = [f64; 4];

impl DoubleDifferentialElement {
    /// A relation that has `port`, and the one that lacks it.
    fn rows(&self, port: usize) -> (Row, Row) {
        let (drive, steer) = (1.0 / self.drive_ratio, 1.0 / self.steer_ratio);
        let without_drive = [0.0, 2.0 * steer, 1.0, -1.0];
        let without_steer = [2.0 * drive, 0.0, -1.0, -1.0];
        let without_left = [drive, steer, 0.0, -1.0];
        let without_right = [drive, -steer, -1.0, 0.0];
        match port {
            0 => (without_steer, without_drive),
            1 => (without_drive, without_steer),
            2 => (without_right, without_left),
            _ => (without_left, without_right),
        }
    }

    /// Line toward `facing`, where `line_at` are those of the shafts at the other ports.
    ///
    /// No differences of stiffnesses occur (the formula of Cauchy and Binet), so nothing is lost
    /// where one output is much stiffer than the other.
    pub(super) fn toward(&self, facing: usize, line_at: impl Fn(usize) -> Line) -> Line {
        let (first, second) = self.rows(facing);
        let others = || (0..4).filter(move |&port| port != facing);
        let mobility = |port: usize| 1.0 / line_at(port).stiffness;
        let minor = |i: usize, j: usize| first[i] * second[j] - first[j] * second[i];
        let (mut square, mut determinant, mut speed) = (0.0, 0.0, 0.0);
        for i in others() {
            square += second[i] * second[i] * mobility(i);
            for j in others().filter(|&j| i < j) {
                determinant += mobility(i) * mobility(j) * minor(i, j) * minor(i, j);
            }
            let weight: f64 =
                others().filter(|&j| j != i).map(|j| mobility(j) * second[j] * minor(i, j)).sum();
            speed += line_at(i).torque * mobility(i) * weight;
        }
        let coefficient = first[facing];
        Line {
            stiffness: coefficient * coefficient * square / determinant,
            torque: -coefficient * speed / determinant,
        }
    }

    /// Speeds of all ports and torques out of the element, where `speed` and the torque into it,
    /// `torque`, are those of `facing`.
    pub(super) fn away(
        &self,
        facing: usize,
        speed: f64,
        torque: f64,
        line_at: impl Fn(usize) -> Line,
    ) -> ([f64; 4], [f64; 4]) {
        let (first, second) = self.rows(facing);
        let others = || (0..4).filter(move |&port| port != facing);
        let of_first = -torque / first[facing];
        let (mut square, mut free) = (0.0, 0.0);
        for port in others() {
            let Line { stiffness, torque } = line_at(port);
            square += second[port] * second[port] / stiffness;
            free += second[port] * (torque + first[port] * of_first) / stiffness;
        }
        let of_second = -free / square;
        let out: [f64; 4] =
            std::array::from_fn(|port| first[port] * of_first + second[port] * of_second);
        // The stiffest port has its speed from its line, the softer two from the kinematics.
        let stiffest = others()
            .max_by(|&i, &j| line_at(i).stiffness.total_cmp(&line_at(j).stiffness))
            .unwrap_or(facing);
        let known = line_at(stiffest).speed_under(out[stiffest]);
        let mut speeds = self.speeds((facing, speed), (stiffest, known));
        speeds[stiffest] = known;
        (speeds, out)
    }

    /// Speeds of all ports where those of two are known.
    fn speeds(&self, (i, speed_i): (usize, f64), (j, speed_j): (usize, f64)) -> [f64; 4] {
        // Every port is a sum of x and y.
        let rows = [[self.drive_ratio, 0.0], [0.0, self.steer_ratio], [1.0, -1.0], [1.0, 1.0]];
        let ([a, b], [c, d]) = (rows[i], rows[j]);
        let determinant = a * d - b * c;
        let x = (speed_i * d - b * speed_j) / determinant;
        let y = (a * speed_j - speed_i * c) / determinant;
        rows.map(|[of_x, of_y]| of_x * x + of_y * y)
    }
}
