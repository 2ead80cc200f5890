//! Handling: how a vehicle on wheels turns by its steering, from its mass, geometry and tires.
//!
//! [`Handling`] is the single-track model of a vehicle with any number of wheels. Steering limits
//! and drivers take their numbers from it: nobody has to measure an understeer gradient.
//! Vehicles must be in meters.

#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};
use vehicle_core::Frame;
use vehicle_core::context::GRAVITY;
use vehicle_core::math::{Clamped, Real, atan, sin_cos, tan};
use vehicle_core::tire::TireModel;
use vehicle_core::vehicle::MechanicalParams;

use crate::probed_tire::ProbedTire;

/// Number of shares of the load for which slip angles are known, from none on.
const SHARES: usize = 25;
/// From each of them to the next (dimensionless).
const SHARE: Real = 0.05;
/// Loads by that at rest under which the tires of an axle are asked for their friction: in a bend,
/// the inner wheel carries less (dimensionless).
const LOADS: [Real; 2] = [0.5, 1.5];
/// Least difference by which wheels ahead and behind are steered in a vehicle that turns, by the
/// angle of the steering (dimensionless).
const LEAST_DIFFERENCE: Real = 0.05;
/// Steer angle above which no axle is steered in a turn (rad).
const MOST_ANGLE: Real = 1.4;

/// The wheels ahead of the center of mass, or those behind it, as one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct AxleGroup {
    /// Σ C, the cornering stiffness (N/rad).
    pub stiffness: Real,
    /// Σ C x, with the place `x` of each wheel ahead of the center of mass (N·m/rad).
    pub moment: Real,
    /// Σ C x² (N·m²/rad).
    pub spread: Real,
    /// Σ C k, with the steer angle `k` of each wheel by that of the steering (N/rad).
    pub steered: Real,
    /// Σ C k x (N·m/rad).
    pub steered_moment: Real,
    /// Load at rest (N).
    pub load: Real,
    /// Slip angles at which lateral forces are 0, 0.05, 0.1, ... of the load (rad).
    slip_angles: [Real; SHARES],
}

/// A vehicle that is steered by its wheels, in the plane: side slip and yaw.
///
/// ```text
/// F_i = C_i (k_i δ - (v_y + x_i r)/v)
/// m (v_y' + v r) = Σ F_i,   I r' = Σ x_i F_i
/// ```
///
/// with the steer angle `δ` of the steering, lateral speed `v_y` of the center of mass and yaw rate
/// `r`. Each wheel has its cornering stiffness `C`, its place `x` ahead of the center of mass and
/// its steer angle by that of the steering, `k`.
///
/// Source: P. Riekert and T. E. Schunck, "Zur Fahrmechanik des gummibereiften Kraftfahrzeugs",
/// Ingenieur-Archiv 11 (1940); M. Mitschke and H. Wallentowitz, "Dynamik der Kraftfahrzeuge".
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Handling {
    /// m (kg).
    pub mass: Real,
    /// I, about the vertical axis (kg·m²).
    pub yaw_inertia: Real,
    /// The wheels ahead of the center of mass, then those behind it.
    pub groups: [AxleGroup; 2],
    /// Distance of the middle of the foremost axle group to that of the rearmost (m).
    pub wheel_base: Real,
    /// Steer angle of the steering at full lock (rad).
    pub lock: Real,
    /// Half of the track by the wheel base, as far as the inner wheel of an axle turns more than
    /// its mean (dimensionless).
    pub inner_share: Real,
    /// Largest lateral acceleration by gravity on a road of friction 1, by tires (dimensionless).
    pub lateral_friction: Real,
    /// Largest force along the road by the weight, on a road of friction 1 (dimensionless).
    pub longitudinal_friction: Real,
    /// Half of the track by the height of the center of mass: lateral acceleration by gravity at
    /// which the vehicle tips over (dimensionless); 0 for one with a single track.
    pub tipping: Real,
    /// Distance of the left wheels from the right ones (m).
    pub track_width: Real,
    /// Height of the center of mass at rest (m).
    pub height: Real,
}

