//! Roads with something to drive over: heights along a straight way.

use rapier3d::prelude::*;

use crate::scenes::strip;

/// Half of a road's width (m).
const HALF_WIDTH: Real = 3.0;
/// Length of the level road before an obstacle and after it (m).
const LEVEL: Real = 400.0;
/// Distance of points on what is curved (m).
const SPACING: Real = 0.01;

/// What is on the road. It begins at 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Profile {
    /// A half wave of a sine, `height` and `length` (m).
    Bump {
        /// Height (m).
        height: Real,
        /// Length (m).
        length: Real,
    },
    /// A step up, as the lowest point of a wheel of this `radius` goes over it (m).
    RoundedKerb {
        /// Height (m).
        height: Real,
        /// Radius of the wheel (m).
        radius: Real,
    },
    /// A step up of sharp edge, a solid.
    Kerb {
        /// Height (m).
        height: Real,
    },
    /// Waves without end: `amplitude (1 - cos(2π z/wave_length))`.
    Washboard {
        /// Amplitude (m).
        amplitude: Real,
        /// Length of a wave (m).
        wave_length: Real,
    },
    /// Half waves down, one after each `period` (m).
    Potholes {
        /// Depth (m).
        depth: Real,
        /// Length (m).
        length: Real,
        /// From one to the next (m).
        period: Real,
        /// How many there are.
        count: u32,
    },
    /// A hill without end, of this slope (dimensionless).
    Hill {
        /// Rise per way (dimensionless).
        slope: Real,
    },
}

impl Profile {
    /// Height at `way` (m) behind the begin of the obstacle (m).
    pub fn height(&self, way: Real) -> Real {
        use std::f32::consts::{PI, TAU};
        match *self {
            Self::Bump { height, length } if 0.0 < way && way < length => {
                height * (PI * way / length).sin()
            }
            Self::RoundedKerb { height, radius } if way < 0.0 => {
                let below = radius * radius - way * way;
                (height - radius + below.max(0.0).sqrt()).max(0.0)
            }
            Self::RoundedKerb { height, .. } | Self::Kerb { height } if 0.0 <= way => height,
            Self::Washboard { amplitude, wave_length } if 0.0 < way => {
                amplitude * (1.0 - (TAU * way / wave_length).cos())
            }
            Self::Potholes { depth, length, period, count }
                if 0.0 < way && way < period * count as Real =>
            {
                let place = way % period;
                if place < length { -depth * (PI * place / length).sin() } else { 0.0 }
            }
            Self::Hill { slope } if 0.0 < way => slope * way,
            _ => 0.0,
        }
    }

    /// Where the curved part begins and ends (m), of a road that is driven on to `end` (m).
    fn curved(&self, end: Real) -> [Real; 2] {
        match *self {
            Self::Bump { length, .. } => [0.0, length],
            Self::RoundedKerb { radius, .. } => [-radius, 0.0],
            Self::Kerb { .. } | Self::Hill { .. } => [0.0, 0.0],
            Self::Washboard { .. } => [0.0, end],
            Self::Potholes { period, count, .. } => [0.0, period * count as Real],
        }
    }

    /// The road as colliders, with the obstacle's begin at z = 0, to be driven on along z to `end`
    /// (m).
    pub fn colliders(&self, end: Real) -> Vec<ColliderBuilder> {
        if let Self::Kerb { height } = *self {
            let level =
                ColliderBuilder::cuboid(HALF_WIDTH, 1.0, LEVEL + end).translation(Vector::NEG_Y);
            let half = 0.5 * (LEVEL + end);
            let step = ColliderBuilder::cuboid(HALF_WIDTH, 0.5 * height + 0.5, half)
                .translation(Vector::new(0.0, 0.5 * height - 0.5, half));
            return vec![level, step];
        }
        let [first, last] = self.curved(end);
        let parts = ((last - first) / SPACING).ceil() as usize;
        let part = |index: usize| first + (last - first) * index as Real / parts.max(1) as Real;
        let ways = std::iter::once(-LEVEL).chain((0..=parts).map(part));
        let ways: Vec<Real> = ways.chain([last.max(end) + LEVEL]).collect();
        // The edges themselves are on the mesh; beside them it is level.
        let places: Vec<_> = ways.into_iter().map(|way| [way, self.height(way)]).collect();
        strip(&places, HALF_WIDTH).into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heights_are_those_of_the_formulas() {
        let bump = Profile::Bump { height: 0.1, length: 0.6 };
        let kerb = Profile::RoundedKerb { height: 0.1, radius: 0.33 };
        let potholes = Profile::Potholes { depth: 0.05, length: 0.5, period: 3.0, count: 2 };
        for (profile, way, expected) in [
            (bump, 0.3, 0.1),
            (bump, -0.1, 0.0),
            (bump, 0.7, 0.0),
            (kerb, 0.0, 0.1),
            (kerb, -0.33, 0.0),
            // √(0.33² - 0.1²) - 0.23
            (kerb, -0.1, 0.084_483),
            (Profile::Washboard { amplitude: 0.02, wave_length: 1.0 }, 0.5, 0.04),
            (potholes, 3.25, -0.05),
            (potholes, 6.25, 0.0),
            (Profile::Hill { slope: 0.2 }, 10.0, 2.0),
        ] {
            let height = profile.height(way);
            assert!((height - expected).abs() < 1e-5, "{profile:?} at {way}: {height}");
        }
    }
}
