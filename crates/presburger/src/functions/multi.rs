//! Tuples of expressions over one domain.
//!
//! A tuple lives in the space from its domain to its own tuple; without a domain (values, or
//! expressions over parameters only) that is a set space. What does not depend on the kind of
//! members is here: their number, products of tuples, factors, slices.
use crate::core::error::{Error, Result};
use crate::core::space::{DimKind, Space, mismatch};
use crate::core::tuple::Tuple;

/// What may stand in a tuple.
///
/// ```
/// # use loopwright_presburger::{Member, PwAff, Space, Tuple};
/// let member = PwAff::parse("[n] -> { S[i] -> [(i)] : i < n }")?;
/// assert_eq!(member.params().to_string(), "[n] -> { : }");
/// assert!(member.fits(&Space::set(&[], Tuple::named("S", 1))));
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
pub trait Member: Clone {
    /// The parameters that occur.
    ///
    /// ```
    /// # use loopwright_presburger::{Aff, Member};
    /// let aff = Aff::parse("[n, m] -> { [i] -> [(i + m)] }")?;
    /// assert_eq!(aff.params().to_string(), "[n, m] -> { : }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    fn params(&self) -> Space;

    /// Whether it is defined over the tuple of `domain`.
    ///
    /// ```
    /// # use loopwright_presburger::{Aff, Member, Space, Tuple};
    /// let aff = Aff::parse("{ S[i] -> [(i)] }")?;
    /// assert!(aff.fits(&Space::set(&[], Tuple::named("S", 1))));
    /// assert!(!aff.fits(&Space::set(&[], Tuple::named("T", 1))));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    fn fits(&self, domain: &Space) -> bool;

    /// Over the parameters of `space` first, others after.
    ///
    /// ```
    /// # use loopwright_presburger::{Aff, Member, Space};
    /// let aff = Aff::parse("[n] -> { [i] -> [(i + n)] }")?;
    /// let aligned = aff.over_params(&Space::params(&["m".into()]));
    /// assert_eq!(aligned.to_string(), "[m, n] -> { [i] -> [(n + i)] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    fn over_params(&self, space: &Space) -> Self;
}

/// A tuple of expressions.
///
/// ```
/// # use loopwright_presburger::MultiAff;
/// let access = MultiAff::parse("[n] -> { S[i] -> A[(i), (n - 1)] }")?;
/// assert_eq!(access.members().len(), 2);
/// assert_eq!(access.members()[1].to_string(), "[n] -> { S[i] -> [(-1 + n)] }");
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "a new value is returned, operands do not change"]
pub struct Multi<E> {
    pub(crate) space: Space,
    pub(crate) members: Vec<E>,
}

/// The space of functions from `domain` (a set or parameter space) to `tuple`.
pub(super) fn range_space(domain: &Space, tuple: Tuple) -> Space {
    domain.with_tuples(domain.output().cloned(), Some(tuple))
}

impl<E: Member> Multi<E> {
    /// From members over one domain space.
    ///
    /// ```
    /// # use loopwright_presburger::{Aff, Multi, Space, Tuple};
    /// let members =
    ///     vec![Aff::parse("{ S[i] -> [(i)] }")?, Aff::parse("[n] -> { S[i] -> [(n)] }")?];
    /// let space = Space::map(&[], Tuple::named("S", 1), Tuple::named("A", 2));
    /// assert_eq!(Multi::new(space, members)?.to_string(), "[n] -> { S[i0] -> A[(i0), (n)] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`] if a member has another domain, [`Error::Invalid`] if their number
    /// is not that of the output dimensions.
    pub fn new(space: Space, members: Vec<E>) -> Result<Self> {
        if members.len() != space.n(DimKind::Out) {
            return Err(Error::Invalid {
                operation: "a tuple of expressions",
                reason: format!("{} expressions for the tuple of {space}", members.len()),
            });
        }
        let params = members.iter().map(Member::params);
        let space = params.fold(space, |space, params| space.merge_params(&params));
        let domain = space.domain();
        if let Some(member) = members.iter().find(|member| !member.fits(&domain)) {
            return Err(mismatch("a tuple of expressions", &domain, &member.params()));
        }
        let members = members.iter().map(|member| member.over_params(&domain)).collect();
        Ok(Multi { space, members })
    }

