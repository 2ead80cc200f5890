//! Cars with driver aids.

use anyhow::Context;
use rapier3d::prelude::*;
use vehicle_rapier::drivetrain::aids::{
    AidsParams, AirControlParams, AntiLockParams, BrakeOverrideParams, CounterSteerParams,
    CruiseParams, DriftParams, HandBrakeParams, HillStartParams, LaunchParams, SpeedLimitParams,
    StabilityParams, TorqueVectoringParams, TractionParams,
};
use vehicle_rapier::vehicle_file::{AnyDriveVehicle, AnyVehicle, VehicleFile};

use crate::{Errand, RapierFleet, START_SPEED};

/// The preset whose aids are measured.
pub const AIDED_PRESET: &str = "hot_hatch";

/// Speed limit beyond what the cars reach (m/s).
const SPEED_LIMIT: Real = 40.0;

/// Each aid by itself, with its name in a file, then all of them.
pub fn each_aid() -> Vec<(&'static str, AidsParams)> {
    let none = AidsParams::default();
    let all = all_aids();
    macro_rules! alone {
        ($($aid:ident),*) => {
            vec![$((stringify!($aid), AidsParams { $aid: all.$aid, ..none })),*]
        };
    }
    let mut each = alone!(anti_lock, traction, stability, counter_steer, drift, torque_vectoring);
    each.extend(alone!(launch, hill_start, cruise, speed_limit, hand_brake, brake_override));
    each.extend(alone!(air_control));
    each.extend([("all", all), ("all, by sensors", AidsParams { use_sensors: true, ..all })]);
    each
}

/// The aids of this `name`: `none`, or as [each_aid] names them.
///
/// # Errors
///
/// If there are none of this name.
pub fn aids_named(name: &str) -> anyhow::Result<AidsParams> {
    if name == "none" {
        return Ok(AidsParams::default());
    }
    let found = each_aid().into_iter().find(|(each, _)| *each == name);
    let names = || each_aid().iter().map(|(each, _)| format!("{each:?}")).collect::<Vec<_>>();
    let message = || format!("no aids {name:?}; there are \"none\", {}", names().join(", "));
    Ok(found.with_context(message)?.1)
}

fn all_aids() -> AidsParams {
    AidsParams {
        anti_lock: Some(AntiLockParams::default()),
        traction: Some(TractionParams::default()),
        stability: Some(StabilityParams::default()),
        counter_steer: Some(CounterSteerParams::default()),
        drift: Some(DriftParams::default()),
        torque_vectoring: Some(TorqueVectoringParams::default()),
        launch: Some(LaunchParams::default()),
        hill_start: Some(HillStartParams::default()),
        cruise: Some(CruiseParams::default()),
        speed_limit: Some(SpeedLimitParams { speed: SPEED_LIMIT }),
        hand_brake: Some(HandBrakeParams::default()),
        brake_override: Some(BrakeOverrideParams::default()),
        air_control: Some(AirControlParams::default()),
        ..AidsParams::default()
    }
}

/// A settled fleet of `count` cars of this `preset` that drive with `aids`. Once the fleet is
/// restored, a cruise control keeps the speed.
///
/// # Errors
///
/// If there is no such preset, or if the aids have faults.
pub fn aided_fleet(
    preset: &str,
    aids: AidsParams,
    count: usize,
) -> anyhow::Result<RapierFleet<AnyDriveVehicle>> {
    let file = AnyVehicle::preset(preset)?.file().clone();
    let model = AnyVehicle::new(VehicleFile { aids, ..file }, "")?;
    let mut fleet = RapierFleet::of_model(&model, count, Errand::Driving)?;
    fleet.edit_settled(|car| {
        if let Some(memory) = car.vehicle.aided_mut().memory_mut().filter(|_| aids.cruise.is_some())
        {
            memory.aids.cruise.set(START_SPEED);
        }
    });
    Ok(fleet)
}
