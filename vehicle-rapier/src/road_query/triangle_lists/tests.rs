//! Looks with lists have the bits of looks without, whatever the ground is and whatever happens to
//! it.

use rapier3d::prelude::*;
use vehicle_core::math::lanes::{Lanes, MAX_LANES, Mask4};
use vehicle_core::rigid_body::RigidBodyState;
use vehicle_core::road_geometry::{FourProbes, RoadContact, RoadContacts, RoadSurface};
use vehicle_core::suspension::{WheelTravel, wheel_travel};
use vehicle_core::vehicle::ReadVehicle;

use super::*;
use crate::road_query::{RapierRoad, RoadQueryShape};
use crate::vehicle_file::{AnyRapierVehicle, AnyVehicle};

const DT: Real = 1.0 / 60.0;
const STEPS: usize = 150;

/// Height of gentle hills (m).
fn height(x: Real, z: Real) -> Real {
    0.2 * (0.35 * x).sin() * (0.3 * z).cos()
}

/// A mesh of squares of `size` (m) from -`half` to `half` (m) in x and from `near` to `far` in z.
fn mesh(size: Real, half: Real, [near, far]: [Real; 2]) -> ColliderBuilder {
    let (columns, rows) = ((2.0 * half / size) as u32, ((far - near) / size) as u32);
    let point = |row: u32, column: u32| {
        let (x, z) = (size * column as Real - half, near + size * row as Real);
        Vector::new(x, height(x, z), z)
    };
    let vertices = (0..=rows).flat_map(|row| (0..=columns).map(move |column| point(row, column)));
    let square = |row: u32, column: u32| {
        let first = row * (columns + 1) + column;
        let next = first + columns + 1;
        [[first, next, first + 1], [first + 1, next, next + 1]]
    };
    let triangles =
        (0..rows).flat_map(|row| (0..columns).flat_map(move |column| square(row, column)));
    ColliderBuilder::trimesh(vertices.collect(), triangles.collect()).expect("a mesh").friction(1.0)
}

fn field() -> ColliderBuilder {
    let count = 60;
    let at = |index: usize| 80.0 * (index as Real / count as Real - 0.5);
    let heights = (0..=count)
        .flat_map(|column| (0..=count).map(move |row| height(at(column), at(row))))
        .collect();
    let heights = Array2::new(count + 1, count + 1, heights);
    ColliderBuilder::heightfield(heights, Vector::new(80.0, 1.0, 80.0)).friction(1.0)
}

fn floor() -> ColliderBuilder {
    ColliderBuilder::cuboid(200.0, 1.0, 200.0).translation(Vector::Y * -1.5).friction(1.0)
}

/// The paths of the wheels of `car` in its next step, by fours.
fn probes(car: &AnyRapierVehicle, bodies: &RigidBodySet) -> Vec<FourProbes> {
    let vehicle = &car.vehicle;
    let place = *bodies[car.body()].position() * car.actor.center_of_mass;
    let (start, frame) = (RigidBodyState::at_rest(place), car.params.coordinates.frame);
    let count = vehicle.axles().wheel_count();
    let four = |first: usize| {
        let travel = WheelTravel::from_lanes(|lane| {
            let wheel = (first + lane).min(count - 1);
            let (mount, params) = (vehicle.suspension_params(wheel), vehicle.wheel_params(wheel));
            let travel = wheel_travel(mount, params, &start, vehicle.steer_angle(wheel), &frame);
            let jounce = vehicle.suspension_state(wheel).compression.jounce.unwrap_or(0.0);
            if vehicle.has_unsprung_masses() {
                travel.below(travel.distance - jounce)
            } else {
                travel
            }
        });
        let asks = Mask4::from_lanes(|lane| first + lane < count);
        FourProbes { first, asks, tire_kinds: [0; MAX_LANES], travel }
    };
    (0..count).step_by(MAX_LANES).map(four).collect()
}

/// What the wheels of `car` find with its lists, or without.
fn look(
    car: &AnyRapierVehicle,
    world: &PhysicsWorld,
    lists: Option<&Cell<TriangleLists>>,
) -> Vec<Option<RoadContact>> {
    let probes = probes(car, &world.bodies);
    let road = RapierRoad::new(
        &car.road,
        car.body(),
        &world.bodies,
        &world.colliders,
        &world.broad_phase,
        &world.narrow_phase,
    )
    .for_wheels_with_mass(car.vehicle.has_unsprung_masses());
    let road = match lists {
        Some(lists) => road.with_triangles(lists, car.wheel_count()),
        None => road,
    };
    let mut roads = vec![RoadContacts::default(); probes.len()];
    road.probe_fours(&probes, &mut roads);
    roads.iter().flat_map(|four| (0..MAX_LANES).map(|lane| four.lane(lane))).collect()
}

