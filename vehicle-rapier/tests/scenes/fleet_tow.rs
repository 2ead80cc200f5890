//! Trucks in fleets: the trailer lets go when its tractor pulls.

use rapier3d::prelude::*;
use snippets::drive::{Controlled, Driven};
use snippets::scenes::{Scene, TruckSetting, truck};
use snippets::schedule::{Controls, Phase, Schedule};
use snippets::truck::{Truck, UpdateOrder};
use vehicle_rapier::drivetrain::{DirectDriveVehicle, EngineDriveVehicle};
use vehicle_rapier::fleet::{Fleet, VehicleHandle};
use vehicle_rapier::{Activity, Chassis};

const DT: Real = snippets::scenes::ENGINE_DRIVE_DT;

/// Time for which the truck parks (s).
const PARKED: Real = 10.0;

/// Steps for which it pulls away.
const STEPS_OF_PULL: usize = 120;

/// A truck on a hill of 15 %, whose bodies may sleep or not.
fn hill_truck(can_sleep: bool) -> Scene<Truck> {
    let setting = TruckSetting {
        grade_percent: 15.0,
        order: UpdateOrder::ReleaseFirst,
        ..TruckSetting::default()
    };
    let mut scene = truck(&setting).expect("valid data");
    if !can_sleep {
        for body in [scene.driven.tractor.actor.body, scene.driven.trailer.actor.body] {
            scene.world.bodies[body].activation_mut().normalized_linear_threshold = -1.0;
        }
    }
    scene
}

/// What its driver does: parks, holds the truck on the brake until the clutch pulls, pulls away.
fn controls() -> impl Iterator<Item = Controls> {
    let phases = [
        Phase::lasting(PARKED).brake(0.5),
        Phase::lasting(0.3).throttle(0.65).brake(0.5),
        Phase::lasting(10.0).throttle(0.65),
    ];
    let stops = Schedule::new([phases[0], phases[1]], DT).step_count();
    Schedule::new(phases, DT).take(stops + STEPS_OF_PULL)
}

/// A truck in a fleet.
struct FleetTruck {
    world: PhysicsWorld,
    fleet: Fleet,
    tractor: VehicleHandle<EngineDriveVehicle>,
    trailer: VehicleHandle<DirectDriveVehicle>,
    bodies: [RigidBodyHandle; 2],
}

impl FleetTruck {
    fn new(can_sleep: bool) -> Self {
        let Scene { world, driven: Truck { tractor, trailer, .. }, .. } = hill_truck(can_sleep);
        let bodies = [tractor.actor.body, trailer.actor.body];
        let mut fleet = Fleet::new();
        let (tractor, trailer) = (fleet.insert(tractor), fleet.insert(trailer));
        Self { world, fleet, tractor, trailer, bodies }
    }

    fn towing(can_sleep: bool) -> Self {
        let mut truck = Self::new(can_sleep);
        truck.fleet.tow(truck.tractor, truck.trailer).expect("both are there");
        truck
    }

    fn step(&mut self, controls: &Controls) {
        if let Some(tractor) = self.fleet.get_mut(self.tractor) {
            tractor.vehicle.take(controls);
        }
        self.fleet[self.trailer].vehicle.commands.brakes = controls.commands.brakes;
        assert_eq!(self.fleet.step(&mut self.world), []);
    }

    fn places(&self) -> [Vector; 2] {
        places(&self.world, self.bodies)
    }

    fn trailer_is_held(&self) -> bool {
        let tires = &self.fleet[self.trailer].vehicle.state.mechanics.tires;
        tires.iter().any(|tire| tire.sticky.longitudinal.is_active)
    }
}

fn places(world: &PhysicsWorld, bodies: [RigidBodyHandle; 2]) -> [Vector; 2] {
    bodies.map(|body| world.bodies[body].translation())
}

/// Where tractor and trailer are after every step, each updated on its own by `update`.
fn drive_alone(
    can_sleep: bool,
    mut update: impl FnMut(&mut Truck, &Controls, &mut PhysicsWorld),
) -> Vec<[Vector; 2]> {
    let Scene { mut world, mut driven, .. } = hill_truck(can_sleep);
    let bodies = [driven.tractor.actor.body, driven.trailer.actor.body];
    let step = |controls| {
        update(&mut driven, &controls, &mut world);
        world.step();
        places(&world, bodies)
    };
    controls().map(step).collect()
}

/// Where they are after every step of a fleet.
fn drive_in_fleet(mut truck: FleetTruck) -> Vec<[Vector; 2]> {
    let step = |controls| {
        truck.step(&controls);
        truck.places()
    };
    controls().map(step).collect()
}

