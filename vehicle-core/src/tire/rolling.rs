//! Tires as they roll: everything about them but what their force law says.

use super::law::{KinematicLaw, RollingTires};
use super::slip::tire_slip_over;
use super::sticky::StickyHold;
use super::{
    GripInput, StickyInput, TireContact, TireDirections, TireForce, TireGrip, TireOutput, TireSlip,
    TireSpeeds, TireState, TireStickyState, camber_angle, slip_beside_sticky, tire_force,
    tire_speeds, tire_sticky_state,
};
use crate::Context;
use crate::body::RigidBodyState;
use crate::context::WheelReaction;
use crate::math::Real;
use crate::math::lanes::{Mask, Number, Vector};
use crate::rows::RowExecution;

/// How much faster a contact becomes than the center of mass when tires push sideways
/// (dimensionless): the body also rolls.
const CONTACT_RESPONSE: Real = 2.0;

/// Part of the speed that resistances take from a vehicle in a step at most (dimensionless): as a
/// wheel lands, it carries more than its part.
const STOPPING_SHARE: Real = 0.5;

/// Drive and brake that the driver asks of the vehicle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DriverIntent {
    /// Whether any wheel is driven.
    pub(crate) drives: bool,
    /// Whether any wheel is braked.
    pub(crate) brakes: bool,
}

