//! One substep of a file, as it is written.

use serde::Deserialize;
use vehicle_core::suspension::unsprung::contact::RidePlane;
use vehicle_core::suspension::unsprung::laws::{DamperLaw, DamperSide, Stop};
use vehicle_core::suspension::unsprung::wheel::TireSpring;
use vehicle_core::suspension::unsprung::{Spatial, Vector3};

use super::model::{Model, Road, Shape, Single, Strut, WheelMotion};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Case {
    pub(crate) id: String,
    pub(crate) family: String,
    #[serde(default, rename = "note")]
    pub(crate) _note: String,
    #[serde(rename = "in")]
    pub(crate) input: Input,
    pub(crate) out: Output,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Input {
    pub(crate) dt: f64,
    pub(crate) gravity: [f64; 3],
    pub(crate) jounce_type: String,
    pub(crate) body: Body,
    pub(crate) wheels: Vec<Wheel>,
    pub(crate) bars: Vec<Bar>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Frame {
    pub(crate) position: [f64; 3],
    pub(crate) orientation: [f64; 4],
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Body {
    pub(crate) mass: f64,
    pub(crate) inertia: [f64; 3],
    pub(crate) principal_frame: Frame,
    pub(crate) position: [f64; 3],
    pub(crate) orientation: [f64; 4],
    pub(crate) linear_velocity: [f64; 3],
    pub(crate) angular_velocity: [f64; 3],
    pub(crate) external_force: [f64; 3],
    pub(crate) external_torque: [f64; 3],
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wheel {
    pub(crate) mount: [f64; 3],
    pub(crate) travel_direction: [f64; 3],
    pub(crate) travel: f64,
    pub(crate) radius: f64,
    pub(crate) half_width: f64,
    pub(crate) lateral: [f64; 3],
    pub(crate) mass: f64,
    pub(crate) spring: Spring,
    pub(crate) damper: Damper,
    pub(crate) stops: Stops,
    pub(crate) tire: Tire,
    pub(crate) path_slope: [f64; 2],
    pub(crate) jounce: f64,
    pub(crate) jounce_speed: f64,
    pub(crate) road: Plane,
    pub(crate) tire_force_last: [f64; 3],
    pub(crate) tire_force: [f64; 3],
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Spring {
    pub(crate) k: Option<f64>,
    pub(crate) table: Option<Vec<(f64, f64)>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Damper {
    pub(crate) bump: f64,
    pub(crate) bump_knee: Option<f64>,
    pub(crate) bump_high: Option<f64>,
    pub(crate) rebound: f64,
    pub(crate) rebound_knee: Option<f64>,
    pub(crate) rebound_high: Option<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Stops {
    pub(crate) bump_edge: f64,
    pub(crate) bump_k: f64,
    pub(crate) end_k: f64,
    pub(crate) droop_k: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Tire {
    pub(crate) k: f64,
    pub(crate) c: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Plane {
    pub(crate) contact: bool,
    #[serde(default)]
    pub(crate) new_hit: bool,
    #[serde(default)]
    pub(crate) normal: [f64; 3],
    #[serde(default)]
    pub(crate) offset: f64,
    #[serde(default)]
    pub(crate) velocity: [f64; 3],
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Bar {
    pub(crate) wheels: [usize; 2],
    pub(crate) stiffness: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Output {
    #[serde(rename = "settled")]
    pub(crate) _settled: bool,
    pub(crate) solve: Solved,
    pub(crate) linear_velocity_before_turn: [f64; 3],
    pub(crate) linear_velocity: [f64; 3],
    pub(crate) angular_velocity: [f64; 3],
    pub(crate) position: [f64; 3],
    pub(crate) orientation: [f64; 4],
    pub(crate) wheels: Vec<WheelOutput>,
    pub(crate) bars: Vec<BarOutput>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Solved {
    pub(crate) linear: [f64; 3],
    pub(crate) angular: [f64; 3],
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WheelOutput {
    pub(crate) contact: bool,
    pub(crate) jounce_placed: Option<f64>,
    pub(crate) deflection: Option<f64>,
    pub(crate) deflection_centred: Option<f64>,
    pub(crate) centre_arm: [f64; 3],
    pub(crate) contact_arm: Option<[f64; 3]>,
    pub(crate) inverse_mass: f64,
    pub(crate) theta: Thetas,
    pub(crate) extension_speed: f64,
    #[serde(rename = "N")]
    pub(crate) load: f64,
    #[serde(rename = "S")]
    pub(crate) strut: f64,
    pub(crate) parts: Parts,
    pub(crate) jounce: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Thetas {
    pub(crate) spring: f64,
    pub(crate) damper: f64,
    pub(crate) bump: f64,
    pub(crate) end: f64,
    pub(crate) droop: f64,
    pub(crate) tire: Option<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Parts {
    pub(crate) spring: f64,
    pub(crate) damper: f64,
    pub(crate) bump: f64,
    pub(crate) end: f64,
    pub(crate) droop: f64,
    pub(crate) bar: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct BarOutput {
    pub(crate) theta: f64,
}

fn vector<T: Single>(vector: [f64; 3]) -> Vector3<T> {
    Vector3(vector.map(T::of))
}

impl Case {
    /// The vehicle at the start.
    pub(crate) fn model<T: Single>(&self) -> Model<T> {
        let (input, body) = (&self.input, &self.input.body);
        let of = T::of;
        Model {
            gravity: vector(input.gravity),
            mass: of(body.mass),
            inertia: vector(body.inertia),
            center: vector(body.principal_frame.position),
            principal_axes: body.principal_frame.orientation.map(of),
            external: Spatial {
                linear: vector(body.external_force),
                angular: vector(body.external_torque),
            },
            struts: input.wheels.iter().map(strut).collect(),
            bars: input.bars.iter().map(|bar| (bar.wheels, of(bar.stiffness))).collect(),
            shape: if input.jounce_type == "ray" { Shape::Ray } else { Shape::Cylinder },
            position: vector(body.position),
            orientation: body.orientation.map(of),
            velocity: Spatial {
                linear: vector(body.linear_velocity),
                angular: vector(body.angular_velocity),
            },
            wheels: input
                .wheels
                .iter()
                .map(|wheel| WheelMotion {
                    jounce: of(wheel.jounce),
                    jounce_speed: of(wheel.jounce_speed),
                    tire_force: vector(wheel.tire_force_last),
                })
                .collect(),
        }
    }

    pub(crate) fn roads<T: Single>(&self) -> Vec<Option<Road<T>>> {
        let road = |wheel: &Wheel| {
            let Plane { contact, new_hit, normal, offset, velocity } = &wheel.road;
            let plane = RidePlane {
                normal: vector(*normal),
                offset: T::of(*offset),
                velocity: vector(*velocity),
            };
            contact.then_some(Road { plane, is_new: *new_hit })
        };
        self.input.wheels.iter().map(road).collect()
    }

    pub(crate) fn tire_forces<T: Single>(&self) -> Vec<Vector3<T>> {
        self.input.wheels.iter().map(|wheel| vector(wheel.tire_force)).collect()
    }
}

fn strut<T: Single>(wheel: &Wheel) -> Strut<T> {
    let of = T::of;
    let side = |rate: f64, knee: Option<f64>, beyond: Option<f64>| match (knee, beyond) {
        (Some(knee), Some(beyond)) => {
            DamperSide { rate: of(rate), knee: of(knee), rate_beyond: of(beyond) }
        }
        _ => DamperSide::linear(of(rate)),
    };
    let (damper, stops) = (&wheel.damper, &wheel.stops);
    let linear = |k: f64| vec![(0.0, 0.0), (1.0, k)];
    let points =
        wheel.spring.table.clone().unwrap_or_else(|| linear(wheel.spring.k.unwrap_or(0.0)));
    Strut {
        mount: vector(wheel.mount),
        direction: vector(wheel.travel_direction),
        travel: of(wheel.travel),
        radius: of(wheel.radius),
        half_width: of(wheel.half_width),
        axle: vector(wheel.lateral),
        mass: of(wheel.mass),
        spring: points.into_iter().map(|(jounce, force)| (of(jounce), of(force))).collect(),
        damper: DamperLaw {
            bump: side(damper.bump, damper.bump_knee, damper.bump_high),
            rebound: side(damper.rebound, damper.rebound_knee, damper.rebound_high),
        },
        bump_stop: Stop { edge: of(stops.bump_edge), stiffness: of(stops.bump_k) },
        end_stop: of(stops.end_k),
        droop_stop: of(stops.droop_k),
        tire: TireSpring { stiffness: of(wheel.tire.k), damping: of(wheel.tire.c) },
        path_slope: wheel.path_slope.map(of),
    }
}
