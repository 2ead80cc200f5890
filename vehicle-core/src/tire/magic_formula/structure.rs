//! The tire as a body: its size, pressure, stiffnesses and contact patch.

use super::group::coefficient_group;
use crate::math::Real;
use crate::math::lanes::Number;

coefficient_group! {
    /// How a tire was measured.
    ModelCoefficients in "MODEL" {
        /// Speed of the measurement, and reference of all speeds (m/s).
        longvl: Speed = 16.7,
        /// Speed below which shifts and moments fade (m/s).
        vxlow: Speed = 1.0,
    }
}

coefficient_group! {
    /// Size of a tire.
    DimensionCoefficients in "DIMENSION" {
        /// Radius without load (m).
        unloaded_radius: Length = 0.3135,
        /// Width of the section (m).
        width: Length = 0.205,
        /// Height of the section by its width (dimensionless).
        aspect_ratio: Dimensionless = 0.6,
        /// Radius of the rim (m).
        rim_radius: Length = 0.1905,
        /// Width of the rim (m).
        rim_width: Length = 0.152,
    }
}

coefficient_group! {
    /// Inflation pressure; 0 for not known.
    PressureCoefficients in "OPERATING_CONDITIONS" {
        /// Inflation pressure of the tire (Pa).
        inflpres: Pressure = 0.0,
        /// Inflation pressure of the measurement (Pa).
        nompres: Pressure = 0.0,
    }
}

coefficient_group! {
    /// Masses of a tire and of its belt.
    InertiaCoefficients in "INERTIA" {
        /// Mass of the tire (kg).
        mass: Mass = 0.0,
        /// About a diameter (kg·m²).
        ixx: Inertia = 0.0,
        /// About the axle (kg·m²).
        iyy: Inertia = 0.0,
        /// Mass of the belt (kg).
        belt_mass: Mass = 0.0,
        /// Belt, about a diameter (kg·m²).
        belt_ixx: Inertia = 0.0,
        /// Belt, about the axle (kg·m²).
        belt_iyy: Inertia = 0.0,
        /// Acceleration of gravity on the belt (m/s²).
        gravity: Acceleration = 0.0,
    }
}

coefficient_group! {
    /// Load, stiffness and radius under load.
    VerticalCoefficients in "VERTICAL" {
        /// Nominal load Fz0 (N).
        fnomin: Force = 4000.0,
        /// Stiffness at the nominal load (N/m).
        vertical_stiffness: Stiffness = 200_000.0,
        /// Damping (N·s/m).
        vertical_damping: Damping = 50.0,
        /// Half of the contour's height, for motorcycles (dimensionless).
        mc_contour_a: Dimensionless = 0.0,
        /// Half of the contour's width, for motorcycles (dimensionless).
        mc_contour_b: Dimensionless = 0.0,
        /// Stiffness of the effective radius at low load (dimensionless).
        breff: Dimensionless = 8.4,
        /// Peak of the effective radius (dimensionless).
        dreff: Dimensionless = 0.27,
        /// Stiffness of the effective radius at high load (dimensionless).
        freff: Dimensionless = 0.07,
        /// Free radius by its nominal value (dimensionless).
        q_re0: Dimensionless = 1.0,
        /// Growth of the radius with speed squared (dimensionless).
        q_v1: Dimensionless = 0.0,
        /// Growth of the stiffness with speed (dimensionless).
        q_v2: Dimensionless = 0.0,
        /// Load by deflection squared (dimensionless).
        q_fz2: Dimensionless = 0.0,
        /// Load by deflection (dimensionless); 0 for what follows from the stiffness.
        q_fz1: Dimensionless = 0.0,
        /// Load by deflection and camber (dimensionless).
        q_fz3: Dimensionless = 0.0,
        /// Softening by the longitudinal force (dimensionless).
        q_fcx: Dimensionless = 0.0,
        /// Softening by the lateral force (dimensionless).
        q_fcy: Dimensionless = 0.0,
        /// Load in the softening by the lateral force (dimensionless).
        q_fcy2: Dimensionless = 0.0,
        /// Stiffness by camber (dimensionless).
        q_cam: Dimensionless = 0.0,
        /// Linear stiffness by camber (dimensionless).
        q_cam1: Dimensionless = 0.0,
        /// Quadratic stiffness by camber (dimensionless).
        q_cam2: Dimensionless = 0.0,
        /// Radius by camber (dimensionless).
        q_cam3: Dimensionless = 0.0,
        /// Lateral force in the load (dimensionless).
        q_fys1: Dimensionless = 0.0,
        /// Lateral force in the load, by its load (dimensionless).
        q_fys2: Dimensionless = 0.0,
        /// Lateral force in the load, by its load squared (dimensionless).
        q_fys3: Dimensionless = 0.0,
        /// Stiffness by pressure (dimensionless).
        pfz1: Dimensionless = 0.0,
        /// Distance to the rim at which it touches ground (m).
        bottom_offst: Length = 0.01,
        /// Stiffness of the rim on the ground (N/m).
        bottom_stiff: Stiffness = 2e6,
    }
}

