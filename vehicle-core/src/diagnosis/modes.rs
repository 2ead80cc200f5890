//! How a wheel with mass and its part of the body swing: as springs and dampers let them, and in
//! the steps that a vehicle takes.
//!
//! A quarter of a car: a body of mass `m_s` on a spring `k` and a damper `c`, a wheel of mass `m`
//! below, and a tire `k_t`, `c_t`:
//!
//! ```text
//! m_s z'' = -k (z - y) - c (z' - y')
//! m   y'' =  k (z - y) + c (z' - y') - k_t y - c_t y'
//! ```
//!
//! It swings in two ways, the *body* on its spring and the *hop* of the wheel between spring and
//! tire. Each has a frequency `|s| / 2π` and a damping ratio `-Re(s) / |s|`, with `s` its
//! eigenvalues. A step of `h` maps a motion onto the next one, and its eigenvalues λ are those of
//! `s = ln(λ) / h`.

use std::f64::consts::TAU;

use super::Conditions;
use crate::math::Real;
use crate::suspension::unsprung::SuspensionDynamics;
use crate::suspension::unsprung::implicitness::{damper_implicitness, spring_implicitness};
use crate::suspension::unsprung::laws::DamperLaw;
use crate::vehicle::MechanicalParams;

/// Places and speeds of body and wheel.
const STATES: usize = 4;
/// Turns in the search for roots, of which some thirty are needed.
const ROUNDS: usize = 200;

/// Most substeps that are looked for.
const MOST_SUBSTEPS: u32 = 64;

type Matrix = [[f64; STATES]; STATES];

/// One way to swing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct VibrationMode {
    /// Natural frequency (Hz).
    pub frequency: Real,
    /// Damping ratio, 1 for critical (dimensionless).
    pub damping_ratio: Real,
}

/// How a wheel and its part of the body swing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WheelModes {
    /// The body on its spring.
    pub body: VibrationMode,
    /// The wheel between spring and tire.
    pub hop: VibrationMode,
}

/// A wheel with mass and its part of the body, upright and at rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QuarterCar {
    /// Mass of the body's part, without the wheel (kg).
    pub body_mass: f64,
    /// Mass of the wheel (kg).
    pub wheel_mass: f64,
    /// Stiffness of the spring (N/m).
    pub stiffness: f64,
    /// Damping rate, the mean of bump and rebound at low speed (N·s/m).
    pub damping: f64,
    /// Steepest damping rate (N·s/m).
    pub steepest_damping: f64,
    /// Stiffness of the tire (N/m).
    pub tire_stiffness: f64,
    /// Damping rate of the tire (N·s/m).
    pub tire_damping: f64,
}

impl QuarterCar {
    /// Wheel `index` of a vehicle under this gravity (m/s²); `None` if its wheels have no mass, or
    /// all of the mass that stands on them.
    pub fn of<Tire>(params: &MechanicalParams<Tire>, index: usize, gravity: Real) -> Option<Self> {
        let SuspensionDynamics::Unsprung(wheels) = &params.suspension_dynamics else {
            return None;
        };
        let (wheel, spring) = (wheels.get(index)?, params.suspension_forces.get(index)?);
        let body_mass = f64::from(spring.sprung_mass - wheel.mass);
        let (stiffness, _) = spring_at_rest(params, index, gravity);
        let law = damper_of(params, index);
        let (damping, steepest_damping) = (law.mean_rate(), law.steepest());
        (0.0 < body_mass).then(|| Self {
            body_mass,
            wheel_mass: f64::from(wheel.mass),
            stiffness,
            damping: f64::from(damping),
            steepest_damping: f64::from(steepest_damping),
            tire_stiffness: f64::from(wheel.tire_stiffness),
            tire_damping: f64::from(wheel.tire_damping),
        })
    }

    /// Damping ratio of the body on a wheel that does not move (dimensionless).
    pub fn damping_ratio(&self) -> Real {
        (self.damping / (2.0 * (self.stiffness * self.body_mass).sqrt())) as Real
    }

    /// How it swings.
    pub fn modes(&self) -> WheelModes {
        let Self { body_mass, wheel_mass, stiffness: k, damping: c, .. } = *self;
        let (k_t, c_t) = (self.tire_stiffness, self.tire_damping);
        let body = [-k, k, -c, c].map(|part| part / body_mass);
        let wheel = [k, -k - k_t, c, -c - c_t].map(|part| part / wheel_mass);
        modes_of(eigenvalues(&[[0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0], body, wheel]))
    }

