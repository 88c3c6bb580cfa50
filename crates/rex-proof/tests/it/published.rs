//! The certificates in `docs/proofs/7x7` prove what the table in `docs/results.md` says of them, row by row, and none
//! needs the mirror, an argument that names no move.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use rex_game::{CellSet, Player, State, Symmetry};
use rex_proof::{CheckLimits, Claim, Report, Rule, check, forces_a_join, open};

/// A row of the table.
#[derive(Debug, PartialEq, Eq)]
struct Row {
    opening: String,
    answers: String,
    rules: String,
    claims: u64,
    bytes: u64,
    /// Below `docs`.
    file: String,
}

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

/// The part of `docs/results.md` about 7x7.
fn section() -> String {
    let results = std::fs::read_to_string(docs().join("results.md")).unwrap();
    let start = results.find("\n## 7x7").expect("a part about 7x7") + 1;
    let end = results[start..].find("\n## ").expect("a part after it");
    results[start..start + end].to_owned()
}

fn rows(section: &str) -> Vec<Row> {
    let table = section.lines().filter(|line| line.starts_with("| ")).skip(2);
    let row = |line: &str| {
        let columns: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [opening, answers, rules, claims, bytes, link] = columns[..] else { panic!("{line}") };
        let number = |text: &str| text.replace(',', "").parse().expect(line);
        let file = link.split_once("](").and_then(|(_, link)| link.strip_suffix(')')).expect(line);
        Row {
            opening: opening.to_owned(),
            answers: answers.to_owned(),
            rules: rules.to_owned(),
            claims: number(claims),
            bytes: number(bytes),
            file: file.to_owned(),
        }
    };
    table.map(row).collect()
}

/// What the row of a file should say.
fn expected(file: &str) -> Row {
    let path = docs().join(file);
    let (mut mirrors, mut rotations) = (0, 0);
    let mut root: Option<Claim> = None;
    let report = check(open(&path).unwrap(), &CheckLimits::default(), &mut |claim, _| {
        mirrors += usize::from(matches!(claim.rule, Rule::Mirror(_)));
        match claim.rule {
            Rule::Image(Symmetry::Identity, _) => {}
            Rule::Image(Symmetry::Rotation, _) => rotations += 1,
            Rule::Image(..) => mirrors += 1,
            _ => {}
        }
        root = Some(claim.clone());
    });
    let report = report.unwrap_or_else(|error| panic!("{file}: {error}"));
    let root = root.filter(|claim| claim.state == report.state).expect("the root is the last claim");
    assert_eq!((report.winner, mirrors), (Player::White, 0), "{file}");
    let [opening] = report.state.position.stones(Player::Black).into_iter().collect::<Vec<_>>()[..] else {
        panic!("{file} is not about an opening: {}", report.state);
    };
    let opening = report.state.board().name(opening);
    assert_eq!(report.state, format!("7x7 {opening}").parse().unwrap(), "{file}");
    let rules = match (report.explicit, rotations > 0) {
        (true, false) => "explicit",
        (true, true) => "explicit, rotations",
        (false, false) => "full",
        (false, true) => "full, rotations",
    };
    Row {
        opening,
        answers: answers(&root),
        rules: rules.to_owned(),
        claims: report.claims,
        bytes: path.metadata().unwrap().len(),
        file: file.to_owned(),
    }
}

/// The answers that the root shows to win.
fn answers(root: &Claim) -> String {
    let name = |cell| root.state.board().name(cell);
    match &root.rule {
        Rule::Move(cell, _) => name(*cell),
        Rule::Pairs(pairs, key) => {
            let named: CellSet = pairs.iter().flat_map(|&(one, other)| [one, other]).chain(*key).collect();
            let free = root.state.position.empty() - named;
            for cell in free {
                let after = root.state.play(cell);
                assert!(forces_a_join(&after.position, Player::Black, pairs, *key), "{}", name(cell));
                assert!(key.is_none() || after.last() == Player::Black);
            }
            format!("{}, or any of {} other moves", name(free.first().unwrap()), free.len() - 1)
        }
        rule => panic!("the root names no answer: {rule:?}"),
    }
}

#[test]
fn every_row_of_the_7x7_table_says_what_its_file_proves() {
    let rows = rows(&section());
    for row in &rows {
        assert_eq!(*row, expected(&row.file));
        let plain = row.rules == "explicit";
        let end = if plain { "cert" } else { "cert.zst" };
        assert_eq!(row.file, format!("proofs/7x7/{}.{end}", row.opening));
    }
    let told: BTreeSet<String> = rows.iter().map(|row| row.file.clone()).collect();
    let folder = std::fs::read_dir(docs().join("proofs/7x7")).unwrap();
    let there: BTreeSet<String> =
        folder.map(|entry| format!("proofs/7x7/{}", entry.unwrap().file_name().to_str().unwrap())).collect();
    assert_eq!(told, there, "files with a row, and files");
    assert_eq!(told.len(), rows.len(), "a file has one row");
}

