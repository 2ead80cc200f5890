//! Wheels with round shoulders: how they meet the road, lean and rest.

use crate::common::grounds::{grounds, world_of};
use crate::common::{DT, car_with, drive};
use rapier3d::parry::query::intersection_test;
use rapier3d::prelude::*;
use snippets::scenes::level_world;
use snippets::vehicles::{SAMPLE_FRAME, SAMPLE_REST_HEIGHT, sample_direct_drive};
use vehicle_rapier::core::Frame;
use vehicle_rapier::core::road_geometry::{Plane, RoadContact, RoadProbe, RoadSurface};
use vehicle_rapier::core::suspension::clearance::cylinder_clearance;
use vehicle_rapier::core::suspension::jounce::jounce_and_separation;
use vehicle_rapier::core::suspension::{ContactShape, WheelTravel};
use vehicle_rapier::drivetrain::DirectDriveVehicle;
use vehicle_rapier::{
    Activity, FrictionTable, RapierRoad, RapierVehicle, RoadQueryParams, RoadQueryShape,
};

const RADIUS: Real = 0.35;
const HALF_WIDTH: Real = 0.12;
const DISTANCE: Real = 0.3;
/// From square to round all across (m).
const SHOULDERS: [Real; 3] = [0.0, 0.05, HALF_WIDTH];

/// A wheel that leans by `lean` (rad), its center at full compression at `center` (m); the
/// suspension stands upright.
fn travel(center: Vector, lean: Real, shoulder_radius: Real) -> WheelTravel {
    WheelTravel {
        pose: Pose::from_parts(center, Rotation::from_rotation_z(lean)),
        direction: Vector::NEG_Y,
        distance: DISTANCE,
        radius: RADIUS,
        half_width: HALF_WIDTH,
        shoulder_radius,
    }
}

/// The plane that a sweep of the wheel finds.
fn swept_plane(world: &PhysicsWorld, travel: WheelTravel) -> Option<Plane> {
    swept_road(world, &FrictionTable::default(), travel).map(|road| road.plane)
}

/// The road that a sweep of the wheel finds.
fn swept_road(
    world: &PhysicsWorld,
    friction: &FrictionTable,
    travel: WheelTravel,
) -> Option<RoadContact> {
    let params = RoadQueryParams {
        shape: RoadQueryShape::Cylinder,
        friction: friction.clone(),
        ..RoadQueryParams::default()
    };
    let none = RigidBodyHandle::invalid();
    let (bodies, colliders) = (&world.bodies, &world.colliders);
    let road =
        RapierRoad::new(&params, none, bodies, colliders, &world.broad_phase, &world.narrow_phase);
    road.probe(&RoadProbe { wheel: 0, tire_kind: 0, travel })
}

fn jounce(travel: &WheelTravel, plane: &Plane) -> Real {
    let clearance = cylinder_clearance(travel, &Frame::Y_UP, plane);
    let slope = travel.direction.dot(plane.normal);
    jounce_and_separation(clearance, slope, travel.distance, None).0
}

/// Distance from the center of a leaning wheel to level ground (m).
fn reach(lean: Real, shoulder: Real) -> Real {
    (RADIUS - shoulder) * lean.cos() + (HALF_WIDTH - shoulder) * lean.sin().abs() + shoulder
}

#[test]
fn leaning_wheels_stand_on_their_shoulders_on_all_grounds() {
    for (ground, world) in grounds() {
        for shoulder in SHOULDERS {
            for step in -12..=12 {
                let lean = 0.05 * step as Real;
                // From just above the road at full droop to pressed in at full compression.
                for height in [0.63, 0.5, 0.4, 0.3, 0.2] {
                    let travel = travel(Vector::new(0.4, height, 0.3), lean, shoulder);
                    let what =
                        format!("{shoulder} m on {ground}, lean {lean} rad, center at {height} m");
                    let Some(plane) = swept_plane(&world, travel) else {
                        assert!(reach(lean, shoulder) < height - DISTANCE + 1e-3, "{what}");
                        continue;
                    };
                    assert!(plane.normal.distance(Vector::Y) < 2e-2, "{what}: {plane:?}");
                    let expected = DISTANCE + reach(lean, shoulder) - height;
                    let found = jounce(&travel, &plane);
                    let error = (found - expected.clamp(0.0, DISTANCE)).abs();
                    assert!(error < 1e-3, "{what}: jounce {found} m, expected {expected} m");
                }
            }
        }
    }
}

