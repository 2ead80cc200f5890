//! Trailers: coupled, pulled, put elsewhere with their tractor, and let go.

use vehicle_bevy::{TowedBy, Tows};

use super::models::car;
use super::*;

/// Joints of the world.
fn joints(app: &App) -> usize {
    app.world().resource::<RapierWorld>().0.impulse_joints.len()
}

/// Distance of the hitches of a tractor and its trailer (m).
fn gap(app: &App, [tractor, trailer]: [Entity; 2]) -> f32 {
    let bodies = &app.world().resource::<RapierWorld>().0.bodies;
    let hitch = |entity| {
        let car = &car(app, entity).car;
        let hitch = car.vehicle.file().hitches[0].position;
        car.pose(bodies).expect("a body").transform_point(hitch)
    };
    hitch(tractor).distance(hitch(trailer))
}

fn train(app: &mut App, tractor: &str, trailer: &str, aside: f32) -> [Entity; 2] {
    let straight = DriverCommands { throttle: 1.0, steer: 0.0, ..GO };
    // The trailer first: it waits for its tractor.
    let trailer = app.world_mut().spawn(model(trailer)).id();
    let tractor = spawn(app, model(tractor), aside, straight);
    app.world_mut().entity_mut(trailer).insert(TowedBy::new(tractor));
    [tractor, trailer]
}

#[test]
fn a_trailer_is_put_behind_its_tractor_and_follows_it() {
    for (tractor, trailer) in [("semi_tractor", "semi_trailer"), ("truck_6x6", "tandem_trailer")] {
        let mut app = app(60.0);
        let train = train(&mut app, tractor, trailer, 2.0);
        advance(&mut app, 0.1);
        assert_eq!(joints(&app), 1);
        assert!(gap(&app, train) < 0.02, "{} m apart", gap(&app, train));
        let [_, from] = train.map(|entity| place(&app, entity));
        assert!(from.z < -3.0, "{from}");
        assert_eq!(app.world().get::<Tows>(train[0]).expect("a trailer").to_vec(), [train[1]]);
        advance(&mut app, 8.0);
        let to = place(&app, train[1]);
        assert!(from.z + 8.0 < to.z && (to.x - 2.0).abs() < 0.3, "{from} and {to}");
        assert!(gap(&app, train) < 0.1, "{} m apart", gap(&app, train));
        assert!(app.world_mut().query::<&VehicleFault>().iter(app.world()).next().is_none());
    }
}

#[test]
fn trailers_come_along_to_where_their_tractor_is_put() {
    let mut app = app(60.0);
    let train = train(&mut app, "semi_tractor", "semi_trailer", 0.0);
    advance(&mut app, 2.0);
    let mut to = *app.world().get::<Transform>(train[0]).expect("a transform");
    to.translation += Vec3::new(50.0, 0.0, 20.0);
    to.rotation = Quat::from_rotation_y(1.0) * to.rotation;
    *app.world_mut().get_mut::<Transform>(train[0]).expect("a transform") = to;
    app.update();
    app.update();
    assert!(gap(&app, train) < 0.05, "{} m apart", gap(&app, train));
    let trailer = place(&app, train[1]);
    assert!(trailer.distance(to.translation) < 10.0, "{trailer} and {}", to.translation);
    advance(&mut app, 6.0);
    assert!(gap(&app, train) < 0.1, "{} m apart", gap(&app, train));
}

#[test]
fn trailers_are_let_go_coupled_again_and_outlive_their_tractor() {
    let mut app = app(60.0);
    let train = train(&mut app, "truck_6x6", "tandem_trailer", 0.0);
    let [tractor, trailer] = train;
    app.world_mut().get_mut::<DriverCommands>(tractor).expect("a driver").throttle = 0.0;
    app.world_mut().get_mut::<DriverCommands>(tractor).expect("a driver").brake = 1.0;
    advance(&mut app, 1.0);
    app.world_mut().entity_mut(trailer).remove::<TowedBy>();
    advance(&mut app, 1.1);
    assert_eq!(joints(&app), 0);
    // Where it stands, it can be coupled again.
    let towed = TowedBy::new(tractor).at("coupling").by("eye");
    app.world_mut().entity_mut(trailer).insert(towed.clone());
    advance(&mut app, 1.2);
    assert_eq!(joints(&app), 1);
    // The model of the tractor may change.
    app.world_mut().entity_mut(tractor).insert(model("truck_6x6"));
    advance(&mut app, 1.4);
    assert!(joints(&app) == 1 && gap(&app, train) < 0.1, "{} m apart", gap(&app, train));
    app.world_mut().despawn(tractor);
    advance(&mut app, 2.0);
    assert_eq!(joints(&app), 0);
    assert!(app.world().get::<TowedBy>(trailer).is_none());
    assert!(app.world().get::<VehicleInWorld>(trailer).is_some());
    assert!(app.world().get::<VehicleFault>(trailer).is_none());
}

#[test]
fn hitches_that_are_not_there_or_far_apart_are_faults_of_the_trailer() {
    let mut app = app(60.0);
    let fault =
        |app: &App, entity| app.world().get::<VehicleFault>(entity).map(ToString::to_string);
    let tractor = spawn(&mut app, model("truck_6x6"), 0.0, DriverCommands::default());
    let misnamed = app.world_mut().spawn(model("tandem_trailer")).id();
    app.world_mut().entity_mut(misnamed).insert(TowedBy::new(tractor).at("hook"));
    let far = spawn(&mut app, model("tandem_trailer"), 30.0, DriverCommands::default());
    advance(&mut app, 0.5);
    let said = fault(&app, misnamed).expect("a fault");
    assert_eq!(said, "the hitch must be one of [\"coupling\"], got \"hook\"");
    assert_eq!(fault(&app, far), None);
    app.world_mut().entity_mut(far).insert(TowedBy::new(tractor));
    advance(&mut app, 0.6);
    let said = fault(&app, far).expect("a fault");
    assert!(said.contains("must be within 0.5 m of each other"), "{said}");
    assert_eq!(joints(&app), 0);
    assert_eq!(fault(&app, tractor), None);
}

#[test]
fn trains_drive_with_the_same_bits_in_any_order_of_their_entities() {
    let drive = |extra: bool| {
        let mut app = app(60.0);
        train(&mut app, "semi_tractor", "semi_trailer", 0.0);
        for aside in [6.0, 9.0, 12.0] {
            let name = if aside == 9.0 { "kart" } else { "hot_hatch" };
            let car = spawn(&mut app, model(name), aside, GO);
            if extra {
                app.world_mut().entity_mut(car).insert(VehicleSounds::default());
            }
        }
        advance(&mut app, 2.0);
        bits(&app.world().resource::<RapierWorld>().0)
    };
    assert!(drive(false) == drive(true));
}
