//! A motorcycle as its rider knows it: a body that leans on two wheels, one behind the other.

use vehicle_core::math::{Clamped, DMat4, DVec4, Real, asin_clamped, atan, hypot, sin_cos, tan};

use super::GRAVITY;

/// The single-track model of a vehicle that leans, about its motion straight ahead: side slip, yaw
/// and lean.
///
/// It goes at the speed `v`, with the speed `v_c` of the contacts to the left below the center of
/// mass and the yaw rate `r`. The lean is `φ` to the left, and the steer angle at the ground `δ`:
///
/// ```text
/// α_f = δ - (v_c + a r)/v,   α_r = -(v_c - b r)/v,   F = C α + C_γ φ
/// m (v_c' + h φ'' + v r) = F_f + F_r
/// I_z r' = a F_f - b F_r + H φ'
/// I_x φ'' = m g (h - ρ) φ - h (F_f + F_r) - H r
/// ```
///
/// with the angular momentum `H = v Σ I/R` of the wheels, and the round of the tread, of radius
/// `ρ`, over which the contact moves as the vehicle leans.
///
/// Source: R. S. Sharp, "The stability and control of motorcycles", Journal of Mechanical
/// Engineering Science 13 (1971), without the rotation of the front frame; V. Cossalter,
/// "Motorcycle Dynamics" (2006), chapters 4 and 8.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct SingleTrack {
    /// Numbers of front and rear wheel.
    pub wheels: [usize; 2],
    /// m (kg).
    pub mass: Real,
    /// I_x, about the longitudinal axis through the center of mass (kg·m²).
    pub roll_inertia: Real,
    /// I_z (kg·m²).
    pub yaw_inertia: Real,
    /// h, the height of the center of mass at rest, upright (m).
    pub height: Real,
    /// ρ, of both treads by their loads (m).
    pub tread_radius: Real,
    /// a and b: how far the front wheel is ahead of the center of mass, and the rear one behind it
    /// (m).
    pub distances: [Real; 2],
    /// C of front and rear tire under their loads at rest (N/rad).
    pub cornering_stiffness: [Real; 2],
    /// C_γ of both (N/rad).
    pub camber_stiffness: [Real; 2],
    /// Σ I/R of both wheels (kg·m).
    pub spin_inertia: Real,
    /// R of front and rear wheel (m).
    pub radii: [Real; 2],
    /// The largest steer angle of the front wheel (rad).
    pub largest_steer_angle: Real,
    /// Slip angles of front and rear tire at [shares](Self::slip_angle) of the friction that they
    /// use, upright (rad).
    pub(super) slip_angles: [[Real; SHARES]; 2],
}

/// Number of shares of friction for which slip angles are known, from none on.
pub(super) const SHARES: usize = 20;
/// From each of them to the next (dimensionless).
pub(super) const SHARE: Real = 0.05;

impl SingleTrack {
    /// Distance of the wheels (m).
    pub fn wheel_base(&self) -> Real {
        self.distances[0] + self.distances[1]
    }

    /// Load of front and rear wheel at rest (N).
    pub fn loads(&self) -> [Real; 2] {
        let [front, rear] = self.distances;
        let per_length = self.mass * GRAVITY / self.wheel_base();
        [rear * per_length, front * per_length]
    }

    /// Height of the center of mass above the middle of the treads' round (m).
    pub(super) fn pendulum(&self) -> Real {
        self.height - self.tread_radius
    }

    /// Moment of inertia about the line on which it leans at rest (kg·m²).
    pub(super) fn leaning_inertia(&self) -> Real {
        self.roll_inertia + self.mass * self.height * self.height
    }

    /// Slip angle (rad) at which front or rear tire, `end` 0 or 1, uses `share` of its friction, on
    /// a road of friction 1, upright. That of another road is larger by its friction. Forces are
    /// those of the tires' own law.
    fn slip_angle(&self, end: usize, share: Real) -> Real {
        let (index, part) = place_of(share);
        let [low, high] = [index, index + 1].map(|index| self.slip_angles[end][index]);
        low + part * (high - low)
    }

