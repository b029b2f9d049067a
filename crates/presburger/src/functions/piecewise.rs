//! Functions in pieces: an expression for each part of a domain.
//!
//! A piecewise function holds pairs of a domain and an expression; the domains are disjoint, and
//! outside of them the function is not defined. What does not depend on the kind of expression is
//! written here once: restriction, simplification, composition, the union of functions. An
//! [`Expression`] says how it behaves under a change of its domain space; quasi-affine expressions,
//! tuples of them and quasi-polynomials are expressions.
use crate::core::basic_map::BasicMap;
use crate::core::budget::Budget;
use crate::core::columns::{Part, conjoin, permute};
use crate::core::error::{During, Result};
use crate::core::map::Map;
use crate::core::set::Set;
use crate::core::space::{DimKind, Space, mismatch};
use crate::functions::aff::Aff;
use crate::functions::expression::Expression;
use crate::functions::multi_aff::MultiAff;
use std::borrow::Cow;

/// An expression for each piece of a domain; the pieces are disjoint.
///
/// *Cost.* Operations on two functions intersect the domains of every pair of pieces.
///
/// ```
/// # use loopwright_presburger::PwAff;
/// let distance = PwAff::parse("{ [i] -> [(i)] : i >= 0; [i] -> [(-i)] : i < 0 }")?;
/// let (domain, expression) = &distance.pieces()[1];
/// assert_eq!(domain.to_string(), "{ [i] : i < 0 }");
/// assert_eq!(expression.to_string(), "{ [i] -> [(-i)] }");
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "a new value is returned, operands do not change"]
pub struct Piecewise<E> {
    pub(crate) space: Space,
    pub(crate) pieces: Vec<(Set, E)>,
}

