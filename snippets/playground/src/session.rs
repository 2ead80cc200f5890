//! A drive: a vehicle in a world, in fixed steps.

mod changes;
#[cfg(test)]
mod drives;
mod laps;
mod looks;
mod trailer;

use std::path::{Path, PathBuf};

use rapier3d::prelude::*;
use serde::{Deserialize, Serialize};
use vehicle_rapier::core::context::GRAVITY;
use vehicle_rapier::drawing::DrawnPoses;
use vehicle_rapier::events::EventParams;
use vehicle_rapier::vehicle_file::{AnyRapierVehicle, AnyVehicle, VehicleFile};

use self::laps::Laps;
use self::trailer::Trailer;
use crate::aids::{AidSet, AidSwitch};
use crate::camera::{Camera, Subject};
use crate::controls::{DriverInput, Event, Gamepad, Hands, Keyboard};
use crate::crowd::Crowd;
use crate::driver::Driver;
use crate::fingerprint::Fingerprint;
use crate::ghost::Ghost;
use crate::soft_field::SoftField;
use crate::vehicles;
use crate::worlds::{World, WorldKind};
use crate::{CameraMode, CameraPose, DEFAULT_VEHICLE, Error, GearMode, Look, Readings, Recording};

/// Time of a step (s).
pub const DT: Real = 1.0 / 60.0;
/// Longest time that a frame makes up for (s): a page that was hidden does not catch up.
const LONGEST_FRAME: f64 = 0.1;
/// Height below which a vehicle has fallen out of its world (m).
const BOTTOM: Real = -15.0;
/// Height at which a vehicle is put down (m).
const CLEARANCE: Real = 0.02;

/// Where a drive begins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Setup {
    /// Name of the vehicle, see [`vehicle_names`](crate::vehicle_names).
    pub vehicle: String,
    /// Name of the world, see [`WorldKind`].
    pub world: String,
    /// Number of the place in it.
    pub start: usize,
}

impl Default for Setup {
    /// The default vehicle on the proving ground.
    fn default() -> Self {
        Self {
            vehicle: DEFAULT_VEHICLE.to_owned(),
            world: WorldKind::default().name().to_owned(),
            start: 0,
        }
    }
}

/// A vehicle in a world, and who drives it.
pub struct Session {
    /// Keys that are held.
    pub keyboard: Keyboard,
    /// The gamepad, or fingers.
    pub gamepad: Gamepad,
    setup: Setup,
    /// The vehicle as it was given, and where paths in it begin.
    file: VehicleFile,
    folder: PathBuf,
    /// Whether it has been changed on the way.
    is_changed: bool,
    vehicle: AnyVehicle,
    look: Look,
    world: World,
    car: AnyRapierVehicle,
    trailer: Option<Trailer>,
    poses: DrawnPoses,
    hands: Hands,
    driver: Driver,
    aids: AidSet,
    /// Speed that a cruise control is to keep from the end of this step on (m/s): before, it may
    /// not know how fast the vehicle is.
    cruise_speed: Option<Real>,
    camera: Camera,
    readings: Readings,
    recording: Recording,
    replay: Option<std::vec::IntoIter<DriverInput>>,
    /// The gamepad in the step before, while a recording drives: what is held from the beginning on
    /// takes nothing over.
    gamepad_before: Option<Gamepad>,
    /// The fingerprint at the end of the recording that was replayed.
    replay_end: Option<u64>,
    events: Vec<Event>,
    crowd: Option<Crowd>,
    ruts: Option<SoftField>,
    ghost: Option<Ghost>,
    laps: Option<Laps>,
    moving: Vec<RigidBodyHandle>,
    moving_poses: [Vec<Pose>; 2],
    /// Time since the last step (s).
    rest: f64,
    steps: u64,
}

impl Session {
    /// A drive that begins as `setup` says.
    ///
    /// # Errors
    ///
    /// If there is no such vehicle, world or start.
    pub fn new(setup: Setup) -> Result<Self, Error> {
        let file = vehicles::vehicle_file(&setup.vehicle)?;
        Self::with_vehicle(setup, file, "")
    }

