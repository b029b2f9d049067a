//! Barriers in kernels, where a dependence leads from one thread of a block to another, or from one block to
//! another.
//!
//! There may be barriers in front of the parts of sequences and at the start of each iteration of sequential
//! loops, outside of loops over threads; those across blocks also outside of loops over blocks. From the
//! inside outwards, what comes apart at a sequence or a loop, and has no barrier between yet, gets one as
//! late as it may: in front of the part, or of the iteration, with the first sink that needs one. For the
//! parts of one sequence that is a least number of barriers, as for intervals on a line that are stabbed by
//! points. Lanes of a warp do not wait for what they read by shuffles.
use loopwright_dataflow::{Dependence, Dependences};
use loopwright_presburger::{Budget, Map, Name, Result, Set, Space, Tuple, UnionMap, UnionSet};
use loopwright_schedule::{
    BarrierMark, GridBarrierMark, KernelMark, LoopKind, LoopMark, Node, Reaching, ScheduleTree,
    ShuffleMark,
};
use loopwright_scop::{AccessKind, ReferenceId, Scop, StatementId};
use std::collections::{BTreeMap, BTreeSet};

/// The tree with barriers in its kernels. Those that it has stay, and count.
///
/// Nothing is promised about dependences between blocks, or inside of loops over threads, for which no
/// barrier helps.
///
/// *Cost.* A few subtractions for each dependence between threads and node of a kernel.
///
/// # Errors
/// Those of the operations, a limit among them.
pub fn with_barriers(
    tree: &ScheduleTree,
    scop: &Scop,
    dependences: &Dependences,
    budget: &Budget,
) -> Result<ScheduleTree> {
    placed(tree, Placement { scop, dependences, budget, who: Who::Threads })
}

/// The tree with barriers across blocks in its kernels, where a dependence leads from one block of a launch
/// to another. Those that it has stay, and count. Barriers of blocks come after these ([`with_barriers`]), as
/// they count there, too.
///
/// Nothing is promised about dependences inside of loops over blocks, for which no barrier helps.
///
/// *Cost.* As for [`with_barriers`].
///
/// # Errors
/// Those of the operations, a limit among them.
pub fn with_grid_barriers(
    tree: &ScheduleTree,
    scop: &Scop,
    dependences: &Dependences,
    budget: &Budget,
) -> Result<ScheduleTree> {
    placed(tree, Placement { scop, dependences, budget, who: Who::Blocks })
}

fn placed(tree: &ScheduleTree, placement: Placement<'_>) -> Result<ScheduleTree> {
    let root = placement.outside(&tree.root, &Reaching::root(tree))?;
    Ok(ScheduleTree::new(tree.domain.clone(), root))
}

/// Who has to wait for whom.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Who {
    /// Threads of a block.
    Threads,
    /// Blocks of a launch.
    Blocks,
}

impl Who {
    fn is_loop_over(self, kind: LoopKind) -> bool {
        match self {
            Who::Threads => matches!(kind, LoopKind::Thread(_)),
            Who::Blocks => matches!(kind, LoopKind::Block(_)),
        }
    }

    /// Whether they wait at a mark.
    fn waits_at(self, mark: &str) -> bool {
        let is_of_grid = GridBarrierMark::parse(mark).is_some();
        is_of_grid || self == Who::Threads && BarrierMark::parse(mark).is_some()
    }

    /// The mark at which they wait.
    fn mark(self) -> String {
        match self {
            Who::Threads => BarrierMark.to_string(),
            Who::Blocks => GridBarrierMark.to_string(),
        }
    }
}

/// Pairs of instances in different threads, or blocks, that have to stay in order: their relations, by the
/// names of the statements.
type Pairs = Vec<Map>;

struct Placement<'a> {
    scop: &'a Scop,
    dependences: &'a Dependences,
    budget: &'a Budget,
    who: Who,
}

/// A subtree with its barriers.
struct Placed {
    node: Node,
    /// Instances in front of which there is one in the subtree.
    after_barrier: UnionSet,
    /// Instances behind which there is one.
    before_barrier: UnionSet,
}

impl Placed {
    fn without(node: Node) -> Placed {
        let none = UnionSet::from_sets(&Space::params(&[]), []);
        Placed { node, after_barrier: none.clone(), before_barrier: none }
    }

    /// With a barrier in front.
    fn behind_barrier(self, mark: &str, reaching: &Reaching) -> Result<Placed> {
        let node = Node::mark(mark, self.node);
        Ok(Placed { node, after_barrier: reaching.domain()?, ..self })
    }
}

