//! Where the blocks of a tree are drawn: from left to right, its ends in a column on the right.

/// Columns and rows of blocks; rows may be halves.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct TreeLayout {
    /// Column of each block, from 0 on.
    pub(super) columns: Vec<usize>,
    /// Row of each block, from 0 on.
    pub(super) rows: Vec<f64>,
}

impl TreeLayout {
    /// The layout of `count` blocks with shafts (from, to).
    pub(super) fn new(count: usize, shafts: &[(usize, usize)]) -> Self {
        let mut rows = vec![None; count];
        let columns = columns(count, shafts);
        let mut next_row = 0.0;
        // Trees of their own, each from its first block that nothing leads to.
        for root in 0..count {
            let is_root = shafts.iter().all(|(_, to)| *to != root);
            if is_root && main_feeder(root, shafts) {
                place(root, shafts, &mut rows, &mut next_row);
            }
        }
        let rows = beside(&columns, shafts, rows);
        Self { columns, rows }
    }

    /// Count of columns and of rows.
    pub(super) fn size(&self) -> (usize, f64) {
        let columns = self.columns.iter().max().map_or(0, |last| last + 1);
        (columns, self.rows.iter().copied().fold(-1.0, f64::max) + 1.0)
    }
}

/// Whether the tree from `root` on is laid out from it: at every block on the way, it comes by the
/// first shaft.
fn main_feeder(root: usize, shafts: &[(usize, usize)]) -> bool {
    let mut block = root;
    loop {
        let Some((_, to)) = shafts.iter().find(|(from, _)| *from == block) else { return true };
        let first = shafts.iter().find(|(_, each)| each == to).map(|(from, _)| *from);
        if first != Some(block) {
            return false;
        }
        block = *to;
    }
}

/// Rows of `block` and all behind it; a block is in the middle of those behind it.
fn place(
    block: usize,
    shafts: &[(usize, usize)],
    rows: &mut [Option<f64>],
    next_row: &mut f64,
) -> f64 {
    if let Some(row) = rows[block] {
        return row;
    }
    let behind = shafts.iter().filter(|(from, _)| *from == block);
    let behind: Vec<f64> = behind.map(|(_, to)| place(*to, shafts, rows, next_row)).collect();
    let row = match (behind.first(), behind.last()) {
        (Some(first), Some(last)) => 0.5 * (first + last),
        _ => {
            *next_row += 1.0;
            *next_row - 1.0
        }
    };
    rows[block] = Some(row);
    row
}

/// Puts second engines below those that are placed, as close to what they lead to as there is room.
fn beside(columns: &[usize], shafts: &[(usize, usize)], mut rows: Vec<Option<f64>>) -> Vec<f64> {
    let is_free = |rows: &[Option<f64>], block: usize, row: f64| {
        let mut others = rows.iter().zip(columns).filter(|(_, column)| **column == columns[block]);
        others.all(|(other, _)| other.is_none_or(|other| 1.0 <= (other - row).abs()))
    };
    while let Some((from, to)) =
        shafts.iter().copied().find(|(from, to)| rows[*from].is_none() && rows[*to].is_some())
    {
        let mut row = rows[to].unwrap_or_default() + 1.0;
        while !is_free(&rows, from, row) {
            row += 0.5;
        }
        rows[from] = Some(row);
    }
    rows.into_iter().map(Option::unwrap_or_default).collect()
}

/// Columns: each block is behind all that lead to it, a second engine is just before what it leads
/// to, and the ends are in the last column.
fn columns(count: usize, shafts: &[(usize, usize)]) -> Vec<usize> {
    let mut columns = vec![0_usize; count];
    // A path has at most as many shafts as there are.
    for _ in 0..shafts.len() {
        for &(from, to) in shafts {
            columns[to] = columns[to].max(columns[from] + 1);
        }
    }
    for _ in 0..shafts.len() {
        for block in 0..count {
            let is_led_to = shafts.iter().any(|(_, to)| *to == block);
            let behind = shafts.iter().filter(|(from, _)| *from == block);
            let Some(nearest) = behind.map(|(_, to)| columns[*to]).min() else { continue };
            if !is_led_to {
                columns[block] = nearest.saturating_sub(1);
            }
        }
    }
    let last = columns.iter().copied().max().unwrap_or(0);
    for (block, column) in columns.iter_mut().enumerate() {
        if shafts.iter().all(|(from, _)| *from != block) {
            *column = last;
        }
    }
    columns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_is_in_the_middle_of_those_behind_it() {
        // engine, differential, two wheels; a wheel on its own
        let layout = TreeLayout::new(5, &[(0, 1), (1, 2), (1, 3)]);
        assert_eq!(layout.columns, [0, 1, 2, 2, 2]);
        assert_eq!(layout.rows, [0.5, 0.5, 0.0, 1.0, 2.0]);
        assert_eq!(layout.size(), (3, 3.0));
    }

    #[test]
    fn a_second_engine_is_beside_the_shaft_that_it_joins() {
        // engine, clutch, joint, wheel; motor
        let layout = TreeLayout::new(5, &[(0, 1), (1, 2), (4, 2), (2, 3)]);
        assert_eq!(layout.columns, [0, 1, 2, 3, 1]);
        assert_eq!(layout.rows, [0.0, 0.0, 0.0, 0.0, 1.0]);
    }

    #[test]
    fn no_two_blocks_are_in_one_place() {
        // Two engines on one joint behind a joint of two more.
        let shafts = [(0, 2), (1, 2), (2, 4), (3, 4), (4, 5), (4, 6)];
        let layout = TreeLayout::new(7, &shafts);
        for one in 0..7 {
            for other in 0..one {
                let is_apart = layout.columns[one] != layout.columns[other]
                    || 1.0 <= (layout.rows[one] - layout.rows[other]).abs();
                assert!(is_apart, "{one} and {other}: {layout:?}");
            }
        }
    }
}
