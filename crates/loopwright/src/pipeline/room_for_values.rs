//! Whether 64 bits have room for what generated loops compute.
//!
//! The program's own values fit their types. Generated bounds and subscripts are other sums: a size of tiles
//! is added, a loop is shifted, a symbolic constant subtracted. The ranges of all parts of them are found
//! from types, from the context, and from the loops around. Where a part may leave 64 bits because a symbolic
//! constant may be near the limits of its type, it is checked before the region that it is not; where no such
//! condition helps, there is no code.
//!
//! A loop that starts at a known value is taken to end before it has 2^50 iterations: so many take weeks.
use crate::pipeline::generated::NoCode;
use crate::pipeline::variable_tiles::MOST_SIZE;
use loopwright_astgen::{AstExpr, AstNode, ForLoop, ValueRange};
use loopwright_backend::{parameter_range, signed_bytes};
use loopwright_cfront::{Fact, Region, RunTimeCondition, SymbolicValue};
use loopwright_presburger::{DimKind, Int, Name, Set, Space};
use loopwright_schedule::LoopMark;
use loopwright_scop::{Parameter, Scop};

type Range = (i128, i128);

/// The most iterations of a loop that ends.
const MOST_ITERATIONS: i128 = 1 << 50;

/// What printed text may add to a value of the tree: tiles of registers, chunks of threads.
const ROOM: i128 = 1 << 20;

/// Sums of a few symbolic constants up to this have room.
const FAR_FROM_ENDS: i128 = 1 << 40;

/// Exponents of limits for symbolic constants, of which the greatest is taken that is enough.
const LIMITS: [u32; 6] = [62, 60, 56, 48, 40, 32];

/// The conditions on symbolic constants under which the loops of a program compute nothing that leaves 64
/// bits.
///
/// *Cost.* A walk over the tree, and where conditions are needed two for each symbolic constant.
///
/// # Errors
/// [`NoCode::NoRoom`] if there are none.
pub(crate) fn conditions_for_room(
    region: &Region,
    scop: &Scop,
    ast: &AstNode,
) -> Result<Vec<RunTimeCondition>, NoCode> {
    let mut ranges: Vec<Range> = scop.parameters.iter().map(|p| range(region, scop, p)).collect();
    let Err(expression) = Walk::over(scop, ast, &ranges) else { return Ok(Vec::new()) };
    let free = ranges.clone();
    let is_enough = |exponent: &&u32| {
        let limit = 1_i128 << **exponent;
        let limited: Vec<Range> = free.iter().map(|range| within(*range, limit)).collect();
        Walk::over(scop, ast, &limited).is_ok()
    };
    let Some(exponent) = LIMITS.iter().find(is_enough) else {
        return Err(NoCode::NoRoom(expression));
    };
    let limit = 1_i128 << exponent;
    ranges.iter_mut().for_each(|range| *range = within(*range, limit));
    // Those that are not needed are given back one by one.
    for position in 0..ranges.len() {
        for side in [0, 1] {
            let limited = ranges[position];
            match side {
                0 => ranges[position].0 = free[position].0,
                _ => ranges[position].1 = free[position].1,
            }
            if Walk::over(scop, ast, &ranges).is_err() {
                ranges[position] = limited;
            }
        }
    }
    let limits = scop.parameters.iter().zip(free.into_iter().zip(ranges));
    let limited = limits.filter(|(_, (free, limited))| free != limited);
    let of_parameter = |(parameter, (free, limited))| condition(region, parameter, free, limited);
    Ok(limited.map(of_parameter).collect())
}

/// Conditions on symbolic constants of the program alone. Those of added functions, as the ends of zoids, are
/// sums of them, which are far from the ends of 64 bits where the program's are at most 2^40.
pub(crate) fn on_program(
    conditions: Vec<RunTimeCondition>,
    region: &Region,
) -> Vec<RunTimeCondition> {
    let scop = &region.scop;
    let is_known = |condition: &RunTimeCondition| match &condition.fact {
        Fact::Constants { holds, .. } => {
            let mut names = holds.space().param_names().iter();
            names.all(|name| scop.parameters.iter().any(|own| own.name == *name))
        }
        _ => true,
    };
    if conditions.iter().all(is_known) {
        return conditions;
    }
    let ranges =
        scop.parameters.iter().map(|parameter| (parameter, range(region, scop, parameter)));
    let limited = ranges.map(|(parameter, free)| (parameter, free, within(free, FAR_FROM_ENDS)));
    let limited = limited.filter(|(_, free, limited)| free != limited);
    limited.map(|(parameter, free, limited)| condition(region, parameter, free, limited)).collect()
}

