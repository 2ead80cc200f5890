//! Comparing a produced JSON value with the recorded one, field by field.
//!
//! A *path* names one value: `records[2].body_pose.position[0]`.

use std::fmt;

use serde_json::Value;

use super::tolerances::{FileTolerances, Tolerance};

/// The aligning moment cancels near its zero and grows with the fourth power of the slip beyond:
/// relative to itself.
const ALIGNING_MOMENT_REL: f64 = 1e-4;

/// The arc sine limits the camber angle near 90 degrees, where its sine is the sharper test.
const CAMBER_SINE_ABS: f64 = 5e-7;

/// One field that does not match.
#[derive(Clone, Debug, PartialEq)]
pub struct Mismatch {
    /// Path of the field.
    pub path: String,
    /// What was produced.
    pub got: String,
    /// What is recorded (or intended).
    pub want: String,
    /// The tolerance, or what else is wrong.
    pub rule: String,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, got, want, rule } = self;
        write!(f, "{path}: got {got}, want {want} ({rule})")
    }
}

/// The outcome of comparing one value with another.
#[derive(Clone, Debug, Default)]
pub struct Comparison {
    /// Number of compared numbers, flags and texts.
    pub fields: usize,
    /// Largest error over tolerance.
    pub worst: f64,
    /// Path of that error.
    pub worst_path: String,
    /// All fields that do not match.
    pub mismatches: Vec<Mismatch>,
}

/// Compares `got` with `want`: the same fields, the same lengths, every number within its
/// tolerance.
pub fn compare(got: &Value, want: &Value, tolerances: &FileTolerances) -> Comparison {
    let mut walk = Walk { tolerances, comparison: Comparison::default() };
    walk.value("", got, want, None);
    walk.comparison
}

struct Walk<'a> {
    tolerances: &'a FileTolerances,
    comparison: Comparison,
}

impl Walk<'_> {
    /// Compares anything; `scale` is the largest magnitude of the array that directly contains
    /// `want`.
    fn value(&mut self, path: &str, got: &Value, want: &Value, scale: Option<f64>) {
        match (got, want) {
            (Value::Object(_), Value::Object(_)) => self.object(path, got, want),
            (Value::Array(got), Value::Array(want)) => self.array(path, got, want),
            (Value::Number(_), Value::Number(_)) => self.number(path, got, want, scale),
            (Value::Bool(_), Value::Bool(_))
            | (Value::String(_), Value::String(_))
            | (Value::Null, Value::Null) => {
                self.comparison.fields += 1;
                if got != want {
                    self.mismatch(path, got, want, "must be the same");
                }
            }
            _ => self.mismatch(path, got, want, "of another kind"),
        }
    }

    fn object(&mut self, path: &str, got: &Value, want: &Value) {
        let keys = |value: &Value| {
            value.as_object().map_or(Vec::new(), |fields| fields.keys().cloned().collect())
        };
        let join = |key: &str| {
            if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
        };
        for key in keys(want) {
            match got.get(&key) {
                Some(found) => self.value(&join(&key), found, &want[&key], None),
                None => self.mismatch(&join(&key), &"nothing", &want[&key], "not produced"),
            }
        }
        for key in keys(got) {
            if want.get(&key).is_none() {
                self.mismatch(&join(&key), &got[&key], &"nothing", "not recorded");
            }
        }
    }

    fn array(&mut self, path: &str, got: &[Value], want: &[Value]) {
        if got.len() != want.len() {
            let text = |list: &[Value]| format!("{} elements {}", list.len(), Value::from(list));
            self.mismatch(path, &text(got), &text(want), "of another length");
            return;
        }
        // A sentinel is no size: it would hide every other element.
        let magnitudes = want
            .iter()
            .filter_map(Value::as_f64)
            .filter(|number| !is_sentinel(*number))
            .map(f64::abs);
        let scale = magnitudes.fold(0.0, f64::max);
        for (i, (got, want)) in got.iter().zip(want).enumerate() {
            self.value(&format!("{path}[{i}]"), got, want, Some(scale));
        }
    }

    fn number(&mut self, path: &str, got: &Value, want: &Value, scale: Option<f64>) {
        self.comparison.fields += 1;
        let tolerance = self.tolerances.get(&pattern(path)).copied();
        let ratio = match error_ratio(field_name(path), got, want, scale, tolerance) {
            Ok(ratio) => ratio,
            Err(rule) => return self.mismatch(path, got, want, rule),
        };
        if self.comparison.worst_path.is_empty() || self.comparison.worst < ratio {
            self.comparison.worst = ratio;
            path.clone_into(&mut self.comparison.worst_path);
        }
        if 1.0 < ratio {
            let float = |value: &Value| value.as_f64().unwrap_or(f64::NAN);
            let error = (float(got) - float(want)).abs();
            let rule = format!("error {error:.3e}, tolerance {:.3e}", error / ratio);
            self.mismatch(path, got, want, &rule);
        }
    }

    fn mismatch(
        &mut self,
        path: &str,
        got: &dyn fmt::Display,
        want: &dyn fmt::Display,
        rule: &str,
    ) {
        let path = if path.is_empty() { "the whole output" } else { path };
        self.comparison.mismatches.push(Mismatch {
            path: path.to_owned(),
            got: got.to_string(),
            want: want.to_string(),
            rule: rule.to_owned(),
        });
    }
}

