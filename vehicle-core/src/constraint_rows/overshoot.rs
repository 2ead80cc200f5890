//! Lateral forces that would throw a vehicle to the other side within a step.
//!
//! The lateral force of a tire follows from the lateral speed of its contact when the step begins,
//! and acts all through it. Lateral speeds of the contacts of a body that moves at `v` are
//! `u = J v`. A tire's force per speed is `D = |F_T| / |v_T|` (N·s/m): of a tire of cornering
//! stiffness C, about C / |v_L|. A step of `dt` leaves
//!
//! ```text
//! v' = (1 - A) v,   A = dt Σ D M⁻¹ jᵀ j
//! ```
//!
//! `A` has as many *gains* (eigenvalues) as the body has ways to slide, none of them negative. A
//! motion of gain 1 stops within the step. Above, it swings to the other side; above 2 it grows.
//! No gain is above 1 if
//!
//! ```text
//! D dt w < 1   for every tire,   w = max eigenvalue of Σ M⁻¹ jᵀ j
//! ```
//!
//! `w` (1/kg) is the *lateral response*: how fast contacts become sideways if all tires push as
//! suits that best. Wheels at `x` before the center of mass let the body slide and roll (`P`) and
//! turn (`R`). Their force acts `h` below it, and their contact is `H` below it. They also let it
//! do both at once (`Q`):
//!
//! ```text
//! P = Σ (1/M + h H / I_roll),   R = Σ x² / I_yaw,   Q² = P/n (Σ x)² / I_yaw
//! w = (P + R)/2 + sqrt(((P - R)/2)² + Q²)
//! ```
//!
//! That is exact for wheels of like depths that point forward. Steered wheels push less together: a
//! car whose front wheels are turned by 0.8 rad has between 0.8 and 1.02 of it. Per wheel, `w M /
//! n` is
//!
//! | vehicle | (dimensionless) |
//! |---|---|
//! | forces as high as the center of mass, radius of gyration like the levers | 1 |
//! | sample car: forces 0.22 m, contacts 0.67 m below, radii of gyration 0.6 and 1.3 m | 1.5 |
//! | the same with forces on the ground, 0.51 m below | 2 |
//! | yaw inertia M/4 (lever)² | 4 |
//! | one axle, as far behind the center of mass as the radius of gyration | 2, and what it rolls |
//!
//! A tire that slides has a smaller `D`, and a row that stands for a tire takes its term away. An
//! aligning moment adds its trail to `x`.
//!
//! At 60 Hz and without substeps it is cars below some 5 m/s whose forces overshoot. There, rows
//! take the place of the forces. A vehicle that is looked at coarsely, with one substep whatever
//! its sequence says, has no such rows: its forces are [weakened](stop_at_most) to `D dt w = 1`.
//! Contacts of beam axles with a mass answer faster than that: they keep their rows.

use super::footing::sum_where;
use crate::body::RigidBodyParams;
use crate::frame::Frame;
use crate::math::Real;
use crate::math::lanes::{Mask, Mask4, Number, Real4, Vector};
use crate::mount::SuspensionParams;
use crate::tire::TireState;

/// Levers of a wheel's lateral force about the center of mass.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LateralLevers<N> {
    /// From the center of mass forward (m).
    pub(crate) forward: N,
    /// Depth of the force times depth of the contact at full droop, 0 if they are on different
    /// sides of the center of mass (m²).
    pub(crate) depths: N,
}

impl<N: Number> LateralLevers<N> {
    /// The levers of a wheel of `radius` (m) on a tire whose force acts at `arm` (m, body frame).
    #[inline]
    pub(crate) fn new(
        suspension: &SuspensionParams<N::Vector>,
        radius: N,
        arm: N::Vector,
        frame: &Frame,
    ) -> Self {
        let longitudinal = N::Vector::splat(frame.longitudinal());
        let vertical = N::Vector::splat(frame.vertical());
        let droop =
            suspension.wheel_mount() + suspension.travel_direction * suspension.travel_distance;
        let contact_height = vertical.dot(droop) - radius;
        Self {
            forward: longitudinal.dot(arm),
            depths: (vertical.dot(arm) * contact_height).at_least(N::zero()),
        }
    }
}

