//! What statements give to functions of the program that take pointers: places in arrays that are in memory
//! of the device.
//!
//! `f(c)`, `f(c + 3 * i)`, `f(&c[3 * i])`, and `f(A[i])` for a row.
use super::language::Language;
use super::program_functions::ProgramFunctions;
use super::types::element_type;
use loopwright_scop::{
    AccessKind, ArithmeticOperator, BinaryOperator, Element, Scop, Statement, Term, TermKind,
    UnaryOperator,
};
use std::collections::BTreeSet;

/// The parts of a statement that are pointers which calls are given.
pub(super) struct GivenPointers<'a> {
    terms: Vec<&'a Term>,
}

impl<'a> GivenPointers<'a> {
    /// Those of a statement; in words why kernels cannot have one of them, or what calls use besides.
    pub(super) fn of(
        scop: &'a Scop,
        statement: &'a Statement,
        (program, language): (&ProgramFunctions, Language),
    ) -> Result<GivenPointers<'a>, String> {
        let mut calls = Vec::new();
        if let Some(root) = statement.body.root() {
            root.for_each(&mut |term| {
                if let (TermKind::Call, [callee, arguments @ ..]) = (term.kind(), term.children()) {
                    calls.push((callee.text(), arguments));
                }
            });
        }
        let (mut terms, mut arrays) = (Vec::new(), BTreeSet::new());
        for (name, arguments) in calls {
            for (position, argument) in arguments.iter().enumerate() {
                let Some(pointer) = program.pointer(name, position) else { continue };
                let no_place = || format!("`{name}` is given a pointer to no element of an array");
                let (term, element) = place(argument, scop).ok_or_else(no_place)?;
                let is_written = statement.accesses.iter().any(|access| {
                    access.array == element.array
                        && matches!(access.kind, AccessKind::MustWrite | AccessKind::MayWrite)
                });
                let array = scop.array(element.array);
                let element_type = element_type(array, language).unwrap_or_default();
                if array.is_member || !pointer.takes(element_type, is_written) {
                    return Err(format!(
                        "`{name}` takes pointers of another type than that to elements of `{}`",
                        array.name
                    ));
                }
                terms.push(term);
                arrays.insert(element.array);
            }
        }
        match statement.body.hidden().iter().all(|array| arrays.contains(array)) {
            true => Ok(GivenPointers { terms }),
            false => Err("it calls a function that uses other variables".to_string()),
        }
    }

    /// Whether a part of the statement is one of them.
    pub(super) fn contains(&self, term: &Term) -> bool {
        self.terms.iter().any(|own| std::ptr::eq(*own, term))
    }
}

/// The array, row or address of an element that an argument is, with the element.
fn place<'a>(argument: &'a Term, scop: &Scop) -> Option<(&'a Term, &'a Element)> {
    let argument = argument.without_parentheses();
    // A row of numbers, not one of rows.
    let is_array = |element: &&Element| {
        element.subscripts.len() + 1 == scop.array(element.array).extents.len()
    };
    if let Some(element) = argument.as_element().filter(is_array) {
        return Some((argument, element));
    }
    let sum = BinaryOperator::Arithmetic(ArithmeticOperator::Add);
    if let Some((_, array, _)) = argument.as_binary().filter(|(operator, ..)| *operator == sum) {
        let array = array.without_parentheses();
        return Some((array, array.as_element().filter(is_array)?));
    }
    // `&c[..]` as the front end writes places.
    let texts: Vec<&str> = argument.texts().iter().map(|text| text.trim()).collect();
    if let (TermKind::Opaque, [array, _], ["&", "[", "]"]) =
        (argument.kind(), argument.children(), &texts[..])
    {
        return Some((argument, array.as_element().filter(is_array)?));
    }
    match (argument.kind(), argument.children()) {
        (TermKind::Unary(UnaryOperator::AddressOf), [inner]) => {
            let inner = inner.without_parentheses();
            // With a subscript that is text.
            let array = match (inner.kind(), inner.children()) {
                (TermKind::Subscript, [array, _]) => array.as_element().filter(is_array),
                _ => None,
            };
            let whole = |element: &&Element| {
                let n_dims = scop.array(element.array).extents.len();
                n_dims > 0 && element.subscripts.len() == n_dims
            };
            Some((argument, array.or_else(|| inner.as_element().filter(whole))?))
        }
        _ => None,
    }
}
