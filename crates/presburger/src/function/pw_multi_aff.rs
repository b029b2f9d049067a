//! Piecewise tuples of quasi-affine expressions.
use super::aff::mismatch;
use super::multi_aff::range_space;
use super::pw_aff::{intersection, union_of};
use crate::*;

/// A tuple of quasi-affine expressions per piece of a domain; pieces are disjoint.
#[derive(Clone, Debug)]
pub struct PwMultiAff {
    pub(crate) space: Space,
    pub(crate) pieces: Vec<(Set, MultiAff)>,
}

impl PwMultiAff {
    /// One tuple everywhere.
    pub fn from_multi_aff(aff: MultiAff) -> Self {
        let domain = Set::universe(aff.space.domain());
        PwMultiAff { space: aff.space.clone(), pieces: vec![(domain, aff)] }
    }

    /// The pieces.
    pub fn pieces(&self) -> &[(Set, MultiAff)] {
        &self.pieces
    }

    /// The map space.
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// From pieces on disjoint domains; obviously empty ones are dropped.
    pub fn from_pieces(space: Space, pieces: Vec<(Set, MultiAff)>) -> Self {
        let space = pieces
            .iter()
            .fold(space, |s, (d, aff)| s.merge_params(d.space()).merge_params(&aff.space));
        let pieces = pieces
            .into_iter()
            .filter(|(domain, _)| !domain.plain_is_empty())
            .map(|(domain, aff)| (domain.align_params(&space), aff.align_params(&space)))
            .collect();
        PwMultiAff { space, pieces }
    }

    /// As a relation.
    pub fn to_map(&self) -> Map {
        let mut basics = Vec::new();
        for (domain, aff) in &self.pieces {
            let graph = aff.to_map();
            let restricted = match graph.space().is_map() {
                true => graph.intersect_domain(domain),
                false => graph.intersect_params(domain),
            };
            basics.extend(restricted.expect("a piece lives in one space").basics);
        }
        basics.retain(|basic| !basic.plain_is_empty());
        Map::from_basic_maps(self.space.clone(), basics)
    }

    /// Component `position`.
    ///
    /// # Panics
    /// If there is no such output dimension.
    pub fn pw_aff(&self, position: usize) -> PwAff {
        let piece = |(domain, aff): &(Set, MultiAff)| (domain.clone(), aff.affs[position].clone());
        PwAff { space: self.space.domain(), pieces: self.pieces.iter().map(piece).collect() }
    }

    /// The tuple of piecewise expressions over common pieces: defined where all are.
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`] if an expression has another domain, [`Error::Invalid`] if their
    /// number is not that of the output dimensions.
    pub fn from_pw_affs(space: Space, affs: &[PwAff]) -> Result<Self> {
        let space = affs.iter().fold(space, |space, aff| space.merge_params(&aff.space));
        let mut tuples = vec![(Set::universe(space.domain()), Vec::new())];
        for pw_aff in affs {
            let mut next = Vec::with_capacity(tuples.len() * pw_aff.pieces.len());
            for (domain, tuple) in &tuples {
                for (piece, aff) in &pw_aff.pieces {
                    let domain = intersection(domain, &piece.align_params(&space))?;
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

    /// Where it is defined.
    pub fn domain(&self) -> Set {
        union_of(&self.space.domain(), self.pieces.iter().map(|(domain, _)| domain.clone()))
    }

    /// Restricted.
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`] if the set is in another space.
    pub fn intersect_domain(&self, set: &Set) -> Result<Self> {
        let piece = |(domain, aff): &(Set, MultiAff)| Ok((intersection(domain, set)?, aff.clone()));
        let pieces = self.pieces.iter().map(piece).collect::<Result<Vec<_>>>()?;
        Ok(PwMultiAff::from_pieces(self.space.merge_params(set.space()), pieces))
    }

    /// Simplified inside a context.
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`] if the context is in another space, [`Error::Exceeded`].
    pub fn gist(&self, context: &Set, budget: &Budget) -> Result<Self> {
        let mut pieces = Vec::with_capacity(self.pieces.len());
        for (domain, aff) in &self.pieces {
            let inside = intersection(domain, context)?;
            if !inside.is_empty(budget)? {
                pieces.push((domain.gist(context, budget)?, aff.gist(&inside, budget)?));
            }
        }
        Ok(PwMultiAff::from_pieces(self.space.merge_params(context.space()), pieces))
    }

    /// Fewer pieces: those with the same expressions are merged, empty ones dropped.
    ///
    /// # Errors
    /// [`Error::Exceeded`].
    pub fn coalesce(&self, budget: &Budget) -> Result<Self> {
        let mut merged: Vec<(Set, MultiAff)> = Vec::new();
        for (domain, aff) in &self.pieces {
            if domain.is_empty(budget)? {
                continue;
            }
            match merged.iter_mut().find(|(_, a)| a.plain_is_equal(aff)) {
                Some((known, _)) => *known = known.union(domain)?,
                None => merged.push((domain.clone(), aff.clone())),
            }
        }
        for (domain, _) in &mut merged {
            *domain = domain.coalesce(budget)?;
        }
        Ok(PwMultiAff { space: self.space.clone(), pieces: merged })
    }

    /// Composition: `self` after `inner`.
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`] if the range of `inner` is not the domain.
    pub fn pullback(&self, inner: &Self) -> Result<Self> {
        if inner.space.output() != self.space.domain().output() {
            return Err(mismatch("the composition of functions", &self.space, &inner.space));
        }
        let output = self.space.output().cloned().unwrap_or_else(|| Tuple::anonymous(0));
        let domain = inner.space.domain().merge_params(&self.space);
        let mut pieces = Vec::with_capacity(self.pieces.len() * inner.pieces.len());
        for (inner_domain, inner_aff) in &inner.pieces {
            for (outer_domain, outer_aff) in &self.pieces {
                let domain = intersection(&inner_aff.preimage(outer_domain)?, inner_domain)?;
                if !domain.plain_is_empty() {
                    pieces.push((domain, outer_aff.pullback(inner_aff)?));
                }
            }
        }
        Ok(PwMultiAff::from_pieces(range_space(&domain, output), pieces))
    }
}
