//! Tuning: the parameters of the car that is driven, changed while it drives.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use playground::Session;
use vehicle_rapier::vehicle_file::{FileFormat, VehicleFile};

use crate::parameters::{Document, Parameter, parameters};

/// The parameters of a vehicle, and what has been made of them.
pub struct Tuning {
    original: VehicleFile,
    document: Document,
    parameters: Vec<Parameter>,
    fault: Option<String>,
}

impl Tuning {
    /// The parameters of the vehicle of `session`.
    ///
    /// # Errors
    ///
    /// None with the vehicle of a session.
    pub fn new(session: &Session) -> Result<Self> {
        let (file, folder) = (session.file().clone(), session.folder());
        let mut parameters = parameters(&file, folder)?;
        if session.vehicle().file().tires != file.tires {
            // The world has put other tires on.
            parameters.retain(|parameter| !parameter.group.starts_with("tires"));
        }
        let document = Document::new(&file, folder)?;
        Ok(Self { original: file, document, parameters, fault: None })
    }

    /// The parameters as they are now.
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    /// Why the last change was refused, if it was.
    pub fn fault(&self) -> Option<&str> {
        self.fault.as_deref()
    }

    /// Says why a change was refused.
    pub(crate) fn refuse(&mut self, why: String) {
        self.fault = Some(why);
    }

    /// The number of the parameter `name` in `group`.
    pub fn find(&self, group: &str, name: &str) -> Option<usize> {
        self.parameters.iter().position(|each| each.group == group && each.name == name)
    }

    /// Sets the parameter of this number to what a text says, and drives on with it. Whether that
    /// is possible: if not, the car stays as it is, and [`fault`](Self::fault) says why.
    ///
    /// # Panics
    ///
    /// If there is none of this number.
    pub fn set_text(&mut self, number: usize, text: &str, session: &mut Session) -> bool {
        let parameter = &self.parameters[number];
        match text.trim().replace(',', ".").parse::<f64>() {
            Ok(value) if value.is_finite() => self.set(number, value, session),
            _ => {
                let Parameter { name, bound, .. } = parameter;
                self.fault = Some(format!("{name}: must be {bound}, got {:?}", text.trim()));
                false
            }
        }
    }

    /// Sets the parameter of this number to `value`, and drives on with it. Whether that is
    /// possible: if not, the car stays as it is, and [`fault`](Self::fault) says why.
    ///
    /// # Panics
    ///
    /// If there is none of this number.
    pub fn set(&mut self, number: usize, value: f64, session: &mut Session) -> bool {
        let file = self.document.with(&self.parameters[number], value);
        let change = file.and_then(|file| self.put(file, session));
        self.fault = change.err().map(|error| error.to_string());
        self.fault.is_none()
    }

    /// Goes back to what the file says.
    pub fn reset(&mut self, session: &mut Session) {
        let change = self.put(self.original.clone(), session);
        self.fault = change.err().map(|error| error.to_string());
    }

    /// Whether any parameter is not what the file says.
    pub fn is_changed(&self) -> bool {
        self.parameters.iter().any(Parameter::is_changed)
    }

    fn put(&mut self, file: VehicleFile, session: &mut Session) -> Result<()> {
        let document = Document::new(&file, session.folder())?;
        session.change_vehicle(file)?;
        self.document = document;
        for parameter in &mut self.parameters {
            parameter.value = self.document.value(parameter);
        }
        Ok(())
    }

    /// Writes the vehicle as it is now to a file of its own, beside the one that it is of: paths of
    /// tires stay true. Returns its path.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn save(&self, name: &str, session: &Session) -> Result<PathBuf> {
        let folder = session.folder();
        let text = session.file().to_text(FileFormat::Json)?;
        let stem = Path::new(name).file_stem().map_or("car".into(), |stem| stem.to_string_lossy());
        let path = (1..)
            .map(|number| folder.join(format!("{stem}-tuned-{number}.json")))
            .find(|path| !path.exists())
            .context("there is no name left")?;
        std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
        Ok(path)
    }
}

#[cfg(test)]
mod tests {
    use playground::{Setup, vehicle_names};
    use vehicle_rapier::vehicle_file::AnyVehicle;

    use super::*;

    /// A tire property file.
    const TIRE: &str =
        concat!(env!("CARGO_MANIFEST_DIR"), "/../../vehicle-core/tests/data/205_60R15.tir");

    fn session(vehicle: &str, world: &str) -> Session {
        Session::new(Setup { vehicle: vehicle.to_owned(), world: world.to_owned(), start: 0 })
            .unwrap()
    }

    fn rest_load(session: &mut Session) -> f32 {
        for _ in 0..240 {
            session.step().unwrap();
        }
        session.readings().wheels.iter().map(|wheel| wheel.load).sum()
    }

    #[test]
    fn sliders_know_what_they_turn_and_how_far() {
        let tuning = Tuning::new(&session("hot_hatch", "proving_ground")).unwrap();
        let of = |group: &str, name: &str| {
            let number = tuning.find(group, name).unwrap_or_else(|| panic!("{group} {name}"));
            &tuning.parameters()[number]
        };
        let mass = of("data sheet", "mass");
        assert_eq!((mass.value, mass.unit.as_str()), (1400.0, "kg"));
        assert_eq!(mass.doc, "Mass, wheels included (kg).");
        assert_eq!(mass.bound, "positive and finite");
        assert_eq!(mass.range, [350.0, 5600.0]);
        let share = of("data sheet", "front_share");
        assert_eq!(share.bound, "positive and finite");
        // The rear axle bears more than its wheels weigh.
        assert!((0.96..=0.99).contains(&share.range[1]), "{:?}", share.range);
        for (group, name, value) in [
            ("data sheet", "anti_roll_stiffness[0]", 18_000.0),
            ("engine: engine", "peak_torque", 350.0),
            ("engine: gearbox", "final_ratio", 3.65),
            ("engine: differential", "four_wheel.torque_bias.front.bias", 2.2),
        ] {
            assert_eq!(of(group, name).value, value, "{group} {name}");
        }
        assert!(0.5 < of("tires[0, 1]: brush", "friction_vs_slip[1][1]").value);
    }

