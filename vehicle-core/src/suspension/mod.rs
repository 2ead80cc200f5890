//! Suspension: from the road under a wheel to a force on the body.
//!
//! For each wheel the stage finds the [jounce], then the [compliance] at this jounce, then
//! the [force]; [anti-roll bars](anti_roll) add to it when all jounces are known.

pub mod anti_roll;
pub mod clearance;
pub mod compliance;
mod contact_patch;
pub mod force;
mod four;
pub mod jounce;
pub mod landing;
pub mod params;
mod springs;
pub mod sprung_mass;
mod stance;
mod strut;
pub mod unsprung;

use std::ops::ControlFlow::{self, Continue};

pub use anti_roll::{
    AntiRollAction, AntiRollBarEnd, AntiRollBarParams, AntiRollWheel, anti_roll_force,
    anti_roll_torque,
};
pub(crate) use anti_roll::{act_on_wheels, anti_roll_bars_torque, anti_roll_forces};
pub use compliance::{SuspensionCompliance, suspension_compliance};
pub use contact_patch::ContactPatch;
pub use force::{SuspensionForce, SuspensionLoad, force_arm, suspension_force};
pub use jounce::{Compression, SuspensionState, WheelDrop, suspension_state};
pub use landing::landing_jounce_speed;
pub use params::{
    ExpansionSpeed, JounceParams, SuspensionComplianceParams, SuspensionForceParams, WheelContact,
};
pub use springs::{Spring, SpringLanes, springs_in_lanes};
pub use sprung_mass::{SprungMassError, sprung_masses};
pub use stance::WheelStance;
pub use strut::{StrutLanes, StrutParams};

use self::four::{FourStruts, is_steered_anew};
use self::unsprung::UnsprungView;
use crate::body::{RigidBodyParams, RigidBodyState, WheelInertia};
use crate::frame::Frame;
use crate::math::lanes::{Lanes, MAX_LANES, Real4, RigidPose, Vec3x4, Vector, each_lane};
use crate::math::{Real, Vec3, rotate_by_matrix};
pub use crate::mount::{SuspensionParams, WheelTravel, wheel_travel};
use crate::mount::{WheelParams, WheelShape};
use crate::road::{RoadContact, RoadPathView};
use crate::wheel_list::place;
use crate::{AxleDescription, Component, Context, WheelList};

/// What the stage needs from a vehicle whose springs are of type `S`.
///
/// A suspension of one's own reads it and writes each wheel by [`write`](Self::write).
pub struct SuspensionView<'a, S = SuspensionForceParams<Real4>> {
    /// Wheels in order of update.
    pub axles: &'a AxleDescription,
    /// Mass of the body.
    pub rigid_body_params: &'a RigidBodyParams,
    /// Motion of the body.
    pub rigid_body: &'a RigidBodyState,
    /// How the jounce follows from the road.
    pub jounce_params: &'a JounceParams,
    /// Mass of each wheel.
    pub wheel_params: &'a [WheelParams],
    /// Shape of each wheel.
    pub shapes: &'a WheelList<WheelShape>,
    /// Mount and travel of each suspension.
    pub params: &'a WheelList<SuspensionParams>,
    /// Compliance of each suspension.
    pub compliance_params: &'a [SuspensionComplianceParams],
    /// Compliances, if none depends on jounce.
    pub constant_compliances: Option<&'a WheelList<SuspensionCompliance>>,
    /// Springs and dampers, of four suspensions each.
    pub springs: &'a [S],
    /// Bars between wheels.
    pub anti_roll_bars: &'a [AntiRollBarParams],
    /// Steer angle of each wheel (rad).
    pub steer_angles: &'a WheelList<Real>,
    /// Road under each wheel.
    pub roads: &'a WheelList<Option<RoadContact>>,
    /// Read and written: compression of each suspension.
    pub states: &'a mut WheelList<SuspensionState>,
    /// Written: toe, camber and force points of each suspension.
    pub compliances: &'a mut WheelList<SuspensionCompliance>,
    /// Written: where each wheel meets the road.
    pub contacts: &'a mut WheelList<ContactPatch>,
    /// Written: how each wheel stands in its suspension.
    pub stances: &'a mut WheelList<WheelStance>,
    /// Written: force of each suspension.
    pub forces: &'a mut WheelList<SuspensionForce>,
    /// Written: torque of anti-roll bars that act on the body alone (N·m).
    pub anti_roll_torque: &'a mut Vec3,
    /// Of wheels with mass, what they do to the body; `None` if they have none. Such wheels are not
    /// to be carried by a suspension without mass: [`update`](Self::update) and
    /// [`write`](Self::write) mark it, and a checked step [refuses](crate::sequence::StateFault)
    /// the stage.
    pub wheel_inertia: Option<&'a mut WheelInertia>,
}