    /// How it swings in steps of `step` (s).
    pub fn modes_in_steps(&self, step: f64) -> WheelModes {
        let rates = eigenvalues(&self.step_map(step)).map(|value| {
            let (size, angle) = (value.0.hypot(value.1), value.1.atan2(value.0));
            (size.max(f64::MIN_POSITIVE).ln() / step, angle / step)
        });
        modes_of(rates)
    }

    /// How much of a road's movement at `frequency` (Hz) arrives at body and wheel (dimensionless).
    ///
    /// ```text
    /// Z / Y₀ = (c s + k)(c_t s + k_t) / Δ,   Y / Y₀ = (m_s s² + c s + k)(c_t s + k_t) / Δ
    /// Δ = (m_s s² + c s + k)(m s² + (c + c_t) s + k + k_t) - (c s + k)²,   s = 2π i f
    /// ```
    pub fn transmitted(&self, frequency: Real) -> [Real; 2] {
        let pulse = TAU * f64::from(frequency);
        let square = pulse * pulse;
        let strut = (self.stiffness, self.damping * pulse);
        let tire = (self.tire_stiffness, self.tire_damping * pulse);
        let body = (strut.0 - self.body_mass * square, strut.1);
        let wheel = (strut.0 + tire.0 - self.wheel_mass * square, strut.1 + tire.1);
        let (both, coupling) = (times(body, wheel), times(strut, strut));
        let determinant = (both.0 - coupling.0, both.1 - coupling.1);
        [strut, body].map(|of| {
            let (real, imaginary) = divided(times(of, tire), determinant);
            real.hypot(imaginary) as Real
        })
    }

    /// From (z, e, z', e') to that a step of `h` (s) later, with `e` the extension of the
    /// suspension.
    ///
    /// ```text
    /// M Δz' - m Δe' = h N,   m Δe' - m Δz' = h (S - N)
    /// N = -k_t (x + θ_t h x'⁺) - c_t x'⁺,   x = z - e
    /// S = -k (e + θ h e'⁺) - c (θ_c e'⁺ + (1 - θ_c) e')
    /// ```
    fn step_map(&self, h: f64) -> Matrix {
        let (m, mass) = (self.wheel_mass, self.body_mass + self.wheel_mass);
        let inverse = 1.0 / m + 1.0 / mass;
        let (k, k_t) = (self.stiffness, self.tire_stiffness);
        let [theta, theta_t] = [k, k_t].map(|k| spring_implicitness(k, inverse, h));
        let theta_c = damper_implicitness(self.steepest_damping, inverse, h);
        let (b_t, b_s) =
            (theta_t * h * k_t + self.tire_damping, theta * h * k + theta_c * self.damping);
        // The unknown speeds at the end, as rows over (z, e, z', e').
        let left = [[mass + h * b_t, -m - h * b_t], [-m - h * b_t, m + h * (b_t + b_s)]];
        let old = (1.0 - theta_c) * self.damping;
        let right = [[-h * k_t, h * k_t, mass, -m], [h * k_t, -h * (k_t + k), -m, m - h * old]];
        let determinant = left[0][0] * left[1][1] - left[0][1] * left[1][0];
        let mut map = [[0.0; STATES]; STATES];
        for column in 0..STATES {
            let (a, b) = (right[0][column], right[1][column]);
            map[2][column] = (left[1][1] * a - left[0][1] * b) / determinant;
            map[3][column] = (left[0][0] * b - left[1][0] * a) / determinant;
        }
        for row in 0..2 {
            map[row] = map[row + 2].map(|part| h * part);
            map[row][row] += 1.0;
        }
        map
    }
}

/// How `wheel` swings as springs and dampers let it, and in the substeps of `conditions`; `None` if
/// it has no mass.
pub fn wheel_modes<Tire>(
    params: &MechanicalParams<Tire>,
    wheel: usize,
    conditions: &Conditions<'_>,
) -> Option<[WheelModes; 2]> {
    let quarter = QuarterCar::of(params, wheel, conditions.simulation.gravity.length())?;
    let step = f64::from(conditions.dt) / f64::from(conditions.taken_substeps());
    Some([quarter.modes(), quarter.modes_in_steps(step)])
}

