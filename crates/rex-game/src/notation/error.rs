use std::ops::Range;

use crate::MAX_CELLS;

/// How many columns of the input [`NotationError::render`] shows, and how many of them each side of the place is sure of.
const WINDOW: usize = 76;
const HALF: usize = WINDOW / 2;

/// A text that is not a position, move list or diagram: what is wrong, where, and what was expected.
///
/// ```
/// let input = "1b1w/3x/w2b/2b1 b";
/// let error = input.parse::<rex_game::State>().unwrap_err();
/// assert_eq!(error.to_string(), "unknown letter 'x' in row 2; expected 'b', 'w', a number or '/'");
/// assert_eq!(error.span(), 6..7);
/// assert_eq!(
///     error.render(input),
///     "unknown letter 'x' in row 2; expected 'b', 'w', a number or '/'
///   1b1w/3x/w2b/2b1 b
///         ^"
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}; expected {expected}")]
pub struct NotationError {
    message: String,
    expected: String,
    span: Range<usize>,
    /// Rows and columns of a board that is larger than any of ours.
    too_large: Option<(usize, usize)>,
}

impl NotationError {
    pub(crate) fn new(
        message: impl Into<String>,
        expected: impl Into<String>,
        span: Range<usize>,
    ) -> NotationError {
        NotationError { message: message.into(), expected: expected.into(), span, too_large: None }
    }

    /// A board of this size was read, and has too many cells.
    pub(crate) fn too_many_cells(
        message: impl Into<String>,
        (rows, cols): (usize, usize),
        span: Range<usize>,
    ) -> NotationError {
        let expected = format!("at most {MAX_CELLS}");
        NotationError { too_large: Some((rows, cols)), ..NotationError::new(message, expected, span) }
    }

    /// Rows and columns, if all that is wrong is that the board is larger than any of ours.
    pub fn too_large(&self) -> Option<(usize, usize)> {
        self.too_large
    }

    /// The same error for a text that has this many more bytes in front.
    pub(crate) fn shifted(self, by: usize) -> NotationError {
        NotationError { span: self.span.start + by..self.span.end + by, ..self }
    }

    /// The error with line and column in `text`, counted from one, in front of its message.
    pub(crate) fn located(self, text: &str) -> NotationError {
        let before = &text[..self.span.start];
        let line = before.matches('\n').count() + 1;
        let column = before.chars().rev().take_while(|&c| c != '\n').count() + 1;
        NotationError { message: format!("line {line}, column {column}: {}", self.message), ..self }
    }

    /// What is wrong, without what was expected.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// What would have been right.
    pub fn expected(&self) -> &str {
        &self.expected
    }

    /// The bytes of the input that are wrong. Empty if something is missing there.
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// The message, the line of the input that is wrong, and carets under the place.
    ///
    /// Long lines are clipped around the place, and control characters are shown escaped.
    pub fn render(&self, input: &str) -> String {
        // If this is not the input that was read, the place is useless, but there is no panic.
        let place = |at: usize| if input.is_char_boundary(at) { at } else { input.len() };
        let start = place(self.span.start);
        let end = place(self.span.end).max(start);
        let line_start = input[..start].rfind('\n').map_or(0, |i| i + 1);
        let line_end = input[start..].find('\n').map_or(input.len(), |i| start + i);
        let before = &input[line_start..start];
        let after = input[start..line_end].trim_end_matches('\r');

        // If one side has little text, the other gets its room.
        let (_, used) = take(after.chars(), HALF);
        let (kept_before, used) = take(before.chars().rev(), WINDOW - used);
        let (kept_after, _) = take(after.chars(), WINDOW - used);
        let left = &before[before.len() - kept_before..];
        let right = &after[..kept_after];
        let clip = |clipped| if clipped { "…" } else { "" };
        let (clip_left, clip_right) = (clip(left.len() < before.len()), clip(right.len() < after.len()));

        let marked = &right[..right.len().min(end - start)];
        let indent = width(left) + usize::from(!clip_left.is_empty());
        format!(
            "{self}\n  {clip_left}{}{}{clip_right}\n  {}{}",
            shown(left),
            shown(right),
            " ".repeat(indent),
            "^".repeat(width(marked).max(1)),
        )
    }
}

/// The text in quotes for a message: escaped, and clipped to keep the message on one short line.
pub(crate) fn quoted(text: &str) -> String {
    const MOST: usize = 16;
    let clipped = if text.chars().nth(MOST).is_some() { "…" } else { "" };
    let start: String = text.chars().take(MOST).collect();
    format!("'{}{clipped}'", shown(&start))
}

/// How many bytes of these characters fit into this many columns, and how many columns they take.
fn take(chars: impl Iterator<Item = char>, columns: usize) -> (usize, usize) {
    let (mut bytes, mut used) = (0, 0);
    for c in chars {
        let wide = char_width(c);
        if used + wide > columns {
            break;
        }
        bytes += c.len_utf8();
        used += wide;
    }
    (bytes, used)
}

fn shown(text: &str) -> String {
    text.chars().map(shown_char).collect()
}

/// Escapes whatever moves the cursor or has no width, so that the caret points to the right place.
fn shown_char(c: char) -> String {
    match c {
        '\'' | '"' | '\\' => c.to_string(),
        _ => c.escape_debug().collect(),
    }
}

fn width(text: &str) -> usize {
    text.chars().map(char_width).sum()
}

/// The width of a character on a terminal, as shown. People paste few wide characters outside these blocks.
fn char_width(c: char) -> usize {
    match c {
        ' '..='~' => 1,
        '\u{1100}'..='\u{115f}'
        | '\u{2e80}'..='\u{a4cf}'
        | '\u{ac00}'..='\u{d7a3}'
        | '\u{f900}'..='\u{faff}'
        | '\u{fe30}'..='\u{fe6f}'
        | '\u{ff01}'..='\u{ff60}'
        | '\u{ffe0}'..='\u{ffe6}'
        | '\u{1f300}'..='\u{1f64f}'
        | '\u{1f900}'..='\u{1f9ff}'
        | '\u{20000}'..='\u{3fffd}' => shown_char(c).chars().count().max(2),
        _ => shown_char(c).chars().count(),
    }
}