/// A bend that a vehicle is in, steadily.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SteadyBend {
    /// Steer angle of the steering (rad).
    pub angle: Real,
    /// Speed of the center of mass to the left (m/s).
    pub lateral_speed: Real,
}

impl Handling {
    /// Whether its steering turns it: one that steers all wheels alike moves it aside.
    pub(crate) fn is_turned_by_steering(&self) -> bool {
        0.0 < self.lock && LEAST_DIFFERENCE < self.steer_difference().abs()
    }

    /// How much more the wheels ahead of the center of mass are steered than those behind it, by
    /// the angle of the steering (dimensionless).
    pub(crate) fn steer_difference(&self) -> Real {
        let [front, rear] = self.groups.map(|group| group.steered / group.stiffness);
        front - rear
    }

    /// The handling of a vehicle of these `mechanics`, of the axes of `frame`, under loads at rest.
    /// It is `None` if the vehicle has not wheels ahead of its center of mass and behind it.
    pub fn of<Tire: TireModel>(mechanics: &MechanicalParams<Tire>, frame: &Frame) -> Option<Self> {
        Self::under(mechanics, frame, &rest_masses(mechanics, frame, GRAVITY, false))
    }

    /// The handling of a vehicle whose wheels share its weight as they share the loads that its
    /// springs are made for, such as that of a tractor with its trailer. Else as [`of`](Self::of).
    pub fn laden<Tire: TireModel>(
        mechanics: &MechanicalParams<Tire>,
        frame: &Frame,
    ) -> Option<Self> {
        Self::under(mechanics, frame, &rest_masses(mechanics, frame, GRAVITY, true))
    }

    /// The handling of a vehicle whose wheels carry these parts of its weight (kg).
    fn under<Tire: TireModel>(
        mechanics: &MechanicalParams<Tire>,
        frame: &Frame,
        masses: &[Real],
    ) -> Option<Self> {
        let seen = SeenWheels::of(mechanics, frame, masses);
        let transfers = seen.transfers(mechanics);
        let mut groups = [AxleGroup::default(); 2];
        let (mut friction, mut places) = ([0.0; 2], [0.0; 2]);
        for wheel in &seen.wheels {
            let end = wheel.end();
            places[end] += wheel.load * wheel.along;
            groups[end].add(mechanics, wheel, transfers[end]);
            let of_tire = LOADS.map(|part| {
                let tire = ProbedTire::of(mechanics, wheel.number, part * wheel.load);
                tire.friction().map(|friction| part * friction)
            });
            let share = wheel.load / seen.weight / LOADS.iter().sum::<Real>();
            for (direction, sum) in friction.iter_mut().enumerate() {
                *sum += share * (of_tire[0][direction] + of_tire[1][direction]);
            }
        }
        if groups.iter().any(|group| group.load == 0.0) {
            return None;
        }
        let wheel_base = places[0] / groups[0].load - places[1] / groups[1].load;
        let lock = mechanics.steering.max_response.abs();
        let mut corrected = mechanics.ackermann.iter().filter(|axle| 0.0 < axle.strength);
        let inner = corrected.next().filter(|_| 0.0 < lock);
        let inertia = mechanics.rigid_body.inertia;
        Some(Self {
            mass: mechanics.rigid_body.mass,
            yaw_inertia: (inertia * frame.vertical()).dot(frame.vertical()).abs(),
            groups,
            wheel_base,
            lock,
            inner_share: inner.map_or(0.0, |it| 0.5 * it.strength * it.track_width / it.wheel_base),
            longitudinal_friction: friction[0],
            lateral_friction: friction[1],
            tipping: 0.5 * seen.track_width / seen.height.max(1e-3 * wheel_base),
            track_width: seen.track_width,
            height: seen.height,
        })
    }

    /// Understeer gradient: steer angle by lateral acceleration beside that of the geometry
    /// (rad s²/m), of the linear model.
    ///
    /// ```text
    /// δ = L κ + K v² κ
    /// ```
    pub fn understeer_gradient(&self) -> Real {
        understeer_gradient(self.mass, &self.groups)
    }

