//! Parameters of wheels with mass, one by one and in lanes.

use serde::{Deserialize, Serialize};

use super::axles::{FourBeams, least_mass, other_wheel};
use super::laws::{DampedStop, Stop, StrutLaws};
use super::rim::Rim;
use super::scalar::{Scalar, Vector3};
use super::solve::RideBars;
use super::spatial::{BodyMass, Spatial, Symmetric6};
use super::wheel::TireSpring;
use crate::body::RigidBodyParams;
use crate::error::{Bound, ParamCheck, Validate};
use crate::math::lanes::{MAX_LANES, Number, Real4, each_lane};
use crate::math::{Real, Vec3};
use crate::mount::WheelParams;
use crate::road::StandingHubs;
use crate::suspension::params::{MOST_DAMPING, MOST_STIFFNESS};
use crate::suspension::strut::strut_laws;
use crate::suspension::{
    AntiRollBarParams, BeamAxleParams, StrutParams, SuspensionForceParams, SuspensionParams,
};

/// Least part of a pivot of the body's mass that its wheels must leave (dimensionless).
const LEAST_BODY: f64 = 1e-3;

/// Square of the distance of a wheel from the center of mass, at most, as a multiple of that of the
/// body's least radius of gyration (dimensionless): beyond, a wheel that meets the road throws the
/// body, and its moment rounds the inertia away.
const FARTHEST: f64 = 1e3;

/// Whether wheels are bodies of their own between springs and tires, and what their springs are.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum SuspensionDynamics {
    /// They follow the road at once: the jounce is found from the road. Springs and dampers are
    /// linear.
    #[default]
    Massless,
    /// They follow the road at once, on springs, dampers and bump stops that are not linear. One
    /// for each wheel.
    Struts(Vec<StrutParams>),
    /// They have a mass, tires are springs, and body and wheels are solved together. One for each
    /// wheel.
    Unsprung(Vec<UnsprungParams>),
}

/// A wheel with mass: what is below the springs, and what holds it. Spring and damper rate are
/// those of [`SuspensionForceParams`], unless its strut says something else.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct UnsprungParams {
    /// Mass of wheel, hub, brake and half of the links (kg), a part of the vehicle's mass.
    pub mass: Real,
    /// Vertical stiffness of the tire (N/m).
    pub tire_stiffness: Real,
    /// Vertical damping rate of the tire (N·s/m).
    #[serde(default)]
    pub tire_damping: Real,
    /// Spring, damper and bump stop, where they are not linear.
    #[serde(default)]
    pub strut: StrutParams,
    /// Stiffness of the stop at full compression (N/m), which gives back less than half
    /// of the speed.
    pub end_stop: Real,
    /// Stiffness of the stop at full droop (N/m).
    pub droop_stop: Real,
    /// How far the contact moves forward and to the left as it drops by one (dimensionless). A roll
    /// center of height `h` has `-2 h/track` on the left side, and `2 h/track` on the right.
    #[serde(default)]
    pub path_slope: [Real; 2],
}

impl UnsprungParams {
    /// A wheel of `mass` (kg) in a suspension that travels by `travel` (m) on `spring`: on a tire
    /// of `tire_stiffness` (N/m) that damps by 6 % of `√(k m)`, with stops of 5 times the spring's
    /// stiffness over the last quarter of the travel, and of 20 times at its ends.
    pub fn new(
        mass: Real,
        tire_stiffness: Real,
        spring: &SuspensionForceParams,
        travel: Real,
    ) -> Self {
        Self {
            mass,
            tire_stiffness,
            tire_damping: 0.06 * (tire_stiffness * mass).sqrt(),
            strut: StrutParams {
                bump_stop: Some(Stop { edge: 0.75 * travel, stiffness: 5.0 * spring.stiffness }),
                ..StrutParams::default()
            },
            end_stop: 20.0 * spring.stiffness,
            droop_stop: 20.0 * spring.stiffness,
            path_slope: [0.0; 2],
        }
    }
}

