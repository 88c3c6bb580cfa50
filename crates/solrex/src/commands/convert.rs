//! `solrex convert`: positions and games from one notation to another.

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::ValueEnum;
use rex_answers::notation::Given;
use rex_answers::svg;
use rex_game::{GameRecord, move_list};
use serde_json::json;

use crate::arguments::position::PositionArg;
use crate::cli::Show;
use crate::{Ending, show::output};

/// Write a position or game in another notation
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    position: PositionArg,
    /// The notation to write
    #[arg(long, value_name = "NOTATION")]
    to: Notation,
    /// Take the position after this many moves (of each game)
    #[arg(long, value_name = "N")]
    at: Option<usize>,
    /// Write to this file
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  solrex convert 6x6 e3 d4 --to hexworld
  solrex convert @game.sgf --to ren
  solrex convert @game.sgf --at 5 --to svg -o five.svg
  solrex convert 'https://hexworld.org/board/#6c1,e3d4' --to sgf -o game.sgf";

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
enum Notation {
    /// Rows and side to move
    Ren,
    /// Size and moves
    Moves,
    /// Smart Game Format, with variations if there are any
    Sgf,
    /// A HexWorld link
    Hexworld,
    /// A drawn board
    Diagram,
    /// A picture
    Svg,
}

/// Writes each position in the other notation.
pub fn run(args: &Args, show: Show) -> Result<Ending> {
    let mut file = String::new();
    let status = args.position.for_each_given(show, |given| {
        for text in converted(given, args)? {
            if args.output.is_some() {
                file += &text;
            } else if show.json {
                let name = args.to.to_possible_value();
                let name = name.as_ref().map(|value| value.get_name());
                output::json(json!({ "to": name, "text": text.trim_end() }))?;
            } else {
                output::text(&text)?;
            }
        }
        Ok(Ending::Answered)
    })?;
    if let Some(path) = &args.output {
        output::file(path, &file)?;
    }
    Ok(status)
}

fn converted(given: &Given, args: &Args) -> Result<Vec<String>> {
    if let (Notation::Sgf, None, Some(games)) = (args.to, args.at, &given.games) {
        return Ok(vec![games.to_string()]);
    }
    let shown = |record: &GameRecord| {
        let mut record = record.clone();
        if let Some(at) = args.at {
            let played = record.actions().len();
            if at > played {
                bail!("--at {at} is after the end of the game; expected at most {played}");
            }
            record.show(at);
        }
        write(&record, args.to)
    };
    given.records.iter().map(shown).collect()
}

/// The text, ending with a newline.
fn write(record: &GameRecord, to: Notation) -> Result<String> {
    let state = record.state();
    Ok(match to {
        Notation::Ren => format!("{state}\n"),
        Notation::Moves => match record.moves() {
            Some(moves) => move_list(state.board(), &moves) + "\n",
            None => bail!(
                "'{state}' cannot be written as moves; expected a game from the empty board with alternating colours"
            ),
        },
        Notation::Sgf => record.to_sgf(),
        Notation::Hexworld => record.to_hexworld() + "\n",
        Notation::Diagram => state.diagram().to_string(),
        Notation::Svg => svg::board(&state.position, &state.to_string(), |_| None),
    })
}
