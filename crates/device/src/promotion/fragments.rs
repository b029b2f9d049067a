//! Matrices of results that the threads of a warp have together, and which thread has which elements.
//!
//! An instruction of a warp adds an 8 x 4 matrix A times a 4 x 8 matrix B to an 8 x 8 matrix D, in `double`.
//! Of its threads, number `4 r + c` has row r of D in columns `2 c` and `2 c + 1`, element c of row r of A,
//! and element c of column r of B (PTX ISA, "Matrix fragments for `mma.m8n8k4` with `.f64`"). So with four
//! threads along the fastest axis of a block, these have columns, and eight along the next one have rows; the
//! slowest axis has further columns. Operands are in shared memory, where any thread can read them, and
//! results are in registers as in other kernels.
//!
//! Larger instructions have that several times: of 16 x 8 results a thread has rows r and `r + 8`, and of 8
//! products for each element it passes numbers c and `c + 4` (the same, "for `mma.m16n8k8`"). Which rows of
//! the program are rows `r + 8` is free: here they are those of the thread's next matrix.
use super::buffers::SUM_TILES_OF_TWO;
use super::dimension::{Dimension, ThreadResults, quotient};
use loopwright_exact::Int;
use loopwright_presburger::Aff;
use loopwright_schedule::MatrixMark;
use loopwright_scop::FloatingType;

/// So many bytes more than a multiple of 128 have the rows of operands: then threads that read four rows of
/// eight elements, or of as many as are read at once, use all banks once.
const PADDED_BY_BYTES: i64 = 32;

/// Iterations of a sum in each of two buffers for elements of 4 bytes, the best number first: tiles of half
/// as many bytes have twice as many, so that a step has as much to do as one of `double`.
const SUM_TILES_OF_FLOAT: [i64; 3] = [16, 8, 4];

/// Threads of a block that have different rows: two warps.
const ROW_THREADS: i64 = 16;

/// The matrices that warps multiply by one instruction; none for a type whose sums are left to threads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MatrixShapes {
    /// Those of `double`.
    pub double: Option<MatrixMark>,
    /// Those of `float`, of which the instruction has rounded factors.
    pub float: Option<MatrixMark>,
}

impl MatrixShapes {
    /// None at all.
    pub const NONE: MatrixShapes = MatrixShapes { double: None, float: None };

    /// Those of each type that has some, the best first. Where tiles are too short for the larger ones of
    /// `double`, there are the smaller ones.
    pub(super) fn each(self) -> impl Iterator<Item = (FloatingType, MatrixMark)> {
        let smaller = self.double.filter(|mark| *mark != MatrixMark::SMALL);
        let doubles = self.double.into_iter().chain(smaller.map(|_| MatrixMark::SMALL));
        let doubles = doubles.map(|mark| (FloatingType::Double, mark));
        doubles.chain(self.float.map(|mark| (FloatingType::Float, mark)))
    }
}

/// Results of a block, as matrices of its warps.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fragments {
    /// The type of its elements.
    pub(super) of: FloatingType,
    /// The matrices of an instruction.
    pub(super) mark: MatrixMark,
    /// Warps that have different columns.
    pub(super) warps: i64,
    /// Matrices of each of them side by side.
    tiles: i64,
    /// Rows of a thread.
    rows: i64,
}

impl Fragments {
    /// Threads that have different columns of a matrix, and how many each has.
    pub(super) const LANES: i64 = 4;
    const OWN: i64 = 2;
    const OF_MATRIX: i64 = Fragments::LANES * Fragments::OWN;

    /// Those of blocks as large as with so many results a thread: warps have 32 x 32 results, or 64 x 32, so
    /// that they read at most half an operand for each product of 8 x 4 and 4 x 8 matrices.
    pub(super) fn of((of, mark): (FloatingType, MatrixMark), results: ThreadResults) -> Fragments {
        Fragments { of, mark, warps: results.number() / 2, tiles: 4, rows: results.number() }
    }

    /// The sizes of blocks along rows and columns.
    pub(super) fn dimensions(&self) -> [Dimension; 2] {
        let own =
            |threads, results| Dimension { threads, results, is_fastest: false, is_plain: false };
        let columns = (self.warps * Fragments::LANES, self.tiles * Fragments::OWN);
        [own(ROW_THREADS, self.rows), own(columns.0, columns.1)]
    }

    /// By how many elements rows of operands are longer than a block.
    pub(super) fn padding(element_bytes: i64) -> i64 {
        (PADDED_BY_BYTES / element_bytes.max(1)).max(1)
    }

    /// The iterations of a sum in each of two buffers, the best number first.
    pub(super) fn sum_tiles(&self) -> &'static [i64] {
        match self.of {
            FloatingType::Float => &SUM_TILES_OF_FLOAT,
            _ => &SUM_TILES_OF_TWO,
        }
    }

    /// The iterations of a sum that are added up at a time.
    pub(super) fn products(&self) -> i64 {
        i64::from(self.mark.products)
    }

    /// The number of a row's matrix among those of its thread, and its number among the rows that the thread
    /// has of one, if there are several.
    pub(super) fn matrix_and_row(&self, row: &Aff) -> (Aff, Option<Aff>) {
        let rows = ROW_THREADS * i64::from(self.mark.rows_of_thread());
        let matrix = quotient(&row.modulo(&Int::from(ROW_THREADS * self.rows)), rows);
        let own = quotient(&row.modulo(&Int::from(rows)), ROW_THREADS);
        (matrix, (rows > ROW_THREADS).then_some(own))
    }

    fn of_warp(&self) -> i64 {
        self.tiles * Fragments::OF_MATRIX
    }

    /// The thread of a result along each axis, the slowest first.
    pub(super) fn threads(&self, row: &Aff, column: &Aff) -> Vec<Aff> {
        let of_block = column.modulo(&Int::from(self.warps * self.of_warp()));
        let of_matrix = column.modulo(&Int::from(Fragments::OF_MATRIX));
        vec![
            quotient(&of_block, self.of_warp()),
            row.modulo(&Int::from(ROW_THREADS)),
            quotient(&of_matrix, Fragments::OWN),
        ]
    }

    /// The number of a result among those of its thread: of the row, of the matrix along columns, and of the
    /// column in it.
    pub(super) fn results(&self, row: &Aff, column: &Aff) -> Vec<Aff> {
        let of_block = row.modulo(&Int::from(ROW_THREADS * self.rows));
        let of_warp = column.modulo(&Int::from(self.of_warp()));
        vec![
            quotient(&of_block, ROW_THREADS),
            quotient(&of_warp, Fragments::OF_MATRIX),
            column.modulo(&Int::from(Fragments::OWN)),
        ]
    }

    /// How many there are of each of these.
    pub(super) fn extents(&self) -> Vec<i64> {
        vec![self.rows, self.tiles, Fragments::OWN]
    }
}