fn marked(name: &str) -> Option<LoopKind> {
    LoopMark::parse(name).map(|mark| mark.kind).filter(|kind| kind.is_of_kernel())
}

impl Placement<'_> {
    fn outside(&self, node: &Node, reaching: &Reaching) -> Result<Node> {
        let mut result = node.clone();
        let is_kernel = matches!(node, Node::Mark(name, _) if KernelMark::parse(name).is_some());
        for (child, below) in result.children_mut().iter_mut().zip(reaching.below(node)?) {
            *child = match is_kernel {
                true => self.kernel(child, &below)?,
                false => self.outside(child, &below)?,
            };
        }
        Ok(result)
    }

    fn kernel(&self, node: &Node, reaching: &Reaching) -> Result<Node> {
        let threads = Spread::of(self.who, node, reaching)?;
        if threads.values.is_empty() {
            return Ok(node.clone());
        }
        let launch = reaching.prefix_schedule()?;
        let one_launch = launch.apply_range(&launch.reverse())?;
        let shuffles = shuffles(node, reaching)?;
        let Dependences { flow, order, forced, .. } = self.dependences;
        let mut pairs = Vec::new();
        for dependence in
            flow.iter().chain(forced).chain(order.iter().filter(|d| self.is_shared(d, &threads)))
        {
            if [dependence.source, dependence.sink].iter().any(|end| self.reads(&shuffles, *end)) {
                continue;
            }
            let relation = dependence.relation.intersect_params(&self.scop.context)?;
            let relation = relation.intersect(&one_launch.extract(relation.space()))?;
            pairs.extend(threads.different(&relation, self.budget)?);
        }
        if pairs.is_empty() {
            return Ok(node.clone());
        }
        Ok(self.place(node, reaching, pairs)?.node)
    }

    /// Whether an access is what a shuffle reads.
    fn reads(&self, shuffles: &BTreeSet<Name>, end: (StatementId, ReferenceId)) -> bool {
        let statement = self.scop.statement(end.0);
        let access = statement.accesses.iter().find(|access| access.reference == end.1);
        shuffles.contains(&statement.name)
            && access.is_some_and(|access| access.kind == AccessKind::Read)
    }

    /// Whether threads share the variable of a dependence.
    fn is_shared(&self, dependence: &Dependence, threads: &Spread) -> bool {
        let name = &self.scop.array(dependence.array).tuple_name;
        !threads.private.iter().all(|own| own.contains(name))
    }

    fn place(&self, node: &Node, reaching: &Reaching, pairs: Pairs) -> Result<Placed> {
        match node {
            Node::Mark(name, _) if marked(name).is_some_and(|kind| self.who.is_loop_over(kind)) => {
                Ok(Placed::without(node.clone()))
            }
            Node::Sequence(children) => self.sequence(children, reaching, &pairs),
            Node::Band(band, child) if band.n_members() > 1 => {
                let (first, rest) = band.split(1);
                let inner = Node::band(rest, (**child).clone());
                self.place(&Node::band(first, inner), reaching, pairs)
            }
            Node::Band(band, child) => {
                let below = reaching.descend(node, 0)?;
                let values = band.schedule.to_union_map()?;
                let (same, later) = divided(&values, &pairs, self.budget)?;
                let inside = self.place(child, &below, same)?;
                let later = self.not_ordered(&later, &inside, &inside)?;
                let inside = match later.is_empty() {
                    true => inside,
                    false => inside.behind_barrier(&self.who.mark(), &below)?,
                };
                Ok(Placed { node: Node::band(band.clone(), inside.node), ..inside })
            }
            Node::Mark(name, child) => {
                let inside = self.place(child, reaching, pairs)?;
                match self.who.waits_at(name) {
                    true => inside.behind_barrier(name, reaching),
                    false => Ok(Placed { node: Node::mark(name, inside.node), ..inside }),
                }
            }
            Node::Filter(_, child) | Node::Context(_, child) | Node::Guard(_, child) => {
                let inside = self.place(child, &reaching.descend(node, 0)?, pairs)?;
                let mut result = node.clone();
                result.children_mut()[0] = inside.node;
                Ok(Placed { node: result, ..inside })
            }
            Node::Leaf | Node::Set(_) | Node::Extension(..) | Node::Expansion { .. } => {
                Ok(Placed::without(node.clone()))
            }
        }
    }

    /// The pairs whose source has no barrier behind it in one part, and whose sink has none in front in
    /// another.
    fn not_ordered(&self, pairs: &Pairs, first: &Placed, last: &Placed) -> Result<Pairs> {
        let mut rest = Vec::new();
        for relation in pairs {
            let source = first.before_barrier.extract(&relation.space().domain());
            let sink = last.after_barrier.extract(&relation.space().range());
            let open = relation.subtract_domain(&source, self.budget)?;
            let open = open.subtract_range(&sink, self.budget)?;
            if !open.is_empty(self.budget)? {
                rest.push(open);
            }
        }
        Ok(rest)
    }

    fn sequence(&self, children: &[Node], reaching: &Reaching, pairs: &Pairs) -> Result<Placed> {
        let below = reaching.below(&Node::Sequence(children.to_vec()))?;
        let mut domains = Vec::new();
        for (child, below) in children.iter().zip(&below) {
            domains.push(below.descend(child, 0)?);
        }
        let between = |first: usize, last: usize| -> Result<Pairs> {
            let (first, last) = (domains[first].domain()?, domains[last].domain()?);
            let mut own = Vec::new();
            for relation in pairs {
                let part = relation
                    .intersect_domain(&first.extract(&relation.space().domain()))?
                    .intersect_range(&last.extract(&relation.space().range()))?;
                if !part.is_empty(self.budget)? {
                    own.push(part);
                }
            }
            Ok(own)
        };
        let mut parts = Vec::new();
        for (position, child) in children.iter().enumerate() {
            parts.push(self.place(child, &below[position], between(position, position)?)?);
        }
        // For each part with a barrier in front the values of the loops outside for which it is executed.
        let mut barriers: BTreeMap<usize, Set> = BTreeMap::new();
        for (position, child) in children.iter().enumerate() {
            let first = child.children().first();
            if matches!(first, Some(Node::Mark(name, _)) if self.who.waits_at(name)) {
                barriers.insert(position, executed(&domains[position])?);
            }
        }
        for last in 1..children.len() {
            let mut is_needed = false;
            for first in 0..last {
                let mut open =
                    self.not_ordered(&between(first, last)?, &parts[first], &parts[last])?;
                for executed in barriers.range(first + 1..=last).map(|(_, executed)| executed) {
                    let covered = covered_by(&domains[first], executed)?;
                    open = self.without_sources(&open, &covered)?;
                }
                is_needed |= !open.is_empty();
            }
            if is_needed {
                let part = std::mem::replace(&mut parts[last], Placed::without(Node::Leaf));
                parts[last] = in_filter(part, &self.who.mark(), &domains[last])?;
                barriers.insert(last, executed(&domains[last])?);
            }
        }
        let mut all = Placed::without(Node::Leaf);
        for (position, part) in parts.iter().enumerate() {
            all.after_barrier = all.after_barrier.union(&part.after_barrier)?;
            all.before_barrier = all.before_barrier.union(&part.before_barrier)?;
            for (barrier, executed) in &barriers {
                let covered = covered_by(&domains[position], executed)?;
                if position < *barrier {
                    all.before_barrier = all.before_barrier.union(&covered)?;
                } else if position > *barrier {
                    all.after_barrier = all.after_barrier.union(&covered)?;
                }
            }
        }
        all.node = Node::Sequence(parts.into_iter().map(|part| part.node).collect());
        Ok(all)
    }

    fn without_sources(&self, pairs: &Pairs, sources: &UnionSet) -> Result<Pairs> {
        let mut rest = Vec::new();
        for relation in pairs {
            let own = sources.extract(&relation.space().domain());
            let open = relation.subtract_domain(&own, self.budget)?;
            if !open.is_empty(self.budget)? {
                rest.push(open);
            }
        }
        Ok(rest)
    }
}

