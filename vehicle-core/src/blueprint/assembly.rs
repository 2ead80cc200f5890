//! From axles whose places and loads are known to all parameters of a mechanical base.

use super::axle::{AxleBlueprint, AxleBrakeValve};
use super::tire::{Rubber, tire};
use crate::aerodynamics::{AerodynamicsParams, DownforceParams};
use crate::axle::AxleDescription;
use crate::body::RigidBodyParams;
use crate::brakes::BrakeValveParams;
use crate::commands::CommandResponseParams;
use crate::constraint_rows::SuspensionLimitParams;
use crate::context::GRAVITY;
use crate::error::{ParamErrors, Validate};
use crate::frame::Frame;
use crate::mass_distribution::MassDistribution;
use crate::math::{Pose, Real, TAU, Vec3};
use crate::mount::{ContactShape, SuspensionParams};
use crate::steering::{AckermannInput, AckermannParams};
use crate::suspension::unsprung::SuspensionDynamics;
use crate::suspension::{
    AntiRollBarParams, JounceParams, SuspensionComplianceParams, SuspensionForceParams,
};
use crate::tire::BrushTire;
use crate::vehicle::MechanicalParams;

/// An axle whose place and load are known.
pub(super) struct PlacedAxle {
    pub(super) sheet: AxleBlueprint,
    /// How far it is before the center of mass (m).
    pub(super) forward: Real,
    /// Numbers of its wheels, right before left.
    wheels: Vec<usize>,
}

/// Mass of a vehicle, and how it is spread.
pub(super) struct BlueprintBody {
    /// Mass (kg).
    pub(super) mass: Real,
    /// Length, width and height (m).
    pub(super) size: [Real; 3],
    /// Moments of inertia of roll, pitch and yaw (kg·m²); those of a box of its size if there are
    /// none.
    pub(super) inertia: Option<[Real; 3]>,
}

impl BlueprintBody {
    fn rigid_body(&self, frame: &Frame) -> RigidBodyParams {
        let along_axes = |[x, y, z]: [Real; 3]| frame.translation(x, y, z).abs();
        match self.inertia {
            Some(inertia) => RigidBodyParams { mass: self.mass, inertia: along_axes(inertia) },
            None => {
                MassDistribution::block(self.mass, along_axes(self.size), Vec3::ZERO).rigid_body
            }
        }
    }
}

/// Axles at their places, and the vehicle's data that they are put together with.
pub(super) struct Assembly {
    pub(super) frame: Frame,
    /// The body.
    body: BlueprintBody,
    /// Height of the center of mass (m).
    pub(super) center_of_mass_height: Real,
    /// Drag coefficient times frontal area (m²).
    pub(super) drag_area: Real,
    axles: Vec<PlacedAxle>,
}

impl Assembly {
    /// Axles from front to back, each with its distance before the center of mass (m).
    pub(super) fn new(
        frame: Frame,
        body: BlueprintBody,
        center_of_mass_height: Real,
        drag_area: Real,
        axles: impl IntoIterator<Item = (AxleBlueprint, Real)>,
    ) -> Self {
        let mut count = 0;
        let place = |(sheet, forward): (AxleBlueprint, Real)| {
            let first = count;
            count += sheet.wheel_count();
            PlacedAxle { sheet, forward, wheels: (first..count).collect() }
        };
        let axles = axles.into_iter().map(place).collect();
        Self { frame, body, center_of_mass_height, drag_area, axles }
    }

    /// The parameters, on wheels with mass if its axles have a ride.
    pub(super) fn mechanics(&self) -> Result<MechanicalParams, ParamErrors> {
        let numbers = self.axles.iter().map(|axle| axle.wheels.clone());
        let params = MechanicalParams {
            axles: AxleDescription::new(numbers)?,
            rigid_body: self.body.rigid_body(&self.frame),
            brakes: vec![
                CommandResponseParams::linear(1.0, self.each(|sheet| sheet.brake_torque)),
                self.shared(|sheet| sheet.hand_brake_torque),
            ],
            steering: self.shared(|sheet| sheet.max_steer_angle),
            ackermann: self.ackermann(),
            steering_system: None,
            brake_valves: self.brake_valves(),
            jounce: self.jounce(),
            wheels: self.each(AxleBlueprint::hub_wheel),
            suspensions: self.suspensions(),
            compliances: self.each(|sheet| self.compliance(sheet)),
            suspension_forces: self.each(spring),
            anti_roll_bars: self.anti_roll_bars(),
            beam_axles: Vec::new(),
            aerodynamics: self.aerodynamics(),
            suspension_dynamics: SuspensionDynamics::default(),
            suspension_limit: SuspensionLimitParams::default(),
            tires: self.each(starting_tire),
        };
        let has_ride = self.axles.iter().all(|axle| axle.sheet.ride.is_some());
        let params = if has_ride { self.on_wheels_with_mass(params) } else { params };
        params.validate()?;
        Ok(params)
    }