    /// Force by the weight against a vehicle in a bend of this `lateral` acceleration by gravity
    /// (dimensionless): tires that slip sideways push back.
    ///
    /// ```text
    /// Σ N_g a sin α_g(a) / Σ N_g
    /// ```
    pub fn cornering_drag(&self, lateral: Real) -> Real {
        let share = lateral.abs();
        let drag = |group: &AxleGroup| group.load * share * sin_cos(group.slip_angle(share)).0;
        let load: Real = self.groups.iter().map(|group| group.load).sum();
        self.groups.iter().map(drag).sum::<Real>() / load.max(Real::MIN_POSITIVE)
    }

    /// The lateral acceleration by gravity that tires bear on a road of this `friction`, before the
    /// vehicle tips over (dimensionless).
    pub fn lateral_limit(&self, friction: Real) -> Real {
        let tires = friction * self.lateral_friction;
        if 0.0 < self.tipping { tires.min(self.tipping) } else { tires }
    }

    /// The bend of `curvature` to the left (1/m) at `speed` (m/s), negative in reverse, under tires
    /// whose slip angles grow with the lateral force by their own law. `curvature` is that of the
    /// way that is gone: in reverse, a vehicle that yaws to the left has a positive one.
    pub fn steady_bend(&self, curvature: Real, speed: Real) -> SteadyBend {
        let distance = speed.abs();
        let share = (distance * distance * curvature).abs() / GRAVITY;
        let groups = self.groups.map(|group| group.at_share(share));
        let angle = linear_angle(self.mass, &groups, speed, curvature, distance * curvature);
        let lateral_speed = self.lateral_speed(&groups, speed, curvature, angle);
        SteadyBend { angle, lateral_speed }
    }

    fn lateral_speed(
        &self,
        groups: &[AxleGroup; 2],
        speed: Real,
        curvature: Real,
        angle: Real,
    ) -> Real {
        let [c, cx, _, ck, _] = sums(groups);
        let distance = speed.abs();
        let yaw_rate = distance * curvature;
        let force = self.mass * speed * yaw_rate + curvature * cx;
        (speed.signum() * angle * ck - force) * distance / c
    }

    /// The steering command, in [-1, 1], whose mean steer angle is `angle` (rad): the inner wheel
    /// of an Ackermann axle turns more.
    ///
    /// ```text
    /// cot δ_inner = cot δ - W/(2 L)
    /// ```
    pub fn command_of(&self, angle: Real) -> Real {
        if self.lock <= 0.0 {
            return 0.0;
        }
        let slope = tan(angle.abs().min(MOST_ANGLE));
        let rest = 1.0 - slope * self.inner_share;
        let inner = if 0.0 < rest { atan(slope / rest) } else { self.lock };
        (inner / self.lock).copysign(angle).clamped(-1.0, 1.0)
    }
}

/// [Understeer gradient](Handling::understeer_gradient) of a `mass` (kg) on these groups
/// (rad s²/m).
pub(crate) fn understeer_gradient(mass: Real, groups: &[AxleGroup; 2]) -> Real {
    let bend =
        |speed: Real| linear_angle(mass, groups, speed, 1.0 / (speed * speed), speed.recip());
    // Twice at unit lateral acceleration: the difference is that of the geometry.
    let [slow, fast] = [10.0, 20.0].map(bend);
    let by_geometry = (slow - fast) / (1.0 / 100.0 - 1.0 / 400.0);
    fast - by_geometry / 400.0
}

/// Steer angle of the steering of a `mass` (kg) in a bend of this `curvature` (1/m) with this
/// `yaw_rate` (rad/s).
///
/// From `Σ F = m v r` and `Σ x F = 0`, with `s` the sign of the speed:
///
/// ```text
/// s δ Ck  - v_y C/|v|  = m v r + r Cx/|v|
/// s δ Ckx - v_y Cx/|v| = r Cxx/|v|
/// ```
fn linear_angle(
    mass: Real,
    groups: &[AxleGroup; 2],
    speed: Real,
    curvature: Real,
    yaw_rate: Real,
) -> Real {
    let [c, cx, cxx, ck, ckx] = sums(groups);
    let distance = speed.abs();
    // r/|v| is the curvature of the way.
    let force = mass * speed * yaw_rate + curvature * cx;
    let moment = curvature * cxx;
    let determinant = ckx * c - ck * cx;
    if determinant == 0.0 || distance == 0.0 {
        return 0.0;
    }
    (moment * c - force * cx) / determinant * speed.signum()
}

