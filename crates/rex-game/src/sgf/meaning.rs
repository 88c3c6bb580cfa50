//! What the properties mean.

use std::ops::RangeInclusive;

use super::{Game, Property, SgfNode, SgfNodeData, Value};
use crate::notation::{quoted, read_cell, too_many_cells};
use crate::{Action, ActionKind, Board, Cell, CellSet, GameRecord, NotationError, Player, State};

/// The board size if the file gives none.
const DEFAULT_SIZE: usize = 11;

impl Game<'_> {
    /// The main line, to its end. Where stones are set up, the record starts over.
    ///
    /// # Errors
    /// If it is not Hex, or the board, a cell or a move is impossible; the message gives line and column.
    pub fn record(&self) -> Result<GameRecord, NotationError> {
        let first = |node: &SgfNode| self.games.nodes[node.0].children.first().copied();
        let main_line: Vec<SgfNode> = std::iter::successors(Some(self.root), first).collect();
        self.read(&main_line).map_err(|error| error.located(&self.games.text))
    }

    /// The main line, then the variations, each from the start to its end; at most this many lines.
    ///
    /// ```
    /// use rex_game::sgf::Collection;
    ///
    /// let games = Collection::parse("(;GM[11]SZ[4];B[d1](;W[a1])(;W[c1];B[a1]))")?;
    /// let lines = games.only_game()?.lines(10)?;
    /// let ends: Vec<String> = lines.iter().map(|line| line.end().to_string()).collect();
    /// assert_eq!(ends, ["w2b/4/4/4 b", "b1wb/4/4/4 w"]);
    /// # Ok::<(), rex_game::NotationError>(())
    /// ```
    ///
    /// # Errors
    /// Like [`Game::record`], for any of them.
    pub fn lines(&self, most: usize) -> Result<Vec<GameRecord>, NotationError> {
        let mut lines = Vec::new();
        let mut path = Vec::new();
        // Nodes still to visit, with their depth.
        let mut next = vec![(self.root, 0)];
        while let Some((node, depth)) = next.pop()
            && lines.len() < most
        {
            path.truncate(depth);
            path.push(node);
            let children = &self.games.nodes[node.0].children;
            if children.is_empty() {
                lines.push(self.read(&path).map_err(|error| error.located(&self.games.text))?);
            }
            next.extend(children.iter().rev().map(|&child| (child, depth + 1)));
        }
        Ok(lines)
    }

    /// The empty board that the file names.
    pub(super) fn start(&self) -> Result<State, NotationError> {
        let root = &self.games.nodes[self.root.0];
        if let Some(game) = root.value("GM")?
            && game.raw.trim() != "11"
        {
            let message = format!("the game type is {}", quoted(game.raw.trim()));
            return Err(game.error(message, "GM[11], Hex"));
        }
        Ok(State::new(root.board()?))
    }

    /// The line through these nodes.
    fn read(&self, path: &[SgfNode]) -> Result<GameRecord, NotationError> {
        let mut record = GameRecord::new(self.start()?);
        let mut shown = usize::MAX;
        for node in path {
            let data = &self.games.nodes[node.0];
            let start = data.set_up(record.end())?;
            if start != record.end() {
                record = GameRecord::new(start);
                shown = usize::MAX;
            }
            for property in &data.properties {
                if let Some(player) = property.mover() {
                    record.push(Action { player, kind: property.only_value()?.kind(&record.end())? });
                }
            }
            if data.property("IP").is_some() {
                shown = record.actions().len();
            }
        }
        record.show(shown);
        Ok(record)
    }
}

impl SgfNodeData {
    pub(super) fn property(&self, name: &str) -> Option<&Property> {
        self.properties.iter().find(|property| property.key() == name)
    }

    fn value(&self, name: &str) -> Result<Option<&Value>, NotationError> {
        self.property(name).map(Property::only_value).transpose()
    }

    fn board(&self) -> Result<Board, NotationError> {
        const EXPECTED: &str = "a number, or columns and rows such as '6:5'";
        let Some(size) = self.value("SZ")? else {
            return Board::new(DEFAULT_SIZE, DEFAULT_SIZE).map_err(|_| {
                let message = "there is no SZ, so the board is 11x11, with 121 cells";
                NotationError::too_many_cells(message, (DEFAULT_SIZE, DEFAULT_SIZE), 0..0)
            });
        };
        let number = |text: &str| match text.trim().parse() {
            Ok(number @ 1..=999) => Ok(number),
            _ => Err(size.error(format!("bad size {}", quoted(&size.raw)), EXPECTED)),
        };
        let (cols, rows) = match size.raw.split_once(':') {
            Some((cols, rows)) => (number(cols)?, number(rows)?),
            None => (number(&size.raw)?, number(&size.raw)?),
        };
        Board::new(rows, cols).map_err(|_| too_many_cells(rows, cols, size.span.clone()))
    }

