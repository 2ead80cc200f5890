//! What a diagnosis finds, and that it finds nothing where all is well.

#[path = "../common/mod.rs"]
mod common;

mod drivelines;
mod own_tires;
mod units;

use common::DT;
use common::engine::{engine_params, limited_slip, tank};
use vehicle_core::blueprint::CarBlueprint;
use vehicle_core::commands::{CommandResponseParams, Commands};
use vehicle_core::context::GRAVITY;
use vehicle_core::convert::Convert;
use vehicle_core::diagnosis::{Conditions, Diagnose, Finding, FindingCode as Code, Severity};
use vehicle_core::diagnosis::{Usual, diagnose};
use vehicle_core::frame::{CoordinateConversion, CoordinateSystem, Frame};
use vehicle_core::lookup_table::LookupTable;
use vehicle_core::math::{Real, TAU, Vec3};
use vehicle_core::steering::{AckermannParams, SteeringSystemParams};
use vehicle_core::suspension::unsprung::laws::{DamperLaw, DamperSide};
use vehicle_core::suspension::unsprung::{SuspensionDynamics, UnsprungParams};
use vehicle_core::suspension::{AntiRollAction, AntiRollBarParams, SuspensionForceParams};
use vehicle_core::vehicle::MechanicalParams;
use vehicle_core::{SimulationParams, WheelCoupling};
use vehicle_drivetrain::autobox::AutoboxParams;
use vehicle_drivetrain::differential::{
    DifferentialParams, LimitedSlipParams, MultiWheelDifferentialParams,
};
use vehicle_drivetrain::engine_control::{IdleControlParams, StallParams};
use vehicle_drivetrain::gearbox::GearCommand;
use vehicle_drivetrain::shift_law::ShiftLaw;
use vehicle_drivetrain::{
    DirectDriveParams, DirectDriveVehicle, EngineDriveParams, EngineDriveVehicle,
};

const SLIP: LimitedSlipParams = LimitedSlipParams { bias: 1.3, target: 1.2 };

/// A car, its driver and the step that it is to take.
struct Patient {
    params: EngineDriveParams,
    commands: Commands,
    gear: GearCommand,
    simulation: SimulationParams,
    dt: Real,
    substeps: u32,
}

impl Patient {
    /// A car in which nothing is odd, on wheels without mass.
    fn healthy() -> Self {
        let mut patient = Self::default_car();
        *patient.mechanics() = patient.mechanics().clone().with_massless_wheels(GRAVITY);
        patient
    }

    /// The default car.
    fn default_car() -> Self {
        Self {
            params: engine_params(limited_slip(SLIP)),
            commands: Commands::default(),
            gear: GearCommand::Automatic,
            simulation: SimulationParams::default(),
            dt: DT,
            substeps: 1,
        }
    }

    /// Gives the car an automatic gearbox that goes by the speed of the engine, changed.
    fn by_engine_speed(&mut self, change: fn(&mut AutoboxParams)) {
        let mut autobox = AutoboxParams::default();
        change(&mut autobox);
        self.params.drivetrain.autobox = Some(ShiftLaw::EngineSpeed(autobox));
    }

    fn mechanics(&mut self) -> &mut MechanicalParams {
        &mut self.params.mechanics
    }

    fn findings(&self) -> Vec<Finding> {
        let mut vehicle = EngineDriveVehicle::new(self.params.clone()).expect("faultless params");
        vehicle.commands = self.commands;
        vehicle.controls.gear = self.gear;
        self.findings_of(&vehicle)
    }

    fn findings_of(&self, vehicle: &impl Diagnose) -> Vec<Finding> {
        let conditions = Conditions::new(&self.simulation, self.dt, self.substeps);
        diagnose(vehicle, &conditions).expect("a time step")
    }

