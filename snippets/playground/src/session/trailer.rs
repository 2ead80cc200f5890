//! The trailer of a vehicle.

use rapier3d::prelude::*;
use vehicle_rapier::drawing::DrawnPoses;
use vehicle_rapier::vehicle_file::{
    AnyRapierVehicle, AnyVehicle, Coupling, CouplingError, VehicleFile,
};

use super::{DT, Session, put};
use crate::look::{Look, LookKind, bounds_of};
use crate::soft_field::SoftField;
use crate::worlds::World;
use crate::{Error, vehicles};

/// A trailer that is coupled.
pub(super) struct Trailer {
    coupling: Coupling,
    vehicle: AnyVehicle,
    car: AnyRapierVehicle,
    poses: DrawnPoses,
    look: Look,
    ruts: Option<SoftField>,
}

impl Trailer {
    /// The trailer of this `coupling`, behind `car`.
    pub(super) fn behind(
        car: &AnyRapierVehicle,
        coupling: Coupling,
        world: &mut World,
    ) -> Result<Self, Error> {
        let file = vehicles::vehicle_file(coupling.trailer)?;
        let vehicle = vehicles::vehicle(file, "".as_ref(), world.soil)?;
        let Coupling { own, theirs, .. } = coupling;
        let pose = car.trailer_pose(own, &vehicle, theirs, &world.physics.bodies)?;
        let (trailer, ruts) = put(&vehicle, world, pose)?;
        car.couple(own, &trailer, theirs, &mut world.physics)?;
        let physics = &world.physics;
        let body = &physics.bodies[trailer.body()];
        let look = Look::new(
            &vehicle.file().name,
            LookKind::Trailer,
            trailer.mechanics().params,
            bounds_of(body, &physics.colliders),
            body.local_center_of_mass(),
        );
        let poses = DrawnPoses::new(&trailer, &physics.bodies, DT)?;
        Ok(Self { coupling, vehicle, car: trailer, poses, look, ruts })
    }

    /// Follows `car` for a step, before its own, and brakes as it does.
    pub(super) fn follow(
        &mut self,
        car: &AnyRapierVehicle,
        physics: &mut PhysicsWorld,
    ) -> Result<(), Error> {
        self.car.follow(&car.vehicle, &mut physics.bodies);
        self.car.commands_mut().brakes = car.commands().brakes;
        self.car.update(physics)?;
        Ok(())
    }

    /// Takes its poses and presses its ruts after a step.
    pub(super) fn record(&mut self, bodies: &RigidBodySet) -> Result<(), Error> {
        if let Some(ruts) = &mut self.ruts {
            ruts.roll(&mut self.car);
        }
        self.poses.record(&self.car, bodies, DT)?;
        Ok(())
    }

    /// Puts it behind `car`, which has been put elsewhere.
    pub(super) fn put_behind(
        &mut self,
        car: &AnyRapierVehicle,
        bodies: &mut RigidBodySet,
    ) -> Result<(), Error> {
        let Coupling { own, theirs, .. } = self.coupling;
        let pose = car.trailer_pose(own, &self.vehicle, theirs, bodies)?;
        self.car.teleport(bodies, pose)?;
        self.poses = DrawnPoses::new(&self.car, bodies, DT)?;
        Ok(())
    }

    /// Checks that the vehicle of `file` has the hitch to which it is coupled.
    pub(super) fn check_hitch(&self, file: &VehicleFile) -> Result<(), CouplingError> {
        file.hitch(self.coupling.own)?;
        Ok(())
    }

    /// Couples it to `car`, which has come in the place of the one before, and puts it behind that
    /// if its hitch is elsewhere.
    pub(super) fn couple_to(
        &mut self,
        car: &AnyRapierVehicle,
        physics: &mut PhysicsWorld,
    ) -> Result<(), Error> {
        let Coupling { own, theirs, .. } = self.coupling;
        let coupled = car.couple(own, &self.car, theirs, physics);
        if let Err(CouplingError::Apart { .. }) = coupled {
            self.put_behind(car, &mut physics.bodies)?;
            car.couple(own, &self.car, theirs, physics)?;
        } else {
            coupled?;
        }
        Ok(())
    }

    /// Pose of its body (m).
    pub(super) fn body_pose(&self, bodies: &RigidBodySet) -> Pose {
        *bodies[self.car.body()].position()
    }

    /// Length of the trailer (m).
    pub(super) fn length(&self) -> Real {
        self.look.size[0]
    }
}

