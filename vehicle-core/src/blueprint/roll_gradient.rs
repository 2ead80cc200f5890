//! How far a car rolls in a bend, and the bars by which it rolls so far.

use super::CarBlueprint;
use super::assembly::spring;
use super::axle::AxleBlueprint;
use crate::context::GRAVITY;
use crate::error::{Bound, ParamCheck, ParamErrors, Validate};
use crate::math::Real;

impl CarBlueprint {
    /// This car with anti-roll bars that make it roll by `degrees_per_g` in a steady bend. The
    /// front axle has `front_share` of the roll stiffness. Usual are 4 to 5 degrees per g for a
    /// saloon and 2 to 3 for a sports car, with 0.55 to 0.65 in front for a car that understeers.
    ///
    /// ```text
    /// K = Σ ½ t² k',   φ = M g h / (K - M g h) + M g h_rc / Σ ½ t² k_t,   1 / k' = 1 / (s² k + 2 κ) + 1 / k_t
    /// ```
    ///
    /// with the track `t`, and the distance `s` of the springs as a part of it, 1 if the axle is no
    /// beam. `h` is the height of the center of mass above the roll axis, `h_rc` that of the axis
    /// below it. `κ` is the stiffness of a bar, `k_t` that of a tire, which does not give way where
    /// wheels have no mass.
    ///
    /// # Errors
    ///
    /// If the data sheet has a fault, or an axle without a bar is stiffer already; the message
    /// tells the gradient that it can have.
    pub fn with_roll_gradient(
        self,
        degrees_per_g: Real,
        front_share: Real,
    ) -> Result<Self, ParamErrors> {
        self.validate()?;
        let mut check = ParamCheck::default();
        check.number("degrees_per_g", degrees_per_g, Bound::Positive);
        check.number("front_share", front_share, Bound::Within(0.0, 1.0));
        check.finish()?;
        let moment = self.mass * GRAVITY * self.height_above_roll_axis();
        let needed = moment * (1.0 / (degrees_per_g.to_radians() - self.roll_on_tires()) + 1.0);
        let half_square = 0.5 * self.track_width * self.track_width;
        let mut check = ParamCheck::default();
        let mut anti_roll_stiffness = [0.0; 2];
        for (axle, share) in [front_share, 1.0 - front_share].into_iter().enumerate() {
            let (tire, spring) = (self.tire_compliance(axle), self.spring_rate(axle));
            let of_both = share * needed / half_square;
            let of_suspension = 1.0 / (1.0 / of_both - tire);
            let stiffness = 0.5 * (of_suspension - spring);
            let bare = half_square / (1.0 / spring + tire);
            // The gradient at which this axle needs no bar.
            let on_springs = moment / (bare / share - moment);
            let softest = (on_springs + self.roll_on_tires()).to_degrees();
            let is_reached = 0.0 < of_suspension && moment < needed;
            let possible = is_reached && 0.0 <= stiffness && stiffness.is_finite();
            let requirement = if is_reached && stiffness < 0.0 {
                format!("at most {softest}, by the springs of axle {axle} alone")
            } else {
                format!("so large that the tires of axle {axle} let it be reached")
            };
            check.require("degrees_per_g", possible, requirement, degrees_per_g);
            anti_roll_stiffness[axle] = stiffness;
        }
        check.finish()?;
        Ok(Self { anti_roll_stiffness, ..self })
    }

    /// Roll in a steady bend (degrees per g), see [`with_roll_gradient`](Self::with_roll_gradient);
    /// infinite for a car that falls over its own springs.
    pub fn roll_gradient(&self) -> Real {
        let moment = self.mass * GRAVITY * self.height_above_roll_axis();
        let stiffness: Real = [0, 1].map(|axle| self.roll_stiffness(axle)).into_iter().sum();
        if stiffness <= moment {
            return Real::INFINITY;
        }
        (moment / (stiffness - moment) + self.roll_on_tires()).to_degrees()
    }

    /// Roll on the tires by the forces at the roll centers, which reach them past the springs (rad
    /// per g).
    fn roll_on_tires(&self) -> Real {
        if self.ride.is_none() {
            return 0.0;
        }
        let height = self.center_of_mass_height - self.height_above_roll_axis();
        let stiffness: Real = self.axles().iter().map(AxleBlueprint::tire_stiffness).sum();
        self.mass * GRAVITY * height / (0.5 * self.track_width * self.track_width * stiffness)
    }

    /// Roll stiffness of an axle: springs, bar and tires (N·m/rad).
    fn roll_stiffness(&self, axle: usize) -> Real {
        let suspension = self.spring_rate(axle) + 2.0 * self.anti_roll_stiffness[axle];
        0.5 * self.track_width * self.track_width / (1.0 / suspension + self.tire_compliance(axle))
    }

    /// Stiffness of one spring of an axle as the body rolls, at the wheel (N/m).
    fn spring_rate(&self, axle: usize) -> Real {
        let sheet = &self.axles()[axle];
        let unsprung = if self.ride.is_none() { 0.0 } else { sheet.unsprung_mass() };
        let inward = sheet.spring_track_ratio();
        spring(sheet).carrying_less(unsprung).stiffness * (inward * inward)
    }

    /// How far a tire gives way (m/N).
    fn tire_compliance(&self, axle: usize) -> Real {
        if self.ride.is_none() { 0.0 } else { self.axles()[axle].tire_stiffness().recip() }
    }

    /// Height of the center of mass above the line between the roll centers (m). Those of wheels
    /// without mass are on the ground.
    fn height_above_roll_axis(&self) -> Real {
        let height = |axle: &AxleBlueprint| {
            if self.ride.is_none() { 0.0 } else { axle.roll_center_height() }
        };
        let [front, rear] = self.axles().map(|axle| height(&axle));
        self.center_of_mass_height - front * self.front_share - rear * (1.0 - self.front_share)
    }
}

#[cfg(test)]
mod tests;
