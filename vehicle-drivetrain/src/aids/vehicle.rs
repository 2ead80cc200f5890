//! Numbers of the vehicle that aids take their defaults from.

use vehicle_core::context::GRAVITY;
use vehicle_core::math::Real;
use vehicle_core::wheel_list::WheelVec;

use crate::handling::{AxleGroup, sums, understeer_gradient};

/// Least understeer gradient that a yaw reference is made from (rad·s²/m): below it a reference
/// grows without bound with the speed.
const LEAST_UNDERSTEER_GRADIENT: Real = 0.001;

/// Force by the weight below which torques of wheels are no drive (dimensionless).
const LEAST_DRIVE: Real = 1e-3;

/// A wheel, as aids see it. Positions are from the center of mass.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AidWheel {
    /// Position ahead of the center of mass (m).
    pub forward: Real,
    /// Position to the left of the center of mass (m).
    pub left: Real,
    /// Number of its axle, counted from the front.
    pub axle: usize,
    /// Radius (m).
    pub radius: Real,
    /// Moment of inertia about its axle (kg·m²), with the rotor of a motor that turns it by gears
    /// and differentials alone. What an engine adds in a gear is not in it.
    pub inertia: Real,
    /// Load at rest (N).
    pub rest_load: Real,
    /// Greatest torque of its foot brake (N·m).
    pub max_brake_torque: Real,
    /// Slip at which its tire has the greatest longitudinal force at the rest load
    /// (dimensionless); `None` where the force does not fall beyond any.
    pub peak_slip: Option<Real>,
    /// Lateral force per slip angle at the rest load (N/rad).
    pub cornering_stiffness: Real,
    /// Greatest lateral force by the rest load, on a road of friction 1 (dimensionless); 0 where it
    /// is not known.
    pub lateral_friction: Real,
    /// Whether the drive turns it.
    pub is_driven: bool,
    /// Number of the motor that turns it, of a drive [by motors](AidDrive::PerMotor).
    pub motor: usize,
    /// Steer angle of the wheel by that of the [steering](AidVehicle::max_steer_angle), in [-1, 1]
    /// (dimensionless): 0 if it is not steered, negative against the steering wheel.
    pub steer_share: Real,
}

impl AidWheel {
    /// Cornering stiffness by the greatest lateral force on a road of friction 1 (1/rad).
    pub(crate) fn stiffness_by_grip(&self) -> Real {
        let known = if 0.0 < self.lateral_friction { self.lateral_friction } else { 1.0 };
        self.cornering_stiffness / (known * self.rest_load).max(Real::MIN_POSITIVE)
    }

    /// Whether the wheel is steered.
    pub fn is_steered(&self) -> bool {
        self.steer_share != 0.0
    }
}

/// How the drive answers to what aids ask.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum AidDrive {
    /// Each driven wheel has a torque of its own, as from direct drive or separate motors.
    #[default]
    PerWheel,
    /// Each driven wheel has a share of the torque of its [motor](AidWheel::motor), behind
    /// differentials: such as a motor for each axle.
    PerMotor,
    /// One throttle for all driven wheels, behind differentials.
    Engine(AidEngine),
}

/// An engine with its clutch and first gear.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AidEngine {
    /// Speed at idle (rad/s).
    pub idle_speed: Real,
    /// Greatest speed (rad/s).
    pub max_speed: Real,
    /// Least speed at which the torque is 0.9 of its peak (rad/s).
    pub strong_speed: Real,
    /// Greatest torque (N·m).
    pub peak_torque: Real,
    /// Torque of the closed clutch per speed that it slips by (N·m·s/rad).
    pub clutch_strength: Real,
    /// Greatest torque of the closed clutch (N·m), if it has one.
    pub clutch_capacity: Option<Real>,
    /// Revolutions of the engine per revolution of the driven wheels in first gear (dimensionless).
    pub first_ratio: Real,
}

impl AidEngine {
    /// This engine in SI units, of a vehicle whose torques are `square` times as large.
    pub(crate) fn in_si_units(self, square: Real) -> Self {
        Self {
            peak_torque: self.peak_torque / square,
            clutch_strength: self.clutch_strength / square,
            clutch_capacity: self.clutch_capacity.map(|capacity| capacity / square),
            ..self
        }
    }
}

