//! The motion of a vehicle as a series of samples, from a trace or from a run of ours.

use anyhow::{Result, anyhow, bail};
use serde_json::Value;

use super::traces::{Row, Trace};

/// Times of two runs are the same within this (s).
pub const SAME_TIME: f64 = 1e-3;

/// The state of a run at one time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Time (s).
    pub time: f64,
    /// Position of the center of mass.
    pub position: [f64; 3],
    /// Velocity of the center of mass.
    pub velocity: [f64; 3],
    /// Yaw (rad).
    pub yaw: f64,
    /// Speed of wheel 0 (rad/s).
    pub wheel_speed: f64,
}

/// Three axes of the world that are forward, sideways and up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axes {
    /// Forward.
    pub longitudinal: [f64; 3],
    /// Sideways.
    pub lateral: [f64; 3],
    /// Up.
    pub vertical: [f64; 3],
}

/// The rows from which runs start: the first, and the last before the first driving command, if
/// that is another.
pub fn starts(trace: &Trace) -> Vec<Row<'_>> {
    let first = trace.rows().next();
    let driving = trace
        .rows()
        .position(|row| row.optional("c_throttle").is_some_and(|throttle| throttle != 0.0));
    let before = driving.and_then(|index| index.checked_sub(1)).filter(|index| *index != 0);
    first.into_iter().chain(before.map(|index| Row { trace, index })).collect()
}

/// The rows from `start` on for this duration (s), as far as no step is missing.
pub fn window<'a>(start: Row<'a>, duration: f64) -> Result<Vec<Row<'a>>> {
    let begin = f64::from(start.get("t")?);
    let mut rows = vec![start];
    for row in start.trace.rows().skip(start.index + 1) {
        let follows = rows.last().is_some_and(|last| row.step() == last.step() + 1.0);
        if !follows || begin + duration + SAME_TIME < f64::from(row.get("t")?) {
            break;
        }
        rows.push(row);
    }
    Ok(rows)
}

/// The state that a row records.
pub fn sample(row: Row<'_>, axes: &Axes) -> Result<Sample> {
    Ok(Sample {
        time: row.get("t")?.into(),
        position: row.array(["px", "py", "pz"])?.map(f64::from),
        velocity: row.array(["vx", "vy", "vz"])?.map(f64::from),
        yaw: axes.yaw(row.array(["qx", "qy", "qz", "qw"])?),
        wheel_speed: row.wheel(0, "omega")?.into(),
    })
}

impl Axes {
    /// From axis codes: 0 to 5 are +X -X +Y -Y +Z -Z.
    pub fn from_codes(longitudinal: u64, lateral: u64, vertical: u64) -> Result<Self> {
        let axis = |code: u64| {
            let mut axis = [0.0; 3];
            let component = axis.get_mut(usize::try_from(code / 2)?);
            *component.ok_or_else(|| anyhow!("no axis has the code {code}"))? =
                if code.is_multiple_of(2) { 1.0 } else { -1.0 };
            Ok::<_, anyhow::Error>(axis)
        };
        let axes = Self {
            longitudinal: axis(longitudinal)?,
            lateral: axis(lateral)?,
            vertical: axis(vertical)?,
        };
        if cross(axes.longitudinal, axes.lateral) != axes.vertical {
            bail!("the axes {longitudinal}, {lateral}, {vertical} are not right-handed");
        }
        Ok(axes)
    }

    /// From the parameters of a trace.
    pub fn from_parameters(parameters: &Value) -> Result<Self> {
        let code = |name: &str| {
            let code = parameters.pointer(&format!("/context/{name}")).and_then(Value::as_u64);
            code.ok_or_else(|| anyhow!("no axis code context.{name}"))
        };
        Self::from_codes(code("lngAxis")?, code("latAxis")?, code("vrtAxis")?)
    }

    /// Angle of the body's longitudinal axis about the vertical (rad), positive from longitudinal
    /// to lateral.
    pub fn yaw(&self, orientation: [impl Into<f64> + Copy; 4]) -> f64 {
        let [x, y, z, w] = orientation.map(Into::into);
        // v' = v + 2 w (u × v) + 2 u × (u × v), with u the vector part of the quaternion.
        let u = [x, y, z];
        let v = self.longitudinal;
        let once = cross(u, v);
        let twice = cross(u, once);
        let forward = [0, 1, 2].map(|i| v[i] + 2.0 * (w * once[i] + twice[i]));
        dot(forward, self.lateral).atan2(dot(forward, self.longitudinal))
    }
}

/// The value moved by one unit in the last place, up or down as `which` decides, always the same
/// way for the same.
///
/// The largest numbers, which stand for unspecified or never, stay.
pub fn nudge(value: f32, which: u64) -> f32 {
    if !value.is_finite() || value.abs() == f32::MAX {
        return value;
    }
    // The finalizer of SplitMix64 spreads neighboring seeds over all bits.
    let mut bits = which.wrapping_add(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^= bits >> 31;
    if bits & 1 == 0 { value.next_up() } else { value.next_down() }
}

/// Inner product.
pub fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn yaw_turns_from_longitudinal_to_lateral_in_every_frame() -> Result<()> {
        let mut frames = 0;
        for codes in 0..216 {
            let Ok(axes) = Axes::from_codes(codes / 36, codes / 6 % 6, codes % 6) else {
                continue;
            };
            frames += 1;
            let (sine, cosine) = 0.4_f64.sin_cos();
            let [x, y, z] = axes.vertical.map(|component| component * sine);
            assert!((axes.yaw([x, y, z, cosine]) - 0.8).abs() < 1e-12, "{axes:?}");
        }
        assert_eq!(frames, 24);
        assert!(Axes::from_codes(6, 0, 2).is_err());
        Ok(())
    }

    #[test]
    fn runs_start_at_the_first_row_and_before_the_first_throttle() -> Result<()> {
        let trace = Trace::parse(
            "t",
            "step,t,c_throttle\n0,0,0\n1,1,0\n2,2,0.5\n3,3,0.5\n5,4,0\n".as_bytes(),
        )?;
        let starts = starts(&trace);
        assert_eq!(starts.iter().map(Row::step).collect::<Vec<_>>(), [0.0, 1.0]);
        assert_eq!(window(starts[0], 2.0)?.len(), 3);
        assert_eq!(window(starts[1], 9.0)?.len(), 3, "a missing step ends the window");
        Ok(())
    }

    #[test]
    fn a_nudge_is_one_unit_in_the_last_place_and_repeatable() {
        let moved: Vec<f32> = (0..200).map(|which| nudge(1.5, which)).collect();
        let up = moved.iter().filter(|value| **value == 1.5_f32.next_up()).count();
        let down = moved.iter().filter(|value| **value == 1.5_f32.next_down()).count();
        assert_eq!(up + down, 200);
        assert!((70..=130).contains(&up), "{up} of 200 went up");
        assert!((0..200).zip(&moved).all(|(which, value)| nudge(1.5, which) == *value));
        assert_eq!(nudge(f32::MAX, 1), f32::MAX);
    }
}
