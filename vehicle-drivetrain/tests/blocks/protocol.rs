//! The explicit protocol: its laws, and its way to the exact solve.

use vehicle_core::driveline::{
    CapacityConverter, DifferentialElement, DoubleDifferentialElement, DrivelinePlan,
    DrivelineSolution, Element, Friction, Inertia, Mode, Ratio,
};
use vehicle_drivetrain::blocks::BlockError;
use vehicle_drivetrain::blocks::protocol::{
    Clutch, Converter, Integrator, OutputCoupling, ProtocolBlock, ProtocolDifferential,
    ProtocolDoubleDifferential, ProtocolGear, ProtocolGraph, ProtocolViscousCoupling,
    ProtocolWheel, Rotor,
};

fn rotor(inertia: f64, torque: f64, speed: f64) -> Rotor {
    Rotor { inertia, torque, damping: 0.0, momentum: inertia * speed }
}

fn load(inertia: f64, torque: f64, speed: f64) -> ProtocolWheel {
    ProtocolWheel { inertia, torque, damping: 0.0, brake_torque: 0.0, momentum: inertia * speed }
}

/// Rotor, coupling and load.
fn pair(
    coupling: impl ProtocolBlock + 'static,
    source: Rotor,
    wheel: ProtocolWheel,
) -> ProtocolGraph {
    let mut graph = ProtocolGraph::default();
    graph.add(source);
    graph.add(coupling);
    graph.add(wheel);
    graph.connect((0, 0), (1, 0)).expect("free slots");
    graph.connect((1, 0), (2, 0)).expect("free slots");
    graph
}

fn assert_close(found: f64, expected: f64, what: &str) {
    let allowed = 1e-12 * expected.abs().max(1.0);
    assert!((found - expected).abs() <= allowed, "{what}: {found}, not {expected}");
}

#[test]
fn a_clutch_ends_its_slip_as_the_integrator_does() {
    // (integrator, part of the slip that is left)
    for (integrator, left) in
        [(Integrator::Euler, 0.0), (Integrator::MidPoint, 0.5), (Integrator::RungeKutta4, 0.375)]
    {
        let clutch = Clutch { capacity: f64::INFINITY };
        let mut graph = pair(clutch, rotor(0.2, 0.0, 100.0), load(0.3, 0.0, 40.0));
        graph.step(0.0, 0.01, 1, integrator).unwrap();
        let (first, second) = (graph.block(0).speed(), graph.block(2).speed());
        assert_close(first - second, 60.0 * left, "slip");
        assert_close(0.2 * first + 0.3 * second, 32.0, "momentum");
    }
}

#[test]
fn a_clutch_slips_by_its_capacity() {
    let clutch = Clutch { capacity: 300.0 };
    let mut graph = pair(clutch, rotor(0.2, 0.0, 100.0), load(0.3, 0.0, 40.0));
    graph.step(0.0, 0.01, 1, Integrator::Euler).unwrap();
    let slip = graph.block(0).speed() - graph.block(2).speed();
    assert_close(slip, 60.0 - 0.01 * 300.0 * (1.0 / 0.2 + 1.0 / 0.3), "slip");
}

#[test]
fn viscous_torque_follows_the_slip_at_the_end() {
    let coupling = ProtocolViscousCoupling { strength: 25.0 };
    let mut graph = pair(coupling, rotor(0.2, 10.0, 100.0), load(0.3, -5.0, 40.0));
    graph.step(0.0, 0.01, 1, Integrator::Euler).unwrap();
    let (first, second) = (graph.block(0).speed(), graph.block(2).speed());
    let torque = 10.0 - 0.2 * (first - 100.0) / 0.01;
    assert_close(torque, 25.0 * (first - second), "torque");
}

