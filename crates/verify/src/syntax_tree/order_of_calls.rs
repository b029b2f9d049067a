//! The calls of a syntax tree run in the order of their times.
//!
//! The tree is walked from the root with a number `d`: for equal values of the outer iterators the
//! first `d` components of the schedule are known to be equal. At a loop, components that do not
//! depend on its iterator are passed, and if the next component strictly increases with the
//! iterator (and depends on nothing further inside), the loop is in order and the component is
//! passed too; otherwise all pairs of calls in different iterations are compared. In a block the
//! calls of every earlier child are compared with those of every later one.
//!
//! Pairs need not be compared where the times are one function and constants ([`PlainTimes`]): in a
//! block if the constants increase from child to child, at a loop if the function increases by more
//! than they differ.
use crate::order::schedule::MERGE_STEPS;
use crate::order::schedule::{Comparison, Components};
use crate::syntax_tree::expression::unsupported;
use crate::syntax_tree::loops::{Call, Structure};
use crate::syntax_tree::plain_times::PlainTimes;
use crate::verdict::{Violation, is_soon_empty, violation_if_any};
use loopwright_presburger::{
    BasicMap, Budget, Constraint, DimKind, Int, Map, Result, Row, Space, Tuple,
};
use loopwright_schedule::UnorderedLevel;

/// Steps for finding out that a component of the times does not depend on a loop.
const CONSTANT_STEPS: u64 = 300_000;

/// Steps for finding out that a component of the times is the iterator of a loop.
const ITERATOR_STEPS: u64 = 300_000;

/// What the calls of a tree are compared with.
pub(crate) struct CallOrder<'a> {
    /// All calls.
    pub(crate) calls: &'a [Call],
    /// The number of components of a time.
    pub(crate) n_levels: usize,
    /// The components at which some instances may come in any order.
    pub(crate) unordered: &'a [UnorderedLevel],
    /// The limit of the proof.
    pub(crate) budget: &'a Budget,
    /// Components of the times of calls.
    pub(crate) components: Components,
}

