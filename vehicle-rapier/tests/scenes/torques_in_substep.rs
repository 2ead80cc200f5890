//! Torques that a component in the substep writes do what those of the driver do, bit for bit:
//! rows, tires and drivetrains read them there.

use std::ops::ControlFlow::{self, Continue};

use crate::common::hill::{Trial, parked};
use crate::common::{DT, EXECUTIONS, car, drive};
use rapier3d::prelude::*;
use snippets::drivetrains::{SampleDifferential, sample_engine_drive};
use snippets::scenes::level_world;
use snippets::vehicles::{SAMPLE_REST_HEIGHT, sample_chassis};
use vehicle_rapier::core::WheelList;
use vehicle_rapier::drivetrain::stages::{EngineActuation, WrittenTorques};
use vehicle_rapier::prelude::*;

/// Brakes all wheels as the driver does who presses the pedal of the sample car.
fn press_brakes<V: HasMechanics>(vehicle: &mut V, _: Real, _: &Context<'_>) -> ControlFlow<()> {
    let mechanics = vehicle.mechanics();
    let [wheels, brake] = [mechanics.params.axles.wheel_count(), 0];
    let torques: Vec<_> = (0..wheels)
        .map(|wheel| {
            let response = &mechanics.params.brakes[brake];
            response.max_response * response.wheel_multipliers[wheel]
        })
        .collect();
    mechanics.state.brake_torques = WheelList::from_slice(&torques);
    Continue(())
}

/// Leaves half of the drive torques, once in a frame.
fn halve_drive(car: &mut DirectDriveVehicle, _: Real, context: &Context<'_>) -> ControlFlow<()> {
    if context.substep.index == 0 {
        car.state.drive.torques.edit_all(|torque| *torque *= 0.5);
    }
    Continue(())
}

/// What the mechanical base of a car does, printed: floats with the digits that tell their bits.
fn printed<V: HasMechanics>(car: &RapierVehicle<V>) -> String {
    format!("{:?}", car.vehicle.read_mechanics().state)
}

#[test]
fn brakes_pressed_in_the_substep_hold_a_car_on_a_hill_as_those_of_its_driver() {
    for execution in EXECUTIONS {
        for substeps in [1, 3] {
            let trial = Trial { execution, substeps, can_sleep: false, ..Trial::default() };
            let (mut world, mut car) = parked(&trial);
            let (mut other_world, mut other) = parked(&trial);
            other.vehicle.commands.brakes[0] = 0.0;
            let sequence = (*other.sequence).clone();
            let sequence = sequence.insert_before::<Tire>(press_brakes::<_>).expect("tires");
            let sequence = sequence.insert_before::<Tire>(WrittenTorques).expect("tires");
            other.sequence = sequence.into();
            let start = *world.bodies[car.actor.body].position();
            for step in 0..240 {
                car.step(&mut world).expect("the car can be driven");
                other.step(&mut other_world).expect("the car can be driven");
                assert_eq!(printed(&other), printed(&car), "{trial:?}, step {step}");
            }
            let way = world.bodies[car.actor.body].translation().distance(start.translation);
            assert!(way < 0.05, "{trial:?}: {way} m");
        }
    }
}

#[test]
fn brakes_pressed_in_the_substep_stop_a_car_with_an_engine_as_those_of_its_driver() {
    let drive = |is_pressed_in_substep: bool| {
        let mut world = level_world(DT, 1.0);
        let params = sample_engine_drive(SampleDifferential::MultiWheel).expect("valid data");
        let pose = Pose::from_translation(Vector::Y * SAMPLE_REST_HEIGHT);
        let chassis = sample_chassis(&params.mechanics.rigid_body, pose);
        let vehicle = EngineDriveVehicle::new(params).expect("valid parameters");
        let sequence = EngineDriveVehicle::sequence();
        let mut car = RapierVehicle::insert(&mut world, chassis, vehicle, sequence);
        car.vehicle.commands.throttle = 1.0;
        let mut seen = Vec::new();
        for step in 0..300 {
            if step == 150 {
                car.vehicle.commands.throttle = 0.0;
                if is_pressed_in_substep {
                    let sequence = EngineDriveVehicle::sequence();
                    let sequence = sequence.insert_before::<Tire>(press_brakes::<_>);
                    let sequence =
                        sequence.and_then(|all| all.insert_before::<Tire>(EngineActuation));
                    car.sequence = sequence.expect("tires").into();
                } else {
                    car.vehicle.commands.brakes[0] = 1.0;
                }
            }
            car.step(&mut world).expect("the car can be driven");
            seen.push((car.forward_speed(), printed(&car)));
        }
        seen
    };
    let (pedal, substep) = (drive(false), drive(true));
    assert!(3.0 < pedal[149].0 && pedal[299].0.abs() < 0.01, "it drives and stops");
    for (step, (pedal, substep)) in pedal.iter().zip(&substep).enumerate() {
        assert_eq!(substep, pedal, "step {step}");
    }
}

#[test]
fn drive_torques_of_the_substep_accelerate_as_those_of_the_driver() {
    let mut cars = [(0.5, false), (1.0, true)].map(|(throttle, is_halved)| {
        let mut world = level_world(DT, 0.3);
        let mut car = car(&mut world, SAMPLE_REST_HEIGHT);
        if is_halved {
            let sequence = DirectDriveVehicle::sequence();
            car.sequence = sequence.insert_before::<Tire>(halve_drive).expect("tires").into();
        }
        car.vehicle.commands.throttle = throttle;
        (world, car)
    });
    for step in 0..120 {
        let [half, full] = cars.each_mut().map(|(world, car)| {
            drive(world, car, DT);
            printed(car)
        });
        assert_eq!(full, half, "step {step}");
    }
    assert!(1.0 < cars[0].1.forward_speed(), "{} m/s", cars[0].1.forward_speed());
}
