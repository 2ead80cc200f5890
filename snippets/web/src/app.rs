//! What the page has asked for: a drive, the buffer, the last answer.

use playground::worlds::WorldKind;
use playground::{
    AidSwitch, Error, RecordedLap, Recording, Session, Setup, train_names, vehicle_file,
    vehicle_names,
};
use serde::Deserialize;
use serde_json::json;
use vehicle_rapier::vehicle_file::{FileFormat, VehicleFile};

use crate::own_world::OwnWorld;
use crate::{frame, scene};

#[derive(Default)]
pub(crate) struct App {
    session: Option<Session>,
    buffer: Vec<u8>,
    output: Vec<u8>,
    frame: Vec<f32>,
    own: OwnWorld,
}

impl App {
    pub(crate) fn make_room(&mut self, length: usize) -> *mut u8 {
        self.buffer.clear();
        self.buffer.resize(length, 0);
        self.buffer.as_mut_ptr()
    }

    pub(crate) fn output(&self) -> &[u8] {
        &self.output
    }

    /// What `action` does in the world of the package's user, with the text in the buffer.
    pub(crate) fn in_own_world<T: Into<Vec<u8>>>(
        &mut self,
        action: impl FnOnce(&mut OwnWorld, &[u8]) -> Result<T, String>,
    ) -> bool {
        let answer = action(&mut self.own, &self.buffer).map(Into::into);
        self.answer(answer)
    }

    pub(crate) fn own_world(&mut self) -> &mut OwnWorld {
        &mut self.own
    }

    /// Keeps an answer, or the reason why there is none; whether there is one.
    fn answer(&mut self, answer: Result<Vec<u8>, String>) -> bool {
        let is_good = answer.is_ok();
        self.output = answer.unwrap_or_else(String::into_bytes);
        is_good
    }

    pub(crate) fn catalog(&mut self) -> bool {
        let alone = vehicle_names().into_iter().map(str::to_owned);
        let names: Vec<String> = alone.chain(train_names()).collect();
        let title = |name: &str| vehicle_file(name).map(|file| file.name).unwrap_or_default();
        let vehicles: Vec<_> = names
            .iter()
            .map(|name| {
                let own = title(name);
                let title = match name.split_once('-') {
                    Some((_, trailer)) => format!("{own} + {}", title(trailer).to_lowercase()),
                    None => own,
                };
                json!({ "name": name, "title": title })
            })
            .collect();
        let worlds: Vec<_> = WorldKind::ALL.iter().map(|kind| kind.name()).collect();
        let aids = AidSwitch::ALL.map(|aid| [aid.label(), aid.about()]);
        let text = json!({ "vehicles": vehicles, "worlds": worlds, "aids": aids }).to_string();
        self.answer(Ok(text.into_bytes()))
    }

    pub(crate) fn begin(&mut self) -> bool {
        let session = wanted(&self.buffer);
        self.open(session)
    }

    /// Drives on with the vehicle whose file is in the buffer.
    pub(crate) fn change(&mut self) -> bool {
        let Some(session) = &mut self.session else { return false };
        let text = String::from_utf8_lossy(&self.buffer);
        let changed = with_file(&text, |file| session.change_vehicle(file));
        let answer = changed.map(|()| scene::describe(session).to_string().into_bytes());
        self.answer(answer)
    }

    pub(crate) fn replay(&mut self) -> bool {
        let session = Recording::from_bytes(&self.buffer)
            .and_then(|recording| Session::replay(&recording))
            .map_err(|error| error.to_string());
        self.open(session)
    }

    fn open(&mut self, session: Result<Session, String>) -> bool {
        let answer = session.map(|session| {
            let text = scene::describe(&session).to_string();
            self.session = Some(session);
            text.into_bytes()
        });
        self.answer(answer)
    }

    pub(crate) fn recording(&mut self) -> bool {
        let bytes = match &self.session {
            Some(session) => session.recording().to_bytes().map_err(|error| error.to_string()),
            None => Err("there is no drive".to_owned()),
        };
        self.answer(bytes)
    }

    pub(crate) fn best_lap(&mut self) -> bool {
        let lap = self.session.as_ref().and_then(Session::own_best_lap);
        let bytes = match lap {
            Some(lap) => lap.to_bytes().map_err(|error| error.to_string()),
            None => Err("there is no lap".to_owned()),
        };
        self.answer(bytes)
    }

    pub(crate) fn set_best_lap(&mut self) -> bool {
        let Some(session) = &mut self.session else { return false };
        let result =
            RecordedLap::from_bytes(&self.buffer).and_then(|lap| session.set_best_lap(lap));
        self.answer(result.map(|()| Vec::new()).map_err(|error| error.to_string()))
    }

    pub(crate) fn replay_end(&self) -> u64 {
        self.session.as_ref().and_then(Session::replay_end).unwrap_or(0)
    }

    pub(crate) fn drive(&mut self, action: impl FnOnce(&mut Session)) {
        if let Some(session) = &mut self.session {
            action(session);
        }
    }

    pub(crate) fn advance(&mut self, seconds: f64) -> i32 {
        let Some(session) = &mut self.session else { return 0 };
        match session.advance(seconds) {
            Ok(count) => count as i32,
            Err(error) => {
                self.output = error.to_string().into_bytes();
                -1
            }
        }
    }

    pub(crate) fn step(&mut self, count: u32) -> bool {
        let Some(session) = &mut self.session else { return false };
        let result = (0..count).try_for_each(|_| session.step());
        self.answer(result.map(|()| Vec::new()).map_err(|error| error.to_string()))
    }

    pub(crate) fn fingerprint(&self) -> u64 {
        self.session.as_ref().map_or(0, Session::fingerprint)
    }

    pub(crate) fn set_ghost(&mut self, is_shown: bool) -> bool {
        let Some(session) = &mut self.session else { return false };
        let result = session.set_ghost(is_shown);
        self.answer(result.map(|()| Vec::new()).map_err(|error| error.to_string()))
    }

    pub(crate) fn frame(&mut self) -> &[f32] {
        if let Some(session) = &self.session {
            frame::write(session, &mut self.frame);
        }
        &self.frame
    }
}

/// The text of a vehicle's file, which is driven in the place of the vehicle that is named.
#[derive(Deserialize)]
struct OwnFile {
    file: Option<String>,
}

/// The drive that `text` (JSON) asks for: a setup, perhaps with a vehicle's file.
fn wanted(text: &[u8]) -> Result<Session, String> {
    let setup: Setup = serde_json::from_slice(text).map_err(|error| error.to_string())?;
    let own: OwnFile = serde_json::from_slice(text).map_err(|error| error.to_string())?;
    match own.file {
        None => Session::new(setup).map_err(|error| error.to_string()),
        Some(text) => with_file(&text, |file| Session::with_vehicle(setup, file, "")),
    }
}

/// Reads a vehicle's file from this text and gives it to `action`. Faults of both are told with
/// their lines.
fn with_file<T>(
    text: &str,
    action: impl FnOnce(VehicleFile) -> Result<T, Error>,
) -> Result<T, String> {
    let format = FileFormat::Json;
    let file = VehicleFile::from_str(format, text).map_err(|error| error.to_string())?;
    action(file).map_err(|error| match error {
        Error::File(error) => error.with_positions(format, text).to_string(),
        error => error.to_string(),
    })
}
