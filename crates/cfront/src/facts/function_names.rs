//! What a function does with which names.
use crate::syntax::kind::{Field, Kind};
use crate::syntax::queries::{changed_names, names_in_error, strip_parentheses, text};
use crate::syntax::tree::Node;
use rustc_hash::FxHashMap;
use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

/// The names of a function.
#[derive(Clone, Debug, Default)]
pub(crate) struct FunctionNames<'t> {
    mentions: FxHashMap<String, Mentions<'t>>,
    /// The names that are assigned, or whose address is taken.
    pub(crate) changed: HashSet<String>,
    /// The names whose address is taken.
    pub(crate) addressed: Arc<HashSet<String>>,
    /// The labels, in the order of the text.
    pub(crate) labels: Vec<Label>,
    /// What may declare variables, types or constants, by what it is directly in: a block, a loop.
    declarations: FxHashMap<usize, Vec<Node<'t>>>,
}

/// A label of a function.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Label {
    /// Where its statement starts, in bytes.
    pub(crate) start: usize,
    /// Where the last jump to it starts, in bytes; none if nothing jumps to it.
    last_jump: Option<usize>,
}

impl Label {
    /// Whether what is at a byte may run again after a jump back to the label.
    pub(crate) fn repeats(self, byte: usize) -> bool {
        self.start <= byte && self.last_jump.is_some_and(|jump| jump >= byte)
    }
}

/// The labels of a function. A jump without a name may lead to all of them.
fn labels(source: &str, function: Node<'_>) -> Vec<Label> {
    let name = |node: Node<'_>| node.field(Field::Label).map(|label| text(source, label));
    let mut last_jumps: FxHashMap<&str, usize> = FxHashMap::default();
    let mut last_nameless = None;
    for jump in function.of_kind(Kind::GotoStatement) {
        let place = jump.start_byte();
        match name(jump) {
            Some(name) => _ = last_jumps.insert(name, place),
            None => last_nameless = Some(place),
        }
    }
    let labelled = function.of_kind(Kind::LabeledStatement);
    let label = |node: Node<'_>| {
        let named = name(node).and_then(|name| last_jumps.get(name).copied());
        Label { start: node.start_byte(), last_jump: named.max(last_nameless) }
    };
    labelled.map(label).collect()
}

/// Where a name stands, in the order of the text.
#[derive(Clone, Debug, Default)]
struct Mentions<'t> {
    all: Vec<Node<'t>>,
    /// Where its address is taken, in bytes.
    addressed: Vec<usize>,
    /// Where it is used without subscripts, in bytes.
    bare: Vec<usize>,
}

impl<'t> FunctionNames<'t> {
    /// Reads a function.
    pub(crate) fn of_function(source: &str, function: Node<'t>) -> Self {
        let changed = changed_names(source, function).into_iter().map(str::to_string).collect();
        let mut names = FunctionNames { changed, ..FunctionNames::default() };
        for mention in function.of_kind(Kind::Identifier) {
            names.add_mention(text(source, mention), mention);
        }
        names.labels = labels(source, function);
        let mut declarations = function.of_kinds(&[
            Kind::Declaration,
            Kind::TypeDefinition,
            Kind::EnumSpecifier,
            Kind::Error,
        ]);
        let with_enum = function.of_kind(Kind::EnumSpecifier).filter_map(Node::parent);
        let is_other =
            |node: &Node<'t>| !matches!(node.kind(), Kind::Declaration | Kind::TypeDefinition);
        declarations.extend(with_enum.filter(is_other));
        declarations.sort_unstable_by_key(|node| node.id());
        declarations.dedup();
        for node in declarations {
            if let Some(parent) = node.parent() {
                names.declarations.entry(parent.id()).or_default().push(node);
            }
        }
        let in_errors = function.of_kind(Kind::Error).flat_map(|node| names_in_error(source, node));
        let addresses = function.of_kind(Kind::PointerExpression);
        let addressed = addresses.filter_map(|node| addressed_name(source, node));
        names.addressed = Arc::new(addressed.chain(in_errors).map(str::to_string).collect());
        names
    }

