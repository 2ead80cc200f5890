//! A vehicle of any kind, read from a file.

use std::io;
use std::path::Path;
use std::sync::Arc;

use rapier3d::prelude::*;
use vehicle_core::error::ParamCheck;
use vehicle_core::tire::models::AnyTire;
use vehicle_core::vehicle::{MechanicalParams, OwnState};
use vehicle_core::{ComponentSequence, ParamErrors, WheelReaction};

use super::VehicleFile;
use super::any_drive::{AnyDrive, AnyDriveVehicle, AnyRapierVehicle, AnySaved, Origin};
use super::chassis::ChassisCollider;
use super::fault::{FileFault, VehicleFileError};
use super::format::{self, FileFormat, ReadText};
use super::model::Model;
use super::own_tires::OwnTires;
use super::resolve::{PartSources, Resolved};
use crate::{ActorError, Chassis, RapierVehicle, SnapshotError};

/// A vehicle model from a file or a preset, checked.
///
/// [`insert`](Self::insert) puts vehicles of it into a world, any number of them. They share
/// parameters and stages.
///
/// # Parts of your own
///
/// A stage for any vehicle on the ready-made base takes its place in
/// [`sequence`](Self::sequence), and what it remembers of each vehicle is
/// [state of one's own](OwnState):
///
/// ```
/// use std::ops::ControlFlow::{self, Continue};
/// use std::sync::Arc;
///
/// use rapier3d::prelude::*;
/// use serde::{Deserialize, Serialize};
/// use vehicle_rapier::prelude::*;
/// use vehicle_rapier::vehicle_file::AnyDriveVehicle;
///
/// /// How far the vehicle has gone (m).
/// #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
/// struct Odometer(Real);
///
/// impl OwnState for Odometer {
///     type Params = ();
///
///     fn at_rest((): &(), _wheel_count: usize) -> Self {
///         Self(0.0)
///     }
///
///     fn is_finite(&self) -> bool {
///         self.0.is_finite()
///     }
/// }
///
/// fn count(
///     vehicle: &mut AnyDriveVehicle<Odometer>,
///     dt: Real,
///     _: &Context<'_>,
/// ) -> ControlFlow<()> {
///     let speed = vehicle.body().linear_velocity.length();
///     vehicle.own().state.0 += speed * dt;
///     Continue(())
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let mut world = PhysicsWorld::new();
/// # let road = ColliderBuilder::cuboid(500.0, 1.0, 500.0).translation(Vector::Y * -1.0);
/// # world.insert_collider(road.friction(1.0), None);
/// # world.detect_collisions(&(), &());
/// let model = AnyVehicle::preset("hot_hatch")?;
/// let sequence = Arc::new(model.sequence().then(count));
/// let pose = Pose::from_translation(Vector::Y * model.standing_height(9.81));
/// let mut car = model.insert_with_own(&mut world, pose, (), sequence)?;
/// car.commands_mut().throttle = 1.0;
/// for _ in 0..120 {
///     car.step(&mut world)?;
/// }
/// assert!(2.0 < car.vehicle.own_state().0);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct AnyVehicle {
    origin: Arc<Origin>,
    model: Model,
    sequence: Arc<ComponentSequence<AnyDriveVehicle>>,
}

impl AnyVehicle {
    /// The vehicle of a file's text. Paths in it begin in the working folder.
    ///
    /// # Errors
    ///
    /// The first fault of syntax, or all faults of meaning, with their places.
    pub fn from_str(format: FileFormat, text: &str) -> Result<Self, VehicleFileError> {
        Self::from_str_with(format, text, &OwnTires::new())
    }

    /// The vehicle of a file's text, as [`from_str`](Self::from_str) makes it, which may be on
    /// `tires` of the program's own.
    ///
    /// # Errors
    ///
    /// As of [`from_str`](Self::from_str).
    pub fn from_str_with(
        format: FileFormat,
        text: &str,
        tires: &OwnTires,
    ) -> Result<Self, VehicleFileError> {
        let read = &format::tires_of_file_system;
        Self::of_text(format, text, &PartSources { folder: Path::new(""), read, tires })
    }

