//! Matrices of results that the threads of a warp have together, and which thread has which elements.
//!
//! An instruction of a warp adds an 8 x 4 matrix A times a 4 x 8 matrix B to an 8 x 8 matrix D, in `double`. Of its threads, number
//! `4 r + c` has row r of D in columns `2 c` and `2 c + 1`, element c of row r of A, and element c of column r of B (PTX ISA, "Matrix fragments for
//! `mma.m8n8k4` with `.f64`"). So with four threads along the fastest axis of a block, these have columns, and eight along the next one have rows;
//! the slowest axis has further columns. Operands are in shared memory, where any thread can read them, and results are in registers as in
//! other kernels.
use super::dimension::{Dimension, ThreadResults, quotient};
use loopwright_exact::Int;
use loopwright_presburger::Aff;

/// Products that are added up at a time: iterations of a sum.
pub(super) const SUM_FRAGMENT: i64 = 4;

/// So many doubles more than a multiple of 16 have the rows of operands: then 16 threads that read four rows of four elements, which is half a warp, use all
/// banks once.
pub(super) const PADDED_BY: i64 = 4;

/// Threads of a block that have different rows: two warps.
const ROW_THREADS: i64 = 16;

/// Columns of results of a block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Columns {
    /// Warps that have different ones.
    pub(super) warps: i64,
    /// Matrices of each of them.
    pub(super) tiles: i64,
}

impl Columns {
    /// Threads that have different columns of a matrix, and how many each has.
    pub(super) const LANES: i64 = 4;
    /// The columns of a matrix that a thread has.
    pub(super) const OWN: i64 = 2;
    const OF_MATRIX: i64 = Columns::LANES * Columns::OWN;

    /// Those of blocks as large as with so many results a thread: warps have 32 x 32 results, or 64 x 32, so that they read at most half an operand for each
    /// product of matrices.
    pub(super) fn of(results: ThreadResults) -> Columns {
        Columns { warps: results.number() / 2, tiles: 4 }
    }

    /// How rows and columns are spread over threads.
    pub(super) fn with_rows(&self, results: ThreadResults) -> [Dimension; 2] {
        let rows = Dimension {
            threads: ROW_THREADS,
            results: results.number(),
            is_fastest: true,
            is_plain: false,
        };
        let (threads, results) = (self.warps * Columns::LANES, self.tiles * Columns::OWN);
        [rows, Dimension { threads, results, is_fastest: false, is_plain: false }]
    }

    fn of_warp(&self) -> i64 {
        self.tiles * Columns::OF_MATRIX
    }

    /// The warp of a column in its block.
    pub(super) fn warp(&self, column: &Aff) -> Aff {
        quotient(&column.modulo(&Int::from(self.warps * self.of_warp())), self.of_warp())
    }

    /// Its matrix in the warp.
    pub(super) fn tile(&self, column: &Aff) -> Aff {
        quotient(&column.modulo(&Int::from(self.of_warp())), Columns::OF_MATRIX)
    }

    /// Its thread among those that have different columns of the matrix.
    pub(super) fn lane(&self, column: &Aff) -> Aff {
        quotient(&column.modulo(&Int::from(Columns::OF_MATRIX)), Columns::OWN)
    }

    /// Its number among those of its thread.
    pub(super) fn own(&self, column: &Aff) -> Aff {
        column.modulo(&Int::from(Columns::OWN))
    }
}
