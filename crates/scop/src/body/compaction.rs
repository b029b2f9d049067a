//! Statements that put what passes a condition behind each other.
use super::{
    ArithmeticOperator, AssignmentOperator, BinaryOperator, Body, PostfixOperator, Term, TermKind,
    UnaryOperator,
};
use crate::ids::ArrayId;
use crate::model::{Access, AccessKind, ElementKind, Scop, Statement};

/// `if (condition) { out[place] = value; place = place + 1; }` and its like: instances that pass a condition
/// write elements behind each other, one each. How many pass does not depend on what they write, so they can
/// be counted first, and then each part of a sequence of instances knows where it begins to write.
#[derive(Clone, Debug, PartialEq)]
pub struct Compaction {
    /// The integer that counts what has passed.
    pub place: ArrayId,
    /// The arrays that are written at that place.
    pub arrays: Vec<ArrayId>,
    /// The conditions, one inside of the other.
    pub conditions: Vec<Term>,
}

impl Compaction {
    /// What a statement puts together, if it does nothing else. Its conditions only read, and neither they
    /// nor the values mention what it writes. Linear in its text.
    pub fn of(scop: &Scop, statement: &Statement) -> Option<Compaction> {
        if !statement.body.hidden().is_empty() {
            return None;
        }
        let (conditions, steps) = statement.body.root()?.under_conditions();
        let (last, before) = steps.split_last()?;
        let mut arrays = Vec::new();
        let (place, mut values) = match increment(last) {
            Some(place) => (place, Vec::new()),
            None => {
                let (array, index, value) = write(last)?;
                let (TermKind::Postfix(PostfixOperator::Increment), [place]) =
                    (index.kind(), index.children())
                else {
                    return None;
                };
                arrays.push(array);
                (place.without_parentheses().as_element()?.array, vec![value])
            }
        };
        for step in before {
            let (array, index, value) = write(step)?;
            if index.as_element()?.array != place {
                return None;
            }
            arrays.push(array);
            values.push(value);
        }
        let is_apart = |term: &Term| {
            term.elements().iter().all(|e| e.array != place && !arrays.contains(&e.array))
        };
        let is_right = !conditions.is_empty()
            && !arrays.is_empty()
            && !arrays.contains(&place)
            && is_integer(scop, place)
            && conditions.iter().all(|each| only_reads(each) && is_apart(each))
            && values.into_iter().all(is_apart);
        let conditions = conditions.into_iter().cloned().collect();
        is_right.then_some(Compaction { place, arrays, conditions })
    }

    /// Whether the statements of a loop leave alone what the conditions read, and all arrays that are written
    /// are only written, by the one statement alone.
    pub fn is_apart(&self, own: &Statement, inside: &[&Statement]) -> bool {
        let is_read = |array: ArrayId| {
            self.conditions.iter().any(|c| c.elements().iter().any(|e| e.array == array))
        };
        let is_fine = |statement: &Statement, access: &Access| {
            let is_write = matches!(access.kind, AccessKind::MustWrite | AccessKind::MayWrite);
            let is_own = statement.id == own.id;
            match access.kind {
                AccessKind::Kill => true,
                _ if self.arrays.contains(&access.array) => is_own && is_write,
                _ if access.array == self.place => is_own,
                _ => !(is_write && is_read(access.array)),
            }
        };
        inside.iter().all(|s| s.accesses.iter().all(|access| is_fine(s, access)))
    }

    /// What counts with `counter` the instances that pass.
    pub fn counting(&self, counter: &str) -> Body {
        let kind = TermKind::Postfix(PostfixOperator::Increment);
        let step = Term::new(kind, vec![Term::of_text(counter)], &["", "++"]);
        let under = |inner: Term, condition: &Term| {
            Term::new(TermKind::If, vec![condition.clone(), inner], &["if (", ") ", ""])
        };
        Body::new(self.conditions.iter().rev().fold(step, under))
    }
}

/// `array[index] = value`, of an array whose element the statement finds itself.
fn write(term: &Term) -> Option<(ArrayId, &Term, &Term)> {
    let (AssignmentOperator::Set, target, value) = term.as_assignment()? else { return None };
    let (TermKind::Subscript, [array, index]) = (target.kind(), target.children()) else {
        return None;
    };
    let array = array.as_element().filter(|element| element.subscripts.is_empty())?.array;
    Some((array, index.without_parentheses(), value))
}

/// The variable that a statement makes greater by one, and does nothing else.
fn increment(term: &Term) -> Option<ArrayId> {
    let is_one = |term: &Term| term.without_parentheses().text() == "1";
    if let Some((operator, target, value)) = term.as_assignment() {
        let place = target.as_element()?.array;
        return match (operator, value.without_parentheses().as_binary()) {
            (AssignmentOperator::Update(ArithmeticOperator::Add), _) if is_one(value) => {
                Some(place)
            }
            (
                AssignmentOperator::Set,
                Some((BinaryOperator::Arithmetic(ArithmeticOperator::Add), left, right)),
            ) => {
                let is_place = |term: &Term| term.is_alike(target);
                let adds_one = is_place(left) && is_one(right) || is_one(left) && is_place(right);
                adds_one.then_some(place)
            }
            _ => None,
        };
    }
    match (term.kind(), term.children()) {
        (
            TermKind::Postfix(PostfixOperator::Increment)
            | TermKind::Unary(UnaryOperator::Increment),
            [target],
        ) => Some(target.without_parentheses().as_element()?.array),
        _ => None,
    }
}

fn is_integer(scop: &Scop, id: ArrayId) -> bool {
    let array = scop.array(id);
    array.is_scalar()
        && matches!(array.element_kind, ElementKind::Signed | ElementKind::Unsigned)
        && array.element_bytes.is_some_and(|bytes| bytes >= 4)
}

/// Whether a term has no effect but its value, and can be evaluated again.
fn only_reads(term: &Term) -> bool {
    term.all(&|part| match part.kind() {
        TermKind::Affine(_)
        | TermKind::Element(_)
        | TermKind::Literal(_)
        | TermKind::Name
        | TermKind::Parenthesized
        | TermKind::Conditional
        | TermKind::Cast(_)
        | TermKind::Binary(_)
        | TermKind::Subscript => true,
        TermKind::Unary(operator) => matches!(
            operator,
            UnaryOperator::Negate
                | UnaryOperator::Plus
                | UnaryOperator::Not
                | UnaryOperator::Complement
        ),
        _ => false,
    })
}
