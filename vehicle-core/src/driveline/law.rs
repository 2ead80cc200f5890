//! Laws of elements in one mode: a line for the only port, or a linear relation of several.

use super::CREEP;
use super::converter::LinearConverter;
use super::element::{
    Brake, DifferentialElement, DoubleDifferentialElement, Element, Friction, Inertia, SpeedRange,
    TireElement, ViscousDifferential,
};
use super::mode::{Mode, Side};

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
    /// `Σ q ω + λ R = 0`, `T = -p λ - u`, with coefficients for each port and the compliance `R`
    /// (rad/s per N·m), which is infinite where `λ` is 0.
    Constraint(Constraint<'a>),
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

/// One linear relation of the speeds of all ports.
#[derive(Clone, Copy, Debug)]
pub(super) struct Constraint<'a> {
    shape: Shape<'a>,
    /// Compliance R (rad/s per N·m).
    pub compliance: f64,
}

/// Where the coefficients of a constraint are.
#[derive(Clone, Copy, Debug)]
enum Shape<'a> {
    /// Two ports, with ratio and torque ratio, and a constant torque from port 0 to port 1.
    Pair { ratio: f64, torque_ratio: f64, torque: f64 },
    /// One coefficient for each port.
    Junction(&'a [f64]),
    /// Shares of speed and torque.
    Weighted(&'a [f64], &'a [f64]),
    /// Three ports: shares of speed and of torque of ports 1 and 2, and a constant torque from port
    /// 1 to port 2.
    Split { speeds: [f64; 2], torques: [f64; 2], exchanged: f64 },
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

impl Constraint<'_> {
    /// Coefficients of `port`.
    #[inline(always)]
    pub(super) fn at(&self, port: usize) -> Coefficients {
        let (speed, torque, constant) = match (self.shape, port) {
            (Shape::Junction(coefficients), _) => (coefficients[port], coefficients[port], 0.0),
            (Shape::Pair { torque, .. }, 0) => (-1.0, -1.0, -torque),
            (Shape::Weighted(..) | Shape::Split { .. }, 0) => (-1.0, -1.0, 0.0),
            (Shape::Pair { ratio, torque_ratio, torque }, _) => (ratio, torque_ratio, torque),
            (Shape::Weighted(speeds, torques), _) => (speeds[port - 1], torques[port - 1], 0.0),
            (Shape::Split { speeds, torques, exchanged }, _) => {
                let out = if port == 1 { -exchanged } else { exchanged };
                (speeds[port - 1], torques[port - 1], out)
            }
        };
        Coefficients { speed, torque, constant }
    }
}

/// A constraint of two ports.
fn pair<'a>(ratio: f64, torque_ratio: f64, torque: f64, compliance: f64) -> Law<'a> {
    Law::Constraint(Constraint { shape: Shape::Pair { ratio, torque_ratio, torque }, compliance })
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
            Self::Junction(junction) => Law::Constraint(Constraint {
                shape: Shape::Junction(&junction.coefficients),
                compliance: 0.0,
            }),
            Self::Weighted(weighted) => Law::Constraint(Constraint {
                shape: Shape::Weighted(&weighted.speed_shares, &weighted.torque_shares),
                compliance: 0.0,
            }),
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
    Law::Constraint(Constraint {
        shape: Shape::Split {
            speeds: [ratio * share, ratio * (1.0 - share)],
            torques: [ratio * (share - exchanged), ratio * (1.0 - share + exchanged)],
            exchanged: if sign == 0.0 { 0.0 } else { sign * preload },
        },
        compliance: 0.0,
    })
}
