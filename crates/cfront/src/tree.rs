//! Syntax trees as arrays: what the parser found, in a form in which every step takes constant time.
//!
//! In the trees of the parser the way up is a search from the root, and the name of a kind is checked
//! each time it is asked for. Here the nodes stand in the order of the text, parents first: those below
//! node `i` are the ones from `i + 1` to the end of its *subtree*. The children of all nodes stand in a second
//! array, those of a node next to each other. Comments are left out.
use std::num::NonZeroU16 as FieldId;
use std::ops::Range;
use tree_sitter::{Language, Node as ParsedNode, Parser, TreeCursor};

/// The syntax tree of a text.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    entries: Vec<Entry>,
    /// The children of all nodes, by their parents.
    children: Vec<u32>,
    /// The names of the kinds of nodes.
    kinds: Vec<String>,
    /// The names of the places that children have in their parents.
    fields: Vec<String>,
}

/// What is known about a node.
#[derive(Debug)]
struct Entry {
    /// The position in [`Tree::kinds`]; that of errors is beyond its end.
    kind: u16,
    /// The position in [`Tree::fields`] plus 1; 0 for none.
    field: u16,
    is_named: bool,
    is_error: bool,
    is_missing: bool,
    has_error: bool,
    start: u32,
    end: u32,
    depth: u32,
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
    /// Parses a text as C; none if the parser gives up.
    ///
    /// *Cost.* Linear in the text.
    pub(crate) fn parse(source: &str) -> Option<Tree> {
        let mut parser = Parser::new();
        let language: Language = tree_sitter_c::LANGUAGE.into();
        parser.set_language(&language).ok()?;
        let parsed = parser.parse(source, None)?;
        let mut tree = Tree::of_language(&language);
        tree.read(&mut parsed.walk());
        tree.find_errors();
        tree.find_children();
        Some(tree)
    }

    /// A tree without nodes.
    fn of_language(language: &Language) -> Tree {
        let ids = |count: usize| 0..u16::try_from(count).unwrap_or(u16::MAX);
        let kind = |id| language.node_kind_for_id(id).unwrap_or_default().to_string();
        let field = |id| language.field_name_for_id(id + 1).unwrap_or_default().to_string();
        Tree {
            kinds: ids(language.node_kind_count()).map(kind).collect(),
            fields: ids(language.field_count()).map(field).collect(),
            ..Tree::default()
        }
    }

    /// Adds the nodes below (and with) the cursor's.
    fn read(&mut self, cursor: &mut TreeCursor<'_>) {
        let comment = self.kinds.iter().position(|kind| kind == "comment").unwrap_or(usize::MAX);
        let comment = u16::try_from(comment).unwrap_or(u16::MAX);
        // The nodes from the root to the current one.
        let mut path: Vec<u32> = Vec::new();
        loop {
            let node = cursor.node();
            if node.kind_id() != comment {
                let index = self.add(node, cursor.field_id(), &path);
                if cursor.goto_first_child() {
                    path.push(index);
                    continue;
                }
            }
            while !cursor.goto_next_sibling() {
                let Some(parent) = path.pop() else { return };
                self.entries[parent as usize].subtree_end = self.entries.len() as u32;
                cursor.goto_parent();
            }
        }
    }

    /// Adds a node.
    fn add(&mut self, node: ParsedNode<'_>, field: Option<FieldId>, path: &[u32]) -> u32 {
        let index = self.entries.len() as u32;
        self.entries.push(Entry {
            kind: node.kind_id(),
            field: field.map_or(0, FieldId::get),
            is_named: node.is_named(),
            is_error: node.is_error(),
            is_missing: node.is_missing(),
            has_error: false,
            start: node.start_byte() as u32,
            end: node.end_byte() as u32,
            depth: path.len() as u32,
            parent: path.last().copied().unwrap_or(index),
            subtree_end: index + 1,
            first_child: 0,
            n_children: 0,
        });
        index
    }

