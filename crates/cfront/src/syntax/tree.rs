//! Syntax trees as arrays: what the parser found, in a form in which every step takes constant time.
//!
//! The nodes stand in the order of the text, parents first: those below node `i` are the ones from `i + 1` to
//! the end of its *subtree*. The children of all nodes stand in a second array, those of a node next to each
//! other. Comments are left out.
use crate::syntax::kind::{Field, Kind};
use crate::syntax::tree_parts::Parts;
use std::ops::Range;

/// The syntax tree of a text.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    entries: Vec<Entry>,
    /// The children of all nodes, by their parents.
    children: Vec<u32>,
    /// The nodes of each kind that are more than words and signs, in order.
    by_kind: Vec<Vec<u32>>,
    /// What was expected instead of the text at some bytes, in order.
    expectations: Vec<(u32, &'static str)>,
}

/// What is known about a node.
#[derive(Clone, Copy, Debug)]
struct Entry {
    kind: Kind,
    field: Field,
    is_named: bool,
    is_missing: bool,
    has_error: bool,
    start: u32,
    end: u32,
    depth: u32,
    /// The greatest depth in its subtree.
    greatest_depth: u32,
    /// The parent; of the root, itself.
    parent: u32,
    /// The node after the last one of the subtree.
    subtree_end: u32,
    /// Where its children are in [`Tree::children`].
    first_child: u32,
    n_children: u32,
}

/// A node of a syntax tree.
#[derive(Clone, Copy)]
pub(crate) struct Node<'t> {
    tree: &'t Tree,
    index: u32,
}

impl PartialEq for Node<'_> {
    /// Whether both are the same node of the same tree.
    fn eq(&self, other: &Self) -> bool {
        self.index == other.index && std::ptr::eq(self.tree, other.tree)
    }
}

impl Eq for Node<'_> {}

impl std::fmt::Debug for Node<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} at {:?}", self.kind(), self.byte_range())
    }
}

impl Tree {
    /// The tree of the last of some nodes.
    pub(crate) fn of_parts(parts: &Parts, expectations: Vec<(u32, &'static str)>) -> Tree {
        let mut tree = Tree { expectations, ..Tree::default() };
        tree.entries.reserve(parts.nodes.len());
        // Nodes with their parents and depths, the next one last.
        let mut waiting = vec![(parts.nodes.len() as u32 - 1, 0, 0)];
        while let Some((part, parent, depth)) = waiting.pop() {
            let part = &parts.nodes[part as usize];
            let index = tree.entries.len() as u32;
            tree.entries.push(Entry {
                kind: part.kind,
                field: part.field,
                is_named: part.is_named,
                is_missing: part.is_missing,
                has_error: part.is_missing || part.kind == Kind::Error,
                start: part.start,
                end: part.end,
                depth,
                greatest_depth: depth,
                parent,
                subtree_end: index + 1,
                first_child: 0,
                n_children: 0,
            });
            let children = &parts.children[part.first_child as usize..][..part.n_children as usize];
            waiting.extend(children.iter().rev().map(|child| (*child, index, depth + 1)));
        }
        tree.find_ends();
        tree.find_children();
        tree.find_kinds();
        tree
    }

    /// Tells each node where its subtree ends, how deep it is and whether there is an error in it.
    fn find_ends(&mut self) {
        for index in (1..self.entries.len()).rev() {
            let Entry { has_error, greatest_depth, parent, subtree_end, .. } = self.entries[index];
            let parent = &mut self.entries[parent as usize];
            parent.has_error |= has_error;
            parent.greatest_depth = parent.greatest_depth.max(greatest_depth);
            parent.subtree_end = parent.subtree_end.max(subtree_end);
        }
    }

    /// Puts the children of each node next to each other.
    fn find_children(&mut self) {
        for index in 1..self.entries.len() {
            let parent = self.entries[index].parent as usize;
            self.entries[parent].n_children += 1;
        }
        let mut next = 0;
        for entry in &mut self.entries {
            entry.first_child = next;
            next += std::mem::take(&mut entry.n_children);
        }
        self.children = vec![0; next as usize];
        for index in 1..self.entries.len() {
            let parent = self.entries[index].parent as usize;
            let parent = &mut self.entries[parent];
            let position = parent.first_child + parent.n_children;
            parent.n_children += 1;
            self.children[position as usize] = index as u32;
        }
    }

    /// Collects the nodes of each kind.
    fn find_kinds(&mut self) {
        self.by_kind = vec![Vec::new(); Kind::ALL.len()];
        for (index, entry) in (0..).zip(&self.entries).filter(|(_, entry)| entry.is_named) {
            self.by_kind[entry.kind as usize].push(index);
        }
    }

    /// The node of the whole text.
    pub(crate) fn root_node(&self) -> Node<'_> {
        Node { tree: self, index: 0 }
    }
}

