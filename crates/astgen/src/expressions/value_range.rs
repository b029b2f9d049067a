//! Ranges of the values of expressions, from those of names.
use crate::expressions::expression::AstExpr;
use loopwright_presburger::{Int, Name};

/// The least and the greatest value; none where nothing is known.
pub type ValueRange = Option<(i128, i128)>;

impl AstExpr {
    /// The values of an expression of numbers. Arithmetic is exact: what leaves 127 bits has no range, nor
    /// have conditions, calls and accesses.
    ///
    /// ```
    /// use loopwright_astgen::AstExpr;
    /// let of_name = |_: &_| Some((0, 9));
    /// let n = || Box::new(AstExpr::Id("n".into()));
    /// let sum = AstExpr::Add(Box::new(AstExpr::Mul(n(), Box::new(AstExpr::int(3)))), n());
    /// assert_eq!(sum.value_range(&of_name), Some((0, 36)));
    /// assert_eq!(AstExpr::min(vec![sum, AstExpr::int(5)]).value_range(&of_name), Some((0, 5)));
    /// ```
    pub fn value_range(&self, of_name: &impl Fn(&Name) -> ValueRange) -> ValueRange {
        let of = |expression: &AstExpr| expression.value_range(of_name);
        match self {
            AstExpr::Int(value) => number(value).map(|value| (value, value)),
            AstExpr::Id(name) => of_name(name),
            AstExpr::Neg(a) => of(a).map(|(least, most)| (-most, -least)),
            AstExpr::Add(a, b) => {
                let (a, b) = (of(a)?, of(b)?);
                Some((a.0.checked_add(b.0)?, a.1.checked_add(b.1)?))
            }
            AstExpr::Sub(a, b) => {
                let (a, b) = (of(a)?, of(b)?);
                Some((a.0.checked_sub(b.1)?, a.1.checked_sub(b.0)?))
            }
            AstExpr::Mul(a, b) => product(of(a)?, of(b)?),
            AstExpr::DivExact(a, b) | AstExpr::DivNonneg(a, b) => quotient(of(a)?, of(b)?, false),
            AstExpr::DivFloor(a, b) => quotient(of(a)?, of(b)?, true),
            AstExpr::RemNonneg(a, b) | AstExpr::RemZero(a, b) => {
                let (own, divisor) = (of(a)?, of(b)?);
                let most = (divisor.0 > 0).then_some(divisor.1 - 1)?;
                Some((own.0.clamp(-most, 0), own.1.clamp(0, most)))
            }
            AstExpr::Min(list) => extreme(list.iter().map(of), i128::min),
            AstExpr::Max(list) => extreme(list.iter().map(of), i128::max),
            AstExpr::Select(_, a, b) | AstExpr::Cond(_, a, b) => {
                let (a, b) = (of(a)?, of(b)?);
                Some((a.0.min(b.0), a.1.max(b.1)))
            }
            _ => None,
        }
    }
}

fn number(value: &Int) -> Option<i128> {
    value.to_i64().map(i128::from)
}

fn product(a: (i128, i128), b: (i128, i128)) -> ValueRange {
    hull([(a.0, b.0), (a.0, b.1), (a.1, b.0), (a.1, b.1)].map(|(a, b)| a.checked_mul(b)))
}

/// By positive divisors, rounded down or towards zero.
fn quotient(a: (i128, i128), by: (i128, i128), floor: bool) -> ValueRange {
    if by.0 <= 0 {
        return None;
    }
    let of = |(value, by): (i128, i128)| match floor {
        true => value.div_euclid(by),
        false => value / by,
    };
    hull([(a.0, by.0), (a.0, by.1), (a.1, by.0), (a.1, by.1)].map(|pair| Some(of(pair))))
}

fn hull(values: [Option<i128>; 4]) -> ValueRange {
    let values: Vec<i128> = values.into_iter().collect::<Option<_>>()?;
    Some((*values.iter().min()?, *values.iter().max()?))
}

fn extreme(
    mut all: impl Iterator<Item = ValueRange>,
    choose: fn(i128, i128) -> i128,
) -> ValueRange {
    let first = all.next()??;
    all.try_fold(first, |own, other| {
        other.map(|other| (choose(own.0, other.0), choose(own.1, other.1)))
    })
}
