//! From an engine's data sheet to a whole drivetrain.

use serde::{Deserialize, Serialize};
use vehicle_core::context::GRAVITY;
use vehicle_core::error::{Bound, ParamCheck, ParamErrors, Validate};
use vehicle_core::math::{Clamped, Real};
use vehicle_core::vehicle::MechanicalParams;

use crate::differential::{DifferentialParams, MultiWheelDifferentialParams};
use crate::drivetrain::DrivetrainParams;
use crate::engine::EngineParams;
use crate::engine_drive_vehicle::EngineDriveParams;
use crate::gearbox::{GearboxParams, MAX_GEARS};
use crate::plausible;

/// Slope that a vehicle climbs at least in first gear at peak torque, as a part of its weight
/// (dimensionless).
const CLIMB: Real = 0.45;
/// Drive force in first gear at most, by the weight (dimensionless): tires have no more.
const MOST_FORCE: Real = 0.9;
/// Speed in first gear as the engine idles, at most (m/s): a walk that lets the clutch close.
const IDLE_SPEED_IN_FIRST: Real = 2.2;
/// Largest ratio of two gears next to each other (dimensionless).
const LARGEST_STEP: Real = 1.45;
/// Most steps between forward gears.
const MOST_STEPS: Real = (MAX_GEARS - 3) as Real;
/// Ratio of the last gear without its final drive (dimensionless).
const LAST_RATIO: Real = 0.8;
/// Ratio of the reverse gear by that of the first one (dimensionless).
const REVERSE: Real = 0.92;
/// Part of an engine's largest power that makes a car faster on average, from rest to a speed far
/// below its top speed. The rest is lost below the speed of most power, as the clutch closes and
/// gears are shifted, and to air and tires. Cars that their tires do not hold back reach 0.46 to
/// 0.58 (dimensionless).
const MEAN_POWER: Real = 0.5;

/// The data sheet of an engine with an automatic gearbox: what is known of a vehicle whose torque
/// curve and gears are not.
///
/// The engine is [`EngineParams::of_power`], with clutch and shift map to it. The gears follow from
/// the vehicle, of mass `m` and with driven wheels of radius `R`. The last one reaches the top
/// speed `v` at the speed of most power `ω_P`. The first one goes at a walk at the idle speed
/// `ω_0`, but pulls 45 to 90 % of the weight at the peak torque `T`. Those between are a geometric
/// series with steps of at most 1.45.
///
/// ```text
/// i_last = ω_P R / v,   i_first = ω_0 R / (2.2 m/s), within [0.45, 0.9] m g R / T
/// ```
///
/// An open differential gives all driven wheels the same torque.
///
/// ```
/// use vehicle_core::blueprint::CarBlueprint;
/// use vehicle_drivetrain::blueprint::EngineBlueprint;
///
/// let car = CarBlueprint::default();
/// let engine = EngineBlueprint {
///     power: 110e3,
///     power_speed: 580.0,
///     max_speed: 680.0,
///     top_speed: 58.0,
///     driven: vec![0, 1],
/// };
/// let params = engine.vehicle(car.mechanics()?)?;
/// assert_eq!(params.drivetrain.gearbox.ratios.len(), 7); // reverse, neutral and five gears
/// # Ok::<(), vehicle_core::ParamErrors>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct EngineBlueprint {
    /// Largest power, at the clutch (W); 1 hp is 735.5 W.
    pub power: Real,
    /// Engine speed at which it has it (rad/s); 1,000 revolutions per minute are 104.7 rad/s.
    pub power_speed: Real,
    /// Largest engine speed (rad/s).
    pub max_speed: Real,
    /// Speed at which the last gear has the largest power (m/s). A car with power to spare goes
    /// beyond, up to the engine's largest speed.
    pub top_speed: Real,
    /// Wheels that it turns.
    pub driven: Vec<usize>,
}

impl Validate for EngineBlueprint {
    fn check(&self, check: &mut ParamCheck) {
        check.number("power", self.power, Bound::Positive);
        check.number("power_speed", self.power_speed, Bound::Positive);
        check.number("max_speed", self.max_speed, Bound::Positive);
        let requirement = format_args!("at least {}, that of the power", self.power_speed);
        let has_power = self.power_speed <= self.max_speed;
        check.require("max_speed", has_power, requirement, self.max_speed);
        check.number("top_speed", self.top_speed, Bound::Positive);
        check.require("driven", !self.driven.is_empty(), "at least one wheel", "none");
    }
}

impl EngineBlueprint {
    /// Power with which a vehicle of `mass` (kg) reaches `speed` (m/s) in `time` (s), if its tires
    /// can bring it onto the road (W). Use it when only the 0 to 100 km/h time is known.
    ///
    /// ```text
    /// P = m v² / (2 η t),   η = 0.5
    /// ```
    pub fn power_for(mass: Real, speed: Real, time: Real) -> Real {
        0.5 * mass * speed * speed / (MEAN_POWER * time)
    }

