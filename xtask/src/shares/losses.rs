//! Why a program with several threads is not as many times as fast.
use super::measured::Run;

/// Seconds of a run with several threads that are not the even shares of what one thread does.
pub(super) struct Losses {
    /// Outside of parallel loops, but for an even share of what one thread does there.
    pub(super) outside: f64,
    /// Threads with more than the mean.
    pub(super) uneven: f64,
    /// Processor time in parallel loops that one thread does not need.
    pub(super) more_work: f64,
    /// Parallel loops in which not even the thread with the most time runs.
    pub(super) waiting: f64,
}

impl Losses {
    pub(super) fn of(one: &Run, several: &Run, threads: usize) -> Losses {
        let n = threads as f64;
        let outside = |run: &Run| (run.seconds - run.in_loops - run.alone).max(0.0);
        Losses {
            outside: outside(several) + several.alone - (outside(one) + several.alone) / n,
            uneven: several.largest - several.all / n,
            more_work: (several.all - (one.alone - several.alone)) / n,
            waiting: several.in_loops - several.largest,
        }
    }

    /// The largest in words.
    pub(super) fn largest(&self) -> &'static str {
        let all = [
            (self.outside, "what runs outside of parallel loops, or alone in them"),
            (self.uneven, "uneven shares"),
            (self.more_work, "processor time that one thread does not need"),
            (self.waiting, "waiting"),
        ];
        let largest = all.into_iter().max_by(|a, b| a.0.total_cmp(&b.0));
        largest.map_or("nothing", |(_, name)| name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn losses_add_up_to_what_is_missing() {
        let one = Run { seconds: 10.0, in_loops: 0.0, largest: 0.0, all: 0.0, alone: 9.5 };
        let several = Run { seconds: 7.0, in_loops: 6.0, largest: 5.5, all: 10.0, alone: 0.25 };
        let losses = Losses::of(&one, &several, 2);
        let sum = losses.outside + losses.uneven + losses.more_work + losses.waiting;
        assert!((several.seconds - one.seconds / 2.0 - sum).abs() < 1e-12);
        assert_eq!(losses.largest(), "what runs outside of parallel loops, or alone in them");
    }
}
