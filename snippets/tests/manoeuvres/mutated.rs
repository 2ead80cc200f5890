//! Scenario files that were damaged: a clear error or a manoeuvre, never a panic.

use std::path::Path;

use anyhow::Result;
use snippets::damage::{Damage, misspelled};
use snippets::manoeuvres::Manoeuvre;
use snippets::manoeuvres::ready::READY;
use snippets::measurements::Setting;
use snippets::noise::Noise;

/// What numbers become.
const NUMBERS: [&str; 14] = [
    "0", "-1", "1e40", "1e-40", "-0.0", "\"inf\"", "null", "[]", "{}", "true", "65536", "1e999",
    "NaN", "0.5",
];
/// Pieces of text that are put in.
const GARBAGE: [&str; 10] = ["}", "[", ",", "\"", "x", "\u{1F697}", "]", ":", "\n", "-"];
/// Longest manoeuvre that is driven here (s).
const LONGEST: f64 = 8.0;

/// A damaged `text`.
fn damaged(damage: &mut Damage, text: &str) -> String {
    let (before, after) = text.split_at(damage.place(text));
    match damage.index(8) {
        0 => before.to_owned(),
        1 => {
            let length = damage.place(after);
            format!("{before}{}", &after[length.min(after.len())..])
        }
        2 => format!("{before}{}{after}", GARBAGE[damage.index(GARBAGE.len())]),
        3..6 => damage.other_number(before, after, &NUMBERS),
        _ => misspelled(before, after),
    }
}

#[test]
fn damaged_scenarios_are_refused_with_a_path_or_can_be_driven() -> Result<()> {
    let mut damage = Damage(Noise(42));
    let (mut accepted, mut refused, mut driven) = (0, 0, 0);
    for round in 0..500 {
        let ready = READY[round % READY.len()];
        let mut text = damaged(&mut damage, ready.text);
        if damage.index(4) == 0 {
            text = damaged(&mut damage, &text);
        }
        match Manoeuvre::from_json(&text, Path::new("")) {
            Err(error) => {
                refused += 1;
                assert!(!error.faults().is_empty(), "{}: {text}", ready.name);
                for fault in error.faults() {
                    let is_told = !fault.path.is_empty() && !fault.message.is_empty();
                    assert!(is_told, "{} {round}: {error}", ready.name);
                }
            }
            Ok(manoeuvre) => {
                accepted += 1;
                let setting = Setting::default();
                let longest: f64 = manoeuvre.phases.iter().map(|phase| phase.until.time).sum();
                match manoeuvre.check_for("hot_hatch", &setting) {
                    Err(error) => {
                        let said = format!("{error:#}");
                        assert!(said.contains("channels[") || said.contains("figures["), "{said}");
                    }
                    Ok(()) if longest < LONGEST => {
                        driven += 1;
                        manoeuvre.drive("hot_hatch", &setting)?;
                    }
                    Ok(()) => {}
                }
            }
        }
    }
    println!("{refused} refused, {accepted} accepted, {driven} driven");
    assert!(250 < refused && 50 < accepted && 15 < driven, "{refused}, {accepted}, {driven}");
    Ok(())
}
