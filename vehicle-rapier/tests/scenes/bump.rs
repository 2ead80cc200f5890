//! A bump and a ramp against the same scene of the reference: rays, and sweeps that meet a kerb.
//!
//! The sample car accelerates over a box 0.1 m high with sharp edges, then up and down a ramp of
//! triangles. The reference's numbers are those of its drives in its own physics engine.

use std::f32::consts::TAU;

use rapier3d::prelude::*;
use snippets::scenes::strip;
use snippets::vehicles::{SAMPLE_FRAME, sample_chassis, sample_direct_drive, sample_mechanics};
use vehicle_rapier::core::WheelReaction;
use vehicle_rapier::core::constraint_rows::LimitDirection;
use vehicle_rapier::core::rigid_body::RigidBodyState;
use vehicle_rapier::core::road_geometry::{Plane, RoadContact, RoadProbe, RoadSurface};
use vehicle_rapier::core::suspension::{
    Compression, ContactShape, JounceParams, WheelDrop, WheelTravel, suspension_compression,
    wheel_travel,
};
use vehicle_rapier::core::vehicle::MechanicalParams;
use vehicle_rapier::drivetrain::DirectDriveVehicle;
use vehicle_rapier::drivetrain::direct_drive::Gear;
use vehicle_rapier::{RapierRoad, RapierVehicle, RoadQueryParams, RoadQueryShape};

const DT: Real = 0.016_666_7;
/// Steps of a drive: 7 s.
const STEPS: usize = 420;
/// Height of the bump (m).
const BUMP_HEIGHT: Real = 0.1;
/// Where the bump begins and ends (m).
const BUMP: [Real; 2] = [11.5, 12.5];
/// Places of the ramp's corners: forward and up (m).
const RAMP: [[Real; 2]; 4] = [[25.0, 0.0], [30.0, 0.5], [35.0, 0.5], [40.0, 0.0]];

/// How far bump and ramp reach to either side (m).
const BUMP_SIDE: Real = 3.0;
const RAMP_SIDE: Real = 4.0;

fn world() -> PhysicsWorld {
    let mut world = PhysicsWorld::new();
    world.integration_parameters.dt = DT;
    let [near, far] = BUMP;
    let bump = ColliderBuilder::cuboid(BUMP_SIDE, 0.5 * BUMP_HEIGHT, 0.5 * (far - near))
        .translation(Vector::new(0.0, 0.5 * BUMP_HEIGHT, 0.5 * (near + far)));
    let ramp = strip(&RAMP, RAMP_SIDE).expect("a mesh");
    let plane = ColliderBuilder::new(SharedShape::halfspace(Vector::Y));
    for collider in [plane, bump, ramp] {
        world.insert_collider(collider.friction(1.0), None);
    }
    world.detect_collisions(&(), &());
    world
}

/// How deep `point` (m) is below the ground; negative outside (m).
fn depth(point: Vector) -> Real {
    let (side, y, z) = (point.x.abs(), point.y, point.z);
    let in_bump = (BUMP_HEIGHT - y).min(z - BUMP[0]).min(BUMP[1] - z).min(BUMP_SIDE - side);
    let below = |ends: &[[Real; 2]]| {
        let [start, end] = [ends[0], ends[1]];
        let (run, rise) = (end[0] - start[0], end[1] - start[1]);
        (start[1] + (z - start[0]) * rise / run - y) * run / run.hypot(rise)
    };
    // A car that the bump has turned may leave the ramp at its side.
    let in_ramp = RAMP.windows(2).map(below).fold(RAMP_SIDE - side, Real::min);
    (-y).max(in_bump).max(in_ramp)
}

/// A wheel at the pose of its road query.
struct QueriedWheel {
    travel: WheelTravel,
    plane: Plane,
    state: Compression,
}

