//! The table of one recorded drive.
//!
//! Row `k` is the state after step `k`; its commands are those used in that step. A *thinned* file
//! holds pairs of consecutive rows, a *whole* one every row.

use std::collections::HashMap;
use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use flate2::read::MultiGzDecoder;

use super::columns::{group, quantity};

/// A table of numbers; an empty cell is NaN.
#[derive(Clone, Debug)]
pub struct Trace {
    /// File name without extension.
    pub name: String,
    columns: HashMap<String, usize>,
    rows: Vec<Vec<f32>>,
}

/// One row of a trace.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    /// The table.
    pub trace: &'a Trace,
    /// Index in the table, which is not the step number in a thinned file.
    pub index: usize,
}

impl Trace {
    /// Reads a `.csv` or `.csv.gz`.
    pub fn load(name: &str, path: &Path) -> Result<Self> {
        let file =
            std::fs::File::open(path).with_context(|| format!("cannot open {}", path.display()))?;
        let packed = path.extension().is_some_and(|extension| extension == "gz");
        let trace = if packed {
            Self::parse(name, MultiGzDecoder::new(file))
        } else {
            Self::parse(name, file)
        };
        trace.with_context(|| format!("in {}", path.display()))
    }

    /// Reads a table whose first line names the columns.
    pub fn parse(name: &str, input: impl Read) -> Result<Self> {
        let mut reader = csv::Reader::from_reader(input);
        let header = reader.headers()?.clone();
        let columns: HashMap<String, usize> =
            header.iter().enumerate().map(|(i, name)| (name.to_owned(), i)).collect();
        if columns.len() != header.len() || !columns.contains_key("step") {
            bail!("the columns are not distinct, or none is named `step`");
        }
        let mut rows = Vec::new();
        for (i, record) in reader.records().enumerate() {
            let record = record?;
            let read =
                |(text, name)| cell(text).with_context(|| format!("row {i}, column `{name}`"));
            rows.push(record.iter().zip(&header).map(read).collect::<Result<Vec<f32>>>()?);
        }
        if rows.is_empty() {
            bail!("no rows");
        }
        Ok(Self { name: name.to_owned(), columns, rows })
    }

    /// All rows in order.
    pub fn rows(&self) -> impl DoubleEndedIterator<Item = Row<'_>> {
        (0..self.rows.len()).map(|index| Row { trace: self, index })
    }

    /// The rows before and after one step, for every step of which both were recorded.
    pub fn pairs(&self) -> impl Iterator<Item = (Row<'_>, Row<'_>)> {
        self.rows()
            .zip(self.rows().skip(1))
            .filter(|(before, after)| after.step() == before.step() + 1.0)
    }

    /// Whether no step is missing.
    pub fn is_whole(&self) -> bool {
        self.pairs().count() + 1 == self.rows.len()
    }

    /// This drive in other axes, with every vector and the axis of every rotation under `turn`.
    pub fn turned(&self, turn: impl Fn([f32; 3]) -> [f32; 3]) -> Self {
        let mut turned = self.clone();
        for (name, &first) in &self.columns {
            let Some(stem) =
                name.strip_suffix(['x', 'X']).filter(|_| group(name) != quantity(name))
            else {
                continue;
            };
            let others = if name.ends_with('x') { ["y", "z"] } else { ["Y", "Z"] };
            let others = others.map(|axis| self.columns.get(&format!("{stem}{axis}")).copied());
            let [Some(second), Some(third)] = others else { continue };
            for row in &mut turned.rows {
                [row[first], row[second], row[third]] = turn([row[first], row[second], row[third]]);
            }
        }
        turned
    }

    /// Number of wheels, which the columns number from zero.
    pub fn wheel_count(&self) -> usize {
        (0..).take_while(|wheel| self.columns.contains_key(&format!("w{wheel}_omega"))).count()
    }

    /// Names of all columns.
    pub fn columns(&self) -> impl Iterator<Item = &str> {
        self.columns.keys().map(String::as_str)
    }

    /// Whether there is such a column.
    pub fn has_column(&self, column: &str) -> bool {
        self.columns.contains_key(column)
    }
}

