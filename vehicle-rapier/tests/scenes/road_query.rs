//! Where single wheels find the road: rays and sweeps, walls, solids, filters, friction.

use crate::common::grounds::{grounds, world_of};
use rapier3d::parry::query::intersection_test;
use rapier3d::prelude::*;
use snippets::scenes::strip;
use vehicle_rapier::core::Frame;
use vehicle_rapier::core::road_geometry::{RoadContact, RoadProbe, RoadSurface};
use vehicle_rapier::core::suspension::{
    Compression, ContactShape, JounceParams, WheelDrop, WheelTravel, suspension_compression,
};
use vehicle_rapier::{
    FrictionTable, RapierRoad, RoadFilter, RoadQueryParams, RoadQueryShape, RoadResources,
    SmoothMesh,
};

const SHAPES: [RoadQueryShape; 2] = [RoadQueryShape::Ray, RoadQueryShape::Cylinder];
const RADIUS: Real = 0.35;
const HALF_WIDTH: Real = 0.12;
const DISTANCE: Real = 0.3;

/// A wheel, its center at full compression at `center` (m), turned by `rotation`.
fn wheel(center: Vector, rotation: Rotation) -> RoadProbe {
    let travel = WheelTravel {
        pose: Pose::from_parts(center, rotation),
        direction: rotation * Vector::NEG_Y,
        distance: DISTANCE,
        radius: RADIUS,
        half_width: HALF_WIDTH,
        shoulder_radius: 0.0,
    };
    RoadProbe { wheel: 0, tire_kind: 0, travel }
}

fn upright(center: Vector) -> RoadProbe {
    wheel(center, Rotation::IDENTITY)
}

fn with(shape: RoadQueryShape) -> RoadQueryParams {
    RoadQueryParams { shape, ..RoadQueryParams::default() }
}

fn road_with(
    world: &PhysicsWorld,
    params: &RoadQueryParams,
    resources: &RoadResources,
    probe: &RoadProbe,
) -> Option<RoadContact> {
    RapierRoad::new(
        params,
        RigidBodyHandle::invalid(),
        &world.bodies,
        &world.colliders,
        &world.broad_phase,
        &world.narrow_phase,
    )
    .with_resources(resources)
    .probe(probe)
}

fn road(world: &PhysicsWorld, shape: RoadQueryShape, probe: &RoadProbe) -> Option<RoadContact> {
    road_with(world, &with(shape), &RoadResources::default(), probe)
}

/// Compression of the wheel of `probe` as `contact` says on `road`.
fn suspension(probe: &RoadProbe, contact: ContactShape, road: &RoadContact) -> Compression {
    let params = JounceParams { contact, ..JounceParams::default() };
    let drop = WheelDrop { stiffness: 1.0, damping: 0.0, wheel_mass: 1.0, gravity: Vector::ZERO };
    let previous = Compression::default();
    let plane = Some(&road.plane);
    suspension_compression(&params, &probe.travel, &Frame::Y_UP, plane, &drop, &previous, 0.01)
}

#[test]
fn pressing_a_wheel_into_the_road_does_not_move_the_plane() {
    for shape in SHAPES {
        for (ground, world) in grounds() {
            // From a wheel that hangs just above the road at full droop to one that is below it
            // with all but its top at full compression.
            for step in 1..120 {
                let height = RADIUS + DISTANCE - 0.01 * step as Real;
                let probe = upright(Vector::new(0.4, height, 0.3));
                let what = format!("{shape:?} on {ground}, center at {height} m");
                let road = road(&world, shape, &probe).expect(&what);
                assert!(road.plane.normal.distance(Vector::Y) < 2e-2, "{what}: {road:?}");
                let error = road.plane.distance(Vector::new(0.4, 0.0, 0.3));
                assert!(error.abs() < 1e-3, "{what}: {error} m");
            }
        }
    }
}