    /// Wheels with mass, the first of which is changed.
    fn with_masses(
        &mut self,
        change: impl FnOnce(&mut UnsprungParams, &mut SuspensionForceParams),
    ) {
        *self.mechanics() = self.mechanics().clone().with_unsprung_masses(GRAVITY);
        let mechanics = self.mechanics();
        let SuspensionDynamics::Unsprung(wheels) = &mut mechanics.suspension_dynamics else {
            unreachable!("the wheels have a mass");
        };
        change(&mut wheels[0], &mut mechanics.suspension_forces[0]);
    }

    /// Springs of this natural frequency (Hz) and damping ratio.
    fn with_springs(&mut self, frequency: Real, ratio: Real) {
        for spring in &mut self.mechanics().suspension_forces {
            let rate = TAU * frequency;
            spring.stiffness = spring.sprung_mass * rate * rate;
            spring.damping = 2.0 * ratio * spring.sprung_mass * rate;
        }
    }
}

/// What makes a healthy car odd, and what is found.
type Ailment = (Code, fn(&mut Patient));

const AILMENTS: &[Ailment] = &[
    (Code::LengthUnit, |it| it.simulation.coordinates.length_scale = 100.0),
    (Code::GravityNone, |it| it.simulation.gravity = Vec3::ZERO),
    (Code::TimeStepDivided, |it| it.dt = 0.05),
    (Code::RideUnstable, |it| {
        it.with_springs(5.0, 0.7);
        it.dt = 1.0 / 30.0;
    }),
    (Code::RideShakes, |it| {
        // Dampers that become stronger shake a car before they make it unstable.
        let has_odd_ride = |it: &Patient| {
            let codes = [Code::RideShakes, Code::RideUnstable];
            it.findings().iter().any(|found| codes.contains(&found.code))
        };
        let ratios = (0..400).map(|step| 0.3 + 0.005 * step as Real);
        for ratio in ratios {
            it.with_springs(4.0, ratio);
            if has_odd_ride(it) {
                return;
            }
        }
    }),
    (Code::TravelShort, |it| it.mechanics().suspensions[0].travel_distance = 0.01),
    (Code::SuspensionBottoms, |it| it.with_springs(1.0, 0.4)),
    (Code::SuspensionHangs, |it| it.with_springs(4.6, 0.2)),
    (Code::SuspensionUndamped, |it| it.with_springs(1.4, 0.05)),
    (Code::SuspensionOverdamped, |it| it.with_springs(1.4, 2.5)),
    (Code::HopUndamped, |it| {
        it.with_masses(|wheel, spring| {
            (wheel.tire_damping, wheel.tire_stiffness, spring.damping) = (0.0, 2e6, 300.0);
        });
    }),
    (Code::HopStepped, |it| {
        it.with_masses(|wheel, _| wheel.tire_stiffness = 1e6);
        it.dt = 1.0 / 30.0;
    }),
    (Code::BumpStopNear, |it| {
        it.with_masses(|wheel, _| {
            wheel.strut.bump_stop.iter_mut().for_each(|stop| stop.edge = 0.1);
        });
    }),
    (Code::SuspensionLeans, |it| {
        it.mechanics().suspensions[2].travel_direction = Vec3::new(0.8, -0.6, 0.0);
    }),
    (Code::SprungMassSum, |it| {
        it.mechanics().suspension_forces.iter_mut().for_each(|spring| spring.sprung_mass *= 1.3);
    }),
    (Code::SprungMassBalance, |it| {
        let springs = &mut it.mechanics().suspension_forces;
        springs[0].sprung_mass += 200.0;
        springs[2].sprung_mass -= 200.0;
    }),
    (Code::AntiRollBarNegative, |it| {
        let bar = AntiRollBarParams::new([0, 1], -500.0);
        it.mechanics().anti_roll_bars.push(bar);
    }),
    (Code::InertiaHigh, |it| it.mechanics().rigid_body.inertia *= 6.0),
    (Code::InertiaLow, |it| it.mechanics().rigid_body.inertia *= 0.1),
    (Code::InertiaNoBody, |it| it.mechanics().rigid_body.inertia.y *= 1.5),
    (Code::WheelInertiaHigh, |it| it.mechanics().wheels[1].inertia = 10.0),
    (Code::WheelInertiaLow, |it| it.mechanics().wheels[1].inertia = 0.05),
    (Code::WheelDampingHigh, |it| {
        it.mechanics().wheels.iter_mut().for_each(|wheel| wheel.damping_rate = 20.0);
    }),
    (Code::NumberOdd, |it| it.params.drivetrain.gearbox.switch_time = 100.0),
    (Code::NumberUnused, |it| it.mechanics().wheels[1].inflation_pressure = 5e5),
    (Code::NumberUnused, |it| {
        let bar = AntiRollBarParams::new([0, 1], 5_000.0);
        let bar = AntiRollBarParams { action: AntiRollAction::Body, ..bar };
        it.mechanics().anti_roll_bars = vec![bar];
        it.with_masses(|_, _| {});
    }),
    (Code::CoastingFree, |it| {
        it.mechanics().wheels.iter_mut().for_each(|wheel| wheel.damping_rate = 0.0);
        it.mechanics().tires.iter_mut().for_each(|tire| tire.rolling_resistance = 0.0);
        it.mechanics().aerodynamics.drag_area = 0.0;
    }),
    (Code::DragStrong, |it| it.mechanics().aerodynamics.drag_area = 6_500.0),
    (Code::BrakesWeak, |it| it.mechanics().brakes[0].max_response *= 1e-3),
    (Code::BrakesWeak, |it| it.mechanics().brakes.clear()),
    (Code::TipsOver, |it| {
        // One that is tall: wheels hang lower below the center of mass.
        for suspension in &mut it.mechanics().suspensions {
            suspension.attachment.translation.y -= 1.2;
        }
    }),
    (Code::SteeringReversed, |it| it.mechanics().steering.max_response *= -1.0),
    (Code::NumberOdd, |it| {
        it.with_masses(|wheel, _| wheel.mass = 15.0);
        it.mechanics().wheels[0].mass = 30.0;
    }),
    (Code::TireForceNone, |it| {
        it.mechanics().tires[0].friction_vs_slip = [(0.0, 0.0), (0.1, 0.0), (1.0, 0.0)];
    }),
    (Code::SteeringNone, |it| it.mechanics().steering.max_response = 0.0),
    (Code::SteerAngleLarge, |it| it.mechanics().steering.max_response = 1.4),
    (Code::TireStiffnessLongitudinalLow, |it| {
        it.mechanics().tires[0].longitudinal_stiffness = 500.0;
    }),
    (Code::TireStiffnessLateralLow, |it| it.mechanics().tires[0].lateral_stiffness = 500.0),
    (Code::TireRestLoad, |it| it.mechanics().tires[0].rest_load *= 3.0),
    (Code::TireGripLow, |it| {
        it.mechanics().tires[0].friction_vs_slip = [(0.0, 0.1), (0.1, 0.1), (1.0, 0.1)];
    }),
    (Code::TireGripHigh, |it| {
        it.mechanics().tires[0].friction_vs_slip = [(0.0, 5.0), (0.1, 5.0), (1.0, 5.0)];
    }),
    (Code::TireGripRises, |it| {
        it.mechanics().tires[0].friction_vs_slip = [(0.0, 1.0), (0.1, 1.0), (1.0, 1.5)];
    }),
    (Code::TireLoadFilterSteep, |it| {
        it.mechanics().tires[0].load_filter = [(0.0, 0.0), (1.0, 3.0)];
    }),
    (Code::WheelChatter, |it| it.simulation.wheel_coupling = WheelCoupling::Explicit),
    (Code::BrakesRear, |it| {
        let brake = &mut it.mechanics().brakes[0];
        brake.wheel_multipliers = vec![0.5, 0.5, 1.0, 1.0];
    }),
    (Code::DriveWeak, |it| it.params.drivetrain.engine.peak_torque = 10.0),
    (Code::DriveStrong, |it| it.params.drivetrain.engine.peak_torque = 900.0),
    (Code::ForwardGearNone, |it| it.params.drivetrain.gearbox.ratios.truncate(2)),
    (Code::AutoboxLatencyLong, |it| {
        let ShiftLaw::Map(map) = it.params.drivetrain.autobox.insert(ShiftLaw::default()) else {
            unreachable!("the default goes by a map");
        };
        map.latency = 100.0;
    }),
    (Code::NeutralGear, |it| {
        it.commands.throttle = 0.5;
        it.gear = GearCommand::Gear(it.params.drivetrain.gearbox.neutral);
    }),
    (Code::BrakeAgainstThrottle, |it| {
        it.commands =
            Commands { throttle: 0.5, brakes: [0.0, 1.0], steer: 0.0, steering_torque: None };
    }),
    (Code::EngineRevsSlowly, |it| it.params.drivetrain.engine.inertia = 10.0),
    (Code::EngineCurveLow, |it| {
        it.params.drivetrain.engine.torque_curve = LookupTable::constant(0.3);
    }),
    (Code::EngineSpeedOdd, |it| it.params.drivetrain.engine.max_speed = 6_500.0),
    (Code::EngineDamped, |it| it.params.drivetrain.engine.damping.full_throttle = 1.0),
    (Code::EngineCoastsFree, |it| it.params.drivetrain.engine.damping.engaged = 0.0),
    (Code::ClutchWeak, |it| it.params.drivetrain.clutch.max_strength = 2.0),
    (Code::ClutchWeak, |it| {
        let drivetrain = &mut it.params.drivetrain;
        let (engine, clutch) = (&drivetrain.engine, &mut drivetrain.clutch);
        clutch.capacity = Some(0.9 * engine.peak_torque);
    }),
    (Code::AutoboxNeverShiftsUp, |it| {
        it.by_engine_speed(|autobox| autobox.up_ratios[2] = 1.0);
    }),
    (Code::AutoboxHunts, |it| {
        it.by_engine_speed(|autobox| autobox.down_ratios[3] = 0.6);
    }),
    (Code::AutoboxLatencyShort, |it| {
        it.by_engine_speed(|autobox| autobox.latency = 0.15);
    }),
    (Code::EngineStalls, |it| {
        let stall = StallParams { speed: 40.0, starter_torque: 30.0 };
        let control = &mut it.params.drivetrain.engine.control;
        (control.idle, control.stall) = (None, Some(stall));
    }),
    (Code::StarterWeak, |it| {
        let engine = &mut it.params.drivetrain.engine;
        let starter_torque = engine.damping.full_throttle * 40.0;
        engine.control.stall = Some(StallParams { speed: 40.0, starter_torque });
        engine.control.idle = Some(IdleControlParams::default());
    }),
    (Code::DifferentialUneven, |it| {
        let mut shares = MultiWheelDifferentialParams::equal(4, &[2, 3]);
        shares.torque_ratios = vec![0.0, 0.0, 0.7, 0.3];
        it.params.drivetrain.differential = DifferentialParams::MultiWheel(shares);
    }),
    (Code::AckermannReversed, |it| it.mechanics().ackermann[0].wheels.swap(0, 1)),
    (Code::AckermannOdd, |it| it.mechanics().ackermann[0].wheel_base *= 1.5),
    (Code::AckermannOdd, |it| it.mechanics().ackermann[0].track_width *= 0.7),
    (Code::NumberUnused, |it| {
        let again = it.mechanics().ackermann[0];
        it.mechanics().ackermann.push(again);
    }),
    (Code::WheelNotSteered, |it| {
        let other = AckermannParams { wheels: [2, 3], ..it.mechanics().ackermann[0] };
        it.mechanics().ackermann.push(other);
    }),
    (Code::WheelNotSteered, |it| {
        it.mechanics().steering_system = Some(SteeringSystemParams::car(2, 1));
    }),
    (Code::DifferentialOpen, |it| {
        let shares = MultiWheelDifferentialParams::equal(4, &[2, 3]);
        it.params.drivetrain.differential = DifferentialParams::MultiWheel(shares);
        it.params.drivetrain.engine.peak_torque = 500.0;
    }),
];

