//! The plugin in an app without a window.

use bevy::ecs::system::RunSystemOnce;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_rapier3d::prelude::*;
use bevy_rapier3d::rapier::math::{Pose, Vector};
use vehicle_bevy_rapier::{
    DriverCommands, Vehicle, VehicleFault, VehicleListener, VehicleMessage, VehicleModel,
    VehiclePlugin, VehicleWheel,
};
use vehicle_rapier::core::constraint_rows::RowExecution;
use vehicle_rapier::events::{EventParams, VehicleEvent};

const DT: f32 = 1.0 / 64.0;

/// A plane, and bevy_rapier with the plugin, in the fixed update or after each update.
fn app(is_fixed: bool) -> App {
    let physics = RapierPhysicsPlugin::<NoUserData>::default();
    app_with(if is_fixed { physics.in_fixed_schedule() } else { physics }, is_fixed)
}

fn app_with(physics: RapierPhysicsPlugin<NoUserData>, is_fixed: bool) -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, physics, VehiclePlugin { is_fixed }))
        .insert_resource(TimestepMode::Fixed { dt: DT, substeps: 1 })
        .insert_resource(TimeUpdateStrategy::ManualDuration(std::time::Duration::from_secs_f32(
            DT,
        )));
    let plane = Collider::halfspace(Vec3::Y).expect("a plane");
    app.world_mut().spawn((plane, Transform::default()));
    app
}

fn hot_hatch(x: f32) -> impl Bundle {
    let model = VehicleModel::preset("hot_hatch").expect("a preset");
    let driver = DriverCommands { throttle: 1.0, ..DriverCommands::default() };
    (model, driver, Transform::from_xyz(x, 0.7, 0.0))
}

fn run(app: &mut App, seconds: f32) {
    for _ in 0..(seconds / DT) as u32 {
        app.update();
    }
}

fn place(app: &App, entity: Entity) -> Vec3 {
    app.world().get::<Transform>(entity).expect("it is there").translation
}

#[test]
fn a_vehicle_drives_on_a_body_of_bevy_rapier_in_either_schedule() {
    for is_fixed in [true, false] {
        let mut app = app(is_fixed);
        let car = app.world_mut().spawn(hot_hatch(0.0)).id();
        run(&mut app, 4.0);
        let fault = app.world().get::<VehicleFault>(car);
        assert!(fault.is_none(), "{fault:?}");
        let at = place(&app, car);
        assert!(10.0 < at.z && at.x.abs() < 0.1 && (0.3..0.8).contains(&at.y), "{at}");
        let speed = app.world().get::<Vehicle>(car).expect("it drives").car.forward_speed();
        assert!(6.0 < speed, "{speed} m/s");
        let mut wheels = app.world_mut().query::<(&VehicleWheel, &Transform)>();
        let mut heights = wheels.iter(app.world()).map(|(_, transform)| transform.translation.y);
        assert_eq!(heights.len(), 4);
        assert!(heights.all(|height| (-0.5..0.1).contains(&(height + at.y - 0.3))));

        app.world_mut().get_mut::<DriverCommands>(car).expect("it has").brake = 1.0;
        app.world_mut().get_mut::<DriverCommands>(car).expect("it has").throttle = 0.0;
        run(&mut app, 4.0);
        let speed = app.world().get::<Vehicle>(car).expect("it drives").car.forward_speed();
        assert!(speed.abs() < 0.05, "{speed} m/s");
        app.world_mut().despawn(car);
        run(&mut app, 0.1);
        let mut wheels = app.world_mut().query::<&VehicleWheel>();
        assert_eq!(wheels.iter(app.world()).count(), 0);
        let mut sets = app.world_mut().query::<&RapierRigidBodySet>();
        assert_eq!(sets.single(app.world()).expect("one world").bodies.len(), 0);
    }
}

