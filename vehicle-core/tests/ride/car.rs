//! The cars of the curves: on flat road, over profiles, in falls.

use std::f64::consts::PI;

use vehicle_core::suspension::unsprung::contact::RidePlane;
use vehicle_core::suspension::unsprung::laws::{DamperLaw, Stop};
use vehicle_core::suspension::unsprung::wheel::TireSpring;
use vehicle_core::suspension::unsprung::{Spatial, Vector3};

use super::model::{Model, Report, Road, Shape, Strut, WheelMotion};

pub(crate) const GRAVITY: f64 = 9.81;
pub(crate) const MASS: f64 = 1500.0;
pub(crate) const TRACK: f64 = 1.55;
pub(crate) const WHEEL_BASE: f64 = 2.7;
pub(crate) const FRONT_SHARE: f64 = 0.55;
pub(crate) const COM_HEIGHT: f64 = 0.55;
pub(crate) const RADIUS: f64 = 0.33;

/// What tells cars apart.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Setup {
    /// Frequency of the sprung masses on their springs (Hz).
    pub(crate) frequency: f64,
    /// Damping ratio.
    pub(crate) damping: f64,
    /// Unsprung mass of a wheel (kg).
    pub(crate) wheel_mass: f64,
    /// Stiffness of a tire (N/m).
    pub(crate) tire: f64,
    /// Damping rate of a tire (N·s/m).
    pub(crate) tire_damping: f64,
    /// Travel, and where the bump stop begins (m).
    pub(crate) travel: [f64; 2],
    /// Moments of inertia (kg·m²).
    pub(crate) inertia: [f64; 3],
}

pub(crate) const STANDARD: Setup = Setup {
    frequency: 1.4,
    damping: 0.4,
    wheel_mass: 40.0,
    tire: 220e3,
    tire_damping: 0.0,
    travel: [0.25, 0.19],
    inertia: [500.0, 2200.0, 2500.0],
};

impl Setup {
    /// The car, at its rest on rigid tires; wheels front left, front right, rear left, rear right.
    pub(crate) fn car(&self) -> Model<f64> {
        let pulse = 2.0 * PI * self.frequency;
        let [travel, edge] = self.travel;
        let rest = GRAVITY / (pulse * pulse);
        let sprung = |share: f64| share * MASS / 2.0 - self.wheel_mass;
        let front_stiffness = sprung(FRONT_SHARE) * pulse * pulse;
        let strut = |share: f64, x: f64, y: f64| {
            let stiffness = sprung(share) * pulse * pulse;
            Strut {
                mount: Vector3([x, y, RADIUS - COM_HEIGHT + travel - rest]),
                direction: Vector3([0.0, 0.0, -1.0]),
                travel,
                radius: RADIUS,
                half_width: 0.1,
                axle: Vector3([0.0, 1.0, 0.0]),
                mass: self.wheel_mass,
                spring: vec![(0.0, 0.0), (1.0, stiffness)],
                damper: DamperLaw::linear(2.0 * self.damping * sprung(share) * pulse),
                bump_stop: Stop { edge, stiffness: 5.0 * front_stiffness },
                end_stop: 20.0 * front_stiffness,
                droop_stop: 20.0 * front_stiffness,
                tire: TireSpring { stiffness: self.tire, damping: self.tire_damping },
                path_slope: [0.0; 2],
            }
        };
        let (front, rear) = ((1.0 - FRONT_SHARE) * WHEEL_BASE, -FRONT_SHARE * WHEEL_BASE);
        let (left, right) = (TRACK / 2.0, -TRACK / 2.0);
        let struts = vec![
            strut(FRONT_SHARE, front, left),
            strut(FRONT_SHARE, front, right),
            strut(1.0 - FRONT_SHARE, rear, left),
            strut(1.0 - FRONT_SHARE, rear, right),
        ];
        let wheel = WheelMotion { jounce: rest, ..WheelMotion::default() };
        Model {
            gravity: Vector3([0.0, 0.0, -GRAVITY]),
            mass: MASS,
            inertia: Vector3(self.inertia),
            center: Vector3::zero(),
            principal_axes: [0.0, 0.0, 0.0, 1.0],
            external: Spatial::zero(),
            wheels: vec![wheel; struts.len()],
            struts,
            bars: Vec::new(),
            shape: Shape::Ray,
            position: Vector3([0.0, 0.0, COM_HEIGHT]),
            orientation: [0.0, 0.0, 0.0, 1.0],
            velocity: Spatial::zero(),
        }
    }
}

/// A level road at the height 0.
pub(crate) fn level() -> Road<f64> {
    let plane =
        RidePlane { normal: Vector3([0.0, 0.0, 1.0]), offset: 0.0, velocity: Vector3::zero() };
    Road { plane, is_new: false }
}

impl Model<f64> {
    /// Goes on by `dt` on a level road, without forces of the tires.
    pub(crate) fn roll(&mut self, dt: f64) -> Report<f64> {
        let count = self.struts.len();
        self.substep::<f64>(dt, &vec![Some(level()); count], &vec![Vector3::zero(); count])
    }

    /// Rests on a level road, where dampers of their own bring it.
    pub(crate) fn settle(&mut self) {
        let dampers: Vec<_> = self.struts.iter().map(|strut| strut.damper).collect();
        for strut in &mut self.struts {
            let sprung_mass = MASS / 4.0;
            let stiffness = strut.spring[1].1 / strut.spring[1].0;
            strut.damper = DamperLaw::linear(1.4 * (stiffness * sprung_mass).sqrt());
        }
        for _ in 0..500 {
            let _report = self.roll(1.0 / 60.0);
        }
        for (strut, damper) in self.struts.iter_mut().zip(dampers) {
            strut.damper = damper;
        }
        self.position.0[0] = 0.0;
    }
}
