//! A lowrider: a car with hydraulics that make it dance, as an example of a suspension of your own.
//!
//! Three parts make it. [`HydraulicParams`] are constant. [`Dance`], a state of one's own, has its
//! place in the car, which saves, checks and restores it. The component, [`HydraulicSuspension`],
//! holds nothing of a vehicle, so that one sequence serves all of them.

use std::f32::consts::{PI, TAU};
use std::ops::ControlFlow::{self, Continue};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use vehicle_rapier::core::math::Real;
use vehicle_rapier::core::suspension::force_arm;
use vehicle_rapier::prelude::*;

/// A car with direct drive whose suspensions dance.
pub type Lowrider = DirectDriveVehicleWith<BrushTire, Dance>;

/// How the hydraulics of one wheel push.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HydraulicParams {
    /// Largest force (N).
    pub max_force: Real,
    /// Pushes per time (Hz).
    pub frequency: Real,
    /// Angle by which the wheel is ahead (rad).
    pub phase: Real,
}

impl HydraulicParams {
    /// Force on the body at `angle` (rad) of the dance (N).
    ///
    /// ```text
    /// f = F/2 (1 + cos(θ + φ))
    /// ```
    ///
    /// with `F` the largest force and `φ` the phase: hydraulics push and never pull.
    pub fn force(&self, angle: Real) -> Real {
        0.5 * self.max_force * (1.0 + (angle + self.phase).cos())
    }

    /// `angle` (rad) of the dance `dt` (s) later, in [-π, π].
    pub fn advanced(&self, angle: Real, dt: Real) -> Real {
        let advanced = angle + TAU * self.frequency * dt;
        if PI < advanced { advanced - TAU } else { advanced }
    }
}

/// Angle of the dance at each wheel (rad).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Dance(pub WheelVec<Real>);

impl OwnState for Dance {
    /// Hydraulics of each wheel.
    type Params = Arc<[HydraulicParams]>;

    fn at_rest(_: &Self::Params, wheel_count: usize) -> Self {
        Self((0..wheel_count).map(|_| 0.0).collect())
    }

    fn check_params(hydraulics: &Self::Params, wheel_count: usize, check: &mut ParamCheck) {
        check.count("hydraulics", hydraulics.len(), wheel_count);
        check.each("hydraulics", hydraulics.iter(), |wheel, check| {
            check.number("max_force", wheel.max_force, Bound::NotNegative);
            check.number("frequency", wheel.frequency, Bound::NotNegative);
            check.number("phase", wheel.phase, Bound::Within(-PI, PI));
        });
    }

    fn check(&self, _: &Self::Params, wheel_count: usize, check: &mut ParamCheck) {
        check.count("angles", self.0.len(), wheel_count);
    }

    fn is_finite(&self) -> bool {
        self.0.iter().all(|angle| angle.is_finite())
    }

    /// Always: it dances.
    fn is_busy(&self) -> bool {
        true
    }
}

/// The library's suspension, with hydraulics that push the body off wheels on the ground.
///
/// ```text
/// F += n f,   τ += r × n f
/// ```
///
/// with `n` the road normal and `r` from the center of mass to the force point. The hydraulics
/// shake the body and leave the load of the tires to the springs.
#[derive(Clone, Copy, Debug)]
pub struct HydraulicSuspension;

impl<V: HasOwn<Own = Dance>> Component<V> for HydraulicSuspension {
    fn update(&self, vehicle: &mut V, dt: Real, context: &Context<'_>) -> ControlFlow<()> {
        Suspension.update(vehicle, dt, context)?;
        let MechanicsWithOwn { mechanics, params, state } = vehicle.own();
        let view = mechanics.suspension();
        for (wheel, (hydraulics, angle)) in params.iter().zip(&mut state.0).enumerate() {
            let suspension = view.states.of(wheel);
            if let (Some(road), true) = (view.roads.of(wheel), suspension.is_on_ground()) {
                let push = road.plane.normal * hydraulics.force(*angle);
                let point = suspension.compliance.suspension_force_point;
                let arm = force_arm(&view.params.of(wheel), view.rigid_body, point);
                view.states.edit(wheel, |suspension| {
                    suspension.force.force += push;
                    suspension.force.torque += arm.cross(push);
                });
            }
            *angle = hydraulics.advanced(*angle, dt);
        }
        Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vehicles::{sample_direct_drive, sample_hydraulics};

    #[test]
    fn hydraulics_push_between_nothing_and_their_largest_force() {
        let params = HydraulicParams { max_force: 7_500.0, frequency: 2.0, phase: 0.5 * PI };
        // (angle, force): 3750 (1 + cos(θ + π/2))
        for (angle, expected) in [(-0.5 * PI, 7_500.0), (0.0, 3_750.0), (0.5 * PI, 0.0)] {
            let force = params.force(angle);
            assert!((force - expected).abs() < 1e-2, "{force} N at {angle}, not {expected} N");
        }
    }

    #[test]
    fn dance_repeats_with_its_frequency() {
        let params = HydraulicParams { max_force: 0.0, frequency: 2.0, phase: 0.0 };
        let quarter = params.advanced(0.0, 0.125);
        assert!((quarter - 0.5 * PI).abs() < 1e-6, "{quarter} rad after a quarter");
        let once = (0..8).fold(0.0, |angle, _| params.advanced(angle, 0.062_5));
        assert!(once.abs() < 1e-5, "{once} rad after a turn");
    }

    #[test]
    fn faults_are_named_with_their_wheel() {
        let mut hydraulics = sample_hydraulics().unwrap().to_vec();
        hydraulics[1].frequency = -2.0;
        hydraulics.pop();
        let car = sample_direct_drive().unwrap();
        let message = Lowrider::with_own(car, hydraulics.into()).unwrap_err().to_string();
        for part in ["own.hydraulics[1].frequency", "-2", "own.hydraulics must be of 4", "3"] {
            assert!(message.contains(part), "{part} is missing in {message}");
        }
    }
}
