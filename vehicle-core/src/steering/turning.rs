//! How a free steering wheel turns: its own inertia, damping and dry friction, the road, twisted
//! contacts, end stops.

use super::SteeringSystemParams;
use crate::math::{Clamped, PI, Real, exp};

/// Longest step in which a steering wheel turns (s): a frame is divided as far as that takes, so
/// that what it does is the same at any frame rate.
const LONGEST_STEP: Real = 0.002;
/// Most steps of a substep.
const MOST_STEPS: Real = 64.0;

/// The contact of a tire, a spring between wheel and road that slides beyond its limit.
///
/// A tire that is turned on the spot resists by the friction of its contact, like that of a disk of
/// radius `a` under the inflation pressure `p`:
///
/// ```text
/// a = sqrt(N / (π p)),   M = -c φ,   c = M_max / φ_max,   M_max = 2/3 μ N a
/// ```
///
/// with the load `N` (N) and the angle `φ` by which the wheel has turned since its contact was laid
/// down, at most `φ_max`. A wheel that rolls at `v` lays down a new contact all the time:
///
/// ```text
/// dφ/dt = dδ/dt - |v|/a φ
/// ```
///
/// Source: the disk, R. S. Sharp and R. Granger, "On car steering torques at parking speeds",
/// Proceedings of the Institution of Mechanical Engineers D 217 (2003); the spring that slides, G.
/// Rill, "Road Vehicle Dynamics" (2012), bore torque. `M_max` is 1.13 times the parking moment that
/// is quoted after Gough, μ/3 sqrt(N³/p).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct TwistedContact {
    /// φ (rad).
    pub(super) twist: Real,
    /// φ_max (rad).
    pub(super) limit: Real,
    /// c (N·m/rad).
    pub(super) stiffness: Real,
    /// |v|/a (1/s).
    pub(super) renewal: Real,
}

/// Load, friction and speed by which the contact of a tire resists being turned.
#[derive(Clone, Copy, Debug)]
pub(super) struct ContactInput {
    /// Load (N).
    pub(super) load: Real,
    /// Friction (dimensionless).
    pub(super) friction: Real,
    /// Inflation pressure (Pa).
    pub(super) pressure: Real,
    /// Half of the tire's width (m), the radius of the contact of one without pressure.
    pub(super) half_width: Real,
    /// Speed along the rolling direction (m/s).
    pub(super) rolling_speed: Real,
}

impl TwistedContact {
    /// A contact that is twisted by `twist` (rad) and slides at `limit` (rad); none without load.
    pub(super) fn new(input: &ContactInput, twist: Real, limit: Real) -> Self {
        let ContactInput { load, friction, pressure, half_width, rolling_speed } = *input;
        if load <= 0.0 {
            return Self::default();
        }
        let radius = if 0.0 < pressure { (load / (PI * pressure)).sqrt() } else { half_width };
        let most = 2.0 / 3.0 * friction * load * radius;
        Self {
            twist: twist.clamped(-limit, limit),
            limit,
            stiffness: most / limit,
            renewal: rolling_speed.abs() / radius,
        }
    }

    /// Moment on the wheel about the road's normal (N·m).
    pub(super) fn moment(&self) -> Real {
        -self.stiffness * self.twist
    }

    /// The wheel turns by `angle` (rad) about the road's normal within `step` (s).
    fn turn(&mut self, angle: Real, step: Real) {
        let twist = (self.twist + angle).clamped(-self.limit, self.limit);
        self.twist = if self.renewal == 0.0 { twist } else { twist * exp(-self.renewal * step) };
    }

    /// The wheel does not turn for `dt` (s).
    pub(super) fn rest(&mut self, dt: Real) {
        self.turn(0.0, dt);
    }
}

/// Torque on a steering wheel, but for its own damping and friction.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SteeringLoad {
    /// Torque of hands and road, twisted contacts apart, at the start (N·m).
    pub(super) torque: Real,
    /// By how much the road's torque falls as the steering wheel turns, not negative (N·m/rad).
    pub(super) stiffness: Real,
    /// Angle of the end stops (rad).
    pub(super) end_stop: Real,
}

/// A contact that turns with the steering wheel.
#[derive(Clone, Copy, Debug)]
pub(super) struct TurningContact {
    pub(super) contact: TwistedContact,
    /// Rate of the wheel about the road's normal per rate of the steering wheel (dimensionless).
    pub(super) rate: Real,
}

/// Angle (rad) and rate (rad/s) of a steering wheel.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct SteeringMotion {
    pub(super) angle: Real,
    pub(super) rate: Real,
}

