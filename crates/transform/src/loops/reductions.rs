//! Loops whose iterations only combine values become parallel and vector loops.
//!
//! Where updates may run in any order (`loopwright_dataflow::reassociated`), a loop that carries nothing but
//! such updates of a variable may run on several threads or in vector lanes, each with a copy of the variable
//! of its own: OpenMP's `reduction` clause. So may a loop whose iterations have values of their own of which
//! only the last one is used behind it (`loopwright_dataflow::last_values`), on threads: OpenMP's
//! `lastprivate`. And so may a loop outside of everything that keeps the best of what it has seen, or puts
//! what passes a condition behind each other (`Independence::in_parts`). This pass runs on the finished tree.
//! It marks
//!
//! * the outermost such loop, if no loop around or inside it is parallel, it has enough work, and
//!   the variables are scalars;
//! * every innermost such loop that is not a vector loop yet; there the variable may also be an
//!   element of an array that stays the same throughout the loop.
use crate::cost::nest::Nest;
use crate::cost::profitability::parallel_pays;
use crate::cost::trip_counts::Nominal;
use crate::legality::independence::{Independence, leaves_values};
use loopwright_dataflow::Dependences;
use loopwright_presburger::{Budget, Name, Result, UnionPwAff};
use loopwright_schedule::{Band, LoopKind, LoopMark, LoopReduction, Node, Reaching, ScheduleTree};
use loopwright_scop::Scop;

/// The tree with marks at the loops that combine, and what was marked, as sentences; the tree as it
/// is if updates have to stay in order.
///
/// *Cost.* An exact test as in [`Independence::private_scalars`] for each loop that has no mark.
///
/// # Errors
/// For malformed trees.
pub fn with_reductions(
    tree: &ScheduleTree,
    scop: &Scop,
    dependences: &Dependences,
    parallel: bool,
    budget: &Budget,
) -> Result<(ScheduleTree, Vec<String>)> {
    if dependences.reassociated().is_empty() && !(parallel && leaves_values(scop, dependences)) {
        return Ok((tree.clone(), Vec::new()));
    }
    let independence = Independence::new(scop, dependences, budget)?;
    let mut pass = ReductionMarks {
        scop,
        independence,
        nominal: Nominal::of_scop(scop),
        decisions: Vec::new(),
    };
    let root = pass.node(&tree.root, &Reaching::root(tree), parallel)?;
    Ok((ScheduleTree { domain: tree.domain.clone(), root }, pass.decisions))
}

struct ReductionMarks<'a> {
    scop: &'a Scop,
    independence: Independence<'a>,
    nominal: Nominal,
    decisions: Vec<String>,
}

/// What a mark for a loop says.
type Clauses = (Vec<Name>, Vec<LoopReduction>);

