//! Updates by associative and commutative operators that may run in any order.
//!
//! # Method
//! An update `X op= value` reads and writes its element. Taken as a write that hides nothing, it lets
//! the value of whatever initialises the element flow to *every* update and on to every reader, and
//! the value of every update to every later update and reader, up to the next write that does hide
//! what is before. The dependences under this reading are complete whatever the order of the
//! updates is. Of the flow, what leads from one update to another by the same operator is then set
//! apart, and these pairs of instances are taken out of the other dependences too.
//!
//! Two orders that respect what is left differ by exchanges of neighbours that either do not touch
//! a common element or combine it by one operator.
use crate::reductions::update::updating;
use crate::{Dependence, Dependences, Reduction, ReductionOperator, Reference, reductions};
use loopwright_presburger::{Budget, Error, Result};
use loopwright_scop::{
    AccessKind, Array, ArrayId, ElementKind, Literal, ReferenceId, Scop, Statement, StatementId,
    Term, TermKind,
};
use std::sync::Arc;

/// What is set apart when updates may run in any order.
#[derive(Clone, Debug)]
pub struct Reassociation {
    /// From each update to the later updates of the element by the same operator, with no other
    /// sure write between: no order of these pairs is wrong, but they may not run at one time.
    pub pairs: Vec<Dependence>,
    /// The flow dependences of the program as it is: for locality.
    pub nearest_flow: Vec<Dependence>,
}

/// The dependences of a scop whose reductions may be reassociated, from its dependences in the order
/// of the program; none if there is nothing to be gained, or if a limit made them inexact.
///
/// *Which updates.* Those of [`reductions`]; of integers only if everything that is combined is an
/// integer, because the conversion of a fraction at each step depends on the order; minima and
/// maxima of integers only if everything has the same type. Minima and maxima of fractions depend
/// on the order where something is not a number (NaN), and in the sign of a zero.
/// *Cost.* That of [`Dependences::of_scop`], with more pairs of each update.
///
/// ```
/// use loopwright_dataflow::{Dependences, reassociated};
/// use loopwright_presburger::Budget;
/// use loopwright_scop::Scop;
/// // for (int i = 0; i < 9; i++) s += A[0];
/// let text = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/sum.scop"));
/// let scop = Scop::parse(text)?;
/// let budget = Budget::steps(100_000);
/// let in_order = Dependences::of_scop(&scop, &budget)?;
/// assert!(!in_order.is_empty());
/// let relaxed = reassociated(&scop, &in_order, &budget)?.expect("there is a sum");
/// assert!(relaxed.is_empty());
/// assert_eq!(relaxed.reassociated().len(), 1);
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
///
/// # Errors
/// If the budget runs out.
pub fn reassociated(
    scop: &Scop,
    in_order: &Dependences,
    budget: &Budget,
) -> Result<Option<Dependences>> {
    let mut updates = reductions(scop, budget)?;
    updates.retain(|update| is_reassociable(scop, update));
    Ok(without_order_of(scop, in_order, &updates, budget)?.map(with_pairs_apart))
}

/// The same for the totals of integers: scalars that are set before all loops of the region and read behind
/// them, and updated in the loops, which with arithmetic that wraps around are the same bit for bit in every
/// order; and for the updates of variables, by name, in statements that the program allows in any order.
///
/// *Cost.* That of [`Dependences::of_scop`] where there are such totals.
///
/// # Errors
/// If the budget runs out.
pub fn reassociated_totals(
    scop: &Scop,
    in_order: &Dependences,
    allowed: &[(StatementId, String)],
    budget: &Budget,
) -> Result<Option<Dependences>> {
    let is_allowed = |update: &Reduction| {
        let name = &*scop.array(update.array).name;
        allowed.iter().any(|(id, variable)| *id == update.statement && variable == name)
    };
    let found = reductions(scop, budget)?;
    let is_total = |update: &Reduction| {
        let array = scop.array(update.array);
        array.element_kind != ElementKind::Floating
            && array.extents.is_empty()
            && scop.statements.iter().all(|statement| {
                let is_update =
                    |u: &Reduction| u.statement == statement.id && u.array == update.array;
                statement.domain.n_dims() == 0
                    || found.iter().any(is_update)
                    || statement.accesses.iter().all(|access| access.array != update.array)
            })
    };
    let totals = found
        .iter()
        .filter(|update| (is_total(update) || is_allowed(update)) && is_reassociable(scop, update));
    let totals: Vec<Reduction> = totals.cloned().collect();
    Ok(without_order_of(scop, in_order, &totals, budget)?.map(with_pairs_apart))
}