impl QueriedWheel {
    fn new(travel: WheelTravel, plane: Plane) -> Self {
        let params = JounceParams { contact: ContactShape::Cylinder, ..JounceParams::default() };
        let drop =
            WheelDrop { stiffness: 1.0, damping: 0.0, wheel_mass: 1.0, gravity: Vector::ZERO };
        let before = Compression::default();
        let state = suspension_compression(
            &params,
            &travel,
            &SAMPLE_FRAME,
            Some(&plane),
            &drop,
            &before,
            DT,
        );
        Self { travel, plane, state }
    }

    fn jounce(&self) -> Real {
        self.state.jounce.unwrap_or(0.0)
    }

    /// How far the plane is above the lowest point of the wheel at full compression (m).
    fn pressed(&self) -> Real {
        -self.state.separation.unwrap_or(0.0)
    }

    /// How deep the deepest point of the wheel's rims is below the ground (m).
    fn depth(&self) -> Real {
        let WheelTravel { pose, radius, half_width, .. } = self.travel;
        let center = self.travel.droop_center() - self.travel.direction * self.jounce();
        let points = (0..720).flat_map(|index| {
            let angle = TAU * index as Real / 720.0;
            let rim = Vector::new(0.0, angle.sin(), angle.cos()) * radius;
            [-half_width, half_width].map(|side| center + pose.rotation * (rim + Vector::X * side))
        });
        points.map(depth).fold(Real::NEG_INFINITY, Real::max)
    }
}

/// The path of `wheel` of a car that does not steer, its center of mass at `pose` (m).
fn travel(mechanics: &MechanicalParams, wheel: usize, pose: Pose) -> WheelTravel {
    let body = RigidBodyState { pose, ..RigidBodyState::default() };
    wheel_travel(&mechanics.suspensions[wheel], &mechanics.wheels[wheel], &body, 0.0, &SAMPLE_FRAME)
}

/// The car after a step: its center of mass (m), its speed forward (m/s) and its wheels as the road
/// query of the step has seen them.
struct Moment {
    place: Vector,
    speed: Real,
    wheels: Vec<Option<QueriedWheel>>,
}

/// How a car drives over bump and ramp.
#[derive(Clone, Copy)]
struct Trial {
    shape: RoadQueryShape,
    contact: ContactShape,
    /// Where it starts (m).
    start: Vector,
    stop: LimitDirection,
    /// Steps per step of the reference.
    rate: usize,
}

/// As the reference's car drives.
const RAY: Trial = Trial {
    shape: RoadQueryShape::Ray,
    contact: ContactShape::Ray,
    start: START,
    stop: LimitDirection::EndlessPlane,
    rate: 1,
};
const SWEEP: Trial =
    Trial { shape: RoadQueryShape::Cylinder, contact: ContactShape::Cylinder, ..RAY };

/// A drive over bump and ramp.
fn drive(trial: Trial) -> Vec<Moment> {
    let Trial { shape, contact, start, stop, rate } = trial;
    let mut world = world();
    world.integration_parameters.dt = DT / rate as Real;
    let mut params = sample_direct_drive().expect("valid data");
    params.mechanics.jounce.contact = contact;
    params.mechanics.suspension_limit.direction = stop;
    let mechanics = params.mechanics.clone();
    let chassis = sample_chassis(&mechanics.rigid_body, Pose::from_translation(start))
        .configure(|body| body.angular_damping(0.05));
    let vehicle = DirectDriveVehicle::new(params).expect("valid parameters");
    let sequence = DirectDriveVehicle::sequence_with_substeps(|_| 3);
    let mut car = RapierVehicle::insert(&mut world, chassis, vehicle, sequence);
    car.road.shape = shape;
    // The wheels of the reference do not push back on its car.
    car.params.wheel_reaction = WheelReaction::None;
    car.vehicle.controls.gear = Gear::Forward;
    car.vehicle.commands.throttle = 0.6;
    let moment = |_| {
        let pose = *world.bodies[car.actor.body].position() * car.actor.center_of_mass;
        car.step(&mut world).expect("the car can be driven");
        let roads = car.vehicle.state.mechanics.roads.iter().enumerate();
        let seen = |(wheel, road): (usize, Option<RoadContact>)| {
            let plane = road?.plane;
            Some(QueriedWheel::new(travel(&mechanics, wheel, pose), plane))
        };
        let body = &world.bodies[car.actor.body];
        Moment {
            place: body.center_of_mass(),
            speed: body.linvel().z,
            wheels: roads.map(seen).collect(),
        }
    };
    (0..STEPS * rate).map(moment).collect()
}

