//! A car that looks like one: hull, cabin and wheels, from the numbers of its vehicle.

use kiss3d::color::Color;
use kiss3d::glamx::{Mat3, Pose3, Vec3};
use kiss3d::scene::{InstanceData3d, SceneNode3d};
use playground::Look;

use crate::meshes::{Cover, Mesh};
use crate::paint;

/// Sides of a drawn tire.
const SIDES: u32 = 32;
/// Spokes of a wheel.
const SPOKES: u32 = 5;

/// Side views, counterclockwise: along from -0.5 at the tail to 0.5 at the nose, up from 0 at the
/// floor to 1 at the roof; and how much of the width is left at the roof.
struct Shape {
    hull: &'static [[f32; 2]],
    cabin: &'static [[f32; 2]],
    roof: &'static [[f32; 2]],
    taper: f32,
}

const CAR: Shape = Shape {
    hull: &[
        [-0.49, 0.06],
        [0.49, 0.06],
        [0.5, 0.3],
        [0.46, 0.47],
        [0.2, 0.58],
        [-0.44, 0.6],
        [-0.5, 0.5],
        [-0.5, 0.2],
    ],
    cabin: &[[-0.46, 0.58], [0.24, 0.56], [0.05, 0.96], [-0.1, 1.0], [-0.3, 0.99], [-0.4, 0.9]],
    roof: &[[-0.36, 0.955], [0.05, 0.955], [0.0, 1.005], [-0.3, 1.01]],
    taper: 0.78,
};

const TRUCK: Shape = Shape {
    hull: &[[-0.5, 0.12], [0.5, 0.06], [0.5, 0.4], [0.12, 0.44], [0.1, 0.32], [-0.5, 0.32]],
    cabin: &[[0.13, 0.42], [0.5, 0.4], [0.47, 0.9], [0.42, 1.0], [0.16, 1.0], [0.13, 0.95]],
    roof: &[[0.13, 0.93], [0.46, 0.93], [0.42, 1.01], [0.16, 1.01]],
    taper: 0.92,
};

const TANK: Shape = Shape {
    hull: &[[-0.5, 0.2], [0.46, 0.18], [0.5, 0.36], [0.3, 0.56], [-0.5, 0.56]],
    cabin: &[[-0.3, 0.55], [0.16, 0.55], [0.2, 0.72], [0.06, 1.0], [-0.24, 0.98], [-0.3, 0.9]],
    roof: &[[0.1, 0.72], [0.6, 0.72], [0.6, 0.78], [0.1, 0.78]],
    taper: 0.8,
};

/// Numbers of colors in the palette of a car.
const PAINT: usize = 0;
const GLASS: usize = 1;
const TIRE: usize = 2;
const RIM: usize = 3;
const SPOKE: usize = 4;
const LAMP: usize = 5;
const TAIL_LAMP: usize = 6;

/// How a car is painted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Paint {
    /// As one is.
    Solid,
    /// So that one can look through it.
    Glass,
    /// As a ghost.
    Ghost,
}

impl Paint {
    /// Its palette by a name, and how opaque it is.
    fn palette(self, is_tank: bool) -> (&'static str, [u32; 7], f32) {
        let colors = |paint| [paint, 0x1b242c, 0x17181a, 0x3a3d42, 0xb8bcc2, 0xf4f1e4, 0x8a1010];
        match self {
            Self::Ghost => ("ghost", [0x5ab4ff; 7], 0.4),
            _ => {
                let (name, paint) = if is_tank { ("tank", 0x5b6344) } else { ("car", 0xc8202f) };
                (name, colors(paint), if self == Self::Glass { 0.4 } else { 1.0 })
            }
        }
    }
}

/// A car in the scene: a body, and wheels of each size as instances of one.
pub(crate) struct Car {
    body: SceneNode3d,
    wheels: Vec<(SceneNode3d, Vec<usize>)>,
    look: Look,
}

