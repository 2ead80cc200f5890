//! Vehicles that something disturbs: pushed, hit, with a hitch, on ground that moves, is light, or
//! is gone.

use rapier3d::prelude::*;
use vehicle_rapier::RoadQueryShape;
use vehicle_rapier::core::steering::SteeringSystemParams;
use vehicle_rapier::core::suspension::ContactShape;
use vehicle_rapier::drivetrain::BlockDriveVehicle;
use vehicle_rapier::drivetrain::blocks::{DrivelineCommands, Selector};

use crate::cars::{BlockCar, built, forward, insert_with, mechanics_for};
use crate::common::grounds::block;
use crate::common::{drive, roll};
use crate::slopes::pedals;

/// Which vehicle, in what steps, on what.
#[derive(Clone, Copy, Debug)]
struct Setting {
    name: &'static str,
    rate: Real,
    substeps: u32,
    sweeps: bool,
    has_free_steering: bool,
}

impl Setting {
    /// Every kind of driveline, each in some steps, on rays and sweeps, some with a steering wheel
    /// that is let go.
    fn all() -> impl Iterator<Item = Self> {
        let names =
            ["rear", "front", "all-planetary", "h-drive", "tank", "truck-8x8", "electric-two"];
        let names = names.into_iter().chain(["hybrid-parallel", "hybrid-power-split"]);
        let steps = [(30.0, 1, false), (60.0, 3, true), (60.0, 1, false), (240.0, 1, true)];
        names.flat_map(move |name| {
            steps.map(|(rate, substeps, sweeps)| {
                let has_free_steering = name != "tank" && !name.starts_with("truck") && sweeps;
                Self { name, rate, substeps, sweeps, has_free_steering }
            })
        })
    }

    /// The vehicle on its wheels, braked, in gear or park, after a second.
    fn parked(&self, mut world: PhysicsWorld) -> (PhysicsWorld, BlockCar) {
        world.integration_parameters.dt = self.rate.recip();
        let (mut mechanics, height) = mechanics_for(self.name);
        if self.sweeps {
            mechanics.jounce.contact = ContactShape::Cylinder;
        }
        if self.has_free_steering {
            mechanics.steering_system = Some(SteeringSystemParams::car(0, 1));
        }
        let pose = Pose::from_translation(Vector::Y * height);
        let substeps = self.substeps;
        let sequence = BlockDriveVehicle::sequence_with_substeps(move |_| substeps);
        let mut car = insert_with(&mut world, mechanics, built(self.name), pose, sequence);
        if self.sweeps {
            car.road.shape = RoadQueryShape::Cylinder;
        }
        car.vehicle.controls =
            DrivelineCommands { gear: 0, selector: Selector::Park, ..DrivelineCommands::default() };
        car.vehicle.commands = pedals(0.0, 1.0);
        if self.has_free_steering {
            car.vehicle.commands.steering_torque = Some(0.0);
        }
        drive(&mut world, &mut car, 1.0);
        (world, car)
    }
}

/// A level road of 400 m by 40 m.
fn road() -> PhysicsWorld {
    ground([block(Vector::new(20.0, 2.0, 200.0), Vector::ZERO)])
}

fn ground(colliders: impl IntoIterator<Item = ColliderBuilder>) -> PhysicsWorld {
    crate::common::grounds::drivable_world_of(colliders)
}

fn speed(world: &PhysicsWorld, car: &BlockCar) -> Real {
    world.bodies[car.actor.body].linvel().length()
}

fn mass(car: &BlockCar) -> Real {
    car.vehicle.params().mechanics.rigid_body.mass
}

/// All is finite, and the driveline was solved.
fn check(world: &PhysicsWorld, car: &BlockCar, what: &str) {
    let body = &world.bodies[car.actor.body];
    let numbers = [body.translation(), body.linvel(), body.angvel()];
    assert!(numbers.iter().all(|number| number.is_finite()), "{what}: {numbers:?}");
    assert!(car.vehicle.state.drive.is_finite(), "{what}");
    if let Some(outcome) = car.vehicle.solve_report().outcome {
        assert!(outcome.is_consistent, "{what}: {outcome:?}");
    }
}

#[test]
fn parked_vehicles_that_are_pushed_hold() {
    for setting in Setting::all() {
        let (mut world, mut car) = setting.parked(road());
        let start = world.bodies[car.actor.body].translation();
        let force = Vector::Z * (0.2 * 9.81 * mass(&car));
        let steps = setting.rate as usize;
        for _ in 0..2 * steps {
            world.bodies[car.actor.body].reset_forces(true);
            world.bodies[car.actor.body].add_force(force, true);
            car.step(&mut world).expect("the vehicle can be driven");
        }
        world.bodies[car.actor.body].reset_forces(true);
        let moved = (world.bodies[car.actor.body].translation() - start).length();
        check(&world, &car, &format!("{setting:?}"));
        assert!(moved < 0.1, "{setting:?}: {moved} m");
    }
}

#[test]
fn parked_vehicles_that_are_hit_come_to_rest_and_sleep() {
    for setting in Setting::all() {
        let (mut world, mut car) = setting.parked(road());
        let impulse = Vector::new(0.4, 0.2, 1.0) * mass(&car);
        world.bodies[car.actor.body].apply_impulse(impulse, true);
        drive(&mut world, &mut car, 1.0);
        // A hitch.
        world.integration_parameters.dt = 0.1;
        car.step(&mut world).expect("the vehicle can be driven");
        world.integration_parameters.dt = setting.rate.recip();
        for _ in 0..5 {
            if !world.bodies[car.actor.body].is_sleeping() {
                drive(&mut world, &mut car, 2.0);
            }
        }
        let (left, what) = (speed(&world, &car), format!("{setting:?}"));
        check(&world, &car, &what);
        assert!(world.bodies[car.actor.body].is_sleeping(), "{what}: {left} m/s");
        for wheel in &car.vehicle.state.mechanics.wheels {
            assert!(wheel.rotation_speed.abs() < 1e-3, "{what}: {} rad/s", wheel.rotation_speed);
        }
    }
}

