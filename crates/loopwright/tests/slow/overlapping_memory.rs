//! 2,000 random functions on memory that overlaps.

#[path = "../it/overlapping_memory.rs"]
mod functions;

#[test]
fn two_thousand_functions_on_overlapping_memory_compute_the_same() {
    (100..120).for_each(|seed| functions::check_functions(seed, 100));
}
