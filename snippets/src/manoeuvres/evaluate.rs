//! Figures of a run, from its channels.

use std::f64::consts::{PI, TAU};

use super::channels::STEER_ANGLE;
use super::figure::{FigureSource, Moment, Quantity, Response, Stretch, UNITS};
use super::run::{DrivenPhase, Run};
use super::scenario::Output;
use crate::telemetry::Telemetry;

/// Half of the band around a frequency over which a response is averaged (Hz), that of low ones by
/// the frequency (dimensionless), and into how many frequencies it is divided.
const HALF_BAND: f64 = 0.05;
const LOW_HALF_BAND: f64 = 0.5;
const BAND_LINES: i32 = 5;
/// Part of a step by which a time may be beyond the ends of a run (dimensionless).
const SLACK: f64 = 0.1;
/// Part of the largest peak below which a swing counts no more (dimensionless).
const LEAST_SWING: f64 = 0.05;

impl Run {
    /// The figure of `source` in SI units; `None` if the run has not got there.
    pub fn figure(&self, source: &FigureSource) -> Option<f64> {
        self.quantity(&source.value).filter(|value| value.is_finite())
    }

    /// The figure of `source` in its unit; `None` if the run has not got there.
    pub fn shown(&self, source: &FigureSource) -> Option<f64> {
        let factor = UNITS.iter().find(|unit| unit.0 == source.unit).map_or(1.0, |unit| unit.1);
        Some(factor * self.figure(source)?)
    }

    /// The channels of these names at the times of `output`.
    ///
    /// # Errors
    ///
    /// If there is no such channel.
    pub fn output(&self, names: &[String], output: &Output) -> anyhow::Result<Telemetry> {
        let all = self.telemetry.channels();
        let time = all.iter().take(1).map(|channel| channel.name.as_str());
        let others = names.iter().map(String::as_str).filter(|name| *name != "time");
        let names: Vec<&str> = time.chain(others).collect();
        let columns: Vec<&[f64]> =
            names.iter().map(|name| self.telemetry.column(name)).collect::<anyhow::Result<_>>()?;
        let of_name = |name: &&str| all.iter().find(|channel| channel.name == **name).cloned();
        let mut telemetry = Telemetry::new(names.iter().filter_map(of_name))?;
        for time in self.times(output) {
            let mut row: Vec<f64> =
                columns.iter().filter_map(|column| self.value(column, time)).collect();
            row[0] = time;
            telemetry.push(&row)?;
        }
        Ok(telemetry)
    }

    fn times(&self, output: &Output) -> Vec<f64> {
        let all = self.telemetry.time();
        let end = all.last().copied().unwrap_or(0.0);
        match output {
            Output::EveryStep => all.to_vec(),
            Output::Interval(interval) => {
                let count = ((end + self.slack()) / interval).floor() as usize;
                (0..=count).map(|index| interval * index as f64).collect()
            }
            Output::Times(times) => {
                let end = end + self.slack();
                times.iter().copied().filter(|time| *time <= end).collect()
            }
        }
    }

    /// How far a time may be beyond the ends of the run (s): steps are of single precision, and
    /// what they lack adds up.
    fn slack(&self) -> f64 {
        SLACK * self.step()
    }

    /// Time step (s).
    fn step(&self) -> f64 {
        let times = self.telemetry.time();
        times.get(1).zip(times.first()).map_or(0.0, |(next, first)| next - first)
    }

