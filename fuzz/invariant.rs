//! What holds whatever the bytes of a certificate are. The fuzz target tries it with bytes of its own making, an
//! ordinary test of `rex-proof` with those of `corpus`.

use std::io::Cursor;
use std::sync::OnceLock;

use rex_game::Board;
use rex_oracle::Oracle;
use rex_proof::{CheckLimits, check, seal, unpack};

/// Boards on which everything is known. Small ones, so that a run starts at once.
const BOARDS: [(usize, usize); 3] = [(2, 2), (3, 3), (3, 4)];

/// The checker comes to an end without a panic, and what it accepts is true. Since no bytes would ever have the right
/// digest by chance, text is also tried with a new end.
pub fn holds_for(bytes: &[u8]) {
    accepted_is_true(bytes);
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let (body, end) = match text.rfind("\nroot ") {
        Some(at) => (&text[..=at], text[at..].lines().nth(1)),
        None => (text, None),
    };
    let named = end.and_then(|line| line.strip_prefix("root ")).and_then(|id| id.parse().ok());
    let last = || body.lines().rev().find_map(|line| line.split(' ').next()?.parse().ok());
    if let Some(root) = named.or_else(last) {
        accepted_is_true(seal(body, root).as_bytes());
    }
}

fn accepted_is_true(bytes: &[u8]) {
    let text = unpack(Cursor::new(bytes.to_vec())).expect("bytes in memory can be read");
    // Fewer claims than by default, so that the limit is met.
    let limits = CheckLimits { live: 100, ..CheckLimits::default() };
    if let Ok(report) = check(text, &limits, &mut |_, _| {})
        && let Some(oracle) = oracle(report.state.board())
    {
        assert_eq!(report.winner, oracle.winner(&report.state), "{}", report.state);
    }
}

fn oracle(board: Board) -> Option<&'static Oracle> {
    static ORACLES: OnceLock<Vec<Oracle>> = OnceLock::new();
    let oracles = ORACLES.get_or_init(|| {
        let board = |(rows, cols)| Board::new(rows, cols).expect("a small board");
        BOARDS.map(|size| Oracle::new(board(size))).into()
    });
    oracles.iter().find(|oracle| oracle.board() == board)
}