/// Sums over the levers of all wheels.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LeverSums {
    count: Real,
    forward: Real,
    squares: Real,
    depths: Real,
}

impl LeverSums {
    /// Adds the `levers` of these `wheels` of four.
    #[inline]
    pub(crate) fn add(&mut self, levers: &LateralLevers<Real4>, wheels: Mask4) {
        let LateralLevers { forward, depths } = *levers;
        self.count += sum_where(wheels, Real4::splat(1.0));
        self.forward += sum_where(wheels, forward);
        self.squares += sum_where(wheels, forward * forward);
        self.depths += sum_where(wheels, depths);
    }
}

/// The lateral response of a body on wheels of such `levers` (1/kg), see the
/// [module](self).
#[inline]
pub(crate) fn lateral_response(
    params: &RigidBodyParams,
    levers: &LeverSums,
    frame: &Frame,
) -> Real {
    let LeverSums { count, forward, squares, depths } = *levers;
    let inverse_inertia = params.inertia.recip();
    let about_roll = inverse_inertia.dot(frame.longitudinal().abs());
    let about_yaw = inverse_inertia.dot(frame.vertical().abs());
    let sliding = count / params.mass + depths * about_roll;
    let turning = squares * about_yaw;
    let both = sliding / count * (forward * forward) * about_yaw;
    let difference = 0.5 * (sliding - turning);
    0.5 * (sliding + turning) + (difference * difference + both).sqrt()
}

/// Whether the lateral force of a tire could throw the body to the other side within a step of `dt`
/// (s). It acts together with others like it, on a body of the `lateral_response` (1/kg).
///
/// ```text
/// |v_T| < |F_T| dt w
/// ```
#[inline]
pub(crate) fn would_overshoot<V: Vector>(
    tire: &TireState<V>,
    lateral_response: Real,
    dt: Real,
) -> <V::Number as Number>::Mask {
    let per_force = V::Number::splat(lateral_response * dt);
    tire.speeds.lateral.abs().is_below(tire.force.lateral_force.abs() * per_force)
}

