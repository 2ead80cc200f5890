//! Parameters and state of a steering system: steering axes, ratio, steering wheel.

use serde::{Deserialize, Serialize};

use super::axis::SteeringAxisParams;
use crate::WheelList;
use crate::clone_by_field;
use crate::commands::CommandResponseParams;
use crate::error::{Bound, ParamCheck};
use crate::math::Real;
use crate::math::finite::Finite;
use crate::math::lanes::Real4;

/// The steering wheel's forces and its free motion, for force feedback.
///
/// The steering wheel turns by [`ratio`](Self::ratio) times the steer angle that a wheel of
/// multiplier 1 has without table and correction. At the command 1 it is at its end stop. What the
/// road does to the steered wheels arrives there divided by how fast each turns with it, see the
/// [module](super).
///
/// ```
/// use vehicle_core::blueprint::CarBlueprint;
/// use vehicle_core::steering::SteeringSystemParams;
/// use vehicle_core::{ParamErrors, Validate};
///
/// let mut params = CarBlueprint::default().mechanics()?;
/// params.steering_system = Some(SteeringSystemParams::car(0, 1));
/// params.validate()?;
/// # Ok::<(), ParamErrors>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SteeringSystemParams {
    /// Steering axes. A wheel that is not listed turns about an upright axis through its center.
    #[serde(default)]
    pub axes: Vec<SteeringAxisParams>,
    /// Angle of the steering wheel per steer angle of a wheel of multiplier 1 (dimensionless).
    pub ratio: Real,
    /// Moment of inertia of all that turns with the steering wheel, as felt there (kg·m²).
    pub inertia: Real,
    /// Torque per rate of the steering wheel that slows it (N·m·s).
    pub damping: Real,
    /// Dry friction of the steering system, as felt at the steering wheel (N·m).
    pub friction: Real,
    /// By how much the contact of a tire that stands is twisted until all of it slides (rad).
    #[serde(default = "usual_contact_twist")]
    pub contact_twist: Real,
}

fn usual_contact_twist() -> Real {
    0.1
}

/// Steering ratios that a vehicle can have (dimensionless).
const RATIOS: Bound = Bound::Within(0.01, 1_000.0);
/// Least inertia of a steering wheel, by which torques are divided.
const MIN_INERTIA: Real = 1e-6;
/// How far the contact of a tire can be twisted (rad).
const CONTACT_TWISTS: Bound = Bound::Within(1e-3, 1.0);

impl SteeringSystemParams {
    /// The steering of a mid-size car without power assistance, whose wheels `right` and `left` are
    /// steered.
    pub fn car(right: usize, left: usize) -> Self {
        Self {
            axes: vec![SteeringAxisParams::car(right), SteeringAxisParams::car(left)],
            ratio: 16.0,
            inertia: 0.05,
            damping: 1.0,
            friction: 1.0,
            contact_twist: usual_contact_twist(),
        }
    }

    /// Checks the parameters of a vehicle of `wheel_count` wheels that are steered by `steering`.
    pub fn check(
        &self,
        check: &mut ParamCheck,
        wheel_count: usize,
        steering: &CommandResponseParams,
    ) {
        check.each("axes", &self.axes, |axis, inner| axis.check(inner, wheel_count));
        for (index, axis) in self.axes.iter().enumerate() {
            let is_first = self.axes[..index].iter().all(|other| other.wheel != axis.wheel);
            let name = format_args!("axes[{index}].wheel");
            check.require(name, is_first, "a wheel that has no axis yet", axis.wheel);
        }
        check.number("ratio", self.ratio, RATIOS);
        check.number("inertia", self.inertia, Bound::Positive);
        let is_divisor = !(0.0 < self.inertia && self.inertia < MIN_INERTIA);
        check.require("inertia", is_divisor, format_args!("at least {MIN_INERTIA}"), self.inertia);
        check.number("damping", self.damping, Bound::NotNegative);
        check.number("friction", self.friction, Bound::NotNegative);
        check.number("contact_twist", self.contact_twist, CONTACT_TWISTS);
        let largest = steering.max_response;
        let requirement = "used with a steering.max_response other than 0";
        check.require("ratio", largest != 0.0, requirement, self.ratio);
    }

    /// The steering axis of `wheel`.
    pub fn axis(&self, wheel: usize) -> SteeringAxisParams {
        let listed = self.axes.iter().find(|axis| axis.wheel == wheel);
        listed.copied().unwrap_or(SteeringAxisParams::upright(wheel))
    }

    /// Angle of the steering wheel at its end stop, in a vehicle that is steered by `steering`
    /// (rad).
    pub fn end_stop(&self, steering: &CommandResponseParams) -> Real {
        self.ratio * steering.max_response.abs()
    }
}

/// State of a [steering system](SteeringSystemParams).
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub struct SteeringState {
    /// Angle of the steering wheel, positive to the left (rad).
    pub angle: Real,
    /// Rate of the steering wheel (rad/s), 0 where it is held at an angle.
    pub rate: Real,
    /// Torque of the road on the steering wheel, positive to the left (N·m): what hands feel, and
    /// what force feedback shows. It is of the last substep.
    pub wheel_torque: Real,
    /// Moment of the road on each wheel about its steering axis, positive to the left (N·m).
    pub kingpin_moments: WheelList<Real>,
    /// Steer angle at which the contact of each tire is not twisted (rad).
    pub contact_angles: WheelList<Real>,
}

clone_by_field! { impl[] SteeringState { angle, rate, wheel_torque, kingpin_moments, contact_angles } }

impl SteeringState {
    /// The steering of a vehicle of `wheel_count` wheels, straight ahead.
    pub fn at_rest(wheel_count: usize) -> Self {
        Self {
            angle: 0.0,
            rate: 0.0,
            wheel_torque: 0.0,
            kingpin_moments: WheelList::new(wheel_count),
            contact_angles: WheelList::new(wheel_count),
        }
    }
}

impl Finite for SteeringState {
    #[inline]
    fn total(&self) -> Real4 {
        self.angle.total()
            + self.rate.total()
            + self.wheel_torque.total()
            + self.kingpin_moments.total()
            + self.contact_angles.total()
    }
}
