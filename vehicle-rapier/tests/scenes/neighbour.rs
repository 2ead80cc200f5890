//! What Rapier's own `DynamicRayCastVehicleController` does not do, and the sample car does: the
//! same errand for both, with the same mass, springs, wheels and friction.

use crate::common::{DT, car_with, with_identity_load_filter};
use rapier3d::control::{DynamicRayCastVehicleController, WheelTuning};
use rapier3d::prelude::*;
use snippets::scenes::level_world;
use snippets::vehicles::{
    SAMPLE_CENTER_OF_MASS, SAMPLE_FRAME, SAMPLE_REST_HEIGHT, sample_chassis, sample_mechanics,
};
use vehicle_rapier::RapierVehicle;
use vehicle_rapier::drivetrain::DirectDriveVehicle;
use vehicle_rapier::drivetrain::direct_drive::Gear;

const MASS: Real = 2_014.4;
/// Force of full throttle on a wheel of Rapier's vehicle: the sample car's 750 N·m (N).
const FULL_THROTTLE: Real = 750.0 / 0.343;
/// Impulse per step of the full brake of a wheel of Rapier's vehicle: the sample car's 1875 N·m
/// (N·s).
const FULL_BRAKE: Real = 1_875.0 / 0.343 * DT;

/// What a driver does.
#[derive(Clone, Copy, Debug, Default)]
struct Pedals {
    /// Negative in reverse.
    throttle: Real,
    brake: Real,
}

/// A car of either kind.
trait Car {
    fn body(&self) -> RigidBodyHandle;
    fn update(&mut self, world: &mut PhysicsWorld, pedals: Pedals);
}

struct Neighbour(DynamicRayCastVehicleController);

impl Neighbour {
    fn new(world: &mut PhysicsWorld, pose: Pose) -> Self {
        let mechanics = sample_mechanics().expect("valid data");
        let chassis = sample_chassis(&mechanics.rigid_body, pose);
        let body = chassis.insert(&mut world.bodies, &mut world.colliders).body;
        // The controller leaves gravity to the world.
        world.bodies[body].set_gravity_scale(1.0, false);
        let mut controller = DynamicRayCastVehicleController::new(body);
        (controller.index_up_axis, controller.index_forward_axis) = (1, 2);
        for (wheel, suspension) in mechanics.suspensions.iter().enumerate() {
            let spring = &mechanics.suspension_forces[wheel];
            let tuning = WheelTuning {
                suspension_stiffness: spring.stiffness / MASS,
                suspension_compression: spring.damping / MASS,
                suspension_damping: spring.damping / MASS,
                max_suspension_travel: suspension.travel_distance,
                side_friction_stiffness: 1.0,
                friction_slip: 1.0,
                max_suspension_force: Real::MAX,
            };
            controller.add_wheel(
                SAMPLE_CENTER_OF_MASS + suspension.attachment.translation,
                suspension.travel_direction,
                -SAMPLE_FRAME.lateral(),
                suspension.travel_distance,
                mechanics.wheels[wheel].radius,
                &tuning,
            );
        }
        Self(controller)
    }
}

impl Car for Neighbour {
    fn body(&self) -> RigidBodyHandle {
        self.0.chassis
    }

    fn update(&mut self, world: &mut PhysicsWorld, pedals: Pedals) {
        for wheel in self.0.wheels_mut() {
            wheel.engine_force = FULL_THROTTLE * pedals.throttle;
            wheel.brake = FULL_BRAKE * pedals.brake;
        }
        let filter = QueryFilter::default().exclude_sensors().exclude_rigid_body(self.0.chassis);
        let queries = world.broad_phase.as_query_pipeline_mut(
            world.narrow_phase.query_dispatcher(),
            &mut world.bodies,
            &mut world.colliders,
            filter,
        );
        self.0.update_vehicle(DT, queries);
    }
}

struct Ours(RapierVehicle<DirectDriveVehicle>);

impl Ours {
    fn new(world: &mut PhysicsWorld, pose: Pose) -> Self {
        let mut car = car_with(world, with_identity_load_filter(), 0.0);
        world.bodies[car.actor.body].set_position(pose, true);
        car.road.pushes_ground = true;
        Self(car)
    }
}

impl Car for Ours {
    fn body(&self) -> RigidBodyHandle {
        self.0.actor.body
    }

    fn update(&mut self, world: &mut PhysicsWorld, pedals: Pedals) {
        let car = &mut self.0.vehicle;
        car.controls.gear = if pedals.throttle < 0.0 { Gear::Reverse } else { Gear::Forward };
        car.commands.throttle = pedals.throttle.abs();
        car.commands.brakes[0] = pedals.brake;
        self.0.update(world).expect("the car can be driven");
    }
}

fn drive(world: &mut PhysicsWorld, car: &mut dyn Car, pedals: Pedals, seconds: Real) {
    for _ in 0..(seconds / DT).round() as usize {
        car.update(world, pedals);
        world.step();
    }
}

const BRAKED: Pedals = Pedals { throttle: 0.0, brake: 1.0 };