/// How many substeps of the time step of `conditions` it takes for a wheel to hop as it `is_like`,
/// up to 64.
pub(super) fn needed_substeps(
    quarter: &QuarterCar,
    conditions: &Conditions<'_>,
    is_like: impl Fn(&VibrationMode) -> bool,
) -> Option<u32> {
    let step = |count: u32| f64::from(conditions.dt) / f64::from(count);
    (1..=MOST_SUBSTEPS).find(|&count| is_like(&quarter.modes_in_steps(step(count)).hop))
}

/// Jounce of `wheel` at rest, were its travel without an end (m): that at which its spring carries
/// what is above it.
pub(super) fn rest_jounce<Tire>(
    params: &MechanicalParams<Tire>,
    wheel: usize,
    conditions: &Conditions<'_>,
) -> Real {
    spring_at_rest(params, wheel, conditions.simulation.gravity.length()).1 as Real
}

/// Stiffness (N/m) and jounce (m) at which the spring of `wheel` carries what is above it under
/// `gravity` (m/s²), were its travel without an end.
pub(super) fn spring_at_rest<Tire>(
    params: &MechanicalParams<Tire>,
    wheel: usize,
    gravity: Real,
) -> (f64, f64) {
    let (spring, dynamics) = (&params.suspension_forces[wheel], &params.suspension_dynamics);
    let below = match dynamics {
        SuspensionDynamics::Unsprung(wheels) => wheels[wheel].mass,
        _ => 0.0,
    };
    let load = (spring.sprung_mass - below) * gravity;
    match dynamics.strut(wheel) {
        Some(strut) => strut.spring_under(spring, f64::from(load)),
        None => (f64::from(spring.stiffness), f64::from(load / spring.stiffness)),
    }
}

/// The damper of `wheel`.
pub(super) fn damper_of<Tire>(params: &MechanicalParams<Tire>, wheel: usize) -> DamperLaw<Real> {
    let spring = &params.suspension_forces[wheel];
    let linear = || DamperLaw::linear(spring.damping);
    params.suspension_dynamics.strut(wheel).map_or_else(linear, |strut| strut.damper_law(spring))
}

/// A complex number: real and imaginary part.
type Complex = (f64, f64);

fn times((a, b): Complex, (c, d): Complex) -> Complex {
    (a * c - b * d, a * d + b * c)
}

fn divided((a, b): Complex, (c, d): Complex) -> Complex {
    let square = c * c + d * d;
    ((a * c + b * d) / square, (b * c - a * d) / square)
}

/// Eigenvalues of a matrix: the roots of its characteristic polynomial (Faddeev and LeVerrier), all
/// of them at once (Durand and Kerner).
fn eigenvalues(matrix: &Matrix) -> [Complex; STATES] {
    let mut coefficients = [0.0; STATES];
    let mut power = [[0.0; STATES]; STATES];
    let mut last = 1.0;
    for (degree, coefficient) in coefficients.iter_mut().enumerate() {
        for (index, row) in power.iter_mut().enumerate() {
            row[index] += last;
        }
        let mut next = [[0.0; STATES]; STATES];
        for (row, sums) in next.iter_mut().enumerate() {
            for (column, sum) in sums.iter_mut().enumerate() {
                *sum = (0..STATES).map(|inner| matrix[row][inner] * power[inner][column]).sum();
            }
        }
        power = next;
        let trace: f64 = (0..STATES).map(|index| power[index][index]).sum();
        last = -trace / (degree + 1) as f64;
        *coefficient = last;
    }
    let size = coefficients[STATES - 1].abs().powf(1.0 / STATES as f64).max(1e-9);
    let mut roots: [Complex; STATES] = [(1.0, 0.0); STATES];
    let mut start = (1.0, 0.0);
    for root in &mut roots {
        start = times(start, (0.4, 0.9));
        *root = (size * start.0, size * start.1);
    }
    for _ in 0..ROUNDS {
        for index in 0..STATES {
            let root = roots[index];
            let value = coefficients.iter().fold((1.0, 0.0), |sum, coefficient| {
                let (real, imaginary) = times(sum, root);
                (real + coefficient, imaginary)
            });
            let others =
                (0..STATES).filter(|&other| other != index).fold((1.0, 0.0), |all, other| {
                    let (real, imaginary) = roots[other];
                    times(all, (root.0 - real, root.1 - imaginary))
                });
            if others != (0.0, 0.0) {
                let (real, imaginary) = divided(value, others);
                roots[index] = (root.0 - real, root.1 - imaginary);
            }
        }
    }
    roots
}

