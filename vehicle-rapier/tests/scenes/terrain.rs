//! Terrains: height fields that are edited under wheels, with holes and with materials of cells,
//! and rough grounds.

use crate::common::grounds::world_of;
use rapier3d::parry::shape::HeightFieldCellStatus;
use rapier3d::prelude::*;
use snippets::noise::Noise;
use vehicle_rapier::core::Frame;
use vehicle_rapier::core::road_geometry::{
    RoadContact, RoadProbe, RoadSurface, RoughRoad, RoughSurface, RoughnessClass,
};
use vehicle_rapier::core::suspension::WheelTravel;
use vehicle_rapier::vehicle_file::AnyVehicle;
use vehicle_rapier::{
    FrictionTable, RapierRoad, RoadQueryParams, RoadQueryShape, RoadResources, RoughGround,
    SmoothMesh,
};

const CELLS: usize = 12;
const SHAPES: [RoadQueryShape; 2] = [RoadQueryShape::Ray, RoadQueryShape::Cylinder];

/// A height field of cells of 1 m, about the origin, with this `height` of each corner (m).
fn field(mut height: impl FnMut(usize, usize) -> Real) -> HeightField {
    let corners = (0..=CELLS).flat_map(|column| (0..=CELLS).map(move |row| (row, column)));
    let heights = corners.map(|(row, column)| height(row, column)).collect();
    let heights = Array2::new(CELLS + 1, CELLS + 1, heights);
    HeightField::new(heights, Vector::new(CELLS as Real, 1.0, CELLS as Real))
}

fn world_with(field: HeightField) -> (PhysicsWorld, ColliderHandle) {
    let ground = ColliderBuilder::new(SharedShape::new(field)).friction(0.9);
    let world = world_of([ground]);
    let handle = world.colliders.iter().next().expect("the ground").0;
    (world, handle)
}

fn look(
    world: &PhysicsWorld,
    params: &RoadQueryParams,
    resources: &RoadResources,
    place: Vector,
) -> Option<RoadContact> {
    let probe = probe_at(place);
    let none = RigidBodyHandle::invalid();
    let (bodies, colliders) = (&world.bodies, &world.colliders);
    RapierRoad::new(params, none, bodies, colliders, &world.broad_phase, &world.narrow_phase)
        .with_resources(resources)
        .probe(&probe)
}

/// A wheel whose center at full compression is at `place` (m).
fn probe_at(place: Vector) -> RoadProbe {
    let travel = WheelTravel {
        pose: Pose::from_translation(place),
        direction: Vector::NEG_Y,
        distance: 0.3,
        radius: 0.35,
        half_width: 0.1,
        shoulder_radius: 0.0,
    };
    RoadProbe { wheel: 0, tire_kind: 0, travel }
}

/// The middle of a cell, raised by `height` (m).
fn middle(row: usize, column: usize, height: Real) -> Vector {
    let half = 0.5 * CELLS as Real;
    Vector::new(column as Real + 0.5 - half, height, row as Real + 0.5 - half)
}

#[test]
fn removed_cells_are_no_road_also_where_the_field_is_smooth() {
    let mut holes = field(|_, _| 0.0);
    holes.set_cell_status(4, 7, HeightFieldCellStatus::CELL_REMOVED);
    let (world, handle) = world_with(holes);
    let smooth = SmoothMesh::new(handle, &world.colliders).expect("a height field");
    let smooth = RoadResources { smooth_meshes: vec![smooth], ..RoadResources::default() };
    for resources in [&RoadResources::default(), &smooth] {
        for shape in SHAPES {
            let params = RoadQueryParams { shape, ..RoadQueryParams::default() };
            let find = |row, column| look(&world, &params, resources, middle(row, column, 0.5));
            assert_eq!(find(4, 7), None, "{shape:?}");
            for (row, column) in [(3, 7), (5, 7), (4, 6), (4, 8), (7, 4)] {
                assert!(find(row, column).is_some(), "{shape:?}, {row}, {column}");
            }
        }
    }
}

#[test]
fn cells_have_materials_and_their_friction() {
    const MUD: u128 = 5;
    let (world, handle) = world_with(field(|_, _| 0.0));
    let friction = FrictionTable::default().with_surface(MUD, 0.4).with_cells(
        handle,
        [CELLS, CELLS],
        |row, column| {
            if row == 2 && column != 5 { MUD } else { 0 }
        },
    );
    for shape in SHAPES {
        let params =
            RoadQueryParams { shape, friction: friction.clone(), ..RoadQueryParams::default() };
        for row in 1..4 {
            for column in 3..7 {
                // Both triangles of the cell.
                for beside in [Vector::new(0.3, 0.0, 0.2), Vector::new(-0.3, 0.0, -0.2)] {
                    let place = middle(row, column, 0.5) + beside;
                    let found = look(&world, &params, &RoadResources::default(), place);
                    let found = found.expect("a road");
                    let is_mud = row == 2 && column != 5;
                    let expected = if is_mud { (0.4, MUD) } else { (0.9, 0) };
                    let what = format!("{shape:?}, row {row}, column {column}");
                    assert_eq!((found.friction, found.material.into()), expected, "{what}");
                }
            }
        }
    }
}

