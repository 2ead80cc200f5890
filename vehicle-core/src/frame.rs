//! Axes of a vehicle: which way is forward, sideways and up; and the length unit.
//!
//! A [`Frame`] names the coordinate axes along which a vehicle's longitudinal (forward), lateral
//! (left) and vertical (up) directions lie. All 24 right-handed assignments are allowed. A
//! [`CoordinateSystem`] adds the length scale, in units per meter; a [`CoordinateConversion`]
//! takes quantities from one system to another.

use std::fmt::{self, Display};

use serde::{Deserialize, Serialize};

use crate::error::{Bound, ParamCheck, ParamError, Validate};
use crate::math::lanes::{Mask, Number, Rotation};
use crate::math::{Mat3, Pose, Quat, Real, Vec3, multiply, sin_cos};

/// A signed coordinate axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Axis {
    /// +x.
    PosX,
    /// -x.
    NegX,
    /// +y.
    PosY,
    /// -y.
    NegY,
    /// +z.
    PosZ,
    /// -z.
    NegZ,
}

impl Axis {
    /// All axes: +x, -x, +y, -y, +z, -z.
    pub const ALL: [Self; 6] =
        [Self::PosX, Self::NegX, Self::PosY, Self::NegY, Self::PosZ, Self::NegZ];

    /// The unit vector along the axis.
    #[inline]
    pub const fn direction(self) -> Vec3 {
        match self {
            Self::PosX => Vec3::X,
            Self::NegX => Vec3::NEG_X,
            Self::PosY => Vec3::Y,
            Self::NegY => Vec3::NEG_Y,
            Self::PosZ => Vec3::Z,
            Self::NegZ => Vec3::NEG_Z,
        }
    }

    /// As it is written in a file.
    const fn name(self) -> &'static str {
        match self {
            Self::PosX => "pos_x",
            Self::NegX => "neg_x",
            Self::PosY => "pos_y",
            Self::NegY => "neg_y",
            Self::PosZ => "pos_z",
            Self::NegZ => "neg_z",
        }
    }

    /// Which of x, y and z it is.
    #[inline]
    const fn index(self) -> usize {
        self as usize / 2
    }

    #[inline]
    const fn is_negative(self) -> bool {
        matches!(self, Self::NegX | Self::NegY | Self::NegZ)
    }
}

impl Display for Axis {
    /// Writes it as in a file, such as `pos_z`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Three axes as they are written in a file, before they are checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct Axes {
    longitudinal: Axis,
    lateral: Axis,
    vertical: Axis,
}

impl Display for Axes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { longitudinal, lateral, vertical } = self;
        write!(f, "longitudinal {longitudinal}, lateral {lateral}, vertical {vertical}")
    }
}

/// The right-handed axes of a vehicle.
///
/// Positive lateral is to the left of a driver who looks forward; positive yaw turns left, positive
/// wheel rotation rolls forward.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(try_from = "Axes", into = "Axes")]
pub struct Frame(Axes);

impl Display for Frame {
    /// Writes its axes as in a file: `longitudinal pos_z, lateral pos_x, vertical pos_y`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(&self.0, f)
    }
}

impl Frame {
    /// Forward +x, left +y, up +z: usual in robotics.
    pub const Z_UP: Self =
        Self(Axes { longitudinal: Axis::PosX, lateral: Axis::PosY, vertical: Axis::PosZ });

    /// Forward +z, left +x, up +y: fits the gravity that a physics world has by default.
    pub const Y_UP: Self =
        Self(Axes { longitudinal: Axis::PosZ, lateral: Axis::PosX, vertical: Axis::PosY });

    /// A frame of three axes.
    ///
    /// # Errors
    ///
    /// If the axes are not right-handed: longitudinal × lateral must be vertical.
    pub fn new(longitudinal: Axis, lateral: Axis, vertical: Axis) -> Result<Self, ParamError> {
        Self::try_from(Axes { longitudinal, lateral, vertical })
    }

    /// All 24 right-handed frames.
    pub fn all() -> impl Iterator<Item = Self> {
        Axis::ALL.into_iter().flat_map(|longitudinal| {
            Axis::ALL.into_iter().flat_map(move |lateral| {
                Axis::ALL
                    .into_iter()
                    .filter_map(move |vertical| Self::new(longitudinal, lateral, vertical).ok())
            })
        })
    }

    /// Unit vector forward.
    #[inline]
    pub const fn longitudinal(&self) -> Vec3 {
        self.0.longitudinal.direction()
    }

