//! Each formula alone, on one wheel of the sample car at 20 m/s.

use std::hint::black_box;
use std::time::Duration;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, criterion_group, criterion_main};
use vehicle_benches::{DT, RollingWheel};
use vehicle_rapier::core::actuation::WheelActuation;
use vehicle_rapier::core::brakes::brake_torque;
use vehicle_rapier::core::commands::command_response;
use vehicle_rapier::core::frame::Axis;
use vehicle_rapier::core::legacy::wheel_rotation_speed;
use vehicle_rapier::core::lookup_table::LookupTable;
use vehicle_rapier::core::math::{Real, Vec3};
use vehicle_rapier::core::rigid_body::{Wrench, accelerate, advance_pose};
use vehicle_rapier::core::road_geometry::{FlatRoad, RoadProbe, RoadSurface};
use vehicle_rapier::core::steering::{ackermann_angles, steer_angle};
use vehicle_rapier::core::suspension::clearance::{cylinder_clearance, ray_clearance};
use vehicle_rapier::core::suspension::{
    AntiRollBarEnd, ContactShape, ExpansionSpeed, JounceParams, SuspensionComplianceParams,
    SuspensionLoad, anti_roll_torque, force_arm, sprung_masses, suspension_compliance,
    suspension_compression, suspension_force, wheel_travel,
};
use vehicle_rapier::core::tire::{
    GripInput, StickyInput, TireContact, TireInput, TireModel, TireStickyParams, TireWheel,
    camber_angle, tire_directions, tire_force, tire_slip, tire_speeds, tire_sticky_state,
};
use vehicle_rapier::core::vehicle::MechanicalParams;
use vehicle_rapier::core::wheel::wheel_local_pose;
use vehicle_rapier::core::wheel_rotation::{MovedPart, TireTorque, WheelTorques, coupled_wheel};

/// The wheel's number.
const WHEEL: usize = RollingWheel::WHEEL;

/// Stiffness of an anti-roll bar of a car (N/m).
const BAR_STIFFNESS: Real = 20_000.0;

/// A driver's pedal or steering wheel.
const COMMAND: Real = 0.3;

type Group<'a> = BenchmarkGroup<'a, WallTime>;

fn group<'a>(criterion: &'a mut Criterion, name: &str) -> Group<'a> {
    let mut group = criterion.benchmark_group(name);
    group.warm_up_time(Duration::from_millis(200)).measurement_time(Duration::from_millis(800));
    group
}

fn bench<R>(group: &mut Group<'_>, name: &str, mut formula: impl FnMut() -> R) {
    group.bench_function(name, |bencher| bencher.iter(&mut formula));
}

fn rolling_wheel() -> RollingWheel {
    RollingWheel::new().expect("the sample car is valid")
}

fn commands(criterion: &mut Criterion) {
    let rolling = rolling_wheel();
    let (speed, mechanics) = (rolling.speed(), rolling.mechanics());
    let (foot_brake, throttle) = (&mechanics.brakes[0], &rolling.params.throttle);
    let mut group = group(criterion, "commands");
    bench(&mut group, "linear response", || {
        command_response(black_box(foot_brake), black_box(COMMAND), black_box(speed), WHEEL)
    });
    bench(&mut group, "table response", || {
        command_response(black_box(throttle), black_box(COMMAND), black_box(speed), WHEEL)
    });
    bench(&mut group, "brake torque", || {
        let commands = black_box([COMMAND, 0.0]);
        brake_torque(black_box(&mechanics.brakes), &commands, black_box(speed), WHEEL)
    });
    bench(&mut group, "steer angle", || {
        steer_angle(black_box(&mechanics.steering), black_box(COMMAND), black_box(speed), WHEEL)
    });
    bench(&mut group, "Ackermann angles", || {
        ackermann_angles(black_box(&mechanics.ackermann[0]), black_box(COMMAND))
    });
}

fn road(criterion: &mut Criterion) {
    let rolling = rolling_wheel();
    let (body, frame) = (&rolling.state.rigid_body, rolling.frame());
    let MechanicalParams { wheels, suspensions, .. } = rolling.mechanics();
    let (travel, angle) = (rolling.travel(), rolling.angles().steer);
    let plane = rolling.road().plane;
    let probe = RoadProbe { wheel: WHEEL, tire_kind: 0, travel };
    let flat_road = FlatRoad::new(frame);
    let mut group = group(criterion, "road");
    bench(&mut group, "wheel travel", || {
        let (suspension, wheel) = black_box((&suspensions[WHEEL], &wheels[WHEEL]));
        wheel_travel(suspension, wheel, black_box(body), black_box(angle), black_box(frame))
    });
    bench(&mut group, "flat road", || black_box(&flat_road).probe(black_box(&probe)));
    bench(&mut group, "ray clearance", || ray_clearance(black_box(&travel), black_box(&plane)));
    bench(&mut group, "cylinder clearance", || {
        cylinder_clearance(black_box(&travel), black_box(frame), black_box(&plane))
    });
}

