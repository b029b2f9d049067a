//! Piecewise quasi-affine expressions.
use super::aff::mismatch;
use crate::*;
use std::borrow::Cow;

/// A quasi-affine expression per piece of a domain; pieces are disjoint.
#[derive(Clone, Debug)]
pub struct PwAff {
    pub(crate) space: Space,
    pub(crate) pieces: Vec<(Set, Aff)>,
}

impl PwAff {
    /// One expression everywhere.
    pub fn from_aff(aff: Aff) -> Self {
        let domain = Set::universe(aff.space.clone());
        PwAff { space: aff.space.clone(), pieces: vec![(domain, aff)] }
    }

    /// One expression on a domain in the same space.
    pub fn on_domain(domain: Set, aff: Aff) -> Self {
        let space = aff.space.merge_params(domain.space());
        PwAff::from_pieces(space, vec![(domain, aff)])
    }

    /// From pieces on disjoint domains in the tuples of `space`; obviously empty ones are dropped.
    pub fn from_pieces(space: Space, pieces: Vec<(Set, Aff)>) -> Self {
        let space = pieces
            .iter()
            .fold(space, |s, (d, aff)| s.merge_params(d.space()).merge_params(&aff.space));
        let pieces = pieces
            .into_iter()
            .filter(|(domain, _)| !domain.plain_is_empty())
            .map(|(domain, aff)| (domain.align_params(&space), aff.align_params(&space)))
            .collect();
        PwAff { space, pieces }
    }

    /// Nowhere defined.
    pub fn empty(domain: &Space) -> Self {
        PwAff { space: domain.clone(), pieces: Vec::new() }
    }

    /// The pieces.
    pub fn pieces(&self) -> &[(Set, Aff)] {
        &self.pieces
    }

    /// The space of the domain.
    pub fn domain_space(&self) -> &Space {
        &self.space
    }

    /// Where it is defined.
    pub fn domain(&self) -> Set {
        union_of(&self.space, self.pieces.iter().map(|(domain, _)| domain.clone()))
    }

    /// The pieces with other expressions.
    fn mapped(&self, map: impl Fn(&Aff) -> Aff) -> Self {
        let pieces = self.pieces.iter().map(|(domain, aff)| (domain.clone(), map(aff))).collect();
        PwAff { space: self.space.clone(), pieces }
    }

    /// The expressions of both where both are defined.
    fn combined(
        &self,
        other: &Self,
        operation: &'static str,
        combine: impl Fn(&Aff, &Aff) -> Result<Aff>,
    ) -> Result<Self> {
        let (a, b) = aligned(self, other, operation)?;
        let mut pieces = Vec::with_capacity(a.pieces.len() * b.pieces.len());
        for (a_domain, a_aff) in &a.pieces {
            for (b_domain, b_aff) in &b.pieces {
                let domain = intersection(a_domain, b_domain)?;
                if !domain.plain_is_empty() {
                    pieces.push((domain, combine(a_aff, b_aff)?));
                }
            }
        }
        Ok(PwAff { space: a.space.clone(), pieces })
    }

