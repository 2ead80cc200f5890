//! Presets with an engine on grades: their drivetrains as they are, on a road without end.

use std::ops::ControlFlow::Continue;

use rapier3d::prelude::{PhysicsWorld, Pose, Real, Rotation, Vector};
use snippets::presets;
use vehicle_rapier::core::commands::Commands;
use vehicle_rapier::core::context::GRAVITY;
use vehicle_rapier::core::road_geometry::FlatRoad;
use vehicle_rapier::core::tire::models::AnyTire;
use vehicle_rapier::core::{ComponentSequence, Context, SimulationParams};
use vehicle_rapier::drivetrain::clutch::{automatic_clutch, clutch_response};
use vehicle_rapier::drivetrain::differential::{DifferentialModel, DifferentialParams};
use vehicle_rapier::drivetrain::drivetrain::DrivetrainParams;
use vehicle_rapier::drivetrain::engine::{engine_damping_rate, engine_torque};
use vehicle_rapier::drivetrain::gearbox::{GearCommand, overall_gear_ratio};
use vehicle_rapier::drivetrain::{EngineDriveParams, EngineDriveVehicleWith, TankParams};
use vehicle_rapier::vehicle_file::AnyDrive;

type EngineCar = EngineDriveVehicleWith<AnyTire, DifferentialParams>;

/// A vehicle on a straight road, from which it does not turn.
struct Climb<D: DifferentialModel> {
    vehicle: EngineDriveVehicleWith<AnyTire, D>,
    sequence: ComponentSequence<EngineDriveVehicleWith<AnyTire, D>>,
    simulation: SimulationParams,
    road: FlatRoad,
    dt: Real,
    /// Way since it was put there (m).
    way: Real,
    /// Shifts since then: 1 up, -1 down.
    shifts: Vec<i32>,
}

impl<D: DifferentialModel + Clone + 'static> Climb<D> {
    /// At rest on a road that rises by `grade` per length, braked, with `rate` steps per second, as
    /// its automatic gearbox wants.
    fn new(vehicle: &EngineDriveVehicleWith<AnyTire, D>, grade: Real, rate: Real) -> Self {
        let mut simulation = SimulationParams::default();
        let (frame, angle) = (simulation.coordinates.frame, grade.atan());
        simulation.gravity =
            -(frame.vertical() * angle.cos() + frame.longitudinal() * angle.sin()) * GRAVITY;
        let mut climb = Self {
            vehicle: vehicle.clone(),
            sequence: EngineDriveVehicleWith::sequence(),
            simulation,
            road: FlatRoad::with_friction(&frame, 1.0),
            dt: 1.0 / rate,
            way: 0.0,
            shifts: Vec::new(),
        };
        climb.vehicle.controls.gear = GearCommand::Automatic;
        climb.pedals(0.0, 1.0);
        climb.run(1.5);
        climb.way = 0.0;
        climb
    }

    fn pedals(&mut self, throttle: Real, brake: Real) {
        self.vehicle.commands = Commands { throttle, brakes: [brake, 0.0], ..Commands::default() };
    }

    fn step(&mut self) {
        let before = self.vehicle.state.drive.gearbox.target;
        let context = Context::new(&self.simulation, &self.road);
        let flow = self.sequence.update(&mut self.vehicle, self.dt, &context);
        assert_eq!(flow, Ok(Continue(())));
        // It keeps upright and straight.
        let body = &mut self.vehicle.state.mechanics.rigid_body;
        body.pose.rotation = Rotation::from_rotation_x(body.pose.rotation.to_scaled_axis().x);
        body.angular_velocity = Vector::X * body.angular_velocity.x;
        body.linear_velocity.x = 0.0;
        self.way += self.speed() * self.dt;
        if self.gear() != before {
            self.shifts.push(if before < self.gear() { 1 } else { -1 });
        }
    }

    fn run(&mut self, seconds: Real) {
        for _ in 0..(seconds / self.dt).round() as usize {
            self.step();
        }
    }

    /// Forward speed (m/s).
    fn speed(&self) -> Real {
        self.vehicle.state.mechanics.rigid_body.linear_velocity.z
    }

    /// Lets it roll at `speed` (m/s).
    fn roll(&mut self, speed: Real) {
        let params = self.vehicle.params().mechanics.wheels.clone();
        let state = &mut self.vehicle.state.mechanics;
        state.rigid_body.linear_velocity = Vector::Z * speed;
        for (wheel, params) in params.iter().enumerate() {
            state.wheels.edit(wheel, |state| state.rotation_speed = speed / params.radius);
        }
    }

    /// The gear that is in or on its way.
    fn gear(&self) -> usize {
        self.vehicle.state.drive.gearbox.target
    }
}

