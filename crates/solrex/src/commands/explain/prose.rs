//! The explanation as text.

use std::fmt::Write;

use rex_answers::explain::{DecidedBy, Explanation, Kind, side};
use rex_game::{Board, Cell, CellSet, Player, State, Symmetry};
use rex_theory::fill_in::FillStep;
use rex_theory::pairing::PairingVerdict;

use crate::show::style::{self, paint};
use crate::show::text::{self, cells, count, name};

/// The whole text.
pub fn describe(explanation: &Explanation) -> String {
    let Explanation { state, verdict, .. } = explanation;
    let mut text = text::board(state, |_| None);
    if let Some((winner, DecidedBy::Joined)) = *verdict {
        let _ = writeln!(text, "\n{}: {} has connected her two sides.", wins(winner), name(!winner));
        return text;
    }
    let empty = state.position.empty().len() as u64;
    let _ = writeln!(
        text,
        "\n{} and {} to move, so {} is Last: she would colour the last cell.",
        count(empty, "empty cell"),
        name(state.to_move),
        name(state.last()),
    );
    fill(&mut text, explanation);
    let by_fill_in = matches!(verdict, Some((_, DecidedBy::FillIn)));
    if !by_fill_in {
        moves(&mut text, explanation);
    }
    marked_board(&mut text, explanation);
    cell_list(&mut text, explanation);
    if !by_fill_in {
        pairings(&mut text, explanation);
        if let Some(reflection) = explanation.symmetry {
            title(&mut text, "Symmetry");
            text += &symmetry(!state.last(), reflection);
        }
    }
    title(&mut text, "Verdict");
    text += &conclusion(explanation);
    text
}

/// Why the position is decided, in a few lines.
pub fn reason(explanation: &Explanation) -> String {
    let mut text = String::new();
    match explanation.verdict {
        Some((_, DecidedBy::JoinPairing | DecidedBy::PreJoinPairing)) => {
            pairing_lines(&mut text, explanation)
        }
        Some((winner, DecidedBy::Symmetry(reflection))) => text += &symmetry(winner, reflection),
        Some((_, DecidedBy::Joined | DecidedBy::FillIn)) | None => {}
    }
    let filled = explanation.state.position.empty() - explanation.filled.empty();
    if !filled.is_empty() {
        let filled = cells(explanation.state.board(), filled);
        let _ = writeln!(text, "  (First {filled} are filled in; see 'solrex explain'.)");
    }
    text + &conclusion(explanation)
}

fn title(text: &mut String, title: &str) {
    let _ = writeln!(text, "\n{}", paint(style::STRONG, title));
}

fn wins(winner: Player) -> String {
    paint(style::STRONG, format!("{} wins", name(winner)))
}

fn fill(text: &mut String, explanation: &Explanation) {
    let Explanation { state, steps, filled, .. } = explanation;
    let board = state.board();
    title(text, "Fill-in");
    if steps.is_empty() {
        *text += "  Nothing can be filled in.\n";
        return;
    }
    for (i, step) in steps.iter().enumerate() {
        let _ = writeln!(text, "{:>3}. {}", i + 1, fill_step(board, step));
    }
    if filled.mover() != state.to_move {
        let dead = cells(board, explanation.dead());
        let _ = writeln!(
            text,
            "  A dead cell ({dead}) is as good a move as any, so we take it as played: {} moves next.",
            name(filled.mover()),
        );
    }
}

/// The board with everything that was found, if anything was.
fn marked_board(text: &mut String, explanation: &Explanation) {
    let Explanation { state, filled, .. } = explanation;
    let symbol = |cell| match explanation.kind(cell) {
        Kind::Dead | Kind::DeadStone(_) => Some(('x', style::FAINT)),
        Kind::Captured(Player::Black) | Kind::Filled(Player::Black) => Some(('b', style::BLACK)),
        Kind::Captured(Player::White) | Kind::Filled(Player::White) => Some(('w', style::WHITE)),
        Kind::Dominated(_) | Kind::OwnKey => Some(('-', style::LOSS)),
        Kind::Stone(_) | Kind::Open => None,
    };
    if state.board().cells().into_iter().all(|cell| symbol(cell).is_none()) {
        return;
    }
    let after = State { to_move: filled.mover(), ..*state };
    text.push('\n');
    *text += &text::board(&after, symbol);
    *text += "b w filled in, x dead, - a move that need not be tried\n";
}

