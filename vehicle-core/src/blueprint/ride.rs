//! Ride: what a blueprint knows of wheels with mass, roll centers and roll stiffness.

use serde::{Deserialize, Serialize};

use super::CarBlueprint;
use super::assembly::spring;
use super::axle::AxleBlueprint;
use super::plausible::{self, Plausible};
use crate::context::GRAVITY;
use crate::error::{Bound, ParamCheck, ParamErrors, Validate};
use crate::math::Real;
use crate::suspension::unsprung::UnsprungParams;
use crate::suspension::unsprung::laws::{DamperLaw, DamperSide, Stop};
use crate::suspension::{StrutParams, SuspensionForceParams};

/// Stiffness of a bump stop, by that of the spring (dimensionless).
const BUMP_STOP_STIFFNESS: Real = 5.0;
/// Mass of hub, brake and half of the links with that of the wheel, by the wheel's (dimensionless).
const UNSPRUNG_BY_WHEEL: Real = 2.0;
/// Largest part of what a wheel carries that is taken for its own where no mass is given (dimensionless).
const MOST_UNSPRUNG: Real = 0.4;
/// How far a tire gives way under the load that it is made for, by its radius (dimensionless).
const DEFLECTION_BY_RADIUS: Real = 0.055;
/// Jounce from the bump stop to full compression, by the travel (dimensionless).
const BUMP_STOP_BY_TRAVEL: Real = 0.25;
/// How far two numbers for the stiffness of one tire may be apart, as a part of it (dimensionless).
const SAME_STIFFNESS: Real = 1e-3;
/// Height of a roll center by the wheel's radius (dimensionless).
const ROLL_CENTER_BY_RADIUS: Real = 0.15;

/// What is between an axle's springs and its road: wheels with mass, on tires that give way.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct AxleRide {
    /// Mass of a wheel, or of twins, with hub, brake and half of its links (kg), a part of what the axle carries; with half
    /// of the axle too, if that is solid. If there is none, twice that of the wheel, and at most 0.4 of what it carries.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unsprung_mass: Option<Real>,
    /// Vertical stiffness of a tire (N/m), one of two where they are twins. If there is none, that of the wheel
    /// ([`radial_stiffness`](crate::wheel::WheelParams::radial_stiffness)), such as
    /// [`TireCode::radial_stiffness`](crate::tire_code::TireCode::radial_stiffness); if nothing is known of it, that by which the
    /// tire gives way by 5.5 % of its radius under the load for which the axle is made, as tires do that are inflated
    /// for their load.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tire_stiffness: Option<Real>,
    /// Damping in bump by that in rebound (dimensionless). Their mean is what the damping ratio says.
    pub bump_by_rebound: Real,
    /// Jounce from the bump stop to full compression (m). If there is none, a quarter of the travel.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bump_stop_length: Option<Real>,
    /// Height of the roll center above the ground (m). If there is none, 0.15 of the wheel's radius.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub roll_center_height: Option<Real>,
    /// Part of the dive, or of the lift of an axle behind the center of mass, that the suspension takes from a braking
    /// vehicle (dimensionless): 0 none, 1 all. It acts on whatever force a tire has along the vehicle, a driven
    /// one's too.
    pub anti_dive: Real,
}

impl Default for AxleRide {
    /// What is usual for the wheels of the axle, whatever their size: half as much damping in bump as in rebound,
    /// and no anti-dive.
    fn default() -> Self {
        Self {
            unsprung_mass: None,
            tire_stiffness: None,
            bump_by_rebound: 0.5,
            bump_stop_length: None,
            roll_center_height: None,
            anti_dive: 0.0,
        }
    }
}

impl AxleBlueprint {
    /// Its ride, or that which is usual.
    pub(super) fn usual_ride(&self) -> AxleRide {
        self.ride.unwrap_or_default()
    }

    /// What each wheel carries, laden or not, the lesser (kg).
    fn carried(&self) -> Real {
        self.load.min(self.design_load()) / self.wheel_count() as Real
    }

