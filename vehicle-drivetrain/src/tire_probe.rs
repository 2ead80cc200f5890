//! What a tire answers on a flat road of friction 1, whatever its law.

use vehicle_core::math::{Pose, Real, Vec3};
use vehicle_core::road_geometry::{Plane, RoadContact};
use vehicle_core::tire::{
    GripInput, TireInput, TireModel, TireOutput, TireSlip, TireSpeeds, TireWheel,
};
use vehicle_core::wheel::WheelParams;

/// Speed of a probe (m/s).
const PROBE_SPEED: Real = 20.0;
/// Time after which a tire that answers late has answered (s).
const PROBE_TIME: Real = 10.0;

/// Forces of a tire that rolls straight ahead under `load` (N) with `slip`, inclined by `lean` to
/// the right (rad).
pub(crate) fn probe<Tire: TireModel>(
    tire: &Tire,
    wheel: &WheelParams,
    load: Real,
    slip: TireSlip,
    lean: Real,
) -> TireOutput {
    let ground = RoadContact::new(Plane { normal: Vec3::Z, offset: 0.0 }, 1.0);
    let grip = GripInput { normal_load: load, road_friction: ground.friction, slip };
    let rotation_speed = PROBE_SPEED * (1.0 + slip.longitudinal) / wheel.radius;
    let contact_speeds =
        TireSpeeds { longitudinal: PROBE_SPEED, lateral: PROBE_SPEED * slip.tangent };
    let input = TireInput {
        wheel: TireWheel {
            pose: Pose::IDENTITY,
            linear_velocity: Vec3::X * PROBE_SPEED,
            angular_velocity: Vec3::Y * rotation_speed,
            contact_speeds,
            rotation_speed,
            radius: wheel.radius,
            half_width: wheel.half_width,
            inclination: lean,
            inflation_pressure: wheel.inflation_pressure,
            radial_stiffness: wheel.radial_stiffness,
        },
        ground: &ground,
        soil: None,
        normal_load: load,
        grip: tire.grip_on(&grip, &ground, None),
        slip,
        stopping_force: Real::INFINITY,
        dt: PROBE_TIME,
    };
    tire.forces(&input, &mut Tire::State::default())
}
