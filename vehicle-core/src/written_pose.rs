//! Poses in files: a translation, and a rotation as a quaternion.
//!
//! A field with `#[serde(with = "vehicle_core::written_pose")]` is written in text as `translation`
//! (x, y, z) and `rotation` (x, y, z, w), each of which may be left out for none. In binary formats
//! it is written as it is in memory.
//!
//! ```
//! use serde::{Deserialize, Serialize};
//! use vehicle_core::math::{Pose, Vec3};
//!
//! #[derive(Serialize, Deserialize)]
//! struct Mount(#[serde(with = "vehicle_core::written_pose")] Pose);
//!
//! let mount: Mount = serde_json::from_str(r#"{"translation": [0.0, 0.5, 0.0]}"#)?;
//! assert_eq!(mount.0, Pose::from_translation(Vec3::Y * 0.5));
//! # Ok::<(), serde_json::Error>(())
//! ```

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::math::{Pose, Quat, Real};

/// A pose as it is written in text.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename = "Pose", default, deny_unknown_fields)]
pub(crate) struct WrittenPose {
    /// Where (m): x, y, z.
    translation: [Real; 3],
    /// How it is turned: a unit quaternion x, y, z, w.
    rotation: [Real; 4],
    /// Padding of files that were written as it is in memory; without meaning.
    #[serde(skip_serializing)]
    #[cfg_attr(feature = "schema", schemars(skip))]
    padding: u32,
}

impl Default for WrittenPose {
    fn default() -> Self {
        Self { translation: [0.0; 3], rotation: Quat::IDENTITY.to_array(), padding: 0 }
    }
}

/// Writes `pose`.
///
/// # Errors
///
/// Those of the format.
pub fn serialize<S: Serializer>(pose: &Pose, serializer: S) -> Result<S::Ok, S::Error> {
    if !serializer.is_human_readable() {
        return pose.serialize(serializer);
    }
    let (translation, rotation) = (pose.translation.to_array(), pose.rotation.to_array());
    WrittenPose { translation, rotation, padding: 0 }.serialize(serializer)
}

/// Reads a pose.
///
/// # Errors
///
/// Those of the format, and fields that a pose does not have.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Pose, D::Error> {
    if !deserializer.is_human_readable() {
        return Pose::deserialize(deserializer);
    }
    let WrittenPose { translation, rotation, .. } = WrittenPose::deserialize(deserializer)?;
    Ok(Pose::from_parts(translation.into(), Quat::from_array(rotation)))
}

/// A schema for fields of other crates that are written so.
#[cfg(feature = "schema")]
pub fn schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
    generator.subschema_for::<WrittenPose>()
}
