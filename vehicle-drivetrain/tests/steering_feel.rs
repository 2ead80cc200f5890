//! What a driver feels at the steering wheel as the front tires near their limit.

use vehicle_core::blueprint::CarBlueprint;
use vehicle_core::commands::CommandResponseParams;
use vehicle_core::frame::Frame;
use vehicle_core::math::{Pose, Real, Vec3};
use vehicle_core::rigid_body::RigidBodyState;
use vehicle_core::road_geometry::FlatRoad;
use vehicle_core::steering::SteeringSystemParams;
use vehicle_core::tire::models::{MagicFormulaTire, RollingTire, TireSize, TireUse};
use vehicle_core::tire::tir::TirFile;
use vehicle_core::tire::{BrushTire, TireModel};
use vehicle_core::{Context, SimulationParams};
use vehicle_drivetrain::{DirectDriveParams, DirectDriveVehicleWith};

const DT: Real = 1.0 / 60.0;
const SPEED: Real = 20.0;
const STEPS: usize = 600;
const PUBLISHED: &str = include_str!("../../vehicle-core/tests/data/205_60R15.tir");
const SIZE: TireSize =
    TireSize { made_for: TireUse::PassengerCar, load: 4_000.0, radius: 0.33, width: 0.22 };

/// Steer angle (rad), lateral force of the front axle (N), torque of the road at the steering wheel
/// (N·m), and aligning moment of the front tires (N·m).
type Point = [Real; 4];

/// The saloon on `tire`, drawn straight on at constant height as its front wheels are turned slowly
/// to the left, by 0.3 rad in ten seconds.
fn sweep<Tire: TireModel>(tire: Tire, system: SteeringSystemParams) -> Vec<Point> {
    let blueprint = CarBlueprint { max_steer_angle: 0.3, ..CarBlueprint::default() };
    let mut mechanics = blueprint.mechanics().expect("a faultless car").with_tires(vec![tire; 4]);
    mechanics.steering_system = Some(system);
    mechanics.ackermann.clear();
    let throttle = CommandResponseParams::linear(0.0, [0.0; 4]);
    let mut car =
        DirectDriveVehicleWith::new(DirectDriveParams { mechanics, throttle }).expect("valid");
    let sequence = DirectDriveVehicleWith::sequence();
    let frame = Frame::default();
    let (simulation, road) = (SimulationParams::new(frame), FlatRoad::new(&frame));
    let drawn = RigidBodyState {
        linear_velocity: frame.longitudinal() * SPEED,
        ..RigidBodyState::at_rest(Pose::from_translation(
            frame.vertical() * blueprint.center_of_mass_height,
        ))
    };
    let step = |number: usize| {
        car.commands.steer = number as Real / STEPS as Real;
        car.state.mechanics.rigid_body = drawn;
        let _completed =
            sequence.update(&mut car, DT, &Context::new(&simulation, &road)).expect("a step");
        let state = &car.state.mechanics;
        let left = drawn.direction(frame.lateral());
        let force: Vec3 = (0..2).map(|wheel| state.tires.of(wheel).force.force()).sum();
        let moment: Real = (0..2).map(|wheel| state.tires.of(wheel).force.aligning_moment).sum();
        [state.steer_angles[0], force.dot(left), state.steering.wheel_torque, moment]
    };
    (0..STEPS).map(step).collect()
}

/// The first point at which `value` has 99.5 % of its peak.
fn peak(points: &[Point], value: impl Fn(&Point) -> Real) -> &Point {
    let most = points.iter().map(&value).fold(Real::MIN, Real::max);
    points.iter().find(|point| 0.995 * most <= value(point)).expect("the largest one")
}

/// The torque has fallen to `share` of its peak, or further, where the force has its own: the
/// caster's trail keeps the rest.
fn torque_falls_before_the_force_does<Tire: TireModel>(name: &str, tire: Tire, share: Real) {
    let system = SteeringSystemParams::car(0, 1);
    let axis = system.axes[0];
    let points = sweep(tire, system.clone());
    let by_force = peak(&points, |point| point[1]);
    let by_torque = peak(&points, |point| -point[2]);
    eprintln!("{name}: torque {by_torque:?}, force {by_force:?}");
    assert!(by_torque[0] < 0.75 * by_force[0], "{name}: {by_torque:?}, {by_force:?}");
    assert!(-by_force[2] < share * -by_torque[2], "{name}: {by_torque:?}, {by_force:?}");
    // Without power assistance: the force at the caster's trail, and the tires' own moments.
    let [_, force, torque, moment] = *by_torque;
    let expected = (moment - force * axis.mechanical_trail) / system.ratio;
    assert!((torque / expected - 1.0).abs() < 0.03, "{name}: {torque} N·m, expected {expected}");
}

#[test]
fn the_steering_wheel_gets_light_before_the_front_axle_slides() {
    let published = MagicFormulaTire::from(TirFile::parse(PUBLISHED).unwrap().tire);
    torque_falls_before_the_force_does("Magic Formula of a file", published, 0.85);
    let default = CarBlueprint::default().mechanics().expect("a faultless car").tires[0];
    torque_falls_before_the_force_does("default", default, 0.98);
    torque_falls_before_the_force_does("Fiala", RollingTire::new(SIZE.fiala()), 0.98);
    torque_falls_before_the_force_does("brush", RollingTire::new(SIZE.parabolic_brush()), 0.98);
    torque_falls_before_the_force_does("TMeasy", RollingTire::new(SIZE.tmeasy()), 0.98);
}

#[test]
fn torque_is_the_sum_of_moments_by_the_steering_ratio() {
    // Without a pneumatic trail, the moment is the force at the trail, with an upright axis and no
    // offset.
    let mut system = SteeringSystemParams::car(0, 1);
    for axis in &mut system.axes {
        (axis.caster, axis.kingpin_inclination, axis.kingpin_offset) = (0.0, 0.0, 0.0);
    }
    let (ratio, trail) = (system.ratio, system.axes[0].mechanical_trail);
    let tire = BrushTire {
        longitudinal_stiffness: 60e3,
        lateral_stiffness: 60e3,
        lateral_stiffness_load: 0.0,
        camber_stiffness: 0.0,
        rest_load: 4_000.0,
        friction_vs_slip: BrushTire::CONSTANT_FRICTION,
        lateral_slip_weight: 0.0,
        rolling_resistance: 0.0,
        load_filter: BrushTire::IDENTITY_LOAD_FILTER,
        pneumatic_trail: 0.0,
    };
    for [steer, force, torque, _] in sweep(tire, system) {
        // The force across the wheel has this share of the axle's across the car.
        let expected = -trail * force / (steer.cos() * ratio);
        let error = (torque - expected).abs();
        assert!(error < 0.03 * expected.abs() + 0.15, "{steer} rad: {torque}, not {expected} N·m");
    }
}
