//! Reading typed fields out of recorded JSON, and writing computed values back in the same shape.
//!
//! Recorded floats carry nine digits: read as `f64` and rounded to `f32` they are the numbers that
//! the reference used.

use anyhow::{Context, Result, anyhow, bail};
use serde_json::{Map, Number, Value};

/// A rigid transform as it is recorded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RecordedPose {
    /// Position (m).
    pub position: [f32; 3],
    /// Unit quaternion, x, y, z, w.
    pub orientation: [f32; 4],
}

/// The field `name` of the object `value`.
pub fn field<'a>(value: &'a Value, name: &str) -> Result<&'a Value> {
    value.get(name).ok_or_else(|| anyhow!("no field `{name}`"))
}

/// The field `name`, or `None` where it is absent or null.
pub fn optional<'a>(value: &'a Value, name: &str) -> Option<&'a Value> {
    value.get(name).filter(|found| !found.is_null())
}

/// A number.
pub fn f32_of(value: &Value, name: &str) -> Result<f32> {
    single(field(value, name)?).with_context(|| format!("`{name}`"))
}

/// A number, or `None` where it is absent or null.
pub fn optional_f32_of(value: &Value, name: &str) -> Result<Option<f32>> {
    let found = optional(value, name).map(single).transpose();
    found.with_context(|| format!("`{name}`"))
}

/// A count, an index or a wheel id.
pub fn usize_of(value: &Value, name: &str) -> Result<usize> {
    index(field(value, name)?).with_context(|| format!("`{name}`"))
}

/// A flag.
pub fn bool_of(value: &Value, name: &str) -> Result<bool> {
    flag(field(value, name)?).with_context(|| format!("`{name}`"))
}

/// A text.
pub fn str_of<'a>(value: &'a Value, name: &str) -> Result<&'a str> {
    let found = field(value, name)?;
    found.as_str().ok_or_else(|| anyhow!("`{name}`: not a text: {found}"))
}

/// A list of anything.
pub fn list_of<'a>(value: &'a Value, name: &str) -> Result<&'a [Value]> {
    elements(field(value, name)?).with_context(|| format!("`{name}`"))
}

/// A list of numbers.
pub fn f32s_of(value: &Value, name: &str) -> Result<Vec<f32>> {
    each(value, name, single)
}

/// A list of counts, indices or wheel ids.
pub fn usizes_of(value: &Value, name: &str) -> Result<Vec<usize>> {
    each(value, name, index)
}

/// A list of flags.
pub fn bools_of(value: &Value, name: &str) -> Result<Vec<bool>> {
    each(value, name, flag)
}

/// A vector of three numbers.
pub fn vec3_of(value: &Value, name: &str) -> Result<[f32; 3]> {
    array(field(value, name)?).with_context(|| format!("`{name}`"))
}

/// A list of vectors of three numbers.
pub fn vec3s_of(value: &Value, name: &str) -> Result<Vec<[f32; 3]>> {
    each(value, name, array)
}

/// A quaternion x, y, z, w.
pub fn quat_of(value: &Value, name: &str) -> Result<[f32; 4]> {
    array(field(value, name)?).with_context(|| format!("`{name}`"))
}

/// A pose `{position, orientation}`.
pub fn pose_of(value: &Value, name: &str) -> Result<RecordedPose> {
    let pose = field(value, name)?;
    let position = vec3_of(pose, "position").with_context(|| format!("`{name}`"))?;
    let orientation = quat_of(pose, "orientation").with_context(|| format!("`{name}`"))?;
    Ok(RecordedPose { position, orientation })
}

/// One number, rounded to `f32`.
pub fn single(value: &Value) -> Result<f32> {
    let number = value.as_f64().ok_or_else(|| anyhow!("not a number: {value}"))?;
    Ok(number as f32)
}

/// A fixed number of numbers.
pub fn array<const N: usize>(value: &Value) -> Result<[f32; N]> {
    let numbers = elements(value)?.iter().map(single).collect::<Result<Vec<f32>>>()?;
    let count = numbers.len();
    numbers.try_into().map_err(|_| anyhow!("{count} numbers instead of {N}"))
}

