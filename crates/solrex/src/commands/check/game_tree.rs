//! `solrex check --sgf`: the strategy of a certificate as a game tree.

use std::path::Path;

use anyhow::{Result, bail};
use rex_game::State;
use rex_proof::{Strategy, TreeSize};
use serde_json::{Value, json};

use crate::show::counter::Counter;
use crate::show::output;
use crate::show::text::{count, thousands};

/// The most nodes to write. HexGui still opens as many; a strategy that repeats itself on many lines can have billions.
const MOST_NODES: u64 = 250_000;

/// A tree that was written.
pub struct Written {
    nodes: u64,
    /// The moves on its longest line.
    depth: usize,
    whole: bool,
}

/// Writes the tree to a file, cut off after so many moves.
pub fn write(strategy: &Strategy, state: &State, depth: Option<usize>, path: &Path) -> Result<Written> {
    let size = strategy.tree_size(state, MOST_NODES)?;
    let written = fitting(&size, depth)?;
    let mut counter = Counter::new("nodes of the game tree");
    let games = strategy.tree(state, written.depth, &mut |nodes| counter.show(nodes))?;
    counter.finish();
    output::file(path, games.to_string())?;
    Ok(written)
}

/// The tree of this depth, if it is not too large.
fn fitting(size: &TreeSize, depth: Option<usize>) -> Result<Written> {
    let last = size.to_depth.len() - 1;
    let depth = depth.map_or(last, |depth| depth.min(last));
    let nodes = size.to_depth[depth];
    if nodes <= MOST_NODES {
        return Ok(Written { nodes, depth, whole: size.whole && depth == last });
    }
    let most = thousands(MOST_NODES);
    match size.deepest(MOST_NODES) {
        Some((depth, nodes)) => bail!(
            "the game tree is too large, it has more than {most} nodes; expected at most --depth {depth}, which has {}",
            thousands(nodes)
        ),
        None => bail!("the game tree is too large, it has more than {most} nodes before the first move"),
    }
}

impl Written {
    /// A line that says what was written.
    pub fn describe(&self, path: &Path) -> String {
        let how = match self.whole {
            true => "the whole strategy".to_owned(),
            false => format!("the strategy to depth {}", self.depth),
        };
        format!("game tree: {how}, {} in '{}'\n", count(self.nodes, "node"), path.display())
    }

    /// The same for programs.
    pub fn json(&self, path: &Path) -> Value {
        json!({
            "file": path.display().to_string(),
            "nodes": self.nodes,
            "depth": self.depth,
            "whole": self.whole,
        })
    }
}