    fn quantity(&self, quantity: &Quantity) -> Option<f64> {
        match quantity {
            Quantity::Number(number) => Some(*number),
            Quantity::At { channel, when } => self.at(channel, self.moment(when)?),
            Quantity::Change { channel, from, to } => {
                let [from, to] = [self.moment(from)?, self.moment(to)?];
                Some(self.at(channel, to)? - self.at(channel, from)?)
            }
            Quantity::Largest(stretch) => self.values(stretch)?.reduce(f64::max),
            Quantity::Least(stretch) => self.values(stretch)?.reduce(f64::min),
            Quantity::Peak(stretch) => self.values(stretch)?.map(f64::abs).reduce(f64::max),
            Quantity::Mean(stretch) => mean(self.values(stretch)?),
            Quantity::Rms(stretch) => {
                let middle = mean(self.values(stretch)?)?;
                Some(mean(self.values(stretch)?.map(|value| (value - middle).powi(2)))?.sqrt())
            }
            Quantity::Weighted { by, of } => {
                let points: Vec<(f64, f64)> = self.points(of)?.collect();
                by.rms(&points)
            }
            Quantity::Slope { y, x, within, phase } => self.slope([x, y], *within, phase),
            Quantity::Gain(response) => {
                let [real, imaginary] = self.response(response)?;
                Some(real.hypot(imaginary))
            }
            Quantity::Phase(response) => {
                let [real, imaginary] = self.response(response)?;
                // A response that lags by more than half a turn is not one that leads.
                let phase = imaginary.atan2(real);
                Some(if 0.5 * PI < phase { phase - TAU } else { phase })
            }
            Quantity::Damping(stretch) => self.damping(stretch),
            Quantity::Ratio { of, by } => Some(self.quantity(of)? / self.quantity(by)?),
            Quantity::Root(of) => Some(self.quantity(of)?.sqrt()),
            Quantity::Difference { of, by } => Some(self.quantity(of)? - self.quantity(by)?),
        }
    }

    fn phase(&self, name: &str) -> Option<&DrivenPhase> {
        self.phases.iter().find(|phase| phase.name == name)
    }

    /// The time of a moment (s).
    fn moment(&self, moment: &Moment) -> Option<f64> {
        match moment {
            Moment::Start(phase) => Some(self.phase(phase)?.start),
            Moment::End(phase) => Some(self.phase(phase)?.end),
            Moment::Time(time) => Some(*time),
            Moment::After { moment, time } => Some(self.moment(moment)? + time),
            Moment::Crossing { channel, value, phase } => {
                self.crossing(channel, self.quantity(value)?, self.phase(phase)?)
            }
            Moment::Peak(stretch) => {
                let points: Vec<(f64, f64)> = self.points(stretch)?.collect();
                let size = |index: &usize| points[*index].1.abs();
                let largest =
                    (0..points.len()).max_by(|one, other| size(one).total_cmp(&size(other)))?;
                Some(time_of_top(&points, largest))
            }
            Moment::FirstPeak(stretch) => {
                let points: Vec<(f64, f64)> = self.points(stretch)?.collect();
                let is_peak = |three: &&[(f64, f64)]| {
                    let [before, here, after] = [0, 1, 2].map(|index| three[index].1.abs());
                    before < here && after < here
                };
                let before = points.windows(3).position(|three| is_peak(&three))?;
                Some(time_of_top(&points, before + 1))
            }
        }
    }

    /// First time in a phase at which a channel passes a value (s), between two steps.
    fn crossing(&self, channel: &str, value: f64, phase: &DrivenPhase) -> Option<f64> {
        let (times, values) = (self.telemetry.time(), self.telemetry.column(channel).ok()?);
        let [first, last] = self.range(phase.start, phase.end);
        for index in first..last {
            let [from, to] = [values[index] - value, values[index + 1] - value];
            if from == 0.0 {
                return Some(times[index]);
            }
            if from * to <= 0.0 {
                let share = from / (from - to);
                return Some(times[index] + share * (times[index + 1] - times[index]));
            }
        }
        None
    }

    /// The first and the last sample from one time to another (s).
    fn range(&self, from: f64, to: f64) -> [usize; 2] {
        let times = self.telemetry.time();
        let slack = 1e-9 * (1.0 + to.abs());
        let first = times.partition_point(|time| *time < from - slack);
        let after = times.partition_point(|time| *time <= to + slack);
        [first.min(times.len() - 1), after.saturating_sub(1)]
    }

    fn at(&self, channel: &str, time: f64) -> Option<f64> {
        self.value(self.telemetry.column(channel).ok()?, time)
    }

    /// Value of a column at a time (s), between two steps; `None` beyond the ends of the run.
    fn value(&self, column: &[f64], time: f64) -> Option<f64> {
        let times = self.telemetry.time();
        let last = *times.last()?;
        if time < -self.slack() || last + self.slack() < time {
            return None;
        }
        let time = time.clamp(0.0, last);
        let after = times.partition_point(|each| *each <= time);
        let before = after.checked_sub(1)?;
        let Some(next) = times.get(after) else { return column.get(before).copied() };
        let share = (time - times[before]) / (next - times[before]);
        Some(column[before] + share * (column[after] - column[before]))
    }

