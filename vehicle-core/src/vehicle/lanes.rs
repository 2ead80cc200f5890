//! Parameters of wheels in lanes: what stages compute with.

use crate::WheelList;
use crate::math::lanes::MAX_LANES;
use crate::mount::SuspensionParams;
use crate::mount::{TireInflation, WheelShape};
use crate::suspension::unsprung::UnsprungLanes;
use crate::suspension::{SuspensionComplianceParams, SuspensionForceParams};
use crate::tire::TireModel;
use crate::vehicle::MechanicalParams;
use crate::wheel_rotation::TurningWheel;

/// The [`MechanicalParams`] of a vehicle as its stages read them: four wheels side by side.
///
/// They are made once from parameters that have been checked, and shared by the vehicles of a model.
#[derive(Clone, Debug)]
pub struct MechanicalLanes<Tire: TireModel> {
    pub(super) shapes: WheelList<WheelShape>,
    pub(super) turning_wheels: WheelList<TurningWheel>,
    pub(super) inflations: WheelList<TireInflation>,
    pub(super) suspensions: WheelList<SuspensionParams>,
    pub(super) springs: WheelList<SuspensionForceParams>,
    /// Four tires each, if the model is written for lanes.
    pub(super) tires: Option<Box<[Tire::Lanes]>>,
    pub(super) has_constant_compliance: bool,
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
            shapes: params.wheels.iter().map(WheelShape::from).collect(),
            turning_wheels: params.wheels.iter().map(TurningWheel::from).collect(),
            inflations: params.wheels.iter().map(TireInflation::from).collect(),
            suspensions: WheelList::from_slice(&params.suspensions),
            springs: WheelList::from_slice(&params.suspension_forces),
            tires: fours.map(in_lanes).collect(),
            unsprung: UnsprungLanes::new(
                &params.suspension_dynamics,
                &params.suspension_forces,
                &params.suspensions,
                &params.anti_roll_bars,
            ),
            has_constant_compliance: params
                .compliances
                .iter()
                .all(SuspensionComplianceParams::is_constant),
        }
    }

    /// Radius and inertia of each wheel.
    pub fn turning_wheels(&self) -> &WheelList<TurningWheel> {
        &self.turning_wheels
    }
}
