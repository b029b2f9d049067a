//! What the statements of a program are to which arrays were added: the program's own ones, and others that
//! begin, copy or combine values.
//!
//! Those that were added are known by their text: `X = neutral`, `X = Y`, `X op= Y`, or `X = Y < X ? Y : X`.
//! That they do what is right is proved by what knows the values ([`super::partial_results`],
//! [`super::prefixes`]).
use crate::storage::promotion::{anonymous, elements};
use loopwright_dataflow::ReductionOperator;
use loopwright_presburger::{Budget, Result};
use loopwright_scop::{
    Access, AccessKind, ArithmeticOperator, Array, ArrayId, AssignmentOperator, BinaryOperator,
    ComparisonOperator, Element, ElementKind, Promotion, ReferenceId, Scop, Statement, Term,
    TermKind,
};

/// What a statement that was added does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// It assigns a constant.
    Start(&'static str),
    /// It assigns another element.
    Copy,
    /// It combines the element with another one.
    Combine(ReductionOperator),
}

/// A statement that was added, with the arrays that it writes and reads.
#[derive(Clone, Copy, Debug)]
pub(super) struct Added {
    pub(super) form: Form,
    pub(super) to: ArrayId,
    /// Nothing for constants.
    pub(super) from: Option<ArrayId>,
    /// References that read what is written, before those that read the other element.
    pub(super) n_own_reads: u32,
}

/// A program, and the one to which arrays and statements were added.
pub(super) struct Forms<'a> {
    pub(super) original: &'a Scop,
    pub(super) changed: &'a Scop,
    /// Which of the added arrays are in memory of blocks and threads.
    pub(super) promotion: &'a Promotion,
    pub(super) budget: &'a Budget,
}

impl Forms<'_> {
    pub(super) fn is_same_frame(&self, before: &Statement, after: &Statement) -> Result<bool> {
        Ok(before.name == after.name
            && before.id == after.id
            && before.is_kill == after.is_kill
            && before.accesses.len() == after.accesses.len()
            && before.domain.is_equal(&after.domain, self.budget)?)
    }

    pub(super) fn is_same_access(&self, a: &Access, b: &Access) -> Result<bool> {
        Ok(a.array == b.array
            && a.kind == b.kind
            && a.reference == b.reference
            && a.relation.is_equal(&b.relation, self.budget)?)
    }

    pub(super) fn is_unchanged(&self, before: &Statement, after: &Statement) -> Result<bool> {
        let mut same = before.body == after.body && self.is_same_frame(before, after)?;
        for (a, b) in before.accesses.iter().zip(&after.accesses) {
            same = same && self.is_same_access(a, b)?;
        }
        Ok(same)
    }

    /// What a statement that was added does, if its accesses are those of its text.
    pub(super) fn added(&self, statement: &Statement) -> Result<Option<Added>> {
        let Some((form, to, from)) = form(statement) else { return Ok(None) };
        let n_own = match form {
            Form::Start(_) | Form::Copy => 0,
            Form::Combine(operator) => times_read(operator),
        };
        let n_other = match form {
            Form::Start(_) => 0,
            Form::Copy => 1,
            Form::Combine(operator) => times_read(operator),
        };
        let Some((written, reads)) = statement.accesses.split_first() else { return Ok(None) };
        let is_numbered = |(at, access): (u32, &Access)| access.reference == ReferenceId(at);
        if statement.is_kill
            || written.kind != AccessKind::MustWrite
            || reads.len() != n_own + n_other
            || reads.iter().any(|access| access.kind != AccessKind::Read)
            || !(0u32..).zip(&statement.accesses).all(is_numbered)
        {
            return Ok(None);
        }
        let (own, others) = reads.split_at(n_own);
        let mut fits = self.is_access(statement, written, to)?;
        for access in own {
            fits = fits && self.is_same_element(access, written)?;
        }
        for access in others {
            let Some(from) = from else { return Ok(None) };
            fits = fits
                && self.is_access(statement, access, from)?
                && self.is_same_element(access, &others[0])?;
        }
        let to_array = self.changed.array(written.array);
        let is_of_type = |access: &Access| {
            let other = self.changed.array(access.array);
            // What is added to a signed integer modulo a power of two.
            let is_added =
                matches!(form, Form::Combine(ReductionOperator::Sum | ReductionOperator::Product));
            other.element_type == to_array.element_type
                || is_added && is_without_sign(other, to_array)
        };
        fits = fits && others.iter().all(is_of_type);
        let n_own_reads = u32::try_from(n_own).unwrap_or(u32::MAX);
        let from = others.first().map(|access| access.array);
        Ok(fits.then_some(Added { form, to: written.array, from, n_own_reads }))
    }

    fn is_same_element(&self, a: &Access, b: &Access) -> Result<bool> {
        Ok(a.array == b.array && a.relation.is_equal(&b.relation, self.budget)?)
    }

    /// Whether an element of the text is that of an access. (Which element a cell is, is proved elsewhere.)
    fn is_access(&self, statement: &Statement, access: &Access, element: &Element) -> Result<bool> {
        let Forms { original, changed, promotion, .. } = *self;
        if !statement.domain.is_subset(&access.relation.domain(), self.budget)? {
            return Ok(false);
        }
        if let Some(array) = promotion.of(access.array) {
            let name = &changed.array(array.cells).name;
            return Ok(element.array == array.cells && element.base.is_named(name));
        }
        let is_of_program = (access.array.0 as usize) < original.arrays.len();
        let is_named = match is_of_program {
            false => element.base.is_named(&changed.array(access.array).name),
            true => {
                let statements = original.statements.iter();
                let mut known = statements.flat_map(|statement| statement.body.elements());
                known.any(|other| other.array == access.array && other.base == element.base)
            }
        };
        let named = elements(statement, element)?;
        Ok(is_named
            && element.array == access.array
            && named.is_equal(&anonymous(&access.relation)?, self.budget)?)
    }
}

