//! Roads of every size and shape: large boxes and their edges, the edges between triangles, height
//! fields.

use crate::common::grounds::{block, world_of};
use rapier3d::parry::shape::HeightFieldCellStatus;
use rapier3d::prelude::*;
use snippets::noise::Noise;
use snippets::presets;
use vehicle_rapier::core::context::GRAVITY;
use vehicle_rapier::core::road_geometry::{RoadContact, RoadProbe, RoadSurface};
use vehicle_rapier::core::suspension::WheelTravel;
use vehicle_rapier::drivetrain::blocks::Selector;
use vehicle_rapier::vehicle_file::{AnyRapierVehicle, AnyVehicle};
use vehicle_rapier::{RapierRoad, RoadQueryParams, RoadQueryShape, RoadResources, SmoothMesh};

const SHAPES: [RoadQueryShape; 2] = [RoadQueryShape::Ray, RoadQueryShape::Cylinder];
const RADIUS: Real = 0.35;
const DISTANCE: Real = 0.3;

/// A wheel, its center at full compression at `center` (m), turned by `rotation`.
fn wheel(center: Vector, rotation: Rotation, shoulder_radius: Real) -> RoadProbe {
    let travel = WheelTravel {
        pose: Pose::from_parts(center, rotation),
        direction: rotation * Vector::NEG_Y,
        distance: DISTANCE,
        radius: RADIUS,
        half_width: 0.12,
        shoulder_radius,
    };
    RoadProbe { wheel: 0, tire_kind: 0, travel }
}

fn road_with(
    world: &PhysicsWorld,
    shape: RoadQueryShape,
    resources: &RoadResources,
    probe: &RoadProbe,
) -> Option<RoadContact> {
    let params = RoadQueryParams { shape, ..RoadQueryParams::default() };
    let none = RigidBodyHandle::invalid();
    let (bodies, colliders) = (&world.bodies, &world.colliders);
    RapierRoad::new(&params, none, bodies, colliders, &world.broad_phase, &world.narrow_phase)
        .with_resources(resources)
        .probe(probe)
}

fn road(world: &PhysicsWorld, shape: RoadQueryShape, probe: &RoadProbe) -> Option<RoadContact> {
    road_with(world, shape, &RoadResources::default(), probe)
}

#[test]
fn swept_wheels_find_the_top_of_any_box_where_it_is() {
    let turns =
        [Rotation::IDENTITY, Rotation::from_rotation_z(0.2) * Rotation::from_rotation_y(0.7)];
    let (mut noise, place) = (Noise(5), Vector::new(3.0, 7.0, -2.0));
    for (size, tolerance) in [(0.1, 1e-5), (5.0, 1e-5), (200.0, 1e-4), (500.0, 2e-4), (5e3, 2e-3)] {
        for turn in turns {
            for half in [Vector::splat(size), Vector::new(size, 0.05, size)] {
                let up = turn * Vector::Y;
                let boxes = ColliderBuilder::cuboid(half.x, half.y, half.z)
                    .translation(place - up * half.y)
                    .rotation(turn.to_scaled_axis());
                // One alone, and the same as a part of a compound.
                let part = (
                    Pose::from_parts(place - up * half.y, turn),
                    SharedShape::new(Cuboid::new(half)),
                );
                let compound = ColliderBuilder::compound(vec![part]);
                for world in [world_of([boxes]), world_of([compound])] {
                    for case in 0..60 {
                        let beside = noise.vector(0.8 * size) * Vector::new(1.0, 0.0, 1.0);
                        let lean = Rotation::from_scaled_axis(noise.vector(0.2));
                        let center = place + turn * beside + up * noise.within(0.4, 0.6);
                        let shoulder = [0.0, 0.05, 0.12][case % 3];
                        let found = road(
                            &world,
                            RoadQueryShape::Cylinder,
                            &wheel(center, lean * turn, shoulder),
                        );
                        let what = format!("{half}, turned by {turn}, case {case}: {found:?}");
                        if size < 1.0 {
                            // It may stand on an edge.
                            assert!(found.is_some(), "{what}");
                            continue;
                        }
                        let plane = found.expect(&what).plane;
                        assert!(plane.normal.distance(up) < 1e-6, "{what}");
                        let gap = plane.distance(place);
                        assert!(gap.abs() < tolerance, "{what}: {gap} m");
                    }
                }
            }
        }
    }
}

