//! What is usual for the class of each preset, and where that is known from.

use rapier3d::prelude::Real;

/// The lowest and the highest figure that is usual.
pub type Usual = [Real; 2];

/// Figures that are usual for a class of vehicles, on a dry road.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClassFigures {
    /// Name of the preset.
    pub preset: &'static str,
    /// Speed to which it accelerates (km/h).
    pub launch_speed: Real,
    /// Time to that speed from standstill (s).
    pub launch_time: Usual,
    /// Speed from which it stops (km/h).
    pub stop_speed: Real,
    /// Distance in which it stops (m).
    pub stop_distance: Usual,
    /// Top speed (km/h), if its class has one: trucks have a limiter, which is not part of the
    /// vehicle.
    pub top_speed: Option<Usual>,
    /// Radius of the circle in which lateral acceleration and understeer gradient are taken (m);
    /// `None` for a vehicle that turns by its tracks.
    pub circle_radius: Option<Real>,
    /// Largest lateral acceleration (g).
    pub lateral: Usual,
    /// Understeer gradient (degrees/g).
    pub understeer: Usual,
    /// Turning circle between kerbs (m).
    pub turning_circle: Usual,
    /// Time from 30 to 10 km/h in neutral (s), if that is known of its class.
    pub coast_down: Option<Usual>,
    /// Where the class figures are from.
    pub source: &'static str,
}

/// Source of the figures of road cars.
const ROAD_TESTS: &str = "ranges of instrumented road tests of the class. Skid pad (300 feet) and 70 to 0 mph \
    (scaled to 100 km/h): Car and Driver. 100 to 0 km/h, cold: auto motor und sport. Turning circles: the makers. \
    Understeer gradients: Gillespie, Fundamentals of Vehicle Dynamics, and Milliken, Race Car Vehicle Dynamics";
/// Time from 30 to 10 km/h in neutral of cars on road tires (s).
const ROLLING_OUT: Usual = [40.0, 65.0];
/// Source of the figures of race cars.
const RACING: &str = "times and data that teams and the makers publish for the class. Lateral acceleration at the \
    speed of the circle, where downforce is small: Milliken, Race Car Vehicle Dynamics";
/// Source of the figures of trucks.
const TRUCKS: &str = "stopping distances of ECE R13 (at least 5 m/s² with warm brakes) and of road tests of trucks \
    with disc brakes (at most 7 m/s²). Rollover thresholds and understeer gradients of laden trucks: University of \
    Michigan Transportation Research Institute (Winkler, Ervin). Turning circles: the makers";

/// Source of the figures of motorcycles.
const MOTORCYCLES: &str = "ranges of instrumented road tests of naked road motorcycles of 650 to 800 cm³ by Motorrad \
    and Cycle World. They have 0 to 100 km/h, 60 to 0 mph (scaled to 100 km/h) and top speed. Lean of a skilled \
    rider on dry roads, and steering between over- and understeer: Cossalter, Motorcycle Dynamics. Turning circles, \
    about the tires: the makers";

