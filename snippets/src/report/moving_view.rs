//! The moving view: vehicles from above, from the side and from behind, as they were at the
//! cursor's time.

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
pub(super) fn json(vehicles: &[MovingVehicle], readings: &mut Readings) -> String {
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
        })
    };
    let view: Vec<_> = vehicles.iter().map(vehicle).collect();
    // What ends a script is spelled otherwise.
    serde_json::json!({ "vehicles": view }).to_string().replace('<', "\\u003c")
}
