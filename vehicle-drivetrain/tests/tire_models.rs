//! A car on each tire model: it drives, corners, stops and parks, at 60 steps per second and
//! without substeps.

use std::ops::ControlFlow::Continue;

use vehicle_core::blueprint::CarBlueprint;
use vehicle_core::commands::{CommandResponseParams, Commands};
use vehicle_core::context::GRAVITY;
use vehicle_core::error::ParamCheck;
use vehicle_core::frame::Frame;
use vehicle_core::math::{PI, Pose, Real, Vec3};
use vehicle_core::road_geometry::FlatRoad;
use vehicle_core::stages::RoadGeometry;
use vehicle_core::tire::models::{MagicFormulaTire, RollingTire, TireSize, TireUse};
use vehicle_core::tire::soil::{Soil, SoilTire};
use vehicle_core::tire::tir::TirFile;
use vehicle_core::tire::{BrushTire, NoLanes, TireInput, TireModel, TireOutput, TireSlipParams};
use vehicle_core::vehicle::{MechanicalParams, SoftGround};
use vehicle_core::{ComponentSequence, Context, Persistent, SimulationParams};
use vehicle_drivetrain::direct_drive::Gear;
use vehicle_drivetrain::handling::Handling;
use vehicle_drivetrain::{DirectDriveParams, DirectDriveVehicleWith};

const DT: Real = 1.0 / 60.0;
const PUBLISHED: &str = include_str!("../../vehicle-core/tests/data/205_60R15.tir");
/// Changes of sign below these sizes are rounding (m/s, rad/s).
const NOISE: Real = 2e-3;

/// A car in a world of a flat road.
struct Drive<Tire: TireModel> {
    name: &'static str,
    vehicle: DirectDriveVehicleWith<Tire>,
    sequence: ComponentSequence<DirectDriveVehicleWith<Tire>>,
    simulation: SimulationParams,
    road: FlatRoad,
}

/// Speeds that must not swing from step to step: of the body across its axis (m/s), about its
/// vertical (rad/s), and of each rim (m/s).
type Speeds = [Real; 6];

impl<Tire: TireModel> Drive<Tire> {
    fn new(name: &'static str, mechanics: MechanicalParams<Tire>) -> Self {
        let frame = Frame::default();
        let throttle = CommandResponseParams::linear(400.0, [1.0; 4]);
        let params = DirectDriveParams { mechanics, throttle };
        let mut vehicle = DirectDriveVehicleWith::new(params).expect(name);
        vehicle.controls.gear = Gear::Forward;
        let height = CarBlueprint::default().center_of_mass_height;
        vehicle.state.mechanics.rigid_body.pose = Pose::from_translation(frame.vertical() * height);
        Self {
            name,
            vehicle,
            sequence: DirectDriveVehicleWith::sequence_with_substeps(|_| 1)
                .insert_after::<RoadGeometry>(SoftGround)
                .expect("a place"),
            simulation: SimulationParams::new(frame),
            road: FlatRoad::new(&frame),
        }
    }

    fn frame(&self) -> Frame {
        self.simulation.coordinates.frame
    }

    fn roll(&mut self, speed: Real) {
        let forward = self.frame().longitudinal();
        let state = &mut self.vehicle.state.mechanics;
        state.rigid_body.linear_velocity = forward * speed;
        let rotation_speed = speed / CarBlueprint::default().wheel.radius;
        state.wheels.edit_all(|wheel| wheel.rotation_speed = rotation_speed);
    }

    fn step(&mut self, commands: Commands) {
        self.vehicle.commands = commands;
        let context = Context::new(&self.simulation, &self.road);
        let flow = self.sequence.update(&mut self.vehicle, DT, &context);
        assert_eq!(flow, Ok(Continue(())), "{}", self.name);
    }

    /// Position and velocity of the body.
    fn body(&self) -> (Vec3, Vec3) {
        let body = &self.vehicle.state.mechanics.rigid_body;
        (body.pose.translation, body.linear_velocity)
    }

