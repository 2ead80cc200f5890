//! Ride: whether springs and dampers are stable in the steps that a vehicle really takes.
//!
//! The body of a vehicle that rests on its wheels can bounce, roll and pitch by small amounts `q =
//! (z, φ, θ)`. With `A` the movement of each wheel's place along the road's normal per `q`, and `B`
//! the force and torques per force along it:
//!
//! ```text
//! M q'' = -K q - C q'        K = Σ k B Aᵀ + bars,   C = Σ c B Aᵀ
//! ```
//!
//! A suspension does not know `q'`: it divides the difference of two jounces, the last of which is
//! one substep old. The body is then accelerated and moved on (semi-implicit Euler):
//!
//! ```text
//! F  = -K q - C (q - p) / h          p   the place one substep ago, h the substep
//! v' = v + h M⁻¹ F,   q' = q + h v',   p' = q
//! ```
//!
//! A physics engine that hosts the body moves it once per frame instead, from where it was, by the
//! velocity after the last substep. Either is a linear map of (q, v, p) from frame to frame. It is
//! stable if its *spectral radius*, the growth per frame of what grows fastest, is at most 1.
//!
//! What a tire holds sideways, stops of suspensions and wheels that leave the road are left out.

use super::modes::{damper_of, spring_at_rest};
use super::{BodyMover, Conditions};
use crate::math::{Real, Vec3, transform_point};
use crate::suspension::{AntiRollAction, suspension_compliance};
use crate::vehicle::MechanicalParams;

/// Growth per frame above which a vehicle is unstable (dimensionless): rounding of what neither
/// grows nor fades.
const UNSTABLE: f64 = 1.001;
/// Rest of a disturbance after a second that nobody sees (dimensionless).
pub(super) const MOST_REST: Real = 0.1;
/// How much more than the continuous one a vehicle may shake (dimensionless).
const SHAKING: Real = 2.0;
/// Most substeps that are looked for.
const MOST_SUBSTEPS: u32 = 64;
/// Time after which the rest of a disturbance is looked at (s).
const SETTLING_TIME: f64 = 1.0;
/// Squarings of a map: its power is 2 to this.
const SQUARINGS: u32 = 14;

/// Ways in which a body can move on its springs: up, about its longitudinal and its lateral axis.
const MOTIONS: usize = 3;
/// Place, velocity and the place one substep ago.
const STATES: usize = 3 * MOTIONS;

type Matrix<const N: usize> = [[f64; N]; N];
type Vector3 = [f64; MOTIONS];

/// How a vehicle comes to rest on its springs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RideForecast {
    /// Growth per frame of what grows fastest or fades slowest (dimensionless).
    pub growth: Real,
    /// Part of a disturbance that is left after a second (dimensionless); the root of its energy.
    pub rest: Real,
    /// Part of a disturbance that the suspension itself, without steps, leaves after a second
    /// (dimensionless); the root of its energy.
    pub continuous_rest: Real,
    /// The fewest substeps of the same frame that neither grow nor shake, up to 64.
    pub needed_substeps: Option<u32>,
}

impl RideForecast {
    /// Whether disturbances grow.
    pub fn is_unstable(&self) -> bool {
        UNSTABLE < f64::from(self.growth)
    }

    /// Whether disturbances last much longer than without steps.
    pub fn shakes(&self) -> bool {
        MOST_REST.max(SHAKING * self.continuous_rest) < self.rest
    }
}

/// How a vehicle of `params` comes to rest on its springs under `conditions`.
///
/// `None` without gravity, for a vehicle whose weight rests on the stops of its suspensions, and
/// for wheels with mass, which no step shakes: see [`modes`](super::modes).
pub fn ride_forecast<Tire>(
    params: &MechanicalParams<Tire>,
    conditions: &Conditions<'_>,
) -> Option<RideForecast> {
    if params.suspension_dynamics.has_mass() {
        return None;
    }
    let ride = Ride::new(params, conditions)?;
    let (dt, mover) = (f64::from(conditions.dt), conditions.mover);
    let forecast = |substeps: u32| {
        let map = ride.frame(dt, substeps, mover);
        RideForecast {
            growth: spectral_radius(map) as Real,
            rest: ride.rest(&power(map, (SETTLING_TIME / dt).round().max(1.0) as u64)) as Real,
            continuous_rest: ride.continuous_rest() as Real,
            needed_substeps: None,
        }
    };
    let is_good = |forecast: &RideForecast| !forecast.is_unstable() && !forecast.shakes();
    let taken = conditions.taken_substeps();
    let present = forecast(taken);
    if is_good(&present) {
        return Some(RideForecast { needed_substeps: Some(taken), ..present });
    }
    let needed_substeps = (1..=MOST_SUBSTEPS).find(|count| is_good(&forecast(*count)));
    Some(RideForecast { needed_substeps, ..present })
}

