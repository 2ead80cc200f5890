//! Aids in axes and lengths of another world than their vehicle's.

use std::ops::ControlFlow::Continue;

use vehicle_core::blueprint::CarBlueprint;
use vehicle_core::commands::Commands;
use vehicle_core::convert::Convert;
use vehicle_core::frame::{CoordinateConversion, CoordinateSystem, Frame};
use vehicle_core::math::{Pose, Vec3};
use vehicle_core::road_geometry::FlatRoad;
use vehicle_core::sequence::UpdateError;
use vehicle_core::{Context, SimulationParams};
use vehicle_drivetrain::aids::{AidsParams, AntiLockParams, LaunchParams};
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

/// Speed after a start with launch control, in m/s, of a car in these `coordinates`.
fn launched(coordinates: CoordinateSystem) -> f32 {
    let meters = CoordinateSystem { frame: Frame::Y_UP, length_scale: 1.0 };
    let conversion = CoordinateConversion::new(&meters, &coordinates);
    let blueprint = CarBlueprint::default();
    let mechanics = blueprint.mechanics().expect("a car");
    let params = EngineDriveParams::automatic(mechanics, &[2, 3]).converted(&conversion);
    let simulation = SimulationParams::default().converted(&conversion);
    let mut car = EngineDriveVehicle::new(params).expect("faultless");
    let launch = Some(LaunchParams::default());
    car.set_aids(AidsParams { coordinates, launch, ..AidsParams::default() }).expect("faultless");
    let scale = coordinates.length_scale;
    let height = Vec3::Y * (blueprint.center_of_mass_height * scale);
    car.state.mechanics.rigid_body.pose = Pose::from_translation(height);
    let (sequence, road) = (EngineDriveVehicle::sequence(), FlatRoad::new(&Frame::Y_UP));
    let context = Context::new(&simulation, &road);
    for step in 0..240 {
        let brake = if step < 120 { 1.0 } else { 0.0 };
        car.commands = Commands { throttle: 1.0, brakes: [brake, 0.0], ..car.commands };
        assert_eq!(sequence.update_checked(&mut car, 1.0 / 60.0, &context), Ok(Continue(())));
    }
    car.state.mechanics.rigid_body.linear_velocity.length() / scale
}

#[test]
fn launch_control_starts_a_car_in_any_unit_of_length() {
    let [in_meters, in_centimeters] = [1.0, 100.0]
        .map(|length_scale| launched(CoordinateSystem { frame: Frame::Y_UP, length_scale }));
    assert!(7.0 < in_meters, "{in_meters} m/s after 2 s");
    let ratio = in_centimeters / in_meters;
    assert!((ratio - 1.0).abs() < 0.02, "{in_meters} and {in_centimeters} m/s");
}
