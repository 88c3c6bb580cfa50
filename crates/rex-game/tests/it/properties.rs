//! What holds for every board and every position.

use proptest::prelude::*;
use proptest::sample::Index;
use rex_game::sgf::Collection;
use rex_game::{
    Action, ActionKind, Board, Cell, CellSet, GameRecord, MAX_CELLS, MAX_COLS, Player, Position, State,
    Symmetry, mirrored, move_list,
};

fn boards() -> impl Strategy<Value = Board> {
    let any = (1..=MAX_COLS).prop_flat_map(|cols| (1..=MAX_CELLS / cols, Just(cols)));
    let special = prop::sample::select(vec![(8, 8), (64, 1), (1, 26), (1, 1), (2, 26), (6, 6), (5, 5)]);
    prop_oneof![2 => any, 1 => special].prop_map(|(rows, cols)| Board::new(rows, cols).unwrap())
}

fn squares() -> impl Strategy<Value = Board> {
    (1..=8usize).prop_map(|n| Board::new(n, n).unwrap())
}

/// Any stones, and often so many that somebody joins.
fn position_on(board: Board) -> impl Strategy<Value = Position> {
    let sets = prop_oneof![
        (any::<u64>(), any::<u64>()),
        (any::<u64>(), Just(!0)),
        (any::<u64>(), any::<u64>(), any::<u64>()).prop_map(|(a, b, c)| (a | b, !(a | b) | c)),
        (any::<u64>(), any::<u64>()).prop_map(|(a, b)| (a & b, !a)),
    ];
    sets.prop_map(move |(black, white)| {
        let black = CellSet::from_bits(black) & board.cells();
        Position::with_stones(board, black, (CellSet::from_bits(white) & board.cells()) - black)
    })
}

fn states_on(boards: impl Strategy<Value = Board>) -> impl Strategy<Value = State> {
    (boards.prop_flat_map(position_on), prop::sample::select(&Player::BOTH[..]))
        .prop_map(|(position, to_move)| State { position, to_move })
}

fn states() -> impl Strategy<Value = State> {
    states_on(prop_oneof![boards(), squares()])
}

/// A board and the cells of a game on it, played to a random length or to the end.
fn games() -> impl Strategy<Value = (Board, Vec<Cell>)> {
    (boards(), prop::collection::vec(any::<Index>(), 0..=MAX_CELLS)).prop_map(|(board, choices)| {
        let mut state = State::new(board);
        let mut played = Vec::new();
        for choice in choices {
            let moves: Vec<Cell> = state.moves().into_iter().collect();
            if moves.is_empty() {
                break;
            }
            let cell = *choice.get(&moves);
            state = state.play(cell);
            played.push(cell);
        }
        (board, played)
    })
}

/// A start and anything that players can do, in and out of turn.
fn records() -> impl Strategy<Value = GameRecord> {
    let starts = prop_oneof![1 => boards().prop_map(State::new), 1 => states()];
    let doings = prop::collection::vec((0..12, any::<bool>(), any::<Index>()), 0..20);
    (starts, doings, any::<Index>()).prop_map(|(start, doings, shown)| {
        let mut record = GameRecord::new(start);
        for (kind, in_turn, choice) in doings {
            let end = record.end();
            let empty: Vec<Cell> = end.position.empty().into_iter().collect();
            let kind = match kind {
                0 if mirrored(&end.position).is_some() => ActionKind::SwapPieces,
                1 => ActionKind::SwapSides,
                2 => ActionKind::Pass,
                3 => ActionKind::Resign,
                4 => ActionKind::Forfeit,
                _ if empty.is_empty() => ActionKind::Pass,
                _ => ActionKind::Play(*choice.get(&empty)),
            };
            let player = if in_turn { end.to_move } else { !end.to_move };
            record.push(Action { player, kind });
        }
        record.show(shown.index(record.actions().len() + 1));
        record
    })
}

/// Any tree of nodes with any properties.
fn collections() -> impl Strategy<Value = Collection> {
    let node = (any::<Index>(), "[A-Z]{1,3}", prop::collection::vec(any::<String>(), 1..3));
    let games = prop::collection::vec((states(), prop::collection::vec(node, 0..12)), 1..4);
    games.prop_map(|games| {
        let mut collection = Collection::default();
        for (start, nodes) in games {
            let mut known = vec![collection.add_game(&start)];
            for (parent, name, texts) in nodes {
                let action = Action { player: start.to_move, kind: ActionKind::Pass };
                let node = collection.add_action(*parent.get(&known), start.board(), action);
                collection.set(node, &name, &texts);
                known.push(node);
            }
        }
        collection
    })
}

