//! Tires in other axes and another length unit.

use super::Convert;
use crate::frame::CoordinateConversion;
use crate::tire::{BrushTire, StickyLimits, TireSlipParams, TireStickyParams};

impl Convert for BrushTire {
    fn converted(&self, conversion: &CoordinateConversion) -> Self {
        Self {
            longitudinal_stiffness: conversion.scalar(self.longitudinal_stiffness, 1),
            lateral_stiffness: conversion.scalar(self.lateral_stiffness, 1),
            lateral_stiffness_load: self.lateral_stiffness_load,
            camber_stiffness: conversion.scalar(self.camber_stiffness, 1),
            rest_load: conversion.scalar(self.rest_load, 1),
            friction_vs_slip: self.friction_vs_slip,
            lateral_slip_weight: self.lateral_slip_weight,
            load_filter: self.load_filter,
            rolling_resistance: self.rolling_resistance,
            pneumatic_trail: conversion.scalar(self.pneumatic_trail, 1),
        }
    }
}

impl Convert for TireSlipParams {
    fn converted(&self, conversion: &CoordinateConversion) -> Self {
        let speed = |speed| conversion.scalar(speed, 1);
        Self {
            min_lateral_denominator: speed(self.min_lateral_denominator),
            min_passive_longitudinal_denominator: speed(self.min_passive_longitudinal_denominator),
            min_active_longitudinal_denominator: speed(self.min_active_longitudinal_denominator),
            limit: self.limit,
        }
    }
}

impl Convert for StickyLimits {
    fn converted(&self, conversion: &CoordinateConversion) -> Self {
        Self {
            threshold_speed: conversion.scalar(self.threshold_speed, 1),
            threshold_time: self.threshold_time,
            damping: self.damping,
        }
    }
}

impl Convert for TireStickyParams {
    fn converted(&self, conversion: &CoordinateConversion) -> Self {
        Self {
            longitudinal: self.longitudinal.converted(conversion),
            lateral: self.lateral.converted(conversion),
            hold: self.hold,
        }
    }
}
