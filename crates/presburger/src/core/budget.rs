//! Work limits for operations that can explode.
//!
//! # What a step is
//! Whoever does work in a loop spends steps for it before doing it: a pivot one step for each row that
//! it changes, a pair of pieces the size of their systems (`BasicRelation::work`), and so on. The
//! numbers are set such that a step takes some tens of nanoseconds wherever it is spent
//! (`cargo xtask budgets` measures that), so that a limit means about the same time for all
//! operations.
//!
//! # Memory
//! A limit in steps is one on memory too: an operation whose result can be much larger than what was given
//! asks whether so many machine words may be kept ([`Budget::keep`]): one for every sixteen steps of the
//! limit, whether these are spent or not. A limit in time alone is none on memory.
//!
//! # Time
//! A limit in steps makes the same operation stop at the same place on every machine, which is what tests
//! and compilations need. A limit in time ([`Budget::time`]) is for those who wait: the clock is
//! looked at once in [`STEPS_PER_LOOK`] steps, a tenth of a millisecond, so that an operation
//! ends soon after its time is over.
use crate::core::error::{Error, Result};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The clock is looked at once in so many steps.
const STEPS_PER_LOOK: u64 = 1 << 12;

/// A machine word may be kept for so many steps of the limit: the standard limit of the calculator, 400
/// million steps, stands for 200 megabytes.
const STEPS_PER_WORD: u64 = 16;

/// So many machine words may be kept whatever the limit.
const FREE_WORDS: u64 = 1 << 24;

/// What runs out if not the steps do.
const KEEPING: &str = "keeping what was found";

/// What an operation on all pairs of pieces may spend if its caller sets no limit.
const STEPS_FOR_ONE_CALL: u64 = 1 << 25;

/// A limit on work, shared by reference between all operations of one task.
///
/// One *step* is about one row operation of a pivot or of an elimination (some tens of
/// nanoseconds). A budget is only ever spent; what is left can be asked for.
///
/// ```
/// use loopwright_presburger::{Budget, Error, Set};
/// let triangle = Set::parse("{ [i, j, k] : 0 <= i <= j <= k <= 90 and 3i + 5j = 7k + 2 }")?;
/// let budget = Budget::steps(3);
/// let error = triangle.lexmin(&budget).unwrap_err();
/// assert!(matches!(error, Error::Exceeded { operation: "lexmin", .. }));
/// assert!(triangle.lexmin(&Budget::steps(1_000_000)).is_ok());
/// # Ok::<(), Error>(())
/// ```
#[derive(Debug)]
pub struct Budget {
    limit: u64,
    used: AtomicU64,
    deadline: Option<Deadline>,
}

/// A moment after which nothing may be spent.
#[derive(Debug)]
struct Deadline {
    moment: Instant,
    has_passed: AtomicBool,
}

impl Deadline {
    fn new(moment: Instant) -> Self {
        Deadline { moment, has_passed: AtomicBool::new(false) }
    }

    /// Whether the moment is over, as far as is known: looks at the clock where `used` steps come into
    /// another interval than `used - steps`.
    fn is_over(&self, used: u64, steps: u64) -> bool {
        let interval = |used: u64| used / STEPS_PER_LOOK;
        if interval(used) != interval(used.saturating_sub(steps)) && Instant::now() >= self.moment {
            self.has_passed.store(true, Ordering::Relaxed);
        }
        self.has_passed.load(Ordering::Relaxed)
    }
}

impl Budget {
    /// A budget without limit.
    ///
    /// ```
    /// # use loopwright_presburger::Budget;
    /// let budget = Budget::unlimited();
    /// assert!(budget.spend(1_000_000, "the example").is_ok());
    /// ```
    pub fn unlimited() -> Self {
        Self::steps(u64::MAX)
    }

    /// The budget of a call that is given none: about a second.
    pub(crate) fn for_one_call() -> Self {
        Self::steps(STEPS_FOR_ONE_CALL)
    }

    /// A budget of `limit` steps.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Error};
    /// let budget = Budget::steps(2);
    /// assert!(budget.spend(2, "the example").is_ok());
    /// assert!(matches!(budget.spend(1, "the example"), Err(Error::Exceeded { .. })));
    /// ```
    pub fn steps(limit: u64) -> Self {
        Budget { limit, used: AtomicU64::new(0), deadline: None }
    }

