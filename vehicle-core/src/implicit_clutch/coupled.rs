//! The clutch with everything that hangs on it, solved together: tires, brakes, groups of wheels.

use super::{ClutchEngine, ClutchSolution, ClutchSystem, ClutchWheel};
use crate::math::Real;
use crate::per_wheel::{MAX_WHEELS, WheelRefs};
use crate::wheel_rotation::CoupledWheel;

/// Most tests of whether tires have reached the limit of friction. One that has keeps its torque, so
/// that there are never more than two where wheels are free.
const MAX_PASSES: usize = 4;
/// Most steps towards the torque of the clutch. Each but the last finds a wheel that its brake holds
/// or lets go.
const MAX_STEPS: usize = 2 * MAX_WHEELS;
/// What may be left of the equation, as a part of its largest term (dimensionless).
const TOLERANCE: f64 = 1e-13;

/// Solves `system` for the end of a step of `dt` (s).
///
/// Given the torque `τ` of the clutch, each wheel is on its own, and so is the engine:
///
/// ```text
/// A ω = F - p τ ± B,   A = I/dt + c + κ,   F = I ω₀/dt + T + T_tire + κ ω₀,   p = G r
/// ω = 0  where  |F - p τ| ≤ B,    B = brake torque
/// ```
///
/// Wheels that turn as one count as one, with their momentum: `A = Σ m² A_i`, `F = Σ m F_i`,
/// `B = Σ |m| B_i`, so that none is lost where they push each other. What is left is one equation
/// for `τ`, that the clutch transmits what its slip gives:
///
/// ```text
/// τ/K - G Σ α g ω(τ) + ω_E(τ) = 0
/// ```
///
/// Its left side rises without end, in straight pieces: Newton's method finds the root at once if no
/// brake acts, and a few steps after each change of what the brakes hold. The cost is proportional
/// to the number of wheels. Sums are formed in 64 bits: a strong clutch makes differences of large
/// numbers.
pub fn solve<const WHEELS: usize>(
    system: &ClutchSystem<WHEELS>,
    dt: Real,
) -> ClutchSolution<WHEELS> {
    let mut tires = WheelRefs::<_, WHEELS>::new();
    for wheel in &system.wheels {
        tires.push(Tire::new(wheel));
    }
    let mut shafts = Shafts::new(system, dt);
    let mut solution =
        ClutchSolution { engine_speed: 0.0, clutch_torque: 0.0, wheels: WheelRefs::new() };
    for _ in 0..MAX_PASSES {
        shafts.carry(system, &tires);
        shafts.solve(system, &tires, &mut solution);
        if !saturate(system, &solution.wheels, &mut tires) {
            break;
        }
    }
    solution
}

/// Holds the torque of tires at the limit of friction where that of `solved` wheels exceeds it;
/// whether any did.
fn saturate<const WHEELS: usize>(
    system: &ClutchSystem<WHEELS>,
    solved: &[CoupledWheel],
    tires: &mut [Tire],
) -> bool {
    let mut any = false;
    for ((wheel, solved), tire) in system.wheels.iter().zip(solved).zip(tires) {
        let limit = wheel.tire.max_torque;
        if limit < solved.tire_torque.abs() {
            let torque = f64::from(limit.copysign(solved.tire_torque));
            *tire = Tire { torque, resistance: 0.0 };
            any = true;
        }
    }
    any
}

/// The torque of a tire as it stands in the equations.
#[derive(Clone, Copy)]
struct Tire {
    torque: f64,
    resistance: f64,
}

impl Tire {
    fn new(wheel: &ClutchWheel) -> Self {
        let (torque, resistance) = (wheel.tire.torque, wheel.tire.resistance);
        Self { torque: f64::from(torque), resistance: f64::from(resistance) }
    }
}

/// A wheel, or wheels that turn as one: what it does follows from the torque of the clutch.
#[derive(Clone, Copy)]
struct Shaft {
    /// A (N·m·s).
    resistance: f64,
    /// F (N·m).
    torque: f64,
    /// B (N·m).
    brake: f64,
    /// p (dimensionless).
    torque_ratio: f64,
    /// Speed at the clutch per speed of the shaft, G Σ α g m (dimensionless).
    speed_ratio: f64,
    /// 1/A (rad/s per N·m).
    mobility: f64,
    /// How fast the speed at the clutch falls with its torque while the shaft turns (rad/s per N·m).
    response: f64,
}

impl Shaft {
    /// The shaft of a single wheel.
    #[inline]
    fn of(wheel: &ClutchWheel, tire: &Tire, gear_ratio: f64, per_dt: f64) -> Self {
        let multiplier = wheel.speed_multiplier();
        let per_time = f64::from(wheel.inertia) * per_dt;
        let speed = f64::from(wheel.rotation_speed);
        let resistance = per_time + f64::from(wheel.damping_rate) + tire.resistance;
        let torque =
            (per_time + tire.resistance) * speed + f64::from(wheel.torques.drive) + tire.torque;
        Self {
            resistance: multiplier * multiplier * resistance,
            torque: multiplier * torque,
            brake: multiplier.abs() * f64::from(wheel.torques.brake),
            torque_ratio: multiplier * gear_ratio * f64::from(wheel.torque_ratio),
            speed_ratio: multiplier * gear_ratio * f64::from(wheel.signed_speed_ratio()),
            mobility: 0.0,
            response: 0.0,
        }
    }

    /// Hangs the wheel of `other` on this shaft, too.
    fn add(&mut self, other: &Self) {
        self.resistance += other.resistance;
        self.torque += other.torque;
        self.brake += other.brake;
        self.torque_ratio += other.torque_ratio;
        self.speed_ratio += other.speed_ratio;
    }

