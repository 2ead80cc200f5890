//! What a vehicle can: numbers that drivers and speed profiles take from its parameters.

#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};
use vehicle_core::Frame;
use vehicle_core::commands::CommandResponseParams;
use vehicle_core::context::GRAVITY;
use vehicle_core::math::{Clamped, Real};
use vehicle_core::tire::TireModel;
use vehicle_core::vehicle::MechanicalParams;

use super::gearing::Gearing;
use super::stance::{DRAG_STEP, Stance};
use crate::blocks::{Block, BlockTree, DrivelineBlock};
use crate::differential::{DifferentialKind, DifferentialModel};
use crate::drivetrain::DrivetrainParams;
use crate::engine::{engine_damping_rate, engine_torque};
use crate::gearbox::overall_gear_ratio;
use crate::handling::Handling;

/// Number of speeds for which drive forces are known, from rest on.
const SPEEDS: usize = 51;
/// From each of them to the next (m/s).
const SPEED_STEP: Real = 2.0;
/// Part of a driveline's power that arrives at the wheels, where its parts are not looked at
/// (dimensionless).
const EFFICIENCY: Real = 0.9;
/// Largest force of such a drive by the weight (dimensionless).
const QUICK: Real = 0.6;
/// Time in which a driver turns in, from straight on to the limit (s).
const TURN_IN: Real = 0.4;
/// Number of engine speeds at which the largest power is looked for.
const ENGINE_SPEEDS: u8 = 50;

/// Force of a drive at full throttle over the speed, and which wheels have it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct DriveFigures {
    /// Forces at 0, 2, 4, ... m/s (N), what turns with the wheels taken off.
    pub forces: Vec<Real>,
    /// The wheels that are driven.
    pub wheels: Vec<usize>,
    /// The engine and its gears, where they shift by themselves.
    #[serde(default)]
    pub(super) gearing: Option<Box<Gearing>>,
}

impl DriveFigures {
    /// No drive, as of a trailer.
    pub fn none() -> Self {
        Self { forces: vec![0.0; SPEEDS], wheels: Vec::new(), gearing: None }
    }

    /// Figures of a drive that gives each wheel its own torque.
    pub fn direct<Tire>(
        throttle: &CommandResponseParams,
        mechanics: &MechanicalParams<Tire>,
    ) -> Self {
        let share = |wheel: usize| throttle.wheel_multipliers.get(wheel).copied().unwrap_or(0.0);
        let wheels: Vec<_> = mechanics.axles.wheels().filter(|&wheel| 0.0 < share(wheel)).collect();
        let per_command: Real = wheels
            .iter()
            .map(|&wheel| throttle.max_response * share(wheel) / mechanics.wheels[wheel].radius)
            .sum();
        Self::over_speed(wheels, |speed| per_command * throttle.effective_command(1.0, speed))
    }

    /// Figures of an engine, in the best gear at each speed, its inertia taken off.
    pub fn engine<D: DifferentialModel, Tire>(
        drivetrain: &DrivetrainParams<D>,
        mechanics: &MechanicalParams<Tire>,
    ) -> Self {
        let kind = drivetrain.differential.kind();
        let wheels: Vec<_> =
            mechanics.axles.wheels().filter(|&wheel| is_driven(&kind, wheel)).collect();
        let count = wheels.len().max(1) as Real;
        let radius: Real =
            wheels.iter().map(|&wheel| mechanics.wheels[wheel].radius).sum::<Real>() / count;
        let (engine, gearbox) = (&drivetrain.engine, &drivetrain.gearbox);
        let mass = mechanics.rigid_body.mass;
        let in_gear = |gear: usize, speed: Real| {
            let ratio = overall_gear_ratio(gearbox, gear);
            // Below the speed at which the engine pulls away, the clutch slips.
            let pulling = drivetrain.clutch.automatic.map_or(0.0, |it| it.closed_speed);
            let turning = speed * ratio / radius;
            let engine_speed = turning.max(engine.idle_speed.max(pulling));
            if engine.max_speed < turning {
                return 0.0;
            }
            let friction = engine_damping_rate(&engine.damping, 1.0, 1.0) * engine_speed;
            let torque = engine_torque(engine, 1.0, engine_speed) - friction;
            let torque = drivetrain.clutch.capacity.map_or(torque, |most| torque.min(most));
            let per_length = ratio / radius;
            let carried = 1.0 + engine.inertia * per_length * per_length / mass;
            torque * per_length / carried
        };
        // How fast each gear goes, and what its shift costs: force is missing until the clutch has
        // closed again.
        let gears = gearbox.neutral + 1..gearbox.ratios.len();
        let fastest = |gear: usize| engine.max_speed * radius / overall_gear_ratio(gearbox, gear);
        let gap = gearbox.switch_time + drivetrain.clutch.engagement_time;
        let with_shifts = |gear: usize, speed: Real| {
            let force = in_gear(gear, speed);
            if gear == gears.start || force <= 0.0 {
                return force;
            }
            let time = mass * (fastest(gear) - fastest(gear - 1)) / force;
            force * time / (time + gap)
        };
        let gearing =
            drivetrain.autobox.as_ref().filter(|_| !gears.is_empty()).map(|law| Gearing {
                engine: engine.clone(),
                clutch: drivetrain.clutch,
                gearbox: gearbox.clone(),
                law: law.clone(),
                radius,
                mass,
            });
        let figures = Self::over_speed(wheels, |speed| {
            gears.clone().map(|gear| with_shifts(gear, speed)).fold(0.0, Real::max)
        });
        Self { gearing: gearing.map(Box::new), ..figures }
    }

