//! Steering of the vehicle on a proving ground: which wheels steer, how far, and over which base
//! they turn it.

use rapier3d::prelude::*;
use vehicle_rapier::vehicle_file::AnyRapierVehicle;

use super::proving_ground::ProvingGround;

/// How far wheels of an axle are apart along the vehicle at most (m).
const ABREAST: Real = 1e-3;

/// Steer angle of a wheel of `car` by that of full lock (dimensionless).
fn share_of_lock(car: &AnyRapierVehicle, wheel: usize) -> Real {
    let parts = &car.mechanics().params.steering.wheel_multipliers;
    parts.get(wheel).copied().unwrap_or(0.0)
}

/// Numbers of the wheels by which `car` turns: those of its first axle, and those of the axles
/// behind that are not steered. Where all of them are steered, those of all axles behind.
fn turning_wheels(car: &AnyRapierVehicle) -> [Vec<usize>; 2] {
    let params = car.mechanics().params;
    let place = |wheel: usize| params.suspensions[wheel].attachment.translation.z;
    let is_straight = |wheel: &usize| share_of_lock(car, *wheel) == 0.0;
    let all = 0..params.axles.wheel_count();
    let (first, others): (Vec<_>, Vec<_>) =
        all.partition(|&wheel| (place(wheel) - place(0)).abs() < ABREAST);
    let straight: Vec<_> = others.iter().copied().filter(is_straight).collect();
    [first, if straight.is_empty() { others } else { straight }]
}

/// Distance from the first axle of `car` to the mean of the axles behind that are not steered (m).
/// Where all behind are steered, it is to their mean; on one axle, it is 0.
pub(crate) fn wheel_base(car: &AnyRapierVehicle) -> Real {
    let suspensions = &car.mechanics().params.suspensions;
    let place = |wheel: &usize| suspensions[*wheel].attachment.translation.z;
    let [_, behind] = turning_wheels(car);
    if behind.is_empty() {
        return 0.0;
    }
    place(&0) - behind.iter().map(place).sum::<Real>() / behind.len() as Real
}

impl ProvingGround {
    /// Mean angle of the wheels of the first steered axle (rad).
    pub fn steer_angle(&self) -> Real {
        self.mean_angle(&self.steered_wheels())
    }

    /// Mean steer angle of these wheels (rad); 0 of none.
    fn mean_angle(&self, wheels: &[usize]) -> Real {
        let angles = &self.front().mechanics().state.steer_angles;
        let sum: Real = wheels.iter().map(|wheel| angles[*wheel]).sum();
        if wheels.is_empty() { 0.0 } else { sum / wheels.len() as Real }
    }

    /// Angle between the wheels of the first axle and those of the axles behind (rad): what turns
    /// the vehicle over its wheelbase.
    pub(crate) fn turn_angle(&self) -> Real {
        let steered = |wheels: Vec<usize>| -> Vec<usize> {
            wheels.into_iter().filter(|wheel| share_of_lock(self.front(), *wheel) != 0.0).collect()
        };
        let [first, behind] = turning_wheels(self.front()).map(steered);
        self.mean_angle(&first) - self.mean_angle(&behind)
    }

    /// That angle at full lock to the left, without Ackermann correction (rad).
    pub(crate) fn turn_at_lock(&self) -> Real {
        let mean = |wheels: Vec<usize>| {
            let sum: Real = wheels.iter().map(|wheel| share_of_lock(self.front(), *wheel)).sum();
            sum / wheels.len().max(1) as Real
        };
        let [first, behind] = turning_wheels(self.front()).map(mean);
        self.full_lock() * (first - behind)
    }

    /// Numbers of the left and of the right wheel of the first steered axle, which may be one.
    pub(crate) fn steered_sides(&self) -> [usize; 2] {
        let params = self.front().mechanics().params;
        let side = |wheel: &usize| params.suspensions[*wheel].attachment.translation.x;
        let wheels = self.steered_wheels();
        let left = wheels.iter().copied().max_by(|one, other| side(one).total_cmp(&side(other)));
        let right = wheels.iter().copied().min_by(|one, other| side(one).total_cmp(&side(other)));
        [left, right].map(|wheel| wheel.unwrap_or(0))
    }

    /// Numbers of the wheels of the first steered axle.
    fn steered_wheels(&self) -> Vec<usize> {
        let params = self.front().mechanics().params;
        let is_steered = |wheel: &usize| share_of_lock(self.front(), *wheel) != 0.0;
        let all = 0..params.axles.wheel_count();
        let first = all.clone().find(is_steered);
        let Some(first) = first else { return Vec::new() };
        let place = params.suspensions[first].attachment.translation.z;
        let is_beside = |wheel: &usize| {
            (params.suspensions[*wheel].attachment.translation.z - place).abs() < ABREAST
        };
        all.filter(is_steered).filter(is_beside).collect()
    }

    /// Steer angle of a wheel at full lock (rad).
    pub fn full_lock(&self) -> Real {
        self.front().mechanics().params.steering.max_response
    }

    /// Distance from the first axle to the mean of the axles behind that are not steered (m). Where
    /// all behind are steered, it is to their mean; on one axle, it is 0.
    pub fn wheel_base(&self) -> Real {
        wheel_base(self.front())
    }
}
