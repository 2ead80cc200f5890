//! The vehicles of one type.

use std::any::{Any, TypeId};

use rapier3d::prelude::*;
use vehicle_core::ParamErrors;

use super::{VehicleFault, VehicleHandle, VehicleId};
use crate::actor::{Activity, Actor};
use crate::advance::{Outcome, advance_side_by_side, for_each_group};
use crate::detail::Detail;
use crate::drivable::Drivable;
use crate::scene::{Queries, Scene};
use crate::towing::is_pulling;
use crate::vehicle::RapierVehicle;

/// The vehicles of one type, whatever it is.
pub(super) trait AnyGroup: Send + Sync {
    fn kind(&self) -> TypeId;
    fn as_any(&self) -> &dyn Any;
    fn as_any_mut(&mut self) -> &mut dyn Any;

    fn len(&self) -> usize;
    fn contains(&self, vehicle: VehicleId) -> bool;
    fn activity(&self, vehicle: VehicleId) -> Option<Activity>;
    fn set_detail(&mut self, detail: &mut dyn FnMut(VehicleId, &Actor) -> Detail);
    fn shift_origin(&mut self, shift: Vector) -> Result<(), ParamErrors>;

    /// Whether the driver of `vehicle` pulls, as its last step says.
    fn is_pulling(&self, vehicle: VehicleId) -> bool;
    /// Lets go of the road with the tires of `vehicle`, and wakes its body.
    fn let_go(&mut self, vehicle: VehicleId, bodies: &mut RigidBodySet);

