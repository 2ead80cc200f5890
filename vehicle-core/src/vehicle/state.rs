//! The state of the ready-made mechanical base; wheels that are lost.

use serde::{Deserialize, Serialize};

use crate::actuation::WheelActuation;
use crate::body::{RigidBodyState, WheelInertia, Wrench};
use crate::clone_by_field;
use crate::constraint_rows::{StickyAnchor, VehicleRows, WheelRows};
use crate::error::{ParamCheck, ParamErrors};
use crate::math::finite::Finite;
use crate::math::lanes::{Number, Real4};
use crate::math::{Real, Vec3};
use crate::road::{RoadContact, WheelObstacle, WheelObstacles};
use crate::steering::SteeringState;
use crate::suspension::{Compression, SuspensionForce, SuspensionState};
use crate::tire::{BrushTire, TireModel, TireState};
use crate::turning_wheel::WheelState;
use crate::vehicle::{MechanicalParams, SubstepWatch};
use crate::{Substep, WheelList, WheelVec};

/// Why a suspension for wheels without mass must not carry a vehicle whose wheels have a mass.
const OVERRULED: &str = "it carries the vehicle as if its wheels had no mass, and they have one: give it wheels without \
                         mass (`ride: None` in its data sheet, or `with_massless_wheels`), or leave the wheels to \
                         `Suspension`";

/// Why no stage must leave brake torques below 0.
const BRAKES_DRIVE: &str =
    "a brake torque is negative, and brakes only slow their wheels down: write 0 (N·m) or more";

/// State of the mechanical base of a vehicle. Per-wheel lists have one element per wheel.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct MechanicalState<Tire: TireModel = BrushTire> {
    /// Motion of the body.
    pub rigid_body: RigidBodyState,
    /// Brake torque of each wheel (N·m).
    pub brake_torques: WheelList<Real>,
    /// Steer angle of each wheel (rad).
    pub steer_angles: WheelList<Real>,
    /// State of the steering wheel, and the torque that it feels.
    pub steering: SteeringState,
    /// Whether each wheel drives or brakes.
    pub actuations: WheelList<WheelActuation>,
    /// Road under each wheel.
    pub roads: WheelList<Option<RoadContact>>,
    /// State of each suspension, from its compression to its force.
    pub suspensions: WheelList<SuspensionState>,
    /// Torque of the anti-roll bars (N·m).
    pub anti_roll_torque: Vec3,
    /// What the motion of wheels with mass does to the body; `None` where they have none.
    #[serde(default)]
    pub wheel_inertia: Option<WheelInertia>,
    /// What stands in front of each wheel with mass; empty where wheels have none.
    #[serde(default)]
    pub obstacles: WheelObstacles,
    /// State of each tire.
    pub tires: WheelList<TireState>,
    /// State of each tire's model between steps.
    pub tire_models: WheelVec<Tire::State>,
    /// How fast contacts become sideways if all tires push (1/kg); 0 while all tires stick.
    pub lateral_response: Real,
    /// Where the vehicle sticks.
    pub anchor: Option<StickyAnchor>,
    /// What holds sticky tires and stops suspensions.
    pub rows: VehicleRows,
    /// Rotation and pose of each wheel.
    pub wheels: WheelList<WheelState>,
    /// Marks of loads, by which a frame finds stages that change them between its substeps. There
    /// are none between two steps.
    #[serde(skip)]
    pub(crate) watch: SubstepWatch,
}

clone_by_field! {
    impl[Tire: TireModel] MechanicalState<Tire> {
        rigid_body, brake_torques, steer_angles, steering, actuations, roads, suspensions, anti_roll_torque,
        wheel_inertia, obstacles, tires, tire_models, lateral_response, anchor, rows,
        wheels, watch,
    }
}

impl<Tire: TireModel> MechanicalState<Tire> {
    /// A vehicle of `wheel_count` wheels at rest at the origin.
    pub fn at_rest(wheel_count: usize) -> Self {
        Self {
            rigid_body: RigidBodyState::default(),
            brake_torques: WheelList::new(wheel_count),
            steer_angles: WheelList::new(wheel_count),
            steering: SteeringState::at_rest(wheel_count),
            actuations: WheelList::new(wheel_count),
            roads: WheelList::new(wheel_count),
            suspensions: WheelList::new(wheel_count),
            anti_roll_torque: Vec3::ZERO,
            wheel_inertia: None,
            obstacles: WheelObstacles::default(),
            tires: WheelList::new(wheel_count),
            tire_models: smallvec::smallvec![Tire::State::default(); wheel_count],
            lateral_response: 0.0,
            anchor: None,
            rows: VehicleRows::none(wheel_count),
            wheels: WheelList::new(wheel_count),
            watch: SubstepWatch::default(),
        }
    }
}

impl<Tire: TireModel> MechanicalState<Tire> {
    /// A vehicle of `params` at rest at the origin.
    pub fn of_vehicle(params: &MechanicalParams<Tire>) -> Self {
        let mut state = Self::at_rest(params.axles.wheel_count());
        state.fit(params);
        state
    }

    /// Makes this the state of a vehicle of `params`, between two steps: its wheels may have got a
    /// mass, or lost it. They stay where they are. Wheels with mass have it, also if it was
    /// [taken away](crate::vehicle::MechanicalLanes::set_wheel_mass).
    pub fn fit(&mut self, params: &MechanicalParams<Tire>) {
        let has_mass = params.suspension_dynamics.has_mass();
        self.wheel_inertia = has_mass.then(|| self.wheel_inertia.unwrap_or_default());
        let count = if has_mass { params.axles.wheel_count() } else { 0 };
        self.obstacles.fit(count);
    }

