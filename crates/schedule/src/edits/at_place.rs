//! Editing of trees at a place: inserting and deleting nodes, splitting and splicing.
//!
//! A place is the path of child positions that leads to a node. An operation changes the subtree
//! there and nothing else, and refuses what would leave the tree malformed: the children of
//! sequences and sets stay filters.
use crate::order::reaching::Reaching;
use crate::tree::band::invalid;
use crate::tree::node::{Band, Node, ScheduleTree};
use loopwright_presburger::{Name, Result, Set, UnionSet};

impl ScheduleTree {
    /// The tree with the subtree at `path` replaced by its image under `change`.
    ///
    /// ```
    /// use loopwright_schedule::{Node, ScheduleTree};
    /// let tree = ScheduleTree::parse("{ domain: '{ S[i] }', child: { mark: old } }")?;
    /// let tree = tree.edit(&[0], |leaf| Ok(Node::mark("new", leaf)))?;
    /// assert!(matches!(tree.at(&[0]), Some(Node::Mark(name, _)) if **name == *"new"));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// *Cost.* The tree is copied: linear in its number of nodes, whose sets are shared.
    ///
    /// # Errors
    /// If there is no such node, or the result is not a filter where one has to be; those of
    /// `change`.
    pub fn edit(&self, path: &[usize], change: impl FnOnce(Node) -> Result<Node>) -> Result<Self> {
        let in_list = match path.split_last() {
            Some((_, parent)) => {
                matches!(self.at(parent), Some(Node::Sequence(_) | Node::Set(_)))
            }
            None => false,
        };
        let mut tree = self.clone();
        let place = tree.at_mut(path).ok_or_else(|| no_node(path))?;
        let changed = change(place.take())?;
        if in_list && !matches!(changed, Node::Filter(..)) {
            return Err(invalid("edit", "the child of a sequence or set must be a filter".into()));
        }
        *place = changed;
        Ok(tree)
    }

    /// The instances that reach the node at `path`.
    ///
    /// ```
    /// use loopwright_schedule::ScheduleTree;
    /// let tree = ScheduleTree::parse(
    ///     "{ domain: '{ A[]; B[] }', child: { sequence: [
    ///          { filter: '{ A[] }' }, { filter: '{ B[] }' } ] } }",
    /// )?;
    /// assert_eq!(tree.domain_at(&[1, 0])?.to_string(), "{ B[] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Reaching::at`].
    pub fn domain_at(&self, path: &[usize]) -> Result<UnionSet> {
        Reaching::at(self, path)?.domain()
    }

    /// Inserts a band above the node at `path`.
    ///
    /// ```
    /// use loopwright_presburger::MultiUnionPwAff;
    /// use loopwright_schedule::{Band, Node, ScheduleTree};
    /// let tree = ScheduleTree::parse("{ domain: '{ S[i] : 0 <= i < 9 }' }")?;
    /// let band = Band::new(MultiUnionPwAff::parse("[{ S[i] -> [(-i)] }]")?);
    /// assert!(matches!(tree.insert_partial_schedule(&[], band)?.root, Node::Band(..)));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`ScheduleTree::edit`].
    pub fn insert_partial_schedule(&self, path: &[usize], band: Band) -> Result<Self> {
        self.edit(path, |node| Ok(Node::band(band, node)))
    }

    /// Inserts a mark above the node at `path`.
    ///
    /// ```
    /// use loopwright_schedule::{Node, ScheduleTree};
    /// let tree = ScheduleTree::parse("{ domain: '{ S[i] }' }")?.insert_mark(&[], "m".into())?;
    /// assert!(matches!(tree.root, Node::Mark(..)));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`ScheduleTree::edit`].
    pub fn insert_mark(&self, path: &[usize], name: Name) -> Result<Self> {
        self.edit(path, |node| Ok(Node::Mark(name, Box::new(node))))
    }

    /// Inserts a context, over the outer schedule dimensions or parameters only, above the node
    /// at `path`.
    ///
    /// ```
    /// use loopwright_presburger::Set;
    /// use loopwright_schedule::ScheduleTree;
    /// let tree = ScheduleTree::parse(
    ///     "{ domain: '{ S[i] }', child: { schedule: '[{ S[i] -> [(i)] }]' } }",
    /// )?;
    /// let context = Set::parse("[n] -> { [i] : i < n }")?;
    /// assert!(tree.insert_context(&[0], context.clone()).is_ok());
    /// assert!(tree.insert_context(&[], context).is_err());
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// If it has more dimensions than there are members outside; those of [`ScheduleTree::edit`].
    pub fn insert_context(&self, path: &[usize], context: Set) -> Result<Self> {
        self.check_outer_dimensions(path, &context, "insert_context")?;
        self.edit(path, |node| Ok(Node::Context(context, Box::new(node))))
    }