    /// A session with the vehicle of `file`, whose paths begin in `folder`; the name in `setup` is
    /// only a name.
    ///
    /// # Errors
    ///
    /// If there is no such world or start; all faults of the file.
    pub fn with_vehicle(
        setup: Setup,
        file: VehicleFile,
        folder: impl Into<PathBuf>,
    ) -> Result<Self, Error> {
        let folder = folder.into();
        let kind = WorldKind::from_name(&setup.world)?;
        let mut world = World::new(kind)?;
        let vehicle = vehicles::vehicle(file.clone(), &folder, world.soil)?;
        let place = place_on(&vehicle, world.start(setup.start)?);
        let (mut car, ruts) = put(&vehicle, &mut world, place)?;
        let coupling = vehicles::coupling(&setup.vehicle);
        let trailer =
            coupling.map(|coupling| Trailer::behind(&car, coupling, &mut world)).transpose()?;
        let aids = AidSet::usual();
        aids.give(&mut car, &vehicle.file().aids)?;
        let driver = Driver::of(&car)?;
        let is_crowded = kind == WorldKind::Crowd;
        let crowd = is_crowded.then(|| Crowd::new(&mut world.physics)).transpose()?;
        let poses = DrawnPoses::new(&car, &world.physics.bodies, DT)?;
        let camera = Camera::new(&subject(&world, &car, &vehicle, trailer.as_ref()));
        let mut moving = world.moving_bodies();
        moving.extend(crowd.iter().flat_map(Crowd::bodies));
        let now: Vec<Pose> =
            moving.iter().map(|&body| *world.physics.bodies[body].position()).collect();
        let mut readings = Readings::default();
        let body = &world.physics.bodies[car.body()];
        readings.read(&mut car, body, body.linvel(), DT);
        let look = Self::look_in(&world, &vehicle, &car);
        let laps = Laps::of(&world);
        Ok(Self {
            keyboard: Keyboard::default(),
            gamepad: Gamepad::default(),
            recording: Recording::new(setup.clone()),
            setup,
            file,
            folder,
            is_changed: false,
            vehicle,
            look,
            world,
            car,
            trailer,
            poses,
            hands: Hands::default(),
            driver,
            aids,
            cruise_speed: None,
            camera,
            readings,
            replay: None,
            gamepad_before: None,
            replay_end: None,
            events: Vec::new(),
            crowd,
            ruts,
            ghost: None,
            laps,
            moving,
            moving_poses: [now.clone(), now],
            rest: 0.0,
            steps: 0,
        })
    }

    /// The drive that `recording` tells, from its beginning: it drives by itself until the
    /// recording ends. Somebody may take over before: by a key that is pressed, a gamepad that is
    /// moved, or an [`Event`].
    ///
    /// # Errors
    ///
    /// If there is no such vehicle, world or start.
    pub fn replay(recording: &Recording) -> Result<Self, Error> {
        let mut session = Self::new(recording.setup().clone())?;
        session.replay = Some(recording.inputs().collect::<Vec<_>>().into_iter());
        Ok(session)
    }

    /// Something happens, in the next step. It ends a replay.
    pub fn push_event(&mut self, event: Event) {
        self.end_replay();
        self.events.push(event);
    }

    /// Goes on by `elapsed` (s), in steps; their number.
    ///
    /// # Errors
    ///
    /// If a step fails.
    pub fn advance(&mut self, elapsed: f64) -> Result<u32, Error> {
        self.rest += elapsed.clamp(0.0, LONGEST_FRAME);
        self.readings.events.clear();
        let mut count = 0;
        while f64::from(DT) <= self.rest {
            self.rest -= f64::from(DT);
            self.step()?;
            count += 1;
        }
        Ok(count)
    }

    /// A step, with what keys and gamepad say, or the recording that is replayed.
    ///
    /// # Errors
    ///
    /// If the vehicle cannot make it.
    pub fn step(&mut self) -> Result<(), Error> {
        if self.replay.is_some() && self.is_taken_over() {
            self.end_replay();
        }
        let replayed = self.replay.as_mut().map(Iterator::next);
        let input = match replayed {
            Some(Some(input)) => input,
            Some(None) => {
                self.replay_end = Some(self.fingerprint());
                self.replay = None;
                self.present_input()
            }
            None => self.present_input(),
        };
        self.step_with(input)
    }

    /// Whether the driver has begun to drive since the step before.
    fn is_taken_over(&mut self) -> bool {
        let before = self.gamepad_before.replace(self.gamepad);
        let is_moved = before.is_some_and(|before| self.gamepad.is_moved_from(&before));
        self.keyboard.is_pressed() || is_moved
    }

    fn present_input(&mut self) -> DriverInput {
        let Self { keyboard, gamepad, .. } = self;
        let mut input = self.hands.update(keyboard, gamepad, self.readings.speed, DT);
        if !self.events.is_empty() {
            input.event = Some(self.events.remove(0));
        }
        input
    }

