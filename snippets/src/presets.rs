//! Presets by name, files of vehicles beside them, and trains of two.

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use playground::vehicle_names;
use rapier3d::prelude::*;
use vehicle_rapier::core::Frame;
use vehicle_rapier::core::diagnosis::{Finding, Severity};
use vehicle_rapier::vehicle_file::{
    AnyRapierVehicle, AnyVehicle, DriveSource, HitchParams, Preset, VehicleFile,
};
use vehicle_rapier::{diagnose, diagnose_in};

use crate::console::say;
use crate::measurements::{ProvingGround, Setting};
use crate::own_tires::own_tires;

/// What stands between the names of a vehicle and of the trailer that it pulls.
const PULLS: char = '+';

/// A trailer and where it is coupled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trailer {
    /// The preset, or the file of the trailer.
    pub name: String,
    /// Hitch of the vehicle that pulls.
    pub own: String,
    /// Hitch of the trailer.
    pub theirs: String,
}

/// The vehicle and the trailer of a `name` such as `semi_tractor+semi_trailer`; without a trailer
/// if it is the name of a single vehicle.
fn parts(name: &str) -> (&str, Option<&str>) {
    match name.split_once(PULLS) {
        Some((own, trailer)) if !Path::new(name).exists() => (own.trim(), Some(trailer.trim())),
        _ => (name, None),
    }
}

/// Refuses a `name` of more than a vehicle and its trailer.
fn check_parts(name: &str) -> Result<()> {
    let (_, trailer) = parts(name);
    let third = trailer.filter(|trailer| !Path::new(trailer).exists());
    if let Some((_, third)) = third.and_then(|trailer| trailer.split_once(PULLS)) {
        bail!("must be a vehicle and at most one trailer, got a third one behind them: `{third}`");
    }
    Ok(())
}

/// The vehicle of `name` without its trailer.
pub fn alone(name: &str) -> String {
    format!("{}{PULLS}", parts(name).0)
}

/// The trailer that the vehicle of `name` pulls, if it does. It is that of a preset, or the one
/// whose name stands behind a plus sign, or none if nothing stands there. Of several hitches, the
/// rearmost one pulls, and the foremost one is pulled.
///
/// # Errors
///
/// If there is no such vehicle, its file has faults, or one of both has no hitch.
pub fn trailer(name: &str) -> Result<Option<Trailer>> {
    let (own, Some(trailer)) = parts(name) else {
        let coupling = Preset::of_name(name).ok().and_then(|preset| preset.coupling);
        return Ok(coupling.map(|coupling| Trailer {
            name: coupling.trailer.to_owned(),
            own: coupling.own.to_owned(),
            theirs: coupling.theirs.to_owned(),
        }));
    };
    if trailer.is_empty() {
        return Ok(None);
    }
    check_parts(name)?;
    let ahead =
        |file: &VehicleFile, hitch: &HitchParams| hitch.position.dot(file.frame.longitudinal());
    let hitch = |name: &str, is_rear: bool| -> Result<String> {
        let vehicle = vehicle(name)?;
        let file = vehicle.file();
        let order = |one: &&HitchParams, other: &&HitchParams| {
            ahead(file, one).total_cmp(&ahead(file, other))
        };
        let hitches = file.hitches.iter();
        let found = if is_rear { hitches.min_by(order) } else { hitches.max_by(order) };
        let found = found.with_context(|| {
            format!("{name} has no hitch: it pulls and is pulled by one of `hitches` in its file")
        })?;
        Ok(found.name.clone())
    };
    let (own, theirs) = (hitch(own, true)?, hitch(trailer, false)?);
    Ok(Some(Trailer { name: trailer.to_owned(), own, theirs }))
}

