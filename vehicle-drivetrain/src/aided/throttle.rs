//! What a throttle is worth where a table by speed stands between pedal and torques.

use vehicle_core::commands::ResponseTable;
use vehicle_core::math::{Clamped, Real};

use crate::steering_table::least_command;

/// A table between pedal and torques at a speed. Aids reckon in the share of what the pedal changes
/// at this speed, of which torques are a straight line.
pub(super) struct ThrottleTable<'a> {
    table: &'a ResponseTable,
    speed: Real,
    /// Responses at no and at full throttle.
    least: Real,
    most: Real,
}

impl<'a> ThrottleTable<'a> {
    /// The `table` at a forward `speed` (in units of length of the vehicle per second).
    pub(super) fn at(table: &'a ResponseTable, speed: Real) -> Self {
        let [least, most] = [0.0, 1.0].map(|throttle| table.evaluate(throttle, speed));
        Self { table, speed, least, most }
    }

    /// Torques at no and at full throttle of a drive whose largest response is `torque` (N·m).
    pub(super) fn torques(&self, torque: Real) -> [Real; 2] {
        [self.least * torque, self.most * torque]
    }

    /// The share of the range of torques that `throttle` asks for, both in [0, 1].
    pub(super) fn worth(&self, throttle: Real) -> Real {
        let range = self.most - self.least;
        if range <= 0.0 {
            return throttle;
        }
        ((self.table.evaluate(throttle, self.speed) - self.least) / range).clamped(0.0, 1.0)
    }

    /// The least throttle that is [worth](Self::worth) as much.
    pub(super) fn throttle_for(&self, worth: Real) -> Real {
        let range = self.most - self.least;
        if range <= 0.0 {
            return worth;
        }
        match worth {
            _ if worth <= 0.0 => 0.0,
            _ => least_command(self.table, self.least + worth * range, self.speed),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::steering_table::tests::table;

    #[test]
    fn throttles_are_found_for_what_they_are_worth() {
        let table = table([(0.2, &[(0.0, 0.1)]), (1.0, &[(0.0, 1.0), (30.0, 0.3)])]);
        let at = ThrottleTable::at(&table, 30.0);
        let [closed, full] = at.torques(1_000.0);
        assert!((closed - 100.0).abs() < 1e-3 && (full - 300.0).abs() < 1e-3, "{closed} {full}");
        for (throttle, worth) in [(0.0, 0.0), (0.2, 0.0), (0.6, 0.5), (1.0, 1.0)] {
            let found = at.worth(throttle);
            assert!((found - worth).abs() < 1e-6, "{throttle}: {found}");
            let back = at.throttle_for(worth);
            let is_right = if worth == 0.0 { back == 0.0 } else { (back - throttle).abs() < 1e-5 };
            assert!(is_right, "{worth}: {back}");
        }
    }
}
