//! Natural frequencies of a body on its springs.

use rapier3d::prelude::Real;
use vehicle_rapier::core::context::GRAVITY;
use vehicle_rapier::core::diagnosis::modes::QuarterCar;
use vehicle_rapier::core::suspension::BeamAxleParams;
use vehicle_rapier::core::tire::models::AnyTire;
use vehicle_rapier::core::vehicle::MechanicalParams;

/// Natural frequencies without damping (Hz).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Frequencies {
    /// The lower and the higher of the two motions in which it bounces and pitches.
    pub bounce_and_pitch: [Real; 2],
    /// In which it rolls.
    pub roll: Real,
}

/// What holds the body at one wheel.
#[derive(Clone, Copy)]
struct Corner {
    /// Place before and beside the center of mass (m).
    place: [f64; 2],
    /// Stiffness of the spring (N/m).
    spring: f64,
    /// What anti-roll bars add to it as the vehicle rolls, less what it loses on a beam axle (N/m).
    bars: f64,
    /// How far the tire gives way (m/N); 0 below a wheel without mass.
    tire: f64,
    /// Mass of the wheel (kg).
    mass: f64,
}

/// The rigid axle on which a wheel is, if it has one.
fn beam_axle(params: &MechanicalParams<AnyTire>, wheel: usize) -> Option<&BeamAxleParams> {
    params.beam_axles.iter().find(|axle| axle.wheels.contains(&wheel))
}

impl Corner {
    fn new(params: &MechanicalParams<AnyTire>, wheel: usize) -> Self {
        let place = params.suspensions[wheel].attachment.translation;
        let bars = params.anti_roll_bars.iter().filter(|bar| bar.wheels.contains(&wheel));
        let quarter = QuarterCar::of(params, wheel, GRAVITY);
        let spring = f64::from(params.suspension_forces[wheel].stiffness);
        let spring = quarter.map_or(spring, |quarter| quarter.stiffness);
        let bars: f64 = bars.map(|bar| 2.0 * f64::from(bar.stiffness)).sum();
        let inward = beam_axle(params, wheel)
            .map_or(1.0, |axle| f64::from(axle.spring_track) / (2.0 * f64::from(place.x)).abs());
        Self {
            place: [place.z, place.x].map(f64::from),
            spring,
            bars: bars + spring * (inward * inward - 1.0),
            tire: quarter.map_or(0.0, |quarter| quarter.tire_stiffness.recip()),
            mass: quarter.map_or(0.0, |quarter| quarter.wheel_mass),
        }
    }

    /// Stiffness of `suspension` (N/m) on the tire.
    fn on_tire(&self, suspension: f64) -> f64 {
        1.0 / (1.0 / suspension + self.tire)
    }
}

/// The natural frequencies of a vehicle that looks along z, with y up, on its springs, bars and
/// tires. The two wheels of a bar are as far apart as those of the others. At these frequencies
/// wheels follow at once, whatever their mass: that is true to a hundredth.
///
/// ```text
/// bounce z, pitch θ:   m z'' + Σk z - Σk x θ = 0,   J_θ θ'' - Σk x z + Σk x² θ = 0
/// roll φ:              J_φ φ'' + Σk' y² φ = 0
/// 1/k = 1/k_s + 1/k_t,   1/k' = 1/(s² k_s + 2κ) + 1/k_t
/// ```
///
/// with the place (x, y) of each wheel before and beside the center of mass, the stiffness of its
/// spring `k_s`, tire `k_t` and bar `κ`, the distance `s` of the springs of a beam axle by that of
/// its wheels, and mass and moments of inertia without those of the
/// wheels.
pub fn natural_frequencies(params: &MechanicalParams<AnyTire>) -> Frequencies {
    let body = &params.rigid_body;
    let [mut mass, mut pitch, mut roll] =
        [body.mass, body.inertia.x, body.inertia.z].map(f64::from);
    let [mut k, mut kx, mut kxx, mut kyy] = [0.0; 4];
    for wheel in 0..params.suspensions.len() {
        let corner = Corner::new(params, wheel);
        let [x, y] = corner.place;
        let stiffness = corner.on_tire(corner.spring);
        k += stiffness;
        kx += stiffness * x;
        kxx += stiffness * x * x;
        kyy += corner.on_tire(corner.spring + corner.bars) * y * y;
        mass -= corner.mass;
        pitch -= corner.mass * x * x;
        roll -= match beam_axle(params, wheel) {
            Some(axle) => 0.5 * f64::from(axle.roll_inertia),
            None => corner.mass * y * y,
        };
    }
    let (a, d, square) = (k / mass, kxx / pitch, kx * kx / (mass * pitch));
    let root = (0.25 * (a - d) * (a - d) + square).sqrt();
    let hertz = |squared: f64| (squared.max(0.0).sqrt() / std::f64::consts::TAU) as Real;
    Frequencies {
        bounce_and_pitch: [0.5 * (a + d) - root, 0.5 * (a + d) + root].map(hertz),
        roll: hertz(kyy / roll),
    }
}
