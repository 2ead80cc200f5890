//! Parameters of wheels in lanes: what stages compute with.

use crate::WheelList;
use crate::math::lanes::MAX_LANES;
use crate::mount::{RoadWheel, SuspensionParams};
use crate::suspension::unsprung::{SuspensionDynamics, UnsprungLanes};
use crate::suspension::{
    StrutLanes, SuspensionCompliance, SuspensionComplianceParams, SuspensionForceParams,
    suspension_compliance,
};
use crate::tire::TireModel;
use crate::vehicle::MechanicalParams;

/// The [`MechanicalParams`] of a vehicle as its stages read them: four wheels side by side.
///
/// They are made once from parameters that have been checked, and shared by the vehicles of a
/// model.
#[derive(Clone, Debug)]
pub struct MechanicalLanes<Tire: TireModel> {
    pub(super) road_wheels: WheelList<RoadWheel>,
    pub(super) suspensions: WheelList<SuspensionParams>,
    pub(super) springs: WheelList<SuspensionForceParams>,
    /// Four tires each, if the model is written for lanes.
    pub(super) tires: Option<Box<[Tire::Lanes]>>,
    /// Compliances, if none of them depends on the jounce, as those of beam axles do.
    pub(super) constant_compliances: Option<WheelList<SuspensionCompliance>>,
    /// Springs, dampers and bump stops that are not linear, of wheels without mass.
    pub(super) struts: Option<Box<[StrutLanes]>>,
    /// Wheels with mass.
    pub(super) unsprung: Option<UnsprungLanes>,
}

impl<Tire: TireModel> MechanicalLanes<Tire> {
    /// The wheels of `params` in lanes.
    ///
    /// # Panics
    ///
    /// If `params` is not [valid](crate::Validate).
    pub fn new(params: &MechanicalParams<Tire>) -> Self {
        let fours = params.tires.chunks(MAX_LANES);
        let in_lanes = |four: &[Tire]| {
            let last = four.len() - 1;
            let lane = |lane: usize| &four[lane.min(last)];
            Tire::in_lanes([lane(0), lane(1), lane(2), lane(3)])
        };
        Self {
            road_wheels: params.wheels.iter().map(RoadWheel::from).collect(),
            suspensions: WheelList::from_slice(&params.suspensions),
            springs: WheelList::from_slice(&params.suspension_forces),
            tires: fours.map(in_lanes).collect(),
            struts: match &params.suspension_dynamics {
                SuspensionDynamics::Struts(struts) => {
                    Some(StrutLanes::of_wheels(struts, &params.suspension_forces))
                }
                _ => None,
            },
            unsprung: UnsprungLanes::new(
                &params.suspension_dynamics,
                &params.wheels,
                &params.suspension_forces,
                &params.suspensions,
                (&params.anti_roll_bars, &params.beam_axles),
            ),
            constant_compliances: if params.beam_axles.is_empty() {
                constant_compliances(&params.compliances)
            } else {
                None
            },
        }
    }

    /// Each wheel with its tire.
    pub fn road_wheels(&self) -> &WheelList<RoadWheel> {
        &self.road_wheels
    }
}

/// Compliances of the suspensions of `params`; `None` if any depends on jounce.
fn constant_compliances(
    params: &[SuspensionComplianceParams],
) -> Option<WheelList<SuspensionCompliance>> {
    let of = |params: &SuspensionComplianceParams| {
        params.is_constant().then(|| suspension_compliance(params, 0.0, 1.0))
    };
    params.iter().map(of).collect()
}
