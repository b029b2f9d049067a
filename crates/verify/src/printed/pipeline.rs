//! Pipelines: rows as iterations of an OpenMP loop that wait for each other.
//!
//! # What is checked
//! The rows are those of the tree. All rows have the same steps, whose bounds do not move with the row; a row
//! waits at each step for that step of the row before, first of all, and tells last of all that the step is
//! done. The parts of a row run at the steps that the tree's loops have, no step of a part comes before a
//! step of an earlier part, and each is inside of the common bounds.
//!
//! Rows and steps that are multiples of sizes are counted, from the number of the first multiple to that of
//! the last one; the multiples themselves are declared in front of the parts.
//!
//! In place of waits there may be diagonals with barriers, or tasks. What is proved of the tree is that no
//! dependence leads to an earlier row or an earlier step: so it leads from a diagonal to a later one or stays
//! in a tile, and from a task to one that waits for it.
use crate::printed::cursor::Cursor;
use crate::printed::outcome::{Stop, Walked};
use crate::printed::pragma::{Claimed, in_text, is_own_array};
use crate::printed::text_walk::TextWalk;
use crate::printed::tokens::{TokenKind, tokens};
use crate::printed::values::Around;
use loopwright_astgen::{AstExpr, AstNode, ForLoop};
use loopwright_presburger::{Int, Name};
use loopwright_schedule::{LoopKind, LoopMark};
use loopwright_scop::Scop;

/// The head of a loop that counts.
struct Counter<'a> {
    name: &'a str,
    first: AstExpr,
    last: AstExpr,
}

/// The loops of a tree that a text has as rows and steps.
struct Grid<'a> {
    rows: &'a ForLoop,
    /// The loops over steps.
    parts: Vec<&'a ForLoop>,
    /// What rows and steps are multiples of.
    sizes: Option<[&'a Name; 2]>,
}

