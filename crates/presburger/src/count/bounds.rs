//! Bounds of counts, for budgets that do not suffice to count.
//!
//! Half of what is left is for the exact count. Then each piece of the set is counted alone: the largest
//! count that is found first is a bound from below, and the sum of all is one from above, where a piece that
//! cannot be counted has the product of the lengths of its projections, or is infinite.
use crate::core::budget::Budget;
use crate::core::error::{During, Error, Result};
use crate::core::map::Map;
use crate::core::set::Set;
use crate::core::space::DimKind;
use crate::polynomials::pw_qpolynomial::PwQPolynomial;
use crate::polynomials::qpolynomial::QPolynomial;
use loopwright_exact::Value;

const OPERATION: &str = "bounds of a count";

/// Functions between which a count lies at every point; outside of their pieces they are zero.
///
/// ```
/// # use loopwright_presburger::{Budget, Set};
/// let set = Set::parse("[n] -> { [i] : 0 <= i < n }")?;
/// let bounds = set.card_bounds(&Budget::unlimited())?;
/// assert_eq!(bounds.upper.to_string(), "[n] -> { (n) : n > 0 }");
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct CountBounds {
    /// At most the count.
    pub lower: PwQPolynomial,
    /// At least the count.
    pub upper: PwQPolynomial,
    /// Whether both are the count.
    pub is_exact: bool,
}

impl Set {
    /// The number of elements, or bounds of it if the budget ends before it is found.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Set};
    /// let set = Set::parse("[n] -> { [i, j] : 0 <= i, j < n and 7i + 11j <= 5n }")?;
    /// let counted = set.card_bounds(&Budget::unlimited())?;
    /// assert!(counted.is_exact);
    /// let bounds = set.card_bounds(&Budget::steps(700))?;
    /// assert!(!bounds.is_exact);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Set::card`] that are none of the budget.
    pub fn card_bounds(&self, budget: &Budget) -> Result<CountBounds> {
        let params = self.space().to_params();
        if let Some(exact) = attempt(budget, 2, |part| self.card(part))? {
            return Ok(CountBounds { lower: exact.clone(), upper: exact, is_exact: true });
        }
        let mut lower = PwQPolynomial::empty(&params);
        let mut upper = PwQPolynomial::empty(&params);
        let n_pieces = self.0.basics.len() as u64;
        for (index, basic) in self.0.basics.iter().enumerate() {
            let piece = Set(Map::from_basic_map(basic.clone()));
            let share = n_pieces - index as u64 + 1;
            let bound = match attempt(budget, share, |part| piece.card(part))? {
                Some(count) => {
                    if lower.pieces().is_empty() {
                        lower = count.clone();
                    }
                    count
                }
                None => attempt(budget, share, |part| piece.box_count(part))?
                    .unwrap_or_else(|| infinite(&params)),
            };
            // The sum on disjoint pieces costs steps, too; without them there is no finite bound.
            upper = attempt(budget, 2, |part| upper.add(&bound, part))?
                .unwrap_or_else(|| infinite(&params));
        }
        Ok(CountBounds { lower, upper, is_exact: false })
    }

    /// The product of the lengths of projections on the dimensions.
    fn box_count(&self, budget: &Budget) -> Result<PwQPolynomial> {
        let params = self.space().to_params();
        let one = QPolynomial::constant(&params, &Value::from(1));
        let mut product = PwQPolynomial::on_domain(Set::universe(params), one);
        let n = self.n_dims();
        let relaxed = self.remove_locals();
        for dim in 0..n {
            let right = relaxed.project_out(DimKind::Out, dim + 1, n - dim - 1);
            let line = right.project_out(DimKind::Out, 0, dim).remove_locals();
            product = product.mul(&line.card(budget)?)?;
        }
        Ok(product)
    }
}

fn infinite(params: &crate::core::space::Space) -> PwQPolynomial {
    let value = QPolynomial::constant(params, &Value::Infinity);
    PwQPolynomial::on_domain(Set::universe(params.clone()), value)
}

/// The result with a share of the budget; none if that is exceeded, or nothing is left.
fn attempt<T>(
    budget: &Budget,
    share: u64,
    run: impl FnOnce(&Budget) -> Result<T>,
) -> Result<Option<T>> {
    let part = budget.part(budget.remaining() / share.max(1));
    let found = run(&part);
    budget.charge(&part);
    match found {
        Ok(found) => Ok(Some(found)),
        Err(Error::Exceeded { .. }) => Ok(None),
        Err(error) => Err(error).during(OPERATION),
    }
}
