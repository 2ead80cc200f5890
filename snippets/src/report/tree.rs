//! A tree of blocks as a picture, with what each of its shafts carries.

use std::fmt::Write as _;

use super::tree_layout::TreeLayout;
use super::{escaped, fixed};

/// Size of a block, distances between the left edges of columns and the tops of rows, and around
/// all (px).
const BOX: (f64, f64) = (124.0, 42.0);
const PITCH: (f64, f64) = (228.0, 64.0);
const AROUND: f64 = 8.0;
/// Distance from a block to where its shaft bends (px), and from there to its numbers.
const BEND: f64 = 16.0;
const GAP: f64 = 8.0;
/// How far below the first shaft others lead into a block (px).
const SECOND: f64 = 13.0;
/// Least and largest width of a shaft (px).
const WIDTHS: (f64, f64) = (1.5, 7.0);
/// Most letters in a line of a block.
const LINE_LENGTH: usize = 15;
/// Part of the largest power below which a shaft counts as idle.
const IDLE: f64 = 1e-3;

/// A shaft between two blocks, at a moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DrawnShaft {
    /// Number of the block on its left.
    pub from: usize,
    /// Number of the block on its right.
    pub to: usize,
    /// Speed (rad/s).
    pub speed: f64,
    /// Torque to the right (N·m).
    pub torque: f64,
}

impl DrawnShaft {
    /// Power to the right (W).
    pub fn power(&self) -> f64 {
        self.speed * self.torque
    }
}

/// Blocks as boxes, shafts as lines with speed, torque and power.
#[derive(Clone, Debug, PartialEq)]
pub struct TreePicture {
    /// What is shown.
    pub title: String,
    /// A sentence below the title.
    pub note: String,
    /// Names of the blocks.
    pub blocks: Vec<String>,
    /// The shafts.
    pub shafts: Vec<DrawnShaft>,
}

impl TreePicture {
    /// A `figure` element with title, sentence and picture.
    pub(super) fn figure(&self) -> String {
        let (title, note, svg) = (escaped(&self.title), escaped(&self.note), self.svg());
        format!(
            "<figure class=\"wide\">\n<figcaption><h2>{title}</h2></figcaption>\n\
             <p class=\"note\">{note}</p>\n<div class=\"scroll\">\n{svg}</div>\n</figure>\n"
        )
    }

    fn svg(&self) -> String {
        let ends: Vec<(usize, usize)> = self.shafts.iter().map(|it| (it.from, it.to)).collect();
        let layout = TreeLayout::new(self.blocks.len(), &ends);
        let (columns, rows) = layout.size();
        let width = 2.0 * AROUND + PITCH.0 * columns.saturating_sub(1) as f64 + BOX.0;
        let height = 2.0 * AROUND + PITCH.1 * (rows - 1.0).max(0.0) + BOX.1;
        let mut svg = format!(
            "<svg class=\"tree\" role=\"img\" aria-label=\"{}\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\">\n",
            escaped(&self.title)
        );
        let most = self.shafts.iter().map(|shaft| shaft.power().abs()).fold(0.0, f64::max);
        for shaft in &self.shafts {
            svg.push_str(&line(shaft, self.is_second(shaft), &layout, most));
        }
        for (block, name) in self.blocks.iter().enumerate() {
            let leads = self.shafts.iter().any(|shaft| shaft.from == block);
            let is_led_to = self.shafts.iter().any(|shaft| shaft.to == block);
            let class = match (is_led_to, leads) {
                (false, true) => "source",
                (_, false) => "end",
                _ => "middle",
            };
            svg.push_str(&boxed(name, class, place(&layout, block)));
        }
        // Numbers lie above lines and blocks.
        for shaft in &self.shafts {
            svg.push_str(&numbers(shaft, self.is_second(shaft), &layout));
        }
        svg.push_str("</svg>\n");
        svg
    }

    /// Whether another shaft leads to the same block before it.
    fn is_second(&self, shaft: &DrawnShaft) -> bool {
        self.shafts.iter().find(|each| each.to == shaft.to) != Some(shaft)
    }
}

/// Left edge and middle of a block (px).
fn place(layout: &TreeLayout, block: usize) -> (f64, f64) {
    let left = AROUND + PITCH.0 * layout.columns[block] as f64;
    (left, AROUND + PITCH.1 * layout.rows[block] + 0.5 * BOX.1)
}