/// Where the reference's car starts (m).
const START: Vector = Vector::new(0.0, -0.05, -1.594);

/// Starts behind the reference's, over the way that the car drives in a step at the bump (m).
fn starts() -> impl Iterator<Item = Vector> {
    (0..8).map(|index| START - Vector::Z * (0.015 * index as Real))
}

/// The numbers of a file of the reference, row by row.
fn numbers(text: &str) -> Vec<Vec<Real>> {
    let row = |line: &str| line.split(',').map(|cell| cell.parse().expect("a number")).collect();
    text.lines().skip(1).map(row).collect()
}

#[test]
fn rays_cross_bump_and_ramp_at_the_reference_s_speeds_and_heights() {
    let scenes = [
        (ContactShape::Cylinder, include_str!("../data/BUMP_RAYCAST.csv")),
        (ContactShape::Ray, include_str!("../data/BUMP_RAYCAST_JRAY.csv")),
    ];
    for (contact, reference) in scenes {
        let drive = drive(Trial { contact, ..RAY });
        for row in numbers(reference) {
            let [step, height, _, speed] = row[..] else { panic!("four columns: {row:?}") };
            let Moment { place, speed: ours, .. } = drive[step as usize - 1];
            let what = format!("{contact:?}, step {step}");
            // Below 1 m/s, the reference's wheels slip to and fro.
            let allowed = 0.05 * speed.max(1.0);
            assert!((ours - speed).abs() < allowed, "{what}: {ours} m/s, reference {speed} m/s");
            let error = (place.y - height).abs();
            assert!(error < 0.02, "{what}: {} m high, reference {height} m", place.y);
        }
    }
}

#[test]
fn swept_wheels_stay_out_of_bump_and_ramp() {
    let mut presses = 0;
    for start in starts().chain([START + Vector::Y, START + Vector::new(0.0, 1.0, -0.03)]) {
        let drive = drive(Trial { start, ..SWEEP });
        // Steps since each wheel was pressed in at full compression.
        let mut pressed = [0; 4];
        for (step, moment) in drive.iter().enumerate() {
            for (wheel, queried) in moment.wheels.iter().enumerate() {
                let what = format!("start {start}, step {step}, wheel {wheel}");
                let depth = queried.as_ref().map_or(0.0, |queried| {
                    if 0.0 < queried.pressed() { queried.pressed() } else { queried.depth() }
                });
                let is_pressed = queried.as_ref().is_some_and(|queried| 0.0 < queried.pressed());
                if depth <= 5e-3 {
                    pressed[wheel] = 0;
                    continue;
                }
                // While there is travel left, the spring lets the wheel stand on the ground.
                // Beyond, the limit lifts the body.
                assert!(is_pressed, "{what}: {depth} m inside with travel left");
                presses += 1;
                pressed[wheel] += 1;
                let seconds = pressed[wheel] as Real * DT;
                assert!(seconds <= 0.1, "{what}: {depth} m inside for {seconds} s");
            }
        }
    }
    assert!(0 < presses, "some wheel was at full compression");
}

/// A wheel of the reference at the pose of its query, and the plane that it got.
struct ReferenceWheel {
    what: String,
    probe: RoadProbe,
    plane: Option<Plane>,
}

