//! A differential of one's own: a component in the place of the library's.

mod common;

use std::ops::ControlFlow::{self, Continue};

use common::engine::{EngineScene, limited_slip};
use common::steps;
use vehicle_core::implicit_clutch::WheelConstraint;
use vehicle_core::math::Real;
use vehicle_core::{Component, Context};
use vehicle_drivetrain::differential::{LimitedSlipParams, WheelShare};
use vehicle_drivetrain::drivetrain::HasDrivetrain;
use vehicle_drivetrain::stages::TorqueDistribution;

/// A rigid rear axle: both of its wheels turn as one, and take all of the torque.
struct Spool;

impl<V: HasDrivetrain + ?Sized> Component<V> for Spool {
    fn update(&self, vehicle: &mut V, _dt: Real, _: &Context<'_>) -> ControlFlow<()> {
        let view = vehicle.drivetrain().differential();
        for wheel in view.axles.wheels() {
            let is_driven = 2 <= wheel;
            let part = if is_driven { 0.5 } else { 0.0 };
            let share = WheelShare { torque: part, speed: part, is_connected: is_driven };
            view.shares.set(wheel, share);
            view.constraints[wheel] =
                is_driven.then_some(WheelConstraint { group: 0, speed_multiplier: 1.0 });
        }
        Continue(())
    }
}

#[test]
fn a_spool_turns_both_wheels_of_its_axle_as_one() {
    let mut scene =
        EngineScene::at_rest(limited_slip(LimitedSlipParams { bias: 2.0, target: 1.5 }));
    scene.sequence =
        std::mem::take(&mut scene.sequence).replace::<TorqueDistribution>(Spool).unwrap();
    scene.vehicle.commands.throttle = 0.5;
    scene.vehicle.commands.steer = 1.0;
    let mut differs = 0.0;
    for _ in 0..steps(4.0) {
        scene.step();
        let speeds = scene.wheel_speeds();
        assert!((speeds[2] - speeds[3]).abs() <= 1e-5 * speeds[2].abs(), "{speeds:?}");
        differs = Real::max(differs, (speeds[0] - speeds[1]).abs());
    }
    assert!(1.0 < differs, "the front wheels are free of each other: {differs} rad/s");
    assert!(2.0 < scene.wheel_speeds()[2], "it drives");
}