/// What a file proves, without an argument that names no move.
fn without_mirror(path: &Path) -> Report {
    check(open(path).unwrap(), &CheckLimits::default(), &mut |claim, _| {
        assert!(!matches!(claim.rule, Rule::Mirror(_)), "{}", path.display());
    })
    .unwrap()
}

/// Each file about replies has its row, and says that White wins with all 48.
#[test]
fn every_row_of_the_table_of_replies_says_what_its_file_proves() {
    let mut there = Vec::new();
    for entry in std::fs::read_dir(docs().join("proofs/7x7-replies")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let opening = name.strip_suffix(".cert.zst").unwrap();
        let report = without_mirror(&path);
        assert_eq!(report.state, format!("7x7 {opening}").parse().unwrap());
        assert_eq!(report.moves.len(), 48, "{name}");
        assert!(report.moves.iter().all(|(_, winner)| *winner == Player::White), "{name}");
        let (claims, bytes) = (report.claims, path.metadata().unwrap().len());
        let row =
            format!("| {opening} | all 48 | {claims} | {bytes} | [{name}](proofs/7x7-replies/{name}) |");
        there.push(row);
    }
    there.sort();
    assert_eq!(told_of("](proofs/7x7-replies/"), there);
}

/// Each file about 8x8 has its row, and says that Black wins.
#[test]
fn every_row_of_the_8x8_table_says_what_its_file_proves() {
    let mut there = Vec::new();
    for entry in std::fs::read_dir(docs().join("proofs/8x8")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let (opening, reply) = name.split('.').next().unwrap().split_once('-').unwrap();
        let report = without_mirror(&path);
        assert_eq!(report.state, format!("8x8 {opening} {reply}").parse().unwrap());
        assert_eq!(report.winner, Player::Black, "{name}");
        let (claims, bytes) = (report.claims, path.metadata().unwrap().len());
        there.push(format!("| {opening} {reply} | {claims} | {bytes} | [{name}](proofs/8x8/{name}) |"));
    }
    there.sort();
    assert_eq!(told_of("](proofs/8x8/"), there);
}

/// The rows of `docs/results.md` that lead to such files, sorted, with numbers as computers write them.
fn told_of(link: &str) -> Vec<String> {
    let results = std::fs::read_to_string(docs().join("results.md")).unwrap();
    let plain = |line: &str| {
        let (numbers, link) = line.split_once('[').unwrap();
        format!("{}[{link}", numbers.replace(',', ""))
    };
    let rows = results.lines().filter(|line| line.starts_with("| ") && line.contains(link));
    let mut told: Vec<String> = rows.map(plain).collect();
    told.sort();
    told
}

/// One white stone on 8x8: whatever else is on the cells outside of the pairs, Black wins.
#[test]
fn a_reply_on_8x8_is_lost_by_one_pairing() {
    let path = docs().join("proofs/8x8/a1-d4.cert");
    let mut rules = Vec::new();
    let report =
        check(open(&path).unwrap(), &CheckLimits::default(), &mut |claim, _| rules.push(claim.rule.clone()));
    let report = report.unwrap();
    assert_eq!((report.state, report.winner), ("8x8 a1 d4".parse().unwrap(), Player::Black));
    let [Rule::Pairs(pairs, key)] = &rules[..] else { panic!("{rules:?}") };
    let named: CellSet = pairs.iter().flat_map(|&(one, other)| [one, other]).chain(*key).collect();
    let mut openings = 0;
    for opening in report.state.board().cells() - named - report.state.position.stones(Player::White) {
        let state: State = format!("8x8 {} d4", report.state.board().name(opening)).parse().unwrap();
        assert!(forces_a_join(&state.position, Player::White, pairs, *key), "{state}");
        assert_eq!(state.last(), Player::White);
        openings += 1;
    }
    assert_eq!(openings, 32);
    let results = std::fs::read_to_string(docs().join("results.md")).unwrap();
    let line = std::fs::read_to_string(&path).unwrap().lines().nth(3).unwrap().to_owned();
    assert!(results.contains(&line), "docs/results.md shows it");
}

/// The numbers in the text above the table.
#[test]
fn the_text_counts_the_openings_as_the_table_does() {
    let section = section();
    let rows = rows(&section);
    let states = rows.iter().map(|row| format!("7x7 {}", row.opening).parse::<State>().unwrap());
    let cells: CellSet = states
        .flat_map(|state| {
            let opening = state.position.stones(Player::Black);
            [opening, Symmetry::Rotation.apply(state.board(), opening)]
        })
        .fold(CellSet::EMPTY, |all, cells| all | cells);
    assert!(section.contains("cover all 49 cells"));
    assert_eq!(cells.len(), 49);
}
