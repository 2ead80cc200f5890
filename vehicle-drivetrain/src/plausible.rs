//! Plausible ranges of the numbers of engines, motors and gearboxes in a vehicle, and the unit that
//! was meant outside of them.

use std::fmt::Display;

use vehicle_core::blueprint::Plausible;
use vehicle_core::diagnosis::{FindingCode, Findings, Usual};
use vehicle_core::math::Real;

/// Units of rotation speeds beside the radian per second.
pub(crate) const ROTATIONS: &[(&str, Real)] = &[("revolutions per minute", 0.104_72)];
/// Units of torques beside the newton meter.
const TORQUES: &[(&str, Real)] = &[("N·cm", 1e-2), ("N·mm", 1e-3), ("kN·m", 1e3)];
/// Units of moments of inertia beside the kilogram square meter.
const INERTIAS: &[(&str, Real)] = &[("kg·cm²", 1e-4), ("g·cm²", 1e-7), ("kg·mm²", 1e-6)];
/// Units of powers beside the watt; a horsepower is not far from a kilowatt.
const POWERS: &[(&str, Real)] = &[("kilowatts or horsepower", 1e3)];
/// Units of energies beside the joule.
const ENERGIES: &[(&str, Real)] = &[("kWh", 3.6e6), ("Wh", 3_600.0), ("MJ", 1e6)];
/// Units of speeds beside the meter per second.
const SPEEDS: &[(&str, Real)] = &[("km/h", 0.277_78), ("mph", 0.447)];
/// Units of times beside the second.
const TIMES: &[(&str, Real)] = &[("milliseconds", 1e-3)];

/// Mass up to which vehicles have the engines of models (kg).
const MODEL: Real = 100.0;
/// Mass from which on they have those of trucks (kg).
const TRUCK: Real = 6_000.0;

/// Power by the mass of the vehicle (W/kg): from a truck that pulls a house to a dragster.
const POWER_PER_MASS: (Real, Real) = (0.2, 10_000.0);
/// Largest torque of an engine or a motor by the mass of the vehicle (N·m/kg).
const TORQUE_PER_MASS: (Real, Real) = (0.003, 5.0);
/// Time in which an engine or a motor reaches its largest speed by its largest torque (s).
const REVVING: (Real, Real) = (1e-3, 5.0);
/// Time for which a full battery gives its largest power (s).
const DISCHARGE: (Real, Real) = (5.0, 1e6);
/// How much faster than its power makes it a vehicle may be said to be (dimensionless).
const MOST_SPEED: Real = 2.0;
/// Speed of a vehicle that no air holds back, at most (m/s).
const FASTEST: Real = 150.0;
/// Density of air (kg/m³).
const AIR: Real = 1.2;

/// Power of an engine or a motor in a vehicle of `mass` (kg).
pub(crate) fn power(mass: Real) -> Plausible {
    let (low, high) = POWER_PER_MASS;
    Plausible::new(low * mass, high * mass, "W").or_in(POWERS)
}

/// Largest torque of an engine or a motor in a vehicle of `mass` (kg), in a unit of length of which
/// a meter has `length_scale`.
pub(crate) fn torque(mass: Real, length_scale: Real) -> Plausible {
    let (low, high) = TORQUE_PER_MASS;
    let unit = mass * length_scale * length_scale;
    Plausible::new(low * unit, high * unit, "N·m").or_in(TORQUES)
}

/// Largest speed of an engine in a vehicle of `mass` (kg).
pub(crate) fn engine_speed(mass: Real) -> Plausible {
    let most = if mass <= MODEL {
        8_000.0
    } else if mass <= TRUCK {
        2_500.0
    } else {
        1_000.0
    };
    Plausible::new(50.0, most, "rad/s").or_in(ROTATIONS)
}

/// Speed of an engine in a data sheet, of a vehicle of `mass` (kg): motors of trucks turn faster
/// than their engines.
pub(crate) fn sheet_speed(mass: Real) -> Plausible {
    Plausible::new(10.0, engine_speed(mass.min(TRUCK)).range.1, "rad/s").or_in(ROTATIONS)
}

