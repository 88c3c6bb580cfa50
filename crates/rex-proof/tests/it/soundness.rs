//! The checker's tests against the exhaustive table: what they accept never changes the winner.

use rex_game::{Board, Cell, CellSet, Player, Position};
use rex_oracle::Oracle;
use rex_proof::{Filling, forces_a_join};

fn boards() -> Vec<(Oracle, usize)> {
    [(3, 3, 1), (3, 4, 37), (4, 4, 20_011)]
        .map(|(rows, cols, every)| (Oracle::new(Board::new(rows, cols).unwrap()), every))
        .into()
}

fn with(position: &Position, cells: &[Cell], player: Player) -> Position {
    cells.iter().fold(*position, |position, &cell| position.with(cell, player))
}

/// Whether both positions have the same winner, whoever is Last.
fn alike(oracle: &Oracle, one: &Position, other: &Position) -> bool {
    Player::BOTH
        .into_iter()
        .all(|last| oracle.winner_with_last(one, last) == oracle.winner_with_last(other, last))
}

#[test]
fn settled_cells_are_dead() {
    let mut settled = 0;
    for (oracle, every) in boards() {
        for position in oracle.sample(every, 0) {
            let field = Filling::new(&position);
            for cell in position.empty() {
                if field.settle(cell.set()).is_some() {
                    settled += 1;
                    assert!(oracle.dead(&position).has(cell), "{position:?} {cell:?}");
                }
            }
        }
    }
    assert!(settled > 1_000);
}

#[test]
fn the_colours_of_settled_stones_and_cells_do_not_matter() {
    let mut settled = 0;
    for (oracle, every) in boards() {
        for position in oracle.sample(every * 3 + 1, 1) {
            let cells: Vec<Cell> = oracle.board().cells().into_iter().collect();
            for (i, &one) in cells.iter().enumerate() {
                for &other in &cells[i..] {
                    let set = one.set().with(other);
                    // At once, and one after the other.
                    let field = Filling::new(&position);
                    let after = field
                        .settle(set)
                        .or_else(|| field.settle(one.set()).and_then(|field| field.settle(set.without(one))));
                    if after.is_none() {
                        continue;
                    }
                    settled += 1;
                    for colours in 0..9 {
                        let stone = |n: u32| [None, Some(Player::Black), Some(Player::White)][n as usize % 3];
                        let mut changed = position;
                        changed.set(one, stone(colours));
                        changed.set(other, stone(colours / 3));
                        assert!(alike(&oracle, &position, &changed), "{position:?} {set:?}");
                    }
                }
            }
        }
    }
    assert!(settled > 1_000);
}

#[test]
fn captured_pairs_keep_the_winner() {
    let mut captured = 0;
    for (oracle, every) in boards() {
        for position in oracle.sample(every, 0) {
            let field = Filling::new(&position);
            for one in position.empty() {
                for other in position.empty() {
                    for player in Player::BOTH {
                        if one < other && field.capture(player, &[(one, other)]).is_some() {
                            captured += 1;
                            let filled = with(&position, &[one, other], player);
                            assert!(alike(&oracle, &position, &filled), "{position:?} {one:?} {other:?}");
                        }
                    }
                }
            }
        }
    }
    assert!(captured > 1_000);
}

#[test]
fn captured_fours_keep_the_winner() {
    let oracle = Oracle::new(Board::new(3, 3).unwrap());
    let mut captured = 0;
    for position in oracle.sample(5, 0) {
        let field = Filling::new(&position);
        let cells: Vec<Cell> = position.empty().into_iter().collect();
        for &a in &cells {
            for &b in cells.iter().filter(|&&b| b > a) {
                for &c in cells.iter().filter(|&&c| c > a) {
                    for &d in cells.iter().filter(|&&d| d > c) {
                        for player in Player::BOTH {
                            if field.capture(player, &[(a, b), (c, d)]).is_some() {
                                captured += 1;
                                let filled = with(&position, &[a, b, c, d], player);
                                assert!(alike(&oracle, &position, &filled), "{position:?}");
                            }
                        }
                    }
                }
            }
        }
    }
    assert!(captured > 100);
}