impl UnsprungParams {
    /// Speed at which the contact of a wheel of this `radius` (m) could follow ground that leaves
    /// it, while it gives it an `impulse` (N·s) in `dt` (s): as its tire gets free of its load, and
    /// as the wheel falls without it.
    ///
    /// ```text
    /// u = J / (k' dt²) + J / m
    /// ```
    ///
    /// with the slope `k'` of tire and rim under their load `J / dt`.
    pub(crate) fn following_speed(&self, radius: Real, impulse: Real, dt: Real) -> Real {
        let rim = Rim::of(radius, self.tire_stiffness);
        let slope = rim.slope_under(impulse / dt, self.tire_stiffness);
        impulse / (slope * dt * dt) + impulse / self.mass
    }
}

impl Validate for UnsprungParams {
    fn check(&self, check: &mut ParamCheck) {
        check.number("mass", self.mass, Bound::Positive);
        check.number("tire_stiffness", self.tire_stiffness, Bound::Positive);
        for (name, value) in [
            ("tire_damping", self.tire_damping),
            ("end_stop", self.end_stop),
            ("droop_stop", self.droop_stop),
        ] {
            check.number(name, value, Bound::NotNegative);
        }
        for (index, slope) in self.path_slope.into_iter().enumerate() {
            check.number(format_args!("path_slope[{index}]"), slope, Bound::Within(-1.0, 1.0));
        }
        check.field("strut", |inner| self.strut.check(inner));
    }
}

/// Acceleration that a spring of full compression may give to the body (length units/s²).
const MOST_ACCELERATION: Real = 1e5;

/// Acceleration that a rim may give to the body at most (length units/s²).
const MOST_RIM_ACCELERATION: Real = 1e7;

impl SuspensionDynamics {
    /// Whether the wheels have a mass.
    #[inline]
    pub fn has_mass(&self) -> bool {
        matches!(self, Self::Unsprung(_))
    }

    /// Spring, damper and bump stop of `wheel`; `None` if they are linear.
    pub(crate) fn strut(&self, wheel: usize) -> Option<&StrutParams> {
        match self {
            Self::Massless => None,
            Self::Struts(struts) => struts.get(wheel),
            Self::Unsprung(wheels) => wheels.get(wheel).map(|wheel| &wheel.strut),
        }
    }

    /// Reports what wheels with mass and struts cannot be, on a body and suspensions that are
    /// valid.
    pub(crate) fn check(
        &self,
        body: &RigidBodyParams,
        (suspensions, springs): (&[SuspensionParams], &[SuspensionForceParams]),
        shapes: &[WheelParams],
        bars: &[AntiRollBarParams],
        check: &mut ParamCheck,
    ) {
        if let Self::Struts(struts) = self {
            check.field("suspension_dynamics", |check| {
                check.count("struts", struts.len(), suspensions.len());
                check.each("struts", struts, StrutParams::check);
                check_strength(struts, springs, body.mass, check);
            });
        }
        let Self::Unsprung(wheels) = self else {
            return;
        };
        check_travels(body, suspensions, springs, check);
        check_radii(body, wheels, shapes, check);
        check.field("suspension_dynamics", |check| {
            check.count("unsprung", wheels.len(), suspensions.len());
            check.each("unsprung", wheels, UnsprungParams::check);
            check_masses(wheels, body, suspensions, check);
        });
        check_bars(bars, suspensions.len(), check);
    }
}

/// Checks that no strut of a wheel without mass is so strong for the vehicle, of `mass` (kg), that
/// it becomes infinitely fast.
fn check_strength(
    struts: &[StrutParams],
    springs: &[SuspensionForceParams],
    mass: Real,
    check: &mut ParamCheck,
) {
    for (wheel, (strut, spring)) in struts.iter().zip(springs).enumerate() {
        let (stiffness, damping) =
            (strut.steepest_stiffness(spring), strut.damper_law(spring).steepest());
        let numbers = [
            ("spring and bump_stop", stiffness, MOST_STIFFNESS, "N/m"),
            ("damper", damping, MOST_DAMPING, "N·s/m"),
        ];
        for (name, value, per_mass, unit) in numbers {
            let most = per_mass * mass;
            let requirement = format_args!(
                "at most {most} {unit} at their steepest, {per_mass:e} times rigid_body.mass"
            );
            let name = format_args!("struts[{wheel}].{name}");
            check.at_most(name, value, most, requirement);
        }
    }
}

