//! Which wheels an engine drive drives, and which it holds.

use vehicle_core::actuation::WheelActuation;
use vehicle_core::math::Real;
use vehicle_core::rigid_body::{RigidBodyParams, RigidBodyState};
use vehicle_core::wheel::WheelState;
use vehicle_core::wheel_rotation::RoadWheel;
use vehicle_core::{Context, WheelList};

use crate::actuation::engine_drive_actuation;
use crate::aids::signals::PRESSED;
use crate::clutch::{ClutchParams, ClutchState, effective_clutch};
use crate::differential::WheelShare;
use crate::engine::EngineState;
use crate::gearbox::{GearboxParams, GearboxState};
use crate::hill_holder::HillHolder;
use crate::parking_lock::ParkingLock;

/// Engine, gearbox and brakes of a vehicle, and which wheels they drive and hold.
#[derive(Debug)]
pub struct EngineActuationView<'a> {
    /// The gearbox.
    pub gearbox: &'a GearboxParams,
    /// The gear.
    pub gearbox_state: &'a GearboxState,
    /// The clutch.
    pub clutch_params: &'a ClutchParams,
    /// How the clutch answers to its pedal.
    pub clutch: ClutchState,
    /// Whether the hand brake keeps a slow engine from dragging the vehicle along.
    pub is_held_by_hand: bool,
    /// How far the clutch has closed, in [0, 1].
    pub clutch_engagement: Real,
    /// Motion of the engine.
    pub engine_state: &'a EngineState,
    /// Throttle of the engine, in [0, 1].
    pub throttle: Real,
    /// Accelerator pedal, in [0, 1].
    pub pedal: Real,
    /// Motion of the body.
    pub rigid_body: &'a RigidBodyState,
    /// Whether the lever is in park.
    pub is_parking: bool,
    /// Mass of the body.
    pub rigid_body_params: &'a RigidBodyParams,
    /// Radius of each wheel.
    pub road_wheels: &'a WheelList<RoadWheel>,
    /// Rotation speed of each wheel.
    pub wheels: &'a WheelList<WheelState>,
    /// Read and written: brake torque of each wheel, with that of its lock in park (N·m).
    pub brake_torques: &'a mut WheelList<Real>,
    /// The part of each wheel in the differential.
    pub shares: &'a WheelList<WheelShare>,
    /// Written: whether each wheel drives or brakes.
    pub actuations: &'a mut WheelList<WheelActuation>,
}

impl EngineActuationView<'_> {
    /// Holds the connected wheels in park, and updates the actuation of every wheel.
    pub fn update(mut self, context: &Context<'_>) {
        if self.is_parking {
            let lock = ParkingLock {
                mass: self.rigid_body_params.mass,
                length_scale: context.params.coordinates.length_scale,
                road_wheels: self.road_wheels,
                wheels: self.wheels,
            };
            let shares = self.shares.iter().enumerate();
            for (wheel, _) in shares.filter(|(_, share)| share.is_connected) {
                lock.hold(wheel, self.brake_torques);
            }
        } else if PRESSED < self.pedal {
            self.hold_on_hill(context);
        }
        let gear = self.gearbox_state.current;
        let strength = effective_clutch(self.gearbox, gear, self.clutch).strength;
        // A clutch that drags drives without throttle.
        let creeps = self.clutch_params.held_by_hand(self.is_held_by_hand).creeps();
        let throttle = if creeps { 1.0 } else { self.throttle };
        let wheels = self.brake_torques.fours().iter().zip(self.shares.fours());
        for ((&brake, share), actuation) in wheels.zip(self.actuations.fours_mut()) {
            *actuation = engine_drive_actuation(brake, strength, share.torque, throttle);
        }
    }

    /// Holds the wheels that the engine turns as long as its clutch does not bear the slope.
    fn hold_on_hill(&mut self, context: &Context<'_>) {
        let holder = HillHolder {
            rigid_body: self.rigid_body,
            mass: self.rigid_body_params.mass,
            gearbox: self.gearbox,
            gears: self.gearbox_state,
            clutch_params: self.clutch_params,
            clutch: self.clutch,
            engagement: self.clutch_engagement,
            engine_speed: self.engine_state.rotation_speed,
        };
        let Some(slope) = holder.slope(context) else { return };
        let scale = context.params.coordinates.length_scale;
        for (wheel, share) in self.shares.iter().enumerate() {
            let radius = self.road_wheels.of(wheel).radius;
            let rim_speed = self.wheels.of(wheel).rotation_speed * radius / scale;
            self.brake_torques[wheel] += slope.torque(share.torque, radius, rim_speed);
        }
    }
}
