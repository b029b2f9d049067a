//! Bounds of piecewise quasi-polynomials over their domains, as functions of the parameters.
//!
//! Range propagation ([`super::range`]) is cheap. Where it does not reach a value and the piece is bounded,
//! the optimum of an expression without products is found exactly, as a parametric integer program; for
//! others the Bernstein expansion ([`super::bernstein`]) gives a closer bound. Floors that the constraints do
//! not determine are variables of their own, described by their two inequalities.
use crate::core::basic_map::BasicMap;
use crate::core::budget::Budget;
use crate::core::error::{During, Result};
use crate::core::map::Map;
use crate::core::set::Set;
use crate::functions::aff::Aff;
use crate::functions::expression::Expression;
use crate::functions::piecewise::PwAff;
use crate::polynomials::bernstein::{Coefficient, coefficients};
use crate::polynomials::fold::{
    FoldKind, PwQPolynomialFold, QPolynomialFold, UnionPwQPolynomialFold,
};
use crate::polynomials::pw_qpolynomial::{PwQPolynomial, UnionPwQPolynomial};
use crate::polynomials::qpolynomial::QPolynomial;
use crate::polynomials::range::{Part, Propagation};
use crate::polynomials::sparse::Polynomial;
use crate::polynomials::system::{System, outer_space};
use crate::polynomials::vertices::{Cell, Vertex, cells, vertices};
use loopwright_exact::Rational;

/// Up to so many steps the exact optimum of an expression without products is looked for.
const STEPS_FOR_AFFINE: u64 = 2_000_000;

/// Optima of more pieces are not taken.
const MOST_PIECES: usize = 12;

/// A bound, and whether it is known to be reached.
type Bound = (PwQPolynomialFold, bool);

/// How a bound is found.
///
/// ```
/// # use loopwright_presburger::{BoundMethod, Budget, FoldKind, PwQPolynomial};
/// let budget = &Budget::unlimited();
/// let square = PwQPolynomial::parse("{ [i] -> i^2 - 4*i : 0 <= i <= 4 }")?;
/// let (bound, _) = square.bound(FoldKind::Maximum, BoundMethod::Bernstein, budget)?;
/// assert_eq!(bound.to_string(), "{ max(0) }");
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BoundMethod {
    /// Range propagation, and Bernstein expansion where this reaches no value and the piece is
    /// bounded.
    Bernstein,
    /// Range propagation alone: cheaper, and often less precise.
    Range,
}

impl PwQPolynomial {
    /// A bound from below (minimum) or above (maximum) on the values at all points, as a function
    /// of the parameters; of a wrapped relation `[x -> y]` as a function of parameters and `x`. The
    /// second result says whether the bound is known to be reached wherever there is a point.
    ///
    /// *Exactness.* The bound holds at all integer points; it is that of the rational relaxation or
    /// weaker, and infinite where none was found. It may also be defined where there is no point.
    ///
    /// *Cost.* Exponential in the number of dimensions and floors.
    ///
    /// ```
    /// use loopwright_presburger::{BoundMethod, Budget, FoldKind, Int, PwQPolynomial, Value};
    /// let area =
    ///     PwQPolynomial::parse("[n] -> { [i, j] -> i*j : 0 <= i <= n and 0 <= j <= n - i }")?;
    /// let budget = Budget::steps(1_000_000);
    /// let (bound, is_reached) = area.bound(FoldKind::Maximum, BoundMethod::Bernstein, &budget)?;
    /// assert!(is_reached);
    /// assert_eq!(bound.eval(&[Int::from(5)], &budget)?, Some(Value::from(6)));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn bound(&self, kind: FoldKind, method: BoundMethod, budget: &Budget) -> Result<Bound> {
        let mut bound = PwQPolynomialFold::empty(&outer_space(&self.space));
        let mut is_tight = true;
        for (domain, q) in &self.pieces {
            for basic in &domain.0.basics {
                let (part, is_reached) =
                    bound_of_basic(basic, q, kind, method, budget).during("bound")?;
                bound = bound.fold(&part, budget).during("bound")?;
                is_tight &= is_reached;
            }
        }
        Ok((bound.coalesce(budget).during("bound")?, is_tight))
    }
}

