//! Suspension: from the road under a wheel to a force on the body.
//!
//! For each wheel the stage finds the [jounce], then the [compliance] at this jounce, then
//! the [force]; [anti-roll bars](anti_roll) add to it when all jounces are known.

pub mod anti_roll;
mod beam_axle;
pub mod clearance;
pub mod compliance;
mod contact_point;
pub mod force;
mod four;
pub mod jounce;
pub mod landing;
pub mod params;
mod springs;
pub mod sprung_mass;
mod stance;
mod state;
mod straight_compliance;
mod strut;
pub mod unsprung;

pub use anti_roll::{
    AntiRollAction, AntiRollBarEnd, AntiRollBarParams, AntiRollWheel, anti_roll_force,
    anti_roll_torque,
};
pub(crate) use anti_roll::{act_on_wheels, anti_roll_bars_torque, anti_roll_forces};
pub use beam_axle::BeamAxleParams;
pub(crate) use beam_axle::check_beam_axles;
pub use compliance::{SuspensionCompliance, suspension_compliance};
pub use contact_point::ContactPoint;
pub use force::{SuspensionForce, SuspensionLoad, force_arm, suspension_force};
pub use jounce::{Compression, CompressionLanes, WheelDrop, suspension_compression};
pub use landing::landing_jounce_speed;
pub use params::{
    ContactShape, ExpansionSpeed, JounceParams, SuspensionComplianceParams, SuspensionForceParams,
};
pub use springs::{Spring, SpringLanes, springs_in_lanes};
pub use sprung_mass::{SprungMassError, sprung_masses};
pub use stance::WheelStance;
pub use state::{SuspensionLanes, SuspensionState};
pub use straight_compliance::StraightCompliance;
pub use strut::{StrutLanes, StrutParams};

use self::four::{FourStruts, is_steered_anew};
use crate::body::{RigidBodyParams, RigidBodyState, WheelInertia};
use crate::frame::Frame;
use crate::math::lanes::{Lanes, MAX_LANES, Real4, RigidPose, Vec3x4, Vector, each_lane};
use crate::math::{Real, Vec3, rotate_by_matrix};
use crate::mount::RoadWheel;
pub use crate::mount::{SuspensionParams, WheelTravel, wheel_travel};
use crate::road::{RoadContact, RoadPathView};
use crate::wheel_list::place;
use crate::{AxleDescription, Context, WheelList};

/// A vehicle's data for the suspension stage.
///
/// A suspension of one's own reads it and writes each wheel by [`write`](Self::write).
#[derive(Debug)]
pub struct SuspensionView<'a> {
    /// Wheels in order of update.
    pub axles: &'a AxleDescription,
    /// Mass of the body.
    pub rigid_body_params: &'a RigidBodyParams,
    /// Motion of the body.
    pub rigid_body: &'a RigidBodyState,
    /// How the jounce follows from the road.
    pub jounce_params: &'a JounceParams,
    /// Each wheel.
    pub road_wheels: &'a WheelList<RoadWheel>,
    /// Mount and travel of each suspension.
    pub params: &'a WheelList<SuspensionParams>,
    /// Compliance of each suspension.
    pub compliance_params: &'a [SuspensionComplianceParams],
    /// Compliances, if none depends on jounce.
    pub constant_compliances: Option<&'a WheelList<SuspensionCompliance>>,
    /// Compliances of each four of wheels, where their curves have two points at most.
    pub straight_compliances: &'a [Option<StraightCompliance>],
    /// Spring and damper of each suspension, where they are linear.
    pub springs: &'a WheelList<SuspensionForceParams>,
    /// Bars between wheels.
    pub anti_roll_bars: &'a [AntiRollBarParams],
    /// Steer angle of each wheel (rad).
    pub steer_angles: &'a WheelList<Real>,
    /// Road under each wheel.
    pub roads: &'a WheelList<Option<RoadContact>>,
    /// Read and written: state of each suspension, from its compression to its force.
    pub states: &'a mut WheelList<SuspensionState>,
    /// Written: torque of anti-roll bars that act on the body alone (N·m).
    pub anti_roll_torque: &'a mut Vec3,
    /// Of wheels with mass, what they do to the body; `None` if they have none. Such wheels are not
    /// to be carried by a suspension without mass: [`update`](Self::update) and
    /// [`write`](Self::write) mark it, and a checked step [refuses](crate::sequence::StateFault)
    /// the stage. It refuses one that changes their forces, too.
    pub wheel_inertia: Option<&'a mut WheelInertia>,
}

