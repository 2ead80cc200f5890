//! Friction: which tire on which surface grips how well.
//!
//! A surface has a *material*, a number: the user data of its collider, or, for a mesh, a height
//! field or a compound, one number for each of its parts.

use rapier3d::prelude::ColliderHandle;
use serde::{Deserialize, Serialize};
use vehicle_core::error::{Bound, ParamCheck, Validate};
use vehicle_core::math::Real;

/// Surface that a tire stands on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Surface {
    /// Every surface of this material.
    Material(u128),
    /// This collider, whatever its materials.
    Collider(ColliderHandle),
}

/// Friction of one surface.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SurfaceFriction {
    /// The surface.
    pub surface: Surface,
    /// The kind of tire, as in a wheel's parameters; any if `None`.
    pub tire_kind: Option<u32>,
    /// Friction coefficient (dimensionless).
    pub friction: Real,
}

/// Materials of the parts of one collider.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartMaterials {
    /// The collider: a triangle mesh, a height field or a compound.
    pub collider: ColliderHandle,
    /// Material of each part: element i for triangle i of a mesh or shape i of a compound. The cell
    /// in row i and column j of a height field of m rows and n columns has the triangles i + m j
    /// and i + m j + m n. Parts beyond the end have the user data of the collider.
    pub materials: Vec<u128>,
}

/// Friction of known surfaces; the first entry that fits counts. All other surfaces have the
/// friction of their collider.
///
/// It is one of each vehicle: `car.road.friction = FrictionTable::default().with_surface(ICE, 0.1)`
/// counts on colliders with the user data `ICE`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FrictionTable {
    /// The known surfaces.
    pub surfaces: Vec<SurfaceFriction>,
    /// Colliders whose parts are of different materials; the first entry of a collider counts.
    #[serde(default)]
    pub parts: Vec<PartMaterials>,
}

/// Puts `entry` into `list`, in the place of the first one that `is_same`.
pub(crate) fn put<T>(list: &mut Vec<T>, entry: T, is_same: impl Fn(&T) -> bool) {
    match list.iter_mut().find(|known| is_same(known)) {
        Some(known) => *known = entry,
        None => list.push(entry),
    }
}

impl FrictionTable {
    /// With the friction of a material, the same for every tire, in the place of what was known of
    /// it. So does rain fall while a car drives:
    ///
    /// ```
    /// # use vehicle_rapier::FrictionTable;
    /// # const ASPHALT: u128 = 1;
    /// # let mut friction = FrictionTable::default().with_surface(ASPHALT, 1.0);
    /// friction = friction.with_surface(ASPHALT, 0.6); // that of `car.road`
    /// assert_eq!(friction.friction(ASPHALT, 0), Some(0.6));
    /// ```
    pub fn with_surface(self, material: u128, friction: Real) -> Self {
        self.with(Surface::Material(material), None, friction)
    }

    /// With the friction of a material for one kind of tire, in the place of what was known of
    /// both.
    pub fn with_surface_for_tire(self, material: u128, tire_kind: u32, friction: Real) -> Self {
        self.with(Surface::Material(material), Some(tire_kind), friction)
    }

    /// With the friction of a collider, the same for every tire, in the place of what was known of
    /// it.
    pub fn with_collider(self, collider: ColliderHandle, friction: Real) -> Self {
        self.with(Surface::Collider(collider), None, friction)
    }

    /// With the materials of the parts of `collider`, in the place of those before.
    pub fn with_parts(mut self, collider: ColliderHandle, materials: Vec<u128>) -> Self {
        let parts = PartMaterials { collider, materials };
        put(&mut self.parts, parts, |known| known.collider == collider);
        self
    }

    /// With the materials of the cells of the height field `collider`, of so many rows and columns:
    /// `material_of` a row, along Z, and a column, along X.
    ///
    /// ```
    /// use rapier3d::prelude::*;
    /// use vehicle_rapier::FrictionTable;
    ///
    /// const MUD: u128 = 5;
    /// # let mut world = PhysicsWorld::new();
    /// let heights = Array2::new(11, 21, vec![0.0; 11 * 21]);
    /// let field = ColliderBuilder::heightfield(heights, Vector::new(40.0, 1.0, 20.0));
    /// let (_, field) = world.insert(RigidBodyBuilder::fixed(), field.friction(0.9));
    /// let table = FrictionTable::default()
    ///     .with_surface(MUD, 0.4)
    ///     .with_cells(field, [10, 20], |row, _| if row < 3 { MUD } else { 0 });
    /// assert_eq!(table.material(field, 2), Some(MUD));
    /// assert_eq!(table.material(field, 3), Some(0));
    /// ```
    pub fn with_cells(
        self,
        collider: ColliderHandle,
        [rows, columns]: [usize; 2],
        material_of: impl Fn(usize, usize) -> u128,
    ) -> Self {
        let cells = (0..columns).flat_map(|column| (0..rows).map(move |row| (row, column)));
        let mut materials: Vec<_> = cells.map(|(row, column)| material_of(row, column)).collect();
        // Both triangles of each.
        materials.extend_from_within(..);
        self.with_parts(collider, materials)
    }

