//! The data sheet of a car with two axles.

use serde::{Deserialize, Serialize};

use super::assembly::{Assembly, BlueprintBody};
use super::axle::{AxleBlueprint, AxleBrakeValve, check_travel, rest_jounce};
use super::ride::AxleRide;
use super::tire::LATERAL_STIFFNESS_PER_LOAD;
use super::vehicle::VehicleBlueprint;
use super::{plausible, usual};
use crate::error::{Bound, ParamCheck, ParamErrors, Validate};
use crate::frame::Frame;
use crate::math::Real;
use crate::mount::WheelParams;
use crate::vehicle::MechanicalParams;

/// The data sheet of a car with two axles: wheels 0 and 1 are front right and front left, 2 and 3
/// rear right and rear left.
///
/// ```
/// use vehicle_core::blueprint::CarBlueprint;
///
/// let heavy = CarBlueprint { mass: 2_100.0, front_share: 0.48, ..CarBlueprint::default() };
/// let params = heavy.mechanics()?;
/// assert_eq!(params.axles.wheel_count(), 4);
/// # Ok::<(), vehicle_core::ParamErrors>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct CarBlueprint {
    /// Axes of the car. If a vehicle file leaves them out, the file's `frame` applies.
    #[serde(default)]
    pub frame: Frame,
    /// Mass, wheels included (kg).
    pub mass: Real,
    /// Length, width and height of the body (m), from which the inertia follows unless it is given.
    pub size: [Real; 3],
    /// Moments of inertia of roll, pitch and yaw, about the center of mass, wheels included
    /// (kg·m²). By default, those of a homogeneous box of its size.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inertia: Option<[Real; 3]>,
    /// Distance between the axles (m).
    pub wheel_base: Real,
    /// Distance between the wheels of an axle (m).
    pub track_width: Real,
    /// Part of the weight that the front axle carries, in (0, 1).
    pub front_share: Real,
    /// Height of the center of mass above the ground, at rest (m).
    pub center_of_mass_height: Real,
    /// Shape and inertia of each wheel.
    #[serde(default)]
    pub wheel: WheelParams,
    /// Natural frequency of the body on its springs (Hz).
    #[serde(default = "usual::natural_frequency")]
    pub natural_frequency: Real,
    /// Damping of the suspension, 1 for critical (dimensionless).
    #[serde(default = "usual::damping_ratio")]
    pub damping_ratio: Real,
    /// Distance from full compression to full droop (m).
    #[serde(default = "usual::travel_distance")]
    pub travel_distance: Real,
    /// Stiffness of the anti-roll bar of the front and of the rear axle (N/m), 0 for none.
    #[serde(default)]
    pub anti_roll_stiffness: [Real; 2],
    /// Steer angle of the front wheels at full lock (rad).
    #[serde(default = "usual_max_steer_angle")]
    pub max_steer_angle: Real,
    /// Brake torque of each front and each rear wheel at a full foot brake (N·m).
    pub brake_torques: [Real; 2],
    /// Brake torque of each rear wheel at a full hand brake (N·m).
    #[serde(default)]
    pub hand_brake_torque: Real,
    /// Load-sensing valve of the rear foot brakes; without a valve, the full torque acts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rear_brake_valve: Option<AxleBrakeValve>,
    /// Drag coefficient times frontal area (m²).
    #[serde(default)]
    pub drag_area: Real,
    /// Force that resists the rolling of its tires by their load (dimensionless). By default,
    /// [the usual one](crate::wheel::usual_rolling_resistance) for their radius.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rolling_resistance: Option<Real>,
    /// Wheels with mass, on tires that give way, of the front and of the rear axle; by default with
    /// the usual numbers. `None`, in a file `null`, for wheels that follow the road at once.
    #[serde(default = "usual_ride")]
    pub ride: Option<[AxleRide; 2]>,
}

fn usual_max_steer_angle() -> Real {
    CarBlueprint::default().max_steer_angle
}

fn usual_ride() -> Option<[AxleRide; 2]> {
    CarBlueprint::default().ride
}