/// A body on its springs.
#[derive(Clone, Copy, Debug)]
struct Ride {
    /// Inverse of mass and inertia; 0 of a motion that no spring holds.
    inverse_mass: Vector3,
    stiffness: Matrix<MOTIONS>,
    damping: Matrix<MOTIONS>,
}

impl Ride {
    fn new<Tire>(params: &MechanicalParams<Tire>, conditions: &Conditions<'_>) -> Option<Self> {
        let simulation = conditions.simulation;
        let frame = &simulation.coordinates.frame;
        let (forward, left, up) = (frame.longitudinal(), frame.lateral(), frame.vertical());
        let turning = |arm: Vec3, along: Vec3| {
            let moment = arm.cross(along);
            [f64::from(moment.dot(forward)), f64::from(moment.dot(left))]
        };
        let (mut stiffness, mut damping) = ([[0.0; MOTIONS]; MOTIONS], [[0.0; MOTIONS]; MOTIONS]);
        let wheels = params.suspensions.len();
        let (mut places, mut ends) = (Vec::with_capacity(wheels), Vec::with_capacity(wheels));
        for (wheel, suspension) in params.suspensions.iter().enumerate() {
            let travel = suspension.travel_distance;
            let (slope, jounce) = spring_at_rest(params, wheel, simulation.gravity.length());
            let jounce = jounce as Real;
            if !(0.0 < jounce && jounce < travel) {
                return None;
            }
            let compliance = suspension_compliance(&params.compliances[wheel], jounce, travel);
            let arm = transform_point(&suspension.attachment, compliance.suspension_force_point);
            let direction = suspension.travel_direction;
            let place = suspension.wheel_mount() + direction * (travel - jounce);
            let ([roll, pitch], [roll_moment, pitch_moment]) =
                (turning(place, up), turning(arm, up));
            let (moved, pushed) = ([1.0, roll, pitch], [1.0, roll_moment, pitch_moment]);
            let rate = f64::from(damper_of(params, wheel).steepest());
            add_product(&mut stiffness, &pushed, &moved, slope);
            add_product(&mut damping, &pushed, &moved, rate);
            let upward = f64::from(-direction.dot(up));
            places.push(moved.map(|part| -part / upward));
            // Effect of a unit of a bar's force on the body, and on body and wheels.
            let [bar_roll, bar_pitch] = turning(arm, direction);
            ends.push([[0.0, -bar_roll, -bar_pitch], pushed.map(|part| upward * part)]);
        }
        // f = κ (j0 - j1), which pushes the body up over the first wheel and pulls it down over the
        // second.
        for bar in &params.anti_roll_bars {
            let [first, second] = bar.wheels;
            let action = usize::from(bar.action == AntiRollAction::Wheels);
            let end = |part: usize| ends[first][action][part] - ends[second][action][part];
            let pushed = [0, 1, 2].map(end);
            let moved = [0, 1, 2].map(|part| places[first][part] - places[second][part]);
            add_product(&mut stiffness, &pushed, &moved, -f64::from(bar.stiffness));
        }
        let inertia = |axis: Vec3| axis.abs().dot(params.rigid_body.inertia);
        let masses = [params.rigid_body.mass, inertia(forward), inertia(left)];
        let is_held = |motion: usize| 1e-9 * stiffness[0][0] < stiffness[motion][motion].abs();
        let inverse = |motion: usize| {
            if is_held(motion) { 1.0 / f64::from(masses[motion]) } else { 0.0 }
        };
        Some(Self { inverse_mass: [0, 1, 2].map(inverse), stiffness, damping })
    }