/// State of a suspension after a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SuspensionUpdate {
    /// Its compression.
    pub state: SuspensionState,
    /// Its toe, camber and force points.
    pub compliance: SuspensionCompliance,
    /// Its force.
    pub force: SuspensionForce,
}

impl<'a, S> SuspensionView<'a, S> {
    /// This view with other springs.
    pub fn with_springs<Other>(self, springs: &'a [Other]) -> SuspensionView<'a, Other> {
        SuspensionView {
            axles: self.axles,
            rigid_body_params: self.rigid_body_params,
            rigid_body: self.rigid_body,
            jounce_params: self.jounce_params,
            wheel_params: self.wheel_params,
            shapes: self.shapes,
            params: self.params,
            compliance_params: self.compliance_params,
            constant_compliances: self.constant_compliances,
            springs,
            anti_roll_bars: self.anti_roll_bars,
            steer_angles: self.steer_angles,
            roads: self.roads,
            states: self.states,
            compliances: self.compliances,
            contacts: self.contacts,
            stances: self.stances,
            forces: self.forces,
            anti_roll_torque: self.anti_roll_torque,
            wheel_inertia: self.wheel_inertia,
        }
    }

    /// Lets wheels with mass know that they are carried as if they had none.
    #[inline]
    fn overrule(&mut self) {
        if let Some(inertia) = &mut self.wheel_inertia {
            inertia.is_overruled = true;
        }
    }

    /// Writes what the suspension of `wheel` does, in the axes of `frame`: for wheels without mass.
    pub fn write(&mut self, wheel: usize, update: &SuspensionUpdate, frame: &Frame) {
        self.overrule();
        let (params, steer) = (self.params.of(wheel), self.steer_angles[wheel]);
        let stance = WheelStance::steered(&params, steer, frame);
        let (shape, jounce) = (self.shapes.of(wheel), update.state.jounce.unwrap_or(0.0));
        let travel =
            WheelTravel::of_body(&params, &shape, self.rigid_body, &stance.compressed_pose);
        self.contacts.set(wheel, ContactPatch::new(&travel, jounce, self.rigid_body));
        self.states.set(wheel, update.state);
        self.compliances.set(wheel, update.compliance);
        self.stances.set(wheel, stance.with(&params, &update.compliance, frame));
        self.forces.set(wheel, update.force);
    }
}

impl SuspensionView<'_> {
    /// Spring and damper of `wheel`.
    ///
    /// # Panics
    ///
    /// If there is no such wheel.
    pub fn spring(&self, wheel: usize) -> SuspensionForceParams {
        let (four, lane) = place(wheel);
        self.springs[four].lane(lane)
    }
}