/// `name`, or if that is a vehicle without a drive the train in which the vehicle `towing` pulls
/// it.
///
/// # Errors
///
/// If there is no such vehicle, or its file has faults. If it has no drive and nothing is said to
/// pull it, or the vehicle that pulls has no drive, either.
pub fn pulled(name: &str, towing: Option<&str>) -> Result<String> {
    let is_towed = |name: &str| Ok::<_, anyhow::Error>(is_towed(&vehicle(name)?));
    let (own, trailer) = parts(name);
    if !is_towed(own)? {
        return Ok(name.to_owned());
    }
    if trailer.is_some() {
        bail!("{own} cannot pull: it has no drive of its own");
    }
    let known = Preset::ALL
        .iter()
        .find(|preset| preset.coupling.is_some_and(|coupling| coupling.trailer == name));
    let example = known.map_or("truck_6x6", |preset| preset.name);
    let Some(towing) = towing else {
        bail!(
            "{name} has no drive of its own: name the vehicle that pulls it before it, as in \
             `{example}{PULLS}{name}`, or in the scenario, as in `\"towing\": \"{example}\"`"
        );
    };
    if is_towed(parts(towing).0)? {
        bail!("`towing` must be a vehicle with a drive, as {example} is, got {towing}");
    }
    Ok(format!("{towing}{PULLS}{name}"))
}

/// Names of the presets that drive, in alphabetical order.
pub fn driven() -> Vec<&'static str> {
    vehicle_names()
}

/// Names and files of all presets in alphabetical order, trailers last.
pub fn all() -> impl Iterator<Item = (&'static str, &'static str)> {
    let (driven, trailers): (Vec<&Preset>, Vec<&Preset>) =
        Preset::ALL.iter().partition(|preset| preset.is_driven());
    driven.into_iter().chain(trailers).map(|preset| (preset.name, preset.text))
}

/// The preset of this name, or the vehicle of the file at this path, which may be on
/// [tires of these programs](own_tires); of a train the vehicle that pulls.
///
/// # Errors
///
/// If there is neither, with the nearest preset; all faults of the file; if a third vehicle is
/// named behind a trailer.
pub fn vehicle(name: &str) -> Result<AnyVehicle> {
    check_parts(name)?;
    let (name, _) = parts(name);
    if Preset::of_name(name).is_ok() {
        return Ok(AnyVehicle::preset(name)?);
    }
    let (path, vehicle) = (Path::new(name), AnyVehicle::load_with(name, &own_tires()));
    if path.exists() { Ok(vehicle?) } else { vehicle.with_context(|| unknown(name)) }
}

/// The vehicle of `name` by this `file` in the place of its own, whose paths begin in the same
/// folder.
///
/// # Errors
///
/// All faults of the file.
pub(crate) fn rebuilt(name: &str, file: VehicleFile) -> Result<AnyVehicle> {
    let folder = Path::new(parts(name).0).parent().unwrap_or(Path::new(""));
    Ok(AnyVehicle::new_with(file, folder, &own_tires())?)
}

/// What the file of the `vehicle` of `name` calls it, or `name` if it does not say.
pub fn called(vehicle: &AnyVehicle, name: &str) -> String {
    let called = &vehicle.file().name;
    if called.is_empty() { name.to_owned() } else { called.clone() }
}

/// A short form of `name`: files without folder and extension.
pub fn short_name(name: &str) -> String {
    let stem = |name: &str| match Path::new(name).file_stem() {
        Some(stem) => stem.to_string_lossy().into_owned(),
        None => name.to_owned(),
    };
    match parts(name) {
        (own, Some(trailer)) => format!("{}{PULLS}{}", stem(own), stem(trailer)),
        (own, None) => stem(own),
    }
}

/// Refuses a vehicle without a drive of its own.
///
/// # Errors
///
/// If it has none.
pub fn check_drive(vehicle: &AnyVehicle) -> Result<()> {
    ensure!(
        !is_towed(vehicle),
        "it has no drive of its own: choose a vehicle that has one; where trains drive, that pulls \
         it as in `semi_tractor{PULLS}semi_trailer`"
    );
    Ok(())
}

/// Whether `vehicle` has no drive of its own.
pub fn is_towed(vehicle: &AnyVehicle) -> bool {
    matches!(vehicle.file().drive, DriveSource::Towed)
}