/// Rotor, rigid clutch, gear, differential and two wheels.
fn car(coupling: OutputCoupling, capacity: f64) -> ProtocolGraph {
    let mut graph = ProtocolGraph::default();
    graph.add(Rotor { damping: 0.05, ..rotor(0.3, 120.0, 150.0) });
    graph.add(Clutch { capacity });
    graph.add(ProtocolGear { ratio: 3.0, efficiency: 1.0 });
    graph.add(ProtocolDifferential { ratio: 4.0, share: 0.5, coupling });
    graph.add(ProtocolWheel { damping: 40.0, ..load(1.2, -100.0, 12.0) });
    graph.add(ProtocolWheel { damping: 5.0, ..load(1.2, -50.0, 13.0) });
    for (from, to) in
        [((0, 0), (1, 0)), ((1, 0), (2, 0)), ((2, 0), (3, 0)), ((3, 0), (4, 0)), ((3, 1), (5, 0))]
    {
        graph.connect(from, to).expect("free slots");
    }
    graph
}

#[test]
fn a_locked_differential_turns_as_one_and_an_open_one_divides() {
    let mut locked = car(OutputCoupling::Friction(f64::INFINITY), f64::INFINITY);
    locked.step(0.0, 0.01, 1, Integrator::Euler).unwrap();
    assert_close(locked.block(4).speed(), locked.block(5).speed(), "locked");
    let mut open = car(OutputCoupling::Friction(0.0), f64::INFINITY);
    open.step(0.0, 0.01, 1, Integrator::Euler).unwrap();
    // Both get the same torque, so what differs is what they bear themselves.
    let torque = |wheel: usize, start: f64, outer: f64, damping: f64| {
        1.2 * (open.block(wheel).speed() - start) / 0.01 - (outer - damping * start)
    };
    assert_close(torque(4, 12.0, -100.0, 40.0), torque(5, 13.0, -50.0, 5.0), "torques");
    let mean = 0.5 * (open.block(4).speed() + open.block(5).speed());
    assert_close(open.block(0).speed(), 12.0 * mean, "kinematics");
}

#[test]
fn gears_turn_backwards_and_open_the_shaft_in_neutral() {
    for (ratio, inertia) in [(3.0, 9.0), (-3.0, 9.0)] {
        let mut graph = ProtocolGraph::default();
        graph.add(rotor(0.5, 30.0, 0.0));
        graph.add(Clutch { capacity: f64::INFINITY });
        graph.add(ProtocolGear { ratio, efficiency: 1.0 });
        graph.add(load(inertia, 0.0, 0.0));
        for block in 0..3 {
            graph.connect((block, 0), (block + 1, 0)).expect("free slots");
        }
        graph.step(0.0, 0.01, 1, Integrator::Euler).unwrap();
        assert_close(graph.block(0).speed(), 0.01 * 30.0 / (0.5 + 1.0), "input");
        assert_close(graph.block(3).speed(), 0.2 / ratio, "output");
    }
    let clutch = Clutch { capacity: f64::INFINITY };
    let mut graph = ProtocolGraph::default();
    graph.add(rotor(0.5, 30.0, 0.0));
    graph.add(clutch);
    graph.add(ProtocolGear { ratio: 0.0, efficiency: 1.0 });
    graph.add(load(9.0, 0.0, 7.0));
    for block in 0..3 {
        graph.connect((block, 0), (block + 1, 0)).expect("free slots");
    }
    graph.step(0.0, 0.01, 1, Integrator::Euler).unwrap();
    assert_close(graph.block(0).speed(), 0.6, "free engine");
    assert_close(graph.block(3).speed(), 7.0, "free wheel");
}