/// Presets with an engine, but the motorcycle, which its rider keeps upright; each standing above
/// the origin.
fn engine_presets() -> Vec<(&'static str, EngineCar)> {
    let mut found = Vec::new();
    for name in presets::driven() {
        let preset = presets::vehicle(name).expect("a preset");
        let pose = Pose::from_translation(Vector::Y * preset.standing_height(GRAVITY));
        let mut vehicle = match preset.insert(&mut PhysicsWorld::new(), pose).vehicle.drive {
            AnyDrive::Engine(car) => *car,
            AnyDrive::Tank(car) => with_any_differential((**car.params()).clone()),
            _ => continue,
        };
        vehicle.state.mechanics.rigid_body.pose = pose;
        found.push((name, vehicle));
    }
    found
}

fn with_any_differential(tank: TankParams<AnyTire>) -> EngineCar {
    let TankParams { mechanics, drivetrain } = tank;
    let drivetrain = DrivetrainParams {
        engine: drivetrain.engine,
        clutch: drivetrain.clutch,
        gearbox: drivetrain.gearbox,
        autobox: drivetrain.autobox,
        differential: DifferentialParams::Tank(drivetrain.differential),
        explicit_solver: drivetrain.explicit_solver,
    };
    EngineCar::new(EngineDriveParams { mechanics, drivetrain }).expect("a preset")
}

/// How often a gearbox that shifts at `shifts` (1 up, -1 down) changes its mind.
fn reversals(shifts: &[i32]) -> usize {
    shifts.windows(2).filter(|pair| pair[0] != pair[1]).count()
}

#[test]
fn no_gearbox_hunts_at_a_steady_pedal() {
    for (name, vehicle) in engine_presets() {
        for grade in [-0.04, 0.0, 0.04, 0.08, 0.125, 0.18] {
            for throttle in [0.15, 0.3, 0.5, 0.75, 1.0] {
                let mut climb = Climb::new(&vehicle, grade, 30.0);
                climb.pedals(throttle, 0.0);
                climb.run(40.0);
                climb.shifts.clear();
                climb.run(50.0);
                let (shifts, speed) = (&climb.shifts, climb.speed());
                let case = format!("{name} on {grade} at {throttle}: {shifts:?}, {speed} m/s");
                assert!(reversals(shifts) <= 1, "{case}");
            }
        }
    }
}

#[test]
fn cars_that_roll_backward_are_turned_around_by_their_engine() {
    for (name, vehicle) in engine_presets() {
        for (grade, rate) in [(0.03, 60.0), (0.08, 60.0), (0.08, 30.0), (0.08, 240.0)] {
            for speed in [-2.0, -8.0, -17.0, -30.0] {
                let mut climb = Climb::new(&vehicle, grade, rate);
                let neutral = vehicle.params().drivetrain.gearbox.neutral;
                climb.vehicle.controls.gear = GearCommand::Gear(neutral);
                climb.pedals(0.0, 0.0);
                climb.roll(speed);
                climb.run(1.0);
                climb.vehicle.controls.gear = GearCommand::Automatic;
                climb.pedals(1.0, 0.0);
                let mut seconds = 0.0;
                while climb.speed() < 0.5 && seconds < 40.0 {
                    climb.step();
                    seconds += climb.dt;
                }
                let case = format!("{name} on {grade} from {speed} m/s at {rate} Hz");
                println!("{case}: {seconds} s");
                assert!(seconds < 40.0, "{case}: {} m/s, gear {}", climb.speed(), climb.gear());
            }
        }
    }
}

