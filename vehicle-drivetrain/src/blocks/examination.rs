//! Findings about a driveline, see [`vehicle_core::diagnosis`].

use vehicle_core::diagnosis::{FindingCode as Code, Findings, Usual};
use vehicle_core::math::Real;

use super::battery::BatterySettings;
use super::block::DrivelineBlock;
use super::clutch::{ANTI_STALL_CLOSED, ClutchActuation, FrictionClutch};
use super::command::DriverCommand;
use super::differential::{DifferentialMode, TransferCase, TransferMode};
use super::engine::Engine;
use super::gearbox::{GearControl, Gearbox, TARGET_SPEED};
use super::motor::ElectricMotor;
use super::standard::Block;
use super::tree::{BlockTree, Shaft};
use crate::plausible;

/// Force and speed that sources can give the wheels of a vehicle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Drive {
    /// Largest force of all sources together, in the lowest gears (N).
    pub(crate) force: Real,
    /// Speed of the vehicle at the largest speed of a source in the highest gears (m/s): the
    /// smallest and the largest over all sources.
    pub(crate) speeds: Option<[Real; 2]>,
    /// Wheels that a source can drive.
    pub(crate) driven: usize,
}

/// Torque and speed that come through a shaft from a source.
#[derive(Clone, Copy, Debug)]
struct Flow {
    /// Largest torque, in the lowest gears (N·m).
    torque: Real,
    /// Largest speed, in the highest gears (rad/s).
    speed: Real,
    /// The source's own largest speed, and that at which it idles, times all ratios until the next
    /// gearbox (rad/s).
    source: [Real; 2],
}

impl Flow {
    /// Behind a gear of this ratio.
    fn geared(self, ratio: Real) -> Self {
        let ratio = ratio.abs();
        let source = self.source.map(|speed| speed / ratio);
        Self { torque: self.torque * ratio, speed: self.speed / ratio, source }
    }

    /// Of this part of the torque.
    fn shared(self, part: Real) -> Self {
        Self { torque: part * self.torque, ..self }
    }
}

impl Engine {
    fn peak_torque(&self) -> Real {
        self.full_load.points().iter().map(|(_, torque)| *torque).fold(0.0, Real::max)
    }

    /// Speed beyond which it gives no torque, or gets no fuel (rad/s).
    fn reached_speed(&self) -> Real {
        let last = self.full_load.points().iter().rev().find(|(_, torque)| 0.0 < *torque);
        let end = last.map_or(0.0, |(speed, _)| *speed);
        self.limiter.map_or(end, |limiter| limiter.speed)
    }

    fn idle_speed(&self) -> Real {
        self.idle.map_or(0.0, |idle| idle.speed)
    }

    fn examine(&self, mass: Real, findings: &mut Findings) {
        let (speed, peak) = (self.reached_speed(), self.peak_torque());
        let range = plausible::engine_speed(mass);
        let code = Code::EngineSpeedOdd;
        plausible::expect_as(findings, code, "limiter.speed", "largest speed", speed, &range);
        if 0.0 < peak {
            let range = plausible::torque(mass, 1.0);
            plausible::expect(findings, "full_load", "largest torque", peak, &range);
            plausible::expect_inertia(findings, self.inertia, peak, speed);
        }
        if self.limiter.is_some() {
            let quantity = "torque at the limiter (N·m)";
            let torque = self.full_load.evaluate(speed);
            let usual = Usual::AtLeast(Real::MIN_POSITIVE);
            findings.expect(Code::EngineDamped, "full_load", quantity, torque, usual);
        }
        let friction = self.friction_torque(f64::from(speed)) as Real;
        let usual = Usual::AtLeast(Real::MIN_POSITIVE);
        let quantity = "friction at the largest speed (N·m)";
        findings.expect(Code::EngineCoastsFree, "friction", quantity, friction, usual);
        if let Some(idle) = &self.idle {
            let at = f64::from(idle.speed);
            let given = f64::from(idle.max_throttle) * self.combustion_torque(at);
            let quantity = "torque that idle control has left at idle (N·m)";
            let left = (given - self.friction_torque(at)) as Real;
            findings.expect(Code::EngineStalls, "idle", quantity, left, Usual::AtLeast(0.0));
        }
        if let Some(stall) = &self.stall {
            let friction = self.friction_torque(f64::from(stall.running_speed)) as Real;
            if self.idle.is_none() {
                let left = -friction;
                findings.expect(Code::EngineStalls, "stall", NO_IDLE, left, Usual::AtLeast(0.0));
            }
            let left = stall.starter_torque - friction;
            let path = "stall.starter_torque";
            findings.expect(Code::StarterWeak, path, STARTER, left, Usual::Above(0.0));
        }
    }
}

