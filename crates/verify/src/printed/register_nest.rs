//! Nests of which results may stay in registers (`register_block.rs`): a loop along which they accumulate,
//! one over rows, one over columns, and a statement.
//!
//! # What is checked
//! The bounds of rows and columns do not move along the outer loop; the statement is an assignment of sums
//! and products, which vectors compute as their elements do; results do not move along the outer loop, and
//! each row and column has its own; no other element that the nest reads is one of them.
use crate::printed::body::Call;
use crate::printed::form::Form;
use crate::printed::kept::with_value;
use crate::printed::outcome::{Stop, Walked};
use crate::printed::text_walk::TextWalk;
use crate::printed::tokens::{Token, tokens};
use crate::printed::values::Around;
use loopwright_astgen::{AstExpr, AstNode, ForLoop};
use loopwright_presburger::{Int, Name, PwAff};
use loopwright_schedule::{LoopKind, LoopMark};
use loopwright_scop::{AccessKind, BodyPiece, Element, FloatingType};

/// The loops and the statement of a nest that may be printed as blocks.
pub(super) struct Nest<'a> {
    /// The loop along which results accumulate.
    pub(super) sum: &'a ForLoop,
    /// The loop over rows; none if there is one row.
    pub(super) row: Option<&'a ForLoop>,
    /// The loop over columns.
    pub(super) column: &'a ForLoop,
    /// The statement.
    pub(super) call: Call<'a>,
    /// The element that the statement writes.
    pub(super) result: Element,
    /// The elements of the statement's text, from left to right.
    pub(super) operands: Vec<Operand>,
}

/// An element of a statement's text, and how it moves in the nest.
pub(super) struct Operand {
    /// The position of the first element that is the same.
    pub(super) first: usize,
    /// Whether it may be another one in other rows.
    pub(super) moves_with_rows: bool,
    /// By how much each subscript moves with the columns, where that is known.
    pub(super) by_column: Vec<Option<Int>>,
}

impl Operand {
    /// Whether it may be another one in other columns.
    pub(super) fn moves_with_columns(&self) -> bool {
        self.by_column.iter().any(|by| by.as_ref().is_none_or(|by| !by.is_zero()))
    }
}

/// One past the last value of a loop that counts up to a bound; none for other loops.
pub(super) fn end(each: &ForLoop) -> Option<AstExpr> {
    let (left, end) = match &each.condition {
        AstExpr::Lt(left, bound) => (left, (**bound).clone()),
        AstExpr::Le(left, bound) => (left, plus(bound, 1)),
        _ => return None,
    };
    let is_plain = **left == AstExpr::Id(each.iterator.clone())
        && each.increment.is_one()
        && each.multiples_of.is_none()
        && !each.degenerate
        && !end.mentions(&each.iterator);
    is_plain.then_some(end)
}

/// A sum with a number.
pub(super) fn plus(expression: &AstExpr, number: i64) -> AstExpr {
    match number {
        0 => expression.clone(),
        _ => AstExpr::Add(Box::new(expression.clone()), Box::new(AstExpr::int(number))),
    }
}

impl Nest<'_> {
    /// Whether the columns are others in other rows.
    pub(super) fn columns_move_with(&self, row: &ForLoop) -> bool {
        let Nest { column, .. } = self;
        column.init.mentions(&row.iterator) || column.condition.mentions(&row.iterator)
    }
}