    /// From (q, v, p) to that one substep of `h` (s) later.
    fn substep(&self, h: f64) -> Matrix<STATES> {
        let mut map = [[0.0; STATES]; STATES];
        for row in 0..MOTIONS {
            let (velocity, before) = (row + MOTIONS, row + 2 * MOTIONS);
            let push = h * self.inverse_mass[row];
            for column in 0..MOTIONS {
                let (k, c) = (self.stiffness[row][column], self.damping[row][column] / h);
                map[velocity][column] = -push * (k + c);
                map[velocity][column + 2 * MOTIONS] = push * c;
            }
            // A motion that no spring holds is left out.
            let is_held = f64::from(u8::from(self.inverse_mass[row] != 0.0));
            map[velocity][velocity] += is_held;
            map[row] = map[velocity].map(|part| h * part);
            map[row][row] += is_held;
            map[before][row] = is_held;
        }
        map
    }

    /// From (q, v, p) to that one frame of `dt` (s) later.
    fn frame(&self, dt: f64, substeps: u32, mover: BodyMover) -> Matrix<STATES> {
        let mut map = power(self.substep(dt / f64::from(substeps)), u64::from(substeps));
        if mover == BodyMover::Host {
            for row in 0..MOTIONS {
                map[row] = map[row + MOTIONS].map(|part| dt * part);
                map[row][row] += f64::from(u8::from(self.inverse_mass[row] != 0.0));
            }
        }
        map
    }

    /// The root of the energy that `map` leaves of displacements.
    fn rest(&self, map: &Matrix<STATES>) -> f64 {
        let squared_rate = self.stiffness[0][0] * self.inverse_mass[0];
        let mut energy = 0.0;
        for from in 0..MOTIONS {
            for to in 0..MOTIONS {
                let (source, target) = (self.inverse_mass[from], self.inverse_mass[to]);
                if source != 0.0 && target != 0.0 {
                    // A displacement that has not moved before: q = p.
                    let [place, speed] =
                        [to, to + MOTIONS].map(|row| map[row][from] + map[row][from + 2 * MOTIONS]);
                    energy += (place * place + speed * speed / squared_rate) * source / target;
                }
            }
        }
        let held = self.inverse_mass.iter().filter(|inverse| **inverse != 0.0).count();
        (energy / held as f64).sqrt()
    }

    /// The root of the energy that the motion without steps leaves of displacements: by the
    /// trapezoidal rule in steps far shorter than any ride.
    fn continuous_rest(&self) -> f64 {
        const HALVINGS: u32 = 14;
        let h = SETTLING_TIME / f64::from(1 << HALVINGS);
        let mut generator = [[0.0; 2 * MOTIONS]; 2 * MOTIONS];
        for row in 0..MOTIONS {
            generator[row][row + MOTIONS] = f64::from(u8::from(self.inverse_mass[row] != 0.0));
            for column in 0..MOTIONS {
                let inverse = self.inverse_mass[row];
                generator[row + MOTIONS][column] = -inverse * self.stiffness[row][column];
                generator[row + MOTIONS][column + MOTIONS] = -inverse * self.damping[row][column];
            }
        }
        let half = |sign: f64| {
            let mut matrix = generator.map(|row| row.map(|part| 0.5 * sign * h * part));
            for (index, row) in matrix.iter_mut().enumerate() {
                row[index] += 1.0;
            }
            matrix
        };
        let step = solve(half(-1.0), half(1.0));
        let settled = power(step, 1 << HALVINGS);
        let mut map = [[0.0; STATES]; STATES];
        for (row, settled) in map.iter_mut().zip(settled) {
            row[..2 * MOTIONS].copy_from_slice(&settled);
        }
        self.rest(&map)
    }
}

/// Adds `factor` times the product of a column and a row.
fn add_product(matrix: &mut Matrix<MOTIONS>, column: &Vector3, row: &Vector3, factor: f64) {
    for (sums, left) in matrix.iter_mut().zip(column) {
        for (sum, right) in sums.iter_mut().zip(row) {
            *sum += factor * left * right;
        }
    }
}

fn product<const N: usize>(left: &Matrix<N>, right: &Matrix<N>) -> Matrix<N> {
    let mut result = [[0.0; N]; N];
    for (sums, row) in result.iter_mut().zip(left) {
        for (factor, others) in row.iter().zip(right) {
            for (sum, other) in sums.iter_mut().zip(others) {
                *sum += factor * other;
            }
        }
    }
    result
}

