//! Angles over time.

use std::f64::consts::TAU;

/// The angle of the same direction as `angle` that is nearest to `reference` (rad).
pub(crate) fn nearest(angle: f64, reference: f64) -> f64 {
    angle - TAU * ((angle - reference) / TAU).round()
}

/// These angles without jumps by whole turns (rad): each is nearest to the one before it.
pub(crate) fn unwound(angles: impl IntoIterator<Item = f64>) -> Vec<f64> {
    let mut before = None;
    let unwind = |angle: f64| {
        let next = nearest(angle, before.unwrap_or(angle));
        before = Some(next);
        next
    };
    angles.into_iter().map(unwind).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_go_on_beyond_half_a_turn() {
        let turned: Vec<f64> = (0..400).map(|step| -0.1 * f64::from(step)).collect();
        let wound = turned.iter().map(|angle| angle.sin().atan2(angle.cos()));
        for (unwound, turned) in unwound(wound).iter().zip(&turned) {
            assert!((unwound - turned).abs() < 1e-9, "{unwound}, {turned}");
        }
    }
}
