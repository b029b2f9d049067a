//! Independent parts of a file are read by as many threads as the machine runs at once.
use std::num::NonZero;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{Builder, ScopedJoinHandle, available_parallelism, scope};

/// Shorter texts than this (in bytes) are not worth another thread: it costs what about twenty lines cost.
const BYTES_PER_THREAD: usize = 4096;

/// What a thread takes at a time, as a part of what there is per thread.
const SHARES_PER_THREAD: usize = 8;

/// The recursive walks are limited so that they fit into this.
const STACK_BYTES: usize = 8 << 20;

/// The results of a function for all items, in order; `bytes` is about how long the text is that it reads.
///
/// *Cost.* That of the function for all items, divided among threads where this pays.
pub(crate) fn side_by_side<T: Sync, R: Send>(
    items: &[T],
    bytes: usize,
    function: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let useful = items.len().min(bytes / BYTES_PER_THREAD);
    let n_threads = match useful {
        0 | 1 => 1,
        _ => available_parallelism().map_or(1, NonZero::get).min(useful),
    };
    if n_threads == 1 {
        return items.iter().map(function).collect();
    }
    let share = items.len().div_ceil(n_threads * SHARES_PER_THREAD);
    let next = AtomicUsize::new(0);
    // The shares that one thread came to.
    let work = || {
        let mut done: Vec<(usize, Vec<R>)> = Vec::new();
        while let Some(range) = take(&next, share, items.len()) {
            done.push((range.start, items[range].iter().map(&function).collect()));
        }
        done
    };
    let mut shares = scope(|scope| {
        let spawn =
            |_| Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, || counted(work));
        // Where the system gives no more threads, this one does the work.
        let threads: Vec<_> = (1..n_threads).map_while(|index| spawn(index).ok()).collect();
        let mut shares = work();
        for thread in threads {
            shares.extend(joined(thread));
        }
        shares
    });
    shares.sort_unstable_by_key(|(start, _)| *start);
    shares.into_iter().flat_map(|(_, results)| results).collect()
}

/// The results of two functions, at the same time where a text of so many bytes is long enough; `aside` must
/// not look at syntax trees.
pub(crate) fn both<A: Send, B>(
    bytes: usize,
    aside: impl Fn() -> A + Sync,
    here: impl FnOnce() -> B,
) -> (A, B) {
    let is_useful = bytes >= 2 * BYTES_PER_THREAD;
    if !is_useful || available_parallelism().map_or(1, NonZero::get) == 1 {
        return (aside(), here());
    }
    scope(|scope| {
        let thread = Builder::new().spawn_scoped(scope, || (aside(), 0));
        let here = here();
        (thread.map_or_else(|_| aside(), joined), here)
    })
}

/// The next positions that nobody works on.
fn take(next: &AtomicUsize, share: usize, end: usize) -> Option<Range<usize>> {
    let start = next.fetch_add(share, Ordering::Relaxed);
    (start < end).then(|| start..end.min(start + share))
}

/// The result of work, and the number of nodes that it has looked at.
fn counted<R>(work: impl Fn() -> R) -> (R, u64) {
    #[cfg(test)]
    {
        let result = work();
        (result, crate::syntax::tree::count::looked_at())
    }
    #[cfg(not(test))]
    (work(), 0)
}

/// What a thread has done; its panics go on here.
fn joined<R>(thread: ScopedJoinHandle<'_, (R, u64)>) -> R {
    let (result, _looked_at) =
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    #[cfg(test)]
    crate::syntax::tree::count::look_at(_looked_at);
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_order() {
        for n_items in [0, 1, 2, 7, 100, 1000] {
            let items: Vec<usize> = (0..n_items).collect();
            let squares: Vec<usize> = items.iter().map(|i| i * i).collect();
            for bytes in [0, BYTES_PER_THREAD, 1 << 20] {
                assert_eq!(side_by_side(&items, bytes, |i| i * i), squares);
            }
        }
    }

    #[test]
    fn two_functions_have_their_results() {
        for bytes in [0, 1 << 20] {
            assert_eq!(both(bytes, || "aside", || 7), ("aside", 7));
        }
    }

    #[test]
    fn all_items_are_done_once() {
        let done: Vec<AtomicUsize> = (0..1000).map(|_| AtomicUsize::new(0)).collect();
        side_by_side(&done, 1 << 20, |times| times.fetch_add(1, Ordering::Relaxed));
        assert!(done.iter().all(|times| times.load(Ordering::Relaxed) == 1));
    }

    #[test]
    #[should_panic(expected = "item 999")]
    fn panics_go_on() {
        let items: Vec<usize> = (0..1000).collect();
        side_by_side(&items, 1 << 20, |item| assert!(*item != 999, "item 999"));
    }
}