#[test]
fn wheel_that_just_touches_the_road_stands_on_it() {
    // The distance of a ray or a sweep is then zero, or that to full droop, but for rounding either
    // way: a wheel that is compressed fully, one with its center or its top on the road, and one
    // that has just been set down.
    let heights = [RADIUS, 0.0, -RADIUS, RADIUS + DISTANCE];
    let nudges = [0.0, 1e-7, -1e-7, 1e-6, -1e-6, 1e-5, -1e-5, 1e-3, -1e-3];
    let contacts = [ContactShape::Ray, ContactShape::Cylinder];
    for (shape, contact) in SHAPES.into_iter().zip(contacts) {
        for (ground, world) in grounds() {
            for height in heights {
                for nudge in nudges {
                    let probe = upright(Vector::new(0.4, height + nudge, 0.3));
                    let what = format!("{shape:?} on {ground}, center at {height} + {nudge} m");
                    let Some(road) = road(&world, shape, &probe) else {
                        // It hangs in the air, or on the road by less than a spring would notice.
                        assert!(height == RADIUS + DISTANCE && -1e-4 < nudge, "{what}");
                        continue;
                    };
                    assert!(road.plane.normal.distance(Vector::Y) < 1e-3, "{what}: {road:?}");
                    assert!(road.plane.offset.abs() < 1e-4, "{what}: {road:?}");
                    let state = suspension(&probe, contact, &road);
                    let expected = (RADIUS + DISTANCE - height - nudge).clamp(0.0, DISTANCE);
                    let jounce = state.jounce.unwrap();
                    assert!((jounce - expected).abs() < 1e-4, "{what}: {jounce} m");
                }
            }
        }
    }
}

#[test]
fn swept_wheel_stands_just_on_what_it_has_met() {
    let step = || ColliderBuilder::cuboid(2.0, 0.1, 2.0).translation(Vector::new(0.0, 0.0, 2.2));
    let tilts = [0.0, 0.1, -0.2];
    for tilt in tilts {
        let world = world_of([
            ColliderBuilder::new(SharedShape::halfspace(Vector::Y)).translation(Vector::Y * -0.1),
            step(),
        ]);
        // The edge of the step is at 0.2 m: the wheel meets it with its tread.
        for center in [Vector::new(0.0, 0.45, 0.0), Vector::new(0.1, 0.55, -0.1)] {
            let probe = wheel(center, Rotation::from_rotation_z(tilt));
            let found = road(&world, RoadQueryShape::Cylinder, &probe).unwrap();
            let state = suspension(&probe, ContactShape::Cylinder, &found);
            let jounce = state.jounce.unwrap();
            let to_axle = Rotation::from_rotation_arc(Vector::Y, Vector::X);
            let cylinder = Cylinder::new(HALF_WIDTH, RADIUS);
            let touches = |jounce: Real| {
                let center = probe.travel.droop_center() - probe.travel.direction * jounce;
                let pose = Pose::from_parts(center, probe.travel.pose.rotation * to_axle);
                world.colliders.iter().any(|(_, ground)| {
                    let (at, shape) = (ground.position(), ground.shape());
                    intersection_test(&pose, &cylinder, at, shape).unwrap().intersecting
                })
            };
            let what = format!("tilt {tilt}, at {center}, jounce {jounce} m");
            assert!(!touches(jounce + 1e-3), "{what}");
            assert!(touches(jounce - 1e-3), "{what}");
        }
    }
}

#[test]
fn sweeps_bridge_a_gap_that_rays_fall_into() {
    let slab = |z| ColliderBuilder::cuboid(5.0, 0.5, 5.0).translation(Vector::new(0.0, -0.5, z));
    // Two slabs, 0.3 m apart.
    let world = world_of([slab(-5.15), slab(5.15)]);
    let over_gap = upright(Vector::new(0.0, 0.5, 0.0));
    assert_eq!(road(&world, RoadQueryShape::Ray, &over_gap), None);
    let found = road(&world, RoadQueryShape::Cylinder, &over_gap).unwrap();
    let state = suspension(&over_gap, ContactShape::Cylinder, &found);
    // The wheel sinks in by R - sqrt(R² - 0.15²).
    let expected = DISTANCE + RADIUS - 0.5 - (RADIUS - (RADIUS * RADIUS - 0.15 * 0.15).sqrt());
    let jounce = state.jounce.unwrap();
    assert!((jounce - expected).abs() < 1e-3, "{jounce} m, expected {expected} m");
}

