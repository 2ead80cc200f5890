//! The default saloon with its driver.

use std::ops::ControlFlow::Continue;

use vehicle_core::blueprint::CarBlueprint;
use vehicle_core::commands::{CommandResponseParams, Commands};
use vehicle_core::context::GRAVITY;
use vehicle_core::frame::Frame;
use vehicle_core::math::{Pose, Quat, Real, Vec3};
use vehicle_core::road_geometry::FlatRoad;
use vehicle_core::suspension::ContactShape;
use vehicle_core::vehicle::MechanicalParams;
use vehicle_core::{ComponentSequence, Context, SimulationParams};
use vehicle_drivetrain::direct_drive::Gear;
use vehicle_drivetrain::{DirectDriveParams, DirectDriveVehicle};

/// Friction of a dry road (dimensionless).
pub(crate) const DRY: Real = 1.1;

/// How the saloon is simulated.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Setting {
    /// Steps per second (1/s).
    pub(crate) rate: Real,
    pub(crate) substeps: u32,
    pub(crate) contact: ContactShape,
}

/// As most programs do.
pub(crate) const USUAL: Setting = Setting { rate: 60.0, substeps: 3, contact: ContactShape::Ray };

/// Every rate with one and with three substeps, on rays and on whole wheels.
pub(crate) const SETTINGS: [Setting; 7] = [
    Setting { rate: 30.0, ..USUAL },
    USUAL,
    Setting { contact: ContactShape::Cylinder, ..USUAL },
    Setting { rate: 240.0, ..USUAL },
    Setting { rate: 30.0, substeps: 1, ..USUAL },
    Setting { substeps: 1, ..USUAL },
    Setting { rate: 240.0, substeps: 1, contact: ContactShape::Cylinder },
];

/// The saloon on level ground.
pub(crate) struct TestCar {
    pub(crate) vehicle: DirectDriveVehicle,
    pub(crate) simulation: SimulationParams,
    pub(crate) commands: Commands,
    road: FlatRoad,
    sequence: ComponentSequence<DirectDriveVehicle>,
    dt: Real,
}

impl TestCar {
    /// The saloon as it comes, at rest.
    pub(crate) fn new(setting: Setting, friction: Real) -> Self {
        Self::with_params(setting, friction, |_| ())
    }

    /// The saloon with what `change` makes of it, at rest. Its rear wheels drive.
    pub(crate) fn with_params(
        setting: Setting,
        friction: Real,
        change: impl FnOnce(&mut MechanicalParams),
    ) -> Self {
        let blueprint = CarBlueprint::default();
        let mut mechanics = blueprint.mechanics().expect("a faultless car");
        mechanics.jounce.contact = setting.contact;
        change(&mut mechanics);
        let throttle = CommandResponseParams::linear(1_000.0, [0.0, 0.0, 1.0, 1.0]);
        let vehicle = DirectDriveVehicle::new(DirectDriveParams { mechanics, throttle });
        let mut vehicle = vehicle.expect("a faultless car");
        vehicle.controls.gear = Gear::Forward;
        let frame = blueprint.frame;
        let center = frame.vertical() * blueprint.center_of_mass_height;
        vehicle.state.mechanics.rigid_body.pose = Pose::from_translation(center);
        let substeps = setting.substeps;
        Self {
            vehicle,
            simulation: SimulationParams::new(frame),
            commands: Commands::default(),
            road: FlatRoad::with_friction(&frame, friction),
            sequence: DirectDriveVehicle::sequence_with_substeps(move |_| substeps),
            dt: 1.0 / setting.rate,
        }
    }

    /// This car, rolling forward at `speed` (m/s).
    pub(crate) fn rolling(mut self, speed: Real) -> Self {
        let (forward, radius) = (self.frame().longitudinal(), self.radius());
        let state = &mut self.vehicle.state.mechanics;
        state.rigid_body.linear_velocity = forward * speed;
        state.wheels.edit_all(|wheel| wheel.rotation_speed = speed / radius);
        self
    }

    pub(crate) fn step(&mut self) {
        self.vehicle.commands = self.commands;
        let context = Context::new(&self.simulation, &self.road);
        let flow = self.sequence.update(&mut self.vehicle, self.dt, &context);
        assert_eq!(flow, Ok(Continue(())));
    }

    /// Drives for `seconds`.
    pub(crate) fn run(&mut self, seconds: Real) {
        for _ in 0..(seconds / self.dt).round() as usize {
            self.step();
        }
    }

    /// Drives for `seconds` at `speed` (m/s), by throttle and brake.
    pub(crate) fn cruise(&mut self, speed: Real, seconds: Real) {
        for _ in 0..(seconds / self.dt).round() as usize {
            let wanted = 2.0 * (speed - self.speed());
            self.commands.throttle = (0.15 + wanted).clamp(0.0, 1.0);
            self.step();
        }
    }

