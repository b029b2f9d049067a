//! Blocks of results in registers: nests that can be written with all results in vector variables.
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
//! # Parts of tiles
//! Where a tile is cut, the numbers of rows or columns are not constant. Such nests are written as several
//! blocks: rows one by one, or all of them if their number turns out to be that of a full tile; columns by
//! vectors of full length, then of half of it and so on. This changes the order of what is independent: the
//! results are different elements, and nothing else in the block reads them. Where a bound of the columns
//! moves with the rows (at a diagonal), all rows get the columns of the widest one, with results in a local
//! array of which only those that there are come from memory and go there. Every row and every column of it
//! is that of an instance, and no operand depends on both, so all operands exist.
//!
//! Like kept elements of innermost loops this relies on the front end's finding that arrays do
//! not overlap. A nest that fails a condition is printed as loops.
use crate::element_alias::{are_disjoint, has_at_most};
use crate::linear::Linear;
use crate::vector_expression;
use loopwright_astgen::{AstExpr, AstNode, Entry, ForLoop, Place};
use loopwright_presburger::{Int, Name, Result};
use loopwright_schedule::{LoopKind, LoopMark};
use loopwright_scop::{
    AccessKind, ArrayId, BodyPiece, Element, ElementText, FloatingType, Scop, Statement,
    StatementId,
};

/// More vectors than this in a block are not written out.
const MOST_VECTORS: i64 = 64;

/// Columns of a part of a tile fit so many vectors.
const MOST_PARTIAL_VECTORS: i64 = 4;

/// How a nest can be written.
pub(crate) enum Recognised<'a> {
    /// As one block.
    Whole(RegisterBlock<'a>),
    /// As several ones.
    Parts(PartialBlock<'a>),
}

/// A nest of which the rows or the columns are not a constant number.
pub(crate) struct PartialBlock<'a> {
    /// A block of one row and one vector, to be made larger by [`RegisterBlock::with_shape`].
    pub(crate) block: RegisterBlock<'a>,
    /// The loop over rows.
    pub(crate) row: &'a ForLoop,
    /// What is known about the number of rows.
    pub(crate) rows: Rows,
    /// The loop over columns.
    pub(crate) column: &'a ForLoop,
    /// The columns, if their number is a constant.
    pub(crate) columns: Option<Unrolled>,
    /// Where there are most columns, if their number moves with the rows; it is least at the other end.
    pub(crate) widest: Option<End>,
}

/// An end of the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    First,
    Last,
}

/// The rows of a part of a tile.
pub(crate) enum Rows {
    /// A constant number.
    All(Unrolled),
    /// As many at most: [`PartialBlock::has_all`].
    AtMost(Unrolled),
    /// Any number.
    Any,
}

impl PartialBlock<'_> {
    /// The conditions under which all of `rows` are there, of which there are at most as many.
    pub(crate) fn has_all(&self, rows: &Unrolled) -> Vec<AstExpr> {
        let first = rows.first.to_expression();
        let last = rows.first.plus(&Linear::from_int(Int::from(rows.count - 1))).to_expression();
        let mut conditions = vec![self.row.condition.with_left_side(&last)];
        if let AstExpr::Max(starts) = &self.row.init {
            let others =
                starts.iter().filter(|start| Linear::of(start).as_ref() != Some(&rows.first));
            let begins_there =
                |start: &AstExpr| AstExpr::Le(Box::new(start.clone()), Box::new(first.clone()));
            conditions.extend(others.map(begins_there));
        }
        conditions
    }
}

/// A block.
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
    /// The statement.
    pub(crate) statement: StatementId,
}

impl RegisterBlock<'_> {
    /// The array of the results: that of what is written.
    pub(crate) fn result(&self) -> ArrayId {
        let result = self.operands.iter().find(|operand| operand.role == Role::Result);
        result.map_or(ArrayId(0), |operand| operand.array)
    }

    /// The same block with other rows, columns and vectors.
    pub(crate) fn with_shape(&self, row: Unrolled, column: Unrolled, lanes: i64) -> Self {
        let (operands, pieces) = (self.operands.clone(), self.pieces.clone());
        RegisterBlock { row, column, lanes, operands, pieces, ..*self }
    }
}

