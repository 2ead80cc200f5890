//! The elements of a driveline and their laws.

use serde::{Deserialize, Serialize};

use super::converter::{CapacityConverter, LinearConverter};
use crate::error::{ParamCheck, ParamErrors, Validate};

/// An element at which shafts meet, with its numbers for one step.
///
/// `ω` is the end-of-step speed of a shaft, `ω₀` its speed at the start, `T` the torque into the
/// element and `v = ω[0] - ω[1]`, where numbers in brackets are ports.
///
/// | element               | ports | law |
/// |-----------------------|-------|-----|
/// | [`Inertia`]           | 1     | `T = I/h (ω - ω₀) + d ω - torque - slope (ω - ω₀)` |
/// | [`TireElement`]       | 1     | `T = -τ`, `τ = τ₀ - κ (ω - ω₀)` within `± τ_max` |
/// | [`Brake`]             | 1     | `low ≤ T ≤ high` at `ω = target`; above it `T = high`, below it `T = low` |
/// | [`SpeedRange`]        | 1     | `low ≤ ω ≤ high`; `T = 0` inside, `T ≥ 0` at `high`, `T ≤ 0` at `low` |
/// | `Damper`              | 1     | `T = k ω` |
/// | `Viscous`             | 2     | `T[0] = k v = -T[1]` |
/// | [`Friction`]          | 2     | `low ≤ T[0] ≤ high` at `v = 0`; `v > 0`: `T[0] = high + k v`; `v < 0`: `T[0] = low + k v` |
/// | [`Ratio`]             | 2     | `ω[0] = ρ ω[1]`, `T[1] = -ρ e T[0]`, `e = η` where `T[0] ω[0] ≥ 0`, else `1/η` |
/// | [`Junction`]          | any   | `Σ n ω = 0`, `T = n λ` |
/// | [`Weighted`]          | any   | `ω[0] = Σ q ω[j]`, `T[j] = -p T[0]` |
/// | [`DifferentialElement`] | 3   | see there |
/// | [`ViscousDifferential`] | 3   | see there |
/// | [`DoubleDifferentialElement`] | 4 | see there |
/// | [`LinearConverter`]   | 2     | see there |
/// | [`CapacityConverter`] | 2     | see there |
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Element {
    /// A body that turns and is driven: a crankshaft, a rotor, a wheel.
    Inertia(Inertia),
    /// A tire on the road.
    Tire(TireElement),
    /// Friction against the housing: a brake, a parking lock, a hold.
    Brake(Brake),
    /// An engine that is kept within a range of speeds.
    SpeedRange(SpeedRange),
    /// Torque in proportion to the speed, against the housing (N·m·s).
    Damper(f64),
    /// Torque in proportion to the slip between two shafts (N·m·s).
    Viscous(f64),
    /// A clutch, a freewheel, a rigid coupling.
    Friction(Friction),
    /// A gear.
    Ratio(Ratio),
    /// Speeds in a linear relation, without loss: a planetary gear, an open differential.
    Junction(Junction),
    /// A mean of speeds with shares of torque of its own.
    Weighted(Weighted),
    /// A differential with friction between its outputs.
    Differential(DifferentialElement),
    /// A differential with a viscous coupling between its outputs.
    ViscousDifferential(ViscousDifferential),
    /// Two differentials that drive and steer a tracked vehicle.
    DoubleDifferential(DoubleDifferentialElement),
    /// A torque converter with torques linear in its speeds.
    LinearConverter(LinearConverter),
    /// A torque converter in the capacity form.
    CapacityConverter(CapacityConverter),
}

/// A rotating mass under a torque that may fall with its speed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Inertia {
    /// Moment of inertia, at least 0 (kg·m²).
    pub inertia: f64,
    /// Torque at the start speed (N·m).
    pub torque: f64,
    /// Friction torque per speed, at least 0 (N·m·s).
    pub damping: f64,
    /// Change of the torque per speed; counts as 0 above 0 (N·m·s).
    pub slope: f64,
}

/// A tire: torque of the road on its wheel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TireElement {
    /// Torque that is lost per gain of speed, at least 0 (N·m·s).
    pub stiffness: f64,
    /// Torque at the start speed (N·m).
    pub torque: f64,
    /// Largest torque, at least 0 (N·m).
    pub max_torque: f64,
}

/// Friction against the housing, or against something that turns at the target speed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Brake {
    /// Smallest torque that it takes, at most `high` (N·m).
    pub low: f64,
    /// Largest torque that it takes (N·m).
    pub high: f64,
    /// Speed that it holds (rad/s).
    pub target: f64,
}

/// Stops at both ends of a range of speeds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpeedRange {
    /// Smallest speed, below `high`; may be infinite (rad/s).
    pub low: f64,
    /// Largest speed; may be infinite (rad/s).
    pub high: f64,
}