/// State of a suspension after a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SuspensionUpdate {
    /// Compression of the suspension.
    pub compression: Compression,
    /// Toe, camber and force points of the suspension.
    pub compliance: SuspensionCompliance,
    /// Force of the suspension.
    pub force: SuspensionForce,
}

impl SuspensionView<'_> {
    /// Lets wheels with mass know that they are carried as if they had none.
    #[inline]
    fn overrule(&mut self) {
        if let Some(inertia) = &mut self.wheel_inertia {
            inertia.is_overruled = true;
        }
    }

    /// Writes what the suspension of `wheel` does, in the axes of `frame`: for wheels without mass.
    ///
    /// # Panics
    ///
    /// If there is no such wheel.
    pub fn write(&mut self, wheel: usize, update: &SuspensionUpdate, frame: &Frame) {
        self.overrule();
        let (params, steer) = (self.params.of(wheel), self.steer_angles[wheel]);
        let stance = WheelStance::steered(&params, steer, frame);
        let (shape, jounce) =
            (self.road_wheels.of(wheel), update.compression.jounce.unwrap_or(0.0));
        let travel =
            WheelTravel::of_body(&params, &shape, self.rigid_body, &stance.compressed_pose);
        let state = SuspensionState {
            compression: update.compression,
            compliance: update.compliance,
            contact: ContactPoint::new(&travel, jounce, self.rigid_body),
            stance: stance.with(&params, &update.compliance, frame),
            force: update.force,
        };
        self.states.set(wheel, state);
    }

    /// Spring and damper of `wheel`.
    ///
    /// # Panics
    ///
    /// If there is no such wheel.
    pub fn spring(&self, wheel: usize) -> SuspensionForceParams {
        self.springs.of(wheel)
    }

    /// Updates compression, compliance and force of every suspension, then the anti-roll bars: for
    /// wheels without mass.
    pub fn update(self, dt: Real, context: &Context<'_>) {
        let springs = self.springs.fours();
        self.update_on(springs, dt, context);
    }

    /// Updates as [`update`](Self::update) does, on these `springs` of four suspensions each.
    ///
    /// # Panics
    ///
    /// If there are fewer springs than fours of suspensions; nothing has changed then.
    pub fn update_on<S: SpringLanes>(mut self, springs: &[S], dt: Real, context: &Context<'_>) {
        let (needed, found) = (self.params.fours().len(), springs.len());
        assert!(
            needed <= found,
            "springs must be at least {needed}, one per four suspensions, got {found}"
        );
        self.overrule();
        let springs = &springs[..needed];
        for (four, springs) in springs.iter().enumerate() {
            self.update_strut(four, springs, dt, context);
        }
        self.add_bars(springs);
        *self.anti_roll_torque = self.anti_roll_torque();
        if self.jounce_params.expansion == ExpansionSpeed::WithoutPull {
            for state in self.states.fours_mut() {
                state.force = state.force.pushing();
            }
        }
    }

    /// Finds how four wheels are steered and stand at their jounces, on axles that `lean` them.
    #[inline]
    pub(crate) fn stand(
        &mut self,
        four: usize,
        lean: Option<&SuspensionCompliance<Vec3x4>>,
        context: &Context<'_>,
    ) {
        let is_steered_anew =
            is_steered_anew(&self.states.four(four).stance, *self.steer_angles.four(four), context);
        if is_steered_anew || self.constant_compliances.is_none() {
            let springs = self.springs.four(four);
            self.strut(four, springs).stand(is_steered_anew, lean, context);
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
        let (suspension, shape) = (self.params.four(four), self.road_wheels.four(four));
        let pose = &self.states.four(four).stance.compressed_pose;
        let axle = rotate_by_matrix(pose.rotation(), Vector::splat(frame.lateral()));
        (WheelTravel::along_axes(suspension, shape, body, pose), body.arm(axle))
    }

    // A call takes less than a loop that counts on in each of the lists.
    #[inline(never)]
    fn update_strut<S: SpringLanes>(
        &mut self,
        four: usize,
        springs: &S,
        dt: Real,
        context: &Context<'_>,
    ) {
        let body = self.rigid_body.splat();
        self.strut(four, springs).update(&body, dt, context);
    }

    #[inline(always)]
    fn strut<'s, S>(&'s mut self, four: usize, springs: &'s S) -> FourStruts<'s, S> {
        let first = four * MAX_LANES;
        FourStruts {
            four,
            suspension: self.params.four(four),
            wheel: self.road_wheels.four(four),
            springs,
            steer: *self.steer_angles.four(four),
            road: &self.roads.four(four).road,
            state: self.states.four_mut(four),
            compliance_params: &self.compliance_params[first..],
            constant_compliance: self.constant_compliances.map(|list| list.four(four)),
            straight_compliance: self.straight_compliances.get(four).and_then(Option::as_ref),
            jounce_params: *self.jounce_params,
            vehicle_mass: self.rigid_body_params.mass,
            applied: self.rigid_body.applied_load(),
            carried_mass: self.rigid_body_params.carried_mass(self.axles),
        }
    }

    /// Adds the forces of anti-roll bars that act on wheels.
    fn add_bars<S: SpringLanes>(&mut self, springs: &[S]) {
        if act_on_wheels(self.anti_roll_bars) {
            let body = self.rigid_body.splat::<Vec3x4>();
            for four in 0..self.params.fours().len() {
                self.add_bars_of(four, springs, &body);
            }
        }
    }

    fn add_bars_of<S: SpringLanes>(
        &mut self,
        four: usize,
        springs: &[S],
        body: &RigidBodyState<Vec3x4>,
    ) {
        let numbers = each_lane(|lane| four * MAX_LANES + lane);
        let pressing = anti_roll_forces::<Real4>(self.anti_roll_bars, numbers, |wheel| {
            let (index, lane) = place(wheel);
            AntiRollWheel {
                jounce: self.states.four(index).compression.jounce.lane(lane),
                stiffness: springs[index].stiffness().lane(lane),
            }
        });
        let (suspension, road) = (self.params.four(four), &self.roads.four(four).road);
        let state = self.states.four_mut(four);
        let arm = body.arm(state.stance.suspension_arm);
        let travel_direction = body.direction(suspension.travel_direction);
        let is_on_ground = road.is_there & state.compression.is_on_ground();
        state.force = state
            .force
            .with_bars(pressing, travel_direction, road.plane.normal, arm)
            .only(is_on_ground);
    }

    fn anti_roll_torque(&self) -> Vec3 {
        anti_roll_bars_torque(self.anti_roll_bars, self.rigid_body, |wheel| {
            let SuspensionState { compression, compliance, .. } = self.states.of(wheel);
            AntiRollBarEnd {
                suspension: self.params.of(wheel),
                jounce: compression.jounce.unwrap_or(0.0),
                force_point: compliance.suspension_force_point,
            }
        })
    }
}

