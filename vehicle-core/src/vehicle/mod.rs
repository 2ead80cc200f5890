//! The ready-made mechanical base of a vehicle: everything but what turns the wheels.
//!
//! [`MechanicalParams`] and [`MechanicalState`] keep one list per kind of value. A vehicle that has
//! them implements [`HasMechanics`] and so has every view of this crate; a drivetrain adds its own.

mod check;
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
mod watch;
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
pub(crate) use self::watch::SubstepWatch;
pub use self::wheel_motion::WheelMotion;
use crate::aerodynamics::AerodynamicsParams;
use crate::body::RigidBodyParams;
use crate::brakes::BrakeValveParams;
use crate::commands::{CommandResponseParams, Commands};
use crate::constraint_rows::SuspensionLimitParams;
use crate::error::{ParamCheck, ParamErrors};
use crate::frame::Frame;
use crate::math::{Real, Vec3};
use crate::mount::{SuspensionParams, WheelParams};
use crate::steering::{AckermannParams, SteeringSystemParams};
use crate::suspension::unsprung::{SuspensionDynamics, UnsprungParams};
use crate::suspension::{
    AntiRollBarParams, BeamAxleParams, JounceParams, SprungMassError, StrutParams,
    SuspensionComplianceParams, SuspensionForceParams, sprung_masses,
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
    /// Load-sensing valves of the foot brake, each of an axle or of several; without a valve, the
    /// full torque acts.
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
        for point in self.mounts_mut() {
            *point -= shift;
        }
        self
    }

    /// All points of the vehicle that are mounted on its body, from its center of mass (m, body
    /// frame): those of suspensions, then those at which the air acts.
    pub fn mounts_mut(&mut self) -> impl Iterator<Item = &mut Vec3> {
        let aerodynamics = &mut self.aerodynamics;
        let suspensions = self.suspensions.iter_mut().map(|it| &mut it.attachment.translation);
        let downforces = aerodynamics.downforces.iter_mut().map(|downforce| &mut downforce.point);
        suspensions.chain([&mut aerodynamics.drag_point]).chain(downforces)
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
            let known = wheels[wheel].known_radial_stiffness();
            let tire = known.unwrap_or(WheelParams::default().stiffness());
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
