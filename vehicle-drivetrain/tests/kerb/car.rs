//! The cars of the runs: whole ones, of which each half is the half car of a run.

use anyhow::{Context as _, Result, bail};
use vehicle_core::blueprint::CarBlueprint;
use vehicle_core::commands::CommandResponseParams;
use vehicle_core::frame::Frame;
use vehicle_core::math::{Pose, Quat, Real, Vec3};
use vehicle_core::rigid_body::{RigidBodyParams, RigidBodyState};
use vehicle_core::suspension::SuspensionForceParams;
use vehicle_core::suspension::unsprung::{SuspensionDynamics, UnsprungParams};
use vehicle_core::tire::BrushTire;
use vehicle_core::vehicle::MechanicalParams;
use vehicle_drivetrain::{DirectDriveParams, DirectDriveVehicle};

const GRAVITY: f64 = 9.81;
/// Distance between the wheels of an axle by the wheel base (dimensionless).
const TRACK: f64 = 0.5;

/// A half car.
pub(crate) struct Half {
    /// Mass with wheels (kg).
    mass: f64,
    pub(crate) wheel_base: f64,
    front_share: f64,
    /// Height of the center of mass at rest (m).
    pub(crate) height: f64,
    /// By wheel, front and rear, as the following.
    pub(crate) radii: [f64; 2],
    masses: [f64; 2],
    inertias: [f64; 2],
    /// Frequency (Hz) and damping ratio of the springs.
    frequency: f64,
    damping: f64,
    travels: [f64; 2],
    /// Loads, and those of the laden car (kg).
    loads: [f64; 2],
    laden: [f64; 2],
}

impl Half {
    pub(crate) fn named(name: &str) -> Result<Self> {
        let city = Self {
            mass: 470.0,
            wheel_base: 2.3,
            front_share: 0.63,
            height: 0.54,
            radii: [0.291; 2],
            masses: [28.0; 2],
            inertias: [0.65; 2],
            frequency: 1.5,
            damping: 0.35,
            travels: [0.2; 2],
            loads: [296.1, 173.9],
            laden: [296.1, 173.9],
        };
        Ok(match name {
            "city" => city,
            "pickup" => Self {
                mass: 1_050.0,
                wheel_base: 3.22,
                front_share: 0.56,
                height: 0.68,
                radii: [0.382; 2],
                masses: [64.0; 2],
                inertias: [3.0; 2],
                travels: [0.24; 2],
                loads: [588.0, 462.0],
                laden: [588.0, 462.0],
                ..city
            },
            "kart" => Self {
                mass: 87.5,
                wheel_base: 1.05,
                front_share: 0.428_6,
                height: 0.27,
                radii: [0.127, 0.139],
                masses: [4.4, 6.8],
                inertias: [0.017, 0.035],
                frequency: 5.0,
                damping: 0.3,
                travels: [0.03; 2],
                loads: [37.5, 50.0],
                laden: [37.5, 50.0],
            },
            "truck" => Self {
                mass: 3_750.0,
                wheel_base: 3.7,
                front_share: 0.693_3,
                height: 1.0,
                radii: [0.5; 2],
                masses: [210.0, 400.0],
                inertias: [14.0, 26.0],
                travels: [0.26, 0.28],
                loads: [2_600.0, 1_150.0],
                laden: [3_550.0, 5_500.0],
                ..city
            },
            _ => bail!("unknown vehicle {name:?}"),
        })
    }

    /// Places of the axles along the car (m).
    pub(crate) fn axles(&self) -> [f64; 2] {
        [(1.0 - self.front_share) * self.wheel_base, -self.front_share * self.wheel_base]
    }

    fn pitch_inertia(&self) -> f64 {
        let [front, rear] = self.axles();
        let all = -0.9 * self.mass * front * rear;
        let wheels = self.masses[0] * front * front + self.masses[1] * rear * rear;
        (all - wheels).max(0.3 * all) + wheels
    }

    /// Stiffness of a spring (N/m), and its damper (N·s/m).
    fn spring(&self, axle: usize) -> [f64; 2] {
        let (mass, pulse) =
            (self.laden[axle] - self.masses[axle], std::f64::consts::TAU * self.frequency);
        [mass * pulse * pulse, 2.0 * self.damping * mass * pulse]
    }

    pub(crate) fn tire_stiffness(&self, axle: usize) -> f64 {
        self.laden[axle] * GRAVITY / (0.055 * self.radii[axle])
    }

    /// Load of a wheel at rest (N).
    pub(crate) fn load(&self, axle: usize) -> f64 {
        self.loads[axle] * GRAVITY
    }