    /// Inserts a guard, over the outer schedule dimensions or parameters only, above the node at
    /// `path`.
    ///
    /// ```
    /// use loopwright_presburger::Set;
    /// use loopwright_schedule::{Node, ScheduleTree};
    /// let tree = ScheduleTree::parse("{ domain: '[n] -> { S[i] }' }")?;
    /// let tree = tree.insert_guard(&[], Set::parse("[n] -> { : n > 0 }")?)?;
    /// assert!(matches!(tree.root, Node::Guard(..)));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// If it has more dimensions than there are members outside; those of [`ScheduleTree::edit`].
    pub fn insert_guard(&self, path: &[usize], guard: Set) -> Result<Self> {
        self.check_outer_dimensions(path, &guard, "insert_guard")?;
        self.edit(path, |node| Ok(Node::Guard(guard, Box::new(node))))
    }

    fn check_outer_dimensions(
        &self,
        path: &[usize],
        set: &Set,
        operation: &'static str,
    ) -> Result<()> {
        let (dims, depth) = (set.n_dims(), Reaching::at(self, path)?.depth());
        match dims <= depth {
            true => Ok(()),
            false => Err(invalid(operation, format!("{dims} dimensions at depth {depth}"))),
        }
    }

    /// Inserts a filter above the node at `path`.
    ///
    /// ```
    /// use loopwright_presburger::UnionSet;
    /// use loopwright_schedule::ScheduleTree;
    /// let tree = ScheduleTree::parse("{ domain: '{ A[]; B[] }' }")?;
    /// let tree = tree.insert_filter(&[], UnionSet::parse("{ A[] }")?)?;
    /// assert_eq!(tree.domain_at(&[0])?.to_string(), "{ A[] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`ScheduleTree::edit`].
    pub fn insert_filter(&self, path: &[usize], filter: UnionSet) -> Result<Self> {
        self.edit(path, |node| Ok(Node::filter(filter, node)))
    }

    /// Inserts a sequence above the node at `path`: one copy of the subtree per filter, one after
    /// the other. The filters should be disjoint and cover what reaches the node.
    ///
    /// ```
    /// use loopwright_presburger::{Budget, UnionMap, UnionSet};
    /// use loopwright_schedule::ScheduleTree;
    /// let tree = ScheduleTree::parse(
    ///     "{ domain: '{ S[i] : 0 <= i < 9 }', child: { schedule: '[{ S[i] -> [(i)] }]' } }",
    /// )?;
    /// let filters = ["{ S[i] : i >= 5 }", "{ S[i] : i < 5 }"];
    /// let filters = filters.iter().map(|f| UnionSet::parse(f)).collect::<Result<Vec<_>, _>>()?;
    /// let expected = "{ S[i] -> [0, i] : 5 <= i < 9; S[i] -> [1, i] : 0 <= i < 5 }";
    /// let flat = tree.insert_sequence(&[], &filters)?.flatten()?;
    /// assert!(flat.is_equal(&UnionMap::parse(expected)?, &Budget::unlimited())?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// If there is no filter; those of [`ScheduleTree::edit`].
    pub fn insert_sequence(&self, path: &[usize], filters: &[UnionSet]) -> Result<Self> {
        self.edit(path, |node| Ok(Node::Sequence(copies(&node, filters)?)))
    }

    /// Like [`ScheduleTree::insert_sequence`], with the copies in any order.
    ///
    /// ```
    /// use loopwright_presburger::UnionSet;
    /// use loopwright_schedule::{Node, ScheduleTree};
    /// let tree = ScheduleTree::parse("{ domain: '{ A[]; B[] }' }")?;
    /// let filters = [UnionSet::parse("{ A[] }")?, UnionSet::parse("{ B[] }")?];
    /// assert!(matches!(tree.insert_set(&[], &filters)?.root, Node::Set(children) if children.len() == 2));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`ScheduleTree::insert_sequence`].
    pub fn insert_set(&self, path: &[usize], filters: &[UnionSet]) -> Result<Self> {
        self.edit(path, |node| Ok(Node::Set(copies(&node, filters)?)))
    }