/// Puts under wheels with mass the planes of their ways in this substep of `dt` (s).
pub(crate) fn lead(view: RoadPathView<'_>, dt: Real, context: &Context<'_>) {
    let Some(notes) = context.notes else { return };
    let mut paths = notes.paths.borrow_mut();
    if !paths.has_corners() && !view.has_obstacles() {
        return;
    }
    let (index, count) = (context.substep.index as Real, context.substep.count as Real);
    let parts = [index / count, (index + 1.0) / count];
    view.enter(&mut paths, parts, (index * dt, dt), &context.params.coordinates);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SimulationParams;
    use crate::blueprint::CarBlueprint;
    use crate::math::{Pose, rotation_about};
    use crate::road::FlatRoad;
    use crate::vehicle::HasMechanics;
    use crate::vehicle::test_car::TestCar;

    #[test]
    #[should_panic(expected = "springs must be at least 1, one per four suspensions, got 0")]
    fn too_few_springs_are_told_with_both_counts() {
        let mut car = TestCar::new(CarBlueprint::default().mechanics().unwrap());
        let (world, road) = (SimulationParams::default(), FlatRoad::new(&Frame::Y_UP));
        let none: &[SuspensionForceParams<Real4>] = &[];
        car.mechanics().suspension().update_on(none, 0.01, &Context::new(&world, &road));
    }

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
        car.mechanics().road_geometry().update(&context);
        car.mechanics().suspension().update(0.01, &context);
        assert!(10.0 < car.state.anti_roll_torque.length(), "{}", car.state.anti_roll_torque);
        car.params.anti_roll_bars.clear();
        car.mechanics().suspension().update(0.01, &context);
        assert_eq!(car.state.anti_roll_torque, Vec3::ZERO);
    }
}
