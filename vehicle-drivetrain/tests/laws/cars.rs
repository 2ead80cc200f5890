//! Random cars: those of [`CarBlueprint`], each wheel with its own spring, tire and torque.

use proptest::array::{uniform2, uniform4};
use proptest::prelude::*;
use vehicle_core::blueprint::{AxleKind, AxleRide, CarBlueprint};
use vehicle_core::commands::CommandResponseParams;
use vehicle_core::frame::Frame;
use vehicle_core::math::Real;
use vehicle_core::suspension::AntiRollBarParams;
use vehicle_core::wheel::WheelParams;
use vehicle_drivetrain::DirectDriveParams;

/// Axes of cars and motions as they are drawn.
pub(crate) const FRAME: Frame = Frame::Z_UP;

/// A car whose wheels differ.
#[derive(Clone, Debug)]
pub(crate) struct Car {
    pub(crate) blueprint: CarBlueprint,
    /// Factor of each spring and damper.
    pub(crate) springs: [Real; 4],
    /// Factor of each tire's stiffnesses.
    pub(crate) tires: [Real; 4],
    /// Drive torque of each wheel at full throttle (N·m).
    pub(crate) drive_torques: [Real; 4],
    /// Stiffness of the anti-roll bar of each axle (N/m).
    pub(crate) bars: [Real; 2],
}

impl Car {
    pub(crate) fn params(&self) -> DirectDriveParams {
        let mut mechanics = self.blueprint.mechanics().expect("a faultless car");
        for wheel in 0..4 {
            let spring = &mut mechanics.suspension_forces[wheel];
            spring.stiffness *= self.springs[wheel];
            spring.damping *= self.springs[wheel];
            let tire = &mut mechanics.tires[wheel];
            tire.longitudinal_stiffness *= self.tires[wheel];
            tire.lateral_stiffness *= self.tires[wheel];
        }
        let [front, rear] = self.bars;
        mechanics.anti_roll_bars =
            vec![AntiRollBarParams::new([0, 1], front), AntiRollBarParams::new([2, 3], rear)];
        DirectDriveParams {
            mechanics,
            throttle: CommandResponseParams::linear(1.0, self.drive_torques),
        }
    }
}

prop_compose! {
    pub(crate) fn wheels()(
        radius in 0.25_f32..0.45,
        half_width in 0.07_f32..0.15,
        inertia in 0.3_f32..3.0,
        damping_rate in 0.0_f32..1.0,
    ) -> WheelParams {
        WheelParams { radius, half_width, inertia, damping_rate, ..WheelParams::default() }
    }
}

/// The ride of a rear axle, which is rigid on cars that have much of their travel left (m).
fn rear_ride(travel_left: Real) -> AxleRide {
    if travel_left < 0.1 {
        return AxleRide::default();
    }
    AxleRide { axle: AxleKind::Beam, roll_steer: 0.1, ..AxleRide::default() }
}

prop_compose! {
    fn blueprints()(
        mass in 600.0_f32..3_000.0,
        size in [3.5_f32..5.5, 1.5..2.1, 1.0..1.9],
        (wheel_base, track_width) in (2.2_f32..3.4, 1.3_f32..1.8),
        front_share in 0.35_f32..0.65,
        center_of_mass_height in 0.35_f32..0.9,
        wheel in wheels(),
        (natural_frequency, damping_ratio) in (1.1_f32..2.5, 0.2_f32..1.0),
        travel_left in 0.03_f32..0.2,
        max_steer_angle in 0.3_f32..0.7,
        brake_torques in uniform2(500.0_f32..3_000.0),
        hand_brake_torque in 500.0_f32..3_000.0,
        has_mass in any::<bool>(),
    ) -> CarBlueprint {
        let mut blueprint = CarBlueprint {
            frame: FRAME,
            mass,
            size,
            wheel_base,
            track_width,
            front_share,
            center_of_mass_height,
            wheel,
            natural_frequency,
            damping_ratio,
            max_steer_angle,
            brake_torques,
            hand_brake_torque,
            ride: has_mass.then_some([AxleRide::default(), rear_ride(travel_left)]),
            ..CarBlueprint::default()
        };
        blueprint.travel_distance = blueprint.rest_jounce() + travel_left;
        blueprint
    }
}

prop_compose! {
    pub(crate) fn cars()(
        blueprint in blueprints(),
        springs in uniform4(0.8_f32..1.2),
        tires in uniform4(0.7_f32..1.3),
        drive_torques in uniform4(0.0_f32..1_000.0),
        bars in uniform2(0.0_f32..20e3),
    ) -> Car {
        Car { blueprint, springs, tires, drive_torques, bars }
    }
}
