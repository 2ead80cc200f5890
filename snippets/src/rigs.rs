//! Vehicles of any number of axles, and drivelines from blocks for them.

use vehicle_rapier::core::aerodynamics::AerodynamicsParams;
use vehicle_rapier::core::blueprint::CarBlueprint;
use vehicle_rapier::core::commands::CommandResponseParams;
use vehicle_rapier::core::constraint_rows::SuspensionLimitParams;
use vehicle_rapier::core::context::GRAVITY;
use vehicle_rapier::core::mass_distribution::MassDistribution;
use vehicle_rapier::core::math::{Real, Vec3};
use vehicle_rapier::core::suspension::unsprung::SuspensionDynamics;
use vehicle_rapier::core::suspension::{JounceParams, SuspensionForceParams, sprung_masses};
use vehicle_rapier::core::tire::BrushTire;
use vehicle_rapier::core::vehicle::MechanicalParams;
use vehicle_rapier::core::wheel::WheelParams;
use vehicle_rapier::core::{AxleDescription, Frame, ParamErrors};

/// A vehicle on any number of wheels, whose center of mass is above the origin.
#[derive(Clone, Debug, PartialEq)]
pub struct Rig {
    /// Mass (kg).
    pub mass: Real,
    /// Length, width and height of the body (m).
    pub size: [Real; 3],
    /// Height of the center of mass above the ground, at rest (m).
    pub center_of_mass_height: Real,
    /// Place of each wheel: forward and to the left of the center of mass (m).
    pub wheels: Vec<[Real; 2]>,
    /// The wheels of each axle.
    pub axles: Vec<Vec<usize>>,
    /// Shape and inertia of each wheel.
    pub wheel: WheelParams,
    /// Largest steer angle of each wheel (rad).
    pub steer_angles: Vec<Real>,
    /// Brake torque of each wheel at a full foot brake and at a full hand brake (N·m).
    pub brake_torque: Real,
}

impl Rig {
    /// A truck with axles at these places, forward of the center of mass (m), right wheels before
    /// left ones; those of the axles before the center steer.
    pub fn truck(mass: Real, axles: &[Real]) -> Self {
        let wheels = axles.iter().flat_map(|&forward| [[forward, -1.0], [forward, 1.0]]);
        let steer = |&forward: &Real| [if 0.0 < forward { 0.5 } else { 0.0 }; 2];
        Self {
            mass,
            size: [8.0, 2.5, 2.2],
            center_of_mass_height: 1.3,
            wheels: wheels.collect(),
            axles: (0..axles.len()).map(|axle| vec![2 * axle, 2 * axle + 1]).collect(),
            wheel: truck_wheel(0.5, 90.0),
            steer_angles: axles.iter().flat_map(steer).collect(),
            brake_torque: 2.5 * mass / axles.len() as Real,
        }
    }

    /// A tank of 30 t with four road wheels on each side, pair by pair from the front, right wheels
    /// before left ones.
    pub fn tank() -> Self {
        let pairs = [1.8, 0.6, -0.6, -1.8].map(|forward| [[forward, -1.3], [forward, 1.3]]);
        Self {
            mass: 30_000.0,
            size: [5.5, 3.0, 1.6],
            center_of_mass_height: 1.0,
            wheels: pairs.concat(),
            axles: (0..4).map(|pair| vec![2 * pair, 2 * pair + 1]).collect(),
            wheel: truck_wheel(0.4, 200.0),
            steer_angles: vec![0.0; 8],
            brake_torque: 20_000.0,
        }
    }

    /// The parameters of the mechanical base.
    ///
    /// # Errors
    ///
    /// All faults, also if the wheels cannot balance the vehicle.
    pub fn mechanics(&self) -> Result<MechanicalParams, ParamErrors> {
        let frame = Frame::Y_UP;
        let count = self.wheels.len();
        let sheet = CarBlueprint {
            wheel: self.wheel,
            center_of_mass_height: self.center_of_mass_height,
            ride: None,
            ..CarBlueprint::default()
        };
        let car = sheet.mechanics()?;
        let height = self.wheel.radius - self.center_of_mass_height;
        let hubs: Vec<Vec3> = self
            .wheels
            .iter()
            .map(|&[forward, left]| frame.translation(forward, left, height))
            .collect();
        // Wheels that do not balance share the mass evenly.
        let masses = sprung_masses(&hubs, self.mass, frame.vertical_axis()).unwrap_or_else(|_| {
            [self.mass / count as Real].into_iter().cycle().take(count).collect()
        });
        let (like, spring, tire) = (&car.suspensions[0], car.suspension_forces[0], &car.tires[0]);
        let above = like.attachment.translation.y - height;
        let suspensions = hubs.iter().map(|hub| {
            let mut suspension = *like;
            suspension.attachment.translation = *hub + frame.vertical() * above;
            suspension
        });
        let springs = masses.iter().map(|&mass| SuspensionForceParams {
            stiffness: spring.stiffness * mass / spring.sprung_mass,
            damping: spring.damping * mass / spring.sprung_mass,
            sprung_mass: mass,
        });
        let tires = masses.iter().map(|&mass| BrushTire {
            longitudinal_stiffness: 16.0 * mass * GRAVITY,
            lateral_stiffness: 18.0 * mass * GRAVITY,
            rest_load: mass * GRAVITY,
            ..*tire
        });
        let [length, width, height] = self.size;
        let size = frame.translation(length, width, height).abs();
        let brakes = CommandResponseParams::linear(self.brake_torque, vec![1.0; count]);
        Ok(MechanicalParams {
            axles: AxleDescription::new(&self.axles)?,
            rigid_body: MassDistribution::block(self.mass, size, Vec3::ZERO).rigid_body,
            brakes: vec![brakes.clone(), brakes],
            steering: CommandResponseParams::linear(1.0, self.steer_angles.clone()),
            ackermann: Vec::new(),
            steering_system: None,
            brake_valves: Vec::new(),
            jounce: JounceParams::default(),
            wheels: vec![self.wheel; count],
            suspensions: suspensions.collect(),
            compliances: vec![car.compliances[0].clone(); count],
            suspension_forces: springs.collect(),
            anti_roll_bars: Vec::new(),
            beam_axles: Vec::new(),
            aerodynamics: AerodynamicsParams { drag_area: 4.0, ..AerodynamicsParams::default() },
            suspension_dynamics: SuspensionDynamics::Massless,
            suspension_limit: SuspensionLimitParams::default(),
            tires: tires.collect(),
        })
    }
}

fn truck_wheel(radius: Real, mass: Real) -> WheelParams {
    let inertia = 0.6 * mass * radius * radius;
    WheelParams { radius, half_width: 0.15, mass, inertia, ..WheelParams::default() }
}