/// Numbers of the vehicle that aids take their defaults from, in SI units.
#[derive(Clone, Debug, PartialEq)]
pub struct AidVehicle {
    /// Mass (kg), without that of its trailers.
    pub mass: Real,
    /// Mass of its trailers (kg).
    pub trailer_mass: Real,
    /// Moment of inertia about the vertical axis through the center of mass (kg·m²).
    pub yaw_inertia: Real,
    /// Moment of inertia about the longitudinal axis through the center of mass (kg·m²).
    pub roll_inertia: Real,
    /// Moment of inertia about the lateral axis through the center of mass (kg·m²).
    pub pitch_inertia: Real,
    /// Height of the center of mass above the road (m).
    pub center_height: Real,
    /// Gravity under which it has its loads at rest (m/s²); that of a step is in the
    /// [signals](super::AidSignals::gravity).
    pub gravity: Real,
    /// Angle of the steering at full lock: that of the wheel that turns most (rad).
    pub max_steer_angle: Real,
    /// Wheels of the vehicle.
    pub wheels: Vec<AidWheel>,
    /// How the drive answers.
    pub drive: AidDrive,
}

impl Default for AidVehicle {
    fn default() -> Self {
        Self {
            mass: 1_500.0,
            trailer_mass: 0.0,
            yaw_inertia: 2_500.0,
            roll_inertia: 500.0,
            pitch_inertia: 2_300.0,
            center_height: 0.5,
            gravity: GRAVITY,
            max_steer_angle: 0.6,
            wheels: Vec::new(),
            drive: AidDrive::default(),
        }
    }
}

/// Two wheels of one axle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WheelPair {
    /// Number of the left wheel.
    pub left: usize,
    /// Number of the right wheel.
    pub right: usize,
    /// Number of the axle, counted from the front.
    pub axle: usize,
}

impl WheelPair {
    /// The left wheel, then the right one.
    pub fn wheels(&self) -> [usize; 2] {
        [self.left, self.right]
    }
}

impl AidVehicle {
    /// Left and right wheel of each axle that has both, from the front to the rear. Of twin wheels
    /// the outermost count.
    pub fn pairs(&self) -> Vec<WheelPair> {
        let axles = self.axles();
        (0..axles).filter_map(|axle| self.pair(axle)).collect()
    }

    /// Number of axles.
    pub fn axles(&self) -> usize {
        self.wheels.iter().map(|wheel| wheel.axle + 1).max().unwrap_or(0)
    }

    /// Left and right wheel of the foremost and of the rearmost axle. Of one with a single wheel it
    /// is that, twice.
    pub(crate) fn ends(&self) -> Option<[[usize; 2]; 2]> {
        let wheels = |axle: usize| {
            let alone = || self.wheels.iter().position(|wheel| wheel.axle == axle);
            self.pair(axle).map(|pair| pair.wheels()).or_else(|| alone().map(|wheel| [wheel; 2]))
        };
        Some([wheels(0)?, wheels(self.axles().checked_sub(1)?)?])
    }

    fn pair(&self, axle: usize) -> Option<WheelPair> {
        let on_axle = || (0..self.wheels.len()).filter(|&wheel| self.wheels[wheel].axle == axle);
        let outermost = |side: Real| {
            let reach = |wheel: usize| side * self.wheels[wheel].left;
            on_axle()
                .filter(|&wheel| 0.0 < reach(wheel))
                .reduce(|best, wheel| if reach(best) < reach(wheel) { wheel } else { best })
        };
        Some(WheelPair { left: outermost(1.0)?, right: outermost(-1.0)?, axle })
    }

    /// Distance of the two wheels of `pair` (m).
    pub fn track(&self, pair: &WheelPair) -> Real {
        self.wheels[pair.left].left - self.wheels[pair.right].left
    }

    /// Distance of the foremost from the rearmost axle (m).
    pub fn wheelbase(&self) -> Real {
        let forward = || self.wheels.iter().map(|wheel| wheel.forward);
        let front = forward().fold(Real::NEG_INFINITY, Real::max);
        let rear = forward().fold(Real::INFINITY, Real::min);
        (front - rear).max(0.0)
    }

    /// Position of the foremost axle ahead of the center of mass (m).
    pub fn front_axle(&self) -> Real {
        self.wheels.iter().map(|wheel| wheel.forward).fold(0.0, Real::max)
    }

    /// [Understeer gradient](crate::handling::Handling::understeer_gradient) of the linear
    /// single-track model (rad·s²/m), at least 0.001.
    pub fn understeer_gradient(&self) -> Real {
        let gradient = understeer_gradient(self.mass, &self.groups());
        let gradient = if self.equivalent_wheelbase() < 0.0 { -gradient } else { gradient };
        let is_known = gradient.is_finite();
        if is_known { gradient.max(LEAST_UNDERSTEER_GRADIENT) } else { LEAST_UNDERSTEER_GRADIENT }
    }

