//! Same inputs, same bits: whatever the number of threads, and what else is in the world.
//!
//! With the feature `enhanced-determinism`, the bits are also those of every other platform, build
//! and set of features: each scene has a hash that must come out. To update the hashes after a
//! change of trajectories, run
//!
//! ```sh
//! cargo test -p vehicle-rapier --features enhanced-determinism --test determinism
//! ```
//!
//! and copy the hashes that it prints into the table `HASHES`.

mod common;

use common::{DT, Noise};
use rapier3d::prelude::*;
use snippets::drive::Driven;
use snippets::drivetrains::{SampleDifferential, TankBrakes, sample_engine_drive, sample_tank};
use snippets::fingerprint::Fingerprint;
use snippets::rigs::Rig;
use snippets::scenes::{Scene, TruckSetting, four_wheel_drive, level_world, tank_drive, truck};
use snippets::truck::Truck;
use snippets::vehicles::{sample_chassis, sample_direct_drive};
use vehicle_rapier::core::blueprint::CarBlueprint;
use vehicle_rapier::core::rigid_body::RigidBodyParams;
use vehicle_rapier::drivetrain::blocks::{DrivelineCommands, ready_made};
use vehicle_rapier::drivetrain::direct_drive::Gear;
use vehicle_rapier::drivetrain::{
    BlockDriveParams, BlockDriveVehicle, DirectDriveVehicle, EngineDriveVehicle, TankVehicle,
};
use vehicle_rapier::{Chassis, Drivable, Fleet, RapierVehicle, RoadQueryShape};

/// Hashes of the scenes, with the feature `enhanced-determinism`.
#[cfg(feature = "enhanced-determinism")]
const HASHES: [(&str, u64); 5] = [
    ("four-wheel drive", 0x7d7f_8011_3911_e5cd),
    ("tank", 0xd17d_0997_f5d4_ba99),
    ("truck", 0x7297_0b61_27a5_2f96),
    ("fleet", 0x2f3d_264c_1718_de6c),
    ("drivelines from blocks", 0x5428_31f1_8ef4_91fb),
];

/// Adds pose and velocities of the body, and speeds of the wheels.
fn add_vehicle<V: Drivable>(
    bits: &mut Fingerprint,
    bodies: &RigidBodySet,
    vehicle: &mut RapierVehicle<V>,
) {
    let body = &bodies[vehicle.actor.body];
    for vector in [body.translation(), body.linvel(), body.angvel()] {
        bits.add(&vector.to_array());
    }
    bits.add(&body.rotation().to_array());
    let view = vehicle.vehicle.mechanics().wheels();
    for wheel in view.axles.wheels() {
        bits.add(&[view.states.of(wheel).rotation_speed]);
    }
}

/// Hash of a scene, driven for `steps`.
fn scene_bits<T: Driven>(
    mut scene: Scene<T>,
    steps: usize,
    add: impl Fn(&mut Fingerprint, &RigidBodySet, &mut T),
) -> Fingerprint {
    let mut bits = Fingerprint::default();
    for controls in scene.schedule.take(steps) {
        scene.driven.update(&controls, &mut scene.world).expect("the vehicle can be driven");
        scene.world.step();
        add(&mut bits, &scene.world.bodies, &mut scene.driven);
    }
    bits
}

fn four_wheel_drive_bits() -> Fingerprint {
    let differential = SampleDifferential::FourWheel { is_slip_limited: true };
    let scene = four_wheel_drive(differential, None).expect("valid data");
    scene_bits(scene, 900, add_vehicle)
}

fn tank_bits() -> Fingerprint {
    let scene = tank_drive(TankBrakes::AllWheels, None).expect("valid data");
    scene_bits(scene, 900, add_vehicle)
}

fn truck_bits() -> Fingerprint {
    let scene = truck(&TruckSetting::default()).expect("valid data");
    scene_bits(scene, 900, |bits, bodies, truck: &mut Truck| {
        add_vehicle(bits, bodies, &mut truck.tractor);
        add_vehicle(bits, bodies, &mut truck.trailer);
    })
}

