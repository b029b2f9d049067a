//! The rows and columns of nests that are printed as blocks of results in registers (`register_block.rs`).
//!
//! A nest is one block, or its rows are taken one by one where there are not all of a tile, and its columns
//! by vectors of full length, then by shorter ones:
//!
//! ```text
//! {
//!   long c7 = FIRST;
//!   for (; c7 + 7 < END; c7 += 8) {
//!     BLOCK
//!   }
//!   if (c7 + 3 < END) {
//!     BLOCK
//!     c7 += 4;
//!   }
//!   ...
//! }
//! ```
//!
//! # What is checked
//! That the rows are all of the tree's, and that the iterator over columns begins with the first one, that
//! each vector lies in front of the end, and that the last one reaches the end: so every column is in one
//! vector.
use crate::printed::outcome::{Stop, Walked};
use crate::printed::register_block::{Columns, Rows, in_front_of};
use crate::printed::register_nest::{Nest, end};
use crate::printed::text_walk::TextWalk;
use crate::printed::values::Around;
use crate::printed::walk::ITERATOR_TYPE;
use loopwright_astgen::{AstExpr, ForLoop};

/// What the text in the place of a nest is.
pub(super) enum Form {
    /// A block, with the condition that the sum runs or without.
    Block,
    /// A condition with all rows at once, and rows one by one otherwise.
    AllRowsOrEach,
    /// A loop over rows.
    EachRow,
    /// Columns by vectors.
    ByVectors,
}

/// How many columns there are in front of the first vector. No name of a program has this form.
const LEFT: &str = "(left)";

/// How many columns are left.
struct Left {
    /// Their number in front of the first vector.
    at_first: AstExpr,
    /// Their number here, over that one.
    expression: AstExpr,
}

