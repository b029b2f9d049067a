//! Puts a tree together from its leaves: children before parents.
use super::lexer::Token;
use super::token_class::Class;
use crate::syntax::kind::{Field, Kind};
use crate::syntax::tree::Tree;
use crate::syntax::tree_parts::{Part, Parts};

/// A tree in the making.
#[derive(Debug, Default)]
pub(super) struct Builder {
    parts: Parts,
    /// The nodes that have no parent yet, in the order of the text.
    pending: Vec<u32>,
}

/// A place between nodes without a parent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark(usize);

impl Builder {
    /// The place after all nodes so far.
    pub(super) fn mark(&self) -> Mark {
        Mark(self.pending.len())
    }

    /// Adds a token.
    pub(super) fn leaf(&mut self, kind: Kind, token: Token) {
        let is_named = kind != token.kind
            || matches!(
                token.class,
                Class::Identifier
                    | Class::Number
                    | Class::Character
                    | Class::Text
                    | Class::Constant
                    | Class::Primitive
            );
        self.add(Part {
            kind,
            field: Field::None,
            is_named,
            is_missing: false,
            start: token.start,
            end: token.end,
            first_child: 0,
            n_children: 0,
        });
    }

    /// Adds a sign that the text lacks.
    pub(super) fn missing(&mut self, kind: Kind, at: u32) {
        let (field, is_named, is_missing) = (Field::None, false, true);
        self.add(Part {
            kind,
            field,
            is_named,
            is_missing,
            start: at,
            end: at,
            first_child: 0,
            n_children: 0,
        });
    }

    fn add(&mut self, part: Part) {
        self.pending.push(self.parts.nodes.len() as u32);
        self.parts.nodes.push(part);
    }

    /// Says which place the last node has in the parent that it will get.
    pub(super) fn field(&mut self, place: Field) {
        if let Some(&last) = self.pending.last() {
            self.parts.nodes[last as usize].field = place;
        }
    }

    /// The same for the node after a mark.
    pub(super) fn field_at(&mut self, mark: Mark, place: Field) {
        if let Some(&node) = self.pending.get(mark.0) {
            self.parts.nodes[node as usize].field = place;
        }
    }

    /// The kind of the last node without a parent.
    pub(super) fn last_kind(&self) -> Option<Kind> {
        self.pending.last().map(|node| self.parts.nodes[*node as usize].kind)
    }

    /// Makes all nodes after a mark the children of a new node; without any, it is at a byte.
    pub(super) fn finish(&mut self, mark: Mark, kind: Kind, at: u32) {
        let nodes = &self.pending[mark.0..];
        let start = nodes.first().map_or(at, |node| self.parts.nodes[*node as usize].start);
        let end = nodes.last().map_or(at, |node| self.parts.nodes[*node as usize].end);
        let (first_child, n_children) = (self.parts.children.len() as u32, nodes.len() as u32);
        self.parts.children.extend_from_slice(nodes);
        self.pending.truncate(mark.0);
        let (field, is_named, is_missing) = (Field::None, true, false);
        self.add(Part { kind, field, is_named, is_missing, start, end, first_child, n_children });
    }

    /// Forgets the nodes after a mark.
    pub(super) fn drop_after(&mut self, mark: Mark) {
        self.pending.truncate(mark.0);
    }

    /// The tree of the last node, with what was expected where there are errors.
    pub(super) fn tree(self, expectations: Vec<(u32, &'static str)>) -> Tree {
        Tree::of_parts(&self.parts, expectations)
    }
}
