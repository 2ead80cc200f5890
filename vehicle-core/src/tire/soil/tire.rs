//! A wheel on soil as a tire.

use serde::{Deserialize, Serialize};

use super::forces::{SoilForces, WheelOnSoil};
use super::rim::RigidWheel;
use crate::error::{Bound, ParamCheck, Validate};
use crate::math::{Clamped, Real, tan};
use crate::road::{RoadContact, Soil};
use crate::tire::models::rolling_direction;
use crate::tire::{GripInput, NoLanes, TireGrip, TireInput, TireModel, TireOutput, TireSpeeds};

/// Stiffness of a tire without air by that of an inflated one (dimensionless).
const CARCASS_SHARE: Real = 0.2;
/// Time in which a wheel sinks two thirds of the way (s): in less, the damper of a suspension and
/// soft soil under it would answer each other in turns.
const SINKING_TIME: Real = 0.25;
/// Loads above this count as this (N).
const MOST_LOAD: Real = 1e8;
/// Slip ratios and tangents of slip angles above this count as this (dimensionless).
const MOST_SLIP: Real = 100.0;

/// A tire on soil.
///
/// It sinks until the soil carries it, see [`RigidWheel::forces`]. Forward, with the drawbar pull
/// `DP` and the torque `T` of the shear:
///
/// ```text
/// longitudinal force = T / R      which body and wheel feel
/// resistance         = DP - T / R    which only the body feels
/// ```
///
/// Below 1 m/s, forces of rolling forward and backward are mixed, so that a wheel at rest has no
/// resistance of its own. Friction of the road scales all forces but the load.
///
/// Where the soil bears only the part `W` of the load `N`, the wheel stands in it to its axle. Axle
/// and body rest on the soil as a sled does. They brake what moves at the velocity `v`, and drive
/// nothing.
///
/// ```text
/// F_sled = -tan φ (N - W) v / |v|
/// ```
///
/// The ground [tells](crate::road_geometry::RoadSurface::soil) which soil the tire is on; where it
/// does not, the tire's own soil counts. In a Rapier world, the ground tells what the vehicle knows
/// of its material: `car.road.soils = SoilTable::default().with(SNOW, Soil::SNOW)`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SoilTire {
    /// The soil where the ground does not tell of its own.
    pub soil: Soil,
    /// Pressure at which the tire has the radial stiffness of its wheel (Pa); 0 for a rigid wheel.
    /// With less pressure it is flatter, bears on more soil and sinks less.
    pub nominal_pressure: Real,
}

/// State of a tire on soil between steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SoilTireState {
    /// Depth to which wheels have pressed the soil before this one came (m), see
    /// [`Ruts`](crate::vehicle::Ruts).
    pub pressed_depth: Real,
    /// Depth at which the soil carries this wheel (m).
    pub pressed: Real,
    /// Depth of this wheel below the original surface, which follows within some tenths of a
    /// second: soil gives way as it flows (m).
    pub sinkage: Real,
}

impl SoilTire {
    /// The wheel with its tire as flat as pressure and load make it.
    fn wheel(&self, input: &TireInput<'_>, load: Real) -> RigidWheel {
        let wheel = &input.wheel;
        let has_air = 0.0 < self.nominal_pressure && 0.0 < wheel.radial_stiffness;
        let deflection = if has_air {
            let air = (wheel.inflation_pressure / self.nominal_pressure).clamped(0.0, 10.0);
            let share = CARCASS_SHARE + (1.0 - CARCASS_SHARE) * air;
            (load / (wheel.radial_stiffness * share)).min(0.3 * wheel.radius)
        } else {
            0.0
        };
        RigidWheel { radius: wheel.radius, width: 2.0 * wheel.half_width, deflection }
    }

    /// How much of the way to the depth at which the soil carries it a wheel goes within a step.
    /// Soil does not come up again: a wheel `rises` only as it rolls on, within a radius.
    fn sinking_share(input: &TireInput<'_>, rises: bool) -> Real {
        let sinking = input.dt / (input.dt + SINKING_TIME);
        let rolled = input.wheel.contact_speeds.longitudinal.abs() * input.dt;
        if rises { sinking.min(rolled / (rolled + input.wheel.radius)) } else { sinking }
    }

    /// Depth and forces of a wheel that rolls forward.
    fn forward(
        &self,
        wheel: &RigidWheel,
        input: &TireInput<'_>,
        slip_ratio: Real,
        state: &SoilTireState,
    ) -> SoilForces {
        let slip_tangent = input.slip.tangent.clamped(-MOST_SLIP, MOST_SLIP);
        let load = input.grip.load.min(MOST_LOAD);
        let slip_ratio = slip_ratio.clamped(-MOST_SLIP, MOST_SLIP);
        let pressed_depth = state.pressed_depth;
        let asked = WheelOnSoil { load, slip_ratio, slip_tangent, pressed_depth };
        let soil = input.soil.as_ref().unwrap_or(&self.soil);
        wheel.forces(soil, &asked)
    }
}

