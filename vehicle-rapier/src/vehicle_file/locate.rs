//! Where a field stands in a text.

use std::cell::Cell;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::fault::{FilePosition, VehicleFileError};
use super::format::FileFormat;

/// Names of choices, between a field and what was chosen: paths of parameters do not have them.
const CHOICES: [&str; 63] = [
    "active",
    "anti_stall",
    "automatic",
    "blocks",
    "blueprint",
    "brush",
    "capsule",
    "centrifugal",
    "clutch_pack",
    "clutches",
    "convex_hull",
    "cuboid",
    "custom",
    "cylinder",
    "data_sheet",
    "differential",
    "direct",
    "double_differential",
    "dynamometer",
    "eddy_current",
    "electric_motor",
    "engine",
    "engine_speed",
    "estimate",
    "fiala",
    "file",
    "flywheel",
    "four_wheel",
    "freewheel",
    "friction_clutch",
    "friction_ellipse",
    "gear",
    "gearbox",
    "hold",
    "hydrodynamic",
    "joint",
    "magic_formula",
    "map",
    "multi_wheel",
    "on_demand",
    "open",
    "own",
    "parabolic_brush",
    "parameters",
    "planetary",
    "power_split",
    "power_split_control",
    "retarder",
    "shaft_brake",
    "soil",
    "splitter",
    "struts",
    "t_measy",
    "tank",
    "torque_bias",
    "torque_converter",
    "torque_splitting",
    "transfer_case",
    "unsprung",
    "variable",
    "viscous",
    "viscous_coupling",
    "wheel",
];

/// A field that paths of parameters do not have.
const UNSAID: &str = "law";

/// A step on the way to a field.
#[derive(Clone, Debug, PartialEq)]
enum Step {
    Name(String),
    Index(usize),
}

impl FilePosition {
    /// The place of the field at `path`, such as `phases[1].until.time`, in the text of a file. If
    /// the field is not there, it is that of the nearest field above it; `None` if there is none.
    ///
    /// ```
    /// use vehicle_rapier::vehicle_file::{FileFormat, FilePosition};
    ///
    /// let text = "{\n  \"wheels\": [{ \"radius\": -1 }]\n}";
    /// let place = FilePosition::of_field(FileFormat::Json, text, "wheels[0].radius");
    /// assert_eq!(place.map(|place| place.line), Some(2));
    /// ```
    pub fn of_field(format: FileFormat, text: &str, path: &str) -> Option<Self> {
        position(format, text, path)
    }
}

impl VehicleFileError {
    /// Gives each fault that has no place the one of its field in `text`, from which the file was
    /// read.
    ///
    /// [`AnyVehicle::from_str`](super::AnyVehicle::from_str) and
    /// [`load`](super::AnyVehicle::load) do so themselves. A [`VehicleFile`](super::VehicleFile)
    /// keeps no text, so faults of [`AnyVehicle::new`](super::AnyVehicle::new) have only paths.
    ///
    /// ```
    /// use vehicle_rapier::vehicle_file::{AnyVehicle, FileFormat, Preset, VehicleFile};
    ///
    /// let text = Preset::of_name("hot_hatch")?.text;
    /// let text = text.replacen("\"mass\": ", "\"mass\": -", 1);
    /// let file = VehicleFile::from_str(FileFormat::Json, &text)?;
    /// let error = AnyVehicle::new(file, "").unwrap_err();
    /// assert!(error.to_string().starts_with("mechanics.data_sheet.mass: must be positive"));
    /// let error = error.with_positions(FileFormat::Json, &text);
    /// assert!(error.to_string().starts_with("line "), "{error}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_positions(mut self, format: FileFormat, text: &str) -> Self {
        for fault in self.faults_mut().iter_mut().filter(|fault| fault.position.is_none()) {
            fault.position = position(format, text, &fault.path);
        }
        self
    }
}

/// The place of the field at `path`, such as `wheels[2].radius`, or of the nearest that is above
/// it.
pub(super) fn position(format: FileFormat, text: &str, path: &str) -> Option<FilePosition> {
    let mut steps = steps(path);
    while !steps.is_empty() {
        let is_found = Cell::new(false);
        // TOML tells where a value is once it has begun to read it, the others before they do.
        let fails_within = format == FileFormat::Toml;
        // In RON, a choice is written as the name of what was chosen, which is no field.
        let names_choices = format != FileFormat::Ron;
        let locate = Locate { steps: &steps, is_found: &is_found, fails_within, names_choices };
        let result = format.read_seed(text, locate);
        if let (true, Err(error)) = (is_found.get(), result) {
            return error.position;
        }
        steps.pop();
    }
    None
}

fn steps(path: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    for part in path.split('.') {
        let part = part.split(' ').next().unwrap_or_default();
        let mut pieces = part.split('[');
        if let Some(name) = pieces.next().filter(|name| !name.is_empty()) {
            steps.push(Step::Name(name.to_owned()));
        }
        for index in pieces {
            let Ok(index) = index.trim_end_matches(']').parse() else { return steps };
            steps.push(Step::Index(index));
        }
    }
    steps
}

