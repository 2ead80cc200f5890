//! The ready-made mechanical base of a vehicle: everything but what turns the wheels.
//!
//! [`MechanicalParams`] and [`MechanicalState`] keep one list per kind of value. A vehicle that has
//! them implements [`HasMechanics`] and so has every view of this crate; a drivetrain adds its own.

mod contact;
mod lanes;
mod massless;
mod own;
mod read;
mod road_force;
mod ruts;
mod standing;
mod state;
#[cfg(test)]
pub(crate) mod test_car;
mod tread;
mod views;
mod wheel_motion;

use serde::{Deserialize, Serialize};

pub use self::contact::WheelContact;
pub use self::lanes::MechanicalLanes;
pub use self::own::{HasOwn, MechanicsWithOwn, OwnState, check_own, check_own_memory};
pub use self::read::ReadVehicle;
pub use self::ruts::{Ruts, SoftGround, WheelInRut};
pub use self::standing::StandingWheel;
pub use self::state::MechanicalState;
pub use self::tread::{TreadContact, tread_contact};
pub use self::views::SuspensionKind;
pub use self::wheel_motion::WheelMotion;
use crate::aerodynamics::AerodynamicsParams;
use crate::body::RigidBodyParams;
use crate::brakes::BrakeValveParams;
use crate::commands::{CommandResponseParams, Commands, MAX_BRAKES};
use crate::constraint_rows::SuspensionLimitParams;
use crate::error::{Bound, ParamCheck, ParamErrors, Validate};
use crate::frame::Frame;
use crate::math::{PI, Real, Vec3};
use crate::mount::SuspensionParams;
use crate::mount::WheelParams;
use crate::steering::{AckermannParams, SteeringSystemParams};
use crate::suspension::params::{MOST_DAMPING, MOST_STIFFNESS};
use crate::suspension::unsprung::{SuspensionDynamics, UnsprungParams};
use crate::suspension::{
    AntiRollBarParams, BeamAxleParams, JounceParams, SprungMassError, StrutParams,
    SuspensionComplianceParams, SuspensionForceParams, check_beam_axles, sprung_masses,
};
use crate::tire::{BrushTire, TireModel};
use crate::{AxleDescription, SimulationParams};

/// Parameters of the mechanical base of a vehicle. Per-wheel lists have one element per wheel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct MechanicalParams<Tire = BrushTire> {
    /// Wheels grouped in axles.
    pub axles: AxleDescription,
    /// Mass of the vehicle, wheels included.
    pub rigid_body: RigidBodyParams,
    /// Brakes: response of each wheel's brake torque (N·m) to each brake command.
    pub brakes: Vec<CommandResponseParams>,
    /// Load-sensing valves of the foot brake, each of an axle or of several; none lets all through.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub brake_valves: Vec<BrakeValveParams>,
    /// Response of each wheel's steer angle (rad) to the steering wheel.
    pub steering: CommandResponseParams,
    /// Steered axles whose wheels roll about one point.
    #[serde(default)]
    pub ackermann: Vec<AckermannParams>,
    /// Steering axes and steering wheel: what force feedback and a steering wheel that turns by
    /// itself need. The feedback of the road is not computed without it.
    #[serde(default)]
    pub steering_system: Option<SteeringSystemParams>,
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
    /// Rigid axles, each of which joins two wheels with mass.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub beam_axles: Vec<BeamAxleParams>,
    /// How the air acts.
    #[serde(default)]
    pub aerodynamics: AerodynamicsParams,
    /// Whether the wheels have a mass.
    #[serde(default)]
    pub suspension_dynamics: SuspensionDynamics,
    /// How the suspensions are stopped at full compression.
    #[serde(default)]
    pub suspension_limit: SuspensionLimitParams,
    /// Tire of each wheel.
    pub tires: Vec<Tire>,
}

impl<Tire> MechanicalParams<Tire> {
    /// Reports another number of wheels than `present`, that of a vehicle whose parameters these
    /// are to become.
    pub fn check_wheel_count(&self, present: usize, check: &mut ParamCheck) {
        let wheel_count = self.axles.wheel_count();
        let requirement = format_args!("of {present} wheels, as before");
        check.require("axles", wheel_count == present, requirement, wheel_count);
    }

    /// This vehicle with another mass, whose center is `shift` (m, body frame) from the present
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

    /// This vehicle with the sprung masses that balance it on `wheels`, which are all of its wheels
    /// or those that it has left; the others keep theirs.
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

