//! Piecewise functions over several domain spaces.
//!
//! Every operation distributes: each part meets the parts and sets in the spaces that fit.
use super::piecewise::Expression;
use crate::*;

/// Piecewise functions in several spaces, at most one part per space.
#[derive(Clone, Debug)]
pub struct UnionPiecewise<E> {
    pub(crate) parts: Vec<Piecewise<E>>,
}

impl<E: Expression> UnionPiecewise<E> {
    /// Nowhere defined.
    pub fn empty() -> Self {
        UnionPiecewise { parts: Vec::new() }
    }

    /// From one part per space.
    pub fn from_parts(parts: Vec<Piecewise<E>>) -> Self {
        UnionPiecewise { parts: parts.into_iter().filter(|part| !part.pieces.is_empty()).collect() }
    }

    /// The parts, one per space.
    pub fn parts(&self) -> &[Piecewise<E>] {
        &self.parts
    }

    /// The part of a space (compared by tuples, not by parameters).
    pub fn part(&self, space: &Space) -> Option<&Piecewise<E>> {
        self.parts.iter().find(|part| part.space.has_equal_tuples(space))
    }

    /// Where it is defined.
    pub fn domain(&self) -> UnionSet {
        let maps = self.parts.iter().map(|part| part.domain().0);
        UnionSet(UnionMap::collect(Space::params(&[]), maps))
    }

    pub(crate) fn mapped(&self, map: impl Fn(&Piecewise<E>) -> Piecewise<E>) -> Self {
        UnionPiecewise::from_parts(self.parts.iter().map(map).collect())
    }

    pub(crate) fn try_mapped(
        &self,
        map: impl Fn(&Piecewise<E>) -> Result<Piecewise<E>>,
    ) -> Result<Self> {
        Ok(UnionPiecewise::from_parts(self.parts.iter().map(map).collect::<Result<_>>()?))
    }

    /// What `combine` makes of the parts in equal spaces; parts without a partner are dropped.
    pub(crate) fn with_partners(
        &self,
        other: &Self,
        combine: impl Fn(&Piecewise<E>, &Piecewise<E>) -> Result<Piecewise<E>>,
    ) -> Result<Self> {
        let both = self.parts.iter().filter_map(|part| Some((part, other.part(&part.space)?)));
        let results = both.map(|(a, b)| combine(a, b)).collect::<Result<_>>()?;
        Ok(UnionPiecewise::from_parts(results))
    }

    /// What `combine` makes of the parts in equal spaces; parts without a partner are kept.
    pub(crate) fn with_all(
        &self,
        other: &Self,
        combine: impl Fn(&Piecewise<E>, &Piecewise<E>) -> Result<Piecewise<E>>,
    ) -> Result<Self> {
        let mut parts = self.parts.clone();
        for part in &other.parts {
            match parts.iter_mut().find(|known| known.space.has_equal_tuples(&part.space)) {
                Some(known) => *known = combine(known, part)?,
                None => parts.push(part.clone()),
            }
        }
        Ok(UnionPiecewise::from_parts(parts))
    }

    /// Restricted; parts in spaces that the set lacks are dropped.
    ///
    /// # Errors
    /// [`Error::Exceeded`].
    pub fn intersect_domain(&self, set: &UnionSet) -> Result<Self> {
        self.try_mapped(|part| part.intersect_domain(&set.extract(&part.own_domain())))
    }

    /// Restricted to parameter values.
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`] if the set is no parameter set.
    pub fn intersect_params(&self, params: &Set) -> Result<Self> {
        self.try_mapped(|part| part.intersect_params(params))
    }

    /// Restricted to the points outside of a set.
    ///
    /// # Errors
    /// [`Error::Exceeded`].
    pub fn subtract_domain(&self, set: &UnionSet, budget: &Budget) -> Result<Self> {
        self.try_mapped(|part| part.subtract_domain(&set.extract(&part.own_domain()), budget))
            .during("subtract_domain")
    }

    /// Both, for disjoint domains.
    ///
    /// # Errors
    /// None of its own.
    pub fn union_disjoint(&self, other: &Self) -> Result<Self> {
        self.with_all(other, Piecewise::union_disjoint)
    }

    /// Composition: this function of the value of `inner`; parts of `inner` whose range is in no
    /// domain are dropped.
    ///
    /// # Errors
    /// [`Error::Exceeded`].
    pub fn pullback(&self, inner: &UnionPwMultiAff) -> Result<Self> {
        let mut result = UnionPiecewise::empty();
        for map in &inner.parts {
            let range = map.space.range();
            for part in self.parts.iter().filter(|p| p.own_domain().has_equal_tuples(&range)) {
                let composed = UnionPiecewise { parts: vec![part.pullback_pw_multi_aff(map)?] };
                result = result.union_disjoint(&composed)?;
            }
        }
        Ok(result)
    }

    /// Simplified inside a context; parts that do not meet the context are dropped.
    ///
    /// # Errors
    /// [`Error::Exceeded`].
    pub fn gist(&self, context: &UnionSet, budget: &Budget) -> Result<Self> {
        self.try_mapped(|part| part.gist(&context.extract(&part.own_domain()), budget))
            .during("gist")
    }

    /// Simplified for parameter values in a context.
    ///
    /// # Errors
    /// [`Error::Exceeded`].
    pub fn gist_params(&self, context: &Set, budget: &Budget) -> Result<Self> {
        self.try_mapped(|part| part.gist_params(context, budget)).during("gist_params")
    }

    /// Fewer pieces.
    ///
    /// # Errors
    /// [`Error::Exceeded`].
    pub fn coalesce(&self, budget: &Budget) -> Result<Self> {
        self.try_mapped(|part| part.coalesce(budget)).during("coalesce")
    }
}
