//! A tire that is asked for its forces before a simulation.

use super::{GripInput, TireInput, TireModel, TireOutput, TireSlip, TireSpeeds, TireWheel};
use crate::frame::Frame;
use crate::math::{Pose, Real};
use crate::mount::WheelParams;
use crate::plane::Plane;
use crate::road::RoadContact;

/// A wheel that rolls straight ahead on a level road of friction 1: what its tire gives there.
///
/// ```
/// use vehicle_core::Frame;
/// use vehicle_core::blueprint::CarBlueprint;
/// use vehicle_core::tire::{SteadyRolling, TireSlip};
///
/// let car = CarBlueprint::default().mechanics()?;
/// let rolling = SteadyRolling {
///     wheel: &car.wheels[0],
///     frame: &Frame::Y_UP,
///     speed: 20.0,
///     load: 4_000.0,
///     inclination: 0.0,
///     time: 10.0,
/// };
/// let slip = TireSlip { longitudinal: 0.05, tangent: 0.0 };
/// assert!(1_000.0 < rolling.output(&car.tires[0], slip).longitudinal_force);
/// # Ok::<(), vehicle_core::ParamErrors>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct SteadyRolling<'a> {
    /// The wheel.
    pub wheel: &'a WheelParams,
    /// The axes.
    pub frame: &'a Frame,
    /// Speed of its center (m/s).
    pub speed: Real,
    /// Load (N).
    pub load: Real,
    /// Inclination to the road (rad).
    pub inclination: Real,
    /// Time since it began to roll, after which a tire that answers late is asked (s).
    pub time: Real,
}

impl SteadyRolling<'_> {
    /// Forces of `tire` at this `slip`.
    pub fn output<Tire: TireModel>(&self, tire: &Tire, slip: TireSlip) -> TireOutput {
        let Self { wheel, frame, speed, load, inclination, time } = *self;
        let ground = RoadContact::new(Plane { normal: frame.vertical(), offset: 0.0 }, 1.0);
        let rotation_speed = speed * (1.0 + slip.longitudinal) / wheel.radius;
        let grip = GripInput { normal_load: load, road_friction: ground.friction, slip };
        let input = TireInput {
            wheel: TireWheel {
                pose: Pose::IDENTITY,
                linear_velocity: frame.longitudinal() * speed,
                angular_velocity: frame.lateral() * rotation_speed,
                contact_speeds: TireSpeeds { longitudinal: speed, lateral: speed * slip.tangent },
                rotation_speed,
                radius: wheel.radius,
                half_width: wheel.half_width,
                inclination,
                inflation_pressure: wheel.inflation_pressure,
                radial_stiffness: wheel.stiffness(),
            },
            ground: &ground,
            soil: None,
            normal_load: load,
            grip: tire.grip_on(&grip, &ground, None),
            slip,
            stopping_force: Real::INFINITY,
            dt: time,
        };
        tire.forces(&input, &mut Tire::State::default())
    }
}
