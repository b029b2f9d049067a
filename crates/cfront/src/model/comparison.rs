//! Comparisons of C.
use crate::model::conditions::{Condition, Disjunction};
use crate::model::linear::{Limit, Linear};
use crate::syntax::kind::Kind;

/// A comparison of C.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Comparison {
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
}

impl Comparison {
    /// The operator of a token.
    pub(crate) fn of(token: Kind) -> Option<Self> {
        Some(match token {
            token!("<") => Comparison::Less,
            token!("<=") => Comparison::LessEqual,
            token!(">") => Comparison::Greater,
            token!(">=") => Comparison::GreaterEqual,
            token!("==") => Comparison::Equal,
            token!("!=") => Comparison::NotEqual,
            _ => return None,
        })
    }

    pub(crate) fn negated(self) -> Self {
        match self {
            Comparison::Less => Comparison::GreaterEqual,
            Comparison::LessEqual => Comparison::Greater,
            Comparison::Greater => Comparison::LessEqual,
            Comparison::GreaterEqual => Comparison::Less,
            Comparison::Equal => Comparison::NotEqual,
            Comparison::NotEqual => Comparison::Equal,
        }
    }

    /// Where `form (comparison) 0` holds.
    pub(crate) fn with_zero(self, form: &Linear) -> Result<Disjunction, Limit> {
        let at_least =
            |l: Result<Linear, Limit>| Ok(Disjunction::single(Condition::nonnegative(l?)));
        match self {
            Comparison::GreaterEqual => at_least(Ok(form.clone())),
            Comparison::Greater => at_least(form.add_constant(-1)),
            Comparison::LessEqual => at_least(form.scale(-1)),
            Comparison::Less => at_least(form.scale(-1)?.add_constant(-1)),
            Comparison::Equal => Ok(Disjunction::single(Condition::zero(form.clone()))),
            Comparison::NotEqual => {
                Comparison::Less.with_zero(form)?.or(Comparison::Greater.with_zero(form)?)
            }
        }
    }
}