    /// Lateral force per slip angle of a tire that uses `share` of its friction (N/rad).
    pub(super) fn stiffness_at(&self, end: usize, share: Real) -> Real {
        if share <= 0.0 {
            return self.cornering_stiffness[end];
        }
        let (index, _) = place_of(share);
        let change = self.slip_angles[end][index + 1] - self.slip_angles[end][index];
        SHARE * self.loads()[end] / change.max(Real::EPSILON)
    }

    /// Mobility of the contact of front or rear wheel, `end` 0 or 1: how fast it becomes sideways
    /// by an impulse (1/kg).
    ///
    /// ```text
    /// w = 1/m + h²/I_x + a²/I_z
    /// ```
    pub(super) fn mobility(&self, end: usize) -> Real {
        let (height, distance) = (self.height, self.distances[end]);
        self.mass.recip()
            + height * height / self.roll_inertia
            + distance * distance / self.yaw_inertia
    }

    /// Matrix and column of `x' = A x + B δ` at `speed` (m/s), with `x` of `v_c`, `r`, `φ` and
    /// `φ'`. They hold about a bend in which the tires use `share` of a friction of 1, on tires of
    /// `part` of their stiffness.
    ///
    /// In the bend tires answer as their law does there, the center of mass is lower, and its
    /// weight and the lateral force `F` tilt it by `m g (h - ρ) cos φ + F (h - ρ) sin φ`.
    pub(super) fn linear(&self, speed: Real, share: Real, part: Real) -> (DMat4, DVec4) {
        let [a, b] = self.distances.map(f64::from);
        let stiffness = [0, 1].map(|end| part * self.stiffness_at(end, share));
        let [front, rear] = stiffness.map(f64::from);
        let [front_camber, rear_camber] = [0, 1].map(|end| {
            let thrust = self.camber_stiffness[end] / self.cornering_stiffness[end];
            f64::from(thrust * stiffness[end])
        });
        let lean = f64::from(self.lean_in_bend(share));
        let (sin, cos) = (lean.sin(), lean.cos());
        let (mass, speed) = (f64::from(self.mass), f64::from(speed));
        let (pendulum, round) = (f64::from(self.pendulum()), f64::from(self.tread_radius));
        let height = pendulum * cos + round;
        let spin = f64::from(self.spin_inertia) * speed;
        let weight = mass * f64::from(GRAVITY);
        let tilting = weight * pendulum * (cos + f64::from(share) * sin);
        // Rows by the state, and by the steer angle.
        let front_force = DVec4::new(-front / speed, -front * a / speed, front_camber, 0.0);
        let rear_force = DVec4::new(-rear / speed, rear * b / speed, rear_camber, 0.0);
        let force = front_force + rear_force;
        let tilt = DVec4::new(0.0, -spin * cos, tilting, 0.0);
        let lean = (tilt - force * height) / f64::from(self.roll_inertia);
        let lean_steer = -height * front / f64::from(self.roll_inertia);
        let lateral = force / mass - DVec4::Y * speed - lean * height;
        let lateral_steer = front / mass - height * lean_steer;
        let yaw =
            (front_force * a - rear_force * b + DVec4::W * spin) / f64::from(self.yaw_inertia);
        let yaw_steer = a * front / f64::from(self.yaw_inertia);
        let rows = DMat4::from_cols(lateral, yaw, DVec4::W, lean);
        (rows.transpose(), DVec4::new(lateral_steer, yaw_steer, 0.0, lean_steer))
    }

    /// Lean (rad) in a bend of this lateral acceleration by gravity `τ`, at any speed.
    ///
    /// ```text
    /// (h - ρ) sin φ = τ ((h - ρ + Σ I/R / m) cos φ + ρ)
    /// ```
    ///
    /// the balance of moments about the contacts: weight, lateral acceleration, and the angular
    /// momentum of the wheels, which the yaw rate turns. So it leans by `atan τ`, by what the
    /// contact moves over the tread, and by what the gyroscopes take (if they do: `spin_inertia` 0
    /// otherwise).
    ///
    /// Source: V. Cossalter, "Motorcycle Dynamics" (2006), section 4.1; T. Foale, "Motorcycle
    /// Handling and Chassis Design" (2006), chapter 4.
    pub fn lean_in_bend(&self, lateral: Real) -> Real {
        let (pendulum, spun) = self.levers();
        let (weight, turning) = (pendulum, lateral * spun);
        atan(turning / weight) + asin_clamped(lateral * self.tread_radius / hypot(weight, turning))
    }

