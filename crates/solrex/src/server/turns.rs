//! Which searches run now.
//!
//! A few searches run at once, for as long as they like if nobody is waiting. Otherwise they take turns. The next turn goes
//! to the waiting search that has searched least, so that a short question is not held up by long ones. Every third turn
//! goes to the one that has waited longest, so that many short questions do not hold up a long one for ever.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};

use super::engine::Refused;

/// How long a turn lasts if others are waiting. It takes some hundredths of this to get back to where it was.
const TURN: Duration = Duration::from_millis(500);
/// More than this many waiting searches are refused.
const QUEUE: usize = 256;

/// Ends a search, or only its turn.
#[derive(Default)]
pub struct Stop {
    /// The flag that the solver checks.
    now: Arc<AtomicBool>,
    for_good: AtomicBool,
}

impl Stop {
    /// The flag for the solver.
    pub fn flag(&self) -> Arc<AtomicBool> {
        self.now.clone()
    }

    /// Whether the search is over, and not only its turn.
    pub fn for_good(&self) -> bool {
        self.for_good.load(Relaxed)
    }
}

/// Running and waiting searches.
pub struct Turns {
    desk: Mutex<Desk>,
    /// Signals that a search has come or gone.
    changed: Condvar,
}

struct Desk {
    /// How many searches run at once.
    searches: usize,
    running: Vec<Running>,
    /// In order of arrival.
    waiting: Vec<Waiting>,
    /// Turns given so far.
    given: u64,
    /// The number of the next search.
    next: u64,
}

struct Running {
    number: u64,
    stop: Arc<Stop>,
    /// When it has to make room for others.
    ends: Instant,
    /// Whether it was asked to stop.
    asked: bool,
}

struct Waiting {
    number: u64,
    /// How long it has searched so far.
    worked: Duration,
}

/// A turn, which is over when this is dropped.
pub struct Turn {
    turns: Arc<Turns>,
    number: u64,
}

impl Turns {
    /// How many searches run at once.
    pub fn new(searches: usize) -> Turns {
        let desk = Desk { searches, running: Vec::new(), waiting: Vec::new(), given: 0, next: 0 };
        Turns { desk: Mutex::new(desk), changed: Condvar::new() }
    }

    /// Ends a search for good, whether it has a turn or waits for one.
    pub fn end(&self, stop: &Stop) {
        let _desk = self.desk.lock();
        stop.for_good.store(true, Relaxed);
        stop.now.store(true, Relaxed);
        self.changed.notify_all();
    }

    /// Waits for a turn, for a search that has already worked this long; none if it was ended meanwhile. If it has to
    /// wait, `waits` is called with the number of searches.
    ///
    /// # Errors
    /// If too many searches are waiting. A search that already had a turn is never refused.
    pub fn wait(
        self: &Arc<Turns>,
        stop: &Arc<Stop>,
        worked: Duration,
        newcomer: bool,
        waits: &mut dyn FnMut(usize),
    ) -> Result<Option<Turn>, Refused> {
        let mut desk = self.desk.lock();
        if newcomer && desk.waiting.len() >= QUEUE {
            return Err(Refused::Full);
        }
        let number = desk.next;
        desk.next += 1;
        desk.waiting.push(Waiting { number, worked });
        self.changed.notify_all();
        if !stop.for_good() && !desk.is_next(number) {
            waits(desk.running.len() + desk.waiting.len());
        }
        loop {
            if stop.for_good() {
                desk.waiting.retain(|waiting| waiting.number != number);
                self.changed.notify_all();
                return Ok(None);
            }
            if desk.is_next(number) {
                desk.begin(number, stop);
                self.changed.notify_all();
                return Ok(Some(Turn { turns: self.clone(), number }));
            }
            match desk.end_turns(Instant::now()) {
                None => self.changed.wait(&mut desk),
                Some(pause) => drop(self.changed.wait_for(&mut desk, pause)),
            }
        }
    }
}

impl Desk {
    /// Which search gets the next turn.
    fn next(&self) -> Option<u64> {
        let longest = self.waiting.first();
        let least = self.waiting.iter().min_by_key(|waiting| waiting.worked);
        if self.given % 3 == 2 { longest } else { least }.map(|waiting| waiting.number)
    }

    /// Whether a slot is free, and this search is next.
    fn is_next(&self, number: u64) -> bool {
        self.running.len() < self.searches && self.next() == Some(number)
    }

    fn begin(&mut self, number: u64, stop: &Arc<Stop>) {
        self.waiting.retain(|waiting| waiting.number != number);
        self.given += 1;
        // The end of its previous turn; a search that is over for good does not get here.
        stop.now.store(false, Relaxed);
        let ends = Instant::now() + TURN;
        self.running.push(Running { number, stop: stop.clone(), ends, asked: false });
    }

