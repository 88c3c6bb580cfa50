//! What the store knows of a place, in eight bytes: who wins, a good move for each side, and the work behind it.

use rex_game::{Cell, Player, Symmetry};
use rex_search::Work;
use rex_theory::fill_in::RULES;

use crate::place::Place;

/// Which values a position may still have, given what has been solved.
///
/// Without a side to move, a position has one of three values: Black wins whoever is Last, White wins whoever is
/// Last, or Notlast wins. There is no fourth, because a player who wins as Last also wins as Notlast. So each
/// solved game rules some out: *Black wins as Last* leaves one value, *Black wins as Notlast* leaves two.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Known(u8);

impl Known {
    /// Nothing is known.
    pub const NOTHING: Known = Known(0b111);
    /// Black wins, whoever is Last.
    pub const BLACK: Known = Known(0b001);
    /// White wins, whoever is Last.
    pub const WHITE: Known = Known(0b010);
    /// Notlast wins, whoever that is.
    pub const NOTLAST: Known = Known(0b100);

    /// What one solved game shows.
    pub fn from_game(last: Player, winner: Player) -> Known {
        let always = if winner == Player::Black { Known::BLACK } else { Known::WHITE };
        if winner == last { always } else { Known(always.0 | Known::NOTLAST.0) }
    }

    /// Who wins with this Last, if that follows.
    pub fn winner(self, last: Player) -> Option<Player> {
        Player::BOTH.into_iter().find(|&player| {
            let wins = Known::from_game(last, player);
            self != Known::NOTHING && self.0 & !wins.0 == 0
        })
    }

    /// What both say together; none if they contradict each other.
    pub fn and(self, other: Known) -> Option<Known> {
        Some(Known(self.0 & other.0)).filter(|known| known.0 != 0)
    }

    /// The same with the colours swapped.
    pub fn swapped(self) -> Known {
        Known(self.0 & 0b100 | (self.0 & 1) << 1 | self.0 >> 1 & 1)
    }

    /// Whether there is just one value left.
    pub fn is_whole(self) -> bool {
        self.0.count_ones() == 1
    }

    /// What games can show: one value, or *Notlast* and one player's.
    fn from_bits(bits: u8) -> Option<Known> {
        matches!(bits, 0b001 | 0b010 | 0b100 | 0b101 | 0b110).then_some(Known(bits))
    }
}

/// What we know about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Record {
    /// Its value, as far as it is known.
    pub known: Known,
    /// A good move for each player if she is to move, which determines who is Last: a winning move or, in a lost
    /// position, one that is hard to refute.
    pub best: [Option<Cell>; 2],
    /// How much work it took.
    pub work: Work,
    /// The version of the fill-in rules that the position was filled in with; 0 if they were not the default ones.
    pub rules: u8,
}

const NO_MOVE: u8 = 0xff;
const MOST_RULES: u8 = 31;

impl Record {
    /// The length of [`Record::bytes`].
    pub const BYTES: usize = 8;

    /// What both say together; none if they contradict each other. Takes the moves of `other` where it has any.
    pub fn and(&self, other: &Record) -> Option<Record> {
        let best = [0, 1].map(|player| other.best[player].or(self.best[player]));
        Some(Record {
            known: self.known.and(other.known)?,
            best,
            work: self.work.max(other.work),
            rules: self.rules.max(other.rules),
        })
    }

    /// The record for the place `to` that the current rules make of `from`.
    pub fn moved(&self, from: &Place, to: &Place, symmetry: Symmetry) -> Record {
        // No move applies if an odd number of cells was filled in, which changes who is to move.
        let same_mover = (from.empty().len() - to.empty().len()).is_multiple_of(2);
        let best = Player::BOTH.map(|player| {
            let moved = self.best[symmetry.apply_to_player(player).index()]?;
            let moved = symmetry.apply_to_cell(from.board, moved);
            (same_mover && to.empty().has(moved)).then_some(moved)
        });
        let known = if symmetry.swaps_colours() { self.known.swapped() } else { self.known };
        Record { known, best, work: self.work, rules: RULES }
    }

