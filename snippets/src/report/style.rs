//! Colors, lines and style sheet of the page.
//!
//! Pictures carry the colors of the light theme; the style sheet finds lines by color and width,
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

/// Legend entries for the marks of a path, in the color of text because they hold for all paths of
/// a chart.
pub(super) const LEGEND_OF_PATH_ENDS: &str = r#"<li><svg class="mark" viewBox="0 0 80 80" aria-hidden="true">
<circle cx="40" cy="40" r="32" fill="none" stroke="currentColor" stroke-width="8"/></svg>start</li>
<li><svg class="mark" viewBox="0 0 80 80" aria-hidden="true">
<circle cx="40" cy="40" r="16" fill="currentColor"/></svg>end</li>
"#;

/// The style sheet.
pub(super) const STYLE: &str = r##":root {
  color-scheme: light dark;
  --page: #f4f5f7; --card: #ffffff; --border: #dfe3e8; --text: #1b2026; --faint: #5c6670;
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 1.5rem clamp(0.75rem, 2.5vw, 2.5rem) 3rem; max-width: 110rem;
  background: var(--page); color: var(--text);
  font: 16px/1.45 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
}
h1 { margin: 0; font-size: 1.7rem; line-height: 1.2; overflow-wrap: anywhere; }
header p { margin: 0.35rem 0 1.25rem; max-width: 110ch; color: var(--faint); }
.unit { color: var(--faint); font-weight: 400; }
.summary, figure {
  margin: 0; padding: 0.9rem 1.1rem;
  background: var(--card); border: 1px solid var(--border); border-radius: 10px;
}
.summary { display: block; margin-bottom: 1rem; }
.summary caption { display: block; text-align: left; font-weight: 650; margin-bottom: 0.3rem; }
.summary tbody {
  display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 19rem), 1fr));
  column-gap: 2.5rem;
}
.summary tr {
  display: flex; justify-content: space-between; align-items: baseline; gap: 1rem;
  padding: 0.3rem 0; border-top: 1px solid var(--border);
}
.summary th { padding: 0; text-align: left; font-weight: 400; color: var(--faint); }
.summary td { padding: 0; text-align: right; font-weight: 600; font-variant-numeric: tabular-nums; }
.charts {
  display: grid; gap: 1rem;
  grid-template-columns: repeat(auto-fill, minmax(min(100%, 31rem), 1fr));
}
figure { display: flex; flex-direction: column; min-width: 0; break-inside: avoid; }
figure.tall { grid-row: span 2; }
figcaption {
  display: flex; flex-wrap: wrap;
  align-items: baseline; justify-content: space-between; gap: 0.1rem 1.5rem;
}
h2 { margin: 0; font-size: 1rem; font-weight: 650; overflow-wrap: anywhere; }
figcaption ul {
  display: flex; flex-wrap: wrap;
  gap: 0.1rem 1rem; margin: 0; padding: 0; list-style: none; font-size: 0.85rem;
}
figcaption li { display: flex; align-items: center; gap: 0.4rem; }
.key { width: 26px; height: 10px; flex: none; }
.mark { width: 16px; height: 16px; flex: none; }
figure > svg { display: block; width: 100%; height: auto; margin: auto 0 0; }
figure > svg text { fill: var(--text); font-family: inherit; font-variant-numeric: tabular-nums; }
polyline { stroke-linejoin: round; }
polyline[stroke-width="7"] { stroke-dasharray: 26 13; }
.wide { margin-bottom: 1rem; }
.wide .scroll { overflow-x: auto; }
.wide .note { margin: 0.2rem 0 0; color: var(--faint); font-size: 0.85rem; }
.tree { display: block; margin: 0.4rem auto 0; }
.tree text { fill: var(--text); font-size: 12px; font-variant-numeric: tabular-nums; }
.tree .name { font-size: 13px; font-weight: 600; text-anchor: middle; }
.tree rect { fill: var(--page); stroke: var(--border); stroke-width: 1.5; }
.tree .source rect { stroke: #0072B2; }
.tree .end rect { stroke: #009E73; }
.tree path { fill: none; stroke: #0072B2; stroke-linejoin: round; }
.tree path.back { stroke: #D55E00; }
.tree path.idle { stroke: var(--faint); }
.breakdown { border-collapse: collapse; width: 100%; margin-top: 0.4rem; font-size: 0.95rem; }
.breakdown th { text-align: left; font-weight: 400; padding: 0.15rem 1rem 0.15rem 0; white-space: nowrap; }
.breakdown td { padding: 0.15rem 0; font-variant-numeric: tabular-nums; }
.breakdown .number { text-align: right; padding-right: 1rem; white-space: nowrap; font-weight: 600; }
.breakdown .bars { width: 70%; }
.bar { display: block; height: 0.8rem; border-radius: 3px; background: #0072B2; }
.bar.out { background: #D55E00; }
@media (max-width: 40rem) {
  figure > svg text { font-size: 64px; }
}
@media (prefers-color-scheme: dark) {
  :root { --page: #101317; --card: #191d23; --border: #2c333c; --text: #e4e8ec; --faint: #9aa5b1; }
  [stroke="#E3E6EA"] { stroke: #2b323b; }
  [stroke="#8A939D"] { stroke: #76808b; }
  [stroke="#0072B2"] { stroke: #2f8fd0; }
  [fill="#0072B2"] { fill: #2f8fd0; }
  [stroke="#D55E00"] { stroke: #ee7a26; }
  [fill="#D55E00"] { fill: #ee7a26; }
  [stroke="#009E73"] { stroke: #17b88b; }
  [fill="#009E73"] { fill: #17b88b; }
  [stroke="#56B4E9"] { stroke: #8fd0f7; }
  [fill="#56B4E9"] { fill: #8fd0f7; }
  polyline[stroke="#000000"], circle[stroke="#000000"] { stroke: #f0e442; }
  circle[fill="#000000"] { fill: #f0e442; }
  .tree path, .tree .source rect { stroke: #2f8fd0; }
  .tree path.back { stroke: #ee7a26; }
  .tree .end rect { stroke: #17b88b; }
  .bar { background: #2f8fd0; }
  .bar.out { background: #ee7a26; }
}
@media print {
  :root { --page: #ffffff; }
  body { padding: 0; font-size: 12px; }
}
"##;

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
