//! What a front of its own knows: the drive, what is shown of it, and what the driver has pressed.
//! No window is needed for it.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Result, bail};
use kiss3d::event::Key as Pressed;
use playground::{AidSwitch, CameraMode, Event, Gamepad, Recording, Session, Setup};

use crate::choice;
use crate::keys::{Action, Deed, action};
use crate::tuning::Tuning;
use crate::watch::{Watch, told};

/// Cameras, in the order in which a key goes through them, and how they are called.
const CAMERAS: [(CameraMode, &str); 4] = [
    (CameraMode::Chase, "chase"),
    (CameraMode::Cockpit, "cockpit"),
    (CameraMode::Orbit, "orbit"),
    (CameraMode::Free, "free"),
];
/// Speed at which the free camera flies (m/s).
const FLIGHT_SPEED: f32 = 18.0;
/// Turn of the camera per point that the mouse is dragged (rad), and zoom per point that its wheel
/// is turned.
const MOUSE: [f32; 2] = [0.006, -0.01];
/// Time for which a note is shown (s).
const NOTE_TIME: f64 = 4.0;

/// What is shown beside the drive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shown {
    /// Forces and friction circles.
    pub forces: bool,
    /// Parameters.
    pub parameters: bool,
    /// The list of keys.
    pub help: bool,
}

/// A drive in a window.
pub struct App {
    /// The drive.
    pub session: Session,
    /// Its parameters.
    pub tuning: Tuning,
    /// What is shown beside it.
    pub shown: Shown,
    vehicles: Vec<String>,
    held: BTreeSet<Pressed>,
    note: (String, f64),
    watch: Option<Watch>,
    scene: u64,
}

impl App {
    /// A drive that begins as `setup` says.
    ///
    /// # Errors
    ///
    /// If there is no such vehicle, world or start; all faults of the vehicle's file.
    pub fn new(setup: &Setup) -> Result<Self> {
        let session = choice::begin(setup)?;
        let tuning = Tuning::new(&session)?;
        let shown = Shown { forces: false, parameters: true, help: false };
        let vehicles = choice::vehicles(&setup.vehicle);
        let note = ("H lists the keys".to_owned(), NOTE_TIME);
        let watch = Watch::new(&setup.vehicle);
        let held = BTreeSet::new();
        Ok(Self { session, tuning, shown, vehicles, held, note, watch, scene: 0 })
    }

    /// Names of the vehicles to choose from.
    pub fn vehicles(&self) -> &[String] {
        &self.vehicles
    }

    /// A number that changes with the scene: everything is to be drawn anew then.
    pub fn scene(&self) -> u64 {
        self.scene
    }

    /// What is told to the driver now; empty if nothing is.
    pub fn note(&self) -> &str {
        &self.note.0
    }

    /// Tells the driver something.
    pub fn say(&mut self, text: impl Into<String>) {
        self.note = (text.into(), NOTE_TIME);
    }

    /// Begins another drive; if that is not possible, the present one goes on, and the driver is
    /// told why.
    pub fn begin(&mut self, setup: &Setup) {
        let aids = self.session.aids();
        match choice::begin(setup).and_then(|session| self.open(session)) {
            Ok(()) => {
                self.hold_keys();
                // Aids stay as they were chosen.
                for aid in AidSwitch::ALL {
                    if aids.has(aid) != self.session.aids().has(aid) {
                        self.session.push_event(Event::SwitchAid(aid, aids.has(aid)));
                    }
                }
                self.say(self.session.vehicle().file().name.clone());
            }
            Err(error) => self.say(format!("{error:#}")),
        }
    }

    fn open(&mut self, session: Session) -> Result<()> {
        self.tuning = Tuning::new(&session)?;
        self.watch = Watch::new(&session.setup().vehicle);
        self.session = session;
        self.scene += 1;
        Ok(())
    }

