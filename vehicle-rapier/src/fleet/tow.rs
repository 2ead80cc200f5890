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
    /// Says that `tractor` pulls `trailer`, by a joint of the world's: the tires of the trailer let
    /// go of the road when wheels of the tractor are driven. It holds until [`untow`](Self::untow),
    /// or until one of them is removed.
    ///
    /// A trailer has no drive that would do so; further trailers need to be told of as well, with
    /// the same tractor. Whether wheels are driven is that of the tractor's last step.
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

    /// Says that `tractor` pulls `trailer` no more, as its joint is taken out: the trailer holds
    /// the road by its own brakes again. Returns whether it was said to pull it.
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
