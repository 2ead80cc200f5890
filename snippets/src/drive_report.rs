//! The report of a drive: its charts, from recorded telemetry.

use anyhow::Result;

use crate::drive_summary::DriveSummary;
use crate::recorder::wheel_channel;
use crate::report::{Chart, LineShape, Report};
use crate::telemetry::Telemetry;

/// A report of `telemetry` of a car with these wheels, with a chart for every quantity.
///
/// # Errors
///
/// If a channel is missing.
pub fn drive_report(
    title: &str,
    description: &str,
    telemetry: &Telemetry,
    wheels: &[&str],
) -> Result<Report> {
    let summary = DriveSummary::of(telemetry)?;
    let mut report = Report::new(title, description)
        .summary("simulated time", format_args!("{:.1}", summary.duration), "s")
        .summary("distance", format_args!("{:.1}", summary.distance), "m")
        .summary("top speed", format_args!("{:.2}", summary.top_speed), "m/s");
    if let Some(stop) = summary.stop {
        let label = format!("stopping distance from {:.1} m/s", stop.from_speed);
        report = report.summary(label, format_args!("{:.2}", stop.distance), "m").summary(
            "stopping time",
            format_args!("{:.2}", stop.duration),
            "s",
        );
    }
    let chart = |title: &str, label: &str| Chart::over_time(title, label);
    let straight = LineShape::Straight;
    let per_wheel = |title: &str, label: &str, quantity: &str| {
        let channels = wheels.iter().map(|wheel| (*wheel, wheel_channel(quantity, wheel)));
        chart(title, label).reaching_y(0.0).channels(telemetry, channels, straight)
    };
    Ok(report
        .chart(path(telemetry)?)
        .chart(chart("Speed", "speed (m/s)").reaching_y(0.0).channels(
            telemetry,
            [("speed", "speed")],
            straight,
        )?)
        .chart(commands(telemetry)?)
        .chart(per_wheel("Suspension load", "load (N)", "load")?)
        .chart(per_wheel("Jounce", "jounce (m)", "jounce")?)
        .chart(per_wheel("Wheel speed", "rotation speed (rad/s)", "wheel speed")?)
        .chart(per_wheel("Longitudinal slip", "slip", "longitudinal slip")?)
        .chart(per_wheel("Slip angle", "slip angle (rad)", "slip angle")?)
        .chart(per_wheel("Use of friction", "force / (friction × load)", "friction use")?)
        .chart(per_wheel("Drive torque", "torque (N m)", "drive torque")?)
        .chart(per_wheel("Brake torque", "torque (N m)", "brake torque")?)
        .chart(per_wheel("Steer angle", "angle (rad)", "steer angle")?))
}

/// The path from above: forward is up, left is to the left.
fn path(telemetry: &Telemetry) -> Result<Chart> {
    let right: Vec<f64> = telemetry.column("x")?.iter().map(|x| -x).collect();
    let points = right.into_iter().zip(telemetry.column("z")?.iter().copied());
    let series = crate::report::Series::new("center of mass", points);
    Ok(Chart::from_above("Path from above", "to the right (m)", "forward (m)").series(series))
}

fn commands(telemetry: &Telemetry) -> Result<Chart> {
    let channels =
        [("throttle", "throttle"), ("brake", "brake"), ("steer", "steer"), ("asleep", "asleep")];
    Chart::over_time("Commands", "command").reaching_y(0.0).channels(
        telemetry,
        channels,
        LineShape::Stepped,
    )
}
