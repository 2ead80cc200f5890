//! The rows of four wheels as equations for the momentum that they give to the body.

use super::body_velocity::BodyVelocity;
use super::lanes::{FourRows, RowLanes};
use super::momentum::SIZE;
use crate::math::lanes::{Mask, Mask4, Number, Real4, Vector};
use crate::math::{Real, transformed};

/// Least softness, of rows that reach their target at once (dimensionless): two of them may ask for
/// different things.
const LEAST_SOFTNESS: Real = 1e-6;

/// A row of each of four wheels.
#[derive(Clone, Copy)]
pub(super) struct Term {
    /// Change of the body's velocity per impulse: linear (1/kg), angular (1/(kg·m)).
    pub(super) answer: [Real4; SIZE],
    /// Speed that the row is to change by (m/s).
    pub(super) error: Real4,
    /// Impulse per speed: 1 / softness (kg); 0 where there is no row.
    pub(super) stiffness: Real4,
    /// Largest impulse (N·s); 0 where there is no row.
    pub(super) largest: Real4,
}

impl Term {
    /// The rows where they are there, without their stiffness, and their softness (1/kg).
    #[inline(always)]
    fn with_softness(rows: &RowLanes, is_there: Mask4, body: &BodyVelocity) -> (Self, Real4) {
        let inverse_mass = Real4::splat(body.inverse_mass);
        let turned = transformed(&body.inverse_inertia, rows.angular);
        let response = inverse_mass + rows.angular.dot(turned);
        let softness = response * rows.softness.at_least(Real4::splat(LEAST_SOFTNESS));
        let largest = rows.max_impulse.at_least(Real4::zero());
        let [x, y, z] = (rows.linear * inverse_mass).components();
        let [roll, pitch, yaw] = turned.components();
        let term = Self {
            answer: [x, y, z, roll, pitch, yaw],
            error: rows.target_speed - rows.speed(body.linear, body.angular),
            stiffness: Real4::zero(),
            largest: Number::select(is_there, largest, Real4::zero()),
        };
        (term, Number::select(is_there, softness, Real4::splat(Real::INFINITY)))
    }

    /// The rows where they are there.
    fn new(rows: &RowLanes, is_there: Mask4, body: &BodyVelocity) -> Self {
        let (term, softness) = Self::with_softness(rows, is_there, body);
        Self { stiffness: Real4::splat(1.0) / softness, ..term }
    }
}

/// The rows of four wheels: along, across, out of the road. Those that are not there have no part
/// in it.
#[derive(Clone, Copy)]
pub(super) struct FourTerms {
    /// The rows along and across.
    pub(super) tires: [Term; 2],
    /// The rows out of the road, if any wheel has one.
    pub(super) stops: Option<Stops>,
    /// Largest impulse of both of the tire's rows (N·s).
    pub(super) friction: Real4,
}

/// Rows out of the road, of four wheels.
#[derive(Clone, Copy)]
pub(super) struct Stops {
    pub(super) rows: Term,
    /// Smallest impulse (N·s).
    pub(super) least: Real4,
}

impl FourTerms {
    /// The rows of four wheels that are the vehicle's to execute, where there `is_wheel`.
    #[inline(always)]
    pub(super) fn new(rows: &FourRows, is_wheel: Mask4, body: &BodyVelocity) -> Self {
        let [along, across, out] = rows.local();
        let (along, across, out) = (along & is_wheel, across & is_wheel, out & is_wheel);
        let friction = rows.max_friction_impulse.at_least(Real4::zero());
        // The friction circle is round only if both directions are as soft: as the mean of both.
        let is_round = along & across & friction.is_below(Real4::splat(Real::INFINITY));
        let (mut tire, one) = Term::with_softness(&rows.along, along, body);
        let (mut beside, other) = Term::with_softness(&rows.across, across, body);
        let mean = Real4::splat(0.5) * (one + other);
        tire.stiffness = Real4::splat(1.0) / Number::select(is_round, mean, one);
        beside.stiffness = Real4::splat(1.0) / Number::select(is_round, mean, other);
        Self {
            tires: [tire, beside],
            stops: out.any().then(|| Stops::new(rows, out, body)),
            friction,
        }
    }
}

impl Stops {
    #[cold]
    fn new(rows: &FourRows, is_there: Mask4, body: &BodyVelocity) -> Self {
        let row = Term::new(&rows.out, is_there, body);
        let least = Number::select(rows.stops_pull(), -row.largest, Real4::zero());
        Self { rows: row, least }
    }
}
