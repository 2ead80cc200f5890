//! Tires from load and size alone, where there are no data.

use serde::{Deserialize, Serialize};

use super::fiala::Fiala;
use super::friction_ellipse::FrictionEllipse;
use super::magic_formula::MagicFormulaTire;
use super::parabolic_brush::ParabolicBrush;
use super::rolling_resistance::RollingResistance;
use super::tmeasy::{TMeasy, TMeasyCommon, TMeasyCurve};
use crate::error::{Bound, ParamCheck, Validate};
use crate::math::Real;
use crate::tire::magic_formula::MagicFormulaParams;

/// Use that a tire is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum TireUse {
    /// A passenger car.
    PassengerCar,
    /// A truck.
    Truck,
}

/// Load and size of a tire.
///
/// The Magic Formula and TMeasy have the friction of the tire's use in their curves, times that of
/// the road. It is 1.05 along and 1.0 across for a car, 0.85 and 0.8 for a truck. The other laws
/// have the friction of the road alone. So a truck grips by a fifth more by them, unless its roads
/// have the friction of truck tires.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TireSize {
    /// Use that the tire is made for.
    pub made_for: TireUse,
    /// Load at which it is used (N).
    pub load: Real,
    /// Radius (m).
    pub radius: Real,
    /// Width (m).
    pub width: Real,
}

/// Common properties of tires of a use, by load and radius.
///
/// Source: ranges in Gillespie, Fundamentals of Vehicle Dynamics (1992), chapters 4, 6 and 10.
/// Wong, Theory of Ground Vehicles (2008), chapter 1. Fancher et al., A Factbook of the Mechanical
/// Properties of the Components for Single-Unit and Articulated Heavy Trucks (1986).
struct Usual {
    /// Slip stiffness by load (dimensionless).
    slip_stiffness: Real,
    /// Cornering stiffness by load (1/rad).
    cornering_stiffness: Real,
    /// Camber stiffness by load (1/rad).
    camber_stiffness: Real,
    /// Friction along and across (dimensionless).
    friction: [Real; 2],
    /// Change of friction by relative load (dimensionless).
    friction_by_load: Real,
    /// Friction of a sliding tire by the largest (dimensionless).
    sliding: Real,
    /// Deflection under the load by radius (dimensionless).
    deflection: Real,
    /// Half of the contact's length by radius (dimensionless).
    half_length: Real,
    /// Relaxation lengths by radius, along and across (dimensionless).
    relaxation: [Real; 2],
    /// Rolling resistance by load (dimensionless).
    rolling_resistance: Real,
    /// Pressure (Pa).
    pressure: Real,
}

const PASSENGER_CAR: Usual = Usual {
    slip_stiffness: 22.0,
    cornering_stiffness: 13.5,
    camber_stiffness: 0.9,
    friction: [1.05, 1.0],
    friction_by_load: -0.08,
    sliding: 0.8,
    deflection: 0.06,
    half_length: 0.21,
    relaxation: [0.5, 1.5],
    rolling_resistance: 0.010,
    pressure: 230e3,
};

const TRUCK: Usual = Usual {
    slip_stiffness: 12.0,
    cornering_stiffness: 6.5,
    camber_stiffness: 0.4,
    friction: [0.85, 0.8],
    friction_by_load: -0.1,
    sliding: 0.75,
    deflection: 0.055,
    half_length: 0.2,
    relaxation: [0.5, 1.2],
    rolling_resistance: 0.006,
    pressure: 800e3,
};

impl Validate for TireSize {
    fn check(&self, check: &mut ParamCheck) {
        check.number("load", self.load, Bound::Within(10.0, 1e6));
        check.number("radius", self.radius, Bound::Within(0.05, 5.0));
        check.number("width", self.width, Bound::Within(0.01, 5.0));
    }
}

