//! `rex-tools export-training` and `export-looks`: their files are checked against the table of all positions.

use std::collections::HashSet;
use std::path::PathBuf;
use std::process::{Command, Output};

use rex_game::{Board, CellSet, Player, Position, State};
use rex_oracle::Oracle;
use rex_oracle::testing::wait_until;

fn file(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    path.to_str().expect("a plain path").to_owned()
}

/// Runs the tool.
fn export(words: &[&str]) -> Output {
    run(&[&["export-training"], words].concat())
}

fn run(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_rex-tools")).args(words).output().expect("the tool starts")
}

/// Without pairings there is something to search on a small board.
const PLAIN: [&str; 6] = ["--without", "hsearch", "--without", "exact-pairing", "--memory", "1"];

/// One position of a file.
struct Lesson {
    stones: [CellSet; 2],
    last_wins: bool,
    winning: Option<usize>,
}

fn set(bytes: &[u8]) -> CellSet {
    CellSet::from_bits(bytes.iter().rev().fold(0, |set, &byte| set << 8 | u64::from(byte)))
}

/// Reads a file as docs/training.md describes it.
fn read(path: &str, board: Board) -> Vec<Lesson> {
    let bytes = std::fs::read(path).unwrap();
    let side = board.rows() as u8;
    assert_eq!(bytes[..8], [b'R', b'X', b'T', b'D', 1, side, side, 0]);
    let count = u64::from_le_bytes(bytes[8..16].try_into().unwrap()) as usize;
    let width = board.len().div_ceil(8);
    let (stones, rest) = bytes[16..].split_at(count * 2 * width);
    let (labels, moves) = rest.split_at(count);
    assert_eq!(moves.len(), count);
    let each = stones.chunks(2 * width).zip(labels).zip(moves);
    each.map(|((stones, &label), &cell)| Lesson {
        stones: [set(&stones[..width]), set(&stones[width..])],
        last_wins: label & 0x80 != 0,
        winning: (cell != 255).then_some(cell.into()),
    })
    .collect()
}

#[test]
fn labels_and_winning_moves_are_true() {
    let board = Board::new(4, 4).unwrap();
    let oracle = Oracle::new(board);
    let path = file("labels.bin");
    let words = ["4x4", "--random", "300", "--stones", "2-6", "-o", &path];
    let made = export(&[&words, &PLAIN[..]].concat());
    assert!(made.status.success(), "{made:?}");
    let lessons = read(&path, board);
    let mut moves = 0;
    for Lesson { stones: [last, notlast], last_wins, winning } in &lessons {
        // Settled cells may have any colour.
        let settled = *last & *notlast;
        for position in [
            Position::with_stones(board, *last, *notlast - settled),
            Position::with_stones(board, *last - settled, *notlast),
        ] {
            let winner = oracle.winner_with_last(&position, Player::Black);
            assert_eq!(winner == Player::Black, *last_wins, "{position:?}");
            if let Some(cell) = winning {
                let mut state = State { position, to_move: Player::Black };
                if state.last() != Player::Black {
                    state.to_move = Player::White;
                }
                let wins = oracle.winning_moves(&state);
                assert!(wins.into_iter().any(|win| win.index() == *cell), "{state}");
                moves += 1;
            }
        }
    }
    assert!(lessons.len() > 500 && moves > 200, "{} positions, {moves} moves", lessons.len());
}

#[test]
fn the_same_seed_gives_the_same_file() {
    let (one, other, third) = (file("seed1.bin"), file("seed2.bin"), file("seed3.bin"));
    for (path, seed) in [(&one, "5"), (&other, "5"), (&third, "6")] {
        let words = ["5x5", "--random", "20", "--seed", seed, "--memory", "4", "-o", path];
        assert!(export(&words).status.success());
        assert!(!PathBuf::from(format!("{path}.part")).exists());
    }
    let bytes = |path: &str| std::fs::read(path).unwrap();
    assert!(bytes(&one) == bytes(&other), "the files differ");
    assert!(bytes(&one) != bytes(&third), "the seed has no effect");
}