    /// This vehicle on wheels with mass: twice that of each [wheel](WheelParams::mass), on tires of
    /// its radial stiffness. Springs and dampers become weaker by the part of their load that the
    /// wheels are, and suspensions lower by what the tires give way. So the vehicle stands as high
    /// as before. Wheels that have a mass keep theirs.
    pub fn with_unsprung_masses(self, gravity: Real) -> Self {
        if self.suspension_dynamics.has_mass() {
            return self;
        }
        let before = self.suspension_dynamics.clone();
        let wheels = self.wheels.clone();
        let travels: Vec<Real> = self.suspensions.iter().map(|it| it.travel_distance).collect();
        self.on_wheels_with_mass(gravity, |wheel, spring| {
            let usual = WheelParams::default().radial_stiffness;
            let stiffness = wheels[wheel].radial_stiffness;
            let tire = if 0.0 < stiffness { stiffness } else { usual };
            let mass = (2.0 * wheels[wheel].mass).min(0.4 * spring.sprung_mass);
            let share = spring.share_above(mass);
            let spring = spring.carrying_less(mass);
            let mut usual = UnsprungParams::new(mass, tire, &spring, travels[wheel]);
            if let Some(strut) = before.strut(wheel) {
                let strut = strut.carrying(share);
                let bump_stop = strut.bump_stop.or(usual.strut.bump_stop);
                usual.strut = StrutParams { bump_stop, ..strut };
            }
            (spring, usual)
        })
    }

    /// This vehicle on wheels without mass, which are cheaper: for vehicles at which nobody looks
    /// closely. Springs and dampers carry the wheels too, with the frequency that they have
    /// without. Suspensions are higher by what the tires gave way. So under `gravity` (m/s²) the
    /// vehicle stands as high as before. They are linear. Wheels of beam axles become independent:
    /// an axle has a mass.
    pub fn with_massless_wheels(mut self, gravity: Real) -> Self {
        let dynamics = std::mem::take(&mut self.suspension_dynamics);
        let SuspensionDynamics::Unsprung(wheels) = dynamics else {
            return self;
        };
        self.beam_axles.clear();
        let parts = self.suspension_forces.iter_mut().zip(&mut self.suspensions);
        for ((spring, suspension), wheel) in parts.zip(wheels) {
            let sinking = spring.sprung_mass * gravity / wheel.tire_stiffness;
            suspension.attachment.translation -= suspension.travel_direction * sinking;
            *spring = spring.carrying_more(wheel.mass);
        }
        self
    }

    /// This vehicle on wheels with mass, of which `of` tells for the number and the spring of each
    /// what it becomes. Suspensions become lower by what the tires give way: the vehicle stands as
    /// high as before.
    pub(crate) fn on_wheels_with_mass(
        mut self,
        gravity: Real,
        of: impl Fn(usize, &SuspensionForceParams) -> (SuspensionForceParams, UnsprungParams),
    ) -> Self {
        let mut wheels = Vec::with_capacity(self.wheels.len());
        let parts = self.suspension_forces.iter_mut().zip(&mut self.suspensions);
        for (wheel, (spring, suspension)) in parts.enumerate() {
            let params;
            (*spring, params) = of(wheel, spring);
            let sinking = spring.sprung_mass * gravity / params.tire_stiffness;
            suspension.attachment.translation += suspension.travel_direction * sinking;
            wheels.push(params);
        }
        self.suspension_dynamics = SuspensionDynamics::Unsprung(wheels);
        self
    }

    /// This vehicle on other tires, one per wheel.
    pub fn with_tires<Other>(self, tires: impl Into<Vec<Other>>) -> MechanicalParams<Other> {
        MechanicalParams {
            axles: self.axles,
            rigid_body: self.rigid_body,
            brakes: self.brakes,
            brake_valves: self.brake_valves,
            steering: self.steering,
            ackermann: self.ackermann,
            steering_system: self.steering_system,
            jounce: self.jounce,
            wheels: self.wheels,
            suspensions: self.suspensions,
            compliances: self.compliances,
            suspension_forces: self.suspension_forces,
            anti_roll_bars: self.anti_roll_bars,
            beam_axles: self.beam_axles,
            aerodynamics: self.aerodynamics,
            suspension_dynamics: self.suspension_dynamics,
            suspension_limit: self.suspension_limit,
            tires: tires.into(),
        }
    }
}

/// How far a wheel may travel, by its radius (dimensionless).
const MOST_TRAVEL: Real = 20.0;
/// Sum of the sprung masses beyond which they are refused, as a multiple of the mass
/// (dimensionless). Wheels that are lost keep theirs, and so does a vehicle that is unloaded.
const MOST_SPRUNG_MASS: Real = 4.0;

/// Requirement of a vehicle that is made for other axes than it drives by.
const SAME_FRAME: &str = "in the axes of the simulation: the data sheet (`CarBlueprint::frame`) and the simulation \
                          (`SimulationParams::new(frame)`, a vehicle's `params`) must have the same `Frame`";

