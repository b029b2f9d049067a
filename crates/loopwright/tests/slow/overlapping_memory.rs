//! More random functions on memory that overlaps: `LOOPWRIGHT_RANDOM_OVERLAPS=20` runs 2,000 of them.

#[path = "../it/overlapping_memory.rs"]
mod functions;

use loopwright_testkit::cases::seeds_by;

/// Files with 100 functions each.
#[test]
fn more_functions_on_overlapping_memory_compute_the_same() {
    let seeds = seeds_by("LOOPWRIGHT_RANDOM_OVERLAPS", 100, 2);
    seeds.for_each(|seed| functions::check_functions(seed, 100));
}