    #[test]
    fn every_slider_of_every_vehicle_is_documented_and_reaches_only_what_is_accepted() {
        for name in vehicle_names() {
            let session = session(name, "proving_ground");
            let tuning = Tuning::new(&session).unwrap();
            let count = tuning.parameters().len();
            assert!((20..150).contains(&count), "{name}: {count}");
            for parameter in tuning.parameters() {
                let Parameter { group, name: called, doc, bound, range, value, .. } = parameter;
                let label = format!("{name}: {group} {called}");
                assert!(!doc.is_empty() && !bound.is_empty(), "{label}");
                assert!(range[0] <= *value && *value <= range[1], "{label}: {value} in {range:?}");
                for end in *range {
                    let file = tuning.document.with(parameter, end).unwrap();
                    let made = AnyVehicle::new(file, session.folder());
                    assert!(made.is_ok(), "{label}: {end}: {}", made.unwrap_err());
                }
            }
        }
    }

    #[test]
    fn mass_reaches_the_ground_at_once() {
        let mut session = session("hot_hatch", "proving_ground");
        let mut tuning = Tuning::new(&session).unwrap();
        let before = rest_load(&mut session);
        let mass = tuning.find("data sheet", "mass").unwrap();
        assert!(tuning.set_text(mass, " 2800 ", &mut session));
        let after = rest_load(&mut session);
        assert!((after / before - 2.0).abs() < 0.02, "{before} and {after} N");
        assert!(tuning.is_changed() && tuning.parameters()[mass].is_changed());
        tuning.reset(&mut session);
        let back = rest_load(&mut session);
        assert!((back / before - 1.0).abs() < 0.01, "{before} and {back} N");
        assert!(!tuning.is_changed());
    }

    #[test]
    fn wrong_values_are_refused_with_their_reason_and_change_nothing() {
        let mut session = session("hot_hatch", "proving_ground");
        let mut tuning = Tuning::new(&session).unwrap();
        let number = tuning.find("data sheet", "mass").unwrap();
        let bits = session.fingerprint();
        for (text, reason) in [
            ("-5", "mechanics.data_sheet.mass: must be positive and finite, got -5"),
            ("heavy", "mass: must be positive and finite, got \"heavy\""),
            ("NaN", "mass: must be positive and finite, got \"NaN\""),
            ("", "mass: must be positive and finite, got \"\""),
        ] {
            assert!(!tuning.set_text(number, text, &mut session), "{text}");
            assert_eq!(tuning.fault(), Some(reason));
            assert_eq!(tuning.parameters()[number].value, 1400.0);
        }
        assert_eq!(session.fingerprint(), bits);
        assert!(tuning.set(number, 1500.0, &mut session) && tuning.fault().is_none());
    }

    #[test]
    fn tires_are_their_own_only_when_they_are_changed() {
        let mut session = session("hot_hatch", "proving_ground");
        let mut tuning = Tuning::new(&session).unwrap();
        let mass = tuning.find("data sheet", "mass").unwrap();
        let stiffness = tuning.find("tires[2, 3]: brush", "lateral_stiffness").unwrap();
        let before = tuning.parameters()[stiffness].value;
        assert!(tuning.set(mass, 2800.0, &mut session));
        assert!(session.file().tires.is_empty());
        let follows = tuning.parameters()[stiffness].value;
        assert!(1.5 * before < follows, "{before} and {follows} N");
        assert!(tuning.set(stiffness, before, &mut session), "{:?}", tuning.fault());
        let lateral = |wheel: usize| format!("{:?}", session.car().mechanics().params.tires[wheel]);
        assert_eq!(lateral(2), lateral(3));
        assert_ne!(lateral(1), lateral(2));
        assert_eq!(session.file().tires.len(), 4);
    }

    #[test]
    fn on_soft_ground_the_world_chooses_the_tires() {
        let tuning = Tuning::new(&session("pick_up", "soft_ground")).unwrap();
        assert!(tuning.parameters().iter().all(|each| !each.group.starts_with("tires")));
    }

    #[test]
    fn a_tuned_car_is_saved_beside_the_others() {
        let folder = tempfile::tempdir().unwrap();
        let text = std::fs::read_to_string(TIRE).unwrap();
        std::fs::write(folder.path().join("slick.tir"), text).unwrap();
        let mut file = playground::vehicle_file("hot_hatch").unwrap();
        let tires = "[{ \"file\": { \"path\": \"slick.tir\" } }]";
        file.tires = serde_json::from_str(tires).unwrap();
        let path = folder.path().join("mine.json");
        let vehicle = path.to_str().unwrap().to_owned();
        let setup = Setup { vehicle: vehicle.clone(), ..Setup::default() };
        let mut session = Session::with_vehicle(setup, file, folder.path()).unwrap();
        let mut tuning = Tuning::new(&session).unwrap();
        let mass = tuning.find("data sheet", "mass").unwrap();
        assert!(tuning.set(mass, 1500.0, &mut session), "{:?}", tuning.fault());
        let names = [(); 2].map(|()| tuning.save(&vehicle, &session).unwrap());
        assert_ne!(names[0], names[1]);
        let read = AnyVehicle::load(&names[1]).unwrap();
        assert_eq!(read.mechanics().rigid_body.mass, 1500.0);
    }
}