    /// The wheels ahead of the center of mass, and those behind it.
    fn groups(&self) -> [AxleGroup; 2] {
        let mut groups = [AxleGroup::default(); 2];
        for wheel in &self.wheels {
            let steered = wheel.cornering_stiffness * wheel.steer_share;
            let end = usize::from(wheel.forward < 0.0);
            groups[end].add_wheel(wheel.cornering_stiffness, steered, wheel.forward);
        }
        groups
    }

    /// Wheelbase of the car of two axles, steered in front, that turns as the vehicle does by the
    /// angle of its steering (m).
    ///
    /// ```text
    /// L = (C Cxx - Cx²) / (C Ckx - Ck Cx)
    /// ```
    ///
    /// with the sums of the single-track model over all wheels, as of [`AxleGroup`]. It is negative
    /// if the vehicle turns against its steering wheel, and infinite if steering moves it sideways
    /// alone.
    ///
    /// Source: C. B. Winkler, "Simplified analysis of the steady-state turning of complex
    /// vehicles", Vehicle System Dynamics 29 (1998).
    pub fn equivalent_wheelbase(&self) -> Real {
        let [c, cx, cxx, ck, ckx] = sums(&self.groups());
        if self.is_steered_in_front_alone() || c == 0.0 {
            return self.wheelbase();
        }
        let lever = ckx * c - ck * cx;
        if lever == 0.0 { Real::INFINITY } else { (c * cxx - cx * cx) / lever }
    }

    /// Whether the vehicle has two axles, of which the front one alone is steered: then the sums
    /// of the single-track model say nothing that its geometry does not.
    fn is_steered_in_front_alone(&self) -> bool {
        let share = |wheel: &AidWheel| if wheel.axle == 0 { 1.0 } else { 0.0 };
        self.axles() == 2 && self.wheels.iter().all(|wheel| wheel.steer_share == share(wheel))
    }

    /// Whether any wheel is steered. The turns of tanks, whose tracks steer them, tell nothing of
    /// what a steering wheel asks for.
    pub fn is_steered(&self) -> bool {
        self.wheels.iter().any(AidWheel::is_steered)
    }

    /// Whether the vehicle turns to the left by wheels ahead of its center of mass that do, so that
    /// aids can steer them into a slide.
    pub(crate) fn is_steered_in_front(&self) -> bool {
        let front = self.wheels.iter().filter(|wheel| 0.0 < wheel.forward);
        let share = front.map(|wheel| wheel.steer_share).reduce(Real::min);
        share.is_some_and(|share| 0.0 < share)
    }

    /// Whether the drive turns any wheel.
    pub fn is_driven(&self) -> bool {
        self.wheels.iter().any(|wheel| wheel.is_driven)
    }

    /// Whether any wheel has a foot brake.
    pub fn has_brakes(&self) -> bool {
        self.wheels.iter().any(|wheel| 0.0 < wheel.max_brake_torque)
    }

    /// Moment that changes the steer angle of a turn by 1, of the single-track model (N·m/rad).
    ///
    /// ```text
    /// L C_f C_r / (C_f + C_r)     of two axles,   |Ckx - Ck Cx/C|  of any
    /// ```
    pub(crate) fn yaw_stiffness(&self) -> Real {
        if !self.is_steered_in_front_alone() {
            let [c, cx, _, ck, ckx] = sums(&self.groups());
            return if c == 0.0 { 0.0 } else { (ckx - ck * cx / c).abs() };
        }
        let sum = |is_ahead: bool| -> Real {
            let half = self.wheels.iter().filter(|wheel| (0.0 <= wheel.forward) == is_ahead);
            half.map(|wheel| wheel.cornering_stiffness).sum()
        };
        let (front, rear) = (sum(true), sum(false));
        let both = front + rear;
        if 0.0 < both { self.wheelbase() * front * rear / both } else { 0.0 }
    }

    /// Greatest lateral force of the tires by their load, on a road of friction 1
    /// (dimensionless); 1 where that is not known.
    pub fn lateral_friction(&self) -> Real {
        let known = || self.wheels.iter().filter(|wheel| 0.0 < wheel.lateral_friction);
        let load: Real = known().map(|wheel| wheel.rest_load).sum();
        let force: Real = known().map(|wheel| wheel.rest_load * wheel.lateral_friction).sum();
        if 0.0 < load { force / load } else { 1.0 }
    }