/// Error over tolerance of one number, or what else it violates.
fn error_ratio(
    name: &str,
    got: &Value,
    want: &Value,
    scale: Option<f64>,
    tolerance: Option<Tolerance>,
) -> Result<f64, &'static str> {
    let (Some(got), Some(want)) = (got.as_f64(), want.as_f64()) else {
        return Err("not a number of 64 bits");
    };
    let holds = |condition: bool, rule| if condition { Ok(0.0) } else { Err(rule) };
    if name == "suspension_separation" && want as f32 == f32::MIN_POSITIVE {
        return holds(0.0 < got, "the marker of a wheel in the air: must be > 0");
    }
    let (abs, rel) = match tolerance {
        None => return Err("this field has no tolerance"),
        Some(Tolerance::Within { abs, rel }) if !is_sentinel(want) => (abs, rel),
        Some(_) => return holds(got as f32 == want as f32, "must be the same"),
    };
    // The recorded digits stand for a number of 32 bits.
    let want = f64::from(want as f32);
    let mut tolerance = abs + rel * scale.unwrap_or(want.abs());
    if name == "tire_aligning_moment" {
        tolerance += ALIGNING_MOMENT_REL * want.abs();
    }
    let ratio = over((got - want).abs(), tolerance);
    if name == "tire_camber_angle" {
        return Ok(ratio.min(over((got.sin() - want.sin()).abs(), CAMBER_SINE_ABS)));
    }
    Ok(ratio)
}

/// `error / tolerance`, 0 where nothing is wrong and infinite where anything is too much.
pub fn over(error: f64, tolerance: f64) -> f64 {
    if error == 0.0 {
        return 0.0;
    }
    let ratio = error / tolerance;
    if ratio.is_nan() { f64::INFINITY } else { ratio }
}

/// Whether a number is the largest of 32 bits, which stands for unspecified, never or
/// instantaneous.
pub fn is_sentinel(number: f64) -> bool {
    (number as f32).abs() == f32::MAX
}

/// The path without its indices.
fn pattern(path: &str) -> String {
    let mut inside = false;
    let keep = |c: &char| {
        inside = *c == '[' || (inside && *c != ']');
        !inside || *c == '['
    };
    path.chars().filter(keep).collect()
}

/// The name of the field to which the last part of the path belongs.
fn field_name(path: &str) -> &str {
    let last = path.rsplit('.').next().unwrap_or(path);
    last.split('[').next().unwrap_or(last)
}

#[cfg(test)]
mod tests {
    use super::super::values::number;
    use super::*;
    use serde_json::json;

    fn tolerances() -> FileTolerances {
        let within = |abs, rel| Tolerance::Within { abs, rel };
        let entries = [
            ("v[]", within(1e-6, 1e-5)),
            ("s", within(1e-6, 1e-5)),
            ("gear", Tolerance::Exact),
            ("steps[].m[][]", within(1e-3, 0.0)),
            ("j[]", within(1e-3, 1e-5)),
            ("suspension_separation", within(1e-5, 4e-6)),
            ("tire_aligning_moment", within(0.05, 0.0)),
            ("tire_camber_angle", within(1e-5, 0.0)),
        ];
        entries.map(|(name, tolerance)| (name.to_owned(), tolerance)).into()
    }

    /// The paths that do not match.
    fn wrong(got: &Value, want: &Value) -> Vec<String> {
        compare(got, want, &tolerances())
            .mismatches
            .into_iter()
            .map(|mismatch| mismatch.path)
            .collect()
    }