impl Car {
    pub(crate) fn new(scene: &mut SceneNode3d, look: Look, paint: Paint) -> Self {
        let (name, colors, opacity) = paint.palette(look.is_tank);
        let texture = paint::palette(name, &colors);
        let mut add = |mesh: &Mesh| {
            let mut node = mesh.add_to(scene, Cover::Palette(colors.len()));
            node.set_texture(texture.clone());
            node.set_color(Color::new(1.0, 1.0, 1.0, opacity));
            node.set_roughness(0.45);
            node.set_casts_shadows(opacity == 1.0);
            node
        };
        let body = add(&body_mesh(&look));
        let mut wheels: Vec<(SceneNode3d, Vec<usize>)> = Vec::new();
        let size = |wheel: usize| [look.wheels[wheel].radius, look.wheels[wheel].half_width];
        for wheel in 0..look.wheels.len() {
            match wheels.iter_mut().find(|(_, others)| size(others[0]) == size(wheel)) {
                Some((_, others)) => others.push(wheel),
                None => wheels.push((add(&wheel_mesh(size(wheel))), vec![wheel])),
            }
        }
        Self { body, wheels, look }
    }

    pub(crate) fn look(&self) -> &Look {
        &self.look
    }

    /// Puts it where it is drawn; a body that is `None` is not drawn, nor are its wheels.
    pub(crate) fn place(&mut self, body: Option<Pose3>, wheel: impl Fn(usize) -> Option<Pose3>) {
        self.body.set_visible(body.is_some());
        if let Some(pose) = body {
            self.body.set_pose(pose);
        }
        for (node, numbers) in &mut self.wheels {
            node.set_visible(body.is_some());
            let poses = numbers.iter().filter_map(|number| wheel(*number));
            node.set_instances(&poses.map(instance).collect::<Vec<_>>());
        }
    }

    pub(crate) fn remove(mut self) {
        self.body.remove();
        self.wheels.iter_mut().for_each(|(node, _)| node.remove());
    }
}

/// An instance of a mesh at `pose`.
pub(crate) fn instance(pose: Pose3) -> InstanceData3d {
    InstanceData3d {
        position: pose.translation,
        deformation: Mat3::from_quat(pose.rotation),
        ..InstanceData3d::default()
    }
}

fn body_mesh(look: &Look) -> Mesh {
    let Look { size: [length, width, _], bounds: [floor, top], wheels, is_tank, .. } = look;
    let lowest = wheels.iter().map(|wheel| wheel.place.y - wheel.radius).fold(*floor, f32::min);
    let base = lowest + 0.5 * (floor - lowest);
    let shape = match wheels.len() {
        _ if *is_tank => &TANK,
        5.. => &TRUCK,
        _ if 5.5 < *length => &TRUCK,
        _ => &CAR,
    };
    let up = |share: f32| base + share * (top - base);
    let part = |view: &[[f32; 2]], width: f32, taper: f32| {
        let view: Vec<_> = view.iter().map(|[along, high]| [along * length, up(*high)]).collect();
        Mesh::extruded(&view, 0.5 * width, 0.5 * width * taper, [up(0.55), up(1.0)])
    };
    // Where wheels are, the hull is as wide as there is room between them.
    let inside = wheels.iter().map(|wheel| wheel.place.x.abs() - wheel.half_width);
    let inside = 2.0 * inside.fold(0.5 * width, f32::min).max(0.1 * width);
    let hull_width = if *is_tank { inside } else { *width };
    let view: Vec<_> = shape.hull.iter().map(|[along, high]| [along * length, up(*high)]).collect();
    let hull = Mesh::extruded(&view, 0.5 * inside, 0.5 * inside, [0.0, 1.0]);
    let arches = if *is_tank { Vec::new() } else { arches(look) };
    let fenders = fenders(&view, &arches).into_iter();
    let hull = fenders.fold(hull, |hull, view| {
        hull.with(&Mesh::extruded(&view, 0.5 * hull_width, 0.5 * hull_width, [0.0, 1.0]))
    });
    let glass = part(shape.cabin, 0.9 * hull_width, shape.taper);
    let roof_width = if *is_tank { 0.15 } else { 0.915 * hull_width };
    let roof = part(shape.roof, roof_width, shape.taper);
    let car = hull.painted(PAINT).with(&glass.painted(GLASS)).with(&roof.painted(PAINT));
    let lamps = [(0.485, LAMP), (-0.495, TAIL_LAMP)].into_iter().filter(|_| !is_tank);
    lamps.fold(car, |car, (along, color)| {
        [-0.38, 0.38].into_iter().fold(car, |car, side| {
            let place = Vec3::new(side * hull_width, up(0.4), along * length);
            let half = Vec3::new(0.08 * width, 0.05 * (top - base), 0.012 * length);
            car.with(&Mesh::cuboid(half, place).painted(color))
        })
    })
}