    /// The lateral acceleration by gravity in a bend in which it leans by `lean` (rad).
    pub fn lateral_acceleration(&self, lean: Real) -> Real {
        let (pendulum, spun) = self.levers();
        let (sin, cos) = sin_cos(lean);
        pendulum * sin / (spun * cos + self.tread_radius)
    }

    fn levers(&self) -> (Real, Real) {
        let pendulum = self.pendulum();
        (pendulum, pendulum + self.spin_inertia / self.mass)
    }

    /// Speed of the contacts to the left (m/s), yaw rate (rad/s) and steer angle at the ground
    /// (rad) with which it leans as `course` says. It goes at `speed` (m/s) under `gravity` (m/s²),
    /// on a road of this `friction`.
    ///
    /// ```text
    /// v r = τ g - (I_x + m h²)/(m h) φ'',   F = m (v r + h φ'')
    /// F_f = (b F - H φ')/L,   F_r = (a F + H φ')/L
    /// α = μ s(F/(μ N)) - φ C_γ/C,   v_c = b r - α_r v,   δ = L r / v + α_f - α_r
    /// ```
    ///
    /// with the slip angle `s` of a share of friction: the contacts go to the outside as the lean
    /// begins.
    pub(super) fn steady(
        &self,
        course: &Course,
        speed: Real,
        gravity: Real,
        friction: Real,
    ) -> [Real; 3] {
        let Course { lean, lean_rate, lean_acceleration } = *course;
        let friction = friction.max(LEAST_FRICTION);
        let lever = self.leaning_inertia() / (self.mass * self.height);
        let turning = self.lateral_acceleration(lean) * gravity - lever * lean_acceleration;
        let lateral = (turning + self.height * lean_acceleration) / gravity;
        let weight = self.mass * gravity;
        let gyroscopic = self.spin_inertia * speed * lean_rate / weight;
        let [a, b] = self.distances;
        let shares = [lateral - gyroscopic / b, lateral + gyroscopic / a];
        let [front, rear] = [0, 1].map(|end| {
            let angle = friction * self.slip_angle(end, shares[end].abs() / friction);
            angle.copysign(shares[end]) - lean * self.thrust(end)
        });
        let yaw_rate = turning / speed;
        let angle = self.wheel_base() * yaw_rate / speed + front - rear;
        [b * yaw_rate - rear * speed, yaw_rate, angle]
    }

    /// Lateral speed by the speed ahead at which front or rear tire, `end` 0 or 1, has no lateral
    /// force as it leans by `lean` (rad): it rolls aside.
    pub(super) fn camber_slope(&self, end: usize, lean: Real) -> Real {
        tan((lean * self.thrust(end)).clamped(-MOST_CAMBER_SLIP, MOST_CAMBER_SLIP))
    }

    /// The lesser of what front and rear wheel bear of their loads at rest under a `force` (N) that
    /// drives or, negative, brakes, in [0, 1].
    ///
    /// ```text
    /// N_f/N_f0 = 1 - F h/(m g b),   N_r/N_r0 = 1 + F h/(m g a)
    /// ```
    pub(super) fn least_load_share(&self, force: Real, gravity: Real) -> Real {
        let moment = force * self.height / (self.mass * gravity).max(Real::MIN_POSITIVE);
        let [a, b] = self.distances;
        (1.0 - moment / b).min(1.0 + moment / a).clamped(0.0, 1.0)
    }

