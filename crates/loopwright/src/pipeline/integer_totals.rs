//! Totals of signed integers that are added up in another order.
//!
//! Where the program's order does not overflow, another one may, which C leaves undefined. Unsigned
//! arithmetic wraps around, and the total is the same. So statements whose order is free compute in it:
//! `s += x` becomes `s = (int) ((unsigned) s + (unsigned) x)`.
use crate::settings::effort::Effort;
use loopwright_dataflow::Dependences;
use loopwright_schedule::ScheduleTree;
use loopwright_scop::{
    AccessKind, ArithmeticOperator, Array, AssignmentOperator, BinaryOperator, Body, ElementKind,
    PostfixOperator, ScalarType, Scop, Term, TermKind, UnaryOperator,
};
use loopwright_verify::{Proof, check_schedule};
use std::collections::BTreeSet;

/// What combines such totals, once for each file.
pub(crate) const HELPERS: &str = include_str!("totals.h");

/// The operators of clauses, and what stands in their place.
pub(crate) const OPERATORS: [(&str, &str); 2] =
    [("+", "loopwright_sum"), ("*", "loopwright_product")];

/// What the declarations in front of a file need for its code.
pub(crate) fn helpers(code: &str) -> &'static str {
    let is_used = OPERATORS.iter().any(|(_, ours)| code.contains(ours));
    if is_used { HELPERS } else { "" }
}

/// Steps that it may cost to find out whether updates keep their order; otherwise they are taken not to.
const STEPS: u64 = 200_000;

/// Whether some updates whose order is free may run in another order than that of the program.
pub(crate) fn changes_order(
    scop: &Scop,
    dependences: &Dependences,
    tree: &ScheduleTree,
    effort: &Effort,
) -> bool {
    let mut in_order = dependences.clone();
    in_order.forced = dependences.reassociated().to_vec();
    in_order.flow.clear();
    in_order.order.clear();
    in_order.atomic.clear();
    let found = check_schedule(scop, &in_order, tree, &effort.budget(STEPS));
    !matches!(found, Ok(Proof::Proved))
}

/// Puts unsigned arithmetic into the updates whose order is free; the names of the totals.
pub(crate) fn wrap_totals(scop: &mut Scop, dependences: &Dependences) -> BTreeSet<String> {
    let pairs = dependences.reassociated().iter();
    let free: BTreeSet<_> = pairs.flat_map(|pair| [pair.source.0, pair.sink.0]).collect();
    let mut names = BTreeSet::new();
    for position in 0..scop.statements.len() {
        let statement = &scop.statements[position];
        let root = statement.body.root().filter(|_| statement.body.hidden().is_empty());
        let root = root.filter(|_| free.contains(&statement.id));
        if let Some(wrapped) = root.and_then(|root| wrapped(scop, root)) {
            let writes = statement.accesses_of(&[AccessKind::MustWrite, AccessKind::MayWrite]);
            names.extend(writes.map(|access| scop.array(access.array).name.to_string()));
            scop.statements[position].body = Body::new(wrapped);
        }
    }
    names
}

/// The text with clauses that combine totals in unsigned arithmetic. Elements of a total in a variable of the
/// text have a name that begins with its own.
pub(crate) fn with_wrapping_clauses(text: &str, totals: &BTreeSet<String>) -> String {
    let in_clause = |line: &str| {
        let mut line = line.to_string();
        for (name, (operator, ours)) in totals.iter().flat_map(|n| OPERATORS.map(|o| (n, o))) {
            for end in [")", "_value"] {
                let clause = format!("reduction({operator}: {name}{end}");
                line = line.replace(&clause, &format!("reduction({ours}: {name}{end}"));
            }
        }
        line
    };
    let is_pragma = |line: &str| line.trim_start().starts_with("#pragma omp");
    let lines = text.lines().map(|line| match is_pragma(line) {
        true => in_clause(line) + "\n",
        false => format!("{line}\n"),
    });
    lines.collect()
}

