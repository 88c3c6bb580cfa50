//! Solved positions kept from run to run: `--db`, `--checkpoint` and `solrex db`.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use crate::common::{
    BARE, ENDLESS, LONG, LONG_NODES, Run, SMALL, fresh, htp_setup, run, search, search_bare, solrex, talk,
    wait_until,
};
use redb::{Database, TableDefinition};
use rex_game::Player;
use rex_store::{Known, Place, Record, Store};
use serde_json::Value;

fn with_db(args: &[&str], db: &str) -> Run {
    search(&[args, &["--db", db]].concat())
}

/// The same without any help for the search, and so with positions that nothing has filled in.
fn bare_with_db(args: &[&str], db: &str) -> Run {
    search_bare(&[args, &["--db", db]].concat())
}

fn db(args: &[&str], db: &str) -> Run {
    run(&[&["db"], args, &["--db", db]].concat(), b"")
}

fn one(run: &Run) -> Value {
    assert!(run.code == Some(0) || run.code == Some(3), "{} {}", run.out, run.err);
    run.lines().pop().unwrap()
}

#[test]
fn a_question_asked_twice_is_answered_at_once() {
    let path = fresh("twice.redb");
    let questions = [
        &["solve", "--json", LONG][..],
        &["moves", "--json", LONG],
        &["moves", "--json", "--replies", "4x4 d1 a1"],
        // The search and the answer have kept different winning answers to the same move.
        &["moves", "--json", "3x5 b2"],
    ];
    for args in questions {
        let (first, second) = (one(&bare_with_db(args, &path)), one(&bare_with_db(args, &path)));
        for name in ["winner", "best", "moves", "replies"] {
            assert_eq!(first[name], second[name], "{args:?} {name}");
        }
        // After the first move the line may go another way: of two moves that win, either may be known.
        assert_eq!(first["pv"][0], second["pv"][0], "{args:?}");
        assert_ne!(first["nodes"], 0, "{args:?} {first}");
        assert_eq!(second["nodes"], 0, "{args:?} {first} {second}");
    }
    let verdict = ["solve", "--json", "--verdict-only", LONG];
    assert_eq!(one(&bare_with_db(&verdict, &path))["nodes"], 0);
    assert_ne!(one(&search_bare(&verdict))["nodes"], 0);
    // The environment names a store too, and --no-db is stronger.
    let nodes = |args: &[&str]| -> Value {
        let output = solrex(&[args, &BARE].concat()).env("SOLREX_DB", &path).output().unwrap();
        one(&output.into())["nodes"].clone()
    };
    assert_eq!(nodes(&verdict), 0);
    assert_ne!(nodes(&[&verdict[..], &["--no-db"]].concat()), 0);
}

#[test]
fn a_stopped_search_goes_on() {
    let question = ["solve", "--json", "--verdict-only", LONG];
    let fresh_run = one(&search_bare(&question));
    let whole = fresh_run["nodes"].as_u64().unwrap();
    assert!(whole >= LONG_NODES, "{whole}");
    let most = (whole * 4 / 5).to_string();
    let (store, table) = (fresh("stopped.redb"), fresh("stopped.table"));
    for flags in [["--db", &store], ["--checkpoint", &table]] {
        let stopped = search_bare(&[&question[..], &flags, &["--nodes", &most]].concat());
        assert_eq!(stopped.code, Some(3), "{}", stopped.err);
        let solved = if flags[1] == store { entries(&store).len() } else { 0 };
        let rest = one(&search_bare(&[&question[..], &flags].concat()));
        assert_eq!(rest["winner"], fresh_run["winner"]);
        // What a store leads to may take longer than to begin again, but a checkpoint is the whole search.
        let nodes = rest["nodes"].as_u64().unwrap();
        assert!(if flags[1] == store { solved > 0 } else { nodes < whole / 2 }, "{flags:?} {rest} {solved}");
        assert_eq!(one(&search_bare(&[&question[..], &flags].concat()))["nodes"], 0, "{flags:?}");
    }
}

/// The work of several threads is added up.
#[test]
fn the_work_of_a_position_is_what_all_threads_did() {
    let path = fresh("threads.redb");
    let args = ["solve", "--json", "--verdict-only", LONG, "--db", &path];
    let bare = BARE.iter().map(|&word| if word == "1" { "2" } else { word });
    let args: Vec<&str> = args.into_iter().chain(bare).collect();
    let nodes = one(&run(&args, b""))["nodes"].as_u64().unwrap();
    let stats = db(&["stats", "--json"], &path).lines();
    // Kept on a scale with four steps a doubling.
    let most = stats[0]["most_work"].as_u64().unwrap();
    assert!(most <= nodes + 1 && most * 5 / 4 + 100 >= nodes, "{most} of {nodes}");
}

