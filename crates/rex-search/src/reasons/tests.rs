use rex_game::{Board, Cell, CellSet, Player, State};
use rex_oracle::Oracle;
use rex_theory::exact_pairing::{Outcome, find_pairing};
use rex_theory::fill_in::fill_in;
use rex_theory::{Field, Options, Reduced};

use super::*;
use crate::{Node, Settings, Solved, Solver};

/// Numbers that look random, the same on every run.
struct Draw(u64);

impl Draw {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 ^ self.0 >> 29
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() >> 8) as usize % end
    }

    /// A set with each cell of `from`, one time in `one_in`.
    fn some(&mut self, from: CellSet, one_in: usize) -> CellSet {
        from.into_iter().filter(|_| self.below(one_in) == 0).collect()
    }

    /// A field with stones, settled cells and empty ones.
    fn field(&mut self, board: Board) -> Field {
        let black = self.some(board.cells(), 3);
        let white = self.some(board.cells() - black, 2);
        let settled = self.some(board.cells(), 12);
        let last = Player::BOTH[self.below(2)];
        Field { board, stones: [black | settled, white | settled], last }
    }

    fn reason(&mut self, board: Board, last: Player, loser: Part) -> Reason {
        let need = self.some(board.cells(), 12);
        Reason { last, loser, need, forbid: need | self.some(board.cells(), 4), pairs: None }
    }

    /// A reason as from a pairing: a few stones, and pairs elsewhere.
    fn paired_reason(&mut self, board: Board, last: Player, loser: Part) -> Reason {
        let need = self.some(board.cells(), 12);
        let mut others: Vec<Cell> = self.some(board.cells() - need, 3).into_iter().collect();
        (1..others.len()).for_each(|at| others.swap(at, self.below(at + 1)));
        let pairs = others.as_chunks::<2>().0.iter().map(|&[one, other]| (one, other));
        Reason { last, loser, need, forbid: need, pairs: Some(Pairs::new(pairs)) }
    }
}

/// What a reason says, in so many words.
fn decides(reason: &Reason, field: &Field) -> bool {
    let loser = reason.loser.player(reason.last);
    let [has, wins] = [field.stones[loser.index()], field.own(!loser)];
    if reason.last != field.last || reason.forbid.into_iter().any(|cell| wins.has(cell)) {
        return false;
    }
    let mut lacking: CellSet = reason.need.into_iter().filter(|&cell| !has.has(cell)).collect();
    let (mut broken, mut lost) = (0, false);
    for (one, other) in reason.pairs.iter().flat_map(Pairs::each) {
        for (cell, mate) in [(one, other), (other, one)] {
            if wins.has(cell) {
                broken += 1;
                lost |= wins.has(mate);
                lacking |= mate.set() - has;
            }
        }
    }
    let spare = usize::from(reason.pairs.is_some() && reason.loser == Part::Last);
    !lost && broken <= 2 && lacking.len() <= spare
}

const PARTS: [Part; 2] = [Part::Last, Part::Notlast];

#[test]
fn an_index_finds_what_a_list_finds() {
    let mut draw = Draw(1);
    for size in ["5x7", "6x6", "7x7", "8x8"] {
        let board: Board = size.parse().unwrap();
        let log = Log::new(10_000);
        let mut list = Vec::new();
        for round in 0..1500 {
            let (last, loser) = (Player::BOTH[round % 2], PARTS[round / 2 % 2]);
            let paired = round % 3 == 0;
            let reason =
                if paired { draw.paired_reason(board, last, loser) } else { draw.reason(board, last, loser) };
            log.add(reason);
            list.extend([reason, reason.rotated(board)]);
        }
        let mut reasons = Reasons::new(board, 100);
        reasons.catch_up(&log);
        let (mut decided, mut struck, mut by_pairs) = (0, 0, 0);
        for _ in 0..2000 {
            let field = draw.field(board);
            for loser in PARTS {
                let asked = reasons.ask(&field, loser);
                let against = || list.iter().filter(|reason| reason.loser == loser);
                assert_eq!(reasons.decide(&field, loser), asked.decided);
                let expected = against().any(|reason| decides(reason, &field));
                assert_eq!(asked.decided.is_some(), expected);
                // Narrowed, it is a plain statement that no other says less exactly.
                assert!(
                    asked.decided.is_none_or(|reason| reason.pairs.is_none() && decides(&reason, &field))
                );
                by_pairs +=
                    against().filter(|reason| reason.pairs.is_some() && decides(reason, &field)).count();
                if !expected {
                    let mover = loser.player(field.last);
                    let lost = |cell| against().any(|reason| decides(reason, &field.with(cell, mover)));
                    let lost: CellSet = field.empty().into_iter().filter(|&cell| lost(cell)).collect();
                    assert_eq!(asked.struck, lost);
                    struck += lost.len();
                    let (decided, answers) = reasons.ask_answers(&field, loser);
                    assert!(!decided);
                    // One move of each field; all would take a minute.
                    for cell in field.empty().into_iter().take(1) {
                        let after = field.with(cell, !mover);
                        let lost =
                            |answer| against().any(|reason| decides(reason, &after.with(answer, mover)));
                        let lost: CellSet =
                            after.empty().into_iter().filter(|&answer| lost(answer)).collect();
                        assert_eq!(answers[cell.index()], lost);
                    }
                } else {
                    assert!(reasons.ask_answers(&field, loser).0);
                    decided += 1;
                }
            }
        }
        assert!(decided > 100 && struck > 100, "{size}: {decided} decided, {struck} struck");
        assert!(by_pairs > 20, "{size}: {by_pairs} decided by pairs");
    }
}

