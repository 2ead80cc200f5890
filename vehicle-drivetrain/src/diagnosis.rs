//! Findings about ready-made vehicles, see [`vehicle_core::diagnosis`].

use vehicle_core::commands::Commands;
use vehicle_core::diagnosis::{Conditions, Diagnose, FindingCode as Code, Findings, Usual};
use vehicle_core::math::{Clamped, Real};
use vehicle_core::tire::TireModel;
use vehicle_core::vehicle::{MechanicalParams, OwnState};

use crate::autobox::AutoboxParams;
use crate::block_drive_vehicle::BlockDriveVehicleWith;
use crate::blocks::{Drive, DrivelineBlock, NO_IDLE, STARTER};
use crate::clutch::ClutchParams;
use crate::differential::{DifferentialKind, DifferentialModel, TankDifferentialParams};
use crate::direct_drive::Gear;
use crate::direct_drive_vehicle::DirectDriveVehicleWith;
use crate::drivetrain::DrivetrainParams;
use crate::engine::EngineParams;
use crate::engine_drive_vehicle::EngineDriveVehicleWith;
use crate::gearbox::{GearCommand, GearboxParams};
use crate::plausible;
use crate::shift_law::ShiftLaw;
use crate::transmission::TransmissionCommands;
use crate::vehicle::Vehicle;

/// Latency of an automatic gearbox at most (s); that of the reference is 2.
const LONGEST_LATENCY: Real = 5.0;

/// How far the torque ratio of a wheel may be from its speed ratio (dimensionless): sums are as
/// exact.
const MOST_UNEVEN: Real = 0.01;

/// Points of a torque curve at which an engine is looked at.
const CURVE_POINTS: u8 = 100;

impl<Tire: TireModel, Own: OwnState> Diagnose for DirectDriveVehicleWith<Tire, Own> {
    fn examine(&self, conditions: &Conditions<'_>, findings: &mut Findings) {
        let params = self.params();
        findings.field("mechanics", |inner| params.mechanics.examine(conditions, inner));
        let throttle = &params.throttle;
        let torques = throttle.wheel_multipliers.iter().zip(&params.mechanics.wheels);
        let force = |(multiplier, wheel): (&Real, &vehicle_core::wheel::WheelParams)| {
            multiplier * throttle.max_response / wheel.radius
        };
        let forces = torques.map(force);
        let sum: Real = forces.clone().map(Real::abs).sum();
        let path = "throttle.max_response";
        let (of_wheels, quantity) = ("throttle.wheel_multipliers", "drive force forward (N)");
        let forward: Real = forces.sum();
        findings.expect(Code::DriveReversed, of_wheels, quantity, forward, Usual::AtLeast(0.0));
        if sum == 0.0 {
            let least = if conditions.is_towed { Usual::AtLeast } else { Usual::Above };
            let usual = least(0.0);
            findings.expect(Code::DriveTorqueNone, path, "drive force (N)", sum, usual);
        } else {
            examine_drive(&params.mechanics, conditions, sum, path, findings);
        }
        examine_pedals(
            &self.commands,
            self.controls.gear == Gear::Neutral,
            "controls.gear",
            findings,
        );
        examine_aids(self, findings);
    }
}

impl<Tire: TireModel, D: DifferentialModel, Own: OwnState> Diagnose
    for EngineDriveVehicleWith<Tire, D, Own>
{
    fn examine(&self, conditions: &Conditions<'_>, findings: &mut Findings) {
        let params = self.params();
        findings.field("mechanics", |inner| params.mechanics.examine(conditions, inner));
        findings.field("drivetrain", |inner| {
            params.drivetrain.examine(&params.mechanics, conditions, inner);
        });
        let neutral = GearCommand::Gear(params.drivetrain.gearbox.neutral);
        let is_neutral = self.controls.gear == neutral;
        examine_pedals(&self.commands, is_neutral, "controls.gear", findings);
        if let DifferentialKind::Tank(tank) = params.drivetrain.differential.kind() {
            examine_track_brakes(tank, &self.controls, self.commands.throttle, findings);
        } else {
            examine_no_tracks(&self.controls, findings);
        }
        examine_aids(self, findings);
    }
}