    /// Wheels with round shoulders meet the road with all of their shape: they lean.
    fn jounce(&self) -> JounceParams {
        let is_round = |axle: &PlacedAxle| 0.0 < axle.sheet.wheel.shoulder_radius;
        let contact = if self.axles.iter().any(is_round) {
            ContactShape::Cylinder
        } else {
            ContactShape::default()
        };
        JounceParams { contact, ..JounceParams::default() }
    }

    /// `params` on wheels with mass, as each axle's sheet describes them.
    fn on_wheels_with_mass(&self, params: MechanicalParams) -> MechanicalParams {
        let beams = self.axles.iter().filter_map(|axle| axle.sheet.beam_axle(&axle.wheels));
        let params = MechanicalParams { beam_axles: beams.collect(), ..params };
        let wheels = self.axles.iter();
        let wheels = wheels.flat_map(|axle| axle.wheels.iter().map(move |&wheel| (axle, wheel)));
        let wheels: Vec<_> =
            wheels.map(|(axle, wheel)| (&axle.sheet, self.path_slope(axle, wheel))).collect();
        params.on_wheels_with_mass(GRAVITY, |wheel, spring| {
            let (sheet, path_slope) = wheels[wheel];
            let spring = spring.carrying_less(sheet.unsprung_mass());
            (spring, sheet.wheel_with_mass(&spring, path_slope))
        })
    }

    /// How far the contact of a `wheel` of an `axle` moves forward and to the left as it drops by
    /// one (dimensionless).
    ///
    /// ```text
    /// a = ∓ s h / (p L),   b = -2 h_rc / t sgn(y)
    /// ```
    ///
    /// with the part `s` of the dive, forward of the center of mass or behind it, and the part `p`
    /// of all brakes on that side of it. `L` is the distance of the axles, `h_rc` the roll center's
    /// height and `t` the track. A beam axle has its roll center itself.
    fn path_slope(&self, axle: &PlacedAxle, wheel: usize) -> [Real; 2] {
        let is_ahead = |axle: &PlacedAxle| 0.0 < axle.forward;
        let brake = |axle: &PlacedAxle| axle.sheet.brake_torque * axle.wheels.len() as Real;
        let beside = self.axles.iter().filter(|other| is_ahead(other) == is_ahead(axle));
        let on_side: Real = beside.map(brake).sum();
        let share = on_side / self.axles.iter().map(brake).sum::<Real>();
        let middle = |ahead: bool| {
            let places = self.axles.iter().filter(|axle| is_ahead(axle) == ahead);
            let places: Vec<_> = places.map(|axle| axle.forward).collect();
            places.iter().sum::<Real>() / places.len() as Real
        };
        let dive = self.center_of_mass_height / (share * (middle(true) - middle(false)));
        let dive = if dive.is_finite() { axle.sheet.usual_ride().anti_dive * dive } else { 0.0 };
        let side = match *axle.wheels.as_slice() {
            [right, _] if right == wheel => -1.0,
            [_, _] => 1.0,
            _ => 0.0,
        };
        let roll = if side == 0.0 || axle.sheet.is_beam() {
            0.0
        } else {
            -2.0 * axle.sheet.roll_center_height() / axle.sheet.track_width * side
        };
        [if is_ahead(axle) { -dive } else { dive }, roll]
    }

    /// One value per wheel: `of` the sheet of its axle.
    fn each<T>(&self, of: impl Fn(&AxleBlueprint) -> T) -> Vec<T> {
        let axles = self.axles.iter();
        axles.flat_map(|axle| axle.wheels.iter().map(|_| of(&axle.sheet))).collect()
    }

    /// A response with the largest value of all wheels, of which each has its part.
    fn shared(&self, of: impl Fn(&AxleBlueprint) -> Real) -> CommandResponseParams {
        let values = self.each(of);
        let most = values.iter().fold(0.0, |most: Real, value| most.max(value.abs()));
        let part = |value: &Real| if *value == 0.0 { 0.0 } else { value / most };
        CommandResponseParams::linear(most, values.iter().map(part).collect::<Vec<_>>())
    }

    fn brake_valves(&self) -> Vec<BrakeValveParams> {
        let valve = |axle: &PlacedAxle| {
            let AxleBrakeValve { least_part, loads } = axle.sheet.brake_valve?;
            let jounces = loads.map(|load| axle.sheet.jounce_under(load));
            Some(BrakeValveParams { wheels: axle.wheels.clone(), least_part, jounces })
        };
        self.axles.iter().filter_map(valve).collect()
    }

