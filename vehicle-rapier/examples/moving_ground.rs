//! A car that stands on a ferry: it rides along, and does not creep.

use rapier3d::prelude::*;
use vehicle_rapier::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = PhysicsWorld::new();
    let ferry = world.insert_body(RigidBodyBuilder::kinematic_velocity_based());
    let deck = ColliderBuilder::cuboid(10.0, 1.0, 20.0).translation(Vector::Y * -1.0);
    world.insert_collider(deck.friction(1.0), Some(ferry));
    world.step(); // so that the car finds the deck

    let mechanics = CarBlueprint::default().mechanics()?;
    let chassis = Chassis::new(&mechanics.rigid_body)
        .pose(Pose::from_translation(Vector::Y * 0.6))
        .collider(ColliderBuilder::cuboid(0.9, 0.4, 2.2).translation(Vector::Y * 0.2));
    let throttle = CommandResponseParams::linear(600.0, [0.0, 0.0, 1.0, 1.0]);
    let vehicle = DirectDriveVehicle::new(DirectDriveParams { mechanics, throttle })?;
    let mut car =
        RapierVehicle::insert(&mut world, chassis, vehicle, DirectDriveVehicle::sequence());
    car.vehicle.commands.brakes[1] = 1.0; // the hand brake

    let on_deck = |world: &PhysicsWorld, car: &RapierVehicle<_>| {
        let [ferry, car] = [ferry, car.actor.body].map(|body| *world.bodies[body].position());
        ferry.inverse() * car.translation
    };
    let mut start = Vector::ZERO;
    for step in 0..1_200 {
        if step == 180 {
            start = on_deck(&world, &car); // it has settled
        }
        let time = (step as Real - 180.0).max(0.0) / 60.0;
        world.bodies[ferry].set_linvel(Vector::X * time.min(5.0), true);
        world.bodies[ferry].set_angvel(Vector::Y * (0.1 * time.min(5.0)).sin() * 0.3, true);
        car.step(&mut world)?;
    }
    let moved = (on_deck(&world, &car) - start).length();
    println!("moved by {:.1} mm on the deck", 1e3 * moved);
    assert!(moved < 0.02);
    Ok(())
}