    /// Times (s) and values of a channel between two moments.
    fn points(&self, stretch: &Stretch) -> Option<impl Iterator<Item = (f64, f64)>> {
        let times = self.telemetry.time();
        let values = self.telemetry.column(&stretch.channel).ok()?;
        let from = stretch.from.as_ref().map_or(Some(0.0), |moment| self.moment(moment))?;
        let end = times.last().copied();
        let to = stretch.to.as_ref().map_or(end, |moment| self.moment(moment))?;
        let [first, last] = self.range(from, to);
        (first <= last).then(|| (first..=last).map(|index| (times[index], values[index])))
    }

    fn values(&self, stretch: &Stretch) -> Option<impl Iterator<Item = f64>> {
        Some(self.points(stretch)?.map(|(_, value)| value))
    }

    fn slope(&self, [x, y]: [&str; 2], [low, high]: [f64; 2], phase: &str) -> Option<f64> {
        let (xs, ys) = (self.telemetry.column(x).ok()?, self.telemetry.column(y).ok()?);
        let phase = self.phase(phase)?;
        let [first, last] = self.range(phase.start, phase.end);
        let points: Vec<(f64, f64)> = (first..=last)
            .map(|index| (xs[index], ys[index]))
            .filter(|(x, _)| (low..=high).contains(x))
            .collect();
        let middle =
            [mean(points.iter().map(|point| point.0))?, mean(points.iter().map(|point| point.1))?];
        let sum = |of: fn(f64, f64) -> f64| {
            points.iter().map(|point| of(point.0 - middle[0], point.1 - middle[1])).sum::<f64>()
        };
        let (products, squares) = (sum(|x, y| x * y), sum(|x, _| x * x));
        (0.0 < squares).then(|| products / squares)
    }

    /// How a channel answers another, as a complex number: real and imaginary part.
    ///
    /// ```text
    /// H = Σ Y(f_i) conj(U(f_i)) / Σ |U(f_i)|²
    /// ```
    ///
    /// over frequencies `f_i` close to the one that is asked for.
    fn response(&self, response: &Response) -> Option<[f64; 2]> {
        let Response { output, input, frequency, phase } = response;
        let phase = self.phase(phase)?;
        let (mut cross, mut power) = ([0.0; 2], 0.0);
        let half_band = HALF_BAND.min(LOW_HALF_BAND * frequency);
        for line in -BAND_LINES..=BAND_LINES {
            let frequency = frequency + half_band * f64::from(line) / f64::from(BAND_LINES);
            let of = self.spectrum(output, frequency, phase)?;
            let held = self.held(input, frequency);
            let by = self.spectrum(input, frequency, phase)?.map(|part| held * part);
            cross[0] += of[0] * by[0] + of[1] * by[1];
            cross[1] += of[1] * by[0] - of[0] * by[1];
            power += by[0] * by[0] + by[1] * by[1];
        }
        (0.0 < power).then(|| cross.map(|part| part / power))
    }

    /// How much stronger a steer angle that is held through steps acts at a `frequency` (Hz) than
    /// its means between them, of which the channel consists; 1 for other channels.
    ///
    /// ```text
    /// (sin x / x) / cos x,   x = π f dt
    /// ```
    fn held(&self, channel: &str, frequency: f64) -> f64 {
        let turned = PI * frequency * self.step();
        if channel == STEER_ANGLE && 0.0 < turned { turned.tan() / turned } else { 1.0 }
    }

    /// Fourier sum of a channel less its first value, at a frequency (Hz): real and imaginary part.
    fn spectrum(&self, channel: &str, frequency: f64, phase: &DrivenPhase) -> Option<[f64; 2]> {
        let (times, values) = (self.telemetry.time(), self.telemetry.column(channel).ok()?);
        let [first, last] = self.range(phase.start, phase.end);
        let mut sum = [0.0; 2];
        for index in first..=last {
            let (sine, cosine) = (TAU * frequency * times[index]).sin_cos();
            let value = values[index] - values[first];
            sum = [sum[0] + value * cosine, sum[1] - value * sine];
        }
        Some(sum)
    }

