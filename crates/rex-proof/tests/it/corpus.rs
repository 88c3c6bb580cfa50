//! The corpus of the fuzz target, run without the fuzzer.

#[path = "../../../../fuzz/invariant.rs"]
mod invariant;

use std::path::Path;

use rex_proof::{CheckLimits, Rule, check, open};

#[test]
fn the_invariant_holds_for_the_corpus() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/corpus");
    let mut by_rule = [0; Rule::WORDS.len()];
    for entry in std::fs::read_dir(folder).expect("there is a corpus") {
        let path = entry.expect("an entry").path();
        invariant::holds_for(&std::fs::read(&path).expect("a file"));
        count_rules(&path, &mut by_rule);
    }
    // The fuzzer starts from here, so each rule is to be there at least once.
    for (rule, count) in Rule::WORDS.into_iter().zip(by_rule) {
        assert!(count > 0, "no certificate of the corpus has the rule '{rule}'");
    }
}

fn count_rules(path: &Path, by_rule: &mut [u64]) {
    let input = open(path).expect("it can be read");
    if let Ok(report) = check(input, &CheckLimits::default(), &mut |_, _| {}) {
        for (all, count) in by_rule.iter_mut().zip(report.by_rule) {
            *all += count;
        }
    }
}
