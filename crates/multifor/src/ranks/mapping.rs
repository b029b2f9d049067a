//! Nests that advance together by the ranks of their iterations, as C.
//!
//! The iterations of all nests are executed in chunks. At the start of a chunk each nest finds the iteration that has the
//! rank; from there on it goes on by counting. The nests run together as long as none of them reaches the end of an
//! innermost loop, so inside there is one loop without conditions.
use super::c_text::{LoopText, RootNames, count_text, root_lines};
use super::ranking::{Ranking, perfect_body};
use crate::error::MultiforError;
use crate::multifor::{Multifor, Phase};
use crate::sequential::plain_text;
use loopwright_astgen::FreshNames;
use loopwright_cfront::{
    Code, MultiforExpression, MultiforItem, MultiforLoop, MultiforRelation, MultiforStatement,
    MultiforSyntax,
};
use loopwright_presburger::{Budget, Error, Name};
use std::collections::{BTreeMap, BTreeSet};

/// How nests are mapped.
#[derive(Clone, Debug, Default)]
pub struct RankOptions {
    /// Whether chunks are executed by different threads.
    pub parallel: bool,
    /// Clauses of the directive that says so.
    pub clauses: String,
    /// Names that are not to be used for anything new.
    pub used_names: BTreeSet<String>,
}

/// The number of chunks for threads: enough for many threads to have several each.
const CHUNKS: u32 = 256;

/// The code of a multifor statement whose nests advance by ranks: one statement of C, in braces. It needs 128-bit
/// integers (`__int128`, as GCC and Clang have them), and counts of iterations that are less than 2^62.
///
/// ```
/// use loopwright_cfront::multifor_statements;
/// use loopwright_multifor::{Multifor, RankOptions, mapped_by_ranks};
/// use loopwright_presburger::Budget;
/// let text = "multifor (i = 1, k = 0; i < N, k < M; i++, k++; 1, 1; 0, 0)
///   multifor (j = 0, l = 0; j < i, l < 2*M; j++, l++; 1, 1; 0, 0) { 0: S(i, j); 1: T(k, l); }";
/// let found = multifor_statements("f.c".as_ref(), text).unwrap();
/// let budget = Budget::unlimited();
/// let statement = Multifor::new(&found[0].statement, &budget)?;
/// let code = mapped_by_ranks(&statement, &RankOptions::default(), &budget)?;
/// assert!(code.contains("S(i, j)") && code.contains("__builtin_sqrt"));
/// # Ok::<(), loopwright_multifor::MultiforError>(())
/// ```
///
/// # Errors
/// Grains, offsets of inner levels, and statements between levels, which mean nothing for ranks; limits.
pub fn mapped_by_ranks(
    multifor: &Multifor,
    options: &RankOptions,
    budget: &Budget,
) -> Result<String, MultiforError> {
    check(multifor)?;
    let mut names = FreshNames::new(options.used_names.clone());
    let wide: BTreeMap<String, String> = multifor
        .parameters
        .iter()
        .map(|name| (name.to_string(), names.get(&format!("{name}_value"))))
        .collect();
    let syntax = renamed(&multifor.syntax, &wide);
    let renamed = Multifor::new(&syntax, budget)?;
    let nests = (0..multifor.syntax.loops.len())
        .map(|nest| Nest::new(&renamed, nest, &mut names, budget))
        .collect::<Result<Vec<_>, _>>()?;
    let common = Common::new(&mut names);
    let writer = Writer { nests, common, options, lines: Vec::new(), depth: 0 };
    Ok(writer.written(&wide))
}

