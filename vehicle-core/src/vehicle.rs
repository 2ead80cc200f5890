//! The ready-made mechanical base of a vehicle: everything but what turns the wheels.
//!
//! [`MechanicalParams`] and [`MechanicalState`] keep one list per kind of value. A vehicle that has
//! them implements [`HasMechanics`] and so has every view of this crate; a drivetrain adds its own.

use serde::{Deserialize, Serialize};

use crate::actuation::WheelActuation;
use crate::aerodynamics::{AerodynamicsParams, AerodynamicsView, HasAerodynamics};
use crate::brakes::{BrakesView, HasBrakes};
use crate::commands::{CommandResponseParams, Commands, MAX_BRAKES};
use crate::constraint_rows::{
    ConstraintRowsView, HasConstraintRows, StickyAnchor, SuspensionLimitParams, WheelRows,
};
use crate::error::{Bound, ParamCheck, ParamErrors, Validate};
use crate::finite::Finite;
use crate::frame::Frame;
use crate::ground::{GroundView, HasGround};
use crate::math::{PI, Real, Vec3};
use crate::rigid_body::{HasRigidBody, RigidBodyParams, RigidBodyState, RigidBodyView};
use crate::road_geometry::{HasRoadGeometry, RoadContact, RoadGeometryView};
use crate::steering::{AckermannParams, HasSteering, SteeringView};
use crate::suspension::{
    AntiRollBarParams, HasSuspension, JounceParams, SprungMassError, SuspensionCompliance,
    SuspensionComplianceParams, SuspensionForce, SuspensionForceParams, SuspensionParams,
    SuspensionState, SuspensionView, sprung_masses,
};
use crate::tire::{BrushTire, HasTires, TireModel, TireState, TireStickyState, TireView};
use crate::wheel::{HasWheels, WheelParams, WheelState, WheelView};
use crate::{AxleDescription, PerWheel, PerWheelMut, WheelVec};

/// What the mechanical base of a vehicle is made of. Per-wheel lists have one element per wheel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MechanicalParams<Tire = BrushTire> {
    /// Wheels grouped in axles.
    pub axles: AxleDescription,
    /// Mass of the vehicle, wheels included.
    pub rigid_body: RigidBodyParams,
    /// Brakes: response of each wheel's brake torque (N·m) to each brake command.
    pub brakes: Vec<CommandResponseParams>,
    /// Response of each wheel's steer angle (rad) to the steering wheel.
    pub steering: CommandResponseParams,
    /// Steered axles whose wheels roll about one point.
    #[serde(default)]
    pub ackermann: Vec<AckermannParams>,
    /// How the jounce follows from the road.
    #[serde(default)]
    pub jounce: JounceParams,
    /// Shape and inertia of each wheel.
    pub wheels: Vec<WheelParams>,
    /// Mount and travel of each suspension.
    pub suspensions: Vec<SuspensionParams>,
    /// Compliance of each suspension.
    pub compliances: Vec<SuspensionComplianceParams>,
    /// Spring and damper of each suspension.
    pub suspension_forces: Vec<SuspensionForceParams>,
    /// Anti-roll bars.
    #[serde(default)]
    pub anti_roll_bars: Vec<AntiRollBarParams>,
    /// How the air acts.
    #[serde(default)]
    pub aerodynamics: AerodynamicsParams,
    /// How the suspensions are stopped at full compression.
    #[serde(default)]
    pub suspension_limit: SuspensionLimitParams,
    /// Tire of each wheel.
    pub tires: Vec<Tire>,
}

impl<Tire> MechanicalParams<Tire> {
    /// Reports another number of wheels than `present`, that of a vehicle whose parameters these are
    /// to become.
    pub fn check_wheel_count(&self, present: usize, check: &mut ParamCheck) {
        let wheel_count = self.axles.wheel_count();
        let requirement = format_args!("of {present} wheels, as before");
        check.require("axles", wheel_count == present, requirement, wheel_count);
    }

    /// The same vehicle with another mass, whose center is `shift` (m, body frame) from the present
    /// one: what is mounted on the body stays where it is. Springs and sprung masses stay, too.
    pub fn with_mass(mut self, rigid_body: RigidBodyParams, shift: Vec3) -> Self {
        self.rigid_body = rigid_body;
        for suspension in &mut self.suspensions {
            suspension.attachment.translation -= shift;
        }
        self.aerodynamics.drag_point -= shift;
        for downforce in &mut self.aerodynamics.downforces {
            downforce.point -= shift;
        }
        self
    }

