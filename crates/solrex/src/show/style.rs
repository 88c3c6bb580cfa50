//! The colours of the terminal. Everything can be read without them.

use anstyle::{AnsiColor, Style};

/// The word `error`.
pub const ERROR: Style = AnsiColor::Red.on_default().bold();
/// A move that wins.
pub const WIN: Style = AnsiColor::Green.on_default().bold();
/// A move that loses.
pub const LOSS: Style = AnsiColor::Red.on_default();
/// A black stone.
pub const BLACK: Style = Style::new().bold();
/// A white stone.
pub const WHITE: Style = AnsiColor::Cyan.on_default().bold();
/// What is there but does not matter.
pub const FAINT: Style = Style::new().dimmed();
/// The verdict, and titles.
pub const STRONG: Style = Style::new().bold();

/// The text in a style.
pub fn paint(style: Style, text: impl std::fmt::Display) -> String {
    format!("{style}{text}{style:#}")
}
