//! The solver of engine, clutch and wheels beside one that tries every combination of what grips,
//! slides, holds and turns, on random systems that are hard on purpose.

use vehicle_core::WheelRefs;
use vehicle_core::implicit_clutch::{
    ClutchEngine, ClutchSolution, ClutchSystem, ClutchWheel, FrictionCoupler, FrictionCouplers,
    WheelConstraint, solve,
};
use vehicle_core::math::{Real, sign};
use vehicle_core::wheel_rotation::{TireTorque, WheelTorques};

/// Random systems that are compared.
const SYSTEMS: u64 = 4_000;
/// By how much an inequality may be missed, as a part of the torques in it (dimensionless).
const SLACK: f64 = 1e-9;
/// Largest difference of a speed, as a part of the largest speed (dimensionless): 32 bits.
const SPEED_TOLERANCE: f64 = 1e-6;

/// Pseudo-random numbers (SplitMix64).
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn within(&mut self, low: Real, high: Real) -> Real {
        low + (high - low) * (self.bits() >> 40) as Real / (1_u64 << 24) as Real
    }

    /// As likely within any power of ten.
    fn power(&mut self, low: Real, high: Real) -> Real {
        10.0_f32.powf(self.within(low.log10(), high.log10()))
    }

    fn one_in(&mut self, count: u64) -> bool {
        self.bits().is_multiple_of(count)
    }
}

/// A wheel whose tire is near or beyond its limit, and stiff enough to come back from there.
fn hard_wheel(random: &mut Random, constraint: Option<WheelConstraint>) -> ClutchWheel {
    let max_torque = random.power(10.0, 3e3);
    ClutchWheel {
        rotation_speed: random.within(-60.0, 60.0),
        inertia: random.power(0.3, 10.0),
        damping_rate: random.within(0.0, 1.0),
        torques: WheelTorques {
            drive: random.within(-200.0, 200.0),
            brake: if random.one_in(2) { random.within(0.0, 2e3) } else { 0.0 },
        },
        tire: TireTorque {
            torque: random.within(-1.5, 1.5) * max_torque,
            resistance: random.power(1.0, 3e4),
            max_torque,
        },
        torque_ratio: random.within(0.05, 1.0),
        speed_ratio: random.within(0.05, 1.0),
        constraint,
    }
}

/// A system of one to four wheels, of which the last two may turn as one.
fn hard_system(random: &mut Random) -> ClutchSystem {
    let count = 1 + random.bits() % 4;
    let is_grouped = 2 <= count && random.one_in(3);
    let mut wheels = WheelRefs::new();
    for index in 0..count {
        let speed_multiplier = if index + 1 == count { random.within(0.5, 2.0) } else { 1.0 };
        let member = WheelConstraint { group: 1, speed_multiplier };
        let constraint = (is_grouped && count <= index + 2).then_some(member);
        wheels.push(hard_wheel(random, constraint));
    }
    let torques: Real = wheels.iter().map(|wheel| wheel.torque_ratio).sum();
    let speeds: Real = wheels.iter().map(|wheel| wheel.speed_ratio).sum();
    for wheel in &mut wheels {
        wheel.torque_ratio /= torques;
        wheel.speed_ratio /= speeds;
    }
    let engine = ClutchEngine {
        rotation_speed: random.within(0.0, 700.0),
        inertia: random.power(0.05, 2.0),
        damping_rate: random.within(0.0, 1.0),
        torque: random.within(-100.0, 600.0),
        speed_range: if random.one_in(3) { [80.0, 650.0] } else { [0.0, Real::INFINITY] },
    };
    let direction = if random.one_in(4) { -1.0 } else { 1.0 };
    ClutchSystem {
        strength: random.power(1.0, 1e6),
        capacity: if random.one_in(2) { random.power(10.0, 1e3) } else { Real::INFINITY },
        gear_ratio: direction * random.within(2.0, 20.0),
        engine,
        wheels,
        couplers: FrictionCouplers::new(),
    }
}

/// A value that is a line over the torque of the clutch: at no torque, and per torque.
type Line = [f64; 2];

fn at([start, slope]: Line, torque: f64) -> f64 {
    start + slope * torque
}

/// What one part of a system does: nothing special, or it is at its upper or lower limit.
const MODES: [f64; 3] = [0.0, 1.0, -1.0];

/// The system of the formulas, in 64 bits, with its wheels sorted by shaft.
struct Enumeration<'a> {
    system: &'a ClutchSystem,
    per_dt: f64,
    shafts: Vec<Vec<usize>>,
}

