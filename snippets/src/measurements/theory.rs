//! Closed forms of simple models, of the parameters of a vehicle: what its measured figures come
//! to where it is as simple as they are.

use std::f64::consts::TAU;

use anyhow::{Result, bail};
use vehicle_rapier::core::context::GRAVITY;
use vehicle_rapier::core::diagnosis::modes::QuarterCar;
use vehicle_rapier::core::tire::models::{AnyTire, BrushTire};
use vehicle_rapier::core::vehicle::MechanicalParams;

use super::Stance;
use crate::presets::vehicle;

/// The linear single-track model of a vehicle on default tires, whose lateral forces act behind the
/// wheels by their trails; outer wheels have more load, and roll with more resistance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SingleTrack {
    /// Mass (kg).
    pub mass: f64,
    /// Moment of inertia about the vertical (kg·m²).
    pub inertia: f64,
    /// Distances of the axles from the center of mass (m).
    pub places: [f64; 2],
    /// Cornering stiffness of each axle (N/rad).
    pub stiffnesses: [f64; 2],
    /// Trail of each axle (m).
    pub trails: [f64; 2],
    /// Rolling resistance times height of the center of mass (m).
    pub rolling: f64,
}

/// The default tire of a wheel.
fn brush(tire: &AnyTire) -> Result<BrushTire> {
    match tire {
        AnyTire::Brush(tire) => Ok(*tire),
        _ => bail!("a tire of another kind"),
    }
}

impl SingleTrack {
    /// The single-track model of a preset of four wheels.
    ///
    /// # Errors
    ///
    /// If there is no such preset, or it has tires of another kind.
    pub fn of(name: &str) -> Result<Self> {
        let vehicle = vehicle(name)?;
        let mechanics = vehicle.mechanics();
        let tires = [brush(&mechanics.tires[0])?, brush(&mechanics.tires[2])?];
        let place = |wheel: usize| f64::from(mechanics.suspensions[wheel].attachment.translation.z);
        let stiffness = |tire: &BrushTire| {
            let load = 3.0 / f64::from(tire.lateral_stiffness_load);
            2.0 * f64::from(tire.lateral_stiffness) * stiffness_part(load)
        };
        let height = f64::from(mechanics.standing_height(&vehicle.file().frame, GRAVITY));
        Ok(Self {
            mass: mechanics.rigid_body.mass.into(),
            inertia: mechanics.rigid_body.inertia.y.into(),
            places: [place(0), -place(2)],
            stiffnesses: tires.each_ref().map(stiffness),
            trails: tires.map(|tire| f64::from(tire.pneumatic_trail)),
            rolling: f64::from(tires[0].rolling_resistance) * height,
        })
    }

    /// Wheelbase (m).
    pub fn wheel_base(&self) -> f64 {
        self.places.iter().sum()
    }

    /// Understeer gradient (rad s²/m).
    ///
    /// ```text
    /// K = m/l ((b + t + f h)/C_f - (a - t - f h)/C_r)
    /// ```
    pub fn understeer_gradient(&self) -> f64 {
        let [front, rear] = self.places;
        let [front_trail, rear_trail] = self.trails;
        let length = front + rear + rear_trail - front_trail;
        let front_part = (rear + rear_trail + self.rolling) / length / self.stiffnesses[0];
        let rear_part = (front - front_trail - self.rolling) / length / self.stiffnesses[1];
        self.mass * (front_part - rear_part)
    }

    /// Yaw rate by steer angle at a `speed` (m/s) in a steady bend (1/s).
    ///
    /// ```text
    /// r/δ = v/(l + K v²)
    /// ```
    pub fn yaw_gain(&self, speed: f64) -> f64 {
        self.yaw_gain_with(0.0, speed)
    }

    /// The [yaw gain](Self::yaw_gain) of a vehicle whose rear axle steers into the bend by
    /// `steered` (rad s²/m) per lateral acceleration, as it rolls: its understeer gradient is
    /// larger by this.
    pub fn yaw_gain_with(&self, steered: f64, speed: f64) -> f64 {
        let gradient = self.understeer_gradient() + steered;
        speed / (self.wheel_base() + gradient * speed * speed)
    }

