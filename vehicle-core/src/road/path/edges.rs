//! Edges on the ways of wheels: how far they press tires before their wheels rise.
//!
//! A tire goes onto its rim on roads that turn up gently, as those of dips and loops do. Before an
//! *edge* it begins to climb while the lowest point of its wheel is not yet there. An edge presses
//! a tire as far as to its rim, and the rest of the way up as the wheel rises.

use super::{FourPaths, SAME_PLANE};
use crate::math::Real;
use crate::math::lanes::{Mask, Mask4, Number, Real4, Vec3x4, Vector};
use crate::mount::RoadWheel;
use crate::plane::Plane;
use crate::road::hub::FourHubs;

/// How far a tire can be pressed before its rim is met, by the wheel's radius (dimensionless).
pub(crate) const RIM_DEPTH: f64 = 0.28;

/// Slope of a surface across the travel that is no edge (dimensionless): that of dips and loops.
const GENTLE: Real = 0.25;

/// How deep a rim goes into its tire as long as its wheel takes up the speed at which a road
/// presses on, in radii of the wheel (dimensionless). What is steeper and rises faster is an edge.
const TAKEN_UP: Real = 0.025;

/// Curvature of a way over which a tire goes on its rim, by the wheel's radius (dimensionless).
const BEND: Real = 0.125;

/// How much steeper a way may be than the surface to which it leads (dimensionless): for roads of
/// triangles.
const ROUGHNESS: Real = 0.03;

/// How far a wheel is taken to rise in a step by its speed and its tire, in radii of the wheel
/// (dimensionless). In longer steps its spring and its body hold it.
const FARTHEST_RISE: Real = 0.2;

/// How far below an edge the road under a tire is at most, in radii of the wheel (dimensionless).
const DEEPEST: Real = 0.65;

/// Places and motion at which the road presses the tires of four wheels onto their rims.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Rims {
    /// How far below full compression the center of an unloaded wheel would be whose road presses
    /// the tire of a wheel at full droop to its rim (m).
    pub(crate) below: Real4,
    /// How far full compression sinks in the frame along the travel (m).
    pub(crate) drop: Real4,
    /// By what a tire that is pressed to its rim pushes its wheel up (m/s²).
    pub(crate) push: Real4,
    /// Damping of the wheel by its mass (1/s).
    pub(crate) damping: Real4,
}

impl Rims {
    /// Where down their travel unloaded wheels would be whose road presses the tires of the `hubs`
    /// to their rims, at a `part` of the frame, if the hubs stay (m).
    pub(super) fn place(&self, hubs: &FourHubs, part: Real) -> Real4 {
        let part: Real4 = Number::splat(part);
        self.below + self.drop * part - hubs.jounce
    }

    /// How far tires that are pressed to their rims move their wheels in a `time` (s) (m).
    ///
    /// ```text
    /// ½ a t² / (1 + ½ c t)
    /// ```
    ///
    /// with the acceleration `a` and the damping `c` by the mass.
    pub(super) fn pushed(&self, time: Real) -> Real4 {
        let [half, half_square, one]: [Real4; 3] =
            [0.5 * time, 0.5 * time * time, 1.0].map(Number::splat);
        self.push * half_square / (one + self.damping * half)
    }

    /// How far a road rises in a `time` (s) at the speed that wheels of this `radius` (m) take up
    /// (m). Meanwhile their rims go 0.025 of the radius into their tires.
    ///
    /// ```text
    /// t w a / (a + w c),   w = √(0.05 a R)
    /// ```
    ///
    /// with the acceleration `a` and the damping `c` by the mass.
    pub(super) fn taken_up(&self, radius: Real4, time: Real) -> Real4 {
        let Self { push, damping, .. } = *self;
        let [twice, time]: [Real4; 2] = [2.0 * TAKEN_UP, time].map(Number::splat);
        let speed = Number::sqrt(push * radius * twice);
        speed * push / (push + speed * damping) * time
    }
}

