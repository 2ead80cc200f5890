//! The report of a drive over the course.

use anyhow::Result;

use super::{CourseDrive, OFFSET, WANTED_SPEED};
use crate::drive_report::report_of;
use crate::report::{Chart, LineShape, Report};

impl CourseDrive {
    /// The report of the drive: its charts, what it comes to, and the moving view.
    ///
    /// # Errors
    ///
    /// If a channel is missing.
    pub fn report(&self, title: &str, description: &str) -> Result<Report> {
        let lines = [("vehicle", "forward speed"), ("wanted by the driver", WANTED_SPEED)];
        let speeds = Chart::over_time("Speed and the driver's aim", "speed (m/s)")
            .reaching_y(0.0)
            .channels(&self.telemetry, lines, LineShape::Straight)?;
        let offset =
            Chart::over_time("Offset from the route", "to the left (m)").reaching_y(0.0).channels(
                &self.telemetry,
                [("center of mass", OFFSET)],
                LineShape::Straight,
            )?;
        let marks = self.marks.iter().cloned();
        let report = Report::new(title, description).chart(speeds).marks(marks);
        let (summary, phases) = (self.figures.figures(), self.phases.clone());
        let report = report_of(report, &summary, phases, &self.telemetry, &self.vehicles)?;
        Ok(report.chart(offset))
    }
}
