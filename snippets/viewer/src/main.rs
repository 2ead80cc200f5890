//! Drives a vehicle in a window, or renders pictures of a drive without a display.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, ensure};
use clap::Parser;
use playground::{DEFAULT_VEHICLE, Setup};
use snippets::console::{run, say};
use snippets::output_folder::OutputFolder;
use snippets::presets;
use viewer::app::App;
use viewer::window::{self, View};
use viewer::{choice, offscreen};

/// Drive a vehicle in a window. W, A, S, D or the arrow keys drive, H lists all keys, X shows the
/// parameters of the car as sliders that act at once.
#[derive(Debug, Parser)]
#[command(name = "viewer")]
struct Options {
    /// The vehicle: a preset, or a file in JSON, RON or TOML
    #[arg(long, value_name = "FILE|PRESET", default_value = DEFAULT_VEHICLE)]
    vehicle: String,

    /// The world
    #[arg(long, value_name = "NAME", default_value = "proving_ground")]
    world: String,

    /// Number of the place to start from
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    start: usize,

    /// List vehicles and worlds
    #[arg(long)]
    list: bool,

    /// Size of the window or of pictures (pixels)
    #[arg(long, value_name = "WIDTHxHEIGHT", default_value = "1280x720", value_parser = size)]
    size: [u32; 2],

    /// No shadows and plain edges, for machines without a graphics card
    #[arg(long)]
    plain: bool,

    /// Close the window after so many frames, each a sixtieth of a second of the drive
    #[arg(long, value_name = "NUMBER")]
    frames: Option<u64>,

    /// Write pictures of a short drive into this folder instead: no display is needed
    #[arg(long, value_name = "DIR")]
    offscreen: Option<PathBuf>,

    /// Replace pictures in that folder even if they are from elsewhere
    #[arg(long)]
    force: bool,

    /// Show a frame for each line of input and tell it as a line of JSON, for programs that drive
    #[arg(long, hide = true)]
    tell: bool,
}

/// Smallest and largest side of a window (pixels).
const SIDES: [u32; 2] = [64, 8192];

fn size(text: &str) -> Result<[u32; 2]> {
    let [low, high] = SIDES;
    let sides: Option<Vec<u32>> = text.split('x').map(|side| side.parse().ok()).collect();
    match sides.as_deref() {
        Some(&[width, height])
            if [width, height].iter().all(|side| (low..=high).contains(side)) =>
        {
            Ok([width, height])
        }
        _ => anyhow::bail!("width and height must be within [{low}, {high}], such as 1280x720"),
    }
}

fn list() -> Result<()> {
    say("Vehicles:")?;
    presets::list_of(|_| true)?.iter().try_for_each(|line| say(format_args!("  {line}")))?;
    say("Worlds:")?;
    choice::world_names().into_iter().try_for_each(|name| say(format_args!("  {name}")))
}

fn main() -> ExitCode {
    let options = Options::parse();
    run(|| drive(options))
}

fn drive(options: Options) -> Result<()> {
    if options.list {
        return list();
    }
    let Options { vehicle, world, start, size, plain, frames, tell, force, offscreen, .. } =
        options;
    let app = App::new(&Setup { vehicle, world, start })?;
    let view = View { size, is_fine: !plain, frames, is_told: tell };
    if let Some(path) = offscreen {
        let folder = OutputFolder::create_for(&offscreen::results(), path, force)?;
        return kiss3d::pollster::block_on(offscreen::write(app, view, &folder));
    }
    ensure!(has_display(), "there is no display: --offscreen DIR writes pictures without one");
    kiss3d::pollster::block_on(window::run(app, view))
}

/// Whether a window can be opened: without, the window system would say it less plainly.
fn has_display() -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !cfg!(target_os = "linux") || is_set("DISPLAY") || is_set("WAYLAND_DISPLAY")
}
