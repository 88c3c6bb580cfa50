//! Damaged certificates. A file may only be accepted if what it says of its root is true.
//!
//! `REX_MUTATIONS=100000 cargo test -p rex-search --test it mutations` tries more of them.

use rex_game::{Board, Player, State};
use rex_oracle::Oracle;
use rex_proof::{CheckLimits, Report, check, seal};
use rex_search::{Settings, Solver};

/// A small generator of random numbers, the same on each run.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % n.max(1)
    }

    fn choose<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}

fn solver(board: Board) -> Solver {
    Solver::new(board, Settings { memory: 1 << 24, ..Settings::default() }).unwrap()
}

fn certificate(solver: &Solver, state: &State, explicit: bool) -> String {
    let winner = solver.ask(state).verdict().winner.unwrap();
    // An explicit one is often a single pairing; after each move there is more to prove.
    let outcome = |cell| {
        let after = state.play(cell);
        let open = after.position.winner().is_none();
        open.then(|| (cell, solver.ask(&after).verdict().winner.unwrap()))
    };
    let outcomes =
        if explicit { state.moves().into_iter().filter_map(outcome).collect() } else { Vec::new() };
    let proof = solver.proof(state, winner).every_move(outcomes).explicit(explicit).prove().unwrap();
    let mut text = Vec::new();
    proof.write(&mut text).unwrap();
    String::from_utf8(text).unwrap()
}

/// Header, claims and drops, without the end; and the number of the root.
fn body(text: &str) -> (Vec<String>, u32) {
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let root = lines[lines.len() - 2].strip_prefix("root ").unwrap().parse().unwrap();
    (lines[..lines.len() - 2].to_vec(), root)
}

fn sealed(lines: &[String], root: u32) -> String {
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    seal(&text, root)
}

fn run(text: &str) -> Option<Report> {
    check(text.as_bytes(), &CheckLimits::default(), &mut |_, _| {}).ok()
}

/// Certificates of 4x4 positions that take some proving, longest first.
fn certificates(oracle: &Oracle, solver: &Solver) -> Vec<String> {
    let mut texts = Vec::new();
    for opening in ["4x4 d1", "4x4 a4"] {
        texts.push(certificate(solver, &opening.parse().unwrap(), false));
    }
    for position in oracle.sample(40_009, 3) {
        for to_move in Player::BOTH {
            let state = State { position, to_move };
            for explicit in [false, true] {
                let text = certificate(solver, &state, explicit);
                if (8..400).contains(&text.lines().count()) {
                    texts.push(text);
                }
            }
        }
    }
    texts.sort_by_key(|text| std::cmp::Reverse(text.len()));
    texts
}

/// Another word of the same kind.
fn other_word(word: &str, random: &mut Random) -> String {
    let cell =
        |random: &mut Random| format!("{}{}", random.choose(&['a', 'b', 'c', 'd']), random.below(4) + 1);
    let mut bytes: Vec<char> = word.chars().collect();
    match random.below(4) {
        // A cell for a cell, somewhere in the word.
        0 | 1 => {
            let places: Vec<usize> = (0..bytes.len().saturating_sub(1))
                .filter(|&i| ('a'..='d').contains(&bytes[i]) && bytes[i + 1].is_ascii_digit())
                .filter(|&i| i == 0 || !bytes[i - 1].is_ascii_alphanumeric())
                .collect();
            if let Some(&at) = places.get(random.below(places.len())) {
                bytes.splice(at..at + 2, cell(random).chars());
            }
        }
        // A digit for a digit, a colour for a colour.
        2 => {
            let at = random.below(bytes.len());
            if let Some(c) = bytes.get_mut(at) {
                *c = match *c {
                    'b' => 'w',
                    'w' => 'b',
                    d if d.is_ascii_digit() => *random.choose(&['1', '2', '3', '4', '5', '6', '7', '8', '9']),
                    other => other,
                };
            }
        }
        _ => {
            let at = random.below(bytes.len());
            if at < bytes.len() {
                bytes.remove(at);
            }
        }
    }
    bytes.into_iter().collect()
}

/// Other stones: a run of one empty cell becomes a stone, a stone an empty cell or one of the other colour.
fn other_rows(rows: &str, random: &mut Random) -> String {
    let mut cells: Vec<Vec<char>> = rows
        .split('/')
        .map(|row| {
            row.chars()
                .flat_map(|c| match c.to_digit(10) {
                    Some(run) => vec!['.'; run as usize],
                    None => vec![c],
                })
                .collect()
        })
        .collect();
    let row = random.below(cells.len());
    let col = random.below(cells[row].len());
    cells[row][col] = *random.choose(&['.', 'b', 'w']);
    let text = |row: &Vec<char>| {
        let mut text = String::new();
        let mut run = 0;
        for &c in row {
            if c == '.' {
                run += 1;
                continue;
            }
            if run > 0 {
                text += &run.to_string();
                run = 0;
            }
            text.push(c);
        }
        if run > 0 {
            text += &run.to_string();
        }
        text
    };
    cells.iter().map(text).collect::<Vec<_>>().join("/")
}