    fn forward_speed(&self) -> Real {
        let body = &self.vehicle.state.mechanics.rigid_body;
        body.linear_velocity.dot(body.pose.rotation * self.frame().longitudinal())
    }

    fn speeds(&self) -> Speeds {
        let state = &self.vehicle.state.mechanics;
        let body = &state.rigid_body;
        let left = body.pose.rotation * self.frame().lateral();
        let radius = CarBlueprint::default().wheel.radius;
        let rim = |wheel: usize| state.wheels.of(wheel).rotation_speed * radius;
        let yaw = body.angular_velocity.dot(self.frame().vertical());
        [body.linear_velocity.dot(left), yaw, rim(0), rim(1), rim(2), rim(3)]
    }

    fn wait(&mut self, seconds: Real, commands: Commands) {
        for _ in 0..(seconds / DT).round() as usize {
            self.step(commands);
        }
    }

    /// Drives on for `seconds`, and checks that nothing swings from step to step.
    fn drive(&mut self, seconds: Real, commands: Commands) {
        let mut recent = [self.speeds(); 4];
        for _ in 0..(seconds / DT).round() as usize {
            self.step(commands);
            recent.rotate_left(1);
            recent[3] = self.speeds();
            for number in 0..6 {
                let swings = recent.windows(2).all(|two| {
                    let (before, after) = (two[0][number], two[1][number]);
                    before * after < 0.0 && NOISE < before.abs().min(after.abs())
                });
                assert!(!swings, "{}: speed {number} swings: {recent:?}, {commands:?}", self.name);
            }
        }
    }
}

const SIZE: TireSize =
    TireSize { made_for: TireUse::PassengerCar, load: 3_700.0, radius: 0.33, width: 0.22 };
const COAST: Commands =
    Commands { throttle: 0.0, brakes: [0.0; 2], steer: 0.0, steering_torque: None };

/// The car of the data sheet on `tire`.
fn car_on<Tire: TireModel>(name: &'static str, tire: Tire) -> Drive<Tire> {
    car_of(&CarBlueprint::default(), name, tire)
}

fn car_of<Tire: TireModel>(sheet: &CarBlueprint, name: &'static str, tire: Tire) -> Drive<Tire> {
    let mechanics = sheet.mechanics().expect("a faultless car");
    Drive::new(name, mechanics.with_tires(vec![tire; 4]))
}

/// Runs the test `$check` for a car on each model.
macro_rules! on_each_model {
    ($check:ident) => {{
        let default = CarBlueprint::default().mechanics().expect("a faultless car");
        $check(|| Drive::<BrushTire>::new("default", default.clone()));
        let resistance = SIZE.rolling_resistance();
        let published = TirFile::parse(PUBLISHED).expect("a faultless tire").tire;
        $check(|| car_on("published", MagicFormulaTire::from(published.clone())));
        $check(|| car_on("Magic Formula", SIZE.magic_formula()));
        $check(|| {
            let tire = RollingTire { law: SIZE.fiala(), rolling_resistance: resistance };
            car_on("Fiala", tire)
        });
        $check(|| car_on("brush", RollingTire::new(SIZE.parabolic_brush())));
        $check(|| car_on("TMeasy", RollingTire::new(SIZE.tmeasy())));
        $check(|| car_on("ellipse", RollingTire::new(SIZE.friction_ellipse())));
    }};
}