/// A number for the produced value; what JSON cannot hold becomes a text that matches no number.
pub fn number(value: impl Into<f64>) -> Value {
    let value = value.into();
    Number::from_f64(value).map_or_else(|| Value::String(value.to_string()), Value::Number)
}

/// A vector, quaternion or list of numbers for the produced value.
pub fn numbers<T: Into<f64> + Copy>(values: &[T]) -> Value {
    values.iter().map(|&value| number(value)).collect()
}

/// A list of vectors for the produced value.
pub fn vectors<T: Into<f64> + Copy, const N: usize>(values: &[[T; N]]) -> Value {
    values.iter().map(|vector| numbers(vector)).collect()
}

/// A pose for the produced value: position, and orientation x, y, z, w.
pub fn pose<T: Into<f64> + Copy>(position: [T; 3], orientation: [T; 4]) -> Value {
    let mut fields = Map::new();
    fields.insert("position".to_owned(), numbers(&position));
    fields.insert("orientation".to_owned(), numbers(&orientation));
    Value::Object(fields)
}

fn each<T>(value: &Value, name: &str, read: fn(&Value) -> Result<T>) -> Result<Vec<T>> {
    let list = list_of(value, name)?;
    let read_element = |(i, element)| read(element).with_context(|| format!("`{name}[{i}]`"));
    list.iter().enumerate().map(read_element).collect()
}

fn elements(value: &Value) -> Result<&[Value]> {
    value.as_array().map(Vec::as_slice).ok_or_else(|| anyhow!("not a list: {value}"))
}

fn index(value: &Value) -> Result<usize> {
    // An integer may have been written with a decimal point.
    let number = value.as_f64().ok_or_else(|| anyhow!("not a number: {value}"))?;
    if number < 0.0 || number.fract() != 0.0 {
        bail!("not a count or an index: {value}");
    }
    Ok(number as usize)
}

fn flag(value: &Value) -> Result<bool> {
    value.as_bool().ok_or_else(|| anyhow!("not a flag: {value}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn fields_are_read_as_the_reference_used_them() -> Result<()> {
        let value = json!({
            "max": 3.40282347e+38, "zero": -0.0, "id": 2.0, "none": null, "ids": [1, 0], "flags": [true],
            "pose": {"position": [1, 2, 3], "orientation": [0, 0, 0, 1]},
        });
        assert_eq!(f32_of(&value, "max")?, f32::MAX);
        assert!(f32_of(&value, "zero")?.is_sign_negative());
        assert_eq!(usize_of(&value, "id")?, 2);
        assert_eq!(usizes_of(&value, "ids")?, [1, 0]);
        assert_eq!(bools_of(&value, "flags")?, [true]);
        assert_eq!(optional_f32_of(&value, "none")?, None);
        let read = pose_of(&value, "pose")?;
        assert_eq!(read.position, [1.0, 2.0, 3.0]);
        assert_eq!(
            pose(read.position, read.orientation),
            json!({
                "position": [1.0, 2.0, 3.0], "orientation": [0.0, 0.0, 0.0, 1.0],
            })
        );
        Ok(())
    }

    #[test]
    fn errors_name_the_field() {
        let value = json!({"v": [1, 2], "f": 1.5});
        let message = |error: anyhow::Error| format!("{error:#}");
        assert_eq!(message(f32_of(&value, "x").expect_err("absent")), "no field `x`");
        assert_eq!(
            message(vec3_of(&value, "v").expect_err("short")),
            "`v`: 2 numbers instead of 3"
        );
        assert_eq!(
            message(usize_of(&value, "f").expect_err("fraction")),
            "`f`: not a count or an index: 1.5"
        );
    }

    #[test]
    fn what_is_not_a_number_is_written_as_text() {
        assert_eq!(number(f32::NAN), json!("NaN"));
        assert_eq!(numbers(&[1.0_f32, f32::INFINITY]), json!([1.0, "inf"]));
    }
}
