//! Time series of named channels, and their files in CSV, Parquet and MCAP.

mod messages;

use std::collections::HashSet;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, bail, ensure};
use parquet::basic::{Compression, Repetition, Type as PhysicalType};
use parquet::data_type::DoubleType;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;

/// What one column of a [`Telemetry`] holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Channel {
    /// Name, unique in its table, such as `speed`.
    pub name: String,
    /// Unit, such as `m/s`; `1` for a ratio, empty for counts, flags and gears.
    pub unit: String,
}

impl Channel {
    /// Channel `name` in `unit`.
    pub fn new(name: impl Into<String>, unit: impl Into<String>) -> Self {
        Self { name: name.into(), unit: unit.into() }
    }

    /// Name and unit for people: `speed (m/s)`, or only the name if the unit is empty.
    pub fn label(&self) -> String {
        if self.unit.is_empty() {
            self.name.clone()
        } else {
            format!("{} ({})", self.name, self.unit)
        }
    }
}

/// Table with one column per channel and one row per sample; the first column is time (s).
#[derive(Clone, Debug, PartialEq)]
pub struct Telemetry {
    channels: Vec<Channel>,
    /// One per channel, all of one length.
    columns: Vec<Vec<f64>>,
}

impl Telemetry {
    /// Empty table.
    ///
    /// # Errors
    ///
    /// If the first channel is not in `s`, or two channels have one name.
    pub fn new(channels: impl IntoIterator<Item = Channel>) -> anyhow::Result<Self> {
        let channels: Vec<Channel> = channels.into_iter().collect();
        ensure!(
            channels.first().is_some_and(|channel| channel.unit == "s"),
            "the first channel of a telemetry table must be time in `s`, got {:?}",
            channels.first().map(Channel::label)
        );
        let mut names = HashSet::new();
        for channel in &channels {
            ensure!(
                names.insert(&channel.name),
                "two telemetry channels are named `{}`",
                channel.name
            );
        }
        let columns = vec![Vec::new(); channels.len()];
        Ok(Self { channels, columns })
    }

    /// Appends one sample: one value per channel, in the order of the channels.
    ///
    /// Values may be NaN or infinite: charts skip them, CSV spells them `NaN`, `inf` and `-inf`.
    ///
    /// # Errors
    ///
    /// If the number of values is not the number of channels; the table is then unchanged.
    pub fn push(&mut self, sample: &[f64]) -> anyhow::Result<()> {
        ensure!(
            sample.len() == self.channels.len(),
            "telemetry sample {} has {} values for {} channels",
            self.len(),
            sample.len(),
            self.channels.len()
        );
        for (column, &value) in self.columns.iter_mut().zip(sample) {
            column.push(value);
        }
        Ok(())
    }

    /// The channels, in the order of the columns.
    pub fn channels(&self) -> &[Channel] {
        &self.channels
    }

    /// Number of samples.
    pub fn len(&self) -> usize {
        self.time().len()
    }

    /// Whether there is no sample.
    pub fn is_empty(&self) -> bool {
        self.time().is_empty()
    }

    /// Time of each sample (s).
    pub fn time(&self) -> &[f64] {
        &self.columns[0]
    }

    /// Values of the channel `name`, one per sample.
    ///
    /// # Errors
    ///
    /// If there is no such channel; the message lists those that are.
    pub fn column(&self, name: &str) -> anyhow::Result<&[f64]> {
        let index = self.channels.iter().position(|channel| channel.name == name);
        let Some(index) = index else {
            let names: Vec<&str> = self.channels.iter().map(|c| c.name.as_str()).collect();
            bail!("no telemetry channel `{name}`; there are: {}", names.join(", "));
        };
        Ok(&self.columns[index])
    }

    /// Whether there is a channel `name`.
    pub fn has(&self, name: &str) -> bool {
        self.channels.iter().any(|channel| channel.name == name)
    }

    /// The rests of the names of those channels that start with `prefix`, in order.
    pub fn names_after<'a>(&'a self, prefix: &'a str) -> impl Iterator<Item = &'a str> {
        self.channels.iter().filter_map(move |channel| channel.name.strip_prefix(prefix))
    }

    /// Writes the table as CSV: a header row of [`Channel::label`]s, then one row per sample.
    ///
    /// A value that is exactly an `f32` is printed with the fewest digits that read back as that
    /// `f32`, so `0.1_f32` is `0.1` and not `0.10000000149011612`. Any other value is printed with
    /// the fewest that read back as that `f64`.
    ///
    /// # Errors
    ///
    /// If the file cannot be written; the message names it.
    pub fn write_csv(&self, path: impl AsRef<Path>) -> anyhow::Result<()> {
        let path = path.as_ref();
        self.write_rows(path)
            .with_context(|| format!("cannot write the telemetry to `{}`", path.display()))
    }