    /// Finds how the shaft answers to torques, when all its wheels are on it.
    #[inline]
    fn complete(&mut self) {
        self.mobility = 1.0 / self.resistance;
        // Shares of torque and speed of opposite signs would make a machine that drives itself.
        self.response = (self.speed_ratio * self.torque_ratio).max(0.0) * self.mobility;
    }

    /// Rotation speed under the torque `clutch` (rad/s).
    #[inline]
    fn speed(&self, clutch: f64) -> f64 {
        let torque = self.torque - self.torque_ratio * clutch;
        let left = torque.abs() - self.brake;
        if left <= 0.0 { 0.0 } else { left.copysign(torque) * self.mobility }
    }

    /// Rotation speed at the clutch, and how fast it falls with the torque of the clutch.
    #[inline]
    fn at_clutch(&self, clutch: f64) -> (f64, f64) {
        let speed = self.speed(clutch);
        (self.speed_ratio * speed, if speed == 0.0 { 0.0 } else { self.response })
    }
}

/// The system without its clutch.
struct Shafts<const WHEELS: usize> {
    shafts: WheelRefs<Shaft, WHEELS>,
    /// Number of each wheel's shaft.
    of_wheel: WheelRefs<u8, WHEELS>,
    engine: Engine,
    /// 1/dt (1/s).
    per_dt: f64,
}

impl<const WHEELS: usize> Shafts<WHEELS> {
    /// The engine, and which wheels turn as one.
    #[inline]
    fn new(system: &ClutchSystem<WHEELS>, dt: Real) -> Self {
        let per_dt = 1.0 / f64::from(dt);
        let engine = Engine::new(&system.engine, per_dt);
        let mut of_wheel = WheelRefs::new();
        let (mut of_group, mut count) = ([None; WHEELS], 0);
        for wheel in &system.wheels {
            let group = wheel.constraint.map(|constraint| usize::from(constraint.group));
            let known = group.and_then(|group| of_group.get_mut(group));
            let shaft = known.map_or(count, |known| *known.get_or_insert(count));
            count = count.max(shaft + 1);
            of_wheel.push(shaft);
        }
        Self { shafts: WheelRefs::new(), of_wheel, engine, per_dt }
    }

    /// Hangs the wheels of `system` on their shafts, with `tires` as they stand.
    #[inline]
    fn carry(&mut self, system: &ClutchSystem<WHEELS>, tires: &[Tire]) {
        self.shafts.clear();
        let gear_ratio = f64::from(system.gear_ratio);
        for ((wheel, tire), &shaft) in system.wheels.iter().zip(tires).zip(&self.of_wheel) {
            let single = Shaft::of(wheel, tire, gear_ratio, self.per_dt);
            match self.shafts.get_mut(usize::from(shaft)) {
                Some(shaft) => shaft.add(&single),
                None => self.shafts.push(single),
            }
        }
        for shaft in &mut self.shafts {
            shaft.complete();
        }
    }

    #[inline]
    fn solve(
        &self,
        system: &ClutchSystem<WHEELS>,
        tires: &[Tire],
        solution: &mut ClutchSolution<WHEELS>,
    ) {
        let clutch_torque = self.clutch_torque(f64::from(system.strength));
        solution.wheels.clear();
        for ((wheel, tire), &shaft) in system.wheels.iter().zip(tires).zip(&self.of_wheel) {
            let shaft = &self.shafts[usize::from(shaft)];
            let speed = shaft.speed(clutch_torque) * wheel.speed_multiplier();
            let change = speed - f64::from(wheel.rotation_speed);
            solution.wheels.push(CoupledWheel {
                rotation_speed: speed as Real,
                tire_torque: (tire.torque - tire.resistance * change) as Real,
            });
        }
        solution.engine_speed = self.engine.speed(clutch_torque).0 as Real;
        solution.clutch_torque = clutch_torque as Real;
    }

    /// Torque that a clutch of `strength` (N·m·s) transmits (N·m).
    #[inline]
    fn clutch_torque(&self, strength: f64) -> f64 {
        if strength <= 0.0 {
            return 0.0;
        }
        let compliance = 1.0 / strength;
        let (mut torque, mut low, mut high) = (0.0, f64::NEG_INFINITY, f64::INFINITY);
        for _ in 0..MAX_STEPS {
            let Balance { excess, slope, size } = self.balance(torque, compliance);
            let newton = torque - excess / slope;
            if excess.abs() <= TOLERANCE * size || newton == torque {
                break;
            }
            if excess < 0.0 {
                low = torque;
            } else {
                high = torque;
            }
            torque = if low < newton && newton < high { newton } else { 0.5 * (low + high) };
        }
        torque
    }

    /// The equation for the torque of the clutch, at `torque` (N·m).
    #[inline]
    fn balance(&self, torque: f64, compliance: f64) -> Balance {
        let (engine_speed, engine_response) = self.engine.speed(torque);
        let engine = Balance {
            excess: compliance * torque + engine_speed,
            slope: compliance + engine_response,
            size: engine_speed.abs(),
        };
        self.shafts.iter().fold(engine, |sum, shaft| {
            let (speed, response) = shaft.at_clutch(torque);
            Balance {
                excess: sum.excess - speed,
                slope: sum.slope + response,
                size: sum.size.max(speed.abs()),
            }
        })
    }
}

/// How far the clutch is from transmitting what its slip gives.
struct Balance {
    /// Left side of the equation (rad/s).
    excess: f64,
    /// Its slope against the torque (rad/s per N·m), positive.
    slope: f64,
    /// Its largest speed (rad/s).
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
