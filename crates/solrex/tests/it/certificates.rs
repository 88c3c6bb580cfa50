//! `solrex prove` and `solrex check`.

use std::path::PathBuf;

use crate::common::{ENDLESS, run, search, search_bare};

/// A file of this test's own.
fn file(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    path.to_str().expect("a plain path").to_owned()
}

#[test]
fn a_certificate_is_written_and_checked() {
    let path = file("d1.cert");
    let proved = search(&["prove", "4x4", "d1", "-o", &path]);
    assert_eq!(proved.code, Some(0), "{}", proved.err);
    assert!(proved.out.contains("winner: black\n"), "{}", proved.out);
    let checked = run(&["check", &path], b"");
    assert_eq!(checked.code, Some(0), "{}", checked.err);
    for line in ["proved: 3b/4/4/4 w\n", "winner: black\n", "rules: full\n", "claims: ", "size: ", "time: "] {
        assert!(checked.out.contains(line), "{}", checked.out);
    }
    let json = &run(&["check", &path, "--json"], b"").lines()[0];
    assert_eq!(json["v"], 1);
    assert_eq!(json["winner"], "black");
    assert_eq!(json["position"], "3b/4/4/4 w");
    assert!(json["claims"].as_u64().is_some_and(|claims| claims > 1));
}

#[test]
fn a_compressed_certificate_is_smaller_and_as_good() {
    let path = file("a4.cert.zst");
    let proved = search(&["prove", "4x4", "a4", "-o", &path, "--explicit", "--json"]);
    assert_eq!(proved.code, Some(0), "{}", proved.err);
    let json = &proved.lines()[0];
    assert_eq!(json["rules"], "explicit");
    assert!(json["file_bytes"].as_u64() < json["bytes"].as_u64());
    assert_eq!(run(&["check", &path], b"").code, Some(0));
}

#[test]
fn a_certificate_goes_to_standard_output_alone() {
    let path = file("stdout.cert");
    assert_eq!(search(&["prove", "4x4", "d1", "-o", &path]).code, Some(0));
    let printed = search(&["prove", "4x4", "d1", "-o", "-"]);
    assert_eq!(printed.code, Some(0), "{}", printed.err);
    assert_eq!(printed.out, std::fs::read_to_string(&path).unwrap());
    assert!(printed.err.starts_with("proved: 3b/4/4/4 w\nwinner: black\n"), "{}", printed.err);
    let with_json = search(&["prove", "4x4", "d1", "-o", "-", "--json"]);
    assert_eq!(with_json.out, printed.out);
    let report: serde_json::Value = serde_json::from_str(&with_json.err).unwrap();
    assert_eq!([&report["winner"], &report["file"]], ["black", "-"]);
    // Where there is no certificate, nothing is printed.
    let stopped = search_bare(&["prove", ENDLESS, "-o", "-", "--nodes", "1"]);
    assert_eq!((stopped.code, stopped.out.as_str()), (Some(3), ""), "{}", stopped.err);
    assert!(stopped.err.contains("Stopped by the node limit."), "{}", stopped.err);
}

#[test]
fn an_older_file_stays_until_there_is_a_new_one() {
    let path = file("older.cert");
    std::fs::write(&path, "older").unwrap();
    let stopped = search_bare(&["prove", ENDLESS, "-o", &path, "--nodes", "1"]);
    assert_eq!(stopped.code, Some(3), "{}", stopped.err);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "older");
    assert_eq!(search(&["prove", "4x4", "d1", "-o", &path]).code, Some(0));
    assert_eq!(run(&["check", &path], b"").code, Some(0));
    assert!(!PathBuf::from(path + ".new").exists());
    // This is said before the search, which would take for ever.
    let nowhere = search_bare(&["prove", ENDLESS, "-o", "/no/such/folder/file"]);
    assert_eq!((nowhere.code, nowhere.out.as_str()), (Some(2), ""));
    assert!(nowhere.err.contains("cannot write '/no/such/folder/file'"), "{}", nowhere.err);
}

/// Devices and pipes are written to, and not replaced.
#[cfg(target_os = "linux")]
#[test]
fn a_device_stays_what_it_is() {
    use std::os::unix::fs::FileTypeExt;
    for (path, code) in [("/dev/null", 0), ("/dev/full", 2)] {
        let proved = search(&["prove", "4x4", "d1", "-o", path]);
        assert_eq!(proved.code, Some(code), "{path} {}", proved.err);
        assert!(std::fs::metadata(path).unwrap().file_type().is_char_device(), "{path}");
    }
    let table = search(&["solve", "4x4", "--checkpoint", "/dev/null"]);
    assert_eq!(table.code, Some(2));
    assert!(
        table.err.contains("cannot write the checkpoint '/dev/null': it is not an ordinary file"),
        "{}",
        table.err
    );
}

