//! What it costs a wheel to find its road: a ray and sweeps, on grounds of every kind.

use std::time::Duration;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use rapier3d::prelude::*;
use vehicle_rapier::core::road_geometry::{RoadProbe, RoadSurface};
use vehicle_rapier::core::suspension::WheelTravel;
use vehicle_rapier::{RapierRoad, RoadQueryParams, RoadQueryShape, RoadResources, SmoothMesh};

/// Half of the width of the grounds (m).
const HALF_WIDTH: Real = 128.0;
/// Wheels that are probed in turn, at places all over the ground.
const WHEELS: usize = 1_024;

/// Gentle hills: height at a place (m).
fn height(x: Real, z: Real) -> Real {
    0.5 * (0.1 * x).sin() * (0.13 * z).cos()
}

/// A grid of `count`² cells over the ground: the place of its point (`row`, `column`) (m).
fn grid_point(count: usize, row: usize, column: usize) -> Vector {
    let along = |index: usize| HALF_WIDTH * (2.0 * index as Real / count as Real - 1.0);
    let (x, z) = (along(column), along(row));
    Vector::new(x, height(x, z), z)
}

fn cuboid() -> ColliderBuilder {
    ColliderBuilder::cuboid(HALF_WIDTH, 1.0, HALF_WIDTH).translation(Vector::NEG_Y)
}

fn height_field() -> ColliderBuilder {
    let count = 256;
    let heights = Array2::new(
        count + 1,
        count + 1,
        // Column by column.
        (0..=count)
            .flat_map(|column| (0..=count).map(move |row| grid_point(count, row, column).y))
            .collect(),
    );
    ColliderBuilder::heightfield(heights, Vector::new(2.0 * HALF_WIDTH, 1.0, 2.0 * HALF_WIDTH))
}

/// A mesh of 224² squares: 100,352 triangles.
fn mesh() -> ColliderBuilder {
    let count = 224;
    let row_length = count as u32 + 1;
    let vertices = (0..=count)
        .flat_map(|row| (0..=count).map(move |column| grid_point(count, row, column)))
        .collect();
    let square = |index: u32| {
        let first = index / count as u32 * row_length + index % count as u32;
        let next = first + row_length;
        [[first, next, first + 1], [first + 1, next, next + 1]]
    };
    let triangles = (0..(count * count) as u32).flat_map(square).collect();
    ColliderBuilder::trimesh(vertices, triangles).expect("a mesh")
}

/// Boxes of 1 m that float over the cuboid, out of the way of the wheels.
fn boxes() -> impl Iterator<Item = ColliderBuilder> {
    (0..1_000).map(|index| {
        let (row, column) = ((index / 32) as Real, (index % 32) as Real);
        let at = Vector::new(8.0 * column - HALF_WIDTH, 2.5, 8.0 * row - HALF_WIDTH);
        ColliderBuilder::cuboid(0.5, 0.5, 0.5).translation(at)
    })
}

fn world(ground: ColliderBuilder) -> PhysicsWorld {
    let mut world = PhysicsWorld::new();
    world.insert_collider(ground, None);
    world.step();
    world
}

fn crowded_world() -> PhysicsWorld {
    let mut world = world(cuboid());
    for one in boxes() {
        world.insert(RigidBodyBuilder::dynamic().gravity_scale(0.0), one);
    }
    world.step();
    world
}

/// Wheels at places all over the ground, compressed by half.
fn probes(is_hilly: bool) -> Vec<RoadProbe> {
    let probe = |index: usize| {
        let along = |step: usize| 0.9 * HALF_WIDTH * ((index * step % 997) as Real / 498.5 - 1.0);
        let (x, z) = (along(383), along(71));
        let ground = if is_hilly { height(x, z) } else { 0.0 };
        let travel = WheelTravel {
            pose: Pose::from_translation(Vector::new(x, ground + 0.45, z)),
            direction: Vector::NEG_Y,
            distance: 0.2,
            radius: 0.35,
            half_width: 0.12,
            shoulder_radius: 0.0,
        };
        RoadProbe { wheel: index % 4, tire_kind: 0, travel }
    };
    (0..WHEELS).map(probe).collect()
}

fn bench(
    criterion: &mut Criterion,
    name: &str,
    world: &PhysicsWorld,
    probes: &[RoadProbe],
    resources: &RoadResources,
) {
    let mut group = criterion.benchmark_group("road query");
    group.measurement_time(Duration::from_secs(2)).warm_up_time(Duration::from_millis(300));
    group.sample_size(20);
    let queries = [
        ("ray", RoadQueryShape::Ray, 0.0),
        ("sweep", RoadQueryShape::Cylinder, 0.0),
        ("round sweep", RoadQueryShape::Cylinder, 0.06),
    ];
    for (query, shape, shoulder_radius) in queries {
        let with_shoulders = |probe: &RoadProbe| {
            let travel = WheelTravel { shoulder_radius, ..probe.travel };
            RoadProbe { travel, ..*probe }
        };
        let probes: Vec<_> = probes.iter().map(with_shoulders).collect();
        let params = RoadQueryParams { shape, ..RoadQueryParams::default() };
        let road = RapierRoad::new(
            &params,
            RigidBodyHandle::invalid(),
            &world.bodies,
            &world.colliders,
            &world.broad_phase,
            &world.narrow_phase,
        )
        .with_resources(resources);
        assert!(probes.iter().all(|probe| road.probe(probe).is_some()), "{name}, {query}");
        let mut turn = probes.iter().cycle();
        group.bench_function(BenchmarkId::new(query, name), |bencher| {
            bencher.iter(|| turn.next().and_then(|probe| road.probe(probe)));
        });
    }
    group.finish();
}

fn queries(criterion: &mut Criterion) {
    let none = RoadResources::default();
    bench(criterion, "cuboid", &world(cuboid()), &probes(false), &none);
    bench(criterion, "height field", &world(height_field()), &probes(true), &none);
    let on_mesh = world(mesh());
    bench(criterion, "mesh", &on_mesh, &probes(true), &none);
    let meshes = on_mesh.colliders.iter();
    let smooth = meshes.filter_map(|(handle, _)| SmoothMesh::new(handle, &on_mesh.colliders).ok());
    let smooth = RoadResources { smooth_meshes: smooth.collect(), ..RoadResources::default() };
    bench(criterion, "smooth mesh", &on_mesh, &probes(true), &smooth);
    bench(criterion, "1,000 bodies", &crowded_world(), &probes(false), &none);
}

criterion_group!(benches, queries);
criterion_main!(benches);