    fn suspensions(&self) -> Vec<SuspensionParams> {
        let down = -self.frame.vertical();
        let suspension = |axle: &PlacedAxle, side: Real| {
            let AxleBlueprint { track_width, wheel, travel_distance, .. } = axle.sheet;
            let up = wheel.radius - self.center_of_mass_height;
            let left = side * (0.5 * track_width);
            let center = self.frame.translation(axle.forward, left, up);
            let left_to_droop = travel_distance - axle.sheet.rest_jounce();
            SuspensionParams {
                attachment: Pose::from_translation(center - down * left_to_droop),
                travel_direction: down,
                travel_distance,
                wheel_attachment: Pose::IDENTITY,
            }
        };
        let sides = |axle: &PlacedAxle| {
            let sides: &[Real] = if axle.wheels.len() == 1 { &[0.0] } else { &[-1.0, 1.0] };
            sides.iter().map(|&side| suspension(axle, side)).collect::<Vec<_>>()
        };
        self.axles.iter().flat_map(sides).collect()
    }

    /// Load and tire act where the wheel touches the ground.
    fn compliance(&self, sheet: &AxleBlueprint) -> SuspensionComplianceParams {
        let down = -self.frame.vertical();
        SuspensionComplianceParams::at_contact(down, sheet.travel_distance, sheet.wheel.radius)
    }

    /// Drag at the center of mass, downforce on the axles.
    fn aerodynamics(&self) -> AerodynamicsParams {
        let pressed = self.axles.iter().filter(|axle| axle.sheet.downforce_area != 0.0);
        let downforce = |axle: &PlacedAxle| DownforceParams {
            area: axle.sheet.downforce_area,
            point: self.frame.translation(axle.forward, 0.0, 0.0),
        };
        AerodynamicsParams {
            drag_area: self.drag_area,
            downforces: pressed.map(downforce).collect(),
            ..AerodynamicsParams::default()
        }
    }

    fn anti_roll_bars(&self) -> Vec<AntiRollBarParams> {
        let bar = |axle: &PlacedAxle| match (axle.wheels.as_slice(), axle.sheet.anti_roll_stiffness)
        {
            (&[right, left], stiffness) if stiffness != 0.0 => {
                Some(AntiRollBarParams::new([right, left], stiffness))
            }
            _ => None,
        };
        self.axles.iter().filter_map(bar).collect()
    }

    /// Wheels of a steered axle roll about a point beside that axle, or mean of axles, that is not
    /// steered.
    fn ackermann(&self) -> Vec<AckermannParams> {
        let Some(center) = self.turning_axis() else { return Vec::new() };
        let geometry = |axle: &PlacedAxle| {
            let &[right, left] = axle.wheels.as_slice() else { return None };
            let ahead = center - axle.sheet.position;
            // Behind the axis of turning, an axle is steered the other way, and its inner wheel is
            // that of the other sign.
            let turns_about = axle.sheet.max_steer_angle * ahead;
            (0.0 < turns_about).then(|| AckermannParams {
                wheels: if 0.0 < ahead { [right, left] } else { [left, right] },
                wheel_base: ahead.abs(),
                track_width: axle.sheet.track_width,
                strength: 1.0,
                input: AckermannInput::Response,
            })
        };
        self.axles.iter().filter_map(geometry).collect()
    }

    /// How far the line about which the vehicle turns is behind the first axle (m). It is the mean
    /// of the axles that are not steered; where all are, the place where an axle would need no
    /// angle.
    fn turning_axis(&self) -> Option<Real> {
        let straight = self.axles.iter().filter(|axle| axle.sheet.max_steer_angle == 0.0);
        let places: Vec<_> = straight.map(|axle| axle.sheet.position).collect();
        if !places.is_empty() {
            return Some(places.iter().sum::<Real>() / places.len() as Real);
        }
        let (first, last) = (self.axles.first()?, self.axles.last()?);
        let [a, b] = [first, last].map(|axle| axle.sheet.max_steer_angle);
        let [x, y] = [first, last].map(|axle| axle.sheet.position);
        (a != b).then(|| (y * a - x * b) / (a - b))
    }
}

/// ```text
/// k = m ω²,   c = 2 ζ m ω
/// ```
pub(super) fn spring(sheet: &AxleBlueprint) -> SuspensionForceParams {
    let sprung_mass = sprung_mass(sheet);
    let angular_frequency = TAU * sheet.natural_frequency;
    SuspensionForceParams {
        stiffness: sprung_mass * angular_frequency * angular_frequency,
        damping: 2.0 * sheet.damping_ratio * sprung_mass * angular_frequency,
        sprung_mass,
    }
}

/// Load for which each wheel of an axle is made (kg).
fn sprung_mass(sheet: &AxleBlueprint) -> Real {
    sheet.design_load() / sheet.wheel_count() as Real
}

fn starting_tire(sheet: &AxleBlueprint) -> BrushTire {
    let rest_load = sprung_mass(sheet) * GRAVITY;
    let rubber = Rubber {
        lateral_stiffness_per_load: sheet.lateral_stiffness_per_load(),
        friction: sheet.tire_friction,
        rolling_resistance: sheet.rolling_resistance(),
    };
    tire(rest_load, sheet.wheel.radius, &rubber)
}
