//! The example of `docs/certificate.md` is a certificate.

use rex_proof::{CheckLimits, check};

#[test]
fn the_worked_example_is_a_proof() {
    let page = include_str!("../../../../docs/certificate.md");
    let start = page.find("rex-certificate 1\nboard").expect("there is an example");
    let example = &page[start..];
    let example = &example[..example.find("```").expect("the example ends")];
    let report = check(example.as_bytes(), &CheckLimits::default(), &mut |_, _| {}).expect("it is a proof");
    assert_eq!(report.state.to_string(), "3/3/3 w");
    assert_eq!(report.winner, rex_game::Player::Black);
}