/// The modes of all parts.
#[derive(Clone)]
struct Modes {
    engine: f64,
    /// 0 sticks, else the sign of the torque at which it slips.
    clutch: f64,
    /// Of each wheel: 0 grips, else it slides.
    tires: Vec<f64>,
    /// Of each shaft: 0 is held, else the direction in which it turns.
    brakes: Vec<f64>,
}

impl<'a> Enumeration<'a> {
    fn new(system: &'a ClutchSystem, dt: Real) -> Self {
        let mut shafts: Vec<Vec<usize>> = Vec::new();
        let mut group: Vec<usize> = Vec::new();
        for (index, wheel) in system.wheels.iter().enumerate() {
            match wheel.constraint {
                Some(_) => group.push(index),
                None => shafts.push(vec![index]),
            }
        }
        shafts.extend((!group.is_empty()).then_some(group));
        Self { system, per_dt: 1.0 / f64::from(dt), shafts }
    }

    fn multiplier(&self, wheel: usize) -> f64 {
        let constraint = self.system.wheels[wheel].constraint;
        constraint.map_or(1.0, |constraint| f64::from(constraint.speed_multiplier))
    }

    /// Speed of `shaft` and torque that its brake would need to hold it, over that of the clutch.
    fn shaft(&self, shaft: usize, modes: &Modes) -> (Line, Line) {
        let (mut resistance, mut torque, mut share, mut brake) = (0.0, 0.0, 0.0, 0.0);
        for &index in &self.shafts[shaft] {
            let (wheel, multiplier) = (&self.system.wheels[index], self.multiplier(index));
            let per_time = f64::from(wheel.inertia) * self.per_dt;
            let speed = f64::from(wheel.rotation_speed);
            let tire = &wheel.tire;
            let (of_tire, slope) = if modes.tires[index] == 0.0 {
                let slope = f64::from(tire.resistance);
                (f64::from(tire.torque) + slope * speed, slope)
            } else {
                (modes.tires[index] * f64::from(tire.max_torque), 0.0)
            };
            resistance += multiplier.powi(2) * (per_time + f64::from(wheel.damping_rate) + slope);
            torque += multiplier * (per_time * speed + f64::from(wheel.torques.drive) + of_tire);
            share += multiplier * f64::from(self.system.gear_ratio * wheel.torque_ratio);
            brake += multiplier.abs() * f64::from(wheel.torques.brake);
        }
        let mode = modes.brakes[shaft];
        let turning = [(torque - mode * brake) / resistance, -share / resistance];
        (if mode == 0.0 { [0.0; 2] } else { turning }, [torque, -share])
    }

    fn engine(&self, mode: f64) -> (Line, Line) {
        let engine = &self.system.engine;
        let per_time = f64::from(engine.inertia) * self.per_dt;
        let resistance = per_time + f64::from(engine.damping_rate);
        let torque = per_time * f64::from(engine.rotation_speed) + f64::from(engine.torque);
        let free = [torque / resistance, 1.0 / resistance];
        let [low, high] = engine.speed_range.map(f64::from);
        let held = if mode < 0.0 { low } else { high };
        (if mode == 0.0 { free } else { [held, 0.0] }, free)
    }

    /// Speeds of wheels and engine under `modes`, if they are what these modes lead to.
    fn solved(&self, modes: &Modes) -> Option<Vec<f64>> {
        let (engine, free_engine) = self.engine(modes.engine);
        let shafts: Vec<_> = (0..self.shafts.len()).map(|shaft| self.shaft(shaft, modes)).collect();
        let mut slip = [-engine[0], -engine[1]];
        for (wheels, (speed, _)) in self.shafts.iter().zip(&shafts) {
            for &index in wheels {
                let wheel = &self.system.wheels[index];
                let ratio = f64::from(self.system.gear_ratio * wheel.speed_ratio)
                    * f64::from(sign(wheel.torque_ratio))
                    * self.multiplier(index);
                slip = [slip[0] + ratio * speed[0], slip[1] + ratio * speed[1]];
            }
        }
        let sticking = slip[0] / (1.0 / f64::from(self.system.strength) - slip[1]);
        let capacity = f64::from(self.system.capacity);
        let clutch = if modes.clutch == 0.0 { sticking } else { modes.clutch * capacity };
        let full_slip = capacity / f64::from(self.system.strength);
        let is_clutch = if modes.clutch == 0.0 {
            clutch.abs() <= capacity * (1.0 + SLACK)
        } else {
            clutch.is_finite() && full_slip * (1.0 - SLACK) <= modes.clutch * at(slip, clutch)
        };
        let [low, high] = self.system.engine.speed_range.map(f64::from);
        let free = at(free_engine, clutch);
        let is_engine = match modes.engine {
            0.0 => low - SLACK * low <= free && free <= high * (1.0 + SLACK),
            mode if mode < 0.0 => free <= low,
            _ => high <= free,
        };
        let is_valid = is_engine && is_clutch && self.are_held(modes, &shafts, clutch);
        let mut speeds = vec![0.0; self.system.wheels.len()];
        for (wheels, (speed, _)) in self.shafts.iter().zip(&shafts) {
            for &index in wheels {
                speeds[index] = at(*speed, clutch) * self.multiplier(index);
            }
        }
        let is_valid = is_valid && self.are_tires(modes, &speeds);
        speeds.push(at(engine, clutch));
        is_valid.then_some(speeds)
    }