    /// A vehicle on `mechanics` that this engine drives.
    ///
    /// # Errors
    ///
    /// All faults of data sheet and mechanics. A wheel that is driven and does not exist is one,
    /// and so is a top speed that would need more gears than a gearbox has.
    pub fn vehicle<Tire>(
        &self,
        mechanics: MechanicalParams<Tire>,
    ) -> Result<EngineDriveParams<Tire>, ParamErrors> {
        let drivetrain = self.drivetrain(&mechanics)?;
        Ok(EngineDriveParams { mechanics, drivetrain })
    }

    /// The drivetrain of a vehicle on `mechanics`.
    ///
    /// # Errors
    ///
    /// As of [`vehicle`](Self::vehicle).
    pub fn drivetrain<Tire>(
        &self,
        mechanics: &MechanicalParams<Tire>,
    ) -> Result<DrivetrainParams, ParamErrors> {
        self.validate()?;
        let wheel_count = mechanics.axles.wheel_count();
        let mut check = ParamCheck::default();
        for (index, &wheel) in self.driven.iter().enumerate() {
            let is_there = wheel < wheel_count && !self.driven[..index].contains(&wheel);
            let requirement = format_args!("a wheel below {wheel_count}, each once");
            check.require(format_args!("driven[{index}]"), is_there, requirement, wheel);
        }
        let mass = mechanics.rigid_body.mass;
        let engine_speed = plausible::sheet_speed(mass);
        let power = plausible::power(mass);
        power.check(&mut check, "power", self.power);
        engine_speed.check(&mut check, "power_speed", self.power_speed);
        engine_speed.check(&mut check, "max_speed", self.max_speed);
        let drag_area = mechanics.aerodynamics.drag_area.abs();
        // What follows from a power that no vehicle has is not checked.
        if power.holds(self.power) {
            let top_speed = plausible::top_speed(self.power, drag_area);
            top_speed.check(&mut check, "top_speed", self.top_speed);
        }
        check.finish()?;
        let radii = self.driven.iter().map(|&wheel| mechanics.wheels[wheel].radius);
        let radius = radii.sum::<Real>() / self.driven.len() as Real;
        let engine = EngineParams::of_power(self.power, self.power_speed, self.max_speed);
        let gearbox = self.gearbox(&engine, mass, radius)?;
        let differential = MultiWheelDifferentialParams::equal(wheel_count, &self.driven);
        let differential = DifferentialParams::MultiWheel(differential);
        Ok(DrivetrainParams { gearbox, ..DrivetrainParams::automatic_with(engine, differential) })
    }

    /// Gears for a vehicle of `mass` (kg) whose driven wheels have this `radius` (m); a slow one
    /// has a single gear.
    fn gearbox(
        &self,
        engine: &EngineParams,
        mass: Real,
        radius: Real,
    ) -> Result<GearboxParams, ParamErrors> {
        let last = self.power_speed * radius / self.top_speed;
        let per_force = mass * GRAVITY * radius / engine.peak_torque;
        let walking = engine.idle_speed * radius / IDLE_SPEED_IN_FIRST;
        let first = walking.clamped(CLIMB * per_force, MOST_FORCE * per_force).max(last);
        let steps = (first / last).ln() / LARGEST_STEP.ln();
        let mut check = ParamCheck::default();
        let most = self.top_speed * LARGEST_STEP.powf(MOST_STEPS - steps);
        let requirement = format_args!("at most {most} m/s for this power and mass");
        check.require("top_speed", steps <= MOST_STEPS, requirement, self.top_speed);
        check.finish()?;
        let steps = steps.ceil();
        let ratio = |gear: Real| {
            let done = if steps == 0.0 { 1.0 } else { gear / steps };
            LAST_RATIO * (first / last).powf(1.0 - done)
        };
        let forward: Vec<_> = (0..=steps as usize).map(|gear| ratio(gear as Real)).collect();
        let ratios = [-REVERSE * forward[0], 0.0].into_iter().chain(forward).collect();
        Ok(GearboxParams {
            ratios,
            neutral: 1,
            final_ratio: last / LAST_RATIO,
            ..GearboxParams::default()
        })
    }
}

#[cfg(test)]
mod tests {
    use vehicle_core::blueprint::CarBlueprint;

    use super::*;

    fn saloon() -> EngineBlueprint {
        EngineBlueprint {
            power: 110e3,
            power_speed: 580.0,
            max_speed: 680.0,
            top_speed: 58.0,
            driven: vec![0, 1],
        }
    }

    #[test]
    fn the_last_gear_has_the_top_speed_and_the_first_one_climbs() {
        let car = CarBlueprint::default();
        let params = saloon().vehicle(car.mechanics().unwrap()).unwrap();
        params.validate().unwrap();
        let gearbox = &params.drivetrain.gearbox;
        let overall: Vec<_> =
            gearbox.ratios.iter().map(|ratio| ratio * gearbox.final_ratio).collect();
        let radius = car.wheel.radius;
        let last = overall.last().unwrap();
        assert!((580.0 / last * radius - 58.0).abs() < 1e-3, "{last}");
        let idle = params.drivetrain.engine.idle_speed;
        assert!(idle / overall[2] * radius <= IDLE_SPEED_IN_FIRST * 1.0001);
        for pair in overall[2..].windows(2) {
            assert!((1.0..=LARGEST_STEP * 1.0001).contains(&(pair[0] / pair[1])), "{overall:?}");
        }
    }

