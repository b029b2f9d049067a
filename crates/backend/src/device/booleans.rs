//! Elements of type `_Bool`, whose values are 0 and 1.
//!
//! In CUDA they are `bool`, to which values are converted as in C. Memory of OpenCL has no such type:
//! elements are bytes there, and what is assigned to them is converted first: `flag[i] = (bool) (x)` in place
//! of `flag[i] = x`, and `flag[i] = (bool) (flag[i] | (x))` in place of `flag[i] |= x`.
use super::language::Language;
use loopwright_scop::{
    Array, ArrayId, AssignmentOperator, Body, Scop, Term, TermKind, TermPath, UnaryOperator,
};

/// Whether the elements of an array are of that type.
pub(super) fn is_boolean(array: &Array) -> bool {
    let mut words = array.element_type.split_whitespace().filter(|word| *word != "const");
    matches!((words.next(), words.next()), (Some("_Bool" | "bool"), None))
}

/// What such elements are in kernels.
pub(super) fn type_in_kernels(language: Language) -> &'static str {
    match language {
        Language::Cuda => "bool",
        Language::OpenCl => "unsigned char",
    }
}

/// Whether a term counts with such an element (`flag[i]++`), which CUDA does not have.
pub(super) fn is_counted(term: &Term, scop: &Scop) -> bool {
    let is_count = match term.kind() {
        TermKind::Postfix(_) => true,
        TermKind::Unary(operator) => {
            matches!(operator, UnaryOperator::Increment | UnaryOperator::Decrement)
        }
        _ => false,
    };
    is_count
        && term.children().first().and_then(array_of).is_some_and(|id| is_boolean(scop.array(id)))
}

/// The region whose statements convert what they assign to such elements, where the language does not do it
/// by itself.
pub(super) fn with_conversions(scop: &Scop, language: Language) -> Scop {
    let mut scop = scop.clone();
    if language == Language::Cuda || !scop.arrays.iter().any(is_boolean) {
        return scop;
    }
    let arrays = scop.arrays.clone();
    let is_own = |id: ArrayId| arrays.get(id.0 as usize).is_some_and(is_boolean);
    for statement in &mut scop.statements {
        statement.body = converted(&statement.body, &is_own);
    }
    scop
}

fn converted(body: &Body, is_own: &dyn Fn(ArrayId) -> bool) -> Body {
    let mut found = Vec::new();
    if let Some(root) = body.root() {
        find(root, is_own, &mut Vec::new(), &mut found);
    }
    // Those inside come first, so that the paths of those outside stay.
    found.into_iter().rev().fold(body.clone(), |body, path| {
        let term = body.root().and_then(|root| root.at(&path));
        match term.and_then(Term::as_assignment) {
            Some((operator, target, value)) => {
                body.replaced(&path, assignment(operator, target, value))
            }
            None => body,
        }
    })
}

/// An assignment with its conversion.
fn assignment(operator: AssignmentOperator, target: &Term, value: &Term) -> Term {
    let value = match operator {
        AssignmentOperator::Set => {
            Term::new(TermKind::Opaque, vec![value.clone()], &["(bool) (", ")"])
        }
        AssignmentOperator::Update(operator) => {
            let between = format!(" {} (", operator.symbol());
            let parts = vec![target.clone(), value.clone()];
            Term::new(TermKind::Opaque, parts, &["(bool) (", &between, "))"])
        }
    };
    let kind = TermKind::Assignment(AssignmentOperator::Set);
    Term::new(kind, vec![target.clone(), value], &["", " = ", ""])
}

fn find(
    term: &Term,
    is_own: &dyn Fn(ArrayId) -> bool,
    path: &mut TermPath,
    found: &mut Vec<TermPath>,
) {
    let target = term.as_assignment().and_then(|(_, target, _)| array_of(target));
    if target.is_some_and(is_own) {
        found.push(path.clone());
    }
    for (position, child) in term.children().iter().enumerate() {
        path.push(position);
        find(child, is_own, path, found);
        path.pop();
    }
}

/// The array of an element, also of one whose subscripts depend on data.
fn array_of(term: &Term) -> Option<ArrayId> {
    match (term.kind(), term.children().first()) {
        (TermKind::Parenthesized | TermKind::Subscript, Some(inner)) => array_of(inner),
        _ => Some(term.as_element()?.array),
    }
}
