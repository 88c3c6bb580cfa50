//! Games from Little Golem.
//!
//! Its files give the first move to `W`, who owns top and bottom: what everybody else calls Black. So we change the two
//! names as we read such a file. From then on `B` and `W` have one meaning. Its `swap` mirrors the stone, as `swap-pieces`
//! does everywhere.

use super::{Collection, Property, SgfNode, SgfNodeData};
use crate::Player;

/// Properties that belong to a player, Black's before White's.
const OWNED: [(&str, &str); 4] = [("B", "W"), ("PB", "PW"), ("AB", "AW"), ("BR", "WR")];

impl Collection {
    /// Changes the names of the players in games from Little Golem.
    pub(super) fn settle_players(&mut self) {
        for index in 0..self.roots.len() {
            let root = self.roots[index];
            if !self.nodes[root.0].comes_from_little_golem() || self.first_mover(root) != Some(Player::White)
            {
                continue;
            }
            let mut next = vec![root];
            while let Some(node) = next.pop() {
                next.extend(&self.nodes[node.0].children);
                self.nodes[node.0].properties.iter_mut().for_each(Property::change_player);
            }
        }
    }

    fn first_mover(&self, root: SgfNode) -> Option<Player> {
        let mut node = Some(root);
        while let Some(SgfNode(at)) = node {
            let mover = self.nodes[at].properties.iter().find_map(Property::mover);
            if mover.is_some() {
                return mover;
            }
            node = self.nodes[at].children.first().copied();
        }
        None
    }
}

impl SgfNodeData {
    fn comes_from_little_golem(&self) -> bool {
        let source = self.property("SO").and_then(|property| property.values.first());
        source.is_some_and(|source| source.raw.to_ascii_lowercase().contains("littlegolem"))
    }
}

impl Property {
    /// Makes Black's White's, and the other way round.
    fn change_player(&mut self) {
        let key = self.key();
        for (black, white) in OWNED {
            if key == black || key == white {
                self.name = (if key == black { white } else { black }).to_owned();
                return;
            }
        }
        if key == "RE" || key == "PL" {
            for value in &mut self.values {
                let changed = match value.raw.chars().next() {
                    Some('B') => "W",
                    Some('W') => "B",
                    _ => continue,
                };
                value.raw.replace_range(..1, changed);
            }
        }
    }
}