    #[test]
    fn heavy_vehicles_climb_in_first_gear() {
        let car = CarBlueprint { mass: 18_000.0, ..CarBlueprint::default() };
        let sheet =
            EngineBlueprint { power_speed: 190.0, max_speed: 230.0, top_speed: 25.0, ..saloon() };
        let params = sheet.vehicle(car.mechanics().unwrap()).unwrap();
        let DrivetrainParams { engine, gearbox, .. } = &params.drivetrain;
        let force = engine.peak_torque * gearbox.ratios[2] * gearbox.final_ratio / car.wheel.radius;
        let weight = car.mass * GRAVITY;
        assert!((force / weight - CLIMB).abs() < 1e-3, "{}", force / weight);
    }

    #[test]
    fn slow_vehicles_have_one_gear() {
        let sheet = EngineBlueprint { top_speed: 5.0, ..saloon() };
        let params = sheet.vehicle(CarBlueprint::default().mechanics().unwrap()).unwrap();
        assert_eq!(params.drivetrain.gearbox.ratios.len(), 3);
        params.validate().unwrap();
    }

    #[test]
    fn faults_are_named() {
        let mechanics = CarBlueprint::default().mechanics().unwrap();
        let text =
            |sheet: EngineBlueprint| sheet.vehicle(mechanics.clone()).unwrap_err().to_string();
        let cases = [
            (
                EngineBlueprint { power: -1.0, ..saloon() },
                "power must be positive and finite, got -1",
            ),
            (EngineBlueprint { max_speed: 500.0, ..saloon() }, "max_speed must be at least 580"),
            (EngineBlueprint { driven: vec![], ..saloon() }, "driven must be at least one wheel"),
            (
                EngineBlueprint { driven: vec![0, 4], ..saloon() },
                "driven[1] must be a wheel below 4",
            ),
            (
                EngineBlueprint { driven: vec![1, 1], ..saloon() },
                "driven[1] must be a wheel below 4",
            ),
        ];
        for (sheet, expected) in cases {
            let text = text(sheet);
            assert!(text.starts_with(expected), "{text}");
        }
    }

    #[test]
    fn a_gearbox_has_so_many_gears_and_no_more() {
        let weak = EngineBlueprint { power: 0.1, ..saloon() };
        let engine = EngineParams::of_power(weak.power, weak.power_speed, weak.max_speed);
        let text = weak.gearbox(&engine, 1_500.0, 0.33).unwrap_err().to_string();
        assert!(text.starts_with("top_speed must be at most"), "{text}");
    }

    #[test]
    fn numbers_in_other_units_are_refused_with_the_unit() {
        let car = CarBlueprint::default();
        let truck =
            CarBlueprint { mass: 18_000.0, size: [7.0, 2.5, 3.0], ..CarBlueprint::default() };
        type Mistake = (&'static str, fn(&mut EngineBlueprint), &'static str);
        const MISTAKES: [Mistake; 6] = [
            ("power", |it| it.power *= 1e-3, "(W)"),
            ("power_speed", |it| it.power_speed /= 0.104_72, "(rad/s)"),
            ("max_speed", |it| it.max_speed /= 0.104_72, "(rad/s)"),
            ("top_speed", |it| it.top_speed *= 3.6, "(m/s)"),
            ("power", |it| it.power *= 1e6, "(W)"),
            ("top_speed", |it| it.top_speed = 0.1, "(m/s)"),
        ];
        let units = ["kilowatts", "revolutions", "revolutions", "km/h", "", ""];
        for (sheet, engine) in [
            (car, saloon()),
            (truck, EngineBlueprint { power: 300e3, power_speed: 300.0, ..saloon() }),
        ] {
            let mechanics = sheet.mechanics().unwrap();
            engine.vehicle(mechanics.clone()).unwrap();
            for ((field, mistake, unit), meant) in MISTAKES.into_iter().zip(units) {
                let mut wrong = engine.clone();
                mistake(&mut wrong);
                wrong.max_speed = wrong.max_speed.max(wrong.power_speed);
                let text = wrong.vehicle(mechanics.clone()).unwrap_err().to_string();
                let start = format!("{field} must be within [");
                assert!(text.contains(&start) && text.contains(unit), "{text}");
                let asks = if meant.is_empty() { String::new() } else { format!(": in {meant}") };
                assert!(text.contains(&asks), "{text}");
            }
        }
    }

    #[test]
    fn power_follows_from_acceleration() {
        let power = EngineBlueprint::power_for(1_500.0, 100.0 / 3.6, 9.5);
        assert!((power / 121.8e3 - 1.0).abs() < 0.01, "{power} W");
    }
}
