//! What a diagnosis finds about tires of one's own.

use vehicle_core::blueprint::CarBlueprint;
use vehicle_core::commands::CommandResponseParams;
use vehicle_core::diagnosis::FindingCode as Code;
use vehicle_core::error::ParamCheck;
use vehicle_core::math::Real;
use vehicle_core::tire::{NoLanes, TireInput, TireModel, TireOutput};
use vehicle_drivetrain::{DirectDriveParams, DirectDriveVehicleWith};

use super::Patient;

/// What a mistake makes of the forces of a good tire.
type Mistake = fn(&TireInput<'_>, &mut TireOutput);

/// A tire whose friction grows with the slip, and is no more than that of the road.
#[derive(Clone, Copy, Debug)]
struct OwnTire {
    stiffness: Real,
    mistake: Mistake,
}

impl PartialEq for OwnTire {
    fn eq(&self, other: &Self) -> bool {
        self.stiffness == other.stiffness
    }
}

impl TireModel for OwnTire {
    type State = ();
    type Lanes = NoLanes;

    fn forces(&self, input: &TireInput<'_>, (): &mut ()) -> TireOutput {
        let (along, across) = (input.slip.longitudinal, input.slip.angle());
        let slip = along.hypot(across).max(1e-6);
        let stiffness = input.grip.load * (input.grip.friction / slip).min(self.stiffness);
        let mut output = TireOutput {
            longitudinal_force: stiffness * along,
            lateral_force: -stiffness * across,
            longitudinal_stiffness: stiffness,
            ..TireOutput::default()
        };
        (self.mistake)(input, &mut output);
        output
    }

    fn check(&self, _: &mut ParamCheck) {}
}

const MISTAKES: &[(Code, Mistake)] = &[
    (Code::TireNotFinite, |_, it| it.longitudinal_force = Real::INFINITY),
    (Code::TireNotFinite, |_, it| it.aligning_moment = Real::NAN),
    (Code::TireNotFinite, |_, it| it.longitudinal_stiffness = Real::NAN),
    (Code::TireForceWithoutSlip, |input, it| it.lateral_force += 0.3 * input.grip.load),
    (Code::TireForceWithoutSlip, |input, it| it.longitudinal_force += 0.3 * input.grip.load),
    (Code::TireSlopeOther, |_, it| it.longitudinal_stiffness = 0.0),
    (Code::TireSlopeOther, |_, it| it.longitudinal_stiffness *= -1.0),
    (Code::TireSlopeOther, |_, it| it.longitudinal_stiffness *= 10.0),
    (Code::TireForceDrops, |input, it| {
        if 0.1 < input.slip.longitudinal.hypot(input.slip.tangent) {
            (it.longitudinal_force, it.lateral_force) =
                (0.3 * it.longitudinal_force, 0.3 * it.lateral_force);
        }
    }),
    (Code::TireLoadIgnored, |input, it| {
        let part = 4_000.0 / input.grip.load;
        (it.longitudinal_force, it.lateral_force) =
            (part * it.longitudinal_force, part * it.lateral_force);
    }),
    (Code::TireMomentLarge, |_, it| it.aligning_moment = 50.0 * it.lateral_force),
    (Code::TireResistanceOdd, |input, it| it.rolling_resistance_force = -0.5 * input.grip.load),
    (Code::TireResistanceOdd, |input, it| it.rolling_resistance_force = 0.01 * input.grip.load),
    (Code::TireResistanceOdd, |_, it| it.standing_resistance = -500.0),
    (Code::TireStiffnessHigh, |input, it| {
        // Degrees that are taken for radians.
        let angle = input.slip.angle().to_degrees();
        it.lateral_force = -input.grip.load * (15.0 * angle).clamp(-1.0, 1.0);
    }),
    (Code::TireStiffnessLateralLow, |_, it| it.lateral_force /= 50.0),
    (Code::TireGripHigh, |input, it| {
        it.longitudinal_force = 15.0 * input.grip.load * input.slip.longitudinal;
    }),
];

/// The codes and texts of what is found about a car on tires of this `stiffness` with a `mistake`.
fn found(stiffness: Real, mistake: Mistake) -> Vec<(Code, String)> {
    let mechanics = CarBlueprint::default().mechanics().expect("a faultless car");
    let mechanics = mechanics.with_tires(vec![OwnTire { stiffness, mistake }; 4]);
    let throttle = CommandResponseParams::linear(400.0, [0.0, 0.0, 1.0, 1.0]);
    let vehicle = DirectDriveVehicleWith::<OwnTire>::new(DirectDriveParams { mechanics, throttle });
    let findings = Patient::healthy().findings_of(&vehicle.expect("faultless params"));
    findings.iter().map(|it| (it.code, it.to_string())).collect()
}

pub(crate) fn codes() -> impl Iterator<Item = Code> {
    MISTAKES.iter().map(|(code, _)| *code)
}

#[test]
fn mistakes_in_tires_of_ones_own_are_found_and_good_ones_are_not() {
    for stiffness in [8.0, 15.0, 40.0] {
        assert_eq!(found(stiffness, |_, _| {}), [], "stiffness {stiffness}");
    }
    let good: Mistake = |input, it| {
        it.aligning_moment = 0.05 * it.lateral_force;
        it.rolling_resistance_force = -0.01 * input.grip.load;
    };
    assert_eq!(found(15.0, good), []);
    for (number, (code, mistake)) in MISTAKES.iter().enumerate() {
        let found = found(15.0, *mistake);
        let of_code = found.iter().filter(|(it, _)| it == code).count();
        assert!(4 <= of_code, "{number}: {code:?} of each wheel is not in {found:#?}");
    }
    let infinite = found(15.0, |_, it| it.longitudinal_force = Real::INFINITY);
    assert!(infinite[0].1.contains("longitudinal force (N)"), "{infinite:?}");
    assert!(infinite[0].1.contains("is inf"), "{infinite:?}");
}
