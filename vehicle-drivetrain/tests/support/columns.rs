//! How far a value may lie from the recorded cell of a trace, by column.
//!
//! A *group* is all columns of one quantity, over all wheels and vector components (`jounce`,
//! `suspF`, `v`). The scale `S` of a column is the largest magnitude of its group in the run, but
//! at least that of [`minimum_scale`].

use std::collections::HashMap;
use std::f64::consts::TAU;

use super::compare::{is_sentinel, over};
use super::traces::Trace;

/// Every value lies within this part of `S`.
const ALL_WITHIN: f64 = 2e-3;

/// The aligning moment cancels near a combined slip of 3 and grows to 1e12 beyond: a part of itself
/// ...
const ALIGNING_MOMENT_REL: f64 = 0.05;
/// ... and a moment (N m).
const ALIGNING_MOMENT_ABS: f64 = 5.0;

/// A wheel angle is never judged finer than in radians.
const MIN_ANGLE_SCALE: f64 = 1.0;

/// Groups of flags, gears and counters.
const EXACT: [&str; 13] = [
    "hit",
    "isDrive",
    "isBrake",
    "stickyLng",
    "stickyLat",
    "currentGear",
    "targetGear",
    "autoShiftActive",
    "sleeping",
    "step",
    "substeps",
    "c_nbBrakes",
    "c_gear",
];

/// Columns that are a group's name and the letter of an axis.
const VECTORS: [&str; 16] = [
    "p", "q", "v", "w", "rb_p", "rb_q", "rb_v", "rb_w", "suspF", "suspT", "tireT", "lngDir",
    "latDir", "lp_", "lq_", "plane_n",
];

/// How a value is compared with the recorded one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rule {
    /// Flags, gears, counters.
    Exact,
    /// Within parts of a scale.
    Scaled(f64),
    /// Within parts of a scale, modulo a turn (rad).
    Angle(f64),
    /// Within a part of itself plus a moment.
    AligningMoment(f64),
}

/// The scales of all groups of a trace.
#[derive(Clone, Debug)]
pub struct Scales {
    /// Length units per meter.
    length_scale: f64,
    /// Largest magnitude per group.
    magnitudes: HashMap<String, f64>,
}

impl Scales {
    /// Measures the groups of a trace; `length_scale` is in length units per meter.
    pub fn measure(trace: &Trace, length_scale: f64) -> Self {
        let mut magnitudes = HashMap::new();
        for column in trace.columns() {
            let values = trace.rows().filter_map(|row| row.optional(column)).map(f64::from);
            let largest =
                values.filter(|value| !is_sentinel(*value)).map(f64::abs).fold(0.0, f64::max);
            let magnitude = magnitudes.entry(group(column).to_owned()).or_insert(0.0_f64);
            *magnitude = magnitude.max(largest);
        }
        Self { length_scale, magnitudes }
    }

    /// How values of this column are compared.
    pub fn rule(&self, column: &str) -> Rule {
        let group = group(column);
        let length = self.length_scale;
        if EXACT.contains(&group) {
            return Rule::Exact;
        }
        match group {
            "alignMoment" => Rule::AligningMoment(ALIGNING_MOMENT_ABS * length.powi(2)),
            // In a step the angle moves by ω dt, so what ω may be off, times dt, is what the angle
            // may be off.
            "rotAngle" => {
                Rule::Angle((self.scale("omegaCorrected") * self.scale("dt")).max(MIN_ANGLE_SCALE))
            }
            _ => Rule::Scaled(self.scale(group)),
        }
    }

    fn scale(&self, group: &str) -> f64 {
        let (minimum, length_power) = minimum_scale(group);
        let largest = self.magnitudes.get(group).copied().unwrap_or(0.0);
        largest.max(minimum * self.length_scale.powi(length_power))
    }
}

/// The error over the bound, and the error in parts of the scale (0 where there is no scale).
pub fn deviation(rule: Rule, got: f64, want: f64) -> (f64, f64) {
    let holds = |condition: bool| {
        if condition { (0.0, 0.0) } else { (f64::INFINITY, 0.0) }
    };
    if want.is_nan() || got.is_nan() {
        return holds(want.is_nan() && got.is_nan());
    }
    if is_sentinel(want) {
        return holds(got as f32 == want as f32);
    }
    // The marker of a wheel in the air, how far is unknown.
    if want as f32 == f32::MIN_POSITIVE {
        return holds(0.0 < got);
    }
    let error = (got - want).abs();
    let scaled = |error: f64, scale: f64| (over(error, ALL_WITHIN * scale), over(error, scale));
    match rule {
        Rule::Exact => holds(got == want),
        Rule::Scaled(scale) => scaled(error, scale),
        Rule::Angle(scale) => {
            let turned = error.rem_euclid(TAU);
            scaled(turned.min(TAU - turned), scale)
        }
        Rule::AligningMoment(moment) => {
            let bound = ALIGNING_MOMENT_REL * want.abs() + moment;
            (over(error, bound), 0.0)
        }
    }
}

/// The group of a column: without its wheel and without its axis.
pub fn group(column: &str) -> &str {
    let quantity = quantity(column);
    let vector = quantity.strip_suffix(['x', 'y', 'z', 'w', 'X', 'Y', 'Z']);
    vector.filter(|vector| VECTORS.contains(vector)).unwrap_or(quantity)
}

/// The name of a column without its wheel.
pub fn quantity(column: &str) -> &str {
    let wheel = column.strip_prefix('w').and_then(|rest| rest.split_once('_'));
    let wheel = wheel.filter(|(number, _)| {
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    });
    wheel.map_or(column, |(_, quantity)| quantity)
}

/// The least scale of a group in SI units, and the power of the length unit in it.
///
/// Groups without one, such as suspension forces, are judged by their own largest magnitude.
fn minimum_scale(group: &str) -> (f64, i32) {
    match group {
        "v" | "rb_v" | "lngSpeed" | "latSpeed" | "jounceSpeed" => (5.0, 1),
        "w" | "rb_w" | "q" | "rb_q" | "lq_" | "latSlip" | "camber" => (1.0, 0),
        "p" | "rb_p" | "lp_" => (1.0, 1),
        "omega" | "omegaCorrected" => (30.0, 0),
        "lngSlip" => (10.0, 0),
        "lngForce" | "latForce" => (10e3, 1),
        "tireT" => (10e3, 2),
        "wheelTorque" => (3e3, 2),
        "jounce" | "separation" => (0.2, 1),
        _ => (0.0, 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_span_wheels_and_components() {
        let rows = [
            ("w12_suspFx", "suspF"),
            ("wx", "w"),
            ("vz", "v"),
            ("qw", "q"),
            ("w0_lp_y", "lp_"),
            ("w0_plane_nx", "plane_n"),
            ("w0_jounce", "jounce"),
            ("rb_wx", "rb_w"),
            ("c_throttle", "c_throttle"),
            ("w0_lngDirZ", "lngDir"),
            ("wakeCounter", "wakeCounter"),
            ("w0_tireTy", "tireT"),
        ];
        for (column, expected) in rows {
            assert_eq!(group(column), expected, "{column}");
        }
    }
}