    /// Reads the vehicle's file again, and drives on with what it says now. A vehicle of another
    /// kind begins anew; with a fault, the car stays as it was.
    fn reload(&mut self) {
        let setup = self.session.setup().clone();
        let before = self.session.file().clone();
        let change = choice::vehicle(&setup.vehicle).and_then(|(file, _)| {
            if self.session.change_vehicle(file).is_err() {
                let session = choice::begin(&setup)?;
                self.open(session)?;
                self.hold_keys();
                return Ok("begins anew: ");
            }
            self.tuning = Tuning::new(&self.session)?;
            Ok("")
        });
        match change {
            Ok(how) => {
                let changes = told(&before.changes_to(self.session.file()));
                let file = Path::new(&setup.vehicle).file_name().unwrap_or_default();
                self.say(format!("{}: {how}{changes}", file.to_string_lossy()));
            }
            Err(error) => {
                // The panel keeps it; who does not show that sees the note.
                let fault = format!("{error:#}");
                self.say(fault.clone());
                self.tuning.refuse(fault);
            }
        }
    }

    /// A key is pressed, or let go; keys that repeat themselves are pressed once.
    pub fn key(&mut self, key: Pressed, is_down: bool) {
        let is_new = if is_down { self.held.insert(key) } else { self.held.remove(&key) };
        match action(key) {
            Some(Action::Hold(control)) if is_new => {
                let alike = |other: &Pressed| action(*other) == Some(Action::Hold(control));
                self.session.keyboard.set(control, self.held.iter().any(alike));
            }
            Some(Action::Do(deed)) if is_new && is_down => {
                if let Err(error) = self.do_it(deed) {
                    self.say(format!("{error:#}"));
                }
            }
            _ => {}
        }
    }

    /// Tells a drive that has begun which keys are held.
    fn hold_keys(&mut self) {
        for key in &self.held {
            if let Some(Action::Hold(control)) = action(*key) {
                self.session.keyboard.set(control, true);
            }
        }
    }

    /// Lets go of all keys.
    pub fn release_keys(&mut self) {
        self.held.clear();
        self.session.keyboard.release_all();
    }

    /// Does something once.
    ///
    /// # Errors
    ///
    /// If it is not possible; the drive goes on as it was then.
    pub fn do_it(&mut self, deed: Deed) -> Result<()> {
        let setup = self.session.setup().clone();
        match deed {
            Deed::Upright => self.session.push_event(Event::Upright),
            Deed::Restart => self.session.push_event(Event::Start(u8::try_from(setup.start)?)),
            Deed::GearUp => self.session.push_event(Event::GearUp),
            Deed::GearDown => self.session.push_event(Event::GearDown),
            Deed::ToggleGears => self.session.push_event(Event::ToggleGearMode),
            Deed::ToggleAid(aid) => self.toggle_aid(aid),
            Deed::NextCamera => self.next_camera(),
            Deed::ToggleGhost => self.toggle_ghost()?,
            Deed::ToggleForces => self.shown.forces = !self.shown.forces,
            Deed::NextVehicle => {
                let vehicle = next(&self.vehicles, &setup.vehicle);
                self.begin(&Setup { vehicle, ..setup });
            }
            Deed::NextWorld => {
                let names = choice::world_names().into_iter().map(str::to_owned);
                let world = next(&names.collect::<Vec<_>>(), &setup.world);
                self.begin(&Setup { world, start: 0, ..setup });
            }
            Deed::Replay => self.replay()?,
            Deed::SaveDrive => self.save_drive(Path::new("."))?,
            Deed::ToggleParameters => self.shown.parameters = !self.shown.parameters,
            Deed::ToggleHelp => self.shown.help = !self.shown.help,
        }
        Ok(())
    }

    fn toggle_aid(&mut self, aid: AidSwitch) {
        let is_on = !self.session.aids().has(aid);
        self.session.push_event(Event::SwitchAid(aid, is_on));
        let (label, about) = (aid.label(), aid.about());
        self.say(if is_on { format!("{label}: {about}") } else { format!("{label} off") });
    }

    fn next_camera(&mut self) {
        let now = self.session.camera_mode();
        let number = CAMERAS.iter().position(|(mode, _)| *mode == now).unwrap_or(0);
        let (mode, name) = CAMERAS[(number + 1) % CAMERAS.len()];
        self.session.set_camera_mode(mode);
        self.say(format!("Camera: {name}"));
    }

