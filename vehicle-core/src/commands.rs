//! The driver's controls, and how a torque or an angle answers to them.

use serde::{Deserialize, Serialize};

use crate::error::{Bound, ParamCheck, ParamErrors, Validate};
use crate::lookup_table::LookupTable;
use crate::math::Real;
use crate::math::lanes::{Lanes, MAX_LANES, Real4};

/// Most brake commands of a vehicle: foot brake and hand brake. Tracks have
/// `controls.track_brakes`.
pub const MAX_BRAKES: usize = 2;

/// The driver's controls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Commands {
    /// Accelerator pedal, in [0, 1].
    pub throttle: Real,
    /// Brake pedals, each in [0, 1]: the foot brake, then the hand brake.
    pub brakes: [Real; MAX_BRAKES],
    /// Steering wheel, in [-1, 1], positive to the left.
    pub steer: Real,
    /// Torque of hands or a motor on a steering wheel that is [free to
    /// turn](crate::steering::SteeringSystemParams), positive to the left (N·m): `Some(0.0)` lets
    /// go of it. `None` holds it at `steer`.
    #[serde(default)]
    pub steering_torque: Option<Real>,
}

impl Validate for Commands {
    #[inline]
    fn check(&self, check: &mut ParamCheck) {
        check.number("throttle", self.throttle, Bound::Within(0.0, 1.0));
        for (index, &brake) in self.brakes.iter().enumerate() {
            check.number(format_args!("brakes[{index}]"), brake, Bound::Within(0.0, 1.0));
        }
        check.number("steer", self.steer, Bound::Within(-1.0, 1.0));
        if let Some(torque) = self.steering_torque {
            check.number("steering_torque", torque, Bound::Finite);
        }
    }
}

/// How each wheel's brake torque, drive torque or steer angle answers to a command.
///
/// ```text
/// response = c R k                    linear
/// response = ρ(c, v) R k              with a table ρ
/// ```
///
/// with `c` the command, `v` the longitudinal speed of the vehicle (m/s), `R` the largest response
/// and `k` the wheel's multiplier.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct CommandResponseParams {
    /// Response to command 1 of a wheel of multiplier 1 (N·m for a torque, rad for an angle).
    pub max_response: Real,
    /// Multiplier of each wheel (dimensionless).
    pub wheel_multipliers: Vec<Real>,
    /// Normalized response against command and speed; linear if `None`.
    #[serde(default)]
    pub table: Option<ResponseTable>,
}

impl CommandResponseParams {
    /// A linear response.
    pub fn linear(max_response: Real, wheel_multipliers: impl Into<Vec<Real>>) -> Self {
        Self { max_response, wheel_multipliers: wheel_multipliers.into(), table: None }
    }

    /// The command that the linear response of every wheel is to: `command`, or what the table
    /// makes of it at `longitudinal_speed` (m/s), if there is one.
    #[inline]
    pub fn effective_command(&self, command: Real, longitudinal_speed: Real) -> Real {
        match &self.table {
            Some(table) => table.evaluate(command, longitudinal_speed),
            None => command,
        }
    }

    /// Slope of the [effective command](Self::effective_command) against `command`, which is not
    /// negative (dimensionless); where it has a kink, that towards larger commands.
    #[inline]
    pub(crate) fn slope(&self, command: Real, longitudinal_speed: Real) -> Real {
        match &self.table {
            Some(table) => table.slope(command, longitudinal_speed),
            None => 1.0,
        }
    }

    /// Checks the parameters of a vehicle of `wheel_count` wheels: a largest response within
    /// `bound`, multipliers as many as wheels and within `multiplier_bound`.
    pub fn check(
        &self,
        check: &mut ParamCheck,
        wheel_count: usize,
        bound: Bound,
        multiplier_bound: Bound,
    ) {
        check.number("max_response", self.max_response, bound);
        check.count("wheel_multipliers", self.wheel_multipliers.len(), wheel_count);
        for (wheel, &multiplier) in self.wheel_multipliers.iter().enumerate() {
            check.number(format_args!("wheel_multipliers[{wheel}]"), multiplier, multiplier_bound);
        }
    }
}

