//! What other tests take for granted: these searches do not end, and these take their nodes. If the search ever decides one
//! of them, choose another one in `rex_oracle::testing`.

use rex_game::State;
use rex_oracle::testing::{ENDLESS, LONG, LONG_NODES, MORE_ENDLESS};
use rex_search::{Guidance, Limits, Settings, Solution, Solver, StopReason, Tuning};
use rex_theory::Options;

/// A small search that nothing helps.
pub fn bare() -> Settings {
    let tuning = Tuning { guidance: Guidance::BoardOrder, ..Tuning::default() };
    Settings { theory: Options::NONE, tuning, memory: 1 << 24, ..Settings::default() }
}

fn solve(position: &str, settings: Settings, nodes: Option<u64>) -> Solution {
    let state: State = position.parse().unwrap();
    let limits = Limits { nodes, ..Limits::default() };
    Solver::new(state.board(), settings).unwrap().ask(&state).limits(&limits).verdict()
}

#[test]
fn endless_searches_are_undecided_after_10_000_nodes() {
    for position in [&[ENDLESS], &MORE_ENDLESS[..]].concat() {
        assert_eq!(solve(position, bare(), Some(10_000)).stopped, Some(StopReason::Nodes), "{position}");
    }
    // Also with everything that helps, as in a cluster or on the page.
    let usual = Settings { memory: 1 << 24, ..Settings::default() };
    assert_eq!(solve(ENDLESS, usual, Some(10_000)).stopped, Some(StopReason::Nodes));
}

#[test]
fn a_long_search_takes_its_nodes_and_ends() {
    let solution = solve(LONG, bare(), None);
    let state: State = LONG.parse().unwrap();
    assert_eq!(solution.winner, Some(state.to_move));
    assert!(solution.nodes >= LONG_NODES, "{}", solution.nodes);
}
