//! Drivelines that were worked out by hand, to their digits.

use vehicle_core::driveline::{
    Brake, CapacityConverter, DifferentialElement, DoubleDifferentialElement, DrivelineError,
    DrivelinePlan, DrivelineSolution, Element, Friction, Inertia, Junction, Mode, Ratio, Side,
    SpeedRange, TireElement, Weighted,
};
use vehicle_core::error::Validate;

const DT: f64 = 0.01;

/// Elements with the shafts of their ports, and the speeds at the start.
struct Tree {
    elements: Vec<(Element, Vec<usize>)>,
    start: Vec<f64>,
}

impl Tree {
    fn solve_from(&self, root: usize) -> (DrivelinePlan, DrivelineSolution, Vec<Mode>) {
        let (elements, ports): (Vec<_>, Vec<_>) = self.elements.iter().cloned().unzip();
        let plan = DrivelinePlan::with_root(self.start.len(), &ports, root)
            .expect("a tree that can be solved");
        plan.check(&elements).expect("a tree that can be solved");
        let mut modes = vec![Mode::default(); elements.len()];
        let mut solution = DrivelineSolution::new(&plan);
        let outcome = plan
            .solve(&elements, &self.start, DT, &mut modes, &mut solution)
            .expect("a tree that can be solved");
        assert!(outcome.is_consistent, "{outcome:?}");
        (plan, solution, modes)
    }

    /// Asserts the end-of-step speeds, from every root, to a part of 1e-9.
    fn assert_speeds(&self, expected: &[f64]) {
        for root in 0..self.start.len() {
            let (_, solution, _) = self.solve_from(root);
            for (found, expected) in solution.speeds.iter().zip(expected) {
                let error = (found - expected).abs();
                assert!(
                    error <= 1e-9 * expected.abs().max(0.1),
                    "root {root}: {:?}, not {expected}",
                    solution.speeds
                );
            }
        }
    }

    /// Asserts torques (element, port, torque) from every root.
    fn assert_torques(&self, expected: &[(usize, usize, f64)]) {
        for root in 0..self.start.len() {
            let (plan, solution, _) = self.solve_from(root);
            for &(element, port, torque) in expected {
                let found = solution.torques(&plan, element)[port];
                let error = (found - torque).abs();
                assert!(
                    error <= 1e-8 * torque.abs().max(1.0),
                    "root {root}, element {element}, port {port}: {found}, not {torque}"
                );
            }
        }
    }
}

fn inertia(inertia: f64, torque: f64) -> Element {
    Element::Inertia(Inertia { inertia, torque, ..Inertia::default() })
}

fn clutch(capacity: f64) -> Element {
    Element::Friction(Friction::clutch(capacity))
}

#[test]
fn a_clutch_sticks_within_its_capacity_and_slips_beyond() {
    let tree = |capacity| Tree {
        elements: vec![
            (inertia(0.2, 50.0), vec![0]),
            (clutch(capacity), vec![0, 1]),
            (inertia(0.3, -20.0), vec![1]),
        ],
        start: vec![100.0, 40.0],
    };
    tree(1000.0).assert_speeds(&[64.6, 64.6]);
    tree(1000.0).assert_torques(&[(1, 0, 758.0), (1, 1, -758.0)]);
    tree(400.0).assert_speeds(&[82.5, 158.0 / 3.0]);
}

#[test]
fn of_two_clutches_around_a_shaft_without_inertia_the_weaker_slips() {
    for (first, second, expected) in
        [(100.0, 60.0, [97.0, 97.0, 42.0]), (60.0, 100.0, [97.0, 42.0, 42.0])]
    {
        let elements = vec![
            (inertia(0.2, 0.0), vec![0]),
            (clutch(first), vec![0, 1]),
            (clutch(second), vec![1, 2]),
            (inertia(0.3, 0.0), vec![2]),
        ];
        Tree { elements, start: vec![100.0, 0.0, 40.0] }.assert_speeds(&expected);
    }
}