fn drives_and_corners<Tire: TireModel>(new: impl Fn() -> Drive<Tire>) {
    let mut drive = new();
    let name = drive.name;
    drive.drive(1.0, COAST);
    drive.drive(4.0, Commands { throttle: 0.7, ..COAST });
    let speed = drive.forward_speed();
    // v = F t / (m + 4 I/R²), less what tires resist and slip.
    let (mass, wheel) = (CarBlueprint::default().mass, CarBlueprint::default().wheel);
    let inertial = mass + 4.0 * wheel.inertia / (wheel.radius * wheel.radius);
    let free = 4.0 * 0.7 * 400.0 / wheel.radius * 4.0 / inertial;
    let share = speed / free;
    assert!((0.94..1.0).contains(&share), "{name}: {speed} m/s after 4 s, of {free}");

    drive.drive(3.0, Commands { throttle: 0.2, steer: 0.1, ..COAST });
    let (speed, yaw_rate) = (drive.forward_speed(), drive.speeds()[1]);
    // The linear single-track model.
    let mechanics = &drive.vehicle.params().mechanics;
    let handling = Handling::of(mechanics, &drive.frame()).expect("it has wheels");
    let understeer = handling.understeer_gradient();
    let expected = speed * 0.1 * handling.lock / (handling.wheel_base + understeer * speed * speed);
    let share = yaw_rate / expected;
    assert!((share - 1.0).abs() < 0.05, "{name}: {yaw_rate} rad/s of {expected} at {speed} m/s");

    drive.drive(1.0, COAST);
    drive.drive(4.0, Commands { brakes: [0.6, 0.0], ..COAST });
    let (_, velocity) = drive.body();
    assert!(velocity.length() < 0.01, "{name}: {velocity} m/s after the brakes");
}

fn rolls_without_swinging<Tire: TireModel>(new: impl Fn() -> Drive<Tire>) {
    for speed in [0.5, 2.0, 5.0, 10.0, 20.0, 40.0, 80.0] {
        let mut drive = new();
        drive.drive(1.0, Commands { brakes: [1.0, 0.0], ..COAST });
        drive.roll(speed);
        drive.drive(0.3, COAST);
        drive.drive(0.3, Commands { steer: 0.02, ..COAST });
        drive.drive(1.0, COAST);
        drive.drive(0.5, Commands { throttle: 1.0, ..COAST });
        drive.drive(0.5, COAST);
        drive.drive(1.0, Commands { brakes: [0.4, 0.0], ..COAST });
        drive.drive(1.0, COAST);
    }
}

fn parks<Tire: TireModel>(new: impl Fn() -> Drive<Tire>) {
    parks_on(15.0, new);
}

fn parks_on<Tire: TireModel>(degrees: Real, new: impl Fn() -> Drive<Tire>) {
    let angle = degrees * PI / 180.0;
    for is_uphill in [true, false] {
        let mut drive = new();
        let frame = drive.frame();
        let level = if is_uphill { frame.longitudinal() } else { frame.lateral() };
        let gravity = drive.simulation.gravity.length();
        let down = -(frame.vertical() * angle.cos() + level * angle.sin());
        drive.simulation.gravity = down * gravity;
        let held = Commands { brakes: [1.0, 0.0], ..COAST };
        drive.wait(4.0, held);
        let (before, _) = drive.body();
        drive.wait(20.0, held);
        let (after, _) = drive.body();
        let moved = before.distance(after);
        assert!(moved < 1e-3, "{}: {moved} m in 20 s, uphill: {is_uphill}", drive.name);
    }
}

const SOILS: [(&str, Soil); 4] = [
    ("dry sand", Soil::DRY_SAND),
    ("sandy loam", Soil::SANDY_LOAM),
    ("clayey soil", Soil::CLAYEY_SOIL),
    ("snow", Soil::SNOW),
];

/// Cars on wheels with mass, and on wheels that follow the ground at once.
fn rides() -> [CarBlueprint; 2] {
    [CarBlueprint::default(), CarBlueprint { ride: None, ..CarBlueprint::default() }]
}

#[test]
fn cars_park_on_each_soil() {
    for (name, soil) in SOILS {
        for sheet in rides() {
            parks_on(8.0, || car_of(&sheet, name, SoilTire { soil, nominal_pressure: 220e3 }));
        }
    }
}