/// Response of `wheel` to `command`, whatever the speed: `c R k`.
///
/// # Panics
///
/// If there is no such wheel.
#[inline]
pub fn linear_response(params: &CommandResponseParams, command: Real, wheel: usize) -> Real {
    command * params.max_response * params.wheel_multipliers[wheel]
}

/// [Responses](linear_response) of four wheels side by side; 0 in lanes that are left over.
///
/// # Panics
///
/// If there are no such four.
#[inline]
pub fn linear_responses(params: &CommandResponseParams, command: Real, four: usize) -> Real4 {
    let multipliers = &params.wheel_multipliers[four * MAX_LANES..];
    let multipliers = match multipliers.first_chunk() {
        Some(&whole) => Real4::new(whole),
        None => Lanes::from_lanes(|lane| multipliers.get(lane).copied().unwrap_or_default()),
    };
    Real4::splat(command * params.max_response) * multipliers
}

/// Response of `wheel` to `command` at `longitudinal_speed` (m/s), through the table if there is
/// one.
///
/// # Panics
///
/// If there is no such wheel.
#[inline]
pub fn command_response(
    params: &CommandResponseParams,
    command: Real,
    longitudinal_speed: Real,
    wheel: usize,
) -> Real {
    linear_response(params, params.effective_command(command, longitudinal_speed), wheel)
}

/// Normalized response against command and longitudinal speed.
///
/// Each row belongs to a command and holds the response in [0, 1] against the signed speed (m/s).
/// Between rows the response is linear in the command; beyond the first and the last row it is
/// constant, so that a first command above 0 makes a dead zone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(try_from = "Vec<ResponseRow>", into = "Vec<ResponseRow>")]
pub struct ResponseTable {
    rows: Vec<ResponseRow>,
}

/// The response to one command, a row of a [`ResponseTable`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ResponseRow {
    /// The command, in [0, 1].
    pub command: Real,
    /// Normalized response in [0, 1] against longitudinal speed (m/s).
    pub response: LookupTable<Real>,
}

impl ResponseTable {
    /// A table of `rows`.
    ///
    /// # Errors
    ///
    /// If there is no row, if commands are not increasing within [0, 1], or if a row is empty or
    /// has a response outside [0, 1].
    pub fn new(rows: impl Into<Vec<ResponseRow>>) -> Result<Self, ParamErrors> {
        let rows = rows.into();
        let mut check = ParamCheck::default();
        check.require("rows", !rows.is_empty(), "at least one", "none");
        let mut previous = Real::NEG_INFINITY;
        check.each("rows", &rows, ResponseRow::check);
        for (index, row) in rows.iter().enumerate() {
            let name = format_args!("rows[{index}].command");
            let requirement = format_args!("above {previous}");
            check.require(name, previous < row.command, requirement, row.command);
            previous = row.command;
        }
        check.finish()?;
        Ok(Self { rows })
    }

    /// The rows, in order of their commands.
    pub fn rows(&self) -> &[ResponseRow] {
        &self.rows
    }

    /// Normalized response to `command` at `longitudinal_speed` (m/s).
    pub fn evaluate(&self, command: Real, longitudinal_speed: Real) -> Real {
        let response = |row: &ResponseRow| row.response.evaluate(longitudinal_speed);
        let upper = self.rows.iter().position(|row| command <= row.command);
        let (below, above) = match upper {
            Some(0) => return response(&self.rows[0]),
            None => return response(&self.rows[self.rows.len() - 1]),
            Some(upper) => (&self.rows[upper - 1], &self.rows[upper]),
        };
        let (low, high) = (response(below), response(above));
        low + (command - below.command) * (high - low) / (above.command - below.command)
    }

    /// Slope of the response against the command, towards larger ones.
    fn slope(&self, command: Real, longitudinal_speed: Real) -> Real {
        let upper = self.rows.iter().position(|row| command < row.command);
        let Some(upper) = upper.filter(|&upper| 0 < upper) else { return 0.0 };
        let (below, above) = (&self.rows[upper - 1], &self.rows[upper]);
        let response = |row: &ResponseRow| row.response.evaluate(longitudinal_speed);
        (response(above) - response(below)) / (above.command - below.command)
    }
}

