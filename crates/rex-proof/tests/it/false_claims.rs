//! For each rule, claims that hold and claims that do not. The digest is always right, so that it is the logic that
//! tells them apart.

use rex_proof::{CheckError, CheckLimits, Report, check, seal};

/// Checks the claims; the last one is the root.
fn run(board: &str, rules: &str, claims: &[&str]) -> Result<Report, CheckError> {
    let numbered: String =
        claims.iter().enumerate().map(|(i, claim)| format!("{} {claim}\n", i + 1)).collect();
    let text = format!("rex-certificate 1\nboard {board}\nrules {rules}\n{numbered}");
    check(seal(&text, claims.len() as u32).as_bytes(), &CheckLimits::default(), &mut |_, _| {})
}

fn holds(board: &str, claims: &[&str]) {
    if let Err(error) = run(board, "full", claims) {
        panic!("{claims:?}: {error}");
    }
}

/// The last claim is refused, for a reason that contains `reason`.
fn fails(board: &str, claims: &[&str], reason: &str) {
    let error = run(board, "full", claims).expect_err(&format!("{claims:?} is false"));
    assert!(error.reason.contains(reason), "{claims:?}: {error}");
    assert_eq!(error.line, claims.len() as u64 + 3, "{claims:?}: {error}");
}

#[test]
fn joined() {
    holds("2x2", &["b1/b1 w w joined"]);
    holds("2x2", &["ww/bb b b joined"]);
    fails("2x2", &["b1/b1 w b joined"], "has not connected her sides");
    fails("2x2", &["b1/1b w w joined"], "has not connected her sides");
    fails("2x2", &["ww/2 w w joined"], "has not connected her sides");
    fails("2x2", &["2/2 b b joined"], "has not connected her sides");
}

/// White joins at a2, wherever else the stones lie.
const FORCED: &str = "wb/1w w b all a2=joins";

#[test]
fn a_winning_move() {
    holds("2x2", &[FORCED, "w1/1w b b move b1 1"]);
    fails("2x2", &[FORCED, "w1/1w b b move a2 1"], "does not say that black wins");
    fails("2x2", &[FORCED, "w1/1w w b move b1 1"], "'s turn");
    fails("2x2", &[FORCED, "w1/1w b w move b1 1"], "'s turn");
    fails("2x2", &[FORCED, "w1/1w b b move a1 1"], "not empty");
    fails("2x2", &[FORCED, "w1/1w b b move b1 2"], "no claim 2");
    fails("2x2", &[FORCED, "w1/1w b b move b1 7"], "no claim 7");
    fails("2x2", &[FORCED, "w1/1w b b move b1"], "wrong arguments");
}

#[test]
fn all_moves_answered() {
    holds("2x2", &[FORCED]);
    fails("2x2", &["wb/1w w b all"], "a2 is not answered");
    fails("2x2", &["wb/1w w b all a2=joins a2=joins"], "answered twice");
    fails("2x2", &["wb/1w w b all a1=joins a2=joins"], "not empty");
    fails("2x2", &["w1/2 w b all b2=joins b1=joins a2=joins"], "does not connect");
    fails("2x2", &["wb/1w b b all a2=joins"], "'s turn");
    fails("2x2", &["wb/1w w w all a2=joins"], "'s turn");
    fails("2x2", &[FORCED, "w1/1w b w all b1=1 a2=joins"], "does not say that white wins");
    fails("2x2", &[FORCED, "1b/1w w b all a1=2 a2=joins"], "no claim 2");
    fails("2x2", &["wb/ww w b all"], "the game is over");
}

/// Black has no stone, so she wins as Notlast by the mirror, wherever White has moved.
const REPLIES: [&str; 4] = [
    "w2/3/3 b b mirror transpose",
    "3/3/w2 b b mirror transpose",
    "2w/3/3 b b mirror transpose",
    "3/3/2w b b mirror transpose",
];