impl SteeringMotion {
    /// Turns under `load` for `dt` (s), and `contacts` with it.
    ///
    /// ```text
    /// I dω/dt = T - k (θ - θ_0) - d ω - T_f sgn ω + Σ r M_contact
    /// ```
    ///
    /// The steps are implicit in the rate and in both stiffnesses: none overshoots, however stiff
    /// the road or the contacts. An end stop takes all of the rate.
    pub(super) fn advance(
        &mut self,
        params: &SteeringSystemParams,
        load: &SteeringLoad,
        contacts: &mut [TurningContact],
        dt: Real,
    ) {
        let count = (dt / LONGEST_STEP).ceil().clamped(1.0, MOST_STEPS);
        let (start, step) = (self.angle, dt / count);
        for _ in 0..count as u32 {
            let (mut torque, mut stiffness) =
                (load.torque - load.stiffness * (self.angle - start), load.stiffness);
            for TurningContact { contact, rate } in &*contacts {
                torque += rate * contact.moment();
                stiffness += rate * rate * contact.stiffness;
            }
            let rate = self.rate_after(params, torque, stiffness, step);
            let angle = (self.angle + rate * step).clamped(-load.end_stop, load.end_stop);
            self.rate = if angle.abs() < load.end_stop { rate } else { 0.0 };
            let turned = angle - self.angle;
            self.angle = angle;
            for TurningContact { contact, rate } in &mut *contacts {
                contact.turn(*rate * turned, step);
            }
        }
    }

