use rex_game::CellSet;

use crate::known::Node;

/// Where a node is kept in the table.
///
/// The stones are mixed by a permutation of the 2n bits (a Feistel network), so nothing is lost: on boards
/// of up to 36 cells, the 64 bits of `check` and the address (at least 9 bits of it) identify the node
/// exactly. On larger boards two nodes are confused with a probability of 2^-64 per lookup.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Key {
    /// Spread evenly: the low bits say where in a group, the others which group.
    pub address: u64,
    /// What the slot stores.
    pub check: u64,
}

impl Key {
    /// The key of a node on a board with this many cells.
    pub fn new(node: &Node, cells: usize) -> Key {
        let half = CellSet::first_n(cells).bits();
        let [mut a, mut b] = node.stones.map(|set| set.bits());
        for constant in
            [0x9e37_79b9_7f4a_7c15_u64, 0xd6e8_feb8_6659_fd93, 0xa076_1d64_78bd_642f, 0xe703_7ed1_a0b4_28db]
        {
            let mixed = (b ^ (b >> 29)).wrapping_mul(constant);
            a ^= (mixed ^ (mixed >> 32)) & half;
            (a, b) = (b, a);
        }
        // Two halves of `cells` bits and who is Last: the low 64 bits are the check. The rest goes into the
        // low bits of the address, which every table size uses.
        let whole = u128::from(a) | u128::from(b) << cells;
        let check = whole as u64;
        let rest = (whole >> 64) as u64;
        Key { address: spread(check) ^ (rest << 1 | node.last.index() as u64), check }
    }

    /// Whether the check and nine bits of the address make up the whole key on a board with this many cells.
    pub(crate) fn fits_any_table(cells: usize) -> bool {
        2 * cells < 64 + ADDRESS_BITS as usize
    }

    /// The key of an entry from its cluster in a table, on a board where that is enough.
    pub(crate) fn of_cluster(cluster: u64, check: u64) -> Key {
        let low = (1 << ADDRESS_BITS) - 1;
        let spread = spread(check);
        Key { address: spread ^ ((cluster ^ spread) & low), check }
    }
}

/// Bits of the address that every table uses.
pub(crate) const ADDRESS_BITS: u32 = 9;

/// Mixes the bits of a number.
pub(crate) fn spread(check: u64) -> u64 {
    let mixed = (check ^ (check >> 31)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    mixed ^ (mixed >> 33)
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use rex_game::Player;

    use super::*;

    #[test]
    fn keys_tell_nodes_apart_with_nine_bits_of_address() {
        let mut seen: HashMap<(u64, u64), Node> = HashMap::new();
        let mut seed = 1u64;
        let mut random = || {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            seed
        };
        for _ in 0..200_000 {
            let stones = [CellSet::from_bits(random() >> 28), CellSet::from_bits(random() >> 28)];
            let last = if random() % 2 == 0 { Player::Black } else { Player::White };
            let node = Node { stones, last };
            let key = Key::new(&node, 36);
            let before = seen.insert((key.check, key.address & 511), node);
            assert!(before.is_none_or(|other| other == node));
        }
    }
}
