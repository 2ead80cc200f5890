//! All that a suspension does in a substep.

use serde::{Deserialize, Serialize};

use super::compliance::SuspensionCompliance;
use super::contact_point::ContactPoint;
use super::force::SuspensionForce;
use super::jounce::{Compression, CompressionLanes};
use super::stance::WheelStance;
use crate::WheelList;
use crate::math::finite::Finite;
use crate::math::lanes::{InLanes, Lanes, Real4, Vec3x4, each_lane};
use crate::road::{FourHubs, HubPlaces};

/// What a suspension does, from its compression to its force.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SuspensionState {
    /// How far it is compressed.
    pub compression: Compression,
    /// Toe, camber and force points.
    pub compliance: SuspensionCompliance,
    /// Where the wheel meets the road.
    pub contact: ContactPoint,
    /// How the wheel stands.
    pub stance: WheelStance,
    /// Force on the body.
    pub force: SuspensionForce,
}

impl SuspensionState {
    /// Whether the wheel touches the road.
    #[inline]
    pub fn is_on_ground(&self) -> bool {
        self.compression.is_on_ground()
    }
}

/// Four suspensions side by side.
#[derive(Clone, Copy, Debug, Default)]
pub struct SuspensionLanes {
    /// How far they are compressed.
    pub compression: CompressionLanes<Real4>,
    /// Toe, camber and force points.
    pub compliance: SuspensionCompliance<Vec3x4>,
    /// Where the wheels meet the road.
    pub contact: ContactPoint<Vec3x4>,
    /// How the wheels stand.
    pub stance: WheelStance<Vec3x4>,
    /// Forces on the body.
    pub force: SuspensionForce<Vec3x4>,
}

impl Lanes for SuspensionLanes {
    type Single = SuspensionState;

    #[inline]
    fn from_lanes(state: impl FnMut(usize) -> SuspensionState) -> Self {
        let states = each_lane(state);
        Self {
            compression: Lanes::from_lanes(|lane| states[lane].compression),
            compliance: Lanes::from_lanes(|lane| states[lane].compliance),
            contact: Lanes::from_lanes(|lane| states[lane].contact),
            stance: Lanes::from_lanes(|lane| states[lane].stance),
            force: Lanes::from_lanes(|lane| states[lane].force),
        }
    }

    #[inline]
    fn lane(&self, lane: usize) -> SuspensionState {
        SuspensionState {
            compression: self.compression.lane(lane),
            compliance: self.compliance.lane(lane),
            contact: self.contact.lane(lane),
            stance: self.stance.lane(lane),
            force: self.force.lane(lane),
        }
    }

    #[inline]
    fn set_lane(&mut self, lane: usize, state: SuspensionState) {
        self.compression.set_lane(lane, state.compression);
        self.compliance.set_lane(lane, state.compliance);
        self.contact.set_lane(lane, state.contact);
        self.stance.set_lane(lane, state.stance);
        self.force.set_lane(lane, state.force);
    }
}

impl InLanes for SuspensionState {
    type Lanes = SuspensionLanes;
}

impl Finite for SuspensionLanes {
    #[inline]
    fn total(&self) -> Real4 {
        self.compression.total()
            + self.compliance.total()
            + self.contact.total()
            + self.stance.total()
            + self.force.total()
    }
}

impl HubPlaces for WheelList<SuspensionState> {
    #[inline]
    fn hubs(&self, four: usize) -> FourHubs {
        let CompressionLanes { jounce, jounce_speed, is_known, .. } = self.four(four).compression;
        let had_road = self.four(four).compression.has_separation();
        FourHubs { jounce, jounce_speed, is_known, had_road }
    }
}
