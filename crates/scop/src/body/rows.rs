//! Statements in a row, and the conditions around them.
use super::{BinaryOperator, Term, TermKind};

impl Term {
    /// The conditions around statements in a row, the outermost first, and these statements: those of
    /// `if (c) { if (d) { s; t; } }` are `c` and `d`, `s` and `t`.
    pub(super) fn under_conditions(&self) -> (Vec<&Term>, Vec<&Term>) {
        let (mut conditions, mut row) = (Vec::new(), self.in_a_row());
        while let [only] = row[..]
            && let (TermKind::If, [condition, then]) = (only.kind(), only.children())
        {
            conditions.push(condition);
            row = then.in_a_row();
        }
        (conditions, row)
    }

    /// The statement without braces and semicolon around it.
    fn only_statement(&self) -> &Term {
        match (self.kind(), self.children()) {
            (TermKind::Block | TermKind::Statement, [only]) => only.only_statement(),
            _ => self,
        }
    }

    /// The parts of a condition joined by `&&`.
    pub(super) fn conjuncts(&self) -> Vec<&Term> {
        let condition = self.without_parentheses();
        match condition.as_binary() {
            Some((BinaryOperator::LogicalAnd, left, right)) => {
                let mut parts = left.conjuncts();
                parts.extend(right.conjuncts());
                parts
            }
            _ => vec![condition],
        }
    }

    /// The statements in a row that this is.
    fn in_a_row(&self) -> Vec<&Term> {
        match self.kind() {
            TermKind::Block => self.children().iter().flat_map(|child| child.in_a_row()).collect(),
            _ => vec![self.only_statement()],
        }
    }
}
