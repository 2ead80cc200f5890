//! The lanes that a driver follows: their middle, and the line of least curvature within them.

use anyhow::Result;
use rapier3d::prelude::*;
use vehicle_rapier::core::Frame;
use vehicle_rapier::core::math::{PI, cos};
use vehicle_rapier::drivetrain::driver::{DriverView, Path, Track};

use super::scenario::Section;

/// Distance of two points of a middle (m).
const SPACING: Real = 1.0;
/// How far the last lane goes on beyond the end of a path (m).
const BEYOND: Real = 50.0;

/// Lanes one after the other.
pub(super) struct Lanes {
    /// The line that is driven.
    pub(super) line: Path,
    middle: Path,
    /// Where the last section ends, along the middle (m).
    end: Real,
    /// How far along the middle the vehicle is (m).
    way: Real,
}

impl Lanes {
    /// The lanes of these `sections` for a vehicle of this `width` (m), from where `view` sees it,
    /// in the axes of `frame`.
    pub(super) fn new(
        sections: &[Section],
        width: Real,
        view: &DriverView,
        frame: &Frame,
    ) -> Result<Self> {
        let [ahead, aside] = [view.heading, [-view.heading[1], view.heading[0]]];
        let place = |way: Real, offset: Real| {
            [0, 1].map(|axis| view.place[axis] + way * ahead[axis] + offset * aside[axis])
        };
        let point = |way: Real, offset: Real| {
            let [x, y] = place(way, offset);
            frame.translation(x, y, 0.0)
        };
        let lanes: Vec<Lane> = sections.iter().map(|section| section.lane(width)).collect();
        let length = lanes.iter().map(|lane| lane.length).sum::<Real>();
        let (end, whole) = (beside(&lanes, length).0, length + BEYOND);
        let count = (whole / SPACING).ceil();
        let points: Vec<_> = (0..=count as usize)
            .map(|index| whole * index as Real / count)
            .map(|way| point(way, beside(&lanes, way).0))
            .collect();
        let middle = Path::open(&points, frame)?;
        let axis = Path::open(&[point(0.0, 0.0), point(whole, 0.0)], frame)?;
        let borders = |way: Real| {
            let (offset, room) = beside(&lanes, way);
            [room + offset, room - offset]
        };
        let track = Track::along(axis, [0.0; 2])?.with_widths(borders)?;
        let line = track.racing_line(0.0, frame)?;
        let end = middle.nearest(place(length, end)).way;
        Ok(Self { line, middle, end, way: 0.0 })
    }

    /// How far to the left of the middle a vehicle at this `place` is (m).
    pub(super) fn offset(&mut self, place: [Real; 2]) -> Real {
        let beside = self.middle.beside(place, self.way);
        self.way = beside.way;
        beside.offset
    }

    /// Whether the end is behind the vehicle.
    pub(super) fn is_behind(&self) -> bool {
        self.end <= self.way
    }
}

/// A section for a vehicle of a given width.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Lane {
    length: Real,
    /// How far it leads to the left (m).
    offset: Real,
    /// Room on both sides of its middle (m).
    room: Real,
}

impl Section {
    /// This section for a vehicle of this `width` (m).
    fn lane(&self, width: Real) -> Lane {
        let wide = |value: f64, widths: f64| value as Real + widths as Real * width;
        match *self {
            Self::Straight(length) => Lane { length: length as Real, offset: 0.0, room: 0.0 },
            Self::Lane { length, room, widths } => {
                Lane { length: length as Real, offset: 0.0, room: wide(room, widths) }
            }
            Self::Shift { length, offset, widths, room } => {
                let offset = wide(offset, widths);
                Lane { length: length as Real, offset, room: room as Real }
            }
        }
    }
}

/// How far to the left the middle of `lanes` is at this `way`, and the room on both sides of it
/// (m). The last one goes on and on.
fn beside(lanes: &[Lane], way: Real) -> (Real, Real) {
    let (mut start, mut side, mut last) = (0.0, 0.0, 0.0);
    for Lane { length, offset, room } in lanes {
        if way < start + length {
            let wave = 1.0 - cos(PI * (way - start) / length);
            return (side + 0.5 * offset * wave, *room);
        }
        (start, side, last) = (start + length, side + offset, *room);
    }
    (side, last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_within_its_lanes_and_far_smoother_than_their_middle() -> Result<()> {
        let sections = [
            Section::Lane { length: 15.0, room: 0.2, widths: 0.0 },
            Section::Shift { length: 30.0, offset: 1.5, widths: 1.0, room: 0.35 },
            Section::Lane { length: 25.0, room: 0.1, widths: 0.1 },
        ];
        // Headed to the left of the axes: to the left of that is back.
        let view = DriverView { place: [20.0, 5.0], heading: [0.0, 1.0], ..DriverView::default() };
        let mut lanes = Lanes::new(&sections, 2.0, &view, &Frame::Y_UP)?;
        let tightest = |path: &Path| {
            path.places().iter().map(|place| place.curvature.abs()).fold(0.0, Real::max)
        };
        let [line, middle] = [&lanes.line, &lanes.middle].map(tightest);
        assert!(line < 0.5 * middle, "1/{} m, 1/{} m", line.recip(), middle.recip());
        let places = lanes.line.places().to_vec();
        for place in &places {
            let offset = lanes.offset(place.place);
            assert!(offset.abs() < 0.37, "{offset} m at {} m", lanes.way);
        }
        assert!(lanes.is_behind());
        let end = places.last().map(|place| place.place).unwrap_or_default();
        let [ahead, left] = [end[0] - 16.5, end[1] - 75.0 - BEYOND];
        assert!(ahead.abs() < 0.01 && left.abs() < 0.01, "{end:?}");
        Ok(())
    }
}