    fn begin(&mut self, scene: &mut Scene<'_>);
    fn advance(&mut self, world: &Queries<'_>);
    /// Whether one of them has ground to push, once all have advanced.
    fn pushes_ground(&self) -> bool;
    fn push(&mut self, scene: &mut Scene<'_>);
    fn end(&mut self, scene: &mut Scene<'_>, has_pushed: bool, faults: &mut Vec<VehicleFault>);
    fn record(&mut self, step: u64);
}

/// A task for the vehicles of a group in every step; `false` if it is not to be done again.
pub(super) type Errand<V> = Box<dyn FnMut(&mut Vehicles<V>) -> bool + Send + Sync>;

/// A task for the vehicles of a group after every step, by its number; `false` if it is not to be
/// done again.
pub(super) type Record<V> = Box<dyn FnMut(&mut Vehicles<V>, u64) -> bool + Send + Sync>;

/// The vehicles of type `V`.
pub(super) struct Group<V> {
    vehicles: Vehicles<V>,
    pub(super) errands: Vec<Errand<V>>,
    pub(super) records: Vec<Record<V>>,
}

impl<V> Default for Group<V> {
    fn default() -> Self {
        Self { vehicles: Vehicles::default(), errands: Vec::new(), records: Vec::new() }
    }
}

/// Vehicles side by side, and where they are found.
pub(super) struct Vehicles<V> {
    entries: Vec<Entry<V>>,
    slots: Vec<Slot>,
    free: Vec<u32>,
}

impl<V> Default for Vehicles<V> {
    fn default() -> Self {
        Self { entries: Vec::new(), slots: Vec::new(), free: Vec::new() }
    }
}

struct Entry<V> {
    id: VehicleId,
    vehicle: RapierVehicle<V>,
    /// Result of its step.
    outcome: Outcome,
}

/// Where the vehicle of a number is.
#[derive(Clone, Copy)]
struct Slot {
    generation: u32,
    entry: Option<u32>,
}

impl<V> Vehicles<V> {
    fn insert(&mut self, group: u32, vehicle: RapierVehicle<V>) -> VehicleId {
        let slot = self.free.pop().unwrap_or_else(|| {
            self.slots.push(Slot { generation: 0, entry: None });
            (self.slots.len() - 1) as u32
        });
        let entry = &mut self.slots[slot as usize];
        entry.entry = Some(self.entries.len() as u32);
        let id = VehicleId { group, slot, generation: entry.generation };
        self.entries.push(Entry { id, vehicle, outcome: Ok(Activity::Asleep) });
        id
    }

    fn remove(&mut self, id: VehicleId) -> Option<RapierVehicle<V>> {
        let position = self.position(id)?;
        let slot = &mut self.slots[id.slot as usize];
        *slot = Slot { generation: slot.generation + 1, entry: None };
        self.free.push(id.slot);
        let removed = self.entries.swap_remove(position);
        if let Some(moved) = self.entries.get(position) {
            self.slots[moved.id.slot as usize].entry = Some(position as u32);
        }
        Some(removed.vehicle)
    }

    fn position(&self, id: VehicleId) -> Option<usize> {
        let slot = self.slots.get(id.slot as usize)?;
        slot.entry.filter(|_| slot.generation == id.generation).map(|entry| entry as usize)
    }

    pub(super) fn get_mut(&mut self, id: VehicleId) -> Option<&mut RapierVehicle<V>> {
        let position = self.position(id)?;
        Some(&mut self.entries[position].vehicle)
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = (VehicleId, &mut RapierVehicle<V>)> {
        self.entries.iter_mut().map(|entry| (entry.id, &mut entry.vehicle))
    }
}

impl<V> Group<V> {
    pub(super) fn insert(&mut self, group: u32, vehicle: RapierVehicle<V>) -> VehicleId {
        self.vehicles.insert(group, vehicle)
    }

    pub(super) fn remove(&mut self, id: VehicleId) -> Option<RapierVehicle<V>> {
        self.vehicles.remove(id)
    }

    pub(super) fn get(&self, id: VehicleId) -> Option<&RapierVehicle<V>> {
        Some(&self.vehicles.entries[self.vehicles.position(id)?].vehicle)
    }

    pub(super) fn get_mut(&mut self, id: VehicleId) -> Option<&mut RapierVehicle<V>> {
        self.vehicles.get_mut(id)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (VehicleHandle<V>, &RapierVehicle<V>)> {
        self.vehicles.entries.iter().map(|entry| (VehicleHandle::new(entry.id), &entry.vehicle))
    }

    pub(super) fn iter_mut(
        &mut self,
    ) -> impl Iterator<Item = (VehicleHandle<V>, &mut RapierVehicle<V>)> {
        self.vehicles.iter_mut().map(|(id, vehicle)| (VehicleHandle::new(id), vehicle))
    }
}

/// Advances those vehicles of a group that are awake.
fn advance<V: Drivable>(entries: &mut [Entry<V>], world: &Queries<'_>) {
    let awake = entries.iter_mut().filter(|entry| entry.outcome == Ok(Activity::Awake));
    advance_side_by_side(awake.map(|entry| (&mut entry.vehicle, &mut entry.outcome)), world);
}

impl<V: Drivable + Send + Sync + 'static> AnyGroup for Group<V> {
    fn kind(&self) -> TypeId {
        TypeId::of::<V>()
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }

    fn len(&self) -> usize {
        self.vehicles.entries.len()
    }

    fn contains(&self, vehicle: VehicleId) -> bool {
        self.vehicles.position(vehicle).is_some()
    }

    fn activity(&self, vehicle: VehicleId) -> Option<Activity> {
        let entry = &self.vehicles.entries[self.vehicles.position(vehicle)?];
        entry.outcome.as_ref().ok().copied()
    }

    fn set_detail(&mut self, detail: &mut dyn FnMut(VehicleId, &Actor) -> Detail) {
        for (id, vehicle) in self.vehicles.iter_mut() {
            vehicle.detail = detail(id, &vehicle.actor);
        }
    }

    fn shift_origin(&mut self, shift: Vector) -> Result<(), ParamErrors> {
        self.vehicles.iter_mut().try_for_each(|(_, vehicle)| vehicle.shift_origin(shift))
    }

    fn is_pulling(&self, vehicle: VehicleId) -> bool {
        let Some(position) = self.vehicles.position(vehicle) else { return false };
        let entry = &self.vehicles.entries[position];
        // One that takes no part in steps does what it did for ever.
        let takes_part = matches!(entry.outcome, Ok(Activity::Awake | Activity::Asleep));
        takes_part && is_pulling(&entry.vehicle.vehicle)
    }

    fn let_go(&mut self, vehicle: VehicleId, bodies: &mut RigidBodySet) {
        if let Some(vehicle) = self.get_mut(vehicle) {
            vehicle.let_go(bodies);
        }
    }

    fn begin(&mut self, scene: &mut Scene<'_>) {
        let vehicles = &mut self.vehicles;
        self.errands.retain_mut(|errand| errand(vehicles));
        for entry in &mut self.vehicles.entries {
            entry.outcome = entry.vehicle.begin(scene).map_err(Box::new);
        }
    }

    fn advance(&mut self, world: &Queries<'_>) {
        for_each_group(&mut self.vehicles.entries, |entries| advance(entries, world));
    }

    fn pushes_ground(&self) -> bool {
        let entries = self.vehicles.entries.iter();
        let mut awake = entries.filter(|entry| entry.outcome == Ok(Activity::Awake));
        awake.any(|entry| entry.vehicle.pushes_ground())
    }

    fn push(&mut self, scene: &mut Scene<'_>) {
        for entry in &mut self.vehicles.entries {
            if entry.outcome == Ok(Activity::Awake)
                && let Err(error) = entry.vehicle.push(scene)
            {
                entry.outcome = Err(error.into());
            }
        }
    }

    fn end(&mut self, scene: &mut Scene<'_>, has_pushed: bool, faults: &mut Vec<VehicleFault>) {
        for entry in &mut self.vehicles.entries {
            if entry.outcome == Ok(Activity::Awake)
                && let Err(error) = entry.vehicle.finish(scene, has_pushed)
            {
                entry.outcome = Err(error.into());
            }
            if let Err(error) = &entry.outcome {
                entry.vehicle.give_up(error, scene.bodies);
                faults.push(VehicleFault { vehicle: entry.id, error: (**error).clone() });
            }
        }
    }

    fn record(&mut self, step: u64) {
        let vehicles = &mut self.vehicles;
        self.records.retain_mut(|record| record(vehicles, step));
    }
}

#[cfg(test)]
mod tests {
    use std::mem::size_of;

    use vehicle_drivetrain::{DirectDriveVehicle, EngineDriveVehicle, TankVehicle};

    use super::*;

    /// Most bytes that a vehicle of four wheels takes, with its body and a collider in the world:
    /// 76 lines of a cache.
    const MAX_BYTES: usize = 76 * 64;

    #[test]
    fn a_vehicle_takes_little_more_than_a_page() {
        let world = size_of::<RigidBody>() + size_of::<Collider>();
        for (kind, entry) in [
            ("direct drive", size_of::<Entry<DirectDriveVehicle>>()),
            ("engine drive", size_of::<Entry<EngineDriveVehicle>>()),
            ("tank", size_of::<Entry<TankVehicle>>()),
        ] {
            let all = entry + size_of::<Slot>() + world;
            eprintln!("{kind}: {entry} bytes in the fleet, {world} in the world, {all} in all");
            assert!(all <= MAX_BYTES, "{kind}: {entry} bytes and {world} in the world: {all}");
        }
    }
}