#[test]
fn a_truck_in_a_fleet_does_what_it_does_alone() {
    for can_sleep in [true, false] {
        let alone = drive_alone(can_sleep, |truck, controls, world| {
            Driven::update(truck, controls, world).expect("the truck can be driven");
        });
        let together = drive_in_fleet(FleetTruck::towing(can_sleep));
        let differs = (0..alone.len()).find(|&step| alone[step] != together[step]);
        assert_eq!(differs, None, "first step, can sleep: {can_sleep}");
    }
}

#[test]
fn a_truck_in_a_fleet_parks_on_a_hill_and_pulls_away_without_rolling_back() {
    for can_sleep in [true, false] {
        let places = drive_in_fleet(FleetTruck::towing(can_sleep));
        let parked = (PARKED / DT) as usize;
        for vehicle in 0..2 {
            let [settled, stood, end] =
                [180, parked, places.len() - 1].map(|step| places[step][vehicle]);
            let case = format!("vehicle {vehicle}, can sleep: {can_sleep}");
            let drift = stood.distance(settled);
            assert!(drift < 1e-3, "{case}: {drift} m while it parks");
            let lowest = places[parked..].iter().map(|place| place[vehicle].y);
            let lowest = lowest.fold(Real::INFINITY, Real::min);
            assert!(stood.y - 1e-3 < lowest, "{case}: from {} m down to {lowest} m", stood.y);
            assert!(1.0 < end.z - stood.z, "{case}: from {stood} to {end}");
        }
    }
}

#[test]
fn a_trailer_that_is_not_towed_does_what_it_does_alone_and_lets_go_later() {
    let together = drive_in_fleet(FleetTruck::new(true));
    let alone = drive_alone(true, |truck, controls, world| {
        truck.tractor.vehicle.take(controls);
        truck.trailer.vehicle.commands.brakes = controls.commands.brakes;
        truck.tractor.update(&mut *world).expect("the tractor can be driven");
        truck.trailer.update(world).expect("the trailer can be updated");
    });
    assert!(together == alone);
    let steps_held = |mut truck: FleetTruck| {
        let held = controls().map(|controls| {
            truck.step(&controls);
            truck.trailer_is_held()
        });
        held.filter(|is_held| *is_held).count()
    };
    let [held, towed] = [FleetTruck::new(true), FleetTruck::towing(true)].map(steps_held);
    assert!(towed < held, "{held} steps held, {towed} towed");
}

#[test]
fn a_tow_ends_when_its_tractor_is_removed() {
    let mut truck = FleetTruck::towing(false);
    let pull = STEPS_OF_PULL / 2;
    let controls: Vec<_> = controls().collect();
    let (before, _) = controls.split_at(controls.len() - pull);
    for controls in before {
        truck.step(controls);
    }
    assert!(!truck.trailer_is_held(), "the tractor pulls");
    let tractor = truck.fleet.remove(truck.tractor).expect("it is there");
    tractor.remove(&mut truck.world);
    // Another one takes its place in the fleet, and accelerates far away.
    let mut newcomer = hill_truck(false).driven.tractor;
    let pose = Pose::from_translation(Vector::new(50.0, 100.0, 0.0));
    let PhysicsWorld { bodies, colliders, .. } = &mut truck.world;
    newcomer.actor = Chassis::new(&newcomer.vehicle.params().mechanics.rigid_body)
        .pose(pose)
        .insert(bodies, colliders);
    newcomer.vehicle.commands.throttle = 1.0;
    truck.fleet.insert(newcomer);
    let parked = Phase::lasting(0.0).brake(1.0).controls;
    for _ in 0..180 {
        truck.step(&parked);
    }
    assert!(truck.trailer_is_held(), "nobody pulls it");
}

#[test]
fn a_trailer_that_is_let_go_falls_asleep_whoever_drives_the_tractor() {
    for lets_go in [true, false] {
        let mut truck = FleetTruck::towing(true);
        let (tractor, trailer) = (truck.tractor, truck.trailer);
        for controls in controls().take(60) {
            truck.step(&controls);
        }
        let joints: Vec<_> = truck.world.impulse_joints.iter().map(|(joint, _)| joint).collect();
        for joint in joints {
            truck.world.impulse_joints.remove(joint, true);
        }
        assert!(!truck.fleet.untow(trailer, tractor), "the trailer pulls nobody");
        if lets_go {
            assert!(truck.fleet.untow(tractor, trailer));
            assert!(!truck.fleet.untow(tractor, trailer), "it has been let go");
        }
        let pull = Phase::lasting(0.0).throttle(0.65).controls;
        for _ in 0..600 {
            truck.fleet[tractor].vehicle.take(&pull);
            truck.fleet[trailer].vehicle.commands.brakes = [1.0, 0.0];
            assert_eq!(truck.fleet.step(&mut truck.world), []);
        }
        // A tractor that is driven wakes the trailer that it pulls, in every step.
        let is_asleep = truck.fleet.activity(trailer) == Some(Activity::Asleep);
        assert_eq!(is_asleep, lets_go);
    }
}
