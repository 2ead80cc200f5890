//! The side view of a vehicle, drawn to scale from what it is made of.

use std::fmt::Write as _;

use anyhow::Result;
use playground::{Look, LookPart, PartLook, bounds_of};
use rapier3d::prelude::*;

use super::proving_ground::ProvingGround;
use crate::report::paint_color;
use crate::vehicle_telemetry::VehicleTelemetry;

/// Width of a picture (CSS pixels), and the margin around what is drawn.
const WIDTH: Real = 720.0;
const MARGIN: Real = 28.0;
/// Room below the road for dimensions (CSS pixels).
const BELOW: Real = 44.0;

/// From meters, forward and up, to the picture, forward to the left.
struct Scale {
    front: Real,
    top: Real,
    pixels: Real,
}

impl Scale {
    fn x(&self, forward: Real) -> Real {
        MARGIN + (self.front - forward) * self.pixels
    }

    fn y(&self, up: Real) -> Real {
        MARGIN + (self.top - up) * self.pixels
    }
}

/// What is drawn of a vehicle: its parts, wheels, center of mass (m, forward and up).
#[derive(Default)]
struct Outline {
    shapes: Vec<Shape>,
    wheels: Vec<(Real, Real, Real)>,
    centers: Vec<(Real, Real)>,
    hitches: Vec<(Real, Real)>,
}

/// A part as seen from the side.
struct Shape {
    color: u32,
    /// Corners, or the ends of a rod.
    points: Vec<(Real, Real)>,
    /// Radius of a rod (m).
    radius: Option<Real>,
}

impl Shape {
    /// A part of a vehicle of these colors at `pose` (m).
    fn of(part: &LookPart, colors: [u32; 2], pose: &Pose) -> Self {
        let at = |point: Vector| {
            let place = pose.transform_point(point);
            (place.z, place.y)
        };
        let color = paint_color(part.paint, colors);
        match &part.shape {
            PartLook::Profile { outline, across, .. } => {
                let corner = |&[along, up]: &[Real; 2]| at(Vector::new(*across, up, along));
                Self { color, points: outline.iter().map(corner).collect(), radius: None }
            }
            PartLook::Rod { ends, radius } => {
                Self { color, points: ends.map(at).into(), radius: Some(*radius) }
            }
        }
    }
}

/// How far to the right a part reaches (m), which is toward who looks: forward is to the left.
fn nearness(part: &LookPart) -> Real {
    match &part.shape {
        PartLook::Profile { across, half_width: [low, high], .. } => across + low.max(*high),
        PartLook::Rod { ends: [from, to], radius } => from.x.max(to.x) + radius,
    }
}

impl Outline {
    fn of(ground: &ProvingGround) -> Result<Self> {
        let mut outline = Self::default();
        for car in &ground.train {
            let body = &ground.world.bodies[car.body()];
            let center = body.center_of_mass();
            outline.centers.push((center.z, center.y));
            let (name, kind) = (car.vehicle.title(), car.vehicle.look_kind());
            let bounds = bounds_of(body, &ground.world.colliders);
            let mechanics = car.mechanics().params;
            let look = Look::new(name, kind, mechanics, bounds, body.local_center_of_mass());
            let mut parts: Vec<_> = look.parts.iter().collect();
            parts.sort_by(|one, other| nearness(one).total_cmp(&nearness(other)));
            let shape = |part: &LookPart| Shape::of(part, look.colors, body.position());
            outline.shapes.extend(parts.into_iter().map(shape));
            for wheel in 0..car.wheel_count() {
                let hub = car.wheel_pose(wheel, &ground.world.bodies)?.translation;
                let radius = car.mechanics().params.wheels[wheel].radius;
                outline.wheels.push((hub.z, hub.y, radius));
            }
        }
        if 1 < ground.train.len() {
            let joint = ground.world.impulse_joints.iter().next();
            if let Some((_, joint)) = joint {
                let body = &ground.world.bodies[joint.body1()];
                let place = body.position().transform_point(joint.data.local_frame1.translation);
                outline.hitches.push((place.z, place.y));
            }
        }
        Ok(outline)
    }

    /// All corners of what is drawn.
    fn corners(&self) -> impl Iterator<Item = (Real, Real)> {
        let wheels = self.wheels.iter().flat_map(|&(forward, up, radius)| {
            [(forward - radius, up - radius), (forward + radius, up + radius)]
        });
        let shapes = self.shapes.iter().flat_map(|Shape { points, radius, .. }| {
            let reach = radius.unwrap_or(0.0);
            let around = move |&(forward, up): &(Real, Real)| {
                [(forward - reach, up - reach), (forward + reach, up + reach)]
            };
            points.iter().flat_map(around)
        });
        shapes.chain(wheels)
    }

