//! Trees with expansion nodes, and the same order without them.
use crate::order::reaching::Reaching;
use crate::tree::band::invalid;
use crate::tree::node::{Node, ScheduleTree};
use loopwright_presburger::{
    Budget, MultiAff, PwMultiAff, Result, Space, UnionPwMultiAff, UnionSet,
};

/// Steps for the test that no instance is expanded in two places; two plain sets need a few.
const DISJOINT_STEPS: u64 = 1_000_000;

impl ScheduleTree {
    /// The tree over the expanded instances: without expansion nodes, in the same order.
    ///
    /// What is above an expansion is put in terms of the instances below by means of the contraction, which
    /// is a function: nothing is approximated. A tree without expansions is returned as it is.
    ///
    /// Cost: one substitution per node above an expansion and statement below it.
    ///
    /// ```
    /// use loopwright_presburger::Budget;
    /// use loopwright_schedule::ScheduleTree;
    /// let groups = ScheduleTree::parse(
    ///     "{ domain: '{ G[t] : -8 <= t <= 0 }', child: { schedule: '[{ G[t] -> [(2t)] }]', child: {
    ///          contraction: '{ A[i] -> G[-i]; B[i] -> G[-i] }',
    ///          expansion: '{ G[t] -> A[-t]; G[t] -> B[-t] }', child: { sequence: [
    ///              { filter: '{ A[i] }' }, { filter: '{ B[i] }' } ] } } } }",
    /// )?;
    /// let members = groups.without_expansions()?;
    /// assert_eq!(members.domain.to_string(), "{ A[i0] : 0 <= i0 <= 8; B[i0] : 0 <= i0 <= 8 }");
    /// assert!(!members.to_string().contains("expansion"));
    /// assert!(members.has_equal_order(&groups, &Budget::steps(1_000_000))?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// If there is an extension in a tree with expansions; if an instance is expanded in two places;
    /// those of [`Reaching::descend`].
    pub fn without_expansions(&self) -> Result<ScheduleTree> {
        if self.root.every_descendant(&|node| !matches!(node, Node::Expansion { .. })) {
            return Ok(self.clone());
        }
        let Expanded { node, instances, .. } = expanded(&self.root, &Reaching::root(self))?;
        Ok(ScheduleTree { domain: instances, root: node })
    }
}

/// A subtree over the instances at its leaves.
struct Expanded {
    node: Node,
    /// The instances at the leaves.
    instances: UnionSet,
    /// From them to the instances that reach the subtree.
    contraction: UnionPwMultiAff,
}

fn expanded(node: &Node, reaching: &Reaching) -> Result<Expanded> {
    let below = |child: usize| -> Result<Expanded> {
        expanded(&node.children()[child], &reaching.descend(node, child)?)
    };
    match node {
        Node::Leaf => {
            let instances = reaching.domain()?;
            let contraction = identity(&instances);
            Ok(Expanded { node: Node::Leaf, instances, contraction })
        }
        Node::Sequence(children) | Node::Set(children) => {
            let parts: Vec<Expanded> = (0..children.len()).map(below).collect::<Result<_>>()?;
            side_by_side(node, parts)
        }
        Node::Expansion { contraction, .. } => {
            let inner = below(0)?;
            Ok(Expanded { contraction: contraction.pullback(&inner.contraction)?, ..inner })
        }
        _ => {
            let inner = below(0)?;
            let mut over_leaves = node.clone();
            for child in over_leaves.children_mut() {
                child.take();
            }
            let mut over_leaves = over_leaves.pulled_back_alone(&inner.contraction)?;
            for child in over_leaves.children_mut() {
                *child = inner.node.clone();
            }
            Ok(Expanded { node: over_leaves, ..inner })
        }
    }
}

/// A sequence or set of expanded children. If a statement is in several of them, each is restricted to its
/// own instances.
fn side_by_side(node: &Node, parts: Vec<Expanded>) -> Result<Expanded> {
    let budget = &Budget::steps(DISJOINT_STEPS);
    let are_apart = have_own_statements(&parts);
    let (mut instances, mut contraction) = (UnionSet::empty(), UnionPwMultiAff::empty());
    let mut children = Vec::with_capacity(parts.len());
    for part in parts {
        if !instances.is_disjoint(&part.instances, budget)? {
            let reason = "an instance is expanded in two places";
            return Err(invalid("without_expansions", reason.into()));
        }
        let part = if are_apart { part } else { part.restricted()? };
        contraction = contraction.union_disjoint(&part.contraction)?;
        instances = instances.union(&part.instances)?;
        children.push(part.node);
    }
    let node = match node {
        Node::Set(_) => Node::Set(children),
        _ => Node::Sequence(children),
    };
    Ok(Expanded { node, instances, contraction })
}

/// Whether no statement is in two of the parts.
fn have_own_statements(parts: &[Expanded]) -> bool {
    let mut seen = Vec::new();
    parts.iter().flat_map(|part| part.instances.sets()).all(|set| {
        let is_new = seen.iter().all(|other: &Space| !other.has_equal_tuples(set.space()));
        seen.push(set.space().clone());
        is_new
    })
}

impl Expanded {
    /// The child of a sequence or set with a filter that keeps its own instances only.
    fn restricted(self) -> Result<Self> {
        let contraction = self.contraction.intersect_domain(&self.instances)?;
        let node = match self.node {
            Node::Filter(filter, child) => Node::Filter(filter.intersect(&self.instances)?, child),
            other => other,
        };
        Ok(Expanded { node, contraction, ..self })
    }
}

/// The identity on all points of the spaces of some instances.
fn identity(instances: &UnionSet) -> UnionPwMultiAff {
    let sets = instances.sets().into_iter();
    let part = |space| PwMultiAff::everywhere(MultiAff::identity(&space));
    UnionPwMultiAff::from_parts(sets.map(|set| part(set.space().clone())).collect())
}
