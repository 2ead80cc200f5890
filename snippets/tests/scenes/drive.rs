//! The drive over the proving ground: every preset gets through, and steps of other lengths drive
//! alike.

use anyhow::Result;
use snippets::course::{Course, CourseDrive};
use snippets::measurements::class_figures::class_figures;
use snippets::presets::driven;

/// Presets that the course is not for, with what is said of them.
const REFUSED: [(&str, &str); 2] =
    [("motorcycle", "its rider leans too slowly"), ("semi_trailer", "no drive of its own")];

fn drive(name: &str, rate: f32) -> Result<CourseDrive> {
    Course::new(name, 1.0 / rate)?.record(|_| ())
}

fn is_refused(name: &str) -> bool {
    REFUSED.iter().any(|(refused, _)| *refused == name)
}

#[test]
fn every_preset_gets_through_or_is_refused_with_the_reason() -> Result<()> {
    for name in driven().into_iter().filter(|name| !is_refused(name)) {
        let CourseDrive { figures, telemetry, .. } = drive(name, 60.0)?;
        let shown = format!("{name}: {figures:?}");
        let usual = class_figures(name).map_or(100.0, |class| class.launch_speed);
        // Trucks, and models of a tenth of the size, have no room or no power for 100 km/h.
        let is_car = 100.0 <= usual;
        assert!(figures.launch().is_some_and(|(speed, _)| !is_car || speed == 100.0), "{shown}");
        assert!(40.0 <= figures.stop_speed, "{shown}");
        // At least 4 m/s² and at most 1.4 g, of slicks and downforce.
        let deceleration = (figures.stop_speed / 3.6).powi(2) / (2.0 * figures.stop_distance);
        assert!((4.0..14.0).contains(&deceleration), "{deceleration} m/s²; {shown}");
        // Tracks slide sideways in bends: half of their grip is left.
        let slowest = if name == "tank" { 4.0 } else { 8.0 };
        assert!((slowest..20.0).contains(&figures.slalom_speed), "{shown}");
        assert!(figures.cones_hit == 0, "{shown}");
        assert!((figures.slope.to_degrees() - 10.0).abs() < 1.0, "{shown}");
        assert!(figures.roll_back < 0.1, "{shown}");
        let asleep_or_slow = telemetry.column("speed")?.last().copied();
        assert!(asleep_or_slow.is_some_and(|speed| speed < 0.02), "{name} does not park");
    }
    for (name, said) in REFUSED {
        let error = Course::new(name, 1.0 / 60.0).err().map(|error| format!("{error:#}"));
        assert!(error.as_ref().is_some_and(|error| error.contains(said)), "{name}: {error:?}");
    }
    Ok(())
}

#[test]
fn cars_go_through_their_gears() -> Result<()> {
    for (name, least) in [("hot_hatch", 3.0), ("semi_tractor", 6.0)] {
        let telemetry = drive(name, 60.0)?.telemetry;
        let highest = telemetry.column("gear")?.iter().copied().fold(0.0, f64::max);
        assert!(least <= highest, "{name}: gear {highest}");
    }
    Ok(())
}

#[test]
fn steps_of_other_lengths_drive_alike() -> Result<()> {
    for name in ["hot_hatch", "pick_up", "electric_car", "gt", "kart"] {
        let [fine, middle, coarse] = [240.0, 60.0, 30.0].map(|rate| drive(name, rate));
        let fine = fine?.figures;
        // The foot on the brake answers with the steps: at 30 Hz it is a tenth of a second late.
        for (rate, figures, part) in [(60, middle?.figures, 0.03), (30, coarse?.figures, 0.1)] {
            for (what, value, expected, part) in [
                ("launch", figures.launch_times[9], fine.launch_times[9], 0.02),
                ("stop", figures.stop_distance, fine.stop_distance, part),
                ("slalom", figures.slalom_speed, fine.slalom_speed, 0.02),
                ("duration", figures.duration, fine.duration, 0.02),
            ] {
                let ratio = value / expected;
                assert!(
                    (ratio - 1.0).abs() < part,
                    "{name}, {rate} Hz, {what}: {value}, not {expected}"
                );
            }
            assert!(figures.roll_back < 0.1, "{name}, {rate} Hz: {figures:?}");
            assert_eq!(figures.cones_hit, 0, "{name}, {rate} Hz");
        }
    }
    Ok(())
}

#[test]
fn drive_repeats_with_the_same_bits() -> Result<()> {
    assert!(drive("hot_hatch", 60.0)? == drive("hot_hatch", 60.0)?);
    Ok(())
}
