//! Tuples of piecewise expressions over several domain spaces.
use crate::core::budget::Budget;
use crate::core::error::{During, Error, Result};
use crate::core::set::Set;
use crate::core::space::Space;
use crate::core::tuple::Tuple;
use crate::core::union_map::UnionMap;
use crate::core::union_set::UnionSet;
use crate::functions::multi::range_space;
use crate::functions::multi_aff::MultiAff;
use crate::functions::multi_pw_aff::MultiPwAff;
use crate::functions::piecewise::{PwAff, PwMultiAff};
use crate::functions::union_piecewise::{UnionPwAff, UnionPwMultiAff};

/// A tuple of piecewise expressions over several domain spaces: the schedule of a band.
///
/// ```
/// # use loopwright_presburger::MultiUnionPwAff;
/// let band = MultiUnionPwAff::parse(
///     "[{ S[i, j] -> [(i)]; T[i] -> [(i)] }, { S[i, j] -> [(j)]; T[i] -> [(0)] }]",
/// )?;
/// assert_eq!(band.n_members(), 2);
/// assert_eq!(band.to_union_map()?.to_string(), "{ S[i, j] -> [i, j]; T[i] -> [i, 0] }");
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "a new value is returned, operands do not change"]
pub struct MultiUnionPwAff {
    pub(crate) tuple: Tuple,
    pub(crate) members: Vec<UnionPwAff>,
    /// Where it is defined if there is no member to tell.
    pub(crate) explicit_domain: Option<UnionSet>,
}

impl MultiUnionPwAff {
    /// From the members.
    ///
    /// ```
    /// # use loopwright_presburger::{MultiUnionPwAff, Tuple, UnionPwAff};
    /// let rows = UnionPwAff::parse("{ S[i] -> [(i)]; T[i] -> [(i + 1)] }")?;
    /// let band = MultiUnionPwAff::new(Tuple::named("L", 1), vec![rows]);
    /// assert_eq!(band.to_string(), "L[{ S[i] -> [(i)]; T[i] -> [(1 + i)] }]");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Panics
    /// If the tuple does not have one dimension per member.
    pub fn new(tuple: Tuple, members: Vec<UnionPwAff>) -> Self {
        assert_eq!(tuple.n_dims(), members.len(), "one dimension of {tuple} per member");
        MultiUnionPwAff { tuple, members, explicit_domain: None }
    }

    /// The function to a tuple without dimensions.
    ///
    /// ```
    /// # use loopwright_presburger::{MultiUnionPwAff, Tuple, UnionSet};
    /// let domain = UnionSet::parse("{ S[i] : i > 0; T[] }")?;
    /// let empty = MultiUnionPwAff::without_members(Tuple::named("L", 0), domain);
    /// assert_eq!(empty.to_union_map()?.to_string(), "{ S[i] -> L[] : i > 0; T[] -> L[] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Panics
    /// If the tuple has dimensions.
    pub fn without_members(tuple: Tuple, domain: UnionSet) -> Self {
        let explicit_domain = Some(domain);
        MultiUnionPwAff { explicit_domain, ..MultiUnionPwAff::new(tuple, Vec::new()) }
    }

    /// The members of functions to one tuple.
    ///
    /// ```
    /// # use loopwright_presburger::{MultiUnionPwAff, UnionPwMultiAff};
    /// let schedule = UnionPwMultiAff::parse("{ S[i] -> L[(i), (0)]; T[i] -> L[(i), (1)] }")?;
    /// let band = MultiUnionPwAff::from_union_pw_multi_aff(&schedule)?;
    /// assert_eq!(band.members()[1].to_string(), "{ S[i] -> [(0)]; T[i] -> [(1)] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
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
    /// ```
    /// # use loopwright_presburger::{Budget, MultiUnionPwAff, UnionMap};
    /// let schedule = UnionMap::parse("{ S[i] -> [i, 0]; T[i] -> [i + 1, 1] }")?;
    /// let band = MultiUnionPwAff::from_union_map(&schedule, &Budget::unlimited())?;
    /// assert_eq!(band.members()[0].to_string(), "{ S[i] -> [(i)]; T[i] -> [(1 + i)] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`PwMultiAff::from_map`] and [`MultiUnionPwAff::from_union_pw_multi_aff`].
    pub fn from_union_map(map: &UnionMap, budget: &Budget) -> Result<Self> {
        let function = UnionPwMultiAff::from_union_map(map, budget).during("from_union_map")?;
        MultiUnionPwAff::from_union_pw_multi_aff(&function)
    }

