//! Rows of four wheels side by side.

use super::row::{ConstraintRow, HostStand, WheelRows};
use crate::math::Vec3;
use crate::math::finite::Finite;
use crate::math::lanes::{
    InLanes, Lanes, MAX_LANES, Mask, Mask4, Number, Real4, Vec3x4, Vector, each_lane,
};

/// A row of each of four wheels; where there is none, its numbers say nothing.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RowLanes {
    pub(crate) is_there: Mask4,
    /// See [`ConstraintRow::linear`].
    pub(crate) linear: Vec3x4,
    /// See [`ConstraintRow::angular`] (m).
    pub(crate) angular: Vec3x4,
    /// (m/s)
    pub(crate) target_speed: Real4,
    /// (dimensionless)
    pub(crate) softness: Real4,
    /// (N·s)
    pub(crate) max_impulse: Real4,
    /// Impulse of the last execution (N·s).
    pub(crate) impulse: Real4,
}

impl RowLanes {
    /// A row at the `arm` from the center of mass (m) along `direction` in each lane, without
    /// target or bounds.
    #[inline]
    pub(crate) fn new(direction: Vec3x4, arm: Vec3x4) -> Self {
        let is_there = Lanes::from_lanes(|_| true);
        Self { is_there, linear: direction, angular: arm.cross(direction), ..Self::default() }
    }

    /// These rows where `mask` is true.
    #[inline]
    pub(crate) fn only_where(self, mask: Mask4) -> Self {
        self.or_else(mask, Self::default())
    }

    /// These rows where `mask` is true, `others` elsewhere.
    #[inline]
    pub(crate) fn or_else(self, mask: Mask4, others: Self) -> Self {
        let number = |yes, no| Number::select(mask, yes, no);
        Self {
            is_there: (mask & self.is_there) | (!mask & others.is_there),
            linear: Vector::select(mask, self.linear, others.linear),
            angular: Vector::select(mask, self.angular, others.angular),
            target_speed: number(self.target_speed, others.target_speed),
            softness: number(self.softness, others.softness),
            max_impulse: number(self.max_impulse, others.max_impulse),
            impulse: number(self.impulse, others.impulse),
        }
    }

    /// Speeds of a body along the rows (m/s).
    #[inline]
    pub(crate) fn speed(&self, linear_velocity: Vec3, angular_velocity: Vec3) -> Real4 {
        let splat = <Vec3x4 as Vector>::splat;
        self.linear.dot(splat(linear_velocity)) + self.angular.dot(splat(angular_velocity))
    }

    /// The row in `lane`, which only pushes if it `is_one_sided`.
    fn row(&self, lane: usize, is_one_sided: bool) -> Option<ConstraintRow> {
        self.is_there.lane(lane).then(|| ConstraintRow {
            linear: self.linear.lane(lane),
            angular: self.angular.lane(lane),
            target_speed: self.target_speed.lane(lane),
            softness: self.softness.lane(lane),
            max_impulse: self.max_impulse.lane(lane),
            is_two_sided: !is_one_sided,
            impulse: self.impulse.lane(lane),
        })
    }

    /// Puts `row` into `lane`; whether it only pushes.
    fn set_row(&mut self, lane: usize, row: Option<ConstraintRow>) -> bool {
        let known = row.unwrap_or_default();
        self.is_there.set_lane(lane, row.is_some());
        self.linear.set_lane(lane, known.linear);
        self.angular.set_lane(lane, known.angular);
        self.target_speed.set_lane(lane, known.target_speed);
        self.softness.set_lane(lane, known.softness);
        self.max_impulse.set_lane(lane, known.max_impulse);
        self.impulse.set_lane(lane, known.impulse);
        row.is_some_and(|row| !row.is_two_sided)
    }
}

/// Flags of the rows of a wheel: small, because a vehicle is.
#[derive(Clone, Copy, Debug, Default)]
struct LaneFlags {
    /// A bit for each row that pushes and does not pull: along, across, out of the road.
    one_sided: u8,
    /// Whether the host executes the rows.
    has_host: bool,
}

