//! The mass of a vehicle that has been loaded or has lost a part, and the one it was made with.

use serde::{Deserialize, Serialize};
use vehicle_core::error::{Bound, ParamCheck, Validate};
use vehicle_core::mass_distribution::MassDistribution;
use vehicle_core::math::{Quat, Real, Vec3};
use vehicle_core::vehicle::MechanicalParams;

/// The mass of a vehicle, and how its wheels carry it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct LoadedMass {
    /// Mass, inertia and center of mass in the body.
    pub mass: MassDistribution,
    /// Sprung masses, one per wheel (kg).
    pub sprung_masses: Vec<Real>,
}

impl LoadedMass {
    /// The mass of a vehicle of `params`, with its center of mass in the body.
    pub(crate) fn of<Tire>(params: &MechanicalParams<Tire>, center_of_mass: Vec3) -> Self {
        let mass = MassDistribution { rigid_body: params.rigid_body, center_of_mass };
        let sprung_masses = params.suspension_forces.iter().map(|it| it.sprung_mass).collect();
        Self { mass, sprung_masses }
    }

    /// Reports a mass that is none, and another number of wheels than `wheel_count`.
    pub(crate) fn check(&self, wheel_count: usize, check: &mut ParamCheck) {
        self.mass.check(check);
        check.count("sprung_masses", self.sprung_masses.len(), wheel_count);
        for (wheel, &mass) in self.sprung_masses.iter().enumerate() {
            check.number(format_args!("sprung_masses[{wheel}]"), mass, Bound::NotNegative);
        }
    }
}

/// What a vehicle was before its mass was changed. What is mounted on its body is always placed
/// from there: whichever way a mass is reached, the points have the same bits.
#[derive(Clone, Debug)]
pub(crate) struct MadeMass {
    /// The mass that it was made with.
    pub(crate) made: LoadedMass,
    /// Where its center of mass was in the body as `mounts` were known (m).
    origin: Vec3,
    /// Points that are mounted on its body, from there (m).
    mounts: Vec<Vec3>,
}

impl MadeMass {
    /// That of a vehicle of `params` whose mass has not been changed yet.
    pub(crate) fn of<Tire>(params: &mut MechanicalParams<Tire>, center_of_mass: Vec3) -> Self {
        let made = LoadedMass::of(params, center_of_mass);
        let mounts = params.mounts_mut().map(|point| *point).collect();
        Self { made, origin: center_of_mass, mounts }
    }

    /// Moves the center of mass of `params` from `present` to `next` (m), of which `to_axes` turns
    /// into the vehicle's axes. Points that its user has moved since are known from now on.
    pub(crate) fn place<Tire>(
        &mut self,
        params: &mut MechanicalParams<Tire>,
        [present, next]: [Vec3; 2],
        to_axes: Quat,
    ) {
        let before = to_axes * (present - self.origin);
        let known = self.mounts.iter().map(|point| *point - before);
        if !params.mounts_mut().map(|point| *point).eq(known) {
            self.origin = present;
            self.mounts = params.mounts_mut().map(|point| *point).collect();
        }
        let shift = to_axes * (next - self.origin);
        for (point, known) in params.mounts_mut().zip(&self.mounts) {
            *point = *known - shift;
        }
    }
}
