//! `solrex htp`, driven through recorded sessions and live.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use crate::common::{BARE, ENDLESS, SMALL, htp_setup, run, send_signal, solrex};

/// Sends the lines after `> ` and compares what comes back with the others. `HTP=overwrite` in the environment
/// writes what came back into the file.
#[track_caller]
fn session(name: &str) {
    let path = format!("{}/tests/htp/{name}.txt", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap();
    let (out, wanted) = replay(&text);
    if std::env::var("HTP").is_ok_and(|wish| wish == "overwrite") {
        std::fs::write(&path, recorded(&text, &out)).unwrap();
    } else {
        assert_eq!(out, wanted, "{name}");
    }
}

/// What comes back, and what should.
fn replay(text: &str) -> (String, String) {
    let sent =
        |line: &str| line.strip_prefix('>').map(|rest| rest.strip_prefix(' ').unwrap_or(rest).to_owned());
    let input: String = text.lines().filter_map(sent).map(|line| line + "\n").collect();
    let wanted =
        text.lines().filter(|line| sent(line).is_none()).map(|line| line.to_owned() + "\n").collect();
    let run = run(&[&["htp"][..], &SMALL].concat(), input.as_bytes());
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
    (run.out, wanted)
}

/// The session with these answers: one after each line that gets one.
fn recorded(text: &str, out: &str) -> String {
    let mut answers = out.split_inclusive("\n\n");
    let mut new = String::new();
    for line in text.lines().filter(|line| line.starts_with('>')) {
        new += &format!("{line}\n");
        if !line[1..].split('#').next().unwrap_or_default().trim().is_empty() {
            new += answers.next().unwrap_or_default();
        }
    }
    new
}

#[test]
fn administration() {
    session("administration");
}

#[test]
fn board() {
    session("board");
}

#[test]
fn solving() {
    session("solving");
}

#[test]
fn theory() {
    session("theory");
}

#[test]
fn the_manual_shows_a_real_session() {
    let path = format!("{}/../../docs/manual.md", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let (_, rest) = text.split_once("```htp\n").expect("there is a session");
    let (out, wanted) = replay(rest.split_once("```").expect("it ends").0);
    assert_eq!(out, wanted);
}

#[test]
fn the_documentation_names_every_command() {
    let path = format!("{}/../../docs/htp.md", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let run = run(&["htp"], b"list_commands\n");
    for name in run.out.trim_start_matches("= ").split_whitespace() {
        assert!(text.contains(&format!("`{name}")), "{name}");
    }
}

/// A program that is talked to line by line.
struct Talk {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
}

impl Talk {
    fn new(args: &[&str]) -> Talk {
        Talk::start(&[&["htp"], args, &SMALL[..]].concat())
    }

    /// White is to move in a position whose search does not end.
    fn endless() -> Talk {
        let mut talk = Talk::start(&[&["htp"][..], &BARE].concat());
        for command in htp_setup(ENDLESS).lines() {
            assert_eq!(talk.ask(command), "= \n");
        }
        talk
    }

    fn start(args: &[&str]) -> Talk {
        let mut child = solrex(args).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let stdin = child.stdin.take().unwrap();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        Talk { child, stdin, stdout }
    }

    fn send(&mut self, line: &str) {
        writeln!(self.stdin, "{line}").unwrap();
        self.stdin.flush().unwrap();
    }

    /// The lines up to an empty one.
    fn block(&mut self) -> String {
        let mut block = String::new();
        loop {
            let mut line = String::new();
            assert_ne!(self.stdout.read_line(&mut line).unwrap(), 0, "the program ended after {block:?}");
            if line == "\n" {
                return block;
            }
            block += &line;
        }
    }

    fn ask(&mut self, line: &str) -> String {
        self.send(line);
        self.block()
    }
}

#[test]
fn an_interrupt_stops_a_search_in_its_middle() {
    let mut talk = Talk::endless();
    for (command, answer) in [
        ("1 dfpn-solve-state w", "=1 unknown\n"),
        ("2 dfpn-solver-find-winning w", "?2 stopped; winning: ; unknown: a1"),
    ] {
        talk.send(command);
        let live = talk.block();
        let lines: Vec<&str> = live.lines().collect();
        assert_eq!(lines[..2], ["gogui-gfx:", "dfpn"], "{live}");
        assert!(lines[2].starts_with("VAR W "), "{live}");
        assert!(lines[3].starts_with("LABEL"), "{live}");
        assert!(lines[4].starts_with("TEXT ") && lines[4].contains("nodes"), "{live}");
        talk.send("# interrupt");
        let mut last = talk.block();
        while last.starts_with("gogui-gfx:") {
            last = talk.block();
        }
        assert!(last.starts_with(answer), "{last}");
    }
    // A move is found even so, and it is played.
    talk.send("genmove w");
    assert!(talk.block().starts_with("gogui-gfx:"));
    talk.send("# interrupt");
    let mut answer = talk.block();
    while answer.starts_with("gogui-gfx:") {
        answer = talk.block();
    }
    let cell = answer.trim().strip_prefix("= ").expect("a move").to_owned();
    assert_eq!(talk.ask(&format!("play b {cell}")), format!("? illegal move: black {cell} (occupied)\n"));
    // An interrupt that comes too late changes nothing.
    talk.send("# interrupt");
    assert_eq!(talk.ask("3 boardsize 2"), "=3 \n");
    assert_eq!(talk.ask("4 dfpn-solve-state b"), "=4 black\n");
    assert_eq!(talk.ask("quit"), "= \n");
    assert_eq!(talk.child.wait().unwrap().code(), Some(0));
}

#[test]
fn what_is_solved_is_known_and_moves_are_played() {
    let mut talk = Talk::new(&["4x4"]);
    talk.ask("param_dfpn use_guifx 0");
    talk.ask("play b d1");
    talk.ask("play w a1");
    assert_eq!(talk.ask("1 dfpn-solver-find-winning b"), "=1 a2 c1\n");
    let state = talk.ask("2 dfpn-get-state b");
    assert!(["=2 winner black best a2\n", "=2 winner black best c1\n"].contains(&state.as_str()), "{state}");
    let line = talk.ask("3 dfpn-get-pv b");
    assert!(line.starts_with("=3 a2") || line.starts_with("=3 c1"), "{line}");
    // Perfect play to the end: White, who is lost, is the one who joins.
    for turn in 0..14 {
        let player = ["b", "w"][turn % 2];
        let answer = talk.ask(&format!("genmove {player}"));
        if answer == "= resign\n" {
            break;
        }
        assert!(!talk.ask(&format!("play w {}", answer.trim().trim_start_matches("= "))).starts_with('='));
    }
    assert_eq!(talk.ask("final_score"), "= B+\n");
}

#[test]
fn an_interrupt_is_for_the_command_before_it() {
    let input = htp_setup(ENDLESS) + "1 dfpn-solve-state w\n# interrupt\nboardsize 3\n2 dfpn-solve-state b\n";
    let run = run(&[&["htp"][..], &BARE].concat(), input.as_bytes());
    assert!(run.out.contains("=1 unknown\n\n") && run.out.ends_with("=2 white\n\n"), "{}", run.out);
}

#[test]
fn a_program_whose_reader_is_gone_ends() {
    let mut talk = Talk::endless();
    talk.send("dfpn-solve-state w");
    let Talk { mut child, stdin, stdout } = talk;
    drop(stdout);
    assert_eq!(child.wait().unwrap().code(), Some(0));
    drop(stdin);
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_it() {
    let mut talk = Talk::endless();
    talk.send("dfpn-solve-state w");
    talk.block();
    send_signal(&talk.child, "INT");
    let mut rest = String::new();
    talk.stdout.read_to_string(&mut rest).unwrap();
    assert!(rest.ends_with("= unknown\n\n"), "{rest}");
    assert_eq!(talk.child.wait().unwrap().code(), Some(3));
}

/// HexGui shows no answer of its buttons but a move; a block is what it shows.
#[test]
fn whoever_looks_at_a_screen_is_told_the_verdict_in_a_block() {
    let mut talk = Talk::new(&["4x4"]);
    let ask = |talk: &mut Talk, command: &str| {
        talk.send(command);
        let mut blocks = vec![talk.block()];
        while blocks[blocks.len() - 1].starts_with("gogui-gfx:") {
            blocks.push(talk.block());
        }
        let answer = blocks.pop().expect("there is an answer");
        (blocks.pop().unwrap_or_default(), answer)
    };
    // Programs without a screen get answers alone.
    assert_eq!(ask(&mut talk, "dfpn-solve-state b"), (String::new(), "= black\n".to_owned()));
    assert!(talk.ask("hexgui-analyze_commands").contains("plist/Rex: winning moves/"));
    for line in ["play b d1", "play w a1"] {
        talk.ask(line);
    }
    let (block, answer) = ask(&mut talk, "dfpn-solver-find-winning b");
    assert_eq!(answer, "= a2 c1\n");
    let lines: Vec<&str> = block.lines().collect();
    assert_eq!(lines[..3], ["gogui-gfx:", "dfpn", "VAR"], "{block}");
    assert!(lines[3].starts_with("LABEL c1 W a2 W b1 L "), "{block}");
    assert_eq!(lines[4], "TEXT Black wins this Rex position with c1 a2");
    // What is known of the moves is shown where only the winner was asked for.
    let (block, answer) = ask(&mut talk, "dfpn-solve-state b");
    assert_eq!(answer, "= black\n");
    assert!(block.contains(" a2 W ") && block.contains(" b1 L "), "{block}");
    assert!(block.contains("TEXT Black wins this Rex position with "), "{block}");
    // A lost position has no winning moves to be shown.
    talk.ask("play b b1");
    let (block, answer) = ask(&mut talk, "dfpn-solver-find-winning b");
    assert_eq!(answer, "= \n");
    assert!(block.contains("LABEL c1 L "), "{block}");
    assert!(block.contains("TEXT White wins this Rex position: every move of Black loses\n"), "{block}");
    // A search that is stopped.
    talk.ask("boardsize 8");
    talk.ask("play b c3");
    talk.ask("param_dfpn nodelimit 200");
    let (block, answer) = ask(&mut talk, "dfpn-solve-state w");
    assert_eq!(answer, "= unknown\n");
    assert!(block.contains("nodes: the winner of this Rex position is unknown\n"), "{block}");
    let (block, answer) = ask(&mut talk, "dfpn-solver-find-winning w");
    assert!(answer.starts_with("? stopped;"), "{answer}");
    assert!(block.contains("the winner of this Rex position is unknown; 62 moves not solved\n"), "{block}");
    // After the end.
    talk.ask("boardsize 2");
    talk.ask("play b a1");
    talk.ask("play b a2");
    let (block, answer) = ask(&mut talk, "genmove w");
    assert_eq!(answer, "= resign\n");
    assert!(
        block.contains("TEXT The game is over: Black has connected both sides, so White wins"),
        "{block}"
    );
    // Who wants no blocks gets none.
    talk.ask("param_dfpn use_guifx 0");
    assert_eq!(ask(&mut talk, "dfpn-solve-state w"), (String::new(), "= white\n".to_owned()));
    talk.ask("param_dfpn use_guifx 1");
    assert!(ask(&mut talk, "dfpn-solve-state w").0.contains("TEXT The game is over"));
}

/// Whoever talked to the program is gone: nobody waits for the answer.
#[test]
fn a_search_ends_when_the_input_does() {
    let mut talk = Talk::endless();
    // The first of these searches would take hours, and the second waits for it.
    talk.send("dfpn-solve-state w");
    talk.send("dfpn-solver-find-winning w");
    // One comes each half second: the input ends later than that of a list of commands would.
    let mut live = 0;
    while live < 8 {
        live += usize::from(talk.block().starts_with("gogui-gfx:"));
    }
    let Talk { mut child, stdin, mut stdout } = talk;
    drop(stdin);
    let mut rest = String::new();
    stdout.read_to_string(&mut rest).unwrap();
    assert!(rest.contains("= unknown\n\n? stopped; winning: ; unknown: a1 "), "{rest}");
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn a_file_of_commands_is_executed() {
    let file = |name: &str, text: &str| {
        let path = format!("{}/exec {name}.htp", env!("CARGO_TARGET_TMPDIR"));
        std::fs::write(&path, text).unwrap();
        path
    };
    let moves = file("moves", "# the start\nboardsize 4\nplay b d1\n\n7 play w a1\n");
    let solve = file(
        "solve",
        &format!("param_dfpn use_guifx 0\nexec \"{moves}\"\ndfpn-solve-state\ndfpn-solver-find-winning b\n"),
    );
    let wrong = file("wrong", "boardsize 3\n\nfly\nboardsize 5\n");
    let round = file("round", "exec \"ROUND\"\n");
    file("round", &format!("exec \"{round}\"\n"));
    let end = file("end", "name\nquit\nversion\n");
    let input = format!(
        "1 exec \"{solve}\"\n2 exec \"{wrong}\"\n3 all_legal_moves\n4 exec /no/such/file\n5 exec /dev/zero\n6 exec \"{round}\"\n7 exec \"{end}\"\n8 name\n"
    );
    let run = run(&[&["htp"][..], &SMALL].concat(), input.as_bytes());
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
    let answers: Vec<&str> = run.out.split_terminator("\n\n").collect();
    assert_eq!(answers[0], "=1 black\na2 c1");
    assert_eq!(answers[1], format!("?2 '{wrong}', line 3: unknown command"));
    assert_eq!(answers[2], "=3 a1 a2 a3 b1 b2 b3 c1 c2 c3");
    assert!(answers[3].starts_with("?4 cannot read the file '/no/such/file': "), "{}", answers[3]);
    assert_eq!(answers[4], "?5 cannot read the file '/dev/zero': it is not a file");
    assert!(answers[5].ends_with("line 1: more than 8 files include each other"), "{}", answers[5]);
    assert_eq!(answers[6..], ["=7 Solrex"]);
}

/// The table of the board that the program starts with outlasts it; that of another board does not disturb it.
#[test]
fn the_table_is_kept_in_a_checkpoint() {
    let path = format!("{}/htp.table", env!("CARGO_TARGET_TMPDIR"));
    let _ = std::fs::remove_file(&path);
    let args = [&["htp", "5x5", "--checkpoint", &path][..], &SMALL].concat();
    let ask = |input: &str| {
        let run = run(&args, format!("param_dfpn use_guifx 0\n{input}").as_bytes());
        assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
        run.out
    };
    let known = "play b a1\nplay w c3\n1 dfpn-get-state b\n";
    assert!(ask(known).contains("=1 unknown\n"));
    let first = ask("play b a1\nplay w c3\n1 dfpn-solve-state b\nboardsize 4\n2 dfpn-solve-state b\n");
    assert!(first.contains("=1 black\n") && first.contains("=2 black\n"), "{first}");
    assert!(ask(known).contains("=1 winner black"));
    // What is to be forgotten is forgotten for good once something else is found.
    assert!(ask(&format!("dfpn-clear-tt\n{known}")).contains("=1 unknown\n"));
    assert!(ask(known).contains("=1 winner black"));
    ask("dfpn-clear-tt\nplay b e1\nplay w a5\nplay b c3\ndfpn-solve-state w\n");
    assert!(ask(known).contains("=1 unknown\n"));
    std::fs::write(&path, "no table").unwrap();
    let run = run(&args, b"name\n");
    assert_eq!((run.code, run.out.as_str()), (Some(2), ""));
    assert!(run.err.contains("cannot use the checkpoint"), "{}", run.err);
}

#[test]
fn hostile_input_gets_an_answer_for_each_line() {
    let mut input =
        b"\xff\xfe\x00name\n\x07\x07\n1 \xc3\x28\n2 play \xf0\x9f\x98\x80 a1\n3 play b \0a1\n".to_vec();
    input.extend(b"4 ");
    input.extend(vec![b'x'; 1 << 20]);
    input.extend(b"\n5 boardsize 1 1\n6 play b a1 a1 a1\n7 known_command\n=8 name\n9 version\r\n-1 name\n");
    input.extend(b"boardsize 6 6\nparam_dfpn tt_size 999999G\nboardsize 1 1\n");
    input.extend(b"10 genmove b\nparam_dfpn tt_size 1\n11 genmove b\n12 name");
    let run = run(&[&["htp"][..], &SMALL].concat(), &input);
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{}", run.out);
    let answers: Vec<&str> = run.out.split_terminator("\n\n").collect();
    let starts = [
        "? unknown command",
        "?1 unknown command",
        "?2 '😀' is not a colour",
        "=3 ",
        "?4 line too long",
        "=5 ",
        "?6 play takes COLOUR CELL",
        "?7 known_command takes NAME",
        "? unknown command",
        "=9 ",
        "? unknown command",
        "= ",
        "? no memory for a table of ",
        "= ",
        "=10 a1",
    ];
    for (answer, start) in answers.iter().zip(starts) {
        assert!(answer.starts_with(start), "{answer:?} should start with {start:?}");
    }
    assert_eq!(answers.last(), Some(&"=12 Solrex"));
}

/// A fixed xorshift of commands and letters: every line gets one answer, and the program goes on.
#[test]
fn random_commands_are_survived() {
    let words = [
        "play",
        "b",
        "w",
        "a1",
        "c2",
        "undo",
        "genmove",
        "boardsize",
        "3",
        "2",
        "dfpn-solve-state",
        "showboard",
        "dfpn-solver-find-winning",
        "compute-inferior",
        "compute-fillin",
        "vc-between-cells",
        "north",
        "south",
        "vc-between-cells-semi",
        "swap-pieces",
        "dfpn-get-pv",
        "dfpn-get-state",
        "dfpn-get-bounds",
        "dfpn-get-work",
        "reg_genmove",
        "vc-build",
        "vc-get-mustplay",
        "vc-connected-to-full",
        "vc-connected-to-semi",
        "eval-resist",
        "eval-resist-cells",
        "find-comb-decomp",
        "compute-dominated-cell",
        "compute-dominated",
        "param_solver_board",
        "use_ice",
        "0",
        "1",
        "all_legal_moves",
        "9",
        "clear_board",
        "é",
        "#",
    ];
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = |below: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed >> 33) as usize % below
    };
    let mut input = String::from("param_dfpn use_guifx 0\nboardsize 3\n");
    for id in 0..600 {
        input += &id.to_string();
        for _ in 0..=next(4) {
            input += " ";
            input += words[next(words.len())];
        }
        input += "\n";
    }
    let run = run(&[&["htp"][..], &SMALL].concat(), input.as_bytes());
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
    let ids: Vec<&str> =
        run.out.split("\n\n").filter_map(|block| block[..].get(1..)?.split(' ').next()).collect();
    let wanted: Vec<String> = (0..600).map(|id: i32| id.to_string()).collect();
    assert_eq!(ids[2..], wanted);
}
