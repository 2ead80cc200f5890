//! Parked cars that something pushes, or a hitch shakes: they hold what their grip and their brakes
//! bear.

use std::f32::consts::{FRAC_PI_2, PI};

use rapier3d::prelude::*;
use snippets::scenes::level_world;
use snippets::vehicles::SAMPLE_REST_HEIGHT;
use vehicle_rapier::core::constraint_rows::RowExecution::{self, Host, Local};
use vehicle_rapier::drivetrain::{DirectDriveParams, DirectDriveVehicle};
use vehicle_rapier::{Activity, RapierVehicle};

use crate::common::saloon::{direct_saloon, insert_saloon, saloon_rest_height};
use crate::common::{EXECUTIONS, drive, with_identity_load_filter};

type Car = RapierVehicle<DirectDriveVehicle>;

const GRAVITY: Real = 9.81;

/// A car and where it stands.
#[derive(Clone)]
struct Parked {
    params: DirectDriveParams,
    /// Height of its body at rest (m).
    height: Real,
    /// Friction of the road (dimensionless).
    friction: Real,
}

impl Parked {
    /// The saloon, and the sample on a road on which its soft springs do not lean on their stops:
    /// what these bear is no load of a tire.
    fn all() -> [Self; 2] {
        let sample = with_identity_load_filter();
        [
            Self { params: direct_saloon(), height: saloon_rest_height(), friction: 1.0 },
            Self { params: sample, height: SAMPLE_REST_HEIGHT, friction: 0.6 },
        ]
    }

    fn mass(&self) -> Real {
        self.params.mechanics.rigid_body.mass
    }

    /// Friction that a wheel can have at rest (N).
    fn grip(&self, wheel: usize) -> Real {
        let sprung_mass = self.params.mechanics.suspension_forces[wheel].sprung_mass;
        self.friction * sprung_mass * GRAVITY
    }
}

/// What pushes a car, and how.
#[derive(Clone, Copy, Debug)]
struct Push {
    along: bool,
    brake: Real,
    execution: RowExecution,
    rate: Real,
    substeps: u32,
}

impl Push {
    /// All ways to push a car.
    fn all() -> impl Iterator<Item = Self> {
        let ways = [(true, 1.0), (false, 1.0), (true, 0.5)];
        EXECUTIONS.into_iter().flat_map(move |execution| {
            [30.0, 60.0, 240.0].into_iter().flat_map(move |rate| {
                [1, 3].into_iter().flat_map(move |substeps| {
                    ways.map(|(along, brake)| Self { along, brake, execution, rate, substeps })
                })
            })
        })
    }

    /// The force that a car of `params` can bear (N): along, what each wheel's brake and friction
    /// do; across, what friction does.
    fn capacity(&self, parked: &Parked) -> Real {
        let mechanics = &parked.params.mechanics;
        let brakes = &mechanics.brakes[0];
        let of_wheel = |wheel: usize| {
            let torque = self.brake * brakes.max_response * brakes.wheel_multipliers[wheel];
            let brake = torque / mechanics.wheels[wheel].radius;
            let grip = parked.grip(wheel);
            if self.along { grip.min(brake) } else { grip }
        };
        (0..4).map(of_wheel).sum()
    }

    fn direction(&self) -> Vector {
        if self.along { Vector::Z } else { Vector::X }
    }

    /// A car on level ground, braked, awake and at rest, that has been pushed by `force` (N) at the
    /// road for `seconds`.
    fn act(&self, parked: &Parked, force: Real, seconds: Real) -> (PhysicsWorld, Car) {
        let mut world = level_world(1.0 / self.rate, parked.friction);
        let pose = Pose::from_translation(Vector::Y * parked.height);
        let mut car = insert_saloon(&mut world, parked.params.clone(), pose, self.substeps);
        car.params.row_execution = self.execution;
        world.bodies[car.actor.body].activation_mut().normalized_linear_threshold = -1.0;
        car.vehicle.commands.brakes[0] = self.brake;
        drive(&mut world, &mut car, 3.0);
        let body = &mut world.bodies[car.actor.body];
        let road = body.center_of_mass() - Vector::Y * body.center_of_mass().y;
        body.add_force_at_point(self.direction() * force, road, true);
        drive(&mut world, &mut car, seconds);
        (world, car)
    }
}

#[test]
fn a_braked_car_holds_nearly_all_that_its_grip_and_brakes_bear() {
    for push in Push::all() {
        for parked in Parked::all() {
            let force = 0.95 * push.capacity(&parked);
            let (mut world, mut car) = push.act(&parked, force, 3.0);
            let before = world.bodies[car.actor.body].translation();
            drive(&mut world, &mut car, 5.0);
            let moved = world.bodies[car.actor.body].translation().distance(before);
            // Joints give way a little.
            let bound = if push.execution == Local { 5e-3 } else { 0.02 };
            assert!(moved < bound, "{push:?}, {} kg, {force} N: {moved} m in 5 s", parked.mass());
        }
    }
}

