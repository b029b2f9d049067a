//! How the iterations of an independent loop are spread: over blocks, over the threads of a block, over the results of a thread.
use loopwright_exact::Int;
use loopwright_presburger::Aff;

/// What a kernel may have besides the memory of the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Results of threads in registers.
    Registers,
    /// That, and operands in tiles that a block shares.
    Shared,
}

/// Sizes along one independent loop. A block has `threads * results` iterations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Dimension {
    /// Threads of a block.
    pub(crate) threads: i64,
    /// Results of a thread.
    pub(crate) results: i64,
    /// Whether threads that follow each other take iterations that follow each other. Otherwise the results of a thread do.
    pub(crate) is_fastest: bool,
    /// Whether the thread's coordinate is the iteration itself, and not its number in the block.
    pub(crate) is_plain: bool,
}

impl Dimension {
    /// The iterations of a block.
    pub(crate) fn size(&self) -> i64 {
        self.threads * self.results
    }

    /// The block of an iteration.
    pub(crate) fn block(&self, value: &Aff) -> Aff {
        quotient(value, self.size())
    }

    /// The thread of an iteration in its block.
    pub(crate) fn thread(&self, value: &Aff) -> Aff {
        if self.is_plain {
            return value.clone();
        }
        match self.is_fastest || self.results == 1 {
            true => value.modulo(&Int::from(self.threads)),
            false => quotient(&value.modulo(&Int::from(self.size())), self.results),
        }
    }

    /// The number of a result among those of its thread; none if there is one only.
    pub(crate) fn result(&self, value: &Aff) -> Option<Aff> {
        if self.results == 1 {
            return None;
        }
        Some(match self.is_fastest {
            true => quotient(&value.modulo(&Int::from(self.size())), self.threads),
            false => value.modulo(&Int::from(self.results)),
        })
    }
}

/// The value divided by a number, rounded down.
pub(crate) fn quotient(value: &Aff, divisor: i64) -> Aff {
    match divisor {
        1 => value.clone(),
        _ => value.scale_down(&Int::from(divisor)).floor(),
    }
}

/// Threads for one, two and three loops where threads have one result each, the slowest loop first.
const PLAIN_THREADS: [&[i64]; 3] = [&[256], &[8, 32], &[2, 4, 32]];

/// Threads of a block with shared tiles: rows of a warp read a shared operand together, and a row of threads fills whole lines of
/// memory. 16 by 16 is what products by hand have; two tiles of rows for 128 threads fit into 48 KB.
const TILE_THREADS: [&[i64]; 3] = [&[128], &[16, 16], &[1, 16, 16]];

/// Results of a thread in full tiles: 4 by 4 need 16 registers of two words each for results, and read 8 operands for 16
/// products; twice as many blocks as with 8 by 8 keep all multiprocessors of a device busy for the sizes of benchmarks.
const TILE_RESULTS: [&[i64]; 3] = [&[1], &[4, 4], &[1, 4, 4]];

/// Iterations of a sum for which operands are in shared memory at a time: a line of memory in doubles.
pub(crate) const SUM_TILE: i64 = 16;

/// One result a thread, with coordinates of threads that are iterations.
pub(crate) fn plain(n: usize) -> Vec<Dimension> {
    dimensions(PLAIN_THREADS[n - 1], &[1; 3][..n], true)
}

/// The threads of a block with memory of its own, the fastest axis first.
pub(crate) fn threads_of_promoted(n: usize, has_tiles: bool) -> Vec<i64> {
    let dimensions = if has_tiles { tiled(n, false) } else { plain(n) };
    dimensions.iter().rev().map(|dimension| dimension.threads).collect()
}

/// Blocks with shared tiles; several results a thread if tiles are full.
pub(crate) fn tiled(n: usize, is_full: bool) -> Vec<Dimension> {
    let results = if is_full { TILE_RESULTS[n - 1] } else { &[1; 3][..n] };
    dimensions(TILE_THREADS[n - 1], results, false)
}

fn dimensions(threads: &[i64], results: &[i64], is_plain: bool) -> Vec<Dimension> {
    let n = threads.len();
    let dimension = |(at, (&threads, &results)): (usize, (&i64, &i64))| Dimension {
        threads,
        results,
        is_fastest: at + 1 == n,
        is_plain,
    };
    threads.iter().zip(results).enumerate().map(dimension).collect()
}
