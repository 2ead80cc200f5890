//! A step of engine, clutch and wheels, beside dense solutions of the same system.

use std::hint::black_box;
use std::time::Duration;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, BenchmarkId, Criterion, criterion_group, criterion_main};
use nalgebra::{DMatrix, DVector, RealField};
use vehicle_benches::DT;
use vehicle_rapier::core::implicit_clutch::{
    ClutchEngine, ClutchSystem, ClutchWheel, FrictionCouplers, WheelConstraint, solve,
};
use vehicle_rapier::core::legacy::clutch;
use vehicle_rapier::core::math::Real;
use vehicle_rapier::core::wheel_rotation::{TireTorque, WheelTorques};

const WHEEL_COUNTS: [usize; 5] = [2, 4, 6, 10, 20];

/// A torque that no tire of the sample reaches (N·m).
const GRIP: Real = 1e6;
/// One that each of them would exceed (N·m).
const NO_GRIP: Real = 20.0;

/// A car in second gear on a throttle that its clutch slips a little under, no two wheels alike.
fn system(wheel_count: usize) -> ClutchSystem {
    let share = 1.0 / wheel_count as Real;
    let wheel = |index: usize| ClutchWheel {
        rotation_speed: 30.0 + 0.2 * index as Real,
        inertia: 1.2,
        damping_rate: 0.25,
        torques: WheelTorques::default(),
        tire: TireTorque { torque: -150.0 * share, resistance: 2_000.0, max_torque: GRIP },
        torque_ratio: share,
        speed_ratio: share,
        constraint: None,
    };
    let engine = ClutchEngine {
        rotation_speed: 260.0,
        inertia: 0.3,
        damping_rate: 0.2,
        torque: 200.0,
        speed_range: [80.0, 700.0],
    };
    let wheels = (0..wheel_count).map(wheel).collect();
    ClutchSystem {
        strength: 25.0,
        capacity: Real::INFINITY,
        gear_ratio: 8.0,
        engine,
        wheels,
        couplers: FrictionCouplers::new(),
    }
}

/// This `system` with tires that lose their grip and brakes that stop some of the wheels.
fn braked_on_ice(mut system: ClutchSystem) -> ClutchSystem {
    for (index, wheel) in system.wheels.iter_mut().enumerate() {
        wheel.torques.brake = if index % 2 == 0 { 4_000.0 } else { 100.0 };
        wheel.tire.torque = -NO_GRIP;
        wheel.tire.max_torque = NO_GRIP;
    }
    system
}

/// This `system` on two tracks.
fn tracked(mut system: ClutchSystem) -> ClutchSystem {
    for (index, wheel) in system.wheels.iter_mut().enumerate() {
        let group = if index % 2 == 0 { 0 } else { 1 };
        wheel.constraint = Some(WheelConstraint { group, speed_multiplier: 1.0 });
    }
    system
}

/// `M x = b` of the system with the slopes of its tires: one row per wheel, and the engine's.
fn dense<T: RealField + From<f32>>(system: &ClutchSystem) -> (DMatrix<T>, DVector<T>) {
    let ClutchSystem { strength, gear_ratio, engine, wheels, .. } = system;
    let count = wheels.len();
    let matrix = DMatrix::from_fn(count + 1, count + 1, |row, column| {
        let along = wheels.get(column).map_or(-1.0, |wheel| gear_ratio * wheel.speed_ratio);
        let (inertia, resistance, ratio) =
            wheels.get(row).map_or((engine.inertia, engine.damping_rate, -1.0), |wheel| {
                let resistance = wheel.damping_rate + wheel.tire.resistance;
                (wheel.inertia, resistance, gear_ratio * wheel.torque_ratio)
            });
        let coupled = DT / inertia * strength * ratio * along;
        let diagonal = if row == column { 1.0 + DT / inertia * resistance } else { 0.0 };
        T::from(diagonal + coupled)
    });
    let right = DVector::from_fn(count + 1, |row, _| {
        let engine_side = engine.rotation_speed + DT / engine.inertia * engine.torque;
        T::from(wheels.get(row).map_or(engine_side, |wheel| {
            let torque = wheel.tire.torque + wheel.tire.resistance * wheel.rotation_speed;
            wheel.rotation_speed + DT / wheel.inertia * torque
        }))
    });
    (matrix, right)
}

fn bench<R>(
    group: &mut BenchmarkGroup<'_, WallTime>,
    name: &str,
    wheel_count: usize,
    mut step: impl FnMut() -> R,
) {
    let id = BenchmarkId::new(name, wheel_count);
    group.bench_function(id, |bencher| bencher.iter(&mut step));
}

fn bench_lu<T: RealField + From<f32>>(
    group: &mut BenchmarkGroup<'_, WallTime>,
    name: &str,
    system: &ClutchSystem,
) {
    let (matrix, right) = dense::<T>(system);
    bench(group, name, system.wheels.len(), || {
        black_box(&matrix).clone().lu().solve(black_box(&right))
    });
}

fn clutch(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("clutch");
    group.warm_up_time(Duration::from_millis(100)).measurement_time(Duration::from_millis(400));
    for wheel_count in WHEEL_COUNTS {
        let free = system(wheel_count);
        let (icy, tracks) = (braked_on_ice(free.clone()), tracked(free.clone()));
        let mut bench = |name, step: &dyn Fn()| bench(&mut group, name, wheel_count, step);
        for (name, system) in
            [("implicit", &free), ("implicit, braked on ice", &icy), ("implicit, tracks", &tracks)]
        {
            bench(name, &|| _ = black_box(&solve(black_box(system), DT)));
        }
        bench("explicit", &|| _ = black_box(&clutch::solve(black_box(&free), DT)));
        bench("least squares, tracks", &|| {
            _ = black_box(&clutch::solve_least_squares(black_box(&tracks), DT));
        });
        bench_lu::<f32>(&mut group, "dense LU, 32 bits", &free);
        bench_lu::<f64>(&mut group, "dense LU, 64 bits", &free);
    }
}

criterion_group!(benches, clutch);
criterion_main!(benches);