#[test]
fn a_bad_checkpoint_is_refused_and_left_alone() {
    let path = fresh("bad.table");
    let args = |board: &'static str| ["solve", board, "--checkpoint"];
    assert_eq!(search(&[&args("4x4 d1")[..], &[&path]].concat()).code, Some(0));
    let other = search(&[&args("3x3")[..], &[&path]].concat());
    assert_eq!(other.code, Some(2));
    assert!(other.err.contains("bad.table': it is for a board of 4x4, not 3x3"), "{}", other.err);
    let bytes = std::fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    // Of another version, changed in its board and in its middle, cut off, and with more behind it.
    let older = [&b"solrex-table-3\n\0"[..], &bytes[16..]].concat();
    let [mut board, mut changed] = [bytes.clone(), bytes.clone()];
    board[17] ^= 4;
    changed[middle] ^= 1;
    let longer = [&bytes[..], b"\n"].concat();
    let damaged = "it is damaged or incomplete";
    for (bad, wanted) in [
        (&older[..], "it has version 3; expected 4"),
        (b"other", "it is not a checkpoint; expected one written by --checkpoint"),
        (&board, damaged),
        (&changed, damaged),
        (&bytes[..middle], damaged),
        (&longer, damaged),
    ] {
        std::fs::write(&path, bad).unwrap();
        let refused = search(&[&args("4x4 d1")[..], &[&path]].concat());
        assert_eq!((refused.code, refused.out.as_str()), (Some(2), ""));
        assert!(refused.err.contains(&format!("bad.table': {wanted}")), "{}", refused.err);
        assert!(std::fs::read(&path).unwrap() == bad);
    }
    // This is said before the search and not after it.
    let nowhere = search(&["solve", "8x8", "--checkpoint", "/no/such/folder/table"]);
    assert_eq!((nowhere.code, nowhere.out.as_str()), (Some(2), ""));
    assert!(nowhere.err.contains("cannot write the checkpoint '/no/such/folder/table'"), "{}", nowhere.err);
}

/// A link is a name for a checkpoint as good as another.
#[cfg(unix)]
#[test]
fn a_checkpoint_behind_a_link_is_written_where_it_is() {
    let (table, link) = (fresh("linked.table"), fresh("link.table"));
    std::os::unix::fs::symlink("linked.table", &link).unwrap();
    for nodes in ["1", "20"] {
        let run = search_bare(&["solve", ENDLESS, "--nodes", nodes, "--checkpoint", &link]);
        assert_eq!(run.code, Some(3), "{}", run.err);
        assert!(Path::new(&link).is_symlink() && !Path::new(&table).is_symlink(), "{nodes}");
    }
    let size = |path: &str| std::fs::metadata(path).unwrap().len();
    let other = fresh("one-node.table");
    search_bare(&["solve", ENDLESS, "--nodes", "1", "--checkpoint", &other]);
    assert!(size(&table) > size(&other), "what came in the second run is there");
}

/// A killed search leaves a whole table that is a few seconds old, and the next run goes on from there.
#[cfg(unix)]
#[test]
fn a_killed_run_goes_on_from_its_checkpoint() {
    let path = fresh("killed.table");
    let args = [&["solve", ENDLESS, "-v", "--checkpoint", &path], &BARE[..]].concat();
    let mut child = solrex(&args).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let mut written = lines.map(|line| line.unwrap()).filter(|line| line.contains("wrote the search"));
    assert!(written.next().is_some());
    child.kill().unwrap();
    assert_eq!(child.wait().unwrap().code(), None);
    let size = |path: &str| std::fs::metadata(path).unwrap().len();
    let before = size(&path);
    // What was known is read, and what comes to it is kept.
    let little = fresh("ten-nodes.table");
    for path in [&path, &little] {
        let next = search_bare(&["solve", "--json", ENDLESS, "--nodes", "10", "--checkpoint", path]);
        assert_eq!(next.code, Some(3), "{}", next.err);
    }
    assert!(size(&path) >= before && before > size(&little), "{before} {}", size(&path));
    assert!(!Path::new(&format!("{path}.new")).exists());
}

