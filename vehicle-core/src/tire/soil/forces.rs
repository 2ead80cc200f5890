//! A wheel under its load on soil: its depth and its forces.

use super::rim::{PressedSoil, RigidWheel, RimMotion, RimSums};
use crate::math::{Real, power};
use crate::road::Soil;

/// How near the load must be found (dimensionless).
const TOLERANCE: Real = 1e-4;
/// Most steps of the search for a depth.
const MOST_STEPS: usize = 40;
/// Step in slip ratio by which the slope of the torque is found (dimensionless).
const SLIP_STEP: Real = 0.1;

/// Load, slip and soil on which the forces of a wheel on soil depend.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WheelOnSoil {
    /// Load (N).
    pub load: Real,
    /// Slip ratio, positive where the wheel drives (dimensionless).
    pub slip_ratio: Real,
    /// Tangent of the slip angle, positive where the wheel slides to the left (dimensionless).
    pub slip_tangent: Real,
    /// Depth to which other wheels have pressed the soil (m). It has sprung back by its
    /// [rebound](Soil::rebound), which leaves a rut; within it, pressure rises again in a straight
    /// line to what it was.
    pub pressed_depth: Real,
}

/// Depth of a wheel in soil, and the forces on it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct SoilForces {
    /// Depth of its lowest point below the original surface (m).
    pub sinkage: Real,
    /// Depth of the rut in which it rolls (m).
    pub rut_depth: Real,
    /// Force that the shear drives it with (N).
    pub thrust: Real,
    /// Force that presses the soil down in front of it, backward (N).
    pub compaction_resistance: Real,
    /// Thrust less resistance (N).
    pub drawbar_pull: Real,
    /// Force to the left (N).
    pub lateral_force: Real,
    /// Torque of the shear about the axle, against the drive (N·m).
    pub torque: Real,
    /// Steepest slope of the torque against slip ratio near this slip; not negative (N·m).
    pub torque_slope: Real,
    /// Load that the soil bears (N): less than the wheel's where it has sunk to the axle.
    pub carried_load: Real,
}

impl RigidWheel {
    /// Depth and forces in the steady state.
    ///
    /// The depth at which the vertical stresses carry the load is searched by false position,
    /// within 10⁻⁴ of the load; the stresses are summed at 16 points. Where the soil cannot carry
    /// the load, the wheel stands in it almost to its axle, and [less than the
    /// load](SoilForces::carried_load) is borne.
    pub fn forces(&self, soil: &Soil, wheel: &WheelOnSoil) -> SoilForces {
        let motion = RimMotion::new(wheel.slip_ratio, wheel.slip_tangent);
        let pressed = PressedSoil::new(soil, self.width, motion.slip, wheel.pressed_depth);
        if wheel.load <= 0.0 {
            let depth = pressed.rut_depth;
            return SoilForces { sinkage: depth, rut_depth: depth, ..SoilForces::default() };
        }
        let sums_at = |depth: Real| self.sums(soil, &pressed, &motion, depth);
        let (depth, sums) = self.depth_of(wheel.load, soil.sinkage_exponent, sums_at);
        let slope = self.slope(soil, &pressed, wheel, depth, sums.circumferential);
        SoilForces {
            sinkage: pressed.rut_depth + depth,
            rut_depth: pressed.rut_depth,
            thrust: sums.thrust,
            compaction_resistance: sums.resistance,
            drawbar_pull: sums.thrust - sums.resistance,
            lateral_force: sums.lateral,
            torque: sums.circumferential * self.radius,
            torque_slope: slope * self.radius,
            carried_load: sums.load,
        }
    }

    /// Slope of the circumferential force, which is `force` (N) at the slip of `wheel`. It is the
    /// steepest of those to no slip and to [`SLIP_STEP`] more and less. For the force of soil that
    /// gives way over centimeters is flat where it begins and steep beside it. Not negative.
    fn slope(
        &self,
        soil: &Soil,
        pressed: &PressedSoil,
        wheel: &WheelOnSoil,
        depth: Real,
        force: Real,
    ) -> Real {
        let slip = wheel.slip_ratio;
        let slope_to = |other: Real| {
            let motion = RimMotion::new(other, wheel.slip_tangent);
            let there = self.sums(soil, pressed, &motion, depth).circumferential;
            (there - force) / (other - slip)
        };
        let is_small = slip.abs() < SLIP_STEP;
        let to_none = if is_small { 0.0 } else { slope_to(0.0) };
        slope_to(slip - SLIP_STEP).max(slope_to(slip + SLIP_STEP)).max(to_none).max(0.0)
    }

    /// The depth below surface or rut at which the stresses carry `load` (N), and their sums.
    ///
    /// In fresh soil the load grows about as z^(n + 1/2): its root of this order is nearly
    /// straight.
    fn depth_of(
        &self,
        load: Real,
        exponent: Real,
        sums_at: impl Fn(Real) -> RimSums,
    ) -> (Real, RimSums) {
        let straight = |load: Real| power(load.max(0.0), 1.0 / (exponent + 0.5));
        let (mut low, mut high) = (0.0, self.most_depth());
        let last = sums_at(high);
        if last.load <= load {
            return (high, last);
        }
        let target = straight(load);
        let (mut below, mut above) = (-target, straight(last.load) - target);
        let (mut found, mut last_side) = ((high, last), Side::None);
        for step in 0..MOST_STEPS {
            // Illinois: an end that stays twice counts half. Where that is slow, halves help.
            let by_secant = low + (high - low) * (below / (below - above));
            let depth = if step % 8 == 7 { 0.5 * (low + high) } else { by_secant };
            let sums = sums_at(depth);
            found = (depth, sums);
            if (sums.load - load).abs() <= TOLERANCE * load {
                break;
            }
            let miss = straight(sums.load) - target;
            if miss < 0.0 {
                (low, below) = (depth, miss);
                above *= if last_side == Side::Below { 0.5 } else { 1.0 };
                last_side = Side::Below;
            } else {
                (high, above) = (depth, miss);
                below *= if last_side == Side::Above { 0.5 } else { 1.0 };
                last_side = Side::Above;
            }
        }
        found
    }
}

/// Which end of the bracket moved last.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    None,
    Below,
    Above,
}