    /// Slip angle by camber that gives the same lateral force: `C_γ/C` of front or rear tire, `end`
    /// 0 or 1.
    fn thrust(&self, end: usize) -> Real {
        self.camber_stiffness[end] / self.cornering_stiffness[end]
    }

    /// The slip angle of the front tire nearest to `angle` (rad) with which it uses no more than
    /// `share` of the `friction`, as it leans by `lean` (rad).
    pub(super) fn borne_by_front(
        &self,
        angle: Real,
        lean: Real,
        friction: Real,
        share: Real,
    ) -> Real {
        let most = friction.max(LEAST_FRICTION) * self.slip_angle(0, share);
        let camber = lean * self.thrust(0);
        (angle + camber).clamped(-most, most) - camber
    }

    /// The largest lateral acceleration by gravity that the steering can turn into at `speed`
    /// (m/s).
    pub(super) fn most_by_steering(&self, speed: Real, gravity: Real) -> Real {
        tan(self.largest_steer_angle) / self.wheel_base() * speed * speed / gravity
    }
}

/// How a motorcycle leans: to the left (rad), how fast that changes (rad/s), and how fast this does
/// (rad/s²).
#[derive(Clone, Copy, Debug)]
pub(super) struct Course {
    pub(super) lean: Real,
    pub(super) lean_rate: Real,
    pub(super) lean_acceleration: Real,
}

/// Largest slip angle that a camber is taken for (rad).
const MOST_CAMBER_SLIP: Real = 0.5;

/// Least friction by which shares of it are computed (dimensionless).
const LEAST_FRICTION: Real = 0.05;

