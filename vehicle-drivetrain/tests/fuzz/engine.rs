//! Cars and tanks with an engine.

use std::sync::LazyLock;

use proptest::prelude::*;
use vehicle_core::blueprint::{AxleRide, CarBlueprint};
use vehicle_core::commands::Commands;
use vehicle_core::frame::Frame;
use vehicle_core::math::{Pose, Real};
use vehicle_core::road_geometry::FlatRoad;
use vehicle_core::sequence::{Recoverable, UpdateError};
use vehicle_core::{ComponentSequence, Context, SimulationParams, WheelCoupling};
use vehicle_drivetrain::differential::{
    DifferentialParams, FourWheelDifferentialParams, LimitedSlipParams, LimitedSlips,
    MultiWheelDifferentialParams, TankDifferentialParams, TorqueBiasParams, TorqueBiases,
    TorqueSplittingParams, TrackParams,
};
use vehicle_drivetrain::drivetrain::DrivetrainParams;
use vehicle_drivetrain::engine_control::StallParams;
use vehicle_drivetrain::engine_drive_vehicle::EngineDriveState;
use vehicle_drivetrain::gearbox::GearCommand;
use vehicle_drivetrain::transmission::TransmissionCommands;
use vehicle_drivetrain::{EngineDriveParams, EngineDriveVehicle};

use crate::common::{DT, seeded};
use crate::tree::{Tree, changes, floats};
use crate::{STEPS, check_names, is_faultless, not_finite};

/// One vehicle for each kind of differential.
static MODELS: LazyLock<[EngineDriveParams; 4]> = LazyLock::new(|| {
    let shares = MultiWheelDifferentialParams::equal(4, &[0, 1, 2, 3]);
    let slip = Some(LimitedSlipParams { bias: 1.5, target: 1.2 });
    let track = |wheels: [usize; 2], thrust| TrackParams { wheels: wheels.to_vec(), thrust };
    let differentials = [
        DifferentialParams::MultiWheel(MultiWheelDifferentialParams::equal(4, &[2, 3])),
        DifferentialParams::FourWheel(FourWheelDifferentialParams {
            shares: shares.clone(),
            front: [0, 1],
            rear: [2, 3],
            limited_slip: LimitedSlips {
                center: slip,
                front: slip,
                rear: slip,
                rate: Some(10.0),
                min_speed: 0.1,
            },
            torque_bias: TorqueBiases {
                front: None,
                rear: Some(TorqueBiasParams { bias: 2.0, preload: 50.0 }),
            },
        }),
        DifferentialParams::TorqueSplitting(TorqueSplittingParams {
            driven: Default::default(),
            front: [0, 1],
            rear: [2, 3],
            front_share: 0.4,
            first_front_share: 0.5,
            first_rear_share: 0.5,
            center_bias: 1.3,
            front_bias: 1.3,
            rear_bias: 1.3,
        }),
        DifferentialParams::Tank(TankDifferentialParams {
            steering_ratio: 1.0,
            shares,
            tracks: vec![track([0, 2], 0), track([1, 3], 1)],
        }),
    ];
    // Every other car is on wheels with mass.
    let mut rides = [None, Some([AxleRide::default(); 2])].into_iter().cycle();
    differentials.map(|differential| {
        let mut drivetrain = DrivetrainParams::automatic(differential);
        drivetrain.engine.control.stall = Some(StallParams { speed: 30.0, starter_torque: 20.0 });
        let ride = rides.next().flatten();
        let sheet = CarBlueprint { ride, ..CarBlueprint::default() };
        let mechanics = sheet.mechanics().expect("a faultless car");
        EngineDriveParams { mechanics, drivetrain }
    })
});

/// The vehicles as they accelerate.
static VEHICLES: LazyLock<[EngineDriveVehicle; 4]> = LazyLock::new(|| {
    MODELS.each_ref().map(|params| {
        let mut vehicle = EngineDriveVehicle::new(params.clone()).expect("a faultless car");
        let up = Frame::Y_UP.vertical() * CarBlueprint::default().center_of_mass_height;
        vehicle.state.mechanics.rigid_body.pose = Pose::from_translation(up);
        vehicle.commands = Commands { throttle: 0.6, steer: 0.1, ..Commands::default() };
        for _ in 0..120 {
            step(&mut vehicle, DT, WheelCoupling::Implicit).expect("a faultless step");
        }
        vehicle
    })
});