impl LaneFlags {
    /// Whether the row of this number pushes and does not pull.
    #[inline]
    fn is_one_sided(self, row: usize) -> bool {
        self.one_sided >> row & 1 == 1
    }

    #[inline]
    fn set_one_sided(&mut self, row: usize, is_one_sided: bool) {
        self.one_sided = self.one_sided & !(1 << row) | u8::from(is_one_sided) << row;
    }
}

// Numbers of the rows along the rolling direction, across it and out of the road.
const ALONG: usize = 0;
const ACROSS: usize = 1;
const OUT: usize = 2;

/// The rows of four wheels.
#[derive(Clone, Copy, Debug, Default)]
pub struct FourRows {
    /// Along the rolling direction.
    pub(crate) along: RowLanes,
    /// Across it.
    pub(crate) across: RowLanes,
    /// Out of the road.
    pub(crate) out: RowLanes,
    /// (N·s)
    pub(crate) max_friction_impulse: Real4,
    /// A bit for each lateral row that stands for the tire's lateral force.
    replacing: u8,
    /// Whether there are only rows of tires that stick, as the stage has found them.
    is_plain: bool,
    flags: [LaneFlags; MAX_LANES],
    host: [HostStand; MAX_LANES],
}

impl FourRows {
    /// Whether there are only rows of tires that stick, and nothing has changed them since they
    /// were found.
    #[inline]
    pub(crate) fn is_plain(&self) -> bool {
        self.is_plain
    }

    /// Lets rows of tires that stick be known as such, or not.
    #[inline]
    pub(crate) fn set_plain(&mut self, is_plain: bool) {
        self.is_plain = is_plain;
    }

    /// Lets lateral rows stand for the tires' lateral forces where `mask` is true.
    #[inline]
    pub(crate) fn set_replacing(&mut self, mask: Mask4) {
        self.replacing = mask.bits() as u8;
    }

    /// Whether any lateral row stands for its tire's lateral force.
    #[inline]
    pub(crate) fn replaces_any(&self) -> bool {
        self.replacing != 0
    }

    /// Where lateral rows stand for the tires' lateral forces.
    #[cold]
    fn replacing(&self) -> Mask4 {
        Lanes::from_lanes(|lane| self.replacing >> lane & 1 == 1)
    }

    /// Sets the stand that a host needs for the rows in `lane`.
    pub(crate) fn set_host(&mut self, lane: usize, stand: Option<HostStand>) {
        self.flags[lane].has_host = stand.is_some();
        self.host[lane] = stand.unwrap_or_default();
    }

    fn host(&self, lane: usize) -> Option<HostStand> {
        self.flags[lane].has_host.then_some(self.host[lane])
    }

    /// The rows of tires that stick alone, which lead to no speed.
    pub(super) fn holding_still(&self) -> Self {
        let mut still = *self;
        still.out.is_there = Mask4::default();
        if self.replaces_any() {
            still.across.is_there = self.across.is_there & !self.replacing();
        }
        for row in [&mut still.along, &mut still.across] {
            row.target_speed = Real4::zero();
        }
        still
    }

    /// Moves what hosts know of the stands by `change`.
    pub(crate) fn edit_hosts(&mut self, change: &mut impl FnMut(&mut HostStand)) {
        for (lane, stand) in self.host.iter_mut().enumerate() {
            if self.flags[lane].has_host {
                change(stand);
            }
        }
    }

    #[inline]
    fn has_any_host(&self) -> bool {
        let [a, b, c, d] = &self.flags;
        a.has_host | b.has_host | c.has_host | d.has_host
    }

    /// Whether there is any row.
    #[inline]
    pub(super) fn has_any_row(&self) -> bool {
        (self.along.is_there | self.across.is_there | self.out.is_there).any()
    }