/// The outcome of an `errand` for Rapier's vehicle and for ours, each in a world of its own, its
/// body at `pose`.
fn both(
    world: impl Fn() -> PhysicsWorld,
    pose: Pose,
    errand: impl Fn(&mut PhysicsWorld, &mut dyn Car) -> Real,
) -> (Real, Real) {
    let mut theirs = world();
    let mut neighbour = Neighbour::new(&mut theirs, pose);
    let mut own = world();
    let mut car = Ours::new(&mut own, pose);
    (errand(&mut theirs, &mut neighbour), errand(&mut own, &mut car))
}

fn at_rest() -> Pose {
    Pose::from_translation(Vector::Y * SAMPLE_REST_HEIGHT)
}

fn velocity(world: &PhysicsWorld, car: &dyn Car) -> Vector {
    world.bodies[car.body()].linvel()
}

/// A world with a slab of 60 m on `body`, its top at height 0.
fn world_with(body: RigidBodyBuilder) -> PhysicsWorld {
    let mut world = PhysicsWorld::new();
    world.integration_parameters.dt = DT;
    let slab = ColliderBuilder::cuboid(30.0, 0.5, 30.0).translation(Vector::Y * -0.5);
    world.insert(body, slab.density(0.0).friction(1.0));
    world.step();
    world
}

#[test]
fn car_parked_on_a_hill_does_not_creep() {
    let slope = 20.0_f32.to_radians();
    let normal = Vector::new(0.0, slope.cos(), -slope.sin());
    for heading in [0.0, std::f32::consts::FRAC_PI_2] {
        let world = || {
            let mut world = PhysicsWorld::new();
            world.integration_parameters.dt = DT;
            let hill = ColliderBuilder::new(SharedShape::halfspace(normal)).friction(1.0);
            world.insert_collider(hill, None);
            world.detect_collisions(&(), &());
            world
        };
        let tilt = Rotation::from_rotation_x(-slope) * Rotation::from_rotation_y(heading);
        let pose = Pose::from_parts(normal * SAMPLE_REST_HEIGHT, tilt);
        let (theirs, ours) = both(world, pose, |world, car| {
            // Sleep would hide the creep.
            world.bodies[car.body()].activation_mut().normalized_linear_threshold = -1.0;
            drive(world, car, BRAKED, 5.0);
            let before = world.bodies[car.body()].translation();
            drive(world, car, BRAKED, 10.0);
            world.bodies[car.body()].translation().distance(before)
        });
        assert!(0.1 < theirs, "heading {heading}: Rapier's vehicle creeps {theirs} m");
        assert!(ours < 1e-3, "heading {heading}: the car creeps {ours} m");
    }
}

#[test]
fn brake_holds_against_the_throttle() {
    let (theirs, ours) = both(
        || level_world(DT, 1.0),
        at_rest(),
        |world, car| {
            drive(world, car, BRAKED, 1.0);
            drive(world, car, Pedals { throttle: 0.8, brake: 1.0 }, 3.0);
            velocity(world, car).length()
        },
    );
    assert!(1.0 < theirs, "Rapier's vehicle drives off: {theirs} m/s");
    assert!(ours < 1e-2, "the car drives off: {ours} m/s");
}

#[test]
fn platform_that_moves_sideways_takes_the_car_along() {
    let platform = || {
        let moving = RigidBodyBuilder::kinematic_velocity_based().linvel(Vector::X * 2.0);
        world_with(moving)
    };
    let (theirs, ours) = both(platform, at_rest(), |world, car| {
        drive(world, car, BRAKED, 4.0);
        velocity(world, car).x
    });
    assert!(theirs.abs() < 0.2, "Rapier's vehicle is taken along: {theirs} m/s");
    assert!((ours / 2.0 - 1.0).abs() < 0.02, "{ours} m/s, not 2 m/s");
}

#[test]
fn sleeping_car_wakes_in_reverse() {
    let (theirs, ours) = both(
        || level_world(DT, 1.0),
        at_rest(),
        |world, car| {
            drive(world, car, BRAKED, 3.0);
            world.bodies[car.body()].sleep();
            let before = world.bodies[car.body()].translation().z;
            drive(world, car, Pedals { throttle: -1.0, brake: 0.0 }, 2.0);
            world.bodies[car.body()].translation().z - before
        },
    );
    assert_eq!(theirs, 0.0, "Rapier's vehicle wakes");
    assert!(ours < -1.0, "{ours} m");
}

#[test]
fn ground_feels_the_car_that_drives_on_it() {
    const BARGE: Real = 5_000.0;
    let barge = || {
        let floating = RigidBodyBuilder::dynamic()
            .gravity_scale(0.0)
            .enabled_translations(true, false, true)
            .lock_rotations()
            .additional_mass(BARGE);
        world_with(floating)
    };
    // What is left of the momentum of the car with the barge's, as a part of the car's.
    let (theirs, ours) = both(barge, at_rest(), |world, car| {
        drive(world, car, Pedals { throttle: 0.5, brake: 0.0 }, 3.0);
        let bodies = world.bodies.iter().filter(|(handle, _)| *handle != car.body());
        let barge: Real = bodies.map(|(_, body)| BARGE * body.linvel().z).sum();
        let momentum = MASS * velocity(world, car).z;
        assert!(1_000.0 < momentum, "it drives: {momentum} N·s");
        (momentum + barge) / momentum
    });
    assert!(0.9 < theirs, "the ground feels Rapier's vehicle: {theirs}");
    assert!(ours.abs() < 0.02, "{ours} of the momentum is lost");
}
