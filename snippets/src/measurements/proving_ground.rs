//! A proving ground: a wide plane, and a vehicle on it, with its trailer if it has one.

use anyhow::{Context, Result};
use rapier3d::prelude::*;
use vehicle_rapier::core::context::GRAVITY;
use vehicle_rapier::core::math::asin_clamped;
use vehicle_rapier::core::suspension::ContactShape;
use vehicle_rapier::drivetrain::aids::{AidsParams, AntiLockParams, TractionParams};
use vehicle_rapier::drivetrain::blocks::Selector;
use vehicle_rapier::prelude::HasMechanics;
use vehicle_rapier::vehicle_file::{
    AnyDrive, AnyRapierVehicle, AnyVehicle, MechanicsSource, VehicleFile,
};
use vehicle_rapier::{RoadQueryShape, SprungMasses, StepError};

use crate::presets;

/// How a vehicle is measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Setting {
    /// Time step (s).
    pub dt: Real,
    /// Peak friction of the road (dimensionless).
    pub friction: Real,
    /// What wheels send down to find the road.
    pub shape: RoadQueryShape,
    /// Substeps in the place of those of the vehicle's file.
    pub substeps: Option<u32>,
}

impl Default for Setting {
    /// Dry asphalt at 60 steps per second, on rays.
    fn default() -> Self {
        Self { dt: 1.0 / 60.0, friction: 1.1, shape: RoadQueryShape::Ray, substeps: None }
    }
}

/// How a vehicle moves.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Motion {
    /// Place of its center of mass (m).
    pub position: Vector,
    /// Where its front is.
    pub forward: Vector,
    /// Where its roof is.
    pub up: Vector,
    /// Velocity of the vehicle (m/s).
    pub velocity: Vector,
    /// Yaw rate of the vehicle, positive to the left (rad/s).
    pub yaw_rate: Real,
}

impl Motion {
    /// Motion of `car`, whose body is one of `bodies`.
    pub(crate) fn of(car: &AnyRapierVehicle, bodies: &RigidBodySet) -> Self {
        let body = &bodies[car.body()];
        let rotation = body.position().rotation;
        Self {
            position: body.center_of_mass(),
            forward: rotation * Vector::Z,
            up: rotation * Vector::Y,
            velocity: body.linvel(),
            yaw_rate: body.angvel().y,
        }
    }

    /// Forward speed (m/s).
    pub(crate) fn forward_speed(&self) -> Real {
        self.velocity.dot(self.forward)
    }

    /// Angle by which its front is up (rad).
    pub(crate) fn pitch(&self) -> Real {
        asin_clamped(self.forward.y)
    }

    /// Speed along the ground (m/s).
    pub fn speed(&self) -> Real {
        self.velocity.x.hypot(self.velocity.z)
    }

    /// Angle between its axis and the way that it goes (rad).
    pub fn side_slip(&self) -> Real {
        let left = Vector::Y.cross(self.forward);
        self.velocity.dot(left).atan2(self.velocity.dot(self.forward))
    }

    /// Angle by which it leans to the right (rad).
    pub fn roll(&self) -> Real {
        let left = self.up.cross(self.forward);
        left.y.atan2(self.up.y)
    }
}

/// A vehicle on a plane, with the trailer that it pulls.
pub struct ProvingGround {
    /// What the file of the driven vehicle calls it, or how it was chosen.
    pub name: String,
    /// The world, forward +z, left +x, up +y.
    pub world: PhysicsWorld,
    /// The vehicle that is driven, and its trailer.
    pub train: Vec<AnyRapierVehicle>,
    /// Time since it was put there (s).
    pub time: Real,
    /// Posts below the wheels, of a rig.
    pub(crate) posts: Vec<Post>,
    /// Where a rig holds the body of the driven vehicle, if it does.
    pub(crate) held: Option<Pose>,
    /// Where its road ends, if it does within a drive.
    pub(crate) extent: Option<Extent>,
}

/// The post of a wheel.
pub(crate) struct Post {
    /// Its body.
    pub(crate) body: RigidBodyHandle,
    /// Where its plate is at the height 0 (m).
    pub(crate) place: Vector,
    /// 1 for a post that goes up, -1 for one that goes down.
    pub(crate) direction: Real,
}

