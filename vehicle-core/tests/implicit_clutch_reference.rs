//! Single steps of the reference's four-wheeled car, solved by all of its solvers.

use vehicle_core::implicit_clutch::{
    ClutchEngine, ClutchSolution, ClutchSystem, ClutchWheel, FrictionCouplers, WheelConstraint,
};
use vehicle_core::legacy::clutch;
use vehicle_core::math::Real;
use vehicle_core::wheel_rotation::{TireTorque, WheelTorques};

/// Largest difference as a part of the largest speed of the wheels, and of that of the engine.
const TOLERANCE: f64 = 1e-6;
/// Largest difference for least squares: the reference squares the condition of the system in 32
/// bits.
const TOLERANCE_LEAST_SQUARES: f64 = 4e-6;
/// The step of a frame (s).
const FRAME: Real = 1.0 / 60.0;
/// One of its three substeps (s).
const SUBSTEP: Real = FRAME / 3.0;
/// Reverse, neutral and five gears.
const GEAR_RATIOS: [Real; 7] = [-4.0, 0.0, 4.0, 2.0, 1.5, 1.1, 1.0];
const NEUTRAL: usize = 1;
const FINAL_RATIO: Real = 4.0;

/// A group of wheels: each with its speed as a multiple of that of the first.
type Group = &'static [(usize, Real)];

