//! Findings about a vehicle in a world, see [`vehicle_core::diagnosis`].

mod ground;
mod world;

use rapier3d::prelude::ColliderBuilder;
use vehicle_core::diagnosis::{Conditions, Diagnose, Finding, FindingCode, Findings, Usual};
use vehicle_core::math::Real;
use vehicle_core::road_geometry::FlatRoad;
use vehicle_core::sequence::TimeStepError;
use vehicle_core::tire::release_sticky_tires;
use vehicle_core::{Context, SimulationParams};

use crate::drivable::Drivable;
use crate::scene::WorldView;
use crate::vehicle::RapierVehicle;

/// Forward speeds at which a sequence is asked for its substeps (m/s).
const SPEEDS: [Real; 3] = [0.0, 10.0, 40.0];

/// Friction of a dry road (dimensionless).
const USUAL_FRICTION: Real = 0.8;

/// Findings about `vehicle` in a world of time step `dt` (s), the warnings first.
///
/// Substeps are those of its sequence, the fewest that it takes of a vehicle at rest and one that
/// is fast. Gravity is that of [`params`](RapierVehicle::params), to which the world's is written
/// in each step; [`diagnose_in`] takes that of the world.
///
/// A vehicle that has been stepped also tells whether a wheel stands on a collider whose friction
/// is still Rapier's default, 0.5.
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
    find(vehicle, dt, &vehicle.params, false)
}

/// Findings about a `vehicle`, of these `params`, in steps of `dt` (s).
fn find<V: Drivable + Diagnose + Clone>(
    vehicle: &RapierVehicle<V>,
    dt: Real,
    params: &SimulationParams,
    is_coupled: bool,
) -> Result<Vec<Finding>, TimeStepError> {
    TimeStepError::check(dt)?;
    let substeps = fewest_substeps(vehicle, dt);
    let conditions = Conditions::new(params, dt, substeps).hosted();
    let conditions = if is_coupled { conditions.coupled() } else { conditions };
    let mut list = vehicle_core::diagnosis::diagnose(&vehicle.vehicle, &conditions)?;
    let mut findings = Findings::default();
    examine_road(&vehicle.vehicle, &mut findings);
    list.extend_from_slice(findings.list());
    Ok(list)
}

/// Finds what is odd about `vehicle` and about its world, the warnings first. It has all findings
/// of [`diagnose`], and mistakes in the world that a step cannot tell from intention.
///
/// | of the world | code |
/// |---|---|
/// | axes that are not the vehicle's | [`NotUpright`](FindingCode::NotUpright) |
/// | a road that is not there, or that wheels do not see: groups, filter, sensor, light body | [`RoadMissing`](FindingCode::RoadMissing), [`RoadHidden`](FindingCode::RoadHidden) |
/// | a hull that reaches to the road, or none | [`HullOnRoad`](FindingCode::HullOnRoad), [`HullMissing`](FindingCode::HullMissing) |
/// | steps of the world without an update, or updates without a step | [`UpdateMissing`](FindingCode::UpdateMissing), [`UpdateRepeated`](FindingCode::UpdateRepeated) |
/// | a body that sleeps or is disabled while its driver acts | [`BodyInactive`](FindingCode::BodyInactive) |
/// | a body that is gone, or where nothing can be simulated | [`BodyMissing`](FindingCode::BodyMissing), [`BodyMotionInvalid`](FindingCode::BodyMotionInvalid) |
/// | a joint to another body whose ends are apart, as after a teleport of a tractor alone | [`HitchApart`](FindingCode::HitchApart) |
/// | colliders of wheels that the vehicle does not turn | [`WheelCollidersLeft`](FindingCode::WheelCollidersLeft) |
/// | a unit of length that is not the vehicle's | [`WorldLengthUnit`](FindingCode::WorldLengthUnit) |
///
/// A vehicle whose body has a joint is taken for one that is coupled to another. Its wheels alone
/// are not asked to balance its weight.
///
/// It is best called some steps after the start, while the vehicle drives: then it has a pace,
/// contacts and a road.
///
/// ```
/// # use rapier3d::prelude::*;
/// # use vehicle_rapier::prelude::*;
/// # use vehicle_rapier::core::diagnosis::FindingCode;
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut world = PhysicsWorld::new(); // without a road
/// let mechanics = CarBlueprint::default().mechanics()?;
/// # let throttle = CommandResponseParams::linear(500.0, [0.0, 0.0, 1.0, 1.0]);
/// let hull = ColliderBuilder::cuboid(0.9, 0.4, 2.2).translation(Vector::Y * 0.2);
/// let chassis = Chassis::new(&mechanics.rigid_body).collider(hull);
/// # let vehicle = DirectDriveVehicle::new(DirectDriveParams { mechanics, throttle })?;
/// # let mut car = RapierVehicle::insert(&mut world, chassis, vehicle, DirectDriveVehicle::sequence());
/// car.step(&mut world)?;
/// let findings = diagnose_in(&car, &world)?;
/// assert_eq!(findings[0].code, FindingCode::RoadMissing);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// If the world's time step is not positive and finite.
pub fn diagnose_in<'a, V: Drivable + Diagnose + Clone>(
    vehicle: &RapierVehicle<V>,
    world: impl Into<WorldView<'a>>,
) -> Result<Vec<Finding>, TimeStepError> {
    let world = world.into();
    let params = vehicle.params_in(world.gravity);
    let is_coupled = world::is_coupled(vehicle.actor.body, &world);
    let mut list = find(vehicle, world.integration_parameters.dt, &params, is_coupled)?;
    let mut findings = Findings::default();
    world::examine(vehicle, &world, &mut findings);
    list.extend_from_slice(findings.list());
    list.sort_by_key(|finding| std::cmp::Reverse(finding.severity()));
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

/// The fewest substeps that the sequence of `vehicle` takes as it moves, at any speed.
fn fewest_substeps<V: Drivable + Clone>(vehicle: &RapierVehicle<V>, dt: Real) -> u32 {
    let coordinates = &vehicle.params.coordinates;
    let road = FlatRoad::new(&coordinates.frame);
    let context = Context::new(&vehicle.params, &road);
    let context = context.with_detail(vehicle.look.next(vehicle.detail).level_of_detail());
    let mut probe = vehicle.vehicle.clone();
    // One that is held by its brakes takes fewer than any that moves.
    release_sticky_tires(&mut probe.mechanics().state.tires);
    let counts = SPEEDS.map(|speed| {
        let velocity = coordinates.frame.longitudinal() * (speed * coordinates.length_scale);
        probe.mechanics().state.rigid_body.linear_velocity = velocity;
        vehicle.sequence.substep_count(&probe, dt, &context)
    });
    counts.into_iter().min().unwrap_or(1)
}
