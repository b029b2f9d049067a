//! The iteration of a rank as C (section 5 of the paper).
use super::c_text::{LoopText, RootNames, root_lines};
use super::lines::Lines;
use super::nest::Nest;
use crate::error::MultiforError;
use crate::multifor::Multifor;
use loopwright_astgen::FreshNames;
use loopwright_presburger::Budget;

/// A function of C that finds the iteration of a rank:
/// `static void NAME(long rank, long N, .., long *n0, ..)`, with the symbolic constants of the statement as
/// parameters, stores the number of the iteration of each loop of the nest, from the outside in and from 0
/// on. The rank has to be less than the number of iterations.
///
/// # Errors
/// As [`mapped_by_ranks`](crate::mapped_by_ranks).
pub fn unranking_function(
    multifor: &Multifor,
    nest: usize,
    name: &str,
    budget: &Budget,
) -> Result<String, MultiforError> {
    let used = multifor.parameters.iter().map(|name| name.to_string()).collect();
    let mut names = FreshNames::new(used);
    let nest = Nest::new(multifor, nest, &mut names, budget)?;
    let search = Search::new(&mut names);
    let mut head = format!("static void {name}(long {}", search.rank);
    multifor.parameters.iter().for_each(|name| head.push_str(&format!(", long {name}")));
    nest.numbers.iter().for_each(|number| head.push_str(&format!(", long *{number}_at")));
    let mut lines = Lines::default();
    lines.line(format!("{head}) {{"));
    nest.numbers.iter().for_each(|number| lines.line(format!("long {number} = 0;")));
    search.of_nest(&mut lines, &nest);
    nest.numbers.iter().for_each(|number| lines.line(format!("*{number}_at = {number};")));
    lines.line("}");
    Ok(lines.text())
}

/// The names of the variables of a search.
pub(crate) struct Search {
    /// The rank that is searched for.
    pub(crate) rank: String,
    low: String,
    high: String,
    x: String,
    way: String,
    root: String,
    coefficient: String,
}

impl Search {
    pub(crate) fn new(names: &mut FreshNames) -> Search {
        let mut get = |name: &str| names.get(name);
        Search {
            rank: get("rank"),
            low: get("low"),
            high: get("high"),
            x: get("x"),
            way: get("way"),
            root: get("root"),
            coefficient: get("c"),
        }
    }

    /// Finds the iteration of each loop of a nest, from the outside in.
    pub(crate) fn of_nest(&self, lines: &mut Lines, nest: &Nest) {
        nest.texts.iter().zip(&nest.numbers).for_each(|(text, number)| {
            self.of_loop(lines, text, number);
        });
    }

    /// Finds the iteration of a loop, and makes the rank one inside of it.
    fn of_loop(&self, lines: &mut Lines, text: &LoopText, number: &str) {
        let Search { rank, low, high, x, way, .. } = self;
        let LoopText { below, end, coefficients, is_identity } = text;
        if *is_identity {
            return lines.line(format!("{number} = {rank};"));
        }
        lines.line("{");
        lines.line(format!("long {low} = 0, {high} = {end}, {x} = {high} / 2, {way} = 1;"));
        if let Some(coefficients) = coefficients {
            self.begin_at_root(lines, coefficients);
        }
        lines.line(format!("while ({high} - {low} > 1) {{"));
        lines.line(format!(
            "if ({x} <= {low} || {x} >= {high}) {x} = {low} + ({high} - {low}) / 2;"
        ));
        lines.line(format!("if ({below} <= {rank}) {{"));
        lines.line(format!("{low} = {x};"));
        lines.line(format!("{x} += {way};"));
        lines.line("} else {");
        lines.line(format!("{high} = {x};"));
        lines.line(format!("{x} -= {way};"));
        lines.line("}");
        lines.line(format!("if ({way} < 1L << 61) {way} *= 2;"));
        lines.line("}");
        lines.line(format!("{x} = {number} = {low};"));
        lines.line(format!("{rank} -= (long) {below};"));
        lines.line("}");
    }

    /// Lets the search begin at the root of a polynomial.
    fn begin_at_root(&self, lines: &mut Lines, coefficients: &[String]) {
        let Search { rank, high, x, root, coefficient, .. } = self;
        let names = RootNames {
            root: root.clone(),
            rank: rank.clone(),
            end: high.clone(),
            prefix: coefficient.clone(),
        };
        root_lines(coefficients, &names).iter().for_each(|line| lines.as_written(line));
        lines.line(format!("if ({root} < 1.0) {x} = 1;"));
        lines.line(format!("else if ({root} < (double) {high}) {x} = (long) {root};"));
        lines.line(format!("else if ({root} >= (double) {high}) {x} = {high} - 1;"));
    }
}
