//! The report of a drive: its charts, from recorded telemetry.

use anyhow::Result;
use vehicle_rapier::core::context::GRAVITY;

use crate::drive_phases::drive_phases;
use crate::drive_summary::{DriveSummary, Figure, RPM};
use crate::report::{Chart, LineShape, Phase, Report, Series};
use crate::telemetry::Telemetry;
use crate::truck::{HITCH_CHANNELS, TRAILER};
use crate::vehicle_figure::VehicleFigure;
use crate::vehicle_telemetry::{HYDRAULIC_FORCE, THRUST, TRACK_SPEED};
use crate::wheel_names::wheel_channel;

/// A report of `telemetry` of a vehicle, with a chart for every quantity.
///
/// Engine and tracks have charts where their channels are; vehicles move in it by their `figures`,
/// the first one first.
///
/// # Errors
///
/// If a channel is missing.
pub fn drive_report(
    title: &str,
    description: &str,
    telemetry: &Telemetry,
    figures: &[VehicleFigure],
) -> Result<Report> {
    let (summary, phases) = (DriveSummary::of(telemetry)?.figures(), drive_phases(telemetry)?);
    report_of(Report::new(title, description), &summary, phases, telemetry, figures)
}

/// `report` with this summary, these phases, and a chart for every quantity of `telemetry`; as of
/// [`drive_report`].
pub(crate) fn report_of(
    report: Report,
    summary: &[Figure],
    phases: Vec<Phase>,
    telemetry: &Telemetry,
    figures: &[VehicleFigure],
) -> Result<Report> {
    let report = summary
        .iter()
        .fold(report, |report, Figure { label, value, unit }| report.summary(label, value, *unit));
    let names = [("vehicle", ""), ("trailer", TRAILER)];
    let report =
        figures.iter().zip(names).try_fold(report, |report, (figure, (usual, prefix))| {
            let name = if figure.title.is_empty() { usual } else { figure.title.as_str() };
            anyhow::Ok(report.moving(figure.moving(name, telemetry, prefix)?))
        })?;
    let report = report.phases(phases);
    let charts = [path(telemetry)?, g_g(telemetry)?, speed(telemetry)?, commands(telemetry)?]
        .into_iter()
        .chain(body_charts(telemetry)?)
        .chain(hitch_chart(telemetry)?)
        .chain(hydraulic_chart(telemetry)?)
        .chain(engine_charts(telemetry)?)
        .chain(track_charts(telemetry)?)
        .chain(wheel_charts(telemetry)?);
    Ok(charts.fold(report, Report::chart))
}

/// The paths from above: forward is up, left is to the left.
fn path(telemetry: &Telemetry) -> Result<Chart> {
    let chart = Chart::from_above("Path from above", "to the right (m)", "forward (m)");
    with_trailer(telemetry).into_iter().try_fold(chart, |chart, (name, prefix)| {
        let xs = telemetry.column(&format!("{prefix}x"))?;
        let zs = telemetry.column(&format!("{prefix}z"))?;
        let points = xs.iter().map(|x| -x).zip(zs.iter().copied());
        let path = Series::new(format!("center of mass{name}"), points);
        if !prefix.is_empty() {
            return Ok(chart.series(path));
        }
        let kmh: Vec<f64> = telemetry.column("speed")?.iter().map(|speed| 3.6 * speed).collect();
        Ok(chart.series(path.colored_by("km/h", &kmh)))
    })
}

/// The accelerations along and across the vehicle against each other: how much of its grip the
/// driver uses.
///
/// They are how the velocity over the ground changes, turned by the heading: so a slide, too, shows
/// what its tires do. Each is a mean of 0.2 s, in whose middle most counts.
///
/// ```text
/// a = (p(t + h) - 2 p(t) + p(t - h)) / h²,   h = 0.1 s
/// ```
fn g_g(telemetry: &Telemetry) -> Result<Chart> {
    let (time, headings) = (telemetry.time(), telemetry.column("heading")?);
    let (lefts, aheads) = (telemetry.column("x")?, telemetry.column("z")?);
    let step = time.first().copied().unwrap_or(1.0);
    let reach = ((0.1 / step).round() as usize).max(1);
    let points = (reach..time.len().saturating_sub(reach)).map(|row| {
        let (first, last) = (row - reach, row + reach);
        let interval = 0.5 * (time[last] - time[first]);
        let change = |way: &[f64]| {
            (way[last] - 2.0 * way[row] + way[first]) / interval.powi(2) / f64::from(GRAVITY)
        };
        let (left, ahead) = (change(lefts), change(aheads));
        let (sin, cos) = headings[row].sin_cos();
        (ahead * sin - left * cos, ahead * cos + left * sin)
    });
    let chart = Chart::at_one_scale("g-g diagram", "to the right (g)", "forward (g)");
    Ok(chart.series(Series::new("acceleration", points)))
}

