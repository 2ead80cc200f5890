//! Vehicles to drive: the presets.

use std::path::Path;

use rapier3d::prelude::*;
use vehicle_rapier::core::tire::models::AnyTire;
use vehicle_rapier::core::tire::soil::{Soil, SoilTire};
use vehicle_rapier::vehicle_file::{AnyVehicle, MechanicsSource, Preset, TireSource, VehicleFile};

use crate::Error;

/// The vehicle that is driven unless another is chosen.
pub const DEFAULT_VEHICLE: &str = "hot_hatch";

/// Names of all vehicles that have a drive of their own, in alphabetical order.
pub fn vehicle_names() -> Vec<&'static str> {
    Preset::ALL.iter().filter(|preset| preset.is_driven()).map(|preset| preset.name).collect()
}

/// The file of the vehicle `name`.
///
/// # Errors
///
/// If there is none; if the file has a fault.
pub fn vehicle_file(name: &str) -> Result<VehicleFile, Error> {
    let preset = Preset::ALL.iter().find(|preset| preset.name == name).ok_or_else(|| {
        Error::UnknownVehicle {
            name: name.to_owned(),
            known: Preset::ALL.iter().map(|preset| preset.name.to_owned()).collect(),
        }
    })?;
    Ok(preset.file()?)
}

/// The vehicle of `file`, whose paths begin in `folder`, on tires for `soil` if the ground is soft.
///
/// # Errors
///
/// All faults of the file.
pub(crate) fn vehicle(
    mut file: VehicleFile,
    folder: &Path,
    soil: Option<Soil>,
) -> Result<AnyVehicle, Error> {
    if let Some(soil) = soil {
        let made = AnyVehicle::new(file.clone(), folder)?;
        let wheels = &made.mechanics().wheels;
        let tire = |pressure| SoilTire { soil, nominal_pressure: pressure };
        let tires = wheels.iter().map(|wheel| AnyTire::from(tire(wheel.inflation_pressure)));
        file.tires = tires.map(TireSource::from).collect();
    }
    Ok(AnyVehicle::new(file, folder)?)
}

/// Length, width and height of the body without what is below its floor (m): those of its data
/// sheet, or the box around its wheels with the height of a car.
pub fn body_size(vehicle: &AnyVehicle) -> [Real; 3] {
    match &vehicle.file().mechanics {
        MechanicsSource::DataSheet(sheet) => return sheet.size,
        MechanicsSource::Blueprint(blueprint) => return blueprint.size,
        _ => {}
    }
    let mechanics = vehicle.mechanics();
    let frame = &vehicle.file().frame;
    let mut size = [0.0_f32; 3];
    for (mount, wheel) in mechanics.suspensions.iter().zip(&mechanics.wheels) {
        let place = mount.wheel_mount();
        let along = place.dot(frame.longitudinal()).abs() + 1.6 * wheel.radius;
        let across = place.dot(frame.lateral()).abs() + wheel.half_width;
        size =
            [size[0].max(2.0 * along), size[1].max(2.0 * across), size[2].max(3.5 * wheel.radius)];
    }
    size
}