coefficient_group! {
    /// Stiffness, oscillations and damping of the carcass; 0 for not known.
    StructuralCoefficients in "STRUCTURAL" {
        /// Longitudinal stiffness (N/m).
        longitudinal_stiffness: Stiffness = 0.0,
        /// Lateral stiffness (N/m).
        lateral_stiffness: Stiffness = 0.0,
        /// Stiffness about the vertical (N·m/rad).
        yaw_stiffness: TorsionalStiffness = 0.0,
        /// Longitudinal stiffness by load (dimensionless).
        pcfx1: Dimensionless = 0.0,
        /// Longitudinal stiffness by load squared (dimensionless).
        pcfx2: Dimensionless = 0.0,
        /// Longitudinal stiffness by pressure (dimensionless).
        pcfx3: Dimensionless = 0.0,
        /// Lateral stiffness by load (dimensionless).
        pcfy1: Dimensionless = 0.0,
        /// Lateral stiffness by load squared (dimensionless).
        pcfy2: Dimensionless = 0.0,
        /// Lateral stiffness by pressure (dimensionless).
        pcfy3: Dimensionless = 0.0,
        /// Stiffness about the vertical by pressure (dimensionless).
        pcmz1: Dimensionless = 0.0,
        /// Longitudinal mode (Hz).
        freq_long: Frequency = 0.0,
        /// Lateral mode (Hz).
        freq_lat: Frequency = 0.0,
        /// Yaw mode (Hz).
        freq_yaw: Frequency = 0.0,
        /// Mode about the axle (Hz).
        freq_windup: Frequency = 0.0,
        /// Damping of the longitudinal mode (dimensionless).
        damp_long: Dimensionless = 0.0,
        /// Damping of the lateral mode (dimensionless).
        damp_lat: Dimensionless = 0.0,
        /// Damping of the yaw mode (dimensionless).
        damp_yaw: Dimensionless = 0.0,
        /// Damping of the mode about the axle (dimensionless).
        damp_windup: Dimensionless = 0.0,
        /// Damping that stays (dimensionless).
        damp_residual: Dimensionless = 0.0,
        /// Damping added at low speed (dimensionless).
        damp_vlow: Dimensionless = 0.0,
        /// Load and speed in the longitudinal and yaw mode (dimensionless).
        q_bvx: Dimensionless = 0.0,
        /// Load and speed in the mode about the axle (dimensionless).
        q_bvt: Dimensionless = 0.0,
    }
}

coefficient_group! {
    /// Size of the contact patch, and how it meets obstacles.
    ContactPatchCoefficients in "CONTACT_PATCH" {
        /// Length by the root of the deflection (dimensionless).
        q_ra1: Dimensionless = 0.671,
        /// Length by the deflection (dimensionless).
        q_ra2: Dimensionless = 0.733,
        /// Width by the cubic root of the deflection (dimensionless).
        q_rb1: Dimensionless = 1.059,
        /// Width by the deflection (dimensionless).
        q_rb2: Dimensionless = -1.1878,
        /// Shift of the ellipses (dimensionless).
        ellips_shift: Dimensionless = 0.0,
        /// Length of the ellipses (dimensionless).
        ellips_length: Dimensionless = 0.0,
        /// Height of the ellipses (dimensionless).
        ellips_height: Dimensionless = 0.0,
        /// Order of the ellipses (dimensionless).
        ellips_order: Dimensionless = 0.0,
        /// Largest height of a road step (m).
        ellips_max_step: Length = 0.0,
        /// Ellipses across (dimensionless).
        ellips_nwidth: Dimensionless = 0.0,
        /// Ellipses along (dimensionless).
        ellips_nlength: Dimensionless = 0.0,
        /// Attenuation of height (dimensionless).
        env_c1: Dimensionless = 0.0,
        /// Attenuation of plane angle (dimensionless).
        env_c2: Dimensionless = 0.0,
    }
}

/// Half of the contact patch's length and width.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactPatch<N = Real> {
    /// Half of the length (m).
    pub half_length: N,
    /// Half of the width (m).
    pub half_width: N,
}

/// Stiffness in the vertical at a pressure `dpi` = p/p0 - 1 (N/m).
///
/// ```text
/// Cz = Cz0 (1 + PFZ1 dpi)
/// ```
#[inline]
pub(super) fn vertical_stiffness<N: Number>(vertical: &VerticalCoefficients<N>, dpi: N) -> N {
    let one = N::splat(1.0);
    vertical.vertical_stiffness * (one + vertical.pfz1 * dpi).at_least(N::splat(0.1))
}

/// Size of the contact patch under `load` (N).
///
/// ```text
/// q = Fz / (Cz R0)
/// a = R0 (QRA2 q + QRA1 √q),   b = w (QRB2 q + QRB1 ∛q)
/// ```
///
/// Source: Besselink, Schmeitz, Pacejka, An improved Magic Formula/Swift tyre model that can handle
/// inflation pressure changes, Vehicle System Dynamics 48 (2010).
#[inline]
pub(super) fn contact_patch<N: Number>(
    dimension: &DimensionCoefficients<N>,
    patch: &ContactPatchCoefficients<N>,
    stiffness: N,
    load: N,
) -> ContactPatch<N> {
    let zero = N::zero();
    let deflection = load / (stiffness * dimension.unloaded_radius);
    let length = patch.q_ra2 * deflection + patch.q_ra1 * deflection.sqrt();
    let width = patch.q_rb2 * deflection + patch.q_rb1 * deflection.map(cube_root);
    ContactPatch {
        half_length: (dimension.unloaded_radius * length).at_least(zero),
        half_width: (dimension.width * width).at_least(zero),
    }
}

#[inline]
fn cube_root(value: Real) -> Real {
    crate::math::power(value, 1.0 / 3.0)
}
