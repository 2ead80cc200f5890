//! Vehicles from files with aids, on roads, at a speed.

use rapier3d::prelude::*;
use vehicle_rapier::drivetrain::aids::{
    AidsParams, AntiLockMode, AntiLockParams, CounterSteerParams, HillStartParams, StabilityParams,
    TractionParams,
};
use vehicle_rapier::prelude::*;
use vehicle_rapier::vehicle_file::{AnyRapierVehicle, VehicleFile};

pub(crate) type Result<T = ()> = std::result::Result<T, Box<dyn std::error::Error>>;

pub(crate) const GRAVITY: Real = 9.81;
/// Time for which a vehicle is held at its speed before a scene begins: gearboxes find their gear,
/// and engines their speed (s).
const SETTLING_TIME: Real = 4.0;

/// A preset with `aids` at `speed` (m/s) on a plane of this friction, left and right of its path.
/// It is in the gear of that speed.
pub(crate) fn on_road(
    preset: &str,
    aids: AidsParams,
    friction: [Real; 2],
    speed: Real,
    rate: Real,
) -> Result<(PhysicsWorld, AnyRapierVehicle)> {
    on_road_with(&AnyVehicle::preset(preset)?, aids, friction, speed, rate)
}

/// A preset that takes so many substeps in each step.
pub(crate) fn with_substeps(preset: &str, substeps: u32) -> Result<AnyVehicle> {
    let file = AnyVehicle::preset(preset)?.file().clone();
    Ok(AnyVehicle::new(VehicleFile { substeps: Some(substeps), ..file }, "")?)
}

/// A vehicle of this `model`, see [`on_road`].
pub(crate) fn on_road_with(
    model: &AnyVehicle,
    aids: AidsParams,
    friction: [Real; 2],
    speed: Real,
    rate: Real,
) -> Result<(PhysicsWorld, AnyRapierVehicle)> {
    let mut world = PhysicsWorld::new();
    world.integration_parameters.dt = 1.0 / rate;
    for (side, friction) in [(1.0, friction[0]), (-1.0, friction[1])] {
        let place = Vector::new(side * 3_000.0, -1.0, 0.0);
        let half = ColliderBuilder::cuboid(3_000.0, 1.0, 6_000.0).translation(place);
        world.insert_collider(half.friction(friction), None);
    }
    world.detect_collisions(&(), &());
    let place = Pose::from_translation(Vector::Y * model.standing_height(GRAVITY));
    let mut car = model.insert(&mut world, place);
    for _ in 0..(rate as usize / 2) {
        car.commands_mut().brakes[0] = 0.3;
        car.step(&mut world)?;
    }
    car.commands_mut().brakes[0] = 0.0;
    if 0.0 < speed {
        for _ in 0..(SETTLING_TIME * rate) as usize {
            car.set_velocity(&mut world.bodies, Vector::Z * speed)?;
            car.step(&mut world)?;
        }
    }
    car.set_velocity(&mut world.bodies, Vector::Z * speed)?;
    car.vehicle.set_aids(aids)?;
    Ok((world, car))
}

pub(crate) fn anti_lock(mode: AntiLockMode) -> AidsParams {
    let anti_lock = Some(AntiLockParams { mode, ..AntiLockParams::default() });
    AidsParams { anti_lock, ..AidsParams::default() }
}

/// All aids that act on a road.
pub(crate) fn all_aids() -> AidsParams {
    AidsParams {
        traction: Some(TractionParams::default()),
        stability: Some(StabilityParams::default()),
        counter_steer: Some(CounterSteerParams::default()),
        hill_start: Some(HillStartParams::default()),
        ..anti_lock(AntiLockMode::SlipTarget)
    }
}

/// Angle of the way that a car goes to the left of its nose (rad).
pub(crate) fn side_slip(car: &AnyRapierVehicle) -> Real {
    let body = car.vehicle.body();
    let local = body.pose.rotation.inverse() * body.linear_velocity;
    local.x.atan2(local.z)
}

/// Angle that a car has turned by from the way along z, positive to the left (rad).
pub(crate) fn heading(car: &AnyRapierVehicle) -> Real {
    let forward = car.vehicle.body().pose.rotation * Vector::Z;
    forward.x.atan2(forward.z)
}