    /// Takes `wheel` off, between two steps: it finds no road, so that it neither carries nor
    /// holds, and it does not turn. In a differential its hub stands still, as if its brake held
    /// it: the other wheels keep their shares of torque and speed.
    ///
    /// The mass stays what it is. From the next step on, the suspension hangs at full droop.
    ///
    /// # Errors
    ///
    /// If there is no such wheel; nothing has changed then.
    pub fn detach_wheel(&mut self, wheel: usize) -> Result<(), ParamErrors> {
        self.forget_wheel(wheel)?;
        self.wheels.edit(wheel, |wheel| wheel.is_detached = true);
        Ok(())
    }

    /// Puts `wheel` on again, between two steps, at rest. The next step finds its jounce.
    ///
    /// # Errors
    ///
    /// If there is no such wheel; nothing has changed then.
    pub fn attach_wheel(&mut self, wheel: usize) -> Result<(), ParamErrors> {
        self.forget_wheel(wheel)?;
        self.wheels.edit(wheel, |wheel| wheel.is_detached = false);
        Ok(())
    }

    /// The wheels that are not lost.
    pub fn attached_wheels(&self) -> WheelVec<usize> {
        (0..self.wheels.len()).filter(|&wheel| !self.wheels.of(wheel).is_detached).collect()
    }

    /// Forgets what `wheel` did.
    fn forget_wheel(&mut self, wheel: usize) -> Result<(), ParamErrors> {
        let mut check = ParamCheck::default();
        let wheel_count = self.wheels.len();
        self.check_lengths(wheel_count, &mut check);
        let requirement = format_args!("a wheel below {wheel_count}");
        check.require("wheel", wheel < wheel_count, requirement, wheel);
        check.finish()?;
        self.roads.set(wheel, None);
        self.suspensions.edit(wheel, |suspension| {
            suspension.compression = Compression::default();
            suspension.force = SuspensionForce::default();
        });
        self.obstacles.set(wheel, WheelObstacle::default());
        self.tires.set(wheel, TireState::default());
        self.tire_models[wheel] = Tire::State::default();
        self.rows.set(wheel, WheelRows::default());
        self.steering.kingpin_moments[wheel] = 0.0;
        self.steering.contact_angles[wheel] = self.steer_angles[wheel];
        self.wheels.edit(wheel, |state| {
            (state.rotation_speed, state.displayed_rotation_speed) = (0.0, 0.0);
        });
        Ok(())
    }

    /// Reports the lists that have not one element per wheel of `wheel_count`.
    pub fn check_lengths(&self, wheel_count: usize, check: &mut ParamCheck) {
        let mut count = |name, length| check.count(name, length, wheel_count);
        count("brake_torques", self.brake_torques.len());
        count("steer_angles", self.steer_angles.len());
        count("steering.kingpin_moments", self.steering.kingpin_moments.len());
        count("steering.contact_angles", self.steering.contact_angles.len());
        count("actuations", self.actuations.len());
        count("roads", self.roads.len());
        count("suspensions", self.suspensions.len());
        count("tires", self.tires.len());
        count("tire_models", self.tire_models.len());
        count("rows", self.rows.len());
        count("wheels", self.wheels.len());
    }

    /// Why a stage of the last step does not fit the vehicle, and what to do in its place; `None`
    /// if all stages fit. A suspension may not fit wheels with mass, no brake may drive, and no
    /// stage may push the body anew in each substep.
    pub fn stage_fault(&self) -> Option<&'static str> {
        if self.brake_torques.any(|four| four.is_below(Real4::splat(0.0))) {
            return Some(BRAKES_DRIVE);
        }
        let is_overruled = self.wheel_inertia.is_some_and(|inertia| inertia.is_overruled);
        if is_overruled {
            return Some(OVERRULED);
        }
        self.watch.fault(self.external_load(), &self.suspensions)
    }

    /// Adds to the external force and torque from this substep on: for a stage within substeps that
    /// keeps account of what it has added, and takes it back. Others add once per frame, before the
    /// substeps.
    #[inline]
    pub fn push_within_substeps(&mut self, load: Wrench) {
        let before = self.external_load();
        let external = before + load;
        (self.rigid_body.external_force, self.rigid_body.external_torque) =
            (external.force, external.torque);
        self.watch.allow(before, external);
    }

    #[inline]
    fn external_load(&self) -> Wrench {
        Wrench { force: self.rigid_body.external_force, torque: self.rigid_body.external_torque }
    }

    /// Remembers what suspensions with mass give in the last `substep`.
    #[inline]
    pub(crate) fn note_suspensions(&mut self, substep: Substep) {
        if substep.remaining() == 1 {
            self.watch.note(&self.suspensions);
        }
    }

    /// Looks at what the body is about to be moved by, in this `substep`.
    #[inline]
    pub(crate) fn look_at_loads(&mut self, substep: Substep) {
        let external = self.external_load();
        self.watch.look(external, &self.suspensions, substep);
    }

    /// Whether every number is finite, but for bounds of constraint rows. What tires remember is
    /// not looked at.
    pub fn is_finite(&self) -> bool {
        Finite::is_finite(self)
    }
}

impl<Tire: TireModel> Finite for MechanicalState<Tire> {
    fn total(&self) -> Real4 {
        let inertia = self.wheel_inertia.unwrap_or_default();
        self.rigid_body.total()
            + self.brake_torques.total()
            + self.steer_angles.total()
            + self.steering.total()
            + self.roads.total()
            + self.suspensions.total()
            + self.anti_roll_torque.total()
            + inertia.force.total()
            + inertia.torque.total()
            + inertia.momentum.total()
            + self.obstacles.total()
            + self.tires.total()
            + self.lateral_response.total()
            + self.anchor.total()
            + self.rows.total()
            + self.wheels.total()
    }
}