impl UnionPwQPolynomial {
    /// The bounds of all parts, see [`PwQPolynomial::bound`].
    ///
    /// ```
    /// # use loopwright_presburger::{BoundMethod, Budget, FoldKind, UnionPwQPolynomial};
    /// let sizes = UnionPwQPolynomial::parse("[n] -> { A[i] -> 2*i : 0 <= i <= n }")?;
    /// let budget = Budget::steps(1_000_000);
    /// let (bound, is_reached) =
    ///     sizes.bound(FoldKind::Maximum, BoundMethod::Bernstein, &budget)?;
    /// assert_eq!(
    ///     (bound.to_string().as_str(), is_reached),
    ///     ("[n] -> { max((2*n)) : n >= 0 }", true)
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn bound(
        &self,
        kind: FoldKind,
        method: BoundMethod,
        budget: &Budget,
    ) -> Result<(UnionPwQPolynomialFold, bool)> {
        let mut bound = UnionPwQPolynomialFold::empty();
        let mut is_tight = true;
        for part in &self.parts {
            let (own, is_reached) = part.bound(kind, method, budget).during("bound")?;
            bound = bound
                .fold(&UnionPwQPolynomialFold::from_parts(vec![own]), budget)
                .during("bound")?;
            is_tight &= is_reached;
        }
        Ok((bound, is_tight))
    }
}

fn bound_of_basic(
    basic: &BasicMap,
    q: &QPolynomial,
    kind: FoldKind,
    method: BoundMethod,
    budget: &Budget,
) -> Result<Bound> {
    let q = q.gist(&Set(Map::from_basic_map(basic.clone())), budget)?;
    let (system, polynomial) = System::new(basic, &q);
    if basic.plain_is_empty() || system.is_empty_with(&[], budget)? {
        return Ok((PwQPolynomialFold::empty(&system.outer), true));
    }
    if let Some(special) = &q.special {
        let value = QPolynomial::constant(&system.outer, special);
        let fold = QPolynomialFold::from_polynomial(kind, value);
        return Ok((PwQPolynomialFold::on_domain(system.shadow(), fold), true));
    }
    let (system, polynomial) = system.with_units_solved(&polynomial);
    let bound = range_bound(&system, &polynomial, kind, budget)?;
    if bound.1 || method == BoundMethod::Range || !system.is_bounded(budget)? {
        return Ok(bound);
    }
    let limit = STEPS_FOR_AFFINE.min(budget.remaining() / 2);
    match budget.attempt(limit, |part| affine_bound(basic, &q, kind, part))?.flatten() {
        Some(exact) => Ok((exact, true)),
        None => bernstein_bound(&system, &polynomial, kind, budget),
    }
}

/// The optimum of an expression without products, which is found exactly; none for products, and where it has
/// many pieces.
fn affine_bound(
    basic: &BasicMap,
    q: &QPolynomial,
    kind: FoldKind,
    budget: &Budget,
) -> Result<Option<PwQPolynomialFold>> {
    let Some(aff) = q.to_aff() else { return Ok(None) };
    let domain = Set(Map::from_basic_map(basic.clone()));
    let outer = outer_space(basic.space());
    let denominator = aff.denominator.clone();
    let graph = PwAff::on_domain(domain, aff.scale(&denominator)).to_map();
    let is_wrapped = basic.space().output().is_some_and(|tuple| tuple.as_nested().is_some());
    let optimum = match (is_wrapped, kind) {
        (true, FoldKind::Minimum) => graph.curry()?.range_factor_range()?.dim_min(0, budget)?,
        (true, FoldKind::Maximum) => graph.curry()?.range_factor_range()?.dim_max(0, budget)?,
        (false, FoldKind::Minimum) => graph.range().dim_min(0, budget)?,
        (false, FoldKind::Maximum) => graph.range().dim_max(0, budget)?,
    };
    if optimum.pieces().len() > MOST_PIECES {
        return Ok(None);
    }
    let piece = |(place, aff): &(Set, Aff)| {
        let value = QPolynomial::from_aff(&aff.scale_down(&denominator));
        (place.clone(), QPolynomialFold::from_polynomial(kind, value))
    };
    let pieces = optimum.pieces().iter().map(piece).collect();
    Ok(Some(PwQPolynomialFold::from_pieces(outer, pieces)))
}

