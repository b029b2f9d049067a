//! What depends on each other in one launch of a kernel is in one block, and in one thread or on both sides
//! of a barrier.
//!
//! # What is checked
//! The block of an instance is given by the values of the loops over blocks that it is in, its thread by
//! those of the loops over threads; without a loop along an axis it is the first one. The values count and
//! not the loops: two instances with equal values are in one thread, wherever they stand in the kernel. For
//! every dependence between two instances of one launch
//!
//! * the blocks are the same, or there is an execution of a barrier across blocks after the source and before
//!   the sink, in the order of the tree;
//! * the threads are the same, or there is an execution of any barrier after the source and before the sink;
//! * there is one in any case, if the source is a copy that the thread does not wait for (`asynchronous.rs`);
//! * there is none where lanes of a warp read each other's registers by a shuffle to which all of them come
//!   (`shuffles.rs`).
//!
//! Then whatever two instances do to one element is ordered: dependences are chains from access to access
//! ("Scheduling for PPCG", section 3.3). Live ranges that change places have no such chain, so they are
//! refuted in kernels with barriers.
//!
//! # Method
//! From the launch inwards: pairs that are together so far come apart at a sequence or at a band. For each
//! subtree it is known after which instances a barrier is executed in it, before which ones, and for which
//! values of the schedule outside it has one at all ([`Coverage`]). A barrier is executed where there is an
//! instance below its mark.
use crate::order::asynchronous::asynchronous_statements;
use crate::order::between::{has_value_between, with_value_after, with_value_before};
use crate::order::blocks_and_threads::Axes;
use crate::order::kernels::is_barrier;
use crate::order::schedule::{Comparison, Times};
use crate::order::shuffles::{Shuffles, wrong_shuffles};
use crate::verdict::{Proof, Violation, violation_if_any};
use loopwright_dataflow::{Dependence, Dependences};
use loopwright_presburger::{Budget, DimKind, Map, Result, Set, Space, Tuple};
use loopwright_schedule::{GridBarrierMark, KernelMark, LoopKind, Node, Reaching, ScheduleTree};
use loopwright_scop::Scop;
use std::collections::BTreeMap;

/// Checks that barriers order what depends on each other in different blocks of a launch, or in different
/// threads of a block.
///
/// The dependences are a value, so that those of packed or contracted arrays can be given as well.
///
/// *Exactness.* Exact for all values of the parameters in the scop's context, if the loops of kernels are
/// written by value. *Cost.* Some subtractions and emptiness checks per dependence between threads and node
/// of a kernel.
///
/// # Errors
/// Those of the operations; a limit is an outcome.
pub fn check_barriers(
    scop: &Scop,
    dependences: &Dependences,
    tree: &ScheduleTree,
    budget: &Budget,
) -> Result<Proof> {
    let whole = ScheduleTree::new(tree.whole_spaces()?, tree.root.clone());
    let order = &Times::new(scop, &tree.flatten_on_whole_spaces()?);
    let check = Check { scop, dependences, order, budget, who: Who::Threads };
    let at = At { whole: Reaching::root(&whole), exact: Reaching::root(tree) };
    let mut violations = Vec::new();
    let result = check.outside(&tree.root, &at, &mut violations);
    Proof::from_violations(result.map(|()| violations))
}

/// Who has to wait for whom.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Who {
    /// Threads of a block, at any barrier.
    Threads,
    /// Blocks of a launch, at those across blocks.
    Blocks,
}

impl Who {
    fn waits_at(self, mark: &str) -> bool {
        match self {
            Who::Threads => is_barrier(mark),
            Who::Blocks => GridBarrierMark::parse(mark).is_some(),
        }
    }

    /// Whether there is a barrier in a subtree at which they wait.
    fn waits_in(self, node: &Node) -> bool {
        let is_own = |node: &Node| matches!(node, Node::Mark(name, _) if self.waits_at(name));
        !node.every_descendant(&|node| !is_own(node))
    }
}