impl<'a> TextWalk<'_, 'a> {
    /// The nest below a loop, if blocks may stand in its place.
    pub(super) fn nest(&self, sum: &'a ForLoop) -> Option<Nest<'a>> {
        let (row, marked) = match sum.body.single() {
            AstNode::For(row) => (Some(row), row.body.single()),
            marked => (None, marked),
        };
        let AstNode::Mark { name, dimension, child } = marked else { return None };
        let mark = LoopMark::parse(name)?;
        let AstNode::For(column) = child.single() else { return None };
        let call = self.call(column.body.single()).ok()?;
        let is_vector = mark.kind == LoopKind::Vector
            && mark.private.is_empty()
            && mark.reductions.is_empty()
            && *dimension == column.dimension;
        let ends = [row.map_or(Some(AstExpr::int(0)), end), end(column)];
        let moves = |each: &ForLoop| {
            each.init.mentions(&sum.iterator) || each.condition.mentions(&sum.iterator)
        };
        if !is_vector || ends.contains(&None) || row.is_some_and(moves) || moves(column) {
            return None;
        }
        let elements = call.statement.body.elements();
        let result = elements.first().map(|&element| element.clone())?;
        let operand = |(position, element): (usize, &&Element)| Operand {
            first: elements.iter().position(|other| other == element).unwrap_or(position),
            moves_with_rows: row.is_some_and(|row| {
                let by = |subscript| moves_by(call, subscript, &row.iterator);
                element.subscripts.iter().any(|s| by(s).is_none_or(|by| !by.is_zero()))
            }),
            by_column: {
                let by = |subscript| moves_by(call, subscript, &column.iterator);
                element.subscripts.iter().map(by).collect()
            },
        };
        let operands = elements.iter().enumerate().map(operand).collect();
        Some(Nest { sum, row, column, call, result, operands })
    }

    /// What the statement has to be for any block.
    pub(super) fn may_be_in_blocks(&mut self, nest: &Nest<'a>) -> Walked<()> {
        self.is_plain_assignment(nest)?;
        let unread = |why: &str| Stop::Unread(format!("register tiles with {why}"));
        let statement = nest.call.statement;
        let mut written = statement.accesses.iter().filter(|a| a.kind != AccessKind::Read);
        let (Some(write), None) = (written.next(), written.next()) else {
            return Err(unread("several writes"));
        };
        let Element { base, array, .. } = &nest.result;
        if write.kind != AccessKind::MustWrite || write.array != *array || !base.is_contiguous() {
            return Err(unread("another result"));
        }
        // All that the text accesses are its elements: it has neither calls nor pointers.
        if !Self::is_plainly_apart(nest) && !self.is_apart(nest)? {
            return Err(self.cursor.wrong("loops, since rows and columns share results"));
        }
        self.results_are_separate(nest)
    }

    /// Whether the subscripts show that results do not move along the sum, and that each row and column has
    /// its own.
    fn is_plainly_apart(nest: &Nest<'a>) -> bool {
        let Some((last, outer)) = nest.result.subscripts.split_last() else { return false };
        let by = |subscript, along: &Name| moves_by(nest.call, subscript, along);
        let still = |subscript, along| by(subscript, along).is_some_and(|by| by.is_zero());
        let stays = nest.result.subscripts.iter().all(|s| still(s, &nest.sum.iterator));
        let in_rows = outer.iter().all(|s| still(s, &nest.column.iterator))
            && by(last, &nest.column.iterator).is_some_and(|by| by.is_one());
        let moves = |row: &ForLoop| {
            outer.iter().any(|s| by(s, &row.iterator).is_some_and(|by| !by.is_zero()))
        };
        stays && in_rows && nest.row.is_none_or(moves)
    }

    /// The same by sets.
    fn is_apart(&mut self, nest: &Nest<'a>) -> Walked<bool> {
        let outside = self.enter_nest(nest);
        let instance = (nest.call.tuple, nest.call.arguments);
        let found = self.around.is_apart(instance, &nest.result.subscripts, outside);
        self.around.leave_to(outside);
        found
    }

    /// Enters all loops of the nest; how many were around before.
    fn enter_nest(&mut self, nest: &Nest<'a>) -> usize {
        let outside = self.around.depth();
        self.around.enter(Around::Loop(nest.sum));
        nest.row.into_iter().for_each(|row| self.around.enter(Around::Loop(row)));
        self.around.enter(Around::Loop(nest.column));
        outside
    }

    /// The text of the statement assigns sums and products to its first element: vectors compute that as
    /// their elements do.
    fn is_plain_assignment(&self, nest: &Nest<'a>) -> Walked<()> {
        let unread = || Err(Stop::Unread("register tiles of another statement".to_string()));
        let own_type = self.scop.array(nest.result.array).floating_type();
        let is_float = own_type == Some(FloatingType::Float);
        let (mut n_elements, mut is_assigned) = (0, false);
        for piece in nest.call.statement.body.pieces() {
            match piece {
                BodyPiece::Element(element) => {
                    n_elements += 1;
                    let same_type = self.scop.array(element.array).floating_type() == own_type;
                    if !same_type || n_elements > 1 && !is_assigned {
                        return unread();
                    }
                }
                BodyPiece::Text(text) => {
                    for token in tokens(&text) {
                        let is_assignment = matches!(token.text, "=" | "+=" | "-=" | "*=" | "/=");
                        let is_operation = matches!(token.text, "+" | "-" | "*" | "/" | "(" | ")");
                        if is_assignment && n_elements == 1 && !is_assigned {
                            is_assigned = true;
                        } else if n_elements == 0 || !is_operation && !is_number(&token, is_float) {
                            return unread();
                        }
                    }
                }
                BodyPiece::Affine(_) | BodyPiece::Hidden(_) => return unread(),
            }
        }
        if is_assigned { Ok(()) } else { unread() }
    }

    /// No other element that the nest reads is one of its results, in any row, column and iteration.
    fn results_are_separate(&mut self, nest: &Nest<'a>) -> Walked<()> {
        let results = self.subscripts_at(nest, &nest.result.subscripts)?;
        let mut others = Vec::new();
        for element in nest.call.statement.body.elements() {
            if element.array == nest.result.array {
                let subscripts = self.subscripts_at(nest, &element.subscripts)?;
                if subscripts != results || element.base != nest.result.base {
                    others.push(&element.subscripts);
                }
            }
        }
        if others.is_empty() {
            return Ok(());
        }
        let outside = self.enter_nest(nest);
        let inner = self.around.depth() - outside;
        let mut separate = Ok(true);
        for other in others {
            if matches!(separate, Ok(true)) {
                let instance = (nest.call.tuple, nest.call.arguments);
                separate =
                    self.around.never_meet(instance, (&nest.result.subscripts, other), inner);
            }
        }
        self.around.leave_to(outside);
        match separate? {
            true => Ok(()),
            false => {
                let name = &self.scop.array(nest.result.array).name;
                Err(self.cursor.wrong(&format!(
                    "loops, since other elements of `{name}` may be results of the tile"
                )))
            }
        }
    }

    /// Subscripts of the statement as sums over the iterators; none with other forms.
    pub(super) fn subscripts_at(&self, nest: &Nest<'a>, subscripts: &[PwAff]) -> Walked<Vec<Form>> {
        let coordinates: Option<Vec<Form>> = nest.call.arguments.iter().map(Form::of).collect();
        let found = coordinates.and_then(|coordinates| {
            subscripts.iter().map(|subscript| Form::at(subscript, &coordinates)).collect()
        });
        found.ok_or_else(|| Stop::Unread("register tiles with other subscripts".to_string()))
    }
}

/// By how much a subscript moves when an iterator increases by one, wherever that is.
fn moves_by(call: Call<'_>, subscript: &PwAff, along: &Name) -> Option<Int> {
    let at = |value: AstExpr| {
        let arguments = call.arguments.iter().map(|a| with_value(a, along, &value));
        let coordinates: Option<Vec<Form>> = arguments.map(|a| Form::of(&a)).collect();
        Form::at(subscript, &coordinates?)
    };
    let here = AstExpr::Id(along.clone());
    at(plus(&here, 1))?.constant_difference(&at(here)?)
}

/// A number that a vector's elements can be combined with as they are.
fn is_number(token: &Token<'_>, is_float: bool) -> bool {
    let is_number = token.text.starts_with(|c: char| c.is_ascii_digit() || c == '.');
    let is_hexadecimal = token.text.starts_with("0x") || token.text.starts_with("0X");
    let has_fraction = token.text.contains(['.', 'e', 'E']);
    let is_own = match is_float {
        true => !has_fraction || token.text.ends_with(['f', 'F']),
        false => !token.text.ends_with(['f', 'F', 'l', 'L']),
    };
    is_number && !is_hexadecimal && is_own
}