fn within(range: Range, limit: i128) -> Range {
    (range.0.max(-limit), range.1.min(limit))
}

/// The values of a symbolic constant of the program, or of a size of tiles that is none.
fn range(region: &Region, scop: &Scop, parameter: &Parameter) -> Range {
    if region.scop.parameters.iter().any(|own| own.name == parameter.name) {
        let range = parameter_range(scop, parameter);
        return ((*range.start()).into(), (*range.end()).into());
    }
    (1, MOST_SIZE.into())
}

fn condition(
    region: &Region,
    parameter: &Parameter,
    free: Range,
    limited: Range,
) -> RunTimeCondition {
    let mut holds = Set::universe(Space::params(std::slice::from_ref(&parameter.name)));
    let number = |value: i128| Int::from(i64::try_from(value).unwrap_or(i64::MAX));
    if limited.0 > free.0 {
        holds = holds.lower_bound(DimKind::Param, 0, &number(limited.0));
    }
    if limited.1 < free.1 {
        holds = holds.upper_bound(DimKind::Param, 0, &number(limited.1));
    }
    let value = parameter.value.clone().unwrap_or_else(|| parameter.name.to_string());
    let text = match signed_bytes(&parameter.c_type) {
        Some(_) => value,
        None => format!("(long) {value}"),
    };
    RunTimeCondition {
        fact: Fact::Constants {
            holds,
            values: vec![SymbolicValue { text, bytes: 8, is_signed: true }],
        },
        line: region.first_line,
        reason: "what new loops compute has room in 64 bits".to_string(),
    }
}

/// A walk over loops with the ranges of all names; fails with the first expression that may leave 64 bits.
struct Walk {
    /// The names that are known, those further inside later.
    names: Vec<(Name, Range)>,
}

impl Walk {
    fn over(scop: &Scop, ast: &AstNode, ranges: &[Range]) -> Result<(), String> {
        let names = scop.parameters.iter().map(|parameter| parameter.name.clone());
        Walk { names: names.zip(ranges.iter().copied()).collect() }.node(ast, false)
    }

    fn node(&mut self, node: &AstNode, is_on_threads: bool) -> Result<(), String> {
        match node {
            AstNode::For(each) => self.for_loop(each, is_on_threads),
            AstNode::If { condition, then, otherwise } => {
                self.room_for(condition)?;
                let depth = self.names.len();
                self.suppose(condition);
                self.node(then, is_on_threads)?;
                self.names.truncate(depth);
                otherwise.as_ref().map_or(Ok(()), |node| self.node(node, is_on_threads))
            }
            AstNode::Block(children) => {
                children.iter().try_for_each(|child| self.node(child, is_on_threads))
            }
            AstNode::Mark { name, child, .. } => {
                let is_threads = LoopMark::parse(name).is_some_and(|mark| mark.kind.is_threaded());
                self.node(child, is_threads || is_on_threads)
            }
            AstNode::User { arguments, .. } => {
                arguments.iter().try_for_each(|argument| self.room_for(argument))
            }
        }
    }

    fn for_loop(&mut self, each: &ForLoop, is_on_threads: bool) -> Result<(), String> {
        self.room_for(&each.init)?;
        let too_large = || each.init.to_string();
        let mut first = self.of(&each.init).ok_or_else(too_large)?;
        if let Some(size) = &each.multiples_of {
            let size = self.of_name(size).ok_or_else(too_large)?;
            first.1 += size.1;
            self.in_room((first.0 - size.1, first.1), too_large)?;
        }
        let depth = self.names.len();
        if each.degenerate {
            self.names.push((each.iterator.clone(), first));
            self.node(&each.body, false)?;
            self.names.truncate(depth);
            return Ok(());
        }
        let mut step = each.increment.to_i64().map(i128::from).ok_or_else(too_large)?;
        if let Some(size) = &each.multiples_of {
            step = self.of_name(size).ok_or_else(too_large)?.1;
        }
        let ends = self.ends(&each.condition, &each.iterator);
        let last = ends.iter().map(|end| end.1).chain([first.1 + MOST_ITERATIONS * step]).min();
        let mut last = last.unwrap_or(first.1).max(first.0);
        if first.0 == first.1 {
            last = first.0 + (last - first.0) / step * step;
        }
        let beyond = || format!("{} + {step}", each.iterator);
        if last + step > i128::from(i64::MAX)
            || (step != 1 && last + step + ROOM > i128::from(i64::MAX))
        {
            return Err(beyond());
        }
        if is_on_threads {
            // Threads divide the number of iterations.
            for end in &ends {
                self.in_room((end.0 - first.1 - step, end.1 - first.0 + step), beyond)?;
            }
        }
        self.names.push((each.iterator.clone(), (first.0, last + step)));
        self.room_for(&each.condition)?;
        self.names.truncate(depth);
        self.names.push((each.iterator.clone(), (first.0, last)));
        self.suppose(&each.condition);
        self.node(&each.body, false)?;
        self.names.truncate(depth);
        Ok(())
    }