/// The process is killed in the middle of a stream; what it had found is there, and the next run goes on.
#[cfg(unix)]
#[test]
fn a_killed_run_goes_on() {
    let path = fresh("killed.redb");
    let (mut child, mut stdin, mut stdout) =
        talk(&[&["solve", "-", "--json", "--db", &path], &BARE[..]].concat());
    writeln!(stdin, "{LONG}\n{ENDLESS}").unwrap();
    let mut line = String::new();
    stdout.read_line(&mut line).unwrap();
    let before: Value = serde_json::from_str(&line).unwrap();
    // What is found is written once a second. The process has the file for itself, so a copy is looked at.
    let copy = fresh("killed-copy.redb");
    wait_until("what was found is in the store", || {
        std::fs::copy(&path, &copy).unwrap();
        bare_with_db(&["solve", LONG, "--json", "--verdict-only", "--nodes", "0"], &copy).code == Some(0)
    });
    child.kill().unwrap();
    assert_eq!(child.wait().unwrap().code(), None);
    let stats = one(&db(&["stats", "--json"], &path));
    assert!(stats["entries"].as_u64() > Some(0), "{stats}");
    assert_eq!(stats["damaged"], 0);
    let now = one(&bare_with_db(&["solve", LONG, "--json", "--verdict-only", "--nodes", "0"], &path));
    assert_eq!((&now["winner"], &now["nodes"]), (&before["winner"], &Value::from(0)));
    let verified = db(&["verify", "--sample", "20", "--memory", "16M", "--nodes", "20k"], &path);
    assert_eq!(verified.code, Some(0), "{}{}", verified.out, verified.err);
}

/// Without flags and variables the store is in the user's data directory, which is made; where that is not possible,
/// the search goes on without it.
#[cfg(target_os = "linux")]
#[test]
fn the_usual_store_is_in_the_data_directory() {
    let folder = fresh("data");
    let run = |folder: &str, args: &[&str]| -> Run {
        let mut command = solrex(args);
        command.env_remove("SOLREX_DB").env("XDG_DATA_HOME", folder).output().unwrap().into()
    };
    let solved = run(&folder, &[&["solve", "4x4"], &SMALL[..]].concat());
    assert_eq!((solved.code, solved.err.as_str()), (Some(0), ""));
    assert!(Path::new(&folder).join("solrex/solved.redb").exists());
    assert_eq!(run(&folder, &["db", "stats"]).code, Some(0));
    let nowhere = run("/dev/null", &[&["solve", "4x4"], &SMALL[..]].concat());
    assert_eq!(nowhere.code, Some(0));
    assert!(nowhere.err.starts_with("warning: cannot use the store '/dev/null/solrex"), "{}", nowhere.err);
    let none = crate::common::run(&["db", "stats"], b"");
    assert_eq!(none.code, Some(2));
    assert!(none.err.contains("there is no store; expected --db FILE"), "{}", none.err);
}

#[test]
fn a_second_process_goes_on_without_the_store() {
    let path = fresh("shared.redb");
    let held = Store::open(Path::new(&path)).unwrap();
    let second = with_db(&["solve", "--json", "4x4 d1"], &path);
    assert_eq!(one(&second)["winner"], "black");
    assert!(second.err.starts_with("warning: the store '"), "{}", second.err);
    assert!(second.err.ends_with("shared.redb' is in use by another process; continuing without it\n"));
    for args in [&["stats"][..], &["verify"], &["compact"], &["export", "/tmp"], &["merge", &path]] {
        let run = db(args, &path);
        assert_eq!((run.code, run.out.as_str()), (Some(2), ""), "{args:?}");
        assert!(run.err.contains("shared.redb' is in use by another process"), "{args:?} {}", run.err);
    }
    drop(held);
    assert_eq!(db(&["stats"], &path).code, Some(0));
}