    /// A step with this input.
    ///
    /// # Errors
    ///
    /// If the vehicle cannot make it.
    pub fn step_with(&mut self, input: DriverInput) -> Result<(), Error> {
        self.recording.push(input);
        if let Some(event) = input.event {
            self.handle(event)?;
        }
        self.driver.drive(&input, &mut self.car, DT)?;
        let velocity = self.body().linvel();
        self.world.move_parts();
        let eye = self.body().translation();
        if let Some(crowd) = &mut self.crowd {
            crowd.update(&mut self.world.physics, eye, DT);
        }
        if let Some(trailer) = &mut self.trailer {
            trailer.follow(&self.car, &mut self.world.physics)?;
        }
        self.car.step(&mut self.world.physics)?;
        if let Some(memory) = self.car.vehicle.aided_mut().memory_mut()
            && let Some(speed) = self.cruise_speed.take()
        {
            memory.aids.cruise.set(speed);
        }
        if let Some(ruts) = &mut self.ruts {
            ruts.roll(&mut self.car);
        }
        if let Some(ghost) = &mut self.ghost {
            ghost.step(&self.car);
        }
        self.steps += 1;
        if self.body().translation().y < BOTTOM {
            self.handle(Event::Start(self.setup.start as u8))?;
        } else {
            self.poses.record(&self.car, &self.world.physics.bodies, DT)?;
            if let Some(trailer) = &mut self.trailer {
                trailer.record(&self.world.physics.bodies)?;
            }
        }
        self.step_laps();
        self.moving_poses.swap(0, 1);
        for (pose, &body) in self.moving_poses[1].iter_mut().zip(&self.moving) {
            *pose = *self.world.physics.bodies[body].position();
        }
        let body = &self.world.physics.bodies[self.car.body()];
        self.readings.read(&mut self.car, body, velocity, DT);
        if !self.readings.acting_aids.has(AidSwitch::Cruise) {
            // The brake, or the clutch, has ended it.
            self.aids = self.aids.with(AidSwitch::Cruise, false);
        }
        let subject = self.subject();
        self.camera.advance(&subject, DT);
        Ok(())
    }

    fn handle(&mut self, event: Event) -> Result<(), Error> {
        let place = match event {
            Event::SwitchAid(aid, is_on) => {
                self.switch(aid, is_on)?;
                None
            }
            Event::Upright => {
                Some(self.car.upright_pose(&self.world.physics.bodies, Vector::Y, 0.6)?)
            }
            Event::Start(number) => {
                let number = usize::from(number).min(self.world.starts.len() - 1);
                self.setup.start = number;
                Some(place_on(&self.vehicle, self.world.start(number)?))
            }
            _ => None,
        };
        if let Some(place) = place {
            let bodies = &mut self.world.physics.bodies;
            self.car.teleport(bodies, place)?;
            if let Some(trailer) = &mut self.trailer {
                trailer.put_behind(&self.car, bodies)?;
            }
            self.poses = DrawnPoses::new(&self.car, &self.world.physics.bodies, DT)?;
            let subject = self.subject();
            self.camera.cut(&subject);
            if let (Some(laps), Event::Start(_)) = (&mut self.laps, event) {
                laps.reset();
            }
            if let Some(ghost) = &mut self.ghost {
                ghost.put(place);
            }
        }
        self.driver.handle(event, &self.car)?;
        Ok(())
    }

    fn subject(&self) -> Subject {
        subject(&self.world, &self.car, &self.vehicle, self.trailer.as_ref())
    }

    fn body(&self) -> &RigidBody {
        &self.world.physics.bodies[self.car.body()]
    }

    /// Where it began; the start is the last one that was gone to.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The vehicle as its file says it, without what the world makes of it.
    pub fn file(&self) -> &VehicleFile {
        &self.file
    }

    /// Where paths in that file begin.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The vehicle, of which others could be made.
    pub fn vehicle(&self) -> &AnyVehicle {
        &self.vehicle
    }

    /// The vehicle in its world.
    pub fn car(&self) -> &AnyRapierVehicle {
        &self.car
    }

    /// The world.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// What a driver reads.
    pub fn readings(&self) -> &Readings {
        &self.readings
    }

    /// Who shifts.
    pub fn gear_mode(&self) -> GearMode {
        self.driver.mode
    }

