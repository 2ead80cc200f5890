//! Vehicles and scenarios that are unlike most: several circles, wheels that steer at the rear, a
//! lock that is too small, brakes that are missing, roads that end.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use rapier3d::prelude::{PhysicsWorld, Pose};
use serde_json::{Value, json};
use snippets::manoeuvres::{Manoeuvre, misfit};
use snippets::measurements::{ProvingGround, Setting, turning_circle};
use tempfile::TempDir;
use vehicle_rapier::core::Frame;
use vehicle_rapier::prelude::*;
use vehicle_rapier::vehicle_file::{MechanicsSource, Preset, TireSource, VehicleFile};

use crate::common::{driven, last};

/// A file of the hot hatch with other mechanics.
fn changed(change: impl FnOnce(&mut MechanicalParams<TireSource>)) -> Result<(TempDir, String)> {
    let car = AnyVehicle::preset("hot_hatch")?.insert(&mut PhysicsWorld::new(), Pose::IDENTITY);
    let mut file = car.to_file();
    if let MechanicsSource::Parameters(mechanics) = &mut file.mechanics {
        change(mechanics);
    }
    written(&file)
}

fn written(file: &VehicleFile) -> Result<(TempDir, String)> {
    let folder = tempfile::tempdir()?;
    let path: PathBuf = folder.path().join("car.json");
    fs::write(&path, file.to_text(FileFormat::Json)?)?;
    Ok((folder, path.to_string_lossy().into_owned()))
}

/// A scenario of these phases.
fn scenario(start: &Value, ground: &Value, phases: &Value) -> Result<Manoeuvre> {
    let scenario = json!({
        "version": 1, "title": "Driven", "start": start, "ground": ground, "phases": phases
    });
    Ok(Manoeuvre::from_json(&scenario.to_string(), Path::new(""))?)
}

#[test]
fn a_second_circle_has_its_own_radius() -> Result<()> {
    let circle = |name: &str, radius: f64| {
        json!({
            "name": name, "steer": { "circle": { "radius": radius } },
            "pedals": { "lateral_acceleration": { "constant": 2.0 } }, "until": { "time": 8.0 }
        })
    };
    let phases = json!([circle("small", 30.0), circle("large", 60.0)]);
    let run = driven(&scenario(&json!({ "speed": 7.0 }), &json!({}), &phases)?, "hot_hatch")?;
    let radius = last(&run, "speed")? / last(&run, "yaw rate")?;
    assert!((radius / 60.0 - 1.0).abs() < 0.02, "{radius} m");
    Ok(())
}

#[test]
fn cars_that_steer_at_the_rear_hold_a_circle() -> Result<()> {
    let circle = json!([{
        "name": "turn", "steer": { "circle": { "radius": 20.0 } },
        "pedals": { "lateral_acceleration": { "constant": 1.0 } }, "until": { "time": 8.0 }
    }]);
    let circle = scenario(&json!({ "speed": 4.0 }), &json!({}), &circle)?;
    // Shares of the lock of the front and the rear wheels, and its sign.
    for (front, rear, sign) in
        [(0.0, -1.0, 1.0), (0.0, 1.0, -1.0), (1.0, -0.5, 1.0), (-1.0, 0.0, -1.0)]
    {
        let (_folder, name) = changed(|mechanics| {
            let parts = [front, front, rear, rear];
            let steering = &mut mechanics.steering;
            steering.wheel_multipliers.iter_mut().zip(parts).for_each(|(part, to)| *part = to);
            steering.max_response *= sign;
        })?;
        let shares = format!("{front} in front, {rear} at the rear, sign {sign}");
        let base = ProvingGround::ready(&name, &Setting::default())?.wheel_base();
        assert!((base - 2.63).abs() < 0.02, "{shares}: {base} m");
        let run = driven(&circle, &name)?;
        let radius = last(&run, "speed")? / last(&run, "yaw rate")?;
        assert!((radius / 20.0 - 1.0).abs() < 0.02, "{shares}: {radius} m");
        // At 0.1 g, wheels roll almost where they point.
        let understeer = last(&run, "understeer angle")?;
        assert!(understeer.abs() < 0.02, "{shares}: {understeer} rad");
        let diameter = turning_circle(&name, &Setting::default())?.context("it steers")?;
        assert!((4.0..16.0).contains(&diameter), "{shares}: {diameter} m");
    }
    Ok(())
}