/// Torque that the clutch gives in the first gear at standstill under a `throttle`, as the wheels
/// feel it (N·m).
fn pull(car: &EngineCar, throttle: Real) -> Real {
    let drivetrain = &car.params().drivetrain;
    let engine = &drivetrain.engine;
    let released = clutch_response(&drivetrain.clutch, 0.0);
    let torques = (0..=500).map(|part| {
        let share = part as Real / 500.0;
        let speed = engine.idle_speed + share * (engine.max_speed - engine.idle_speed);
        let friction = engine_damping_rate(&engine.damping, throttle, 1.0) * speed;
        let given = engine_torque(engine, throttle, speed) - friction;
        let clutch = automatic_clutch(&drivetrain.clutch, released, speed);
        (given, drivetrain.clutch.capacity(clutch))
    });
    // The engine speeds up until the clutch bears all that it gives.
    let borne = torques.into_iter().find(|(given, borne)| given <= borne);
    let gearbox = &drivetrain.gearbox;
    borne.map_or(0.0, |(given, _)| given) * overall_gear_ratio(gearbox, gearbox.neutral + 1)
}

#[test]
fn cars_pull_away_uphill_without_rolling_back() {
    for (name, vehicle) in engine_presets() {
        let (mass, radius) = {
            let mechanics = &vehicle.params().mechanics;
            (mechanics.rigid_body.mass, mechanics.wheels[mechanics.wheels.len() - 1].radius)
        };
        // Without its trailer, a tractor has no grip for more at its rear wheels.
        let steepest = if name == "semi_tractor" { 0.2 } else { 0.3 };
        for grade in [0.1_f32, 0.2, 0.3].into_iter().filter(|grade| *grade <= steepest) {
            let needed = mass * GRAVITY * grade.atan().sin() * radius;
            for throttle in [0.3, 0.5, 0.7, 1.0] {
                for rate in [60.0, 240.0] {
                    let mut climb = Climb::new(&vehicle, grade, rate);
                    climb.pedals(throttle, 0.0);
                    let mut back: Real = 0.0;
                    for _ in 0..(4.0 * rate) as usize {
                        climb.step();
                        back = back.min(climb.way);
                    }
                    let part = pull(&vehicle, throttle) / needed;
                    let case = format!("{name} on {grade} at {throttle}, {rate} Hz, {part} of it");
                    println!("{case}: {back} m back, {} m", climb.way);
                    assert!(-0.03 < back, "{case}: {back} m back");
                    assert!(part < 1.2 || 0.3 < climb.way, "{case}: {} m", climb.way);
                }
            }
        }
    }
}

#[test]
fn a_hill_holder_holds_under_a_little_throttle_unless_it_is_taken_away() {
    let (_, car) = engine_presets().into_iter().next().expect("a car");
    let mut params = (**car.params()).clone();
    params.drivetrain.clutch.automatic.as_mut().expect("automatic").rolls_back = true;
    let mut free = EngineCar::new(params).expect("no faults");
    free.state.mechanics.rigid_body.pose = car.state.mechanics.rigid_body.pose;
    let [held, free] = [car, free].map(|car| {
        let mut climb = Climb::new(&car, 0.2, 60.0);
        climb.pedals(0.05, 0.0);
        climb.run(2.0);
        climb.way
    });
    assert!(held.abs() < 0.01, "held: {held} m");
    assert!((-4.0..-0.5).contains(&free), "free: {free} m");
}