    fn toggle_ghost(&mut self) -> Result<()> {
        let is_shown = !self.session.has_ghost();
        self.session.set_ghost(is_shown)?;
        self.say(if is_shown {
            "Ghost: Rapier's own vehicle controller, same chassis, same inputs"
        } else {
            "Ghost off"
        });
        Ok(())
    }

    /// The recording, if another drive can be made of it.
    fn recording(&self) -> Result<Recording> {
        if self.session.is_changed() {
            bail!("The drive of a car whose parameters have been changed is not recorded");
        }
        let recording = self.session.recording().clone();
        // A vehicle of a file is not known by its name.
        Session::replay(&recording)?;
        Ok(recording)
    }

    fn replay(&mut self) -> Result<()> {
        let recording = self.recording()?;
        self.open(Session::replay(&recording)?)?;
        self.say("Replay: whoever drives takes over");
        Ok(())
    }

    fn save_drive(&mut self, folder: &Path) -> Result<()> {
        let recording = self.recording()?;
        let Setup { vehicle, world, .. } = recording.setup();
        let path = folder.join(format!("{vehicle}-{world}.drive"));
        std::fs::write(&path, recording.to_bytes()?)?;
        self.say(format!("Saved as {}", path.display()));
        Ok(())
    }

    /// Turns the camera as the mouse is dragged (points).
    pub fn drag(&mut self, [across, down]: [f32; 2]) {
        self.session.turn_camera(-MOUSE[0] * across, MOUSE[0] * down, 1.0);
    }

    /// Brings the camera nearer or farther as the mouse's wheel is turned (points).
    pub fn scroll(&mut self, by: f32) {
        self.session.turn_camera(0.0, 0.0, (MOUSE[1] * by).exp());
    }

    /// What a gamepad does.
    pub fn set_gamepad(&mut self, gamepad: Gamepad) {
        self.session.gamepad = gamepad;
    }

    /// Goes on by `elapsed` (s).
    ///
    /// # Errors
    ///
    /// If a step fails.
    pub fn advance(&mut self, elapsed: f64) -> Result<()> {
        for key in &self.held {
            if let Some(Action::Fly(way)) = action(*key) {
                let far = FLIGHT_SPEED * (elapsed as f32).min(0.1);
                self.session.fly_camera(way.map(|part| part * far));
            }
        }
        self.note.1 -= elapsed;
        if self.note.1 < 0.0 {
            self.note.0.clear();
        }
        if self.watch.as_mut().is_some_and(|watch| watch.has_changed(elapsed)) {
            self.reload();
        }
        let was_replaying = self.session.is_replaying();
        self.session.advance(elapsed)?;
        if was_replaying && !self.session.is_replaying() {
            self.hold_keys();
            self.say("Your turn");
        }
        Ok(())
    }
}

/// The one after `now`, and after the last the first.
fn next(names: &[String], now: &str) -> String {
    let number = names.iter().position(|name| name == now).map_or(0, |number| number + 1);
    names[number % names.len()].clone()
}

#[cfg(test)]
mod tests {
    use vehicle_rapier::vehicle_file::{FileFormat, MechanicsSource};

    use super::*;

    fn app() -> App {
        App::new(&Setup::default()).unwrap()
    }

    fn drive(app: &mut App, keys: &[Pressed], frames: u32, rate: f64) {
        for key in keys {
            app.key(*key, true);
        }
        for _ in 0..frames {
            app.advance(1.0 / rate).unwrap();
        }
        for key in keys {
            app.key(*key, false);
        }
    }

    fn tap(app: &mut App, key: Pressed) {
        drive(app, &[key], 1, 60.0);
    }

    #[test]
    fn keys_drive_at_any_frame_rate() {
        for rate in [30.0, 60.0, 240.0] {
            let mut app = app();
            drive(&mut app, &[Pressed::W], (2.0 * rate) as u32, rate);
            drive(&mut app, &[Pressed::Up, Pressed::A], rate as u32, rate);
            let speed = app.session.readings().speed;
            let place = app.session.body_pose(1.0).translation;
            assert!(8.0 < speed && 0.3 < place.x, "{rate} Hz: {speed} m/s, at {place}");
        }
    }

