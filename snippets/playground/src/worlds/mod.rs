//! Worlds to drive in: what stands in them, what moves, and where to start.

mod builder;
mod circuit;
mod hill_climb;
mod mover;
mod off_road;
mod oval;
mod plains;
mod proving_ground;
mod ship;

use rapier3d::prelude::*;
use vehicle_rapier::core::road_geometry::Material;
use vehicle_rapier::core::tire::soil::Soil;
use vehicle_rapier::road_query::SmoothMesh;

use self::builder::Builder;
use self::mover::Mover;
pub use self::off_road::Lane;
pub use crate::laps::Gate;
use crate::{DT, Error};

/// A world to drive in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WorldKind {
    /// Slopes, kerbs, stairs, bumps, split friction, a skid pad, a banked oval, platforms, a
    /// carousel.
    #[default]
    ProvingGround,
    /// A small circuit with kerbs, whose laps are timed.
    Circuit,
    /// A road of triangles up a valley, with bends.
    HillClimb,
    /// A field of sandy loam, in which wheels sink.
    SoftGround,
    /// A course off the road: kerbs, rocks, a log, ruts, a washboard, a rough field.
    OffRoad,
    /// The deck of a ship that rocks, with cargo.
    Ship,
    /// A plain with a thousand cars.
    Crowd,
}

impl WorldKind {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::ProvingGround,
        Self::Circuit,
        Self::HillClimb,
        Self::SoftGround,
        Self::OffRoad,
        Self::Ship,
        Self::Crowd,
    ];

    /// Its name, as it is chosen by.
    pub fn name(self) -> &'static str {
        match self {
            Self::ProvingGround => "proving_ground",
            Self::Circuit => "circuit",
            Self::HillClimb => "hill_climb",
            Self::SoftGround => "soft_ground",
            Self::OffRoad => "off_road",
            Self::Ship => "ship",
            Self::Crowd => "crowd",
        }
    }

    /// The world of this name.
    ///
    /// # Errors
    ///
    /// If there is none.
    pub fn from_name(name: &str) -> Result<Self, Error> {
        Self::ALL.into_iter().find(|kind| kind.name() == name).ok_or_else(|| Error::UnknownWorld {
            name: name.to_owned(),
            known: Self::ALL.iter().map(|kind| kind.name().to_owned()).collect(),
        })
    }
}

/// What a part of a world is made of: how it looks, and how it grips.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Surface {
    /// Dry asphalt.
    Asphalt,
    /// Dry concrete.
    Concrete,
    /// Wet asphalt.
    Wet,
    /// Ice.
    Ice,
    /// Sand and loam.
    Sand,
    /// Short grass.
    Grass,
    /// The stones of a kerb.
    Kerb,
    /// Painted steel.
    Steel,
    /// Wood: boxes, a deck.
    Wood,
    /// Rubber: cones.
    Cone,
    /// White paint on a road.
    White,
    /// Red paint on a kerb.
    Red,
}

impl Surface {
    /// All of them.
    pub const ALL: [Self; 12] = [
        Self::Asphalt,
        Self::Concrete,
        Self::Wet,
        Self::Ice,
        Self::Sand,
        Self::Grass,
        Self::Kerb,
        Self::Steel,
        Self::Wood,
        Self::Cone,
        Self::White,
        Self::Red,
    ];

    /// The surface of a collider, by its material.
    pub fn of_material(material: Material) -> Option<Self> {
        let material = u128::from(material);
        Self::ALL.into_iter().find(|surface| *surface as u128 + 1 == material)
    }

    /// A collider of this surface.
    fn of(self, collider: ColliderBuilder) -> ColliderBuilder {
        collider.friction(self.friction()).user_data(self as u128 + 1)
    }

    /// Friction coefficient of a tire (dimensionless): round figures of the handbooks.
    pub fn friction(self) -> Real {
        match self {
            Self::Asphalt | Self::Concrete => 1.0,
            Self::Kerb | Self::White | Self::Red => 0.9,
            Self::Steel | Self::Wood => 0.7,
            Self::Wet => 0.5,
            Self::Grass => 0.45,
            Self::Sand => 0.6,
            Self::Ice => 0.1,
            Self::Cone => 0.8,
        }
    }
}

/// The shape of a part.
#[derive(Clone, Debug, PartialEq)]
pub enum PartShape {
    /// A box of these half extents (m).
    Cuboid(Vector),
    /// A cylinder along y.
    Cylinder {
        /// Half of its height (m).
        half_height: Real,
        /// Radius of the cylinder (m).
        radius: Real,
    },
    /// Triangles.
    Mesh {
        /// Corners (m).
        corners: Vec<Vector>,
        /// Corners of each triangle.
        triangles: Vec<[u32; 3]>,
    },
}

