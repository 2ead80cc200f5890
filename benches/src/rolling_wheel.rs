//! One wheel of the sample car at speed: what the formulas of a wheel read.

use std::sync::Arc;

use rapier3d::prelude::*;
use snippets::vehicles::{SAMPLE_CENTER_OF_MASS, SAMPLE_FRAME, SAMPLE_REST_HEIGHT};
use vehicle_rapier::core::math::Quat;
use vehicle_rapier::core::rigid_body::RigidBodyState;
use vehicle_rapier::core::road_geometry::{FlatRoad, RoadContact};
use vehicle_rapier::core::suspension::{WheelDrop, WheelTravel, wheel_travel};
use vehicle_rapier::core::tire::TireSpeeds;
use vehicle_rapier::core::vehicle::{MechanicalParams, MechanicalState};
use vehicle_rapier::core::wheel::{WheelAngles, wheel_local_orientation};
use vehicle_rapier::core::{Context, Frame, SimulationParams};
use vehicle_rapier::drivetrain::{DirectDriveParams, DirectDriveVehicle};

use crate::{DT, STEPS_TO_SETTLE, SampleVehicle};

/// Speed of the car (m/s).
const SPEED: Real = 20.0;

/// Steering wheel: slip angles of about a degree.
const STEER: Real = 0.04;

/// The right front wheel of the sample car, in a bend at 20 m/s with the engine pulling.
#[derive(Clone, Debug)]
pub struct RollingWheel {
    /// What the car is made of.
    pub params: Arc<DirectDriveParams>,
    /// What it does.
    pub state: MechanicalState,
    /// Axes and limits.
    pub simulation: SimulationParams,
    /// Drive torque of the wheel (N·m).
    pub drive_torque: Real,
}

impl RollingWheel {
    /// The wheel's number.
    pub const WHEEL: usize = 0;

    /// The wheel after a second of driving on a plane.
    ///
    /// # Errors
    ///
    /// None with the data as they are.
    pub fn new() -> anyhow::Result<Self> {
        let params = DirectDriveVehicle::sample_params()?;
        let mut car = DirectDriveVehicle::driven(&params, SPEED)?;
        car.commands.steer = STEER;
        let height = Vector::Y * SAMPLE_REST_HEIGHT;
        car.state.mechanics.rigid_body = RigidBodyState {
            linear_velocity: SAMPLE_FRAME.longitudinal() * SPEED,
            ..RigidBodyState::at_rest(Pose::from_translation(height + SAMPLE_CENTER_OF_MASS))
        };
        let simulation = SimulationParams::new(SAMPLE_FRAME);
        let road = FlatRoad::new(&SAMPLE_FRAME);
        let context = Context::new(&simulation, &road);
        let sequence = DirectDriveVehicle::sequence();
        for _ in 0..STEPS_TO_SETTLE {
            let _reached = sequence.update(&mut car, DT, &context)?;
        }
        let drive_torque = car.state.drive.torques[Self::WHEEL];
        Ok(Self { params, state: car.state.mechanics, simulation, drive_torque })
    }

    /// The mechanical base of the car.
    pub fn mechanics(&self) -> &MechanicalParams {
        &self.params.mechanics
    }

    /// Axes of the car.
    pub fn frame(&self) -> &Frame {
        &self.simulation.coordinates.frame
    }

    /// Forward speed of the car (m/s).
    pub fn speed(&self) -> Real {
        self.state.rigid_body.longitudinal_speed(self.frame())
    }

    /// The road under the wheel.
    ///
    /// # Panics
    ///
    /// If the wheel is in the air.
    pub fn road(&self) -> RoadContact {
        self.state.roads.of(Self::WHEEL).expect("the wheel rolls on the road")
    }

    /// Jounce of the suspension (m).
    pub fn jounce(&self) -> Real {
        self.state.suspensions.of(Self::WHEEL).compression.jounce.unwrap_or(0.0)
    }

    /// Path of the wheel in its suspension.
    pub fn travel(&self) -> WheelTravel {
        let (wheel, mechanics) = (Self::WHEEL, self.mechanics());
        let steer_angle = self.state.steer_angles[wheel];
        let suspension = &mechanics.suspensions[wheel];
        let body = &self.state.rigid_body;
        wheel_travel(suspension, &mechanics.wheels[wheel], body, steer_angle, self.frame())
    }

    /// What would move the wheel down.
    pub fn drop(&self) -> WheelDrop {
        let spring = &self.mechanics().suspension_forces[Self::WHEEL];
        WheelDrop {
            stiffness: spring.stiffness,
            damping: spring.damping,
            wheel_mass: self.mechanics().wheels[Self::WHEEL].mass,
            gravity: self.simulation.gravity,
        }
    }

    /// Angles of the wheel in its suspension.
    pub fn angles(&self) -> WheelAngles {
        WheelAngles {
            steer: self.state.steer_angles[Self::WHEEL],
            rotation: self.state.wheels.of(Self::WHEEL).rotation_angle,
            ..WheelAngles::default()
        }
    }

    /// Orientation of the wheel in the world.
    pub fn orientation(&self) -> Quat {
        let suspension = &self.mechanics().suspensions[Self::WHEEL];
        let angles = WheelAngles { rotation: 0.0, ..self.angles() };
        self.state.rigid_body.pose.rotation
            * wheel_local_orientation(suspension, &angles, self.frame())
    }

    /// Speed of the tire over the road.
    pub fn tire_speeds(&self) -> TireSpeeds {
        self.state.tires.of(Self::WHEEL).speeds
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wheel_rolls_at_speed_with_some_slip() {
        let wheel = RollingWheel::new().unwrap();
        let slip = wheel.state.tires.of(RollingWheel::WHEEL).slip;
        assert!((wheel.speed() - SPEED).abs() < 2.0, "{} m/s", wheel.speed());
        assert!((0.001..0.1).contains(&slip.longitudinal), "{slip:?}");
        assert!((0.001..0.1).contains(&slip.tangent.abs()), "{slip:?}");
        assert!(0.0 < wheel.jounce(), "{}", wheel.jounce());
    }
}
