//! The second phase of a step: vehicles that are awake run their stages.
//!
//! They check their inputs, read the motions of their bodies, and only look at the world: so many
//! may do this at the same time.

use std::cell::Cell;
use std::ops::ControlFlow;
use std::sync::Arc;

use arrayvec::ArrayVec;
use rapier3d::prelude::RigidBody;
use vehicle_core::math::Real;
use vehicle_core::sequence::{SIDE_BY_SIDE, UpdateError};
use vehicle_core::{ComponentSequence, Context, LevelOfDetail, SimulationParams};

use crate::actor::{Activity, Actor};
use crate::detail::Look;
use crate::drivable::Drivable;
use crate::driver::skipped_steps;
use crate::placement::forget_ground;
use crate::reaction::stands_on_loose_ground;
use crate::road_query::RapierRoad;
use crate::scene::Queries;
use crate::vehicle::{RapierVehicle, StepError};

/// Cosine of half of the angle by which a body does not turn between two steps (dimensionless).
const LEAST_LIKENESS: Real = 0.95;

/// Least way by which a body is put elsewhere, in radii of its first wheel (dimensionless).
/// Contacts push bodies out of each other by less within a step.
const JUMP: Real = 0.5;

/// Result of a vehicle's step.
pub(crate) type Outcome = Result<Activity, Box<StepError>>;

impl<V: Drivable> RapierVehicle<V> {
    /// Runs the stages of a vehicle that is awake.
    pub(crate) fn advance(&mut self, world: &Queries<'_>) -> Result<(), StepError> {
        self.prepare(world)?;
        let (vehicle, sequence, surroundings) = self.set_off(world);
        let outcome = sequence.update_recoverably(vehicle, world.dt, &surroundings.context());
        self.arrive(outcome, world)
    }

    /// Checks the inputs, and reads the motion of the body.
    fn prepare(&mut self, world: &Queries<'_>) -> Result<(), StepError> {
        let params = self.params_in(world.gravity);
        self.check(&params, world.dt, world.impulse_joints.is_some())?;
        let body = self.actor.dynamic_body(world.bodies)?;
        Actor::check_motion(body).map_err(StepError::Motion)?;
        let is_put = self.is_put_elsewhere(body, world.dt);
        if is_put || self.actor.has_slept() || self.is_elsewhere(body, world.dt) {
            self.look = Look::NONE;
        }
        if is_put {
            forget_ground(&mut self.vehicle);
        }
        self.actor.note_pace(&self.vehicle, body, world.dt);
        if let Some(events) = &mut self.events {
            // The world has moved the body by this velocity, unless something else has acted on it.
            let given = self.vehicle.body().frame_linear_velocity;
            events.note_push(body.linvel() - given + self.actor.borne(body.mass(), world.dt));
        }
        self.actor.read_awake(&mut self.vehicle, world.bodies)?;
        self.lean(world);
        let level = self.look.next(self.detail).level;
        self.vehicle.set_wheel_mass(level.wheel_mass, &params);
        self.params = params;
        Ok(())
    }

    /// Whether `body` has been put elsewhere since the last step, of `dt` (s), so that the road
    /// that the vehicle knows is not its road any more. One that looks for its road in each step
    /// need not know.
    fn is_elsewhere(&self, body: &RigidBody, dt: Real) -> bool {
        if self.look.level.road_period <= 1 || !self.actor.is_updated() {
            return false;
        }
        let expected = self.vehicle.body();
        let place = *body.position() * self.actor.center_of_mass;
        let most =
            self.vehicle.wheel_params(0).radius + (expected.frame_linear_velocity * dt).length();
        let is_far = most < place.translation.distance(expected.pose.translation);
        is_far || place.rotation.dot(expected.pose.rotation).abs() < LEAST_LIKENESS
    }

