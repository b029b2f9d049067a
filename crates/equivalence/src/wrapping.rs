//! Signed arithmetic that the second program does in unsigned types, so that it does not overflow:
//! `s = (int) ((unsigned) s + (unsigned) x)`.
//!
//! Where the first program adds, subtracts or multiplies the same signed values without overflow, as C
//! demands of it, the unsigned result is the same number. The other way around it is not: a second program
//! that overflows says nothing.
use crate::program::Program;
use crate::value::{Function, Node, NodeId, NodeKind, Operator};
use loopwright_scop::{ArithmeticOperator, ScalarType};

/// So deep in operands unsigned arithmetic is looked for.
const DEPTH: usize = 64;

/// Replaces unsigned arithmetic whose operands and results are signed by signed one. (The program must be the
/// second.)
pub(crate) fn undo_wrapping(program: &mut Program) {
    for at in 0..program.nodes.len() {
        let NodeKind::Operation(outer, operands) = program.kind(NodeId(at)).clone() else {
            continue;
        };
        let (Some(of), [inner]) = (converted_type(&outer), &operands[..]) else { continue };
        let ScalarType::Integer { is_signed: true, bytes } = of else { continue };
        let Some((unsigned, _)) = wrapping(program, *inner).filter(|own| own.0 >= bytes) else {
            continue;
        };
        if let Some(signed) = as_signed(program, *inner, unsigned, DEPTH) {
            program.nodes[at].kind = match unsigned == bytes {
                true => program.kind(signed).clone(),
                false => NodeKind::Operation(outer, vec![signed]),
            };
        }
    }
}

/// The type to which an operator converts.
fn converted_type(operator: &Operator) -> Option<ScalarType> {
    operator.value_type.filter(|_| operator.function == Function::Convert)
}

/// The bytes and the operands of unsigned arithmetic that wraps around.
fn wrapping(program: &Program, node: NodeId) -> Option<(u64, (ArithmeticOperator, Vec<NodeId>))> {
    use ArithmeticOperator::{Add, Multiply, Subtract};
    let NodeKind::Operation(operator, operands) = program.kind(node) else { return None };
    match (&operator.function, operator.value_type?) {
        (
            Function::Arithmetic(own @ (Add | Multiply | Subtract)),
            ScalarType::Integer { is_signed: false, bytes },
        ) => Some((bytes, (*own, operands.clone()))),
        _ => None,
    }
}

/// A value of an unsigned type as the signed one that it is made of.
fn as_signed(program: &mut Program, node: NodeId, bytes: u64, depth: usize) -> Option<NodeId> {
    let depth = depth.checked_sub(1)?;
    let signed = ScalarType::Integer { is_signed: true, bytes };
    if let Some((own, (arithmetic, operands))) = wrapping(program, node) {
        let operands = operands.into_iter().filter(|_| own == bytes);
        let operands: Option<Vec<NodeId>> =
            operands.map(|operand| as_signed(program, operand, bytes, depth)).collect();
        let operands = operands.filter(|own| !own.is_empty())?;
        let operator = Operator::new(Function::Arithmetic(arithmetic), Some(signed));
        return Some(added(program, node, NodeKind::Operation(operator, operands)));
    }
    match program.kind(node) {
        NodeKind::Integer(_) => Some(node),
        NodeKind::Operation(operator, operands) => {
            let of = converted_type(operator)?;
            let inner = *operands.first()?;
            if of != (ScalarType::Integer { is_signed: false, bytes }) {
                return None;
            }
            match (program.kind(inner), type_of(program, inner)) {
                (NodeKind::Integer(_), _) => Some(inner),
                (_, Some(own)) if own == signed => Some(inner),
                (_, Some(ScalarType::Integer { bytes: own, .. })) if own < bytes => {
                    let convert = Operator::new(Function::Convert, Some(signed));
                    Some(added(program, node, NodeKind::Operation(convert, vec![inner])))
                }
                _ => None,
            }
        }
        _ => None,
    }
}

/// A new node of the statement of another one.
fn added(program: &mut Program, beside: NodeId, kind: NodeKind) -> NodeId {
    let statement = program.nodes[beside.0].statement;
    program.nodes.push(Node { statement, kind });
    NodeId(program.nodes.len() - 1)
}

/// The type of a value, where the node says it.
fn type_of(program: &Program, node: NodeId) -> Option<ScalarType> {
    match program.kind(node) {
        NodeKind::Read(read) => {
            program.arrays[program.reads[read.0].array.0 as usize].scalar_type()
        }
        NodeKind::Operation(operator, _) => operator.value_type,
        NodeKind::Integer(_) | NodeKind::Choice { .. } => None,
    }
}