#[test]
fn nothing_is_odd_about_a_healthy_car() {
    let healthy = Patient::healthy();
    for substeps in [1, 3] {
        let patient = Patient { substeps, ..Patient::healthy() };
        assert_eq!(patient.findings(), [], "{substeps} substeps");
        let default = Patient { substeps, ..Patient::default_car() };
        assert_eq!(default.findings(), [], "default car, {substeps} substeps");
    }
    let tank = EngineDriveVehicle::new(engine_params(tank())).expect("faultless params");
    assert_eq!(healthy.findings_of(&tank), []);
    let mut with_masses = Patient::healthy();
    with_masses.with_masses(|_, _| ());
    assert_eq!(with_masses.findings(), []);
}

#[test]
fn a_torque_curve_may_begin_at_no_torque() {
    let curve = [(0.0, 0.0), (0.1, 0.8), (0.6, 1.0), (1.0, 0.7)];
    for idle_speed in [0.0, 84.0] {
        let mut car = Patient::healthy();
        let engine = &mut car.params.drivetrain.engine;
        engine.torque_curve = LookupTable::new(curve).expect("increasing speeds");
        engine.idle_speed = idle_speed;
        car.by_engine_speed(|_| ());
        let found: Vec<_> = car.findings().iter().map(ToString::to_string).collect();
        assert!(found.is_empty(), "idle at {idle_speed} rad/s: {found:#?}");
    }
}

