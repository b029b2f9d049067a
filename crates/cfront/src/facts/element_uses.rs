//! Arrays of which a file uses nothing but elements.
//!
//! A variable with an array type that other files do not see, of which every mention is an element
//! (`count[v]`, with a subscript for each dimension, and not `&count[v]`), has an address that nobody knows:
//! no pointer leads to it.
use crate::syntax::kind::{Field, Kind};
use crate::syntax::queries::text;
use crate::syntax::tree::Node;
use rustc_hash::FxHashMap;

/// For each name of a file the least number of subscripts behind a mention; 0 if an address is taken.
#[derive(Clone, Debug, Default)]
pub(crate) struct ElementUses(FxHashMap<String, usize>);

impl ElementUses {
    /// Reads a file.
    pub(crate) fn of_file(source: &str, root: Node<'_>) -> Self {
        let mut uses = FxHashMap::default();
        for node in root.of_kind(Kind::Identifier).filter(|node| !is_declared(*node)) {
            let n_subscripts = subscripts(source, node);
            match uses.get_mut(text(source, node)) {
                Some(least) => *least = n_subscripts.min(*least),
                None => drop(uses.insert(text(source, node).to_string(), n_subscripts)),
            }
        }
        ElementUses(uses)
    }

    /// Whether every mention of a name is an element of an array of so many dimensions.
    pub(crate) fn are_elements(&self, name: &str, n_dimensions: usize) -> bool {
        self.0.get(name).is_none_or(|least| *least >= n_dimensions)
    }
}

/// Whether an identifier is the one that an array's declaration declares.
fn is_declared(node: Node<'_>) -> bool {
    let declarator = |parent: Node<'_>| {
        let inner = parent.field(Field::Declarator);
        parent.kind() == Kind::ArrayDeclarator && inner.is_some_and(|inner| inner.id() == node.id())
    };
    node.parent().is_some_and(declarator)
}

/// The number of subscripts behind a name; 0 if the address of the element is taken.
fn subscripts(source: &str, name: Node<'_>) -> usize {
    let (mut node, mut n_subscripts) = (name, 0);
    while let Some(parent) = node.parent() {
        let argument = parent.field(Field::Argument);
        let is_argument = argument.is_some_and(|argument| argument.id() == node.id());
        match parent.kind() {
            Kind::ParenthesizedExpression => {}
            Kind::SubscriptExpression if is_argument => n_subscripts += 1,
            Kind::PointerExpression if text(source, parent).starts_with('&') => return 0,
            _ => break,
        }
        node = parent;
    }
    n_subscripts
}