/// A loop with a constant trip count.
#[derive(Clone, Debug)]
pub(crate) struct Unrolled {
    pub(crate) iterator: Name,
    pub(crate) first: Linear,
    pub(crate) count: i64,
}

impl Unrolled {
    /// `count` values from the one that the iterator has.
    pub(crate) fn from_iterator(iterator: &Name, count: i64) -> Unrolled {
        let first = Linear::from_name(iterator);
        Unrolled { iterator: iterator.clone(), first, count }
    }
}

/// A piece of the statement.
#[derive(Clone, Debug)]
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
    pub(crate) base: ElementText,
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

/// The block, or its parts, that the nest below `sum` is, for vectors of `vector_bytes`; none if it is not
/// one.
///
/// # Errors
/// Those of the operations on sets.
pub(crate) fn recognise<'a>(
    scop: &'a Scop,
    sum: &'a ForLoop,
    vector_bytes: u64,
) -> Result<Option<Recognised<'a>>> {
    let Some(nest) = nest(scop, sum) else { return Ok(None) };
    let Some((operands, pieces)) = body(&nest)? else { return Ok(None) };
    let result = operands.iter().find(|operand| operand.role == Role::Result);
    let Some(result) = result else { return Ok(None) };
    let array = scop.array(result.array);
    let Some(floating) = array.floating_type() else { return Ok(None) };
    let element_type = floating.keyword();
    let Some(lanes) = lanes(floating, vector_bytes) else { return Ok(None) };
    let same_type = |o: &Operand| scop.array(o.array).floating_type() == Some(floating);
    if !operands.iter().all(same_type) || !is_separate(&nest, result, &operands)? {
        return Ok(None);
    }
    let is_vector = |element: &Element| {
        let own = nest.statement.body.elements().iter().position(|one| std::ptr::eq(*one, element));
        let mut all = pieces.iter().filter_map(|piece| match piece {
            Piece::Operand(operand) => Some(&operands[*operand]),
            Piece::Text(_) => None,
        });
        let operand = own.and_then(|position| all.nth(position));
        operand.is_some_and(|operand| operand.role != Role::Scalar)
    };
    let body = &nest.statement.body;
    if !vector_expression::is_same_with_vectors(body, floating, is_vector) {
        return Ok(None);
    }
    let (row, column) = (nest.row, nest.column);
    let row_here = Unrolled::from_iterator(&row.iterator, 1);
    let column_here = Unrolled::from_iterator(&column.iterator, lanes);
    let block = RegisterBlock {
        sum,
        row: row_here,
        column: column_here,
        lanes,
        element_type,
        operands,
        pieces,
        statement: nest.statement.id,
    };
    match shaped(block, &nest) {
        Some(Recognised::Parts(parts)) if parts.columns.is_none() => {
            Ok(has_at_most(nest.place, &nest.column.iterator, lanes * MOST_PARTIAL_VECTORS)?
                .then_some(Recognised::Parts(parts)))
        }
        other => Ok(other),
    }
}

