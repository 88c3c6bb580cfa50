//! A board, drawn as it lies: each row half a cell further right.

use std::fmt::Write;

use rex_game::{Cell, Player, Position};

use super::{BLANK, INK, label};

/// Hexagons with a corner at the top have this radius.
const RADIUS: f64 = 24.0;
const MARGIN: f64 = 44.0;

/// How a cell looks.
pub struct Look {
    /// The colour of the hexagon.
    pub fill: &'static str,
    /// A small stone that is not on the board, of a player for whom the cell is filled.
    pub filled: Option<Player>,
    /// Whether a ring is drawn around it.
    pub ring: bool,
    /// A sign that stands above its name.
    pub mark: Option<char>,
    /// A move that is not played yet, with its number.
    pub coming: Option<(Player, usize)>,
}

impl Default for Look {
    fn default() -> Look {
        Look { fill: BLANK, filled: None, ring: false, mark: None, coming: None }
    }
}

/// A position with what is to be shown on it.
pub struct Drawing<'a> {
    /// The stones.
    pub position: &'a Position,
    /// How each cell looks.
    pub look: &'a dyn Fn(Cell) -> Look,
    /// From a cell to a better one.
    pub arrows: &'a [(Cell, Cell)],
    /// Between cells that belong together.
    pub links: &'a [(Cell, Cell)],
}

