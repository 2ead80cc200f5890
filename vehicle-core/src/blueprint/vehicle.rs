//! The data sheet of a vehicle with any number of axles.

use serde::{Deserialize, Serialize};

use super::assembly::{Assembly, BlueprintBody};
use super::axle::AxleBlueprint;
use super::plausible::{self, Plausible};
use crate::context::GRAVITY;
use crate::error::{Bound, ParamCheck, ParamErrors, Validate};
use crate::frame::Frame;
use crate::math::Real;
use crate::vehicle::MechanicalParams;

/// Friction at which all wheels would lock at once by that for which brakes are made
/// (dimensionless).
const BALANCED_BEYOND: Real = 1.2;
/// Force of all brakes at a full pedal by that which locks the wheels (dimensionless).
const PEDAL_RESERVE: Real = 1.15;

/// The data sheet of a vehicle with any number of axles, each as it weighs on a scale: a truck, a
/// trailer, a tank, a kart, a three-wheeler. Wheels are numbered axle by axle from the front, the
/// right one before the left one.
///
/// The mass and the center of mass follow from the loads:
///
/// ```text
/// m = Σ m_i,   x = Σ m_i x_i / m
/// ```
///
/// over the axles and the coupled load, such as that of a semi-trailer on its kingpin.
///
/// ```
/// use vehicle_core::blueprint::{AxleBlueprint, VehicleBlueprint};
///
/// let steered = AxleBlueprint { max_steer_angle: 0.7, ..AxleBlueprint::new(0.0, 2.0, 7_100.0, 14_000.0) };
/// let truck = VehicleBlueprint::new(
///     [9.0, 2.5, 2.5],
///     1.3,
///     vec![
///         steered,
///         AxleBlueprint::new(4.5, 1.85, 9_500.0, 14_000.0),
///         AxleBlueprint::new(5.9, 1.85, 9_500.0, 14_000.0),
///     ],
/// );
/// assert_eq!(truck.mass(), 26_100.0);
/// assert_eq!(truck.mechanics()?.axles.wheel_count(), 6);
/// # Ok::<(), vehicle_core::ParamErrors>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct VehicleBlueprint {
    /// Axes of the vehicle. If a vehicle file leaves them out, the file's `frame` applies.
    #[serde(default)]
    pub frame: Frame,
    /// Length, width and height of the body (m), from which the inertia follows unless it is given.
    pub size: [Real; 3],
    /// Moments of inertia of roll, pitch and yaw, about the center of mass, wheels included
    /// (kg·m²). By default, those of a homogeneous box of its size.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inertia: Option<[Real; 3]>,
    /// Height of the center of mass above the ground, at rest (m).
    pub center_of_mass_height: Real,
    /// The axles, from front to back.
    pub axles: Vec<AxleBlueprint>,
    /// Part of its weight that another vehicle carries.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coupled_load: Option<CoupledLoad>,
    /// Drag coefficient times frontal area (m²).
    #[serde(default)]
    pub drag_area: Real,
}

/// Part of a trailer's weight that its towing vehicle carries.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct CoupledLoad {
    /// How far kingpin or drawbar eye are behind the first axle (m): negative, as they are ahead of
    /// it.
    pub position: Real,
    /// The load on them (kg).
    pub load: Real,
}

impl Validate for VehicleBlueprint {
    fn check(&self, check: &mut ParamCheck) {
        for (index, &size) in self.size.iter().enumerate() {
            plausible::SIZE.check(check, format_args!("size[{index}]"), size);
        }
        plausible::check_inertia(check, self.inertia);
        plausible::HEIGHT.check(check, "center_of_mass_height", self.center_of_mass_height);
        check.require("axles", !self.axles.is_empty(), "at least one axle", "none");
        check.each("axles", &self.axles, AxleBlueprint::check);
        plausible::check_density(check, "axles[..].load", self.mass(), self.size);
        for (index, axle) in self.axles.iter().enumerate() {
            let name = format_args!("axles[{index}].downforce_area");
            plausible::check_air_area(check, name, axle.downforce_area, self.size);
        }
        let [length, width, _] = self.size;
        for (index, axle) in self.axles.iter().enumerate() {
            if plausible::AXLE_POSITION.holds(axle.position) {
                let name = format_args!("axles[{index}].position");
                plausible::check_spread(check, name, axle.position, (length, "length"));
            }
            if plausible::TRACK_WIDTH.holds(axle.track_width) {
                let name = format_args!("axles[{index}].track_width");
                plausible::check_spread(check, name, axle.track_width, (width, "width"));
            }
        }
        for (index, pair) in self.axles.windows(2).enumerate() {
            let (ahead, position) = (pair[0].position, pair[1].position);
            let requirement = format_args!("above {ahead}, that of the axle ahead");
            let name = format_args!("axles[{}].position", index + 1);
            check.require(name, ahead < position, requirement, position);
        }
        if let Some(first) = self.axles.first() {
            let has_ride = |axle: &AxleBlueprint| axle.ride.is_some();
            for (index, axle) in self.axles.iter().enumerate() {
                let is_alike = has_ride(axle) == has_ride(first);
                let name = format_args!("axles[{index}].ride");
                let got = if has_ride(axle) { "one" } else { "none" };
                check.require(name, is_alike, "given as that of axle 0", got);
            }
            let is_origin = first.position == 0.0;
            check.require(
                "axles[0].position",
                is_origin,
                "0, as of the first axle",
                first.position,
            );
        }
        if let Some(CoupledLoad { position, load }) = self.coupled_load {
            plausible::COUPLING_POSITION.check(check, "coupled_load.position", position);
            check.number("coupled_load.load", load, Bound::NotNegative);
            let most = Plausible::mass(0.0, plausible::MASS.range.1);
            most.check_size(check, "coupled_load.load", load, "");
        }
        check.number("drag_area", self.drag_area, Bound::NotNegative);
        plausible::check_air_area(check, "drag_area", self.drag_area, self.size);
    }
}

