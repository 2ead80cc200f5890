//! A lap that is kept: its times, and where the vehicle and its trailer were, to show it again as a
//! ghost.

use rapier3d::prelude::*;
use serde::{Deserialize, Serialize};

use crate::laps::Lap;
use crate::{DT, Error};

/// The first bytes of every recorded lap, with the version of its format.
const MARK: [u8; 4] = *b"VRL1";
/// Steps from one pose to the next.
pub(crate) const STRIDE: u32 = 3;
/// Longest lap that is kept (s).
const LONGEST: Real = 600.0;
/// Most poses of a lap.
const MOST_POSES: usize = (60.0 * LONGEST) as usize / STRIDE as usize;
/// How places are kept, in parts of a meter, and quaternions, in parts of one.
const FINE: [Real; 2] = [1000.0, 8192.0];
/// Farthest place (m).
const FARTHEST: Real = 10_000.0;

/// A place and a quaternion, in whole numbers.
type Row = [i32; 7];

fn row(pose: &Pose) -> Row {
    let ([x, y, z], [i, j, k, w]) = (pose.translation.to_array(), pose.rotation.to_array());
    let whole = |value: Real, fine: Real| (value * fine).round() as i32;
    let [x, y, z] = [x, y, z].map(|value| whole(value, FINE[0]));
    let [i, j, k, w] = [i, j, k, w].map(|value| whole(value, FINE[1]));
    [x, y, z, i, j, k, w]
}

/// The pose of a row, if there is one.
fn pose(row: &Row) -> Option<Pose> {
    let [x, y, z] = [row[0], row[1], row[2]].map(|value| value as Real / FINE[0]);
    let [i, j, k, w] = [row[3], row[4], row[5], row[6]].map(|value| value as Real / FINE[1]);
    let rotation = Rotation::from_xyzw(i, j, k, w);
    let place = Vector::new(x, y, z);
    let is_pose = (rotation.length() - 1.0).abs() < 0.01 && place.abs().max_element() <= FARTHEST;
    is_pose.then(|| Pose::from_parts(place, rotation.normalize()))
}

/// Rows of poses, each as its difference to the one before.
fn changes(poses: &[Pose]) -> Vec<Row> {
    let mut before = [0; 7];
    let change = |pose: &Pose| {
        let now = row(pose);
        let change = std::array::from_fn(|at| now[at].wrapping_sub(before[at]));
        before = now;
        change
    };
    poses.iter().map(change).collect()
}

/// The poses of such rows, if each has one.
fn poses(changes: &[Row]) -> Option<Vec<Pose>> {
    let mut now: Row = [0; 7];
    let read = |change: &Row| {
        now = std::array::from_fn(|at| now[at].wrapping_add(change[at]));
        pose(&now)
    };
    changes.iter().map(read).collect()
}

/// Poses of the bodies of a vehicle and of its trailer, if it has one (m).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct TrainPose {
    pub(crate) vehicle: Pose,
    pub(crate) trailer: Option<Pose>,
}

/// Poses of a lap that is driven.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Trace {
    /// Time of the first pose since the line (s).
    first: Real,
    steps: u32,
    poses: Vec<Pose>,
    /// Poses of the trailer at the same times; none without a trailer.
    trailer: Vec<Pose>,
}

impl Trace {
    /// A trace of a lap that began so long ago (s), in this pose now.
    pub(crate) fn begin(&mut self, since: Real, pose: TrainPose) {
        self.poses.clear();
        self.trailer.clear();
        (self.first, self.steps) = (since, 0);
        self.push(pose);
    }

    /// Adds the pose after a step, if it is one that is kept.
    pub(crate) fn step(&mut self, pose: TrainPose) {
        self.steps = self.steps.saturating_add(1);
        if self.steps.is_multiple_of(STRIDE) && self.poses.len() < MOST_POSES {
            self.push(pose);
        }
    }

    fn push(&mut self, TrainPose { vehicle, trailer }: TrainPose) {
        self.poses.push(vehicle);
        self.trailer.extend(trailer);
    }

