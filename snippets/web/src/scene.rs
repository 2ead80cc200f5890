//! The scene of a drive, for the page to build once: parts of the world, places to start from, the
//! vehicle.

use playground::worlds::{Part, PartShape};
use playground::{Look, Session};
use rapier3d::prelude::*;
use serde_json::{Value, json};

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

fn describe_vehicle(session: &Session) -> Value {
    let Look { size, bounds, wheels, engine, is_tank } = session.look();
    let wheels: Vec<_> = wheels
        .iter()
        .map(|wheel| {
            json!({
                "place": wheel.place.to_array(),
                "radius": wheel.radius,
                "halfWidth": wheel.half_width,
            })
        })
        .collect();
    let file = session.vehicle().file();
    json!({
        "name": session.setup().vehicle,
        "title": file.name,
        "source": file.source,
        "size": size,
        "bounds": bounds,
        "mass": session.vehicle().mechanics().rigid_body.mass,
        "wheels": wheels,
        "engine": engine,
        "isTank": is_tank,
    })
}
