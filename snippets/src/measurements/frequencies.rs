//! Natural frequencies of a body on its springs.

use rapier3d::prelude::Real;
use vehicle_rapier::core::tire::models::AnyTire;
use vehicle_rapier::core::vehicle::MechanicalParams;

/// Natural frequencies without damping (Hz).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Frequencies {
    /// The lower and the higher of the two motions in which it bounces and pitches.
    pub bounce_and_pitch: [Real; 2],
    /// In which it rolls.
    pub roll: Real,
}

/// The natural frequencies of a vehicle that looks along z, with y up, on its springs and bars. Its tires are hard.
///
/// ```text
/// bounce z, pitch θ:   m z'' + Σk z - Σk x θ = 0,   J_θ θ'' - Σk x z + Σk x² θ = 0
/// roll φ:              J_φ φ'' + (Σk y² + Σκ b²) φ = 0
/// ```
///
/// with the place (x, y) of each wheel before and beside the center of mass, and for each bar its stiffness κ and the
/// distance b of its wheels.
pub fn natural_frequencies(params: &MechanicalParams<AnyTire>) -> Frequencies {
    let wheels = params.suspensions.iter().zip(&params.suspension_forces);
    let [mut k, mut kx, mut kxx, mut kyy] = [0.0_f64; 4];
    for (suspension, spring) in wheels {
        let place = suspension.attachment.translation;
        let (x, y, stiffness) =
            (f64::from(place.z), f64::from(place.x), f64::from(spring.stiffness));
        k += stiffness;
        kx += stiffness * x;
        kxx += stiffness * x * x;
        kyy += stiffness * y * y;
    }
    for bar in &params.anti_roll_bars {
        let [one, other] =
            bar.wheels.map(|wheel| f64::from(params.suspensions[wheel].attachment.translation.x));
        kyy += f64::from(bar.stiffness) * (one - other) * (one - other);
    }
    let body = &params.rigid_body;
    let (mass, pitch, roll) =
        (f64::from(body.mass), f64::from(body.inertia.x), f64::from(body.inertia.z));
    let (a, d, square) = (k / mass, kxx / pitch, kx * kx / (mass * pitch));
    let root = (0.25 * (a - d) * (a - d) + square).sqrt();
    let hertz = |squared: f64| (squared.max(0.0).sqrt() / std::f64::consts::TAU) as Real;
    Frequencies {
        bounce_and_pitch: [0.5 * (a + d) - root, 0.5 * (a + d) + root].map(hertz),
        roll: hertz(kyy / roll),
    }
}
