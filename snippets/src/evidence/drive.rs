//! Drives the files of the evidence.

use std::path::Path;

use anyhow::{Context, Result, bail};
use rapier3d::prelude::*;

use crate::manoeuvres::{Manoeuvre, Outcome, Output, Run};
use crate::measurements::Setting;

/// Folder of the files.
const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/evidence");

/// Steps per second, and substeps of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rate {
    pub(super) steps: u32,
    pub(super) substeps: u32,
}

impl Rate {
    /// The usual one of games.
    pub(super) const USUAL: Self = Self { steps: 60, substeps: 3 };

    pub(super) fn name(&self) -> String {
        match self.substeps {
            1 => format!("{} Hz", self.steps),
            count => format!("{} Hz, {count} substeps", self.steps),
        }
    }
}

/// The vehicle of one file through the manoeuvre of another, both without their extension.
pub(super) fn drive(vehicle: &str, manoeuvre: &str, rate: Rate) -> Result<Run> {
    let path = |name: &str| format!("{FOLDER}/{name}.json");
    let dt = 1.0 / rate.steps as Real;
    let setting = Setting { dt, substeps: Some(rate.substeps), ..Setting::default() };
    let of = Manoeuvre::load(Path::new(&path(manoeuvre)))?;
    match of.drive(&path(vehicle), &setting).with_context(|| manoeuvre.to_owned())? {
        Outcome::Driven(run) => Ok(run),
        Outcome::NotForIt(why) => bail!("{manoeuvre}, {vehicle}: {why}"),
    }
}

/// The channels of these names at these times (s).
pub(super) fn at<const N: usize>(
    run: &Run,
    names: [&str; N],
    times: &[f64],
) -> Result<Vec<[f64; N]>> {
    let table = run.output(&names.map(str::to_owned), &Output::Times(times.to_vec()))?;
    let columns = names.map(|name| table.column(name));
    let mut rows = vec![[0.0; N]; times.len()];
    for (index, column) in columns.into_iter().enumerate() {
        for (row, value) in rows.iter_mut().zip(column?) {
            row[index] = *value;
        }
    }
    Ok(rows)
}
