use rex_game::Player;

/// Means "impossible": the other player has won.
pub const INFINITE: u32 = 0xff_ffff;
/// The largest number an unsolved position can have.
const LARGEST: u32 = INFINITE - 1;

/// Proof numbers of a position: for each player, about how many undecided positions she must still win to show
/// that she wins. Zero: she wins. They are kept by part (Last, Notlast), not by colour or side to move,
/// because a part stays the same for a whole game and in every image of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// For Last to win.
    pub last: u32,
    /// For Notlast to win.
    pub notlast: u32,
}

/// The two parts in a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// The player who would colour the last cell.
    Last,
    /// The other one.
    Notlast,
}

impl Part {
    /// The part of a player.
    pub fn of(player: Player, last: Player) -> Part {
        if player == last { Part::Last } else { Part::Notlast }
    }

    /// The player of this part.
    pub fn player(self, last: Player) -> Player {
        match self {
            Part::Last => last,
            Part::Notlast => !last,
        }
    }

    /// The other part.
    pub fn other(self) -> Part {
        match self {
            Part::Last => Part::Notlast,
            Part::Notlast => Part::Last,
        }
    }
}

impl Bounds {
    /// For a position that nothing is known about.
    pub const UNKNOWN: Bounds = Bounds { last: 1, notlast: 1 };

    /// As a limit: only a decided position reaches it.
    pub const NO_LIMIT: Bounds = Bounds { last: INFINITE, notlast: INFINITE };

    /// Whether one of the numbers reaches its limit.
    pub fn reaches(self, limit: Bounds) -> bool {
        self.last >= limit.last || self.notlast >= limit.notlast
    }

    /// The bounds of a position that this part has won.
    pub fn won_by(winner: Part) -> Bounds {
        match winner {
            Part::Last => Bounds { last: 0, notlast: INFINITE },
            Part::Notlast => Bounds { last: INFINITE, notlast: 0 },
        }
    }

    /// Unsolved bounds from the numbers of the side to move and of the other side. Both are kept above zero
    /// and below infinity.
    pub fn unsolved(mover: Part, own: u32, other: u32) -> Bounds {
        Bounds::of(mover, own.clamp(1, LARGEST), other.clamp(1, LARGEST))
    }

    /// Bounds from a part's number and the other part's.
    pub fn of(part: Part, own: u32, other: u32) -> Bounds {
        match part {
            Part::Last => Bounds { last: own, notlast: other },
            Part::Notlast => Bounds { last: other, notlast: own },
        }
    }

    /// The number of this part.
    pub fn get(self, part: Part) -> u32 {
        match part {
            Part::Last => self.last,
            Part::Notlast => self.notlast,
        }
    }

    /// Who has won, if that is known.
    pub fn winner(self) -> Option<Part> {
        match self {
            Bounds { last: 0, .. } => Some(Part::Last),
            Bounds { notlast: 0, .. } => Some(Part::Notlast),
            _ => None,
        }
    }

    /// As bytes: the number of Last, then that of Notlast, both big-endian.
    pub fn bytes(self) -> [u8; Bounds::BYTES] {
        (u64::from(self.last) << 32 | u64::from(self.notlast)).to_be_bytes()
    }

    /// The length of [`Bounds::bytes`].
    pub const BYTES: usize = 8;

    /// Reads bounds back without checking them, see [`Bounds::checked`].
    pub fn from_bytes(bytes: &[u8; Bounds::BYTES]) -> Bounds {
        let both = u64::from_be_bytes(*bytes);
        Bounds { last: (both >> 32) as u32, notlast: both as u32 }
    }

    /// These bounds, if a search could produce them: both numbers are open, or one player has certainly won.
    pub fn checked(self) -> Option<Bounds> {
        let possible = match self.winner() {
            Some(winner) => Bounds::won_by(winner),
            None => Bounds::unsolved(Part::Last, self.last, self.notlast),
        };
        (self == possible).then_some(self)
    }
}
