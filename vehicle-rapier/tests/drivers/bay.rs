//! A trailer that is pushed backward into a bay.

use std::error::Error;
use std::sync::Arc;

use rapier3d::prelude::*;
use snippets::scenes::level_world;
use vehicle_rapier::drivetrain::driver::{Path, PathDriver, Towing};
use vehicle_rapier::prelude::*;

use crate::common::DT;

#[test]
fn a_semi_trailer_is_backed_around_a_corner_into_its_bay() -> Result<(), Box<dyn Error>> {
    let mut world = level_world(DT, 1.0);
    let tractor = AnyVehicle::preset("semi_tractor")?;
    let up = tractor.standing_height(9.81) + 0.02;
    let mut tractor = tractor.insert(&mut world, Pose::from_translation(Vector::Y * up));
    let trailer = AnyVehicle::preset("semi_trailer")?;
    let mut trailer = tractor.insert_trailer("fifth wheel", &trailer, "kingpin", &mut world)?;
    let hitches = [tractor.hitch("fifth wheel")?.position, trailer.hitch("kingpin")?.position];
    let (ours, theirs) = (tractor.mechanics().params, trailer.mechanics().params);
    let towing = Towing::of(ours, theirs, hitches, &Frame::Y_UP)?;
    let model = Arc::new(tractor.driver_model(&[&trailer])?);

    // From the wheels of the trailer straight back, around a corner to the left of who goes that
    // way, and straight into the bay.
    let start = trailer.driver_view().point(-towing.axle);
    let aside = 0.4;
    let corner = [[0.0, 0.0], [15.0, 0.0], [30.0, 0.0], [44.0, 3.0], [55.0, 12.0]];
    let bay = [[60.0, 25.0], [61.0, 40.0], [61.0, 55.0], [61.0, 70.0]];
    let points: Vec<Vector> = corner
        .into_iter()
        .chain(bay)
        .map(|[back, side]: [Real; 2]| {
            Frame::Y_UP.translation(start[0] - back, start[1] + aside - side, 0.0)
        })
        .collect();
    let length = Path::open(&points, &Frame::Y_UP)?.length();
    let path = Path::open(&points, &Frame::Y_UP)?
        .with_speeds(|way| (2.0 * 0.3 * (length - way)).max(0.0).sqrt().min(1.5))?;
    let mut driver = PathDriver::new(model).backward();
    let (mut steps, mut rest) = (0, 0);
    while rest < 60 && steps < 9_000 {
        let (view, seen) = (tractor.driver_view(), trailer.driver_view());
        let driven = driver.update_towing(&path, &view, (&seen, &towing), DT);
        tractor.drive_by(&driven);
        trailer.vehicle.commands_mut().brakes = driven.commands.brakes;
        trailer.follow(&tractor.vehicle, &mut world.bodies);
        tractor.update(&mut world)?;
        trailer.update(&mut world)?;
        world.step();
        steps += 1;
        // A train that stands on its brakes rocks on its springs.
        let is_at_rest = driver.is_at_end(&path) && tractor.forward_speed().abs() < 0.1;
        rest = if is_at_rest { rest + 1 } else { 0 };
    }
    let place = driver.state.place;
    let seen = trailer.driver_view();
    let end = path.at(path.length());
    let heading = seen.heading_error(end.direction.map(|it| -it)).to_degrees();
    let speed = tractor.forward_speed();
    println!(
        "{:.0} s, {speed} m/s, {place:?} of {length}, {heading:.2} degrees",
        steps as Real * DT
    );
    assert!(rest == 60, "not in the bay after {steps} steps: {place:?} of {length}");
    assert!(place.offset.abs() < 0.25, "{place:?}");
    assert!(heading.abs() < 2.0, "{heading} degrees");
    Ok(())
}