/// The two modes of four `rates` (1/s): pairs that are near each other in size, the slower pair
/// first.
fn modes_of(mut rates: [Complex; STATES]) -> WheelModes {
    rates.sort_by(|a, b| a.0.hypot(a.1).total_cmp(&b.0.hypot(b.1)));
    let mode = |pair: &[Complex]| {
        // ω² = s₁ s₂, 2 ζ ω = -(s₁ + s₂), whether they are real or conjugate.
        let frequency = (pair[0].0.hypot(pair[0].1) * pair[1].0.hypot(pair[1].1)).sqrt();
        let damping = -0.5 * (pair[0].0 + pair[1].0);
        VibrationMode {
            frequency: (frequency / TAU) as Real,
            damping_ratio: if 0.0 < frequency { (damping / frequency) as Real } else { 0.0 },
        }
    };
    WheelModes { body: mode(&rates[..2]), hop: mode(&rates[2..]) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The quarter of a car of 1.4 Hz, ζ 0.4.
    fn quarter() -> QuarterCar {
        let pulse = TAU * 1.4;
        let damping = 2.0 * 0.4 * 375.0 * pulse;
        QuarterCar {
            body_mass: 375.0,
            wheel_mass: 40.0,
            stiffness: 375.0 * pulse * pulse,
            damping,
            steepest_damping: damping,
            tire_stiffness: 220e3,
            tire_damping: 0.0,
        }
    }

    #[test]
    fn modes_are_those_of_the_scheme() {
        // Rate of the steps (Hz), none for the motion itself; frequency and damping of body and
        // hop.
        let cases = [
            (None, [1.3585, 0.3390], [12.16, 0.440]),
            (Some(60.0), [1.351, 0.342], [12.38, 0.534]),
            (Some(180.0), [1.3578, 0.3391], [12.26, 0.444]),
            (Some(240.0), [1.3581, 0.3390], [12.22, 0.441]),
        ];
        for (rate, body, hop) in cases {
            let modes = rate.map_or_else(
                || quarter().modes(),
                |rate: f64| quarter().modes_in_steps(1.0 / rate),
            );
            for (mode, [frequency, damping]) in [(modes.body, body), (modes.hop, hop)] {
                let near = |found: Real, expected: Real| (found / expected - 1.0).abs() < 0.02;
                assert!(near(mode.frequency, frequency), "{rate:?}: {mode:?}");
                assert!(near(mode.damping_ratio, damping), "{rate:?}: {mode:?}");
            }
        }
    }

    #[test]
    fn slow_movements_arrive_and_fast_ones_do_not() {
        let [body, wheel] = quarter().transmitted(0.01);
        assert!((body - 1.0).abs() < 1e-3 && (wheel - 1.0).abs() < 1e-3, "{body}, {wheel}");
        // At the body's frequency it swings more than the road, at that of the hop the wheel does.
        let [body, _] = quarter().transmitted(1.3);
        let [isolated, hopping] = quarter().transmitted(11.0);
        assert!(1.5 < body && isolated < 0.2 && 1.0 < hopping, "{body}, {isolated}, {hopping}");
        let [body, wheel] = quarter().transmitted(60.0);
        assert!(body < 0.01 && wheel < 0.1, "{body}, {wheel}");
    }

    #[test]
    fn modes_of_a_hard_damper_have_the_product_of_all_rates() {
        let hard = QuarterCar { damping: 4e4, steepest_damping: 4e4, ..quarter() };
        let modes = hard.modes();
        // Π s = k k_t / (m_s m), whatever the dampers.
        let product = f64::from(modes.body.frequency * modes.hop.frequency) * TAU * TAU;
        let expected = hard.stiffness * hard.tire_stiffness / (hard.body_mass * hard.wheel_mass);
        assert!((product * product / expected - 1.0).abs() < 1e-4, "{modes:?}");
        assert!(1.0 < modes.hop.damping_ratio, "{modes:?}");
    }
}
