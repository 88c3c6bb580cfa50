//! The strategy of a certificate as a game tree.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use rex_game::sgf::Collection;
use rex_game::{ActionKind, Cell, CellSet, GameRecord, State};
use rex_proof::{CheckLimits, Report, Strategy, StrategyError, TreeSize, check, open, seal};

fn strategy(input: impl std::io::BufRead) -> (Strategy, Report) {
    let mut strategy = Strategy::default();
    let report = check(input, &CheckLimits::default(), &mut |claim, _| strategy.add(claim)).unwrap();
    (strategy, report)
}

fn corpus(name: &str) -> (Strategy, Report) {
    strategy(open(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(name)).unwrap())
}

/// A certificate on 2x2 or 3x3 whose last claim is the root.
fn made_of(board: &str, claims: &[&str]) -> (Strategy, Report) {
    let text = format!("rex-certificate 1\nboard {board}\nrules full\n{}\n", claims.join("\n"));
    strategy(seal(&text, claims.len() as u32).as_bytes())
}

/// The tree, without its first node and line ends.
fn text((strategy, report): &(Strategy, Report), depth: usize) -> String {
    let text = strategy.tree(&report.state, depth, &mut |_| {}).unwrap().to_string().replace('\n', "");
    let (_, rest) = text.split_at(text.match_indices(';').nth(1).expect("a second node").0);
    rest.strip_suffix(')').unwrap().to_owned()
}

/// The nodes of a tree: its semicolons outside of brackets.
fn nodes(tree: &Collection) -> u64 {
    let (mut count, mut inside) = (0, false);
    for symbol in tree.to_string().chars() {
        match symbol {
            '[' => inside = true,
            ']' => inside = false,
            ';' if !inside => count += 1,
            _ => {}
        }
    }
    count
}

fn lines(tree: &Collection) -> Vec<GameRecord> {
    Collection::parse(&tree.to_string()).unwrap().only_game().unwrap().lines(usize::MAX).unwrap()
}

fn moves(line: &GameRecord) -> Vec<Cell> {
    let cell = |kind| match kind {
        ActionKind::Play(cell) => cell,
        kind => panic!("{kind:?}"),
    };
    line.actions().iter().map(|action| cell(action.kind)).collect()
}

/// In the tree of an explicit certificate the winner moves as she does when one plays against it, and the loser has
/// tried every move wherever a line goes on.
#[test]
fn the_tree_is_the_strategy() {
    let (strategy, report) = corpus("4x4-explicit.cert");
    let tree = strategy.tree(&report.state, usize::MAX, &mut |_| {}).unwrap();
    let mut tried: BTreeMap<Vec<Cell>, BTreeSet<Cell>> = BTreeMap::new();
    for line in lines(&tree) {
        assert_eq!(line.start(), &report.state);
        let mut game = strategy.clone();
        game.start(&report.state).unwrap();
        for (i, cell) in moves(&line).into_iter().enumerate() {
            if game.state().unwrap().to_move == report.winner {
                assert_eq!(game.move_of_winner(), Ok(cell));
            } else {
                tried.entry(moves(&line)[..i].to_vec()).or_default().insert(cell);
                game.move_of_loser(cell).unwrap();
            }
        }
    }
    assert_eq!(tried.len(), 3);
    for (before, cells) in tried {
        let state = before.iter().fold(report.state, |state, &cell| state.play(cell));
        assert_eq!(cells.into_iter().collect::<CellSet>(), state.moves());
    }
}

/// Each level has as many nodes as were counted, and progress counts those below the first.
#[test]
fn the_size_is_known_beforehand() {
    for name in ["4x4-explicit.cert", "4x4-d1.cert", "3x4.cert", "worse.cert", "mutual.cert", "joined.cert"] {
        let (strategy, report) = corpus(name);
        let size = strategy.tree_size(&report.state, u64::MAX).unwrap();
        assert!(size.whole, "{name}");
        for (depth, &expected) in size.to_depth.iter().enumerate() {
            let mut seen = 0;
            let tree = strategy.tree(&report.state, depth, &mut |nodes| seen = nodes).unwrap();
            assert_eq!(nodes(&tree), expected, "{name} {depth}");
            let set_up = u64::from(report.state != State::new(report.state.board()));
            assert_eq!(seen + 1 + set_up, expected, "{name} {depth}");
            let longest = lines(&tree).iter().map(|line| line.actions().len()).max().unwrap();
            assert!(longest <= depth, "{name} {depth}: {longest}");
        }
        let whole = strategy.tree(&report.state, usize::MAX, &mut |_| {}).unwrap();
        assert_eq!(nodes(&whole), *size.to_depth.last().unwrap(), "{name}");
    }
}

