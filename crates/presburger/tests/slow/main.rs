//! Tests that take minutes: `cargo test --release --workspace --test slow`.
#[path = "../it/random_counts.rs"]
mod random_counts;

use loopwright_testkit::cases;
use random_counts::{Numbers, Shape, check_random, check_random_sums};

/// How many sets: as many as the environment says, or `n`.
fn wanted(n: usize) -> usize {
    cases::number("LOOPWRIGHT_RANDOM_COUNTS").map_or(n, |n| n as usize)
}

/// Sets of up to five dimensions, with up to two parameters and an existential: 300, or as many as the
/// environment variable `LOOPWRIGHT_RANDOM_COUNTS` says (5,000 take a quarter of an hour).
#[test]
fn counts_of_random_sets_are_those_of_enumeration() {
    let n = |numbers: &mut Numbers, least, most| usize::try_from(numbers.of(least..=most)).unwrap();
    check_random(11, wanted(300), (500_000, 7), |numbers| {
        let n_dims = n(numbers, 1, 5);
        Shape {
            n_params: n(numbers, 0, 2),
            n_dims,
            has_existential: numbers.of(0..=2) == 0,
            side: [0, 6, 4, 3, 2, 1][n_dims],
        }
    });
}

/// Sums over sets of up to four dimensions: 200, or as many as the environment variable says.
#[test]
fn sums_over_random_sets_are_those_of_enumeration() {
    let n = |numbers: &mut Numbers, least, most| usize::try_from(numbers.of(least..=most)).unwrap();
    check_random_sums(12, wanted(200), (500_000, 6), |numbers| {
        let n_dims = n(numbers, 1, 4);
        Shape {
            n_params: n(numbers, 0, 2),
            n_dims,
            has_existential: numbers.of(0..=3) == 0,
            side: [0, 6, 4, 3, 2][n_dims],
        }
    });
}