/// The dependences of a program whose updates may run in any order, but not at one time.
pub(super) fn with_pairs_apart(
    WithoutOrder { dependences, pairs, nearest_flow }: WithoutOrder,
) -> Dependences {
    Dependences { reassociation: Some(Reassociation { pairs, nearest_flow }), ..dependences }
}

/// Dependences without the order of some updates.
pub(super) struct WithoutOrder {
    /// All others.
    pub(super) dependences: Dependences,
    /// From each of these updates to the later ones of the element by the same operator.
    pub(super) pairs: Vec<Dependence>,
    /// The flow dependences in the order of the program.
    pub(super) nearest_flow: Vec<Dependence>,
}

/// The dependences of a scop without the order of some updates; none if there is nothing to be gained, or if
/// a limit made them inexact.
pub(super) fn without_order_of(
    scop: &Scop,
    in_order: &Dependences,
    updates: &[Reduction],
    budget: &Budget,
) -> Result<Option<WithoutOrder>> {
    if updates.is_empty() || !in_order.is_exact {
        return Ok(None);
    }
    let mut references = Reference::all(scop);
    for reference in &mut references {
        if updates.iter().any(|u| (u.statement, u.write) == reference.key()) {
            reference.kind = AccessKind::MayWrite;
        }
    }
    let arrays: Vec<ArrayId> = updates.iter().map(|update| update.array).collect();
    let possible = in_order.possible.as_ref();
    let possible = possible.map(|possible| Arc::new(possible.without_arrays(&arrays, scop)));
    let known = &in_order.known;
    let complete = Dependences::of_references(scop, &references, known, possible, false, budget)?;
    if !complete.is_exact {
        return Ok(None);
    }
    let joins = |d: &Dependence| joins_updates(updates, d.source, d.sink);
    let (pairs, flow): (Vec<_>, Vec<_>) = complete.flow.into_iter().partition(joins);
    if pairs.is_empty() {
        return Ok(None);
    }
    let order = without_pairs(complete.order, &pairs, budget)?;
    let forced = without_pairs(complete.forced, &pairs, budget)?;
    let nearest_flow = in_order.flow.clone();
    let dependences = Dependences {
        flow,
        order,
        forced,
        false_nearest: in_order.false_nearest.clone(),
        possible: in_order.possible.clone(),
        ..complete
    };
    Ok(Some(WithoutOrder { dependences, pairs, nearest_flow }))
}

/// Whether a value flows from one update to another by the same operator.
fn joins_updates(
    updates: &[Reduction],
    source: (StatementId, ReferenceId),
    sink: (StatementId, ReferenceId),
) -> bool {
    let first = updates.iter().find(|update| (update.statement, update.write) == source);
    let reads = |update: &&Reduction| update.statement == sink.0 && update.reads.contains(&sink.1);
    let second = updates.iter().find(reads);
    matches!((first, second), (Some(a), Some(b)) if a.array == b.array && a.operator == b.operator)
}

/// The dependences without the pairs of instances in `pairs`; those for which a limit is reached
/// stay as they are.
fn without_pairs(
    dependences: Vec<Dependence>,
    pairs: &[Dependence],
    budget: &Budget,
) -> Result<Vec<Dependence>> {
    let mut left = Vec::new();
    for dependence in dependences {
        let same = |pair: &&Dependence| {
            let ends = |d: &Dependence| (d.source.0, d.sink.0, d.array);
            ends(pair) == ends(&dependence)
        };
        let mut relation = dependence.relation.clone();
        for pair in pairs.iter().filter(same) {
            match relation.subtract(&pair.relation, budget) {
                Err(Error::Exceeded { .. }) => {}
                rest => relation = rest?,
            }
        }
        if !crate::engine::order::surely_empty(&relation, budget) {
            left.push(Dependence { relation, ..dependence });
        }
    }
    Ok(left)
}

