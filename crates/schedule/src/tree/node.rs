//! The nodes of a schedule tree.
use loopwright_presburger::{MultiUnionPwAff, Name, Set, UnionMap, UnionPwMultiAff, UnionSet};

/// A schedule tree: the instances and how they are ordered.
#[derive(Clone, Debug)]
pub struct ScheduleTree {
    /// All instances that are scheduled.
    pub domain: UnionSet,
    /// The order.
    pub root: Node,
}

/// A node of a schedule tree; children come after parents in no time, siblings by node kind.
///
/// The kinds are those of isl, all of them: who walks over a tree has to say what becomes of each.
#[derive(Clone, Debug)]
pub enum Node {
    /// No further order.
    Leaf,
    /// Order by the values of a partial schedule, lexicographically.
    Band(Band, Box<Node>),
    /// Keeps only some of the instances.
    Filter(UnionSet, Box<Node>),
    /// The children (all [`Node::Filter`]) one after the other.
    Sequence(Vec<Node>),
    /// The children (all [`Node::Filter`]) in any order, not interleaved.
    Set(Vec<Node>),
    /// A name attached to the subtree.
    Mark(Name, Box<Node>),
    /// Constraints on parameters (and outer schedule dimensions) known to hold in the subtree.
    Context(Set, Box<Node>),
    /// Constraints on parameters and outer schedule dimensions to be enforced outside.
    Guard(Set, Box<Node>),
    /// Additional instances, given the values of the outer schedule dimensions.
    Extension(UnionMap, Box<Node>),
    /// Each reaching instance stands for several ones.
    Expansion {
        /// From the instances below to the ones above.
        contraction: UnionPwMultiAff,
        /// From the instances above to the ones below.
        expansion: UnionMap,
        /// The subtree over the expanded instances.
        child: Box<Node>,
    },
}

/// A multi-dimensional partial schedule.
#[derive(Clone, Debug)]
pub struct Band {
    /// One piecewise quasi-affine expression per member, total on the reaching instances.
    pub schedule: MultiUnionPwAff,
    /// Whether the members may be permuted freely.
    pub permutable: bool,
    /// One entry per member of `schedule`.
    pub members: Vec<Member>,
    /// The part (over all outer schedule dimensions, then those of this band) to be isolated:
    /// `{ [[outer] -> [band]] }`.
    pub isolate: Option<Set>,
}

/// What is known about, and wanted from, one member of a band.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Member {
    /// Whether the loop of this member carries no (coincidence) dependence.
    pub coincident: bool,
    /// How the loop is to be generated.
    pub ast_loop_type: AstLoopType,
    /// How the loop is to be generated in the isolated part.
    pub isolate_ast_loop_type: AstLoopType,
}

/// How the loop of a band member is generated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum AstLoopType {
    /// As the generator likes.
    #[default]
    Default,
    /// No statement more than once.
    Atomic,
    /// Split until every piece runs a fixed set of statements.
    Separate,
    /// One copy of the body per value.
    Unroll,
}

impl ScheduleTree {
    /// The instances of `domain` in the order of `root`. [`ScheduleTree::check`] says whether the tree is
    /// well-formed.
    pub fn new(domain: UnionSet, root: Node) -> Self {
        ScheduleTree { domain, root }
    }

    /// The tree that leaves the instances of `domain` unordered.
    pub fn from_domain(domain: UnionSet) -> Self {
        ScheduleTree { domain, root: Node::Leaf }
    }

    /// The node at `path`: the positions of the children to descend to from [`Self::root`].
    pub fn at(&self, path: &[usize]) -> Option<&Node> {
        path.iter().try_fold(&self.root, |node, &child| node.children().get(child))
    }

    /// The node at `path`, to be changed.
    pub fn at_mut(&mut self, path: &[usize]) -> Option<&mut Node> {
        path.iter().try_fold(&mut self.root, |node, &child| node.children_mut().get_mut(child))
    }
}

impl Node {
    /// A band above `child`.
    pub fn band(band: Band, child: Node) -> Node {
        Node::Band(band, Box::new(child))
    }

    /// A filter above `child`.
    pub fn filter(instances: UnionSet, child: Node) -> Node {
        Node::Filter(instances, Box::new(child))
    }