impl Session {
    /// What the trailer looks like, if there is one.
    pub fn trailer_look(&self) -> Option<&Look> {
        Some(&self.trailer.as_ref()?.look)
    }

    /// Pose of the trailer's body (m) between the last two steps, see [`share`](Self::share).
    pub fn trailer_pose(&self, share: Real) -> Option<Pose> {
        Some(self.trailer.as_ref()?.poses.chassis(share))
    }

    /// Pose of a wheel of the trailer (m), in the same way.
    pub fn trailer_wheel_pose(&self, wheel: usize, share: Real) -> Option<Pose> {
        self.trailer.as_ref()?.poses.wheel(wheel, share)
    }
}

#[cfg(test)]
mod tests {
    use super::super::drives::{driven, go};
    use super::*;
    use crate::{Event, Key, Setup, train_names};

    fn train(name: &str, seconds: Real) -> Session {
        driven(Setup { vehicle: name.to_owned(), ..Setup::default() }, seconds)
    }

    /// Distance of the two hitches (m).
    fn gap(session: &Session) -> Real {
        let trailer = session.trailer.as_ref().unwrap();
        let Coupling { own, theirs, .. } = trailer.coupling;
        let at = |car: &AnyRapierVehicle, name: &str| {
            let body = &session.world.physics.bodies[car.body()];
            body.position().transform_point(car.hitch(name).unwrap().position)
        };
        at(&session.car, own).distance(at(&trailer.car, theirs))
    }

    #[test]
    fn trailers_that_fit_are_pulled_turned_and_put_back() {
        for name in train_names() {
            let mut session = train(&name, 8.0);
            assert!(2.0 < session.readings().speed, "{name}: {} m/s", session.readings().speed);
            assert!(gap(&session) < 0.1, "{name}: {} m", gap(&session));
            session.keyboard.set(Key::Left, true);
            go(&mut session, 3.0);
            let forward = |pose: Pose| pose.rotation * Vector::Z;
            let trailer = forward(session.trailer_pose(1.0).unwrap());
            let angle = forward(session.body_pose(1.0)).angle_between(trailer);
            assert!(0.03 < angle && angle < 1.2, "{name}: {angle} rad at the hitch");
            session.keyboard.release_all();
            session.push_event(Event::Start(0));
            go(&mut session, 2.0);
            assert!(gap(&session) < 0.05, "{name}: {} m", gap(&session));
            assert!(session.readings().speed.abs() < 0.3, "{name}");
            assert_eq!(session.trailer_look().unwrap().wheels.len() % 2, 0);
        }
    }

    #[test]
    fn a_drive_with_a_trailer_is_replayed_with_the_same_bits() {
        let mut session = train("semi_tractor-semi_trailer", 4.0);
        session.keyboard.set(Key::Left, true);
        go(&mut session, 2.0);
        let mut replay = Session::replay(session.recording()).unwrap();
        while replay.steps() < session.steps() {
            replay.step().unwrap();
        }
        assert_eq!(replay.fingerprint(), session.fingerprint());
    }

    #[test]
    fn a_tractor_that_is_changed_keeps_its_trailer() {
        let mut session = train("truck_6x6-tandem_trailer", 3.0);
        session.change_vehicle(session.file().clone()).unwrap();
        go(&mut session, 2.0);
        assert!(gap(&session) < 0.1, "{} m", gap(&session));
    }

    #[test]
    fn a_tractor_without_the_hitch_is_refused_and_the_train_drives_on() {
        let mut session = train("truck_6x6-tandem_trailer", 2.0);
        let (bits, bodies) = (session.fingerprint(), session.world.physics.bodies.len());
        let mut file = session.file().clone();
        file.hitches.clear();
        let error = session.change_vehicle(file).unwrap_err().to_string();
        assert!(error.contains("the hitch must be one of []"), "{error}");
        assert_eq!((session.fingerprint(), session.world.physics.bodies.len()), (bits, bodies));
        go(&mut session, 2.0);
        assert!(gap(&session) < 0.1, "{} m", gap(&session));
    }

    #[test]
    fn a_trailer_that_does_not_fit_is_refused_by_name() {
        for vehicle in ["hot_hatch-semi_trailer", "semi_tractor-hot_hatch"] {
            let setup = Setup { vehicle: vehicle.to_owned(), ..Setup::default() };
            let error = Session::new(setup).err().unwrap().to_string();
            assert!(
                error.contains(vehicle) && error.contains("semi_tractor-semi_trailer"),
                "{error}"
            );
        }
    }
}