#[test]
fn a_gear_loses_a_part_of_its_torque_and_holds_itself_at_rest() {
    // (speed, torque in, torque out, end speeds, torque into the gear)
    let rows = [
        (50.0, 20.0, -1000.0, [192.3934426, 48.09836066], Some(172.1311475)),
        (50.0, 20.0, 1000.0, [207.84, 51.96], Some(-136.8)),
        (0.0, 2.2, -10.0, [-0.0016, -0.0004], None),
        (0.0, 2.5, -10.0, [0.0, 0.0], None),
        (0.0, 3.0, -10.0, [0.006557377049, 0.001639344262], None),
    ];
    for (speed, input, output, speeds, torque) in rows {
        let tree = Tree {
            elements: vec![
                (inertia(0.2, input), vec![0]),
                (Element::Ratio(Ratio { ratio: 4.0, efficiency: 0.9 }), vec![0, 1]),
                (inertia(2.0, output), vec![1]),
            ],
            start: vec![4.0 * speed, speed],
        };
        for root in 0..2 {
            let (plan, solution, _) = tree.solve_from(root);
            for (found, expected) in solution.speeds.iter().zip(speeds) {
                // The digits that are printed: ten.
                let allowed = 6e-10 * f64::abs(expected);
                assert!((found - expected).abs() <= allowed, "{found}, not {expected}");
            }
            if let Some(torque) = torque {
                let found = solution.torques(&plan, 1)[0];
                assert!((found - torque).abs() <= 6e-10 * torque.abs(), "{found}, not {torque}");
            }
        }
    }
}

/// Engine, clutch, gear, differential with friction, and two wheels on their tires, one of which
/// slides.
fn car(capacity: f64) -> Tree {
    let wheel = |shaft: usize| (inertia(1.0, 0.0), vec![shaft]);
    let tire =
        |torque, max_torque| Element::Tire(TireElement { stiffness: 2000.0, torque, max_torque });
    let engine = Inertia { inertia: 0.25, torque: 300.0, damping: 0.1, slope: 0.0 };
    let differential = DifferentialElement {
        ratio: 1.0,
        share: 0.5,
        preload: 50.0,
        bias: 0.25,
        reverse_bias: 0.25,
    };
    Tree {
        elements: vec![
            (Element::Inertia(engine), vec![0]),
            (clutch(capacity), vec![0, 1]),
            (Element::Ratio(Ratio { ratio: 8.0, efficiency: 0.95 }), vec![1, 2]),
            (Element::Differential(differential), vec![2, 3, 4]),
            wheel(3),
            (tire(-100.0, 150.0), vec![3]),
            wheel(4),
            (tire(-900.0, 1400.0), vec![4]),
        ],
        start: vec![200.0, 192.0, 24.0, 24.0, 24.0],
    }
}

#[test]
fn a_car_accelerates_on_two_grips() {
    for root in 0..5 {
        // (capacity, speeds of engine, propeller shaft and wheels, torques of the outputs)
        let rows = [
            (
                500.0,
                [202.107142, 25.26339275, 26.31510398, 24.21168152],
                [381.5103979, 1344.531194],
            ),
            (200.0, [203.187251, 24.96904762, 25.8, 24.13809524], [330.0, 1190.0]),
        ];
        for (capacity, speeds, outputs) in rows {
            let (plan, solution, _) = car(capacity).solve_from(root);
            let found = [0, 2, 3, 4].map(|shaft| solution.speeds[shaft]);
            for (found, expected) in found.iter().zip(speeds) {
                let allowed = 6e-10 * expected;
                assert!((found - expected).abs() <= allowed, "{found}, not {expected}");
            }
            let torques = solution.torques(&plan, 3);
            for (found, expected) in torques[1..].iter().zip(outputs) {
                assert!((-found - expected).abs() <= 6e-10 * expected, "{found}, not {expected}");
            }
        }
        let (plan, solution, modes) = car(500.0).solve_from(root);
        let clutch = solution.torques(&plan, 1)[0];
        assert!((clutch - 227.1107358).abs() < 2e-7, "{clutch}");
        assert_eq!(modes[1].side, Side::Within);
        assert_eq!(modes[3].side, Side::Above);
    }
}

