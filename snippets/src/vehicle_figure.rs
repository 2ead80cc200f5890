//! The figure of a vehicle: where its wheels are and what it looks like, for the moving view of a
//! report.

use playground::{Look, LookKind, LookPart, PartLook, bounds_of};
use rapier3d::prelude::*;
use vehicle_rapier::core::Frame;
use vehicle_rapier::prelude::*;

use crate::angles::unwound;
use crate::report::{Course, MovingVehicle, MovingWheel};
use crate::telemetry::Telemetry;
use crate::vehicle_telemetry::VehicleTelemetry;
use crate::wheel_names::wheel_channel;

/// A vehicle as it is built.
#[derive(Clone, Debug, PartialEq)]
pub struct VehicleFigure {
    /// What it is called in the report; empty for "vehicle".
    pub title: String,
    wheels: Vec<WheelFigure>,
    colors: [u32; 2],
    parts: Vec<LookPart>,
    hitches: Vec<[f64; 3]>,
}

#[derive(Clone, Debug, PartialEq)]
struct WheelFigure {
    droop: [f64; 3],
    rise: [f64; 3],
    radius: f64,
    half_width: f64,
}

impl VehicleFigure {
    /// That of `vehicle` in its `world`, which looks like one of this name and kind.
    ///
    /// Only vehicles whose axes are those of [`Frame::Y_UP`] have a look.
    pub fn of<V: Drivable + VehicleTelemetry>(
        vehicle: &RapierVehicle<V>,
        world: &PhysicsWorld,
        name: &str,
        kind: LookKind,
    ) -> Self {
        let frame = vehicle.params.coordinates.frame;
        let in_axes = |vector: Vector| {
            [frame.longitudinal(), frame.lateral(), frame.vertical()]
                .map(|axis| f64::from(vector.dot(axis)))
        };
        let figure = |wheel: usize| {
            let (suspension, shape) =
                (vehicle.vehicle.suspension_params(wheel), vehicle.vehicle.wheel_params(wheel));
            let travel = suspension.travel_direction * suspension.travel_distance;
            WheelFigure {
                droop: in_axes(suspension.wheel_mount() + travel),
                rise: in_axes(-suspension.travel_direction),
                radius: shape.radius.into(),
                half_width: shape.half_width.into(),
            }
        };
        let wheels = vehicle.vehicle.axles().wheels().map(figure).collect();
        let body = world.bodies.get(vehicle.actor.body);
        let center = vehicle.actor.center_of_mass.translation;
        let bounds = body.and_then(|body| bounds_of(body, &world.colliders));
        let look = (frame == Frame::Y_UP)
            .then(|| Look::new(name, kind, vehicle.mechanics().params, bounds, center));
        let (colors, parts) = look.map(|look| (look.colors, look.parts)).unwrap_or_default();
        let parts = parts.into_iter().map(|part| moved(part, center)).collect();
        let hitches = hitches(vehicle.actor.body, &world.impulse_joints);
        let hitches = hitches.into_iter().map(|hitch| in_axes(hitch - center)).collect();
        Self { title: name.to_owned(), wheels, colors, parts, hitches }
    }

    /// The same of another title.
    #[must_use]
    pub fn titled(self, title: &str) -> Self {
        Self { title: title.to_owned(), ..self }
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
        // A view draws between two values: half a turn must not be a jump.
        let heading = course("heading")?;
        let unwound = unwound(heading.iter().map(|(_, heading)| *heading));
        let heading = heading.iter().map(|(time, _)| *time).zip(unwound).collect();
        let loads = format!("{prefix}load ");
        let wheels = self.wheels.iter().zip(telemetry.names_after(&loads));
        Ok(MovingVehicle {
            name: name.into(),
            place: [course("x")?, course("y")?, course("z")?],
            attitude: [heading, course("pitch")?, course("roll")?],
            speed: course("forward speed")?,
            wheels: wheels.map(wheel).collect::<anyhow::Result<_>>()?,
            colors: self.colors,
            parts: self.parts.clone(),
            hitches: self.hitches.clone(),
        })
    }
}

/// A part as seen from `center` (m).
fn moved(part: LookPart, center: Vector) -> LookPart {
    let shape = match part.shape {
        PartLook::Profile { outline, across, half_width } => {
            let outline = outline.into_iter().map(|[z, y]| [z - center.z, y - center.y]).collect();
            PartLook::Profile { outline, across: across - center.x, half_width }
        }
        PartLook::Rod { ends, radius } => {
            PartLook::Rod { ends: ends.map(|end| end - center), radius }
        }
    };
    LookPart { shape, ..part }
}

/// Where a body is coupled to others (m, in the body).
fn hitches(body: RigidBodyHandle, joints: &ImpulseJointSet) -> Vec<Vector> {
    let at = |joint: &ImpulseJoint| {
        let frame = if joint.body1() == body {
            joint.data.local_frame1
        } else if joint.body2() == body {
            joint.data.local_frame2
        } else {
            return None;
        };
        Some(frame.translation)
    };
    joints.iter().filter_map(|(_, joint)| at(joint)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::telemetry::Channel;

    #[test]
    fn a_car_that_turns_around_moves_without_a_jump() -> anyhow::Result<()> {
        let figure = VehicleFigure {
            title: String::new(),
            wheels: Vec::new(),
            colors: [0; 2],
            parts: Vec::new(),
            hitches: Vec::new(),
        };
        let names = ["time", "x", "y", "z", "heading", "pitch", "roll", "forward speed"];
        let channel = |name: &&str| Channel::new(*name, if *name == "time" { "s" } else { "" });
        let mut telemetry = Telemetry::new(names.iter().map(channel))?;
        for step in 0..100 {
            let turned = 0.1 * f64::from(step);
            let heading = turned.sin().atan2(turned.cos());
            telemetry.push(&[f64::from(step), 0.0, 0.0, 0.0, heading, 0.0, 0.0, 0.0])?;
        }
        let moving = figure.moving("car", &telemetry, "")?;
        for (time, heading) in &moving.attitude[0] {
            assert!((heading - 0.1 * time).abs() < 1e-9, "{heading} at {time}");
        }
        Ok(())
    }
}
