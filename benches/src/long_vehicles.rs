//! Vehicles of more than four wheels, like the sample car else.

use std::sync::Arc;

use rapier3d::prelude::*;
use snippets::drivetrains::{SampleDifferential, sample_engine_drive};
use snippets::vehicles::sample_direct_drive;
use vehicle_rapier::core::AxleDescription;
use vehicle_rapier::core::commands::CommandResponseParams;
use vehicle_rapier::core::constraint_rows::RowExecution;
use vehicle_rapier::core::vehicle::MechanicalParams;
use vehicle_rapier::drivetrain::differential::{
    DifferentialParams, MultiWheelDifferentialParams, TankDifferentialParams, TrackParams,
};
use vehicle_rapier::drivetrain::drivetrain::DrivetrainParams;
use vehicle_rapier::drivetrain::{
    DirectDriveParams, DirectDriveVehicle, EngineDriveParams, EngineDriveVehicle,
};

use crate::{Errand, Fleet, RapierFleet, SampleVehicle};

/// From one rear axle to the next (m).
const AXLE_DISTANCE: Real = 1.3;

/// A vehicle of more than four wheels, and the car that it is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LongVehicle {
    /// Direct drive on this many axles; the sample car with direct drive.
    DirectDrive(usize),
    /// A truck of six wheels whose engine turns the last four; the sample car with an engine.
    Truck,
    /// A tank of ten wheels on two tracks; the sample car with an engine.
    Tank,
}

impl LongVehicle {
    /// All that are measured.
    pub const ALL: [Self; 4] =
        [Self::DirectDrive(3), Self::DirectDrive(5), Self::Truck, Self::Tank];

    /// Its name in the results.
    pub fn name(self) -> String {
        match self {
            Self::DirectDrive(axles) => format!("direct drive, {} wheels", 2 * axles),
            Self::Truck => "engine drive, 6 wheels".to_owned(),
            Self::Tank => "tank, 10 wheels".to_owned(),
        }
    }

    fn axles(self) -> usize {
        match self {
            Self::DirectDrive(axles) => axles,
            Self::Truck => 3,
            Self::Tank => 5,
        }
    }

    /// Number of wheels.
    pub fn wheel_count(self) -> usize {
        2 * self.axles()
    }

    /// Blocks of four wheels.
    pub fn blocks(self) -> usize {
        self.wheel_count().div_ceil(4)
    }

    /// A settled fleet of `count` such vehicles in a Rapier world, each with `substeps` substeps,
    /// and one of the car.
    ///
    /// # Errors
    ///
    /// None with the data as they are.
    pub fn fleets(self, count: usize, substeps: u32) -> anyhow::Result<[Box<dyn Fleet>; 2]> {
        Ok(match self {
            Self::DirectDrive(axles) => [
                fleet::<DirectDriveVehicle>(direct_drive(axles)?, count, substeps)?,
                Box::new(RapierFleet::<DirectDriveVehicle>::new(count, substeps)?),
            ],
            Self::Truck | Self::Tank => [
                fleet::<EngineDriveVehicle>(self.engine_drive()?, count, substeps)?,
                Box::new(RapierFleet::<EngineDriveVehicle>::new(count, substeps)?),
            ],
        })
    }

    fn engine_drive(self) -> anyhow::Result<EngineDriveParams> {
        let car = sample_engine_drive(SampleDifferential::MultiWheel)?;
        let count = self.wheel_count();
        let differential = if self == Self::Tank {
            let track = |side: usize| TrackParams {
                wheels: (0..self.axles()).map(|axle| 2 * axle + side).collect(),
                thrust: side,
            };
            let wheels: Vec<_> = (0..count).collect();
            DifferentialParams::Tank(TankDifferentialParams {
                steering_ratio: 1.0,
                shares: MultiWheelDifferentialParams::equal(count, &wheels),
                tracks: vec![track(0), track(1)],
            })
        } else {
            DifferentialParams::MultiWheel(MultiWheelDifferentialParams::equal(
                count,
                &[2, 3, 4, 5],
            ))
        };
        let mechanics = with_axles(&car.mechanics, self.axles())?;
        Ok(EngineDriveParams {
            mechanics,
            drivetrain: DrivetrainParams { differential, ..car.drivetrain },
        })
    }
}

fn direct_drive(axles: usize) -> anyhow::Result<DirectDriveParams> {
    let car = sample_direct_drive()?;
    Ok(DirectDriveParams {
        mechanics: with_axles(&car.mechanics, axles)?,
        throttle: response(&car.throttle, 2 * axles),
    })
}

fn fleet<V: SampleVehicle>(
    params: V::Params,
    count: usize,
    substeps: u32,
) -> anyhow::Result<Box<dyn Fleet>> {
    let (errand, execution) = (Errand::Driving, RowExecution::Local);
    Ok(Box::new(RapierFleet::<V>::of(&Arc::new(params), count, substeps, errand, execution)?))
}

/// The wheel of the sample car that `wheel` is like.
fn like(wheel: usize) -> usize {
    if wheel < 4 { wheel } else { 2 + wheel % 2 }
}

fn longer<T: Clone>(values: &[T], wheel_count: usize) -> Vec<T> {
    (0..wheel_count).map(|wheel| values[like(wheel)].clone()).collect()
}

fn response(params: &CommandResponseParams, wheel_count: usize) -> CommandResponseParams {
    CommandResponseParams {
        wheel_multipliers: longer(&params.wheel_multipliers, wheel_count),
        ..params.clone()
    }
}

/// `car` on more axles: the rear one again and again, each of which carries what it does, so that
/// all springs stand as those of the car do.
fn with_axles(car: &MechanicalParams, axles: usize) -> anyhow::Result<MechanicalParams> {
    let wheel_count = 2 * axles;
    let pairs = (0..axles).map(|axle| [2 * axle, 2 * axle + 1]);
    let sprung = |params: &MechanicalParams| -> Real {
        params.suspension_forces.iter().map(|spring| spring.sprung_mass).sum()
    };
    let mut long = MechanicalParams {
        axles: AxleDescription::new(pairs)?,
        brakes: car.brakes.iter().map(|brake| response(brake, wheel_count)).collect(),
        steering: response(&car.steering, wheel_count),
        wheels: longer(&car.wheels, wheel_count),
        suspensions: longer(&car.suspensions, wheel_count),
        compliances: longer(&car.compliances, wheel_count),
        suspension_forces: longer(&car.suspension_forces, wheel_count),
        tires: longer(&car.tires, wheel_count),
        ackermann: Vec::new(),
        ..car.clone()
    };
    let share = sprung(&long) / sprung(car);
    long.rigid_body.mass *= share;
    long.rigid_body.inertia *= share * share;
    for (wheel, suspension) in long.suspensions.iter_mut().enumerate() {
        let axles_before = (wheel / 2).saturating_sub(1);
        suspension.attachment.translation.z -= AXLE_DISTANCE * axles_before as Real;
    }
    // What the axles carry balances about the center of mass.
    let springs = long.suspensions.iter().zip(&long.suspension_forces);
    let moment: Real = springs
        .map(|(suspension, spring)| suspension.attachment.translation.z * spring.sprung_mass)
        .sum();
    let middle = moment / sprung(&long);
    for suspension in &mut long.suspensions {
        suspension.attachment.translation.z -= middle;
    }
    Ok(long)
}
