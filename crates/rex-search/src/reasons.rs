//! Why positions are decided.
//!
//! A solved position is one instance of a statement: *with this Last, whoever has at least these stones, while her
//! opponent has none on those cells, loses*. Such a [`Reason`] decides every position that is at least as good for the
//! winner, cell by cell, whoever moves (`docs/theory.md`, "Monotonicity" and "Reasons").
//!
//! All threads write what they learn to one [`Log`]. Each has [`Reasons`] of its own, an index of the log that takes no
//! lock to ask.

use std::io::Read;

use rex_game::{Board, Cell, CellSet, Player};
use rex_theory::Field;
use rex_theory::pairing::Pairing;

use crate::checkpoint::{CheckpointError, Reader};
use crate::known::{Node, Part, Solved};

mod index;
mod log;
#[cfg(test)]
mod tests;

pub(crate) use index::Index;
pub(crate) use log::Log;

/// A statement: if Last is this player, the part `loser` loses every position where she has the stones `need` and her
/// opponent has none on `forbid`. What is needed is forbidden, too.
///
/// One that comes from a pairing says more. The winner may have a cell of a pair if the loser has the other one. And Last may
/// lack one of the stones: that cell is then the key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reason {
    /// Who is Last.
    pub last: Player,
    /// Who loses.
    pub loser: Part,
    /// The loser's stones.
    pub need: CellSet,
    /// Where the winner has no stone.
    pub forbid: CellSet,
    /// The pairs, if it comes from a pairing.
    pub pairs: Option<Pairs>,
}

/// In how many pairs the winner may have a cell. With more, a reason says little that others do not, and takes longer to ask.
const MOST_BROKEN: usize = 2;

/// Pairs of cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pairs {
    /// All of their cells.
    cells: CellSet,
    /// For each of them, the number of the other one.
    mates: [u8; 64],
}

impl Pairs {
    fn new(pairs: impl IntoIterator<Item = (Cell, Cell)>) -> Pairs {
        let mut all = Pairs { cells: CellSet::EMPTY, mates: [0; 64] };
        for (one, other) in pairs {
            all.cells = all.cells.with(one).with(other);
            all.mates[one.index()] = other.index() as u8;
            all.mates[other.index()] = one.index() as u8;
        }
        all
    }

    fn mate(&self, cell: Cell) -> Cell {
        Cell::new(self.mates[cell.index()].into())
    }

    /// Each pair once.
    fn each(&self) -> impl Iterator<Item = (Cell, Cell)> {
        let mates = self.cells.into_iter().map(|cell| (cell, self.mate(cell)));
        mates.filter(|(cell, mate)| cell < mate)
    }
}

impl Reason {
    /// What a field that `loser` loses says of others: she has her stones, and the winner no more than she has there.
    /// Settled cells are dead, so the winner may have those.
    pub fn of_field(field: &Field, loser: Part) -> Reason {
        let player = loser.player(field.last);
        let forbid = field.board.cells() - field.stones[(!player).index()];
        Reason { last: field.last, loser, need: field.own(player), forbid, pairs: None }
    }

    /// What a pairing that makes `loser` join says of others: she has the stones it needs, the key among them, and the
    /// winner none of these. A pairing with a key must be one of Last's. `None` if she is not joined by her own stones.
    pub fn of_pairing(field: &Field, loser: Part, pairing: &Pairing) -> Option<Reason> {
        let player = loser.player(field.last);
        let stones = pairing.stones_needed(field.board, player, field.own(player))?;
        let need = stones | pairing.key.map_or(CellSet::EMPTY, Cell::set);
        let pairs = Some(Pairs::new(pairing.pairs().iter().copied()));
        Some(Reason { last: field.last, loser, need, forbid: need, pairs })
    }

    /// The cells of its pairs.
    fn paired(&self) -> CellSet {
        self.pairs.map_or(CellSet::EMPTY, |pairs| pairs.cells)
    }

    /// How many of the stones she may lack.
    fn spare(&self) -> usize {
        usize::from(self.pairs.is_some() && self.loser == Part::Last)
    }

    /// The cells that the loser lacks, if she has these stones and the winner those: of the needed ones, and of pairs
    /// whose other cell is the winner's. `None` if the winner has one that she may not have, or if more are lacking than the
    /// loser could make up for by a move.
    fn lacking(&self, losers: CellSet, winners: CellSet) -> Option<CellSet> {
        if winners.meets(self.forbid) {
            return None;
        }
        let mut lacking = self.need - losers;
        if let Some(pairs) = &self.pairs {
            let broken = pairs.cells & winners;
            if broken.len() > MOST_BROKEN {
                return None;
            }
            for cell in broken {
                let mate = pairs.mate(cell);
                if winners.has(mate) {
                    return None;
                }
                lacking |= mate.set() - losers;
            }
        }
        (lacking.len() <= self.spare() + 1).then_some(lacking)
    }