impl<Tire> MechanicalParams<Tire> {
    /// Reports suspensions that do not lead down in the axes of `frame`, or axles that do not lie
    /// across. Such are those of a vehicle for other axes, or with travel directions from droop to
    /// compression.
    pub fn check_axes(&self, frame: &Frame, check: &mut ParamCheck) {
        let up = frame.vertical();
        let directions = self.suspensions.iter().map(|suspension| suspension.travel_direction);
        let leads_down = |direction: Vec3| direction.dot(up) < 0.0;
        for (wheel, direction) in directions.enumerate().filter(|(_, it)| !leads_down(*it)) {
            let requirement = format_args!("downward, away from {up}");
            let name = format_args!("suspensions[{wheel}].travel_direction");
            check.require(name, false, requirement, direction);
        }
        let mut directions = self.suspensions.iter().map(|suspension| suspension.travel_direction);
        if let Some(first) = directions.next().filter(|first| !leads_down(*first))
            && !directions.any(leads_down)
        {
            check.require("suspensions[..].travel_direction", false, SAME_FRAME, first);
        } else {
            self.check_axles_across(frame, check);
        }
    }

    /// Reports axles if all of them lie along the vehicle, one wheel before the other.
    fn check_axles_across(&self, frame: &Frame, check: &mut ParamCheck) {
        let place = |wheel: usize| self.suspensions.get(wheel).map(SuspensionParams::wheel_mount);
        let mut pairs = self.axles.axles().filter_map(|axle| {
            let &[one, other] = axle else { return None };
            Some(place(one)? - place(other)?)
        });
        let lies_along = |pair: Vec3| {
            2.0 * pair.dot(frame.lateral()).abs() < pair.dot(frame.longitudinal()).abs()
        };
        let Some(first) = pairs.next().filter(|pair| lies_along(*pair)) else { return };
        if pairs.all(lies_along) {
            let across = frame.lateral();
            let requirement = format_args!("across the vehicle, along {across}, and {SAME_FRAME}");
            check.require("axles[..]", false, requirement, first);
        }
    }

    /// Reports what the driver cannot want of such a vehicle: a torque on its steering wheel if it
    /// has no [steering system](Self::steering_system).
    pub fn check_commands(&self, commands: &Commands, check: &mut ParamCheck) {
        commands.check(check);
        let torque = commands.steering_torque.filter(|_| self.steering_system.is_none());
        if let Some(torque) = torque {
            let requirement = "none, as the vehicle has no steering_system";
            check.require("steering_torque", false, requirement, torque);
        }
    }

    /// Checks that the sprung masses together are not far more than the mass.
    fn check_sprung_masses(&self, check: &mut ParamCheck) {
        let sum: Real = self.suspension_forces.iter().map(|spring| spring.sprung_mass).sum();
        let most = MOST_SPRUNG_MASS * self.rigid_body.mass;
        let requirement =
            format_args!("at most {most} in sum, {MOST_SPRUNG_MASS} times rigid_body.mass");
        check.at_most("suspension_forces[..].sprung_mass", sum, most, requirement);
    }
}