impl CallOrder<'_> {
    /// Checks a part of the tree for equal values of the iterators around it, where the first `level`
    /// components of the times are known to be equal.
    pub(crate) fn check(
        &self,
        node: &Structure,
        level: usize,
        violations: &mut Vec<Violation>,
    ) -> Result<()> {
        match node {
            Structure::Call(_) => Ok(()),
            Structure::Block(children) => {
                let pairwise = !self.is_plainly_ascending(children, level);
                for (index, later) in children.iter().enumerate() {
                    for earlier in children[..index].iter().filter(|_| pairwise) {
                        self.check_pairs(earlier, later, level, None, violations)?;
                    }
                    self.check(later, level, violations)?;
                }
                Ok(())
            }
            Structure::Loop { depth, body } => {
                let calls = body.calls();
                let mut level = level;
                while level < self.n_levels
                    && !self.plainly_depends(&calls, *depth, level)
                    && self.is_constant(&calls, *depth, level)?
                {
                    level += 1;
                }
                if level < self.n_levels && self.is_increasing(&calls, *depth, level)? {
                    level += 1;
                } else if level < self.n_levels
                    && !self.iterations_plainly_ascend(&calls, *depth, level)
                {
                    self.check_pairs(body, body, level, Some(*depth), violations)?;
                }
                self.check(body, level, violations)
            }
        }
    }

    /// Whether the times of siblings, from `level` on, plainly are a common function of the
    /// parameters and the loops around them, and constants that increase from one to the next.
    fn is_plainly_ascending(&self, siblings: &[Structure], level: usize) -> bool {
        let around = siblings.iter().map(|node| node.own_depth(self.calls)).min().unwrap_or(0);
        let calls: Vec<Vec<usize>> = siblings.iter().map(Structure::calls).collect();
        let all = calls.concat();
        let mut constants: Vec<Vec<Int>> = vec![Vec::new(); all.len()];
        for level in level..self.n_levels {
            let Some(times) = self.plain_times(&all, around, level) else { break };
            constants.iter_mut().zip(times.constants).for_each(|(all, one)| all.push(one));
        }
        let (mut rest, mut before) = (&constants[..], None);
        calls.iter().all(|calls| {
            let (own, others) = rest.split_at(calls.len());
            let is_after = before.is_none_or(|before| own.iter().all(|one| before < one));
            (rest, before) = (others, own.iter().max().or(before));
            is_after
        })
    }

    /// Whether the times at `level` plainly are a common function, which increases with iterator `n`
    /// by more than the constants differ that are added to it.
    fn iterations_plainly_ascend(&self, calls: &[usize], n: usize, level: usize) -> bool {
        self.plain_times(calls, n + 1, level)
            .is_some_and(|times| times.step().is_some_and(|step| times.spread() < *step))
    }

    /// The times of calls at `level`, if these plainly are functions of the outer `n` iterators.
    fn plain_times(&self, calls: &[usize], n: usize, level: usize) -> Option<PlainTimes> {
        PlainTimes::of(calls.iter().map(|call| &self.calls[*call].time), n, level)
    }

    /// As [`CallOrder::plain_times`], the same time for all calls.
    fn common_time(&self, calls: &[usize], n: usize, level: usize) -> Option<PlainTimes> {
        self.plain_times(calls, n, level).filter(|times| times.spread().is_zero())
    }

    /// Whether the time at `level` plainly increases with iterator `n`.
    fn plainly_depends(&self, calls: &[usize], n: usize, level: usize) -> bool {
        self.common_time(calls, n + 1, level)
            .is_some_and(|times| times.step().is_some_and(|step| !step.is_zero()))
    }

    /// From the outer `n` iterators to the time at `level`, for one call.
    fn component(&self, call: usize, n: usize, level: usize) -> Map {
        let call = &self.calls[call];
        let last = self.n_levels - level - 1;
        call.time
            .project_out(DimKind::Out, level + 1, last)
            .project_out(DimKind::Out, 0, level)
            .project_out(DimKind::In, n, call.depth - n)
    }

    /// Whether the time at `level` is a function of the outer `n` iterators, for all calls together.
    fn is_constant(&self, calls: &[usize], n: usize, level: usize) -> Result<bool> {
        let fixed =
            |call: &usize| self.calls[*call].time.plain_get_val_if_fixed(DimKind::Out, level);
        let first = calls.first().and_then(fixed);
        if first.is_some() && calls.iter().all(|call| fixed(call) == first) {
            return Ok(true);
        }
        if self.common_time(calls, n, level).is_some() {
            return Ok(true);
        }
        // To say no may cost the search for a point. It is not needed: iterations are compared then.
        let merged = self.merged(calls, n, level)?;
        let found = self.budget.attempt(CONSTANT_STEPS, |part| merged.is_single_valued(part))?;
        Ok(found.unwrap_or(false))
    }

    /// Whether the time at `level` strictly increases with iterator `n`, and depends on no further.
    fn is_increasing(&self, calls: &[usize], n: usize, level: usize) -> Result<bool> {
        if let Some(times) = self.common_time(calls, n + 1, level) {
            return Ok(times.step().is_some_and(Int::is_positive));
        }
        let time = self.merged(calls, n + 1, level)?;
        if self.budget.attempt(ITERATOR_STEPS, |part| is_last(&time, part))? == Some(true) {
            return Ok(true);
        }
        let earlier_not_less =
            time.apply_range(&not_less())?.apply_range(&time.reverse())?.intersect(&iterates(n))?;
        Ok(earlier_not_less.is_empty(self.budget)? && time.is_single_valued(self.budget)?)
    }

    fn merged(&self, calls: &[usize], n: usize, level: usize) -> Result<Map> {
        let mut components = calls.iter().map(|call| self.component(*call, n, level));
        let Some(first) = components.next() else {
            return Err(unsupported("a loop without calls"));
        };
        components.try_fold(first, |a, b| a.union(&b))?.coalesce_up_to(MERGE_STEPS, self.budget)
    }

    /// Compares all calls of `earlier` with those of `later` for equal outer iterators (those
    /// common to both, or in different iterations of the loop at `in_loop`).
    fn check_pairs(
        &self,
        earlier: &Structure,
        later: &Structure,
        level: usize,
        in_loop: Option<usize>,
        violations: &mut Vec<Violation>,
    ) -> Result<()> {
        let common = in_loop.unwrap_or_else(|| self.common_depth(earlier, later));
        for a in earlier.calls() {
            for b in later.calls() {
                if let Some(violation) = self.check_pair(a, b, level, common, in_loop.is_some())? {
                    violations.push(violation);
                }
            }
        }
        Ok(())
    }

    /// The number of loops around two siblings.
    fn common_depth(&self, earlier: &Structure, later: &Structure) -> usize {
        let depth = |node: &Structure| node.own_depth(self.calls);
        depth(earlier).min(depth(later))
    }

    /// Whether both calls run statements below one set node with this level.
    fn is_unordered(&self, level: usize, first: &Call, second: &Call) -> bool {
        let reaches = |unordered: &UnorderedLevel, call: &Call| {
            let space = call.instances.space();
            unordered.instances.sets().iter().any(|set| set.space().output() == space.output())
        };
        let at_level = self.unordered.iter().filter(|unordered| unordered.level == level);
        at_level.into_iter().any(|u| reaches(u, first) && reaches(u, second))
    }

    fn check_pair(
        &self,
        a: usize,
        b: usize,
        level: usize,
        common: usize,
        in_loop: bool,
    ) -> Result<Option<Violation>> {
        let (first, second) = (&self.calls[a], &self.calls[b]);
        let mut rest: Option<Map> = None;
        for level in level..self.n_levels {
            let fixed = |call: &Call| call.time.plain_get_val_if_fixed(DimKind::Out, level);
            match (fixed(first), fixed(second)) {
                (Some(x), Some(y)) if x < y => return Ok(None),
                (Some(x), Some(y)) if x == y => continue,
                (Some(_), Some(_)) if self.is_unordered(level, first, second) => return Ok(None),
                _ => {}
            }
            let pairs = match rest.take() {
                Some(rest) => rest,
                None => same_iterators(first, second, common, in_loop)?,
            };
            if is_soon_empty(&pairs, self.budget)? {
                return Ok(None);
            }
            let (x, y) = ((a, &first.time), (b, &second.time));
            let compare = |c| self.components.at_level(x, y, level, c, self.budget);
            let wrong = pairs.intersect(&compare(Comparison::Greater)?)?;
            let message = || "two calls are executed against the order of the schedule".to_string();
            if let Some(violation) = violation_if_any(&wrong, message, self.budget)? {
                return Ok(Some(violation));
            }
            rest = Some(pairs.intersect(&compare(Comparison::Equal)?)?);
        }
        Ok(None)
    }
}

