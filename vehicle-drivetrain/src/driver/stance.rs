//! How a vehicle stands before it drives, and what its tires bear there.

use vehicle_core::Frame;
use vehicle_core::context::GRAVITY;
use vehicle_core::math::{Clamped, Real};
use vehicle_core::tire::TireModel;
use vehicle_core::vehicle::MechanicalParams;

use crate::handling::{Handling, rest_masses};
use crate::probed_tire::ProbedTire;

/// Number of lateral accelerations for which the drag of a bend is known, and from each of them to
/// the next, by gravity (dimensionless).
const DRAGS: usize = 31;
pub(super) const DRAG_STEP: Real = 0.05;

/// How a vehicle stands, and how its tires grip.
pub(super) struct Stance {
    weight: Real,
    /// Loads at rest, by wheel (N).
    pub(super) loads: Vec<Real>,
    /// Parts of the foot brake that load-sensing valves let through at rest, by wheel
    /// (dimensionless).
    pub(super) valve_parts: Vec<Real>,
    /// Distance of the middle of the front wheels from that of the rear ones (m).
    base: Real,
    /// Loads of front and rear (N).
    ends: [Real; 2],
    height: Real,
    /// Friction along the road (dimensionless).
    friction: Real,
    /// Lateral acceleration by gravity that tires bear, and at which it tips over (dimensionless).
    pub(super) cornering: Real,
    pub(super) tipping: Option<Real>,
    pub(super) cornering_drags: Vec<Real>,
}

impl Stance {
    pub(super) fn of<Tire: TireModel>(
        mechanics: &MechanicalParams<Tire>,
        frame: &Frame,
        is_laden: bool,
    ) -> Self {
        let handling = if is_laden {
            Handling::laden(mechanics, frame)
        } else {
            Handling::of(mechanics, frame)
        };
        let weight = mechanics.rigid_body.mass * GRAVITY;
        let masses = rest_masses(mechanics, frame, GRAVITY, is_laden);
        let carried: Real = mechanics.axles.wheels().map(|wheel| masses[wheel]).sum();
        let mut loads = vec![0.0; mechanics.axles.wheel_count()];
        for wheel in mechanics.axles.wheels() {
            loads[wheel] = weight * masses[wheel] / carried.max(Real::MIN_POSITIVE);
        }
        let ends = handling.map_or([0.5 * weight; 2], |it| it.groups.map(|group| group.load));
        Self {
            weight,
            loads,
            valve_parts: valve_parts(mechanics, frame, is_laden),
            base: handling.map_or(1.0, |it| it.wheel_base),
            ends,
            height: handling.map_or(0.0, |it| it.height),
            friction: handling.map_or(1.0, |it| it.longitudinal_friction),
            cornering: handling.map_or(0.8, |it| it.lateral_friction),
            tipping: handling.map(|it| it.tipping).filter(|tipping| 0.0 < *tipping),
            cornering_drags: (0..DRAGS)
                .map(|step| DRAG_STEP * step as Real)
                .map(|lateral| handling.map_or(0.0, |it| it.cornering_drag(lateral)))
                .collect(),
        }
    }

    /// Rolling resistance by the weight (dimensionless).
    pub(super) fn rolling<Tire: TireModel>(&self, mechanics: &MechanicalParams<Tire>) -> Real {
        let force = |wheel: usize| {
            let tire = ProbedTire::of(mechanics, wheel, self.loads[wheel].max(1.0));
            self.loads[wheel] * tire.rolling_resistance()
        };
        mechanics.axles.wheels().map(force).sum::<Real>() / self.weight
    }

    /// Sums of a value of each wheel, over those ahead of the center of mass and those behind it.
    pub(super) fn by_end<Tire>(
        &self,
        mechanics: &MechanicalParams<Tire>,
        frame: &Frame,
        value: impl Fn(usize) -> Real,
    ) -> [Real; 2] {
        let mut sums = [0.0; 2];
        for wheel in mechanics.axles.wheels() {
            let along = mechanics.suspensions[wheel].wheel_mount().dot(frame.longitudinal());
            sums[usize::from(along < 0.0)] += value(wheel);
        }
        sums
    }

    /// Deceleration by gravity at which the first axle locks, or that of the pedal pressed down.
    ///
    /// With the command `c`, brake forces `B` and `z = B c/(m g)`:
    ///
    /// ```text
    /// B_f c = μ (N_f + m g z h/L),   B_r c = μ (N_r - m g z h/L)
    /// ```
    ///
    /// Source: T. D. Gillespie, "Fundamentals of Vehicle Dynamics" (1992), chapter 3.
    pub(super) fn braking(&self, front: Real, rear: Real) -> Real {
        let all = front + rear;
        let moved = self.friction * all * self.height / self.base;
        let most = |brake: Real, load: Real, gained: Real| {
            let rest = brake - gained;
            if 0.0 < rest { self.friction * load / rest } else { 1.0 }
        };
        let command = most(front, self.ends[0], moved).min(most(rear, self.ends[1], -moved));
        all * command.clamped(0.0, 1.0) / self.weight
    }

    /// Largest drive force by the weight, with loads of the driven wheels in front and behind.
    ///
    /// ```text
    /// F = μ (N_d + F h/L (s_r - s_f)),   s the driven shares of the loads of front and rear
    /// ```
    pub(super) fn traction(&self, front: Real, rear: Real) -> Real {
        let [front_share, rear_share] =
            [front / self.ends[0].max(1e-3), rear / self.ends[1].max(1e-3)];
        let gain = self.friction * self.height / self.base * (rear_share - front_share);
        let force = self.friction * (front + rear) / (1.0 - gain).max(0.3);
        (force / self.weight).min(self.friction)
    }
}

/// Parts of the foot brake that load-sensing valves let through to each wheel, all to one that
/// `is_laden` (dimensionless).
fn valve_parts<Tire>(
    mechanics: &MechanicalParams<Tire>,
    frame: &Frame,
    is_laden: bool,
) -> Vec<Real> {
    let mut parts = vec![1.0; mechanics.axles.wheel_count()];
    if mechanics.brake_valves.is_empty() || is_laden {
        return parts;
    }
    let standing = mechanics.standing_wheels(frame, GRAVITY);
    for valve in &mechanics.brake_valves {
        let sum: Real = valve.wheels.iter().map(|&wheel| standing[wheel].jounce).sum();
        let part = valve.part(sum / valve.wheels.len().max(1) as Real);
        for &wheel in &valve.wheels {
            parts[wheel] = part;
        }
    }
    parts
}