/// What each empty cell is, grouped by kind.
fn cell_list(text: &mut String, explanation: &Explanation) {
    let board = explanation.state.board();
    title(text, "Cells");
    let mut line = |what: &str, found: Vec<String>| {
        if !found.is_empty() {
            let _ = write!(text, "  {what}\n{}", text::wrapped(found, 4));
        }
    };
    let of_kind = |kind| {
        let found = board.cells().into_iter().filter(|&cell| explanation.kind(cell) == kind);
        found.map(|cell| board.name(cell)).collect()
    };
    line("dead", of_kind(Kind::Dead));
    for player in Player::BOTH {
        line(&format!("captured by {}", name(player)), of_kind(Kind::Captured(player)));
        line(&format!("filled for {}", name(player)), of_kind(Kind::Filled(player)));
    }
    let inferior = board.cells().into_iter().filter_map(|cell| match explanation.kind(cell) {
        Kind::Dominated(found) => {
            Some(format!("{}({} T{})", board.name(cell), board.name(found.better), found.theorem.number()))
        }
        Kind::Stone(_) | Kind::DeadStone(_) | Kind::Dead | Kind::Captured(_) | Kind::Filled(_) => None,
        Kind::OwnKey | Kind::Open => None,
    });
    line("inferior, with a cell at least as good and the theorem", inferior.collect());
    line("key of a pairing that connects the mover's own sides", of_kind(Kind::OwnKey));
    for PairingVerdict { loser, pairing, .. } in &explanation.pairings {
        let key = pairing.key.map(|key| board.name(key));
        line(&format!("key of the pairing that connects {}", name(*loser)), key.into_iter().collect());
        // A pair is named once, by its first cell.
        let mates = |cell| Some((cell, pairing.mate(cell).filter(|&mate| cell < mate)?));
        let found = board.cells().into_iter().filter_map(mates).map(|pair| pairs(board, &[pair]));
        line(&format!("pairs that connect {}", name(*loser)), found.collect());
    }
    line("open", of_kind(Kind::Open));
}

fn fill_step(board: Board, step: &FillStep) -> String {
    match step {
        FillStep::Dead { cells: dead, evidence } => {
            let mut around: Vec<String> = evidence.clique.into_iter().map(|cell| board.name(cell)).collect();
            around.extend(evidence.side.map(|which| format!("the {} side", side(evidence.player, which))));
            let why = match &around[..] {
                _ if dead.len() > 1 => format!("{} cut them off", around.join(", ")),
                [] => "it has no open neighbour".to_owned(),
                [only] => format!("its only neighbour is {only}"),
                _ => format!("its neighbours ({}) are connected without it", around.join(", ")),
            };
            let verb = if dead.len() == 1 { "is" } else { "are" };
            format!("{} {verb} dead: for {}, {why}", cells(board, *dead), name(evidence.player))
        }
        FillStep::DeadStone { cell } => format!("the stone on {} no longer matters", board.name(*cell)),
        FillStep::Captured { player, pairs: found } => {
            let (verb, each) = if found.len() == 1 { ("is", "the pair") } else { ("are", "each pair") };
            format!(
                "{} {verb} captured by {}: whichever cell of {each} she takes, the rest is dead",
                pairs(board, found),
                name(*player),
            )
        }
        FillStep::Decomposition(found) => {
            let rest = match cells(board, found.dead) {
                none if none.is_empty() => String::new(),
                dead => format!(", and {dead} dead"),
            };
            format!(
                "{} connect two of {}'s groups across a closed region: they are captured{rest}",
                pairs(board, found.pairing.pairs()),
                name(found.player),
            )
        }
        FillStep::Mutual(found) => format!(
            "Black {} and White {} are a mutual fill-in: each lets the other side capture, {} and {}",
            board.name(found.black.0),
            board.name(found.white.0),
            pairs(board, &[found.black]),
            pairs(board, &[found.white]),
        ),
    }
}

