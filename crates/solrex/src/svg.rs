//! Pictures as SVG, written by hand.

use std::fmt::Write;

use rex::{Cell, Player, Position};

const INK: &str = "#222";
const GREEN: &str = "#7cc47f";
const RED: &str = "#e39a92";
const BLANK: &str = "#f4f0e6";

/// A board with its stones; `wins` colours a cell green or red.
pub fn board(position: &Position, title: &str, wins: impl Fn(Cell) -> Option<bool>) -> String {
    // Hexagons with a corner at the top, of this radius; each row is half a cell further right.
    const RADIUS: f64 = 24.0;
    const MARGIN: f64 = 44.0;
    let half = RADIUS * 3f64.sqrt() / 2.0;
    let board = position.board();
    let (rows, cols) = (board.rows(), board.cols());
    let centre = |row: f64, col: f64| {
        (MARGIN + half + (2.0 * col + row) * half, MARGIN + 24.0 + RADIUS + row * 1.5 * RADIUS)
    };
    let (right, bottom) = centre((rows - 1) as f64, (cols - 1) as f64);
    let (width, height) = (right + half + MARGIN, bottom + RADIUS + MARGIN);
    let mut svg = open(width, height, title);
    // The sides: Black's as dark bands, White's as pale ones.
    let corner = |row: f64, col: f64, angle: f64| {
        let (x, y) = centre(row, col);
        let (sin, cos) = (angle.to_radians()).sin_cos();
        format!("{:.1},{:.1}", x + RADIUS * cos, y + RADIUS * sin)
    };
    for (player, from, to, angles) in [
        (Player::Black, (0, 0), (0, cols - 1), [-150.0, -90.0, -30.0]),
        (Player::Black, (rows - 1, 0), (rows - 1, cols - 1), [150.0, 90.0, 30.0]),
        (Player::White, (0, 0), (rows - 1, 0), [-150.0, 150.0, 90.0]),
        (Player::White, (0, cols - 1), (rows - 1, cols - 1), [-90.0, -30.0, 30.0]),
    ] {
        let mut points = Vec::new();
        for row in from.0..=to.0 {
            for col in from.1..=to.1 {
                points.extend(angles.map(|angle| corner(row as f64, col as f64, angle)));
            }
        }
        let colour = if player == Player::Black { INK } else { "#bbb" };
        let _ = writeln!(
            svg,
            r#"<polyline points="{}" fill="none" stroke="{colour}" stroke-width="8" stroke-linejoin="round"/>"#,
            points.join(" ")
        );
    }
    for cell in board.cells() {
        let (row, col) = board.coordinates(cell);
        let (row, col) = (row as f64, col as f64);
        let fill = match wins(cell) {
            Some(true) => GREEN,
            Some(false) => RED,
            None => BLANK,
        };
        let points: Vec<String> =
            (0..6).map(|i| corner(row, col, f64::from(i).mul_add(60.0, -90.0))).collect();
        let _ = writeln!(svg, r#"<polygon points="{}" fill="{fill}" stroke="{INK}"/>"#, points.join(" "));
        let (x, y) = centre(row, col);
        match position.get(cell) {
            Some(player) => {
                let colour = if player == Player::Black { INK } else { "#fff" };
                let _ = writeln!(
                    svg,
                    r#"<circle cx="{x:.1}" cy="{y:.1}" r="15" fill="{colour}" stroke="{INK}"/>"#
                );
            }
            None => label(&mut svg, x, y + 4.0, "middle", &board.name(cell)),
        }
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
    let title = title.replace('&', "&amp;").replace('<', "&lt;");
    format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0}" height="{height:.0}" viewBox="0 0 {width:.0} {height:.0}" font-family="sans-serif" font-size="11">
<title>{title}</title>
<rect width="100%" height="100%" fill="white"/>
<text x="20" y="24" font-size="15">{title}</text>
"#
    )
}

fn label(svg: &mut String, x: f64, y: f64, anchor: &str, text: &str) {
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
