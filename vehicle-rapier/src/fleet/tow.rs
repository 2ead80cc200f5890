//! Chains of vehicles: who pulls whom.

use rapier3d::prelude::*;

use super::group::AnyGroup;
use super::{Fleet, UnknownVehicle, VehicleId};

/// A vehicle that pulls another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tow {
    tractor: VehicleId,
    trailer: VehicleId,
}

impl Tow {
    pub(super) fn has(&self, vehicle: VehicleId) -> bool {
        self.tractor == vehicle || self.trailer == vehicle
    }
}

impl Fleet {
    /// Lets the tires of `trailer` go when `tractor` drives off, as
    /// [`RapierVehicle::follow`](crate::RapierVehicle::follow) does. It holds until
    /// [`untow`](Self::untow), or until one of them is removed.
    ///
    /// Call it once for each trailer of a train, with the same tractor. The joint between them is
    /// yours to make.
    ///
    /// # Errors
    ///
    /// If one of them is not in the fleet.
    pub fn tow(
        &mut self,
        tractor: impl Into<VehicleId>,
        trailer: impl Into<VehicleId>,
    ) -> Result<(), UnknownVehicle> {
        let tow = Tow { tractor: tractor.into(), trailer: trailer.into() };
        for vehicle in [tow.tractor, tow.trailer] {
            if !self.contains(vehicle) {
                return Err(UnknownVehicle(vehicle));
            }
        }
        if !self.tows.contains(&tow) {
            self.tows.push(tow);
        }
        Ok(())
    }

    /// Ends a [`tow`](Self::tow), as the joint is taken out: the trailer holds the road by its own
    /// brakes again. Returns whether `tractor` pulled `trailer`.
    pub fn untow(&mut self, tractor: impl Into<VehicleId>, trailer: impl Into<VehicleId>) -> bool {
        let tow = Tow { tractor: tractor.into(), trailer: trailer.into() };
        let before = self.tows.len();
        self.tows.retain(|other| *other != tow);
        self.tows.len() < before
    }
}

/// Lets go of the road with the tires of those that are pulled, and wakes their bodies.
pub(super) fn release_towed(
    tows: &[Tow],
    groups: &mut [Box<dyn AnyGroup>],
    bodies: &mut RigidBodySet,
) {
    for Tow { tractor, trailer } in tows {
        if groups[tractor.group as usize].is_pulling(*tractor) {
            groups[trailer.group as usize].let_go(*trailer, bodies);
        }
    }
}
