//! A schedule tree as one relation from instances to a flat tuple, ordered lexicographically.
use crate::order::reaching::{Piece, Reaching, flat_components, relation};
use crate::tree::node::{Node, ScheduleTree};
use loopwright_presburger::{Result, Set, Space, UnionMap, UnionSet};

impl ScheduleTree {
    /// The order of the tree as a relation: instance x runs before instance y if its image is
    /// lexicographically smaller.
    ///
    /// All images are in one anonymous tuple. Band members give one dimension each; a
    /// sequence or set gives one dimension, the position of the child; instances whose path from
    /// the root has fewer dimensions get zeros after that. (The children of a set may run in any order;
    /// this is one of them.) Two instances with the same image are not ordered by the tree.
    ///
    /// Cost: linear in the tree times the number of statements; sets are intersected with filters
    /// and nothing else.
    ///
    /// # Errors
    /// If a band is not defined for a statement that reaches it, or an extension adds one
    /// instance at several places.
    ///
    /// # Examples
    /// ```
    /// use loopwright_schedule::ScheduleTree;
    /// let tree = ScheduleTree::parse(
    ///     r#"{ domain: "[n] -> { S[i] : 0 <= i < n; T[] }", child: { sequence: [
    ///          { filter: "{ T[] }" },
    ///          { filter: "{ S[i] }", child: { schedule: "[{ S[i] -> [(-i)] }]" } } ] } }"#,
    /// )?;
    /// let expected = "[n] -> { S[i] -> [1, -i] : 0 <= i < n; T[] -> [0, 0] }";
    /// let expected = loopwright_presburger::UnionMap::parse(expected)?;
    /// let budget = loopwright_presburger::Budget::unlimited();
    /// assert!(tree.flatten()?.is_equal(&expected, &budget)?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn flatten(&self) -> Result<UnionMap> {
        let leaves = self.leaves()?;
        let depth = flat_depth(&leaves);
        let pieces = leaves
            .iter()
            .flat_map(|leaf| leaf.pieces.iter().map(|piece: &Piece| (piece, &leaf.layout[..])));
        relation(pieces, depth)
    }

    /// The pieces of [`ScheduleTree::flatten`], each with one expression per dimension of the flat
    /// schedule: constants for positions in sequences and sets, and zeros after that.
    ///
    /// # Errors
    /// Those of [`ScheduleTree::flatten`].
    pub fn flat_pieces(&self) -> Result<Vec<Piece>> {
        let leaves = self.leaves()?;
        let depth = flat_depth(&leaves);
        let mut pieces = Vec::new();
        for leaf in &leaves {
            for piece in &leaf.pieces {
                let schedule = flat_components(piece, &leaf.layout, depth)?;
                pieces.push(Piece { domain: piece.domain.clone(), schedule });
            }
        }
        Ok(pieces)
    }

    /// What reaches each leaf, from left to right.
    fn leaves(&self) -> Result<Vec<Reaching>> {
        let mut leaves = Vec::new();
        collect_leaves(&self.root, Reaching::root(self), &mut leaves)?;
        Ok(leaves)
    }

    /// [`ScheduleTree::flatten`] without regard to the domain: also for points of the statements'
    /// spaces that are no instances.
    ///
    /// It orders pairs of instances as the flat schedule does, usually in one piece per statement,
    /// however many pieces the domain has. If the tree says nothing about points outside of its
    /// domain it is the flat schedule itself.
    ///
    /// # Errors
    /// Those of [`ScheduleTree::flatten`].
    pub fn flatten_on_whole_spaces(&self) -> Result<UnionMap> {
        let whole = ScheduleTree { domain: self.whole_spaces()?, root: self.root.clone() };
        whole.flatten().or_else(|_| self.flatten())
    }

    /// All points of the spaces of the domain.
    ///
    /// # Errors
    /// Those of the union.
    pub fn whole_spaces(&self) -> Result<UnionSet> {
        let sets = self.domain.sets();
        let whole = sets.iter().map(|set| Set::universe(set.space().clone()));
        Ok(UnionSet::from_sets(self.domain.params_space(), whole))
    }
}

/// A dimension of the flat schedule at which some statements are not ordered among each other: the
/// positions of the children of a set node.
#[derive(Clone, Debug)]
pub struct UnorderedLevel {
    /// The dimension.
    pub level: usize,
    /// The instances that reach the leaves below the set node.
    pub instances: UnionSet,
}

impl ScheduleTree {
    /// The dimensions of [`ScheduleTree::flatten`] that come from set nodes.
    ///
    /// Two of the named instances that agree on the dimensions before and differ in this one may run
    /// in any order.
    ///
    /// # Errors
    /// Those of [`ScheduleTree::flatten`].
    pub fn unordered_levels(&self) -> Result<Vec<UnorderedLevel>> {
        let mut levels = Vec::new();
        let _domain = collect_unordered(&self.root, &Reaching::root(self), &mut levels)?;
        levels.reverse();
        Ok(levels)
    }
}

/// Collects the levels, inner ones first, and returns the instances at the leaves.
fn collect_unordered(
    node: &Node,
    reaching: &Reaching,
    levels: &mut Vec<UnorderedLevel>,
) -> Result<UnionSet> {
    if node.is_leaf() {
        return reaching.domain();
    }
    let mut sets: Vec<Set> = Vec::new();
    for (child, below) in node.children().iter().zip(reaching.below(node)?) {
        sets.extend(collect_unordered(child, &below, levels)?.sets());
    }
    let instances = UnionSet::from_sets(&Space::params(&[]), sets);
    if let Node::Set(_) = node {
        let level = reaching.layout.len();
        levels.push(UnorderedLevel { level, instances: instances.clone() });
    }
    Ok(instances)
}

/// The number of dimensions of the flat schedule.
fn flat_depth(leaves: &[Reaching]) -> usize {
    leaves.iter().map(|leaf| leaf.layout.len()).max().unwrap_or(0)
}

fn collect_leaves(node: &Node, reaching: Reaching, leaves: &mut Vec<Reaching>) -> Result<()> {
    if node.is_leaf() {
        leaves.push(reaching);
        return Ok(());
    }
    for (child, below) in node.children().iter().zip(reaching.below(node)?) {
        collect_leaves(child, below, leaves)?;
    }
    Ok(())
}
