//! Manoeuvres as plain data: ground, start, phases, channels and figures.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::check::Origin;
use super::figure::FigureSource;
use super::signal::Signal;

/// The version of the files that this build reads.
pub const SCENARIO_VERSION: u32 = 1;

/// A manoeuvre: what a driver does with a vehicle on a ground, and what is measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Manoeuvre {
    /// Where an editor finds the schema of such files; without meaning for the manoeuvre.
    #[serde(rename = "$schema", default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    /// The version of the file: 1.
    pub version: u32,
    /// What it is called.
    pub title: String,
    /// What is done, in a sentence.
    #[serde(default)]
    pub description: String,
    /// Standard or paper that it follows.
    #[serde(default)]
    pub source: String,
    /// What a vehicle must have to be driven so, beside wheels that steer where it is steered.
    #[serde(default)]
    pub needs: Needs,
    /// Vehicle that pulls one which has no drive of its own: a preset, or a file beside the
    /// scenario.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub towing: Option<String>,
    /// The ground.
    #[serde(default)]
    pub ground: Ground,
    /// How the vehicle begins.
    #[serde(default)]
    pub start: Start,
    /// What the driver does, one phase after another.
    pub phases: Vec<Phase>,
    /// Channels that are shown and written, by name.
    #[serde(default)]
    pub channels: Vec<String>,
    /// Times at which channels are written: after every step, unless said otherwise.
    #[serde(default)]
    pub output: Output,
    /// What it comes to.
    #[serde(default)]
    pub figures: Vec<FigureSource>,
    /// Where it has been read.
    #[serde(skip)]
    pub(super) origin: Origin,
    /// Where the files are that it names.
    #[serde(skip)]
    pub(super) folder: PathBuf,
}

/// What a vehicle must have for a manoeuvre.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Needs {
    /// Half of the track by the height of the center of mass, at least (dimensionless): the lateral
    /// acceleration at which it tips over (g).
    #[serde(default)]
    pub stability: f64,
    /// Wheelbase, at least (m).
    #[serde(default)]
    pub wheel_base: f64,
    /// Whether it pulls a trailer; either way is fine if it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trailer: Option<bool>,
}

/// A plane, rough or not.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Ground {
    /// Peak friction (dimensionless).
    pub friction: f64,
    /// Peak friction to the left of the line on which the vehicle starts, if it is another one
    /// (dimensionless).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_friction: Option<f64>,
    /// Angle by which the road rises ahead of the vehicle (rad).
    pub slope: f64,
    /// Roughness of the road, which is level otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub roughness: Option<Roughness>,
    /// Posts on which the wheels of a standing vehicle are moved up and down.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub posts: Option<Posts>,
}

/// Posts below the wheels, one for each, that move up and down.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Posts {
    /// Which of them go up together.
    pub motion: PostMotion,
    /// Height over the time of the manoeuvre (m), 0 at its beginning.
    pub height: Signal,
    /// Whether the body is held where it has settled, as on a rig for kinematics: then there are
    /// channels of the front and the rear axle.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub held: bool,
}

/// Which posts go up together; the others go down as far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PostMotion {
    /// All of them.
    Heave,
    /// Those behind the center of mass: the nose goes down.
    Pitch,
    /// Those on the left: the vehicle leans to the right.
    Roll,
}

impl Default for Ground {
    /// Dry asphalt, as data sheets are measured on.
    fn default() -> Self {
        Self { friction: 1.1, left_friction: None, slope: 0.0, roughness: None, posts: None }
    }
}

/// Random roughness of a spectral density that falls with the square of the spatial frequency.
///
/// ```text
/// G(n) = G₀ (n/n₀)⁻²,   n₀ = 0.1 1/m
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Roughness {
    /// Density `G₀` of the displacement at 0.1 cycles per meter (m³). After ISO 8608, 16e-6 in the
    /// middle of class A, and four times as much in each class that follows.
    pub density: f64,
    /// Seed of the profile.
    pub seed: u64,
}

/// How a vehicle begins.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Start {
    /// Speed (m/s). In gear, the driver has held it before until it was steady.
    pub speed: f64,
    /// Where the lever is.
    pub gear: Lever,
}

/// Where the lever is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Lever {
    /// In gear: an automatic gearbox shifts by itself.
    #[default]
    Drive,
    /// No gear.
    Neutral,
    /// The first reverse gear.
    Reverse,
}

/// What the driver does for some time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Phase {
    /// A name of its own.
    pub name: String,
    /// What is done with the steering wheel.
    #[serde(default)]
    pub steer: Steer,
    /// What is done with the pedals.
    #[serde(default)]
    pub pedals: Pedals,
    /// The hand brake, in [0, 1].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hand_brake: Option<Signal>,
    /// Where the lever is put at the beginning; it stays where it is if that is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gear: Option<Lever>,
    /// What ends it, whatever comes first.
    pub until: Until,
}