    /// The one of these `poses` so long after the line (s), if it was there then.
    fn pose_in(&self, poses: &[Pose], time: Real) -> Option<Pose> {
        let place = ((time - self.first) / (STRIDE as Real * DT)).max(0.0);
        let before = place as usize;
        let after = poses.get(before + 1)?;
        Some(poses[before].lerp(after, place - before as Real))
    }
}

/// A lap of a vehicle in a world.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedLap {
    vehicle: String,
    world: String,
    lap: Lap,
    trace: Trace,
}

/// A recorded lap as it is written: rows are differences to the ones before. Those of a trailer
/// follow, if there is one.
#[derive(Serialize, Deserialize)]
struct Written {
    vehicle: String,
    world: String,
    lap: Lap,
    first: Real,
    rows: Vec<Row>,
}

impl RecordedLap {
    /// A lap that is complete; `None` if it is too long to be kept.
    pub(crate) fn new(vehicle: &str, world: &str, lap: Lap, trace: Trace) -> Option<Self> {
        let (vehicle, world) = (vehicle.to_owned(), world.to_owned());
        (lap.time < LONGEST).then_some(Self { vehicle, world, lap, trace })
    }

    /// Name of its vehicle.
    pub fn vehicle(&self) -> &str {
        &self.vehicle
    }

    /// Name of its world.
    pub fn world(&self) -> &str {
        &self.world
    }

    /// Times of the lap.
    pub fn lap(&self) -> Lap {
        self.lap
    }

    /// Pose of the vehicle's body so long after the line (m); `None` after the end of the lap.
    pub fn pose(&self, time: Real) -> Option<Pose> {
        self.trace.pose_in(&self.trace.poses, time)
    }

    /// Pose of its trailer's body so long after the line (m); `None` without a trailer, too.
    pub fn trailer_pose(&self, time: Real) -> Option<Pose> {
        self.trace.pose_in(&self.trace.trailer, time)
    }