impl<Tire> MechanicalParams<Tire> {
    /// Checks that no spring or damper is so strong for the vehicle that it becomes infinitely
    /// fast.
    fn check_springs(&self, check: &mut ParamCheck) {
        let mass = self.rigid_body.mass;
        for (wheel, spring) in self.suspension_forces.iter().enumerate() {
            let numbers = [
                ("stiffness", spring.stiffness, MOST_STIFFNESS),
                ("damping", spring.damping, MOST_DAMPING),
            ];
            for (name, value, per_mass) in numbers {
                let most = per_mass * mass;
                let requirement =
                    format_args!("at most {most}, {per_mass:e} times rigid_body.mass");
                let name = format_args!("suspension_forces[{wheel}].{name}");
                check.at_most(name, value, most, requirement);
            }
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

    /// Checks that no wheel travels far beyond its own size: it would be on a stilt, which turns
    /// the body by any force.
    fn check_travels(&self, check: &mut ParamCheck) {
        for (index, (suspension, wheel)) in self.suspensions.iter().zip(&self.wheels).enumerate() {
            let most = MOST_TRAVEL * wheel.radius;
            let requirement =
                format_args!("at most {most}, {MOST_TRAVEL} times the radius of its wheel");
            let name = format_args!("suspensions[{index}].travel_distance");
            check.at_most(name, suspension.travel_distance, most, requirement);
        }
    }

    fn check_controls(&self, check: &mut ParamCheck) {
        let wheel_count = self.axles.wheel_count();
        check.each("brakes", &self.brakes, |brake, inner| {
            brake.check(inner, wheel_count, Bound::NotNegative, Bound::NotNegative);
        });
        check.each("brake_valves", &self.brake_valves, |valve, inner| {
            valve.check(inner, wheel_count);
        });
        for (index, valve) in self.brake_valves.iter().enumerate() {
            let before = &self.brake_valves[..index];
            let is_shared =
                |wheel: &&usize| before.iter().any(|other| other.wheels.contains(wheel));
            if let Some(wheel) = valve.wheels.iter().find(is_shared) {
                let name = format_args!("brake_valves[{index}].wheels");
                check.require(name, false, "wheels of no other valve", wheel);
            }
        }
        check.field("steering", |inner| {
            self.steering.check(inner, wheel_count, Bound::Finite, Bound::Finite);
            for (wheel, multiplier) in self.steering.wheel_multipliers.iter().enumerate() {
                let angle = self.steering.max_response * multiplier;
                let name = format_args!("max_response · wheel_multipliers[{wheel}]");
                inner.number(name, angle, Bound::Within(-PI, PI));
            }
        });
        check.each("ackermann", &self.ackermann, |axle, inner| axle.check(inner, wheel_count));
        if let Some(system) = &self.steering_system {
            let steering = &self.steering;
            check.field("steering_system", |inner| system.check(inner, wheel_count, steering));
        }
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
        self.check_travels(check);
        self.check_sprung_masses(check);
        self.check_springs(check);
        check.each("anti_roll_bars", &self.anti_roll_bars, |bar, inner| {
            bar.check(inner, wheel_count);
        });
        let (body, bars) = (&self.rigid_body, &self.anti_roll_bars);
        let suspensions = (&self.suspensions[..], &self.suspension_forces[..]);
        self.suspension_dynamics.check(body, suspensions, &self.wheels, bars, check);
        let (axles, dynamics) = (&self.beam_axles, &self.suspension_dynamics);
        check_beam_axles(axles, body, &self.suspensions, dynamics, bars, check);
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

/// The mechanical base of a vehicle, borrowed: from it every view of this crate follows.
#[derive(Debug)]
pub struct Mechanics<'a, Tire: TireModel> {
    /// Parameters of the vehicle.
    pub params: &'a MechanicalParams<Tire>,
    /// Parameters of the vehicle in lanes.
    pub lanes: &'a MechanicalLanes<Tire>,
    /// Commands of its driver.
    pub commands: &'a Commands,
    /// State of the vehicle.
    pub state: &'a mut MechanicalState<Tire>,
}

/// The mechanical base of a vehicle, to be looked at.
#[derive(Debug)]
pub struct MechanicsRef<'a, Tire: TireModel> {
    /// Parameters of the vehicle.
    pub params: &'a MechanicalParams<Tire>,
    /// Commands of its driver.
    pub commands: &'a Commands,
    /// State of the vehicle.
    pub state: &'a MechanicalState<Tire>,
}

/// A vehicle on the ready-made mechanical base.
pub trait HasMechanics {
    /// The force law of its tires.
    type Tire: TireModel;

    /// Borrows the base.
    fn mechanics(&mut self) -> Mechanics<'_, Self::Tire>;

    /// The base, to be looked at, with the parameters that its stages compute with: without masses
    /// of the wheels while these have been [taken away](Self::set_wheel_mass).
    fn read_mechanics(&self) -> MechanicsRef<'_, Self::Tire>;

    /// The vehicle's own parameters, with the masses of its wheels also while these have been
    /// [taken away](Self::set_wheel_mass): those to copy and to change. A vehicle that does not say
    /// which has those of its stages.
    fn mechanical_params(&self) -> &MechanicalParams<Self::Tire> {
        self.read_mechanics().params
    }

    /// A number that grows as the vehicle gets other parameters. A vehicle that does not say has
    /// the same ones for ever.
    fn params_revision(&self) -> u32 {
        0
    }

    /// Takes the masses of the wheels away, or gives them back, between two steps in this world:
    /// [`MechanicalLanes::set_wheel_mass`]. A vehicle that does not say how keeps its wheels as
    /// they are.
    fn set_wheel_mass(&mut self, _has_mass: bool, _world: &SimulationParams) {}
}

impl<Tire: TireModel> HasMechanics for Mechanics<'_, Tire> {
    type Tire = Tire;

    fn mechanics(&mut self) -> Mechanics<'_, Tire> {
        let Self { params, lanes, commands, state } = self;
        Mechanics { params, lanes, commands, state }
    }

    fn read_mechanics(&self) -> MechanicsRef<'_, Tire> {
        MechanicsRef { params: self.params, commands: self.commands, state: self.state }
    }
}