    /// A mark above `child`.
    pub fn mark(name: &str, child: Node) -> Node {
        Node::Mark(name.into(), Box::new(child))
    }

    /// The parts one after the other, each below a filter; a single part needs no sequence.
    pub fn sequence(parts: Vec<(UnionSet, Node)>) -> Node {
        Node::Sequence(parts.into_iter().map(|(set, child)| Node::filter(set, child)).collect())
    }

    /// Whether this is a leaf.
    pub fn is_leaf(&self) -> bool {
        matches!(self, Node::Leaf)
    }

    /// The children: none of a leaf, the filters of a sequence or set, one otherwise.
    pub fn children(&self) -> &[Node] {
        match self {
            Node::Leaf => &[],
            Node::Sequence(children) | Node::Set(children) => children,
            Node::Band(_, child)
            | Node::Filter(_, child)
            | Node::Mark(_, child)
            | Node::Context(_, child)
            | Node::Guard(_, child)
            | Node::Extension(_, child)
            | Node::Expansion { child, .. } => std::slice::from_ref(child),
        }
    }

    /// The children, to be changed.
    pub fn children_mut(&mut self) -> &mut [Node] {
        match self {
            Node::Leaf => &mut [],
            Node::Sequence(children) | Node::Set(children) => children,
            Node::Band(_, child)
            | Node::Filter(_, child)
            | Node::Mark(_, child)
            | Node::Context(_, child)
            | Node::Guard(_, child)
            | Node::Extension(_, child)
            | Node::Expansion { child, .. } => std::slice::from_mut(child),
        }
    }

    /// Takes the node out of its place, leaving a leaf.
    pub fn take(&mut self) -> Node {
        std::mem::replace(self, Node::Leaf)
    }

    /// Calls `visit` for this node and all below it, parents first.
    ///
    /// *Cost.* Linear in the number of nodes.
    pub fn for_each<'a>(&'a self, visit: &mut impl FnMut(&'a Node)) {
        visit(self);
        for child in self.children() {
            child.for_each(visit);
        }
    }

    /// The tree in which every node, children first, is replaced by its image under `change`.
    ///
    /// # Errors
    /// Those of `change`.
    pub fn map_bottom_up<E>(
        mut self,
        change: &mut impl FnMut(Node) -> Result<Node, E>,
    ) -> Result<Node, E> {
        for child in self.children_mut() {
            *child = child.take().map_bottom_up(change)?;
        }
        change(self)
    }

    /// The greatest number of nodes on a way from here to a leaf, leaves not counted.
    ///
    /// ```
    /// use loopwright_schedule::Node;
    /// assert_eq!(Node::mark("a", Node::mark("b", Node::Leaf)).depth(), 2);
    /// ```
    pub fn depth(&self) -> usize {
        match self {
            Node::Leaf => 0,
            _ => 1 + self.children().iter().map(Node::depth).max().unwrap_or(0),
        }
    }

    /// Whether a predicate holds for this node and all below it.
    ///
    /// ```
    /// use loopwright_schedule::Node;
    /// let node = Node::mark("a", Node::Leaf);
    /// assert!(node.every_descendant(&|node| !matches!(node, Node::Band(..))));
    /// ```
    pub fn every_descendant(&self, holds: &impl Fn(&Node) -> bool) -> bool {
        holds(self) && self.children().iter().all(|child| child.every_descendant(holds))
    }

    /// Whether the meaning of the subtree depends on the schedule outside of it: whether there is
    /// a context, guard, extension, or band with an isolated part in it.
    ///
    /// ```
    /// use loopwright_presburger::Set;
    /// use loopwright_schedule::Node;
    /// let guard = Node::Guard(Set::parse("{ [i] : i > 0 }")?, Box::new(Node::Leaf));
    /// assert!(Node::mark("a", guard).is_anchored());
    /// assert!(!Node::mark("a", Node::Leaf).is_anchored());
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn is_anchored(&self) -> bool {
        let is_free = |node: &Node| match node {
            Node::Context(..) | Node::Guard(..) | Node::Extension(..) => false,
            Node::Band(band, _) => band.isolate.is_none(),
            _ => true,
        };
        !self.every_descendant(&is_free)
    }
}
