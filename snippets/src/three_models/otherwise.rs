//! What the library does otherwise than such models do, measured. It has roll centers in the place
//! of a side force that is raised, and wheels with mass in the place of rows for suspensions.

use anyhow::Result;
use rapier3d::glamx::DVec3;
use rapier3d::prelude::*;
use vehicle_rapier::core::blueprint::{AxleRide, CarBlueprint};
use vehicle_rapier::core::vehicle::MechanicalParams;

use super::car::{Orders, WHEELS, WheelOrder, on_even_tires, sheet};
use super::constraints::ConstraintParams;
use super::levels::{Level, ModelCar, firm_world};
use super::trial::{DT, KERB};

/// Speed and steer angle of the bend (m/s, rad): some 0.4 g.
const BEND: (Real, f64) = (15.0, 0.05);
/// Part of the depth below the center of mass at which a raised side force acts (dimensionless).
pub const RAISED: f64 = 0.1;
/// Height of the roll centers that are compared (m).
pub const ROLL_CENTER: Real = 0.3;

/// How a car leans in a bend.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lean {
    /// Roll by lateral acceleration (rad s²/m).
    pub roll: f64,
    /// Load that goes from the inner to the outer wheels, over what the height of the center of
    /// mass asks for (dimensionless).
    pub transfer: f64,
}

/// The car on wheels with mass, whose roll centers are at this height (m).
fn with_roll_center(height: Real) -> Result<MechanicalParams> {
    let ride = AxleRide { roll_center_height: Some(height), ..AxleRide::default() };
    let sheet = CarBlueprint { ride: Some([ride; 2]), ..sheet() };
    Ok(on_even_tires(sheet.mechanics()?))
}

/// A car at 0.55 m above level ground, which has settled.
fn settled(
    mechanics: Option<MechanicalParams>,
    kerb: Option<Real>,
) -> Result<(PhysicsWorld, ModelCar)> {
    let mut world = firm_world(DT);
    let ground = ColliderBuilder::cuboid(500.0, 1.0, 500.0).translation(Vector::NEG_Y);
    world.insert_collider(ground.friction(1.0), None);
    if let Some(height) = kerb {
        let half = Vector::new(10.0, 0.5 * height, 20.0);
        let kerb = ColliderBuilder::cuboid(half.x, half.y, half.z).translation(Vector::new(
            0.0,
            half.y,
            8.0 + half.z,
        ));
        world.insert_collider(kerb.friction(1.0), None);
    }
    world.detect_collisions(&(), &());
    let pose = Pose::from_translation(Vector::Y * 0.55);
    let mut car = match mechanics {
        Some(mechanics) => ModelCar::insert_with(&mut world, pose, mechanics)?,
        None => ModelCar::insert(&mut world, pose)?,
    };
    for _ in 0..60 {
        car.step(&mut world, &Orders::default())?;
    }
    Ok((world, car))
}

/// How `car` leans in the bend; rows have this `roll_influence`.
fn lean(mut world: PhysicsWorld, mut car: ModelCar, roll_influence: f64) -> Result<Lean> {
    let (speed, steer) = BEND;
    car.start(&mut world, speed)?;
    if let Some(rows) = &mut car.constraints {
        rows.params = ConstraintParams { roll_influence, ..rows.params };
    }
    let mut orders = Orders::default();
    orders[..2].iter_mut().for_each(|order| order.steer = steer);
    let (mut roll, mut moved, mut lateral) = (0.0, 0.0, 0.0);
    for step in 0..300 {
        let motion = car.motion(&world)?;
        let forward = (motion.turn.inverse() * motion.velocity).z;
        let torque = 1_000.0 * (f64::from(speed) - forward);
        orders[2..].iter_mut().for_each(|order| order.drive = torque.clamp(-500.0, 500.0));
        car.step(&mut world, &orders)?;
        if 240 <= step {
            let motion = car.motion(&world)?;
            let left = motion.turn * DVec3::X;
            roll += left.y / 60.0;
            lateral += motion.velocity.length() * motion.angular.y / 60.0;
            let loads = car.wheels(&world)?.map(|wheel| wheel.load);
            moved += 0.5 * (loads[0] + loads[2] - loads[1] - loads[3]) / 60.0;
        }
    }
    let track = car.data.wheels[1].mount.x - car.data.wheels[0].mount.x;
    let asked = car.data.mass * lateral * 0.55 / track;
    Ok(Lean { roll: roll / lateral, transfer: moved / asked })
}

/// How the car by constraints leans with a side force at this part of its depth.
///
/// # Errors
///
/// If a step fails.
pub fn lean_of_rows(roll_influence: f64) -> Result<Lean> {
    let (mut world, mut car) = settled(None, None)?;
    car.change(&mut world, Level::Constraints)?;
    lean(world, car, roll_influence)
}

/// How the library's car leans on wheels with mass, with roll centers at this height (m).
///
/// # Errors
///
/// If a step fails.
pub fn lean_on_roll_centers(height: Real) -> Result<Lean> {
    let (world, car) = settled(Some(with_roll_center(height)?), None)?;
    lean(world, car, 1.0)
}

/// Largest vertical acceleration of the body over a kerb of 10 cm at 5 m/s (m/s²).
fn over_kerb(mut world: PhysicsWorld, mut car: ModelCar) -> Result<f64> {
    car.start(&mut world, 5.0)?;
    let (mut peak, mut before): (f64, _) = (0.0, car.motion(&world)?.velocity);
    for _ in 0..240 {
        car.step(&mut world, &[WheelOrder::default(); WHEELS])?;
        let now = car.motion(&world)?.velocity;
        peak = peak.max((now.y - before.y).abs() / f64::from(DT));
        before = now;
    }
    Ok(peak)
}

/// Peak acceleration over the kerb of the car of a `level` (m/s²).
///
/// # Errors
///
/// If a step fails.
pub fn kerb_of(level: Level) -> Result<f64> {
    let (mut world, mut car) = settled(None, Some(KERB))?;
    car.change(&mut world, level)?;
    over_kerb(world, car)
}

/// Peak acceleration over the kerb of the library's car on wheels with mass (m/s²), which meet the
/// kerb or are only lifted by it.
///
/// # Errors
///
/// If a step fails.
pub fn kerb_on_wheels_with_mass(meets: bool) -> Result<f64> {
    let (world, mut car) = settled(Some(with_roll_center(0.05)?), Some(KERB))?;
    car.forces.params.meets_obstacles = meets;
    over_kerb(world, car)
}