    /// The space: from the domain to the tuple.
    ///
    /// ```
    /// # use loopwright_presburger::MultiAff;
    /// let access = MultiAff::parse("[n] -> { S[i] -> A[(i), (n)] }")?;
    /// assert_eq!(access.space().to_string(), "[n] -> { S[i] -> A[i0, i1] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// The members.
    ///
    /// ```
    /// # use loopwright_presburger::{MultiVal, Value};
    /// let values = MultiVal::parse("{ A[1, infty] }")?;
    /// assert_eq!(values.members(), [Value::from(1), Value::Infinity]);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn members(&self) -> &[E] {
        &self.members
    }

    /// The tuple of the members.
    pub(super) fn tuple(&self) -> Tuple {
        self.space.output().cloned().unwrap_or_else(|| Tuple::anonymous(0))
    }

    /// The same over the parameters of `space` first, others after.
    ///
    /// ```
    /// # use loopwright_presburger::{MultiAff, Space};
    /// let access = MultiAff::parse("[n] -> { S[i] -> A[(i + n)] }")?;
    /// let aligned = access.align_params(&Space::params(&["m".into()]));
    /// assert_eq!(aligned.to_string(), "[m, n] -> { S[i] -> A[(n + i)] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn align_params(&self, space: &Space) -> Self {
        let target = self.space.with_params(space.merge_params(&self.space).param_names());
        let members = self.members.iter().map(|member| member.over_params(&target)).collect();
        Multi { space: target, members }
    }

    /// Other members in the same space.
    pub(super) fn mapped(&self, change: impl Fn(&E) -> E) -> Self {
        let members = self.members.iter().map(change).collect();
        Multi { space: self.space.clone(), members }
    }

    /// Other members over the same domain.
    pub(super) fn try_mapped(&self, change: impl Fn(&E) -> Result<E>) -> Result<Self> {
        let members = self.members.iter().map(change).collect::<Result<_>>()?;
        Multi::new(self.space.clone(), members)
    }

    /// What `combine` makes of the members of two tuples in one space.
    pub(super) fn zipped<F: Member>(
        &self,
        other: &Multi<F>,
        operation: &'static str,
        combine: impl Fn(&E, &F) -> Result<E>,
    ) -> Result<Self> {
        if self.members.len() != other.members.len() || self.space.output() != other.space.output()
        {
            return Err(mismatch(operation, &self.space, &other.space));
        }
        let pairs = self.members.iter().zip(&other.members);
        let members = pairs.map(|(a, b)| combine(a, b)).collect::<Result<_>>()?;
        Multi::new(self.space.merge_params(&other.space), members)
    }

    /// The same with another member at a position.
    ///
    /// ```
    /// # use loopwright_presburger::{MultiVal, Value};
    /// let values = MultiVal::parse("{ A[1, 2] }")?;
    /// assert_eq!(values.with_member(0, Value::from(7))?.to_string(), "{ A[7, 2] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`] if the member has another domain, [`Error::Invalid`] if there is no
    /// such position.
    pub fn with_member(&self, position: usize, member: E) -> Result<Self> {
        let mut members = self.members.clone();
        let Some(place) = members.get_mut(position) else {
            return Err(Error::Invalid {
                operation: "the member of a tuple",
                reason: format!("{} has no position {position}", self.space),
            });
        };
        *place = member;
        Multi::new(self.space.clone(), members)
    }

    /// The same members under another tuple.
    ///
    /// ```
    /// # use loopwright_presburger::{MultiAff, Tuple};
    /// let access = MultiAff::parse("{ S[i] -> A[(i), (i + 1)] }")?;
    /// let renamed = access.with_range_tuple(Tuple::named("B", 2))?;
    /// assert_eq!(renamed.to_string(), "{ S[i] -> B[(i), (1 + i)] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Invalid`] if the number of dimensions differs.
    pub fn with_range_tuple(&self, tuple: Tuple) -> Result<Self> {
        Multi::new(range_space(&self.space.domain(), tuple), self.members.clone())
    }

    /// The anonymous tuple of the members in `range`.
    ///
    /// ```
    /// # use loopwright_presburger::MultiAff;
    /// let access = MultiAff::parse("{ S[i] -> A[(i), (i + 1), (7)] }")?;
    /// assert_eq!(access.slice(1..3).to_string(), "{ S[i] -> [(1 + i), (7)] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Panics
    /// If the range exceeds the members.
    pub fn slice(&self, range: std::ops::Range<usize>) -> Self {
        let names = self.tuple().dim_names();
        let tuple = Tuple::anonymous(range.len()).with_dim_names(&names[range.clone()]);
        let space = range_space(&self.space.domain(), tuple);
        Multi { space, members: self.members[range].to_vec() }
    }

    fn joined(&self, other: &Self, tuple: Tuple) -> Result<Self> {
        if self.space.input() != other.space.input() {
            return Err(mismatch("the product of tuples", &self.space, &other.space));
        }
        let domain = self.space.domain().merge_params(&other.space);
        Multi::new(range_space(&domain, tuple), [&self.members[..], &other.members[..]].concat())
    }

    /// `x -> [f(x) -> g(x)]`.
    ///
    /// ```
    /// # use loopwright_presburger::MultiAff;
    /// let a = MultiAff::parse("{ S[i] -> A[(i)] }")?;
    /// let b = MultiAff::parse("{ S[i] -> B[(2i), (0)] }")?;
    /// assert_eq!(a.range_product(&b)?.to_string(), "{ S[i] -> [A[(i)] -> B[(2i), (0)]] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`] if the domains differ.
    pub fn range_product(&self, other: &Self) -> Result<Self> {
        self.joined(other, Tuple::nested(self.tuple(), other.tuple()))
    }

    /// `x -> [f(x), g(x)]`, the members of both one after the other.
    ///
    /// ```
    /// # use loopwright_presburger::MultiAff;
    /// let a = MultiAff::parse("{ S[i] -> A[(i)] }")?;
    /// let b = MultiAff::parse("{ S[i] -> B[(2i), (0)] }")?;
    /// assert_eq!(a.flat_range_product(&b)?.to_string(), "{ S[i] -> [(i), (2i), (0)] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`] if the domains differ.
    pub fn flat_range_product(&self, other: &Self) -> Result<Self> {
        self.joined(other, Tuple::flat_concat(&self.tuple(), &other.tuple()))
    }

    /// `f` of `x -> [f(x) -> g(x)]`.
    ///
    /// ```
    /// # use loopwright_presburger::MultiAff;
    /// let pair = MultiAff::parse("{ S[i] -> [A[(i)] -> B[(2i), (0)]] }")?;
    /// assert_eq!(pair.range_factor_domain()?.to_string(), "{ S[i] -> A[(i)] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Invalid`] if the tuple is not nested.
    pub fn range_factor_domain(&self) -> Result<Self> {
        let (first, _) = self.factors()?;
        let members = self.members[..first.n_dims()].to_vec();
        Multi::new(range_space(&self.space.domain(), first), members)
    }

    /// `g` of `x -> [f(x) -> g(x)]`.
    ///
    /// ```
    /// # use loopwright_presburger::MultiAff;
    /// let pair = MultiAff::parse("{ S[i] -> [A[(i)] -> B[(2i), (0)]] }")?;
    /// assert_eq!(pair.range_factor_range()?.to_string(), "{ S[i] -> B[(2i), (0)] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Invalid`] if the tuple is not nested.
    pub fn range_factor_range(&self) -> Result<Self> {
        let (first, second) = self.factors()?;
        let members = self.members[first.n_dims()..].to_vec();
        Multi::new(range_space(&self.space.domain(), second), members)
    }

    fn factors(&self) -> Result<(Tuple, Tuple)> {
        match self.space.output().and_then(Tuple::as_nested) {
            Some((first, second)) => Ok((first.clone(), second.clone())),
            None => Err(Error::Invalid {
                operation: "the factor of a tuple",
                reason: format!("the tuple of {} is not nested", self.space),
            }),
        }
    }
}
