//! Inputs and outputs of scenario files: the wheel whose angle is given, means of columns, tires of
//! the programs' own, forces, torques and energy.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use rapier3d::prelude::{PhysicsWorld, Pose};
use serde_json::{Value, json};
use snippets::manoeuvres::{Manoeuvre, Outcome, Run};
use snippets::measurements::Setting;
use vehicle_rapier::prelude::*;
use vehicle_rapier::vehicle_file::MechanicsSource;

use crate::common::{driven, last};

/// The run of a vehicle that is steered so at 10 m/s, in neutral.
fn steered(vehicle: &str, steer: &Value, folder: &Path) -> Result<Run> {
    let scenario = json!({
        "version": 1,
        "title": "Steered",
        "start": { "speed": 10.0, "gear": "neutral" },
        "phases": [{ "name": "drive", "steer": steer, "until": { "time": 1.0 } }]
    });
    let manoeuvre = Manoeuvre::from_json(&scenario.to_string(), folder)?;
    driven(&manoeuvre, vehicle)
}

#[test]
fn each_wheel_has_the_angle_that_is_given() -> Result<()> {
    for angle in [0.2, -0.2] {
        for wheel in ["inner", "outer", "mean", "left", "right"] {
            let angle_of =
                json!({ "angle_of": { "wheel": wheel, "angle": { "constant": angle } } });
            let by_ratio = json!({ "steering_wheel_angle": {
                "ratio": 16.0, "wheel": wheel, "angle": { "constant": 16.0 * angle }
            } });
            for steer in [angle_of, by_ratio] {
                let run = steered("hot_hatch", &steer, Path::new(""))?;
                let left = last(&run, "steer angle front left")?;
                let right = last(&run, "steer angle front right")?;
                let [smaller, larger] =
                    if left.abs() < right.abs() { [left, right] } else { [right, left] };
                assert!(smaller.abs() + 0.005 < larger.abs(), "{steer}: {left}, {right}");
                let is = match wheel {
                    "inner" => larger,
                    "outer" => smaller,
                    "left" => left,
                    "right" => right,
                    _ => 0.5 * (left + right),
                };
                assert!((is - angle).abs() < 1e-5, "{steer}: {is}, {left} and {right}");
            }
        }
    }
    Ok(())
}

#[test]
fn a_table_is_the_mean_of_its_columns() -> Result<()> {
    let folder = tempfile::tempdir()?;
    fs::write(folder.path().join("angles.csv"), "t,left,right\n0,4,5\n2,8,9\n")?;
    let steer = json!({ "angle_of": { "wheel": "mean", "angle": { "table": {
        "file": "angles.csv", "time": "t", "column": "left", "mean_with": ["right"], "scale": 0.01
    } } } });
    let run = steered("hot_hatch", &steer, folder.path())?;
    let angle = last(&run, "steer angle")?;
    // The last step began at 59/60 s.
    let expected = 0.01 * (4.5 + 2.0 * 59.0 / 60.0);
    assert!((angle - expected).abs() < 1e-5, "{angle}, {expected}");

    let wrong = steer.to_string().replace("right", "rihgt");
    let error = steered("hot_hatch", &serde_json::from_str(&wrong)?, folder.path());
    let said = format!("{:#}", error.expect_err("no such column"));
    assert!(said.contains("table.mean_with: ") && said.contains("did you mean `right`?"), "{said}");
    Ok(())
}

/// A car of ten numbers on a tire of the programs' own.
fn car_on(tire: &str) -> String {
    json!({
        "version": 1,
        "mechanics": { "data_sheet": {
            "mass": 1200.0, "size": [4.0, 1.7, 1.4], "inertia": [400.0, 1700.0, 1900.0],
            "wheel_base": 2.5, "track_width": 1.5, "front_share": 0.6,
            "center_of_mass_height": 0.55, "brake_torques": [2000.0, 800.0]
        } },
        "tires": [{ "own": { "name": tire, "params": { "full_slip_angle": 0.17 } } }],
        "drive": { "direct": {
            "throttle": { "max_response": 500.0, "wheel_multipliers": [1.0, 1.0, 0.0, 0.0] }
        } }
    })
    .to_string()
}