/// Fails at a field, so that the format tells where that is.
#[derive(Clone, Copy)]
struct Locate<'a> {
    steps: &'a [Step],
    is_found: &'a Cell<bool>,
    /// Whether it fails as the value at the end is read, or before.
    fails_within: bool,
    /// Whether choices are fields.
    names_choices: bool,
}

impl<'de> DeserializeSeed<'de> for Locate<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        if self.steps.is_empty() {
            self.is_found.set(true);
            if !self.fails_within {
                return self.pass();
            }
        }
        deserializer.deserialize_any(self)
    }
}

impl Locate<'_> {
    /// Fails at the end of the way.
    fn pass<E: Error>(self) -> Result<(), E> {
        if self.steps.is_empty() { Err(E::custom("here")) } else { Ok(()) }
    }

    /// The way on from this field, or into it if it is a choice.
    fn after(self, key: &str) -> Option<Self> {
        let is_key = |step: &Step| matches!(step, Step::Name(name) if name == key);
        let taken = self.steps[..=self.leading_choices()].iter().position(is_key);
        match taken {
            Some(index) => Some(Self { steps: &self.steps[index + 1..], ..self }),
            None if self.names_choices && CHOICES.contains(&key) => Some(self),
            None => (key == UNSAID).then_some(self),
        }
    }

    /// How many steps there are before one that must be a field, or the last.
    fn leading_choices(&self) -> usize {
        let is_choice = |step: &&Step| match step {
            Step::Name(name) => !self.names_choices && CHOICES.contains(&name.as_str()),
            Step::Index(_) => false,
        };
        let choices = self.steps.iter().take_while(is_choice).count();
        choices.min(self.steps.len().saturating_sub(1))
    }
}

impl<'de> Visitor<'de> for Locate<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the fields on the way")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        self.pass()?;
        while let Some(key) = map.next_key::<String>()? {
            if let Some(way) = self.after(&key) {
                map.next_value_seed(way)?;
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        self.pass()?;
        let index = self.leading_choices();
        let Step::Index(wanted) = self.steps[index] else {
            while list.next_element::<IgnoredAny>()?.is_some() {}
            return Ok(());
        };
        for _ in 0..wanted {
            list.next_element::<IgnoredAny>()?;
        }
        list.next_element_seed(Self { steps: &self.steps[index + 1..], ..self })?;
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(())
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<(), E> {
        self.pass()
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<(), E> {
        self.pass()
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<(), E> {
        self.pass()
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<(), E> {
        self.pass()
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<(), E> {
        self.pass()
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        self.pass()
    }

    fn visit_none<E: Error>(self) -> Result<(), E> {
        self.pass()
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

#[cfg(all(test, feature = "all-formats"))]
mod tests {
    use super::*;

    #[test]
    fn fields_are_found_in_every_format() {
        let json = "{\n \"a\": [1,\n {\"file\": {\n\"b\": 2}}]}";
        let toml = "a = [1,\n 2]\n[c]\nb = 2\n";
        let ron = "(\n a: [1,\n brush(c: 1,\n b: 2)])";
        let sheet = "(mechanics: blueprint(\n axles: [\n(gear: (ratio: 1),\n wheel: (ratio: 2))]))";
        for (format, text, path, line) in [
            (FileFormat::Json, json, "a[0]", 2),
            (FileFormat::Json, json, "a[1].b", 4),
            (FileFormat::Json, json, "a[1].other.b", 3),
            (FileFormat::Toml, toml, "a[1]", 2),
            (FileFormat::Toml, toml, "c.b · d[1]", 4),
            (FileFormat::Ron, ron, "a[1].brush.b", 4),
            (FileFormat::Ron, ron, "a[0]", 2),
            (FileFormat::Ron, sheet, "mechanics.blueprint.axles", 2),
            (FileFormat::Ron, sheet, "mechanics.blueprint.axles[0].wheel.ratio", 4),
        ] {
            let found = position(format, text, path).map(|position| position.line);
            assert_eq!(found, Some(line), "{format:?} {path}");
        }
    }
}

#[cfg(all(test, feature = "schema"))]
mod schema_tests {
    use serde_json::Value;

    use super::CHOICES;
    use crate::vehicle_file::json_schema;

    /// Adds the names of choices with content, objects of one field, below `node`.
    fn find<'a>(node: &'a Value, names: &mut Vec<&'a str>) {
        match node {
            Value::Object(fields) => {
                let choices = ["oneOf", "anyOf"].iter().filter_map(|&name| fields.get(name));
                for choice in choices.filter_map(Value::as_array).flatten() {
                    let properties = choice.get("properties").and_then(Value::as_object);
                    let required = choice.get("required").and_then(Value::as_array);
                    if let (Some(properties), Some(required)) = (properties, required)
                        && [properties.len(), required.len()] == [1, 1]
                    {
                        names.extend(properties.keys().map(String::as_str));
                    }
                }
                fields.values().for_each(|field| find(field, names));
            }
            Value::Array(items) => items.iter().for_each(|item| find(item, names)),
            _ => {}
        }
    }

    #[test]
    fn all_choices_of_vehicle_files_are_known() {
        let schema = json_schema();
        let mut names = Vec::new();
        find(&schema, &mut names);
        assert!(names.contains(&"blueprint"), "{names:?}");
        names.retain(|name| !CHOICES.contains(name));
        assert!(names.is_empty(), "{names:?}");
    }
}