    /// How yaw and side slip change at a `speed` (m/s): the matrix of (v_y, r).
    ///
    /// ```text
    /// m (v_y' + v r) = Y_f + Y_r,   I r' = (a - t_f) Y_f - (b + t_r) Y_r
    /// Y_f = -C_f (v_y + a r)/v,     Y_r = -C_r (v_y - b r)/v
    /// ```
    pub fn matrix(&self, speed: f64) -> [[f64; 2]; 2] {
        let Self { mass, inertia, places: [a, b], stiffnesses: [front, rear], trails, .. } = *self;
        let (arm_front, arm_rear) = (a - trails[0], b + trails[1]);
        let (of_mass, of_inertia) = (mass * speed, inertia * speed);
        [
            [-(front + rear) / of_mass, -speed - (a * front - b * rear) / of_mass],
            [
                -(arm_front * front - arm_rear * rear) / of_inertia,
                -(a * arm_front * front + b * arm_rear * rear) / of_inertia,
            ],
        ]
    }

    /// Natural frequency (Hz) and damping ratio (dimensionless) of yaw at a `speed` (m/s).
    pub fn yaw_mode(&self, speed: f64) -> [f64; 2] {
        let [[a, b], [c, d]] = self.matrix(speed);
        let pulse = (a * d - b * c).max(0.0).sqrt();
        [pulse / TAU, -(a + d) / (2.0 * pulse)]
    }
}

/// An axle of a model that rolls: a rigid one, or two wheels that move against each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RollingAxle {
    /// Height of the roll center above the ground (m).
    pub center: f64,
    /// Load on the road (N).
    pub load: f64,
    /// Moment of inertia of the wheels, with what is between them, about the length (kg·m²).
    pub inertia: f64,
    /// Roll stiffness and damping of springs, bars and dampers (N·m/rad, N·m·s/rad).
    pub suspension: [f64; 2],
    /// Roll stiffness and damping of the tires.
    pub tires: [f64; 2],
    /// Steer angle by the roll of the body above the axle (dimensionless).
    pub roll_steer: f64,
}

impl RollingAxle {
    /// The axle of the wheels `right` and `right + 1`; `None` if they have no mass.
    fn of<Tire>(params: &MechanicalParams<Tire>, stance: &Stance, right: usize) -> Option<Self> {
        let axle = params.beam_axles.iter().find(|axle| axle.wheels.contains(&right));
        let mut of = Self {
            center: stance.roll_center(right),
            load: 0.0,
            inertia: axle.map_or(0.0, |axle| axle.roll_inertia.into()),
            suspension: [0.0; 2],
            tires: [0.0; 2],
            roll_steer: axle.map_or(0.0, |axle| axle.roll_steer.into()),
        };
        for wheel in [right, right + 1] {
            let quarter = QuarterCar::of(params, wheel, GRAVITY)?;
            let aside = f64::from(params.suspensions[wheel].attachment.translation.x);
            let square = aside * aside;
            let of_damper =
                axle.map_or(square, |axle| (0.5 * f64::from(axle.damper_track)).powi(2));
            of.load += f64::from(params.suspension_forces[wheel].sprung_mass * GRAVITY);
            of.suspension[0] += stance.roll_spring(wheel) * square;
            of.suspension[1] += quarter.damping * of_damper;
            of.tires[0] += quarter.tire_stiffness * square;
            of.tires[1] += quarter.tire_damping * square;
            if axle.is_none() {
                of.inertia += quarter.wheel_mass * square;
            }
        }
        Some(of)
    }

    /// Moment on the body and on the axle (N·m), which roll by φ and ψ (rad) and at these rates
    /// (rad/s). A lateral force `y` (N) acts below a center of mass at a `height` (m).
    fn moments(&self, height: f64, [phi, psi]: [f64; 2], rates: [f64; 2], y: f64) -> [f64; 2] {
        let ([spring, damper], [tire, tire_damper]) = (self.suspension, self.tires);
        let held = spring * (phi - psi) + damper * (rates[0] - rates[1]);
        let above = height - self.center;
        let pressed = tire * psi + tire_damper * rates[1];
        [above * (y + self.load * phi) - held, held - pressed + self.center * (y + self.load * psi)]
    }
}

