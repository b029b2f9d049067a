//! A nest that goes on by counting: its variables in C, and how they change.
use super::c_text::{LoopText, count_text};
use super::lines::Lines;
use super::ranking::{Ranking, perfect_body};
use super::trip_count::{index_value, trip_count};
use crate::error::MultiforError;
use crate::multifor::Multifor;
use crate::sequential::plain_text;
use loopwright_astgen::FreshNames;
use loopwright_cfront::{MultiforLoop, MultiforStatement};
use loopwright_presburger::{Budget, Error, Name};

/// A nest and the names of its variables.
pub(crate) struct Nest {
    pub(crate) loops: Vec<MultiforLoop>,
    statements: Vec<MultiforStatement>,
    /// For each loop the number of the iteration, and how many there are.
    pub(crate) numbers: Vec<String>,
    pub(crate) counts: Vec<String>,
    /// How many iterations are left, how many there are, and whether the nest advances.
    pub(crate) left: String,
    pub(crate) total: String,
    pub(crate) is_on: String,
    /// The first value of the innermost index of a run.
    pub(crate) base: String,
    pub(crate) total_text: String,
    pub(crate) texts: Vec<LoopText>,
}

impl Nest {
    pub(crate) fn new(
        multifor: &Multifor,
        nest: usize,
        names: &mut FreshNames,
        budget: &Budget,
    ) -> Result<Nest, MultiforError> {
        let body = perfect_body(multifor, nest)?;
        let of_sets = |error: Error| MultiforError::of_sets(body.statement.start, &error);
        let ranking = Ranking::of_nest(multifor, nest, budget)?;
        let n_loops = body.loops.len();
        let mut of_loops = |what: &str| -> Vec<String> {
            (0..n_loops).map(|depth| names.get(&format!("{what}{nest}_{depth}"))).collect()
        };
        let (numbers, counts) = (of_loops("n"), of_loops("count"));
        let x: Name = names.get("x").as_str().into();
        let outer: Vec<Name> = numbers.iter().map(|name| name.as_str().into()).collect();
        let text = |(depth, ranks)| LoopText::new(ranks, &outer[..depth], &x, budget);
        let texts = ranking.loops.iter().enumerate().map(text).collect::<Result<_, _>>();
        let own = multifor.bodies.iter().filter(|body| body.nest == nest);
        Ok(Nest {
            loops: body.loops.clone(),
            statements: own.map(|body| body.statement.clone()).collect(),
            numbers,
            counts,
            left: names.get(&format!("left{nest}")),
            total: names.get(&format!("total{nest}")),
            is_on: names.get(&format!("is_on{nest}")),
            base: names.get(&format!("base{nest}")),
            total_text: count_text(&ranking.iterations, budget).map_err(of_sets)?,
            texts: texts.map_err(of_sets)?,
        })
    }

    pub(crate) fn last(&self) -> usize {
        self.loops.len() - 1
    }

    pub(crate) fn offset(&self) -> i64 {
        self.loops[0].offset
    }

    /// How many iterations of the innermost loop are left.
    pub(crate) fn rest(&self) -> String {
        format!("{} - {}", self.counts[self.last()], self.numbers[self.last()])
    }

    /// Declares the variables of the place that the nest has reached.
    pub(crate) fn declare(&self, lines: &mut Lines) {
        for each in &self.loops[..self.last()] {
            lines.line(format!("{} {} = 0;", each.index_type, each.index));
        }
        for (number, count) in self.numbers.iter().zip(&self.counts) {
            lines.line(format!("long {number} = 0, {count} = 0;"));
        }
    }

    /// Sets indices and counts where the numbers of the iterations are known.
    pub(crate) fn enter_all(&self, lines: &mut Lines) {
        lines.line(format!("{} = {};", self.counts[0], trip_count(&self.loops[0])));
        (0..self.last()).for_each(|depth| self.enter(lines, depth));
    }

    /// Sets the index of a loop, and the number of iterations of the one inside.
    fn enter(&self, lines: &mut Lines, depth: usize) {
        let each = &self.loops[depth];
        let value = index_value(each, &self.numbers[depth]);
        lines.line(format!("{} = ({}) ({value});", each.index, each.index_type));
        lines.line(format!("{} = {};", self.counts[depth + 1], trip_count(&self.loops[depth + 1])));
    }

    /// Goes to the first iteration behind an innermost loop that has ended, as long as there are `left`
    /// iterations.
    pub(crate) fn leave_ended(&self, lines: &mut Lines, left: &str) {
        let last = self.last();
        if last == 0 {
            return;
        }
        let (number, count) = (&self.numbers[last], &self.counts[last]);
        lines.line(format!("while ({left} > 0 && {number} >= {count}) {{"));
        lines.line(format!("{number} = 0;"));
        self.advance(lines, last - 1);
        lines.line("}");
    }

    /// The next iteration of a loop that is not the innermost one.
    fn advance(&self, lines: &mut Lines, depth: usize) {
        let (number, count) = (&self.numbers[depth], &self.counts[depth]);
        lines.line(format!("{number}++;"));
        if depth > 0 {
            lines.line(format!("while ({number} >= {count}) {{"));
            lines.line(format!("{number} = 0;"));
            self.advance(lines, depth - 1);
            lines.line("}");
        }
        self.enter(lines, depth);
    }

    /// Declares the first value of the innermost index of a run.
    pub(crate) fn begin_run(&self, lines: &mut Lines) {
        let value = index_value(&self.loops[self.last()], &self.numbers[self.last()]);
        lines.line(format!("const long {} = {value};", self.base));
    }

    /// The bodies with the innermost index, in an iteration of a run.
    pub(crate) fn bodies(&self, lines: &mut Lines, iteration: &str) {
        let each = &self.loops[self.last()];
        let MultiforLoop { index, index_type, .. } = each;
        let way = match each.step {
            1 => iteration.to_string(),
            by => format!("{by}L * {iteration}"),
        };
        lines.line("{");
        lines.line(format!("const {index_type} {index} = ({index_type}) ({} + {way});", self.base));
        for statement in &self.statements {
            plain_text(&statement.body).lines().for_each(|line| lines.as_written(line));
        }
        lines.line("}");
    }
}
