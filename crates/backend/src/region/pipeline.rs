//! Rows of a pipeline, as [`Synchronisation`] says: an OpenMP loop whose iterations wait for each other
//! (`ordered` with `depend`), diagonals with barriers, or tasks.
//!
//! Such a loop has as many steps in each row: those of the smallest box around the steps of all rows. A row
//! passes over the steps that it does not have, but waits and tells at each, so that a wait for the
//! row before is a wait for all rows before.
//!
//! OpenMP names steps by constant distances, so where rows and steps are multiples of variables, the sizes of
//! tiles, the loops run over the numbers of these multiples.
use super::canonical::is_canonical;
use super::{ITERATOR_TYPE, Pragma, Printer, Synchronisation};
use loopwright_astgen::{AstExpr, AstNode, ForLoop, first_multiple};
use loopwright_presburger::{Int, Name, Result};

/// Rows of tasks that have places of their own: a task waits for what reads the place of the task so many
/// rows before.
const ROWS_APART: usize = 16;

/// Steps of a row that have places of their own, which are on the stack.
const MOST_STEPS: usize = 4096;

/// A loop over rows and the loop over steps right inside.
pub(super) struct Pipeline<'a> {
    rows: &'a ForLoop,
    steps: &'a Name,
    /// The sizes that rows and steps are multiples of.
    sizes: Option<[&'a Name; 2]>,
    /// The first step of any row.
    first: AstExpr,
    /// The last step of any row.
    last: AstExpr,
    parts: Vec<Part<'a>>,
}

/// Steps `first..=last` of a row.
struct Part<'a> {
    first: AstExpr,
    last: AstExpr,
    body: &'a AstNode,
}

impl<'a> Pipeline<'a> {
    /// The pipeline of the rows of a loop; none if what is inside is more than loops over steps.
    pub(super) fn of(rows: &'a ForLoop) -> Option<Pipeline<'a>> {
        let (first_row, last_row) = range(rows)?;
        let mut loops = Vec::new();
        collect(&rows.body, rows.dimension + 1, &mut loops)?;
        let steps = &loops.first()?.iterator;
        let size = &loops.first()?.multiples_of;
        if loops.iter().any(|each| each.iterator != *steps || each.multiples_of != *size) {
            return None;
        }
        let sizes = match (&rows.multiples_of, size) {
            (Some(row), Some(step)) => Some([row, step]),
            (None, None) => None,
            _ => return None,
        };
        let part = |each: &&'a ForLoop| {
            let (first, last) = range(each)?;
            Some(Part { first, last, body: &each.body })
        };
        let parts: Vec<Part> = loops.iter().map(part).collect::<Option<_>>()?;
        let row = Row { iterator: &rows.iterator, first: &first_row, last: &last_row };
        let least = parts.iter().map(|part| row.extreme(&part.first, false));
        let greatest = parts.iter().map(|part| row.extreme(&part.last, true));
        let first = joined(least.collect::<Option<_>>()?, AstExpr::Min);
        let last = joined(greatest.collect::<Option<_>>()?, AstExpr::Max);
        Some(Pipeline { rows, steps, sizes, first, last, parts })
    }

    /// When a row has the steps of a part; none if each row has them at all steps.
    fn condition(&self, part: &Part) -> Option<AstExpr> {
        let step = || Box::new(AstExpr::Id(self.steps.clone()));
        let bounds = [
            (AstExpr::Ge(step(), Box::new(part.first.clone())), part.first != self.first),
            (AstExpr::Le(step(), Box::new(part.last.clone())), part.last != self.last),
        ];
        let needed: Vec<AstExpr> = bounds
            .into_iter()
            .filter_map(|(bound, is_needed)| is_needed.then_some(bound))
            .collect();
        (!needed.is_empty()).then(|| joined(needed, AstExpr::And))
    }
}

/// The first and the last value of a loop's iterator; none if it has others than all between them, or
/// bounds of another form.
fn range(each: &ForLoop) -> Option<(AstExpr, AstExpr)> {
    if each.degenerate {
        return Some((each.init.clone(), each.init.clone()));
    }
    if !is_canonical(each) || each.increment != Int::ONE {
        return None;
    }
    let last = match &each.condition {
        AstExpr::Le(_, bound) => (**bound).clone(),
        AstExpr::Lt(_, bound) => match &**bound {
            AstExpr::Int(bound) => AstExpr::Int(bound - &Int::ONE),
            bound => AstExpr::Sub(Box::new(bound.clone()), Box::new(AstExpr::int(1))),
        },
        _ => return None,
    };
    Some((each.init.clone(), last))
}

