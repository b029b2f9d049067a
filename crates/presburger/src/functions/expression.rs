//! What can be the value of a piece of a function.
use crate::core::align_parameters::param_places;
use crate::core::budget::Budget;
use crate::core::error::Result;
use crate::core::set::Set;
use crate::core::space::{DimKind, Space};
use crate::functions::aff::{Aff, numerator_mut};
use crate::functions::multi_aff::MultiAff;

/// What a piecewise function says on one of its pieces: a function of the points of a space.
///
/// ```
/// # use loopwright_presburger::{Budget, Expression, MultiAff, QPolynomial, Set};
/// fn known_zero<E: Expression>(expression: &E) -> Option<E> {
///     let space = E::domain_of(expression.space());
///     let origin = Set::universe(space).fix(loopwright_presburger::DimKind::Out, 0, &0.into());
///     expression.gist(&origin, &Budget::unlimited()).ok()
/// }
/// let tuple = MultiAff::parse("{ [i] -> [(i + 2), (3i)] }")?;
/// assert_eq!(known_zero(&tuple).unwrap().to_string(), "{ [i] -> [(2), (0)] }");
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
pub trait Expression: Clone {
    /// The space: that of the domain, or for tuples the space from the domain to the tuple.
    ///
    /// ```
    /// # use loopwright_presburger::{Expression, MultiAff};
    /// let tuple = MultiAff::parse("{ S[i] -> A[(i)] }")?;
    /// assert_eq!(Expression::space(&tuple).to_string(), "{ S[i] -> A[i0] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    fn space(&self) -> &Space;

    /// The domain in such a space.
    ///
    /// ```
    /// # use loopwright_presburger::{Aff, Expression, Map, MultiAff, Set};
    /// let map = Map::parse("{ S[i] -> A[x] }")?;
    /// assert_eq!(MultiAff::domain_of(map.space()).to_string(), "{ S[i] }");
    /// let set = Set::parse("{ S[i] }")?;
    /// assert_eq!(Aff::domain_of(set.space()).to_string(), "{ S[i] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    fn domain_of(space: &Space) -> Space;

    /// Such a space with another domain (and its parameters).
    ///
    /// ```
    /// # use loopwright_presburger::{Expression, Map, MultiAff, Set};
    /// let (map, set) = (Map::parse("{ S[i] -> A[x] }")?, Set::parse("[n] -> { T[j] }")?);
    /// let space = MultiAff::with_domain(map.space(), set.space());
    /// assert_eq!(space.to_string(), "[n] -> { T[j] -> A[x] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    fn with_domain(space: &Space, domain: &Space) -> Space;

    /// The same expression over other columns: column `c` of `[constant | parameters | dimensions]`
    /// becomes column `place[c]` of those of `domain`.
    ///
    /// ```
    /// # use loopwright_presburger::{Aff, Expression, Space, Tuple};
    /// // The columns [1 | i | j] become [1 | j | k | i].
    /// let aff = Aff::parse("{ [i, j] -> [(2i + 5j + 1)] }")?;
    /// let wider = aff.place_columns(&Space::set(&[], Tuple::anonymous(3)), &[0, 3, 1]);
    /// assert_eq!(wider.to_string(), "{ [i0, i1, i2] -> [(1 + 5i0 + 2i2)] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    fn place_columns(&self, domain: &Space, place: &[usize]) -> Self;

    /// Whether both are obviously the same expression.
    ///
    /// ```
    /// # use loopwright_presburger::{Aff, Expression};
    /// let (a, b) = (Aff::parse("{ [i] -> [(i + 1)] }")?, Aff::parse("{ [i] -> [(1 + i)] }")?);
    /// assert!(Expression::plain_is_equal(&a, &b));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    fn plain_is_equal(&self, other: &Self) -> bool;

    /// A simpler expression that is equal inside `context`, a set of the domain.
    ///
    /// ```
    /// # use loopwright_presburger::{Aff, Budget, Expression, Set};
    /// let aff = Aff::parse("{ [i] -> [(floor(i/4))] }")?;
    /// let first = Set::parse("{ [i] : 0 <= i <= 3 }")?;
    /// let simpler = Expression::gist(&aff, &first, &Budget::unlimited())?;
    /// assert_eq!(simpler.to_string(), "{ [i] -> [(0)] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`](crate::Error::SpaceMismatch) if the context is in another space,
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    fn gist(&self, context: &Set, budget: &Budget) -> Result<Self>;