/// A shaft bends beside the block that it comes from; a second one beside the block that it leads
/// to.
fn line(shaft: &DrawnShaft, is_second: bool, layout: &TreeLayout, most: f64) -> String {
    let (left, from) = place(layout, shaft.from);
    let (right, to) = place(layout, shaft.to);
    let (left, power) = (left + BOX.0, shaft.power());
    let share = if most == 0.0 { 0.0 } else { power.abs() / most };
    let class = match power {
        _ if share < IDLE => "idle",
        _ if power < 0.0 => "back",
        _ => "forth",
    };
    let width = WIDTHS.0 + (WIDTHS.1 - WIDTHS.0) * share;
    let (bend, to) = if is_second { (right - BEND, to + SECOND) } else { (left + BEND, to) };
    format!(
        "<path class=\"{class}\" stroke-width=\"{width:.1}\" d=\"M{left} {from}H{bend}V{to}H{right}\"/>\n"
    )
}

/// Speed above a shaft, torque and power below it.
fn numbers(shaft: &DrawnShaft, is_second: bool, layout: &TreeLayout) -> String {
    let (left, from) = place(layout, shaft.from);
    let (right, to) = place(layout, shaft.to);
    let (left, middle) = if is_second {
        (left + BOX.0 + GAP, from)
    } else {
        // Where the shaft is long, beside what it leads to.
        let room = PITCH.0 - BOX.0 - BEND - GAP;
        ((left + BOX.0 + BEND + GAP).max(right - room), to)
    };
    let power = 1e-3 * shaft.power();
    let lines = [
        (-7.0, rounded(shaft.speed, "rad/s")),
        (15.0, rounded(shaft.torque, "N·m")),
        (28.0, rounded(power, "kW")),
    ];
    lines.into_iter().fold(String::new(), |mut svg, (below, text)| {
        let y = middle + below;
        writeln!(svg, "<text x=\"{left}\" y=\"{y}\">{text}</text>")
            .expect("a text takes everything");
        svg
    })
}

/// A value with as many digits as there is room for.
fn rounded(value: f64, unit: &str) -> String {
    let digits = if value.abs() < 99.95 { 1 } else { 0 };
    format!("{} {unit}", fixed(value, digits))
}

fn boxed(name: &str, class: &str, (left, middle): (f64, f64)) -> String {
    let (width, height) = BOX;
    let (top, center) = (middle - 0.5 * height, left + 0.5 * width);
    let mut svg = format!(
        "<g class=\"{class}\"><rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" \
         rx=\"7\"/>"
    );
    let lines = wrapped(name);
    let first = middle + 4.5 - 8.0 * (lines.len() - 1) as f64;
    for (index, line) in lines.iter().enumerate() {
        let (y, line) = (first + 16.0 * index as f64, escaped(line));
        write!(svg, "<text class=\"name\" x=\"{center}\" y=\"{y}\">{line}</text>")
            .expect("a text takes everything");
    }
    svg.push_str("</g>\n");
    svg
}

/// `name` in one line, or in two where it is long.
fn wrapped(name: &str) -> Vec<String> {
    let spaces = || name.char_indices().filter(|(_, letter)| *letter == ' ');
    let middle = name.len() / 2;
    let nearest = spaces().min_by_key(|(at, _)| at.abs_diff(middle)).map(|(at, _)| at);
    match nearest {
        Some(at) if LINE_LENGTH < name.chars().count() => {
            vec![name[..at].to_owned(), name[at + 1..].to_owned()]
        }
        _ => vec![name.to_owned()],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(torque: f64) -> String {
        let blocks = ["engine <1>", "second front differential", "wheel 0"].map(str::to_owned);
        let shaft = |from, to, speed, torque| DrawnShaft { from, to, speed, torque };
        let shafts = vec![shaft(0, 1, 400.0, torque), shaft(1, 2, 100.0, 4.0 * torque)];
        TreePicture { title: "Tree".into(), note: "A note".into(), blocks: blocks.into(), shafts }
            .figure()
    }

    #[test]
    fn every_block_has_a_box_and_every_shaft_its_numbers() {
        let figure = picture(250.0);
        assert_eq!(figure.matches("<rect").count(), 3, "{figure}");
        assert_eq!(figure.matches("<path class=\"forth\"").count(), 2, "{figure}");
        for part in [
            "engine &lt;1&gt;</text>",
            ">second front</text>",
            ">differential</text>",
            ">400 rad/s</text>",
            ">250 N·m</text>",
            ">1000 N·m</text>",
            "class=\"source\"",
            "class=\"end\"",
        ] {
            assert!(figure.contains(part), "{part} is missing in {figure}");
        }
        assert_eq!(figure.matches(">100 kW</text>").count(), 2, "{figure}");
    }

    #[test]
    fn power_that_goes_back_and_shafts_that_carry_none_are_told_apart() {
        assert_eq!(picture(-250.0).matches("class=\"back\"").count(), 2);
        let idle = picture(-0.0);
        assert_eq!(idle.matches("class=\"idle\"").count(), 2, "{idle}");
        assert!(!idle.contains("-0"), "{idle}");
    }
}