    #[test]
    fn numbers_match_within_the_tolerance_of_their_array() {
        // S = 200 in the vector, so 2.001e-3 is allowed for each component, and 2.1e-5 for the lone
        // number.
        let want = json!({"v": [0.0, -200.0], "s": 2.0});
        assert!(wrong(&json!({"v": [1.9e-3, -200.0], "s": 2.00002}), &want).is_empty());
        assert_eq!(wrong(&json!({"v": [2.1e-3, -200.0], "s": 2.00003}), &want), ["s", "v[0]"]);
        let comparison =
            compare(&json!({"v": [0.0, -200.0], "s": 2.0000105}), &want, &tolerances());
        assert_eq!((comparison.fields, comparison.worst_path.as_str()), (3, "s"));
        assert!((comparison.worst - 0.5).abs() < 1e-6);
    }

    #[test]
    fn every_field_must_be_there_and_nothing_else() {
        let want = json!({"s": 1.0, "v": [1.0, 2.0]});
        assert_eq!(wrong(&json!({"v": [1.0, 2.0]}), &want), ["s"]);
        assert_eq!(wrong(&json!({"s": 1.0, "v": [1.0, 2.0], "x": 1}), &want), ["x"]);
        assert_eq!(wrong(&json!({"s": 1.0, "v": [1.0]}), &want), ["v"]);
        assert_eq!(wrong(&json!(3), &want), ["the whole output"]);
        assert_eq!(
            wrong(&json!({"other": 1}), &json!({"other": 1})),
            ["other"],
            "a number needs a tolerance"
        );
    }

    #[test]
    fn nan_flags_texts_and_gears_are_told_apart() {
        assert_eq!(wrong(&json!({"s": number(f32::NAN)}), &json!({"s": 1.0})), ["s"]);
        assert_eq!(wrong(&json!({"s": number(f32::INFINITY)}), &json!({"s": 1.0})), ["s"]);
        assert_eq!(wrong(&json!({"s": null}), &json!({"s": 0})), ["s"]);
        assert_eq!(wrong(&json!({"on": true}), &json!({"on": false})), ["on"]);
        assert_eq!(wrong(&json!({"on": 1}), &json!({"on": true})), ["on"]);
        assert_eq!(wrong(&json!({"axis": "pos_x"}), &json!({"axis": "neg_x"})), ["axis"]);
        assert_eq!(wrong(&json!({"gear": 2.0001}), &json!({"gear": 2})), ["gear"]);
        assert!(
            wrong(&json!({"gear": 2.0, "on": true}), &json!({"gear": 2, "on": true})).is_empty()
        );
    }

    #[test]
    fn paths_lead_through_lists_of_lists() {
        let with = |m: f64| json!({"steps": [{"m": [[1.0]]}, {"m": [[1.0, m]]}]});
        assert_eq!(wrong(&with(2.1), &with(2.0)), ["steps[1].m[0][1]"]);
    }

    #[test]
    fn a_sentinel_must_be_met_and_does_not_widen_its_neighbours() {
        let max = 3.40282347e+38;
        let want = json!({"j": [max, 0.1]});
        assert!(wrong(&json!({"j": [f64::from(f32::MAX), 0.1]}), &want).is_empty());
        assert_eq!(wrong(&json!({"j": [3.4028e+38, 0.2]}), &want), ["j[0]", "j[1]"]);
    }

    #[test]
    fn the_stated_allowances_hold_and_no_more() {
        let separation = |got: f64| {
            wrong(
                &json!({"suspension_separation": got}),
                &json!({"suspension_separation": 1.17549435e-38}),
            )
        };
        assert!(separation(0.3).is_empty());
        assert_eq!(separation(0.0), ["suspension_separation"]);

        let moment = |got: f64| {
            wrong(&json!({"tire_aligning_moment": got}), &json!({"tire_aligning_moment": 1e6}))
        };
        assert!(moment(1e6 + 99.0).is_empty());
        assert_eq!(moment(1e6 + 101.0), ["tire_aligning_moment"]);

        let camber = |got: f64, want: f64| {
            wrong(&json!({"tire_camber_angle": got}), &json!({"tire_camber_angle": want}))
        };
        assert!(camber(1.5700, 1.5704).is_empty());
        assert_eq!(camber(0.5001, 0.5), ["tire_camber_angle"]);
    }
}
