//! Events and readings of a vehicle in a world, for sound, effects and rules of a game.
//!
//! [`RapierVehicle::listen`] makes a vehicle tell what happens to it: see
//! [`vehicle_drivetrain::events`] for what counts. Those that nobody listens to have none of it.
//! Vehicles of a [`Fleet`](crate::Fleet) are drained one by one after its step, in whichever order.
//!
//! ```
//! use rapier3d::prelude::*;
//! use vehicle_rapier::events::{EventParams, VehicleEvent};
//! use vehicle_rapier::prelude::*;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let mut world = PhysicsWorld::new();
//! # let road = ColliderBuilder::cuboid(500.0, 1.0, 500.0).translation(Vector::Y * -1.0);
//! # world.insert_collider(road.friction(1.0), None);
//! # world.detect_collisions(&(), &());
//! let model = AnyVehicle::preset("hot_hatch")?;
//! let pose = Pose::from_translation(Vector::Y * model.standing_height(9.81));
//! let mut car = model.insert(&mut world, pose);
//! car.listen(EventParams::default())?;
//! car.commands_mut().throttle = 1.0;
//! let mut gears = Vec::new();
//! for _ in 0..300 {
//!     car.step(&mut world)?;
//!     for event in car.drain_events() {
//!         if let VehicleEvent::GearChanged { to, .. } = event.event {
//!             gears.push(to.to_string());
//!         }
//!     }
//! }
//! assert_eq!(gears[0], "2");
//! # Ok(())
//! # }
//! ```

use vehicle_core::ParamErrors;
pub use vehicle_drivetrain::events::{EventParams, TimedEvent, VehicleEvent, VehicleEvents};
use vehicle_drivetrain::readings::VehicleReadings;

use crate::drivable::Drivable;
use crate::vehicle::RapierVehicle;

impl<V: Drivable> RapierVehicle<V> {
    /// Starts to collect events from the next step on, by the thresholds of `params`. Events that
    /// wait are dropped. Nothing is allocated afterwards.
    ///
    /// # Errors
    ///
    /// All faults of `params`; nothing has changed then.
    pub fn listen(&mut self, params: EventParams) -> Result<(), ParamErrors> {
        self.events = Some(Box::new(VehicleEvents::new(params, self.wheel_count())?));
        Ok(())
    }

    /// Stops collecting events. Those that wait are dropped.
    pub fn stop_listening(&mut self) {
        self.events = None;
    }

    /// Events of the vehicle; `None` if nobody listens.
    pub fn events(&self) -> Option<&VehicleEvents> {
        self.events.as_deref()
    }

    /// Takes all events since the last call, in order of time; none unless
    /// [`listen`](Self::listen) was called. Of more events than `capacity`, the oldest are lost.
    pub fn drain_events(&mut self) -> impl Iterator<Item = TimedEvent> + '_ {
        self.events.as_deref_mut().into_iter().flat_map(VehicleEvents::drain)
    }

    /// Speed, engine, wheels and grip after the last step, for sound and instruments.
    pub fn readings(&self) -> VehicleReadings {
        VehicleReadings::of(&self.vehicle, &self.params.coordinates)
    }

    /// Writes the [`readings`](Self::readings) into those of an earlier call. Nothing is allocated
    /// if these have as many wheels.
    pub fn read(&self, readings: &mut VehicleReadings) {
        readings.read(&self.vehicle, &self.params.coordinates);
    }
}
