//! The clutch with everything that hangs on it, solved together: tires, brakes, groups of wheels.

use wide::f64x4;

use super::coupler::Pairs;
use super::joined::{JoinedWheels, added};
use super::shaft::FourWheels;
use super::side_by_side::{ClutchFours, CoupledFours, FourClutchWheels};
use super::{ClutchEngine, ClutchSolution, ClutchSystem};
use crate::math::bracket::Bracket;
use crate::math::lanes::{Lanes, MAX_LANES};
use crate::math::{Clamped, Real};
use crate::wheel_list::{Fours, MAX_FOURS, MAX_WHEELS, place};

/// Most steps towards the torque of the clutch. Each but the last finds something that grips,
/// slides, is held or turns otherwise than at the step before, or halves what is left. They are a
/// dozen at most in the thousands of hard systems of the tests.
const MAX_STEPS: usize = 4 * MAX_WHEELS;
/// Largest residual of the equation, as a part of the sum of its speeds (dimensionless).
const TOLERANCE: f64 = 1e-13;

/// Solves `system` for the end of a step of `dt` (s).
///
/// Given the torque `τ` of the clutch, each wheel is on its own, and so is the engine:
///
/// ```text
/// A ω = F - p τ + T_tire(ω) ± B,   A = I/dt + c,   F = I ω₀/dt + T,   p = G r
/// T_tire = T_0 - κ (ω - ω₀)  where that is within ± max torque, else that
/// ω = 0  where  |F - p τ + T_tire(0)| ≤ B,   B = brake torque
/// ```
///
/// So a tire grips or slides as the end of the step demands, whatever it did at the start. Wheels
/// that turn as one count as one, with their momentum: the sums of `m` times these equations, so
/// that none is lost where they push each other. What is left is one equation for `τ`, that the
/// clutch transmits what its slip gives:
///
/// ```text
/// τ/K - G Σ α g ω(τ) + ω_E(τ) = 0
/// ```
///
/// or, where that is beyond the capacity `C` of the clutch, `τ = ±C`, in the direction of the slip.
/// Its left side rises without end, in straight pieces. Newton's method finds the root at once if
/// all tires grip and no brake acts. Each change of what slides and of what the brakes hold takes a
/// few steps more. A bracket keeps it from going round. The cost is proportional to the number of
/// wheels. Sums are formed in 64 bits: a strong clutch makes differences of large numbers.
pub fn solve(system: &ClutchSystem, dt: Real) -> ClutchSolution {
    let wheel_count = system.wheels.len();
    let fours = system.wheels.chunks(MAX_LANES).map(FourClutchWheels::of).collect();
    let side_by_side = system.with_wheels(ClutchFours::<MAX_FOURS> { wheel_count, fours });
    let solution = solve_side_by_side(&side_by_side, dt);
    let wheels = (0..wheel_count).map(place).map(|(four, lane)| solution.wheels[four].lane(lane));
    ClutchSolution {
        engine_speed: solution.engine_speed,
        clutch_torque: solution.clutch_torque,
        wheels: wheels.collect(),
    }
}

/// [Solves](solve) `system`, whose wheels are in lanes of four, for the end of a step of `dt` (s).
#[inline]
pub fn solve_side_by_side<const FOURS: usize>(
    system: &ClutchSystem<ClutchFours<FOURS>>,
    dt: Real,
) -> ClutchSolution<CoupledFours<FOURS>> {
    let per_dt = 1.0 / f64::from(dt);
    let (gear_ratio, mut is_single) = (f64::from(system.gear_ratio), single_wheels(system));
    if let [wheels] = &system.wheels.fours[..] {
        // Up to four wheels need no list.
        let wheels = [FourWheels::any_of(wheels, gear_ratio, per_dt, is_single)];
        return solve_with(system, &wheels, per_dt);
    }
    // Lists have room for the most wheels: they are filled where they stand, not moved.
    let mut wheels = Fours::<_, MAX_FOURS>::new();
    for four in &system.wheels.fours {
        wheels.push(FourWheels::any_of(four, gear_ratio, per_dt, is_single));
        is_single >>= MAX_LANES;
    }
    solve_with(system, &wheels, per_dt)
}

/// Solves `system`, of these `wheels`; `per_dt` is 1/dt (1/s).
#[inline(always)]
fn solve_with<const FOURS: usize>(
    system: &ClutchSystem<ClutchFours<FOURS>>,
    wheels: &[Option<FourWheels>],
    per_dt: f64,
) -> ClutchSolution<CoupledFours<FOURS>> {
    let (mut joined, mut pairs) = (JoinedWheels::none(), Pairs::none());
    joined.add(system, per_dt);
    pairs.add(system, per_dt);
    let engine = Engine::new(&system.engine, per_dt);
    let unclutched = Unclutched { engine, wheels, joined: &joined, pairs: &pairs };
    let torque = unclutched.clutch_torque(f64::from(system.strength), f64::from(system.capacity));
    unclutched.solution(torque)
}

/// The system without its clutch.
struct Unclutched<'a> {
    engine: Engine,
    /// Four by four; none of four that are all joined or coupled with others.
    wheels: &'a [Option<FourWheels>],
    joined: &'a JoinedWheels,
    pairs: &'a Pairs,
}