#[test]
fn a_collider_of_the_entity_is_its_hull_and_pushes_what_is_before_it() {
    let mut app = app(true);
    let hull = Collider::cuboid(0.85, 0.35, 2.0);
    let car = app.world_mut().spawn((hot_hatch(0.0), hull)).id();
    let crate_shape = (RigidBody::Dynamic, Collider::cuboid(0.4, 0.4, 0.4));
    let pushed = app.world_mut().spawn((crate_shape, Transform::from_xyz(0.0, 0.4, 6.0))).id();
    run(&mut app, 4.0);
    assert!(app.world().get::<VehicleFault>(car).is_none());
    let (car_at, crate_at) = (place(&app, car), place(&app, pushed));
    assert!(7.0 < crate_at.z || 0.5 < crate_at.x.abs(), "{car_at} and {crate_at}");
    let mut sets = app.world_mut().query::<&RapierRigidBodySet>();
    let bodies = &sets.single(app.world()).expect("one world").bodies;
    let handle = app.world().get::<RapierRigidBodyHandle>(car).expect("a body").0;
    assert_eq!(bodies[handle].colliders().len(), 1);
    assert!((bodies[handle].mass() - 1_400.0).abs() < 0.5, "{}", bodies[handle].mass());
}

#[test]
fn colliders_that_come_to_a_vehicle_add_no_mass_and_a_hull_takes_the_place_of_its_own() {
    let mut app = app(true);
    let car = app.world_mut().spawn(hot_hatch(0.0)).id();
    run(&mut app, 1.0);
    let look = |app: &mut App| {
        assert_eq!(app.world().get::<VehicleFault>(car), None);
        let handle = app.world().get::<RapierRigidBodyHandle>(car).expect("a body").0;
        let mut sets = app.world_mut().query::<&RapierRigidBodySet>();
        let body = &sets.single(app.world()).expect("one world").bodies[handle];
        assert!((body.mass() - 1_400.0).abs() < 0.5, "{} kg", body.mass());
        body.colliders().len()
    };
    let of_file = look(&mut app);
    assert!(0 < of_file);
    let trigger = (Collider::ball(3.0), Sensor, Transform::default(), ChildOf(car));
    app.world_mut().spawn(trigger);
    run(&mut app, 0.5);
    assert_eq!(look(&mut app), of_file + 1);
    app.world_mut().entity_mut(car).insert(Collider::cuboid(0.85, 0.35, 2.0));
    run(&mut app, 1.5);
    assert_eq!(look(&mut app), 2);
    assert!(5.0 < place(&app, car).z, "{}", place(&app, car));
}

/// Numbers of bodies, colliders and joints in a world.
fn counts(app: &mut App, world: Entity) -> [usize; 3] {
    let mut sets =
        app.world_mut()
            .query::<(&RapierRigidBodySet, &RapierContextColliders, &RapierContextJoints)>();
    let (bodies, colliders, joints) = sets.get(app.world(), world).expect("a world");
    [bodies.bodies.len(), colliders.colliders.len(), joints.impulse_joints.len()]
}

fn world_of(app: &App, entity: Entity) -> Entity {
    app.world().get::<RapierContextEntityLink>(entity).expect("a world").0
}

#[test]
fn a_vehicle_with_joints_for_its_rows_leaves_nothing_behind() {
    let mut app = app(true);
    let mut car = app.world_mut().spawn(hot_hatch(0.0)).id();
    run(&mut app, 0.5);
    let world = world_of(&app, car);
    let park = |app: &mut App, car: Entity| {
        let mut vehicle = app.world_mut().get_mut::<Vehicle>(car).expect("it drives");
        vehicle.car.params.row_execution = RowExecution::Host;
        let mut driver = app.world_mut().get_mut::<DriverCommands>(car).expect("it has");
        (driver.throttle, driver.brake) = (0.0, 1.0);
        run(app, 2.0);
        counts(app, world)
    };
    let [bodies, _, joints] = park(&mut app, car);
    assert!(bodies == 2 && 0 < joints, "{bodies} bodies, {joints} joints");
    app.world_mut().entity_mut(car).insert(VehicleModel::preset("rally_car").expect("a preset"));
    run(&mut app, 0.1);
    let [bodies, _, joints] = counts(&mut app, world);
    assert_eq!([bodies, joints], [1, 0]);
    park(&mut app, car);
    app.world_mut().despawn(car);
    run(&mut app, 0.1);
    // The road is left.
    assert_eq!(counts(&mut app, world), [0, 1, 0]);
    car = app.world_mut().spawn(hot_hatch(0.0)).id();
    run(&mut app, 2.0);
    assert!(2.0 < place(&app, car).z, "{}", place(&app, car));
}