    /// Says of each node whether there is an error in its subtree.
    fn find_errors(&mut self) {
        for index in (0..self.entries.len()).rev() {
            let entry = &mut self.entries[index];
            entry.has_error |= entry.is_error || entry.is_missing;
            let (has_error, parent) = (entry.has_error, entry.parent as usize);
            self.entries[parent].has_error |= has_error;
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

    /// What it is, as the grammar calls it.
    pub(crate) fn kind(self) -> &'t str {
        self.tree.kinds.get(usize::from(self.entry().kind)).map_or("ERROR", String::as_str)
    }

    /// Whether it is more than a word or sign.
    pub(crate) fn is_named(self) -> bool {
        self.entry().is_named
    }

    /// Whether it is text that the parser does not understand.
    pub(crate) fn is_error(self) -> bool {
        self.entry().is_error
    }

    /// Whether the parser has added it.
    pub(crate) fn is_missing(self) -> bool {
        self.entry().is_missing
    }

    /// Whether it or something in it is an error or missing.
    pub(crate) fn has_error(self) -> bool {
        self.entry().has_error
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
    pub(crate) fn children_by_field_name(self, name: &str) -> impl Iterator<Item = Node<'t>> {
        let field = self.tree.fields.iter().position(|field| field == name);
        let field = field.map_or(u16::MAX, |position| position as u16 + 1);
        self.children().filter(move |child| child.entry().field == field)
    }

    /// The first child in a place of the grammar's rule.
    pub(crate) fn child_by_field_name(self, name: &str) -> Option<Node<'t>> {
        self.children().find(|child| child.field_name() == Some(name))
    }

    fn field_name(self) -> Option<&'t str> {
        let position = usize::from(self.entry().field).checked_sub(1)?;
        self.tree.fields.get(position).map(String::as_str)
    }

    /// The named child with a position among those.
    pub(crate) fn named_child(self, position: usize) -> Option<Node<'t>> {
        self.named_children().nth(position)
    }

    /// The number of named children.
    pub(crate) fn named_child_count(self) -> usize {
        self.named_children().count()
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

    const TEXT: &str = "int a[2]; /* x */ void f(int n) { a[0] = n; /* y */ a[1] = (n); }";

    fn kinds(nodes: impl Iterator<Item = Node<'static>>) -> Vec<&'static str> {
        nodes.map(Node::kind).collect()
    }

    fn tree() -> &'static Tree {
        Box::leak(Box::new(Tree::parse(TEXT).expect("it is C")))
    }

    #[test]
    fn children_parents_and_siblings_fit_together() {
        let root = tree().root_node();
        assert_eq!(kinds(root.children()), ["declaration", "function_definition"]);
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
        let body = tree().root_node().named_child(1).and_then(|f| f.child_by_field_name("body"));
        let body = body.expect("the function has a body");
        assert_eq!(kinds(body.named_children()), ["expression_statement"; 2]);
        assert_eq!(
            kinds(body.children()),
            ["{", "expression_statement", "expression_statement", "}"]
        );
    }

    #[test]
    fn places_are_found() {
        let at = TEXT.find("(n)").expect("it is there");
        let node = tree().root_node().descendant_for_byte_range(&(at..at + 3));
        assert_eq!(node.kind(), "parenthesized_expression");
        let assignment = node.parent().expect("it is a side of an assignment");
        let right = assignment.child_by_field_name("right");
        assert_eq!(right.map(Node::id), Some(node.id()));
        let inner = tree().root_node().descendant_for_byte_range(&(at + 1..at + 2));
        assert_eq!((inner.kind(), inner.byte_range()), ("identifier", at + 1..at + 2));
    }

    #[test]
    fn errors_are_known_to_all_around_them() {
        let tree = Tree::parse("void f(void) { int a = ; } int b;").expect("there is a tree");
        let root = tree.root_node();
        let has_error: Vec<bool> = root.children().map(Node::has_error).collect();
        assert!(root.has_error());
        assert_eq!(has_error, [true, false]);
    }
}