fn step(
    vehicle: &mut EngineDriveVehicle,
    dt: Real,
    wheel_coupling: WheelCoupling,
) -> Result<(), UpdateError> {
    static SEQUENCE: LazyLock<ComponentSequence<EngineDriveVehicle>> =
        LazyLock::new(EngineDriveVehicle::sequence);
    let simulation = SimulationParams { wheel_coupling, ..SimulationParams::default() };
    let road = FlatRoad::new(&Frame::Y_UP);
    SEQUENCE.update_checked(vehicle, dt, &Context::new(&simulation, &road)).map(|_| ())
}

/// Steps of `dt` (s) end in finite motion, or are refused and change nothing.
fn check_steps(
    vehicle: &mut EngineDriveVehicle,
    dt: Real,
    is_explicit: bool,
) -> Result<(), TestCaseError> {
    let coupling = if is_explicit { WheelCoupling::Explicit } else { WheelCoupling::Implicit };
    for _ in 0..STEPS {
        // Printed, because a number that is not one does not equal itself.
        let before = format!("{:?}", vehicle.state);
        if let Err(error) = step(vehicle, dt, coupling) {
            prop_assert_eq!(format!("{:?}", vehicle.state), before, "{}", error);
            return if let UpdateError::Inputs(errors) = error {
                check_names(&errors)
            } else {
                Ok(())
            };
        }
        prop_assert!(vehicle.is_finite(), "{:?}", vehicle.state);
    }
    let state = format!("{:?}", vehicle.state);
    prop_assert_eq!(not_finite(&state), None);
    Ok(())
}

fn gear_commands() -> impl Strategy<Value = GearCommand> {
    let gears = prop_oneof![4 => 0_usize..9, 1 => any::<usize>()].prop_map(GearCommand::Gear);
    prop_oneof![gears, Just(GearCommand::Automatic)]
}

proptest! {
    #![proptest_config(seeded(40_000))]

    #[test]
    fn engines_are_refused_by_name_or_can_be_stepped(
        changes in changes(),
        model in 0_usize..4,
        is_explicit in any::<bool>(),
    ) {
        static TREES: LazyLock<[Tree; 4]> =
            LazyLock::new(|| MODELS.each_ref().map(|params| Tree::of(&params.drivetrain)));
        let Ok(drivetrain) = TREES[model].changed(&changes).read() else { return Ok(()) };
        let params = EngineDriveParams { drivetrain, ..MODELS[model].clone() };
        if is_faultless(&params)? {
            let mut vehicle = VEHICLES[model].clone();
            if vehicle.set_params(params).is_ok() {
                check_steps(&mut vehicle, DT, is_explicit)?;
            }
        }
    }

    #[test]
    fn any_state_of_a_drivetrain_is_stepped_or_kept(
        changes in changes(),
        model in 0_usize..4,
        is_explicit in any::<bool>(),
    ) {
        static TREES: LazyLock<[Tree; 4]> =
            LazyLock::new(|| VEHICLES.each_ref().map(|vehicle| Tree::of(&vehicle.state.drive)));
        let Ok(drive) = TREES[model].changed(&changes).read() else { return Ok(()) };
        let mut vehicle = VEHICLES[model].clone();
        vehicle.state = EngineDriveState { drive, ..vehicle.state };
        check_steps(&mut vehicle, DT, is_explicit)?;
    }

    #[test]
    fn any_driver_of_an_engine_is_obeyed_or_refused(
        [throttle, clutch] in [0.0_f32..=1.0, 0.0_f32..=1.0],
        thrusts in prop::array::uniform2(prop_oneof![4 => -1.0_f32..=1.0, 1 => floats()]),
        track_brakes in prop::array::uniform2(prop_oneof![4 => 0.0_f32..=1.0, 1 => floats()]),
        gear in gear_commands(),
        is_starting in any::<bool>(),
        is_parking in any::<bool>(),
        is_center_free in any::<bool>(),
        dt in prop_oneof![1e-4_f32..0.1, floats()],
        model in 0_usize..4,
    ) {
        let mut vehicle = VEHICLES[model].clone();
        vehicle.commands.throttle = throttle;
        vehicle.controls = TransmissionCommands {
            gear,
            clutch,
            thrusts,
            track_brakes,
            is_starting,
            is_parking,
            is_center_free,
        };
        check_steps(&mut vehicle, dt, false)?;
    }
}
