//! The scene of a drive, for the page to build once: parts of the world, places to start from, the vehicle.

use playground::worlds::{Part, PartShape};
use playground::{Session, body_size};
use rapier3d::prelude::*;
use serde_json::{Value, json};
use vehicle_rapier::vehicle_file::{AnyDrive, AnyRapierVehicle};

use crate::frame::{HEADER, POSE, WHEEL};

pub(crate) fn describe(session: &Session) -> Value {
    let world = session.world();
    let moving = world.moving_bodies();
    let parts: Vec<_> = world.parts.iter().map(|part| describe_part(part, &moving)).collect();
    let starts: Vec<_> = world
        .starts
        .iter()
        .map(|start| {
            json!({
                "name": start.name,
                "place": start.pose.translation.to_array(),
                "rotation": start.pose.rotation.to_array(),
                "isMoving": start.body.is_some(),
            })
        })
        .collect();
    json!({
        "layout": { "header": HEADER, "wheel": WHEEL, "pose": POSE },
        "setup": session.setup(),
        "parts": parts,
        "starts": starts,
        "moving": moving.len(),
        "crowd": session.crowd_size(),
        "vehicle": describe_vehicle(session),
    })
}

fn describe_part(part: &Part, moving: &[RigidBodyHandle]) -> Value {
    let Part { shape, surface, pose, body } = part;
    let shape = match shape {
        PartShape::Cuboid(half) => json!({ "box": half.to_array() }),
        PartShape::Cylinder { half_height, radius } => json!({ "cylinder": [half_height, radius] }),
        PartShape::Mesh { corners, triangles } => {
            let corners: Vec<f32> = corners.iter().flat_map(|corner| corner.to_array()).collect();
            json!({ "corners": corners, "triangles": triangles.concat() })
        }
    };
    let body = body.and_then(|body| moving.iter().position(|other| *other == body));
    json!({
        "shape": shape,
        "surface": format!("{surface:?}").to_lowercase(),
        "place": pose.translation.to_array(),
        "rotation": pose.rotation.to_array(),
        "body": body,
    })
}

/// Idle speed and highest speed of the engine (rad/s), if there is one with such.
fn engine_range(car: &AnyRapierVehicle) -> Option<[f32; 2]> {
    let engine = match &car.drive {
        AnyDrive::Engine(car) => &car.vehicle.params().drivetrain.engine,
        AnyDrive::Motorcycle(car) => &car.vehicle.params().drivetrain.engine,
        AnyDrive::Tank(car) => &car.vehicle.params().drivetrain.engine,
        _ => return None,
    };
    Some([engine.idle_speed, engine.max_speed])
}

fn describe_vehicle(session: &Session) -> Value {
    let (vehicle, car) = (session.vehicle(), session.car());
    let params = car.mechanics().params;
    let body = &session.world().physics.bodies[car.body()];
    let center = body.local_center_of_mass();
    let wheels: Vec<_> = params
        .suspensions
        .iter()
        .zip(&params.wheels)
        .map(|(suspension, wheel)| {
            let place = center
                + suspension.wheel_mount()
                + suspension.travel_direction * (0.5 * suspension.travel_distance);
            json!({
                "place": place.to_array(),
                "radius": wheel.radius,
                "halfWidth": wheel.half_width,
            })
        })
        .collect();
    let mut bounds: Option<Aabb> = None;
    for collider in body.colliders() {
        let Some(collider) = session.world().physics.colliders.get(*collider) else { continue };
        let pose = collider.position_wrt_parent().copied().unwrap_or(Pose::IDENTITY);
        let own = collider.shape().compute_aabb(&pose);
        bounds = Some(bounds.map_or(own, |all| all.merged(&own)));
    }
    let [length, width, height] = body_size(vehicle);
    let bounds = bounds.map_or([-0.4, 0.5 * height], |bounds| [bounds.mins.y, bounds.maxs.y]);
    json!({
        "name": session.setup().vehicle,
        "title": vehicle.file().name,
        "source": vehicle.file().source,
        "size": [length, width, height],
        "bounds": bounds,
        "mass": params.rigid_body.mass,
        "wheels": wheels,
        "engine": engine_range(car),
        "isTank": matches!(car.drive, AnyDrive::Tank(_)),
    })
}
