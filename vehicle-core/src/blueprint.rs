//! Blueprint: from the data sheet of a car to all parameters of its mechanical base.
//!
//! Spring rates follow from a natural frequency, dampers from a damping ratio, sprung masses from
//! the center of mass, tires from the loads that they carry.

use serde::{Deserialize, Serialize};

use crate::aerodynamics::AerodynamicsParams;
use crate::axle::AxleDescription;
use crate::body::RigidBodyParams;
use crate::commands::CommandResponseParams;
use crate::constraint_rows::SuspensionLimitParams;
use crate::context::GRAVITY;
use crate::error::{Bound, ParamCheck, ParamErrors, Validate};
use crate::frame::Frame;
use crate::mass_distribution::MassDistribution;
use crate::math::{Pose, Real, TAU, Vec3};
use crate::mount::SuspensionParams;
use crate::mount::WheelParams;
use crate::steering::{AckermannInput, AckermannParams};
use crate::suspension::unsprung::SuspensionDynamics;
use crate::suspension::{
    AntiRollBarParams, JounceParams, SuspensionComplianceParams, SuspensionForceParams,
};
use crate::tire::BrushTire;
use crate::vehicle::MechanicalParams;

/// Longitudinal stiffness of a tire per load at rest (dimensionless).
const LONGITUDINAL_STIFFNESS_PER_LOAD: Real = 16.0;
/// Largest lateral stiffness of a front and of a rear tire per load at rest (1/rad); 7/8 of it at this
/// load. The front's is that of tire, steering gear and steering column together, which makes the car
/// understeer.
const LATERAL_STIFFNESS_PER_LOAD: [Real; 2] = [15.5, 25.0];
/// Load, divided by the load at rest, at which the lateral stiffness is largest (dimensionless).
const LATERAL_STIFFNESS_LOAD: Real = 2.0;
/// Pneumatic trail under the load at rest by the radius (dimensionless): 3 cm for the wheel of a car.
const PNEUMATIC_TRAIL_PER_RADIUS: Real = 0.09;
/// Friction multiplier of a tire against its combined slip: a fifth is lost when it slides.
const FRICTION_VS_SLIP: [(Real, Real); 3] = [(0.0, 1.0), (0.2, 1.0), (1.0, 0.8)];

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
    /// Axes of the car.
    #[serde(default)]
    pub frame: Frame,
    /// Mass, wheels included (kg).
    pub mass: Real,
    /// Length, width and height of the body (m), from which the inertia follows.
    pub size: [Real; 3],
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
    #[serde(default = "usual_natural_frequency")]
    pub natural_frequency: Real,
    /// Damping of the suspension, 1 for critical (dimensionless).
    #[serde(default = "usual_damping_ratio")]
    pub damping_ratio: Real,
    /// Distance from full compression to full droop (m).
    #[serde(default = "usual_travel_distance")]
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
    /// Drag coefficient times frontal area (m²).
    #[serde(default)]
    pub drag_area: Real,
}

fn usual_natural_frequency() -> Real {
    CarBlueprint::default().natural_frequency
}

fn usual_damping_ratio() -> Real {
    CarBlueprint::default().damping_ratio
}

fn usual_travel_distance() -> Real {
    CarBlueprint::default().travel_distance
}

fn usual_max_steer_angle() -> Real {
    CarBlueprint::default().max_steer_angle
}

impl Default for CarBlueprint {
    /// A mid-size saloon.
    ///
    /// On a dry road of friction 1.1, at 30 to 240 steps per second, with one substep or more, on rays
    /// and on whole wheels:
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
            wheel_base: 2.7,
            track_width: 1.55,
            front_share: 0.55,
            center_of_mass_height: 0.55,
            wheel: WheelParams::default(),
            natural_frequency: 1.4,
            damping_ratio: 0.4,
            travel_distance: 0.25,
            anti_roll_stiffness: [16_000.0, 6_000.0],
            max_steer_angle: 0.6,
            brake_torques: [2_400.0, 670.0],
            hand_brake_torque: 1_500.0,
            drag_area: 0.65,
        }
    }
}

