//! Runs of scenarios, and what they end with.

use anyhow::{Context, Result, bail};
use snippets::manoeuvres::{Manoeuvre, Outcome, Run};
use snippets::measurements::Setting;

/// The run of `vehicle` through `manoeuvre`, which is for it.
pub(crate) fn driven(manoeuvre: &Manoeuvre, vehicle: &str) -> Result<Run> {
    match manoeuvre.drive(vehicle, &Setting::default())? {
        Outcome::Driven(run) => Ok(run),
        Outcome::NotForIt(why) => bail!("{vehicle}: {why}"),
    }
}

/// The last value of the channel of this `name`.
pub(crate) fn last(run: &Run, name: &str) -> Result<f64> {
    run.telemetry.column(name)?.last().copied().with_context(|| name.to_owned())
}
