//! Wheels swept onto a face four by four, against wheels that are swept alone.

use snippets::noise::Noise;
use vehicle_core::math::lanes::MAX_LANES;
use vehicle_core::road_geometry::{RoadContact, RoadProbe, RoadSurface};
use vehicle_core::suspension::WheelTravel;

use super::super::nearby::Nearby;
use super::super::{RoadQueryParams, RoadQueryShape};
use super::*;

const RADIUS: Real = 0.3;
const HALF_WIDTH: Real = 0.08;
const DISTANCE: Real = 0.25;

/// A world of one ground that moves and turns.
fn world_of(ground: ColliderBuilder, noise: &mut Noise) -> PhysicsWorld {
    let mut world = PhysicsWorld::new();
    let platform = RigidBodyBuilder::kinematic_velocity_based()
        .pose(Pose::new(noise.vector(5.0), noise.vector(0.6)))
        .linvel(noise.vector(3.0))
        .angvel(noise.vector(2.0));
    world.insert(platform, ground.friction(0.7));
    world.detect_collisions(&(), &());
    world
}

fn road<'a>(world: &'a PhysicsWorld, params: &'a RoadQueryParams) -> RapierRoad<'a> {
    let (bodies, colliders) = (&world.bodies, &world.colliders);
    let (broad_phase, narrow_phase) = (&world.broad_phase, &world.narrow_phase);
    let none = RigidBodyHandle::invalid();
    RapierRoad::new(params, none, bodies, colliders, broad_phase, narrow_phase).with_step(0.02)
}

/// The path of a wheel above a `place` (m) of a face of this `normal`, that leans and travels
/// roughly down.
fn travel(noise: &mut Noise, place: Vector, normal: Vector) -> WheelTravel {
    let direction = (-normal + noise.vector(0.4)).normalize();
    let lean = [0.0, 0.2, 1.2][noise.within(0.0, 3.0) as usize];
    let upright = Rotation::from_rotation_arc(Vector::Y, -direction);
    let turn = Rotation::from_rotation_y(noise.within(-3.0, 3.0));
    let rotation = upright * turn * Rotation::from_rotation_z(noise.within(-lean, lean));
    let height = noise.within(-0.3, 0.7);
    WheelTravel {
        pose: Pose::from_parts(place + normal * height, rotation),
        direction,
        distance: DISTANCE,
        radius: RADIUS,
        half_width: HALF_WIDTH,
        shoulder_radius: [0.0, 0.03, HALF_WIDTH][noise.within(0.0, 3.0) as usize],
    }
}

/// The roads of wheels on their paths, as they are found on a face, four by four, and alone.
fn looks(
    road: &RapierRoad<'_>,
    travels: &[WheelTravel],
) -> Vec<(Option<RoadContact>, Option<RoadContact>)> {
    let asks = Mask4::from_lanes(|lane| lane < travels.len());
    let travel = WheelTravel::from_lanes(|lane| travels[lane.min(travels.len() - 1)]);
    let probes = FourProbes { first: 0, asks, tire_kinds: [0; MAX_LANES], travel };
    let mut nearby = Nearby::default();
    assert!(nearby.find(road, RoadQueryShape::Cylinder, &[probes]));
    let (mut on_face, mut all) = (RoadContacts::default(), [RoadContacts::default()]);
    let beside = RapierRoad { nearby: Some(&nearby), ..*road };
    beside.find_on_face(&probes, &mut None, &mut on_face);
    road.probe_fours(&[probes], &mut all);
    let each = travels.iter().enumerate().map(|(wheel, &travel)| {
        let alone = road.probe(&RoadProbe { wheel, tire_kind: 0, travel });
        assert_eq!(all[0].lane(wheel), alone, "{travel:?}");
        (on_face.lane(wheel), alone)
    });
    each.collect()
}

