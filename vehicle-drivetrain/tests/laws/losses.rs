//! Brakes and dampers take energy.

use proptest::prelude::*;
use vehicle_core::actuation::WheelActuation;
use vehicle_core::legacy::wheel_rotation_speed;
use vehicle_core::suspension::SuspensionForceParams;
use vehicle_core::suspension::force::spring_force;
use vehicle_core::wheel_rotation::{TireTorque, WheelTorques, coupled_wheel};

use crate::cars::wheels;
use crate::common::seeded;

proptest! {
    #![proptest_config(seeded(10_000))]

    #[test]
    fn a_brake_never_speeds_up_a_wheel_nor_turns_it_around(
        params in wheels(),
        brake in 0.0_f32..20e3,
        rotation_speed in prop_oneof![-300.0_f32..300.0, -0.1_f32..0.1, Just(0.0)],
        dt in 1e-4_f32..0.1,
    ) {
        let torques = WheelTorques { brake, ..WheelTorques::default() };
        let tire = TireTorque::default();
        let coupled = coupled_wheel(&params, &torques, &tire, rotation_speed, dt).rotation_speed;
        let actuation = WheelActuation::from_torques(brake, 0.0);
        let explicit =
            wheel_rotation_speed(&params, &torques, 0.0, actuation, rotation_speed, dt);
        for after in [coupled, explicit] {
            let gained = after * after - rotation_speed * rotation_speed;
            prop_assert!(gained <= 0.0, "{after} rad/s after {rotation_speed} rad/s");
            prop_assert!(0.0 <= after * rotation_speed, "{after} after {rotation_speed} rad/s");
        }
    }

    #[test]
    fn a_damper_takes_energy(
        stiffness in 1e3_f32..500e3,
        damping in 0.0_f32..50e3,
        jounce in 0.0_f32..0.5,
        jounce_speed in prop_oneof![-10.0_f32..10.0, -1e-3_f32..1e-3],
    ) {
        let params = SuspensionForceParams { stiffness, damping, sprung_mass: 400.0 };
        let spring = spring_force(&params, jounce, 0.0);
        let damper = spring_force(&params, jounce, jounce_speed) - spring;
        prop_assert!(damper * jounce_speed <= 0.0, "{damper} N at {jounce_speed} m/s");
    }
}
