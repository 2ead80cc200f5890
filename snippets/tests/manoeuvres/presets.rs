//! All presets through all ready manoeuvres, and what steps of other lengths change.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use snippets::manoeuvres::comparison::{Named, Subject, check, compare};
use snippets::manoeuvres::ready::READY;
use snippets::manoeuvres::{matrix, misfit};
use snippets::measurements::Setting;
use snippets::presets::driven;

fn all_ready() -> Result<Vec<Named>> {
    let named = |ready: &snippets::manoeuvres::ready::Ready| {
        Ok(Named { name: ready.name.to_owned(), manoeuvre: ready.manoeuvre()? })
    };
    READY.iter().map(named).collect()
}

fn subject(vehicle: &str, rate: f32) -> Subject {
    let setting = Setting { dt: 1.0 / rate, ..Setting::default() };
    Subject { label: format!("{vehicle}, {rate} Hz"), vehicle: vehicle.to_owned(), setting }
}

/// Figures that some presets do not come to: they are too slow for them, or pass them at once.
fn may_be_missing(manoeuvre: &str, figure: &str) -> bool {
    match manoeuvre {
        "acceleration" => figure.contains("100"),
        "constant_radius" => figure == "steer angle at 0.4 g",
        "constant_steer" => figure.contains("gradient"),
        _ => false,
    }
}

#[test]
fn presets_get_through_all_manoeuvres_that_are_for_them() -> Result<()> {
    let manoeuvres = all_ready()?;
    let alone = |name: &str| Subject { label: name.to_owned(), ..subject(name, 60.0) };
    let subjects: Vec<_> = driven().into_iter().map(alone).collect();
    check(&manoeuvres, &subjects)?;
    let comparisons = compare(&manoeuvres, &subjects, || {})?;
    for comparison in &comparisons {
        let Named { name, manoeuvre } = &comparison.named;
        assert!(comparison.runs().count() > 0, "{name} is for no preset");
        for (label, run) in comparison.runs() {
            assert_eq!(run.cut_short, None, "{name}, {label}");
            assert_eq!(run.phases.len(), manoeuvre.phases.len(), "{name}, {label}");
            for channel in run.telemetry.channels() {
                let values = run.telemetry.column(&channel.name)?;
                let all_finite = values.iter().all(|value| value.is_finite());
                assert!(all_finite, "{name}, {label}: {}", channel.name);
            }
            for figure in &manoeuvre.figures {
                let is_there = run.shown(figure).is_some();
                let may_miss = may_be_missing(name, &figure.name);
                assert!(is_there || may_miss, "{name}, {label}: {}", figure.name);
            }
        }
    }
    let runs: usize = comparisons.iter().map(|comparison| comparison.runs().count()).sum();
    assert!(200 < runs, "{runs} runs");
    for outside in matrix::outside(&comparisons) {
        assert!(outside.reason.is_some(), "out of what is usual for its class: {outside:?}");
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/manoeuvre_figures.md");
    let (there, now) =
        (fs::read_to_string(&path)?, matrix::page(&comparisons, "docs/manoeuvre_figures.md")?);
    let stale = there.lines().zip(now.lines()).find(|(one, other)| one != other);
    assert!(there == now, "{} is stale: {stale:?}; its text says what makes it", path.display());
    Ok(())
}

#[test]
fn vehicles_that_a_manoeuvre_is_not_for_are_told_why() -> Result<()> {
    for (manoeuvre, vehicle, why) in [
        ("step_steer", "tank", "by its tracks"),
        ("step_steer", "motorcycle", "for a lean"),
        ("step_steer", "semi_tractor", "tips over at 0."),
        ("trailer_sway", "hot_hatch", "no trailer"),
        ("split_friction_braking", "rc_car", "its wheelbase is 0.2"),
    ] {
        let manoeuvre = snippets::manoeuvres::Manoeuvre::of_name(manoeuvre)?;
        let said = misfit(&manoeuvre, vehicle)?.with_context(|| format!("{vehicle} fits"))?;
        assert!(said.contains(why), "{vehicle}: {said}");
    }
    Ok(())
}

/// Figures that change by more than 2 % from 60 to 240 steps per second, with the bound of each.
/// They are those of single moments, of what the road does within a step, and small differences.
const DEPENDS_ON_STEP: [(&str, &str, f64); 16] = [
    ("braking", "largest deceleration", 0.06),
    ("split_friction_braking", "", 0.11),
    ("braking_in_turn", "largest side slip", 0.06),
    ("constant_radius", "side slip gradient", 0.05),
    ("slow_ramp_steer", "side slip gradient", 0.13),
    ("step_steer", "", 0.05),
    ("double_lane_change", "largest side slip", 0.06),
    ("obstacle_avoidance", "largest side slip", 0.13),
    ("fishhook", "largest side slip", 0.03),
    ("sine_sweep", "gain of", 0.03),
    ("random_steer", "gain of", 0.03),
    ("sine_with_dwell", "yaw rate", 0.30),
    ("rough_road", "", 0.20),
    ("four_posts", "body by post at 4", 0.07),
    ("four_posts", "body by post at 8", 0.22),
    ("four_posts", "", 0.05),
];

#[test]
fn figures_are_as_good_in_steps_of_a_sixtieth_of_a_second() -> Result<()> {
    let subjects = [60.0, 240.0].map(|rate| subject("hot_hatch", rate));
    let mut compared = 0;
    for comparison in compare(&all_ready()?, &subjects, || {})? {
        let runs: Vec<_> = comparison.runs().map(|(_, run)| run).collect();
        let [usual, fine] = runs[..] else { continue };
        let Named { name, manoeuvre } = &comparison.named;
        for figure in &manoeuvre.figures {
            let [usual, fine] = [usual.shown(figure), fine.shown(figure)];
            let [usual, fine] = [usual.context("a figure")?, fine.context("a figure")?];
            let is_angle = figure.name.starts_with("phase of");
            let listed = DEPENDS_ON_STEP
                .iter()
                .find(|(manoeuvre, start, _)| manoeuvre == name && figure.name.starts_with(start));
            let bound = listed.map_or(0.02, |listed| listed.2);
            // Phases lead by up to half a substep: 4° of roll at 3 Hz. What is next to nothing may
            // be anything.
            let slack = if is_angle { 4.5 } else { 2e-3 };
            let change = (usual - fine).abs();
            if bound < change / fine.abs() {
                println!("{name}, {}: {usual}, {fine} at 240 Hz {}", figure.name, figure.unit);
            }
            assert!(
                change < bound * fine.abs() + slack,
                "{name}, {}: {usual}, {fine} at 240 Hz",
                figure.name
            );
            compared += 1;
        }
    }
    assert!(100 < compared, "{compared} figures");
    Ok(())
}
