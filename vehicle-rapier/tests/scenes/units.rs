//! One drive in worlds of other axes and another length unit.

use crate::common::DT;
use rapier3d::prelude::*;
use snippets::vehicles::{
    SAMPLE_CENTER_OF_MASS, SAMPLE_FRAME, SAMPLE_HALF_EXTENTS, SAMPLE_HULL_CENTER,
    SAMPLE_REST_HEIGHT, sample_direct_drive,
};
use vehicle_rapier::core::commands::Commands;
use vehicle_rapier::core::convert::Convert;
use vehicle_rapier::core::frame::{CoordinateConversion, CoordinateSystem, Frame};
use vehicle_rapier::core::suspension::StrutParams;
use vehicle_rapier::core::suspension::unsprung::SuspensionDynamics;
use vehicle_rapier::core::suspension::unsprung::laws::{DamperLaw, DamperSide, Stop};
use vehicle_rapier::core::{SimulationParams, context::GRAVITY};
use vehicle_rapier::drivetrain::direct_drive::Gear;
use vehicle_rapier::drivetrain::{DirectDriveParams, DirectDriveVehicle};
use vehicle_rapier::{Activity, Chassis, RapierVehicle, RoadQueryShape};

/// The sample car's own axes, in meters.
const METERS: CoordinateSystem = CoordinateSystem { frame: SAMPLE_FRAME, length_scale: 1.0 };

/// The sample car on level ground, in a world of other axes and another length unit.
struct Scene {
    world: PhysicsWorld,
    car: RapierVehicle<DirectDriveVehicle>,
    target: CoordinateSystem,
}

impl Scene {
    /// The car in forward gear, its body `height` (m) above where it rests.
    fn new(target: CoordinateSystem, height: Real) -> Self {
        Self::of(&sample_direct_drive().expect("valid data"), target, height)
    }

    /// The car of `params`, as above.
    fn of(params: &DirectDriveParams, target: CoordinateSystem, height: Real) -> Self {
        let conversion = CoordinateConversion::new(&METERS, &target);
        let up = target.frame.vertical();
        let mut world = PhysicsWorld::new();
        world.gravity = up * (-GRAVITY * target.length_scale);
        world.integration_parameters.dt = DT;
        world.integration_parameters.length_unit = target.length_scale;
        let ground = ColliderBuilder::new(SharedShape::halfspace(up)).friction(1.0);
        world.insert_collider(ground, None);
        world.detect_collisions(&(), &());

        let params = params.converted(&conversion);
        let place = |point| Pose::from_translation(conversion.length(point));
        let size = conversion.length(SAMPLE_HALF_EXTENTS).abs();
        let hull = ColliderBuilder::cuboid(size.x, size.y, size.z);
        let chassis = Chassis::new(&params.mechanics.rigid_body)
            .pose(place(SAMPLE_FRAME.vertical() * (SAMPLE_REST_HEIGHT + height)))
            .center_of_mass(place(SAMPLE_CENTER_OF_MASS))
            .collider(hull.position(place(SAMPLE_HULL_CENTER)));
        let vehicle = DirectDriveVehicle::new(params).expect("valid parameters");
        let sequence = DirectDriveVehicle::sequence();
        let mut car = RapierVehicle::insert(&mut world, chassis, vehicle, sequence);
        car.params = SimulationParams::new(METERS.frame).converted(&conversion);
        car.vehicle.controls.gear = Gear::Forward;
        Self { world, car, target }
    }

    /// Position of the body after every step of 2 s (m, the sample car's axes).
    fn drive(mut self, commands: Commands) -> Vec<Vector> {
        self.car.vehicle.commands = commands;
        let back = CoordinateConversion::new(&self.target, &METERS);
        let steps = (2.0 / DT).round() as usize;
        let step = |_| {
            self.car.step(&mut self.world).expect("the car can be driven");
            back.length(self.world.bodies[self.car.actor.body].translation())
        };
        (0..steps).map(step).collect()
    }

    /// Steps until the car falls asleep, at most those of 10 s.
    fn steps_awake(mut self) -> usize {
        self.car.vehicle.commands.brakes[0] = 1.0;
        let steps = (10.0 / DT).round() as usize;
        let is_awake = |_: &usize| {
            self.car.step(&mut self.world).expect("the car can be driven") == Activity::Awake
        };
        (0..steps).take_while(is_awake).count()
    }
}