/// Whether `name` is that of a preset, without a trailer behind a plus sign.
pub fn is_preset(name: &str) -> bool {
    Preset::of_name(name).is_ok()
}

/// Refuses a `name` of a vehicle and its trailer, for programs that drive a single vehicle.
///
/// # Errors
///
/// If something stands behind a plus sign.
pub fn check_alone(name: &str) -> Result<()> {
    match parts(name) {
        (own, Some(trailer)) if !trailer.is_empty() => bail!(
            "must be a single vehicle in this program, such as `{own}`, got a trailer behind it: \
             `{trailer}`"
        ),
        _ => Ok(()),
    }
}

/// Refuses a vehicle whose axes are not those of the worlds of these programs.
///
/// # Errors
///
/// If they are not.
pub fn check_axes(vehicle: &AnyVehicle) -> Result<()> {
    let frame = &vehicle.file().frame;
    if *frame == Frame::Y_UP {
        return Ok(());
    }
    let [own, ours] = [frame, &Frame::Y_UP].map(serde_json::to_string);
    bail!("frame: must be {}, +z forward and +y up, in these programs, got {}", ours?, own?)
}

/// Tells on the console what is odd about the vehicle of a file, and about the trailer of a file
/// that it pulls. They have stood on level ground for a second, in steps of `dt` (s).
///
/// # Errors
///
/// As of [`vehicle`]; if a step fails.
pub fn tell_findings(name: &str, dt: Real) -> Result<()> {
    tell(&findings_at_rest(name, dt)?);
    Ok(())
}

/// What [`tell_findings`] tells.
fn findings_at_rest(name: &str, dt: Real) -> Result<Vec<Finding>> {
    if is_preset(name) {
        return Ok(Vec::new());
    }
    let vehicle = vehicle(name)?;
    if is_towed(&vehicle) {
        // Without what pulls it, it falls on its nose.
        let car = vehicle.insert(&mut PhysicsWorld::new(), Pose::IDENTITY);
        return Ok(diagnose(&car, dt)?);
    }
    let setting = Setting { dt, ..Setting::default() };
    let mut ground = ProvingGround::new(name, &setting, 0.0)?;
    ground.steps_for(1.0)?;
    findings(name, &ground.train, &ground.world)
}

/// What is odd about the vehicles of files in the `train` of `name`, as they are in `world`.
///
/// # Errors
///
/// If the time step is none.
pub fn findings(
    name: &str,
    train: &[AnyRapierVehicle],
    world: &PhysicsWorld,
) -> Result<Vec<Finding>> {
    let (own, trailer) = parts(name);
    let trailer = trailer.filter(|trailer| !trailer.is_empty());
    let mut all = Vec::new();
    for (name, car) in [Some(own), trailer].into_iter().flatten().zip(train) {
        if !is_preset(name) {
            all.extend(diagnose_in(car, world)?);
        }
    }
    Ok(all)
}

/// Tells `findings` on the console.
pub fn tell(findings: &[Finding]) {
    for finding in findings {
        let severity = match finding.severity() {
            Severity::Note => "note",
            _ => "warning",
        };
        eprintln!("{severity}: {finding}");
    }
}

/// The message about a `name` of no preset, with the nearest preset.
pub fn unknown(name: &str) -> String {
    match nearest(name, all().map(|(preset, _)| preset)) {
        Some(preset) => {
            format!("{name:?} is no preset and no file that can be read; did you mean {preset:?}?")
        }
        None => {
            let known: Vec<_> = all().map(|(preset, _)| preset).collect();
            format!(
                "{name:?} is no preset and no file that can be read; presets are {}",
                known.join(", ")
            )
        }
    }
}

/// The one of `known` that may be meant by `name`, if one is near.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let likeness = |known: &str| strsim::jaro_winkler(known, name);
    known
        .into_iter()
        .max_by(|one, other| likeness(one).total_cmp(&likeness(other)))
        .filter(|known| LIKE < likeness(known))
}

/// Likeness from which on a name may have been meant, in [0, 1].
const LIKE: f64 = 0.75;

/// Width of a line of a list (characters).
const LINE: usize = 100;

