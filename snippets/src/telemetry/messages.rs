//! Telemetry as messages in a file of MCAP: a topic for each vehicle and each wheel.

use std::collections::{BTreeMap, HashSet};
use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

use anyhow::{Context, ensure};
use mcap::WriteOptions;
use mcap::records::MessageHeader;
use serde_json::json;

use super::{Channel, Telemetry, compact};
use crate::truck::TRAILER;

/// Messages and schemas are encoded so, in the words of the format's registry.
const ENCODINGS: [&str; 2] = ["json", "jsonschema"];
/// Nanoseconds in a second.
const NANOSECONDS: f64 = 1e9;

/// Messages of one kind, each of which has these columns of the table.
struct Topic {
    name: String,
    /// Key in the message, and number of the column.
    fields: Vec<(String, usize)>,
}

impl Telemetry {
    /// Writes the table as MCAP: a message for each sample on `/vehicle` and on a topic for each
    /// wheel, such as `/vehicle/wheels/front_left`; those of a trailer on `/trailer`.
    ///
    /// Messages are JSON with a JSON Schema that tells the units. Keys are names in lower case with
    /// `_`, such as `slip_angle`. Numbers are those of [`write_csv`](Self::write_csv). Those that
    /// are not finite are left out, because JSON has none.
    ///
    /// # Errors
    ///
    /// If a time is negative or not finite, two channels have one key, or the file cannot be
    /// written; the message names it.
    pub fn write_mcap(&self, path: impl AsRef<Path>) -> anyhow::Result<()> {
        let path = path.as_ref();
        self.write_messages(path)
            .with_context(|| format!("cannot write the telemetry to `{}`", path.display()))
    }

    fn write_messages(&self, path: &Path) -> anyhow::Result<()> {
        let topics = self.topics()?;
        let times = self.time().iter().enumerate().map(nanoseconds);
        let times = times.collect::<anyhow::Result<Vec<_>>>()?;
        let file = BufWriter::new(File::create(path)?);
        let library = concat!("snippets ", env!("CARGO_PKG_VERSION"));
        let options = WriteOptions::new().compression(None).library(library);
        let mut writer = options.create(file)?;
        let [message, schema] = ENCODINGS;
        let mut numbers = Vec::with_capacity(topics.len());
        for Topic { name, fields } in &topics {
            let text = self.schema(name, fields).to_string();
            let id = writer.add_schema(name.trim_start_matches('/'), schema, text.as_bytes())?;
            numbers.push(writer.add_channel(id, name, message, &BTreeMap::new())?);
        }
        for (row, log_time) in times.into_iter().enumerate() {
            for (Topic { fields, .. }, &channel_id) in topics.iter().zip(&numbers) {
                let sequence = row as u32;
                let header =
                    MessageHeader { channel_id, sequence, log_time, publish_time: log_time };
                writer.write_to_known_channel(&header, self.message(fields, row).as_bytes())?;
            }
        }
        writer.finish()?;
        Ok(())
    }

    /// The topics, in the order of their first channels.
    fn topics(&self) -> anyhow::Result<Vec<Topic>> {
        let mut topics: Vec<Topic> = Vec::new();
        for (column, Channel { name, .. }) in self.channels.iter().enumerate() {
            let (vehicle, own, prefix) = match name.strip_prefix(TRAILER) {
                Some(own) => ("/trailer", own, TRAILER),
                None => ("/vehicle", name.as_str(), ""),
            };
            let loads = format!("{prefix}load ");
            let of_wheel = self.names_after(&loads).find_map(|wheel| {
                let quantity = own.strip_suffix(wheel)?.strip_suffix(' ')?;
                Some((format!("{vehicle}/wheels/{}", key(wheel)), quantity))
            });
            let (topic, quantity) = of_wheel.unwrap_or_else(|| (vehicle.to_owned(), own));
            let field = (key(quantity), column);
            match topics.iter_mut().find(|other| other.name == topic) {
                Some(topic) => topic.fields.push(field),
                None => topics.push(Topic { name: topic, fields: vec![field] }),
            }
        }
        for Topic { name, fields } in &topics {
            let mut keys = HashSet::new();
            for (key, _) in fields {
                ensure!(
                    keys.insert(key),
                    "two channels of the topic `{name}` have the key `{key}`"
                );
            }
        }
        Ok(topics)
    }

    fn schema(&self, topic: &str, fields: &[(String, usize)]) -> serde_json::Value {
        let property = |(key, column): &(String, usize)| {
            let about = self.channels[*column].label();
            (key.clone(), json!({ "type": "number", "description": about }))
        };
        let properties: serde_json::Map<_, _> = fields.iter().map(property).collect();
        json!({ "title": topic, "type": "object", "properties": properties })
    }

    /// The message of a sample.
    fn message(&self, fields: &[(String, usize)], row: usize) -> String {
        let values = fields.iter().map(|(key, column)| (key, self.columns[*column][row]));
        let finite = values.filter(|(_, value)| value.is_finite());
        // A key has letters, digits and underscores alone.
        let members = finite.map(|(key, value)| format!("\"{key}\":{}", compact(value)));
        format!("{{{}}}", members.collect::<Vec<_>>().join(","))
    }
}

/// Time of a sample in nanoseconds, as messages have it.
fn nanoseconds((sample, &time): (usize, &f64)) -> anyhow::Result<u64> {
    let nanoseconds = (time * NANOSECONDS).round();
    let is_time = 0.0 <= nanoseconds && nanoseconds < u64::MAX as f64;
    ensure!(is_time, "time of telemetry sample {sample} must be within [0, 1.8e10] s, got {time}");
    Ok(nanoseconds as u64)
}

