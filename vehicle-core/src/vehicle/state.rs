//! The state of the ready-made mechanical base; wheels that are lost.

use serde::{Deserialize, Serialize};

use crate::WheelVec;
use crate::actuation::WheelActuation;
use crate::constraint_rows::{StickyAnchor, WheelRows};
use crate::error::{ParamCheck, ParamErrors};
use crate::finite::{Finite, residue_of};
use crate::math::lanes::Real4;
use crate::math::{Real, Vec3};
use crate::rigid_body::RigidBodyState;
use crate::road_geometry::RoadContact;
use crate::suspension::{SuspensionCompliance, SuspensionForce, SuspensionState};
use crate::tire::{BrushTire, TireModel, TireState, TireStickyState};
use crate::wheel::WheelState;

/// What changes as a vehicle drives. Per-wheel lists have one element per wheel.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct MechanicalState<Tire: TireModel = BrushTire> {
    /// Motion of the body.
    pub rigid_body: RigidBodyState,
    /// Brake torque of each wheel (N·m).
    pub brake_torques: WheelVec<Real>,
    /// Steer angle of each wheel (rad).
    pub steer_angles: WheelVec<Real>,
    /// Whether each wheel drives or brakes.
    pub actuations: WheelVec<WheelActuation>,
    /// Road under each wheel.
    pub roads: WheelVec<Option<RoadContact>>,
    /// Compression of each suspension.
    pub suspensions: WheelVec<SuspensionState>,
    /// Toe, camber and force points of each suspension.
    pub compliances: WheelVec<SuspensionCompliance>,
    /// Force of each suspension.
    pub suspension_forces: WheelVec<SuspensionForce>,
    /// Torque of the anti-roll bars (N·m).
    pub anti_roll_torque: Vec3,
    /// What each tire does.
    pub tires: WheelVec<TireState>,
    /// Whether each tire sticks.
    pub sticky_tires: WheelVec<TireStickyState>,
    /// What each tire's model remembers.
    pub tire_models: WheelVec<Tire::State>,
    /// Where the vehicle sticks.
    pub anchor: Option<StickyAnchor>,
    /// What holds sticky tires and stops suspensions.
    pub rows: WheelVec<WheelRows>,
    /// Rotation and pose of each wheel.
    pub wheels: WheelVec<WheelState>,
}

impl<Tire: TireModel> MechanicalState<Tire> {
    /// A vehicle of `wheel_count` wheels at rest at the origin.
    pub fn at_rest(wheel_count: usize) -> Self {
        Self {
            rigid_body: RigidBodyState::default(),
            brake_torques: smallvec::smallvec![0.0; wheel_count],
            steer_angles: smallvec::smallvec![0.0; wheel_count],
            actuations: default_for(wheel_count),
            roads: default_for(wheel_count),
            suspensions: default_for(wheel_count),
            compliances: default_for(wheel_count),
            suspension_forces: default_for(wheel_count),
            anti_roll_torque: Vec3::ZERO,
            tires: default_for(wheel_count),
            sticky_tires: default_for(wheel_count),
            tire_models: default_for(wheel_count),
            anchor: None,
            rows: default_for(wheel_count),
            wheels: default_for(wheel_count),
        }
    }
}

/// Copies lists as a whole: a checked step copies the state.
impl<Tire: TireModel> Clone for MechanicalState<Tire> {
    fn clone(&self) -> Self {
        Self {
            rigid_body: self.rigid_body,
            brake_torques: copy(&self.brake_torques),
            steer_angles: copy(&self.steer_angles),
            actuations: copy(&self.actuations),
            roads: copy(&self.roads),
            suspensions: copy(&self.suspensions),
            compliances: copy(&self.compliances),
            suspension_forces: copy(&self.suspension_forces),
            anti_roll_torque: self.anti_roll_torque,
            tires: copy(&self.tires),
            sticky_tires: copy(&self.sticky_tires),
            tire_models: self.tire_models.clone(),
            anchor: self.anchor,
            rows: copy(&self.rows),
            wheels: copy(&self.wheels),
        }
    }
}