    /// Removes the node at `path` alone: its child takes its place.
    ///
    /// ```
    /// use loopwright_schedule::ScheduleTree;
    /// let tree = ScheduleTree::parse("{ domain: '{ S[i] }', child: { mark: m } }")?;
    /// assert!(tree.delete(&[])?.root.is_leaf());
    /// assert!(tree.delete(&[0]).is_err());
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the node has no child or several, if it is an extension or expansion (the subtree is
    /// about other instances), or the filter of a sequence or set.
    pub fn delete(&self, path: &[usize]) -> Result<Self> {
        self.edit(path, |node| match node {
            Node::Band(_, child)
            | Node::Mark(_, child)
            | Node::Filter(_, child)
            | Node::Context(_, child)
            | Node::Guard(_, child) => Ok(*child),
            _ => Err(invalid("delete", "this node cannot be taken out alone".into())),
        })
    }

    /// Removes the subtree at `path`, leaving a leaf: what reaches it is not ordered any more.
    ///
    /// ```
    /// use loopwright_schedule::ScheduleTree;
    /// let tree = ScheduleTree::parse(
    ///     "{ domain: '{ S[i] }', child: { mark: m, child: { schedule: '[{ S[i] -> [(i)] }]' } } }",
    /// )?;
    /// assert!(tree.cut(&[0])?.root.children()[0].is_leaf());
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`ScheduleTree::edit`].
    pub fn cut(&self, path: &[usize]) -> Result<Self> {
        self.edit(path, |_| Ok(Node::Leaf))
    }

    /// Splits the band at `path` in two nested ones, the first `at` members outside.
    ///
    /// ```
    /// use loopwright_schedule::ScheduleTree;
    /// let tree = ScheduleTree::parse(
    ///     "{ domain: '{ S[i, j] }', child: { schedule: '[{ S[i, j] -> [(i)] }, { S[i, j] -> [(j)] }]' } }",
    /// )?;
    /// assert_eq!(tree.split_band(&[], 1)?.root.depth(), 2);
    /// assert!(tree.split_band(&[], 3).is_err());
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the node is no band, or has fewer members.
    pub fn split_band(&self, path: &[usize], at: usize) -> Result<Self> {
        self.edit(path, |node| match node {
            Node::Band(band, child) if at <= band.n_members() => {
                let (outer, inner) = band.split(at);
                Ok(Node::band(outer, Node::Band(inner, child)))
            }
            _ => Err(invalid("split", format!("no band with {at} members"))),
        })
    }

    /// Replaces the band at `path`, for example by its tiles and points.
    ///
    /// ```
    /// use loopwright_presburger::Int;
    /// use loopwright_schedule::{ScheduleTree, TileLoops};
    /// let tree = ScheduleTree::parse(
    ///     "{ domain: '{ S[i] }', child: { schedule: '[{ S[i] -> [(i)] }]' } }",
    /// )?;
    /// let tiled = tree.edit_band(&[], |band| {
    ///     let (tiles, points) = band.tile(&[Int::from(32)], TileLoops::Scaled)?;
    ///     Ok(vec![tiles, points])
    /// })?;
    /// assert_eq!(tiled.root.depth(), 2);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the node is no band; those of `change`.
    pub fn edit_band(
        &self,
        path: &[usize],
        change: impl FnOnce(&Band) -> Result<Vec<Band>>,
    ) -> Result<Self> {
        self.edit(path, |node| match node {
            Node::Band(band, child) => {
                let nested = change(&band)?.into_iter().rev();
                Ok(nested.fold(*child, |child, band| Node::band(band, child)))
            }
            _ => Err(not_a_band("edit_band")),
        })
    }

    /// Moves the band at `path` below everything in its subtree.
    ///
    /// ```
    /// use loopwright_schedule::{Node, ScheduleTree};
    /// let tree = ScheduleTree::parse(
    ///     "{ domain: '{ S[i] }', child: { schedule: '[{ S[i] -> [(i)] }]', child: { mark: m } } }",
    /// )?;
    /// let tree = tree.sink_band(&[])?;
    /// assert!(matches!(tree.root, Node::Mark(..)) && matches!(tree.at(&[0]), Some(Node::Band(..))));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the node is no band; those of [`Node::sink`].
    pub fn sink_band(&self, path: &[usize]) -> Result<Self> {
        self.edit(path, |node| match node {
            Node::Band(band, child) => {
                let mut child = *child;
                child.sink(&band)?;
                Ok(child)
            }
            _ => Err(not_a_band("sink")),
        })
    }