/// What is done with the steering wheel.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Steer {
    /// It is straight on.
    #[default]
    Straight,
    /// It is held where it is.
    Hold,
    /// Command in [-1, 1] over time: full lock to the left is 1.
    Command(Signal),
    /// Angle of the road wheels to the left, of the inner one where the outer one turns less (rad).
    WheelAngle(Signal),
    /// Angle to the left of one of the road wheels, or of their mean (rad).
    AngleOf {
        /// Which one.
        wheel: SteeredWheel,
        /// The angle over time (rad).
        angle: Signal,
    },
    /// Angle of the steering wheel to the left (rad).
    SteeringWheelAngle {
        /// Angle of the steering wheel per angle of the road wheel (dimensionless); that of the
        /// vehicle if it is not said.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ratio: Option<f64>,
        /// The road wheel to whose angle the ratio leads.
        #[serde(default, skip_serializing_if = "SteeredWheel::is_inner")]
        wheel: SteeredWheel,
        /// The angle over time (rad).
        angle: Signal,
    },
    /// Angle of the road wheels for a lateral acceleration to the left (m/s²). It is proportional
    /// to the angle that holds 0.3 g at the speed of the start, which a slow ramp finds before.
    LateralAcceleration(Signal),
    /// A circle to the left, which the driver holds.
    Circle {
        /// Radius (m).
        radius: f64,
    },
    /// A path, which the driver follows on the line of least curvature within its room.
    Path(Vec<Section>),
}

/// A wheel of the first steered axle, whose outer wheel turns less than the inner one in a bend.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SteeredWheel {
    /// The wheel on the inside of the bend.
    #[default]
    Inner,
    /// The wheel on the outside of the bend.
    Outer,
    /// The mean of both.
    Mean,
    /// The left wheel.
    Left,
    /// The right wheel.
    Right,
}

impl SteeredWheel {
    fn is_inner(&self) -> bool {
        *self == Self::Inner
    }

    /// The angle of this wheel, to the left (rad), where the left and the right wheel have these
    /// angles.
    pub(super) fn of<N: Copy + Into<f64>>(self, left: N, right: N) -> f64 {
        let (left, right) = (left.into(), right.into());
        let (larger, smaller) =
            if left.abs() < right.abs() { (right, left) } else { (left, right) };
        match self {
            Self::Inner => larger,
            Self::Outer => smaller,
            Self::Mean => 0.5 * (left + right),
            Self::Left => left,
            Self::Right => right,
        }
    }
}

/// A piece of a path.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Section {
    /// Straight on for a length (m).
    Straight(f64),
    /// Straight on, anywhere within a lane: the driver takes the smoothest line.
    Lane {
        /// Length (m).
        length: f64,
        /// Room on both sides of the middle of the lane (m).
        room: f64,
        /// How much wider it is, in widths of the vehicle (dimensionless).
        #[serde(default)]
        widths: f64,
    },
    /// To another lane, by half a wave of a cosine.
    Shift {
        /// Length (m).
        length: f64,
        /// How far to the left (m).
        offset: f64,
        /// How much farther, in widths of the vehicle (dimensionless).
        #[serde(default)]
        widths: f64,
        /// Room on both sides of the wave, for the smoothest line (m).
        #[serde(default)]
        room: f64,
    },
}

/// What is done with the pedals.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Pedals {
    /// No foot is on a pedal.
    #[default]
    Released,
    /// They are held where they are.
    Hold,
    /// Pedals in [0, 1] over time.
    Open {
        /// Accelerator.
        #[serde(default)]
        throttle: Signal,
        /// Brake.
        #[serde(default)]
        brake: Signal,
        /// Whether anti-lock brakes and traction control keep the pedals to what tires bear.
        #[serde(default)]
        as_tires_bear: bool,
    },
    /// The brake that gives a deceleration (m/s²), by the torques of brakes alone.
    Deceleration(Signal),
    /// A speed that the driver holds (m/s).
    Speed(Signal),
    /// A lateral acceleration that the driver holds in a circle by the speed (m/s²).
    LateralAcceleration(Signal),
}

/// What ends a phase, whatever comes first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Until {
    /// Time of the phase (s), at which it ends in any case.
    pub time: f64,
    /// Speed that is reached from below (m/s).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed_above: Option<f64>,
    /// Speed that is reached from above (m/s).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed_below: Option<f64>,
    /// Way since the beginning of the phase (m).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distance: Option<f64>,
    /// Angle by which it has turned since then, either way (rad).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turned: Option<f64>,
    /// Lateral acceleration, either way (m/s²).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lateral_acceleration: Option<f64>,
    /// Side slip, either way (rad).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub side_slip: Option<f64>,
    /// Time for which speed and yaw rate have stayed within 1 % (s).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steady: Option<f64>,
}

/// Times at which channels are written.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Output {
    /// After every step.
    #[default]
    EveryStep,
    /// At times of equal distance from 0 on (s), between two steps if need be.
    Interval(f64),
    /// At these times (s).
    Times(Vec<f64>),
}