    fn are_held(&self, modes: &Modes, shafts: &[(Line, Line)], clutch: f64) -> bool {
        shafts.iter().zip(&self.shafts).zip(&modes.brakes).all(
            |(((speed, torque), wheels), mode)| {
                let brake = |&wheel: &usize| {
                    self.multiplier(wheel).abs()
                        * f64::from(self.system.wheels[wheel].torques.brake)
                };
                let brake: f64 = wheels.iter().map(brake).sum();
                if *mode == 0.0 {
                    let needed = at(*torque, clutch).abs();
                    needed <= brake + SLACK * needed
                } else {
                    0.0 <= mode * at(*speed, clutch)
                }
            },
        )
    }

    fn are_tires(&self, modes: &Modes, speeds: &[f64]) -> bool {
        let wheels = self.system.wheels.iter().zip(&modes.tires).zip(speeds);
        wheels.into_iter().all(|((wheel, mode), speed)| {
            let (wanted, size) = wanted_torque(wheel, *speed);
            let max = f64::from(wheel.tire.max_torque);
            let slack = SLACK * size.max(max);
            if *mode == 0.0 { wanted.abs() <= max + slack } else { max - slack <= mode * wanted }
        })
    }

    /// Speeds of wheels and engine under the only modes that lead to themselves.
    fn solution(&self) -> Vec<f64> {
        let (wheels, shafts) = (self.system.wheels.len(), self.shafts.len());
        let parts = 2 + wheels + shafts;
        let found = (0..3_usize.pow(parts as u32)).find_map(|number| {
            let mode = |part: usize| MODES[number / 3_usize.pow(part as u32) % 3];
            let modes = Modes {
                engine: mode(0),
                clutch: mode(1),
                tires: (2..2 + wheels).map(mode).collect(),
                brakes: (2 + wheels..parts).map(mode).collect(),
            };
            self.solved(&modes)
        });
        found.unwrap_or_else(|| panic!("no modes lead to themselves: {:?}", self.system))
    }
}

/// Torque that the tire of `wheel` would have at `speed` without a limit, and the size of its terms
/// (N·m).
fn wanted_torque(wheel: &ClutchWheel, speed: f64) -> (f64, f64) {
    let (torque, slope) = (f64::from(wheel.tire.torque), f64::from(wheel.tire.resistance));
    let start = f64::from(wheel.rotation_speed);
    let size = torque.abs() + slope * (start.abs() + speed.abs());
    (torque - slope * (speed - start), size)
}

/// Whether each tire has the torque that its law gives it at the speed of its wheel.
fn tires_keep_their_law(system: &ClutchSystem, solution: &ClutchSolution) -> bool {
    system.wheels.iter().zip(&solution.wheels).all(|(wheel, solved)| {
        let (wanted, size) = wanted_torque(wheel, f64::from(solved.rotation_speed));
        let max = f64::from(wheel.tire.max_torque);
        let error = (f64::from(solved.tire_torque) - wanted.clamp(-max, max)).abs();
        error <= SPEED_TOLERANCE * size.max(max)
    })
}

#[test]
fn tires_return_to_grip_and_clutches_stick_or_slip_as_every_combination_says() {
    let mut random = Random(1);
    let (mut lawless, mut elsewhere, mut farthest) = (0, 0, 0.0_f64);
    let mut example = None;
    for _ in 0..SYSTEMS {
        let system = hard_system(&mut random);
        let dt = random.power(1e-3, 0.03);
        let solution = solve(&system, dt);
        let expected = Enumeration::new(&system, dt).solution();
        let speeds = solution.wheels.iter().map(|wheel| wheel.rotation_speed);
        let speeds = speeds.chain([solution.engine_speed]).map(f64::from);
        let errors = speeds.zip(&expected).map(|(actual, expected)| (actual - expected).abs());
        let error = errors.fold(0.0, |largest: f64, error| {
            largest.max(if error.is_nan() { f64::INFINITY } else { error })
        });
        let size = expected.iter().fold(1.0_f64, |size, speed| size.max(speed.abs()));
        let is_elsewhere = SPEED_TOLERANCE * size < error;
        let is_lawless = !tires_keep_their_law(&system, &solution);
        lawless += u32::from(is_lawless);
        elsewhere += u32::from(is_elsewhere);
        farthest = farthest.max(error);
        if (is_elsewhere || is_lawless) && example.is_none() {
            example = Some(format!("{system:?} in {dt} s: {solution:?}, not {expected:?}"));
        }
    }
    assert!(
        lawless == 0 && elsewhere == 0,
        "of {SYSTEMS} systems {lawless} break the law of a tire, {elsewhere} end elsewhere, by up \
         to {farthest} rad/s: {example:?}"
    );
}