    /// Corners to the left at `speed` (m/s) with the lateral acceleration `wanted` (m/s²) until
    /// everything is steady, and says what it does then.
    pub(crate) fn corner(&mut self, speed: Real, wanted: Real) -> SteadyBend {
        let rate = wanted / speed;
        for _ in 0..(12.0 / self.dt).round() as usize {
            // An integrating driver, slow enough for the car.
            let missing = rate - self.yaw_rate();
            self.commands.steer = (self.commands.steer + 0.3 * missing * self.dt).clamp(-1.0, 1.0);
            self.cruise(speed, self.dt);
        }
        self.bend()
    }

    fn bend(&self) -> SteadyBend {
        let mechanics = &self.vehicle.params().mechanics;
        let state = &self.vehicle.state.mechanics;
        let body = &state.rigid_body;
        let up = self.frame().vertical();
        let forward = (body.linear_velocity - up * body.linear_velocity.dot(up)).normalize();
        let left = up.cross(forward);
        let center = body.pose.translation;
        let contacts = [0, 1, 2, 3].map(|wheel| center + state.tires.of(wheel).force.arm);
        let middle = contacts.iter().fold(Vec3::ZERO, |sum, &point| sum + point) * 0.25;
        let loads = [0, 1, 2, 3].map(|wheel| state.suspensions.of(wheel).force.normal_load);
        let restoring = (0..4).map(|wheel| -loads[wheel] * (contacts[wheel] - middle).dot(left));
        let acceleration = body.angular_velocity.dot(up) * body.linear_velocity.length();
        SteadyBend {
            acceleration,
            loads,
            restoring_moment: restoring.sum(),
            overturning_moment: mechanics.rigid_body.mass
                * (acceleration * (center - middle).dot(up)
                    - GRAVITY * (center - middle).dot(left)),
            roll: (body.pose.rotation * self.frame().lateral()).dot(up).asin(),
            steer: 0.5 * (state.steer_angles[0] + state.steer_angles[1]),
            curvature: acceleration / body.linear_velocity.length_squared(),
        }
    }

    /// Gives the car a further rate of `yaw` (rad/s).
    pub(crate) fn turn(&mut self, yaw: Real) {
        let up = self.frame().vertical();
        self.vehicle.state.mechanics.rigid_body.angular_velocity += up * yaw;
    }

    pub(crate) fn frame(&self) -> Frame {
        self.simulation.coordinates.frame
    }

    pub(crate) fn dt(&self) -> Real {
        self.dt
    }

    /// Radius of a wheel (m).
    pub(crate) fn radius(&self) -> Real {
        self.vehicle.params().mechanics.wheels[0].radius
    }

    /// Forward speed (m/s).
    pub(crate) fn speed(&self) -> Real {
        self.vehicle.state.mechanics.rigid_body.longitudinal_speed(&self.frame())
    }

    /// Rate at which the car turns to the left (rad/s).
    pub(crate) fn yaw_rate(&self) -> Real {
        let body = &self.vehicle.state.mechanics.rigid_body;
        body.angular_velocity.dot(body.direction(self.frame().vertical()))
    }

    /// Angle from where the car points to where it goes (rad).
    pub(crate) fn side_slip(&self) -> Real {
        let body = &self.vehicle.state.mechanics.rigid_body;
        let frame = self.frame();
        body.lateral_speed(&frame).atan2(body.longitudinal_speed(&frame))
    }

    pub(crate) fn rotation(&self) -> Quat {
        self.vehicle.state.mechanics.rigid_body.pose.rotation
    }
}

/// A car in a bend to the left that has become steady.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SteadyBend {
    /// Lateral acceleration (m/s²).
    pub(crate) acceleration: Real,
    /// Load of each wheel (N).
    pub(crate) loads: [Real; 4],
    /// Moment of the loads about the middle of the track (N·m).
    pub(crate) restoring_moment: Real,
    /// Moment of inertia and weight about the middle of the track (N·m).
    pub(crate) overturning_moment: Real,
    /// Angle by which the left side is up (rad).
    pub(crate) roll: Real,
    /// Mean steer angle of the front wheels (rad).
    pub(crate) steer: Real,
    /// Curvature of the path (1/m).
    pub(crate) curvature: Real,
}

impl SteadyBend {
    /// Load that goes from the left to the right wheel of an axle (N).
    pub(crate) fn transfer(&self, axle: usize) -> Real {
        0.5 * (self.loads[2 * axle] - self.loads[2 * axle + 1])
    }

    /// Steer angle beyond that of the path (rad).
    fn excess_steer(&self) -> Real {
        self.steer - CarBlueprint::default().wheel_base * self.curvature
    }
}

/// Understeer between a gentle and a brisk bend (rad per m/s²): additional steer angle over
/// additional lateral acceleration.
pub(crate) fn understeer(gentle: &SteadyBend, brisk: &SteadyBend) -> Real {
    (brisk.excess_steer() - gentle.excess_steer()) / (brisk.acceleration - gentle.acceleration)
}