#[test]
fn a_false_certificate_gives_the_line_and_the_reason() {
    let path = file("false.cert");
    search(&["prove", "3x3", "-o", &path]);
    let text = std::fs::read_to_string(&path).expect("a certificate");
    std::fs::write(&path, text.replace(" b w mirror", " b b mirror")).expect("it can be written");
    let checked = run(&["check", &path], b"");
    assert_eq!(checked.code, Some(1));
    assert!(checked.out.contains("not a proof") && checked.out.contains("line 4: "), "{}", checked.out);
    let json = &run(&["check", &path, "--json"], b"").lines()[0];
    assert_eq!(json["line"], 4);
}

#[test]
fn a_missing_file_is_bad_input() {
    let checked = run(&["check", &file("missing.cert")], b"");
    assert_eq!(checked.code, Some(2));
    assert!(checked.err.contains("cannot read"), "{}", checked.err);
}

/// Files made to break things: each is refused with a line and a reason, and the check has failed.
#[test]
fn a_hostile_file_is_no_proof() {
    let packed = file("hostile.cert.zst");
    search(&["prove", "4x4", "d1", "-o", &packed]);
    let packed = std::fs::read(&packed).expect("a certificate");
    // A frame of 128 KiB blocks of one byte, and one with a window of gigabytes.
    let bomb = |window: u8| {
        let block = [&(((128 << 10) << 3 | 2) as u32).to_le_bytes()[..3], b"1"].concat();
        [&packed[..4], &[0, window], &block.repeat(10_000)].concat()
    };
    for (name, bytes, reason) in [
        ("empty", Vec::new(), "line 1: expected"),
        ("cut off", packed[..packed.len() - 10].to_vec(), ": cannot read any further"),
        ("a head alone", packed[..5].to_vec(), "line 1: cannot read any further"),
        ("a bomb", bomb(0x50), "line 1: longer than 16384 bytes"),
        ("a memory bomb", bomb(0xb8), "line 1: cannot read any further"),
        ("a long line", vec![b'x'; 1 << 20], "line 1: longer than 16384 bytes"),
        ("no text", b"rex-certificate 1\n\xff\xfe\n".to_vec(), "line 2: not UTF-8 text"),
        ("zeros", vec![0; 100], "line 1: the file ends in the middle of the line"),
    ] {
        let path = file("hostile.cert");
        std::fs::write(&path, bytes).expect("it can be written");
        let checked = run(&["check", &path], b"");
        assert_eq!(checked.code, Some(1), "{name}: {}", checked.err);
        assert!(
            checked.out.contains("not a proof") && checked.out.contains(reason),
            "{name}: {}",
            checked.out
        );
    }
    // What is no file is not read at all.
    assert_eq!(run(&["check", env!("CARGO_TARGET_TMPDIR")], b"").code, Some(2));
}

/// With `--move` the root of the certificate names the move; a move that loses is no proof.
#[test]
fn a_proof_that_a_move_wins() {
    let path = file("move.cert");
    let proved = search(&["prove", "4x4", "--move", "d1", "-o", &path]);
    assert_eq!(proved.code, Some(0), "{}", proved.err);
    assert!(proved.out.contains("proved: 4/4/4/4 b\nwinner: black\n"), "{}", proved.out);
    let text = std::fs::read_to_string(&path).unwrap();
    let root = text.lines().rev().nth(2).unwrap();
    assert!(root.contains(" 4/4/4/4 b b move d1 "), "{root}");

    let path = file("losing-move.cert");
    let proved = search(&["prove", "4x4", "--move", "c2", "-o", &path]);
    assert_eq!(proved.code, Some(2), "{}", proved.out);
    assert!(proved.err.contains("c2 loses: white wins after it"), "{}", proved.err);
    for bad in ["z9", "e5", ""] {
        let proved = search(&["prove", "4x4", "--move", bad, "-o", &path]);
        assert_eq!(proved.code, Some(2), "{}", proved.out);
        assert!(proved.err.contains("bad --move"), "{}", proved.err);
    }
    assert!(!PathBuf::from(path).exists());
}

#[test]
fn a_stopped_proof_writes_nothing() {
    let path = file("stopped.cert");
    let proved = search(&["prove", "6x6", "e3", "-o", &path, "--nodes", "100"]);
    assert_eq!(proved.code, Some(3), "{}", proved.out);
    assert!(!PathBuf::from(path).exists());
}

