//! A car that pulls a trailer on a ball joint.

use rapier3d::prelude::*;
use vehicle_rapier::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = PhysicsWorld::new();
    let road = ColliderBuilder::cuboid(500.0, 1.0, 500.0).translation(Vector::Y * -1.0);
    world.insert_collider(road.friction(1.0), None);
    world.detect_collisions(&(), &());

    let mut vehicles = Vec::new();
    for (mass, torque, lock, place) in [(1_500.0, 600.0, 0.6, 0.0), (800.0, 0.0, 0.0, -5.5)] {
        let sheet = CarBlueprint { mass, max_steer_angle: lock, ..CarBlueprint::default() };
        let mechanics = sheet.mechanics()?;
        let chassis = Chassis::new(&mechanics.rigid_body)
            .pose(Pose::from_translation(Vector::new(0.0, 0.6, place)))
            .collider(ColliderBuilder::cuboid(0.9, 0.4, 1.8).translation(Vector::Y * 0.2));
        let throttle = CommandResponseParams::linear(torque, [0.0, 0.0, 1.0, 1.0]);
        let vehicle = DirectDriveVehicle::new(DirectDriveParams { mechanics, throttle })?;
        let stages = DirectDriveVehicle::sequence();
        vehicles.push(RapierVehicle::insert(&mut world, chassis, vehicle, stages));
    }
    let [car, trailer] = vehicles.as_mut_slice() else { unreachable!("there are two") };
    let [rear, front] = [Vector::Z * -2.75, Vector::Z * 2.75];
    let hitch = SphericalJointBuilder::new().local_anchor1(rear).local_anchor2(front);
    world.impulse_joints.insert(car.actor.body, trailer.actor.body, hitch, true);

    (car.vehicle.controls.gear, car.vehicle.commands.throttle) = (Gear::Forward, 0.5);
    for step in 0..600 {
        car.vehicle.commands.steer = if step < 300 { 0.0 } else { 0.2 };
        // A trailer does not know that it is to move: it lets go of the road as the car pulls.
        trailer.follow(&car.vehicle, &mut world.bodies);
        car.update(&mut world)?;
        trailer.update(&mut world)?;
        world.step();
    }
    println!("{:.1} km/h, the trailer at {:.1} km/h", car.speed_kmh(), trailer.speed_kmh());
    assert!((car.speed_kmh() - trailer.speed_kmh()).abs() < 2.0 && 15.0 < car.speed_kmh());
    Ok(())
}