#[test]
fn a_damaged_store_and_one_of_another_version_are_refused_and_left_alone() {
    let damaged = fresh("damaged.redb");
    std::fs::write(&damaged, vec![7; 5000]).unwrap();
    let empty = fresh("empty.redb");
    std::fs::write(&empty, "").unwrap();
    let version = fresh("version.redb");
    let database = Database::create(&version).unwrap();
    let transaction = database.begin_write().unwrap();
    let about: TableDefinition<&str, u32> = TableDefinition::new("about");
    transaction.open_table(about).unwrap().insert("solrex format", 2).unwrap();
    transaction.commit().unwrap();
    drop(database);
    for (path, says) in [
        (&damaged, "damaged.redb' is not a store of solved positions, or it is damaged"),
        (&empty, "it is empty"),
        (&version, "version.redb' has format 2; expected 1"),
    ] {
        let before = std::fs::read(path).unwrap();
        for run in [with_db(&["solve", "4x4"], path), db(&["stats"], path), db(&["compact"], path)] {
            assert_eq!((run.code, run.out.as_str()), (Some(2), ""), "{}", run.err);
            assert!(run.err.contains(says) && run.err.contains("It was not changed"), "{}", run.err);
            assert!(std::fs::read(path).unwrap() == before, "{path} has changed");
        }
    }
    let nowhere = db(&["stats"], "/no/such/store");
    assert_eq!(nowhere.code, Some(2));
    assert!(nowhere.err.contains("cannot use the store '/no/such/store'"), "{}", nowhere.err);
    assert_eq!(with_db(&["solve", "4x4"], "/dev/null/store").code, Some(2));
    let both = search(&["solve", "4x4", "--db", "x", "--no-db"]);
    assert_eq!(both.code, Some(2));
    // Measurements never use a store.
    let bench = search(&["bench", "--db", "x"]);
    assert_eq!(bench.code, Some(2));
    assert!(bench.err.contains("'--db'"), "{}", bench.err);
}

/// The entries of a store that `solve` has filled.
fn entries(path: &str) -> Vec<(Place, Record)> {
    let mut entries = Vec::new();
    let store = Store::open_existing(Path::new(path)).unwrap();
    store.each(None, &mut |entry| entries.extend(entry)).unwrap();
    entries
}

/// What cannot be if the record is right.
fn contrary(record: &Record) -> Known {
    let solved = |last| Some((last, record.known.winner(last)?));
    let (last, winner) = Player::BOTH.into_iter().find_map(solved).expect("something is known");
    Known::from_game(last, !winner)
}

#[test]
fn verify_finds_a_wrong_entry() {
    let path = fresh("planted.redb");
    bare_with_db(&["moves", LONG], &path);
    assert_eq!(db(&["compact"], &path).code, Some(0));
    let verify = ["verify", "--sample", "100000", "--memory", "16M"];
    let good = db(&verify, &path);
    assert_eq!(good.code, Some(0), "{}{}", good.out, good.err);
    assert!(good.out.contains(" 0 wrong, 0 not within the limits"), "{}", good.out);
    let entries = entries(&path);
    let (place, record) = entries[entries.len() / 2];
    let store = Store::open_existing(Path::new(&path)).unwrap();
    store.remove(&[place]).unwrap();
    store.put([(place, Record { known: contrary(&record), ..record })]).unwrap();
    drop(store);
    let found = db(&verify, &path);
    assert_eq!(found.code, Some(1), "{}{}", found.out, found.err);
    assert!(found.out.contains(&format!("wrong: '{place}': ")), "{}", found.out);
    assert!(found.out.contains(" 1 wrong, "), "{}", found.out);
    // A move on a stone is a flaw by itself.
    let store = Store::open_existing(Path::new(&path)).unwrap();
    store.remove(&[place]).unwrap();
    let stone = (place.board.cells() - place.empty()).first();
    store.put([(place, Record { best: [stone, stone], ..record })]).unwrap();
    drop(store);
    let flawed = db(&["verify", "--sample", "0", "--json"], &path);
    assert_eq!(flawed.code, Some(1));
    assert_eq!(flawed.lines()[0]["error"], "its best move is on a cell that is not empty");
    assert_eq!(flawed.lines()[0]["kind"], "damaged");
    assert_eq!(flawed.lines()[1]["damaged"], 1);
    // Compacting takes the move away and keeps the rest.
    assert!(db(&["compact"], &path).out.starts_with("1 position brought up to date, 0 dropped"));
    let mended = db(&["verify", "--sample", "0", "--json"], &path);
    assert_eq!((mended.code, &mended.lines()[0]["damaged"]), (Some(0), &Value::from(0)));
    // Other rules are no damage.
    let store = Store::open_existing(Path::new(&path)).unwrap();
    store.remove(&[place]).unwrap();
    store.put([(place, Record { rules: 0, ..record })]).unwrap();
    drop(store);
    let stale = db(&["verify", "--sample", "0"], &path);
    assert_eq!(stale.code, Some(0), "{}", stale.out);
    assert!(stale.out.contains(" 0 damaged, 1 stale; "), "{}", stale.out);
}

