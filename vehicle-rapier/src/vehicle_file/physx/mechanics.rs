//! The Base file.

use vehicle_core::AxleDescription;
use vehicle_core::aerodynamics::AerodynamicsParams;
use vehicle_core::commands::CommandResponseParams;
use vehicle_core::constraint_rows::SuspensionLimitParams;
use vehicle_core::error::SMALLEST_MAGNITUDE;
use vehicle_core::frame::{Axis, Frame};
use vehicle_core::lookup_table::{Interpolate, LookupTable};
use vehicle_core::math::{Real, Vec3};
use vehicle_core::rigid_body::RigidBodyParams;
use vehicle_core::steering::{AckermannInput, AckermannParams};
use vehicle_core::suspension::unsprung::SuspensionDynamics;
use vehicle_core::suspension::{
    ContactShape, ExpansionSpeed, JounceParams, SuspensionComplianceParams, SuspensionForceParams,
    SuspensionParams,
};
use vehicle_core::tire::BrushTire;
use vehicle_core::vehicle::MechanicalParams;
use vehicle_core::wheel::WheelParams;

use super::reader::{Fields, Value};

/// Mechanics in the axes and the unit of length of their file.
pub(super) struct Base {
    pub(super) frame: Frame,
    pub(super) scale: Real,
    pub(super) params: MechanicalParams,
}

pub(super) fn read(base: &Value<'_>) -> Base {
    let fields = base.fields();
    let axles = axles(&fields.get("AxleDescription"));
    let count = axles.wheel_count();
    let body = fields.get("RigidBodyParams").fields();
    let jounce = fields.get("SuspensionStateCalculationParams").fields();
    fields.leave(
        "SuspensionForceLegacyParams",
        "the vehicles of the SDK use SuspensionForceParams alone",
    );
    let brakes = ["BrakeCommandResponseParams", "HandbrakeCommandResponseParams"];
    let params = MechanicalParams {
        axles,
        rigid_body: RigidBodyParams {
            mass: body.get("Mass").number(),
            inertia: body.get("MOI").vector(),
        },
        brakes: brakes.map(|name| response(&fields.get(name))).into(),
        steering: response(&fields.get("SteerCommandResponseParams")),
        ackermann: vec![ackermann(&fields.get("AckermannParams").fields())],
        steering_system: None,
        brake_valves: Vec::new(),
        jounce: JounceParams { contact: contact(&jounce), expansion: expansion(&jounce) },
        wheels: fields.by_wheel("WheelParams", count, wheel),
        suspensions: fields.by_wheel("SuspensionParams", count, suspension),
        compliances: fields.by_wheel("SuspensionComplianceParams", count, compliance),
        suspension_forces: fields.by_wheel("SuspensionForceParams", count, spring),
        anti_roll_bars: Vec::new(),
        beam_axles: Vec::new(),
        aerodynamics: AerodynamicsParams::default(),
        suspension_dynamics: SuspensionDynamics::Massless,
        suspension_limit: SuspensionLimitParams::default(),
        tires: fields.by_wheel("TireForceParams", count, tire),
    };
    Base { frame: frame(&fields.get("Frame")), scale: scale(&fields.get("Scale")), params }
}

fn axles(value: &Value<'_>) -> AxleDescription {
    let wheels: Vec<_> =
        value.list().iter().map(|axle| axle.fields().get("WheelIds").indices()).collect();
    AxleDescription::new(&wheels).unwrap_or_else(|errors| {
        for error in errors.errors() {
            value.fault(&error.requirement, &error.value);
        }
        AxleDescription::new([[0]]).expect("one wheel is an axle")
    })
}

fn frame(value: &Value<'_>) -> Frame {
    let fields = value.fields();
    let axis = |name: &str| {
        let axis = fields.get(name);
        let code = axis.index();
        Axis::ALL.get(code).copied().unwrap_or_else(|| {
            axis.fault("an axis from 0 to 5", code);
            Axis::PosX
        })
    };
    let axes = [axis("LngAxis"), axis("LatAxis"), axis("VrtAxis")];
    let [longitudinal, lateral, vertical] = axes;
    Frame::new(longitudinal, lateral, vertical).unwrap_or_else(|error| {
        value.fault(&error.requirement, error.value);
        Frame::default()
    })
}

fn scale(value: &Value<'_>) -> Real {
    let scale = value.fields().get("Scale");
    let number = scale.number();
    if !(SMALLEST_MAGNITUDE..=1.0 / SMALLEST_MAGNITUDE).contains(&number) {
        scale.fault("positive and finite", number);
    }
    number
}