    #[test]
    fn a_file_that_is_edited_changes_its_car_on_the_way() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("mine.json");
        let write = |name: &str, mass: f32| {
            let mut file = playground::vehicle_file(name).unwrap();
            if let MechanicsSource::DataSheet(sheet) = &mut file.mechanics {
                sheet.mass = mass;
            }
            std::fs::write(&path, file.to_text(FileFormat::Json).unwrap()).unwrap();
        };
        write("hot_hatch", 1_400.0);
        let vehicle = path.to_str().unwrap().to_owned();
        let mut app = App::new(&Setup { vehicle, ..Setup::default() }).unwrap();
        let mass = |app: &App| app.session.car().mechanics().params.rigid_body.mass;
        drive(&mut app, &[Pressed::W], 120, 60.0);
        let speed = app.session.readings().speed;
        write("hot_hatch", 1_500.0);
        drive(&mut app, &[Pressed::W], 20, 60.0);
        assert_eq!(mass(&app), 1_500.0);
        assert!(speed < app.session.readings().speed, "it drives on");
        assert!(
            app.note().contains("mine.json: mechanics.data_sheet.mass 1400 -> 1500"),
            "{}",
            app.note()
        );

        let steps = app.session.steps();
        write("hot_hatch", -1.0);
        drive(&mut app, &[Pressed::W], 20, 60.0);
        let fault = app.tuning.fault().unwrap();
        assert!(
            fault.contains("mass") && fault.contains("got -1") && fault.contains("line"),
            "{fault}"
        );
        assert_eq!(app.note(), fault, "without the panel");
        assert_eq!(mass(&app), 1_500.0);
        assert!(steps < app.session.steps());