fn range_bound(
    system: &System,
    polynomial: &Polynomial,
    kind: FoldKind,
    budget: &Budget,
) -> Result<Bound> {
    let mut propagation = Propagation { kind, budget, parts: Vec::new() };
    propagation.propagate(system, polynomial, true)?;
    let mut bound = PwQPolynomialFold::empty(&system.outer);
    let mut is_tight = true;
    for Part { domain, value, is_tight: is_reached } in propagation.parts {
        let fold = QPolynomialFold::from_polynomial(kind, value);
        bound = bound.fold(&PwQPolynomialFold::on_domain(domain, fold), budget)?;
        is_tight &= is_reached;
    }
    Ok((bound, is_tight))
}

fn bernstein_bound(
    system: &System,
    polynomial: &Polynomial,
    kind: FoldKind,
    budget: &Budget,
) -> Result<Bound> {
    let vertices = vertices(system, budget)?;
    let mut pieces = Vec::new();
    let mut is_tight = true;
    for Cell { domain, vertices: present } in cells(&vertices, &system.outer, budget)? {
        let present: Vec<&Vertex> = present.iter().map(|&index| &vertices[index]).collect();
        let first = system.first_variable();
        let all = coefficients(polynomial, first, &present, budget)?;
        let extreme = extreme_coefficients(&all, &domain, kind, budget)?;
        let is_reached = |coefficient: &&Coefficient| match coefficient.vertex {
            Some(vertex) => present[vertex].is_integral,
            None => polynomial.degree(|column| column >= first) == 0,
        };
        is_tight &= extreme.iter().all(is_reached);
        let member = |coefficient: &&Coefficient| outer_polynomial(&coefficient.value, &domain);
        let members = extreme.iter().map(member).collect();
        let space = system.outer.clone();
        pieces.push((domain.clone(), QPolynomialFold { kind, space, members }));
    }
    Ok((PwQPolynomialFold::from_pieces(system.outer.clone(), pieces), is_tight))
}

/// A polynomial in outer columns over the space of a set.
fn outer_polynomial(polynomial: &Polynomial, domain: &Set) -> QPolynomial {
    QPolynomial { polynomial: polynomial.clone(), ..QPolynomial::zero(domain.space()) }
}

/// The coefficients that no other one beats on the whole domain.
fn extreme_coefficients<'a>(
    all: &'a [Coefficient],
    domain: &Set,
    kind: FoldKind,
    budget: &Budget,
) -> Result<Vec<&'a Coefficient>> {
    let mut extreme: Vec<&Coefficient> = Vec::new();
    for coefficient in all {
        let mut is_beaten = false;
        for known in &extreme {
            is_beaten = is_beaten || wins(known, coefficient, domain, kind, budget)?;
        }
        if is_beaten {
            continue;
        }
        let mut kept = Vec::with_capacity(extreme.len() + 1);
        for known in extreme {
            if !wins(coefficient, known, domain, kind, budget)? {
                kept.push(known);
            }
        }
        kept.push(coefficient);
        extreme = kept;
    }
    Ok(extreme)
}

/// Whether a coefficient is at least as extreme as another on a domain, as far as the propagation of
/// ranges tells.
fn wins(
    a: &Coefficient,
    b: &Coefficient,
    domain: &Set,
    kind: FoldKind,
    budget: &Budget,
) -> Result<bool> {
    let (a, b) = match kind {
        FoldKind::Minimum => (&b.value, &a.value),
        FoldKind::Maximum => (&a.value, &b.value),
    };
    let lead = outer_polynomial(&a.plus(&b.scaled(&Rational::from(-1))), domain);
    if let Some(constant) = lead.as_constant() {
        return Ok(constant.signum() >= 0);
    }
    let mut propagation = Propagation { kind: FoldKind::Minimum, budget, parts: Vec::new() };
    for basic in &domain.0.basics {
        let (system, polynomial) = System::over_all_columns(basic, &lead);
        propagation.propagate(&system, &polynomial, true)?;
    }
    let is_not_negative = |part: &Part| part.value.as_constant().is_some_and(|v| v.signum() >= 0);
    Ok(propagation.parts.iter().all(is_not_negative))
}
