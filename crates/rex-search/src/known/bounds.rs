use rex_game::Player;

/// Means "impossible": the other player has won.
pub const INFINITE: u64 = 1 << 53;
/// The largest number an unsolved position can have: the last before [`INFINITE`] that has a code.
pub(crate) const LARGEST: u64 = INFINITE - (1 << 29);

/// Proof numbers of a position: for each player, about how many undecided positions she must still win to show
/// that she wins. Zero: she wins. They are kept by part (Last, Notlast), not by colour or side to move,
/// because a part stays the same for a whole game and in every image of a position.
///
/// The numbers of a position are such as [`Bounds::code`] has a code for. Limits may lie between them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// For Last to win.
    pub last: u64,
    /// For Notlast to win.
    pub notlast: u64,
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

    /// Unsolved bounds from the numbers of the side to move and of the other side. Both are rounded up to one that has a
    /// code, and kept above zero and below infinity.
    pub fn unsolved(mover: Part, own: u64, other: u64) -> Bounds {
        let open = |number: u64| number_of(code_of(number.clamp(1, LARGEST)));
        Bounds::of(mover, open(own), open(other))
    }

    /// Bounds from a part's number and the other part's.
    pub fn of(part: Part, own: u64, other: u64) -> Bounds {
        match part {
            Part::Last => Bounds { last: own, notlast: other },
            Part::Notlast => Bounds { last: other, notlast: own },
        }
    }

    /// The number of this part.
    pub fn get(self, part: Part) -> u64 {
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

    /// Both numbers in the low [`Bounds::CODE_BITS`] bits, and zeros above. Never zero: one number is open or infinite.
    pub fn code(self) -> u64 {
        code_of(self.last) << NUMBER_BITS | code_of(self.notlast)
    }

    /// The length of [`Bounds::code`].
    pub const CODE_BITS: u32 = 2 * NUMBER_BITS;

    /// Reads a code back without checking it, see [`Bounds::checked`].
    pub fn from_code(code: u64) -> Bounds {
        let number = |code: u64| number_of(code & ((1 << NUMBER_BITS) - 1));
        Bounds { last: number(code >> NUMBER_BITS), notlast: number(code) }
    }

    /// The least bounds that have a code and are no less than these.
    pub fn rounded_up(self) -> Bounds {
        Bounds::from_code(self.code())
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

/// Numbers have codes of so many bits. Small numbers are their own codes. Of larger ones a code keeps the leading 24 bits,
/// the first of which is always set, and how many others there were.
const NUMBER_BITS: u32 = 28;
const KEPT: u32 = 24;

/// The code of a number up to [`INFINITE`], or of the next larger one that has a code. A larger number never has a
/// smaller code.
fn code_of(number: u64) -> u64 {
    let dropped = (u64::BITS - number.leading_zeros()).saturating_sub(KEPT);
    // If this rounds up to a power of two, the sum is that power's code.
    (u64::from(dropped) << (KEPT - 1)) + ((number + ((1 << dropped) - 1)) >> dropped)
}

/// The number that has this code.
fn number_of(code: u64) -> u64 {
    let dropped = (code >> (KEPT - 1)).saturating_sub(1);
    (code - (dropped << (KEPT - 1))) << dropped
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn sums_of_sums_of_large_guesses_are_told_apart() {
        // Three levels of sixty moves, and the largest first guess of today.
        let guess = 1 << 16;
        let sum = Bounds::unsolved(Part::Last, 60 * 60 * 60 * guess, 60 * 60 * guess);
        let more = Bounds::unsolved(Part::Last, 60 * 60 * 60 * guess + guess, 60 * 60 * guess + 1);
        assert!(sum.last < more.last && sum.notlast < more.notlast, "{sum:?} {more:?}");
        for bounds in [sum, more, Bounds::UNKNOWN, Bounds::NO_LIMIT, Bounds::won_by(Part::Last)] {
            assert_eq!(Bounds::from_code(bounds.code()), bounds);
        }
    }

    #[test]
    fn the_largest_number_is_the_last_below_infinity() {
        assert_eq!(code_of(LARGEST) + 1, code_of(INFINITE));
        assert_eq!((number_of(code_of(LARGEST)), number_of(code_of(INFINITE))), (LARGEST, INFINITE));
        assert!(code_of(INFINITE) < 1 << NUMBER_BITS);
        assert_eq!(Bounds::unsolved(Part::Last, 0, u64::MAX), Bounds { last: 1, notlast: LARGEST });
    }

    /// Numbers of all lengths.
    fn numbers() -> impl Strategy<Value = u64> {
        (0..=INFINITE, 0..54u32).prop_map(|(number, drop)| number >> drop)
    }

    proptest! {
        #[test]
        fn rounding_goes_up_and_not_far(number in numbers()) {
            let rounded = number_of(code_of(number));
            prop_assert!(rounded >= number && rounded - number <= number >> 23);
            prop_assert!(rounded == number || number > 1 << 24);
            prop_assert_eq!(code_of(rounded), code_of(number));
        }

        #[test]
        fn codes_are_in_the_order_of_the_numbers(one in numbers(), other in numbers()) {
            prop_assert!(one > other || code_of(one) <= code_of(other));
        }

        #[test]
        fn no_code_of_bounds_is_zero(own in 0..=INFINITE, other in 0..=INFINITE, winner: bool) {
            let winner = if winner { Part::Last } else { Part::Notlast };
            for bounds in [Bounds::unsolved(winner, own, other), Bounds::won_by(winner)] {
                prop_assert!(bounds.code() != 0 && bounds.code() >> Bounds::CODE_BITS == 0);
                prop_assert_eq!(Bounds::from_code(bounds.code()).checked(), Some(bounds));
            }
        }
    }
}
