//! A planar car on four wheels, on which aids are tried.
//!
//! ```text
//! F = μ N sin(C atan(B s)) / s · (s_x, s_y),   s_x = (Ω R - v_L)/|v_L|,  s_y = -v_T/|v_L|
//! ```
//!
//! Loads follow the accelerations. Tires lose 21 % of their force when they lock. Wheels turn
//! implicitly; the car is stepped at 1,800 Hz, and aids at rates that divide it.

use vehicle_core::math::Real;
use vehicle_drivetrain::aids::{
    AidCommands, AidDrive, AidSignals, AidVehicle, AidWheel, Aids, AidsParams, AidsState,
    BodySignals, DriveSignals, DriverSignals, WheelRequest, WheelSignals,
};

/// Steps per second.
pub(crate) const RATE: usize = 1_800;
const DT: Real = 1.0 / RATE as Real;

const GRAVITY: Real = 9.81;
const MASS: Real = 1_500.0;
const YAW_INERTIA: Real = 2_500.0;
const HEIGHT: Real = 0.5;
const FRONT: Real = 1.2;
const REAR: Real = 1.4;
const TRACK: Real = 1.5;
const RADIUS: Real = 0.3;
const INERTIA: Real = 1.0;
/// Greatest torque of a foot brake, and of a rear wheel's hand brake (N·m).
const BRAKE: Real = 2_500.0;
const HAND_BRAKE: Real = 3_000.0;
/// Shape and stiffness of the tire: sin(C atan B) = 0.79 where it is locked, and a peak at a slip
/// of tan(π / 2 C) / B = 0.112.
const SHAPE: Real = 1.479;
const STIFFNESS: Real = 16.0;
/// Least speed that slip is relative to (m/s).
const LEAST_SPEED: Real = 0.5;
/// Time in which loads follow accelerations (s).
const LOAD_TIME: Real = 0.05;
pub(crate) const MAX_STEER: Real = 0.6;

/// The car as aids see it.
pub(crate) fn vehicle(drive: AidDrive) -> AidVehicle {
    let wheel = |forward: Real, left, axle| {
        let rest_load = 0.5 * MASS * GRAVITY * (if 0.0 < forward { REAR } else { FRONT }) / 2.6;
        AidWheel {
            forward,
            left,
            axle,
            radius: RADIUS,
            inertia: INERTIA,
            rest_load,
            max_brake_torque: BRAKE,
            peak_slip: Some(0.112),
            cornering_stiffness: STIFFNESS * SHAPE * rest_load,
            lateral_friction: 1.0,
            is_driven: axle == 1,
            motor: 0,
            steer_share: if axle == 0 { 1.0 } else { 0.0 },
        }
    };
    let half = 0.5 * TRACK;
    AidVehicle {
        mass: MASS,
        yaw_inertia: YAW_INERTIA,
        center_height: HEIGHT,
        max_steer_angle: MAX_STEER,
        wheels: vec![
            wheel(FRONT, half, 0),
            wheel(FRONT, -half, 0),
            wheel(-REAR, half, 1),
            wheel(-REAR, -half, 1),
        ],
        drive,
        ..AidVehicle::default()
    }
}

/// What happens on the road.
#[derive(Clone, Debug)]
pub(crate) struct Car {
    pub(crate) aids: Aids,
    pub(crate) memory: AidsState,
    /// Steps per second of the aids of a frame, and of those of a substep.
    pub(crate) frame_rate: usize,
    pub(crate) substep_rate: usize,
    /// Friction below each wheel.
    pub(crate) friction: [Real; 4],
    /// Greatest sum of the drive torques (N·m).
    pub(crate) drive_torque: Real,
    pub(crate) time: Real,
    pub(crate) x: Real,
    pub(crate) y: Real,
    pub(crate) heading: Real,
    pub(crate) speed: Real,
    pub(crate) lateral_speed: Real,
    pub(crate) yaw_rate: Real,
    pub(crate) rotation_speeds: [Real; 4],
    acceleration: [Real; 2],
    felt: [Real; 2],
    wheels: [WheelSignals; 4],
    commands: AidCommands,
    frame_requests: [WheelRequest; 4],
    requests: [WheelRequest; 4],
    steps: usize,
}