/// How the soil's strength brakes what moves over it at these speeds, in parts of it, forward and
/// to the left (dimensionless). Far below 1 m/s, it is in proportion to the speed.
fn dragging(speeds: &TireSpeeds) -> [Real; 2] {
    let TireSpeeds { longitudinal, lateral } = *speeds;
    let speed = longitudinal.hypot(lateral).max(1e-6);
    let part = -rolling_direction(speed) / speed;
    [longitudinal * part, lateral * part]
}

/// Forces that are mixed from those of two ways to roll.
fn mixed(forward: &SoilForces, backward: &SoilForces, share: Real, radius: Real) -> TireOutput {
    let mix = |ahead: Real, back: Real| share * ahead + (1.0 - share) * back;
    let along = mix(forward.torque, -backward.torque) / radius;
    let pull = mix(forward.drawbar_pull, -backward.drawbar_pull);
    TireOutput {
        longitudinal_force: along,
        lateral_force: mix(forward.lateral_force, backward.lateral_force),
        rolling_resistance_force: pull - along,
        longitudinal_stiffness: mix(forward.torque_slope, backward.torque_slope) / radius,
        standing_resistance: mix(compaction(forward, radius), compaction(backward, radius)),
        ..TireOutput::default()
    }
}

/// Size of the force by which soil resists being compacted (N).
fn compaction(forces: &SoilForces, radius: Real) -> Real {
    (forces.drawbar_pull - forces.torque / radius).abs()
}

fn grip_of(soil: &Soil, input: &GripInput) -> TireGrip {
    TireGrip {
        load: input.normal_load.max(0.0),
        friction: input.road_friction * tan(soil.friction_angle),
    }
}

impl TireModel for SoilTire {
    type State = SoilTireState;
    type Lanes = NoLanes;

    /// The suspension's load where it presses, and the friction of the soil's grains: what rows
    /// hold at rest.
    ///
    /// ```text
    /// friction = μ_road tan φ
    /// ```
    fn grip(&self, input: &GripInput) -> TireGrip {
        grip_of(&self.soil, input)
    }

    fn grip_on(&self, input: &GripInput, _: &RoadContact, soil: Option<&Soil>) -> TireGrip {
        grip_of(soil.unwrap_or(&self.soil), input)
    }

    fn forces(&self, input: &TireInput<'_>, state: &mut SoilTireState) -> TireOutput {
        let wheel = self.wheel(input, input.grip.load);
        let direction = rolling_direction(input.wheel.contact_speeds.longitudinal);
        let (ahead, back) = (0.5 * (1.0 + direction), 0.5 * (1.0 - direction));
        let slip = input.slip.longitudinal;
        let before = *state;
        let rolled = |slip: Real, share: Real| {
            if share <= 0.0 {
                SoilForces::default()
            } else {
                self.forward(&wheel, input, slip, &before)
            }
        };
        let (forward, backward) = (rolled(slip, ahead), rolled(-slip, back));
        let sunk = ahead * forward.sinkage + back * backward.sinkage;
        state.pressed = sunk;
        state.sinkage += (sunk - state.sinkage) * Self::sinking_share(input, sunk < state.sinkage);
        let output = mixed(&forward, &backward, ahead, wheel.radius);
        let borne = ahead * forward.carried_load + back * backward.carried_load;
        let soil = input.soil.as_ref().unwrap_or(&self.soil);
        let sled = tan(soil.friction_angle) * (input.grip.load.min(MOST_LOAD) - borne).max(0.0);
        let [along, across] = dragging(&input.wheel.contact_speeds);
        let road = input.ground.friction.clamped(0.0, 10.0);
        TireOutput {
            longitudinal_force: output.longitudinal_force * road,
            lateral_force: (output.lateral_force + sled * across) * road,
            rolling_resistance_force: output.rolling_resistance_force + sled * along * road,
            longitudinal_stiffness: output.longitudinal_stiffness * road,
            standing_resistance: output.standing_resistance * road,
            ..output
        }
    }

    fn sinkage(&self, state: &SoilTireState) -> Real {
        state.sinkage
    }

    fn roll_in_rut(&self, depth: Real, state: &mut SoilTireState) {
        state.pressed_depth = depth;
    }

    fn check(&self, check: &mut ParamCheck) {
        check.field("soil", |inner| self.soil.check(inner));
        check.number("nominal_pressure", self.nominal_pressure, Bound::Within(0.0, 1e7));
    }
}
