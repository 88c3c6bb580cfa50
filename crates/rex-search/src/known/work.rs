/// An amount of work on a logarithmic scale, small enough for the table: four steps per doubling.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Work(u8);

impl Work {
    /// The highest step not above this many nodes.
    pub fn of(nodes: u64) -> Work {
        let nodes = nodes.max(1);
        let log = nodes.ilog2();
        let fraction = if log >= 2 { nodes >> (log - 2) & 3 } else { nodes << (2 - log) & 3 };
        Work((log as u8) << 2 | fraction as u8)
    }

    /// One of the two steps around this many nodes, drawn at random so that the average is right. Work grows in small
    /// pieces, each added to the last step. If it were always rounded down, pieces smaller than a step would never add
    /// up.
    pub fn drawn(nodes: u64, lot: u64) -> Work {
        let below = Work::of(nodes);
        let above = Work(below.0.saturating_add(1));
        let (rest, width) = (nodes.max(1) - below.nodes(), above.nodes().saturating_sub(below.nodes()));
        // `lot` below 2^64 · rest / width.
        let up = u128::from(lot) * u128::from(width) < u128::from(rest) << 64;
        if rest > 0 && up { above } else { below }
    }

    /// The step, for files.
    pub fn step(self) -> u8 {
        self.0
    }

    /// The work of a step.
    pub fn at_step(step: u8) -> Work {
        Work(step)
    }

    /// The number of nodes of this step.
    pub fn nodes(self) -> u64 {
        let (log, fraction) = (u32::from(self.0 >> 2), u64::from(self.0 & 3));
        if log >= 2 { (4 + fraction) << (log - 2) } else { (4 + fraction) << log >> 2 }
    }
}
