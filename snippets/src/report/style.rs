//! Colors, lines and style sheet of the page.
//!
//! Pictures carry the colors of the light theme. The style sheet finds lines by color and width,
//! replaces the colors in the dark theme and dashes every second line, which the drawing library
//! cannot.

use plotters::style::RGBColor;

/// Grid lines.
pub(super) const GRID: RGBColor = RGBColor(0xE3, 0xE6, 0xEA);
/// Axes and the line at zero.
pub(super) const AXIS: RGBColor = RGBColor(0x8A, 0x93, 0x9D);

/// Colors that people with any color vision can tell apart.
///
/// Source: M. Okabe and K. Ito, "Color Universal Design", 2008; differs: order, and without yellow,
/// which is faint on white; in the dark theme yellow replaces black.
const COLORS: [RGBColor; 7] = [
    RGBColor(0x00, 0x72, 0xB2),
    RGBColor(0xD5, 0x5E, 0x00),
    RGBColor(0x00, 0x9E, 0x73),
    RGBColor(0xCC, 0x79, 0xA7),
    RGBColor(0x56, 0xB4, 0xE9),
    RGBColor(0xE6, 0x9F, 0x00),
    RGBColor(0x00, 0x00, 0x00),
];

/// Color of the line `index` of a chart.
pub(super) fn color(index: usize) -> RGBColor {
    COLORS[index % COLORS.len()]
}

/// How SVG and the style sheet spell a color.
pub(super) fn hex(RGBColor(red, green, blue): RGBColor) -> String {
    format!("#{red:02X}{green:02X}{blue:02X}")
}

/// Width of the line `index` of a chart (SVG units).
///
/// The style sheet dashes lines of width 7, so that the line below shows where two wheels do the
/// same. The number of colors is odd: a color comes back dashed if it was solid.
pub(super) fn line_width(index: usize) -> u32 {
    if index.is_multiple_of(2) { 8 } else { 7 }
}

/// Width of a line that is colored by a quantity (SVG units).
pub(super) const HEAT_WIDTH: u32 = 14;

/// Colors from low to high that show on light and dark pages, and get lighter to any color vision.
///
/// Source: between colors of "plasma" by N. Smith and S. van der Walt, 2015; differs: without its
/// darkest and its lightest end.
const HEAT: [RGBColor; 6] = [
    RGBColor(0x3B, 0x2F, 0xB0),
    RGBColor(0x7E, 0x24, 0xB4),
    RGBColor(0xB8, 0x32, 0x89),
    RGBColor(0xDE, 0x5B, 0x62),
    RGBColor(0xF3, 0x8A, 0x3D),
    RGBColor(0xF4, 0xC1, 0x2E),
];

/// Color of a value at this `part` of its range, from 0 to 1.
pub(super) fn heat(part: f64) -> RGBColor {
    let place = part.clamp(0.0, 1.0) * (HEAT.len() - 1) as f64;
    let index = (place as usize).min(HEAT.len() - 2);
    let (from, to, share) = (HEAT[index], HEAT[index + 1], place - index as f64);
    let mix =
        |from: u8, to: u8| (f64::from(from) * (1.0 - share) + f64::from(to) * share).round() as u8;
    RGBColor(mix(from.0, to.0), mix(from.1, to.1), mix(from.2, to.2))
}

/// The colors of [`heat`] as a style of CSS.
pub(super) fn heat_ramp() -> String {
    let colors: Vec<String> = HEAT.map(hex).into();
    format!("background: linear-gradient(to right, {})", colors.join(", "))
}

/// Legend entries for the marks of a path, in the color of text because they hold for all paths of
/// a chart.
pub(super) const LEGEND_OF_PATH_ENDS: &str = r#"<li><svg class="mark" viewBox="0 0 80 80" aria-hidden="true">
<circle cx="40" cy="40" r="32" fill="none" stroke="currentColor" stroke-width="8"/></svg>start</li>
<li><svg class="mark" viewBox="0 0 80 80" aria-hidden="true">
<circle cx="40" cy="40" r="16" fill="currentColor"/></svg>end</li>
"#;

/// The style sheet.
pub(super) const STYLE: &str = include_str!("style.css");

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn fourteen_lines_differ_and_the_next_is_the_first_again() {
        let looks: Vec<_> = (0..15).map(|i| (hex(color(i)), line_width(i))).collect();
        assert_eq!(looks.iter().collect::<HashSet<_>>().len(), 14, "{looks:?}");
        assert_eq!(looks[0], looks[14]);
    }

    #[test]
    fn style_sheet_dashes_every_second_line() {
        let rule = |width| format!("polyline[stroke-width=\"{width}\"] {{ stroke-dasharray");
        assert!(STYLE.contains(&rule(line_width(1))));
        assert!(!STYLE.contains(&rule(line_width(0))));
    }

    #[test]
    fn dark_theme_replaces_the_faint_colors_of_lines_and_dots() {
        for faint in [0, 1, 2, 4, 6].map(|index| hex(COLORS[index])) {
            assert!(STYLE.contains(&format!("[stroke=\"{faint}\"] {{ stroke: #")), "{faint}");
            assert!(STYLE.contains(&format!("[fill=\"{faint}\"] {{ fill: #")), "{faint}");
        }
        for faint in [GRID, AXIS].map(hex) {
            assert!(STYLE.contains(&format!("[stroke=\"{faint}\"] {{ stroke: #")), "{faint}");
        }
    }
}
