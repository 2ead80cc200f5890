//! A tire that is asked for its forces, at rest and before a simulation: how stiff it is, and how
//! much it grips.

use vehicle_core::Frame;
use vehicle_core::math::{Real, tan};
use vehicle_core::tire::{SteadyRolling, TireModel, TireOutput, TireSlip};
use vehicle_core::vehicle::MechanicalParams;
use vehicle_core::wheel::WheelParams;

/// Slip angle and camber by which tires are asked for their stiffness (rad).
pub(crate) const PROBE: Real = 2e-3;
/// Cornering stiffness of a usual tire by its load (1/rad).
pub(crate) const USUAL_STIFFNESS: Real = 12.0;
/// Friction of a usual tire on a road of friction 1 (dimensionless).
const USUAL_FRICTION: Real = 1.0;

/// Largest slip angle (rad) and slip ratio (dimensionless) that are looked for.
const LARGEST_SLIP: Real = 0.4;
/// Halvings of it in which one is found.
const HALVINGS: u32 = 24;
/// Number of slips among which the largest force is looked for.
const SLIPS: u8 = 40;
/// Largest part of its load that an inner tire loses (dimensionless).
const MOST_TRANSFER: Real = 0.9;
/// Speed at which tires are asked (m/s).
const PROBE_SPEED: Real = 20.0;
/// Time after which a tire that answers late has answered (s).
const PROBE_TIME: Real = 10.0;

/// A tire under a load, on a road of friction 1.
pub(crate) struct ProbedTire<'a, Tire> {
    tire: &'a Tire,
    wheel: &'a WheelParams,
    load: Real,
}

impl<'a, Tire: TireModel> ProbedTire<'a, Tire> {
    /// The tire of `wheel` under `load` (N).
    pub(crate) fn of(mechanics: &'a MechanicalParams<Tire>, wheel: usize, load: Real) -> Self {
        Self { tire: &mechanics.tires[wheel], wheel: &mechanics.wheels[wheel], load }
    }

    /// Lateral force (N) to the left of a tire that rolls straight ahead at a slip angle `slip` and
    /// inclined by `lean` to the right (rad).
    pub(crate) fn lateral_force(&self, slip: Real, lean: Real) -> Real {
        let slip = TireSlip { longitudinal: 0.0, tangent: tan(slip) };
        self.output(slip, lean).lateral_force
    }

    /// Longitudinal force (N) of a tire that rolls straight ahead at a slip `ratio`.
    pub(crate) fn longitudinal_force(&self, ratio: Real) -> Real {
        self.output(TireSlip { longitudinal: ratio, tangent: 0.0 }, 0.0).longitudinal_force
    }

    /// Lateral force by a small slip angle (N/rad). A tire without a law for hard ground, such as
    /// one of soil, is taken for a usual one.
    pub(crate) fn cornering_stiffness(&self) -> Real {
        let difference = self.lateral_force(-PROBE, 0.0) - self.lateral_force(PROBE, 0.0);
        let stiffness = difference / (2.0 * PROBE);
        if 0.0 < stiffness { stiffness } else { USUAL_STIFFNESS * self.load }
    }

    /// Slip angles (rad) at which the lateral force is `0, share, 2 share, ...` of the load, of a
    /// tire of this cornering `stiffness` (N/rad). They are those of a linear tire where it does
    /// not get so strong. They are those of the mean of an inner and an outer tire, whose loads
    /// differ from this by `transfer` times the share.
    pub(crate) fn slip_angles<const COUNT: usize>(
        &self,
        share: Real,
        stiffness: Real,
        transfer: Real,
    ) -> [Real; COUNT] {
        std::array::from_fn(|index| {
            let part = share * index as Real;
            let force = part * self.load;
            let moved = (transfer * part).min(MOST_TRANSFER);
            let pair = [1.0 - moved, 1.0 + moved].map(|it| Self { load: it * self.load, ..*self });
            let (mut low, mut high) = (0.0, LARGEST_SLIP);
            for _ in 0..HALVINGS {
                let middle: Real = 0.5 * (low + high);
                let [inner, outer] = [0, 1].map(|side| pair[side].lateral_force(-middle, 0.0));
                if 0.5 * (inner + outer) < force {
                    low = middle;
                } else {
                    high = middle;
                }
            }
            let linear = force / stiffness;
            if index == 0 || high == LARGEST_SLIP { linear } else { high }
        })
    }

    /// Largest force by the load, along and across (dimensionless).
    pub(crate) fn friction(&self) -> [Real; 2] {
        let slips =
            || (1..=SLIPS).map(|index| LARGEST_SLIP * Real::from(index) / Real::from(SLIPS));
        let along = slips().map(|ratio| self.longitudinal_force(ratio).abs());
        let across = slips().map(|slip| self.lateral_force(-slip, 0.0));
        let by_load = |force: Real| if 0.0 < force { force / self.load } else { USUAL_FRICTION };
        [by_load(along.fold(0.0, Real::max)), by_load(across.fold(0.0, Real::max))]
    }

    /// Rolling resistance by the load (dimensionless).
    pub(crate) fn rolling_resistance(&self) -> Real {
        self.output(TireSlip::default(), 0.0).rolling_resistance_force.abs() / self.load
    }

    fn output(&self, slip: TireSlip, lean: Real) -> TireOutput {
        let Self { tire, wheel, load } = *self;
        let rolling = SteadyRolling {
            wheel,
            frame: &Frame::Z_UP,
            speed: PROBE_SPEED,
            load,
            inclination: lean,
            time: PROBE_TIME,
        };
        rolling.output(tire, slip)
    }
}