#[test]
fn mutual_fill_ins_keep_the_winner() {
    let mut found = 0;
    for (oracle, every) in boards() {
        for position in oracle.sample(every * 3 + 1, 0) {
            let field = Filling::new(&position);
            let cells = position.empty();
            for a in cells {
                for a_mate in cells {
                    for b in cells {
                        for b_mate in near(&oracle, b) & cells {
                            if field.mutual((a, a_mate), (b, b_mate)).is_some() {
                                found += 1;
                                let filled = position.with(a, Player::Black).with(b, Player::White);
                                assert!(alike(&oracle, &position, &filled), "{position:?}");
                            }
                        }
                    }
                }
            }
        }
    }
    assert!(found > 100);
}

fn near(oracle: &Oracle, cell: Cell) -> CellSet {
    let board = oracle.board();
    board.neighbours(cell) | board.neighbours_of_set(board.neighbours(cell))
}

/// Theorems 6 to 8: when the worse move wins, so does the better one.
#[test]
fn preferred_moves_are_as_good() {
    let mut found = 0;
    for (oracle, every) in boards() {
        for position in oracle.sample(every, 2) {
            for mover in Player::BOTH {
                for last in Player::BOTH {
                    let wins = |cell| oracle.winner_with_last(&position.with(cell, mover), last) == mover;
                    for worse in position.empty() {
                        for better in position.empty().without(worse) {
                            if preferred(&position, mover, better, worse) {
                                found += 1;
                                assert!(!wins(worse) || wins(better), "{position:?} {worse:?} {better:?}");
                            }
                        }
                    }
                }
            }
        }
    }
    assert!(found > 1_000);
}

/// Whether Theorems 6 to 8 prefer `better` to `worse`.
fn preferred(position: &Position, mover: Player, better: Cell, worse: Cell) -> bool {
    let field = Filling::new(position);
    let (own, theirs) = (field.with(worse, mover), field.with(worse, !mover));
    let mates = position.empty().without(worse).without(better);
    own.settle(better.set()).is_some()
        || theirs.settle(better.set()).is_some()
        || mates.into_iter().any(|mate| own.capture(mover, &[(better, mate)]).is_some())
}

/// Random pairs, with and without a key: they force a join exactly if every choice of cells joins the loser, and then
/// she loses.
#[test]
fn forced_joins_lose() {
    let mut seed = 7u64;
    let mut random = |n: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % n
    };
    let mut found = [0, 0];
    for (oracle, every) in boards() {
        for position in oracle.sample(every, 0) {
            for _ in 0..40 {
                let mut cells: Vec<Cell> = position.empty().into_iter().collect();
                for i in (1..cells.len()).rev() {
                    cells.swap(i, random(i + 1));
                }
                let key = if random(2) == 0 { cells.pop() } else { None };
                let pairs: Vec<(Cell, Cell)> =
                    cells.chunks_exact(2).take(1 + random(6)).map(|pair| (pair[0], pair[1])).collect();
                for loser in Player::BOTH {
                    let forced = forces_a_join(&position, loser, &pairs, key);
                    assert_eq!(
                        forced,
                        every_choice_joins(&position, loser, &pairs, key),
                        "{position:?} {pairs:?}"
                    );
                    if forced {
                        found[usize::from(key.is_some())] += 1;
                        for last in Player::BOTH {
                            if key.is_none() || last == loser {
                                assert_eq!(oracle.winner_with_last(&position, last), !loser, "{position:?}");
                            }
                        }
                    }
                }
            }
        }
    }
    assert!(found[0] > 1_000 && found[1] > 1_000, "{found:?}");
}

/// Whether `loser` is joined with the key and one cell of each pair, whichever that is.
fn every_choice_joins(position: &Position, loser: Player, pairs: &[(Cell, Cell)], key: Option<Cell>) -> bool {
    let others = with(position, &position.empty().into_iter().collect::<Vec<_>>(), !loser);
    (0..1usize << pairs.len()).all(|choice| {
        let chosen =
            pairs.iter().enumerate().map(|(i, pair)| if choice >> i & 1 == 0 { pair.0 } else { pair.1 });
        let full = with(&others, &chosen.chain(key).collect::<Vec<_>>(), loser);
        full.joined(loser)
    })
}
