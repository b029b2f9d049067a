//! SICA: tile sizes from the caches and the vector registers.
//!
//! Feld, Soddemann, Jünger, Mallach, "Hardware-aware automatic code-transformation to support
//! compilers in exploiting the multi-level parallel potential of modern CPUs" (2013) and "Facilitate
//! SIMD-code-generation in the polyhedral model by hardware-aware automatic code-transformation"
//! (IMPACT 2013). At most two loops of a nest are tiled: the vector loop, so that everything that one
//! tile of it reads or writes fills a share of the first level cache, in whole vector registers; and
//! the outermost other loop by the ratio of the second level cache to the first.
//!
//! The statements of an innermost band form a *block*, and each block has its own size, unless all
//! are to have the least or the greatest of these. With `E` references of `D` bytes that move with
//! the vector loop, a first level cache of `C` bytes, registers of `V` bytes and a share ρ, the vector
//! loop gets floor(ρ C / (E V)) registers of V / D elements.
pub use crate::settings::sica::{Blocks, Levels, Share, Sica};

use crate::cost::nest::{Nest, NestAccess, NestStatement};
use crate::cost::profitability::element_bytes;
use loopwright_machine::Machine;
use loopwright_presburger::{Budget, Error, Map, Result, UnionMap};
use loopwright_schedule::Reaching;
use loopwright_scop::{AccessKind, Scop};

/// What the statements of a block touch in one iteration of the vector loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Block {
    /// The number of different references that move with the vector loop.
    pub references: u64,
    /// The bytes of one element of each of them.
    pub bytes: u64,
    /// The bytes of the smallest of these elements.
    pub least_bytes: u64,
}

impl Block {
    /// A block of `references` references to elements of `bytes` bytes.
    pub fn uniform(references: u64, bytes: u64) -> Self {
        Block { references, bytes: references.saturating_mul(bytes), least_bytes: bytes }
    }

    /// The block of the statements of `nest`, whose vector loop is schedule dimension `dimension`;
    /// `below` reaches the child of the band.
    ///
    /// References are the same if they access the same element in every iteration that runs both. If
    /// `budget` runs out before that is known, they count as different.
    ///
    /// *Cost.* A union and a test for single values per pair of references to one array.
    ///
    /// # Errors
    /// For malformed trees.
    pub fn new(
        nest: &Nest,
        below: &Reaching,
        dimension: usize,
        scop: &Scop,
        budget: &Budget,
    ) -> Result<Block> {
        let times = below.prefix_schedule()?;
        let mut seen: Vec<(usize, Map)> = Vec::new();
        let mut block = Block::default();
        for statement in &nest.statements {
            let executed = statement.statement.accesses.iter();
            let executed = executed.filter(|access| access.kind != AccessKind::Kill);
            for (access, moving) in executed.zip(&statement.accesses) {
                if !moves(statement, moving, dimension) {
                    continue;
                }
                let at_time = at_times(&access.relation, &times)?;
                if is_known(&at_time, moving.array, &seen, budget)? {
                    continue;
                }
                seen.extend(at_time.map(|map| (moving.array, map)));
                let bytes = element_bytes(scop, moving.array).unsigned_abs();
                let least = if block.references == 0 { bytes } else { block.least_bytes };
                block = Block {
                    references: block.references + 1,
                    bytes: block.bytes.saturating_add(bytes),
                    least_bytes: least.min(bytes),
                };
            }
        }
        Ok(block)
    }

    /// The tile size of the vector loop; none if nothing moves with it. At least one register.
    ///
    /// ```
    /// use loopwright_machine::Machine;
    /// use loopwright_transform::tile::sica::{Block, Share};
    /// let machine = Machine { l1_bytes: 32 << 10, vector_bytes: 16, ..Machine::generic() };
    /// let share = Share::parse("0.9").unwrap();
    /// assert_eq!(Block::uniform(2, 4).vector_tile(&machine, share), Some(3684));
    /// assert_eq!(Block::uniform(0, 4).vector_tile(&machine, share), None);
    /// ```
    pub fn vector_tile(&self, machine: &Machine, share: Share) -> Option<i64> {
        if self.references == 0 {
            return None;
        }
        let in_register = u128::from(machine.vector_bytes / self.least_bytes.max(1)).max(1);
        let cache = u128::from(share.numerator) * u128::from(machine.l1_bytes);
        let iteration = u128::from(share.denominator) * u128::from(self.bytes.max(1));
        let registers = (cache / (iteration * in_register)).max(1);
        Some(i64::try_from(registers * in_register).unwrap_or(i64::MAX))
    }
}

