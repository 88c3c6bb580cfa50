//! `solrex export-training`: solved positions from which a net can learn.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use rex_game::{Board, State};
use rex_search::Node;
use rex_search::{Limits, Settings, Solver};
use rex_theory::Field;
use serde_json::json;

use crate::arguments::search::{SearchArgs, size};
use crate::cli::Show;
use crate::random::Random;
use crate::show::answer::{V, seconds};
use crate::show::counter::Counter;
use crate::{Status, show::output, show::text, system::interrupt};

mod data;
mod draw;

use data::Lessons;
use draw::Stones;

/// Write solved positions for training a net
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Rows x columns, such as 5x5, or one number; the board must be square
    #[arg(value_name = "SIZE", value_parser = size)]
    board: Board,
    /// Where to write the positions to train with
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Take what is solved below these openings, as a1,d2
    #[arg(long, value_name = "LIST", value_delimiter = ',', required_unless_present = "random")]
    openings: Vec<String>,
    /// Take what is solved below this many random positions
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    random: Option<u64>,
    /// Another number gives other random positions, the same number the same ones
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Random positions have half of this many stones, drawn from this range, for Last, and as many and up to three more
    /// for Notlast
    #[arg(long, value_name = "A-B", default_value = "3-10")]
    stones: Stones,
    /// What is solved below these openings goes to --test-output, and nothing of it to --output
    #[arg(long, value_name = "LIST", value_delimiter = ',', requires = "test_output")]
    test_openings: Vec<String>,
    /// Where to write the positions to test with
    #[arg(long, value_name = "FILE", requires = "test_openings")]
    test_output: Option<PathBuf>,
    #[command(flatten)]
    search: SearchArgs,
}

const EXAMPLES: &str = "\
Examples:
  solrex export-training 6x6 --random 1000 --seed 1 -o 6x6.bin
  solrex export-training 6x6 --openings a1,c1 --test-openings d1 -o train.bin --test-output test.bin
  solrex export-training 7 --random 300 --stones 6-12 --nodes 100k -o 7x7.bin

Each filled position comes once, up to symmetry, with its winner, the work it took and the winning move that was met.
docs/training.md has the format. One thread is used unless --threads says otherwise: with more, the files differ from run
to run. --nodes bounds the search of one position (30,000 for random ones unless it is given); what was solved below an
unsolved one counts too. Nothing is written when a signal ends it.";

/// Nodes for a random position, unless a flag says otherwise.
const NODES: u64 = 30_000;
/// For the table, unless a flag says otherwise; fixed, so that the same command gives the same file anywhere.
const MEMORY: u64 = 512 << 20;

/// Solves positions and writes what was met on the way.
pub fn run(args: &Args, show: Show) -> Result<Status> {
    let board = args.board;
    if !board.is_square() {
        bail!("the {board} board is not square; expected a square one");
    }
    let training = openings(board, &args.openings)?;
    let test = openings(board, &args.test_openings)?;
    if let Some((name, _)) = test.iter().find(|(_, state)| training.iter().any(|(_, t)| same(t, state))) {
        bail!("{name} (or its rotation) is given for both training and testing");
    }
    if args.test_output.as_ref() == Some(&args.output) {
        bail!("--output and --test-output are the same file");
    }
    for path in args.test_output.iter().chain([&args.output]) {
        output::try_file(path)?;
    }
    let mut settings = args.search.bench_settings(Some(MEMORY));
    settings.remember = Some(0);
    let mut limits = args.search.limits()?;
    let tested = Harvest::below(&settings, &limits, test.into_iter().map(|(_, state)| state), board)?;
    let mut learned =
        Harvest::below(&settings, &limits, training.into_iter().map(|(_, state)| state), board)?;
    if let Some(count) = args.random {
        args.stones.check(board)?;
        limits.nodes = limits.nodes.or(Some(NODES));
        let mut random = Random(args.seed);
        let drawn = (0..count).map(|_| args.stones.draw(board, &mut random));
        learned.add(Harvest::below(&settings, &limits, drawn, board)?);
    }
    if interrupt::pressed() {
        return Ok(Status::Stopped);
    }
    learned.lessons.leave_out(&tested.lessons);
    if let Some(path) = &args.test_output {
        tested.write(path, board, show)?;
    }
    learned.write(&args.output, board, show)?;
    Ok(Status::Answered)
}

fn openings(board: Board, names: &[String]) -> Result<Vec<(String, State)>> {
    let state = |name: &String| Ok((name.clone(), format!("{board} {name}").parse()?));
    names.iter().map(state).collect()
}

/// Whether two states are each other's images.
fn same(one: &State, other: &State) -> bool {
    Node::of(&Field::new(one)).0 == Node::of(&Field::new(other)).0
}

/// What came of some searches.
struct Harvest {
    lessons: Lessons,
    searched: u64,
    unsolved: u64,
    nodes: u64,
    time: Duration,
}

impl Harvest {
    /// Solves states over one table and collects what was solved. Ctrl-C ends it early.
    fn below(
        settings: &Settings,
        limits: &Limits,
        states: impl Iterator<Item = State>,
        board: Board,
    ) -> Result<Harvest> {
        let started = Instant::now();
        let solver = Solver::new(board, settings.clone())?;
        let mut counter = Counter::of_few("positions searched");
        let mut harvest =
            Harvest { lessons: Lessons::default(), searched: 0, unsolved: 0, nodes: 0, time: Duration::ZERO };
        for state in states {
            let solution = solver.ask(&state).limits(limits).verdict();
            harvest.searched += 1;
            harvest.unsolved += u64::from(solution.winner.is_none());
            harvest.nodes += solution.nodes;
            for solved in solver.take_solved() {
                harvest.lessons.add(&solved);
            }
            counter.show(harvest.searched);
            if interrupt::pressed() {
                break;
            }
        }
        counter.finish();
        harvest.time = started.elapsed();
        Ok(harvest)
    }

    fn add(&mut self, other: Harvest) {
        self.lessons.join(other.lessons);
        self.searched += other.searched;
        self.unsolved += other.unsolved;
        self.nodes += other.nodes;
        self.time += other.time;
    }

    /// Writes the file.
    fn write(&self, path: &Path, board: Board, show: Show) -> Result<()> {
        output::file(path, self.lessons.bytes(board))?;
        let Harvest { lessons, searched, unsolved, nodes, time } = self;
        if show.json {
            return output::json(&json!({
                "v": V,
                "file": path.display().to_string(),
                "board": board.to_string(),
                "positions": lessons.len(),
                "last_wins": lessons.last_wins(),
                "with_move": lessons.with_move(),
                "searched": searched,
                "unsolved": unsolved,
                "nodes": nodes,
                "seconds": seconds(*time),
            }));
        }
        let share = 100.0 * lessons.last_wins() as f64 / lessons.len().max(1) as f64;
        output::text(&format!(
            "{}: {}, Last wins {share:.1} %, from {} searches ({} unsolved), {} nodes, {}\n",
            path.display(),
            text::count(lessons.len() as u64, "position"),
            text::thousands(*searched),
            text::thousands(*unsolved),
            text::thousands(*nodes),
            text::seconds(*time),
        ))
    }
}
