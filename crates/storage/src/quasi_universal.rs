//! Shortest occupancy vectors of tiled and sequential loops, without search.
//!
//! * Permutable loops: the maximum of all distances in each component (Yuki and Rajopadhye, theorem 1). Unit
//!   vectors between iterations are no restriction for tilings, so that maximum comes after all consumers,
//!   and nothing less does.
//! * Loops in lexicographic order: any vector that is not less than the lexicographic maximum `m`. The paper
//!   (corollary 1) offers `m` and `(m1 + 1, 0, ..)`; a prefix of `m` followed by zeros is another one if the
//!   rest of `m` is not positive, which is shorter for distances such as `(0, 1)` and `(1, -2)`.
//! * Mixtures: one run of loops after the other (corollary 2); a consumer that a run has surely passed no
//!   longer matters inside.
//! * Several statements (section 5.2): a consumer that comes behind the producer in the same iteration has to
//!   be passed by at least one iteration. (The paper's rule, a distance of at least one, is too little where
//!   the distance along the loops is one already: the next instance of the producer runs before the
//!   consumer.)
use crate::occupancy::{Consumer, length};
use crate::universe::{Bands, Run, RunKind};
use loopwright_exact::Int;

/// The least occupancy vectors of values that `consumers` read in the loops `bands`, shortest first; no two
/// are comparable without sizes of the program, so one of the later ones may need fewer cells. Values that
/// nobody reads have unit vectors.
///
/// *Cost.* Linear in the consumers for each run of loops; a factor of the number of loops of a run for each
/// run.
///
/// ```
/// use loopwright_presburger::Int;
/// use loopwright_storage::{Bands, Consumer, quasi_universal_vectors};
/// let consumers = [[2, 0], [2, 1], [1, 2], [0, 2]].map(|distance| Consumer::own(&distance));
/// assert_eq!(quasi_universal_vectors(&consumers, &Bands::tilable(2))[0], [Int::from(2), Int::from(2)]);
/// ```
#[must_use]
pub fn quasi_universal_vectors(consumers: &[Consumer], bands: &Bands) -> Vec<Vec<Int>> {
    let active: Vec<&Consumer> = consumers.iter().collect();
    let mut found = Vec::new();
    extend(&Prefix { vector: Vec::new(), active }, &bands.runs, bands.n_dims(), &mut found);
    found.sort_by_cached_key(|vector| (length(vector), vector.clone()));
    found.dedup();
    found
}

/// The first components of a vector, and the consumers that they do not surely pass.
struct Prefix<'c> {
    vector: Vec<Int>,
    active: Vec<&'c Consumer>,
}

/// All ways to go on with the vector along `runs`.
fn extend(prefix: &Prefix<'_>, runs: &[Run], n_dims: usize, found: &mut Vec<Vec<Int>>) {
    let is_new = prefix.vector.iter().any(|component| !component.is_zero());
    if prefix.active.is_empty() && is_new {
        let mut vector = prefix.vector.clone();
        vector.resize(n_dims, Int::ZERO);
        found.push(vector);
        return;
    }
    let Some((run, inner)) = runs.split_first() else {
        // Consumers at the very end are the next writer itself, or come before it.
        if is_new && !prefix.active.iter().any(|consumer| consumer.is_behind) {
            found.push(prefix.vector.clone());
        }
        return;
    };
    let start = prefix.vector.len();
    let parts: Vec<Vec<Int>> =
        prefix.active.iter().map(|consumer| part(consumer, start, run.n_dims)).collect();
    for own in candidates(run, &parts) {
        let is_met = |consumer: &Consumer| {
            let end = consumer.distance.len();
            let shared = end.saturating_sub(start).min(run.n_dims);
            consumer.distance.get(start..start + shared) == Some(&own[..shared])
        };
        let left: Vec<&Consumer> =
            prefix.active.iter().copied().filter(|consumer| is_met(consumer)).collect();
        let ends_here = |consumer: &&Consumer| consumer.distance.len() <= start + run.n_dims;
        if left.iter().any(|consumer| consumer.is_behind && ends_here(consumer)) {
            continue;
        }
        let active = left.into_iter().filter(|consumer| !ends_here(consumer)).collect();
        let vector = prefix.vector.iter().chain(&own).cloned().collect();
        extend(&Prefix { vector, active }, inner, n_dims, found);
    }
}

/// The components of a consumer's distance in a run, zeros behind its end.
fn part(consumer: &Consumer, start: usize, n_dims: usize) -> Vec<Int> {
    let component = |at: usize| consumer.distance.get(at).cloned().unwrap_or(Int::ZERO);
    (start..start + n_dims).map(component).collect()
}

/// Components for a run that come after all `parts`, or meet some of them: the least ones.
fn candidates(run: &Run, parts: &[Vec<Int>]) -> Vec<Vec<Int>> {
    let zero = vec![Int::ZERO; run.n_dims];
    match run.kind {
        RunKind::Tilable => {
            let least = parts.iter().fold(zero, |most, part| {
                most.into_iter().zip(part).map(|(a, b)| a.max(b.clone())).collect()
            });
            let longer = (0..run.n_dims).map(|dimension| one_more(&least, dimension));
            std::iter::once(least.clone()).chain(longer).collect()
        }
        RunKind::Sequential => {
            let most = parts.iter().max().filter(|most| **most >= zero).unwrap_or(&zero);
            let cut = |length: usize| {
                let mut vector = most[..length].to_vec();
                vector.resize(run.n_dims, Int::ZERO);
                vector
            };
            let prefixes = (0..run.n_dims).flat_map(|end| {
                let same = cut(end);
                let is_enough = same >= *most;
                let longer = one_more(&cut(end + 1), end);
                is_enough.then_some(same).into_iter().chain([longer])
            });
            std::iter::once(most.clone()).chain(prefixes).collect()
        }
    }
}

fn one_more(vector: &[Int], dimension: usize) -> Vec<Int> {
    let mut longer = vector.to_vec();
    longer[dimension] = &longer[dimension] + &Int::ONE;
    longer
}
