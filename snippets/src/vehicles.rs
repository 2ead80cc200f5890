//! The vehicles of the scenes: data that the reference uses in its own snippets.

use rapier3d::prelude::*;
use vehicle_rapier::core::aerodynamics::AerodynamicsParams;
use vehicle_rapier::core::commands::{ResponseRow, ResponseTable};
use vehicle_rapier::core::constraint_rows::SuspensionLimitParams;
use vehicle_rapier::core::lookup_table::LookupTable;
use vehicle_rapier::core::rigid_body::RigidBodyParams;
use vehicle_rapier::core::steering::{AckermannInput, AckermannParams};
use vehicle_rapier::core::suspension::unsprung::SuspensionDynamics;
use vehicle_rapier::core::suspension::{
    ExpansionSpeed, JounceParams, SuspensionComplianceParams, SuspensionForceParams,
    SuspensionParams, WheelContact,
};
use vehicle_rapier::core::wheel::WheelParams;
use vehicle_rapier::prelude::*;

use crate::lowrider::HydraulicParams;

/// Axes of the sample car: forward +z, left +x, up +y.
pub const SAMPLE_FRAME: Frame = Frame::Y_UP;

/// Center of mass of the sample car in its body (m).
pub const SAMPLE_CENTER_OF_MASS: Vector = Vector::new(0.0, 0.55, 1.594);

/// Center of the sample car's hull, a box, in its body (m).
pub const SAMPLE_HULL_CENTER: Vector = Vector::new(0.0, 0.830_066, 1.370_03);

/// Half of the extents of the sample car's hull (m).
pub const SAMPLE_HALF_EXTENTS: Vector = Vector::new(0.840_97, 0.654_58, 2.469_71);

/// Height of the sample car's body above flat ground at rest (m).
pub const SAMPLE_REST_HEIGHT: Real = -0.043;

/// Radius of the sample car's wheels (m).
const RADIUS: Real = 0.343_252;

/// Steer angle of the sample car's front wheels at full lock (rad).
#[expect(clippy::approx_constant, reason = "the data say so, rounded, not π/6")]
const MAX_STEER_ANGLE: Real = 0.523_599;

/// What differs between the wheels of the sample car.
struct Corner {
    attachment: Vector,
    stiffness: Real,
    damping: Real,
    sprung_mass: Real,
    lateral_stiffness: Real,
    rest_load: Real,
}

const CORNERS: [Corner; 4] = [
    Corner {
        attachment: Vector::new(-0.795_263, -0.107_952, 1.269_22),
        stiffness: 32_833.3,
        damping: 8_528.12,
        sprung_mass: 553.774,
        lateral_stiffness: 118_699.64,
        rest_load: 5_628.723,
    },
    Corner {
        attachment: Vector::new(0.795_263, -0.107_95, 1.269_22),
        stiffness: 33_657.4,
        damping: 8_742.19,
        sprung_mass: 567.675,
        lateral_stiffness: 118_699.64,
        rest_load: 5_628.723,
    },
    Corner {
        attachment: Vector::new(-0.795_263, -0.107_952, -1.594),
        stiffness: 26_049.0,
        damping: 6_765.97,
        sprung_mass: 439.349,
        lateral_stiffness: 143_930.84,
        rest_load: 4_604.313_5,
    },
    Corner {
        attachment: Vector::new(0.795_263, -0.107_953, -1.594),
        stiffness: 26_894.1,
        damping: 6_985.48,
        sprung_mass: 453.603,
        lateral_stiffness: 143_930.84,
        rest_load: 4_604.313_5,
    },
];

impl Corner {
    fn suspension(&self) -> SuspensionParams {
        SuspensionParams {
            attachment: Pose::from_translation(self.attachment),
            travel_direction: Vector::NEG_Y,
            travel_distance: 0.221_111,
            wheel_attachment: Pose::IDENTITY,
        }
    }

    fn spring(&self) -> SuspensionForceParams {
        let Self { stiffness, damping, sprung_mass, .. } = *self;
        SuspensionForceParams { stiffness, damping, sprung_mass }
    }

    fn tire(&self) -> BrushTire {
        BrushTire {
            longitudinal_stiffness: 24_525.0,
            lateral_stiffness: self.lateral_stiffness,
            lateral_stiffness_load: 0.01,
            camber_stiffness: 0.0,
            rest_load: self.rest_load,
            friction_vs_slip: BrushTire::CONSTANT_FRICTION,
            lateral_slip_weight: 0.0,
            pneumatic_trail: 0.0,
            load_filter: [(0.0, 0.2308), (3.0, 3.0)],
        }
    }
}

