//! Integer expressions as sums: constant plus multiples of names.
use loopwright_astgen::AstExpr;
use loopwright_presburger::{Int, Name};
use std::collections::BTreeMap;

/// `constant + Σ coefficient · name`, without zero coefficients.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Linear {
    pub(crate) terms: BTreeMap<Name, Int>,
    pub(crate) constant: Int,
}

impl Linear {
    /// The form of an expression of sums, differences and products with constants; none for others.
    pub(crate) fn of(expression: &AstExpr) -> Option<Linear> {
        match expression {
            AstExpr::Int(value) => Some(Linear::from_int(value.clone())),
            AstExpr::Id(name) => {
                let terms = BTreeMap::from([(name.clone(), Int::from(1))]);
                Some(Linear { terms, constant: Int::ZERO })
            }
            AstExpr::Neg(a) => Some(Linear::of(a)?.scaled(&Int::from(-1))),
            AstExpr::Add(a, b) => Some(Linear::of(a)?.plus(&Linear::of(b)?)),
            AstExpr::Sub(a, b) => Some(Linear::of(a)?.minus(&Linear::of(b)?)),
            AstExpr::Mul(a, b) => {
                let (a, b) = (Linear::of(a)?, Linear::of(b)?);
                match (a.as_int(), b.as_int()) {
                    (Some(factor), _) => Some(b.scaled(factor)),
                    (_, Some(factor)) => Some(a.scaled(factor)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    pub(crate) fn from_int(constant: Int) -> Linear {
        Linear { terms: BTreeMap::new(), constant }
    }

    /// A name alone.
    pub(crate) fn from_name(name: &Name) -> Linear {
        Linear { terms: BTreeMap::from([(name.clone(), Int::ONE)]), constant: Int::ZERO }
    }

    /// The value, if it is a constant.
    pub(crate) fn as_int(&self) -> Option<&Int> {
        self.terms.is_empty().then_some(&self.constant)
    }

    /// The coefficient of a name.
    pub(crate) fn coefficient(&self, name: &Name) -> Int {
        self.terms.get(name).cloned().unwrap_or(Int::ZERO)
    }

    pub(crate) fn plus(&self, other: &Linear) -> Linear {
        let mut sum = self.clone();
        sum.constant = &sum.constant + &other.constant;
        for (name, coefficient) in &other.terms {
            let total = &sum.coefficient(name) + coefficient;
            sum.terms.insert(name.clone(), total);
        }
        sum.terms.retain(|_, coefficient| !coefficient.is_zero());
        sum
    }

    pub(crate) fn minus(&self, other: &Linear) -> Linear {
        self.plus(&other.scaled(&Int::from(-1)))
    }

    pub(crate) fn scaled(&self, factor: &Int) -> Linear {
        let terms = self.terms.iter().map(|(name, c)| (name.clone(), c * factor));
        let terms = terms.filter(|(_, c)| !c.is_zero()).collect();
        Linear { terms, constant: &self.constant * factor }
    }

    /// The form with `value` for `name`.
    pub(crate) fn with(&self, name: &Name, value: &Linear) -> Linear {
        let coefficient = self.coefficient(name);
        let mut rest = self.clone();
        rest.terms.remove(name);
        rest.plus(&value.scaled(&coefficient))
    }

    /// The form as an expression, positive terms first.
    pub(crate) fn to_expression(&self) -> AstExpr {
        let mut sum: Option<AstExpr> = None;
        let (negative, positive): (Vec<_>, Vec<_>) =
            self.terms.iter().partition(|(_, coefficient)| coefficient.is_negative());
        for (name, coefficient) in positive {
            let term = multiple(coefficient, name);
            sum = Some(match sum {
                Some(sum) => AstExpr::Add(Box::new(sum), Box::new(term)),
                None => term,
            });
        }
        for (name, coefficient) in negative {
            let term = multiple(&-coefficient, name);
            sum = Some(match sum {
                Some(sum) => AstExpr::Sub(Box::new(sum), Box::new(term)),
                None => AstExpr::Neg(Box::new(term)),
            });
        }
        let constant = &self.constant;
        match sum {
            None => AstExpr::Int(constant.clone()),
            Some(sum) if constant.is_zero() => sum,
            Some(sum) if constant.is_negative() => {
                AstExpr::Sub(Box::new(sum), Box::new(AstExpr::Int(-constant)))
            }
            Some(sum) => AstExpr::Add(Box::new(sum), Box::new(AstExpr::Int(constant.clone()))),
        }
    }
}

fn multiple(coefficient: &Int, name: &Name) -> AstExpr {
    let name = Box::new(AstExpr::Id(name.clone()));
    if coefficient.is_one() {
        return *name;
    }
    AstExpr::Mul(Box::new(AstExpr::Int(coefficient.clone())), name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(name: &str) -> Box<AstExpr> {
        Box::new(AstExpr::Id(name.into()))
    }

    #[test]
    fn sums_are_collected_and_written_back() {
        let difference = AstExpr::Sub(id("a"), id("b"));
        let twice = AstExpr::Mul(Box::new(AstExpr::int(2)), Box::new(difference));
        let form = Linear::of(&AstExpr::Add(Box::new(twice), id("b"))).unwrap();
        assert_eq!(form.to_expression().to_string(), "2 * a - b");
        let shifted = form.with(&"b".into(), &Linear::from_int(Int::from(3)));
        assert_eq!(shifted.to_expression().to_string(), "2 * a - 3");
        assert_eq!(shifted.minus(&shifted).as_int(), Some(&Int::ZERO));
        assert!(Linear::of(&AstExpr::Mul(id("a"), id("b"))).is_none());
    }
}