#[test]
fn off_the_edge_of_the_world_there_is_no_road() {
    for shape in SHAPES {
        for (ground, world) in grounds().into_iter().skip(1) {
            let probe = upright(Vector::new(9.5, 0.5, 0.0));
            assert_eq!(road(&world, shape, &probe), None, "{shape:?} beside {ground}");
        }
    }
}

#[test]
fn a_wheel_inside_a_wall_stands_on_the_ground_below() {
    let wall = || ColliderBuilder::cuboid(0.5, 3.0, 9.0).translation(Vector::new(0.6, 3.0, 0.0));
    let ground = || ColliderBuilder::cuboid(9.0, 1.0, 9.0).translation(Vector::Y * -1.0);
    let world = world_of([ground(), wall()]);
    for shape in SHAPES {
        // From beside the wall to its middle.
        for step in 0..60 {
            let probe = upright(Vector::new(0.01 * step as Real, 0.5, 0.0));
            let found = road(&world, shape, &probe).unwrap();
            let at = format!("{shape:?}, step {step}: {found:?}");
            assert!(found.plane.normal.distance(Vector::Y) < 1e-3, "{at}");
            assert!(found.plane.offset.abs() < 1e-3, "{at}");
        }
    }
}

#[test]
fn a_ray_passes_four_solids_and_no_more() {
    let ground = ColliderBuilder::cuboid(9.0, 1.0, 9.0).translation(Vector::Y * -1.0);
    for count in 0..6 {
        let solid = |size: usize| ColliderBuilder::ball(1.0 + 0.1 * size as Real);
        let solids = (0..count).map(|size| solid(size).translation(Vector::Y * 0.8));
        let world = world_of(solids.chain([ground.clone()]));
        let found = road(&world, RoadQueryShape::Ray, &upright(Vector::Y * 0.5));
        let is_on_ground = found.is_some_and(|found| found.plane.offset.abs() < 1e-3);
        assert_eq!(is_on_ground, count <= 4, "{count} solids: {found:?}");
    }
}

#[test]
fn a_wheel_in_the_air_does_not_stand_on_a_deck_above_it() {
    let deck = ColliderBuilder::cuboid(9.0, 0.05, 9.0).translation(Vector::Y * 1.0);
    let world = world_of([deck]);
    for shape in SHAPES {
        // The top of the wheel is 5 cm below the deck.
        let probe = upright(Vector::Y * (0.95 - RADIUS - 0.05));
        assert_eq!(road(&world, shape, &probe), None, "{shape:?}");
    }
}

#[test]
fn wheels_do_not_stand_on_what_is_too_steep() {
    for shape in SHAPES {
        for (degrees, expected) in [(0.0, true), (44.0, true), (46.0, false), (80.0, false)] {
            let slope = (degrees as Real).to_radians();
            let normal = Vector::new(0.0, slope.cos(), -slope.sin());
            let world = world_of([ColliderBuilder::new(SharedShape::halfspace(normal))]);
            let params = RoadQueryParams { max_slope: 45.0_f32.to_radians(), ..with(shape) };
            let none = RoadResources::default();
            let probe = upright(Vector::Y * 0.6);
            let found = road_with(&world, &params, &none, &probe);
            assert_eq!(found.is_some(), expected, "{shape:?} at {degrees} degrees");
            // It is the vehicle's up that counts.
            let along = wheel(normal * 0.5, Rotation::from_rotation_arc(Vector::Y, normal));
            let found = road_with(&world, &params, &none, &along);
            assert!(found.is_some(), "{shape:?} along {degrees} degrees");
        }
    }
}

#[test]
fn a_car_on_its_roof_has_no_road() {
    for shape in SHAPES {
        for (ground, world) in grounds() {
            let upside_down = Rotation::from_rotation_z(std::f32::consts::PI);
            for height in [0.4, 0.5, 1.0] {
                let probe = wheel(Vector::new(0.4, height, 0.3), upside_down);
                let found = road(&world, shape, &probe);
                assert_eq!(found, None, "{shape:?} on {ground} at {height} m");
            }
        }
    }
}

