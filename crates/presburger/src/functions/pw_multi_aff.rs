//! Piecewise tuples of quasi-affine expressions: where they come from and what they become.
//!
//! What they share with other piecewise functions is in [`super::piecewise`], operations on two of
//! them in [`super::tuple_operations`].
use crate::core::basic_map::BasicMap;
use crate::core::budget::Budget;
use crate::core::columns::{Part, conjoin};
use crate::core::error::Result;
use crate::core::map::Map;
use crate::core::set::Set;
use crate::core::space::{DimKind, Space};
use crate::core::tuple::Tuple;
use crate::functions::multi::range_space;
use crate::functions::multi_aff::MultiAff;
use crate::functions::piecewise::{PwAff, PwMultiAff, intersection};

impl PwMultiAff {
    /// One tuple everywhere.
    ///
    /// ```
    /// # use loopwright_presburger::{MultiAff, PwMultiAff};
    /// let access = MultiAff::parse("{ S[i] -> A[(i), (i + 1)] }")?;
    /// assert_eq!(PwMultiAff::from_multi_aff(access).to_string(), "{ S[i] -> A[(i), (1 + i)] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn from_multi_aff(aff: MultiAff) -> Self {
        PwMultiAff::everywhere(aff)
    }

    /// As a relation.
    ///
    /// *Method.* The graph of the expressions is one basic relation for each piece, whose input
    /// columns are the columns of the domain.
    ///
    /// ```
    /// # use loopwright_presburger::PwMultiAff;
    /// let f = PwMultiAff::parse("{ S[i] -> A[(i), (i + 1)] : i > 0 }")?;
    /// assert_eq!(f.to_map().to_string(), "{ S[i] -> A[i, 1 + i] : i > 0 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn to_map(&self) -> Map {
        let n_all = self.space.n_all();
        let place: Vec<usize> = (0..=n_all).collect();
        let domain_place = &place[..=n_all - self.space.n(DimKind::Out)];
        let restricted = |graph: &BasicMap, basic: &BasicMap| {
            let graph = Part { system: &graph.inner, place: &place };
            let domain = Part { system: &basic.inner, place: domain_place };
            conjoin(self.space.clone(), 0, &[graph, domain])
        };
        let mut basics = Vec::new();
        for (domain, aff) in &self.pieces {
            let graph = aff.graph();
            match domain.plain_is_universe() {
                true => basics.push(graph),
                false => {
                    basics.extend(domain.0.basics.iter().map(|basic| restricted(&graph, basic)))
                }
            }
        }
        Map::collect(self.space.clone(), basics)
    }

    /// The single tuple if all pieces agree; none if there is no piece.
    ///
    /// ```
    /// # use loopwright_presburger::PwMultiAff;
    /// let f = PwMultiAff::parse("{ S[i] -> A[(2i)] : i > 0 }")?;
    /// assert_eq!(f.as_multi_aff().unwrap().to_string(), "{ S[i] -> A[(2i)] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn as_multi_aff(&self) -> Option<MultiAff> {
        self.single_expression().cloned()
    }

    /// Component `position`.
    ///
    /// ```
    /// # use loopwright_presburger::PwMultiAff;
    /// let f = PwMultiAff::parse("{ S[i] -> A[(i), (i + 1)] : i > 0 }")?;
    /// assert_eq!(f.pw_aff(1).to_string(), "{ S[i] -> [(1 + i)] : i > 0 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Panics
    /// If there is no such output dimension.
    pub fn pw_aff(&self, position: usize) -> PwAff {
        let piece =
            |(domain, aff): &(Set, MultiAff)| (domain.clone(), aff.members[position].clone());
        PwAff { space: self.space.domain(), pieces: self.pieces.iter().map(piece).collect() }
    }

    /// The tuple of piecewise expressions over common pieces: defined where all are.
    ///
    /// ```
    /// # use loopwright_presburger::{PwAff, PwMultiAff, Space, Tuple};
    /// let parts = [
    ///     PwAff::parse("{ S[i] -> [(i)] : i > 0 }")?,
    ///     PwAff::parse("{ S[i] -> [(2)] : i < 9 }")?,
    /// ];
    /// let space = Space::map(&[], Tuple::named("S", 1), Tuple::named("A", 2));
    /// let f = PwMultiAff::from_pw_affs(space, &parts)?;
    /// assert_eq!(f.to_string(), "{ S[i0] -> A[(i0), (2)] : 0 < i0 <= 8 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`](crate::Error::SpaceMismatch) if an expression has another domain,
    /// [`Error::Invalid`](crate::Error::Invalid) if their number is not that of the output dimensions.
    pub fn from_pw_affs(space: Space, affs: &[PwAff]) -> Result<Self> {
        let budget = &Budget::for_one_call();
        let space = affs.iter().fold(space, |space, aff| space.merge_params(&aff.space));
        let mut tuples = vec![(Set::universe(space.domain()), Vec::new())];
        for pw_aff in affs {
            let mut next = Vec::with_capacity(tuples.len() * pw_aff.pieces.len());
            for (domain, tuple) in &tuples {
                for (piece, aff) in &pw_aff.pieces {
                    let domain = intersection(domain, &piece.align_params(&space), budget)?;
                    if !domain.plain_is_empty() {
                        next.push((domain, [&tuple[..], std::slice::from_ref(aff)].concat()));
                    }
                }
            }
            tuples = next;
        }
        let piece = |(domain, affs)| Ok((domain, MultiAff::new(space.clone(), affs)?));
        let pieces = tuples.into_iter().map(piece).collect::<Result<Vec<_>>>()?;
        Ok(PwMultiAff::from_pieces(space, pieces))
    }

    /// Composition: `self` after `inner`.
    ///
    /// ```
    /// # use loopwright_presburger::PwMultiAff;
    /// let outer = PwMultiAff::parse("{ A[x] -> B[(2x)] : x > 5 }")?;
    /// let inner = PwMultiAff::parse("{ S[i] -> A[(i + 1)] : i < 9 }")?;
    /// assert_eq!(outer.pullback(&inner)?.to_string(), "{ S[i] -> B[(2 + 2i)] : 5 <= i <= 8 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`](crate::Error::SpaceMismatch) if the range of `inner` is not the domain.
    pub fn pullback(&self, inner: &Self) -> Result<Self> {
        self.pullback_pw_multi_aff(inner)
    }

    /// The same expressions under another range tuple.
    ///
    /// ```
    /// # use loopwright_presburger::{PwMultiAff, Tuple};
    /// let f = PwMultiAff::parse("{ S[i] -> A[(i)] : i > 0 }")?;
    /// let renamed = f.with_range_tuple(Tuple::named("B", 1))?;
    /// assert_eq!(renamed.to_string(), "{ S[i] -> B[(i)] : i > 0 }");
    /// assert!(f.with_range_tuple(Tuple::named("B", 2)).is_err());
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Invalid`](crate::Error::Invalid) if the number of dimensions differs.
    pub fn with_range_tuple(&self, tuple: Tuple) -> Result<Self> {
        let space = range_space(&self.space.domain(), tuple.clone());
        self.changed(space, |aff| aff.with_range_tuple(tuple.clone()))
    }

    /// Other tuples on the same pieces, in `space`.
    pub(super) fn changed(
        &self,
        space: Space,
        change: impl Fn(&MultiAff) -> Result<MultiAff>,
    ) -> Result<Self> {
        let piece = |(domain, aff): &(Set, MultiAff)| Ok((domain.clone(), change(aff)?));
        let pieces = self.pieces.iter().map(piece).collect::<Result<_>>()?;
        Ok(PwMultiAff::from_pieces(space, pieces))
    }
}