/// The class figures of all presets.
pub const CLASS_FIGURES: [ClassFigures; 14] = [
    ClassFigures {
        preset: "city_car",
        launch_speed: 100.0,
        launch_time: [10.5, 15.0],
        stop_speed: 100.0,
        stop_distance: [36.0, 43.0],
        top_speed: Some([150.0, 180.0]),
        circle_radius: Some(45.7),
        lateral: [0.75, 0.95],
        understeer: [1.5, 5.0],
        turning_circle: [8.8, 10.8],
        coast_down: Some(ROLLING_OUT),
        source: ROAD_TESTS,
    },
    ClassFigures {
        preset: "hot_hatch",
        launch_speed: 100.0,
        launch_time: [6.0, 9.0],
        stop_speed: 100.0,
        stop_distance: [35.0, 42.0],
        top_speed: Some([215.0, 255.0]),
        circle_radius: Some(45.7),
        lateral: [0.85, 1.05],
        understeer: [1.0, 4.0],
        turning_circle: [10.4, 12.0],
        coast_down: Some(ROLLING_OUT),
        source: ROAD_TESTS,
    },
    ClassFigures {
        preset: "sports_car",
        launch_speed: 100.0,
        launch_time: [6.2, 8.5],
        stop_speed: 100.0,
        stop_distance: [34.0, 40.0],
        top_speed: Some([215.0, 245.0]),
        circle_radius: Some(45.7),
        lateral: [0.88, 1.05],
        understeer: [0.5, 3.5],
        turning_circle: [10.0, 11.8],
        coast_down: Some(ROLLING_OUT),
        source: ROAD_TESTS,
    },
    ClassFigures {
        preset: "pick_up",
        launch_speed: 100.0,
        launch_time: [9.5, 14.0],
        stop_speed: 100.0,
        stop_distance: [38.0, 47.0],
        top_speed: Some([165.0, 200.0]),
        circle_radius: Some(45.7),
        lateral: [0.68, 0.85],
        understeer: [1.5, 5.5],
        turning_circle: [11.8, 13.5],
        coast_down: Some(ROLLING_OUT),
        source: ROAD_TESTS,
    },
    ClassFigures {
        preset: "electric_car",
        launch_speed: 100.0,
        launch_time: [6.5, 9.0],
        stop_speed: 100.0,
        stop_distance: [34.0, 41.0],
        top_speed: Some([150.0, 170.0]),
        circle_radius: Some(45.7),
        lateral: [0.8, 1.0],
        understeer: [1.0, 4.0],
        turning_circle: [9.5, 11.5],
        coast_down: None,
        source: ROAD_TESTS,
    },
    ClassFigures {
        preset: "gt",
        launch_speed: 100.0,
        launch_time: [2.7, 4.0],
        stop_speed: 100.0,
        stop_distance: [24.0, 31.0],
        top_speed: Some([260.0, 300.0]),
        circle_radius: Some(45.7),
        lateral: [1.3, 1.7],
        understeer: [-0.5, 2.0],
        turning_circle: [10.5, 14.5],
        coast_down: None,
        source: RACING,
    },
    ClassFigures {
        preset: "drift_car",
        launch_speed: 100.0,
        launch_time: [3.8, 6.0],
        stop_speed: 100.0,
        stop_distance: [34.0, 41.0],
        top_speed: Some([200.0, 300.0]),
        circle_radius: Some(45.7),
        lateral: [0.9, 1.08],
        understeer: [-0.5, 3.0],
        turning_circle: [5.5, 9.0],
        coast_down: None,
        source: RACING,
    },
    ClassFigures {
        preset: "rally_car",
        launch_speed: 100.0,
        launch_time: [3.5, 5.0],
        stop_speed: 100.0,
        stop_distance: [34.0, 41.0],
        top_speed: Some([180.0, 220.0]),
        circle_radius: Some(45.7),
        lateral: [0.9, 1.08],
        understeer: [0.5, 3.5],
        turning_circle: [10.0, 13.0],
        coast_down: None,
        source: RACING,
    },
    ClassFigures {
        preset: "kart",
        launch_speed: 100.0,
        launch_time: [2.6, 4.5],
        stop_speed: 100.0,
        stop_distance: [24.0, 36.0],
        top_speed: Some([125.0, 165.0]),
        circle_radius: Some(15.0),
        lateral: [1.3, 2.0],
        understeer: [-1.0, 3.0],
        turning_circle: [4.0, 7.0],
        coast_down: None,
        source: RACING,
    },
    ClassFigures {
        preset: "motorcycle",
        launch_speed: 100.0,
        launch_time: [3.4, 4.6],
        stop_speed: 100.0,
        stop_distance: [36.0, 45.0],
        top_speed: Some([190.0, 225.0]),
        circle_radius: Some(45.7),
        lateral: [0.65, 0.95],
        understeer: [-6.0, 3.0],
        turning_circle: [4.6, 6.4],
        coast_down: None,
        source: MOTORCYCLES,
    },
    ClassFigures {
        preset: "rc_car",
        launch_speed: 50.0,
        launch_time: [1.2, 3.0],
        stop_speed: 50.0,
        stop_distance: [8.5, 13.0],
        top_speed: Some([50.0, 75.0]),
        circle_radius: Some(3.0),
        lateral: [0.9, 1.3],
        understeer: [-0.5, 4.0],
        turning_circle: [1.0, 1.8],
        coast_down: None,
        source: "speeds that clubs time on their tracks and makers publish for touring cars of the scale 1:10. \
            Lateral acceleration and stopping distance: rubber tires on asphalt, v²/(2 μ g)",
    },
    ClassFigures {
        preset: "tank",
        launch_speed: 32.0,
        launch_time: [4.0, 8.0],
        stop_speed: 60.0,
        stop_distance: [16.0, 32.0],
        top_speed: Some([62.0, 75.0]),
        circle_radius: None,
        lateral: [0.0, 0.0],
        understeer: [0.0, 0.0],
        turning_circle: [0.0, 0.0],
        coast_down: None,
        source: "data that Krauss-Maffei Wegmann publishes for the Leopard 2 (0 to 32 km/h in 6 to 7 s, 72 km/h) and \
            Wong, Theory of Ground Vehicles",
    },
    ClassFigures {
        preset: "truck_6x6",
        launch_speed: 80.0,
        launch_time: [32.0, 70.0],
        stop_speed: 60.0,
        stop_distance: [19.0, 36.0],
        top_speed: None,
        circle_radius: Some(45.7),
        lateral: [0.33, 0.6],
        understeer: [0.5, 7.0],
        turning_circle: [18.0, 24.0],
        coast_down: None,
        source: TRUCKS,
    },
    ClassFigures {
        preset: "semi_tractor",
        launch_speed: 80.0,
        launch_time: [45.0, 80.0],
        stop_speed: 80.0,
        stop_distance: [34.0, 62.0],
        top_speed: None,
        circle_radius: Some(45.7),
        lateral: [0.3, 0.5],
        understeer: [0.5, 7.0],
        turning_circle: [12.0, 16.5],
        coast_down: None,
        source: TRUCKS,
    },
];

/// The class figures of the preset `name`.
pub fn class_figures(name: &str) -> Option<&'static ClassFigures> {
    CLASS_FIGURES.iter().find(|figures| figures.preset == name)
}