/// A car and a truck whose wheels drivelines from blocks turn, each through clutch, gears and
/// differentials.
fn block_bits() -> Fingerprint {
    let mut bits = Fingerprint::default();
    let truck = Rig::truck(24_000.0, &[3.0, 1.6, -1.4, -2.8]);
    let car = CarBlueprint::default().mechanics();
    let drives = [
        (car, ready_made::all_wheel_drive(), 0.55, 1),
        (truck.mechanics(), ready_made::truck_8x8(), truck.center_of_mass_height, 3),
    ];
    for (mechanics, tree, height, gear) in drives {
        let params =
            BlockDriveParams::new(mechanics.expect("valid data"), tree.expect("no faults"));
        let mut world = level_world(DT, 0.9);
        let hull = ColliderBuilder::cuboid(0.9, 0.4, 2.2).translation(Vector::Y * 0.3);
        let pose = Pose::from_translation(Vector::Y * height);
        let chassis = Chassis::new(&params.mechanics.rigid_body).pose(pose).collider(hull);
        let vehicle = BlockDriveVehicle::new(params).expect("valid data");
        let mut vehicle =
            RapierVehicle::insert(&mut world, chassis, vehicle, BlockDriveVehicle::sequence());
        for step in 0..900 {
            let is_started = 120 < step;
            let shift = i32::from(300 < step) + i32::from(420 < step);
            vehicle.vehicle.controls = DrivelineCommands {
                gear: gear + shift,
                clutch: if is_started { 0.0 } else { 0.5 },
                differential_lock: Real::from(u8::from(step % 200 < 50)),
                ..DrivelineCommands::default()
            };
            let commands = &mut vehicle.vehicle.commands;
            commands.throttle = if step < 600 { 0.8 } else { 0.0 };
            commands.brakes[0] = if step < 700 { 0.0 } else { 0.7 };
            commands.steer = 0.1;
            vehicle.step(&mut world).expect("the vehicle can be driven");
            add_vehicle(&mut bits, &world.bodies, &mut vehicle);
        }
    }
    bits
}

/// Rough ground of triangles, 120 m by 120 m.
fn rough_world() -> PhysicsWorld {
    const POINTS: usize = 61;
    let mut noise = Noise(7);
    let heights = (0..POINTS * POINTS).map(|_| noise.within(-0.05, 0.05)).collect();
    let heights = Array2::new(POINTS, POINTS, heights);
    let (vertices, triangles) =
        HeightField::new(heights, Vector::new(120.0, 1.0, 120.0)).to_trimesh();
    let mut world = PhysicsWorld::new();
    world.integration_parameters.dt = DT;
    let mesh = ColliderBuilder::trimesh(vertices, triangles).expect("a mesh");
    world.insert_collider(mesh.friction(1.0), None);
    world.detect_collisions(&(), &());
    world
}

/// Puts a vehicle onto its place in a grid of 12 m.
fn insert<V: Drivable>(
    world: &mut PhysicsWorld,
    place: usize,
    params: &RigidBodyParams,
    vehicle: V,
    sequence: vehicle_rapier::core::ComponentSequence<V>,
) -> RapierVehicle<V> {
    let (row, column) = (place / 8, place % 8);
    let position = Vector::new(column as Real - 3.5, 0.02, row as Real - 2.0) * 12.0;
    let pose = Pose::from_translation(position);
    let mut vehicle = RapierVehicle::insert(world, sample_chassis(params, pose), vehicle, sequence);
    let sweeps = place.is_multiple_of(2);
    vehicle.road.shape = if sweeps { RoadQueryShape::Cylinder } else { RoadQueryShape::Ray };
    vehicle
}

/// Vehicles of three types, those at `places`, put into the world in this order.
fn mixed_fleet(world: &mut PhysicsWorld, places: impl Iterator<Item = usize>) -> Fleet {
    let direct = sample_direct_drive().expect("valid data");
    let differential = SampleDifferential::FourWheel { is_slip_limited: true };
    let engine = sample_engine_drive(differential).expect("valid data");
    let tank = sample_tank(TankBrakes::PerTrack).expect("valid data");
    let mut fleet = Fleet::new();
    for place in places {
        // Each driver does the same all the time, another than the others.
        let share = (place % 7) as Real / 7.0;
        match place % 3 {
            0 => {
                let mut vehicle = DirectDriveVehicle::new(direct.clone()).expect("valid data");
                vehicle.controls.gear = Gear::Forward;
                vehicle.commands.throttle = share;
                vehicle.commands.steer = 0.5 - share;
                let params = &direct.mechanics.rigid_body;
                let sequence = DirectDriveVehicle::sequence();
                fleet.insert(insert(world, place, params, vehicle, sequence));
            }
            1 => {
                let mut vehicle = EngineDriveVehicle::new(engine.clone()).expect("valid data");
                vehicle.commands.throttle = share;
                vehicle.commands.steer = 0.3 - share;
                let params = &engine.mechanics.rigid_body;
                let sequence = EngineDriveVehicle::sequence();
                fleet.insert(insert(world, place, params, vehicle, sequence));
            }
            _ => {
                let mut vehicle = TankVehicle::new(tank.clone()).expect("valid data");
                vehicle.commands.throttle = share;
                vehicle.controls.thrusts = [1.0, 0.6 - share];
                let params = &tank.mechanics.rigid_body;
                let sequence = TankVehicle::sequence();
                fleet.insert(insert(world, place, params, vehicle, sequence));
            }
        }
    }
    fleet
}