#[test]
fn nothing_that_is_tested_is_trained_with() {
    let board = Board::new(4, 4).unwrap();
    let (train, test) = (file("train.bin"), file("test.bin"));
    let positions = |words: &[&str]| {
        let common = ["4x4", "--openings", "a1,b1,c1", "-o", &train];
        let made = export(&[&common, &PLAIN[..], words].concat());
        assert!(made.status.success(), "{made:?}");
        let count = |line: &str| {
            let told: serde_json::Value = serde_json::from_str(line).unwrap();
            told["positions"].as_u64().unwrap() as usize
        };
        String::from_utf8(made.stdout).unwrap().lines().map(count).collect::<Vec<_>>()
    };
    let alone = positions(&[]);
    let both = positions(&["--test-openings", "a2,b2", "--test-output", &test]);
    let stones = |path: &str| read(path, board).into_iter().map(|lesson| lesson.stones).collect::<Vec<_>>();
    let (trained, tested) = (stones(&train), stones(&test));
    assert_eq!(both, [tested.len(), trained.len()]);
    let all: HashSet<[CellSet; 2]> = trained.iter().chain(&tested).copied().collect();
    assert_eq!(all.len(), trained.len() + tested.len());
    // The openings have much in common, so that there was something to leave out.
    assert!(trained.len() > 100 && tested.len() > 90 && trained.len() < alone[0], "{alone:?} {both:?}");
}

#[test]
fn what_makes_no_sense_is_refused() {
    let path = file("refused.bin");
    for (words, says) in [
        (vec!["5x6", "--openings", "a1"], "openings need a square board"),
        (vec!["3x3", "--random", "3"], "too many for 3x3"),
        (vec!["5x5", "--random", "3", "--stones", "1-4"], "at least two stones"),
        (vec!["5x5", "--openings", "f9"], "f9"),
        (vec!["5x5"], "--openings"),
        (
            vec!["5x5", "--openings", "a1", "--test-openings", "e5", "--test-output", "x"],
            "e5 (or its rotation) is given for both training and testing",
        ),
    ] {
        let refused = export(&[&words[..], &["-o", &path]].concat());
        assert_eq!(refused.status.code(), Some(2), "{words:?}: {refused:?}");
        assert!(String::from_utf8_lossy(&refused.stderr).contains(says), "{words:?}: {refused:?}");
    }
    assert!(!PathBuf::from(path).exists());
}

/// How long a process has computed, in hundredths of a second.
#[cfg(target_os = "linux")]
fn computed(process: u32) -> u64 {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap();
    // What comes before is the name, which may contain anything.
    let fields = stat.rsplit(')').next().unwrap();
    fields.split_whitespace().nth(11).unwrap().parse().unwrap()
}

#[test]
#[cfg(target_os = "linux")]
fn whoever_stops_it_keeps_the_file_that_was_there() {
    use std::os::unix::process::ExitStatusExt;

    let folder = PathBuf::from(file("stopped"));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir(&folder).unwrap();
    let path = folder.join("old.bin");
    std::fs::write(&path, "old").unwrap();
    let mut tool = Command::new(env!("CARGO_BIN_EXE_rex-tools"));
    tool.args(["export-training", "8x8", "--random", "100000000", "--memory", "1", "-o"]).arg(&path);
    let mut child = tool.spawn().unwrap();
    // It has begun to search.
    wait_until("it has begun to search", || computed(child.id()) >= 20);
    // A shell may have told its background processes to ignore the first.
    for signal in ["-INT", "-TERM"] {
        let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        assert!(sent.success());
    }
    let ended = child.wait().unwrap();
    assert!(matches!(ended.signal(), Some(2 | 15)), "{ended:?}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "old");
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
}

#[test]
fn looks_that_name_a_winner_are_true() {
    let board = Board::new(4, 4).unwrap();
    let oracle = Oracle::new(board);
    let path = file("looks.bin");
    let words = ["export-looks", "4x4", "--random", "1500", "--stones", "2-4", "--memory", "4", "-o", &path];
    let made = run(&words);
    assert!(made.status.success(), "{made:?}");
    let bytes = std::fs::read(&path).unwrap();
    assert_eq!(bytes[..8], *b"RXLK\x01\x04\x04\x00");
    let count = u64::from_le_bytes(bytes[8..16].try_into().unwrap()) as usize;
    let (stones, rest) = bytes[16..].split_at(4 * count);
    let (counts, moves) = rest.split_at(count);
    let mut moves = moves.as_chunks::<4>().0.iter();
    let mut solved = 0;
    for (stones, &count) in stones.chunks(4).zip(counts) {
        let [last, notlast] = [set(&stones[..2]), set(&stones[2..])];
        let position = Position::with_stones(board, last, notlast - last);
        let odd = position.empty().len() % 2 == 1;
        let state = State { position, to_move: if odd { Player::Black } else { Player::White } };
        for &[cell, last, notlast, _] in moves.by_ref().take(count.into()) {
            let after = state.play(rex_game::Cell::new(cell.into()));
            if last == 255 || notlast == 255 {
                let winner = if notlast == 255 { Player::Black } else { Player::White };
                assert_eq!(oracle.winner(&after), winner, "{state} {cell}");
                solved += 1;
            }
        }
    }
    assert!(moves.next().is_none());
    assert!(solved > 100, "{solved}");
}
