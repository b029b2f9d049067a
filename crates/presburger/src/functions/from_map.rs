//! The function whose graph is a relation.
//!
//! # Method
//! The values of the output dimensions (and of unknown locals on the way) are read off a basic
//! relation one by one, each in terms of what is known already:
//!
//! * a floor of known columns is known;
//! * an equality `a x + f = 0` with known `f` gives `x = -f / a`, which is an integer on the domain;
//! * a pair `a x + e >= 0`, `-a x + f >= 0` with a constant `0 <= e + f < a` leaves at most one
//!   integer: `x <= f / a` and `x >= f / a - (e + f) / a > f / a - 1`, thus `x = ⌊f / a⌋`;
//! * an equality `a x + f = m q` with an unknown local `q` and such a pair `c x + e >= 0`,
//!   `-c x + g >= 0` with `0 <= a (e + g) < c m` leave at most one `q` in the same way:
//!   `q = ⌊(c f + a g) / (c m)⌋`, and `x = (m q - f) / a`.
//!
//! A piece that does not yield is first made explicit by its lexicographic minimum, which is the
//! piece itself if it is single-valued. Pieces with different expressions whose domains overlap must
//! agree there; the later domain is reduced.
use crate::core::budget::Budget;
use crate::core::error::{During, Error, Result};
use crate::core::map::Map;
use crate::core::set::Set;
use crate::functions::graph_reader::explicit_piece;
use crate::functions::lexicographic_optimum::least_of_basic;
use crate::functions::multi_aff::MultiAff;
use crate::functions::piecewise::PwMultiAff;

fn refused(map: &Map, reason: &str) -> Error {
    Error::Invalid { operation: "the function of a relation", reason: format!("{reason}: {map}") }
}

impl PwMultiAff {
    /// The function whose graph is a single-valued relation.
    ///
    /// *Cost.* Linear for pieces whose outputs follow from equalities or floors; emptiness tests
    /// between pieces with different expressions; a lexicographic minimum otherwise.
    ///
    /// ```
    /// use loopwright_presburger::{Budget, Map, PwMultiAff};
    /// let graph = Map::parse("{ [i] -> [j] : 2j <= i <= 2j + 1 }")?;
    /// let half = PwMultiAff::from_map(&graph, &Budget::unlimited())?;
    /// assert_eq!(half.to_string(), "{ [i] -> [(floor((i)/2))] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Invalid`] if the relation is not single-valued; [`Error::Exceeded`].
    pub fn from_map(map: &Map, budget: &Budget) -> Result<Self> {
        let mut pieces: Vec<(Set, MultiAff)> = Vec::new();
        for basic in map.basic_maps().iter().filter(|basic| !basic.plain_is_empty()) {
            if let Some(piece) = explicit_piece(basic)? {
                insert(&mut pieces, piece, map, budget).during("from_map")?;
                continue;
            }
            let single = Map::from_basic_map(basic.clone());
            if !single.is_single_valued(budget).during("from_map")? {
                return Err(refused(map, "not single-valued"));
            }
            for piece in least_of_basic(basic, budget).during("from_map")?.pieces {
                insert(&mut pieces, piece, map, budget).during("from_map")?;
            }
        }
        Ok(PwMultiAff::from_pieces(map.space().clone(), pieces))
    }
}

/// Adds a piece, reduced to where the others are not defined.
fn insert(
    pieces: &mut Vec<(Set, MultiAff)>,
    (mut domain, aff): (Set, MultiAff),
    map: &Map,
    budget: &Budget,
) -> Result<()> {
    let mut same = None;
    for (index, (other_domain, other)) in pieces.iter().enumerate() {
        if other.plain_is_equal(&aff) {
            same = Some(index);
            continue;
        }
        let common = domain.intersect_within(other_domain, budget)?;
        if common.is_empty(budget)? {
            continue;
        }
        if !common.is_subset(&aff.equal_set(other)?, budget)? {
            return Err(refused(map, "not single-valued"));
        }
        domain = domain.subtract(other_domain, budget)?;
    }
    match same {
        Some(index) => pieces[index].0 = pieces[index].0.union(&domain)?,
        None => pieces.push((domain, aff)),
    }
    Ok(())
}
