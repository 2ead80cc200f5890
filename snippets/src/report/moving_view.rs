//! The moving view: vehicles from above, from the side and from behind, as they were at the
//! cursor's time.

use playground::{LookPart, Paint, PartLook};

use super::chart::{LineShape, Series};
use super::escaped;
use super::readings::Readings;

/// A quantity over time.
pub type Course = Vec<(f64, f64)>;

/// A vehicle that moves.
#[derive(Clone, Debug, PartialEq)]
pub struct MovingVehicle {
    /// What it is.
    pub name: String,
    /// Place of its center of mass: to the left, up, forward (m).
    pub place: [Course; 3],
    /// Its heading to the left, pitch with the nose up, and roll to the right (rad).
    pub attitude: [Course; 3],
    /// Its speed (m/s).
    pub speed: Course,
    /// Its wheels, by number.
    pub wheels: Vec<MovingWheel>,
    /// Its two colors, see [`Look::colors`](playground::Look::colors).
    pub colors: [u32; 2],
    /// What its body looks like, from the center of mass (m); a box if there are no parts.
    pub parts: Vec<LookPart>,
    /// Where it is coupled, from the center of mass: forward, to the left, up (m).
    pub hitches: Vec<[f64; 3]>,
}

/// What is on the ground: its outline from above.
#[derive(Clone, Debug, PartialEq)]
pub struct GroundMark {
    /// Color, as three bytes of the sRGB, red first.
    pub color: u32,
    /// Corners: to the left, forward (m).
    pub outline: Vec<[f64; 2]>,
}

/// A wheel of a [`MovingVehicle`].
#[derive(Clone, Debug, PartialEq)]
pub struct MovingWheel {
    /// Its name.
    pub name: String,
    /// Its center at full droop, from the center of mass: forward, to the left, up (m).
    pub droop: [f64; 3],
    /// How it rises as its suspension is compressed by 1 m: forward, to the left, up.
    pub rise: [f64; 3],
    /// Radius (m).
    pub radius: f64,
    /// Half of the width (m).
    pub half_width: f64,
    /// Jounce (m).
    pub jounce: Course,
    /// Steer angle to the left (rad).
    pub steer: Course,
    /// Speed of its rotation (rad/s).
    pub rotation_speed: Course,
    /// Load on the road (N).
    pub load: Course,
    /// Part of the friction that its tire uses.
    pub friction_use: Course,
}

/// A `figure` element that the script of the page shows and fills; without a script there is none
/// to be seen.
pub(super) fn figure(vehicles: &[MovingVehicle]) -> String {
    let names: Vec<String> = vehicles.iter().map(|vehicle| escaped(&vehicle.name)).collect();
    let names = names.join(" and ");
    format!(
        "<figure class=\"wide moving\" id=\"moving\" hidden>\n\
         <figcaption><h2>The drive: {names}</h2>\
         <ul><li>tires: friction in use \
         <span class=\"ramp\" id=\"use-ramp\"></span></li><li>bars: load</li></ul></figcaption>\n\
         <canvas role=\"img\" aria-label=\"The vehicle from above, from the right and from behind\"></canvas>\n\
         <div class=\"controls\"><button type=\"button\">Play</button>\
         <input type=\"range\" aria-label=\"time\" step=\"any\"><output></output>\
         <select aria-label=\"speed of time\"><option value=\"1\">1×</option>\
         <option value=\"0.25\">¼×</option><option value=\"4\">4×</option></select></div>\n\
         </figure>\n"
    )
}

/// The view as JSON, with the columns of `readings` for what changes.
pub(super) fn json(
    vehicles: &[MovingVehicle],
    marks: &[GroundMark],
    readings: &mut Readings,
) -> String {
    let mut column = |course: &Course| {
        let line = Series::new("", course.iter().copied()).shaped(LineShape::Straight);
        readings.column(&line)
    };
    let vehicle = |vehicle: &MovingVehicle| {
        let wheels: Vec<_> = vehicle
            .wheels
            .iter()
            .map(|wheel| {
                serde_json::json!({
                    "name": wheel.name,
                    "droop": wheel.droop,
                    "rise": wheel.rise,
                    "radius": wheel.radius,
                    "halfWidth": wheel.half_width,
                    "jounce": column(&wheel.jounce),
                    "steer": column(&wheel.steer),
                    "rotationSpeed": column(&wheel.rotation_speed),
                    "load": column(&wheel.load),
                    "use": column(&wheel.friction_use),
                })
            })
            .collect();
        serde_json::json!({
            "name": vehicle.name,
            "place": vehicle.place.each_ref().map(&mut column),
            "attitude": vehicle.attitude.each_ref().map(&mut column),
            "speed": column(&vehicle.speed),
            "wheels": wheels,
            "parts": vehicle.parts.iter().map(|part| part_json(part, vehicle.colors)).collect::<Vec<_>>(),
            "hitches": vehicle.hitches.iter().map(|hitch| hitch.map(millimeters)).collect::<Vec<_>>(),
        })
    };
    let view: Vec<_> = vehicles.iter().map(vehicle).collect();
    // What ends a script is spelled otherwise.
    let mark = |mark: &GroundMark| {
        let outline: Vec<_> = mark.outline.iter().map(|point| point.map(millimeters)).collect();
        serde_json::json!({ "color": hex(mark.color), "outline": outline })
    };
    let marks: Vec<_> = marks.iter().map(mark).collect();
    serde_json::json!({ "vehicles": view, "marks": marks }).to_string().replace('<', "\\u003c")
}

/// A length with as many digits as are seen (m).
fn millimeters(length: f64) -> f64 {
    (1000.0 * length).round() / 1000.0
}

fn hex(color: u32) -> String {
    format!("#{color:06x}")
}

/// A part of a vehicle of these colors.
fn part_json(part: &LookPart, [body, load]: [u32; 2]) -> serde_json::Value {
    let color = hex(paint_color(part.paint, [body, load]));
    let rounded = |length: f32| millimeters(f64::from(length));
    match &part.shape {
        PartLook::Profile { outline, across, half_width } => {
            let outline: Vec<_> = outline.iter().map(|point| point.map(rounded)).collect();
            let half = half_width.map(rounded);
            serde_json::json!({ "color": color, "outline": outline, "across": rounded(*across), "half": half })
        }
        PartLook::Rod { ends, radius } => {
            // Forward, to the left, up, as all of a report.
            let ends = ends.map(|end| [end.z, end.x, end.y].map(rounded));
            serde_json::json!({ "color": color, "ends": ends, "radius": rounded(*radius) })
        }
    }
}

/// The color of what a part is made of, for a drawing.
pub(crate) fn paint_color(paint: Paint, [body, load]: [u32; 2]) -> u32 {
    match paint {
        Paint::Body => body,
        Paint::Load => load,
        Paint::Glass => 0x9f_b8_c8,
        Paint::Dark => 0x3a_40_48,
        Paint::Metal => 0x9a_a1_a8,
        Paint::Head => 0xff_f2_b8,
        Paint::Brake => 0xc0_1c_20,
        Paint::Back => 0xe8_ea_ec,
    }
}