/// Hashes of the vehicles of a fleet by their places, driven for `steps` by `threads`.
fn fleet_bits(places: Vec<usize>, steps: usize, threads: usize) -> Vec<(usize, Fingerprint)> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    let mut bits = vec![Fingerprint::default(); places.len()];
    let mut world = rough_world();
    let mut fleet = mixed_fleet(&mut world, places.iter().copied());
    // Bodies are numbered as they come, behind the mesh, which has none.
    let number = |vehicle: RigidBodyHandle| vehicle.into_raw_parts().0 as usize;
    pool.install(|| {
        for _ in 0..steps {
            let faults = fleet.step(&mut world);
            assert!(faults.is_empty(), "{faults:?}");
            for (_, car) in fleet.iter_mut::<DirectDriveVehicle>() {
                add_vehicle(&mut bits[number(car.actor.body)], &world.bodies, car);
            }
            for (_, car) in fleet.iter_mut::<EngineDriveVehicle>() {
                add_vehicle(&mut bits[number(car.actor.body)], &world.bodies, car);
            }
            for (_, tank) in fleet.iter_mut::<TankVehicle>() {
                add_vehicle(&mut bits[number(tank.actor.body)], &world.bodies, tank);
            }
        }
    });
    let mut hashes: Vec<_> = places.into_iter().zip(bits).collect();
    hashes.sort_by_key(|(place, _)| *place);
    hashes
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let alone = fleet_bits((0..40).collect(), 240, 1);
    for threads in [2, 3, 8, 16] {
        let together = fleet_bits((0..40).collect(), 240, threads);
        assert_eq!(together, alone, "{threads} threads");
    }
}

#[test]
fn the_order_and_the_number_of_other_vehicles_do_not_matter() {
    // Until vehicles of other places could meet.
    let steps = 60;
    let all = fleet_bits((0..40).collect(), steps, 2);
    let backward = fleet_bits((0..40).rev().collect(), steps, 2);
    assert_eq!(backward, all, "the other way around");
    let some = fleet_bits((0..40).step_by(5).collect(), steps, 2);
    for (place, bits) in some {
        assert_eq!((place, bits), all[place], "one of eight");
    }
}

#[test]
fn scenes_give_the_same_bits_again() {
    for (name, bits) in
        [("four-wheel drive", four_wheel_drive_bits as fn() -> Fingerprint), ("tank", tank_bits)]
    {
        assert_eq!(bits(), bits(), "{name}");
    }
    assert_eq!(truck_bits(), truck_bits(), "truck");
    assert_eq!(block_bits(), block_bits(), "drivelines from blocks");
}

/// `bits` as they are written in Rust.
#[cfg(feature = "enhanced-determinism")]
fn grouped(bits: u64) -> String {
    let groups = [48, 32, 16, 0].map(|shift| format!("{:04x}", (bits >> shift) & 0xffff));
    format!("0x{}", groups.join("_"))
}

#[cfg(feature = "enhanced-determinism")]
#[test]
fn scenes_give_the_bits_of_every_platform() {
    let mut fleet = Fingerprint::default();
    for (_, bits) in fleet_bits((0..40).collect(), 240, 2) {
        fleet.combine(bits);
    }
    let found = [four_wheel_drive_bits(), tank_bits(), truck_bits(), fleet, block_bits()];
    let found: Vec<_> = HASHES.iter().zip(found).map(|((name, _), bits)| (*name, bits.0)).collect();
    let table: String =
        found.iter().map(|(name, bits)| format!("    ({name:?}, {}),\n", grouped(*bits))).collect();
    assert!(
        found == HASHES,
        "other trajectories than before: if they are meant to be, HASHES in {} becomes\n{table}",
        file!()
    );
}