    /// The same vehicle with the sprung masses that balance it on `wheels`, which are all of its
    /// wheels or those that it has left; the others keep theirs.
    ///
    /// # Errors
    ///
    /// If these wheels cannot balance the vehicle, see [`sprung_masses`].
    pub fn with_balanced_sprung_masses(
        mut self,
        wheels: &[usize],
        frame: &Frame,
    ) -> Result<Self, SprungMassError> {
        let mount = |&wheel: &usize| self.suspensions.get(wheel).map(SuspensionParams::wheel_mount);
        let positions: Vec<_> = wheels.iter().filter_map(mount).collect();
        let masses = sprung_masses(&positions, self.rigid_body.mass, frame.vertical_axis())?;
        for (&wheel, mass) in wheels.iter().zip(masses) {
            self.suspension_forces[wheel].sprung_mass = mass;
        }
        Ok(self)
    }

    /// The same vehicle on other tires, one per wheel.
    pub fn with_tires<Other>(self, tires: impl Into<Vec<Other>>) -> MechanicalParams<Other> {
        MechanicalParams {
            axles: self.axles,
            rigid_body: self.rigid_body,
            brakes: self.brakes,
            steering: self.steering,
            ackermann: self.ackermann,
            jounce: self.jounce,
            wheels: self.wheels,
            suspensions: self.suspensions,
            compliances: self.compliances,
            suspension_forces: self.suspension_forces,
            anti_roll_bars: self.anti_roll_bars,
            aerodynamics: self.aerodynamics,
            suspension_limit: self.suspension_limit,
            tires: tires.into(),
        }
    }
}

impl<Tire: TireModel> MechanicalParams<Tire> {
    fn check_lengths(&self, check: &mut ParamCheck) {
        let wheel_count = self.axles.wheel_count();
        let lengths = [
            ("wheels", self.wheels.len()),
            ("suspensions", self.suspensions.len()),
            ("compliances", self.compliances.len()),
            ("suspension_forces", self.suspension_forces.len()),
            ("tires", self.tires.len()),
        ];
        for (name, length) in lengths {
            check.count(name, length, wheel_count);
        }
        let brakes = self.brakes.len();
        check.require("brakes", brakes <= MAX_BRAKES, format_args!("at most {MAX_BRAKES}"), brakes);
    }

    fn check_controls(&self, check: &mut ParamCheck) {
        let wheel_count = self.axles.wheel_count();
        check.each("brakes", &self.brakes, |brake, inner| {
            brake.check(inner, wheel_count, Bound::NotNegative, Bound::NotNegative);
        });
        check.field("steering", |inner| {
            self.steering.check(inner, wheel_count, Bound::Finite, Bound::Finite);
            for (wheel, multiplier) in self.steering.wheel_multipliers.iter().enumerate() {
                let angle = self.steering.max_response * multiplier;
                let name = format_args!("max_response · wheel_multipliers[{wheel}]");
                inner.number(name, angle, Bound::Within(-PI, PI));
            }
        });
        check.each("ackermann", &self.ackermann, |axle, inner| axle.check(inner, wheel_count));
    }
}

impl<Tire: TireModel> Validate for MechanicalParams<Tire> {
    fn check(&self, check: &mut ParamCheck) {
        let wheel_count = self.axles.wheel_count();
        self.check_lengths(check);
        self.check_controls(check);
        check.field("rigid_body", |inner| self.rigid_body.check(inner));
        check.each("wheels", &self.wheels, WheelParams::check);
        check.each("suspensions", &self.suspensions, SuspensionParams::check);
        check.each("compliances", &self.compliances, SuspensionComplianceParams::check);
        check.each("suspension_forces", &self.suspension_forces, SuspensionForceParams::check);
        check.each("anti_roll_bars", &self.anti_roll_bars, |bar, inner| {
            bar.check(inner, wheel_count);
        });
        check.field("aerodynamics", |inner| self.aerodynamics.check(inner));
        check.field("suspension_limit", |inner| self.suspension_limit.check(inner));
        check.each("tires", &self.tires, Tire::check);
    }
}