#[test]
fn a_damper_with_a_knee_at_0_has_the_rate_beyond_it() {
    let of = |part: [Real; 2]| {
        let mut car = Patient::healthy();
        car.with_masses(|wheel, spring| {
            let [rate, rate_beyond] = part.map(|part| part * spring.damping);
            let side = DamperSide { rate, knee: 0.0, rate_beyond };
            wheel.strut.damper = Some(DamperLaw { bump: side, rebound: side });
        });
        let has = |found: &Finding, code| found.code == code && found.path.contains("[0]");
        let findings = car.findings();
        let is_undamped = findings.iter().any(|found| has(found, Code::SuspensionUndamped));
        let is_unused =
            |found: &&Finding| has(found, Code::NumberUnused) && found.path.ends_with(".rate");
        (is_undamped, findings.iter().filter(is_unused).count())
    };
    assert_eq!(of([1.0, 1.0]), (false, 0), "a linear damper");
    assert_eq!(of([0.0, 1.0]), (false, 2), "a rate of 0 that does nothing");
    assert_eq!(of([1.0, 0.0]), (true, 2), "a rate that does nothing, and none beyond");
}

#[test]
fn brakes_of_all_tracks_are_against_the_throttle_and_those_of_one_steer() {
    let mut tank = EngineDriveVehicle::new(engine_params(tank())).expect("faultless params");
    for (throttle, levers, is_odd) in [
        (0.5, [1.0, 0.0], false),
        (0.5, [0.0, 0.3], false),
        (0.0, [1.0, 1.0], false),
        (0.5, [0.1, 1.0], true),
    ] {
        tank.commands.throttle = throttle;
        tank.controls.track_brakes = levers;
        let findings = Patient::healthy().findings_of(&tank);
        let found: Vec<_> = findings.iter().map(|it| (it.code, it.path.as_str())).collect();
        let odd = [(Code::BrakeAgainstThrottle, "controls.track_brakes")];
        assert_eq!(found, if is_odd { &odd[..] } else { &[] }, "{throttle}, {levers:?}");
    }
}

