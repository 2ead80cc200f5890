//! Vehicles as lines.

use vehicle_rapier::debug_render::VehicleDebugStyle;

use super::models::car;
use super::*;

#[test]
fn lines_are_where_the_entity_is_and_forces_of_the_weight_are_among_them() {
    let mut app = app(144.0);
    let entity = spawn(&mut app, model("hot_hatch"), 3.0, DriverCommands { steer: 0.0, ..GO });
    advance(&mut app, 4.0);
    let (at, world) = (place(&app, entity), app.world().resource::<RapierWorld>());
    let share = app.world().resource::<Time<Fixed>>().overstep_fraction();
    let (style, mut loads, mut count) = (VehicleDebugStyle::default(), 0.0, 0);
    let draw = |from: Vec3, to: Vec3, color| {
        count += 1;
        assert!(from.distance(at) < 4.0 && to.distance(at) < 4.0, "{from} to {to} at {at}");
        if color == style.load_color {
            loads += from.distance(to) / style.length_per_force;
        }
    };
    car(&app, entity).draw_lines(world, &style, share, draw).expect("a body");
    assert!(100 < count, "{count} lines");
    let weight = 1_400.0 * 9.81;
    assert!((loads / weight - 1.0_f32).abs() < 0.05, "{loads} N of {weight} N");
}

#[cfg(feature = "gizmos")]
#[test]
fn gizmos_are_drawn_by_a_system_that_is_added() {
    use bevy_gizmos::GizmoPlugin;

    let mut app = app(60.0);
    app.add_plugins(bevy_app::TaskPoolPlugin::default())
        .add_plugins((bevy_asset::AssetPlugin::default(), GizmoPlugin))
        .add_systems(Update, vehicle_bevy::draw_forces);
    let entity = spawn(&mut app, model("hot_hatch"), 3.0, GO);
    advance(&mut app, 1.0);
    assert!(app.world().get::<VehicleFault>(entity).is_none());
}
