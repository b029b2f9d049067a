//! Running lines under a limit of time.
//!
//! Lines run on a second thread. When the limit is over, the first thread spends what is left of
//! the line's budget, so that the operation stops at its next step. A line that does not stop
//! even then keeps its thread, and the following lines get a new one.
use super::operation::{self, Failure, Outcome};
use super::record::Record;
use loopwright_presburger::Budget;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::Duration;

/// More steps than an operation makes within any limit.
const STEPS: u64 = u64::MAX / 4;

/// How long an operation may take to notice that its budget is spent.
const GRACE: Duration = Duration::from_secs(2);

/// The stack of the thread: formulas are read and printed recursively.
const STACK_BYTES: usize = 256 << 20;

/// A thread that runs lines, and the limit for each.
pub(crate) struct Watch {
    limit: Duration,
    worker: Worker,
}

struct Worker {
    jobs: Sender<(Record, Arc<Budget>)>,
    outcomes: Receiver<Outcome>,
}

impl Worker {
    fn new() -> Self {
        let (jobs, work) = mpsc::channel::<(Record, Arc<Budget>)>();
        let (results, outcomes) = mpsc::channel();
        let run = move || {
            for (record, budget) in work {
                if results.send(operation::run(&record, &budget)).is_err() {
                    break;
                }
            }
        };
        let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
        thread.spawn(run).expect("the system lends a thread");
        Worker { jobs, outcomes }
    }
}

impl Watch {
    /// Starts the thread.
    pub(crate) fn new(limit: Duration) -> Self {
        Watch { limit, worker: Worker::new() }
    }

    /// The outcome of one line.
    pub(crate) fn run(&mut self, record: &Record) -> Outcome {
        let budget = Arc::new(Budget::steps(STEPS));
        let job = (record.clone(), Arc::clone(&budget));
        self.worker.jobs.send(job).expect("the worker waits for jobs");
        let mut outcome = self.worker.outcomes.recv_timeout(self.limit);
        if matches!(outcome, Err(RecvTimeoutError::Timeout)) {
            let _ = budget.spend(STEPS, "the time of a line");
            outcome = self.worker.outcomes.recv_timeout(GRACE);
        }
        outcome.unwrap_or_else(|error| {
            self.worker = Worker::new();
            Outcome::Failed(match error {
                RecvTimeoutError::Timeout => Failure::Limit,
                RecvTimeoutError::Disconnected => Failure::Panic,
            })
        })
    }
}
