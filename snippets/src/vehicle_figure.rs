//! The figure of a vehicle: where its wheels are, for the moving view of a report.

use rapier3d::prelude::*;
use vehicle_rapier::core::Frame;
use vehicle_rapier::prelude::*;

use crate::recorder::wheel_channel;
use crate::report::{Course, MovingVehicle, MovingWheel};
use crate::telemetry::Telemetry;

/// The wheels of a vehicle, as they are built.
#[derive(Clone, Debug, PartialEq)]
pub struct VehicleFigure {
    wheels: Vec<WheelFigure>,
}

#[derive(Clone, Debug, PartialEq)]
struct WheelFigure {
    droop: [f64; 3],
    rise: [f64; 3],
    radius: f64,
    half_width: f64,
}

impl VehicleFigure {
    /// That of `vehicle` in the axes of `frame`.
    pub fn of(vehicle: &impl ReadVehicle, frame: &Frame) -> Self {
        let in_axes = |vector: Vector| {
            [frame.longitudinal(), frame.lateral(), frame.vertical()]
                .map(|axis| f64::from(vector.dot(axis)))
        };
        let figure = |wheel: usize| {
            let (suspension, shape) =
                (vehicle.suspension_params(wheel), vehicle.wheel_params(wheel));
            let travel = suspension.travel_direction * suspension.travel_distance;
            WheelFigure {
                droop: in_axes(suspension.wheel_mount() + travel),
                rise: in_axes(-suspension.travel_direction),
                radius: shape.radius.into(),
                half_width: shape.half_width.into(),
            }
        };
        Self { wheels: vehicle.axles().wheels().map(figure).collect() }
    }

    /// The vehicle of this `name` as `telemetry` tells of it, in channels that begin with `prefix`.
    ///
    /// # Errors
    ///
    /// If a channel is missing.
    pub fn moving(
        &self,
        name: &str,
        telemetry: &Telemetry,
        prefix: &str,
    ) -> anyhow::Result<MovingVehicle> {
        let course = |channel: &str| -> anyhow::Result<Course> {
            let values = telemetry.column(&format!("{prefix}{channel}"))?;
            Ok(telemetry.time().iter().copied().zip(values.iter().copied()).collect())
        };
        let wheel = |(figure, name): (&WheelFigure, &str)| -> anyhow::Result<MovingWheel> {
            let of_wheel = |quantity: &str| course(&wheel_channel(quantity, name));
            Ok(MovingWheel {
                name: name.into(),
                droop: figure.droop,
                rise: figure.rise,
                radius: figure.radius,
                half_width: figure.half_width,
                jounce: of_wheel("jounce")?,
                steer: of_wheel("steer angle")?,
                rotation_speed: of_wheel("wheel speed")?,
                load: of_wheel("load")?,
                friction_use: of_wheel("friction use")?,
            })
        };
        let loads = format!("{prefix}load ");
        let wheels = self.wheels.iter().zip(telemetry.names_after(&loads));
        Ok(MovingVehicle {
            name: name.into(),
            place: [course("x")?, course("y")?, course("z")?],
            attitude: [course("heading")?, course("pitch")?, course("roll")?],
            speed: course("forward speed")?,
            wheels: wheels.map(wheel).collect::<anyhow::Result<_>>()?,
        })
    }
}