/// Text near to something valid: a few characters changed, left out or put in.
fn mutated(text: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    let letter = prop_oneof![
        prop::sample::select(" \n\t,/0123456789abwxBW.-*●○é\\\u{1b}();[]:#%sSp".chars().collect::<Vec<_>>()),
        any::<char>(),
    ];
    (text, prop::collection::vec((any::<Index>(), 0..3, letter), 1..4)).prop_map(|(text, changes)| {
        let mut chars: Vec<char> = text.chars().collect();
        for (at, kind, letter) in changes {
            let at = at.index(chars.len() + 1);
            match kind {
                0 => chars.insert(at, letter),
                1 if at < chars.len() => chars[at] = letter,
                _ if at < chars.len() => drop(chars.remove(at)),
                _ => {}
            }
        }
        chars.into_iter().collect()
    })
}

/// Every reader takes the text or says what is wrong at a place of it.
fn read_everything(text: &str) {
    let readings = [
        text.parse::<State>().err(),
        text.parse::<GameRecord>().err(),
        Collection::parse(text).err(),
        text.parse::<Board>().err(),
        State::new(Board::new(6, 6).unwrap()).play_text(text).err(),
        text.parse::<Position>().err(),
        State::from_diagram(text).err(),
        Position::from_diagram(text).err(),
    ];
    for error in readings.into_iter().flatten() {
        assert!(text.get(error.span()).is_some(), "{error} at {:?}", error.span());
        assert_eq!(error.to_string().lines().count(), 1, "{error}");
        let rendered = error.render(text);
        assert_eq!(rendered.lines().count(), 3, "{rendered}");
        assert!(rendered.lines().last().unwrap().trim_start().chars().all(|c| c == '^'), "{rendered}");
    }
    if let Ok(state) = text.parse::<State>() {
        assert_eq!(state.to_string().parse(), Ok(state));
    }
    if let Ok(games) = Collection::parse(text) {
        let written = games.to_string();
        let again = Collection::parse(&written).expect("what was written can be read");
        assert_eq!(again.to_string(), written);
    }
}

