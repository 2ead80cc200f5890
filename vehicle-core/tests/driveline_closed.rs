//! Two solvers, one law: a vehicle with one engine is a special tree, and the solver of trees finds
//! for it what the closed one finds (`implicit_clutch`).

use vehicle_core::WheelRefs;
use vehicle_core::driveline::{
    Brake, DrivelinePlan, DrivelineSolution, Element, Friction, Inertia, Mode, SpeedRange,
    TireElement, Weighted,
};
use vehicle_core::implicit_clutch::{
    ClutchEngine, ClutchSystem, ClutchWheel, FrictionCouplers, solve,
};
use vehicle_core::math::{Real, sign};
use vehicle_core::wheel_rotation::{TireTorque, WheelTorques};

/// Random systems that are compared.
const SYSTEMS: u64 = 6_000;
/// Largest difference of a speed, as a part of the largest (dimensionless): the closed solver gives
/// 32 bits.
const TOLERANCE: f64 = 1e-6;

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

    fn one_in(&mut self, count: u64) -> bool {
        self.bits().is_multiple_of(count)
    }
}

fn wheel(random: &mut Random) -> ClutchWheel {
    let max_torque = random.within(10.0, 3e3);
    ClutchWheel {
        rotation_speed: random.within(-60.0, 60.0),
        inertia: random.within(0.3, 10.0),
        damping_rate: random.within(0.0, 1.0),
        torques: WheelTorques {
            drive: random.within(-200.0, 200.0),
            brake: if random.one_in(2) { random.within(0.0, 2e3) } else { 0.0 },
        },
        tire: TireTorque {
            torque: random.within(-1.5, 1.5) * max_torque,
            resistance: random.within(1.0, 1e4),
            max_torque,
        },
        torque_ratio: random.within(0.05, 1.0),
        speed_ratio: random.within(0.05, 1.0),
        constraint: None,
    }
}

/// Two to twelve wheels, whose shares of speed are those of torque or not.
fn system(random: &mut Random) -> ClutchSystem {
    let count = 2 + random.bits() % 11;
    let mut wheels = WheelRefs::new();
    for _ in 0..count {
        wheels.push(wheel(random));
    }
    let keeps_power = random.one_in(2);
    let torques: Real = wheels.iter().map(|wheel| wheel.torque_ratio).sum();
    let speeds: Real = wheels.iter().map(|wheel| wheel.speed_ratio).sum();
    for wheel in &mut wheels {
        wheel.torque_ratio /= torques;
        wheel.speed_ratio =
            if keeps_power { wheel.torque_ratio } else { wheel.speed_ratio / speeds };
    }
    let is_ranged = random.one_in(3);
    ClutchSystem {
        strength: random.within(1.0, 500.0),
        capacity: if random.one_in(2) { Real::INFINITY } else { random.within(20.0, 900.0) },
        gear_ratio: if random.one_in(4) { -12.0 } else { random.within(2.0, 16.0) },
        engine: ClutchEngine {
            rotation_speed: random.within(90.0, 640.0),
            inertia: random.within(0.05, 2.0),
            damping_rate: random.within(0.0, 1.0),
            torque: random.within(-100.0, 600.0),
            speed_range: if is_ranged { [80.0, 650.0] } else { [-1e9, Real::INFINITY] },
        },
        wheels,
        couplers: FrictionCouplers::new(),
    }
}

