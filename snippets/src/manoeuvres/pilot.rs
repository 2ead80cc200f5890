//! Who drives through the phases of a manoeuvre: open-loop inputs, and loops that are closed.

use std::sync::Arc;

use anyhow::Result;
use playground::body_size;
use rapier3d::prelude::*;
use vehicle_rapier::core::commands::Commands;
use vehicle_rapier::core::context::GRAVITY;
use vehicle_rapier::drivetrain::driver::{PathDriver, PathPlace};
use vehicle_rapier::vehicle_file::AnyVehicle;

use super::lane::Lanes;
use super::scenario::{Pedals, Phase, Steer, SteeredWheel};
use super::steered_wheel::command_for;
use crate::measurements::{CircleCommands, CircleDriver, Motion, ProvingGround};

/// Part by which a brake may be asked for more than it gives (dimensionless).
const SHORT: Real = 1e-3;

/// What of a vehicle the driver knows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    /// Angle of the steering wheel by that of the road wheels (dimensionless).
    pub(super) ratio: Option<Real>,
    /// Deceleration at the brake command 1 (m/s²).
    pub(super) full_brake: Real,
    /// Width (m).
    pub(super) width: Real,
    /// Steer angle by lateral acceleration at the speed of the start (rad s²/m).
    pub(super) angle_by_lateral: Option<Real>,
}

impl Known {
    pub(super) fn of(ground: &ProvingGround, vehicle: &AnyVehicle) -> Self {
        let params = ground.front().mechanics().params;
        let [_, width, _] = body_size(vehicle);
        let ratio = params.steering_system.as_ref().map(|system| system.ratio);
        let full_brake = full_brake(ground);
        Self { ratio, full_brake, width, angle_by_lateral: None }
    }
}

/// Deceleration that all brakes of a train give together at the command 1, without slip (m/s²).
///
/// ```text
/// a = Σ (T/r) / Σ m
/// ```
fn full_brake(ground: &ProvingGround) -> Real {
    let (mut force, mut mass) = (0.0, 0.0);
    for car in &ground.train {
        let params = car.mechanics().params;
        mass += params.rigid_body.mass;
        if let Some(brake) = params.brakes.first() {
            let wheels = brake.wheel_multipliers.iter().zip(&params.wheels);
            let torques = wheels.map(|(share, wheel)| brake.max_response * share / wheel.radius);
            force += torques.sum::<Real>();
        }
    }
    force / mass
}

/// A driver in a manoeuvre.
pub(super) struct Pilot {
    pub(super) known: Known,
    driver: PathDriver,
    circle: Option<CircleDriver>,
    lanes: Option<Lanes>,
    /// How far to the left of the middle of the lanes it is (m).
    pub(super) offset: Real,
    /// What was done in the last step.
    commands: Commands,
    /// Speed that is wanted (m/s).
    pub(super) wanted_speed: Real,
    /// Whether the steering wheel, and the brake, have been at their end in this phase although
    /// more was asked for.
    pub(super) is_short: [bool; 2],
}

impl Pilot {
    pub(super) fn new(ground: &ProvingGround, known: Known) -> Result<Self> {
        let trailers: Vec<_> = ground.train.iter().skip(1).collect();
        let model = ground.front().driver_model(&trailers)?;
        Ok(Self {
            known,
            driver: PathDriver::new(Arc::new(model)),
            circle: None,
            lanes: None,
            offset: 0.0,
            commands: Commands::default(),
            wanted_speed: 0.0,
            is_short: [false; 2],
        })
    }

    /// Whether the end of the path is behind the vehicle.
    pub(super) fn has_passed(&self) -> bool {
        self.lanes.as_ref().is_some_and(Lanes::is_behind)
    }

    /// Begins a phase.
    ///
    /// # Errors
    ///
    /// If its path is none.
    pub(super) fn begin(&mut self, phase: &Phase, ground: &ProvingGround) -> Result<()> {
        (self.lanes, self.offset, self.is_short) = (None, 0.0, [false; 2]);
        let before = self.circle.take();
        match &phase.steer {
            Steer::Circle { radius } => {
                let radius = *radius as Real;
                // A driver who is in this circle stays in it.
                let driver = before.filter(|driver| driver.radius == radius);
                self.circle = Some(driver.unwrap_or_else(|| CircleDriver::new(ground, radius)));
            }
            Steer::Path(sections) => {
                let (front, width) = (ground.front(), self.known.width);
                let frame = front.vehicle.frame();
                self.lanes = Some(Lanes::new(sections, width, &front.driver_view(), frame)?);
                self.driver.state.place = PathPlace::default();
            }
            _ => {}
        }
        Ok(())
    }

