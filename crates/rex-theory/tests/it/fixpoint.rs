//! Filling in what is filled in changes nothing: neither again, nor in another image of the board, nor where a position
//! was filled move by move.

use rex_game::{Board, CellSet, Player, Symmetry};
use rex_theory::fill_in::fill_in;
use rex_theory::{Field, OptionKind, Options, Reduced};

use crate::common::{field, sweep};

fn filled(field: Field, options: &Options) -> Reduced {
    let mut reduced = Reduced::new(field);
    fill_in(&mut reduced, options, field.board.cells(), &mut ());
    reduced
}

/// Asserts that nothing more can be filled in, whichever way the board is turned, and that the graphs are those of the
/// field.
fn assert_filled(name: &str, reduced: &Reduced, options: &Options) {
    if reduced.joined.is_some() {
        return;
    }
    let field = reduced.field;
    for &symmetry in Symmetry::of(field.board) {
        let again = filled(field.image(symmetry), options).field.image(symmetry);
        assert_eq!(again, field, "{name}: {symmetry:?} fills {} again", field.to_state());
    }
    let fresh = Reduced::new(field);
    for player in Player::BOTH {
        let (kept, made) = (reduced.graph(player), fresh.graph(player));
        assert_eq!(kept.cells, made.cells, "{name}: {}", field.to_state());
        for cell in made.cells {
            assert_eq!(kept.around(cell), made.around(cell), "{name}: {cell:?} in {}", field.to_state());
        }
    }
}

/// The usual rules, all of them, and each alone.
fn settings() -> Vec<(&'static str, Options)> {
    let alone = Options::of_kind(OptionKind::FillIn).map(|info| (info.name, Options::only(info)));
    [("usual", Options::default()), ("all", Options::all())].into_iter().chain(alone).collect()
}

#[test]
fn filling_again_changes_nothing_on_small_boards() {
    for (name, options) in settings() {
        let [[changed]] = sweep(|_, position, [counts]| {
            // Of a rule alone, every sixteenth position.
            if options == Options::default() || position.empty().bits() % 16 == 5 {
                let start = field(position, Player::Black);
                let reduced = filled(start, &options);
                counts[0] += u64::from(reduced.field != start);
                assert_filled(name, &reduced, &options);
            }
        });
        assert!(changed > 0, "{name} never fills");
    }
}

/// Numbers that only seem random, the same on every run.
fn random() -> impl FnMut(usize) -> usize {
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    move |below| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed >> 11) as usize % below
    }
}

/// A position with up to three quarters of its cells coloured at random.
fn scattered(board: Board, random: &mut impl FnMut(usize) -> usize) -> Field {
    let mut field = Field { board, stones: [CellSet::EMPTY; 2], last: Player::BOTH[random(2)] };
    for turn in 0..random(board.len() * 3 / 4) {
        let cell = field.empty().into_iter().nth(random(field.empty().len())).expect("a cell is left");
        field.stones[turn % 2].insert(cell);
    }
    field
}

#[test]
fn filling_again_changes_nothing_on_larger_boards_nor_after_a_move() {
    let mut random = random();
    let mut positions = 0;
    for (rows, cols) in [(5, 5), (6, 6), (7, 7), (8, 8), (4, 7), (6, 8)] {
        let board = Board::new(rows, cols).unwrap();
        for round in 0..1000 {
            let start = scattered(board, &mut random);
            // The usual rules more often: they are the ones that tables and stores know.
            let (name, options) = settings()[if round % 4 == 0 { round / 4 % settings().len() } else { 0 }];
            let parent = filled(start, &options);
            if parent.joined.is_some() {
                continue;
            }
            positions += 1;
            assert_filled(name, &parent, &options);
            let mover = parent.field.mover();
            for cell in parent.empty() {
                let mut child = parent.clone();
                let changed = child.put(cell, mover);
                if child.joined.is_none() {
                    fill_in(&mut child, &options, changed, &mut ());
                    assert_filled(name, &child, &options);
                }
            }
        }
    }
    assert!(positions > 3000, "{positions}");
}