    /// Whether `body` has been put where no velocity takes it, since the last step, of `dt` (s):
    ///
    /// ```text
    /// |c - c₁| > 0.5 R + (|v̄| + |v - v̄|) dt
    /// ```
    ///
    /// with the center of mass `c₁` where the step has taken it, the mean velocity `v̄` of that
    /// step and the velocity `v` that the world has left. The road below it is another one then,
    /// and not one that has jumped up.
    fn is_put_elsewhere(&self, body: &RigidBody, dt: Real) -> bool {
        let expected = self.vehicle.body();
        let center = body.center_of_mass();
        let beyond = center.distance(expected.pose.translation);
        let least = JUMP * self.vehicle.wheel_params(0).radius;
        // Most vehicles leave here.
        if beyond <= least || !self.actor.is_updated() {
            return false;
        }
        let given = expected.frame_linear_velocity;
        let way = (given.length() + (body.linvel() - given).length()) * dt;
        least + way < beyond && skipped_steps(expected, center, dt).is_none()
    }

    /// The vehicle, its stages, and what surrounds it in them.
    fn set_off<'a>(
        &'a mut self,
        world: &Queries<'a>,
    ) -> (&'a mut V, &'a ComponentSequence<V>, Surroundings<'a>) {
        let wheel_count = self.wheel_count();
        let keeps_road = !self.look.next(self.detail).level_of_detail().finds_road;
        self.actor.pace.ground_gives_way = keeps_road
            && self.road.pushes_ground
            && stands_on_loose_ground(&self.vehicle, world.bodies, world.colliders);
        let Self { vehicle, actor, sequence, params, road_resources, look, detail, .. } = self;
        let Queries { bodies, colliders, broad_phase, narrow_phase, dt, .. } = *world;
        let query = &self.road;
        let road = RapierRoad::new(query, actor.body, bodies, colliders, broad_phase, narrow_phase)
            .with_resources(road_resources)
            .with_frame(params.coordinates.frame)
            .for_wheels_with_mass(vehicle.has_unsprung_masses())
            .with_obstacles(params.meets_obstacles)
            .with_joints(world.impulse_joints, world.multibody_joints)
            .with_step(dt)
            .with_triangles(Cell::from_mut(&mut self.triangles), wheel_count)
            .with_note_of_loose_ground(Cell::from_mut(&mut actor.pace.ground_gives_way));
        let detail = look.next(*detail).level_of_detail();
        let has_firm_ground = !query.pushes_ground;
        (vehicle, sequence, Surroundings { params, road, detail, has_firm_ground })
    }

    /// Ends the stages of a step.
    fn arrive(
        &mut self,
        outcome: Result<ControlFlow<()>, UpdateError>,
        world: &Queries<'_>,
    ) -> Result<(), StepError> {
        self.end_leaning(world);
        let _reached = outcome?;
        self.look = self.look.next(self.detail);
        if let Some(events) = &mut self.events {
            events.observe(&self.vehicle, &self.params.coordinates, world.dt);
        }
        Ok(())
    }
}

/// The road and the world around a vehicle in a step.
struct Surroundings<'a> {
    params: &'a SimulationParams,
    road: RapierRoad<'a>,
    detail: LevelOfDetail,
    has_firm_ground: bool,
}

impl Surroundings<'_> {
    fn context(&self) -> Context<'_> {
        let context = Context::new(self.params, &self.road).with_detail(self.detail);
        if self.has_firm_ground { context.with_firm_ground() } else { context }
    }
}

/// Lets `advance` work on all of `vehicles`, at most [`SIDE_BY_SIDE`] at a time, by all threads at
/// hand.
pub(crate) fn for_each_group<T: Send>(
    vehicles: &mut [T],
    advance: impl Fn(&mut [T]) + Send + Sync,
) {
    #[cfg(feature = "rayon")]
    {
        use rayon::prelude::*;
        vehicles.par_chunks_mut(SIDE_BY_SIDE).for_each(advance);
    }
    #[cfg(not(feature = "rayon"))]
    vehicles.chunks_mut(SIDE_BY_SIDE).for_each(advance);
}