    /// Unit vector to the left.
    #[inline]
    pub const fn lateral(&self) -> Vec3 {
        self.0.lateral.direction()
    }

    /// Unit vector up.
    #[inline]
    pub const fn vertical(&self) -> Vec3 {
        self.0.vertical.direction()
    }

    /// The axis that leads up.
    pub const fn vertical_axis(&self) -> Axis {
        self.0.vertical
    }

    /// The axes as columns: longitudinal, lateral, vertical.
    pub const fn matrix(&self) -> Mat3 {
        Mat3::from_cols(self.longitudinal(), self.lateral(), self.vertical())
    }

    /// The vector with the given components along the axes.
    pub fn translation(&self, longitudinal: Real, lateral: Real, vertical: Real) -> Vec3 {
        self.matrix() * Vec3::new(longitudinal, lateral, vertical)
    }

    /// Rotation by `pitch`, then `roll`, then `yaw` (rad).
    ///
    /// ```text
    /// R = R(vertical, yaw) R(longitudinal, roll) R(lateral, pitch)
    /// ```
    ///
    /// Angles of zero, which are most of them, cost little.
    #[inline]
    pub fn rotation<N: Number>(&self, roll: N, pitch: N, yaw: N) -> N::Rotation {
        let ((sin_y, cos_y), (sin_r, cos_r)) = (half_turn(yaw), half_turn(roll));
        // In the axes of the frame, in which vertical × longitudinal = lateral.
        let turn = [cos_y * sin_r, sin_y * sin_r, sin_y * cos_r, cos_y * cos_r];
        let [x, y, z, w] = if is_turned(pitch) {
            let (sin, cos) = half_turn(pitch);
            multiply(N::Rotation::new(turn), N::Rotation::new([N::zero(), sin, N::zero(), cos]))
                .components()
        } else {
            turn
        };
        let [x, y, z] = self.along([x, y, z]);
        N::Rotation::new([x, y, z, w])
    }

    /// Rotation by `pitch` (rad), forward about the lateral axis.
    #[inline]
    pub fn pitch<N: Number>(&self, pitch: N) -> N::Rotation {
        let (sin, cos) = half_turn(pitch);
        let [x, y, z] = self.along([N::zero(), sin, N::zero()]);
        N::Rotation::new([x, y, z, cos])
    }

    /// x, y and z of the vector with the given `components` along the axes.
    #[inline]
    fn along<N: Number>(&self, components: [N; 3]) -> [N; 3] {
        let Axes { longitudinal, lateral, vertical } = self.0;
        let mut along = [N::zero(); 3];
        for (axis, component) in [longitudinal, lateral, vertical].into_iter().zip(components) {
            along[axis.index()] = if axis.is_negative() { -component } else { component };
        }
        along
    }
}

/// Sine and cosine of half of `angle` (rad).
#[inline]
fn half_turn<N: Number>(angle: N) -> (N, N) {
    if is_turned(angle) { sin_cos(angle * N::splat(0.5)) } else { (N::zero(), N::splat(1.0)) }
}

/// Whether any lane has an angle.
#[inline]
fn is_turned<N: Number>(angle: N) -> bool {
    (!angle.is_equal(N::zero())).any()
}

impl Default for Frame {
    /// [`Frame::Y_UP`].
    fn default() -> Self {
        Self::Y_UP
    }
}

impl TryFrom<Axes> for Frame {
    type Error = ParamError;

    fn try_from(axes: Axes) -> Result<Self, ParamError> {
        let (longitudinal, lateral) = (axes.longitudinal.direction(), axes.lateral.direction());
        if longitudinal.cross(lateral) == axes.vertical.direction() {
            return Ok(Self(axes));
        }
        Err(ParamError {
            path: "frame".to_owned(),
            requirement: "right-handed: longitudinal × lateral = vertical".to_owned(),
            value: axes.to_string(),
        })
    }
}

impl From<Frame> for Axes {
    fn from(frame: Frame) -> Self {
        frame.0
    }
}

/// Axes and length unit of a vehicle's data.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CoordinateSystem {
    /// Axes of the vehicle.
    pub frame: Frame,
    /// Length units per meter: 1 for meters, 100 for centimeters.
    pub length_scale: Real,
}

impl Default for CoordinateSystem {
    /// [`Frame::Y_UP`], in meters.
    fn default() -> Self {
        Self { frame: Frame::Y_UP, length_scale: 1.0 }
    }
}

