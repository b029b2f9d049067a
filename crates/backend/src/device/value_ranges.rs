//! Whether all that kernels compute with iterators and sizes fits 32 bits, if no parameter is above a bound.
//!
//! Intervals over the loops of the tree: an iterator lies between the first value of its loop and the end of
//! it. A subscript of linear memory, `(i * n + j)`, is no sum of iterators: it fits if the array has few
//! elements, which is asked for where the kernels are launched. Intervals are coarser than sets, but bounds
//! of loops in tiles and strips have no other parts than these.
use super::extents::{Sizes, ends};
use loopwright_astgen::{AstExpr, AstNode, ForLoop, Place};
use loopwright_device::KernelPlan;
use loopwright_presburger::{Int, Name, Result};
use loopwright_schedule::{Axis, KernelMark, LoopKind, LoopMark};
use loopwright_scop::{Scop, Statement};

/// The most that parameters are taken to be, the best first. The last one leaves matrices of 16 million
/// million elements, more than any memory has.
const MOST_OF_PARAMETERS: [i64; 3] = [1 << 29, 1 << 26, 1 << 22];

/// What values stay below: half of what 32 bits hold, so that what the printer writes in another way fits as
/// well.
const LIMIT: i128 = 1 << 30;

/// The most elements of an array that is read by subscripts of 32 bits.
pub(super) const MOST_ELEMENTS: i64 = 1 << 30;

/// The most blocks along an axis, where iterators have 32 bits: those that have no block of their own are the
/// turn of others.
pub(super) const MOST_BLOCKS: i64 = 1 << 22;

/// The most that parameters may be so that all iterators and subscripts of the kernels in a tree fit 32 bits;
/// none if they do for no large one.
///
/// # Errors
/// Those of writing subscripts.
pub(super) fn most_of_parameters(
    scop: &Scop,
    (ast, plans): (&AstNode, &[KernelPlan]),
) -> Result<Option<i64>> {
    for most in MOST_OF_PARAMETERS {
        let values = Values { most: most.into(), known: Vec::new(), fit: true };
        let mut walk = Walk { scop, plans, values, sizes: None };
        walk.node(ast, None)?;
        if walk.values.fit {
            return Ok(Some(most));
        }
    }
    Ok(None)
}

/// The least and the greatest value.
#[derive(Clone, Copy)]
struct Range {
    least: i128,
    most: i128,
}

impl Range {
    fn new(least: i128, most: i128) -> Range {
        // What is far outside stays there.
        let bound = |value: i128| value.clamp(-(1 << 100), 1 << 100);
        Range { least: bound(least), most: bound(most) }
    }

    fn of(values: &[i128]) -> Range {
        let least = values.iter().copied().min().unwrap_or(0);
        Range::new(least, values.iter().copied().max().unwrap_or(0))
    }
}

struct Walk<'a> {
    scop: &'a Scop,
    plans: &'a [KernelPlan],
    values: Values,
    /// The sizes of the kernel around.
    sizes: Option<Sizes>,
}

impl Walk<'_> {
    /// A node; below a mark, the loop over a dimension is spread.
    fn node(&mut self, node: &AstNode, mark: Option<(LoopKind, usize)>) -> Result<()> {
        if !self.values.fit {
            return Ok(());
        }
        match node {
            AstNode::For(each) => {
                let kind = mark.filter(|(_, dimension)| *dimension == each.dimension);
                self.for_loop(each, kind.map(|(kind, _)| kind))
            }
            AstNode::If { condition, then, otherwise } => {
                self.values.value(condition);
                self.node(then, mark)?;
                otherwise.as_deref().map_or(Ok(()), |otherwise| self.node(otherwise, mark))
            }
            AstNode::Block(children) => {
                children.iter().try_for_each(|child| self.node(child, mark))
            }
            AstNode::Mark { name, dimension, child } => {
                if let Some(kernel) = KernelMark::parse(name) {
                    let plan = self.plans.iter().find(|plan| plan.name == kernel.name);
                    let sizes = Sizes::of(child);
                    self.sizes = Some(match plan {
                        Some(plan) => sizes.limited(plan),
                        None => sizes,
                    });
                    self.node(child, None)?;
                    self.sizes = None;
                    return Ok(());
                }
                let kind = LoopMark::parse(name).map(|mark| mark.kind);
                let spread = kind.filter(|kind| kind.is_of_kernel());
                self.node(child, spread.map(|kind| (kind, *dimension)))
            }
            AstNode::User { statement, place, .. } => {
                let name = statement.output().and_then(|tuple| tuple.name());
                let statement = name.and_then(|name| self.scop.statement_named(name));
                statement.map_or(Ok(()), |statement| self.statement(statement, place))
            }
        }
    }

    /// The forms of a statement, and the sums that places of its elements are computed with besides rows.
    fn statement(&mut self, statement: &Statement, place: &Place) -> Result<()> {
        for form in statement.body.forms() {
            self.values.value(&place.subscript(form)?);
        }
        for element in statement.body.elements() {
            let mut sum = 0;
            for subscript in &element.subscripts {
                let Range { least, most } = self.values.value(&place.subscript(subscript)?);
                sum += least.abs().max(most.abs());
            }
            self.values.record(Range::new(0, sum));
        }
        Ok(())
    }

    fn for_loop(&mut self, each: &ForLoop, kind: Option<LoopKind>) -> Result<()> {
        let step = int(&each.increment);
        let first = self.values.value(&each.init);
        let owners = kind.map_or(1, |kind| self.owners(kind));
        let last = match each.degenerate {
            true => first.most,
            false => match ends(each) {
                None => LIMIT,
                Some(list) => list.iter().map(|end| self.values.value(end).most).min().unwrap_or(0),
            },
        };
        self.values.record(Range::new(first.least, first.most + step * (owners - 1)));
        let own = Range::new(first.least, last.max(first.least));
        self.values.record(Range::new(own.least, own.most + step * owners));
        self.values.known.push((each.iterator.clone(), own));
        self.node(&each.body, None)?;
        self.values.known.pop();
        Ok(())
    }

    /// How many blocks or threads there may be.
    fn owners(&self, kind: LoopKind) -> i128 {
        let Some(sizes) = &self.sizes else { return LIMIT };
        let at = |axis: Axis| axis as usize;
        match kind {
            LoopKind::Thread(axis) => sizes.threads[at(axis)].into(),
            LoopKind::Block(axis) => {
                sizes.most_blocks[at(axis)].unwrap_or(i64::MAX).min(MOST_BLOCKS).into()
            }
            _ => LIMIT,
        }
    }
}