#[test]
fn commands_to_tracks_of_a_car_do_nothing() {
    let mut car = EngineDriveVehicle::new(Patient::healthy().params).expect("faultless params");
    let found = |car: &EngineDriveVehicle| -> Vec<_> {
        let findings = Patient::healthy().findings_of(car);
        findings.into_iter().map(|it| (it.code, it.path)).collect()
    };
    assert_eq!(found(&car), []);
    car.controls.thrusts = [1.0, -0.5];
    assert_eq!(found(&car), [(Code::TracksNone, "controls.thrusts".to_owned())]);
    car.controls.thrusts = [1.0; 2];
    car.controls.track_brakes = [0.0, 0.3];
    assert_eq!(found(&car), [(Code::TracksNone, "controls.track_brakes".to_owned())]);
}

#[test]
fn one_driven_wheel_needs_no_limited_slip() {
    let mut patient = Patient::healthy();
    let shares = MultiWheelDifferentialParams::equal(4, &[3]);
    patient.params.drivetrain.differential = DifferentialParams::MultiWheel(shares);
    patient.params.drivetrain.engine.peak_torque = 500.0;
    let findings = patient.findings();
    let is_open = |finding: &Finding| finding.code == Code::DifferentialOpen;
    assert!(!findings.iter().any(is_open), "{findings:?}");
}