impl Default for CarBlueprint {
    /// A mid-size saloon.
    ///
    /// On a dry road of friction 1.1, at 30 to 240 steps per second, with one substep or more, on
    /// rays and on whole wheels:
    ///
    /// | | |
    /// |---|---|
    /// | 100 to 0 km/h, best constant pedal | 37 to 39 m |
    /// | 100 to 0 km/h, pedal on the floor | 43 to 44 m, straight on with hands off |
    /// | wheels that lock first, friction 0.3 to 1.1 | the front ones |
    /// | understeer, 0.2 to 0.4 g at 25 m/s | 2.8 degrees per g |
    /// | roll | 4.0 degrees per g |
    /// | side slip as the brakes act in a bend of 0.5 g, any pedal | below 3 degrees |
    /// | friction of a tire that slides, in any direction | 0.8 of its peak |
    fn default() -> Self {
        Self {
            frame: Frame::default(),
            mass: 1_500.0,
            size: [4.5, 1.8, 1.2],
            inertia: None,
            wheel_base: 2.7,
            track_width: 1.55,
            front_share: 0.55,
            center_of_mass_height: 0.55,
            wheel: WheelParams::default(),
            natural_frequency: usual::natural_frequency(),
            damping_ratio: usual::damping_ratio(),
            travel_distance: usual::travel_distance(),
            anti_roll_stiffness: [26_000.0, 11_200.0],
            max_steer_angle: 0.6,
            brake_torques: [2_400.0, 670.0],
            hand_brake_torque: 1_500.0,
            rear_brake_valve: None,
            drag_area: 0.65,
            rolling_resistance: None,
            ride: Some([AxleRide::default(); 2]),
        }
    }
}

impl Validate for CarBlueprint {
    fn check(&self, check: &mut ParamCheck) {
        plausible::MASS.check(check, "mass", self.mass);
        plausible::check_density(check, "mass", self.mass, self.size);
        for (index, &size) in self.size.iter().enumerate() {
            plausible::SIZE.check(check, format_args!("size[{index}]"), size);
        }
        plausible::check_inertia(check, self.inertia);
        plausible::WHEEL_BASE.check(check, "wheel_base", self.wheel_base);
        plausible::TRACK_WIDTH.check(check, "track_width", self.track_width);
        let [length, width, _] = self.size;
        if plausible::WHEEL_BASE.holds(self.wheel_base) {
            let of = (length, "length");
            plausible::check_spread(check, "wheel_base", self.wheel_base, of);
        }
        if plausible::TRACK_WIDTH.holds(self.track_width) {
            plausible::check_spread(check, "track_width", self.track_width, (width, "width"));
        }
        plausible::FRONT_SHARE.check(check, "front_share", self.front_share);
        plausible::HEIGHT.check(check, "center_of_mass_height", self.center_of_mass_height);
        check.field("wheel", |inner| {
            self.wheel.check(inner);
            plausible::check_wheel(inner, &self.wheel);
        });
        plausible::NATURAL_FREQUENCY.check(check, "natural_frequency", self.natural_frequency);
        plausible::DAMPING_RATIO.check(check, "damping_ratio", self.damping_ratio);
        plausible::TRAVEL.check(check, "travel_distance", self.travel_distance);
        plausible::STEER_ANGLE.check(check, "max_steer_angle", self.max_steer_angle);
        let pairs = [
            ("anti_roll_stiffness", self.anti_roll_stiffness, plausible::ANTI_ROLL_STIFFNESS),
            ("brake_torques", self.brake_torques, plausible::BRAKE_TORQUE),
        ];
        for (name, values, range) in pairs {
            for (index, value) in values.into_iter().enumerate() {
                range.check(check, format_args!("{name}[{index}]"), value);
            }
        }
        plausible::BRAKE_TORQUE.check(check, "hand_brake_torque", self.hand_brake_torque);
        if let Some(valve) = &self.rear_brake_valve {
            check.field("rear_brake_valve", |inner| valve.check(inner));
        }
        check.number("drag_area", self.drag_area, Bound::NotNegative);
        plausible::check_air_area(check, "drag_area", self.drag_area, self.size);
        if let Some(resistance) = self.rolling_resistance {
            check.number("rolling_resistance", resistance, Bound::Within(0.0, 1.0));
        }
        check_travel(check, self.natural_frequency, self.travel_distance);
        plausible::check_half_width(check, self.wheel.half_width, self.track_width);
        let axles = self.axles();
        // The lighter one tells for both.
        let lightest = axles.iter().min_by(|a, b| a.load.total_cmp(&b.load));
        if let (Some(axle), true) = (lightest, plausible::FRONT_SHARE.holds(self.front_share)) {
            axle.check_wheel_mass(check);
        }
        for (index, axle) in axles.iter().enumerate().filter(|_| self.ride.is_some()) {
            check.field(format_args!("ride[{index}]"), |inner| axle.check_ride(inner));
        }
    }
}

impl CarBlueprint {
    /// The parameters of the car's mechanical base.
    ///
    /// # Errors
    ///
    /// All faults of the data sheet; a suspension that would be fully compressed at rest is one.
    pub fn mechanics(&self) -> Result<MechanicalParams, ParamErrors> {
        self.validate()?;
        let Self { frame, center_of_mass_height, drag_area, .. } = *self;
        let body = BlueprintBody { mass: self.mass, size: self.size, inertia: self.inertia };
        let forward = self.wheel_base * (1.0 - self.front_share);
        let places = [forward, forward - self.wheel_base];
        let axles = self.axles().into_iter().zip(places);
        let assembly = Assembly::new(frame, body, center_of_mass_height, drag_area, axles);
        assembly.mechanics()
    }

