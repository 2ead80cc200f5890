//! Footing: the wheels that stick, and the ground that they stand on.

use std::ops::Add;

use super::StandingWheels;
use crate::math::lanes::{MAX_LANES, Mask, Mask4, Number, Real4, Vec3x4, Vector};
use crate::math::{Real, Vec3, normalize_or_zero};

/// The ground below the wheels that stick, as one.
pub(super) struct Footing {
    /// Whether any of them is held by friction in this direction.
    pub(super) is_held: [bool; 2],
    /// Mean of the tires' force points (m).
    pub(super) center: Vec3,
    /// Normal of the road.
    pub(super) normal: Vec3,
    /// Mean velocity of the ground below (m/s).
    pub(super) velocity: Vec3,
    /// Angular velocity of the ground about the normal (rad/s).
    pub(super) spin: Vec3,
    /// Whether the ground moves anywhere.
    pub(super) is_moving: bool,
}

impl StandingWheels<'_> {
    /// The wheels that stick along their rolling direction, and those that stick across it, a bit
    /// for each.
    #[inline]
    pub(super) fn stuck_wheels(&self) -> [u64; 2] {
        let mut wheels = [0; 2];
        for four in 0..self.tires.fours().len() {
            for (wheels, sticks) in wheels.iter_mut().zip(self.sticks(four)) {
                *wheels |= sticks.bits() << (four * MAX_LANES);
            }
        }
        wheels
    }

    /// The ground below those of the `wheels` that stick; `None` if there are none.
    #[inline]
    pub(super) fn footing(&self, wheels: [u64; 2]) -> Option<Footing> {
        let count = (wheels[0] | wheels[1]).count_ones();
        if count == 0 {
            return None;
        }
        let (mut is_held, mut is_moving) = ([false; 2], false);
        let (mut center, mut normal) = (Vec3::ZERO, Vec3::ZERO);
        for four in 0..self.tires.fours().len() {
            let road = &self.roads.four(four).road;
            let sticks = self.sticks(four);
            let stuck = sticks[0] | sticks[1];
            let has_friction = Real4::zero().is_below(self.friction(four) * self.load(four));
            for axis in [0, 1] {
                is_held[axis] |= (sticks[axis] & has_friction).any();
            }
            center += sum_of_vectors_where(stuck, self.force_points(four));
            normal += sum_of_vectors_where(stuck, road.plane.normal);
            let is_resting = road.velocity.length_squared().is_equal(Real4::zero());
            is_moving |= (stuck & !is_resting).any();
        }
        let share = 1.0 / count as Real;
        let mut footing = Footing {
            is_held,
            is_moving,
            center: center * share,
            normal: normalize_or_zero(normal),
            velocity: Vec3::ZERO,
            spin: Vec3::ZERO,
        };
        if is_moving {
            footing.spin = self.road_spin(share, footing.normal);
            footing.velocity = self.sum_over_stuck(|four| self.velocity_below(four, footing.spin));
            footing.velocity *= share;
        }
        Some(footing)
    }

    /// Angular velocity about `normal` of the ground under the wheels that stick (rad/s), each of
    /// which is a `share` of them.
    ///
    /// ```text
    /// ω = n Σ n·(r × v) / Σ |n × r|²
    /// ```
    ///
    /// with `r` from the mean of the contacts to each.
    #[cold]
    fn road_spin(&self, share: Real, normal: Vec3) -> Vec3 {
        let splat = <Vec3x4 as Vector>::splat;
        let center =
            splat(self.sum_over_stuck(|four| self.suspensions.four(four).contact.point) * share);
        let (mut moment, mut inertia) = (0.0, 0.0);
        for four in 0..self.tires.fours().len() {
            let stuck = self.stuck(four);
            let arm = self.suspensions.four(four).contact.point - center;
            let velocity = self.roads.four(four).road.velocity;
            moment += sum_where(stuck, splat(normal).dot(arm.cross(velocity)));
            inertia += sum_where(stuck, splat(normal).cross(arm).length_squared());
        }
        if 0.0 < inertia { normal * (moment / inertia) } else { Vec3::ZERO }
    }

    /// The sum of the `vectors` of fours over the wheels that stick.
    fn sum_over_stuck(&self, vectors: impl Fn(usize) -> Vec3x4) -> Vec3 {
        let fours = 0..self.tires.fours().len();
        fours
            .map(|four| sum_of_vectors_where(self.stuck(four), vectors(four)))
            .fold(Vec3::ZERO, Add::add)
    }

    /// Velocity of the ground at the force points of four wheels if it turns with `spin` (rad/s)
    /// (m/s): each point lies beside the contact, whose velocity is known.
    #[inline]
    pub(super) fn velocity_below(&self, four: usize, spin: Vec3) -> Vec3x4 {
        let velocity = self.roads.four(four).road.velocity;
        if spin == Vec3::ZERO {
            return velocity;
        }
        let beside = self.force_points(four) - self.suspensions.four(four).contact.point;
        velocity + <Vec3x4 as Vector>::splat(spin).cross(beside)
    }

    /// Which of four wheels stick along their rolling directions, and which across, on a road.
    #[inline]
    pub(super) fn sticks(&self, four: usize) -> [Mask4; 2] {
        let sticky = &self.tires.four(four).sticky;
        let is_on_road = self.roads.four(four).road.is_there & self.wheel_lanes(four);
        [sticky.longitudinal, sticky.lateral].map(|state| is_on_road & state.is_active)
    }

    /// Which of four wheels stick in any direction.
    #[inline]
    fn stuck(&self, four: usize) -> Mask4 {
        let [along, across] = self.sticks(four);
        along | across
    }
}

/// The sum of `numbers` where `mask` is true.
#[inline]
pub(super) fn sum_where(mask: Mask4, numbers: Real4) -> Real {
    let [a, b, c, d] = Number::select(mask, numbers, Real4::zero()).to_array();
    (a + b) + (c + d)
}

/// The sum of `vectors` where `mask` is true.
#[inline]
fn sum_of_vectors_where(mask: Mask4, vectors: Vec3x4) -> Vec3 {
    let [a, b, c, d] = Vector::select(mask, vectors, Vector::zero()).rows();
    let [x, y, z, _] = ((a + b) + (c + d)).to_array();
    Vec3::new(x, y, z)
}