/// Compares what wheels find on a face of `ground` with what each finds alone. The face has these
/// half extents (m), a `middle` (m) and a `normal` in the ground's frame. Returns how many roads
/// are found on the face, and how many only alone.
fn compare(
    noise: &mut Noise,
    ground: ColliderBuilder,
    [middle, normal]: [Vector; 2],
    half: Vector,
) -> [usize; 2] {
    let world = world_of(ground, noise);
    let params = RoadQueryParams { shape: RoadQueryShape::Cylinder, ..Default::default() };
    let (_, collider) = world.colliders.iter().next().expect("a ground");
    let pose = *collider.position();
    let mut counts = [0; 2];
    for case in 0..20 {
        let road = road(&world, &params).for_wheels_with_mass(case % 2 == 0);
        let travels = [0; MAX_LANES].map(|_| {
            let place = noise.vector(1.1) * half * (Vector::ONE - normal.abs());
            travel(noise, pose * (middle + place), pose.rotation * normal)
        });
        for (wheel, (on_face, alone)) in looks(&road, &travels).into_iter().enumerate() {
            if on_face.is_some() {
                assert_eq!(on_face, alone, "{pose:?}, {half:?}, {:?}", travels[wheel]);
                counts[0] += 1;
            } else {
                counts[1] += usize::from(alone.is_some());
            }
        }
    }
    counts
}

#[test]
fn four_wheels_find_on_faces_what_each_finds_alone() {
    let mut noise = Noise(11);
    let (mut on_boxes, mut on_planes) = ([0; 2], [0; 2]);
    let add = |sums: &mut [usize; 2], counts: [usize; 2]| {
        *sums = [sums[0] + counts[0], sums[1] + counts[1]];
    };
    for round in 0..60 {
        let half = noise.vector(1.0).abs() * [0.6, 3.0, 60.0][round % 3] + Vector::splat(0.1);
        let axis = noise.within(0.0, 3.0) as usize;
        let normal = Vector::AXES[axis] * noise.within(-1.0, 1.0).signum();
        let ground = ColliderBuilder::cuboid(half.x, half.y, half.z);
        add(&mut on_boxes, compare(&mut noise, ground, [normal * half, normal], half));
        let plane = ColliderBuilder::new(SharedShape::halfspace(Vector::Y));
        add(&mut on_planes, compare(&mut noise, plane, [Vector::ZERO, Vector::Y], half));
    }
    assert!(on_boxes.iter().all(|&count| 500 < count), "{on_boxes:?}");
    assert!(1_000 < on_planes[0], "{on_planes:?}");
}

/// A wheel that goes over the edge of a box is handed over to the general sweep while that still
/// finds the face.
#[test]
fn the_road_is_the_same_on_both_sides_of_the_switch() {
    let mut noise = Noise(2);
    let mut world = PhysicsWorld::new();
    world.insert_collider(ColliderBuilder::cuboid(2.0, 1.0, 2.0).friction(0.7), None);
    world.detect_collisions(&(), &());
    let params = RoadQueryParams { shape: RoadQueryShape::Cylinder, ..Default::default() };
    let road = road(&world, &params).for_wheels_with_mass(true);
    for _ in 0..20 {
        let start = travel(&mut noise, Vector::ZERO, Vector::Y);
        let mut was_on_face = true;
        for step in 0..240 {
            let center = Vector::new(1.0 + 0.005 * step as Real, 1.2, 0.3);
            let pose = Pose::from_parts(center, start.pose.rotation);
            let wheel = WheelTravel { pose, direction: Vector::NEG_Y, ..start };
            let what = format!("step {step}: {wheel:?}");
            let (on_face, alone) = looks(&road, &[wheel])[0];
            assert!(on_face.is_none() || (was_on_face && on_face == alone), "{what}");
            if was_on_face && on_face.is_none() {
                let plane = alone.expect("a road").plane;
                assert_eq!((plane.normal, plane.offset), (Vector::Y, -1.0), "{what}");
                assert!(20 < step, "{what}");
            }
            was_on_face = on_face.is_some();
        }
        assert!(!was_on_face, "{start:?}");
    }
}