/// A linear single-track model whose body rolls on its axles, and these on their tires.
///
/// ```text
/// m (v' + v_x r) = Y_f + Y_r,   I r' = (a - t_f) Y_f - (b + t_r) Y_r
/// I_x φ'' = Σ (h - c) (Y + N φ) - K (φ - ψ) - C (φ' - ψ')
/// J ψ'' = K (φ - ψ) + C (φ' - ψ') - K_t ψ - C_t ψ' + c (Y + N ψ)
/// Y = C_i (δ_i - (v ± x r + (h - c) φ' + c ψ')/v_x),   δ_r = ε (φ - ψ)
/// ```
///
/// with the height `h` of the center of mass. Each axle has the height `c` of its roll center, its
/// own roll `ψ`, its load `N` and, of a rear beam, the steer `ε` by its roll. Body and axle turn
/// about the roll center, and so do the contacts, by which tires push and slip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RollingTrack {
    /// What it is without roll.
    pub flat: SingleTrack,
    /// Height of the center of mass (m).
    pub height: f64,
    /// Moment of inertia of the body without its axles about its length (kg·m²).
    pub inertia: f64,
    /// Front and rear axle.
    pub axles: [RollingAxle; 2],
    /// Whether it rolls at all.
    pub rolls: bool,
}

/// State of a [`RollingTrack`]: (v, r), rolls and roll rates of body, front and rear axle.
type Rolling = [f64; 8];

impl RollingTrack {
    /// The model of a preset of four wheels.
    ///
    /// # Errors
    ///
    /// As of [`SingleTrack::of`], or if its wheels have no mass.
    pub fn of(name: &str) -> Result<Self> {
        let flat = SingleTrack::of(name)?;
        let vehicle = vehicle(name)?;
        let mechanics = vehicle.mechanics();
        let height = f64::from(mechanics.standing_height(&vehicle.file().frame, GRAVITY));
        let stance = Stance::of(mechanics, height);
        let axle = |right| RollingAxle::of(mechanics, &stance, right);
        let (Some(front), Some(rear)) = (axle(0), axle(2)) else {
            bail!("{name}: wheels without mass")
        };
        let inertia = f64::from(mechanics.rigid_body.inertia.z) - front.inertia - rear.inertia;
        Ok(Self { flat, height, inertia, axles: [front, rear], rolls: true })
    }

    /// Slopes of the state at a `speed` (m/s) and a steer angle (rad).
    fn slopes(&self, state: &Rolling, speed: f64, angle: f64) -> Rolling {
        let SingleTrack { mass, inertia, places: [a, b], stiffnesses, trails, .. } = self.flat;
        let [v, r, phi, front, rear, rates @ ..] = *state;
        let (axle_rolls, [p, axle_rates @ ..]) = ([front, rear], rates);
        let mut forces = [0.0; 2];
        let mut slopes = [0.0, 0.0, p, axle_rates[0], axle_rates[1], 0.0, 0.0, 0.0];
        for (index, axle) in self.axles.iter().enumerate() {
            let (psi, rate) = (axle_rolls[index], axle_rates[index]);
            let (place, steered) = [(a, angle), (-b, axle.roll_steer * (phi - psi))][index];
            let aside = (self.height - axle.center) * p + axle.center * rate;
            let slip = steered - (v + place * r + aside) / speed;
            forces[index] = stiffnesses[index] * slip;
            let [body, own] = axle.moments(self.height, [phi, psi], [p, rate], forces[index]);
            slopes[5] += body / self.inertia;
            slopes[6 + index] = own / axle.inertia;
        }
        slopes[0] = (forces[0] + forces[1]) / mass - speed * r;
        slopes[1] = ((a - trails[0]) * forces[0] - (b + trails[1]) * forces[1]) / inertia;
        if !self.rolls {
            slopes[2..].fill(0.0);
        }
        slopes
    }

