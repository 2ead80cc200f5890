//! A step of all vehicles: their drivers, their updates, what is told and heard of them.

use std::sync::Arc;

use bevy_ecs::lifecycle::HookContext;
use bevy_ecs::prelude::*;
use bevy_ecs::world::DeferredWorld;
use bevy_reflect::prelude::*;
use bevy_time::{Fixed, Time};
use vehicle_rapier::core::ParamErrors;
use vehicle_rapier::drivetrain::readings::{HeardVehicle, HearingParams, VehicleReadings};
use vehicle_rapier::events::{EventParams, TimedEvent, VehicleEvents};
use vehicle_rapier::fleet::update_together;

use crate::{DriverCommands, RapierWorld, VehicleFault, VehicleInWorld};

/// Lets a vehicle tell what happens to it, by these thresholds: as [`VehicleMessage`]s. Without it,
/// events are told to nobody, and not later either. Bevy's reflection sees it as a whole.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(opaque)]
#[reflect(Component, Default, Clone, Debug, PartialEq)]
#[component(on_remove = hush)]
pub struct VehicleListener(pub EventParams);

/// An event of a vehicle that has a [`VehicleListener`].
#[derive(Message, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(from_reflect = false, Clone, Debug, PartialEq)]
pub struct VehicleMessage {
    /// The vehicle.
    pub vehicle: Entity,
    /// The event with its time. Bevy's reflection does not see it.
    #[reflect(ignore)]
    pub event: TimedEvent,
}

/// Readings of a vehicle for sound and instruments: spawn it with the vehicle, and it is filled
/// after each step. Bevy's reflection sees it as a whole.
#[derive(Component, Reflect, Clone, Debug, Default)]
#[reflect(opaque)]
#[reflect(Component, Default, Clone, Debug)]
pub struct VehicleSounds {
    /// Readings of the last step.
    pub readings: VehicleReadings,
    /// The readings smoothed, for sound.
    pub heard: HeardVehicle,
    /// Time constants of the smoothing.
    pub params: HearingParams,
}

/// A vehicle that drives, and who listens to it.
type Driven = (
    Entity,
    &'static mut VehicleInWorld,
    &'static DriverCommands,
    Option<&'static VehicleListener>,
    Option<&'static mut VehicleSounds>,
);

/// Lets a vehicle collect no more events, as nobody listens.
fn hush(mut world: DeferredWorld, HookContext { entity, .. }: HookContext) {
    if let Some(mut vehicle) = world.get_mut::<VehicleInWorld>(entity) {
        vehicle.car.stop_listening();
    }
}

/// Updates all vehicles by all threads at hand, and steps the world.
pub(crate) fn step(
    mut world: ResMut<RapierWorld>,
    time: Res<Time<Fixed>>,
    mut has_begun: Local<bool>,
    mut vehicles: Query<Driven, Without<VehicleFault>>,
    mut messages: MessageWriter<VehicleMessage>,
    mut commands: Commands,
) {
    let world = &mut world.0;
    let dt = time.timestep().as_secs_f32();
    if !std::mem::replace(&mut *has_begun, true) {
        // The first step already sees the road. `detect_collisions` would find it as well, but
        // Rapier never moves a dynamic body that is new to it in there.
        world.integration_parameters.dt = 0.0;
        world.step();
    }
    world.integration_parameters.dt = dt;
    let mut vehicles = in_order(vehicles.iter_mut(), |(_, vehicle, ..)| &**vehicle);
    vehicles.retain_mut(|(entity, vehicle, driver, listener, _)| {
        vehicle.obey(driver);
        let is_heard = listener.map_or(Ok(()), |listener| vehicle.tell(listener));
        if let Err(errors) = is_heard {
            commands.entity(*entity).insert(VehicleFault::Listener(errors));
            return false;
        }
        true
    });
    let cars = vehicles.iter_mut().map(|(_, vehicle, ..)| &mut vehicle.car);
    for (outcome, (entity, ..)) in update_together(cars, &mut *world).into_iter().zip(&vehicles) {
        if let Err(error) = outcome {
            commands.entity(*entity).insert(VehicleFault::from(error));
        }
    }
    world.step();
    for (entity, vehicle, _, listener, sounds) in vehicles {
        let car = &mut vehicle.into_inner().car;
        if let Some(sounds) = sounds {
            let VehicleSounds { readings, heard, params } = sounds.into_inner();
            car.read(readings);
            heard.follow(params, readings, dt);
        }
        if listener.is_some() {
            let of_vehicle = |event| VehicleMessage { vehicle: entity, event };
            messages.write_batch(car.drain_events().map(of_vehicle));
        }
    }
}

/// Vehicles in the order of their bodies, whatever else entities get or lose, and those that share
/// their stages next to each other.
fn in_order<T>(
    vehicles: impl Iterator<Item = T>,
    vehicle_of: impl Fn(&T) -> &VehicleInWorld,
) -> Vec<T> {
    let mut vehicles: Vec<_> = vehicles.collect();
    vehicles.sort_by_key(|each| vehicle_of(each).car.body().into_raw_parts());
    let mut kinds = Vec::new();
    vehicles.sort_by_cached_key(|each| {
        let stages = Arc::as_ptr(&vehicle_of(each).car.sequence);
        kinds.iter().position(|kind| *kind == stages).unwrap_or_else(|| {
            kinds.push(stages);
            kinds.len() - 1
        })
    });
    vehicles
}

impl VehicleInWorld {
    /// Lets the vehicle tell its events, if it does not already by these thresholds.
    fn tell(&mut self, listener: &VehicleListener) -> Result<(), ParamErrors> {
        let is_told = |events: &VehicleEvents| *events.params() == listener.0;
        if self.car.events().is_some_and(is_told) { Ok(()) } else { self.car.listen(listener.0) }
    }

    /// Hands the driver's commands to the vehicle.
    fn obey(&mut self, driver: &DriverCommands) {
        let Self { car, lever, .. } = self;
        driver.give(car, lever);
    }
}
