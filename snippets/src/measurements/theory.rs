//! Closed forms of simple models, of the parameters of a vehicle: what its measured figures come
//! to where it is as simple as they are.

use std::f64::consts::TAU;

use anyhow::{Result, bail};
use vehicle_rapier::core::context::GRAVITY;
use vehicle_rapier::core::diagnosis::modes::QuarterCar;
use vehicle_rapier::core::tire::models::{AnyTire, BrushTire};

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

/// A linear single-track model whose body rolls on its springs and dampers.
///
/// ```text
/// m (v' + v_x r) = Y_f + Y_r,   I r' = (a - t_f) Y_f - (b + t_r) Y_r
/// I_x p' = Σ d Y - K φ - C p,   φ' = p
/// Y = C_i (δ_i - (v ± x r + d p)/v_x),   δ_r = ε φ
/// ```
///
/// with the distances `d` of the center of mass from the roll centers: contacts follow the body
/// about these; and the steer `ε` of a rear beam axle that rolls.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RollingTrack {
    /// What it is without roll.
    pub flat: SingleTrack,
    /// Heights of the center of mass above the roll centers of the axles (m).
    pub arms: [f64; 2],
    /// Moment of inertia of the body about its length (kg·m²).
    pub inertia: f64,
    /// Roll stiffness, less what the weight turns over (N·m/rad).
    pub stiffness: f64,
    /// Roll damping (N·m·s/rad).
    pub damping: f64,
    /// Steer angle of the rear axle by the roll angle, if it is a beam (dimensionless).
    pub roll_steer: f64,
}

impl RollingTrack {
    /// That of a preset of four wheels.
    ///
    /// # Errors
    ///
    /// As of [`SingleTrack::of`], or if its wheels have no mass.
    pub fn of(name: &str) -> Result<Self> {
        let flat = SingleTrack::of(name)?;
        let vehicle = vehicle(name)?;
        let mechanics = vehicle.mechanics();
        let height = mechanics.standing_height(&vehicle.file().frame, GRAVITY);
        let stance = Stance::of(mechanics, height.into());
        let aside = |wheel: usize| f64::from(mechanics.suspensions[wheel].attachment.translation.x);
        let (mut damping, mut inertia) = (0.0, f64::from(mechanics.rigid_body.inertia.z));
        let mut roll_steer = 0.0;
        for wheel in 0..4 {
            let Some(quarter) = QuarterCar::of(mechanics, wheel, GRAVITY) else {
                bail!("{name}: wheels without mass")
            };
            let square = aside(wheel).powi(2);
            // The tire takes its part of the movement.
            let (suspension, tire) = (stance.roll_spring(wheel), quarter.tire_stiffness);
            let part = tire / (tire + suspension);
            let axle = mechanics.beam_axles.iter().find(|axle| axle.wheels.contains(&wheel));
            let (of_damper, of_wheel) =
                axle.map_or((square, square * quarter.wheel_mass), |axle| {
                    let [damper, inertia] = [axle.damper_track, axle.roll_inertia].map(f64::from);
                    ((0.5 * damper).powi(2), 0.5 * inertia)
                });
            damping += of_damper * quarter.damping * part * part;
            inertia -= of_wheel;
            if let (Some(axle), 2) = (axle, wheel) {
                roll_steer = f64::from(axle.roll_steer) * part;
            }
        }
        let arms = [0, 2].map(|wheel| f64::from(height) - stance.roll_center(wheel));
        let stiffness = stance.roll_stiffness();
        Ok(Self { flat, arms, inertia, stiffness, damping, roll_steer })
    }

    /// Slopes of (v, r, p, φ) at a `speed` (m/s) and a steer angle (rad).
    fn slopes(&self, [v, r, p, phi]: [f64; 4], speed: f64, angle: f64) -> [f64; 4] {
        let SingleTrack { mass, inertia, places: [a, b], stiffnesses, trails, .. } = self.flat;
        let [front_arm, rear_arm] = self.arms;
        let front = stiffnesses[0] * (angle - (v + a * r + front_arm * p) / speed);
        let slip = (v - b * r + rear_arm * p) / speed;
        let rear = stiffnesses[1] * (self.roll_steer * phi - slip);
        [
            (front + rear) / mass - speed * r,
            ((a - trails[0]) * front - (b + trails[1]) * rear) / inertia,
            (front_arm * front + rear_arm * rear - self.stiffness * phi - self.damping * p)
                / self.inertia,
            p,
        ]
    }

    /// Lateral velocity (m/s) and yaw rate (rad/s) after each of these steer angles (rad), which
    /// are an `interval` (s) apart, at a `speed` (m/s), from straight on.
    pub fn response(&self, angles: &[f64], interval: f64, speed: f64) -> Vec<[f64; 2]> {
        const PARTS: u32 = 8;
        let h = interval / f64::from(PARTS);
        let mut state = [0.0; 4];
        let mut before = 0.0;
        let after = |angle: &f64| {
            for part in 0..PARTS {
                let share = (f64::from(part) + 0.5) / f64::from(PARTS);
                let turned = before + share * (angle - before);
                // The midpoint rule, in parts so small that its error is none.
                let slope = self.slopes(state, speed, turned);
                let middle = [0, 1, 2, 3].map(|index| state[index] + 0.5 * h * slope[index]);
                let slope = self.slopes(middle, speed, turned);
                state = [0, 1, 2, 3].map(|index| state[index] + h * slope[index]);
            }
            before = *angle;
            [state[0], state[1]]
        };
        angles.iter().map(after).collect()
    }

    /// This model without roll.
    #[must_use]
    pub fn without_roll(&self) -> Self {
        Self { arms: [0.0; 2], roll_steer: 0.0, ..*self }
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