impl TireSize {
    fn usual(&self) -> &'static Usual {
        match self.made_for {
            TireUse::PassengerCar => &PASSENGER_CAR,
            TireUse::Truck => &TRUCK,
        }
    }

    /// Coefficients of the Magic Formula 6.1.
    pub fn magic_formula_params(&self) -> MagicFormulaParams {
        let usual = self.usual();
        let mut tire = MagicFormulaParams::default();
        tire.dimension.unloaded_radius = self.radius;
        tire.dimension.width = self.width;
        tire.vertical.fnomin = self.load;
        tire.vertical.vertical_stiffness = self.load / (usual.deflection * self.radius);
        tire.vertical.pfz1 = 0.7;
        tire.pressure.inflpres = usual.pressure;
        tire.pressure.nompres = usual.pressure;
        let [along, across] = usual.friction;
        let by_load = usual.friction_by_load;
        let x = &mut tire.longitudinal;
        (x.pcx1, x.pdx1, x.pdx2, x.pkx1, x.pex1) = (1.6, along, by_load, usual.slip_stiffness, 0.1);
        let y = &mut tire.lateral;
        // The cornering stiffness is largest under twice the load: sin(2 atan(1/2)) = 0.8.
        (y.pcy1, y.pdy1, y.pdy2, y.pky1) = (1.4, across, by_load, -usual.cornering_stiffness / 0.8);
        (y.pky2, y.pky4, y.pey1, y.pky6) = (2.0, 2.0, -0.8, -usual.camber_stiffness);
        // Trail at small slip: a third of half the contact's length.
        tire.aligning.qdz1 = usual.half_length / 3.0;
        tire.rolling.qsy1 = usual.rolling_resistance;
        tire.rolling.qsy7 = 0.9;
        tire.rolling.qsy8 = -0.4;
        let lengths = usual.relaxation.map(|share| share * self.radius);
        tire.structural.longitudinal_stiffness = usual.slip_stiffness * self.load / lengths[0];
        tire.structural.lateral_stiffness = usual.cornering_stiffness * self.load / lengths[1];
        tire
    }

    /// A tire that rolls by the Magic Formula.
    pub fn magic_formula(&self) -> MagicFormulaTire {
        MagicFormulaTire::from(self.magic_formula_params())
    }

    /// Resistance of a tire whose force law has none.
    pub fn rolling_resistance(&self) -> RollingResistance {
        let usual = self.usual();
        RollingResistance {
            coefficient: usual.rolling_resistance,
            nominal_load: self.load,
            nominal_pressure: usual.pressure,
            ..RollingResistance::default()
        }
    }

    /// Fiala's law.
    pub fn fiala(&self) -> Fiala {
        let usual = self.usual();
        Fiala {
            longitudinal_stiffness: usual.slip_stiffness * self.load,
            cornering_stiffness: usual.cornering_stiffness * self.load,
            camber_stiffness: usual.camber_stiffness * self.load,
            sliding_friction: usual.sliding,
            contact_half_length: usual.half_length * self.radius,
            longitudinal_relaxation_length: usual.relaxation[0] * self.radius,
            lateral_relaxation_length: usual.relaxation[1] * self.radius,
        }
    }

    /// A brush with parabolic pressure.
    pub fn parabolic_brush(&self) -> ParabolicBrush {
        let usual = self.usual();
        let half_length = usual.half_length * self.radius;
        // One stiffness for both directions: the mean of both.
        let stiffness = 0.5 * (usual.slip_stiffness + usual.cornering_stiffness) * self.load;
        ParabolicBrush {
            tread_stiffness: stiffness / (2.0 * half_length * half_length),
            contact_half_length: half_length,
            nominal_load: self.load,
            friction_decay: 0.01,
            camber_slip: usual.camber_stiffness / usual.cornering_stiffness,
            longitudinal_relaxation_length: usual.relaxation[0] * self.radius,
            lateral_relaxation_length: usual.relaxation[1] * self.radius,
        }
    }

    /// A friction ellipse.
    pub fn friction_ellipse(&self) -> FrictionEllipse {
        let usual = self.usual();
        let [along, across] = usual.friction;
        let most = along.max(across);
        FrictionEllipse {
            longitudinal_friction: along / most,
            lateral_friction: across / most,
            // The initial slope is 1.5 peak / peak slip.
            peak_slip_ratio: 1.5 * along / most / usual.slip_stiffness,
            peak_slip_tangent: 1.5 * across / most / usual.cornering_stiffness,
            sliding_friction: usual.sliding,
            sliding_slip: 8.0,
            camber_slip: usual.camber_stiffness / usual.cornering_stiffness,
            trail: usual.half_length * self.radius / 3.0,
            longitudinal_relaxation_length: usual.relaxation[0] * self.radius,
            lateral_relaxation_length: usual.relaxation[1] * self.radius,
        }
    }

    /// TMeasy's law.
    pub fn tmeasy(&self) -> TMeasy {
        let usual = self.usual();
        let curve = |stiffness: Real, friction: Real| {
            let (slope, peak) = (stiffness * self.load, friction * self.load);
            // The peak is at 2.2 times the slip at which the initial slope reaches it.
            let slip = 2.2 * peak / slope;
            let double = 2.0 * (1.0 + usual.friction_by_load);
            TMeasyCurve {
                slope,
                slope_at_double_load: 1.6 * slope,
                peak_force: peak,
                peak_force_at_double_load: double * peak,
                peak_slip: slip,
                peak_slip_at_double_load: 1.1 * slip,
                sliding_force: usual.sliding * peak,
                sliding_force_at_double_load: usual.sliding * double * peak,
                sliding_slip: 5.0 * slip,
                sliding_slip_at_double_load: 5.5 * slip,
            }
        };
        let [along, across] = usual.friction;
        let lateral = curve(usual.cornering_stiffness, across);
        let [length_along, length_across] = usual.relaxation.map(|share| share * self.radius);
        TMeasy {
            longitudinal: curve(usual.slip_stiffness, along),
            lateral,
            common: TMeasyCommon {
                nominal_load: self.load,
                nominal_friction: 1.0,
                trail: usual.half_length * self.radius / 3.0,
                zero_trail_slip: lateral.peak_slip,
                sliding_trail_slip: 2.5 * lateral.peak_slip,
                camber_slip: usual.camber_stiffness / usual.cornering_stiffness,
                longitudinal_carcass_stiffness: usual.slip_stiffness * self.load / length_along,
                lateral_carcass_stiffness: usual.cornering_stiffness * self.load / length_across,
            },
        }
    }
}