    /// Rate after `step` (s) under a `torque` (N·m) that falls by `stiffness` (N·m/rad) as the
    /// wheel turns.
    ///
    /// ```text
    /// (I + h d + h² k) ω' = P - h T_f sgn ω',   P = I ω + h T
    /// ```
    ///
    /// Dry friction sticks, ω' = 0, where it can hold P; else it acts in full against ω'.
    fn rate_after(
        &self,
        params: &SteeringSystemParams,
        torque: Real,
        stiffness: Real,
        step: Real,
    ) -> Real {
        let momentum = params.inertia * self.rate + step * torque;
        let held = step * params.friction;
        if momentum.abs() <= held {
            return 0.0;
        }
        let moved = momentum - held.copysign(momentum);
        moved / (params.inertia + step * (params.damping + step * stiffness))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FREE: SteeringLoad = SteeringLoad { torque: 0.0, stiffness: 0.0, end_stop: 9.0 };

    fn system(inertia: Real, damping: Real, friction: Real) -> SteeringSystemParams {
        SteeringSystemParams { inertia, damping, friction, ..SteeringSystemParams::car(0, 1) }
    }

    /// Turns for `seconds` in steps of `dt` (s) on a road that pulls to 0 by `stiffness` (N·m/rad).
    fn let_go(
        motion: &mut SteeringMotion,
        params: &SteeringSystemParams,
        stiffness: Real,
        seconds: Real,
        dt: Real,
    ) -> Vec<Real> {
        let steps = (seconds / dt).round() as usize;
        let step = |_| {
            let load = SteeringLoad { torque: -stiffness * motion.angle, stiffness, ..FREE };
            motion.advance(params, &load, &mut [], dt);
            motion.angle
        };
        (0..steps).map(step).collect()
    }

    #[test]
    fn it_swings_as_its_inertia_and_damping_say_at_any_step() {
        // I = 0.05, k = 20: ω = 20 1/s; critical damping is 2.
        let (inertia, stiffness): (Real, Real) = (0.05, 20.0);
        for (damping, ratio) in [(0.6, 0.3 as Real), (1.0, 0.5), (6.0, 3.0)] {
            for dt in [1.0 / 30.0, 1.0 / 60.0, 1.0 / 240.0] {
                let mut motion = SteeringMotion { angle: 1.0, rate: 0.0 };
                let params = system(inertia, damping, 0.0);
                let angles = let_go(&mut motion, &params, stiffness, 2.0, dt);
                let lowest = angles.iter().copied().fold(Real::MAX, Real::min);
                // Overshoot of an oscillator: exp(-π ζ / sqrt(1 - ζ²)); implicit steps take a
                // little off.
                let overshoot = if ratio < 1.0 {
                    (-PI * ratio / (1.0 - ratio * ratio).sqrt()).exp()
                } else {
                    0.0
                };
                assert!(-lowest <= overshoot + 1e-3, "{ratio}, {dt} s: {lowest}, {overshoot}");
                assert!(overshoot - 0.06 < -lowest, "{ratio}, {dt} s: {lowest}, {overshoot}");
                assert!(motion.angle.abs() < 0.02, "{ratio}, {dt} s: {motion:?}");
            }
        }
    }

    #[test]
    fn no_stiffness_makes_it_chatter() {
        for stiffness in [1e2, 1e5, 1e9] {
            for dt in [1.0 / 30.0, 1.0 / 240.0] {
                let mut motion = SteeringMotion { angle: 1.0, rate: 0.0 };
                let params = system(0.01, 3.0, 0.0);
                let mut before = 1.0;
                for angle in let_go(&mut motion, &params, stiffness, 1.0, dt) {
                    let share = angle / before;
                    // Underdamped as it is, no swing may be wider than the first.
                    assert!(angle.abs() <= before.abs() || angle.abs() < 1.0, "{share}");
                    before = angle;
                }
                assert!(motion.angle.abs() < 0.05, "{stiffness}: {motion:?}");
            }
        }
    }

    #[test]
    fn dry_friction_holds_what_it_can_bear_and_nothing_else() {
        let params = system(0.05, 1.0, 2.0);
        for (torque, moves) in [(1.9, false), (-1.9, false), (2.1, true), (-2.1, true)] {
            let mut motion = SteeringMotion::default();
            motion.advance(&params, &SteeringLoad { torque, ..FREE }, &mut [], 0.1);
            assert_eq!(motion.rate != 0.0, moves, "{torque} N·m: {motion:?}");
            assert!(0.0 <= motion.rate * torque, "{torque} N·m: {motion:?}");
        }
        // It stops a wheel that turns, exactly, and does not turn it back.
        let mut motion = SteeringMotion { angle: 0.0, rate: 3.0 };
        motion.advance(&params, &FREE, &mut [], 0.5);
        assert_eq!(motion.rate, 0.0);
        assert!(0.0 < motion.angle);
    }

    #[test]
    fn end_stops_take_all_of_the_rate() {
        let params = system(0.05, 0.0, 0.0);
        let mut motion = SteeringMotion { angle: 8.9, rate: 50.0 };
        motion.advance(&params, &FREE, &mut [], 0.02);
        assert_eq!(motion, SteeringMotion { angle: 9.0, rate: 0.0 });
        motion.advance(&params, &SteeringLoad { torque: -1.0, ..FREE }, &mut [], 0.02);
        assert!(motion.angle < 9.0 && motion.rate < 0.0, "{motion:?}");
    }

    /// A tire that stands under 4 kN on friction 1 at 220 kPa: 0.076 m of radius, at most 203 N·m.
    const STANDING: ContactInput = ContactInput {
        load: 4_000.0,
        friction: 1.0,
        pressure: 220e3,
        half_width: 0.1,
        rolling_speed: 0.0,
    };

    #[test]
    fn parking_moment_is_bounded_and_close_to_what_is_measured() {
        let mut contact = TwistedContact::new(&STANDING, 0.0, 0.1);
        let mut largest: Real = 0.0;
        for step in 0..100 {
            contact.turn(0.005, 0.01);
            let moment = -contact.moment();
            assert!(largest <= moment, "step {step}: {moment} N·m after {largest} N·m");
            largest = moment;
        }
        let gough = 1.0 / 3.0 * (4_000.0 as Real).powi(3).sqrt() / (220e3 as Real).sqrt();
        assert!((largest / gough - 1.13).abs() < 0.01, "{largest} N·m, Gough {gough} N·m");
        // Turned back by twice the limit, it resists as much the other way.
        contact.turn(-0.2, 0.01);
        assert!((contact.moment() - largest).abs() < 0.1);
        // Turned back by one limit more, it is free.
        contact.turn(0.1, 0.01);
        assert!(contact.moment().abs() < 0.1);
    }

    #[test]
    fn a_wheel_that_rolls_loses_its_twist_over_the_radius_of_the_contact() {
        let rolling = ContactInput { rolling_speed: -2.0, ..STANDING };
        let radius = (4_000.0 / (PI * 220e3)).sqrt();
        for dt in [0.05, 0.004] {
            let mut contact = TwistedContact::new(&rolling, 0.08, 0.1);
            let steps = (0.1 as Real / dt).round() as u32;
            (0..steps).for_each(|_| contact.rest(dt));
            let expected = 0.08 * (-0.2 / radius).exp();
            let twist = contact.twist;
            assert!((twist / expected - 1.0).abs() < 1e-3, "{twist}, expected {expected}");
        }
        let mut standing = TwistedContact::new(&STANDING, 0.08, 0.1);
        standing.rest(10.0);
        assert_eq!(standing.twist, 0.08);
        let flat = ContactInput { pressure: 0.0, ..STANDING };
        assert!(TwistedContact::new(&flat, 0.1, 0.1).moment().is_finite());
        let lifted = ContactInput { load: -1.0, ..STANDING };
        assert_eq!(TwistedContact::new(&lifted, 0.1, 0.1), TwistedContact::default());
    }

    #[test]
    fn a_steering_wheel_that_twisted_its_contacts_springs_back_and_stops() {
        let params = system(0.05, 1.0, 0.0);
        for dt in [1.0 / 30.0, 1.0 / 720.0] {
            let contact = TwistedContact::new(&STANDING, 0.0, 0.1);
            let mut contacts = [TurningContact { contact, rate: 1.0 / 16.0 }; 2];
            let mut motion = SteeringMotion::default();
            let mut hold = |torque, seconds: Real| {
                for _ in 0..(seconds / dt).round() as usize {
                    motion.advance(&params, &SteeringLoad { torque, ..FREE }, &mut contacts, dt);
                }
                let torque: Real = contacts.iter().map(|it| it.rate * it.contact.moment()).sum();
                (motion, torque)
            };
            // The contacts bear 25 N·m at the steering wheel.
            let (turned, torque) = hold(20.0, 4.0);
            assert!((torque + 20.0).abs() < 0.1, "{torque} N·m at {turned:?}");
            assert!(turned.rate.abs() < 1e-3, "{turned:?}");
            let (released, torque) = hold(0.0, 4.0);
            assert!(torque.abs() < 0.1, "{torque} N·m at {released:?}");
            assert!(released.rate.abs() < 1e-3 && released.angle < turned.angle);
        }
    }
}
