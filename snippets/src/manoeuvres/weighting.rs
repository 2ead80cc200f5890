//! How people feel accelerations: weighted by their frequency.

use std::f64::consts::TAU;

use super::figure::Weighting;

/// Limits of the band that is felt (Hz).
const BAND: [f64; 2] = [0.4, 100.0];

/// A transition or a step between two slopes: frequency (Hz) and quality (dimensionless).
type Corner = [f64; 2];

/// Square of the gain of a corner at a frequency (Hz), by that of the frequency zero.
///
/// ```text
/// |1 + j f/(Q f₀) - (f/f₀)²|² = (f⁴ Q² + f² f₀² (1 - 2 Q²) + f₀⁴ Q²)/(f₀⁴ Q²)
/// ```
fn corner(frequency: f64, [at, quality]: Corner) -> f64 {
    let (f, q) = ((frequency / at).powi(2), quality * quality);
    (f * f * q + f * (1.0 - 2.0 * q) + q) / q
}

impl Weighting {
    /// The gain at a frequency (Hz).
    ///
    /// ```text
    /// |H|² = f⁴/(f⁴ + f₁⁴) · f₂⁴/(f⁴ + f₂⁴) · (1 + (f/f₃)²)/|D(f; f₃, 0.63)|² · |S|²
    /// |S|² = (f₅/f₆)⁴ |D(f; f₅, 0.91)|²/|D(f; f₆, 0.91)|²     of the vertical one, 1 of the other
    /// ```
    ///
    /// with `f₁, f₂` the limits of the band, 0.4 and 100 Hz. `f₃` is 12.5 Hz of the vertical one
    /// and 2 Hz of the other, `f₅` 2.37 Hz and `f₆` 3.35 Hz.
    fn gain(self, frequency: f64) -> f64 {
        let [low, high] = BAND.map(|limit| (frequency / limit).powi(4));
        let band = low / (1.0 + low) / (1.0 + high);
        let (transition, step) = match self {
            Self::Vertical => {
                let (from, to): (Corner, Corner) = ([2.37, 0.91], [3.35, 0.91]);
                let rise = (from[0] / to[0]).powi(4);
                (12.5, rise * corner(frequency, from) / corner(frequency, to))
            }
            Self::Horizontal => (2.0, 1.0),
        };
        let slope = 1.0 + (frequency / transition).powi(2);
        (band * slope / corner(frequency, [transition, 0.63]) * step).sqrt()
    }

    /// Root of the mean square of an acceleration as it is felt (m/s²), by its points of time (s)
    /// and value. The points are equally far from each other; `None` if there are too few.
    ///
    /// ```text
    /// a_w = √(Σ (W(f_k) |A_k|)²),   A_k = 2/n Σ a_i exp(-2πj k i/n)/√2
    /// ```
    pub(super) fn rms(self, points: &[(f64, f64)]) -> Option<f64> {
        let count = points.len();
        let (first, last) = (points.first()?, points.last()?);
        if count < 8 {
            return None;
        }
        let duration = (last.0 - first.0) * count as f64 / (count - 1) as f64;
        let mut square = 0.0;
        for line in 1..=count / 2 {
            let mut sum = [0.0; 2];
            let (mut turn, turned) = ([1.0, 0.0], TAU * line as f64 / count as f64);
            let (sine, cosine) = turned.sin_cos();
            for (_, value) in points {
                sum = [sum[0] + value * turn[0], sum[1] + value * turn[1]];
                turn = [turn[0] * cosine - turn[1] * sine, turn[0] * sine + turn[1] * cosine];
            }
            // The last line of an even count stands for itself alone.
            let twice = if 2 * line == count { 1.0 } else { 2.0 };
            let part = twice * (sum[0] * sum[0] + sum[1] * sum[1]) / (count as f64).powi(2);
            square += part * self.gain(line as f64 / duration).powi(2);
        }
        Some(square.sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gains_are_those_of_the_usual_tables() {
        // Thirds of an octave, as handbooks of vibration have them.
        for (weighting, frequency, expected) in [
            (Weighting::Vertical, 0.5, 0.418),
            (Weighting::Vertical, 1.0, 0.482),
            (Weighting::Vertical, 2.0, 0.531),
            (Weighting::Vertical, 4.0, 0.967),
            (Weighting::Vertical, 8.0, 1.036),
            (Weighting::Vertical, 16.0, 0.768),
            (Weighting::Vertical, 31.5, 0.405),
            (Weighting::Horizontal, 1.0, 1.011),
            (Weighting::Horizontal, 2.0, 0.890),
            (Weighting::Horizontal, 4.0, 0.512),
            (Weighting::Horizontal, 8.0, 0.253),
        ] {
            let gain = weighting.gain(frequency);
            let error = gain / expected - 1.0;
            assert!(error.abs() < 0.015, "{weighting:?} at {frequency} Hz: {gain}, {expected}");
        }
    }

    #[test]
    fn a_sine_is_felt_by_its_gain() {
        for frequency in [1.0, 5.0, 20.0] {
            let point = |step: u32| {
                let time = f64::from(step) / 240.0;
                (time, 0.3 + 2.0 * (TAU * frequency * time).sin())
            };
            let points: Vec<_> = (0..2_400).map(point).collect();
            let felt = Weighting::Vertical.rms(&points).unwrap();
            let expected = 2.0_f64.sqrt() * Weighting::Vertical.gain(frequency);
            assert!((felt / expected - 1.0).abs() < 1e-6, "{frequency} Hz: {felt}, {expected}");
        }
    }
}
