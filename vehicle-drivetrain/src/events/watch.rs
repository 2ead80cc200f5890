//! How events are found: what a step ended with is compared with what the one before ended with.

use vehicle_core::frame::CoordinateSystem;
use vehicle_core::math::{Real, Vec3, exp};
use vehicle_core::tire::{TireModel, TireState};
use vehicle_core::vehicle::MechanicsRef;

use super::latch::{Latch, bound};
use super::memory::{EventMemory, WheelEventMemory};
use super::{EventParams, VehicleEvent};
use crate::aids::{Aid, AidReport};
use crate::readings::{DriveReading, EngineReading};

/// A step of `dt` (s) that has ended, and who is told.
pub(super) struct Watch<'a, F: FnMut(VehicleEvent)> {
    pub(super) params: &'a EventParams,
    pub(super) dt: Real,
    /// Whether there is a step before it.
    pub(super) is_begun: bool,
    pub(super) tell: F,
}

impl<F: FnMut(VehicleEvent)> Watch<'_, F> {
    /// Lets `latch` see `is_seen`; whether it has changed. In the first step it begins with that:
    /// what was on before and is not any more has changed then, as what has begun must end.
    fn has_changed(&self, latch: &mut Latch, is_seen: bool, times: [Real; 2]) -> bool {
        if !self.is_begun {
            return std::mem::replace(latch, Latch::new(is_seen)).is_on && !is_seen;
        }
        latch.follow(is_seen, times, self.dt)
    }

    /// Gear and engine.
    pub(super) fn drive(&mut self, memory: &mut EventMemory, drive: &DriveReading) {
        let params = self.params;
        if self.is_begun && memory.gear != drive.gear {
            (self.tell)(VehicleEvent::GearChanged { from: memory.gear, to: drive.gear });
        }
        memory.gear = drive.gear;
        let Some(EngineReading { is_running, is_limited, .. }) = drive.engine else { return };
        if self.has_changed(&mut memory.stall, !is_running, [params.engine_time; 2]) {
            let has_died = memory.stall.is_on;
            let stalled = VehicleEvent::EngineStalled;
            (self.tell)(if has_died { stalled } else { VehicleEvent::EngineStarted });
        }
        let times = [0.0, params.limiter_time];
        if self.has_changed(&mut memory.limiter, is_limited, times) && memory.limiter.is_on {
            (self.tell)(VehicleEvent::LimiterReached);
        }
    }

    /// Aids.
    pub(super) fn aids(&mut self, memory: &mut EventMemory, report: &AidReport) {
        for (aid, latch) in Aid::ALL.into_iter().zip(&mut memory.aids) {
            if self.has_changed(latch, report.is_active(aid), self.params.aid_times) {
                let event = if latch.is_on {
                    VehicleEvent::AidActs { aid }
                } else {
                    VehicleEvent::AidRests { aid }
                };
                (self.tell)(event);
            }
        }
    }

    /// Blows to a body of `mass` (kg) whose velocity has been changed by `push` (m/s) beside its
    /// wheels, in a world of `length_scale` units per meter.
    pub(super) fn hits(
        &mut self,
        memory: &mut EventMemory,
        push: Vec3,
        mass: Real,
        length_scale: Real,
    ) {
        let (params, dt, hit) = (self.params, self.dt, &mut memory.hit);
        if !self.is_begun {
            *hit = Default::default();
            return;
        }
        // A steady push has the same level in any steps: its mean within this one.
        let (fading, share) = if 0.0 < params.hit_time {
            let fading = exp(-dt / params.hit_time);
            (fading, (1.0 - fading) * params.hit_time / dt)
        } else {
            (0.0, 1.0)
        };
        let faded = hit.recent * fading;
        hit.recent = faded + push * share;
        let speed = hit.recent.length() / length_scale;
        let [begin, end] = params.hit_speeds;
        match &mut hit.time {
            Some(time) => {
                hit.sum += push;
                *time += dt;
            }
            None if !hit.is_on && begin <= speed => {
                (hit.is_on, hit.sum, hit.time) = (true, faded + push, Some(dt));
            }
            None => hit.is_on &= end <= speed,
        }
        if hit.time.is_some_and(|time| params.hit_time <= time) {
            hit.time = None;
            (self.tell)(VehicleEvent::BodyHit { impulse: hit.sum * mass });
        }
    }

    /// A wheel of the vehicle.
    pub(super) fn wheel<Tire: TireModel>(
        &mut self,
        memory: &mut WheelEventMemory,
        mechanics: &MechanicsRef<'_, Tire>,
        wheel: usize,
        coordinates: &CoordinateSystem,
    ) {
        let (state, scale) = (mechanics.state, coordinates.length_scale);
        if state.wheels.of(wheel).is_detached {
            self.end_slipping(memory, wheel);
            *memory = WheelEventMemory::default();
            return;
        }
        if !self.is_begun {
            memory.material = None;
        }
        self.landing(memory, mechanics, wheel);
        self.bottoming(memory, mechanics, wheel);
        if state.suspensions.of(wheel).is_on_ground() {
            let rim = state.wheels.of(wheel).rotation_speed * mechanics.params.wheels[wheel].radius;
            self.slipping(memory, wheel, rim / scale, state.tires.of(wheel), scale);
            self.material(memory, mechanics, wheel);
        } else if !self.is_begun {
            self.end_slipping(memory, wheel);
        }
    }

    /// Ends the slip of a wheel that is elsewhere or lost.
    fn end_slipping(&mut self, memory: &mut WheelEventMemory, wheel: usize) {
        if memory.lock.is_on || memory.spin.is_on {
            (self.tell)(VehicleEvent::WheelRolls { wheel });
        }
        (memory.lock, memory.spin) = Default::default();
    }

    fn landing<Tire: TireModel>(
        &mut self,
        memory: &mut WheelEventMemory,
        mechanics: &MechanicsRef<'_, Tire>,
        wheel: usize,
    ) {
        let state = mechanics.state;
        let suspension = state.suspensions.of(wheel);
        let is_in_air = !suspension.is_on_ground();
        if self.has_changed(&mut memory.air, is_in_air, [self.params.air_time, 0.0]) {
            let event = if memory.air.is_on {
                VehicleEvent::WheelLeavesGround { wheel }
            } else {
                // One that was put onto the ground has not fallen.
                let road = state.roads.of(wheel).filter(|_| self.is_begun);
                let speed = road.map_or(0.0, |road| {
                    (road.velocity - memory.fall).dot(road.plane.normal).max(0.0)
                });
                VehicleEvent::WheelLands { wheel, speed }
            };
            (self.tell)(event);
        }
        if is_in_air {
            let (body, mount) = (&state.rigid_body, &mechanics.params.suspensions[wheel]);
            let arm = body.arm(mount.attachment.translation);
            let travel = body.direction(mount.travel_direction);
            memory.fall = body.linear_velocity + body.angular_velocity.cross(arm)
                - travel * suspension.compression.jounce_speed;
        }
    }

    fn bottoming<Tire: TireModel>(
        &mut self,
        memory: &mut WheelEventMemory,
        mechanics: &MechanicsRef<'_, Tire>,
        wheel: usize,
    ) {
        let compression = mechanics.state.suspensions.of(wheel).compression;
        let travel = mechanics.params.suspensions[wheel].travel_distance;
        let share = compression.jounce.unwrap_or(0.0) / travel;
        let [begin, end] = self.params.bottom_share;
        let was_bottomed = memory.is_bottomed;
        // A suspension without travel has nothing to bottom.
        memory.is_bottomed = 0.0 < travel && if was_bottomed { end } else { begin } <= share;
        if self.is_begun && memory.is_bottomed && !was_bottomed {
            let speed = compression.jounce_speed.max(memory.jounce_speed);
            (self.tell)(VehicleEvent::SuspensionBottoms { wheel, speed });
        }
        memory.jounce_speed = compression.jounce_speed;
    }

    /// Whether a wheel on the ground locks or spins, whose rim has the speed `rim` (m/s).
    fn slipping(
        &mut self,
        memory: &mut WheelEventMemory,
        wheel: usize,
        rim: Real,
        tire: TireState,
        length_scale: Real,
    ) {
        let params = self.params;
        let road = tire.speeds.longitudinal / length_scale;
        let was_rolling = !memory.lock.is_on && !memory.spin.is_on;
        let fast_enough = if memory.lock.is_on { 0.5 } else { 1.0 } * params.slip_speed;
        let is_locked = fast_enough <= road.abs()
            && rim * road.signum() <= bound(&memory.lock, params.locked_share) * road.abs();
        if self.has_changed(&mut memory.lock, is_locked, [params.slip_time; 2]) && memory.lock.is_on
        {
            let speed = (road - rim).abs() * length_scale;
            (self.tell)(VehicleEvent::WheelLocked { wheel, speed });
        }
        let ahead = (rim - road) * rim.signum();
        let least = bound(&memory.spin, params.spin_share) * road.abs().max(params.slip_speed);
        let spins = least <= ahead && road.abs() <= rim.abs();
        if self.has_changed(&mut memory.spin, spins, [params.slip_time; 2]) && memory.spin.is_on {
            (self.tell)(VehicleEvent::WheelSpins { wheel, speed: ahead * length_scale });
        }
        if !was_rolling && !memory.lock.is_on && !memory.spin.is_on {
            (self.tell)(VehicleEvent::WheelRolls { wheel });
        }
    }

    fn material<Tire: TireModel>(
        &mut self,
        memory: &mut WheelEventMemory,
        mechanics: &MechanicsRef<'_, Tire>,
        wheel: usize,
    ) {
        let Some(road) = mechanics.state.roads.of(wheel) else { return };
        let found = road.material;
        if found != memory.seen_material {
            (memory.seen_material, memory.material_time) = (found, 0.0);
        }
        let Some(from) = memory.material.filter(|&material| material != found) else {
            (memory.material, memory.material_time) = (Some(found), 0.0);
            return;
        };
        memory.material_time += self.dt;
        if self.params.material_time <= memory.material_time {
            (memory.material, memory.material_time) = (Some(found), 0.0);
            (self.tell)(VehicleEvent::MaterialChanged { wheel, from, to: found });
        }
    }
}