#[derive(Clone, Copy)]
struct Check<'a> {
    scop: &'a Scop,
    dependences: &'a Dependences,
    /// The times of all instances.
    order: &'a Times,
    budget: &'a Budget,
    who: Who,
}

/// What reaches a node: of all points of the spaces, and of the instances.
struct At {
    whole: Reaching,
    exact: Reaching,
}

impl At {
    fn below(&self, node: &Node) -> Result<Vec<At>> {
        let (whole, exact) = (self.whole.below(node)?, self.exact.below(node)?);
        Ok(whole.into_iter().zip(exact).map(|(whole, exact)| At { whole, exact }).collect())
    }

    /// What reaches the child of a filter below a sequence.
    fn inside(&self, filter: &Node) -> Result<At> {
        Ok(At { whole: self.whole.descend(filter, 0)?, exact: self.exact.descend(filter, 0)? })
    }

    /// From the points of a statement to the values of the bands outside.
    fn prefix(&self, scop: &Scop) -> Result<Times> {
        Ok(Times::new(scop, &self.whole.prefix_schedule()?))
    }

    /// The values of the bands outside for which there are instances.
    fn executed(&self, budget: &Budget) -> Result<Set> {
        let tuple = Tuple::anonymous(self.exact.depth());
        let range = self.exact.prefix_schedule()?.range();
        let all = range.extract(&Space::set(range.params_space().param_names(), tuple));
        all.coalesce(budget)
    }
}

/// The tree in which each band has one member.
fn with_single_members(node: &Node) -> Node {
    let mut result = match node {
        Node::Band(band, child) if band.n_members() > 1 => {
            let (first, rest) = band.split(1);
            Node::band(first, Node::band(rest, (**child).clone()))
        }
        other => other.clone(),
    };
    for child in result.children_mut() {
        *child = with_single_members(child);
    }
    result
}

/// Pairs of instances that a dependence relates, in different threads of one block or in different blocks.
#[derive(Clone)]
struct Pairs<'a> {
    dependence: &'a Dependence,
    relation: Map,
}

/// The barriers of a subtree.
#[derive(Default)]
struct Coverage {
    /// The values of the bands outside for which a barrier is executed in it, if there are any.
    always: Option<Set>,
    /// For each statement the instances after which there is one.
    after: BTreeMap<usize, Set>,
    /// For each statement the instances before which there is one.
    before: BTreeMap<usize, Set>,
}

fn add(all: &mut BTreeMap<usize, Set>, statement: usize, more: Set) -> Result<()> {
    if more.plain_is_empty() {
        return Ok(());
    }
    let all = all.entry(statement).or_insert_with(|| Set::empty(more.space().clone()));
    *all = all.union(&more)?;
    Ok(())
}

impl<'a> Check<'a> {
    /// The part of a tree that the host runs.
    fn outside(&self, node: &Node, at: &At, violations: &mut Vec<Violation>) -> Result<()> {
        if let Node::Mark(name, child) = node
            && KernelMark::parse(name).is_some()
        {
            return self.kernel(child, at, violations);
        }
        for (child, below) in node.children().iter().zip(at.below(node)?) {
            self.outside(child, &below, violations)?;
        }
        Ok(())
    }

