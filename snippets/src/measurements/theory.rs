//! Closed forms of simple models, of the parameters of a vehicle: what its measured figures come
//! to where it is as simple as they are.

use std::f64::consts::TAU;

use anyhow::{Result, bail};
use vehicle_rapier::core::context::GRAVITY;
use vehicle_rapier::core::tire::models::{AnyTire, BrushTire};

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
    /// That of a preset of four wheels.
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
        speed / (self.wheel_base() + self.understeer_gradient() * speed * speed)
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
    /// That of the air by the square of speed (N·s²/m²).
    pub air: f64,
    /// Mass (kg).
    pub mass: f64,
    /// Mass with what the wheels that turn add to it (kg).
    pub inertia: f64,
}

impl Resistance {
    /// That of a preset.
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