/// The loops of a dimension right below a node; none if there is something else.
fn collect<'a>(node: &'a AstNode, dimension: usize, loops: &mut Vec<&'a ForLoop>) -> Option<()> {
    match node {
        AstNode::For(each) if each.dimension == dimension => {
            loops.push(each);
            Some(())
        }
        AstNode::Block(children) => {
            children.iter().try_for_each(|child| collect(child, dimension, loops))
        }
        _ => None,
    }
}

/// One expression for several, which are not none.
fn joined(mut list: Vec<AstExpr>, join: fn(Vec<AstExpr>) -> AstExpr) -> AstExpr {
    match (list.len(), list.pop()) {
        (1, Some(only)) => only,
        (_, last) => {
            list.extend(last);
            join(list)
        }
    }
}

/// The values of a row's iterator.
struct Row<'a> {
    iterator: &'a Name,
    first: &'a AstExpr,
    last: &'a AstExpr,
}

impl Row<'_> {
    /// A bound on an expression over all rows, from above or from below: by its value at the first or the
    /// last row where it is monotonic, term by term elsewhere. None for expressions that bounds of
    /// loops do not have.
    fn extreme(&self, expression: &AstExpr, greatest: bool) -> Option<AstExpr> {
        let same = |e: &AstExpr| self.extreme(e, greatest).map(Box::new);
        let opposite = |e: &AstExpr| self.extreme(e, !greatest).map(Box::new);
        let all = |list: &[AstExpr]| -> Option<Vec<AstExpr>> {
            list.iter().map(|e| self.extreme(e, greatest)).collect()
        };
        Some(match expression {
            constant if !constant.mentions(self.iterator) => constant.clone(),
            AstExpr::Id(_) => if greatest { self.last } else { self.first }.clone(),
            AstExpr::Neg(a) => AstExpr::Neg(opposite(a)?),
            AstExpr::Add(a, b) => AstExpr::Add(same(a)?, same(b)?),
            AstExpr::Sub(a, b) => AstExpr::Sub(same(a)?, opposite(b)?),
            AstExpr::Mul(a, b) => match (&**a, &**b) {
                (AstExpr::Int(factor), other) | (other, AstExpr::Int(factor)) => {
                    let other = if factor.is_positive() { same(other)? } else { opposite(other)? };
                    match &*other {
                        AstExpr::Int(other) => AstExpr::Int(factor * other),
                        _ => AstExpr::Mul(Box::new(AstExpr::Int(factor.clone())), other),
                    }
                }
                _ => return None,
            },
            // What is not negative in each row need not be so at the ends of all terms.
            AstExpr::DivFloor(a, b) | AstExpr::DivNonneg(a, b) => match &**b {
                AstExpr::Int(_) => AstExpr::DivFloor(same(a)?, b.clone()),
                _ => return None,
            },
            AstExpr::Min(list) => AstExpr::Min(all(list)?),
            AstExpr::Max(list) => AstExpr::Max(all(list)?),
            _ => return None,
        })
    }
}

/// The numbers of a loop that counts, from its first to its last.
struct Counted {
    /// The name of what the loop is about, as the tree has it.
    of: Name,
    /// The size that it is a multiple of.
    size: Option<Name>,
    /// The name that counts.
    name: Name,
    first: AstExpr,
    last: AstExpr,
}