#[derive(Clone, Copy)]
enum Solver {
    Exact,
    Estimate(u32),
    LeastSquares(&'static [Group]),
}

/// A step and what becomes of it.
struct Case {
    name: &'static str,
    gear: usize,
    throttle: Real,
    /// 1 is pressed down.
    clutch_pedal: Real,
    engine_speed: Real,
    speeds: [Real; 4],
    brakes: [Real; 4],
    tires: [Real; 4],
    torque_ratios: [Real; 4],
    speed_ratios: [Real; 4],
    dt: Real,
    solver: Solver,
    /// Slip of the clutch before the step (rad/s).
    slip: f64,
    solved_speeds: [f64; 4],
    solved_engine_speed: f64,
}

/// A step of a frame on all four wheels at full throttle in first gear.
const FULL_THROTTLE: Case = Case {
    name: "",
    gear: 2,
    throttle: 1.0,
    clutch_pedal: 0.0,
    engine_speed: 100.0,
    speeds: [0.0; 4],
    brakes: [0.0; 4],
    tires: [-100.0, -20.0, -140.0, -160.0],
    torque_ratios: [0.25; 4],
    speed_ratios: [0.25; 4],
    dt: FRAME,
    solver: Solver::Exact,
    slip: 0.0,
    solved_speeds: [0.0; 4],
    solved_engine_speed: 0.0,
};

/// A step of a car on four different tires.
const PULLING: Case = Case {
    throttle: 0.65,
    engine_speed: 120.0,
    speeds: [5.0, 6.0, 7.0, 8.0],
    tires: [-100.0, -120.0, -140.0, -160.0],
    slip: -16.0,
    ..FULL_THROTTLE
};

/// A substep of a tank, whose wheels 0 and 2 are on one track, 1 and 3 on the other.
const TANK: Case = Case {
    engine_speed: 50.0,
    dt: SUBSTEP,
    solver: Solver::LeastSquares(&[&[(0, 1.0), (2, 1.0)], &[(1, 1.0), (3, 1.0)]]),
    ..FULL_THROTTLE
};

const EXACT: &[Case] = &[
    Case {
        name: "pulling",
        solved_speeds: [6.313_429_36, 7.026_405_33, 7.739_381_79, 8.452_356_34],
        solved_engine_speed: 122.974_152,
        ..PULLING
    },
    Case {
        name: "half the clutch",
        gear: 3,
        throttle: 0.3,
        clutch_pedal: 0.5,
        engine_speed: 300.0,
        speeds: [20.0, 21.0, 19.0, 22.0],
        tires: [-50.0, 40.0, -30.0, 20.0],
        dt: SUBSTEP,
        slip: -136.0,
        solved_speeds: [24.311_176_3, 25.736_223_2, 23.407_079_7, 26.640_323_6],
        solved_engine_speed: 296.721_924,
        ..FULL_THROTTLE
    },
    Case {
        name: "neutral",
        gear: NEUTRAL,
        speeds: [10.0; 4],
        tires: [-5.0; 4],
        slip: -100.0,
        solved_speeds: [9.893_694_88; 4],
        solved_engine_speed: 108.063_171,
        ..FULL_THROTTLE
    },
    Case {
        name: "reverse",
        gear: 0,
        throttle: 0.5,
        engine_speed: 50.0,
        speeds: [-1.0, -1.0, -1.5, -2.0],
        tires: [30.0; 4],
        dt: SUBSTEP,
        slip: -28.0,
        solved_speeds: [-2.311_655_04, -2.311_655_04, -2.811_062_81, -3.310_470_34],
        solved_engine_speed: 50.659_660_3,
        ..FULL_THROTTLE
    },
    Case {
        name: "braking",
        throttle: 0.0,
        engine_speed: 60.0,
        speeds: [1.0, 0.0, 2.0, 30.0],
        brakes: [937.5; 4],
        tires: [10.0; 4],
        dt: SUBSTEP,
        slip: 72.0,
        solved_speeds: [0.0, 0.0, 0.0, 24.645_515_4],
        solved_engine_speed: 59.609_367_4,
        ..FULL_THROTTLE
    },
    Case {
        name: "rear drive, a front brake",
        engine_speed: 80.0,
        speeds: [5.0, 6.0, 5.0, 5.5],
        brakes: [0.0, 200.0, 0.0, 0.0],
        tires: [-20.0, -30.0, -200.0, -210.0],
        torque_ratios: [0.0, 0.0, 0.5, 0.5],
        speed_ratios: [0.0, 0.0, 0.5, 0.5],
        dt: SUBSTEP,
        slip: 4.0,
        solved_speeds: [4.899_362_56, 4.903_644_56, 4.810_347_08, 5.262_396_81],
        solved_engine_speed: 82.597_007_8,
        ..FULL_THROTTLE
    },
    Case {
        name: "fastest engine",
        engine_speed: 599.0,
        speeds: [38.0; 4],
        tires: [0.0; 4],
        slip: 9.0,
        solved_speeds: [37.863_86; 4],
        solved_engine_speed: 600.0,
        ..FULL_THROTTLE
    },
];

const ESTIMATED: &[Case] = &[
    Case {
        name: "five sweeps",
        solver: Solver::Estimate(5),
        solved_speeds: [6.433_517_46, 7.233_589_65, 7.742_900_37, 8.238_914_49],
        solved_engine_speed: 123.040_466,
        ..PULLING
    },
    Case {
        name: "one sweep",
        solver: Solver::Estimate(1),
        solved_speeds: [7.336_790_56, 6.627_251_63, 7.104_113_1, 7.944_027_42],
        solved_engine_speed: 122.680_702,
        ..PULLING
    },
];

/// The reference reports slips of -54 and -6 rad/s for the tanks that turn: without the signs of
/// the torque, which it solves with.
const CONSTRAINED: &[Case] = &[
    Case {
        name: "tank ahead",
        speeds: [2.0, 2.5, 3.0, 3.5],
        tires: [-100.0, -120.0, -140.0, -160.0],
        torque_ratios: [0.125; 4],
        slip: -6.0,
        solved_speeds: [2.615_322_59, 3.020_012_14, 2.615_322_59, 3.020_012_14],
        solved_engine_speed: 52.331_462_9,
        ..TANK
    },
    Case {
        name: "tank on the spot",
        speeds: [2.0, -2.5, 3.0, -3.5],
        tires: [-100.0, 120.0, -140.0, 160.0],
        torque_ratios: [0.25, -0.25, 0.25, -0.25],
        slip: -6.0,
        solved_speeds: [2.792_663_81, -3.197_352_89, 2.792_663_81, -3.197_352_89],
        solved_engine_speed: 52.480_686_2,
        ..TANK
    },
    Case {
        name: "tank about a track",
        speeds: [2.0, 2.5, 3.0, 3.5],
        tires: [-100.0, 120.0, -140.0, 160.0],
        torque_ratios: [0.0, 0.25, 0.0, 0.25],
        slip: -26.0,
        solved_speeds: [1.928_734_78, 5.387_902_74, 1.928_734_78, 5.387_902_74],
        solved_engine_speed: 52.227_363_6,
        ..TANK
    },
    Case {
        name: "front axle slips",
        speeds: [5.0, 8.0, 6.0, 6.5],
        solver: Solver::LeastSquares(&[&[(0, 1.0), (1, 1.433_333_3)]]),
        slip: 2.0,
        solved_speeds: [6.057_079_32, 8.681_814_19, 5.603_889_94, 5.818_623_07],
        solved_engine_speed: 107.588_699,
        ..FULL_THROTTLE
    },
    Case {
        name: "axles slip",
        speeds: [5.0, 5.5, 8.0, 9.0],
        solver: Solver::LeastSquares(&[&[(0, 1.0), (1, 1.1), (2, 1.435_294_2), (3, 1.614_705_9)]]),
        slip: 10.0,
        solved_speeds: [5.121_950_15, 5.634_145_26, 7.351_505_28, 8.270_442_96],
        solved_engine_speed: 107.692_673,
        ..FULL_THROTTLE
    },
    Case {
        name: "all slip",
        speeds: [5.0, 8.0, 12.0, 9.0],
        solver: Solver::LeastSquares(&[&[
            (0, 1.0),
            (1, 1.433_333_3),
            (2, 1.985_819_1),
            (3, 1.539_394_7),
        ]]),
        slip: 36.0,
        solved_speeds: [4.553_828_24, 6.527_153_97, 9.043_079_38, 7.010_138_99],
        solved_engine_speed: 108.158_318,
        ..FULL_THROTTLE
    },
];

/// The reference's engine: torque and damping follow throttle and clutch.
fn engine(case: &Case) -> ClutchEngine {
    let engagement = if case.gear == NEUTRAL { 0.0 } else { 1.0 - case.clutch_pedal };
    let closed = 2.0 + (1.0 - engagement) * (0.35 - 2.0);
    ClutchEngine {
        rotation_speed: case.engine_speed,
        inertia: 1.0,
        damping_rate: closed + (0.15 - closed) * case.throttle,
        torque: 500.0 * case.throttle,
        speed_range: [0.0, 600.0],
    }
}

fn wheel(case: &Case, wheel: usize) -> ClutchWheel {
    let groups = if let Solver::LeastSquares(groups) = case.solver { groups } else { &[] };
    let members = groups.iter().zip(0..).flat_map(|(members, group)| {
        members.iter().map(move |&(member, speed_multiplier)| {
            (member, WheelConstraint { group, speed_multiplier })
        })
    });
    ClutchWheel {
        rotation_speed: case.speeds[wheel],
        inertia: 1.171_69,
        damping_rate: 0.25,
        torques: WheelTorques { drive: 0.0, brake: case.brakes[wheel] },
        tire: TireTorque { torque: case.tires[wheel], ..TireTorque::default() },
        torque_ratio: case.torque_ratios[wheel],
        speed_ratio: case.speed_ratios[wheel],
        constraint: members.into_iter().find(|&(member, _)| member == wheel).map(|(_, c)| c),
    }
}

fn system(case: &Case) -> ClutchSystem {
    ClutchSystem {
        capacity: Real::INFINITY,
        strength: if case.gear == NEUTRAL { 0.0 } else { 10.0 * (1.0 - case.clutch_pedal) },
        gear_ratio: GEAR_RATIOS[case.gear] * FINAL_RATIO,
        engine: engine(case),
        wheels: (0..4).map(|index| wheel(case, index)).collect(),
        couplers: FrictionCouplers::new(),
    }
}

fn solution(case: &Case) -> ClutchSolution {
    match case.solver {
        Solver::Exact => clutch::solve(&system(case), case.dt),
        Solver::Estimate(sweeps) => clutch::estimate(&system(case), sweeps, case.dt),
        Solver::LeastSquares(_) => clutch::solve_least_squares(&system(case), case.dt),
    }
}

fn check(case: &Case, tolerance: f64) {
    let Case { name, slip, solved_speeds, solved_engine_speed, .. } = case;
    let actual_slip = f64::from(system(case).slip());
    assert!((actual_slip - slip).abs() < 1e-5 * slip.abs(), "{name}: {actual_slip}, not {slip}");
    let solution = solution(case);
    let largest = solved_speeds.iter().fold(0.0, |size: f64, speed| size.max(speed.abs()));
    let wheels = solution.wheels.iter().zip(solved_speeds);
    let wheels = wheels.map(|(wheel, expected)| (wheel.rotation_speed, expected, largest));
    let engine = (solution.engine_speed, solved_engine_speed, *solved_engine_speed);
    for (actual, expected, size) in wheels.chain([engine]) {
        let error = (f64::from(actual) - expected).abs() / size;
        assert!(error < tolerance, "{name}: {actual}, not {expected}: {error:e} in {solution:?}");
    }
}

#[test]
fn exact_solver_turns_wheels_and_engine_as_the_reference() {
    EXACT.iter().for_each(|case| check(case, TOLERANCE));
}

#[test]
fn estimate_turns_wheels_and_engine_as_the_reference() {
    ESTIMATED.iter().for_each(|case| check(case, TOLERANCE));
}

#[test]
fn least_squares_turn_wheels_and_engine_as_the_reference() {
    CONSTRAINED.iter().for_each(|case| check(case, TOLERANCE_LEAST_SQUARES));
}