    /// Mass of a wheel, or of twins, with what moves with it (kg).
    pub(super) fn unsprung_mass(&self) -> Real {
        let usual = (UNSPRUNG_BY_WHEEL * self.hub_wheel().mass).min(MOST_UNSPRUNG * self.carried());
        self.usual_ride().unsprung_mass.unwrap_or(usual)
    }

    /// Vertical stiffness of the tire of a wheel, or of those of twins together (N/m).
    pub(super) fn tire_stiffness(&self) -> Real {
        let load = GRAVITY * self.design_load() / self.wheel_count() as Real;
        let usual = load / (DEFLECTION_BY_RADIUS * self.wheel.radius);
        let count = if self.twin_wheels { 2.0 } else { 1.0 };
        self.known_tire_stiffness().map_or(usual, |stiffness| count * stiffness)
    }

    /// Vertical stiffness of one tire, if the sheet says it (N/m).
    fn known_tire_stiffness(&self) -> Option<Real> {
        self.usual_ride().tire_stiffness.or(self.wheel.known_radial_stiffness())
    }

    fn bump_stop_length(&self) -> Real {
        self.usual_ride().bump_stop_length.unwrap_or(BUMP_STOP_BY_TRAVEL * self.travel_distance)
    }

    /// Height of the roll center above the ground (m).
    pub(super) fn roll_center_height(&self) -> Real {
        let usual =
            if self.track_width == 0.0 { 0.0 } else { ROLL_CENTER_BY_RADIUS * self.wheel.radius };
        self.usual_ride().roll_center_height.unwrap_or(usual)
    }

    /// Reports faults of its ride.
    pub(super) fn check_ride(&self, check: &mut ParamCheck) {
        let ride = self.usual_ride();
        let AxleRide { bump_by_rebound, anti_dive, .. } = ride;
        // What is usual for a load or a wheel that is none is not told beside it.
        let given =
            [("unsprung_mass", ride.unsprung_mass), ("tire_stiffness", ride.tire_stiffness)];
        for (name, value) in given {
            check.number(name, value.unwrap_or(1.0), Bound::Positive);
        }
        self.check_tire_stiffness(check);
        plausible::BUMP_BY_REBOUND.check(check, "bump_by_rebound", bump_by_rebound);
        let travel = Bound::Within(0.0, self.travel_distance);
        check.number("bump_stop_length", self.bump_stop_length(), travel);
        let half_track = 0.5 * self.track_width;
        let height = Bound::Within(-half_track, half_track);
        check.number("roll_center_height", self.roll_center_height(), height);
        check.number("anti_dive", anti_dive, Bound::Within(0.0, 1.0));
        let carried = self.carried();
        let requirement = format_args!("below half of what the wheel carries, {carried} kg");
        let is_light = ride.unsprung_mass.is_none_or(|mass| mass < 0.5 * carried);
        check.require("unsprung_mass", is_light, requirement, self.unsprung_mass());
    }

    /// Reports a tire that its load presses flat, or that hardly feels it, and one that is said to be as stiff as two
    /// numbers.
    fn check_tire_stiffness(&self, check: &mut ParamCheck) {
        let Some(stiffness) = self.known_tire_stiffness().filter(|given| 0.0 < *given) else {
            return;
        };
        if let Some(of_wheel) = self.wheel.known_radial_stiffness() {
            let is_one = (stiffness - of_wheel).abs() <= SAME_STIFFNESS * of_wheel;
            let requirement =
                format_args!("left out, or the {of_wheel} N/m of the wheel's radial_stiffness");
            check.require("tire_stiffness", is_one, requirement, stiffness);
        }
        let tires = self.wheel_count() as Real * if self.twin_wheels { 2.0 } else { 1.0 };
        let usual = GRAVITY * self.design_load() / (tires * self.wheel.radius);
        if 0.0 < usual && usual.is_finite() {
            let (least, most) = (usual / plausible::DEFLECTION.1, usual / plausible::DEFLECTION.0);
            let range = Plausible::new(least, most, "N/m").or_in(&[("N/mm", 1e3)]);
            range.check_size(check, "tire_stiffness", stiffness, " under its load");
        }
    }