#[test]
fn every_ailment_is_found() {
    let codes = |findings: &[Finding]| findings.iter().map(|found| found.code).collect::<Vec<_>>();
    for (code, spoil) in AILMENTS {
        let mut patient = Patient::healthy();
        spoil(&mut patient);
        let findings = patient.findings();
        let found = findings.iter().find(|finding| finding.code == *code);
        let Some(found) = found else { panic!("{code:?} is not among {:?}", codes(&findings)) };
        let is_usual = match found.usual {
            Usual::AtLeast(least) => least <= found.value,
            Usual::Above(below) => below < found.value,
            Usual::AtMost(most) => found.value <= most,
        };
        assert!(!is_usual && !found.path.is_empty(), "{found:?}");
        let text = found.to_string();
        for part in [&found.path, &found.quantity, found.consequence(), found.code.remedy()] {
            assert!(text.contains(part), "{part} is not in: {text}");
        }
    }
}

#[test]
fn no_code_is_without_an_ailment() {
    // A car with an engine always has a driven wheel: its shares sum to 1.
    let mechanics = CarBlueprint::default().mechanics().expect("a faultless car");
    let throttle = CommandResponseParams::linear(400.0, [0.0; 4]);
    let trailer = DirectDriveVehicle::new(DirectDriveParams { mechanics, throttle })
        .expect("faultless params");
    let findings = Patient::healthy().findings_of(&trailer);
    assert_eq!(findings.len(), 1, "{findings:?}");
    assert_eq!(findings[0].code, Code::DriveTorqueNone);
    assert!(findings[0].to_string().contains("usual is above 0."), "{}", findings[0]);

    let backward = CommandResponseParams::linear(400.0, [0.0, 0.0, -1.0, -1.0]);
    let backward = DirectDriveParams { throttle: backward, ..trailer.params().as_ref().clone() };
    let backward = DirectDriveVehicle::new(backward).expect("faultless params");
    let reversed = Patient::healthy().findings_of(&backward);
    assert_eq!(reversed.len(), 1, "{reversed:?}");
    assert_eq!(reversed[0].code, Code::DriveReversed);

    // Worlds are looked at where there are any, by `vehicle-rapier`, and measured tires where they
    // are made.
    let measured = [Code::TireRangeMirrored, Code::TireRangeOneSided];
    let of_worlds = [
        Code::RoadSlippery,
        Code::RoadMissing,
        Code::RoadHidden,
        Code::HullOnRoad,
        Code::HitchApart,
        Code::HullMissing,
        Code::NotUpright,
        Code::UpdateMissing,
        Code::UpdateRepeated,
        Code::BodyInactive,
        Code::BodyMissing,
        Code::BodyMotionInvalid,
        Code::WheelCollidersLeft,
        Code::WorldLengthUnit,
    ];
    // Commands to tracks have a test of their own.
    let elsewhere = [findings[0].code, reversed[0].code, Code::TracksNone]
        .into_iter()
        .chain(of_worlds)
        .chain(measured);
    let known = AILMENTS.iter().map(|(code, _)| *code).chain(elsewhere);
    let mut known: Vec<_> = known.chain(drivelines::codes()).chain(own_tires::codes()).collect();
    known.sort();
    known.dedup();
    assert_eq!(
        known,
        Code::ALL
            .iter()
            .copied()
            .collect::<std::collections::BTreeSet<_>>()
            .into_iter()
            .collect::<Vec<_>>()
    );
}