#[test]
fn vehicles_drive_off_ground_that_goes_away() {
    for setting in Setting::all() {
        for is_removed in [false, true] {
            let (mut world, mut car) = setting.parked(road());
            car.vehicle.controls = DrivelineCommands { clutch: 0.3, ..forward(setting.name) };
            car.vehicle.commands = pedals(0.6, 0.0);
            drive(&mut world, &mut car, 1.5);
            let ground: Vec<ColliderHandle> = world
                .colliders
                .iter()
                .filter(|(_, collider)| collider.parent().is_none())
                .map(|(handle, _)| handle)
                .collect();
            for handle in ground {
                if is_removed {
                    world.remove_collider(handle);
                } else {
                    world.colliders[handle].set_enabled(false);
                }
            }
            for _ in 0..2 * setting.rate as usize {
                car.step(&mut world).expect("the vehicle can be driven");
                check(&world, &car, &format!("{setting:?}, removed {is_removed}"));
            }
            let falling = world.bodies[car.actor.body].linvel().y;
            assert!(falling < -10.0, "{setting:?} falls at {falling} m/s");
        }
    }
}

#[test]
fn parked_vehicles_ride_on_what_moves() {
    for setting in Setting::all() {
        let mut world = PhysicsWorld::new();
        let platform = world.insert_body(RigidBodyBuilder::kinematic_velocity_based());
        let deck = block(Vector::new(6.0, 0.5, 10.0), Vector::ZERO).friction(1.0);
        world.insert_collider(deck, Some(platform));
        world.detect_collisions(&(), &());
        let (mut world, mut car) = setting.parked(world);
        let start =
            world.bodies[car.actor.body].translation() - world.bodies[platform].translation();
        let steps = 4 * setting.rate as usize;
        for step in 0..steps {
            let phase = 2.0 * step as Real / setting.rate;
            let velocity = Vector::new(0.0, 0.3 * phase.sin(), phase.sin());
            world.bodies[platform].set_linvel(velocity, true);
            car.step(&mut world).expect("the vehicle can be driven");
        }
        world.bodies[platform].set_linvel(Vector::ZERO, true);
        drive(&mut world, &mut car, 2.0);
        check(&world, &car, &format!("{setting:?}"));
        let now = world.bodies[car.actor.body].translation() - world.bodies[platform].translation();
        let moved = (now - start).length();
        assert!(moved < 0.1, "{setting:?}: {moved} m");
    }
}

#[test]
fn vehicles_drive_over_light_boards() {
    for setting in Setting::all() {
        let mut world = road();
        for place in 0..6 {
            let at = Vector::new(0.0, 0.03, 5.0 + 3.0 * place as Real);
            let board = world.insert_body(RigidBodyBuilder::dynamic().translation(at));
            let shape = ColliderBuilder::cuboid(1.5, 0.025, 0.3).mass(15.0).friction(0.8);
            world.insert_collider(shape, Some(board));
        }
        let (mut world, mut car) = setting.parked(world);
        car.vehicle.controls = DrivelineCommands { clutch: 0.3, ..forward(setting.name) };
        car.vehicle.commands = pedals(0.5, 0.0);
        let mut farthest = 0.0_f32;
        for _ in 0..8 * setting.rate as usize {
            car.step(&mut world).expect("the vehicle can be driven");
            check(&world, &car, &format!("{setting:?}"));
            farthest = farthest.max(world.bodies[car.actor.body].translation().z);
        }
        let up = (*world.bodies[car.actor.body].rotation() * Vector::Y).y;
        assert!(0.9 < up && 10.0 < farthest, "{setting:?}: up {up}, {farthest} m");
    }
}

#[test]
fn a_steering_wheel_that_is_let_go_keeps_the_car_straight_under_drive_and_regeneration() {
    for setting in Setting::all().filter(|setting| setting.has_free_steering) {
        for (throttle, brake) in [(0.3, 0.0), (0.0, 0.2)] {
            let (mut world, mut car) = setting.parked(road());
            let radius = car.vehicle.params().mechanics.wheels[0].radius;
            car.vehicle.controls =
                DrivelineCommands { gear: 3, clutch: 1.0, ..forward(setting.name) };
            car.vehicle.commands = pedals(0.0, 0.0);
            car.vehicle.commands.steering_torque = Some(0.0);
            roll(&mut world, &mut car, 15.0, 15.0 / radius);
            drive(&mut world, &mut car, 0.5);
            car.vehicle.controls.clutch = 0.0;
            car.vehicle.commands = pedals(throttle, brake);
            car.vehicle.commands.steering_torque = Some(0.0);
            // A gust turns it a little.
            world.bodies[car.actor.body].apply_torque_impulse(Vector::Y * 200.0, true);
            drive(&mut world, &mut car, 3.0);
            let body = &world.bodies[car.actor.body];
            let (yaw, heading) = (body.angvel().y, (*body.rotation() * Vector::Z).x);
            let what = format!("{setting:?}, pedals {throttle}, {brake}");
            check(&world, &car, &what);
            assert!(yaw.abs() < 0.02, "{what}: {yaw} rad/s");
            assert!(heading.abs() < 0.3, "{what}: {heading} rad aside");
        }
    }
}
