//! Springs, dampers and bump stops that are not linear, by parameters: tables and knees, of wheels
//! with mass and without.

use serde::{Deserialize, Serialize};

use super::force::{SuspensionLoad, carried_load};
use super::params::SuspensionForceParams;
use super::springs::SpringLanes;
use super::unsprung::Scalar;
use super::unsprung::laws::{
    DampedStop, DamperLaw, DamperSide, MAX_SPRING_POINTS, SpringLaw, Stop, StrutLaws,
};
use crate::body::RigidBodyState;
use crate::error::{Bound, ParamCheck, Validate};
use crate::math::Real;
use crate::math::lanes::{MAX_LANES, Real4, Vec3x4, each_lane};
use crate::mount::SuspensionParams;

/// Spring, damper and bump stop of a suspension. What is not given is linear, by
/// [`SuspensionForceParams`]; the default is linear in all.
///
/// A progressive spring on a damper that is softer in bump than in rebound and gives way beyond a
/// knee, before a bump stop:
///
/// ```
/// use vehicle_core::prelude::*;
/// use vehicle_core::suspension::StrutParams;
/// use vehicle_core::suspension::unsprung::SuspensionDynamics;
/// use vehicle_core::suspension::unsprung::laws::{DamperLaw, DamperSide, Stop};
///
/// let sheet = CarBlueprint { ride: None, ..CarBlueprint::default() };
/// let mut car = sheet.mechanics()?;
/// let strut = StrutParams {
///     spring: vec![(0.0, 0.0), (0.15, 3_600.0), (0.25, 8_000.0)],
///     damper: Some(DamperLaw {
///         bump: DamperSide { rate: 1_500.0, knee: 0.15, rate_beyond: 600.0 },
///         rebound: DamperSide { rate: 3_000.0, knee: 0.15, rate_beyond: 1_200.0 },
///     }),
///     bump_stop: Some(Stop { edge: 0.2, stiffness: 120e3 }),
/// };
/// car.suspension_dynamics = SuspensionDynamics::Struts(vec![strut; 4]);
/// car.validate()?;
/// # Ok::<(), ParamErrors>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct StrutParams {
    /// Points of jounce (m) and force (N) of a spring that is not linear. There are at most 8; the
    /// first one is (0, 0), the jounces increase, and no force is below the one before. Beyond the
    /// last the last slope goes on. Empty: the stiffness.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub spring: Vec<(Real, Real)>,
    /// A damper with sides of its own in bump and rebound, and knees. `None`: the damping rate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub damper: Option<DamperLaw<Real>>,
    /// Stop before the end of the travel, added to the spring. Above a wheel with mass it gives
    /// back less than half of the speed with which the body hits it; without, all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bump_stop: Option<Stop<Real>>,
}

impl Validate for StrutParams {
    fn check(&self, check: &mut ParamCheck) {
        if let Some(DamperLaw { bump, rebound }) = &self.damper {
            check.field("damper.bump", |inner| check_side(bump, inner));
            check.field("damper.rebound", |inner| check_side(rebound, inner));
        }
        if let Some(Stop { edge, stiffness }) = self.bump_stop {
            check.number("bump_stop.edge", edge, Bound::NotNegative);
            check.number("bump_stop.stiffness", stiffness, Bound::NotNegative);
        }
        check_spring(&self.spring, check);
    }
}

fn check_side(side: &DamperSide<Real>, check: &mut ParamCheck) {
    check.number("rate", side.rate, Bound::NotNegative);
    check.number("knee", side.knee, Bound::NotNegative);
    check.number("rate_beyond", side.rate_beyond, Bound::NotNegative);
}

fn check_spring(points: &[(Real, Real)], check: &mut ParamCheck) {
    let Some(&first) = points.first() else {
        return;
    };
    let count = points.len();
    let requirement = format_args!("of 2 to {MAX_SPRING_POINTS} points");
    check.require("spring", (2..=MAX_SPRING_POINTS).contains(&count), requirement, count);
    let (jounce, force) = first;
    check.require("spring[0].jounce", jounce == 0.0, "0", jounce);
    check.require("spring[0].force", force == 0.0, "0", force);
    for (index, pair) in points.windows(2).enumerate() {
        let ((start, low), (end, high)) = (pair[0], pair[1]);
        let name = format_args!("spring[{}].jounce", index + 1);
        check.require(name, start < end && end.is_finite(), format_args!("above {start}"), end);
        let name = format_args!("spring[{}].force", index + 1);
        let requirement = format_args!("finite and at least {low}");
        check.require(name, low <= high && high.is_finite(), requirement, high);
    }
}

