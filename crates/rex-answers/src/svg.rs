//! Pictures as SVG, written by hand.

use std::fmt::Write;

use rex_game::{Cell, Position};

mod board;
mod sheet;

pub use board::{Drawing, Look};
pub use sheet::{Figure, sheet};

const INK: &str = "#222";
/// A move that wins, or a better cell.
pub const GREEN: &str = "#7cc47f";
/// A move that loses.
pub const RED: &str = "#e39a92";
/// A cell of which nothing is said.
pub const BLANK: &str = "#f4f0e6";
/// A cell that does not matter.
pub const GREY: &str = "#c9c9c9";
/// A cell that is filled for a player.
pub const BLUE: &str = "#9fbfe0";
/// A cell that is part of a pairing.
pub const GOLD: &str = "#ecd27f";

/// A board with its stones; `wins` colours a cell green or red.
pub fn board(position: &Position, title: &str, wins: impl Fn(Cell) -> Option<bool>) -> String {
    let look = |cell| Look {
        fill: match wins(cell) {
            Some(true) => GREEN,
            Some(false) => RED,
            None => BLANK,
        },
        ..Look::default()
    };
    page(&Drawing { position, look: &look, arrows: &[], links: &[] }, title, &[])
}

/// One drawing with a title above it and lines of text below.
pub fn page(drawing: &Drawing, title: &str, notes: &[String]) -> String {
    const TOP: f64 = 24.0;
    const LINE: f64 = 16.0;
    let (width, height) = drawing.size();
    let longest = notes.iter().map(|note| note.chars().count()).max().unwrap_or(0);
    let width = width.max(40.0 + 6.2 * longest as f64);
    let mut svg = open(width, TOP + height + LINE * notes.len() as f64, title);
    svg += &drawing.at(0.0, TOP, 1.0);
    for (i, note) in notes.iter().enumerate() {
        label(&mut svg, 20.0, TOP + height + LINE * i as f64, "start", note);
    }
    svg + "</svg>\n"
}

/// One bar of a plot.
pub struct Bar {
    /// What stands under it.
    pub label: String,
    /// Nodes searched.
    pub nodes: u64,
    /// Seconds taken.
    pub seconds: f64,
}

/// Each group of bars as two rows, of nodes and of seconds.
pub fn bars(title: &str, groups: &[Vec<Bar>]) -> String {
    const STEP: f64 = 46.0;
    const HEIGHT: f64 = 200.0;
    const LEFT: f64 = 20.0;
    let most = groups.iter().map(Vec::len).max().unwrap_or(0);
    let width = 2.0 * LEFT + STEP * most.max(4) as f64;
    let mut svg = open(width, 2.0 * groups.len() as f64 * (HEIGHT + 70.0) + 40.0, title);
    let rows = groups.iter().flat_map(|bars| {
        let nodes: Vec<f64> = bars.iter().map(|bar| bar.nodes as f64).collect();
        let seconds: Vec<f64> = bars.iter().map(|bar| bar.seconds).collect();
        [("nodes", bars, nodes, "#5b8db8"), ("seconds", bars, seconds, "#c98f4b")]
    });
    for (row, (what, bars, values, colour)) in rows.enumerate() {
        let base = 50.0 + HEIGHT + row as f64 * (HEIGHT + 70.0);
        label(&mut svg, LEFT, base - HEIGHT + 2.0, "start", what);
        let most = values.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        for (i, (bar, value)) in bars.iter().zip(&values).enumerate() {
            let x = LEFT + STEP * (i as f64 + 0.5);
            let height = (HEIGHT - 30.0) * value / most;
            let _ = writeln!(
                svg,
                r#"<rect x="{:.1}" y="{:.1}" width="30" height="{height:.1}" fill="{colour}"/>"#,
                x - 15.0,
                base - height
            );
            label(&mut svg, x, base - height - 4.0, "middle", &short(*value));
            label(&mut svg, x, base + 16.0, "middle", &bar.label);
        }
    }
    svg + "</svg>\n"
}

fn open(width: f64, height: f64, title: &str) -> String {
    let title = escaped(title);
    format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0}" height="{height:.0}" viewBox="0 0 {width:.0} {height:.0}" font-family="sans-serif" font-size="11">
<title>{title}</title>
<rect width="100%" height="100%" fill="white"/>
<text x="20" y="24" font-size="15">{title}</text>
"#
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

fn label(svg: &mut String, x: f64, y: f64, anchor: &str, text: &str) {
    let text = escaped(text);
    let _ = writeln!(svg, r#"<text x="{x:.1}" y="{y:.1}" text-anchor="{anchor}" fill="{INK}">{text}</text>"#);
}

/// Three digits or so: `0.12`, `1.2k`, `3.4M`.
fn short(value: f64) -> String {
    match value {
        v if v >= 1e6 => format!("{:.1}M", v / 1e6),
        v if v >= 1e3 => format!("{:.1}k", v / 1e3),
        v if v >= 100.0 || v.fract() == 0.0 => format!("{v:.0}"),
        v => format!("{v:.2}"),
    }
}
