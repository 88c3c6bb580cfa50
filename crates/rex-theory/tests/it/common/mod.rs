//! What the sweeps over all positions share.

use std::sync::OnceLock;

use rex_game::{Board, Player, Position};
use rex_oracle::Oracle;
use rex_theory::{Field, Reduced};

/// Whether to take every position of 4x4 (`SOLREX_EXHAUSTIVE=1`, for `scripts/exhaustive`) instead of the usual mix of
/// small boards.
pub fn exhaustive() -> bool {
    std::env::var_os("SOLREX_EXHAUSTIVE").is_some()
}

/// The boards swept, with the share of their positions: everything on the small ones, a sixteenth of 4x4 and 3x5.
fn boards() -> &'static [(Oracle, usize)] {
    static BOARDS: OnceLock<Vec<(Oracle, usize)>> = OnceLock::new();
    BOARDS.get_or_init(|| {
        let usual = [
            (2, 2, 1),
            (3, 3, 1),
            (3, 4, 1),
            (4, 3, 1),
            (2, 7, 1),
            (7, 2, 16),
            (3, 5, 16),
            (5, 3, 64),
            (4, 4, 16),
        ];
        let boards: &[(usize, usize, usize)] = if exhaustive() { &[(4, 4, 1)] } else { &usual };
        let oracle = |rows, cols| Oracle::new(Board::new(rows, cols).unwrap());
        boards.iter().map(|&(rows, cols, every)| (oracle(rows, cols), every)).collect()
    })
}

/// Runs `check` on each position of the sweep and adds up what it counts, for each of `N` things. Who is Last is for the
/// check to say: fill-in, domination and pairings do not ask, so they are computed once for both.
pub fn sweep<const N: usize, const K: usize>(
    check: impl Fn(&Oracle, &Position, &mut [[u64; K]; N]) + Sync,
) -> [[u64; K]; N] {
    sweep_with(|| (), |(), oracle, position, counts| check(oracle, position, counts))
}

/// The same with room to work in for each thread.
pub fn sweep_with<S: Send, const N: usize, const K: usize>(
    room: impl Fn() -> S + Sync,
    check: impl Fn(&mut S, &Oracle, &Position, &mut [[u64; K]; N]) + Sync,
) -> [[u64; K]; N] {
    let mut total = [[0; K]; N];
    for (oracle, every) in boards() {
        let start = || (room(), [[0; K]; N]);
        let counts =
            oracle.par_live(*every, start, |(room, counts), position| check(room, oracle, position, counts));
        for (_, count) in counts {
            for (sum, add) in total.iter_mut().flatten().zip(count.into_iter().flatten()) {
                *sum += add;
            }
        }
    }
    total
}

/// The reduced form of a position. Black is Last in it.
pub fn reduced(position: &Position) -> Reduced {
    Reduced::new(field(position, Player::Black))
}

/// The field of a position.
pub fn field(position: &Position, last: Player) -> Field {
    Field { board: position.board(), stones: Player::BOTH.map(|player| position.stones(player)), last }
}

/// Prints `part` of `whole` as a share.
pub fn report(what: &str, part: u64, whole: u64) {
    println!("{what}: {part} of {whole} ({:.1} %)", 100.0 * part as f64 / whole.max(1) as f64);
}
