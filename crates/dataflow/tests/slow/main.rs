//! Tests that take minutes: `cargo test --release --workspace --test slow`.
#[path = "../it/parametric/mod.rs"]
mod parametric;

use loopwright_testkit::cases::seeds_by;

/// 80 random programs with dynamic control, or as many as the environment variable `LOOPWRIGHT_RANDOM_FLOWS`
/// says: those of them in whose values variables are followed, or the others.
fn have_exactly_their_sources(follows: bool) {
    let seeds = seeds_by("LOOPWRIGHT_RANDOM_FLOWS", 1000, 80);
    let own = seeds.filter(|&seed| parametric::random::follows(seed) == follows);
    let (n_reads, n_parameters) = parametric::random::check_random(own);
    println!("{n_reads} reads, {n_parameters} parameters");
}

#[test]
fn more_random_programs_have_exactly_their_sources() {
    have_exactly_their_sources(false);
}

#[test]
fn more_random_programs_that_follow_values_have_exactly_their_sources() {
    have_exactly_their_sources(true);
}

/// The programs of the repository, those whose control depends on data among them. In one of them the model
/// of today has an affine form for what the one with filters evaluates, so two of its relations have more
/// pairs.
#[test]
fn projections_add_little_to_the_dependences_of_programs() {
    let mut found = parametric::corpus::Comparison::default();
    for folder in ["kernels", "programs", "data_programs"] {
        parametric::corpus::compare(&format!("crates/loopwright/tests/{folder}"), &mut found);
    }
    println!("{found:#?}");
    assert!(found.n_pairs > 1100 && found.n_smaller > 250, "{found:?}");
    assert!(found.added.len() <= 2, "{:#?}", found.added);
}
