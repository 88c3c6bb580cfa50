//! The checker: one pass over the lines. It remembers the claims that later ones may still refer to.

use std::collections::HashMap;
use std::io::BufRead;

use rex_game::{Board, Cell, CellSet, Player, Position, State, Symmetry};

use crate::claim::{Claim, ClaimId, DominatedBy, Refutation, Rule, Step};
use crate::filling::Filling;
use crate::pairing::forces_a_join;
use crate::parse;
use crate::read::{CheckError, Lines};

/// The first line of every certificate.
pub(crate) const MAGIC: &str = "rex-certificate 1";

/// Limits on what a check may use.
#[derive(Clone, Copy, Debug)]
pub struct CheckLimits {
    /// The most bytes in a line.
    pub line: usize,
    /// The most claims to remember at a time. Each takes some 100 bytes, or 150 while the memory grows.
    pub live: usize,
}

impl Default for CheckLimits {
    fn default() -> CheckLimits {
        CheckLimits { line: 1 << 14, live: 4_000_000 }
    }
}

/// What a certificate proves, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The state.
    pub state: State,
    /// Who wins it.
    pub winner: Player,
    /// The claim that says so.
    pub root: ClaimId,
    /// Whether only joins, moves, pairs and images were allowed (`rules explicit`).
    pub explicit: bool,
    /// Who wins after each move, if the claims that were not dropped say it for every move.
    pub moves: Vec<(Cell, Player)>,
    /// The number of claims.
    pub claims: u64,
    /// The number of claims by each rule, in the order of [`Rule::WORDS`].
    pub by_rule: [u64; Rule::WORDS.len()],
    /// Bytes of text.
    pub bytes: u64,
    /// The most claims remembered at a time.
    pub most_live: usize,
    /// The SHA-256 of all lines but the last, which names it.
    pub digest: String,
}

impl Report {
    /// A line for each player that says after which moves she wins, if that is known for every move.
    pub fn moves_in_words(&self) -> String {
        let board = self.state.board();
        let after = |player: Player| {
            let moves = self.moves.iter().filter(|(_, winner)| *winner == player);
            let names: Vec<String> = moves.map(|(cell, _)| board.name(*cell)).collect();
            if names.is_empty() {
                String::new()
            } else {
                format!("{player} wins after: {}\n", names.join(" "))
            }
        };
        Player::BOTH.map(after).concat()
    }

    /// The rules that were used, each with the number of its claims.
    pub fn rules_used(&self) -> impl Iterator<Item = (&'static str, u64)> {
        Rule::WORDS.into_iter().zip(self.by_rule).filter(|(_, count)| *count > 0)
    }
}

/// Checks a certificate. Calls `watch` with each claim that holds and the number of bytes read so far.
///
/// # Errors
/// If it is not a proof: the first line that is wrong, and why.
pub fn check(
    input: impl BufRead,
    limits: &CheckLimits,
    watch: &mut dyn FnMut(&Claim, u64),
) -> Result<Report, CheckError> {
    let mut checking = Checking::new(input, limits)?;
    loop {
        match checking.go_on()? {
            Advance::Claim(claim) => watch(&claim, checking.bytes()),
            Advance::Proof(report) => return Ok(report),
        }
    }
}

/// What a [`Checking`] has come to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Advance {
    /// One more claim holds.
    Claim(Claim),
    /// The certificate ends here, and is a proof.
    Proof(Report),
}

/// A check that goes on from claim to claim, for those who have other things to do in between.
pub struct Checking<R> {
    lines: Lines<R>,
    limits: CheckLimits,
    board: Board,
    checker: Checker,
    by_rule: [u64; Rule::WORDS.len()],
    most_live: usize,
}

impl<R: BufRead> Checking<R> {
    /// Reads the header of a certificate.
    ///
    /// # Errors
    /// If it has none.
    pub fn new(input: R, limits: &CheckLimits) -> Result<Checking<R>, CheckError> {
        let mut lines = Lines::new(input, limits.line);
        let (board, explicit) = read_header(&mut lines).map_err(|reason| lines.error(reason))?;
        let checker = Checker { explicit, live: HashMap::new(), last_id: 0 };
        let by_rule = [0; Rule::WORDS.len()];
        Ok(Checking { lines, limits: *limits, board, checker, by_rule, most_live: 0 })
    }

