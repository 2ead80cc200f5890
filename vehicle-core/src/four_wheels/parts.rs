//! What does not change within the substeps of a frame.

use std::marker::PhantomData;

use super::substep::LocalGeometry;
use crate::actuation::{has_acceleration_intent, is_any_wheel_braked};
use crate::axle::WheelLanes;
use crate::math::Real;
use crate::math::lanes::{MAX_LANES, Mask, Number, Posex4, Real4, Vec3x4};
use crate::road_geometry::RoadLanes;
use crate::suspension::{
    SuspensionCompliance, SuspensionComplianceParams, SuspensionForceParams, SuspensionParams,
    compressed_local_pose, suspension_compliance,
};
use crate::tire::DriverIntent;
use crate::tire::TireModel;
use crate::vehicle::{MechanicalParams, MechanicalState};
use crate::wheel::WheelShape;
use crate::wheel_rotation::TurningWheel;
use crate::{Context, PerWheel};

/// What vehicle, driver and road are through the substeps of a frame, with `tires` of type `T`.
pub(super) struct Parts<'a, Tire: TireModel, T> {
    pub(super) params: &'a MechanicalParams<Tire>,
    pub(super) wheels: &'a WheelLanes,
    pub(super) suspension: SuspensionParams<Vec3x4>,
    pub(super) spring: SuspensionForceParams<Real4>,
    pub(super) wheel: TurningWheel<Real4>,
    pub(super) shape: WheelShape<Real4>,
    pub(super) tires: T,
    /// Compliance of each suspension, if it is the same at any jounce.
    pub(super) constant_geometry: Option<LocalGeometry>,
    pub(super) steer: Real4,
    /// Pose of each wheel at full compression (m, body frame).
    pub(super) compressed_pose: Posex4,
    pub(super) brake_torques: Real4,
    pub(super) is_active: <Real4 as Number>::Mask,
    pub(super) intent: DriverIntent,
    /// The roads as they were found: their planes move on.
    pub(super) road: RoadLanes<Vec3x4>,
    model: PhantomData<Tire>,
}

impl<'a, Tire: TireModel, T> Parts<'a, Tire, T> {
    pub(super) fn new(
        wheels: &'a WheelLanes,
        params: &'a MechanicalParams<Tire>,
        state: &MechanicalState<Tire>,
        tires: T,
        context: &Context<'_>,
    ) -> Self {
        let wheel_params = wheels.of_slice(&params.wheels);
        let actuations = wheels.of_slice(&state.actuations);
        let actuated = PerWheel::Slice(&state.actuations);
        let suspension = SuspensionParams::from_lanes(wheels.of_slice(&params.suspensions));
        let steer = numbers(wheels, &state.steer_angles);
        let mut parts = Self {
            params,
            wheels,
            spring: SuspensionForceParams::from_lanes(wheels.of_slice(&params.suspension_forces)),
            wheel: TurningWheel::from_lanes(wheel_params),
            shape: WheelShape::of(wheel_params),
            tires,
            constant_geometry: None,
            steer,
            compressed_pose: compressed_local_pose(&suspension, steer, context.frame()),
            suspension,
            brake_torques: numbers(wheels, &state.brake_torques),
            is_active: Mask::from_lanes(|lane| actuations[lane].is_active()),
            intent: DriverIntent {
                drives: has_acceleration_intent(&params.axles, &actuated),
                brakes: is_any_wheel_braked(&params.axles, &actuated),
            },
            road: RoadLanes::from_lanes(wheels.of_slice(&state.roads)),
            model: PhantomData,
        };
        if params.compliances.iter().all(SuspensionComplianceParams::is_constant) {
            parts.constant_geometry = Some(parts.geometry_at(Real4::zero(), context));
        }
        parts
    }

    /// How the wheels stand in their suspensions at `jounce` (m).
    pub(super) fn geometry_at(&self, jounce: Real4, context: &Context<'_>) -> LocalGeometry {
        let (jounces, distances) = (jounce.lanes(), self.suspension.travel_distance.lanes());
        let params = self.wheels.of_slice(&self.params.compliances);
        let compliance =
            |lane: usize| suspension_compliance(params[lane], jounces[lane], distances[lane]);
        let compliances = [compliance(0), compliance(1), compliance(2), compliance(3)];
        let compliance = SuspensionCompliance::from_lanes(compliances.each_ref());
        LocalGeometry::new(&self.suspension, self.steer, compliance, context.frame())
    }
}

/// The number of the wheel in each lane.
pub(super) fn numbers(wheels: &WheelLanes, values: &[Real]) -> Real4 {
    let values: [&Real; MAX_LANES] = wheels.of_slice(values);
    Number::from_lanes(|lane| *values[lane])
}
