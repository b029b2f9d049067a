//! How many blocks and threads a kernel is launched with.
//!
//! Loops over blocks and threads are right for any number of either. So the number of blocks is a bound of the iterations of
//! their loops over everything around them in the kernel, where one is found, and that of threads the constant
//! number of iterations that loops over threads have at most, as those of strips do.
use crate::linear::Linear;
use loopwright_astgen::{AstExpr, AstNode, ForLoop};
use loopwright_device::KernelPlan;
use loopwright_presburger::Name;
use loopwright_schedule::{Axis, LoopKind, LoopMark};

/// Blocks along an axis where no bound is found: enough for any device of today.
const UNKNOWN_BLOCKS: i64 = 256;

/// Threads along an axis where no constant is found.
const UNKNOWN_THREADS: [i64; 3] = [32, 4, 2];

/// What a block may have on all devices of CUDA; others may have less, and say so when a kernel is launched.
const MOST_THREADS: i64 = 1024;

/// The sizes of a launch, by axis.
pub(super) struct Sizes {
    /// Bounds of the number of blocks, one for each loop over blocks along that axis; none at all along unused axes.
    pub(super) blocks: [Vec<AstExpr>; 3],
    /// The number of threads; one along unused axes.
    pub(super) threads: [i64; 3],
    /// Whether no loop over threads has more iterations than there are threads along its axis.
    pub(super) is_once: [bool; 3],
    /// The most blocks, where that is asked for.
    pub(super) most_blocks: [Option<i64>; 3],
}

impl Sizes {
    /// The same with no more threads and blocks than are planned: then these have several iterations each.
    pub(super) fn limited(mut self, plan: &KernelPlan) -> Sizes {
        for (axis, threads, most_blocks) in plan.limits() {
            let axis = axis as usize;
            if threads < self.threads[axis] {
                self.threads[axis] = threads;
                self.is_once[axis] = false;
            }
            self.most_blocks[axis] = most_blocks;
        }
        self
    }

    /// Those of the kernel with a body.
    pub(super) fn of(body: &AstNode) -> Sizes {
        let mut found = Found::default();
        found.visit(body, None);
        let blocks = found.blocks.map(|bounds| {
            let unknown = || AstExpr::int(UNKNOWN_BLOCKS);
            bounds.into_iter().map(|bound| bound.unwrap_or_else(unknown)).collect()
        });
        let mut is_once = [true; 3];
        let mut threads = [1; 3];
        for axis in Axis::ALL.map(|axis| axis as usize) {
            for trips in &found.threads[axis] {
                is_once[axis] &= trips.is_some();
                let least = trips.unwrap_or(UNKNOWN_THREADS[axis]).clamp(1, MOST_THREADS);
                is_once[axis] &= trips.is_none_or(|trips| trips <= MOST_THREADS);
                threads[axis] = threads[axis].max(least);
            }
        }
        while threads.iter().product::<i64>() > MOST_THREADS {
            let slowest = (0..3).rev().find(|&axis| threads[axis] > 1).unwrap_or(0);
            threads[slowest] = (threads[slowest] / 2).max(1);
            is_once[slowest] = false;
        }
        Sizes { blocks, threads, is_once, most_blocks: [None; 3] }
    }
}

/// Loops over blocks and threads, and the loops around a place in a kernel.
#[derive(Default)]
struct Found {
    blocks: [Vec<Option<AstExpr>>; 3],
    threads: [Vec<Option<i64>>; 3],
    /// The iterators around, each with its least and its greatest value where these are known.
    around: Vec<(Name, Option<AstExpr>, Option<AstExpr>)>,
}

impl Found {
    fn visit(&mut self, node: &AstNode, mark: Option<(LoopKind, usize)>) {
        match node {
            AstNode::For(each) => self.visit_loop(each, mark),
            AstNode::If { then, otherwise, .. } => {
                self.visit(then, mark);
                otherwise.iter().for_each(|otherwise| self.visit(otherwise, mark));
            }
            AstNode::Block(children) => children.iter().for_each(|child| self.visit(child, mark)),
            AstNode::Mark { name, dimension, child } => {
                let kind = LoopMark::parse(name).map(|mark| mark.kind);
                let own = kind.filter(|kind| kind.is_of_kernel()).map(|kind| (kind, *dimension));
                self.visit(child, own.or(mark));
            }
            AstNode::User { .. } => {}
        }
    }

    fn visit_loop(&mut self, each: &ForLoop, mark: Option<(LoopKind, usize)>) {
        let least = self.bound(&each.init, false);
        let end = match each.degenerate {
            true => Some(next(&each.init)),
            false => ends(each).map(AstExpr::min),
        };
        let end = end.and_then(|end| self.bound(&end, true));
        let most = end.clone().map(|end| simplified(&minus(end, AstExpr::int(1))));
        match mark.filter(|(_, dimension)| *dimension == each.dimension) {
            Some((LoopKind::Block(axis), _)) => {
                let count = least.clone().zip(end).map(|(least, end)| count(each, least, end));
                self.blocks[axis as usize].push(count);
            }
            Some((LoopKind::Thread(axis), _)) => {
                self.threads[axis as usize].push(constant_trips(each));
            }
            _ => {}
        }
        self.around.push((each.iterator.clone(), least, most));
        self.visit(&each.body, None);
        self.around.pop();
    }

