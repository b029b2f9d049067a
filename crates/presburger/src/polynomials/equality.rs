//! Whether two piecewise quasi-polynomials have the same values.
//!
//! # Method
//! The functions are equal if their difference is zero at all integer points of each piece. With
//! the floors (and the existentials of the piece) as variables of their own, a piece is the set of
//! integer points of a polyhedron, and the difference is a polynomial `p`:
//!
//! * If `p` is zero after the equalities of the polyhedron have been used to replace variables, or
//!   if there is no point, it vanishes; if it is not zero at some point, it does not.
//! * If the directions in which the polyhedron is unbounded span the space of its equalities, its
//!   integer points lie in no hypersurface of that space, so that `p` does not vanish.
//! * Otherwise a linear form is bounded that is not constant by the equalities: the polyhedron is
//!   cut into those of the values of the form. For a floor this is the distinction of residues.
//!
//! Every cut adds an independent equality, thus the recursion is as deep as there are variables.
use crate::core::basic_map::BasicMap;
use crate::core::budget::Budget;
use crate::core::constraint::Constraint;
use crate::core::error::{During, Result};
use crate::core::map::Map;
use crate::core::set::Set;
use crate::core::space::Space;
use crate::core::tuple::Tuple;
use crate::functions::aff::Aff;
use crate::functions::expression::Expression;
use crate::polynomials::fold::{PwQPolynomialFold, QPolynomialFold, UnionPwQPolynomialFold};
use crate::polynomials::pw_qpolynomial::{PwQPolynomial, UnionPwQPolynomial};
use crate::polynomials::qpolynomial::QPolynomial;
use crate::polynomials::sparse::Polynomial;
use crate::polynomials::system::System;
use crate::solve::optimum::Optimum;
use crate::solve::tight_constraints::TightConstraints;
use loopwright_exact::{Int, Rational, Row};

const OPERATION: &str = "the comparison of polynomials";

/// A polynomial at the integer points of a polyhedron over all columns.
struct Problem<'a> {
    polynomial: &'a Polynomial,
    inequalities: &'a [Row],
    space: Space,
    budget: &'a Budget,
}

/// The constraints with zero constants: the directions of a polyhedron.
fn homogeneous(rows: &[Row]) -> Vec<Row> {
    let without_constant = |row: &Row| {
        let mut row = row.clone();
        row.set(0, Int::ZERO);
        row
    };
    rows.iter().map(without_constant).collect()
}

impl Problem<'_> {
    /// The basic set of some constraints.
    fn basic(&self, equalities: &[Row], inequalities: &[Row]) -> BasicMap {
        let equalities = equalities.iter().cloned().map(Constraint::equality);
        let inequalities = inequalities.iter().cloned().map(Constraint::inequality);
        let constraints = equalities.chain(inequalities).collect();
        BasicMap::from_constraints(self.space.clone(), Vec::new(), constraints)
    }

    /// The polynomial with the variables replaced that the equalities determine.
    fn reduced(&self, tight: &TightConstraints) -> Polynomial {
        let mut polynomial = self.polynomial.clone();
        for (column, row) in tight.solved() {
            let divisor = -row.get(*column);
            let mut value = row.clone();
            value.set(*column, Int::ZERO);
            polynomial = polynomial.substituted(*column, &Polynomial::from_row(&value, &divisor));
        }
        polynomial
    }

    /// Whether the polynomial is zero at all integer points that also satisfy some equalities.
    fn vanishes(&self, equalities: &[Row]) -> Result<bool> {
        self.budget.spend(1 + self.polynomial.n_terms() as u64, OPERATION)?;
        let columns = 1..1 + self.space.n_all();
        let tight = TightConstraints::of_equalities(equalities, columns.clone());
        if self.reduced(&tight).is_zero() {
            return Ok(true);
        }
        let basic = self.basic(equalities, self.inequalities);
        let Some(point) = basic.sample_point(self.budget)? else { return Ok(true) };
        let value = |column: usize| match column {
            0 => Rational::from(1),
            _ => Rational::from(point[column - 1].clone()),
        };
        if self.polynomial.value(value).signum() != 0 {
            return Ok(false);
        }
        let (cone_equalities, cone_inequalities) =
            (homogeneous(equalities), homogeneous(self.inequalities));
        let cone = self.basic(&cone_equalities, &cone_inequalities);
        let cone = cone.detect_equalities(self.budget)?;
        let is_new = |row: &&Row| {
            row.first_nonzero(columns.end..row.len()).is_none()
                && tight
                    .reduced(&row.slice(0..columns.end))
                    .first_nonzero(columns.clone())
                    .is_some()
        };
        match cone.equalities().iter().find(is_new) {
            Some(form) => self.vanishes_on_slices(&form.slice(0..columns.end), equalities, &basic),
            None => Ok(false),
        }
    }

    /// Whether the polynomial is zero for each value of a form that is bounded.
    fn vanishes_on_slices(&self, form: &Row, equalities: &[Row], basic: &BasicMap) -> Result<bool> {
        let bounded = Aff::from_row(&self.space, Vec::new(), form.clone(), Int::ONE);
        let set = Set(Map::from_basic_map(basic.clone()));
        let bounds = (set.min_val(&bounded, self.budget)?, set.max_val(&bounded, self.budget)?);
        let (Optimum::At(mut value), Optimum::At(last)) = bounds else {
            // The form is constant along all directions in which the polyhedron is unbounded.
            return Ok(matches!(bounds, (Optimum::Empty, _)));
        };
        while value <= last {
            let mut slice = form.clone();
            slice.add_at(0, &-&value);
            if !self.vanishes(&[equalities, &[slice]].concat())? {
                return Ok(false);
            }
            value = &value + &Int::ONE;
        }
        Ok(true)
    }
}

