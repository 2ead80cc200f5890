//! What of a scenario is checked before anything runs, whatever the vehicle.

use std::collections::HashSet;

use super::check::Check;
use super::scenario::{
    Ground, Manoeuvre, Needs, Output, Pedals, Phase, SCENARIO_VERSION, Section, Start, Steer, Until,
};
use super::signal::Signal;

/// Frictions that a ground can have (dimensionless).
const FRICTIONS: [f64; 2] = [0.01, 5.0];
/// Speeds (m/s).
const SPEEDS: [f64; 2] = [0.0, 150.0];
/// Shortest phase, and longest time of all (s): what is recorded has to find room.
pub(super) const TIMES: [f64; 2] = [0.01, 1_000.0];
/// Radii of circles (m).
const RADII: [f64; 2] = [1.0, 1e4];
/// Lengths of sections (m).
const LENGTHS: [f64; 2] = [0.5, 1e4];
/// Room beside the middle of a lane (m).
const ROOMS: [f64; 2] = [0.0, 100.0];
/// Commands of the steering wheel, and of pedals and the hand brake (dimensionless).
const COMMANDS: [f64; 2] = [-1.0, 1.0];
const PEDALS: [f64; 2] = [0.0, 1.0];
/// Angles of road wheels, and of steering wheels (rad).
const WHEEL_ANGLES: [f64; 2] = [-1.6, 1.6];
const STEERING_WHEEL_ANGLES: [f64; 2] = [-1_000.0, 1_000.0];
/// Lateral accelerations to both sides, and those that pedals hold or give (m/s²).
const LATERAL_ACCELERATIONS: [f64; 2] = [-100.0, 100.0];
const ACCELERATIONS: [f64; 2] = [0.0, 100.0];
/// Heights of posts (m).
const HEIGHTS: [f64; 2] = [-0.5, 0.5];
/// Roughness: from a mirror to a field (m³).
const DENSITIES: [f64; 2] = [1e-8, 0.1];

impl Manoeuvre {
    /// Checks all that it says.
    pub(super) fn check(&self, check: &mut Check) {
        let newest = format_args!("{SCENARIO_VERSION}, the only one that is known");
        check.require("version", self.version == SCENARIO_VERSION, newest, self.version);
        check.require("title", !self.title.trim().is_empty(), "a text", "nothing");
        check.field("needs", |check| self.needs.check(check));
        let towing = self.towing.as_deref().unwrap_or("a vehicle");
        let is_name = !towing.trim().is_empty() && !towing.contains('+');
        check.require(
            "towing",
            is_name,
            "a preset or a file of one vehicle",
            format!("{towing:?}"),
        );
        check.field("ground", |check| self.ground.check(check));
        check.field("start", |check| self.start.check(check));
        check.require("phases", !self.phases.is_empty(), "at least one phase", "none");
        check.each("phases", &self.phases, Phase::check);
        let names = self.phases.iter().map(|phase| &phase.name);
        check_unique("phases", names, check);
        check_unique("figures", self.figures.iter().map(|figure| &figure.name), check);
        check_unique_channels(&self.channels, check);
        let longest: f64 = self.phases.iter().map(|phase| phase.until.time).sum();
        let requirement = format_args!("at most {} s together", TIMES[1]);
        let is_short = longest <= TIMES[1];
        check.require("phases[..].until.time", is_short, requirement, longest);
        self.check_order(check);
        check.field("output", |check| self.output.check(check));
        check.each("figures", &self.figures, |figure, check| figure.check(self, check));
    }

    /// What is held must have been given before, and a lateral acceleration takes a circle.
    fn check_order(&self, check: &mut Check) {
        for (index, phase) in self.phases.iter().enumerate() {
            let is_circle = matches!(phase.steer, Steer::Circle { .. });
            check.field(format_args!("phases[{index}]"), |check| {
                if matches!(phase.pedals, Pedals::LateralAcceleration(_)) && !is_circle {
                    let message = "must be together with the steering `circle`, got another one";
                    check.fault("pedals.lateral_acceleration", message);
                }
            });
        }
        if self.ground.posts.is_some() {
            let is_at_rest = self.start.speed == 0.0;
            check.require("start.speed", is_at_rest, "0 on posts", self.start.speed);
        }
        let needs_speed = |phase: &Phase| matches!(phase.steer, Steer::LateralAcceleration(_));
        if let Some(index) = self.phases.iter().position(needs_speed)
            && self.start.speed <= 0.0
        {
            let message = format!(
                "must be positive for phases[{index}].steer.lateral_acceleration, got {}",
                self.start.speed
            );
            check.fault("start.speed", message);
        }
    }
}

