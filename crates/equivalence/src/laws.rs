//! Laws that operators are taken to have.
use crate::value::{Extremum, Function, Operator};
use loopwright_scop::ArithmeticOperator;

/// Laws that operators are taken to have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Laws {
    /// Operators whose operands may be grouped and ordered in any way.
    pub associative_commutative: Vec<ArithmeticOperator>,
    /// Minima and maxima whose operands may be grouped and ordered in any way, however they are written.
    pub extrema: Vec<Extremum>,
}

impl Laws {
    pub(crate) fn hold_for(&self, operator: &Operator) -> bool {
        match &operator.function {
            Function::Arithmetic(own) => self.associative_commutative.contains(own),
            Function::Extremum(own) => self.extrema.contains(own),
            _ => false,
        }
    }

    pub(crate) fn are_none(&self) -> bool {
        self.associative_commutative.is_empty() && self.extrema.is_empty()
    }
}