/// Positions that were filled in by halves before.
#[test]
fn what_is_kept_is_found_again_wherever_it_travels() {
    for (number, position) in ["6x6 d3 e4 a4 d2 b3 f1", "6x6 b2 b6 d5 d1 a5 a6"].into_iter().enumerate() {
        let [first, second, folder] =
            ["way-1", "way-2", "way-out"].map(|name| fresh(&format!("{name}-{number}")));
        // With pairings found by the exact search, nothing takes long enough to be kept.
        assert_eq!(with_db(&["moves", position, "--no-exact-pairing"], &first).code, Some(0));
        let verified = db(&["verify", "--sample", "0"], &first);
        assert_eq!(verified.code, Some(0), "{}{}", verified.out, verified.err);
        assert_eq!(db(&["export", &folder], &first).code, Some(0));
        let imported = db(&["import", &format!("{folder}/6x6.solved"), "--memory", "16M"], &second);
        assert_eq!(imported.code, Some(0), "{}{}", imported.out, imported.err);
        assert!(imported.out.contains("solved again, none wrong") && !imported.out.contains("left out"));
        assert_eq!(entries(&first), entries(&second));
        assert_eq!(one(&with_db(&["solve", "--json", position], &second))["nodes"], 0, "{position}");
    }
}

#[test]
fn a_false_file_is_not_taken_in() {
    let (first, second) = (fresh("false-1.redb"), fresh("false-2.redb"));
    bare_with_db(&["moves", LONG], &first);
    let folder = fresh("false-out");
    let all = entries(&first);
    let lies: Vec<_> = all
        .iter()
        .map(|(place, record)| (*place, Record { known: contrary(record), best: [None; 2], ..*record }))
        .collect();
    std::fs::create_dir_all(&folder).unwrap();
    let name = format!("{folder}/lies.solved");
    rex_store::segment::write(&mut std::fs::File::create(&name).unwrap(), all[0].0.board, &lies).unwrap();
    let refused = db(&["import", &name, "--memory", "16M"], &second);
    assert_eq!(refused.code, Some(1), "{}{}", refused.out, refused.err);
    assert!(refused.out.contains("nothing was imported"), "{}", refused.out);
    assert!(entries(&second).is_empty());
    // Told not to look, it believes.
    assert_eq!(db(&["import", &name, "--sample", "0"], &second).code, Some(0));
    assert_eq!(entries(&second).len(), lies.len());
}

#[test]
fn what_is_sound_is_salvaged_from_a_cut_store() {
    let (cut, rescued) = (fresh("cut.redb"), fresh("rescued.redb"));
    bare_with_db(&["moves", LONG], &cut);
    let whole = entries(&cut);
    let bytes = std::fs::read(&cut).unwrap();
    std::fs::write(&cut, &bytes[..bytes.len() - 5000]).unwrap();
    let refused = db(&["stats"], &cut);
    assert_eq!(refused.code, Some(2), "{}", refused.out);
    assert!(refused.err.contains("db salvage"), "{}", refused.err);
    let salvaged = db(&["salvage", &cut], &rescued);
    assert_eq!(salvaged.code, Some(0), "{}", salvaged.err);
    let found = entries(&rescued);
    assert!(!found.is_empty() && found.iter().all(|entry| whole.iter().any(|(place, _)| *place == entry.0)));
    assert_eq!(db(&["verify", "--sample", "20", "--memory", "16M"], &rescued).code, Some(0));
}

/// A store that nobody asked for must not be in the way.
#[test]
fn a_damaged_store_in_the_usual_place_is_done_without() {
    let home = fresh("damaged-home");
    let folder = Path::new(&home).join("solrex");
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("solved.redb");
    std::fs::write(&path, vec![7; 5000]).unwrap();
    let solved = solrex(&["solve", "4x4 d1", "--memory", "16M"])
        .env_remove("SOLREX_DB")
        .env("XDG_DATA_HOME", &home)
        .output()
        .unwrap();
    let err = String::from_utf8(solved.stderr).unwrap();
    assert_eq!(solved.status.code(), Some(0), "{err}");
    assert!(err.contains("warning:") && err.contains("continuing without it"), "{err}");
    assert!(std::fs::read(&path).unwrap() == vec![7; 5000]);
}