/// The wheels of the reference's sweeps around the bump.
fn reference_wheels() -> Vec<ReferenceWheel> {
    let mechanics = sample_mechanics().expect("valid data");
    let rows = numbers(include_str!("../data/BUMP_SWEEP.csv"));
    let wheels = rows.windows(2).flat_map(|rows| {
        let [before, after] = rows else { unreachable!("windows of two") };
        let place = Vector::from_slice(&before[1..4]);
        let rotation = Rotation::from_slice(&before[4..8]);
        let pose = Pose::from_parts(place, rotation);
        let mechanics = &mechanics;
        (0..4).map(move |wheel| {
            let plane = &after[9 + 4 * wheel..][..4];
            let normal = Vector::from_slice(plane);
            let travel = travel(mechanics, wheel, pose);
            ReferenceWheel {
                what: format!("step {}, wheel {wheel}", after[0]),
                probe: RoadProbe { wheel, tire_kind: 0, travel },
                plane: (normal != Vector::ZERO).then_some(Plane { normal, offset: plane[3] }),
            }
        })
    });
    wheels.collect()
}

/// The normal at which a wheel that stands on an edge of the bump touches it: from the edge to the
/// axle.
fn edge_normal(wheel: &QueriedWheel) -> Option<Vector> {
    let center = wheel.travel.droop_center() - wheel.travel.direction * wheel.jounce();
    let edge = BUMP.into_iter().find(|edge| (center.z - edge) * (edge - 12.0) > 0.0)?;
    let normal = Vector::new(0.0, center.y - BUMP_HEIGHT, center.z - edge);
    let distance = normal.length();
    let normal = normal / distance;
    let WheelTravel { pose, radius, half_width, .. } = wheel.travel;
    let axle = pose.rotation * SAMPLE_FRAME.lateral();
    let across = normal.dot(axle);
    let reach = radius * (normal - axle * across).length() + half_width * across.abs();
    ((distance - reach).abs() < 2e-3).then_some(normal)
}

/// Our query at the poses of the reference's car finds its roads. What differs are the normals at
/// the edges of the bump. The reference's wheel is a prism of 64 sides, which stands on an edge
/// with one of its sides or corners. So its normals jump by up to 0.1 rad and are off by up to
/// 0.055 rad. Ours is round.
#[test]
fn swept_wheels_meet_the_bump_as_the_reference_s_do_but_rounder() {
    let world = world();
    let params = RoadQueryParams { shape: RoadQueryShape::Cylinder, ..RoadQueryParams::default() };
    let none = RigidBodyHandle::invalid();
    let (bodies, colliders) = (&world.bodies, &world.colliders);
    let road =
        RapierRoad::new(&params, none, bodies, colliders, &world.broad_phase, &world.narrow_phase);
    // Sums of squares of the errors of both at the edges.
    let (mut on_edge, mut ours_squared, mut theirs_squared) = (0, 0.0, 0.0);
    for ReferenceWheel { what, probe, plane } in reference_wheels() {
        let found = road.probe(&probe).map(|found| found.plane);
        assert_eq!(found.is_some(), plane.is_some(), "{what}: {found:?}, reference {plane:?}");
        let (Some(found), Some(plane)) = (found, plane) else { continue };
        let [ours, theirs] = [found, plane].map(|plane| QueriedWheel::new(probe.travel, plane));
        let error = (ours.jounce() - theirs.jounce()).abs();
        assert!(error < 1e-3, "{what}: {} m, reference {} m", ours.jounce(), theirs.jounce());
        if 0.0 < ours.pressed() {
            continue;
        }
        assert!(ours.depth() < 1e-3, "{what}: {} m inside", ours.depth());
        if let Some(normal) = edge_normal(&ours) {
            let [ours, theirs] =
                [ours, theirs].map(|wheel| wheel.plane.normal.angle_between(normal));
            assert!(ours < 0.07, "{what}: {ours} rad off, reference {theirs} rad");
            on_edge += 1;
            ours_squared += ours * ours;
            theirs_squared += theirs * theirs;
        }
    }
    assert!(10 < on_edge, "{on_edge} wheels on an edge");
    let [ours, theirs] = [ours_squared, theirs_squared].map(|sum| (sum / on_edge as Real).sqrt());
    assert!(ours < theirs, "{on_edge} wheels: {ours} rad off, reference {theirs} rad");
}