/// Lateral acceleration by gravity at which a vehicle on stiff springs tips over (dimensionless):
/// half of the track by the height of its center of mass.
pub(crate) fn tipping<Tire>(mechanics: &MechanicalParams<Tire>, frame: &Frame) -> Real {
    let seen = SeenWheels::of(mechanics, frame, &rest_masses(mechanics, frame, GRAVITY, true));
    0.5 * seen.track_width / seen.height.max(1e-3 * seen.track_width)
}

/// Mass that each wheel carries of a vehicle at rest under `gravity` (kg): that of its springs if
/// it `is_laden`.
pub(crate) fn rest_masses<Tire>(
    mechanics: &MechanicalParams<Tire>,
    frame: &Frame,
    gravity: Real,
    is_laden: bool,
) -> Vec<Real> {
    if is_laden {
        mechanics.suspension_forces.iter().map(|spring| spring.sprung_mass).collect()
    } else {
        let wheels = mechanics.standing_wheels(frame, gravity);
        wheels.into_iter().map(|wheel| wheel.mass).collect()
    }
}

/// A wheel of a vehicle at rest.
struct SeenWheel {
    number: usize,
    /// Place ahead of the center of mass and to its left (m).
    along: Real,
    aside: Real,
    /// Load (N).
    load: Real,
}

impl SeenWheel {
    /// 0 ahead of the center of mass, 1 behind it.
    fn end(&self) -> usize {
        usize::from(self.along < 0.0)
    }
}

/// The wheels of a vehicle at rest.
struct SeenWheels {
    wheels: Vec<SeenWheel>,
    /// Weight (N).
    weight: Real,
    /// Height of the center of mass, and distance of the left wheels from the right ones (m).
    height: Real,
    track_width: Real,
}

impl SeenWheels {
    fn of<Tire>(mechanics: &MechanicalParams<Tire>, frame: &Frame, masses: &[Real]) -> Self {
        let MechanicalParams { axles, suspensions, suspension_forces, .. } = mechanics;
        let carried: Real = axles.wheels().map(|wheel| masses[wheel]).sum();
        let weight = mechanics.rigid_body.mass * GRAVITY;
        let [mut left, mut right, mut height] = [Real::NEG_INFINITY, Real::INFINITY, 0.0];
        let mut wheels = Vec::with_capacity(axles.wheel_count());
        for number in axles.wheels() {
            let (mount, spring) = (suspensions[number].wheel_mount(), &suspension_forces[number]);
            let load = (weight * masses[number] / carried).max(1e-3 * weight);
            let (along, aside) = (mount.dot(frame.longitudinal()), mount.dot(frame.lateral()));
            (left, right) = (left.max(aside), right.min(aside));
            let droop = (suspensions[number].travel_distance - load / spring.stiffness).max(0.0);
            let hub = mount + suspensions[number].travel_direction * droop;
            let above = mechanics.wheels[number].radius - hub.dot(frame.vertical());
            height += load / weight * above;
            wheels.push(SeenWheel { number, along, aside, load });
        }
        Self { wheels, weight, height, track_width: (left - right).max(0.0) }
    }