/// Drives a car over a ground that `edit` changes before each step, and compares all looks.
/// Returns how many of its lists fitted, of all looks of a wheel.
fn compare(
    what: &str,
    preset: &str,
    shape: RoadQueryShape,
    grounds: Vec<ColliderBuilder>,
    mut edit: impl FnMut(usize, &mut PhysicsWorld),
) -> Real {
    let mut world = PhysicsWorld::new();
    world.integration_parameters.dt = DT;
    for ground in grounds {
        let platform = RigidBodyBuilder::kinematic_velocity_based();
        world.insert(platform, ground);
    }
    let model = AnyVehicle::preset(preset).expect("a preset");
    let height = Vector::Y * (model.standing_height(9.81) + 0.3);
    let mut car = model.insert(&mut world, Pose::from_translation(height));
    car.road.shape = shape;
    world.bodies[car.body()].set_linvel(Vector::Z * 5.0, true);
    world.detect_collisions(&(), &());
    car.commands_mut().throttle = 0.4;
    let (mut known, mut all, mut found) = (0, 0, 0);
    for step in 0..STEPS {
        edit(step, &mut world);
        let lists = Cell::new(car.triangles.clone());
        let fits = |lists: &TriangleLists| {
            let lists = lists.0.iter().flat_map(|kept| &kept.wheels).flat_map(|wheel| &wheel.0);
            let regions =
                lists.map(|list| (list.region.bounds, list.is_crowded)).collect::<Vec<_>>();
            format!("{regions:?}")
        };
        let before = fits(&car.triangles);
        let (with, without) = (look(&car, &world, Some(&lists)), look(&car, &world, None));
        assert_eq!(format!("{with:?}"), format!("{without:?}"), "{what}, {shape:?}, step {step}");
        found += with.iter().flatten().count();
        known += usize::from(!before.is_empty() && before == fits(&lists.into_inner()));
        all += 1;
        car.update(&mut world).expect("the car can be driven");
        world.step();
    }
    assert!(STEPS < found, "{what}, {shape:?}: {found} roads found");
    known as Real / all as Real
}

const SHAPES: [RoadQueryShape; 2] = [RoadQueryShape::Ray, RoadQueryShape::Cylinder];

#[test]
fn looks_on_all_grounds_have_the_same_bits_with_lists() {
    for shape in SHAPES {
        for preset in ["hot_hatch", "truck_6x6"] {
            let still = |_: usize, _: &mut PhysicsWorld| {};
            let long = [-40.0, 40.0];
            let known = compare("mesh", preset, shape, vec![mesh(1.0, 20.0, long)], still);
            assert!(0.5 < known, "{shape:?}: lists fit in {known} of all steps");
            compare("fine mesh", preset, shape, vec![mesh(0.1, 4.0, [-4.0, 20.0])], still);
            compare("height field", preset, shape, vec![field()], still);
            compare("box", preset, shape, vec![floor()], still);
            let chunks = [[-40.0, 2.0], [2.0, 4.0], [4.0, 9.0], [9.0, 40.0]];
            let mut chunks: Vec<_> = chunks.map(|ends| mesh(1.0, 20.0, ends)).into();
            chunks.push(floor());
            compare("chunks", preset, shape, chunks, still);
        }
    }
}

#[test]
fn looks_on_what_moves_and_changes_have_the_same_bits_with_lists() {
    for shape in SHAPES {
        let ground = || vec![mesh(1.0, 20.0, [-40.0, 40.0]), floor()];
        let first = |world: &PhysicsWorld| {
            world
                .colliders
                .iter()
                .find(|(_, one)| one.shape().as_trimesh().is_some())
                .expect("it")
                .0
        };
        compare("a platform", "hot_hatch", shape, ground(), |_, world| {
            for (_, body) in world.bodies.iter_mut().filter(|(_, body)| body.is_kinematic()) {
                body.set_linvel(Vector::new(0.5, 0.2, -3.0), true);
                body.set_angvel(Vector::Y * 0.3, true);
            }
        });
        compare("edited in place", "hot_hatch", shape, ground(), |step, world| {
            let handle = first(world);
            if step % 7 == 3 {
                let shape = world.colliders[handle].shape_mut();
                let mesh = shape.as_trimesh_mut().expect("a mesh");
                let lift = 0.02 * (step % 3) as Real;
                mesh.update_vertices(|all| all.iter_mut().for_each(|one| one.y += lift - 0.02));
            }
        });
        compare("another shape", "hot_hatch", shape, ground(), |step, world| {
            let handle = first(world);
            if step % 20 == 10 {
                let other = mesh([0.7, 1.3][step / 20 % 2], 20.0, [-40.0, 40.0]).build();
                world.colliders[handle].set_shape(other.shared_shape().clone());
            }
        });
        let mut spare = None;
        compare("removed", "hot_hatch", shape, ground(), |step, world| {
            if step == 60 {
                let handle = first(world);
                spare = world.remove_collider(handle);
                world.detect_collisions(&(), &());
            } else if let (80, Some(mesh)) = (step, spare.take_if(|_| step == 80)) {
                world.insert_collider(mesh, None);
                world.detect_collisions(&(), &());
            }
        });
    }
}

