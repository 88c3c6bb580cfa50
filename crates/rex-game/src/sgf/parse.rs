use std::borrow::Cow;
use std::ops::Range;

use super::{Collection, Property, SgfNode, Value};
use crate::NotationError;
use crate::notation::quoted;

/// The text of a file. Older files are mostly Latin-1, not UTF-8; the moves are ASCII either way.
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.into(),
        Err(_) => bytes.iter().map(|&byte| byte as char).collect::<String>().into(),
    }
}

impl Collection {
    /// Reads the games of a file. Only checks the syntax; [`Game::record`](super::Game::record) gives it a meaning.
    ///
    /// # Errors
    /// If it is not SGF; the message gives line and column.
    pub fn parse(text: &str) -> Result<Collection, NotationError> {
        let mut reader = Reader { text, at: 0, games: Collection::default(), open: Vec::new(), last: None };
        reader.games().map_err(|error| error.located(text))?;
        let mut games = Collection { text: text.to_owned(), ..reader.games };
        games.settle_players();
        games.settle_swaps();
        Ok(games)
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    games: Collection,
    /// For each open parenthesis: its place, and the node it hangs on.
    open: Vec<(usize, Option<SgfNode>)>,
    last: Option<SgfNode>,
}

/// What was read last, as far as it decides what may come next.
#[derive(Clone, Copy, PartialEq)]
enum Before {
    Opening,
    SgfNode,
    Closing,
}

impl Reader<'_> {
    fn games(&mut self) -> Result<(), NotationError> {
        let mut before = Before::Closing;
        while let Some(symbol) = self.next_symbol() {
            let place = self.at..self.at + symbol.len_utf8();
            self.at = place.end;
            before = match (symbol, before) {
                ('(', Before::Opening) => return Err(unexpected("'('", "';'", place)),
                ('(', _) => {
                    self.open.push((place.start, self.last));
                    Before::Opening
                }
                (';', Before::Opening | Before::SgfNode) if !self.open.is_empty() => {
                    self.node()?;
                    Before::SgfNode
                }
                (')', Before::SgfNode | Before::Closing) => {
                    let Some((_, parent)) = self.open.pop() else {
                        return Err(unexpected("')'", "'(;' or the end", place));
                    };
                    self.last = parent;
                    Before::Closing
                }
                _ => {
                    let expected = match before {
                        Before::Opening => "';'",
                        Before::SgfNode => "a property, ';', '(' or ')'",
                        Before::Closing if self.open.is_empty() => "'(;' or the end",
                        Before::Closing => "'(' or ')'",
                    };
                    return Err(unexpected(&quoted(&self.text[place.clone()]), expected, place));
                }
            };
        }
        let end = self.text.trim_end().len();
        if !self.open.is_empty() {
            return Err(NotationError::new("the game is not closed", "')'", end..end));
        }
        if self.games.roots.is_empty() {
            return Err(NotationError::new("no game", "'(;'", 0..end));
        }
        Ok(())
    }

    fn node(&mut self) -> Result<(), NotationError> {
        let node = self.games.add_node();
        match self.last {
            Some(parent) => self.games.nodes[parent.0].children.push(node),
            None => self.games.roots.push(node),
        }
        self.last = Some(node);
        while self.next_symbol().is_some_and(|c| c.is_ascii_alphanumeric()) {
            let start = self.at;
            self.at += self.text[start..].bytes().take_while(u8::is_ascii_alphanumeric).count();
            let name = start..self.at;
            let mut values = Vec::new();
            while self.next_symbol() == Some('[') {
                values.push(self.value()?);
            }
            let name = &self.text[name];
            if values.is_empty() {
                let message = format!("{} has no value", quoted(name));
                return Err(NotationError::new(message, "'['", self.at..self.at));
            }
            self.games.nodes[node.0].properties.push(Property { name: name.to_owned(), values });
        }
        Ok(())
    }

    /// Reads the text between brackets.
    fn value(&mut self) -> Result<Value, NotationError> {
        let start = self.at + 1;
        let mut escaped = false;
        for (offset, symbol) in self.text[start..].char_indices() {
            match symbol {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                ']' => {
                    let span = start..start + offset;
                    self.at = span.end + 1;
                    return Ok(Value { raw: self.text[span.clone()].to_owned(), span });
                }
                _ => {}
            }
        }
        Err(NotationError::new("the value is not closed", "']'", start - 1..start))
    }

    /// Moves `at` to the next symbol that is not a space (or byte order mark), and returns the symbol.
    fn next_symbol(&mut self) -> Option<char> {
        let rest = &self.text[self.at..];
        self.at =
            self.text.len() - rest.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}').len();
        self.text[self.at..].chars().next()
    }
}

fn unexpected(what: &str, expected: &str, place: Range<usize>) -> NotationError {
    NotationError::new(format!("unexpected {what}"), expected, place)
}
