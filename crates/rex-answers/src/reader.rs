//! Certificates that were checked and can be read: claim by claim, with the rule and what it rests on; and played against.
//!
//! Whoever reads one starts at its root and goes from claim to premise. An image continues in other coordinates; so that the
//! board on the screen stays as it is, every claim is seen through a *view*, the symmetry that leads from the reader's
//! coordinates to those of the claim.

use std::sync::Arc;

use parking_lot::Mutex;
use rex_game::{Board, Cell, CellSet, Player, State, Symmetry};
use rex_proof::{
    Claim, ClaimId, Claims, DominatedBy, Place, Refutation, Report, Rule, Step, StrategyError, symmetry_word,
};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::BadInput;
use crate::answer::{names, versioned};
use crate::certificate::Checked;
use crate::notation::read_text;

/// Certificates by the digest that their last line names: the newest one, and before it as many as fit.
pub struct Shelf {
    most_bytes: u64,
    /// Most recently used last.
    kept: Mutex<Vec<(String, Arc<Certificate>)>>,
}

/// A certificate that was checked.
pub struct Certificate {
    claims: Claims,
    root: ClaimId,
}

/// Which claim, and how it is seen.
#[derive(Clone, Deserialize)]
pub struct ClaimRequest {
    /// The digest.
    certificate: String,
    /// The root if there is none.
    claim: Option<ClaimId>,
    /// The word for a symmetry.
    view: Option<String>,
}

/// A move of the loser in a game that the claim is about, and what the certificate replies.
#[derive(Clone, Deserialize)]
pub struct ReplyRequest {
    #[serde(flatten)]
    at: ClaimRequest,
    /// Where the game is, if it has gone on since the claim. That is so with pairs, which go on until the end.
    position: Option<String>,
    /// Her move; without one, it is the winner's turn.
    #[serde(rename = "move")]
    cell: Option<String>,
}

impl Shelf {
    /// A shelf for about this many bytes, and the newest certificate in any case.
    pub fn new(most_bytes: u64) -> Shelf {
        Shelf { most_bytes, kept: Mutex::default() }
    }

    /// The answer about a certificate that was checked. If its claims are there, it is kept, and the answer says under
    /// which name.
    pub fn answer(&self, checked: &Checked, claims: Option<Claims>) -> Value {
        let mut object = checked.json(None);
        if let Some(claims) = claims {
            object["certificate"] = checked.report.digest.clone().into();
            object["root"] = checked.report.root.into();
            self.keep(&checked.report, claims);
        }
        versioned(object)
    }

    fn keep(&self, report: &Report, claims: Claims) {
        let mut kept = self.kept.lock();
        kept.retain(|(digest, _)| *digest != report.digest);
        kept.push((report.digest.clone(), Arc::new(Certificate { claims, root: report.root })));
        let mut bytes: u64 = kept.iter().map(|(_, certificate)| certificate.claims.bytes()).sum();
        while kept.len() > 1 && bytes > self.most_bytes {
            bytes -= kept.remove(0).1.claims.bytes();
        }
    }

    /// Makes room for a certificate that is being checked: forgets all.
    pub fn clear(&self) {
        self.kept.lock().clear();
    }

    fn certificate(&self, digest: &str) -> Result<Arc<Certificate>, BadInput> {
        let mut kept = self.kept.lock();
        let at = kept.iter().position(|(other, _)| other == digest);
        let at = at.ok_or_else(|| BadInput::new("this certificate is no longer kept; open it again"))?;
        let found = kept.remove(at);
        let certificate = found.1.clone();
        kept.push(found);
        Ok(certificate)
    }

    /// What a claim says, and why.
    ///
    /// # Errors
    /// If there is no such claim.
    pub fn claim(&self, request: &ClaimRequest) -> Result<Value, BadInput> {
        let certificate = self.certificate(&request.certificate)?;
        let (claim, view) = certificate.find(request)?;
        Ok(versioned(certificate.describe(&claim, view)))
    }

    /// What the certificate replies to a move of the loser.
    ///
    /// # Errors
    /// If the move is not possible, or the certificate does not say.
    pub fn reply(&self, request: &ReplyRequest) -> Result<Value, BadInput> {
        let certificate = self.certificate(&request.at.certificate)?;
        certificate.reply(request).map(versioned)
    }
}

impl Certificate {
    fn find(&self, request: &ClaimRequest) -> Result<(Claim, View), BadInput> {
        let id = request.claim.unwrap_or(self.root);
        let claim = self.get(id)?;
        let board = self.claims.board();
        let word = request.view.as_deref().unwrap_or("identity");
        let symmetry = Symmetry::of(board).iter().copied().find(|symmetry| symmetry_word(*symmetry) == word);
        let symmetry = symmetry
            .ok_or_else(|| BadInput::new(format_args!("'{word}' is not a symmetry of the {board} board")))?;
        Ok((claim, View { board, symmetry }))
    }

    fn get(&self, id: ClaimId) -> Result<Claim, BadInput> {
        self.claims.get(id).ok_or_else(|| BadInput::new(format_args!("there is no claim {id}")))
    }