#[test]
fn counting_stops_when_there_are_too_many() {
    let (strategy, report) = corpus("4x4-explicit.cert");
    let whole = strategy.tree_size(&report.state, u64::MAX).unwrap().to_depth;
    assert_eq!(whole[..3], [2, 3, 16]);
    let size = strategy.tree_size(&report.state, 15).unwrap();
    assert_eq!(size, TreeSize { to_depth: vec![2, 3, 16], whole: false });
    assert_eq!(size.deepest(15), Some((1, 3)));
    assert_eq!(size.deepest(1), None);
}

#[test]
fn a_comment_names_the_rule_that_ends_a_line() {
    let tree = text(&corpus("3x4-w.cert"), 9);
    assert_eq!(
        tree,
        ";AW[b2]PL[W]LB[d1:1][d2:1][a2:2][a3:2][c2:key]C[Black wins.pairing: d1-d2, a2-a3, key c2. White gets a cell \
         of each pair and the key, and connects (claim 1)]"
    );
    for (name, words) in [
        ("joined.cert", "joined: Black has connected her two sides, and loses (claim 1)"),
        ("image.cert", ";B[b1];W[a2]C[joins: White has connected her two sides, and loses (claim 1)]"),
        (
            "worse.cert",
            ";AE[b2]PL[B]C[worse: White even wins this position, which is worse for her (claim 2)mirror: ",
        ),
        (
            "worse.cert",
            "mirror: White wins by symmetry, since Black would colour the last cell; this names no move",
        ),
        (
            "captured.cert",
            ";AW[a2][a3]PL[B]C[fill-in: White captures a2-a3. The winner stays the same (claim 2)mirror: ",
        ),
        ("dead.cert", ";AB[a1]PL[B]C[fill-in: dead a1. The winner stays the same (claim 2)"),
        ("mutual.cert", ";AB[b2]AW[c3]PL[B]C[fill-in: mutual Black b2, White c3. The winner"),
        (
            "4x4-d1.cert",
            ";W[c2]C[dominated: b2 is at least as good for White, since it is dead once Black has c2 (claim 14)]",
        ),
        (
            "4x4-d1.cert",
            ";W[b3]C[dominated: b2 is at least as good for White, since it is dead once White has b3 (claim 14)]",
        ),
    ] {
        let tree = text(&corpus(name), 99);
        assert!(tree.contains(words), "{name}: {tree}");
    }
    let cut = text(&corpus("mutual.cert"), 1);
    assert!(cut.ends_with(";B[c2]C[cut off: the strategy goes on (claim 1)]"), "{cut}");
}

/// Where the certificate goes on with an image, the tree stays on the board that it started with.
#[test]
fn images_are_seen_from_the_first_position() {
    let tree = text(
        &made_of(
            "2x2",
            &["1 wb/1w w b all a2=joins", "2 w1/bw w b image rotation 1", "3 bw/1b b w image transpose 2"],
        ),
        9,
    );
    assert!(
        tree.ends_with(";B[a2]C[joins: Black has connected her two sides, and loses (claim 1)]"),
        "{tree}"
    );
    let tree = text(
        &made_of(
            "2x2",
            &["1 wb/1w w b all a2=joins", "2 w1/1w b b move b1 1", "3 b1/1b w w image transpose 2"],
        ),
        9,
    );
    assert!(tree.contains(";W[a2];B[b1]C[joins: Black has"), "{tree}");
    // Cells, colours and the side to move of what is filled in and paired.
    let tree = text(
        &made_of(
            "3x3",
            &[
                "1 3/ww1/w2 b b mirror transpose",
                "2 3/1w1/3 b b fill captured:w:a2-a3 1",
                "3 3/1b1/3 w w image antitranspose 2",
            ],
        ),
        9,
    );
    assert!(tree.contains(";AB[a3][b3]PL[W]C[fill-in: Black captures b3-a3. "), "{tree}");
}

#[test]
fn there_must_be_a_claim() {
    let (strategy, _) = corpus("3x4.cert");
    let elsewhere: State = "2/2 b".parse().unwrap();
    assert_eq!(strategy.tree_size(&elsewhere, 9), Err(StrategyError::NotExplicit));
    assert!(strategy.tree(&elsewhere, 9, &mut |_| {}).is_err());
}