impl<Tire: TireModel, C: DrivelineBlock + Clone, Own: OwnState> Diagnose
    for BlockDriveVehicleWith<Tire, C, Own>
{
    fn examine(&self, conditions: &Conditions<'_>, findings: &mut Findings) {
        let params = self.params();
        findings.field("mechanics", |inner| params.mechanics.examine(conditions, inner));
        let scale = conditions.length_scale();
        let wheels = params.mechanics.wheels.iter();
        let radii: Vec<Real> = wheels.map(|wheel| wheel.radius / scale).collect();
        let mut drive = Drive::default();
        let mass = params.mechanics.rigid_body.mass;
        findings.field("driveline", |inner| drive = params.driveline.examine(&radii, mass, inner));
        let (driven, path) = (drive.driven as Real, "driveline");
        let usual = Usual::AtLeast(1.0);
        findings.expect(Code::DriveTorqueNone, path, "driven wheels", driven, usual);
        let missing = (radii.len() - self.driveline().wheels().len()) as Real;
        let quantity = "wheels that are no part of it";
        findings.expect(Code::WheelNotInDriveline, path, quantity, missing, Usual::AtMost(0.0));
        if 0.0 < drive.force {
            examine_drive(&params.mechanics, conditions, drive.force * scale, path, findings);
        }
        if let Some([low, high]) = drive.speeds {
            let quantity = "speed at the largest speed of an engine or motor (m/s)";
            findings.expect(Code::TopSpeedLow, path, quantity, low, Usual::AtLeast(3.0));
            findings.expect(Code::TopSpeedHigh, path, quantity, high, Usual::AtMost(150.0));
        }
        let is_neutral = self.controls.direction() == 0.0;
        examine_pedals(&self.commands, is_neutral, "levers", findings);
        examine_aids(self, findings);
        let hand_brake = self.aids().and_then(|aids| aids.hand_brake);
        if hand_brake.is_some_and(|aid| aid.frees_center) {
            let held = params.driveline.held_centers().count() as Real;
            let quantity = "couplings of axles that no lever frees";
            let path = "aids.hand_brake.frees_center";
            findings.expect(Code::HandBrakeHeld, path, quantity, held, Usual::AtMost(0.0));
        }
    }
}

/// Adds aids that can do nothing for their vehicle.
fn examine_aids<D: crate::drive::Drive, Own: OwnState>(
    vehicle: &Vehicle<D, Own>,
    findings: &mut Findings,
) {
    let quantity = "wheels or engines that it can act on";
    for name in vehicle.idle_aids() {
        let path = format!("aids.{name}");
        findings.expect(Code::AidIdle, &path, quantity, 0.0, Usual::AtLeast(1.0));
    }
}

/// Adds pedals that contradict the gear or each other.
fn examine_pedals(commands: &Commands, is_neutral: bool, gear: &str, findings: &mut Findings) {
    let Commands { throttle, brakes, .. } = *commands;
    if is_neutral {
        let quantity = "throttle in neutral";
        findings.expect(Code::NeutralGear, gear, quantity, throttle, Usual::AtMost(0.0));
    }
    if 0.0 < throttle {
        let brake = brakes.into_iter().fold(0.0, Real::max);
        let (path, quantity) = ("commands.brakes", "brake under throttle");
        findings.expect(Code::BrakeAgainstThrottle, path, quantity, brake, Usual::AtMost(0.0));
    }
}

/// Adds brakes of all tracks against the `throttle`; with one that is free, a tank turns.
fn examine_track_brakes(
    tank: &TankDifferentialParams,
    commands: &TransmissionCommands,
    throttle: Real,
    findings: &mut Findings,
) {
    let brakes = commands.track_brakes;
    if 0.0 < throttle && tank.are_all_tracks_braked(brakes) {
        let brake = brakes.into_iter().fold(0.0, Real::max);
        let (path, quantity) = ("controls.track_brakes", "brake of all tracks under throttle");
        findings.expect(Code::BrakeAgainstThrottle, path, quantity, brake, Usual::AtMost(0.0));
    }
}

