//! How the iterations of an independent loop are spread: over blocks, over the threads of a block, over the
//! results of a thread.
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
    /// Whether threads that follow each other take iterations that follow each other. Otherwise the results
    /// of a thread do.
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
pub(super) const PLAIN_THREADS: [&[i64]; 3] = [&[256], &[8, 32], &[2, 4, 32]];

/// Threads of a block with shared tiles: rows of a warp read a shared operand together, and a row of threads
/// fills whole lines of memory. 16 by 16 is what products by hand have; two tiles of rows for 128 threads fit
/// into 48 KB.
pub(super) const TILE_THREADS: [&[i64]; 3] = [&[128], &[16, 16], &[1, 16, 16]];

/// How many results a thread has in full tiles, along each of the two fastest loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ThreadResults {
    /// 4 by 4 need 16 registers of two words each for results, and read 8 operands for 16 products; four
    /// times as many blocks as with 8 by 8 keep all multiprocessors of a device busy.
    Four,
    /// 8 by 8 read 16 operands for 64 products.
    Eight,
}

impl ThreadResults {
    /// The number.
    pub fn number(self) -> i64 {
        match self {
            ThreadResults::Four => 4,
            ThreadResults::Eight => 8,
        }
    }

    /// The results of a thread along the independent loops, the slowest first.
    pub(super) fn along(self, n: usize) -> Vec<i64> {
        let own = self.number();
        match n {
            1 => vec![1],
            _ => std::iter::repeat_n(1, n - 2).chain([own, own]).collect(),
        }
    }
}

/// Threads and results of kernels without sums: a row of operands is read once for 32 rows of results, and a
/// warp still stores whole lines.
pub(super) const STAGED_THREADS: [&[i64]; 3] = [&[256], &[8, 32], &[1, 8, 32]];
/// The results of these threads.
pub(super) const STAGED_RESULTS: [&[i64]; 3] = [&[1], &[4, 1], &[1, 4, 1]];

/// Dimensions with so many threads and results, the slowest first.
pub(super) fn dimensions(threads: &[i64], results: &[i64], is_plain: bool) -> Vec<Dimension> {
    let n = threads.len();
    let dimension = |(at, (&threads, &results)): (usize, (&i64, &i64))| Dimension {
        threads,
        results,
        is_fastest: at + 1 == n,
        is_plain,
    };
    threads.iter().zip(results).enumerate().map(dimension).collect()
}