    /// Whether it decides a position where so many cells are lacking.
    fn is_enough(&self, lacking: CellSet) -> bool {
        lacking.len() <= self.spare()
    }

    /// The moves of the winner, who has these stones, after which the loser would lack no more than she does.
    fn spared(&self, losers: CellSet, winners: CellSet, empty: CellSet, lacking: CellSet) -> CellSet {
        let free = empty - self.forbid - lacking;
        let Some(pairs) = &self.pairs else { return free };
        let may_break = (pairs.cells & winners).len() < MOST_BROKEN;
        let spoils = |&cell: &Cell| !may_break || !losers.has(pairs.mate(cell));
        (free & pairs.cells).into_iter().filter(spoils).fold(free, CellSet::without)
    }

    /// What it says of positions like one in which the winner has these stones and the loser lacks those: without
    /// exceptions.
    fn narrowed(&self, winners: CellSet, lacking: CellSet) -> Reason {
        let Some(pairs) = &self.pairs else { return *self };
        let broken = pairs.cells & winners;
        let need = broken.into_iter().fold(self.need, |need, cell| need.with(pairs.mate(cell)));
        let forbid = need | (pairs.cells - broken);
        Reason { need: need - lacking, forbid, pairs: None, ..*self }
    }

    /// The pairing by which it decides a field, if it comes from one.
    pub fn pairing(&self, field: &Field) -> Option<Pairing> {
        let player = self.loser.player(self.last);
        let (losers, winners) = (field.stones[player.index()], field.own(!player));
        let pairs = self.pairs.as_ref()?;
        let lacking = self.lacking(losers, winners).filter(|&lacking| self.is_enough(lacking))?;
        let mut pairing = Pairing::new(lacking.first());
        let whole = |&(one, other): &(Cell, Cell)| field.empty().has(one) && field.empty().has(other);
        pairs.each().filter(whole).for_each(|(one, other)| pairing.push(one, other));
        Some(pairing)
    }

    /// The fields that are worst for the winner among those it decides, as long as no pair is broken.
    pub fn worst(&self, board: Board) -> impl Iterator<Item = Field> {
        let player = self.loser.player(self.last);
        let winners = board.cells() - self.forbid - self.paired();
        let spare = if self.spare() > 0 { self.need } else { CellSet::EMPTY };
        let lacking: Vec<_> = match spare.is_empty() {
            true => vec![CellSet::EMPTY],
            false => spare.into_iter().map(Cell::set).collect(),
        };
        let (last, need) = (self.last, self.need);
        lacking.into_iter().map(move |lacking| {
            let mut stones = [need - lacking; 2];
            stones[(!player).index()] = winners;
            Field { board, stones, last }
        })
    }

    /// What it says after half a turn of the board.
    pub fn rotated(&self, board: Board) -> Reason {
        let turned = |cell: Cell| Cell::new(board.len() - 1 - cell.index());
        let pairs =
            self.pairs.map(|pairs| Pairs::new(pairs.each().map(|(one, other)| (turned(one), turned(other)))));
        Reason { need: board.rotated(self.need), forbid: board.rotated(self.forbid), pairs, ..*self }
    }

    /// Writes it for a checkpoint, without its kind: 8 bytes each for the cells it needs and those it forbids, the number of its
    /// pairs (255: it comes from none), two bytes for each of them, and how often it was of use.
    fn save(&self, uses: u8, out: &mut Vec<u8>) {
        out.extend([self.need, self.forbid].map(|cells| cells.bits().to_le_bytes()).as_flattened());
        match &self.pairs {
            None => out.push(u8::MAX),
            Some(pairs) => {
                out.push(pairs.each().count() as u8);
                out.extend(pairs.each().flat_map(|(one, other)| [one, other]).map(|cell| cell.index() as u8));
            }
        }
        out.push(uses);
    }

    /// Reads a reason of this kind back, and how often it was of use.
    fn load(
        board: Board,
        last: Player,
        loser: Part,
        input: &mut Reader<impl Read>,
    ) -> Result<(Reason, u8), CheckpointError> {
        let (need, forbid) = (input.cells(board)?, input.cells(board)?);
        let pairs = match input.byte()? {
            u8::MAX => None,
            count => {
                let pair = |_| Ok((input.cell(board)?, input.cell(board)?));
                Some(Pairs::new((0..count).map(pair).collect::<Result<Vec<_>, CheckpointError>>()?))
            }
        };
        Ok((Reason { last, loser, need, forbid, pairs }, input.byte()?))
    }

    /// Whether it decides a field.
    fn decides(&self, field: &Field) -> bool {
        let player = self.loser.player(self.last);
        let lacking = || self.lacking(field.stones[player.index()], field.own(!player));
        self.last == field.last && lacking().is_some_and(|lacking| self.is_enough(lacking))
    }

