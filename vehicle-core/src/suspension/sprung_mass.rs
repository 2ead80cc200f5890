//! Sprung masses: which part of the vehicle each suspension carries.

use crate::frame::Axis;
use crate::math::{DMat3, DVec3, Real, Vec3};

/// How small a determinant may be before the wheels count as on one line or in one point.
const DEGENERATE: f64 = 1e-6;

/// Why the weight cannot be shared between wheels.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SprungMassError {
    /// There is no wheel.
    #[error("sprung masses need at least one wheel")]
    NoWheels,
    /// The mass is not positive and finite.
    #[error("total_mass must be positive and finite, got {0}")]
    Mass(Real),
    /// A position is not finite.
    #[error("positions[{wheel}] must be finite, got {position}")]
    Position {
        /// The wheel.
        wheel: usize,
        /// Position of the wheel (m).
        position: Vec3,
    },
    /// The wheels lie on one line or in one point, so that they cannot balance the mass.
    #[error("wheel positions must span the ground plane: they are on one line or in one point")]
    Degenerate,
}

/// Masses (kg), one per wheel, that balance `total_mass` (kg) about the center of mass.
///
/// `positions` are those of the wheels relative to the center of mass (m, body frame); `gravity`
/// is the axis of gravity, of either sign. One wheel carries all; two share by the lever rule along
/// the line through them. Three or more have
///
/// ```text
/// Σ m_i = M,   Σ m_i x_i = 0,   Σ m_i y_i = 0,   Σ (m_i - M/n)² minimal
/// ```
///
/// with `x` and `y` across gravity. The solution is the least change of equal shares:
/// `m = M/n + Aᵀ λ` with `A` the three rows (x, y, 1) and `A Aᵀ λ = -(M/n) (Σ x, Σ y, 0)`.
/// Masses are negative where the center of mass lies outside the wheels.
///
/// # Errors
///
/// If there is no wheel, the mass is not positive, a position is not finite, or the wheels lie on
/// one line.
pub fn sprung_masses(
    positions: &[Vec3],
    total_mass: Real,
    gravity: Axis,
) -> Result<Vec<Real>, SprungMassError> {
    if !(0.0 < total_mass && total_mass.is_finite()) {
        return Err(SprungMassError::Mass(total_mass));
    }
    if let Some(wheel) = positions.iter().position(|position| !position.is_finite()) {
        return Err(SprungMassError::Position { wheel, position: positions[wheel] });
    }
    let ground: Vec<DVec3> =
        positions.iter().map(|&position| on_ground(position, gravity)).collect();
    let masses = match ground.as_slice() {
        [] => return Err(SprungMassError::NoWheels),
        [_] => vec![f64::from(total_mass)],
        [first, second] => lever(*first, *second, f64::from(total_mass))?.to_vec(),
        wheels => least_change(wheels, f64::from(total_mass))?,
    };
    Ok(masses.into_iter().map(|mass| mass as Real).collect())
}

/// (x, y, 1): the coordinates across gravity, and the factor of the mass in the sum of masses.
fn on_ground(position: Vec3, gravity: Axis) -> DVec3 {
    let [x, y, z] = position.as_dvec3().to_array();
    match gravity {
        Axis::PosX | Axis::NegX => DVec3::new(y, z, 1.0),
        Axis::PosY | Axis::NegY => DVec3::new(z, x, 1.0),
        Axis::PosZ | Axis::NegZ => DVec3::new(x, y, 1.0),
    }
}

/// Two wheels balance the mass about the point of their line that is nearest to it.
fn lever(first: DVec3, second: DVec3, total_mass: f64) -> Result<[f64; 2], SprungMassError> {
    let line = (second - first).truncate();
    let length = line.length();
    if length <= DEGENERATE {
        return Err(SprungMassError::Degenerate);
    }
    let before = -first.truncate().dot(line) / length;
    let second_mass = total_mass * before / length;
    Ok([total_mass - second_mass, second_mass])
}

fn least_change(wheels: &[DVec3], total_mass: f64) -> Result<Vec<f64>, SprungMassError> {
    let outer = |row: &DVec3| DMat3::from_cols(*row * row.x, *row * row.y, *row * row.z);
    let gram = wheels.iter().map(outer).fold(DMat3::ZERO, |sum, product| sum + product);
    // The determinant of the full system of n masses and three multipliers.
    let determinant = gram.determinant() * 2f64.powi(wheels.len() as i32 - 3);
    if determinant.abs() <= DEGENERATE {
        return Err(SprungMassError::Degenerate);
    }
    let equal = total_mass / wheels.len() as f64;
    let sum: DVec3 = wheels.iter().sum();
    let multipliers = gram.inverse() * (DVec3::new(sum.x, sum.y, 0.0) * -equal);
    Ok(wheels.iter().map(|row| equal + row.dot(multipliers)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_balanced(positions: &[Vec3], masses: &[Real], total_mass: Real) {
        let sum: Real = masses.iter().sum();
        assert!((sum - total_mass).abs() < 1e-3, "{masses:?}");
        let moment: Vec3 = positions.iter().zip(masses).map(|(&p, &m)| p * m).sum();
        assert!(moment.truncate().length() < 1e-2, "{masses:?}: moment {moment}");
    }

    #[test]
    fn masses_balance_about_the_center_of_mass() {
        let wheels = [
            Vec3::new(1.3, 0.8, -0.2),
            Vec3::new(1.3, -0.8, -0.1),
            Vec3::new(-1.5, 0.7, -0.3),
            Vec3::new(-1.5, -0.7, 0.0),
            Vec3::new(-2.5, 0.7, 0.0),
            Vec3::new(-2.5, -0.7, 0.0),
        ];
        for count in [3, 4, 6] {
            let masses = sprung_masses(&wheels[..count], 1_500.0, Axis::NegZ).unwrap();
            assert_balanced(&wheels[..count], &masses, 1_500.0);
        }
    }

    #[test]
    fn symmetric_wheels_share_equally() {
        let wheels =
            [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)].map(|(x, y)| Vec3::new(x, 0.0, y));
        let masses = sprung_masses(&wheels, 1_000.0, Axis::PosY).unwrap();
        assert!(masses.iter().all(|mass| (mass - 250.0).abs() < 1e-3), "{masses:?}");
    }

    #[test]
    fn two_wheels_follow_the_lever_rule() {
        let wheels = [Vec3::X, Vec3::X * -3.0];
        let masses = sprung_masses(&wheels, 400.0, Axis::PosZ).unwrap();
        assert_eq!(masses, [300.0, 100.0]);
    }

    #[test]
    fn bad_input_is_named() {
        let line = [Vec3::X, Vec3::X * 2.0, Vec3::X * 3.0, Vec3::X * 4.0];
        assert_eq!(sprung_masses(&line, 1.0, Axis::PosZ), Err(SprungMassError::Degenerate));
        assert_eq!(sprung_masses(&[], 1.0, Axis::PosZ), Err(SprungMassError::NoWheels));
        let error = sprung_masses(&line, -1.0, Axis::PosZ).unwrap_err();
        assert_eq!(error.to_string(), "total_mass must be positive and finite, got -1");
        assert!(sprung_masses(&[Vec3::NAN], 1.0, Axis::PosZ).is_err());
    }
}
