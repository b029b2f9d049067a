//! Which update of an element a statement is, by its body.
use crate::ReductionOperator;
use loopwright_scop::{
    ArithmeticOperator, ArrayId, AssignmentOperator, BinaryOperator, ComparisonOperator,
    ElementKind, Scop, Statement, Term, TermKind, UnaryOperator,
};

/// An update of one element.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Update {
    pub(crate) array: ArrayId,
    pub(crate) operator: ReductionOperator,
    /// How often the body reads the element.
    pub(crate) n_reads: usize,
}

impl Update {
    /// The update that a statement is: perhaps under conditions. Of elements that are no numbers (structures,
    /// unions) the body may be about a part.
    pub(crate) fn of(scop: &Scop, statement: &Statement) -> Option<Update> {
        let is_number = |u: &Update| scop.array(u.array).element_kind != ElementKind::Other;
        under_conditions(scop, statement.body.root()?).filter(is_number)
    }
}

fn under_conditions(scop: &Scop, term: &Term) -> Option<Update> {
    let term = only_statement(term);
    match (term.kind(), term.children()) {
        (TermKind::If, [condition, then]) => {
            guarded_extremum(condition, then).or_else(|| under_conditions(scop, then))
        }
        (TermKind::Postfix(_) | TermKind::Unary(_), [target]) if is_step(term) => {
            let array = target.without_parentheses().as_element()?.array;
            Some(Update { array, operator: ReductionOperator::Sum, n_reads: 1 })
        }
        _ => assignment(scop, term),
    }
}

/// Whether a term is `X++` or its like.
fn is_step(term: &Term) -> bool {
    use UnaryOperator as U;
    matches!(term.kind(), TermKind::Postfix(_) | TermKind::Unary(U::Increment | U::Decrement))
}

/// The part of a body that says by what an element is updated: a condition around a sum only says whether.
pub(crate) fn updating(term: &Term) -> &Term {
    let term = only_statement(term);
    match (term.kind(), term.children()) {
        (TermKind::If, [condition, then]) if guarded_extremum(condition, then).is_none() => {
            updating(then)
        }
        _ => term,
    }
}

/// The statement without braces and semicolon around it.
fn only_statement(term: &Term) -> &Term {
    match (term.kind(), term.children()) {
        (TermKind::Block | TermKind::Statement, [only]) => only_statement(only),
        _ => term,
    }
}

/// `X op= value`, `X = X op value`, `X = value op X`, or the lesser or greater of two.
fn assignment(scop: &Scop, term: &Term) -> Option<Update> {
    let (operator, target, value) = term.as_assignment()?;
    let array = target.as_element()?.array;
    let combining = |operator| {
        let operator = combining(scop, array, operator)?;
        Some(Update { array, operator, n_reads: 1 })
    };
    if let AssignmentOperator::Update(operator) = operator {
        return combining(operator);
    }
    let value = value.without_parentheses();
    if let Some(operator) = combined_with(target, value) {
        return combining(operator);
    }
    let (operator, n_reads) = called_extremum(target, value)
        .map(|operator| (operator, 1))
        .or_else(|| chosen_extremum(target, value).map(|operator| (operator, 2)))?;
    Some(Update { array, operator, n_reads })
}

/// The operator whose order does not matter; none if it does.
fn combining(
    scop: &Scop,
    array: ArrayId,
    operator: ArithmeticOperator,
) -> Option<ReductionOperator> {
    use ArithmeticOperator as A;
    Some(match operator {
        A::Add | A::Subtract => ReductionOperator::Sum,
        A::Multiply => ReductionOperator::Product,
        A::Divide if scop.array(array).element_kind == ElementKind::Floating => {
            ReductionOperator::Product
        }
        A::And => ReductionOperator::And,
        A::Or => ReductionOperator::Or,
        A::ExclusiveOr => ReductionOperator::ExclusiveOr,
        A::Divide | A::Remainder | A::ShiftLeft | A::ShiftRight => return None,
    })
}

/// The operator by which a value is made of the target and something else: it is the first operand of a chain
/// of operators that are exchanged with each other (`X + a - b`, `X * a * b`), or the last operand.
fn combined_with(target: &Term, value: &Term) -> Option<ArithmeticOperator> {
    use ArithmeticOperator as A;
    let (BinaryOperator::Arithmetic(last), mut left, right) = value.as_binary()? else {
        return None;
    };
    if matches!(last, A::Add | A::Multiply | A::And | A::Or | A::ExclusiveOr)
        && right.is_alike(target)
    {
        return Some(last);
    }
    let is_sum = |operator| matches!(operator, A::Add | A::Subtract);
    let mut first = last;
    while let Some((BinaryOperator::Arithmetic(operator), before, _)) =
        left.without_parentheses().as_binary()
    {
        if operator != last && !(is_sum(operator) && is_sum(last)) {
            return None;
        }
        (first, left) = (operator, before);
    }
    left.is_alike(target).then_some(first)
}