    fn describe(&self, claim: &Claim, view: View) -> Value {
        let state = view.state(&claim.state);
        let mut object = json!({
            "claim": claim.id,
            "view": symmetry_word(view.symmetry),
            "position": state.to_string(),
            "to_move": state.to_move.to_string(),
            "last": state.last().to_string(),
            "winner": view.player(claim.winner).to_string(),
            "rule": Rule::WORDS[claim.rule.index()],
        });
        let premise = |id: ClaimId, cell: Option<Cell>, symmetry: Symmetry| {
            let mut premise = json!({ "claim": id, "view": symmetry_word(symmetry) });
            match cell {
                Some(cell) => premise["move"] = view.name(cell).into(),
                None => {
                    let there =
                        self.claims.get(id).map(|there| View { symmetry, ..view }.state(&there.state));
                    premise["position"] = there.map(|state| state.to_string()).into();
                }
            }
            premise
        };
        let here = view.symmetry;
        let mut premises = Vec::new();
        match &claim.rule {
            Rule::Joined => {}
            Rule::Move(cell, id) => premises.push(premise(*id, Some(*cell), here)),
            Rule::All(answers) => {
                let (mut joins, mut dominated) = (CellSet::EMPTY, Vec::new());
                for (cell, answer) in answers {
                    match answer {
                        Refutation::Joins => joins.insert(view.cell(*cell)),
                        Refutation::Claim(id) => premises.push(premise(*id, Some(*cell), here)),
                        Refutation::Dominated(better, reason) => {
                            dominated.push(view.dominated(*cell, *better, reason));
                        }
                    }
                }
                object["joins"] = names(view.board, joins).into();
                object["dominated"] = dominated.into();
            }
            Rule::Pairs(pairs, key) => {
                object["pairs"] = view.pairs(pairs);
                object["key"] = key.map(|key| view.name(key)).into();
            }
            Rule::Mirror(symmetry) => object["symmetry"] = symmetry_word(*symmetry).into(),
            Rule::Image(symmetry, id) => {
                object["symmetry"] = symmetry_word(*symmetry).into();
                premises.push(premise(*id, None, here.then(*symmetry)));
            }
            Rule::Fill(steps, id) => {
                object["steps"] = steps.iter().map(|step| view.step(step)).collect::<Vec<_>>().into();
                premises.push(premise(*id, None, here));
            }
            Rule::Worse(id) => premises.push(premise(*id, None, here)),
        }
        object["premises"] = premises.into();
        object["line"] = claim.to_string().into();
        object
    }

    fn reply(&self, request: &ReplyRequest) -> Result<Value, BadInput> {
        let (claim, view) = self.find(&request.at)?;
        let start = view.state(&claim.state);
        let state = request.position.as_deref().map_or(Ok(start), read_text)?;
        if state.board() != view.board || !goes_on_from(&state, &start) {
            return Err(BadInput::new(format_args!("claim {} is not about this position", claim.id)));
        }
        let mut at =
            Place { state, winner: view.player(claim.winner), claim: claim.id, symmetry: view.symmetry };
        let look = |id| self.claims.get(id);
        if let Some(name) = &request.cell {
            let cell = view.board.cell_named(name);
            let cell = cell.ok_or_else(|| {
                BadInput::new(format_args!("'{name}' is not a cell of the {} board", view.board))
            })?;
            at.move_of_loser(cell, look).map_err(refused)?;
        }
        let over = at.state.position.winner().is_some();
        let cell = if over { None } else { Some(at.move_of_winner(look).map_err(refused)?) };
        Ok(json!({
            "claim": at.claim,
            "view": symmetry_word(at.symmetry),
            "position": at.state.to_string(),
            "to_move": at.state.to_move.to_string(),
            "move": cell.map(|cell| view.board.name(cell)),
            "winner": at.winner.to_string(),
        }))
    }
}

fn refused(error: StrategyError) -> BadInput {
    BadInput::new(error)
}

/// Whether a game that was in one state may be in the other after some moves.
fn goes_on_from(state: &State, start: &State) -> bool {
    let more = |player| start.position.stones(player).within(state.position.stones(player));
    Player::BOTH.into_iter().all(more) && state.last() == start.last()
}

/// How the reader sees a claim.
#[derive(Clone, Copy)]
struct View {
    board: Board,
    /// From the reader's coordinates to those of the claim.
    symmetry: Symmetry,
}

impl View {
    fn state(&self, state: &State) -> State {
        state.image(self.symmetry.inverse())
    }

    fn player(&self, player: Player) -> Player {
        self.symmetry.inverse().apply_to_player(player)
    }

    fn cell(&self, cell: Cell) -> Cell {
        self.symmetry.inverse().apply_to_cell(self.board, cell)
    }

    fn name(&self, cell: Cell) -> String {
        self.board.name(self.cell(cell))
    }

    fn pairs(&self, pairs: &[(Cell, Cell)]) -> Value {
        pairs.iter().map(|&(one, other)| json!([self.name(one), self.name(other)])).collect()
    }

    fn dominated(&self, cell: Cell, better: Cell, reason: &DominatedBy) -> Value {
        let mut object = json!({ "cell": self.name(cell), "better": self.name(better) });
        object["theorem"] = match reason {
            DominatedBy::Victim => 6,
            DominatedBy::Vulnerable => 7,
            DominatedBy::Captured(_) => 8,
        }
        .into();
        if let DominatedBy::Captured(pairs) = reason {
            object["pairs"] = self.pairs(pairs);
        }
        object
    }

    fn step(&self, step: &Step) -> Value {
        match step {
            Step::Dead(cells) => {
                let cells: CellSet = cells.into_iter().map(|cell| self.cell(cell)).collect();
                json!({ "kind": "dead", "cells": names(self.board, cells) })
            }
            Step::Captured(player, pairs) => {
                let player = self.player(*player).to_string();
                json!({ "kind": "captured", "player": player, "pairs": self.pairs(pairs) })
            }
            Step::Mutual(black, white) => {
                let mut object = Map::from_iter([("kind".to_owned(), "mutual".into())]);
                let cells = [(Player::Black, black.0), (Player::White, white.0)];
                for player in Player::BOTH {
                    let found = cells.iter().find(|(owner, _)| self.player(*owner) == player);
                    object.extend(found.map(|(_, cell)| (player.to_string(), self.name(*cell).into())));
                }
                object.into()
            }
        }
    }
}

#[cfg(test)]
mod tests;
