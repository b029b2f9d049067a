//! Expressions in heads as quasi-affine functions.
use loopwright_cfront::MultiforExpression;
use loopwright_presburger::{Aff, Budget, PwAff, Space};

/// Why an expression has no quasi-affine form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NoForm {
    /// A product or quotient of two values that are not constant, or a division by zero.
    NotAffine(String),
    /// A name that means nothing here.
    Unknown(String),
    /// An operation on functions failed.
    Sets(loopwright_presburger::Error),
}

impl From<loopwright_presburger::Error> for NoForm {
    fn from(error: loopwright_presburger::Error) -> Self {
        NoForm::Sets(error)
    }
}

/// The function that an expression is on `space`; `variable` is what a name means there.
pub(crate) fn function(
    expression: &MultiforExpression,
    space: &Space,
    variable: &impl Fn(&str) -> Option<Aff>,
    budget: &Budget,
) -> Result<PwAff, NoForm> {
    use MultiforExpression::*;
    let part = |expression| function(expression, space, variable, budget);
    let not_affine = || NoForm::NotAffine(expression.to_string());
    match expression {
        Int(value) => Ok(PwAff::everywhere(Aff::constant(space, &(*value).into()))),
        Name(name) => {
            let variable = variable(name).ok_or_else(|| NoForm::Unknown(name.clone()))?;
            Ok(PwAff::everywhere(variable))
        }
        Neg(a) => Ok(PwAff::everywhere(Aff::zero(space)).sub(&part(a)?)?),
        Add(a, b) => Ok(part(a)?.add(&part(b)?)?),
        Sub(a, b) => Ok(part(a)?.sub(&part(b)?)?),
        Mul(a, b) => match (constant(a), constant(b)) {
            (None, None) => Err(not_affine()),
            _ => Ok(part(a)?.mul(&part(b)?)?),
        },
        Div(a, b) => {
            let divisor = constant(b).filter(|b| *b != 0).ok_or_else(not_affine)?;
            Ok(part(a)?.tdiv_q(&divisor.into(), budget)?)
        }
        Rem(a, b) => {
            let divisor = constant(b).filter(|b| *b != 0).ok_or_else(not_affine)?;
            Ok(part(a)?.tdiv_r(&divisor.into(), budget)?)
        }
    }
}

/// The value of an expression without names; none if it has names, or one that no machine integer holds.
pub(crate) fn constant(expression: &MultiforExpression) -> Option<i128> {
    value(expression, &|_| None)
}

/// The value of an expression where names have values, as C computes it without a limit on the size of
/// integers; none if a name has none, at a division by zero, and beyond 128 bits.
pub(crate) fn value(
    expression: &MultiforExpression,
    names: &impl Fn(&str) -> Option<i128>,
) -> Option<i128> {
    use MultiforExpression::*;
    let part = |expression| value(expression, names);
    match expression {
        Int(value) => Some((*value).into()),
        Name(name) => names(name),
        Neg(a) => part(a)?.checked_neg(),
        Add(a, b) => part(a)?.checked_add(part(b)?),
        Sub(a, b) => part(a)?.checked_sub(part(b)?),
        Mul(a, b) => part(a)?.checked_mul(part(b)?),
        Div(a, b) => part(a)?.checked_div(part(b)?),
        Rem(a, b) => part(a)?.checked_rem(part(b)?),
    }
}