#[test]
fn a_brake_stops_at_zero_and_holds_up_to_its_torque() {
    let wheel =
        |torque: f64, speed: f64| ProtocolWheel { brake_torque: 100.0, ..load(1.0, torque, speed) };
    let clutch = Clutch { capacity: 0.0 };
    let mut stopped = pair(clutch, rotor(1.0, 0.0, 0.0), wheel(99.0, 0.5));
    for step in 0..200 {
        stopped.step(f64::from(step) * 0.01, 0.01, 4, Integrator::Euler).unwrap();
    }
    // But for rounding: what the brake takes is added to the momentum.
    assert!(stopped.block(2).speed().abs() < 1e-15, "{}", stopped.block(2).speed());
    let mut moved = pair(clutch, rotor(1.0, 0.0, 0.0), wheel(101.0, 0.0));
    moved.step(0.0, 0.01, 1, Integrator::Euler).unwrap();
    assert_close(moved.block(2).speed(), 0.01, "break-away");
}

#[test]
fn faults_name_their_slots() {
    let mut graph = ProtocolGraph::default();
    graph.add(rotor(1.0, 0.0, 0.0));
    graph.add(ProtocolGear { ratio: 2.0, efficiency: 1.0 });
    let missing = graph.step(0.0, 0.01, 1, Integrator::Euler).unwrap_err();
    assert_eq!(missing.to_string(), "output 0 of \"0\" has no shaft");
    graph.connect((0, 0), (1, 0)).unwrap();
    let occupied = graph.connect((0, 0), (1, 0)).unwrap_err();
    assert_eq!(occupied.to_string(), "output 0 of \"0\" has a shaft already");
    assert_eq!(graph.connect((9, 0), (1, 0)), Err(BlockError::NoBlock(9)));
    let mut ring = ProtocolGraph::default();
    ring.add(ProtocolGear { ratio: 2.0, efficiency: 1.0 });
    ring.add(ProtocolGear { ratio: 2.0, efficiency: 1.0 });
    ring.connect((0, 0), (1, 0)).unwrap();
    ring.connect((1, 0), (0, 0)).unwrap();
    assert!(matches!(ring.check_connections(), Err(BlockError::Cycle { .. })));
}

/// Speeds of shafts after `time` (s) in so many exact steps.
fn solved(
    elements: &[Element],
    ports: &[&[usize]],
    start: &[f64],
    (time, steps): (f64, u32),
) -> Vec<f64> {
    let plan = DrivelinePlan::new(start.len(), ports).expect("a tree");
    let mut speeds = start.to_vec();
    let mut modes = vec![Mode::default(); elements.len()];
    let mut solution = DrivelineSolution::new(&plan);
    let dt = time / f64::from(steps);
    for _ in 0..steps {
        plan.solve(elements, &speeds, dt, &mut modes, &mut solution).expect("a good step");
        speeds.copy_from_slice(&solution.speeds);
    }
    speeds
}

fn inertia(inertia: f64, torque: f64, damping: f64) -> Element {
    Element::Inertia(Inertia { inertia, torque, damping, slope: 0.0 })
}

/// The car as a tree, after `time` (s) in so many steps.
fn exact(preload: f64, capacity: f64, time: f64, steps: u32) -> [f64; 3] {
    let differential =
        DifferentialElement { ratio: 4.0, share: 0.5, preload, bias: 0.0, reverse_bias: 0.0 };
    let elements = [
        inertia(0.3, 120.0, 0.05),
        Element::Friction(Friction::clutch(capacity)),
        Element::Ratio(Ratio { ratio: 3.0, efficiency: 1.0 }),
        Element::Differential(differential),
        inertia(1.2, -100.0, 40.0),
        inertia(1.2, -50.0, 5.0),
    ];
    let ports: [&[usize]; 6] = [&[0], &[0, 1], &[1, 2], &[2, 3, 4], &[3], &[4]];
    let start = [150.0, 150.0, 50.0, 12.0, 13.0];
    let speeds = solved(&elements, &ports, &start, (time, steps));
    [speeds[0], speeds[3], speeds[4]]
}