    /// Lateral velocity (m/s) and yaw rate (rad/s) after each of these steer angles (rad), which
    /// are an `interval` (s) apart, at a `speed` (m/s), from straight on.
    pub fn response(&self, angles: &[f64], interval: f64, speed: f64) -> Vec<[f64; 2]> {
        const PARTS: u32 = 8;
        let h = interval / f64::from(PARTS);
        let mut state = Rolling::default();
        let mut before = 0.0;
        let after = |angle: &f64| {
            for part in 0..PARTS {
                let share = (f64::from(part) + 0.5) / f64::from(PARTS);
                let turned = before + share * (angle - before);
                // The midpoint rule, in parts so small that its error is none.
                let ahead = |slope: Rolling, part: f64| -> Rolling {
                    std::array::from_fn(|index| state[index] + part * h * slope[index])
                };
                let middle = ahead(self.slopes(&state, speed, turned), 0.5);
                state = ahead(self.slopes(&middle, speed, turned), 1.0);
            }
            before = *angle;
            [state[0], state[1]]
        };
        angles.iter().map(after).collect()
    }

    /// This model without roll.
    #[must_use]
    pub fn without_roll(&self) -> Self {
        Self { rolls: false, ..*self }
    }
}

/// Part of the largest lateral stiffness of a default tire under a load, in thirds of the load at
/// which it is reached (dimensionless).
pub fn stiffness_part(load: f64) -> f64 {
    if load < 3.0 { load - load.powi(2) / 3.0 + load.powi(3) / 27.0 } else { 1.0 }
}

/// Slip angle (rad) of the wheels of an axle on brush tires that together push by `force` (N), each
/// of a stiffness (N/rad) and a load (N).
///
/// ```text
/// Y = Σ μ N (q - q²/3 + q³/27),   q = min(C α/(μ N), 3)
/// ```
pub fn slip_angle(force: f64, wheels: &[(f64, f64)], friction: f64) -> f64 {
    let pushed = |angle: f64| -> f64 {
        let of = |&(stiffness, load): &(f64, f64)| {
            let limit = friction * load;
            limit * stiffness_part((stiffness * angle / limit).min(3.0))
        };
        wheels.iter().map(of).sum()
    };
    let (mut low, mut high) = (0.0, 0.2);
    for _ in 0..50 {
        let middle = 0.5 * (low + high);
        if pushed(middle) < force { low = middle } else { high = middle }
    }
    low
}

/// What brakes a vehicle in neutral beside its brakes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Resistance {
    /// Rolling resistance (N).
    pub rolling: f64,
    /// Friction of the bearings by speed (N·s/m).
    pub bearings: f64,
    /// Resistance of the air by the square of speed (N·s²/m²).
    pub air: f64,
    /// Mass (kg).
    pub mass: f64,
    /// Mass with what the wheels that turn add to it (kg).
    pub inertia: f64,
}

impl Resistance {
    /// Resistance of a preset.
    ///
    /// # Errors
    ///
    /// If there is no such preset.
    pub fn of(name: &str) -> Result<Self> {
        let car = vehicle(name)?;
        let mechanics = car.mechanics();
        let mass = f64::from(mechanics.rigid_body.mass);
        let wheels = mechanics.wheels.iter();
        let bearings = wheels.clone().map(|wheel| wheel.damping_rate / wheel.radius.powi(2));
        let turning = wheels.map(|wheel| f64::from(wheel.inertia / wheel.radius.powi(2)));
        let rolling = |tire: &AnyTire| match tire {
            AnyTire::Brush(tire) => f64::from(tire.rolling_resistance * tire.rest_load),
            _ => 0.0,
        };
        let air = &mechanics.aerodynamics;
        Ok(Self {
            rolling: mechanics.tires.iter().map(rolling).sum(),
            bearings: bearings.map(f64::from).sum(),
            air: f64::from(0.5 * air.air_density * air.drag_area),
            mass,
            inertia: mass + turning.sum::<f64>(),
        })
    }

    /// The force at a `speed` (m/s, N).
    pub fn force(&self, speed: f64) -> f64 {
        self.rolling + self.bearings * speed + self.air * speed * speed
    }
}

/// Way (m) and time (s) from one speed to another (m/s) of a mass (kg) under a force (N).
pub fn slowed(inertia: f64, force: impl Fn(f64) -> f64, [from, to]: [f64; 2]) -> [f64; 2] {
    let (mut speed, mut way, mut time) = (from, 0.0, 0.0);
    let dt = 1e-3;
    while to < speed {
        let slower = (speed - dt * force(speed) / inertia).max(to);
        way += 0.5 * (speed + slower) * dt;
        time += dt;
        speed = slower;
    }
    [way, time]
}