impl Validate for CarBlueprint {
    fn check(&self, check: &mut ParamCheck) {
        check.number("mass", self.mass, Bound::Positive);
        for (index, &size) in self.size.iter().enumerate() {
            check.number(format_args!("size[{index}]"), size, Bound::Positive);
        }
        check.number("wheel_base", self.wheel_base, Bound::Positive);
        check.number("track_width", self.track_width, Bound::Positive);
        check.number("front_share", self.front_share, Bound::Within(0.01, 0.99));
        check.number("center_of_mass_height", self.center_of_mass_height, Bound::Positive);
        check.field("wheel", |inner| self.wheel.check(inner));
        check.number("natural_frequency", self.natural_frequency, Bound::Positive);
        check.number("damping_ratio", self.damping_ratio, Bound::NotNegative);
        check.number("travel_distance", self.travel_distance, Bound::Positive);
        check.number("drag_area", self.drag_area, Bound::NotNegative);
        for (index, &stiffness) in self.anti_roll_stiffness.iter().enumerate() {
            let name = format_args!("anti_roll_stiffness[{index}]");
            check.number(name, stiffness, Bound::NotNegative);
        }
        let rest = self.rest_jounce();
        let requirement = format_args!("above the jounce at rest, {rest} m");
        let has_travel_left = rest < self.travel_distance;
        check.require("travel_distance", has_travel_left, requirement, self.travel_distance);
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
        let suspensions = self.wheel_positions().map(|position| self.suspension(position));
        let masses = self.sprung_masses();
        let params = MechanicalParams {
            axles: AxleDescription::new([[0, 1], [2, 3]])?,
            rigid_body: self.rigid_body(),
            brakes: self.brakes(),
            steering: CommandResponseParams::linear(self.max_steer_angle, [1.0, 1.0, 0.0, 0.0]),
            ackermann: vec![self.ackermann()],
            steering_system: None,
            jounce: JounceParams::default(),
            wheels: vec![self.wheel; 4],
            suspensions: suspensions.to_vec(),
            compliances: vec![self.compliance(); 4],
            suspension_forces: masses.map(|mass| self.spring(mass)).to_vec(),
            anti_roll_bars: self.anti_roll_bars(),
            aerodynamics: self.aerodynamics(),
            suspension_dynamics: SuspensionDynamics::default(),
            suspension_limit: SuspensionLimitParams::default(),
            tires: tires(masses, self.wheel.radius).to_vec(),
        };
        params.validate()?;
        Ok(params)
    }

    /// Jounce of every wheel at rest (m): g / ω², whatever the mass.
    pub fn rest_jounce(&self) -> Real {
        let frequency = TAU * self.natural_frequency;
        GRAVITY / (frequency * frequency)
    }

    /// Mass and inertia of a homogeneous box.
    fn rigid_body(&self) -> RigidBodyParams {
        let [length, width, height] = self.size;
        let size = self.frame.translation(length, width, height).abs();
        MassDistribution::block(self.mass, size, Vec3::ZERO).rigid_body
    }

    /// Centers of the wheels at rest (m, body frame).
    fn wheel_positions(&self) -> [Vec3; 4] {
        let front = self.wheel_base * (1.0 - self.front_share);
        let rear = front - self.wheel_base;
        let side = 0.5 * self.track_width;
        let up = self.wheel.radius - self.center_of_mass_height;
        [(front, -side), (front, side), (rear, -side), (rear, side)]
            .map(|(forward, left)| self.frame.translation(forward, left, up))
    }

    /// Sprung masses (kg): the lever rule between the axles, halves within.
    fn sprung_masses(&self) -> [Real; 4] {
        let front = 0.5 * self.mass * self.front_share;
        let rear = 0.5 * self.mass - front;
        [front, front, rear, rear]
    }

    fn suspension(&self, wheel: Vec3) -> SuspensionParams {
        let down = -self.frame.vertical();
        let left_to_droop = self.travel_distance - self.rest_jounce();
        SuspensionParams {
            attachment: Pose::from_translation(wheel - down * left_to_droop),
            travel_direction: down,
            travel_distance: self.travel_distance,
            wheel_attachment: Pose::IDENTITY,
        }
    }

    /// Load and tire act where the wheel touches the ground.
    fn compliance(&self) -> SuspensionComplianceParams {
        let down = -self.frame.vertical();
        SuspensionComplianceParams::at_contact(down, self.travel_distance, self.wheel.radius)
    }

    /// ```text
    /// k = m ω²,   c = 2 ζ m ω
    /// ```
    fn spring(&self, sprung_mass: Real) -> SuspensionForceParams {
        let angular_frequency = TAU * self.natural_frequency;
        SuspensionForceParams {
            stiffness: sprung_mass * angular_frequency * angular_frequency,
            damping: 2.0 * self.damping_ratio * sprung_mass * angular_frequency,
            sprung_mass,
        }
    }

