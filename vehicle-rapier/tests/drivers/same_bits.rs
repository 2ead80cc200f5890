//! Drivers give the same bits in any number of threads, and after a step back.

use std::error::Error;
use std::sync::Arc;

use rapier3d::prelude::*;
use snippets::fingerprint::Fingerprint;
use snippets::scenes::level_world;
use vehicle_rapier::drivetrain::driver::{PathDriver, PathDriverState, ProfileParams};
use vehicle_rapier::prelude::*;

use crate::common::DT;
use crate::tracks::{Drive, circuit};

fn add(bits: &mut Fingerprint, car: &AnyRapierVehicle, bodies: &RigidBodySet) {
    let body = &bodies[car.body()];
    bits.add(&body.translation().to_array());
    bits.add(&body.rotation().to_array());
    bits.add(&body.linvel().to_array());
}

/// Some presets, each on its own track, driven as a fleet by so many threads.
fn fleet_bits(threads: usize) -> Result<Fingerprint, Box<dyn Error>> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    let mut world = level_world(DT, 1.0);
    let (mut fleet, mut drivers) = (Fleet::new(), Vec::new());
    for (index, name) in ["hot_hatch", "electric_car", "gt", "motorcycle"].iter().enumerate() {
        let aside = Vector::X * (200.0 * index as Real);
        let points: Vec<_> = circuit(120.0, 22.0).into_iter().map(|point| point + aside).collect();
        let path = vehicle_rapier::drivetrain::driver::Path::closed(&points, &Frame::Y_UP)?;
        let vehicle = AnyVehicle::preset(name)?;
        let up = Vector::Y * (vehicle.standing_height(9.81) + 0.02);
        let car = vehicle.insert(&mut world, Pose::from_translation(aside + up));
        let model = Arc::new(car.driver_model(&[])?);
        let path = path.with_profile(model.figures(), &ProfileParams::default())?;
        drivers.push((fleet.insert(car), PathDriver::new(model), path));
    }
    let mut bits = Fingerprint::default();
    for _ in 0..600 {
        for (handle, driver, path) in &mut drivers {
            let view = fleet[*handle].driver_view();
            let driven = driver.update(path, &view, DT);
            fleet[*handle].drive_by(&driven);
        }
        pool.install(|| assert!(fleet.update(&mut world).is_empty(), "all can be driven"));
        world.step();
        for (handle, _, _) in &drivers {
            add(&mut bits, &fleet[*handle], &world.bodies);
        }
    }
    Ok(bits)
}

#[test]
fn drivers_give_the_same_bits_on_one_and_two_threads() -> Result<(), Box<dyn Error>> {
    assert_eq!(fleet_bits(1)?, fleet_bits(2)?);
    Ok(())
}

#[test]
fn a_driver_goes_back_with_its_vehicle() -> Result<(), Box<dyn Error>> {
    let points = circuit(120.0, 22.0);
    let profile = ProfileParams::default();
    let mut drive = Drive::new("sports_car", level_world(DT, 1.0), &points, &profile)?;
    for _ in 0..500 {
        drive.step()?;
    }
    let vehicle = drive.train[0].snapshot(&drive.world.bodies)?;
    let text = serde_json::to_string(&drive.driver.state)?;
    let mut found = Vec::new();
    for _ in 0..2 {
        drive.train[0].restore(&mut drive.world, &vehicle)?;
        drive.driver.state = serde_json::from_str::<PathDriverState>(&text)?;
        let mut bits = Fingerprint::default();
        for _ in 0..200 {
            drive.step()?;
            add(&mut bits, &drive.train[0], &drive.world.bodies);
        }
        found.push(bits);
    }
    assert_eq!(found[0], found[1]);
    Ok(())
}