impl<'a> TextWalk<'_, 'a> {
    /// Rows and steps of tiles that need those of earlier rows and steps, if the text has them on several
    /// threads as diagonals or tasks; `mark` says which variables are private.
    pub(super) fn waves_or_tasks(&mut self, rows: &'a ForLoop, mark: &LoopMark) -> Walked<bool> {
        if mark.kind != LoopKind::Pipelined {
            return Ok(false);
        }
        if self.cursor.is("{") {
            return self.tasks(rows, mark).map(|()| true);
        }
        let mut ahead = self.cursor.clone();
        let has_head = ahead.take_if("for") && ahead.skip_balanced().is_ok() && ahead.take_if("{");
        let is_directive = ahead.peek().is_some_and(|token| token.kind == TokenKind::Directive);
        if has_head && is_directive {
            return self.diagonals(rows, mark).map(|()| true);
        }
        Ok(false)
    }

    fn grid(&self, rows: &'a ForLoop) -> Walked<Grid<'a>> {
        let mut parts = Vec::new();
        let is_plain = steps_of(&rows.body, rows.dimension + 1, &mut parts).is_some();
        if !is_plain || !rows.increment.is_one() {
            return Err(self.cursor.wrong("a pipeline of loops over steps of one"));
        }
        let sizes = match (&rows.multiples_of, common_size(&parts)) {
            (None, Some(None)) => None,
            (Some(row), Some(Some(step))) => Some([row, step]),
            _ => return Err(self.cursor.wrong("rows and steps of variable sizes")),
        };
        Ok(Grid { rows, parts, sizes })
    }

    /// A loop over rows, behind its pragma.
    pub(super) fn pipeline(&mut self, rows: &'a ForLoop) -> Walked<()> {
        let grid = self.grid(rows)?;
        let outer = self.names.values.len();
        let row = match grid.sizes {
            None => {
                self.loop_head(rows)?;
                self.names.values.pop().map_or("", |(name, _)| name)
            }
            Some(_) => {
                let head = self.counter()?;
                self.same_rows(&head, &grid)?;
                head.name
            }
        };
        self.around.enter(Around::Loop(rows));
        let steps = self.counter()?;
        self.same_for_all_rows(&steps, &grid)?;
        self.directive(&format!("omp ordered depend(sink: {row} - 1, {})", steps.name))?;
        self.tile(&grid, row, &steps)?;
        self.directive("omp ordered depend(source)")?;
        self.cursor.expect("}")?;
        self.around.leave();
        self.names.values.truncate(outer);
        self.cursor.expect("}")
    }

    /// Diagonals of rows and steps: all `(r, s)` with `r + s` between the sums of the first and of the last
    /// ones.
    fn diagonals(&mut self, rows: &'a ForLoop, mark: &LoopMark) -> Walked<()> {
        let grid = self.grid(rows)?;
        let outer = self.names.values.len();
        let waves = self.counter()?;
        // No name of a tree has this form.
        let wave = AstExpr::Id("(wave)".into());
        self.names.values.push((waves.name, wave.clone()));
        let claim =
            self.claim(Some(&LoopMark { kind: LoopKind::Parallel, ..mark.clone() }), &|_| None)?;
        if claim.kind != Some(Claimed::Parallel) || claim.collapses {
            return Err(self.cursor.wrong("a pragma of a loop on threads"));
        }
        let head = self.counter()?;
        let (row, steps) = match (&head.first, &head.last) {
            (AstExpr::Max(first), AstExpr::Min(last)) => match (&first[..], &last[..]) {
                (
                    [first_row, AstExpr::Sub(one, last_step)],
                    [last_row, AstExpr::Sub(other, first_step)],
                ) if **one == wave && **other == wave => (
                    Counter { name: head.name, first: first_row.clone(), last: last_row.clone() },
                    (first_step.clone(), last_step.clone()),
                ),
                _ => return Err(self.cursor.wrong("the rows of a diagonal")),
            },
            _ => return Err(self.cursor.wrong("the rows of a diagonal")),
        };
        let (first, last) = steps;
        let sum = |row: &AstExpr, step: &AstExpr| {
            AstExpr::Add(Box::new(row.clone()), Box::new(step.clone()))
        };
        if waves.first != sum(&row.first, &first) || waves.last != sum(&row.last, &last) {
            return Err(self.cursor.wrong("all diagonals"));
        }
        self.same_rows(&row, &grid)?;
        self.around.enter(Around::Loop(rows));
        self.cursor.expect("const")?;
        self.cursor.expect("long")?;
        let step = self.cursor.word()?;
        self.new_name(step)?;
        for text in ["=", waves.name, "-", row.name, ";"] {
            self.cursor.expect(text)?;
        }
        let steps = Counter { name: step, first: *first, last: *last };
        self.same_for_all_rows(&steps, &grid)?;
        self.tile(&grid, row.name, &steps)?;
        self.around.leave();
        self.names.values.truncate(outer);
        self.cursor.expect("}")?;
        self.cursor.expect("}")
    }

    /// Tasks, created in the order of rows and steps. Each writes a place and reads those of the same step of
    /// the row before and of the step before. Places that several tasks share order these, as they are
    /// created.
    fn tasks(&mut self, rows: &'a ForLoop, mark: &LoopMark) -> Walked<()> {
        let grid = self.grid(rows)?;
        let outer = self.names.values.len();
        self.cursor.expect("{")?;
        let (first_row, row_value) = self.constant()?;
        let (first_step, step_value) = self.constant()?;
        self.names.values.push((first_step, step_value.clone()));
        let (width, width_value) = self.constant()?;
        if !is_from_one(&width_value) {
            return Err(self.cursor.wrong("a number of places of one or more"));
        }
        self.names.values.truncate(outer);
        self.cursor.expect("char")?;
        let done = self.cursor.word()?;
        self.new_name(done)?;
        for text in ["[", "16", "]", "[", width, "]", ";"] {
            self.cursor.expect(text)?;
        }
        self.threads()?;
        self.directive("omp single")?;
        let row = self.counter()?;
        self.same_rows(&row, &grid)?;
        self.around.enter(Around::Loop(rows));
        let steps = self.counter()?;
        self.same_for_all_rows(&steps, &grid)?;
        if row.first != row_value || steps.first != step_value {
            return Err(self.cursor.wrong("places that are counted from the first task"));
        }
        let place = |row_offset: &str, step_offset: &str| {
            format!(
                "{done}[({} - {first_row}{row_offset}) % 16][({} - {first_step}{step_offset}) % {width}]",
                row.name, steps.name
            )
        };
        let (above, before, own) = (place("", " + 1"), place(" + 1", ""), place(" + 1", " + 1"));
        let private = private_clause(self.scop, mark);
        self.directive(&format!(
            "omp task{private} depend(in: {above}, {before}) depend(out: {own})"
        ))?;
        self.cursor.expect("{")?;
        self.tile(&grid, row.name, &steps)?;
        self.around.leave();
        self.names.values.truncate(outer);
        (0..4).try_for_each(|_| self.cursor.expect("}"))
    }

    /// `#pragma omp parallel`, perhaps under a condition.
    fn threads(&mut self) -> Walked<()> {
        let token = self.cursor.peek().filter(|token| token.kind == TokenKind::Directive);
        let words: Vec<&str> = token
            .map(|token| {
                let line = token.text.trim_end().strip_prefix('#').unwrap_or_default();
                tokens(line).into_iter().map(|token| token.text).collect()
            })
            .unwrap_or_default();
        let is_right = match &words[..] {
            ["pragma", "omp", "parallel"] => true,
            ["pragma", "omp", "parallel", "if", rest @ ..] => {
                let inner = rest.join(" ");
                let inner = tokens(&inner);
                let mut inside = Cursor::new(&inner);
                inside.is("(") && inside.skip_balanced().is_ok() && inside.peek().is_none()
            }
            _ => false,
        };
        match is_right {
            true => {
                self.cursor.at += 1;
                Ok(())
            }
            false => Err(self.cursor.wrong("`#pragma omp parallel`")),
        }
    }

    /// A constant that the text declares, with its value.
    fn constant(&mut self) -> Walked<(&'a str, AstExpr)> {
        self.cursor.expect("const")?;
        self.cursor.expect("long")?;
        let name = self.cursor.word()?;
        self.new_name(name)?;
        self.cursor.expect("=")?;
        let value = self.cursor.expression(&self.names)?;
        self.cursor.expect(";")?;
        Ok((name, value))
    }

    /// Checks that a loop counts the rows of the tree.
    fn same_rows(&mut self, head: &Counter<'_>, grid: &Grid<'a>) -> Walked<()> {
        let rows = grid.rows;
        let line = self.cursor.line();
        let last = match grid.sizes {
            Some([size, _]) => {
                self.first_number(&head.first, rows, size)?;
                self.quotient(&head.last, size)?
            }
            None => {
                let about =
                    || format!("line {line} of the printed text: the loop begins elsewhere");
                self.around.same_value(&head.first, &rows.init, &about)?;
                head.last.clone()
            }
        };
        let end = AstExpr::Le(Box::new(AstExpr::Id(rows.iterator.clone())), Box::new(last));
        let about = || format!("line {line} of the printed text: the loop ends elsewhere");
        self.around.same_end(&end, rows, &about)
    }

    fn same_for_all_rows(&self, steps: &Counter<'_>, grid: &Grid<'a>) -> Walked<()> {
        let moves = |e: &AstExpr| e.mentions(&grid.rows.iterator);
        match moves(&steps.first) || moves(&steps.last) {
            true => Err(self.cursor.wrong("steps that are the same for all rows")),
            false => Ok(()),
        }
    }

    /// What a row does at a step: all parts, which do not overlap.
    fn tile(&mut self, grid: &Grid<'a>, row: &'a str, steps: &Counter<'a>) -> Walked<()> {
        let row_value = AstExpr::Id(grid.rows.iterator.clone());
        let (step, first, last) = match grid.sizes {
            None => {
                self.names.values.push((row, row_value));
                (steps.name, steps.first.clone(), steps.last.clone())
            }
            Some([row_size, step_size]) => {
                let at_least = self.quotient(&steps.first, step_size)?;
                let size = Box::new(AstExpr::Id(step_size.clone()));
                let rest = AstExpr::Sub(size, Box::new(AstExpr::int(1)));
                let first = AstExpr::Sub(Box::new(at_least), Box::new(rest));
                let last = self.quotient(&steps.last, step_size)?;
                let origin = self.multiple(row_size, row)?;
                self.names.values.push((origin, row_value));
                (self.multiple(step_size, steps.name)?, first, last)
            }
        };
        for (position, part) in grid.parts.iter().enumerate() {
            self.part(part, step, (&first, &last))?;
            for earlier in &grid.parts[..position] {
                if !self.around.all_before(earlier, part)? {
                    return Err(Stop::Unread("parts of a pipeline that may overlap".to_string()));
                }
            }
        }
        Ok(())
    }

    /// The head of a loop that counts: the name of its iterator, its first and its last value.
    fn counter(&mut self) -> Walked<Counter<'a>> {
        self.cursor.expect("for")?;
        self.cursor.expect("(")?;
        self.cursor.expect("long")?;
        let name = self.cursor.word()?;
        self.new_name(name)?;
        self.cursor.expect("=")?;
        let first = self.cursor.expression(&self.names)?;
        self.cursor.expect(";")?;
        self.cursor.expect(name)?;
        self.cursor.expect("<=")?;
        let last = self.cursor.expression(&self.names)?;
        self.cursor.expect(";")?;
        self.cursor.expect(name)?;
        self.cursor.expect("++")?;
        self.cursor.expect(")")?;
        self.cursor.expect("{")?;
        Ok(Counter { name, first, last })
    }

    /// The declaration of the multiple of a size with a number.
    fn multiple(&mut self, size: &Name, number: &str) -> Walked<&'a str> {
        self.cursor.expect("const")?;
        self.cursor.expect("long")?;
        let name = self.cursor.word()?;
        self.new_name(name)?;
        self.cursor.expect("=")?;
        self.cursor.expect(size)?;
        self.cursor.expect("*")?;
        self.cursor.expect(number)?;
        self.cursor.expect(";")?;
        Ok(name)
    }

    fn directive(&mut self, content: &str) -> Walked<()> {
        self.cursor.expect_line(&format!("#pragma {content}"))
    }

    /// What a row does at a step of one of its loops: under a condition, or at all steps. (The body may begin
    /// with a condition as well.)
    fn part(
        &mut self,
        part: &'a ForLoop,
        step: &'a str,
        bounds: (&AstExpr, &AstExpr),
    ) -> Walked<()> {
        let (at, depth, n_names) = (self.cursor.at, self.around.depth(), self.names.values.len());
        let n_passed = self.passed.len();
        if self.cursor.is("if") && self.part_as(part, step, bounds, true).is_ok() {
            return Ok(());
        }
        self.cursor.at = at;
        self.around.leave_to(depth);
        self.names.values.truncate(n_names);
        self.passed.truncate(n_passed);
        self.part_as(part, step, bounds, false)
    }

    fn part_as(
        &mut self,
        part: &'a ForLoop,
        step: &'a str,
        (first, last): (&AstExpr, &AstExpr),
        is_guarded: bool,
    ) -> Walked<()> {
        let here = AstExpr::Id(part.iterator.clone());
        let n_names = self.names.values.len();
        self.names.values.push((step, here.clone()));
        let line = self.cursor.line();
        let mut runs = vec![
            AstExpr::Ge(Box::new(here.clone()), Box::new(first.clone())),
            AstExpr::Le(Box::new(here), Box::new(last.clone())),
        ];
        if is_guarded {
            self.cursor.expect("if")?;
            self.cursor.expect("(")?;
            runs.push(self.cursor.expression(&self.names)?);
            self.cursor.expect(")")?;
            self.cursor.expect("{")?;
        }
        let about = || format!("line {line} of the printed text: a row has other steps");
        self.around.same_iterations(&AstExpr::And(runs), part, &about)?;
        self.around.enter(Around::Loop(part));
        self.node(&part.body, None)?;
        self.around.leave();
        self.names.values.truncate(n_names);
        match is_guarded {
            true => self.cursor.expect("}"),
            false => Ok(()),
        }
    }
}