impl<E: Expression> Piecewise<E> {
    /// One expression everywhere.
    ///
    /// ```
    /// # use loopwright_presburger::{Aff, Piecewise};
    /// let aff = Aff::parse("{ [i] -> [(2i)] }")?;
    /// assert_eq!(Piecewise::everywhere(aff).to_string(), "{ [i] -> [(2i)] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn everywhere(expression: E) -> Self {
        let domain = Set::universe(E::domain_of(expression.space()));
        Piecewise { space: expression.space().clone(), pieces: vec![(domain, expression)] }
    }

    /// One expression on a domain in the same space.
    ///
    /// ```
    /// # use loopwright_presburger::{Aff, Piecewise, Set};
    /// let aff = Aff::parse("{ S[i] -> [(2i)] }")?;
    /// let function = Piecewise::on_domain(Set::parse("[n] -> { S[i] : i < n }")?, aff);
    /// assert_eq!(function.to_string(), "[n] -> { S[i] -> [(2i)] : i < n }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn on_domain(domain: Set, expression: E) -> Self {
        let space = expression.space().clone();
        match domain.space().has_equal_params(&space) && !domain.plain_is_empty() {
            true => Piecewise { space, pieces: vec![(domain, expression)] },
            false => Piecewise::from_pieces(space, vec![(domain, expression)]),
        }
    }

    /// From pieces on disjoint domains in the tuples of `space`; obviously empty ones are dropped.
    ///
    /// ```
    /// # use loopwright_presburger::{Aff, Piecewise, Set};
    /// let (up, down) = (Aff::parse("{ [i] -> [(i)] }")?, Aff::parse("{ [i] -> [(-i)] }")?);
    /// let pieces = vec![
    ///     (Set::parse("{ [i] : i > 0 }")?, up.clone()),
    ///     (Set::parse("{ [i] : i < 0 }")?, down),
    /// ];
    /// let function = Piecewise::from_pieces(up.domain_space().clone(), pieces);
    /// assert_eq!(function.to_string(), "{ [i] -> [(i)] : i > 0; [i] -> [(-i)] : i < 0 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn from_pieces(space: Space, pieces: Vec<(Set, E)>) -> Self {
        let spaces = pieces.iter().flat_map(|(domain, e)| [domain.space(), e.space()]);
        let space = spaces.fold(space, |all, own| match all.has_equal_params(own) {
            true => all,
            false => all.merge_params(own),
        });
        let is_aligned = |own: &Space| own.has_equal_params(&space);
        let aligned =
            |(domain, e): (Set, E)| match is_aligned(domain.space()) && is_aligned(e.space()) {
                true => (domain, e),
                false => (domain.align_params(&space), e.aligned_to(&space)),
            };
        let reached = pieces.into_iter().filter(|(domain, _)| !domain.plain_is_empty());
        let pieces = reached.map(aligned).collect();
        Piecewise { space, pieces }
    }

    /// Nowhere defined.
    ///
    /// ```
    /// # use loopwright_presburger::{PwAff, Space, Tuple};
    /// let nowhere = PwAff::empty(&Space::set(&[], Tuple::named("S", 1)));
    /// assert!(nowhere.plain_is_empty());
    /// ```
    pub fn empty(space: &Space) -> Self {
        Piecewise { space: space.clone(), pieces: Vec::new() }
    }

    /// The pieces.
    ///
    /// ```
    /// # use loopwright_presburger::PwAff;
    /// let function = PwAff::parse("{ [i] -> [max(i, 0)] }")?;
    /// assert_eq!(function.pieces().len(), 2);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn pieces(&self) -> &[(Set, E)] {
        &self.pieces
    }

    /// The space of the expressions: the domain, or for tuples from the domain to the tuple.
    ///
    /// ```
    /// # use loopwright_presburger::{PwAff, PwMultiAff};
    /// let function = PwAff::parse("[n] -> { S[i] -> [(i)] : i < n }")?;
    /// assert_eq!(function.space().to_string(), "[n] -> { S[i] }");
    /// let tuples = PwMultiAff::parse("{ S[i] -> A[(i)] : i > 0 }")?;
    /// assert_eq!(tuples.space().to_string(), "{ S[i] -> A[i0] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// The space of the domain.
    pub(crate) fn own_domain(&self) -> Space {
        E::domain_of(&self.space)
    }

    /// Where it is defined.
    ///
    /// ```
    /// # use loopwright_presburger::PwAff;
    /// let function = PwAff::parse("{ [i] -> [(i)] : i > 3; [i] -> [(0)] : i < 0 }")?;
    /// assert_eq!(function.domain().to_string(), "{ [i] : i >= 4 or i < 0 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn domain(&self) -> Set {
        union_of(&self.own_domain(), self.pieces.iter().map(|(domain, _)| domain.clone()))
    }

    /// Whether it is obviously nowhere defined.
    ///
    /// ```
    /// # use loopwright_presburger::PwAff;
    /// assert!(PwAff::parse("{ [i] -> [(i)] : false }")?.plain_is_empty());
    /// assert!(!PwAff::parse("{ [i] -> [(i)] }")?.plain_is_empty());
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn plain_is_empty(&self) -> bool {
        self.pieces.iter().all(|(domain, _)| domain.plain_is_empty())
    }

    /// The pieces with other expressions in the same space.
    pub(crate) fn mapped(&self, map: impl Fn(&E) -> E) -> Self {
        let pieces = self.pieces.iter().map(|(domain, e)| (domain.clone(), map(e))).collect();
        Piecewise { space: self.space.clone(), pieces }
    }

    /// The pieces with other domains; those that become obviously empty are dropped.
    fn with_domains(&self, change: impl Fn(&Set) -> Result<Set>) -> Result<Self> {
        let piece = |(domain, e): &(Set, E)| Ok((change(domain)?, e.clone()));
        let pieces = self.pieces.iter().map(piece).collect::<Result<_>>()?;
        Ok(Piecewise::from_pieces(self.space.clone(), pieces))
    }

    /// What `combine` makes of two expressions, on the common part of each pair of pieces.
    ///
    /// The result is in `space`; the domains must agree.
    pub(crate) fn combined<F: Expression, G: Expression>(
        &self,
        other: &Piecewise<F>,
        space: Space,
        operation: &'static str,
        combine: impl Fn(&E, &F) -> Result<G>,
    ) -> Result<Piecewise<G>> {
        let (a, b) = aligned(self, other, operation)?;
        let budget = &Budget::for_one_call();
        let mut pieces = Vec::with_capacity(a.pieces.len() * b.pieces.len());
        for (a_domain, a_value) in &a.pieces {
            for (b_domain, b_value) in &b.pieces {
                let domain = intersection(a_domain, b_domain, budget)?;
                if !domain.plain_is_empty() {
                    pieces.push((domain, combine(a_value, b_value)?));
                }
            }
        }
        Ok(Piecewise::from_pieces(space.with_params(a.space.param_names()), pieces))
    }

    /// The points of the pieces where a condition on the expression holds.
    pub(crate) fn filtered(&self, condition: impl Fn(&E) -> BasicMap) -> Set {
        let piece = |(domain, e): &(Set, E)| domain.conjoin_each(&condition(e));
        union_of(&self.own_domain(), self.pieces.iter().map(piece))
    }

    /// The points of both domains where a relation between the expressions holds.
    pub(crate) fn related<F: Expression>(
        &self,
        other: &Piecewise<F>,
        operation: &'static str,
        relation: impl Fn(&E, &F) -> Result<Set>,
    ) -> Result<Set> {
        let (a, b) = aligned(self, other, operation)?;
        let budget = &Budget::for_one_call();
        let mut basics = Vec::new();
        for (a_domain, a_value) in &a.pieces {
            for (b_domain, b_value) in &b.pieces {
                let domain = intersection(a_domain, b_domain, budget)?;
                if !domain.plain_is_empty() {
                    basics.extend(
                        intersection(&relation(a_value, b_value)?, &domain, budget)?.0.basics,
                    );
                }
            }
        }
        Ok(Set(Map::collect(a.own_domain(), basics)))
    }

    /// Restricted to a set of the domain.
    ///
    /// ```
    /// # use loopwright_presburger::{PwAff, Set};
    /// let function = PwAff::parse("{ [i] -> [(i)] : i >= 0; [i] -> [(-i)] : i < 0 }")?;
    /// let part = function.intersect_domain(&Set::parse("{ [i] : 5 <= i <= 9 }")?)?;
    /// assert_eq!(part.to_string(), "{ [i] -> [(i)] : 5 <= i <= 9 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`](crate::Error::SpaceMismatch) if the set is in another space.
    pub fn intersect_domain(&self, set: &Set) -> Result<Self> {
        let budget = &Budget::for_one_call();
        self.with_domains(|domain| intersection(domain, set, budget))
    }

    /// Restricted to parameter values.
    ///
    /// ```
    /// # use loopwright_presburger::{PwAff, Set};
    /// let function = PwAff::parse("[n] -> { [i] -> [(i)] : i < n }")?;
    /// let part = function.intersect_params(&Set::parse("[n] -> { : n > 7 }")?)?;
    /// assert_eq!(part.to_string(), "[n] -> { [i] -> [(i)] : n >= 8 and i < n }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`](crate::Error::SpaceMismatch) if the set is no parameter set.
    pub fn intersect_params(&self, params: &Set) -> Result<Self> {
        self.with_domains(|domain| domain.intersect_params(params))
    }

    /// Restricted to the points outside of a set of the domain.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, PwAff, Set};
    /// let function = PwAff::parse("{ [i] -> [(i)] : 0 <= i <= 9 }")?;
    /// let rest = function.subtract_domain(&Set::parse("{ [i] : i < 5 }")?, &Budget::unlimited())?;
    /// assert_eq!(rest.to_string(), "{ [i] -> [(i)] : 5 <= i <= 9 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`](crate::Error::SpaceMismatch) if the set is in another space,
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn subtract_domain(&self, set: &Set, budget: &Budget) -> Result<Self> {
        self.with_domains(|domain| domain.subtract(set, budget)).during("subtract_domain")
    }

    /// Simplified inside a context: equal to `self` on the points of the context where it is
    /// defined, with simpler domains and expressions. Pieces outside of the context are dropped.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, PwAff, Set};
    /// let function = PwAff::parse("{ [i] -> [(floor(i/8))] : i >= 0; [i] -> [(-i)] : i < 0 }")?;
    /// let known = Set::parse("{ [i] : 0 <= i <= 7 }")?;
    /// assert_eq!(function.gist(&known, &Budget::unlimited())?.to_string(), "{ [i] -> [(0)] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`](crate::Error::SpaceMismatch) if the context is in another space,
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn gist(&self, context: &Set, budget: &Budget) -> Result<Self> {
        if context.plain_is_universe() && context.space() == &self.own_domain() {
            return Ok(self.clone());
        }
        let mut pieces = Vec::with_capacity(self.pieces.len());
        for (domain, e) in &self.pieces {
            let inside = intersection(domain, context, budget)?;
            if !inside.is_empty(budget).during("gist")? {
                pieces.push((
                    domain.gist(context, budget).during("gist")?,
                    e.gist(&inside, budget).during("gist")?,
                ));
            }
        }
        Ok(Piecewise::from_pieces(self.space.merge_params(context.space()), pieces))
    }

    /// Simplified for parameter values in a context, see [`Piecewise::gist`].
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, PwAff, Set};
    /// let function = PwAff::parse("[n] -> { [i] -> [(i)] : 0 <= i < n and n > 5 }")?;
    /// let known = Set::parse("[n] -> { : n > 9 }")?;
    /// let simpler = function.gist_params(&known, &Budget::unlimited())?;
    /// assert_eq!(simpler.to_string(), "[n] -> { [i] -> [(i)] : 0 <= i < n }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`](crate::Error::SpaceMismatch) if the context is no parameter set,
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn gist_params(&self, context: &Set, budget: &Budget) -> Result<Self> {
        let domain = self.own_domain();
        self.gist(
            &Set::universe(domain)
                .intersect_params_within(context, budget)
                .during("gist_params")?,
            budget,
        )
        .during("gist_params")
    }

    /// Fewer pieces: those with the same expression are merged, and their domains coalesced. Empty
    /// ones are dropped, except for a single basic piece, where there is nothing to merge.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, PwAff};
    /// let function = PwAff::parse("{ [i] -> [(i)] : i < 5; [i] -> [(i)] : 5 <= i <= 9 }")?;
    /// let short = function.coalesce(&Budget::unlimited())?;
    /// assert_eq!(short.to_string(), "{ [i] -> [(i)] : i <= 9 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn coalesce(&self, budget: &Budget) -> Result<Self> {
        if let [(domain, _)] = &self.pieces[..]
            && domain.0.basics.len() == 1
        {
            return Ok(self.clone());
        }
        let mut merged: Vec<(Set, E)> = Vec::new();
        for (domain, e) in &self.pieces {
            match merged.iter_mut().find(|(_, known)| known.plain_is_equal(e)) {
                Some((known, _)) => known.0.absorb(domain.0.clone()),
                None => merged.push((domain.clone(), e.clone())),
            }
        }
        for (domain, _) in &mut merged {
            *domain = domain.coalesce(budget).during("coalesce")?;
        }
        merged.retain(|(domain, _)| !domain.plain_is_empty());
        Ok(Piecewise { space: self.space.clone(), pieces: merged })
    }

    /// Both, for disjoint domains.
    ///
    /// ```
    /// # use loopwright_presburger::PwAff;
    /// let a = PwAff::parse("{ [i] -> [(i)] : i > 0 }")?;
    /// let b = PwAff::parse("{ [i] -> [(0)] : i < 0 }")?;
    /// assert_eq!(
    ///     a.union_disjoint(&b)?.to_string(),
    ///     "{ [i] -> [(i)] : i > 0; [i] -> [(0)] : i < 0 }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`](crate::Error::SpaceMismatch) if the spaces differ.
    pub fn union_disjoint(&self, other: &Self) -> Result<Self> {
        let (a, b) = aligned(self, other, "the union of piecewise functions")?;
        if !a.space.has_equal_tuples(&b.space) {
            return Err(mismatch("the union of piecewise functions", &a.space, &b.space));
        }
        Ok(Piecewise::from_pieces(a.space.clone(), [&a.pieces[..], &b.pieces[..]].concat()))
    }

    /// `on_both` where both are defined, and the one that is defined elsewhere.
    pub(crate) fn union_with(&self, other: &Self, on_both: &Self, budget: &Budget) -> Result<Self> {
        let here = self.subtract_domain(&other.domain(), budget)?;
        let there = other.subtract_domain(&self.domain(), budget)?;
        on_both.union_disjoint(&here)?.union_disjoint(&there)
    }

    /// The single expression if all pieces agree; none if there is no piece.
    pub(crate) fn single_expression(&self) -> Option<&E> {
        let ((_, first), rest) = self.pieces.split_first()?;
        rest.iter().all(|(_, e)| e.plain_is_equal(first)).then_some(first)
    }

    /// Composition: this function of the value of `inner`.
    ///
    /// ```
    /// # use loopwright_presburger::{MultiAff, PwAff};
    /// let function = PwAff::parse("{ A[x] -> [(x)] : x > 5 }")?;
    /// let inner = MultiAff::parse("{ S[i] -> A[(2i + 1)] }")?;
    /// assert_eq!(
    ///     function.pullback_multi_aff(&inner)?.to_string(),
    ///     "{ S[i] -> [(1 + 2i)] : i >= 3 }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`](crate::Error::SpaceMismatch) if the range of `inner` is not the domain.
    pub fn pullback_multi_aff(&self, inner: &MultiAff) -> Result<Self> {
        self.pullback_pw_multi_aff(&PwMultiAff::everywhere(inner.clone()))
    }

    /// Composition: this function of the value of `inner`.
    ///
    /// ```
    /// use loopwright_presburger::{PwAff, PwMultiAff};
    /// let distance = PwAff::parse("{ [i] -> [(i)] : i >= 0; [i] -> [(-i)] : i < 0 }")?;
    /// let moved = PwMultiAff::parse("{ A[j] -> [(j - 3)] : j > 1 }")?;
    /// let composed = distance.pullback_pw_multi_aff(&moved)?;
    /// assert_eq!(
    ///     composed.to_string(),
    ///     "{ A[j] -> [(-3 + j)] : j >= 3; A[j] -> [(3 - j)] : j = 2 }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`](crate::Error::SpaceMismatch) if the range of `inner` is not the domain.
    pub fn pullback_pw_multi_aff(&self, inner: &PwMultiAff) -> Result<Self> {
        let own = self.own_domain();
        if inner.space.output() != own.output() {
            return Err(mismatch("the composition of functions", &self.space, &inner.space));
        }
        let domain = inner.space.domain().merge_params(&self.space);
        let budget = &Budget::for_one_call();
        let mut pieces = Vec::with_capacity(self.pieces.len() * inner.pieces.len());
        for (inner_domain, inner_value) in &inner.pieces {
            for (outer_domain, outer_value) in &self.pieces {
                let reached =
                    intersection(&inner_value.preimage(outer_domain)?, inner_domain, budget)?;
                if !reached.plain_is_empty() {
                    pieces.push((reached, outer_value.pullback(inner_value)?));
                }
            }
        }
        Ok(Piecewise::from_pieces(E::with_domain(&self.space, &domain), pieces))
    }

    /// Domains and expressions over other columns, see [`Expression::place_columns`].
    pub(crate) fn place_columns(&self, domain: &Space, place: &[usize]) -> Self {
        let placed = |set: &Set| {
            Set(set.0.map_basics(domain.clone(), |basic| {
                permute(domain.clone(), Part { system: &basic.inner, place })
            }))
        };
        let piece = |(set, e): &(Set, E)| (placed(set), e.place_columns(domain, place));
        Piecewise {
            space: E::with_domain(&self.space, domain),
            pieces: self.pieces.iter().map(piece).collect(),
        }
    }

    /// The same over the parameters of `space` first, others after.
    ///
    /// ```
    /// # use loopwright_presburger::{PwAff, Space};
    /// let function = PwAff::parse("[n] -> { [i] -> [(i)] : i < n }")?;
    /// let aligned = function.align_params(&Space::params(&["m".into()]));
    /// assert_eq!(aligned.to_string(), "[m, n] -> { [i] -> [(i)] : i < n }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn align_params(&self, space: &Space) -> Self {
        let params = space.to_params().merge_params(&self.space);
        if params.has_equal_params(&self.space) {
            return self.clone();
        }
        let target = self.space.with_params(params.param_names());
        Piecewise::from_pieces(target, self.pieces.clone())
    }

    /// Whether the dimensions of the domain appear in an expression or in a piece.
    ///
    /// ```
    /// # use loopwright_presburger::{DimKind, PwAff};
    /// let function = PwAff::parse("{ [i, j, k] -> [(i)] : j > 0 }")?;
    /// assert!(function.involves_dims(DimKind::Out, 1, 1));
    /// assert!(!function.involves_dims(DimKind::Out, 2, 1));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn involves_dims(&self, kind: DimKind, first: usize, count: usize) -> bool {
        let involved = |(domain, e): &(Set, E)| {
            e.involves_dims(kind, first, count) || domain.involves_dims(kind, first, count)
        };
        self.pieces.iter().any(involved)
    }
}