/// The mechanical base of the sample car: 2 t, four wheels.
///
/// # Errors
///
/// None with the data as they are.
pub fn sample_mechanics() -> Result<MechanicalParams, ParamErrors> {
    let wheel = WheelParams {
        radius: RADIUS,
        half_width: 0.157_684_5,
        mass: 20.0,
        inertia: 1.171_69,
        damping_rate: 0.25,
        ..WheelParams::default()
    };
    let force_point = LookupTable::constant(Vector::new(0.0, 0.0, -0.112_05));
    let compliance = SuspensionComplianceParams {
        suspension_force_point: force_point.clone(),
        tire_force_point: force_point,
        ..SuspensionComplianceParams::default()
    };
    Ok(MechanicalParams {
        axles: AxleDescription::new([[0, 1], [2, 3]])?,
        rigid_body: RigidBodyParams {
            mass: 2_014.4,
            inertia: Vector::new(3_200.0, 3_414.0, 750.0),
        },
        brakes: vec![
            CommandResponseParams::linear(1_875.0, [1.0; 4]),
            CommandResponseParams::linear(0.0, [0.0, 0.0, 1.0, 1.0]),
        ],
        steering: CommandResponseParams::linear(MAX_STEER_ANGLE, [1.0, 1.0, 0.0, 0.0]),
        ackermann: vec![AckermannParams {
            wheels: [0, 1],
            wheel_base: 2.863_22,
            track_width: 1.551_08,
            strength: 1.0,
            input: AckermannInput::Response,
        }],
        steering_system: None,
        // As the reference's wheels, which pull the body down in rebound.
        jounce: JounceParams {
            contact: WheelContact::Cylinder,
            expansion: ExpansionSpeed::Unlimited,
        },
        wheels: vec![wheel; 4],
        suspensions: CORNERS.iter().map(Corner::suspension).collect(),
        compliances: vec![compliance; 4],
        suspension_forces: CORNERS.iter().map(Corner::spring).collect(),
        anti_roll_bars: Vec::new(),
        aerodynamics: AerodynamicsParams::default(),
        suspension_dynamics: SuspensionDynamics::Massless,
        suspension_limit: SuspensionLimitParams::default(),
        tires: CORNERS.iter().map(Corner::tire).collect(),
    })
}

/// The sample car with a direct drive of 750 N·m per wheel that fades between 20 and 60 m/s.
///
/// # Errors
///
/// None with the data as they are.
pub fn sample_direct_drive() -> Result<DirectDriveParams, ParamErrors> {
    let row = |command: Real, first_speed: Real| {
        let points = [(first_speed, command), (20.0, command), (60.0, 0.0)];
        Ok::<_, ParamErrors>(ResponseRow { command, response: LookupTable::new(points)? })
    };
    let rows = [row(0.0, 0.0)?, row(0.25, 0.0)?, row(0.5, 0.0)?, row(0.75, 0.0)?, row(1.0, 1.0)?];
    let throttle = CommandResponseParams {
        table: Some(ResponseTable::new(rows)?),
        ..CommandResponseParams::linear(750.0, [1.0; 4])
    };
    Ok(DirectDriveParams { mechanics: sample_mechanics()?, throttle })
}

/// Hydraulics of 7.5 kN for the sample car that push twice in a second, the rear wheels a quarter of a
/// push ahead of the front wheels.
pub fn sample_hydraulics() -> [HydraulicParams; 4] {
    let quarter = std::f32::consts::FRAC_PI_2;
    [0.0, 0.0, quarter, quarter].map(|phase| HydraulicParams {
        max_force: 7_500.0,
        frequency: 2.0,
        phase,
    })
}

/// The body of the sample car at `pose` (m), with the box of its hull.
pub fn sample_chassis(params: &RigidBodyParams, pose: Pose) -> Chassis {
    let size = SAMPLE_HALF_EXTENTS;
    let hull = ColliderBuilder::cuboid(size.x, size.y, size.z).translation(SAMPLE_HULL_CENTER);
    Chassis::new(params)
        .pose(pose)
        .center_of_mass(Pose::from_translation(SAMPLE_CENTER_OF_MASS))
        .collider(hull)
}
