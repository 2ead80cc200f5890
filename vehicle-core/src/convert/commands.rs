//! Brakes, steering and drive in other axes and another length unit.

use super::Convert;
use crate::commands::{CommandResponseParams, ResponseRow, ResponseTable};
use crate::frame::CoordinateConversion;
use crate::lookup_table::LookupTable;
use crate::steering::{AckermannParams, SteeringAxisParams, SteeringSystemParams};

impl CommandResponseParams {
    /// This response in the target of `conversion`, of a quantity of dimension length to the
    /// `power`: 2 for a torque, 0 for an angle.
    ///
    /// # Panics
    ///
    /// As [`Convert::converted`].
    pub fn converted(&self, conversion: &CoordinateConversion, power: i32) -> Self {
        Self {
            max_response: conversion.scalar(self.max_response, power),
            wheel_multipliers: self.wheel_multipliers.clone(),
            table: self.table.converted(conversion),
        }
    }
}

impl Convert for ResponseTable {
    fn converted(&self, conversion: &CoordinateConversion) -> Self {
        let rows: Vec<_> = self.rows().iter().map(|row| row.converted(conversion)).collect();
        Self::new(rows).expect("commands and responses are as before")
    }
}

impl Convert for ResponseRow {
    fn converted(&self, conversion: &CoordinateConversion) -> Self {
        let points = self.response.points().iter();
        let mut points: Vec<_> =
            points.map(|&(speed, response)| (conversion.scalar(speed, 1), response)).collect();
        // Speeds that differ by their last digit may be one after rounding.
        points.dedup_by_key(|&mut (speed, _)| speed);
        let response = LookupTable::new(points).expect("speeds that are finite in the target");
        Self { command: self.command, response }
    }
}

impl Convert for AckermannParams {
    fn converted(&self, conversion: &CoordinateConversion) -> Self {
        Self {
            wheels: self.wheels,
            wheel_base: conversion.scalar(self.wheel_base, 1),
            track_width: conversion.scalar(self.track_width, 1),
            strength: self.strength,
            input: self.input,
        }
    }
}

impl Convert for SteeringAxisParams {
    fn converted(&self, conversion: &CoordinateConversion) -> Self {
        Self {
            kingpin_offset: conversion.scalar(self.kingpin_offset, 1),
            mechanical_trail: conversion.scalar(self.mechanical_trail, 1),
            ..*self
        }
    }
}

impl Convert for SteeringSystemParams {
    fn converted(&self, conversion: &CoordinateConversion) -> Self {
        Self {
            axes: self.axes.converted(conversion),
            ratio: self.ratio,
            inertia: conversion.scalar(self.inertia, 2),
            damping: conversion.scalar(self.damping, 2),
            friction: conversion.scalar(self.friction, 2),
            contact_twist: self.contact_twist,
        }
    }
}
