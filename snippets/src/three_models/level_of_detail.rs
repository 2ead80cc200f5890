//! Which model of the car is driven at which distance.

use anyhow::{Result, ensure};
use rapier3d::prelude::*;

/// How much farther than the distance at which it begins a level reaches (dimensionless).
const HYSTERESIS: Real = 1.2;
/// Least time between two changes (s).
const LEAST_TIME: Real = 0.5;

/// A model of the car.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Rows of one small solver, for cars that are far.
    Constraints,
    /// Forces, the library's vehicle.
    Forces,
    /// Wheels that are bodies, for the car that is looked at.
    RigidWheels,
}

impl Level {
    /// All, the cheapest first.
    pub const ALL: [Self; 3] = [Self::Constraints, Self::Forces, Self::RigidWheels];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Constraints => "constraints",
            Self::Forces => "forces",
            Self::RigidWheels => "rigid wheels",
        }
    }
}

/// Which model a car is at a distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LevelOfDetail {
    /// Distances below which wheels are bodies, and below which the car is one by forces (m).
    pub distances: [Real; 2],
    /// Time since the last change (s).
    since: Real,
}

impl LevelOfDetail {
    /// A choice by these distances (m).
    ///
    /// # Errors
    ///
    /// If they are not increasing, positive and finite.
    pub fn new(distances: [Real; 2]) -> Result<Self> {
        let [near, far] = distances;
        ensure!(
            0.0 < near && near < far && far.is_finite(),
            "distances must be positive, finite and increasing, got {near} m and {far} m"
        );
        Ok(Self { distances, since: LEAST_TIME })
    }

    /// The level at `distance` (m) of a car that has been at `now`, for a step of `dt` (s).
    ///
    /// A level begins below its distance and ends beyond 1.2 times that; changes are at least 0.5 s
    /// apart.
    pub fn level(&mut self, now: Level, distance: Real, dt: Real) -> Level {
        self.level_within(&mut 1, now, distance, dt)
    }

    /// The level of one of many cars, while `changes_left` in this step are more than 0; a change
    /// takes one of them. Cars that are asked in the same order change in the same steps, the first
    /// ones first.
    pub fn level_within(
        &mut self,
        changes_left: &mut u32,
        now: Level,
        distance: Real,
        dt: Real,
    ) -> Level {
        self.since += dt;
        let wanted = self.wanted(now, distance);
        if wanted == now || self.since < LEAST_TIME || *changes_left == 0 {
            return now;
        }
        *changes_left -= 1;
        self.since = 0.0;
        wanted
    }

    fn wanted(&self, now: Level, distance: Real) -> Level {
        let [near, far] = self.distances;
        let reach = |level: Level, distance: Real| {
            if level <= now { HYSTERESIS * distance } else { distance }
        };
        if distance < reach(Level::RigidWheels, near) {
            Level::RigidWheels
        } else if distance < reach(Level::Forces, far) {
            Level::Forces
        } else {
            Level::Constraints
        }
    }
}
