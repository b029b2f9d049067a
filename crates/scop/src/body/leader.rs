//! Statements that keep the best of what they have seen, and where they saw it.
use super::{
    ArithmeticOperator, AssignmentOperator, BinaryOperator, ComparisonOperator, Term, TermKind,
    UnaryOperator,
};
use crate::ids::ArrayId;
use crate::model::{Array, ElementKind, Scop, Statement};

/// `if (value > key) { key = value; at = i; }` and its like: a value that is better than the best so far
/// takes its place, and scalars beside it, the followers, get values that go with it.
///
/// With `>` the first of the greatest values is kept, with `>=` the last one, and so for the least ones. With
/// `>` and `<` what a sequence of such statements leaves is the same if it is cut in parts, each of which
/// begins with the scalars as they were in front of all, and what the parts leave is compared in turn. That
/// holds bit for bit: what is compared has the type of the key, a zero is not better than one of another
/// sign, and what is not a number is never taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leader {
    /// How a better value compares with the key.
    pub comparison: ComparisonOperator,
    /// The best value so far.
    pub key: ArrayId,
    /// What else is set with it.
    pub followers: Vec<ArrayId>,
}

impl Leader {
    /// What a statement keeps, if it does nothing else: under conditions, and with values, that mention none
    /// of these scalars. Linear in its text.
    pub fn of(scop: &Scop, statement: &Statement) -> Option<Leader> {
        if !statement.body.hidden().is_empty() {
            return None;
        }
        let (conditions, row) = statement.body.root()?.under_conditions();
        let conjuncts: Vec<&Term> = conditions.iter().flat_map(|each| each.conjuncts()).collect();
        Leader::under(scop, &conjuncts, &assignments(&row)?)
    }

    fn under(scop: &Scop, conditions: &[&Term], set: &[(ArrayId, &Term)]) -> Option<Leader> {
        let is_own = |term: &Term| match term.as_element() {
            Some(element) => set.iter().any(|(array, _)| *array == element.array),
            None => false,
        };
        let is_apart = |term: &Term| term.all(&|part| !is_own(part));
        let scalars: Vec<ArrayId> = set.iter().map(|(array, _)| *array).collect();
        let is_number = |id: &ArrayId| {
            let array = scop.array(*id);
            array.is_scalar() && array.element_kind != ElementKind::Other
        };
        let is_once = |id: &ArrayId| scalars.iter().filter(|other| *other == id).count() == 1;
        if !scalars.iter().all(|id| is_number(id) && is_once(id)) {
            return None;
        }
        let (mut compared, mut leader) = (0, None);
        for condition in conditions {
            if is_apart(condition) {
                continue;
            }
            compared += 1;
            leader = set.iter().find_map(|&(key, value)| {
                let comparison = better(condition, key, value)?;
                has_type_of(scop, value, scop.array(key)).then_some((comparison, key))
            });
        }
        let (comparison, key) = leader.filter(|_| compared == 1)?;
        let followers = scalars.into_iter().filter(|id| *id != key).collect();
        let are_apart = set.iter().all(|(_, value)| is_apart(value));
        are_apart.then_some(Leader { comparison, key, followers })
    }
}

/// The variables without subscripts that get values, with these, if statements are nothing but such
/// assignments.
fn assignments<'t>(row: &[&'t Term]) -> Option<Vec<(ArrayId, &'t Term)>> {
    let set = row.iter().map(|each| match each.as_assignment()? {
        (AssignmentOperator::Set, target, value) => Some((target.as_element()?.array, value)),
        _ => None,
    });
    set.collect()
}

/// How the value compares with the key, if a condition says that.
fn better(condition: &Term, key: ArrayId, value: &Term) -> Option<ComparisonOperator> {
    use ComparisonOperator as C;
    let (BinaryOperator::Comparison(operator), left, right) = condition.as_binary()? else {
        return None;
    };
    let is_key = |term: &Term| {
        term.without_parentheses().as_element().is_some_and(|element| element.array == key)
    };
    let mirrored = match operator {
        C::Less => C::Greater,
        C::LessOrEqual => C::GreaterOrEqual,
        C::Greater => C::Less,
        C::GreaterOrEqual => C::LessOrEqual,
        C::Equal | C::NotEqual => return None,
    };
    match () {
        () if is_key(right) && left.is_alike(value) => Some(operator),
        () if is_key(left) && right.is_alike(value) => Some(mirrored),
        () => None,
    }
}

/// Whether comparing a value with the key converts it as storing it there does, if at all.
fn has_type_of(scop: &Scop, value: &Term, key: &Array) -> bool {
    let is_alike = |id: ArrayId| {
        let array = scop.array(id);
        array.element_kind == key.element_kind && array.element_type == key.element_type
    };
    let value = value.without_parentheses();
    if let Some(element) = value.as_element() {
        return is_alike(element.array);
    }
    let is_wide =
        key.element_bytes.is_some_and(|bytes| bytes >= 4) && !key.element_type.contains("bool");
    let is_floating = key.element_kind == ElementKind::Floating;
    let check = |term: &Term| match term.kind() {
        TermKind::Element(element) => is_alike(element.array),
        TermKind::Parenthesized => true,
        TermKind::Unary(UnaryOperator::Negate | UnaryOperator::Plus) => true,
        TermKind::Binary(BinaryOperator::Arithmetic(operator)) => {
            use ArithmeticOperator as A;
            matches!(operator, A::Add | A::Subtract | A::Multiply)
        }
        TermKind::Affine(_) => !is_floating,
        _ => false,
    };
    let has_element = !value.elements().is_empty();
    is_wide && has_element && key.element_kind != ElementKind::Other && value.all(&check)
}