#[test]
fn files_name_tires_of_the_programs_own() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("car.json");
    let name = path.to_string_lossy().into_owned();
    let steer = json!({ "angle_of": { "wheel": "mean", "angle": { "constant": 0.3 } } });
    fs::write(&path, car_on("limited_linear"))?;
    for substeps in [None, Some(2)] {
        let scenario = json!({
            "version": 1,
            "title": "Steered",
            "ground": { "friction": 0.5 },
            "start": { "speed": 10.0, "gear": "neutral" },
            "phases": [{ "name": "drive", "steer": steer, "until": { "time": 1.0 } }]
        });
        let manoeuvre = Manoeuvre::from_json(&scenario.to_string(), Path::new(""))?;
        let setting = Setting { substeps, ..Setting::default() };
        let Outcome::Driven(run) = manoeuvre.drive(&name, &setting)? else { bail!("not for it") };
        // The front tires slide: each has the force that friction allows.
        for wheel in ["front left", "front right"] {
            let force = last(&run, &format!("lateral force {wheel}"))?;
            let along = last(&run, &format!("longitudinal force {wheel}"))?;
            let load = last(&run, &format!("load {wheel}"))?;
            let part = force.hypot(along) / load;
            assert!((part - 0.5).abs() < 2e-3, "{wheel}: {part}");
        }
    }
    fs::write(&path, car_on("limited_liner"))?;
    let error = steered(&name, &steer, Path::new("")).expect_err("no such tire");
    let said = format!("{error:#}");
    assert!(said.contains("tires[0].own.name") && said.contains("`limited_linear`?"), "{said}");
    Ok(())
}

#[test]
fn steering_torque_turns_the_wheels_back() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("car.json");
    let car = AnyVehicle::preset("hot_hatch")?.insert(&mut PhysicsWorld::new(), Pose::IDENTITY);
    let mut file = car.to_file();
    if let MechanicsSource::Parameters(mechanics) = &mut file.mechanics {
        mechanics.steering_system = Some(SteeringSystemParams::car(0, 1));
    }
    fs::write(&path, file.to_text(FileFormat::Json)?)?;
    let steer = json!({ "steering_wheel_angle": { "angle": { "constant": 0.5 } } });
    let run = steered(&path.to_string_lossy(), &steer, Path::new(""))?;
    let [angle, torque] = [last(&run, "steering wheel angle")?, last(&run, "steering torque")?];
    assert!((angle - 0.5).abs() < 1e-4, "{angle} rad");
    assert!((-30.0..-0.5).contains(&torque), "{torque} N·m");
    Ok(())
}

#[test]
fn faults_that_a_vehicle_shows_have_their_line() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("mine.json");
    let text = "{\n  \"version\": 1,\n  \"title\": \"Mine\",\n  \"phases\": [\n    \
                { \"name\": \"roll\", \"until\": { \"time\": 2.0 } }\n  ],\n  \
                \"channels\": [\n    \"speed\",\n    \"yaw rat\"\n  ]\n}\n";
    fs::write(&path, text)?;
    let manoeuvre = Manoeuvre::load(&path)?;
    let error = manoeuvre.check_for("hot_hatch", &Setting::default()).expect_err("a fault");
    let said = format!("{error:#}");
    assert!(said.contains("mine.json: line 9, column "), "{said}");
    assert!(said.contains("channels[1]: unknown channel `yaw rat`"), "{said}");

    fs::write(&path, text.replace("2.0", "-2.0"))?;
    let said = format!("{:#}", Manoeuvre::load(&path).expect_err("a fault"));
    assert!(said.contains("mine.json: line 5, column "), "{said}");
    assert!(said.contains("phases[0].until.time: must be within"), "{said}");
    Ok(())
}

/// A complex number.
#[derive(Clone, Copy)]
struct Complex(f64, f64);

impl Complex {
    fn times(self, other: Self) -> Self {
        Self(self.0 * other.0 - self.1 * other.1, self.0 * other.1 + self.1 * other.0)
    }

    fn by(self, other: Self) -> Self {
        let square = other.0 * other.0 + other.1 * other.1;
        let Self(real, imaginary) = self.times(Self(other.0, -other.1));
        Self(real / square, imaginary / square)
    }

    fn less(self, other: Self) -> Self {
        Self(self.0 - other.0, self.1 - other.1)
    }
}