fn check_unique<'a>(list: &str, names: impl Iterator<Item = &'a String>, check: &mut Check) {
    let mut seen = HashSet::new();
    for (index, name) in names.enumerate() {
        let path = format!("{list}[{index}].name");
        check.require(&path, !name.trim().is_empty(), "a name", "nothing");
        check.require(
            &path,
            seen.insert(name),
            "a name of its own",
            format_args!("`{name}` again"),
        );
    }
}

fn check_unique_channels(channels: &[String], check: &mut Check) {
    let mut seen = HashSet::new();
    for (index, name) in channels.iter().enumerate() {
        let path = format!("channels[{index}]");
        check.require(path, seen.insert(name), "a name of its own", format_args!("`{name}` again"));
    }
}

impl Needs {
    fn check(&self, check: &mut Check) {
        check.within("stability", self.stability, [0.0, 10.0]);
        check.within("wheel_base", self.wheel_base, [0.0, 100.0]);
    }
}

impl Ground {
    fn check(&self, check: &mut Check) {
        check.within("friction", self.friction, FRICTIONS);
        check.within("slope", self.slope, [-0.5, 0.5]);
        if let Some(friction) = self.left_friction {
            check.within("left_friction", friction, FRICTIONS);
        }
        if let Some(posts) = &self.posts {
            check.field("posts.height", |check| {
                posts.height.check(HEIGHTS, check);
                let first = posts.height.at(0.0);
                let requirement = "0 at the beginning, where the vehicle has settled";
                check.require("", first == 0.0, requirement, format_args!("{first} m at 0 s"));
            });
            let is_plain =
                self.slope == 0.0 && self.left_friction.is_none() && self.roughness.is_none();
            let requirement = "on a level ground of one friction";
            check.require("posts", is_plain, requirement, "slope, left_friction or roughness");
        }
        if let Some(roughness) = &self.roughness {
            check.within("roughness.density", roughness.density, DENSITIES);
            if self.slope != 0.0 || self.left_friction.is_some() {
                let message =
                    "must be on a level ground of one friction, got slope or left_friction";
                check.fault("roughness", message);
            }
        }
    }
}

impl Start {
    fn check(&self, check: &mut Check) {
        check.within("speed", self.speed, SPEEDS);
    }
}

impl Phase {
    fn check(&self, check: &mut Check) {
        check.field("steer", |check| self.steer.check(check));
        check.field("pedals", |check| self.pedals.check(check));
        if let Some(brake) = &self.hand_brake {
            check.field("hand_brake", |check| brake.check(PEDALS, check));
        }
        check.field("until", |check| self.until.check(check));
    }

    /// All its signals, mutably, each with its path.
    pub(super) fn signals_mut(&mut self) -> Vec<(&'static str, &mut Signal)> {
        let mut signals = Vec::new();
        match &mut self.steer {
            Steer::Command(signal) => signals.push(("steer.command", signal)),
            Steer::WheelAngle(signal) => signals.push(("steer.wheel_angle", signal)),
            Steer::AngleOf { angle, .. } => signals.push(("steer.angle_of.angle", angle)),
            Steer::SteeringWheelAngle { angle, .. } => {
                signals.push(("steer.steering_wheel_angle.angle", angle));
            }
            Steer::LateralAcceleration(signal) => {
                signals.push(("steer.lateral_acceleration", signal));
            }
            Steer::Straight | Steer::Hold | Steer::Circle { .. } | Steer::Path(_) => {}
        }
        match &mut self.pedals {
            Pedals::Open { throttle, brake, .. } => {
                signals.push(("pedals.open.throttle", throttle));
                signals.push(("pedals.open.brake", brake));
            }
            Pedals::Deceleration(signal) => signals.push(("pedals.deceleration", signal)),
            Pedals::Speed(signal) => signals.push(("pedals.speed", signal)),
            Pedals::LateralAcceleration(signal) => {
                signals.push(("pedals.lateral_acceleration", signal));
            }
            Pedals::Released | Pedals::Hold => {}
        }
        signals.extend(self.hand_brake.as_mut().map(|signal| ("hand_brake", signal)));
        signals
    }
}