    /// The composition with a tuple of expressions.
    ///
    /// ```
    /// # use loopwright_presburger::{Expression, MultiAff, QPolynomial};
    /// let square = QPolynomial::parse("{ A[x] -> x^2 }")?;
    /// let next = MultiAff::parse("{ S[i] -> A[(i + 1)] }")?;
    /// assert_eq!(square.pullback(&next)?.to_string(), "{ S[i] -> (i^2 + 2*i + 1) }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`](crate::Error::SpaceMismatch) if the range of `inner` is not the domain.
    fn pullback(&self, inner: &MultiAff) -> Result<Self>;

    /// Whether dimensions of the domain occur.
    ///
    /// ```
    /// # use loopwright_presburger::{DimKind, Expression, QPolynomial};
    /// let square = QPolynomial::parse("{ [i, j] -> i^2 }")?;
    /// assert!(square.involves_dims(DimKind::Out, 0, 1));
    /// assert!(!square.involves_dims(DimKind::Out, 1, 1));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    fn involves_dims(&self, kind: DimKind, first: usize, count: usize) -> bool;

    /// Over the parameters of `space` first, others after.
    ///
    /// ```
    /// # use loopwright_presburger::{Aff, Expression, Space};
    /// let aff = Aff::parse("[n] -> { [i] -> [(i + n)] }")?;
    /// let aligned = aff.aligned_to(&Space::params(&["m".into()]));
    /// assert_eq!(aligned.to_string(), "[m, n] -> { [i] -> [(n + i)] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    fn aligned_to(&self, space: &Space) -> Self {
        let own = Self::domain_of(self.space());
        let params = space.to_params().merge_params(&own);
        if params.has_equal_params(&own) {
            return self.clone();
        }
        let domain = own.with_params(params.param_names());
        let place = crate::core::align_parameters::param_places(&own, &domain);
        self.place_columns(&domain, &place)
    }
}

impl Expression for Aff {
    fn space(&self) -> &Space {
        &self.space
    }

    fn domain_of(space: &Space) -> Space {
        space.clone()
    }

    fn with_domain(_: &Space, domain: &Space) -> Space {
        domain.clone()
    }

    fn place_columns(&self, domain: &Space, place: &[usize]) -> Self {
        let first = 1 + domain.n_all();
        let mut place = place.to_vec();
        place.extend(first..first + self.locals.len());
        let width = first + self.locals.len();
        let mut placed = self.clone();
        placed.row = self.row.placed(&place, width);
        for local in &mut placed.locals {
            let numerator = numerator_mut(local);
            *numerator = numerator.placed(&place, width);
        }
        placed.space = domain.clone();
        placed
    }

    fn plain_is_equal(&self, other: &Self) -> bool {
        self.plain_is_equal(other)
    }

    fn gist(&self, context: &Set, budget: &Budget) -> Result<Self> {
        self.gist(context, budget)
    }

    fn pullback(&self, inner: &MultiAff) -> Result<Self> {
        self.pullback(inner)
    }

    fn involves_dims(&self, kind: DimKind, first: usize, count: usize) -> bool {
        self.involves_dims(kind, first, count)
    }
}

impl Expression for MultiAff {
    fn space(&self) -> &Space {
        &self.space
    }

    fn domain_of(space: &Space) -> Space {
        space.domain()
    }

    fn with_domain(space: &Space, domain: &Space) -> Space {
        domain.with_tuples(domain.output().cloned(), space.output().cloned())
    }

    fn place_columns(&self, domain: &Space, place: &[usize]) -> Self {
        MultiAff {
            space: Self::with_domain(&self.space, domain),
            members: self.members.iter().map(|aff| aff.place_columns(domain, place)).collect(),
        }
    }

    fn plain_is_equal(&self, other: &Self) -> bool {
        self.plain_is_equal(other)
    }

    fn gist(&self, context: &Set, budget: &Budget) -> Result<Self> {
        self.gist(context, budget)
    }

    fn pullback(&self, inner: &MultiAff) -> Result<Self> {
        self.pullback(inner)
    }

    fn involves_dims(&self, kind: DimKind, first: usize, count: usize) -> bool {
        self.members.iter().any(|aff| aff.involves_dims(kind, first, count))
    }
}

impl Aff {
    /// The same over the parameters of `space` first, others after.
    ///
    /// ```
    /// # use loopwright_presburger::{Aff, Space};
    /// let aff = Aff::parse("[n] -> { [i] -> [(i + n)] }")?;
    /// let aligned = aff.align_params(&Space::params(&["m".into()]));
    /// assert_eq!(aligned.to_string(), "[m, n] -> { [i] -> [(n + i)] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn align_params(&self, space: &Space) -> Self {
        let target = self.space.with_params(space.merge_params(&self.space).param_names());
        if target.param_names() == self.space.param_names() {
            return self.clone();
        }
        self.place_columns(&target, &param_places(&self.space, &target))
    }
}
