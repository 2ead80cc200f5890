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
/// Part of the weight by which the loads that springs are made for may miss it, and its moment
/// (dimensionless).
const BALANCE: f64 = 1e-3;

/// A wheel of a vehicle that stands on level ground.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StandingWheel {
    /// Mass that it carries, with its own (kg).
    pub mass: Real,
    /// Jounce of its suspension (m).
    pub jounce: Real,
}

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
        let supports = self.supports(frame, gravity);
        let mean = || {
            let heights = supports
                .iter()
                .map(|it| it.free_height - self.compression(it.wheel, it.design_load, gravity));
            heights.sum::<f64>() / supports.len() as f64
        };
        self.balance(&supports, gravity).map_or_else(mean, |[height, _]| height) as Real
    }

    /// How the wheels stand at rest on level ground under `gravity` (m/s²).
    ///
    /// Each carries the mass that its spring is made for, where these balance the vehicle. Else its
    /// springs share its weight, as of a tractor without its trailer. A vehicle that does not stand
    /// on its wheels alone has the masses that its springs are made for.
    pub fn standing_wheels(&self, frame: &Frame, gravity: Real) -> Vec<StandingWheel> {
        let gravity = f64::from(gravity);
        let supports = self.supports(frame, gravity);
        let weight = f64::from(self.rigid_body.mass) * gravity;
        let reach = supports.iter().map(|it| it.ahead.abs()).fold(0.0, f64::max);
        let force: f64 = supports.iter().map(|it| it.design_load).sum();
        let moment: f64 = supports.iter().map(|it| it.design_load * it.ahead).sum();
        let is_balanced =
            (force - weight).abs() < BALANCE * weight && moment.abs() <= BALANCE * weight * reach;
        let found = if is_balanced { None } else { self.balance(&supports, gravity) };
        let standing = |it: &Support| {
            let load = found.map(|[height, pitch]| {
                let compression = it.free_height - height - pitch * it.ahead;
                self.load(it.wheel, compression.max(0.0), gravity, 2.0 * weight)
            });
            let designed = self.suspension_forces[it.wheel].sprung_mass;
            StandingWheel {
                mass: load.map_or(designed, |load| (load / gravity) as Real),
                jounce: self.jounce(it.wheel, load.unwrap_or(it.design_load), gravity) as Real,
            }
        };
        supports.iter().map(standing).collect()
    }

    fn supports(&self, frame: &Frame, gravity: f64) -> Vec<Support> {
        (0..self.suspensions.len()).map(|wheel| self.support(wheel, frame, gravity)).collect()
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
        let tire = match &self.suspension_dynamics {
            SuspensionDynamics::Unsprung(wheels) => load / f64::from(wheels[wheel].tire_stiffness),
            _ => 0.0,
        };
        tire + self.jounce(wheel, load, gravity)
    }

    /// Jounce of the suspension of `wheel` under the `load` of its tire (N) (m).
    fn jounce(&self, wheel: usize, load: f64, gravity: f64) -> f64 {
        let (spring, dynamics) = (&self.suspension_forces[wheel], &self.suspension_dynamics);
        let below = match dynamics {
            SuspensionDynamics::Unsprung(wheels) => f64::from(wheels[wheel].mass) * gravity,
            _ => 0.0,
        };
        let above = (load - below).max(0.0);
        let jounce = match dynamics.strut(wheel) {
            Some(strut) => strut.spring_under(spring, above).1,
            None => above / f64::from(spring.stiffness),
        };
        jounce.min(f64::from(self.suspensions[wheel].travel_distance))
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

    /// Height (m) and pitch (dimensionless) at which the wheels carry the vehicle without a moment;
    /// `None` if there are none.
    fn balance(&self, supports: &[Support], gravity: f64) -> Option<[f64; 2]> {
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
                return (pitch.abs() < STEEPEST).then_some([height, pitch]);
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

    #[test]
    fn wheels_stand_as_their_springs_are_made_or_share_the_weight() {
        let gravity = GRAVITY;
        for ride in [None, CarBlueprint::default().ride] {
            let sheet = CarBlueprint { ride, ..CarBlueprint::default() };
            let mechanics = sheet.mechanics().unwrap();
            let wheels = mechanics.standing_wheels(&sheet.frame, gravity);
            for (wheel, spring) in wheels.iter().zip(&mechanics.suspension_forces) {
                assert_eq!(wheel.mass, spring.sprung_mass);
            }
        }
        // Springs for 7.1 and 11 t under a tractor of 5.2 and 2.3 t.
        let axle = |position, load, laden| AxleBlueprint {
            laden_load: Some(laden),
            ..AxleBlueprint::new(position, 2.0, load, 10e3)
        };
        let axles = [axle(0.0, 5_200.0, 7_100.0), axle(3.7, 2_300.0, 11_000.0)];
        let sheet = VehicleBlueprint::new([5.9, 2.5, 2.6], 1.0, axles);
        let mechanics = sheet.mechanics().unwrap();
        let wheels = mechanics.standing_wheels(&sheet.frame, gravity);
        for (index, expected) in [2_600.0, 2_600.0, 1_150.0, 1_150.0].into_iter().enumerate() {
            let found = wheels[index];
            assert!((found.mass - expected).abs() < 5.0, "wheel {index}: {found:?}");
            let spring = &mechanics.suspension_forces[index];
            assert!(found.jounce < 0.9 * spring.sprung_mass * gravity / spring.stiffness);
        }
    }
}