    fn kernel(&self, node: &Node, at: &At, violations: &mut Vec<Violation>) -> Result<()> {
        let node = &with_single_members(node);
        violations.extend(wrong_shuffles(self.scop, node, &at.exact, self.budget)?);
        let shuffles = Shuffles::of_kernel(node, &at.whole)?;
        let axes = Axes::of_kernel(self.scop, node, &at.whole)?;
        if axes.values.is_empty() {
            return Ok(());
        }
        let launch = at.prefix(self.scop)?;
        let private = axes.private(self.scop);
        let is_shared = |pair: &&Dependence| !private.contains(&pair.array);
        let Dependences { flow, order, forced, .. } = self.dependences;
        let everywhere = flow.iter().chain(forced).chain(self.dependences.reassociated());
        let has_barriers = Who::Threads.waits_in(node);
        let asynchronous = asynchronous_statements(node, &at.whole)?;
        let (mut apart, mut in_blocks) = (Vec::new(), Vec::new());
        for dependence in everywhere.chain(order.iter().filter(is_shared)) {
            let Some(together) = self.in_one_launch(dependence, &launch)? else { continue };
            if has_barriers {
                self.reversed(&together, dependence, violations)?;
            }
            let (in_one_block, others) = self.divided(together, dependence, &axes)?;
            in_blocks.extend(others.into_iter().map(|relation| Pairs { dependence, relation }));
            let source = &self.scop.statement(dependence.source.0).name;
            let ends = [dependence.source, dependence.sink];
            let need_barriers = match asynchronous.contains(source) {
                true => vec![in_one_block],
                false if ends.iter().any(|end| shuffles.read(self.scop, *end)) => Vec::new(),
                false => axes.different_threads(in_one_block, dependence, self.budget)?,
            };
            for relation in need_barriers {
                apart.push(Pairs { dependence, relation });
            }
        }
        if !in_blocks.is_empty() {
            let across = Check { who: Who::Blocks, ..*self };
            across.visit(node, at, in_blocks, violations)?;
        }
        self.visit(node, at, apart, violations)?;
        Ok(())
    }

    /// The pairs of a dependence that are executed by one launch.
    fn in_one_launch(&self, dependence: &Dependence, launch: &Times) -> Result<Option<Map>> {
        let (source, sink) = (launch.of(dependence.source.0), launch.of(dependence.sink.0));
        let (Some(a), Some(b)) = (source, sink) else { return Ok(None) };
        let relation = dependence.relation.intersect_params(&self.scop.context)?;
        let mut relation = relation.intersect_domain(&a.domain())?.intersect_range(&b.domain())?;
        for level in 0..a.n(DimKind::Out) {
            let equal = launch.compared_at(
                (dependence.source.0, dependence.sink.0),
                level,
                Comparison::Equal,
                self.budget,
            )?;
            relation = relation.intersect(&equal)?;
        }
        Ok((!relation.is_empty(self.budget)?).then_some(relation))
    }

    /// Those pairs that are in one block, and the others in parts.
    fn divided(
        &self,
        mut relation: Map,
        dependence: &Dependence,
        axes: &Axes,
    ) -> Result<(Map, Vec<Map>)> {
        let mut others = Vec::new();
        for values in axes.of(|kind| matches!(kind, LoopKind::Block(_))) {
            let (same, different) = Axes::divided(&relation, dependence, values, self.budget)?;
            for part in different {
                if !part.plain_is_empty() && !part.is_empty(self.budget)? {
                    others.push(part);
                }
            }
            relation = same;
        }
        Ok((relation, others))
    }

    fn describe(&self, what: &str, dependence: &Dependence) -> String {
        let statement = |id: loopwright_scop::StatementId| &self.scop.statements[id.0 as usize];
        let (source, sink) = (statement(dependence.source.0), statement(dependence.sink.0));
        format!(
            "an instance of {} (line {}) {what} one of {} (line {}) that depends on it through `{}`",
            source.name,
            source.location.line,
            sink.name,
            sink.location.line,
            self.scop.array(dependence.array).name
        )
    }

    /// Live ranges that change places in a launch.
    fn reversed(
        &self,
        relation: &Map,
        dependence: &Dependence,
        violations: &mut Vec<Violation>,
    ) -> Result<()> {
        let (source, sink) = (dependence.source.0, dependence.sink.0);
        for part in self.order.not_before(source, sink, relation, self.budget)? {
            let what = "changes places, in a kernel with barriers, with";
            let message = || self.describe(what, dependence);
            violations.extend(violation_if_any(&part, message, self.budget)?);
        }
        Ok(())
    }