    /// What the driver does at this time of a phase (s).
    pub(super) fn commands(
        &mut self,
        phase: &Phase,
        time: f64,
        ground: &ProvingGround,
        dt: Real,
    ) -> Commands {
        let motion = ground.motion();
        let circle = self.circle_commands(phase, time, &motion, dt);
        let pedals = self.pedals(&phase.pedals, circle, time, ground, dt);
        let steer = self.steer((&phase.steer, pedals), circle, time, ground, dt);
        let [throttle, brake] = pedals;
        let hand_brake = phase.hand_brake.as_ref().map_or(0.0, |brake| brake.at(time) as Real);
        let within = |value: Real, low: Real| value.clamp(low, 1.0);
        self.commands = Commands {
            throttle: within(throttle, 0.0),
            brakes: [within(brake, 0.0), within(hand_brake, 0.0)],
            steer: within(steer, -1.0),
            ..Commands::default()
        };
        self.commands
    }

    fn circle_commands(
        &mut self,
        phase: &Phase,
        time: f64,
        motion: &Motion,
        dt: Real,
    ) -> Option<CircleCommands> {
        if !matches!(phase.steer, Steer::Circle { .. }) {
            return None;
        }
        let present = motion.speed() * motion.yaw_rate.abs() / GRAVITY;
        let wanted = match &phase.pedals {
            Pedals::LateralAcceleration(signal) => signal.at(time).max(0.0) as Real / GRAVITY,
            _ => present,
        };
        Some(self.circle.as_mut()?.commands(motion, wanted, dt))
    }

    fn steer(
        &mut self,
        (steer, pedals): (&Steer, [Real; 2]),
        circle: Option<CircleCommands>,
        time: f64,
        ground: &ProvingGround,
        dt: Real,
    ) -> Real {
        let Known { ratio: own_ratio, angle_by_lateral, .. } = self.known;
        let is_short = &mut self.is_short[0];
        let mut command = |wheel, angle: Real| {
            let turned = command_for(ground, wheel, angle);
            *is_short |= turned.is_short;
            turned.command
        };
        match steer {
            Steer::Straight => 0.0,
            Steer::Hold => self.commands.steer,
            Steer::Command(signal) => {
                let value = signal.at(time);
                *is_short |= 1.0 < value.abs();
                value as Real
            }
            Steer::WheelAngle(signal) => command(SteeredWheel::Inner, signal.at(time) as Real),
            Steer::AngleOf { wheel, angle } => command(*wheel, angle.at(time) as Real),
            Steer::SteeringWheelAngle { ratio, wheel, angle } => {
                let ratio = ratio.map(|ratio| ratio as Real).or(own_ratio).unwrap_or(1.0);
                command(*wheel, angle.at(time) as Real / ratio)
            }
            Steer::LateralAcceleration(signal) => {
                let angle = signal.at(time) as Real * angle_by_lateral.unwrap_or(0.0);
                command(SteeredWheel::Inner, angle)
            }
            Steer::Circle { .. } => circle.map_or(0.0, |circle| circle.steer),
            Steer::Path(_) => {
                let Some(lanes) = &mut self.lanes else { return 0.0 };
                let view = ground.front().driver_view();
                self.offset = lanes.offset(view.place);
                self.driver.update_with_pedals(&lanes.line, &view, pedals, dt).commands.steer
            }
        }
    }

    fn pedals(
        &mut self,
        pedals: &Pedals,
        circle: Option<CircleCommands>,
        time: f64,
        ground: &ProvingGround,
        dt: Real,
    ) -> [Real; 2] {
        match pedals {
            Pedals::Released => [0.0; 2],
            Pedals::Hold => [self.commands.throttle, self.commands.brakes[0]],
            // What tires bear of them is what the vehicle's aids let through.
            Pedals::Open { throttle, brake, .. } => {
                [throttle, brake].map(|signal| signal.at(time) as Real)
            }
            Pedals::Deceleration(signal) => {
                let brake = signal.at(time) as Real / self.known.full_brake;
                self.is_short[1] |= 1.0 + SHORT < brake;
                [0.0, brake]
            }
            Pedals::Speed(signal) => self.hold_speed(signal.at(time) as Real, ground, dt),
            Pedals::LateralAcceleration(_) => {
                circle.map_or([0.0; 2], |circle| [circle.throttle, circle.brake])
            }
        }
    }

    /// Remembers the pedals of a step, with the steering wheel straight on.
    pub(super) fn remember(&mut self, throttle: Real, brake: Real) {
        self.commands = Commands { throttle, brakes: [brake, 0.0], ..Commands::default() };
    }

    /// Pedals that hold a speed (m/s).
    pub(super) fn hold_speed(
        &mut self,
        speed: Real,
        ground: &ProvingGround,
        dt: Real,
    ) -> [Real; 2] {
        self.wanted_speed = speed;
        self.driver.hold_speed(speed, &ground.front().driver_view(), dt)
    }
}
