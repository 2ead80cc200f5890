//! A suspension of your own, in the place of the library's: it stiffens as it is compressed.

use std::ops::ControlFlow;

use rapier3d::prelude::*;
use vehicle_rapier::prelude::*;

/// The stage: the library's suspension, whose forces grow by up to a half at full compression.
fn stiffening<V: HasMechanics>(car: &mut V, dt: Real, context: &Context<'_>) -> ControlFlow<()> {
    car.mechanics().suspension().update(dt, context);
    let view = car.mechanics().suspension();
    for wheel in view.axles.wheels() {
        let jounce = view.states.of(wheel).compression.jounce.unwrap_or(0.0);
        let growth = 1.0 + 0.5 * jounce / view.params.of(wheel).travel_distance;
        view.states.edit(wheel, |suspension| {
            let force = &mut suspension.force;
            force.normal_load *= growth;
            force.force *= growth;
            force.torque *= growth;
        });
    }
    ControlFlow::Continue(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = PhysicsWorld::new();
    let road = ColliderBuilder::cuboid(500.0, 1.0, 500.0).translation(Vector::Y * -1.0);
    world.insert_collider(road.friction(1.0), None);
    world.detect_collisions(&(), &());
    // The stage pushes the body: its wheels have no mass.
    let sheet = CarBlueprint { ride: None, ..CarBlueprint::default() };
    let mechanics = sheet.mechanics()?;
    let chassis = Chassis::new(&mechanics.rigid_body)
        .pose(Pose::from_translation(Vector::Y * 0.6))
        .collider(ColliderBuilder::cuboid(0.9, 0.4, 2.2).translation(Vector::Y * 0.2));
    let throttle = CommandResponseParams::linear(600.0, [0.0, 0.0, 1.0, 1.0]);
    let vehicle = DirectDriveVehicle::new(DirectDriveParams { mechanics, throttle })?;
    let sequence = DirectDriveVehicle::sequence().replace::<Suspension>(stiffening)?;
    let mut car = RapierVehicle::insert(&mut world, chassis, vehicle, sequence);
    for _ in 0..300 {
        car.step(&mut world)?;
    }
    let jounce = car.vehicle.suspension_state(0).compression.jounce.unwrap_or_default();
    println!("compressed by {:.1} cm at rest", 100.0 * jounce);
    assert!((0.05..0.12).contains(&jounce));
    Ok(())
}