    /// The sum where both are defined.
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`] if the domains are in different spaces.
    pub fn add(&self, other: &Self) -> Result<Self> {
        self.combined(other, "the sum of piecewise expressions", Aff::add)
    }

    /// The difference where both are defined.
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`] if the domains are in different spaces.
    pub fn sub(&self, other: &Self) -> Result<Self> {
        self.combined(other, "the difference of piecewise expressions", Aff::sub)
    }

    /// The product if, on each piece, one factor is constant.
    ///
    /// # Errors
    /// [`Error::Invalid`] if on some piece neither factor is constant.
    pub fn mul(&self, other: &Self) -> Result<Self> {
        self.combined(other, "the product of piecewise expressions", Aff::mul)
    }

    /// The negative.
    pub fn neg(&self) -> Self {
        self.mapped(Aff::neg)
    }

    /// The product with an integer.
    pub fn scale(&self, factor: &Int) -> Self {
        self.mapped(|aff| aff.scale(factor))
    }

    /// The quotient, not rounded.
    pub fn scale_down(&self, divisor: &Int) -> Self {
        self.mapped(|aff| aff.scale_down(divisor))
    }

    /// Rounded down.
    pub fn floor(&self) -> Self {
        self.mapped(Aff::floor)
    }

    /// Rounded up.
    pub fn ceil(&self) -> Self {
        self.mapped(Aff::ceil)
    }

    /// Remainder in `0..divisor`.
    pub fn modulo(&self, divisor: &Int) -> Self {
        self.mapped(|aff| aff.modulo(divisor))
    }

    /// C's truncating quotient by a positive or negative constant.
    ///
    /// # Errors
    /// [`Error::Invalid`] for the divisor 0, [`Error::Exceeded`].
    pub fn tdiv_q(&self, divisor: &Int, budget: &Budget) -> Result<Self> {
        if divisor.is_zero() {
            return Err(Error::Invalid {
                operation: "the truncated quotient",
                reason: "division by zero".to_owned(),
            });
        }
        let quotient = self.scale_down(divisor);
        PwAff::select(&quotient.nonneg_set(), &quotient.floor(), &quotient.ceil(), budget)
    }

    /// C's remainder: `self - divisor * tdiv_q(self, divisor)`.
    ///
    /// # Errors
    /// As [`PwAff::tdiv_q`].
    pub fn tdiv_r(&self, divisor: &Int, budget: &Budget) -> Result<Self> {
        self.sub(&self.tdiv_q(divisor, budget)?.scale(divisor))
    }

    /// The smaller, where both are defined.
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`] if the domains are in different spaces.
    pub fn min(&self, other: &Self, budget: &Budget) -> Result<Self> {
        self.extremum(other, false, budget)
    }

    /// The greater, where both are defined.
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`] if the domains are in different spaces.
    pub fn max(&self, other: &Self, budget: &Budget) -> Result<Self> {
        self.extremum(other, true, budget)
    }

    fn extremum(&self, other: &Self, greatest: bool, budget: &Budget) -> Result<Self> {
        let (a, b) = aligned(self, other, "the extremum of piecewise expressions")?;
        let mut pieces = Vec::new();
        for (a_domain, a_aff) in &a.pieces {
            for (b_domain, b_aff) in &b.pieces {
                budget.spend(1, "the extremum of piecewise expressions")?;
                let domain = intersection(a_domain, b_domain)?;
                let (keeps, yields) = match greatest {
                    true => (a_aff.ge_set(b_aff)?, b_aff.gt_set(a_aff)?),
                    false => (b_aff.ge_set(a_aff)?, a_aff.gt_set(b_aff)?),
                };
                pieces.push((intersection(&domain, &keeps)?, a_aff.clone()));
                pieces.push((intersection(&domain, &yields)?, b_aff.clone()));
            }
        }
        pieces.retain(|(domain, _)| !domain.plain_is_empty());
        Ok(PwAff { space: a.space.clone(), pieces })
    }

    /// `then` where `condition` holds, `otherwise` elsewhere (condition: a set of the domain).
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`] if the domains are in different spaces, [`Error::Exceeded`].
    pub fn select(condition: &Set, then: &Self, otherwise: &Self, budget: &Budget) -> Result<Self> {
        let chosen = then.intersect_domain(condition)?;
        let mut rest = otherwise.clone();
        for (domain, _) in &mut rest.pieces {
            *domain = domain.subtract(condition, budget)?;
        }
        rest.pieces.retain(|(domain, _)| !domain.plain_is_empty());
        chosen.union_add(&rest)
    }

    /// Both, for disjoint domains.
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`] if the domains are in different spaces.
    pub fn union_add(&self, other: &Self) -> Result<Self> {
        let (a, b) = aligned(self, other, "the union of piecewise expressions")?;
        let space = a.space.merge_params(&b.space);
        Ok(PwAff::from_pieces(space, [&a.pieces[..], &b.pieces[..]].concat()))
    }

    /// The points of both domains where a relation between the expressions holds.
    fn related(
        &self,
        other: &Self,
        operation: &'static str,
        relation: impl Fn(&Aff, &Aff) -> Result<Set>,
    ) -> Result<Set> {
        let (a, b) = aligned(self, other, operation)?;
        let mut holds = Set::empty(a.space.merge_params(&b.space));
        for (a_domain, a_aff) in &a.pieces {
            for (b_domain, b_aff) in &b.pieces {
                let domain = intersection(a_domain, b_domain)?;
                if domain.plain_is_empty() {
                    continue;
                }
                let piece = intersection(&relation(a_aff, b_aff)?, &domain)?;
                if !piece.plain_is_empty() {
                    holds = holds.union(&piece)?;
                }
            }
        }
        Ok(holds)
    }

    /// Where `self <= other`.
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`] if the domains are in different spaces; so for all comparisons.
    pub fn le_set(&self, other: &Self) -> Result<Set> {
        self.related(other, "the comparison of piecewise expressions", |a, b| b.ge_set(a))
    }

    /// Where `self < other`.
    pub fn lt_set(&self, other: &Self) -> Result<Set> {
        self.related(other, "the comparison of piecewise expressions", |a, b| b.gt_set(a))
    }

    /// Where `self >= other`.
    pub fn ge_set(&self, other: &Self) -> Result<Set> {
        other.le_set(self)
    }

    /// Where `self > other`.
    pub fn gt_set(&self, other: &Self) -> Result<Set> {
        other.lt_set(self)
    }

    /// Where they are equal.
    pub fn eq_set(&self, other: &Self) -> Result<Set> {
        self.related(other, "the comparison of piecewise expressions", Aff::eq_set)
    }

    /// Where both are defined and differ.
    pub fn ne_set(&self, other: &Self) -> Result<Set> {
        self.related(other, "the comparison of piecewise expressions", |a, b| {
            a.gt_set(b)?.union(&b.gt_set(a)?)
        })
    }

    /// The points of the pieces where a condition on the expression holds.
    fn filtered(&self, condition: impl Fn(&Aff) -> Set) -> Set {
        let piece = |(domain, aff): &(Set, Aff)| {
            intersection(domain, &condition(aff)).expect("a piece lives in one space")
        };
        union_of(&self.space, self.pieces.iter().map(piece))
    }

    /// Where it is zero.
    pub fn zero_set(&self) -> Set {
        self.filtered(Aff::zero_set)
    }

    /// Where it is not zero.
    pub fn non_zero_set(&self) -> Set {
        self.filtered(|aff| {
            let both = aff.positive_set().union(&aff.neg().positive_set());
            both.expect("the two halves live in one space")
        })
    }

    /// Where it is not negative.
    pub fn nonneg_set(&self) -> Set {
        self.filtered(Aff::nonneg_set)
    }

    /// Restricted to a domain.
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`] if the set is in another space.
    pub fn intersect_domain(&self, set: &Set) -> Result<Self> {
        let pieces =
            self.pieces.iter().map(|(domain, aff)| Ok((intersection(domain, set)?, aff.clone())));
        let pieces = pieces.collect::<Result<Vec<_>>>()?;
        Ok(PwAff::from_pieces(self.space.merge_params(set.space()), pieces))
    }

    /// Simplified inside a context: equal to `self` on the points of the context where it is
    /// defined, with simpler domains and expressions.
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`] if the context is in another space, [`Error::Exceeded`].
    pub fn gist(&self, context: &Set, budget: &Budget) -> Result<Self> {
        let mut pieces = Vec::with_capacity(self.pieces.len());
        for (domain, aff) in &self.pieces {
            let inside = intersection(domain, context)?;
            if inside.is_empty(budget)? {
                continue;
            }
            pieces.push((domain.gist(context, budget)?, aff.gist(&inside, budget)?));
        }
        Ok(PwAff::from_pieces(self.space.merge_params(context.space()), pieces))
    }

    /// Fewer pieces: those with the same expression are merged, empty ones dropped.
    ///
    /// # Errors
    /// [`Error::Exceeded`].
    pub fn coalesce(&self, budget: &Budget) -> Result<Self> {
        let mut merged: Vec<(Set, Aff)> = Vec::new();
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
        Ok(PwAff { space: self.space.clone(), pieces: merged })
    }

    /// The single expression if there is exactly one piece or all pieces agree.
    pub fn as_aff(&self) -> Option<Aff> {
        let ((_, first), rest) = self.pieces.split_first()?;
        rest.iter().all(|(_, aff)| aff.plain_is_equal(first)).then(|| first.clone())
    }

    /// Composition: this function of the value of `inner`.
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`] if the range of `inner` is not the domain.
    pub fn pullback_multi_aff(&self, inner: &MultiAff) -> Result<Self> {
        let space = inner.space.domain().merge_params(&self.space);
        let mut pieces = Vec::with_capacity(self.pieces.len());
        for (domain, aff) in &self.pieces {
            pieces.push((inner.preimage(domain)?, aff.pullback(inner)?));
        }
        Ok(PwAff::from_pieces(space, pieces))
    }

    /// Composition: this function of the value of `inner`.
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`] if the range of `inner` is not the domain.
    pub fn pullback_pw_multi_aff(&self, inner: &PwMultiAff) -> Result<Self> {
        let space = inner.space.domain().merge_params(&self.space);
        let mut result = PwAff::empty(&space);
        for (domain, aff) in &inner.pieces {
            let piece = self.pullback_multi_aff(aff)?.intersect_domain(domain)?;
            result = result.union_add(&piece)?;
        }
        Ok(result)
    }

    /// As a relation to a one-dimensional anonymous tuple (a set of that tuple if the domain is a
    /// parameter space).
    pub fn to_map(&self) -> Map {
        PwMultiAff::from_pw_affs(
            super::multi_aff::range_space(&self.space, Tuple::anonymous(1)),
            std::slice::from_ref(self),
        )
        .expect("the space is made for the expression")
        .to_map()
    }

    /// The same over the parameters of `space` first, others after.
    pub fn align_params(&self, space: &Space) -> Self {
        let target = self.space.with_params(space.merge_params(&self.space).param_names());
        PwAff::from_pieces(target, self.pieces.clone())
    }

    /// Whether the dimensions appear in an expression or in a domain.
    pub fn involves_dims(&self, kind: DimKind, first: usize, count: usize) -> bool {
        let involved = |(domain, aff): &(Set, Aff)| {
            aff.involves_dims(kind, first, count) || domain.involves_dims(kind, first, count)
        };
        self.pieces.iter().any(involved)
    }
}

/// Both over the same parameters.
fn aligned<'a>(
    a: &'a PwAff,
    b: &'a PwAff,
    operation: &'static str,
) -> Result<(Cow<'a, PwAff>, Cow<'a, PwAff>)> {
    if !a.space.has_equal_tuples(&b.space) {
        return Err(mismatch(operation, &a.space, &b.space));
    }
    if a.space.param_names() == b.space.param_names() {
        return Ok((Cow::Borrowed(a), Cow::Borrowed(b)));
    }
    let space = a.space.merge_params(&b.space);
    Ok((Cow::Owned(a.align_params(&space)), Cow::Owned(b.align_params(&space))))
}

/// The intersection, without work if one of them is obviously everything.
pub(super) fn intersection(a: &Set, b: &Set) -> Result<Set> {
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
    a.intersect(b)
}

/// The union of sets in one space.
pub(super) fn union_of(space: &Space, sets: impl Iterator<Item = Set>) -> Set {
    let basics =
        sets.flat_map(|set| set.0.basics).filter(|basic| !basic.plain_is_empty()).collect();
    Set(Map::from_basic_maps(space.clone(), basics))
}
