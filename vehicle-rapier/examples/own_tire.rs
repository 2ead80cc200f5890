//! A tire of your own: friction that grows with the slip, and no more than the road's.

use rapier3d::prelude::*;
use vehicle_rapier::core::tire::{NoLanes, TireInput, TireOutput};
use vehicle_rapier::prelude::*;

#[derive(Clone, Debug, PartialEq)]
struct MyTire;

impl TireModel for MyTire {
    type State = (); // what it remembers from step to step
    type Lanes = NoLanes; // asked wheel by wheel

    fn forces(&self, input: &TireInput<'_>, (): &mut ()) -> TireOutput {
        let (along, across) = (input.slip.longitudinal, input.slip.angle());
        // 15 times the load per slip, and no more than friction allows.
        let slip = along.hypot(across).max(1e-6);
        let stiffness = input.grip.load * (input.grip.friction / slip).min(15.0);
        TireOutput {
            longitudinal_force: stiffness * along,
            lateral_force: -stiffness * across,
            longitudinal_stiffness: stiffness, // lets wheel and tire be solved together
            ..TireOutput::default()
        }
    }

    fn check(&self, _: &mut ParamCheck) {} // it has no parameters
}

type MyCar = DirectDriveVehicleWith<MyTire>;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = PhysicsWorld::new();
    let road = ColliderBuilder::cuboid(500.0, 1.0, 500.0).translation(Vector::Y * -1.0);
    world.insert_collider(road.friction(1.0), None);
    world.detect_collisions(&(), &());
    let mechanics = CarBlueprint::default().mechanics()?.with_tires(vec![MyTire; 4]);
    let place = Pose::from_translation(Vector::Y * 0.6);
    let chassis = Chassis::new(&mechanics.rigid_body).pose(place);
    let throttle = CommandResponseParams::linear(600.0, [0.0, 0.0, 1.0, 1.0]);
    let vehicle = MyCar::new(DirectDriveParams { mechanics, throttle })?;
    let mut car = RapierVehicle::insert(&mut world, chassis, vehicle, MyCar::sequence());
    (car.vehicle.controls.gear, car.vehicle.commands.throttle) = (Gear::Forward, 0.5);
    for _ in 0..300 {
        car.step(&mut world)?;
    }
    assert!(20.0 < car.speed_kmh(), "{} km/h on tires of my own", car.speed_kmh());
    Ok(())
}