    /// Puts the stop of a suspension into `lane`.
    pub(crate) fn set_stop(&mut self, lane: usize, row: Option<ConstraintRow>) {
        let is_one_sided = self.out.set_row(lane, row);
        self.flags[lane].set_one_sided(OUT, is_one_sided);
    }

    /// Whether the rows out of the road pull as well as they push.
    #[inline]
    pub(super) fn stops_pull(&self) -> Mask4 {
        Lanes::from_lanes(|lane| !self.flags[lane].is_one_sided(OUT))
    }

    /// Whether there is no row, nor anything for a host.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        !(self.has_any_row() || self.has_any_host())
    }

    /// Whether any of the rows is the stage's to execute.
    #[inline]
    pub(super) fn is_any_local(&self) -> bool {
        self.has_any_row() && self.local().into_iter().any(Mask::any)
    }

    /// Whether each of the rows is the stage's to execute: along, across, out of the road.
    #[inline]
    pub(crate) fn local(&self) -> [Mask4; 3] {
        let rows = [self.along.is_there, self.across.is_there, self.out.is_there];
        if self.has_any_host() { self.beside_host(rows) } else { rows }
    }

    /// Rows of `rows` that are the stage's to execute where a host executes others.
    #[cold]
    fn beside_host(&self, [along, across, out]: [Mask4; 3]) -> [Mask4; 3] {
        let is_local: Mask4 = Lanes::from_lanes(|lane| !self.flags[lane].has_host);
        [along & is_local, across & (is_local | self.replacing()), out & is_local]
    }

    /// Impulse on the body of the rows that the stage has executed (N·s), added to `impulse`.
    #[inline]
    pub(crate) fn pushed(&self, impulse: Vec3x4) -> Vec3x4 {
        // Most of the time there is nothing: a car drives.
        if !self.has_any_row() {
            return impulse;
        }
        let rows = [&self.along, &self.across, &self.out].into_iter().zip(self.local());
        rows.fold(impulse, |sum, (row, is_local)| {
            if !is_local.any() {
                return sum;
            }
            sum + row.linear * Number::select(is_local, row.impulse, Real4::zero())
        })
    }

    /// `force` where no row stands for it, nothing elsewhere.
    #[inline]
    pub(crate) fn unless_replaced(&self, force: Vec3x4) -> Vec3x4 {
        if !self.replaces_any() {
            return force;
        }
        Vector::select(self.replacing(), Vector::zero(), force)
    }

    /// Lets go of whatever is held. The numbers of rows that are gone stay, and say nothing.
    #[inline]
    pub(crate) fn release(&mut self) {
        for row in [&mut self.along, &mut self.across, &mut self.out] {
            row.is_there = Mask4::default();
        }
        self.replacing = 0;
        self.is_plain = false;
        self.flags = [LaneFlags::default(); MAX_LANES];
    }
}

impl Lanes for FourRows {
    type Single = WheelRows;

    fn from_lanes(rows: impl FnMut(usize) -> WheelRows) -> Self {
        let mut fours = Self::default();
        for (lane, rows) in each_lane(rows).into_iter().enumerate() {
            fours.set_lane(lane, rows);
        }
        fours
    }

    fn lane(&self, lane: usize) -> WheelRows {
        let flags = self.flags[lane];
        WheelRows {
            longitudinal: self.along.row(lane, flags.is_one_sided(ALONG)),
            lateral: self.across.row(lane, flags.is_one_sided(ACROSS)),
            limit: self.out.row(lane, flags.is_one_sided(OUT)),
            max_friction_impulse: self.max_friction_impulse.lane(lane),
            replaces_lateral_force: self.replacing().lane(lane),
            host: self.host(lane),
        }
    }