    /// A bound of an expression from above or below in which no iterator of the kernel is left.
    fn bound(&self, expression: &AstExpr, above: bool) -> Option<AstExpr> {
        use AstExpr::*;
        let boxed = |expression, above| self.bound(expression, above).map(Box::new);
        let scaled = |factor: &AstExpr, other: &AstExpr, above: bool| {
            let value = factor.as_int()?;
            let above = above != value.is_negative();
            Some(Mul(Box::new(factor.clone()), Box::new(self.bound(other, above)?)))
        };
        Some(match expression {
            Int(_) => expression.clone(),
            Id(name) => match self.around.iter().rev().find(|(own, ..)| own == name) {
                None => expression.clone(),
                Some((_, least, most)) => if above { most } else { least }.clone()?,
            },
            Neg(a) => Neg(boxed(a, !above)?),
            Add(a, b) => Add(boxed(a, above)?, boxed(b, above)?),
            Sub(a, b) => Sub(boxed(a, above)?, boxed(b, !above)?),
            Mul(a, b) if a.as_int().is_some() => scaled(a, b, above)?,
            Mul(a, b) if b.as_int().is_some() => scaled(b, a, above)?,
            DivExact(a, b) | DivNonneg(a, b) | DivFloor(a, b) if b.as_int().is_some() => {
                match self.around.iter().any(|(name, ..)| a.mentions(name)) {
                    false => expression.clone(),
                    true => DivFloor(boxed(a, above)?, b.clone()),
                }
            }
            Min(list) => AstExpr::min(self.bounds(list, above)?),
            Max(list) => AstExpr::max(self.bounds(list, above)?),
            other if !self.around.iter().any(|(name, ..)| other.mentions(name)) => other.clone(),
            _ => return None,
        })
    }

    fn bounds(&self, list: &[AstExpr], above: bool) -> Option<Vec<AstExpr>> {
        list.iter().map(|operand| self.bound(operand, above)).collect()
    }
}

/// A sum in its shortest form.
fn simplified(expression: &AstExpr) -> AstExpr {
    Linear::of(expression).map_or_else(|| expression.clone(), |form| form.to_expression())
}

/// The iterations of a loop from a first value on, before an end.
fn count(each: &ForLoop, least: AstExpr, end: AstExpr) -> AstExpr {
    let distance = simplified(&minus(end, least));
    match each.increment.to_i64() {
        Some(1) => distance,
        step => {
            let round = AstExpr::int(step.unwrap_or(1) - 1);
            let rounded = AstExpr::Add(Box::new(distance), Box::new(round));
            AstExpr::DivFloor(Box::new(rounded), Box::new(AstExpr::Int(each.increment.clone())))
        }
    }
}

fn minus(from: AstExpr, what: AstExpr) -> AstExpr {
    match what.as_int().is_some_and(|value| value.is_zero()) {
        true => from,
        false => AstExpr::Sub(Box::new(from), Box::new(what)),
    }
}

/// The value after this one.
fn next(value: &AstExpr) -> AstExpr {
    simplified(&AstExpr::Add(Box::new(value.clone()), Box::new(AstExpr::int(1))))
}

/// The expressions that a loop's iterator is less than; none if its condition has another form.
pub(super) fn ends(each: &ForLoop) -> Option<Vec<AstExpr>> {
    let is_own = |side: &AstExpr| matches!(side, AstExpr::Id(name) if *name == each.iterator);
    let (bound, is_strict) = match &each.condition {
        AstExpr::Lt(a, b) if is_own(a) => (b, true),
        AstExpr::Le(a, b) if is_own(a) => (b, false),
        _ => return None,
    };
    let list = match &**bound {
        AstExpr::Min(list) => list.clone(),
        other => vec![other.clone()],
    };
    Some(list.into_iter().map(|bound| if is_strict { bound } else { next(&bound) }).collect())
}

/// The expressions of which a loop's first value is the greatest.
pub(super) fn starts(each: &ForLoop) -> Vec<AstExpr> {
    match &each.init {
        AstExpr::Max(list) => list.clone(),
        other => vec![other.clone()],
    }
}

/// The iterations of a loop, at most, if there is a constant.
fn constant_trips(each: &ForLoop) -> Option<i64> {
    if each.degenerate {
        return Some(1);
    }
    let (starts, ends) = (starts(each), ends(each)?);
    let pairs = ends.iter().flat_map(|end| starts.iter().map(move |start| (end, start)));
    let least = pairs.filter_map(|(end, start)| distance(end, start)).min()?;
    let step = each.increment.to_i64().filter(|step| *step > 0)?;
    Some((least + step - 1).div_euclid(step))
}

/// `last - first`, if that is a constant.
pub(super) fn distance(last: &AstExpr, first: &AstExpr) -> Option<i64> {
    Linear::of(last)?.minus(&Linear::of(first)?).as_int()?.to_i64()
}