#[test]
fn cars_drive_on_soil_and_roll_out() {
    let cases = SOILS[..3].iter().flat_map(|soil| rides().map(|sheet| (soil, sheet)));
    for ((name, soil), sheet) in cases {
        let mut drive = car_of(&sheet, name, SoilTire { soil: *soil, nominal_pressure: 220e3 });
        drive.drive(1.0, COAST);
        drive.drive(4.0, Commands { throttle: 0.6, ..COAST });
        let speed = drive.forward_speed();
        assert!(2.0 < speed, "{name}: {speed} m/s after 4 s");
        let states = &drive.vehicle.state.mechanics.tire_models;
        for state in states {
            assert!((0.005..0.2).contains(&state.sinkage), "{name}: {state:?}");
        }
        drive.drive(1.0, Commands { steer: 0.1, throttle: 0.3, ..COAST });
        let (speed, yaw_rate) = (drive.forward_speed(), drive.speeds()[1]);
        assert!(0.3 < yaw_rate / (speed * 0.06 / 2.7), "{name}: {yaw_rate} rad/s at {speed} m/s");
        // Compaction stops a car that is let go.
        drive.drive(15.0, COAST);
        let speed = drive.forward_speed();
        assert!(speed.abs() < 0.3, "{name}: {speed} m/s after 15 s");
    }
}

#[test]
fn cars_do_not_swing_on_soil() {
    for (name, soil) in SOILS {
        for sheet in rides() {
            let tire = SoilTire { soil, nominal_pressure: 220e3 };
            rolls_without_swinging(|| car_of(&sheet, name, tire));
        }
    }
}

#[test]
fn cars_drive_and_corner_on_each_model() {
    on_each_model!(drives_and_corners);
}

#[test]
fn cars_do_not_swing_on_any_model() {
    on_each_model!(rolls_without_swinging);
}

#[test]
fn cars_park_on_each_model() {
    on_each_model!(parks);
}

/// Drops a car onto the stops of its suspensions, and tells how often the stop of the wheel 0
/// loaded its tire.
fn stops_load_tires<Tire: TireModel>(mut drive: Drive<Tire>) -> usize {
    let up = drive.frame().vertical();
    drive.vehicle.state.mechanics.rigid_body.pose.translation += up * 0.6;
    drive.roll(10.0);
    let (mut loaded, mut stop) = (0, 0.0);
    for _ in 0..120 {
        // A vehicle that recalls what this one remembers goes on with the same bits.
        let memory = drive.vehicle.memory();
        drive.vehicle.recall(&memory).expect("its own memory");
        assert_eq!(drive.vehicle.memory(), memory, "{}", drive.name);
        drive.step(Commands { steer: 0.05, ..COAST });
        let state = &drive.vehicle.state.mechanics;
        let tire = &drive.vehicle.params().mechanics.tires[0];
        let spring = state.suspensions.of(0).force.normal_load.max(0.0);
        let expected = if tire.feels_stops() { spring + stop / DT } else { spring };
        let found = state.tires.of(0).grip.load;
        let is_seen = state.suspensions.of(0).is_on_ground();
        let error = (found - expected).abs();
        assert!(
            !is_seen || error < 1.0 + 1e-3 * expected,
            "{}: {found} N of {expected} N",
            drive.name
        );
        loaded += usize::from(is_seen && 100.0 < stop / DT);
        stop = state.rows.of(0).limit.map_or(0.0, |row| row.impulse);
    }
    loaded
}

#[test]
fn the_stop_of_a_suspension_loads_the_tire_in_the_next_step() {
    let fiala = RollingTire { law: SIZE.fiala(), rolling_resistance: SIZE.rolling_resistance() };
    // Wheels with mass have no stops of their own: a tire bears all that comes from them.
    let sheet = CarBlueprint { ride: None, ..CarBlueprint::default() };
    for loaded in [
        stops_load_tires(car_of(&sheet, "Fiala", fiala)),
        stops_load_tires(car_of(&sheet, "Magic Formula", SIZE.magic_formula())),
    ] {
        assert!(0 < loaded, "the car hits its stops");
    }
}

/// A tire that slides freely, and gives its wheel and the body nothing but this.
#[derive(Clone, Debug, PartialEq)]
struct Beside(TireOutput);

impl TireModel for Beside {
    type State = ();
    type Lanes = NoLanes;

    fn forces(&self, _: &TireInput<'_>, (): &mut ()) -> TireOutput {
        self.0
    }

