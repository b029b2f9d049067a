//! Nests at a diagonal, whose rows have different columns, as blocks of results in registers.
//!
//! ```text
//! if (ALL ROWS ARE THERE AND HAVE COLUMNS) {
//!   {
//!     long c7 = FIRST;                                  // the columns of the widest row
//!     for (; c7 + 7 < END; c7 += 8) {
//!       double A_part[8][8] __attribute__((aligned(64))) = {{0}};
//!       for (long c6 = c4; c6 < c4 + 8; c6++) {
//!         for (long c7_part = c7; c7_part < c7 + 8 && c7_part < c6; c7_part++) {
//!           A_part[c6 - c4][c7_part - c7] = A[c6][c7_part];
//!         }
//!       }
//!       BLOCK                                           // its results are in A_part
//!       ...                                             // the copies back
//!     }
//!   }
//! } else {
//!   LOOPS
//! }
//! ```
//!
//! # What is checked
//! Vectors cover the columns of one row, which are those of all others and more; all rows are there and each
//! has a column, so what operands read, which move with the row or with the column and not with both, is read
//! by the program as well; copies have the results of the tree's rows and columns in the vector and no
//! others; the sum runs.
use crate::printed::kept::with_value;
use crate::printed::outcome::{Stop, Walked};
use crate::printed::register_block::in_front_of;
use crate::printed::register_nest::{Nest, end, plus};
use crate::printed::text_walk::TextWalk;
use crate::printed::tokens::tokens;
use crate::printed::values::Around;
use loopwright_astgen::{AstExpr, ForLoop};
use loopwright_scop::{Element, FloatingType};

