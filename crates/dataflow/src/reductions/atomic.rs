//! Updates of integers, at places that data decide, that may run in any order and at one time if each of them
//! is one instruction: histograms, degrees of graphs, sets of flags.
use crate::reductions::reassociation::{
    WithoutOrder, is_of_integers, is_truth_value, without_order_of,
};
use crate::{Dependences, Reduction, ReductionOperator};
use loopwright_presburger::{Budget, Result};
use loopwright_scop::{
    Access, AccessKind, ArithmeticOperator, ElementKind, OperatorUpdate, Scop, Statement,
};

/// The bytes of integers that devices update by one instruction.
const BYTES: [u64; 2] = [4, 8];

/// The statements that combine an element of an array of integers, at a place that data decide, with an
/// integer, by addition, subtraction or bit by bit, perhaps under conditions: `h[a[i]]++`,
/// `if (c[i]) flags[a[i]] |= 1 << b[i]`. Integers wrap around, so results are the same bit for bit in every
/// order. The element is read and written once, and its array is not mentioned again.
///
/// *Cost.* Linear in the text of the statements, with a test for equal accesses per update.
///
/// # Errors
/// If the budget runs out in comparing accesses; those of [`Scop::check_statements`].
pub fn atomic_updates(scop: &Scop, budget: &Budget) -> Result<Vec<Reduction>> {
    scop.check_statements()?;
    let mut found = Vec::new();
    for statement in scop.statements.iter().filter(|statement| !statement.is_kill) {
        let Some(update) = statement.body.operator_update() else { continue };
        let Some(operator) = operator(&update) else { continue };
        if !is_atomic(scop, &update) {
            continue;
        }
        found.extend(reduction(statement, &update, operator, budget)?);
    }
    Ok(found)
}

/// The dependences of a scop with [`atomic_updates`], without the order of these; none if there are none, or
/// if a limit made the dependences inexact. What has been set apart is in [`Dependences::atomic`].
///
/// *Cost.* That of [`Dependences::of_scop`], with more pairs of each update.
///
/// ```
/// use loopwright_dataflow::{Dependences, with_atomic_updates};
/// use loopwright_presburger::Budget;
/// use loopwright_scop::Scop;
/// // for (int i = 0; i < n; i++) h[a[i]]++;
/// let text = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/histogram.scop"));
/// let scop = Scop::parse(text)?;
/// let budget = Budget::steps(100_000);
/// let in_order = Dependences::of_scop(&scop, &budget)?;
/// assert!(!in_order.is_empty());
/// let free = with_atomic_updates(&scop, &in_order, &budget)?.expect("there is an update");
/// assert!(free.is_empty());
/// assert_eq!(free.atomic.len(), 1);
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
///
/// # Errors
/// If the budget runs out; those of [`atomic_updates`].
pub fn with_atomic_updates(
    scop: &Scop,
    in_order: &Dependences,
    budget: &Budget,
) -> Result<Option<Dependences>> {
    let updates = atomic_updates(scop, budget)?;
    let found = without_order_of(scop, in_order, &updates, budget)?;
    Ok(found.map(|WithoutOrder { dependences, pairs, .. }| Dependences {
        atomic: pairs,
        ..dependences
    }))
}

/// The operator of updates whose order does not matter; none if it does, or if no device has an instruction
/// for it.
fn operator(update: &OperatorUpdate<'_>) -> Option<ReductionOperator> {
    use ArithmeticOperator as A;
    Some(match update.operator {
        A::Add | A::Subtract => ReductionOperator::Sum,
        A::And => ReductionOperator::And,
        A::Or => ReductionOperator::Or,
        A::ExclusiveOr => ReductionOperator::ExclusiveOr,
        A::Multiply | A::Divide | A::Remainder | A::ShiftLeft | A::ShiftRight => return None,
    })
}

/// Whether an update is one of an integer by an integer, at a place that data decide.
fn is_atomic(scop: &Scop, update: &OperatorUpdate<'_>) -> bool {
    let array = scop.array(update.array);
    let is_integer = matches!(array.element_kind, ElementKind::Signed | ElementKind::Unsigned);
    let has_size = array.element_bytes.is_some_and(|bytes| BYTES.contains(&bytes));
    let is_plain = !array.element_type.contains("volatile") && !is_truth_value(array);
    let value = update.value;
    let is_of_integers = value.is_none_or(|value| is_of_integers(scop, value));
    update.depends_on_data() && is_integer && has_size && is_plain && is_of_integers
}

/// The update with its accesses; none if there are others of its array.
fn reduction(
    statement: &Statement,
    update: &OperatorUpdate<'_>,
    operator: ReductionOperator,
    budget: &Budget,
) -> Result<Option<Reduction>> {
    let of_array = statement.accesses.iter().filter(|access| access.array == update.array);
    let (reads, writes): (Vec<&Access>, Vec<&Access>) =
        of_array.partition(|access| access.kind == AccessKind::Read);
    let ([read], [write]) = (&reads[..], &writes[..]) else { return Ok(None) };
    if write.kind == AccessKind::Kill || !read.relation.is_equal(&write.relation, budget)? {
        return Ok(None);
    }
    Ok(Some(Reduction {
        statement: statement.id,
        array: update.array,
        reads: vec![read.reference],
        write: write.reference,
        operator,
    }))
}