    /// The range tuple.
    ///
    /// ```
    /// # use loopwright_presburger::{MultiUnionPwAff, Tuple};
    /// let band = MultiUnionPwAff::parse("L[{ S[i] -> [(i)] }, { S[i] -> [(0)] }]")?;
    /// assert_eq!(band.tuple(), &Tuple::named("L", 2));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn tuple(&self) -> &Tuple {
        &self.tuple
    }

    /// The members.
    ///
    /// ```
    /// # use loopwright_presburger::MultiUnionPwAff;
    /// let band = MultiUnionPwAff::parse("[{ S[i] -> [(i)] }, { S[i] -> [(0)] }]")?;
    /// assert_eq!(band.members()[1].to_string(), "{ S[i] -> [(0)] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn members(&self) -> &[UnionPwAff] {
        &self.members
    }

    /// The number of members.
    ///
    /// ```
    /// # use loopwright_presburger::MultiUnionPwAff;
    /// let band = MultiUnionPwAff::parse("[{ S[i] -> [(i)] }, { S[i] -> [(0)] }]")?;
    /// assert_eq!(band.n_members(), 2);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn n_members(&self) -> usize {
        self.members.len()
    }

    /// The space of the parameters of all members.
    ///
    /// ```
    /// # use loopwright_presburger::MultiUnionPwAff;
    /// let band = MultiUnionPwAff::parse("[n, m] -> [{ S[i] -> [(i + n)] }, { S[i] -> [(m)] }]")?;
    /// assert_eq!(band.params_space().to_string(), "[n, m] -> { : }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn params_space(&self) -> Space {
        let parts = self.members.iter().flat_map(|member| &member.parts);
        parts.fold(Space::params(&[]), |all, part| all.merge_params(&part.space))
    }

    /// Where all members are defined. Without members that has to be told; it is nothing otherwise.
    ///
    /// ```
    /// # use loopwright_presburger::MultiUnionPwAff;
    /// let band =
    ///     MultiUnionPwAff::parse("[{ S[i] -> [(i)] : i > 0; T[] -> [(0)] }, { S[i] -> [(0)] }]")?;
    /// assert_eq!(band.domain()?.to_string(), "{ S[i] : i > 0 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
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
    /// ```
    /// # use loopwright_presburger::MultiUnionPwAff;
    /// let band = MultiUnionPwAff::parse("L[{ S[i] -> [(i)] : i > 0; T[] -> [(0)] }]")?;
    /// assert_eq!(band.to_union_map()?.to_string(), "{ S[i] -> L[i] : i > 0; T[] -> L[0] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`] if the members have too many pieces.
    pub fn to_union_map(&self) -> Result<UnionMap> {
        Ok(self.to_union_pw_multi_aff()?.to_union_map())
    }

    /// The tuple of the members over common pieces.
    ///
    /// ```
    /// # use loopwright_presburger::MultiUnionPwAff;
    /// let band =
    ///     MultiUnionPwAff::parse("[{ S[i] -> [(i)] : i > 0 }, { S[i] -> [(7)] : i < 9 }]")?;
    /// assert_eq!(
    ///     band.to_union_pw_multi_aff()?.to_string(),
    ///     "{ S[i] -> [(i), (7)] : 0 < i <= 8 }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
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
    /// ```
    /// # use loopwright_presburger::MultiUnionPwAff;
    /// let band = MultiUnionPwAff::parse("[{ S[i, j] -> [(i)] }, { S[i, j] -> [(j)] }]")?;
    /// assert_eq!(band.slice(1..2).to_string(), "[{ S[i, j] -> [(j)] }]");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Panics
    /// If the range exceeds the members.
    pub fn slice(&self, range: std::ops::Range<usize>) -> Self {
        let names = self.tuple.dim_names();
        let tuple = Tuple::anonymous(range.len()).with_dim_names(&names[range.clone()]);
        MultiUnionPwAff::new(tuple, self.members[range].to_vec())
    }

    /// Members of both, one after the other, in an anonymous tuple.
    ///
    /// ```
    /// # use loopwright_presburger::MultiUnionPwAff;
    /// let outer = MultiUnionPwAff::parse("A[{ S[i] -> [(0)]; T[i] -> [(1)] }]")?;
    /// let inner = MultiUnionPwAff::parse("B[{ S[i] -> [(i)]; T[i] -> [(2i)] }]")?;
    /// let both = outer.flat_range_product(&inner).to_union_map()?;
    /// assert_eq!(both.to_string(), "{ S[i] -> [0, i]; T[i] -> [1, 2i] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn flat_range_product(&self, other: &Self) -> Self {
        let members = [&self.members[..], &other.members[..]].concat();
        let names = [self.tuple.dim_names(), other.tuple.dim_names()].concat();
        MultiUnionPwAff::new(Tuple::anonymous(members.len()).with_dim_names(&names), members)
    }

    /// `[f -> g]`, the tuples side by side.
    ///
    /// ```
    /// # use loopwright_presburger::MultiUnionPwAff;
    /// let outer = MultiUnionPwAff::parse("A[{ S[i] -> [(0)] }]")?;
    /// let inner = MultiUnionPwAff::parse("B[{ S[i] -> [(i)] }]")?;
    /// let both = outer.range_product(&inner).to_union_map()?;
    /// assert_eq!(both.to_string(), "{ S[i] -> [A[0] -> B[i]] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
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
    ///
    /// ```
    /// # use loopwright_presburger::{MultiUnionPwAff, Space, Tuple};
    /// let band = MultiUnionPwAff::parse("L[{ S[i] -> [(i)]; T[] -> [(0)] }]")?;
    /// let of_s = band.extract(&Space::set(&[], Tuple::named("S", 1)))?;
    /// assert_eq!(of_s.to_string(), "{ S[i0] -> L[(i0)] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// None of its own.
    pub fn extract(&self, domain: &Space) -> Result<MultiPwAff> {
        let empty = PwAff::empty(domain);
        let member = |member: &UnionPwAff| member.part(domain).unwrap_or(&empty).clone();
        let members = self.members.iter().map(member).collect();
        MultiPwAff::new(range_space(domain, self.tuple.clone()), members)
    }

    pub(super) fn mapped(&self, map: impl Fn(&UnionPwAff) -> UnionPwAff) -> Self {
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
    /// ```
    /// # use loopwright_presburger::MultiUnionPwAff;
    /// let a = MultiUnionPwAff::parse("[{ S[i] -> [(i)] : i > 0; T[] -> [(1)] }]")?;
    /// let b = MultiUnionPwAff::parse("[{ S[i] -> [(5)] }]")?;
    /// assert_eq!(a.add(&b)?.to_string(), "[{ S[i] -> [(5 + i)] : i > 0 }]");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`] if the tuples differ.
    pub fn add(&self, other: &Self) -> Result<Self> {
        self.zipped(other, UnionPwAff::add)
    }

    /// The difference in every position, where both are defined.
    ///
    /// ```
    /// # use loopwright_presburger::MultiUnionPwAff;
    /// let a = MultiUnionPwAff::parse("[{ S[i] -> [(i)] : i > 0; T[] -> [(1)] }]")?;
    /// let b = MultiUnionPwAff::parse("[{ S[i] -> [(5)]; T[] -> [(5)] }]")?;
    /// assert_eq!(a.sub(&b)?.to_string(), "[{ S[i] -> [(-5 + i)] : i > 0; T[] -> [(-4)] }]");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`] if the tuples differ.
    pub fn sub(&self, other: &Self) -> Result<Self> {
        self.zipped(other, UnionPwAff::sub)
    }

    /// The sum in every position where both are defined, and the one that is defined elsewhere.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, MultiUnionPwAff};
    /// let a = MultiUnionPwAff::parse("[{ S[i] -> [(i)]; T[] -> [(1)] }]")?;
    /// let b = MultiUnionPwAff::parse("[{ S[i] -> [(5)] }]")?;
    /// assert_eq!(
    ///     a.union_add(&b, &Budget::unlimited())?.to_string(),
    ///     "[{ S[i] -> [(5 + i)]; T[] -> [(1)] }]"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`] if the tuples differ, [`Error::Exceeded`].
    pub fn union_add(&self, other: &Self, budget: &Budget) -> Result<Self> {
        self.zipped(other, |a, b| a.union_add(b, budget)).during("union_add")
    }

    /// Where all members are zero.
    ///
    /// ```
    /// # use loopwright_presburger::MultiUnionPwAff;
    /// let band = MultiUnionPwAff::parse(
    ///     "[{ S[i, j] -> [(i)]; T[] -> [(0)] }, { S[i, j] -> [(j - 2)]; T[] -> [(1)] }]",
    /// )?;
    /// assert_eq!(band.zero_set()?.to_string(), "{ S[i = 0, j = 2] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
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
    /// ```
    /// # use loopwright_presburger::{Budget, MultiUnionPwAff};
    /// let band = MultiUnionPwAff::parse("[{ S[i] -> [(i)] : i > 0; S[i] -> [(i)] : i <= 0 }]")?;
    /// assert_eq!(band.coalesce(&Budget::unlimited())?.to_string(), "[{ S[i] -> [(i)] }]");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`].
    pub fn coalesce(&self, budget: &Budget) -> Result<Self> {
        self.restricted(|member| member.coalesce(budget), |domain| domain.coalesce(budget))
            .during("coalesce")
    }

    /// Restricted.
    ///
    /// ```
    /// # use loopwright_presburger::{MultiUnionPwAff, UnionSet};
    /// let band = MultiUnionPwAff::parse("[{ S[i] -> [(i)]; T[] -> [(0)] }]")?;
    /// let instances = UnionSet::parse("{ S[i] : i > 0 }")?;
    /// assert_eq!(band.intersect_domain(&instances)?.to_string(), "[{ S[i] -> [(i)] : i > 0 }]");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`UnionPwAff::intersect_domain`].
    pub fn intersect_domain(&self, set: &UnionSet) -> Result<Self> {
        self.restricted(|member| member.intersect_domain(set), |domain| domain.intersect(set))
    }

    /// Composition: this function of the value of `inner`.
    ///
    /// ```
    /// # use loopwright_presburger::{MultiUnionPwAff, UnionPwMultiAff};
    /// let band = MultiUnionPwAff::parse("[{ S[i] -> [(i)]; T[] -> [(0)] }]")?;
    /// let inner = UnionPwMultiAff::parse("{ U[k] -> S[(2k)] : k > 0 }")?;
    /// assert_eq!(band.pullback(&inner)?.to_string(), "[{ U[k] -> [(2k)] : k > 0 }]");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`UnionPwAff::pullback`].
    pub fn pullback(&self, inner: &UnionPwMultiAff) -> Result<Self> {
        let reached = |domain: &UnionSet| domain.preimage_union_pw_multi_aff(inner);
        self.restricted(|member| member.pullback(inner), reached)
    }

    /// Simplified inside a context.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, MultiUnionPwAff, UnionSet};
    /// let band = MultiUnionPwAff::parse("[{ S[i] -> [(i)] : 0 <= i <= 9; T[] -> [(0)] }]")?;
    /// let known = UnionSet::parse("{ S[i] : i >= 0 }")?;
    /// assert_eq!(
    ///     band.gist(&known, &Budget::unlimited())?.to_string(),
    ///     "[{ S[i] -> [(i)] : i <= 9 }]"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
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