impl<'a> TextWalk<'_, 'a> {
    /// A nest whose columns move with its rows.
    pub(super) fn diagonal(&mut self, nest: &Nest<'a>, row: &'a ForLoop) -> Walked<()> {
        self.operands_move_one_way(nest)?;
        let is_conditional = self.cursor.take_if("if");
        let outside = self.around.depth();
        if is_conditional {
            self.cursor.expect("(")?;
            let condition = self.cursor.expression(&self.names)?;
            self.cursor.expect(")")?;
            self.around.enter(Around::Holds(condition));
        }
        self.cursor.expect("{")?;
        self.all_rows_have_columns(nest, row)?;
        let (first, end) = self.widest(nest, row)?;
        self.vectors_between(nest, (&first, &end), &mut |walk| {
            walk.staged(nest, row, (&first, &end))
        })?;
        self.around.leave_to(outside);
        self.cursor.expect("}")?;
        if is_conditional {
            self.cursor.expect("else")?;
            self.cursor.expect("{")?;
            self.as_loop(nest.sum, None)?;
            self.cursor.expect("}")?;
        }
        Ok(())
    }

    /// No operand but the result depends on the row and on the column.
    fn operands_move_one_way(&self, nest: &Nest<'a>) -> Walked<()> {
        let result = self.subscripts_at(nest, &nest.result.subscripts)?;
        let elements = nest.call.statement.body.elements();
        for (element, operand) in elements.into_iter().zip(&nest.operands) {
            let is_result = element.array == nest.result.array
                && element.base == nest.result.base
                && self.subscripts_at(nest, &element.subscripts)? == result;
            if !is_result && operand.moves_with_rows && operand.moves_with_columns() {
                return Err(Stop::Unread("register tiles with other operands".to_string()));
            }
        }
        Ok(())
    }

    /// Every row of the tree has a column, and the sum runs.
    fn all_rows_have_columns(&mut self, nest: &Nest<'a>, row: &'a ForLoop) -> Walked<()> {
        let line = self.cursor.line();
        let about = || format!("line {line} of the printed text: a row without columns is read");
        let column = nest.column;
        self.around.enter(Around::Loop(row));
        let has_one = with_value(&column.condition, &column.iterator, &column.init);
        self.around.always(&has_one, &about)?;
        self.around.leave();
        let runs = with_value(&nest.sum.condition, &nest.sum.iterator, &nest.sum.init);
        let about = || format!("line {line} of the printed text: the tile is used at other times");
        self.around.always(&runs, &about)
    }

    /// The first column and the end of the row that has the columns of all others: the first one or the last
    /// one.
    fn widest(&mut self, nest: &Nest<'a>, row: &'a ForLoop) -> Walked<(AstExpr, AstExpr)> {
        let column = nest.column;
        let ends = end(column).zip(end(row));
        let (own_end, row_end) = ends.ok_or_else(|| self.cursor.wrong("loops that count"))?;
        let last = plus(&row_end, -1);
        let line = self.cursor.line();
        let about = || format!("line {line} of the printed text: no row has all columns");
        let widest = [&row.init, &last].map(|at| {
            let first = with_value(&column.init, &row.iterator, at);
            let end = with_value(&own_end, &row.iterator, at);
            let begins = AstExpr::Ge(Box::new(column.init.clone()), Box::new(first.clone()));
            let ends = AstExpr::Le(Box::new(own_end.clone()), Box::new(end.clone()));
            (AstExpr::And(vec![begins, ends]), (first, end))
        });
        self.around.enter(Around::Loop(row));
        let plainly = widest.iter().find(|(covers, _)| self.around.plainly_always(covers));
        let found = plainly.map(|(_, widest)| widest.clone());
        self.around.leave();
        if let Some(found) = found {
            return Ok(found);
        }
        for (covers, widest) in widest {
            self.around.enter(Around::Loop(row));
            let covers = self.around.always(&covers, &about);
            self.around.leave();
            match covers {
                Ok(()) => return Ok(widest),
                Err(Stop::Wrong(_)) => {}
                Err(other) => return Err(other),
            }
        }
        Err(Stop::Unread("register tiles without a widest row".to_string()))
    }

    /// The results of one vector's columns in a local array; the number of lanes.
    fn staged(
        &mut self,
        nest: &Nest<'a>,
        row: &'a ForLoop,
        (first, end): (&AstExpr, &AstExpr),
    ) -> Walked<i64> {
        let element_type = self.scop.array(nest.result.array).floating_type();
        self.cursor.expect(element_type.map_or("", FloatingType::keyword))?;
        let array = self.cursor.word()?;
        self.new_name(array)?;
        let [n_rows, lanes] = [self.extent()?, self.extent()?];
        self.cursor.expect_all(&tokens("__attribute__((aligned(64))) = {{0}};"))?;
        let column = AstExpr::Id(nest.column.iterator.clone());
        let outside = self.around.depth();
        self.around.enter(Around::Holds(AstExpr::And(vec![
            AstExpr::Ge(Box::new(column), Box::new(first.clone())),
            in_front_of(nest, lanes, end),
        ])));
        self.copies(nest, row, (array, n_rows, lanes), true)?;
        let found = self.staged_block(nest, array, n_rows)?;
        self.copies(nest, row, (array, n_rows, lanes), false)?;
        self.around.leave_to(outside);
        match found == lanes {
            true => Ok(lanes),
            false => Err(self.cursor.wrong("vectors as long as rows of the local array")),
        }
    }

    /// `[NUMBER]`.
    fn extent(&mut self) -> Walked<i64> {
        self.cursor.expect("[")?;
        let found: Option<i64> = self.cursor.peek().and_then(|token| token.text.parse().ok());
        let extent = found.filter(|extent| *extent > 0);
        let extent = extent.ok_or_else(|| self.cursor.wrong("an extent"))?;
        self.cursor.at += 1;
        self.cursor.expect("]")?;
        Ok(extent)
    }

    /// The copies of the results to the local array, or back.
    fn copies(
        &mut self,
        nest: &Nest<'a>,
        row: &'a ForLoop,
        (array, n_rows, lanes): (&str, i64, i64),
        to_array: bool,
    ) -> Walked<()> {
        let outer = self.names.values.len();
        self.copied_rows(row, n_rows)?;
        self.around.enter(Around::Loop(row));
        let own = AstExpr::Id(format!("({})", nest.column.iterator).as_str().into());
        self.copied_columns(nest, &own, lanes)?;
        let one_before = |walk: &mut Self, part: bool| match part {
            true => walk.part_element(nest, row, (array, &own)),
            false => walk.copied_element(nest, &own),
        };
        one_before(self, to_array)?;
        self.cursor.expect("=")?;
        one_before(self, !to_array)?;
        self.cursor.expect(";")?;
        self.cursor.expect("}")?;
        self.cursor.expect("}")?;
        self.around.leave();
        self.names.values.truncate(outer);
        Ok(())
    }

    /// `for (long ROW = FIRST; ROW < FIRST + COUNT; ROW++) {`: all rows of the tree.
    fn copied_rows(&mut self, row: &'a ForLoop, n_rows: i64) -> Walked<()> {
        let line = self.cursor.line();
        let about = || format!("line {line} of the printed text: other rows are copied");
        let name = self.loop_variable()?;
        let first = self.cursor.expression(&self.names)?;
        self.around.same_value(&first, &row.init, &about)?;
        self.names.values.push((name, AstExpr::Id(row.iterator.clone())));
        self.cursor.expect(";")?;
        let condition = self.cursor.expression(&self.names)?;
        let here = AstExpr::Id(row.iterator.clone());
        let meant = AstExpr::Lt(Box::new(here), Box::new(plus(&row.init, n_rows)));
        self.around.same_condition_on(&row.iterator, (&condition, &meant), &about)?;
        self.cursor.expect_all(&tokens(&format!("; {name}++) {{")))
    }

    /// `for (long OWN = FIRST; OWN < COLUMN + LANES && ...; OWN++) {`: the columns of the vector that the row
    /// has.
    fn copied_columns(&mut self, nest: &Nest<'a>, own: &AstExpr, lanes: i64) -> Walked<()> {
        let line = self.cursor.line();
        let about = || format!("line {line} of the printed text: other columns are copied");
        let column = nest.column;
        let vector = AstExpr::Id(column.iterator.clone());
        let name = self.loop_variable()?;
        let first = self.cursor.expression(&self.names)?;
        let meant = AstExpr::Max(vec![vector.clone(), column.init.clone()]);
        self.around.same_value(&first, &meant, &about)?;
        self.names.values.push((name, own.clone()));
        self.cursor.expect(";")?;
        let condition = self.cursor.expression(&self.names)?;
        let AstExpr::Id(own_name) = own else { return Err(self.cursor.wrong("an iterator")) };
        let meant = AstExpr::And(vec![
            AstExpr::Lt(Box::new(own.clone()), Box::new(plus(&vector, lanes))),
            column.condition.with_left_side(own),
        ]);
        self.around.same_condition_on(own_name, (&condition, &meant), &about)?;
        self.cursor.expect_all(&tokens(&format!("; {name}++) {{")))
    }

    /// `ARRAY[ROW - FIRST][OWN - COLUMN]`.
    fn part_element(
        &mut self,
        nest: &Nest<'a>,
        row: &ForLoop,
        (array, own): (&str, &AstExpr),
    ) -> Walked<()> {
        let line = self.cursor.line();
        let about = || format!("line {line} of the printed text copies another element");
        let minus =
            |a: &AstExpr, b: &AstExpr| AstExpr::Sub(Box::new(a.clone()), Box::new(b.clone()));
        self.cursor.expect(array)?;
        let place = AstExpr::Id(nest.column.iterator.clone());
        let here = AstExpr::Id(row.iterator.clone());
        for meant in [minus(&here, &row.init), minus(own, &place)] {
            self.cursor.expect("[")?;
            let printed = self.cursor.expression(&self.names)?;
            self.around.same_value(&printed, &meant, &about)?;
            self.cursor.expect("]")?;
        }
        Ok(())
    }

    /// The result of a row and a column.
    fn copied_element(&mut self, nest: &Nest<'a>, own: &AstExpr) -> Walked<()> {
        let line = self.cursor.line();
        let about = || format!("line {line} of the printed text copies another element");
        let Element { base, array, subscripts } = &nest.result;
        let printed = self.element(base, subscripts.len())?;
        self.check_known(*array)?;
        let column = &nest.column.iterator;
        let arguments = nest.call.arguments.iter().map(|a| with_value(a, column, own));
        let arguments: Vec<AstExpr> = arguments.collect();
        for (printed, meant) in printed.iter().zip(subscripts) {
            let instance = (nest.call.tuple, &arguments[..]);
            self.around.same_at_instance(printed, meant, instance, &about)?;
        }
        Ok(())
    }
}
