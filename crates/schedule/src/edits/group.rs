//! Trees over groups of instances, and trees over the images of a function.
use crate::order::reaching::Reaching;
use crate::tree::band::invalid;
use crate::tree::node::{Band, Node, ScheduleTree};
use loopwright_presburger::{
    Aff, Budget, DimKind, MultiAff, Name, PwAff, PwMultiAff, Result, Space, Tuple, UnionPwAff,
    UnionPwMultiAff, UnionSet,
};

impl ScheduleTree {
    /// The tree that orders x as `self` orders f(x): over all x whose image is an instance.
    ///
    /// ```
    /// use loopwright_presburger::{Budget, UnionMap, UnionPwMultiAff};
    /// use loopwright_schedule::ScheduleTree;
    /// let tree = ScheduleTree::parse(
    ///     "{ domain: '{ S[i] : 0 <= i < 9 }', child: { schedule: '[{ S[i] -> [(-i)] }]' } }",
    /// )?;
    /// let tree = tree.pullback(&UnionPwMultiAff::parse("{ A[x] -> S[(2x)] }")?)?;
    /// let expected = UnionMap::parse("{ A[x] -> [-2x] : 0 <= x < 5 }")?;
    /// assert!(tree.flatten()?.is_equal(&expected, &Budget::unlimited())?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// *Cost.* A preimage for each set and form in the tree.
    ///
    /// # Errors
    /// If there is an expansion or extension in the tree; those of the preimages.
    pub fn pullback(&self, function: &UnionPwMultiAff) -> Result<ScheduleTree> {
        let domain = self.domain.preimage_union_pw_multi_aff(function)?;
        Ok(ScheduleTree { domain, root: self.root.clone().pulled_back(function)? })
    }

    /// The tree in which every instance of `self` stands for the instances that `contraction` maps
    /// to it, which are ordered among each other as `inner` orders them.
    ///
    /// ```
    /// use loopwright_presburger::{Budget, UnionMap, UnionPwMultiAff};
    /// use loopwright_schedule::ScheduleTree;
    /// let groups = ScheduleTree::parse(
    ///     "{ domain: '{ G[i] : 0 <= i < 9 }', child: { schedule: '[{ G[i] -> [(i)] }]' } }",
    /// )?;
    /// let inner = ScheduleTree::parse(
    ///     "{ domain: '{ A[i] : 0 <= i < 9; B[i] : 0 <= i < 9 }', child: { sequence: [
    ///          { filter: '{ A[i] }' }, { filter: '{ B[i] }' } ] } }",
    /// )?;
    /// let contraction = UnionPwMultiAff::parse("{ A[i] -> G[(i)]; B[i] -> G[(i)] }")?;
    /// let expected = "{ A[i] -> [i, 0] : 0 <= i < 9; B[i] -> [i, 1] : 0 <= i < 9 }";
    /// let flat = groups.expand(&contraction, &inner)?.flatten()?;
    /// assert!(flat.is_equal(&UnionMap::parse(expected)?, &Budget::unlimited())?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`ScheduleTree::pullback`] and [`ScheduleTree::intersect_domain`].
    pub fn expand(
        &self,
        contraction: &UnionPwMultiAff,
        inner: &ScheduleTree,
    ) -> Result<ScheduleTree> {
        let contraction = contraction.intersect_domain(&inner.domain)?;
        let mut tree = self.pullback(&contraction)?;
        let reaching = Reaching::root(&tree);
        tree.root.fill_leaves(&reaching, &inner.root)?;
        Ok(tree)
    }

    /// Makes groups of the instances that reach the node at `path`: all with the same values of the
    /// bands outside are one instance `name[values]` above the node, and an expansion there leads
    /// back to them. The order does not change.
    ///
    /// ```
    /// use loopwright_presburger::Budget;
    /// use loopwright_schedule::{Node, ScheduleTree};
    /// let tree = ScheduleTree::parse(
    ///     "{ domain: '{ A[i] : 0 <= i < 9; B[i] : 0 <= i < 9 }', child: {
    ///          schedule: '[{ A[i] -> [(-i)]; B[i] -> [(-i)] }]', child: { sequence: [
    ///              { filter: '{ A[i] }' }, { filter: '{ B[i] }' } ] } } }",
    /// )?;
    /// let grouped = tree.group(&[0], "G")?;
    /// assert_eq!(grouped.domain.to_string(), "{ G[i0] : -8 <= i0 <= 0 }");
    /// assert!(grouped.has_equal_order(&tree, &Budget::steps(1_000_000))?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// If there is no such node; if it is the filter of a sequence or set; if an expansion,
    /// an extension or an isolated part is above it.
    pub fn group(&self, path: &[usize], name: &str) -> Result<ScheduleTree> {
        let reaching = Reaching::at(self, path)?;
        let contraction = contraction_by_times(&reaching, name)?;
        let members = reaching.domain()?;
        let expansion = contraction.to_union_map().reverse();
        let grouping = Grouping { groups: expansion.domain(), members };
        let mut tree = self.edit(path, |node| {
            Ok(Node::Expansion { contraction, expansion, child: Box::new(node) })
        })?;
        tree.domain = grouping.replaced(&tree.domain)?;
        let mut reaching = Reaching::root(self);
        let (mut node, mut original) = (&mut tree.root, &self.root);
        for &child in path {
            grouping.regroup(node, &reaching)?;
            reaching = reaching.descend(original, child)?;
            (node, original) = (&mut node.children_mut()[child], &original.children()[child]);
        }
        Ok(tree)
    }
}