/// A function of C that finds the iteration of a rank: `static void NAME(long rank, long N, .., long *n0, ..)`, with the
/// symbolic constants of the statement as parameters, stores the number of the iteration of each loop of the nest, from the
/// outside in and from 0 on. The rank has to be less than the number of iterations.
///
/// # Errors
/// As [`mapped_by_ranks`].
pub fn unranking_function(
    multifor: &Multifor,
    nest: usize,
    name: &str,
    budget: &Budget,
) -> Result<String, MultiforError> {
    let used = multifor.parameters.iter().map(|name| name.to_string()).collect();
    let mut names = FreshNames::new(used);
    let nest = Nest::new(multifor, nest, &mut names, budget)?;
    let common = Common::new(&mut names);
    let options = RankOptions::default();
    let mut head = format!("static void {name}(long {}", common.rank);
    multifor.parameters.iter().for_each(|name| head.push_str(&format!(", long {name}")));
    nest.numbers.iter().for_each(|number| head.push_str(&format!(", long *{number}_at")));
    let mut writer =
        Writer { nests: Vec::new(), common, options: &options, lines: Vec::new(), depth: 0 };
    writer.line(format!("{head}) {{"));
    nest.numbers.iter().for_each(|number| writer.line(format!("long {number} = 0;")));
    (0..nest.loops.len()).for_each(|depth| writer.search(&nest, depth));
    nest.numbers.iter().for_each(|number| writer.line(format!("*{number}_at = {number};")));
    writer.line("}");
    Ok(writer.lines.join("\n") + "\n")
}

/// Refuses what means nothing for ranks.
fn check(multifor: &Multifor) -> Result<(), MultiforError> {
    for level in multifor.root.all() {
        for each in &level.loops {
            let is_delayed = each.offset != 0 && level.depth > 0;
            if each.grain != 1 || is_delayed {
                let message = "a multifor statement by ranks has grains of 1, and offsets in its outermost head only";
                return Err(MultiforError::new(Code::LoopForm, each.start, message));
            }
        }
        let inner = level.phases.iter().filter(|phase| matches!(phase, Phase::Inner(_)));
        if inner.count() > 1 {
            let start = multifor.syntax.start;
            let message = "a multifor statement by ranks has one level inside of each other";
            return Err(MultiforError::new(Code::LoopForm, start, message));
        }
    }
    Ok(())
}

/// The statement with other names for symbolic constants.
fn renamed(syntax: &MultiforSyntax, names: &BTreeMap<String, String>) -> MultiforSyntax {
    let new_name = |name: &str| names.get(name).map_or(name, String::as_str).to_string();
    let mut syntax = syntax.clone();
    for each in &mut syntax.loops {
        each.first = with_names(&each.first, &new_name);
        each.bound = with_names(&each.bound, &new_name);
    }
    for item in &mut syntax.items {
        if let MultiforItem::Inner(inner) = item {
            *inner = renamed(inner, names);
        }
    }
    syntax
}

/// The expression with other texts in place of its names.
fn with_names(
    expression: &MultiforExpression,
    text: &dyn Fn(&str) -> String,
) -> MultiforExpression {
    use MultiforExpression::*;
    let part = |e: &MultiforExpression| Box::new(with_names(e, text));
    match expression {
        Int(value) => Int(*value),
        Name(name) => Name(text(name)),
        Neg(a) => Neg(part(a)),
        Add(a, b) => Add(part(a), part(b)),
        Sub(a, b) => Sub(part(a), part(b)),
        Mul(a, b) => Mul(part(a), part(b)),
        Div(a, b) => Div(part(a), part(b)),
        Rem(a, b) => Rem(part(a), part(b)),
    }
}

/// The names of variables that are there once.
struct Common {
    time: String,
    stop: String,
    total: String,
    run: String,
    step: String,
    chunk: String,
    rank: String,
    low: String,
    high: String,
    x: String,
    way: String,
    root: String,
    coefficient: String,
}

impl Common {
    fn new(names: &mut FreshNames) -> Common {
        let mut get = |name: &str| names.get(name);
        Common {
            time: get("time"),
            stop: get("stop"),
            total: get("total"),
            run: get("run"),
            step: get("u"),
            chunk: get("chunk"),
            rank: get("rank"),
            low: get("low"),
            high: get("high"),
            x: get("x"),
            way: get("way"),
            root: get("root"),
            coefficient: get("c"),
        }
    }
}

