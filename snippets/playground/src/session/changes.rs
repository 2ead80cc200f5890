//! Changes of the vehicle on the way: it drives on with other parameters, or other aids.

use vehicle_rapier::vehicle_file::{AnyRapierVehicle, VehicleFile};

use super::laps::Laps;
use super::{Session, put};
use crate::aids::AidSwitch;
use crate::{Error, vehicles};

impl Session {
    /// Puts the vehicle of `file` in the place of the one that is driven: with its motion, its
    /// gear, what its wheels, springs and engine do. A ghost begins anew from there.
    ///
    /// # Errors
    ///
    /// All faults of the file. If it is a vehicle of another kind, with other wheels or without the
    /// hitch of its trailer. The vehicle is as it was then.
    pub fn change_vehicle(&mut self, file: VehicleFile) -> Result<(), Error> {
        let vehicle = vehicles::vehicle(file.clone(), &self.folder, self.world.soil)?;
        if let Some(trailer) = &self.trailer {
            trailer.check_hitch(&file)?;
        }
        let before = self.body();
        let (place, velocity) = (*before.position(), *before.vels());
        let (mut car, _) = put(&vehicle, &mut self.world, place)?;
        let changed = hand_over(&self.car, &mut car)
            .and_then(|()| Ok(self.aids.give(&mut car, &vehicle.file().aids)?))
            .and_then(|()| Ok(self.driver.take_over(&car)?));
        let physics = &mut self.world.physics;
        if let Err(error) = changed {
            car.remove(physics);
            return Err(error);
        }
        std::mem::replace(&mut self.car, car).remove(physics);
        physics.bodies[self.car.body()].set_vels(velocity, true);
        if let Some(trailer) = &mut self.trailer {
            trailer.couple_to(&self.car, physics)?;
        }
        self.look = Self::look_in(&self.world, &vehicle, &self.car);
        (self.vehicle, self.file, self.is_changed) = (vehicle, file, true);
        self.laps = Laps::of(&self.world);
        self.set_ghost(self.has_ghost())
    }

    /// Switches an aid on, or off.
    pub(super) fn switch(&mut self, aid: AidSwitch, is_on: bool) -> Result<(), Error> {
        let aids = self.aids.with(aid, is_on);
        aids.give(&mut self.car, &self.vehicle.file().aids)?;
        self.aids = aids;
        if aid == AidSwitch::Cruise {
            self.cruise_speed = is_on.then(|| self.car.forward_speed());
        }
        Ok(())
    }

    /// Whether the vehicle has been changed on the way: the recording is not that of this drive
    /// then.
    pub fn is_changed(&self) -> bool {
        self.is_changed
    }
}

/// Lets `to` go on with what `from` remembers and with what its driver does.
fn hand_over(from: &AnyRapierVehicle, to: &mut AnyRapierVehicle) -> Result<(), Error> {
    if std::mem::discriminant(&from.vehicle.drive) != std::mem::discriminant(&to.vehicle.drive) {
        return Err(Error::OtherDrive);
    }
    to.vehicle.take_over(&from.vehicle)?;
    *to.commands_mut() = *from.commands();
    Ok(())
}

#[cfg(test)]
mod tests {
    use rapier3d::prelude::*;
    use vehicle_rapier::vehicle_file::MechanicsSource;

    use super::super::drives::{driven, go};
    use super::*;
    use crate::{Key, Setup, vehicle_names};

    fn load(session: &Session) -> Real {
        session.readings().wheels.iter().map(|wheel| wheel.load).sum()
    }

    fn heavier(session: &Session, mass: Real) -> VehicleFile {
        let mut file = session.file().clone();
        let MechanicsSource::DataSheet(sheet) = &mut file.mechanics else { panic!("{file:?}") };
        sheet.mass = mass;
        file
    }

    #[test]
    fn a_heavier_car_drives_on_as_fast_in_its_gear_and_bears_its_weight() {
        let mut session = driven(Setup::default(), 3.0);
        let (speed, place) = (session.readings().speed, session.body().translation());
        let engine_speed = session.readings().engine_speed.unwrap();
        let bodies = session.world.physics.bodies.len();
        session.change_vehicle(heavier(&session, 2_800.0)).unwrap();
        assert_eq!(session.world.physics.bodies.len(), bodies);
        assert_eq!(session.body().translation(), place);
        session.step().unwrap();
        let after = session.readings();
        assert!((after.speed - speed).abs() < 0.3, "{speed} and {} m/s", after.speed);
        let after = after.engine_speed.unwrap();
        assert!((after / engine_speed - 1.0).abs() < 0.1, "{engine_speed} and {after} 1/min");
        session.keyboard.release_all();
        session.keyboard.set(Key::Backward, true);
        go(&mut session, 3.0);
        session.keyboard.release_all();
        go(&mut session, 3.0);
        let weight = 2_800.0 * 9.81;
        assert!((load(&session) / weight - 1.0).abs() < 0.02, "{} of {weight} N", load(&session));
        assert!(session.is_changed());
    }

    #[test]
    fn a_fault_leaves_the_car_as_it_was() {
        let mut session = driven(Setup::default(), 2.0);
        let (bits, bodies) = (session.fingerprint(), session.world.physics.bodies.len());
        let error = session.change_vehicle(heavier(&session, -1.0)).unwrap_err().to_string();
        assert!(error.contains("mass") && error.contains("got -1"), "{error}");
        for (name, reason) in [("truck_6x6", "wheels must be 4"), ("electric_car", "kind of drive")]
        {
            let other = vehicles::vehicle_file(name).unwrap();
            let error = session.change_vehicle(other).unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        }
        assert_eq!((session.fingerprint(), session.world.physics.bodies.len()), (bits, bodies));
        assert!(!session.is_changed());
    }

    #[test]
    fn every_vehicle_changed_to_itself_drives_on() {
        for name in vehicle_names() {
            for world in ["proving_ground", "soft_ground"] {
                let (vehicle, world) = (name.to_owned(), world.to_owned());
                let mut session = driven(Setup { vehicle, world, start: 0 }, 2.0);
                let before = session.readings().speed;
                session.set_ghost(true).unwrap();
                session.change_vehicle(session.file().clone()).unwrap();
                go(&mut session, 0.5);
                let after = session.readings().speed;
                assert!(before - 0.2 < after, "{name}: {before} and {after} m/s");
            }
        }
    }
}