#[test]
fn a_double_differential_drives_and_steers() {
    let double = DoubleDifferentialElement { drive_ratio: 4.0, steer_ratio: 2.0 };
    let tree = Tree {
        elements: vec![
            (inertia(0.5, 400.0), vec![0]),
            (inertia(0.1, 30.0), vec![1]),
            (Element::DoubleDifferential(double), vec![0, 1, 2, 3]),
            (inertia(10.0, -100.0), vec![2]),
            (inertia(20.0, -300.0), vec![3]),
        ],
        start: vec![100.0, 0.0, 25.0, 25.0],
    };
    for root in 0..4 {
        let (plan, solution, _) = tree.solve_from(root);
        let expected = [101.4359363, -0.3282789992, 25.52312358, 25.19484458];
        for (found, expected) in solution.speeds.iter().zip(expected) {
            let allowed = 6e-10 * f64::abs(expected);
            assert!((found - expected).abs() <= allowed, "{found}, not {expected}");
        }
        let torques = solution.torques(&plan, 2);
        for (found, expected) in torques[2..].iter().zip([623.1235785, 689.6891585]) {
            assert!((-found - expected).abs() <= 6e-10 * expected, "{found}, not {expected}");
        }
    }
}

#[test]
fn held_shafts_have_exactly_their_target() {
    let tree = Tree {
        elements: vec![
            (inertia(0.2, 30.0), vec![0]),
            (Element::Friction(Friction::RIGID), vec![0, 1]),
            (Element::Brake(Brake { low: -900.0, high: 900.0, target: 7.0 }), vec![1]),
            (Element::Friction(Friction::OPEN), vec![1, 2]),
            (inertia(0.4, 500.0), vec![2]),
            (Element::SpeedRange(SpeedRange { low: 0.0, high: 12.0 }), vec![2]),
        ],
        start: vec![3.0, 3.0, 11.0],
    };
    for root in 0..3 {
        let (_, solution, modes) = tree.solve_from(root);
        assert_eq!(solution.speeds[1].to_bits(), 7.0_f64.to_bits());
        assert_eq!(solution.speeds[2].to_bits(), 12.0_f64.to_bits());
        assert_eq!((modes[2].side, modes[5].side), (Side::Within, Side::Above));
    }
}

#[test]
fn modes_of_the_last_step_are_found_in_one_pass() {
    let tree = car(500.0);
    let (elements, ports): (Vec<_>, Vec<_>) = tree.elements.iter().cloned().unzip();
    let plan = DrivelinePlan::new(tree.start.len(), &ports).unwrap();
    let mut modes = vec![Mode::default(); elements.len()];
    let mut solution = DrivelineSolution::new(&plan);
    plan.solve(&elements, &tree.start, DT, &mut modes, &mut solution).unwrap();
    let first = solution.speeds.clone();
    let outcome = plan.solve(&elements, &tree.start, DT, &mut modes, &mut solution).unwrap();
    assert_eq!(outcome.passes, 1);
    assert_eq!(first, solution.speeds);
}