    /// A budget of the time from now on, see [`Budget::until`].
    ///
    /// ```
    /// use loopwright_presburger::{Budget, Set};
    /// use std::time::Duration;
    /// let set = Set::parse("[n] -> { [i, j] : 0 <= i <= j < n }")?;
    /// assert!(!set.is_empty(&Budget::time(Duration::from_secs(60)))?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn time(limit: Duration) -> Self {
        // A moment that the clock cannot express is no limit.
        match Instant::now().checked_add(limit) {
            Some(moment) => Self::unlimited().until(moment),
            None => Self::unlimited(),
        }
    }

    /// The same budget, which also ends at a moment.
    ///
    /// When the time is over, an operation stops as soon as it has made a few thousand further steps. Unlike
    /// a limit in steps, this depends on the machine and its load: what has to be the same
    /// everywhere should be limited in steps.
    ///
    /// ```
    /// # use loopwright_presburger::Budget;
    /// # use std::time::{Duration, Instant};
    /// let budget = Budget::steps(1_000).until(Instant::now() + Duration::from_secs(3600));
    /// budget.spend(1_000, "the example")?;
    /// // The steps are used up before the hour is over.
    /// assert!(budget.spend(1, "the example").is_err());
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn until(mut self, moment: Instant) -> Self {
        let moment = match &self.deadline {
            Some(earlier) => earlier.moment.min(moment),
            None => moment,
        };
        self.deadline = Some(Deadline::new(moment));
        self
    }

    /// Spends `steps`, or reports that `operation` has exceeded the budget.
    ///
    /// ```
    /// # use loopwright_presburger::Budget;
    /// let budget = Budget::steps(10);
    /// budget.spend(4, "the example")?;
    /// assert_eq!(budget.used(), 4);
    /// let error = budget.spend(7, "the example").unwrap_err();
    /// assert_eq!(error.to_string(), "the budget ran out in the example, after 11 steps");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`] if the steps are used up or the time is over.
    pub fn spend(&self, steps: u64, operation: &'static str) -> Result<()> {
        let used = self.used.fetch_add(steps, Ordering::Relaxed).saturating_add(steps);
        let is_late = self.deadline.as_ref().is_some_and(|deadline| deadline.is_over(used, steps));
        if used > self.limit || is_late { Err(self.exceeded(operation)) } else { Ok(()) }
    }

    /// Asks whether an operation may keep so many machine words at once.
    ///
    /// ```
    /// # use loopwright_presburger::Budget;
    /// let budget = Budget::steps(1_000_000_000);
    /// budget.keep(1_000, "the example")?;
    /// let error = budget.keep(1_000_000_000, "the example").unwrap_err();
    /// assert!(error.to_string().contains("(in keeping what was found)"));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`] for more than a word for every sixteen steps of the limit, unless it is little
    /// for any machine (128 megabytes).
    pub fn keep(&self, words: usize, operation: &'static str) -> Result<()> {
        if words as u64 <= FREE_WORDS.max(self.limit / STEPS_PER_WORD) {
            return Ok(());
        }
        let steps = self.used().max(1);
        Err(Error::Exceeded { operation, method: KEEPING, steps, reached: None })
    }

    /// The error of an operation for which the budget does not suffice.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Error};
    /// let budget = Budget::steps(5);
    /// let error = match budget.remaining() {
    ///     0..100 => Err(budget.exceeded("the example")),
    ///     _ => Ok(()),
    /// };
    /// assert!(matches!(error, Err(Error::Exceeded { operation: "the example", .. })));
    /// ```
    pub fn exceeded(&self, operation: &'static str) -> Error {
        Error::Exceeded { operation, method: operation, steps: self.used(), reached: None }
    }

    /// The steps spent so far.
    ///
    /// ```
    /// # use loopwright_presburger::Budget;
    /// let budget = Budget::unlimited();
    /// budget.spend(4, "the example")?;
    /// assert_eq!(budget.used(), 4);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn used(&self) -> u64 {
        self.used.load(Ordering::Relaxed)
    }

    /// The steps that remain; none when the time is over.
    ///
    /// ```
    /// # use loopwright_presburger::Budget;
    /// let budget = Budget::steps(10);
    /// budget.spend(4, "the example")?;
    /// assert_eq!(budget.remaining(), 6);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn remaining(&self) -> u64 {
        let is_late = |deadline: &Deadline| deadline.has_passed.load(Ordering::Relaxed);
        if self.deadline.as_ref().is_some_and(is_late) {
            return 0;
        }
        self.limit.saturating_sub(self.used())
    }

    /// A budget of at most `limit` steps for a part of this task, not more than what remains here; it
    /// ends at the same moment.
    ///
    /// The part's consumption is not charged here until [`Budget::charge`] is called with it.
    ///
    /// ```
    /// # use loopwright_presburger::Budget;
    /// let budget = Budget::steps(10);
    /// assert_eq!(budget.part(3).remaining(), 3);
    /// assert_eq!(budget.part(50).remaining(), 10);
    /// ```
    pub fn part(&self, limit: u64) -> Budget {
        let part = Budget::steps(limit.min(self.remaining()));
        match &self.deadline {
            Some(deadline) => part.until(deadline.moment),
            None => part,
        }
    }

    /// Charges what a part has used.
    ///
    /// ```
    /// # use loopwright_presburger::Budget;
    /// let budget = Budget::steps(10);
    /// let part = budget.part(8);
    /// part.spend(3, "the first attempt")?;
    /// budget.charge(&part);
    /// assert_eq!(budget.remaining(), 7);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn charge(&self, part: &Budget) {
        let used = part.used();
        self.used.fetch_add(used, Ordering::Relaxed);
        if let Some(deadline) = &self.deadline {
            // A part that is made often may look at the clock rarely: its steps count here too.
            deadline.is_over(self.used(), used);
        }
    }

    /// The result of an attempt with a limit of its own, which is charged here; none if it reached that limit
    /// and not this one.
    ///
    /// ```
    /// # use loopwright_presburger::Budget;
    /// let budget = Budget::steps(100);
    /// let found = budget.attempt(10, |part| part.spend(11, "an attempt"))?;
    /// assert_eq!((found, budget.used()), (None, 11));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of the attempt; [`Error::Exceeded`] if this budget is used up.
    pub fn attempt<T>(
        &self,
        limit: u64,
        run: impl FnOnce(&Budget) -> Result<T>,
    ) -> Result<Option<T>> {
        let part = self.part(limit);
        let found = run(&part);
        self.charge(&part);
        match found {
            Ok(found) => Ok(Some(found)),
            Err(Error::Exceeded { .. }) if self.remaining() > 0 => Ok(None),
            Err(error) => Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_counted() {
        let budget = Budget::steps(10);
        assert!(budget.spend(7, "a").is_ok());
        assert_eq!((budget.used(), budget.remaining()), (7, 3));
        let error = budget.spend(4, "b").unwrap_err();
        assert_eq!(error.to_string(), "the budget ran out in b, after 11 steps");
        assert_eq!(budget.remaining(), 0);
    }

    /// A moment in the past ends a budget at the first look at the clock, in parts of it too.
    #[test]
    fn a_deadline_ends_the_budget() {
        let budget = Budget::unlimited().until(Instant::now());
        let spent = (0..=STEPS_PER_LOOK).take_while(|_| budget.spend(1, "waiting").is_ok()).count();
        assert!(spent as u64 <= STEPS_PER_LOOK);
        assert_eq!(budget.remaining(), 0);
        assert!(budget.part(5).spend(6, "a part").is_err());
        let far = Budget::time(Duration::from_secs(86_400));
        assert!(far.spend(10 * STEPS_PER_LOOK, "short").is_ok());
        assert!(Budget::time(Duration::MAX).spend(u64::MAX / 2, "endless").is_ok());
        let both = far.until(Instant::now());
        assert!(both.spend(STEPS_PER_LOOK, "late").is_err());
    }

    /// Parts too short for a look of their own are noticed where they are charged.
    #[test]
    fn charged_parts_look_at_the_clock() {
        let budget = Budget::unlimited().until(Instant::now());
        let is_running = |_: &u64| {
            let part = budget.part(100);
            let _ = part.spend(100, "a part");
            budget.charge(&part);
            budget.remaining() > 0
        };
        assert!((0..100).take_while(is_running).count() < 50);
    }
}
