//! Running lines under a limit of time.
//!
//! A second thread runs the lines, one after the other. The first thread looks at it from time to
//! time: when the limit of a line is over, it spends what is left of the line's budget, so that the
//! operation stops at its next step. A line that does not stop even then keeps its thread, and a
//! new one goes on with the following line. So does a line that panics.
use super::operation::{self, Failure, Outcome};
use super::record::Record;
use loopwright_presburger::Budget;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// More steps than an operation makes within any limit.
const STEPS: u64 = u64::MAX / 4;

/// How long an operation may take to notice that its budget is spent.
const GRACE: Duration = Duration::from_secs(2);

/// How often the first thread looks.
const PERIOD: Duration = Duration::from_millis(5);

/// The stack of the thread: formulas are read and printed recursively.
const STACK_BYTES: usize = 256 << 20;

/// What the thread that runs lines shares with the one that watches it.
#[derive(Default)]
struct Progress {
    outcomes: Vec<Outcome>,
    /// When the line after the last outcome was begun, and its budget.
    current: Option<(Instant, Arc<Budget>)>,
    /// Whether another thread has taken over.
    is_abandoned: bool,
}

type Shared = Arc<Mutex<Progress>>;

/// The outcomes of all lines.
pub(crate) fn run_all(records: &[Record], limit: Duration, is_busy: bool) -> Vec<Outcome> {
    let records: Arc<[Record]> = records.into();
    let mut outcomes = Vec::with_capacity(records.len());
    while outcomes.len() < records.len() {
        let shared = Shared::default();
        let thread = start(Arc::clone(&records), outcomes.len(), is_busy, Arc::clone(&shared));
        let failure = watch(&thread, &shared, limit);
        let mut progress = lock(&shared);
        progress.is_abandoned = true;
        outcomes.append(&mut progress.outcomes);
        outcomes.extend(failure.map(Outcome::Failed));
    }
    outcomes
}

fn lock(shared: &Shared) -> MutexGuard<'_, Progress> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts a thread with the lines from `first` on.
fn start(records: Arc<[Record]>, first: usize, is_busy: bool, shared: Shared) -> JoinHandle<()> {
    let run = move || {
        for record in &records[first..] {
            let budget = Arc::new(Budget::steps(STEPS));
            lock(&shared).current = Some((Instant::now(), Arc::clone(&budget)));
            let outcome = operation::run(record, is_busy, &budget);
            let mut progress = lock(&shared);
            if progress.is_abandoned {
                return;
            }
            progress.current = None;
            progress.outcomes.push(outcome);
        }
    };
    let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
    thread.spawn(run).expect("the system lends a thread")
}

/// Waits until the lines are done, or until one fails to end.
fn watch(thread: &JoinHandle<()>, shared: &Shared, limit: Duration) -> Option<Failure> {
    loop {
        std::thread::sleep(PERIOD);
        let is_finished = thread.is_finished();
        let progress = lock(shared);
        match &progress.current {
            _ if is_finished => return progress.current.as_ref().map(|_| Failure::Panic),
            Some((start, _)) if start.elapsed() > limit + GRACE => return Some(Failure::Limit),
            Some((start, budget)) if start.elapsed() > limit => {
                let _ = budget.spend(STEPS, "the time of a line");
            }
            _ => {}
        }
    }
}