impl Steer {
    fn check(&self, check: &mut Check) {
        match self {
            Self::Straight | Self::Hold => {}
            Self::Command(signal) => {
                check.field("command", |check| signal.check(COMMANDS, check));
            }
            Self::WheelAngle(signal) => {
                check.field("wheel_angle", |check| signal.check(WHEEL_ANGLES, check));
            }
            Self::AngleOf { angle, .. } => check.field("angle_of", |check| {
                check.field("angle", |check| angle.check(WHEEL_ANGLES, check));
            }),
            Self::SteeringWheelAngle { ratio, angle, .. } => {
                check.field("steering_wheel_angle", |check| {
                    if let Some(ratio) = ratio {
                        check.within("ratio", *ratio, [0.01, 1_000.0]);
                    }
                    check.field("angle", |check| angle.check(STEERING_WHEEL_ANGLES, check));
                });
            }
            Self::LateralAcceleration(signal) => check.field("lateral_acceleration", |check| {
                signal.check(LATERAL_ACCELERATIONS, check);
            }),
            Self::Circle { radius } => check.within("circle.radius", *radius, RADII),
            Self::Path(sections) => {
                check.require("path", !sections.is_empty(), "at least one section", "none");
                check.each("path", sections, Section::check);
            }
        }
    }
}

impl Section {
    fn check(&self, check: &mut Check) {
        match *self {
            Self::Straight(length) => check.within("straight", length, LENGTHS),
            Self::Lane { length, room, widths } => check.field("lane", |check| {
                check.within("length", length, LENGTHS);
                check.within("room", room, ROOMS);
                check.within("widths", widths, [0.0, 10.0]);
            }),
            Self::Shift { length, offset, widths, room } => check.field("shift", |check| {
                check.within("length", length, LENGTHS);
                check.within("offset", offset, [-100.0, 100.0]);
                check.within("widths", widths, [-10.0, 10.0]);
                check.within("room", room, ROOMS);
            }),
        }
    }
}

impl Pedals {
    fn check(&self, check: &mut Check) {
        match self {
            Self::Released | Self::Hold => {}
            Self::Open { throttle, brake, .. } => check.field("open", |check| {
                check.field("throttle", |check| throttle.check(PEDALS, check));
                check.field("brake", |check| brake.check(PEDALS, check));
            }),
            Self::Deceleration(signal) => {
                check.field("deceleration", |check| signal.check(ACCELERATIONS, check));
            }
            Self::Speed(signal) => check.field("speed", |check| signal.check(SPEEDS, check)),
            Self::LateralAcceleration(signal) => {
                check.field("lateral_acceleration", |check| signal.check(ACCELERATIONS, check));
            }
        }
    }
}

impl Until {
    fn check(&self, check: &mut Check) {
        check.within("time", self.time, TIMES);
        let fields = [
            ("speed_above", self.speed_above, SPEEDS),
            ("speed_below", self.speed_below, SPEEDS),
            ("distance", self.distance, [0.01, 1e5]),
            ("turned", self.turned, [1e-3, 1e3]),
            ("lateral_acceleration", self.lateral_acceleration, [0.01, 100.0]),
            ("side_slip", self.side_slip, [1e-3, 3.1]),
            ("steady", self.steady, [0.1, 60.0]),
        ];
        for (name, value, bounds) in fields {
            if let Some(value) = value {
                check.within(name, value, bounds);
            }
        }
    }
}

impl Output {
    fn check(&self, check: &mut Check) {
        match self {
            Self::EveryStep => {}
            Self::Interval(interval) => check.within("interval", *interval, [1e-3, TIMES[1]]),
            Self::Times(times) => {
                check.require("times", !times.is_empty(), "at least one time", "none");
                for (index, time) in times.iter().enumerate() {
                    check.within(format_args!("times[{index}]"), *time, [0.0, TIMES[1]]);
                }
                for (index, pair) in times.windows(2).enumerate() {
                    let path = format!("times[{}]", index + 1);
                    let requirement = format_args!("later than {} s before it", pair[0]);
                    check.require(path, pair[0] < pair[1], requirement, pair[1]);
                }
            }
        }
    }
}