    /// Figures of all engines and motors of a driveline from blocks by their power, less a tenth;
    /// its gears are not looked at.
    pub fn blocks<C: DrivelineBlock, Tire>(
        tree: &BlockTree<C>,
        mechanics: &MechanicalParams<Tire>,
    ) -> Self {
        let power: Real = tree
            .blocks
            .iter()
            .map(|named| match &named.block {
                Block::ElectricMotor(motor) => motor.max_power,
                Block::Engine(engine) => {
                    let fastest = engine.full_load.points().last().map_or(0.0, |point| point.0);
                    (1..=ENGINE_SPEEDS)
                        .map(|part| fastest * Real::from(part) / Real::from(ENGINE_SPEEDS))
                        .map(|speed| engine.full_load.evaluate(speed) * speed)
                        .fold(0.0, Real::max)
                }
                _ => 0.0,
            })
            .sum();
        let named = |wheel: &usize| {
            tree.blocks.iter().any(|named| named.block.as_block().wheel() == Some(*wheel))
        };
        let wheels = mechanics.axles.wheels().filter(named).collect();
        // Without gears, the force at low speeds is taken for that of a quick car.
        let most = QUICK * GRAVITY * mechanics.rigid_body.mass;
        Self::over_speed(wheels, |speed| (EFFICIENCY * power / speed.max(SPEED_STEP)).min(most))
    }

    fn over_speed(wheels: Vec<usize>, force: impl Fn(Real) -> Real) -> Self {
        let forces = (0..SPEEDS).map(|step| force(SPEED_STEP * step as Real)).collect();
        Self { forces, wheels, gearing: None }
    }

    /// The force at full throttle at `speed` (m/s), either way (N).
    pub fn force(&self, speed: Real) -> Real {
        let Some(last) = self.forces.len().checked_sub(1) else { return 0.0 };
        let place = (speed.abs() / SPEED_STEP).clamped(0.0, last as Real);
        let index = (place as usize).min(last.saturating_sub(1));
        let [low, high] = [self.forces[index], self.forces[(index + 1).min(last)]];
        low + (place - index as Real) * (high - low)
    }
}

fn is_driven(kind: &DifferentialKind<'_>, wheel: usize) -> bool {
    let of_shares = |shares: &[Real]| shares.get(wheel).is_some_and(|&share| share != 0.0);
    match kind {
        DifferentialKind::MultiWheel(params) => of_shares(&params.torque_ratios),
        DifferentialKind::FourWheel(params) => of_shares(&params.shares.torque_ratios),
        DifferentialKind::Tank(params) => of_shares(&params.shares.torque_ratios),
        DifferentialKind::TorqueSplitting(params) => {
            use crate::differential::DrivenWheels;
            let front = params.driven != DrivenWheels::Rear && params.front.contains(&wheel);
            front || (params.driven != DrivenWheels::Front && params.rear.contains(&wheel))
        }
    }
}

