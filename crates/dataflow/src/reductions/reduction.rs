//! Updates by associative and commutative operators.
use crate::reductions::operator::ReductionOperator;
use crate::reductions::update::Update;
use loopwright_presburger::{Budget, Result};
use loopwright_scop::{Access, AccessKind, ArrayId, ReferenceId, Scop, StatementId};

/// The operator by which all accesses of `array` in the given statements update it; none if there
/// are other accesses or several operators. `reductions` are those of the scop.
pub fn common_operator(
    scop: &Scop,
    array: ArrayId,
    statements: &[StatementId],
    reductions: &[Reduction],
) -> Option<ReductionOperator> {
    let accessing = statements.iter().filter(|&&id| {
        let accesses = &scop.statement(id).accesses;
        accesses.iter().any(|access| access.array == array && access.kind != AccessKind::Kill)
    });
    let operator = |id: &StatementId| {
        let own = |r: &&Reduction| r.statement == *id && r.array == array;
        reductions.iter().find(own).map(|reduction| reduction.operator)
    };
    let operators: Option<Vec<ReductionOperator>> = accessing.map(operator).collect();
    let operators = operators?;
    let first = *operators.first()?;
    operators.iter().all(|other| *other == first).then_some(first)
}

/// A statement that combines an element with a value by an associative and commutative operator
/// (over the reals, for floating point; of values that are numbers, for minima and maxima): its
/// instances on one element give the same result in every order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reduction {
    /// The statement.
    pub statement: StatementId,
    /// The array (or scalar) that is updated.
    pub array: ArrayId,
    /// The references that read the element.
    pub reads: Vec<ReferenceId>,
    /// The reference that writes it, perhaps only.
    pub write: ReferenceId,
    /// The operator.
    pub operator: ReductionOperator,
}

/// The reductions of a scop: statements of the forms
///
/// * `X op= value`, `X = X op value`, `X = value op X`;
/// * `if (value < X) X = value`, `X = value < X ? value : X`, `X = fmin(X, value)`, and with the
///   other comparisons, with the sides exchanged, and for maxima;
///
/// in which X is read and written at the same element and its array is not mentioned again. They
/// may stand under conditions that do not mention it.
///
/// ```
/// use loopwright_dataflow::{ReductionOperator, reductions};
/// use loopwright_presburger::Budget;
/// use loopwright_scop::Scop;
/// // for (int i = 0; i < 9; i++) s += A[0];
/// let text = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/sum.scop"));
/// let scop = Scop::parse(text)?;
/// let found = reductions(&scop, &Budget::steps(10_000))?;
/// assert_eq!(found[0].operator, ReductionOperator::Sum);
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
///
/// *Cost.* Linear in the text of the statements, with a test for single values per update.
///
/// # Errors
/// If the budget runs out in comparing the two accesses; those of [`Scop::check_statements`].
pub fn reductions(scop: &Scop, budget: &Budget) -> Result<Vec<Reduction>> {
    scop.check_statements()?;
    let mut found = Vec::new();
    for statement in scop.statements.iter().filter(|statement| !statement.is_kill) {
        let Some(update) = Update::of(scop, statement) else { continue };
        let of_array = statement.accesses.iter().filter(|access| access.array == update.array);
        let (reads, writes): (Vec<&Access>, Vec<&Access>) =
            of_array.partition(|access| access.kind == AccessKind::Read);
        let [write] = writes[..] else { continue };
        let mut is_update = reads.len() == update.n_reads;
        for read in &reads {
            is_update = is_update && read.relation.is_equal(&write.relation, budget)?;
        }
        if is_update {
            found.push(Reduction {
                statement: statement.id,
                array: update.array,
                reads: reads.iter().map(|read| read.reference).collect(),
                write: write.reference,
                operator: update.operator,
            });
        }
    }
    Ok(found)
}