    /// The board of the certificate.
    pub fn board(&self) -> Board {
        self.board
    }

    /// The bytes of text read so far.
    pub fn bytes(&self) -> u64 {
        self.lines.bytes()
    }

    /// Checks the next claim, or the end. Not to be called after that.
    ///
    /// # Errors
    /// If it does not hold.
    pub fn go_on(&mut self) -> Result<Advance, CheckError> {
        self.next().map_err(|reason| self.lines.error(reason))
    }

    fn next(&mut self) -> Result<Advance, String> {
        let Checking { lines, checker, .. } = self;
        let root = loop {
            let line = lines.next()?.ok_or("the file ends without 'root' and 'sha256' lines")?;
            if let Some(ids) = line.strip_prefix("drop ") {
                checker.forget(ids)?;
            } else if let Some(id) = line.strip_prefix("root ") {
                break parse::number(id)?;
            } else {
                let claim = parse::claim(self.board, line)?;
                checker.verify(&claim)?;
                if checker.live.len() >= self.limits.live {
                    return Err(format!("more than {} claims in memory at once", self.limits.live));
                }
                checker.remember(&claim);
                self.by_rule[claim.rule.index()] += 1;
                self.most_live = self.most_live.max(checker.live.len());
                return Ok(Advance::Claim(claim));
            }
        };
        let Remembered { state, winner } = checker.known(root)?;
        let digest = lines.digest();
        let line = lines.next()?.ok_or("the 'sha256' line is missing")?;
        if line.strip_prefix("sha256 ") != Some(digest.as_str()) {
            return Err(format!("the digest does not match: the text above has sha256 {digest}"));
        }
        if lines.next()?.is_some() {
            return Err("text after the end of the certificate".to_owned());
        }
        Ok(Advance::Proof(Report {
            state,
            winner,
            root,
            explicit: checker.explicit,
            moves: checker.moves(&state),
            claims: self.by_rule.iter().sum(),
            by_rule: self.by_rule,
            bytes: lines.bytes(),
            most_live: self.most_live,
            digest,
        }))
    }
}

/// The board, and whether only explicit rules are allowed.
fn read_header(lines: &mut Lines<impl BufRead>) -> Result<(Board, bool), String> {
    let mut header =
        |expected: &str| lines.next()?.map(str::to_owned).ok_or_else(|| format!("expected '{expected}'"));
    if header(MAGIC)? != MAGIC {
        return Err(format!("not a certificate: the first line is not '{MAGIC}'"));
    }
    let board = board(&header("board ROWSxCOLUMNS")?)?;
    match header("rules full")?.as_str() {
        "rules full" => Ok((board, false)),
        "rules explicit" => Ok((board, true)),
        other => Err(format!("found '{other}'; expected 'rules full' or 'rules explicit'")),
    }
}

fn board(line: &str) -> Result<Board, String> {
    let bad = || format!("found '{line}'; expected a board such as 'board 6x6'");
    let (rows, cols) = line.strip_prefix("board ").and_then(|size| size.split_once('x')).ok_or_else(bad)?;
    let size = |text: &str| parse::number(text).ok().and_then(|n| usize::try_from(n).ok()).ok_or_else(bad);
    Board::new(size(rows)?, size(cols)?).map_err(|error| format!("{}: {error}", bad()))
}

/// What the checker remembers of a claim.
#[derive(Clone, Copy)]
struct Remembered {
    state: State,
    winner: Player,
}

struct Checker {
    explicit: bool,
    live: HashMap<ClaimId, Remembered>,
    last_id: ClaimId,
}

impl Checker {
    fn known(&self, id: ClaimId) -> Result<Remembered, String> {
        self.live.get(&id).copied().ok_or_else(|| format!("there is no claim {id}, or it was dropped"))
    }