#[test]
fn what_is_of_use_stays() {
    let board: Board = "6x6".parse().unwrap();
    let mut draw = Draw(2);
    let log = Log::new(100_000);
    let mut reasons = Reasons::new(board, 6);
    // Everything is empty but one black stone, which decides.
    let useful = Reason {
        last: Player::Black,
        loser: Part::Last,
        need: board.cell(2, 2).unwrap().set(),
        forbid: board.cell(2, 2).unwrap().set(),
        pairs: None,
    };
    let field = useful.worst(board).next().unwrap();
    log.add(useful);
    for _ in 0..20_000 {
        let reason = draw.reason(board, Player::Black, Part::Last);
        log.add(Reason { forbid: board.cells(), ..reason });
        reasons.catch_up(&log);
        assert_eq!(reasons.ask(&field, Part::Last).decided, Some(useful));
    }
    let blocks: usize = reasons.by_kind.iter().map(Index::blocks).sum();
    assert!(
        blocks <= 6 && reasons.by_kind[Reason::kind(Player::Black, Part::Last)].blocks() == 3,
        "{blocks}"
    );
}

#[test]
fn a_log_tells_what_is_new_and_not_overwritten() {
    let board: Board = "4x4".parse().unwrap();
    let mut draw = Draw(3);
    let log = Log::new(10);
    let all: Vec<Reason> = (0..25).map(|_| draw.reason(board, Player::Black, Part::Last)).collect();
    let heard = |from: usize| {
        let mut heard = Vec::new();
        let count = log.since(from, |number, reason| heard.push((number, *reason)));
        (count, heard)
    };
    let numbered =
        |from: usize, to: usize| (from..to).map(|number| (number, all[number])).collect::<Vec<_>>();
    assert_eq!(heard(0), (0, vec![]));
    all[..7].iter().for_each(|reason| log.add(*reason));
    assert_eq!(heard(0), (7, numbered(0, 7)));
    assert_eq!(heard(5), (7, numbered(5, 7)));
    all[7..].iter().for_each(|reason| log.add(*reason));
    assert_eq!(heard(7), (25, numbered(15, 25)));
    assert_eq!(heard(20), (25, numbered(20, 25)));
    assert_eq!(heard(25), (25, vec![]));
}

/// A field of the oracle's board, filled in, and who loses it.
fn filled(oracle: &Oracle, state: &State) -> Option<(Field, Part)> {
    let mut reduced = Reduced::new(Field::new(state));
    fill_in(&mut reduced, &Options::default(), state.board().cells(), &mut ());
    let loser = Part::of(!oracle.winner(state), state.last());
    reduced.joined.is_none().then_some((reduced.field, loser))
}

#[test]
fn reasons_of_solved_fields_are_true() {
    for size in ["3x4", "4x4"] {
        let oracle = Oracle::new(size.parse().unwrap());
        let every = (oracle.live_count() / 40_000) | 1;
        let (mut checked, mut settled) = (0, 0);
        for position in oracle.sample(every, 0) {
            for to_move in Player::BOTH {
                let Some((field, loser)) = filled(&oracle, &State { position, to_move }) else { continue };
                let worst = Reason::of_field(&field, loser).worst(field.board).next().unwrap();
                assert_eq!(oracle.winner(&worst.to_state()), loser.other().player(field.last), "{field:?}");
                checked += 1;
                settled += field.settled().len();
            }
        }
        assert!(checked > 20_000 && settled > 10_000, "{size}: {checked}, {settled} settled cells");
    }
}

