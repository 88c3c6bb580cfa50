use std::sync::atomic::{AtomicUsize, Ordering};

use parking_lot::Mutex;

use super::Reason;

/// The latest reasons that all threads have learned, in order. A reason counts from zero, and keeps its number.
pub struct Log {
    /// A ring, once it is full.
    reasons: Mutex<Vec<Reason>>,
    most: usize,
    /// How many there have been.
    count: AtomicUsize,
}

impl Log {
    /// A log that keeps this many.
    pub fn new(most: usize) -> Log {
        Log { reasons: Mutex::default(), most: most.max(1), count: AtomicUsize::new(0) }
    }

    /// Adds a reason.
    pub fn add(&self, reason: Reason) {
        let mut reasons = self.reasons.lock();
        let count = self.count.load(Ordering::Relaxed);
        if reasons.len() < self.most {
            reasons.push(reason);
        } else {
            reasons[count % self.most] = reason;
        }
        self.count.store(count + 1, Ordering::Release);
    }

    /// Calls `hear` with the number and each reason since the first `heard` ones, unless it has been overwritten. Returns how many there
    /// have been by now.
    pub fn since(&self, heard: usize, mut hear: impl FnMut(usize, &Reason)) -> usize {
        if self.count.load(Ordering::Acquire) == heard {
            return heard;
        }
        let reasons = self.reasons.lock();
        let count = self.count.load(Ordering::Relaxed);
        for number in heard.max(count.saturating_sub(self.most))..count {
            hear(number, &reasons[number % self.most]);
        }
        count
    }
}