impl<Tire: TireModel> MechanicalState<Tire> {
    /// Takes `wheel` off, between two steps: it finds no road, so that it neither carries nor holds,
    /// and it does not turn. In a differential its hub stands still, as if its brake held it: the
    /// other wheels keep their shares of torque and speed.
    ///
    /// The mass stays what it is, and the suspension hangs at full droop.
    ///
    /// # Errors
    ///
    /// If there is no such wheel; nothing has changed then.
    pub fn detach_wheel(&mut self, wheel: usize) -> Result<(), ParamErrors> {
        self.forget_wheel(wheel)?;
        self.wheels[wheel].is_detached = true;
        Ok(())
    }

    /// Puts `wheel` on again, between two steps: at rest and at full droop.
    ///
    /// # Errors
    ///
    /// If there is no such wheel; nothing has changed then.
    pub fn attach_wheel(&mut self, wheel: usize) -> Result<(), ParamErrors> {
        self.forget_wheel(wheel)?;
        self.wheels[wheel].is_detached = false;
        Ok(())
    }

    /// The wheels that are not lost.
    pub fn attached_wheels(&self) -> WheelVec<usize> {
        (0..self.wheels.len()).filter(|&wheel| !self.wheels[wheel].is_detached).collect()
    }

    /// Forgets what `wheel` did.
    fn forget_wheel(&mut self, wheel: usize) -> Result<(), ParamErrors> {
        let mut check = ParamCheck::default();
        let wheel_count = self.wheels.len();
        self.check_lengths(wheel_count, &mut check);
        let requirement = format_args!("a wheel below {wheel_count}");
        check.require("wheel", wheel < wheel_count, requirement, wheel);
        check.finish()?;
        self.roads[wheel] = None;
        self.suspensions[wheel] = SuspensionState::default();
        self.suspension_forces[wheel] = SuspensionForce::default();
        self.tires[wheel] = TireState::default();
        self.sticky_tires[wheel] = TireStickyState::default();
        self.tire_models[wheel] = Tire::State::default();
        self.rows[wheel] = WheelRows::default();
        let state = &mut self.wheels[wheel];
        (state.rotation_speed, state.displayed_rotation_speed) = (0.0, 0.0);
        Ok(())
    }

    /// Reports the lists that have not one element per wheel of `wheel_count`.
    pub fn check_lengths(&self, wheel_count: usize, check: &mut ParamCheck) {
        let lengths = [
            ("brake_torques", self.brake_torques.len()),
            ("steer_angles", self.steer_angles.len()),
            ("actuations", self.actuations.len()),
            ("roads", self.roads.len()),
            ("suspensions", self.suspensions.len()),
            ("compliances", self.compliances.len()),
            ("suspension_forces", self.suspension_forces.len()),
            ("tires", self.tires.len()),
            ("sticky_tires", self.sticky_tires.len()),
            ("tire_models", self.tire_models.len()),
            ("rows", self.rows.len()),
            ("wheels", self.wheels.len()),
        ];
        for (name, length) in lengths {
            check.count(name, length, wheel_count);
        }
    }

    /// Whether every number is finite, but for bounds of constraint rows. What tires remember is
    /// not looked at.
    pub fn is_finite(&self) -> bool {
        Finite::is_finite(self)
    }
}

impl<Tire: TireModel> Finite for MechanicalState<Tire> {
    fn residue(&self) -> Real4 {
        self.rigid_body.residue()
            + residue_of(&self.brake_torques)
            + residue_of(&self.steer_angles)
            + self.roads.residue()
            + self.suspensions.residue()
            + self.compliances.residue()
            + self.suspension_forces.residue()
            + self.anti_roll_torque.residue()
            + self.tires.residue()
            + self.sticky_tires.residue()
            + self.anchor.residue()
            + self.rows.residue()
            + self.wheels.residue()
    }
}

/// A copy of `list`, at once for four wheels.
#[inline]
fn copy<T: Copy>(list: &[T]) -> WheelVec<T> {
    <[T; 4]>::try_from(list).map_or_else(|_| WheelVec::from_slice(list), WheelVec::from_buf)
}

fn default_for<T: Clone + Default>(wheel_count: usize) -> WheelVec<T> {
    smallvec::smallvec![T::default(); wheel_count]
}
