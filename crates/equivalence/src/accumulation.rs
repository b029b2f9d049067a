//! Definitions that combine what an element holds with another value, by an operator whose operands may be
//! grouped and ordered in any way.
//!
//! Between two accesses of another kind to an element, such definitions may come in any order: what the
//! element holds behind all of them is the same (Kelly and Pugh's reductions; Iooss, Rajopadhye and Alias,
//! "On program equivalence with reductions", SAS 2014, on the same question).
use crate::laws::Laws;
use crate::program::Program;
use crate::value::{Definition, Function, NodeId, NodeKind, Operator, ReadId};
use crate::wrapping::undo_wrapping;
use loopwright_presburger::{Budget, Result};
use loopwright_scop::{ArithmeticOperator, ArrayId, ScalarType, Scop, StatementId};

/// What a definition `x = x op a op b` adds to what the element holds.
#[derive(Clone, Debug)]
pub(crate) struct Accumulation {
    pub(crate) operator: Operator,
    /// The read of the element itself.
    pub(crate) held: ReadId,
    /// The other operands.
    pub(crate) added: Vec<NodeId>,
}

/// The accumulations among the definitions of a program, by their positions.
///
/// # Errors
/// The budget is used up.
pub(crate) fn accumulations(
    program: &Program,
    laws: &Laws,
    budget: &Budget,
) -> Result<Vec<Option<Accumulation>>> {
    if laws.are_none() {
        return Ok(Vec::new());
    }
    program.definitions.iter().map(|own| accumulation(program, own, laws, budget)).collect()
}

/// Whether statements do nothing with a variable but combine it with something by an operator that a law
/// holds for.
pub fn only_combines(
    scop: &Scop,
    statements: &[StatementId],
    (name, law): (&str, &Laws),
    budget: &Budget,
) -> bool {
    let space = scop.context.space().clone();
    let Ok(mut program) = Program::new(scop, &[], &space) else { return false };
    undo_wrapping(&mut program);
    if program.find_accumulations(law, budget).is_err() {
        return false;
    }
    let is_inside = |at: usize| statements.iter().any(|own| own.0 as usize == at);
    let is_it = |array: ArrayId| *program.arrays[array.0 as usize].name == *name;
    let mut held = Vec::new();
    for (at, own) in program.definitions.iter().enumerate() {
        if is_inside(own.statement) && is_it(own.array) {
            let Some(accumulation) = program.accumulation(at) else { return false };
            held.push(accumulation.held);
        }
    }
    program.reads.iter().enumerate().all(|(at, own)| {
        let is_read = is_inside(own.statement) && is_it(own.array);
        !is_read || held.contains(&ReadId(at)) || own.relation.plain_is_empty()
    })
}

fn accumulation(
    program: &Program,
    own: &Definition,
    laws: &Laws,
    budget: &Budget,
) -> Result<Option<Accumulation>> {
    let NodeKind::Operation(operator, _) = program.kind(own.value) else { return Ok(None) };
    // What else a statement writes could be made of what the element held.
    let of_statement = program.definitions.iter().filter(|other| other.statement == own.statement);
    if !laws.hold_for(operator) || of_statement.count() != 1 {
        return Ok(None);
    }
    let operands = flat_operands(program, operator, own.value);
    let domain = &program.statements[own.statement].domain;
    let written = own.relation.intersect_domain_within(domain, budget)?;
    for (at, operand) in operands.iter().enumerate() {
        let NodeKind::Read(held) = *program.kind(*operand) else { continue };
        let read = &program.reads[held.0];
        if read.array != own.array {
            continue;
        }
        let read = read.relation.intersect_domain_within(domain, budget)?;
        if !read.is_equal(&written, budget)? {
            continue;
        }
        let mut added = operands.clone();
        added.remove(at);
        let is_seen_elsewhere = added.iter().any(|other| has_read(program, *other, held));
        let operator = operator.clone();
        return Ok((!is_seen_elsewhere).then_some(Accumulation { operator, held, added }));
    }
    Ok(None)
}

/// The operands of an operation and of those of the same operator inside of it.
pub(crate) fn flat_operands(program: &Program, operator: &Operator, node: NodeId) -> Vec<NodeId> {
    match program.kind(node) {
        NodeKind::Operation(own, operands) if own == operator => {
            operands.iter().flat_map(|own| flat_operands(program, operator, *own)).collect()
        }
        _ => vec![node],
    }
}

/// Whether combining a value with others by an operator changes nothing: the number for which that holds, in
/// the operator's own type.
///
/// That zeros have signs counts as little as the order in which numbers are rounded.
pub(crate) fn is_neutral(program: &Program, operator: &Operator, node: NodeId) -> bool {
    let Some(neutral) = neutral(operator) else { return false };
    let is_it = |node: NodeId| match program.kind(node) {
        NodeKind::Integer(own) => {
            let value = own.as_aff().and_then(|own| own.constant_value()?.to_int());
            value.and_then(|value| value.to_i64()) == Some(neutral)
        }
        _ => false,
    };
    match (program.kind(node), operator.value_type) {
        (NodeKind::Operation(Operator { function: Function::Convert, value_type }, inner), own) => {
            *value_type == own && matches!(inner[..], [inner] if is_it(inner))
        }
        (NodeKind::Integer(_), Some(ScalarType::Integer { .. })) => is_it(node),
        _ => false,
    }
}

/// The integer whose combination with a value is that value; none if an operator has none, or its type is not
/// known.
pub(crate) fn neutral(operator: &Operator) -> Option<i64> {
    let Function::Arithmetic(own) = &operator.function else { return None };
    let is_integer = matches!(operator.value_type?, ScalarType::Integer { .. });
    match own {
        ArithmeticOperator::Add => Some(0),
        ArithmeticOperator::Multiply => Some(1),
        ArithmeticOperator::Or | ArithmeticOperator::ExclusiveOr if is_integer => Some(0),
        _ => None,
    }
}

/// Whether a value is made of what a read finds.
fn has_read(program: &Program, node: NodeId, read: ReadId) -> bool {
    match program.kind(node) {
        NodeKind::Read(own) => *own == read,
        NodeKind::Integer(_) => false,
        NodeKind::Operation(_, operands) => {
            operands.iter().any(|own| has_read(program, *own, read))
        }
        NodeKind::Choice { then, otherwise, .. } => {
            has_read(program, *then, read) || has_read(program, *otherwise, read)
        }
    }
}