impl Validate for CoordinateSystem {
    #[inline]
    fn check(&self, check: &mut ParamCheck) {
        check.number("length_scale", self.length_scale, Bound::Positive);
    }
}

/// Takes quantities from one coordinate system to another.
///
/// ```text
/// direction  v' = F v          F = F_target F_sourceᵀ
/// length     v' = F v S        S = scale_target / scale_source
/// scalar     q' = q Sᵖ         for a quantity of dimension lengthᵖ
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CoordinateConversion {
    rotation: Mat3,
    scale: Real,
    target: CoordinateSystem,
}

impl CoordinateConversion {
    /// The conversion from `source` to `target`.
    pub fn new(source: &CoordinateSystem, target: &CoordinateSystem) -> Self {
        Self {
            rotation: target.frame.matrix() * source.frame.matrix().transpose(),
            scale: target.length_scale / source.length_scale,
            target: *target,
        }
    }

    /// The system to which quantities are taken.
    pub fn target(&self) -> &CoordinateSystem {
        &self.target
    }

    /// A dimensionless vector, such as a direction.
    pub fn direction(&self, vector: Vec3) -> Vec3 {
        self.rotation * vector
    }

    /// A vector of dimension length, such as a position or a velocity.
    pub fn length(&self, vector: Vec3) -> Vec3 {
        self.rotation * vector * self.scale
    }

    /// A pose: its translation is a length, its axis of rotation a direction.
    pub fn pose(&self, pose: &Pose) -> Pose {
        let axis = self.direction(pose.rotation.xyz());
        Pose::from_parts(
            self.length(pose.translation),
            Quat::from_xyzw(axis.x, axis.y, axis.z, pose.rotation.w),
        )
    }

    /// A scalar of dimension length to the `power`: 1 for a force, 2 for a torque or an inertia.
    pub fn scalar(&self, value: Real, power: i32) -> Real {
        let factors = (0..power.unsigned_abs()).fold(1.0, |product, _| product * self.scale);
        if power < 0 { value / factors } else { value * factors }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{PI, rotation_about};

    #[test]
    fn there_are_24_frames_and_all_are_right_handed() {
        let frames: Vec<_> = Frame::all().collect();
        assert_eq!(frames.len(), 24);
        for frame in frames {
            assert_eq!(frame.matrix().determinant(), 1.0, "{frame:?}");
        }
    }

    #[test]
    fn left_handed_axes_are_refused() {
        let error = Frame::new(Axis::PosX, Axis::PosZ, Axis::PosY).unwrap_err();
        assert_eq!(
            error.to_string(),
            "frame must be right-handed: longitudinal × lateral = vertical, got longitudinal \
             pos_x, lateral pos_z, vertical pos_y"
        );
        assert!(
            serde_json::from_str::<Frame>(
                r#"{"longitudinal":"pos_x","lateral":"pos_z","vertical":"pos_y"}"#
            )
            .is_err()
        );
    }

    #[test]
    fn positive_yaw_turns_left() {
        for frame in Frame::all() {
            let turned = frame.rotation(0.0, 0.0, PI / 2.0) * frame.longitudinal();
            assert!(turned.distance(frame.lateral()) < 1e-6, "{frame:?}: {turned}");
        }
    }

    #[test]
    fn rotation_is_the_product_of_its_turns() {
        let (roll, pitch, yaw) = (0.3, -0.7, 1.9);
        for frame in Frame::all() {
            let about = |axis, angle| rotation_about(axis, angle);
            let turns = about(frame.vertical(), yaw)
                * about(frame.longitudinal(), roll)
                * about(frame.lateral(), pitch);
            let rotation: Quat = frame.rotation(roll, pitch, yaw);
            assert!((rotation - turns).length() < 1e-6, "{frame:?}: {rotation}, {turns}");
        }
    }

    #[test]
    fn conversion_there_and_back_changes_nothing() {
        let meters = CoordinateSystem { frame: Frame::Z_UP, length_scale: 1.0 };
        for frame in Frame::all() {
            let centimeters = CoordinateSystem { frame, length_scale: 100.0 };
            let there = CoordinateConversion::new(&meters, &centimeters);
            let back = CoordinateConversion::new(&centimeters, &meters);
            let vector = Vec3::new(1.0, -2.0, 3.0);
            assert!(back.length(there.length(vector)).distance(vector) < 1e-6);
            assert_eq!(there.direction(Vec3::X), frame.longitudinal());
            assert_eq!(there.scalar(2.0, 2), 20_000.0);
        }
    }
}