impl Printer<'_> {
    /// Tiles that need those of earlier rows and steps, on several threads, below a pragma that has the
    /// clauses of a loop's.
    pub(super) fn pipeline(&mut self, pipeline: &Pipeline, pragma: &Pragma) -> Result<()> {
        let Some((_, text)) = self.pragma_text(pragma, pipeline.rows) else {
            return self.for_loop(pipeline.rows, None);
        };
        let [row_size, step_size] = pipeline.sizes.map_or([None; 2], |sizes| sizes.map(Some));
        let last_row = range(pipeline.rows).map_or_else(|| pipeline.rows.init.clone(), |(_, l)| l);
        let first_row = (&pipeline.rows.iterator, &pipeline.rows.init);
        let rows = self.counted(first_row, last_row, row_size);
        let steps =
            self.counted((pipeline.steps, &pipeline.first), pipeline.last.clone(), step_size);
        match self.synchronisation {
            Synchronisation::PointToPoint => self.rows_that_wait(pipeline, [&rows, &steps], &text),
            Synchronisation::Barrier => self.diagonals(pipeline, [&rows, &steps], &text),
            Synchronisation::Tasks => self.tasks(pipeline, [&rows, &steps], &text),
        }
    }

    /// Rows on threads in turn; each waits at each step for that of the row before.
    fn rows_that_wait(
        &mut self,
        pipeline: &Pipeline,
        [rows, steps]: [&Counted; 2],
        pragma: &str,
    ) -> Result<()> {
        self.writer.line(pragma);
        if rows.size.is_some() {
            self.counting_line(rows);
        } else {
            let init = self.lowering.lower(&pipeline.rows.init);
            self.loop_line(pipeline.rows, &rows.name, &init);
        }
        self.writer.depth_in();
        self.counting_line(steps);
        self.writer.depth_in();
        let (row, step) = (&rows.name, &steps.name);
        self.writer.line(&format!("#pragma omp ordered depend(sink: {row} - 1, {step})"));
        self.tile(pipeline, [rows, steps], 2)?;
        self.writer.line("#pragma omp ordered depend(source)");
        self.closed(2);
        Ok(())
    }

    /// One diagonal of rows and steps after the other, all threads wait at its end.
    fn diagonals(
        &mut self,
        pipeline: &Pipeline,
        [rows, steps]: [&Counted; 2],
        pragma: &str,
    ) -> Result<()> {
        let boxed = |e: &AstExpr| Box::new(e.clone());
        let wave = Name::from(self.lowering.fresh("wave"));
        let at = || Box::new(AstExpr::Id(wave.clone()));
        let [first, last] = [(&rows.first, &steps.first), (&rows.last, &steps.last)]
            .map(|(row, step)| AstExpr::Add(boxed(row), boxed(step)));
        let waves = Counted { of: wave.clone(), size: None, name: wave.clone(), first, last };
        let on_wave = Counted {
            of: rows.of.clone(),
            size: rows.size.clone(),
            name: rows.name.clone(),
            first: AstExpr::Max(vec![rows.first.clone(), AstExpr::Sub(at(), boxed(&steps.last))]),
            last: AstExpr::Min(vec![rows.last.clone(), AstExpr::Sub(at(), boxed(&steps.first))]),
        };
        self.counting_line(&waves);
        self.writer.depth_in();
        self.writer.line(pragma);
        self.counting_line(&on_wave);
        self.writer.depth_in();
        let (row, step) = (&rows.name, &steps.name);
        self.writer.line(&format!("const {ITERATOR_TYPE} {step} = {wave} - {row};"));
        self.tile(pipeline, [rows, steps], 3)?;
        self.closed(2);
        Ok(())
    }

    /// A task for each row and step, after those of the row before and of the step before. What tasks depend
    /// on is the place of a byte for each row and step, numbers of rows and long rows modulo something, which
    /// adds dependences and takes none away.
    fn tasks(
        &mut self,
        pipeline: &Pipeline,
        [rows, steps]: [&Counted; 2],
        pragma: &str,
    ) -> Result<()> {
        let [first_row, first_step, width, done] =
            ["first_row", "first_step", "width", "done"].map(|name| self.lowering.fresh(name));
        let [row_value, step_value, last_step] =
            [&rows.first, &steps.first, &steps.last].map(|e| self.lowering.lower(e));
        let (clauses, private) = pragma_clauses(pragma);
        self.writer.line("{");
        self.writer.depth_in();
        self.writer.line(&format!("const {ITERATOR_TYPE} {first_row} = {row_value};"));
        self.writer.line(&format!("const {ITERATOR_TYPE} {first_step} = {step_value};"));
        let n_steps = format!("{last_step} - {first_step} + 2");
        let least =
            format!("{n_steps} < 1 ? 1 : {n_steps} > {MOST_STEPS} ? {MOST_STEPS} : {n_steps}");
        self.writer.line(&format!("const {ITERATOR_TYPE} {width} = {least};"));
        self.writer.line(&format!("char {done}[{ROWS_APART}][{width}];"));
        self.writer.line(&format!("#pragma omp parallel{clauses}"));
        self.writer.line("#pragma omp single");
        self.counting_line(rows);
        self.writer.depth_in();
        self.counting_line(steps);
        self.writer.depth_in();
        let (row, step) = (&rows.name, &steps.name);
        let place = |row_before: bool, step_before: bool| {
            let more = |before: bool| if before { "" } else { " + 1" };
            let (of_row, of_step) = (more(row_before), more(step_before));
            format!(
                "{done}[({row} - {first_row}{of_row}) % {ROWS_APART}][({step} - {first_step}{of_step}) % {width}]"
            )
        };
        let (above, before, own) = (place(true, false), place(false, true), place(false, false));
        let depends = format!("depend(in: {above}, {before}) depend(out: {own})");
        self.writer.line(&format!("#pragma omp task{private} {depends}"));
        self.writer.line("{");
        self.writer.depth_in();
        self.tile(pipeline, [rows, steps], 2)?;
        self.closed(4);
        Ok(())
    }

    /// What a row does at a step.
    fn tile(&mut self, pipeline: &Pipeline, counted: [&Counted; 2], n_loops: usize) -> Result<()> {
        for each in counted {
            if let Some(size) = &each.size {
                let origin = self.lowering.iterator(&each.of);
                let size = self.lowering.lower(&AstExpr::Id(size.clone()));
                let number = &each.name;
                let line = format!("const {ITERATOR_TYPE} {origin} = {size} * {number};");
                self.writer.line(&line);
            }
        }
        self.parallel_depth += 1;
        self.loop_depth += n_loops;
        for part in &pipeline.parts {
            match pipeline.condition(part) {
                Some(condition) => self.condition(&condition, part.body, None)?,
                None => self.node(part.body)?,
            }
        }
        self.loop_depth -= n_loops;
        self.parallel_depth -= 1;
        Ok(())
    }

    /// What a loop from a first to a last value counts: the numbers of the multiples of `size` if it is
    /// given.
    fn counted(
        &mut self,
        (iterator, first): (&Name, &AstExpr),
        last: AstExpr,
        size: Option<&Name>,
    ) -> Counted {
        let of = iterator.clone();
        let own = self.lowering.iterator(iterator);
        let Some(size) = size else {
            return Counted { of, size: None, name: own, first: first.clone(), last };
        };
        let divisor = Box::new(AstExpr::Id(size.clone()));
        Counted {
            of,
            size: Some(size.clone()),
            name: self.lowering.fresh(&format!("{own}_tile")).into(),
            first: first_multiple(first, size),
            last: AstExpr::DivFloor(Box::new(last), divisor),
        }
    }

    /// The head of a loop that counts.
    fn counting_line(&mut self, each: &Counted) {
        let (name, first, last) =
            (&each.name, self.lowering.lower(&each.first), self.lowering.lower(&each.last));
        self.writer.line(&format!(
            "for ({ITERATOR_TYPE} {name} = {first}; {name} <= {last}; {name}++) {{"
        ));
    }

    /// The ends of so many blocks.
    fn closed(&mut self, n: usize) {
        for _ in 0..n {
            self.writer.depth_out();
            self.writer.line("}");
        }
    }
}

