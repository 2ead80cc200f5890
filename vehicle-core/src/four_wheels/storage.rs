//! What a vehicle keeps of its wheels, read into lanes and written from them.

use super::parts::Parts;
use super::substep::{Motion, Substep};
use crate::Context;
use crate::axle::WheelLanes;
use crate::math::Real;
use crate::math::lanes::{Number, Real4, RigidPose, Vector};
use crate::road_geometry::RoadContact;
use crate::suspension::PreviousJounce;
use crate::tire::{StickyHold, TireModel, TireStickyState};
use crate::vehicle::MechanicalState;
use crate::wheel::WheelRolling;

impl Motion {
    /// The motion of a vehicle.
    pub(super) fn new<Tire: TireModel>(wheels: &WheelLanes, state: &MechanicalState<Tire>) -> Self {
        let turning = wheels.of_slice(&state.wheels);
        let roads =
            wheels.of_slice(&state.roads).map(|road| road.as_ref().unwrap_or(&RoadContact::NONE));
        Self {
            body: state.rigid_body,
            previous: PreviousJounce::from_lanes(wheels.of_slice(&state.suspensions)),
            sticky: TireStickyState::from_lanes(wheels.of_slice(&state.sticky_tires)),
            rotation_speed: Number::from_lanes(|lane| turning[lane].rotation_speed),
            road_offset: Number::from_lanes(|lane| roads[lane].plane.offset),
            road_impulse: Vector::from_lanes(|lane| roads[lane].impulse),
            road_age: Number::from_lanes(|lane| roads[lane].age),
            friction_impulse: None,
        }
    }
}

impl<Tire: TireModel, T> Parts<'_, Tire, T> {
    /// Writes what suspensions do, whether tires stick, and the motion of the body.
    #[inline]
    pub(super) fn write_suspensions(
        &self,
        motion: &Motion,
        substep: &Substep,
        state: &mut MechanicalState<Tire>,
    ) {
        state.rigid_body = motion.body;
        state.anti_roll_torque = substep.anti_roll_torque;
        let compliances = substep.compliance.lanes();
        let forces = substep.suspension_force.lanes();
        for (lane, wheel) in self.wheels.iter() {
            state.suspensions[wheel] = substep.compression.lane(lane);
            state.compliances[wheel] = compliances[lane];
            state.suspension_forces[wheel] = forces[lane];
            state.sticky_tires[wheel] = motion.sticky.lane(lane);
        }
    }

    /// Writes what tires do, and how wheels turn.
    #[inline]
    pub(super) fn write_wheels(
        &self,
        motion: &Motion,
        substep: &Substep,
        state: &mut MechanicalState<Tire>,
    ) {
        let (tires, speeds) = (substep.tires.lanes(), motion.rotation_speed.lanes());
        for (lane, wheel) in self.wheels.iter() {
            state.tires[wheel] = tires[lane];
            state.wheels[wheel].rotation_speed = speeds[lane];
        }
    }

    /// Turns the wheels through a frame of `dt` (s), and writes where they are then.
    #[inline]
    pub(super) fn place_wheels(
        &self,
        motion: &Motion,
        substep: &Substep,
        state: &mut MechanicalState<Tire>,
        dt: Real,
        context: &Context<'_>,
    ) {
        let jounce = substep.compression.jounce;
        let rolling = WheelRolling {
            is_free_on_ground: Real4::zero().is_below(jounce) & !self.is_active,
            longitudinal_speed: substep.tires.speeds.longitudinal,
            radius: self.wheel.radius,
        };
        let states = self.wheels.of_slice(&state.wheels);
        let angle = Number::from_lanes(|lane| states[lane].rotation_angle);
        let (speed, angle) = rolling.turned(motion.rotation_speed, angle, dt, context);
        let mount = self.mount_with(&substep.compliance, context.frame());
        let poses = mount.pose(&self.suspension, jounce, angle, context.frame()).lanes();
        let (speeds, angles) = (speed.lanes(), angle.lanes());
        for (lane, wheel) in self.wheels.iter() {
            let wheel = &mut state.wheels[wheel];
            wheel.displayed_rotation_speed = speeds[lane];
            wheel.rotation_angle = angles[lane];
            wheel.local_pose = poses[lane];
        }
    }

    /// Writes where the road has moved to, and what has pushed it.
    #[inline]
    pub(super) fn write_ground(&self, motion: &Motion, state: &mut MechanicalState<Tire>) {
        let (offsets, impulses) = (motion.road_offset.lanes(), motion.road_impulse.lanes());
        let ages = motion.road_age.lanes();
        for (lane, wheel) in self.wheels.iter() {
            if let Some(road) = &mut state.roads[wheel] {
                road.plane.offset = offsets[lane];
                road.impulse = impulses[lane];
                road.age = ages[lane];
            }
        }
    }

    /// Writes that the last substep had no constraint rows, if it is not known yet.
    #[inline]
    pub(super) fn release_rows(
        &self,
        motion: &Motion,
        state: &mut MechanicalState<Tire>,
        context: &Context<'_>,
    ) {
        let Some(friction_impulse) = motion.friction_impulse else { return };
        if context.params.tire_sticky.is_some_and(|params| params.hold == StickyHold::Anchor) {
            state.anchor = None;
        }
        let impulses = friction_impulse.lanes();
        for (lane, wheel) in self.wheels.iter() {
            let has_road = state.roads[wheel].is_some();
            state.rows[wheel].release(if has_road { impulses[lane] } else { 0.0 });
        }
    }
}
