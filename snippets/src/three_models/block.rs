//! The friction of one wheel: both directions and the brake, solved together and exactly.

/// Steps of Newton's method: from any start, six reach the last digits.
const STEPS: usize = 6;

/// Two directions of a contact, along the wheel and across it, and what one impulse does to both
/// velocities: the symmetric matrix `K` (1/kg).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mobility {
    /// Along the wheel by an impulse along it.
    pub along: f64,
    /// Across it by an impulse across it.
    pub across: f64,
    /// Of one by the other.
    pub cross: f64,
}

impl Mobility {
    /// What this and springs of `softness` along and across the wheel (1/kg) do together.
    pub fn with(self, softness: [f64; 2]) -> Self {
        Self { along: self.along + softness[0], across: self.across + softness[1], ..self }
    }

    /// The velocity by an impulse (N·s) (m/s).
    pub fn times(&self, impulse: [f64; 2]) -> [f64; 2] {
        [
            self.along * impulse[0] + self.cross * impulse[1],
            self.cross * impulse[0] + self.across * impulse[1],
        ]
    }

    /// `(K + η 1)⁻¹ v`.
    fn solved(&self, eta: f64, [along, across]: [f64; 2]) -> [f64; 2] {
        let (a, b, c) = (self.along + eta, self.across + eta, self.cross);
        let determinant = a * b - c * c;
        if determinant <= 0.0 {
            return [0.0; 2];
        }
        [(b * along - c * across) / determinant, (a * across - c * along) / determinant]
    }

    /// Larger eigenvalue of the mobility.
    fn largest(&self) -> f64 {
        let mean = 0.5 * (self.along + self.across);
        mean + (0.5 * (self.along - self.across)).hypot(self.cross)
    }
}

fn dot(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

fn length(a: [f64; 2]) -> f64 {
    a[0].hypot(a[1])
}

/// Impulse of friction in a disc of radius `most` (N·s), against the velocity `free` that the
/// contact has without it (m/s).
///
/// ```text
/// λ = -K⁻¹ b                              if |λ| ≤ r
/// (K + η 1) λ = -b,   |λ| = r,   η > 0    else
/// ```
///
/// In the second case `K λ + b = -η λ`: friction acts against the slip that is left. Newton's
/// method finds `η` by `1/r - 1/|λ(η)|`, which is nearly straight.
///
/// ```text
/// η₀ = max(0, |b|/r - k_max),   η ← η + |λ|² / (λᵀ (K + η)⁻¹ λ) (|λ| - r)/r
/// ```
pub fn disc(mobility: &Mobility, free: [f64; 2], most: f64) -> [f64; 2] {
    if most <= 0.0 {
        return [0.0; 2];
    }
    let against = [-free[0], -free[1]];
    let held = mobility.solved(0.0, against);
    if length(held) <= most {
        return held;
    }
    let mut eta = (length(free) / most - mobility.largest()).max(0.0);
    let mut impulse = mobility.solved(eta, against);
    for _ in 0..STEPS {
        let slope = dot(impulse, mobility.solved(eta, impulse));
        let size = length(impulse);
        if slope <= 0.0 {
            break;
        }
        eta = (eta + size * size / slope * (size - most) / most).max(0.0);
        impulse = mobility.solved(eta, against);
    }
    let size = length(impulse);
    if size == 0.0 { impulse } else { impulse.map(|part| part * most / size) }
}

/// A wheel that friction turns and a brake holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BrakedWheel {
    /// Radius (m).
    pub radius: f64,
    /// Moment of inertia about the axle (kg·m²).
    pub inertia: f64,
    /// Rotation speed without friction and brake (rad/s).
    pub speed: f64,
    /// Largest impulse of the brake (N·m·s).
    pub brake: f64,
}

/// What friction and brake do to a wheel.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BlockImpulse {
    /// Friction along the wheel and across it (N·s).
    pub friction: [f64; 2],
    /// Brake, positive forward (N·m·s).
    pub brake: f64,
    /// Rotation speed afterwards (rad/s).
    pub speed: f64,
}

impl BrakedWheel {
    fn after(&self, friction: [f64; 2], brake: f64) -> BlockImpulse {
        let speed = self.speed + (brake - self.radius * friction[0]) / self.inertia;
        BlockImpulse { friction, brake, speed }
    }