/// A sharp edge met with a sweep costs speed, and lifts the car higher than a ray, which does not
/// see the edge before its middle is over it. How much depends on where the wheels are when the
/// query first finds the edge, anywhere within a step of 0.12 m. The reference's car has drifted
/// and meets it with one front wheel a step before the other; ours goes straight and meets it with
/// both at once. So the reference's numbers are not ours, but between those of our starts.
#[test]
fn sweeps_lose_as_much_at_the_bump_as_the_reference_s() {
    let rows = numbers(include_str!("../data/BUMP_SWEEP.csv"));
    let reference = figures(rows.iter().map(|row| (Vector::from_slice(&row[1..4]), row[8])));
    let ours = swept_figures(SWEEP);
    for (index, what) in FIGURES.into_iter().enumerate() {
        let [low, high] = range(&ours, index);
        let theirs = reference[index];
        assert!(low < theirs && theirs < high, "{what}: {low} to {high}, reference {theirs}");
    }
}

/// The stop of the suspensions takes the planes of edges for what they are within a frame. So all
/// starts come near the drive with a sixteenth of the step.
#[test]
fn sweeps_lose_nearly_as_much_at_the_bump_as_at_a_small_step() {
    let stop = LimitDirection::RoadNormal;
    let [usual, fine] = [1, 16].map(|rate| swept_figures(Trial { stop, rate, ..SWEEP }));
    let endless = swept_figures(SWEEP);
    let mean = |figures: &[[Real; 3]], index: usize| {
        figures.iter().map(|figures| figures[index]).sum::<Real>() / figures.len() as Real
    };
    for (index, (what, allowed)) in FIGURES.into_iter().zip([0.05, 0.85, 0.5]).enumerate() {
        let exact = mean(&fine, index);
        for figures in &usual {
            let error = (figures[index] - exact).abs();
            assert!(error < allowed, "{what}: {}, at a small step {exact}", figures[index]);
        }
        let [[low, high], [endless_low, endless_high]] =
            [&usual, &endless].map(|figures| range(figures, index));
        let what =
            format!("{what}: {low} to {high}, {endless_low} to {endless_high} without an end");
        assert!(high - low < endless_high - endless_low, "{what}");
    }
}

/// What is compared at the bump.
const FIGURES: [&str; 3] = ["top (m)", "slowest (m/s)", "after (m/s)"];

/// The highest place (m) and the least speed (m/s) on the bump, and the speed after it (m/s).
fn figures(moments: impl Iterator<Item = (Vector, Real)>) -> [Real; 3] {
    let (mut top, mut slowest, mut speed_after): (Real, Real, Real) = (0.0, Real::MAX, 0.0);
    for (place, speed) in moments {
        match place.z {
            z if z < 9.9 => {}
            z if z < 13.0 => (top, slowest) = (top.max(place.y), slowest.min(speed)),
            z if z < 17.5 => speed_after = speed,
            _ => {}
        }
    }
    [top, slowest, speed_after]
}

/// The figures of `trial` from all starts.
fn swept_figures(trial: Trial) -> Vec<[Real; 3]> {
    let of_start = |start| {
        let drive = drive(Trial { start, ..trial });
        figures(drive.iter().map(|moment| (moment.place, moment.speed)))
    };
    starts().map(of_start).collect()
}

/// The least and the largest of one of the figures.
fn range(all: &[[Real; 3]], index: usize) -> [Real; 2] {
    let of_index = || all.iter().map(|figures| figures[index]);
    [of_index().fold(Real::INFINITY, Real::min), of_index().fold(Real::NEG_INFINITY, Real::max)]
}
