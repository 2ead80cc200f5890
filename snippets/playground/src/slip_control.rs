//! A foot that gives way while wheels slip: keys know only all or nothing.

use rapier3d::prelude::*;
use vehicle_rapier::vehicle_file::AnyRapierVehicle;

/// Speed of the tread over the ground at which the foot begins to give way, and at which it has
/// done so, at rest (m/s), and what the speed of the vehicle adds (dimensionless).
const SKID: [[Real; 2]; 2] = [[0.4, 0.06], [4.0, 0.40]];
/// Least share of the pedal that is left (dimensionless).
const LEAST: Real = 0.2;
/// Rates at which the foot gives way and comes back (1/s).
const RATES: [Real; 2] = [10.0, 5.0];

/// The share of a pedal that wheels bear without slipping too much: a control for drive or brakes.
///
/// ```text
/// dc/dt → c* = (v_skid - a) / (b - a),   a = 0.4 m/s + 0.06 v,   b = 4 m/s + 0.4 v,   share = 1 - c
/// ```
///
/// with the speed `v` of the vehicle and that of the tread over the ground, `v_skid`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SlipControl {
    /// What it takes of the pedal, in [0, 1].
    cut: Real,
}

impl SlipControl {
    /// The share of the throttle that the driven wheels of `car` bear, for a step of `dt` (s).
    pub fn throttle(&mut self, car: &AnyRapierVehicle, dt: Real) -> Real {
        let actuations = &car.mechanics().state.actuations;
        let driven = (0..car.wheel_count()).filter(|&wheel| actuations.of(wheel).is_driven);
        let skid = skid(car, driven, |slip| slip != 0.0);
        self.share(skid, car.forward_speed().abs(), dt)
    }

    /// The share of the brake that the wheels of `car` bear, for a step of `dt` (s).
    pub fn brake(&mut self, car: &AnyRapierVehicle, dt: Real) -> Real {
        let skid = skid(car, 0..car.wheel_count(), |slip| slip < 0.0);
        self.share(skid, car.forward_speed().abs(), dt)
    }

    fn share(&mut self, skid: Real, speed: Real, dt: Real) -> Real {
        let [begin, end] = SKID.map(|[at_rest, share]| at_rest + share * speed);
        let [close, open] = RATES;
        let wanted = ((skid - begin) / (end - begin)).clamp(0.0, 1.0);
        self.cut += (wanted - self.cut).clamp(-open * dt, close * dt);
        (1.0 - self.cut).max(LEAST)
    }
}

/// The largest speed of a tread over the ground (m/s), of those of `wheels` whose longitudinal slip
/// counts.
fn skid(
    car: &AnyRapierVehicle,
    wheels: impl Iterator<Item = usize>,
    counts: impl Fn(Real) -> bool,
) -> Real {
    wheels
        .filter_map(|wheel| car.wheel_contact(wheel))
        .filter(|contact| counts(contact.wheel.longitudinal_slip))
        .map(|contact| contact.wheel.skid_speed)
        .fold(0.0, Real::max)
}