    /// Friction and brake together.
    ///
    /// `mobility` is that of the body at the contact, `softness` that of the tire (1/kg), and
    /// `most` the bound of friction (N·s). `free` is the velocity of the body at the contact
    /// without the block's friction (m/s) with what the tire adds to it.
    ///
    /// The wheel is first assumed to be locked. If the brake that this takes,
    /// `τ = -(J Ω - R λ_L)`, is more than there is, the brake gives all and the block is solved
    /// again with a wheel that turns. The energy is convex in `τ`, so its least value in the bounds
    /// is the free one, clamped.
    pub fn solve(
        &self,
        mobility: Mobility,
        softness: [f64; 2],
        free: [f64; 2],
        most: f64,
    ) -> BlockImpulse {
        let locked = disc(&mobility.with(softness), free, most);
        let brake = -(self.inertia * self.speed - self.radius * locked[0]);
        if brake.abs() <= self.brake {
            return BlockImpulse { speed: 0.0, ..self.after(locked, brake) };
        }
        let bound = self.brake.max(0.0);
        let brake = brake.clamp(-bound, bound);
        let speed = self.speed + brake / self.inertia;
        let turning = self.radius * self.radius / self.inertia;
        let free = [free[0] - self.radius * speed, free[1]];
        let mobility = mobility.with([softness[0] + turning, softness[1]]);
        self.after(disc(&mobility, free, most), brake)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers in [-1, 1), the same in every run.
    struct Numbers(u64);

    impl Numbers {
        fn next(&mut self) -> f64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        }
    }

    /// Blocks as those of wheels: much softer along than across, coupled.
    fn blocks() -> impl Iterator<Item = (Mobility, [f64; 2], f64)> {
        let mut numbers = Numbers(7);
        (0..20_000).map(move |_| {
            let (along, across) = (10_f64.powf(-2.0 + numbers.next()), 10_f64.powf(-3.0));
            let cross = 0.9 * numbers.next() * (along * across).sqrt();
            let free = [10.0 * numbers.next(), 10.0 * numbers.next()];
            let most = 10_f64.powf(1.5 + 1.5 * numbers.next());
            (Mobility { along, across, cross }, free, most)
        })
    }

    #[test]
    fn friction_acts_against_the_slip_that_is_left() {
        for (mobility, free, most) in blocks() {
            let impulse = disc(&mobility, free, most);
            let moved = mobility.times(impulse);
            let left = [free[0] + moved[0], free[1] + moved[1]];
            let what = format!("{mobility:?}, {free:?}, {most}: {impulse:?}, {left:?}");
            assert!(length(impulse) <= most * (1.0 + 1e-12), "{what}");
            if length(impulse) < most * (1.0 - 1e-9) {
                assert!(length(left) < 1e-9, "{what}");
            } else {
                let cosine = -dot(impulse, left) / (most * length(left)).max(1e-300);
                assert!(length(left) < 1e-6 || 1.0 - 1e-9 < cosine, "{what}");
            }
        }
    }

    /// The two shortcuts that friction is often given, for comparison: each direction by itself,
    /// and the free solution shortened.
    fn pyramid(mobility: &Mobility, free: [f64; 2], most: f64) -> [f64; 2] {
        [-free[0] / mobility.along, -free[1] / mobility.across].map(|part| part.clamp(-most, most))
    }

    fn shortened(mobility: &Mobility, free: [f64; 2], most: f64) -> [f64; 2] {
        let held = mobility.solved(0.0, [-free[0], -free[1]]);
        held.map(|part| part * (most / length(held)).min(1.0))
    }

    #[test]
    fn shortcuts_grip_too_much_or_pull_aside() {
        let (mut strongest, mut widest): (f64, f64) = (0.0, 0.0);
        for (mobility, free, most) in blocks() {
            strongest = strongest.max(length(pyramid(&mobility, free, most)) / most);
            let impulse = shortened(&mobility, free, most);
            let moved = mobility.times(impulse);
            let left = [free[0] + moved[0], free[1] + moved[1]];
            if 1e-3 < length(left) {
                let cosine = -dot(impulse, left) / (length(impulse) * length(left));
                widest = widest.max(cosine.clamp(-1.0, 1.0).acos());
            }
        }
        assert!(1.41 < strongest, "a pyramid grips {strongest} times as much");
        assert!(50_f64.to_radians() < widest, "a shortened impulse pulls {widest} rad aside");
    }

    #[test]
    fn brake_locks_if_it_can_and_gives_all_if_it_cannot() {
        let mobility = Mobility { along: 7e-4, across: 7e-4, cross: 0.0 };
        let wheel = BrakedWheel { radius: 0.33, inertia: 1.2, speed: 30.0, brake: 100.0 };
        let locked = wheel.solve(mobility, [0.0; 2], [10.0, 0.0], 60.0);
        assert_eq!(locked.speed, 0.0);
        assert!((locked.friction[0] + 60.0).abs() < 1e-9, "{locked:?}");
        assert!((locked.brake + 1.2 * 30.0 + 0.33 * 60.0).abs() < 1e-9, "{locked:?}");
        let weak = BrakedWheel { brake: 5.0, ..wheel };
        let turning = weak.solve(mobility, [0.0; 2], [10.0, 0.0], 60.0);
        assert_eq!(turning.brake, -5.0);
        assert!(0.0 < turning.speed, "{turning:?}");
    }
}
