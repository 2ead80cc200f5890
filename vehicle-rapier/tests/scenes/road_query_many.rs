//! Roads of all wheels of a vehicle at once: the same answers as wheel by wheel.

use crate::common::grounds::world_of;
use rapier3d::prelude::*;
use snippets::crowd::hills;
use snippets::noise::Noise;
use vehicle_rapier::core::math::lanes::{Lanes, Mask4};
use vehicle_rapier::core::road_geometry::{FourProbes, RoadContacts, RoadSurface};
use vehicle_rapier::core::suspension::WheelTravel;
use vehicle_rapier::{
    FrictionTable, RapierRoad, RoadFilter, RoadQueryParams, RoadQueryShape, RoadResources,
};

/// Half of the size of the place on which things lie (m).
const REACH: Real = 12.0;

/// One thing on the road, in a place of a coarse grid: many lie in the same one, or side by side,
/// with their tops at the same height.
fn thing(noise: &mut Noise, number: u32) -> ColliderBuilder {
    let mut on_grid = |size: Real| (noise.within(-size, size)).round();
    let place = Vector::new(on_grid(REACH), 0.25 * on_grid(2.0), on_grid(REACH));
    let half = 0.5 + 0.5 * noise.within(0.0, 3.0).floor();
    let thing = match number % 6 {
        0 | 1 => ColliderBuilder::cuboid(half, 0.5, half),
        2 => ColliderBuilder::ball(half),
        3 => ColliderBuilder::cylinder(0.3, half),
        4 => ColliderBuilder::capsule_x(half, 0.3),
        _ => ColliderBuilder::convex_hull(&[
            Vector::new(-half, 0.0, 0.0),
            Vector::new(half, 0.0, 0.0),
            Vector::new(0.0, half, 0.0),
            Vector::new(0.0, 0.0, half),
        ])
        .expect("a hull"),
    };
    let turned = if number.is_multiple_of(5) { noise.vector(0.5) } else { Vector::ZERO };
    let group = Group::from_bits_truncate(1 << (number % 3));
    let groups = InteractionGroups::new(group, Group::ALL, InteractionTestMode::And);
    thing
        .translation(place)
        .rotation(turned)
        .sensor(number.is_multiple_of(11))
        .friction(number as Real)
        .collision_groups(groups)
        .user_data(u128::from(number))
}

/// A height field.
fn field(noise: &mut Noise) -> ColliderBuilder {
    let heights = (0..24 * 24).map(|_| noise.within(-0.3, 0.3)).collect();
    let heights = Array2::new(24, 24, heights);
    ColliderBuilder::heightfield(heights, Vector::new(24.0, 1.0, 24.0))
}

/// Wheels of a vehicle somewhere on the road, on it, in it or above it; one of them may be lost.
fn wheels(noise: &mut Noise) -> FourProbes {
    let place = noise.vector(REACH) * Vector::new(1.0, 0.0, 1.0);
    let place = if noise.next() < 0.3 { place.round() } else { place };
    let place = place + Vector::Y * noise.within(-0.5, 2.0);
    let rotation = if noise.next() < 0.3 {
        Rotation::IDENTITY
    } else {
        Rotation::from_scaled_axis(noise.vector(0.4))
    };
    let travel = Lanes::from_lanes(|wheel| {
        let corner = Vector::new(
            if wheel.is_multiple_of(2) { 1.0 } else { -1.0 },
            0.0,
            if wheel < 2 { 1.5 } else { -1.5 },
        );
        WheelTravel {
            pose: Pose::from_parts(place + rotation * corner, rotation),
            direction: rotation * Vector::NEG_Y,
            distance: 0.3,
            radius: 0.35,
            half_width: 0.12,
            shoulder_radius: 0.0,
        }
    });
    let lost = noise.within(0.0, 12.0) as usize;
    let tire_kinds = if noise.next() < 0.5 { [0; 4] } else { [0, 0, 1, 1] };
    FourProbes { first: 0, asks: Mask4::from_lanes(|lane| lane != lost), tire_kinds, travel }
}

/// How many of the wheels that ask, all at once, find a road and how many none, which `case` by
/// case is what each of them finds.
fn check(road: &RapierRoad<'_>, probes: &FourProbes, case: &str) -> [usize; 2] {
    let mut roads = [RoadContacts::default()];
    road.probe_fours(std::slice::from_ref(probes), &mut roads);
    let mut counts = [0; 2];
    let mut expected = [None; 4];
    probes.answer(probes.asks, &mut RoadContacts::default(), |probe| {
        let found = road.probe(probe);
        expected[probe.wheel - probes.first] = found;
        counts[usize::from(found.is_none())] += 1;
        found
    });
    // Debug text has all bits of a finite number, its sign included.
    assert_eq!(format!("{:?}", roads[0].lanes()), format!("{expected:?}"), "{case}");
    counts
}