#[test]
fn a_vehicle_that_changes_to_another_world_takes_nothing_out_of_that() {
    let mut app = app(true);
    let car = app.world_mut().spawn(hot_hatch(0.0)).id();
    let other = app.world_mut().spawn(RapierContextSimulation::default()).id();
    run(&mut app, 0.5);
    let first = world_of(&app, car);
    let [_, colliders, _] = counts(&mut app, first);
    let link = RapierContextEntityLink(other);
    let plane = Collider::halfspace(Vec3::Y).expect("a plane");
    app.world_mut().spawn((plane, Transform::default(), link));
    for x in 0..8 {
        let place = Transform::from_xyz(20.0 + x as f32, 1.0, 0.0);
        app.world_mut().spawn((Collider::ball(0.2), place, link));
    }
    run(&mut app, 0.1);
    assert_eq!(counts(&mut app, other), [0, 9, 0]);
    let before = place(&app, car).z;
    app.world_mut().entity_mut(car).insert(link);
    run(&mut app, 2.0);
    assert_eq!(counts(&mut app, first), [0, 1, 0]);
    assert_eq!(counts(&mut app, other), [1, 9 + colliders - 1, 0]);
    assert_eq!(app.world().get::<VehicleFault>(car), None);
    assert!(before + 2.0 < place(&app, car).z, "{before} m and {}", place(&app, car));
}

#[test]
fn a_plugin_in_another_schedule_than_bevy_rapier_is_told() {
    for is_fixed in [true, false] {
        let physics = RapierPhysicsPlugin::<NoUserData>::default();
        let physics = if is_fixed { physics } else { physics.in_fixed_schedule() };
        let mut app = app_with(physics, is_fixed);
        let car = app.world_mut().spawn(hot_hatch(0.0)).id();
        run(&mut app, 0.5);
        let told = app.world().get::<VehicleFault>(car).expect("a fault").to_string();
        assert!(told.contains(&format!("is_fixed: {is_fixed}")), "{told}");
        let stepped = if is_fixed { "in PostUpdate" } else { "in_fixed_schedule" };
        assert!(told.contains(stepped), "{told}");
    }
}

#[test]
fn another_model_or_another_body_makes_the_vehicle_anew() {
    let mut app = app(true);
    let car = app.world_mut().spawn(hot_hatch(0.0)).id();
    run(&mut app, 2.0);
    let count = |app: &mut App| {
        let wheels = app.world_mut().query::<&VehicleWheel>().iter(app.world()).count();
        let handle = app.world().get::<RapierRigidBodyHandle>(car).expect("a body").0;
        let mut sets = app.world_mut().query::<&RapierRigidBodySet>();
        let bodies = &sets.single(app.world()).expect("one world").bodies;
        (wheels, bodies[handle].colliders().len(), bodies[handle].mass().round())
    };
    let (wheels, colliders, mass) = count(&mut app);
    assert_eq!((wheels, mass), (4, 1_400.0));
    app.world_mut().entity_mut(car).remove::<Vehicle>();
    run(&mut app, 0.1);
    assert_eq!(count(&mut app), (4, colliders, 1_400.0));

    let before = place(&app, car).z;
    let truck = VehicleModel::preset("truck_6x6").expect("a preset");
    app.world_mut().entity_mut(car).insert(truck);
    run(&mut app, 0.1);
    let (wheels, _, mass) = count(&mut app);
    assert!(wheels == 6 && 5_000.0 < mass, "{wheels} wheels, {mass} kg");
    run(&mut app, 1.0);
    assert!(before + 2.0 < place(&app, car).z, "it rolls on from {before} m");

    let hatch = VehicleModel::preset("hot_hatch").expect("a preset");
    app.world_mut().entity_mut(car).remove::<(RigidBody, RapierRigidBodyHandle)>();
    run(&mut app, 0.1);
    let again = (hatch, RigidBody::Dynamic, Transform::from_xyz(0.0, 0.7, 0.0));
    app.world_mut().entity_mut(car).insert(again);
    run(&mut app, 2.0);
    assert_eq!(count(&mut app), (4, colliders, 1_400.0));
    assert!(app.world().get::<VehicleFault>(car).is_none());
    assert!(2.0 < place(&app, car).z, "{}", place(&app, car));
}

