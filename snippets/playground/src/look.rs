//! How a vehicle looks, as far as its parameters say: its size, its wheels, the range of its
//! engine.

use rapier3d::prelude::*;
use vehicle_rapier::vehicle_file::{AnyDrive, AnyRapierVehicle};

use crate::{Session, body_size};

/// What of a vehicle a front needs to draw it, in its body (m).
#[derive(Clone, Debug, PartialEq)]
pub struct Look {
    /// Length, width and height of the body without what is below its floor (m).
    pub size: [Real; 3],
    /// Lowest and highest point of the body (m).
    pub bounds: [Real; 2],
    /// Its wheels.
    pub wheels: Vec<WheelLook>,
    /// Idle speed and highest speed of the engine (rad/s), if there is one with such.
    pub engine: Option<[Real; 2]>,
    /// Whether it runs on tracks.
    pub is_tank: bool,
}

/// A wheel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WheelLook {
    /// Its center in the middle of its travel (m).
    pub place: Vector,
    /// Radius (m).
    pub radius: Real,
    /// Half of its width (m).
    pub half_width: Real,
}

impl Session {
    /// How the vehicle looks.
    pub fn look(&self) -> Look {
        let car = self.car();
        let params = car.mechanics().params;
        let physics = &self.world().physics;
        let body = &physics.bodies[car.body()];
        let center = body.local_center_of_mass();
        let wheels = params.suspensions.iter().zip(&params.wheels).map(|(suspension, wheel)| {
            let half_way = suspension.travel_direction * (0.5 * suspension.travel_distance);
            let place = center + suspension.wheel_mount() + half_way;
            WheelLook { place, radius: wheel.radius, half_width: wheel.half_width }
        });
        let mut bounds: Option<Aabb> = None;
        for collider in body.colliders() {
            let Some(collider) = physics.colliders.get(*collider) else { continue };
            let pose = collider.position_wrt_parent().copied().unwrap_or(Pose::IDENTITY);
            let own = collider.shape().compute_aabb(&pose);
            bounds = Some(bounds.map_or(own, |all| all.merged(&own)));
        }
        let size = body_size(self.vehicle());
        Look {
            size,
            bounds: bounds.map_or([-0.4, 0.5 * size[2]], |all| [all.mins.y, all.maxs.y]),
            wheels: wheels.collect(),
            engine: engine_range(car),
            is_tank: matches!(car.vehicle.drive, AnyDrive::Tank(_)),
        }
    }
}

fn engine_range(car: &AnyRapierVehicle) -> Option<[Real; 2]> {
    car.vehicle.engine().map(|engine| [engine.idle_speed, engine.max_speed])
}