/// The share of friction below `share` for which slip angles are known, and how far it is on the
/// way to the next.
fn place_of(share: Real) -> (usize, Real) {
    let place = (share / SHARE).clamped(0.0, (SHARES - 1) as Real);
    let index = (place as usize).min(SHARES - 2);
    (index, place - index as Real)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A road motorcycle of 265 kg with its rider, on tires without friction limit.
    pub(in crate::rider) const MOTORCYCLE: SingleTrack = SingleTrack {
        wheels: [0, 1],
        mass: 265.0,
        roll_inertia: 25.0,
        yaw_inertia: 32.0,
        height: 0.62,
        tread_radius: 0.08,
        distances: [0.72, 0.7],
        cornering_stiffness: [15_500.0, 18_500.0],
        camber_stiffness: [1_150.0, 1_200.0],
        spin_inertia: 3.9,
        radii: [0.3, 0.315],
        largest_steer_angle: 0.5,
        slip_angles: [linear_slips(265.0 * GRAVITY * 0.7 / 1.42 / 15_500.0), {
            linear_slips(265.0 * GRAVITY * 0.72 / 1.42 / 18_500.0)
        }],
    };

    /// Slip angles of a tire that has no limit, by `compliance`, its load by its stiffness (rad).
    const fn linear_slips(compliance: Real) -> [Real; SHARES] {
        let mut angles = [0.0; SHARES];
        let mut index = 0;
        while index < SHARES {
            angles[index] = compliance * SHARE * index as Real;
            index += 1;
        }
        angles
    }

    #[test]
    fn a_tire_that_slides_answers_less() {
        let limited = SingleTrack {
            slip_angles: MOTORCYCLE.slip_angles.map(|angles| {
                std::array::from_fn(|index| angles[index] / (1.0 - 0.04 * index as Real))
            }),
            ..MOTORCYCLE
        };
        for end in [0, 1] {
            let full = limited.stiffness_at(end, 0.0);
            assert_eq!(full, MOTORCYCLE.cornering_stiffness[end]);
            // From one place to the next, the slope of C α / (1 + 0.8 C α / N) is (1 - 0.8 u)(1 -
            // 0.8 (u + 0.05)).
            for (share, part) in [(0.5, 0.6 * 0.56), (0.95, 0.28 * 0.24)] {
                let found = limited.stiffness_at(end, share) / full;
                assert!((found / part - 1.0).abs() < 2e-3, "{share}: {found}, expected {part}");
            }
            assert!((MOTORCYCLE.stiffness_at(end, 0.7) / full - 1.0).abs() < 1e-3);
        }
    }

    #[test]
    fn it_leans_in_a_bend_by_the_balance_of_moments() {
        for lateral in [-0.9, -0.3, 0.0, 0.2, 0.7, 1.1] {
            let lean = MOTORCYCLE.lean_in_bend(lateral);
            let back = MOTORCYCLE.lateral_acceleration(lean);
            assert!((back - lateral).abs() < 1e-5, "{lateral}: {lean} rad, {back}");
            let point = SingleTrack { tread_radius: 0.0, spin_inertia: 0.0, ..MOTORCYCLE };
            assert!((point.lean_in_bend(lateral) - atan(lateral)).abs() < 1e-6, "{lateral}");
            assert!(atan(lateral.abs()) <= lean.abs(), "{lateral}: {lean} rad");
        }
    }

    #[test]
    fn a_steady_bend_is_one_of_the_linear_model() {
        // Small leans, in which both are the same.
        for speed in [5.0, 20.0, 50.0] {
            let lean = 0.01;
            let course = Course { lean, lean_rate: 0.0, lean_acceleration: 0.0 };
            let [lateral, yaw, steer] = MOTORCYCLE.steady(&course, speed, GRAVITY, 1.0);
            let (matrix, column) = MOTORCYCLE.linear(speed, 0.0, 1.0);
            let state = [lateral, yaw, lean, 0.0].map(f64::from);
            let change = matrix * DVec4::from_array(state) + column * f64::from(steer);
            let sizes = DVec4::new(10.0, 10.0, 1.0, 10.0) * f64::from(lean);
            let error = (change / sizes).abs().max_element();
            assert!(error < 2e-3, "{speed} m/s: {change}");
        }
    }

    #[test]
    fn contacts_go_to_the_outside_as_a_lean_begins() {
        let begins = Course { lean: 0.0, lean_rate: 0.0, lean_acceleration: 2.0 };
        for speed in [5.0, 20.0, 50.0] {
            let [_, yaw, steer] = MOTORCYCLE.steady(&begins, speed, GRAVITY, 1.0);
            assert!(yaw < 0.0 && steer < 0.0, "{speed} m/s: {yaw} rad/s, {steer} rad");
            // I_x φ'' = -h F, and v r = F/m - h φ''
            let turning = -2.0 * (25.0 / (265.0 * 0.62) + 0.62);
            let error = (speed * yaw / turning - 1.0).abs();
            assert!(error < 1e-5, "{speed} m/s: {} m/s², expected {turning}", speed * yaw);
        }
    }

    #[test]
    fn a_front_tire_is_steered_to_no_more_than_its_share() {
        let most = MOTORCYCLE.slip_angle(0, 0.9);
        let camber = 0.5 * 1_150.0 / 15_500.0;
        // (asked for, lean, friction, expected)
        let cases = [
            (0.01, 0.0, 1.0, 0.01),
            (1.0, 0.0, 1.0, most),
            (-1.0, 0.0, 1.0, -most),
            (1.0, 0.0, 0.5, 0.5 * most),
            (1.0, 0.5, 1.0, most - camber),
            (-1.0, 0.5, 1.0, -most - camber),
        ];
        for (asked, lean, friction, expected) in cases {
            let borne = MOTORCYCLE.borne_by_front(asked, lean, friction, 0.9);
            assert!((borne - expected).abs() < 1e-6, "{asked}: {borne}, expected {expected}");
        }
    }

    #[test]
    fn a_force_along_the_road_moves_load() {
        let weight = 265.0 * GRAVITY;
        // (force by the weight, share that is left): 1 - f h/b, 1 + f h/a
        let cases = [(0.0, 1.0), (0.5, 1.0 - 0.31 / 0.7), (-0.5, 1.0 - 0.31 / 0.72), (-2.0, 0.0)];
        for (force, expected) in cases {
            let share = MOTORCYCLE.least_load_share(force * weight, GRAVITY);
            assert!((share - expected).abs() < 1e-5, "{force}: {share}, expected {expected}");
        }
    }
}
