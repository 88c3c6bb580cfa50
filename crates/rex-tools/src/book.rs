//! `book`: solves the openings and first replies of small boards, reads the certificates of larger ones, and writes what
//! they say as the book that the program comes with.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use rex_book::{Chapter, Entry, OpeningBook, Source};
use rex_game::{Board, Cell, CellSet, Player, State};
use rex_proof::{CheckLimits, Claim, ClaimId, Refutation, Rule};
use rex_search::{Book, Settings, Solver};
use rex_store::{Keeper, Notice, Store, Thread};
use rex_theory::fill_in::rules;

/// Write the book of openings
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Boards whose openings and first replies are solved
    #[arg(long, value_name = "SIZES", value_delimiter = ',', default_value = "5x5,6x6")]
    boards: Vec<Board>,
    /// A folder with certificates of openings, all of one board
    #[arg(long, value_name = "FOLDER")]
    certificates: Option<PathBuf>,
    /// A store of solved positions to start from and to add to. The book may then have other lines of play
    #[arg(long, value_name = "FILE")]
    db: Option<PathBuf>,
    /// The file to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

/// Stones that are placed before a line of play starts.
const STONES: usize = 2;
/// One thread and the same memory each time write the same book.
const MEMORY: u64 = 1 << 30;
/// Positions that took this many nodes go to the store.
const REMEMBER: u64 = 100;

/// Writes the book.
pub fn run(args: &Args) -> Result<()> {
    let store = args.db.as_ref().map(|path| Store::open(path)).transpose()?;
    let store = store.map(|store| Thread::start(store, |notice: &Notice| eprintln!("warning: {notice}")));
    let solver = |board: Board| -> Result<Solver> {
        let settings = Settings { memory: MEMORY, remember: Some(REMEMBER), ..Settings::default() };
        let rules = rules(&settings.theory);
        let solver = Solver::new(board, settings)?;
        Ok(match &store {
            Some(store) => solver.remembering(Box::new(Keeper::new(store, board, rules))),
            None => solver,
        })
    };
    let mut chapters = Vec::new();
    for &board in &args.boards {
        chapters.push(searched(&solver(board)?)?);
    }
    if let Some(folder) = &args.certificates {
        chapters.push(certified(folder)?);
    }
    let text = rex_book::write(&chapters);
    let book = OpeningBook::parse(&text).context("what was made is not a book")?;
    for chapter in &chapters {
        for entry in &chapter.entries {
            let found = book.find(&entry.state(chapter.board)).context("an entry is missing")?;
            ensure!(
                (found.winner, found.best) == (entry.winner, entry.line.first().copied()),
                "an entry changed"
            );
        }
        eprintln!("{}: {} entries, {}", chapter.board, chapter.entries.len(), chapter.source);
    }
    std::fs::write(&args.output, &text)
        .with_context(|| format!("cannot write '{}'", args.output.display()))?;
    eprintln!("{} bytes in '{}'", text.len(), args.output.display());
    Ok(())
}

/// Solves every position with at most [`STONES`] stones, up to symmetry.
fn searched(solver: &Solver) -> Result<Chapter> {
    let board = solver.board();
    let mut entries = Vec::new();
    let mut seen = HashSet::new();
    let mut level = vec![Vec::new()];
    for stones in 0..=STONES {
        let mut next = Vec::new();
        for moves in level {
            let state = moves.iter().fold(State::new(board), |state, &cell| state.play(cell));
            if !seen.insert(state.canonical().0) {
                continue;
            }
            if state.position.winner().is_some() {
                bail!("the game is over after {stones} moves; expected a larger board than {board}");
            }
            let solution = solver.ask(&state).solve();
            let winner = solution.winner.context("nothing limits the search")?;
            // The position after the first move has an entry of its own, as long as there are few stones.
            let length = if stones < STONES { 1 } else { solution.pv.len() };
            entries.push(Entry { moves: moves.clone(), winner, line: solution.pv[..length].to_vec() });
            next.extend(state.moves().into_iter().map(|cell| [&moves[..], &[cell]].concat()));
        }
        level = next;
    }
    entries.sort_by(|one: &Entry, other| one.moves.cmp(&other.moves));
    Ok(Chapter { board, source: Source::Searched, entries })
}