#[test]
fn the_losing_side_can_be_played() {
    let path = file("played.cert");
    search(&["prove", "3x3", "-o", &path, "--explicit"]);
    // Black loses whatever she plays; all cells are tried until the game is over.
    let moves = "a1\nb1\nc1\na2\nb2\nc2\na3\nb3\nc3\n";
    let played = run(&["check", &path, "--play"], moves.as_bytes());
    assert_eq!(played.code, Some(0), "{}", played.err);
    let (moves, end) = played.out.rsplit_once("White plays ").unwrap();
    assert!(end.ends_with("Black has connected her two sides, and loses.\n"), "{}", played.out);
    // No move is told twice.
    assert!(!moves.contains(&format!("White plays {}", &end[..3])), "{}", played.out);
    search(&["prove", "3x3", "-o", &path]);
    assert_eq!(run(&["check", &path, "--play"], b"").code, Some(2));
}

/// The root of the repository.
fn repository(path: &str) -> String {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(path)
        .to_str()
        .expect("a plain path")
        .to_owned()
}

#[test]
fn the_strategy_is_written_as_a_game_tree() {
    let (path, tree) = (file("tree.cert"), file("tree.sgf"));
    search(&["prove", "4x4", "a4", "-o", &path, "--explicit"]);
    let checked = run(&["check", &path, "--sgf", &tree], b"");
    assert_eq!(checked.code, Some(0), "{}", checked.err);
    assert!(checked.out.contains("game tree: the whole strategy, "), "{}", checked.out);
    let whole = std::fs::read_to_string(&tree).unwrap();
    assert!(whole.starts_with("(;FF[4]GM[11]CA[UTF-8]AP[Solrex:"), "{whole}");
    assert!(whole.contains("pairing: ") && whole.contains(":key]"), "{whole}");
    // The program reads its own tree.
    let converted = run(&["convert", &format!("@{tree}"), "--to", "sgf"], b"");
    assert_eq!((converted.code, converted.out), (Some(0), whole.clone()), "{}", converted.err);

    let cut = run(&["check", &path, "--sgf", &tree, "--depth", "2", "--json"], b"");
    let json = &cut.lines()[0];
    assert_eq!((&json["winner"], &json["sgf"]["file"]), (&"black".into(), &tree.as_str().into()));
    assert_eq!((&json["sgf"]["depth"], &json["sgf"]["whole"]), (&2.into(), &false.into()));
    let text = std::fs::read_to_string(&tree).unwrap();
    assert_eq!(json["sgf"]["nodes"].as_u64(), Some(text.matches(";").count() as u64));
    assert!(text.len() < whole.len() && text.contains("cut off: "), "{text}");
    // A greater depth than there is gives the whole tree.
    let deep = run(&["check", &path, "--sgf", &tree, "--depth", "99"], b"");
    assert!(deep.out.contains("game tree: the whole strategy, "), "{}", deep.out);
    assert_eq!(std::fs::read_to_string(&tree).unwrap(), whole);
}

#[test]
fn a_game_tree_that_cannot_be_written() {
    let (path, tree) = (file("no-tree.cert"), file("no-tree.sgf"));
    search(&["prove", "3x3", "-o", &path]);
    let alone = run(&["check", &path, "--depth", "3"], b"");
    assert_eq!(alone.code, Some(2));
    assert!(alone.err.contains("--sgf"), "{}", alone.err);
    let nowhere = run(&["check", &path, "--sgf", "/no/such/folder/file"], b"");
    assert_eq!((nowhere.code, nowhere.out.as_str()), (Some(2), ""));
    assert!(nowhere.err.contains("cannot write '/no/such/folder/file'"), "{}", nowhere.err);
    // What is no proof has no tree.
    std::fs::write(&path, "rex-certificate 1\n").unwrap();
    assert_eq!(run(&["check", &path, "--sgf", &tree], b"").code, Some(1));
    assert!(!PathBuf::from(&tree).exists());

    // Too large, and how much would do. The certificate is a proof all the same.
    let large = repository("docs/proofs/7x7/a2.cert.zst");
    let refused = run(&["check", &large, "--sgf", &tree], b"");
    assert_eq!(refused.code, Some(2), "{}", refused.err);
    assert!(refused.out.contains("winner: white\n") && !refused.out.contains("game tree"), "{}", refused.out);
    let advice =
        "the game tree is too large, it has more than 250,000 nodes; expected at most --depth 17, which has";
    assert!(refused.err.contains(advice), "{}", refused.err);
    assert!(!PathBuf::from(&tree).exists());
}