/// Elements with the shafts of their ports, and the start speeds. Shaft 0 is the engine's, 1 is
/// within the clutch, 2 the input of the gearbox, the others those of the wheels.
fn tree(system: &ClutchSystem) -> (Vec<Element>, Vec<Vec<usize>>, Vec<f64>) {
    let engine = &system.engine;
    let turning = |inertia: Real, torque: Real, damping: Real| {
        Element::Inertia(Inertia {
            inertia: f64::from(inertia),
            torque: f64::from(torque),
            damping: f64::from(damping),
            slope: 0.0,
        })
    };
    let [low, high] = engine.speed_range.map(f64::from);
    let gear = f64::from(system.gear_ratio);
    let signed_share =
        |wheel: &ClutchWheel| f64::from(wheel.speed_ratio * sign(wheel.torque_ratio));
    let shares = |share: &dyn Fn(&ClutchWheel) -> f64| {
        system.wheels.iter().map(|wheel| gear * share(wheel)).collect()
    };
    let mut elements = vec![
        turning(engine.inertia, engine.torque, engine.damping_rate),
        Element::SpeedRange(SpeedRange { low, high }),
        Element::Friction(Friction::clutch(f64::from(system.capacity))),
        Element::Viscous(f64::from(system.strength)),
        Element::Weighted(Weighted {
            speed_shares: shares(&signed_share),
            torque_shares: shares(&|wheel| f64::from(wheel.torque_ratio)),
        }),
    ];
    let first = 3;
    let behind: Vec<_> = (0..system.wheels.len()).map(|wheel| first + wheel).collect();
    let input = std::iter::once(2).chain(behind).collect();
    let mut ports = vec![vec![0], vec![0], vec![0, 1], vec![1, 2], input];
    let mut start = vec![f64::from(engine.rotation_speed), 0.0, 0.0];
    for (index, wheel) in system.wheels.iter().enumerate() {
        let shaft = first + index;
        elements.push(turning(wheel.inertia, wheel.torques.drive, wheel.damping_rate));
        elements.push(Element::Tire(TireElement {
            stiffness: f64::from(wheel.tire.resistance),
            torque: f64::from(wheel.tire.torque),
            max_torque: f64::from(wheel.tire.max_torque),
        }));
        let brake = f64::from(wheel.torques.brake);
        elements.push(Element::Brake(Brake::against_housing(brake)));
        ports.extend([vec![shaft], vec![shaft], vec![shaft]]);
        start.push(f64::from(wheel.rotation_speed));
    }
    (elements, ports, start)
}

#[test]
fn a_vehicle_with_one_engine_is_solved_alike_by_both_solvers() {
    let (mut passes, mut most_passes, mut worst) = (0, 0, 0.0_f64);
    for seed in 0..SYSTEMS {
        let mut random = Random(seed);
        let system = system(&mut random);
        let dt: Real = 1.0 / 60.0;
        let closed = solve(&system, dt);
        let (elements, ports, start) = tree(&system);
        let plan = DrivelinePlan::new(start.len(), &ports).unwrap();
        plan.check(&elements).unwrap();
        let mut modes = vec![Mode::default(); elements.len()];
        let mut solution = DrivelineSolution::new(&plan);
        let outcome =
            plan.solve(&elements, &start, f64::from(dt), &mut modes, &mut solution).unwrap();
        assert!(outcome.is_consistent, "seed {seed}: {outcome:?}");
        passes += u64::from(outcome.passes);
        most_passes = most_passes.max(outcome.passes);

        let wheels = closed.wheels.iter().map(|wheel| f64::from(wheel.rotation_speed));
        let of_closed: Vec<_> =
            std::iter::once(f64::from(closed.engine_speed)).chain(wheels).collect();
        let of_tree: Vec<_> = std::iter::once(solution.speeds[0])
            .chain(solution.speeds[3..].iter().copied())
            .collect();
        let size = of_closed.iter().fold(1.0, |most: f64, speed| most.max(speed.abs()));
        for (a, b) in of_closed.iter().zip(&of_tree) {
            let error = (a - b).abs() / size;
            worst = worst.max(error);
            assert!(error < TOLERANCE, "seed {seed}: {of_closed:?}\n{of_tree:?}\n{system:?}");
        }
        let torque = solution.torques(&plan, 2)[0];
        let clutch = -f64::from(closed.clutch_torque);
        let error = (torque - clutch).abs() / clutch.abs().max(100.0);
        assert!(error < 1e-4, "seed {seed}: clutch {torque}, not {clutch}\n{system:?}");
    }
    println!(
        "{SYSTEMS} vehicles: worst difference of a speed {worst:.1e}; passes mean {:.2}, most {most_passes}",
        passes as f64 / SYSTEMS as f64
    );
}