#[test]
fn round_wheels_lean_without_a_snap() {
    for (ground, world) in grounds() {
        let jounces: Vec<_> = (-300..=300)
            .map(|step| {
                let lean = 2e-3 * step as Real;
                let travel = travel(Vector::new(0.4, 0.45, 0.3), lean, HALF_WIDTH);
                jounce(&travel, &swept_plane(&world, travel).expect("a road"))
            })
            .collect();
        for (index, jounces) in jounces.windows(3).enumerate() {
            // A cylinder's would change by 2 H · 2 mrad = 0.5 mm where it is upright.
            let change = (jounces[2] - 2.0 * jounces[1] + jounces[0]).abs();
            assert!(change < 5e-5, "{ground}, step {index}: {jounces:?} m, a kink of {change} m");
        }
    }
}

#[test]
fn the_contact_of_a_round_wheel_moves_over_its_tread_as_it_leans() {
    const STRIP: Real = 0.02;
    let count = 40_u32;
    let corner = |index: u32| {
        let x = STRIP * ((index / 2) as Real - 0.5 * count as Real);
        Vector::new(x, 0.0, if index.is_multiple_of(2) { -2.0 } else { 2.0 })
    };
    let strip = |index: u32| {
        let first = 2 * index;
        [[first, first + 1, first + 2], [first + 1, first + 3, first + 2]]
    };
    let triangles = (0..count).flat_map(strip).collect();
    let vertices = (0..2 * (count + 1)).map(corner).collect();
    let mesh = ColliderBuilder::trimesh(vertices, triangles).expect("a mesh");
    let world = world_of([mesh]);
    let handle = world.colliders.iter().next().expect("the mesh").0;
    let materials = (0..2 * count).map(|triangle| (triangle / 2).into()).collect();
    let friction = FrictionTable::default().with_parts(handle, materials);
    for step in -50..=50 {
        let lean = 0.012 * step as Real;
        let road = swept_road(&world, &friction, travel(Vector::Y * 0.45, lean, HALF_WIDTH));
        // The lowest point is (R - H) sin(lean) beside the center.
        let place = (RADIUS - HALF_WIDTH) * lean.sin() / STRIP + 0.5 * count as Real;
        let middle = u128::from(road.expect("a road").material) as Real + 0.5;
        let error = (middle - place).abs();
        assert!(error < 1.0, "lean {lean} rad: strip {middle}, expected at {place} strips");
    }
}

#[test]
fn round_wheels_stand_just_on_an_edge_that_they_meet() {
    let kerb = ColliderBuilder::cuboid(2.0, 0.1, 2.0);
    for (side, place) in [
        ("ahead", Vector::new(0.0, 0.0, 2.2)),
        // Along the wheel, under a part of its tread.
        ("along", Vector::new(2.02, 0.0, 0.0)),
    ] {
        let world = world_of([
            ColliderBuilder::new(SharedShape::halfspace(Vector::Y)).translation(Vector::Y * -0.1),
            kerb.clone().translation(place),
        ]);
        for shoulder in SHOULDERS {
            for lean in [0.0, 0.1, -0.2] {
                let travel = travel(Vector::Y * 0.55, lean, shoulder);
                let what = format!("edge {side}, {shoulder} m, lean {lean} rad");
                let plane = swept_plane(&world, travel).expect(&what);
                let jounce = jounce(&travel, &plane);
                let to_axle = Rotation::from_rotation_arc(Vector::Y, Vector::X);
                let inner_shape = Cylinder::new(HALF_WIDTH - shoulder, RADIUS - shoulder);
                let wheel = RoundCylinder { inner_shape, border_radius: shoulder };
                let touches = |jounce: Real| {
                    let center = travel.droop_center() - travel.direction * jounce;
                    let pose = Pose::from_parts(center, travel.pose.rotation * to_axle);
                    world.colliders.iter().any(|(_, ground)| {
                        let (at, shape) = (ground.position(), ground.shape());
                        intersection_test(&pose, &wheel, at, shape).unwrap().intersecting
                    })
                };
                assert!(!touches(jounce + 1.5e-3), "{what}: jounce {jounce} m");
                assert!(touches(jounce - 1.5e-3), "{what}: jounce {jounce} m");
            }
        }
    }
}