#[test]
fn solved_positions_travel() {
    let (first, second) = (fresh("first.redb"), fresh("second.redb"));
    bare_with_db(&["moves", "3x5 b2"], &first);
    bare_with_db(&["moves", "4x4 d1"], &first);
    bare_with_db(&["solve", "--verdict-only", LONG], &second);
    for path in [&first, &second] {
        assert_eq!(db(&["compact"], path).code, Some(0));
    }
    let [folder, again, merged] = ["out", "again", "merged"].map(fresh);
    let exported = db(&["export", &folder], &first);
    assert_eq!(exported.code, Some(0), "{}", exported.err);
    let segment = |folder: &str| PathBuf::from(folder).join("4x4.solved");
    let file = segment(&folder);
    let name = file.to_str().unwrap();
    // What was published is not written over.
    assert_eq!(db(&["export", &folder], &first).code, Some(2));
    let third = fresh("third.redb");
    let imported = db(&["import", name, &name.replace("4x4", "3x5")], &third);
    assert_eq!(imported.code, Some(0), "{}", imported.err);
    assert_eq!(db(&["export", &again], &third).code, Some(0));
    assert!(std::fs::read(&file).unwrap() == std::fs::read(segment(&again)).unwrap());
    assert_eq!(entries(&third), entries(&first));
    assert!(db(&["import", name, "--sample", "0"], &third).out.ends_with(" read, 0 of them new\n"));
    // Two stores together know what each of them knows, whichever comes first.
    assert_eq!(db(&["merge", &second], &third).code, Some(0));
    assert_eq!(db(&["merge", &first, &second], &merged).code, Some(0));
    let positions = |path: &str| entries(path).iter().map(|(place, _)| *place).collect::<Vec<_>>();
    assert_eq!(positions(&third), positions(&merged));
    assert!(positions(&third).len() > positions(&first).len().max(positions(&second).len()));
    assert_eq!(db(&["compact"], &third).code, Some(0));
    assert_eq!(positions(&third), positions(&merged));
    assert_eq!(db(&["verify", "--sample", "10", "--memory", "16M"], &third).code, Some(0));
    // Damage and contradictions are refused, and nothing is written.
    let mut bytes = std::fs::read(&file).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    std::fs::write(&file, bytes).unwrap();
    let damaged = db(&["import", name], &third);
    assert_eq!(damaged.code, Some(2));
    assert!(damaged.err.contains("4x4.solved': it is damaged"), "{}", damaged.err);
    let (place, record) = entries(&second)[0];
    let store = Store::open_existing(Path::new(&second)).unwrap();
    store.remove(&[place]).unwrap();
    store.put([(place, Record { known: contrary(&record), ..record })]).unwrap();
    drop(store);
    let before = entries(&third);
    let clash = db(&["merge", &second], &third);
    assert_eq!(clash.code, Some(2), "{}", clash.out);
    assert!(clash.err.contains("Nothing was written") && clash.err.contains(&place.to_string()));
    assert_eq!(entries(&third), before);
    let itself = db(&["merge", &third], &third);
    assert!(itself.err.contains("is the store itself"), "{}", itself.err);
}

#[test]
fn hexgui_opens_and_closes_a_store() {
    let path = fresh("htp.redb");
    let session = format!(
        "param_dfpn use_guifx 0\n{}dfpn-open-db {path}\ndfpn-solve-state b\ndfpn-close-db\ndfpn-close-db\nquit\n",
        htp_setup(LONG)
    );
    let talk = run(&[&["htp"], &BARE[..]].concat(), session.as_bytes());
    let answers: Vec<&str> =
        talk.out.split_terminator("\n\n").filter(|text| !text.starts_with("gogui")).collect();
    let winner = one(&search(&["solve", "--json", LONG]))["winner"].as_str().unwrap().to_owned();
    let [.., opened, solved, closed, none, _quit] = &answers[..] else { panic!("{}", talk.out) };
    assert_eq!((*opened, *solved, *closed), ("= ", &*format!("= {winner}"), "= "), "{}", talk.out);
    assert_eq!(*none, "? no store of solved positions is open", "{}", talk.out);
    let stats = one(&db(&["stats", "--json"], &path));
    assert!(stats["entries"].as_u64().unwrap() > 0, "{stats}");
    // A store that cannot be opened does not close the one that is open, and nor does the same one again.
    let session = format!("dfpn-open-db /no/such/folder/x\ndfpn-open-db \"{path}\"\ndfpn-close-db\n");
    let again = run(&[&["htp", "--db", &path], &SMALL[..]].concat(), session.as_bytes());
    assert!(again.out.starts_with("? cannot use the store '/no/such/folder/x'"), "{}", again.out);
    assert!(again.out.ends_with("\n\n= \n\n= \n\n"), "{}", again.out);
}