/// How far a road goes (m).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Extent {
    /// To both sides of the origin.
    pub(crate) aside: Real,
    /// Where it begins and ends, in the direction in which a vehicle starts.
    pub(crate) along: [Real; 2],
}

impl Extent {
    /// Whether this place is on the road.
    pub(crate) fn holds(&self, place: Vector) -> bool {
        let [begin, end] = self.along;
        place.x.abs() <= self.aside && (begin..=end).contains(&place.z)
    }
}

/// How much heavier a body that a rig holds is than it was (dimensionless).
const HELD: Real = 1e4;

/// The file of `vehicle` on wheels that are swept as this `shape`: with all parameters, of which
/// the shape of the wheel is one.
fn swept(vehicle: &AnyVehicle, shape: RoadQueryShape) -> VehicleFile {
    let mut file = vehicle.insert(&mut PhysicsWorld::new(), Pose::IDENTITY).to_file();
    file.road_query = shape;
    if let MechanicsSource::Parameters(mechanics) = &mut file.mechanics {
        mechanics.jounce.contact = ContactShape::Cylinder;
    }
    file
}

/// The vehicle of `name` in this setting.
fn vehicle(name: &str, setting: &Setting) -> Result<AnyVehicle> {
    let vehicle = presets::vehicle(name)?;
    if setting.shape == RoadQueryShape::Ray && setting.substeps.is_none() {
        return Ok(vehicle);
    }
    let mut file = if setting.shape == RoadQueryShape::Ray {
        vehicle.file().clone()
    } else {
        swept(&vehicle, setting.shape)
    };
    file.substeps = setting.substeps.or(file.substeps);
    presets::rebuilt(name, file)
}

/// Puts `own`, the vehicle of this `name`, and the trailer that it pulls on the `ground` of a world
/// (m), both in neutral.
///
/// # Errors
///
/// If there is a fault in the file of the trailer, or one of both has other axes than the world.
pub(crate) fn insert_train(
    name: &str,
    own: &AnyVehicle,
    setting: &Setting,
    world: &mut PhysicsWorld,
    ground: Pose,
) -> Result<Vec<AnyRapierVehicle>> {
    presets::check_axes(own)?;
    let at = |height: Real, ahead: Real| {
        ground * Pose::from_translation(Vector::Y * height + Vector::Z * ahead)
    };
    let mut train = vec![own.insert(world, at(own.standing_height(GRAVITY), 0.0))];
    if let Some(coupling) = presets::trailer(name)? {
        let trailer = vehicle(&coupling.name, setting)?;
        presets::check_axes(&trailer).context(coupling.name.clone())?;
        let hook = train[0].hitch(&coupling.own)?.position;
        let mut pulled = trailer.insert(world, Pose::IDENTITY);
        let eye = pulled.hitch(&coupling.theirs)?.position;
        let pose = at(trailer.standing_height(GRAVITY), hook.z - eye.z);
        let body = world.bodies.get_mut(pulled.body()).context("a trailer has a body")?;
        body.set_position(pose, true);
        train[0].couple(&coupling.own, &pulled, &coupling.theirs, world)?;
        pulled.select(Selector::Neutral);
        train.push(pulled);
    }
    train[0].select(Selector::Neutral);
    Ok(train)
}

/// Lets pedals on the floor do no more in a `train` than its tires bear, by anti-lock brakes and
/// traction control; the aids that its vehicles had before.
///
/// # Errors
///
/// None with aids that the vehicles have.
pub(crate) fn bear_pedals(train: &mut [AnyRapierVehicle]) -> Result<Vec<AidsParams>> {
    let mut before = Vec::with_capacity(train.len());
    for car in train {
        let own = car.vehicle.aids().copied().unwrap_or_default();
        before.push(own);
        let anti_lock = own.anti_lock.or_else(|| Some(AntiLockParams::default()));
        let traction = own.traction.or_else(|| Some(TractionParams::default()));
        car.vehicle.set_aids(AidsParams { anti_lock, traction, ..own })?;
    }
    Ok(before)
}