#[test]
fn swept_wheels_roll_over_the_edge_of_a_box_as_over_the_formula() {
    // The edge along the axle: the wheel's center is on a circle about it.
    for size in [0.5, 50.0, 900.0] {
        let top = Vector::new(0.0, 0.0, size);
        let world = world_of([block(Vector::new(size, 0.1, size), top)]);
        let mut largest: Real = 0.0;
        for step in 0..400 {
            // As at 600 Hz and 0.5 m/s.
            let ahead = 8e-4 * step as Real * 0.5;
            let center = Vector::new(0.0, 0.5, -ahead);
            let probe = wheel(center, Rotation::IDENTITY, 0.05);
            let found = road(&world, RoadQueryShape::Cylinder, &probe).expect("an edge").plane;
            // The edge itself is in the plane, and the circle touches it there.
            let radial =
                Vector::new(0.0, (RADIUS * RADIUS - ahead * ahead).sqrt(), -ahead) / RADIUS;
            let error = found.normal.distance(radial);
            largest = largest.max(error).max(found.offset.abs());
        }
        let allowed = 1e-5 + 1e-7 * size;
        assert!(largest < allowed, "{size} m: {largest}");
    }
}

/// The preset `name`, swept, at rest on `ground`, whose top is at height 0.
fn swept(name: &str, rate: Real, ground: ColliderBuilder) -> (PhysicsWorld, AnyRapierVehicle) {
    let mut file = presets::vehicle(name).expect("no faults").file().clone();
    file.road_query = RoadQueryShape::Cylinder;
    let model = AnyVehicle::new(file, "").expect("no faults");
    let mut world = PhysicsWorld::new();
    world.integration_parameters.dt = 1.0 / rate;
    world.insert_collider(ground.friction(1.0), None);
    world.detect_collisions(&(), &());
    let pose = Pose::from_translation(Vector::Y * model.standing_height(GRAVITY));
    let vehicle = model.insert(&mut world, pose);
    (world, vehicle)
}

#[test]
fn a_swept_motorcycle_parks_on_large_boxes() {
    for rate in [30.0, 60.0, 240.0] {
        for (half, depth) in [(450.0, 450.0), (900.0, 900.0), (900.0, 0.5)] {
            let ground = block(Vector::new(half, depth, half), Vector::ZERO);
            let (mut world, mut motorcycle) = swept("motorcycle", rate, ground);
            motorcycle.select(Selector::Neutral);
            motorcycle.commands_mut().brakes = [0.0, 1.0];
            let mut run = |seconds: Real| {
                for _ in 0..(seconds * rate) as usize {
                    motorcycle.step(&mut world).expect("it can be ridden");
                }
                let body = &world.bodies[motorcycle.body()];
                (body.center_of_mass(), body.is_sleeping())
            };
            let (before, _) = run(4.0);
            let (after, sleeps) = run(6.0);
            let moved = after.distance(before);
            let what = format!("box of {half} m and {depth} m, {rate} Hz");
            assert!(moved < 1e-3, "{what}: it moves by {moved} m");
            assert!(sleeps, "{what}: it never sleeps");
        }
    }
}

#[test]
fn swept_karts_go_as_far_on_a_large_box_as_on_a_plane() {
    for name in ["kart", "rc_car"] {
        let way = |ground: ColliderBuilder| {
            let (mut world, mut kart) = swept(name, 60.0, ground);
            let start = world.bodies[kart.body()].center_of_mass();
            for step in 0..240 {
                kart.commands_mut().throttle = if 30 < step { 0.4 } else { 0.0 };
                kart.step(&mut world).expect("it can be driven");
            }
            world.bodies[kart.body()].center_of_mass().distance(start)
        };
        let on_plane = way(ColliderBuilder::new(SharedShape::halfspace(Vector::Y)));
        let on_box = way(block(Vector::splat(500.0), Vector::ZERO));
        assert!(1.0 < on_plane, "{name}: {on_plane} m");
        let lost = (on_box / on_plane - 1.0).abs();
        assert!(lost < 0.01, "{name}: {on_box} m on a box, {on_plane} m on a plane");
    }
}

/// A rough height field of 24 by 24 cells of 0.3 m, all kinds of halves, and the equal mesh.
fn rough_field(roughness: Real) -> HeightField {
    let mut noise = Noise(11);
    let heights = (0..25 * 25).map(|_| noise.within(-1.0, 1.0) * roughness).collect();
    let mut field = HeightField::new(Array2::new(25, 25, heights), Vector::new(7.2, 1.0, 7.2));
    for cell in 0..24 * 24 {
        if cell % 3 == 0 {
            let zigzag = HeightFieldCellStatus::ZIGZAG_SUBDIVISION;
            field.set_cell_status(cell / 24, cell % 24, zigzag);
        }
    }
    field
}

fn mesh_of(field: &HeightField) -> SharedShape {
    let (vertices, triangles) = field.to_trimesh();
    SharedShape::new(TriMesh::new(vertices, triangles).expect("a mesh"))
}