impl<S: SpringLanes> SuspensionView<'_, S> {
    /// Updates compression, compliance and force of every suspension, then the anti-roll bars: for
    /// wheels without mass.
    pub fn update(mut self, dt: Real, context: &Context<'_>) {
        self.overrule();
        self.update_struts(dt, context);
        self.add_bars();
        *self.anti_roll_torque = self.anti_roll_torque();
        if self.jounce_params.expansion == ExpansionSpeed::WithoutPull {
            for force in self.forces.fours_mut() {
                *force = force.pushing();
            }
        }
    }

    /// Finds how four wheels are steered and stand at their jounces.
    #[inline]
    pub(crate) fn stand(&mut self, four: usize, context: &Context<'_>) {
        let is_steered_anew =
            is_steered_anew(self.stances.four(four), *self.steer_angles.four(four), context);
        if is_steered_anew || self.constant_compliances.is_none() {
            self.strut(four).stand(is_steered_anew, context);
        }
    }

    /// The paths of four wheels as they stand, and their axles.
    #[inline(always)]
    pub(crate) fn travel(
        &self,
        four: usize,
        body: &RigidBodyState<Vec3x4>,
        frame: &Frame,
    ) -> (WheelTravel<Vec3x4>, Vec3x4) {
        let (suspension, shape) = (self.params.four(four), self.shapes.four(four));
        let pose = &self.stances.four(four).compressed_pose;
        let axle = rotate_by_matrix(pose.rotation(), Vector::splat(frame.lateral()));
        (WheelTravel::along_axes(suspension, shape, body, pose), body.arm(axle))
    }

    #[inline]
    fn update_struts(&mut self, dt: Real, context: &Context<'_>) {
        for four in 0..self.params.fours().len() {
            self.update_strut(four, dt, context);
        }
    }

    // A call takes less than a loop that counts on in each of the lists.
    #[inline(never)]
    fn update_strut(&mut self, four: usize, dt: Real, context: &Context<'_>) {
        let body = self.rigid_body.splat();
        self.strut(four).update(&body, dt, context);
    }

    #[inline(always)]
    fn strut(&mut self, four: usize) -> FourStruts<'_, S> {
        let first = four * MAX_LANES;
        FourStruts {
            four,
            suspension: self.params.four(four),
            shape: self.shapes.four(four),
            springs: &self.springs[four],
            steer: *self.steer_angles.four(four),
            road: &self.roads.four(four).road,
            state: self.states.four_mut(four),
            compliance: self.compliances.four_mut(four),
            contact: self.contacts.four_mut(four),
            stance: self.stances.four_mut(four),
            force: self.forces.four_mut(four),
            wheel_params: &self.wheel_params[first..],
            compliance_params: &self.compliance_params[first..],
            constant_compliance: self.constant_compliances.map(|list| list.four(four)),
            jounce_params: *self.jounce_params,
            vehicle_mass: self.rigid_body_params.mass,
            applied: self.rigid_body.applied_load(),
            carried_mass: self.rigid_body_params.carried_mass(self.axles),
        }
    }

    /// Adds the forces of anti-roll bars that act on wheels.
    fn add_bars(&mut self) {
        if act_on_wheels(self.anti_roll_bars) {
            let body = self.rigid_body.splat::<Vec3x4>();
            for four in 0..self.params.fours().len() {
                self.add_bars_of(four, &body);
            }
        }
    }

    fn add_bars_of(&mut self, four: usize, body: &RigidBodyState<Vec3x4>) {
        let numbers = each_lane(|lane| four * MAX_LANES + lane);
        let pressing = anti_roll_forces::<Real4>(self.anti_roll_bars, numbers, |wheel| {
            let (index, lane) = place(wheel);
            AntiRollWheel {
                jounce: self.states.four(index).jounce.lane(lane),
                stiffness: self.springs[index].stiffness().lane(lane),
            }
        });
        let (suspension, road) = (self.params.four(four), &self.roads.four(four).road);
        let arm = body.arm(self.stances.four(four).suspension_arm);
        let travel_direction = body.direction(suspension.travel_direction);
        let is_on_ground = road.is_there & self.states.four(four).is_on_ground();
        let force = self.forces.four_mut(four);
        *force =
            force.with_bars(pressing, travel_direction, road.plane.normal, arm).only(is_on_ground);
    }

    fn anti_roll_torque(&self) -> Vec3 {
        anti_roll_bars_torque(self.anti_roll_bars, self.rigid_body, |wheel| AntiRollBarEnd {
            suspension: self.params.of(wheel),
            jounce: self.states.of(wheel).jounce.unwrap_or(0.0),
            force_point: self.compliances.of(wheel).suspension_force_point,
        })
    }
}