impl<'t> Node<'t> {
    fn entry(self) -> &'t Entry {
        &self.tree.entries[self.index as usize]
    }

    fn at(self, index: u32) -> Node<'t> {
        Node { tree: self.tree, index }
    }

    /// A number that no other node of the tree has.
    pub(crate) fn id(self) -> usize {
        self.index as usize
    }

    /// What it is.
    pub(crate) fn kind(self) -> Kind {
        self.entry().kind
    }

    /// Whether it is more than a word or sign.
    pub(crate) fn is_named(self) -> bool {
        self.entry().is_named
    }

    /// Whether it is text that the parser does not understand.
    pub(crate) fn is_error(self) -> bool {
        self.entry().kind == Kind::Error
    }

    /// Whether the parser has added it.
    pub(crate) fn is_missing(self) -> bool {
        self.entry().is_missing
    }

    /// Whether it or something in it is an error or missing.
    pub(crate) fn has_error(self) -> bool {
        self.entry().has_error
    }

    /// The number of levels below it.
    pub(crate) fn levels(self) -> usize {
        (self.entry().greatest_depth - self.entry().depth) as usize
    }

    /// What was expected where the first error in it is, and at which byte.
    pub(crate) fn expectation(self) -> Option<(usize, &'static str)> {
        let expectations = &self.tree.expectations;
        let first = expectations
            .iter()
            .find(|(byte, _)| self.entry().start <= *byte && *byte <= self.entry().end);
        first.map(|(byte, expected)| (*byte as usize, *expected))
    }

    /// Where it begins.
    pub(crate) fn start_byte(self) -> usize {
        self.entry().start as usize
    }

    /// Where it ends.
    pub(crate) fn end_byte(self) -> usize {
        self.entry().end as usize
    }

    /// Its bytes.
    pub(crate) fn byte_range(self) -> Range<usize> {
        self.start_byte()..self.end_byte()
    }

    /// The node around it.
    pub(crate) fn parent(self) -> Option<Node<'t>> {
        let parent = self.entry().parent;
        (parent != self.index).then(|| self.at(parent))
    }

    /// The node of the whole text.
    pub(crate) fn root(self) -> Node<'t> {
        self.at(0)
    }

    /// Its children that are more than words and signs and touch some of its bytes.
    pub(crate) fn named_children_in(self, range: Range<usize>) -> impl Iterator<Item = Node<'t>> {
        let children = self.child_indices();
        let before = |index: &u32| self.at(*index).end_byte() <= range.start;
        let rest = &children[children.partition_point(before)..];
        let nodes = rest.iter().map(move |index| self.at(*index));
        nodes.take_while(move |node| node.start_byte() < range.end).filter(|node| node.is_named())
    }

    /// The positions of its children.
    fn child_indices(self) -> &'t [u32] {
        let entry = self.entry();
        #[cfg(test)]
        count::look_at(1);
        &self.tree.children[entry.first_child as usize..][..entry.n_children as usize]
    }

    /// Its children.
    pub(crate) fn children(self) -> impl DoubleEndedIterator<Item = Node<'t>> {
        self.child_indices().iter().map(move |index| {
            #[cfg(test)]
            count::look_at(1);
            self.at(*index)
        })
    }

    /// Its children that are more than words and signs.
    pub(crate) fn named_children(self) -> impl DoubleEndedIterator<Item = Node<'t>> {
        self.children().filter(|child| child.is_named())
    }

    /// The children in a place of the grammar's rule.
    pub(crate) fn all_in_field(self, field: Field) -> impl Iterator<Item = Node<'t>> {
        self.children().filter(move |child| child.entry().field == field)
    }

    /// The first child in a place of the grammar's rule.
    pub(crate) fn field(self, field: Field) -> Option<Node<'t>> {
        self.children().find(|child| child.entry().field == field)
    }

    /// The kind of its operator.
    pub(crate) fn operator(self) -> Option<Kind> {
        self.field(Field::Operator).map(Node::kind)
    }

    /// Its place in its parent.
    pub(crate) fn place(self) -> Field {
        self.entry().field
    }

    /// The named child with a position among those.
    pub(crate) fn named_child(self, position: usize) -> Option<Node<'t>> {
        self.named_children().nth(position)
    }

    /// The named node before it in its parent.
    pub(crate) fn prev_named_sibling(self) -> Option<Node<'t>> {
        let siblings = self.parent()?.child_indices();
        let before = &siblings[..siblings.partition_point(|index| *index < self.index)];
        before.iter().rev().map(|index| self.at(*index)).find(|sibling| sibling.is_named())
    }

    /// The smallest node in it around some of its bytes.
    pub(crate) fn descendant_for_byte_range(self, range: &Range<usize>) -> Node<'t> {
        let mut node = self;
        loop {
            let children = node.child_indices();
            let after =
                children.partition_point(|index| self.at(*index).start_byte() <= range.start);
            let around = after.checked_sub(1).map(|position| self.at(children[position]));
            match around.filter(|child| child.end_byte() >= range.end) {
                Some(child) => node = child,
                None => return node,
            }
        }
    }

    /// The nodes of a kind (of more than words and signs) among it and those below, in the order of the text.
    ///
    /// *Cost.* Logarithmic in the number of nodes, and linear in that of the nodes found.
    pub(crate) fn of_kind(self, kind: Kind) -> impl DoubleEndedIterator<Item = Node<'t>> {
        let all = self.tree.by_kind.get(kind as usize).map_or(&[][..], Vec::as_slice);
        let rest = &all[all.partition_point(|index| *index < self.index)..];
        let end = rest.partition_point(|index| *index < self.entry().subtree_end);
        rest[..end].iter().map(move |index| {
            #[cfg(test)]
            count::look_at(1);
            self.at(*index)
        })
    }

    /// The nodes of some kinds among it and those below, in the order of the text, parents first.
    pub(crate) fn of_kinds(self, kinds: &[Kind]) -> Vec<Node<'t>> {
        let mut found: Vec<Node<'t>> = kinds.iter().flat_map(|kind| self.of_kind(*kind)).collect();
        found.sort_unstable_by_key(|node| node.index);
        found
    }

    /// Whether it or a node below is of one of some kinds.
    ///
    /// *Cost.* That of [`Node::of_kind`] for the first node.
    pub(crate) fn has_kind(self, kinds: &[Kind]) -> bool {
        kinds.iter().any(|kind| self.of_kind(*kind).next().is_some())
    }

    /// Calls a function for it and every node below, parents first, with their depth below it.
    ///
    /// The function says whether to go on below the node.
    pub(crate) fn visit(self, mut function: impl FnMut(Node<'t>, usize) -> bool) {
        let mut node = self;
        while node.index < self.entry().subtree_end {
            let depth = (node.entry().depth - self.entry().depth) as usize;
            #[cfg(test)]
            count::look_at(1);
            let goes_on = function(node, depth);
            node.index = if goes_on { node.index + 1 } else { node.entry().subtree_end };
        }
    }
}