fn suspension(criterion: &mut Criterion) {
    let rolling = rolling_wheel();
    let mut group = group(criterion, "suspension");
    bench_suspension_state(&mut group, &rolling);
    bench_compliance(&mut group, &rolling);

    let (body, state) = (&rolling.state.rigid_body, rolling.state.suspensions.of(WHEEL));
    let mechanics = rolling.mechanics();
    let (mount, spring) = (&mechanics.suspensions[WHEEL], &mechanics.suspension_forces[WHEEL]);
    let load = SuspensionLoad::new(
        body,
        mount,
        mechanics.rigid_body.mass,
        rolling.simulation.gravity,
        rolling.road().plane.normal,
        state.compliance.suspension_force_point,
    );
    let (jounce, jounce_speed) = (rolling.jounce(), state.compression.jounce_speed);
    bench(&mut group, "suspension force", || {
        let (spring, mount) = black_box((spring, mount));
        let (jounce, jounce_speed) = black_box((jounce, jounce_speed));
        suspension_force(spring, mount, black_box(body), jounce, jounce_speed, black_box(&load))
    });
    let end = |wheel: usize| AntiRollBarEnd {
        suspension: mechanics.suspensions[wheel],
        jounce: rolling.state.suspensions.of(wheel).compression.jounce.unwrap_or(0.0),
        force_point: load.force_point,
    };
    let ends = [end(0), end(1)];
    bench(&mut group, "anti-roll torque", || {
        anti_roll_torque(black_box(BAR_STIFFNESS), black_box(&ends))
    });
}

fn bench_suspension_state(group: &mut Group<'_>, rolling: &RollingWheel) {
    let (travel, drop, frame) = (rolling.travel(), rolling.drop(), rolling.frame());
    let plane = rolling.road().plane;
    let previous = rolling.state.suspensions.of(WHEEL).compression;
    for (name, expansion) in [
        ("suspension state", ExpansionSpeed::Unlimited),
        ("suspension state, limited expansion", ExpansionSpeed::Limited),
    ] {
        let params = JounceParams { contact: ContactShape::Cylinder, expansion };
        bench(group, name, || {
            let (travel, plane) = black_box((&travel, &plane));
            let (drop, previous) = black_box((&drop, &previous));
            suspension_compression(
                black_box(&params),
                travel,
                frame,
                Some(plane),
                drop,
                previous,
                DT,
            )
        });
    }
}

fn bench_compliance(group: &mut Group<'_>, rolling: &RollingWheel) {
    let (jounce, travel_distance) = (rolling.jounce(), rolling.travel().distance);
    let angle = LookupTable::new([(0.0, -0.01), (0.5, 0.0), (1.0, 0.02)]);
    let angle = angle.expect("the points are in order");
    let force_point = rolling.mechanics().compliances[WHEEL].tire_force_point.clone();
    let bending = SuspensionComplianceParams {
        toe: angle.clone(),
        camber: angle,
        suspension_force_point: force_point.clone(),
        tire_force_point: force_point,
    };
    let rigid = &rolling.mechanics().compliances[WHEEL];
    for (name, params) in [("rigid compliance", rigid), ("compliance curves", &bending)] {
        bench(group, name, || {
            suspension_compliance(black_box(params), black_box(jounce), black_box(travel_distance))
        });
    }
}

fn tire_motion(criterion: &mut Criterion) {
    let rolling = rolling_wheel();
    let (body, frame) = (&rolling.state.rigid_body, rolling.frame());
    let (orientation, normal) = (rolling.orientation(), rolling.road().plane.normal);
    let (axle, forward) = (orientation * frame.lateral(), orientation * frame.longitudinal());
    let (tire, wheel) = (rolling.state.tires.of(WHEEL), rolling.state.wheels.of(WHEEL));
    let radius = rolling.mechanics().wheels[WHEEL].radius;
    let contact = rolling.travel().bottom(rolling.jounce());
    let rim_speed = wheel.rotation_speed * radius;
    let actuation = WheelActuation { is_driven: true, is_braked: false };
    let mut group = group(criterion, "tire motion");
    bench(&mut group, "directions", || tire_directions(black_box(axle), black_box(normal)));
    bench(&mut group, "camber angle", || {
        camber_angle(black_box(axle), black_box(forward), black_box(normal))
    });
    bench(&mut group, "speeds", || {
        let directions = black_box(&tire.directions);
        tire_speeds(black_box(body), black_box(contact), black_box(Vec3::ZERO), directions)
    });
    bench(&mut group, "slip", || {
        let params = black_box(&rolling.simulation.tire_slip);
        tire_slip(params, black_box(&tire.speeds), black_box(rim_speed), black_box(actuation))
    });
    let params = TireStickyParams::default();
    let input = StickyInput {
        stopping_speed: 0.0,
        grip: tire.grip,
        speeds: tire.speeds,
        rotation_speed: wheel.rotation_speed,
        radius,
        slides_to_rest: false,
        is_vehicle_driven: true,
        is_vehicle_braked: false,
    };
    let previous = rolling.state.tires.of(WHEEL).sticky;
    bench(&mut group, "sticky state", || {
        tire_sticky_state(black_box(&params), black_box(&input), black_box(&previous), DT)
    });
}