/// A statement with an update in unsigned arithmetic; none if it has none, or needs none.
fn wrapped(scop: &Scop, term: &Term) -> Option<Term> {
    let with_last = |inner: Term| {
        let mut children = term.children().to_vec();
        *children.last_mut()? = inner;
        Some(Term::new(term.kind().clone(), children, term.texts()))
    };
    match (term.kind(), term.children()) {
        (TermKind::Block | TermKind::Statement, [only]) => with_last(wrapped(scop, only)?),
        (TermKind::If, [_, then]) => with_last(wrapped(scop, then)?),
        (TermKind::Postfix(_) | TermKind::Unary(_), [target]) => {
            let operator = step(term.kind())?;
            let types = Types::of(scop, target.without_parentheses())?;
            let one = Term::of_text("1");
            Some(types.assigned(target, joined(operator, types.cast(target), one)))
        }
        (TermKind::Assignment(AssignmentOperator::Update(operator)), [target, value]) => {
            let types = Types::of(scop, target)?;
            (is_wrapping(*operator) && is_integer(scop, value)).then_some(())?;
            let value = types.cast(value);
            Some(types.assigned(target, joined(*operator, types.cast(target), value)))
        }
        (TermKind::Assignment(AssignmentOperator::Set), [target, value]) => {
            let types = Types::of(scop, target)?;
            let value = value.without_parentheses();
            let (BinaryOperator::Arithmetic(operator), _, _) = value.as_binary()? else {
                return None;
            };
            (is_wrapping(operator) && is_integer(scop, value)).then_some(())?;
            Some(types.assigned(target, types.chain(value)))
        }
        _ => None,
    }
}

/// What `X++` and its like do.
fn step(kind: &TermKind) -> Option<ArithmeticOperator> {
    match kind {
        TermKind::Postfix(PostfixOperator::Increment)
        | TermKind::Unary(UnaryOperator::Increment) => Some(ArithmeticOperator::Add),
        TermKind::Postfix(PostfixOperator::Decrement)
        | TermKind::Unary(UnaryOperator::Decrement) => Some(ArithmeticOperator::Subtract),
        _ => None,
    }
}

/// Whether an operator may overflow, and gives the same bits in unsigned arithmetic.
fn is_wrapping(operator: ArithmeticOperator) -> bool {
    use ArithmeticOperator as A;
    matches!(operator, A::Add | A::Subtract | A::Multiply)
}

/// Whether a value is known to be an integer: others would be converted in another way.
fn is_integer(scop: &Scop, value: &Term) -> bool {
    matches!(value.value_type(scop), Some(ScalarType::Integer { .. }))
}

fn joined(operator: ArithmeticOperator, left: Term, right: Term) -> Term {
    let sign = match operator {
        ArithmeticOperator::Subtract => " - ",
        ArithmeticOperator::Multiply => " * ",
        _ => " + ",
    };
    let kind = TermKind::Binary(BinaryOperator::Arithmetic(operator));
    Term::new(kind, vec![left, right], &["", sign, ""])
}

/// The types of a total, as text.
struct Types {
    own: String,
    unsigned: &'static str,
}

impl Types {
    /// Those of a signed integer.
    fn of(scop: &Scop, target: &Term) -> Option<Types> {
        // Data may decide which element it is.
        let element = match (target.kind(), target.children()) {
            (TermKind::Subscript, [array, ..]) => array.as_element()?,
            _ => target.as_element()?,
        };
        let array: &Array = scop.arrays.get(element.array.0 as usize)?;
        let unsigned = match (array.element_kind, array.element_bytes?) {
            (ElementKind::Signed, 1..=4) => "unsigned",
            (ElementKind::Signed, 8) if array.element_type == "long" => "unsigned long",
            (ElementKind::Signed, 8) => "unsigned long long",
            _ => return None,
        };
        Some(Types { own: array.element_type.clone(), unsigned })
    }

    /// A value as an unsigned one.
    fn cast(&self, value: &Term) -> Term {
        let value = value.without_parentheses();
        let is_operand = matches!(
            value.kind(),
            TermKind::Element(_)
                | TermKind::Literal(_)
                | TermKind::Name
                | TermKind::Call
                | TermKind::Subscript
                | TermKind::Member
                | TermKind::Affine(_)
        );
        let operand = match is_operand {
            true => value.clone(),
            false => Term::new(TermKind::Parenthesized, vec![value.clone()], &["(", ")"]),
        };
        cast(self.unsigned, operand)
    }

    /// A chain of operators on the total, with unsigned operands.
    fn chain(&self, value: &Term) -> Term {
        match value.as_binary() {
            Some((BinaryOperator::Arithmetic(operator), left, right)) if is_wrapping(operator) => {
                joined(operator, self.chain(left), self.cast(right))
            }
            _ => self.cast(value),
        }
    }

    /// The assignment of an unsigned value to the total.
    fn assigned(&self, target: &Term, value: Term) -> Term {
        let value = Term::new(TermKind::Parenthesized, vec![value], &["(", ")"]);
        let kind = TermKind::Assignment(AssignmentOperator::Set);
        Term::new(kind, vec![target.clone(), cast(&self.own, value)], &["", " = ", ""])
    }
}

/// A value as one of a type.
fn cast(name: &str, value: Term) -> Term {
    let kind = TermKind::Cast(ScalarType::of_name(name));
    Term::new(kind, vec![value], &[format!("({name}) "), String::new()])
}
