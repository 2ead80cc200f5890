//! Feedback: the road turns the steered wheels about their axes, and through them the steering
//! wheel.

use arrayvec::ArrayVec;

use super::axis::SteeringAxisParams;
use super::tire_answer::RollingWheel;
use super::turning::{SteeringLoad, SteeringMotion, TurningContact, TwistedContact};
use super::{SteeringSystemParams, SteeringView};
use crate::brakes::BrakesView;
use crate::math::{Real, Vec3};
use crate::tire::{TireModel, TireView};
use crate::wheel_list::MAX_WHEELS;
use crate::{Context, WheelRefs};

/// Effect of a steered wheel on the steering wheel.
#[derive(Clone, Copy)]
struct SteeredTire {
    axis: SteeringAxisParams,
    /// How fast the wheel turns per rate of the steering wheel (dimensionless).
    rate: Real,
    /// How much of that is about the road's normal (dimensionless).
    normal_share: Real,
    /// Largest torque of the brake (N·m).
    brake_torque: Real,
    /// Moment of the road about the axis, the twisted contact apart (N·m).
    moment: Real,
    /// By how much it falls per angle (N·m/rad).
    stiffness: Real,
    contact: TwistedContact,
    normal: Vec3,
}

/// The steered wheels of a vehicle.
pub(crate) struct SteeredTires {
    is_free: bool,
    /// By how much contacts are twisted until they slide (rad).
    contact_twist: Real,
    tires: WheelRefs<SteeredTire>,
}

impl SteeringView<'_> {
    /// The steered wheels, as they stand; `None` for a vehicle without a steering system.
    pub(crate) fn steered_tires(&self, context: &Context<'_>) -> Option<SteeredTires> {
        let system = self.system?;
        let linkage = self.linkage(context);
        let end_stop = system.end_stop(self.params);
        let command = self.state.angle / end_stop;
        let steered =
            self.axles.wheels().filter(|&wheel| self.params.wheel_multipliers[wheel] != 0.0);
        let tires = steered.map(|wheel| SteeredTire {
            axis: system.axis(wheel),
            rate: linkage.rate(command, wheel) / end_stop,
            normal_share: 1.0,
            brake_torque: 0.0,
            moment: 0.0,
            stiffness: 0.0,
            contact: TwistedContact {
                twist: self.angles[wheel] - self.state.contact_angles[wheel],
                ..TwistedContact::default()
            },
            normal: Vec3::ZERO,
        });
        Some(SteeredTires {
            is_free: self.free_torque().is_some(),
            contact_twist: system.contact_twist,
            tires: tires.collect(),
        })
    }

    /// Turns the steering wheel under the moments of `tires`, or leaves it where it is held, and
    /// writes what it feels.
    pub(crate) fn turn(mut self, steered: &mut SteeredTires, dt: Real, context: &Context<'_>) {
        let Some(system) = self.system else { return };
        match self.free_torque() {
            Some(torque) => self.turn_freely(system, torque, &mut steered.tires, dt, context),
            None => steered.tires.iter_mut().for_each(|tire| tire.contact.rest(dt)),
        }
        let state = self.state;
        state.wheel_torque = 0.0;
        for SteeredTire { axis, rate, normal_share, moment, contact, .. } in &steered.tires {
            let moment = moment + normal_share * contact.moment();
            state.kingpin_moments[axis.wheel] = moment;
            state.wheel_torque += rate * moment;
            state.contact_angles[axis.wheel] = self.angles[axis.wheel] - contact.twist;
        }
    }

    fn turn_freely(
        &mut self,
        system: &SteeringSystemParams,
        torque: Real,
        tires: &mut [SteeredTire],
        dt: Real,
        context: &Context<'_>,
    ) {
        let road: Real = tires.iter().map(|tire| tire.rate * tire.moment).sum();
        let stiffness: Real = tires.iter().map(|tire| tire.rate * tire.rate * tire.stiffness).sum();
        let end_stop = system.end_stop(self.params);
        let load = SteeringLoad { torque: torque + road, stiffness: stiffness.max(0.0), end_stop };
        let mut contacts: ArrayVec<TurningContact, MAX_WHEELS> = tires
            .iter()
            .map(|tire| TurningContact {
                contact: tire.contact,
                rate: tire.rate * tire.normal_share,
            })
            .collect();
        let mut motion = SteeringMotion { angle: self.state.angle, rate: self.state.rate };
        motion.advance(system, &load, &mut contacts, dt);
        for (tire, turned) in tires.iter_mut().zip(&contacts) {
            tire.contact = turned.contact;
        }
        (self.state.angle, self.state.rate) = (motion.angle, motion.rate);
        self.linkage(context).turn(motion.angle / end_stop, self.angles);
    }
}

impl SteeredTires {
    pub(crate) fn look_at_brakes(&mut self, brakes: &BrakesView<'_>) {
        for tire in &mut self.tires {
            tire.brake_torque = brakes.torques[tire.axis.wheel];
        }
    }

    /// Finds what the road does to each wheel.
    pub(crate) fn look_at_tires<M: TireModel>(
        &mut self,
        view: &TireView<'_, M>,
        dt: Real,
        context: &Context<'_>,
    ) {
        for tire in &mut self.tires {
            let SteeredTire { axis: params, contact, .. } = *tire;
            let Some(wheel) = RollingWheel::new(view, &params, tire.brake_torque) else {
                tire.contact = TwistedContact::default();
                continue;
            };
            let axis = wheel.axis(context.frame());
            tire.normal = wheel.normal();
            tire.normal_share = axis.direction.dot(tire.normal);
            tire.moment = wheel.moment(&axis);
            tire.contact = TwistedContact::new(&wheel.contact(), contact.twist, self.contact_twist);
            if self.is_free {
                tire.stiffness = wheel.stiffness(axis.direction, dt, context);
            }
        }
    }

    /// The moments of the twisted contacts turn the body, too.
    pub(crate) fn turn_body<M: TireModel>(&self, view: &mut TireView<'_, M>) {
        for tire in &self.tires {
            let moment = tire.contact.moment();
            if moment != 0.0 {
                view.states.edit(tire.axis.wheel, |state| {
                    state.force.moment += tire.normal * moment;
                    state.force.aligning_moment += moment;
                });
            }
        }
    }
}
