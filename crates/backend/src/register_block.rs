//! Blocks of accumulators: nests that can be written with all results in vector variables.
//!
//! ```text
//! for (c2 = ...) // sum                        double_x8 C_0_0 = C[c0][c1..], C_0_1 = ...;
//!   for (c3 = c0; c3 <= c0 + 3; c3++)    ⟶      for (c2 = ...) {
//!     for (c4 = c1; c4 <= c1 + 15; c4++)           double_x8 B_0 = B[c2][c1..], B_1 = ...;
//!       C[c3][c4] += A[c3][c2] * B[c2][c4];        double A_0 = A[c0][c2]; C_0_0 += A_0 * B_0; ...
//!                                              }
//!                                              C[c0][c1..] = C_0_0; ...
//! ```
//!
//! The loops over rows and columns have constant trip counts, and the one over columns is marked as
//! a vector loop, so its independence is proved; the order of everything else stays. Such nests are
//! what register tiling leaves in full tiles. It is required that
//!
//! * all elements that the statement writes and reads again are one access, the *result*, which does
//!   not move along the sum, and is a different element for each row and column;
//! * other elements of its array that the nest reads are never results of the same block: decided
//!   exactly, from what the loops around guarantee;
//! * every operand has stride zero or one along the columns, and the expression is one that GNU C's
//!   vector types have with the same meaning ([`crate::vector_expression`]).
//!
//! Like the accumulators of innermost loops this relies on the front end's finding that arrays do
//! not overlap. A nest that fails a condition is printed as loops.
use crate::disjoint::are_disjoint;
use crate::linear::Linear;
use crate::vector_expression;
use loopwright_astgen::{AstNode, ForLoop, Place};
use loopwright_presburger::{Int, Name, Result};
use loopwright_schedule::{LoopKind, LoopMark};
use loopwright_scop::{AccessKind, ArrayId, BodyPiece, Scop, Statement};

/// More vectors than this in a block are not written out.
const MOST_VECTORS: i64 = 64;

/// A nest that can be written as a block.
pub(crate) struct RegisterBlock<'a> {
    /// The loop along which results accumulate.
    pub(crate) sum: &'a ForLoop,
    /// The loop over rows.
    pub(crate) row: Unrolled,
    /// The vector loop.
    pub(crate) column: Unrolled,
    /// Elements of one vector.
    pub(crate) lanes: i64,
    /// The type of all elements.
    pub(crate) element_type: &'a str,
    /// The different operands of the statement.
    pub(crate) operands: Vec<Operand>,
    /// The text of the statement: a piece for each one of its body.
    pub(crate) pieces: Vec<Piece>,
}

/// A loop with a constant trip count.
pub(crate) struct Unrolled {
    pub(crate) iterator: Name,
    pub(crate) first: Linear,
    pub(crate) count: i64,
}

/// A piece of the statement.
pub(crate) enum Piece {
    Text(String),
    /// A position among the operands.
    Operand(usize),
}

/// How an operand moves in the block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// What is accumulated in.
    Result,
    /// Consecutive elements along the columns.
    Vector,
    /// One element for all columns.
    Scalar,
}

/// A variable of the program that the statement uses.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Operand {
    pub(crate) array: ArrayId,
    /// The text before the subscripts.
    pub(crate) base: String,
    /// Over the names of the syntax tree.
    pub(crate) subscripts: Vec<Linear>,
    pub(crate) role: Role,
}

impl Operand {
    /// Whether the operand is another one at another value of the iterator.
    pub(crate) fn moves_with(&self, iterator: &Name) -> bool {
        self.subscripts.iter().any(|subscript| subscript.terms.contains_key(iterator))
    }
}

/// The block that the nest below `sum` is, for vectors of `vector_bytes`; none if it is not one.
///
/// # Errors
/// Those of the operations on sets.
pub(crate) fn recognise<'a>(
    scop: &'a Scop,
    sum: &'a ForLoop,
    vector_bytes: u64,
) -> Result<Option<RegisterBlock<'a>>> {
    let Some(nest) = nest(scop, sum) else { return Ok(None) };
    let Some((operands, pieces)) = body(&nest)? else { return Ok(None) };
    let result = operands.iter().find(|operand| operand.role == Role::Result);
    let Some(result) = result else { return Ok(None) };
    let array = scop.array(result.array);
    let Some(lanes) = lanes(&array.element_type, vector_bytes) else { return Ok(None) };
    let (rows, columns) = (nest.row.count, nest.column.count);
    let fits = columns % lanes == 0 && (1..=MOST_VECTORS).contains(&(rows * (columns / lanes)));
    let same_type = |o: &Operand| scop.array(o.array).element_type == array.element_type;
    if !fits || !operands.iter().all(same_type) || !is_separate(&nest, result, &operands)? {
        return Ok(None);
    }
    let is_vector = |piece: usize| match pieces.get(piece) {
        Some(Piece::Operand(operand)) => operands[*operand].role != Role::Scalar,
        _ => false,
    };
    let body = &nest.statement.body;
    if !vector_expression::is_same_with_vectors(body, &array.element_type, is_vector) {
        return Ok(None);
    }
    let Nest { row, column, .. } = nest;
    let element_type = &array.element_type;
    Ok(Some(RegisterBlock { sum, row, column, lanes, element_type, operands, pieces }))
}

/// The number of elements of a vector; none if there are no such vectors.
fn lanes(element_type: &str, vector_bytes: u64) -> Option<i64> {
    let bytes = match element_type {
        "double" => 8,
        "float" => 4,
        _ => return None,
    };
    let vector_bytes = i64::try_from(vector_bytes).ok()?;
    let lanes = vector_bytes / bytes;
    (lanes >= 2 && lanes & (lanes - 1) == 0 && lanes * bytes == vector_bytes).then_some(lanes)
}