    fn remember(&mut self, claim: &Claim) {
        self.last_id = claim.id;
        self.live.insert(claim.id, Remembered { state: claim.state, winner: claim.winner });
    }

    /// Who wins after each move. Empty if that is not known for every move.
    fn moves(&self, state: &State) -> Vec<(Cell, Player)> {
        let claimed: HashMap<State, Player> =
            self.live.values().map(|claim| (claim.state, claim.winner)).collect();
        let outcome = |cell| {
            let after = state.play(cell);
            let winner = after.position.winner().or_else(|| claimed.get(&after).copied());
            winner.map(|winner| (cell, winner))
        };
        state.moves().into_iter().map(outcome).collect::<Option<_>>().unwrap_or_default()
    }

    fn forget(&mut self, ids: &str) -> Result<(), String> {
        for id in ids.split(' ') {
            let id = parse::number(id)?;
            self.live.remove(&id).ok_or_else(|| format!("there is no claim {id} to drop"))?;
        }
        Ok(())
    }

    /// Checks that a claim follows from those before it.
    fn verify(&self, claim: &Claim) -> Result<(), String> {
        if claim.id <= self.last_id {
            return Err(format!("claim numbers must increase, but {} follows {}", claim.id, self.last_id));
        }
        let (state, winner, loser) = (&claim.state, claim.winner, !claim.winner);
        let over = state.position.winner();
        if let Rule::Joined = claim.rule {
            return ensure(over == Some(winner), || format!("{loser} has not connected her sides"));
        }
        // From here on there are empty cells, and the game goes on.
        ensure(over.is_none(), || "the game is over, so only the rule 'joined' applies".to_owned())?;
        let allowed = match &claim.rule {
            Rule::All(answers) => {
                !answers.iter().any(|(_, answer)| matches!(answer, Refutation::Dominated(..)))
            }
            rule => matches!(rule, Rule::Move(..) | Rule::Pairs(..) | Rule::Image(..)),
        };
        ensure(allowed || !self.explicit, || "'rules explicit' does not allow this".to_owned())?;
        match &claim.rule {
            Rule::Joined => Ok(()),
            Rule::Move(cell, id) => {
                ensure(state.to_move == winner, || {
                    format!("'move' needs {winner} to move, but it is {loser}'s turn")
                })?;
                self.expect_after(state, *cell, winner, *id)
            }
            Rule::All(answers) => {
                ensure(state.to_move == loser, || {
                    format!("'all' needs {loser} to move, but it is {winner}'s turn")
                })?;
                self.all(state, winner, answers)
            }
            Rule::Pairs(pairs, key) => {
                ensure(key.is_none() || state.last() == loser, || {
                    format!("a key needs {loser} to be Last, but {winner} is")
                })?;
                ensure(forces_a_join(&state.position, loser, pairs, *key), || {
                    format!("the pairs do not force {loser} to connect, or it takes too long to tell")
                })
            }
            Rule::Mirror(reflection) => self.mirror(state, winner, *reflection),
            Rule::Image(symmetry, id) => {
                self.expect(*id, &state.image(*symmetry), symmetry.apply_to_player(winner))
            }
            Rule::Fill(steps, id) => self.fill(state, winner, steps, *id),
            Rule::Worse(id) => self.worse(state, winner, *id),
        }
    }

    /// Checks that claim `id` says that `winner` wins `state`.
    fn expect(&self, id: ClaimId, state: &State, winner: Player) -> Result<(), String> {
        let known = self.known(id)?;
        ensure(known.winner == winner && known.state == *state, || {
            format!("claim {id} does not say that {winner} wins {state}")
        })
    }

    /// Checks that claim `id` says that `winner` wins after this move.
    fn expect_after(&self, state: &State, cell: Cell, winner: Player, id: ClaimId) -> Result<(), String> {
        ensure(state.position.empty().has(cell), || format!("{} is not empty", state.board().name(cell)))?;
        self.expect(id, &state.play(cell), winner)
    }

