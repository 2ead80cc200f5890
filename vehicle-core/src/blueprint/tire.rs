//! Starting values for tires.

use crate::math::Real;
use crate::mount::usual_rolling_resistance;
use crate::tire::BrushTire;

/// Longitudinal stiffness of a tire per load at rest (dimensionless).
const LONGITUDINAL_STIFFNESS_PER_LOAD: Real = 16.0;
/// Largest lateral stiffness of a front and of a rear tire per load at rest (1/rad); 7/8 of it at
/// this load. The front's is that of tire, steering gear and steering column together, which makes
/// the car understeer.
pub(super) const LATERAL_STIFFNESS_PER_LOAD: [Real; 2] = [15.5, 25.0];
/// Load, divided by the load at rest, at which the lateral stiffness is largest (dimensionless).
const LATERAL_STIFFNESS_LOAD: Real = 2.0;
/// Pneumatic trail under the load at rest by the radius (dimensionless): 3 cm for the wheel of a
/// car.
const PNEUMATIC_TRAIL_PER_RADIUS: Real = 0.09;
/// Friction multiplier of a tire against its combined slip: a fifth is lost when it slides.
const FRICTION_VS_SLIP: [(Real, Real); 3] = [(0.0, 1.0), (0.2, 1.0), (1.0, 0.8)];

/// Starting values for the tire of a car that carries `rest_load` (N) at rest, of this `radius`
/// (m), on the front or on the rear axle. The front one's stiffness is that of tire, steering gear
/// and column together, so that the car understeers.
///
/// ```text
/// C_s = 16 N₀,   C_α = 15.5 N₀ in front, 25 N₀ in the rear,   t_p = 0.09 R
/// ```
///
/// and the [usual](usual_rolling_resistance) rolling resistance.
pub fn starting_tire(rest_load: Real, radius: Real, is_front: bool) -> BrushTire {
    let [front, rear] = LATERAL_STIFFNESS_PER_LOAD;
    let lateral_stiffness_per_load = if is_front { front } else { rear };
    let rolling_resistance = usual_rolling_resistance(radius);
    let rubber = Rubber { lateral_stiffness_per_load, friction: 1.0, rolling_resistance };
    tire(rest_load, radius, &rubber)
}

/// Properties of a tire that its rubber and its build decide, whatever its load and its size.
pub(super) struct Rubber {
    /// Largest lateral stiffness per load (1/rad).
    pub(super) lateral_stiffness_per_load: Real,
    /// Friction, 1 for that of a road tire (dimensionless).
    pub(super) friction: Real,
    /// Force that resists rolling by load (dimensionless).
    pub(super) rolling_resistance: Real,
}

/// A starting tire of this `rubber` for a wheel of `radius` (m) under `rest_load` (N).
pub(super) fn tire(rest_load: Real, radius: Real, rubber: &Rubber) -> BrushTire {
    let &Rubber { lateral_stiffness_per_load, friction, rolling_resistance } = rubber;
    BrushTire {
        longitudinal_stiffness: LONGITUDINAL_STIFFNESS_PER_LOAD * rest_load,
        lateral_stiffness: lateral_stiffness_per_load * rest_load,
        lateral_stiffness_load: LATERAL_STIFFNESS_LOAD,
        camber_stiffness: 0.0,
        rest_load,
        friction_vs_slip: FRICTION_VS_SLIP.map(|(slip, part)| (slip, part * friction)),
        lateral_slip_weight: 1.0,
        rolling_resistance,
        load_filter: BrushTire::IDENTITY_LOAD_FILTER,
        pneumatic_trail: PNEUMATIC_TRAIL_PER_RADIUS * radius,
    }
}
