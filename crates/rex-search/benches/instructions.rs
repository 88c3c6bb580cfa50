//! Instruction counts of what the search spends its time on, by valgrind: they do not depend on the machine's load.
//! `scripts/bench-instructions` runs them.

#![allow(missing_docs)] // The macros make modules that have none.

use std::hint::black_box;

use gungraun::{library_benchmark, library_benchmark_group, main};
use rex_game::{Cell, State};
use rex_search::{Guidance, Settings, Solver, Tuning, hex_value};
use rex_theory::exact_pairing::{Outcome, find_pairing};
use rex_theory::fill_in::fill_in;
use rex_theory::hsearch::HSearch;
use rex_theory::{Field, Options, Reduced};

/// Positions in the middle of a search: early, later, and late.
const EARLY_5: &str = "5x5 a1 d2";
const LATE_5: &str = "5x5 a1 d2 e5 e2";
const EARLY_6: &str = "6x6 e3 a1";
const LATE_6: &str = "6x6 e3 a1 f6 b5 c2 d6 a5 e1";

/// A position filled in, as the search has it.
fn filled(text: &str) -> Reduced {
    let state: State = text.parse().expect("the positions here are well written");
    let mut reduced = Reduced::new(Field::new(&state));
    fill_in(&mut reduced, &Options::default(), state.board().cells(), &mut ());
    assert!(reduced.joined.is_none() && !reduced.empty().is_empty());
    reduced
}

fn with_move(text: &str) -> (Reduced, Cell) {
    let reduced = filled(text);
    let cell = reduced.empty().first().expect("there is an empty cell");
    (reduced, cell)
}

fn with_room(text: &str) -> (Reduced, Box<HSearch>) {
    (filled(text), Box::default())
}

fn with_solver(text: &str, guidance: Guidance) -> (Solver, State) {
    let state: State = text.parse().expect("the positions here are well written");
    let tuning = Tuning { guidance, ..Tuning::default() };
    let settings = Settings { memory: 1 << 22, tuning, ..Settings::default() };
    (Solver::new(state.board(), settings).expect("four megabytes are to be had"), state)
}

// A child: a stone is put, and the neighbourhood filled in.
#[library_benchmark]
#[bench::early_5(with_move(EARLY_5))]
#[bench::late_5(with_move(LATE_5))]
#[bench::early_6(with_move(EARLY_6))]
#[bench::late_6(with_move(LATE_6))]
fn fill_in_of_a_child((parent, cell): (Reduced, Cell)) -> Reduced {
    let mut child = parent.clone();
    let changed = child.put(cell, parent.field.mover());
    fill_in(&mut child, &Options::default(), changed, &mut ());
    black_box(child)
}

// H-search for the one player whose pre-joins count too.
#[library_benchmark]
#[bench::early_5(with_room(EARLY_5))]
#[bench::late_5(with_room(LATE_5))]
#[bench::early_6(with_room(EARLY_6))]
#[bench::late_6(with_room(LATE_6))]
fn h_search((reduced, mut room): (Reduced, Box<HSearch>)) -> bool {
    let found = room.run(&reduced, reduced.field.last, &Options::default(), true);
    black_box(found.join.is_some() || found.pre_join.is_some())
}

#[library_benchmark]
#[bench::early_5(filled(EARLY_5))]
#[bench::late_5(filled(LATE_5))]
#[bench::early_6(filled(EARLY_6))]
#[bench::late_6(filled(LATE_6))]
fn exact_pairing(reduced: Reduced) -> bool {
    let last = reduced.field.last;
    black_box(matches!(find_pairing(reduced.graph(!last), true, 100), Outcome::Found(_)))
}

#[library_benchmark]
#[bench::early_5(filled(EARLY_5))]
#[bench::late_5(filled(LATE_5))]
#[bench::early_6(filled(EARLY_6))]
#[bench::late_6(filled(LATE_6))]
fn resistance(reduced: Reduced) -> [f32; 64] {
    black_box(hex_value(&reduced))
}

// A whole search.
#[library_benchmark]
#[bench::by_net(with_solver(EARLY_5, Guidance::Learned))]
#[bench::by_resistance(with_solver(EARLY_5, Guidance::Resistance))]
fn search((solver, state): (Solver, State)) -> u64 {
    black_box(solver.ask(&state).verdict().nodes)
}

library_benchmark_group!(
    name = hot,
    benchmarks = [fill_in_of_a_child, h_search, exact_pairing, resistance, search]
);

main!(library_benchmark_groups = hot);
