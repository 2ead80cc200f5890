//! A lowrider: a car with hydraulics that make it dance, as an example of a suspension of your own.
//!
//! Three parts make a stage of your own: [`HydraulicParams`] are constant, the angles of the dance
//! are kept in the vehicle, [`Lowrider`], and the component, [`HydraulicSuspension`], holds nothing
//! of a vehicle, so that one sequence serves all of them. The rest of the file lends the parts of
//! the car inside to the stages of the library.

use std::f32::consts::{PI, TAU};
use std::ops::ControlFlow::{self, Continue};
use std::sync::Arc;

use vehicle_rapier::core::aerodynamics::Aerodynamics;
use vehicle_rapier::core::brakes::Brakes;
use vehicle_rapier::core::constraint_rows::ConstraintRows;
use vehicle_rapier::core::error::{Bound, ParamCheck};
use vehicle_rapier::core::ground::Ground;
use vehicle_rapier::core::math::Real;
use vehicle_rapier::core::rigid_body::{ClearExternalForces, RigidBody};
use vehicle_rapier::core::road_geometry::RoadGeometry;
use vehicle_rapier::core::sequence::Recoverable;
use vehicle_rapier::core::steering::Steering;
use vehicle_rapier::core::suspension::{HasSuspension, Suspension, force_arm};
use vehicle_rapier::core::tire::{BrushTire, Tire};
use vehicle_rapier::core::vehicle::{HasMechanics, Mechanics, MechanicsRef, ReadMechanics};
use vehicle_rapier::core::wheel::Wheel;
use vehicle_rapier::core::{
    Component, ComponentSequence, Context, ParamErrors, Validate, WheelVec,
};
use vehicle_rapier::drivetrain::direct_drive::{
    DirectDrive, DirectDriveView, DirectThrottle, DirectThrottleView, HasDirectDrive,
};
use vehicle_rapier::drivetrain::direct_drive_vehicle::DirectDriveState;
use vehicle_rapier::drivetrain::{DirectDriveParams, DirectDriveVehicle};
use vehicle_rapier::{Drivable, DriverIntent, SleepParams};

/// How the hydraulics of one wheel push.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HydraulicParams {
    /// Largest force (N).
    pub max_force: Real,
    /// Pushes per time (Hz).
    pub frequency: Real,
    /// Angle by which the wheel is ahead (rad).
    pub phase: Real,
}

impl Validate for HydraulicParams {
    fn check(&self, check: &mut ParamCheck) {
        check.number("max_force", self.max_force, Bound::NotNegative);
        check.number("frequency", self.frequency, Bound::NotNegative);
        check.number("phase", self.phase, Bound::Within(-PI, PI));
    }
}

/// What a lowrider is made of.
#[derive(Clone, Debug, PartialEq)]
pub struct LowriderParams {
    /// The car.
    pub car: DirectDriveParams,
    /// Hydraulics of each wheel.
    pub hydraulics: Vec<HydraulicParams>,
}

impl Validate for LowriderParams {
    fn check(&self, check: &mut ParamCheck) {
        check.field("car", |inner| self.car.check(inner));
        let wheel_count = self.car.mechanics.axles.wheel_count();
        check.count("hydraulics", self.hydraulics.len(), wheel_count);
        check.each("hydraulics", &self.hydraulics, HydraulicParams::check);
    }
}

/// A car with direct drive whose suspensions dance.
#[derive(Clone, Debug)]
pub struct Lowrider {
    /// The car.
    pub car: DirectDriveVehicle,
    /// Angle of the dance at each wheel (rad).
    pub angles: WheelVec<Real>,
    hydraulics: Arc<[HydraulicParams]>,
}

impl Lowrider {
    /// A lowrider at rest at the origin, in neutral.
    ///
    /// # Errors
    ///
    /// All faults of `params`.
    pub fn new(params: LowriderParams) -> Result<Self, ParamErrors> {
        params.validate()?;
        let LowriderParams { car, hydraulics } = params;
        let angles = hydraulics.iter().map(|_| 0.0).collect();
        Ok(Self { car: DirectDriveVehicle::new(car)?, angles, hydraulics: hydraulics.into() })
    }

    /// The stages of a car with direct drive, with `substeps` of the stiff ones, and the suspension
    /// replaced.
    pub fn sequence(substeps: u32) -> ComponentSequence<Self> {
        ComponentSequence::new()
            .then(Brakes)
            .then(Steering)
            .then(DirectThrottle)
            .then(Aerodynamics)
            .then(RoadGeometry)
            .substeps(
                move |_| substeps,
                |group| {
                    group
                        .then(HydraulicSuspension)
                        .then(Tire)
                        .then(ConstraintRows)
                        .then(DirectDrive)
                        .then(RigidBody)
                        .then(Ground)
                },
            )
            .then(Wheel)
            .then(ClearExternalForces)
    }

    /// Force of the hydraulics of `wheel`, if it stands on the ground (N).
    pub fn hydraulic_force(&self, wheel: usize) -> Real {
        if self.car.state.mechanics.suspensions[wheel].is_on_ground() {
            hydraulic_force(&self.hydraulics[wheel], self.angles[wheel])
        } else {
            0.0
        }
    }
}