    fn scale(&self) -> Scale {
        let (mut rear, mut front, mut top) = (Real::INFINITY, -Real::INFINITY, 0.0);
        for (forward, up) in self.corners() {
            rear = rear.min(forward);
            front = front.max(forward);
            top = Real::max(top, up);
        }
        Scale { front, top, pixels: (WIDTH - 2.0 * MARGIN) / (front - rear) }
    }
}

/// The side view of a vehicle that stands on its proving ground, with its trailer, as an SVG
/// picture. It shows its parts, wheels, center of mass, hitch, and distances of the axles (m).
///
/// # Errors
///
/// If a body is not in its world.
pub(super) fn side_view(ground: &ProvingGround) -> Result<String> {
    let outline = Outline::of(ground)?;
    let scale = outline.scale();
    let height = scale.y(0.0) + BELOW;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {WIDTH} {height:.0}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
    );
    for shape in &outline.shapes {
        write_shape(&mut svg, shape, &scale)?;
    }
    for &(forward, up, radius) in &outline.wheels {
        let (x, y, radius) = (scale.x(forward), scale.y(up), radius * scale.pixels);
        writeln!(
            svg,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" fill=\"#4a5058\" \
             fill-opacity=\"0.75\" stroke=\"#1b2026\"/>"
        )?;
    }
    let road = scale.y(0.0);
    writeln!(
        svg,
        "<line x1=\"0\" x2=\"{WIDTH}\" y1=\"{road:.1}\" y2=\"{road:.1}\" stroke=\"#8A939D\" stroke-width=\"1.5\"/>"
    )?;
    for &(forward, up) in &outline.centers {
        let (x, y) = (scale.x(forward), scale.y(up));
        writeln!(
            svg,
            "<g stroke=\"#D55E00\" stroke-width=\"1.5\" fill=\"none\"><circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"6\"/>\
             <path d=\"M{:.1} {y:.1}h18M{x:.1} {:.1}v18\"/></g>",
            x - 9.0,
            y - 9.0
        )?;
    }
    for &(forward, up) in &outline.hitches {
        let (x, y) = (scale.x(forward), scale.y(up));
        writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"#009E73\"/>")?;
    }
    write_dimensions(&mut svg, &outline, &scale)?;
    svg.push_str("</svg>\n");
    Ok(svg)
}

fn write_shape(svg: &mut String, shape: &Shape, scale: &Scale) -> Result<()> {
    let Shape { color, points, radius } = shape;
    let points: Vec<_> =
        points.iter().map(|&(z, y)| format!("{:.1},{:.1}", scale.x(z), scale.y(y))).collect();
    let points = points.join(" ");
    match radius {
        None => writeln!(
            svg,
            "<polygon points=\"{points}\" fill=\"#{color:06x}\" stroke=\"#1b2026\" stroke-width=\"0.7\"/>"
        )?,
        Some(radius) => {
            let width = 2.0 * radius * scale.pixels;
            for (color, width) in [(0x1b_20_26, width + 1.4), (*color, width)] {
                writeln!(
                    svg,
                    "<polyline points=\"{points}\" fill=\"none\" stroke=\"#{color:06x}\" stroke-width=\"{width:.1}\" \
                     stroke-linecap=\"round\"/>"
                )?;
            }
        }
    }
    Ok(())
}

/// Distances from axle to axle, below the road.
fn write_dimensions(svg: &mut String, outline: &Outline, scale: &Scale) -> Result<()> {
    let mut axles: Vec<Real> = outline.wheels.iter().map(|wheel| wheel.0).collect();
    axles.sort_by(|one, other| other.total_cmp(one));
    axles.dedup_by(|one, other| (*one - *other).abs() < 0.02);
    let y = scale.y(0.0) + 16.0;
    for pair in axles.windows(2) {
        let [from, to] = [pair[0], pair[1]].map(|place| scale.x(place));
        let (distance, middle) = (pair[0] - pair[1], 0.5 * (from + to));
        writeln!(
            svg,
            "<path d=\"M{from:.1} {:.1}v8M{to:.1} {:.1}v8M{from:.1} {y:.1}H{to:.1}\" stroke=\"#5c6670\" fill=\"none\"/>\
             <text x=\"{middle:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"#1b2026\">{distance:.2}</text>",
            y - 4.0,
            y - 4.0,
            y + 16.0
        )?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_helmet_is_drawn_whole() {
        let helmet = Shape { color: 0, points: vec![(0.1, 1.2)], radius: Some(0.15) };
        let wheels = vec![(0.7, 0.3, 0.3), (-0.7, 0.3, 0.3)];
        let scale = Outline { shapes: vec![helmet], wheels, ..Outline::default() }.scale();
        assert!((scale.y(1.35) - MARGIN).abs() < 1e-3, "its top is at {}", scale.y(1.35));
    }
}
