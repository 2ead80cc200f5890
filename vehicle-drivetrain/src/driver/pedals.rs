//! How a driver works the pedals: a force for a speed, as much as the wheels bear.

use serde::{Deserialize, Serialize};
use vehicle_core::math::{Clamped, Real, exp};

use super::figures::VehicleFigures;
use super::view::DriverView;

/// Time in which a driver makes up for a speed that is missing (s).
const SPEED_TIME: Real = 0.4;
/// Time in which pedals learn a force that is missing (s), and the most of it (m/s²). An automatic
/// gearbox in a high gear has far less force than the best gear.
const FORCE_TIME: Real = 1.2;
const MOST_LEARNED: Real = 6.0;
/// Time in which it is forgotten while the other pedal is pressed (s).
const FORGETTING: Real = 2.0;
/// Speeds of a tread over the ground at which a foot begins to give way, and at which it has. Each
/// is given at rest (m/s), with what the speed of the vehicle adds (dimensionless).
const SKIDS: [[Real; 2]; 2] = [[0.5, 0.06], [2.5, 0.25]];
/// Least share of a pedal that is left (dimensionless).
const LEAST: Real = 0.1;
/// Rates at which a foot gives way and comes back (1/s).
const RATES: [Real; 2] = [15.0, 4.0];
/// Deceleration below which the brake is not touched (m/s²): the engine is let to it.
const COASTING: Real = 0.25;
/// Acceleration beyond that of coasting from which on all counts that a pedal has learned (m/s²).
const COMING_IN: Real = 0.5;

/// A driver's feet between two steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Feet {
    /// Acceleration that was learned to be missing under the accelerator, and under the brake
    /// (m/s²).
    pub learned: [Real; 2],
    /// What slipping wheels take of accelerator and brake, each in [0, 1].
    pub cuts: [Real; 2],
}

/// What feet are to do.
#[derive(Clone, Copy, Debug)]
pub(super) struct PedalDemand {
    /// Speed that is wanted, the way that is driven (m/s).
    pub(super) speed: Real,
    /// Acceleration that goes with it (m/s²).
    pub(super) acceleration: Real,
    /// Height by way (dimensionless).
    pub(super) slope: Real,
    /// Acceleration that tires bear beside the bend, backward and forward (m/s²).
    pub(super) bounds: [Real; 2],
}

impl Feet {
    /// Accelerator and brake, in [0, 1], after `dt` (s), at the speed `along` the way (m/s).
    ///
    /// ```text
    /// F = F_0 + s M i,   F_0 = M (a + (v* - v)/τ) + D v² + m g sin θ,   i' = (v* - v)/(τ τ_i)
    /// ```
    ///
    /// The accelerator is its part of the drive's force at this speed, the brake that of the
    /// brakes'; both give way as wheels slip. Where one pedal follows on the other, the share `s`
    /// of what was learned is 0, so that neither jumps. That is at `F_0 = -m a_c`, with the
    /// deceleration `a_c` of coasting. On both sides, the share grows to 1.
    pub(super) fn update(
        &mut self,
        figures: &VehicleFigures,
        demand: &PedalDemand,
        along: Real,
        view: &DriverView,
        dt: Real,
    ) -> [Real; 2] {
        let missing = demand.speed - along;
        let mass = figures.inertial_mass();
        let resistance = figures.resistance(along, demand.slope);
        let [least, most] = demand.bounds;
        let planned = (demand.acceleration + missing / SPEED_TIME).clamped(least, most);
        let wanted = mass * planned + resistance;
        // How much more than to coast, or less.
        let beyond = wanted / figures.mass + COASTING;
        let pedal = usize::from(beyond < 0.0);
        let share = (beyond.abs() / COMING_IN).clamped(0.0, 1.0);
        let force = wanted + share * mass * self.learned[pedal];
        let drive = figures.drive.force(along).max(1e-3 * figures.mass);
        let throttle = if pedal == 0 { (force / drive).clamped(0.0, 1.0) } else { 0.0 };
        let brakes = figures.brake_force.max(1e-3 * figures.mass);
        let slowing = -force - COASTING * figures.mass;
        let brake = if pedal == 1 { (slowing / brakes).clamped(0.0, 1.0) } else { 0.0 };
        // A pedal at its end can do no more than it does.
        let wants_less = (missing < 0.0) == (pedal == 0);
        let value = throttle.max(brake);
        let is_free = if wants_less { 0.0 < value } else { value < 1.0 };
        self.learn(missing, pedal, is_free, dt);
        for (cut, slip) in self.cuts.iter_mut().zip(view.slips) {
            let [begin, end] = SKIDS.map(|[rest, part]| rest + part * along.abs());
            let wanted = ((slip - begin) / (end - begin)).clamped(0.0, 1.0);
            let [close, open] = RATES;
            *cut += (wanted - *cut).clamped(-open * dt, close * dt);
        }
        let shares = self.cuts.map(|cut| (1.0 - cut).max(LEAST));
        [throttle * shares[0], brake * shares[1]]
    }

