//! Transforms that are set: the vehicle is put there.

use super::models::car;
use super::*;

fn put(app: &mut App, entity: Entity, to: Transform) {
    *app.world_mut().get_mut::<Transform>(entity).expect("a transform") = to;
}

#[test]
fn a_transform_that_is_set_moves_the_vehicle_there_at_any_frame_rate() {
    for frames in [20.0, 60.0, 500.0] {
        let mut app = app(frames);
        let entity = spawn(&mut app, model("hot_hatch"), 0.0, DriverCommands { steer: 0.0, ..GO });
        advance(&mut app, 3.0);
        assert!(5.0 < forward_speed(&app, entity));
        let to = Transform::from_xyz(40.0, 0.6, -7.0)
            .with_rotation(Quat::from_rotation_y(std::f32::consts::FRAC_PI_2));
        put(&mut app, entity, to);
        app.update();
        let at = place(&app, entity);
        assert!(at.distance(to.translation) < 0.1, "{at} at {frames} frames per second");
        // At rest there, with the foot on the pedal.
        advance(&mut app, 3.1);
        assert!(forward_speed(&app, entity).abs() < 1.5, "{}", forward_speed(&app, entity));
        // It goes on from there, to where it looks: to the left.
        advance(&mut app, 6.0);
        let at = place(&app, entity);
        assert!(42.0 < at.x && (at.z + 7.0).abs() < 0.2, "{at} at {frames} frames per second");
        assert!(app.world().get::<VehicleFault>(entity).is_none());
    }
}

#[test]
fn systems_of_the_fixed_update_can_put_vehicles_as_well() {
    let mut app = app(90.0);
    let entity = spawn(&mut app, model("kart"), 0.0, GO);
    advance(&mut app, 1.0);
    let lift = |mut vehicles: Query<&mut Transform, With<VehicleInWorld>>,
                mut steps: Local<u32>| {
        *steps += 1;
        if *steps == 1 {
            vehicles.iter_mut().for_each(|mut transform| transform.translation.y += 1.0);
        }
    };
    app.add_systems(FixedUpdate, lift);
    advance(&mut app, 1.1);
    assert!(0.9 < place(&app, entity).y, "{}", place(&app, entity));
    advance(&mut app, 4.0);
    assert!(place(&app, entity).y < 0.5, "{}", place(&app, entity));
}

#[test]
fn writing_what_is_there_changes_no_bit() {
    let drive = |touches: bool| {
        let mut app = app(75.0);
        spawn(&mut app, model("rally_car"), 0.0, GO);
        let touch = move |mut vehicles: Query<&mut Transform, With<VehicleInWorld>>| {
            for mut transform in &mut vehicles {
                if touches {
                    let scale = transform.scale * 1.01;
                    *transform = transform.with_scale(scale);
                }
            }
        };
        app.add_systems(Update, touch);
        advance(&mut app, 2.0);
        bits(&app.world().resource::<RapierWorld>().0)
    };
    assert!(drive(true) == drive(false));
}

#[test]
fn a_vehicle_with_a_fault_is_drawn_where_its_body_glides() {
    let mut app = app(240.0);
    let entity = spawn(&mut app, model("hot_hatch"), 0.0, DriverCommands { steer: 0.0, ..GO });
    advance(&mut app, 3.0);
    app.world_mut().get_mut::<DriverCommands>(entity).expect("a driver").throttle = f32::NAN;
    advance(&mut app, 3.1);
    assert!(app.world().get::<VehicleFault>(entity).is_some());
    let (speed, before) = (forward_speed(&app, entity), wheels(&mut app, entity));
    let mut last = place(&app, entity).z;
    for _ in 0..40 {
        app.update();
        let way = place(&app, entity).z - std::mem::replace(&mut last, place(&app, entity).z);
        assert!((way * 240.0 / speed - 1.0).abs() < 0.1, "{way} m in a frame at {speed} m/s");
        for ((wheel, before), (_, now)) in before.iter().zip(wheels(&mut app, entity)) {
            let angle = before.rotation.angle_between(now.rotation);
            assert!(angle < 0.01, "wheel {wheel} is turned by {angle} rad");
        }
    }
}

#[test]
fn a_transform_that_is_no_place_is_a_fault_and_the_vehicle_stays() {
    let mut app = app(60.0);
    let entity = spawn(&mut app, model("hot_hatch"), 0.0, GO);
    advance(&mut app, 2.0);
    let before = place(&app, entity);
    put(&mut app, entity, Transform::from_xyz(f32::NAN, 0.0, 0.0));
    app.update();
    let fault = app.world().get::<VehicleFault>(entity).expect("a fault").to_string();
    assert!(fault.contains("transform must be finite"), "{fault}");
    app.world_mut().entity_mut(entity).remove::<VehicleFault>();
    advance(&mut app, 3.0);
    let after = place(&app, entity);
    assert!(before.z < after.z && after.z < before.z + 20.0, "{before} and {after}");
    assert!(car(&app, entity).car.speed_kmh() < 200.0);
}
