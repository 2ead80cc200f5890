//! Vehicles of every kind, as files.

use rapier3d::prelude::*;
use snippets::drivelines::mechanics_for;
use snippets::drivetrains::{SampleDifferential, TankBrakes, sample_engine_drive, sample_tank};
use snippets::vehicles::{SAMPLE_CENTER_OF_MASS, sample_direct_drive};
use vehicle_rapier::core::steering::SteeringSystemParams;
use vehicle_rapier::core::tire::magic_formula::OutOfRange;
use vehicle_rapier::core::tire::models::{AnyTire, RollingTire, TireSize, TireUse};
use vehicle_rapier::core::tire::soil::{Soil, SoilTire};
use vehicle_rapier::core::vehicle::MechanicalParams;
use vehicle_rapier::drivetrain::blocks::ready_made;
use vehicle_rapier::drivetrain::blueprint::EngineBlueprint;
use vehicle_rapier::drivetrain::differential::{DifferentialParams, MultiWheelDifferentialParams};
use vehicle_rapier::drivetrain::drivetrain::DrivetrainParams;
use vehicle_rapier::prelude::*;
use vehicle_rapier::vehicle_file::{
    BlockSource, ChassisCollider, ChassisSource, ColliderShape, DirectSource, DriveSource,
    HitchParams, MechanicsSource, TireFile, TireSource, VehicleFile,
};

use super::TESTS;
use crate::common::{Noise, torque_splitting};

/// Parameters as a file has them, on tires by model.
pub(crate) fn full(mechanics: MechanicalParams) -> MechanicsSource {
    let tires: Vec<_> = mechanics.tires.iter().map(|tire| AnyTire::from(*tire).into()).collect();
    MechanicsSource::Parameters(Box::new(mechanics.with_tires(tires)))
}

pub(crate) fn direct(torque: Real) -> DriveSource {
    let throttle = CommandResponseParams::linear(torque, [1.0, 1.0, 0.0, 0.0]);
    DriveSource::Direct(DirectSource { throttle })
}

fn engine(differential: DifferentialParams) -> DriveSource {
    DriveSource::Engine(Box::new(DrivetrainParams::automatic(differential)))
}

fn sheet_drive() -> DriveSource {
    DriveSource::DataSheet(EngineBlueprint {
        power: 110e3,
        power_speed: 576.0,
        max_speed: 680.0,
        top_speed: 58.0,
        driven: vec![0, 1],
    })
}

fn front_drive() -> DriveSource {
    engine(DifferentialParams::MultiWheel(MultiWheelDifferentialParams::equal(4, &[0, 1])))
}

/// A saloon with little but a data sheet.
pub(crate) fn saloon() -> VehicleFile {
    VehicleFile::new(MechanicsSource::DataSheet(Box::default()), front_drive())
}

fn sample_chassis() -> ChassisSource {
    let shapes = [
        ColliderShape::Cuboid { half_extents: [0.84, 0.65, 2.47] },
        ColliderShape::Cylinder { half_height: 0.2, radius: 0.1 },
        ColliderShape::Capsule { half_height: 0.3, radius: 0.12 },
        ColliderShape::ConvexHull {
            points: vec![[0.0, 1.5, 0.0], [0.5, 1.0, 0.0], [-0.5, 1.0, 0.3], [0.1, 1.0, -1.0]],
        },
    ];
    let collider = |(index, shape): (usize, _)| ChassisCollider {
        shape,
        pose: Pose::new(Vector::new(0.0, 0.83, 1.37), Vector::X * (0.1 * index as Real)),
        friction: (index == 1).then_some(0.3),
    };
    ChassisSource {
        center_of_mass: Pose::from_translation(SAMPLE_CENTER_OF_MASS),
        colliders: shapes.into_iter().enumerate().map(collider).collect(),
        has_wheel_colliders: true,
    }
}

/// Tires of every model that bear `load` (N).
fn tires(load: Real) -> Vec<AnyTire> {
    let made_for = if load < 8_000.0 { TireUse::PassengerCar } else { TireUse::Truck };
    let size = TireSize { made_for, load, radius: 0.33, width: 0.22 };
    vec![
        size.magic_formula().into(),
        RollingTire::new(size.fiala()).into(),
        RollingTire::new(size.parabolic_brush()).into(),
        RollingTire::new(size.tmeasy()).into(),
        RollingTire::new(size.friction_ellipse()).into(),
        SoilTire { soil: Soil::DRY_SAND, nominal_pressure: 230e3 }.into(),
    ]
}