    /// Its place among the four kinds: by Last and by loser.
    fn kind(last: Player, loser: Part) -> usize {
        2 * last.index() + usize::from(loser == Part::Notlast)
    }
}

impl Solved {
    /// Whether a node has the same winner because it is this one, or at least as good for the winner cell by cell.
    pub fn decides(&self, board: Board, node: &Node) -> bool {
        let reason = Reason::of_field(&self.node.field(board), self.winner.other());
        let field = node.field(board);
        reason.decides(&field) || reason.rotated(board).decides(&field)
    }
}

/// The reasons that a thread knows.
#[derive(Clone)]
pub struct Reasons {
    board: Board,
    by_kind: [Index; 4],
    /// How many blocks of reasons there is still room for.
    blocks_left: usize,
    /// How many reasons of the log it has heard.
    heard: usize,
}

/// For each move: the opponent's answers that a reason decides against her.
pub type Answers = [CellSet; 64];

/// What reasons say of a field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Asked {
    /// A reason that decides it, narrowed to positions like this one.
    pub decided: Option<Reason>,
    /// The moves of the loser after which one would.
    pub struck: CellSet,
}

impl Reasons {
    /// The fewest blocks it can work with: one for each kind.
    pub const FEWEST: usize = 4;

    /// Room for this many blocks of reasons.
    pub fn new(board: Board, blocks: usize) -> Reasons {
        let by_kind = [(); 4].map(|()| Index::new(board.len()));
        Reasons { board, by_kind, blocks_left: blocks.max(Reasons::FEWEST), heard: 0 }
    }

    /// Writes them for a checkpoint: for each kind how many there are, and the reasons.
    pub fn save(&self, out: &mut Vec<u8>) {
        self.by_kind.iter().for_each(|index| index.save(out));
    }

    /// Reads them back. With less room the latest of each kind stay.
    pub fn load(&mut self, input: &mut Reader<impl Read>) -> Result<(), CheckpointError> {
        for last in Player::BOTH {
            for loser in [Part::Last, Part::Notlast] {
                let (count, hand) = (input.word()?, input.word()?);
                for _ in 0..count {
                    let (reason, uses) = Reason::load(self.board, last, loser, input)?;
                    self.add(&reason, uses);
                }
                self.by_kind[Reason::kind(last, loser)].set_hand(hand as usize);
            }
        }
        Ok(())
    }

    /// Adds a reason that was of use so often.
    fn add(&mut self, reason: &Reason, uses: u8) {
        // A block is kept back for each kind that has none yet.
        let may_grow = self.blocks_left > self.by_kind.iter().filter(|index| index.is_empty()).count();
        let index = &mut self.by_kind[Reason::kind(reason.last, reason.loser)];
        self.blocks_left -= usize::from(index.insert(reason, uses, may_grow));
    }

    /// The share of its room that is in use, in thousandths.
    pub fn fill_permille(&self) -> u32 {
        let used: usize = self.by_kind.iter().map(Index::len).sum();
        let room = self.by_kind.iter().map(Index::room).sum::<usize>() + Index::BLOCK * self.blocks_left;
        (used * 1000 / room) as u32
    }

    /// Takes over what the log has that is new.
    pub fn catch_up(&mut self, log: &Log) {
        self.heard = log.since(self.heard, |_, reason| {
            let rotated = reason.rotated(self.board);
            for image in [Some(reason), (rotated != *reason).then_some(&rotated)].into_iter().flatten() {
                self.add(image, 0);
            }
        });
    }

    /// Whether a reason decides a field against `loser`. If not, which moves of hers one would decide.
    pub fn ask(&mut self, field: &Field, loser: Part) -> Asked {
        let player = loser.player(field.last);
        let index = &mut self.by_kind[Reason::kind(field.last, loser)];
        let (decided, struck) = index.ask(field.stones[player.index()], field.own(!player), field.empty());
        // Where it is decided, not all of the moves were looked for.
        Asked { decided, struck: if decided.is_some() { CellSet::EMPTY } else { struck } }
    }

    /// Whether a reason decides a field against `loser`. If not: for each move of the winner, the answers of hers that
    /// one would decide.
    pub fn ask_answers(&mut self, field: &Field, loser: Part) -> (bool, Answers) {
        let player = loser.player(field.last);
        let index = &mut self.by_kind[Reason::kind(field.last, loser)];
        let mut after = [CellSet::EMPTY; 64];
        let decided =
            index.answers(field.stones[player.index()], field.own(!player), field.empty(), &mut after);
        (decided.is_some(), after)
    }

    /// A reason that decides a field against `loser`, narrowed to positions like it.
    pub fn decide(&mut self, field: &Field, loser: Part) -> Option<Reason> {
        let player = loser.player(field.last);
        let index = &mut self.by_kind[Reason::kind(field.last, loser)];
        index.decide(field.stones[player.index()], field.own(!player))
    }
}
