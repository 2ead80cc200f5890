//! Transforms of entities: they follow the world, and the world follows those that are set.

use bevy_ecs::prelude::*;
use bevy_math::{Quat, Vec3};
use bevy_time::{Fixed, Time};
use bevy_transform::prelude::Transform;
use rapier3d::prelude::*;
use vehicle_rapier::drawing::DrawnPoses;

use crate::model::pose_of;
use crate::{RapierWorld, Tows, VehicleFault, VehicleInWorld, VehicleWheel};

/// A vehicle, where its entity is, and what it pulls.
type Placed<'a> = (Entity, &'a mut VehicleInWorld, &'a Transform, Option<&'a Tows>);

/// Puts vehicles whose transforms have been set there, at rest, and the trailers behind them.
pub(crate) fn obey_transforms(
    mut world: ResMut<RapierWorld>,
    time: Res<Time<Fixed>>,
    mut vehicles: Query<Placed, Without<VehicleFault>>,
    mut commands: Commands,
) {
    let (world, dt) = (&mut world.0, time.timestep().as_secs_f32());
    let placed = vehicles.iter().filter(|(_, vehicle, at, _)| !vehicle.is_shown_at(at));
    let set: Vec<_> = placed.map(|(entity, ..)| entity).collect();
    for &entity in &set {
        let Ok((_, mut vehicle, transform, _)) = vehicles.get_mut(entity) else { continue };
        vehicle.shown = (transform.translation, transform.rotation);
        let moved = pose_of(transform).and_then(|pose| vehicle.put_at(pose, world, dt));
        match moved {
            Ok(motion) => {
                for trailer in train(entity, &set, &vehicles) {
                    take_along(trailer, motion, world, dt, &mut vehicles);
                }
            }
            Err(fault) => {
                commands.entity(entity).insert(fault);
            }
        }
    }
}

/// Trailers that `tractor` pulls, and those that they pull, but for those that have been `set`
/// elsewhere.
fn train(
    tractor: Entity,
    set: &[Entity],
    vehicles: &Query<Placed, Without<VehicleFault>>,
) -> Vec<Entity> {
    let mut train = vec![tractor];
    let mut next = 0;
    while let Some(&each) = train.get(next) {
        next += 1;
        if let Ok((.., Some(tows))) = vehicles.get(each) {
            let is_new = |other: &Entity| !set.contains(other) && !train.contains(other);
            let others: Vec<_> = tows.iter().filter(is_new).collect();
            train.extend(others);
        }
    }
    train.split_off(1)
}

/// Moves `trailer` as its tractor has been moved.
fn take_along(
    trailer: Entity,
    motion: Pose,
    world: &mut PhysicsWorld,
    dt: Real,
    vehicles: &mut Query<Placed, Without<VehicleFault>>,
) {
    let Ok((_, mut vehicle, ..)) = vehicles.get_mut(trailer) else { return };
    if let Ok(pose) = vehicle.car.pose(&world.bodies) {
        // One that cannot be moved, as its body is not dynamic, has its fault in its next step.
        let _ = vehicle.put_at(motion * pose, world, dt);
    }
}

impl VehicleInWorld {
    /// Whether `transform` is where its entity has been put last; its scale does not count.
    fn is_shown_at(&self, transform: &Transform) -> bool {
        self.shown == (transform.translation, transform.rotation)
    }

    /// Puts the vehicle at `pose` (m), at rest; how its body has moved.
    fn put_at(
        &mut self,
        pose: Pose,
        world: &mut PhysicsWorld,
        dt: Real,
    ) -> Result<Pose, VehicleFault> {
        let before = self.car.pose(&world.bodies)?;
        self.car.teleport(&mut world.bodies, pose)?;
        self.poses = DrawnPoses::new(&self.car, &world.bodies, dt)?;
        Ok(pose * before.inverse())
    }
}

/// Notes where vehicles are after a step, those with a fault as well: their bodies glide on.
pub(crate) fn record(
    world: Res<RapierWorld>,
    time: Res<Time<Fixed>>,
    mut vehicles: Query<(Entity, &mut VehicleInWorld, Has<VehicleFault>)>,
    mut commands: Commands,
) {
    let dt = time.timestep().as_secs_f32();
    for (entity, mut vehicle, is_left_alone) in &mut vehicles {
        let VehicleInWorld { car, poses, .. } = &mut *vehicle;
        // Wheels of a vehicle that is not updated do not turn.
        let turning_time = if is_left_alone { 0.0 } else { dt };
        let recorded = poses.record(car, &world.0.bodies, turning_time);
        if let (Err(fault), false) = (recorded, is_left_alone) {
            commands.entity(entity).insert(VehicleFault::from(fault));
        }
    }
}

/// Transforms between the last two steps, as far as the time of the app has gone.
pub(crate) fn draw(
    time: Res<Time<Fixed>>,
    mut vehicles: Query<(&mut VehicleInWorld, &mut Transform), Without<VehicleWheel>>,
    mut wheels: Query<(&VehicleWheel, &ChildOf, &mut Transform)>,
) {
    let share = time.overstep_fraction();
    for (mut vehicle, mut transform) in &mut vehicles {
        set(&mut transform, &vehicle.poses.chassis(share));
        let shown = (transform.translation, transform.rotation);
        if vehicle.shown != shown {
            vehicle.shown = shown;
        }
    }
    for (wheel, parent, mut transform) in &mut wheels {
        let Ok((vehicle, _)) = vehicles.get(parent.parent()) else { continue };
        if let Some(pose) = vehicle.poses.wheel(wheel.index, share) {
            set(&mut transform, &(vehicle.poses.chassis(share).inverse() * pose));
        }
    }
}

/// Moves `transform` to `pose` (m), and leaves its scale. What is there already has not changed.
fn set(transform: &mut Mut<Transform>, pose: &Pose) {
    let translation = Vec3::from_array(pose.translation.to_array());
    let rotation = Quat::from_array(pose.rotation.to_array());
    transform.set_if_neq(Transform { translation, rotation, scale: transform.scale });
}
