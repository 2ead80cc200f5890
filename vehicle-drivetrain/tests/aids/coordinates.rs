//! Aids in axes and lengths of another world than their vehicle's.

use vehicle_core::SimulationParams;
use vehicle_core::blueprint::CarBlueprint;
use vehicle_core::convert::Convert;
use vehicle_core::frame::{CoordinateConversion, CoordinateSystem, Frame};
use vehicle_core::sequence::UpdateError;
use vehicle_drivetrain::aids::{AidsParams, AntiLockParams};
use vehicle_drivetrain::{EngineDriveParams, EngineDriveVehicle};

#[test]
fn aids_of_another_world_are_refused_by_name() {
    let meters = CoordinateSystem { frame: Frame::Y_UP, length_scale: 1.0 };
    let centimeters = CoordinateSystem { frame: Frame::Y_UP, length_scale: 100.0 };
    let z_up = CoordinateSystem { frame: Frame::Z_UP, length_scale: 100.0 };
    let conversion = CoordinateConversion::new(&meters, &centimeters);
    let mechanics = CarBlueprint::default().mechanics().expect("a car");
    let params = EngineDriveParams::automatic(mechanics, &[2, 3]).converted(&conversion);
    let simulation = SimulationParams::default().converted(&conversion);
    let faults = |coordinates| {
        let mut car = EngineDriveVehicle::new(params.clone()).expect("faultless");
        let anti_lock = Some(AntiLockParams::default());
        let aids = AidsParams { coordinates, anti_lock, ..AidsParams::default() };
        car.set_aids(aids).expect("faultless");
        UpdateError::check(&car, 1.0 / 60.0, &simulation).err().map(|error| error.to_string())
    };
    assert_eq!(faults(centimeters), None);
    let of_meters = faults(meters).expect("lengths of another unit");
    let fault = "aids.coordinates.length_scale must be 100, that of the world, got 1";
    assert!(of_meters.contains(fault), "{of_meters}");
    let other_axes = faults(z_up).expect("other axes");
    assert!(other_axes.contains("aids.coordinates.frame"), "{other_axes}");
}