/// A linear response.
pub(super) fn response(value: &Value<'_>) -> CommandResponseParams {
    response_of(&value.fields())
}

pub(super) fn response_of(fields: &Fields<'_>) -> CommandResponseParams {
    let multipliers = fields.get("WheelResponseMultipliers").numbers();
    CommandResponseParams::linear(fields.get("MaxResponse").number(), multipliers)
}

fn ackermann(fields: &Fields<'_>) -> AckermannParams {
    AckermannParams {
        wheels: fields.get("WheelIds").pair(),
        wheel_base: fields.get("WheelBase").number(),
        track_width: fields.get("TrackWidth").number(),
        strength: fields.get("Strength").number(),
        input: AckermannInput::Response,
    }
}

fn contact(fields: &Fields<'_>) -> ContactShape {
    let kind = fields.get("JounceCalculationType");
    match kind.index() {
        0 => ContactShape::Ray,
        1 => ContactShape::Cylinder,
        other => {
            kind.fault("0 for a ray or 1 for a sweep", other);
            ContactShape::Ray
        }
    }
}

fn expansion(fields: &Fields<'_>) -> ExpansionSpeed {
    if fields.get("LimitSuspensionExpansionVelocity").boolean() {
        ExpansionSpeed::Limited
    } else {
        ExpansionSpeed::Unlimited
    }
}

fn wheel(fields: &Fields<'_>) -> WheelParams {
    WheelParams {
        radius: fields.get("Radius").number(),
        half_width: fields.get("HalfWidth").number(),
        mass: fields.get("Mass").number(),
        inertia: fields.get("MOI").number(),
        damping_rate: fields.get("DampingRate").number(),
        ..WheelParams::default()
    }
}

fn suspension(fields: &Fields<'_>) -> SuspensionParams {
    SuspensionParams {
        attachment: fields.get("SuspensionAttachment").pose(),
        travel_direction: fields.get("SuspensionTravelDir").vector(),
        travel_distance: fields.get("SuspensionTravelDist").number(),
        wheel_attachment: fields.get("WheelAttachment").pose(),
    }
}

fn compliance(fields: &Fields<'_>) -> SuspensionComplianceParams {
    SuspensionComplianceParams {
        toe: curve(&fields.get("WheelToeAngle")),
        camber: curve(&fields.get("WheelCamberAngle")),
        suspension_force_point: point_curve(&fields.get("SuspForceAppPoint")),
        tire_force_point: point_curve(&fields.get("TireForceAppPoint")),
    }
}

fn spring(fields: &Fields<'_>) -> SuspensionForceParams {
    SuspensionForceParams {
        stiffness: fields.get("Stiffness").number(),
        damping: fields.get("Damping").number(),
        sprung_mass: fields.get("SprungMass").number(),
    }
}

fn tire(fields: &Fields<'_>) -> BrushTire {
    BrushTire {
        longitudinal_stiffness: fields.get("LongitudinalStiffness").number(),
        lateral_stiffness: fields.get("LateralStiffnessY").number(),
        lateral_stiffness_load: fields.get("LateralStiffnessX").number(),
        camber_stiffness: fields.get("CamberStiffness").number(),
        rest_load: fields.get("RestLoad").number(),
        friction_vs_slip: points(&fields.get("FrictionVsSlip")),
        lateral_slip_weight: 0.0,
        rolling_resistance: 0.0,
        load_filter: points(&fields.get("TireLoadFilter")),
        pneumatic_trail: 0.0,
    }
}

/// Exactly `N` points.
fn points<const N: usize>(value: &Value<'_>) -> [(Real, Real); N] {
    let rows = value.rows::<2>();
    if rows.len() != N {
        value.fault(&format!("{N} rows"), rows.len());
    }
    std::array::from_fn(|index| rows.get(index).map_or((0.0, 0.0), |&[x, y]| (x, y)))
}

/// A curve through rows of x and y.
pub(super) fn curve(value: &Value<'_>) -> LookupTable<Real> {
    table(value, value.rows::<2>().iter().map(|&[x, y]| (x, y)).collect())
}

fn point_curve(value: &Value<'_>) -> LookupTable<Vec3> {
    let rows = value.rows::<4>();
    table(value, rows.iter().map(|&[x, a, b, c]| (x, Vec3::new(a, b, c))).collect())
}

fn table<T: Interpolate>(value: &Value<'_>, points: Vec<(Real, T)>) -> LookupTable<T> {
    LookupTable::new(points).unwrap_or_else(|errors| {
        for error in errors.errors() {
            let row = error.path.trim_start_matches("points");
            value.fault_below(row, &error.requirement, &error.value);
        }
        LookupTable::default()
    })
}