/// Torque of an engine that may die and has no idle control.
pub(crate) const NO_IDLE: &str = "torque without throttle, and without idle control (N·m)";
/// Torque of a starter.
pub(crate) const STARTER: &str =
    "torque that the starter has left as the engine begins to run (N·m)";

impl ElectricMotor {
    /// Adds numbers that no motor of a vehicle of this `mass` (kg) has.
    fn examine(&self, mass: Real, findings: &mut Findings) {
        let (torque, power, speed) = (self.max_torque, self.max_power, self.max_speed);
        let range = plausible::MOTOR_SPEED;
        plausible::expect(findings, "max_speed", "largest speed", speed, &range);
        let response = &plausible::RESPONSE;
        let quantity = "time in which the torque follows";
        plausible::expect(findings, "torque_time", quantity, self.torque_time, response);
        // Without torque or power, it does not drive, which is told elsewhere.
        if 0.0 < torque {
            let range = plausible::torque(mass, 1.0);
            plausible::expect(findings, "max_torque", "largest torque", torque, &range);
            plausible::expect_inertia(findings, self.inertia, torque, speed);
        }
        if 0.0 < power {
            plausible::expect(
                findings,
                "max_power",
                "largest power",
                power,
                &plausible::power(mass),
            );
            self.examine_losses(findings);
        }
    }

    /// Adds losses that take all of the power.
    fn examine_losses(&self, findings: &mut Findings) {
        let [copper, iron, windage, constant] = self.losses;
        let (torque, speed) = (self.max_torque, self.max_speed);
        let parts = [
            ("loss at the largest torque", copper * torque * torque),
            ("loss that grows with the speed, at the largest one", iron * speed),
            ("loss that grows with the speed's cube, at the largest one", windage * speed.powi(3)),
            ("constant loss", constant),
        ];
        let range = plausible::loss(self.max_power);
        for (index, (quantity, loss)) in parts.into_iter().enumerate() {
            plausible::expect(findings, format_args!("losses[{index}]"), quantity, loss, &range);
        }
    }
}

impl BatterySettings {
    /// Adds numbers that no battery of a vehicle of this `mass` (kg) has.
    fn examine(&self, mass: Real, findings: &mut Findings) {
        let powers = [
            ("max_discharge_power", self.max_discharge_power),
            ("max_charge_power", self.max_charge_power),
        ];
        let range = plausible::power(mass);
        for (path, power) in powers.into_iter().filter(|(_, power)| 0.0 < *power) {
            plausible::expect(findings, path, "largest power", power, &range);
        }
        if 0.0 < self.max_discharge_power {
            let range = plausible::capacity(self.max_discharge_power);
            plausible::expect(findings, "capacity", "energy", self.capacity, &range);
        }
    }
}

impl FrictionClutch {
    fn examine(&self, flow: Flow, findings: &mut Findings) {
        let closed = self.bite.evaluate(1.0) * self.capacity.0;
        let quantity = "torque of the source per capacity";
        let part = flow.torque / closed;
        findings.expect(Code::ClutchWeak, "capacity", quantity, part, Usual::AtMost(1.0));
        let most = flow.source[0];
        let closed = ("actuation.closed_speed", "speed at which it is closed");
        let ((path, quantity), speed, most) = match self.actuation {
            ClutchActuation::AntiStall { speed } => {
                let named = ("actuation.speed", "speed from which it closes, up to twice that");
                (named, speed, most / ANTI_STALL_CLOSED)
            }
            ClutchActuation::Automatic { closed_speed, .. }
            | ClutchActuation::Centrifugal { closed_speed, .. } => (closed, closed_speed, most),
            ClutchActuation::Pedal => return,
        };
        let range = plausible::closed_speed(most);
        plausible::expect(findings, path, quantity, speed, &range);
    }
}