/// Friction between two shafts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Friction {
    /// Smallest torque that it passes from port 0 to port 1 while it sticks; may be infinite (N·m).
    pub low: f64,
    /// Largest torque that it passes while it sticks, at least `low`; may be infinite (N·m).
    pub high: f64,
    /// Additional torque per slip, at least 0 (N·m·s).
    pub strength: f64,
}

/// A gear with a loss in proportion to its torque.
///
/// At rest, a gear with an efficiency `η` below 1 holds itself: its torque at port 0 may lie
/// anywhere between `η T_o/ρ` and `T_o/(η ρ)` with `T_o = -T[1]`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ratio {
    /// Speed of port 0 per speed of port 1; not 0, negative in reverse (dimensionless).
    pub ratio: f64,
    /// Efficiency, in (0, 1] (dimensionless).
    pub efficiency: f64,
}

/// Speeds in a linear relation, without loss.
#[derive(Clone, Debug, PartialEq)]
pub struct Junction {
    /// A coefficient for each port, not 0 (dimensionless).
    pub coefficients: Vec<f64>,
}

/// A mean of the speeds of ports 1, 2, ... with shares of torque of its own.
///
/// Power is kept where both shares are the same.
#[derive(Clone, Debug, PartialEq)]
pub struct Weighted {
    /// Share `q` of the speed for each of the ports 1, 2, ... (dimensionless).
    pub speed_shares: Vec<f64>,
    /// Share `p` of the torque for each of these ports, with `q p ≥ 0` (dimensionless).
    pub torque_shares: Vec<f64>,
}

/// A differential whose outputs, ports 1 and 2, rub against each other.
///
/// ```text
/// ω[0] = ρ (s ω[1] + (1 - s) ω[2]),   T' = ρ T[0]
/// T[1] = -s T' + T_l,   T[2] = -(1 - s) T' - T_l
/// |T_l| ≤ C where ω[1] = ω[2],  T_l = ± C where ω[1] ≷ ω[2],   C = T_0 + c_t |T'|
/// ```
///
/// with one `c_t` for positive and one for negative torques. With `c_t` above `min(s, 1 - s)` one
/// output would get less torque the more goes in, and a step could have several solutions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DifferentialElement {
    /// Final drive ratio `ρ`, not 0 (dimensionless).
    pub ratio: f64,
    /// Share `s` of port 1, in (0, 1) (dimensionless).
    pub share: f64,
    /// Friction `T_0` without load, at least 0; infinite in a locked differential (N·m).
    pub preload: f64,
    /// Friction `c_t` per torque of the outputs together where that is positive, in
    /// [0, min(s, 1 - s)] (dimensionless).
    pub bias: f64,
    /// Friction `c_t` per torque of the outputs together where that is negative, in
    /// [0, min(s, 1 - s)] (dimensionless).
    pub reverse_bias: f64,
}

/// A differential whose outputs, ports 1 and 2, are coupled by a viscous fluid.
///
/// ```text
/// ω[0] = ρ (s ω[1] + (1 - s) ω[2]),   T' = ρ T[0],   T_l = k (ω[1] - ω[2])
/// T[1] = -s T' + T_l,   T[2] = -(1 - s) T' - T_l
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ViscousDifferential {
    /// Final drive ratio `ρ`, not 0 (dimensionless).
    pub ratio: f64,
    /// Share `s` of port 1, in (0, 1) (dimensionless).
    pub share: f64,
    /// Torque per difference of the speeds `k`, at least 0 (N·m·s).
    pub strength: f64,
}

/// A differential for driving and one for steering: ports are drive, steer, left, right.
///
/// ```text
/// ω[0] = ρ_d (ω[2] + ω[3])/2,   ω[1] = ρ_s (ω[3] - ω[2])/2
/// T[2] = -ρ_d T[0]/2 + ρ_s T[1]/2,   T[3] = -ρ_d T[0]/2 - ρ_s T[1]/2
/// ```
///
/// Source: Wong, *Theory of Ground Vehicles*, steering of tracked vehicles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DoubleDifferentialElement {
    /// Speed of the drive shaft per mean speed of the outputs, not 0 (dimensionless).
    pub drive_ratio: f64,
    /// Speed of the steering shaft per half of the difference of the outputs, not 0
    /// (dimensionless).
    pub steer_ratio: f64,
}

impl Friction {
    /// A coupling that never slips.
    pub const RIGID: Self = Self { low: f64::NEG_INFINITY, high: f64::INFINITY, strength: 0.0 };
    /// A coupling that passes no torque: an open clutch, a gearbox in neutral.
    pub const OPEN: Self = Self { low: 0.0, high: 0.0, strength: 0.0 };

    /// A clutch of the given capacity (N·m).
    pub const fn clutch(capacity: f64) -> Self {
        Self { low: -capacity, high: capacity, strength: 0.0 }
    }

