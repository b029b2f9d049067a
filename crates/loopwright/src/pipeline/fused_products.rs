//! Whether a compiler may fuse a product with a sum, so that another text of the same operations has other
//! last bits.
//!
//! Which products it fuses depends on loops and branches around: a product that it computes elsewhere is not.
//! Where no sum has a product as an operand there is nothing to fuse. Products with powers of two are exact
//! (unless they overflow), so it does not matter for these.
use loopwright_scop::{
    ArithmeticOperator, ArrayId, AssignmentOperator, BinaryOperator, Literal, ScalarType, Scop,
    Term, TermKind, UnaryOperator,
};
use std::collections::BTreeSet;

/// Whether some sum of a region may have a floating product as an operand.
pub(crate) fn may_fuse(scop: &Scop) -> bool {
    let roots = || scop.statements.iter().filter_map(|statement| statement.body.root());
    let mut products = BTreeSet::new();
    loop {
        let walk = Walk { scop, products: &products };
        let mut found = products.clone();
        roots().for_each(|root| root.for_each(&mut |term| found.extend(walk.takes_product(term))));
        if found == products {
            let mut fuses = false;
            roots().for_each(|root| root.for_each(&mut |term| fuses |= walk.fuses(term)));
            return fuses;
        }
        products = found;
    }
}

struct Walk<'a> {
    scop: &'a Scop,
    /// The arrays with elements that are products.
    products: &'a BTreeSet<ArrayId>,
}

impl Walk<'_> {
    /// The array to which a term assigns a product.
    fn takes_product(&self, term: &Term) -> Option<ArrayId> {
        let (operator, target, value) = term.as_assignment()?;
        let is_scaled = operator == AssignmentOperator::Update(ArithmeticOperator::Multiply);
        let array = |target: &Term| match (target.kind(), target.children()) {
            (TermKind::Subscript, [array, ..]) => Some(array.as_element()?.array),
            _ => Some(target.as_element()?.array),
        };
        array(target).filter(|_| is_scaled || self.is_product(value))
    }

    /// Whether a term is a sum with a product as an operand, or not understood.
    fn fuses(&self, term: &Term) -> bool {
        use ArithmeticOperator as A;
        if self.is_integer(term) {
            return false;
        }
        match (term.kind(), term.children()) {
            (TermKind::Opaque, children) => !children.is_empty() || term.text().contains('('),
            (TermKind::Binary(BinaryOperator::Arithmetic(A::Add | A::Subtract)), operands)
            | (TermKind::Assignment(AssignmentOperator::Update(A::Add | A::Subtract)), operands) => {
                operands.iter().any(|operand| self.is_product(operand))
            }
            _ => false,
        }
    }

    /// Whether a value may be a product that is rounded.
    fn is_product(&self, term: &Term) -> bool {
        if self.is_integer(term) {
            return false;
        }
        match (term.kind(), term.children()) {
            (TermKind::Binary(BinaryOperator::Arithmetic(operator)), [left, right]) => {
                *operator == ArithmeticOperator::Multiply
                    && !is_power_of_two(left)
                    && !is_power_of_two(right)
            }
            (TermKind::Element(element), _) => self.products.contains(&element.array),
            (TermKind::Subscript, [array, ..]) => {
                array.as_element().is_none_or(|element| self.products.contains(&element.array))
            }
            (TermKind::Affine(_) | TermKind::Literal(_), _) => false,
            (TermKind::Conditional, [_, then, otherwise]) => {
                self.is_product(then) || self.is_product(otherwise)
            }
            (TermKind::Parenthesized | TermKind::Cast(_), [inner])
            | (TermKind::Unary(UnaryOperator::Negate | UnaryOperator::Plus), [inner]) => {
                self.is_product(inner)
            }
            // The function may be written in place of the call.
            _ => true,
        }
    }

    fn is_integer(&self, term: &Term) -> bool {
        matches!(term.value_type(self.scop), Some(ScalarType::Integer { .. }))
    }
}

/// Whether a term is a constant whose product with a number is exact.
fn is_power_of_two(term: &Term) -> bool {
    let term = term.without_parentheses();
    let is_number = matches!(term.kind(), TermKind::Literal(Literal::Integer | Literal::Floating));
    let digits = term.text().trim_end_matches(['f', 'F', 'l', 'L']);
    let value = digits.parse::<f64>().ok().filter(|_| is_number);
    value.is_some_and(|value| [0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0].contains(&value))
}

#[cfg(test)]
mod tests {
    use super::may_fuse;
    use loopwright_cfront::SourceFile;

    #[test]
    fn products_that_are_added_are_found() {
        let fuses = |body: &str| {
            let text = format!(
                "void f(int n, double *restrict a, double *restrict b, double *restrict c, int *restrict k) {{\n#pragma scop\n  for (int i = 0; i < n; i++) {{\n    {body}\n  }}\n#pragma endscop\n}}\n"
            );
            may_fuse(&SourceFile::from_text("f.c", &text).extract().expect(body)[0].scop)
        };
        for body in [
            "a[i] += b[i] * c[i];",
            "a[i] = c[i] - (b[i] * 3);",
            "double t = b[i] * c[i]; a[i] = a[i] + t;",
            "a[i] *= b[i]; c[i] += a[i];",
            "a[i] = c[i] + (k[i] > 0 ? b[i] * b[i] : 1);",
        ] {
            assert!(fuses(body), "{body}");
        }
        for body in [
            "a[i] = 0.25 * (b[i] + c[i]);",
            "a[i] = b[i] - 2.0 * c[i];",
            "a[i] = b[i] / c[i] + 1;",
            "a[i] = b[i] * c[i];",
            "k[i] += k[i] * 3;",
        ] {
            assert!(!fuses(body), "{body}");
        }
    }
}