    /// Torque of all wheels that is no drive (N·m): a thousandth of the weight at their radius.
    pub(crate) fn least_torque(&self) -> Real {
        LEAST_DRIVE * self.weight() * self.drive_radius()
    }

    /// Mass of the vehicle with its trailers (kg).
    pub fn train_mass(&self) -> Real {
        self.mass + self.trailer_mass
    }

    /// Weight under the [gravity](Self::gravity) of its loads at rest, without that of the trailers
    /// (N).
    pub fn weight(&self) -> Real {
        self.mass * self.gravity
    }

    /// One value per wheel.
    pub(crate) fn each<T>(&self, value: impl Fn(&AidWheel) -> T) -> WheelVec<T> {
        self.wheels.iter().map(value).collect()
    }

    /// Greatest torque of a front wheel's brake (N·m).
    pub(crate) fn front_brake_torque(&self) -> Real {
        let front = self.wheels.iter().filter(|wheel| wheel.axle == 0);
        front.map(|wheel| wheel.max_brake_torque).fold(0.0, Real::max)
    }

    /// Mean radius of the driven wheels (m); of all wheels if none is driven.
    pub(crate) fn drive_radius(&self) -> Real {
        let mean = |is_counted: fn(&&AidWheel) -> bool| {
            let counted = || self.wheels.iter().filter(is_counted);
            let sum: Real = counted().map(|wheel| wheel.radius).sum();
            let number = counted().count();
            (0 < number).then(|| sum / number as Real)
        };
        mean(|wheel| wheel.is_driven).or_else(|| mean(|_| true)).unwrap_or(1.0)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// The engine of a car.
    pub(crate) const ENGINE: AidEngine = AidEngine {
        idle_speed: 80.0,
        max_speed: 700.0,
        strong_speed: 350.0,
        peak_torque: 300.0,
        clutch_strength: 30.0,
        clutch_capacity: None,
        first_ratio: 12.0,
    };

    /// A car of 1,500 kg with rear drive, 1.2 m and 1.4 m from its center of mass.
    pub(crate) fn car() -> AidVehicle {
        let wheel = |forward, left, axle| AidWheel {
            forward,
            left,
            axle,
            radius: 0.3,
            inertia: 1.0,
            rest_load: 3_750.0,
            max_brake_torque: 2_500.0,
            peak_slip: Some(0.1),
            cornering_stiffness: 60e3,
            lateral_friction: 1.0,
            is_driven: axle == 1,
            motor: 0,
            steer_share: if axle == 0 { 1.0 } else { 0.0 },
        };
        AidVehicle {
            wheels: vec![
                wheel(1.2, 0.75, 0),
                wheel(1.2, -0.75, 0),
                wheel(-1.4, 0.75, 1),
                wheel(-1.4, -0.75, 1),
            ],
            ..AidVehicle::default()
        }
    }

    #[test]
    fn geometry_is_that_of_the_wheels() {
        let car = car();
        assert_eq!(
            car.pairs(),
            [WheelPair { left: 0, right: 1, axle: 0 }, WheelPair { left: 2, right: 3, axle: 1 }]
        );
        assert_eq!(car.track(&car.pairs()[0]), 1.5);
        assert!((car.wheelbase() - 2.6).abs() < 1e-6);
        assert_eq!(car.front_axle(), 1.2);
    }

    #[test]
    fn understeer_gradient_is_that_of_the_single_track_model() {
        // 1500 / 2.6 (1.4 - 1.2) / 120e3
        let gradient = car().understeer_gradient();
        assert!((gradient - 9.615e-4).abs() < 4e-5, "{gradient}");
        let mut stiff = car();
        stiff.wheels[0].cornering_stiffness = 30e3;
        stiff.wheels[1].cornering_stiffness = 30e3;
        // 1500 / 2.6 (1.4 / 60e3 - 1.2 / 120e3)
        let gradient = stiff.understeer_gradient();
        assert!((gradient - 7.692e-3).abs() < 1e-5, "{gradient}");
    }

    #[test]
    fn motorcycles_have_no_pairs() {
        let mut motorcycle = car();
        motorcycle.wheels.truncate(1);
        motorcycle.wheels[0].left = 0.0;
        assert!(motorcycle.pairs().is_empty());
    }
}