impl ReductionMarks<'_> {
    /// `node` with marks; parallel ones only if `parallel`.
    fn node(&mut self, node: &Node, reaching: &Reaching, parallel: bool) -> Result<Node> {
        match node {
            Node::Mark(name, child) => match (LoopMark::parse(name), &**child) {
                (Some(mark), Node::Band(band, inner)) => {
                    let parallel = parallel && !mark.kind.is_threaded();
                    let below = reaching.descend(child, 0)?;
                    let inner = self.node(inner, &below, parallel)?;
                    Ok(Node::mark(name, Node::band(band.clone(), inner)))
                }
                _ => Ok(Node::mark(name, self.node(child, reaching, parallel)?)),
            },
            Node::Band(band, child) if band.n_members() > 0 => {
                self.band(band, child, reaching, parallel)
            }
            _ => {
                let mut rewritten = node.clone();
                let children = rewritten.children_mut().iter_mut();
                for (child, below) in children.zip(reaching.below(node)?) {
                    *child = self.node(&child.take(), &below, parallel)?;
                }
                Ok(rewritten)
            }
        }
    }

    fn band(
        &mut self,
        band: &Band,
        child: &Node,
        reaching: &Reaching,
        parallel: bool,
    ) -> Result<Node> {
        let below = reaching.descend(&Node::band(band.clone(), Node::Leaf), 0)?;
        let n = band.n_members();
        let is_free = parallel && !contains(child, &is_parallel_mark);
        let outer = match is_free {
            true => self.parallel_loop(band, &below, reaching)?,
            false => None,
        };
        let inner = self.node(child, &below, parallel && outer.is_none())?;
        let is_innermost = !contains(child, &|node| matches!(node, Node::Band(..)));
        let members = band.schedule.members();
        let vector = match is_innermost && outer.as_ref().is_none_or(|(at, _)| *at + 1 < n) {
            true => self.independence.combined(reaching, members, LoopKind::Vector)?,
            false => None,
        };
        let mut result = inner;
        let mut rest = band.clone();
        if let Some(clauses) = vector {
            self.decide(LoopKind::Vector, &clauses);
            let (outside, last) = rest.split(n - 1);
            result = marked(LoopKind::Vector, clauses, last, result);
            rest = outside;
        }
        if let Some((at, clauses)) = outer {
            self.decide(LoopKind::Parallel, &clauses);
            let (outside, inside) = rest.split(at);
            result = marked(LoopKind::Parallel, clauses, inside, result);
            rest = outside;
        }
        Ok(if rest.n_members() == 0 { result } else { Node::band(rest, result) })
    }

    /// The outermost member whose iterations only combine scalars, and have enough work.
    fn parallel_loop(
        &self,
        band: &Band,
        below: &Reaching,
        reaching: &Reaching,
    ) -> Result<Option<(usize, Clauses)>> {
        let nest = Nest::new(self.scop, below, band.n_members(), &self.nominal);
        let mut outside: Vec<(usize, i64)> = (0..nest.first).map(|dim| (dim, 1)).collect();
        for position in 0..band.n_members() {
            if !parallel_pays(&nest, &outside) {
                return Ok(None);
            }
            let members: &[UnionPwAff] = &band.schedule.members()[..=position];
            if nest.extent(position) <= 1 {
                outside.push((nest.first + position, 1));
                continue;
            }
            if let Some(clauses) =
                self.independence.combined(reaching, members, LoopKind::Parallel)?
                && clauses.1.iter().all(|reduction| self.is_scalar(&reduction.variable))
            {
                return Ok(Some((position, clauses)));
            }
            if outside.is_empty()
                && let Some(clauses) = self.independence.in_parts(reaching, members)?
            {
                return Ok(Some((position, clauses)));
            }
            outside.push((nest.first + position, 1));
        }
        Ok(None)
    }

    fn is_scalar(&self, tuple_name: &Name) -> bool {
        self.scop.arrays.iter().any(|a| a.is_scalar() && a.tuple_name == *tuple_name)
    }

    fn decide(&mut self, kind: LoopKind, clauses: &Clauses) {
        let kind = match kind {
            LoopKind::Parallel | LoopKind::Pipelined => "parallel",
            LoopKind::Vector => "vector",
            LoopKind::Block(_) | LoopKind::Thread(_) => "kernel",
        };
        let what = |reduction: &LoopReduction| match &*reduction.operator {
            LoopReduction::PLACE => "puts behind each other by",
            _ if reduction.is_in_parts() => "keeps the best of",
            _ if reduction.is_last_value() => "leaves the last value of",
            _ => "combines",
        };
        let mut found: Vec<(&str, Vec<&str>)> = Vec::new();
        for reduction in &clauses.1 {
            match found.iter_mut().find(|(known, _)| *known == what(reduction)) {
                Some((_, names)) => names.push(&reduction.variable),
                None => found.push((what(reduction), vec![&reduction.variable])),
            }
        }
        for (what, names) in found {
            self.decisions.push(format!("a {kind} loop {what} {}", names.join(", ")));
        }
    }
}

/// `band` above `child`, its first loop marked.
fn marked(kind: LoopKind, (private, reductions): Clauses, band: Band, child: Node) -> Node {
    let (first, rest) = band.split(1);
    let below = if rest.n_members() == 0 { child } else { Node::band(rest, child) };
    let mark = LoopMark { kind, private, reductions }.to_string();
    Node::mark(&mark, Node::band(first, below))
}

fn is_parallel_mark(node: &Node) -> bool {
    match node {
        Node::Mark(name, _) => LoopMark::parse(name).is_some_and(|mark| mark.kind.is_threaded()),
        _ => false,
    }
}

/// Whether `node` or something below it is as asked.
fn contains(node: &Node, is_meant: &dyn Fn(&Node) -> bool) -> bool {
    let mut found = false;
    node.for_each(&mut |node| found |= is_meant(node));
    found
}