    /// Replaces child `position` of the sequence at `path`, below whose filter there is a sequence
    /// again, by the children of that sequence. The same for sets. The order does not change.
    ///
    /// ```
    /// use loopwright_schedule::ScheduleTree;
    /// let tree = ScheduleTree::parse(
    ///     "{ domain: '{ A[]; B[]; C[] }', child: { sequence: [ { filter: '{ A[] }' },
    ///        { filter: '{ B[]; C[] }', child: { sequence: [
    ///          { filter: '{ B[] }' }, { filter: '{ C[] }' } ] } } ] } }",
    /// )?;
    /// assert_eq!(tree.splice_child(&[], 1)?.root.children().len(), 3);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// If there are not two such sequences.
    pub fn splice_child(&self, path: &[usize], position: usize) -> Result<Self> {
        self.edit(path, |node| match node {
            Node::Sequence(children) => {
                let grandchildren = |node| match node {
                    Node::Sequence(children) => Some(children),
                    _ => None,
                };
                Ok(Node::Sequence(spliced(children, position, grandchildren)?))
            }
            Node::Set(children) => {
                let grandchildren = |node| match node {
                    Node::Set(children) => Some(children),
                    _ => None,
                };
                Ok(Node::Set(spliced(children, position, grandchildren)?))
            }
            _ => Err(nothing_to_splice()),
        })
    }

    /// Splices every child of the sequence at `path` below whose filter there is a sequence.
    ///
    /// ```
    /// use loopwright_schedule::ScheduleTree;
    /// let tree = ScheduleTree::parse(
    ///     "{ domain: '{ A[]; B[]; C[] }', child: { sequence: [ { filter: '{ A[] }' },
    ///        { filter: '{ B[]; C[] }', child: { sequence: [
    ///          { filter: '{ B[] }' }, { filter: '{ C[] }' } ] } } ] } }",
    /// )?;
    /// assert_eq!(tree.splice_children(&[])?.root.children().len(), 3);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of the intersections; if the node at `path` is no sequence.
    pub fn splice_children(&self, path: &[usize]) -> Result<Self> {
        let Some(Node::Sequence(children)) = self.at(path) else {
            return Err(nothing_to_splice());
        };
        let is_sequence = |node: &Node| matches!(node, Node::Filter(_, below) if matches!(**below, Node::Sequence(_)));
        let with_sequence = (0..children.len()).rev().filter(|&p| is_sequence(&children[p]));
        with_sequence.clone().try_fold(self.clone(), |tree, p| tree.splice_child(path, p))
    }
}

fn copies(node: &Node, filters: &[UnionSet]) -> Result<Vec<Node>> {
    if filters.is_empty() {
        return Err(invalid("insert", "a sequence or set needs a filter".into()));
    }
    Ok(filters.iter().map(|filter| Node::filter(filter.clone(), node.clone())).collect())
}

fn spliced(
    mut children: Vec<Node>,
    position: usize,
    grandchildren: impl Fn(Node) -> Option<Vec<Node>>,
) -> Result<Vec<Node>> {
    let child = children.get_mut(position).map(Node::take);
    let Some(Node::Filter(filter, below)) = child else { return Err(nothing_to_splice()) };
    let inner = grandchildren(*below).ok_or_else(nothing_to_splice)?;
    let mut restricted = Vec::with_capacity(inner.len());
    for grandchild in inner {
        match grandchild {
            Node::Filter(own, below) => {
                restricted.push(Node::Filter(own.intersect(&filter)?, below));
            }
            _ => return Err(nothing_to_splice()),
        }
    }
    children.splice(position..=position, restricted);
    Ok(children)
}

fn no_node(path: &[usize]) -> loopwright_presburger::Error {
    invalid("edit", format!("there is no node at {path:?}"))
}

fn not_a_band(operation: &'static str) -> loopwright_presburger::Error {
    invalid(operation, "the node is not a band".into())
}

fn nothing_to_splice() -> loopwright_presburger::Error {
    invalid("splice", "no sequence (or set) directly below a child of one of its kind".into())
}
