//! Coefficients of the influence of path curvature. They are read and written, and have no
//! influence.

use super::group::coefficient_group;

coefficient_group! {
    /// Coefficients of turn slip (dimensionless). The formulas leave turn slip out.
    TurnSlipCoefficients in "TURNSLIP_COEFFICIENTS" {
        /// Longitudinal friction by spin.
        pdxp1: Dimensionless = 0.0,
        /// Longitudinal friction by spin and load.
        pdxp2: Dimensionless = 0.0,
        /// Longitudinal friction by spin and slip ratio.
        pdxp3: Dimensionless = 0.0,
        /// Cornering stiffness by spin.
        pkyp1: Dimensionless = 0.0,
        /// Lateral friction by spin.
        pdyp1: Dimensionless = 0.0,
        /// Lateral friction by spin and load.
        pdyp2: Dimensionless = 0.0,
        /// Lateral friction by spin and slip angle.
        pdyp3: Dimensionless = 0.0,
        /// Lateral friction by the root of spin.
        pdyp4: Dimensionless = 0.0,
        /// Shape of the lateral shift.
        phyp1: Dimensionless = 0.0,
        /// Peak of the lateral shift.
        phyp2: Dimensionless = 0.0,
        /// Peak of the lateral shift by load.
        phyp3: Dimensionless = 0.0,
        /// Curvature of the lateral shift.
        phyp4: Dimensionless = 0.0,
        /// Camber by spin.
        pecp1: Dimensionless = 0.0,
        /// Camber by spin and load.
        pecp2: Dimensionless = 0.0,
        /// Trail by spin.
        qdtp1: Dimensionless = 0.0,
        /// Turning moment at constant path.
        qcrp1: Dimensionless = 0.0,
        /// Turning moment at a slip angle of 90 degrees.
        qcrp2: Dimensionless = 0.0,
        /// Residual moment by spin.
        qbrp1: Dimensionless = 0.0,
        /// Peak of the turning moment.
        qdrp1: Dimensionless = 0.0,
        /// Shape of the turning moment.
        qdrp2: Dimensionless = 0.0,
    }
}
