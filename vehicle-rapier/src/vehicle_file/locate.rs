//! Where a field stands in a text.

use std::cell::Cell;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::fault::{FilePosition, VehicleFileError};
use super::format::FileFormat;

/// Names of choices, between a field and what was chosen: paths of parameters do not have them.
const CHOICES: [&str; 23] = [
    "data_sheet",
    "parameters",
    "direct",
    "engine",
    "tank",
    "blocks",
    "brush",
    "magic_formula",
    "fiala",
    "parabolic_brush",
    "t_measy",
    "friction_ellipse",
    "soil",
    "file",
    "own",
    "multi_wheel",
    "four_wheel",
    "torque_splitting",
    "engine_speed",
    "map",
    "unsprung",
    "cuboid",
    "law",
];

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
    if format == FileFormat::Ron {
        // There a choice is written as the name of what was chosen.
        steps.retain(|step| !matches!(step, Step::Name(name) if CHOICES.contains(&name.as_str())));
    }
    while !steps.is_empty() {
        let is_found = Cell::new(false);
        // TOML tells where a value is once it has begun to read it, the others before they do.
        let fails_within = format == FileFormat::Toml;
        let locate = Locate { steps: &steps, is_found: &is_found, fails_within };
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
}

impl<'de> Visitor<'de> for Locate<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the fields on the way")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        self.pass()?;
        while let Some(key) = map.next_key::<String>()? {
            match &self.steps[0] {
                Step::Name(name) if *name == key => {
                    map.next_value_seed(Self { steps: &self.steps[1..], ..self })?;
                }
                _ if CHOICES.contains(&key.as_str()) => map.next_value_seed(self)?,
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        self.pass()?;
        let Step::Index(wanted) = self.steps[0] else {
            while list.next_element::<IgnoredAny>()?.is_some() {}
            return Ok(());
        };
        for _ in 0..wanted {
            list.next_element::<IgnoredAny>()?;
        }
        list.next_element_seed(Self { steps: &self.steps[1..], ..self })?;
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
        for (format, text, path, line) in [
            (FileFormat::Json, json, "a[0]", 2),
            (FileFormat::Json, json, "a[1].b", 4),
            (FileFormat::Json, json, "a[1].other.b", 3),
            (FileFormat::Toml, toml, "a[1]", 2),
            (FileFormat::Toml, toml, "c.b · d[1]", 4),
            (FileFormat::Ron, ron, "a[1].brush.b", 4),
            (FileFormat::Ron, ron, "a[0]", 2),
        ] {
            let found = position(format, text, path).map(|position| position.line);
            assert_eq!(found, Some(line), "{format:?} {path}");
        }
    }
}
