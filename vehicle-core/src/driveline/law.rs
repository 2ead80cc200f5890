//! Laws of elements in one mode: a line for the only port, or a linear relation of several.

use super::converter::LinearConverter;
use super::element::{
    Brake, DifferentialElement, DoubleDifferentialElement, Element, Friction, Inertia, Junction,
    SpeedRange, TireElement, ViscousDifferential, Weighted,
};
use super::mode::{Mode, Side};
use super::{CREEP, LEAST_INERTIA};

/// Torque of the side beyond a cut at the cut's speed: `T = k ω - g`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Line {
    /// Stiffness k, at least 0 (N·m·s).
    pub stiffness: f64,
    /// Torque g (N·m).
    pub torque: f64,
}

impl Line {
    /// Torque that passes at `speed` (N·m).
    #[inline]
    pub(super) fn torque_at(self, speed: f64) -> f64 {
        self.stiffness * speed - self.torque
    }

    /// Speed under `torque` (rad/s).
    #[inline]
    pub(super) fn speed_under(self, torque: f64) -> f64 {
        (self.torque + torque) / self.stiffness
    }

    /// A torque whatever the speed (N·m).
    pub(super) fn constant(torque: f64) -> Self {
        Self { stiffness: 0.0, torque: -torque }
    }

    /// A shaft with the least inertia, at the speed `start` (rad/s), in steps of 1/`per_dt` (s).
    pub(super) fn bare(start: f64, per_dt: f64) -> Self {
        let stiffness = LEAST_INERTIA * per_dt;
        Self { stiffness, torque: stiffness * start }
    }

    /// A shaft that is held at `speed` (rad/s), but for its creep.
    fn held(speed: f64) -> Self {
        Self { stiffness: 1.0 / CREEP, torque: speed / CREEP }
    }
}

impl std::ops::AddAssign for Line {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        self.stiffness += other.stiffness;
        self.torque += other.torque;
    }
}

/// A relation of the ports of an element that has several, in one mode.
#[derive(Clone, Copy, Debug)]
pub(super) enum Law<'a> {
    /// A relation of two ports.
    Pair(Constraint<[Coefficients; 2]>),
    /// A relation of three ports.
    Split(Constraint<[Coefficients; 3]>),
    /// A relation of any ports, without loss.
    Junction(Constraint<&'a Junction>),
    /// A relation of any ports, with shares of torque of its own.
    Weighted(Constraint<&'a Weighted>),
    /// Ports 1 and 2 turn as one, and port 0 that many times as fast.
    Joined(f64),
    /// A gear with this ratio whose port 0 is held by its own friction.
    Held(f64),
    /// Torques linear in the speeds of both ports.
    Converter(LinearConverter),
    /// A differential with a viscous coupling.
    Viscous(&'a ViscousDifferential),
    /// Two relations of four ports.
    Double(&'a DoubleDifferentialElement),
}

/// One linear relation of the speeds of all ports: `Σ q ω + λ R = 0`, `T = -p λ - u`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Constraint<Ports> {
    /// What has the coefficients.
    pub ports: Ports,
    /// Compliance `R`, which is infinite where `λ` is 0 (rad/s per N·m).
    pub compliance: f64,
}

/// Coefficients for each of several ports.
pub(super) trait Ports {
    /// Number of ports.
    fn count(&self) -> usize;

    /// Coefficients of `port`.
    fn at(&self, port: usize) -> Coefficients;
}

impl<const COUNT: usize> Ports for [Coefficients; COUNT] {
    #[inline(always)]
    fn count(&self) -> usize {
        COUNT
    }

    #[inline(always)]
    fn at(&self, port: usize) -> Coefficients {
        self[port]
    }
}

impl Ports for &Junction {
    fn count(&self) -> usize {
        self.coefficients.len()
    }

    fn at(&self, port: usize) -> Coefficients {
        Coefficients::lossless(self.coefficients[port])
    }
}

impl Ports for &Weighted {
    fn count(&self) -> usize {
        self.speed_shares.len() + 1
    }

    fn at(&self, port: usize) -> Coefficients {
        let Some(output) = port.checked_sub(1) else { return Coefficients::lossless(-1.0) };
        let (speed, torque) = (self.speed_shares[output], self.torque_shares[output]);
        Coefficients { speed, torque, constant: 0.0 }
    }
}

/// Coefficients of a constraint for one port.
#[derive(Clone, Copy, Debug)]
pub(super) struct Coefficients {
    /// Coefficient of the speed, q.
    pub speed: f64,
    /// Coefficient of the torque, p.
    pub torque: f64,
    /// Constant torque out of the element, u (N·m).
    pub constant: f64,
}

impl Coefficients {
    /// The same coefficient for speed and torque.
    #[inline]
    fn lossless(coefficient: f64) -> Self {
        Self { speed: coefficient, torque: coefficient, constant: 0.0 }
    }
}

/// A constraint of two ports, with ratio and torque ratio, and a constant torque from port 0 to
/// port 1.
#[inline]
fn pair<'a>(ratio: f64, torque_ratio: f64, torque: f64, compliance: f64) -> Law<'a> {
    let first = Coefficients { speed: -1.0, torque: -1.0, constant: -torque };
    let second = Coefficients { speed: ratio, torque: torque_ratio, constant: torque };
    Law::Pair(Constraint { ports: [first, second], compliance })
}

impl Element {
    /// The line of an element with one port on part `side` of its law, in steps of 1/`per_dt` (s);
    /// `None` for an element with several ports. Its shaft has the start speed `start` (rad/s).
    #[inline]
    pub(super) fn line(&self, side: Side, start: f64, per_dt: f64) -> Option<Line> {
        Some(match self {
            Self::Inertia(inertia) => inertia_line(inertia, start, per_dt),
            Self::Tire(tire) => tire_line(tire, side, start),
            Self::Brake(brake) => brake_line(brake, side),
            Self::SpeedRange(range) => range_line(range, side),
            Self::Damper(rate) => Line { stiffness: *rate, torque: 0.0 },
            _ => return None,
        })
    }

    /// The law of an element with several ports in `mode`; `None` for an element with one port.
    /// Converters have been linearized beforehand.
    #[inline]
    pub(super) fn law<'a>(&'a self, mode: Mode, linearized: &LinearConverter) -> Option<Law<'a>> {
        Some(match self {
            Self::Inertia(_)
            | Self::Tire(_)
            | Self::Brake(_)
            | Self::SpeedRange(_)
            | Self::Damper(_) => return None,
            Self::Viscous(strength) => pair(1.0, 1.0, 0.0, 1.0 / strength),
            Self::Friction(friction) => friction_law(friction, mode.side),
            Self::Ratio(ratio) => {
                let efficiency = ratio.efficiency;
                let is_driving = (mode.side == Side::Above) == (mode.torque.value() == 1.0);
                let factor = match mode.side {
                    _ if 1.0 <= efficiency => 1.0,
                    Side::Within => return Some(Law::Held(ratio.ratio)),
                    _ if is_driving => efficiency,
                    _ => 1.0 / efficiency,
                };
                pair(ratio.ratio, ratio.ratio * factor, 0.0, 0.0)
            }
            Self::Junction(ports) => Law::Junction(Constraint { ports, compliance: 0.0 }),
            Self::Weighted(ports) => Law::Weighted(Constraint { ports, compliance: 0.0 }),
            Self::Differential(differential) => differential_law(differential, mode),
            Self::ViscousDifferential(differential) => Law::Viscous(differential),
            Self::DoubleDifferential(double) => Law::Double(double),
            Self::LinearConverter(converter) => Law::Converter(*converter),
            Self::CapacityConverter(converter) => {
                let rubbing = match mode.side {
                    _ if converter.lock_up <= 0.0 => 0.0,
                    Side::Within => return Some(pair(1.0, 1.0, 0.0, 0.0)),
                    Side::Above => converter.lock_up,
                    Side::Below => -converter.lock_up,
                };
                let mut lines = *linearized;
                lines.pump[0] += rubbing;
                lines.turbine[0] += rubbing;
                Law::Converter(lines)
            }
        })
    }
}

