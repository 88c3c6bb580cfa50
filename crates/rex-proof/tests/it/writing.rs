//! The writer: what it writes is what was read, less what the root does not need.

use std::path::{Path, PathBuf};

use rex_proof::{CheckLimits, Claim, Rule, Written, check, open, seal, write};

fn docs(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/proofs/7x7").join(name)
}

fn claims(text: &str) -> Vec<Claim> {
    let mut claims = Vec::new();
    check(text.as_bytes(), &CheckLimits::default(), &mut |claim, _| claims.push(claim.clone())).unwrap();
    claims
}

fn written(claims: Vec<Claim>, explicit: bool, root: u32) -> (String, Written) {
    let mut out = Vec::new();
    let written = write(&mut out, claims[0].state.board(), explicit, claims, root, &[]).unwrap();
    (String::from_utf8(out).unwrap(), written)
}

fn text(path: &Path) -> String {
    let mut text = String::new();
    std::io::Read::read_to_string(&mut open(path).unwrap(), &mut text).unwrap();
    text
}

/// The files were written by the program: thousands of claims, all rules but the mirror, drops, and an explicit one.
#[test]
fn what_was_written_is_written_again() {
    for (name, explicit) in [("d1.cert.zst", false), ("d4.cert", true)] {
        let text = text(&docs(name));
        let claims = claims(&text);
        let count = claims.len() as u32;
        let (again, written) = written(claims, explicit, count);
        assert!(again == text, "{name}");
        assert_eq!(written, Written { claims: u64::from(count), bytes: text.len() as u64 });
    }
}

/// Numbers with gaps, claims that nobody refers to, and claims after the root.
#[test]
fn the_claims_that_the_root_needs_get_new_numbers() {
    let header = "rex-certificate 1\nboard 2x2\nrules full\n";
    let (forced, image, moved) =
        ("wb/1w w b all a2=joins", "b1/wb b w image transpose 3", "w1/1w b b move b1");
    let all = seal(&format!("{header}3 {forced}\n5 {image}\n8 {moved} 3\n"), 8);
    let (some, count) = written(claims(&all), false, 8);
    assert_eq!(some, seal(&format!("{header}1 {forced}\n2 {moved} 1\n"), 2));
    assert_eq!(count, Written { claims: 2, bytes: some.len() as u64 });
    let (first, _) = written(claims(&all), false, 3);
    assert_eq!(first, seal(&format!("{header}1 {forced}\n"), 1));
}

#[test]
#[should_panic(expected = "a claim refers to earlier ones")]
fn a_claim_that_refers_to_itself_is_not_written() {
    let mut claims = claims(&seal("rex-certificate 1\nboard 1x3\nrules full\n1 3 w w pairs a1-c1\n", 1));
    claims[0].rule = Rule::Worse(1);
    written(claims, false, 1);
}
