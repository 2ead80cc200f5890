//! Batteries: energy that motors take and give back.

use serde::{Deserialize, Serialize};
use vehicle_core::blueprint::Plausible;
use vehicle_core::error::{Bound, ParamCheck, Validate};
use vehicle_core::math::{Clamped, Real};

/// Charge of a battery as a part of its capacity (dimensionless).
const CHARGE: Plausible = Plausible::new(0.0, 1.0, "dimensionless").or_in(&[("percent", 1e-2)]);

/// A battery.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct BatterySettings {
    /// Energy that it holds when it is full (J).
    pub capacity: Real,
    /// Part of it that it holds at first, in [0, 1].
    pub start_charge: Real,
    /// Largest power that it gives (W).
    pub max_discharge_power: Real,
    /// Largest power that it takes (W).
    pub max_charge_power: Real,
}

impl Default for BatterySettings {
    /// The battery of an electric car: 60 kWh, 200 kW out and 100 kW in.
    fn default() -> Self {
        Self {
            capacity: 2.16e8,
            start_charge: 0.8,
            max_discharge_power: 2e5,
            max_charge_power: 1e5,
        }
    }
}

impl Validate for BatterySettings {
    fn check(&self, check: &mut ParamCheck) {
        check.number("capacity", self.capacity, Bound::Positive);
        CHARGE.check(check, "start_charge", self.start_charge);
        check.number("max_discharge_power", self.max_discharge_power, Bound::NotNegative);
        check.number("max_charge_power", self.max_charge_power, Bound::NotNegative);
    }
}

/// The batteries of a driveline, with what they hold.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Batteries {
    pub(super) settings: Vec<BatterySettings>,
    /// Energy in each (J).
    pub(super) energies: Vec<f64>,
    /// Power that motors have been promised in this step, of each (W).
    pub(super) promised: Vec<f64>,
    /// Work of motors on batteries, and what they turn to heat, in this step (J).
    pub(super) used: [f64; 2],
}

impl Batteries {
    pub(super) fn new(settings: &[BatterySettings]) -> Self {
        let energy = |battery: &BatterySettings| {
            f64::from(battery.capacity) * f64::from(battery.start_charge)
        };
        Self {
            settings: settings.to_vec(),
            energies: settings.iter().map(energy).collect(),
            promised: vec![0.0; settings.len()],
            used: [0.0; 2],
        }
    }

    /// Energy that has gone out of all of them since there was `before` in each (J).
    pub(super) fn out_of(&self, before: &[f64]) -> f64 {
        before.iter().zip(&self.energies).map(|(before, after)| before - after).sum()
    }

    /// Energy in a battery (J), if there is one of this number.
    pub fn energy(&self, battery: usize) -> Option<f64> {
        self.energies.get(battery).copied()
    }

    /// Energy in a battery as a part of its capacity, if there is one of this number.
    pub fn charge(&self, battery: usize) -> Option<f64> {
        let capacity = f64::from(self.settings.get(battery)?.capacity);
        Some(self.energy(battery)? / capacity)
    }

    /// Part of `power` (W) that a battery gives for a step of `dt` (s), or takes where it is
    /// negative, beside what others have been promised.
    pub fn promise(&mut self, battery: usize, power: f64, dt: f64) -> f64 {
        let (Some(settings), Some(energy)) =
            (self.settings.get(battery), self.energies.get(battery))
        else {
            return power;
        };
        let promised = self.promised[battery];
        let free = f64::from(settings.capacity) - energy;
        let most = f64::from(settings.max_discharge_power).min(energy / dt);
        let least = -f64::from(settings.max_charge_power).min(free / dt);
        let given = power.clamped((least - promised).min(0.0), (most - promised).max(0.0));
        self.promised[battery] += given;
        given
    }

    /// Begins a step with so much energy in each battery (J).
    pub(super) fn begin(&mut self, energies: &[f64]) {
        self.energies.copy_from_slice(energies);
        self.promised.fill(0.0);
        self.used = [0.0; 2];
    }

    /// Takes what a motor needs for its `work` and its `heat` (J) out of a battery, or puts it in
    /// where the sum is negative. It is never more than there is or has room. Returns the heat that
    /// is left of it.
    pub fn take(&mut self, battery: usize, work: f64, heat: f64) -> f64 {
        let (Some(settings), Some(held)) =
            (self.settings.get(battery), self.energies.get_mut(battery))
        else {
            return heat;
        };
        let before = *held;
        *held = (before - work - heat).clamped(0.0, f64::from(settings.capacity));
        let heat = before - *held - work;
        self.used[0] += work;
        self.used[1] += heat;
        heat
    }
}
