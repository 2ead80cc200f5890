//! Aids that know only what a car can measure, as they begin.

use rapier3d::prelude::*;
use vehicle_rapier::drivetrain::aids::{Aid, AidsParams};
use vehicle_rapier::prelude::*;

use crate::scene::{Result, all_aids, on_road, on_road_with, with_substeps};

#[test]
fn aids_of_a_frame_see_the_body_as_the_frame_before_has_left_it() -> Result {
    for substeps in [1, 3] {
        let model = with_substeps("hot_hatch", substeps)?;
        let (mut world, mut car) = on_road_with(&model, all_aids(), [1.0; 2], 20.0, 60.0)?;
        for step in 0..40 {
            (car.commands_mut().steer, car.commands_mut().brakes[0]) = (0.2, 0.3);
            car.step(&mut world)?;
            let seen = car.vehicle.aided().memory().ok_or("no aids")?.body;
            let body = car.vehicle.body();
            let turned = body.pose.rotation.inverse();
            let velocity = turned * body.linear_velocity;
            let yaw_rate = (turned * body.angular_velocity).y;
            let what = format!("{substeps} substeps, step {step}: {seen:?}");
            assert!((seen.longitudinal_speed - velocity.z).abs() < 1e-3, "{velocity}, {what}");
            assert!((seen.lateral_speed - velocity.x).abs() < 1e-3, "{velocity}, {what}");
            assert!((seen.yaw_rate - yaw_rate).abs() < 1e-4, "{yaw_rate}, {what}");
        }
    }
    Ok(())
}

#[test]
fn sensors_know_the_speed_of_a_car_that_rolls_as_they_begin() -> Result {
    let aids = AidsParams { use_sensors: true, ..all_aids() };
    for preset in ["hot_hatch", "sports_car", "electric_car"] {
        // Aids are given at 25 m/s.
        let (mut world, mut car) = on_road(preset, aids, [1.0; 2], 25.0, 60.0)?;
        for step in 0..180 {
            car.commands_mut().throttle = 0.3;
            car.step(&mut world)?;
            let report = car.vehicle.aided().report();
            assert!(!report.is_active(Aid::Traction), "{preset}: step {step}");
        }
        let kept = car.forward_speed();
        // It is put to rest, and to another speed.
        for speed in [0.0, 30.0] {
            car.set_velocity(&mut world.bodies, Vector::Z * speed)?;
            for step in 0..60 {
                car.commands_mut().throttle = 0.1;
                car.step(&mut world)?;
                let report = car.vehicle.aided().report();
                // The gear is that of the speed before for a while.
                let is_known = 0.0 < speed && 10 < step;
                let spins = is_known && report.is_active(Aid::Traction);
                assert!(!spins, "{preset}: step {step} after {speed} m/s");
            }
        }
        assert!(24.0 < kept, "{preset}: {kept} m/s");
    }
    Ok(())
}