/// Every field that a pairing's reason decides, with broken pairs, with a stone lacking, and as many other stones of the
/// winner's as it allows, is lost by the oracle; and the pairing it names for that field joins the loser.
#[test]
fn reasons_of_pairings_are_true_wherever_they_match() {
    for size in ["3x4", "4x4", "3x5"] {
        let oracle = Oracle::new(size.parse().unwrap());
        let board = oracle.board();
        let mut draw = Draw(5);
        let every = (oracle.live_count() / 30_000) | 1;
        let (mut checked, mut broken, mut lacking) = (0, 0, 0);
        for position in oracle.sample(every, 0) {
            for to_move in Player::BOTH {
                let Some((field, loser)) = filled(&oracle, &State { position, to_move }) else { continue };
                let player = loser.player(field.last);
                let reduced = Reduced::new(field);
                let key = loser == Part::Last;
                let Outcome::Found(pairing) = find_pairing(reduced.graph(!player), key, 300) else {
                    continue;
                };
                let Some(reason) = Reason::of_pairing(&field, loser, &pairing) else { continue };
                for worst in reason.worst(board) {
                    assert_eq!(
                        oracle.winner(&worst.to_state()),
                        loser.other().player(field.last),
                        "{field:?}"
                    );
                }
                let each = reason.pairs.iter().flat_map(Pairs::each).collect::<Vec<_>>();
                for _ in 0..4 {
                    let mut other = reason.worst(board).nth(draw.below(reason.worst(board).count())).unwrap();
                    for &(one, mate) in &each {
                        let (one, mate) = if draw.below(2) == 0 { (one, mate) } else { (mate, one) };
                        if draw.below(3) == 0 {
                            other.stones[player.index()].insert(one);
                            other.stones[(!player).index()].insert(mate);
                        }
                    }
                    let taken = draw.some(other.own(!player), 3);
                    other.stones[(!player).index()] -= taken;
                    if !reason.decides(&other) {
                        continue;
                    }
                    assert_eq!(oracle.winner(&other.to_state()), (!player), "{reason:?} {other:?}");
                    let named = reason.pairing(&other).expect("it comes from one");
                    assert!(named.joins(board, player, other.own(player)), "{reason:?} {other:?}");
                    checked += 1;
                    broken += usize::from(
                        each.iter().any(|&(one, mate)| other.own(!player).meets(one.set() | mate.set())),
                    );
                    lacking += usize::from(named.key.is_some());
                }
            }
        }
        assert!(
            checked > 20_000 && broken > 2_000 && lacking > 5_000,
            "{size}: {checked}, {broken} broken, {lacking}"
        );
    }
}

#[test]
fn no_true_reasons_change_a_winner_however_many_and_whatever_is_lost_of_them() {
    let oracle = Oracle::new("4x4".parse().unwrap());
    let mut draw = Draw(4);
    let sample = oracle.sample((oracle.live_count() / 200_000) | 1, 1);
    let positions: Vec<_> = sample.filter(|position| position.empty().len() >= 7).collect();
    for (memory, count) in [(1 << 16, 3000), (1 << 22, 300), (1 << 26, 20_000)] {
        // Without other verdicts, so that there is something to search.
        let theory = Options { hsearch: false, exact_pairing: false, ..Options::default() };
        let theory = Options { colour_symmetry: false, dominated_symmetry: false, ..theory };
        let solver = Solver::new(oracle.board(), Settings { memory, theory, ..Settings::default() }).unwrap();
        let pick = |draw: &mut Draw| {
            let position = positions[draw.below(positions.len())];
            State { position, to_move: Player::BOTH[draw.below(2)] }
        };
        let mut struck = 0;
        for round in 0..1500 {
            for _ in 0..count / 1500 + 1 {
                if let Some((field, loser)) = filled(&oracle, &pick(&mut draw)) {
                    // Reasons are about positions in the form that the search has them in.
                    let (node, _) = Node::of(&field);
                    solver.log().add(Reason::of_field(&node.field(field.board), loser));
                }
            }
            let state = pick(&mut draw);
            let solution = solver.ask(&state).verdict();
            assert_eq!(solution.winner, Some(oracle.winner(&state)), "round {round}: {state}");
            struck += solution.struck;
        }
        assert!(struck > 50, "{struck} moves struck");
    }
}

/// What another solver has solved decides positions that it has never seen.
#[test]
fn positions_solved_elsewhere_become_reasons() {
    let oracle = Oracle::new("4x4".parse().unwrap());
    let theory = Options { hsearch: false, exact_pairing: false, ..Options::default() };
    let theory = Options { colour_symmetry: false, dominated_symmetry: false, ..theory };
    let settings = Settings { theory, memory: 1 << 20, ..Settings::default() };
    let nodes_with = |settings: &Settings, solved: &[Solved], state: &State| {
        let solver = Solver::new(oracle.board(), settings.clone()).unwrap();
        solver.learn(solved.iter().copied());
        let solution = solver.ask(state).verdict();
        assert_eq!(solution.winner, Some(oracle.winner(state)), "{state}");
        solution.nodes
    };
    let forgetful = Settings { theory: Options { position_reasons: false, ..theory }, ..settings.clone() };
    let (mut searched, mut decided) = (0, 0);
    for position in
        oracle.sample((oracle.live_count() / 20_000) | 1, 0).filter(|position| position.empty().len() > 8)
    {
        let state = State { position, to_move: Player::Black };
        let Some((field, loser)) = filled(&oracle, &state) else { continue };
        let node = Node::of(&field).0;
        let solved = [Solved { node, winner: loser.other(), best: None, nodes: 50 }];
        // One more stone of the loser's: another position, and no better for her.
        let player = loser.player(field.last);
        let Some(cell) = field.empty().first() else { continue };
        let after = field.with(cell, player).to_state();
        if nodes_with(&forgetful, &solved, &after) > 1 {
            searched += 1;
            decided += usize::from(nodes_with(&settings, &solved, &after) <= 1);
        }
    }
    assert!(searched > 20 && decided > searched / 2, "{decided} of {searched}");
}