/// The loops and the statement of a candidate.
struct Nest<'a> {
    sum: &'a Name,
    row: Unrolled,
    column: Unrolled,
    statement: &'a Statement,
    place: &'a Place,
}

fn nest<'a>(scop: &'a Scop, sum: &'a ForLoop) -> Option<Nest<'a>> {
    let AstNode::For(row) = single(&sum.body) else { return None };
    let AstNode::Mark { name, dimension, child } = single(&row.body) else { return None };
    let mark = LoopMark::parse(name)?;
    let AstNode::For(column) = single(child) else { return None };
    if mark.kind != LoopKind::Vector
        || !mark.private.is_empty()
        || !mark.reductions.is_empty()
        || *dimension != column.dimension
        || sum.degenerate
    {
        return None;
    }
    let AstNode::User { statement, place, .. } = single(&column.body) else { return None };
    let statement = scop.statement_named(statement.output()?.name()?)?;
    let inside = [&sum.iterator, &row.iterator];
    let (row, column) = (unrolled(row, &inside)?, unrolled(column, &inside)?);
    Some(Nest { sum: &sum.iterator, row, column, statement, place })
}

/// The only node of a block.
fn single(node: &AstNode) -> &AstNode {
    match node {
        AstNode::Block(children) if children.len() == 1 => single(&children[0]),
        other => other,
    }
}

/// A loop over consecutive values whose number is a constant, from a value that does not depend
/// on `inside`.
fn unrolled(each: &ForLoop, inside: &[&Name]) -> Option<Unrolled> {
    use loopwright_astgen::AstExpr::{Id, Le, Lt};
    let (left, right, more) = match &each.condition {
        Lt(left, right) => (left, right, 0),
        Le(left, right) => (left, right, 1),
        _ => return None,
    };
    let (first, last) = (Linear::of(&each.init)?, Linear::of(right)?);
    let count = last.minus(&first).as_int()?.to_i64()?.checked_add(more)?;
    let is_plain = matches!(&**left, Id(name) if *name == each.iterator)
        && each.increment.is_one()
        && !each.degenerate
        && inside.iter().all(|name| first.coefficient(name).is_zero());
    (is_plain && (1..=MOST_VECTORS * 16).contains(&count)).then(|| Unrolled {
        iterator: each.iterator.clone(),
        first,
        count,
    })
}

/// The statement's operands, each once, and its text; none if one of them has no place in a block.
fn body(nest: &Nest) -> Result<Option<(Vec<Operand>, Vec<Piece>)>> {
    let mut operands: Vec<Operand> = Vec::new();
    let mut pieces = Vec::new();
    let mut written = nest.statement.accesses.iter().filter(|a| a.kind != AccessKind::Read);
    let (Some(write), None) = (written.next(), written.next()) else { return Ok(None) };
    if write.kind != AccessKind::MustWrite {
        return Ok(None);
    }
    for piece in &nest.statement.body {
        let (base, array, subscripts) = match piece {
            BodyPiece::Text(text) => {
                pieces.push(Piece::Text(text.clone()));
                continue;
            }
            BodyPiece::Expression(_) => return Ok(None),
            BodyPiece::Element { base, array, subscripts } => (base, *array, subscripts),
        };
        let mut linear = Vec::with_capacity(subscripts.len());
        for subscript in subscripts {
            let Some(form) = Linear::of(&nest.place.expression(subscript)?) else {
                return Ok(None);
            };
            linear.push(form);
        }
        let Some(stride) = role(nest, &linear) else { return Ok(None) };
        let role = if operands.is_empty() { Role::Result } else { stride };
        let operand = Operand { array, base: base.clone(), subscripts: linear, role };
        let is_same = |o: &Operand| o.base == operand.base && o.subscripts == operand.subscripts;
        let position = operands.iter().position(is_same).unwrap_or(operands.len());
        if position == operands.len() {
            operands.push(operand);
        }
        pieces.push(Piece::Operand(position));
    }
    // The first operand of an assignment is what it writes.
    let is_result = |o: &Operand| o.array == write.array && is_result(nest, o);
    Ok(operands.first().is_some_and(is_result).then_some((operands, pieces)))
}

/// How an element moves along the columns; none if neither in steps of one nor not at all.
fn role(nest: &Nest, subscripts: &[Linear]) -> Option<Role> {
    let moves: Vec<Int> = subscripts.iter().map(|s| s.coefficient(&nest.column.iterator)).collect();
    match moves.split_last() {
        None => Some(Role::Scalar),
        Some((_, outer)) if outer.iter().any(|m| !m.is_zero()) => None,
        Some((last, _)) if last.is_zero() => Some(Role::Scalar),
        Some((last, _)) => last.is_one().then_some(Role::Vector),
    }
}

/// Whether an element is the same along the sum, and another one for each row and column.
fn is_result(nest: &Nest, operand: &Operand) -> bool {
    let Some((_, outer)) = operand.subscripts.split_last() else { return false };
    role(nest, &operand.subscripts) == Some(Role::Vector)
        && !operand.moves_with(nest.sum)
        && (nest.row.count == 1
            || outer.iter().any(|s| !s.coefficient(&nest.row.iterator).is_zero()))
}

/// Whether no other operand is ever an element that is a result in the same block.
fn is_separate(nest: &Nest, result: &Operand, operands: &[Operand]) -> Result<bool> {
    for operand in operands.iter().filter(|o| o.array == result.array && o.role != Role::Result) {
        let (own, other) = ((nest.place, &*result.subscripts), (nest.place, &*operand.subscripts));
        if !are_disjoint(own, other, &[nest.sum, &nest.row.iterator, &nest.column.iterator])? {
            return Ok(false);
        }
    }
    Ok(true)
}