    /// This car as a blueprint of any vehicle, to which axles can be added or given what differs
    /// between them.
    pub fn of_axles(&self) -> VehicleBlueprint {
        let Self { frame, size, center_of_mass_height, drag_area, .. } = *self;
        VehicleBlueprint {
            frame,
            inertia: self.inertia,
            drag_area,
            ..VehicleBlueprint::new(size, center_of_mass_height, self.axles())
        }
    }

    /// This car with brakes for a road of this `friction`, as of [`VehicleBlueprint::with_brakes`].
    pub fn with_brakes(self, friction: Real) -> Self {
        let sheet = self.of_axles().with_brakes(friction);
        Self { brake_torques: [0, 1].map(|axle| sheet.axles[axle].brake_torque), ..self }
    }

    /// Jounce of every wheel at rest (m): g / ω², whatever the mass.
    pub fn rest_jounce(&self) -> Real {
        rest_jounce(self.natural_frequency)
    }

    /// Front and rear axle: the lever rule tells what each carries.
    pub(super) fn axles(&self) -> [AxleBlueprint; 2] {
        let front = self.mass * self.front_share;
        let axle = |position, load, index: usize| AxleBlueprint {
            wheel: self.wheel,
            natural_frequency: self.natural_frequency,
            damping_ratio: self.damping_ratio,
            travel_distance: self.travel_distance,
            anti_roll_stiffness: self.anti_roll_stiffness[index],
            lateral_stiffness_per_load: Some(LATERAL_STIFFNESS_PER_LOAD[index]),
            rolling_resistance: self.rolling_resistance,
            ride: self.ride.map(|ride| ride[index]),
            ..AxleBlueprint::new(position, self.track_width, load, self.brake_torques[index])
        };
        [
            AxleBlueprint { max_steer_angle: self.max_steer_angle, ..axle(0.0, front, 0) },
            AxleBlueprint {
                hand_brake_torque: self.hand_brake_torque,
                brake_valve: self.rear_brake_valve,
                ..axle(self.wheel_base, self.mass - front, 1)
            },
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::GRAVITY;
    use crate::suspension::sprung_masses;

    #[test]
    fn masses_are_those_that_balance() {
        for frame in Frame::all() {
            let blueprint = CarBlueprint { frame, ..CarBlueprint::default() };
            let params = blueprint.mechanics().unwrap();
            let positions: Vec<_> = params
                .suspensions
                .iter()
                .map(|suspension| suspension.attachment.translation)
                .collect();
            let balanced =
                sprung_masses(&positions, blueprint.mass, frame.vertical_axis()).unwrap();
            for (ours, expected) in params.suspension_forces.iter().zip(balanced) {
                let ours = ours.sprung_mass;
                assert!((ours - expected).abs() < 1e-2, "{ours} kg, {expected} kg");
            }
        }
    }

    #[test]
    fn springs_carry_the_car_at_the_rest_jounce() {
        let heavy = CarBlueprint::default();
        let light = CarBlueprint { ride: None, ..heavy.clone() };
        // Wheels with mass stand on their tires.
        let unsprung = 8.0 * heavy.wheel.mass;
        for (blueprint, sprung) in [(&heavy, heavy.mass - unsprung), (&light, light.mass)] {
            let params = blueprint.mechanics().unwrap();
            let springs = params.suspension_forces.iter();
            let load: Real = springs.map(|spring| spring.stiffness * blueprint.rest_jounce()).sum();
            assert!((load / (sprung * GRAVITY) - 1.0).abs() < 1e-5, "{load} N");
        }
    }

    #[test]
    fn forces_act_on_the_ground() {
        let blueprint = CarBlueprint { ride: None, ..CarBlueprint::default() };
        let params = blueprint.mechanics().unwrap();
        let normalized = blueprint.rest_jounce() / blueprint.travel_distance;
        let compliance = &params.compliances[0];
        for point in [&compliance.suspension_force_point, &compliance.tire_force_point] {
            let point = point.evaluate(normalized);
            let contact = params.suspensions[0].attachment.transform_point(point);
            assert!((contact.y + blueprint.center_of_mass_height).abs() < 1e-5, "{contact}");
        }
    }

    /// Text of the faults of the default car after a `change`.
    fn said(change: impl FnOnce(&mut CarBlueprint)) -> String {
        let mut sheet = CarBlueprint::default();
        change(&mut sheet);
        sheet.mechanics().map_or_else(|errors| errors.to_string(), |_| String::new())
    }

    #[test]
    fn numbers_in_other_units_are_named_with_their_field_and_unit() {
        for (text, expected) in [
            (
                said(|it| it.wheel_base = 2_600.0),
                "wheel_base must be within [0.05, 20] (m), got 2600: in millimeters?",
            ),
            (said(|it| it.mass = 1.5), "(kg) for a body of this size, got 1.5: in tonnes?"),
            (
                said(|it| it.max_steer_angle = 35.0),
                "max_steer_angle must be within [-1.5, 1.5] (rad), got 35: in degrees?",
            ),
            (
                said(|it| it.damping_ratio = 40.0),
                "damping_ratio must be within [0, 5] (dimensionless), got 40: in percent?",
            ),
            (said(|it| it.front_share = 55.0), "got 55: in percent?"),
            (
                said(|it| it.wheel.radius = 330.0),
                "wheel.radius must be within [0.005, 3] (m), got 330: in millimeters?",
            ),
            (said(|it| it.wheel.inflation_pressure = 2.2), "got 2.2: in bar?"),
            (said(|it| it.natural_frequency = 84.0), "(Hz), got 84: in oscillations per minute?"),
            (said(|it| it.travel_distance = 250.0), "(m), got 250: in millimeters?"),
            (said(|it| it.drag_area = 6_500.0), "for a body of this size, got 6500: in cm²?"),
            (
                said(|it| it.size[0] = 4_500.0),
                "size[0] must be within [0.01, 100] (m), got 4500: in millimeters?",
            ),
            (said(|it| it.center_of_mass_height = 550.0), "got 550: in millimeters?"),
            (
                said(|it| {
                    it.ride =
                        Some([AxleRide { tire_stiffness: Some(220.0), ..AxleRide::default() }; 2]);
                }),
                "ride[0].tire_stiffness must be within",
            ),
        ] {
            assert!(text.contains(expected), "{text}");
        }
    }

    #[test]
    fn each_number_of_a_data_sheet_has_bounds_that_name_it() {
        let sheet = serde_json::to_value(CarBlueprint::default()).unwrap();
        let mut paths = Vec::new();
        numbers(&sheet, "", &mut paths);
        assert!(25 < paths.len(), "{paths:?}");
        for path in paths {
            let mut sheet = sheet.clone();
            *sheet.pointer_mut(&path).unwrap() = 1e9.into();
            let Ok(sheet) = serde_json::from_value::<CarBlueprint>(sheet) else { continue };
            let text = sheet.mechanics().expect_err(&path).to_string();
            let mut parts = path.rsplit('/').filter(|part| part.parse::<usize>().is_err());
            let name = parts.next().unwrap();
            assert!(text.contains(name), "{path}: {text}");
        }
    }

    /// Paths of all numbers of `value`, but for the kinds of tires, which are names.
    fn numbers(value: &serde_json::Value, path: &str, paths: &mut Vec<String>) {
        match value {
            serde_json::Value::Object(fields) => fields
                .iter()
                .filter(|(name, _)| *name != "frame" && *name != "tire_kind")
                .for_each(|(name, field)| numbers(field, &format!("{path}/{name}"), paths)),
            serde_json::Value::Array(items) => items
                .iter()
                .enumerate()
                .for_each(|(index, item)| numbers(item, &format!("{path}/{index}"), paths)),
            serde_json::Value::Number(_) => paths.push(path.to_owned()),
            _ => {}
        }
    }

    #[test]
    fn inertia_that_is_given_is_that_of_the_body() {
        for frame in Frame::all() {
            let inertia = Some([500.0, 2_400.0, 2_600.0]);
            let sheet = CarBlueprint { frame, inertia, ..CarBlueprint::default() };
            for params in [sheet.mechanics().unwrap(), sheet.of_axles().mechanics().unwrap()] {
                let moments = params.rigid_body.inertia;
                let [forward, left, up] =
                    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(|[x, y, z]| {
                        let axis = frame.translation(x, y, z);
                        (moments * axis * axis).element_sum()
                    });
                assert_eq!([forward, left, up], [500.0, 2_400.0, 2_600.0], "{frame:?}");
            }
        }
        let text = said(|it| it.inertia = Some([500.0, -1.0, 2_600.0]));
        assert!(text.contains("inertia[1] must be positive and finite, got -1"), "{text}");
        let text = said(|it| it.inertia = Some([500.0, 500.0, 9_000.0]));
        assert!(text.contains("inertia.y must be at most"), "{text}");
    }

    #[test]
    fn soft_springs_need_travel() {
        let soft = CarBlueprint { natural_frequency: 0.9, ..CarBlueprint::default() };
        let error = soft.mechanics().unwrap_err().to_string();
        assert!(error.starts_with("travel_distance must be above the jounce at rest"), "{error}");
    }
}