    /// The barriers of a subtree, after a look at the pairs that both are in it.
    fn visit(
        &self,
        node: &Node,
        at: &At,
        pairs: Vec<Pairs<'a>>,
        violations: &mut Vec<Violation>,
    ) -> Result<Coverage> {
        match node {
            Node::Leaf => Ok(Coverage::default()),
            Node::Sequence(children) => self.sequence(children, at, pairs, violations),
            Node::Band(..) => self.band(node, at, pairs, violations),
            Node::Mark(name, child) => {
                let mut inside = self.visit(child, at, pairs, violations)?;
                if self.who.waits_at(name) {
                    inside.always = Some(at.executed(self.budget)?);
                    for (statement, time) in at.prefix(self.scop)?.times.iter().enumerate() {
                        if let Some(time) = time {
                            inside.before.insert(statement, time.domain());
                        }
                    }
                }
                Ok(inside)
            }
            Node::Filter(_, child) | Node::Context(_, child) | Node::Guard(_, child) => {
                self.visit(child, &at.inside(node)?, pairs, violations)
            }
            Node::Set(_) | Node::Extension(..) | Node::Expansion { .. } => {
                for Pairs { dependence, relation } in pairs {
                    let what = "is in no order that is known, and in another thread than";
                    let message = || self.describe(what, dependence);
                    violations.extend(violation_if_any(&relation, message, self.budget)?);
                }
                Ok(Coverage::default())
            }
        }
    }

    fn unordered(&self, relation: &Map, dependence: &Dependence) -> Result<Option<Violation>> {
        let what = match self.who {
            Who::Threads => "is in another thread, without a barrier between it and",
            Who::Blocks => {
                "is in another block of the same launch, without a barrier across blocks between it and"
            }
        };
        violation_if_any(relation, || self.describe(what, dependence), self.budget)
    }

    /// The pairs without those after whose source, or before whose sink, there is a barrier.
    fn uncovered(
        &self,
        pairs: &Pairs<'a>,
        relation: Map,
        first: &Coverage,
        last: &Coverage,
    ) -> Result<Map> {
        let (source, sink) =
            (pairs.dependence.source.0.0 as usize, pairs.dependence.sink.0.0 as usize);
        let mut relation = relation;
        if let Some(after) = first.after.get(&source) {
            relation = relation.subtract_domain(after, self.budget)?;
        }
        if let Some(before) = last.before.get(&sink) {
            relation = relation.subtract_range(before, self.budget)?;
        }
        Ok(relation)
    }

