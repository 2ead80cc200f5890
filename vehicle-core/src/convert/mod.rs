//! Parameters in other axes and another length unit.
//!
//! Mass and time keep their units, so a quantity of dimension lengthᵖ is multiplied by Sᵖ, with S
//! the ratio of the length scales; vectors are turned besides. See [`CoordinateConversion`]. A
//! [blueprint](crate::blueprint) is always in meters: convert what it gives.
//!
//! | quantity                                                     | SI unit    | p  |
//! |--------------------------------------------------------------|------------|----|
//! | mass, time, angle, slip, friction, multiplier, share         | kg, s, 1   | 0  |
//! | stiffness and damping of a spring, a strut or a tire's wall  | N/m, N·s/m | 0  |
//! | damping rate of the sticky constraint                        | 1/s        | 0  |
//! | length, position, force point                                | m          | 1  |
//! | speed, also along the abscissa of a response table           | m/s        | 1  |
//! | gravity                                                      | m/s²       | 1  |
//! | load, stiffness of a tire per slip or angle                  | N, N/rad   | 1  |
//! | torque of a brake or a drive                                 | N·m        | 2  |
//! | friction of a steering system                                | N·m        | 2  |
//! | inertia                                                      | kg·m²      | 2  |
//! | damping rate of a wheel or a steering wheel                  | N·m·s      | 2  |
//! | drag area, downforce area                                    | m²         | 2  |
//! | inflation pressure                                           | Pa         | -1 |
//! | density of the air                                           | kg/m³      | -3 |
//!
//! ```
//! use vehicle_core::blueprint::CarBlueprint;
//! use vehicle_core::convert::Convert;
//! use vehicle_core::frame::{CoordinateConversion, CoordinateSystem, Frame};
//!
//! let meters = CoordinateSystem { frame: Frame::Y_UP, length_scale: 1.0 };
//! let centimeters = CoordinateSystem { frame: Frame::Z_UP, length_scale: 100.0 };
//! let conversion = CoordinateConversion::new(&meters, &centimeters);
//!
//! let params = CarBlueprint { frame: meters.frame, ..CarBlueprint::default() }.mechanics()?;
//! let converted = params.converted(&conversion);
//! assert_eq!(converted.wheels[0].radius, 33.0);
//! # Ok::<(), vehicle_core::ParamErrors>(())
//! ```

mod commands;
mod suspension;
mod tire;

use crate::SimulationParams;
use crate::aerodynamics::{AerodynamicsParams, DownforceParams};
use crate::body::RigidBodyParams;
use crate::brakes::BrakeValveParams;
use crate::frame::CoordinateConversion;
use crate::mount::WheelParams;
use crate::vehicle::MechanicalParams;

/// Parameters that can be given in other axes and another length unit.
pub trait Convert {
    /// These parameters in the target of `conversion`.
    ///
    /// # Panics
    ///
    /// If the speeds of a response table are not finite and increasing in the target, as with a
    /// length scale that is not positive.
    fn converted(&self, conversion: &CoordinateConversion) -> Self;
}

impl<T: Convert> Convert for Vec<T> {
    fn converted(&self, conversion: &CoordinateConversion) -> Self {
        self.iter().map(|item| item.converted(conversion)).collect()
    }
}

impl<T: Convert> Convert for Option<T> {
    fn converted(&self, conversion: &CoordinateConversion) -> Self {
        self.as_ref().map(|value| value.converted(conversion))
    }
}

impl Convert for RigidBodyParams {
    fn converted(&self, conversion: &CoordinateConversion) -> Self {
        // Moments belong to axes of either sign.
        let inertia = conversion.direction(self.inertia).abs();
        Self { mass: self.mass, inertia: inertia * conversion.scalar(1.0, 2) }
    }
}

impl Convert for WheelParams {
    fn converted(&self, conversion: &CoordinateConversion) -> Self {
        Self {
            radius: conversion.scalar(self.radius, 1),
            half_width: conversion.scalar(self.half_width, 1),
            shoulder_radius: conversion.scalar(self.shoulder_radius, 1),
            mass: self.mass,
            inertia: conversion.scalar(self.inertia, 2),
            damping_rate: conversion.scalar(self.damping_rate, 2),
            inflation_pressure: conversion.scalar(self.inflation_pressure, -1),
            radial_stiffness: self.radial_stiffness,
            tire_kind: self.tire_kind,
        }
    }
}