fn mutate(lines: &mut Vec<String>, root: &mut u32, random: &mut Random) {
    const HEADER: usize = 3;
    let at = HEADER + random.below(lines.len() - HEADER);
    let mut words: Vec<String> = lines[at].split(' ').map(str::to_owned).collect();
    match random.below(12) {
        0 => {
            lines.remove(at);
        }
        1 => {
            let other = HEADER + random.below(lines.len() - HEADER);
            lines.swap(at, other);
        }
        2 => lines.truncate(at),
        3 => *root = random.below(lines.len()) as u32 + 1,
        4 | 5 if words.len() > 4 && words[0] != "drop" => {
            words[1] = other_rows(&words[1], random);
            lines[at] = words.join(" ");
        }
        // Swapped winner or side to move.
        6 if words.len() > 4 && words[0] != "drop" => {
            let which = 2 + random.below(2);
            words[which] = if words[which] == "b" { "w".to_owned() } else { "b".to_owned() };
            lines[at] = words.join(" ");
        }
        // The winner swapped all over the file.
        7 => {
            for line in &mut lines[HEADER..] {
                let mut words: Vec<String> = line.split(' ').map(str::to_owned).collect();
                if words.len() > 4 && words[0] != "drop" {
                    words[3] = if words[3] == "b" { "w".to_owned() } else { "b".to_owned() };
                    *line = words.join(" ");
                }
            }
        }
        8 => {
            let which = random.below(words.len());
            words.remove(which);
            lines[at] = words.join(" ");
        }
        _ => {
            let which = random.below(words.len());
            words[which] = other_word(&words[which], random);
            lines[at] = words.join(" ");
        }
    }
}

#[test]
fn a_damaged_certificate_proves_nothing_false() {
    let board = Board::new(4, 4).unwrap();
    let oracle = Oracle::new(board);
    let texts = certificates(&oracle, &solver(board));
    assert!(texts.len() > 20, "{}", texts.len());
    let count = std::env::var("REX_MUTATIONS").ok().and_then(|n| n.parse().ok()).unwrap_or(2_000);
    let mut random = Random(0x5eed);
    let mut accepted = 0;
    for number in 0..count {
        let text = &texts[random.below(texts.len())];
        let (mut lines, mut root) = body(text);
        for _ in 0..1 + random.below(3) {
            if lines.len() > 3 {
                mutate(&mut lines, &mut root, &mut random);
            }
        }
        let damaged = sealed(&lines, root);
        if let Some(report) = run(&damaged) {
            accepted += 1;
            assert_eq!(report.winner, oracle.winner(&report.state), "mutation {number}:\n{damaged}");
        }
    }
    println!("{accepted} of {count} mutations still prove something, and it is true");
    assert!(accepted < count / 2);
}

/// Every claim of an accepted file is true, not only the root.
#[test]
fn every_accepted_claim_is_true() {
    let board = Board::new(4, 4).unwrap();
    let oracle = Oracle::new(board);
    let mut claims = 0;
    for text in certificates(&oracle, &solver(board)) {
        check(text.as_bytes(), &CheckLimits::default(), &mut |claim, _| {
            assert_eq!(claim.winner, oracle.winner(&claim.state), "{claim}");
            claims += 1;
        })
        .unwrap();
    }
    assert!(claims > 200, "{claims}");
}

/// The true certificate with the winner swapped in its root, in all claims, or everywhere with colours swapped.
#[test]
fn the_false_winner_is_never_accepted() {
    let board = Board::new(4, 4).unwrap();
    let oracle = Oracle::new(board);
    let solver = solver(board);
    for position in oracle.sample(60_013, 2) {
        for to_move in Player::BOTH {
            let state = State { position, to_move };
            for explicit in [false, true] {
                let text = certificate(&solver, &state, explicit);
                let (lines, root) = body(&text);
                let swap = |line: &String| {
                    let mut words: Vec<&str> = line.split(' ').collect();
                    if words.len() > 4 && words[0] != "drop" {
                        words[3] = if words[3] == "b" { "w" } else { "b" };
                    }
                    words.join(" ")
                };
                let all: Vec<String> = lines.iter().map(swap).collect();
                let mut last = lines.clone();
                let end = last.len() - 1;
                last[end] = swap(&last[end]);
                for lines in [all, last] {
                    assert_eq!(run(&sealed(&lines, root)), None, "{state}");
                }
            }
        }
    }
}

/// A cut-off file is refused, wherever it is cut.
#[test]
fn a_truncated_file_is_refused() {
    let board = Board::new(4, 4).unwrap();
    let text = certificate(&solver(board), &"4x4 d1".parse().unwrap(), false);
    for end in 0..text.len() {
        assert_eq!(run(&text[..end]), None);
    }
    assert!(run(&text).is_some());
}
