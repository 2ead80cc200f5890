//! Parts put together: colliders for physics, and what is drawn of them.

use rapier3d::prelude::*;
use vehicle_rapier::core::math::sin_cos;
use vehicle_rapier::core::tire::soil::Soil;
use vehicle_rapier::road_query::SmoothMesh;

use super::mover::{Motion, Mover};
use super::{Part, PartShape, Start, Surface, World, WorldKind};
use crate::Error;
use crate::laps::Gate;

/// Half of the thickness of what is painted on a road (m).
const PAINT: Real = 0.004;

/// A shape that needs no mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Solid {
    /// A box of these half extents (m).
    Cuboid(Vector),
    /// A cylinder along y.
    Cylinder { half_height: Real, radius: Real },
}

impl Solid {
    fn collider(self, surface: Surface) -> ColliderBuilder {
        let builder = match self {
            Self::Cuboid(half) => ColliderBuilder::cuboid(half.x, half.y, half.z),
            Self::Cylinder { half_height, radius } => {
                ColliderBuilder::cylinder(half_height, radius)
            }
        };
        surface.of(builder)
    }

    fn part(self, surface: Surface, pose: Pose, body: Option<RigidBodyHandle>) -> Part {
        let shape = match self {
            Self::Cuboid(half) => PartShape::Cuboid(half),
            Self::Cylinder { half_height, radius } => PartShape::Cylinder { half_height, radius },
        };
        Part { shape, surface, pose, body }
    }
}

pub(super) struct Builder {
    world: World,
}

impl Builder {
    pub(super) fn new(kind: WorldKind) -> Self {
        let world = World {
            kind,
            physics: PhysicsWorld::new(),
            parts: Vec::new(),
            starts: Vec::new(),
            gates: Vec::new(),
            smooth_meshes: Vec::new(),
            soil: None,
            movers: Vec::new(),
            steps: 0,
        };
        Self { world }
    }

    pub(super) fn finish(self) -> World {
        self.world
    }

    pub(super) fn soil(&mut self, soil: Soil) {
        self.world.soil = Some(soil);
    }

    /// A part that stays.
    pub(super) fn fixed(&mut self, shape: Solid, surface: Surface, pose: Pose) {
        let collider = shape.collider(surface).position(pose);
        self.world.physics.insert_collider(collider, None);
        self.world.parts.push(shape.part(surface, pose, None));
    }

    /// A part that stays and is not drawn, because a [mesh](Self::drawn_mesh) is.
    pub(super) fn undrawn(&mut self, shape: Solid, surface: Surface, pose: Pose) {
        let collider = shape.collider(surface).position(pose);
        self.world.physics.insert_collider(collider, None);
    }

    /// Triangles that are drawn and touch nothing.
    pub(super) fn drawn_mesh(
        &mut self,
        corners: Vec<Vector>,
        triangles: Vec<[u32; 3]>,
        surface: Surface,
    ) {
        let shape = PartShape::Mesh { corners, triangles };
        self.world.parts.push(Part { shape, surface, pose: Pose::IDENTITY, body: None });
    }

    /// A box that stays: half extents and center (m).
    pub(super) fn block(&mut self, half: [Real; 3], center: [Real; 3], surface: Surface) {
        let pose = Pose::from_translation(center.into());
        self.fixed(Solid::Cuboid(half.into()), surface, pose);
    }

    /// A rectangle of another surface on flat ground: half extents along x and z, and center (m).
    pub(super) fn painted(&mut self, half: [Real; 2], center: [Real; 2], surface: Surface) {
        self.block([half[0], PAINT, half[1]], [center[0], 0.0, center[1]], surface);
    }

    /// A disc of another surface on flat ground: radius and center (m).
    pub(super) fn painted_disc(&mut self, radius: Real, center: [Real; 2], surface: Surface) {
        let pose = Pose::from_translation(Vector::new(center[0], 0.0, center[1]));
        self.fixed(Solid::Cylinder { half_height: PAINT, radius }, surface, pose);
    }

