//! A suspension as it is written in files: poses without what only memory needs.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::SuspensionParams;
use crate::math::{Pose, Real, Vec3};
use crate::written_pose;

/// A mount and its travel.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename = "SuspensionParams", deny_unknown_fields)]
struct WrittenSuspension {
    /// Pose of the suspension at full compression (m, body frame).
    #[serde(with = "written_pose")]
    #[cfg_attr(feature = "schema", schemars(with = "written_pose::WrittenPose"))]
    attachment: Pose,
    /// Unit vector from full compression to full droop (body frame).
    #[cfg_attr(feature = "schema", schemars(with = "[Real; 3]"))]
    travel_direction: Vec3,
    /// Distance from full compression to full droop (m).
    travel_distance: Real,
    /// Pose of the wheel (m, suspension frame); its center and axes are those of the suspension if
    /// none is given.
    #[serde(default, with = "written_pose")]
    #[cfg_attr(feature = "schema", schemars(with = "written_pose::WrittenPose"))]
    wheel_attachment: Pose,
}

impl Serialize for SuspensionParams {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { attachment, travel_direction, travel_distance, wheel_attachment } = *self;
        WrittenSuspension { attachment, travel_direction, travel_distance, wheel_attachment }
            .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for SuspensionParams {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let WrittenSuspension { attachment, travel_direction, travel_distance, wheel_attachment } =
            WrittenSuspension::deserialize(deserializer)?;
        Ok(Self { attachment, travel_direction, travel_distance, wheel_attachment })
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for SuspensionParams {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        WrittenSuspension::schema_name()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        WrittenSuspension::json_schema(generator)
    }
}