/// Weakens the lateral force of a tire that [would overshoot](would_overshoot) to what stops the
/// vehicle within the step, and no more.
///
/// ```text
/// |F_T| = |v_T| / (dt w)
/// ```
///
/// No motion then has a gain above 1. A vehicle that corners or stands across a slope slides the
/// faster, by `F_T dt w`. That is 0.03 m/s for a car that turns in 10 m at 3.6 m/s, with a step at
/// 60 Hz.
#[inline]
pub(crate) fn stop_at_most<V: Vector>(tire: &mut TireState<V>, lateral_response: Real, dt: Real) {
    let overshoots = would_overshoot(tire, lateral_response, dt);
    if !overshoots.any() {
        return;
    }
    let force = &mut tire.force;
    let most = tire.speeds.lateral.abs() / V::Number::splat(lateral_response * dt);
    // Where it overshoots, the force is not 0.
    let share = most / force.lateral_force.abs();
    let (weaker, lateral) = (force.lateral_force * share, force.lateral * share);
    force.lateral_force = Number::select(overshoots, weaker, force.lateral_force);
    force.lateral = Vector::select(overshoots, lateral, force.lateral);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::test_runner::RngSeed;

    use super::*;
    use crate::math::Vec3;
    use crate::math::lanes::{Lanes, MAX_LANES};

    const FRAME: Frame = Frame::Z_UP;

    /// The response of a body on wheels as far forward as `forward` (m), all of the same `depths`
    /// (m²).
    fn response(params: &RigidBodyParams, forward: &[Real], depths: Real) -> Real {
        let mut sums = LeverSums::default();
        for four in forward.chunks(MAX_LANES) {
            let forward = Lanes::from_lanes(|lane| four.get(lane).copied().unwrap_or_default());
            let levers = LateralLevers { forward, depths: Real4::splat(depths) };
            sums.add(&levers, Mask4::below(four.len()));
        }
        lateral_response(params, &sums, &FRAME)
    }

    #[test]
    fn response_is_that_of_mass_and_levers() {
        // 1/M = 0.5, 1/I_roll = 1, 1/I_yaw = 0.25.
        let params = RigidBodyParams { mass: 2.0, inertia: Vec3::new(1.0, 9.0, 4.0) };
        let cases = [
            (response(&params, &[0.0], 0.0), 0.5),
            (response(&params, &[0.0], 0.25), 0.75),
            // One axle: it slides, rolls and turns at once.
            (response(&params, &[-2.0, -2.0], 0.25), 2.0 * (0.75 + 1.0)),
            // Two axles alike: they slide, or they turn.
            (response(&params, &[1.0, -1.0], 0.0), 2.0 * 0.5),
            (response(&params, &[2.0, -2.0], 0.0), 2.0 * 1.0),
        ];
        for (response, expected) in cases {
            assert!((response - expected).abs() < 1e-6, "{response} 1/kg, not {expected} 1/kg");
        }
    }

    #[test]
    fn forces_stop_a_slow_tire_at_most() {
        let (response, dt) = (0.004, 0.02);
        // (lateral speed, force, what is left of it)
        let cases =
            [(0.1, -5_000.0, -1_250.0), (-0.1, 5_000.0, 1_250.0), (0.1, -1_000.0, -1_000.0)];
        for (speed, force, expected) in cases {
            let mut tire = TireState::<Vec3>::default();
            tire.speeds.lateral = speed;
            tire.force.lateral_force = force;
            tire.force.lateral = Vec3::Y * force;
            stop_at_most(&mut tire, response, dt);
            let left = tire.force.lateral_force;
            assert!((left - expected).abs() < 0.1, "{speed} m/s: {left} N of {force} N");
            assert!(tire.force.lateral.distance(Vec3::Y * left) < 0.1, "{:?}", tire.force.lateral);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig {
            failure_persistence: None,
            rng_seed: RngSeed::Fixed(1),
            ..ProptestConfig::with_cases(1_000)
        })]

        /// Explicit forces of up to the bound take energy, and turn no motion around.
        #[test]
        fn forces_below_the_bound_do_not_overshoot(
            (mass, roll, yaw) in (100.0_f32..20e3, 0.1_f32..2.0, 0.1_f32..4.0),
            forward in prop::collection::vec(-4.0_f32..4.0, 1..8),
            shares in prop::array::uniform8(0.0_f32..1.0),
            (force_depth, contact_depth) in (-0.5_f32..1.5, 0.0_f32..1.5),
            motion in prop::array::uniform3(-1.0_f32..1.0),
        ) {
            let inertia = Vec3::new(mass * roll * roll, mass, mass * yaw * yaw);
            let params = RigidBodyParams { mass, inertia };
            // A force above the center of mass rolls the contact the other way.
            let depths = (force_depth * contact_depth).max(0.0);
            let bound = 1.0 / response(&params, &forward, depths);
            let depth = depths.sqrt();
            let [slide, roll_speed, turn] = motion;
            let mut impulse = [0.0; 3];
            for (&x, share) in forward.iter().zip(shares) {
                let force = share * bound * (slide + depth * roll_speed + x * turn);
                for (sum, lever) in impulse.iter_mut().zip([1.0, depth, x]) {
                    *sum += force * lever;
                }
            }
            let masses = [mass, inertia.x, inertia.z];
            let product = |other: [Real; 3]| -> Real {
                (0..3).map(|way| masses[way] * motion[way] * other[way]).sum()
            };
            let after = std::array::from_fn(|way| motion[way] - impulse[way] / masses[way]);
            let (left, whole) = (product(after), product(motion));
            prop_assert!(-1e-4 * whole <= left && left <= whole, "{left} J of {whole} J");
        }
    }
}