    /// Learns from the speed that is `missing` (m/s) what the `pedal` lacks, unless it is not free
    /// to do more.
    fn learn(&mut self, missing: Real, pedal: usize, is_free: bool, dt: Real) {
        let value = self.learned[pedal];
        if (is_free && self.cuts == [0.0; 2]) || missing * value < 0.0 {
            let change = missing / (SPEED_TIME * FORCE_TIME) * dt;
            self.learned[pedal] = (value + change).clamped(-MOST_LEARNED, MOST_LEARNED);
        }
        self.learned[1 - pedal] *= exp(-dt / FORGETTING);
    }
}

#[cfg(test)]
mod tests {
    use vehicle_core::context::GRAVITY;

    use super::*;

    fn figures() -> VehicleFigures {
        VehicleFigures { turning_mass: 50.0, drag: 0.4, ..VehicleFigures::plain(4_000.0) }
    }

    const FREE: [Real; 2] = [-10.0, 10.0];

    /// Speed after 20 s of a vehicle that is to hold 20 m/s uphill, with a drive of `part` of what
    /// its driver believes, at `rate` steps per second.
    fn held_speed(part: Real, rate: Real) -> Real {
        let (figures, mut feet, mut speed) = (figures(), Feet::default(), 15.0);
        let demand = PedalDemand { speed: 20.0, acceleration: 0.0, slope: 0.05, bounds: FREE };
        for _ in 0..(20.0 * rate) as u32 {
            let view = DriverView { speed, friction: 1.0, ..DriverView::default() };
            let [throttle, brake] = feet.update(&figures, &demand, speed, &view, 1.0 / rate);
            let force = part * 4_000.0 * throttle
                - 8_000.0 * brake
                - 0.4 * speed * speed
                - 1_000.0 * GRAVITY * 0.05;
            speed += force / 1_050.0 / rate;
        }
        speed
    }

    #[test]
    fn a_speed_is_held_whatever_the_drive_is_worth_at_any_rate() {
        for part in [0.6, 1.0, 1.4] {
            for rate in [30.0, 60.0, 240.0] {
                let speed: Real = held_speed(part, rate);
                assert!((speed - 20.0).abs() < 0.1, "{part} at {rate} Hz: {speed} m/s");
            }
        }
    }

    /// How often the accelerator is pressed or let go within 30 s of a vehicle that is to hold
    /// 25 m/s, at `rate` steps per second. Its drive, which brakes it where no pedal is pressed, is
    /// worth a fifth of what the driver believes. After 10 s it shifts down.
    fn changes_of_the_accelerator(rate: Real) -> usize {
        let (figures, mut feet, mut speed) = (figures(), Feet::default(), 25.0);
        let demand = PedalDemand { speed: 25.0, acceleration: 0.0, slope: 0.01, bounds: FREE };
        let (mut changes, mut was_pressed) = (0, None);
        for step in 0..(30.0 * rate) as u32 {
            let part = if (step as Real) < 10.0 * rate { 0.2 } else { 0.6 };
            let view = DriverView { speed, friction: 1.0, ..DriverView::default() };
            let [throttle, brake] = feet.update(&figures, &demand, speed, &view, 1.0 / rate);
            let force = part * 4_000.0 * throttle
                - 8_000.0 * brake
                - 400.0 * (1.0 - throttle)
                - 0.4 * speed * speed
                - 1_000.0 * GRAVITY * 0.01;
            speed += force / 1_050.0 / rate;
            let is_pressed = 0.0 < throttle;
            changes += usize::from(was_pressed.is_some_and(|was| was != is_pressed));
            was_pressed = Some(is_pressed);
        }
        assert!((speed - 25.0).abs() < 0.05, "{rate} Hz: {speed} m/s");
        changes
    }

    #[test]
    fn accelerator_does_not_flutter_after_a_shift_down_at_any_rate() {
        for rate in [30.0, 60.0, 240.0] {
            let changes = changes_of_the_accelerator(rate);
            assert!(changes <= 2, "{rate} Hz: {changes} changes");
        }
    }

    #[test]
    fn feet_give_way_to_slip() {
        let (figures, mut feet) = (figures(), Feet::default());
        let demand = PedalDemand { speed: 30.0, acceleration: 4.0, slope: 0.0, bounds: FREE };
        let view = DriverView { slips: [8.0, 0.0], ..DriverView::default() };
        let mut pedals = [0.0; 2];
        for _ in 0..30 {
            pedals = feet.update(&figures, &demand, 10.0, &view, 1.0 / 60.0);
        }
        assert_eq!(pedals, [LEAST, 0.0]);
    }
}
