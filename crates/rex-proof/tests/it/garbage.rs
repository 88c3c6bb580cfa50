//! Whatever the bytes, the checker answers with a line and a reason.

use proptest::prelude::*;
use rex_proof::{CheckLimits, check, seal};

fn survives(bytes: &[u8]) {
    let _ = check(bytes, &CheckLimits::default(), &mut |_, _| {});
}

/// Words that certificates are made of, in any order.
fn words() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "1",
        "2",
        "3",
        "4294967295",
        "99999999999",
        "3/3/3",
        "b2/1w1/3",
        "9/9",
        "b",
        "w",
        "joined",
        "move",
        "all",
        "pairs",
        "mirror",
        "image",
        "fill",
        "worse",
        "drop",
        "root",
        "key",
        "a1",
        "b2",
        "z99",
        "a0",
        "é",
        "a1=1",
        "a1=joins",
        "b2<a1:6",
        "c1<a1:8:a1-b1",
        "a1-b1",
        "a1-b1,c1-c2",
        "-",
        "",
        "dead:a1",
        "dead:b2,c3",
        "captured:b:a1-b1",
        "mutual:a1-b1,b2-c1",
        "transpose",
        "rotation",
        "identity",
    ]);
    prop::collection::vec(word, 0..12).prop_map(|words| words.join(" "))
}

proptest! {
    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        survives(&bytes);
    }

    #[test]
    fn any_lines_under_a_good_header(lines in prop::collection::vec(words(), 0..8), root in 0u32..9) {
        let text = format!("rex-certificate 1\nboard 3x3\nrules full\n{}\n", lines.join("\n"));
        survives(seal(&text, root).as_bytes());
    }

    #[test]
    fn any_claim_with_numbers_in_order(rules in prop::collection::vec(words(), 1..8)) {
        let mut text = "rex-certificate 1\nboard 3x3\nrules full\n".to_owned();
        for (i, rule) in rules.iter().enumerate() {
            text += &format!("{} 3/3/3 b w {rule}\n", i + 1);
        }
        survives(seal(&text, 1).as_bytes());
    }
}

/// What is quoted from a file can do nothing to the reader's terminal, and does not fill it.
#[test]
fn reasons_are_short_and_printable() {
    let refused = |line: &str| {
        let text = format!("rex-certificate 1\nboard 3x3\nrules full\n{line}\n");
        check(text.as_bytes(), &CheckLimits::default(), &mut |_, _| {}).unwrap_err()
    };
    let error = refused("1 3/3/3 b w \u{1b}[2Jmoved");
    assert_eq!(error.to_string(), "line 4: '\\u{1b}[2Jmoved' is not a rule");
    let error = refused(&format!("1 3/3/3 b w {}", "é".repeat(5_000)));
    assert!(error.reason.chars().count() < 400 && error.reason.ends_with('…'), "{error}");
}

/// Numbers that are none, or of claims that are not there.
#[test]
fn numbers_out_of_range() {
    for line in [
        "0 3/3/3 b w mirror transpose",
        "-1 3/3/3 b w mirror transpose",
        "+1 3/3/3 b w mirror transpose",
        "4294967296 3/3/3 b w mirror transpose",
        "99999999999999999999999 3/3/3 b w mirror transpose",
        "1 3/3/3 b w worse 1",
        "1 3/3/3 b w worse 4294967295",
        "1 3/3/3 b w worse 18446744073709551617",
        "1 3/3/3 b w move a1 2",
        "1 99999999999999999999/3/3 b w mirror transpose",
        "1 3/3/3/3/3/3/3/3/3/3/3/3/3 b w mirror transpose",
        "drop 1",
        "drop 4294967295",
        "drop ",
        "root 1",
        "root 4294967295",
    ] {
        let text = format!("rex-certificate 1\nboard 3x3\nrules full\n{line}\n");
        let error = check(text.as_bytes(), &CheckLimits::default(), &mut |_, _| {}).unwrap_err();
        assert_eq!(error.line, 4, "{line}: {error}");
    }
    // The largest number is one, and no number comes after it.
    let text = "rex-certificate 1\nboard 3x3\nrules full\n4294967295 3/3/3 b w mirror transpose\n";
    assert!(check(seal(text, u32::MAX).as_bytes(), &CheckLimits::default(), &mut |_, _| {}).is_ok());
    let twice = format!("{text}4294967295 3/3/3 b w mirror transpose\n");
    let error =
        check(seal(&twice, u32::MAX).as_bytes(), &CheckLimits::default(), &mut |_, _| {}).unwrap_err();
    assert_eq!(error.line, 5);
}

/// A line that would take for ever if nobody counted: a pairing on the largest board.
#[test]
fn a_hard_pairing_is_given_up() {
    let board = rex_game::Board::new(8, 8).unwrap();
    let cells: Vec<String> = board.cells().into_iter().map(|cell| board.name(cell)).collect();
    let pairs: Vec<String> = (0..32).map(|i| format!("{}-{}", cells[i], cells[63 - i])).collect();
    let text = format!(
        "rex-certificate 1\nboard 8x8\nrules full\n1 8/8/8/8/8/8/8/8 b w pairs {}\n",
        pairs.join(",")
    );
    let error = check(seal(&text, 1).as_bytes(), &CheckLimits::default(), &mut |_, _| {}).unwrap_err();
    assert!(error.line == 4 && error.reason.contains("too long to tell"), "{error}");
}

/// Four pairs force White to join. The others only add paths to follow, more than are followed.
#[test]
fn a_true_pairing_that_takes_too_many_steps_is_given_up() {
    let enough = "b8-b7,d7-d6,f6-f5,h5-h4";
    let more = "h1-g6,a4-b4,b2-d2,a3-b3,h7-f4,h2-g3,f3-f2,e4-g8,f8-a5,a7-b6,c1-g1,a6-b5,g2-f1,e1-d1,c8-g4,f7-e5,d3-d8,\
                e8-c4,a2-c2,e3-e2,h6-h3,h8-d5,d4-g7,c6-c5,b1-a1,c3-e7";
    let run = |pairs: &str| {
        let claim = format!("1 8/8/8/8/6w1/4w3/2w5/w7 b b pairs {pairs}\n");
        let text = format!("rex-certificate 1\nboard 8x8\nrules full\n{claim}");
        check(seal(&text, 1).as_bytes(), &CheckLimits::default(), &mut |_, _| {})
    };
    assert!(run(enough).is_ok());
    let error = run(&format!("{enough},{more}")).unwrap_err();
    assert!(error.line == 4 && error.reason.contains("too long to tell"), "{error}");
}
