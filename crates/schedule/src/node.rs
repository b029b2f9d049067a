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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Member {
    /// Whether the loop of this member carries no (coincidence) dependence.
    pub coincident: bool,
    /// How the loop is to be generated.
    pub ast_loop_type: AstLoopType,
    /// How the loop is to be generated in the isolated part.
    pub isolate_ast_loop_type: AstLoopType,
}

/// How the loop of a band member is generated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
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