impl Gearbox {
    fn examine(&self, flow: Flow, findings: &mut Findings) {
        let [most, idle] = flow.source;
        let quantity = "time in which a gear is switched";
        plausible::expect(findings, "shift_time", quantity, self.shift_time, &plausible::RESPONSE);
        let quantity = "largest speed of the input per that of the source";
        let part = self.max_input_speed / most;
        findings.expect(Code::ShiftRefused, "max_input_speed", quantity, part, Usual::AtLeast(0.9));
        if let GearControl::Automatic(lines) = &self.control {
            for &(throttle, speed) in lines.up.points() {
                let path = format_args!("control.up[{throttle}]");
                let quantity = "speed for shifting up per largest speed of the source";
                let usual = Usual::AtMost(0.99);
                findings.expect(Code::AutoboxNeverShiftsUp, path, quantity, speed / most, usual);
            }
        }
        if matches!(self.control, GearControl::Variable { .. }) || idle <= 0.0 {
            return;
        }
        for (gear, pair) in self.forward.windows(2).enumerate() {
            let quantity = "largest speed after the shift per idle speed";
            let after = most * pair[1] / pair[0] / idle;
            let path = format_args!("forward[{}]", gear + 1);
            findings.expect(Code::GearStepLarge, path, quantity, after, Usual::AtLeast(1.0));
        }
    }
}

impl<C: DrivelineBlock> BlockTree<C> {
    /// Names of the blocks between axles that couple them, and that no lever frees.
    pub(crate) fn held_centers(&self) -> impl Iterator<Item = &str> {
        let is_held = |mode: &DifferentialMode| {
            !matches!(mode, DifferentialMode::Open { .. } | DifferentialMode::Active { .. })
        };
        let couples = move |block: &Block<C>| match block {
            Block::Differential(center) => is_held(&center.mode),
            Block::TransferCase(TransferCase {
                mode: TransferMode::Planetary { mode, .. },
                ..
            }) => is_held(mode),
            Block::Splitter(_) => true,
            _ => false,
        };
        let axles = |index: usize| {
            let outputs = self.shafts.iter().filter(move |shaft| shaft.from.0 == index);
            let wheel = |shaft: &&Shaft| self.blocks[shaft.to.0].block.as_block().wheel().is_none();
            outputs.filter(wheel).count()
        };
        let named = self.blocks.iter().enumerate();
        named
            .filter(move |(index, named)| couples(&named.block) && 1 < axles(*index))
            .map(|(_, named)| named.name.as_str())
    }

    /// Adds what is odd about blocks in a vehicle of this `mass` (kg), and returns what their
    /// sources can do at wheels of these radii (m).
    pub(crate) fn examine(&self, radii: &[Real], mass: Real, findings: &mut Findings) -> Drive {
        let mut drive = Drive::default();
        let mut driven = vec![false; radii.len()];
        for (index, named) in self.blocks.iter().enumerate() {
            let flow = match &named.block {
                Block::Engine(engine) => {
                    findings.field(format_args!("{:?}", named.name), |inner| {
                        engine.examine(mass, inner);
                    });
                    let speed = engine.reached_speed();
                    Flow {
                        torque: engine.peak_torque(),
                        speed,
                        source: [speed, engine.idle_speed()],
                    }
                }
                Block::ElectricMotor(motor) => {
                    findings.field(format_args!("{:?}", named.name), |inner| {
                        motor.examine(mass, inner);
                    });
                    let speed = motor.max_speed;
                    Flow { torque: motor.max_torque, speed, source: [speed, 0.0] }
                }
                _ => continue,
            };
            self.follow(index, 0, flow, findings, &mut |wheel, flow| {
                let Some(radius) = radii.get(wheel) else { return };
                driven[wheel] = true;
                drive.force += flow.torque / radius;
                let speed = flow.speed * radius;
                let [low, high] = drive.speeds.unwrap_or([speed; 2]);
                drive.speeds = Some([low.min(speed), high.max(speed)]);
            });
        }
        self.examine_targets(findings);
        for (index, battery) in self.batteries.iter().enumerate() {
            findings
                .field(format_args!("batteries[{index}]"), |inner| battery.examine(mass, inner));
        }
        self.examine_batteries(findings);
        drive.driven = driven.iter().filter(|is_driven| **is_driven).count();
        drive
    }