/// What the certificates of a folder prove about openings, and the empty board, where every opening loses.
fn certified(folder: &Path) -> Result<Chapter> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .and_then(|files| files.map(|file| file.map(|file| file.path())).collect())
        .with_context(|| format!("cannot read '{}'", folder.display()))?;
    files.sort();
    let mut found: Vec<(Board, u64, Entry)> = Vec::new();
    for file in &files {
        let (board, claims, entry) =
            opening(file).with_context(|| format!("'{}' is of no use", file.display()))?;
        ensure!(
            found.first().is_none_or(|first| first.0 == board),
            "'{}' is about another board",
            file.display()
        );
        found.push((board, claims, entry));
    }
    let (board, _, hardest) =
        found.iter().max_by_key(|(_, claims, _)| *claims).context("there is no certificate")?.clone();
    ensure!(board.is_square() && board.rows() % 2 == 1, "symmetry does not decide the empty {board} board");
    // On a board of odd size Black moves last, so White wins by symmetry. The opening with the longest proof holds out.
    let empty = Entry { moves: Vec::new(), winner: Player::White, line: hardest.moves };
    let mut entries: Vec<Entry> =
        [empty].into_iter().chain(found.into_iter().map(|(_, _, entry)| entry)).collect();
    entries.sort_by(|one, other| one.moves.cmp(&other.moves));
    Ok(Chapter { board, source: Source::Certified, entries })
}

/// The opening that a certificate is about, with White's reply and Black's best try against it, and how many claims it
/// takes.
fn opening(file: &Path) -> Result<(Board, u64, Entry)> {
    let mut claims = HashMap::new();
    let report = rex_proof::check(rex_proof::open(file)?, &CheckLimits::default(), &mut |claim, _| {
        claims.insert(claim.id, claim.clone());
    })?;
    let (state, board) = (report.state, report.state.board());
    let stones = state.position.stones(Player::Black);
    let (Some(cell), 1, Player::White) = (stones.first(), stones.len(), state.to_move) else {
        bail!("'{state}' is not an opening");
    };
    ensure!(report.winner == Player::White, "the opening wins; expected one with a reply");
    let root = claims.values().find(|claim| claim.state == state).context("there is a root")?;
    let line = match &root.rule {
        Rule::Move(reply, id) => {
            [*reply].into_iter().chain(hardest(&claims, *id, &state.play(*reply))).collect()
        }
        // She wins with every move that leaves the pairs and the key alone.
        Rule::Pairs(pairs, key) => {
            let named: CellSet = pairs.iter().flat_map(|&(one, other)| [one, other]).chain(*key).collect();
            vec![(state.moves() - named).first().context("it names no reply")?]
        }
        _ => bail!("it names no reply"),
    };
    Ok((board, report.claims, Entry { moves: vec![cell], winner: report.winner, line }))
}

/// The loser's move that takes the most claims to refute, if the certificate goes on with her moves. Where cells are
/// filled in first, those of her moves that are still there.
fn hardest(claims: &HashMap<ClaimId, Claim>, mut id: ClaimId, state: &State) -> Option<Cell> {
    loop {
        match &claims[&id].rule {
            // Filling in an odd number of cells passes the turn.
            Rule::Fill(_, next) | Rule::Move(_, next) => id = *next,
            Rule::All(answers) => {
                let tries = answers.iter().filter_map(|(cell, answer)| match answer {
                    Refutation::Claim(id) if state.moves().has(*cell) => Some((used_by(claims, *id), *cell)),
                    _ => None,
                });
                return tries.max().map(|(_, cell)| cell);
            }
            _ => return None,
        }
    }
}

/// The claims that a claim rests on, and itself.
fn used_by(claims: &HashMap<ClaimId, Claim>, id: ClaimId) -> usize {
    let mut used = HashSet::from([id]);
    let mut open = vec![id];
    while let Some(id) = open.pop() {
        claims[&id].rule.clone().for_each_reference(|next| {
            if used.insert(*next) {
                open.push(*next);
            }
        });
    }
    used.len()
}