#[test]
fn steps_that_no_vehicle_can_take_are_told() {
    let mut app = app(true);
    app.insert_resource(TimestepMode::Fixed { dt: DT, substeps: 2 });
    let car = app.world_mut().spawn(hot_hatch(0.0)).id();
    let fixed = app.world_mut().spawn((hot_hatch(9.0), RigidBody::Fixed)).id();
    run(&mut app, 0.5);
    let fault = |entity| app.world().get::<VehicleFault>(entity).expect("a fault").to_string();
    let told = fault(car);
    assert!(told.starts_with("TimestepMode must be Fixed with 1 substep, got Fixed"), "{told}");
    assert!(fault(fixed).contains("must be dynamic, but is Fixed"), "{}", fault(fixed));
}

#[test]
fn a_transform_that_is_set_puts_the_vehicle_there_at_rest_in_either_schedule() {
    for is_fixed in [true, false] {
        let mut app = app(is_fixed);
        let car = app.world_mut().spawn(hot_hatch(0.0)).id();
        run(&mut app, 3.0);
        let to = Transform::from_xyz(30.0, 0.7, 5.0);
        *app.world_mut().get_mut::<Transform>(car).expect("it has") = to;
        app.world_mut().get_mut::<DriverCommands>(car).expect("it has").throttle = 0.0;
        app.world_mut().get_mut::<DriverCommands>(car).expect("it has").brake = 1.0;
        run(&mut app, 0.1);
        let speed = app.world().get::<Vehicle>(car).expect("it drives").car.forward_speed();
        assert!(speed.abs() < 0.1, "{speed} m/s");
        // Its tires hold it there, and not to where they stood.
        run(&mut app, 2.0);
        let at = place(&app, car);
        assert!((at - to.translation).with_y(0.0).length() < 0.05, "{at}");
        assert!(app.world().get::<VehicleFault>(car).is_none());
    }
}

#[test]
fn a_body_that_is_put_elsewhere_itself_goes_on_as_it_is_told() {
    for is_fixed in [true, false] {
        let mut app = app(is_fixed);
        let car = app.world_mut().spawn(hot_hatch(0.0)).id();
        run(&mut app, 2.0);
        let throw = |mut vehicles: Query<&mut Vehicle>,
                     mut sets: Query<&mut RapierRigidBodySet>| {
            let car = &mut vehicles.single_mut().expect("one vehicle").car;
            let bodies = &mut sets.single_mut().expect("one world").bodies;
            let place = Pose::from_translation(Vector::new(30.0, 0.7, 5.0));
            car.teleport(bodies, place).expect("a place");
            car.set_velocity(bodies, Vector::Z * 20.0).expect("a velocity");
        };
        app.world_mut().run_system_once(throw).expect("a system");
        run(&mut app, 0.5);
        let speed = app.world().get::<Vehicle>(car).expect("it drives").car.forward_speed();
        assert!((18.0..23.0).contains(&speed), "{speed} m/s, fixed {is_fixed}");
        let at = place(&app, car);
        assert!((at.x - 30.0).abs() < 0.1 && (12.0..18.0).contains(&at.z), "{at}");
        assert!(app.world().get::<VehicleFault>(car).is_none());
    }
}

