//! The order of a tree as a relation between instances, and comparison of trees.
use crate::order::reaching::Reaching;
use crate::tree::node::{Band, Node, ScheduleTree};
use loopwright_presburger::{Budget, DimKind, Map, Result, UnionMap};

impl ScheduleTree {
    /// `{ a -> b : a runs before b }`: the strict partial order of the tree. Instances at one leaf
    /// with equal band values, and in different children of a set, are not related.
    ///
    /// Cost: one composition per pair of statements and dimension; a subtraction per set node.
    ///
    /// ```
    /// use loopwright_presburger::{Budget, UnionMap};
    /// use loopwright_schedule::ScheduleTree;
    /// let tree = ScheduleTree::parse(
    ///     "{ domain: '{ A[]; B[]; C[] }', child: { sequence: [ { filter: '{ C[] }' },
    ///        { filter: '{ A[]; B[] }', child: { set: [
    ///          { filter: '{ A[] }' }, { filter: '{ B[] }' } ] } } ] } }",
    /// )?;
    /// let budget = Budget::steps(1_000_000);
    /// let expected = UnionMap::parse("{ C[] -> A[]; C[] -> B[] }")?;
    /// assert!(tree.precedence(&budget)?.is_equal(&expected, &budget)?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`ScheduleTree::flatten`]; if the budget runs out.
    pub fn precedence(&self, budget: &Budget) -> Result<UnionMap> {
        let flat = self.flatten()?;
        let mut before = flat.lex_lt_union_map(&flat)?;
        for unordered in self.unordered_levels()? {
            let here = flat.intersect_domain(&unordered.instances)?;
            let together = coscheduled(&here, unordered.level)?;
            let in_one_child = coscheduled(&here, unordered.level + 1)?;
            before = before.subtract(&together.subtract(&in_one_child, budget)?, budget)?;
        }
        before.coalesce(budget)
    }

    /// Whether both trees have the same instances and order them in the same way, whatever nodes
    /// they are made of.
    ///
    /// ```
    /// use loopwright_presburger::Budget;
    /// use loopwright_schedule::ScheduleTree;
    /// let tree = |schedule: &str| {
    ///     ScheduleTree::parse(&format!(
    ///         "{{ domain: '{{ S[i] : 0 <= i < 9 }}', child: {{ schedule: '{schedule}' }} }}"
    ///     ))
    /// };
    /// let (plain, shifted) = (tree("[{ S[i] -> [(i)] }]")?, tree("[{ S[i] -> [(2i + 5)] }]")?);
    /// let budget = Budget::steps(1_000_000);
    /// assert!(plain.has_equal_order(&shifted, &budget)?);
    /// assert!(!plain.is_equal(&shifted, &budget)?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// *Cost.* That of two precedences and of comparing them.
    ///
    /// # Errors
    /// Those of [`ScheduleTree::precedence`].
    pub fn has_equal_order(&self, other: &ScheduleTree, budget: &Budget) -> Result<bool> {
        let (own, others) = (self.flatten()?.domain(), other.flatten()?.domain());
        Ok(own.is_equal(&others, budget)?
            && self.precedence(budget)?.is_equal(&other.precedence(budget)?, budget)?)
    }

    /// Whether both trees consist of the same nodes: the same kinds, sets, relations, members on
    /// the instances that reach them, and flags.
    ///
    /// ```
    /// use loopwright_presburger::Budget;
    /// use loopwright_schedule::ScheduleTree;
    /// let tree = |child: &str| {
    ///     ScheduleTree::parse(&format!("{{ domain: '{{ S[i] : i >= 0 }}', child: {{ {child} }} }}"))
    /// };
    /// let budget = Budget::steps(100_000);
    /// // Members count on the instances that reach them only.
    /// let (plain, piecewise) = (
    ///     tree("schedule: '[{ S[i] -> [(i)] }]'")?,
    ///     tree("schedule: '[{ S[i] -> [(i)] : i >= 0; S[i] -> [(-i)] : i < 0 }]'")?,
    /// );
    /// assert!(plain.is_equal(&piecewise, &budget)?);
    /// assert!(!plain.is_equal(&tree("mark: m")?, &budget)?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// *Cost.* A comparison of sets for each node, and of relations for each member and statement.
    ///
    /// # Errors
    /// If the budget runs out; if a tree is not well-formed.
    pub fn is_equal(&self, other: &ScheduleTree, budget: &Budget) -> Result<bool> {
        Ok(self.domain.is_equal(&other.domain, budget)?
            && same(&self.root, &other.root, &Reaching::root(self), budget)?)
    }
}

/// Instances whose times agree on the first `n` dimensions.
fn coscheduled(flat: &UnionMap, n: usize) -> Result<UnionMap> {
    let start = |map: &Map| map.project_out(DimKind::Out, n, map.n(DimKind::Out) - n);
    let starts = UnionMap::from_maps(flat.params_space(), flat.maps().iter().map(start));
    starts.apply_range(&starts.reverse())
}

/// Whether two subtrees that `reaching` reaches are the same.
fn same(a: &Node, b: &Node, reaching: &Reaching, budget: &Budget) -> Result<bool> {
    let is_same = match (a, b) {
        (Node::Leaf, Node::Leaf)
        | (Node::Sequence(_), Node::Sequence(_))
        | (Node::Set(_), Node::Set(_)) => true,
        (Node::Band(a, _), Node::Band(b, _)) => {
            let domain = reaching.domain()?;
            let isolate = |band: &Band| band.isolate.as_ref().map(ToString::to_string);
            a.permutable == b.permutable
                && a.members == b.members
                && isolate(a) == isolate(b)
                && a.intersect_domain(&domain)?
                    .schedule
                    .to_union_map()?
                    .is_equal(&b.intersect_domain(&domain)?.schedule.to_union_map()?, budget)?
        }
        (Node::Filter(a, _), Node::Filter(b, _)) => {
            let domain = reaching.domain()?;
            a.intersect(&domain)?.is_equal(&b.intersect(&domain)?, budget)?
        }
        (Node::Mark(a, _), Node::Mark(b, _)) => a == b,
        (Node::Context(a, _), Node::Context(b, _)) | (Node::Guard(a, _), Node::Guard(b, _)) => {
            a.is_equal(b, budget)?
        }
        (Node::Extension(a, _), Node::Extension(b, _)) => a.is_equal(b, budget)?,
        (
            Node::Expansion { contraction: a, expansion: c, .. },
            Node::Expansion { contraction: b, expansion: d, .. },
        ) => a.to_union_map().is_equal(&b.to_union_map(), budget)? && c.is_equal(d, budget)?,
        _ => false,
    };
    if !is_same || a.children().len() != b.children().len() {
        return Ok(false);
    }
    for (position, (one, other)) in a.children().iter().zip(b.children()).enumerate() {
        if !same(one, other, &reaching.descend(a, position)?, budget)? {
            return Ok(false);
        }
    }
    Ok(true)
}