/// Whether the result does not depend on the order, given that sums and products of fractions are
/// exact and that nothing compared is not a number: integers are only combined with integers, and
/// nothing is a truth value.
pub(super) fn is_reassociable(scop: &Scop, update: &Reduction) -> bool {
    let array = scop.array(update.array);
    let is_extremum =
        matches!(update.operator, ReductionOperator::Minimum | ReductionOperator::Maximum);
    match array.element_kind {
        ElementKind::Floating => true,
        ElementKind::Signed | ElementKind::Unsigned => {
            let statement = scop.statement(update.statement);
            !is_truth_value(array)
                && has_only_integers(scop, statement)
                && (!is_extremum || has_one_type(scop, statement, array))
        }
        ElementKind::Other => false,
    }
}

pub(super) fn is_truth_value(array: &Array) -> bool {
    array.element_type.to_ascii_lowercase().contains("bool")
}

/// Whether every operand of the statement is plainly an integer.
fn has_only_integers(scop: &Scop, statement: &Statement) -> bool {
    all_operands(statement, |operand| is_integer(scop, operand))
}

/// Whether every operand of a value is plainly an integer.
pub(super) fn is_of_integers(scop: &Scop, value: &Term) -> bool {
    operands_of(value, &|operand| is_integer(scop, operand))
}

fn is_integer(scop: &Scop, operand: Operand<'_>) -> bool {
    match operand {
        Operand::Affine => true,
        Operand::Element(array) => {
            matches!(scop.array(array).element_kind, ElementKind::Signed | ElementKind::Unsigned)
        }
        Operand::Number(_) => true,
        Operand::Parameter(name) => scop.parameters.iter().any(|own| *own.name == *name),
        Operand::Type(name) => {
            let words = ["int", "long", "short", "char", "signed", "unsigned"];
            name.split_whitespace().all(|word| words.contains(&word))
        }
    }
}

/// Whether all elements, parameters and expressions of the statement have the type of the array, so
/// that comparing converts nothing.
fn has_one_type(scop: &Scop, statement: &Statement, array: &Array) -> bool {
    let is_type = |c_type: &str| c_type == array.element_type;
    all_operands(statement, |operand| match operand {
        Operand::Affine | Operand::Type(_) => is_type("int"),
        Operand::Number(text) => is_type("int") && text.parse::<i32>().is_ok(),
        Operand::Element(array) => is_type(&scop.array(array).element_type),
        Operand::Parameter(name) => {
            let parameter = scop.parameters.iter().find(|parameter| *parameter.name == *name);
            parameter.map_or(is_type("int"), |p| is_type(&p.c_type))
        }
    })
}

/// What the type of a statement's values depends on.
enum Operand<'a> {
    /// An integer expression.
    Affine,
    /// An element of an array.
    Element(ArrayId),
    /// A decimal integer, perhaps with a suffix.
    Number(&'a str),
    /// A name.
    Parameter(&'a str),
    /// The type of a cast.
    Type(&'a str),
}

/// Whether something holds for all operands of the update that a statement is, but for conditions around it,
/// which must have nothing else of a type of its own: members, other constants, and what has no structure.
fn all_operands(statement: &Statement, holds: impl Fn(Operand<'_>) -> bool) -> bool {
    let hidden = statement.body.hidden().iter();
    statement.body.root().map(updating).is_none_or(|root| operands_of(root, &holds))
        && hidden.into_iter().all(|array| holds(Operand::Element(*array)))
}

fn is_decimal(text: &str) -> bool {
    let digits = text.trim_end_matches(['u', 'U', 'l', 'L']);
    !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit())
}

/// The same for a part of a body.
fn operands_of(part: &Term, holds: &impl Fn(Operand<'_>) -> bool) -> bool {
    part.all(&|term: &Term| match term.kind() {
        TermKind::Affine(_) => holds(Operand::Affine),
        TermKind::Element(element) => holds(Operand::Element(element.array)),
        TermKind::Name => holds(Operand::Parameter(term.text())),
        TermKind::Literal(Literal::Integer) => {
            is_decimal(term.text()) && holds(Operand::Number(term.text()))
        }
        // `-1`
        TermKind::Opaque if term.children().is_empty() => {
            let digits = term.text().strip_prefix('-');
            digits.is_some_and(|digits| is_decimal(digits) && holds(Operand::Number(digits)))
        }
        TermKind::Cast(_) => term.cast_type().is_some_and(|name| holds(Operand::Type(name))),
        TermKind::Literal(_) | TermKind::Member | TermKind::Opaque => false,
        _ => true,
    })
}