    /// A wheel with mass, which hangs in the `spring`, with these slopes of the contact's path.
    pub(super) fn wheel_with_mass(
        &self,
        spring: &SuspensionForceParams,
        path_slope: [Real; 2],
    ) -> UnsprungParams {
        let travel = self.travel_distance;
        let stop = BUMP_STOP_STIFFNESS * spring.stiffness;
        UnsprungParams {
            strut: StrutParams {
                damper: Some(self.usual_ride().damper(spring)),
                bump_stop: Some(Stop { edge: travel - self.bump_stop_length(), stiffness: stop }),
                ..StrutParams::default()
            },
            path_slope,
            ..UnsprungParams::new(self.unsprung_mass(), self.tire_stiffness(), spring, travel)
        }
    }
}

impl AxleRide {
    /// ```text
    /// c_bump = 2 c q / (1 + q),   c_rebound = 2 c / (1 + q)
    /// ```
    fn damper(&self, spring: &SuspensionForceParams) -> DamperLaw<Real> {
        let rebound = 2.0 * spring.damping / (1.0 + self.bump_by_rebound);
        let bump = rebound * self.bump_by_rebound;
        DamperLaw { bump: DamperSide::linear(bump), rebound: DamperSide::linear(rebound) }
    }
}

impl CarBlueprint {
    /// The same car with anti-roll bars by which it rolls by `degrees_per_g` in a steady bend, the front axle having
    /// `front_share` of the roll stiffness: 4 to 5 degrees per g for a saloon, 2 to 3 for a sports car, with 0.55
    /// to 0.65 in front for a car that understeers.
    ///
    /// ```text
    /// K = Σ ½ t² k',   φ = M g h / (K - M g h) + M g h_rc / Σ ½ t² k_t,   1 / k' = 1 / (k + 2 κ) + 1 / k_t
    /// ```
    ///
    /// with the track `t`, the height `h` of the center of mass above the roll axis and `h_rc` of the axis below it,
    /// the stiffness `κ` of a bar and `k_t` of a tire, which does not give way where wheels have no mass.
    ///
    /// # Errors
    ///
    /// If the data sheet has a fault, or an axle without a bar is stiffer already; the message tells the gradient
    /// that it can have.
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

    /// Roll in a steady bend (degrees per g), see [`with_roll_gradient`](Self::with_roll_gradient); infinite for a
    /// car that falls over its own springs.
    pub fn roll_gradient(&self) -> Real {
        let moment = self.mass * GRAVITY * self.height_above_roll_axis();
        let stiffness: Real = [0, 1].map(|axle| self.roll_stiffness(axle)).into_iter().sum();
        if stiffness <= moment {
            return Real::INFINITY;
        }
        (moment / (stiffness - moment) + self.roll_on_tires()).to_degrees()
    }

    /// Roll on the tires by the forces at the roll centers, which reach them past the springs (rad per g).
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

    /// Stiffness of one spring of an axle (N/m).
    fn spring_rate(&self, axle: usize) -> Real {
        let sheet = &self.axles()[axle];
        let unsprung = if self.ride.is_none() { 0.0 } else { sheet.unsprung_mass() };
        spring(sheet).carrying_less(unsprung).stiffness
    }

    /// How far a tire gives way (m/N).
    fn tire_compliance(&self, axle: usize) -> Real {
        if self.ride.is_none() { 0.0 } else { self.axles()[axle].tire_stiffness().recip() }
    }

