//! The ready manoeuvres: scenario files of the folder `snippets/manoeuvres`, in the program itself.

use std::path::Path;

use anyhow::{Context, Result};

use super::scenario::Manoeuvre;

/// A ready manoeuvre.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ready {
    /// Name of its file, without extension.
    pub name: &'static str,
    /// The file.
    pub text: &'static str,
}

/// The files of these names.
macro_rules! ready {
    ($($name:literal),* $(,)?) => {
        [$(Ready {
            name: $name,
            text: include_str!(concat!("../../manoeuvres/", $name, ".json")),
        }),*]
    };
}

/// All ready manoeuvres, in the order in which they are listed and driven.
pub static READY: [Ready; 27] = ready![
    "acceleration",
    "braking",
    "split_friction_braking",
    "braking_in_turn",
    "constant_radius",
    "constant_steer",
    "slow_ramp_steer",
    "step_steer",
    "sine_sweep",
    "random_steer",
    "on_centre_weave",
    "sine_with_dwell",
    "double_lane_change",
    "obstacle_avoidance",
    "power_off_in_turn",
    "fishhook",
    "j_turn",
    "coast_down",
    "constant_speed",
    "hill_start",
    "trailer_sway",
    "rear_amplification",
    "rough_road",
    "four_posts",
    "kinematics_bump",
    "kinematics_roll",
    "kinematics_steering",
];

/// The ready manoeuvre of this name.
pub fn of_name(name: &str) -> Option<&'static Ready> {
    READY.iter().find(|ready| ready.name == name)
}

impl Ready {
    /// What its file says.
    ///
    /// # Errors
    ///
    /// All faults of the file.
    pub fn manoeuvre(&self) -> Result<Manoeuvre> {
        let manoeuvre = Manoeuvre::from_json(self.text, Path::new(""));
        manoeuvre.with_context(|| format!("the ready manoeuvre `{}`", self.name))
    }
}
