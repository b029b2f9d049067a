//! Dependences that need not be looked at, since an occupancy vector for another one covers them (Yuki and
//! Rajopadhye, lemma 1).
use crate::universe::compositions;
use loopwright_exact::Int;
use loopwright_presburger::{Budget, Result};

/// The vectors without those that occur in a sum of vectors which is another one of them.
///
/// An occupancy vector for the rest is one for all. `generators` are what sums are made of beside the vectors
/// themselves: the dummy dependences of a universe.
///
/// *Cost.* An integer program per pair of vectors.
///
/// ```
/// use loopwright_presburger::{Budget, Int};
/// use loopwright_storage::without_subsumed;
/// let vectors = [vec![Int::from(1), Int::from(0)], vec![Int::from(2), Int::from(0)]];
/// assert_eq!(without_subsumed(&vectors, &[], &Budget::unlimited())?, [[Int::from(2), Int::from(0)]]);
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
///
/// # Errors
/// If the budget runs out.
pub fn without_subsumed(
    vectors: &[Vec<Int>],
    generators: &[Vec<Int>],
    budget: &Budget,
) -> Result<Vec<Vec<Int>>> {
    let mut kept: Vec<Vec<Int>> = Vec::new();
    for vector in vectors {
        if !kept.contains(vector) {
            kept.push(vector.clone());
        }
    }
    let mut position = 0;
    while position < kept.len() {
        if is_subsumed(&kept, position, generators, budget)? {
            kept.remove(position);
        } else {
            position += 1;
        }
    }
    Ok(kept)
}

/// Whether one of the others is a sum in which the vector at `position` occurs.
fn is_subsumed(
    vectors: &[Vec<Int>],
    position: usize,
    generators: &[Vec<Int>],
    budget: &Budget,
) -> Result<bool> {
    for (other, target) in vectors.iter().enumerate() {
        if other == position {
            continue;
        }
        let mut parts = vec![vectors[position].clone()];
        let rest = vectors.iter().enumerate().filter(|(at, _)| *at != position && *at != other);
        parts.extend(rest.map(|(_, vector)| vector.clone()));
        parts.extend(generators.iter().cloned());
        if !compositions(&parts, target, Some(0))?.is_empty(budget)? {
            return Ok(true);
        }
    }
    Ok(false)
}