#[test]
fn a_transform_that_is_set_while_the_world_pauses_or_a_vehicle_has_a_fault_is_obeyed_after_it() {
    for is_fixed in [true, false] {
        for pauses in [true, false] {
            let mut app = app(is_fixed);
            let car = app.world_mut().spawn(hot_hatch(0.0)).id();
            run(&mut app, 3.0);
            let set_paused = |app: &mut App, is_paused: bool| {
                let mut worlds = app.world_mut().query::<&mut RapierConfiguration>();
                let mut config = worlds.single_mut(app.world_mut()).expect("one world");
                config.physics_pipeline_active = !is_paused;
            };
            if pauses {
                set_paused(&mut app, true);
            } else {
                let fault = VehicleFault::Timestep("a test".to_owned());
                app.world_mut().entity_mut(car).insert(fault);
            }
            run(&mut app, 0.1);
            let to = Transform::from_xyz(30.0, 0.7, 5.0);
            *app.world_mut().get_mut::<Transform>(car).expect("it has") = to;
            let mut driver = app.world_mut().get_mut::<DriverCommands>(car).expect("it has");
            (driver.throttle, driver.brake) = (0.0, 1.0);
            run(&mut app, 0.1);
            set_paused(&mut app, false);
            app.world_mut().entity_mut(car).remove::<VehicleFault>();
            run(&mut app, 0.1);
            let what = format!("fixed {is_fixed}, pause {pauses}");
            let speed = app.world().get::<Vehicle>(car).expect("it drives").car.forward_speed();
            assert!(speed.abs() < 0.1, "{what}: {speed} m/s");
        }
    }
}

#[test]
fn a_vehicle_that_is_only_driven_is_never_taken_for_one_that_is_put_elsewhere() {
    let mut app = app(true);
    let still = app.world_mut().spawn(hot_hatch(0.0)).id();
    let scaled = app.world_mut().spawn(hot_hatch(9.0)).id();
    run(&mut app, 1.0);
    for _ in 0..200 {
        // Written without being moved.
        app.world_mut().get_mut::<Transform>(scaled).expect("it has").set_changed();
        app.update();
    }
    let [still, scaled] = [still, scaled].map(|car| place(&app, car).z);
    assert!(15.0 < still && (still - scaled).abs() < 0.05, "{still} m and {scaled} m");
}

/// What has been told, in order.
#[derive(Resource, Default)]
struct Told(Vec<VehicleMessage>);

#[test]
fn events_are_messages_of_vehicles_that_are_listened_to() {
    let mut app = app(true);
    let keep = |mut messages: MessageReader<VehicleMessage>, mut told: ResMut<Told>| {
        told.0.extend(messages.read());
    };
    app.init_resource::<Told>().add_systems(Update, keep);
    let car = app.world_mut().spawn((hot_hatch(0.0), VehicleListener::default())).id();
    let silent = app.world_mut().spawn(hot_hatch(9.0)).id();
    run(&mut app, 10.0);
    let told = std::mem::take(&mut app.world_mut().resource_mut::<Told>().0);
    assert!(told.iter().all(|message| message.vehicle == car && message.vehicle != silent));
    let is_gear =
        |message: &VehicleMessage| matches!(message.event.event, VehicleEvent::GearChanged { .. });
    assert!(told.iter().any(is_gear), "no gear in {told:#?}");
    let bad = EventParams { capacity: 0, ..EventParams::default() };
    app.world_mut().entity_mut(car).insert(VehicleListener(bad));
    run(&mut app, 0.1);
    let fault = app.world().get::<VehicleFault>(car).expect("a fault").to_string();
    assert_eq!(fault, "listener: capacity must be within [1, 65536], got 0");
}
