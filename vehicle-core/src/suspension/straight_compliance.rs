//! Compliances of four suspensions at once, where their curves are straight.

use std::ops::{Add, Div, Mul, Sub};

use super::compliance::SuspensionCompliance;
use super::params::SuspensionComplianceParams;
use crate::lookup_table::{Interpolate, LookupTable};
use crate::math::Real;
use crate::math::lanes::{Lanes, MAX_LANES, Mask4, Number, Real4, Vec3x4, Vector, each_lane};

/// Compliances of four suspensions of which each curve has two points at most, as those have that
/// no file gives. They are evaluated in lanes, with the bits that they have one by one.
#[derive(Clone, Debug)]
pub struct StraightCompliance {
    toe: StraightCurve<Real4>,
    camber: StraightCurve<Real4>,
    suspension_force_point: StraightCurve<Vec3x4>,
    /// `None` where it is that of the suspension force.
    tire_force_point: Option<StraightCurve<Vec3x4>>,
}

/// A curve through two points at most in each lane, constant before and behind them.
#[derive(Clone, Copy, Debug)]
struct StraightCurve<T> {
    /// Whether the curve is `before` everywhere.
    is_constant: bool,
    start: Real4,
    end: Real4,
    length: Real4,
    before: T,
    behind: T,
    rise: T,
}

impl<T> StraightCurve<T>
where
    T: Lanes + Add<Output = T> + Mul<Real4, Output = T> + Div<Real4, Output = T>,
    T::Single: Interpolate + Sub<Output = T::Single>,
{
    /// The curves of `tables`; `None` if one has more points.
    fn of(tables: [&LookupTable<T::Single>; MAX_LANES]) -> Option<Self> {
        let is_straight = tables.iter().all(|table| table.points().len() <= 2);
        // One that is constant never begins.
        let ends = |lane: usize| match *tables[lane].points() {
            [first, second, ..] => [first, second],
            [(_, value)] => [(Real::INFINITY, value); 2],
            [] => [(Real::INFINITY, T::Single::default()); 2],
        };
        let place = |end: usize| -> Real4 { Lanes::from_lanes(|lane| ends(lane)[end].0) };
        let value = |end: usize| T::from_lanes(|lane| ends(lane)[end].1);
        is_straight.then(|| Self {
            is_constant: tables.iter().all(|table| table.is_constant()),
            start: place(0),
            end: place(1),
            length: Lanes::from_lanes(|lane| ends(lane)[1].0 - ends(lane)[0].0),
            before: value(0),
            behind: value(1),
            rise: T::from_lanes(|lane| ends(lane)[1].1 - ends(lane)[0].1),
        })
    }

    /// The values at `x`, in the order of [`LookupTable::evaluate`].
    #[inline]
    fn at(&self, x: Real4, select: fn(Mask4, T, T) -> T) -> T {
        if self.is_constant {
            return self.before;
        }
        let between = self.before + self.rise * (x - self.start) / self.length;
        let from_start = select(x.is_below(self.end), between, self.behind);
        select(x.is_below(self.start), self.before, from_start)
    }
}

impl StraightCompliance {
    /// Compliances of one to four suspensions; `None` if a curve has more than two points.
    pub(crate) fn of(params: &[SuspensionComplianceParams]) -> Option<Self> {
        let last = params.len().checked_sub(1)?;
        let each = each_lane(|lane| &params[lane.min(last)]);
        let points = each.map(|params| &params.suspension_force_point);
        let tire_points = each.map(|params| &params.tire_force_point);
        let tire_force_point =
            if points == tire_points { None } else { Some(StraightCurve::of(tire_points)?) };
        Some(Self {
            toe: StraightCurve::of(each.map(|params| &params.toe))?,
            camber: StraightCurve::of(each.map(|params| &params.camber))?,
            suspension_force_point: StraightCurve::of(points)?,
            tire_force_point,
        })
    }

    /// At `jounce` of a travel of `travel_distance` (m): every curve at j / D.
    #[inline]
    pub(super) fn at(&self, jounce: Real4, travel_distance: Real4) -> SuspensionCompliance<Vec3x4> {
        let normalized = jounce / travel_distance;
        let number = <Real4 as Number>::select;
        let vector = <Vec3x4 as Vector>::select;
        let suspension_force_point = self.suspension_force_point.at(normalized, vector);
        let of_tire = self.tire_force_point.as_ref();
        SuspensionCompliance {
            toe: self.toe.at(normalized, number),
            camber: self.camber.at(normalized, number),
            suspension_force_point,
            tire_force_point: of_tire
                .map_or(suspension_force_point, |curve| curve.at(normalized, vector)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec3;
    use crate::suspension::suspension_compliance;

    fn number(points: &[(Real, Real)]) -> LookupTable<Real> {
        LookupTable::new(points.to_vec()).unwrap()
    }

    #[test]
    fn straight_curves_in_lanes_are_those_of_single_wheels() {
        let point = |x: Real| Vec3::new(0.1 * x, -0.3, 0.7 + x);
        let contact = SuspensionComplianceParams::at_contact(Vec3::NEG_Y, 0.2, 0.31);
        let bent = SuspensionComplianceParams {
            toe: number(&[(0.1, 0.01), (0.9, -0.02)]),
            camber: number(&[(0.0, -0.03)]),
            tire_force_point: LookupTable::new([(0.2, point(0.3)), (0.6, point(0.5))]).unwrap(),
            ..contact.clone()
        };
        for params in [vec![contact.clone(); 4], vec![contact, bent.clone(), bent]] {
            let lanes = StraightCompliance::of(&params).unwrap();
            for jounce in [-0.05, 0.0, 0.019, 0.02, 0.07, 0.13, 0.2, 0.23, Real::NAN] {
                let found = lanes.at(Real4::splat(jounce), Real4::splat(0.2));
                for (lane, params) in params.iter().enumerate() {
                    let expected = suspension_compliance(params, jounce, 0.2);
                    let found: SuspensionCompliance = found.lane(lane);
                    assert_eq!(format!("{found:?}"), format!("{expected:?}"), "{jounce} m");
                }
            }
        }
    }

    #[test]
    fn curves_of_three_points_are_left_to_their_tables() {
        let params = SuspensionComplianceParams {
            camber: number(&[(0.0, 0.0), (0.5, 0.01), (1.0, 0.05)]),
            ..SuspensionComplianceParams::default()
        };
        assert!(StraightCompliance::of(&[params]).is_none());
    }
}