    /// The vehicle of the file at `path`, in the format of its extension: `json`, `ron` or `toml`.
    /// Paths in it begin in its folder.
    ///
    /// # Errors
    ///
    /// As of [`from_str`](Self::from_str); if the file cannot be read.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, VehicleFileError> {
        Self::load_with(path, &OwnTires::new())
    }

    /// The vehicle of the file at `path`, as [`load`](Self::load) makes it, which may be on `tires`
    /// of the program's own.
    ///
    /// # Errors
    ///
    /// As of [`load`](Self::load).
    pub fn load_with(path: impl AsRef<Path>, tires: &OwnTires) -> Result<Self, VehicleFileError> {
        let (read, read_tires) = (&format::of_file_system, &format::tires_of_file_system);
        Self::load_parts(path.as_ref(), tires, read, read_tires)
    }

    /// The vehicle of the file at `path`, as [`load_with`](Self::load_with) makes it, from texts
    /// that `read` has: of an archive, of assets, of a network. It is asked for the file itself and
    /// for its [tire files](VehicleFile::tire_files).
    ///
    /// Old tire files have bytes in their comments that are not UTF-8: read those by
    /// [`String::from_utf8_lossy`].
    ///
    /// # Errors
    ///
    /// As of [`load`](Self::load).
    pub fn load_by(
        path: impl AsRef<Path>,
        tires: &OwnTires,
        read: impl Fn(&Path) -> io::Result<String>,
    ) -> Result<Self, VehicleFileError> {
        Self::load_parts(path.as_ref(), tires, &read, &read)
    }

    /// The vehicle of the file at `path`, from texts of the file itself and of its tire files.
    fn load_parts(
        path: &Path,
        tires: &OwnTires,
        read: &ReadText<'_>,
        read_tires: &ReadText<'_>,
    ) -> Result<Self, VehicleFileError> {
        let (format, text) = format::read_file(path, read)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let parts = PartSources { folder, read: read_tires, tires };
        Self::of_text(format, &text, &parts).map_err(|error| error.in_file(path))
    }

    fn of_text(
        format: FileFormat,
        text: &str,
        parts: &PartSources<'_>,
    ) -> Result<Self, VehicleFileError> {
        let file = VehicleFile::from_str(format, text)?;
        Self::of_file(file, parts)
            .map_err(|faults| VehicleFileError::of_faults(faults).with_positions(format, text))
    }

    /// The vehicle of `file`, whose paths begin in `folder`.
    ///
    /// # Errors
    ///
    /// All faults.
    pub fn new(file: VehicleFile, folder: impl AsRef<Path>) -> Result<Self, VehicleFileError> {
        Self::new_with(file, folder, &OwnTires::new())
    }

    /// The vehicle of `file`, whose paths begin in `folder`, and which may be on `tires` of the
    /// program's own.
    ///
    /// # Errors
    ///
    /// All faults.
    pub fn new_with(
        file: VehicleFile,
        folder: impl AsRef<Path>,
        tires: &OwnTires,
    ) -> Result<Self, VehicleFileError> {
        let read = &format::tires_of_file_system;
        let parts = PartSources { folder: folder.as_ref(), read, tires };
        Self::of_file(file, &parts).map_err(VehicleFileError::of_faults)
    }

    fn of_file(file: VehicleFile, parts: &PartSources<'_>) -> Result<Self, Vec<FileFault>> {
        let Resolved { chassis, model } = file.resolve(parts)?;
        let sequence = Arc::new(model.sequence());
        Ok(Self { origin: Arc::new(Origin { file, chassis }), model, sequence })
    }

    /// Content of the file.
    pub fn file(&self) -> &VehicleFile {
        &self.origin.file
    }

    /// The parameters of its mechanics.
    pub fn mechanics(&self) -> &MechanicalParams<AnyTire> {
        self.model.prototype.mechanics()
    }

    /// Height of its body above flat ground at rest under `gravity` (m): where to put it. Springs
    /// and tires are compressed by its own weight, see [`MechanicalParams::standing_height`]; those
    /// of a trailer by the load that they are made for.
    pub fn standing_height(&self, gravity: Real) -> Real {
        let frame = &self.origin.file.frame;
        let Pose { rotation, translation, .. } = self.origin.chassis.center_of_mass;
        let center = translation.dot(rotation * frame.vertical());
        self.mechanics().standing_height(frame, gravity) - center
    }

    /// Rotation of the vehicle's axes in its body.
    pub(super) fn axes_in_body(&self) -> Rotation {
        self.origin.chassis.center_of_mass.rotation
    }

    /// The stages of its vehicles, in order, to which stages of one's own can be added, for
    /// vehicles with [state of one's own](OwnState) of type `Own`. Share what comes of it between
    /// vehicles.
    pub fn sequence<Own: OwnState>(&self) -> ComponentSequence<AnyDriveVehicle<Own>> {
        self.model.sequence()
    }

    /// Puts a vehicle of this kind into `world`, its body at `pose` (m), in gear: it drives forward
    /// as the throttle is opened.
    pub fn insert(&self, world: &mut PhysicsWorld, pose: Pose) -> AnyRapierVehicle {
        self.insert_into(&mut world.bodies, &mut world.colliders, pose)
    }

    /// Puts a vehicle of this kind into the sets of a world, as [`insert`](Self::insert) does.
    pub fn insert_into(
        &self,
        bodies: &mut RigidBodySet,
        colliders: &mut ColliderSet,
        pose: Pose,
    ) -> AnyRapierVehicle {
        self.put(bodies, colliders, pose, (), Arc::clone(&self.sequence))
    }

    /// Makes a body that is in a world already, such as that of an engine's entity, a vehicle of
    /// this kind where it is, as [`Chassis::adopt`] does. It keeps its colliders. Those of the
    /// file, of its hull as of its [wheels](crate::wheel_colliders), are for a body that has none.
    /// For a body of a vehicle in a saved game, see [`resume`](Self::resume).
    ///
    /// # Errors
    ///
    /// If the body is gone or not dynamic; nothing has changed then.
    pub fn adopt(
        &self,
        bodies: &mut RigidBodySet,
        colliders: &mut ColliderSet,
        body: RigidBodyHandle,
    ) -> Result<AnyRapierVehicle, ActorError> {
        let has_colliders = bodies.get(body).is_some_and(|body| !body.colliders().is_empty());
        let chassis = if has_colliders { self.bare_chassis() } else { self.chassis() };
        let (actor, wheel_colliders) = chassis.adopt(body, bodies, colliders)?;
        let sequence = Arc::clone(&self.sequence);
        let car = RapierVehicle::new(actor, self.vehicle_with(()), sequence);
        Ok(self.ready(RapierVehicle { wheel_colliders, ..car }, bodies))
    }

    /// Puts a vehicle of this kind into `world`, as [`insert`](Self::insert) does, with state of
    /// one's own, made of `own_params`, at rest. Its stages are those of a
    /// [`sequence`](Self::sequence) of this vehicle.
    ///
    /// # Errors
    ///
    /// All faults of `own_params`, as those of `own`; nothing has changed then.
    pub fn insert_with_own<Own: OwnState>(
        &self,
        world: &mut PhysicsWorld,
        pose: Pose,
        own_params: Own::Params,
        sequence: impl Into<Arc<ComponentSequence<AnyDriveVehicle<Own>>>>,
    ) -> Result<AnyRapierVehicle<Own>, ParamErrors> {
        let (bodies, colliders) = (&mut world.bodies, &mut world.colliders);
        self.insert_with_own_into(bodies, colliders, pose, own_params, sequence)
    }

    /// Puts a vehicle of this kind with state of one's own into the sets of a world, as
    /// [`insert_with_own`](Self::insert_with_own) does.
    ///
    /// # Errors
    ///
    /// As of [`insert_with_own`](Self::insert_with_own).
    pub fn insert_with_own_into<Own: OwnState>(
        &self,
        bodies: &mut RigidBodySet,
        colliders: &mut ColliderSet,
        pose: Pose,
        own_params: Own::Params,
        sequence: impl Into<Arc<ComponentSequence<AnyDriveVehicle<Own>>>>,
    ) -> Result<AnyRapierVehicle<Own>, ParamErrors> {
        self.check_own_params::<Own>(&own_params)?;
        Ok(self.put(bodies, colliders, pose, own_params, sequence.into()))
    }

    /// The vehicle of this kind that was [saved](RapierVehicle::save), in the world that was saved
    /// with it: see [`saved`](crate::saved).
    ///
    /// # Errors
    ///
    /// As of [`restore_with_world`](RapierVehicle::restore_with_world).
    pub fn resume(
        &self,
        bodies: &mut RigidBodySet,
        saved: &AnySaved,
    ) -> Result<AnyRapierVehicle, SnapshotError> {
        self.resume_with_own(bodies, saved, (), Arc::clone(&self.sequence))
    }

    /// The vehicle of this kind that was saved, as [`resume`](Self::resume) makes it, with state of
    /// one's own of `own_params`.
    ///
    /// # Errors
    ///
    /// As of [`resume`](Self::resume); all faults of `own_params`, as those of `own`.
    pub fn resume_with_own<Own: OwnState>(
        &self,
        bodies: &mut RigidBodySet,
        saved: &AnySaved<Own>,
        own_params: Own::Params,
        sequence: impl Into<Arc<ComponentSequence<AnyDriveVehicle<Own>>>>,
    ) -> Result<AnyRapierVehicle<Own>, SnapshotError> {
        self.check_own_params::<Own>(&own_params)?;
        let mut car = RapierVehicle::saved(saved, self.vehicle_with(own_params), sequence);
        car.actor.center_of_mass = self.origin.chassis.center_of_mass;
        car.remember_start(bodies);
        car.restore_with_world(bodies, &saved.snapshot)?;
        Ok(car)
    }

    fn check_own_params<Own: OwnState>(&self, own_params: &Own::Params) -> Result<(), ParamErrors> {
        let wheel_count = self.mechanics().axles.wheel_count();
        let mut check = ParamCheck::default();
        check.field("own", |inner| Own::check_params(own_params, wheel_count, inner));
        check.finish()
    }

    fn put<Own: OwnState>(
        &self,
        bodies: &mut RigidBodySet,
        colliders: &mut ColliderSet,
        pose: Pose,
        own_params: Own::Params,
        sequence: Arc<ComponentSequence<AnyDriveVehicle<Own>>>,
    ) -> AnyRapierVehicle<Own> {
        let (chassis, vehicle) = (self.chassis().pose(pose), self.vehicle_with(own_params));
        let car = RapierVehicle::insert_into(bodies, colliders, chassis, vehicle, sequence);
        self.ready(car, bodies)
    }

    fn vehicle_with<Own: OwnState>(&self, own_params: Own::Params) -> AnyDriveVehicle<Own> {
        AnyDriveVehicle::new(self.model.prototype.another(), own_params, Arc::clone(&self.origin))
    }

    /// The body of its vehicles without a collider.
    fn bare_chassis(&self) -> Chassis {
        let center_of_mass = self.origin.chassis.center_of_mass;
        Chassis::new(&self.mechanics().rigid_body).center_of_mass(center_of_mass)
    }

    fn chassis(&self) -> Chassis {
        let Origin { file, chassis: source } = &*self.origin;
        let builders = source.colliders.iter().filter_map(ChassisCollider::builder);
        let chassis = builders.fold(self.bare_chassis(), Chassis::collider);
        if source.has_wheel_colliders {
            return chassis.wheel_colliders(self.mechanics(), &file.frame);
        }
        chassis
    }

    /// The vehicle with the settings of its file.
    fn ready<Own: OwnState>(
        &self,
        mut car: AnyRapierVehicle<Own>,
        bodies: &RigidBodySet,
    ) -> AnyRapierVehicle<Own> {
        let file = &self.origin.file;
        car.params = file.simulation_params();
        if matches!(self.model.prototype, AnyDrive::Motorcycle(_)) {
            car.params.wheel_reaction = WheelReaction::Gyroscopic;
        }
        car.road.shape = file.road_query;
        car.remember_start(bodies);
        car
    }
}