/// Checks that no spring, fully compressed, throws the body beyond all numbers.
fn check_travels(
    body: &RigidBodyParams,
    suspensions: &[SuspensionParams],
    springs: &[SuspensionForceParams],
    check: &mut ParamCheck,
) {
    for (index, (suspension, spring)) in suspensions.iter().zip(springs).enumerate() {
        let most = MOST_ACCELERATION * body.mass / spring.stiffness;
        let travel = suspension.travel_distance;
        // Numbers that are no mass or stiffness, and too stiff springs, are reported where they
        // are.
        let is_told = !(0.0 < most && spring.stiffness <= MOST_STIFFNESS * body.mass);
        let is_short = is_told || travel <= most || !travel.is_finite();
        let requirement = format_args!(
            "at most {most}, where its spring lifts the body by {MOST_ACCELERATION:e}"
        );
        check.require(
            format_args!("suspensions[{index}].travel_distance"),
            is_short,
            requirement,
            travel,
        );
    }
}

/// Checks that no tire is so large that its rim would throw the body beyond all measure.
fn check_radii(
    body: &RigidBodyParams,
    wheels: &[UnsprungParams],
    shapes: &[WheelParams],
    check: &mut ParamCheck,
) {
    for (index, (wheel, shape)) in wheels.iter().zip(shapes).enumerate() {
        let load = wheel.tire_stiffness * Rim::<Real>::most_of_radius();
        let most = MOST_RIM_ACCELERATION * body.mass / load;
        // Numbers that are no mass or stiffness are reported where they are.
        let is_told = most.is_nan() || most <= 0.0;
        let is_small = is_told || shape.radius <= most || !shape.radius.is_finite();
        let requirement = format_args!(
            "at most {most}, where its rim pushes the body by {MOST_RIM_ACCELERATION:e}"
        );
        check.require(format_args!("wheels[{index}].radius"), is_small, requirement, shape.radius);
    }
}

/// Checks that a body is left without the wheels, and that none of them is so far away that
/// rounding takes its inertia.
///
/// ```text
/// Mass - Σ m J Jᵀ   positive definite,        M r² ≤ 1e3 I      for the least inertia I
/// ```
fn check_masses(
    wheels: &[UnsprungParams],
    body: &RigidBodyParams,
    suspensions: &[SuspensionParams],
    check: &mut ParamCheck,
) {
    let vector = |vector: Vec3| Vector3(vector.to_array().map(f64::from));
    let axes = [Vec3::X, Vec3::Y, Vec3::Z].map(vector);
    let mass = BodyMass::new(f64::from(body.mass), &vector(body.inertia), &axes);
    let mut left = Symmetric6::of_mass(&mass);
    if left.smallest_pivot() <= 0.0 {
        // A body that is none is reported where it is.
        return;
    }
    let least_inertia = f64::from(body.inertia.min_element());
    let farthest = (FARTHEST * least_inertia / f64::from(body.mass)).sqrt();
    for (index, (wheel, suspension)) in wheels.iter().zip(suspensions).enumerate() {
        let direction = vector(suspension.travel_direction);
        let mount = suspension.wheel_mount();
        let distance = mount.as_dvec3().length();
        let requirement = format_args!("at most {farthest} (m) from the center of mass");
        let is_near = distance <= farthest;
        check.require(
            format_args!("suspensions[{index}].attachment"),
            is_near,
            requirement,
            distance,
        );
        if !is_near {
            return;
        }
        let path = Spatial::at(&vector(mount), &direction);
        left.add_product(&(path * -f64::from(wheel.mass)), &path);
        let is_left = LEAST_BODY < left.smallest_pivot() || !wheel.mass.is_finite();
        let requirement =
            "so small that the body's mass and inertia are more than those of its wheels";
        check.require(format_args!("unsprung[{index}].mass"), is_left, requirement, wheel.mass);
        if !is_left {
            return;
        }
    }
    check_slopes(wheels, body, suspensions, check);
}