/// Updates a vehicle and the trailers that follow it, before a step of their `world`.
///
/// # Errors
///
/// If the update of one of them fails.
pub(crate) fn update_train(
    train: &mut [AnyRapierVehicle],
    world: &mut PhysicsWorld,
) -> Result<(), StepError> {
    if let Some((tractor, trailers)) = train.split_first_mut() {
        for trailer in trailers {
            trailer.follow(&tractor.vehicle, &mut world.bodies);
        }
    }
    for car in train {
        car.update(&mut *world)?;
    }
    Ok(())
}

impl ProvingGround {
    /// The preset, or the vehicle of a file, `name` on a plane with this `slope` (rad), which it
    /// looks up; it stands on its brakes, in neutral.
    ///
    /// # Errors
    ///
    /// If there is no such vehicle, or a fault in its file.
    pub fn new(name: &str, setting: &Setting, slope: Real) -> Result<Self> {
        Self::with_plane(name, setting, Rotation::from_rotation_x(-slope))
    }

    /// The vehicle of `name` at rest on a plane through the origin, which is level ground that
    /// `turn` has turned, with its brakes on.
    ///
    /// # Errors
    ///
    /// As of [`new`](Self::new).
    pub fn with_plane(name: &str, setting: &Setting, turn: Rotation) -> Result<Self> {
        let plane = SharedShape::halfspace(turn * Vector::Y);
        let plane = ColliderBuilder::new(plane).friction(setting.friction);
        Self::with_road(name, setting, turn, [plane])
    }

    /// The vehicle of `name` at rest at the origin of a `road`, which looks up where `turn` turns
    /// it, with its brakes on.
    ///
    /// # Errors
    ///
    /// As of [`new`](Self::new).
    pub(crate) fn with_road(
        name: &str,
        setting: &Setting,
        turn: Rotation,
        road: impl IntoIterator<Item = ColliderBuilder>,
    ) -> Result<Self> {
        let mut world = PhysicsWorld::new();
        world.integration_parameters.dt = setting.dt;
        for part in road {
            world.insert_collider(part, None);
        }
        world.detect_collisions(&(), &());

        let own = vehicle(name, setting)?;
        let ground = Pose::from_parts(Vector::ZERO, turn);
        let train = insert_train(name, &own, setting, &mut world, ground)?;
        let name = presets::called(&own, name);
        let (posts, held, extent) = (Vec::new(), None, None);
        let mut ground = Self { name, world, train, time: 0.0, posts, held, extent };
        ground.drive(0.0, 1.0, 0.0);
        Ok(ground)
    }

    /// A vehicle that has settled on a level ground, in gear, without a foot on a pedal.
    ///
    /// # Errors
    ///
    /// As of [`new`](Self::new).
    pub fn ready(name: &str, setting: &Setting) -> Result<Self> {
        Self::ready_on(name, setting, 0.0)
    }

    /// A vehicle that has settled on a plane with this `slope` (rad), which it looks up, in gear,
    /// without a foot on a pedal.
    ///
    /// # Errors
    ///
    /// As of [`new`](Self::new).
    pub fn ready_on(name: &str, setting: &Setting, slope: Real) -> Result<Self> {
        let mut ground = Self::settled(name, setting, slope)?;
        ground.train[0].select(Selector::Drive);
        Ok(ground)
    }

    /// A settled vehicle that rolls at `speed` (m/s) in neutral.
    ///
    /// # Errors
    ///
    /// As of [`new`](Self::new).
    pub fn rolling(name: &str, setting: &Setting, speed: Real) -> Result<Self> {
        let mut ground = Self::settled(name, setting, 0.0)?;
        ground.push_to(Vector::Z * speed)?;
        Ok(ground)
    }

    /// A vehicle that has settled on a plane with this `slope` (rad), in neutral, without a foot on
    /// a pedal.
    fn settled(name: &str, setting: &Setting, slope: Real) -> Result<Self> {
        let mut ground = Self::new(name, setting, slope)?;
        ground.settle()?;
        Ok(ground)
    }

