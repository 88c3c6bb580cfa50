//! The book that comes with the program: complete, consistent, and true where a solver looks again.

use std::path::{Path, PathBuf};

use rex_book::{Chapter, Source, TEXT, shipped};
use rex_game::{Board, CellSet, Player, Random, State, Symmetry};
use rex_proof::{CheckLimits, Rule};
use rex_search::{Book, Settings, Solver};

fn chapter(board: &str) -> &'static Chapter {
    let board: Board = board.parse().unwrap();
    shipped().chapters().iter().find(|chapter| chapter.board == board).unwrap()
}

/// Every position with an entry, or on the line of one, with its winner.
fn positions(chapter: &Chapter) -> Vec<(State, Player)> {
    let mut all = Vec::new();
    for entry in &chapter.entries {
        let mut state = entry.state(chapter.board);
        all.push((state, entry.winner));
        for &cell in &entry.line {
            state = state.play(cell);
            all.push((state, entry.winner));
        }
    }
    all
}

#[test]
fn it_is_small() {
    assert!(TEXT.len() <= 300_000, "{} bytes", TEXT.len());
}

#[test]
fn it_has_a_chapter_for_each_board() {
    let boards: Vec<(String, Source)> =
        shipped().chapters().iter().map(|chapter| (chapter.board.to_string(), chapter.source)).collect();
    let expected = [("5x5", Source::Searched), ("6x6", Source::Searched), ("7x7", Source::Certified)];
    assert_eq!(boards, expected.map(|(board, source)| (board.to_owned(), source)));
}

/// Whoever opens, and wherever the first two stones are.
#[test]
fn it_has_all_positions_with_two_stones() {
    for board in ["5x5", "6x6"].map(|board| board.parse::<Board>().unwrap()) {
        for to_move in Player::BOTH {
            let empty = State { to_move, ..State::new(board) };
            let mut met = 0;
            for opening in
                [vec![empty], empty.moves().into_iter().map(|cell| empty.play(cell)).collect()].concat()
            {
                let replies = opening.moves().into_iter().map(|cell| opening.play(cell));
                for state in [opening].into_iter().chain(replies) {
                    let entry = shipped().find(&state).unwrap_or_else(|| panic!("{state}"));
                    assert!(entry.best.is_some_and(|best| state.moves().has(best)), "{state}");
                    met += 1;
                }
            }
            let cells = board.len();
            assert_eq!(met, 1 + cells + cells + cells * (cells - 1));
        }
    }
}

#[test]
fn it_says_the_same_of_every_image() {
    for chapter in shipped().chapters() {
        let board = chapter.board;
        for (state, winner) in positions(chapter) {
            assert_eq!(shipped().find(&state).unwrap().winner, winner, "{state}");
            for &symmetry in Symmetry::of(board) {
                let there = shipped().find(&state.image(symmetry)).unwrap();
                assert_eq!(there.winner, symmetry.apply_to_player(winner), "{state} {symmetry:?}");
            }
        }
    }
}

/// A winning move leads to a position that the book has too, and all moves from a lost one lead to the same winner.
#[test]
fn its_entries_agree() {
    let mut followed = 0;
    for (state, winner) in shipped().chapters().iter().flat_map(positions) {
        let found = |cell| shipped().find(&state.play(cell));
        if state.to_move == winner {
            if let Some(best) = shipped().find(&state).unwrap().best {
                assert_eq!(found(best).map(|entry| entry.winner), Some(winner), "{state}");
                followed += 1;
            }
        } else {
            assert!(
                state.moves().into_iter().filter_map(found).all(|entry| entry.winner == winner),
                "{state}"
            );
        }
    }
    assert!(followed > 900, "{followed}");
}

/// What is known since long.
#[test]
fn it_knows_the_losing_openings_of_6x6() {
    let chapter = chapter("6x6");
    let lost = chapter.entries.iter().filter(|entry| entry.moves.len() == 1 && entry.winner == Player::White);
    let names: Vec<String> = lost.map(|entry| chapter.board.name(entry.moves[0])).collect();
    assert_eq!(names, ["e2", "d3"]);
    assert!(
        self::chapter("5x5")
            .entries
            .iter()
            .all(|entry| entry.moves.len() > 1 || entry.winner == Player::White)
    );
}

/// A solver without the book finds the same winners, and that the moves of the book win.
#[test]
fn a_sample_is_solved_again() {
    let mut random = Random(20_261_117);
    for (name, sample) in [("5x5", 40), ("6x6", 40)] {
        let chapter = chapter(name);
        let solver = Solver::new(chapter.board, Settings { memory: 1 << 26, ..Settings::default() }).unwrap();
        let all = positions(chapter);
        for _ in 0..sample {
            let (state, winner) = all[random.below(all.len())];
            assert_eq!(solver.ask(&state).verdict().winner, Some(winner), "{state}");
            if let Some(best) = shipped().find(&state).unwrap().best {
                assert_eq!(solver.ask(&state.play(best)).verdict().winner, Some(winner), "{state}");
            }
        }
    }
}

fn certificates() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/proofs/7x7");
    let mut files: Vec<PathBuf> = folder.read_dir().unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    files
}

/// Each opening of 7x7 has its file, and the small ones are checked again: they say so, with the same reply.
#[test]
fn what_is_certified_has_a_certificate() {
    let chapter = chapter("7x7");
    let name =
        |path: &PathBuf| path.file_name().unwrap().to_str().unwrap().split('.').next().unwrap().to_owned();
    let files: Vec<String> = certificates().iter().map(name).collect();
    let openings = chapter.entries.iter().filter(|entry| entry.moves.len() == 1);
    let mut named: Vec<String> = openings.map(|entry| chapter.board.name(entry.moves[0])).collect();
    named.sort();
    assert_eq!(named, files);
    assert_eq!(chapter.entries.len(), 1 + files.len());
    for path in certificates().iter().filter(|path| path.metadata().unwrap().len() < 200_000) {
        let mut rules = Vec::new();
        let input = rex_proof::open(path).unwrap();
        let report = rex_proof::check(input, &CheckLimits::default(), &mut |claim, _| {
            rules.push((claim.state, claim.rule.clone()));
        })
        .unwrap();
        let entry = shipped().find(&report.state).unwrap();
        assert_eq!(entry.winner, report.winner);
        let best = entry.best.unwrap();
        match &rules.iter().find(|(state, _)| *state == report.state).unwrap().1 {
            Rule::Move(cell, _) => assert_eq!(*cell, best),
            Rule::Pairs(pairs, key) => {
                let taken: CellSet =
                    pairs.iter().flat_map(|&(one, other)| [one, other]).chain(*key).collect();
                assert!(!taken.has(best));
            }
            rule => panic!("{rule:?}"),
        }
    }
}

#[test]
fn boards_without_entries_have_no_book() {
    let has = |size: &str| rex_book::shipped_for(size.parse().unwrap()).is_some();
    for chapter in shipped().chapters() {
        assert!(has(&chapter.board.to_string()));
    }
    assert!(!has("4x4") && !has("5x6") && !has("6x5") && !has("8x8"));
}