    fn with(mut self, surface: Surface, tire_kind: Option<u32>, friction: Real) -> Self {
        let is_same = |known: &_| {
            let SurfaceFriction { surface: of, tire_kind: kind, .. } = *known;
            (of, kind) == (surface, tire_kind)
        };
        put(&mut self.surfaces, SurfaceFriction { surface, tire_kind, friction }, is_same);
        self
    }

    /// Friction of a tire of `tire_kind` on `material`, on no collider in particular; `None` if the
    /// surface is not known.
    pub fn friction(&self, material: u128, tire_kind: u32) -> Option<Real> {
        self.first(tire_kind, |surface| surface == Surface::Material(material))
    }

    /// Friction of a tire of `tire_kind` on a place of `collider` that is of `material`; `None` if
    /// neither is known.
    pub fn friction_on(
        &self,
        collider: ColliderHandle,
        material: u128,
        tire_kind: u32,
    ) -> Option<Real> {
        let there = [Surface::Material(material), Surface::Collider(collider)];
        self.first(tire_kind, |surface| there.contains(&surface))
    }

    /// Material of a `part` of `collider`; `None` if it has no own.
    pub fn material(&self, collider: ColliderHandle, part: u32) -> Option<u128> {
        let parts = self.parts.iter().find(|parts| parts.collider == collider)?;
        parts.materials.get(part as usize).copied()
    }

    fn first(&self, tire_kind: u32, fits: impl Fn(Surface) -> bool) -> Option<Real> {
        let is_for = |entry: &&SurfaceFriction| {
            entry.tire_kind.is_none_or(|kind| kind == tire_kind) && fits(entry.surface)
        };
        self.surfaces.iter().find(is_for).map(|entry| entry.friction)
    }
}

impl Validate for FrictionTable {
    fn check(&self, check: &mut ParamCheck) {
        check.each("surfaces", &self.surfaces, |surface, inner| {
            inner.number("friction", surface.friction, Bound::NotNegative);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ICE: u128 = 7;
    const STUDDED: u32 = 3;

    #[test]
    fn first_fitting_surface_counts_and_others_of_its_kind_take_its_place() {
        let table = FrictionTable::default()
            .with_surface_for_tire(ICE, STUDDED, 0.3)
            .with_surface(ICE, 0.9)
            .with_surface(ICE, 0.1)
            .with_surface_for_tire(ICE, STUDDED, 0.4);
        assert_eq!(table.surfaces.len(), 2);
        assert_eq!(table.friction(ICE, STUDDED), Some(0.4));
        assert_eq!(table.friction(ICE, 0), Some(0.1));
        assert_eq!(table.friction(8, 0), None);
    }

    #[test]
    fn parts_have_their_own_material_and_colliders_their_own_friction() {
        let handle = |index| ColliderHandle::from_raw_parts(index, 0);
        let table = FrictionTable::default()
            .with_surface(ICE, 0.1)
            .with_collider(handle(1), 0.2)
            .with_collider(handle(1), 0.7)
            .with_parts(handle(1), vec![ICE, 0])
            .with_parts(handle(1), vec![0, ICE]);
        assert_eq!(table.material(handle(1), 1), Some(ICE));
        assert_eq!(table.material(handle(1), 2), None);
        assert_eq!(table.material(handle(2), 1), None);
        assert_eq!(table.friction_on(handle(1), ICE, 0), Some(0.1));
        assert_eq!(table.friction_on(handle(1), 0, 0), Some(0.7));
        assert_eq!(table.friction_on(handle(2), 0, 0), None);
    }

    #[test]
    fn negative_friction_is_refused() {
        let table = FrictionTable::default().with_surface(ICE, -0.1);
        assert_eq!(
            table.validate().unwrap_err().to_string(),
            "surfaces[0].friction must be finite and not negative, got -0.1"
        );
    }
}