/// A vehicle on the ready-made mechanical base that can be changed between steps: loaded, put on
/// other tires or springs.
pub trait ChangeMechanics: HasMechanics {
    /// Changes what the mechanical base is made of; vehicles that share the parameters keep theirs.
    ///
    /// # Errors
    ///
    /// All faults of `mechanics`, also if the number of wheels differs; nothing has changed then.
    fn set_mechanics(&mut self, mechanics: MechanicalParams<Self::Tire>)
    -> Result<(), ParamErrors>;
}

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
            brake_torques: WheelVec::from_slice(&self.brake_torques),
            steer_angles: WheelVec::from_slice(&self.steer_angles),
            actuations: WheelVec::from_slice(&self.actuations),
            roads: WheelVec::from_slice(&self.roads),
            suspensions: WheelVec::from_slice(&self.suspensions),
            compliances: WheelVec::from_slice(&self.compliances),
            suspension_forces: WheelVec::from_slice(&self.suspension_forces),
            anti_roll_torque: self.anti_roll_torque,
            tires: WheelVec::from_slice(&self.tires),
            sticky_tires: WheelVec::from_slice(&self.sticky_tires),
            tire_models: self.tire_models.clone(),
            anchor: self.anchor,
            rows: WheelVec::from_slice(&self.rows),
            wheels: WheelVec::from_slice(&self.wheels),
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
        Finite::is_finite(&self.rigid_body)
            && [self.brake_torques.as_slice(), &self.steer_angles]
                .iter()
                .all(|list| list.is_finite())
            && self.roads.is_finite()
            && self.suspensions.is_finite()
            && self.compliances.is_finite()
            && self.suspension_forces.is_finite()
            && self.anti_roll_torque.is_finite()
            && self.tires.is_finite()
            && self.sticky_tires.is_finite()
            && self.anchor.is_finite()
            && self.rows.is_finite()
            && self.wheels.is_finite()
    }
}

fn default_for<T: Clone + Default>(wheel_count: usize) -> WheelVec<T> {
    smallvec::smallvec![T::default(); wheel_count]
}

/// The mechanical base of a vehicle, borrowed: from it every view of this crate follows.
pub struct Mechanics<'a, Tire: TireModel> {
    /// What the vehicle is made of.
    pub params: &'a MechanicalParams<Tire>,
    /// What its driver wants.
    pub commands: &'a Commands,
    /// What it does.
    pub state: &'a mut MechanicalState<Tire>,
}

/// A vehicle on the ready-made mechanical base.
pub trait HasMechanics {
    /// The force law of its tires.
    type Tire: TireModel;

    /// Borrows the base.
    fn mechanics(&mut self) -> Mechanics<'_, Self::Tire>;
}

impl<Tire: TireModel> HasMechanics for Mechanics<'_, Tire> {
    type Tire = Tire;

    fn mechanics(&mut self) -> Mechanics<'_, Tire> {
        Mechanics { params: self.params, commands: self.commands, state: self.state }
    }
}

fn each<T>(values: &[T]) -> PerWheel<'_, T> {
    PerWheel::Slice(values)
}

fn each_mut<T>(values: &mut [T]) -> PerWheelMut<'_, T> {
    PerWheelMut::Slice(values)
}

impl<V: HasMechanics + ?Sized> HasBrakes for V {
    fn brakes(&mut self) -> BrakesView<'_> {
        let Mechanics { params, commands, state } = self.mechanics();
        BrakesView {
            axles: &params.axles,
            rigid_body: &state.rigid_body,
            commands,
            params: &params.brakes,
            torques: each_mut(&mut state.brake_torques),
        }
    }
}

impl<V: HasMechanics + ?Sized> HasSteering for V {
    fn steering(&mut self) -> SteeringView<'_> {
        let Mechanics { params, commands, state } = self.mechanics();
        SteeringView {
            axles: &params.axles,
            rigid_body: &state.rigid_body,
            commands,
            params: &params.steering,
            ackermann: &params.ackermann,
            angles: each_mut(&mut state.steer_angles),
        }
    }
}

impl<V: HasMechanics + ?Sized> HasRoadGeometry for V {
    fn road_geometry(&mut self) -> RoadGeometryView<'_> {
        let Mechanics { params, state, .. } = self.mechanics();
        RoadGeometryView {
            axles: &params.axles,
            rigid_body: &state.rigid_body,
            wheel_params: each(&params.wheels),
            suspension_params: each(&params.suspensions),
            steer_angles: each(&state.steer_angles),
            wheels: each(&state.wheels),
            roads: each_mut(&mut state.roads),
        }
    }
}

