//! What inspectors and scenes see of vehicles.

use bevy_ecs::reflect::{AppTypeRegistry, ReflectComponent};
use bevy_reflect::{GetPath, PartialReflect, ReflectRef};
use vehicle_bevy::{TowedBy, VehicleModelMessage};

use super::*;

#[test]
fn components_are_registered_read_and_written_by_reflection() {
    let mut app = app(60.0);
    let car = spawn(&mut app, model("hot_hatch"), 0.0, GO);
    app.world_mut().entity_mut(car).insert(VehicleListener::default());
    advance(&mut app, 0.1);
    let registry = app.world().resource::<AppTypeRegistry>().clone();
    let registry = registry.read();
    let names = [
        "DriverCommands",
        "PlayerInputs",
        "PlayerKeys",
        "TowedBy",
        "Tows",
        "VehicleAids",
        "VehicleFault",
        "VehicleInWorld",
        "VehicleListener",
        "VehicleModel",
        "VehicleSounds",
        "VehicleWheel",
    ];
    for name in names {
        let known = registry.get_with_short_type_path(name);
        let is_component = known.is_some_and(|known| known.data::<ReflectComponent>().is_some());
        assert!(is_component, "{name} is not registered as a component");
    }
    for name in ["VehicleMessage", "VehicleModelMessage"] {
        assert!(registry.get_with_short_type_path(name).is_some(), "{name} is not registered");
    }

    let commands =
        registry.get_type_data::<ReflectComponent>(std::any::TypeId::of::<DriverCommands>());
    let commands = commands.expect("registered").clone();
    drop(registry);
    let mut entity = app.world_mut().entity_mut(car);
    let mut seen = commands.reflect_mut(&mut entity).expect("it has them");
    assert_eq!(seen.path::<f32>("throttle").ok(), Some(&0.6));
    *seen.path_mut::<f32>("throttle").expect("a field") = 0.25;
    assert_eq!(app.world().get::<DriverCommands>(car).expect("it has them").throttle, 0.25);
}

#[test]
fn what_has_foreign_parts_is_copied_as_a_whole() {
    let towed = TowedBy::new(Entity::PLACEHOLDER).at("eye");
    let ReflectRef::Struct(fields) = towed.reflect_ref() else { panic!("a struct") };
    assert!(fields.field("hitch").is_some() && fields.field("tractor").is_some());
    let opaque: [&dyn PartialReflect; 4] = [
        &model("kart"),
        &VehicleListener::default(),
        &VehicleAids::default(),
        &VehicleModelMessage::Refused { vehicle: Entity::PLACEHOLDER, error: String::new() },
    ];
    for value in opaque {
        assert!(matches!(value.reflect_ref(), ReflectRef::Opaque(_)), "{value:?}");
        assert!(value.reflect_clone().is_ok(), "{value:?}");
    }
}