    /// The last values that the parts of a condition let an iterator have.
    fn ends(&self, condition: &AstExpr, iterator: &Name) -> Vec<Range> {
        let is_own = |side: &AstExpr| matches!(side, AstExpr::Id(name) if name == iterator);
        let end = |bound: &AstExpr, less: i128| {
            self.of(bound).map(|range| (range.0 - less, range.1 - less)).into_iter().collect()
        };
        match condition {
            AstExpr::Lt(a, b) if is_own(a) => end(b, 1),
            AstExpr::Le(a, b) if is_own(a) => end(b, 0),
            AstExpr::And(list) | AstExpr::AndThen(list) => {
                list.iter().flat_map(|part| self.ends(part, iterator)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Whether an expression and all of its parts are values of 64 bits.
    fn room_for(&self, expression: &AstExpr) -> Result<(), String> {
        use AstExpr::*;
        let operands = expression.operands();
        operands.iter().try_for_each(|operand| self.room_for(operand))?;
        let is_compound = matches!(
            expression,
            Neg(_) | Add(..) | Sub(..) | Mul(..) | DivExact(..) | DivNonneg(..) | DivFloor(..)
        );
        let text = || expression.to_string();
        match expression {
            Int(value) => value.to_i64().map(|_| ()).ok_or_else(text),
            _ if is_compound => self.in_room(self.of(expression).ok_or_else(text)?, text),
            _ => Ok(()),
        }
    }

    fn in_room(&self, range: Range, text: impl FnOnce() -> String) -> Result<(), String> {
        let (least, most) = (i128::from(i64::MIN) + ROOM, i128::from(i64::MAX) - ROOM);
        match range.0 >= least && range.1 <= most {
            true => Ok(()),
            false => Err(text()),
        }
    }

    fn of(&self, expression: &AstExpr) -> ValueRange {
        expression.value_range(&|name| self.of_name(name))
    }

    fn of_name(&self, name: &Name) -> ValueRange {
        self.names.iter().rev().find(|(known, _)| known == name).map(|(_, range)| *range)
    }

    /// Narrows the ranges of names to those with which a condition may hold.
    fn suppose(&mut self, condition: &AstExpr) {
        match condition {
            AstExpr::Lt(a, b) | AstExpr::Gt(b, a) => self.suppose_order(a, b, 1),
            AstExpr::Le(a, b) | AstExpr::Ge(b, a) => self.suppose_order(a, b, 0),
            AstExpr::And(list) | AstExpr::AndThen(list) => {
                list.iter().for_each(|part| self.suppose(part));
            }
            _ => {}
        }
    }

    /// `a + apart <= b`.
    fn suppose_order(&mut self, a: &AstExpr, b: &AstExpr, apart: i128) {
        if let Some(least) = self.of(a).map(|range| range.0) {
            self.suppose_least(b, least + apart);
        }
        if let Some(most) = self.of(b).map(|range| range.1)
            && let AstExpr::Id(name) = a
            && let Some(range) = self.of_name(name)
        {
            self.names.push((name.clone(), (range.0, range.1.min(most - apart).max(range.0))));
        }
    }

    fn suppose_least(&mut self, expression: &AstExpr, least: i128) {
        let number = |value: &AstExpr| value.as_int()?.to_i64().map(i128::from);
        match expression {
            AstExpr::Id(name) => {
                if let Some(range) = self.of_name(name) {
                    self.names.push((name.clone(), (range.0.max(least).min(range.1), range.1)));
                }
            }
            AstExpr::Add(a, b) => {
                if let Some(more) = number(b) {
                    self.suppose_least(a, least - more);
                }
            }
            AstExpr::Sub(a, b) => {
                if let Some(less) = number(b) {
                    self.suppose_least(a, least + less);
                }
            }
            AstExpr::Min(list) => list.iter().for_each(|part| self.suppose_least(part, least)),
            _ => {}
        }
    }
}