impl StrutParams {
    /// Points of the spring; the stiffness of `linear` as two of them.
    fn spring_points(&self, linear: &SuspensionForceParams) -> Vec<(Real, Real)> {
        if self.spring.is_empty() {
            vec![(0.0, 0.0), (1.0, linear.stiffness)]
        } else {
            self.spring.clone()
        }
    }

    /// Damper of the strut, which may be the one of `linear`.
    pub(crate) fn damper_law(&self, linear: &SuspensionForceParams) -> DamperLaw<Real> {
        self.damper.unwrap_or(DamperLaw::linear(linear.damping))
    }

    /// Stiffness of spring and bump stop where they are stiffest (N/m).
    pub(crate) fn steepest_stiffness(&self, linear: &SuspensionForceParams) -> Real {
        let points = self.spring_points(linear);
        SpringLaw::<Real>::through(|_| &points).steepest()
            + self.bump_stop.unwrap_or_default().stiffness
    }

    /// Stiffness (N/m) and jounce (m) of the spring under a `load` (N), on as much travel as it
    /// takes.
    pub(crate) fn spring_under(&self, linear: &SuspensionForceParams, load: f64) -> (f64, f64) {
        let points = self.spring_points(linear);
        let pieces = points.windows(2).map(|ends| {
            let [(start, low), (end, high)] =
                [ends[0], ends[1]].map(|(jounce, force)| (f64::from(jounce), f64::from(force)));
            ((high - low) / (end - start), start, low, high)
        });
        let mut found = (f64::from(linear.stiffness), 0.0);
        for (slope, start, low, high) in pieces {
            found = (slope, start + if 0.0 < slope { (load - low) / slope } else { 0.0 });
            if load <= high {
                break;
            }
        }
        found
    }

    /// This strut for `share` of the load (dimensionless), on a suspension that stands as before.
    pub(crate) fn carrying(&self, share: Real) -> Self {
        let side = |side: DamperSide<Real>| DamperSide {
            rate: side.rate * share,
            rate_beyond: side.rate_beyond * share,
            ..side
        };
        Self {
            spring: self.spring.iter().map(|&(jounce, force)| (jounce, force * share)).collect(),
            damper: self
                .damper
                .map(|law| DamperLaw { bump: side(law.bump), rebound: side(law.rebound) }),
            bump_stop: self
                .bump_stop
                .map(|stop| Stop { stiffness: stop.stiffness * share, ..stop }),
        }
    }
}

/// Spring, damper and bump stop of four suspensions; stops at the ends of the travel are none.
pub(super) fn strut_laws(
    parts: [(&StrutParams, &SuspensionForceParams); MAX_LANES],
) -> StrutLaws<Real4> {
    let of = |value: &dyn Fn(&StrutParams, &SuspensionForceParams) -> Real| {
        <Real4 as Scalar>::from_lanes(|lane| value(parts[lane].0, parts[lane].1))
    };
    let side = |side: fn(&DamperLaw<Real>) -> DamperSide<Real>| DamperSide {
        rate: of(&|strut, linear| side(&strut.damper_law(linear)).rate),
        knee: of(&|strut, linear| side(&strut.damper_law(linear)).knee),
        rate_beyond: of(&|strut, linear| side(&strut.damper_law(linear)).rate_beyond),
    };
    let tables = parts.map(|(strut, linear)| strut.spring_points(linear));
    StrutLaws {
        spring: SpringLaw::through(|lane| &tables[lane][..]),
        damper: DamperLaw { bump: side(|law| law.bump), rebound: side(|law| law.rebound) },
        bump_stop: DampedStop::elastic(Stop {
            edge: of(&|strut, _| strut.bump_stop.unwrap_or_default().edge),
            stiffness: of(&|strut, _| strut.bump_stop.unwrap_or_default().stiffness),
        }),
        ..StrutLaws::default()
    }
}

/// Spring, damper and bump stop of four suspensions of wheels without mass.
#[derive(Clone, Copy, Debug)]
pub struct StrutLanes {
    laws: StrutLaws<Real4>,
    sprung_mass: Real4,
}

impl StrutLanes {
    /// Those of `struts`, one per wheel, four by four, the last one again in places that are left
    /// over; what they do not say is that of `springs`.
    pub(crate) fn of_wheels(
        struts: &[StrutParams],
        springs: &[SuspensionForceParams],
    ) -> Box<[Self]> {
        let last = struts.len() - 1;
        let four = |four: usize| {
            let wheels = each_lane(|lane| (four * MAX_LANES + lane).min(last));
            let parts = wheels.map(|wheel| (&struts[wheel], &springs[wheel]));
            Self {
                laws: strut_laws(parts),
                sprung_mass: Scalar::from_lanes(|lane| parts[lane].1.sprung_mass),
            }
        };
        (0..struts.len().div_ceil(MAX_LANES)).map(four).collect()
    }
}