/// A part of a world, to be drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// Shape of the part.
    pub shape: PartShape,
    /// What it is made of.
    pub surface: Surface,
    /// Pose (m) in the world, or in its body.
    pub pose: Pose,
    /// The body with which it moves; parts without one stay.
    pub body: Option<RigidBodyHandle>,
}

/// A place to start from.
#[derive(Clone, Debug, PartialEq)]
pub struct Start {
    /// What is there.
    pub name: String,
    /// A point on the ground, and the heading (m).
    pub pose: Pose,
    /// The body on which it is, if that moves; the pose is in that body then.
    pub body: Option<RigidBodyHandle>,
}

/// A world to drive in.
pub struct World {
    /// Which one it is.
    pub kind: WorldKind,
    /// Physics of the world.
    pub physics: PhysicsWorld,
    /// What is seen of it.
    pub parts: Vec<Part>,
    /// Where to start; at least one place.
    pub starts: Vec<Start>,
    /// The gates of a lap in their order, from the line on; empty if there are no laps.
    pub gates: Vec<Gate>,
    pub(crate) smooth_meshes: Vec<SmoothMesh>,
    pub(crate) soil: Option<Soil>,
    movers: Vec<Mover>,
    steps: u32,
}

impl World {
    /// The world of this kind, at rest at time 0.
    ///
    /// # Errors
    ///
    /// None with the data as they are.
    pub fn new(kind: WorldKind) -> Result<Self, Error> {
        Self::after(kind, 0, DT)
    }

    /// A world of this `kind` in steps of `dt` (s).
    ///
    /// # Errors
    ///
    /// None with the data as they are.
    pub fn with_time_step(kind: WorldKind, dt: Real) -> Result<Self, Error> {
        Self::after(kind, 0, dt)
    }

    /// The world of this kind as it is after as many steps of `dt` (s), but for what is loose in
    /// it.
    pub(crate) fn after(kind: WorldKind, steps: u32, dt: Real) -> Result<Self, Error> {
        let mut builder = Builder::new(kind);
        match kind {
            WorldKind::ProvingGround => proving_ground::build(&mut builder)?,
            WorldKind::Circuit => circuit::build(&mut builder)?,
            WorldKind::HillClimb => hill_climb::build(&mut builder)?,
            WorldKind::SoftGround => plains::build_soft(&mut builder),
            WorldKind::OffRoad => off_road::build(&mut builder)?,
            WorldKind::Ship => ship::build(&mut builder),
            WorldKind::Crowd => plains::build_crowd(&mut builder),
        }
        let mut world = builder.finish();
        world.physics.integration_parameters.dt = dt;
        world.steps = steps;
        let time = world.time();
        for mover in &world.movers {
            world.physics.bodies[mover.body].set_position(mover.pose_at(time), true);
        }
        // Vehicles find their road in what the world's last step has seen. `detect_collisions`
        // would not do: what it is the first to see of moving bodies does not move.
        world.physics.step();
        Ok(world)
    }

    /// Number of steps since it began.
    pub(crate) fn steps(&self) -> u32 {
        self.steps
    }

    /// Time since it began (s).
    pub fn time(&self) -> Real {
        self.steps as Real * self.physics.integration_parameters.dt
    }

    /// The pose on the ground of the start of this number now (m).
    ///
    /// # Errors
    ///
    /// If there is none.
    pub fn start(&self, number: usize) -> Result<Pose, Error> {
        let count = self.starts.len();
        let start = self.starts.get(number).ok_or(Error::UnknownStart { start: number, count })?;
        let body = start.body.and_then(|body| self.physics.bodies.get(body));
        Ok(body.map_or(start.pose, |body| *body.position() * start.pose))
    }

    /// Lets moving parts go where they are at the end of the coming step of the
    /// [physics](Self::physics).
    pub fn move_parts(&mut self) {
        self.steps += 1;
        let time = self.time();
        for mover in &self.movers {
            if let Some(body) = self.physics.bodies.get_mut(mover.body) {
                body.set_next_kinematic_position(mover.pose_at(time));
            }
        }
    }

    /// Bodies that move, in the order of their first parts: platforms and what is loose.
    pub fn moving_bodies(&self) -> Vec<RigidBodyHandle> {
        let mut bodies = Vec::new();
        for body in self.parts.iter().filter_map(|part| part.body) {
            if !bodies.contains(&body) {
                bodies.push(body);
            }
        }
        bodies
    }
}
