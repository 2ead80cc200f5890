//! Pages of data sheets: Markdown, and pictures beside it.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use vehicle_rapier::vehicle_file::DriveSource;

use super::data_sheet::{DataSheet, Figure};
use super::proving_ground::{ProvingGround, Setting};
use super::side_view::side_view;
use crate::presets;
use crate::report::{Chart, LineShape, Series};

/// km/h per m/s.
const KMH: f64 = 3.6;

impl DataSheet {
    /// Writes the page and its pictures into `folder`.
    ///
    /// # Errors
    ///
    /// If a file cannot be written, or the vehicle does not stand.
    pub fn write(&self, folder: &Path, setting: &Setting) -> Result<()> {
        let write = |name: String, text: String| {
            let path = folder.join(&name);
            fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
        };
        let name = &presets::short_name(&self.name);
        let mut ground = ProvingGround::new(&self.name, setting, 0.0)?;
        ground.steps_for(3.0)?;
        write(format!("{name}-side.svg"), side_view(&ground)?)?;
        let mut pictures = String::new();
        for (kind, chart) in self.charts() {
            write(format!("{name}-{kind}.svg"), chart.to_svg()?)?;
            writeln!(pictures, "\n{}\n\n![{}]({name}-{kind}.svg)", chart.title(), chart.title())?;
        }
        write(format!("{name}.md"), self.page(&pictures, setting)?)
    }

    /// The page in Markdown; `pictures` stand last.
    fn page(&self, pictures: &str, setting: &Setting) -> Result<String> {
        let file = self.vehicle.file();
        let program = match file.drive {
            DriveSource::Tank(_) => "tank_drive",
            _ if file.rider.is_some() => "manoeuvre",
            _ => "drive",
        };
        let name = &self.name;
        let mut page = format!(
            "# {}\n\nDrive it, with telemetry and a report:\n\n```sh\ncargo run --release --bin {program} -- --vehicle {name}\n```\n\n",
            presets::called(&self.vehicle, name)
        );
        let preset = |name: &str| format!("../../vehicle-rapier/vehicles/{name}.json");
        if presets::is_preset(name) {
            writeln!(page, "File: [{name}.json]({})\n", preset(name))?;
        } else {
            writeln!(page, "File: `{name}`\n")?;
        }
        if !file.source.is_empty() {
            writeln!(page, "{}\n", file.source)?;
        }
        if let Some(coupling) = presets::trailer(&self.name)? {
            let trailer = presets::vehicle(&coupling.name)?;
            let (trailer, name) = (trailer.file(), &coupling.name);
            let mut called = trailer.name.to_lowercase();
            if presets::is_preset(name) {
                called = format!("[{called}]({})", preset(name));
            }
            let source = &trailer.source;
            writeln!(page, "It pulls the {called} in all measurements below. {source}\n")?;
        }
        writeln!(page, "![side view]({}-side.svg)\n", presets::short_name(name))?;
        writeln!(
            page,
            "Side view to scale: hull, wheels, center of mass; distances in meters.\n\n\
             Measured by driving it on a level road of peak friction {} at {:.0} steps per second.\n\n\
             | | measured | usual for the class |\n|---|---|---|",
            setting.friction,
            1.0 / setting.dt
        )?;
        for Figure { label, value, unit, digits, usual } in self.figures() {
            let usual =
                usual.map_or(String::new(), |[low, high]| format!("{low} to {high} {unit}"));
            writeln!(page, "| {label} | {value:.digits$} {unit} | {usual} |")?;
        }
        writeln!(page, "\nClass figures: {}.", self.class.source)?;
        let gears = self.gears();
        if !gears.is_empty() {
            page.push_str(
                "\n## Gears\n\n\
                 | gear | ratio | at the largest engine speed | shifted up at, pedal on the floor |\n\
                 |---|---|---|---|\n",
            );
            for gear in gears {
                let shift = gear
                    .shift_speed
                    .map_or(String::new(), |speed| format!("{:.0} km/h", speed * 3.6));
                writeln!(
                    page,
                    "| {} | {:.2} | {:.0} km/h | {shift} |",
                    gear.number,
                    gear.ratio,
                    gear.top_speed * 3.6
                )?;
            }
        }
        page.push_str("\n## Curves\n");
        page.push_str(pictures);
        Ok(page)
    }