/// `X = fmin(X, value)` and its like.
fn called_extremum(target: &Term, value: &Term) -> Option<ReductionOperator> {
    let (TermKind::Call, [function, sides @ ..]) = (value.kind(), value.children()) else {
        return None;
    };
    let name = Some(function.text()).filter(|_| *function.kind() == TermKind::Name)?;
    let name = name.strip_prefix("__builtin_").unwrap_or(name);
    let operator = match name.strip_suffix(['f', 'l']).unwrap_or(name) {
        "fmin" => ReductionOperator::Minimum,
        "fmax" => ReductionOperator::Maximum,
        _ => return None,
    };
    (sides.len() == 2 && sides.iter().any(|side| side.is_alike(target))).then_some(operator)
}

/// `X = a < b ? a : b` and its like, where X is a or b.
fn chosen_extremum(target: &Term, value: &Term) -> Option<ReductionOperator> {
    let (TermKind::Conditional, [condition, first, second]) = (value.kind(), value.children())
    else {
        return None;
    };
    let comparison = Comparison::of(condition)?;
    let has_target = [first, second].into_iter().any(|side| side.is_alike(target));
    has_target.then(|| comparison.chooses(first, second))?
}

/// `if (value < X) X = value` and its like.
fn guarded_extremum(condition: &Term, then: &Term) -> Option<Update> {
    let (AssignmentOperator::Set, target, value) = only_statement(then).as_assignment()? else {
        return None;
    };
    let array = target.as_element()?.array;
    let of_condition = |condition: &Term| Comparison::of(condition)?.chooses(value, target);
    let operator = conjuncts(condition).into_iter().find_map(of_condition)?;
    Some(Update { array, operator, n_reads: 1 })
}

/// What an update assigns to its element where a comparison holds.
pub(crate) struct Chosen<'a> {
    pub(crate) value: &'a Term,
    /// Whether the element stays as it is otherwise.
    pub(crate) keeps_target: bool,
}

/// The value of `if (value < X) X = value` and of `X = value < X ? value : X`, with other comparisons and
/// with the sides exchanged; none of other updates.
pub(crate) fn chosen_by_comparison(root: &Term) -> Option<Chosen<'_>> {
    let root = only_statement(root);
    if let (TermKind::If, [condition, then]) = (root.kind(), root.children()) {
        guarded_extremum(condition, then)?;
        let (_, _, value) = only_statement(then).as_assignment()?;
        return Some(Chosen { value, keeps_target: true });
    }
    let (AssignmentOperator::Set, target, value) = root.as_assignment()? else { return None };
    let value = value.without_parentheses();
    chosen_extremum(target, value)?;
    let [_, first, second] = value.children() else { return None };
    Some(match second.is_alike(target) {
        true => Chosen { value: first, keeps_target: true },
        false => Chosen { value: second, keeps_target: false },
    })
}

/// The parts of a condition joined by `&&`.
fn conjuncts(condition: &Term) -> Vec<&Term> {
    let condition = condition.without_parentheses();
    match condition.as_binary() {
        Some((BinaryOperator::LogicalAnd, left, right)) => {
            let mut parts = conjuncts(left);
            parts.extend(conjuncts(right));
            parts
        }
        _ => vec![condition],
    }
}

/// `lesser < greater`, or with `<=`.
struct Comparison<'a> {
    lesser: &'a Term,
    greater: &'a Term,
}

impl<'a> Comparison<'a> {
    fn of(term: &'a Term) -> Option<Self> {
        use ComparisonOperator as C;
        match term.without_parentheses().as_binary()? {
            (BinaryOperator::Comparison(C::Less | C::LessOrEqual), lesser, greater)
            | (BinaryOperator::Comparison(C::Greater | C::GreaterOrEqual), greater, lesser) => {
                Some(Comparison { lesser, greater })
            }
            _ => None,
        }
    }

    /// What is kept if the first is taken where the comparison holds, the second otherwise.
    fn chooses(&self, first: &Term, second: &Term) -> Option<ReductionOperator> {
        let are = |a, b| self.lesser.is_alike(a) && self.greater.is_alike(b);
        match () {
            () if are(first, second) => Some(ReductionOperator::Minimum),
            () if are(second, first) => Some(ReductionOperator::Maximum),
            () => None,
        }
    }
}
