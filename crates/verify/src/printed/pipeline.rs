//! Pipelines: rows as iterations of an OpenMP loop that wait for each other.
//!
//! # What is checked
//! The rows are those of the tree. All rows have the same steps, whose bounds do not move with the row; a row waits at each
//! step for that step of the row before, first of all, and tells last of all that the step is done. The parts
//! of a row run at the steps that the tree's loops have, no step of a part comes before a step of an earlier part, and
//! each is inside of the common bounds.
//!
//! Rows and steps that are multiples of sizes are counted, from the number of the first multiple to that of the last one; the
//! multiples themselves are declared behind the wait.
use crate::printed::outcome::{Stop, Walked};
use crate::printed::text_walk::TextWalk;
use crate::printed::values::Around;
use loopwright_astgen::{AstExpr, AstNode, ForLoop};
use loopwright_presburger::{Int, Name};

impl<'a> TextWalk<'_, 'a> {
    /// A loop over rows, behind its pragma.
    pub(super) fn pipeline(&mut self, rows: &'a ForLoop) -> Walked<()> {
        let mut parts = Vec::new();
        let is_plain = steps_of(&rows.body, rows.dimension + 1, &mut parts).is_some();
        if !is_plain || !rows.increment.is_one() {
            return Err(self.cursor.wrong("a pipeline of loops over steps of one"));
        }
        let outer = self.names.values.len();
        let (step, first, last) = match (&rows.multiples_of, common_size(&parts)) {
            (None, Some(None)) => {
                self.loop_head(rows)?;
                let row = self.names.values.last().map_or("", |(name, _)| *name);
                self.around.enter(Around::Loop(rows));
                let steps = self.steps(&rows.iterator)?;
                self.directive(&format!("omp ordered depend(sink: {row} - 1, {})", steps.0))?;
                steps
            }
            (Some(size), Some(Some(step_size))) => self.counted_steps(rows, size, step_size)?,
            _ => return Err(self.cursor.wrong("rows and steps of variable sizes")),
        };
        for (position, part) in parts.iter().enumerate() {
            self.part(part, step, (&first, &last))?;
            for earlier in &parts[..position] {
                if !self.around.all_before(earlier, part)? {
                    return Err(Stop::Unread("parts of a pipeline that may overlap".to_string()));
                }
            }
        }
        self.directive("omp ordered depend(source)")?;
        self.cursor.expect("}")?;
        self.around.leave();
        self.names.values.truncate(outer);
        self.cursor.expect("}")
    }

    /// The heads of loops over the numbers of rows and steps that are multiples of sizes, and what follows: the name of the
    /// step, its first and its last value.
    fn counted_steps(
        &mut self,
        rows: &'a ForLoop,
        row_size: &Name,
        step_size: &Name,
    ) -> Walked<(&'a str, AstExpr, AstExpr)> {
        let line = self.cursor.line();
        let (row, first, last) = self.counted()?;
        self.first_number(&first, rows, row_size)?;
        let end = AstExpr::Le(
            Box::new(AstExpr::Id(rows.iterator.clone())),
            Box::new(self.quotient(&last, row_size)?),
        );
        let about = || format!("line {line} of the printed text: the loop ends elsewhere");
        self.around.same_end(&end, rows, &about)?;
        self.around.enter(Around::Loop(rows));
        let (step, first, last) = self.counted()?;
        if first.mentions(&rows.iterator) || last.mentions(&rows.iterator) {
            return Err(self.cursor.wrong("steps that are the same for all rows"));
        }
        let at_least = self.quotient(&first, step_size)?;
        let rest =
            AstExpr::Sub(Box::new(AstExpr::Id(step_size.clone())), Box::new(AstExpr::int(1)));
        let first = AstExpr::Sub(Box::new(at_least), Box::new(rest));
        let last = self.quotient(&last, step_size)?;
        self.directive(&format!("omp ordered depend(sink: {row} - 1, {step})"))?;
        let origin = self.multiple(row_size, row)?;
        self.names.values.push((origin, AstExpr::Id(rows.iterator.clone())));
        Ok((self.multiple(step_size, step)?, first, last))
    }

    /// The head of a loop that counts: the name of its iterator, its first and its last value.
    fn counted(&mut self) -> Walked<(&'a str, AstExpr, AstExpr)> {
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
        Ok((name, first, last))
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

    /// The head of the loop over steps: the name of its iterator, its first and its last value.
    fn steps(&mut self, row: &Name) -> Walked<(&'a str, AstExpr, AstExpr)> {
        self.cursor.expect("for")?;
        self.cursor.expect("(")?;
        self.cursor.expect("long")?;
        let step = self.cursor.word()?;
        self.new_name(step)?;
        self.cursor.expect("=")?;
        let first = self.cursor.expression(&self.names)?;
        self.cursor.expect(";")?;
        self.cursor.expect(step)?;
        self.cursor.expect("<=")?;
        let last = self.cursor.expression(&self.names)?;
        if first.mentions(row) || last.mentions(row) {
            return Err(self.cursor.wrong("steps that are the same for all rows"));
        }
        self.cursor.expect(";")?;
        self.cursor.expect(step)?;
        self.cursor.expect("++")?;
        self.cursor.expect(")")?;
        self.cursor.expect("{")?;
        Ok((step, first, last))
    }

    fn directive(&mut self, content: &str) -> Walked<()> {
        self.cursor.expect_line(&format!("#pragma {content}"))
    }

    /// What a row does at a step of one of its loops: under a condition, or at all steps. (The body may begin with a
    /// condition as well.)
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