/// Whether elements are those of an array of signed integers modulo a power of two.
pub(super) fn is_without_sign(array: &Array, signed: &Array) -> bool {
    let expected = match (signed.element_kind, signed.element_bytes) {
        (ElementKind::Signed, Some(4)) => "unsigned int",
        (ElementKind::Signed, Some(8)) => "unsigned long",
        _ => return false,
    };
    array.element_kind == ElementKind::Unsigned
        && array.element_bytes == signed.element_bytes
        && array.element_type == expected
}

/// Whether a changed program has the arrays of the program, and perhaps more.
pub(super) fn keeps_arrays(original: &Scop, changed: &Scop) -> bool {
    changed.arrays.len() >= original.arrays.len()
        && original.arrays.iter().zip(&changed.arrays).all(|(a, b)| {
            a.tuple_name == b.tuple_name
                && a.live_out == b.live_out
                && a.element_type == b.element_type
                && a.extent_texts == b.extent_texts
        })
}

/// What changes nothing, as C writes it.
pub(super) fn neutral(operator: ReductionOperator) -> Option<&'static str> {
    use ReductionOperator as R;
    match operator {
        R::Sum | R::Or | R::ExclusiveOr => Some("0"),
        R::Product => Some("1"),
        R::And | R::Minimum | R::Maximum => None,
    }
}

/// Whether a value that is combined twice is as good as once.
pub(super) fn is_idempotent(operator: ReductionOperator) -> bool {
    use ReductionOperator as R;
    matches!(operator, R::And | R::Or | R::Minimum | R::Maximum)
}

/// How often a statement that combines reads each of its two elements.
fn times_read(operator: ReductionOperator) -> usize {
    match operator {
        ReductionOperator::Minimum | ReductionOperator::Maximum => 2,
        _ => 1,
    }
}

/// What a statement does by its text, with the element that it writes and the one that it reads.
fn form(statement: &Statement) -> Option<(Form, &Element, Option<&Element>)> {
    let (by, to, value) = statement.body.root()?.as_assignment()?;
    if !statement.body.hidden().is_empty() {
        return None;
    }
    let target = to.as_element()?;
    match (by, value.kind(), value.children()) {
        (AssignmentOperator::Set, TermKind::Literal(_), _) => {
            let constant = ["0", "1"].into_iter().find(|known| *known == value.text())?;
            Some((Form::Start(constant), target, None))
        }
        (AssignmentOperator::Set, TermKind::Element(from), _) => {
            Some((Form::Copy, target, Some(from)))
        }
        (AssignmentOperator::Set, TermKind::Conditional, [condition, first, second]) => {
            let operator = extremum(condition, (first, second))?;
            let is_chosen = second.is_alike(to);
            is_chosen.then_some((Form::Combine(operator), target, Some(first.as_element()?)))
        }
        (AssignmentOperator::Update(by), TermKind::Element(from), _) => {
            Some((Form::Combine(updating(by)?), target, Some(from)))
        }
        _ => None,
    }
}

/// `first < second ? first : second`, or with `>`.
fn extremum(condition: &Term, (first, second): (&Term, &Term)) -> Option<ReductionOperator> {
    let (BinaryOperator::Comparison(comparison), left, right) = condition.as_binary()? else {
        return None;
    };
    let is_of_both = left.is_alike(first) && right.is_alike(second);
    match comparison {
        ComparisonOperator::Less if is_of_both => Some(ReductionOperator::Minimum),
        ComparisonOperator::Greater if is_of_both => Some(ReductionOperator::Maximum),
        _ => None,
    }
}

fn updating(operator: ArithmeticOperator) -> Option<ReductionOperator> {
    use ArithmeticOperator as A;
    Some(match operator {
        A::Add => ReductionOperator::Sum,
        A::Multiply => ReductionOperator::Product,
        A::And => ReductionOperator::And,
        A::Or => ReductionOperator::Or,
        A::ExclusiveOr => ReductionOperator::ExclusiveOr,
        A::Subtract | A::Divide | A::Remainder | A::ShiftLeft | A::ShiftRight => return None,
    })
}