#[test]
fn dominated_moves() {
    let with = |answers: &str| {
        let mut claims: Vec<String> = REPLIES.map(str::to_owned).to_vec();
        claims.push(format!("3/3/3 w b all {answers}"));
        claims
    };
    let good = "a1=1 b1<a1:7 a2<a1:6 b2<a2:8:a2-a3 a3=2 c1=3 c3=4 b3<c3:7 c2<c3:6";
    let claims = with(good);
    holds("3x3", &claims.iter().map(String::as_str).collect::<Vec<_>>());
    let refused = |from: &str, to: &str, reason: &str| {
        assert!(good.contains(from));
        let claims = with(&good.replace(from, to));
        fails("3x3", &claims.iter().map(String::as_str).collect::<Vec<_>>(), reason);
    };
    // The wrong theorem.
    refused("b1<a1:7", "b1<a1:6", "not shown");
    refused("a2<a1:6", "a2<a1:7", "not shown");
    refused("a2<a1:6", "a2<a1:8:a1-b1", "not shown");
    refused("a2<a1:6", "a2<a1:9", "not an answer");
    refused("a2<a1:6", "a2<a1:10:a1-b1,b2-b1", "not an answer");
    // The wrong pair, or one without the better cell.
    refused("8:a2-a3", "8:a2-a1", "not shown");
    refused("b2<a2:8:a2-a3", "b2<a1:8:a2-a3", "not shown");
    refused("8:a2-a3", "8:a2-a2", "not shown");
    refused("8:a2-a3", "8:-", "not shown");
    refused("8:a2-a3", "8:a2-b2", "not shown");
    // A better cell that is not answered, not yet, or only by itself.
    refused("b2<a2:8:a2-a3", "b2<a3:8:a2-a3", "not answered earlier");
    refused("a1=1 b1<a1:7", "b1<a1:7 a1=1", "not answered earlier");
    refused("b1<a1:7", "b1<b1:7", "not answered earlier");
    refused(" c2<c3:6", "", "c2 is not answered");
    refused("c3=4", "c3=3", "does not say that black wins");
}

#[test]
fn pairings() {
    holds("3x1", &["1/1/1 w b pairs a1-a2"]);
    holds("1x3", &["3 b w pairs a1-c1"]);
    holds("2x2", &["2/2 b b pairs a1-a2 key b1"]);
    fails("2x2", &["2/2 b b pairs a1-a2"], "do not force white to connect");
    fails("2x2", &["2/2 w b pairs a1-a2 key b1"], "Last");
    fails("2x2", &["2/2 b b pairs a2-b2 key b1"], "do not force white to connect");
    fails("2x2", &["2/2 b b pairs a1-a2 key a1"], "do not force white to connect");
    fails("2x2", &["2/2 b b pairs a1-a1 key b1"], "do not force white to connect");
    fails("2x2", &["2/2 b b pairs a1-a2 key b2"], "do not force white to connect");
    fails("2x2", &["2/2 b w pairs a1-a2 key b1"], "Last");
    fails("2x2", &["1b/2 w b pairs a2-b2,a1-b1"], "do not force white to connect");
    fails("3x3", &["3/3/3 w b pairs a1-a2,b1-b2,c1-c2"], "do not force white to connect");
    fails("2x2", &["2/2 b b pairs - key b1"], "do not force white to connect");
    fails("2x2", &["2/2 b b pairs a1-a2 key"], "wrong arguments");
    // A number of two digits in a position.
    holds("1x12", &["12 b w pairs a1-l1"]);
    fails("1x12", &["1 b w pairs a1-l1"], "not a position");
    fails("2x2", &["2/2 b b pairs a1a2"], "not a pair");
}

#[test]
fn mirrors() {
    holds("2x2", &["2/2 b b mirror transpose"]);
    holds("3x3", &["3/3/3 b w mirror antitranspose"]);
    fails("2x2", &["2/2 b w mirror transpose"], "white is Last");
    fails("2x2", &["2/2 w b mirror transpose"], "black is Last");
    fails("2x2", &["2/2 b b mirror rotation"], "does not swap");
    fails("2x2", &["2/2 b b mirror identity"], "does not swap");
    fails("2x3", &["3/3 b b mirror transpose"], "not a symmetry");
    // A stone of Last's is welcome, one of Notlast's needs its image.
    holds("3x3", &["w2/3/3 b b mirror transpose"]);
    fails("3x3", &["w2/3/3 w w mirror transpose"], "no mirror image");
    fails("3x3", &["b2/3/3 w b mirror transpose"], "black is Last");
    holds("3x3", &["1b1/w2/3 b w mirror transpose"]);
    fails("3x3", &["1b1/w2/3 b w mirror antitranspose"], "no mirror image");
}

#[test]
fn images() {
    holds("2x2", &[FORCED, "w1/bw w b image rotation 1"]);
    holds("2x2", &[FORCED, "b1/wb b w image transpose 1"]);
    fails("2x2", &[FORCED, "wb/1w w b image rotation 1"], "does not say that");
    fails("2x2", &[FORCED, "b1/wb b b image transpose 1"], "does not say that");
    fails("2x2", &[FORCED, "b1/wb w w image transpose 1"], "does not say that");
    fails("2x2", &[FORCED, "b1/wb b w image antitranspose 1"], "does not say that");
    fails("2x2", &[FORCED, "b1/wb b w image identity 1"], "does not say that");
    fails("2x2", &[FORCED, "b1/wb b w image transpose 2"], "no claim 2");
}

/// White has no stone and is Notlast; Black has closed the corner a1.
const CLOSED: &str = "bb1/3/3 b w mirror transpose";