impl VehicleBlueprint {
    /// A vehicle of this `size` (m: length, width, height) on `axles`, with its center of mass at
    /// this height (m).
    pub fn new(
        size: [Real; 3],
        center_of_mass_height: Real,
        axles: impl Into<Vec<AxleBlueprint>>,
    ) -> Self {
        Self {
            frame: Frame::default(),
            size,
            inertia: None,
            center_of_mass_height,
            axles: axles.into(),
            coupled_load: None,
            drag_area: 0.0,
        }
    }

    /// The parameters of the vehicle's mechanical base.
    ///
    /// # Errors
    ///
    /// All faults of the data sheet; a suspension that would be fully compressed at rest is one.
    pub fn mechanics(&self) -> Result<MechanicalParams, ParamErrors> {
        self.validate()?;
        let center = self.center_of_mass();
        let axles = self.axles.iter().map(|axle| (axle.clone(), center - axle.position));
        let Self { frame, size, inertia, center_of_mass_height, drag_area, .. } = *self;
        let body = BlueprintBody { mass: self.mass(), size, inertia };
        let assembly = Assembly::new(frame, body, center_of_mass_height, drag_area, axles);
        assembly.mechanics()
    }

    /// This vehicle with brakes that lock all wheels at a full pedal on a road of this `friction`,
    /// 1.1 for a dry one. On a road with less friction, the front wheels lock before the rear ones.
    /// The pedal has 15 % in reserve.
    ///
    /// Every wheel's torque is in proportion to its part of the axle's load on a road whose
    /// friction is a fifth higher than `μ`. With this reserve, engines that turn with the front
    /// wheels do not change which wheels lock first:
    ///
    /// ```text
    /// T_i = 1.15 μ R_i g (m_i + 1.2 μ h m m_i x_i / Σ m_j x_j²) / n_i
    /// ```
    ///
    /// with the axle's load `m_i`, its place `x_i` before the center of mass, its `n_i` wheels of
    /// radius `R_i`, and the center of mass at the height `h`. For two axles,
    /// `Σ m_j x_j² = m_1 x_1 L`. An axle that would rise off the road keeps a tenth of the torque
    /// of its load at rest.
    pub fn with_brakes(mut self, friction: Real) -> Self {
        let (mass, center) = (self.mass(), self.center_of_mass());
        let place = |axle: &AxleBlueprint| center - axle.position;
        let stiffness: Real =
            self.axles.iter().map(|axle| axle.load * place(axle) * place(axle)).sum();
        let moment = BALANCED_BEYOND * friction * self.center_of_mass_height * mass;
        for axle in &mut self.axles {
            let moved = if stiffness == 0.0 { 0.0 } else { moment * place(axle) / stiffness };
            let load = axle.load * (1.0 + moved).max(0.1);
            let force = PEDAL_RESERVE * friction * GRAVITY * load;
            axle.brake_torque = force * axle.wheel.radius / axle.wheel_count() as Real;
        }
        self
    }

    /// Mass (kg).
    pub fn mass(&self) -> Real {
        self.loads().map(|(_, load)| load).sum()
    }

    /// How far the center of mass is behind the first axle (m).
    pub fn center_of_mass(&self) -> Real {
        self.loads().map(|(position, load)| position * load).sum::<Real>() / self.mass()
    }

    /// Place (m) and size (kg) of all that it rests on.
    fn loads(&self) -> impl Iterator<Item = (Real, Real)> {
        let axles = self.axles.iter().map(|axle| (axle.position, axle.load));
        axles.chain(self.coupled_load.map(|coupled| (coupled.position, coupled.load)))
    }
}