impl Car {
    /// A car that rolls straight at `speed` on a road of this `friction`.
    pub(crate) fn rolling(
        params: &AidsParams,
        drive: AidDrive,
        speed: Real,
        friction: Real,
    ) -> Self {
        let aids = Aids::new(params, vehicle(drive));
        let mut car = Self {
            memory: aids.at_rest(),
            aids,
            frame_rate: 60,
            substep_rate: 60,
            friction: [friction; 4],
            drive_torque: 0.0,
            time: 0.0,
            x: 0.0,
            y: 0.0,
            heading: 0.0,
            speed,
            lateral_speed: 0.0,
            yaw_rate: 0.0,
            rotation_speeds: [speed / RADIUS; 4],
            acceleration: [0.0; 2],
            felt: [0.0; 2],
            wheels: [WheelSignals::default(); 4],
            commands: AidCommands::default(),
            frame_requests: [WheelRequest::default(); 4],
            requests: [WheelRequest::default(); 4],
            steps: 0,
        };
        car.probe();
        car
    }

    pub(crate) fn slip_angle(&self) -> Real {
        self.lateral_speed.atan2(self.speed)
    }

    /// Speed of the rim of `wheel` (m/s).
    pub(crate) fn rim_speed(&self, wheel: usize) -> Real {
        self.rotation_speeds[wheel] * RADIUS
    }

    /// Speed of `wheel` over the road (m/s), as it is.
    pub(crate) fn wheel_speed(&self, wheel: usize) -> Real {
        self.wheels[wheel].longitudinal_speed
    }

    /// One step of the car, with the aids whose turn it is.
    pub(crate) fn step(&mut self, driver: DriverSignals) {
        let driver = DriverSignals { steer_angle: MAX_STEER * driver.steer, ..driver };
        if self.steps.is_multiple_of(RATE / self.frame_rate) {
            self.frame(driver);
        }
        self.probe();
        if self.steps.is_multiple_of(RATE / self.substep_rate) {
            self.substep(driver);
        }
        self.advance();
        self.steps += 1;
        self.time = self.steps as Real * DT;
    }

    fn frame(&mut self, driver: DriverSignals) {
        let dt = 1.0 / self.frame_rate as Real;
        let (wheels, body) = (self.wheels, self.body());
        let drive = DriveSignals::default();
        let signals = AidSignals { wheels: &wheels, body, driver, drive, gravity: GRAVITY, dt };
        self.commands = AidCommands::from(&driver);
        self.aids.command(&mut self.memory, &signals, &mut self.commands);
        self.ask_brakes_and_drive();
        let commands = self.commands;
        self.aids.demand(&mut self.memory, &signals, &commands, &mut self.frame_requests);
    }

    /// Torques that answer to the commands.
    fn ask_brakes_and_drive(&mut self) {
        let throttle = self.memory.throttle_request(self.commands.throttle, 0.0).throttle();
        for (wheel, request) in self.frame_requests.iter_mut().enumerate() {
            let is_rear = 1 < wheel;
            request.foot_brake = self.commands.foot_brake * BRAKE;
            request.hand_brake = if is_rear { self.commands.hand_brake * HAND_BRAKE } else { 0.0 };
            request.drive = if is_rear { 0.5 * throttle * self.drive_torque } else { 0.0 };
        }
    }

    fn substep(&mut self, driver: DriverSignals) {
        let dt = 1.0 / self.substep_rate as Real;
        self.ask_brakes_and_drive();
        self.requests = self.frame_requests;
        let (mut wheels, mut body) = (self.wheels, self.body());
        self.aids.sense(&mut self.memory, &driver, &mut body, &mut wheels, GRAVITY, dt);
        let drive = DriveSignals::default();
        let signals = AidSignals { wheels: &wheels, body, driver, drive, gravity: GRAVITY, dt };
        self.aids.limit(&mut self.memory, &signals, &mut self.requests);
    }

    fn body(&self) -> BodySignals {
        BodySignals {
            longitudinal_speed: self.speed,
            lateral_speed: self.lateral_speed,
            yaw_rate: self.yaw_rate,
            longitudinal_acceleration: self.acceleration[0],
            lateral_acceleration: self.acceleration[1],
            ..Default::default()
        }
    }