impl SpringLanes for StrutLanes {
    /// Stiffness at full droop.
    #[inline]
    fn stiffness(&self) -> Real4 {
        self.laws.spring.first_slope()
    }

    /// The largest one: by it a damper that lands may stop the body, whatever its knees.
    #[inline]
    fn damping(&self) -> Real4 {
        self.laws.damper.steepest()
    }

    #[inline]
    fn normal_load(
        &self,
        suspension: &SuspensionParams<Vec3x4>,
        body: &RigidBodyState<Vec3x4>,
        jounce: Real4,
        jounce_speed: Real4,
        load: &SuspensionLoad<Vec3x4>,
    ) -> Real4 {
        let StrutLaws { spring, damper, bump_stop, .. } = &self.laws;
        let pushing = spring.piece(jounce).at(jounce)
            + bump_stop.spring.piece(jounce).at(jounce)
            + damper.piece(jounce_speed).at(jounce_speed);
        carried_load(-pushing, self.sprung_mass, suspension, body, load)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blueprint::CarBlueprint;
    use crate::math::lanes::Lanes;
    use crate::math::{Pose, Vec3};
    use crate::suspension::unsprung::SuspensionDynamics;
    use crate::vehicle::MechanicalParams;

    const LINEAR: SuspensionForceParams =
        SuspensionForceParams { stiffness: 30_000.0, damping: 2_000.0, sprung_mass: 400.0 };

    fn side(rate: Real, knee: Real, rate_beyond: Real) -> DamperSide<Real> {
        DamperSide { rate, knee, rate_beyond }
    }

    /// A progressive spring, a damper of two sides with knees, and a bump stop.
    fn strut() -> StrutParams {
        StrutParams {
            spring: vec![(0.0, 0.0), (0.1, 2_000.0), (0.2, 6_000.0)],
            damper: Some(DamperLaw {
                bump: side(1_500.0, 0.2, 500.0),
                rebound: side(3_000.0, 0.1, 1_000.0),
            }),
            bump_stop: Some(Stop { edge: 0.15, stiffness: 100_000.0 }),
        }
    }

    #[test]
    fn four_struts_carry_what_each_of_them_says() {
        let damper_only = StrutParams { spring: Vec::new(), bump_stop: None, ..strut() };
        let struts = [strut(), StrutParams::default(), damper_only];
        let lanes = StrutLanes::of_wheels(&struts, &[LINEAR; 3]);
        assert_eq!(lanes.len(), 1);
        assert_eq!(Lanes::lane(&lanes[0].stiffness(), 0), 20_000.0);
        assert_eq!(Lanes::lane(&lanes[0].stiffness(), 1), 30_000.0);
        assert_eq!(Lanes::lane(&lanes[0].damping(), 0), 3_000.0);
        let body = RigidBodyState::at_rest(Pose::IDENTITY);
        let suspension = SuspensionParams {
            attachment: Pose::IDENTITY,
            travel_direction: Vec3::NEG_Z,
            travel_distance: 0.25,
            wheel_attachment: Pose::IDENTITY,
        };
        let load =
            SuspensionLoad::new(&body, &suspension, 1_600.0, Vec3::Z * -9.81, Vec3::Z, Vec3::ZERO);
        let (suspension, load) = (Lanes::from_lanes(|_| suspension), Lanes::from_lanes(|_| load));
        let loads = |jounce: Real, speed: Real| {
            let [jounce, speed] = [jounce, speed].map(|value| Real4::from([value; MAX_LANES]));
            let loads = lanes[0].normal_load(&suspension, &body.splat(), jounce, speed, &load);
            [0, 1, 2, 3].map(|lane| Lanes::lane(&loads, lane))
        };
        for (jounce, speed, expected) in [
            (0.05, 0.0, [1_000.0, 1_500.0, 1_500.0]),
            (0.125, 0.1, [3_150.0, 3_950.0, 3_900.0]),
            // 6000 + 40000 · 0.04 + 5000 of the stop + 300 + 500 · 0.3
            (0.24, 0.5, [17_050.0, 8_200.0, 7_650.0]),
            (0.1, -0.05, [1_850.0, 2_900.0, 2_850.0]),
            // -300 - 1000 · 0.4
            (0.1, -0.5, [1_300.0, 2_000.0, 2_300.0]),
        ] {
            let found = loads(jounce, speed);
            for (found, expected) in found.into_iter().zip(expected) {
                assert!((found - expected).abs() < 0.5, "{jounce}, {speed}: {found}, {expected}");
            }
            assert_eq!(found[3], found[2], "a lane that is left over is like the last wheel");
        }
    }

    #[test]
    fn springs_by_points_have_the_slope_under_their_load() {
        for (load, slope, jounce) in
            [(1_000.0, 2e4, 0.05), (4_000.0, 4e4, 0.15), (8_000.0, 4e4, 0.25)]
        {
            let found = strut().spring_under(&LINEAR, load);
            assert!((found.0 - slope).abs() < 1.0, "{load} N: {found:?}");
            assert!((found.1 - jounce).abs() < 1e-6, "{load} N: {found:?}");
        }
        let (slope, jounce) = StrutParams::default().spring_under(&LINEAR, 3_000.0);
        assert!((slope - 3e4).abs() < 1.0 && (jounce - 0.1).abs() < 1e-6, "{slope}, {jounce}");
    }

    /// Faults of a car whose strut 2 is changed.
    fn errors(change: impl FnOnce(&mut Vec<StrutParams>)) -> String {
        let sheet = CarBlueprint { ride: None, ..CarBlueprint::default() };
        let mut car: MechanicalParams = sheet.mechanics().unwrap();
        let mut struts = vec![strut(); 4];
        change(&mut struts);
        car.suspension_dynamics = SuspensionDynamics::Struts(struts);
        car.validate().err().map_or_else(String::new, |errors| errors.to_string())
    }

    #[test]
    fn every_fault_names_its_strut() {
        assert_eq!(errors(|_| ()), "");
        let path = "suspension_dynamics.struts[2]";
        for (text, message) in [
            (errors(|it| it[2].spring = vec![(0.0, 0.0)]), "spring must be of 2 to 8 points"),
            (
                errors(|it| it[2].spring[2].1 = 1_000.0),
                "spring[2].force must be finite and at least 2000",
            ),
            (
                errors(|it| it[2].damper = Some(DamperLaw::linear(Real::NAN))),
                "damper.bump.rate must be finite and not negative",
            ),
            (
                errors(|it| it[2].bump_stop = Some(Stop { edge: -0.1, stiffness: 1.0 })),
                "bump_stop.edge must be finite and not negative",
            ),
            (
                errors(|it| it[2].bump_stop = Some(Stop { edge: 0.1, stiffness: 1e12 })),
                "spring and bump_stop must be at most",
            ),
            (errors(|it| it[2].damper = Some(DamperLaw::linear(1e12))), "damper must be at most"),
        ] {
            assert!(text.contains(&format!("{path}.{message}")), "{text}");
        }
        let count = errors(|it| it.truncate(3));
        assert!(count.contains("suspension_dynamics.struts must be of 4 elements"), "{count}");
    }

    #[test]
    fn struts_are_read_as_they_are_written() {
        let dynamics = SuspensionDynamics::Struts(vec![strut(), StrutParams::default()]);
        let text = serde_json::to_string(&dynamics).unwrap();
        assert!(text.ends_with(",{}]}"), "what is not given is not written: {text}");
        assert_eq!(serde_json::from_str::<SuspensionDynamics>(&text).unwrap(), dynamics);
        let misspelled = text.replace("bump_stop", "bumpstop");
        let error = serde_json::from_str::<SuspensionDynamics>(&misspelled).unwrap_err();
        assert!(error.to_string().contains("unknown field `bumpstop`"), "{error}");
    }

    #[test]
    fn a_car_on_struts_keeps_them_on_wheels_with_mass() {
        let sheet = CarBlueprint { ride: None, ..CarBlueprint::default() };
        let mut car = sheet.mechanics().unwrap();
        car.suspension_dynamics = SuspensionDynamics::Struts(vec![strut(); 4]);
        let before = car.clone();
        let heavy = car.with_unsprung_masses(9.81);
        heavy.validate().unwrap();
        let SuspensionDynamics::Unsprung(wheels) = &heavy.suspension_dynamics else {
            panic!("the wheels have a mass");
        };
        for (wheel, unsprung) in wheels.iter().enumerate() {
            let linear = &before.suspension_forces[wheel];
            let load = f64::from(linear.sprung_mass * 9.81);
            let sprung = f64::from((linear.sprung_mass - unsprung.mass) * 9.81);
            let (_, light) = strut().spring_under(linear, load);
            let (_, carried) = unsprung.strut.spring_under(&heavy.suspension_forces[wheel], sprung);
            assert!((light - carried).abs() < 1e-4, "{light} m, {carried} m");
            let knees = unsprung.strut.damper.map(|law| [law.bump.knee, law.rebound.knee]);
            assert_eq!(knees, Some([0.2, 0.1]));
        }
    }
}