    /// The driver aids that are on.
    pub fn aids(&self) -> AidSet {
        self.aids
    }

    /// The drive until now: that of the vehicle as it began, see [`is_changed`](Self::is_changed).
    pub fn recording(&self) -> &Recording {
        &self.recording
    }

    /// Whether a recording drives.
    pub fn is_replaying(&self) -> bool {
        self.replay.is_some()
    }

    /// Ends a replay before its time: from now on keys and gamepad drive.
    pub fn end_replay(&mut self) {
        self.replay = None;
    }

    /// The [fingerprint](Self::fingerprint) at the end of the recording that was replayed, once it
    /// has come to its end.
    pub fn replay_end(&self) -> Option<u64> {
        self.replay_end
    }

    /// Number of steps.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// How far the time has gone from the last step but one to the last, in [0, 1]: poses of this
    /// share are those to be drawn.
    pub fn share(&self) -> Real {
        ((self.rest / f64::from(DT)) as Real).clamp(0.0, 1.0)
    }

    /// Pose of the vehicle's body (m).
    pub fn body_pose(&self, share: Real) -> Pose {
        self.poses.chassis(share)
    }

    /// Pose of a wheel (m), turned about its axle, +x; `None` if there is none.
    pub fn wheel_pose(&self, wheel: usize, share: Real) -> Option<Pose> {
        self.poses.wheel(wheel, share)
    }

    /// Number of bodies that move beside the vehicle: those of [`World::moving_bodies`], then the
    /// crowd.
    pub fn moving_count(&self) -> usize {
        self.moving.len()
    }

    /// Pose of a body that moves (m).
    ///
    /// # Panics
    ///
    /// If there is none of this number.
    pub fn moving_pose(&self, number: usize, share: Real) -> Pose {
        self.moving_poses[0][number].lerp(&self.moving_poses[1][number], share)
    }

    /// Length, width and height of the body of a car of the crowd, and its center above the center
    /// of mass (m).
    pub fn crowd_size(&self) -> Option<[Real; 4]> {
        Some(self.crowd.as_ref()?.size())
    }

    /// Where the eye is.
    pub fn camera(&self, share: Real) -> CameraPose {
        self.camera.at(share)
    }

    /// From where the driver looks.
    pub fn camera_mode(&self) -> CameraMode {
        self.camera.mode()
    }

    /// Looks from elsewhere.
    pub fn set_camera_mode(&mut self, mode: CameraMode) {
        let subject = self.subject();
        self.camera.set_mode(mode, &subject);
    }

    /// Turns the camera by hand (rad), and changes its distance by a factor.
    pub fn turn_camera(&mut self, yaw: Real, pitch: Real, zoom: Real) {
        self.camera.turn(yaw, pitch, zoom);
    }

    /// Flies the free camera: forward, to the left and up (m).
    pub fn fly_camera(&mut self, way: [Real; 3]) {
        self.camera.fly(way);
    }

    /// A number of all bits of where bodies are and how they move.
    pub fn fingerprint(&self) -> u64 {
        let mut fingerprint = Fingerprint::default();
        fingerprint.add_bodies(&self.world.physics.bodies);
        fingerprint.0
    }
}

/// Puts `vehicle` into `world`, its body at `place` (m).
fn put(
    vehicle: &AnyVehicle,
    world: &mut World,
    place: Pose,
) -> Result<(AnyRapierVehicle, Option<SoftField>), Error> {
    let mut car = vehicle.insert(&mut world.physics, place);
    car.listen(EventParams::default())?;
    car.road.pushes_ground = true;
    car.road_resources.smooth_meshes.clone_from(&world.smooth_meshes);
    let ruts = world.soil.map(|_| SoftField::under(&mut car)).transpose()?;
    Ok((car, ruts))
}

/// The pose of a vehicle's body that stands on the ground at `ground` (m).
fn place_on(vehicle: &AnyVehicle, ground: Pose) -> Pose {
    let height = vehicle.standing_height(GRAVITY) + CLEARANCE;
    ground * Pose::from_translation(Vector::Y * height)
}

fn subject(
    world: &World,
    car: &AnyRapierVehicle,
    vehicle: &AnyVehicle,
    trailer: Option<&Trailer>,
) -> Subject {
    let body = &world.physics.bodies[car.body()];
    let [length, _, height] = vehicles::body_size(vehicle);
    let length = length + trailer.map_or(0.0, Trailer::length);
    Subject { pose: *body.position(), velocity: body.linvel(), size: [length, height] }
}