/// Adds commands to tracks, of a vehicle that has none.
fn examine_no_tracks(commands: &TransmissionCommands, findings: &mut Findings) {
    let largest = |numbers: [Real; 2]| numbers.into_iter().map(Real::abs).fold(0.0, Real::max);
    let thrust = largest(commands.thrusts.map(|thrust| 1.0 - thrust));
    let (path, usual) = ("controls.thrusts", Usual::AtMost(0.0));
    findings.expect(Code::TracksNone, path, "thrust of a track below 1", thrust, usual);
    let brake = largest(commands.track_brakes);
    let path = "controls.track_brakes";
    findings.expect(Code::TracksNone, path, "brake of a track", brake, usual);
}

/// Adds a largest drive `force` (N) that is weak or strong for the vehicle.
fn examine_drive<Tire>(
    mechanics: &MechanicalParams<Tire>,
    conditions: &Conditions<'_>,
    force: Real,
    path: &str,
    findings: &mut Findings,
) {
    let acceleration = force / mechanics.rigid_body.mass / conditions.length_scale();
    let quantity = "largest acceleration (m/s²)";
    let codes = [Code::DriveWeak, Code::DriveStrong];
    findings.expect_within(codes, path, quantity, acceleration, (0.5, 15.0));
}

impl<D: DifferentialModel> DrivetrainParams<D> {
    /// Adds what is odd about the drivetrain of a vehicle on `mechanics`.
    pub fn examine<Tire>(
        &self,
        mechanics: &MechanicalParams<Tire>,
        conditions: &Conditions<'_>,
        findings: &mut Findings,
    ) {
        let reached = self.engine.reached_fraction();
        let (mass, scale) = (mechanics.rigid_body.mass, conditions.length_scale());
        findings.field("engine", |inner| self.engine.examine(reached, (mass, scale), inner));
        let (path, quantity) = ("gearbox.switch_time", "time in which a gear is switched");
        plausible::expect(findings, path, quantity, self.gearbox.switch_time, &plausible::RESPONSE);
        self.examine_speed(mechanics, scale, findings);
        findings.field("clutch", |inner| self.clutch.examine(&self.engine, inner));
        let forward = self.gearbox.ratios.iter().filter(|ratio| 0.0 < **ratio).count() as Real;
        let (path, quantity) = ("gearbox.ratios", "gears that go forward");
        let usual = Usual::AtLeast(1.0);
        findings.expect(Code::ForwardGearNone, path, quantity, forward, usual);
        let latency = match &self.autobox {
            Some(ShiftLaw::EngineSpeed(autobox)) => autobox.latency,
            Some(ShiftLaw::Map(map)) => map.latency,
            None => 0.0,
        };
        let (path, usual) = ("autobox.latency", Usual::AtMost(LONGEST_LATENCY));
        findings.expect(Code::AutoboxLatencyLong, path, "latency (s)", latency, usual);
        // The lines of a shift map cannot hunt, and at its largest speed an engine leaves a gear.
        if let Some(ShiftLaw::EngineSpeed(autobox)) = &self.autobox {
            findings.field("autobox", |inner| autobox.examine(&self.gearbox, reached, inner));
        }
        self.examine_force(mechanics, conditions, findings);
    }

    /// Looks at the speed in the last gear at the largest speed of the engine.
    fn examine_speed<Tire>(
        &self,
        mechanics: &MechanicalParams<Tire>,
        scale: Real,
        findings: &mut Findings,
    ) {
        let ratio = self.gearbox.ratios.last().copied().unwrap_or(0.0) * self.gearbox.final_ratio;
        if ratio <= 0.0 {
            return;
        }
        let radii = mechanics.wheels.iter().map(|wheel| wheel.radius);
        let radius = radii.fold(0.0, Real::max) / scale;
        let speed = self.engine.max_speed / ratio * radius;
        let (path, quantity) = ("gearbox", "speed at the largest speed of the engine (m/s)");
        let codes = [Code::TopSpeedLow, Code::TopSpeedHigh];
        findings.expect_within(codes, path, quantity, speed, (3.0, 150.0));
    }

