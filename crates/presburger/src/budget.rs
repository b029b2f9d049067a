//! Work limits for operations that can explode.
use crate::{Error, Result};
use std::sync::atomic::{AtomicU64, Ordering};

/// A limit on work, shared by reference between all operations of one task.
///
/// One *step* is about one row operation of a pivot or of an elimination (some tens of
/// nanoseconds). A budget is only ever spent; what is left can be asked for.
#[derive(Debug)]
pub struct Budget {
    limit: u64,
    used: AtomicU64,
}

impl Budget {
    /// A budget without limit.
    pub fn unlimited() -> Self {
        Self::steps(u64::MAX)
    }

    /// A budget of `limit` steps.
    pub fn steps(limit: u64) -> Self {
        Budget { limit, used: AtomicU64::new(0) }
    }

    /// Spends `steps`, or reports that `operation` has exceeded the budget.
    pub fn spend(&self, steps: u64, operation: &'static str) -> Result<()> {
        let used = self.used.fetch_add(steps, Ordering::Relaxed).saturating_add(steps);
        if used > self.limit { Err(Error::Exceeded { operation }) } else { Ok(()) }
    }

    /// The steps spent so far.
    pub fn used(&self) -> u64 {
        self.used.load(Ordering::Relaxed)
    }

    /// The steps that remain.
    pub fn remaining(&self) -> u64 {
        self.limit.saturating_sub(self.used())
    }

    /// A budget of at most `limit` steps for a part of this task, not more than what remains here.
    ///
    /// The part's consumption is not charged here until [`Budget::charge`] is called with it.
    pub fn part(&self, limit: u64) -> Budget {
        Budget::steps(limit.min(self.remaining()))
    }

    /// Charges what a part has used.
    pub fn charge(&self, part: &Budget) {
        self.used.fetch_add(part.used(), Ordering::Relaxed);
    }
}