/// Compares the speeds of blocks of the protocol, in ever more substeps, with those of exact steps:
/// what is left halves with the substep.
fn goes_to(
    reference: &[f64],
    time: f64,
    blocks: &[usize],
    graph: impl Fn() -> ProtocolGraph,
    most: f64,
    what: &str,
) {
    let error = |substeps: u32| {
        let mut graph = graph();
        graph.step(0.0, time, substeps, Integrator::Euler).expect("a good step");
        let speeds = blocks.iter().map(|&block| graph.block(block).speed());
        let differences = speeds.zip(reference).map(|(a, b)| (a - b).abs());
        differences.fold(0.0, f64::max)
    };
    let errors = [500, 1000, 2000, 4000].map(error);
    println!("{what}: {errors:?}");
    for pair in errors.windows(2) {
        let ratio = pair[0] / pair[1];
        assert!((1.7..2.4).contains(&ratio), "{what}: {errors:?}");
    }
    assert!(errors[3] < most, "{what}: {errors:?}");
}

#[test]
fn small_substeps_lead_to_the_exact_solve_in_first_order() {
    let time = 0.2;
    for (preload, capacity) in [(0.0, f64::INFINITY), (0.0, 90.0), (60.0, 90.0), (60.0, 400.0)] {
        let reference = exact(preload, capacity, time, 100_000);
        let graph = || car(OutputCoupling::Friction(preload), capacity);
        let what = format!("preload {preload}, capacity {capacity}");
        goes_to(&reference, time, &[0, 4, 5], graph, 0.05, &what);
    }
}

#[test]
fn a_converter_in_substeps_leads_to_the_exact_solve_in_first_order() {
    // (speed of pump and turbine, torque of the engine, lock-up): at stall, through the coupling
    // point, coasting, locked.
    for (start, torque, lock_up) in [
        ([150.0, 0.0], 220.0, 0.0),
        ([250.0, 150.0], 150.0, 0.0),
        ([120.0, 200.0], 0.0, 0.0),
        ([250.0, 150.0], 150.0, 60.0),
        ([220.0, 200.0], 100.0, 400.0),
    ] {
        let law = CapacityConverter {
            capacity: 1.0 / (16.7 * 16.7),
            stall_torque_ratio: 2.0,
            coupling_point: 0.88,
            reverse_capacity: 0.5,
            lock_up,
        };
        let elements =
            [inertia(0.2, torque, 0.0), Element::CapacityConverter(law), inertia(1.5, -20.0, 0.1)];
        let ports: [&[usize]; 3] = [&[0], &[0, 1], &[1]];
        let time = 0.4;
        let reference = solved(&elements, &ports, &start, (time, 100_000));
        let graph = || {
            let load = ProtocolWheel { damping: 0.1, ..load(1.5, -20.0, start[1]) };
            pair(Converter { law }, rotor(0.2, torque, start[0]), load)
        };
        let what = format!("from {start:?} under {torque} N·m, lock-up {lock_up}");
        goes_to(&reference, time, &[0, 2], graph, 0.05, &what);
    }
}

#[test]
fn a_converter_in_substeps_multiplies_torque_and_never_turns_its_slip_around() {
    let law = CapacityConverter {
        capacity: 0.004,
        stall_torque_ratio: 2.0,
        coupling_point: 0.88,
        reverse_capacity: 0.5,
        lock_up: 0.0,
    };
    let mut stalled = pair(Converter { law }, rotor(1.0, 0.0, 100.0), load(1e9, 0.0, 0.0));
    stalled.step(0.0, 0.01, 1, Integrator::Euler).unwrap();
    assert_close(stalled.block(0).speed(), 100.0 - 0.01 * 0.004 * 100.0 * 100.0, "pump at stall");
    assert_close(1e9 * stalled.block(2).speed(), 0.01 * 2.0 * 40.0, "momentum of the turbine");
    for turbine in [95.0, 105.0] {
        let mut coupled = pair(
            Converter { law: CapacityConverter { capacity: 4.0, ..law } },
            rotor(0.1, 0.0, 100.0),
            load(0.1, 0.0, turbine),
        );
        for _ in 0..100 {
            coupled.step(0.0, 0.05, 1, Integrator::Euler).unwrap();
            let slip = coupled.block(0).speed() - coupled.block(2).speed();
            assert!(-1e-9 <= slip * (100.0 - turbine), "{slip} from {turbine}");
        }
    }
}