/// The block with the rows and columns of the nest, or what is known about them.
fn shaped<'a>(block: RegisterBlock<'a>, nest: &Nest<'a>) -> Option<Recognised<'a>> {
    let Nest { row, column, .. } = *nest;
    let lanes = block.lanes;
    let inside = [nest.sum, &row.iterator];
    let fits = |rows: i64, columns: i64| {
        columns % lanes == 0 && (1..=MOST_VECTORS).contains(&(rows * (columns / lanes)))
    };
    let rows = unrolled(row, &inside);
    let columns = unrolled(column, &inside).filter(|columns| fits(1, columns.count));
    if let (Some(rows), Some(columns)) = (&rows, &columns)
        && fits(rows.count, columns.count)
    {
        return Some(Recognised::Whole(block.with_shape(rows.clone(), columns.clone(), lanes)));
    }
    let widest = widest_row(column, &row.iterator);
    let fixed = &inside[..if widest.is_some() { 1 } else { 2 }];
    if !is_counted(row, &inside) || !is_counted(column, fixed) {
        return None;
    }
    let is_of_both = |o: &Operand| {
        o.role != Role::Result && o.moves_with(&row.iterator) && o.moves_with(&column.iterator)
    };
    if widest.is_some() && block.operands.iter().any(is_of_both) {
        return None;
    }
    let row_columns = columns.as_ref().map_or(lanes, |columns| columns.count);
    let is_small = |rows: &Unrolled| fits(rows.count, row_columns);
    let rows = match rows.filter(is_small) {
        Some(rows) => Rows::All(rows),
        None => at_most(row).filter(is_small).map_or(Rows::Any, Rows::AtMost),
    };
    if columns.is_none() && matches!(rows, Rows::Any) {
        return None;
    }
    Some(Recognised::Parts(PartialBlock { block, row, rows, column, columns, widest }))
}

/// The row with the columns of all others, if one bound of the columns moves with the rows in one direction,
/// and the other one does not.
fn widest_row(column: &ForLoop, row: &Name) -> Option<End> {
    use loopwright_astgen::AstExpr::{Le, Lt};
    let (Lt(_, bound) | Le(_, bound)) = &column.condition else { return None };
    match (column.init.mentions(row), bound.mentions(row)) {
        (true, false) => Some(match rises(&column.init, row)? {
            true => End::First,
            false => End::Last,
        }),
        (false, true) => Some(match rises(bound, row)? {
            true => End::Last,
            false => End::First,
        }),
        _ => None,
    }
}

/// Whether a least or greatest value of sums, at least one of which has the name, never falls (true) or never
/// rises (false) with it; none if neither is plain.
fn rises(bound: &AstExpr, name: &Name) -> Option<bool> {
    let parts = match bound {
        AstExpr::Min(parts) | AstExpr::Max(parts) => &parts[..],
        single => std::slice::from_ref(single),
    };
    let mut directions = Vec::new();
    for part in parts.iter().filter(|part| part.mentions(name)) {
        directions.push(match part {
            AstExpr::Min(_) | AstExpr::Max(_) => rises(part, name)?,
            sum => !Linear::of(sum)?.coefficient(name).is_negative(),
        });
    }
    let first = *directions.first()?;
    directions.iter().all(|&direction| direction == first).then_some(first)
}

/// Whether a loop runs over consecutive values from one that, like the last one, does not depend on loops
/// `inside` of which it is.
fn is_counted(each: &ForLoop, inside: &[&Name]) -> bool {
    use loopwright_astgen::AstExpr::{Id, Le, Lt};
    let (Lt(left, bound) | Le(left, bound)) = &each.condition else { return false };
    let is_fixed = |name: &&Name| !each.init.mentions(name) && !bound.mentions(name);
    matches!(&**left, Id(name) if *name == each.iterator)
        && each.increment.is_one()
        && each.multiples_of.is_none()
        && !each.degenerate
        && inside.iter().chain([&&each.iterator]).all(is_fixed)
}

/// The constant number of values of which a loop has at most as many, if its bounds tell: the values from one
/// of its lower bounds to one of its upper bounds.
fn at_most(each: &ForLoop) -> Option<Unrolled> {
    use loopwright_astgen::AstExpr::{Le, Lt, Max, Min};
    let (bound, more) = match &each.condition {
        Lt(_, bound) => (bound, 0),
        Le(_, bound) => (bound, 1),
        _ => return None,
    };
    let ends = if let Min(ends) = &**bound { &ends[..] } else { std::slice::from_ref(&**bound) };
    let starts =
        if let Max(starts) = &each.init { &starts[..] } else { std::slice::from_ref(&each.init) };
    let from = |first: Linear| {
        let count = |end| {
            let count = Linear::of(end)?.minus(&first).as_int()?.to_i64()?.checked_add(more)?;
            (count >= 1).then_some(count)
        };
        let count = ends.iter().filter_map(count).min()?;
        Some(Unrolled { iterator: each.iterator.clone(), first, count })
    };
    starts.iter().filter_map(Linear::of).filter_map(from).min_by_key(|rows| rows.count)
}