/// Of a pragma of a loop: the condition on threads, for `parallel`, and private variables, for `task`.
fn pragma_clauses(pragma: &str) -> (String, String) {
    let clause = |name: &str| {
        let at = pragma.find(&format!(" {name}("))?;
        let (mut depth, rest) = (0usize, &pragma[at..]);
        let end = rest.char_indices().find(|(_, c)| {
            depth = match c {
                '(' => depth + 1,
                ')' => depth - 1,
                _ => depth,
            };
            *c == ')' && depth == 0
        });
        end.map(|(end, _)| rest[..=end].to_string())
    };
    (clause("if").unwrap_or_default(), clause("private").unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The value of an expression of `r` and constants.
    fn value(expression: &AstExpr, r: i64) -> i64 {
        let of = |e: &AstExpr| value(e, r);
        match expression {
            AstExpr::Int(value) => value.to_i64().unwrap(),
            AstExpr::Id(_) => r,
            AstExpr::Neg(a) => -of(a),
            AstExpr::Add(a, b) => of(a) + of(b),
            AstExpr::Sub(a, b) => of(a) - of(b),
            AstExpr::Mul(a, b) => of(a) * of(b),
            AstExpr::DivFloor(a, b) | AstExpr::DivNonneg(a, b) => of(a).div_euclid(of(b)),
            AstExpr::Min(list) => list.iter().map(of).min().unwrap(),
            AstExpr::Max(list) => list.iter().map(of).max().unwrap(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn extremes_bound_the_values_of_all_rows() {
        let (r, int) = (|| Box::new(AstExpr::Id("r".into())), |v| Box::new(AstExpr::int(v)));
        let twice = |factor| Box::new(AstExpr::Mul(int(factor), r()));
        let expressions = [
            AstExpr::Sub(int(7), r()),
            AstExpr::Sub(r(), Box::new(AstExpr::DivNonneg(r(), int(2)))),
            AstExpr::DivFloor(Box::new(AstExpr::Add(twice(-3), int(5))), int(4)),
            AstExpr::Max(vec![*twice(2), AstExpr::Neg(r()), AstExpr::int(3)]),
            AstExpr::Min(vec![AstExpr::Sub(twice(-2), twice(-5)), AstExpr::int(11)]),
        ];
        let (first, last) = (AstExpr::int(0), AstExpr::int(9));
        let row = Row { iterator: &"r".into(), first: &first, last: &last };
        for expression in expressions {
            let least = value(&row.extreme(&expression, false).unwrap(), i64::MIN);
            let greatest = value(&row.extreme(&expression, true).unwrap(), i64::MIN);
            for r in 0..=9 {
                let value = value(&expression, r);
                assert!(least <= value && value <= greatest, "{expression:?} at {r}: {value}");
            }
        }
        // The ends themselves where it is monotonic.
        assert_eq!(value(&row.extreme(&AstExpr::Sub(int(7), r()), false).unwrap(), 0), -2);
        assert!(row.extreme(&AstExpr::RemNonneg(r(), int(3)), true).is_none());
    }
}
