//! A crowd: a thousand cars that drive in circles, for a page that draws them as instances of one.

use rapier3d::prelude::*;
use vehicle_rapier::core::blueprint::CarBlueprint;
use vehicle_rapier::core::math::{TAU, sin_cos};
use vehicle_rapier::prelude::*;
use vehicle_rapier::vehicle_file::MechanicsSource;

use crate::{DEFAULT_VEHICLE, Error, vehicle_file};

/// Number of cars.
pub const CROWD_SIZE: usize = 1_000;
/// Cars in a row.
const ROW: usize = 25;
/// Distance of two cars across and along (m).
const SPACING: [Real; 2] = [9.0, 9.0];
/// Speed that drivers want (m/s).
const SPEED: Real = 7.0;
/// Throttle for a lack of 1 m/s (s/m).
const GAIN: Real = 0.25;
/// Time of a bend to the left and one to the right (s).
const WEAVE_PERIOD: Real = 12.0;
/// Torque of each rear wheel at full throttle (N·m).
const TORQUE: Real = 600.0;
/// Levels of detail by the distance from the driven car (m).
const DETAIL: [(Real, Detail); 2] = [
    (30.0, Detail { road_period: 3, max_substeps: 1, ..Detail::FULL }),
    (90.0, Detail { road_period: 6, max_substeps: 1, ..Detail::FULL }),
];

/// The cars, in a world.
pub(crate) struct Crowd {
    fleet: Fleet,
    bodies: Vec<RigidBodyHandle>,
    /// Length, width and height of a car's body, and its center above the center of mass (m).
    size: [Real; 4],
    time: Real,
}

impl Crowd {
    /// A thousand cars in rows on flat ground, all heading +z.
    pub(crate) fn new(world: &mut PhysicsWorld) -> Result<Self, Error> {
        let MechanicsSource::DataSheet(sheet) = vehicle_file(DEFAULT_VEHICLE)?.mechanics else {
            return Err(Error::Mesh(format!("{DEFAULT_VEHICLE} has no data sheet")));
        };
        let blueprint: CarBlueprint = *sheet;
        let [length, width, height] = blueprint.size;
        let up = blueprint.wheel.radius + 0.5 * height - blueprint.center_of_mass_height;
        let hull = ColliderBuilder::cuboid(0.5 * width, 0.5 * height, 0.5 * length)
            .translation(Vector::Y * up);
        let throttle = CommandResponseParams::linear(TORQUE, [0.0, 0.0, 1.0, 1.0]);
        let model = DirectDriveVehicle::new(DirectDriveParams {
            mechanics: blueprint.mechanics()?,
            throttle,
        })?;
        let sequence = std::sync::Arc::new(DirectDriveVehicle::sequence());
        let (mut fleet, mut bodies) = (Fleet::new(), Vec::with_capacity(CROWD_SIZE));
        let [across, along] = SPACING;
        let rows = CROWD_SIZE / ROW;
        for index in 0..CROWD_SIZE {
            let (row, column) = (index / ROW, index % ROW);
            let x = across * (column as Real - 0.5 * (ROW - 1) as Real);
            let z = along * (row as Real - 0.5 * (rows - 1) as Real);
            let place = Vector::new(x, blueprint.center_of_mass_height, z);
            let mut vehicle = model.another();
            vehicle.controls.gear = Gear::Forward;
            let chassis = Chassis::new(&vehicle.params().mechanics.rigid_body)
                .pose(Pose::from_translation(place))
                .collider(hull.clone());
            let car = RapierVehicle::insert(world, chassis, vehicle, sequence.clone());
            bodies.push(car.actor.body);
            fleet.insert(car);
        }
        Ok(Self { fleet, bodies, size: [length, width, height, up], time: 0.0 })
    }

    /// Drives all cars for a step of `dt` (s), before the world's own; `eye` is where they are
    /// looked at from.
    pub(crate) fn update(&mut self, world: &mut PhysicsWorld, eye: Vector, dt: Real) {
        self.time += dt;
        let turns = self.time / WEAVE_PERIOD;
        let steer = 0.35 * sin_cos(TAU * (turns - turns.floor())).0;
        for (_, car) in self.fleet.iter_mut::<DirectDriveVehicle>() {
            let lack = SPEED - car.forward_speed();
            let commands = &mut car.vehicle.commands;
            commands.throttle = (GAIN * lack).clamp(0.0, 1.0);
            commands.brakes[0] = (-0.1 * lack).clamp(0.0, 1.0);
            commands.steer = steer;
        }
        let bodies = &world.bodies;
        self.fleet.set_detail(|_, actor| {
            let distance =
                bodies.get(actor.body).map_or(Real::MAX, |body| body.translation().distance(eye));
            Detail::at_distance(distance, &DETAIL)
        });
        // A car with a fault stays as it is; the others drive on.
        let _faults = self.fleet.update(world);
    }

    /// The bodies of the cars.
    pub(crate) fn bodies(&self) -> &[RigidBodyHandle] {
        &self.bodies
    }

    /// Length, width and height of a car's body, and its center above the center of mass (m).
    pub(crate) fn size(&self) -> [Real; 4] {
        self.size
    }
}