/// Gain of the body of a quarter car by its post at a frequency (Hz), with the mass `m_s` above the
/// wheel.
///
/// ```text
/// b = K u/(K - ω² m_s),   u (K + T - ω² m_u) - K b = T p,   K = k + j ω c,   T = k_t + j ω c_t
/// ```
fn quarter_car(vehicle: &AnyVehicle, frequency: f64) -> Result<f64> {
    let mechanics = vehicle.mechanics();
    let SuspensionDynamics::Unsprung(wheels) = &mechanics.suspension_dynamics else {
        bail!("wheels with mass")
    };
    let (strut, wheel) = (&mechanics.suspension_forces[0], &wheels[0]);
    let omega = std::f64::consts::TAU * frequency;
    let spring = Complex(strut.stiffness.into(), omega * f64::from(strut.damping));
    let tire = Complex(wheel.tire_stiffness.into(), omega * f64::from(wheel.tire_damping));
    let inertia = |mass: f32| Complex(omega * omega * f64::from(mass), 0.0);
    let body = spring.by(spring.less(inertia(strut.sprung_mass - wheel.mass)));
    let both = Complex(spring.0 + tire.0, spring.1 + tire.1);
    let hub = tire.by(both.less(inertia(wheel.mass)).less(spring.times(body)));
    let Complex(real, imaginary) = body.times(hub);
    Ok(real.hypot(imaginary))
}

#[test]
fn a_car_on_posts_moves_as_its_quarters_do() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("car.json");
    let name = path.to_string_lossy().into_owned();
    let mut car: Value = serde_json::from_str(&car_on("limited_linear"))?;
    let ride =
        json!({ "unsprung_mass": 36.0, "tire_stiffness": 200_000.0, "bump_by_rebound": 1.0 });
    let sheet = &mut car["mechanics"]["data_sheet"];
    (sheet["ride"], sheet["front_share"]) = (json!([ride, ride]), json!(0.5));
    fs::write(&path, car.to_string())?;
    let vehicle = snippets::presets::vehicle(&name)?;
    for frequency in [1.0, 2.0, 4.0, 8.0] {
        let sine =
            json!({ "sine": { "amplitude": 0.003, "frequency": frequency, "periods": 1000 } });
        let response = json!({
            "output": "y", "input": "post", "frequency": frequency, "phase": "shake"
        });
        let scenario = json!({
            "version": 1,
            "title": "Posts",
            "ground": { "friction": 0.01, "posts": { "motion": "heave", "height": sine } },
            "start": { "gear": "neutral" },
            "phases": [
                { "name": "begin", "until": { "time": 5.0 } },
                { "name": "shake", "until": { "time": 10.0 } }
            ],
            "figures": [{ "name": "gain", "value": { "gain": response } }]
        });
        let manoeuvre = Manoeuvre::from_json(&scenario.to_string(), Path::new(""))?;
        let setting = Setting { dt: 1.0 / 480.0, ..Setting::default() };
        let Outcome::Driven(run) = manoeuvre.drive(&name, &setting)? else { bail!("it stands") };
        let gain = run.figure(&manoeuvre.figures[0]).context("a gain")?;
        let expected = quarter_car(&vehicle, frequency)?;
        println!("{frequency} Hz: {gain:.4}, {expected:.4}");
        assert!((gain / expected - 1.0).abs() < 0.01, "{frequency} Hz: {gain}, not {expected}");
    }
    Ok(())
}

#[test]
fn tire_files_are_found_beside_the_vehicle_at_any_number_of_substeps() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let tire = concat!(env!("CARGO_MANIFEST_DIR"), "/../vehicle-core/tests/data/205_60R15.tir");
    fs::copy(tire, folder.path().join("205_60R15.tir"))?;
    let mut car: Value = serde_json::from_str(&car_on("limited_linear"))?;
    car["tires"] = json!([{ "file": { "path": "205_60R15.tir" } }]);
    let path = folder.path().join("car.json");
    fs::write(&path, car.to_string())?;
    let braking = Manoeuvre::of_name("braking")?;
    let mut ways = Vec::new();
    for substeps in [None, Some(2), Some(6)] {
        let setting = Setting { substeps, ..Setting::default() };
        let outcome = braking.drive(&path.to_string_lossy(), &setting)?;
        let Outcome::Driven(run) = outcome else { bail!("it has brakes") };
        ways.push(run.figure(&braking.figures[0]).context("it stops")?);
    }
    for way in &ways {
        assert!((30.0..90.0).contains(way), "{ways:?} m");
        assert!((way / ways[0] - 1.0).abs() < 0.03, "{ways:?} m");
    }
    Ok(())
}
