//! Tuples of piecewise expressions over several domain spaces.
use super::multi_aff::range_space;
use crate::*;

/// A tuple of piecewise expressions over several domain spaces: the schedule of a band.
#[derive(Clone, Debug)]
pub struct MultiUnionPwAff {
    pub(crate) tuple: Tuple,
    pub(crate) members: Vec<UnionPwAff>,
}

impl MultiUnionPwAff {
    /// From the members.
    ///
    /// # Panics
    /// If the tuple does not have one dimension per member.
    pub fn new(tuple: Tuple, members: Vec<UnionPwAff>) -> Self {
        assert_eq!(tuple.n_dims(), members.len(), "one dimension of {tuple} per member");
        MultiUnionPwAff { tuple, members }
    }

    /// The range tuple.
    pub fn tuple(&self) -> &Tuple {
        &self.tuple
    }

    /// The members.
    pub fn members(&self) -> &[UnionPwAff] {
        &self.members
    }

    /// The number of members.
    pub fn n_members(&self) -> usize {
        self.members.len()
    }

    /// The space of the parameters of all members.
    pub fn params_space(&self) -> Space {
        let parts = self.members.iter().flat_map(|member| &member.parts);
        parts.fold(Space::params(&[]), |all, part| all.merge_params(&part.space))
    }

    /// Where all members are defined; nothing if there is no member.
    ///
    /// # Errors
    /// [`Error::Exceeded`] if the members have too many pieces.
    pub fn domain(&self) -> Result<UnionSet> {
        let Some((first, rest)) = self.members.split_first() else {
            return Ok(UnionSet::empty());
        };
        rest.iter().try_fold(first.domain(), |domain, member| domain.intersect(&member.domain()))
    }

    /// As a relation from the domain to the range tuple.
    ///
    /// # Errors
    /// [`Error::Exceeded`] if the members have too many pieces.
    pub fn to_union_map(&self) -> Result<UnionMap> {
        Ok(self.to_union_pw_multi_aff()?.to_union_map())
    }

    /// The tuple of the members over common pieces.
    ///
    /// # Errors
    /// [`Error::Exceeded`] if the members have too many pieces.
    pub fn to_union_pw_multi_aff(&self) -> Result<UnionPwMultiAff> {
        let Some((first, rest)) = self.members.split_first() else {
            return Ok(UnionPwMultiAff::empty());
        };
        let mut functions = Vec::with_capacity(first.parts.len());
        for part in &first.parts {
            let others = rest.iter().map(|member| member.part(&part.space).cloned());
            let all: Option<Vec<PwAff>> =
                std::iter::once(Some(part.clone())).chain(others).collect();
            if let Some(all) = all {
                let space = range_space(&part.space, self.tuple.clone());
                functions.push(PwMultiAff::from_pw_affs(space, &all)?);
            }
        }
        Ok(UnionPwMultiAff::from_parts(functions))
    }

    /// The anonymous tuple of the members in `range`.
    ///
    /// # Panics
    /// If the range exceeds the members.
    pub fn slice(&self, range: std::ops::Range<usize>) -> Self {
        let names = self.tuple.dim_names();
        let tuple = Tuple::anonymous(range.len()).with_dim_names(&names[range.clone()]);
        MultiUnionPwAff { tuple, members: self.members[range].to_vec() }
    }

    /// Members of both, one after the other, in an anonymous tuple.
    pub fn flat_range_product(&self, other: &Self) -> Self {
        let members = [&self.members[..], &other.members[..]].concat();
        let names = [self.tuple.dim_names(), other.tuple.dim_names()].concat();
        MultiUnionPwAff { tuple: Tuple::anonymous(members.len()).with_dim_names(&names), members }
    }

    fn try_mapped(&self, map: impl Fn(&UnionPwAff) -> Result<UnionPwAff>) -> Result<Self> {
        let members = self.members.iter().map(map).collect::<Result<_>>()?;
        Ok(MultiUnionPwAff { tuple: self.tuple.clone(), members })
    }

    /// Restricted.
    ///
    /// # Errors
    /// As [`UnionPwAff::intersect_domain`].
    pub fn intersect_domain(&self, set: &UnionSet) -> Result<Self> {
        self.try_mapped(|member| member.intersect_domain(set))
    }

    /// Composition: this function of the value of `inner`.
    ///
    /// # Errors
    /// As [`UnionPwAff::pullback`].
    pub fn pullback(&self, inner: &UnionPwMultiAff) -> Result<Self> {
        self.try_mapped(|member| member.pullback(inner))
    }

    /// Simplified inside a context.
    ///
    /// # Errors
    /// As [`UnionPwAff::gist`].
    pub fn gist(&self, context: &UnionSet, budget: &Budget) -> Result<Self> {
        self.try_mapped(|member| member.gist(context, budget))
    }
}
