//! Vehicles to drive: the presets.

use std::path::Path;

use rapier3d::prelude::*;
use vehicle_rapier::core::tire::models::AnyTire;
use vehicle_rapier::core::tire::soil::{Soil, SoilTire};
use vehicle_rapier::vehicle_file::{
    AnyVehicle, Coupling, MechanicsSource, Preset, TireSource, VehicleFile,
};

use crate::Error;

/// The vehicle that is driven unless another is chosen.
pub const DEFAULT_VEHICLE: &str = "hot_hatch";

/// Names of all vehicles that have a drive of their own, in alphabetical order.
pub fn vehicle_names() -> Vec<&'static str> {
    Preset::ALL.iter().filter(|preset| preset.is_driven()).map(|preset| preset.name).collect()
}

/// Between the names of a vehicle and of the trailer that it pulls.
const COUPLED: char = '-';

/// Names of all vehicles with the trailers that fit them, such as `semi_tractor-semi_trailer`.
pub fn train_names() -> Vec<String> {
    let train = |preset: &Preset| {
        Some(format!("{}{COUPLED}{}", preset.name, preset.coupling.as_ref()?.trailer))
    };
    Preset::ALL.iter().filter_map(train).collect()
}

/// How the trailer is coupled that is named after the vehicle in `name`, if there is one.
pub(crate) fn coupling(name: &str) -> Option<Coupling> {
    let (vehicle, trailer) = name.split_once(COUPLED)?;
    let preset = Preset::ALL.iter().find(|preset| preset.name == vehicle)?;
    preset.coupling.filter(|coupling| coupling.trailer == trailer)
}

/// The file of the vehicle `name`, without that of its trailer.
///
/// # Errors
///
/// If there is none; if the file has a fault.
pub fn vehicle_file(name: &str) -> Result<VehicleFile, Error> {
    let alone = match coupling(name) {
        Some(_) => name.split(COUPLED).next().unwrap_or(name),
        None => name,
    };
    let preset = Preset::ALL.iter().find(|preset| preset.name == alone).ok_or_else(|| {
        let names = Preset::ALL.iter().map(|preset| preset.name.to_owned());
        Error::UnknownVehicle { name: name.to_owned(), known: names.chain(train_names()).collect() }
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

/// Length, width and height of the body without what is below its floor (m). They are those of its
/// data sheet, or the box around its wheels with the height of a car.
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
