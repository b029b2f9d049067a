//! Storage mappings of scheduled programs.
//!
//! Where a program is executed in tiles whose sizes are not known, and tiles run in parallel, which values
//! can share a cell? The answer is a vector: the instance `z + u` may overwrite what `z` has written,
//! whatever the sizes of tiles ([`quasi_universal_vectors`]; Yuki and Rajopadhye, "Memory allocations for
//! tiled uniform dependence programs", IMPACT 2013). An [`Allocation`] makes cells of it, and counts them.
//! [`statement_values`] finds the vectors of a program with a schedule, and a [`Contraction`] is the program
//! with cells.

mod allocation;
mod contraction;
mod copy_out;
mod element_order;
mod index_set_splitting;
mod occupancy;
mod places;
mod quasi_universal;
mod subsumption;
mod successive_modulo;
mod universe;
mod values;

pub use allocation::Allocation;
pub use contraction::{
    Contraction, accessed_elements, contractible_arrays, is_read_before_written,
};
pub use copy_out::{Copied, add_copies, left_elements, name_of_copies, order_of_copies};
pub use element_order::order_by_elements;
pub use index_set_splitting::{BoundedUse, split_boundaries};
pub use occupancy::{Consumer, is_occupancy_vector, length, shortest_vectors, trivial_vector};
pub use quasi_universal::quasi_universal_vectors;
pub use subsumption::without_subsumed;
pub use successive_modulo::{successive_moduli, values_at_one_time};
pub use universe::{AllSchedules, Bands, Run, RunKind, TilesInOrder, Universe};
pub use values::{StatementValues, proposed_moduli, statement_values};