    /// Damping ratio by the logarithmic decrement of half swings.
    ///
    /// ```text
    /// Λ = ln(p₀/p_k)/k,   D = Λ/√(π² + Λ²)
    /// ```
    fn damping(&self, stretch: &Stretch) -> Option<f64> {
        let points: Vec<f64> = self.values(stretch)?.collect();
        let rest = *points.last()?;
        let swings: Vec<f64> = points.iter().map(|value| (value - rest).abs()).collect();
        let peaks: Vec<f64> = swings
            .windows(3)
            .filter(|three| three[0] < three[1] && three[2] <= three[1])
            .map(|three| three[1])
            .collect();
        let largest = peaks.iter().copied().reduce(f64::max)?;
        let first = peaks.iter().position(|peak| *peak == largest)?;
        let counted: Vec<f64> = peaks[first..]
            .iter()
            .copied()
            .take_while(|peak| LEAST_SWING * largest < *peak)
            .collect();
        let halves = counted.len().checked_sub(1).filter(|halves| 0 < *halves)? as f64;
        let decrement = (counted.first()? / counted.last()?).ln() / halves;
        Some(decrement / PI.hypot(decrement))
    }
}

/// Time of the peak next to the point of number `index` (s): of the parabola through it and its
/// neighbors, between which no step is.
fn time_of_top(points: &[(f64, f64)], index: usize) -> f64 {
    let neighbors = index.checked_sub(1).and_then(|before| points.get(before..before + 3));
    let (time, [before, here, after]) = match neighbors {
        Some(three) => (three[1].0, [0, 1, 2].map(|index| three[index].1.abs())),
        None => return points[index].0,
    };
    let bend = before - 2.0 * here + after;
    let share = if bend < 0.0 { 0.5 * (before - after) / bend } else { 0.0 };
    time + share.clamp(-0.5, 0.5) * (points[index + 1].0 - time)
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0.0), |(sum, count), value| (sum + value, count + 1.0));
    (0.0 < count).then(|| sum / count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::telemetry::Channel;

    /// A run of this many steps of `dt` (s), whose input is a sine of a `frequency` (Hz). Its
    /// output is twice as large and lags by half a radian.
    fn run(dt: f32, steps: u32, frequency: f64) -> anyhow::Result<Run> {
        let channels = [("time", "s"), ("input", ""), ("output", "")];
        let mut telemetry = Telemetry::new(channels.map(|(name, unit)| Channel::new(name, unit)))?;
        for step in 0..=steps {
            let time = f64::from(step) * f64::from(dt);
            let phase = TAU * frequency * time;
            telemetry.push(&[time, phase.sin(), 2.0 * (phase - 0.5).sin()])?;
        }
        let end = f64::from(steps) * f64::from(dt);
        let phases = vec![DrivenPhase { name: "drive".to_owned(), start: 0.0, end }];
        let (vehicle, figures, cut_short, remarks) = Default::default();
        Ok(Run { vehicle, telemetry, phases, figures, cut_short, remarks })
    }

    #[test]
    fn the_last_time_is_there_at_any_rate() -> anyhow::Result<()> {
        for rate in [25_u32, 50, 60, 100, 200, 1_000] {
            for seconds in [60_u32, 300, 1_000] {
                let run = run(1.0 / rate as f32, seconds * rate, 0.1)?;
                let end = f64::from(seconds);
                for output in [Output::Interval(1.0), Output::Times(vec![0.0, end])] {
                    let written = run.output(&["input".to_owned()], &output)?;
                    assert_eq!(written.time().last(), Some(&end), "{rate} Hz, {seconds} s");
                }
                assert!(run.at("input", end).is_some(), "{rate} Hz, {seconds} s");
                assert!(run.at("input", end + 1.0 / f64::from(rate)).is_none());
            }
        }
        Ok(())
    }

    #[test]
    fn low_frequencies_have_a_narrower_band() -> anyhow::Result<()> {
        let run = run(0.5, 4_000, 0.02)?;
        let response = Response {
            output: "output".to_owned(),
            input: "input".to_owned(),
            frequency: 0.02,
            phase: "drive".to_owned(),
        };
        let gain = run.quantity(&Quantity::Gain(response.clone()));
        let phase = run.quantity(&Quantity::Phase(response));
        let [gain, phase] = [gain.unwrap_or(0.0), phase.unwrap_or(9.0)];
        // What the band holds of other frequencies is of the constant part of the output.
        assert!((gain - 2.0).abs() < 0.05 && (phase + 0.5).abs() < 0.03, "{gain}, {phase} rad");
        Ok(())
    }
}
