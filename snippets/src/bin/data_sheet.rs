//! Drives the presets on a proving ground and writes their data sheets.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail, ensure};
use clap::Parser;
use snippets::console::{run, say};
use snippets::measurements::class_figures::{CLASS_FIGURES, ClassFigures, class_figures};
use snippets::measurements::data_sheet::{DataSheet, Figure};
use snippets::measurements::{Setting, write_index};
use snippets::output_folder::OutputFolder;
use snippets::presets;

/// Drives the presets on a proving ground and writes their data sheets
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// Presets, or files of vehicles, to drive [default: all presets]
    #[arg(value_name = "FILE|PRESET")]
    vehicles: Vec<String>,

    /// Preset whose class the vehicles of files belong to
    #[arg(long, value_name = "PRESET", requires = "vehicles")]
    class: Option<String>,

    /// Folder for the data sheets [default: docs/vehicles]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Measure, and write nothing
    #[arg(long)]
    dry: bool,

    /// Print nothing
    #[arg(long)]
    quiet: bool,

    /// Steps per second
    #[arg(long, value_name = "HZ", default_value_t = 60, value_parser = clap::value_parser!(u32).range(20..=1000))]
    #[arg(allow_negative_numbers = true)]
    rate: u32,
}

/// The folder of the presets' data sheets.
const FOLDER: &str = "docs/vehicles";

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    run(|| measure(&arguments))
}

fn measure(arguments: &Arguments) -> Result<()> {
    let setting = Setting { dt: 1.0 / arguments.rate as f32, ..Setting::default() };
    let names: Vec<_> = if arguments.vehicles.is_empty() {
        CLASS_FIGURES.iter().map(|class| class.preset.to_owned()).collect()
    } else {
        arguments.vehicles.clone()
    };
    let classes = names.iter().map(|name| class_of(name, arguments)).collect::<Result<Vec<_>>>()?;
    let folder = if arguments.dry { None } else { Some(folder(&names, arguments)?) };
    let mut sheets = Vec::new();
    for (name, class) in names.iter().zip(classes) {
        if !arguments.quiet {
            presets::tell_findings(name, setting.dt)?;
        }
        let sheet = DataSheet::measure(name, class, &setting)?;
        if !arguments.quiet {
            print(&sheet)?;
        }
        if let Some(folder) = &folder {
            sheet.write(folder.folder(), &setting)?;
        }
        sheets.push(sheet);
    }
    let Some(folder) = folder else { return Ok(()) };
    if arguments.vehicles.is_empty() {
        write_index(&sheets, folder.folder())?;
    }
    if !arguments.quiet {
        say(format_args!("data sheets: {}", folder.folder().display()))?;
    }
    Ok(())
}

/// The figures that are usual for the class of the vehicle `name`: of a preset its own, of a file
/// that of `--class`.
fn class_of(name: &str, arguments: &Arguments) -> Result<&'static ClassFigures> {
    if let Some(class) = arguments.class.as_ref().filter(|_| presets::is_preset(name)) {
        bail!(
            "--class {class}: must be left out for a preset, which has its own class, got {name}"
        );
    }
    ensure!(
        !presets::vehicle(name).is_ok_and(|vehicle| presets::is_towed(&vehicle)),
        "{name}: a trailer has no data sheet, which is measured by driving"
    );
    let of = arguments.class.as_deref().unwrap_or(name);
    class_figures(of).with_context(|| without_class(name, arguments))
}

/// The folder for pages of these vehicles, which must not replace each other nor that of a preset.
fn folder(names: &[String], arguments: &Arguments) -> Result<OutputFolder> {
    let mut pages = Vec::new();
    for name in names {
        let page = presets::short_name(name);
        let is_of_preset = presets::is_preset(&page) && page != *name && arguments.out.is_none();
        ensure!(
            !is_of_preset,
            "{name}: its page would replace that of the preset {page}; choose a folder by --out"
        );
        ensure!(!pages.contains(&page), "{name}: its page would replace that of another {page}");
        pages.push(page);
    }
    let path = arguments.out.clone().unwrap_or_else(|| FOLDER.into());
    OutputFolder::create_for(&[], path, true)
}

/// Why it is not known what is usual for a vehicle.
fn without_class(name: &str, arguments: &Arguments) -> String {
    let known = CLASS_FIGURES.iter().map(|class| class.preset);
    match &arguments.class {
        Some(class) => match presets::nearest(class, known.clone()) {
            Some(nearest) => format!("--class {class}: no such preset, did you mean {nearest}?"),
            None => {
                let known: Vec<_> = known.collect();
                format!("--class {class}: no such preset; there are {}", known.join(", "))
            }
        },
        None if std::path::Path::new(name).exists() => {
            format!(
                "{name}: --class says which preset it is to be compared with, such as hot_hatch"
            )
        }
        None => presets::unknown(name),
    }
}

fn print(sheet: &DataSheet) -> Result<()> {
    say(presets::called(&sheet.vehicle, &sheet.name))?;
    for figure in sheet.figures() {
        let mark = if figure.is_usual() { "" } else { "  <- not usual" };
        let usual = figure.usual.map_or(String::new(), |[low, high]| format!(" ({low} to {high})"));
        let Figure { label, value, unit, digits, .. } = figure;
        say(format_args!("  {label}: {value:.digits$} {unit}{usual}{mark}"))?;
    }
    let (launch, stop) = (&sheet.launch, &sheet.stop);
    say(format_args!(
        "  pedals: {} and {}; {} shifts up, {} down",
        launch.pedal,
        stop.pedal,
        launch.shifts().len(),
        launch.shifts_down()
    ))?;
    match &sheet.skid_pad {
        Some(pad) => say(format_args!("  what ends the circle: {}", pad.limit.words())),
        None => Ok(()),
    }
}