#[test]
fn broken_trees_are_refused() {
    let plan = |shafts: usize, ports: &[&[usize]]| DrivelinePlan::new(shafts, ports).map(|_| ());
    assert_eq!(plan(0, &[]), Err(DrivelineError::Shafts(0)));
    let beyond = DrivelineError::NoShaft { element: 1, shaft: 2, shafts: 2 };
    assert_eq!(plan(2, &[&[0], &[1, 2]]), Err(beyond));
    let rooted = |root| DrivelinePlan::with_root(4, &[[0_usize]], root).map(|_| ());
    assert_eq!(rooted(3), Ok(()));
    let text = rooted(4).unwrap_err().to_string();
    assert_eq!(text, "the root must be a shaft below 4, their number, got 4");
    let none = DrivelineError::Ports { element: 0, ports: 1, got: 0 };
    assert_eq!(plan(1, &[&[]]), Err(none));
    let ring = plan(3, &[&[0, 1], &[1, 2], &[2, 0]]);
    assert!(matches!(ring, Err(DrivelineError::Ring { .. })), "{ring:?}");
    let loop_of_one = plan(1, &[&[0, 0]]);
    assert!(matches!(loop_of_one, Err(DrivelineError::Ring { .. })), "{loop_of_one:?}");
}

#[test]
fn bad_lists_and_steps_are_refused_before_anything_changes() {
    let tree = car(500.0);
    let (elements, ports): (Vec<_>, Vec<_>) = tree.elements.iter().cloned().unzip();
    let plan = DrivelinePlan::new(tree.start.len(), &ports).unwrap();
    let mut solution = DrivelineSolution::new(&plan);
    let before = solution.clone();
    let mut modes = vec![Mode::default(); elements.len()];
    let mut solve = |elements: &[Element], start: &[f64], dt: f64, modes: &mut [Mode]| {
        plan.solve(elements, start, dt, modes, &mut solution).unwrap_err().to_string()
    };
    for (message, found) in [
        (
            "elements must be of 8 elements, got 7",
            solve(&elements[1..], &tree.start, DT, &mut modes),
        ),
        ("start must be of 5 elements, got 4", solve(&elements, &tree.start[1..], DT, &mut modes)),
        ("modes must be of 8 elements, got 3", solve(&elements, &tree.start, DT, &mut modes[..3])),
        ("dt must be positive and finite", solve(&elements, &tree.start, 0.0, &mut modes)),
        ("dt must be positive and finite", solve(&elements, &tree.start, f64::NAN, &mut modes)),
    ] {
        assert_eq!(found, message);
    }
    assert_eq!(solution, before);
    let other = DrivelinePlan::new(1, &[[0]]).unwrap();
    let mut solution = DrivelineSolution::new(&plan);
    let refused =
        other.solve(&[Element::Damper(1.0)], &[0.0], DT, &mut [Mode::default()], &mut solution);
    assert!(refused.is_err());
}