    /// By how much of its load a wheel ahead of the center of mass and one behind it gain or lose,
    /// by the lateral acceleration by gravity. They do as springs and anti-roll bars share the
    /// roll. The springs of a beam axle are as far to the side as they stand on it.
    ///
    /// ```text
    /// λ = 2 m g h ρ/(T N),   ρ_f : ρ_r = Σ k y² + Σ k_bar T²
    /// ```
    fn transfers<Tire>(&self, mechanics: &MechanicalParams<Tire>) -> [Real; 2] {
        let (mut stiffness, mut loads) = ([0.0; 2], [0.0; 2]);
        for wheel in &self.wheels {
            let spring = mechanics.suspension_forces[wheel.number].stiffness;
            let aside = wheel.aside * self.inward(mechanics, wheel.number);
            stiffness[wheel.end()] += spring * aside * aside;
            loads[wheel.end()] += wheel.load;
        }
        for bar in &mechanics.anti_roll_bars {
            let [one, other] =
                bar.wheels.map(|number| self.wheels.iter().find(|it| it.number == number));
            if let (Some(one), Some(other)) = (one, other) {
                let track = one.aside - other.aside;
                stiffness[one.end()] += bar.stiffness * track * track;
            }
        }
        let all: Real = stiffness.iter().sum();
        [0, 1].map(|end| {
            let moment = 2.0 * self.weight * self.height * stiffness[end] / all;
            let transfer = moment / (self.track_width * loads[end]);
            if transfer.is_finite() { transfer } else { 0.0 }
        })
    }

    /// How far to the side the spring of a wheel is, by the place of the wheel (dimensionless).
    fn inward<Tire>(&self, mechanics: &MechanicalParams<Tire>, wheel: usize) -> Real {
        let aside = |number: usize| self.wheels.iter().find(|it| it.number == number);
        let of_beam = mechanics.beam_axles.iter().find(|beam| beam.wheels.contains(&wheel));
        of_beam.map_or(1.0, |beam| {
            let [one, other] = beam.wheels.map(|number| aside(number).map_or(0.0, |it| it.aside));
            let track = (one - other).abs();
            if 0.0 < track { beam.spring_track / track } else { 1.0 }
        })
    }
}

impl AxleGroup {
    fn add<Tire: TireModel>(
        &mut self,
        mechanics: &MechanicalParams<Tire>,
        wheel: &SeenWheel,
        transfer: Real,
    ) {
        let SeenWheel { number, along, load, .. } = *wheel;
        let tire = ProbedTire::of(mechanics, number, load);
        let stiffness = tire.cornering_stiffness();
        let steered = mechanics.steering.wheel_multipliers[number];
        let steered = steered * mechanics.steering.max_response.signum();
        let angles: [Real; SHARES] = tire.slip_angles(SHARE, stiffness, transfer);
        for (mean, angle) in self.slip_angles.iter_mut().zip(angles) {
            *mean += (angle - *mean) * load / (self.load + load);
        }
        self.load += load;
        self.add_wheel(stiffness, stiffness * steered, along);
    }

    /// Adds a wheel of this `stiffness` (N/rad), of which `steered` follows the steering, at
    /// `along` ahead of the center of mass (m).
    pub(crate) fn add_wheel(&mut self, stiffness: Real, steered: Real, along: Real) {
        self.stiffness += stiffness;
        self.moment += stiffness * along;
        self.spread += stiffness * along * along;
        self.steered += steered;
        self.steered_moment += steered * along;
    }

    /// Slip angle at which lateral forces are `share` of the load (rad).
    fn slip_angle(&self, share: Real) -> Real {
        let place = (share / SHARE).clamped(0.0, (SHARES - 1) as Real);
        let index = (place as usize).min(SHARES - 2);
        let [low, high] = [self.slip_angles[index], self.slip_angles[index + 1]];
        low + (place - index as Real) * (high - low)
    }

    /// This group with the stiffness that goes from no force to `share` of the load.
    fn at_share(mut self, share: Real) -> Self {
        let share = share.clamped(SHARE, SHARE * (SHARES - 1) as Real);
        let part = share * self.load / (self.stiffness * self.slip_angle(share));
        if part.is_finite() {
            self.stiffness *= part;
            self.moment *= part;
            self.spread *= part;
            self.steered *= part;
            self.steered_moment *= part;
        }
        self
    }
}

/// Σ C, Σ C x, Σ C x², Σ C k and Σ C k x.
pub(crate) fn sums(groups: &[AxleGroup; 2]) -> [Real; 5] {
    let [front, rear] = groups;
    [
        front.stiffness + rear.stiffness,
        front.moment + rear.moment,
        front.spread + rear.spread,
        front.steered + rear.steered,
        front.steered_moment + rear.steered_moment,
    ]
}