/// A drive shaft and a steering shaft, each behind a rigid coupling, and two tracks.
fn tracks(inertias: [f64; 2], damping: [f64; 2]) -> ProtocolGraph {
    let mut graph = ProtocolGraph::default();
    graph.add(Rotor { damping: 0.1, ..rotor(0.5, 400.0, 100.0) });
    graph.add(Clutch { capacity: f64::INFINITY });
    graph.add(Rotor { damping: 0.05, ..rotor(0.1, 30.0, 0.0) });
    graph.add(Clutch { capacity: f64::INFINITY });
    graph.add(ProtocolDoubleDifferential::new(4.0, 2.0));
    graph.add(ProtocolWheel { damping: damping[0], ..load(inertias[0], -100.0, 25.0) });
    graph.add(ProtocolWheel { damping: damping[1], ..load(inertias[1], -300.0, 25.0) });
    let shafts =
        [((0, 0), (1, 0)), ((2, 0), (3, 0)), ((1, 0), (4, 0)), ((3, 0), (4, 1)), ((4, 0), (5, 0))];
    for (from, to) in shafts.into_iter().chain([((4, 1), (6, 0))]) {
        graph.connect(from, to).expect("free slots");
    }
    graph
}

#[test]
fn a_double_differential_in_substeps_leads_to_the_exact_solve_in_first_order() {
    let double = DoubleDifferentialElement { drive_ratio: 4.0, steer_ratio: 2.0 };
    for (inertias, damping) in
        [([10.0, 20.0], [5.0, 20.0]), ([15.0, 15.0], [5.0, 20.0]), ([40.0, 8.0], [30.0, 2.0])]
    {
        let elements = [
            inertia(0.5, 400.0, 0.1),
            inertia(0.1, 30.0, 0.05),
            Element::DoubleDifferential(double),
            inertia(inertias[0], -100.0, damping[0]),
            inertia(inertias[1], -300.0, damping[1]),
        ];
        let ports: [&[usize]; 5] = [&[0], &[1], &[0, 1, 2, 3], &[2], &[3]];
        let time = 0.4;
        let start = [100.0, 0.0, 25.0, 25.0];
        let reference = solved(&elements, &ports, &start, (time, 100_000));
        let what = format!("tracks of {inertias:?} kg·m²");
        goes_to(&reference, time, &[0, 2, 5, 6], || tracks(inertias, damping), 0.05, &what);
    }
}

#[test]
fn a_double_differential_in_substeps_steers_without_losing_power() {
    let mut graph = tracks([10.0, 20.0], [0.0, 0.0]);
    let energy = |graph: &ProtocolGraph| {
        let parts = [(0, 0.5), (2, 0.1), (5, 10.0), (6, 20.0)];
        parts.map(|(block, inertia)| 0.5 * inertia * graph.block(block).speed().powi(2))
    };
    let before: f64 = energy(&graph).iter().sum();
    let (mut work, steps) = (0.0, 4_000);
    let dt = 0.1 / f64::from(steps);
    for _ in 0..steps {
        let speeds = [0, 2, 5, 6].map(|block| graph.block(block).speed());
        graph.step(0.0, dt, 1, Integrator::Euler).unwrap();
        let after = [0, 2, 5, 6].map(|block| graph.block(block).speed());
        let torques = [400.0 - 0.1 * speeds[0], 30.0 - 0.05 * speeds[1], -100.0, -300.0];
        for (torque, (from, to)) in torques.iter().zip(speeds.iter().zip(after)) {
            work += dt * torque * 0.5 * (from + to);
        }
    }
    let gained: f64 = energy(&graph).iter().sum::<f64>() - before;
    assert!((gained - work).abs() < 1e-3 * work.abs(), "{gained} J of {work} J");
}