impl ResponseRow {
    fn check(&self, check: &mut ParamCheck) {
        check.number("command", self.command, Bound::Within(0.0, 1.0));
        let points = self.response.points();
        check.require("response", !points.is_empty(), "at least one point", "none");
        for (index, &(_, response)) in points.iter().enumerate() {
            check.number(format_args!("response[{index}]"), response, Bound::Within(0.0, 1.0));
        }
    }
}

impl TryFrom<Vec<ResponseRow>> for ResponseTable {
    type Error = ParamErrors;

    fn try_from(rows: Vec<ResponseRow>) -> Result<Self, ParamErrors> {
        Self::new(rows)
    }
}

impl From<ResponseTable> for Vec<ResponseRow> {
    fn from(table: ResponseTable) -> Self {
        table.rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(command: Real, points: &[(Real, Real)]) -> ResponseRow {
        ResponseRow { command, response: LookupTable::new(points).unwrap() }
    }

    #[test]
    fn linear_response_is_a_product() {
        let params = CommandResponseParams::linear(1_000.0, [1.0, 0.5]);
        assert_eq!(command_response(&params, 0.5, 30.0, 0), 500.0);
        assert_eq!(command_response(&params, 0.5, 30.0, 1), 250.0);
    }

    #[test]
    fn four_wheels_respond_as_one() {
        let multipliers = [1.0, 0.5, -0.25, 0.0, 2.0, 0.125];
        let params = CommandResponseParams::linear(1_000.0 / 3.0, multipliers);
        for wheel in 0..multipliers.len() {
            let four = linear_responses(&params, 0.7, wheel / MAX_LANES);
            let alone = linear_response(&params, 0.7, wheel);
            assert_eq!(four.lane(wheel % MAX_LANES).to_bits(), alone.to_bits(), "wheel {wheel}");
        }
        assert_eq!(linear_responses(&params, 0.7, 1).lane(2), 0.0);
    }

    #[test]
    fn table_is_bilinear_between_rows_and_constant_beyond() {
        let rows = [row(0.2, &[(0.0, 0.1)]), row(0.6, &[(0.0, 1.0), (10.0, 0.5)])];
        let table = ResponseTable::new(rows).unwrap();
        // (command, speed, response)
        let cases = [
            (0.0, 5.0, 0.1),
            (0.2, 5.0, 0.1),
            (0.6, 5.0, 0.75),
            (1.0, 20.0, 0.5),
            (0.4, 0.0, 0.55),
            (0.4, 10.0, 0.3),
        ];
        for (command, speed, expected) in cases {
            let actual = table.evaluate(command, speed);
            assert!((actual - expected).abs() < 1e-6, "{command}, {speed}: {actual}");
        }
    }

    #[test]
    fn bad_tables_are_refused() {
        let cases = [
            (vec![], "rows must be at least one, got none"),
            (vec![row(1.5, &[(0.0, 0.0)])], "rows[0].command must be within [0, 1], got 1.5"),
            (vec![row(0.5, &[])], "rows[0].response must be at least one point, got none"),
            (vec![row(0.5, &[(0.0, 2.0)])], "rows[0].response[0] must be within [0, 1], got 2"),
            (
                vec![row(0.5, &[(0.0, 1.0)]), row(0.5, &[(0.0, 1.0)])],
                "rows[1].command must be above 0.5, got 0.5",
            ),
        ];
        for (rows, message) in cases {
            assert_eq!(ResponseTable::new(rows).unwrap_err().to_string(), message);
        }
    }

    #[test]
    fn bad_commands_are_named() {
        let commands = Commands {
            throttle: Real::NAN,
            brakes: [0.0, 2.0],
            steer: -1.0,
            steering_torque: Some(Real::INFINITY),
        };
        assert_eq!(
            commands.validate().unwrap_err().to_string(),
            "throttle must be within [0, 1], got NaN; brakes[1] must be within [0, 1], got 2; \
             steering_torque must be finite, got inf"
        );
    }
}