/// The tile size of the second loop: the ratio of the caches, at least one.
///
/// ```
/// use loopwright_machine::Machine;
/// use loopwright_transform::tile::sica::outer_tile;
/// let machine = Machine { l1_bytes: 32 << 10, l2_bytes: 256 << 10, ..Machine::generic() };
/// assert_eq!(outer_tile(&machine), 8);
/// ```
pub fn outer_tile(machine: &Machine) -> i64 {
    i64::try_from(machine.l2_bytes / machine.l1_bytes.max(1)).unwrap_or(i64::MAX).max(1)
}

impl Sica {
    /// The sizes for a band whose members take so many values and whose vector loop is member
    /// `vector`: one for loops that are not tiled. None if nothing moves with that loop, or it is the
    /// only loop.
    pub fn sizes(
        &self,
        block: &Block,
        extents: &[i64],
        vector: usize,
        machine: &Machine,
    ) -> Option<Vec<i64>> {
        let own = block.vector_tile(machine, self.share)?;
        let mut others = (0..extents.len()).filter(|&m| m != vector && extents[m] > 1);
        let outermost = others.next()?;
        let mut sizes = vec![1; extents.len()];
        if self.levels == Levels::Two {
            sizes[outermost] = outer_tile(machine);
        }
        *sizes.get_mut(vector)? = match self.blocks {
            Blocks::Same(size) => size.max(1),
            _ => own,
        };
        Some(sizes)
    }

    /// The same choices with one size for all blocks, whose own sizes are `found`; none if the blocks
    /// are to have their own.
    pub fn uniform(&self, found: &[i64]) -> Option<Sica> {
        let size = match self.blocks {
            Blocks::Least => *found.iter().min()?,
            Blocks::Greatest => *found.iter().max()?,
            Blocks::Own | Blocks::Same(_) => return None,
        };
        Some(Sica { blocks: Blocks::Same(size), ..self.clone() })
    }
}

/// Whether an access moves with a schedule dimension, or may.
fn moves(statement: &NestStatement, access: &NestAccess, dimension: usize) -> bool {
    let (Some(subscripts), Some(step)) = (&access.subscripts, statement.direction(dimension))
    else {
        return true;
    };
    subscripts.iter().any(|row| !row.dot(&step).is_zero())
}

/// The elements that a reference accesses, by time.
fn at_times(relation: &Map, times: &UnionMap) -> Result<Option<Map>> {
    let accessed = UnionMap::from_map(relation.clone()).apply_domain(times)?;
    Ok(accessed.maps().first().cloned())
}