#[test]
fn lists_do_not_keep_the_meshes_that_they_are_of() {
    let shape = mesh(1.0, 5.0, [-5.0, 5.0]).build().shared_shape().clone();
    let lists = Cell::new(TriangleLists::default());
    let near = NearTriangles::new(&lists, 4);
    let bounds = Aabb::new(Vector::splat(-0.2), Vector::splat(0.2));
    let mesh = shape.as_trimesh().expect("a mesh");
    let count = near.look((2, LookFor::Road), (&shape, mesh), &bounds, |near| {
        near.map_or(0, |near| near.triangles().len())
    });
    assert!(0 < count && count < MAX_TRIANGLES, "{count} triangles");
    assert_eq!(Arc::strong_count(&shape.0), 1);
    assert_eq!(Arc::weak_count(&shape.0), 1);
}

#[test]
fn looks_that_are_not_finite_keep_nothing() {
    let shape = mesh(1.0, 5.0, [-5.0, 5.0]).build().shared_shape().clone();
    let mut wheel = WheelTriangles::default();
    let mesh = shape.as_trimesh().expect("a mesh");
    let bounds = Aabb::new(Vector::NAN, Vector::ONE);
    assert!(wheel.near((&shape, mesh), &bounds, LookFor::Road).is_none());
    assert_eq!(Arc::weak_count(&shape.0), 0);
}

#[test]
fn slopes_are_those_of_the_steepest_triangle_or_more() {
    let shape = mesh(1.0, 20.0, [-20.0, 20.0]).build().shared_shape().clone();
    let mesh = shape.as_trimesh().expect("a mesh");
    let up = Vector::new(0.1, 1.0, -0.2).normalize();
    for place in [-15.0, -3.0, 0.0, 2.0, 11.0] {
        let mut wheel = WheelTriangles::default();
        let bounds = Aabb::from_half_extents(
            Vector::splat(place) * Vector::new(1.0, 0.0, 1.0),
            Vector::splat(0.5),
        );
        let list = wheel.near((&shape, mesh), &bounds, LookFor::Obstacle).expect("a list");
        let normals = list.triangles().iter().filter_map(|&id| mesh.triangle(id).normal());
        let least = normals.map(|normal| normal.dot(up).abs()).fold(1.0, Real::min);
        assert!(!list.is_turned_less(up, least), "{place} m: {least}");
        assert!(list.is_turned_less(up, 0.8), "{place} m: {least}");
    }
}

#[test]
fn slopes_around_four_wheels_are_kept_while_they_look_within_and_the_mesh_is_the_same() {
    let shape = mesh(1.0, 20.0, [-20.0, 20.0]).build().shared_shape().clone();
    let lists = Cell::new(TriangleLists::default());
    let near = NearTriangles::new(&lists, 6);
    let mesh_of = |shape: &SharedShape, four: usize, place: Real, cosine: Real| {
        let half = Vector::new(0.8, 0.5, 1.4);
        let bounds = Aabb::from_half_extents(Vector::Z * place, half);
        let mesh = shape.as_trimesh().expect("a mesh");
        near.are_turned_less(four, (shape, mesh), &bounds, (&[Vector::Y; 2], cosine))
    };
    for place in [0.0, 0.2, 0.4, 5.0] {
        assert!(mesh_of(&shape, 1, place, 0.7), "{place} m");
        assert!(!mesh_of(&shape, 1, place, 0.9999), "{place} m");
    }
    // Hills are no steeper than that, but a wall stands among them.
    let wall = [[-5.0, 0.0], [0.0, 0.0], [0.0, 1.0], [5.0, 1.0]];
    let points = wall.into_iter().flat_map(|[z, y]| [-5.0, 5.0].map(|x| Vector::new(x, y, z)));
    let strip = [[0, 1, 2], [2, 1, 3], [2, 3, 4], [4, 3, 5], [4, 5, 6], [6, 5, 7]];
    let stepped = SharedShape::trimesh(points.collect(), strip.to_vec()).expect("a mesh");
    assert!(mesh_of(&shape, 0, 0.0, 0.7) && !mesh_of(&stepped, 0, 0.0, 0.7));
    assert!(mesh_of(&shape, 0, 0.0, 0.7), "the wall is another mesh's");
    // Fine triangles are left to each wheel, and what is not finite to nobody.
    let fine = mesh(0.1, 5.0, [-5.0, 5.0]).build().shared_shape().clone();
    assert!(!mesh_of(&fine, 0, 0.0, 0.7));
    assert!(!mesh_of(&fine, 0, Real::NAN, 0.7));
}