#[test]
fn smooth_cells_that_are_updated_are_those_of_the_field_made_anew() {
    let mut noise = Noise(9);
    let mut heights = vec![0.0; (CELLS + 1) * (CELLS + 1)];
    heights.fill_with(|| noise.within(-0.05, 0.05));
    let at = |heights: &[Real], row: usize, column: usize| heights[column * (CELLS + 1) + row];
    let (mut world, handle) = world_with(field(|row, column| at(&heights, row, column)));
    let before = SmoothMesh::new(handle, &world.colliders).expect("a height field");
    let mut updated = before.clone();
    // Corners of rows 5 to 7 and columns 3 and 4 are lifted: cells of rows 4 to 7, columns 2 to 4.
    for column in 3..=4 {
        for row in 5..=7 {
            heights[column * (CELLS + 1) + row] += 0.04;
        }
    }
    let edited = SharedShape::new(field(|row, column| at(&heights, row, column)));
    world.colliders[handle].set_shape(edited);
    updated.update_cells(&world.colliders, 4..8, 2..5).expect("its field");
    let anew = SmoothMesh::new(handle, &world.colliders).expect("a height field");
    let with = |mesh: &SmoothMesh| RoadResources {
        smooth_meshes: vec![mesh.clone()],
        ..RoadResources::default()
    };
    let all = [&before, &updated, &anew].map(with);
    let mut differ = 0;
    for _ in 0..2_000 {
        let place = noise.vector(5.9) * Vector::new(1.0, 0.0, 1.0) + Vector::Y * 0.5;
        let [before, updated, anew] = [0, 1, 2].map(|index: usize| {
            look(&world, &RoadQueryParams::default(), &all[index], place).expect("a road")
        });
        assert_eq!(updated, anew, "{place}");
        differ += usize::from(before != anew);
    }
    assert!(100 < differ, "{differ}");
    let error = |rows: std::ops::Range<usize>| {
        let mut mesh = updated.clone();
        mesh.update_cells(&world.colliders, rows, 0..1).unwrap_err().to_string()
    };
    assert_eq!(
        error(3..13),
        "rows 3..13 and columns 0..1 must be cells of the 12 × 12 of the field"
    );
}

#[test]
fn a_terrain_that_is_edited_under_wheels_is_seen_at_the_next_step() {
    let mut world = PhysicsWorld::new();
    world.integration_parameters.dt = 1.0 / 60.0;
    let level = SharedShape::new(field(|_, _| 0.0));
    let ground = world.insert_collider(ColliderBuilder::new(level).friction(1.0), None);
    world.detect_collisions(&(), &());
    let model = AnyVehicle::preset("hot_hatch").expect("a preset");
    let place = Vector::Y * model.standing_height(9.81);
    let mut car = model.insert(&mut world, Pose::from_translation(place));
    car.commands_mut().brakes[0] = 1.0;
    for _ in 0..300 {
        car.step(&mut world).expect("the car can be driven");
    }
    assert!(world.bodies[car.body()].is_sleeping(), "it rests");
    for depth in [0.008, 0.016, 0.024] {
        let edited = SharedShape::new(field(|_, _| -depth));
        world.colliders[ground].set_shape(edited);
        car.step(&mut world).expect("the car can be driven");
        let roads = &car.mechanics().state.roads;
        for wheel in 0..4 {
            let found = roads.of(wheel).expect("a road").plane.offset;
            assert!((found - depth).abs() < 1e-3, "wheel {wheel}: {found} m, not {depth} m");
        }
    }
}

/// A rough ground of 12 by 20 m.
fn rough(spacing: Real) -> RoughGround {
    let surface = RoughSurface::new(&RoughnessClass::D.road(11));
    RoughGround { surface, size: [12.0, 20.0], spacing }
}

#[test]
fn grounds_are_the_surface_of_the_core() {
    let ground = rough(0.05);
    let formula = RoughRoad { surface: ground.surface.clone(), frame: Frame::Y_UP, friction: 0.5 };
    let forms = [("field", ground.height_field()), ("mesh", ground.mesh())];
    for (form, collider) in forms {
        let mut world = PhysicsWorld::new();
        world.insert_collider(collider.expect("a ground"), None);
        world.detect_collisions(&(), &());
        for index in 0..100 {
            let place = Vector::new(0.11 * index as Real - 5.6, 0.5, 9.1 - 0.18 * index as Real);
            let (params, none) = (RoadQueryParams::default(), RoadResources::default());
            let found = look(&world, &params, &none, place).expect("a road");
            let found = found.plane.distance(place);
            let expected = formula.probe(&probe_at(place)).expect("a road").plane.distance(place);
            assert!((found - expected).abs() < 3e-3, "{form}, {place}: {found}, {expected} m");
        }
    }
}

#[test]
fn faults_are_named_before_memory_is_taken() {
    let error = rough(0.0).height_field().map(|_| ()).unwrap_err().to_string();
    assert!(error.starts_with("spacing must be positive and finite, got 0"), "{error}");
    let error = rough(1e-4).mesh().map(|_| ()).unwrap_err().to_string();
    assert!(error.contains("at most 16000000 cells, got 0.0001"), "{error}");
}