    /// Writes the table as Parquet: one column of doubles per channel, named by
    /// [`Channel::label`], all rows in one group, compressed by Snappy.
    ///
    /// # Errors
    ///
    /// If the file cannot be written; the message names it.
    pub fn write_parquet(&self, path: impl AsRef<Path>) -> anyhow::Result<()> {
        let path = path.as_ref();
        self.write_columns(path)
            .with_context(|| format!("cannot write the telemetry to `{}`", path.display()))
    }

    fn write_columns(&self, path: &Path) -> anyhow::Result<()> {
        let field = |channel: &Channel| {
            let label = channel.label();
            let field = Type::primitive_type_builder(&label, PhysicalType::DOUBLE);
            Ok(Arc::new(field.with_repetition(Repetition::REQUIRED).build()?))
        };
        let fields = self.channels.iter().map(field).collect::<parquet::errors::Result<_>>()?;
        let schema = Type::group_type_builder("telemetry").with_fields(fields).build()?;
        let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
        let file = File::create(path)?;
        let mut writer = SerializedFileWriter::new(file, schema.into(), properties.into())?;
        let mut group = writer.next_row_group()?;
        let mut columns = self.columns.iter();
        while let Some(mut column) = group.next_column()? {
            let values = columns.next().expect("one column for each channel");
            column.typed::<DoubleType>().write_batch(values, None, None)?;
            column.close()?;
        }
        group.close()?;
        writer.close()?;
        Ok(())
    }

    fn write_rows(&self, path: &Path) -> csv::Result<()> {
        let mut file = csv::Writer::from_path(path)?;
        file.write_record(self.channels.iter().map(Channel::label))?;
        for row in 0..self.len() {
            file.write_record(self.columns.iter().map(|column| compact(column[row])))?;
        }
        file.flush()?;
        Ok(())
    }
}

/// Shortest text of `value` without loss, see [`Telemetry::write_csv`].
fn compact(value: f64) -> String {
    let single = value as f32;
    let is_single = f64::from(single) == value;
    // Beyond these, plain notation is mostly zeros.
    let is_plain = value == 0.0 || !value.is_finite() || (1e-5..1e9).contains(&value.abs());
    match (is_single, is_plain) {
        (true, true) => format!("{single}"),
        (true, false) => format!("{single:e}"),
        (false, true) => format!("{value}"),
        (false, false) => format!("{value:e}"),
    }
}

#[cfg(test)]
mod tests {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::RowAccessor;

    use super::*;

    fn time_and_speed() -> Telemetry {
        Telemetry::new([Channel::new("time", "s"), Channel::new("speed", "m/s")]).unwrap()
    }

    #[test]
    fn columns_hold_what_was_pushed() {
        let mut telemetry = time_and_speed();
        assert!(telemetry.is_empty());
        telemetry.push(&[0.0, 1.0]).unwrap();
        telemetry.push(&[0.5, 3.0]).unwrap();

        assert_eq!(telemetry.len(), 2);
        assert_eq!(telemetry.time(), [0.0, 0.5]);
        assert_eq!(telemetry.column("speed").unwrap(), [1.0, 3.0]);
    }

    #[test]
    fn sample_of_wrong_length_is_refused_and_changes_nothing() {
        let mut telemetry = time_and_speed();
        telemetry.push(&[0.0, 1.0]).unwrap();
        let before = telemetry.clone();

        for sample in [&[][..], &[1.0], &[1.0, 2.0, 3.0]] {
            let message = telemetry.push(sample).unwrap_err().to_string();
            let expected = format!("telemetry sample 1 has {} values for 2 channels", sample.len());
            assert_eq!(message, expected);
        }
        assert_eq!(telemetry, before);
    }

    #[test]
    fn channels_are_found_by_name_and_by_its_start() {
        let names = ["time", "thrust right", "throttle", "thrust left"];
        let channels = names.map(|name| Channel::new(name, "s"));
        let telemetry = Telemetry::new(channels).unwrap();
        assert!(telemetry.has("throttle") && !telemetry.has("thrust"));
        assert!(telemetry.names_after("thrust ").eq(["right", "left"]));
    }

    #[test]
    fn unknown_channel_is_refused_with_the_known_ones() {
        let message = time_and_speed().column("sped").unwrap_err().to_string();
        assert_eq!(message, "no telemetry channel `sped`; there are: time, speed");
    }