/// The number of nodes that this thread has looked at, for tests of how work grows.
#[cfg(test)]
pub(crate) mod count {
    use std::cell::Cell;

    thread_local! {
        static LOOKED_AT: Cell<u64> = const { Cell::new(0) };
    }

    pub(crate) fn look_at(n: u64) {
        LOOKED_AT.set(LOOKED_AT.get() + n);
    }

    pub(crate) fn looked_at() -> u64 {
        LOOKED_AT.get()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    const TEXT: &str = "int a[2]; /* x */ void f(int n) { a[0] = n; /* y */ a[1] = (n); }";

    fn kinds(nodes: impl Iterator<Item = Node<'static>>) -> Vec<Kind> {
        nodes.map(Node::kind).collect()
    }

    fn tree() -> &'static Tree {
        Box::leak(Box::new(crate::syntax::parser::parse(TEXT, std::iter::empty())))
    }

    #[test]
    fn children_parents_and_siblings_fit_together() {
        let root = tree().root_node();
        assert_eq!(kinds(root.children()), [Kind::Declaration, Kind::FunctionDefinition]);
        assert!(root.parent().is_none() && !root.has_error());
        let mut visited = 0;
        root.visit(|node, depth| {
            visited += 1;
            let children: Vec<Node<'_>> = node.children().collect();
            assert!(children.iter().all(|child| child.parent().map(Node::id) == Some(node.id())));
            let named: Vec<Node<'_>> = node.named_children().collect();
            for pair in named.windows(2) {
                assert_eq!(pair[1].prev_named_sibling().map(Node::id), Some(pair[0].id()));
            }
            assert!((depth == 0) == node.parent().is_none());
            true
        });
        assert_eq!(visited, tree().entries.len());
    }

