#![allow(dead_code)] // Each test file uses its own part of this.
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

/// The boards swept, with the share of their positions: everything on the small ones.
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
            (3, 5, 64),
            (5, 3, 64),
            (4, 4, 64),
        ];
        let boards: &[(usize, usize, usize)] = if exhaustive() { &[(4, 4, 1)] } else { &usual };
        let oracle = |rows, cols| Oracle::new(Board::new(rows, cols).unwrap());
        boards.iter().map(|&(rows, cols, every)| (oracle(rows, cols), every)).collect()
    })
}

/// Runs `check` on both parts (who is Last) of each position of the sweep and adds up what it counts.
pub fn sweep<const N: usize>(check: impl Fn(&Oracle, &Position, Player, &mut [u64; N]) + Sync) -> [u64; N] {
    sweep_with(|| (), |(), oracle, position, last, counts| check(oracle, position, last, counts))
}

/// The same with room to work in for each thread.
pub fn sweep_with<S: Send, const N: usize>(
    room: impl Fn() -> S + Sync,
    check: impl Fn(&mut S, &Oracle, &Position, Player, &mut [u64; N]) + Sync,
) -> [u64; N] {
    let mut total = [0; N];
    for (oracle, every) in boards() {
        let counts = oracle.par_live(
            *every,
            || (room(), [0; N]),
            |(room, counts), position| {
                for last in Player::BOTH {
                    check(room, oracle, position, last, counts);
                }
            },
        );
        for (_, count) in counts {
            for (sum, add) in total.iter_mut().zip(count) {
                *sum += add;
            }
        }
    }
    total
}

/// The reduced form of a position.
pub fn reduced(position: &Position, last: Player) -> Reduced {
    Reduced::new(field(position, last))
}

/// The field of a position.
pub fn field(position: &Position, last: Player) -> Field {
    Field { board: position.board(), stones: Player::BOTH.map(|player| position.stones(player)), last }
}

/// Prints `part` of `whole` as a share.
pub fn report(what: &str, part: u64, whole: u64) {
    println!("{what}: {part} of {whole} ({:.1} %)", 100.0 * part as f64 / whole.max(1) as f64);
}
