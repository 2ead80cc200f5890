//! Forces as arrows: loads, forces along the ground, and circles of what friction allows.

use kiss3d::color::Color;
use kiss3d::glamx::Vec3;
use playground::{Session, WheelReading};

use crate::paint;

/// Force per length of an arrow (N/m).
const NEWTONS_PER_METER: f32 = 4_000.0;
/// Corners of a circle.
const CORNERS: u32 = 32;
/// Height at which circles lie above the ground (m).
const CLEARANCE: f32 = 0.02;
/// Width of lines (pixels).
const WIDTH: f32 = 3.0;

/// A line: from, to, color, width (pixels).
pub(crate) type Line = (Vec3, Vec3, Color, f32);

/// The lines of all wheels on the ground.
pub(crate) fn lines(session: &Session) -> Vec<Line> {
    let wheels = session.readings().wheels.iter().filter(|wheel| wheel.is_on_ground);
    wheels.flat_map(of_wheel).collect()
}

fn of_wheel(wheel: &WheelReading) -> Vec<Line> {
    let WheelReading { point, normal, load, grip, friction_used, ground_force, .. } = *wheel;
    let foot = point + normal * CLEARANCE;
    let color = paint::friction(friction_used);
    let mut lines =
        arrow(foot, normal * (load / NEWTONS_PER_METER), Color::new(0.2, 0.9, 0.3, 1.0));
    lines.extend(arrow(foot, ground_force / NEWTONS_PER_METER, color));
    let across = normal.any_orthonormal_vector();
    let along = normal.cross(across);
    let corner = |number: u32| {
        let (sine, cosine) = (std::f32::consts::TAU * number as f32 / CORNERS as f32).sin_cos();
        foot + (across * cosine + along * sine) * (grip / NEWTONS_PER_METER)
    };
    lines.extend(
        (0..CORNERS).map(|number| (corner(number), corner(number + 1), color, WIDTH - 1.0)),
    );
    lines
}

fn arrow(foot: Vec3, way: Vec3, color: Color) -> Vec<Line> {
    let length = way.length();
    if length < 0.02 {
        return Vec::new();
    }
    let (tip, ahead) = (foot + way, way / length);
    let aside = ahead.any_orthonormal_vector();
    let barb = 0.25 * length.min(0.6);
    let back = |side: f32| (tip, tip - ahead * barb + aside * (0.5 * side * barb), color, WIDTH);
    vec![(foot, tip, color, WIDTH), back(1.0), back(-1.0)]
}

#[cfg(test)]
mod tests {
    use playground::{Key, Setup};

    use super::*;

    #[test]
    fn arrows_of_a_car_at_rest_stand_as_high_as_its_weight() {
        let mut session = Session::new(Setup::default()).unwrap();
        for _ in 0..240 {
            session.step().unwrap();
        }
        let green = lines(&session).into_iter().filter(|line| line.2.g == 0.9 && line.0.y < 0.1);
        let height: f32 = green.map(|(foot, tip, ..)| tip.y - foot.y).sum();
        let expected = 1_400.0 * 9.81 / NEWTONS_PER_METER;
        assert!((height / expected - 1.0).abs() < 0.02, "{height} and {expected} m");
        session.keyboard.set(Key::Forward, true);
        for _ in 0..60 {
            session.step().unwrap();
        }
        let ahead =
            lines(&session).iter().map(|(foot, tip, ..)| tip.z - foot.z).fold(0.0, f32::max);
        assert!(0.3 < ahead, "{ahead} m");
    }
}
