//! Events: what happens to a vehicle, as a list that is drained, for sound, effects and rules of a
//! game.
//!
//! [`VehicleEvents`] compare what a step ended with against what the one before ended with, by
//! thresholds in [`EventParams`] that begin and end apart and have to last. So a drive has the same
//! events in steps of any length, but for times within a step or two. What they remember is plain
//! data ([`EventMemory`]), so that a vehicle which goes back and drives again has the same events.
//!
//! A vehicle that nobody listens to has none of this. In a Rapier world, `RapierVehicle::listen`
//! does all of it. Without a physics engine, it is one call after each step:
//!
//! ```
//! use vehicle_core::math::{Pose, Vec3};
//! use vehicle_core::prelude::*;
//! use vehicle_drivetrain::events::{EventParams, VehicleEvent, VehicleEvents};
//! use vehicle_drivetrain::prelude::*;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mechanics = CarBlueprint::default().mechanics()?;
//! let mut car = EngineDriveVehicle::new(EngineDriveParams::automatic(mechanics, &[2, 3]))?;
//! car.state.mechanics.rigid_body.pose = Pose::from_translation(Vec3::Y * 0.55);
//! let (world, road) = (SimulationParams::default(), FlatRoad::new(&Frame::Y_UP));
//! let sequence = EngineDriveVehicle::sequence();
//! let mut events = VehicleEvents::new(EventParams::default(), 4)?;
//!
//! car.commands.throttle = 0.5;
//! let mut shifts = 0;
//! for _ in 0..300 {
//!     let _completed = sequence.update(&mut car, 1.0 / 60.0, &Context::new(&world, &road))?;
//!     events.observe(&car, &world.coordinates, 1.0 / 60.0);
//!     for event in events.drain() {
//!         if let VehicleEvent::GearChanged { to, .. } = event.event {
//!             println!("{:.2} s: gear {to}", event.time);
//!             shifts += 1;
//!         }
//!     }
//! }
//! assert!(1 <= shifts);
//! # Ok(())
//! # }
//! ```

mod latch;
mod memory;
mod params;
mod ring;
#[cfg(test)]
mod tests;
mod watch;

use serde::{Deserialize, Serialize};
use vehicle_core::frame::CoordinateSystem;
use vehicle_core::math::{Real, Vec3};
use vehicle_core::road_geometry::Material;
use vehicle_core::sequence::TimeStepError;
use vehicle_core::vehicle::HasMechanics;
use vehicle_core::{ParamErrors, Validate};

pub use self::latch::Latch;
pub use self::memory::{EventMemory, HitMemory, WheelEventMemory};
pub use self::params::EventParams;
use self::ring::EventRing;
use self::watch::Watch;
use crate::aids::Aid;
use crate::instruments::DisplayedGear;
use crate::readings::ReadDrive;

/// What has happened to a vehicle. Lengths are in its unit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum VehicleEvent {
    /// Another gear is chosen: by the driver, or by an automatic gearbox as it begins to shift.
    GearChanged {
        /// The gear before.
        from: DisplayedGear,
        /// The gear.
        to: DisplayedGear,
    },
    /// The engine has died.
    EngineStalled,
    /// The engine runs.
    EngineStarted,
    /// The engine is at its limiter.
    LimiterReached,
    /// A wheel slides locked.
    WheelLocked {
        /// The wheel.
        wheel: usize,
        /// Speed of the road past its tread (m/s).
        speed: Real,
    },
    /// A wheel spins.
    WheelSpins {
        /// The wheel.
        wheel: usize,
        /// Speed by which its rim is ahead of the road (m/s).
        speed: Real,
    },
    /// A wheel that was locked or has spun rolls again, stands, or is lost.
    WheelRolls {
        /// The wheel.
        wheel: usize,
    },
    /// A wheel is in the air.
    WheelLeavesGround {
        /// The wheel.
        wheel: usize,
    },
    /// A wheel that was in the air touches the ground.
    WheelLands {
        /// The wheel.
        wheel: usize,
        /// Speed of its hub into the ground, a step before it touches (m/s).
        speed: Real,
    },
    /// A suspension reaches the end of its travel.
    SuspensionBottoms {
        /// Wheel of the suspension.
        wheel: usize,
        /// Speed of its compression, a step before (m/s).
        speed: Real,
    },
    /// Something else than the road below its wheels hits the body, or is hit by it.
    BodyHit {
        /// Impulse on the body (N·s, world).
        impulse: Vec3,
    },
    /// An aid acts.
    AidActs {
        /// The aid.
        aid: Aid,
    },
    /// An aid does not act any more.
    AidRests {
        /// The aid.
        aid: Aid,
    },
    /// A tire is on another material.
    MaterialChanged {
        /// Wheel of the tire.
        wheel: usize,
        /// The material before.
        from: Material,
        /// The material.
        to: Material,
    },
    /// The vehicle has fallen asleep.
    Sleeps,
    /// The vehicle is awake again.
    Wakes,
}

