//! The side view of a vehicle, drawn to scale from what it is made of.

use std::fmt::Write as _;

use anyhow::Result;
use rapier3d::prelude::*;

use super::proving_ground::ProvingGround;

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

/// What is drawn of a vehicle: outlines of its colliders, wheels, center of mass (m, forward and
/// up).
#[derive(Default)]
struct Outline {
    hulls: Vec<Vec<(Real, Real)>>,
    wheels: Vec<(Real, Real, Real)>,
    centers: Vec<(Real, Real)>,
    hitches: Vec<(Real, Real)>,
}

impl Outline {
    fn of(ground: &ProvingGround) -> Result<Self> {
        let mut outline = Self::default();
        for car in &ground.train {
            let body = &ground.world.bodies[car.body()];
            let center = body.center_of_mass();
            outline.centers.push((center.z, center.y));
            for &collider in body.colliders() {
                let collider = &ground.world.colliders[collider];
                let bounds = collider.compute_aabb();
                let (low, high) = (bounds.mins, bounds.maxs);
                outline.hulls.push(vec![
                    (low.z, low.y),
                    (high.z, low.y),
                    (high.z, high.y),
                    (low.z, high.y),
                ]);
            }
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
        self.hulls.iter().flatten().copied().chain(wheels)
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
/// picture: hull, wheels, center of mass, hitch, and distances of the axles (m).
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
    for hull in &outline.hulls {
        let points: Vec<_> =
            hull.iter().map(|&(z, y)| format!("{:.1},{:.1}", scale.x(z), scale.y(y))).collect();
        writeln!(
            svg,
            "<polygon points=\"{}\" fill=\"#dbe7f1\" stroke=\"#0072B2\" stroke-width=\"1.5\"/>",
            points.join(" ")
        )?;
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
