//! What figures of manoeuvres are usual for the class of a preset.

use crate::measurements::class_figures::{ClassFigures, class_figures};

/// What is usual, and where that is known from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Usual {
    /// The lowest and the highest figure, in the unit in which it is shown.
    pub range: [f64; 2],
    /// Source.
    pub source: &'static str,
}

const ROAD_CARS: &[&str] = &["city_car", "hot_hatch", "sports_car", "pick_up", "electric_car"];
const RACE_CARS: &[&str] = &["gt", "drift_car", "rally_car"];
const FULL_TRAILERS: &[&str] = &["truck_6x6"];
const SEMI_TRAILERS: &[&str] = &["semi_tractor"];
const TRAINS: &[&str] = &["truck_6x6", "semi_tractor"];

const ROLL: &str = "roll gradients of families of cars after Milliken, Race Car Vehicle Dynamics. Soft old family cars have \
    8.5 °/g, saloons 5 to 7, the hardest road cars 3, race cars 1.5";
const RESPONSE: &str = "after Weir and DiMarco (1978) and Heißing and Ersoy, Chassis Handbook";
const SWAY: &str = "yaw damping of at least 0.15 after the Performance Based Standards of Australia's National \
    Transport Commission";
const FULL: &str = "Federal Highway Administration, Comprehensive Truck Size and Weight Limits Study \
    (ops.fhwa.dot.gov/freight/sw/map21tswstudy), figure 15. Tractor and last trailer of a double in a lane change: \
    0.15 to 0.24 and 0.2 to 0.3 g. The lower bound is that of a trailer that follows at once";
const SEMI: &str =
    "after Ervin and Guy and Winkler, University of Michigan Transportation Research Institute";
const RIDE: &str = "after Gillespie, Fundamentals of Vehicle Dynamics: 1 to 1.5 Hz, stiffer for sports and for loads";

/// A figure that is usual for some presets.
type Band = (&'static [&'static str], &'static str, &'static str, [f64; 2], &'static str);

/// Presets, manoeuvre, start of the figure's name, range, source.
const BANDS: [Band; 15] = [
    (ROAD_CARS, "constant_radius", "roll gradient", [2.5, 7.5], ROLL),
    (ROAD_CARS, "slow_ramp_steer", "roll gradient", [2.5, 7.5], ROLL),
    (RACE_CARS, "constant_radius", "roll gradient", [0.5, 3.5], ROLL),
    (RACE_CARS, "slow_ramp_steer", "roll gradient", [0.5, 3.5], ROLL),
    (ROAD_CARS, "step_steer", "response time of yaw rate", [0.08, 0.3], RESPONSE),
    (ROAD_CARS, "step_steer", "response time of lateral acceleration", [0.15, 0.55], RESPONSE),
    (ROAD_CARS, "step_steer", "overshoot of yaw rate", [0.0, 40.0], RESPONSE),
    (FULL_TRAILERS, "rear_amplification", "amplification of", [1.0, 2.5], FULL),
    (SEMI_TRAILERS, "rear_amplification", "amplification of", [0.7, 1.3], SEMI),
    (TRAINS, "trailer_sway", "damping ratio", [15.0, 100.0], SWAY),
    (ROAD_CARS, "kinematics_bump", "ride frequency", [1.0, 2.0], RIDE),
    (RACE_CARS, "kinematics_bump", "ride frequency", [1.5, 5.0], RIDE),
    (TRAINS, "kinematics_bump", "ride frequency", [1.0, 3.5], RIDE),
    (ROAD_CARS, "kinematics_steering", "inner wheel at full lock", [30.0, 45.0], TURNING),
    (ROAD_CARS, "kinematics_steering", "Ackermann at full lock", [20.0, 110.0], TURNING),
];
const TURNING: &str =
    "turning circles of the makers, and Ackermann shares of road cars after Gillespie";

/// What is usual for a figure of the preset in a manoeuvre, by their names, if that is known.
pub fn usual(manoeuvre: &str, figure: &str, preset: &str) -> Option<Usual> {
    let of_class = class_figures(preset).and_then(|class| of_class(manoeuvre, figure, class));
    let known = BANDS.iter().find(|(presets, of, start, ..)| {
        *of == manoeuvre && figure.starts_with(start) && presets.contains(&preset)
    });
    of_class.or_else(|| known.map(|&(.., range, source)| Usual { range, source }))
}

fn of_class(manoeuvre: &str, figure: &str, class: &ClassFigures) -> Option<Usual> {
    let range = match (manoeuvre, figure) {
        ("acceleration", "0 to 100 km/h") if class.launch_speed == 100.0 => class.launch_time,
        ("acceleration" | "braking", "100 to 0 km/h") if class.stop_speed == 100.0 => {
            class.stop_distance
        }
        ("constant_radius" | "slow_ramp_steer", "understeer gradient") => class.understeer,
        ("constant_radius", "largest lateral acceleration") => class.lateral,
        _ => return None,
    };
    let is_known = range[0] < range[1];
    is_known.then(|| Usual { range: range.map(plain), source: class.source })
}

/// A number of the class figures, which have few digits, without what single precision adds.
fn plain(value: f32) -> f64 {
    (f64::from(value) * 1e3).round() / 1e3
}
