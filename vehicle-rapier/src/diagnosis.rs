//! What is odd about a vehicle in a world, see [`vehicle_core::diagnosis`].

use rapier3d::prelude::ColliderBuilder;
use vehicle_core::Context;
use vehicle_core::diagnosis::{Conditions, Diagnose, Finding, FindingCode, Findings, Usual};
use vehicle_core::math::Real;
use vehicle_core::road_geometry::FlatRoad;
use vehicle_core::sequence::TimeStepError;

use crate::drivable::Drivable;
use crate::vehicle::RapierVehicle;

/// Forward speeds at which a sequence is asked for its substeps (m/s).
const SPEEDS: [Real; 3] = [0.0, 10.0, 40.0];

/// Friction of a dry road (dimensionless).
const USUAL_FRICTION: Real = 0.8;

/// What is odd about `vehicle` in a world of time step `dt` (s), the warnings first.
///
/// Substeps are those of its sequence, the fewest that it takes of a vehicle at rest and one that is
/// fast. Gravity is that of [`params`](RapierVehicle::params), to which the world's is written in each
/// step.
///
/// A vehicle that has been stepped also tells whether a wheel stands on a collider whose friction is still
/// Rapier's default, 0.5.
///
/// ```
/// # use rapier3d::prelude::*;
/// # use vehicle_rapier::prelude::*;
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let mut world = PhysicsWorld::new();
/// # let mechanics = CarBlueprint::default().mechanics()?;
/// # let throttle = CommandResponseParams::linear(500.0, [0.0, 0.0, 1.0, 1.0]);
/// # let params = DirectDriveParams { mechanics, throttle };
/// # let chassis = Chassis::new(&params.mechanics.rigid_body);
/// # let vehicle = DirectDriveVehicle::new(params)?;
/// # let car = RapierVehicle::insert(&mut world, chassis, vehicle, DirectDriveVehicle::sequence());
/// for finding in diagnose(&car, 1.0 / 60.0)? {
///     println!("{finding}");
/// }
/// # assert!(diagnose(&car, 1.0 / 60.0)?.is_empty());
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// If `dt` is not positive and finite.
pub fn diagnose<V: Drivable + Diagnose + Clone>(
    vehicle: &RapierVehicle<V>,
    dt: Real,
) -> Result<Vec<Finding>, TimeStepError> {
    TimeStepError::check(dt)?;
    let substeps = fewest_substeps(vehicle, dt);
    let conditions = Conditions::new(&vehicle.params, dt, substeps).hosted();
    let mut list = vehicle_core::diagnosis::diagnose(&vehicle.vehicle, &conditions)?;
    let mut findings = Findings::default();
    examine_road(&vehicle.vehicle, &mut findings);
    list.extend_from_slice(findings.list());
    Ok(list)
}

/// Tells once of a road whose friction nobody has set.
fn examine_road<V: Drivable>(vehicle: &V, findings: &mut Findings) {
    let default = ColliderBuilder::default_friction();
    let is_default =
        |&wheel: &usize| vehicle.road(wheel).is_some_and(|road| road.friction == default);
    if let Some(wheel) = vehicle.axles().wheels().find(is_default) {
        let quantity = format_args!("friction of the collider under wheel {wheel}");
        let usual = Usual::AtLeast(USUAL_FRICTION);
        findings.expect(FindingCode::RoadSlippery, "road", quantity, default, usual);
    }
}

/// The fewest substeps that the sequence of `vehicle` takes, at any speed.
fn fewest_substeps<V: Drivable + Clone>(vehicle: &RapierVehicle<V>, dt: Real) -> u32 {
    let coordinates = &vehicle.params.coordinates;
    let road = FlatRoad::new(&coordinates.frame);
    let context = Context::new(&vehicle.params, &road);
    let context = context.with_detail(vehicle.look.next(vehicle.detail).level_of_detail());
    let mut probe = vehicle.vehicle.clone();
    let counts = SPEEDS.map(|speed| {
        let velocity = coordinates.frame.longitudinal() * (speed * coordinates.length_scale);
        probe.rigid_body().state.linear_velocity = velocity;
        vehicle.sequence.substep_count(&probe, dt, &context)
    });
    counts.into_iter().min().unwrap_or(1)
}