    fn all(&self, state: &State, winner: Player, answers: &[(Cell, Refutation)]) -> Result<(), String> {
        let loser = !winner;
        let name = |cell| state.board().name(cell);
        let mut answered = CellSet::EMPTY;
        for (cell, answer) in answers {
            let empty = state.position.empty();
            ensure(empty.has(*cell), || format!("{} is not empty", name(*cell)))?;
            ensure(!answered.has(*cell), || format!("{} is answered twice", name(*cell)))?;
            match answer {
                Refutation::Joins => {
                    let joins = state.play(*cell).position.joined(loser);
                    ensure(joins, || format!("{} does not connect {loser}'s sides", name(*cell)))?;
                }
                Refutation::Claim(id) => self.expect_after(state, *cell, winner, *id)?,
                Refutation::Dominated(better, reason) => {
                    ensure(answered.has(*better), || format!("{} is not answered earlier", name(*better)))?;
                    ensure(prefers(state, *better, *cell, reason), || {
                        format!("{} is not shown to be as good as {}", name(*better), name(*cell))
                    })?;
                }
            }
            answered.insert(*cell);
        }
        let missing = (state.position.empty() - answered).first();
        missing.map_or(Ok(()), |cell| Err(format!("{} is not answered", name(cell))))
    }

    fn mirror(&self, state: &State, winner: Player, reflection: Symmetry) -> Result<(), String> {
        let (last, stones) = (state.last(), |player| state.position.stones(player));
        ensure(reflection.swaps_colours(), || "this symmetry does not swap the colours".to_owned())?;
        ensure(winner != last, || format!("'mirror' needs {winner} to be Notlast, but {winner} is Last"))?;
        let image = reflection.apply(state.board(), stones(winner));
        ensure(image.within(stones(last)), || {
            format!("a stone of {winner} has no mirror image among the stones of {last}")
        })
    }

    fn fill(&self, state: &State, winner: Player, steps: &[Step], id: ClaimId) -> Result<(), String> {
        let mut filling = Filling::new(&state.position);
        for (i, step) in steps.iter().enumerate() {
            let next = match step {
                Step::Dead(cells) => filling.settle(*cells),
                Step::Captured(player, pairs) => filling.capture(*player, pairs),
                Step::Mutual(black, white) => filling.mutual(*black, *white),
            };
            filling = next.ok_or_else(|| format!("step {} of the fill-in does not hold", i + 1))?;
        }
        let known = self.position_like(id, state, winner)?;
        ensure(filling.agrees_with(&known), || format!("claim {id} is not about the filled position"))
    }

    /// The position of claim `id`, which must have this winner and the same Last as `state`.
    fn position_like(&self, id: ClaimId, state: &State, winner: Player) -> Result<Position, String> {
        let known = self.known(id)?;
        ensure(known.winner == winner, || format!("claim {id} has a different winner"))?;
        ensure(known.state.last() == state.last(), || format!("claim {id} has a different Last"))?;
        Ok(known.state.position)
    }

    fn worse(&self, state: &State, winner: Player, id: ClaimId) -> Result<(), String> {
        let there = self.position_like(id, state, winner)?;
        let here = &state.position;
        let worse = here.stones(winner).within(there.stones(winner))
            && there.stones(!winner).within(here.stones(!winner));
        ensure(worse, || format!("claim {id} is not worse for {winner} on every cell"))
    }
}

/// Whether `better` is shown to be at least as good as `cell` for the side to move.
fn prefers(state: &State, better: Cell, cell: Cell, reason: &DominatedBy) -> bool {
    let mover = state.to_move;
    if better == cell {
        return false;
    }
    let filling = Filling::new(&state.position);
    match reason {
        DominatedBy::Victim => filling.with(cell, mover).settle(better.set()).is_some(),
        DominatedBy::Vulnerable => filling.with(cell, !mover).settle(better.set()).is_some(),
        DominatedBy::Captured(pairs) => {
            pairs.iter().any(|&(one, other)| one == better || other == better)
                && filling.with(cell, mover).capture(mover, pairs).is_some()
        }
    }
}

fn ensure(holds: bool, otherwise: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(otherwise()) }
}