/// Two functions, copied only if that is needed.
type Both<'a, E, F> = (Cow<'a, Piecewise<E>>, Cow<'a, Piecewise<F>>);

/// Both over the same parameters, if they have the same domain.
fn aligned<'a, E: Expression, F: Expression>(
    a: &'a Piecewise<E>,
    b: &'a Piecewise<F>,
    operation: &'static str,
) -> Result<Both<'a, E, F>> {
    if !a.own_domain().has_equal_tuples(&b.own_domain()) {
        return Err(mismatch(operation, &a.space, &b.space));
    }
    if a.space.has_equal_params(&b.space) {
        return Ok((Cow::Borrowed(a), Cow::Borrowed(b)));
    }
    let space = a.space.merge_params(&b.space);
    Ok((Cow::Owned(a.align_params(&space)), Cow::Owned(b.align_params(&space))))
}

/// The intersection, without work if one of them is obviously everything.
pub(crate) fn intersection(a: &Set, b: &Set, budget: &Budget) -> Result<Set> {
    let is_universe =
        |set: &Set| matches!(set.0.basics.as_slice(), [basic] if basic.plain_is_universe());
    if a.space() == b.space() {
        if is_universe(b) {
            return Ok(a.clone());
        }
        if is_universe(a) {
            return Ok(b.clone());
        }
    }
    a.intersect_within(b, budget)
}

