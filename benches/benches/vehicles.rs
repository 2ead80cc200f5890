//! A whole step: cars with direct drive and with an engine on a plane and in a Rapier world, and
//! Rapier's own vehicle.

use std::time::Duration;

use criterion::{
    BenchmarkId, Criterion, SamplingMode, Throughput, criterion_group, criterion_main,
};
use vehicle_benches::{
    CONTROLLER, ControllerFleet, Errand, FLEET_SIZES, FlatRoadFleet, Fleet, RapierFleet, SUBSTEPS,
    SampleVehicle, Timed, flat_road_name, rapier_world_name, standing_name, time,
};
use vehicle_rapier::core::constraint_rows::RowExecution;
use vehicle_rapier::drivetrain::{DirectDriveVehicle, EngineDriveVehicle};

fn vehicles(criterion: &mut Criterion) {
    bench(criterion, CONTROLLER, &Timed::ALL, ControllerFleet::new);
    for substeps in SUBSTEPS {
        in_world::<DirectDriveVehicle>(criterion, substeps);
        in_world::<EngineDriveVehicle>(criterion, substeps);
    }
    for errand in [Errand::Parked, Errand::Sleeping] {
        standing::<DirectDriveVehicle>(criterion, errand);
        standing::<EngineDriveVehicle>(criterion, errand);
    }
    for substeps in SUBSTEPS {
        on_plane::<DirectDriveVehicle>(criterion, substeps);
        on_plane::<EngineDriveVehicle>(criterion, substeps);
    }
}

fn in_world<V: SampleVehicle>(criterion: &mut Criterion, substeps: u32) {
    let name = rapier_world_name::<V>(substeps);
    bench(criterion, &name, &Timed::ALL, |count| RapierFleet::<V>::new(count, substeps));
}

fn standing<V: SampleVehicle>(criterion: &mut Criterion, errand: Errand) {
    let (name, substeps) = (standing_name::<V>(errand), SUBSTEPS[SUBSTEPS.len() - 1]);
    bench(criterion, &name, &Timed::ALL, |count| {
        RapierFleet::<V>::with(count, substeps, errand, RowExecution::Local)
    });
}

fn on_plane<V: SampleVehicle>(criterion: &mut Criterion, substeps: u32) {
    let (name, updates) = (flat_road_name::<V>(substeps), &[Timed::Update]);
    bench(criterion, &name, updates, |count| FlatRoadFleet::<V>::new(count, substeps));
}

/// Measures fleets of all sizes; each is built when its first measurement is asked for.
fn bench<F: Fleet>(
    criterion: &mut Criterion,
    name: &str,
    timed: &[Timed],
    build: impl Fn(usize) -> anyhow::Result<F>,
) {
    let mut group = criterion.benchmark_group(name);
    group
        .sampling_mode(SamplingMode::Flat)
        .sample_size(40)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(4));
    for fleet_size in FLEET_SIZES {
        let mut fleet = None;
        group.throughput(Throughput::Elements(fleet_size as u64));
        for &timed in timed {
            group.bench_function(BenchmarkId::new(timed.name(), fleet_size), |bencher| {
                let fleet = fleet
                    .get_or_insert_with(|| build(fleet_size).expect("the sample car is valid"));
                bencher.iter_custom(|steps| {
                    time(fleet, timed, steps).expect("every body is in its world")
                });
            });
        }
    }
    group.finish();
}

criterion_group!(benches, vehicles);
criterion_main!(benches);