/// The rule itself: a path of stones from one side to the other.
fn joined_by_search(position: &Position, player: Player) -> bool {
    let board = position.board();
    let (rows, cols) = (board.rows() as i32, board.cols() as i32);
    let mut seen = vec![vec![false; cols as usize]; rows as usize];
    let mut stack: Vec<(i32, i32)> = match player {
        Player::Black => (0..cols).map(|col| (0, col)).collect(),
        Player::White => (0..rows).map(|row| (row, 0)).collect(),
    };
    while let Some((row, col)) = stack.pop() {
        let Some(cell) = usize::try_from(row).ok().zip(usize::try_from(col).ok()) else { continue };
        let Some(here) = board.cell(cell.0, cell.1) else { continue };
        if position.get(here) != Some(player) || std::mem::replace(&mut seen[cell.0][cell.1], true) {
            continue;
        }
        if (player == Player::Black && row == rows - 1) || (player == Player::White && col == cols - 1) {
            return true;
        }
        stack.extend([(0, -1), (0, 1), (-1, 0), (1, 0), (-1, 1), (1, -1)].map(|(r, c)| (row + r, col + c)));
    }
    false
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn position_text_reads_back(state in states()) {
        prop_assert_eq!(state.to_string().parse(), Ok(state));
    }

    #[test]
    fn move_lists_read_back((board, moves) in games()) {
        let text = move_list(board, &moves);
        let end = moves.iter().fold(State::new(board), |state, &cell| state.play(cell));
        prop_assert_eq!(text.parse(), Ok(end));
        prop_assert_eq!(State::new(board).parse_moves(text.split_once(' ').map_or("", |t| t.1)), Ok(moves));
    }

    #[test]
    fn games_read_back_from_sgf(record in records()) {
        let sgf = record.to_sgf();
        prop_assert_eq!(sgf.parse(), Ok(record), "{}", sgf);
    }

    /// A link holds the game where HexWorld could replay it, and otherwise the position.
    #[test]
    fn games_read_back_from_links(record in records(), (board, moves) in games()) {
        let link = record.to_hexworld();
        prop_assert_eq!(link.parse(), Ok(record.state()), "{}", link);
        let again = link.parse::<GameRecord>().unwrap();
        prop_assert_eq!(again.to_hexworld(), link);
        let game = GameRecord::with_moves(State::new(board), &moves);
        prop_assert_eq!(game.to_hexworld().parse(), Ok(game.clone()));
        prop_assert_eq!(game.moves(), Some(moves));
    }

    #[test]
    fn collections_read_back(collection in collections()) {
        let text = collection.to_string();
        let again = Collection::parse(&text);
        prop_assert!(again.is_ok(), "{}", text);
        prop_assert_eq!(again.unwrap().to_string(), text);
    }

    #[test]
    fn mutated_games_are_read_or_refused(
        sgf in mutated(records().prop_map(|r| r.to_sgf())),
        link in mutated(records().prop_map(|r| r.to_hexworld())),
        collection in mutated(collections().prop_map(|c| c.to_string())),
    ) {
        read_everything(&sgf);
        read_everything(&link);
        read_everything(&link.replace("hexworld.org/board/", "trmph.com/hex/board").replace("c1,", ","));
        read_everything(&collection);
    }

    #[test]
    fn diagrams_read_back(state in states()) {
        prop_assert_eq!(State::from_diagram(&state.diagram().to_string()), Ok(state));
        prop_assert_eq!(State::from_diagram(&state.diagram().unicode().to_string()), Ok(state));
        let bare = state.position.diagram().to_string();
        prop_assert_eq!(Position::from_diagram(&bare), Ok(state.position));
        prop_assert!(bare.lines().all(|line| line == line.trim_end()));
    }

    #[test]
    fn names_read_back(board in boards()) {
        for cell in board.cells() {
            prop_assert_eq!(board.cell_named(&board.name(cell)), Some(cell));
        }
        prop_assert_eq!(board.to_string().parse(), Ok(board));
    }

    #[test]
    fn any_text_is_read_or_refused(text in any::<String>()) {
        read_everything(&text);
    }

    #[test]
    fn text_of_our_letters_is_read_or_refused(text in "[0-9abwxBW/ ,.\n-]{0,40}") {
        read_everything(&text);
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..100)) {
        read_everything(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn mutated_position_text_is_read_or_refused(text in mutated(states().prop_map(|s| s.to_string()))) {
        read_everything(&text);
    }

    #[test]
    fn mutated_move_lists_are_read_or_refused(text in mutated(games().prop_map(|(b, m)| move_list(b, &m)))) {
        read_everything(&text);
    }

    #[test]
    fn mutated_diagrams_are_read_or_refused(text in mutated(states().prop_map(|s| s.diagram().to_string()))) {
        read_everything(&text);
    }

    #[test]
    fn images_keep_who_is_joined(state in states()) {
        for &symmetry in Symmetry::of(state.board()) {
            let image = state.image(symmetry);
            for player in Player::BOTH {
                let then = if symmetry.swaps_colours() { !player } else { player };
                prop_assert_eq!(image.position.joined(then), state.position.joined(player));
            }
            prop_assert_eq!(image.position.empty().len(), state.position.empty().len());
            prop_assert_eq!(image.image(symmetry.inverse()), state);
        }
    }

    #[test]
    fn images_commute_with_moves(state in states()) {
        for &symmetry in Symmetry::of(state.board()) {
            for cell in state.moves() {
                let cell_image = symmetry.apply_to_cell(state.board(), cell);
                prop_assert_eq!(state.image(symmetry).play(cell_image), state.play(cell).image(symmetry));
            }
        }
    }

    #[test]
    fn symmetries_are_a_group(state in states()) {
        use Symmetry::*;
        // The group of four in which each element undoes itself: two different ones make the third.
        let table = |a, b| match (a, b) {
            _ if a == b => Identity,
            (Identity, other) | (other, Identity) => other,
            (Rotation, Transpose) | (Transpose, Rotation) => AntiTranspose,
            (Rotation, AntiTranspose) | (AntiTranspose, Rotation) => Transpose,
            _ => Rotation,
        };
        for &a in Symmetry::of(state.board()) {
            for &b in Symmetry::of(state.board()) {
                prop_assert_eq!(state.image(a).image(b), state.image(table(a, b)));
            }
        }
    }

    #[test]
    fn canonical_is_one_state_of_the_orbit(state in states()) {
        let (canonical, symmetry) = state.canonical();
        prop_assert_eq!(state.image(symmetry), canonical);
        prop_assert_eq!(canonical.canonical().0, canonical);
        for &symmetry in Symmetry::of(state.board()) {
            prop_assert_eq!(state.image(symmetry).canonical().0, canonical);
        }
    }

    #[test]
    fn neighbours_of_a_set_are_the_neighbours_of_its_cells(board in boards(), set: u64) {
        let set = CellSet::from_bits(set) & board.cells();
        let union = set.into_iter().fold(CellSet::EMPTY, |all, cell| all | board.neighbours(cell));
        prop_assert_eq!(board.neighbours_of_set(set), union);
    }

    #[test]
    fn neighbours_are_mutual(board in boards()) {
        for cell in board.cells() {
            prop_assert!(!board.neighbours(cell).has(cell));
            prop_assert!(board.neighbours(cell).into_iter().all(|other| board.neighbours(other).has(cell)));
        }
    }

    #[test]
    fn exactly_one_player_is_joined_on_a_full_board(board in boards(), black: u64) {
        let black = CellSet::from_bits(black) & board.cells();
        let position = Position::with_stones(board, black, board.cells() - black);
        prop_assert!(position.joined(Player::Black) != position.joined(Player::White));
    }

    #[test]
    fn joined_means_a_path_of_stones(state in states()) {
        for player in Player::BOTH {
            prop_assert_eq!(state.position.joined(player), joined_by_search(&state.position, player));
        }
    }

    #[test]
    fn last_stays_the_same_along_a_game((board, moves) in games()) {
        let mut state = State::new(board);
        let last = state.last();
        for cell in moves {
            state = state.play(cell);
            prop_assert_eq!(state.last(), last);
        }
    }
}