fn power<const N: usize>(mut base: Matrix<N>, mut exponent: u64) -> Matrix<N> {
    let mut result = [[0.0; N]; N];
    for (index, row) in result.iter_mut().enumerate() {
        row[index] = 1.0;
    }
    while 0 < exponent {
        if exponent & 1 == 1 {
            result = product(&result, &base);
        }
        base = product(&base, &base);
        exponent >>= 1;
    }
    result
}

/// Largest size of an eigenvalue, from the growth of powers (Gelfand).
///
/// ```text
/// ρ = lim ‖A^n‖^(1/n)
/// ```
///
/// for `n` = 2^14: within a thousandth. Each power is divided by its norm, so that none overflows.
fn spectral_radius<const N: usize>(mut matrix: Matrix<N>) -> f64 {
    let mut norms = [0.0; SQUARINGS as usize];
    for norm in &mut norms {
        *norm = matrix.iter().flatten().map(|part| part * part).sum::<f64>().sqrt();
        if *norm == 0.0 {
            return 0.0;
        }
        matrix = matrix.map(|row| row.map(|part| part / *norm));
        matrix = product(&matrix, &matrix);
    }
    norms.iter().rev().fold(1.0_f64, |root, norm| norm * root.sqrt())
}

/// The matrix X of `left` X = `right`, by elimination with the largest pivot of each column.
fn solve<const N: usize>(mut left: Matrix<N>, mut right: Matrix<N>) -> Matrix<N> {
    for pivot in 0..N {
        let size = |row: &usize| left[*row][pivot].abs();
        let largest = (pivot..N).max_by(|a, b| size(a).total_cmp(&size(b))).unwrap_or(pivot);
        left.swap(pivot, largest);
        right.swap(pivot, largest);
        let inverse = 1.0 / left[pivot][pivot];
        left[pivot] = left[pivot].map(|part| part * inverse);
        right[pivot] = right[pivot].map(|part| part * inverse);
        let (left_pivot, right_pivot) = (left[pivot], right[pivot]);
        for row in (0..N).filter(|row| *row != pivot) {
            let factor = left[row][pivot];
            for column in 0..N {
                left[row][column] -= factor * left_pivot[column];
                right[row][column] -= factor * right_pivot[column];
            }
        }
    }
    right
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SimulationParams;
    use crate::blueprint::CarBlueprint;
    use crate::frame::Frame;
    use crate::suspension::unsprung::SuspensionDynamics;
    use crate::suspension::unsprung::laws::{DamperLaw, DamperSide};
    use crate::suspension::{AntiRollBarParams, StrutParams};

    /// A body that only bounces, on a spring of angular frequency `rate` (rad/s) and a damping
    /// ratio.
    fn bounce(rate: f64, ratio: f64) -> Ride {
        let mut ride = Ride {
            inverse_mass: [1.0, 0.0, 0.0],
            stiffness: [[0.0; MOTIONS]; MOTIONS],
            damping: [[0.0; MOTIONS]; MOTIONS],
        };
        ride.stiffness[0][0] = rate * rate;
        ride.damping[0][0] = 2.0 * ratio * rate;
        ride
    }

    #[test]
    fn one_mass_is_stable_up_to_the_step_of_theory() {
        // q'' = -ω² q - 2 ζ ω (q - p) / h is stable while ω h (ω h + 4 ζ) < 4.
        for (rate, ratio) in [(10.0, 0.0), (10.0, 0.3), (20.0, 1.0), (5.0, 3.0)] {
            let scaled = (4.0_f64 * ratio * ratio + 4.0).sqrt() - 2.0 * ratio;
            let limit = scaled / rate;
            for (step, is_stable) in [(0.98 * limit, true), (1.02 * limit, false)] {
                let ride = bounce(rate, ratio);
                let radius = spectral_radius(ride.frame(step, 1, BodyMover::Vehicle));
                assert_eq!(radius < UNSTABLE, is_stable, "{rate}, {ratio}, {step}: {radius}");
            }
        }
    }

    #[test]
    fn what_is_left_without_steps_is_that_of_theory() {
        // exp(-ζ ω t) of a weakly damped mass, within what the phase makes of place and speed.
        for (rate, ratio) in [(10.0_f64, 0.1_f64), (6.0, 0.05)] {
            let rest = bounce(rate, ratio).continuous_rest();
            let expected = (-ratio * rate).exp();
            assert!((rest / expected - 1.0).abs() < 0.15, "{rest}, not {expected}");
        }
        // A critically damped mass: (1 + ω t) exp(-ω t) of place, ω t exp(-ω t) of speed.
        let rest = bounce(3.0, 1.0).continuous_rest();
        assert!((rest - 5.0 * (-3.0_f64).exp()).abs() < 1e-3, "{rest}");
    }

    /// A car whose wheels follow the road at once.
    fn massless() -> CarBlueprint {
        CarBlueprint { ride: None, ..CarBlueprint::default() }
    }

    #[test]
    fn struts_ride_by_their_slopes_where_the_car_stands() {
        let forecast = |struts: Option<StrutParams>| {
            let mut params = massless().mechanics().unwrap();
            if let Some(strut) = struts {
                params.suspension_dynamics = SuspensionDynamics::Struts(vec![strut; 4]);
            }
            let simulation = SimulationParams::default();
            ride_forecast(&params, &Conditions::new(&simulation, 1.0 / 60.0, 1)).unwrap()
        };
        assert_eq!(forecast(Some(StrutParams::default())), forecast(None));
        let with_rebound = |rate: Real| StrutParams {
            damper: Some(DamperLaw {
                bump: DamperSide::linear(500.0),
                rebound: DamperSide::linear(rate),
            }),
            ..StrutParams::default()
        };
        assert!(!forecast(Some(with_rebound(3_000.0))).is_unstable());
        assert!(forecast(Some(with_rebound(60_000.0))).is_unstable());
        // 20 kN/m up to where 3 kN rest, then a wall.
        let wall = vec![(0.0, 0.0), (0.1, 2_000.0), (0.11, 60_000.0)];
        assert!(
            forecast(Some(StrutParams { spring: wall, ..StrutParams::default() })).is_unstable()
        );
    }

    #[test]
    fn springs_of_a_car_are_those_of_its_corners() {
        let car = CarBlueprint { anti_roll_stiffness: [0.0; 2], ..massless() };
        let mut params = car.mechanics().unwrap();
        let simulation = SimulationParams::default();
        let conditions = Conditions::new(&simulation, 1.0 / 60.0, 3);
        let ride = Ride::new(&params, &conditions).unwrap();
        let springs = params.suspension_forces.iter().map(|spring| f64::from(spring.stiffness));
        let sum: f64 = springs.sum();
        let half_track = f64::from(0.5 * car.track_width);
        assert!((ride.stiffness[0][0] / sum - 1.0).abs() < 1e-6);
        let roll = sum * half_track * half_track;
        assert!((ride.stiffness[1][1] / roll - 1.0).abs() < 1e-4, "{:?}", ride.stiffness);
        // Loads that balance do not couple bounce and pitch.
        assert!(ride.stiffness[0][2].abs() < 1e-2 * sum, "{:?}", ride.stiffness);

        // κ (2 b)² with b half of the track width.
        let expected = ride.stiffness[1][1] + 1e4 * 4.0 * half_track * half_track;
        for action in [AntiRollAction::Wheels, AntiRollAction::Body] {
            let bar = AntiRollBarParams { action, ..AntiRollBarParams::new([0, 1], 1e4) };
            params.anti_roll_bars = vec![bar];
            let stiffer = Ride::new(&params, &conditions).unwrap().stiffness;
            let roll = stiffer[1][1];
            assert!((roll / expected - 1.0).abs() < 1e-4, "{action:?}: {roll}, not {expected}");
            assert!(stiffer[0][1].abs() < 1e-3 * sum, "{action:?}: {stiffer:?}");
        }
    }

    #[test]
    fn forecasts_are_the_same_in_all_axes() {
        let forecast = |frame: Frame| {
            let car = CarBlueprint { frame, natural_frequency: 3.0, ..massless() };
            let simulation = SimulationParams::new(frame);
            let conditions = Conditions::new(&simulation, 1.0 / 30.0, 1);
            ride_forecast(&car.mechanics().unwrap(), &conditions).unwrap()
        };
        let first = forecast(Frame::Y_UP);
        for frame in Frame::all() {
            let other = forecast(frame);
            assert!((other.growth - first.growth).abs() < 1e-3, "{frame:?}: {other:?}, {first:?}");
            assert_eq!(other.needed_substeps, first.needed_substeps);
        }
    }
}
