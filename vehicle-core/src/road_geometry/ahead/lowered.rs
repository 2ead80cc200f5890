//! Wheels that are put into their road: they see it from afar, and it rises under them.

use super::{FourLooks, LEAST_HEIGHT, Met};
use crate::Context;
use crate::math::lanes::{MAX_LANES, Mask4, Number, Real4, RigidPose, Vec3x4, Vector};
use crate::math::{Real, Vec3};
use crate::mount::WheelTravel;
use crate::plane::Plane;
use crate::road::RoadContacts;

/// Largest speed at which a road rises under a wheel that was put into it (m/s).
const RISE_SPEED: Real = 0.6;

/// Cosines of the angle between travel and road (dimensionless): above the first, a wheel comes
/// from the air. Below the second, its vehicle has lain on its side.
const ROLLED: [Real; 2] = [0.8, 0.6];

/// Largest acceleration with which it begins to rise and comes to the surface (m/s²).
const RISE_ACCELERATION: Real = 5.0;

impl FourLooks {
    /// Height above the hubs of `wheels` where a look begins that does not know how deep in their
    /// road they are (m). It is that of the `center` of mass (m), but not above their tops.
    #[cold]
    pub(super) fn rise_from_afar(&self, wheels: Mask4, center: Vec3) -> Real4 {
        let WheelTravel { pose, direction, distance, radius, .. } = self.travel;
        let hub = pose.translation() + direction * (distance - self.hubs.jounce);
        let rise = (hub - Vec3x4::splat(center)).dot(direction).at_most(radius);
        let least = radius * <Real4 as Number>::splat(LEAST_HEIGHT);
        Number::select(wheels, rise.at_least(least), Number::zero())
    }

    /// Which wheels have been somewhere and have neither `met` a road nor had one: they are in the
    /// air, or below their road.
    #[inline]
    pub(super) fn misses(&self, met: &Met) -> Mask4 {
        let misses = self.looks & self.hubs.is_known & !self.last.is_there;
        met.iter().fold(misses, |misses, hit| misses & !hit.road.is_there)
    }

    /// Looks once more for roads of those `wheels` that may be below them, on a body whose `center`
    /// of mass is there (m).
    #[cold]
    pub(super) fn look_from_afar(
        &mut self,
        wheels: Mask4,
        center: Vec3,
        tire_kinds: [u32; MAX_LANES],
        met: &mut Met,
        context: &Context<'_>,
    ) {
        self.may_rise = self.may_rise | wheels;
        let least_rise = self.rise_from_afar(wheels, center);
        let afar = Self { looks: wheels, least_rise, ..*self };
        let begin = usize::from(met.len() == self.count);
        let mut found = Met::new();
        afar.look(begin, tire_kinds, &mut found, context);
        for (hit, found) in met.iter_mut().zip(&found) {
            hit.take(found, wheels);
        }
    }

    /// How far each of the roads that wheels have found is to be lowered at first (m), of which
    /// `nearest` is the first. Wheels that are in it then stand as deep as on their last road, or
    /// as the vehicle stands at rest.
    ///
    /// A wheel that comes from the air is lifted at once, as onto a step. But a vehicle that lies
    /// on its side has turned its wheels into the ground where they did not see it. As it rolls
    /// back, they find a road that is as steep to them as that.
    #[cold]
    pub(super) fn lowering(
        &self,
        is_found: Mask4,
        is_new: Mask4,
        nearest: &Plane<Vec3x4>,
        standing: impl Fn() -> Real4,
    ) -> Real4 {
        let WheelTravel { pose, distance, .. } = self.travel;
        let touching =
            |plane| distance + self.touch.rise_to(&self.shape, pose.translation(), plane);
        let at_rest = standing().at_least(self.hubs.jounce);
        let most = Number::select(self.last.is_there, touching(&self.last.plane), at_rest);
        let slope = -nearest.normal.dot(self.touch.direction);
        let excess = (touching(nearest) - most).at_least(Number::zero()) * slope;
        let [level, steep]: [Real4; 2] = ROLLED.map(Number::splat);
        let rolled = (level - slope) / (level - steep);
        let rolled = rolled.at_least(Number::zero()).at_most(Number::splat(1.0));
        let excess = Number::select(self.may_rise, excess, excess * rolled);
        let lowered = Number::select(is_new, excess, self.last.lowered);
        Number::select(is_found, lowered, Number::zero())
    }

    /// Lets `roads` that are `lowered` (m) rise to their surfaces in a frame of `dt` (s), along the
    /// unit vectors `up` out of what was found. The planes that lead wheels there may be steep.
    ///
    /// ```text
    /// w = min(w₀ + a dt, 0.6 m/s, √(2 a s), s / dt),   a = 5 m/s²
    /// ```
    ///
    /// with the depth `s` and the speed `w₀` of the frame before.
    #[cold]
    pub(super) fn raise(
        &self,
        roads: &mut RoadContacts,
        up: Vec3x4,
        (lowered, rises): (Real4, Mask4),
        dt: Real,
        length_scale: Real,
    ) {
        let acceleration = RISE_ACCELERATION * length_scale;
        let [most, faster, twice, time]: [Real4; 4] =
            [RISE_SPEED * length_scale, acceleration * dt, 2.0 * acceleration, dt]
                .map(Number::splat);
        let velocity = &mut roads.road.velocity;
        let before = (self.last.velocity - *velocity).dot(up);
        let did_rise = self.last.is_there & <Real4 as Number>::zero().is_below(self.last.lowered);
        let before = Number::select(did_rise, before.at_least(Number::zero()), Number::zero());
        let slowing = Number::sqrt(lowered * twice);
        let speed = (before + faster).at_most(most).at_most(slowing).at_most(lowered / time);
        let speed = Number::select(rises, speed, Number::zero());
        *velocity = *velocity + up * speed;
        let left = Number::at_least(lowered - speed * time, Number::zero());
        roads.lowered = Number::select(rises, left, roads.lowered);
    }
}