/// An event with its time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TimedEvent {
    /// Time of the vehicle since it was listened to first, at the end of the step that has told it
    /// (s).
    pub time: f64,
    /// The event.
    pub event: VehicleEvent,
}

/// The events of a vehicle.
#[derive(Clone, Debug)]
pub struct VehicleEvents {
    params: EventParams,
    memory: EventMemory,
    ring: EventRing,
    /// Change of the velocity of the body beside its wheels before this step (m/s).
    push: Vec3,
}

impl VehicleEvents {
    /// Events of a vehicle of `wheel_count` wheels, of which nothing has been seen. All memory that
    /// they need is taken here.
    ///
    /// # Errors
    ///
    /// All faults of `params`.
    pub fn new(params: EventParams, wheel_count: usize) -> Result<Self, ParamErrors> {
        params.validate()?;
        let (memory, ring) = (EventMemory::new(wheel_count), EventRing::new(params.capacity));
        Ok(Self { params, memory, ring, push: Vec3::ZERO })
    }

    /// Their thresholds.
    pub fn params(&self) -> &EventParams {
        &self.params
    }

    /// Tells what has changed the velocity of the body (m/s) beside its wheels since the last step:
    /// blows, joints. It counts in the next step that is observed.
    pub fn note_push(&mut self, velocity: Vec3) {
        self.push = velocity;
    }

    /// Looks at `vehicle` after a step of `dt` (s), but not where `dt` is not positive and finite.
    /// The first step tells nothing. Nothing is allocated.
    pub fn observe<V: HasMechanics + ReadDrive>(
        &mut self,
        vehicle: &V,
        coordinates: &CoordinateSystem,
        dt: Real,
    ) {
        if TimeStepError::check(dt).is_err() {
            return;
        }
        let Self { params, memory, ring, push } = self;
        memory.clock += f64::from(dt);
        let (time, is_begun) = (memory.clock, memory.is_begun);
        let tell = |event| ring.push(TimedEvent { time, event });
        let mut watch = Watch { params, dt, is_begun, tell };
        if std::mem::take(&mut memory.is_asleep) {
            (watch.tell)(VehicleEvent::Wakes);
        }
        watch.drive(memory, &vehicle.drive_reading());
        watch.aids(memory, &vehicle.aid_report());
        let mechanics = vehicle.read_mechanics();
        let mass = mechanics.params.rigid_body.mass;
        watch.hits(memory, std::mem::take(push), mass, coordinates.length_scale);
        for (wheel, memory) in memory.wheels.iter_mut().enumerate() {
            watch.wheel(memory, &mechanics, wheel, coordinates);
        }
        memory.is_begun = true;
    }

    /// Notes that the vehicle has slept through a step of `dt` (s), but not where `dt` is not
    /// positive and finite.
    pub fn sleep(&mut self, dt: Real) {
        if TimeStepError::check(dt).is_err() {
            return;
        }
        let memory = &mut self.memory;
        memory.clock += f64::from(dt);
        if memory.is_begun && !std::mem::replace(&mut memory.is_asleep, true) {
            self.ring.push(TimedEvent { time: memory.clock, event: VehicleEvent::Sleeps });
        }
    }

    /// Takes all events that wait, in order of time.
    pub fn drain(&mut self) -> impl Iterator<Item = TimedEvent> + '_ {
        self.ring.drain()
    }

    /// The events that wait, in order of time.
    pub fn waiting(&self) -> impl Iterator<Item = &TimedEvent> {
        self.ring.iter()
    }

    /// Number of events so far that were lost because too many waited.
    pub fn lost(&self) -> u64 {
        self.ring.lost
    }

    /// What the events remember between two steps.
    pub fn memory(&self) -> &EventMemory {
        &self.memory
    }

    /// Goes back to `memory`, and forgets the events that have come since. What is on there, such
    /// as a locked wheel, stands in it. Without any, they [begin anew](Self::begin_anew).
    pub fn recall(&mut self, memory: Option<&EventMemory>) {
        match memory {
            Some(memory) => {
                self.memory.clone_from(memory);
                self.ring.forget_after(memory.clock);
            }
            None => self.begin_anew(),
        }
        self.push = Vec3::ZERO;
    }

    /// Lets the next step be as the first one: the vehicle was put elsewhere. That step tells
    /// nothing but the ends of what had begun: a wheel that was locked
    /// [rolls](VehicleEvent::WheelRolls), for example.
    pub fn begin_anew(&mut self) {
        self.memory.is_begun = false;
    }
}