/// Force of hydraulics on the body at `angle` (rad) of the dance (N).
///
/// ```text
/// f = F/2 (1 + cos(θ + φ))
/// ```
///
/// with `F` the largest force and `φ` the phase: hydraulics push and never pull.
pub fn hydraulic_force(params: &HydraulicParams, angle: Real) -> Real {
    0.5 * params.max_force * (1.0 + (angle + params.phase).cos())
}

/// `angle` (rad) of the dance `dt` (s) later, in [-π, π].
pub fn advanced_angle(params: &HydraulicParams, angle: Real, dt: Real) -> Real {
    let advanced = angle + TAU * params.frequency * dt;
    if PI < advanced { advanced - TAU } else { advanced }
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

impl Component<Lowrider> for HydraulicSuspension {
    fn update(&self, lowrider: &mut Lowrider, dt: Real, context: &Context<'_>) -> ControlFlow<()> {
        Suspension.update(lowrider, dt, context)?;
        for wheel in 0..lowrider.angles.len() {
            let push = lowrider.hydraulic_force(wheel);
            add_push(lowrider, wheel, push);
            let angle = &mut lowrider.angles[wheel];
            *angle = advanced_angle(&lowrider.hydraulics[wheel], *angle, dt);
        }
        Continue(())
    }
}

/// Adds a force of `push` (N) along the road normal to the suspension of `wheel`.
fn add_push(vehicle: &mut impl HasSuspension, wheel: usize, push: Real) {
    let mut view = vehicle.suspension();
    let Some(road) = view.roads[wheel] else { return };
    let push = road.plane.normal * push;
    let point = view.compliances[wheel].suspension_force_point;
    let arm = force_arm(&view.params[wheel], view.rigid_body, point);
    let force = &mut view.forces[wheel];
    force.force += push;
    force.torque += arm.cross(push);
}

impl HasMechanics for Lowrider {
    type Tire = BrushTire;

    fn mechanics(&mut self) -> Mechanics<'_, BrushTire> {
        self.car.mechanics()
    }
}

impl ReadMechanics for Lowrider {
    fn read_mechanics(&self) -> MechanicsRef<'_, BrushTire> {
        self.car.read_mechanics()
    }
}

impl HasDirectDrive for Lowrider {
    fn direct_throttle(&mut self) -> DirectThrottleView<'_> {
        self.car.direct_throttle()
    }

    fn direct_drive(&mut self) -> DirectDriveView<'_> {
        self.car.direct_drive()
    }
}

impl Recoverable for Lowrider {
    type Snapshot = (DirectDriveState, WheelVec<Real>);

    fn check_inputs(&self, check: &mut ParamCheck) {
        self.car.check_inputs(check);
        check.count("angles", self.angles.len(), self.hydraulics.len());
    }

    fn snapshot(&self) -> Self::Snapshot {
        (self.car.snapshot(), self.angles.clone())
    }

    fn restore(&mut self, (car, angles): Self::Snapshot) {
        self.car.restore(car);
        self.angles = angles;
    }

    fn is_finite(&self) -> bool {
        self.car.is_finite() && self.angles.iter().all(|angle| angle.is_finite())
    }
}

impl Drivable for Lowrider {
    fn intent(&self) -> DriverIntent {
        self.car.intent()
    }

    /// Always: it dances.
    fn is_busy(&mut self, _: &SleepParams, _length_scale: Real) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vehicles::sample_lowrider;

    #[test]
    fn hydraulics_push_between_nothing_and_their_largest_force() {
        let params = HydraulicParams { max_force: 7_500.0, frequency: 2.0, phase: 0.5 * PI };
        // (angle, force): 3750 (1 + cos(θ + π/2))
        for (angle, expected) in [(-0.5 * PI, 7_500.0), (0.0, 3_750.0), (0.5 * PI, 0.0)] {
            let force = hydraulic_force(&params, angle);
            assert!((force - expected).abs() < 1e-2, "{force} N at {angle}, not {expected} N");
        }
    }

    #[test]
    fn dance_repeats_with_its_frequency() {
        let params = HydraulicParams { max_force: 0.0, frequency: 2.0, phase: 0.0 };
        let quarter = advanced_angle(&params, 0.0, 0.125);
        assert!((quarter - 0.5 * PI).abs() < 1e-6, "{quarter} rad after a quarter");
        let once = (0..8).fold(0.0, |angle, _| advanced_angle(&params, angle, 0.062_5));
        assert!(once.abs() < 1e-5, "{once} rad after a turn");
    }

    #[test]
    fn faults_are_named_with_their_wheel() {
        let mut params = sample_lowrider().unwrap();
        params.hydraulics[1].frequency = -2.0;
        params.hydraulics.pop();
        let message = Lowrider::new(params).unwrap_err().to_string();
        for part in ["hydraulics[1].frequency", "-2", "hydraulics", "4"] {
            assert!(message.contains(part), "{part} is missing in {message}");
        }
    }
}