#[test]
fn each_wheel_has_its_groups_and_the_filter_has_the_last_word() {
    let in_group = |group, height: Real| {
        let groups = InteractionGroups::new(group, Group::ALL, InteractionTestMode::And);
        ColliderBuilder::cuboid(5.0, 0.05, 5.0)
            .translation(Vector::Y * (height - 0.05))
            .collision_groups(groups)
            .user_data(height.to_bits().into())
    };
    let world = world_of([in_group(Group::GROUP_1, 0.0), in_group(Group::GROUP_2, 0.15)]);
    let standing_on = |group| InteractionGroups::new(Group::ALL, group, InteractionTestMode::And);
    let height = |road: RoadContact| -road.plane.offset;
    for shape in SHAPES {
        let params = RoadQueryParams {
            groups: Some(standing_on(Group::ALL)),
            wheel_groups: vec![standing_on(Group::GROUP_2), standing_on(Group::GROUP_1)],
            ..with(shape)
        };
        let none = RoadResources::default();
        let not_for_third = RoadResources {
            filter: Some(RoadFilter::new(|candidate| {
                candidate.wheel != 2 || candidate.collider.user_data == 0
            })),
            ..RoadResources::default()
        };
        // (wheel, resources, height of its road); the third wheel has the groups of all.
        let cases = [(0, &none, 0.15), (1, &none, 0.0), (2, &none, 0.15), (2, &not_for_third, 0.0)];
        for (wheel, resources, expected) in cases {
            let probe = RoadProbe { wheel, ..upright(Vector::Y * 0.6) };
            let found = height(road_with(&world, &params, resources, &probe).unwrap());
            assert!((found - expected).abs() < 1e-3, "{shape:?}, wheel {wheel}: {found} m");
        }
    }
}

#[test]
fn triangles_and_cells_have_their_own_friction() {
    const ICE: u128 = 7;
    let vertices = [(-9.0, -9.0), (9.0, -9.0), (9.0, 9.0), (-9.0, 9.0)];
    let vertices = vertices.map(|(x, z)| Vector::new(x, 0.0, z)).to_vec();
    let mesh = ColliderBuilder::trimesh(vertices, vec![[0, 2, 1], [0, 3, 2]]).expect("a mesh");
    // Rows lie along z, columns along x: cell (1, 2) of 4 rows is cell 1 + 4 · 2.
    let (rows, cell) = (4, 1 + 4 * 2);
    let field = ColliderBuilder::heightfield(
        Array2::new(rows + 1, 5, vec![0.0; 25]),
        Vector::new(16.0, 1.0, 16.0),
    );
    let mut icy_cell = vec![0; 32];
    (icy_cell[cell], icy_cell[cell + 16]) = (ICE, ICE);
    let scenes = [
        (mesh, vec![0, ICE], Vector::new(-3.0, 0.5, 3.0), Vector::new(3.0, 0.5, -3.0)),
        (field, icy_cell, Vector::new(2.5, 0.5, -1.5), Vector::new(-2.5, 0.5, -1.5)),
    ];
    for (collider, materials, on_ice, beside) in scenes {
        let world = world_of([collider.friction(0.9)]);
        let handle = world.colliders.iter().next().unwrap().0;
        let table = FrictionTable::default().with_surface(ICE, 0.1).with_parts(handle, materials);
        for shape in SHAPES {
            let params = RoadQueryParams { friction: table.clone(), ..with(shape) };
            for (place, friction, material) in [(on_ice, 0.1, 7_u128), (beside, 0.9, 0)] {
                let none = RoadResources::default();
                let found = road_with(&world, &params, &none, &upright(place)).unwrap();
                let what = format!("{shape:?} at {place}");
                assert_eq!((found.friction, found.material.into()), (friction, material), "{what}");
            }
        }
    }
}