    /// A slab with its upper side from `foot` (m) on along +z, as steep as `angle` (rad).
    pub(super) fn ramp(
        &mut self,
        foot: Vector,
        half_width: Real,
        length: Real,
        angle: Real,
        surface: Surface,
    ) {
        let thickness = 0.5;
        let turn = Rotation::from_rotation_x(-angle);
        let (sine, cosine) = sin_cos(angle);
        let middle = foot + Vector::new(0.0, sine, cosine) * (0.5 * length);
        let center = middle - turn * Vector::Y * thickness;
        let half = Vector::new(half_width, thickness, 0.5 * length);
        self.fixed(Solid::Cuboid(half), surface, Pose::from_parts(center, turn));
    }

    /// A sheet of triangles that stays.
    pub(super) fn mesh(
        &mut self,
        corners: Vec<Vector>,
        triangles: Vec<[u32; 3]>,
        surface: Surface,
    ) -> Result<ColliderHandle, Error> {
        let collider = ColliderBuilder::trimesh(corners.clone(), triangles.clone())
            .map_err(|error| Error::Mesh(error.to_string()))?;
        let handle = self.world.physics.insert_collider(surface.of(collider), None);
        self.drawn_mesh(corners, triangles, surface);
        Ok(handle)
    }

    /// A smooth road of triangles that stays.
    pub(super) fn smooth_mesh(
        &mut self,
        corners: Vec<Vector>,
        triangles: Vec<[u32; 3]>,
        surface: Surface,
    ) -> Result<(), Error> {
        let mesh = self.mesh(corners, triangles, surface)?;
        let colliders = &self.world.physics.colliders;
        self.world.smooth_meshes.push(SmoothMesh::new(mesh, colliders)?);
        Ok(())
    }

    /// A body that moves by itself.
    pub(super) fn mover(&mut self, place: Pose, motion: Motion) -> RigidBodyHandle {
        let mut mover = Mover { body: RigidBodyHandle::invalid(), place, motion };
        let body = RigidBodyBuilder::kinematic_position_based().pose(mover.pose_at(0.0));
        mover.body = self.world.physics.insert_body(body);
        self.world.movers.push(mover);
        mover.body
    }

    /// A part of a body, at `pose` in it (m).
    pub(super) fn part_of(
        &mut self,
        body: RigidBodyHandle,
        shape: Solid,
        surface: Surface,
        pose: Pose,
    ) {
        let collider = shape.collider(surface).position(pose);
        self.world.physics.insert_collider(collider, Some(body));
        self.world.parts.push(shape.part(surface, pose, Some(body)));
    }

    /// A loose part of this mass (kg), at `pose` (m).
    pub(super) fn loose(&mut self, shape: Solid, surface: Surface, mass: Real, pose: Pose) {
        let body = RigidBodyBuilder::dynamic().pose(pose);
        let collider = shape.collider(surface).mass(mass);
        let (body, _) = self.world.physics.insert(body, collider);
        self.world.parts.push(shape.part(surface, Pose::IDENTITY, Some(body)));
    }

    /// The gates of a lap, in their order; the first one is the line.
    pub(super) fn gates(&mut self, gates: Vec<Gate>) {
        self.world.gates = gates;
    }

    /// A place to start from, at `place` on the ground (m), heading `heading` (rad) to the left of
    /// +z.
    pub(super) fn start(&mut self, name: &str, place: [Real; 3], heading: Real) {
        let pose = Pose::from_parts(place.into(), Rotation::from_rotation_y(heading));
        self.start_at(name, pose, None);
    }

    /// A place to start from, in `body` if that moves.
    pub(super) fn start_at(&mut self, name: &str, pose: Pose, body: Option<RigidBodyHandle>) {
        self.world.starts.push(Start { name: name.to_owned(), pose, body });
    }
}
