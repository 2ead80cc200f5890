//! Parameters: numbers of a vehicle's file with their names, what they are, and what they may be.
//!
//! Nothing of that is written here. Names and documentation are those of the schema of vehicle
//! files, bounds are what the library accepts, and their wording is that of its faults.

use std::path::Path;

use anyhow::Result;
use serde_json::{Number, Value};
use vehicle_rapier::core::AxleDescription;
use vehicle_rapier::vehicle_file::{AnyVehicle, TireSource, VehicleFile, VehicleFileError};

use crate::schema::{Leaf, Schema, unit};

/// How far a slider goes, beyond the value and below it (dimensionless): a factor.
const REACH: f64 = 4.0;
/// Steps in which the end of a slider is searched for, each of which halves what is uncertain.
const SEARCH_STEPS: u32 = 10;
/// How far the slider of a value of 0 goes, by its unit.
const USUAL: [(&str, f64); 6] = [
    ("N/m", 40_000.0),
    ("N·s/m", 4_000.0),
    ("N·m", 1_000.0),
    ("N/rad", 20_000.0),
    ("N", 50_000.0),
    ("kg", 500.0),
];

/// Lists of parameters with one element for each wheel.
const PER_WHEEL: [&str; 5] = ["wheels", "suspensions", "compliances", "suspension_forces", "tires"];

/// The list of axles in a blueprint.
const AXLES: &str = "/mechanics/blueprint/axles/";

/// A number that can be turned.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// The part of the vehicle, such as `engine: clutch`.
    pub group: String,
    /// Its name in that, such as `capacity`.
    pub name: String,
    /// What it is.
    pub doc: String,
    /// Its unit; empty if it has none.
    pub unit: String,
    /// What it must be, in the words of the library.
    pub bound: String,
    /// Least and largest value of its slider: the library accepts both.
    pub range: [f64; 2],
    /// The value.
    pub value: f64,
    /// The value in the file as it was opened.
    pub original: f64,
    /// Where it is in the file: JSON pointers, several for the wheels of an axle.
    pointers: Vec<String>,
}

/// A vehicle's file as data, with the tires that follow from it.
pub(crate) struct Document {
    /// The file.
    file: Value,
    /// The file's data with a tire for each wheel.
    with_tires: Value,
}

impl Document {
    /// # Errors
    ///
    /// All faults of the file.
    pub(crate) fn new(file: &VehicleFile, folder: &Path) -> Result<Self> {
        let made = AnyVehicle::new(file.clone(), folder)?;
        let mut with_tires = file.clone();
        if with_tires.tires.is_empty() {
            let tires = made.mechanics().tires.iter().cloned();
            with_tires.tires = tires.map(TireSource::from).collect();
        }
        Ok(Self {
            file: serde_json::to_value(file)?,
            with_tires: serde_json::to_value(&with_tires)?,
        })
    }

    /// The file with another value of `parameter`; its own tires only if it had some or one of them
    /// is changed.
    pub(crate) fn with(&self, parameter: &Parameter, value: f64) -> Result<VehicleFile> {
        let is_of_tire = parameter.pointers.iter().all(|pointer| pointer.starts_with("/tires/"));
        let mut file = if is_of_tire { self.with_tires.clone() } else { self.file.clone() };
        for pointer in &parameter.pointers {
            set(&mut file, pointer, value)?;
        }
        Ok(serde_json::from_value(file)?)
    }

    /// The value of `parameter`; its own if it is gone.
    pub(crate) fn value(&self, parameter: &Parameter) -> f64 {
        let number =
            parameter.pointers.first().and_then(|pointer| number(&self.with_tires, pointer));
        number.unwrap_or(parameter.value)
    }

    fn is_accepted(&self, parameter: &Parameter, value: f64, folder: &Path) -> bool {
        self.with(parameter, value).is_ok_and(|file| AnyVehicle::new(file, folder).is_ok())
    }
}

fn set(file: &mut Value, pointer: &str, value: f64) -> Result<()> {
    let number = Number::from_f64(value);
    let place = file.pointer_mut(pointer);
    let (Some(place), Some(number)) = (place, number) else {
        anyhow::bail!("{pointer} cannot be {value}");
    };
    *place = Value::Number(number);
    Ok(())
}

/// A number of the file as it is written there: of single precision.
fn number(file: &Value, pointer: &str) -> Option<f64> {
    let written = file.pointer(pointer)?.as_f64()? as f32;
    written.to_string().parse().ok()
}

/// The parameters of the vehicle of `file`, whose paths begin in `folder`.
///
/// # Errors
///
/// All faults of the file.
pub fn parameters(file: &VehicleFile, folder: &Path) -> Result<Vec<Parameter>> {
    let document = Document::new(file, folder)?;
    let made = AnyVehicle::new(file.clone(), folder)?;
    let leaves = Schema::new()?.leaves(&document.with_tires);
    let mut parameters: Vec<Parameter> = Vec::new();
    for leaf in leaves {
        let Some(parameter) = Parameter::of(leaf, &document.with_tires) else { continue };
        match parameters
            .iter_mut()
            .find(|other| are_alike(other, &parameter, &made.mechanics().axles))
        {
            Some(other) => other.join(parameter),
            None => parameters.push(parameter),
        }
    }
    for parameter in &mut parameters {
        parameter.bound = bound(&document, parameter, folder);
        parameter.range = range(&document, parameter, folder);
    }
    Ok(parameters)
}

