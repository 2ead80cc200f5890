//! Drives vehicles through manoeuvres of road testers, and compares them.
//!
//! Writes telemetry and figures as CSV and a report as HTML.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use clap::Parser;
use snippets::console::{SummaryTable, print_table, progress, run, say};
use snippets::manoeuvres::comparison::{
    Comparison, Named, Subject, check, compare, figure_rows, telemetry,
};
use snippets::manoeuvres::page::report;
use snippets::manoeuvres::ready::READY;
use snippets::manoeuvres::{Manoeuvre, matrix, ready};
use snippets::measurements::Setting;
use snippets::output_folder::{OutputFolder, check_file};
use snippets::presets;
use snippets::program::{Output, Program};

const PROGRAM: Program = Program {
    name: "manoeuvre",
    title: "Manoeuvres",
    description: "Each vehicle in each manoeuvre that is one for it.",
};

/// Name of the file of all figures.
const FIGURES: &str = "figures.csv";
/// The name that stands for all presets, or for all ready manoeuvres.
const ALL: &str = "all";

/// Drives vehicles through manoeuvres of road testers, and compares them in tables and charts.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(flatten)]
    output: Output,

    /// Vehicles to drive: presets, files in JSON, RON or TOML, or `all` presets
    #[arg(long, value_name = "FILE|PRESET", num_args = 1.., default_value = playground::DEFAULT_VEHICLE)]
    vehicle: Vec<String>,

    /// Manoeuvres to drive: ready ones, files of scenarios in JSON, or `all` ready ones
    #[arg(long, value_name = "NAME|FILE", num_args = 1.., default_value = ALL)]
    manoeuvre: Vec<String>,

    /// List the ready manoeuvres and the presets
    #[arg(long)]
    list: bool,

    /// Print the file of a ready manoeuvre, to begin one of your own with
    #[arg(long, value_name = "NAME")]
    show: Option<String>,

    /// Write a page in Markdown: all figures, beside what is usual for the class of a preset
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,

    /// Write the channels of each run to a file of its own
    #[arg(long)]
    csv: bool,

    /// Steps per second; several, with commas, are compared
    #[arg(long, value_name = "HZ", value_delimiter = ',', default_value = "60")]
    #[arg(value_parser = clap::value_parser!(u32).range(20..=1000), allow_negative_numbers = true)]
    rate: Vec<u32>,

    /// Substeps per step [default: as many as the vehicle's file says]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=64), allow_negative_numbers = true)]
    substeps: Option<u32>,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    run(|| drive(&arguments))
}

fn drive(arguments: &Arguments) -> Result<()> {
    if arguments.list {
        return list();
    }
    if let Some(name) = &arguments.show {
        let known = || READY.iter().map(|ready| ready.name).collect::<Vec<_>>().join(", ");
        let ready = ready::of_name(name);
        let ready = ready.with_context(|| format!("--show {name}: ready are {}", known()))?;
        return say(ready.text.trim_end());
    }
    let rates = &arguments.rate;
    for (index, rate) in rates.iter().enumerate() {
        ensure!(!rates[..index].contains(rate), "--rate {rate}: twice");
    }
    let (manoeuvres, subjects) = (manoeuvres(arguments)?, subjects(arguments));
    check(&manoeuvres, &subjects)?;
    let output = &arguments.output;
    if !output.quiet {
        let rate = arguments.rate.iter().copied().fold(u32::MAX, u32::min);
        for name in arguments.vehicle.iter().filter(|name| *name != ALL) {
            presets::tell_findings(name, 1.0 / rate as f32)?;
        }
    }
    let mut files = vec![FIGURES.to_owned()];
    if arguments.csv {
        let labels = subjects.iter().map(|subject| subject.label.as_str());
        files.extend(channel_files(&manoeuvres).flat_map(|of| labels.clone().map(of)));
    }
    let folder = PROGRAM.folder_with(output, &files)?;
    if let Some(path) = &arguments.table {
        check_file(path).with_context(|| format!("--table {}", path.display()))?;
    }
    let bar = progress(manoeuvres.len() * subjects.len(), output.quiet);
    let start = Instant::now();
    let comparisons = compare(&manoeuvres, &subjects, || bar.inc(1))?;
    let seconds = start.elapsed().as_secs_f64();
    bar.finish_and_clear();
    print(&comparisons)?;
    let telemetry = telemetry(&comparisons)?;
    write_figures(&folder, &comparisons)?;
    if let Some(path) = &arguments.table {
        let because = || format!("--table {}", path.display());
        fs::write(path, matrix::page(&comparisons, &path.to_string_lossy())?)
            .with_context(because)?;
    }
    if arguments.csv {
        write_channels(&folder, &comparisons)?;
    }
    let (title, description) = heading(&comparisons, &subjects);
    let report = report(&title, &description, &comparisons)?;
    PROGRAM.write(&folder, &telemetry, &report, summary(&comparisons, seconds))
}

/// The manoeuvres that are asked for.
fn manoeuvres(arguments: &Arguments) -> Result<Vec<Named>> {
    let mut all = Vec::new();
    for name in &arguments.manoeuvre {
        let names = if name == ALL {
            READY.iter().map(|ready| ready.name.to_owned()).collect()
        } else {
            vec![name.clone()]
        };
        for name in names {
            let manoeuvre = Manoeuvre::of_name(&name);
            let manoeuvre = manoeuvre.with_context(|| format!("--manoeuvre {name}"))?;
            ensure!(
                all.iter().all(|named: &Named| named.name != name),
                "--manoeuvre {name}: twice"
            );
            all.push(Named { name, manoeuvre });
        }
    }
    Ok(all)
}

