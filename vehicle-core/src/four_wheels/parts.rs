//! What does not change within the substeps of a frame.

use std::marker::PhantomData;

use super::substep::LocalGeometry;
use crate::actuation::{has_acceleration_intent, is_any_wheel_braked};
use crate::axle::WheelLanes;
use crate::frame::Frame;
use crate::math::Real;
use crate::math::lanes::{MAX_LANES, Mask, Number, Posex4, Real4, Vec3x4};
use crate::road_geometry::RoadLanes;
use crate::suspension::{
    SuspensionCompliance, SuspensionComplianceParams, SuspensionForceParams, SuspensionParams,
    suspension_compliance,
};
use crate::tire::DriverIntent;
use crate::tire::TireModel;
use crate::vehicle::{MechanicalParams, MechanicalState, Mechanics};
use crate::wheel::{WheelAngles, WheelMount, WheelShape};
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
    /// How each wheel is steered, without compliance.
    pub(super) mount: WheelMount<Vec3x4>,
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
    /// The parts of a vehicle, on no road yet.
    #[inline]
    pub(super) fn new(
        wheels: &'a WheelLanes,
        mechanics: &Mechanics<'a, Tire>,
        tires: T,
        context: &Context<'_>,
    ) -> Self {
        let (params, state) = (mechanics.params, &*mechanics.state);
        let wheel_params = wheels.of_slice(&params.wheels);
        let actuations = wheels.of_slice(&state.actuations);
        let actuated = PerWheel::Slice(&state.actuations);
        let suspension = SuspensionParams::from_lanes(wheels.of_slice(&params.suspensions));
        let steer = numbers(wheels, &state.steer_angles);
        let mount = WheelMount::steered(&suspension, steer, context.frame());
        Self {
            params,
            wheels,
            spring: SuspensionForceParams::from_lanes(wheels.of_slice(&params.suspension_forces)),
            wheel: TurningWheel::from_lanes(wheel_params),
            shape: WheelShape::of(wheel_params),
            tires,
            constant_geometry: None,
            steer,
            compressed_pose: mount.compressed_pose(&suspension),
            mount,
            suspension,
            brake_torques: numbers(wheels, &state.brake_torques),
            is_active: Mask::from_lanes(|lane| actuations[lane].is_active()),
            intent: DriverIntent {
                drives: has_acceleration_intent(&params.axles, &actuated),
                brakes: is_any_wheel_braked(&params.axles, &actuated),
            },
            road: RoadLanes::none(),
            model: PhantomData,
        }
    }

    /// Finds once how the wheels stand in their suspensions, if it is the same at any jounce.
    #[inline]
    pub(super) fn keep_geometry(&mut self, context: &Context<'_>) {
        if self.params.compliances.iter().all(SuspensionComplianceParams::is_constant) {
            self.constant_geometry = Some(self.geometry_at(Real4::zero(), context));
        }
    }

    /// Takes the roads that the vehicle has found.
    #[inline]
    pub(super) fn stand_on_roads(&mut self, state: &MechanicalState<Tire>) {
        self.road = RoadLanes::from_lanes(self.wheels.of_slice(&state.roads));
    }

    /// How the wheels are steered and cambered with `compliance`.
    #[inline]
    pub(super) fn mount_with(
        &self,
        compliance: &SuspensionCompliance<Vec3x4>,
        frame: &Frame,
    ) -> WheelMount<Vec3x4> {
        let SuspensionCompliance { toe, camber, .. } = *compliance;
        let is_zero = toe.is_equal(Real4::zero()) & camber.is_equal(Real4::zero());
        if !(!is_zero).any() {
            return self.mount;
        }
        let angles = WheelAngles { steer: self.steer, toe, camber, rotation: Real4::zero() };
        WheelMount::new(&self.suspension, &angles, frame)
    }

    /// How the wheels stand in their suspensions at `jounce` (m).
    pub(super) fn geometry_at(&self, jounce: Real4, context: &Context<'_>) -> LocalGeometry {
        let (jounces, distances) = (jounce.lanes(), self.suspension.travel_distance.lanes());
        let params = self.wheels.of_slice(&self.params.compliances);
        let compliance =
            |lane: usize| suspension_compliance(params[lane], jounces[lane], distances[lane]);
        let compliances = [compliance(0), compliance(1), compliance(2), compliance(3)];
        let compliance = SuspensionCompliance::from_lanes(compliances.each_ref());
        LocalGeometry::new(self, compliance, context.frame())
    }
}

/// The number of the wheel in each lane.
pub(super) fn numbers(wheels: &WheelLanes, values: &[Real]) -> Real4 {
    let values: [&Real; MAX_LANES] = wheels.of_slice(values);
    Number::from_lanes(|lane| *values[lane])
}
