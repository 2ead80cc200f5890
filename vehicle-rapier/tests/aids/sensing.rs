//! Aids that know only what a car can measure, as they begin.

use rapier3d::prelude::*;
use vehicle_rapier::drivetrain::aids::{Aid, AidsParams};

use crate::scene::{Result, all_aids, on_road};

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