    /// Looks at the force in first gear at peak torque.
    fn examine_force<Tire>(
        &self,
        mechanics: &MechanicalParams<Tire>,
        conditions: &Conditions<'_>,
        findings: &mut Findings,
    ) {
        let Some(first) = self.gearbox.first_gear() else { return };
        let ratio = self.gearbox.ratios[first] * self.gearbox.final_ratio;
        let peak = self.engine.peak_torque * self.engine.highest_fraction();
        let count = mechanics.wheels.len() as Real;
        let radius = mechanics.wheels.iter().map(|wheel| wheel.radius).sum::<Real>() / count;
        let force = peak * ratio / radius;
        examine_drive(mechanics, conditions, force, "engine.peak_torque", findings);

        let is_open = match self.differential.kind() {
            // One driven wheel spins alone, and is nobody's inner one.
            DifferentialKind::MultiWheel(params) => {
                1 < params.torque_ratios.iter().filter(|ratio| **ratio != 0.0).count()
            }
            DifferentialKind::FourWheel(params) => {
                let slips = &params.limited_slip;
                let biases = &params.torque_bias;
                let is_limited = slips.front.is_some() || slips.rear.is_some();
                !is_limited && biases.front.is_none() && biases.rear.is_none()
            }
            DifferentialKind::TorqueSplitting(_) | DifferentialKind::Tank(_) => false,
        };
        let shares = match self.differential.kind() {
            DifferentialKind::MultiWheel(params) => Some(("differential", params)),
            DifferentialKind::FourWheel(params) => Some(("differential.shares", &params.shares)),
            DifferentialKind::Tank(params) => Some(("differential.shares", &params.shares)),
            DifferentialKind::TorqueSplitting(_) => None,
        };
        if let Some((path, (wheel, uneven))) =
            shares.and_then(|(path, shares)| Some((path, shares.most_uneven()?)))
        {
            let path = format_args!("{path}.torque_ratios[{wheel}]");
            let quantity = "difference of its size from the wheel's speed ratio";
            let usual = Usual::AtMost(MOST_UNEVEN);
            findings.expect(Code::DifferentialUneven, path, quantity, uneven, usual);
        }
        let weight = mechanics.rigid_body.mass * conditions.simulation.gravity.length();
        if is_open && 0.0 < weight {
            let quantity = "drive force in first gear per weight";
            let usual = Usual::AtMost(1.0);
            let path = "differential";
            findings.expect(Code::DifferentialOpen, path, quantity, force / weight, usual);
        }
    }
}

impl ClutchParams {
    /// Adds what is odd about the clutch behind `engine`.
    fn examine(&self, engine: &EngineParams, findings: &mut Findings) {
        let quantity = "time in which it closes";
        let time = self.engagement_time;
        plausible::expect(findings, "engagement_time", quantity, time, &plausible::RESPONSE);
        if let Some(automatic) = &self.automatic {
            let (path, quantity) = ("automatic.closed_speed", "speed at which it is closed");
            let range = plausible::closed_speed(engine.max_speed);
            plausible::expect(findings, path, quantity, automatic.closed_speed, &range);
        }
        let slip = engine.peak_torque / self.max_strength / engine.max_speed;
        let (path, usual) = ("max_strength", Usual::AtMost(0.1));
        let quantity = "slip at peak torque per largest engine speed";
        findings.expect(Code::ClutchWeak, path, quantity, slip, usual);
        if let Some(capacity) = self.capacity {
            let (path, part) = ("capacity", engine.peak_torque / capacity);
            let quantity = "torque of the engine per capacity";
            findings.expect(Code::ClutchWeak, path, quantity, part, Usual::AtMost(1.0));
        }
    }
}

impl EngineParams {
    /// The highest value of the torque curve.
    fn highest_fraction(&self) -> Real {
        self.torque_curve.points().iter().map(|(_, torque)| *torque).fold(0.0, Real::max)
    }