/// Whether an expression is `n < 1 ? 1 : n > m ? m : n` for a number `m` of one or more.
fn is_from_one(expression: &AstExpr) -> bool {
    let one = AstExpr::int(1);
    let AstExpr::Select(is_less, least, rest) = expression else { return false };
    let AstExpr::Select(is_more, most, value) = &**rest else { return false };
    **is_less == AstExpr::Lt(value.clone(), Box::new(one.clone()))
        && **least == one
        && **is_more == AstExpr::Gt(value.clone(), most.clone())
        && most.as_int().is_some_and(Int::is_positive)
}

/// The clause of the variables that a mark says are private; arrays are declared.
fn private_clause(scop: &Scop, mark: &LoopMark) -> String {
    let is_array = |name: &&Name| {
        scop.arrays.iter().any(|array| array.tuple_name == **name && is_own_array(array))
    };
    let scalars = mark.private.iter().filter(|name| !is_array(name));
    let names: Vec<String> = scalars.map(|name| in_text(scop, name)).collect();
    if names.is_empty() { String::new() } else { format!(" private({})", names.join(", ")) }
}

/// What steps of all parts are multiples of: a size, or nothing; none if that differs.
fn common_size<'a>(parts: &[&'a ForLoop]) -> Option<Option<&'a Name>> {
    let first = parts.first()?.multiples_of.as_ref();
    parts.iter().all(|part| part.multiples_of.as_ref() == first).then_some(first)
}

/// The loops over steps, one after the other; none if there is something else.
fn steps_of<'a>(node: &'a AstNode, dimension: usize, parts: &mut Vec<&'a ForLoop>) -> Option<()> {
    match node {
        AstNode::For(each) if each.dimension == dimension && each.increment == Int::ONE => {
            parts.push(each);
            Some(())
        }
        AstNode::Block(children) => {
            children.iter().try_for_each(|child| steps_of(child, dimension, parts))
        }
        _ => None,
    }
}