/// The statements that copy registers of other lanes.
fn shuffles(node: &Node, reaching: &Reaching) -> Result<BTreeSet<Name>> {
    let mut found = BTreeSet::new();
    if matches!(node, Node::Mark(name, _) if ShuffleMark::parse(name).is_some()) {
        let spaces = reaching.pieces.iter().map(|piece| piece.domain.space());
        found.extend(spaces.filter_map(|space| space.output()?.name().cloned()));
    }
    for (child, below) in node.children().iter().zip(reaching.below(node)?) {
        found.extend(shuffles(child, &below)?);
    }
    Ok(found)
}

/// A filter with a barrier below it, in front of all else.
fn in_filter(part: Placed, mark: &str, inside: &Reaching) -> Result<Placed> {
    let Placed { mut node, before_barrier, .. } = part;
    for child in node.children_mut() {
        let below = child.take();
        *child = Node::mark(mark, below);
    }
    Ok(Placed { node, after_barrier: inside.domain()?, before_barrier })
}

/// The values of the loops outside for which there are instances.
fn executed(reaching: &Reaching) -> Result<Set> {
    let range = reaching.prefix_schedule()?.range();
    Ok(range.extract(&Space::set(&[], Tuple::anonymous(reaching.depth()))))
}

/// The instances for which the loops outside are at one of some values.
fn covered_by(reaching: &Reaching, values: &Set) -> Result<UnionSet> {
    let values = UnionSet::from_set(values.clone());
    Ok(reaching.prefix_schedule()?.intersect_range(&values)?.domain())
}