/// A name as a key: letters and digits in lower case, and one `_` for all else between them.
fn key(name: &str) -> String {
    let words = name.split(|letter: char| !letter.is_alphanumeric());
    let words: Vec<_> = words.filter(|word| !word.is_empty()).map(str::to_lowercase).collect();
    words.join("_")
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, Value};

    use super::*;

    /// A car of two wheels that pulls a trailer of one.
    fn train() -> Telemetry {
        let channels = [
            ("time", "s"),
            ("forward speed", "m/s"),
            ("engine: speed", "rad/s"),
            ("load front left", "N"),
            ("jounce front left", "m"),
            ("load rear left", "N"),
            ("trailer forward speed", "m/s"),
            ("trailer load left", "N"),
        ];
        Telemetry::new(channels.map(|(name, unit)| Channel::new(name, unit))).unwrap()
    }

    /// Topic, time (ns) and message, in the order of the file.
    fn read(path: &Path) -> Vec<(String, u64, Map<String, Value>)> {
        let bytes = std::fs::read(path).unwrap();
        let messages = mcap::MessageStream::new(&bytes).unwrap();
        messages
            .map(|message| {
                let message = message.unwrap();
                assert_eq!(message.log_time, message.publish_time);
                assert_eq!(message.channel.message_encoding, "json");
                let schema = message.channel.schema.clone().unwrap();
                assert_eq!(schema.encoding, "jsonschema");
                let schema: Value = serde_json::from_slice(&schema.data).unwrap();
                let members: Map<_, _> = serde_json::from_slice(&message.data).unwrap();
                for key in members.keys() {
                    assert_eq!(schema["properties"][key]["type"], "number", "{key} of {schema}");
                }
                (message.channel.topic.clone(), message.log_time, members)
            })
            .collect()
    }

    #[test]
    fn messages_read_back_as_written_by_vehicle_and_wheel() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("telemetry.mcap");
        let single = |value: f32| f64::from(value);
        let rows = [
            [0.0, single(0.1), 90.0, 2_452.5, single(1.5e-7), 2_000.25, single(-0.3), 7_000.0],
            [1.0 / 60.0, 0.1, f64::NAN, -0.0, f64::INFINITY, 1e-300, 0.25, single(f32::MAX)],
        ];
        for count in [0, rows.len()] {
            let mut telemetry = train();
            for row in &rows[..count] {
                telemetry.push(row).unwrap();
            }
            telemetry.write_mcap(&path).unwrap();
            let topics: [(&str, &[(&str, usize)]); 5] = [
                ("/vehicle", &[("time", 0), ("forward_speed", 1), ("engine_speed", 2)]),
                ("/vehicle/wheels/front_left", &[("load", 3), ("jounce", 4)]),
                ("/vehicle/wheels/rear_left", &[("load", 5)]),
                ("/trailer", &[("forward_speed", 6)]),
                ("/trailer/wheels/left", &[("load", 7)]),
            ];
            let messages = read(&path);
            assert_eq!(messages.len(), topics.len() * count);
            for (number, (topic, time, members)) in messages.iter().enumerate() {
                let row = rows[number / topics.len()];
                let (expected, fields) = topics[number % topics.len()];
                assert_eq!((topic.as_str(), *time), (expected, (row[0] * 1e9).round() as u64));
                let finite = fields.iter().filter(|(_, column)| row[*column].is_finite());
                assert_eq!(members.len(), finite.clone().count(), "{members:?}");
                for (key, column) in finite {
                    let (read, value) = (members[*key].as_f64().unwrap(), row[*column]);
                    // A number of 32 bits is written as short as one.
                    let is_single = f64::from(value as f32) == value;
                    let is_same =
                        if is_single { read as f32 == value as f32 } else { read == value };
                    assert!(is_same, "{topic}: {key} is {read}, was {value}");
                }
            }
        }
    }

    #[test]
    fn schemas_tell_names_and_units() {
        let telemetry = train();
        let topics = telemetry.topics().unwrap();
        let schema = telemetry.schema(&topics[0].name, &topics[0].fields);
        assert_eq!(schema["properties"]["engine_speed"]["description"], "engine: speed (rad/s)");
        assert_eq!(schema["title"], "/vehicle");
    }

    #[test]
    fn times_before_the_start_and_keys_that_are_twice_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("telemetry.mcap");
        let refused = |telemetry: &Telemetry| {
            let message = format!("{:#}", telemetry.write_mcap(&path).unwrap_err());
            assert!(message.contains(path.to_str().unwrap()), "{message}");
            assert!(!path.exists(), "a file was left");
            message
        };
        let mut telemetry = Telemetry::new([Channel::new("time", "s")]).unwrap();
        telemetry.push(&[0.0]).unwrap();
        telemetry.push(&[-0.5]).unwrap();
        let message = refused(&telemetry);
        assert!(message.contains("time of telemetry sample 1 must be within [0"), "{message}");
        assert!(message.contains("got -0.5"), "{message}");
        let channels = ["time", "roll rate", "roll: rate"].map(|name| Channel::new(name, "s"));
        let message = refused(&Telemetry::new(channels).unwrap());
        let told = "two channels of the topic `/vehicle` have the key `roll_rate`";
        assert!(message.contains(told), "{message}");
    }
}