/// What a vehicle can on a road of friction 1: accelerate, brake, corner.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct VehicleFigures {
    /// Mass, with what it pulls (kg).
    pub mass: Real,
    /// Mass that its wheels are worth as they turn (kg).
    pub turning_mass: Real,
    /// Figures of the drive.
    pub drive: DriveFigures,
    /// Largest drive force that tires bear, by the weight (dimensionless).
    pub traction: Real,
    /// Force of the foot brake pressed down (N).
    pub brake_force: Real,
    /// Deceleration by gravity from which on the first axle locks (dimensionless).
    pub braking: Real,
    /// Largest lateral acceleration by gravity that tires bear (dimensionless).
    pub cornering: Real,
    /// Lateral acceleration by gravity beyond which it tips over, or its rider leans no farther,
    /// whatever the friction (dimensionless); `None` without such a bound.
    #[serde(default)]
    pub most_lateral: Option<Real>,
    /// Drag by the square of the speed (kg/m).
    pub drag: Real,
    /// Downforce by the square of the speed (kg/m).
    pub downforce: Real,
    /// Rolling resistance by the weight (dimensionless).
    pub rolling: Real,
    /// How fast the lateral acceleration changes at most (m/s³).
    pub lateral_jerk: Real,
    /// Force by the weight against the vehicle in bends of 0, 0.05, 0.1, ... of gravity
    /// (dimensionless).
    pub cornering_drags: Vec<Real>,
    /// Force against a vehicle on tracks by the square of the curvature, as they slide (N·m²).
    pub scrub: Real,
    /// Difference of the thrusts of its tracks by the curvature (N·m).
    pub thrust_difference: Real,
}

impl VehicleFigures {
    /// Figures of a vehicle of these `mechanics` and `drive`, of the axes of `frame`, that pulls
    /// `towed` (kg), a trailer with brakes of its own.
    pub fn of<Tire: TireModel>(
        mechanics: &MechanicalParams<Tire>,
        drive: DriveFigures,
        towed: Real,
        frame: &Frame,
    ) -> Self {
        let seen = Stance::of(mechanics, frame, 0.0 < towed);
        let brake = |wheel: usize| {
            mechanics.brakes.first().map_or(0.0, |brake| {
                let share = brake.wheel_multipliers.get(wheel).copied().unwrap_or(0.0);
                let torque = brake.max_response * share * seen.valve_parts[wheel];
                torque / mechanics.wheels[wheel].radius
            })
        };
        let [front_brake, rear_brake] = seen.by_end(mechanics, frame, brake);
        let driven = |wheel: usize| {
            let is_driven = drive.wheels.contains(&wheel);
            if is_driven { seen.loads[wheel] } else { 0.0 }
        };
        let [front_driven, rear_driven] = seen.by_end(mechanics, frame, driven);
        let air = &mechanics.aerodynamics;
        let half_density = 0.5 * air.air_density;
        let mass = mechanics.rigid_body.mass;
        let turning = |wheel: usize| {
            let it = &mechanics.wheels[wheel];
            it.inertia / (it.radius * it.radius)
        };
        let figures = Self {
            mass: mass + towed,
            turning_mass: mechanics.axles.wheels().map(turning).sum(),
            traction: seen.traction(front_driven, rear_driven) * mass / (mass + towed),
            drive,
            // What is towed brakes as much of its own weight.
            brake_force: (front_brake + rear_brake) * (mass + towed) / mass,
            braking: seen.braking(front_brake, rear_brake),
            cornering: seen.cornering,
            most_lateral: seen.tipping,
            drag: half_density * air.drag_area,
            downforce: half_density * air.downforces.iter().map(|it| it.area).sum::<Real>(),
            rolling: seen.rolling(mechanics),
            lateral_jerk: 0.0,
            cornering_drags: seen.cornering_drags,
            scrub: 0.0,
            thrust_difference: 0.0,
        };
        Self { lateral_jerk: figures.lateral_limit(1.0) * GRAVITY / TURN_IN, ..figures }
    }