    /// Drag at the center of mass, no downforce.
    fn aerodynamics(&self) -> AerodynamicsParams {
        AerodynamicsParams { drag_area: self.drag_area, ..AerodynamicsParams::default() }
    }

    fn brakes(&self) -> Vec<CommandResponseParams> {
        let [front, rear] = self.brake_torques;
        vec![
            CommandResponseParams::linear(1.0, [front, front, rear, rear]),
            CommandResponseParams::linear(self.hand_brake_torque, [0.0, 0.0, 1.0, 1.0]),
        ]
    }

    fn anti_roll_bars(&self) -> Vec<AntiRollBarParams> {
        let [front, rear] = self.anti_roll_stiffness;
        let bars = [AntiRollBarParams::new([0, 1], front), AntiRollBarParams::new([2, 3], rear)];
        bars.into_iter().filter(|bar| bar.stiffness != 0.0).collect()
    }

    fn ackermann(&self) -> AckermannParams {
        AckermannParams {
            wheels: [0, 1],
            wheel_base: self.wheel_base,
            track_width: self.track_width,
            strength: 1.0,
            input: AckermannInput::Response,
        }
    }
}

/// Tires of `radius` (m) that carry these masses (kg).
fn tires(sprung_masses: [Real; 4], radius: Real) -> [BrushTire; 4] {
    let loads = sprung_masses.map(|mass| mass * GRAVITY);
    [0, 1, 2, 3].map(|wheel| starting_tire(loads[wheel], radius, wheel < 2))
}

/// Starting values for the tire of a car that carries `rest_load` (N) at rest, of this `radius` (m), on the
/// front or on the rear axle. The front one's stiffness is that of tire, steering gear and column together,
/// so that the car understeers.
///
/// ```text
/// C_s = 16 N₀,   C_α = 15.5 N₀ in front, 25 N₀ in the rear,   t_p = 0.09 R
/// ```
pub fn starting_tire(rest_load: Real, radius: Real, is_front: bool) -> BrushTire {
    let [front, rear] = LATERAL_STIFFNESS_PER_LOAD;
    BrushTire {
        longitudinal_stiffness: LONGITUDINAL_STIFFNESS_PER_LOAD * rest_load,
        lateral_stiffness: if is_front { front } else { rear } * rest_load,
        lateral_stiffness_load: LATERAL_STIFFNESS_LOAD,
        camber_stiffness: 0.0,
        rest_load,
        friction_vs_slip: FRICTION_VS_SLIP,
        lateral_slip_weight: 1.0,
        load_filter: BrushTire::IDENTITY_LOAD_FILTER,
        pneumatic_trail: PNEUMATIC_TRAIL_PER_RADIUS * radius,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suspension::sprung_masses;

    #[test]
    fn masses_are_those_that_balance() {
        for frame in Frame::all() {
            let blueprint = CarBlueprint { frame, ..CarBlueprint::default() };
            let positions = blueprint.wheel_positions();
            let balanced =
                sprung_masses(&positions, blueprint.mass, frame.vertical_axis()).unwrap();
            for (ours, expected) in blueprint.sprung_masses().iter().zip(balanced) {
                assert!((ours - expected).abs() < 1e-2, "{ours} kg, {expected} kg");
            }
        }
    }

    #[test]
    fn springs_carry_the_car_at_the_rest_jounce() {
        let blueprint = CarBlueprint::default();
        let params = blueprint.mechanics().unwrap();
        let load: Real = params
            .suspension_forces
            .iter()
            .map(|spring| spring.stiffness * blueprint.rest_jounce())
            .sum();
        assert!((load / (blueprint.mass * GRAVITY) - 1.0).abs() < 1e-5, "{load} N");
    }

    #[test]
    fn forces_act_on_the_ground() {
        let blueprint = CarBlueprint::default();
        let params = blueprint.mechanics().unwrap();
        let normalized = blueprint.rest_jounce() / blueprint.travel_distance;
        let compliance = &params.compliances[0];
        for point in [&compliance.suspension_force_point, &compliance.tire_force_point] {
            let point = point.evaluate(normalized);
            let contact = params.suspensions[0].attachment.transform_point(point);
            assert!((contact.y + blueprint.center_of_mass_height).abs() < 1e-5, "{contact}");
        }
    }

    #[test]
    fn soft_springs_need_travel() {
        let soft = CarBlueprint { natural_frequency: 0.9, ..CarBlueprint::default() };
        let error = soft.mechanics().unwrap_err().to_string();
        assert!(error.starts_with("travel_distance must be above the jounce at rest"), "{error}");
    }
}