#[test]
fn dead_cells() {
    holds("3x3", &[CLOSED, "1b1/3/3 w w fill dead:a1 1"]);
    // The colour of a dead stone does not matter either.
    holds("3x3", &[CLOSED, "wb1/3/3 b w fill dead:a1 1"]);
    let refused = |claim: &str, reason: &str| fails("3x3", &[CLOSED, claim], reason);
    refused("1b1/3/3 b w fill dead:a1 1", "a different Last");
    refused("1b1/3/3 w b fill dead:a1 1", "a different winner");
    // Without Black's stone at b1 the corner is alive, and so are b1 itself and the centre.
    refused("2b/3/3 w w fill dead:a1 1", "step 1");
    refused("b2/3/3 w w fill dead:b1 1", "step 1");
    refused("bw1/3/3 b w fill dead:b1 1", "step 1");
    refused("1b1/3/3 w w fill dead:a1,b2 1", "step 1");
    refused("1b1/3/3 w w fill dead:a1 dead:a1 1", "step 2");
    refused("1b1/1w1/3 b w fill dead:a1 1", "not about the filled position");
    refused("1b1/3/3 w w fill dead:a1,a1 1", "not a fill-in step");
    refused("1b1/3/3 w w fill dead:A1 1", "not a cell");
    refused("1b1/3/3 w w fill dead: 1", "not a cell");
    refused("1b1/3/3 w w fill dying:a1 1", "not a fill-in step");
}

#[test]
fn captured_sets() {
    const FILLED: &str = "3/ww1/w2 b b mirror transpose";
    holds("3x3", &[FILLED, "3/1w1/3 b b fill captured:w:a2-a3 1"]);
    let refused = |claim: &str, reason: &str| fails("3x3", &[FILLED, claim], reason);
    refused("3/1w1/3 b b fill captured:b:a2-a3 1", "step 1");
    refused("3/1w1/3 b b fill captured:w:a1-a2 1", "step 1");
    refused("3/3/3 w b fill captured:w:a2-a3 1", "step 1");
    refused("3/1w1/3 b b fill captured:w:a2-a2 1", "step 1");
    refused("3/1w1/3 b b fill captured:w:a2-a3,a3-b3 1", "step 1");
    refused("3/1w1/3 b b fill captured:w:- 1", "step 1");
    refused("3/ww1/3 w b fill captured:w:a2-a3 1", "step 1");
    refused("3/1w1/3 w b fill captured:w:a2-a3 1", "a different Last");
    refused("3/1w1/3 b b fill captured:w:c1-c2 1", "not about the filled position");
    refused("3/1w1/3 b b fill captured:x:a2-a3 1", "not a player");
    refused("3/1w1/3 b b fill captured:w:a2-d3 1", "not a cell");
}

#[test]
fn mutual_fill_ins() {
    fn with(claim: &str) -> [&str; 3] {
        let chain = ["wbbb/wbbw/w1wb/bbbb w b all b3=joins", "wbbb/wb1w/w1wb/bbbb b b move c2 1"];
        [chain[0], chain[1], claim]
    }
    holds("4x4", &with("wbbb/w2w/w2b/bbbb b b fill mutual:b2-c2,c3-c2 2"));
    let refused = |claim: &str, reason: &str| fails("4x4", &with(claim), reason);
    refused("wbbb/w2w/w2b/bbbb b b fill mutual:c3-c2,b2-c2 2", "step 1");
    refused("wbbb/w2w/w2b/bbbb b b fill mutual:b2-b3,c3-b2 2", "step 1");
    refused("wbbb/w2w/w2b/bbbb b b fill mutual:b2-c2,b2-c2 2", "step 1");
    refused("wbbb/w2w/w2b/bbbb b b fill mutual:b2-c3,c3-b2 2", "step 1");
    refused("wbbb/w2w/w2b/bbbb b b fill mutual:b2-b2,c3-c3 2", "step 1");
    refused("wbbb/w2w/w2b/bbbb b b fill mutual:b2-c2,c3-c2 1", "not about the filled position");
    refused("wbbb/w2w/w2b/bbbb b b fill mutual:b2-c2 2", "not a fill-in step");
    refused("wbbb/w2w/w2b/bbbb w b fill mutual:b2-c2,c3-c2 2", "a different Last");
}

/// The two false files of `docs/certificate.md`. Their first claims are true.
#[test]
fn false_files_that_a_careless_checker_accepts() {
    let page = include_str!("../../../../docs/certificate.md");
    for claims in [
        "1 bw1/3 b w pairs b2-c2,c1-a2\n900 ww1/3 b w fill dead:a2 dead:a1 1\n",
        "1 1b1/ww1 b b pairs c1-c2\n900 1b1/3 b b fill captured:b:a2-b2 1\n",
    ] {
        assert!(page.contains(claims), "the document shows it");
        let (first, _) = claims.split_once('\n').unwrap();
        let header = "rex-certificate 1\nboard 2x3\nrules full\n";
        let run = |text: String| check(text.as_bytes(), &CheckLimits::default(), &mut |_, _| {});
        assert!(run(seal(&format!("{header}{first}\n"), 1)).is_ok(), "{first}");
        let error = run(seal(&format!("{header}{claims}"), 900)).expect_err("it is false");
        assert_eq!(error.line, 5, "{error}");
    }
}