impl Drawing<'_> {
    fn half() -> f64 {
        RADIUS * 3f64.sqrt() / 2.0
    }

    fn centre(&self, row: usize, col: usize) -> (f64, f64) {
        let half = Drawing::half();
        (MARGIN + half + (2 * col + row) as f64 * half, MARGIN + RADIUS + row as f64 * 1.5 * RADIUS)
    }

    fn centre_of(&self, cell: Cell) -> (f64, f64) {
        let (row, col) = self.position.board().coordinates(cell);
        self.centre(row, col)
    }

    /// Width and height.
    pub fn size(&self) -> (f64, f64) {
        let board = self.position.board();
        let (right, bottom) = self.centre(board.rows() - 1, board.cols() - 1);
        (right + Drawing::half() + MARGIN, bottom + RADIUS + MARGIN)
    }

    /// The drawing with its upper left corner here, this many times as large.
    pub fn at(&self, x: f64, y: f64, scale: f64) -> String {
        let mut svg = format!("<g transform=\"translate({x:.1} {y:.1}) scale({scale:.3})\">\n");
        self.sides(&mut svg);
        for cell in self.position.board().cells() {
            self.cell(&mut svg, cell);
        }
        for &(one, two) in self.links {
            self.link(&mut svg, one, two);
        }
        for &(from, to) in self.arrows {
            self.arrow(&mut svg, from, to);
        }
        svg + "</g>\n"
    }

    /// A corner of a hexagon as a point of a path.
    fn corner(&self, row: usize, col: usize, angle: f64) -> String {
        let (x, y) = self.centre(row, col);
        let (sin, cos) = angle.to_radians().sin_cos();
        format!("{:.1},{:.1}", x + RADIUS * cos, y + RADIUS * sin)
    }

    /// Black's sides as dark bands, White's as white ones with an outline. The cells at the two blunt corners belong to both;
    /// there the edge between the two bands goes to Black.
    fn sides(&self, svg: &mut String) {
        let board = self.position.board();
        let (last_row, last_col) = (board.rows() - 1, board.cols() - 1);
        for (player, from, to, angles) in [
            (Player::White, (0, 0), (last_row, 0), [-150.0, 150.0, 90.0]),
            (Player::White, (0, last_col), (last_row, last_col), [-90.0, -30.0, 30.0]),
            (Player::Black, (0, 0), (0, last_col), [-150.0, -90.0, -30.0]),
            (Player::Black, (last_row, 0), (last_row, last_col), [150.0, 90.0, 30.0]),
        ] {
            let mut points = Vec::new();
            for row in from.0..=to.0 {
                for col in from.1..=to.1 {
                    points.extend(angles.map(|angle| self.corner(row, col, angle)));
                }
            }
            if player == Player::White && from.1 == 0 {
                points.pop();
            } else if player == Player::White {
                points.remove(0);
            }
            let colour = if player == Player::Black { INK } else { "#fff" };
            for (colour, width) in [("#777", 10), (colour, 8)] {
                let _ = writeln!(
                    svg,
                    r#"<polyline points="{}" fill="none" stroke="{colour}" stroke-width="{width}" stroke-linejoin="round" stroke-linecap="round"/>"#,
                    points.join(" ")
                );
            }
        }
    }

    fn cell(&self, svg: &mut String, cell: Cell) {
        let board = self.position.board();
        let (row, col) = board.coordinates(cell);
        let look = (self.look)(cell);
        let corners = (0..6).map(|i| self.corner(row, col, f64::from(i) * 60.0 - 90.0));
        let points: Vec<String> = corners.collect();
        let _ =
            writeln!(svg, r#"<polygon points="{}" fill="{}" stroke="{INK}"/>"#, points.join(" "), look.fill);
        let (x, y) = self.centre(row, col);
        if look.ring {
            let _ = writeln!(
                svg,
                r##"<circle cx="{x:.1}" cy="{y:.1}" r="19" fill="none" stroke="#c22" stroke-width="3"/>"##
            );
        }
        if let Some(player) = self.position.get(cell) {
            return stone(svg, x, y, 15, player);
        }
        if let Some((player, number)) = look.coming {
            let _ = writeln!(svg, r#"<g opacity="0.55">"#);
            stone(svg, x, y, 15, player);
            svg.push_str("</g>\n");
            let ink = if player == Player::Black { "#fff" } else { INK };
            let _ = writeln!(
                svg,
                r#"<text x="{x:.1}" y="{:.1}" text-anchor="middle" fill="{ink}">{number}</text>"#,
                y + 4.0
            );
            return;
        }
        match (look.filled, look.mark) {
            (Some(player), None) => stone(svg, x, y - 8.0, 6, player),
            (Some(player), Some(mark)) => {
                stone(svg, x - 6.0, y - 8.0, 6, player);
                label(svg, x + 7.0, y - 4.0, "middle", &mark.to_string());
            }
            (None, Some(mark)) => label(svg, x, y - 3.0, "middle", &mark.to_string()),
            (None, None) => {}
        }
        let y = if look.filled.is_some() || look.mark.is_some() { y + 11.0 } else { y + 4.0 };
        label(svg, x, y, "middle", &board.name(cell));
    }

    /// A bar between two cells that leaves their signs free.
    fn link(&self, svg: &mut String, one: Cell, two: Cell) {
        const GAP: f64 = 13.0;
        let ((x1, y1), (x2, y2)) = (self.centre_of(one), self.centre_of(two));
        let length = length(x2 - x1, y2 - y1).max(1.0);
        let (dx, dy) = (GAP * (x2 - x1) / length, GAP * (y2 - y1) / length);
        let _ = writeln!(
            svg,
            r##"<line class="link" x1="{:.1}" y1="{:.1}" x2="{:.1}" y2="{:.1}" stroke="#8a6d1a" stroke-width="4" stroke-linecap="round"/>"##,
            x1 + dx,
            y1 + dy,
            x2 - dx,
            y2 - dy
        );
    }

    /// From near one centre to near the other, bent a little so that arrows there and back can be told apart.
    fn arrow(&self, svg: &mut String, from: Cell, to: Cell) {
        const GAP: f64 = 13.0;
        const HEAD: f64 = 7.0;
        let ((x1, y1), (x2, y2)) = (self.centre_of(from), self.centre_of(to));
        let length = length(x2 - x1, y2 - y1);
        if length <= 2.0 * GAP {
            return;
        }
        let (dx, dy) = ((x2 - x1) / length, (y2 - y1) / length);
        let bend = length / 8.0;
        let (cx, cy) = ((x1 + x2) / 2.0 - dy * bend, (y1 + y2) / 2.0 + dx * bend);
        let towards = |x: f64, y: f64, away: f64| {
            let far = self::length(cx - x, cy - y);
            (x + (cx - x) / far * away, y + (cy - y) / far * away)
        };
        let ((sx, sy), (tx, ty)) = (towards(x1, y1, GAP), towards(x2, y2, GAP));
        // The head points along the end of the curve.
        let far = self::length(tx - cx, ty - cy);
        let (ux, uy) = ((tx - cx) / far, (ty - cy) / far);
        let side = |sign: f64| {
            format!(
                "{:.1},{:.1}",
                tx - HEAD * ux - sign * HEAD / 2.0 * uy,
                ty - HEAD * uy + sign * HEAD / 2.0 * ux
            )
        };
        let _ = writeln!(
            svg,
            r##"<path class="arrow" d="M{sx:.1},{sy:.1} Q{cx:.1},{cy:.1} {tx:.1},{ty:.1}" fill="none" stroke="#a33" stroke-width="1.6"/><polygon points="{tx:.1},{ty:.1} {} {}" fill="#a33"/>"##,
            side(1.0),
            side(-1.0),
        );
    }
}

fn stone(svg: &mut String, x: f64, y: f64, radius: u8, player: Player) {
    let colour = if player == Player::Black { INK } else { "#fff" };
    let _ = writeln!(svg, r#"<circle cx="{x:.1}" cy="{y:.1}" r="{radius}" fill="{colour}" stroke="{INK}"/>"#);
}

/// The length of a vector. `hypot` would need a C library of 2022.
fn length(x: f64, y: f64) -> f64 {
    (x * x + y * y).sqrt()
}
