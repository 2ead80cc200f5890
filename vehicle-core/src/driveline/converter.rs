//! Torque converters: two shafts that pass torque by a fluid between them.

use crate::error::{ParamCheck, Validate};

/// Speed of the pump below which torques fall in proportion to it instead of with its square
/// (rad/s).
const LEAST_PUMP_SPEED: f64 = 1.0;

/// A torque converter with torques linear in its speeds; ports are pump and turbine.
///
/// ```text
/// T[0] = p₀ + p₁ ω[0] + p₂ ω[1]
/// T[1] = -(t₀ + t₁ ω[0] + t₂ ω[1])
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LinearConverter {
    /// p: torque (N·m), and torque per speed of pump and turbine (N·m·s).
    pub pump: [f64; 3],
    /// t: torque (N·m), and torque per speed of pump and turbine (N·m·s).
    pub turbine: [f64; 3],
}

impl LinearConverter {
    /// Torque into the pump and out of the turbine, at their speeds (rad/s), (N·m).
    #[inline]
    pub(super) fn torques(&self, pump: f64, turbine: f64) -> (f64, f64) {
        let at = |c: &[f64; 3]| c[0] + c[1] * pump + c[2] * turbine;
        (at(&self.pump), at(&self.turbine))
    }
}

impl Validate for LinearConverter {
    fn check(&self, check: &mut ParamCheck) {
        for (name, coefficients) in [("pump", &self.pump), ("turbine", &self.turbine)] {
            for (index, value) in coefficients.iter().enumerate() {
                check.require(format_args!("{name}[{index}]"), value.is_finite(), "finite", value);
            }
        }
        // With these signs, either side resists whatever is on the other.
        check.require("pump[1]", 0.0 <= self.pump[1], "not negative", self.pump[1]);
        check.require("turbine[2]", self.turbine[2] <= 0.0, "not positive", self.turbine[2]);
    }
}

/// A torque converter in the capacity form; ports are pump and turbine.
///
/// ```text
/// ν = ω[1]/ω[0],  x = max(ν, 0)
/// ν ≤ 1:  T_p = λ₀ (1 - x⁶) ω[0]²,   T_t = μ T_p,   μ = max(1, μ₀ - (μ₀ - 1) x/ν_c)
/// ν > 1:  T_p = T_t = -λ₀ c_r (1 - ν⁻⁶) ω[1]²
/// T[0] = T_p + T_l,  T[1] = -T_t - T_l,  |T_l| ≤ lock-up at ω[0] = ω[1], ± lock-up at ω[0] ≷ ω[1]
/// ```
///
/// It is solved by Newton's method: linearized, solved with all other elements, and linearized
/// again.
///
/// Source: capacity and torque ratio against the speed ratio, as in Gillespie, *Fundamentals of
/// Vehicle Dynamics*; the sixth power is a fit of ours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CapacityConverter {
    /// Capacity `λ₀` at stall: torque of the pump per square of its speed (N·m·s²).
    pub capacity: f64,
    /// Torque ratio `μ₀` at stall, at least 1.
    pub stall_torque_ratio: f64,
    /// Speed ratio `ν_c` of the coupling point, in (0, 1), and at most
    /// [`highest_coupling_point`](Self::highest_coupling_point).
    pub coupling_point: f64,
    /// Capacity `c_r` when the turbine drives, as a fraction of `λ₀`, at least 0.
    pub reverse_capacity: f64,
    /// Capacity of a lock-up clutch beside the fluid, at least 0 (N·m).
    pub lock_up: f64,
}

impl CapacityConverter {
    /// Torque of the fluid into the pump and out of the turbine, at their speeds (rad/s), (N·m).
    ///
    /// Below 1 rad/s of the pump, its torque falls in proportion to its speed, and resists it
    /// backwards.
    pub fn torques(&self, pump: f64, turbine: f64) -> (f64, f64) {
        self.linearized(pump, turbine).torques(pump, turbine)
    }

    /// Highest speed ratio of the coupling point at which no more power comes out than goes in
    /// (dimensionless).
    ///
    /// ```text
    /// η = ν μ(ν) ≤ 1   for all ν,   where   ν_c ≤ 4 (μ₀ - 1)/μ₀²,   or μ₀ < 2
    /// ```
    ///
    /// The efficiency `η` is highest at `ν = μ₀ ν_c/(2 (μ₀ - 1))`, with `μ₀² ν_c/(4 (μ₀ - 1))`.
    /// Below `μ₀ = 2` that place is beyond the coupling point, where `η = ν` is at most 1.
    pub fn highest_coupling_point(&self) -> f64 {
        let ratio = self.stall_torque_ratio;
        let is_bounded = 2.0 < ratio && ratio.is_finite();
        if is_bounded { 4.0 * (ratio - 1.0) / (ratio * ratio) } else { 1.0 }
    }