    /// What may declare variables, types or constants directly in a block, in some bytes of it.
    pub(crate) fn declarations_in(
        &self,
        block: Node<'t>,
        bytes: Range<usize>,
    ) -> impl Iterator<Item = Node<'t>> {
        let all = self.declarations.get(&block.id()).map_or(&[][..], Vec::as_slice);
        let first = all.partition_point(|item| item.start_byte() < bytes.start);
        let items = all[first..].iter().copied();
        let before = items.take_while(move |item| item.start_byte() < bytes.end);
        before.filter(move |item| item.end_byte() <= bytes.end)
    }

    fn add_mention(&mut self, name: &str, node: Node<'t>) {
        let parent = node.parent().map(Node::kind);
        let is_declared =
            parent.is_some_and(|kind| kind.is_declarator() || kind == Kind::Declaration);
        let mentions = match self.mentions.get_mut(name) {
            Some(mentions) => mentions,
            None => self.mentions.entry(name.to_string()).or_default(),
        };
        mentions.all.push(node);
        if parent != Some(Kind::SubscriptExpression) && !is_declared {
            mentions.bare.push(node.start_byte());
        }
        if is_addressed(node) {
            mentions.addressed.push(node.start_byte());
        }
    }

    /// The mentions of a name from a byte on.
    pub(crate) fn mentions_from(&self, name: &str, byte: usize) -> &[Node<'t>] {
        let all = self.mentions.get(name).map_or(&[][..], |mentions| &mentions.all);
        &all[all.partition_point(|mention| mention.start_byte() < byte)..]
    }

    /// Whether the address of a name is taken outside of some bytes.
    pub(crate) fn is_addressed_outside(&self, name: &str, bytes: &Range<usize>) -> bool {
        self.mentions.get(name).is_some_and(|mentions| has_other(&mentions.addressed, bytes))
    }

    /// Whether a name is used without subscripts outside of some bytes.
    pub(crate) fn is_bare_outside(&self, name: &str, bytes: &Range<usize>) -> bool {
        self.mentions.get(name).is_some_and(|mentions| has_other(&mentions.bare, bytes))
    }
}

/// Whether one of the positions, which are in order, is not in the range.
fn has_other(positions: &[usize], range: &Range<usize>) -> bool {
    positions.first().is_some_and(|first| *first < range.start)
        || positions.last().is_some_and(|last| *last >= range.end)
}

/// The name in `&name`.
fn addressed_name<'s>(source: &'s str, node: Node<'_>) -> Option<&'s str> {
    let is_address = node.operator() == Some(token!("&"));
    let target = node.field(Field::Argument).map(strip_parentheses)?;
    (is_address && target.kind() == Kind::Identifier).then(|| text(source, target))
}

/// Whether the address of the identifier is taken.
fn is_addressed(node: Node<'_>) -> bool {
    let mut node = node;
    while let Some(parent) = node.parent() {
        match parent.kind() {
            Kind::ParenthesizedExpression => node = parent,
            Kind::Error => return true,
            Kind::PointerExpression => {
                return parent.operator() == Some(token!("&"));
            }
            _ => return false,
        }
    }
    false
}

/// A function of the file, by the byte where it starts; [`OUTSIDE`] for what is in none.
pub(crate) type FunctionKey = usize;

/// Outside of functions.
pub(crate) const OUTSIDE: FunctionKey = usize::MAX;

pub(crate) fn function_name(source: &str, function: Node<'_>) -> String {
    let node = function.field(Field::Declarator);
    let parts = node.and_then(|node| crate::facts::ctypes::declarator(source, node));
    parts.map_or(String::new(), |parts| text(source, parts.name).to_string())
}
