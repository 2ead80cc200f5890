//! A car with an engine, and a tank, on a flat road.

use std::ops::ControlFlow::Continue;

use vehicle_core::blueprint::{AxleBlueprint, CarBlueprint, VehicleBlueprint};
use vehicle_core::commands::Commands;
use vehicle_core::frame::Frame;
use vehicle_core::legacy::LegacySuspensionForceParams;
use vehicle_core::math::{Pose, Real};
use vehicle_core::road_geometry::FlatRoad;
use vehicle_core::stages::LegacySuspension;
use vehicle_core::{ComponentSequence, Context, SimulationParams};
use vehicle_drivetrain::differential::{
    DifferentialParams, FourWheelDifferentialParams, LimitedSlipParams, LimitedSlips,
    MultiWheelDifferentialParams, TankDifferentialParams, TorqueBiases, TrackParams,
};
use vehicle_drivetrain::drivetrain::DrivetrainParams;
use vehicle_drivetrain::{EngineDriveParams, EngineDriveVehicle};

use super::{DT, steps};

/// Four driven wheels, limited in their slip by `slip` everywhere.
pub fn limited_slip(slip: LimitedSlipParams) -> DifferentialParams {
    DifferentialParams::FourWheel(FourWheelDifferentialParams {
        shares: MultiWheelDifferentialParams::equal(4, &[0, 1, 2, 3]),
        front: [0, 1],
        rear: [2, 3],
        limited_slip: LimitedSlips {
            center: Some(slip),
            front: Some(slip),
            rear: Some(slip),
            ..LimitedSlips::default()
        },
        torque_bias: TorqueBiases::default(),
    })
}

/// A track on each side of a car.
pub fn tank() -> DifferentialParams {
    long_tank(2)
}

/// A track on each side of as many axles.
pub fn long_tank(axles: usize) -> DifferentialParams {
    let wheels: Vec<_> = (0..2 * axles).collect();
    let track = |side: usize| TrackParams {
        wheels: wheels.iter().copied().skip(side).step_by(2).collect(),
        thrust: side,
    };
    DifferentialParams::Tank(TankDifferentialParams {
        steering_ratio: 1.0,
        shares: MultiWheelDifferentialParams::equal(wheels.len(), &wheels),
        tracks: vec![track(0), track(1)],
    })
}

/// The data sheet of a vehicle of many axles, of which the first steers.
pub fn many_axles(axles: usize) -> VehicleBlueprint {
    let load = 1_000.0;
    let mut sheet: Vec<_> =
        (0..axles).map(|axle| AxleBlueprint::new(1.2 * axle as Real, 2.0, load, load)).collect();
    sheet[0].max_steer_angle = 0.5;
    VehicleBlueprint::new([1.2 * axles as Real + 1.0, 2.2, 1.5], 0.8, sheet)
}

/// The car of the default data sheet with the default engine behind `differential`.
pub fn engine_params(differential: DifferentialParams) -> EngineDriveParams {
    let mechanics = CarBlueprint::default().mechanics().expect("a faultless car");
    EngineDriveParams { mechanics, drivetrain: DrivetrainParams::automatic(differential) }
}

/// A vehicle with an engine, and the world around it.
pub struct EngineScene {
    pub vehicle: EngineDriveVehicle,
    pub sequence: ComponentSequence<EngineDriveVehicle>,
    pub simulation: SimulationParams,
    pub road: FlatRoad,
}

impl EngineScene {
    /// A vehicle that rests above the origin.
    pub fn at_rest(differential: DifferentialParams) -> Self {
        let blueprint = CarBlueprint::default();
        let vehicle =
            EngineDriveVehicle::new(engine_params(differential)).expect("faultless params");
        Self::above_origin(vehicle, blueprint.frame, blueprint.center_of_mass_height)
    }

    /// A vehicle of many axles that rests above the origin.
    pub fn long(axles: usize, differential: DifferentialParams) -> Self {
        let blueprint = many_axles(axles);
        let mechanics = blueprint.mechanics().expect("a faultless vehicle");
        let drivetrain = DrivetrainParams::automatic(differential);
        let vehicle = EngineDriveVehicle::new(EngineDriveParams { mechanics, drivetrain })
            .expect("faultless params");
        Self::above_origin(vehicle, blueprint.frame, blueprint.center_of_mass_height)
    }

    fn above_origin(mut vehicle: EngineDriveVehicle, frame: Frame, height: Real) -> Self {
        vehicle.state.mechanics.rigid_body.pose = Pose::from_translation(frame.vertical() * height);
        Self {
            vehicle,
            sequence: EngineDriveVehicle::sequence(),
            simulation: SimulationParams::new(frame),
            road: FlatRoad::new(&frame),
        }
    }

    pub fn step(&mut self) {
        let context = Context::new(&self.simulation, &self.road);
        let flow = self.sequence.update(&mut self.vehicle, DT, &context);
        assert_eq!(flow, Ok(Continue(())));
    }

    /// A step whose inputs are checked.
    pub fn checked_step(&mut self) {
        let context = Context::new(&self.simulation, &self.road);
        let flow = self.sequence.update_checked(&mut self.vehicle, DT, &context);
        assert_eq!(flow, Ok(Continue(())));
    }

    pub fn run(&mut self, seconds: Real, commands: Commands) {
        self.vehicle.commands = commands;
        for _ in 0..steps(seconds) {
            self.step();
        }
    }

    /// Rotation speed of each wheel (rad/s).
    pub fn wheel_speeds(&self) -> [Real; 4] {
        std::array::from_fn(|wheel| self.vehicle.state.mechanics.wheels.of(wheel).rotation_speed)
    }

    /// The state, with the digits that identify the bits of every float, and -0 with its sign.
    pub fn printed(&self) -> String {
        format!("{:?}", self.vehicle.state)
    }
}

/// A suspension for wheels without mass.
pub fn legacy_suspension() -> LegacySuspension {
    let spring = LegacySuspensionForceParams {
        stiffness: 30_000.0,
        damping: 3_000.0,
        rest_distance: 0.1,
        sprung_mass: 350.0,
    };
    LegacySuspension::new(&[spring; 4]).expect("faultless springs")
}

/// A car with an automatic gearbox at rest, on wheels with mass or without.
pub fn automatic_car(has_mass: bool) -> EngineDriveVehicle {
    let ride = if has_mass { CarBlueprint::default().ride } else { None };
    let sheet = CarBlueprint { ride, ..CarBlueprint::default() };
    let params = EngineDriveParams::automatic(sheet.mechanics().expect("no fault"), &[0, 1]);
    let mut car = EngineDriveVehicle::new(params).expect("no fault");
    let up = sheet.frame.vertical() * sheet.center_of_mass_height;
    car.state.mechanics.rigid_body.pose = Pose::from_translation(up);
    car
}
