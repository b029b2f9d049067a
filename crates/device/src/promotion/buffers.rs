//! Tiles of operands in one or two buffers.
//!
//! With one buffer a tile is filled, and computed between two barriers. With two the tile behind is on its
//! way while one is computed: tile t is in buffer t mod 2, and one barrier in front of each step is enough,
//! since what is filled in a step was read for the last time in the step before. The copies of a tile are a
//! step ahead of its sums in the schedule.
use super::dimension::quotient;
use loopwright_exact::Int;
use loopwright_presburger::Aff;
use loopwright_scop::{Scop, Term};

/// How operands come into shared memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TileCopies {
    /// All threads wait while a tile is filled.
    OneBuffer,
    /// The next tile is read into registers while a tile is computed, and stored into a second buffer after
    /// it.
    TwoBuffers,
    /// The same, and plain elements are copied past the registers.
    Asynchronous,
}

impl TileCopies {
    /// The iterations of a sum that each of two buffers has operands of 8 bytes for, if there is room for so
    /// many.
    pub const ITERATIONS_OF_TWO: u32 = 8;
}

/// Iterations of a sum for which operands are in shared memory at a time: a line of memory in doubles.
const SUM_TILE: i64 = 16;

/// The same with two buffers, the first ones that fit: as in products by hand, so that two buffers need the
/// memory of one.
pub(super) const SUM_TILES_OF_TWO: [i64; 2] = [TileCopies::ITERATIONS_OF_TWO as i64, 4];

/// Two buffers are for blocks of at least so many independent loops: with one, blocks do little else than
/// read memory, and more of them hide its latency as well.
const LOOPS_OF_TWO: usize = 2;

/// The bytes of an element that devices copy asynchronously.
const ASYNCHRONOUS_BYTES: [u64; 3] = [4, 8, 16];

impl TileCopies {
    /// Whether a part of a statement is copied asynchronously: a device copies elements as they are.
    pub(super) fn is_asynchronous(self, part: &Term, scop: &Scop) -> bool {
        let element = part.without_parentheses().as_element();
        let bytes = element.and_then(|element| scop.array(element.array).element_bytes);
        self == TileCopies::Asynchronous
            && bytes.is_some_and(|bytes| ASYNCHRONOUS_BYTES.contains(&bytes))
    }
}

/// The buffers of the operands of a sum.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Buffers {
    copies: TileCopies,
    /// The iterations of the sum for which a buffer has operands.
    pub(crate) sum_tile: i64,
}

impl Buffers {
    /// The best ones that fit, of which two have so many iterations each, the best number first; one buffer
    /// if none does.
    pub(crate) fn fitting(
        copies: TileCopies,
        (n_loops, of_two): (usize, &[i64]),
        fits: impl Fn(&Buffers) -> bool,
    ) -> Buffers {
        let may_be_two = copies != TileCopies::OneBuffer && n_loops >= LOOPS_OF_TWO;
        let of_two = if may_be_two { of_two } else { &[] };
        let mut two = of_two.iter().map(|&sum_tile| Buffers { copies, sum_tile });
        two.find(fits).unwrap_or(Buffers { copies: TileCopies::OneBuffer, sum_tile: SUM_TILE })
    }

    /// Whether there are two of them.
    pub(crate) fn are_two(&self) -> bool {
        self.copies != TileCopies::OneBuffer
    }

    /// The number of the tile of an iteration of the sum.
    pub(crate) fn tile(&self, sum: &Aff) -> Aff {
        quotient(sum, self.sum_tile)
    }

    /// The step in which the tile of an iteration of the sum is copied.
    pub(crate) fn step(&self, tile: &Aff) -> Aff {
        match self.are_two() {
            true => tile.add_constant(&-&Int::ONE),
            false => tile.clone(),
        }
    }

    /// The first coordinates of the cell of an operand: the buffer, and the iteration of the sum in its tile.
    pub(crate) fn cell(&self, sum: &Aff) -> Vec<Aff> {
        let in_tile = sum.modulo(&Int::from(self.sum_tile));
        match self.are_two() {
            true => vec![self.tile(sum).modulo(&Int::from(2)), in_tile],
            false => vec![in_tile],
        }
    }

    /// The iteration of the sum among those that buffers have operands for: as good as its cell, and simpler
    /// to compute with.
    pub(crate) fn place(&self, sum: &Aff) -> Aff {
        sum.modulo(&Int::from(self.number() * self.sum_tile))
    }

    /// The extents of these coordinates.
    pub(crate) fn extents(&self) -> Vec<i64> {
        if self.are_two() { vec![2, self.sum_tile] } else { vec![self.sum_tile] }
    }

    /// The number of buffers.
    fn number(&self) -> i64 {
        if self.are_two() { 2 } else { 1 }
    }

    /// Whether an operand is copied asynchronously.
    pub(crate) fn is_asynchronous(&self, part: &Term, scop: &Scop) -> bool {
        self.copies.is_asynchronous(part, scop)
    }
}