/// A file of every kind that there is, and its name.
pub(crate) fn all() -> Vec<(String, VehicleFile)> {
    let mut files = vec![("saloon".to_owned(), saloon())];
    let mut add = |name: &str, file: VehicleFile| files.push((name.to_owned(), file));

    let sample = sample_direct_drive().expect("valid data");
    let throttle = sample.throttle.clone();
    let mut file =
        VehicleFile::new(full(sample.mechanics), DriveSource::Direct(DirectSource { throttle }));
    file.chassis = Some(sample_chassis());
    file.substeps = Some(5);
    file.name = "The \"sample\" car, \\ and more".to_owned();
    file.source = "spelled\nin two lines".to_owned();
    file.hitches = vec![HitchParams { name: "ball".to_owned(), position: Vector::Z * -2.5 }];
    add("sample direct", file);

    for is_slip_limited in [false, true] {
        let differential = SampleDifferential::FourWheel { is_slip_limited };
        let EngineDriveParams { mechanics, drivetrain } =
            sample_engine_drive(differential).expect("valid data");
        let file = VehicleFile::new(full(mechanics), DriveSource::Engine(Box::new(drivetrain)));
        add("sample engine", file);
    }
    let TankParams { mechanics, drivetrain } =
        sample_tank(TankBrakes::PerTrack).expect("valid data");
    add("sample tank", VehicleFile::new(full(mechanics), DriveSource::Tank(Box::new(drivetrain))));

    let splitting = DifferentialParams::TorqueSplitting(torque_splitting());
    let mut file = saloon();
    file.drive = engine(splitting);
    add("torque splitting", file);

    let mut file = saloon();
    file.drive = sheet_drive();
    add("engine data sheet", file);

    let mut mechanics = CarBlueprint::default().mechanics().expect("valid data");
    mechanics.steering_system = Some(SteeringSystemParams::car(0, 1));
    let mechanics = mechanics.with_unsprung_masses(9.81);
    add("unsprung", VehicleFile::new(full(mechanics), direct(400.0)));

    for tire in tires(3_700.0) {
        let mut file = saloon();
        file.tires = vec![TireSource::Model(tire)];
        add("tire", file);
    }
    let tire = |is_mirrored| {
        let path = format!("{TESTS}/../../vehicle-core/tests/data/205_60R15.tir");
        TireSource::File(TireFile { path, is_mirrored, out_of_range: OutOfRange::Mirror })
    };
    let mut file = saloon();
    file.tires = vec![tire(true), tire(false), tire(true), tire(false)];
    add("tire file", file);

    let mut trailer = saloon();
    trailer.drive = DriveSource::Towed;
    // As low as the ball of the sample car, whose origin is near the ground.
    let eye = Vector::new(0.0, -0.42, 3.0);
    trailer.hitches = vec![HitchParams { name: "eye".to_owned(), position: eye }];
    add("trailer", trailer);

    let sheet = CarBlueprint { frame: Frame::Z_UP, ..CarBlueprint::default() };
    let mut file = VehicleFile::new(MechanicsSource::DataSheet(Box::new(sheet)), front_drive());
    file.frame = Frame::Z_UP;
    add("z up", file);

    for (name, build) in ready_made::ALL {
        let (mechanics, _) = mechanics_for(name).expect("valid data");
        let driveline = build().expect("no faults");
        let blocks = BlockSource { driveline, spin_axes: Vec::new() };
        add(name, VehicleFile::new(full(mechanics), DriveSource::Blocks(blocks)));
    }
    files
}

/// A random vehicle without a fault.
pub(crate) fn random(noise: &mut Noise) -> VehicleFile {
    loop {
        let mut sheet = CarBlueprint {
            mass: noise.within(400.0, 40_000.0),
            wheel_base: noise.within(1.5, 6.0),
            track_width: noise.within(1.0, 2.5),
            front_share: noise.within(0.3, 0.7),
            center_of_mass_height: noise.within(0.3, 1.5),
            natural_frequency: noise.within(1.2, 4.0),
            damping_ratio: noise.within(0.1, 1.2),
            max_steer_angle: noise.within(0.2, 0.8),
            ..CarBlueprint::default()
        };
        sheet.wheel.radius = noise.within(0.2, 0.6);
        sheet.wheel.inertia = noise.within(0.3, 30.0);
        sheet.anti_roll_stiffness = [noise.within(0.0, 1e5), noise.within(0.0, 1e5)];
        sheet.drag_area = noise.within(0.0, 9.0);
        let Ok(mechanics) = sheet.mechanics() else { continue };
        let choice = noise.within(0.0, 6.0) as usize;
        let mechanics = match choice % 3 {
            0 => MechanicsSource::DataSheet(Box::new(sheet)),
            1 => full(mechanics),
            _ => full(mechanics.with_unsprung_masses(9.81)),
        };
        let drive = if choice < 3 { direct(noise.within(50.0, 5_000.0)) } else { front_drive() };
        let mut file = VehicleFile::new(mechanics, drive);
        if noise.within(0.0, 1.0) < 0.5 {
            let models = tires(noise.within(1_000.0, 20_000.0));
            let model = noise.within(0.0, models.len() as Real) as usize;
            file.tires = models.get(model).cloned().map(TireSource::Model).into_iter().collect();
        }
        return file;
    }
}
