//! How high a vehicle stands: springs and tires, compressed by its weight.

use super::MechanicalParams;
use crate::frame::Frame;
use crate::math::Real;
use crate::mount::SuspensionParams;
use crate::suspension::unsprung::SuspensionDynamics;

/// Most steps of Newton's method.
const MOST_STEPS: usize = 50;
/// Halvings in the search for a wheel's load.
const HALVINGS: usize = 60;
/// Largest error of a load, as a part of the weight (dimensionless).
const TOLERANCE: f64 = 1e-5;
/// Largest slope at which a vehicle stands (dimensionless).
const STEEPEST: f64 = 0.2;

/// A wheel that stands on level ground.
struct Support {
    /// How far ahead of the center of mass it is (m).
    ahead: f64,
    /// Height of the center of mass above the ground where neither spring nor tire is compressed
    /// (m).
    free_height: f64,
    /// Load for which its spring is made (N).
    design_load: f64,
    wheel: usize,
}

impl<Tire> MechanicalParams<Tire> {
    /// Height of the center of mass above level ground at rest under `gravity` (m), on compressed
    /// springs and tires.
    ///
    /// A vehicle rests where the loads of its wheels carry it and have no moment. One that does not
    /// stand on its wheels alone, such as a semi-trailer, has the mean height of its wheels under
    /// the loads that their springs are made for.
    ///
    /// ```text
    /// Σ N_i = m g,   Σ N_i x_i = 0,   h = h_i - j(N_i) - N_i / k_t - θ x_i
    /// ```
    ///
    /// with the load `N_i` of a wheel at `x_i` ahead of the center of mass, the jounce `j` of its
    /// spring and the pitch `θ`. `k_t` is its tire's stiffness, infinite where wheels have no mass.
    ///
    /// Of `gravity` (m/s²) the size counts: a downward component of a vector may be given.
    pub fn standing_height(&self, frame: &Frame, gravity: Real) -> Real {
        let gravity = f64::from(gravity).abs();
        let supports: Vec<_> =
            (0..self.suspensions.len()).map(|wheel| self.support(wheel, frame, gravity)).collect();
        let mean = || {
            let heights = supports
                .iter()
                .map(|it| it.free_height - self.compression(it.wheel, it.design_load, gravity));
            heights.sum::<f64>() / supports.len() as f64
        };
        self.balanced_height(&supports, gravity).unwrap_or_else(mean) as Real
    }

    fn support(&self, wheel: usize, frame: &Frame, gravity: f64) -> Support {
        let suspension = &self.suspensions[wheel];
        let mount = SuspensionParams::wheel_mount(suspension);
        let droop = mount + suspension.travel_direction * suspension.travel_distance;
        Support {
            ahead: f64::from(mount.dot(frame.longitudinal())),
            free_height: f64::from(self.wheels[wheel].radius - droop.dot(frame.vertical())),
            design_load: f64::from(self.suspension_forces[wheel].sprung_mass) * gravity,
            wheel,
        }
    }

    /// How far spring and tire of `wheel` are compressed together under the `load` (N) (m).
    fn compression(&self, wheel: usize, load: f64, gravity: f64) -> f64 {
        let (spring, dynamics) = (&self.suspension_forces[wheel], &self.suspension_dynamics);
        let (below, tire) = match dynamics {
            SuspensionDynamics::Unsprung(wheels) => {
                let unsprung = &wheels[wheel];
                (f64::from(unsprung.mass) * gravity, load / f64::from(unsprung.tire_stiffness))
            }
            _ => (0.0, 0.0),
        };
        let above = (load - below).max(0.0);
        let jounce = match dynamics.strut(wheel) {
            Some(strut) => strut.spring_under(spring, above).1,
            None => above / f64::from(spring.stiffness),
        };
        tire + jounce.min(f64::from(self.suspensions[wheel].travel_distance))
    }

    /// Load at which `wheel` is compressed by so much (N), at most that of all the `weight` (N).
    fn load(&self, wheel: usize, compression: f64, gravity: f64, weight: f64) -> f64 {
        let (mut low, mut high) = (0.0, weight);
        for _ in 0..HALVINGS {
            let middle = 0.5 * (low + high);
            if self.compression(wheel, middle, gravity) < compression {
                low = middle;
            } else {
                high = middle;
            }
        }
        0.5 * (low + high)
    }

    /// The height at which the wheels carry the vehicle without a moment; `None` if there is none.
    fn balanced_height(&self, supports: &[Support], gravity: f64) -> Option<f64> {
        let weight = f64::from(self.rigid_body.mass) * gravity;
        let reach = supports.iter().map(|it| it.ahead.abs()).fold(0.0, f64::max);
        let free = supports.iter().map(|it| it.free_height).fold(f64::NEG_INFINITY, f64::max);
        let (mut height, mut pitch) = (free, 0.0);
        for _ in 0..MOST_STEPS {
            let (mut force, mut moment) = (-weight, 0.0);
            // The derivatives of force and moment.
            let (mut k, mut k_x, mut k_xx) = (0.0, 0.0, 0.0);
            for it in supports {
                let compression = it.free_height - height - pitch * it.ahead;
                let load = self.load(it.wheel, compression.max(0.0), gravity, 2.0 * weight);
                let (more, less) = (load + 0.001 * weight, (load - 0.001 * weight).max(0.0));
                let way = self.compression(it.wheel, more, gravity)
                    - self.compression(it.wheel, less, gravity);
                let stiffness = (more - less) / way.max(1e-9);
                force += load;
                moment += load * it.ahead;
                k += stiffness;
                k_x += stiffness * it.ahead;
                k_xx += stiffness * it.ahead * it.ahead;
            }
            if force.abs() < TOLERANCE * weight && moment.abs() <= TOLERANCE * weight * reach {
                return (pitch.abs() < STEEPEST).then_some(height);
            }
            let determinant = k * k_xx - k_x * k_x;
            if determinant <= 1e-9 * k * k_xx {
                pitch = 0.0;
                height += force / k;
            } else {
                height += (k_xx * force - k_x * moment) / determinant;
                pitch += (k * moment - k_x * force) / determinant;
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blueprint::{AxleBlueprint, CarBlueprint, VehicleBlueprint};
    use crate::context::GRAVITY;

    #[test]
    fn cars_stand_as_high_as_their_data_sheets_say() {
        for frame in Frame::all() {
            let with_mass = CarBlueprint { frame, ..CarBlueprint::default() };
            let without = CarBlueprint { ride: None, ..with_mass.clone() };
            for sheet in [with_mass, without] {
                let height = sheet.mechanics().unwrap().standing_height(&frame, GRAVITY);
                let error = height - sheet.center_of_mass_height;
                assert!(error.abs() < 1e-4, "{height} m");
            }
        }
    }

    #[test]
    fn an_unladen_axle_stands_higher() {
        // Half of the load compresses springs and tires, without wheels, by half of what the full
        // one does.
        let axle = |position| AxleBlueprint {
            laden_load: Some(2_000.0),
            ride: None,
            ..AxleBlueprint::new(position, 1.6, 1_000.0, 1e3)
        };
        let sheet = VehicleBlueprint::new([5.0, 1.8, 1.5], 0.7, [axle(0.0), axle(3.0)]);
        let height = sheet.mechanics().unwrap().standing_height(&sheet.frame, GRAVITY);
        let rest = CarBlueprint::default().rest_jounce();
        assert!((height - 0.7 - 0.5 * rest).abs() < 1e-4, "{height} m");
    }
}