impl<V: Vector> RollingTires<V> {
    /// Directions, speeds, slip, inclination and grip of tires, zero in the air but for the slip.
    ///
    /// The `directions` are those of the law, on the ground; `grip` is that of the tires' models.
    #[inline]
    pub(crate) fn motion<L: KinematicLaw>(
        &self,
        directions: &TireDirections<V>,
        body: &RigidBodyState<V>,
        previous: &TireStickyState<V::Number>,
        (context, dt): (&Context<'_>, Real),
        grip: impl FnOnce(&GripInput<V::Number>) -> TireGrip<V::Number>,
    ) -> TireState<V> {
        let below = self.road.velocity - self.contact.aside_velocity;
        let speeds = tire_speeds(body, self.contact.point, below, directions);
        let camber =
            camber_angle(self.axes.lateral, self.axes.longitudinal, self.road.plane.normal);
        let seen = |value| Number::select(self.is_seen, value, Number::zero());
        let seen_vector = |value| V::select(self.is_seen, value, V::zero());
        let speeds =
            TireSpeeds { longitudinal: seen(speeds.longitudinal), lateral: seen(speeds.lateral) };

        let rim_speed = self.rotation_speed * self.radius;
        let limits = &context.params.tire_slip;
        let denominators = L::slip_denominators(limits, &speeds, rim_speed, self.is_active);
        let slip = tire_slip_over(denominators, &speeds, rim_speed);
        let grip = grip(&GripInput {
            normal_load: self.normal_load,
            road_friction: self.road.friction,
            slip: self.slip_of_friction(&slip, speeds.lateral, previous, context, dt),
        });
        let grounded = |value| Number::select(self.is_on_ground, value, Number::zero());
        TireState {
            directions: TireDirections {
                longitudinal: seen_vector(directions.longitudinal),
                lateral: seen_vector(directions.lateral),
            },
            axle: self.axes.lateral,
            speeds,
            slip,
            slip_denominator: denominators[0],
            camber: seen(camber),
            grip: TireGrip { load: grounded(grip.load), friction: grounded(grip.friction) },
            force: TireForce::default(),
            sticky: *previous,
        }
    }

    /// Slips at which tires have the friction of this step of `dt` (s): their own `slip`, but for
    /// those that an anchor has held in the `previous` step. These do not roll, and slide across at
    /// what friction leaves of their `lateral_speed` (m/s) by the end of the frame.
    ///
    /// ```text
    /// κ = 0,   v_end = sgn(v) max(|v| - 2 μ g Δt, 0)
    /// ```
    ///
    /// Something that pushes a car which stands gives it a speed in the host's step. As long as
    /// friction takes all of it away, it is that of a tire at rest.
    #[inline]
    fn slip_of_friction(
        &self,
        slip: &TireSlip<V::Number>,
        lateral_speed: V::Number,
        previous: &TireStickyState<V::Number>,
        context: &Context<'_>,
        dt: Real,
    ) -> TireSlip<V::Number> {
        let is_held = previous.longitudinal.is_active;
        // Most of the time there is nothing: a car drives.
        if !is_held.any() || !is_anchored(context) {
            return *slip;
        }
        let speed = lateral_speed.abs();
        let stopped = self.road.friction * Number::splat(speed_stopped_by_friction(context, dt));
        let left = (speed - stopped).at_least(Number::zero());
        let part = left / speed.at_least(Number::splat(Real::MIN_POSITIVE));
        TireSlip {
            longitudinal: Number::select(is_held, Number::zero(), slip.longitudinal),
            tangent: Number::select(is_held, slip.tangent * part, slip.tangent),
        }
    }

    /// Force along the rolling direction that stops within `dt` (s) a part of what each tire
    /// carries (N); none where the wheel does not turn.
    ///
    /// ```text
    /// F = c min(|v_L|, |ω R|) N / (g dt) <= μ N
    /// ```
    #[inline]
    pub(crate) fn stopping_force(
        &self,
        states: &TireState<V>,
        context: &Context<'_>,
        dt: Real,
    ) -> V::Number {
        let zero = V::Number::zero();
        let fall = context.params.gravity.length() * dt;
        let share = V::Number::splat(STOPPING_SHARE / fall.max(Real::MIN_POSITIVE));
        let rim_speed = self.rotation_speed * self.radius;
        let slower = states.speeds.longitudinal.abs().at_most(rim_speed.abs());
        let load = states.grip.load.at_least(zero);
        (slower * share * load).at_most(states.grip.friction.at_least(zero) * load)
    }

    /// Finds whether tires that have stuck as `states` say stick after `dt` (s), and takes the slip
    /// from those that do.
    #[inline]
    pub(crate) fn stick(
        &self,
        states: &mut TireState<V>,
        intent: DriverIntent,
        context: &Context<'_>,
        dt: Real,
    ) {
        let Some(params) = &context.params.tire_sticky else {
            states.sticky = TireStickyState::default();
            return;
        };
        let previous = &states.sticky;
        let stopping_speed = match params.hold {
            StickyHold::Anchor => {
                states.grip.friction * Number::splat(speed_stopped_by_friction(context, dt))
            }
            StickyHold::Damper => Number::zero(),
        };
        let input = StickyInput {
            grip: states.grip,
            speeds: states.speeds,
            rotation_speed: self.rotation_speed,
            radius: self.radius,
            stopping_speed,
            // A host executes rows through a whole frame, in which a tire may slide far.
            slides_to_rest: is_anchored(context)
                && context.params.row_execution == RowExecution::Local,
            is_vehicle_driven: intent.drives,
            is_vehicle_braked: intent.brakes,
        };
        let sticky = tire_sticky_state(params, &input, previous, dt);
        // A host executes rows through a whole frame: where tires have slid in it, friction is
        // used.
        let is_late = 0 < context.substep.index;
        let is_hosted = context.params.row_execution == RowExecution::Host;
        let sticky = if is_late && is_hosted { sticky.still(previous) } else { sticky };
        let (along, across) = (sticky.longitudinal.is_active, sticky.lateral.is_active);
        states.slip = slip_beside_sticky(&states.slip, along, across);
        states.sticky = sticky;
    }

    /// Force of tires that answer `output`, with the `arm` from the center of mass to where it acts
    /// (m). Their axles turn with `turning` (rad/s). There is none in the air, but for the moment
    /// of a wheel that turns there.
    #[inline]
    pub(crate) fn force(
        &self,
        output: &TireOutput<V::Number>,
        states: &TireState<V>,
        turning: V,
        arm: V,
        context: &Context<'_>,
    ) -> TireForce<V> {
        let contact = TireContact {
            directions: states.directions,
            normal: self.road.plane.normal,
            arm,
            radius: self.radius,
        };
        let force = tire_force(output, &contact);
        let mut force =
            if (!self.is_on_ground).any() { force.only(self.is_on_ground) } else { force };
        if context.params.wheel_reaction == WheelReaction::Gyroscopic {
            force.moment = force.moment + self.gyroscopic_moment(turning);
        }
        force
    }

    /// Moment on the body of wheels whose axles turn with `turning` (rad/s) (N·m), see
    /// [`WheelReaction`].
    #[inline]
    fn gyroscopic_moment(&self, turning: V) -> V {
        let momentum = self.axes.lateral * (self.inertia * self.rotation_speed);
        momentum.cross(turning)
    }
}

/// Whether an anchor holds tires that stick.
#[inline]
fn is_anchored(context: &Context<'_>) -> bool {
    context.params.tire_sticky.is_some_and(|params| params.hold == StickyHold::Anchor)
}

/// Speed of a contact that a friction of 1 takes away within the frame, of which a part takes `dt`
/// (s) (m/s).
#[inline]
fn speed_stopped_by_friction(context: &Context<'_>, dt: Real) -> Real {
    CONTACT_RESPONSE * context.params.gravity.length() * context.substep.frame_step(dt)
}