#[test]
fn all_wheels_at_once_find_what_each_of_them_finds() {
    let mut noise = Noise(7);
    let (mut found, mut missed) = (0, 0);
    for scene in 0..36 {
        let things: Vec<_> =
            (0..[2, 12, 60, 300][scene % 4]).map(|number| thing(&mut noise, number)).collect();
        let ground = match scene % 3 {
            0 => hills(24, 1.0),
            1 => field(&mut noise),
            _ => ColliderBuilder::new(SharedShape::halfspace(Vector::Y)),
        };
        let mut world = world_of([ground].into_iter().chain(things));
        let own = world.insert_body(RigidBodyBuilder::fixed());
        for _ in 0..20 {
            let part = ColliderBuilder::cuboid(1.0, 0.4, 2.0).translation(noise.vector(REACH));
            world.insert_collider(part, Some(own));
        }
        world.detect_collisions(&(), &());

        let wheel_groups = (0..4).map(|wheel| {
            let filter = Group::from_bits_truncate([0b001, 0b011, 0b111, 0b110][wheel]);
            InteractionGroups::new(Group::ALL, filter, InteractionTestMode::And)
        });
        let has_filter = scene % 5 == 1;
        let resources = RoadResources {
            filter: has_filter.then(|| {
                RoadFilter::new(|asked| asked.collider.user_data % 7 != asked.wheel as u128)
            }),
            smooth_meshes: Vec::new(),
        };
        for shape in [RoadQueryShape::Ray, RoadQueryShape::Cylinder] {
            let params = RoadQueryParams {
                shape,
                wheel_groups: if scene % 7 == 2 {
                    wheel_groups.clone().collect()
                } else {
                    Vec::new()
                },
                friction: FrictionTable::default().with_surface(3, 0.25),
                ..RoadQueryParams::default()
            };
            let road = RapierRoad::new(
                &params,
                own,
                &world.bodies,
                &world.colliders,
                &world.broad_phase,
                &world.narrow_phase,
            )
            .with_resources(&resources);
            let count = if shape == RoadQueryShape::Ray { 300 } else { 40 };
            for case in 0..count {
                let case = format!("scene {scene}, {shape:?}, case {case}");
                let [roads, none] = check(&road, &wheels(&mut noise), &case);
                (found, missed) = (found + roads, missed + none);
            }
        }
    }
    assert!(1000 < found && 1000 < missed, "{found} roads, {missed} times none");
}

#[test]
fn all_wheels_on_a_box_find_what_each_of_them_finds() {
    let mut noise = Noise(11);
    let (mut found, mut missed) = (0, 0);
    for scene in 0..24 {
        let turned = [Vector::ZERO, Vector::Y, noise.vector(0.6)][scene % 3];
        let mut world = PhysicsWorld::new();
        let ground = RigidBodyBuilder::kinematic_velocity_based()
            .rotation(turned)
            .linvel(noise.vector(2.0))
            .angvel(noise.vector(0.5));
        let ground = if scene % 2 == 0 { ground } else { RigidBodyBuilder::fixed() };
        let ground = world.insert_body(ground);
        world.insert_collider(ColliderBuilder::cuboid(8.0, 0.5, 8.0).friction(0.7), Some(ground));
        let own = world.insert_body(RigidBodyBuilder::fixed());
        world.detect_collisions(&(), &());
        let resources = RoadResources {
            filter: (scene % 5 == 1).then(|| RoadFilter::new(|asked| asked.wheel != 2)),
            smooth_meshes: Vec::new(),
        };
        let params = RoadQueryParams {
            friction: FrictionTable::default().with_surface_for_tire(0, 1, 0.25),
            ..RoadQueryParams::default()
        };
        let PhysicsWorld { bodies, colliders, broad_phase, narrow_phase, .. } = &world;
        let road = RapierRoad::new(&params, own, bodies, colliders, broad_phase, narrow_phase)
            .with_resources(&resources)
            .with_step(1.0 / 60.0);
        for case in 0..300 {
            let case = format!("scene {scene}, case {case}");
            let [roads, none] = check(&road, &wheels(&mut noise), &case);
            (found, missed) = (found + roads, missed + none);
        }
    }
    assert!(1000 < found && 1000 < missed, "{found} roads, {missed} times none");
}