/// As much of `text` as a line of a list holds.
pub fn line(text: &str) -> String {
    if text.chars().count() <= LINE {
        return text.to_owned();
    }
    let start: String = text.chars().take(LINE - 3).collect();
    let words = start.rsplit_once(' ').map_or(start.as_str(), |(words, _)| words);
    format!("{}...", words.trim_end_matches([',', '.', ';', ' ']))
}

/// A line for each preset that is to be listed: its name, what it is called, and where its figures
/// come from.
///
/// # Errors
///
/// All faults of the files.
pub fn list_of(is_listed: impl Fn(&AnyVehicle) -> bool) -> Result<Vec<String>> {
    let mut lines = Vec::new();
    for (name, _) in all() {
        let vehicle = vehicle(name)?;
        if is_listed(&vehicle) {
            let file = vehicle.file();
            lines.push(line(&format!("{name:14} {}. {}", file.name, file.source)));
        }
    }
    Ok(lines)
}

/// Prints the [list](list_of) of all presets.
///
/// # Errors
///
/// All faults of the files; if it cannot be printed.
pub fn print_list() -> Result<()> {
    print_list_of(|_| true)
}

/// Prints the [list](list_of) of presets that are to be listed.
///
/// # Errors
///
/// All faults of the files; if it cannot be printed.
pub fn print_list_of(is_listed: impl Fn(&AnyVehicle) -> bool) -> Result<()> {
    list_of(is_listed)?.into_iter().try_for_each(say)
}

#[cfg(test)]
mod tests {
    use vehicle_rapier::core::diagnosis::FindingCode;

    use super::*;

    #[test]
    fn names_that_are_near_a_preset_are_told() {
        for (name, said) in [
            ("hothatch", "did you mean \"hot_hatch\"?"),
            ("truck", "did you mean \"truck_6x6\"?"),
            ("semi", "did you mean \"semi_tra"),
            ("zzz", "presets are city_car, drift_car"),
        ] {
            let error = format!("{:#}", vehicle(name).expect_err("no such preset"));
            assert!(error.contains(said), "{name}: {error}");
        }
    }

    #[test]
    fn a_hull_on_the_road_is_found_where_it_stands() -> Result<()> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("low.json");
        let mut file: serde_json::Value = serde_json::from_str(Preset::of_name("hot_hatch")?.text)?;
        file["chassis"]["colliders"] = serde_json::json!([
            {"shape": {"cuboid": {"half_extents": [0.8, 0.8, 1.8]}}}
        ]);
        std::fs::write(&path, file.to_string())?;
        let found = findings_at_rest(&path.display().to_string(), 1.0 / 60.0)?;
        let is_hull = |finding: &Finding| finding.code == FindingCode::HullOnRoad;
        assert!(found.iter().any(is_hull), "{found:?}");
        assert!(findings_at_rest("hot_hatch", 1.0 / 60.0)?.is_empty());
        Ok(())
    }

    #[test]
    fn a_third_vehicle_is_refused() -> Result<()> {
        let name = "semi_tractor+semi_trailer+nope";
        for said in [vehicle(name).err(), trailer(name).err()] {
            let said = format!("{:#}", said.context("it is refused")?);
            assert!(said.contains("at most one trailer") && said.contains("`nope`"), "{said}");
        }
        assert!(trailer("semi_tractor+semi_trailer")?.is_some());
        Ok(())
    }

    #[test]
    fn lines_of_lists_fit_the_console() -> Result<()> {
        for line in list_of(|_| true)? {
            assert!(line.chars().count() <= LINE, "{line}");
        }
        assert_eq!(line("kart"), "kart");
        Ok(())
    }

    #[test]
    fn short_names_are_without_folder_and_extension() {
        for (name, short) in [
            ("hot_hatch", "hot_hatch"),
            ("cars/mine.json", "mine"),
            ("cars/mine.json+trailers/small.toml", "mine+small"),
            ("truck_6x6+", "truck_6x6+"),
        ] {
            assert_eq!(short_name(name), short);
        }
    }
}
