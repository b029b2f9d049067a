//! The abstract syntax tree: loops, conditions, blocks, and calls of statements.
use crate::ast::annotation::Annotation;
use crate::expressions::expression::AstExpr;
use crate::places::entry::Entry;
use crate::places::place::Place;
use loopwright_presburger::{Int, Name, Space};
use std::sync::Arc;

/// A loop `for (iterator = init; condition; iterator += increment) body`.
#[derive(Clone, Debug)]
pub struct ForLoop {
    /// The iterator's name, unique among enclosing loops.
    pub iterator: Name,
    /// First value.
    pub init: AstExpr,
    /// The condition to go on (`c0 < n`, or a conjunction).
    pub condition: AstExpr,
    /// The step, positive.
    pub increment: Int,
    /// A positive symbolic constant, of which the loop only takes the multiples among its values: then the
    /// step is one. (The first multiple is no quasi-affine function: [`ForLoop::first_multiple`].)
    pub multiples_of: Option<Name>,
    /// What is repeated.
    pub body: Box<AstNode>,
    /// Whether there is exactly one iteration (then `condition` need not be evaluated).
    pub degenerate: bool,
    /// Whether the band member was coincident.
    pub coincident: bool,
    /// The schedule dimension that the loop runs over.
    pub dimension: usize,
    /// What is known before the loop.
    pub entry: Entry,
    /// What a [`Visitor`](crate::Visitor) attached to the loop.
    pub annotation: Option<Annotation>,
}

/// A node of the tree.
///
/// Who walks over a tree has to say what becomes of each kind of node.
#[derive(Clone, Debug)]
pub enum AstNode {
    /// A loop.
    For(ForLoop),
    /// A condition.
    If {
        /// The condition.
        condition: AstExpr,
        /// What to do if it holds.
        then: Box<AstNode>,
        /// What to do otherwise.
        otherwise: Option<Box<AstNode>>,
    },
    /// One after the other.
    Block(Vec<AstNode>),
    /// A name attached to a subtree.
    Mark {
        /// The name.
        name: Name,
        /// The number of schedule dimensions outside: a mark above a band speaks about the loop
        /// of this dimension, if there is one.
        dimension: usize,
        /// The subtree.
        child: Box<AstNode>,
    },
    /// An instance of a statement.
    User {
        /// The statement's tuple (name and number of arguments).
        statement: Space,
        /// The values of the instance's coordinates.
        arguments: Vec<AstExpr>,
        /// Where the node stands: turns expressions over the statement's domain into expressions
        /// over the iterators of the loops around.
        place: Arc<Place>,
    },
}

impl AstNode {
    /// The names of all marks in the tree, in the order of the text, those around before those inside. Linear
    /// in the tree.
    ///
    /// ```
    /// use loopwright_astgen::AstNode;
    /// let mark = |name: &str, child| AstNode::Mark { name: name.into(), dimension: 0, child: Box::new(child) };
    /// let inside = vec![mark("second", AstNode::Block(Vec::new())), mark("third", AstNode::Block(Vec::new()))];
    /// let tree = mark("first", AstNode::Block(inside));
    /// let names: Vec<&str> = tree.marks().iter().map(|name| &***name).collect();
    /// assert_eq!(names, ["first", "second", "third"]);
    /// ```
    pub fn marks(&self) -> Vec<&Name> {
        fn collect<'a>(node: &'a AstNode, found: &mut Vec<&'a Name>) {
            match node {
                AstNode::For(each) => collect(&each.body, found),
                AstNode::If { then, otherwise, .. } => {
                    collect(then, found);
                    otherwise.iter().for_each(|otherwise| collect(otherwise, found));
                }
                AstNode::Block(children) => children.iter().for_each(|child| collect(child, found)),
                AstNode::Mark { name, child, .. } => {
                    found.push(name);
                    collect(child, found);
                }
                AstNode::User { .. } => {}
            }
        }
        let mut found = Vec::new();
        collect(self, &mut found);
        found
    }

    /// The only node in a block, in one in that, and so on; itself if it is no such block.
    ///
    /// ```
    /// use loopwright_astgen::AstNode;
    /// let inside = AstNode::Block(vec![AstNode::Block(Vec::new())]);
    /// let nested = AstNode::Block(vec![inside]);
    /// assert!(matches!(nested.single(), AstNode::Block(children) if children.is_empty()));
    /// ```
    pub fn single(&self) -> &AstNode {
        match self {
            AstNode::Block(children) => match &children[..] {
                [only] => only.single(),
                _ => self,
            },
            _ => self,
        }
    }
}