#[test]
fn bad_elements_are_refused() {
    let differential =
        DifferentialElement { ratio: 3.0, share: 0.4, preload: 0.0, bias: 0.0, reverse_bias: 0.0 };
    let converter = CapacityConverter {
        capacity: 0.004,
        stall_torque_ratio: 2.0,
        coupling_point: 0.88,
        reverse_capacity: 0.5,
        lock_up: 0.0,
    };
    let rows = [
        (inertia(-1.0, 0.0), "inertia must be finite and not negative, got -1"),
        (inertia(1.0, f64::NAN), "torque must be finite, got NaN"),
        (
            Element::Tire(TireElement { stiffness: 1.0, torque: 0.0, max_torque: f64::INFINITY }),
            "max_torque must be finite and not negative, got inf",
        ),
        (
            Element::Brake(Brake { low: 1.0, high: -1.0, target: 0.0 }),
            "high must be at least low = 1, got -1",
        ),
        (
            Element::SpeedRange(SpeedRange { low: 5.0, high: 5.0 }),
            "high must be above low = 5, got 5",
        ),
        (Element::Damper(-1.0), "damper must be finite and not negative, got -1"),
        (Element::Viscous(f64::INFINITY), "viscous must be finite and not negative, got inf"),
        (
            Element::Friction(Friction { low: 0.0, high: f64::NAN, strength: 0.0 }),
            "high must be at least low = 0, got NaN",
        ),
        (
            Element::Ratio(Ratio { ratio: 0.0, efficiency: 1.5 }),
            "ratio must be finite and not 0, got 0; \
             efficiency must be above 0 and at most 1, got 1.5",
        ),
        (
            Element::Junction(Junction { coefficients: vec![1.0, 0.0] }),
            "coefficients[1] must be finite and not 0, got 0",
        ),
        (
            Element::Weighted(Weighted { speed_shares: vec![0.5, 0.5], torque_shares: vec![1.0] }),
            "torque_shares must be of 2 elements, one per output, got 1",
        ),
        (
            Element::Weighted(Weighted { speed_shares: vec![0.5], torque_shares: vec![-1.0] }),
            "torque_shares[0] must be of the same sign as the share of speed, got -1; \
             speed_shares must be not 0 together with a torque, got none",
        ),
        (
            Element::Differential(DifferentialElement { bias: 0.45, ..differential }),
            "bias must be within [0, min(share, 1 - share) = 0.4], or one output would get less \
             torque the more goes in and a step could have several solutions, got 0.45",
        ),
        (
            Element::CapacityConverter(CapacityConverter { coupling_point: 1.0, ..converter }),
            "coupling_point must be above 0 and below 1, got 1",
        ),
        (
            Element::CapacityConverter(CapacityConverter { stall_torque_ratio: 5.0, ..converter }),
            "coupling_point must be at most 0.64 with stall_torque_ratio = 5, or more power would \
             come out than in, got 0.88",
        ),
    ];
    for (element, message) in rows {
        assert_eq!(element.validate().unwrap_err().to_string(), message, "{element:?}");
    }
}

#[test]
fn wheels_turn_alike_beside_a_shaft_whose_elements_are_no_wheel() {
    // Three elements of one port on a shaft of its own: a wheel, or something else.
    let open =
        DifferentialElement { ratio: 1.0, share: 0.5, preload: 0.0, bias: 0.0, reverse_bias: 0.0 };
    let beside = |element: Element| {
        let inertia =
            |inertia, torque| Element::Inertia(Inertia { inertia, torque, ..Inertia::default() });
        let tire =
            |max_torque| Element::Tire(TireElement { stiffness: 800.0, torque: -40.0, max_torque });
        let brake = |torque| Element::Brake(Brake::against_housing(torque));
        let ratio = Element::Ratio(Ratio { ratio: 4.0, efficiency: 0.95 });
        Tree {
            elements: vec![
                (inertia(0.2, 90.0), vec![0]),
                (ratio, vec![0, 1]),
                (Element::Differential(open), vec![1, 2, 3]),
                (inertia(1.2, 5.0), vec![2]),
                (tire(900.0), vec![2]),
                (brake(0.0), vec![2]),
                (inertia(0.0, 5.0), vec![3]),
                (tire(30.0), vec![3]),
                (brake(40.0), vec![3]),
                (inertia(1.0, 20.0), vec![4]),
                (element, vec![4]),
                (brake(900.0), vec![4]),
            ],
            start: vec![80.0, 20.0, 21.0, 19.0, 3.0],
        }
    };
    let wheel = Element::Tire(TireElement { stiffness: 0.0, torque: 0.0, max_torque: 0.0 });
    let (plan, wheels, modes) = beside(wheel).solve_from(0);
    let (_, others, modes_of_others) = beside(Element::Damper(0.0)).solve_from(0);
    let bits = |numbers: &[f64]| numbers.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(&wheels.speeds), bits(&others.speeds), "{wheels:?}, {others:?}");
    for element in 0..9 {
        let torques = [&wheels, &others].map(|solution| bits(solution.torques(&plan, element)));
        assert_eq!(torques[0], torques[1], "element {element}: {wheels:?}, {others:?}");
    }
    assert_eq!(modes[..9], modes_of_others[..9]);
}