/// Axes and length unit become those of the target.
impl Convert for SimulationParams {
    fn converted(&self, conversion: &CoordinateConversion) -> Self {
        Self {
            gravity: conversion.length(self.gravity),
            coordinates: *conversion.target(),
            tire_slip: self.tire_slip.converted(conversion),
            tire_sticky: self.tire_sticky.converted(conversion),
            wheel_coupling: self.wheel_coupling,
            wheel_reaction: self.wheel_reaction,
            row_execution: self.row_execution,
            rolling_blend_speed: conversion.scalar(self.rolling_blend_speed, 1),
            max_substep: self.max_substep,
            meets_obstacles: self.meets_obstacles,
        }
    }
}

impl Convert for BrakeValveParams {
    fn converted(&self, conversion: &CoordinateConversion) -> Self {
        let jounces = self.jounces.map(|jounce| conversion.scalar(jounce, 1));
        Self { jounces, ..self.clone() }
    }
}

impl Convert for AerodynamicsParams {
    fn converted(&self, conversion: &CoordinateConversion) -> Self {
        Self {
            air_density: conversion.scalar(self.air_density, -3),
            drag_area: conversion.scalar(self.drag_area, 2),
            drag_point: conversion.length(self.drag_point),
            downforces: self.downforces.converted(conversion),
        }
    }
}

impl Convert for DownforceParams {
    fn converted(&self, conversion: &CoordinateConversion) -> Self {
        Self { area: conversion.scalar(self.area, 2), point: conversion.length(self.point) }
    }
}

