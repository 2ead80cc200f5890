//! Record and replay: what the driver did, step by step.

use serde::{Deserialize, Serialize};

use crate::Error;
use crate::controls::DriverInput;
use crate::session::Setup;

/// The first bytes of every recording, with the version of its format.
const MARK: [u8; 4] = *b"VRP1";
/// Most steps that are replayed: a day at 60 steps a second.
const MOST_STEPS: u64 = 24 * 3600 * 60;

/// A drive: where it began, and what the driver did in each step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Recording {
    setup: Setup,
    /// Inputs, and in how many steps in a row each was given.
    runs: Vec<(u32, DriverInput)>,
}

impl Recording {
    pub(crate) fn new(setup: Setup) -> Self {
        Self { setup, runs: Vec::new() }
    }

    pub(crate) fn push(&mut self, input: DriverInput) {
        match self.runs.last_mut() {
            Some((count, last)) if *last == input => *count += 1,
            _ => self.runs.push((1, input)),
        }
    }

    /// Where it began.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The inputs, one for each step.
    pub fn inputs(&self) -> impl Iterator<Item = DriverInput> {
        self.runs.iter().flat_map(|(count, input)| std::iter::repeat_n(*input, *count as usize))
    }

    /// Number of steps.
    pub fn step_count(&self) -> u64 {
        self.runs.iter().map(|(count, _)| u64::from(*count)).sum()
    }

    /// The recording as bytes, for a file.
    ///
    /// # Errors
    ///
    /// None with a recording of a session.
    pub fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        postcard::to_extend(self, MARK.to_vec())
            .map_err(|error| Error::Recording(error.to_string()))
    }

    /// The recording of these bytes.
    ///
    /// # Errors
    ///
    /// If they are none.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let refused = |reason: &str| Error::Recording(reason.to_owned());
        let rest =
            bytes.strip_prefix(&MARK).ok_or_else(|| refused("it does not begin with VRP1"))?;
        let recording: Self =
            postcard::from_bytes(rest).map_err(|error| refused(&error.to_string()))?;
        if MOST_STEPS < recording.step_count() {
            return Err(refused("it is longer than a day"));
        }
        Ok(recording)
    }
}