#[test]
fn warnings_come_first() {
    let mut patient = Patient::healthy();
    patient.mechanics().steering.max_response = 0.0;
    patient.mechanics().wheels[0].inertia = 10.0;
    patient.dt = 0.05;
    let severities: Vec<_> = patient.findings().iter().map(Finding::severity).collect();
    assert!(severities.len() >= 3, "{severities:?}");
    assert!(severities.is_sorted_by(|first, second| first >= second), "{severities:?}");
    assert_eq!(severities.last(), Some(&Severity::Note));
}

#[test]
fn a_time_step_that_is_none_is_refused() {
    let vehicle = EngineDriveVehicle::new(engine_params(tank())).expect("faultless params");
    let simulation = SimulationParams::default();
    for dt in [0.0, -DT, Real::NAN, Real::INFINITY] {
        let error = diagnose(&vehicle, &Conditions::new(&simulation, dt, 3)).unwrap_err();
        assert_eq!(error.to_string(), format!("dt must be positive and finite, got {dt}"));
    }
}

#[test]
fn findings_are_the_same_in_other_axes_and_units() {
    let meters = CoordinateSystem { frame: Frame::Y_UP, length_scale: 1.0 };
    let centimeters = CoordinateSystem { frame: Frame::Z_UP, length_scale: 100.0 };
    let conversion = CoordinateConversion::new(&meters, &centimeters);
    for (code, spoil) in AILMENTS {
        let mut patient = Patient::healthy();
        spoil(&mut patient);
        if patient.simulation.coordinates != meters {
            continue;
        }
        let codes = |patient: &Patient| {
            let mut codes: Vec<_> = patient.findings().iter().map(|found| found.code).collect();
            codes.sort();
            codes
        };
        let expected = codes(&patient);
        patient.params = patient.params.converted(&conversion);
        patient.simulation = patient.simulation.converted(&conversion);
        assert_eq!(codes(&patient), expected, "{code:?}");
    }
}

#[test]
fn substeps_that_are_advised_are_the_fewest_that_do() {
    let mut patient = Patient::healthy();
    patient.with_springs(5.0, 0.7);
    patient.dt = 1.0 / 30.0;
    let findings = patient.findings();
    let unstable = &findings[0];
    assert_eq!(unstable.code, Code::RideUnstable, "{findings:?}");
    let advice = unstable.advice.as_deref().expect("a number of substeps");
    let number = advice.split(' ').next().and_then(|word| word.parse().ok());
    let count: u32 = number.expect("a number of substeps");
    for (substeps, is_good) in [(count - 1, false), (count, true)] {
        patient.substeps = substeps;
        let findings = patient.findings();
        let is_odd = findings
            .iter()
            .any(|found| [Code::RideUnstable, Code::RideShakes].contains(&found.code));
        assert_ne!(is_odd, is_good, "{substeps} substeps: {findings:?}");
    }
}