    /// These figures of a vehicle that turns by its tracks, which are so far apart (m). By its
    /// `handling`, wheels ahead of its center of mass and behind it slide sideways.
    ///
    /// ```text
    /// ΔF W/2 = κ Σ C x²
    /// ```
    #[must_use]
    pub(super) fn turned_by_tracks(mut self, handling: &Handling) -> Self {
        let stiffness: Real = handling.groups.iter().map(|group| group.spread).sum();
        self.scrub = stiffness;
        self.thrust_difference = 2.0 * stiffness / handling.track_width;
        self
    }

    /// These figures with a largest lateral acceleration of `lateral` by gravity whatever the
    /// friction, such as that of a rider who leans.
    #[must_use]
    pub fn cornering_at_most(mut self, lateral: Real) -> Self {
        self.most_lateral = Some(self.most_lateral.map_or(lateral, |most| most.min(lateral)));
        self
    }

    /// The lateral acceleration by gravity that it bears on a road of this `friction`
    /// (dimensionless).
    pub fn lateral_limit(&self, friction: Real) -> Real {
        let tires = friction * self.cornering;
        self.most_lateral.map_or(tires, |most| tires.min(most))
    }

    /// These figures with a lateral acceleration that changes by at most `jerk` (m/s³).
    #[must_use]
    pub fn turning_in_at_most(mut self, jerk: Real) -> Self {
        self.lateral_jerk = self.lateral_jerk.min(jerk);
        self
    }

    /// Force of air, tires and slope against a vehicle of this forward `speed` (m/s) on a `slope`,
    /// height by way (N).
    ///
    /// ```text
    /// F = D v² + m g (f + tan θ)
    /// ```
    pub fn resistance(&self, speed: Real, slope: Real) -> Real {
        let air = self.drag * speed * speed.abs();
        air + self.mass * GRAVITY * (self.rolling + slope)
    }

    /// Force of tires that slip sideways against this vehicle in a bend of a `curvature` (1/m) at
    /// this `lateral` acceleration (m/s²) (N).
    pub fn bend_resistance(&self, lateral: Real, curvature: Real) -> Real {
        let place = lateral.abs() / (GRAVITY * DRAG_STEP);
        let part = |index: usize| self.cornering_drags.get(index).or(self.cornering_drags.last());
        let index = place as usize;
        let [low, high] = [index, index + 1].map(|index| part(index).copied().unwrap_or(0.0));
        let drag = low + (place - index as Real).min(1.0) * (high - low);
        self.mass * GRAVITY * drag + self.scrub * curvature * curvature
    }

    /// The part of the friction that is left along the road beside a `lateral` acceleration (m/s²)
    /// on a road of this `friction`, in [0, 1], by the ellipse.
    pub fn left_along(&self, lateral: Real, friction: Real) -> Real {
        let used = lateral / (self.lateral_limit(friction) * GRAVITY).max(1e-6);
        (1.0 - used * used).clamped(0.0, 1.0).sqrt()
    }

    /// The part of the brakes that is left beside a `lateral` acceleration (m/s²) on a road of this
    /// `friction`, in [0, 1]. It is less than the ellipse leaves: brakes take load off the rear
    /// wheels, which are to hold the vehicle in the bend.
    ///
    /// ```text
    /// 1 - a_y/(μ g)
    /// ```
    pub fn left_to_brake(&self, lateral: Real, friction: Real) -> Real {
        let used = lateral / (self.lateral_limit(friction) * GRAVITY).max(1e-6);
        (1.0 - used).clamped(0.0, 1.0)
    }

    /// The mass that has to be accelerated (kg).
    pub fn inertial_mass(&self) -> Real {
        self.mass + self.turning_mass
    }
}

#[cfg(test)]
impl VehicleFigures {
    /// Those of a vehicle of 1,000 kg whose rear wheels push by `force` (N) at any speed, without
    /// air and losses.
    pub(super) fn plain(force: Real) -> Self {
        Self {
            mass: 1_000.0,
            turning_mass: 0.0,
            drive: DriveFigures { forces: vec![force; 51], wheels: vec![2, 3], gearing: None },
            traction: 1.0,
            brake_force: 8_000.0,
            braking: 1.0,
            cornering: 1.0,
            most_lateral: None,
            drag: 0.0,
            downforce: 0.0,
            rolling: 0.0,
            lateral_jerk: 1e6,
            cornering_drags: Vec::new(),
            scrub: 0.0,
            thrust_difference: 0.0,
        }
    }
}
