//! Occupancy vectors: how far from a value the next one in its cell is.
//!
//! `u` is an occupancy vector of values if the cell of the value that the instance `z` writes may be written
//! again by `z + u`: in every order of a universe all instances that read the value have run by then, or
//! `z + u` is the last of them, since instances read before they write (Yuki and Rajopadhye, IMPACT 2013,
//! section 2.4).
use crate::universe::Universe;
use loopwright_exact::Int;
use loopwright_presburger::{Budget, Result};
use std::collections::BTreeSet;

/// What reads values of a statement: from the instance `z` those at a distance.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Consumer {
    /// From producer to consumer, along the loops that both are in.
    pub distance: Vec<Int>,
    /// Whether the consumer comes after the producer in an iteration of these loops. One that does not reads
    /// before the producer writes again, or is the producer.
    pub is_behind: bool,
}

impl Consumer {
    /// An instance of the same statement.
    #[must_use]
    pub fn own(distance: &[i64]) -> Self {
        let distance = distance.iter().map(|&component| Int::from(component)).collect();
        Consumer { distance, is_behind: false }
    }

    /// An instance of a statement that comes later in the same body of the loops.
    #[must_use]
    pub fn behind(distance: &[i64]) -> Self {
        Consumer { is_behind: true, ..Consumer::own(distance) }
    }
}

/// Whether `u` is an occupancy vector of values that `consumers` read, in the given universe.
///
/// *Exactness.* Exact for values all of which have all of the consumers. *Cost.* A question to the universe
/// per consumer.
///
/// ```
/// use loopwright_presburger::{Budget, Int};
/// use loopwright_storage::{Bands, Consumer, is_occupancy_vector};
/// let behind = [Consumer::behind(&[0, 1])];
/// let (tiles, budget) = (Bands::tilable(2), Budget::unlimited());
/// let vector = |a, b| [Int::from(a), Int::from(b)];
/// assert!(!is_occupancy_vector(&vector(0, 1), &behind, &tiles, &budget)?, "written first, then read");
/// assert!(is_occupancy_vector(&vector(1, 1), &behind, &tiles, &budget)?);
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
///
/// # Errors
/// If the budget runs out.
pub fn is_occupancy_vector(
    u: &[Int],
    consumers: &[Consumer],
    universe: &dyn Universe,
    budget: &Budget,
) -> Result<bool> {
    if u.iter().all(Int::is_zero) || !universe.never_later(&vec![Int::ZERO; u.len()], u, budget)? {
        return Ok(false);
    }
    for Consumer { distance, is_behind } in consumers {
        let outer = &u[..distance.len().min(u.len())];
        if (*is_behind && outer == &distance[..])
            || !universe.never_later(distance, outer, budget)?
        {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The sum of all distances: an occupancy vector in every universe that respects the dependences, if no
/// consumer is [behind](Consumer::is_behind) and all are in the same loops (section 2.4).
#[must_use]
pub fn trivial_vector(consumers: &[Consumer]) -> Vec<Int> {
    let distances: BTreeSet<&Vec<Int>> = consumers.iter().map(|c| &c.distance).collect();
    let n = distances.iter().map(|distance| distance.len()).max().unwrap_or(0);
    distances.iter().fold(vec![Int::ZERO; n], |sum, distance| {
        let padded = distance.iter().cloned().chain(std::iter::repeat(Int::ZERO));
        sum.iter().zip(padded).map(|(a, b)| a + &b).collect()
    })
}

/// The Manhattan length.
#[must_use]
pub fn length(vector: &[Int]) -> Int {
    vector.iter().map(Int::abs).sum()
}

/// The shortest occupancy vectors of `n_dims` components by Manhattan length, found by trying all up to
/// `longest`; none if there is none.
///
/// *Cost.* One test per vector of that length or less: the number of vectors grows with the power `n_dims` of
/// the length.
///
/// # Errors
/// If the budget runs out.
pub fn shortest_vectors(
    n_dims: usize,
    consumers: &[Consumer],
    universe: &dyn Universe,
    longest: u32,
    budget: &Budget,
) -> Result<Vec<Vec<Int>>> {
    for length in 1..=longest {
        let mut found = Vec::new();
        let mut vector = vec![Int::ZERO; n_dims];
        each_of_length(&mut vector, 0, i64::from(length), &mut |vector| {
            budget.spend(1, "search for occupancy vectors")?;
            if is_occupancy_vector(vector, consumers, universe, budget)? {
                found.push(vector.to_vec());
            }
            Ok(())
        })?;
        if !found.is_empty() {
            return Ok(found);
        }
    }
    Ok(Vec::new())
}

/// Calls `visit` with all vectors whose components from `first` on have a sum of absolute values of `left`.
fn each_of_length(
    vector: &mut [Int],
    first: usize,
    left: i64,
    visit: &mut dyn FnMut(&[Int]) -> Result<()>,
) -> Result<()> {
    if first + 1 >= vector.len() {
        let signs: &[i64] = if left == 0 { &[1] } else { &[-1, 1] };
        for sign in signs {
            if let Some(last) = vector.last_mut() {
                *last = Int::from(sign * left);
            }
            visit(vector)?;
        }
        return Ok(());
    }
    for component in -left..=left {
        vector[first] = Int::from(component);
        each_of_length(vector, first + 1, left - component.abs(), visit)?;
    }
    Ok(())
}
