//! Orders: what drivers in other threads want.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crossbeam_channel::{Sender, TryRecvError, bounded};
use serde::{Deserialize, Serialize};
use vehicle_core::commands::Commands;
use vehicle_core::vehicle::OwnState;
use vehicle_drivetrain::vehicle::{Drive, Vehicle};

use super::{Fleet, VehicleHandle};
use crate::drivable::Drivable;

/// A vehicle whose controls are one value, which another thread can send.
pub trait Controllable: Drivable {
    /// All that its driver can do.
    type Controls: Send + 'static;

    /// Takes over what the driver does.
    fn control(&mut self, controls: Self::Controls);
}

/// A driver's order to a vehicle.
pub struct Order<V: Controllable> {
    /// The vehicle.
    pub vehicle: VehicleHandle<V>,
    /// All that its driver does from the next step on.
    pub controls: V::Controls,
}

impl<V: Controllable> fmt::Debug for Order<V>
where
    V::Controls: fmt::Debug,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Order")
            .field("vehicle", &self.vehicle.id())
            .field("controls", &self.controls)
            .finish()
    }
}

/// The way of orders into a fleet; clones of it lead there as well.
///
/// Orders are carried out at the beginning of the next step, in the order in which they have come,
/// so that the last one for a vehicle holds. In which order two threads come is up to chance:
/// whoever wants the same bits again lets each vehicle have one driver, and lets drivers wait for
/// the step.
pub struct Orders<V: Controllable> {
    sender: Sender<Order<V>>,
    unknown: Arc<AtomicU64>,
}

impl<V: Controllable> fmt::Debug for Orders<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Orders").field("unknown", &self.unknown()).finish_non_exhaustive()
    }
}

impl<V: Controllable> Clone for Orders<V> {
    fn clone(&self) -> Self {
        Self { sender: self.sender.clone(), unknown: Arc::clone(&self.unknown) }
    }
}

/// An order was not taken; here it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refused<T> {
    /// As many orders wait for the next step as there is room for.
    #[error("as many orders wait for the fleet's next step as there is room for")]
    Full(T),
    /// There is no fleet any more.
    #[error("the fleet is no more")]
    Closed(T),
}

impl<V: Controllable> Orders<V> {
    /// Sends `controls` to `vehicle`, without waiting.
    ///
    /// # Errors
    ///
    /// With the controls, if too many orders wait or the fleet is no more.
    pub fn send(
        &self,
        vehicle: VehicleHandle<V>,
        controls: V::Controls,
    ) -> Result<(), Refused<V::Controls>> {
        use crossbeam_channel::TrySendError::{Disconnected, Full};
        self.sender.try_send(Order { vehicle, controls }).map_err(|error| match error {
            Full(order) => Refused::Full(order.controls),
            Disconnected(order) => Refused::Closed(order.controls),
        })
    }

    /// Number of orders so far that came for a vehicle which was not in the fleet any more.
    pub fn unknown(&self) -> u64 {
        self.unknown.load(Ordering::Relaxed)
    }
}

impl Fleet {
    /// A way for up to `capacity` orders per step to vehicles of type `V`, from any thread. It has
    /// room for at least one. Nothing is allocated for an order. The way ends when all clones of it
    /// are dropped.
    pub fn orders<V: Controllable + Send + Sync + 'static>(
        &mut self,
        capacity: usize,
    ) -> Orders<V> {
        let (sender, receiver) = bounded::<Order<V>>(capacity.max(1));
        let unknown = Arc::new(AtomicU64::new(0));
        let count = Arc::clone(&unknown);
        let (_, group) = self.group_of::<V>();
        group.errands.push(Box::new(move |vehicles| {
            // No more than have come by now, and one: drivers must not hold up the step.
            for _ in 0..=receiver.len() {
                let order = match receiver.try_recv() {
                    Ok(order) => order,
                    Err(TryRecvError::Empty) => break,
                    Err(TryRecvError::Disconnected) => return false,
                };
                if let Some(vehicle) = vehicles.get_mut(order.vehicle.id()) {
                    vehicle.vehicle.control(order.controls);
                } else {
                    count.fetch_add(1, Ordering::Relaxed);
                }
            }
            true
        }));
        Orders { sender, unknown }
    }
}

/// All that the driver of a ready-made vehicle does; `C` is what its drive takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DriverControls<C> {
    /// Pedals and steering wheel.
    pub commands: Commands,
    /// Commands to what turns the wheels, such as the gear.
    pub controls: C,
}

impl<D: Drive, Own: OwnState> Controllable for Vehicle<D, Own>
where
    Self: Drivable,
    D::Controls: Send,
{
    type Controls = DriverControls<D::Controls>;

    fn control(&mut self, controls: Self::Controls) {
        (self.commands, self.controls) = (controls.commands, controls.controls);
    }
}

#[cfg(test)]
mod tests {
    use rapier3d::prelude::PhysicsWorld;
    use vehicle_drivetrain::DirectDriveVehicle;

    use super::*;

    #[test]
    fn a_way_of_orders_ends_with_the_last_of_its_senders_and_no_order_is_lost() {
        let (mut world, mut fleet) = (PhysicsWorld::new(), Fleet::new());
        let errands = |fleet: &mut Fleet| fleet.group_of::<DirectDriveVehicle>().1.errands.len();
        let first = fleet.orders::<DirectDriveVehicle>(4);
        let (second, other) = (first.clone(), fleet.orders::<DirectDriveVehicle>(4));
        drop(first);
        assert!(fleet.update(&mut world).is_empty());
        assert_eq!(errands(&mut fleet), 2);
        // An order for a vehicle that is not there is counted.
        let unknown = Arc::clone(&second.unknown);
        let id = super::super::VehicleId { group: 0, slot: 7, generation: 0 };
        let sent = second.send(VehicleHandle::new(id), DriverControls::default());
        assert!(sent.is_ok());
        drop(second);
        assert!(fleet.update(&mut world).is_empty());
        assert_eq!((unknown.load(Ordering::Relaxed), errands(&mut fleet)), (1, 1));
        drop(other);
        assert!(fleet.update(&mut world).is_empty());
        assert_eq!(errands(&mut fleet), 0);
    }
}
