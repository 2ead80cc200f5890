//! The scene of a drive, for the page to build once: parts of the world, places to start from, the
//! vehicle.

use playground::worlds::{Part, PartShape};
use playground::{Look, LookPart, PartLook, Session};
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
        "gates": world.gates.iter().map(|gate| gate.point).collect::<Vec<_>>(),
        "moving": moving.len(),
        "crowd": session.crowd_look().as_ref().map(describe_look),
        "vehicle": describe_vehicle(session),
        "trailer": session.trailer_look().map(describe_look),
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
    json!({
        "name": session.setup().vehicle,
        "title": session.vehicle().file().name,
        "mass": session.vehicle().mechanics().rigid_body.mass,
        "engine": session.engine_range(),
        "look": describe_look(session.look()),
    })
}

/// Parts and wheels as rows of numbers, which the page's `simulation.js` reads by the same places.
fn describe_look(look: &Look) -> Value {
    let rows: Vec<Vec<f32>> = look.parts.iter().map(row_of_part).collect();
    let wheels: Vec<Vec<f32>> = look
        .wheels
        .iter()
        .map(|wheel| {
            let [x, y, z] = wheel.place.to_array();
            vec![x, y, z, wheel.radius, wheel.half_width]
        })
        .collect();
    json!({ "colors": look.colors, "parts": rows, "wheels": wheels })
}

/// Paint, 0, across, half widths and outline; or paint, 1, radius and ends.
fn row_of_part(part: &LookPart) -> Vec<f32> {
    let mut row = vec![part.paint as u8 as f32];
    match &part.shape {
        PartLook::Profile { outline, across, half_width } => {
            row.extend([0.0, *across, half_width[0], half_width[1]]);
            row.extend(outline.as_flattened());
        }
        PartLook::Rod { ends, radius } => {
            row.extend([1.0, *radius]);
            ends.iter().for_each(|end| row.extend(end.to_array()));
        }
    }
    row
}