impl<V: HasMechanics + ?Sized> HasSuspension for V {
    fn suspension(&mut self) -> SuspensionView<'_> {
        let Mechanics { params, state, .. } = self.mechanics();
        SuspensionView {
            axles: &params.axles,
            rigid_body_params: &params.rigid_body,
            rigid_body: &state.rigid_body,
            jounce_params: &params.jounce,
            wheel_params: each(&params.wheels),
            params: each(&params.suspensions),
            compliance_params: each(&params.compliances),
            force_params: each(&params.suspension_forces),
            anti_roll_bars: &params.anti_roll_bars,
            steer_angles: each(&state.steer_angles),
            roads: each(&state.roads),
            states: each_mut(&mut state.suspensions),
            compliances: each_mut(&mut state.compliances),
            forces: each_mut(&mut state.suspension_forces),
            anti_roll_torque: &mut state.anti_roll_torque,
        }
    }
}

impl<V: HasMechanics + ?Sized> HasTires for V {
    type Model = V::Tire;

    fn tires(&mut self) -> TireView<'_, V::Tire> {
        let Mechanics { params, state, .. } = self.mechanics();
        TireView {
            axles: &params.axles,
            rigid_body: &state.rigid_body,
            wheel_params: each(&params.wheels),
            suspension_params: each(&params.suspensions),
            models: each(&params.tires),
            steer_angles: each(&state.steer_angles),
            actuations: each(&state.actuations),
            roads: each(&state.roads),
            suspension_states: each(&state.suspensions),
            compliances: each(&state.compliances),
            suspension_forces: each(&state.suspension_forces),
            wheels: each(&state.wheels),
            states: each_mut(&mut state.tires),
            sticky_states: each_mut(&mut state.sticky_tires),
            model_states: each_mut(&mut state.tire_models),
        }
    }
}

impl<V: HasMechanics + ?Sized> HasAerodynamics for V {
    fn aerodynamics(&mut self) -> AerodynamicsView<'_> {
        let Mechanics { params, state, .. } = self.mechanics();
        AerodynamicsView { params: &params.aerodynamics, rigid_body: &mut state.rigid_body }
    }
}

impl<V: HasMechanics + ?Sized> HasConstraintRows for V {
    fn constraint_rows(&mut self) -> ConstraintRowsView<'_> {
        let Mechanics { params, state, .. } = self.mechanics();
        ConstraintRowsView {
            axles: &params.axles,
            rigid_body_params: &params.rigid_body,
            rigid_body: &state.rigid_body,
            limit_params: &params.suspension_limit,
            wheel_params: each(&params.wheels),
            brake_torques: each(&state.brake_torques),
            suspension_params: each(&params.suspensions),
            suspension_states: each(&state.suspensions),
            suspension_forces: each(&state.suspension_forces),
            compliances: each(&state.compliances),
            roads: each(&state.roads),
            tires: each(&state.tires),
            sticky_states: each(&state.sticky_tires),
            anchor: &mut state.anchor,
            rows: each_mut(&mut state.rows),
        }
    }
}

impl<V: HasMechanics + ?Sized> HasRigidBody for V {
    fn rigid_body(&mut self) -> RigidBodyView<'_> {
        let Mechanics { params, state, .. } = self.mechanics();
        RigidBodyView {
            axles: &params.axles,
            params: &params.rigid_body,
            suspension_forces: each(&state.suspension_forces),
            tires: each(&state.tires),
            anti_roll_torque: state.anti_roll_torque,
            rows: each_mut(&mut state.rows),
            state: &mut state.rigid_body,
        }
    }
}

impl<V: HasMechanics + ?Sized> HasGround for V {
    fn ground(&mut self) -> GroundView<'_> {
        let Mechanics { params, state, .. } = self.mechanics();
        GroundView {
            axles: &params.axles,
            suspension_forces: each(&state.suspension_forces),
            tires: each(&state.tires),
            rows: each(&state.rows),
            roads: each_mut(&mut state.roads),
        }
    }
}

impl<V: HasMechanics + ?Sized> HasWheels for V {
    fn wheels(&mut self) -> WheelView<'_> {
        let Mechanics { params, state, .. } = self.mechanics();
        WheelView {
            axles: &params.axles,
            params: each(&params.wheels),
            suspension_params: each(&params.suspensions),
            suspension_states: each(&state.suspensions),
            compliances: each(&state.compliances),
            steer_angles: each(&state.steer_angles),
            actuations: each(&state.actuations),
            tires: each(&state.tires),
            states: each_mut(&mut state.wheels),
        }
    }
}