#[test]
fn no_wheel_falls_between_two_triangles() {
    let turns = [Vector::ZERO, Vector::new(0.1, 0.4, -0.2), Vector::new(0.0, 2.0, 0.3)];
    let places = [Vector::ZERO, Vector::new(731.7, 13.1, -411.3)];
    for (turn, place) in turns.into_iter().flat_map(|turn| places.map(|place| (turn, place))) {
        let field = rough_field(0.02);
        let grounds = [("mesh", mesh_of(&field)), ("field", SharedShape::new(field.clone()))];
        let pose = Pose::new(place, turn);
        for (kind, ground) in grounds {
            let world = world_of([ColliderBuilder::new(ground).position(pose)]);
            let ground = world.colliders.iter().next().expect("the ground").0;
            let smooth = SmoothMesh::new(ground, &world.colliders).expect("triangles");
            let smooth = RoadResources { smooth_meshes: vec![smooth], ..RoadResources::default() };
            for triangle in field.triangles() {
                let [a, b, c] = *triangle.vertices();
                // Corners, and points on edges and diagonals; not on the rim, where there is no
                // neighbor.
                for on_edge in [a, 0.5 * (a + b), 0.3 * b + 0.7 * c, 0.125 * c + 0.875 * a] {
                    if 3.59 < on_edge.abs().max_element() {
                        continue;
                    }
                    for tilt in [Vector::ZERO, Vector::new(0.2, 0.0, 0.1)] {
                        let rotation = pose.rotation * Rotation::from_scaled_axis(tilt);
                        let center = pose * on_edge + rotation * Vector::Y * 0.45;
                        let probe = wheel(center, rotation, 0.0);
                        let shapes: &[_] =
                            if tilt == Vector::ZERO { &SHAPES } else { &SHAPES[..1] };
                        for &shape in shapes {
                            let found = road_with(&world, shape, &smooth, &probe);
                            let what = format!("{kind}, {shape:?}, {pose:?}, {on_edge}, {tilt}");
                            let plane = found.expect(&what).plane;
                            let gap = plane.distance(pose * on_edge);
                            assert!(gap.abs() < 0.05, "{what}: {gap} m off");
                            let up = plane.normal.dot(pose.rotation * Vector::Y);
                            assert!(0.8 < up, "{what}: {plane:?}");
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn smooth_height_fields_are_smooth_as_the_equal_mesh() {
    let mut field = rough_field(0.02);
    // Holes of whole cells and of halves.
    for (cell, status) in [
        (100, HeightFieldCellStatus::CELL_REMOVED),
        (101, HeightFieldCellStatus::CELL_REMOVED),
        (280, HeightFieldCellStatus::LEFT_TRIANGLE_REMOVED),
        (301, HeightFieldCellStatus::RIGHT_TRIANGLE_REMOVED),
    ] {
        field.set_cell_status(cell / 24, cell % 24, status);
    }
    let on = |ground: SharedShape| {
        let world = world_of([ColliderBuilder::new(ground)]);
        let ground = world.colliders.iter().next().expect("the ground").0;
        let smooth = SmoothMesh::new(ground, &world.colliders).expect("triangles");
        let resources = RoadResources { smooth_meshes: vec![smooth], ..RoadResources::default() };
        (world, resources)
    };
    let ((of_mesh, smooth_mesh), (of_field, smooth_field)) =
        (on(mesh_of(&field)), on(SharedShape::new(field)));
    let mut noise = Noise(2);
    let (mut holes, mut rounded) = (0, 0);
    for case in 0..4000 {
        let center = noise.vector(3.5) * Vector::new(1.0, 0.0, 1.0) + Vector::Y * 0.45;
        let probe = wheel(center, Rotation::IDENTITY, 0.0);
        let find = |world, resources| {
            road_with(world, RoadQueryShape::Ray, resources, &probe).map(|road| road.plane)
        };
        let expected = find(&of_mesh, &smooth_mesh);
        let found = find(&of_field, &smooth_field);
        let what = format!("case {case}, {center}: {found:?}, {expected:?}");
        let (Some(expected), Some(found)) = (expected, found) else {
            assert_eq!(expected, found, "{what}");
            holes += 1;
            continue;
        };
        assert!(found.normal.distance(expected.normal) < 1e-3, "{what}");
        assert!(found.distance(center) - expected.distance(center) < 1e-4, "{what}");
        let flat = find(&of_field, &RoadResources::default()).expect("a road");
        rounded += usize::from(1e-3 < flat.normal.distance(found.normal));
    }
    assert!(5 < holes && 3000 < rounded, "{holes}, {rounded}");
}
