//! The sample car on tires of every model, in lanes and wheel by wheel.

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use rapier3d::prelude::*;
use snippets::vehicles::sample_direct_drive;
use vehicle_rapier::core::commands::Commands;
use vehicle_rapier::core::error::ParamCheck;
use vehicle_rapier::core::math::Vec3;
use vehicle_rapier::core::math::lanes::{Lanes, Real4};
use vehicle_rapier::core::road_geometry::{Plane, RoadContact};
use vehicle_rapier::core::tire::models::{AnyTire, RollingTire, TireSize, TireUse};
use vehicle_rapier::core::tire::soil::{Soil, SoilTire};
use vehicle_rapier::core::tire::tir::TirFile;
use vehicle_rapier::core::tire::{
    GripInput, LaneInput, NoLanes, TireGrip, TireInput, TireLanes, TireModel, TireOutput, TireSlip,
    TireSpeeds, TireWheel,
};
use vehicle_rapier::drivetrain::direct_drive::Gear;
use vehicle_rapier::drivetrain::{DirectDriveParams, DirectDriveVehicleWith};

use crate::{COMMANDS, DT, Fleet, RapierFleet, START_SPEED};

/// The measured tire whose figures are published.
const MEASURED: &str = include_str!("../../vehicle-core/tests/data/205_60R15.tir");
/// A tire of the sample car.
const SIZE: TireSize =
    TireSize { made_for: TireUse::PassengerCar, load: 5_000.0, radius: 0.343, width: 0.2 };

/// How a vehicle asks its tires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// Four at once, as the model is written.
    InLanes,
    /// Each by itself.
    Alone,
    /// Each by itself, as one of [`AnyTire`].
    AsAny,
}

/// A tire that is asked alone, whatever its model is written for.
#[derive(Clone, Debug, PartialEq)]
struct Alone<M>(M);

impl<M: TireModel> TireModel for Alone<M> {
    type State = M::State;
    type Lanes = NoLanes;

    fn grip(&self, input: &GripInput) -> TireGrip {
        self.0.grip(input)
    }

    fn forces(&self, input: &TireInput<'_>, state: &mut M::State) -> TireOutput {
        self.0.forces(input, state)
    }

    fn check(&self, check: &mut ParamCheck) {
        self.0.check(check);
    }
}

/// What is done with a tire of each model.
pub trait OfEachModel {
    /// What it answers.
    type Answer;

