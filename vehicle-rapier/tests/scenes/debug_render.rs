//! What a vehicle looks like as lines.

use crate::common::{drive, settled_car};
use rapier3d::pipeline::{DebugColor, DebugRenderBackend, DebugRenderObject};
use rapier3d::prelude::*;
use vehicle_rapier::debug_render::VehicleDebugStyle;

/// The lines that were drawn.
#[derive(Default)]
struct Lines {
    lines: Vec<(Vector, Vector, DebugColor)>,
    is_hidden: bool,
}

impl DebugRenderBackend for Lines {
    fn filter_object(&self, _: DebugRenderObject<'_>) -> bool {
        !self.is_hidden
    }

    fn draw_line(&mut self, _: DebugRenderObject<'_>, a: Vector, b: Vector, color: DebugColor) {
        self.lines.push((a, b, color));
    }
}

impl Lines {
    fn of_color(&self, color: DebugColor) -> Vec<(Vector, Vector)> {
        let lines = self.lines.iter().filter(|line| line.2 == color);
        lines.map(|&(from, to, _)| (from, to)).collect()
    }
}

#[test]
fn lines_show_wheels_on_the_road_under_their_loads() {
    let (mut world, mut car) = settled_car();
    drive(&mut world, &mut car, 1.0);
    let (style, mut drawn) = (VehicleDebugStyle::default(), Lines::default());
    car.debug_render(&world.bodies, &style, &mut drawn).expect("the body is in the world");

    let wheels = drawn.of_color(style.wheel_color);
    let lowest = wheels.iter().map(|(from, _)| from.y).fold(Real::INFINITY, Real::min);
    assert!(lowest.abs() < 2e-3, "the wheels touch the ground: {lowest} m");
    // A cross and a normal for each of four wheels.
    let road = drawn.of_color(style.road_color);
    assert_eq!(road.len(), 4 * 3);
    assert!(road.iter().all(|(from, _)| from.y.abs() < 1e-4), "{road:?}");
    let loads = drawn.of_color(style.load_color);
    let load: Real = loads.iter().map(|(from, to)| to.y - from.y).sum();
    let weight = car.vehicle.params().mechanics.rigid_body.mass * 9.81;
    let expected = weight * style.length_per_force;
    assert!((load / expected - 1.0).abs() < 0.01, "{load} m, not {expected} m");
    assert_eq!(drawn.of_color(style.path_color).len(), 4);
    assert_eq!(drawn.of_color(style.suspension_color).len(), 4);
}

#[test]
fn tires_that_slide_are_red() {
    let (mut world, mut car) = settled_car();
    crate::common::roll(&mut world, &mut car, 20.0, 0.0);
    car.vehicle.commands.brakes[0] = 1.0;
    drive(&mut world, &mut car, 0.1);
    let mut drawn = Lines::default();
    let style = VehicleDebugStyle::default();
    car.debug_render(&world.bodies, &style, &mut drawn).expect("the body is in the world");
    let forces = drawn.of_color(VehicleDebugStyle::friction_color(1.0));
    // The brakes do not lock the front wheels, which bear more.
    assert_eq!(forces.len(), 2, "{forces:?}");
    assert!(forces.iter().all(|(from, to)| to.z < from.z), "backward: {forces:?}");
}

#[test]
fn hidden_and_removed_vehicles_are_not_drawn() {
    let (mut world, car) = settled_car();
    let style = VehicleDebugStyle::default();
    let mut drawn = Lines { is_hidden: true, ..Lines::default() };
    car.debug_render(&world.bodies, &style, &mut drawn).expect("the body is in the world");
    assert!(drawn.lines.is_empty());
    world.remove_body(car.actor.body);
    let error = car.debug_render(&world.bodies, &style, &mut drawn).unwrap_err();
    assert!(error.to_string().contains("not in the world"), "{error}");
}