    fn sequence(
        &self,
        children: &[Node],
        at: &At,
        pairs: Vec<Pairs<'a>>,
        violations: &mut Vec<Violation>,
    ) -> Result<Coverage> {
        let below = at.below(&Node::Sequence(children.to_vec()))?;
        let inside: Vec<At> = children
            .iter()
            .zip(&below)
            .map(|(child, below)| below.inside(child))
            .collect::<Result<_>>()?;
        let prefixes: Vec<Times> =
            inside.iter().map(|at| at.prefix(self.scop)).collect::<Result<_>>()?;
        let in_parts = |pairs: &Pairs<'a>, first: usize, last: usize| -> Result<Option<Map>> {
            let source = prefixes[first].of(pairs.dependence.source.0);
            let sink = prefixes[last].of(pairs.dependence.sink.0);
            let (Some(a), Some(b)) = (source, sink) else { return Ok(None) };
            let part = pairs.relation.intersect_domain(&a.domain())?;
            let part = part.intersect_range(&b.domain())?;
            Ok((!part.plain_is_empty()).then_some(part))
        };
        let mut covers = Vec::new();
        for (position, child) in children.iter().enumerate() {
            let mut own = Vec::new();
            for pairs in &pairs {
                if let Some(relation) = in_parts(pairs, position, position)? {
                    own.push(Pairs { relation, ..pairs.clone() });
                }
            }
            covers.push(self.visit(child, &below[position], own, violations)?);
        }
        for pairs in &pairs {
            for first in 0..children.len() {
                for last in 0..children.len() {
                    if first == last {
                        continue;
                    }
                    let Some(relation) = in_parts(pairs, first, last)? else { continue };
                    let mut rest = relation;
                    if first < last {
                        rest = self.uncovered(pairs, rest, &covers[first], &covers[last])?;
                        let source = prefixes[first].of(pairs.dependence.source.0);
                        for between in &covers[first + 1..last] {
                            if let (Some(always), Some(source)) = (&between.always, source) {
                                let covered = source.intersect_range(always)?.domain();
                                rest = rest.subtract_domain(&covered, self.budget)?;
                            }
                        }
                    }
                    violations.extend(self.unordered(&rest, pairs.dependence)?);
                }
            }
        }
        self.of_sequence(&prefixes, covers)
    }

    /// The barriers of a sequence.
    fn of_sequence(&self, prefixes: &[Times], covers: Vec<Coverage>) -> Result<Coverage> {
        let mut all = Coverage::default();
        for (position, cover) in covers.iter().enumerate() {
            for (statement, time) in prefixes[position].times.iter().enumerate() {
                let Some(time) = time else { continue };
                for (other, outer) in covers.iter().enumerate() {
                    let Some(always) = &outer.always else { continue };
                    if other != position {
                        let covered = time.intersect_range(always)?.domain();
                        let side = if other > position { &mut all.after } else { &mut all.before };
                        add(side, statement, covered)?;
                    }
                }
            }
            for (statement, set) in &cover.after {
                add(&mut all.after, *statement, set.clone())?;
            }
            for (statement, set) in &cover.before {
                add(&mut all.before, *statement, set.clone())?;
            }
            if let Some(always) = &cover.always {
                all.always = Some(match all.always.take() {
                    None => always.clone(),
                    Some(all) => all.union(always)?,
                });
            }
        }
        Ok(all)
    }

    /// A band of one member.
    fn band(
        &self,
        node: &Node,
        at: &At,
        pairs: Vec<Pairs<'a>>,
        violations: &mut Vec<Violation>,
    ) -> Result<Coverage> {
        let (Node::Band(_, child), [below]) = (node, &at.below(node)?[..]) else {
            return Ok(Coverage::default());
        };
        let times = below.prefix(self.scop)?;
        let last = below.whole.depth() - 1;
        let at_last = |pairs: &Pairs<'a>, comparison| -> Result<Map> {
            let ends = (pairs.dependence.source.0, pairs.dependence.sink.0);
            let compared = times.compared_at(ends, last, comparison, self.budget)?;
            pairs.relation.intersect(&compared)
        };
        let mut own = Vec::new();
        for pairs in &pairs {
            let relation = at_last(pairs, Comparison::Equal)?;
            if !relation.plain_is_empty() && !relation.is_empty(self.budget)? {
                own.push(Pairs { relation, ..pairs.clone() });
            }
        }
        let inside = self.visit(child, below, own, violations)?;
        for pairs in &pairs {
            let mut forward = at_last(pairs, Comparison::Less)?;
            forward = self.uncovered(pairs, forward, &inside, &inside)?;
            if let Some(always) = &inside.always
                && !forward.is_empty(self.budget)?
            {
                let ends = (pairs.dependence.source.0, pairs.dependence.sink.0);
                if let (Some(a), Some(b)) = (times.of(ends.0), times.of(ends.1)) {
                    let between = has_value_between(a, b, always)?;
                    forward = forward.subtract(&between, self.budget)?;
                }
            }
            violations.extend(self.unordered(&forward, pairs.dependence)?);
            let backward = at_last(pairs, Comparison::Greater)?;
            violations.extend(self.unordered(&backward, pairs.dependence)?);
        }
        let Coverage { always, mut after, mut before } = inside;
        let Some(executed) = always else { return Ok(Coverage { always, after, before }) };
        for (statement, time) in times.times.iter().enumerate() {
            let Some(time) = time else { continue };
            add(&mut after, statement, with_value_after(time, &executed)?)?;
            add(&mut before, statement, with_value_before(time, &executed)?)?;
        }
        let always = Some(executed.project_out(DimKind::Out, last, 1));
        Ok(Coverage { always, after, before })
    }
}
