use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use rex_game::{CellSet, Position};

use crate::Oracle;
use crate::numbering::Stones;

/// Walks through the live positions, in which nobody is joined. They are numbered in the order of the table.
impl Oracle {
    /// The number of live positions.
    pub fn live_count(&self) -> usize {
        self.live_before[self.numbering.blocks()]
    }

    /// All live positions.
    pub fn live_positions(&self) -> impl Iterator<Item = Position> + '_ {
        self.sample(1, 0)
    }

    /// Every `every`-th live position, starting with number `offset`. Choose an `every` that is not a
    /// multiple of three, or the sample may favour one colour on the first cells.
    ///
    /// # Panics
    /// If `every` is zero.
    pub fn sample(&self, every: usize, offset: usize) -> impl Iterator<Item = Position> + '_ {
        let block_len = self.numbering.block_len();
        (0..self.numbering.len())
            .filter(|&index| self.is_live(index))
            .skip(offset)
            .step_by(every)
            .map(move |index| self.position(self.numbering.stones(index / block_len, index % block_len)))
    }

    /// Runs `visit` on every `every`-th live position, on all cores. The positions are those of
    /// [`sample`](Oracle::sample) with offset zero, in no particular order.
    ///
    /// Each thread has its own scratch value from `init`. All of them are returned, so that you can add
    /// up counts. A panic in `visit` ends the sweep with that panic.
    ///
    /// ```
    /// # use rex_game::Board;
    /// # use rex_oracle::Oracle;
    /// let oracle = Oracle::new(Board::new(2, 2)?);
    /// let counts = oracle.par_live(1, || 0, |count, _position| *count += 1);
    /// assert_eq!(counts.iter().sum::<usize>(), oracle.live_count());
    /// # Ok::<(), rex_game::BoardError>(())
    /// ```
    ///
    /// # Panics
    /// If `every` is zero, or `visit` panics.
    pub fn par_live<S: Send>(
        &self,
        every: usize,
        init: impl Fn() -> S + Sync,
        visit: impl Fn(&mut S, &Position) + Sync,
    ) -> Vec<S> {
        assert!(every > 0, "every zeroth position");
        let next_block = AtomicUsize::new(0);
        let work = || {
            let _stop = StopOthersOnPanic(&next_block);
            let mut scratch = init();
            loop {
                let block = next_block.fetch_add(1, Ordering::Relaxed);
                if block >= self.numbering.blocks() {
                    return scratch;
                }
                for stones in self.sample_of_block(block, every) {
                    visit(&mut scratch, &self.position(stones));
                }
            }
        };
        let threads = thread::available_parallelism().map_or(1, usize::from);
        thread::scope(|scope| {
            let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
            let results: Vec<_> = workers.into_iter().map(|worker| worker.join()).collect();
            results.into_iter().map(|r| r.unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
        })
    }

    /// The live positions of a block whose numbers are multiples of `every`.
    fn sample_of_block(&self, block: usize, every: usize) -> impl Iterator<Item = Stones> {
        let block_len = self.numbering.block_len();
        let first_number = self.live_before[block].next_multiple_of(every);
        (0..block_len)
            .filter(move |place| self.is_live(block * block_len + place))
            .skip(first_number - self.live_before[block])
            .step_by(every)
            .map(move |place| self.numbering.stones(block, place))
    }

    fn position(&self, (black, white): Stones) -> Position {
        let [black, white] = [black, white].map(|stones| CellSet::from_bits(stones.into()));
        Position::with_stones(self.board(), black, white)
    }
}

/// When a panicking thread drops this, the other threads get no further blocks.
struct StopOthersOnPanic<'a>(&'a AtomicUsize);

impl Drop for StopOthersOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.store(usize::MAX / 2, Ordering::Relaxed);
        }
    }
}
