//! Schedules of groups as schedules of their members.
use crate::grouping::{Group, GroupMember, Grouping};
use loopwright_presburger::{
    Budget, PwMultiAff, Result, Set, Tuple, UnionMap, UnionPwMultiAff, UnionSet,
};
use loopwright_schedule::{Node, Reaching, ScheduleTree};

impl Grouping {
    /// The tree with every group that reaches a leaf expanded there: an expansion node, and the members
    /// one after the other in their original order. Leaves without groups stay as they are.
    ///
    /// # Errors
    /// Those of [`Reaching::descend`].
    pub fn expand(&self, tree: &ScheduleTree, budget: &Budget) -> Result<ScheduleTree> {
        if self.is_empty() {
            return Ok(tree.clone());
        }
        let root = self.node(&tree.root, &Reaching::root(tree), budget)?;
        Ok(ScheduleTree { domain: tree.domain.clone(), root })
    }

    fn node(&self, node: &Node, reaching: &Reaching, budget: &Budget) -> Result<Node> {
        if node.is_leaf() {
            return self.leaf(reaching, budget);
        }
        let mut expanded = node.clone();
        for (child, below) in expanded.children_mut().iter_mut().zip(reaching.below(node)?) {
            *child = self.node(&child.take(), &below, budget)?;
        }
        Ok(expanded)
    }

    /// What stands in the place of a leaf; statements that reach it together stay unordered.
    fn leaf(&self, reaching: &Reaching, budget: &Budget) -> Result<Node> {
        let (mut parts, mut others) = (Vec::new(), UnionSet::empty());
        for set in reaching.domain()?.sets() {
            let whole = UnionSet::from_set(Set::universe(set.space().clone()));
            match set.space().output().and_then(Tuple::name).and_then(|name| self.named(name)) {
                Some(group) => parts.push((whole, group.expansion(budget)?)),
                None => others = others.union(&whole)?,
            }
        }
        if parts.len() == 1 && others.plain_is_empty() {
            return Ok(parts.remove(0).1);
        }
        if parts.is_empty() {
            return Ok(Node::Leaf);
        }
        if !others.plain_is_empty() {
            parts.push((others, Node::Leaf));
        }
        let filter = |(set, child)| Node::filter(set, child);
        Ok(Node::Set(parts.into_iter().map(filter).collect()))
    }
}

impl Group {
    /// The expansion node to the members, in their order.
    fn expansion(&self, budget: &Budget) -> Result<Node> {
        let (mut contraction, mut expansion) = (Vec::new(), UnionMap::empty());
        let mut sequence = Vec::with_capacity(self.members.len());
        let groups = self.domain()?;
        for member in &self.members {
            contraction.push(PwMultiAff::everywhere(member.contraction.clone()));
            expansion = expansion.union(&member.expansion(&groups, budget)?)?;
            let all = Set::universe(member.domain.space().clone());
            sequence.push((UnionSet::from_set(all), Node::Leaf));
        }
        let contraction = UnionPwMultiAff::from_parts(contraction);
        let child = Box::new(Node::sequence(sequence));
        Ok(Node::Expansion { contraction, expansion, child })
    }
}

impl GroupMember {
    /// From the instances of the group to those of the member; simple, if the budget suffices for that.
    fn expansion(&self, groups: &UnionSet, budget: &Budget) -> Result<UnionMap> {
        let map = self.contraction.to_map().intersect_domain(&self.domain)?.reverse();
        let expansion = UnionMap::from_map(map);
        Ok(expansion.gist_domain(groups, budget).unwrap_or(expansion))
    }
}
