//! Laws that hold for every engine, gearbox and differential; numbers are drawn from a fixed seed.

use proptest::array::uniform4;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use vehicle_core::convert::Convert;
use vehicle_core::frame::{CoordinateConversion, CoordinateSystem, Frame};
use vehicle_core::implicit_clutch::WheelConstraint;
use vehicle_core::math::Real;
use vehicle_drivetrain::autobox::{AutoboxInput, AutoboxParams, AutoboxState, autobox};
use vehicle_drivetrain::clutch::{ClutchParams, clutch_response};
use vehicle_drivetrain::differential::{
    DrivenWheels, LimitedSlipParams, LimitedSlips, TestedSpeeds, TorqueSplittingParams, WheelShare,
    limited_slip_groups, torque_splitting_shares,
};
use vehicle_drivetrain::engine::{EngineParams, engine_damping_rate, engine_torque};
use vehicle_drivetrain::gearbox::{
    GearCommand, GearSwitch, GearboxParams, GearboxState, commanded_gearbox, updated_gearbox,
};

/// Time step (s).
const DT: Real = 1.0 / 60.0;
/// Largest relative difference of two results of one law: some tens of roundings.
const TOLERANCE: Real = 1e-5;

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: 500,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(1),
        ..ProptestConfig::default()
    }
}

fn is_close(actual: Real, expected: Real) -> bool {
    (actual - expected).abs() <= TOLERANCE * expected.abs()
}

fn limited_slip() -> impl Strategy<Value = Option<LimitedSlipParams>> {
    let slip = (1.0_f32..2.0, 0.0_f32..=1.0)
        .prop_map(|(bias, share)| LimitedSlipParams { bias, target: 1.0 + share * (bias - 1.0) });
    prop::option::of(slip)
}

fn limited_slips() -> impl Strategy<Value = LimitedSlips> {
    let rate = prop::option::of(0.1_f32..50.0);
    (limited_slip(), limited_slip(), limited_slip(), rate).prop_map(
        |(center, front, rear, rate)| LimitedSlips { center, front, rear, rate, min_speed: 0.0 },
    )
}

fn torque_splitting() -> impl Strategy<Value = TorqueSplittingParams> {
    let driven =
        prop::sample::select(vec![DrivenWheels::All, DrivenWheels::Front, DrivenWheels::Rear]);
    let (shares, biases) =
        (prop::array::uniform3(0.0_f32..=1.0), prop::array::uniform3(1.0_f32..3.0));
    (driven, shares, biases).prop_map(|(driven, shares, biases)| TorqueSplittingParams {
        driven,
        front: [0, 1],
        rear: [2, 3],
        front_share: shares[0],
        first_front_share: shares[1],
        first_rear_share: shares[2],
        center_bias: biases[0],
        front_bias: biases[1],
        rear_bias: biases[2],
    })
}

/// Speeds of four wheels (rad/s), most of them in one direction.
fn speeds() -> impl Strategy<Value = [Real; 4]> {
    let alike = (uniform4(0.01_f32..100.0), prop::bool::ANY)
        .prop_map(|(speeds, is_back)| speeds.map(|speed| if is_back { -speed } else { speed }));
    prop_oneof![4 => alike, 1 => uniform4(-100.0_f32..100.0)]
}

/// The multipliers of the wheels if all are in `group`.
fn multipliers<const N: usize>(
    wheels: [Option<WheelConstraint>; N],
    group: u8,
) -> Option<[Real; N]> {
    let is_member =
        |wheel: &Option<WheelConstraint>| wheel.is_some_and(|constraint| constraint.group == group);
    wheels
        .iter()
        .all(is_member)
        .then(|| wheels.map(|wheel| wheel.map_or(0.0, |constraint| constraint.speed_multiplier)))
}