impl<Tire: Convert> Convert for MechanicalParams<Tire> {
    fn converted(&self, conversion: &CoordinateConversion) -> Self {
        let brakes = self.brakes.iter();
        Self {
            axles: self.axles.clone(),
            rigid_body: self.rigid_body.converted(conversion),
            brakes: brakes.map(|torque| torque.converted(conversion, 2)).collect(),
            brake_valves: self.brake_valves.converted(conversion),
            steering: self.steering.converted(conversion, 0),
            ackermann: self.ackermann.converted(conversion),
            steering_system: self.steering_system.converted(conversion),
            jounce: self.jounce.converted(conversion),
            wheels: self.wheels.converted(conversion),
            suspensions: self.suspensions.converted(conversion),
            compliances: self.compliances.converted(conversion),
            suspension_forces: self.suspension_forces.converted(conversion),
            anti_roll_bars: self.anti_roll_bars.converted(conversion),
            beam_axles: self.beam_axles.converted(conversion),
            aerodynamics: self.aerodynamics.converted(conversion),
            suspension_dynamics: self.suspension_dynamics.converted(conversion),
            suspension_limit: self.suspension_limit.converted(conversion),
            tires: self.tires.converted(conversion),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde::Serialize;
    use serde_json::Value;

    use super::*;
    use crate::blueprint::CarBlueprint;
    use crate::commands::{CommandResponseParams, ResponseRow, ResponseTable};
    use crate::frame::{CoordinateSystem, Frame};
    use crate::legacy::LegacySuspensionForceParams;
    use crate::lookup_table::LookupTable;
    use crate::math::{PI, Pose, Real, Vec3, rotation_about};
    use crate::mount::SuspensionParams;
    use crate::steering::SteeringSystemParams;
    use crate::suspension::{AntiRollBarParams, BeamAxleParams};
    use crate::tire::TireStickyParams;

    const METERS: CoordinateSystem = CoordinateSystem { frame: Frame::Z_UP, length_scale: 1.0 };

    fn centimeters(frame: Frame) -> CoordinateSystem {
        CoordinateSystem { frame, length_scale: 100.0 }
    }

    /// x, y, z become z, x, y, in centimeters.
    fn to_y_up() -> CoordinateConversion {
        CoordinateConversion::new(&METERS, &centimeters(Frame::Y_UP))
    }

    fn assert_close(actual: &impl Serialize, expected: &impl Serialize, what: &str) {
        let [actual, expected] =
            [serde_json::to_value(actual), serde_json::to_value(expected)].map(Result::unwrap);
        assert_same(&actual, &expected, what);
    }

    /// Numbers may differ by the rounding of a few products.
    fn assert_same(actual: &Value, expected: &Value, what: &str) {
        match (actual, expected) {
            (Value::Array(actual), Value::Array(expected)) => {
                assert_eq!(actual.len(), expected.len(), "{what}");
                for (index, (actual, expected)) in actual.iter().zip(expected).enumerate() {
                    assert_same(actual, expected, &format!("{what}[{index}]"));
                }
            }
            (Value::Object(actual), Value::Object(expected)) => {
                assert!(actual.keys().eq(expected.keys()), "{what}: {actual:?}, {expected:?}");
                for (name, expected) in expected {
                    assert_same(&actual[name], expected, &format!("{what}.{name}"));
                }
            }
            (Value::Number(actual), Value::Number(expected)) => {
                let (actual, expected) = (actual.as_f64().unwrap(), expected.as_f64().unwrap());
                let error = (actual - expected).abs();
                assert!(error <= 1e-6 * expected.abs(), "{what}: {actual}, expected {expected}");
            }
            _ => assert_eq!(actual, expected, "{what}"),
        }
    }

    /// A response that falls from 1 at 10 m/s to 0 at 30 m/s.
    fn fading_response(max_response: Real) -> CommandResponseParams {
        let response = LookupTable::new([(10.0, 1.0), (30.0, 0.0)]).unwrap();
        let table = ResponseTable::new([ResponseRow { command: 0.5, response }]).unwrap();
        CommandResponseParams { max_response, wheel_multipliers: vec![1.0; 4], table: Some(table) }
    }

    fn car() -> MechanicalParams {
        let blueprint = CarBlueprint { frame: METERS.frame, ..CarBlueprint::default() };
        let mut params = blueprint.mechanics().unwrap();
        params.brakes[0] = fading_response(1_500.0);
        params.steering = fading_response(0.5);
        params.wheels[0].shoulder_radius = 0.08;
        params.steering_system = Some(SteeringSystemParams::car(0, 1));
        params.anti_roll_bars = vec![AntiRollBarParams::new([0, 1], 12e3)];
        params.beam_axles = vec![BeamAxleParams {
            damper_track: 1.3,
            roll_center_height: 0.3,
            roll_steer: 0.1,
            ..BeamAxleParams::new([2, 3], 50.0, 1.1)
        }];
        for (index, suspension) in params.suspensions.iter_mut().enumerate() {
            let rotation = rotation_about(Vec3::new(0.6, 0.0, 0.8), 0.1 * index as Real);
            suspension.attachment.rotation = rotation;
            suspension.wheel_attachment = Pose::from_parts(Vec3::new(0.01, 0.02, 0.03), rotation);
        }
        for compliance in &mut params.compliances {
            compliance.toe = LookupTable::new([(0.0, -0.01), (1.0, 0.02)]).unwrap();
            let points = [(0.0, Vec3::new(0.1, 0.2, 0.3)), (0.5, Vec3::new(-0.1, 0.0, 0.3))];
            compliance.suspension_force_point = LookupTable::new(points).unwrap();
        }
        params
    }

    fn world() -> SimulationParams {
        let tire_sticky = Some(TireStickyParams::default());
        SimulationParams { tire_sticky, ..SimulationParams::new(METERS.frame) }
    }

    #[test]
    fn there_and_back_is_where_it_was() {
        for frame in Frame::all() {
            let there = CoordinateConversion::new(&METERS, &centimeters(frame));
            let back = CoordinateConversion::new(&centimeters(frame), &METERS);
            let what = format!("{frame:?}");
            assert_close(&car().converted(&there).converted(&back), &car(), &what);
            assert_close(&world().converted(&there).converted(&back), &world(), &what);
        }
    }

    #[test]
    fn every_quantity_follows_its_dimension() {
        let (car, conversion) = (car(), to_y_up());
        let converted = car.converted(&conversion);
        let system = converted.steering_system.clone().unwrap();
        let numbers = [
            ("mass", converted.rigid_body.mass, car.rigid_body.mass),
            ("brake torque", converted.brakes[0].max_response, 15e6),
            ("steer angle", converted.steering.max_response, 0.5),
            ("wheel base", converted.ackermann[0].wheel_base, 270.0),
            ("strength", converted.ackermann[0].strength, 1.0),
            ("radius", converted.wheels[0].radius, 33.0),
            ("shoulder radius", converted.wheels[0].shoulder_radius, 8.0),
            ("wheel inertia", converted.wheels[0].inertia, 12e3),
            ("damping rate", converted.wheels[0].damping_rate, 500.0),
            ("inflation pressure", converted.wheels[0].inflation_pressure, 2_200.0),
            ("radial stiffness", converted.wheels[0].stiffness(), car.wheels[0].stiffness()),
            ("travel distance", converted.suspensions[0].travel_distance, 25.0),
            ("steering inertia", system.inertia, 500.0),
            ("steering damping", system.damping, 10e3),
            ("steering friction", system.friction, 10e3),
            ("trail", system.axes[0].mechanical_trail, 2.5),
            ("offset", system.axes[1].kingpin_offset, 1.0),
            ("bar", converted.anti_roll_bars[0].stiffness, 12e3),
            ("roll inertia", converted.beam_axles[0].roll_inertia, 50e4),
            ("spring track", converted.beam_axles[0].spring_track, 110.0),
            ("damper track", converted.beam_axles[0].damper_track, 130.0),
            ("roll center", converted.beam_axles[0].roll_center_height, 30.0),
            ("roll steer", converted.beam_axles[0].roll_steer, 0.1),
            ("rest load", converted.tires[0].rest_load, 100.0 * car.tires[0].rest_load),
        ];
        for (what, actual, expected) in numbers {
            assert_close(&actual, &expected, what);
        }
        assert_eq!(converted.suspension_forces, car.suspension_forces);
        assert_eq!(converted.suspension_limit, car.suspension_limit);
        assert_eq!(converted.suspensions[0].travel_direction, Vec3::NEG_Y);
    }

    #[test]
    fn legacy_suspension_scales_its_rest_distance_alone() {
        let spring = LegacySuspensionForceParams {
            stiffness: 30e3,
            damping: 2e3,
            rest_distance: 0.25,
            sprung_mass: 400.0,
        };
        let expected = LegacySuspensionForceParams { rest_distance: 25.0, ..spring };
        assert_eq!(spring.converted(&to_y_up()), expected);
    }

    #[test]
    fn tables_keep_their_shape() {
        let brake = fading_response(1_500.0).converted(&to_y_up(), 2);
        let expected = [(1_000.0, 1.0), (3_000.0, 0.0)];
        assert_eq!(brake.table.unwrap().rows()[0].response.points(), expected);

        let compliance = car().compliances[0].converted(&to_y_up());
        assert_eq!(compliance.toe.points(), [(0.0, -0.01), (1.0, 0.02)]);
        let [(first, point), (second, _)] = compliance.suspension_force_point.points() else {
            panic!("two points, as before: {compliance:?}");
        };
        assert_eq!((*first, *second), (0.0, 0.5));
        assert_close(&point.to_array(), &[20.0, 30.0, 10.0], "force point");
    }

    #[test]
    fn speeds_that_rounding_joins_become_one_point() {
        // The two numbers below 2; the products are above 2, where numbers are twice as far apart.
        let speeds = [1.999_999_8, 1.999_999_9];
        let response = LookupTable::new(speeds.map(|speed| (speed, 1.0))).unwrap();
        let target = CoordinateSystem { length_scale: 1.1, ..METERS };
        let row = ResponseRow { command: 1.0, response }
            .converted(&CoordinateConversion::new(&METERS, &target));
        assert_eq!(row.response.points(), [(1.999_999_9 * 1.1, 1.0)]);
    }

    #[test]
    fn car_built_in_other_axes_is_the_car_converted() {
        let built = |frame| CarBlueprint { frame, ..CarBlueprint::default() }.mechanics().unwrap();
        for frame in Frame::all() {
            let target = CoordinateSystem { frame, length_scale: 1.0 };
            let conversion = CoordinateConversion::new(&METERS, &target);
            let converted = built(METERS.frame).converted(&conversion);
            assert_close(&converted, &built(frame), &format!("{frame:?}"));
            let world = SimulationParams::new(METERS.frame).converted(&conversion);
            assert_eq!(world, SimulationParams::new(frame));
        }
    }

    #[test]
    fn body_turns_with_its_axes() {
        let body = RigidBodyParams { mass: 1_000.0, inertia: Vec3::new(1.0, 2.0, 3.0) };
        assert_eq!(body.converted(&to_y_up()).inertia, Vec3::new(2.0, 3.0, 1.0) * 1e4);

        let mount = SuspensionParams {
            attachment: Pose::from_parts(Vec3::X, rotation_about(Vec3::Z, PI / 2.0)),
            travel_direction: Vec3::NEG_Z,
            travel_distance: 0.2,
            wheel_attachment: Pose::IDENTITY,
        };
        let attachment = mount.converted(&to_y_up()).attachment;
        assert_eq!(attachment.translation, Vec3::Z * 100.0);
        // Forward turns to the left, in any axes.
        let left = attachment.rotation * Vec3::Z;
        assert!(left.distance(Vec3::X) < 1e-6, "{left}");
    }

    #[test]
    fn world_takes_the_axes_of_the_target() {
        let world = world().converted(&to_y_up());
        assert_eq!(world.coordinates, centimeters(Frame::Y_UP));
        assert_close(&world.gravity.to_array(), &[0.0, -981.0, 0.0], "gravity");
        assert_eq!(world.rolling_blend_speed, 500.0);
        assert_eq!(world.tire_slip.min_lateral_denominator, 100.0);
        let sticky = world.tire_sticky.unwrap().lateral;
        assert_close(&sticky.threshold_speed, &20.0, "threshold speed");
        assert_eq!((sticky.threshold_time, sticky.damping), (1.0, 0.1));
    }
}