/// All axes, in meters and in centimeters.
fn targets() -> impl Iterator<Item = CoordinateSystem> {
    Frame::all()
        .flat_map(|frame| [1.0, 100.0].map(|length_scale| CoordinateSystem { frame, length_scale }))
}

#[test]
fn a_drive_without_wheel_slip_is_the_same_in_all_axes_and_units() {
    for steer in [0.0, 0.05] {
        let commands = Commands { throttle: 0.25, steer, ..Commands::default() };
        let expected = Scene::new(METERS, 0.0).drive(commands);
        let start = expected[0];
        let distance = expected[expected.len() - 1].distance(start);
        assert!(2.0 < distance, "{distance} m");
        for target in targets() {
            let actual = Scene::new(target, 0.0).drive(commands);
            for (step, (actual, expected)) in actual.iter().zip(&expected).enumerate() {
                let error = actual.distance(*expected) / distance;
                let what = format!("step {step}, steer {steer}, {target:?}");
                assert!(error < 1e-4, "{actual} m, expected {expected} m, {error:e}, {what}");
            }
        }
    }
}

#[test]
fn a_drive_on_sweeps_is_the_same_in_all_axes_and_units() {
    let commands = Commands { throttle: 0.25, steer: 0.05, ..Commands::default() };
    for shoulder_radius in [0.0, 0.1] {
        let on_sweeps = |target| {
            let mut params = sample_direct_drive().expect("valid data");
            for wheel in &mut params.mechanics.wheels {
                wheel.shoulder_radius = shoulder_radius;
            }
            let mut scene = Scene::of(&params, target, 0.0);
            scene.car.road.shape = RoadQueryShape::Cylinder;
            scene.drive(commands)
        };
        let expected = on_sweeps(METERS);
        let distance = expected[expected.len() - 1].distance(expected[0]);
        assert!(2.0 < distance, "{distance} m");
        for target in targets() {
            for (step, (actual, expected)) in on_sweeps(target).iter().zip(&expected).enumerate() {
                let error = actual.distance(*expected) / distance;
                let what = format!("step {step}, shoulders of {shoulder_radius} m, {target:?}");
                assert!(error < 1e-3, "{actual} m, expected {expected} m, {error:e}, {what}");
            }
        }
    }
}

#[test]
fn a_fall_onto_bump_stops_is_the_same_in_all_axes_and_units() {
    let strut = StrutParams {
        spring: vec![(0.0, 0.0), (0.1, 3_000.0), (0.25, 10_000.0)],
        damper: Some(DamperLaw {
            bump: DamperSide { rate: 1_500.0, knee: 0.4, rate_beyond: 700.0 },
            rebound: DamperSide { rate: 3_000.0, knee: 0.2, rate_beyond: 1_500.0 },
        }),
        bump_stop: Some(Stop { edge: 0.2, stiffness: 60_000.0 }),
    };
    let mut params = sample_direct_drive().expect("valid data");
    params.mechanics.suspension_dynamics = SuspensionDynamics::Struts(vec![strut; 4]);
    let fall = |target| Scene::of(&params, target, 0.3).drive(Commands::default());
    let expected = fall(METERS);
    let heights = || expected.iter().map(|place| place.dot(SAMPLE_FRAME.vertical()));
    let lowest = heights().fold(Real::INFINITY, Real::min);
    let sunk = expected[expected.len() - 1].dot(SAMPLE_FRAME.vertical()) - lowest;
    assert!(0.03 < sunk, "{sunk} m");
    for target in targets() {
        for (step, (actual, expected)) in fall(target).iter().zip(&expected).enumerate() {
            let error = actual.distance(*expected);
            assert!(error < 1e-4, "step {step}, {target:?}: {actual} m, expected {expected} m");
        }
    }
}

#[test]
fn a_dropped_car_falls_asleep_as_soon_in_all_axes_and_units() {
    let expected = Scene::new(METERS, 0.3).steps_awake();
    for target in targets() {
        let actual = Scene::new(target, 0.3).steps_awake();
        // Rounding may move the crossing of a threshold by a step or two.
        assert!(actual.abs_diff(expected) <= 2, "{actual} steps, expected {expected}, {target:?}");
    }
}