    /// Waits until the vehicle stands still on its springs, and takes the foot off the brake.
    ///
    /// # Errors
    ///
    /// If the update of a vehicle fails.
    pub(crate) fn settle(&mut self) -> Result<()> {
        self.steps_for(1.5)?;
        self.drive(0.0, 0.0, 0.0);
        self.time = 0.0;
        Ok(())
    }

    /// Gives the whole train this `velocity` (m/s).
    ///
    /// # Errors
    ///
    /// If a body is gone.
    pub(crate) fn push_to(&mut self, velocity: Vector) -> Result<()> {
        for car in &self.train {
            let body = self.world.bodies.get_mut(car.body()).context("a vehicle has a body")?;
            body.set_linvel(velocity, true);
        }
        Ok(())
    }

    /// Lets all wheels of the train roll as at this `speed` (m/s).
    pub(crate) fn spin_wheels(&mut self, speed: Real) {
        for car in &mut self.train {
            let mechanics = car.vehicle.mechanics();
            for (wheel, params) in mechanics.params.wheels.iter().enumerate() {
                mechanics.state.wheels.edit(wheel, |it| it.rotation_speed = speed / params.radius);
            }
        }
    }

    /// The vehicle that is driven.
    pub fn front(&self) -> &AnyRapierVehicle {
        &self.train[0]
    }

    /// Sets the pedals, in [0, 1], and the steering wheel, in [-1, 1], positive to the left. A tank
    /// slows the track on the inside.
    pub fn drive(&mut self, throttle: Real, brake: Real, steer: Real) {
        for car in &mut self.train {
            let commands = car.commands_mut();
            commands.throttle = throttle;
            commands.brakes[0] = brake;
        }
        self.train[0].commands_mut().steer = steer;
        if let AnyDrive::Tank(tank) = &mut self.train[0].vehicle.drive {
            let [right, left] = [1.0 + 2.0 * steer, 1.0 - 2.0 * steer];
            tank.controls.thrusts = [right, left].map(|thrust| thrust.clamp(-1.0, 1.0));
        }
    }

    /// A step of the world.
    ///
    /// # Errors
    ///
    /// If the update of a vehicle fails.
    pub fn step(&mut self) -> Result<()> {
        if self.held.is_some() {
            let mechanics = self.train[0].vehicle.mechanics();
            let weight = mechanics.params.rigid_body.mass * GRAVITY;
            mechanics.state.rigid_body.external_force = Vector::Y * weight;
        }
        update_train(&mut self.train, &mut self.world)?;
        self.world.step();
        if let Some(place) = self.held {
            let body = self.train[0].body();
            let body = self.world.bodies.get_mut(body).context("a vehicle has a body")?;
            body.set_position(place, true);
            body.set_vels(RigidBodyVelocity::zero(), true);
        }
        self.time += self.dt();
        Ok(())
    }

    /// Holds the body of the driven vehicle where it is: it becomes so heavy that nothing moves it,
    /// and weightless.
    ///
    /// # Errors
    ///
    /// If the vehicle cannot be that heavy.
    pub(crate) fn hold(&mut self) -> Result<()> {
        let (car, world) = (&mut self.train[0], &mut self.world);
        let mut mass = car.mass();
        mass.rigid_body.mass *= HELD;
        mass.rigid_body.inertia *= HELD;
        car.set_mass(&mut world.bodies, &world.colliders, &mass, SprungMasses::Keep)?;
        self.held = Some(*self.world.bodies[car.body()].position());
        Ok(())
    }

    /// Steps for this time (s).
    ///
    /// # Errors
    ///
    /// If the update of a vehicle fails.
    pub fn steps_for(&mut self, seconds: Real) -> Result<()> {
        for _ in 0..(seconds / self.dt()).round() as usize {
            self.step()?;
        }
        Ok(())
    }

    /// Time step (s).
    pub fn dt(&self) -> Real {
        self.world.integration_parameters.dt
    }

    /// How the vehicle of number `index` in the train moves.
    pub fn motion_of(&self, index: usize) -> Motion {
        Motion::of(&self.train[index], &self.world.bodies)
    }

    /// How the driven vehicle moves.
    pub fn motion(&self) -> Motion {
        self.motion_of(0)
    }
}