/// A nest and the names of its variables.
struct Nest {
    loops: Vec<MultiforLoop>,
    statements: Vec<MultiforStatement>,
    /// For each loop the number of the iteration, and how many there are.
    numbers: Vec<String>,
    counts: Vec<String>,
    /// How many iterations are left, how many there are, and whether the nest advances.
    left: String,
    total: String,
    is_on: String,
    /// The first value of the innermost index of a run.
    base: String,
    total_text: String,
    texts: Vec<LoopText>,
}

impl Nest {
    fn new(
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

    fn last(&self) -> usize {
        self.loops.len() - 1
    }

    fn offset(&self) -> i64 {
        self.loops[0].offset
    }
}

/// The number of iterations of a loop as C.
fn count_of(each: &MultiforLoop) -> String {
    let MultiforLoop { first, bound, relation, step, .. } = each;
    let (first, bound) = (wide(first), wide(bound));
    let (way, one) = match relation {
        MultiforRelation::Less => (format!("{bound} - {first}"), 0),
        MultiforRelation::LessEqual => (format!("{bound} - {first}"), 1),
        MultiforRelation::Greater => (format!("{first} - {bound}"), 0),
        MultiforRelation::GreaterEqual => (format!("{first} - {bound}"), 1),
    };
    let step = i128::from(*step).abs();
    let more = step - 1 + one;
    let way = if more == 0 { way } else { format!("{way} + {more}") };
    if step == 1 { way } else { format!("({way}) / {step}") }
}

/// An expression as an operand in C, in a `long`.
fn wide(expression: &MultiforExpression) -> String {
    match expression {
        MultiforExpression::Int(value) if *value >= 0 => format!("{value}L"),
        MultiforExpression::Name(name) => format!("(long) {name}"),
        other => format!("(0L + {})", with_names(other, &|name| format!("(long) {name}"))),
    }
}

/// Writes the lines.
struct Writer<'a> {
    nests: Vec<Nest>,
    common: Common,
    options: &'a RankOptions,
    lines: Vec<String>,
    depth: usize,
}