/// A system without brakes, whose wheels 0 and 1 are coupled by friction, and perhaps 2 and 3.
fn coupled_system(random: &mut Random) -> ClutchSystem {
    let mut system = hard_system(random);
    while system.wheels.len() < 2 || system.wheels.iter().any(|wheel| wheel.constraint.is_some()) {
        system = hard_system(random);
    }
    for wheel in &mut system.wheels {
        wheel.torques.brake = 0.0;
    }
    for wheels in [[0, 1], [2, 3]] {
        if wheels[1] < system.wheels.len() {
            let shares = wheels.map(|wheel| system.wheels[wheel].torque_ratio);
            let smaller = shares[0].min(shares[1]) / (shares[0] + shares[1]);
            let preload = if random.one_in(2) { random.power(1.0, 500.0) } else { 0.0 };
            let torque_share = random.within(0.0, 1.0) * smaller;
            system.couplers.push(FrictionCoupler { wheels, preload, torque_share });
        }
    }
    system
}

/// Torque that `wheel` of `system` has got beside its share, its tire and its drive, and the size
/// of the terms that it is made of (N·m).
fn passed_torque(
    system: &ClutchSystem,
    solution: &ClutchSolution,
    wheel: usize,
    dt: Real,
) -> [f64; 2] {
    let (before, after) = (&system.wheels[wheel], &solution.wheels[wheel]);
    let speed = f64::from(after.rotation_speed);
    let per_time = f64::from(before.inertia) / f64::from(dt);
    let ratio = f64::from(system.gear_ratio) * f64::from(before.torque_ratio);
    let terms = [
        per_time * speed,
        -per_time * f64::from(before.rotation_speed),
        f64::from(before.damping_rate) * speed,
        ratio * f64::from(solution.clutch_torque),
        -f64::from(before.torques.drive),
        -f64::from(after.tire_torque),
    ];
    // The speed has 32 bits, and the torque of the tire follows it.
    let resolved = f64::from(before.tire.resistance) * speed;
    [terms.iter().sum(), terms.iter().fold(resolved.abs(), |sum, term| sum + term.abs())]
}

#[test]
fn coupled_wheels_turn_alike_or_pass_on_what_friction_allows() {
    let mut random = Random(7);
    let (mut alike, mut apart) = (0, 0);
    for _ in 0..SYSTEMS {
        let system = coupled_system(&mut random);
        let dt = random.power(1e-3, 0.03);
        let solution = solve(&system, dt);
        let told = || format!("{system:?} in {dt} s: {solution:?}");
        assert!(tires_keep_their_law(&system, &solution), "{}", told());
        for coupler in &system.couplers {
            let [first, second] = coupler.wheels;
            let [[given, size], [got, other_size]] =
                [first, second].map(|wheel| passed_torque(&system, &solution, wheel, dt));
            let tolerance = 1e-6 * (size + other_size);
            assert!((given + got).abs() <= tolerance, "{given} N·m, {got} N·m: {}", told());
            let share: f64 = [first, second]
                .iter()
                .map(|&wheel| f64::from(system.wheels[wheel].torque_ratio))
                .sum();
            let shaft = f64::from(system.gear_ratio) * share * f64::from(solution.clutch_torque);
            let limit = f64::from(coupler.preload) + f64::from(coupler.torque_share) * shaft.abs();
            assert!(got.abs() <= limit + tolerance, "{got} N·m of {limit}: {}", told());
            let [first, second] =
                [first, second].map(|wheel| f64::from(solution.wheels[wheel].rotation_speed));
            if first == second {
                alike += 1;
            } else {
                apart += 1;
                let passed = limit.copysign(first - second);
                assert!((got - passed).abs() <= tolerance, "{got} N·m, not {passed}: {}", told());
            }
        }
    }
    assert!(SYSTEMS / 20 < alike && SYSTEMS / 20 < apart, "{alike} alike, {apart} apart");
}
