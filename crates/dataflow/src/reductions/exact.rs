//! Updates whose results are the same bit for bit in every order.
//!
//! Integers of at least the size of `int` are added and multiplied modulo a power of two: whoever associates
//! them in another way has to compute without a sign, where nothing overflows. Minima and maxima of integers,
//! and what is combined bit by bit, need nothing. Of a fraction `if (value > X) X = value` keeps the greatest
//! value that is a number, and what is none if X is none before all of this: in no order is this another
//! number, but which of two zeros it is depends on the order.
use crate::reductions::reassociation::{
    WithoutOrder, is_reassociable, with_pairs_apart, without_order_of,
};
use crate::reductions::update::{Chosen, chosen_by_comparison, updating};
use crate::{Dependences, Reduction, ReductionOperator, reductions};
use loopwright_presburger::{Budget, Result};
use loopwright_scop::{
    AccessKind, Array, ArrayId, ElementKind, ScalarType, Scop, StatementId, Term,
};
use std::collections::BTreeSet;

/// The dependences of a region without the order of updates whose results do not depend on it.
#[derive(Clone, Debug)]
pub struct ExactUpdates {
    /// The dependences; the pairs that are in no order are in [`Dependences::reassociation`].
    pub dependences: Dependences,
    /// The statements that are such updates.
    pub statements: Vec<StatementId>,
    /// Scalars whose result, if it is a zero, may have another sign in another order.
    pub zeros: Vec<ArrayId>,
}

/// The dependences of a scop without the order of updates that give the same result bit for bit in every
/// order, if sums and products of signed integers are computed without a sign, and but for signs of zeros
/// that are named; none if there is nothing to be gained, or if a limit made the dependences inexact.
///
/// *Cost.* That of [`Dependences::of_scop`], with more pairs of each update.
///
/// # Errors
/// If the budget runs out.
pub fn without_order_of_exact_updates(
    scop: &Scop,
    in_order: &Dependences,
    budget: &Budget,
) -> Result<Option<ExactUpdates>> {
    let mut updates = reductions(scop, budget)?;
    updates.retain(|update| is_exact(scop, update));
    let is_fraction =
        |update: &&Reduction| scop.array(update.array).element_kind == ElementKind::Floating;
    let zeros: BTreeSet<ArrayId> =
        updates.iter().filter(is_fraction).map(|update| update.array).collect();
    let statements = updates.iter().map(|update| update.statement).collect();
    let found = without_order_of(scop, in_order, &updates, budget)?;
    Ok(found.map(|found: WithoutOrder| ExactUpdates {
        dependences: with_pairs_apart(found),
        statements,
        zeros: zeros.into_iter().collect(),
    }))
}

fn is_exact(scop: &Scop, update: &Reduction) -> bool {
    use ReductionOperator as R;
    let array = scop.array(update.array);
    let statement = scop.statement(update.statement);
    let Some(root) = statement.body.root().map(updating) else { return false };
    match (array.element_kind, update.operator) {
        (ElementKind::Floating, R::Minimum | R::Maximum) => {
            array.extents.is_empty()
                && !array.is_member
                && !array.declared_in_scop
                && statement.body.hidden().is_empty()
                && keeps_what_is_no_number(scop, array, root)
        }
        (ElementKind::Signed | ElementKind::Unsigned, R::Sum | R::Product) => {
            is_reassociable(scop, update) && wraps_around(scop, update)
        }
        (ElementKind::Signed | ElementKind::Unsigned, _) => is_reassociable(scop, update),
        _ => false,
    }
}

/// Whether an update adds or multiplies integers of which none is larger than the element, and that is not
/// smaller than `int`: computed with an element without a sign it is the same, modulo a power of two.
pub fn wraps_around(scop: &Scop, update: &Reduction) -> bool {
    let array = scop.array(update.array);
    let is_integer = matches!(array.element_kind, ElementKind::Signed | ElementKind::Unsigned);
    let is_ring = matches!(update.operator, ReductionOperator::Sum | ReductionOperator::Product);
    let own = array.element_bytes.filter(|bytes| matches!(bytes, 4 | 8) && is_integer && is_ring);
    let (Some(own), Some(root)) = (own, scop.statement(update.statement).body.root()) else {
        return false;
    };
    let Some((_, _, value)) = updating(root).as_assignment() else { return true };
    match value.value_type(scop) {
        Some(ScalarType::Integer { bytes, .. }) => bytes <= own,
        _ => false,
    }
}

/// Whether an update leaves the element as it is where one of the values compared is no number, and compares
/// values of its type.
fn keeps_what_is_no_number(scop: &Scop, array: &Array, root: &Term) -> bool {
    let Some(Chosen { value, keeps_target }) = chosen_by_comparison(root) else { return false };
    let own = array.scalar_type();
    keeps_target && own.is_some() && value.value_type(scop) == own
}

/// Whether nothing but these arrays is written by the region, so that it may run again once they have their
/// values from before.
pub fn writes_nothing_else(scop: &Scop, arrays: &[ArrayId]) -> bool {
    let executed = scop.statements.iter().filter(|statement| !statement.is_kill);
    let mut accesses = executed.flat_map(|statement| &statement.accesses);
    accesses.all(|access| {
        access.kind == AccessKind::Read
            || arrays.contains(&access.array)
            || scop.array(access.array).declared_in_scop
    })
}