fn brush_tire(criterion: &mut Criterion) {
    let rolling = rolling_wheel();
    let (road, tire) = (rolling.road(), rolling.state.tires.of(WHEEL));
    let (model, normal_load) =
        (&rolling.mechanics().tires[WHEEL], rolling.state.suspensions.of(WHEEL).force.normal_load);
    let grip_input = GripInput { normal_load, road_friction: road.friction, slip: tire.slip };
    let wheel = tire_wheel(&rolling);
    let input = TireInput {
        wheel,
        ground: &road,
        soil: None,
        normal_load,
        grip: tire.grip,
        slip: tire.slip,
        stopping_force: Real::INFINITY,
        dt: DT,
    };
    let output = model.forces(&input, &mut ());
    let mount = &rolling.mechanics().suspensions[WHEEL];
    let force_point = rolling.state.suspensions.of(WHEEL).compliance.tire_force_point;
    let contact = TireContact {
        directions: tire.directions,
        normal: road.plane.normal,
        arm: force_arm(mount, &rolling.state.rigid_body, force_point),
        radius: wheel.radius,
    };
    let mut group = group(criterion, "brush tire");
    bench(&mut group, "grip", || black_box(model).grip(black_box(&grip_input)));
    bench(&mut group, "forces", || black_box(model).forces(black_box(&input), &mut ()));
    bench(&mut group, "force on the body", || tire_force(black_box(&output), black_box(&contact)));
}

fn tire_wheel(rolling: &RollingWheel) -> TireWheel {
    let params = &rolling.mechanics().wheels[WHEEL];
    let tire = rolling.state.tires.of(WHEEL);
    TireWheel {
        pose: rolling.travel().pose,
        linear_velocity: rolling.state.rigid_body.linear_velocity,
        angular_velocity: rolling.state.rigid_body.angular_velocity,
        contact_speeds: tire.speeds,
        rotation_speed: rolling.state.wheels.of(WHEEL).rotation_speed,
        radius: params.radius,
        half_width: params.half_width,
        inclination: tire.camber,
        inflation_pressure: params.inflation_pressure,
        radial_stiffness: params.stiffness(),
    }
}

fn motion(criterion: &mut Criterion) {
    let rolling = rolling_wheel();
    let mechanics = rolling.mechanics();
    let (params, state) = (&mechanics.rigid_body, &rolling.state.rigid_body);
    let load = Wrench {
        force: Vec3::new(4_000.0, 100.0, 2_500.0),
        torque: Vec3::new(-200.0, 1_000.0, 300.0),
    };
    let mut group = group(criterion, "motion");
    bench(&mut group, "rigid body", || {
        let velocity = accelerate(black_box(params), black_box(state), black_box(&load), DT);
        advance_pose(&state.pose, &velocity, DT)
    });
    let (mount, jounce, angles) =
        (&mechanics.suspensions[WHEEL], rolling.jounce(), rolling.angles());
    bench(&mut group, "wheel pose", || {
        let (mount, angles) = black_box((mount, &angles));
        wheel_local_pose(mount, black_box(jounce), angles, black_box(rolling.frame()))
    });
    let torques = WheelTorques { drive: rolling.drive_torque, brake: 0.0 };
    let tire = rolling.state.tires.of(WHEEL);
    let (wheel, speed) = (&mechanics.wheels[WHEEL], rolling.state.wheels.of(WHEEL).rotation_speed);
    let actuation = WheelActuation::from_torques(torques.brake, torques.drive);
    bench(&mut group, "direct-drive wheel speed", || {
        let (wheel, torques) = black_box((wheel, &torques));
        let tire_torque = black_box(tire.force.wheel_torque);
        wheel_rotation_speed(wheel, torques, tire_torque, black_box(actuation), speed, DT)
    });
    bench(&mut group, "wheel coupled with its tire", || {
        let mass = mechanics.rigid_body.mass / mechanics.wheels.len() as Real;
        let moved = MovedPart { mass, pull: 0.0 };
        let tire = TireTorque::new(black_box(&tire), wheel.radius, &moved, DT);
        coupled_wheel(wheel, black_box(&torques), &tire, black_box(speed), DT)
    });
}

fn set_up(criterion: &mut Criterion) {
    let mut group = group(criterion, "set-up");
    for wheel_count in [4, 20] {
        let positions: Vec<Vec3> = (0..wheel_count).map(wheel_position).collect();
        bench(&mut group, &format!("sprung masses of {wheel_count} wheels"), || {
            sprung_masses(black_box(&positions), black_box(2_000.0), Axis::NegY)
        });
    }
}

/// Where wheel `index` of a vehicle with an axle every 1.4 m is, seen from its center of mass (m).
fn wheel_position(index: usize) -> Vec3 {
    let (axle, side) = (index / 2, if index.is_multiple_of(2) { -0.8 } else { 0.8 });
    Vec3::new(side, -0.5, 1.3 - 1.4 * axle as Real)
}

criterion_group!(benches, commands, road, suspension, tire_motion, brush_tire, motion, set_up);
criterion_main!(benches);
