//! Rough grounds for a Rapier world, after ISO 8608: height fields and meshes of a
//! [`RoughSurface`].
//!
//! ```
//! use rapier3d::prelude::*;
//! use vehicle_rapier::core::road_geometry::{RoughSurface, RoughnessClass};
//! use vehicle_rapier::{AnyVehicle, RoughGround};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let surface = RoughSurface::new(&RoughnessClass::C.road(7));
//! let ground = RoughGround { surface, size: [40.0, 120.0], spacing: 0.25 };
//! let mut world = PhysicsWorld::new();
//! world.insert_collider(ground.height_field()?.friction(1.0), None);
//! world.detect_collisions(&(), &());
//!
//! let model = AnyVehicle::preset("hot_hatch")?;
//! let place = Vector::Y * (model.standing_height(9.81) + 0.1);
//! let mut car = model.insert(&mut world, Pose::from_translation(place));
//! car.commands_mut().throttle = 0.5;
//! for _ in 0..120 {
//!     car.step(&mut world)?;
//! }
//! assert!(2.0 < car.forward_speed());
//! # Ok(())
//! # }
//! ```

use rapier3d::prelude::*;
use vehicle_core::ParamErrors;
use vehicle_core::error::{Bound, ParamCheck, ParamError, Validate};
use vehicle_core::road_geometry::RoughSurface;

/// Most cells of a ground: a height field of so many takes 80 MB.
const MAX_CELLS: Real = 16e6;

/// A rectangle of a rough surface, about the origin of its collider, which is Y-up.
#[derive(Clone, Debug, PartialEq)]
pub struct RoughGround {
    /// Heights of the ground: the first axis is Z, the second X, as those of a vehicle that drives
    /// along Z.
    pub surface: RoughSurface,
    /// Extents of the ground along X and Z (m).
    pub size: [Real; 2],
    /// Distance of its points (m), so far as it divides the size: a wheel feels waves down to
    /// twice of that, and down to its contact patch.
    pub spacing: Real,
}

impl Validate for RoughGround {
    fn check(&self, check: &mut ParamCheck) {
        let [x, z] = self.size;
        check.number("size[0]", x, Bound::Positive);
        check.number("size[1]", z, Bound::Positive);
        check.number("spacing", self.spacing, Bound::Positive);
        let [across, along] = [x, z].map(|side| (side / self.spacing).round().max(1.0));
        let cells = across * along;
        let requirement = format_args!("such that there are at most {MAX_CELLS} cells");
        check.require("spacing", cells <= MAX_CELLS, requirement, self.spacing);
    }
}

impl RoughGround {
    /// The ground as a height field.
    ///
    /// # Errors
    ///
    /// All faults of size and spacing.
    pub fn height_field(&self) -> Result<ColliderBuilder, ParamErrors> {
        self.validate()?;
        let [columns, rows] = self.cells();
        let column = |column| (0..=rows).map(move |row| self.point([column, row]).y);
        let heights = (0..=columns).flat_map(column).collect();
        let [x, z] = self.size;
        let heights = Array2::new(rows + 1, columns + 1, heights);
        Ok(ColliderBuilder::heightfield(heights, Vector::new(x, 1.0, z)))
    }

    /// The ground as a mesh, two triangles per cell.
    ///
    /// # Errors
    ///
    /// All faults of size and spacing.
    pub fn mesh(&self) -> Result<ColliderBuilder, ParamErrors> {
        self.validate()?;
        let [columns, rows] = self.cells();
        let row = |row| (0..=columns).map(move |column| self.point([column, row]));
        let vertices = (0..=rows).flat_map(row).collect();
        let square = |row: usize, column: usize| {
            let first = (row * (columns + 1) + column) as u32;
            let next = first + columns as u32 + 1;
            [[first, next, first + 1], [first + 1, next, next + 1]]
        };
        let squares = |row| (0..columns).flat_map(move |column| square(row, column));
        let triangles = (0..rows).flat_map(squares).collect();
        ColliderBuilder::trimesh(vertices, triangles)
            .map_err(|error| ParamError::new("size", "that of a mesh", error).into())
    }

    /// Numbers of cells along both axes.
    fn cells(&self) -> [usize; 2] {
        self.size.map(|size| ((size / self.spacing).round() as usize).max(1))
    }

    /// A corner of cells (m).
    fn point(&self, index: [usize; 2]) -> Vector {
        let cells = self.cells();
        let [x, z] =
            [0, 1].map(|axis| self.size[axis] * (index[axis] as Real / cells[axis] as Real - 0.5));
        Vector::new(x, self.surface.height([z, x]), z)
    }
}
