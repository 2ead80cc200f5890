//! Files that were damaged: a clear error or a valid vehicle, never a panic or a silent default.

use rapier3d::prelude::*;
use serde_json::Value;
use snippets::damage::{Damage, misspelled};
use snippets::scenes::level_world;
use vehicle_rapier::vehicle_file::{AnyVehicle, FileFormat};

use super::fleet_of_kinds::all;
use crate::common::{DT, Noise};

/// What numbers become.
const NUMBERS: [&str; 14] = [
    "0", "-1", "1e40", "1e-40", "-0.0", "\"inf\"", "null", "[]", "{}", "true", "65536", "1e999",
    "nan", "0.5",
];

/// A damaged `text`.
fn damaged(damage: &mut Damage, text: &str) -> String {
    let (before, after) = text.split_at(damage.place(text));
    match damage.index(7) {
        0 => before.to_owned(),
        1 => {
            let length = damage.place(&after[..after.len().min(80)]);
            format!("{before}{}", &after[length..])
        }
        2 => {
            let length = damage.place(&after[..after.len().min(200)]);
            format!("{before}{}{after}", &after[..length])
        }
        3 => {
            let garbage = ["}", "[", ",", "\"", "x", "\u{1F697}", ")", "=", "\n", "-"];
            format!("{before}{}{after}", garbage[damage.index(garbage.len())])
        }
        4 | 5 => damage.other_number(before, after, &NUMBERS),
        _ => misspelled(before, after),
    }
}

/// Whether all that `given` says is in `kept`.
fn is_kept(given: &Value, kept: &Value, path: &str) -> Result<(), String> {
    match (given, kept) {
        (Value::Object(given), Value::Object(kept)) => {
            given.iter().try_for_each(|(name, value)| {
                let path = format!("{path}.{name}");
                match kept.get(name) {
                    Some(kept) => is_kept(value, kept, &path),
                    // None is left out, and so is what says nothing.
                    None if value.is_null()
                        || *value == ""
                        || *value == Value::Array(Vec::new()) =>
                    {
                        Ok(())
                    }
                    None => Err(format!("{path} is lost")),
                }
            })
        }
        (Value::Array(given), Value::Array(kept)) if given.len() == kept.len() => {
            given.iter().zip(kept).try_for_each(|(given, kept)| is_kept(given, kept, path))
        }
        (Value::Number(given), Value::Number(kept)) => {
            let [given, kept] = [given, kept].map(|number| number.as_f64().unwrap_or(f64::NAN));
            let is_same = given == kept || given as f32 == kept as f32;
            if is_same { Ok(()) } else { Err(format!("{path}: {given} became {kept}")) }
        }
        _ if given == kept => Ok(()),
        _ => Err(format!("{path}: {given} became {kept}")),
    }
}

#[test]
fn damaged_files_are_refused_or_are_vehicles_with_all_that_they_say() {
    let texts: Vec<_> = all()
        .into_iter()
        .flat_map(|(name, file)| {
            FileFormat::ALL
                .map(|format| (name.clone(), format, file.to_text(format).expect("a text")))
        })
        .collect();
    let mut damage = Damage(Noise(1_000));
    let (mut vehicles, mut refused) = (0, 0);
    for round in 0..1_500 {
        let (name, format, text) = &texts[round % texts.len()];
        let mut damaged = self::damaged(&mut damage, text);
        if damage.index(4) == 0 {
            damaged = self::damaged(&mut damage, &damaged);
        }
        match AnyVehicle::from_str(*format, &damaged) {
            Err(error) => {
                refused += 1;
                let faults = error.faults();
                assert!(!faults.is_empty(), "{name} {format:?}");
                assert!(faults.iter().all(|fault| !fault.message.is_empty()), "{name}: {error}");
            }
            Ok(vehicle) => {
                vehicles += 1;
                let kept = vehicle.file().to_text(FileFormat::Json).expect("a text");
                let kept: Value = serde_json::from_str(&kept).expect("JSON");
                let given: Option<Value> = match format {
                    FileFormat::Json => Some(serde_json::from_str(&damaged).expect("JSON")),
                    _ => None,
                };
                if let Some(Err(lost)) = given.map(|given| is_kept(&given, &kept, "")) {
                    panic!("{name} {round}: {lost}\n{damaged}");
                }
                let mut world = level_world(DT, 1.0);
                let mut car = vehicle.insert(&mut world, Pose::IDENTITY);
                car.commands_mut().throttle = 1.0;
                for _ in 0..3 {
                    if car.step(&mut world).is_err() {
                        break;
                    }
                }
            }
        }
    }
    assert!(60 < vehicles && 500 < refused, "{vehicles} vehicles, {refused} refused");
}
