//! Obstacles: what stands in front of a wheel and is no road.

use serde::{Deserialize, Serialize};
use thin_vec::ThinVec;

use crate::math::finite::Finite;
use crate::math::lanes::{Lanes, Real4, Vec3x4};
use crate::math::{Pose, Real, Vec3, normalize_or_zero};

/// What a wheel meets in front of it: a kerb, a wall, the edge of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Obstacle {
    /// Where the wheel meets it (m).
    pub point: Vec3,
    /// Unit vector from there to the wheel: the normal of a face.
    pub normal: Vec3,
    /// Whether the obstacle is an edge, about which the wheel turns, and no face.
    pub is_edge: bool,
    /// Friction coefficient with the tire (dimensionless).
    pub friction: Real,
    /// Velocity of the obstacle there (m/s).
    pub velocity: Vec3,
    /// Which body it is: a number of the surface's own, as [`RoadContact::ground`] is.
    ///
    /// [`RoadContact::ground`]: super::RoadContact::ground
    pub ground: u64,
    /// Where that body was when the obstacle was found there (m).
    #[serde(default)]
    pub pose: Pose,
}

impl Obstacle {
    /// The obstacle on its body that is at `pose` now (m).
    pub fn carried_to(&self, pose: Pose) -> Self {
        if pose == self.pose {
            return *self;
        }
        let turn = pose.rotation * self.pose.rotation.inverse();
        let point = pose.translation + turn * (self.point - self.pose.translation);
        Self { point, normal: turn * self.normal, pose, ..*self }
    }

    /// Moves the obstacle with its body along `way` (m).
    pub(crate) fn advance(&mut self, way: Vec3) {
        self.point += way;
        self.pose.translation += way;
    }

    /// Unit vector from the obstacle to a wheel whose hub is at `hub` (m).
    pub(crate) fn way_out(&self, hub: Vec3) -> Vec3 {
        if self.is_edge { normalize_or_zero(hub - self.point) } else { self.normal }
    }
}

/// A place on the surface of what a wheel can stand on.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ObstacleFace {
    /// The place (m).
    pub point: Vec3,
    /// Unit vector out of the surface there.
    pub normal: Vec3,
}

/// Query of a wheel for what stands in front of it.
///
/// The wheel is swept along its way as a disk that is a little smaller than it, and a little above
/// its road. What it meets first is the answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ObstacleProbe {
    /// The wheel's number.
    pub wheel: usize,
    /// The wheel's kind of tire, see
    /// [`WheelParams::tire_kind`](crate::wheel::WheelParams::tire_kind).
    pub tire_kind: u32,
    /// Where the center of the disk begins (m).
    pub start: Vec3,
    /// Unit vector along which it is swept.
    pub direction: Vec3,
    /// How far (m).
    pub length: Real,
    /// Unit vector along the axle, to the left.
    pub axle: Vec3,
    /// Radius of the disk (m).
    pub radius: Real,
    /// Half of its width (m).
    pub half_width: Real,
    /// Radius of its shoulders (m).
    pub shoulder_radius: Real,
    /// Normal of the road below.
    pub road_normal: Vec3,
    /// Cosine of the angle to the road above which a face is road (dimensionless).
    pub road_like: Real,
}

/// Cosine of the angle to the road above which a face is road (dimensionless), for a wheel that
/// `is_at_obstacle` or not.
///
/// A ramp of 60 degrees is road: a face has no end to a wheel that knows it, and the side of a bump
/// would lead it on. But a wheel that is at something round, such as a log, stays at it until its
/// face is as flat as a ramp of 32 degrees.
pub(crate) fn road_like(is_at_obstacle: bool) -> Real {
    if is_at_obstacle { 0.85 } else { 0.5 }
}

impl ObstacleProbe {
    /// Whether a face of this unit `normal` stands in the way: it is steep, and turned against the
    /// way. A road that is met from below is not.
    pub fn is_in_the_way(&self, normal: Vec3) -> bool {
        normal.dot(self.road_normal).abs() < self.road_like && normal.dot(self.direction) < 0.0
    }
}