    /// The speed at which friction takes all of the torque at full throttle, as a fraction of the
    /// largest; 1 if it does not. It is 0 if friction takes all of it at idle. What the curve says
    /// below idle does not count: it may begin at 0.
    fn reached_fraction(&self) -> Real {
        let idle = self.speed_fraction(self.idle_speed) * Real::from(CURVE_POINTS);
        let first = (idle.ceil() as u8).clamped(1, CURVE_POINTS);
        let is_reached = |percent: &u8| {
            let fraction = Real::from(*percent) / Real::from(CURVE_POINTS);
            let torque = self.peak_torque * self.torque_curve.evaluate(fraction);
            self.damping.full_throttle * fraction * self.max_speed < torque
        };
        let reached = (first..=CURVE_POINTS).take_while(is_reached).last().unwrap_or(0);
        Real::from(reached) / Real::from(CURVE_POINTS)
    }

    /// Adds what is odd about an engine that `reached` this fraction of its largest speed, in a
    /// vehicle of this mass (kg) and so many length units per meter.
    fn examine(&self, reached: Real, (mass, scale): (Real, Real), findings: &mut Findings) {
        if 0.0 < self.peak_torque {
            let range = plausible::torque(mass, scale);
            plausible::expect(findings, "peak_torque", "largest torque", self.peak_torque, &range);
        }
        let curve = self.highest_fraction();
        let quantity = "highest fraction of the peak torque";
        findings.expect(Code::EngineCurveLow, "torque_curve", quantity, curve, Usual::AtLeast(0.5));
        let range = plausible::engine_speed(mass);
        let code = Code::EngineSpeedOdd;
        plausible::expect_as(findings, code, "max_speed", "largest speed", self.max_speed, &range);
        plausible::expect_inertia(findings, self.inertia, self.peak_torque * curve, self.max_speed);
        let (path, quantity) = ("damping.full_throttle", "reached fraction of the largest speed");
        findings.expect(Code::EngineDamped, path, quantity, reached, Usual::AtLeast(0.9));
        let damping = self.damping.engaged.min(self.damping.disengaged);
        let (path, usual) = ("damping.engaged", Usual::Above(0.0));
        let quantity = "smaller damping without throttle (N·m·s)";
        findings.expect(Code::EngineCoastsFree, path, quantity, damping, usual);
        self.examine_stall(findings);
    }

    /// Adds an engine that dies without throttle, or never starts again.
    fn examine_stall(&self, findings: &mut Findings) {
        let Some(stall) = self.control.stall.filter(|stall| 0.0 < stall.speed) else { return };
        if self.control.idle.is_none() {
            let left = -self.damping.disengaged * self.idle_speed;
            let path = "control.stall";
            findings.expect(Code::EngineStalls, path, NO_IDLE, left, Usual::AtLeast(0.0));
        }
        let friction = self.damping.disengaged.min(self.damping.full_throttle) * stall.speed;
        let (path, left) = ("control.stall.starter_torque", stall.starter_torque - friction);
        findings.expect(Code::StarterWeak, path, STARTER, left, Usual::Above(0.0));
    }
}

impl AutoboxParams {
    /// Adds what is odd about the automatic of `gearbox`, behind an engine that reaches this
    /// fraction of its largest speed.
    fn examine(&self, gearbox: &GearboxParams, reached: Real, findings: &mut Findings) {
        let usual = Usual::AtLeast(2.0 * gearbox.switch_time);
        let quantity = "latency (s)";
        findings.expect(Code::AutoboxLatencyShort, "latency", quantity, self.latency, usual);
        let Some(first) = gearbox.first_gear() else { return };
        for gear in first..gearbox.ratios.len() - 1 {
            let up = self.up_ratios[gear];
            let path = format!("up_ratios[{gear}]");
            let usual = Usual::AtMost(0.99 * reached);
            let quantity = "engine speed for shifting up";
            findings.expect(Code::AutoboxNeverShiftsUp, &path, quantity, up, usual);
            let after = up * gearbox.ratios[gear + 1] / gearbox.ratios[gear];
            let usual = Usual::AtLeast(self.down_ratios[gear + 1]);
            let quantity = "engine speed after the shift";
            findings.expect(Code::AutoboxHunts, &path, quantity, after, usual);
        }
    }
}