/// Largest speed of an electric motor.
pub(crate) const MOTOR_SPEED: Plausible = Plausible::new(10.0, 8_000.0, "rad/s").or_in(ROTATIONS);

/// Largest speed of a vehicle of `power` (W) that has this drag coefficient times area (m²).
pub(crate) fn top_speed(power: Real, drag_area: Real) -> Plausible {
    let by_air = (2.0 * power / (AIR * drag_area)).cbrt();
    Plausible::new(0.3, (MOST_SPEED * by_air).min(FASTEST), "m/s").or_in(SPEEDS)
}

/// Moment of inertia of an engine or a motor of this largest `torque` (N·m) and `speed` (rad/s).
pub(crate) fn inertia(torque: Real, speed: Real) -> Plausible {
    let per_time = torque / speed;
    Plausible::new(REVVING.0 * per_time, REVVING.1 * per_time, "kg·m²").or_in(INERTIAS)
}

/// Energy of a battery that gives so much `power` (W).
pub(crate) fn capacity(power: Real) -> Plausible {
    Plausible::new(DISCHARGE.0 * power, DISCHARGE.1 * power, "J").or_in(ENERGIES)
}

/// A part of the `power` of a motor that it loses (W).
pub(crate) fn loss(power: Real) -> Plausible {
    Plausible::new(0.0, power, "W")
}

/// Time in which a gear is switched, or a torque follows.
pub(crate) const RESPONSE: Plausible = Plausible::new(0.0, 5.0, "s").or_in(TIMES);

/// Speed at which a clutch is closed, behind a source of this largest `speed` (rad/s): behind a
/// slower one it never closes.
pub(crate) fn closed_speed(speed: Real) -> Plausible {
    Plausible::new(0.0, speed, "rad/s").or_in(ROTATIONS)
}

/// The unit that was meant by `value`, which a `range` does not hold, as an advice.
pub(crate) fn advice(range: &Plausible, value: Real) -> Option<String> {
    range.meant(value).map(|unit| format!("the number looks as if it was in {unit}"))
}

/// Adds a finding unless `value`, the `quantity` of the field `path`, is in the `range`, with the
/// unit that may have been meant.
pub(crate) fn expect(
    findings: &mut Findings,
    path: impl Display,
    quantity: &str,
    value: Real,
    range: &Plausible,
) {
    expect_as(findings, FindingCode::NumberOdd, path, quantity, value, range);
}

/// Adds a finding of this `code` unless `value`, the `quantity` of the field `path`, is in the
/// `range`, with the unit that may have been meant.
pub(crate) fn expect_as(
    findings: &mut Findings,
    code: FindingCode,
    path: impl Display,
    quantity: &str,
    value: Real,
    range: &Plausible,
) {
    let (low, high) = range.range;
    let usual = if value < low { Usual::AtLeast(low) } else { Usual::AtMost(high) };
    let quantity = format_args!("{quantity} ({})", range.unit);
    findings.expect_with(code, path, quantity, value, usual, || advice(range, value));
}

/// Adds a moment of `inertia` (kg·m²) with which an engine or a motor of this largest `torque`
/// (N·m) takes seconds to its largest `speed` (rad/s), or no time.
pub(crate) fn expect_inertia(findings: &mut Findings, inertia: Real, torque: Real, speed: Real) {
    let range = self::inertia(torque, speed);
    let time = inertia * speed / torque;
    let quantity = "time to the largest speed at the largest torque (s)";
    let advice = || advice(&range, inertia);
    let (least, most) = (Usual::AtLeast(REVVING.0), Usual::AtMost(REVVING.1));
    findings.expect_with(FindingCode::EngineRevsSlowly, "inertia", quantity, time, most, advice);
    if !time.is_nan() {
        findings.expect_with(FindingCode::NumberOdd, "inertia", quantity, time, least, advice);
    }
}