#[test]
fn road_parameters_survive_being_saved() {
    let collider = ColliderHandle::from_raw_parts(3, 1);
    let params = RoadQueryParams {
        groups: Some(InteractionGroups::all()),
        wheel_groups: vec![InteractionGroups::none(); 2],
        friction: FrictionTable::default()
            .with_surface_for_tire(7, 2, 0.4)
            .with_collider(collider, 0.8)
            .with_parts(collider, vec![1, 7]),
        max_slope: 1.0,
        pushes_ground: true,
        ..with(RoadQueryShape::Cylinder)
    };
    let saved = serde_json::to_string(&params).unwrap();
    assert_eq!(serde_json::from_str::<RoadQueryParams>(&saved).unwrap(), params);
    // What is not said is as by default.
    assert_eq!(serde_json::from_str::<RoadQueryParams>("{}").unwrap(), RoadQueryParams::default());
}

/// A road of triangles 1 m long, 4 m wide, over a crest or through a dip of `radius` (m).
fn curved_road(radius: Real, is_crest: bool) -> ColliderBuilder {
    let rows = 60_u8;
    let side = if is_crest { 1.0 } else { -1.0 };
    let place = |row: u8| {
        let angle = (Real::from(row) - 0.5 * Real::from(rows)) / radius;
        [radius * angle.sin(), side * radius * (angle.cos() - 1.0)]
    };
    strip(&(0..=rows).map(place).collect::<Vec<_>>(), 2.0).expect("a mesh")
}

#[test]
fn smooth_roads_lie_on_the_arc_between_the_corners() {
    let radius = 50.0;
    for is_crest in [true, false] {
        let world = world_of([curved_road(radius, is_crest)]);
        let mesh = world.colliders.iter().next().unwrap().0;
        let smooth = SmoothMesh::new(mesh, &world.colliders).unwrap();
        let smoothed = RoadResources { smooth_meshes: vec![smooth], ..RoadResources::default() };
        let largest_error = |resources: &RoadResources| {
            let errors = (0..200).map(|step| {
                let z = -10.0 + 0.1 * step as Real;
                let rise = radius - (radius * radius - z * z).sqrt();
                let place = Vector::new(0.3, if is_crest { -rise } else { rise }, z);
                let probe = upright(place + Vector::Y * 0.5);
                let found = road_with(&world, &with(RoadQueryShape::Ray), resources, &probe);
                found.expect("a road").plane.distance(place).abs()
            });
            errors.fold(0.0, Real::max)
        };
        let (flat, smooth) = (largest_error(&RoadResources::default()), largest_error(&smoothed));
        // 1 m / 8 / 50.
        assert!((flat - 2.5e-3).abs() < 2e-4, "crest {is_crest}: triangles are {flat} m off");
        assert!(smooth < 5e-5, "crest {is_crest}: {smooth} m off");
    }
}

#[test]
fn smooth_normals_turn_as_the_road_does() {
    let (radius, speed, dt) = (50.0, 20.0, 1.0 / 60.0);
    for is_crest in [true, false] {
        let world = world_of([curved_road(radius, is_crest)]);
        let mesh = world.colliders.iter().next().unwrap().0;
        let smooth = SmoothMesh::new(mesh, &world.colliders).unwrap();
        let smoothed = RoadResources { smooth_meshes: vec![smooth], ..RoadResources::default() };
        for shape in SHAPES {
            let largest_turn = |resources: &RoadResources| {
                let normals = (0..60).map(|step| {
                    let z = -10.0 + speed * dt * step as Real;
                    let rise = radius - (radius * radius - z * z).sqrt();
                    let height = if is_crest { -rise } else { rise } + 0.5;
                    let probe = upright(Vector::new(0.3, height, z));
                    let found = road_with(&world, &with(shape), resources, &probe);
                    found.expect("a road").plane.normal
                });
                let normals: Vec<_> = normals.collect();
                let turns = normals.windows(2).map(|pair| pair[0].angle_between(pair[1]));
                turns.fold(0.0, Real::max)
            };
            let what = format!("{shape:?}, crest {is_crest}");
            let (flat, smooth) = (largest_turn(&RoadResources::default()), largest_turn(&smoothed));
            assert!(0.019 < flat && flat < 0.021, "{what}: facets turn by {flat} rad");
            let allowed = 1.3 * speed * dt / radius;
            assert!(smooth < allowed, "{what}: {smooth} rad per step, allowed {allowed} rad");
        }
    }
}
