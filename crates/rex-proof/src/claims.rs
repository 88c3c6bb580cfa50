//! The claims of a certificate by number, for those who read it after it was checked.

use std::collections::TryReserveError;
use std::fmt::Write as _;

use rex_game::Board;

use crate::claim::{Claim, ClaimId};
use crate::parse;

/// The claims of a certificate. They are kept as text, which takes little memory, and read one at a time.
#[derive(Clone, Debug)]
pub struct Claims {
    board: Board,
    text: String,
    /// The number of each claim, and where its line ends.
    ends: Vec<(ClaimId, usize)>,
    line: String,
}

impl Claims {
    /// No claims yet.
    pub fn new(board: Board) -> Claims {
        Claims { board, text: String::new(), ends: Vec::new(), line: String::new() }
    }

    /// Adds a claim that has been checked. Numbers increase.
    ///
    /// # Errors
    /// If there is no memory for it.
    pub fn add(&mut self, claim: &Claim) -> Result<(), TryReserveError> {
        self.line.clear();
        let _ = write!(self.line, "{claim}");
        self.text.try_reserve(self.line.len())?;
        self.ends.try_reserve(1)?;
        self.text.push_str(&self.line);
        self.ends.push((claim.id, self.text.len()));
        Ok(())
    }

    /// The claim with this number.
    pub fn get(&self, id: ClaimId) -> Option<Claim> {
        let at = self.ends.binary_search_by_key(&id, |&(id, _)| id).ok()?;
        let start = if at == 0 { 0 } else { self.ends[at - 1].1 };
        parse::claim(self.board, &self.text[start..self.ends[at].1]).ok()
    }

    /// The board.
    pub fn board(&self) -> Board {
        self.board
    }

    /// About how many bytes of memory they take.
    pub fn bytes(&self) -> u64 {
        (self.text.capacity() + self.ends.capacity() * size_of::<(ClaimId, usize)>()) as u64
    }
}