/// The pairs with equal values, and those whose source has the smaller one.
fn divided(values: &UnionMap, pairs: &Pairs, budget: &Budget) -> Result<(Pairs, Pairs)> {
    let smaller = Map::lex_lt(&Space::set(&[], Tuple::anonymous(1)));
    let (mut same, mut later) = (Vec::new(), Vec::new());
    for relation in pairs {
        let Some((source, sink)) = ends(values, relation) else { continue };
        let equal = relation.intersect(&source.apply_range(&sink.reverse())?)?;
        let less = source.apply_range(&smaller)?.apply_range(&sink.reverse())?;
        for (part, all) in [(equal, &mut same), (relation.intersect(&less)?, &mut later)] {
            if !part.is_empty(budget)? {
                all.push(part);
            }
        }
    }
    Ok((same, later))
}

/// The values of both ends of a relation, if both have some.
fn ends(values: &UnionMap, relation: &Map) -> Option<(Map, Map)> {
    let of = |space: Space| {
        values.maps().iter().find(|map| map.space().domain().has_equal_tuples(&space))
    };
    Some((of(relation.space().domain())?.clone(), of(relation.space().range())?.clone()))
}

/// The loops over the threads or the blocks of a kernel.
#[derive(Default)]
struct Spread {
    /// For each axis from instances to the values of its loops.
    values: Vec<(LoopKind, UnionMap)>,
    /// The variables that marks name as private, for each mark.
    private: Vec<Vec<Name>>,
}

impl Spread {
    fn of(who: Who, node: &Node, reaching: &Reaching) -> Result<Spread> {
        let mut threads = Spread::default();
        threads.collect(who, node, reaching)?;
        Ok(threads)
    }

    fn collect(&mut self, who: Who, node: &Node, reaching: &Reaching) -> Result<()> {
        if let Node::Mark(name, child) = node
            && let Some(mark) = LoopMark::parse(name)
            && who.is_loop_over(mark.kind)
            && let Node::Band(band, _) = &**child
        {
            let own = band.schedule.slice(0..1).to_union_map()?;
            let own = own.intersect_domain(&reaching.domain()?)?;
            match self.values.iter_mut().find(|(kind, _)| *kind == mark.kind) {
                Some((_, values)) => *values = values.union(&own)?,
                None => self.values.push((mark.kind, own)),
            }
            self.private.push(mark.private);
        }
        for (child, below) in node.children().iter().zip(reaching.below(node)?) {
            self.collect(who, child, &below)?;
        }
        Ok(())
    }

    /// The pairs of a relation that are not in one thread or block for sure, in parts.
    fn different(&self, relation: &Map, budget: &Budget) -> Result<Pairs> {
        let (mut same, mut all) = (relation.clone(), Vec::new());
        for (_, values) in &self.values {
            let space = Space::set(&[], Tuple::anonymous(1));
            let of = |space: Space| {
                values.maps().iter().find(|map| map.space().domain().has_equal_tuples(&space))
            };
            let equal = match (of(same.space().domain()), of(same.space().range())) {
                (None, None) => continue,
                (None, Some(_)) | (Some(_), None) => Map::empty(same.space().clone()),
                (Some(source), Some(sink)) => {
                    for order in [Map::lex_lt(&space), Map::lex_gt(&space)] {
                        let part = source.apply_range(&order)?.apply_range(&sink.reverse())?;
                        all.push(same.intersect(&part)?);
                    }
                    all.push(same.subtract_domain(&source.domain(), budget)?);
                    all.push(same.subtract_range(&sink.domain(), budget)?);
                    source.apply_range(&sink.reverse())?
                }
            };
            if equal.plain_is_empty() {
                all.push(same.clone());
            }
            same = same.intersect(&equal)?;
        }
        let mut rest = Vec::new();
        for part in all {
            if !part.is_empty(budget)? {
                rest.push(part);
            }
        }
        Ok(rest)
    }
}