/// What a wheel with mass remembers of its obstacle, and how far it has pressed its suspension
/// back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WheelObstacle {
    /// The obstacle, until the wheel has left it.
    pub obstacle: Option<Obstacle>,
    /// Impulse of the wheel on it in this frame (N·s).
    #[serde(default)]
    pub impulse: Vec3,
    /// How far the wheel is pushed along the vehicle, against the bush of its suspension (m).
    pub shift: Real,
    /// Rate of change of the shift (m/s).
    pub shift_speed: Real,
}

impl WheelObstacle {
    /// Whether there is anything that acts on the wheel.
    #[inline]
    pub(crate) fn is_active(&self) -> bool {
        self.obstacle.is_some() || self.shift != 0.0 || self.shift_speed != 0.0
    }

    /// How far up to four wheels are pushed along the vehicle, whose unit vector forward is
    /// `heading` (m).
    #[inline]
    pub(crate) fn shifts(wheels: &[Self], heading: Vec3) -> Vec3x4 {
        Vec3x4::from_lanes(|lane| heading * wheels.get(lane).map_or(0.0, |wheel| wheel.shift))
    }

    /// Whether there is anything that acts on one of these wheels.
    #[inline]
    pub(crate) fn is_any_active(wheels: &[Self]) -> bool {
        wheels.iter().any(Self::is_active)
    }
}

/// What stands in front of each wheel with mass; empty where wheels have none.
///
/// Most of the time no wheel is at an obstacle. Then the list is neither read nor copied.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(from = "Vec<WheelObstacle>", into = "Vec<WheelObstacle>")]
pub struct WheelObstacles {
    /// All as they are at first, where nothing acts.
    wheels: ThinVec<WheelObstacle>,
    /// Whether anything may act on a wheel.
    may_act: bool,
}

impl WheelObstacles {
    /// How many wheels there are.
    pub fn len(&self) -> usize {
        self.wheels.len()
    }

    /// Whether there is no wheel.
    pub fn is_empty(&self) -> bool {
        self.wheels.is_empty()
    }

    /// Whether anything may act on a wheel. It costs less to ask than to look at each.
    #[inline]
    pub fn may_act(&self) -> bool {
        self.may_act
    }

    /// What is in front of `wheel`; `None` if there is no such wheel.
    pub fn get(&self, wheel: usize) -> Option<&WheelObstacle> {
        self.wheels.get(wheel)
    }

    /// Puts `obstacle` in front of `wheel`, if there is such a wheel.
    pub fn set(&mut self, wheel: usize, obstacle: WheelObstacle) {
        if let Some(here) = self.wheels.get_mut(wheel) {
            *here = obstacle;
            self.may_act |= obstacle != WheelObstacle::default();
        }
    }

    /// Takes everything away.
    #[inline]
    pub fn forget(&mut self) {
        if self.may_act {
            self.wheels.fill(WheelObstacle::default());
            self.may_act = false;
        }
    }

    /// Makes this a list of `count` wheels.
    pub(crate) fn fit(&mut self, count: usize) {
        self.wheels.resize(count, WheelObstacle::default());
    }

    /// All wheels, if anything acts on one of them; else none.
    #[inline]
    pub(crate) fn acting(&self) -> &[WheelObstacle] {
        if self.may_act { &self.wheels } else { &[] }
    }

    /// [`acting`](Self::acting), to be changed.
    #[inline]
    pub(crate) fn acting_mut(&mut self) -> &mut [WheelObstacle] {
        if self.may_act { &mut self.wheels } else { &mut [] }
    }

    /// All wheels, to be changed. To be [settled](Self::settle) then.
    #[inline]
    pub(crate) fn all_mut(&mut self) -> &mut [WheelObstacle] {
        self.may_act = true;
        &mut self.wheels
    }