impl<'a> TextWalk<'_, 'a> {
    /// The text in the place of a nest of which results stay in registers.
    pub(super) fn register_tile(&mut self, sum: &'a ForLoop) -> Walked<()> {
        let nest = self.nest(sum);
        let nest =
            nest.ok_or_else(|| Stop::Unread("another nest in register tiles".to_string()))?;
        self.may_be_in_blocks(&nest)?;
        if let Some(row) = nest.row.filter(|row| nest.columns_move_with(row)) {
            return self.diagonal(&nest, row);
        }
        match (self.form()?, nest.row) {
            (Form::AllRowsOrEach, Some(row)) => {
                self.cursor.expect("if")?;
                self.cursor.expect("(")?;
                let condition = self.cursor.expression(&self.names)?;
                self.cursor.expect(")")?;
                self.cursor.expect("{")?;
                self.around.enter(Around::Holds(condition));
                self.some_rows(&nest, &Rows::All)?;
                self.around.leave();
                self.cursor.expect("}")?;
                self.cursor.expect("else")?;
                self.cursor.expect("{")?;
                self.each_row(&nest, row)?;
                self.cursor.expect("}")
            }
            (Form::EachRow, Some(row)) => self.each_row(&nest, row),
            (_, Some(_)) => self.some_rows(&nest, &Rows::All),
            (_, None) => self.some_rows(&nest, &Rows::Single),
        }
    }

    /// What stands at the cursor.
    pub(super) fn form(&self) -> Walked<Form> {
        if self.cursor.is("for") {
            return Ok(Form::EachRow);
        }
        let mut ahead = self.cursor.clone();
        let is_conditional = ahead.take_if("if");
        if is_conditional {
            ahead.skip_balanced()?;
        }
        if !ahead.take_if("{") {
            return Err(self.cursor.wrong("a loop or a register tile"));
        }
        Ok(match ahead.peek().map(|token| token.text) {
            Some("typedef") => Form::Block,
            Some(ITERATOR_TYPE) if !is_conditional => Form::ByVectors,
            Some("if") if is_conditional => Form::AllRowsOrEach,
            Some("{") if is_conditional => Form::AllRowsOrEach,
            _ => return Err(Stop::Unread("register tiles of another form".to_string())),
        })
    }

    /// The rows one by one.
    fn each_row(&mut self, nest: &Nest<'a>, row: &'a ForLoop) -> Walked<()> {
        let outer = self.names.values.len();
        self.loop_head(row)?;
        self.around.enter(Around::Loop(row));
        self.some_rows(nest, &Rows::Single)?;
        self.around.leave();
        self.names.values.truncate(outer);
        self.cursor.expect("}")
    }

    /// All columns of some rows.
    fn some_rows(&mut self, nest: &Nest<'a>, rows: &Rows) -> Walked<()> {
        match self.form()? {
            Form::Block => self.block(nest, rows, &Columns::All).map(|_| ()),
            Form::ByVectors => self.by_vectors(nest, rows),
            _ => Err(Stop::Unread("register tiles of another form".to_string())),
        }
    }

    /// Vectors from the first column to the last one.
    fn by_vectors(&mut self, nest: &Nest<'a>, rows: &Rows) -> Walked<()> {
        let column = nest.column;
        let end = end(column).ok_or_else(|| self.cursor.wrong("a loop over columns"))?;
        self.vectors_between(nest, (&column.init, &end), &mut |walk| {
            walk.around.enter(Around::Loop(column));
            let lanes = walk.block(nest, rows, &Columns::Vector)?;
            walk.around.leave();
            Ok(lanes)
        })
    }

    /// Vectors from a first column to an end; each is read by `body`, which returns its length.
    pub(super) fn vectors_between(
        &mut self,
        nest: &Nest<'a>,
        (first, end): (&AstExpr, &AstExpr),
        body: &mut dyn FnMut(&mut Self) -> Walked<i64>,
    ) -> Walked<()> {
        self.cursor.expect("{")?;
        let name = self.new_variable(ITERATOR_TYPE)?;
        let line = self.cursor.line();
        let about = || format!("line {line} of the printed text: the columns begin elsewhere");
        let printed = self.cursor.expression(&self.names)?;
        self.around.same_value(&printed, first, &about)?;
        self.cursor.expect(";")?;
        let outer = self.names.values.len();
        self.names.values.push((name, AstExpr::Id(nest.column.iterator.clone())));
        // The columns that are left, as an expression over their number at first: bounds come in once, where
        // they are asked for.
        let number = AstExpr::Sub(Box::new(end.clone()), Box::new(first.clone()));
        let number = AstExpr::Max(vec![number, AstExpr::int(0)]);
        let mut left = Left { at_first: number, expression: AstExpr::Id(LEFT.into()) };
        while !self.cursor.is("}") {
            left = self.vectors(nest, name, (left, end), body)?;
        }
        let line = self.cursor.line();
        let about = || format!("line {line} of the printed text: columns are left over");
        self.about_left(&left, |left| AstExpr::Le(left, Box::new(AstExpr::int(0))), &about)?;
        self.names.values.truncate(outer);
        self.cursor.expect("}")
    }

    /// Vectors of one length, none, one, or as many as there are; the column that comes next.
    fn vectors(
        &mut self,
        nest: &Nest<'a>,
        name: &str,
        (left, end): (Left, &AstExpr),
        body: &mut dyn FnMut(&mut Self) -> Walked<i64>,
    ) -> Walked<Left> {
        let line = self.cursor.line();
        let about = || format!("line {line} of the printed text: vectors end elsewhere");
        let is_loop = self.cursor.take_if("for");
        let is_conditional = !is_loop && self.cursor.take_if("if");
        let mut condition = None;
        if is_loop || is_conditional {
            self.cursor.expect("(")?;
            if is_loop {
                self.cursor.expect(";")?;
            }
            condition = Some(self.cursor.expression(&self.names)?);
        }
        let mut step = None;
        if is_loop {
            self.cursor.expect(";")?;
            step = Some(self.advance(name)?);
        }
        if condition.is_some() {
            self.cursor.expect(")")?;
        }
        self.cursor.expect("{")?;
        let lanes = body(self)?;
        let has_step = !is_loop && self.cursor.is(name);
        if has_step {
            step = Some(self.advance(name)?);
            self.cursor.expect(";")?;
        }
        self.cursor.expect("}")?;
        // What comes behind the last vectors has no need of the iterator.
        let is_last = self.cursor.is("}");
        if step != Some(lanes) && !(step.is_none() && is_last) {
            return Err(self.cursor.wrong(&format!("a step of {lanes}")));
        }
        let iterator = &nest.column.iterator;
        let lanes_here = || Box::new(AstExpr::int(lanes));
        let all = |left| AstExpr::Ge(left, lanes_here());
        match &condition {
            Some(printed) => {
                let meant = in_front_of(nest, lanes, end);
                self.around.same_condition_on(iterator, (printed, &meant), &about)?;
            }
            None => self.about_left(&left, all, &about)?,
        }
        let Left { at_first, expression } = left;
        let before = || Box::new(expression.clone());
        let less = AstExpr::Sub(before(), lanes_here());
        let expression = match (is_loop, is_conditional) {
            (true, _) => {
                let number = Box::new(AstExpr::DivFloor(before(), lanes_here()));
                AstExpr::Sub(before(), Box::new(AstExpr::Mul(lanes_here(), number)))
            }
            (_, true) => AstExpr::Select(Box::new(all(before())), Box::new(less), before()),
            _ => less,
        };
        Ok(Left { at_first, expression })
    }

    /// Checks something about the number of columns that are left.
    fn about_left(
        &mut self,
        left: &Left,
        claim: impl FnOnce(Box<AstExpr>) -> AstExpr,
        what: &dyn Fn() -> String,
    ) -> Walked<()> {
        let at_first = AstExpr::Id(LEFT.into());
        let known = AstExpr::Eq(Box::new(at_first), Box::new(left.at_first.clone()));
        let outside = self.around.depth();
        self.around.enter(Around::Holds(known));
        let result = self.around.always(&claim(Box::new(left.expression.clone())), what);
        self.around.leave_to(outside);
        result
    }

    /// `NAME += NUMBER`, or `NAME++`.
    fn advance(&mut self, name: &str) -> Walked<i64> {
        self.cursor.expect(name)?;
        if self.cursor.take_if("++") {
            return Ok(1);
        }
        self.cursor.expect("+=")?;
        let step = self.cursor.peek().and_then(|token| token.text.parse().ok());
        let step = step.filter(|step| *step > 0);
        let step = step.ok_or_else(|| self.cursor.wrong("the length of a vector"))?;
        self.cursor.at += 1;
        Ok(step)
    }
}