/// A bit for each wheel of `system`, set where it is neither joined nor coupled with others.
#[inline]
fn single_wheels<const FOURS: usize>(system: &ClutchSystem<ClutchFours<FOURS>>) -> u64 {
    let mut bits = u64::MAX >> (MAX_WHEELS - system.wheels.wheel_count.clamped(1, MAX_WHEELS));
    if system.wheels.fours.iter().any(FourClutchWheels::has_constraint) {
        for number in 0..system.wheels.wheel_count {
            bits &= !(u64::from(system.wheels.group_of(number).is_some()) << number);
        }
    }
    let coupled = system.couplers.iter().filter(|coupler| coupler.acts_in(&system.wheels));
    coupled.flat_map(|coupler| coupler.wheels).fold(bits, |bits, place| bits & !(1 << place))
}

impl Unclutched<'_> {
    /// The end of the step under the torque `clutch`.
    #[inline]
    fn solution<const FOURS: usize>(&self, clutch: f64) -> ClutchSolution<CoupledFours<FOURS>> {
        let (engine_speed, _) = self.engine.speed(clutch);
        let mut wheels = Fours::new();
        for four in self.wheels {
            wheels.push(four.as_ref().map_or_else(Default::default, |four| four.at_end(clutch)));
        }
        self.joined.write(clutch, &mut wheels);
        self.pairs.write(clutch, &mut wheels);
        ClutchSolution { engine_speed: engine_speed as Real, clutch_torque: clutch as Real, wheels }
    }

    /// Torque that a clutch of `strength` (N·m·s) and `capacity` (N·m) transmits (N·m).
    #[inline]
    fn clutch_torque(&self, strength: f64, capacity: f64) -> f64 {
        if strength <= 0.0 || capacity <= 0.0 {
            return 0.0;
        }
        let compliance = 1.0 / strength;
        let mut bracket = Bracket::new(-capacity, capacity);
        let mut torque = self.plain_torque(compliance).max(-capacity).min(capacity);
        for _ in 0..MAX_STEPS {
            let Balance { excess, slope, size } = self.balance(torque, compliance);
            // Numbers that are none leave nothing to look for.
            let is_left = TOLERANCE * size < excess.abs();
            if !is_left {
                break;
            }
            let next = bracket.step(torque, excess, slope);
            if next == torque {
                break;
            }
            torque = next;
        }
        torque
    }

    /// Torque of the clutch if all tires gripped, wheels with friction between them turned alike,
    /// no brake acted and the engine were in its range (N·m). Where that is so, it is the root.
    #[inline]
    fn plain_torque(&self, compliance: f64) -> f64 {
        let (mut speeds, mut responses) = (f64x4::ZERO, f64x4::ZERO);
        for wheels in self.wheels.iter().flatten() {
            let (speed, response) = wheels.at_open_clutch();
            speeds += speed;
            responses += response;
        }
        let of_others = added(self.joined.at_open_clutch(), self.pairs.at_open_clutch());
        let [speed, response] = added([sum(speeds), sum(responses)], of_others);
        let Engine { torque, mobility, .. } = self.engine;
        let plain = (speed - torque * mobility) / (compliance + mobility + response);
        if plain.is_finite() { plain } else { 0.0 }
    }

    /// The equation for the torque of the clutch, at `torque` (N·m).
    #[inline]
    fn balance(&self, torque: f64, compliance: f64) -> Balance {
        let (mut speeds, mut responses, mut sizes) = (f64x4::ZERO, f64x4::ZERO, f64x4::ZERO);
        for wheels in self.wheels.iter().flatten() {
            let (speed, response) = wheels.at_clutch(torque);
            speeds += speed;
            responses += response;
            sizes += speed.abs();
        }
        let (engine_speed, engine_response) = self.engine.speed(torque);
        let mut sums = [sum(speeds), sum(responses), sum(sizes)];
        for of_others in [self.joined.at_clutch(torque), self.pairs.at_clutch(torque)] {
            sums = std::array::from_fn(|index| sums[index] + of_others[index]);
        }
        let [speed, response, size] = sums;
        Balance {
            excess: compliance * torque + engine_speed - speed,
            slope: compliance + engine_response + response,
            size: engine_speed.abs() + size,
        }
    }
}

/// Sum over the lanes, in an order that is the same on every platform.
#[inline]
fn sum(lanes: f64x4) -> f64 {
    let [first, second, third, fourth] = lanes.to_array();
    (first + second) + (third + fourth)
}

/// How far the clutch is from transmitting what its slip gives.
struct Balance {
    /// Left side of the equation (rad/s).
    excess: f64,
    /// Slope of the balance against the torque (rad/s per N·m), positive.
    slope: f64,
    /// Sum of its speeds without their signs (rad/s).
    size: f64,
}

/// The engine: what it does follows from the torque of the clutch.
struct Engine {
    torque: f64,
    /// Speed per torque (rad/s per N·m).
    mobility: f64,
    speed_range: [f64; 2],
}

impl Engine {
    #[inline]
    fn new(engine: &ClutchEngine, per_dt: f64) -> Self {
        let per_time = f64::from(engine.inertia) * per_dt;
        Self {
            torque: per_time * f64::from(engine.rotation_speed) + f64::from(engine.torque),
            mobility: 1.0 / (per_time + f64::from(engine.damping_rate)),
            speed_range: engine.speed_range.map(f64::from),
        }
    }

    /// Rotation speed under the torque `clutch` (rad/s), and how fast it rises with it.
    #[inline]
    fn speed(&self, clutch: f64) -> (f64, f64) {
        let speed = (self.torque + clutch) * self.mobility;
        let [low, high] = self.speed_range;
        if speed < low {
            (low, 0.0)
        } else if high < speed {
            (high, 0.0)
        } else {
            (speed, self.mobility)
        }
    }
}
