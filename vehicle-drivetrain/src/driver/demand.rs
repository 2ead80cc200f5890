//! What the speeds of a path ask of a driver's feet.

use vehicle_core::context::GRAVITY;
use vehicle_core::math::Real;

use super::figures::VehicleFigures;
use super::path::Path;
use super::pedals::PedalDemand;
use super::view::DriverView;

/// Time by which a driver looks ahead for the speed (s): pedals answer late.
const PEDAL_LEAD: Real = 0.1;
/// Part of the brakes that is used in any bend that is too fast (dimensionless).
const LEAST_BRAKING: Real = 0.25;
/// Part of the brakes by which a driver slows down for a bend that is more slippery than thought
/// (dimensionless).
const HALF_BRAKES: Real = 0.5;

/// What feet are to do at a `way` along `path` (m), at the speed `along` it (m/s).
pub(super) fn planned_demand(
    path: &Path,
    figures: &VehicleFigures,
    (way, along): (Real, Real),
    view: &DriverView,
) -> PedalDemand {
    let ahead = way + PEDAL_LEAD * along;
    let reach = path.spacing().max(2.0 * PEDAL_LEAD * along);
    let now = path.at(way);
    let [soon, later] = [ahead, ahead + reach].map(|way| path.at(way).speed);
    let acceleration = 0.5 * (later * later - soon * soon) / reach;
    let turning = along * along * now.curvature.abs();
    let lateral = turning.max((along * view.yaw_rate).abs());
    PedalDemand {
        speed: now.speed.min(borne_speed(path, figures, (way, along), view)),
        acceleration,
        slope: now.slope,
        bounds: bounds(figures, lateral, view),
    }
}

/// Demand on the pedals of a driver who holds a `speed` on level ground and is at the speed `along`
/// (m/s).
pub(super) fn held_demand(
    figures: &VehicleFigures,
    speed: Real,
    along: Real,
    view: &DriverView,
) -> PedalDemand {
    let bounds = bounds(figures, (along * view.yaw_rate).abs(), view);
    PedalDemand { speed, acceleration: 0.0, slope: 0.0, bounds }
}

/// Acceleration that tires bear beside a `lateral` one, backward and forward (m/s²).
fn bounds(figures: &VehicleFigures, lateral: Real, view: &DriverView) -> [Real; 2] {
    let left = figures.left_along(lateral, view.friction);
    let beside = figures.left_to_brake(lateral, view.friction);
    [-beside.max(LEAST_BRAKING) * figures.braking, left * figures.traction]
        .map(|share| share * GRAVITY * view.friction)
}

/// The speed that the friction under the wheels bears in the bend here, and from which the one that
/// comes can be reached (m/s). It is less than that of the path where there is less grip than it
/// was made for.
fn borne_speed(
    path: &Path,
    figures: &VehicleFigures,
    (way, along): (Real, Real),
    view: &DriverView,
) -> Real {
    if view.friction <= 0.0 {
        return Real::INFINITY;
    }
    let lateral = figures.lateral_limit(view.friction);
    let grip = lateral * GRAVITY;
    let slowing = HALF_BRAKES * view.friction * figures.braking * GRAVITY;
    let square = |ahead: Real| {
        let curvature = path.at(way + ahead).curvature.abs();
        let pressed = lateral * figures.downforce / figures.mass;
        grip / (curvature - pressed).max(1e-6) + 2.0 * slowing * ahead
    };
    square(0.0).min(square(0.5 * along)).min(square(along)).sqrt()
}
