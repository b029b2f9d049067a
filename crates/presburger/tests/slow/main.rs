//! Tests that take minutes: `cargo test --release --workspace --test slow`.
#[path = "../it/random_counts.rs"]
mod random_counts;

use random_counts::{Numbers, Shape, check_random};

/// 5,000 sets of up to five dimensions, with up to two parameters and an existential.
#[test]
fn counts_of_random_sets_are_those_of_enumeration() {
    let n = |numbers: &mut Numbers, least, most| usize::try_from(numbers.of(least..=most)).unwrap();
    check_random(11, 5_000, 2_000_000, |numbers| {
        let n_dims = n(numbers, 1, 5);
        Shape {
            n_params: n(numbers, 0, 2),
            n_dims,
            has_existential: numbers.of(0..=2) == 0,
            side: [0, 6, 4, 3, 2, 1][n_dims],
        }
    });
}
