//! Tuples of piecewise expressions over several domain spaces.
use super::multi::range_space;
use crate::*;

/// A tuple of piecewise expressions over several domain spaces: the schedule of a band.
#[derive(Clone, Debug)]
pub struct MultiUnionPwAff {
    pub(crate) tuple: Tuple,
    pub(crate) members: Vec<UnionPwAff>,
    /// Where it is defined if there is no member to tell.
    pub(crate) explicit_domain: Option<UnionSet>,
}

impl MultiUnionPwAff {
    /// From the members.
    ///
    /// # Panics
    /// If the tuple does not have one dimension per member.
    pub fn new(tuple: Tuple, members: Vec<UnionPwAff>) -> Self {
        assert_eq!(tuple.n_dims(), members.len(), "one dimension of {tuple} per member");
        MultiUnionPwAff { tuple, members, explicit_domain: None }
    }

    /// The function to a tuple without dimensions.
    ///
    /// # Panics
    /// If the tuple has dimensions.
    pub fn without_members(tuple: Tuple, domain: UnionSet) -> Self {
        let explicit_domain = Some(domain);
        MultiUnionPwAff { explicit_domain, ..MultiUnionPwAff::new(tuple, Vec::new()) }
    }

    /// The members of functions to one tuple.
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`] if the ranges differ, [`Error::Invalid`] if there is no part.
    pub fn from_union_pw_multi_aff(function: &UnionPwMultiAff) -> Result<Self> {
        let Some(first) = function.parts.first() else {
            return Err(Error::Invalid {
                operation: "the tuple of a union",
                reason: "there is no part that tells the range".to_owned(),
            });
        };
        let tuple = first.range_tuple();
        if let Some(other) = function.parts.iter().find(|part| part.range_tuple() != tuple) {
            return first.space.mismatch(&other.space, "the tuple of a union");
        }
        let member = |position| {
            let parts = function.parts.iter().map(|part| part.pw_aff(position));
            UnionPwAff::from_parts(parts.collect())
        };
        let members = (0..tuple.n_dims()).map(member).collect();
        let explicit_domain = (tuple.n_dims() == 0).then(|| function.domain());
        Ok(MultiUnionPwAff { explicit_domain, ..MultiUnionPwAff::new(tuple, members) })
    }

    /// The members of a single-valued relation to one tuple.
    ///
    /// # Errors
    /// As [`PwMultiAff::from_map`] and [`MultiUnionPwAff::from_union_pw_multi_aff`].
    pub fn from_union_map(map: &UnionMap, budget: &Budget) -> Result<Self> {
        let function = UnionPwMultiAff::from_union_map(map, budget).during("from_union_map")?;
        MultiUnionPwAff::from_union_pw_multi_aff(&function)
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

    /// Where all members are defined. Without members that has to be told; it is nothing otherwise.
    ///
    /// # Errors
    /// [`Error::Exceeded`] if the members have too many pieces.
    pub fn domain(&self) -> Result<UnionSet> {
        let Some((first, rest)) = self.members.split_first() else {
            return Ok(self.explicit_domain.clone().unwrap_or_else(UnionSet::empty));
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
            return Ok(self.constant_on_explicit_domain());
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
        MultiUnionPwAff::new(tuple, self.members[range].to_vec())
    }

    /// Members of both, one after the other, in an anonymous tuple.
    pub fn flat_range_product(&self, other: &Self) -> Self {
        let members = [&self.members[..], &other.members[..]].concat();
        let names = [self.tuple.dim_names(), other.tuple.dim_names()].concat();
        MultiUnionPwAff::new(Tuple::anonymous(members.len()).with_dim_names(&names), members)
    }

    /// `[f -> g]`, the tuples side by side.
    pub fn range_product(&self, other: &Self) -> Self {
        let members = [&self.members[..], &other.members[..]].concat();
        MultiUnionPwAff::new(Tuple::nested(self.tuple.clone(), other.tuple.clone()), members)
    }

    /// The functions to the tuple without dimensions.
    fn constant_on_explicit_domain(&self) -> UnionPwMultiAff {
        let sets = self.explicit_domain.iter().flat_map(UnionSet::sets);
        let function = |set: Set| {
            let space = range_space(set.space(), self.tuple.clone());
            PwMultiAff::on_domain(set, MultiAff::zero(&space))
        };
        UnionPwMultiAff::from_parts(sets.map(function).collect())
    }

    /// The members over one domain space; a member that is not defined there is nowhere defined.
    pub fn extract(&self, domain: &Space) -> Result<MultiPwAff> {
        let empty = PwAff::empty(domain);
        let member = |member: &UnionPwAff| member.part(domain).unwrap_or(&empty).clone();
        let members = self.members.iter().map(member).collect();
        MultiPwAff::new(range_space(domain, self.tuple.clone()), members)
    }

    fn mapped(&self, map: impl Fn(&UnionPwAff) -> UnionPwAff) -> Self {
        MultiUnionPwAff { members: self.members.iter().map(map).collect(), ..self.clone() }
    }

    /// What `combine` makes of the members of both.
    fn zipped(
        &self,
        other: &Self,
        combine: impl Fn(&UnionPwAff, &UnionPwAff) -> Result<UnionPwAff>,
    ) -> Result<Self> {
        if self.tuple != other.tuple {
            let space = |tuple: &Tuple| Space::set(&[], tuple.clone());
            return space(&self.tuple).mismatch(&space(&other.tuple), "the sum of tuples");
        }
        let pairs = self.members.iter().zip(&other.members);
        let members = pairs.map(|(a, b)| combine(a, b)).collect::<Result<_>>()?;
        Ok(MultiUnionPwAff { members, ..self.clone() })
    }

    /// The sum in every position, where both are defined.
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`] if the tuples differ.
    pub fn add(&self, other: &Self) -> Result<Self> {
        self.zipped(other, UnionPwAff::add)
    }

    /// The difference in every position, where both are defined.
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`] if the tuples differ.
    pub fn sub(&self, other: &Self) -> Result<Self> {
        self.zipped(other, UnionPwAff::sub)
    }

    /// The sum in every position where both are defined, and the one that is defined elsewhere.
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`] if the tuples differ, [`Error::Exceeded`].
    pub fn union_add(&self, other: &Self, budget: &Budget) -> Result<Self> {
        self.zipped(other, |a, b| a.union_add(b, budget)).during("union_add")
    }

    /// The negative.
    pub fn neg(&self) -> Self {
        self.mapped(UnionPwAff::neg)
    }

    /// The product with an integer.
    pub fn scale(&self, factor: &Int) -> Self {
        self.mapped(|member| member.scale(factor))
    }

    /// The quotient by an integer, not rounded.
    pub fn scale_down(&self, divisor: &Int) -> Self {
        self.mapped(|member| member.scale_down(divisor))
    }

    /// The remainders in `0..divisor`.
    pub fn modulo(&self, divisor: &Int) -> Self {
        self.mapped(|member| member.modulo(divisor))
    }

    /// Rounded down.
    pub fn floor(&self) -> Self {
        self.mapped(UnionPwAff::floor)
    }

    /// Where all members are zero.
    ///
    /// # Errors
    /// [`Error::Exceeded`] if the members have too many pieces.
    pub fn zero_set(&self) -> Result<UnionSet> {
        let all = self.domain()?;
        self.members.iter().try_fold(all, |all, member| all.intersect(&member.zero_set()))
    }

    fn try_mapped(&self, map: impl Fn(&UnionPwAff) -> Result<UnionPwAff>) -> Result<Self> {
        let members = self.members.iter().map(map).collect::<Result<_>>()?;
        Ok(MultiUnionPwAff { members, ..self.clone() })
    }

    /// Other members, and another domain if there is no member.
    fn restricted(
        &self,
        map: impl Fn(&UnionPwAff) -> Result<UnionPwAff>,
        domain: impl FnOnce(&UnionSet) -> Result<UnionSet>,
    ) -> Result<Self> {
        let explicit_domain = self.explicit_domain.as_ref().map(domain).transpose()?;
        Ok(MultiUnionPwAff { explicit_domain, ..self.try_mapped(map)? })
    }

    /// Fewer pieces.
    ///
    /// # Errors
    /// [`Error::Exceeded`].
    pub fn coalesce(&self, budget: &Budget) -> Result<Self> {
        self.restricted(|member| member.coalesce(budget), |domain| domain.coalesce(budget))
            .during("coalesce")
    }

    /// Restricted.
    ///
    /// # Errors
    /// As [`UnionPwAff::intersect_domain`].
    pub fn intersect_domain(&self, set: &UnionSet) -> Result<Self> {
        self.restricted(|member| member.intersect_domain(set), |domain| domain.intersect(set))
    }

    /// Composition: this function of the value of `inner`.
    ///
    /// # Errors
    /// As [`UnionPwAff::pullback`].
    pub fn pullback(&self, inner: &UnionPwMultiAff) -> Result<Self> {
        let reached = |domain: &UnionSet| domain.preimage_union_pw_multi_aff(inner);
        self.restricted(|member| member.pullback(inner), reached)
    }

    /// Simplified inside a context.
    ///
    /// # Errors
    /// As [`UnionPwAff::gist`].
    pub fn gist(&self, context: &UnionSet, budget: &Budget) -> Result<Self> {
        self.restricted(
            |member| member.gist(context, budget),
            |domain| domain.gist(context, budget),
        )
        .during("gist")
    }
}