#[inline]
pub(super) fn inertia_line(inertia: &Inertia, start: f64, per_dt: f64) -> Line {
    let slope = inertia.slope.min(0.0);
    let kept = inertia.inertia * per_dt;
    Line {
        stiffness: kept + inertia.damping - slope,
        torque: kept * start + inertia.torque - slope * start,
    }
}

#[inline]
pub(super) fn tire_line(tire: &TireElement, side: Side, start: f64) -> Line {
    match side {
        Side::Within => {
            Line { stiffness: tire.stiffness, torque: tire.torque + tire.stiffness * start }
        }
        Side::Above => Line::constant(-tire.max_torque),
        Side::Below => Line::constant(tire.max_torque),
    }
}

#[inline]
pub(super) fn brake_line(brake: &Brake, side: Side) -> Line {
    match side {
        _ if brake.high <= brake.low => Line::constant(brake.low),
        Side::Within => Line::held(brake.target),
        Side::Above => Line::constant(brake.high),
        Side::Below => Line::constant(brake.low),
    }
}

#[inline]
fn range_line(range: &SpeedRange, side: Side) -> Line {
    match side {
        Side::Within => Line::default(),
        Side::Above => Line::held(range.high),
        Side::Below => Line::held(range.low),
    }
}

#[inline]
fn friction_law<'a>(friction: &Friction, side: Side) -> Law<'a> {
    let Friction { low, high, strength } = *friction;
    match side {
        _ if high <= low => pair(1.0, 1.0, low, 1.0 / strength),
        Side::Within => pair(1.0, 1.0, 0.0, 0.0),
        Side::Above => pair(1.0, 1.0, high, 1.0 / strength),
        Side::Below => pair(1.0, 1.0, low, 1.0 / strength),
    }
}

#[inline]
fn differential_law<'a>(differential: &DifferentialElement, mode: Mode) -> Law<'a> {
    let DifferentialElement { ratio, share, preload, .. } = *differential;
    let bias = differential.bias_at(mode.torque);
    let sign = match mode.side {
        _ if differential.is_open() => 0.0,
        Side::Within => return Law::Joined(ratio),
        Side::Above => 1.0,
        Side::Below => -1.0,
    };
    // The torque from port 1 to port 2 is `sign T_0 + exchanged T'`.
    let exchanged = sign * bias * mode.torque.value();
    let constant = if sign == 0.0 { 0.0 } else { sign * preload };
    let output = |share: f64, exchanged: f64, constant: f64| Coefficients {
        speed: ratio * share,
        torque: ratio * (share + exchanged),
        constant,
    };
    let (first, second) =
        (output(share, -exchanged, -constant), output(1.0 - share, exchanged, constant));
    Law::Split(Constraint { ports: [Coefficients::lossless(-1.0), first, second], compliance: 0.0 })
}
