//! Driver aids: anti-lock brakes, traction control and others, as pure laws.
//!
//! Aids change commands, torques and steer angles, never a force or velocity of the body: what an
//! actuator of a real car could not do, an aid does not do. They know numbers alone, the
//! [`AidSignals`] of a step and the [`AidVehicle`], and are of use for any vehicle.

pub mod anti_lock;
pub mod commands;
pub mod counter_steer;
pub mod drift;
pub mod hand_brake;
pub mod hill_start;
pub mod launch;
pub mod requests;
pub mod signals;
pub mod speed_control;
pub mod stability;
pub mod torque_vectoring;
pub mod traction;
pub mod vehicle;
pub mod yaw_reference;

#[doc(inline)]
pub use self::{
    anti_lock::{AntiLock, AntiLockParams, AntiLockState},
    requests::{SteerRequest, ThrottleRequest, WheelRequest},
    signals::{AidSignals, BodySignals, DriveDirection, DriveSignals, DriverSignals, WheelSignals},
    traction::{Traction, TractionParams, TractionState},
    vehicle::{AidDrive, AidEngine, AidVehicle, AidWheel, WheelPair},
};