fn speed(telemetry: &Telemetry) -> Result<Chart> {
    let vehicles = with_trailer(telemetry).into_iter();
    let channels =
        vehicles.map(|(name, prefix)| (format!("speed{name}"), format!("{prefix}speed")));
    Chart::over_time("Speed", "speed (m/s)").reaching_y(0.0).channels(
        telemetry,
        channels,
        LineShape::Straight,
    )
}

/// What to add to a name, and before the name of a channel, for each vehicle: the first and, if
/// there is one, its trailer.
fn with_trailer(telemetry: &Telemetry) -> Vec<(&'static str, &'static str)> {
    let first = ("", "");
    if has_trailer(telemetry) { vec![first, (" of the trailer", TRAILER)] } else { vec![first] }
}

fn has_trailer(telemetry: &Telemetry) -> bool {
    telemetry.names_after(TRAILER).next().is_some()
}

/// What the driver does with pedals and steering wheel, and whether the vehicle sleeps.
fn commands(telemetry: &Telemetry) -> Result<Chart> {
    let names = ["throttle", "brake", "second brake", "steer", "asleep"];
    let channels = names.into_iter().filter(|name| *name != "second brake" || telemetry.has(name));
    Chart::over_time("Commands", "command").reaching_y(0.0).channels(
        telemetry,
        channels.map(|name| (name, name)),
        LineShape::Stepped,
    )
}

/// How the bodies move on their suspensions.
fn body_charts(telemetry: &Telemetry) -> Result<[Chart; 2]> {
    let chart = |title: &str, label: &str, channel: &str| {
        let vehicles = with_trailer(telemetry).into_iter();
        let lines =
            vehicles.map(|(name, prefix)| (format!("body{name}"), format!("{prefix}{channel}")));
        Chart::over_time(title, label).channels(telemetry, lines, LineShape::Straight)
    };
    Ok([
        chart("Heave", "height of the center of mass (m)", "y")?,
        chart("Pitch", "pitch (rad), nose up is positive", "pitch")?,
    ])
}

/// How the joint between tractor and trailer bends, if there is one.
fn hitch_chart(telemetry: &Telemetry) -> Result<Option<Chart>> {
    if !has_trailer(telemetry) {
        return Ok(None);
    }
    let lines = HITCH_CHANNELS.map(|(channel, _)| (channel.trim_start_matches("hitch "), channel));
    let chart = Chart::over_time("Hitch", "trailer against tractor (rad)").reaching_y(0.0);
    Ok(Some(chart.channels(telemetry, lines, LineShape::Straight)?))
}

/// What the hydraulics of each wheel do, if there are any.
fn hydraulic_chart(telemetry: &Telemetry) -> Result<Option<Chart>> {
    let wheels: Vec<&str> = telemetry.names_after(HYDRAULIC_FORCE).collect();
    if wheels.is_empty() {
        return Ok(None);
    }
    let channels = wheels.into_iter().map(|wheel| (wheel, format!("{HYDRAULIC_FORCE}{wheel}")));
    let chart = Chart::over_time("Hydraulics", "force on the body (N)").reaching_y(0.0);
    Ok(Some(chart.channels(telemetry, channels, LineShape::Straight)?))
}

/// Engine speed, gears, throttle and clutch, if there is an engine.
fn engine_charts(telemetry: &Telemetry) -> Result<Vec<Chart>> {
    if !telemetry.has("engine speed") {
        return Ok(Vec::new());
    }
    let chart = |title: &str, label: &str| Chart::over_time(title, label).reaching_y(0.0);
    let stepped = LineShape::Stepped;
    let gears = [("in", "gear"), ("chosen", "target gear")];
    let throttles = [("pedal", "throttle"), ("engine", "engine throttle")];
    Ok(vec![
        chart("Engine speed", "engine speed (1/min)").series(engine_speed(telemetry)?),
        chart("Gear", "gear (0 is neutral)").counting().channels(telemetry, gears, stepped)?,
        chart("Throttle", "throttle").channels(telemetry, throttles, stepped)?,
        chart("Clutch slip", "wheels faster than engine (rad/s)").channels(
            telemetry,
            [("clutch", "clutch slip")],
            LineShape::Straight,
        )?,
    ])
}