    /// A coupling that passes torque from port 0 to port 1 only, at most `capacity` (N·m).
    pub const fn freewheel(capacity: f64) -> Self {
        Self { low: 0.0, high: capacity, strength: 0.0 }
    }
}

impl Brake {
    /// A brake of the given torque (N·m).
    pub const fn against_housing(torque: f64) -> Self {
        Self { low: -torque, high: torque, target: 0.0 }
    }
}

impl Element {
    /// Number of its ports.
    #[inline]
    pub fn ports(&self) -> usize {
        match self {
            Self::Inertia(_)
            | Self::Tire(_)
            | Self::Brake(_)
            | Self::SpeedRange(_)
            | Self::Damper(_) => 1,
            Self::Viscous(_)
            | Self::Friction(_)
            | Self::Ratio(_)
            | Self::LinearConverter(_)
            | Self::CapacityConverter(_) => 2,
            Self::Junction(junction) => junction.coefficients.len(),
            Self::Weighted(weighted) => weighted.speed_shares.len() + 1,
            Self::Differential(_) | Self::ViscousDifferential(_) => 3,
            Self::DoubleDifferential(_) => 4,
        }
    }

    /// Name of the kind of element.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Inertia(_) => "inertia",
            Self::Tire(_) => "tire",
            Self::Brake(_) => "brake",
            Self::SpeedRange(_) => "speed range",
            Self::Damper(_) => "damper",
            Self::Viscous(_) => "viscous coupling",
            Self::Friction(_) => "friction coupling",
            Self::Ratio(_) => "ratio",
            Self::Junction(_) => "junction",
            Self::Weighted(_) => "weighted junction",
            Self::Differential(_) => "differential",
            Self::ViscousDifferential(_) => "viscous differential",
            Self::DoubleDifferential(_) => "double differential",
            Self::LinearConverter(_) => "linear converter",
            Self::CapacityConverter(_) => "capacity converter",
        }
    }
}

/// Checks numbers of 64 bits.
struct Numbers<'a>(&'a mut ParamCheck);

impl Numbers<'_> {
    fn finite(&mut self, name: &str, value: f64) {
        self.0.require(name, value.is_finite(), "finite", value);
    }

    fn not_negative(&mut self, name: &str, value: f64) {
        let is_met = (0.0..=f64::MAX).contains(&value);
        self.0.require(name, is_met, "finite and not negative", value);
    }

    fn capacity(&mut self, name: &str, value: f64) {
        self.0.require(name, 0.0 <= value, "not negative", value);
    }

    fn share(&mut self, value: f64) {
        self.0.require("share", 0.0 < value && value < 1.0, "above 0 and below 1", value);
    }

    fn not_zero(&mut self, name: &str, value: f64) {
        self.0.require(name, value.is_finite() && value != 0.0, "finite and not 0", value);
    }

    fn bounds(&mut self, low: f64, high: f64) {
        let is_met = low < f64::INFINITY && !low.is_nan();
        self.0.require("low", is_met, "below infinity", low);
        let is_met = low <= high && f64::NEG_INFINITY < high;
        self.0.require("high", is_met, format_args!("at least low = {low}"), high);
    }
}

impl Validate for Element {
    fn check(&self, check: &mut ParamCheck) {
        let mut numbers = Numbers(check);
        match self {
            Self::Inertia(inertia) => {
                numbers.not_negative("inertia", inertia.inertia);
                numbers.finite("torque", inertia.torque);
                numbers.not_negative("damping", inertia.damping);
                numbers.finite("slope", inertia.slope);
            }
            Self::Tire(tire) => {
                numbers.not_negative("stiffness", tire.stiffness);
                numbers.finite("torque", tire.torque);
                numbers.not_negative("max_torque", tire.max_torque);
            }
            Self::Brake(brake) => {
                numbers.bounds(brake.low, brake.high);
                numbers.finite("target", brake.target);
            }
            Self::SpeedRange(range) => {
                let is_met = range.low < range.high;
                let requirement = format_args!("above low = {}", range.low);
                numbers.0.require("high", is_met, requirement, range.high);
            }
            Self::Damper(rate) => numbers.not_negative("damper", *rate),
            Self::Viscous(strength) => numbers.not_negative("viscous", *strength),
            Self::Friction(friction) => {
                numbers.bounds(friction.low, friction.high);
                numbers.not_negative("strength", friction.strength);
            }
            Self::Ratio(ratio) => ratio.check(&mut numbers),
            Self::Junction(junction) => junction.check(&mut numbers),
            Self::Weighted(weighted) => weighted.check(&mut numbers),
            Self::Differential(differential) => differential.check(&mut numbers),
            Self::ViscousDifferential(differential) => {
                numbers.not_zero("ratio", differential.ratio);
                numbers.share(differential.share);
                numbers.not_negative("strength", differential.strength);
            }
            Self::DoubleDifferential(double) => {
                numbers.not_zero("drive_ratio", double.drive_ratio);
                numbers.not_zero("steer_ratio", double.steer_ratio);
            }
            Self::LinearConverter(converter) => converter.check(numbers.0),
            Self::CapacityConverter(converter) => converter.check(numbers.0),
        }
    }
}