#[test]
fn the_filled_position_is_the_one_referred_to() {
    let start = "3/3/3 b w mirror transpose";
    fails("3x3", &[start, "b2/3/3 w w fill 1"], "not about the filled position");
    fails("3x3", &[start, "3/3/3 w w fill 1"], "a different Last");
    fails("3x3", &[start, "3/3/3 b b fill 1"], "a different winner");
    fails("3x3", &[start, "3/3/3 b w fill 2"], "no claim 2");
}

#[test]
fn worse_positions() {
    let start = "3/3/3 b w mirror transpose";
    // White wins as Notlast; a stone of Black's is welcome, one of her own is not.
    holds("3x3", &[start, "3/1b1/3 w w worse 1"]);
    fails("3x3", &[start, "3/1w1/3 w w worse 1"], "not worse");
    fails("3x3", &[start, "3/1b1/3 b w worse 1"], "a different Last");
    fails("3x3", &[start, "3/1b1/3 w b worse 1"], "a different winner");
    fails("3x3", &[start, "3/1b1/3 w w worse 1", "3/3/3 b w worse 2"], "not worse");
}

#[test]
fn explicit_files_have_few_rules() {
    let refused = |board: &str, claims: &[&str]| {
        let error = run(board, "explicit", claims).expect_err("it is not allowed");
        assert!(error.reason.contains("does not allow"), "{error}");
    };
    refused("2x2", &["2/2 b b mirror transpose"]);
    refused("1x2", &["2 b w all a1=joins b1<a1:6"]);
    refused("1x3", &["3 w w pairs a1-c1", "3 w w worse 1"]);
    refused("1x3", &["3 w w pairs a1-c1", "3 w w fill 1"]);
    assert!(run("1x3", "explicit", &["3 w w pairs a1-c1", "3 w w image rotation 1"]).is_ok());
}

#[test]
fn the_frame_is_checked() {
    let good = seal("rex-certificate 1\nboard 1x3\nrules full\n1 3 w w pairs a1-c1\n", 1);
    let run = |text: &str| check(text.as_bytes(), &CheckLimits::default(), &mut |_, _| {});
    assert!(run(&good).is_ok());
    let refused = |text: &str, line: u64, reason: &str| {
        let error = run(text).expect_err(text);
        assert!(error.line == line && error.reason.contains(reason), "{error}");
    };
    refused("", 1, "expected");
    refused("rex-certificate 2\n", 1, "not a certificate");
    refused(&good.replace("board 1x3", "board 0x3"), 2, "board");
    refused(&good.replace("board 1x3", "board 9x9"), 2, "cells");
    refused(&good.replace("rules full", "rules none"), 3, "rules");
    refused(&good.replace("root 1", "root 2"), 5, "no claim 2");
    refused(&good.replace("sha256 ", "sha256 0"), 6, "the digest does not match");
    refused(&good.replace("a1-c1", "a1-b1"), 6, "the digest does not match");
    refused(&format!("{good}more\n"), 7, "after the end");
    refused(good.trim_end(), 6, "ends in the middle of the line");
    refused(&good.replace('\n', "\r\n"), 1, "carriage return");
    refused(&good[..good.find("root").unwrap()], 5, "the file ends without");
    refused(&good.replace("1 3 w", "01 3 w"), 4, "not a claim number");
    refused(&good.replace("1 3 w", "1 4 w"), 4, "not a position");
    refused(&good.replace("1 3 w", "1  3 w"), 4, "");
    let twice = "rex-certificate 1\nboard 1x3\nrules full\n2 3 w w pairs a1-c1\n2 3 w w pairs a1-c1\n";
    refused(&seal(twice, 2), 5, "must increase");
    let dropped = "rex-certificate 1\nboard 1x3\nrules full\n1 3 w w pairs a1-c1\ndrop 1\n2 3 w w worse 1\n";
    refused(&seal(dropped, 2), 6, "no claim 1");
    let tight = CheckLimits { line: 20, ..CheckLimits::default() };
    let error = check(good.as_bytes(), &tight, &mut |_, _| {}).unwrap_err();
    assert!(error.reason.contains("longer than 20 bytes"), "{error}");
    let forgetful = CheckLimits { live: 0, ..CheckLimits::default() };
    assert!(
        check(good.as_bytes(), &forgetful, &mut |_, _| {}).unwrap_err().reason.contains("claims in memory")
    );
}
