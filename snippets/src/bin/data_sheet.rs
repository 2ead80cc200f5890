//! Drives the presets on a proving ground and writes their data sheets.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::Parser;
use snippets::console::{run, say};
use snippets::measurements::class_figures::{CLASS_FIGURES, class_figures};
use snippets::measurements::data_sheet::{DataSheet, Figure};
use snippets::measurements::{Setting, write_index};
use snippets::presets;

/// Drives the presets on a proving ground and writes their data sheets
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// Presets, or files of vehicles, to drive [default: all presets]
    #[arg(value_name = "FILE|PRESET")]
    vehicles: Vec<String>,

    /// Preset whose class a vehicle of a file belongs to
    #[arg(long, value_name = "PRESET")]
    class: Option<String>,

    /// Folder for the data sheets
    #[arg(long, value_name = "DIR", default_value = "docs/vehicles")]
    out: PathBuf,

    /// Measure, and write nothing
    #[arg(long)]
    dry: bool,

    /// Print nothing
    #[arg(long)]
    quiet: bool,

    /// Steps per second
    #[arg(long, default_value_t = 60.0)]
    rate: f32,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    run(|| measure(&arguments))
}

fn measure(arguments: &Arguments) -> Result<()> {
    let setting = Setting { dt: 1.0 / arguments.rate, ..Setting::default() };
    let names: Vec<_> = if arguments.vehicles.is_empty() {
        CLASS_FIGURES.iter().map(|class| class.preset.to_owned()).collect()
    } else {
        arguments.vehicles.clone()
    };
    let mut sheets = Vec::new();
    for name in &names {
        let of = arguments.class.as_deref().unwrap_or(name);
        let Some(class) = class_figures(of) else { bail!(without_class(name, arguments)) };
        if !arguments.quiet {
            presets::tell_findings(name, setting.dt)?;
        }
        let sheet = DataSheet::measure(name, class, &setting)?;
        if !arguments.quiet {
            print(&sheet)?;
        }
        if !arguments.dry {
            std::fs::create_dir_all(&arguments.out)?;
            sheet.write(&arguments.out, &setting)?;
        }
        sheets.push(sheet);
    }
    if !arguments.dry && arguments.vehicles.is_empty() {
        write_index(&sheets, &arguments.out)?;
        if !arguments.quiet {
            say(format_args!("data sheets: {}", arguments.out.display()))?;
        }
    }
    Ok(())
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
    say(&sheet.vehicle.file().name)?;
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