impl FourPaths {
    /// The planes of the [chord](Self::chord), but those that lead up an edge lead as far as they
    /// press the tires onto their rims, where the `hubs` will be then. `before` them there were
    /// others; they last a `time` (s).
    ///
    /// ```text
    /// t₁ ≥ t₀ - max(s, t₀ - t_rim),   t_rim = t_hub - ẋ t - ½ a t² / (1 + ½ c t) - 0.28 R
    /// ```
    ///
    /// with the places `t₀` and `t₁` down the travel where wheels without a load touch the road,
    /// its [gentle rise](Self::gentle_rise) `s` and the jounce speed `ẋ`. `a` is the acceleration
    /// by a tire that is pressed to its rim, and `c` the damping of the wheel by its mass.
    ///
    /// A new road that [rises](Self::rises) ends as low as it begins: its wheel is in it, and goes
    /// up no edge.
    pub(crate) fn soft_chord(
        &mut self,
        shape: &RoadWheel<Real4>,
        before: &Plane<Vec3x4>,
        hubs: &FourHubs,
        [start, end]: [Real; 2],
        time: Real,
        length_scale: Real,
    ) -> (Plane<Vec3x4>, Mask4) {
        let zero = Real4::zero();
        let direction = self.touch.direction;
        let compressed = |part: Real| self.start + self.across * Number::splat(part);
        let [first, last] = [start, end].map(compressed);
        let (from, to) = (self.center(start), self.center(end));
        let [was, begin] = [self.touch.center_on(shape, first, before), from]
            .map(|center| (center - first).dot(direction));
        // New roads, too, press a tire no farther than to its rim at once.
        let rim_before = self.rims.place(hubs, start);
        let lower = Number::select(self.has_stood, was, rim_before).at_most(rim_before) - begin;
        let lower = lower.at_least(zero);
        let begin = begin + lower;
        let pushed = self.rims.pushed(time);
        let farthest = shape.radius * <Real4 as Number>::splat(FARTHEST_RISE);
        let forecast = hubs.jounce_speed * <Real4 as Number>::splat(time) + pushed;
        let rim = self.rims.place(hubs, end) - forecast.at_most(farthest);
        let most = self.gentle_rise(shape, before, [start, end], time).at_least(begin - rim);
        let deepest = shape.radius * <Real4 as Number>::splat(DEEPEST);
        let excess = (begin - most - (to - last).dot(direction)).at_most(deepest);
        let least: Real4 = Number::splat(SAME_PLANE * length_scale);
        let is_steep = self.is_there & (least.is_below(excess) | least.is_below(lower));
        // A part of this time may ask for more.
        let may_be_steep = self.is_there & least.is_below(excess + pushed);
        self.is_softened |= (is_steep | may_be_steep).any();
        let least_excess = Number::select(self.rises & !self.has_stood, lower, zero);
        let [lower, excess] = [lower, excess.at_least(least_excess)]
            .map(|length| direction * Number::select(is_steep, length, zero));
        self.chord_between(shape, [from + lower, to + excess], length_scale)
    }

    /// How far the road rises between two parts of the frame, in a `time` (s), as far as that is no
    /// edge (m). It rises as its surface does, but only so much more than `before` as the road may
    /// bend, or as wheels take up.
    ///
    /// ```text
    /// min(s₁ + 0.03 x, max(s₀, s_up) + 0.125 x² / R)
    /// ```
    ///
    /// with the way `x`, the rises `s₁` of the surface and `s₀` of that before it, which counts
    /// below a slope of 0.25, and what wheels [take up](Rims::taken_up), `s_up`.
    fn gentle_rise(
        &self,
        shape: &RoadWheel<Real4>,
        before: &Plane<Vec3x4>,
        [start, end]: [Real; 2],
        time: Real,
    ) -> Real4 {
        let [gentle, rough, length, bend]: [Real4; 4] =
            [GENTLE, ROUGHNESS, end - start, BEND].map(Number::splat);
        let look = ((end * self.looks as Real).ceil() as usize).min(self.looks);
        let [was_rise, rise] = [before.normal, self.planes[look].normal].map(|normal| {
            let rise = normal.dot(self.across) / normal.dot(self.touch.direction);
            rise.at_least(Number::zero()) * length
        });
        let way = self.across.length() * length;
        let taken_up = self.rims.taken_up(shape.radius, time);
        let was_gentle = was_rise.is_at_most(gentle * way);
        let was_rise = Number::select(was_gentle, was_rise.at_least(taken_up), taken_up);
        (rise + rough * way).at_most(was_rise + bend * way * way / shape.radius)
    }
}

#[cfg(test)]
mod tests;