    #[test]
    fn comments_are_left_out() {
        let body = tree().root_node().named_child(1).and_then(|f| f.field(Field::Body));
        let body = body.expect("the function has a body");
        assert_eq!(kinds(body.named_children()), [Kind::ExpressionStatement; 2]);
        assert_eq!(
            kinds(body.children()),
            [token!("{"), Kind::ExpressionStatement, Kind::ExpressionStatement, token!("}")]
        );
    }

    #[test]
    fn nodes_are_found_by_their_kinds() {
        tree().root_node().visit(|node, _| {
            let mut kinds = BTreeMap::<&str, Vec<usize>>::new();
            let mut levels = 0;
            node.visit(|inner, depth| {
                kinds.entry(inner.kind().name()).or_default().push(inner.id());
                levels = levels.max(depth);
                true
            });
            assert_eq!(node.levels(), levels);
            for kind in
                [Kind::Identifier, Kind::NumberLiteral, Kind::Declaration, Kind::GotoStatement]
            {
                let found: Vec<usize> = node.of_kind(kind).map(Node::id).collect();
                assert_eq!(node.has_kind(&[Kind::GotoStatement, kind]), !found.is_empty());
                assert_eq!(found, kinds.remove(kind.name()).unwrap_or_default());
            }
            let both = node.of_kinds(&[Kind::NumberLiteral, Kind::Identifier]);
            assert!(both.is_sorted_by_key(|node| node.id()));
            true
        });
    }

    #[test]
    fn places_are_found() {
        let at = TEXT.find("(n)").expect("it is there");
        let node = tree().root_node().descendant_for_byte_range(&(at..at + 3));
        assert_eq!(node.kind(), Kind::ParenthesizedExpression);
        let assignment = node.parent().expect("it is a side of an assignment");
        let right = assignment.field(Field::Right);
        assert_eq!(right.map(Node::id), Some(node.id()));
        let inner = tree().root_node().descendant_for_byte_range(&(at + 1..at + 2));
        assert_eq!((inner.kind(), inner.byte_range()), (Kind::Identifier, at + 1..at + 2));
    }

    #[test]
    fn errors_are_known_to_all_around_them() {
        let tree =
            crate::syntax::parser::parse("void f(void) { int a = ; } int b;", std::iter::empty());
        let root = tree.root_node();
        let has_error: Vec<bool> = root.children().map(Node::has_error).collect();
        assert!(root.has_error());
        assert_eq!(has_error, [true, false]);
    }
}