fn engine_speed(telemetry: &Telemetry) -> Result<Series> {
    let rpm = telemetry.column("engine speed")?.iter().map(|speed| speed * RPM);
    Ok(Series::new("engine", telemetry.time().iter().copied().zip(rpm)))
}

/// Speeds and thrusts of the tracks and the turning of the vehicle, if there are tracks.
fn track_charts(telemetry: &Telemetry) -> Result<Vec<Chart>> {
    if telemetry.names_after(TRACK_SPEED).next().is_none() {
        return Ok(Vec::new());
    }
    let per_track = |title: &str, label: &str, prefix: &str, shape: LineShape| {
        let channels =
            telemetry.names_after(prefix).map(|track| (track, format!("{prefix}{track}")));
        Chart::over_time(title, label).reaching_y(0.0).channels(telemetry, channels, shape)
    };
    let yaw_rate = Chart::over_time("Yaw rate", "yaw rate (rad/s), left is positive");
    Ok(vec![
        per_track("Track speed", "speed of the rims (m/s)", TRACK_SPEED, LineShape::Straight)?,
        per_track("Thrust", "share of the track's torque", THRUST, LineShape::Stepped)?,
        yaw_rate.reaching_y(0.0).channels(
            telemetry,
            [("vehicle", "yaw rate")],
            LineShape::Straight,
        )?,
    ])
}

/// A chart for every quantity of the wheels, for each vehicle.
fn wheel_charts(telemetry: &Telemetry) -> Result<Vec<Chart>> {
    let quantities = [
        ("Suspension load", "force of the suspension (N)", "load"),
        ("Jounce", "jounce (m)", "jounce"),
        ("Wheel speed", "rotation speed (rad/s)", "wheel speed"),
        ("Longitudinal slip", "slip", "longitudinal slip"),
        ("Slip angle", "slip angle (rad)", "slip angle"),
        ("Use of friction", "force / (friction × load)", "friction use"),
        ("Drive torque", "torque (N m)", "drive torque"),
        ("Brake torque", "torque (N m)", "brake torque"),
        ("Steer angle", "angle (rad)", "steer angle"),
    ];
    let chart = |(title, label, quantity), (name, prefix)| {
        let channel = |wheel: &str| format!("{prefix}{}", wheel_channel(quantity, wheel));
        let loads = format!("{prefix}load ");
        let channels = telemetry.names_after(&loads).map(|wheel| (wheel, channel(wheel)));
        let chart = Chart::over_time(format!("{title}{name}"), label).reaching_y(0.0);
        chart.channels(telemetry, channels, LineShape::Straight)
    };
    let vehicles = with_trailer(telemetry).into_iter();
    vehicles.flat_map(|vehicle| quantities.map(|quantity| chart(quantity, vehicle))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::telemetry::Channel;

    /// A body that slides over a plane of this friction, and turns to the left as it slows down.
    fn slide(friction: f64) -> Result<Telemetry> {
        let names = ["time", "x", "z", "heading"];
        let channel = |name: &str| Channel::new(name, if name == "time" { "s" } else { "" });
        let mut telemetry = Telemetry::new(names.map(channel))?;
        let slowing = friction * f64::from(GRAVITY);
        let speed = 20.0;
        for step in 1..=60 {
            let time = f64::from(step) / 60.0;
            let way = speed * time - 0.5 * slowing * time * time;
            telemetry.push(&[time, 0.6 * way, 0.8 * way, 6.0 * time])?;
        }
        Ok(telemetry)
    }

    #[test]
    fn accelerations_of_a_slide_are_its_friction() -> Result<()> {
        let chart = g_g(&slide(0.8)?)?;
        let points = chart.points();
        assert_eq!(points.len(), 48);
        for &(right, ahead) in points {
            assert!((right.hypot(ahead) - 0.8).abs() < 1e-6, "({right}, {ahead}) g");
        }
        // It slows down to the right and ahead of its nose: at first it slides to the left.
        let turned = (0.6_f64).atan2(0.8) - 6.0 * 7.0 / 60.0;
        let (right, ahead) = points[0];
        let expected = (0.8 * turned.sin(), -0.8 * turned.cos());
        assert!((right - expected.0).abs() < 1e-6, "{right} is not {}", expected.0);
        assert!((ahead - expected.1).abs() < 1e-6, "{ahead} is not {}", expected.1);
        Ok(())
    }
}