/// Checks that wheels do not go so far aside, as they drop, that they outweigh the body's inertia.
///
/// ```text
/// Σ m (s |a|)² < min I
/// ```
///
/// with the travel `s` and the slope `a` of each wheel's path.
fn check_slopes(
    wheels: &[UnsprungParams],
    body: &RigidBodyParams,
    suspensions: &[SuspensionParams],
    check: &mut ParamCheck,
) {
    let mut aside = 0.0;
    for (index, (wheel, suspension)) in wheels.iter().zip(suspensions).enumerate() {
        let [along, across] = wheel.path_slope;
        let travel = suspension.travel_distance;
        aside += wheel.mass * (along * along + across * across) * travel * travel;
        let is_small = !aside.is_finite() || aside < body.inertia.min_element();
        let requirement = format_args!(
            "so small that a wheel that goes aside over a travel of {travel} is lighter than the body"
        );
        check.require(format_args!("unsprung[{index}].path_slope"), is_small, requirement, across);
    }
}

fn check_bars(bars: &[AntiRollBarParams], wheel_count: usize, check: &mut ParamCheck) {
    for (index, bar) in bars.iter().enumerate() {
        let name = format_args!("anti_roll_bars[{index}].stiffness");
        check.number(name, bar.stiffness, Bound::NotNegative);
        for &wheel in bar.wheels.iter().filter(|&&wheel| wheel < wheel_count) {
            let is_only = bars[..index].iter().all(|before| !before.wheels.contains(&wheel));
            let requirement = "those of no other bar: a wheel with mass has one at most";
            check.require(
                format_args!("anti_roll_bars[{index}].wheels"),
                is_only,
                requirement,
                wheel,
            );
        }
    }
}

/// Four wheels with mass.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FourUnsprung {
    pub(super) mass: Real4,
    /// See [`RideWheel`](super::wheel::RideWheel).
    pub(super) least_mass: Real4,
    pub(super) tire: TireSpring<Real4>,
    pub(super) rim: Rim<Real4>,
    /// Mass of the vehicle that it carries beside its own (kg).
    pub(super) sprung_mass: Real4,
    pub(super) laws: StrutLaws<Real4>,
    pub(super) path_slope: [Real4; 2],
}

/// Wheels with mass in lanes, and the bars and beam axles between them.
#[derive(Clone, Debug)]
pub struct UnsprungLanes {
    pub(super) wheels: Box<[FourUnsprung]>,
    pub(super) bars: Box<[RideBars<Real4>]>,
    pub(super) beams: Box<[FourBeams]>,
}