/// Whether one of the references that were `seen` accesses the same elements at the same times.
fn is_known(
    at_time: &Option<Map>,
    array: usize,
    seen: &[(usize, Map)],
    budget: &Budget,
) -> Result<bool> {
    let Some(map) = at_time else { return Ok(false) };
    for (_, other) in seen.iter().filter(|(known, _)| *known == array) {
        match map.union(other)?.is_single_valued(budget) {
            Ok(true) => return Ok(true),
            Ok(false) | Err(Error::Exceeded { .. }) => {}
            Err(other) => return Err(other),
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine(l1_kib: u64, bits: u64) -> Machine {
        let (l1_bytes, vector_bytes) = (l1_kib << 10, bits / 8);
        Machine { l1_bytes, l2_bytes: 256 << 10, vector_bytes, ..Machine::generic() }
    }

    #[test]
    fn published_and_derived_sizes() {
        let rows: [(u64, u64, u64, &str, &[i64]); 9] = [
            (32, 128, 4, "1.0", &[8192, 4096, 2728, 2048, 1636, 1364]),
            (32, 128, 4, "0.9", &[7372, 3684, 2456, 1840, 1472, 1228]),
            (32, 128, 4, "0.8", &[6552, 3276, 2184, 1636, 1308, 1092]),
            (32, 128, 8, "1", &[4096, 2048, 1364, 1024, 818, 682]),
            (32, 256, 4, "1", &[8192, 4096, 2728, 2048, 1632, 1360]),
            (32, 256, 4, ".9", &[7368, 3680, 2456, 1840, 1472, 1224]),
            (32, 512, 8, "0.90", &[3680, 1840, 1224, 920, 736, 608]),
            (48, 256, 4, "1.0", &[12288, 6144, 4096, 3072]),
            (32, 128, 4, "10", &[81920, 40960]),
        ];
        for (l1, bits, bytes, share, sizes) in rows {
            let (machine, share) = (machine(l1, bits), Share::parse(share).unwrap());
            for (references, &size) in (1..).zip(sizes) {
                let found = Block::uniform(references, bytes).vector_tile(&machine, share);
                assert_eq!(found, Some(size), "{l1} KiB, {bits} bits, {bytes} bytes, {references}");
            }
        }
    }

    #[test]
    fn sizes_are_the_greatest_that_fit() {
        // The definition, counted: more registers would not fit in the share.
        let share = Share::parse("0.37").unwrap();
        for references in 1..40u64 {
            let machine = machine(32, 256);
            let size = Block::uniform(references, 8).vector_tile(&machine, share).unwrap();
            let bytes = |size: i64| size.unsigned_abs() * 8 * references * 100;
            assert!(size % 4 == 0 && bytes(size) <= 37 * (32 << 10), "{references}");
            assert!(bytes(size + 4) > 37 * (32 << 10), "{references}");
        }
    }

    #[test]
    fn one_register_at_least() {
        let tiny = Share::parse("0.000001").unwrap();
        assert_eq!(Block::uniform(3, 4).vector_tile(&machine(32, 256), tiny), Some(8));
        assert_eq!(outer_tile(&Machine { l1_bytes: 1 << 20, ..machine(32, 256) }), 1);
        assert_eq!(Block::uniform(1, 64).vector_tile(&machine(32, 256), tiny), Some(1));
    }

    #[test]
    fn mixed_types_fill_the_cache_by_bytes() {
        let block = Block { references: 2, bytes: 12, least_bytes: 4 };
        let size = block.vector_tile(&machine(32, 128), Share::parse("1").unwrap());
        assert_eq!(size, Some(2728), "32768 / 12 = 2730 iterations, in fours");
    }

    #[test]
    fn shares() {
        let bad = ["", ".", "-1", "0", "0.000", "1e3", "1234567", "0.1234567", "0.5 ", "+1"];
        assert!(bad.iter().all(|text| Share::parse(text).is_none()));
        for text in ["0.9", "1", "12.000001", "999999", "0.05"] {
            assert_eq!(Share::parse(text).map(|share| share.to_string()), Some(text.to_string()));
        }
        assert_eq!(Share::parse("1.25"), Some(Share { numerator: 125, denominator: 100 }));
    }

    #[test]
    fn blocks_alike() {
        let sica = |blocks| Sica { blocks, ..Sica::default() };
        assert_eq!(sica(Blocks::Own).uniform(&[3, 1]), None);
        assert_eq!(sica(Blocks::Least).uniform(&[3, 1, 2]), Some(sica(Blocks::Same(1))));
        assert_eq!(sica(Blocks::Greatest).uniform(&[3, 1, 2]), Some(sica(Blocks::Same(3))));
        assert_eq!(sica(Blocks::Least).uniform(&[]), None);
        let block = Block::uniform(2, 4);
        let sizes = |sica: Sica| sica.sizes(&block, &[9, 9, 9], 1, &machine(32, 128));
        assert_eq!(sizes(Sica::default()), Some(vec![8, 3684, 1]));
        assert_eq!(sizes(sica(Blocks::Same(40))), Some(vec![8, 40, 1]));
        let one = Sica { levels: Levels::One, ..Sica::default() };
        assert_eq!(sizes(one), Some(vec![1, 3684, 1]));
        let of = |extents: &[i64]| Sica::default().sizes(&block, extents, 2, &machine(32, 128));
        assert_eq!(of(&[1, 9, 9]), Some(vec![1, 8, 3684]), "the outermost loop that is one");
        assert_eq!(of(&[1, 1, 9]), None);
    }
}
