//! What a vehicle has lost with its wheels, for the day when they are on again.

use serde::{Deserialize, Serialize};
use vehicle_core::error::{ParamCheck, Validate};
use vehicle_core::mass_distribution::MassDistribution;
use vehicle_core::math::Vec3;

use crate::loaded_mass::MadeMass;

/// A wheel that has been lost with its mass.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct LostPart {
    /// Number of the wheel.
    pub(crate) wheel: usize,
    /// Mass, moments of inertia about the principal axes of the vehicle, and place in its body (m).
    pub(crate) part: MassDistribution,
}

/// Wheels that a vehicle has [lost](crate::RapierVehicle::lose_wheel), with their mass. Those that
/// are only [detached](crate::RapierVehicle::detach_wheel) are none of them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LostParts(
    #[expect(
        clippy::box_collection,
        reason = "few vehicles have any, and all take the room for them"
    )]
    Option<Box<Vec<LostPart>>>,
);

/// What few vehicles have: the room for it is taken as it comes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seldom(Option<Box<SeldomParts>>);

#[derive(Clone, Debug, Default)]
struct SeldomParts {
    lost: LostParts,
    made_mass: Option<MadeMass>,
    origin: Vec3,
}

impl Seldom {
    /// What the vehicle has lost with its wheels.
    pub(crate) fn lost_parts(&self) -> &LostParts {
        self.0.as_deref().map_or(LostParts::NONE, |parts| &parts.lost)
    }

    pub(crate) fn set_lost_parts(&mut self, lost: LostParts) {
        if lost != *self.lost_parts() {
            self.0.get_or_insert_default().lost = lost;
        }
    }

    /// The mass that the vehicle was made with, if it has another one.
    pub(crate) fn made_mass(&self) -> Option<&MadeMass> {
        self.0.as_deref().and_then(|parts| parts.made_mass.as_ref())
    }

    pub(crate) fn set_made_mass(&mut self, made: Option<MadeMass>) {
        if made.is_some() || self.made_mass().is_some() {
            self.0.get_or_insert_default().made_mass = made;
        }
    }

    /// Sum of the shifts of the vehicle's origin (m).
    pub(crate) fn origin(&self) -> Vec3 {
        self.0.as_deref().map_or(Vec3::ZERO, |parts| parts.origin)
    }

    pub(crate) fn set_origin(&mut self, origin: Vec3) {
        if origin != self.origin() {
            self.0.get_or_insert_default().origin = origin;
        }
    }
}

impl LostParts {
    /// Nothing has been lost.
    pub(crate) const NONE: &Self = &Self(None);

    pub(crate) fn iter(&self) -> impl Iterator<Item = &LostPart> {
        self.0.as_deref().into_iter().flatten()
    }

    /// What was lost with `wheel`.
    pub(crate) fn part(&self, wheel: usize) -> Option<MassDistribution> {
        self.iter().find(|lost| lost.wheel == wheel).map(|lost| lost.part)
    }

    /// The wheels, one bit each.
    pub(crate) fn wheels(&self) -> u64 {
        self.iter().fold(0, |wheels, lost| wheels | 1 << lost.wheel)
    }

    /// These, and `wheel` with its `part`.
    pub(crate) fn with(&self, wheel: usize, part: MassDistribution) -> Self {
        self.iter().copied().chain([LostPart { wheel, part }]).collect()
    }

    /// These, but not `wheel`.
    pub(crate) fn without(&self, wheel: usize) -> Self {
        self.iter().copied().filter(|lost| lost.wheel != wheel).collect()
    }

    /// Those that `other` has not.
    pub(crate) fn but_not<'a>(
        &'a self,
        other: &'a Self,
    ) -> impl Iterator<Item = &'a MassDistribution> {
        let is_new = |lost: &&LostPart| !other.iter().any(|known| known == *lost);
        self.iter().filter(is_new).map(|lost| &lost.part)
    }

    /// Reports wheels that a vehicle of `wheel_count` has not, and masses that are none.
    pub(crate) fn check(&self, wheel_count: usize, check: &mut ParamCheck) {
        check.each("lost_parts", self.iter(), |lost, inner| {
            let requirement = format_args!("a wheel below {wheel_count}");
            inner.require("wheel", lost.wheel < wheel_count, requirement, lost.wheel);
            inner.field("part", |part| lost.part.check(part));
        });
    }
}

impl FromIterator<LostPart> for LostParts {
    /// No wheels take no room.
    fn from_iter<T: IntoIterator<Item = LostPart>>(parts: T) -> Self {
        let parts: Vec<_> = parts.into_iter().collect();
        Self((!parts.is_empty()).then(|| parts.into()))
    }
}