/// Whether both are the same of wheels of one axle; of any axle, if there are more than two.
fn are_alike(one: &Parameter, other: &Parameter, axles: &AxleDescription) -> bool {
    let place = |parameter: &Parameter| {
        let (list, number, rest) = in_list(parameter.pointers.first()?)?;
        let axle = if list == AXLES { Some(number) } else { axles.axle_of(number) };
        let axle = axle.filter(|_| axles.axle_count() <= 2);
        Some((list.to_owned(), axle, rest.to_owned()))
    };
    one.value == other.value && place(one).is_some() && place(one) == place(other)
}

/// The list of wheels or axles in which a number is, its place in that, and the rest of its path.
fn in_list(pointer: &str) -> Option<(&str, usize, &str)> {
    let digit = pointer.find(|letter: char| letter.is_ascii_digit())?;
    let (list, rest) = pointer.split_at(digit);
    let name = list.trim_end_matches('/').rsplit('/').next()?;
    let is_per_wheel = list == "/tires/"
        || (list.starts_with("/mechanics/parameters/") && PER_WHEEL.contains(&name));
    let (number, rest) = rest.split_once('/')?;
    let number = number.parse().ok()?;
    (is_per_wheel || list == AXLES).then_some((list, number, rest))
}

impl Parameter {
    fn of(leaf: Leaf, file: &Value) -> Option<Self> {
        let Leaf { pointer, doc } = leaf;
        let value = number(file, &pointer)?;
        let (group, name) = names(&pointer, file);
        let unit = unit(&doc).to_owned();
        let (bound, range) = (String::new(), [value; 2]);
        let pointers = vec![pointer];
        Some(Self { group, name, doc, unit, bound, range, value, original: value, pointers })
    }

    /// Takes what is the same of another wheel.
    fn join(&mut self, other: Self) {
        self.pointers.extend(other.pointers);
        let numbers = self.pointers.iter().filter_map(|pointer| in_list(pointer));
        let wheels: Vec<_> = numbers.map(|(_, number, _)| number.to_string()).collect();
        if let Some((before, rest)) = self.group.split_once('[')
            && let Some((_, after)) = rest.split_once(']')
        {
            self.group = format!("{before}[{}]{after}", wheels.join(", "));
        }
    }

    /// Whether it is one of what turns the wheels.
    pub fn is_of_drive(&self) -> bool {
        self.pointers.iter().any(|pointer| pointer.starts_with("/drive/"))
    }

    /// Whether it is not what the file says.
    pub fn is_changed(&self) -> bool {
        self.value != self.original
    }
}

/// Group and name of the number at `pointer`: parts of its path.
fn names(pointer: &str, file: &Value) -> (String, String) {
    let parts: Vec<&str> = pointer.split('/').skip(1).collect();
    let mut path = Vec::<String>::new();
    let mut place = String::new();
    for part in parts {
        place = format!("{place}/{part}");
        match (part.parse::<usize>(), path.last_mut()) {
            (Ok(_), Some(last)) => {
                // What has a name is called by it.
                let name = file.pointer(&place).and_then(|item| item["name"].as_str());
                last.push_str(&format!("[{}]", name.unwrap_or(part)));
            }
            _ => path.push(part.to_owned()),
        }
    }
    if matches!(path[0].as_str(), "mechanics" | "drive") {
        path.remove(0);
    }
    let head = if 2 < path.len() { 2 } else { 1 };
    let group = path[..head].join(": ").replace('_', " ");
    (group, path[head..].join("."))
}

/// What `parameter` must be, as the library says it of a value that cannot be.
fn bound(document: &Document, parameter: &Parameter, folder: &Path) -> String {
    let refused = [-1e39, 1e39].into_iter().find_map(|value| {
        let file = document.with(parameter, value).ok()?;
        AnyVehicle::new(file, folder).err()
    });
    let requirement = |error: VehicleFileError| {
        let wanted = parameter.pointers.first().map(|pointer| field_path(pointer));
        let faults = error.faults();
        let own = faults.iter().find(|fault| Some(&fault.path) == wanted.as_ref());
        let message = &own.or(faults.first())?.message;
        let (requirement, _) = message.strip_prefix("must be ")?.split_once(", got")?;
        Some(requirement.to_owned())
    };
    refused.and_then(requirement).unwrap_or_else(|| "a number".to_owned())
}

/// The path of a field as faults write it.
fn field_path(pointer: &str) -> String {
    let mut path = String::new();
    for part in pointer.split('/').skip(1) {
        match part.parse::<usize>() {
            Ok(index) => path.push_str(&format!("[{index}]")),
            Err(_) if path.is_empty() => path.push_str(part),
            Err(_) => path.push_str(&format!(".{part}")),
        }
    }
    path
}

/// How far the slider goes: a factor to either side, as far as the library accepts it.
fn range(document: &Document, parameter: &Parameter, folder: &Path) -> [f64; 2] {
    let value = parameter.value;
    let usual =
        || USUAL.iter().find(|(unit, _)| *unit == parameter.unit).map_or(1.0, |&(_, far)| far);
    let ends = match value {
        0.0 => [-usual(), usual()],
        _ if value < 0.0 => [value * REACH, value / REACH],
        _ => [value / REACH, value * REACH],
    };
    ends.map(|end| {
        if document.is_accepted(parameter, end, folder) {
            return end;
        }
        let (mut good, mut bad) = (value, end);
        for _ in 0..SEARCH_STEPS {
            let middle = 0.5 * (good + bad);
            let is_good = document.is_accepted(parameter, middle, folder);
            *(if is_good { &mut good } else { &mut bad }) = middle;
        }
        good
    })
}
