//! A shaker rig: a car on four plates, of which one or all go up and down, faster and faster.

use std::f64::consts::TAU;

use rapier3d::prelude::*;
use vehicle_rapier::core::commands::CommandResponseParams;
use vehicle_rapier::core::suspension::SuspensionParams;
use vehicle_rapier::core::vehicle::MechanicalParams;
use vehicle_rapier::drivetrain::{DirectDriveParams, DirectDriveVehicle};
use vehicle_rapier::{Chassis, RapierVehicle};

/// Amplitude of the plates (m).
const AMPLITUDE: Real = 0.003;
/// Height of a plate (m).
const THICKNESS: Real = 0.1;
/// Time for which the car settles, and then swings itself in (s).
const SETTLING: [Real; 2] = [2.0, 2.0];
/// Time and fewest swings that are measured.
const MEASURED: (Real, Real) = (1.0, 4.0);

/// Which plates move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shaken {
    /// All, together.
    All,
    /// The plate of one wheel moves.
    Wheel(usize),
}

/// How much of a plate's movement arrives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transmitted {
    /// At the body, over the wheel (dimensionless).
    pub body: Real,
    /// At the wheel (dimensionless).
    pub wheel: Real,
}

/// A car of `mechanics` on plates that move at `frequency` (Hz), in steps of 1/`rate` s of
/// `substeps` each.
#[derive(Clone, Debug)]
pub struct ShakerRig {
    /// The car.
    pub mechanics: MechanicalParams,
    /// What moves.
    pub shaken: Shaken,
    /// Steps per second.
    pub rate: Real,
    /// Substeps of each.
    pub substeps: u32,
}

impl ShakerRig {
    /// The plates, one below each wheel, their tops at the height 0.
    fn plates(&self, world: &mut PhysicsWorld) -> Vec<RigidBodyHandle> {
        let mounts = self.mechanics.suspensions.iter().map(SuspensionParams::wheel_mount);
        let plate = |mount: Vector| {
            let place = Vector::new(mount.x, -0.5 * THICKNESS, mount.z);
            let body = RigidBodyBuilder::kinematic_velocity_based().translation(place);
            let shape = ColliderBuilder::cuboid(0.3, 0.5 * THICKNESS, 0.3).friction(1.0);
            world.insert(body, shape).0
        };
        mounts.map(plate).collect()
    }

    fn moves(&self, wheel: usize) -> bool {
        self.shaken == Shaken::All || self.shaken == Shaken::Wheel(wheel)
    }

    /// What arrives of movements at `frequency` (Hz), at the first wheel that is shaken.
    ///
    /// # Errors
    ///
    /// If the car's parameters have faults, or it cannot be driven.
    pub fn transmitted(&self, frequency: Real) -> Result<Transmitted, Box<dyn std::error::Error>> {
        let mut world = PhysicsWorld::new();
        let dt = 1.0 / self.rate;
        world.integration_parameters.dt = dt;
        let plates = self.plates(&mut world);
        world.detect_collisions(&(), &());
        let throttle = CommandResponseParams::linear(0.0, [0.0; 4]);
        let mechanics = self.mechanics.clone();
        let chassis =
            Chassis::new(&mechanics.rigid_body).pose(Pose::from_translation(Vector::Y * 0.55));
        let vehicle = DirectDriveVehicle::new(DirectDriveParams { mechanics, throttle })?;
        let substeps = self.substeps;
        let sequence = DirectDriveVehicle::sequence_with_substeps(move |_| substeps);
        let mut car = RapierVehicle::insert(&mut world, chassis, vehicle, sequence);
        car.vehicle.commands.brakes[0] = 1.0;
        let body = car.actor.body;
        world.bodies[body].activation_mut().normalized_linear_threshold = -1.0;
        let wheel = match self.shaken {
            Shaken::All => 0,
            Shaken::Wheel(wheel) => wheel,
        };
        let steps = |time: Real| (time * self.rate).round() as usize;
        let first = steps(SETTLING[0]);
        let begin = first + steps(SETTLING[1]);
        let swings = (MEASURED.0 * frequency).ceil().max(MEASURED.1);
        let count = steps(swings / frequency);
        let pulse = TAU * f64::from(frequency);
        let phase = |step: usize| pulse * (step as f64) * f64::from(dt);
        let place = |step: usize| f64::from(AMPLITUDE) * phase(step).sin();
        let (mut sums, mut rest) = ([[0.0; 2]; 2], None);
        for step in 0..begin + count {
            if first <= step {
                let speed = (place(step - first + 1) - place(step - first)) / f64::from(dt);
                for (plate, _) in plates.iter().zip(0..).filter(|&(_, wheel)| self.moves(wheel)) {
                    world.bodies[*plate].set_linvel(Vector::Y * speed as Real, true);
                }
            }
            let _awake = car.step(&mut world)?;
            if begin <= step {
                let pose = *world.bodies[body].position() * car.actor.center_of_mass;
                let suspension = &self.mechanics.suspensions[wheel];
                let state = car.vehicle.state.mechanics.suspensions.of(wheel).compression;
                let top = pose.transform_point(suspension.wheel_mount());
                let extension = suspension.travel_distance - state.jounce.unwrap_or(0.0);
                let down = pose.rotation * suspension.travel_direction;
                let (sine, cosine) = phase(step - first + 1).sin_cos();
                let heights = [top.y, (top + down * extension).y].map(f64::from);
                let rest = *rest.get_or_insert(heights);
                for ((sums, height), rest) in sums.iter_mut().zip(heights).zip(rest) {
                    sums[0] += (height - rest) * sine;
                    sums[1] += (height - rest) * cosine;
                }
            }
        }
        let amplitude = |[sine, cosine]: [f64; 2]| {
            (2.0 * sine.hypot(cosine) / count as f64 / f64::from(AMPLITUDE)) as Real
        };
        let [body, wheel] = sums.map(amplitude);
        Ok(Transmitted { body, wheel })
    }
}