    fn check(&self, _: &mut ParamCheck) {}
}

/// How much more four tires press on the road on an axle (front), or on a side (left), than without
/// what they do beside their forces (N). And how far the body has turned (rad), about the lateral
/// axis and about the longitudinal one.
///
/// What acts forward and backward takes what is not of the first order.
fn answer_to(
    sheet: &CarBlueprint,
    output: TireOutput,
    (rate, substeps): (Real, u32),
) -> [[Real; 2]; 2] {
    let frame = Frame::default();
    let held = |sign: Real| {
        let output = TireOutput {
            rolling_resistance_force: sign * output.rolling_resistance_force,
            overturning_moment: sign * output.overturning_moment,
            ..TireOutput::default()
        };
        let mut drive = car_of(sheet, "beside", Beside(output));
        drive.sequence = DirectDriveVehicleWith::sequence_with_substeps(move |_| substeps);
        drive.roll(20.0);
        let context = Context::new(&drive.simulation, &drive.road);
        for _ in 0..(6.0 * rate) as usize {
            let flow = drive.sequence.update(&mut drive.vehicle, 1.0 / rate, &context);
            assert_eq!(flow, Ok(Continue(())));
        }
        let state = &drive.vehicle.state.mechanics;
        let load = |wheel: usize| state.suspensions.of(wheel).force.normal_load;
        let turned = |axis: Vec3| (state.rigid_body.pose.rotation * axis).dot(frame.vertical());
        [
            [load(0) + load(1), -turned(frame.longitudinal()).asin()],
            [load(1) + load(3), turned(frame.lateral()).asin()],
        ]
    };
    let (forward, backward) = (held(1.0), held(-1.0));
    [0, 1].map(|axis| [0, 1].map(|of| 0.5 * (forward[axis][of] - backward[axis][of])))
}

/// Rates of steps (Hz) and substeps.
const RATES: [(Real, u32); 6] =
    [(30.0, 1), (60.0, 1), (240.0, 1), (30.0, 3), (60.0, 3), (240.0, 3)];

/// ```text
/// Δ Σ N_front L = M g h φ + F (h - R),   Δ Σ N_left t = M g h φ + M_x
/// ```
///
/// with the height `h` of the center of mass and the angle `φ` by which the body turns, which moves
/// the contacts below it.
#[test]
fn what_tires_do_beside_their_forces_turns_the_body_as_mechanics_say() {
    let (force, moment) = (-100.0, 100.0);
    for (sheet, rate) in rides().iter().flat_map(|sheet| RATES.map(|rate| (sheet, rate))) {
        let height = sheet.center_of_mass_height;
        let tilting = sheet.mass * GRAVITY * height;
        let resists = TireOutput { rolling_resistance_force: force, ..TireOutput::default() };
        let [[load, pitch], _] = answer_to(sheet, resists, rate);
        let lever = (load * sheet.wheel_base - tilting * pitch) / (-4.0 * force);
        let expected = height - sheet.wheel.radius;
        let error = (lever - expected).abs();
        assert!(error < 2e-3, "{rate:?}, {:?}: a lever of {lever} m, not {expected}", sheet.ride);

        let overturns = TireOutput { overturning_moment: moment, ..TireOutput::default() };
        let [_, [load, roll]] = answer_to(sheet, overturns, rate);
        let found = -load * sheet.track_width - tilting * roll;
        let error = found / (4.0 * moment) - 1.0;
        assert!(error.abs() < 5e-3, "{rate:?}, {:?}: {found} N m of {moment} each", sheet.ride);
    }
}