impl Writer<'_> {
    fn line(&mut self, text: impl AsRef<str>) {
        let text = text.as_ref();
        let closes = text.starts_with('}');
        if closes {
            self.depth -= 1;
        }
        match text.starts_with('#') {
            true => self.lines.push(text.to_string()),
            false => self.lines.push(format!("{:width$}{text}", "", width = 2 * self.depth)),
        }
        if text.ends_with('{') {
            self.depth += 1;
        }
    }

    /// The whole statement.
    fn written(mut self, parameters: &BTreeMap<String, String>) -> String {
        self.line("{");
        for (name, wide) in parameters {
            self.line(format!("const long {wide} = {name};"));
        }
        let nests = std::mem::take(&mut self.nests);
        for nest in &nests {
            self.line(format!("const long {} = (long) {};", nest.total, nest.total_text));
        }
        let Common { total, time, stop, chunk, .. } = &self.common;
        let (total, time, stop, chunk) = (total.clone(), time.clone(), stop.clone(), chunk.clone());
        self.line(format!("long {total} = 0;"));
        for nest in &nests {
            let end = match nest.offset() {
                0 => nest.total.clone(),
                offset => format!("{} + {offset}", nest.total),
            };
            self.line(format!("if ({} > 0 && {end} > {total}) {total} = {end};", nest.total));
        }
        if self.options.parallel {
            let clauses = &self.options.clauses;
            let blank = if clauses.is_empty() { "" } else { " " };
            self.line(format!("#pragma omp parallel for{blank}{clauses}"));
            self.line(format!("for (int {chunk} = 0; {chunk} < {CHUNKS}; {chunk}++) {{"));
            let part = |chunk: &str| format!("(long) ((__int128) {total} * {chunk} / {CHUNKS})");
            self.line(format!("long {time} = {};", part(&chunk)));
            self.line(format!("const long {stop} = {};", part(&format!("({chunk} + 1)"))));
        } else {
            self.line("{");
            self.line(format!("long {time} = 0;"));
            self.line(format!("const long {stop} = {total};"));
        }
        nests.iter().for_each(|nest| self.start(nest));
        self.runs(&nests);
        self.line("}");
        self.line("}");
        self.lines.join("\n") + "\n"
    }

    /// The state of a nest at the start of a chunk.
    fn start(&mut self, nest: &Nest) {
        let Common { rank, time, .. } = &self.common;
        let (rank, time) = (rank.clone(), time.clone());
        for each in &nest.loops[..nest.last()] {
            self.line(format!("{} {} = 0;", each.index_type, each.index));
        }
        for (number, count) in nest.numbers.iter().zip(&nest.counts) {
            self.line(format!("long {number} = 0, {count} = 0;"));
        }
        let (left, total, offset) = (&nest.left, &nest.total, nest.offset());
        let since = if offset == 0 { time.clone() } else { format!("{time} - {offset}") };
        self.line(format!("long {left} = {total} - ({since} > 0 ? {since} : 0);"));
        self.line(format!("if ({left} > 0) {{"));
        self.line(format!("long {rank} = {total} - {left};"));
        for depth in 0..nest.loops.len() {
            self.search(nest, depth);
        }
        self.line(format!("{} = {};", nest.counts[0], count_of(&nest.loops[0])));
        for depth in 0..nest.last() {
            self.enter(nest, depth);
        }
        self.line("}");
    }

    /// Finds the iteration of a loop by its rank, and makes the rank one inside of it.
    fn search(&mut self, nest: &Nest, depth: usize) {
        let Common { rank, low, high, x, way, root, coefficient, .. } = &self.common;
        let [rank, low, high, x, way, root, coefficient] =
            [rank, low, high, x, way, root, coefficient].map(String::clone);
        let (text, number) = (&nest.texts[depth], &nest.numbers[depth]);
        if text.is_identity {
            return self.line(format!("{number} = {rank};"));
        }
        self.line("{");
        self.line(format!("long {low} = 0, {high} = {}, {x} = {high} / 2, {way} = 1;", text.end));
        if let Some(coefficients) = &text.coefficients {
            let names = RootNames {
                root: root.clone(),
                rank: rank.clone(),
                end: high.clone(),
                prefix: coefficient,
            };
            for line in root_lines(coefficients, &names) {
                let inner = line.len() - line.trim_start().len();
                self.lines.push(format!(
                    "{:width$}{}",
                    "",
                    line.trim_start(),
                    width = 2 * self.depth + inner
                ));
            }
            self.line(format!("if ({root} < 1.0) {x} = 1;"));
            self.line(format!("else if ({root} < (double) {high}) {x} = (long) {root};"));
            self.line(format!("else if ({root} >= (double) {high}) {x} = {high} - 1;"));
        }
        self.line(format!("while ({high} - {low} > 1) {{"));
        self.line(format!(
            "if ({x} <= {low} || {x} >= {high}) {x} = {low} + ({high} - {low}) / 2;"
        ));
        self.line(format!("if ({} <= {rank}) {{", text.below));
        self.line(format!("{low} = {x};"));
        self.line(format!("{x} += {way};"));
        self.line("} else {");
        self.line(format!("{high} = {x};"));
        self.line(format!("{x} -= {way};"));
        self.line("}");
        self.line(format!("if ({way} < 1L << 61) {way} *= 2;"));
        self.line("}");
        self.line(format!("{x} = {number} = {low};"));
        self.line(format!("{rank} -= (long) {};", text.below));
        self.line("}");
    }

    /// Sets the index of a loop, and the number of iterations of the one inside.
    fn enter(&mut self, nest: &Nest, depth: usize) {
        let each = &nest.loops[depth];
        let value = format!("{} + {}L * {}", wide(&each.first), each.step, nest.numbers[depth]);
        self.line(format!("{} = ({}) ({value});", each.index, each.index_type));
        self.line(format!("{} = {};", nest.counts[depth + 1], count_of(&nest.loops[depth + 1])));
    }

    /// The next iteration of a loop that is not the innermost one.
    fn advance(&mut self, nest: &Nest, depth: usize) {
        let (number, count) = (&nest.numbers[depth], &nest.counts[depth]);
        self.line(format!("{number}++;"));
        if depth > 0 {
            self.line(format!("while ({number} >= {count}) {{"));
            self.line(format!("{number} = 0;"));
            self.advance(nest, depth - 1);
            self.line("}");
        }
        self.enter(nest, depth);
    }

    /// The loop over runs.
    fn runs(&mut self, nests: &[Nest]) {
        let Common { time, stop, run, step, .. } = &self.common;
        let [time, stop, run, step] = [time, stop, run, step].map(String::clone);
        self.line(format!("while ({time} < {stop}) {{"));
        self.line(format!("long {run} = {stop} - {time};"));
        for nest in nests {
            let (last, offset) = (nest.last(), nest.offset());
            let (is_on, left) = (&nest.is_on, &nest.left);
            let begun = if offset == 0 { String::new() } else { format!("{time} >= {offset} && ") };
            self.line(format!("const int {is_on} = {begun}{left} > 0;"));
            let rest = format!("{} - {}", nest.counts[last], nest.numbers[last]);
            self.line(format!("if ({is_on} && {rest} < {run}) {run} = {rest};"));
            if offset > 0 {
                let wait = format!("{offset} - {time}");
                self.line(format!("if ({time} < {offset} && {wait} < {run}) {run} = {wait};"));
            }
            let each = &nest.loops[last];
            let value = format!("{} + {}L * {}", wide(&each.first), each.step, nest.numbers[last]);
            self.line(format!("const long {} = {value};", nest.base));
        }
        let head = format!("for (long {step} = 0; {step} < {run}; {step}++) {{");
        let all_on: Vec<&str> = nests.iter().map(|nest| nest.is_on.as_str()).collect();
        self.line(format!("if ({}) {{", all_on.join(" && ")));
        self.line(&head);
        nests.iter().for_each(|nest| self.bodies(nest, &step));
        self.line("}");
        if nests.len() > 1 {
            self.line("} else {");
            self.line(&head);
            for nest in nests {
                self.line(format!("if ({}) {{", nest.is_on));
                self.bodies(nest, &step);
                self.line("}");
            }
            self.line("}");
        }
        self.line("}");
        self.line(format!("{time} += {run};"));
        for nest in nests {
            self.line(format!("if ({}) {{", nest.is_on));
            self.line(format!("{} -= {run};", nest.left));
            let last = nest.last();
            let (number, count) = (&nest.numbers[last], &nest.counts[last]);
            self.line(format!("{number} += {run};"));
            if last > 0 {
                self.line(format!("while ({} > 0 && {number} >= {count}) {{", nest.left));
                self.line(format!("{number} = 0;"));
                self.advance(nest, last - 1);
                self.line("}");
            }
            self.line("}");
        }
        self.line("}");
    }

    /// The bodies of a nest with the innermost index.
    fn bodies(&mut self, nest: &Nest, step: &str) {
        let each = &nest.loops[nest.last()];
        let MultiforLoop { index, index_type, .. } = each;
        let way = match each.step {
            1 => step.to_string(),
            by => format!("{by}L * {step}"),
        };
        self.line("{");
        self.line(format!("const {index_type} {index} = ({index_type}) ({} + {way});", nest.base));
        for statement in &nest.statements {
            for line in plain_text(&statement.body).lines() {
                self.lines.push(format!("{:width$}{line}", "", width = 2 * self.depth));
            }
        }
        self.line("}");
    }
}
