//! Four wheels before a drivetrain turns them, and after: alike for every drivetrain that solves
//! them.

use vehicle_core::actuation::WheelActuation;
use vehicle_core::math::lanes::{Lanes, Mask, Mask4, Number, Real4, Vec3x4, Vector};
use vehicle_core::math::{Real, Vec3};
use vehicle_core::rigid_body::RigidBodyParams;
use vehicle_core::tire::TireState;
use vehicle_core::wheel::WheelState;
use vehicle_core::wheel_rotation::{CoupledWheel, MovedPart, RoadWheel, TireTorque, WheelTorques};
use vehicle_core::{AxleDescription, Context, WheelCoupling, WheelList, WheelReaction};

/// How much of a vehicle each of its tires moves along its rolling direction.
pub(crate) struct MovedParts {
    /// Mass of a wheel that drives or brakes, and of one that does not (kg).
    active_mass: Real,
    idle_mass: Real,
    gravity: Vec3,
}

impl MovedParts {
    /// Parts of a vehicle whose wheels are under these `actuations`: the wheels that drive or brake
    /// move all of it.
    pub(crate) fn new(
        axles: &AxleDescription,
        body: &RigidBodyParams,
        actuations: &WheelList<WheelActuation>,
        context: &Context<'_>,
    ) -> Self {
        let fours = actuations.fours().iter();
        let active: u32 = fours.map(|four| four.is_active().bits().count_ones()).sum();
        let idle_mass = body.carried_mass(axles);
        let active_mass = if 0 < active { body.mass / active as Real } else { idle_mass };
        Self { active_mass, idle_mass, gravity: context.params.gravity }
    }

    /// Those of four tires.
    #[inline]
    pub(crate) fn of(
        &self,
        actuation: &WheelActuation<Mask4>,
        tire: &TireState<Vec3x4>,
    ) -> MovedPart<Real4> {
        let is_active = actuation.is_active();
        let pull = tire.directions.longitudinal.dot(Vector::splat(self.gravity));
        MovedPart {
            mass: Number::select(
                is_active,
                Real4::splat(self.active_mass),
                Real4::splat(self.idle_mass),
            ),
            pull: Number::select(is_active, pull, Real4::zero()),
        }
    }
}

/// Four wheels before they are turned.
pub(crate) struct UnturnedWheels {
    /// Moment that the road gives the wheel beside the tire's force (N·m).
    rolling_moment: Real4,
    pub(crate) torques: WheelTorques<Real4>,
    pub(crate) tire: TireTorque<Real4>,
}

impl UnturnedWheels {
    #[inline]
    pub(crate) fn new(
        moved: &MovedParts,
        actuation: &WheelActuation<Mask4>,
        wheel: &RoadWheel<Real4>,
        tire: &TireState<Vec3x4>,
        brake: Real4,
        (coupling, dt): (WheelCoupling, Real),
    ) -> Self {
        let rolling_moment = tire.force.rolling_moment(wheel.radius);
        let (drive, tire) = match coupling {
            WheelCoupling::Implicit => {
                let moved = moved.of(actuation, tire);
                (rolling_moment, TireTorque::new(tire, wheel.radius, &moved, dt))
            }
            WheelCoupling::Explicit => {
                let torque = tire.force.wheel_torque;
                (Real4::zero(), TireTorque { torque, ..TireTorque::default() })
            }
        };
        Self { rolling_moment, torques: WheelTorques { drive, brake }, tire }
    }

    /// Writes the speeds of wheels that have been `turned`, and the forces of tires that are
    /// coupled with them.
    #[inline]
    pub(crate) fn write(
        &self,
        turned: &CoupledWheel<Real4>,
        wheel: &RoadWheel<Real4>,
        tire: &mut TireState<Vec3x4>,
        state: &mut WheelState<Real4>,
        dt: Real,
        context: &Context<'_>,
    ) {
        let change = turned.rotation_speed - state.rotation_speed;
        state.rotation_speed = turned.rotation_speed;
        if context.params.wheel_coupling == WheelCoupling::Implicit {
            tire.set_wheel_torque(turned.tire_torque, wheel.radius);
        }
        if context.params.wheel_reaction != WheelReaction::None {
            let reaction = wheel.reaction(self.rolling_moment, change, dt);
            tire.turn_body(Number::select(state.is_detached, Real4::zero(), reaction));
        }
    }
}

/// Wheels without a driveline, `dt` (s) after `rotation_speed` (rad/s).
#[inline]
pub(crate) fn turned_freely(
    params: &RoadWheel<Real4>,
    torques: &WheelTorques<Real4>,
    tire: &TireTorque<Real4>,
    rotation_speed: Real4,
    (coupling, dt): (WheelCoupling, Real),
) -> CoupledWheel<Real4> {
    match coupling {
        WheelCoupling::Implicit => params.coupled(torques, tire, rotation_speed, dt),
        WheelCoupling::Explicit => Lanes::from_lanes(|lane| {
            let (torques, tire) = (torques.lane(lane), tire.lane(lane));
            let actuation = WheelActuation::from_torques(torques.brake, 0.0);
            let (params, speed) = (params.lane(lane), rotation_speed.lane(lane));
            let speed = params.turned(&torques, tire.torque, actuation, speed, dt);
            CoupledWheel { rotation_speed: speed, tire_torque: tire.torque }
        }),
    }
}
