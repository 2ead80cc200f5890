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

/// Copies lists as a whole, because a checked step copies the state: those of four wheels at once.
impl<Tire: TireModel> Clone for MechanicalState<Tire> {
    fn clone(&self) -> Self {
        if self.has_four_wheels() { self.copied(&FourWheels) } else { self.copied(&AnyWheels) }
    }
}

/// How a list is copied.
trait Copying {
    fn list<T: Copy>(&self, list: &WheelVec<T>) -> WheelVec<T>;
}

struct AnyWheels;

impl Copying for AnyWheels {
    fn list<T: Copy>(&self, list: &WheelVec<T>) -> WheelVec<T> {
        WheelVec::from_slice(list)
    }
}

/// Lists of a length that is known need neither a branch nor a second copy.
struct FourWheels;

impl Copying for FourWheels {
    #[inline(always)]
    fn list<T: Copy>(&self, list: &WheelVec<T>) -> WheelVec<T> {
        match <&[T; 4]>::try_from(list.as_slice()) {
            Ok(four) => WheelVec::from_buf(*four),
            Err(_) => WheelVec::from_slice(list),
        }
    }
}

impl<Tire: TireModel> MechanicalState<Tire> {
    #[inline(always)]
    fn copied(&self, copying: &impl Copying) -> Self {
        Self {
            rigid_body: self.rigid_body,
            brake_torques: copying.list(&self.brake_torques),
            steer_angles: copying.list(&self.steer_angles),
            actuations: copying.list(&self.actuations),
            roads: copying.list(&self.roads),
            suspensions: copying.list(&self.suspensions),
            compliances: copying.list(&self.compliances),
            suspension_forces: copying.list(&self.suspension_forces),
            anti_roll_torque: self.anti_roll_torque,
            tires: copying.list(&self.tires),
            sticky_tires: copying.list(&self.sticky_tires),
            tire_models: self.tire_models.clone(),
            anchor: self.anchor,
            rows: copying.list(&self.rows),
            wheels: copying.list(&self.wheels),
        }
    }

    fn has_four_wheels(&self) -> bool {
        fn is_of_four<T>(list: &WheelVec<T>) -> bool {
            !list.spilled() && list.len() == 4
        }
        is_of_four(&self.brake_torques)
            && is_of_four(&self.steer_angles)
            && is_of_four(&self.actuations)
            && is_of_four(&self.roads)
            && is_of_four(&self.suspensions)
            && is_of_four(&self.compliances)
            && is_of_four(&self.suspension_forces)
            && is_of_four(&self.tires)
            && is_of_four(&self.sticky_tires)
            && is_of_four(&self.rows)
            && is_of_four(&self.wheels)
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
        let mut count = |name, length| check.count(name, length, wheel_count);
        count("brake_torques", self.brake_torques.len());
        count("steer_angles", self.steer_angles.len());
        count("actuations", self.actuations.len());
        count("roads", self.roads.len());
        count("suspensions", self.suspensions.len());
        count("compliances", self.compliances.len());
        count("suspension_forces", self.suspension_forces.len());
        count("tires", self.tires.len());
        count("sticky_tires", self.sticky_tires.len());
        count("tire_models", self.tire_models.len());
        count("rows", self.rows.len());
        count("wheels", self.wheels.len());
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

fn default_for<T: Clone + Default>(wheel_count: usize) -> WheelVec<T> {
    smallvec::smallvec![T::default(); wheel_count]
}