    /// The state after the stones that this node sets up and clears.
    pub(super) fn set_up(&self, mut state: State) -> Result<State, NotationError> {
        for property in &self.properties {
            let stone = match property.key().as_str() {
                "AB" => Some(Player::Black),
                "AW" => Some(Player::White),
                "AE" => None,
                _ => continue,
            };
            for value in &property.values {
                for cell in value.cells(state.board())? {
                    state.position.set(cell, stone);
                }
            }
        }
        if let Some(player) = self.value("PL")? {
            state.to_move = player.player().ok_or_else(|| {
                let named = player.raw.trim().to_ascii_lowercase();
                player.error(format!("{} is not a player", quoted(&named)), "'B' or 'W'")
            })?;
        }
        Ok(state)
    }
}

impl Property {
    /// The name without the lower-case letters that old files pad it with, unless it has no others.
    pub(super) fn key(&self) -> String {
        let short: String = self.name.chars().filter(|c| !c.is_ascii_lowercase()).collect();
        if short.is_empty() { self.name.clone() } else { short }
    }

    /// Whose move this is, if it is one.
    pub(super) fn mover(&self) -> Option<Player> {
        match self.key().as_str() {
            "B" => Some(Player::Black),
            "W" => Some(Player::White),
            _ => None,
        }
    }

    pub(super) fn only_value(&self) -> Result<&Value, NotationError> {
        match &self.values[..] {
            [value] => Ok(value),
            [_, second, ..] => {
                Err(second.error(format!("{} has a second value", quoted(&self.name)), "only one"))
            }
            [] => unreachable!("the reader and `set` make no property without a value"),
        }
    }
}

impl Value {
    fn error(&self, message: impl Into<String>, expected: impl Into<String>) -> NotationError {
        NotationError::new(message, expected, self.span.clone())
    }

    /// What the player does, if this is the value of a `B` or `W`.
    pub(super) fn kind(&self, state: &State) -> Result<ActionKind, NotationError> {
        let word = self.raw.trim().to_ascii_lowercase();
        let kind = match word.as_str() {
            "" => ActionKind::Pass,
            "resign" => ActionKind::Resign,
            "forfeit" => ActionKind::Forfeit,
            name => match ActionKind::from_word(name) {
                Some(kind) => kind,
                None => ActionKind::Play(read_cell(state, &cell_name(name), self.span.clone())?),
            },
        };
        kind.check_mirror(state, self.span.clone())?;
        Ok(kind)
    }

    /// The cells of a single point or a rectangle.
    fn cells(&self, board: Board) -> Result<CellSet, NotationError> {
        let (from, to) = self.raw.split_once(':').unwrap_or((&self.raw, &self.raw));
        let corner = |name: &str| {
            board.cell_named(&cell_name(name.trim())).ok_or_else(|| {
                let last = board.name(Cell::new(board.len() - 1));
                self.error(
                    format!("{} is not a cell of the {board} board", quoted(name)),
                    format!("one from a1 to {last}"),
                )
            })
        };
        let ((row, col), (other_row, other_col)) =
            (board.coordinates(corner(from)?), board.coordinates(corner(to)?));
        // The upper left corner should come first, but any two opposite corners will do.
        let (rows, cols) = (between(row, other_row), between(col, other_col));
        let cells = rows.flat_map(|row| cols.clone().filter_map(move |col| board.cell(row, col)));
        Ok(cells.collect())
    }
}

fn between(one: usize, other: usize) -> RangeInclusive<usize> {
    one.min(other)..=one.max(other)
}

/// The name of a cell, which may be written as in Go, with a letter for the row too.
fn cell_name(text: &str) -> String {
    match text.as_bytes() {
        &[col, row] if col.is_ascii_alphabetic() && row.is_ascii_alphabetic() => {
            format!("{}{}", col as char, row.to_ascii_lowercase() - b'a' + 1)
        }
        _ => text.to_owned(),
    }
}