/// `a1-b2 c3-d4`.
pub fn pairs(board: Board, pairs: &[(Cell, Cell)]) -> String {
    let pair = |&(one, other): &(Cell, Cell)| format!("{}-{}", board.name(one), board.name(other));
    pairs.iter().map(pair).collect::<Vec<_>>().join(" ")
}

fn moves(text: &mut String, explanation: &Explanation) {
    let Explanation { state, filled, dominated, own_keys, .. } = explanation;
    let board = state.board();
    title(text, &format!("Moves of {}", name(filled.mover())));
    for found in dominated {
        let _ = writeln!(
            text,
            "  {} is no better than {} (Theorem {}: {})",
            board.name(found.cell),
            board.name(found.better),
            found.theorem.number(),
            found.theorem.slogan(),
        );
    }
    if !own_keys.is_empty() {
        let _ = writeln!(
            text,
            "  {} would complete a pairing that joins {}'s own sides (Theorem 12)",
            cells(board, *own_keys),
            name(filled.mover()),
        );
    }
    let struck: CellSet = dominated.iter().map(|found| found.cell).collect();
    let left = filled.empty() - struck - *own_keys;
    let _ = writeln!(text, "  {} left to try: {}", count(left.len() as u64, "move"), cells(board, left));
}

fn pairings(text: &mut String, explanation: &Explanation) {
    title(text, "Pairings");
    if explanation.pairings.is_empty() {
        *text += "  None found.\n";
    }
    pairing_lines(text, explanation);
}

fn pairing_lines(text: &mut String, explanation: &Explanation) {
    for PairingVerdict { loser, pairing, mirrored } in &explanation.pairings {
        let board = explanation.state.board();
        let from = match pairs(board, pairing.pairs()) {
            none if none.is_empty() => String::new(),
            pairs => format!(" one cell of each pair {pairs}"),
        };
        let and = if from.is_empty() { "" } else { " and" };
        let key = pairing.key.map_or(String::new(), |key| format!(" the key {}{and}", board.name(key)));
        let _ = writeln!(text, "  {}'s sides are connected by{key}{from}.", name(*loser));
        if let Some((first, last)) = mirrored.and_then(|strip| strip.first().zip(strip.into_iter().last())) {
            let (first, last) = (board.name(first), board.name(last));
            let _ = writeln!(text, "  Each cell from {first} to {last} is paired with its mirror image.");
        }
    }
}

fn symmetry(winner: Player, reflection: Symmetry) -> String {
    let mirror = match reflection {
        Symmetry::Transpose => "long",
        _ => "short",
    };
    format!(
        "  Mirrored in the {mirror} diagonal, each of {}'s stones lies on one of {}'s.\n",
        name(winner),
        name(!winner),
    )
}

fn conclusion(explanation: &Explanation) -> String {
    let Some((winner, reason)) = explanation.verdict else {
        return "  None without search.\n".to_owned();
    };
    let (winner_name, loser) = (name(winner), name(!winner));
    let why = match reason {
        DecidedBy::Joined => format!("{loser} has connected her two sides."),
        DecidedBy::FillIn => format!("fill-in connects {loser}'s two sides."),
        DecidedBy::Symmetry(_) => {
            format!("by symmetry, because {loser} is Last. This argument names no move.")
        }
        DecidedBy::JoinPairing => {
            format!("{winner_name} can always leave {loser} one cell of each pair.")
        }
        DecidedBy::PreJoinPairing => format!(
            "{loser} is Last, so {winner_name} never has to take the key, and can always leave {loser} one cell of each pair."
        ),
    };
    format!("  {}: {why}\n", wins(winner))
}