/// The faster of two speeds over the slower.
fn bias(first: Real, second: Real) -> Real {
    first.max(second) / first.min(second)
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn forced_wheels_are_within_their_bias(params in limited_slips(), speeds in speeds()) {
        let groups = limited_slip_groups(&params, speeds, TestedSpeeds::Solved, DT);
        let LimitedSlips { center, front, rear, .. } = params;
        let limit = |slip: Option<LimitedSlipParams>| {
            slip.map_or(Real::INFINITY, |slip| slip.bias * (1.0 + TOLERANCE))
        };
        let [first, second, third, fourth] = groups;
        if let Some([first, second, third, fourth]) = multipliers(groups, 0) {
            prop_assert!(bias(first + second, third + fourth) <= limit(center), "{groups:?}");
            prop_assert!(bias(first, second) <= limit(front), "{groups:?}");
            prop_assert!(bias(third, fourth) <= limit(rear), "{groups:?}");
        }
        if let Some([first, second]) = multipliers([first, second], 0) {
            prop_assert!(bias(first, second) <= limit(front), "{groups:?}");
        }
        if let Some([first, second]) = multipliers([third, fourth], 1) {
            prop_assert!(bias(first, second) <= limit(rear), "{groups:?}");
        }
    }

    #[test]
    fn forced_wheels_differ_less_than_before_but_not_the_other_way(
        params in limited_slips(),
        speeds in speeds(),
    ) {
        let groups = limited_slip_groups(&params, speeds, TestedSpeeds::StartOfFrame, DT);
        let pairs = [
            ([groups[0], groups[1]], [speeds[0], speeds[1]], 0),
            ([groups[2], groups[3]], [speeds[2], speeds[3]], 1),
        ];
        let is_center = multipliers(groups, 0).is_some();
        for (wheels, [first, second], group) in pairs.into_iter().filter(|_| !is_center) {
            let Some([_, forced]) = multipliers(wheels, group) else { continue };
            let actual = second / first;
            prop_assert!(bias(1.0, forced) <= bias(1.0, actual), "{actual}: {forced}");
            prop_assert!(0.0 <= (forced - 1.0) * (actual - 1.0), "{actual}: {forced}");
        }
    }

    #[test]
    fn limited_slip_knows_no_left_and_right(params in limited_slips(), speeds in speeds()) {
        let [first, second, third, fourth] = speeds;
        let groups = limited_slip_groups(&params, speeds, TestedSpeeds::Solved, DT);
        let swapped = [second, first, fourth, third];
        let mirrored = limited_slip_groups(&params, swapped, TestedSpeeds::Solved, DT);
        let members = |wheels: [Option<WheelConstraint>; 4]| {
            wheels.map(|wheel| wheel.map(|member| (member.group, member.speed_multiplier)))
        };
        let ([a, b, c, d], [b_too, a_too, d_too, c_too]) = (members(groups), members(mirrored));
        let pairs = [(a, b, a_too, b_too), (c, d, c_too, d_too), (a, c, a_too, c_too)];
        for pair in pairs {
            match pair {
                (Some(a), Some(b), Some(a_too), Some(b_too)) => {
                    prop_assert_eq!(a.0 == b.0, a_too.0 == b_too.0);
                    // Multipliers of different groups have nothing to do with each other.
                    let is_same = a.0 != b.0 || is_close(b.1 / a.1, b_too.1 / a_too.1);
                    prop_assert!(is_same, "{groups:?}, {mirrored:?}");
                }
                (a, b, a_too, b_too) => {
                    prop_assert_eq!((a.is_some(), b.is_some()), (a_too.is_some(), b_too.is_some()));
                }
            }
        }
    }

    #[test]
    fn split_torque_is_whole_and_favors_the_slower(
        params in torque_splitting(),
        speeds in speeds(),
    ) {
        let shares = torque_splitting_shares(&params, speeds);
        let sum = |ratio: fn(&WheelShare) -> Real| shares.iter().map(ratio).sum::<Real>();
        prop_assert!(is_close(sum(|share| share.torque), 1.0), "{shares:?}");
        prop_assert!(is_close(sum(|share| share.speed), 1.0), "{shares:?}");
        for (a, b) in [(0, 1), (2, 3)] {
            let is_slower = speeds[a].abs() < speeds[b].abs();
            let (slow, fast) = if is_slower { (a, b) } else { (b, a) };
            let (slow, fast) = (&shares[slow], &shares[fast]);
            // An axle may get less as a whole; its slower wheel gets no smaller part of that.
            let torque = slow.torque / (slow.torque + fast.torque);
            let weight = slow.speed / (slow.speed + fast.speed);
            prop_assert!(torque.is_nan() || weight * (1.0 - TOLERANCE) <= torque, "{shares:?}");
        }
    }

    #[test]
    fn gearbox_is_in_its_gear_or_in_neutral_on_the_way(
        commands in vec((0_usize..9, 1_usize..20), 1..20),
    ) {
        let params = GearboxParams::default();
        let mut state = GearboxState::in_gear(params.neutral);
        for (gear, updates) in commands {
            let before = state;
            state = commanded_gearbox(&params, &state, gear);
            let is_obeyed = !before.is_switching() && gear < params.ratios.len();
            prop_assert_eq!(state.target, if is_obeyed { gear } else { before.target });
            for _ in 0..updates {
                state = updated_gearbox(&params, &state, DT);
                prop_assert!(!state.is_switching() || state.current == params.neutral);
                prop_assert_eq!(state.switch == GearSwitch::None, !state.is_switching());
            }
        }
    }

    #[test]
    fn autobox_asks_for_gears_that_exist_one_at_a_time(
        speed_fractions in vec(0.0_f32..1.2, 200),
        start in 0_usize..8,
    ) {
        let (params, gearbox) = (AutoboxParams::default(), GearboxParams::default());
        let mut gears = GearboxState::in_gear(start);
        let mut state = AutoboxState::default();
        for engine_speed_fraction in speed_fractions {
            let gear = GearCommand::Automatic;
            let lowest_gear = gearbox.first_gear();
            let input = AutoboxInput { gear, throttle: 0.8, engine_speed_fraction, lowest_gear };
            let response = autobox(&params, &gearbox, &gears, &input, &state, DT);
            let is_step = response.gear.abs_diff(gears.target) <= 1
                || gears.target <= gearbox.neutral && Some(response.gear) == gearbox.first_gear();
            prop_assert!(response.gear < gearbox.ratios.len(), "{response:?}");
            prop_assert!(is_step, "{response:?}, {gears:?}");
            prop_assert_eq!(response.throttle == 0.0, response.state.is_shifting);
            state = response.state;
            let commanded = commanded_gearbox(&gearbox, &gears, response.gear);
            gears = updated_gearbox(&gearbox, &commanded, DT);
        }
    }

    #[test]
    fn converted_engine_and_clutch_give_converted_torques(
        scale in 0.01_f32..100.0,
        throttle in 0.0_f32..1.0,
        speed in 0.0_f32..700.0,
        pedal in 0.0_f32..1.0,
    ) {
        let source = CoordinateSystem { frame: Frame::Z_UP, length_scale: 1.0 };
        let target = CoordinateSystem { frame: Frame::Y_UP, length_scale: scale };
        let conversion = CoordinateConversion::new(&source, &target);
        let (engine, clutch) = (EngineParams::default(), ClutchParams::default());
        let (scaled_engine, scaled_clutch) =
            (engine.converted(&conversion), clutch.converted(&conversion));
        let clutch_state = clutch_response(&clutch, pedal);
        let scaled_state = clutch_response(&scaled_clutch, pedal);
        prop_assert_eq!(clutch_state.engagement, scaled_state.engagement);
        let damping = |engine: &EngineParams| {
            engine_damping_rate(&engine.damping, throttle, clutch_state.engagement)
        };
        let torque = |engine: &EngineParams| engine_torque(engine, throttle, speed);
        let pairs = [
            (torque(&scaled_engine), torque(&engine)),
            (damping(&scaled_engine), damping(&engine)),
            (scaled_state.strength, clutch_state.strength),
            (scaled_engine.inertia, engine.inertia),
        ];
        for (scaled, own) in pairs {
            prop_assert!(is_close(scaled, own * scale * scale), "{scaled}, {own}, {scale}");
        }
    }
}