/// Intervals of expressions.
struct Values {
    /// The most that parameters are.
    most: i128,
    /// The iterators around.
    known: Vec<(Name, Range)>,
    /// Whether all fit that have been asked for.
    fit: bool,
}

impl Values {
    fn record(&mut self, range: Range) -> Range {
        self.fit = self.fit && range.least > -LIMIT && range.most < LIMIT;
        range
    }

    fn all(&mut self, list: &[AstExpr]) -> Vec<Range> {
        list.iter().map(|operand| self.value(operand)).collect()
    }

    /// The values of an expression; notes whether it and all of its parts fit.
    fn value(&mut self, expression: &AstExpr) -> Range {
        use AstExpr::*;
        let range = match expression {
            Int(value) => Range::of(&[int(value)]),
            Id(name) => match self.known.iter().rev().find(|(own, _)| own == name) {
                Some((_, range)) => *range,
                None => Range::new(-self.most, self.most),
            },
            Neg(a) => {
                let a = self.value(a);
                Range::new(-a.most, -a.least)
            }
            Add(a, b) => {
                let (a, b) = (self.value(a), self.value(b));
                Range::new(a.least + b.least, a.most + b.most)
            }
            Sub(a, b) => {
                let (a, b) = (self.value(a), self.value(b));
                Range::new(a.least - b.most, a.most - b.least)
            }
            Mul(a, b) => {
                let (a, b) = (self.value(a), self.value(b));
                let product = |a: i128, b: i128| a.saturating_mul(b);
                Range::of(&[
                    product(a.least, b.least),
                    product(a.least, b.most),
                    product(a.most, b.least),
                    product(a.most, b.most),
                ])
            }
            DivExact(a, b) | DivNonneg(a, b) | DivFloor(a, b) => {
                let divisor = b.as_int().map_or(1, int).max(1);
                let a = self.value(a);
                Range::new(a.least.div_euclid(divisor), a.most.div_euclid(divisor) + 1)
            }
            RemNonneg(a, b) | RemZero(a, b) => {
                self.value(a);
                let most = self.value(b).most;
                Range::new(-most, most)
            }
            Min(list) => {
                let all = self.all(list);
                let least = all.iter().map(|own| own.least).min().unwrap_or(0);
                Range::new(least, all.iter().map(|own| own.most).min().unwrap_or(0))
            }
            Max(list) => {
                let all = self.all(list);
                let least = all.iter().map(|own| own.least).max().unwrap_or(0);
                Range::new(least, all.iter().map(|own| own.most).max().unwrap_or(0))
            }
            Select(condition, a, b) | Cond(condition, a, b) => {
                self.value(condition);
                let (a, b) = (self.value(a), self.value(b));
                Range::new(a.least.min(b.least), a.most.max(b.most))
            }
            And(list) | Or(list) | AndThen(list) | OrElse(list) => {
                self.all(list);
                Range::new(0, 1)
            }
            Eq(a, b) | Le(a, b) | Lt(a, b) | Ge(a, b) | Gt(a, b) => {
                self.value(a);
                self.value(b);
                Range::new(0, 1)
            }
            Call(..) | Access(..) | Member(..) | AddressOf(_) => Range::new(-LIMIT, LIMIT),
        };
        self.record(range)
    }
}

fn int(value: &Int) -> i128 {
    value.to_i64().map_or(1 << 100, i128::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values() -> Values {
        Values { most: 1 << 20, known: vec![("c0".into(), Range::new(0, 7))], fit: true }
    }

    #[test]
    fn parts_count_as_well_as_the_whole() {
        let id = |name: &str| Box::new(AstExpr::Id(name.into()));
        let times = |factor: i64, a: Box<AstExpr>| AstExpr::Mul(Box::new(AstExpr::int(factor)), a);
        let mut small = values();
        let sum = AstExpr::Sub(Box::new(times(128, id("c0"))), id("n"));
        let range = small.value(&sum);
        assert_eq!((range.least, range.most), (-(1 << 20), 896 + (1 << 20)));
        assert!(small.fit);
        let mut large = values();
        let twice = Box::new(times(2048, id("n")));
        large.value(&AstExpr::DivFloor(twice, Box::new(AstExpr::int(2048))));
        assert!(!large.fit, "2048 n is computed on the way");
    }
}
