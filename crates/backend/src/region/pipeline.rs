//! Rows of a pipeline as an OpenMP loop whose iterations wait for each other (`ordered` with `depend`).
//!
//! Such a loop has as many steps in each row: those of the smallest box around the steps of all rows. A row
//! passes over the steps that it does not have, but waits and tells at each, so that a wait for the
//! row before is a wait for all rows before.
//!
//! OpenMP names steps by constant distances, so where rows and steps are multiples of variables, the sizes of tiles, the loops run
//! over the numbers of these multiples.
use super::{ITERATOR_TYPE, Pragma, Printer, is_canonical};
use loopwright_astgen::{AstExpr, AstNode, Entry, ForLoop};
use loopwright_presburger::{Int, Name, Result};

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

impl Printer<'_> {
    /// A pipeline below its pragma, which has the clauses of a loop's pragma.
    pub(super) fn pipeline(&mut self, pipeline: &Pipeline, pragma: &Pragma) -> Result<()> {
        let rows = pipeline.rows;
        let Some((_, text)) = self.pragma_text(pragma, rows) else {
            return self.for_loop(rows, None);
        };
        self.writer.line(&text);
        let row = self.counted(rows, pipeline.sizes.map(|[row, _]| row));
        self.writer.depth_in();
        let steps = ForLoop {
            iterator: pipeline.steps.clone(),
            init: pipeline.first.clone(),
            condition: AstExpr::Le(
                Box::new(AstExpr::Id(pipeline.steps.clone())),
                Box::new(pipeline.last.clone()),
            ),
            entry: Entry::default(),
            ..rows.clone()
        };
        let step = self.counted(&steps, pipeline.sizes.map(|[_, step]| step));
        self.parallel_depth += 1;
        self.loop_depth += 2;
        self.writer.depth_in();
        self.writer.line(&format!("#pragma omp ordered depend(sink: {row} - 1, {step})"));
        if let Some(sizes) = pipeline.sizes {
            let origins = [(&rows.iterator, &row), (pipeline.steps, &step)];
            for ((origin, number), size) in origins.into_iter().zip(sizes) {
                let origin = self.lowering.iterator(origin);
                let size = self.lowering.lower(&AstExpr::Id(size.clone()));
                let line = format!("const {ITERATOR_TYPE} {origin} = {size} * {number};");
                self.writer.line(&line);
            }
        }
        for part in &pipeline.parts {
            match pipeline.condition(part) {
                Some(condition) => self.condition(&condition, part.body, None)?,
                None => self.node(part.body)?,
            }
        }
        self.writer.line("#pragma omp ordered depend(source)");
        self.writer.depth_out();
        self.loop_depth -= 2;
        self.parallel_depth -= 1;
        self.writer.line("}");
        self.writer.depth_out();
        self.writer.line("}");
        Ok(())
    }
}

impl Printer<'_> {
    /// The head of a loop by ones, over the numbers of the multiples of `size` if it is given; the name that counts.
    fn counted(&mut self, each: &ForLoop, size: Option<&Name>) -> Name {
        let Some(size) = size else {
            let iterator = self.lowering.iterator(&each.iterator);
            let init = self.lowering.lower(&each.init);
            self.loop_line(each, &iterator, &init);
            return iterator;
        };
        let origin = self.lowering.iterator(&each.iterator);
        let number: Name = self.lowering.fresh(&format!("{origin}_tile")).into();
        let init = self.lowering.lower(&each.first_number(size));
        let divisor = Box::new(AstExpr::Id(size.clone()));
        let last = range(each).map_or_else(|| each.init.clone(), |(_, last)| last);
        let last = self.lowering.lower(&AstExpr::DivFloor(Box::new(last), divisor));
        let bounds = format!("{ITERATOR_TYPE} {number} = {init}; {number} <= {last}");
        self.writer.line(&format!("for ({bounds}; {number}++) {{"));
        number
    }
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