#[test]
fn more_than_full_lock_or_full_brake_is_remarked() -> Result<()> {
    let turn = |angle: f64| json!({ "wheel_angle": { "constant": angle } });
    let phases = |steer: Value, deceleration: f64| {
        json!([
            { "name": "turn", "steer": steer, "until": { "time": 0.5 } },
            { "name": "stop", "pedals": { "deceleration": { "constant": deceleration } },
              "until": { "time": 0.5 } }
        ])
    };
    let start = json!({ "speed": 10.0, "gear": "neutral" });
    for (steer, deceleration, remarks) in [
        (turn(0.3), 4.0, &[][..]),
        (turn(1.2), 4.0, &["its steering is held at full lock in phase \"turn\""]),
        (turn(-0.3), 90.0, &["its brakes give no more in phase \"stop\""]),
    ] {
        let manoeuvre = scenario(&start, &json!({}), &phases(steer, deceleration))?;
        assert_eq!(driven(&manoeuvre, "hot_hatch")?.remarks, remarks);
    }
    Ok(())
}

#[test]
fn brakes_that_are_missing_are_told() -> Result<()> {
    let braking = Manoeuvre::of_name("braking")?;
    let by_hand = json!([
        { "name": "slide", "hand_brake": { "constant": 1.0 }, "until": { "time": 1.0 } }
    ]);
    let by_hand = scenario(&json!({ "speed": 10.0 }), &json!({}), &by_hand)?;
    for (count, manoeuvre, said) in [
        (0, &braking, Some("it has no brakes")),
        (1, &braking, None),
        (1, &by_hand, Some("it has no hand brake")),
        (2, &by_hand, None),
    ] {
        let (_folder, name) = changed(|mechanics| {
            let first = mechanics.brakes[0].clone();
            mechanics.brakes.clear();
            mechanics.brakes.extend(std::iter::repeat_n(first, count));
        })?;
        let why = misfit(manoeuvre, &name)?;
        let is_said = why.as_deref().map(|why| said.is_some_and(|said| why.starts_with(said)));
        assert_eq!(is_said, said.map(|_| true), "{count} brakes: {why:?}");
    }
    Ok(())
}

#[test]
fn what_has_not_stopped_has_no_stopping_distance() -> Result<()> {
    let braking = Manoeuvre::of_name("braking")?;
    let (_folder, name) = changed(|mechanics| {
        mechanics.brakes.iter_mut().for_each(|brake| brake.max_response *= 0.005);
    })?;
    let run = driven(&braking, &name)?;
    assert!(1.0 < last(&run, "speed")?);
    for figure in braking.figures.iter().filter(|figure| figure.name != "largest deceleration") {
        let is_of_stop = ["100 to 0 km/h", "mean deceleration", "time"].contains(&&*figure.name);
        assert_eq!(run.figure(figure).is_none(), is_of_stop, "{}", figure.name);
    }
    Ok(())
}

#[test]
fn vehicles_with_other_axes_are_refused() -> Result<()> {
    let mut file: Value = serde_json::from_str(Preset::of_name("hot_hatch")?.text)?;
    let frame = serde_json::to_value(Frame::Z_UP)?;
    (file["mechanics"]["data_sheet"]["frame"], file["frame"]) = (frame.clone(), frame);
    let (_folder, name) = written(&serde_json::from_value(file)?)?;
    let braking = Manoeuvre::of_name("braking")?;
    for error in [
        ProvingGround::new(&name, &Setting::default(), 0.0).err(),
        braking.check_for(&name, &Setting::default()).err(),
    ] {
        let said = format!("{:#}", error.context("it is refused")?);
        assert!(said.contains("frame: must be") && said.contains("+z forward and +y up"), "{said}");
    }
    Ok(())
}

#[test]
fn rough_roads_last_as_long_as_the_drive_or_end_it() -> Result<()> {
    let ground = json!({ "roughness": { "density": 6.4e-5, "seed": 1 } });
    let ride = json!([{
        "name": "ride", "pedals": { "speed": { "constant": 30.0 } }, "until": { "time": 24.0 }
    }]);
    let run = driven(&scenario(&json!({ "speed": 30.0 }), &ground, &ride)?, "hot_hatch")?;
    assert_eq!(run.cut_short, None);
    assert!(700.0 < last(&run, "way")?);
    let rough = run.telemetry.column("vertical acceleration")?;
    let end = rough[rough.len() - 60..].iter().map(|value| value.abs()).fold(0.0, f64::max);
    assert!(0.3 < end, "{end} m/s² at the end");

    let turn = json!([{
        "name": "turn", "steer": { "circle": { "radius": 30 } },
        "pedals": { "lateral_acceleration": { "constant": 3.0 } }, "until": { "time": 20.0 }
    }]);
    let run = driven(&scenario(&json!({ "speed": 9.0 }), &ground, &turn)?, "hot_hatch")?;
    let why = run.cut_short.clone().context("the road is 20 m wide")?;
    assert!(why.starts_with("its road ends ") && last(&run, "aside")? < 10.0, "{why}");
    Ok(())
}
