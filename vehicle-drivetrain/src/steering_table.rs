//! What a steering command is worth where a table by speed stands between steering wheel and
//! wheels.

use vehicle_core::commands::ResponseTable;
use vehicle_core::math::Real;
use vehicle_core::steering::AckermannInput;
use vehicle_core::vehicle::MechanicalParams;

/// The table between the steering wheel and the wheels of a vehicle of these `mechanics`, if it has
/// one that its steered axles follow.
pub(crate) fn table_of<Tire>(mechanics: &MechanicalParams<Tire>) -> Option<&ResponseTable> {
    let mut corrected = mechanics.ackermann.iter().filter(|axle| 0.0 < axle.strength);
    let is_followed = corrected.all(|axle| axle.input != AckermannInput::LinearResponse);
    mechanics.steering.table.as_ref().filter(|_| is_followed)
}

/// Share of the full lock, in [-1, 1], that `command` is worth at `speed` (in units of length of
/// the vehicle per second).
pub(crate) fn effective_steer(table: Option<&ResponseTable>, command: Real, speed: Real) -> Real {
    let Some(table) = table else { return command };
    table.evaluate(command.abs(), speed).copysign(command)
}

/// The command, in [-1, 1], that is [worth](effective_steer) the share `effective` of the full lock
/// at `speed`, or the most where none is.
pub(crate) fn steer_for(table: Option<&ResponseTable>, effective: Real, speed: Real) -> Real {
    let Some(table) = table else { return effective };
    least_command(table, effective.abs(), speed).copysign(effective)
}

/// The least command whose response at `speed` is `wanted`; 1 if there is none.
pub(crate) fn least_command(table: &ResponseTable, wanted: Real, speed: Real) -> Real {
    if wanted <= 0.0 {
        return 0.0;
    }
    let response = |index: usize| table.rows()[index].response.evaluate(speed);
    let Some(upper) = (0..table.rows().len()).find(|&index| wanted <= response(index)) else {
        return 1.0;
    };
    let above = table.rows()[upper].command;
    if upper == 0 {
        return above;
    }
    let below = table.rows()[upper - 1].command;
    let (low, high) = (response(upper - 1), response(upper));
    below + (above - below) * (wanted - low) / (high - low)
}

#[cfg(test)]
pub(crate) mod tests {
    use vehicle_core::commands::ResponseRow;
    use vehicle_core::lookup_table::LookupTable;

    use super::*;

    /// A table of these commands, each with its responses by speed.
    pub(crate) fn table<const ROWS: usize>(rows: [(Real, &[(Real, Real)]); ROWS]) -> ResponseTable {
        let rows = rows.map(|(command, points)| ResponseRow {
            command,
            response: LookupTable::new(points).expect("valid"),
        });
        ResponseTable::new(rows).expect("valid")
    }

    #[test]
    fn commands_are_found_for_what_they_are_worth() {
        let table = table([
            (0.0, &[(0.0, 0.0)]),
            (0.5, &[(0.0, 0.3), (20.0, 0.1)]),
            (1.0, &[(0.0, 1.0), (20.0, 0.2)]),
        ]);
        let table = Some(&table);
        for speed in [0.0, 7.0, 30.0] {
            for command in [-1.0, -0.6, 0.0, 0.2, 0.5, 1.0] {
                let worth = effective_steer(table, command, speed);
                let found = steer_for(table, worth, speed);
                assert!((found - command).abs() < 1e-5, "{command} at {speed} m/s: {found}");
            }
        }
        assert_eq!(effective_steer(table, -0.5, 10.0), -0.2);
        assert_eq!(steer_for(table, 0.9, 20.0), 1.0, "more than the table gives");
        assert_eq!(effective_steer(None, -0.4, 20.0), -0.4);
        assert_eq!(steer_for(None, 0.4, 20.0), 0.4);
    }
}
