//! Sheets of drawings, one page below the other. A full page is one of A4.

use super::{Drawing, label, open};

const WIDTH: f64 = 794.0;
/// The height of a row of drawings.
const ROW: f64 = 250.0;
const MARGIN: f64 = 40.0;
const TITLE: f64 = 40.0;
/// Room for the lines below a drawing.
const NOTE: f64 = 15.0;
const NOTES: usize = 3;
const ACROSS: usize = 3;
const DOWN: usize = 4;

/// A drawing with what stands below it.
pub struct Figure<'a> {
    /// The drawing.
    pub drawing: Drawing<'a>,
    /// The lines below it.
    pub notes: Vec<String>,
}

/// Chapters that each start a new page.
pub fn sheet(title: &str, chapters: &[(&str, Vec<Figure>)]) -> String {
    let pages: Vec<(String, &[Figure])> = chapters
        .iter()
        .flat_map(|(name, figures)| figures.chunks(ACROSS * DOWN).map(move |page| ((*name).to_owned(), page)))
        .collect();
    // All pages are as high as the fullest.
    let rows = pages.iter().map(|(_, figures)| figures.len().div_ceil(ACROSS)).max().unwrap_or(0);
    let page_height = 2.0 * MARGIN + TITLE + ROW * rows as f64;
    let mut svg = open(WIDTH, page_height * pages.len().max(1) as f64, title);
    for (number, (heading, figures)) in pages.iter().enumerate() {
        let top = page_height * number as f64;
        if number > 0 {
            svg += &format!("<line x1=\"0\" y1=\"{top}\" x2=\"{WIDTH}\" y2=\"{top}\" stroke=\"#ddd\"/>\n");
        }
        label(&mut svg, MARGIN, top + MARGIN + 8.0, "start", heading);
        for (place, figure) in figures.iter().enumerate() {
            let (column, row) = (place % ACROSS, place / ACROSS);
            let room = ((WIDTH - 2.0 * MARGIN) / ACROSS as f64, ROW);
            let (x, y) = (MARGIN + column as f64 * room.0, top + MARGIN + TITLE + row as f64 * room.1);
            let (width, height) = figure.drawing.size();
            let scale = (room.0 / width).min((room.1 - NOTES as f64 * NOTE) / height);
            svg += &figure.drawing.at(x, y, scale);
            for (i, note) in figure.notes.iter().enumerate() {
                label(&mut svg, x + 8.0, y + scale * height + i as f64 * NOTE, "start", note);
            }
        }
    }
    svg + "</svg>\n"
}