    /// Largest torque that it could transmit at these speeds (rad/s), (N·m).
    pub(super) fn torque_size(&self, pump: f64, turbine: f64) -> f64 {
        let square = pump * pump + turbine * turbine + LEAST_PUMP_SPEED * LEAST_PUMP_SPEED;
        self.capacity * self.stall_torque_ratio * square
    }

    /// The line that touches its law at the speeds of pump and turbine (rad/s).
    pub(super) fn linearized(&self, pump: f64, turbine: f64) -> LinearConverter {
        let counted = pump.max(LEAST_PUMP_SPEED);
        let ratio = turbine / counted;
        if 1.0 < ratio {
            return self.overrunning(pump, turbine);
        }
        // T_p = λ(ν) max(ω_p, 1) ω_p, with its slopes against both speeds.
        let x = if 0.0 < pump { ratio.max(0.0) } else { 0.0 };
        let fifth = x * x * x * x * x;
        let capacity = self.capacity * (1.0 - fifth * x);
        let capacity_slope = -6.0 * self.capacity * fifth;
        let is_slow = pump < LEAST_PUMP_SPEED;
        let torque = capacity * counted * pump;
        let by_pump =
            if is_slow { capacity * counted } else { (2.0 * capacity - capacity_slope * x) * pump };
        let by_turbine = capacity_slope * pump;
        // T_t = μ(ν) T_p.
        let fall = (self.stall_torque_ratio - 1.0) / self.coupling_point;
        let (gain, gain_slope) = if pump <= 0.0 || self.coupling_point <= x {
            (1.0, 0.0)
        } else {
            (self.stall_torque_ratio - fall * x, if 0.0 <= ratio { -fall } else { 0.0 })
        };
        let gain_by_pump = if is_slow { 0.0 } else { -gain_slope * x };
        let out = gain * torque;
        let out_by_pump = gain * by_pump + gain_by_pump * capacity * pump;
        let out_by_turbine = gain * by_turbine + gain_slope * capacity * pump;
        through(pump, turbine, [torque, by_pump, by_turbine], [out, out_by_pump, out_by_turbine])
    }

    /// The line that touches its law where the turbine, faster, drives the pump (rad/s).
    fn overrunning(&self, pump: f64, turbine: f64) -> LinearConverter {
        let is_slow = pump < LEAST_PUMP_SPEED;
        let inverse = pump.max(LEAST_PUMP_SPEED) / turbine;
        let square = inverse * inverse;
        let fifth = square * square * inverse;
        let strength = self.capacity * self.reverse_capacity;
        // T = -s (ω_t² - ω_p⁶ ω_t⁻⁴).
        let torque = -strength * (1.0 - fifth * inverse) * turbine * turbine;
        let by_pump = if is_slow { 0.0 } else { 6.0 * strength * fifth * turbine };
        let by_turbine = -strength * (2.0 + 4.0 * fifth * inverse) * turbine;
        let row = [torque, by_pump, by_turbine];
        through(pump, turbine, row, row)
    }
}

/// The lines with these values and slopes at the speeds of pump and turbine.
fn through(pump: f64, turbine: f64, driven: [f64; 3], driving: [f64; 3]) -> LinearConverter {
    let line = |[value, by_pump, by_turbine]: [f64; 3]| {
        [value - by_pump * pump - by_turbine * turbine, by_pump, by_turbine]
    };
    LinearConverter { pump: line(driven), turbine: line(driving) }
}