impl UnsprungLanes {
    /// The wheels of `dynamics` in lanes, if they have a mass.
    pub(crate) fn new(
        dynamics: &SuspensionDynamics,
        shapes: &[WheelParams],
        springs: &[SuspensionForceParams],
        suspensions: &[SuspensionParams],
        (bars, axles): (&[AntiRollBarParams], &[BeamAxleParams]),
    ) -> Option<Self> {
        let SuspensionDynamics::Unsprung(wheels) = dynamics else {
            return None;
        };
        let fours = wheels.len().div_ceil(MAX_LANES);
        let number = |four: usize| {
            let last = wheels.len() - 1;
            each_lane(|lane| (four * MAX_LANES + lane).min(last))
        };
        let four = |four: usize| {
            let numbers = number(four);
            let parts = numbers.map(|wheel| (&wheels[wheel].strut, &springs[wheel]));
            let of = |value: &dyn Fn(usize) -> Real| {
                <Real4 as Scalar>::from_lanes(|lane| value(numbers[lane]))
            };
            let stiffness = of(&|wheel| wheels[wheel].tire_stiffness);
            let sprung_mass = |wheel: usize| springs[wheel].sprung_mass - wheels[wheel].mass;
            let sprung = of(&sprung_mass);
            let of_parts = strut_laws(parts);
            FourUnsprung {
                mass: of(&|wheel| wheels[wheel].mass),
                least_mass: of(&|wheel| least_mass(axles, wheel, wheels, suspensions)),
                sprung_mass: sprung,
                rim: Rim::of(of(&|wheel| shapes[wheel].radius), stiffness).below(sprung),
                tire: TireSpring { stiffness, damping: of(&|wheel| wheels[wheel].tire_damping) },
                laws: StrutLaws {
                    bump_stop: DampedStop::below(sprung, of_parts.bump_stop.spring),
                    end_stop: DampedStop::below(
                        sprung,
                        Stop {
                            edge: of(&|wheel| suspensions[wheel].travel_distance),
                            stiffness: of(&|wheel| wheels[wheel].end_stop),
                        },
                    ),
                    droop_stop: of(&|wheel| wheels[wheel].droop_stop),
                    ..of_parts
                },
                path_slope: [
                    of(&|wheel| wheels[wheel].path_slope[0]),
                    of(&|wheel| wheels[wheel].path_slope[1]),
                ],
            }
        };
        let bar = |four: usize| ride_bars(bars, axles, four);
        let beam = |four: usize| FourBeams::new(axles, four, wheels, suspensions);
        let has_bars = !axles.is_empty() || bars.iter().any(|bar| bar.stiffness != 0.0);
        let beam_count = if axles.is_empty() { 0 } else { fours };
        let bar_count = if has_bars { fours } else { 0 };
        Some(Self {
            wheels: (0..fours).map(four).collect(),
            bars: (0..bar_count).map(bar).collect(),
            beams: (0..beam_count).map(beam).collect(),
        })
    }
}

/// Halvings of the travel in which a standing jounce is found: to a part in a million.
const HALVINGS: usize = 20;

impl StandingHubs for UnsprungLanes {
    #[cold]
    fn standing_jounce(&self, four: usize, gravity: Real) -> Real4 {
        let FourUnsprung { mass, sprung_mass, tire, laws, .. } = &self.wheels[four];
        let gravity = <Real4 as Number>::splat(gravity);
        let load = *sprung_mass * gravity;
        let (mut low, mut high) = (Real4::zero(), laws.end_stop.spring.edge);
        for _ in 0..HALVINGS {
            let middle = (low + high) * <Real4 as Number>::splat(0.5);
            let force = laws.spring.piece(middle).at(middle)
                + laws.bump_stop.spring.piece(middle).at(middle);
            let is_low = force.is_below(load);
            low = Number::select(is_low, middle, low);
            high = Number::select(is_low, high, middle);
        }
        high + (load + *mass * gravity) / tire.stiffness
    }

    #[inline]
    fn compliance(&self, four: usize) -> [Real4; 2] {
        let FourUnsprung { mass, tire, laws, .. } = &self.wheels[four];
        [tire.stiffness, laws.damper.bump.rate_beyond].map(|rate| rate / *mass)
    }
}

/// The bars of the wheels of this `four`, which join the same wheels as beam axles. A wheel without
/// either is told to have its neighbor at the other end: so bars of one axle of two also join
/// neighbors.
fn ride_bars(bars: &[AntiRollBarParams], axles: &[BeamAxleParams], four: usize) -> RideBars<Real4> {
    let wheels = each_lane(|lane| four * MAX_LANES + lane);
    let end = |wheel: usize| {
        let bar = bars.iter().find(|bar| bar.wheels.contains(&wheel))?;
        let other = bar.wheels.into_iter().find(|&other| other != wheel)?;
        Some((bar.stiffness, other))
    };
    RideBars {
        stiffness: Scalar::from_lanes(|lane| {
            end(wheels[lane]).map_or(0.0, |(stiffness, _)| stiffness)
        }),
        other: wheels.map(|wheel| {
            let of_bar = end(wheel).map(|(_, other)| other);
            of_bar.or(other_wheel(axles, wheel)).unwrap_or(wheel ^ 1)
        }),
    }
}

#[cfg(test)]
mod tests;
