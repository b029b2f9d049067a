//! Instances of statements, their operations, and what they touch.
use crate::quantity::Quantity;
use crate::sizes::Sizes;
use crate::touched::{ArrayAmounts, Reference, arrays};
use loopwright_presburger::Set;
use loopwright_scop::{OperationKind, Operations, Scop, Statement};

/// How often a statement runs, and what an instance of it computes.
#[derive(Clone, Debug)]
pub struct StatementAmounts {
    /// Its name in the model.
    pub name: String,
    /// Its line in the file.
    pub line: u32,
    /// How often it runs.
    pub instances: Quantity,
    /// The operations of an instance.
    pub operations: Operations,
    /// The arrays that its instances touch.
    pub arrays: Vec<ArrayAmounts>,
}

/// How many operations of a kind are executed.
#[derive(Clone, Debug)]
pub struct OperationAmount {
    /// The kind.
    pub kind: OperationKind,
    /// At least.
    pub least: Quantity,
    /// At most; none if there are parts of which nothing is known.
    pub most: Option<Quantity>,
    /// Whether both are the same.
    pub is_exact: bool,
}

impl StatementAmounts {
    pub(crate) fn of(
        statement: &Statement,
        scop: &Scop,
        line_bytes: u64,
        sizes: &Sizes,
    ) -> StatementAmounts {
        let references = Reference::of_statement(statement);
        StatementAmounts {
            name: statement.name.to_string(),
            line: statement.location.line,
            instances: Quantity::of_set(&statement.domain, &scop.context, sizes),
            operations: statement.body.operations(scop),
            arrays: arrays(scop, &references, line_bytes, sizes),
        }
    }
}

/// The operations of an instance of any kind, the most that are known.
pub(crate) fn operations_of_an_instance(amounts: &StatementAmounts) -> u64 {
    let of = |kind: &OperationKind| {
        amounts.operations.at_most(*kind).unwrap_or(amounts.operations.at_least(*kind))
    };
    OperationKind::ALL.iter().map(of).sum()
}

/// The operations of all statements together, by kinds that some of them have.
pub(crate) fn of_all(statements: &[StatementAmounts], context: &Set) -> Vec<OperationAmount> {
    OperationKind::ALL.iter().filter_map(|kind| of_kind(*kind, statements, context)).collect()
}

fn of_kind(
    kind: OperationKind,
    statements: &[StatementAmounts],
    context: &Set,
) -> Option<OperationAmount> {
    let has_some = |of: &&StatementAmounts| of.operations.at_most(kind) != Some(0);
    let having: Vec<&StatementAmounts> = statements.iter().filter(has_some).collect();
    if having.is_empty() {
        return None;
    }
    let zero = || Quantity::zero(context);
    let least = having.iter().filter(|of| of.operations.at_least(kind) > 0);
    let least =
        least.fold(zero(), |sum, of| sum.plus(&of.instances.times(of.operations.at_least(kind))));
    let most = having.iter().try_fold(zero(), |sum, of| {
        Some(sum.plus(&of.instances.times(of.operations.at_most(kind)?)))
    });
    let is_exact =
        having.iter().all(|of| of.operations.at_most(kind) == Some(of.operations.at_least(kind)));
    Some(OperationAmount { kind, least, most, is_exact })
}
