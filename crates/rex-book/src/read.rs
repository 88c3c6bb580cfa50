use std::collections::HashMap;
use std::collections::hash_map::Entry as Slot;

use rex_game::{Board, Cell, Player, State};
use rex_search::BookEntry;

use crate::write::check;
use crate::{Chapter, Entry, HEAD, OpeningBook, Source};

/// Why a text is not a book.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a book of openings: line {line}: {reason}")]
pub struct BookError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong there.
    pub reason: String,
}

impl OpeningBook {
    /// Reads a book.
    ///
    /// # Errors
    /// If it is damaged, of another version, or contradicts itself or the rules of the game.
    pub fn parse(text: &str) -> Result<OpeningBook, BookError> {
        let lines = text.lines().count();
        let at = |line: usize| move |reason: String| BookError { line, reason };
        if text.lines().next() != Some(HEAD) {
            return Err(at(1)(format!("expected '{HEAD}'")));
        }
        let body = intact(text).map_err(at(lines.max(1)))?;
        let mut book = OpeningBook { chapters: Vec::new(), known: HashMap::new() };
        for (index, line) in body.lines().enumerate().skip(1) {
            book.take(line).map_err(at(index + 1))?;
        }
        book.follow_lines().map_err(at(lines))?;
        Ok(book)
    }

    /// Takes in a line.
    fn take(&mut self, line: &str) -> Result<(), String> {
        if let Some(head) = line.strip_prefix("board ") {
            let (board, source) = head.split_once(' ').ok_or("expected a board, and how it was found")?;
            let board = board.parse().map_err(|_| format!("'{board}' is not a board"))?;
            let known = Source::ALL.into_iter().find(|known| known.to_string() == source);
            let source = known.ok_or_else(|| format!("'{source}' is not how a position is found"))?;
            self.chapters.push(Chapter { board, source, entries: Vec::new() });
            return Ok(());
        }
        let chapter = self.chapters.last_mut().ok_or("an entry before the first board")?;
        let board = chapter.board;
        let entry = entry(board, line)?;
        let state = entry.state(board);
        if self
            .known
            .insert(state.canonical().0, known(&state, entry.winner, entry.line.first().copied()))
            .is_some()
        {
            return Err("this position has an entry already".to_owned());
        }
        chapter.entries.push(entry);
        Ok(())
    }

    /// Takes in the positions on the lines of play. If one has an entry of its own, it must have the same winner.
    fn follow_lines(&mut self) -> Result<(), String> {
        for Chapter { board, entries, .. } in &self.chapters {
            for entry in entries {
                let mut state = entry.state(*board);
                for (played, &cell) in entry.line.iter().enumerate() {
                    state = state.play(cell);
                    let next = known(&state, entry.winner, entry.line.get(played + 1).copied());
                    match self.known.entry(state.canonical().0) {
                        Slot::Vacant(slot) => drop(slot.insert(next)),
                        Slot::Occupied(slot) if slot.get().winner == next.winner => {}
                        Slot::Occupied(_) => return Err(format!("two lines disagree on who wins '{state}'")),
                    }
                }
            }
        }
        Ok(())
    }
}

/// The text before its last line, which has its check sum.
fn intact(text: &str) -> Result<&str, String> {
    let body = text.strip_suffix('\n').ok_or("the last line is not complete")?;
    let (before, last) = body.rsplit_once('\n').ok_or("there is no check sum")?;
    let before = &text[..before.len() + 1];
    let found = last.strip_prefix("check ").ok_or("expected the check sum")?;
    if found == format!("{:016x}", check(before)) {
        Ok(before)
    } else {
        Err("the check sum does not match".to_owned())
    }
}

/// Reads `a1 b2: w c3 d4`.
fn entry(board: Board, line: &str) -> Result<Entry, String> {
    let (moves, rest) = line.split_once(": ").ok_or("expected moves, a colon, and the winner")?;
    let (winner, line) = rest.split_once(' ').unwrap_or((rest, ""));
    let winner = match winner {
        "b" => Player::Black,
        "w" => Player::White,
        _ => return Err(format!("'{winner}' is not a player; expected 'b' or 'w'")),
    };
    let mut state = State::new(board);
    let mut play = |words: &str| {
        let mut cells = Vec::new();
        for word in words.split(' ').filter(|word| !word.is_empty()) {
            let cell = board.cell_named(word).filter(|&cell| state.moves().has(cell));
            let cell = cell.ok_or_else(|| format!("'{word}' is not a move here"))?;
            state = state.play(cell);
            cells.push(cell);
        }
        Ok::<_, String>(cells)
    };
    let entry = Entry { moves: play(moves)?, winner, line: play(line)? };
    match state.position.winner() {
        Some(player) if player != winner => Err("the winner loses at the end of the line".to_owned()),
        _ => Ok(entry),
    }
}

/// What is known of the canonical image of a state.
fn known(state: &State, winner: Player, best: Option<Cell>) -> BookEntry {
    BookEntry { winner, best }.image(state.board(), state.canonical().1)
}