    /// Height of the center of mass above the line between the roll centers (m). Those of wheels without mass are
    /// on the ground.
    fn height_above_roll_axis(&self) -> Real {
        let height = |axle: &AxleBlueprint| {
            if self.ride.is_none() { 0.0 } else { axle.roll_center_height() }
        };
        let [front, rear] = self.axles().map(|axle| height(&axle));
        self.center_of_mass_height - front * self.front_share - rear * (1.0 - self.front_share)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blueprint::VehicleBlueprint;
    use crate::mount::WheelParams;
    use crate::suspension::unsprung::SuspensionDynamics;
    use crate::tire_code::TireCode;
    use crate::vehicle::MechanicalParams;

    fn sheet() -> CarBlueprint {
        let ride = AxleRide { tire_stiffness: Some(220e3), ..AxleRide::default() };
        let rear = AxleRide { unsprung_mass: Some(36.0), roll_center_height: Some(0.1), ..ride };
        CarBlueprint { ride: Some([ride, rear]), ..CarBlueprint::default() }
    }

    fn wheels(params: &MechanicalParams) -> &[UnsprungParams] {
        match &params.suspension_dynamics {
            SuspensionDynamics::Unsprung(wheels) => wheels,
            _ => panic!("the wheels have a mass"),
        }
    }

    #[test]
    fn default_saloon_rolls_as_its_page_says() {
        let saloon = CarBlueprint::default();
        assert!((saloon.roll_gradient() - 4.0).abs() < 0.1, "{}", saloon.roll_gradient());
    }

    #[test]
    fn bars_make_the_car_roll_as_asked() {
        for sheet in [CarBlueprint::default(), sheet()] {
            for (gradient, share) in [(2.5, 0.55), (4.0, 0.6), (4.5, 0.6)] {
                let car = sheet.clone().with_roll_gradient(gradient, share).unwrap();
                assert!((car.roll_gradient() / gradient - 1.0).abs() < 1e-4, "{gradient}");
                let [front, rear] = [0, 1].map(|axle| car.roll_stiffness(axle));
                assert!((front / (front + rear) - share).abs() < 1e-4, "{front}, {rear}");
                car.mechanics().unwrap();
            }
        }
    }

    #[test]
    fn gradients_that_no_bar_gives_are_refused() {
        let refused = |gradient, share| {
            let errors = sheet().with_roll_gradient(gradient, share).unwrap_err();
            errors.to_string()
        };
        let soft = refused(20.0, 0.6);
        assert!(soft.contains("degrees_per_g must be at most "), "{soft}");
        let stiff = refused(0.05, 0.6);
        assert!(stiff.contains("tires of axle 0 let it be reached"), "{stiff}");
        assert!(refused(-1.0, 0.6).contains("degrees_per_g must be positive"), "{soft}");
        assert!(refused(4.0, 1.5).contains("front_share must be"), "{soft}");
        // The axle that is stiffest without a bar has none at the gradient that the message tells.
        let told = soft.split("at most ").skip(1).map(|rest| rest.split(',').next().unwrap());
        let softest = told.map(|text| text.parse().unwrap()).fold(Real::INFINITY, Real::min);
        let car = sheet().with_roll_gradient(softest * 0.9999, 0.6).unwrap();
        let least = car.anti_roll_stiffness.into_iter().fold(Real::INFINITY, Real::min);
        assert!((0.0..100.0).contains(&least), "{:?}", car.anti_roll_stiffness);
    }

    #[test]
    fn springs_carry_what_is_sprung_and_dampers_have_two_sides() {
        let sheet = sheet();
        let params = sheet.mechanics().unwrap();
        for (wheel, unsprung) in wheels(&params).iter().enumerate() {
            let spring = &params.suspension_forces[wheel];
            let mass = sheet.axles()[wheel / 2].unsprung_mass();
            let load = (spring.sprung_mass - mass) * GRAVITY;
            assert!((spring.stiffness * sheet.rest_jounce() / load - 1.0).abs() < 1e-4, "{load}");
            let damper = unsprung.strut.damper.unwrap();
            assert!((damper.bump.rate / damper.rebound.rate - 0.5).abs() < 1e-5);
            let mean = 0.5 * (damper.bump.rate + damper.rebound.rate);
            assert!((mean / spring.damping - 1.0).abs() < 1e-5, "{mean}");
            assert_eq!((unsprung.mass, unsprung.path_slope[0]), (mass, 0.0));
        }
        // Right, left: the contact goes inward as the wheel drops.
        let slopes = [0, 1].map(|wheel| wheels(&params)[wheel].path_slope[1]);
        let height = 0.15 * sheet.wheel.radius;
        assert!((slopes[0] - 2.0 * height / sheet.track_width).abs() < 1e-6, "{slopes:?}");
        assert_eq!(slopes[0], -slopes[1]);
    }

    #[test]
    fn full_anti_dive_leaves_no_load_to_the_springs() {
        // Front: the brake force p M a tilts by h / (p L): M a h / L, all of the load transfer.
        let ride = AxleRide { anti_dive: 1.0, ..AxleRide::default() };
        let sheet = CarBlueprint { ride: Some([ride; 2]), ..CarBlueprint::default() };
        let params = sheet.mechanics().unwrap();
        let [front, rear] = [0, 2].map(|wheel| wheels(&params)[wheel].path_slope[0]);
        let share = sheet.brake_torques[0] / (sheet.brake_torques[0] + sheet.brake_torques[1]);
        let transfer = sheet.center_of_mass_height / sheet.wheel_base;
        assert!((front * share + transfer).abs() < 1e-5, "{front}");
        assert!((rear * (1.0 - share) - transfer).abs() < 1e-5, "{rear}");
    }

    #[test]
    fn every_fault_is_named() {
        let faults = |change: fn(&mut AxleRide)| {
            let mut ride = [AxleRide::default(); 2];
            change(&mut ride[1]);
            let sheet = CarBlueprint { ride: Some(ride), ..CarBlueprint::default() };
            sheet.mechanics().unwrap_err().to_string()
        };
        for (text, expected) in [
            (faults(|it| it.unsprung_mass = Some(0.0)), "ride[1].unsprung_mass must be positive"),
            (
                faults(|it| it.unsprung_mass = Some(300.0)),
                "ride[1].unsprung_mass must be below half",
            ),
            (
                faults(|it| it.tire_stiffness = Some(-1.0)),
                "ride[1].tire_stiffness must be positive",
            ),
            (faults(|it| it.bump_by_rebound = 0.0), "ride[1].bump_by_rebound must be positive"),
            (faults(|it| it.bump_stop_length = Some(1.0)), "ride[1].bump_stop_length must be"),
            (faults(|it| it.roll_center_height = Some(2.0)), "ride[1].roll_center_height must be"),
            (faults(|it| it.anti_dive = 1.1), "ride[1].anti_dive must be"),
        ] {
            assert!(text.contains(expected), "{text}");
        }
    }

    #[test]
    fn all_axles_of_a_vehicle_have_a_ride_or_none_has() {
        let mut sheet: VehicleBlueprint = sheet().of_axles();
        assert_eq!(wheels(&sheet.mechanics().unwrap()).len(), 4);
        sheet.axles[1].ride = None;
        let text = sheet.mechanics().unwrap_err().to_string();
        assert!(text.contains("axles[1].ride must be given as that of axle 0"), "{text}");
        sheet.axles[0].ride = None;
        let params = sheet.mechanics().unwrap();
        assert_eq!(params.suspension_dynamics, SuspensionDynamics::Massless);
        sheet.axles[0].ride = Some(AxleRide { anti_dive: 2.0, ..AxleRide::default() });
        let text = sheet.mechanics().unwrap_err().to_string();
        assert!(text.contains("axles[0].ride.anti_dive must be"), "{text}");
    }

    #[test]
    fn vehicles_of_any_size_have_usual_wheels() {
        // Load (kg), radius and mass of a wheel (m, kg): of a toy, a kart, a car and a truck.
        for (load, radius, mass) in
            [(0.69, 0.0315, 0.038), (75.0, 0.127, 2.2), (800.0, 0.33, 20.0), (8_000.0, 0.61, 160.0)]
        {
            let inertia = 0.7 * mass * radius * radius;
            let damping_rate = 0.03 * inertia;
            let wheel =
                WheelParams { radius, mass, inertia, damping_rate, ..WheelParams::default() };
            let axle = |position| AxleBlueprint {
                wheel,
                ride: Some(AxleRide::default()),
                ..AxleBlueprint::new(position, 4.0 * radius, load, 0.1 * load)
            };
            let size = [10.0 * radius, 5.0 * radius, 3.0 * radius];
            let sheet = VehicleBlueprint::new(size, 1.5 * radius, [axle(0.0), axle(8.0 * radius)]);
            let params = sheet.mechanics().unwrap();
            for wheel in wheels(&params) {
                assert_eq!(wheel.mass, (2.0 * mass).min(0.2 * load));
                let sinking = 0.5 * load * GRAVITY / wheel.tire_stiffness;
                assert!((sinking / radius - 0.055).abs() < 1e-4, "{sinking} m of {radius} m");
            }
        }
    }

    /// Tires as they are inflated for the load of their wheel: pressure (Pa) and load (kg).
    const TIRES: [(&str, Real, Real); 4] = [
        ("175/65R14", 200e3, 296.0),
        ("205/55R16", 220e3, 412.5),
        ("265/65R17", 300e3, 800.0),
        ("315/80R22.5", 850e3, 3_550.0),
    ];

    #[test]
    fn tires_made_for_their_load_are_as_stiff_as_their_size_says() {
        for (code, pressure, load) in TIRES {
            let code: TireCode = code.parse().unwrap();
            let load = 2.0 * load;
            let axle =
                AxleBlueprint { wheel: code.wheel(), ..AxleBlueprint::new(0.0, 1.5, load, 1e3) };
            let (usual, of_size) = (axle.tire_stiffness(), code.radial_stiffness(pressure));
            assert!((usual / of_size - 1.0).abs() < 0.05, "{code}: {usual}, {of_size} N/m");
        }
    }

    #[test]
    fn twin_wheels_count_twice() {
        let ride = AxleRide { tire_stiffness: Some(900e3), ..AxleRide::default() };
        let front =
            AxleBlueprint { ride: Some(ride), ..AxleBlueprint::new(0.0, 2.05, 7_000.0, 15e3) };
        let single = AxleBlueprint { position: 4.0, load: 10_000.0, ..front.clone() };
        let of = |rear: AxleBlueprint| {
            let sheet = VehicleBlueprint::new([6.0, 2.5, 2.5], 1.0, [front.clone(), rear]);
            sheet.mechanics().unwrap()
        };
        let (one, two) = (of(single.clone()), of(AxleBlueprint { twin_wheels: true, ..single }));
        let (wheel, twin) = (one.wheels[2], two.wheels[2]);
        assert_eq!(twin.mass, 2.0 * wheel.mass);
        assert_eq!(twin.inertia, 2.0 * wheel.inertia);
        assert_eq!(twin.half_width, 2.0 * wheel.half_width);
        assert_eq!(twin.radius, wheel.radius);
        let (wheel, twin) = (&wheels(&one)[2], &wheels(&two)[2]);
        assert_eq!(twin.mass, 2.0 * wheel.mass);
        assert_eq!(twin.tire_stiffness, 2.0 * wheel.tire_stiffness);
        // They carry what one wheel would, each half of it: a tire's answer is as its load.
        assert_eq!(one.tires, two.tires);
        assert_eq!(one.suspension_forces[2].sprung_mass, two.suspension_forces[2].sprung_mass);
        // Under the same load they give way by half as much, so they are mounted higher.
        let sinking = 5_000.0 * GRAVITY / 900e3;
        let height = |params: &MechanicalParams| params.suspensions[2].attachment.translation.y;
        let raised = height(&two) - height(&one);
        assert!((raised - 0.5 * sinking).abs() < 1e-5, "{raised} m of {sinking} m");
        assert_eq!((&one.wheels[..2], &wheels(&one)[..2]), (&two.wheels[..2], &wheels(&two)[..2]));
    }
}
