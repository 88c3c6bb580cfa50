/// Why a line of play ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LineEnd {
    /// The game is over.
    Over,
    /// Fill-in joins the loser's sides.
    FillIn,
    /// A pairing joins the loser's sides.
    Pairing,
    /// The position looks the same to both players. So the winner is certain, but her moves are not
    /// known.
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