/// Where wheels leave no room for the hull: from and to (m) along, and up to which height.
fn arches(look: &Look) -> Vec<[f32; 3]> {
    let mut arches: Vec<[f32; 3]> = Vec::new();
    let mut wheels: Vec<_> = look.wheels.iter().collect();
    wheels.sort_by(|one, other| one.place.z.total_cmp(&other.place.z));
    for wheel in wheels {
        let far = 1.12 * wheel.radius;
        let [from, to] = [wheel.place.z - far, wheel.place.z + far];
        let high = wheel.place.y + 1.1 * wheel.radius;
        match arches.last_mut() {
            Some(last) if from < last[1] => *last = [last[0], to.max(last[1]), high.max(last[2])],
            _ => arches.push([from, to, high]),
        }
    }
    arches
}

/// Side views of what of a hull is above the arches, and between them.
fn fenders(hull: &[[f32; 2]], arches: &[[f32; 3]]) -> Vec<Vec<[f32; 2]>> {
    let top = arches.iter().map(|arch| arch[2]).fold(f32::MIN, f32::max);
    let mut parts = vec![cut(hull, |[_, up]| up - top)];
    let low = cut(hull, |[_, up]| top - up);
    let mut from = -1e6;
    for &[begin, end, _] in arches {
        parts.push(cut(&cut(&low, |[along, _]| along - from), |[along, _]| begin - along));
        from = end;
    }
    parts.push(cut(&low, |[along, _]| along - from));
    parts.retain(|part| 3 <= part.len());
    parts
}

/// What of a side view is where `inside` is positive, which is linear.
fn cut(view: &[[f32; 2]], inside: impl Fn([f32; 2]) -> f32) -> Vec<[f32; 2]> {
    let mut rest = Vec::new();
    for (index, &point) in view.iter().enumerate() {
        let next = view[(index + 1) % view.len()];
        let [here, there] = [inside(point), inside(next)];
        if 0.0 <= here {
            rest.push(point);
        }
        if here * there < 0.0 {
            let share = here / (here - there);
            rest.push([0, 1].map(|axis| point[axis] + share * (next[axis] - point[axis])));
        }
    }
    rest
}

fn wheel_mesh([radius, half_width]: [f32; 2]) -> Mesh {
    let tire = Mesh::cylinder(half_width, [radius; 2], SIDES).on_side().painted(TIRE);
    let rim = Mesh::cylinder(1.02 * half_width, [0.66 * radius; 2], SIDES).on_side();
    let tire = tire.with(&rim.painted(RIM));
    // Spokes show how it turns.
    let spoke = |number: u32| {
        let (sine, cosine) = (std::f32::consts::TAU * number as f32 / SPOKES as f32).sin_cos();
        let [out, aside] = [Vec3::new(0.0, cosine, sine), Vec3::new(0.0, -sine, cosine)];
        let corner = |along: f32, across: f32, side: f32| {
            out * (along * radius)
                + aside * (across * radius)
                + Vec3::X * (side * 1.04 * half_width)
        };
        let mut corners = Vec::new();
        let mut triangles = Vec::new();
        for side in [-1.0, 1.0] {
            let first = corners.len() as u32;
            let face = [[0.0, -0.09], [0.62, -0.06], [0.62, 0.06], [0.0, 0.09]];
            corners.extend(face.map(|[along, across]| corner(along, across, side)));
            let order = if 0.0 < side { [0, 1, 2, 3] } else { [3, 2, 1, 0] };
            let [a, b, c, d] = order.map(|corner| first + corner);
            triangles.extend([[a, b, c], [a, c, d]]);
        }
        Mesh::new(corners, triangles)
    };
    (0..SPOKES).map(spoke).fold(tire, |wheel, spoke| wheel.with(&spoke.painted(SPOKE)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hulls_leave_room_for_wheels() {
        let hull = [[-2.0, 0.0], [2.0, 0.0], [2.0, 1.0], [-2.0, 1.0]];
        let parts = fenders(&hull, &[[-1.5, -0.7, 0.6], [0.7, 1.5, 0.5]]);
        let area = |view: &Vec<[f32; 2]>| {
            let next = view.iter().cycle().skip(1);
            0.5 * view.iter().zip(next).map(|(a, b)| a[0] * b[1] - b[0] * a[1]).sum::<f32>()
        };
        let areas: Vec<_> = parts.iter().map(|part| (area(part) * 100.0).round() / 100.0).collect();
        assert_eq!(areas, [1.6, 0.3, 0.84, 0.3]);
    }
}