    /// Does it with `tire`, whose model has this `name`.
    ///
    /// # Errors
    ///
    /// Whatever goes wrong.
    fn with<M: TireModel>(&mut self, name: &'static str, tire: &M) -> anyhow::Result<Self::Answer>
    where
        AnyTire: From<M>;
}

/// Does `work` with a tire of each model, the default first.
///
/// # Errors
///
/// What the work answers, and none of the data as they are.
pub fn of_each_model<W: OfEachModel>(work: &mut W) -> anyhow::Result<Vec<W::Answer>> {
    let rolling_resistance = SIZE.rolling_resistance();
    let measured = TirFile::parse(MEASURED)?.tire;
    let soil = SoilTire { soil: Soil::SANDY_LOAM, nominal_pressure: 230e3 };
    Ok(vec![
        work.with("default", &sample_direct_drive()?.mechanics.tires[0])?,
        work.with("Magic Formula 6.1, measured", &RollingTire::from(measured))?,
        work.with("Magic Formula, by size", &SIZE.magic_formula())?,
        work.with("Fiala", &RollingTire { law: SIZE.fiala(), rolling_resistance })?,
        work.with(
            "parabolic brush",
            &RollingTire { law: SIZE.parabolic_brush(), rolling_resistance },
        )?,
        work.with("TMeasy", &RollingTire { law: SIZE.tmeasy(), rolling_resistance })?,
        work.with(
            "friction ellipse",
            &RollingTire { law: SIZE.friction_ellipse(), rolling_resistance },
        )?,
        work.with("soil", &soil)?,
    ])
}

/// A settled fleet of `count` cars on these tires in a Rapier world, a ray per wheel.
///
/// # Errors
///
/// None with the data as they are.
pub fn tire_fleet<M: TireModel>(
    tire: &M,
    asked: Asked,
    count: usize,
    substeps: u32,
) -> anyhow::Result<Box<dyn Fleet>>
where
    AnyTire: From<M>,
{
    Ok(match asked {
        Asked::InLanes => Box::new(fleet(tire.clone(), count, substeps)?),
        Asked::Alone => Box::new(fleet(Alone(tire.clone()), count, substeps)?),
        Asked::AsAny => Box::new(fleet(AnyTire::from(tire.clone()), count, substeps)?),
    })
}

type Car<M> = DirectDriveVehicleWith<M>;

fn fleet<M: TireModel>(
    tire: M,
    count: usize,
    substeps: u32,
) -> anyhow::Result<RapierFleet<Car<M>>> {
    let DirectDriveParams { mechanics, throttle } = sample_direct_drive()?;
    let mechanics = mechanics.with_tires(vec![tire; 4]);
    let rolling = START_SPEED / mechanics.wheels[0].radius;
    let mut model = Car::new(Arc::new(DirectDriveParams { mechanics, throttle }))?;
    model.controls.gear = Gear::Forward;
    model.commands = Commands { throttle: COMMANDS.throttle, ..COMMANDS };
    model.state.mechanics.wheels.edit_all(|wheel| wheel.rotation_speed = rolling);
    let stages = Car::sequence_with_substeps(move |_| substeps);
    RapierFleet::like(&model, stages, count)
}

/// Time of a wheel's forces and moments (ns), asked in lanes if there are any, and alone.
pub fn time_per_wheel<M: TireModel>(tire: &M, repetitions: u32) -> [Option<f64>; 2] {
    let lanes = M::in_lanes([tire; 4]);
    [
        lanes.map(|tires| time_in_lanes(tire, &tires, repetitions)),
        Some(time_alone(tire, repetitions)),
    ]
}

/// Slips of wheels in a bend.
const SLIPS: [TireSlip; 4] = [
    TireSlip { longitudinal: 0.01, tangent: 0.02 },
    TireSlip { longitudinal: 0.012, tangent: 0.021 },
    TireSlip { longitudinal: 0.02, tangent: 0.015 },
    TireSlip { longitudinal: 0.021, tangent: 0.016 },
];
const LOAD: Real = 5_000.0;

fn ground() -> RoadContact {
    RoadContact::new(Plane { normal: Vec3::Y, offset: 0.0 }, 1.0)
}

fn input<'a, M: TireModel>(tire: &M, ground: &'a RoadContact, slip: TireSlip) -> TireInput<'a> {
    let grip = GripInput { normal_load: LOAD, road_friction: ground.friction, slip };
    TireInput {
        wheel: TireWheel {
            pose: Pose::IDENTITY,
            linear_velocity: Vec3::Z * 20.0,
            angular_velocity: Vec3::ZERO,
            contact_speeds: TireSpeeds { longitudinal: 20.0, lateral: 0.4 },
            rotation_speed: 20.0 / SIZE.radius,
            radius: SIZE.radius,
            half_width: 0.5 * SIZE.width,
            inclination: 0.01,
            inflation_pressure: 220e3,
            radial_stiffness: 200e3,
        },
        ground,
        soil: None,
        normal_load: LOAD,
        grip: tire.grip_on(&grip, ground, None),
        slip,
        stopping_force: Real::INFINITY,
        dt: DT,
    }
}

fn nanoseconds(repetitions: u32, mut work: impl FnMut()) -> f64 {
    let start = Instant::now();
    for _ in 0..repetitions {
        work();
    }
    start.elapsed().as_secs_f64() * 1e9 / f64::from(repetitions) / SLIPS.len() as f64
}

fn time_in_lanes<M: TireModel>(tire: &M, tires: &M::Lanes, repetitions: u32) -> f64 {
    let ground = ground();
    let singles = SLIPS.map(|slip| LaneInput::from(&input(tire, &ground, slip)));
    let four: LaneInput<Real4> = Lanes::from_lanes(|lane| singles[lane]);
    let mut states: [M::State; 4] = Default::default();
    nanoseconds(repetitions, || {
        black_box(tires.outputs(black_box(&four), &mut states));
    })
}

fn time_alone<M: TireModel>(tire: &M, repetitions: u32) -> f64 {
    let ground = ground();
    let inputs = SLIPS.map(|slip| input(tire, &ground, slip));
    let mut states: [M::State; 4] = Default::default();
    nanoseconds(repetitions, || {
        for (input, state) in inputs.iter().zip(&mut states) {
            black_box(tire.forces(black_box(input), state));
        }
    })
}