    /// Its charts and what they are called in names of files.
    fn charts(&self) -> Vec<(&'static str, Chart)> {
        let moments = &self.launch.moments;
        let over_time = |of: fn(&super::Moment) -> f64| {
            moments.iter().map(move |moment| (f64::from(moment.time), of(moment)))
        };
        let speed = over_time(|moment| f64::from(moment.speed) * KMH);
        let pedal = self.launch.pedal;
        let mut charts = vec![(
            "speed",
            Chart::over_time(format!("Speed from standstill, pedal {pedal}"), "speed (km/h)")
                .series(Series::new("speed", speed)),
        )];
        if moments.iter().any(|moment| 0.0 < moment.rpm) {
            let rpm = over_time(|moment| f64::from(moment.rpm));
            charts.push((
                "engine",
                Chart::over_time(
                    format!("Engine speed from standstill, pedal {pedal}"),
                    "engine speed (1/min)",
                )
                .series(Series::new("engine speed", rpm)),
            ));
        }
        let stop = self.stop.moments.iter();
        let stop = stop.map(|&(way, speed)| (f64::from(way), f64::from(speed) * KMH));
        let title = format!("Speed over the way to a stop, pedal {}", self.stop.pedal);
        let chart = Chart::over_x(title, "distance (m)", "speed (km/h)");
        charts.push(("stop", chart.series(Series::new("speed", stop))));
        if let Some(pad) = &self.skid_pad {
            let points = pad
                .samples
                .iter()
                .map(|sample| (f64::from(sample.lateral), f64::from(sample.steer.to_degrees())));
            let title = format!("Steer angle in a circle of {} m", pad.radius);
            let chart = Chart::over_x(title, "lateral acceleration (g)", "steer angle (°)");
            let line = Series::new("steer angle", points).shaped(LineShape::Straight);
            charts.push(("circle", chart.series(line)));
        }
        charts
    }
}

/// The page that leads to the data sheets, with a few of their figures.
///
/// # Errors
///
/// If it cannot be written.
pub fn write_index(sheets: &[DataSheet], folder: &Path) -> Result<()> {
    let mut page = String::from(
        "# Presets\n\n\
         Drive a preset, with telemetry and a report:\n\n\
         ```sh\ncargo run --release --bin drive -- --vehicle sports_car\n```\n\n\
         In a program: `AnyVehicle::preset(\"sports_car\")`. A preset is a file in \
         [`vehicle-rapier/vehicles`](../../vehicle-rapier/vehicles), with the sources of its figures in it. Each was measured \
         by driving it on a level road of peak friction 1.1:\n\n\
         | preset | from standstill | to standstill | top speed | lateral | understeer |\n\
         |---|---|---|---|---|---|\n",
    );
    for sheet in sheets {
        let class = sheet.class;
        let pad = sheet.skid_pad.as_ref();
        let circle = pad.map_or(" | ".to_owned(), |pad| {
            format!("{:.2} g | {:.1} °/g", pad.lateral, pad.understeer)
        });
        writeln!(
            page,
            "| [{}]({}.md) | 0 to {} km/h in {:.1} s | {} to 0 km/h in {:.1} m | {:.0} km/h | {circle} |",
            sheet.vehicle.file().name,
            sheet.name,
            class.launch_speed,
            sheet.launch.time,
            class.stop_speed,
            sheet.stop.distance,
            sheet.top_speed * 3.6
        )?;
    }
    page.push_str(
        "\nAll pages are made by one command, which measures them anew:\n\n\
         ```sh\ncargo run --release --bin data_sheet\n```\n\n\
         `cargo run --release --bin data_sheet -- --dry my_car.json --class hot_hatch` measures a vehicle of your own beside \
         a class.\n\n\
         How it is measured:\n\n\
         - **From standstill**: in drive. The accelerator pedal is constant: the one of 0.3 to 1 that is fastest.\n\
         - **To standstill**: in neutral, without anti-lock brake. The brake pedal is constant: the one of 0.35 to 1 that stops shortest.\n\
         - **In neutral**: without a foot on a pedal; tires, bearings, air and gears slow it down.\n\
         - **Lateral acceleration, understeer gradient, roll**: a circle of constant radius (ISO 4138), driven faster by \
         0.01 g per second until it is left. Gradients are taken from a tenth to half of the largest acceleration.\n\
         - **Turning circle**: of the outer edge of the outermost tire, at full lock and a walking pace.\n\
         - **Frequencies**: of the body on springs, bars and tires, without dampers.\n\
         - Engines have their published torque at the crankshaft, those of trucks and tank less what their gears take. \
         Drivelines lose energy only in tires and bearings.\n",
    );
    let path = folder.join("README.md");
    fs::write(&path, page).with_context(|| format!("cannot write {}", path.display()))
}