/// Pairs of iterator values that agree on the outer `common`, and are in increasing order of the
/// next if `in_loop`.
fn same_iterators(first: &Call, second: &Call, common: usize, in_loop: bool) -> Result<Map> {
    let (a, b) = (first.instances.domain(), second.instances.domain());
    let mut pairs = Map::from_domain_and_range(&a, &b)?;
    for dim in 0..common {
        pairs = pairs.equate(DimKind::In, dim, DimKind::Out, dim);
    }
    Ok(if in_loop { pairs.order_lt(DimKind::In, common, DimKind::Out, common) } else { pairs })
}

/// Whether a time is the last of the iterators: this is seen piece by piece, while times in general are
/// compared pair by pair.
fn is_last(time: &Map, budget: &Budget) -> Result<bool> {
    let Some(last) = time.n(DimKind::In).checked_sub(1) else { return Ok(false) };
    let function = Map::universe(time.space().clone()).equate(DimKind::In, last, DimKind::Out, 0);
    time.is_subset(&function, budget)
}

/// `{ [t] -> [u] : t >= u }`.
fn not_less() -> Map {
    let space = Space::map(&[], Tuple::anonymous(1), Tuple::anonymous(1));
    let row = Row::from_i64s(&[0, 1, -1]);
    let constraint = Constraint { is_equality: false, row };
    Map::from_basic_map(BasicMap::from_constraints(space, Vec::new(), vec![constraint]))
}

/// `{ [o, c] -> [o, d] : c < d }` with `n` outer iterators.
fn iterates(n: usize) -> Map {
    let space = Space::map(&[], Tuple::anonymous(n + 1), Tuple::anonymous(n + 1));
    let equal = |dim: usize, constant: i64| {
        let mut row = Row::zeros(1 + 2 * (n + 1));
        row.set(0, Int::from(constant));
        row.set(1 + dim, Int::from(-1));
        row.set(1 + n + 1 + dim, Int::from(1));
        row
    };
    let mut constraints: Vec<Constraint> =
        (0..n).map(|dim| Constraint { is_equality: true, row: equal(dim, 0) }).collect();
    constraints.push(Constraint { is_equality: false, row: equal(n, -1) });
    Map::from_basic_map(BasicMap::from_constraints(space, Vec::new(), constraints))
}