    /// Asks as many running searches to stop as are waiting, oldest turn first. Returns when the next turn is over.
    fn end_turns(&mut self, now: Instant) -> Option<Duration> {
        let asked = self.running.iter().filter(|running| running.asked).count();
        let mut missing = self.waiting.len().saturating_sub(asked);
        self.running.sort_by_key(|running| running.ends);
        for running in self.running.iter_mut().filter(|running| !running.asked) {
            if missing == 0 {
                return None;
            }
            if running.ends > now {
                return Some(running.ends - now);
            }
            running.stop.now.store(true, Relaxed);
            running.asked = true;
            missing -= 1;
        }
        None
    }
}

impl Turn {
    /// Makes this turn last at least this long, unless it was asked to stop.
    pub fn at_least(&self, length: Duration) {
        let mut desk = self.turns.desk.lock();
        if let Some(running) = desk.running.iter_mut().find(|running| running.number == self.number) {
            running.ends = running.ends.max(Instant::now() + length);
        }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.turns.desk.lock().running.retain(|running| running.number != self.number);
        self.turns.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(number: u64) -> Duration {
        Duration::from_secs(number)
    }

    fn desk(searches: usize, worked: &[u64]) -> Desk {
        let waiting =
            worked.iter().zip(0..).map(|(&worked, number)| Waiting { number, worked: seconds(worked) });
        let waiting: Vec<_> = waiting.collect();
        Desk { searches, running: Vec::new(), next: waiting.len() as u64, waiting, given: 0 }
    }

    #[test]
    fn who_has_searched_least_is_next_and_every_third_time_who_has_waited_longest() {
        let mut desk = desk(9, &[60, 3, 0, 3, 5]);
        let mut order = Vec::new();
        while let Some(number) = desk.next() {
            order.push(number);
            desk.begin(number, &Arc::default());
        }
        assert_eq!(order, [2, 1, 0, 3, 4]);
    }

    #[test]
    fn turns_end_when_somebody_waits_and_not_before_they_are_over() {
        let mut desk = desk(2, &[0, 0, 0]);
        let stops = [0, 1].map(|number| {
            let stop = Arc::default();
            desk.begin(number, &stop);
            stop
        });
        let asked = || stops.each_ref().map(|stop| stop.now.load(Relaxed));
        let ends = desk.running[1].ends;
        assert!(desk.end_turns(Instant::now()).is_some());
        assert_eq!(asked(), [false, false], "the turns have only begun");
        // One is waiting, so one must stop, even if all waiting searches check again.
        for _ in 0..3 {
            desk.end_turns(ends);
        }
        assert_eq!(asked(), [true, false]);
        desk.waiting.push(Waiting { number: 7, worked: seconds(1) });
        desk.end_turns(ends);
        assert_eq!(asked(), [true, true]);
    }

    #[test]
    fn nobody_has_to_go_when_nobody_waits() {
        let mut desk = desk(1, &[0]);
        let stop = Arc::default();
        desk.begin(0, &stop);
        assert_eq!(desk.end_turns(Instant::now() + seconds(100)), None);
        assert!(!stop.now.load(Relaxed));
    }

    #[test]
    fn who_is_ended_while_it_waits_leaves_and_a_place_is_taken_when_it_is_free() {
        let turns = Arc::new(Turns::new(1));
        let wait = |stop: &Arc<Stop>| turns.wait(stop, seconds(1), true, &mut |_| {}).unwrap();
        let stops: [Arc<Stop>; 3] = Default::default();
        let first = wait(&stops[0]).expect("the place is free");
        std::thread::scope(|scope| {
            let waiting = [1, 2].map(|index| {
                scope.spawn({
                    let (stop, wait) = (&stops[index], &wait);
                    move || wait(stop).is_some()
                })
            });
            turns.end(&stops[1]);
            let [second, third] = waiting;
            assert!(!second.join().unwrap());
            drop(first);
            assert!(third.join().unwrap());
        });
        let desk = turns.desk.lock();
        assert!(desk.waiting.is_empty() && desk.running.is_empty());
    }

    #[test]
    fn when_too_many_wait_newcomers_are_sent_away_and_nobody_else() {
        let turns = Arc::new(Turns::new(1));
        turns.desk.lock().waiting = desk(1, &[1; QUEUE]).waiting;
        let stop: Arc<Stop> = Arc::default();
        assert!(turns.wait(&stop, seconds(0), true, &mut |_| {}).is_err());
        turns.end(&stop);
        assert!(turns.wait(&stop, seconds(0), false, &mut |_| {}).is_ok_and(|turn| turn.is_none()));
    }
}