impl Row<'_> {
    /// The step number.
    pub fn step(&self) -> f32 {
        self.optional("step").unwrap_or(f32::NAN)
    }

    /// The number in this column, or `None` where the column is missing or the cell empty.
    pub fn optional(&self, column: &str) -> Option<f32> {
        let &column = self.trace.columns.get(column)?;
        Some(self.trace.rows[self.index][column]).filter(|value| !value.is_nan())
    }

    /// The number in this column.
    pub fn get(&self, column: &str) -> Result<f32> {
        let missing = || anyhow!("{}: no `{column}` at step {}", self.trace.name, self.step());
        self.optional(column).ok_or_else(missing)
    }

    /// The numbers in these columns, for instance `["px", "py", "pz"]`.
    pub fn array<const N: usize>(&self, columns: [&str; N]) -> Result<[f32; N]> {
        let mut values = [0.0; N];
        for (value, column) in values.iter_mut().zip(columns) {
            *value = self.get(column)?;
        }
        Ok(values)
    }

    /// The number of one wheel, for instance `omega`.
    pub fn wheel(&self, wheel: usize, column: &str) -> Result<f32> {
        self.get(&format!("w{wheel}_{column}"))
    }

    /// The numbers of one wheel, for instance `["lp_x", "lp_y", "lp_z"]`.
    pub fn wheel_array<const N: usize>(
        &self,
        wheel: usize,
        columns: [&str; N],
    ) -> Result<[f32; N]> {
        let mut values = [0.0; N];
        for (value, column) in values.iter_mut().zip(columns) {
            *value = self.wheel(wheel, column)?;
        }
        Ok(values)
    }

    /// A flag, recorded as 0 or 1.
    pub fn flag(&self, column: &str) -> Result<bool> {
        let value = self.get(column)?;
        match value {
            0.0 => Ok(false),
            1.0 => Ok(true),
            _ => bail!(
                "{}: `{column}` is not a flag at step {}: {value}",
                self.trace.name,
                self.step()
            ),
        }
    }
}

/// An empty cell is NaN, and nothing else may be.
fn cell(text: &str) -> Result<f32> {
    if text.is_empty() {
        return Ok(f32::NAN);
    }
    let value: f32 = text.parse().map_err(|_| anyhow!("not a number: `{text}`"))?;
    if value.is_finite() { Ok(value) } else { bail!("not finite: `{text}`") }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "step,c_throttle,w0_omega,w1_omega,w1_driveTorque\n0,0,1,2,\n1,0,1.5,2,3.40282347e+38\n\
                         20,1,4,5,6\n21,1,7,8,9\n40,1,0,0,0\n";

    #[test]
    fn thinned_tables_are_read_as_pairs() -> Result<()> {
        let trace = Trace::parse("t", TABLE.as_bytes())?;
        let steps: Vec<_> =
            trace.pairs().map(|(before, after)| (before.step(), after.step())).collect();
        assert_eq!(steps, [(0.0, 1.0), (20.0, 21.0)]);
        assert_eq!(trace.wheel_count(), 2);
        assert!(!trace.is_whole());
        let (before, after) = trace.pairs().next().ok_or_else(|| anyhow!("no pair"))?;
        assert_eq!(before.optional("w1_driveTorque"), None);
        assert!(before.wheel(1, "driveTorque").is_err());
        assert_eq!(after.wheel(1, "driveTorque")?, f32::MAX);
        assert_eq!(after.array(["w0_omega", "w1_omega"])?, [1.5, 2.0]);
        assert!(after.flag("w1_omega").is_err() && !after.flag("c_throttle")?);
        Ok(())
    }

    #[test]
    fn broken_tables_are_refused() {
        let broken = [
            "step,x\n0,1\n1\n",
            "step,x\n0,one\n",
            "step,x\n0,nan\n",
            "step,step\n0,0\n",
            "x\n0\n",
            "step\n",
        ];
        for text in broken {
            assert!(Trace::parse("t", text.as_bytes()).is_err(), "accepted: {text}");
        }
    }
}