/// The union of sets in one space, over the same parameters.
pub(crate) fn union_of(space: &Space, sets: impl Iterator<Item = Set>) -> Set {
    Set(Map::collect(space.clone(), sets.flat_map(|set| set.0.basics)))
}

impl Set {
    /// The points that also satisfy one basic set in the same space over the same parameters: one
    /// conjunction for each piece.
    pub(crate) fn conjoin_each(&self, basic: &BasicMap) -> Set {
        if basic.plain_is_universe() {
            return self.clone();
        }
        let space = self.space();
        let place: Vec<usize> = (0..=space.n_all()).collect();
        Set(self.0.map_basics(space.clone(), |own| {
            let part = |basic| Part { system: basic, place: &place };
            conjoin(space.clone(), 0, &[part(&own.inner), part(&basic.inner)])
        }))
    }
}

/// A quasi-affine expression per piece of a domain; pieces are disjoint.
///
/// ```
/// # use loopwright_presburger::{Budget, Int, PwAff, Rational};
/// let distance = PwAff::parse("{ [i] -> [(i)] : i >= 0; [i] -> [(-i)] : i < 0 }")?;
/// let value = distance.eval(&[Int::from(-4)], &Budget::unlimited())?;
/// assert_eq!(value, Some(Rational::from(4)));
/// assert_eq!(distance.zero_set().to_string(), "{ [i = 0] }");
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
pub type PwAff = Piecewise<Aff>;

/// A tuple of quasi-affine expressions per piece of a domain; pieces are disjoint.
///
/// ```
/// # use loopwright_presburger::PwMultiAff;
/// let f = PwMultiAff::parse("{ S[i] -> A[(i), (0)] : i > 0; S[i] -> A[(0), (i)] : i <= 0 }")?;
/// assert_eq!(f.space().to_string(), "{ S[i] -> A[i0, i1] }");
/// assert_eq!(f.pw_aff(1).to_string(), "{ S[i] -> [(0)] : i > 0; S[i] -> [(i)] : i <= 0 }");
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
pub type PwMultiAff = Piecewise<MultiAff>;
