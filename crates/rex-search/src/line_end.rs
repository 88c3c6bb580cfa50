/// Why a line of play ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LineEnd {
    /// The game is over.
    Over,
    /// Fill-in joins the loser's sides.
    FillIn,
    /// A pairing joins the loser's sides.
    Pairing,
    /// The position looks the same to both players. This names the winner, but no moves.
    Symmetry,
    /// No winning move is known without search.
    Unknown,
}

impl LineEnd {
    /// The word for it in output.
    pub fn word(self) -> &'static str {
        match self {
            LineEnd::Over => "over",
            LineEnd::FillIn => "fill-in",
            LineEnd::Pairing => "pairing",
            LineEnd::Symmetry => "symmetry",
            LineEnd::Unknown => "unknown",
        }
    }
}