/// The sample car with shoulders of a share of its wheels' half width, which lean by `camber`
/// (rad).
fn car(
    world: &mut PhysicsWorld,
    roundness: Real,
    camber: Real,
) -> RapierVehicle<DirectDriveVehicle> {
    let mut params = sample_direct_drive().expect("valid data");
    assert_eq!(params.mechanics.jounce.contact, ContactShape::Cylinder);
    for (wheel, params) in params.mechanics.suspensions.iter_mut().enumerate() {
        let lean = if wheel % 2 == 0 { camber } else { -camber };
        params.wheel_attachment.rotation =
            Rotation::from_axis_angle(SAMPLE_FRAME.longitudinal(), lean);
    }
    for wheel in &mut params.mechanics.wheels {
        wheel.shoulder_radius = roundness * wheel.half_width;
    }
    let mut car = car_with(world, params, SAMPLE_REST_HEIGHT);
    car.road.shape = RoadQueryShape::Cylinder;
    car
}

#[test]
fn round_wheels_rest_and_drive_as_cylinders_on_level_ground() {
    let trip = |roundness| {
        let mut world = level_world(DT, 1.0);
        let mut car = car(&mut world, roundness, 0.0);
        car.vehicle.commands.brakes[0] = 1.0;
        assert_eq!(drive(&mut world, &mut car, 3.0), Activity::Asleep, "{roundness}");
        let height = world.bodies[car.actor.body].translation().y;
        car.vehicle.commands.brakes[0] = 0.0;
        car.vehicle.commands.throttle = 0.3;
        drive(&mut world, &mut car, 4.0);
        (height, world.bodies[car.actor.body].translation().z)
    };
    let (height, distance) = trip(0.0);
    for roundness in [0.4, 1.0] {
        let (round_height, round_distance) = trip(roundness);
        let error = (round_height - height).abs();
        // The springs are not quite the same left and right: the car leans by 3 mrad, and with it
        // its cylinders stand on their edges, H sin(lean) higher.
        assert!(error < 5e-4, "{roundness}: {round_height} m high, a cylinder {height} m");
        // The tread's middle is flat as long as the car does not roll.
        let error = (round_distance / distance - 1.0).abs();
        assert!(error < 1e-3, "{roundness}: {round_distance} m, a cylinder {distance} m");
    }
}

#[test]
fn camber_lowers_a_car_on_round_wheels_and_lifts_it_on_cylinders() {
    let rest = |roundness, camber| {
        let mut world = level_world(DT, 1.0);
        let mut car = car(&mut world, roundness, camber);
        car.vehicle.commands.brakes[0] = 1.0;
        drive(&mut world, &mut car, 3.0);
        world.bodies[car.actor.body].translation().y
    };
    let wheel = sample_direct_drive().expect("valid data").mechanics.wheels[0];
    for roundness in [0.0, 0.5, 1.0] {
        let round = roundness * wheel.half_width;
        let upright = rest(roundness, 0.0);
        for camber in [-0.1_f32, -0.05, 0.05, 0.1] {
            let reach = (wheel.radius - round) * camber.cos()
                + (wheel.half_width - round) * camber.sin().abs()
                + round;
            let (lift, expected) = (rest(roundness, camber) - upright, reach - wheel.radius);
            let what = format!("roundness {roundness}, camber {camber} rad");
            assert!((lift - expected).abs() < 5e-4, "{what}: {lift} m, expected {expected} m");
        }
    }
}