    /// The bytes in the file: value and rules, the moves of Black and White, the work, and a four-byte checksum
    /// over the position and all of these, so that a flipped bit never becomes an answer.
    pub fn bytes(&self, place: &Place) -> [u8; Record::BYTES] {
        let cell = |best: Option<Cell>| best.map_or(NO_MOVE, |cell| cell.index() as u8);
        let [black, white] = self.best.map(cell);
        let head = [self.known.0 << 5 | self.rules.min(MOST_RULES), black, white, self.work.step()];
        let mut bytes = [0; Record::BYTES];
        bytes[..4].copy_from_slice(&head);
        bytes[4..].copy_from_slice(&check(place, head).to_be_bytes());
        bytes
    }

    /// Reads it back; none if it is damaged.
    pub fn from_bytes(place: &Place, bytes: &[u8; Record::BYTES]) -> Option<Record> {
        let [first, black, white, work, found @ ..] = *bytes;
        if found != check(place, [first, black, white, work]).to_be_bytes() {
            return None;
        }
        let best = |byte: u8| match byte {
            NO_MOVE => Some(None),
            index => (usize::from(index) < place.board.len()).then(|| Some(Cell::new(index.into()))),
        };
        Some(Record {
            known: Known::from_bits(first >> 5)?,
            best: [best(black)?, best(white)?],
            work: Work::at_step(work),
            rules: first & MOST_RULES,
        })
    }
}

/// FNV-1a over the position and the first half of the record, folded to four bytes.
fn check(place: &Place, head: [u8; 4]) -> u32 {
    let bytes = place.bytes().into_iter().chain(head);
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    (hash ^ hash >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use rex_game::{Board, CellSet};

    const GAMES: [(Player, Player); 4] = [
        (Player::Black, Player::Black),
        (Player::Black, Player::White),
        (Player::White, Player::Black),
        (Player::White, Player::White),
    ];

    /// Against the three values themselves: a game is won by the value's player, or by Notlast.
    #[test]
    fn what_games_tell_is_what_the_values_say() {
        let wins = |value: Known, last: Player| match value {
            Known::BLACK => Player::Black,
            Known::WHITE => Player::White,
            _ => !last,
        };
        let values = [Known::BLACK, Known::WHITE, Known::NOTLAST];
        for games in 0..16 {
            let chosen = GAMES.iter().enumerate().filter(|&(i, _)| games >> i & 1 == 1).map(|(_, game)| game);
            let games: Vec<_> = chosen.collect();
            let possible: Vec<Known> = values
                .into_iter()
                .filter(|&value| games.iter().all(|&&(last, winner)| wins(value, last) == winner))
                .collect();
            let known = games.iter().try_fold(Known::NOTHING, |known, &&(last, winner)| {
                known.and(Known::from_game(last, winner))
            });
            assert_eq!(known.is_none(), possible.is_empty());
            let Some(known) = known else { continue };
            for last in Player::BOTH {
                let mut winners: Vec<Player> = possible.iter().map(|&value| wins(value, last)).collect();
                winners.dedup();
                let certain = if let [winner] = winners[..] { Some(winner) } else { None };
                assert_eq!(known.winner(last), certain, "{known:?} {last:?}");
                assert_eq!(known.swapped().winner(!last), certain.map(|winner| !winner));
            }
            assert_eq!(known.is_whole(), possible.len() == 1);
        }
    }

    #[test]
    fn records_come_back_and_flipped_bits_do_not() {
        let board: Board = "4x4".parse().unwrap();
        let place = Place { board, stones: [CellSet::from_bits(0b1001), CellSet::from_bits(0b0110_0000)] };
        let record = Record {
            known: Known::from_game(Player::White, Player::Black),
            best: [None, Some(Cell::new(15))],
            work: Work::of(12_345),
            rules: 1,
        };
        let bytes = record.bytes(&place);
        assert_eq!(Record::from_bytes(&place, &bytes), Some(record));
        for bit in 0..64 {
            let mut bad = bytes;
            bad[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(Record::from_bytes(&place, &bad), None, "bit {bit}");
        }
        let other = Place { stones: [CellSet::from_bits(0b1000), place.stones[1]], ..place };
        assert_eq!(Record::from_bytes(&other, &bytes), None);
    }
}