    #[test]
    fn table_without_time_or_with_a_name_twice_is_refused() {
        let no_channel = Telemetry::new([]).unwrap_err().to_string();
        assert!(no_channel.contains("must be time"), "{no_channel}");

        let no_time = Telemetry::new([Channel::new("speed", "m/s")]).unwrap_err().to_string();
        assert!(no_time.contains("speed (m/s)"), "{no_time}");

        let twice = ["time", "load", "load"].map(|name| Channel::new(name, "s"));
        let message = Telemetry::new(twice).unwrap_err().to_string();
        assert_eq!(message, "two telemetry channels are named `load`");
    }

    #[test]
    fn numbers_are_short_and_read_back_to_the_same_bits() {
        let rows: [(f64, &str); 12] = [
            (0.0, "0"),
            (-0.0, "-0"),
            (1.0, "1"),
            (f64::from(0.1_f32), "0.1"),
            (f64::from(-9.81_f32), "-9.81"),
            (f64::from(1.0_f32 / 60.0), "0.016666668"),
            (f64::from(1.5e-7_f32), "1.5e-7"),
            (f64::from(f32::MAX), "3.4028235e38"),
            (0.1, "0.1"),
            (1.0 / 60.0, "0.016666666666666666"),
            (1e-300, "1e-300"),
            (f64::INFINITY, "inf"),
        ];
        for (value, expected) in rows {
            let text = compact(value);
            assert_eq!(text, expected, "of {value:?}");
            let as_double: f64 = text.parse().unwrap();
            let as_single: f32 = text.parse().unwrap();
            let exact = as_double.to_bits() == value.to_bits()
                || f64::from(as_single).to_bits() == value.to_bits();
            assert!(exact, "{value:?} was printed as {text}");
        }
        assert_eq!(compact(f64::NAN), "NaN");
    }

    #[test]
    fn csv_reads_back_as_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("telemetry.csv");
        let channels = [
            Channel::new("time", "s"),
            Channel::new("load \"front\", left", "N"),
            Channel::new("gear", ""),
        ];
        let rows = [
            [0.0_f32, 2_452.5, -1.0],
            [1.0 / 60.0, f32::NAN, 0.0],
            [2.0 / 60.0, f32::NEG_INFINITY, f32::MIN_POSITIVE],
        ];
        let mut telemetry = Telemetry::new(channels).unwrap();
        for row in rows {
            telemetry.push(&row.map(f64::from)).unwrap();
        }
        telemetry.write_csv(&path).unwrap();

        let mut reader = csv::Reader::from_path(&path).unwrap();
        let header = reader.headers().unwrap();
        assert_eq!(header, ["time (s)", "load \"front\", left (N)", "gear"].as_slice());
        let read: Vec<[f32; 3]> = reader.deserialize().map(Result::unwrap).collect();
        let bits =
            |rows: &[[f32; 3]]| rows.iter().flatten().map(|v| v.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&read), bits(&rows), "read {read:?}, written {rows:?}");
    }

    #[test]
    fn empty_telemetry_is_a_header() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("telemetry.csv");
        time_and_speed().write_csv(&path).unwrap();
        assert_eq!(std::fs::read_to_string(path).unwrap(), "time (s),speed (m/s)\n");
    }

    #[test]
    fn parquet_reads_back_as_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("telemetry.parquet");
        let rows = [[0.0, 2_452.5], [1.0 / 60.0, f64::NAN], [2.0 / 60.0, f64::NEG_INFINITY]];
        for count in [0, rows.len()] {
            let mut telemetry = time_and_speed();
            for row in &rows[..count] {
                telemetry.push(row).unwrap();
            }
            telemetry.write_parquet(&path).unwrap();

            let file = SerializedFileReader::new(File::open(&path).unwrap()).unwrap();
            let mut read = Vec::new();
            for row in file.get_row_iter(None).unwrap() {
                let row = row.unwrap();
                let names: Vec<&str> =
                    row.get_column_iter().map(|(name, _)| name.as_str()).collect();
                assert_eq!(names, ["time (s)", "speed (m/s)"]);
                read.push([0, 1].map(|column| row.get_double(column).unwrap().to_bits()));
            }
            assert_eq!(read, rows.map(|row| row.map(f64::to_bits))[..count]);
        }
    }

    #[test]
    fn file_in_a_missing_folder_is_an_error_that_names_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("missing/telemetry");
        let table = time_and_speed();
        for result in [table.write_csv(&path), table.write_parquet(&path), table.write_mcap(&path)]
        {
            let message = format!("{:#}", result.unwrap_err());
            assert!(message.contains(path.to_str().unwrap()), "{message}");
        }
    }
}