    /// The recorded lap as bytes, to be kept.
    ///
    /// # Errors
    ///
    /// None with a lap of a session.
    pub fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        let Trace { first, poses, trailer, .. } = &self.trace;
        let written = Written {
            vehicle: self.vehicle.clone(),
            world: self.world.clone(),
            lap: self.lap,
            first: *first,
            rows: changes(poses),
        };
        let fault = |error: postcard::Error| Error::RecordedLap(error.to_string());
        let bytes = postcard::to_extend(&written, MARK.to_vec()).map_err(fault)?;
        if trailer.is_empty() {
            return Ok(bytes);
        }
        postcard::to_extend(&changes(trailer), bytes).map_err(fault)
    }

    /// The lap of these bytes.
    ///
    /// # Errors
    ///
    /// If they are none, or times or poses are none that a vehicle could have.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let refused = |reason: &str| Error::RecordedLap(reason.to_owned());
        let rest =
            bytes.strip_prefix(&MARK).ok_or_else(|| refused("it does not begin with VRL1"))?;
        let fault = |error: postcard::Error| refused(&error.to_string());
        let (Written { vehicle, world, lap, first, rows }, rest) =
            postcard::take_from_bytes(rest).map_err(fault)?;
        let trailer_rows: Vec<Row> = match rest {
            [] => Vec::new(),
            rest => postcard::from_bytes(rest).map_err(fault)?,
        };
        let is_time = |time: Real| (0.0..LONGEST).contains(&time);
        if !is_time(lap.time) || !lap.sectors.into_iter().all(is_time) {
            return Err(refused("its times are none of a lap"));
        }
        let lasting = first + rows.len() as Real * STRIDE as Real * DT;
        if !(0.0..=DT).contains(&first) || 1.0 < (lasting - lap.time).abs() {
            return Err(refused("it does not last as long as its lap"));
        }
        if !trailer_rows.is_empty() && trailer_rows.len() != rows.len() {
            return Err(refused("its trailer does not last as long as its lap"));
        }
        let (Some(poses), Some(trailer)) = (poses(&rows), poses(&trailer_rows)) else {
            return Err(refused("it has a pose that is none"));
        };
        Ok(Self { vehicle, world, lap, trace: Trace { first, steps: 0, poses, trailer } })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laps::SECTORS;

    fn lap() -> RecordedLap {
        let mut trace = Trace::default();
        let at = |step: u32| {
            let turn = Rotation::from_rotation_y(0.01 * step as Real);
            let vehicle = Pose::from_parts(Vector::new(0.5 * step as Real, 0.4, -3.0), turn);
            let trailer = Pose::from_translation(vehicle.translation - 6.0 * Vector::X);
            TrainPose { vehicle, trailer: Some(trailer) }
        };
        trace.begin(0.01, at(0));
        (1..600).for_each(|step| trace.step(at(step)));
        let lap = Lap { time: 600.0 * DT, sectors: [200.0 * DT; SECTORS] };
        RecordedLap::new("hot_hatch", "circuit", lap, trace).unwrap()
    }

    #[test]
    fn poses_between_those_that_are_kept_are_in_between() {
        let pose = lap().pose(0.01 + 50.5 * DT).unwrap();
        assert!((pose.translation.x - 25.25).abs() < 1e-3, "{pose:?}");
        let turned = Rotation::from_rotation_y(0.505).angle_between(pose.rotation);
        assert!(turned < 1e-3, "{turned} rad");
        assert!(lap().pose(20.0).is_none() && lap().trailer_pose(20.0).is_none());
    }

    #[test]
    fn what_is_kept_is_read_as_it_was_to_a_millimeter() {
        let (lap, bytes) = (lap(), lap().to_bytes().unwrap());
        assert!(bytes.len() < 24 * 200, "{} bytes of 200 poses of two", bytes.len());
        let read = RecordedLap::from_bytes(&bytes).unwrap();
        assert_eq!((read.vehicle(), read.world(), read.lap()), ("hot_hatch", "circuit", lap.lap()));
        for time in [0.01, 1.0, 5.0, 9.9] {
            for of in [RecordedLap::pose, RecordedLap::trailer_pose] {
                let [one, other] = [&lap, &read].map(|lap| of(lap, time).unwrap());
                let apart = one.translation.distance(other.translation);
                assert!(apart < 1e-3, "{apart} m after {time} s");
            }
        }
    }

    #[test]
    fn a_lap_without_poses_of_a_trailer_has_none() {
        let mut lap = lap();
        lap.trace.trailer.clear();
        let read = RecordedLap::from_bytes(&lap.to_bytes().unwrap()).unwrap();
        assert!(read.pose(1.0).is_some() && read.trailer_pose(1.0).is_none());
    }

    #[test]
    fn what_is_no_lap_is_refused() {
        let bytes = lap().to_bytes().unwrap();
        let refused = |bytes: &[u8]| RecordedLap::from_bytes(bytes).unwrap_err().to_string();
        for (bytes, reason) in [
            (&b"VRP1"[..], "VRL1"),
            (&bytes[..bytes.len() / 2], "cannot be read"),
            (&bytes[..4], "cannot be read"),
        ] {
            assert!(refused(bytes).contains(reason), "{}", refused(bytes));
        }
        let mut long = lap();
        long.lap.time = 100.0;
        assert!(refused(&long.to_bytes().unwrap()).contains("as long as"));
        let mut endless = lap();
        endless.lap.sectors[1] = Real::NAN;
        assert!(refused(&endless.to_bytes().unwrap()).contains("times"));
        let mut astray = lap();
        astray.trace.poses[7].translation.x = 1e6;
        assert!(refused(&astray.to_bytes().unwrap()).contains("pose"));
        let mut lost = lap();
        lost.trace.trailer.pop();
        assert!(refused(&lost.to_bytes().unwrap()).contains("trailer"));
        // Whatever a byte is changed to, there is a lap or a reason.
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 0x5a;
            let _ = RecordedLap::from_bytes(&changed);
        }
    }
}
