//! Fewer points for the same picture.

use super::axis::is_drawable;

/// Most points of one drawn line: two per pixel column.
pub(super) const MAX_POINTS: usize = 1200;

/// Unbroken pieces of the line through `points`, with at most [`MAX_POINTS`] points in total.
///
/// A point that cannot be drawn breaks the line. A long line is cut into chunks of equally many
/// points. Of each, only the first, the last and those with the least and greatest x and y remain,
/// so no peak is lost.
///
/// Source: M4 aggregation of U. Jugel et al., "M4: A Visualization-Oriented Time Series Data
/// Aggregation", 2014; differs: chunks have equally many points, not equal widths, so that paths
/// with any direction can be thinned.
pub(super) fn drawable_runs(points: &[(f64, f64)]) -> Vec<Vec<(f64, f64)>> {
    let kept = thinned(points);
    kept.split(|point| !is_drawable_point(point))
        .filter(|run| !run.is_empty())
        .map(<[_]>::to_vec)
        .collect()
}

/// `points`, cut into the smallest chunks that leave at most [`MAX_POINTS`].
fn thinned(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut kept = points.to_vec();
    let mut chunk_size = 4;
    while MAX_POINTS < kept.len() {
        kept = points.chunks(chunk_size).flat_map(outline).collect();
        chunk_size *= 2;
    }
    kept
}

/// The points of a chunk that bound its picture, in their order, with one gap if there is any.
fn outline(chunk: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let drawable = || (0..chunk.len()).filter(|&index| is_drawable_point(&chunk[index]));
    let by_x = |a: &usize, b: &usize| chunk[*a].0.total_cmp(&chunk[*b].0);
    let by_y = |a: &usize, b: &usize| chunk[*a].1.total_cmp(&chunk[*b].1);
    let gap = (0..chunk.len()).find(|&index| !is_drawable_point(&chunk[index]));
    let candidates = [
        drawable().next(),
        drawable().next_back(),
        drawable().min_by(by_x),
        drawable().max_by(by_x),
        drawable().min_by(by_y),
        drawable().max_by(by_y),
        gap,
    ];
    let mut indices: Vec<usize> = candidates.into_iter().flatten().collect();
    indices.sort_unstable();
    indices.dedup();
    indices.into_iter().map(|index| chunk[index]).collect()
}

/// Whether both coordinates can be drawn.
pub(super) fn is_drawable_point(&(x, y): &(f64, f64)) -> bool {
    is_drawable(x) && is_drawable(y)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn total(runs: &[Vec<(f64, f64)>]) -> usize {
        runs.iter().map(Vec::len).sum()
    }

    #[test]
    fn short_line_stays_as_it_is() {
        let points: Vec<_> = (0..MAX_POINTS).map(|i| (i as f64, (i % 7) as f64)).collect();
        assert_eq!(drawable_runs(&points), [points]);
    }

    #[test]
    fn long_line_keeps_its_ends_and_peaks() {
        for count in [MAX_POINTS + 1, 5_000, 123_457] {
            let mut points: Vec<_> = (0..count).map(|i| (i as f64, (i as f64).sin())).collect();
            points[count / 3].1 = 50.0;
            points[count / 2].1 = -70.0;

            let runs = drawable_runs(&points);

            assert_eq!(runs.len(), 1);
            assert!(runs[0].len() <= MAX_POINTS, "{} of {count} remain", runs[0].len());
            assert_eq!(runs[0].first(), points.first());
            assert_eq!(runs[0].last(), points.last());
            assert!(runs[0].contains(&points[count / 3]), "peak lost of {count}");
            assert!(runs[0].contains(&points[count / 2]), "valley lost of {count}");
            assert!(runs[0].is_sorted_by_key(|&(x, _)| x));
        }
    }

    #[test]
    fn line_breaks_where_it_cannot_be_drawn() {
        let nan = f64::NAN;
        let points =
            [(nan, 0.0), (0.0, 1.0), (1.0, 2.0), (2.0, nan), (3.0, f64::INFINITY), (4.0, 5.0)];
        let expected = vec![vec![(0.0, 1.0), (1.0, 2.0)], vec![(4.0, 5.0)]];
        assert_eq!(drawable_runs(&points), expected);
        assert!(drawable_runs(&[(nan, nan)]).is_empty());
        assert!(drawable_runs(&[]).is_empty());
    }

    #[test]
    fn long_line_of_gaps_stays_bounded_and_broken() {
        let gap_or = |i: usize| if i.is_multiple_of(2) { f64::NAN } else { 1.0 };
        let points: Vec<_> = (0..100_000).map(|i| (i as f64, gap_or(i))).collect();
        let runs = drawable_runs(&points);
        assert!(1 < runs.len() && total(&runs) <= MAX_POINTS, "{} runs", runs.len());
    }
}
