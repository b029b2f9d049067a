//! How many blocks and threads a kernel is launched with.
//!
//! Loops over blocks and threads are right for any number of either. So the number of blocks is a bound of
//! the iterations of their loops over everything around them in the kernel, where one is found, and that of
//! threads the constant number of iterations that loops over threads have at most, as those of strips do.
//!
//! Which block or thread an iteration belongs to has to be a function of the values of the loops over blocks
//! and threads, in all of the kernel: that is what is proved about the tree. The first iteration of a loop
//! can be that of the first thread only if all loops along that axis begin at one value and have one step, in
//! all iterations of sequential loops around them. Otherwise the value counts: value v belongs to thread v
//! mod n ([`Sizes::by_value`]).
use crate::linear::Linear;
use loopwright_astgen::{AstExpr, AstNode, ForLoop};
use loopwright_device::KernelPlan;
use loopwright_presburger::{Int, Name};
use loopwright_schedule::{Axis, LoopKind, LoopMark};

/// Blocks along an axis where no bound is found: enough for any device of today.
const UNKNOWN_BLOCKS: i64 = 256;

/// Threads along an axis where no constant is found.
const UNKNOWN_THREADS: [i64; 3] = [32, 4, 2];

/// What a block may have on all devices of CUDA; others may have less, and say so when a kernel is launched.
const MOST_THREADS: i64 = 1024;

/// The sizes of a launch, by axis.
pub(super) struct Sizes {
    /// Bounds of the number of blocks, one for each loop over blocks along that axis; none at all along
    /// unused axes.
    pub(super) blocks: [Vec<AstExpr>; 3],
    /// The number of threads; one along unused axes.
    pub(super) threads: [i64; 3],
    /// Whether no loop over threads has more iterations than there are threads along its axis.
    pub(super) is_once: [bool; 3],
    /// The loops whose values, and not their first ones, say which block or thread an iteration belongs to.
    pub(super) by_value: Vec<LoopKind>,
    /// What loops of the kernel are spread over.
    pub(super) used: Vec<LoopKind>,
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
        let by_value = found.by_value();
        let mut used: Vec<LoopKind> = Vec::new();
        for (kind, _) in &found.places {
            if !used.contains(kind) {
                used.push(*kind);
            }
        }
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
        Sizes { blocks, threads, is_once, by_value, used, most_blocks: [None; 3] }
    }

    /// Whether values say which block or thread an iteration of a loop belongs to.
    pub(super) fn is_by_value(&self, kind: LoopKind) -> bool {
        self.by_value.contains(&kind)
    }
}

/// Where code of a loop over blocks or threads begins.
enum Start {
    /// At a value that only depends on what is outside of the kernel; the values go on by a step.
    Fixed(AstExpr, Int),
    /// At one that depends on loops over blocks and threads as well; also if there is one value, and no loop.
    InBlock,
    /// At one that depends on sequential loops.
    Varying,
}

/// Loops over blocks and threads, and the loops around a place in a kernel.
#[derive(Default)]
struct Found {
    blocks: [Vec<Option<AstExpr>>; 3],
    threads: [Vec<Option<i64>>; 3],
    /// The iterators around, each with its least and its greatest value where these are known.
    around: Vec<(Name, Option<AstExpr>, Option<AstExpr>)>,
    /// The iterators of sequential loops around.
    sequential: Vec<Name>,
    /// The places with code of a loop over blocks or threads.
    places: Vec<(LoopKind, Start)>,
}

impl Found {
    /// The kinds of loops that begin at several values.
    fn by_value(&self) -> Vec<LoopKind> {
        let mut kinds: Vec<LoopKind> = Vec::new();
        for (position, (kind, start)) in self.places.iter().enumerate() {
            let mut others = self.places[..position].iter().filter(|(other, _)| other == kind);
            let is_same = |other: &Start| match (start, other) {
                (Start::Fixed(own, step), Start::Fixed(other, again)) => {
                    own == other && step == again
                }
                _ => false,
            };
            let varies =
                matches!(start, Start::Varying) || others.any(|(_, other)| !is_same(other));
            if varies && !kinds.contains(kind) {
                kinds.push(*kind);
            }
        }
        kinds
    }

    fn start(&self, each: &ForLoop) -> Start {
        if self.sequential.iter().any(|name| each.init.mentions(name)) {
            return Start::Varying;
        }
        let is_inside = self.around.iter().any(|(name, ..)| each.init.mentions(name));
        // Of several values that bound it from below, a loop may begin at the strip's first one.
        match is_inside || starts(each).len() > 1 {
            true => Start::InBlock,
            false => Start::Fixed(each.init.clone(), each.increment.clone()),
        }
    }

    fn visit(&mut self, node: &AstNode, mark: Option<(LoopKind, usize)>) {
        let is_own_loop = |mark: &(LoopKind, usize)| matches!(node, AstNode::For(each) if each.dimension == mark.1);
        let is_end = matches!(node, AstNode::For(_) | AstNode::Mark { .. } | AstNode::User { .. });
        if let Some((kind, _)) = mark.filter(|mark| is_end && !is_own_loop(mark)) {
            self.places.push((kind, Start::InBlock));
        }
        let mark = mark.filter(|mark| !is_end || is_own_loop(mark));
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
                self.visit(child, own);
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
        self.places.extend(mark.map(|(kind, _)| (kind, self.start(each))));
        match mark {
            Some((LoopKind::Block(axis), _)) => {
                let count = least.clone().zip(end).map(|(least, end)| count(each, least, end));
                self.blocks[axis as usize].push(count);
            }
            Some((LoopKind::Thread(axis), _)) => {
                self.threads[axis as usize].push(constant_trips(each));
            }
            _ => {}
        }
        let n_sequential = self.sequential.len();
        self.sequential.extend(mark.is_none().then(|| each.iterator.clone()));
        self.around.push((each.iterator.clone(), least, most));
        self.visit(&each.body, None);
        self.around.pop();
        self.sequential.truncate(n_sequential);
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
pub(super) fn constant_trips(each: &ForLoop) -> Option<i64> {
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