/// Runs the stages of at most [`SIDE_BY_SIDE`] vehicles that are awake, with the bits that each
/// gets alone.
///
/// Those that follow each other and share a sequence take each stage side by side.
pub(crate) fn advance_side_by_side<'a, V: Drivable + 'a>(
    vehicles: impl IntoIterator<Item = (&'a mut RapierVehicle<V>, &'a mut Outcome)>,
    world: &Queries<'_>,
) {
    let mut ready = ArrayVec::<_, SIDE_BY_SIDE>::new();
    for (vehicle, outcome) in vehicles {
        match vehicle.prepare(world) {
            Ok(()) => ready.push((vehicle, outcome)),
            Err(error) => *outcome = Err(error.into()),
        }
    }
    let alike =
        ready.chunk_by_mut(|(one, _), (next, _)| Arc::ptr_eq(&one.sequence, &next.sequence));
    for alike in alike {
        run_stages(alike, world);
    }
}

/// Runs the stages of vehicles that share them.
fn run_stages<V: Drivable>(
    vehicles: &mut [(&mut RapierVehicle<V>, &mut Outcome)],
    world: &Queries<'_>,
) {
    let mut runners = ArrayVec::<_, SIDE_BY_SIDE>::new();
    let mut stages = None;
    for (vehicle, _) in &mut *vehicles {
        let (vehicle, sequence, surroundings) = vehicle.set_off(world);
        stages = Some(sequence);
        runners.push((vehicle, surroundings));
    }
    let Some(stages) = stages else { return };
    let mut outcomes = ArrayVec::<_, SIDE_BY_SIDE>::new();
    let in_contexts =
        runners.iter_mut().map(|(vehicle, around)| (&mut **vehicle, around.context()));
    stages.update_side_by_side(in_contexts, world.dt, |own| outcomes.push(own));
    drop(runners);
    for ((vehicle, outcome), own) in vehicles.iter_mut().zip(outcomes) {
        if let Err(error) = vehicle.arrive(own, world) {
            **outcome = Err(error.into());
        }
    }
}

#[cfg(test)]
mod tests {
    use rapier3d::prelude::*;
    use vehicle_core::blueprint::CarBlueprint;
    use vehicle_core::commands::CommandResponseParams;
    use vehicle_drivetrain::{DirectDriveParams, DirectDriveVehicle};

    use crate::{Chassis, Detail, RapierVehicle};

    #[test]
    fn only_dynamic_ground_gives_way_also_under_a_vehicle_that_keeps_its_road() {
        let grounds = [
            (RigidBodyBuilder::fixed(), false),
            (RigidBodyBuilder::kinematic_velocity_based(), false),
            (RigidBodyBuilder::dynamic().gravity_scale(0.0), true),
        ];
        for (ground, gives_way) in grounds {
            for road_period in [1, 3] {
                let mut world = PhysicsWorld::new();
                let slab = ColliderBuilder::cuboid(20.0, 0.5, 20.0).translation(Vector::Y * -0.5);
                let (ground, _) = world.insert(ground.clone(), slab.density(100.0));
                world.step();
                let mechanics = CarBlueprint::default().mechanics().expect("a car");
                let place = Pose::from_translation(Vector::Y * 0.5);
                let chassis = Chassis::new(&mechanics.rigid_body).pose(place);
                let throttle = CommandResponseParams::linear(600.0, [0.0, 0.0, 1.0, 1.0]);
                let vehicle = DirectDriveVehicle::new(DirectDriveParams { mechanics, throttle })
                    .expect("a vehicle");
                let stages = DirectDriveVehicle::sequence();
                let mut car = RapierVehicle::insert(&mut world, chassis, vehicle, stages);
                car.road.pushes_ground = true;
                car.detail = Detail { road_period, ..Detail::FULL };
                for step in 0..12 {
                    car.step(&mut world).expect("the car can be driven");
                    let kind = world.bodies[ground].body_type();
                    let what = format!("{kind:?}, a road for {road_period} steps, step {step}");
                    assert_eq!(car.pushes_ground(), gives_way, "{what}");
                }
            }
        }
    }
}
