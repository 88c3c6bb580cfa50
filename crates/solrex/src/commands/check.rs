//! `solrex check`.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use rex_game::Player;
use rex_proof::{CheckError, Strategy};

use crate::cli::Show;
use crate::show::certificate;
use crate::show::counter::Counter;
use crate::show::style::{self, paint};
use crate::system::lines::{Line, Lines, clipped};
use crate::{Ending, show::output, show::text};

mod game_tree;

/// Check a certificate
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The certificate, plain or compressed
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Play the losing side against the strategy of an explicit certificate
    #[arg(long, conflicts_with = "json")]
    play: bool,
    /// Write the strategy as a game tree, for HexGui and other programs that read SGF
    #[arg(long, value_name = "FILE")]
    sgf: Option<PathBuf>,
    /// Cut the game tree off after this many moves
    #[arg(long, value_name = "MOVES", requires = "sgf")]
    depth: Option<usize>,
}

const EXAMPLES: &str = "\
Examples:
  solrex check d1.cert
  solrex check a4.cert --play
  solrex check d1.cert --sgf d1.sgf --depth 6";

/// Checks a certificate, and plays from it if asked to.
pub fn run(args: &Args, show: Show) -> Result<Ending> {
    if let Some(path) = &args.sgf {
        output::try_file(path)?;
    }
    let mut strategy = Strategy::default();
    let mut counter = Counter::new("claims checked");
    let mut claims = 0;
    let checked = certificate::check(&args.file, &mut |claim, _| {
        claims += 1;
        counter.show(claims);
        if args.play || args.sgf.is_some() {
            strategy.add(claim);
        }
    })?;
    counter.finish();
    let checked = match checked {
        Ok(checked) => checked,
        Err(error) => return report_failure(show, &args.file, &error),
    };
    let mut time = format!("time: checked in {}\n", text::seconds(checked.time));
    let mut object = checked.json(Some(args.file.display().to_string()));
    let tree = args.sgf.as_ref().map(|path| {
        let tree = game_tree::write(&strategy, &checked.report.state, args.depth, path)?;
        time += &tree.describe(path);
        object["sgf"] = tree.json(path);
        anyhow::Ok(())
    });
    // The certificate is a proof even if its tree cannot be written.
    output::answer(show, || object, || certificate::describe(&checked) + &time)?;
    tree.transpose()?;
    if !args.play {
        return Ok(Ending::Answered);
    }
    if !checked.report.explicit {
        bail!("'{}' cannot be played; expected a certificate made with --explicit", args.file.display());
    }
    strategy.start(&checked.report.state)?;
    play(&mut strategy, checked.report.winner)
}

/// Says why a file is not a proof.
pub fn report_failure(show: Show, path: &Path, error: &CheckError) -> Result<Ending> {
    let file = path.display();
    let object = rex_answers::certificate::failure(Some(file.to_string()), error);
    let line = || format!("{} '{file}', {error}\n", paint(style::ERROR, "not a proof:"));
    output::answer(show, || object, line)?;
    Ok(Ending::CheckFailed)
}

fn play(strategy: &mut Strategy, winner: Player) -> Result<Ending> {
    let mut input = Lines::of_stdin();
    output::text(&format!(
        "\nYou play {}. Type a cell to move there, or an empty line to stop.\n",
        text::name(!winner)
    ))?;
    let mut last = None;
    loop {
        let Some(state) = strategy.state() else { return Ok(Ending::Answered) };
        if state.position.winner().is_none() && state.to_move == winner {
            last = Some(strategy.move_of_winner()?);
            continue;
        }
        let board = state.board();
        let mark = |cell| (Some(cell) == last).then(|| (text::letter(winner), style::WIN));
        output::text(&text::board(&state, mark))?;
        if let Some(cell) = last.take() {
            output::text(&format!("{} plays {}.\n", text::name(winner), board.name(cell)))?;
        }
        if state.position.winner().is_some() {
            output::text(&format!("{} has connected her two sides, and loses.\n", text::name(!winner)))?;
            return Ok(Ending::Answered);
        }
        loop {
            output::text(&format!("{} to move: ", text::name(!winner)))?;
            let line = match input.next()? {
                Some(Line::Text(line) | Line::TooLong(line)) => line,
                None => return Ok(Ending::Answered),
            };
            let word = line.trim();
            if word.is_empty() {
                return Ok(Ending::Answered);
            }
            match board.cell_named(word).map(|cell| strategy.move_of_loser(cell)) {
                Some(Ok(())) => break,
                Some(Err(error)) => output::text(&format!("{word}: {error}.\n"))?,
                None => output::text(&format!("'{}' is not a cell of the {board} board.\n", clipped(word)))?,
            }
        }
    }
}