#[test]
fn beyond_its_grip_a_braked_car_slides_as_coulomb_says() {
    let (excess, seconds) = (0.2, 0.5);
    for push in Push::all().filter(|push| push.brake == 1.0) {
        for mut parked in Parked::all() {
            // Friction as Coulomb has it: sliding costs nothing.
            for tire in &mut parked.params.mechanics.tires {
                tire.friction_vs_slip = [(0.0, 1.0), (0.5, 1.0), (1.0, 1.0)];
            }
            let friction: Real = (0..4).map(|wheel| parked.grip(wheel)).sum();
            let (capacity, mass) = (push.capacity(&parked), parked.mass());
            // Where the brakes are weaker than the grip, wheels begin to turn instead.
            if capacity < 0.999 * friction {
                continue;
            }
            let force = (1.0 + excess) * capacity;
            let (mut world, mut car) = push.act(&parked, force, 0.5);
            let before = world.bodies[car.actor.body].linvel();
            let (mut borne, steps) = (0.0, (seconds * push.rate).round() as usize);
            for _ in 0..steps {
                car.step(&mut world).expect("the car can be driven");
                let forces = car.vehicle.state.mechanics.suspensions.iter();
                borne +=
                    parked.friction * forces.map(|force| force.force.normal_load).sum::<Real>();
            }
            let after = world.bodies[car.actor.body].linvel();
            let gained = (after - before).dot(push.direction());
            let held = force - mass * gained / seconds;
            // Stops of suspensions bear a part of the weight, which is then no load of a tire.
            let friction = borne / steps as Real;
            // Joints know a step later what the loads are.
            let bound = if push.execution == Local { 0.02 } else { 0.08 };
            assert!(
                (held / friction - 1.0).abs() < bound,
                "{push:?}, {mass} kg: friction of {held} N, not of {friction} N"
            );
        }
    }
}

/// Steps of the world (s) that are not those of every frame.
#[derive(Clone, Copy, Debug)]
enum Hitch {
    /// The computer was busy for a second.
    Long,
    Short,
    /// Frames that are next to nothing beside long ones.
    Alternating,
    /// A load that changes.
    Mixed,
}

impl Hitch {
    fn steps(self) -> Vec<Real> {
        match self {
            Self::Long => vec![1.0],
            Self::Short => vec![0.3],
            Self::Alternating => [1e-4, 1.0 / 30.0].repeat(300),
            Self::Mixed => [0.001, 0.05, 0.016, 0.1].repeat(50),
        }
    }
}

#[test]
fn a_hitch_does_not_move_a_parked_car() {
    let slope = Real::to_radians(15.0);
    let normal = Vector::new(0.0, slope.cos(), -slope.sin());
    for hitch in [Hitch::Long, Hitch::Short, Hitch::Alternating, Hitch::Mixed] {
        for (heading, substeps) in
            [0.0, FRAC_PI_2, PI].into_iter().flat_map(|heading| [(heading, 1), (heading, 3)])
        {
            for execution in [Local, Host] {
                for (can_sleep, parked) in [true, false]
                    .into_iter()
                    .flat_map(|sleeps| Parked::all().map(|parked| (sleeps, parked)))
                {
                    let mut world = PhysicsWorld::new();
                    world.integration_parameters.dt = 1.0 / 60.0;
                    let hill = ColliderBuilder::new(SharedShape::halfspace(normal)).friction(1.0);
                    world.insert_collider(hill, None);
                    world.detect_collisions(&(), &());
                    let rotation =
                        Rotation::from_rotation_x(-slope) * Rotation::from_rotation_y(heading);
                    let pose = Pose::from_parts(normal * parked.height, rotation);
                    let mass = parked.mass();
                    let mut car = insert_saloon(&mut world, parked.params, pose, substeps);
                    car.params.row_execution = execution;
                    let body = car.actor.body;
                    if !can_sleep {
                        world.bodies[body].activation_mut().normalized_linear_threshold = -1.0;
                    }
                    car.vehicle.commands.brakes[0] = 1.0;
                    let activity = drive(&mut world, &mut car, 5.0);
                    assert_eq!(activity == Activity::Asleep, can_sleep);
                    let before = world.bodies[body].translation();
                    let usual = vec![1.0 / 60.0; 120];
                    let mut farthest: Real = 0.0;
                    for dt in hitch.steps().into_iter().chain(usual) {
                        world.integration_parameters.dt = dt;
                        car.step(&mut world).expect("the car can be driven");
                        farthest = farthest.max(world.bodies[body].translation().distance(before));
                    }
                    let bound = if execution == Local { 0.01 } else { 0.15 };
                    assert!(
                        farthest < bound,
                        "{hitch:?}, {mass} kg, {heading} rad, {substeps} substeps, {execution:?}, \
                         sleeps: {can_sleep}: {farthest} m"
                    );
                }
            }
        }
    }
}
