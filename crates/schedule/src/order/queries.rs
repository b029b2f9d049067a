//! Questions about places in a tree.
use crate::order::reaching::Reaching;
use crate::tree::node::{Node, ScheduleTree};
use loopwright_presburger::{Result, UnionMap};

impl ScheduleTree {
    /// The order of the subtree at `path` alone, among the instances that reach it, as a relation
    /// to a flat tuple; see [`ScheduleTree::flatten`].
    ///
    /// ```
    /// use loopwright_presburger::{Budget, UnionMap};
    /// use loopwright_schedule::ScheduleTree;
    /// let tree = ScheduleTree::parse(
    ///     "{ domain: '{ S[i, j] : 0 <= i, j < 4 }', child: { schedule: '[{ S[i, j] -> [(i)] }]',
    ///        child: { schedule: '[{ S[i, j] -> [(-j)] }]' } } }",
    /// )?;
    /// let expected = UnionMap::parse("{ S[i, j] -> [-j] : 0 <= i, j < 4 }")?;
    /// assert!(tree.subtree_schedule(&[0])?.is_equal(&expected, &Budget::unlimited())?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// *Cost.* That of [`ScheduleTree::flatten`].
    ///
    /// # Errors
    /// If there is no such node; those of [`ScheduleTree::flatten`].
    pub fn subtree_schedule(&self, path: &[usize]) -> Result<UnionMap> {
        let domain = self.domain_at(path)?;
        let root = self.at(path).cloned().unwrap_or(Node::Leaf);
        ScheduleTree { domain, root }.flatten()
    }

    /// The schedule by the bands above the node at `path`: isl's prefix schedule; see
    /// [`Reaching::prefix_schedule`].
    ///
    /// ```
    /// use loopwright_presburger::{Budget, UnionMap};
    /// use loopwright_schedule::ScheduleTree;
    /// let tree = ScheduleTree::parse(
    ///     "{ domain: '{ S[i, j] : 0 <= i, j < 4 }', child: { schedule: '[{ S[i, j] -> [(-i)] }]',
    ///        child: { schedule: '[{ S[i, j] -> [(j)] }]' } } }",
    /// )?;
    /// let expected = UnionMap::parse("{ S[i, j] -> [-i] : 0 <= i, j < 4 }")?;
    /// assert!(tree.prefix_schedule(&[0])?.is_equal(&expected, &Budget::unlimited())?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Reaching::at`].
    pub fn prefix_schedule(&self, path: &[usize]) -> Result<UnionMap> {
        Reaching::at(self, path)?.prefix_schedule()
    }

    /// The path of the innermost node that is above or at both places.
    ///
    /// ```
    /// use loopwright_schedule::ScheduleTree;
    /// assert_eq!(ScheduleTree::shared_ancestor(&[0, 1, 0], &[0, 1, 2, 3]), [0, 1]);
    /// ```
    pub fn shared_ancestor<'a>(first: &'a [usize], second: &[usize]) -> &'a [usize] {
        let shared = first.iter().zip(second).take_while(|(a, b)| a == b).count();
        &first[..shared]
    }

    /// The nodes from the root down to, and without, the one at `path`; as far as there are nodes,
    /// if there is none.
    ///
    /// ```
    /// use loopwright_schedule::{Node, ScheduleTree};
    /// let tree = ScheduleTree::parse("{ domain: '{ S[] }', child: { mark: a, child: { mark: b } } }")?;
    /// assert_eq!(tree.ancestors(&[0, 0]).len(), 2);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn ancestors(&self, path: &[usize]) -> Vec<&Node> {
        (0..path.len()).filter_map(|length| self.at(&path[..length])).collect()
    }
}