/// How far a car without brakes goes down a slope in some seconds from rest (m), and its speed then
/// (m/s). The slope is a part of the one that its tires hold by their resistance.
fn let_go<Tire: TireModel>(
    mut drive: Drive<Tire>,
    part: Real,
    (rate, substeps): (Real, u32),
    seconds: Real,
) -> ([Real; 2], Real) {
    drive.sequence = DirectDriveVehicleWith::sequence_with_substeps(move |_| substeps);
    let (frame, gravity) = (drive.frame(), drive.simulation.gravity.length());
    for _ in 0..60 {
        drive.step(Commands { brakes: [1.0, 0.0], ..COAST });
    }
    let resistance: Real = (0..4)
        .map(|wheel| drive.vehicle.state.mechanics.tires.of(wheel).force.standing_resistance)
        .sum();
    let slope = resistance / (drive.vehicle.params().mechanics.rigid_body.mass * gravity);
    let down = -(frame.vertical() + frame.longitudinal() * -(part * slope)).normalize();
    drive.simulation.gravity = down * gravity;
    let (start, _) = drive.body();
    let context = Context::new(&drive.simulation, &drive.road);
    drive.vehicle.commands = COAST;
    for _ in 0..(seconds * rate) as usize {
        let flow = drive.sequence.update(&mut drive.vehicle, 1.0 / rate, &context);
        assert_eq!(flow, Ok(Continue(())));
    }
    let (end, _) = drive.body();
    ([(end - start).dot(frame.longitudinal()), drive.forward_speed()], slope)
}

fn rolls_above_its_resistance<Tire: TireModel>(new: impl Fn() -> Drive<Tire>) {
    for rate in RATES {
        let ([way, speed], slope) = let_go(new(), 0.8, rate, 6.0);
        let name = new().name;
        assert!(0.004 < slope && slope < 0.02, "{name}: {slope}");
        assert!(way.abs() < 0.02 && speed.abs() < 2e-3, "{name}, {rate:?}: {way} m, {speed} m/s");
        // (θ - f) g t, with the inertia of the wheels.
        let ([_, speed], slope) = let_go(new(), 2.0, rate, 6.0);
        let expected = slope * GRAVITY * 6.0 / 1.03;
        let error = speed / expected - 1.0;
        assert!(error.abs() < 0.1, "{name}, {rate:?}: {speed} m/s, not {expected}");
        let ([way, speed], _) = let_go(new(), 1.25, rate, 6.0);
        assert!(0.1 < way && 0.04 < speed, "{name}, {rate:?}: {way} m, {speed} m/s");
    }
}

#[test]
fn a_free_car_begins_to_roll_at_the_slope_that_its_resistance_says() {
    for sheet in rides() {
        let mechanics = sheet.mechanics().expect("a faultless car");
        rolls_above_its_resistance(|| Drive::<BrushTire>::new("default", mechanics.clone()));
        rolls_above_its_resistance(|| car_of(&sheet, "Magic Formula", SIZE.magic_formula()));
        let rolling_resistance = SIZE.rolling_resistance();
        let fiala = RollingTire { law: SIZE.fiala(), rolling_resistance };
        rolls_above_its_resistance(|| car_of(&sheet, "Fiala", fiala));
    }
}

/// Heading of a car after a time in a bend at 10 m/s (rad), with these limits of slips.
fn heading(limits: TireSlipParams) -> Real {
    let mut drive = Drive::new("bend", CarBlueprint::default().mechanics().expect("a car"));
    drive.simulation.tire_slip = limits;
    drive.wait(1.0, COAST);
    drive.roll(10.0);
    let mut heading = 0.0;
    for _ in 0..(20.0 / DT) as usize {
        drive.step(Commands { steer: 0.2, throttle: 0.15, ..COAST });
        heading += drive.speeds()[1] * DT;
    }
    heading
}

#[test]
fn bends_are_those_of_tires_without_limits_of_their_slips() {
    let pure = TireSlipParams {
        min_lateral_denominator: 0.01,
        min_passive_longitudinal_denominator: 0.01,
        min_active_longitudinal_denominator: 0.01,
        ..TireSlipParams::default()
    };
    let [pure, found, added] =
        [pure, TireSlipParams::default(), TireSlipParams::REFERENCE].map(heading);
    assert!(6.0 < pure, "{pure} rad");
    assert!((found - pure).abs() < 2e-3 * pure, "{found} rad, not {pure}");
    assert!(8.0 * (found - pure).abs() < (added - pure).abs(), "{added} rad where they are added");
}