    fn set_lane(&mut self, lane: usize, wheel: WheelRows) {
        self.is_plain = false;
        let rows = [
            (ALONG, self.along.set_row(lane, wheel.longitudinal)),
            (ACROSS, self.across.set_row(lane, wheel.lateral)),
            (OUT, self.out.set_row(lane, wheel.limit)),
        ];
        for (row, is_one_sided) in rows {
            self.flags[lane].set_one_sided(row, is_one_sided);
        }
        self.max_friction_impulse.set_lane(lane, wheel.max_friction_impulse);
        self.replacing =
            self.replacing & !(1 << lane) | u8::from(wheel.replaces_lateral_force) << lane;
        self.set_host(lane, wheel.host);
    }
}

impl InLanes for WheelRows {
    type Lanes = FourRows;
}

impl Finite for RowLanes {
    #[inline]
    fn total(&self) -> Real4 {
        let motion = self.linear.total() + self.angular.total();
        motion + self.target_speed.total() + self.impulse.total()
    }
}

impl Finite for FourRows {
    #[inline]
    fn total(&self) -> Real4 {
        let rows = self.along.total() + self.across.total() + self.out.total();
        if !self.has_any_host() {
            return rows;
        }
        self.host.iter().fold(rows, |sum, stand| sum + stand.total())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Real;
    use crate::rows::VehicleRows;

    /// Wheels with all sorts of rows.
    fn wheels() -> Vec<WheelRows> {
        let row = |number: Real| {
            let row = ConstraintRow::new(Vec3::new(0.0, 0.6, 0.8), Vec3::new(number, 2.0, -0.5));
            Some(ConstraintRow {
                target_speed: 0.1 * number,
                softness: 0.02,
                max_impulse: Real::INFINITY,
                is_two_sided: number < 2.0,
                impulse: 10.0 * number,
                ..row
            })
        };
        let free = WheelRows::default();
        let held = WheelRows { longitudinal: row(1.0), lateral: row(2.0), ..free };
        let slipping = WheelRows { lateral: row(3.0), replaces_lateral_force: true, ..free };
        let host = Some(HostStand { gap: 0.3, ..HostStand::default() });
        let stopped = WheelRows { limit: row(4.0), max_friction_impulse: Real::INFINITY, ..free };
        let left = WheelRows { limit: row(5.0), host, ..held };
        vec![held, free, slipping, stopped, left, WheelRows { host, ..slipping }]
    }

    #[test]
    fn every_wheel_keeps_its_rows() {
        let wheels = wheels();
        let mut rows = VehicleRows::none(wheels.len());
        assert!(!rows.holds_any());
        for (wheel, value) in wheels.iter().enumerate() {
            rows.set(wheel, *value);
        }
        assert!(rows.holds_any());
        assert_eq!(rows.iter().collect::<Vec<_>>(), wheels);
        let text = serde_json::to_string(&rows).unwrap();
        assert_eq!(serde_json::from_str::<VehicleRows>(&text).unwrap(), rows);
        rows.release();
        assert!(!rows.holds_any());
        let free = wheels.iter().map(|&WheelRows { max_friction_impulse, .. }| WheelRows {
            max_friction_impulse,
            ..WheelRows::default()
        });
        assert!(rows.iter().eq(free), "{rows:?}");
    }

    #[test]
    fn four_wheels_push_as_each_of_them_does() {
        let rows: VehicleRows = wheels().into_iter().collect();
        let before = Vec3::new(1.0, -2.0, 3.0);
        for (wheel, single) in rows.iter().enumerate() {
            let (four, lane) = (&rows.fours()[wheel / MAX_LANES], wheel % MAX_LANES);
            let local = single.local();
            let expected = local.map(|row| row.is_some());
            assert_eq!(four.local().map(|mask| mask.lane(lane)), expected, "wheel {wheel}");
            let push = |sum: Vec3, row: &ConstraintRow| sum + row.linear * row.impulse;
            let expected = local.into_iter().flatten().fold(before, push);
            let pushed = four.pushed(Vector::splat(before)).lane(lane);
            assert_eq!(pushed, expected, "wheel {wheel}");
        }
    }
}