    /// Follows what leaves a block by an output to all wheels.
    fn follow(
        &self,
        block: usize,
        output: usize,
        flow: Flow,
        findings: &mut Findings,
        reach: &mut impl FnMut(usize, Flow),
    ) {
        let Some(shaft) = self.shafts.iter().find(|shaft| shaft.from == (block, output)) else {
            return;
        };
        let (next, input) = shaft.to;
        let named = &self.blocks[next];
        findings.field(format_args!("{:?}", named.name), |inner| match &named.block {
            Block::FrictionClutch(clutch) => clutch.examine(flow, inner),
            Block::Gearbox(gearbox) => gearbox.examine(flow, inner),
            _ => {}
        });
        let outputs: Vec<Flow> = match &named.block {
            Block::Wheel(wheel) => return reach(wheel.wheel, flow),
            Block::FrictionClutch(clutch) => {
                vec![Flow { torque: flow.torque.min(clutch.capacity.0), ..flow }]
            }
            Block::TorqueConverter(converter) => vec![flow.shared(converter.stall_torque_ratio)],
            Block::Gearbox(gearbox) => {
                let ratio = |list: Option<&Real>| list.copied().unwrap_or(1.0);
                let (first, last) = (ratio(gearbox.forward.first()), ratio(gearbox.forward.last()));
                vec![Flow { torque: flow.torque * first, ..flow.geared(last) }]
            }
            Block::Gear(gear) => vec![flow.geared(gear.ratio)],
            Block::Differential(differential) => {
                let geared = flow.geared(differential.ratio);
                let share = differential.share;
                vec![geared.shared(share), geared.shared(1.0 - share)]
            }
            Block::TransferCase(case) => {
                // A low range is there to crawl in.
                let geared = flow.geared(case.ratio);
                let share = match case.mode {
                    TransferMode::Planetary { share, .. } => share,
                    TransferMode::OnDemand { .. } | TransferMode::PartTime => 1.0,
                };
                vec![geared.shared(share), geared.shared(1.0 - share)]
            }
            Block::Splitter(splitter) => {
                vec![flow.shared(1.0 / splitter.outputs as Real); splitter.outputs]
            }
            // The sun holds the carrier's torque, and drives nothing alone; the speed of the ring
            // is free.
            Block::PowerSplit(split) if input == 0 => {
                vec![flow.shared(split.teeth_ratio / (1.0 + split.teeth_ratio))]
            }
            Block::DoubleDifferential(double) if input == 0 => {
                vec![flow.geared(double.drive_ratio).shared(0.5); 2]
            }
            Block::PowerSplit(_) | Block::DoubleDifferential(_) => return,
            block => vec![flow; block.as_block().initialize().outputs],
        };
        for (output, flow) in outputs.into_iter().enumerate() {
            self.follow(next, output, flow, findings, reach);
        }
    }

    /// Adds variable gearboxes that nobody tells a speed.
    fn examine_targets(&self, findings: &mut Findings) {
        for named in &self.blocks {
            let Block::Gearbox(gearbox) = &named.block else { continue };
            if !matches!(gearbox.control, GearControl::Variable { .. }) {
                continue;
            }
            let is_target = |to: &(String, String)| to.0 == named.name && to.1 == TARGET_SPEED;
            let links = self.bus.iter().filter(|link| is_target(&link.to)).count();
            let controls = self
                .driver
                .iter()
                .filter(|link| link.command != DriverCommand::Nothing && is_target(&link.to));
            let told = (links + controls.count()) as Real;
            let path = format_args!("{:?}.control", named.name);
            let quantity = "links to its input `target speed`";
            findings.expect(Code::TargetSpeedNone, path, quantity, told, Usual::AtLeast(1.0));
        }
    }

    /// Adds batteries that are too weak for the strongest of their motors.
    fn examine_batteries(&self, findings: &mut Findings) {
        for (index, battery) in self.batteries.iter().enumerate() {
            let powers = self.blocks.iter().filter_map(|named| match &named.block {
                Block::ElectricMotor(motor) if motor.battery == Some(index) => {
                    Some(motor.max_power)
                }
                _ => None,
            });
            let strongest = powers.fold(0.0, Real::max);
            if strongest == 0.0 {
                continue;
            }
            let path = format_args!("batteries[{index}].max_discharge_power");
            let quantity = "power of the battery per that of its strongest motor";
            let part = battery.max_discharge_power / strongest;
            findings.expect(Code::BatteryWeak, path, quantity, part, Usual::AtLeast(0.5));
        }
    }
}
