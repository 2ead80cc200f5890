//! Chains of vehicles: who pulls whom.

use rapier3d::prelude::*;

use super::group::AnyGroup;
use super::{Fleet, UnknownVehicle, VehicleId};

/// Why a vehicle cannot pull another; nothing has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TowError {
    /// One of them is not in the fleet.
    #[error(transparent)]
    Unknown(#[from] UnknownVehicle),
    /// A vehicle cannot pull itself. Handles of two fleets may be the same, too.
    #[error("tractor and trailer must be two vehicles, got {0} for both")]
    Itself(VehicleId),
    /// The trailer pulls the tractor already.
    #[error("the trailer must not pull its tractor: {trailer} pulls {tractor} already")]
    Reversed {
        /// The vehicle that is to pull, and is pulled.
        tractor: VehicleId,
        /// The vehicle that is to be pulled, and pulls.
        trailer: VehicleId,
    },
}

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
    /// If one of them is not in the fleet, or both are the same. If `trailer` pulls `tractor`
    /// already, by itself or by vehicles between them. Nothing has changed then.
    pub fn tow(
        &mut self,
        tractor: impl Into<VehicleId>,
        trailer: impl Into<VehicleId>,
    ) -> Result<(), TowError> {
        let tow = Tow { tractor: tractor.into(), trailer: trailer.into() };
        let Tow { tractor, trailer } = tow;
        for vehicle in [tractor, trailer] {
            if !self.contains(vehicle) {
                return Err(UnknownVehicle(vehicle).into());
            }
        }
        if tractor == trailer {
            return Err(TowError::Itself(tractor));
        }
        if self.pulls(trailer, tractor) {
            return Err(TowError::Reversed { tractor, trailer });
        }
        if !self.tows.contains(&tow) {
            self.tows.push(tow);
        }
        Ok(())
    }

    /// Whether `tractor` pulls `trailer`, by itself or by vehicles between them.
    fn pulls(&self, tractor: VehicleId, trailer: VehicleId) -> bool {
        let mut pulled = vec![tractor];
        let mut next = 0;
        while let Some(&vehicle) = pulled.get(next) {
            next += 1;
            let of_vehicle = self.tows.iter().filter(|tow| tow.tractor == vehicle);
            for behind in of_vehicle.map(|tow| tow.trailer) {
                if !pulled.contains(&behind) {
                    pulled.push(behind);
                }
            }
        }
        pulled.contains(&trailer)
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