/// The nest with a loop of one iteration as the loop over rows, if it has none: right below `sum` a vector
/// loop is marked.
pub(crate) fn as_single_row(sum: &ForLoop) -> Option<ForLoop> {
    let AstNode::Mark { .. } = sum.body.single() else { return None };
    // No name of a program has this form, so that nothing moves with it.
    let iterator = Name::from("(row)");
    let condition = AstExpr::Lt(Box::new(AstExpr::Id(iterator.clone())), Box::new(AstExpr::int(1)));
    let row = ForLoop {
        iterator,
        init: AstExpr::int(0),
        condition,
        increment: Int::from(1),
        degenerate: false,
        entry: Entry::default(),
        body: sum.body.clone(),
        ..sum.clone()
    };
    Some(ForLoop { body: Box::new(AstNode::For(row)), ..sum.clone() })
}

/// The number of elements of a vector; none if there are no such vectors.
fn lanes(element_type: FloatingType, vector_bytes: u64) -> Option<i64> {
    let bytes = match element_type {
        FloatingType::Double => 8,
        FloatingType::Float => 4,
        FloatingType::LongDouble => return None,
    };
    let vector_bytes = i64::try_from(vector_bytes).ok()?;
    let lanes = vector_bytes / bytes;
    (lanes >= 2 && lanes & (lanes - 1) == 0 && lanes * bytes == vector_bytes).then_some(lanes)
}

/// The loops and the statement of a candidate.
struct Nest<'a> {
    sum: &'a Name,
    row: &'a ForLoop,
    column: &'a ForLoop,
    statement: &'a Statement,
    place: &'a Place,
}

fn nest<'a>(scop: &'a Scop, sum: &'a ForLoop) -> Option<Nest<'a>> {
    let AstNode::For(row) = sum.body.single() else { return None };
    let AstNode::Mark { name, dimension, child } = row.body.single() else { return None };
    let mark = LoopMark::parse(name)?;
    let AstNode::For(column) = child.single() else { return None };
    if mark.kind != LoopKind::Vector
        || !mark.private.is_empty()
        || !mark.reductions.is_empty()
        || *dimension != column.dimension
        || sum.degenerate
    {
        return None;
    }
    let AstNode::User { statement, place, .. } = column.body.single() else { return None };
    let statement = scop.statement_named(statement.output()?.name()?)?;
    Some(Nest { sum: &sum.iterator, row, column, statement, place })
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
        && each.multiples_of.is_none()
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
    for piece in nest.statement.body.pieces() {
        let element = match piece {
            BodyPiece::Text(text) => {
                pieces.push(Piece::Text(text.into_owned()));
                continue;
            }
            BodyPiece::Affine(_) | BodyPiece::Hidden(_) => return Ok(None),
            BodyPiece::Element(element) => element,
        };
        let Element { base, array, subscripts } = &*element;
        if !base.is_contiguous() {
            return Ok(None);
        }
        let mut linear = Vec::with_capacity(subscripts.len());
        for subscript in subscripts {
            let Some(form) = Linear::of(&nest.place.subscript(subscript)?) else {
                return Ok(None);
            };
            linear.push(form);
        }
        let Some(stride) = role(nest, &linear) else { return Ok(None) };
        let role = if operands.is_empty() { Role::Result } else { stride };
        let operand = Operand { array: *array, base: base.clone(), subscripts: linear, role };
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
        && (unrolled(nest.row, &[nest.sum]).is_some_and(|rows| rows.count == 1)
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