    /// Loads, speeds and forces of the wheels.
    fn probe(&mut self) {
        let share = 1.0 - (-DT / LOAD_TIME).exp();
        for (felt, now) in self.felt.iter_mut().zip(self.acceleration) {
            *felt += (now - *felt) * share;
        }
        let [ahead, aside] = self.felt.map(|acceleration| MASS * acceleration * HEIGHT);
        for (wheel, place) in self.aids.vehicle().wheels.iter().enumerate() {
            let steer_angle = if wheel < 2 { MAX_STEER * self.commands.steer } else { 0.0 };
            let load = place.rest_load
                - ahead / 2.6 * 0.5 * place.forward.signum()
                - aside / TRACK * 0.5 * place.left.signum();
            let (sin, cos) = steer_angle.sin_cos();
            let forward = self.speed - self.yaw_rate * place.left;
            let left = self.lateral_speed + self.yaw_rate * place.forward;
            let load = load.max(0.0);
            let (v, side) = (forward * cos + left * sin, left * cos - forward * sin);
            let force = |rotation_speed: Real| {
                tire(self.friction[wheel] * load, v, side, rotation_speed * RADIUS)
            };
            let rotation_speed = self.rotation_speeds[wheel];
            let [longitudinal_force, lateral_force] = force(rotation_speed);
            let slope = (force(rotation_speed + 0.05)[0] - longitudinal_force) / 0.05;
            self.wheels[wheel] = WheelSignals {
                longitudinal_speed: v,
                rotation_speed,
                longitudinal_force,
                lateral_force,
                force_slope: slope,
                load,
                friction: self.friction[wheel],
                steer_angle,
                is_on_ground: 0.0 < load,
            };
        }
    }

    fn advance(&mut self) {
        let (mut ahead, mut aside, mut turn) = (0.0, 0.0, 0.0);
        let forces: [Real; 4] = std::array::from_fn(|wheel| self.turned(wheel));
        for (wheel, place) in self.aids.vehicle().wheels.iter().enumerate() {
            let road = &self.wheels[wheel];
            let force = forces[wheel];
            let (sin, cos) = road.steer_angle.sin_cos();
            let forward = force * cos - road.lateral_force * sin;
            let left = force * sin + road.lateral_force * cos;
            ahead += forward;
            aside += left;
            turn += place.forward * left - place.left * forward;
        }
        self.acceleration = [ahead / MASS, aside / MASS];
        let [forward, left] = self.acceleration;
        let (speed, lateral) = (self.speed, self.lateral_speed);
        self.speed += (forward + self.yaw_rate * lateral) * DT;
        self.lateral_speed += (left - self.yaw_rate * speed) * DT;
        self.yaw_rate += turn / YAW_INERTIA * DT;
        self.heading += self.yaw_rate * DT;
        let (sin, cos) = self.heading.sin_cos();
        self.x += (self.speed * cos - self.lateral_speed * sin) * DT;
        self.y += (self.speed * sin + self.lateral_speed * cos) * DT;
    }

    /// Turns `wheel`; returns the force of its tire at the end of the step (N).
    fn turned(&mut self, wheel: usize) -> Real {
        let (road, request) = (&self.wheels[wheel], &self.requests[wheel]);
        let slope = road.force_slope.max(0.0);
        let before = road.rotation_speed;
        let inertia = INERTIA + DT * RADIUS * slope;
        let torque = request.drive_torque() - RADIUS * road.longitudinal_force;
        let free = before + DT * torque / inertia;
        let braked = DT * request.brake_torque() / inertia;
        let after = free.signum() * (free.abs() - braked).max(0.0);
        self.rotation_speeds[wheel] = after;
        road.longitudinal_force + slope * (after - before)
    }
}

/// Force of a tire along and to the left of its wheel (N).
fn tire(grip: Real, speed: Real, side: Real, rim_speed: Real) -> [Real; 2] {
    let reference = speed.abs().max(LEAST_SPEED);
    let slip = [(rim_speed - speed) / reference, -side / reference];
    let size = slip[0].hypot(slip[1]).max(1e-6);
    let force = grip * (SHAPE * (STIFFNESS * size).atan()).sin();
    slip.map(|slip| force * slip / size)
}
