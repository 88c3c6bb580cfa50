//! The certificates in `docs/proofs` prove what `docs/results.md` says, and none needs an existence argument.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use rex::{Player, State};
use rex_proof::{Limits, RuleKind, check, unpack};

#[test]
fn every_7x7_opening_that_is_said_to_be_lost() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/proofs/7x7");
    let results = std::fs::read_to_string(folder.join("../../results.md")).unwrap();
    let mut openings = Vec::new();
    for entry in std::fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        let opening = name.split('.').next().unwrap();
        let text = unpack(BufReader::new(File::open(&path).unwrap())).unwrap();
        let mut mirrors = 0;
        let report = check(text, &Limits::default(), &mut |claim, _| {
            mirrors += usize::from(claim.rule.kind() == RuleKind::Mirror);
        });
        let report = report.unwrap_or_else(|error| panic!("{name}: {error}"));
        let state: State = format!("7x7 {opening}").parse().unwrap();
        assert_eq!((report.state, report.winner, mirrors), (state, Player::White, 0), "{name}");
        assert_eq!(report.explicit, name.ends_with(".cert"), "{name}");
        assert!(results.contains(&format!("| {opening} | ")), "{opening} is not in docs/results.md");
        openings.push(opening.to_owned());
    }
    assert!(openings.len() >= 18, "{openings:?}");
}
