//! Putting some of the instances that reach a node before or after the others, and adding
//! instances before or after them.
use crate::order::reaching::Reaching;
use crate::tree::band::invalid;
use crate::tree::node::{Node, ScheduleTree};
use loopwright_presburger::{Budget, Result, UnionMap, UnionSet};

impl ScheduleTree {
    /// Orders the instances at the node at `path` that are in `filter` before the others there;
    /// among each other both keep the order of the subtree.
    ///
    /// ```
    /// use loopwright_presburger::{Budget, UnionMap, UnionSet};
    /// use loopwright_schedule::ScheduleTree;
    /// let tree = ScheduleTree::parse(
    ///     "{ domain: '{ S[i] : 0 <= i < 9 }', child: { schedule: '[{ S[i] -> [(i)] }]' } }",
    /// )?;
    /// let budget = Budget::steps(1_000_000);
    /// let tree = tree.order_before(&[], &UnionSet::parse("{ S[i] : i >= 5 }")?, &budget)?;
    /// let expected = "{ S[i] -> [0, i] : 5 <= i < 9; S[i] -> [1, i] : 0 <= i < 5 }";
    /// assert!(tree.flatten()?.is_equal(&UnionMap::parse(expected)?, &budget)?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// *Cost.* A subtraction for each statement that reaches the node.
    ///
    /// # Errors
    /// If there is no such node, or it is the filter of a sequence or set; if the budget runs out.
    pub fn order_before(&self, path: &[usize], filter: &UnionSet, budget: &Budget) -> Result<Self> {
        self.ordered(path, filter, budget, |these, others| vec![these, others])
    }

    /// Orders the instances at the node at `path` that are in `filter` after the others there; see
    /// [`ScheduleTree::order_before`].
    ///
    /// ```
    /// use loopwright_presburger::{Budget, UnionMap, UnionSet};
    /// use loopwright_schedule::ScheduleTree;
    /// let tree = ScheduleTree::parse("{ domain: '{ A[]; B[] }' }")?;
    /// let budget = Budget::steps(1_000_000);
    /// let tree = tree.order_after(&[], &UnionSet::parse("{ A[] }")?, &budget)?;
    /// let expected = UnionMap::parse("{ B[] -> A[] }")?;
    /// assert!(tree.precedence(&budget)?.is_equal(&expected, &budget)?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// *Cost.* As [`ScheduleTree::order_before`].
    ///
    /// # Errors
    /// Those of [`ScheduleTree::order_before`].
    pub fn order_after(&self, path: &[usize], filter: &UnionSet, budget: &Budget) -> Result<Self> {
        self.ordered(path, filter, budget, |these, others| vec![others, these])
    }

    fn ordered(
        &self,
        path: &[usize],
        filter: &UnionSet,
        budget: &Budget,
        order: impl Fn(Node, Node) -> Vec<Node>,
    ) -> Result<Self> {
        let domain = self.domain_at(path)?;
        let (these, others) = (domain.intersect(filter)?, domain.subtract(filter, budget)?);
        if these.is_empty(budget)? || others.is_empty(budget)? {
            return Ok(self.clone());
        }
        self.edit(path, |node| {
            let part = |instances: &UnionSet| -> Result<Node> {
                let below = node.restricted(instances)?.unwrap_or(Node::Leaf);
                Ok(Node::filter(instances.clone(), below))
            };
            Ok(Node::Sequence(order(part(&these)?, part(&others)?)))
        })
    }

    /// Adds the instances of `extension`, a relation from the outer schedule dimensions, before
    /// those that reach the node at `path`, ordered among each other by `graft`.
    ///
    /// ```
    /// use loopwright_presburger::{Budget, UnionMap};
    /// use loopwright_schedule::{Node, ScheduleTree};
    /// let tree = ScheduleTree::parse(
    ///     "{ domain: '{ S[i] : 0 <= i < 9 }', child: { schedule: '[{ S[i] -> [(i)] }]' } }",
    /// )?;
    /// let copies = UnionMap::parse("{ [i] -> C[i] : 0 <= i < 9 }")?;
    /// let tree = tree.graft_before(&[0], &copies, Node::Leaf)?;
    /// let expected = "{ S[i] -> [i, 1] : 0 <= i < 9; C[i] -> [i, 0] : 0 <= i < 9 }";
    /// assert!(tree.flatten()?.is_equal(&UnionMap::parse(expected)?, &Budget::unlimited())?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// If there is no such node, if the extension does not start from all outer dimensions, or adds
    /// instances of statements that reach the node already.
    pub fn graft_before(&self, path: &[usize], extension: &UnionMap, graft: Node) -> Result<Self> {
        self.grafted(path, extension, graft, |graft, node| vec![graft, node])
    }

    /// Adds instances after those that reach the node at `path`; see
    /// [`ScheduleTree::graft_before`].
    ///
    /// ```
    /// use loopwright_presburger::{Budget, UnionMap};
    /// use loopwright_schedule::{Node, ScheduleTree};
    /// let tree = ScheduleTree::parse("{ domain: '{ S[] }' }")?;
    /// let tree = tree.graft_after(&[], &UnionMap::parse("{ [] -> C[] }")?, Node::Leaf)?;
    /// let expected = UnionMap::parse("{ S[] -> [0]; C[] -> [1] }")?;
    /// assert!(tree.flatten()?.is_equal(&expected, &Budget::unlimited())?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`ScheduleTree::graft_before`].
    pub fn graft_after(&self, path: &[usize], extension: &UnionMap, graft: Node) -> Result<Self> {
        self.grafted(path, extension, graft, |graft, node| vec![node, graft])
    }

    fn grafted(
        &self,
        path: &[usize],
        extension: &UnionMap,
        graft: Node,
        order: impl Fn(Node, Node) -> Vec<Node>,
    ) -> Result<Self> {
        let reaching = Reaching::at(self, path)?;
        let (domain, added) = (reaching.domain()?, extension.range());
        let starts_outside = extension
            .maps()
            .iter()
            .all(|map| map.space().input().is_some_and(|input| input.n_dims() == reaching.depth()));
        if !starts_outside {
            let reason = format!("an extension starts from {} dimensions here", reaching.depth());
            return Err(invalid("graft", reason));
        }
        if !domain.intersect(&added)?.plain_is_empty() {
            return Err(invalid("graft", "the added statements are here already".into()));
        }
        self.edit(path, |node| {
            let children = order(Node::filter(added, graft), Node::filter(domain, node));
            Ok(Node::Extension(extension.clone(), Box::new(Node::Sequence(children))))
        })
    }
}
