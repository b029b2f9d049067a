//! Bounds of loops on their way to expressions.
use crate::expressions::expression::AstExpr;
use crate::expressions::scope::Scope;
use crate::expressions::sum::Sum;
use crate::level::piecewise_bounds::PiecewiseBound;
use loopwright_presburger::*;

/// The most work for finding out which pieces of a bound are reached.
const STEPS: u64 = 200_000;

/// One of the bounds of a loop on one side.
pub(crate) enum Bound {
    /// An affine form.
    Sum(Sum),
    /// The least or the greatest of several.
    Extreme { sums: Vec<Sum>, is_max: bool },
    /// One of several, by conditions.
    Chosen(AstExpr),
}

impl Bound {
    /// The bound that pieces give at a place, each changed by `first`; `is_upper` says on which side.
    ///
    /// Where no piece is, nothing is executed, whatever the bound is.
    pub(crate) fn of_pieces(
        bound: &PiecewiseBound,
        first: impl Fn(&Aff) -> Result<Aff>,
        is_upper: bool,
        scope: &Scope,
    ) -> Result<Bound> {
        let choice = match bound {
            PiecewiseBound::Extreme(forms) => {
                let sums = forms.iter().map(|form| scope.affine_sum(&first(form)?));
                let mut sums = sums.collect::<Result<Vec<Sum>>>()?;
                sums.sort_by_key(|sum| std::cmp::Reverse(sum.depth()));
                return Ok(Bound::Extreme { sums, is_max: is_upper });
            }
            PiecewiseBound::Choice(choice) => choice,
        };
        let budget = Budget::steps(STEPS);
        let mut pieces = Vec::new();
        for (domain, value) in choice.pieces() {
            match scope.known.is_disjoint(domain, &budget) {
                Ok(true) => {}
                Ok(false) | Err(Error::Exceeded { .. }) => {
                    pieces.push((domain.clone(), first(value)?));
                }
                Err(other) => return Err(other),
            }
        }
        if let [(_, only)] = &pieces[..] {
            return Ok(Bound::Sum(scope.affine_sum(only)?));
        }
        let chosen = PwAff::from_pieces(choice.space().clone(), pieces);
        Ok(Bound::Chosen(scope.piecewise(&chosen)?))
    }

    /// The affine forms in it, as far as they are kept apart.
    pub(crate) fn sums(&self) -> &[Sum] {
        match self {
            Bound::Sum(sum) => std::slice::from_ref(sum),
            Bound::Extreme { sums, .. } => sums,
            Bound::Chosen(_) => &[],
        }
    }

    /// The place of the deepest iterator; what is chosen comes last.
    pub(crate) fn depth(&self) -> (u8, usize) {
        self.sums().iter().map(Sum::depth).max().unwrap_or((u8::MAX, 0))
    }

    /// The bound plus a constant.
    pub(crate) fn into_expr(self, constant: &Int) -> AstExpr {
        let plus = |mut sum: Sum| {
            sum.add_constant(constant);
            sum.into_expr()
        };
        match self {
            Bound::Sum(sum) => plus(sum),
            Bound::Extreme { sums, is_max } => {
                let operands = sums.into_iter().map(plus).collect();
                if is_max { AstExpr::max(operands) } else { AstExpr::min(operands) }
            }
            Bound::Chosen(expression) if constant.is_zero() => expression,
            Bound::Chosen(expression) => {
                AstExpr::Add(Box::new(expression), Box::new(AstExpr::Int(constant.clone())))
            }
        }
    }
}