/// A vehicle with suspended wheels.
pub trait HasSuspension {
    /// Borrows what the stage reads and writes.
    fn suspension(&mut self) -> SuspensionView<'_>;

    /// Borrows what the stage reads and writes if springs, dampers and bump stops are not linear;
    /// `None` if they are, and if the wheels have a mass.
    fn struts(&mut self) -> Option<SuspensionView<'_, StrutLanes>> {
        None
    }

    /// Borrows the ways of wheels with mass over their roads; `None` if they have none.
    fn road_path(&mut self) -> Option<RoadPathView<'_>> {
        None
    }

    /// Borrows what the stage reads and writes if the wheels have a mass; `None` if they have none.
    fn unsprung(&mut self) -> Option<UnsprungView<'_>> {
        None
    }
}

/// The suspension stage as a component.
#[derive(Clone, Copy, Debug)]
pub struct Suspension;

impl<V: HasSuspension + ?Sized> Component<V> for Suspension {
    fn update(&self, vehicle: &mut V, dt: Real, context: &Context<'_>) -> ControlFlow<()> {
        lead(vehicle, dt, context);
        if let Some(view) = vehicle.unsprung() {
            view.update(dt, context);
            return Continue(());
        }
        if let Some(view) = vehicle.struts() {
            view.update(dt, context);
            return Continue(());
        }
        vehicle.suspension().update(dt, context);
        Continue(())
    }
}

/// Puts under wheels with mass the planes of their ways in this substep of `dt` (s).
fn lead<V: HasSuspension + ?Sized>(vehicle: &mut V, dt: Real, context: &Context<'_>) {
    let Some((view, notes)) = vehicle.road_path().zip(context.notes) else { return };
    let mut paths = notes.paths.borrow_mut();
    if !paths.has_corners() {
        return;
    }
    let (index, count) = (context.substep.index as Real, context.substep.count as Real);
    let parts = [index / count, (index + 1.0) / count];
    view.enter(&mut paths, parts, index * dt, dt, context.params.coordinates.length_scale);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SimulationParams;
    use crate::blueprint::CarBlueprint;
    use crate::math::{Pose, rotation_about};
    use crate::road::FlatRoad;
    use crate::road_geometry::HasRoadGeometry;
    use crate::vehicle::test_car::TestCar;

    #[test]
    fn bars_that_are_taken_out_turn_the_body_no_more() {
        let blueprint = CarBlueprint::default();
        let mut car = TestCar::new(blueprint.mechanics().unwrap());
        car.params.anti_roll_bars = vec![AntiRollBarParams {
            action: AntiRollAction::Body,
            ..AntiRollBarParams::new([0, 1], 10_000.0)
        }];
        let height = blueprint.frame.vertical() * blueprint.center_of_mass_height;
        let leaning = rotation_about(blueprint.frame.longitudinal(), 0.03);
        car.state.rigid_body.pose = Pose::from_parts(height, leaning);
        let world = SimulationParams::new(blueprint.frame);
        let road = FlatRoad::new(&blueprint.frame);
        let context = Context::new(&world, &road);
        car.road_geometry().update(&context);
        car.suspension().update(0.01, &context);
        assert!(10.0 < car.state.anti_roll_torque.length(), "{}", car.state.anti_roll_torque);
        car.params.anti_roll_bars.clear();
        car.suspension().update(0.01, &context);
        assert_eq!(car.state.anti_roll_torque, Vec3::ZERO);
    }
}