    /// Finds whether anything acts on a wheel.
    #[inline]
    pub(crate) fn settle(&mut self) {
        if !WheelObstacle::is_any_active(&self.wheels) {
            self.forget();
        }
    }
}

impl From<Vec<WheelObstacle>> for WheelObstacles {
    fn from(wheels: Vec<WheelObstacle>) -> Self {
        let none = WheelObstacle::default();
        // What has been written to a file may be anything, -0 among it.
        let may_act = wheels.iter().any(|wheel| *wheel != none);
        let settled = |wheel: WheelObstacle| if wheel == none { none } else { wheel };
        Self { wheels: wheels.into_iter().map(settled).collect(), may_act }
    }
}

impl From<WheelObstacles> for Vec<WheelObstacle> {
    fn from(obstacles: WheelObstacles) -> Self {
        obstacles.wheels.into_iter().collect()
    }
}

impl PartialEq for WheelObstacles {
    fn eq(&self, other: &Self) -> bool {
        self.wheels == other.wheels
    }
}

impl Clone for WheelObstacles {
    fn clone(&self) -> Self {
        Self { wheels: self.wheels.clone(), may_act: self.may_act }
    }

    #[inline]
    fn clone_from(&mut self, source: &Self) {
        // In its place, also where the list of another vehicle was: a step takes no memory.
        if self.len() != source.len() || source.may_act {
            self.wheels.clear();
            self.wheels.extend_from_slice(&source.wheels);
            self.may_act = source.may_act;
        } else {
            self.forget();
        }
    }
}

impl Finite for WheelObstacles {
    fn total(&self) -> Real4 {
        self.acting().total()
    }
}

impl Finite for [WheelObstacle] {
    fn total(&self) -> Real4 {
        self.iter().fold(Real4::ZERO, |sum, wheel| {
            let place = wheel.obstacle.map_or(Vec3::ZERO, |obstacle| {
                obstacle.point + obstacle.normal + obstacle.velocity
            });
            sum + (place + wheel.impulse).total() + (wheel.shift + wheel.shift_speed).total()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pressed() -> WheelObstacle {
        WheelObstacle { shift: -0.01, ..WheelObstacle::default() }
    }

    #[test]
    fn a_list_is_looked_at_while_something_acts() {
        let mut obstacles = WheelObstacles::default();
        obstacles.fit(4);
        assert!(obstacles.acting().is_empty());
        obstacles.set(2, pressed());
        assert_eq!(obstacles.acting().len(), 4);
        assert_eq!(obstacles.get(2), Some(&pressed()));
        obstacles.set(9, pressed());
        let mut copy = WheelObstacles::default();
        copy.fit(4);
        copy.clone_from(&obstacles);
        assert_eq!(copy, obstacles);
        obstacles.forget();
        assert!(obstacles.acting_mut().is_empty());
        assert_eq!(obstacles.get(2), Some(&WheelObstacle::default()));
        copy.clone_from(&obstacles);
        assert_eq!(copy.get(2), Some(&WheelObstacle::default()));
        assert!(copy.acting().is_empty());
        obstacles.all_mut()[1] = pressed();
        obstacles.settle();
        assert_eq!(obstacles.acting().len(), 4);
        obstacles.all_mut()[1] = WheelObstacle::default();
        obstacles.settle();
        assert!(obstacles.acting().is_empty());
    }

    #[test]
    fn a_list_is_saved_as_its_wheels() -> Result<(), serde_json::Error> {
        let mut obstacles = WheelObstacles::default();
        obstacles.fit(2);
        obstacles.set(1, pressed());
        let saved = serde_json::to_value(&obstacles)?;
        assert_eq!(saved, serde_json::to_value([WheelObstacle::default(), pressed()])?);
        let read: WheelObstacles = serde_json::from_value(saved)?;
        assert_eq!(read, obstacles);
        assert_eq!(read.acting().len(), 2);
        Ok(())
    }
}