/// Whether a quasi-polynomial is zero at all points of a set over the same parameters.
fn vanishes_on(q: &QPolynomial, domain: &Set, budget: &Budget) -> Result<bool> {
    if q.plain_is_zero() {
        return Ok(true);
    }
    if q.special.is_some() {
        return domain.is_empty(budget);
    }
    for basic in &domain.0.basics {
        let (system, polynomial) = System::over_all_columns(basic, q);
        let space = Space::set(&[], Tuple::anonymous(system.n_variables));
        let inequalities = &system.inequalities;
        let problem = Problem { polynomial: &polynomial, inequalities, space, budget };
        if !problem.vanishes(&system.equalities)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether two expressions agree on a set.
pub(crate) fn agree_on(
    a: &QPolynomial,
    b: &QPolynomial,
    domain: &Set,
    budget: &Budget,
) -> Result<bool> {
    Ok(a.plain_is_equal(b) || vanishes_on(&a.sub(b)?, domain, budget)?)
}

impl PwQPolynomial {
    /// Whether both have the same value at every point, where a function is zero outside of its domain.
    /// This is decided, whatever floors the functions are written with.
    ///
    /// ```
    /// use loopwright_presburger::{Budget, PwQPolynomial};
    /// let budget = Budget::steps(1_000_000);
    /// let half = PwQPolynomial::parse("{ [i] -> floor(i/2) + floor((i + 1)/2) }")?;
    /// assert!(half.is_equal(&PwQPolynomial::parse("{ [i] -> i }")?, &budget)?);
    /// let zero = PwQPolynomial::parse("{ [i] -> i*(i - 1)*(i - 2) : 0 <= i <= 2 }")?;
    /// assert!(zero.is_equal(&PwQPolynomial::parse("{ [i] -> 0 }")?, &budget)?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// *Cost.* Exponential in the number of floors and of bounded directions in the worst case.
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`](crate::Error::SpaceMismatch) if the domains are in different spaces,
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn is_equal(&self, other: &Self, budget: &Budget) -> Result<bool> {
        if !self.space.has_equal_tuples(&other.space) {
            return self.space.mismatch(&other.space, "is_equal");
        }
        let space = self.space.merge_params(&other.space);
        let (a, b) = (self.align_params(&space), other.align_params(&space));
        for (domain, q) in &a.pieces {
            for (other_domain, other_q) in &b.pieces {
                let both = domain.intersect_within(other_domain, budget).during("is_equal")?;
                if !agree_on(q, other_q, &both, budget).during("is_equal")? {
                    return Ok(false);
                }
            }
        }
        let zero = QPolynomial::zero(&space);
        for (one, another) in [(&a, &b), (&b, &a)] {
            let alone = one.subtract_domain(&another.domain(), budget).during("is_equal")?;
            for (domain, q) in &alone.pieces {
                if !agree_on(q, &zero, domain, budget).during("is_equal")? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }
}

impl UnionPwQPolynomial {
    /// Whether both have the same value at every point, see [`PwQPolynomial::is_equal`].
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionPwQPolynomial};
    /// let product = UnionPwQPolynomial::parse("{ A[i] -> i * (i + 1); B[i] -> i }")?;
    /// let sum = UnionPwQPolynomial::parse("{ B[i] -> i; A[i] -> i^2 + i }")?;
    /// assert!(product.is_equal(&sum, &Budget::unlimited())?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn is_equal(&self, other: &Self, budget: &Budget) -> Result<bool> {
        let covers = |a: &Self, b: &Self| {
            for part in a.parts() {
                let nothing = PwQPolynomial::empty(part.space());
                let partner = b.part(part.space()).unwrap_or(&nothing);
                if !part.is_equal(partner, budget)? {
                    return Ok(false);
                }
            }
            Ok(true)
        };
        Ok(covers(self, other)? && covers(other, self)?)
    }
}

impl PwQPolynomialFold {
    /// Whether both are defined at the same points, and on each common piece every member of one side
    /// agrees with a member of the other: then the values are the same. The converse need not
    /// hold, since members that never win count too.
    ///
    /// ```
    /// use loopwright_presburger::{Budget, PwQPolynomialFold};
    /// let budget = Budget::steps(1_000_000);
    /// let a = PwQPolynomialFold::parse("{ [i] -> max(i^2, 3*i) : 0 <= i <= 9 }")?;
    /// let b = PwQPolynomialFold::parse("{ [i] -> max(2*i + i, i*i) : 0 <= 2i <= 19 }")?;
    /// assert!(a.is_obviously_equal(&b, &budget)?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`](crate::Error::SpaceMismatch) if the domains are in different spaces,
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn is_obviously_equal(&self, other: &Self, budget: &Budget) -> Result<bool> {
        if !self.domain().is_equal(&other.domain(), budget).during("is_obviously_equal")? {
            return Ok(false);
        }
        let space = self.space.merge_params(&other.space);
        let (a, b) = (self.align_params(&space), other.align_params(&space));
        for (domain, fold) in &a.pieces {
            for (other_domain, other_fold) in &b.pieces {
                let both = domain.intersect_within(other_domain, budget)?;
                let are_same = fold.has_members_of(other_fold, &both, budget)?
                    && other_fold.has_members_of(fold, &both, budget)?;
                let have_one = fold.members().len() == 1 && other_fold.members().len() == 1;
                let is_alike = are_same && (have_one || fold.kind() == other_fold.kind());
                if !is_alike && !both.is_empty(budget)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }
}

impl UnionPwQPolynomialFold {
    /// Whether the parts over each space are obviously equal, see
    /// [`PwQPolynomialFold::is_obviously_equal`].
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionPwQPolynomialFold};
    /// let one = UnionPwQPolynomialFold::parse("{ A[i] -> max(i, 2 * i); B[i] -> max(i) }")?;
    /// let other = UnionPwQPolynomialFold::parse("{ B[i] -> max(i); A[i] -> max(2 * i, i) }")?;
    /// assert!(one.is_obviously_equal(&other, &Budget::unlimited())?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn is_obviously_equal(&self, other: &Self, budget: &Budget) -> Result<bool> {
        for (one, another) in [(self, other), (other, self)] {
            for part in one.parts() {
                let nothing = PwQPolynomialFold::empty(part.space());
                let partner = another.part(part.space()).unwrap_or(&nothing);
                if !part.is_obviously_equal(partner, budget)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }
}

impl QPolynomialFold {
    /// Whether every member of `other` agrees with one of these on a set.
    fn has_members_of(&self, other: &Self, domain: &Set, budget: &Budget) -> Result<bool> {
        for member in other.members() {
            let mut is_found = false;
            for own in self.members() {
                is_found = is_found || agree_on(own, member, domain, budget)?;
            }
            if !is_found {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