impl Ratio {
    fn check(&self, numbers: &mut Numbers<'_>) {
        numbers.not_zero("ratio", self.ratio);
        let efficiency = self.efficiency;
        let is_met = 0.0 < efficiency && efficiency <= 1.0;
        numbers.0.require("efficiency", is_met, "above 0 and at most 1", efficiency);
    }
}

impl Junction {
    fn check(&self, numbers: &mut Numbers<'_>) {
        let ports = self.coefficients.len();
        numbers.0.require("coefficients", 2 <= ports, "of at least 2 elements", ports);
        for (port, coefficient) in self.coefficients.iter().enumerate() {
            numbers.not_zero(&format!("coefficients[{port}]"), *coefficient);
        }
    }
}

impl Weighted {
    fn check(&self, numbers: &mut Numbers<'_>) {
        let (speeds, torques) = (&self.speed_shares, &self.torque_shares);
        let requirement = format_args!("of {} elements, one per output", speeds.len());
        numbers.0.require(
            "torque_shares",
            speeds.len() == torques.len(),
            requirement,
            torques.len(),
        );
        let shares = || speeds.iter().zip(torques);
        for (output, (speed, torque)) in shares().enumerate() {
            numbers.finite(&format!("speed_shares[{output}]"), *speed);
            numbers.finite(&format!("torque_shares[{output}]"), *torque);
            let requirement = "of the same sign as the share of speed";
            let name = format_args!("torque_shares[{output}]");
            numbers.0.require(name, 0.0 <= speed * torque, requirement, torque);
        }
        let passes = shares().any(|(speed, torque)| 0.0 < speed * torque);
        numbers.0.require("speed_shares", passes, "not 0 together with a torque", "none");
    }
}

impl DifferentialElement {
    /// Whether its outputs turn without friction.
    #[inline]
    pub(super) fn is_open(&self) -> bool {
        self.preload <= 0.0 && !self.is_biased()
    }

    /// Whether its friction depends on the torque that passes.
    #[inline]
    pub(super) fn is_biased(&self) -> bool {
        self.preload.is_finite() && 0.0 < self.bias.max(self.reverse_bias)
    }

    /// Friction per torque, for torques of this sign.
    #[inline]
    pub(super) fn bias_at(&self, sign: TorqueSign) -> f64 {
        match sign {
            TorqueSign::Positive => self.bias,
            TorqueSign::Negative => self.reverse_bias,
        }
    }

    /// Largest friction per torque at which a step has one solution.
    pub fn largest_bias(share: f64) -> f64 {
        share.min(1.0 - share)
    }

    fn check(&self, numbers: &mut Numbers<'_>) {
        numbers.not_zero("ratio", self.ratio);
        numbers.share(self.share);
        numbers.capacity("preload", self.preload);
        let most = Self::largest_bias(self.share);
        let requirement = format_args!(
            "within [0, min(share, 1 - share) = {most}], or one output would get less torque the \
             more goes in and a step could have several solutions"
        );
        for (name, bias) in [("bias", self.bias), ("reverse_bias", self.reverse_bias)] {
            let is_met = (0.0..=most * (1.0 + 1e-12)).contains(&bias);
            numbers.0.require(name, is_met, requirement, bias);
        }
    }
}

/// Checks the elements of a driveline, one by one.
///
/// # Errors
///
/// Every fault, with the number and kind of its element.
pub(super) fn check_elements(elements: &[Element]) -> Result<(), ParamErrors> {
    let mut check = ParamCheck::default();
    for (index, element) in elements.iter().enumerate() {
        let name = format_args!("elements[{index}] ({})", element.kind());
        check.field(name, |inner| element.check(inner));
    }
    check.finish()
}

/// Sign of a torque.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum TorqueSign {
    /// Not negative.
    #[default]
    Positive,
    /// Not positive.
    Negative,
}

impl TorqueSign {
    /// Sign of `torque`.
    #[inline]
    pub(super) fn of(torque: f64) -> Self {
        if torque < 0.0 { Self::Negative } else { Self::Positive }
    }

    #[inline]
    pub(super) fn value(self) -> f64 {
        match self {
            Self::Positive => 1.0,
            Self::Negative => -1.0,
        }
    }

    #[inline]
    pub(super) fn opposite(self) -> Self {
        match self {
            Self::Positive => Self::Negative,
            Self::Negative => Self::Positive,
        }
    }
}