/// What becomes of the nodes above a new group.
struct Grouping {
    groups: UnionSet,
    members: UnionSet,
}

impl Grouping {
    /// The instances with groups in the place of their members.
    fn replaced(&self, instances: &UnionSet) -> Result<UnionSet> {
        let budget = Budget::steps(GROUP_STEPS);
        instances.subtract(&self.members, &budget)?.union(&self.groups)
    }

    /// Changes a node above the group; `reaching` is what reached it before.
    fn regroup(&self, node: &mut Node, reaching: &Reaching) -> Result<()> {
        match node {
            Node::Band(band, _) if band.isolate.is_some() => {
                return Err(invalid("group", "a band above has an isolated part".into()));
            }
            Node::Band(band, _) => *band = self.with_group(band, reaching.depth())?,
            Node::Filter(filter, _) => {
                *filter = self.replaced(&filter.intersect(&reaching.domain()?)?)?;
            }
            Node::Extension(..) | Node::Expansion { .. } => {
                let reason = "an extension or expansion is above the group";
                return Err(invalid("group", reason.into()));
            }
            Node::Leaf
            | Node::Sequence(_)
            | Node::Set(_)
            | Node::Mark(..)
            | Node::Context(..)
            | Node::Guard(..) => {}
        }
        Ok(())
    }

    /// The band with its members' values for the groups: coordinates of the group.
    fn with_group(&self, band: &Band, depth: usize) -> Result<Band> {
        let groups = self.groups.sets();
        let mut members = Vec::with_capacity(band.n_members());
        for (position, member) in band.schedule.members().iter().enumerate() {
            let mut extended = member.clone();
            for set in &groups {
                let value = Aff::variable(set.space(), DimKind::Out, depth + position);
                let value = UnionPwAff::from_parts(vec![PwAff::from_aff(value)]);
                extended = extended.union_disjoint(&value)?;
            }
            members.push(extended);
        }
        Ok(band.clone().with_members(members))
    }
}

/// Steps for taking the members of a group out of a domain.
const GROUP_STEPS: u64 = 10_000_000;

/// From the instances to `name[values of the bands outside]`.
fn contraction_by_times(reaching: &Reaching, name: &str) -> Result<UnionPwMultiAff> {
    let mut parts = UnionPwMultiAff::empty();
    for piece in &reaching.pieces {
        let merge = |space: Space, aff: &Aff| space.merge_params(aff.domain_space());
        let space = piece.schedule.iter().fold(piece.domain.space().clone(), merge);
        let tuple = Tuple::anonymous(reaching.depth()).with_name(Some(Name::from(name)));
        let group = Space::set(space.param_names(), tuple);
        let values = piece.schedule.iter().map(|aff| aff.align_params(&space)).collect();
        let function = MultiAff::new(space.map_to(&group), values)?;
        let pieces = vec![(piece.domain.clone(), function)];
        let part = PwMultiAff::from_pieces(space.map_to(&group), pieces);
        parts = parts.union_disjoint(&UnionPwMultiAff::from_parts(vec![part]))?;
    }
    Ok(parts)
}

impl Node {
    /// The subtree over the points that `function` maps to the instances of this one.
    fn pulled_back(self, function: &UnionPwMultiAff) -> Result<Node> {
        self.map_bottom_up(&mut |node: Node| node.pulled_back_alone(function))
    }

    /// The node over the points that `function` maps to its instances, its children as they are.
    pub(crate) fn pulled_back_alone(self, function: &UnionPwMultiAff) -> Result<Node> {
        Ok(match self {
            Node::Band(band, child) => {
                Node::Band(Band { schedule: band.schedule.pullback(function)?, ..band }, child)
            }
            Node::Filter(set, child) => {
                Node::Filter(set.preimage_union_pw_multi_aff(function)?, child)
            }
            Node::Extension(..) | Node::Expansion { .. } => {
                let reason = "there is an extension or expansion in the tree";
                return Err(invalid("pullback", reason.into()));
            }
            other => other,
        })
    }

    /// Puts the part of `inner` for the instances that reach each leaf there.
    fn fill_leaves(&mut self, reaching: &Reaching, inner: &Node) -> Result<()> {
        if self.is_leaf() {
            *self = inner.restricted(&reaching.domain()?)?.unwrap_or(Node::Leaf);
            return Ok(());
        }
        for position in 0..self.children().len() {
            let below = reaching.descend(self, position)?;
            self.children_mut()[position].fill_leaves(&below, inner)?;
        }
        Ok(())
    }
}
