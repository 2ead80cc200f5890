//! Chapter of closed forms: cars where they are as simple as models that can be solved by hand.

use anyhow::Result;
use vehicle_rapier::core::context::GRAVITY;

use super::check::{Chapter, Check, Section};
use super::swings::losses;
pub use super::swings::{conserved, natural};
use super::turning::THEORY;
pub use super::turning::{
    Driven, SPEED, YawModes, at_a_fifth_of_gravity, braking, coast_down, consumption, small_angles,
    yaw_modes,
};
use crate::measurements::theory::SingleTrack;
use crate::measurements::{ProvingGround, Setting};

/// Presets that stand on the scales.
const STANDING: [&str; 5] = ["city_car", "hot_hatch", "sports_car", "pick_up", "drift_car"];

/// Loads of the axles of cars at rest.
///
/// # Errors
///
/// If there is no such car.
pub fn axle_loads() -> Result<Vec<Check>> {
    let mut checks = Vec::new();
    for name in STANDING {
        let mut ground = ProvingGround::new(name, &Setting::default(), 0.0)?;
        ground.steps_for(3.0)?;
        let suspensions = &ground.front().mechanics().state.suspensions;
        let loads: Vec<f64> =
            suspensions.iter().map(|wheel| f64::from(wheel.force.normal_load)).collect();
        let SingleTrack { mass, places: [front, rear], .. } = SingleTrack::of(name)?;
        let weight = mass * f64::from(GRAVITY);
        let expected = [rear, front].map(|arm| weight * arm / (front + rear));
        for (axle, expected) in ["front", "rear"].into_iter().zip(expected) {
            let own = if axle == "front" { &loads[..2] } else { &loads[2..] };
            checks.push(Check::relative(
                format!("{name}: load of the {axle} axle at rest"),
                "m g by the distances of the axles",
                [own.iter().sum(), expected],
                "N",
                0.005,
            ));
        }
    }
    Ok(checks)
}

/// Closed forms.
pub(super) fn chapter() -> Result<Chapter> {
    let section = |title: &str, text: &str, checks: Vec<Check>| Section {
        title: title.into(),
        text: vec![text.into()],
        checks,
        ..Section::default()
    };
    let mut cornering = small_angles()?;
    cornering.extend(at_a_fifth_of_gravity()?);
    let mut along = coast_down()?;
    along.extend(consumption()?);
    along.extend(braking()?);
    let modes = yaw_modes()?;
    let sections = vec![
        section(
            "Steady bends",
            &format!(
                "Presets at 80 km/h and 60 steps per second, in neutral. Values at no lateral acceleration are twice \
                 those at a steer angle of 0.004 rad less those at 0.008 rad. The [linear single-track model]({}) \
                 has the trails of the tires and what rolling resistance does to the yaw moment.",
                link(THEORY)
            ),
            cornering,
        ),
        yaw(&modes)?,
        section("Axle loads at rest", "After 3 s on level ground.", axle_loads()?),
        section(
            "Rolling and braking",
            "Presets at 60 steps per second: rolling out in neutral, holding a speed, and a stop at 4 m/s² by the brakes alone. Loads \
             and pitch are those after 60 % of the stop.",
            along,
        ),
        Section {
            title: "Swings".into(),
            text: vec![
                "Cars whose dampers are taken away, pushed by 5 cm/s up or 0.02 rad/s in pitch or in roll: where the \
                 spectrum of 40 s is largest. Bodies swing at 240 steps per second, wheels hop at 960."
                    .into(),
            ],
            checks: natural()?,
            ..Section::default()
        },
        Section {
            title: "Damping by the steps".into(),
            text: vec![
                "The table has the part of the amplitude of bounce that is left after 10 s without dampers. It should \
                 be 100 %. Half is a damping ratio of 0.01; real dampers have 0.2 to 0.5. Wheels with mass are \
                 implicit, and lose amplitude in long steps. On wheels without mass, the body goes through a frame by \
                 the velocity of its last substep, as in the reference. So it loses amplitude in substeps."
                    .into(),
            ],
            table: losses()?,
            ..Section::default()
        },
        section(
            "What is conserved",
            "Two cars run for ten minutes at 60 steps per second without substeps. One is on springs without dampers. \
             The other is high in the air and spins without gravity: moments 2,000, 2,000 and 1,000 kg·m², 1 rad/s \
             about the third axis and 0.3 rad/s across. In the air the physics engine moves the body. In 10 min its \
             energy drifts by some percent, and a bare body of the engine does exactly the same.",
            conserved()?,
        ),
    ];
    Ok(Chapter {
        title: "Closed forms".into(),
        summary: "models that are solved by hand".into(),
        sections,
    })
}

/// The section of yaw.
fn yaw(modes: &YawModes) -> Result<Section> {
    let text = "At 100 km/h in neutral, the front wheels turn by up to 0.004 rad and back, in half a sine wave of \
                0.1 s. The simulation takes 960 steps per second. Then the wheels are straight, and side slip and \
                yaw rate swing out. A matrix is fitted to this motion: it leads from side slip and yaw rate at each \
                step to those at the next. Its eigenvalues give frequency and damping ratio. The expected values \
                come from a linear single-track model that rolls on its springs and dampers. It has the steer angles \
                of the car, and its motion is fitted in the same way. Roll raises the frequency of yaw: the last \
                table has the same figures without roll.";
    Ok(Section {
        title: "Yaw".into(),
        text: vec![text.into()],
        checks: modes.checks.clone(),
        table: modes.table.clone(),
        charts: vec![(
            "yaw".into(),
            modes.chart.clone(),
            "Yaw rate of the city car: blue ours, orange the linear model that rolls, green the one that does not.".into(),
        )],
    })
}

/// The address of a link in Markdown.
fn link(text: &str) -> &str {
    text.split_once('(').map_or(text, |(_, address)| address.trim_end_matches(')'))
}
