//! Suspensions in other axes and another length unit.

use super::Convert;
use crate::constraint_rows::SuspensionLimitParams;
use crate::frame::CoordinateConversion;
use crate::legacy::LegacySuspensionForceParams;
use crate::math::Real;
use crate::math::Vec3;
use crate::mount::SuspensionParams;
use crate::suspension::unsprung::laws::{DamperLaw, DamperSide, Stop};
use crate::suspension::unsprung::{SuspensionDynamics, UnsprungParams};
use crate::suspension::{
    AntiRollBarParams, BeamAxleParams, JounceParams, StrutParams, SuspensionComplianceParams,
    SuspensionForceParams,
};

impl Convert for SuspensionParams {
    fn converted(&self, conversion: &CoordinateConversion) -> Self {
        Self {
            attachment: conversion.pose(&self.attachment),
            travel_direction: conversion.direction(self.travel_direction),
            travel_distance: conversion.scalar(self.travel_distance, 1),
            wheel_attachment: conversion.pose(&self.wheel_attachment),
        }
    }
}

/// Choices, which have no unit.
impl Convert for JounceParams {
    fn converted(&self, _: &CoordinateConversion) -> Self {
        *self
    }
}

impl Convert for SuspensionComplianceParams {
    fn converted(&self, conversion: &CoordinateConversion) -> Self {
        let converted = |point: &Vec3| conversion.length(*point);
        Self {
            toe: self.toe.clone(),
            camber: self.camber.clone(),
            suspension_force_point: self.suspension_force_point.map(converted),
            tire_force_point: self.tire_force_point.map(converted),
        }
    }
}

/// Force over length and force over speed, which have no length in them.
impl Convert for SuspensionForceParams {
    fn converted(&self, _: &CoordinateConversion) -> Self {
        *self
    }
}

impl Convert for LegacySuspensionForceParams {
    fn converted(&self, conversion: &CoordinateConversion) -> Self {
        Self {
            stiffness: self.stiffness,
            damping: self.damping,
            rest_distance: conversion.scalar(self.rest_distance, 1),
            sprung_mass: self.sprung_mass,
        }
    }
}

/// Force over length, which has no length in it.
impl Convert for AntiRollBarParams {
    fn converted(&self, _: &CoordinateConversion) -> Self {
        *self
    }
}

impl Convert for BeamAxleParams {
    fn converted(&self, conversion: &CoordinateConversion) -> Self {
        Self {
            roll_inertia: conversion.scalar(self.roll_inertia, 2),
            spring_track: conversion.scalar(self.spring_track, 1),
            damper_track: conversion.scalar(self.damper_track, 1),
            roll_center_height: conversion.scalar(self.roll_center_height, 1),
            ..*self
        }
    }
}

/// A choice and a share, which have no unit.
impl Convert for SuspensionDynamics {
    fn converted(&self, conversion: &CoordinateConversion) -> Self {
        match self {
            Self::Massless => Self::Massless,
            Self::Struts(struts) => Self::Struts(struts.converted(conversion)),
            Self::Unsprung(wheels) => Self::Unsprung(wheels.converted(conversion)),
        }
    }
}

impl Convert for UnsprungParams {
    fn converted(&self, conversion: &CoordinateConversion) -> Self {
        Self { strut: self.strut.converted(conversion), ..self.clone() }
    }
}

impl Convert for StrutParams {
    fn converted(&self, conversion: &CoordinateConversion) -> Self {
        let scaled = |value| conversion.scalar(value, 1);
        let side = |side: DamperSide<Real>| DamperSide { knee: scaled(side.knee), ..side };
        Self {
            spring: self
                .spring
                .iter()
                .map(|&(jounce, force)| (scaled(jounce), scaled(force)))
                .collect(),
            damper: self
                .damper
                .map(|law| DamperLaw { bump: side(law.bump), rebound: side(law.rebound) }),
            bump_stop: self.bump_stop.map(|stop| Stop { edge: scaled(stop.edge), ..stop }),
        }
    }
}

impl Convert for SuspensionLimitParams {
    fn converted(&self, _: &CoordinateConversion) -> Self {
        *self
    }
}