/// The vehicles that are asked for, at each rate.
fn subjects(arguments: &Arguments) -> Vec<Subject> {
    let mut vehicles: Vec<String> = Vec::new();
    for name in &arguments.vehicle {
        let names = if name == ALL {
            presets::driven().into_iter().map(str::to_owned).collect()
        } else {
            vec![name.clone()]
        };
        let new: Vec<_> = names.into_iter().filter(|name| !vehicles.contains(name)).collect();
        vehicles.extend(new);
    }
    let labels = short_names(&vehicles);
    let at_rates = |(vehicle, label): (&String, &String)| {
        let subject = |&rate: &u32| {
            let dt = 1.0 / rate as f32;
            let setting = Setting { dt, substeps: arguments.substeps, ..Setting::default() };
            let is_alone = arguments.rate.len() == 1;
            let label = if is_alone { label.clone() } else { format!("{label}, {rate} Hz") };
            Subject { label, vehicle: vehicle.clone(), setting }
        };
        arguments.rate.iter().map(subject).collect::<Vec<_>>()
    };
    vehicles.iter().zip(&labels).flat_map(at_rates).collect()
}

/// Short forms of these names: those of files without folder and extension, unless two would be
/// alike.
fn short_names(names: &[String]) -> Vec<String> {
    let stems: Vec<String> = names.iter().map(|name| presets::short_name(name)).collect();
    let is_alone = |stem: &String| stems.iter().filter(|other| *other == stem).count() == 1;
    let short = |(name, stem): (&String, &String)| if is_alone(stem) { stem } else { name }.clone();
    names.iter().zip(&stems).map(short).collect()
}

fn list() -> Result<()> {
    say("Manoeuvres:")?;
    for ready in &READY {
        let Manoeuvre { title, source, .. } = ready.manoeuvre()?;
        say(presets::line(&format!("{:22} {title}. {source}", ready.name)))?;
    }
    say("\nPresets:")?;
    presets::print_list()
}

fn heading(comparisons: &[Comparison], subjects: &[Subject]) -> (String, String) {
    let title = match comparisons {
        [comparison] => comparison.named.manoeuvre.title.clone(),
        _ => PROGRAM.title.to_owned(),
    };
    let labels: Vec<_> = subjects.iter().map(|subject| subject.label.as_str()).collect();
    (title, format!("{} Vehicles: {}.", PROGRAM.description, labels.join(", ")))
}

fn print(comparisons: &[Comparison]) -> Result<()> {
    for comparison in comparisons {
        let table = comparison.table();
        if table.rows.is_empty() {
            say(&table.title)?;
        } else {
            print_table(&table)?;
        }
        comparison.remarks().iter().try_for_each(|remark| say(format_args!("  {remark}")))?;
    }
    Ok(())
}

fn summary(comparisons: &[Comparison], seconds: f64) -> SummaryTable {
    let runs = || comparisons.iter().flat_map(Comparison::runs);
    let time = |run: &snippets::manoeuvres::Run| run.telemetry.time().last().copied();
    let simulated: f64 = runs().filter_map(|(_, run)| time(run)).sum();
    SummaryTable::new(PROGRAM.title)
        .row("manoeuvres", comparisons.len().to_string(), "")
        .row("runs", runs().count().to_string(), "")
        .row("simulated time", format!("{simulated:.0}"), "s")
        .row("time of simulation", format!("{seconds:.1}"), "s")
}

fn write_figures(folder: &OutputFolder, comparisons: &[Comparison]) -> Result<()> {
    let path = folder.path(FIGURES);
    let because = || format!("cannot write the figures to `{}`", path.display());
    let mut file = csv::Writer::from_path(&path).with_context(because)?;
    let header = ["run", "manoeuvre", "vehicle", "figure", "value", "unit", "definition"];
    file.write_record(header).with_context(because)?;
    for row in figure_rows(comparisons) {
        file.write_record(row).with_context(because)?;
    }
    file.flush().with_context(because)
}

/// For each manoeuvre, from the label of a subject to the name of the file of its channels.
fn channel_files(manoeuvres: &[Named]) -> impl Iterator<Item = impl Fn(&str) -> String> {
    let names: Vec<_> = manoeuvres.iter().map(|named| named.name.clone()).collect();
    short_names(&names).into_iter().map(|name| {
        move |label: &str| {
            let text = format!("{name}-{label}.csv").replace(", ", "-");
            text.replace(|letter: char| !(letter.is_alphanumeric() || "-_.".contains(letter)), "_")
        }
    })
}

/// Writes the channels of each run, at the times that its scenario says.
fn write_channels(folder: &OutputFolder, comparisons: &[Comparison]) -> Result<()> {
    let manoeuvres: Vec<_> = comparisons.iter().map(|each| each.named.clone()).collect();
    for (comparison, file_of) in comparisons.iter().zip(channel_files(&manoeuvres)) {
        let manoeuvre = &comparison.named.manoeuvre;
        for (label, run) in comparison.runs() {
            let all = run.telemetry.channels().iter().skip(1);
            let all: Vec<String> = all.map(|channel| channel.name.clone()).collect();
            let is_said = !manoeuvre.channels.is_empty();
            let channels = if is_said { &manoeuvre.channels } else { &all };
            folder.write_telemetry(&file_of(label), &run.output(channels, &manoeuvre.output)?)?;
        }
    }
    Ok(())
}