        write("truck_6x6", 0.0);
        drive(&mut app, &[], 20, 60.0);
        assert_eq!(app.session.look().wheels.len(), 6);
        assert!(
            app.note().contains("begins anew") && app.tuning.fault().is_none(),
            "{}",
            app.note()
        );
    }

    #[test]
    fn one_of_two_keys_for_the_same_still_holds_it() {
        let mut app = app();
        app.key(Pressed::W, true);
        app.key(Pressed::Up, true);
        app.key(Pressed::W, false);
        drive(&mut app, &[], 60, 60.0);
        assert!(0.2 < app.session.readings().controls[0]);
        app.release_keys();
        drive(&mut app, &[], 60, 60.0);
        assert_eq!(app.session.readings().controls[0], 0.0);
    }

    #[test]
    fn keys_that_repeat_themselves_act_once() {
        let mut app = app();
        for _ in 0..3 {
            app.key(Pressed::G, true);
        }
        assert!(app.session.has_ghost());
        app.key(Pressed::G, false);
        tap(&mut app, Pressed::G);
        assert!(!app.session.has_ghost());
    }

    #[test]
    fn every_deed_has_a_key_and_leaves_a_drive() {
        let mut app = app();
        for key in [
            Pressed::R,
            Pressed::E,
            Pressed::Q,
            Pressed::T,
            Pressed::Back,
            Pressed::F,
            Pressed::H,
            Pressed::X,
        ] {
            tap(&mut app, key);
        }
        assert_eq!(app.shown, Shown { forces: true, parameters: false, help: true });
        let modes: Vec<_> = (0..4)
            .map(|_| {
                tap(&mut app, Pressed::C);
                app.session.camera_mode()
            })
            .collect();
        assert_eq!(
            modes,
            [CameraMode::Cockpit, CameraMode::Orbit, CameraMode::Free, CameraMode::Chase]
        );
        let scene = app.scene();
        tap(&mut app, Pressed::V);
        assert_eq!(app.session.setup().vehicle, "kart");
        tap(&mut app, Pressed::N);
        assert_eq!((app.session.setup().world.as_str(), app.scene()), ("circuit", scene + 2));
    }

    #[test]
    fn keys_switch_aids_which_act_and_stay_for_the_next_car() {
        let mut app = app();
        drive(&mut app, &[Pressed::W], 240, 60.0);
        drive(&mut app, &[Pressed::S], 30, 60.0);
        let acting = app.session.readings().acting_aids;
        assert!(acting.has(AidSwitch::AntiLock) && !acting.has(AidSwitch::HillStart), "{acting:?}");
        tap(&mut app, Pressed::Key1);
        tap(&mut app, Pressed::Key9);
        drive(&mut app, &[Pressed::S], 20, 60.0);
        let (aids, acting) = (app.session.aids(), app.session.readings().acting_aids);
        assert!(!aids.has(AidSwitch::AntiLock) && aids.has(AidSwitch::Drift), "{aids:?}");
        assert!(!acting.has(AidSwitch::AntiLock), "{acting:?}");
        tap(&mut app, Pressed::V);
        drive(&mut app, &[], 5, 60.0);
        assert_eq!(app.session.aids(), aids);
    }

    #[test]
    fn the_free_camera_flies_and_the_mouse_turns_it() {
        let mut app = app();
        for _ in 0..3 {
            tap(&mut app, Pressed::C);
        }
        let before = app.session.camera(1.0);
        drive(&mut app, &[Pressed::U], 60, 60.0);
        let after = app.session.camera(1.0);
        assert!(
            (after.eye.y - before.eye.y - 18.0).abs() < 1.0,
            "{} and {}",
            before.eye,
            after.eye
        );
        app.drag([100.0, 0.0]);
        app.scroll(10.0);
        drive(&mut app, &[], 2, 60.0);
        let turned = app.session.camera(1.0);
        let [way, other] = [after, turned].map(|camera| camera.target - camera.eye);
        assert!((way.angle_between(other) - 0.6).abs() < 0.1, "{way} and {other}");
    }

    #[test]
    fn what_is_driven_is_replayed_unless_it_has_been_changed() {
        let mut app = app();
        drive(&mut app, &[Pressed::W], 90, 60.0);
        let (steps, bits) = (app.session.steps(), app.session.fingerprint());
        tap(&mut app, Pressed::P);
        assert!(app.session.is_replaying());
        while app.session.steps() < steps {
            app.session.step().unwrap();
        }
        assert_eq!(app.session.fingerprint(), bits);
        app.session.step().unwrap();
        assert!(!app.session.is_replaying());
        let mass = app.tuning.find("data sheet", "mass").unwrap();
        assert!(app.tuning.set(mass, 2000.0, &mut app.session));
        tap(&mut app, Pressed::P);
        assert!(app.note().contains("have been changed"), "{}", app.note());
        let mass = app.session.car().mechanics().params.rigid_body.mass;
        assert_eq!(mass, 2000.0);
    }

    #[test]
    fn keys_that_are_held_drive_the_next_car_and_a_press_takes_a_replay_over() {
        let mut app = app();
        app.key(Pressed::W, true);
        app.begin(&Setup { vehicle: "kart".to_owned(), ..Setup::default() });
        drive(&mut app, &[], 60, 60.0);
        assert!(0.9 < app.session.readings().controls[0]);
        tap(&mut app, Pressed::P);
        drive(&mut app, &[], 10, 60.0);
        assert!(app.session.is_replaying(), "what is held takes nothing over");
        app.key(Pressed::W, false);
        drive(&mut app, &[], 2, 60.0);
        assert!(app.session.is_replaying(), "nor does what is let go");
        tap(&mut app, Pressed::S);
        assert!(!app.session.is_replaying() && app.note() == "Your turn", "{}", app.note());
    }

    #[test]
    fn a_drive_is_saved_as_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let mut app = app();
        drive(&mut app, &[Pressed::W], 30, 60.0);
        app.save_drive(folder.path()).unwrap();
        let bytes = std::fs::read(folder.path().join("hot_hatch-proving_ground.drive")).unwrap();
        let recording = Recording::from_bytes(&bytes).unwrap();
        assert_eq!(recording.step_count(), app.session.steps());
    }

    #[test]
    fn a_choice_that_is_not_possible_is_told_and_the_drive_goes_on() {
        let mut app = app();
        app.begin(&Setup { world: "proving".to_owned(), ..Setup::default() });
        assert!(app.note().contains("did you mean"), "{}", app.note());
        drive(&mut app, &[Pressed::W], 60, 60.0);
        assert!(1.0 < app.session.readings().speed && app.scene() == 0);
    }
}