    /// Jounce at rest (m).
    fn jounce(&self, axle: usize) -> f64 {
        (self.loads[axle] - self.masses[axle]) * GRAVITY / self.spring(axle)[0]
    }

    /// The whole car.
    fn params(&self) -> Result<DirectDriveParams> {
        let blueprint = CarBlueprint { frame: Frame::Z_UP, ..CarBlueprint::default() };
        let mut mechanics: MechanicalParams = blueprint.mechanics()?;
        let pitch = self.pitch_inertia();
        let inertia = Vec3::splat(2.0 * pitch as Real);
        mechanics.rigid_body = RigidBodyParams { mass: 2.0 * self.mass as Real, inertia };
        mechanics.anti_roll_bars.clear();
        mechanics.steering_system = None;
        mechanics.aerodynamics.drag_area = 0.0;
        mechanics.aerodynamics.downforces.clear();
        let mut unsprung = Vec::new();
        for wheel in 0..4 {
            let axle = wheel / 2;
            let [stiffness, damping] = self.spring(axle).map(|number| number as Real);
            let (load, tire) = (self.load(axle), self.tire_stiffness(axle));
            let shape = &mut mechanics.wheels[wheel];
            shape.radius = self.radii[axle] as Real;
            shape.half_width = 0.3 * shape.radius;
            shape.shoulder_radius = 0.0;
            shape.mass = self.masses[axle] as Real;
            shape.inertia = self.inertias[axle] as Real;
            shape.damping_rate = 0.0;
            let spring =
                SuspensionForceParams { stiffness, damping, sprung_mass: self.loads[axle] as Real };
            mechanics.suspension_forces[wheel] = spring;
            let travel = self.travels[axle];
            let suspension = &mut mechanics.suspensions[wheel];
            let hub = self.radii[axle] - load / tire - self.height;
            let height = hub + travel - self.jounce(axle);
            let side = if wheel % 2 == 0 { 0.5 } else { -0.5 };
            let place = [self.axles()[axle], side * TRACK * self.wheel_base, height]
                .map(|number| number as Real);
            suspension.attachment = Pose::from_translation(Vec3::from_array(place));
            suspension.wheel_attachment = Pose::IDENTITY;
            suspension.travel_direction = Vec3::NEG_Z;
            suspension.travel_distance = travel as Real;
            let mass = self.masses[axle] as Real;
            unsprung.push(UnsprungParams::new(mass, tire as Real, &spring, travel as Real));
            mechanics.tires[wheel] = BrushTire {
                longitudinal_stiffness: 20.0 * load as Real,
                lateral_stiffness: 20.0 * load as Real,
                lateral_stiffness_load: 0.0,
                camber_stiffness: 0.0,
                rest_load: load as Real,
                friction_vs_slip: BrushTire::CONSTANT_FRICTION,
                lateral_slip_weight: 0.0,
                load_filter: [(0.0, 0.0), (1e3, 1e3)],
                rolling_resistance: 0.0,
                pneumatic_trail: 0.0,
            };
        }
        mechanics.suspension_dynamics = SuspensionDynamics::Unsprung(unsprung);
        let throttle = CommandResponseParams::linear(1.0, vec![1.0; 4]);
        Ok(DirectDriveParams { mechanics, throttle })
    }

    /// The car at `place` (m) with this `speed` (m/s), at rest on its springs; lifted by `drop` (m)
    /// at full droop, if that is not 0.
    pub(crate) fn car(&self, place: f64, speed: f64, drop: f64) -> Result<DirectDriveVehicle> {
        let mut car = DirectDriveVehicle::new(self.params()?).context("parameters")?;
        let state = &mut car.state.mechanics;
        let center = Vec3::new(place as Real, 0.0, (self.height + drop) as Real);
        state.rigid_body = RigidBodyState {
            linear_velocity: Vec3::X * speed as Real,
            ..RigidBodyState::at_rest(Pose::from_parts(center, Quat::IDENTITY))
        };
        for wheel in 0..4 {
            let axle = wheel / 2;
            let jounce = if drop == 0.0 { self.jounce(axle) } else { 0.0 };
            let deflection = self.load(axle) / self.tire_stiffness(axle);
            let rolling = self.radii[axle] - deflection / 3.0;
            state.suspensions.edit(wheel, |suspension| {
                suspension.compression.jounce = Some(jounce as Real);
                suspension.compression.separation = (drop == 0.0).then_some(0.0);
            });
            let rotation_speed = (speed / rolling) as Real;
            state.wheels.edit(wheel, |wheel| wheel.rotation_speed = rotation_speed);
        }
        Ok(car)
    }
}
