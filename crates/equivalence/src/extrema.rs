//! Minima and maxima as operators, where a law says so.
//!
//! `a < b ? b : a`, `if (a < b) a = b;` and `fmax(a, b)` are the same operator then, whose operands may come
//! in any order. What a comparison says of values that are no numbers, and of zeros with signs, counts as
//! little as the order in which numbers are compared.
use crate::laws::Laws;
use crate::program::Program;
use crate::value::{Extremum, Function, NodeId, NodeKind, Operator};
use loopwright_presburger::Map;
use loopwright_scop::ComparisonOperator;

/// Replaces values that are minima or maxima, of those that laws hold for.
///
/// What is not read any longer, since the operand that was written twice is one, is a read of nothing.
pub(crate) fn replace_extrema(program: &mut Program, laws: &Laws) {
    if laws.extrema.is_empty() {
        return;
    }
    for at in 0..program.nodes.len() {
        if let Some((extremum, of, operands)) = extremum(program, NodeId(at))
            && laws.extrema.contains(&extremum)
        {
            let operator = Operator::new(Function::Extremum(extremum), of);
            program.nodes[at].kind = NodeKind::Operation(operator, operands.to_vec());
        }
    }
    let mut is_read = vec![false; program.reads.len()];
    let roots = program.definitions.iter().map(|own| own.value);
    let roots: Vec<NodeId> = roots.chain(program.results.iter().map(|own| own.1)).collect();
    roots.into_iter().for_each(|root| mark(program, root, &mut is_read));
    for (read, is_read) in program.reads.iter_mut().zip(is_read) {
        if !is_read {
            read.relation = Map::empty(read.relation.space().clone());
        }
    }
}

type Found = (Extremum, Option<loopwright_scop::ScalarType>, [NodeId; 2]);

/// The minimum or maximum that a node is.
fn extremum(program: &Program, node: NodeId) -> Option<Found> {
    let NodeKind::Operation(operator, operands) = program.kind(node) else { return None };
    match (&operator.function, &operands[..]) {
        (Function::Call(name), [a, b]) => {
            let extremum = match &**name {
                "fmax" | "fmaxf" | "fmaxl" => Extremum::Maximum,
                "fmin" | "fminf" | "fminl" => Extremum::Minimum,
                _ => return None,
            };
            Some((extremum, operator.value_type, [*a, *b]))
        }
        (Function::Select, [condition, then, otherwise]) => {
            let NodeKind::Operation(compared, sides) = program.kind(*condition) else {
                return None;
            };
            use ComparisonOperator::{Less, LessOrEqual};
            let (Function::Comparison(Less | LessOrEqual), [less, greater]) =
                (&compared.function, &sides[..])
            else {
                return None;
            };
            let is = |a: NodeId, b: NodeId| is_same(program, a, b);
            let extremum = match () {
                () if is(*then, *greater) && is(*otherwise, *less) => Extremum::Maximum,
                () if is(*then, *less) && is(*otherwise, *greater) => Extremum::Minimum,
                () => return None,
            };
            Some((extremum, compared.value_type, [*less, *greater]))
        }
        _ => None,
    }
}

/// Whether two nodes of a statement plainly have the same value.
fn is_same(program: &Program, a: NodeId, b: NodeId) -> bool {
    match (program.kind(a), program.kind(b)) {
        (NodeKind::Read(a), NodeKind::Read(b)) => {
            let (a, b) = (&program.reads[a.0], &program.reads[b.0]);
            a.array == b.array && (a.relation.plain_is_equal(&b.relation))
        }
        (NodeKind::Integer(a), NodeKind::Integer(b)) => a.to_map().plain_is_equal(&b.to_map()),
        (NodeKind::Operation(f, operands), NodeKind::Operation(g, others)) => {
            let mut pairs = operands.iter().zip(others);
            f == g && operands.len() == others.len() && pairs.all(|(a, b)| is_same(program, *a, *b))
        }
        _ => a == b,
    }
}

/// Marks the reads that a value is made of.
fn mark(program: &Program, node: NodeId, is_read: &mut [bool]) {
    match program.kind(node) {
        NodeKind::Read(read) => is_read[read.0] = true,
        NodeKind::Integer(_) => {}
        NodeKind::Operation(_, operands) => {
            operands.iter().for_each(|own| mark(program, *own, is_read));
        }
        NodeKind::Choice { then, otherwise, .. } => {
            mark(program, *then, is_read);
            mark(program, *otherwise, is_read);
        }
    }
}
