//! Natural frequencies of a body on its springs.

use rapier3d::prelude::Real;
use vehicle_rapier::core::context::GRAVITY;
use vehicle_rapier::core::diagnosis::modes::QuarterCar;
use vehicle_rapier::core::suspension::BeamAxleParams;
use vehicle_rapier::core::suspension::unsprung::SuspensionDynamics;
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
    /// How far its contact moves to the left as it drops by one (dimensionless).
    aside: f64,
}

/// The rigid axle on which a wheel is, if it has one.
fn beam_axle<Tire>(params: &MechanicalParams<Tire>, wheel: usize) -> Option<&BeamAxleParams> {
    params.beam_axles.iter().find(|axle| axle.wheels.contains(&wheel))
}

impl Corner {
    fn new<Tire>(params: &MechanicalParams<Tire>, wheel: usize) -> Self {
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
            aside: match &params.suspension_dynamics {
                SuspensionDynamics::Unsprung(wheels) => f64::from(wheels[wheel].path_slope[1]),
                _ => 0.0,
            },
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
/// with the place (x, y) of each wheel before and beside the center of mass, and the stiffness of
/// its spring `k_s`, tire `k_t` and bar `κ`. `s` is the distance of the springs of a beam axle by
/// that of its wheels. Mass and moments of inertia are without those of the wheels.
pub fn natural_frequencies<Tire>(params: &MechanicalParams<Tire>) -> Frequencies {
    natural_frequencies_at(params, 0.0)
}

/// The natural frequencies of a vehicle whose center of mass stands at a `height` (m). Its weight
/// turns it over as it leans, which lowers those of pitch and roll, see [`natural_frequencies`].
///
/// ```text
/// J_θ θ'' - Σk x z + (Σk x² - m g h) θ = 0,   J_φ φ'' + (Σk' y² - m g h) φ = 0
/// ```
pub fn natural_frequencies_at<Tire>(params: &MechanicalParams<Tire>, height: f64) -> Frequencies {
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
    let overturning = f64::from(body.mass * GRAVITY) * height;
    kxx -= overturning;
    kyy -= overturning;
    let (a, d, square) = (k / mass, kxx / pitch, kx * kx / (mass * pitch));
    let root = (0.25 * (a - d) * (a - d) + square).sqrt();
    let hertz = |squared: f64| (squared.max(0.0).sqrt() / std::f64::consts::TAU) as Real;
    Frequencies {
        bounce_and_pitch: [0.5 * (a + d) - root, 0.5 * (a + d) + root].map(hertz),
        roll: hertz(kyy / roll),
    }
}

/// How a vehicle stands on its springs and tires under small loads from the side and from ahead.
#[derive(Clone, Debug, PartialEq)]
pub struct Stance {
    /// Weight (N), and height of the center of mass above the ground (m).
    weight: f64,
    height: f64,
    /// Height of the roll axis below the center of mass (m), and of the roll center at each wheel.
    roll_axis: f64,
    roll_centers: Vec<f64>,
    /// Stiffness of spring and bar at each wheel as the body rolls (N/m).
    roll_springs: Vec<f64>,
    /// Roll stiffness of springs, bars and tires (N·m/rad).
    roll: f64,
    /// Moment by which springs and bars move less where tires give way below the roll centers, by
    /// the lateral acceleration in g (N·m).
    on_tires: f64,
    /// Stiffnesses of bounce, of both, and of pitch (N/m, N, N·m).
    bounce: [f64; 3],
}

impl Stance {
    /// Of a vehicle that looks along z, with y up, whose center of mass is at a `height` (m).
    pub fn of<Tire>(params: &MechanicalParams<Tire>, height: f64) -> Self {
        let weight = f64::from(params.rigid_body.mass * GRAVITY);
        let mut stance = Self {
            weight,
            height,
            roll_axis: 0.0,
            roll_centers: Vec::new(),
            roll_springs: Vec::new(),
            roll: 0.0,
            on_tires: 0.0,
            bounce: [0.0; 3],
        };
        for wheel in 0..params.suspensions.len() {
            let corner = Corner::new(params, wheel);
            let [x, y] = corner.place;
            let stiffness = corner.on_tire(corner.spring);
            for (sum, part) in stance.bounce.iter_mut().zip([1.0, x, x * x]) {
                *sum += stiffness * part;
            }
            stance.roll += corner.on_tire(corner.spring + corner.bars) * y * y;
            let load = f64::from(params.suspension_forces[wheel].sprung_mass * GRAVITY);
            let center = beam_axle(params, wheel)
                .map_or(-corner.aside * y, |axle| f64::from(axle.roll_center_height));
            stance.roll_axis += load / weight * center;
            let spring = corner.spring + corner.bars;
            stance.on_tires += load * center * corner.on_tire(spring) * corner.tire;
            stance.roll_centers.push(center);
            stance.roll_springs.push(corner.spring + corner.bars);
        }
        stance
    }

    /// Height of the roll center at a wheel (m).
    pub fn roll_center(&self, wheel: usize) -> f64 {
        self.roll_centers.get(wheel).copied().unwrap_or(0.0)
    }

    /// Stiffness of spring and bar at a wheel as the body rolls (N/m).
    pub fn roll_spring(&self, wheel: usize) -> f64 {
        self.roll_springs.get(wheel).copied().unwrap_or(0.0)
    }

    /// Roll stiffness, less what the weight turns over as the body leans about the roll axis
    /// (N·m/rad).
    pub fn roll_stiffness(&self) -> f64 {
        self.roll - self.weight * (self.height - self.roll_axis)
    }

    /// Roll by lateral acceleration (rad s²/m).
    ///
    /// ```text
    /// φ/a = (m h' + Σ m_i c_i K_i/K_t,i)/(K - m g h')
    /// ```
    ///
    /// with the height `h'` of the center of mass above the roll axis and `c_i` of the roll center
    /// at each wheel, which bears `m_i`. Its roll stiffness is `K_i`, that of its tire `K_t,i`, and
    /// the sum of all is `K`.
    pub fn roll_gradient(&self) -> f64 {
        let moment = self.weight * (self.height - self.roll_axis);
        (moment + self.on_tires) / self.roll_stiffness() / f64::from(GRAVITY)
    }

    /// Pitch, nose up, under a `moment` that turns the nose down (N·m), without anti-dive (rad).
    ///
    /// ```text
    /// k z - k_x θ = 0,   -k_x z + (k_xx - m g h) θ = -M
    /// ```
    pub fn pitch(&self, moment: f64) -> f64 {
        let [k, kx, kxx] = self.bounce;
        -moment / (kxx - self.weight * self.height - kx * kx / k)
    }
}