impl Validate for CapacityConverter {
    fn check(&self, check: &mut ParamCheck) {
        let positive = |value: f64| 0.0 < value && value.is_finite();
        check.require("capacity", positive(self.capacity), "positive and finite", self.capacity);
        let ratio = self.stall_torque_ratio;
        let is_met = 1.0 <= ratio && ratio.is_finite();
        check.require("stall_torque_ratio", is_met, "at least 1 and finite", ratio);
        let point = self.coupling_point;
        check.require("coupling_point", 0.0 < point && point < 1.0, "above 0 and below 1", point);
        let most = self.highest_coupling_point();
        let requirement = format_args!(
            "at most {most} with stall_torque_ratio = {ratio}, or more power would come out than in"
        );
        check.require("coupling_point", point <= most || 1.0 <= point, requirement, point);
        let reverse = self.reverse_capacity;
        let is_met = 0.0 <= reverse && reverse.is_finite();
        check.require("reverse_capacity", is_met, "not negative and finite", reverse);
        check.require("lock_up", 0.0 <= self.lock_up, "not negative", self.lock_up);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONVERTER: CapacityConverter = CapacityConverter {
        capacity: 0.004,
        stall_torque_ratio: 2.0,
        coupling_point: 0.88,
        reverse_capacity: 0.5,
        lock_up: 0.0,
    };

    #[test]
    fn no_more_power_comes_out_than_goes_in() {
        let of = |stall_torque_ratio, coupling_point| CapacityConverter {
            stall_torque_ratio,
            coupling_point,
            ..CONVERTER
        };
        for ratio in [1.0, 1.5, 1.99, 2.0, 2.5, 3.0, 5.0, 10.0] {
            let most = of(ratio, 0.5).highest_coupling_point();
            let converter = of(ratio, most.min(0.999));
            converter.validate().unwrap();
            let efficiency = |ratio: f64| {
                let (driven, driving) = converter.torques(200.0, 200.0 * ratio);
                driving / driven * ratio
            };
            let best =
                (0..1_000).map(|part| efficiency(1e-3 * f64::from(part))).fold(0.0, f64::max);
            // Where the bound is not 1, it is as high as it may be.
            assert!(best <= 1.0 + 1e-9, "{ratio}: {best}");
            assert!(0.99 < best, "{ratio}: {best}");
        }
        let text = of(5.0, 0.88).validate().unwrap_err().to_string();
        let start = "coupling_point must be at most 0.64 with stall_torque_ratio = 5, or";
        assert!(text.starts_with(start) && text.ends_with("got 0.88"), "{text}");
    }

    #[test]
    fn torques_are_those_of_the_law() {
        // (pump, turbine, torque of the pump, torque of the turbine)
        let rows = [
            (200.0, 0.0, 160.0, 320.0),
            (200.0, -50.0, 160.0, 320.0),
            (200.0, 88.0, 160.0 * (1.0 - 0.007256313856), 240.0 * (1.0 - 0.007256313856)),
            (200.0, 200.0, 0.0, 0.0),
            (0.5, 0.0, 0.002, 0.004),
            (-3.0, 0.5, -0.012, -0.012),
            (100.0, 200.0, -0.002 * (1.0 - 1.0 / 64.0) * 4e4, -0.002 * (1.0 - 1.0 / 64.0) * 4e4),
        ];
        for (pump, turbine, driven, driving) in rows {
            let (found_driven, found_driving) = CONVERTER.torques(pump, turbine);
            assert!((found_driven - driven).abs() < 1e-9, "{pump} {turbine}: {found_driven}");
            assert!((found_driving - driving).abs() < 1e-9, "{pump} {turbine}: {found_driving}");
        }
    }

    #[test]
    fn slopes_are_those_of_the_torques() {
        let step = 1e-4;
        for (pump, turbine) in [
            (200.0, -20.0),
            (200.0, 90.0),
            (200.0, 185.0),
            (150.0, 210.0),
            (0.5, 0.3),
            (0.5, 30.0),
            (-0.5, 0.3),
        ] {
            let line = CONVERTER.linearized(pump, turbine);
            let at = |dp: f64, dt: f64| CONVERTER.torques(pump + dp, turbine + dt);
            let by_pump = (at(step, 0.0).0 - at(-step, 0.0).0) / (2.0 * step);
            let by_turbine = (at(0.0, step).1 - at(0.0, -step).1) / (2.0 * step);
            assert!((line.pump[1] - by_pump).abs() < 1e-6, "{pump} {turbine}: {by_pump}, {line:?}");
            assert!(
                (line.turbine[2] - by_turbine).abs() < 1e-6,
                "{pump} {turbine}: {by_turbine}, {line:?}"
            );
            let cross = (at(step, 0.0).1 - at(-step, 0.0).1) / (2.0 * step);
            assert!((line.turbine[1] - cross).abs() < 1e-6, "{pump} {turbine}: {cross}, {line:?}");
            let cross = (at(0.0, step).0 - at(0.0, -step).0) / (2.0 * step);
            assert!((line.pump[2] - cross).abs() < 1e-6, "{pump} {turbine}: {cross}, {line:?}");
        }
    }
}
